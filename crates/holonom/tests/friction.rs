//! Non-ideal parts that depend on the reactions: solved together with them, or refused by name.

use holonom::{MotionError, Snapshot, Workspace};

const G: f64 = 9.81;

/// A cart (1 kg) on a rough level rail with a bob (1 kg) on a massless rod, 45° forward of the vertical.
fn cart() -> ([f64; 16], [f64; 4], [f64; 8]) {
    let h = 0.5f64.sqrt();
    let mut mass = [0.0; 16];
    (0..4).for_each(|i| mass[5 * i] = 1.0);
    (mass, [0.0, -G, 0.0, -G], [0.0, 1.0, 0.0, 0.0, -h, h, h, -h])
}

/// Friction on the cart's x by the reaction of row 0, for forward motion.
fn along_x(mu: f64, rows: usize) -> Vec<f64> {
    (0..4 * rows).map(|i| if i == 0 { -mu } else { 0.0 }).collect()
}

#[test]
fn friction_hangs_on_the_total_reaction_not_on_the_ideal_one() {
    let (mass, force, rows) = cart();
    let snapshot = Snapshot::new(&mass, &force).constrained(&rows, &[0.0, 0.0]);
    let mut workspace = Workspace::new();
    let prepared = workspace.prepare(&snapshot).expect("a cart");
    let ideal = prepared.ideal_multipliers()[0];
    let naive = prepared.finish(&[-0.5 * ideal, 0.0, 0.0, 0.0]).expect("a cart").acceleration[0];
    assert!((naive + 1.09).abs() < 1e-12, "{naive}");

    let prepared = workspace.prepare(&snapshot).expect("a cart");
    let (motion, c) = prepared.finish_with_feedback(&[0.0; 4], &along_x(0.5, 2)).expect("a cart");
    assert!((motion.acceleration[0] + 1.962).abs() < 1e-12);
    // The law itself: C = −µ times the reaction that the motion has.
    assert!((c[0] + 0.5 * motion.reactions[0]).abs() < 1e-12);
    assert!(motion.residuals.iter().all(|r| r.abs() < 1e-14));
}

#[test]
fn friction_on_a_reaction_that_is_not_unique_is_refused_by_row() {
    let (mass, force, rows) = cart();
    // The rail given twice: how the two share the load is open.
    let twice: Vec<f64> = rows.iter().chain(&rows[..4]).copied().collect();
    let snapshot = Snapshot::new(&mass, &force).constrained(&twice, &[0.0; 3]);
    let mut workspace = Workspace::new();
    let prepared = workspace.prepare(&snapshot).expect("a cart");
    let refused = prepared.finish_with_feedback(&[0.0; 4], &along_x(0.5, 3)).map(|_| ());
    assert_eq!(refused, Err(MotionError::ReactionNotUnique { rows: vec![0] }));

    // A law that sees only the sum of the two is fine, and gives what one rail gives.
    let mut sum = along_x(0.5, 3);
    sum[2] = -0.5;
    let prepared = workspace.prepare(&snapshot).expect("a cart");
    let (motion, _) = prepared.finish_with_feedback(&[0.0; 4], &sum).expect("a cart");
    assert!((motion.acceleration[0] + 1.962).abs() < 1e-12);
}

#[test]
fn a_coefficient_without_a_solution_is_painleves_paradox() {
    let (mass, force, rows) = cart();
    let snapshot = Snapshot::new(&mass, &force).constrained(&rows, &[0.0, 0.0]);
    let mut workspace = Workspace::new();
    // The reactions are linear in C; with µ = 3 the friction feeds itself exactly and the system is singular:
    // for the reaction N of the rail, the equations above reduce to (3 − µ) N = const.
    let solve = |workspace: &mut Workspace, mu: f64| {
        let prepared = workspace.prepare(&snapshot).expect("a cart");
        prepared.finish_with_feedback(&[0.0; 4], &along_x(mu, 2)).map(|(motion, _)| motion.reactions[0])
    };
    let near = solve(&mut workspace, 2.0).expect("a reaction");
    let constant = (3.0 - 2.0) * near;
    for mu in [0.0, 0.5, 1.0, 2.5] {
        let reaction = solve(&mut workspace, mu).expect("a reaction");
        assert!(((3.0 - mu) * reaction - constant).abs() < 1e-11, "{mu} {reaction}");
    }
    assert_eq!(solve(&mut workspace, 3.0), Err(MotionError::NoReaction));
}
