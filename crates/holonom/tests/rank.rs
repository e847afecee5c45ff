//! Ranks and verdicts where rounding could be taken for a number.

#![allow(non_snake_case)]

#[path = "sparse/systems.rs"]
#[allow(dead_code)]
mod systems;

use holonom::{Snapshot, Workspace};
use systems::Random;

/// Two coordinates whose columns of M are proportional, and that no row touches: nothing determines how they share.
///
/// M = JᵀJ, rounded: its null vector comes out with rounding in the other coordinates, and rows over these see nothing but
/// that rounding.
#[test]
fn rounding_in_a_null_vector_of_the_mass_is_not_rank() {
    let (mut random, mut workspace) = (Random(5), Workspace::new());
    for case in 0..4000 {
        let n = 2 + random.below(8);
        let (i, j) = (random.below(n), random.below(n));
        if i == j {
            continue;
        }
        // Three times as many terms as coordinates: no other direction is nearly without mass.
        let (ratio, p) = (3.0 * random.next(), 3 * n);
        let mut J: Vec<f64> = (0..p * n).map(|_| random.next()).collect();
        (0..p).for_each(|row| J[row * n + j] = ratio * J[row * n + i]);
        let mass = |a: usize, b: usize| (0..p).map(|row| J[row * n + a] * J[row * n + b]).sum::<f64>();
        let M: Vec<f64> = (0..n * n).map(|at| mass((at / n).max(at % n), (at / n).min(at % n))).collect();
        let m = random.below(n);
        let mut A: Vec<f64> = (0..m * n).map(|_| random.next()).collect();
        for row in A.chunks_exact_mut(n) {
            (row[i], row[j]) = (0.0, 0.0);
        }
        let Q: Vec<f64> = (0..n).map(|_| random.next()).collect();
        let motion = workspace.solve(&Snapshot::new(&M, &Q).constrained(&A, &vec![0.0; m])).expect("a system");
        assert!(!motion.is_unique(), "case {case}: n {n}, m {m}, {i} and {j}, {:?}", motion.system_rank);
        let along: Vec<usize> = motion.undetermined().collect();
        assert!(along.contains(&i) && along.contains(&j), "case {case}: {along:?}");
    }
}
