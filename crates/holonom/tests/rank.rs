//! Ranks and verdicts where rounding could be taken for a number.

#![allow(non_snake_case)]

#[path = "sparse/systems.rs"]
#[allow(dead_code)]
mod systems;

use holonom::kernel::sparse::{Numeric, Pattern, SparseValues, Symbolic};
use holonom::{Snapshot, Workspace};
use holonom_random::Random;

/// Two coordinates whose columns of M are proportional, and that no row touches: nothing determines how they share.
///
/// M = JᵀJ, rounded: its null vector comes out with rounding in the other coordinates, and rows over these see nothing but
/// that rounding.
#[test]
fn rounding_in_a_null_vector_of_the_mass_is_not_rank() {
    let (mut random, mut workspace) = (Random::new(5), Workspace::new());
    for case in 0..4000 {
        let n = 2 + random.index(8);
        let (i, j) = (random.index(n), random.index(n));
        if i == j {
            continue;
        }
        // Three times as many terms as coordinates: no other direction is nearly without mass.
        let (ratio, p) = (3.0 * random.real(), 3 * n);
        let mut J: Vec<f64> = (0..p * n).map(|_| random.real()).collect();
        (0..p).for_each(|row| J[row * n + j] = ratio * J[row * n + i]);
        let mass = |a: usize, b: usize| (0..p).map(|row| J[row * n + a] * J[row * n + b]).sum::<f64>();
        let M: Vec<f64> = (0..n * n).map(|at| mass((at / n).max(at % n), (at / n).min(at % n))).collect();
        let m = random.index(n);
        let mut A: Vec<f64> = (0..m * n).map(|_| random.real()).collect();
        for row in A.chunks_exact_mut(n) {
            (row[i], row[j]) = (0.0, 0.0);
        }
        let Q: Vec<f64> = (0..n).map(|_| random.real()).collect();
        let motion = workspace.solve(&Snapshot::new(&M, &Q).constrained(&A, &vec![0.0; m])).expect("a system");
        assert!(!motion.is_unique(), "case {case}: n {n}, m {m}, {i} and {j}, {:?}", motion.system_rank);
        let along: Vec<usize> = motion.undetermined().collect();
        assert!(along.contains(&i) && along.contains(&j), "case {case}: {along:?}");
    }
}

/// Rows that disagree by less than counts as a contradiction are met by least squares, so that none is preferred: in any
/// order the motion is the same up to rounding, in both kernels.
#[test]
fn rows_that_nearly_agree_may_come_in_any_order() {
    let (n, mut random) = (4, Random::new(11));
    let places: Vec<(usize, usize)> = (0..n).map(|j| (j, j)).collect();
    for gap in [3e-15, 1e-13, 1e-11, 6e-11] {
        for _ in 0..200 {
            let mass: Vec<f64> = (0..n).map(|_| 1.5 + random.real()).collect();
            let mut M = vec![0.0; n * n];
            (0..n).for_each(|j| M[j * n + j] = mass[j]);
            let Q: Vec<f64> = (0..n).map(|_| random.real()).collect();
            // Three times the same row in other units, and one row of its own.
            let base: Vec<f64> = (0..n).map(|_| random.real()).collect();
            let mut rows: Vec<(Vec<f64>, f64)> = [1.0, -2.0, 0.75]
                .iter()
                .map(|s| (base.iter().map(|a| s * a).collect(), s * (1.0 + gap * random.real())))
                .collect();
            rows.push(((0..n).map(|_| random.real()).collect(), random.real()));
            let mut found: Vec<Vec<f64>> = Vec::new();
            for order in [[0, 1, 2, 3], [2, 0, 3, 1], [3, 1, 2, 0], [1, 3, 0, 2]] {
                let A: Vec<f64> = order.iter().flat_map(|i| rows[*i].0.iter().copied()).collect();
                let b: Vec<f64> = order.iter().map(|i| rows[*i].1).collect();
                let mut workspace = Workspace::new();
                let motion = workspace.solve(&Snapshot::new(&M, &Q).constrained(&A, &b)).expect("a system");
                assert!(motion.consistent && motion.constraint_rank.rank == 2, "{gap:e}");
                found.push(motion.acceleration.clone());
                let all: Vec<usize> = (0..n).collect();
                let pattern = Pattern::new(n, [&all, &all, &all, &all], places.iter().copied()).unwrap();
                let (symbolic, mut numeric) = (Symbolic::new(&pattern).unwrap(), Numeric::new());
                let values = SparseValues { mass: &mass, a: &A };
                numeric.factor(&symbolic, values).expect("a system");
                let (mut x, mut lambda) = (vec![0.0; n], vec![0.0; n]);
                let verdict = numeric.solve(&symbolic, values, &Q, &b, &mut x, &mut lambda);
                assert!(verdict.consistent, "{gap:e}");
                found.push(x);
            }
            let size = found[0].iter().fold(1.0, |m: f64, x| m.max(x.abs()));
            for other in &found {
                let off = found[0].iter().zip(other).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
                assert!(off <= 3e-14 * size, "{gap:e}: {off:e} of {size}");
            }
        }
    }
}
