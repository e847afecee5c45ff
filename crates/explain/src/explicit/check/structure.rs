//! Which rows repeat which, what contradicts what, and free directions that were settled, at the states of the kernel.

use super::{NUDGE, OWN, TOLERANCE, largest};
use crate::explicit::sample::{Ground, lookup, point};
use crate::explicit::solution::{Mismatch, Place, Solution};
use crate::explicit::system::System;
use holonom_simulate::start::Sample;
use holonom_symbols::expr::Id;

/// Something that vanishes at every admissible state: a combination of vectors of numbers with coefficients in symbols.
struct Vanishing {
    what: &'static str,
    coefficients: Vec<Id>,
    /// Rows of A with each coefficient, or nothing where the coefficients are a vector along which M and A vanish.
    rows: Option<Vec<usize>>,
}

/// Holds what is said about rows and free directions against the numbers of all samples.
pub(super) fn check_structure(solution: &mut Solution, system: &System, ground: &Ground) -> Result<(), Box<Mismatch>> {
    let mut all: Vec<Vanishing> = Vec::new();
    for dependent in &solution.dependent {
        let (mut rows, mut coefficients) = (vec![dependent.row], vec![solution.graph.integer(-1)]);
        rows.extend(dependent.combination.iter().map(|(row, _)| *row));
        coefficients.extend(dependent.combination.iter().map(|(_, id)| *id));
        all.push(Vanishing { what: "row that repeats others", coefficients, rows: Some(rows) });
    }
    for contradiction in solution.contradictions.iter().filter(|c| !c.rows.is_empty()) {
        let (rows, coefficients) = contradiction.rows.iter().copied().unzip();
        all.push(Vanishing { what: "contradiction", coefficients, rows: Some(rows) });
    }
    if let Some(settled) = &solution.settled {
        let difference = settled.iter().zip(&solution.acceleration).map(|(&a, &b)| solution.graph.subtract(a, b));
        all.push(Vanishing { what: "settled direction", coefficients: difference.collect(), rows: None });
    }
    for vanishing in &mut all {
        vanishing.coefficients = solution.expanded(&vanishing.coefficients);
    }
    let values = |solution: &Solution, vanishing: &Vanishing, sample: &Sample| {
        let at = point(sample);
        solution.graph.evaluate(&vanishing.coefficients, |symbol| lookup(&at, symbol))
    };
    for sample in ground.start.iter().chain(&ground.samples).filter(|sample| ground.is_generic(sample)) {
        for vanishing in &all {
            let coefficients = values(solution, vanishing, sample);
            if !coefficients.iter().all(|value| value.is_finite()) {
                continue;
            }
            let sums = sums(vanishing, &coefficients, system, sample);
            let Some(which) = sums.iter().position(|(sum, scale)| sum.abs() > TOLERANCE * scale) else { continue };
            let (left, scale) = sums[which];
            let beside = ground.sampler.beside(sample, NUDGE);
            if !beside.iter().all(|beside| ground.is_generic(beside)) {
                continue; // ranks hang on the last digits
            }
            let change = beside.iter().map(|beside| {
                let coefficients = values(solution, vanishing, beside);
                (self::sums(vanishing, &coefficients, system, beside)[which].0 - left).abs()
            });
            if left.abs() > TOLERANCE * scale + OWN * change.fold(0.0, f64::max) {
                return Err(Box::new(Mismatch::at(Place::new(sample), vanishing.what, 0, left, 0.0)));
            }
        }
    }
    Ok(())
}

/// The sums that should vanish, each with the size of its terms.
fn sums(vanishing: &Vanishing, values: &[f64], system: &System, sample: &Sample) -> Vec<(f64, f64)> {
    let n = system.n.max(1);
    match &vanishing.rows {
        None => {
            let rows = sample.mass.chunks(n).chain(sample.a.chunks(n));
            let sum = |row: &[f64]| row.iter().zip(values).map(|(entry, value)| entry * value).sum();
            rows.map(|row| (sum(row), largest(row) * largest(values))).collect()
        }
        Some(rows) => {
            let place = |row: &usize| system.rows.iter().position(|known| known == row);
            let rows: Vec<&[f64]> = rows.iter().filter_map(place).map(|at| &sample.a[at * n..(at + 1) * n]).collect();
            let scale: f64 = rows.iter().zip(values).map(|(row, value)| largest(row) * value.abs()).sum();
            let sum = |column: usize| rows.iter().zip(values).map(|(row, value)| row[column] * value).sum();
            (0..system.n).map(|column| (sum(column), scale)).collect()
        }
    }
}
