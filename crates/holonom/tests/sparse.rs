//! The sparse kernel says what the dense one says, names what it finds in large systems, and allocates once.

#![allow(non_snake_case)]

#[path = "sparse/systems.rs"]
mod systems;

use std::f64::consts::FRAC_PI_2;

use holonom::kernel::sparse::{Numeric, Pattern, SparseError, SparseValues, Symbolic};
use holonom::{Motion, MotionError, Snapshot, Workspace, kernel::Redundancy};
use holonom_random::Random;
use holonom_testing::allocations;
use systems::{System, chain, fourbars, ladder, tree, truss};

/// Same accelerations, multipliers, ranks, verdicts and audit as the dense kernel.
#[track_caller]
fn agrees(name: &str, system: &System, tolerance: f64) {
    let (M, A) = system.dense();
    let snapshot = Snapshot::new(&M, &system.force).constrained(&A, &system.right);
    let mut workspace = Workspace::new();
    let audit = workspace.audit(&snapshot).unwrap();
    let motion = workspace.motion();
    let mut found = system.solve();
    let same = |ours: &[f64], theirs: &[f64], tolerance: f64, what: &str| {
        let size = theirs.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
        let off = ours.iter().zip(theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size;
        assert!(off <= tolerance, "{name}: {what} off by {off:e}");
    };
    assert_eq!(found.ranks.constraints.rank, motion.constraint_rank.rank, "{name}: rank of A");
    assert_eq!(found.ranks.system.rank, motion.system_rank.rank, "{name}: rank of [M; A]");
    assert_eq!(found.verdict.consistent, motion.consistent, "{name}: consistent");
    assert_eq!(found.verdict.balanced, motion.balanced, "{name}: balanced");
    same(&found.x, &motion.acceleration, tolerance, "acceleration");
    same(&found.lambda, &motion.reactions, 100.0 * tolerance, "multipliers");
    let (mass, a) = system.numbers();
    let ours = found.numeric.audit(&found.symbolic, SparseValues { mass: &mass, a: &a }, &system.right, &found.x);
    let rows = |list: &[Redundancy]| list.iter().map(|r| (r.row, r.repeats.clone())).collect::<Vec<_>>();
    assert_eq!(rows(&ours.redundant), rows(&audit.redundant), "{name}: redundant rows");
    for (ours, theirs) in ours.redundant.iter().zip(&audit.redundant) {
        same(&ours.coefficients, &theirs.coefficients, 1e-8, "coefficients");
    }
    assert!(ours.conflicts.iter().map(|c| &c.rows).eq(audit.conflicts.iter().map(|c| &c.rows)), "{name}: conflicts");
    let undetermined = Motion { free_directions: found.numeric.free_directions(), ..motion.clone() };
    assert!(undetermined.undetermined().eq(motion.undetermined()), "{name}: undetermined");
    assert_eq!(ours.determinate_multipliers, audit.determinate_multipliers, "{name}: multipliers");
    assert_eq!(ours.determinate_reactions, audit.determinate_reactions, "{name}: reactions");
}

fn bases(random: &mut Random) -> Vec<(&'static str, System)> {
    vec![
        ("chain", chain(3 + random.index(12), random)),
        ("ladder", ladder(2 + random.index(8), random)),
        ("tree", tree(2 + random.index(25), random)),
        ("truss", truss(4, 5, 0.3, random)),
        ("truss with bars to spare", truss(4, 4, 1.1, random)),
        ("four-bars", fourbars(6, random.real(), 1.0)),
        ("four-bars at 90°", fourbars(6, FRAC_PI_2, 1.0)),
        ("four-bars near 90°", fourbars(6, FRAC_PI_2 - 1e-6, 0.0)),
        ("four-bars nearer 90°", fourbars(6, FRAC_PI_2 - 1e-9, 0.0)),
    ]
}

/// Every base system for some seeds, spoiled in one way.
fn spoiled(tolerance: f64, spoil: impl Fn(&mut System, &mut Random)) {
    for seed in 1..6 {
        let mut random = Random::new(seed * 7919);
        for (name, mut system) in bases(&mut random) {
            spoil(&mut system, &mut random);
            agrees(name, &system, tolerance);
        }
    }
}

#[test]
fn systems_as_they_are() {
    spoiled(1e-9, |_, _| {});
}

#[test]
fn repeated_scaled_and_combined_rows() {
    spoiled(1e-9, |system, random| {
        let m = system.rows.len();
        for factor in [1.0, -3.0, 1e6, 1e-6] {
            system.combine(&[(random.index(m), factor)], 0.0);
        }
        let i = random.index(m - 1);
        system.combine(&[(i, random.real()), (i + 1, random.real())], 0.0);
    });
}

#[test]
fn contradictions() {
    spoiled(1e-9, |system, random| system.combine(&[(random.index(system.rows.len()), 2.0)], 1.0));
}

#[test]
fn points_without_mass() {
    spoiled(1e-9, |system, random| {
        for _ in 0..2 {
            let point = random.index(system.n / 2);
            (2 * point..2 * point + 2).for_each(|j| system.lighten(j));
        }
    });
    spoiled(1e-8, |system, random| {
        (0..system.n).filter(|_| random.real() > 0.3).collect::<Vec<_>>().into_iter().for_each(|j| system.lighten(j));
    });
}

#[test]
fn masses_and_rows_over_twelve_orders() {
    spoiled(1e-9, |system, random| {
        let size: Vec<f64> = (0..system.n).map(|_| 10f64.powf(3.0 * random.real())).collect();
        system.mass.iter_mut().for_each(|((i, j), x)| *x *= size[*i] * size[*j]);
    });
    spoiled(1e-9, |system, random| {
        for (row, right) in system.rows.iter_mut().zip(&mut system.right) {
            let factor = 10f64.powf(6.0 * random.real());
            row.iter_mut().for_each(|entry| entry.1 *= factor);
            *right *= factor;
        }
    });
}

#[test]
fn ten_thousand_links_with_every_fault_found_by_name() {
    let mut random = Random::new(3);
    let links = 10_000;
    let mut system = chain(links, &mut random);
    let mut repeats = Vec::new();
    for t in 0..100 {
        let (light, i) = (50 + 97 * t, 30 + 91 * t);
        (2 * light..2 * light + 2).for_each(|j| system.lighten(j));
        let parts = if t % 2 == 0 { vec![(i, 2.0)] } else { vec![(i, 0.5), (i + 1, -1.5)] };
        system.combine(&parts, 0.0);
        repeats.push(parts.iter().map(|part| part.0).collect::<Vec<_>>());
    }
    system.combine(&[(7777, 1.0), (7778, 2.0)], 0.25);
    repeats.push(vec![7777, 7778]);
    // A point that nothing holds and nothing weighs.
    system.n += 2;
    system.force.extend([0.0, 0.0]);
    let mut found = system.solve();
    assert_eq!(found.ranks.constraints.rank, links);
    assert_eq!(found.ranks.system.rank, 2 * links);
    assert!(!found.verdict.consistent && found.verdict.balanced && found.verdict.residual < 1e-9);
    let (mass, a) = system.numbers();
    let audit = found.numeric.audit(&found.symbolic, SparseValues { mass: &mass, a: &a }, &system.right, &found.x);
    assert!(audit.redundant.iter().map(|r| r.row).eq(links..links + 101));
    assert!(audit.redundant.iter().map(|r| &r.repeats).eq(&repeats));
    assert_eq!(audit.conflicts.len(), 1);
    assert_eq!(audit.conflicts[0].rows, [7777, 7778, links + 100]);
    assert!((audit.conflicts[0].gap - 0.25).abs() < 1e-12);
    let open = found.numeric.free_directions();
    assert!(open.iter().flatten().map(|entry| entry.0).eq([2 * links, 2 * links + 1]));
}

/// The fast way and the fronts give the same, and the fast way is taken.
#[test]
fn the_band_and_the_fronts_agree() {
    let mut random = Random::new(11);
    // Rows in an order of their own: the band has to be found.
    let mut shuffled = chain(60, &mut random);
    for i in (1..60).rev() {
        let j = random.index(i + 1);
        shuffled.rows.swap(i, j);
        shuffled.right.swap(i, j);
    }
    for system in [chain(60, &mut random), ladder(20, &mut random), shuffled] {
        let symbolic = Symbolic::new(&system.pattern()).unwrap();
        assert!(symbolic.half_bandwidth().is_some());
        let (mass, a) = system.numbers();
        let values = SparseValues { mass: &mass, a: &a };
        let fast = system.solve();
        let fronts = symbolic.without_band();
        let mut numeric = Numeric::new();
        numeric.factor(&fronts, values).unwrap();
        let (mut x, mut lambda) = (vec![0.0; system.n], vec![0.0; system.rows.len()]);
        numeric.solve(&fronts, values, &system.force, &system.right, &mut x, &mut lambda);
        for (a, b) in x.iter().chain(&lambda).zip(fast.x.iter().chain(&fast.lambda)) {
            assert!((a - b).abs() <= 1e-11 * (1.0 + b.abs()), "{a} {b}");
        }
    }
}

/// Rows that are redundant only on the manifold, a hair off it, change nothing while the rank is held.
#[test]
fn a_held_rank() {
    let on = fourbars(30, FRAC_PI_2, 1.0);
    let off = fourbars(30, FRAC_PI_2 - 1e-8, 1.0);
    let symbolic = Symbolic::new(&on.pattern()).unwrap();
    let (mass, a) = on.numbers();
    let values = SparseValues { mass: &mass, a: &a };
    let mut numeric = Numeric::new();
    assert_eq!(numeric.factor(&symbolic, values).unwrap().constraints.rank, 31);
    assert_eq!(numeric.redundant_rows(&symbolic).len(), 30);
    let (mut x, mut lambda) = (vec![0.0; on.n], vec![0.0; on.rows.len()]);
    numeric.solve(&symbolic, values, &on.force, &on.right, &mut x, &mut lambda);
    let (before, multipliers) = (x.clone(), lambda.clone());
    let (mass, a) = off.numbers();
    let values = SparseValues { mass: &mass, a: &a };
    numeric.factor_held(&symbolic, values).unwrap();
    numeric.solve(&symbolic, values, &off.force, &off.right, &mut x, &mut lambda);
    for (a, b) in x.iter().chain(&lambda).zip(before.iter().chain(&multipliers)) {
        assert!((a - b).abs() <= 1e-5 * (1.0 + b.abs()), "{a} {b}");
    }
    // Decided anew: another system.
    assert_eq!(numeric.factor(&symbolic, values).unwrap().constraints.rank, 61);
}

#[test]
fn nothing_is_allocated_after_the_first_time() {
    let mut random = Random::new(9);
    let mut light = chain(50, &mut random);
    [6, 7, 40, 41].into_iter().for_each(|j| light.lighten(j));
    let mut repeated = ladder(30, &mut random);
    repeated.combine(&[(3, 2.0)], 0.0);
    repeated.combine(&[(7, 1.0), (8, 1.0)], 0.5);
    let systems = [
        chain(50, &mut random),
        light,
        repeated,
        fourbars(30, 0.4, 1.0),
        fourbars(30, FRAC_PI_2, 1.0),
        truss(6, 20, 1.1, &mut random),
    ];
    for system in systems {
        let symbolic = Symbolic::new(&system.pattern()).unwrap();
        let fronts = symbolic.clone().without_band();
        let (mass, a) = system.numbers();
        let values = SparseValues { mass: &mass, a: &a };
        let mut numeric = Numeric::new();
        let (mut x, mut lambda) = (vec![0.0; system.n], vec![0.0; system.rows.len()]);
        let mut all = || {
            numeric.factor(&symbolic, values).unwrap();
            numeric.solve(&symbolic, values, &system.force, &system.right, &mut x, &mut lambda);
            numeric.factor_fronts(&symbolic, values).unwrap();
            numeric.solve(&symbolic, values, &system.force, &system.right, &mut x, &mut lambda);
            numeric.factor_held(&fronts, values).unwrap();
            numeric.solve(&fronts, values, &system.force, &system.right, &mut x, &mut lambda);
        };
        all();
        assert_eq!(allocations(all), 0);
    }
}

#[test]
fn what_is_no_system_is_refused() {
    let pattern = Pattern::new(2, [[0, 1]], [(0, 0), (1, 0), (1, 1)]).unwrap();
    let symbolic = Symbolic::new(&pattern).unwrap();
    let mut numeric = Numeric::new();
    let mut factor = |mass: &[f64], a: &[f64]| numeric.factor(&symbolic, SparseValues { mass, a });
    assert!(matches!(factor(&[1.0], &[1.0, 1.0]), Err(SparseError::Motion(MotionError::Shape { .. }))));
    let nan = factor(&[1.0, f64::NAN, 1.0], &[1.0, 1.0]);
    assert!(matches!(nan, Err(SparseError::Motion(MotionError::NotFinite { row: 1, column: 0, .. }))));
    let negative = factor(&[-1.0, 0.0, -1.0], &[1.0, 1.0]);
    assert!(matches!(negative, Err(SparseError::Motion(MotionError::Indefinite { .. }))));
    // A row over 600 coordinates is no sparse system.
    let all: Vec<usize> = (0..600).collect();
    let pattern = Pattern::new(600, [all], (0..600).map(|j| (j, j))).unwrap();
    let refused = Symbolic::new(&pattern).unwrap_err();
    assert_eq!((refused.size, refused.limit, refused.rows.as_slice()), (600, 512, [0].as_slice()));
}

#[test]
fn a_straight_chain_with_rods_given_twice() {
    // Rods in one line up to the rounding of their ends, which must not be divided by.
    let links = 10_000;
    let mut random = Random::new(11);
    let mut system = System { force: vec![1.0; 2 * links], ..chain(links, &mut random) };
    let ends: Vec<[f64; 2]> =
        (0..=links).map(|i| [i as f64 / 1e4 * 0.5f64.sqrt(), i as f64 * -0.5f64.sqrt() / 1e4]).collect();
    system.rows.clear();
    system.right.clear();
    for i in 0..links {
        let d = [ends[i + 1][0] - ends[i][0], ends[i + 1][1] - ends[i][1]];
        system.rod(i.checked_sub(1), i, d, 0.0);
    }
    for i in 1..=links / 100 {
        system.combine(&[(100 * i - 1, 1.0)], 0.0);
    }
    let found = system.solve();
    assert_eq!((found.ranks.constraints.rank, found.ranks.system.rank), (links, 2 * links));
    assert!(found.verdict.residual < 1e-11, "{:?}", found.verdict);
}
