//! Bodies with unit quaternions: M is singular, and its null vector turns with the body (P9).

use super::running::{Ran, run, with};

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
fn off(run: &Ran) -> f64 {
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
fn a_free_body_turns_alike_from_a_hundred_orientations() {
    let mut state = 20_061_116_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    for _ in 0..100 {
        let e = [random(), random(), random(), random()];
        let norm = e.iter().map(|x| x * x).sum::<f64>().sqrt();
        let options = with(|options| (options.until, options.every) = (Some(10.0 * FLIP), Some(FLIP)));
        let run = run(&free_body(e.map(|x| x / norm)), &options, &[]);
        assert!(off(&run) < 1e-6, "{e:?}: {:e}", off(&run));
        assert!(run.outcome.statistics.steps < 1000, "{e:?}: {:?}", run.outcome.statistics);
    }
}

/// The same body in Euler's angles, where these are far from singular: the nutation of its third axis about the momentum.
#[test]
fn a_free_body_takes_as_many_evaluations_as_in_angles() {
    let angles = "coord phi, theta, psi
let w1 = phi'*sin(theta)*sin(psi) + theta'*cos(psi)
let w2 = phi'*sin(theta)*cos(psi) - theta'*sin(psi)
let w3 = phi'*cos(theta) + psi'
kinetic (w1^2 + 2*w2^2 + 3*w3^2)/2
output o1: w1
output o2: w2
output o3: w3
start phi = 0, theta = pi/2, psi = 0, phi' = 1, theta' = 0.01, psi' = 0
";
    for rtol in [1e-6, 1e-9, 1e-12] {
        let options = with(|options| {
            (options.until, options.rtol, options.every) = (Some(10.0 * FLIP), Some(rtol), Some(FLIP));
        });
        let [one, other] = [angles, &free_body([1.0, 0.0, 0.0, 0.0])].map(|text| run(text, &options, &[]));
        let [few, many] = [&one, &other].map(|run| run.outcome.statistics.evaluations as f64);
        assert!(many < 1.5 * few, "rtol {rtol:e}: {many} evaluations instead of {few}");
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

/// The angular momentum in space, of the body at an orientation with a spin in its own axes.
fn momentum(run: &Ran) -> [f64; 3] {
    let [a, b, c, d] = run.last(["e0", "e1", "e2", "e3"]);
    let [x, y, z] = run.last(["o1", "o2", "o3"]);
    let [x, y, z] = [x, 2.0 * y, 3.0 * z];
    [
        (1.0 - 2.0 * (c * c + d * d)) * x + 2.0 * (b * c - a * d) * y + 2.0 * (b * d + a * c) * z,
        2.0 * (b * c + a * d) * x + (1.0 - 2.0 * (b * b + d * d)) * y + 2.0 * (c * d - a * b) * z,
        2.0 * (b * d - a * c) * x + 2.0 * (c * d + a * b) * y + (1.0 - 2.0 * (b * b + c * c)) * z,
    ]
}

/// P9: a thousand flips at a tight tolerance. Rows that are met but for 2e-14 after each of 130,000 steps would cost four digits.
#[test]
fn a_thousand_flips() {
    let options = with(|options| {
        (options.until, options.rtol, options.every) = (Some(1000.0 * FLIP), Some(1e-12), Some(FLIP));
    });
    let run = run(&free_body([1.0, 0.0, 0.0, 0.0]), &options, &[]);
    assert!(off(&run) < 1e-5, "{:e}", off(&run));
    assert!(run.energy_drift() < 1e-10, "{:e}", run.energy_drift());
    let [x, y, z] = momentum(&run);
    assert!((x - 0.01).abs().max((y - 2.0).abs()).max(z.abs()) < 1e-10, "{:?}", momentum(&run));
    assert!(run.worst_residual() < 1e-13, "{:e}", run.worst_residual());
}
