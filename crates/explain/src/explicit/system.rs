//! The system to be solved: M, Q, A, b and C over the rows in force, with special parameters put in.

use super::sample::{Ground, Replacement};
use holonom_mechanics::derive::{Equations, NonidealTerm, OfLoad};
use holonom_symbols::algebra::{Budget, FunctionField, measure};
use holonom_symbols::expr::{Depends, Function, Graph, Id, Limit, Node, Number, Symbol, Test};
use std::collections::BTreeSet;

/// M, Q, A, b and C as expressions. Rows are counted among those in force.
pub(super) struct System {
    pub(super) n: usize,
    /// Which rows of the equations are in force.
    pub(super) rows: Vec<usize>,
    pub(super) mass: Vec<Vec<Id>>,
    pub(super) force: Vec<Id>,
    pub(super) a: Vec<Vec<Id>>,
    pub(super) b: Vec<Id>,
    /// φ, for holonomic rows.
    pub(super) positions: Vec<Option<Id>>,
    /// φ̇ or ψ, for rows that are given by positions or velocities.
    pub(super) velocities: Vec<Option<Id>>,
    /// What is left of each row's velocity equation at q̇ = 0; nothing where it is not linear in the velocities.
    pub(super) drift: Vec<Option<Id>>,
    /// The part of C that is given outright.
    pub(super) given: Vec<Id>,
    /// Parts of C that are some column times the ideal multiplier of a row.
    pub(super) by_multiplier: Vec<(usize, Vec<Id>)>,
    /// Parts of C that are some column times the total reaction of a row.
    pub(super) by_reaction: Vec<(usize, Vec<Id>)>,
    /// Parts of C that depend on ideal multipliers in another way: (coordinate, expression).
    pub(super) of_multipliers: Vec<(usize, Id)>,
    /// Frictions that slide.
    pub(super) sliding: Vec<Sliding>,
    /// `free x'' = …`: (coordinate, value).
    pub(super) free: Vec<(usize, Id)>,
    /// Total reactions that stay symbols, by row of the equations.
    pub(super) open: Vec<usize>,
    pub(super) assumptions: Vec<String>,
    /// Expressions over the forces of constraints that are taken to be positive.
    pub(super) positive: Vec<Id>,
    /// The assumptions that a state can be tested for.
    pub(super) limits: Vec<Limit>,
}

/// What putting one entry in order may cost.
const ORDER: u64 = 300_000;

impl System {
    /// What formulas may be shortened by: constraints on positions, each with its velocity.
    ///
    /// Those on velocities alone are left out: their formulas are usually written with all velocities in them.
    pub(super) fn relations(&self) -> Vec<(Id, Option<Id>)> {
        self.positions.iter().zip(&self.velocities).filter_map(|(&q, &v)| Some((q?, v))).collect()
    }

    /// Puts M, Q, A and b in order, where they are to stand in formulas as they are; gives the symbols whose sign was used.
    pub(super) fn shorten(&mut self, graph: &mut Graph, positive: &[Symbol], budget: &Budget) -> BTreeSet<Symbol> {
        let mut field = FunctionField::new();
        positive.iter().for_each(|&symbol| field.assume_positive(symbol));
        let mut signs = BTreeSet::new();
        let rows = self.mass.iter_mut().chain(&mut self.a).flatten();
        for id in rows.chain(&mut self.force).chain(&mut self.b) {
            let (written, relied) = field.on_trial(|field| {
                let written = budget.attempt(ORDER, |budget| {
                    let ratio = field.read(graph, *id, budget)?;
                    field.write(graph, &ratio, budget)
                });
                (written, field.relied_on().clone())
            });
            if let Ok(Some(written)) = written
                && measure(graph, written) < measure(graph, *id)
            {
                *id = written;
                signs.extend(relied);
            }
        }
        signs
    }
}

/// A contact that slides: C = −f·Jᵀ slip/|slip| with f = constant + by_normal·N.
pub(super) struct Sliding {
    /// Which friction of the equations.
    pub(super) contact: usize,
    pub(super) slip: Vec<Id>,
    /// ∂slip/∂q̇, by component.
    pub(super) directions: Vec<Vec<Id>>,
    pub(super) law: Law,
    pub(super) normal: Normal,
}

impl Sliding {
    /// Whether it hangs on a normal force, so that it sticks at rest.
    pub(super) fn hangs(&self) -> bool {
        !matches!(self.law, Law::Smooth(_))
    }
}

/// What is left of a product without a factor that is some symbol.
fn over(graph: &mut Graph, product: Id, symbol: Symbol) -> Option<Id> {
    let factor = graph.symbol(symbol);
    let contains = match graph.node(product) {
        Node::Product { factors, .. } => factors.iter().any(|&(one, power)| one == factor && power > 0),
        _ => product == factor,
    };
    contains.then(|| graph.divide(product, factor))
}

/// The magnitude of a friction.
pub(super) enum Law {
    /// A factor, over `Symbol::Slip`, times the slip itself: no direction has to be taken.
    Smooth(Id),
    /// constant + by_normal·N, each over `Symbol::Slip`.
    Linear { constant: Id, by_normal: Id },
    /// Over `Symbol::Slip` and `Symbol::Normal`.
    Other(Id),
}

/// The normal force that a friction hangs on.
pub(super) enum Normal {
    /// Σ coefficient·λ + Σ coefficient·λᵢ + constant, by rows in force, with the sign that it has at the start.
    Linear { reactions: Vec<(usize, Id)>, multipliers: Vec<(usize, Id)>, constant: Id },
    /// A symbol, with the expression over reactions that it equals.
    Open(Id),
}

/// Takes the system out of the equations; all expressions are made in `graph`.
pub(super) fn system(equations: &Equations, ground: &Ground, graph: &mut Graph, set: &[(usize, f64)]) -> System {
    let n = equations.force.len();
    let rows: Vec<usize> = (0..equations.rows.len()).filter(|&i| !equations.rows[i].off).collect();
    let mut replaced: Vec<(usize, Id)> = Vec::new();
    for &(i, replacement) in &ground.substituted {
        let given = equations.model.parameters[i].value;
        let given = (!set.iter().any(|(j, _)| *j == i)).then_some(given);
        replaced.push((i, Replacement::expression(replacement, graph, given)));
    }
    let put = |graph: &mut Graph, ids: &[Id]| -> Vec<Id> {
        if replaced.is_empty() {
            return ids.to_vec();
        }
        graph.substitute(ids, |symbol| match symbol {
            Symbol::Parameter(p) => replaced.iter().find(|(i, _)| *i == p as usize).map(|(_, id)| *id),
            _ => None,
        })
    };
    let mass = put(graph, &equations.mass.dense()).chunks(n.max(1)).map(<[Id]>::to_vec).collect();
    let force = put(graph, &equations.force);
    let (mut a, mut b, mut drift) = (Vec::new(), Vec::new(), Vec::new());
    let (mut positions, mut velocities) = (Vec::new(), Vec::new());
    for &row in &rows {
        let row = &equations.rows[row];
        let mut dense = vec![Id::ZERO; n];
        let entries: Vec<Id> = row.a.iter().map(|&(_, id)| id).collect();
        for (&(j, _), id) in row.a.iter().zip(put(graph, &entries)) {
            dense[j] = id;
        }
        let linear = entries.iter().all(|&id| !graph.depends(id).on(Depends::VELOCITY));
        let rest = row.velocity.filter(|_| linear).map(|velocity| {
            let still = graph.substitute(&[velocity], |s| matches!(s, Symbol::Velocity(_)).then_some(Id::ZERO));
            put(graph, &still)[0]
        });
        a.push(dense);
        b.push(put(graph, &[row.b])[0]);
        drift.push(rest);
        positions.push(row.position.map(|position| put(graph, &[position])[0]));
        velocities.push(row.velocity.map(|velocity| put(graph, &[velocity])[0]));
    }
    let mut system = System {
        n,
        rows,
        mass,
        force,
        a,
        b,
        positions,
        velocities,
        drift,
        given: vec![Id::ZERO; n],
        by_multiplier: Vec::new(),
        by_reaction: Vec::new(),
        of_multipliers: Vec::new(),
        sliding: Vec::new(),
        free: Vec::new(),
        open: Vec::new(),
        assumptions: Vec::new(),
        positive: Vec::new(),
        limits: Vec::new(),
    };
    for direction in &equations.model.free {
        system.free.push((direction.coordinate, put(graph, &[direction.value])[0]));
    }
    system.nonideal(equations, ground, graph, &put);
    system.frictions(equations, ground, graph, &put);
    system.gaps(equations, graph, &put);
    system
}

impl System {
    /// The place of a row of the equations among those in force.
    pub(super) fn place(&self, row: usize) -> Option<usize> {
        self.rows.iter().position(|&r| r == row)
    }

    fn column(list: &mut Vec<(usize, Vec<Id>)>, n: usize, graph: &mut Graph, place: usize, j: usize, id: Id) {
        let at = list.iter().position(|(known, _)| *known == place).unwrap_or_else(|| {
            list.push((place, vec![Id::ZERO; n]));
            list.len() - 1
        });
        list[at].1[j] = graph.add(list[at].1[j], id);
    }

    /// The parts of C that the author wrote out.
    fn nonideal(
        &mut self,
        equations: &Equations,
        ground: &Ground,
        graph: &mut Graph,
        put: &impl Fn(&mut Graph, &[Id]) -> Vec<Id>,
    ) {
        let constraints = &equations.model.constraints;
        let acts = |part: &&NonidealTerm| part.acts(constraints.len(), |c| !constraints[c].off);
        for part in equations.nonideal.iter().filter(acts) {
            for (j, id) in put(graph, &part.force).into_iter().enumerate() {
                self.given[j] = graph.add(self.given[j], id);
            }
            for &(j, row, id) in &part.by_multiplier {
                let (Some(place), id) = (self.place(row), put(graph, &[id])[0]) else { continue };
                Self::column(&mut self.by_multiplier, self.n, graph, place, j, id);
            }
            for &(j, row, id) in &part.by_reaction {
                let (Some(place), id) = (self.place(row), put(graph, &[id])[0]) else { continue };
                Self::column(&mut self.by_reaction, self.n, graph, place, j, id);
            }
            for force in &part.nonlinear {
                let value = put(graph, &[force.value])[0];
                let value = self.without_magnitudes(equations, ground, graph, value);
                let j = force.coordinate;
                match linear_in_reactions(graph, value) {
                    Some((slopes, rest)) => {
                        for (row, id) in slopes {
                            if let Some(place) = self.place(row) {
                                Self::column(&mut self.by_reaction, self.n, graph, place, j, id);
                            }
                        }
                        self.of_multipliers.push((j, rest));
                    }
                    None => {
                        // Reactions stay symbols, each with the equation that gives it.
                        for symbol in graph.symbols(&[value]) {
                            if let Symbol::Reaction(row) = symbol
                                && !self.open.contains(&(row as usize))
                            {
                                self.open.push(row as usize);
                            }
                        }
                        self.of_multipliers.push((j, value));
                    }
                }
            }
        }
    }

    /// |x| and max(x, 0) of forces as ±x, with the sign at the start.
    fn without_magnitudes(&mut self, equations: &Equations, ground: &Ground, graph: &mut Graph, id: Id) -> Id {
        let Some(sample) = ground.start.iter().chain(&ground.samples).find(|sample| sample.answer.is_some()) else {
            return id;
        };
        let point = super::sample::point(sample);
        let mut new: Vec<(Id, Id)> = Vec::new();
        for part in graph.reachable(&[id]) {
            let Node::Call(function, argument, other) = *graph.node(part) else { continue };
            if !graph.depends(part).on(Depends::FORCE) {
                continue;
            }
            let value = graph.evaluate(&[argument], |symbol| super::sample::lookup(&point, symbol))[0];
            let replacement = match function {
                Function::Abs if value != 0.0 => {
                    if value > 0.0 {
                        argument
                    } else {
                        graph.negate(argument)
                    }
                }
                Function::Max if other == Id::ZERO && value > 0.0 => argument,
                _ => continue,
            };
            let name = |symbol: Symbol| equations.model.symbol_name(symbol);
            let style = holonom_symbols::expr::Style::new(holonom_symbols::expr::Notation::Text, &name);
            let sign = if value > 0.0 { ">" } else { "<" };
            self.push_positive(replacement, format!("{} {sign} 0", graph.print(argument, &style)));
            new.push((part, replacement));
        }
        if new.is_empty() { id } else { replace(graph, id, &new) }
    }

    /// A normal force that was given, as it is at the start: negative values count as none.
    fn loaded(&mut self, equations: &Equations, ground: &Ground, graph: &mut Graph, normal: Id) -> Id {
        let samples = ground.start.iter().chain(&ground.samples);
        let Some(sample) = samples.into_iter().find(|sample| sample.answer.is_some()) else { return normal };
        let point = super::sample::point(sample);
        let value = graph.evaluate(&[normal], |symbol| super::sample::lookup(&point, symbol))[0];
        let none = value < 0.0;
        let name = |symbol: Symbol| equations.model.symbol_name(symbol);
        let style = holonom_symbols::expr::Style::new(holonom_symbols::expr::Notation::Text, &name);
        let sign = if none { "<" } else { ">" };
        let positive = if none { graph.negate(normal) } else { normal };
        self.push_positive(positive, format!("{} {sign} 0", graph.print(normal, &style)));
        if none { Id::ZERO } else { normal }
    }

    pub(super) fn assume(&mut self, text: String) {
        if !self.assumptions.contains(&text) {
            self.assumptions.push(text);
        }
    }

    /// Takes something to hold that a state can be tested for.
    fn limit(&mut self, text: String, test: Test) {
        let limit = Limit { text: text.clone(), test };
        if !self.limits.contains(&limit) {
            self.limits.push(limit);
        }
        self.assume(text);
    }

    fn push_positive(&mut self, id: Id, text: String) {
        self.positive.push(id);
        self.limit(text, Test::Positive(id));
    }

    /// One-sided constraints are open.
    fn gaps(&mut self, equations: &Equations, graph: &mut Graph, put: &impl Fn(&mut Graph, &[Id]) -> Vec<Id>) {
        for row in equations.one_sided_rows().map(|row| &equations.rows[row]).filter(|row| row.off) {
            let (Some(gap), Some(rate)) = (row.position, row.velocity) else { continue };
            let both = put(graph, &[gap, rate]);
            self.limit(format!("`{}` is open", row.name), Test::Open { gap: both[0], rate: both[1] });
        }
    }

    /// Frictions, in the form that they have while they slide.
    fn frictions(
        &mut self,
        equations: &Equations,
        ground: &Ground,
        graph: &mut Graph,
        put: &impl Fn(&mut Graph, &[Id]) -> Vec<Id>,
    ) {
        let n = self.n;
        for (which, contact) in equations.frictions.iter().enumerate() {
            let friction = &equations.model.frictions[contact.friction];
            let constraint = &equations.model.constraints[friction.constraint];
            if constraint.off {
                continue;
            }
            let (sliding, slip) = (friction.law.sliding, Symbol::Slip(contact.friction as u32));
            let law = match contact.sliding {
                OfLoad { slope, is_straight: true, .. }
                    if slope == Id::ZERO
                        && let Some(factor) = over(graph, sliding, slip) =>
                {
                    Law::Smooth(put(graph, &[factor])[0])
                }
                OfLoad { value, slope, is_straight: true } => {
                    let both = put(graph, &[value, slope]);
                    Law::Linear { constant: both[0], by_normal: both[1] }
                }
                _ => Law::Other(put(graph, &[sliding])[0]),
            };
            let matters = !matches!(law, Law::Smooth(_));
            let normal = if matters {
                self.normal(equations, ground, graph, put, which)
            } else {
                Normal::Linear { reactions: Vec::new(), multipliers: Vec::new(), constant: Id::ZERO }
            };
            let directions = put(graph, &contact.directions).chunks(n.max(1)).map(<[Id]>::to_vec).collect();
            let slip = put(graph, &contact.slip);
            if matters {
                let test = match slip[..] {
                    [one] => Test::NotZero(one),
                    _ => {
                        let squares: Vec<_> = slip.iter().map(|&s| (Number::ONE, graph.integer_power(s, 2))).collect();
                        Test::Positive(graph.sum(&squares))
                    }
                };
                self.limit(format!("`{}` slides", constraint.name), test);
            }
            self.sliding.push(Sliding { contact: which, slip, directions, law, normal });
        }
    }

    /// The normal force of a contact, linear in reactions where its sign at the start makes it so.
    fn normal(
        &mut self,
        equations: &Equations,
        ground: &Ground,
        graph: &mut Graph,
        put: &impl Fn(&mut Graph, &[Id]) -> Vec<Id>,
        which: usize,
    ) -> Normal {
        use holonom_mechanics::derive::NormalForce;
        let contact = &equations.frictions[which];
        match &contact.normal {
            NormalForce::Magnitude(components) => {
                let mut rows: Vec<usize> = components.iter().flatten().map(|&(row, _)| row).collect();
                rows.sort_unstable();
                rows.dedup();
                let place = |row: usize| self.rows.iter().position(|&r| r == row);
                let start = ground.start.iter().chain(&ground.samples).find_map(|sample| sample.answer.as_ref());
                if let ([row], Some(answer)) = (&rows[..], start)
                    && let Some(at) = place(*row)
                    && answer.reactions[*row] != 0.0
                {
                    // |nλ| = |n||λ|
                    let squares: Vec<_> =
                        components.iter().flatten().map(|&(_, id)| (Number::ONE, graph.integer_power(id, 2))).collect();
                    let square = graph.sum(&squares);
                    let length = graph.call(Function::Sqrt, square);
                    let mut length = put(graph, &[length])[0];
                    let positive = answer.reactions[*row] > 0.0;
                    if !positive {
                        length = graph.negate(length);
                    }
                    let reaction = graph.symbol(Symbol::Reaction(*row as u32));
                    let name = equations.model.row_name(*row);
                    let text = format!("reaction({name}) {} 0", if positive { ">" } else { "<" });
                    self.push_positive(if positive { reaction } else { graph.negate(reaction) }, text);
                    return Normal::Linear {
                        reactions: vec![(at, length)],
                        multipliers: Vec::new(),
                        constant: Id::ZERO,
                    };
                }
                let squares: Vec<_> = components
                    .iter()
                    .map(|component| {
                        let terms: Vec<_> = component
                            .iter()
                            .map(|&(row, id)| {
                                let reaction = graph.symbol(Symbol::Reaction(row as u32));
                                (Number::ONE, graph.multiply(id, reaction))
                            })
                            .collect();
                        let sum = graph.sum(&terms);
                        (Number::ONE, graph.integer_power(sum, 2))
                    })
                    .collect();
                let square = graph.sum(&squares);
                let length = graph.call(Function::Sqrt, square);
                Normal::Open(put(graph, &[length])[0])
            }
            NormalForce::Given(given) => {
                let given = put(graph, &[*given])[0];
                let plain = self.without_magnitudes(equations, ground, graph, given);
                let plain = self.loaded(equations, ground, graph, plain);
                match linear_in_reactions(graph, plain) {
                    Some((slopes, rest)) => {
                        let reactions = slopes.into_iter().filter_map(|(row, id)| Some((self.place(row)?, id)));
                        let reactions = reactions.collect();
                        match linear_in_multipliers(graph, rest) {
                            Some((slopes, constant)) => {
                                let multipliers =
                                    slopes.into_iter().filter_map(|(row, id)| Some((self.place(row)?, id)));
                                Normal::Linear { reactions, multipliers: multipliers.collect(), constant }
                            }
                            None => Normal::Open(given),
                        }
                    }
                    None => Normal::Open(given),
                }
            }
        }
    }
}

type Slopes = (Vec<(usize, Id)>, Id);

fn linear_in_reactions(graph: &mut Graph, id: Id) -> Option<Slopes> {
    linear(graph, id, |symbol| match symbol {
        Symbol::Reaction(row) => Some(row as usize),
        _ => None,
    })
}

fn linear_in_multipliers(graph: &mut Graph, id: Id) -> Option<Slopes> {
    linear(graph, id, |symbol| match symbol {
        Symbol::Multiplier(row) => Some(row as usize),
        _ => None,
    })
}

/// `id` = Σ slope·symbol + rest over the symbols of one kind, if it is linear in them as it is written.
fn linear(graph: &mut Graph, id: Id, of: impl Fn(Symbol) -> Option<usize>) -> Option<Slopes> {
    let symbols: Vec<Symbol> = graph.symbols(&[id]).into_iter().filter(|&s| of(s).is_some()).collect();
    // Functions with steps and pieces have constant slopes too, and are not linear.
    let pieces = graph.reachable(&[id]).into_iter().any(|part| {
        let piece = matches!(
            graph.node(part),
            Node::Call(Function::Abs | Function::Sign | Function::Min | Function::Max, ..)
                | Node::Compare(..)
                | Node::Select(..)
                | Node::Table { .. }
        );
        piece && graph.symbols(&[part]).into_iter().any(|s| of(s).is_some())
    });
    if pieces {
        return None;
    }
    let slopes = graph.gradient(id, &symbols);
    if graph.symbols(&slopes).into_iter().any(|s| of(s).is_some()) {
        return None;
    }
    let rest = graph.substitute(&[id], |s| of(s).map(|_| Id::ZERO))[0];
    Some((symbols.iter().filter_map(|&s| of(s)).zip(slopes).collect(), rest))
}

/// `id` with some of its parts replaced, each part after those inside it.
fn replace(graph: &mut Graph, id: Id, new: &[(Id, Id)]) -> Id {
    // Parts are calls of functions of forces: put a symbol of its own in place of each, then substitute.
    let mut done: Vec<(Id, Id)> = Vec::new();
    for part in graph.reachable(&[id]) {
        let mut result = rebuilt(graph, part, &done);
        if let Some(&(_, replacement)) = new.iter().find(|(old, _)| *old == part) {
            // Its own operands may have been replaced as well.
            result = done.iter().find(|(old, _)| *old == replacement).map_or(replacement, |(_, id)| *id);
        }
        if result != part {
            done.push((part, result));
        }
    }
    done.iter().find(|(old, _)| *old == id).map_or(id, |(_, new)| *new)
}

fn rebuilt(graph: &mut Graph, id: Id, done: &[(Id, Id)]) -> Id {
    let at = |operand: Id| done.iter().find(|(old, _)| *old == operand).map_or(operand, |(_, new)| *new);
    let node = graph.node(id).clone();
    let mut changed = false;
    node.operands(|operand| changed |= at(operand) != operand);
    if !changed {
        return id;
    }
    match node {
        Node::Sum { constant, terms } => {
            let number = graph.number(constant);
            let mut all: Vec<_> = terms.iter().map(|&(c, term)| (c, at(term))).collect();
            all.push((Number::ONE, number));
            graph.sum(&all)
        }
        Node::Product { coefficient, factors } => {
            let factors: Vec<_> = factors.iter().map(|&(factor, e)| (at(factor), e)).collect();
            graph.product(coefficient, &factors)
        }
        Node::Power(base, exponent) => graph.power(at(base), at(exponent)),
        Node::Call(function, a, b) if function.arity() == 2 => graph.call2(function, at(a), at(b)),
        Node::Call(function, a, _) => graph.call(function, at(a)),
        Node::Select(c, a, b) => graph.select(at(c), at(a), at(b)),
        _ => id,
    }
}
