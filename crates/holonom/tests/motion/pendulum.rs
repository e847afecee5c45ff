//! Pendulums in Cartesian coordinates: long runs, chains, and the order of the whole run.

use super::running::{Ran, run_gallery, with};

/// Where a pendulum released horizontally at (1, 0) is after 10 s, from Jacobi's functions.
const AT_TEN: [f64; 2] = [0.2750874626, -0.9614192051];

fn off(run: &Ran, expected: [f64; 2]) -> f64 {
    let [x, y] = run.last(["bob.x", "bob.y"]);
    (x - expected[0]).hypot(y - expected[1])
}

#[test]
fn ten_seconds_with_nothing_said() {
    let run = run_gallery("pendulum/pendulum", &with(|_| ()), &[]);
    assert!(off(&run, AT_TEN) < 1e-8, "{:e}", off(&run, AT_TEN));
    assert!(run.worst_residual() < 1e-12, "{:e}", run.worst_residual());
}

/// 845 swings: the rod holds to 1e-12 and the energy to 1e-9 throughout; and the motion is where the period says.
#[test]
fn two_thousand_seconds() {
    let options = with(|options| {
        options.until = Some(2000.0);
        options.every = Some(0.5);
        options.rtol = Some(1e-11);
    });
    let run = run_gallery("pendulum/pendulum", &options, &[]);
    assert!(run.worst_residual() < 1e-12, "{:e}", run.worst_residual());
    assert!(run.energy_drift() < 1e-9, "{:e}", run.energy_drift());
    assert!(run.imbalance() < 1e-9, "{:e}", run.imbalance());
    let rows = run.columns(["t", "bob.x", "bob.y"]);
    assert_eq!(rows.len(), 4001);
    assert_eq!(rows[20][0], 10.0);
    assert!((rows[20][1] - AT_TEN[0]).hypot(rows[20][2] - AT_TEN[1]) < 1e-9);
}

/// Time reversed, the motion retraces itself: after whole periods the bob is back at rest.
#[test]
fn after_a_hundred_periods_it_is_back() {
    let options = with(|options| options.until = Some(100.0 * 2.3678419475762));
    let run = run_gallery("pendulum/pendulum", &options, &[]);
    let [x, y, u, v] = run.last(["bob.x", "bob.y", "bob.x'", "bob.y'"]);
    assert!((x - 1.0).abs() < 1e-9 && y.abs() < 1e-6 && u.abs() < 1e-6 && v.abs() < 1e-6, "{x} {y} {u} {v}");
}

/// P1: the chain of ten masses, 1 s.
#[test]
fn chain_of_ten() {
    let run = run_gallery("chain/chain", &with(|_| ()), &[]);
    let [x, y] = run.last(["p[10].x", "p[10].y"]);
    let off = (x + 0.679489931897).hypot(y + 0.727112238600);
    assert!(off < 1e-8, "{off:e}");
    assert!(run.worst_residual() < 1e-12, "{:e}", run.worst_residual());
    assert!(run.energy_drift() < 1e-9, "{:e}", run.energy_drift());
}

/// The error of a run follows the tolerance asked for.
#[test]
fn errors_fall_with_the_tolerance() {
    let exact = {
        let run = run_gallery("pendulum/pendulum", &with(|options| options.rtol = Some(1e-13)), &[]);
        assert!(off(&run, AT_TEN) < 2e-10);
        run.last(["bob.x", "bob.y"])
    };
    let tolerances = [1e-5, 1e-7, 1e-9, 1e-11];
    let errors = tolerances.map(|rtol| {
        let run = run_gallery("pendulum/pendulum", &with(|options| options.rtol = Some(rtol)), &[]);
        off(&run, exact)
    });
    for (error, rtol) in errors.iter().zip(tolerances) {
        assert!(*error < 10.0 * rtol, "{errors:?}");
    }
    for pair in errors.windows(2) {
        assert!((10.0..1000.0).contains(&(pair[0] / pair[1])), "{errors:?}");
    }
}
