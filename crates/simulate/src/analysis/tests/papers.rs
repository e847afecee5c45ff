//! The worked examples of the papers, through the whole of the text.

use super::{acceleration, checked, close, sound};

const WHEEL: &str = "\
param      m = 2, R = 0.5, Ic = 0.25, alpha = pi/6, g = 9.81
coord      theta, y
kinetic    (m*R^2 + Ic)*theta'^2/2
potential  -m*g*y
constraint no_slip: y = R*theta*sin(alpha)
start      theta = 0
expect     theta'' = m*g*R*sin(alpha)/(m*R^2 + Ic)
run        until 5
";

/// Udwadia & Phohomsiri 2006, example 1, eq. 5.17.
#[test]
fn a_wheel_whose_height_has_no_mass() {
    let report = sound(WHEEL, &[]);
    close(acceleration(&report, "theta"), 6.54);
    close(acceleration(&report, "y"), 1.635);
    let verdict = report.verdict.as_ref().expect("a motion");
    assert!(verdict.unique && verdict.mass_rank == 1 && verdict.degrees_of_freedom == 1);
    assert_eq!(report.inferred.iter().map(|i| i.name.as_str()).collect::<Vec<_>>(), ["y", "theta'", "y'"]);
    assert_eq!(report.inferred[0].from, ["no_slip"]);
    for (m, ic) in [(0.3, 1.0), (7.0, 1e-3), (1e6, 0.0)] {
        sound(WHEEL, &[("m", m), ("Ic", ic)]);
    }
    let page = report.to_string();
    assert!(page.starts_with("model.holo: 2 coordinates, 1 constraint, 1 degree of freedom\n"), "{page}");
    assert!(page.contains("  motion       unique: [M; A] has rank 2 of 2"), "{page}");
    assert!(page.contains("theta'' = 6.54, y'' = 1.635"), "{page}");
    assert!(page.contains("y = 0 (from no_slip)"), "{page}");
}

/// 2006, example 2: the same wheel and a coordinate that nothing touches.
#[test]
fn a_coordinate_that_nothing_touches() {
    let text = WHEEL.replace("coord      theta, y", "coord      theta, y, x").replace("theta = 0", "theta = 0, x = 0");
    let (report, diagnostics) = checked(&text);
    assert_eq!(diagnostics[0].code, "not-unique");
    assert_eq!(diagnostics[0].message, "the acceleration of `x` is not determined");
    let verdict = report.verdict.as_ref().expect("a motion");
    assert_eq!(verdict.undetermined, ["x"]);
    close(acceleration(&report, "theta"), 6.54);
    // What η is makes it unique.
    let report = sound(&format!("{text}free x'' = 3*t + 2\n"), &[]);
    close(acceleration(&report, "x"), 2.0);
    sound(&format!("{text}free zero\n"), &[]);
}

/// 2006, example 3 with both masses, and with the equations that cases 5.2 and 5.3 lack, eqs 5.40 and 5.49.
#[test]
fn two_masses_and_two_springs() {
    let text = "\
param      m1 = 2, m2 = 1, k1 = 30, k2 = 20, l = 0.6
coord      x1, q1, q2
kinetic    m1*x1'^2/2 + m2*(q1' + q2')^2/2
potential  k1*x1^2/2 + k2*q2^2/2
constraint joint: q1 = x1 + l
start      x1 = 0.1, q2 = 0.05
expect     m1*x1'' = -k1*x1 + k2*q2, m2*(q1'' + q2'') = -k2*q2, multiplier(joint) = -k2*q2
";
    sound(text, &[]);
    sound(text, &[("m1", 1e-6), ("k2", 300.0)]);
    let (report, diagnostics) = checked(&text.replace("m1 = 2", "m1 = 0"));
    assert_eq!(diagnostics[0].code, "hidden-constraint");
    assert!(!report.verdict.as_ref().expect("a motion").balanced);
    assert_eq!(report.hidden, ["k1*x1 = k2*q2"]);
    let series = "\
param      m2 = 1, k1 = 30, k2 = 20, l = 0.6
coord      x1, q1, q2
kinetic    m2*(q1' + q2')^2/2
potential  k1*x1^2/2 + k2*q2^2/2
constraint joint: q1 = x1 + l
constraint series: k1*x1 = k2*q2
start      x1 = 0.1
let        pull = k1*k2*(x1 + q2)/(k1 + k2)
expect     x1'' = -pull*k2/((k1 + k2)*m2), q1'' = x1'', q2'' = -pull*k1/((k1 + k2)*m2),
           multiplier(series) = 0, multiplier(joint) = -k1*x1
";
    let report = sound(series, &[]);
    close(report.start.positions[2], 0.15);
    sound(series, &[("k1", 1.0), ("m2", 0.1)]);
    let slack = "\
param      m1 = 2, k1 = 30, k2 = 20, l = 0.6
coord      x1, q1, q2
kinetic    m1*x1'^2/2
potential  k1*x1^2/2 + k2*q2^2/2
constraint joint: q1 = x1 + l
constraint slack: k2*q2 = 0
start      x1 = 0.1
expect     x1'' = -k1*x1/m1, q1'' = -k1*x1/m1, q2'' = 0
";
    sound(slack, &[]);
}

/// Kalaba & Udwadia 1992 and many others: a pendulum, its rod given three times.
#[test]
fn a_rod_given_three_times() {
    let text = "\
param      g = 9.81
coord      x, y
particle   bob: 1 at (x, y)
gravity    (0, -g)
constraint rod: x^2 + y^2 = 1
constraint again: x^2 + y^2 = 1
constraint larger: 1e6*(x^2 + y^2) = 1e6
start      x = 0.6, y = -0.8, x' = 1.6, y' = 1.2
expect     x'' = x*(g*y - x'^2 - y'^2), y'' = -g + y*(g*y - x'^2 - y'^2)
expect     at start x'' = -7.1088, at start y'' = -0.3316
";
    let (report, diagnostics) = checked(text);
    assert!(diagnostics.iter().all(|d| d.code == "redundant"), "{diagnostics:#?}");
    assert_eq!(diagnostics.len(), 2);
    assert_eq!(diagnostics[0].message, "`again` repeats `rod`");
    assert_eq!(report.redundant[1].text(), "1000000*`rod`");
    assert!(report.expectations.iter().all(|e| e.outcome.stands()));
    assert!(report.rows.iter().all(|row| !row.determinate));
}

/// What `hidden find` has added is printed.
#[test]
fn hidden_equations_are_printed() {
    let text = "coord x, y\nkinetic x'^2/2\npotential y^2/2 + x*y\nhidden find\nstart x = 1\n";
    let report = super::sound(text, &[]);
    assert_eq!(report.hidden.len(), 1);
    assert!(report.hidden[0].starts_with("hidden.1: ") && report.to_string().contains(&report.hidden[0]), "{report}");
}
