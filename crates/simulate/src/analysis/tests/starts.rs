//! Start values: given, guessed, missing, contradictory.

use super::super::CheckOptions;
use super::{checked, checked_at, checked_with, close, codes, system};

const ROD: &str = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint rod: x^2 + y^2 = 1\n";

fn with(rest: &str) -> String {
    format!("{ROD}{rest}")
}

#[test]
fn a_missing_position_follows_and_a_guess_chooses_its_branch() {
    for (guess, y) in [("y ~ -1", -0.8), ("y ~ 0.3", 0.8)] {
        let (report, diagnostics) = checked(&with(&format!("start x = 0.6, {guess}\n")));
        assert!(diagnostics.is_empty(), "{diagnostics:#?}");
        close(report.start.positions[1], y);
    }
    let (report, diagnostics) = checked(&with("start x = 0.6\n"));
    assert_eq!(diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["start-branch"]);
    close(report.start.positions[1].abs(), 0.8);
    // At the end of its reach there is one solution only.
    let (report, diagnostics) = checked(&with("start x = 1\n"));
    assert!(diagnostics.iter().all(|d| d.code != "start-missing"), "{diagnostics:#?}");
    close(report.start.positions[1], 0.0);
}

#[test]
fn what_does_not_follow_is_missing_by_name() {
    let (_, diagnostics) = checked("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nstart x = 0\n");
    assert_eq!(diagnostics[0].code, "start-missing");
    assert_eq!(diagnostics[0].message, "`y` has no start value");
    assert_eq!(diagnostics[0].help, ["add `start y = …`"]);
    let (_, diagnostics) = checked(ROD);
    assert_eq!(diagnostics.iter().filter(|d| d.code == "start-missing").count(), 1, "{diagnostics:#?}");
    let text = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: x + y + z = 1\nstart x = 0\n";
    let (_, diagnostics) = checked(text);
    assert_eq!(diagnostics.len(), 1, "{diagnostics:#?}");
    assert_eq!(diagnostics[0].message, "one of `y` and `z` needs a start value");
    // A family is asked for as one.
    let (_, diagnostics) = checked("coord x[1..50]\nkinetic sum(i in 1..50, x[i]'^2/2)\n");
    assert_eq!(diagnostics.len(), 1, "{diagnostics:#?}");
    assert_eq!(diagnostics[0].message, "`x[1]` … `x[50]` have no start values");
    assert_eq!(diagnostics[0].help, ["add `start x[i in 1..50] = …`"]);
    let (_, diagnostics) = checked("particle p[1..3]: 1 in plane\n");
    assert_eq!(diagnostics[0].help, ["add `start p[i in 1..3] = (…, …)`"], "{diagnostics:#?}");
}

#[test]
fn values_that_do_not_fit_are_refused_with_numbers_or_assembled() {
    let text = with("start x = 1, y = 0.5\n");
    let (_, diagnostics) = checked(&text);
    assert_eq!(diagnostics[0].code, "start-inconsistent");
    assert_eq!(diagnostics[0].labels[0].text, "left is 1.25, right is 1");
    assert!(diagnostics[0].help[1].contains("`x` 0.8944272 instead of 1"), "{:?}", diagnostics[0].help);
    let (report, diagnostics) = checked_with(&text, &CheckOptions { assemble: true, ..CheckOptions::default() });
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    close(report.start.positions[0], 2.0 / 5.0f64.sqrt());
    assert!(codes(&format!("{text}assemble\n")).is_empty());
    // Velocities along the rod.
    let (_, diagnostics) = checked(&with("start x = 1, y = 0, x' = 2, y' = 0\n"));
    assert_eq!(diagnostics[0].code, "start-inconsistent");
    assert_eq!(diagnostics[0].message, "the velocities at the start do not satisfy `rod`");
    // Rounding is nobody's mistake.
    assert!(codes(&with("start x = sqrt(0.5), y = -sqrt(0.5)\n")).is_empty());
}

#[test]
fn velocities_take_the_least_energy() {
    // Two unequal masses on a line held at a distance: given one velocity, the other follows.
    let text = "coord x, y\nkinetic 3*x'^2/2 + y'^2/2\nconstraint rod: y = x + 1\nstart x = 0, x' = 2\n";
    let (report, diagnostics) = checked(text);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    close(report.start.velocities[1], 2.0);
    // One row for two velocities: 3·2·v₁ and v₂ share by their masses.
    let text = "coord x, y\nkinetic 3*x'^2/2 + y'^2/2\nconstraint c: x + y = 4*t\nstart x = 0\n";
    let report = checked(text).0;
    close(report.start.velocities[0], 1.0);
    close(report.start.velocities[1], 3.0);
}

#[test]
fn nonlinear_velocity_rows_are_met_from_a_guess_and_from_rest() {
    let speed = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint cruise: x'^2 + y'^2 = 9\nstart x = 0, y = 0";
    let (report, diagnostics) = checked(&format!("{speed}, y' = 1, x' ~ -3\n"));
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    close(report.start.velocities[0], -(8.0f64.sqrt()));
    let report = checked(&format!("{speed}\n")).0;
    close(report.start.velocities[0].hypot(report.start.velocities[1]), 3.0);
}

#[test]
fn start_values_may_use_each_other_but_not_in_a_circle() {
    let text = "param L = 2\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n";
    let (report, diagnostics) = checked(&format!("{text}start z = x + y, y = x*L, x = L\n"));
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    assert_eq!(report.start.positions, [2.0, 4.0, 6.0]);
    let (report, _) = checked_at(&format!("{text}start z = x + y, y = x*L, x = L\n"), &[("L", 3.0)]);
    assert_eq!(report.start.positions, [3.0, 9.0, 12.0]);
}

#[test]
fn an_unknown_parameter_is_refused() {
    let system = system("param L = 1\ncoord x\nkinetic L*x'^2/2\nstart x = 0\n");
    assert_eq!(system.with_settings(&[("l".to_string(), 1.0)]).unwrap_err().name, "l");
}

#[test]
fn a_guess_that_nothing_determines_is_said_to_be_the_value() {
    assert_eq!(codes("coord x\nkinetic x'^2/2\nstart x ~ 1\n"), ["start-guess"]);
}

#[test]
fn values_that_differ_look_different() {
    let text = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x + y = 1\n";
    let (_, diagnostics) = checked(&format!("{text}start x = 0.3333333333, y = 0.6666666666\n"));
    assert_eq!(diagnostics[0].labels[0].text, "left is 0.9999999999, right is 1");
}

/// Where the start is wrong, what was given stays as it was given.
#[test]
fn given_values_are_reported_as_given() {
    let text = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a: x = 1\nconstraint b: x = 2\nstart y = 0\n";
    let (report, diagnostics) = checked(text);
    assert_eq!(diagnostics[0].code, "contradiction", "{diagnostics:#?}");
    assert!(!report.start_is_good);
    assert_eq!(report.start.positions[1], 0.0);
    // What nobody gave is not made up.
    assert!(report.to_string().contains(" y = 0, at rest") && !report.to_string().contains("x = "), "{report}");
    let (report, _) = checked(&with("start x = 1, y = 0.5\n"));
    assert!(!report.start_is_good);
    assert_eq!(report.start.positions, [1.0, 0.5]);
    assert!(checked(&with("start x = 0.6, y = 0.8\n")).0.start_is_good);
}

/// What is no number is pointed at where it stands.
#[test]
fn what_is_no_number_is_found_in_its_statement() {
    let mass = "coord x, y\nkinetic x'^2/2 + y'^2/2\n";
    for (text, message) in [
        ("constraint c: norm((x, y)) = 0\nstart x = 0, y = 0\n", "the constraint `c` has no derivative at the start"),
        ("constraint c: y = sqrt(x)\nstart x = 0\n", "the constraint `c` has no derivative at the start"),
        ("potential log(x)\nstart x = -1, y = 0\n", "the potential energy is not a finite number at the start"),
        ("potential sqrt(x)\nstart x = 0, y = 0\n", "the potential energy has no derivative at the start"),
        ("force x: 1/y\nstart x = 0, y = 0\n", "the force is not a finite number at the start"),
    ] {
        let (report, diagnostics) = checked(&format!("{mass}{text}"));
        assert_eq!(diagnostics.len(), 1, "{diagnostics:#?}");
        assert_eq!((diagnostics[0].code, diagnostics[0].message.as_str()), ("not-finite", message));
        assert_eq!(diagnostics[0].labels.len(), 1);
        assert!(!report.start_is_good && report.conflicts.is_empty());
    }
}

/// One-sided constraints find no start values, and a gap must not be negative beyond rounding.
#[test]
fn a_start_on_the_wrong_side_is_named() {
    let model = |rest: &str| {
        format!("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint floor: y >= x\nstop end: x in 0.1..3\n{rest}\n")
    };
    for (start, wrong) in [
        ("x = 0.3, y = 0.4", &[][..]),
        ("x = 0.3, y = 0.3", &[]),
        ("x = 3, y = 1 + 2", &[]),
        // A tenth and two tenths are not quite three tenths.
        ("x = 0.1 + 0.2, y = 0.3", &[]),
        ("x = 0.3, y = 0.3 - 1e-9", &["floor"]),
        ("x = 4, y = 0", &["floor", "end.high"]),
        ("x = 0, y = 1", &["end.low"]),
    ] {
        let (report, diagnostics) = checked(&model(&format!("start {start}")));
        let expected: Vec<String> =
            wrong.iter().map(|name| format!("the start values do not satisfy `{name}`")).collect();
        let found: Vec<&str> = diagnostics.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(found, expected, "{start}");
        assert!(diagnostics.iter().all(|one| one.code == "start-inconsistent"), "{start}");
        assert!(report.rows.iter().all(|row| row.one_sided), "{start}");
    }
    // What touches is in force.
    let (report, _) = checked(&model("start x = 0.3, y = 0.3"));
    assert!(!report.rows[0].off && report.rows[1].off && report.rows[2].off);
    let (report, _) = checked(&model("start x = 0.3, y = 0.4"));
    assert!(report.rows.iter().all(|row| row.off));
    // What no equation determines must be given: a floor does not say where something stands.
    let (_, diagnostics) = checked(&model("start x = 0.2"));
    assert_eq!(diagnostics[0].message, "`y` has no start value");
    let (_, diagnostics) = checked("coord x\nkinetic x'^2/2\nconstraint c: x >= 1, off\nstart x = 0\n");
    assert!(diagnostics.iter().all(|one| !one.is_error()), "{diagnostics:#?}");
}
