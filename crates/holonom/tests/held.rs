//! Rank held along a motion: a row that is redundant only on the manifold, a hair off it.
#![allow(non_snake_case)]

use holonom::{MotionError, Snapshot, Workspace};

const G: f64 = 9.81;

/// The four-bar of one loop in the coordinates of its two moving joints, with the extra row y₁ − y₀ = 0 that
/// its parallelogram obeys anyway. `offset` moves the second joint off the manifold.
struct FourBar {
    A: Vec<f64>,
    b: Vec<f64>,
}

const MASS: [f64; 16] = {
    // Cranks m/3 at their ends, the coupler m/6 [2 1; 1 2] between them.
    let (own, shared) = (2.0 / 3.0, 1.0 / 6.0);
    [own, 0.0, shared, 0.0, 0.0, own, 0.0, shared, shared, 0.0, own, 0.0, 0.0, shared, 0.0, own]
};
const FORCE: [f64; 4] = [0.0, -G, 0.0, -G];

impl FourBar {
    fn new(theta: f64, omega: f64, offset: f64) -> Self {
        let (s, c) = theta.sin_cos();
        let (x0, y0, x1, y1) = (s, c, 1.0 + s + 0.3 * offset, c + offset);
        let (u, v) = (omega * c, -omega * s);
        // |B₀|² = 1, |B₁ − (1, 0)|² = 1, |B₁ − B₀|² = 1, each differentiated twice and halved, and y₁ = y₀.
        let A = vec![
            x0,
            y0,
            0.0,
            0.0, //
            0.0,
            0.0,
            x1 - 1.0,
            y1, //
            x0 - x1,
            y0 - y1,
            x1 - x0,
            y1 - y0, //
            0.0,
            -1.0,
            0.0,
            1.0,
        ];
        let square = u * u + v * v;
        Self { A, b: vec![-square, -square, 0.0, 0.0] }
    }

    fn snapshot(&self) -> Snapshot<'_> {
        Snapshot::new(&MASS, &FORCE).constrained(&self.A, &self.b)
    }
}

/// α from the one degree of freedom: (2/3 + 1) α = (1 + 1) g sin θ.
fn exact(theta: f64, omega: f64) -> [f64; 4] {
    let ((s, c), alpha) = (theta.sin_cos(), 1.2 * G * theta.sin());
    let (x, y) = (alpha * c - omega * omega * s, -alpha * s - omega * omega * c);
    [x, y, x, y]
}

fn error(found: &[f64], theta: f64, omega: f64) -> f64 {
    found.iter().zip(exact(theta, omega)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn with_the_rank_held_the_error_is_of_the_size_of_the_offset() {
    let mut workspace = Workspace::new();
    let (theta, omega) = (0.7, 2.0);
    let on = FourBar::new(theta, omega, 0.0);
    let motion = workspace.solve(&on.snapshot()).expect("a four-bar");
    assert_eq!((motion.constraint_rank.rank, motion.consistent), (3, true));
    assert!(error(&motion.acceleration, theta, omega) < 1e-13);
    let held = workspace.structure();

    for offset in [1e-8, 1e-7, 1e-6] {
        let off = FourBar::new(theta, omega, offset);
        let motion = workspace.solve_held(&off.snapshot(), &held).expect("a four-bar");
        assert!(error(&motion.acceleration, theta, omega) < 200.0 * offset);
        assert!(motion.consistent, "consistency is judged where rank is: on the manifold");

        // Decided anew, all four rows count, and their residuals are perfect for a wrong motion.
        let motion = workspace.solve(&off.snapshot()).expect("a four-bar");
        assert_eq!(motion.constraint_rank.rank, 4);
        assert!(motion.residuals.iter().all(|r| r.abs() < 1e-8));
        assert!(error(&motion.acceleration, theta, omega) > 1.0);
    }
}

#[test]
fn a_held_row_that_vanishes_is_an_error() {
    let mut workspace = Workspace::new();
    let four_bar = FourBar::new(0.7, 2.0, 0.0);
    workspace.solve(&four_bar.snapshot()).expect("a four-bar");
    let held = workspace.structure();
    let nothing = FourBar { A: vec![0.0; 16], b: vec![0.0; 4] };
    let lost = workspace.solve_held(&nothing.snapshot(), &held).map(|_| ());
    assert!(matches!(lost, Err(MotionError::HeldRankLost { .. })), "{lost:?}");
    let other = Snapshot::new(&[1.0], &[1.0]);
    assert!(matches!(workspace.solve_held(&other, &held), Err(MotionError::HeldShape { .. })));
}

#[test]
fn massless_directions_are_held_too() {
    // The wheel with a third coordinate that nothing holds (2006, example 2).
    let M = [0.75, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let mut workspace = Workspace::new();
    let wheel = Snapshot::new(&M, &[0.0, 19.62, 0.0]).constrained(&[-0.25, 1.0, 0.0], &[0.0]);
    let decided = workspace.solve(&wheel).expect("a wheel").clone();
    let held = workspace.structure();
    let again = workspace.solve_held(&wheel, &held).expect("a wheel");
    assert_eq!(again.undetermined().collect::<Vec<_>>(), [2]);
    assert_eq!(again.acceleration, decided.acceleration);
}

/// The inertia of a free body in the parts of its unit quaternion, 4 EᵀJE with ω = 2 E ė in the body.
fn quaternion_mass(e: [f64; 4], J: [f64; 3]) -> Vec<f64> {
    let E = [[-e[1], e[0], e[3], -e[2]], [-e[2], -e[3], e[0], e[1]], [-e[3], e[2], -e[1], e[0]]];
    let entry = |i: usize, j: usize| (0..3).map(|p| 4.0 * J[p] * E[p][i] * E[p][j]).sum();
    (0..16).map(|at| entry(at / 4, at % 4)).collect()
}

/// The null vector of M is the quaternion itself: it turns with the state, and pivots of M decided elsewhere become poor.
#[test]
fn a_null_vector_of_the_mass_that_turns_costs_no_digits() {
    let (J, force) = ([1.0, 2.5, 0.4], [0.7, -1.1, 0.3, 2.0]);
    let mut workspace = Workspace::new();
    let M = quaternion_mass([1.0, 0.0, 0.0, 0.0], J);
    let start = Snapshot::new(&M, &force).constrained(&[1.0, 0.0, 0.0, 0.0], &[-0.25]);
    workspace.solve(&start).expect("a free body");
    let held = workspace.structure();

    let mut seed = 1u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    for _ in 0..2000 {
        let mut e = [random(), random(), random(), random()];
        // Every fourth with a first part that is nearly gone.
        if random() > 0.5 {
            e[0] *= 1e-9;
        }
        let length = e.iter().map(|x| x * x).sum::<f64>().sqrt();
        e.iter_mut().for_each(|x| *x /= length);
        let M = quaternion_mass(e, J);
        let s = Snapshot::new(&M, &force).constrained(&e, &[-0.25]);
        let fresh = Workspace::new().solve(&s).expect("a free body").clone();
        let motion = workspace.solve_held(&s, &held).expect("a free body");
        let size = fresh.acceleration.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        for (x, y) in motion.acceleration.iter().zip(&fresh.acceleration) {
            assert!((x - y).abs() <= 1e-12 * size, "{e:?}: {:?} {:?}", motion.acceleration, fresh.acceleration);
        }
        assert!((motion.reactions[0] - fresh.reactions[0]).abs() <= 1e-12 * (1.0 + fresh.reactions[0].abs()), "{e:?}");
        assert_eq!((motion.mass_rank, motion.system_rank.rank), (3, 4));
    }
}

#[test]
fn a_held_rank_of_the_system_that_is_lost_is_an_error() {
    // y has no mass and follows from the row, until the row lets go of it.
    let M = [1.0, 0.0, 0.0, 0.0];
    let mut workspace = Workspace::new();
    workspace.solve(&Snapshot::new(&M, &[1.0, 0.0]).constrained(&[1.0, 1.0], &[0.0])).expect("unique");
    let held = workspace.structure();
    let lost = Snapshot::new(&M, &[1.0, 0.0]).constrained(&[1.0, 0.0], &[0.0]);
    assert!(matches!(workspace.solve_held(&lost, &held), Err(MotionError::HeldRankLost { .. })));
    // And rows that depend on each other up to the last digit. Short of that they are held: a motion passes singular configurations
    // with the rank that it had before.
    let M = [1.0, 0.0, 0.0, 1.0];
    workspace.solve(&Snapshot::new(&M, &[1.0, 0.0]).constrained(&[1.0, 0.0, 0.0, 1.0], &[0.0; 2])).expect("unique");
    let held = workspace.structure();
    let lost = Snapshot::new(&M, &[1.0, 0.0]).constrained(&[1.0, 1.0, 1.0, 1.0], &[0.0; 2]);
    assert!(matches!(workspace.solve_held(&lost, &held), Err(MotionError::HeldRankLost { .. })));
}
