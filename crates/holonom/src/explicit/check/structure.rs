//! Which rows repeat which, what contradicts what, and free directions that were settled, at the states of the kernel.

use super::{TOLERANCE, largest};
use crate::analysis::Sample;
use crate::explicit::sample::{Ground, lookup, point};
use crate::explicit::solution::{Mismatch, Place, Solution};
use crate::explicit::system::System;
use crate::expr::Id;

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
    for sample in ground.start.iter().chain(&ground.samples).filter(|sample| ground.is_generic(sample)) {
        let at = point(sample);
        for vanishing in &all {
            let values = solution.graph.evaluate(&vanishing.coefficients, |symbol| lookup(&at, symbol));
            if values.iter().all(|value| value.is_finite())
                && let Some(left) = left_over(vanishing, &values, system, sample)
            {
                return Err(Box::new(Mismatch::at(Place::new(sample), vanishing.what, 0, left, 0.0)));
            }
        }
    }
    Ok(())
}

/// What is left where nothing should be.
fn left_over(vanishing: &Vanishing, values: &[f64], system: &System, sample: &Sample) -> Option<f64> {
    let n = system.n.max(1);
    let wrong = |sum: f64, scale: f64| (sum.abs() > TOLERANCE * scale).then_some(sum);
    match &vanishing.rows {
        None => {
            let mut rows = sample.mass.chunks(n).chain(sample.a.chunks(n));
            rows.find_map(|row| {
                let sum: f64 = row.iter().zip(values).map(|(entry, value)| entry * value).sum();
                wrong(sum, largest(row) * largest(values))
            })
        }
        Some(rows) => {
            let place = |row: &usize| system.rows.iter().position(|known| known == row);
            let rows: Vec<&[f64]> = rows.iter().filter_map(place).map(|at| &sample.a[at * n..(at + 1) * n]).collect();
            let scale: f64 = rows.iter().zip(values).map(|(row, value)| largest(row) * value.abs()).sum();
            (0..system.n)
                .find_map(|column| wrong(rows.iter().zip(values).map(|(row, value)| row[column] * value).sum(), scale))
        }
    }
}
