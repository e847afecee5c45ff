//! Digits that plain arithmetic would lose, in systems that look harmless.

use holonom::{Snapshot, solve};

/// Constraints hold two light masses against forces that would accelerate them by 10⁶ m/s²; a third mass, which no
/// constraint touches, must not notice.
#[test]
fn large_forces_that_constraints_carry_leave_no_trace_elsewhere() {
    let mass = [8e-6, 0.0, 0.0, 0.0, 6e-5, 0.0, 0.0, 0.0, 5e-7];
    let (force, rows) = ([-8e-6, 1.125, 0.875], [0.0, -3.0, -3.0, 0.0, 0.0, -2.0]);
    let motion = solve(&Snapshot::new(&mass, &force).constrained(&rows, &[3.0, -2.0])).expect("a system");
    for (found, exact) in motion.acceleration.iter().zip([-1.0, -2.0, 1.0]) {
        assert!((found - exact).abs() < 1e-15, "{found} {exact}");
    }
}
