//! Bodies with unit quaternions: M is singular, and its null vector turns with the body (P9).

use super::running::{Run, run, with};

/// Time between two flips of a body with inertia 1, 2, 3 that starts with ω = (0.01, 1, 0), from Jacobi's functions.
const FLIP: f64 = 20.754609764669;

/// A free body at an orientation, with the spin (0.01, 1, 0) in its own axes: ė = ½ e ∘ ω.
fn free_body(e: [f64; 4]) -> String {
    let [a, b, c, d] = e;
    let (x, y) = (0.01, 1.0);
    let rate = [-b * x - c * y, a * x - d * y, a * y + d * x, b * y - c * x].map(|rate| 0.5 * rate);
    let start = |names: &str, values: [f64; 4]| {
        let pairs = (0..4).map(|i| format!("e{i}{names} = {:?}", values[i])).collect::<Vec<_>>();
        pairs.join(", ")
    };
    format!(
        "coord e0, e1, e2, e3
let w1 = 2*(e0*e1' - e1*e0' + e3*e2' - e2*e3')
let w2 = 2*(e0*e2' - e2*e0' + e1*e3' - e3*e1')
let w3 = 2*(e0*e3' - e3*e0' + e2*e1' - e1*e2')
kinetic (w1^2 + 2*w2^2 + 3*w3^2)/2
constraint unit: e0^2 + e1^2 + e2^2 + e3^2 = 1
output o1: w1
output o2: w2
output o3: w3
assemble
start {}, {}
",
        start("", e),
        start("'", rate)
    )
}

/// How far the spin is from where it started: after an even number of flips it is back.
fn off(run: &Run) -> f64 {
    let [x, y, z] = run.last(["o1", "o2", "o3"]);
    (x - 0.01).abs().max((y - 1.0).abs()).max(z.abs())
}

/// P9: ten flips with nothing said, from an orientation along the axes.
#[test]
fn ten_flips_of_a_free_body() {
    let run = run(&free_body([1.0, 0.0, 0.0, 0.0]), &with(|options| options.until = Some(10.0 * FLIP)), &[]);
    assert!(off(&run) < 1e-6, "{:e}", off(&run));
    assert!(run.worst_residual() < 1e-13, "{:e}", run.worst_residual());
    assert!(run.outcome.diagnostics.is_empty(), "{:?}", run.outcome.diagnostics);
}

/// From any orientation the spin in the body is the same, after the same number of steps up to a few.
#[test]
fn a_free_body_turns_alike_from_any_orientation() {
    let mut state = 20_061_116_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    for _ in 0..20 {
        let e = [random(), random(), random(), random()];
        let norm = e.iter().map(|x| x * x).sum::<f64>().sqrt();
        let run = run(&free_body(e.map(|x| x / norm)), &with(|options| options.until = Some(2.0 * FLIP)), &[]);
        assert!(off(&run) < 1e-7, "{e:?}: {:e}", off(&run));
        assert!(run.outcome.statistics.steps < 300, "{e:?}: {:?}", run.outcome.statistics);
    }
}

/// Dust beside the axes changes neither the motion nor what it costs.
#[test]
fn dust_beside_the_axes_changes_nothing() {
    for dust in [1e-170, 1e-30, 1e-20, 1e-17, 1e-16, 1e-15] {
        let text = free_body([1.0, dust, -0.7 * dust, 0.3 * dust]);
        let run = run(&text, &with(|options| options.until = Some(2.0 * FLIP)), &[]);
        assert!(off(&run) < 1e-7, "{dust:e}: {:e}", off(&run));
        assert!(run.outcome.statistics.steps < 300, "{dust:e}: {:?}", run.outcome.statistics);
    }
}

/// A hundred flips at a tight tolerance: energy, norm and spin.
#[test]
fn a_hundred_flips() {
    let options = with(|options| {
        (options.until, options.rtol, options.every) = (Some(100.0 * FLIP), Some(1e-12), Some(FLIP));
    });
    let run = run(&free_body([1.0, 0.0, 0.0, 0.0]), &options, &[]);
    assert!(off(&run) < 1e-6, "{:e}", off(&run));
    assert!(run.energy_drift() < 1e-10, "{:e}", run.energy_drift());
    assert!(run.worst_residual() < 1e-13, "{:e}", run.worst_residual());
}
