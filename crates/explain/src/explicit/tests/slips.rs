//! Directions of slip: the same formula at every state, whatever vanishes there, and signs of parameters only where it says so.

use super::{gallery, printed, solved, text};
use holonom_mechanics::derive::Equations;
use holonom_simulate::start::Sampler;
use holonom_symbols::expr::Symbol;

/// q̈ by the formula at a state, with some parameters set.
fn accelerations(equations: &Equations, set: &[(&str, f64)], positions: &[f64], velocities: &[f64]) -> Vec<f64> {
    let mut solution = solved(equations);
    assert!(solution.is_explicit() && solution.checked.states >= 16, "{:?} {:?}", solution.form, solution.checked);
    let all = solution.acceleration.clone();
    let all = solution.expanded(&all);
    let values = Sampler::new(equations, &[]).parameters().to_vec();
    let parameter = |i: usize| {
        let name = &equations.model.parameters[i].name;
        set.iter().find(|(known, _)| known == name).map_or(values[i], |(_, value)| *value)
    };
    solution.graph.evaluate(&all, |symbol| match symbol {
        Symbol::Position(i) => positions[i as usize],
        Symbol::Velocity(i) => velocities[i as usize],
        Symbol::Parameter(i) => parameter(i as usize),
        _ => f64::NAN,
    })
}

fn assert_close(found: &[f64], expected: &[f64]) {
    let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
    assert!(found.len() == expected.len() && found.iter().zip(expected).all(close), "{found:?}, expected {expected:?}");
}

fn ball() -> Equations {
    text(
        "
param      m = 1, R = 1, g = 9.81, mu = 0.2
particle   b: m in space
gravity    (0, 0, -g)
constraint ball: dot(b, b) = R^2
friction   ball: coulomb(mu)
start      b.x = 0.6, b.y = 0, b.z ~ -0.8, b.x' ~ 0.3, b.y' = 0.5
",
    )
}

/// Inside a rough sphere, N = m (v²/R − g z/R) and q̈ = −g e_z − N/m (r/R + μ v/|v|): at its lowest point, and where one coordinate is
/// all but zero.
#[test]
fn a_sphere_at_all_its_points() {
    let places = [
        ([0.0, 0.0, -1.0], [1.0, 0.5, 0.0]),
        ([1e-17, 0.6, -0.8], [1.0, 0.8, 0.6]),
        ([0.6, 1e-17, -0.8], [0.8, 1.0, 0.6]),
        ([0.6, -0.8, 0.0], [0.8, 0.6, 3.0]),
    ];
    for (r, v) in places {
        let square: f64 = v.iter().map(|v| v * v).sum();
        let load = square - 9.81 * r[2];
        let expected: Vec<f64> =
            (0..3).map(|k| -load * (r[k] + 0.2 * v[k] / square.sqrt()) - if k == 2 { 9.81 } else { 0.0 }).collect();
        assert_close(&accelerations(&ball(), &[], &r, &v), &expected);
    }
    // The speed is all that friction divides by.
    let solution = solved(&ball());
    let conditions = printed(&ball(), &solution, &solution.conditions);
    assert!(conditions.iter().all(|below| below.contains("b.x'^2 + b.y'^2 + b.z'^2")), "{conditions:?}");
}

/// s̈ = −g (sin θ + µ cos θ sgn ṡ), on level ground as well.
#[test]
fn an_incline_of_any_slope() {
    let incline = gallery("incline/incline.holo");
    for (angle, speed) in [(0.0_f64, 1.0), (0.0, -2.0), (0.3, 1.0), (-0.3, 1.0), (1.2, -1.0)] {
        let velocities = [speed * angle.cos(), speed * angle.sin()];
        let along = -9.81 * (angle.sin() + 0.8 * angle.cos() * speed.signum());
        let expected = [along * angle.cos(), along * angle.sin()];
        assert_close(&accelerations(&incline, &[("theta", angle)], &[0.0, 0.0], &velocities), &expected);
    }
}

/// A rough circle at its lowest point, and beside it.
#[test]
fn a_pendulum_at_its_lowest_point() {
    let equations = text(
        "
param      m = 1, L = 1, g = 9.81, mu = 0.2
particle   b: m in plane
gravity    (0, -g)
constraint rod: dot(b, b) = L^2
friction   rod: coulomb(mu)
start      b.x = 0.6, b.y ~ -0.8, b.x' = 1
",
    );
    let solution = solved(&equations);
    assert!(solution.conditions.is_empty() && solution.signs.is_empty(), "{:?}", solution.assumptions);
    for x in [0.0_f64, 1e-17, -0.1] {
        let (y, load) = (-(1.0 - x * x).sqrt(), 1.0 + 9.81 * (1.0 - x * x).sqrt());
        let (u, v) = (-y, x);
        let expected = [-load * (x + 0.2 * u), -load * (y + 0.2 * v) - 9.81];
        assert_close(&accelerations(&equations, &[], &[x, y], &[u, v]), &expected);
    }
}

/// A parameter is taken to be positive only where a formula would be another one otherwise, and then that is said.
#[test]
fn signs_of_parameters_that_matter_are_said() {
    let slider = |slip: &str| {
        text(&format!(
            "
param      m = 1, g = 9.81, mu = 0.2, k = 0.7, w = -2
coord      x, y
particle   b: m at (x, y)
gravity    (0, -g)
constraint floor: y = 0
friction   floor: coulomb(mu), slip = {slip}, normal = reaction(floor)
start      x = 0, x' = 1
"
        ))
    };
    let assumed = |equations: &Equations| {
        let solution = solved(equations);
        let signs: Vec<String> = solution.signs.iter().map(|&s| equations.model.symbol_name(s) + " > 0").collect();
        assert!(signs.iter().all(|sign| solution.assumptions.contains(sign)), "{:?}", solution.assumptions);
        signs
    };
    assert_eq!(assumed(&slider("k*x'")), ["k > 0"]);
    assert_eq!(assumed(&slider("k^2*x'")), [""; 0]);
    assert_eq!(assumed(&slider("w*x'")), [""; 0]);
    assert_eq!(
        assumed(&text("param m = 1, k = 0.7\ncoord x\nkinetic m*x'^2/2\npotential x^2*sqrt(k^2*x^2)\n")),
        ["k > 0"]
    );
    for name in ["block/block.holo", "ladder/ladder.holo", "belt/belt.holo", "pendulum/pendulum.holo"] {
        assert_eq!(assumed(&gallery(name)), [""; 0], "{name}");
    }
}
