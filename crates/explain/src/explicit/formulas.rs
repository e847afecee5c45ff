//! From a system to its formulas, and from these to where they belong in a solution.

use super::arithmetic::{Arithmetic, Calculator, Entry};
use super::constraints::Constraints;
use super::friction::Columns;
use super::motion::{self, Route, motion};
use super::sample::Ground;
use super::solution::{Contradiction, Dependent, Free, Intermediate, Solution, Unknown};
use super::system::System;
use super::{eliminate, special, stem};
use holonom_mechanics::derive::Equations;
use holonom_symbols::algebra::{Exhausted, measure};
use holonom_symbols::expr::{Graph, Id, Limit, Symbol, Test};

/// Everything as expressions of the graph; rows are counted among those in force.
pub(super) struct Formulas {
    acceleration: Vec<Id>,
    ideal: Vec<Id>,
    nonideal: Vec<Id>,
    given: Vec<Id>,
    multipliers: Vec<Id>,
    reactions: Vec<Id>,
    free: Vec<Vec<Id>>,
    dependent: Vec<(usize, Vec<Id>, bool)>,
    gaps: Vec<(usize, Id)>,
    unbalanced: Vec<(usize, Id)>,
    open: Vec<(usize, Id)>,
    kept: Vec<usize>,
    /// Factors of the determinant that contain parameters alone.
    special: Vec<Id>,
    through_accelerations: bool,
    settled: Option<Vec<Id>>,
}

/// The formulas, in any arithmetic. Nothing if there is no unique answer.
pub(super) fn formulas<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    ground: &Ground,
    system: &System,
    route: Route,
    limit: u64,
) -> Result<Option<Formulas>, Exhausted> {
    let kept = ground.independent();
    let way = (ground.ranks, route);
    let Some(constraints) = Constraints::new(calculator, system.n, &system.a, &system.b, &kept)? else {
        return Ok(None);
    };
    let slips = slips(calculator, &constraints, system)?;
    let mut extra = Vec::new();
    if !system.of_multipliers.is_empty() {
        // C hangs on ideal multipliers: these come first, and do not hang on C.
        let columns = [(motion::Weight::Impressed, system.force.clone())];
        let Some(ideal) = motion(calculator, &constraints, &system.mass, &columns, way)? else {
            return Ok(None);
        };
        let written = calculator.write(&ideal.multipliers)?;
        let graph = calculator.inner.graph();
        for &(j, id) in &system.of_multipliers {
            let value = graph.substitute(&[id], |symbol| match symbol {
                Symbol::Multiplier(row) => system.place(row as usize).map(|place| written[place]),
                _ => None,
            });
            extra.push((j, value[0]));
        }
    }
    let columns = Columns::new(&mut calculator.inner, system, &slips, &extra);
    let answer = motion(calculator, &constraints, &system.mass, &columns.columns, way)?;
    let Some(answer) = answer else { return Ok(None) };
    let mut dependent = Vec::new();
    for row in (0..system.rows.len()).filter(|row| !kept.contains(row)) {
        let everywhere = constraints.holds_everywhere(calculator, row)?;
        dependent.push((row, calculator.write(&constraints.depend[row])?, everywhere));
    }
    let one = |calculator: &mut Calculator<A>, list: &[(usize, Entry<A::Value>)]| {
        let one =
            |(which, entry): &(usize, Entry<A::Value>)| Ok((*which, calculator.write(std::slice::from_ref(entry))?[0]));
        list.iter().map(one).collect::<Result<Vec<(usize, Id)>, Exhausted>>()
    };
    let mut gaps = one(calculator, &constraints.gaps)?;
    gaps.extend(earlier_gaps(calculator, &constraints, system, ground)?);
    let unbalanced = one(calculator, &answer.unbalanced)?;
    let free = answer.free.iter().map(|direction| calculator.write(direction)).collect::<Result<_, _>>()?;
    let acceleration = calculator.write(&answer.acceleration)?;
    let mut ideal = calculator.write(&answer.ideal)?;
    let mut multipliers = calculator.write(&answer.multipliers)?;
    let given = calculator.write(&answer.given)?;
    let mut through_accelerations = false;
    let reactions = if given.iter().all(|&id| id == Id::ZERO) {
        let longest = |calculator: &mut Calculator<A>, lists: &[&[Id]]| {
            let graph = calculator.inner.graph();
            lists.iter().copied().flatten().map(|&id| measure(graph, id)).max().unwrap_or(0)
        };
        let before = longest(calculator, &[&ideal, &multipliers]);
        if before > limit && longest(calculator, &[&acceleration]) <= limit {
            // Too long, but short once the accelerations are known.
            let (force, load) = through(calculator, &constraints, system, &answer)?;
            if longest(calculator, &[&force, &load]) < before {
                (ideal, multipliers, through_accelerations) = (force, load, true);
            }
        }
        multipliers.clone()
    } else {
        calculator.write(&answer.reactions)?
    };
    let settled = settle(calculator, &answer, &acceleration, &system.free)?;
    Ok(Some(Formulas {
        acceleration,
        ideal,
        nonideal: calculator.write(&answer.nonideal)?,
        given,
        multipliers,
        reactions,
        through_accelerations,
        settled,
        free,
        dependent,
        gaps,
        unbalanced,
        open: columns.open,
        kept,
        special: calculator.inner.fixed_factors(&answer.determinant.value)?,
    }))
}

/// Rows whose positions or velocities contradict those that they repeat, though their accelerations do not: (row, what would
/// have to be zero).
///
/// A combination of gradients that vanishes with constant coefficients is the gradient of something that depends on time
/// alone; so is one of velocity equations, whatever its coefficients, if nothing else is left in it.
fn earlier_gaps<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    constraints: &Constraints<A::Value>,
    system: &System,
    ground: &Ground,
) -> Result<Vec<(usize, Id)>, Exhausted> {
    let mut found = Vec::new();
    // Parameters beyond those of the model are names for what may depend on the state.
    let parameters = ground.sampler.parameters().len();
    let given = |symbol: Symbol| matches!(symbol, Symbol::Parameter(i) if (i as usize) < parameters);
    let contradicts = |row: usize| constraints.gaps.iter().any(|(known, _)| *known == row);
    for row in (0..system.rows.len()).filter(|row| !constraints.kept.contains(row) && !contradicts(*row)) {
        let coefficients = calculator.write(&constraints.depend[row])?;
        let fixed = calculator.inner.graph().symbols(&coefficients).into_iter().all(given);
        // Velocities beside the drift cancel where equations are linear in them.
        for (level, usable) in [(&system.positions, fixed), (&system.drift, true), (&system.velocities, fixed)] {
            let gap = if usable { gap(calculator, constraints, row, level)? } else { None };
            // What depends on the state is met by some of them; what does not, by none.
            if let Some(gap) = gap
                && calculator.inner.graph().symbols(&[gap]).into_iter().all(|s| s == Symbol::Time || given(s))
            {
                found.push((row, gap));
                break;
            }
        }
    }
    Ok(found)
}

/// What is left of the equations of one level when a row is taken with those that it repeats; nothing where nothing is, or
/// where one of them has no such equation.
fn gap<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    constraints: &Constraints<A::Value>,
    row: usize,
    level: &[Option<Id>],
) -> Result<Option<Id>, Exhausted> {
    let Some(own) = level[row] else { return Ok(None) };
    let mut sum = calculator.read(&[own])?.remove(0);
    for (&kept, coefficient) in constraints.kept.iter().zip(&constraints.depend[row]) {
        if calculator.is_zero(coefficient) {
            continue;
        }
        let Some(other) = level[kept] else { return Ok(None) };
        let other = calculator.read(&[other])?.remove(0);
        let part = calculator.multiply(coefficient, &other)?;
        sum = calculator.subtract(&sum, &part)?;
    }
    Ok(if sum.vanishes() { None } else { Some(calculator.write(&[sum])?[0]) })
}

/// Qᵢ = M q̈ − Q and its multipliers in terms of the accelerations, for ideal constraints. Zeros stay zeros.
fn through<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    constraints: &Constraints<A::Value>,
    system: &System,
    answer: &motion::Answer<A::Value>,
) -> Result<(Vec<Id>, Vec<Id>), Exhausted> {
    let graph = calculator.inner.graph();
    let symbols: Vec<Id> = (0..system.n).map(|j| graph.symbol(Symbol::Acceleration(j as u32))).collect();
    let acceleration = calculator.read(&symbols)?;
    let force = calculator.read(&system.force)?;
    let mut ideal = Vec::with_capacity(system.n);
    for (row, force) in system.mass.iter().zip(&force) {
        let row = calculator.read(row)?;
        let inertia = calculator.product(&row, &acceleration)?;
        ideal.push(calculator.subtract(&inertia, force)?);
    }
    let mut multipliers = constraints.multipliers(calculator, &ideal)?;
    for (list, known) in [(&mut ideal, &answer.ideal), (&mut multipliers, &answer.multipliers)] {
        for (entry, known) in list.iter_mut().zip(known) {
            if calculator.is_zero(known) {
                *entry = calculator.zero();
            }
        }
    }
    Ok((calculator.write(&ideal)?, calculator.write(&multipliers)?))
}

/// q̈ with the free directions as `free x'' = …` wants them; nothing where that leaves any of them open.
fn settle<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    answer: &motion::Answer<A::Value>,
    written: &[Id],
    statements: &[(usize, Id)],
) -> Result<Option<Vec<Id>>, Exhausted> {
    if answer.free.is_empty() || statements.len() != answer.free.len() {
        return Ok(None);
    }
    let (mut rows, mut right) = (Vec::new(), Vec::new());
    for &(j, value) in statements {
        let value = calculator.inner.graph().substitute(&[value], |symbol| match symbol {
            Symbol::Acceleration(i) => written.get(i as usize).copied(),
            _ => None,
        });
        let value = calculator.read(&value)?.remove(0);
        rows.push(answer.free.iter().map(|w| w[j].clone()).collect::<Vec<_>>());
        right.push(vec![calculator.subtract(&value, &answer.acceleration[j])?]);
    }
    let Some(eta) = eliminate::solve(calculator, &rows, &right)? else { return Ok(None) };
    let mut settled = Vec::with_capacity(written.len());
    for (j, x) in answer.acceleration.iter().enumerate() {
        let one = calculator.one();
        let mut terms = vec![(x, &one)];
        terms.extend(answer.free.iter().zip(&eta).map(|(w, eta)| (&w[j], &eta[0])));
        settled.push(calculator.dot(&terms)?);
    }
    calculator.write(&settled).map(Some)
}

/// The velocities of slip, with velocities put in that follow from the constraints everywhere: slip has a value and a direction
/// at all states, so nothing that may vanish is divided by.
fn slips<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    constraints: &Constraints<A::Value>,
    system: &System,
) -> Result<Vec<Vec<Id>>, Exhausted> {
    let as_given = || system.sliding.iter().map(|sliding| sliding.slip.clone()).collect();
    let drift: Option<Vec<Id>> = system.drift.iter().copied().collect();
    let (Some(drift), false) = (drift, system.sliding.is_empty() || A::TRUSTS_NUMBERS) else { return Ok(as_given()) };
    let graph = calculator.inner.graph();
    let velocities: Vec<Id> = (0..system.n).map(|j| graph.symbol(Symbol::Velocity(j as u32))).collect();
    let follow = constraints.velocities(calculator, &drift, &velocities)?;
    let written = calculator.write(&follow.iter().map(|(_, entry)| entry.clone()).collect::<Vec<_>>())?;
    let mut slips = Vec::new();
    for sliding in &system.sliding {
        let put = calculator.inner.graph().substitute(&sliding.slip, |symbol| match symbol {
            Symbol::Velocity(j) => follow.iter().position(|(pivot, _)| *pivot == j as usize).map(|at| written[at]),
            _ => None,
        });
        let read = calculator.read(&put)?;
        let short = calculator.shortest(read)?;
        slips.push(calculator.write(&short)?);
    }
    Ok(slips)
}

impl Formulas {
    /// What is to be read: all but how rows depend on each other.
    pub(super) fn all(&self) -> impl Iterator<Item = Id> {
        let lists = [&self.acceleration, &self.ideal, &self.nonideal, &self.multipliers, &self.reactions];
        lists.into_iter().flatten().copied()
    }

    /// With what names stand for put in their place, where everything stays shorter than this; says whether it did.
    pub(super) fn put_in(&mut self, graph: &mut Graph, names: &[Intermediate], short: u64) -> bool {
        let ids: Vec<Id> = self.each().map(|id| *id).collect();
        let value = |symbol: Symbol| names.iter().find(|name| name.symbol == symbol).map(|name| name.value);
        let put = graph.substitute(&ids, value);
        let fits = put.iter().all(|&id| measure(graph, id) <= short);
        if fits {
            self.each().zip(put).for_each(|(id, new)| *id = new);
        }
        fits
    }

    /// All expressions, to be replaced.
    fn each(&mut self) -> impl Iterator<Item = &mut Id> {
        let lists = [&mut self.acceleration, &mut self.ideal, &mut self.nonideal, &mut self.given];
        let more = [&mut self.multipliers, &mut self.reactions, &mut self.special];
        let lists = lists.into_iter().chain(more).chain(&mut self.settled).chain(&mut self.free);
        let lists = lists.chain(self.dependent.iter_mut().map(|(_, coefficients, _)| coefficients));
        let single = self.gaps.iter_mut().chain(&mut self.unbalanced).chain(&mut self.open);
        lists.flatten().chain(single.map(|(_, id)| id))
    }

    /// The definitions that are used, numbered anew: an elimination leaves some that nothing hangs on.
    pub(super) fn with_used(&mut self, graph: &mut Graph, all: Vec<Intermediate>, stem: &str) -> Vec<Intermediate> {
        let Some(first) = all.first().map(|definition| definition.symbol) else { return all };
        let Symbol::Parameter(first) = first else { return all };
        let place = |symbol: Symbol| match symbol {
            Symbol::Parameter(which) => (which as usize).checked_sub(first as usize).filter(|&at| at < all.len()),
            _ => None,
        };
        let mut used = vec![false; all.len()];
        let mut open: Vec<Id> = self.each().map(|id| *id).collect();
        while !open.is_empty() {
            let symbols = graph.symbols(&open);
            open.clear();
            for at in symbols.into_iter().filter_map(place) {
                if !std::mem::replace(&mut used[at], true) {
                    open.push(all[at].value);
                }
            }
        }
        let mut number = vec![None; all.len()];
        for (next, at) in (0..all.len()).filter(|&at| used[at]).enumerate() {
            number[at] = Some(next as u32);
        }
        let symbols: Vec<Option<Id>> =
            number.iter().map(|which| which.map(|which| graph.symbol(Symbol::Parameter(first + which)))).collect();
        let renamed =
            |graph: &mut Graph, ids: &[Id]| graph.substitute(ids, |symbol| place(symbol).and_then(|at| symbols[at]));
        let ids: Vec<Id> = self.each().map(|id| *id).collect();
        let ids = renamed(graph, &ids);
        self.each().zip(ids).for_each(|(id, new)| *id = new);
        let values: Vec<Id> = all.iter().map(|definition| definition.value).collect();
        let values = renamed(graph, &values);
        let kept = number.iter().zip(values).filter_map(|(which, value)| {
            let which = (*which)?;
            let name = format!("{stem}{}", which + 1);
            Some(Intermediate { symbol: Symbol::Parameter(first + which), name, value })
        });
        kept.collect()
    }

    /// Puts everything where it belongs, by row of the equations.
    pub(super) fn put(
        self,
        equations: &Equations,
        system: &System,
        ground: &Ground,
        next: u32,
        solution: &mut Solution,
    ) {
        let spread = |list: &[Id]| {
            let mut all = vec![Id::ZERO; equations.rows.len()];
            system.rows.iter().zip(list).for_each(|(&row, &id)| all[row] = id);
            all
        };
        solution.multipliers = spread(&self.multipliers);
        solution.reactions = spread(&self.reactions);
        solution.independent = self.kept.iter().map(|&k| system.rows[k]).collect();
        let used = |coefficients: &[Id]| -> Vec<(usize, Id)> {
            let all = self.kept.iter().zip(coefficients).map(|(&k, &id)| (system.rows[k], id));
            all.filter(|&(_, id)| id != Id::ZERO).collect()
        };
        for (row, coefficients, everywhere) in &self.dependent {
            let (row, combination) = (system.rows[*row], used(coefficients));
            solution.dependent.push(Dependent { row, combination, everywhere: *everywhere });
        }
        for &(row, must_vanish) in &self.gaps {
            let coefficients = self.dependent.iter().find(|(d, ..)| *d == row).map_or(&[][..], |(_, c, _)| &c[..]);
            let mut rows = vec![(system.rows[row], Id::ONE)];
            for (other, id) in used(coefficients) {
                rows.push((other, solution.graph.negate(id)));
            }
            rows.sort_unstable_by_key(|(row, _)| *row);
            solution.contradictions.push(Contradiction { rows, direction: Vec::new(), must_vanish });
        }
        for &(which, must_vanish) in &self.unbalanced {
            let direction = self.free[which].clone();
            solution.contradictions.push(Contradiction { rows: Vec::new(), direction, must_vanish });
        }
        let many = self.free.len() > 1;
        let stem = stem(&equations.model, &["eta", "zeta", "free"]);
        for (which, direction) in self.free.into_iter().enumerate() {
            let name = if many { format!("{stem}{}", which + 1) } else { stem.to_string() };
            solution.free.push(Free { symbol: Symbol::Parameter(next + which as u32), name, direction });
        }
        let model = &equations.model;
        for (contact, value) in self.open {
            let friction = &model.frictions[equations.frictions[contact].friction];
            let name = format!("N.{}", model.constraints[friction.constraint].name);
            let value = solution.graph.substitute(&[value], |symbol| match symbol {
                Symbol::Reaction(row) => Some(solution.reactions[row as usize]),
                Symbol::Multiplier(row) => Some(solution.multipliers[row as usize]),
                _ => None,
            })[0];
            solution.unknowns.push(Unknown { symbol: Symbol::Normal(contact as u32), name, value });
        }
        for (parameter, replacement) in solution.substituted.clone() {
            let symbol = solution.graph.symbol(Symbol::Parameter(parameter as u32));
            let off = solution.graph.subtract(symbol, replacement);
            let text = "put in, because other values would change the ranks".to_string();
            solution.limits.push(Limit { text, test: Test::Zero(off) });
        }
        for symbol in &solution.signs {
            solution.assumptions.push(format!("{} > 0", model.symbol_name(*symbol)));
        }
        for limit in &system.limits {
            let about = solution.graph.substitute(&limit.test.about(), |symbol| match symbol {
                Symbol::Reaction(row) if !system.open.contains(&(row as usize)) => {
                    Some(solution.reactions[row as usize])
                }
                Symbol::Multiplier(row) => Some(solution.multipliers[row as usize]),
                _ => None,
            });
            solution.limits.push(Limit { text: limit.text.clone(), test: limit.test.with(&about) });
        }
        for &row in &system.open {
            let symbol = Symbol::Reaction(row as u32);
            let name = model.symbol_name(symbol);
            solution.unknowns.push(Unknown { symbol, name, value: solution.reactions[row] });
        }
        (solution.acceleration, solution.ideal) = (self.acceleration, self.ideal);
        (solution.nonideal, solution.given) = (self.nonideal, self.given);
        (solution.through_accelerations, solution.settled) = (self.through_accelerations, self.settled);
        solution.special = special::special(&mut solution.graph, ground, &self.special);
    }
}
