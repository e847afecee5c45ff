//! Systems whose dependencies hold only up to rounding: real numbers, multiplied and added in f64.
//!
//! What is true of them is known from how they were made. Their answer is defined only as well as the
//! rounding of the data allows, so their scales are moderate.

use crate::generate::{dot, gap, size};
use crate::mass::gram;
use crate::system::{Arrays, Facts, System};
use holonom_random::Random;

/// A matrix below this gap would spoil the facts: is the rank what was intended?
const CLEAR: f64 = 1e-4;

pub(crate) fn rounded(seed: u64, random: &mut Random) -> System {
    let (n, m) = size(random);
    let mut families = vec!["rounded"];
    // A = X Y with rank k, rows of different length.
    let (mut k, mut rows) = (0, Vec::new());
    for _ in 0..100 {
        k = random.between(0, m.min(n));
        let Y: Vec<Vec<f64>> = (0..k).map(|_| random.reals(n)).collect();
        let combined = |random: &mut Random| {
            let (x, scale) = (random.reals(k), 10f64.powf(3.0 * random.real()));
            (0..n).map(|j| scale * Y.iter().zip(&x).map(|(y, x)| y[j] * x).sum::<f64>()).collect()
        };
        rows = (0..m).map(|_| combined(random)).collect::<Vec<Vec<f64>>>();
        if gap(&rows, k) > CLEAR {
            break;
        }
    }
    // M = JᵀDJ of rank r, or made definite.
    let singular = n > 1 && random.chance(1, 2);
    let (mut r, mut M, mut J) = (n, Vec::new(), Vec::new());
    for _ in 0..100 {
        r = if singular { random.between(0, n - 1) } else { n };
        J = (0..r).map(|_| random.reals(n)).collect::<Vec<_>>();
        let D: Vec<f64> = (0..r).map(|_| 10f64.powf(random.real())).collect();
        M = gram(&J, &D, n);
        if !singular {
            (0..n).for_each(|j| M[j * n + j] += 1.0);
            break;
        }
        let stacked: Vec<Vec<f64>> = J.iter().chain(&rows).cloned().collect();
        if gap(&J, r) > CLEAR.sqrt() && gap(&stacked, n.min(r + k)) > CLEAR.sqrt() {
            break;
        }
    }
    families.push(if singular { "mass-gram" } else { "mass-definite" });
    let clear = gap(&rows, k) > CLEAR
        && (!singular || {
            let stacked: Vec<Vec<f64>> = J.iter().chain(&rows).cloned().collect();
            gap(&J, r) > CLEAR.sqrt() && gap(&stacked, n.min(r + k)) > CLEAR.sqrt()
        });
    let contradicted = k < m && random.chance(1, 3);
    let x = random.reals(n);
    let b: Vec<f64> = rows.iter().map(|row| dot(row, &x)).collect();
    let length = |row: &[f64]| dot(row, row).sqrt();
    let b = if contradicted {
        families.push("contradicted");
        rows.iter().zip(b).map(|(row, b)| b + length(row).max(0.5) * random.real()).collect()
    } else {
        b
    };
    let rank = n.min(r + k);
    let balanced = rank == n || random.chance(2, 3);
    let carried = |random: &mut Random| -> Vec<f64> {
        let (x, y) = (random.reals(n), random.reals(m));
        (0..n)
            .map(|j| dot(&M[j * n..(j + 1) * n], &x) + rows.iter().zip(&y).map(|(row, y)| row[j] * y).sum::<f64>())
            .collect()
    };
    let Q = if balanced && rank < n { carried(random) } else { random.reals(n) };
    let C = if random.chance(1, 3) { None } else { Some(if rank < n { carried(random) } else { random.reals(n) }) };
    let arrays = Arrays { M, Q, A: rows.concat(), b, C };
    let known = |fact| clear.then_some(fact);
    let facts = Facts {
        rank_A: known(k),
        rank_Mhat: known(rank),
        mass_rank: known(r),
        consistent: clear.then_some(!contradicted),
        balanced: clear.then_some(balanced),
        // Free directions of random matrices reach every coordinate.
        undetermined: if rank == n { clear.then(Vec::new) } else { None },
    };
    System { seed, families, arrays, facts, exact: false, units: vec![1.0; n] }
}
