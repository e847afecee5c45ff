//! Stories of the gallery, run to their end and held against closed forms and invariants.

use super::running::{Ran, reference, run_gallery, with};

fn story(name: &str) -> Ran {
    let run = run_gallery(name, &with(|_| ()), &[]);
    assert!(run.worst_residual() < 1e-12, "{name}: {:e}", run.worst_residual());
    assert!(run.imbalance() < 1e-9, "{name}: {:e}", run.imbalance());
    run
}

/// Appell's particle with drag, eq. 30 of the 2005 paper with a0 and α g(t), integrated apart.
fn appell(t: f64, y: &[f64; 6], a0: f64, slope: impl Fn(f64) -> f64) -> [f64; 6] {
    let (force, v) = ([1.0, 0.0, -9.81], [y[3], y[4], y[5]]);
    let u = v.map(|x| x * x).iter().sum::<f64>().sqrt();
    let k = (slope(t) - v[0] * force[0] - v[1] * force[1] + v[2] * force[2]) / (u * u);
    let drag = |x: f64| 2.0 * a0 * x / u;
    [
        v[0],
        v[1],
        v[2],
        force[0] + k * v[0] - drag(v[0] * v[2] * v[2]),
        force[1] + k * v[1] - drag(v[1] * v[2] * v[2]),
        force[2] - k * v[2] - drag(v[2] * (v[0] * v[0] + v[1] * v[1])),
    ]
}

const APPELL: [&str; 6] = ["x", "y", "z", "x'", "y'", "z'"];

fn assert_near<const N: usize>(found: [f64; N], exact: [f64; N], tolerance: f64) {
    for (a, b) in found.iter().zip(exact) {
        assert!((a - b).abs() < tolerance * (1.0 + b.abs()), "{found:?} {exact:?}");
    }
}

#[test]
fn appells_particle_with_quadratic_drag() {
    let run = story("appell/homogeneous");
    let exact = reference(
        |t, y| appell(t, y, 0.1 / 2f64.sqrt(), |_| 0.0),
        [0.0, 0.0, 0.0, 3.0, 4.0, 5.0],
        run.outcome.time,
        20_000,
    );
    assert_near(run.last(APPELL), exact, 1e-8);
}

#[test]
fn appells_particle_on_a_cone_that_breathes() {
    let run = story("appell/breathing");
    let start = [0.0, 0.0, 0.0, 3.0, 4.0, 5.0];
    let exact = reference(|t, y| appell(t, y, 0.1, |t| 0.5 * t.cos()), start, run.outcome.time, 20_000);
    assert_near(run.last(APPELL), exact, 1e-8);
    let speeds = run.columns(["t", "x'", "y'", "z'"]);
    for [t, x, y, z] in speeds {
        // The scale of the row: its slopes times the largest velocity.
        let (off, scale) = (x * x + y * y - z * z - t.sin(), 2.0 * 5.0 * (x.abs() + y.abs() + z.abs()));
        assert!(off.abs() < 1e-12 * scale, "{t}: {x} {y} {z} off by {off:e}");
    }
}

/// It does not slide down but wanders sideways, on a cycloid.
#[test]
fn skate_on_an_icy_slope() {
    let run = story("skate/skate");
    let rows = run.columns(["x", "y", "exact.1", "exact.2"]);
    for [x, y, exact_x, exact_y] in rows {
        assert!((x - exact_x).hypot(y - exact_y) < 1e-8, "{x} {exact_x}, {y} {exact_y}");
    }
    assert!(run.energy_drift() < 1e-8);
}

/// v = c tanh(kct + τ), and the sleigh ends up straight: θ by Gudermann's function.
#[test]
fn chaplygins_sleigh() {
    let run = story("sleigh/sleigh");
    let (m, j, a, v0, w0) = (1.0, 0.2, 0.3, 1.0, 2.0);
    let k = m * a / (j + m * a * a);
    let c = f64::sqrt(v0 * v0 + a / k * w0 * w0);
    let early = f64::atanh(v0 / c);
    let turned = |x: f64| 2.0 * (x / 2.0).tanh().atan();
    let exact = |t: f64| {
        let x = k * c * t + early;
        [(turned(x) - turned(early)) / (k * a).sqrt(), c * (k / a).sqrt() / x.cosh()]
    };
    let off = run.deviation(["theta", "theta'"], exact);
    assert!(off < 1e-8, "{off:e}");
    for [theta, x, y] in run.columns(["theta", "x'", "y'"]) {
        assert!((x * theta.sin() - y * theta.cos()).abs() < 1e-12);
    }
    assert!(run.energy_drift() < 1e-9, "{:e}", run.energy_drift());
}

/// The classical equations of the rolling disc in θ, its rates about the axes, and the heading; integrated apart.
#[test]
fn rolling_disc() {
    let run = story("rolling-disc/rolling-disc");
    let (m, r, g) = (1.0, 0.5, 9.81);
    let (a, c) = (m * r * r / 4.0, m * r * r / 2.0);
    let f = |_: f64, y: &[f64; 5]| {
        let [theta, w1, w2, w3, _] = *y;
        let heading = w2 / theta.sin();
        [
            w1,
            (a * w2 * heading * theta.cos() - (c + m * r * r) * w3 * w2 - m * g * r * theta.cos()) / (a + m * r * r),
            (c * w3 * w1 - a * heading * theta.cos() * w1) / a,
            m * r * r * w1 * w2 / (c + m * r * r),
            heading,
        ]
    };
    let theta = 1.2f64;
    let start = [theta, 0.0, 0.5 * theta.sin(), 0.5 * theta.cos() - 6.0, 0.0];
    let exact = reference(f, start, run.outcome.time, 40_000);
    assert_near(run.last(["theta", "theta'", "psi"]), [exact[0], exact[1], exact[4]], 1e-8);
    assert!(run.energy_drift() < 1e-8, "{:e}", run.energy_drift());
}

/// Jacobi's integral is kept where energy is not; and the motor's work is what energy gains.
#[test]
fn bead_on_a_rotating_hoop() {
    let run = story("hoop/hoop");
    let (m, r, w, g) = (0.1, 0.5, 6.0, 9.81);
    let jacobi =
        |theta: f64, rate: f64| m * r * r * (rate * rate - (w * theta.sin()).powi(2)) / 2.0 - m * g * r * theta.cos();
    for [theta, rate] in run.columns(["theta", "theta'"]) {
        assert!((jacobi(theta, rate) - jacobi(0.1, 0.0)).abs() < 1e-9 * m * g * r);
    }
    let held = story("hoop/held");
    let rows = held.columns(["theta", "theta'", "phi", "t", "kinetic", "potential", "work.motor"]);
    let start = rows[0];
    let mut largest: f64 = 0.0;
    for [theta, rate, phi, t, kinetic, potential, work] in rows {
        assert!((jacobi(theta, rate) - jacobi(0.5, 1.0)).abs() < 1e-9);
        assert!((phi - w * t).abs() < 1e-12 * (1.0 + w * t));
        assert!((kinetic + potential - start[4] - start[5] - work).abs() < 1e-9);
        largest = largest.max(work.abs());
    }
    assert!(largest > 0.05);
}

/// Udwadia & Phohomsiri 2006, section 5 with m₁ = 0: springs in series, once the hidden constraint is known.
#[test]
fn two_masses_of_which_one_is_missing() {
    let run = story("two-masses/massless");
    let (k1, k2, m2) = (30.0, 20.0, 1.0);
    let rate = f64::sqrt(k1 * k2 / (k1 + k2) / m2);
    // x₁ = 0.6 stretches the first spring by 0.1, and so the second by 0.15.
    let exact = |t: f64| [0.5 + 0.1 * (rate * t).cos(), 0.4 + 0.15 * (rate * t).cos()];
    let off = run.deviation(["one.x", "two.q2"], exact);
    assert!(off < 1e-8, "{off:e}");
    assert!(run.energy_drift() < 1e-8, "{:e}", run.energy_drift());
}

#[test]
fn two_masses() {
    let run = run_gallery("two-masses/two-masses", &with(|options| options.until = Some(10.0)), &[]);
    assert!(run.worst_residual() < 1e-12 && run.energy_drift() < 1e-8, "{:e}", run.energy_drift());
    let f = |_: f64, y: &[f64; 4]| {
        let force = [20.0 * (y[1] - 0.4), 30.0 * (y[0] - 0.5)];
        let x = (force[0] - force[1]) / 2.0;
        [y[2], y[3], x, -x - force[0]]
    };
    let exact = reference(f, [0.6, 0.48, 0.0, 0.0], 10.0, 20_000);
    assert_near(run.last(["one.x", "two.q2", "one.x'", "two.q2'"]), exact, 1e-8);
}

/// The mass matrix is singular: only the constraint moves y. Constant acceleration, constant reaction.
#[test]
fn wheel_on_an_incline() {
    let run = story("wheel/wheel");
    let alpha = 2.0 * 9.81 * 0.5 * 0.5 / (2.0 * 0.25 + 0.25);
    let exact = |t: f64| [alpha * t * t / 2.0, alpha * t, alpha * t * t / 8.0, alpha * t / 4.0, alpha, -2.0 * 9.81];
    let off = run.deviation(["theta", "theta'", "y", "y'", "theta''", "multiplier.no_slip"], exact);
    assert!(off < 1e-9, "{off:e}");
}

/// Ideal as the constraint is, it works: what gravity gives, it takes. v_y = v tanh(τ − gt/v).
#[test]
fn a_particle_held_at_constant_speed_is_worked_on() {
    let run = story("constant-speed/constant-speed");
    let (m, v, g) = (1.0, 3.0, 9.81);
    let early = f64::atanh(1.0 / v);
    let exact = |t: f64| {
        let x = early - g * t / v;
        let y = -v * v / g * (x.cosh().ln() - early.cosh().ln());
        [y, v * x.tanh(), m * g * y]
    };
    let off = run.deviation(["y", "y'", "work.cruise"], exact);
    assert!(off < 1e-8, "{off:e}");
    for [kinetic, work] in run.columns(["kinetic", "work.cruise"]).into_iter().skip(1) {
        assert!((kinetic - 4.5).abs() < 1e-11 && work != 0.0);
    }
    assert!(run.last(["work.cruise"])[0] < -30.0);
}
