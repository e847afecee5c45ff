//! Checks every formula against the kernel. A formula that disagrees is not returned.

mod order;
mod steps;
mod structure;
#[cfg(test)]
mod tests;

pub(crate) use order::check_order;
pub(super) use steps::check_steps;

use super::sample::{Ground, lookup, point};
use super::solution::{FormulaCheck, Mismatch, Place, Solution};
use super::system::System;
use holonom_simulate::start::Sample;
use holonom_symbols::algebra::Budget;
use holonom_symbols::expr::{Graph, Id, Symbol};

/// What formulas may differ by from the kernel, as a part of the largest number among those compared.
///
/// Both round: the kernel to some 1e-13 of what its ranks let through, a formula to what cancels in it. A wrong formula is
/// wrong in the first digits at almost all states.
const TOLERANCE: f64 = 1e-9;
/// States are moved by this part of themselves to see how much rounding may matter there.
const NUDGE: f64 = 1e-12;
/// How many times the change under that is allowed.
const SHARE: f64 = 1e3;

/// How many times the change of the kernel's own answer under that is allowed, where the two differ by more than rounding.
///
/// States meet the constraints to 1e-12. Near a singular configuration that is magnified in what rows that nearly
/// repeat each other carry, while a formula that knows it to be zero says zero.
const OWN: f64 = 30.0;

/// What rounding leaves of a sum that cancels, as a part of its terms: 64 units in the last place.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Whether a sample is one that the formula is made for.
fn admits(graph: &Graph, system: &System, sample: &Sample, at: &[(Symbol, f64)]) -> bool {
    let Some(answer) = &sample.answer else { return false };
    let slides = system.sliding.iter().all(|sliding| answer.sliding[sliding.contact].is_some() || !sliding.hangs());
    slides && graph.evaluate(&system.positive, |symbol| lookup(at, symbol)).iter().all(|x| *x > 0.0)
}

/// A point near another: how much values differ there shows how much rounding may matter.
fn nudged(at: &[(Symbol, f64)]) -> Vec<(Symbol, f64)> {
    let way = |i: usize| if i.is_multiple_of(3) { 1.0 } else { -0.7 };
    at.iter().enumerate().map(|(i, &(symbol, x))| (symbol, x * (1.0 + NUDGE * way(i)))).collect()
}

fn largest(list: &[f64]) -> f64 {
    list.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

/// What rounding leaves where accelerations, and loads of rows of the equations, are zero.
fn rounding(system: &System, sample: &Sample, forces: f64, rows: usize) -> (Vec<f64>, Vec<f64>) {
    let n = system.n;
    let sizes: Vec<f64> = sample.a.chunks(n.max(1)).map(largest).collect();
    let right = sample.b.iter().zip(&sizes).filter(|(_, size)| **size > 0.0).map(|(b, size)| b.abs() / size);
    let right = right.fold(0.0, f64::max);
    let own = |j: usize| if sample.mass[j * (n + 1)] > 0.0 { forces / sample.mass[j * (n + 1)] } else { 0.0 };
    let accelerations = (0..n).map(|j| ROUNDING * own(j).max(right)).collect();
    let mut loads = vec![0.0; rows];
    for (&row, &size) in system.rows.iter().zip(&sizes).filter(|(_, size)| **size > 0.0) {
        loads[row] = ROUNDING * forces / size;
    }
    (accelerations, loads)
}

/// How much the kernel's answers change beside a sample, in the order in which they are compared.
fn changes(ground: &Ground, sample: &Sample, rows: usize) -> Vec<f64> {
    let list = |sample: &Sample| -> Vec<f64> {
        let Some(answer) = &sample.answer else { return Vec::new() };
        let motion = &answer.motion;
        let parts = [&motion.acceleration, &motion.ideal_force, &motion.nonideal_force];
        let loads = [&answer.multipliers[..rows], &answer.reactions[..rows]];
        parts.into_iter().map(|part| &part[..]).chain(loads).flatten().copied().collect()
    };
    let own = list(sample);
    let mut changes = vec![0.0_f64; own.len()];
    for beside in &ground.sampler.beside(sample, NUDGE) {
        if !ground.is_generic(beside) {
            return vec![f64::INFINITY; own.len()]; // ranks hang on the last digits
        }
        for ((change, x), y) in changes.iter_mut().zip(&own).zip(list(beside)) {
            *change = change.max((x - y).abs());
        }
    }
    changes
}

/// Holds a solution against the kernel at all samples; at fewer where time is over, and then nobody is to be given the solution.
pub(super) fn check(
    solution: &mut Solution,
    system: &System,
    ground: &Ground,
    budget: &Budget,
) -> Result<FormulaCheck, Box<Mismatch>> {
    let count = solution.acceleration.len();
    let rows = solution.multipliers.len();
    let mut all = solution.acceleration.clone();
    for list in [&solution.ideal, &solution.nonideal, &solution.multipliers, &solution.reactions] {
        all.extend(list);
    }
    let directions = all.len();
    for free in &solution.free {
        all.extend(&free.direction);
    }
    let all: Vec<Id> = solution.expanded(&all);
    structure::check_structure(solution, system, ground)?;
    let graph = &solution.graph;
    let mut evidence = FormulaCheck::default();
    let mut sets: Vec<&[f64]> = Vec::new();
    let mut undefined = 0;
    'samples: for sample in ground.start.iter().chain(&ground.samples) {
        if budget.go_on().is_err() {
            break;
        }
        let at = point(sample);
        let Some(answer) = &sample.answer else { continue };
        if !admits(graph, system, sample, &at) || !ground.is_generic(sample) {
            continue;
        }
        let values = graph.evaluate(&all, |symbol| lookup(&at, symbol));
        if values.iter().any(|value| !value.is_finite()) {
            // An exceptional state: something that was divided by vanishes there.
            undefined += 1;
            continue;
        }
        let nudged = nudged(&at);
        let moved = graph.evaluate(&all, |symbol| lookup(&nudged, symbol));
        let motion = &answer.motion;
        let forces = largest(&sample.force).max(largest(&motion.ideal_force)).max(largest(&motion.nonideal_force));
        let loads = largest(&answer.multipliers).max(largest(&answer.reactions));
        // (name, component, value, what it may be off by)
        let mut expected: Vec<(&'static str, usize, f64, f64)> = Vec::new();
        let mut add = |name: &'static str, list: &[f64], size: f64, rest: &[f64]| {
            let rest = |i: usize| rest.get(i).copied().unwrap_or(0.0);
            expected.extend(list.iter().enumerate().map(|(i, &x)| (name, i, x, TOLERANCE * size + rest(i))));
        };
        let (rest, load_rest) = rounding(system, sample, forces, rows);
        add("q''", &motion.acceleration, largest(&motion.acceleration), &rest);
        add("Qi", &motion.ideal_force, forces, &[]);
        add("Qni", &motion.nonideal_force, forces, &[]);
        add("multiplier", &answer.multipliers[..rows], loads, &load_rest);
        add("reaction", &answer.reactions[..rows], loads, &load_rest);
        let mut worst = 0.0_f64;
        for (which, ((value, moved), &(quantity, component, kernel, tolerance))) in
            values.iter().zip(&moved).zip(&expected).enumerate()
        {
            let allowed = tolerance + SHARE * (value - moved).abs() + f64::MIN_POSITIVE;
            let off = (value - kernel).abs() / allowed;
            if off.is_nan() || off > 1.0 {
                let change = changes(ground, sample, rows).get(which).copied().unwrap_or(0.0);
                if (value - kernel).abs() <= allowed + OWN * change {
                    // An exceptional state too: the kernel does not know better there.
                    undefined += 1;
                    continue 'samples;
                }
                return Err(Box::new(Mismatch::at(Place::new(sample), quantity, component, *value, kernel)));
            }
            worst = worst.max(off);
        }
        // Free directions: M w = 0 and A w = 0.
        for direction in values[directions..].chunks(count.max(1)) {
            for row in sample.mass.chunks(count.max(1)).chain(sample.a.chunks(count.max(1))) {
                let sum: f64 = row.iter().zip(direction).map(|(a, w)| a * w).sum();
                let scale: f64 = row.iter().zip(direction).map(|(a, w)| (a * w).abs()).sum();
                if sum.abs() > TOLERANCE * scale || sum.is_nan() {
                    return Err(Box::new(Mismatch::at(Place::new(sample), "free direction", 0, sum, 0.0)));
                }
            }
        }
        evidence.worst = evidence.worst.max(worst);
        evidence.states += 1;
        if !sets.contains(&&sample.parameters[..]) {
            sets.push(&sample.parameters);
        }
    }
    evidence.parameters = sets.len();
    evidence.undefined = undefined;
    Ok(evidence)
}
