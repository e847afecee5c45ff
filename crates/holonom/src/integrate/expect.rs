//! What the author expects of the motion, held against every recorded state.
//!
//! An equation holds if its sides never differ by more than the tolerance of what they are made of: the largest magnitudes of
//! their terms along the run. So a quantity that passes through zero is measured by its size at other times, and a
//! difference that should vanish by what cancels in it.

use super::outcome::Expectation;
use crate::analysis::{self, Report, words};
use crate::compile::{Fixed, Inputs, Memory, Program, System};
use crate::expr::{FastMap, Function, Graph, Id, Node};
use crate::model::{Diagnostic, Expected};

/// The relative tolerance where none is given.
const WITHIN: f64 = 1e-8;

/// All expectations of a run.
pub(super) struct Expectations {
    program: Program,
    fixed: Fixed,
    memory: Memory,
    claims: Vec<Claim>,
    started: bool,
}

/// One of them.
struct Claim {
    kind: Kind,
    at_start: bool,
    /// Proved by algebra, for all times.
    proved: bool,
    /// Where its values are: left, right and size of each component.
    first: usize,
    components: usize,
    within: f64,
    /// By component: the value at the start, the largest size, and the worst deviation with its time and sides.
    at_first: Vec<f64>,
    size: Vec<f64>,
    worst: Vec<Worst>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Equal,
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
    pub(super) fn new(system: &System, report: &Report) -> Self {
        let equations = system.equations();
        let expects = &equations.model.expects;
        let mut graph = if expects.is_empty() { Graph::new() } else { equations.graph.clone() };
        let mut sizes = FastMap::default();
        let (mut roots, mut claims) = (Vec::new(), Vec::new());
        for (number, expectation) in expects.iter().enumerate() {
            let (kind, pairs): (_, Vec<(Id, Id)>) = match &expectation.claim {
                Expected::Equal(left, right) => {
                    (Kind::Equal, left.iter().copied().zip(right.iter().copied()).collect())
                }
                Expected::Constant(values) => (Kind::Constant, values.iter().map(|&value| (value, Id::ZERO)).collect()),
                Expected::True(condition) => (Kind::True, vec![(*condition, Id::ONE)]),
            };
            let first = roots.len();
            for &(left, right) in &pairs {
                let (a, b) = (magnitude(&mut graph, left, &mut sizes), magnitude(&mut graph, right, &mut sizes));
                let size = graph.call2(Function::Max, a, b);
                roots.extend([left, right, size]);
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
                proved: looked == Some(&analysis::Outcome::Proved),
                first,
                components: pairs.len(),
                within,
                at_first: vec![0.0; pairs.len()],
                size: vec![0.0; pairs.len()],
                worst: vec![Worst { apart: 0.0, time: 0.0, left: 0.0, right: 0.0 }; pairs.len()],
            });
        }
        let program = Program::new(&graph, &roots);
        Self { fixed: program.fixed(system.parameters()), memory: program.memory(), program, claims, started: false }
    }

    /// Parameters have other values.
    pub(super) fn take_parameters(&mut self, system: &System) {
        self.fixed = self.program.fixed(system.parameters());
    }

    /// Looks at a recorded state.
    pub(super) fn look(&mut self, inputs: &Inputs) {
        if self.claims.is_empty() {
            return;
        }
        let values = self.program.evaluate(&self.fixed, inputs, &mut self.memory);
        for claim in &mut self.claims {
            if claim.proved || (claim.at_start && self.started) {
                continue;
            }
            let own = values[claim.first..].chunks_exact(3).take(claim.components);
            for (i, component) in own.enumerate() {
                let (left, mut right, size) = (component[0], component[1], component[2]);
                if claim.kind == Kind::Constant {
                    if !self.started {
                        claim.at_first[i] = left;
                    }
                    right = claim.at_first[i];
                }
                claim.size[i] = claim.size[i].max(size);
                let apart = match claim.kind {
                    Kind::True => f64::from(u8::from(left == 0.0)),
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
    pub(super) fn finish(&self, system: &System, diagnostics: &mut Vec<Diagnostic>) -> Vec<Expectation> {
        let model = &system.equations().model;
        let mut all = Vec::with_capacity(self.claims.len());
        for (claim, expectation) in self.claims.iter().zip(&model.expects) {
            let line = if model.sources.files().is_empty() { 0 } else { model.sources.position(expectation.span).0 };
            let mut report = Expectation { line, holds: true, worst: 0.0, time: 0.0 };
            let mut failed: Option<Worst> = None;
            for (worst, size) in claim.worst.iter().zip(&claim.size) {
                let measure = if claim.kind == Kind::True { 1.0 } else { *size };
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

fn message(claim: &Claim, span: crate::model::Span, report: &Expectation, worst: &Worst) -> Diagnostic {
    let message = Diagnostic::error(
        "expect-failed",
        format!("the motion is not as expected at t = {}", words::number(worst.time)),
    );
    let (left, right) = words::both(worst.left, worst.right);
    match claim.kind {
        Kind::Equal => message.at(span, format!("left is {left}, right is {right}")),
        Kind::Constant => message.at(span, format!("it was {right} at the start, and is {left}")),
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
