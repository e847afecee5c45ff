//! Laws that every motion obeys, whatever the model.

use super::running::{run, run_gallery, with};
use holonom::simulate::integrate::Run;

/// A column of accelerations is the derivative of the column of velocities, and that of positions.
#[test]
fn columns_are_derivatives_of_each_other() {
    let h = 1e-3;
    let run = run_gallery("rolling-disc/rolling-disc", &with(|options| options.every = Some(h)), &[]);
    for name in ["x", "y", "z", "psi", "theta", "phi"] {
        let rows = run.columns([name, &format!("{name}'"), &format!("{name}''")]);
        let size = rows.iter().fold(1.0, |m: f64, row| m.max(row[2].abs()));
        for k in 2..rows.len() - 2 {
            for level in [0, 1] {
                let slope = (rows[k - 2][level] - rows[k + 2][level] + 8.0 * (rows[k + 1][level] - rows[k - 1][level]))
                    / (12.0 * h);
                let given = rows[k][level + 1];
                assert!((slope - given).abs() < 1e-6 * size, "{name} {k} {level}: {slope} {given}");
            }
        }
    }
}

/// M q̈ = Q + Qᵢ + Qₙᵢ at every row: here M = m and Q = (0, −mg) for each mass of the chain.
#[test]
fn newton_holds_at_every_row() {
    let run = run_gallery("chain/chain", &with(|_| ()), &[]);
    for i in [1, 5, 10] {
        let names = ["x''", "y''"].map(|end| format!("p[{i}].{end}"));
        let forces = ["x", "y"].map(|end| format!("Qi.p[{i}].{end}"));
        for [ax, ay, fx, fy] in run.columns([&names[0], &names[1], &forces[0], &forces[1]]) {
            let size = 1.0 + fx.abs() + fy.abs();
            assert!((ax - fx).abs() < 1e-9 * size && (ay + 9.81 - fy).abs() < 1e-9 * size);
        }
    }
}

/// A free particle keeps its velocity, whatever the step.
#[test]
fn a_free_particle() {
    let text = "coord x, y\nparticle p: 1 at (x, y)\nstart x = 1, y = 2, x' = 3, y' = -4\nrun until 1000\n";
    let run = run(text, &with(|_| ()), &[]);
    let off = run.deviation(["x", "y", "x'", "y'"], |t| [1.0 + 3.0 * t, 2.0 - 4.0 * t, 3.0, -4.0]);
    assert!(off < 1e-9, "{off:e}");
    assert!(run.outcome.statistics.steps < 100, "{:?}", run.outcome.statistics);
}

/// Everything at rest stays at rest, to the bit.
#[test]
fn rest_is_rest() {
    let text = "param g = 9.81\ncoord x, y\nparticle p: 1 at (x, y)\ngravity (0, -g)
constraint rod: x^2 + y^2 = 1\nstart x = 0, y = -1\nrun until 100\n";
    let run = run(text, &with(|_| ()), &[]);
    assert_eq!(run.deviation(["x", "y", "x'", "y'", "x''", "y''"], |_| [0.0, -1.0, 0.0, 0.0, 0.0, 0.0]), 0.0);
}

/// Units are a matter of the page: a motion in millimetres is the motion in metres.
#[test]
fn scales_do_not_matter() {
    let text = |scale: f64| {
        format!(
            "param g = {g}, L = {scale}\ncoord x, y\nparticle p: 1 at (x, y)\ngravity (0, -g)
constraint rod: x^2 + y^2 = L^2\nstart x = L, y = 0\nrun until 10, every 1\n",
            g = 9.81 * scale
        )
    };
    let (metres, other) = (run(&text(1.0), &with(|_| ()), &[]), run(&text(1024.0), &with(|_| ()), &[]));
    assert_eq!(metres.outcome.statistics.steps, other.outcome.statistics.steps);
    for (a, b) in metres.columns(["x", "y", "x'"]).iter().zip(other.columns(["x", "y", "x'"])) {
        for (a, b) in a.iter().zip(b) {
            assert!((1024.0 * a - b).abs() < 1e-9 * 1024.0, "{a} {b}");
        }
    }
}

/// What nothing determines does what `free` says, and touches nothing else (2006, eq. 2.14 with η chosen).
#[test]
fn a_free_coordinate_does_as_it_is_told() {
    let text = "param m = 2, R = 0.5, Ic = 0.25, alpha = pi/6, g = 9.81
coord theta, y, x
kinetic (m*R^2 + Ic)*theta'^2/2
potential -m*g*y
constraint no_slip: y = R*theta*sin(alpha)
free x'' = 6*t
start theta = 0, x = 0
run until 2, every 0.5
";
    let wheel = |t: f64| 6.54 * t * t / 2.0;
    let free = run(text, &Run::default(), &[]);
    assert!(free.deviation(["x", "x'", "theta"], |t| [t.powi(3), 3.0 * t * t, wheel(t)]) < 1e-9);
    let still = run(&text.replace("free x'' = 6*t", "free zero"), &Run::default(), &[]);
    assert!(still.deviation(["x", "x'", "theta"], |t| [0.0, 0.0, wheel(t)]) < 1e-9);
}

/// A direction without mass that turns with the state, and that rows of velocities alone determine: written in coordinates that mix it with
/// what has mass, and in others that keep it apart.
#[test]
fn massless_directions_that_rows_of_velocities_determine() {
    let mixed = "\
coord a, b, y, s, r
kinetic 1/2*((a' - cos(s)*s' + r*r')^2 + (b' - s'*r - s*r')^2 + y'^2)
potential 9.81*y + 0.3*(b - s*r)
constraint circle: (a - sin(s) + r^2/2)^2 + (b - s*r)^2 + y^2 = 1
constraint one: s' + r' = (a - sin(s) + r^2/2)*y' + y
constraint two: s' - 2*r' = (b - s*r)*y' - y
start a = 0.6 + sin(0.3) - 0.02, b = 0.06, y = 0.8, s = 0.3, r = 0.2
output x: a - sin(s) + r^2/2
output z: b - s*r
";
    let apart = "\
coord x, z, y, s, r
kinetic 1/2*(x'^2 + z'^2 + y'^2)
potential 9.81*y + 0.3*z
constraint circle: x^2 + z^2 + y^2 = 1
constraint one: s' + r' = x*y' + y
constraint two: s' - 2*r' = z*y' - y
start x = 0.6, z = 0, y = 0.8, s = 0.3, r = 0.2
";
    let [mixed, apart] = [mixed, apart].map(|text| run(text, &with(|options| options.until = Some(5.0)), &[]));
    assert!(mixed.outcome.evidence.position_residual < 1e-14);
    let names = ["x", "y", "z", "s", "r"];
    for ((one, other), name) in mixed.last(names).into_iter().zip(apart.last(names)).zip(names) {
        assert!((one - other).abs() < 1e-8, "{name}: {one} {other}");
    }
}
