//! Hidden constraints: what must hold because a direction has no mass and no constraint.
//!
//! A direction w with M w = 0 and A w = 0 cannot accelerate against anything, so the forces along it must balance:
//! h = wᵀ(Q + C) = 0 is a constraint on the state, though nobody wrote it (Udwadia & Phohomsiri 2006, cases 5.2 and 5.3). Its
//! row may leave w where it was; then h is differentiated further, with accelerations from the equations of motion, until a
//! row determines w, or nothing new comes.

use super::constraint::row;
use super::eliminate::{Echelon, TooLarge, sides};
use super::equations::{Equations, Hidden, HiddenRow, UnbalancedForce, Unsettled};
use super::friction::dot;
use super::massless::{around, candidates};
use super::probe::Probe;
use super::row::{ConstraintKind, Row};
use holonom_symbols::expr::{Depends, Graph, Id, Node, Number, Symbol};

/// Coordinates up to which the search is made: those that have to do with a direction without mass.
const LARGEST: usize = 300;
/// Nodes up to which an equation is followed.
const LONGEST: usize = 300;

/// Finds what is hidden in the equations, with those rows that are in force. It adds nothing to `equations.rows`.
pub fn hidden(equations: &mut Equations) -> Hidden {
    let probe = Probe::at_values(&equations.model, &equations.graph);
    let candidates = candidates(equations, &probe);
    if candidates.is_empty() {
        return Hidden::default();
    }
    let Some(coordinates) = around(equations, &candidates, LARGEST) else {
        return Hidden { unsettled: Some(Unsettled::TooManyCoordinates), ..Hidden::default() };
    };
    let mut search = Search::new(equations, probe, coordinates, &candidates);
    if let Err(TooLarge) = search.run() {
        search.hidden.unsettled = Some(Unsettled::ExpressionsTooLarge);
    }
    search.finish()
}

/// Looks for what is hidden, and adds its rows where the model asks for that.
pub(super) fn settle(equations: &mut Equations) {
    equations.hidden = hidden(equations);
    if equations.model.hidden.is_some() {
        equations.rows.extend(equations.hidden.found.iter().map(|found| found.row.clone()));
    }
}

/// The equations at other values of some parameters, by their place, where that makes a difference: whether a direction is massless, and
/// what is hidden along it, depends on them. Nothing where no direction is massless, neither before nor at these values.
pub fn at_values(given: &Equations, set: &[(usize, f64)]) -> Option<Equations> {
    if set.is_empty() {
        return None;
    }
    if given.hidden.is_empty() {
        let probe = Probe::at_other_values(&given.model, &given.graph, set);
        if candidates(given, &probe).is_empty() {
            return None;
        }
    }
    let mut equations = given.clone();
    for &(which, value) in set {
        if let Some(number) = Number::decimal(&value.to_string()).or_else(|| Number::rounded(value)) {
            equations.model.parameters[which].value = equations.graph.number(number);
        }
    }
    equations.rows.retain(|row| row.constraint.is_some());
    settle(&mut equations);
    Some(equations)
}

struct Search<'e> {
    graph: &'e mut Graph,
    probe: Probe,
    /// The coordinates that have to do with it, and how many those are. What follows counts them from 0.
    coordinates: Vec<usize>,
    n: usize,
    /// How many coordinates the model has.
    total: usize,
    /// Coordinates that a direction may contain.
    open: Vec<usize>,
    /// M, and Q + C, with the parameters that are zero written as zero.
    mass: Vec<Id>,
    force: Vec<Id>,
    /// C depends on reactions for these coordinates.
    reacting: Vec<bool>,
    /// A and b of the rows in force, over all coordinates.
    rows: Vec<(Vec<Id>, Id)>,
    /// Hidden rows that determine something.
    reaching: Vec<(Vec<Id>, Id)>,
    /// What equations say about single symbols: to see whether a new equation is new.
    known: Vec<(Symbol, Id)>,
    hidden: Hidden,
}

impl<'e> Search<'e> {
    fn new(equations: &'e mut Equations, probe: Probe, coordinates: Vec<usize>, open: &[usize]) -> Self {
        let Equations { model, graph, mass, force, rows, nonideal, frictions, .. } = equations;
        let (total, n) = (force.len(), coordinates.len());
        let open = open.iter().filter_map(|i| coordinates.binary_search(i).ok()).collect();
        let mut reacting = vec![false; total];
        let mut forces: Vec<Vec<(Number, Id)>> = coordinates.iter().map(|&i| vec![(Number::ONE, force[i])]).collect();
        for part in nonideal.iter() {
            if part.constraint.is_some_and(|c| model.constraints[c].off) {
                continue;
            }
            forces.iter_mut().zip(&coordinates).for_each(|(terms, &i)| terms.push((Number::ONE, part.force[i])));
            let linear = part.by_multiplier.iter().chain(&part.by_reaction).map(|entry| entry.0);
            linear.chain(part.nonlinear.iter().map(|part| part.coordinate)).for_each(|i| reacting[i] = true);
        }
        for contact in frictions.iter() {
            for (index, &entry) in contact.directions.iter().enumerate() {
                reacting[index % total] |= entry != Id::ZERO;
            }
        }
        let reacting = coordinates.iter().map(|&i| reacting[i]).collect();
        let force: Vec<Id> = forces.iter().map(|terms| graph.sum(terms)).collect();
        // Rows without any of these coordinates say nothing here, but those without coordinates may be contradictions.
        let inside = |row: &&Row| row.a.first().is_none_or(|(i, _)| coordinates.binary_search(i).is_ok());
        let active: Vec<&Row> = rows.iter().filter(|row| !row.off).filter(inside).collect();
        let mut all: Vec<Id> = coordinates.iter().flat_map(|&i| dense(mass.row(i), &coordinates)).collect();
        all.extend(&force);
        for row in &active {
            all.extend(dense(&row.a, &coordinates));
            all.push(row.b);
        }
        // Written with the zeros of the parameters: what is printed shows them no more.
        let zero = |symbol: Symbol| match symbol {
            Symbol::Parameter(i) if probe.parameter(i as usize) == 0.0 => Some(Id::ZERO),
            _ => None,
        };
        let all = graph.substitute(&all, zero);
        let rows = all[n * n + n..].chunks(n + 1).map(|row| (row[..n].to_vec(), row[n])).collect();
        let mut search = Self {
            probe,
            coordinates,
            n,
            total,
            open,
            mass: all[..n * n].to_vec(),
            force: all[n * n..n * n + n].to_vec(),
            reacting,
            rows,
            reaching: Vec::new(),
            known: Vec::new(),
            hidden: Hidden::default(),
            graph,
        };
        let equations: Vec<(ConstraintKind, Id)> =
            active.iter().filter_map(|row| Some((row.kind, row.position.or(row.velocity)?))).collect();
        for (kind, equation) in equations {
            search.learn(kind, equation);
        }
        search
    }

    /// What was found, with directions over all coordinates of the model.
    fn finish(mut self) -> Hidden {
        let total = self.total;
        let widen = |direction: &mut Vec<Id>| {
            let mut wide = vec![Id::ZERO; total];
            self.coordinates.iter().zip(direction.iter()).for_each(|(&i, &entry)| wide[i] = entry);
            *direction = wide;
        };
        self.hidden.found.iter_mut().map(|found| &mut found.direction).for_each(widen);
        self.hidden.free.iter_mut().for_each(widen);
        self.hidden.contradiction.iter_mut().map(|found| &mut found.direction).for_each(widen);
        self.hidden
    }

    /// Until nothing new comes.
    fn run(&mut self) -> Result<(), TooLarge> {
        let mut tried: Vec<Id> = Vec::new();
        // Every round either determines a direction or ends one.
        for _ in 0..=self.n {
            let directions = self.directions()?;
            let mut progress = false;
            self.hidden.free = directions.clone();
            for direction in directions {
                if direction.iter().zip(&self.reacting).any(|(&w, &reacts)| reacts && w != Id::ZERO) {
                    self.hidden.unsettled = Some(Unsettled::DependsOnReactions);
                    continue;
                }
                let force = self.force.clone();
                let balance = dot(self.graph, &direction, &force);
                let balance = self.short(balance);
                if !tried.contains(&balance) {
                    tried.push(balance);
                    progress |= self.follow(&direction, balance)?;
                }
                if self.hidden.contradiction.is_some() {
                    return Ok(());
                }
                if progress {
                    break; // the other directions may have changed
                }
            }
            if !progress {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Follows a balance until one of its derivatives determines a direction: whether one did.
    fn follow(&mut self, direction: &[Id], balance: Id) -> Result<bool, TooLarge> {
        let mut equation = balance;
        for round in 1..=self.n + 1 {
            if self.graph.reachable(&[equation]).len() > LONGEST {
                return Err(TooLarge);
            }
            if self.is_known(equation) {
                return Ok(false);
            }
            let state = Depends::POSITION | Depends::VELOCITY;
            if super::probe::without(self.graph, &self.probe, equation, state).is_some() {
                let contradiction = UnbalancedForce { direction: direction.to_vec(), balance: equation, round };
                self.hidden.contradiction = Some(contradiction);
                return Ok(false);
            }
            let plain = self.plainly(equation);
            let Ok(mut row) = row(self.graph, &self.probe, plain) else { return Ok(false) };
            let (left, right) = sides(self.graph, plain);
            row.name = format!("hidden.{}", self.hidden.found.len() + 1);
            let entry = HiddenRow {
                name: row.name.clone(),
                equation: plain,
                left,
                right,
                direction: direction.to_vec(),
                round,
                row: row.clone(),
            };
            self.hidden.found.push(entry);
            self.learn(row.kind, plain);
            let a = dense(&row.a, &self.coordinates);
            let reached = self.directions()?.iter().any(|w| {
                let along = dot(self.graph, &a, w);
                !self.probe.is_zero(self.graph, along)
            });
            if reached {
                self.reaching.push((a, row.b));
                return Ok(true);
            }
            // A q̈ − b, with the accelerations that the equations of motion give.
            let Some(value) = self.accelerations()?.value_of(self.graph, &self.probe, &a, self.n + self.rows.len())
            else {
                return Ok(false);
            };
            let next = self.graph.subtract(value, row.b);
            equation = self.short(next);
        }
        self.hidden.unsettled = Some(Unsettled::TooManyRounds);
        Ok(false)
    }

    /// Directions w over all coordinates with M w = 0, A w = 0 and H w = 0.
    fn directions(&mut self) -> Result<Vec<Vec<Id>>, TooLarge> {
        let n = self.n;
        let narrow = |row: &[Id]| -> Vec<Id> { self.open.iter().map(|&i| row[i]).collect() };
        let mut rows: Vec<Vec<Id>> = self.open.iter().map(|&i| narrow(&self.mass[i * n..(i + 1) * n])).collect();
        rows.extend(self.rows.iter().chain(&self.reaching).map(|(a, _)| narrow(a)));
        let echelon = Echelon::new(self.graph, &self.probe, rows, self.open.len())?;
        let vectors = echelon.null_vectors(self.graph);
        let widen = |vector: Vec<Id>| {
            let mut wide = vec![Id::ZERO; n];
            self.open.iter().zip(vector).for_each(|(&i, entry)| wide[i] = entry);
            wide
        };
        Ok(vectors.into_iter().map(widen).collect())
    }

    /// `M q̈ − Aᵀλ = Q + C`, `A q̈ = b`, `H q̈ = b_h`, reduced. Hidden rows exert no force.
    fn accelerations(&mut self) -> Result<Echelon, TooLarge> {
        let (n, m) = (self.n, self.rows.len());
        let mut rows = Vec::with_capacity(n + m + self.reaching.len());
        for i in 0..n {
            let mut row = self.mass[i * n..(i + 1) * n].to_vec();
            row.extend(self.rows.iter().map(|(a, _)| self.graph.negate(a[i])).collect::<Vec<_>>());
            row.push(self.force[i]);
            rows.push(row);
        }
        for (a, b) in self.rows.iter().chain(&self.reaching) {
            let mut row = a.clone();
            row.resize(n + m, Id::ZERO);
            row.push(*b);
            rows.push(row);
        }
        Echelon::new(self.graph, &self.probe, rows, n + m)
    }

    /// Remembers what an equation says about a symbol that it is linear in.
    fn learn(&mut self, kind: ConstraintKind, equation: Id) {
        let wanted = |symbol: &Symbol| match symbol {
            Symbol::Position(_) => kind == ConstraintKind::Holonomic,
            Symbol::Velocity(_) => kind == ConstraintKind::Velocity,
            _ => false,
        };
        let equation = self.with_known(equation);
        for symbol in self.graph.symbols(&[equation]).into_iter().filter(wanted) {
            let slope = self.graph.partial(equation, symbol);
            let slope = self.short(slope);
            if !self.graph.depends(slope).is_fixed() || self.probe.is_zero(self.graph, slope) {
                continue;
            }
            let rest = self.graph.substitute(&[equation], |s| (s == symbol).then_some(Id::ZERO))[0];
            let value = self.graph.product(Number::MINUS_ONE, &[(rest, 1), (slope, -1)]);
            let value = self.short(value);
            self.known.push((symbol, value));
            if let Symbol::Position(i) = symbol {
                let rate = self.graph.rate(&[value])[0];
                self.known.push((Symbol::Velocity(i), rate));
            }
            return;
        }
    }

    fn with_known(&mut self, mut equation: Id) -> Id {
        for index in 0..self.known.len() {
            let (symbol, value) = self.known[index];
            equation = self.graph.substitute(&[equation], |s| (s == symbol).then_some(value))[0];
        }
        equation
    }

    /// Whether an equation holds already, wherever the others do.
    fn is_known(&mut self, equation: Id) -> bool {
        let rest = self.with_known(equation);
        self.probe.is_zero(self.graph, rest)
    }

    fn short(&mut self, expression: Id) -> Id {
        self.graph.simplify(expression, 400)
    }

    /// `k^2*x/m = 0` says no more than `k*x = 0`.
    fn plainly(&mut self, equation: Id) -> Id {
        let Node::Product { factors, .. } = self.graph.node(equation) else { return equation };
        let above = factors.iter().filter(|&&(_, exponent)| exponent > 0);
        let above: Vec<(Id, i32)> = above.map(|&(factor, _)| (factor, 1)).collect();
        self.graph.product(Number::ONE, &above)
    }
}

/// A row over some coordinates.
fn dense(entries: &[(usize, Id)], coordinates: &[usize]) -> Vec<Id> {
    let mut row = vec![Id::ZERO; coordinates.len()];
    for &(i, entry) in entries {
        if let Ok(place) = coordinates.binary_search(&i) {
            row[place] = entry;
        }
    }
    row
}
