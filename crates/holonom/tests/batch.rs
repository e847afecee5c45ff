//! Many states at once give what the kernel gives one by one, wherever they stand and however many they are.

use holonom::language::from_text;
use holonom::mechanics::compile::{CompiledSystem, Group};
use holonom::mechanics::derive::derive;
use holonom::simulate::batch::{Accelerations, Alone, States, Trouble};
use holonom::{Snapshot, solve};
use std::num::NonZero;

const FOUR_BAR: &str = include_str!("../../../gallery/n-four-bar/n-four-bar.holo");
const ANDREWS: &str = include_str!("../../../gallery/andrews/andrews.holo");

fn system(text: &str) -> CompiledSystem {
    let loaded = from_text("model.holo", text);
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    CompiledSystem::new(derive(model).expect("a good model").value)
}

fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Quantity after quantity from state after state.
fn turn(states: &[Vec<f64>]) -> Vec<f64> {
    let width = states.first().map_or(0, Vec::len);
    (0..width).flat_map(|i| states.iter().map(move |state| state[i])).collect()
}

/// P5: states of the four-bar, and their exact accelerations.
fn four_bars(angles: impl Iterator<Item = (f64, f64)>) -> [Vec<Vec<f64>>; 3] {
    let (mut q, mut v, mut exact) = (vec![], vec![], vec![]);
    for (angle, rate) in angles {
        let (s, c) = angle.sin_cos();
        let alpha = 1.2 * 9.81 * s;
        let (x, y) = (alpha * c - rate * rate * s, -alpha * s - rate * rate * c);
        // Coordinates are x₀, y₀, x₁, y₁.
        q.push(vec![s, c, s + 1.0, c]);
        v.push(vec![rate * c, -rate * s, rate * c, -rate * s]);
        exact.push(vec![x, y, x, y]);
    }
    [q, v, exact]
}

fn p5(count: usize) -> impl Iterator<Item = (f64, f64)> {
    let mut seed = 5;
    (0..count).map(move |_| (1.2 * random(&mut seed), 3.0 * random(&mut seed)))
}

/// The kernel's acceleration at one state.
fn by_kernel(system: &CompiledSystem, q: &[f64], v: &[f64]) -> Vec<f64> {
    let mut values = system.values(Group::Dynamics);
    system.at(0.0, q, v, &mut values);
    let snapshot = Snapshot::new(values.mass(), values.force()).constrained(values.a(), values.b());
    solve(&snapshot).expect("a mechanical system").acceleration
}

/// States on the constraints: random positions around those given, moved back by Newton steps of least norm, and random velocities.
fn near_constraints(system: &CompiledSystem, around: &[f64], wide: f64, count: usize) -> [Vec<Vec<f64>>; 2] {
    let n = system.coordinates();
    let unit: Vec<f64> = (0..n * n).map(|i| f64::from(u8::from(i % (n + 1) == 0))).collect();
    let mut values = system.values(Group::Position);
    let mut seed = 17;
    let mut states = [Vec::new(), Vec::new()];
    while states[0].len() < count {
        let mut q: Vec<f64> = around.iter().map(|x| x + wide * random(&mut seed)).collect();
        let mut off = f64::INFINITY;
        for _ in 0..20 {
            system.at(0.0, &q, &vec![0.0; n], &mut values);
            off = values.residual().iter().fold(0.0, |off: f64, x| off.max(x.abs()));
            let back: Vec<f64> = values.residual().iter().map(|x| -x).collect();
            let step = solve(&Snapshot::new(&unit, &vec![0.0; n]).constrained(values.a(), &back)).expect("rows");
            q.iter_mut().zip(&step.acceleration).for_each(|(q, step)| *q += step);
        }
        if off < 1e-12 {
            states[0].push(q);
            states[1].push((0..n).map(|_| random(&mut seed)).collect());
        }
    }
    states
}

/// The largest differences of accelerations and of reactions to the kernel's, relative to the largest of each state.
fn with_reactions(
    system: &CompiledSystem,
    q: &[Vec<f64>],
    v: &[Vec<f64>],
) -> ([f64; 2], holonom::simulate::batch::BatchReport) {
    let (n, m, count) = (q[0].len(), system.rows(), q.len());
    let mut out = vec![0.0; n * count];
    let (all_q, all_v) = (turn(q), turn(v));
    let states = States { count, q: &all_q, v: &all_v, ..States::default() };
    let report = Accelerations::new(system).evaluate(&states, &mut out);
    let unit: Vec<f64> = (0..n * n).map(|i| f64::from(u8::from(i % (n + 1) == 0))).collect();
    let mut values = system.values(Group::Dynamics);
    let (mut c, none) = (vec![0.0; n], vec![0.0; m]);
    let mut worst = [0.0f64; 2];
    for k in 0..count {
        system.at(0.0, &q[k], &v[k], &mut values);
        system.nonideal(&values, |_| true, &none, &none, &mut c);
        let (mass, force, a) = (values.mass(), values.force(), values.a());
        let motion = solve(&Snapshot::new(mass, force).constrained(a, values.b()).nonideal(&c)).expect("a motion");
        assert!(motion.is_unique() && motion.mass_rank < n, "M is singular, and the motion unique");
        let found: Vec<f64> = (0..n).map(|i| out[i * count + k]).collect();
        // M q̈ − Q − C = Aᵀλ: what is left of it when the rows have taken their part is nothing, and that part gives λ.
        let needed: Vec<f64> =
            (0..n).map(|i| (0..n).map(|j| mass[i * n + j] * found[j]).sum::<f64>() - force[i] - c[i]).collect();
        let split = solve(&Snapshot::new(&unit, &needed).constrained(a, &none)).expect("a motion");
        let reactions: Vec<f64> = split.reactions.iter().map(|x| -x).collect();
        let apart = |found: &[f64], expected: &[f64], size: f64| {
            found.iter().zip(expected).fold(0.0f64, |worst, (x, y)| worst.max((x - y).abs() / size))
        };
        let size = |list: &[f64]| list.iter().fold(1e-3, |size: f64, x| size.max(x.abs()));
        worst[0] = worst[0].max(apart(&found, &motion.acceleration, size(&motion.acceleration)));
        worst[1] = worst[1].max(apart(&reactions, &motion.reactions, size(&motion.reactions)));
        worst[1] = worst[1].max(apart(&split.acceleration, &vec![0.0; n], size(&needed)));
    }
    (worst, report)
}

/// The largest difference to the kernel, relative to the largest acceleration of each state.
fn beside_kernel(
    system: &CompiledSystem,
    q: &[Vec<f64>],
    v: &[Vec<f64>],
) -> (f64, holonom::simulate::batch::BatchReport) {
    let (n, count) = (q[0].len(), q.len());
    let mut out = vec![0.0; n * count];
    let (all_q, all_v) = (turn(q), turn(v));
    let states = States { count, q: &all_q, v: &all_v, ..States::default() };
    let report = Accelerations::new(system).evaluate(&states, &mut out);
    let mut worst = 0.0f64;
    for k in 0..count {
        let expected = by_kernel(system, &q[k], &v[k]);
        let size = expected.iter().fold(1e-3, |size: f64, x| size.max(x.abs()));
        for (i, x) in expected.iter().enumerate() {
            worst = worst.max((out[i * count + k] - x).abs() / size);
        }
    }
    (worst, report)
}

#[test]
fn four_bars_accelerate_as_the_closed_form_says() {
    let system = system(&FOUR_BAR.replace("N = 10", "N = 1"));
    let [q, v, exact] = four_bars(p5(1000));
    let (all_q, all_v) = (turn(&q), turn(&v));
    let mut out = vec![0.0; 4000];
    let accelerations = Accelerations::new(&system);
    let states = States { count: 1000, q: &all_q, v: &all_v, ..States::default() };
    let report = accelerations.evaluate(&states, &mut out);
    assert!(report.redone.is_empty() && report.troubles.is_empty());
    for (found, exact) in out.iter().zip(turn(&exact)) {
        assert!((found - exact).abs() < 1e-12 * (1.0 + exact.abs()), "{found} {exact}");
    }
    assert!(accelerations.operations().is_some_and(|count| count < 150), "{:?}", accelerations.operations());
    let (worst, _) = beside_kernel(&system, &q[..100], &v[..100]);
    assert!(worst < 1e-12, "{worst:e}");
}

/// The law of the batch: bits depend on the state alone.
#[test]
fn neighbours_places_and_threads_change_no_bit() {
    for (text, far) in [(FOUR_BAR.replace("N = 10", "N = 1"), false), (ANDREWS.to_string(), true)] {
        let system = system(&text);
        let (q, v) = if far {
            let mut seed = 3;
            let mut some = || (0..700).map(|_| (0..7).map(|_| 0.3 * random(&mut seed)).collect()).collect();
            (some(), some())
        } else {
            // Singular ones among them.
            let singular = |(i, (angle, rate)): (usize, (f64, f64))| match i % 37 {
                0 => (std::f64::consts::FRAC_PI_2, rate),
                _ => (angle, rate),
            };
            let [q, v, _] = four_bars(p5(700).enumerate().map(singular));
            (q, v)
        };
        let n = q[0].len();
        let evaluate = |range: std::ops::Range<usize>, threads: usize| {
            let (all_q, all_v) = (turn(&q[range.clone()]), turn(&v[range.clone()]));
            let states = States { count: range.len(), q: &all_q, v: &all_v, ..States::default() };
            let mut out = vec![0.0; n * range.len()];
            let threads = NonZero::new(threads).expect("some");
            let report = Accelerations::new(&system).threads(threads).evaluate(&states, &mut out);
            (out, report)
        };
        let (whole, report) = evaluate(0..700, 1);
        assert_eq!(report.redone.is_empty(), far);
        for (range, threads) in [(0..1, 1), (5..12, 1), (64..128, 1), (63..200, 2), (1..700, 3), (0..700, 2)] {
            let (some, _) = evaluate(range.clone(), threads);
            for i in 0..n {
                for (at, k) in range.clone().enumerate() {
                    let (found, expected) = (some[i * range.len() + at], whole[i * 700 + k]);
                    assert_eq!(found.to_bits(), expected.to_bits(), "{range:?} {i} {k}");
                }
            }
        }
    }
}

#[test]
fn singular_states_are_done_again_by_the_kernel() {
    let system = system(&FOUR_BAR.replace("N = 10", "N = 1"));
    let right = std::f64::consts::FRAC_PI_2;
    // Far from the singular configuration, near it, at it.
    let angles = [0.3, right - 1e-3, right - 1e-5, right, -right, 1.0];
    let [q, v, _] = four_bars(angles.into_iter().map(|angle| (angle, 0.0)));
    let (worst, report) = beside_kernel(&system, &q, &v);
    assert_eq!(report.redone, [1, 2, 3, 4]);
    assert!(worst < 1e-12, "{worst:e}");
}

#[test]
fn repeated_rows_are_found_everywhere() {
    let text = FOUR_BAR.replace("N = 10", "N = 1") + "constraint again: x[0]^2 + y[0]^2 = 1\n";
    let system = system(&text);
    let [q, v, _] = four_bars(p5(50));
    let (worst, report) = beside_kernel(&system, &q, &v);
    assert_eq!(report.redone.len(), 50);
    assert!(worst < 1e-12 && report.troubles.is_empty(), "{worst:e}");
}

#[test]
fn contradictions_and_what_is_no_number_are_named() {
    let system =
        system("coord x, y\nkinetic x'^2/2 + y'^2/2\nconstraint one: x = 0\nconstraint two: x*y = 0\nstart x = 0\n");
    // Where y = 0 the second row says 2 x' y' = 0, and nothing else.
    let q = turn(&[vec![0.0, 1.0], vec![0.0, 0.0], vec![0.0, f64::NAN], vec![0.0, 0.0]]);
    let v = turn(&[vec![0.0, 1.0], vec![1.0, 1.0], vec![0.0, 1.0], vec![0.0, 1.0]]);
    let mut out = vec![0.0; 8];
    let states = States { count: 4, q: &q, v: &v, ..States::default() };
    let report = Accelerations::new(&system).evaluate(&states, &mut out);
    assert_eq!(report.redone, [0, 1, 2, 3]);
    assert_eq!(report.troubles.len(), 2, "{:?}", report.troubles);
    assert_eq!(report.troubles[0], (1, Trouble::Contradiction));
    assert!(matches!(report.troubles[1], (2, Trouble::Refused(_))));
    assert!(out[0] == 0.0 && out[1].is_nan() && out[2].is_nan() && out[3] == 0.0);
}

#[test]
fn mechanisms_with_angles_agree_with_the_kernel() {
    let pendulum = "param n = 4, g = 9.81, m[i in 1..n] = 1 + i/10, l[i in 1..n] = 1/(1 + i/10)
coord theta[1..n]
let x[0] = 0, x[i in 1..n] = x[i-1] + l[i]*sin(theta[i]), y[0] = 0, y[i in 1..n] = y[i-1] - l[i]*cos(theta[i])
kinetic sum(i in 1..n, m[i]*(x[i]'^2 + y[i]'^2)/2)
potential sum(i in 1..n, m[i]*g*y[i])
start theta[i in 1..n] = pi/4
";
    for (text, n) in [(ANDREWS, 7), (pendulum, 4)] {
        let system = system(text);
        let mut seed = 11;
        let mut some = || -> Vec<Vec<f64>> { (0..40).map(|_| (0..n).map(|_| random(&mut seed)).collect()).collect() };
        let (q, v) = (some(), some());
        let (worst, report) = beside_kernel(&system, &q, &v);
        assert!(worst < 1e-10, "{worst:e}");
        assert!(report.redone.len() < 20, "{report:?}");
    }
}

#[test]
fn parameters_of_each_state_and_those_made_of_them() {
    let text = "param N = 2, l = 1/N, m = 1, g = 9.81
coord x, y
kinetic m*(x'^2 + y'^2)/2
potential m*g*y
constraint rod: sqrt(x^2 + y^2) = l
force x: m^2
start x = l
";
    let plain = system(text);
    let accelerations = Accelerations::over(&plain, &["N", "m"]).expect("they exist");
    let mut seed = 2;
    let sets: Vec<Vec<f64>> = (0..30).map(|_| vec![2.5 + random(&mut seed), 2.0 + random(&mut seed)]).collect();
    let q: Vec<Vec<f64>> = sets.iter().map(|set| vec![0.6 / set[0], -0.8 / set[0]]).collect();
    let v: Vec<Vec<f64>> = sets.iter().map(|set| vec![0.8 * set[1], 0.6 * set[1]]).collect();
    let (all_q, all_v, parameters) = (turn(&q), turn(&v), turn(&sets));
    let states = States { count: 30, q: &all_q, v: &all_v, parameters: &parameters, ..States::default() };
    let mut out = vec![0.0; 60];
    let report = accelerations.evaluate(&states, &mut out);
    assert!(report.redone.is_empty());
    for (k, set) in sets.iter().enumerate() {
        let own = plain.with_parameters(&[("N", set[0]), ("m", set[1])]).expect("they exist");
        for (i, x) in by_kernel(&own, &q[k], &v[k]).iter().enumerate() {
            assert!((out[i * 30 + k] - x).abs() < 1e-12 * (1.0 + x.abs()), "{k} {i}");
        }
    }
    assert!(Accelerations::over(&plain, &["nobody"]).is_err());
    // A parameter that was set does not follow.
    let set = plain.with_parameter("l", 0.4).expect("it exists");
    let accelerations = Accelerations::over(&set, &["N"]).expect("it exists");
    let states = States { count: 1, q: &[0.24, -0.32], v: &[0.0, 0.0], parameters: &[7.0], ..States::default() };
    accelerations.evaluate(&states, &mut out);
    let expected = by_kernel(&set, &[0.24, -0.32], &[0.0, 0.0]);
    assert!((out[0] - expected[0]).abs() < 1e-13 && (out[1] - expected[1]).abs() < 1e-13);
}

#[test]
fn negative_masses_are_refused_and_missing_ones_are_not() {
    let text = "param m = 1\ncoord x, y\nkinetic m*x'^2/2 + (2 + sin(x))*y'^2/2\nforce x: 3\nstart x = 0\n";
    let plain = system(text);
    let accelerations = Accelerations::over(&plain, &["m"]).expect("it exists");
    let parameters = [1.0, -1.0, 2.0];
    let (q, v) = ([0.0; 6], [0.0; 6]);
    let states = States { count: 3, q: &q, v: &v, parameters: &parameters, ..States::default() };
    let mut out = [0.0; 6];
    let report = accelerations.evaluate(&states, &mut out);
    assert_eq!(report.redone, [1]);
    assert!(matches!(report.troubles[..], [(1, Trouble::Refused(_))]));
    assert_eq!((out[0], out[2]), (3.0, 1.5));
    // The wheel of Udwadia & Phohomsiri 2006, example 1: y has no mass, and the row stands in for it.
    let wheel = "coord theta, y\nkinetic 3*theta'^2/8\npotential -19.62*y\nstart theta = 0\n";
    let rolling = system(&(wheel.to_string() + "constraint no_slip: y = theta/4\n"));
    let accelerations = Accelerations::new(&rolling);
    assert_eq!(accelerations.alone(), None);
    let states = States { count: 2, q: &[0.0; 4], v: &[0.0; 4], ..States::default() };
    let report = accelerations.evaluate(&states, &mut out);
    assert!(report.redone.is_empty() && report.troubles.is_empty() && (out[0] - 6.54).abs() < 1e-13);
    // Without it nothing does.
    let accelerations = Accelerations::new(&system(wheel));
    assert_eq!(accelerations.alone(), Some(Alone::Massless { coordinate: 1 }));
    let report = accelerations.evaluate(&states, &mut out);
    assert_eq!(report.redone, [0, 1]);
    assert_eq!(report.troubles, [(0, Trouble::Unbalanced), (1, Trouble::Unbalanced)]);
}

/// P9: a body of inertia 1, 2, 3 with a unit quaternion.
const FREE_BODY: &str = "param J1 = 1, J2 = 2, J3 = 3
coord e0, e1, e2, e3
let w1 = 2*(e0*e1' - e1*e0' + e3*e2' - e2*e3')
let w2 = 2*(e0*e2' - e2*e0' + e1*e3' - e3*e1')
let w3 = 2*(e0*e3' - e3*e0' + e2*e1' - e1*e2')
kinetic (J1*w1^2 + J2*w2^2 + J3*w3^2)/2
constraint unit: e0^2 + e1^2 + e2^2 + e3^2 = 1
start e0 = 1, e1 = 0, e2 = 0, e3 = 0, e1' = 0.005, e2' = 0.5
";

/// Two bodies with unit quaternions; the first hangs from a ball joint, the second from the first.
const BALL_JOINTS: &str = "param g = 9.81, m[1] = 2, m[2] = 1, J1 = 0.02, J2 = 0.05, J3 = 0.06
particle c[i in 1..2]: m[i] in space
gravity (0, 0, -g)
coord e0[1..2], e1[1..2], e2[1..2], e3[1..2]
let turn(a, b, c, d, v) = v + 2*cross((b, c, d), cross((b, c, d), v) + a*v)
let arm[i in 1..2] = turn(e0[i], e1[i], e2[i], e3[i], (0.1, 0.2, -0.4))
let w[i in 1..2] = 2*(e0[i]*(e1[i]', e2[i]', e3[i]') - e0[i]'*(e1[i], e2[i],
    e3[i]) - cross((e1[i], e2[i], e3[i]), (e1[i]', e2[i]', e3[i]')))
kinetic sum(i in 1..2, J1*w[i].x^2 + J2*w[i].y^2 + J3*w[i].z^2)/2
constraint unit[i in 1..2]: e0[i]^2 + e1[i]^2 + e2[i]^2 + e3[i]^2 = 1
constraint ball1: c[1] - arm[1] = (0, 0, 0)
constraint ball2: c[2] - arm[2] = c[1] + arm[1]
start e0[i in 1..2] = 1, e1[i in 1..2] = 0, e2[i in 1..2] = 0, e3[i in 1..2] = 0
";

/// A slider crank whose rod has no mass and an angle `phi` of its own; the crank turns by the sum of two angles in gear.
const MASSLESS_ROD: &str = "param J = 0.3, m = 2, r = 0.3, L = 1, g = 9.81
coord theta, psi, phi, x
kinetic J*(theta' + psi')^2/2 + m*x'^2/2
potential m*g*x
constraint gear: psi = 2*theta
constraint along: x = r*cos(theta + psi) + L*cos(phi)
constraint across: r*sin(theta + psi) = L*sin(phi)
start theta = 0.3
";

/// Where M is singular, rows stand in for the mass that is missing: states are done in lanes, C ≠ 0 or not.
#[test]
fn singular_masses_are_done_in_lanes() {
    let dragged = FREE_BODY.to_string() + "nonideal unit: [0.3 - 0.1*e0', 0.2*e3, -e2', 0.5*e1]\n";
    let body = [0.0; 4];
    // Coordinates are those of the particles, then e0, e1, e2, e3 of both bodies.
    let bodies = [0.1, 0.2, -0.4, 0.3, 0.6, -1.2, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let crank = [0.3, 0.6, 0.2, 1.2];
    let cases: [(&str, &str, &[f64], f64); 4] = [
        ("free body", FREE_BODY, &body, 1.0),
        ("ball joints", BALL_JOINTS, &bodies, 1.5),
        ("massless rod", MASSLESS_ROD, &crank, 0.5),
        ("non-ideal", &dragged, &body, 1.0),
    ];
    for (name, text, around, wide) in cases {
        let system = system(text);
        let [q, v] = near_constraints(&system, around, wide, 300);
        let (worst, report) = with_reactions(&system, &q, &v);
        assert!(worst.iter().all(|worst| *worst < 1e-10), "{name}: {worst:?}");
        assert!(report.troubles.is_empty(), "{name}: {:?}", report.troubles);
        assert!(report.redone.len() <= 3, "{name}: {} of 300 were done one by one", report.redone.len());
    }
}

/// Rows that stand in for mass must not hide that it is negative: such states are refused, as they are one by one.
#[test]
fn rows_that_stand_in_for_mass_hide_no_negative_one() {
    let wheel = system(
        "param m = 0\ncoord theta, y\nkinetic 3*theta'^2/8 + m*y'^2/2\npotential -19.62*y\nconstraint no_slip: y = theta/4\nstart theta = 0\n",
    );
    let accelerations = Accelerations::over(&wheel, &["m"]).expect("it exists");
    let parameters = [0.0, -1e-9, -0.1, 0.1, 20.0];
    let states = States { count: 5, q: &[0.0; 10], v: &[0.0; 10], parameters: &parameters, ..States::default() };
    let mut out = [0.0; 10];
    let report = accelerations.evaluate(&states, &mut out);
    assert_eq!(report.redone, [1, 2]);
    assert!(matches!(report.troubles[..], [(1, Trouble::Refused(_)), (2, Trouble::Refused(_))]), "{report:?}");
    for (k, m) in parameters.iter().enumerate().filter(|(_, m)| **m >= 0.0) {
        let exact = 4.905 / (0.75 + m / 16.0);
        assert!((out[k] - exact).abs() < 1e-13 * exact, "{} {exact}", out[k]);
    }
    let body = system(FREE_BODY);
    let accelerations = Accelerations::over(&body, &["J1"]).expect("it exists");
    let q = turn(&vec![vec![0.1, 0.3, -0.9, 0.3]; 4]);
    let v = turn(&vec![vec![0.4, -0.2, 0.5, 0.1]; 4]);
    let states = States { count: 4, q: &q, v: &v, parameters: &[1.0, -1.0, -1e-3, 0.5], ..States::default() };
    let mut out = [0.0; 16];
    let report = accelerations.evaluate(&states, &mut out);
    assert_eq!(report.redone, [1, 2]);
    assert!(matches!(report.troubles[..], [(1, Trouble::Refused(_)), (2, Trouble::Refused(_))]), "{report:?}");
}

#[test]
fn friction_is_decided_state_by_state() {
    let text = "param m = 2, g = 9.81, theta = pi/6, mu = 0.2
coord x, y
particle block: m at (x, y)
gravity (0, -g)
constraint plane: y = x*tan(theta)
friction plane: coulomb(mu)
start x = 0, x' = 1
";
    let system = system(text);
    let accelerations = Accelerations::new(&system);
    assert_eq!(accelerations.alone(), Some(Alone::Feedback));
    let (s, c) = (std::f64::consts::PI / 6.0).sin_cos();
    let v = [c, -c, s, -s];
    let mut out = [0.0; 4];
    let states = States { count: 2, q: &[0.0; 4], v: &v, ..States::default() };
    let report = accelerations.evaluate(&states, &mut out);
    assert!(report.troubles.is_empty(), "{report:?}");
    // Up the plane friction helps gravity, down it works against it.
    for (found, sign) in out[..2].iter().zip([1.0, -1.0]) {
        assert!((found + 9.81 * c * (s + sign * 0.2 * c)).abs() < 1e-12, "{found}");
    }
}
