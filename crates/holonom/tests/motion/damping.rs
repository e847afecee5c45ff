//! Friction that vanishes with the speed, and friction that knows no load: closed forms from rest and through reversals.

use super::running::{Ran, run};
use holonom::simulate::integrate::Run;

/// A block of 2 kg on a level floor with some friction, pushed by a force, from a speed.
fn block(law: &str, push: &str, speed: f64) -> Ran {
    let text = format!(
        "param v0 = {speed}
coord x, y
particle block: 2 at (x, y)
gravity (0, -9.81)
constraint floor: y = 0
friction floor: {law}
force x: {push}
start x = 0, x' = v0
run until 6, every 0.01
"
    );
    run(&text, &Run::default(), &[])
}

/// 2v̇ = F − 3v from rest.
#[test]
fn viscous_friction_acts_from_rest() {
    for law in ["viscous(3)", "law(3*slip)"] {
        let worst = block(law, "4", 0.0).deviation(["x'"], |t| [4.0 / 3.0 * (1.0 - (-1.5 * t).exp())]);
        assert!(worst < 1e-9, "{law}: {worst:e}");
        // Nothing pushes at the start, and something does a moment later.
        let exact = |t: f64| {
            let (sin, cos) = (4.0 * t).sin_cos();
            [(1.5 * (1.5 * sin - 4.0 * cos) + 6.0 * (-1.5 * t).exp()) / 18.25]
        };
        let worst = block(law, "3*sin(4*t)", 0.0).deviation(["x'"], exact);
        assert!(worst < 1e-9, "{law}: {worst:e}");
        let run = block(law, "0", 0.0);
        assert!(run.columns(["x", "x'"]).as_flattened().iter().all(|x| *x == 0.0));
    }
}

/// 2ẍ + ẋ + 8x = 0: the velocity passes zero many times, and friction goes on.
#[test]
fn viscous_friction_acts_through_reversals() {
    let omega = (4.0f64 - 0.0625).sqrt();
    let exact = |t: f64| [(-0.25 * t).exp() * (omega * t).sin() / omega];
    for law in ["viscous(1)", "law(slip)"] {
        let run = block(law, "-8*x", 1.0);
        let worst = run.deviation(["x"], exact);
        assert!(worst < 1e-9, "{law}: {worst:e}");
        assert!(run.outcome.events.is_empty(), "{law}: {:?}", run.outcome.events);
    }
}

/// The same in a plane, where the slip never vanishes but turns by more than a right angle within a step.
#[test]
fn viscous_friction_acts_along_the_slip_on_a_surface() {
    let text = "coord x, y, z
particle block: 2 at (x, y, z)
gravity (0, 0, -9.81)
constraint floor: z = 0
friction floor: viscous(1)
force x: -8*x
force y: -8*y
start x = 0, y = 0.01, x' = 1, y' = 0
run until 6, every 0.01
";
    let run = run(text, &Run::default(), &[]);
    let omega = (4.0f64 - 0.0625).sqrt();
    let worst = run.deviation(["x", "y"], |t| {
        let (sin, cos) = (omega * t).sin_cos();
        let fades = (-0.25 * t).exp();
        [fades * sin / omega, 0.01 * fades * (cos + 0.25 * sin / omega)]
    });
    assert!(worst < 1e-9, "{worst:e}");
    assert!(run.outcome.events.is_empty(), "{:?}", run.outcome.events);
}

/// 2v̇ = F − cv² from rest: v = √(F/c)·tanh(√(Fc)·t/2).
#[test]
fn quadratic_friction_acts_from_rest() {
    for law in ["quadratic(0.5)", "law(0.5*slip^2)"] {
        let worst = block(law, "2", 0.0).deviation(["x'"], |t| [2.0 * (0.5 * t).tanh()]);
        assert!(worst < 1e-9, "{law}: {worst:e}");
    }
}

/// A friction of 5 N at any load holds up to 5 N.
#[test]
fn constant_friction_holds() {
    let run = block("law(5)", "4", 0.0);
    assert!(run.columns(["x", "x'"]).as_flattened().iter().all(|x| *x == 0.0));
    let worst = block("law(5)", "9", 0.0).deviation(["x'"], |t| [2.0 * t]);
    assert!(worst < 1e-9, "{worst:e}");
}
