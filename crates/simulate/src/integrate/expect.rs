//! What the author expects of the motion, held against every recorded state.
//!
//! An equation holds if its sides never differ by more than the tolerance of what they are made of: the largest magnitudes of
//! their terms along the run. So a quantity that passes through zero is measured by its size at other times, and a
//! difference that should vanish by what cancels in it. A quantity that should be zero all along has no size of its own: it is
//! measured by what its coordinates are in this motion (`natural`).

use super::mechanics::Mechanics;
use super::outcome::ExpectationResult;
use crate::analysis::{self, Natural, Report, words};
use holonom_language::{Diagnostic, Expected};
use holonom_mechanics::compile::{CompiledSystem, Fixed, Inputs, Memory, Program};
use holonom_symbols::expr::{FastMap, Function, Graph, Id, Node};

/// The relative tolerance where none is given.
const WITHIN: f64 = 1e-8;

/// All expectations of a run.
#[derive(Clone)]
pub(super) struct Expectations {
    /// Left and right of each component.
    sides: Code,
    /// The size of what each component is made of, left and right.
    sizes: Code,
    claims: Vec<Claim>,
    started: bool,
    /// For each coordinate, the first one of its dimension.
    alike: Vec<usize>,
    /// Accelerations, multipliers and reactions as large as the largest of their kind.
    accelerations: Vec<f64>,
    multipliers: Vec<f64>,
    reactions: Vec<f64>,
    /// The largest of them in the motion so far.
    most: Most,
}

/// The largest accelerations, multiplier and reaction of a motion.
#[derive(Clone, Default)]
struct Most {
    accelerations: Vec<f64>,
    multiplier: f64,
    reaction: f64,
}

/// Expressions with the memory to evaluate them in.
#[derive(Clone)]
struct Code {
    program: Program,
    fixed: Fixed,
    memory: Memory,
}

impl Code {
    fn new(system: &CompiledSystem, graph: &Graph, roots: &[Id]) -> Self {
        let program = Program::new(graph, roots);
        Self { fixed: program.fixed(system.parameters()), memory: program.memory(), program }
    }

    fn at(&mut self, inputs: &Inputs) -> &[f64] {
        self.program.evaluate(&self.fixed, inputs, &mut self.memory)
    }
}

/// One of them.
#[derive(Clone)]
struct Claim {
    kind: Kind,
    at_start: bool,
    /// Proved by algebra for all times, or a claim about the start that was found to hold there.
    settled: bool,
    /// The number of its first component among all.
    first: usize,
    components: usize,
    within: f64,
    /// By component: the value at the start, the largest sizes of both sides, and the worst deviation with its time and sides.
    at_first: Vec<f64>,
    size: Vec<[f64; 2]>,
    worst: Vec<Worst>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Equal,
    AtMost,
    Constant,
    True,
}

#[derive(Clone, Copy, Debug)]
struct Worst {
    apart: f64,
    time: f64,
    left: f64,
    right: f64,
}

impl Expectations {
    pub(super) fn new(system: &CompiledSystem, report: &Report) -> Self {
        let equations = system.equations();
        let expects = &equations.model.expects;
        let mut graph = if expects.is_empty() { Graph::new() } else { equations.graph.clone() };
        let mut sizes = FastMap::default();
        let (mut sides, mut measures, mut claims) = (Vec::new(), Vec::new(), Vec::new());
        for (number, expectation) in expects.iter().enumerate() {
            let (kind, pairs): (_, Vec<(Id, Id)>) = match &expectation.claim {
                Expected::Equal(left, right) => {
                    (Kind::Equal, left.iter().copied().zip(right.iter().copied()).collect())
                }
                Expected::AtMost(left, right) => {
                    (Kind::AtMost, left.iter().copied().zip(right.iter().copied()).collect())
                }
                Expected::Constant(values) => (Kind::Constant, values.iter().map(|&value| (value, Id::ZERO)).collect()),
                Expected::True(condition) => (Kind::True, vec![(*condition, Id::ONE)]),
            };
            let first = sides.len() / 2;
            for &(left, right) in &pairs {
                let (a, b) = (magnitude(&mut graph, left, &mut sizes), magnitude(&mut graph, right, &mut sizes));
                sides.extend([left, right]);
                measures.extend([a, b]);
            }
            let within = expectation.within.map_or(WITHIN, |id| {
                let program = Program::new(&graph, &[id]);
                let fixed = program.fixed(system.parameters());
                program.evaluate(&fixed, &Inputs::default(), &mut program.memory())[0].abs()
            });
            let looked = report.expectations.get(number).map(|report| &report.outcome);
            claims.push(Claim {
                kind,
                at_start: expectation.at_start,
                settled: looked == Some(&analysis::ExpectationOutcome::Proved)
                    || (expectation.at_start && looked.is_some_and(|outcome| outcome.stands())),
                first,
                components: pairs.len(),
                within,
                at_first: vec![0.0; pairs.len()],
                size: vec![[0.0; 2]; pairs.len()],
                worst: vec![Worst { apart: 0.0, time: 0.0, left: 0.0, right: 0.0 }; pairs.len()],
            });
        }
        let coordinates = &equations.model.coordinates;
        let same = |j: usize| coordinates.iter().position(|c| c.dimension == coordinates[j].dimension).unwrap_or(j);
        Self {
            sides: Code::new(system, &graph, &sides),
            sizes: Code::new(system, &graph, &measures),
            claims,
            started: false,
            alike: (0..coordinates.len()).map(same).collect(),
            accelerations: vec![0.0; coordinates.len()],
            multipliers: vec![0.0; system.rows()],
            reactions: vec![0.0; system.rows()],
            most: Most { accelerations: vec![0.0; coordinates.len()], ..Most::default() },
        }
    }

    /// Parameters have other values.
    pub(super) fn take_parameters(&mut self, system: &CompiledSystem) {
        for code in [&mut self.sides, &mut self.sizes] {
            code.fixed = code.program.fixed(system.parameters());
        }
    }

    /// Looks at a recorded state.
    pub(super) fn look(&mut self, inputs: &Inputs) {
        if self.claims.is_empty() {
            return;
        }
        // What cancels to rounding is measured by others of its kind, not by what is left of it.
        self.accelerations.fill(0.0);
        for (&kind, a) in self.alike.iter().zip(inputs.acceleration) {
            self.accelerations[kind] = self.accelerations[kind].max(a.abs());
        }
        for j in 0..self.alike.len() {
            self.accelerations[j] = self.accelerations[self.alike[j]];
        }
        let largest = |list: &[f64]| list.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        self.multipliers.fill(largest(inputs.multiplier));
        self.reactions.fill(largest(inputs.reaction));
        for (most, a) in self.most.accelerations.iter_mut().zip(inputs.acceleration) {
            *most = most.max(a.abs());
        }
        self.most.multiplier = self.most.multiplier.max(largest(inputs.multiplier));
        self.most.reaction = self.most.reaction.max(largest(inputs.reaction));
        let sizes = self.sizes.at(&Inputs {
            acceleration: &self.accelerations,
            multiplier: &self.multipliers,
            reaction: &self.reactions,
            ..*inputs
        });
        let sides = self.sides.at(inputs);
        for claim in &mut self.claims {
            if claim.settled || (claim.at_start && self.started) {
                continue;
            }
            let own = claim.first..claim.first + claim.components;
            // Components of a vector are measured alike.
            let size = sides_of(&sizes[2 * own.start..2 * own.end]);
            for (i, component) in sides[2 * own.start..2 * own.end].chunks_exact(2).enumerate() {
                let (left, mut right) = (component[0], component[1]);
                if claim.kind == Kind::Constant {
                    if !self.started {
                        claim.at_first[i] = left;
                    }
                    right = claim.at_first[i];
                }
                claim.size[i] = [claim.size[i][0].max(size[0]), claim.size[i][1].max(size[1])];
                let apart = match claim.kind {
                    Kind::True => f64::from(u8::from(left == 0.0)),
                    Kind::AtMost if left <= right => 0.0,
                    _ => (left - right).abs(),
                };
                // Not a number is as wrong as can be.
                if apart > claim.worst[i].apart || (apart.is_nan() && !claim.worst[i].apart.is_nan()) {
                    claim.worst[i] = Worst { apart, time: inputs.t, left, right };
                }
            }
        }
        self.started = true;
    }

    /// What came of them, with a warning for each that failed.
    pub(super) fn finish(
        &mut self,
        mechanics: &Mechanics,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<ExpectationResult> {
        let mut all = Vec::with_capacity(self.claims.len());
        if self.claims.is_empty() {
            return all;
        }
        let model = &mechanics.system.equations().model;
        let (q, v) = mechanics.sizes.largest().split_at(mechanics.n);
        let (masses, force) = mechanics.masses_and_force();
        let natural = Natural::new(&self.alike, [q, v, &self.most.accelerations], &masses, force);
        self.multipliers.fill(self.most.multiplier);
        self.reactions.fill(self.most.reaction);
        let natural = self.sizes.at(&Inputs {
            q: &natural.positions,
            v: &natural.velocities,
            acceleration: &natural.accelerations,
            multiplier: &self.multipliers,
            reaction: &self.reactions,
            ..Inputs::default()
        });
        for (claim, expectation) in self.claims.iter().zip(&model.expects) {
            let line = if model.sources.files().is_empty() { 0 } else { model.sources.position(expectation.span).0 };
            let mut report = ExpectationResult { line, holds: true, worst: 0.0, time: 0.0 };
            let mut failed: Option<Worst> = None;
            let natural = sides_of(&natural[2 * claim.first..2 * (claim.first + claim.components)]);
            for (worst, size) in claim.worst.iter().zip(&claim.size) {
                let measure = match claim.kind {
                    Kind::True => 1.0,
                    Kind::Constant => size[0],
                    Kind::Equal | Kind::AtMost => analysis::measure(worst.apart, *size, natural),
                };
                let relative = if worst.apart == 0.0 { 0.0 } else { worst.apart / measure };
                if relative > report.worst || relative.is_nan() {
                    (report.worst, report.time) = (relative, worst.time);
                    if relative > claim.within || relative.is_nan() {
                        failed = Some(*worst);
                    }
                }
            }
            if let Some(worst) = failed {
                report.holds = false;
                diagnostics.push(message(claim, expectation.span, &report, &worst));
            }
            all.push(report);
        }
        all
    }
}

/// The largest left and the largest right of pairs.
fn sides_of(pairs: &[f64]) -> [f64; 2] {
    pairs.chunks_exact(2).fold([0.0, 0.0], |largest, pair| [largest[0].max(pair[0]), largest[1].max(pair[1])])
}

fn message(claim: &Claim, span: holonom_language::Span, report: &ExpectationResult, worst: &Worst) -> Diagnostic {
    let message = Diagnostic::error(
        "expect-failed",
        format!("the motion is not as expected at t = {}", words::number(worst.time)),
    );
    let (left, right) = words::both(worst.left, worst.right);
    match claim.kind {
        Kind::Equal => message.at(span, format!("left is {left}, right is {right}")),
        Kind::Constant => message.at(span, format!("it was {right} at the start, and is {left}")),
        Kind::AtMost => message.at(span, format!("this is missed by {}", words::number(worst.apart))),
        Kind::True => return message.at(span, "this does not hold"),
    }
    .note(format!(
        "they differ by {} of their size, and may by {}; `within` sets another tolerance, `run … rtol = …` a finer motion",
        words::number(report.worst),
        words::number(claim.within)
    ))
}

/// The sum of the magnitudes of the terms of an expression.
fn magnitude(graph: &mut Graph, id: Id, known: &mut FastMap<Id, Id>) -> Id {
    for id in graph.reachable(&[id]) {
        if known.contains_key(&id) {
            continue;
        }
        let of = |known: &FastMap<Id, Id>, id: Id| known.get(&id).copied().unwrap_or(Id::ZERO);
        let size = match graph.node(id).clone() {
            Node::Sum { constant, terms } => {
                let mut sum = graph.number(constant.magnitude());
                for &(coefficient, term) in terms.iter() {
                    let size = graph.scale(coefficient.magnitude(), of(known, term));
                    sum = graph.add(sum, size);
                }
                sum
            }
            Node::Product { coefficient, factors } => {
                let mut product = graph.number(coefficient.magnitude());
                for &(factor, exponent) in factors.iter() {
                    let base = if exponent > 0 { of(known, factor) } else { graph.call(Function::Abs, factor) };
                    let power = graph.integer_power(base, exponent);
                    product = graph.multiply(product, power);
                }
                product
            }
            Node::Call(Function::Abs, a, _) => of(known, a),
            Node::Call(Function::Sin | Function::Tan | Function::Tanh, a, _) => {
                let size = of(known, a);
                let size = graph.call2(Function::Min, size, Id::ONE);
                let value = graph.call(Function::Abs, id);
                graph.call2(Function::Max, size, value)
            }
            Node::Select(_, a, b) => {
                let (a, b) = (of(known, a), of(known, b));
                graph.call2(Function::Max, a, b)
            }
            _ => graph.call(Function::Abs, id),
        };
        known.insert(id, size);
    }
    known.get(&id).copied().unwrap_or(id)
}
