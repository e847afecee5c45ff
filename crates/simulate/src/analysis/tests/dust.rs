//! Start values that are zero up to rounding, and those that are only small.

use super::super::{CheckOptions, State};
use super::{checked, checked_with};
use crate::integrate;
use holonom_language::from_text;
use holonom_mechanics::compile::CompiledSystem;
use holonom_mechanics::derive::derive;

/// A slider-crank, glued from three parts.
const SLIDER_CRANK: &str = "part crank
  param m = 1 kg, r = 0.1 m
  coord phi: rad
  let tip = (r*cos(phi), r*sin(phi))
  kinetic m*(r*phi')^2/6
part rod
  param m = 1 kg, L = 0.3 m
  coord x: m, y: m, a: rad
  let tail = (x, y) - L/2*(cos(a), sin(a)), head = (x, y) + L/2*(cos(a), sin(a))
  kinetic m*(x'^2 + y'^2)/2 + m*L^2/12*a'^2/2
part slide
  param m = 2 kg
  coord s: m, h: m
  kinetic m*(s'^2 + h'^2)/2
  constraint rail: h = 0 m
connect pin: crank.tip = rod.tail
connect eye: rod.head = (slide.s, slide.h)
run until 0.1 s
";

/// Whether a value is zero, or no less than what `size` makes of rounding.
fn is_no_dust(value: f64, size: f64) -> bool {
    value == 0.0 || value.abs() > 1e-12 * size
}

#[track_caller]
fn no_dust(state: &State) {
    let all = state.positions.iter().chain(&state.velocities);
    assert!(all.clone().all(|&x| is_no_dust(x, 0.1)), "{state:?}");
}

#[test]
fn parts_start_at_exact_zeros_and_run() {
    for angle in [0, 30, 45, 60, 90, 120, 135, 150, 180, 210, 270, 300, -90] {
        let text = format!("{SLIDER_CRANK}start crank.phi = {angle} deg, crank.phi' = 10 1/s, rod.a ~ 0\n");
        let (report, diagnostics) = checked(&text);
        assert!(diagnostics.is_empty(), "{angle}: {diagnostics:#?}");
        no_dust(&report.start);
        let system = CompiledSystem::new(derive(from_text("crank.holo", &text).model.unwrap()).unwrap().value);
        let plan = integrate::plan(&system, &integrate::Run::default()).unwrap().value;
        let outcome = plan.run(&mut integrate::RecordedRows::default());
        assert_eq!(outcome.end, integrate::End::Finished, "{angle}");
    }
    // Without a guess, too, everything follows.
    let (report, diagnostics) = checked(&format!("{SLIDER_CRANK}start crank.phi = 0, crank.phi' = 10 1/s\n"));
    assert!(diagnostics.iter().all(|d| d.code == "start-branch"), "{diagnostics:#?}");
    no_dust(&report.start);
}

/// What is small by its own rows stays, with units and without.
#[test]
fn a_small_libration_beside_large_positions_stays() {
    for (metres, radians) in [("", ""), (": m", ": rad")] {
        let one = if metres.is_empty() { "" } else { " m" };
        let kilogram = if metres.is_empty() { "1" } else { "(1 kg)" };
        let text = format!(
            "param R = 1e8{one}\ncoord x{metres}, y{metres}, a{radians}, b{radians}\n\
             kinetic {kilogram}*(x'^2 + y'^2 + (1{one})^2*(a'^2 + b'^2))/2\n\
             constraint on: (x, y) = R*(cos(a), sin(a))\nconstraint geared: b = 2*a\n"
        );
        for start in ["a = 1e-8", "b = 2e-8", &format!("y = 1{one}, x ~ 1e8{one}")] {
            let (report, _) = checked(&format!("{text}start {start}\n"));
            let [x, y, a, b] = report.start.positions[..] else { panic!("{report}") };
            for (found, expected) in [(x, 1e8), (y, 1.0), (a, 1e-8), (b, 2e-8)] {
                assert!((found - expected).abs() <= 1e-14 * expected, "{start}: {:?}", report.start);
            }
        }
    }
}

/// Rows of any magnitude, and small values that rows determine.
#[test]
fn rows_of_any_magnitude_determine_what_is_missing() {
    for unit in [1e-300, 1e-100, 1e-17, 1.0, 1e17, 1e100, 1e300] {
        let text = format!(
            "param u = {unit:e}\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n\
             constraint sum: u*x + u*y = 3*u\nconstraint difference: u*x - u*y = u\n"
        );
        let (report, diagnostics) = checked(&text);
        assert!(!crate::analysis::has_errors(&diagnostics), "{unit:e}: {diagnostics:#?}");
        assert!((report.start.positions[0] - 2.0).abs() < 1e-14, "{unit:e}: {:?}", report.start);
        let text =
            format!("param u = {unit:e}\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x = u\nstart y = 1\n");
        assert_eq!(checked(&text).0.start.positions[0], unit);
    }
}

/// Velocities that cancel: the crank at 180° has a slope of rounding.
#[test]
fn velocities_that_are_rounding_are_zero() {
    let text = "coord phi, x, y\nkinetic (phi'^2 + x'^2 + y'^2)/2\nconstraint on: (x, y) = (cos(phi), sin(phi))\n";
    for (start, moving) in [("phi = pi", 2), ("phi = pi/2", 1), ("phi = -pi/2", 1), ("phi = 0", 2)] {
        let (report, diagnostics) = checked(&format!("{text}start {start}, phi' = 1\n"));
        assert!(diagnostics.is_empty(), "{diagnostics:#?}");
        assert_eq!(report.start.velocities[3 - moving], 0.0, "{start}: {:?}", report.start);
        assert_eq!(report.start.positions[moving], 0.0, "{start}: {:?}", report.start);
    }
}

/// Bricard's mechanism: five rods of 1 m, six hinges, rank 34 of 35 rows, with positions and unit quaternions.
pub(super) fn bricard(start: impl FnMut(f64) -> f64, sign: &str) -> String {
    const POINTS: [[f64; 3]; 6] =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, -1.0, 0.0], [1.0, -1.0, 1.0], [0.0, -1.0, 1.0], [0.0, 0.0, 1.0]];
    const AXES: [usize; 6] = [1, 2, 0, 1, 2, 0];
    let vector = |v: [f64; 3]| format!("({:?}, {:?}, {:?})", v[0], v[1], v[2]);
    let along = |axis: usize| std::array::from_fn::<f64, 3, _>(|i| if i == axis { 1.0 } else { 0.0 });
    let middle = |n: usize| std::array::from_fn::<f64, 3, _>(|i| (POINTS[n - 1][i] + POINTS[n][i]) / 2.0);
    let mut text = "particle c[1..5]: 1 in space\ncoord w[1..5], i[1..5], j[1..5], k[1..5]\n\
        let u[n in 1..5] = (i[n], j[n], k[n])\n\
        let turn(w, u, v) = v + 2*w*cross(u, v) + 2*cross(u, cross(u, v))\n\
        let om[n in 1..5] = 2*(w[n]*u[n]' - w[n]'*u[n] - cross(u[n], u[n]'))\n\
        constraint unit[n in 1..5]: w[n]^2 + dot(u[n], u[n]) = 1\ngravity (0, -9.81, 0)\nrun until 0.1\n"
        .to_string();
    for n in 1..=5 {
        let inertia = |i: usize| if POINTS[n - 1][i] == POINTS[n][i] { "1.01/12" } else { "0.02/12" };
        let [x, y, z] = [0, 1, 2].map(inertia);
        text += &format!("kinetic ({x}*om[{n}].x^2 + {y}*om[{n}].y^2 + {z}*om[{n}].z^2)/2\n");
    }
    let turned = |n: usize, v: [f64; 3]| match n {
        0 | 6 => vector(v),
        n => format!("turn(w[{n}], u[{n}], {})", vector(v)),
    };
    let point = |n: usize, h: usize| match n {
        0 | 6 => vector(POINTS[h]),
        n => format!("c[{n}] + {}", turned(n, std::array::from_fn(|i| POINTS[h][i] - middle(n)[i]))),
    };
    for (h, &axis) in AXES.iter().enumerate() {
        text += &format!("constraint pin{h}: {} = {}\n", point(h, h), point(h + 1, h));
        for other in (0..3).filter(|&other| other != axis) {
            let (one, two) = (turned(h, along(other)), turned(h + 1, along(axis)));
            text += &format!("constraint axis{h}{other}: dot({one}, {two}) = 0\n");
        }
    }
    let mut start = start;
    let mut values = Vec::new();
    for n in 1..=5 {
        let places = middle(n);
        let names = ["x", "y", "z"].map(|c| format!("c[{n}].{c}"));
        values.extend(names.into_iter().zip(places).map(|(name, x)| format!("{name} {sign} {:?}", start(x))));
        let turn = ["w", "i", "j", "k"].into_iter().zip([1.0, 0.0, 0.0, 0.0]);
        values.extend(turn.map(|(name, x)| format!("{name}[{n}] {sign} {:?}", start(x))));
    }
    text + "start " + &values.join(", ") + "\n"
}

/// Noise of some 1e-17 to 1e-15 on every value is no contradiction.
#[test]
fn noise_on_the_start_of_an_overconstrained_mechanism_is_no_contradiction() {
    let mut random = crate::start::random::seeded(7);
    for (sign, assemble) in [("=", true), ("~", false)] {
        for _ in 0..20 {
            let size = 10f64.powf(random.uniform(-17.0, -15.0));
            let text = bricard(|x| x + size * random.uniform(-1.0, 1.0), sign);
            let (report, diagnostics) =
                checked_with(&text, &CheckOptions { assemble, states: 0, ..CheckOptions::default() });
            assert!(!crate::analysis::has_errors(&diagnostics), "{size:e} {sign}: {diagnostics:#?}");
            assert_eq!(report.verdict.map(|v| v.degrees_of_freedom), Some(1));
            no_dust(&report.start);
        }
    }
}

/// A row in another form, at states where all right sides are dust: what they are beside each other says nothing.
#[test]
fn right_sides_that_are_dust_are_no_contradiction() {
    for q in [1e-17, -3e-17, 1e-25, 0.0] {
        let text = format!(
            "coord x, y, q\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nconstraint a: x = sin(q)\nconstraint b: y = -cos(q)\n\
             constraint c: x^2 + y^2 = 1\nconstraint d: x*cos(q) + y*sin(q) = 0\nstart q = {q:e}, q' = 1\n"
        );
        let (report, diagnostics) = checked(&text);
        assert!(diagnostics.iter().all(|message| message.code == "redundant"), "{q}: {diagnostics:#?}");
        assert!(report.conflicts.is_empty());
    }
    // Right sides that are small and differ are one.
    let text = "coord x\nkinetic x'^2/2\nconstraint a: x'' = 1e-17\nconstraint b: 2*x'' = 3e-17\nstart x = 1\n";
    assert_eq!(checked(text).1[0].code, "contradiction");
}
