//! Models from text: the gallery derives, and what is hidden is said in words.

use crate::derive::{ConstraintKind, Equations, derive};
use holonom_language::{Answer, from_text, load};
use holonom_testing::{gallery, models};

fn derived(text: &str) -> Answer<Equations> {
    let loaded = from_text("test.holo", text);
    derive(loaded.model.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics)))
}

const TWO_SPRINGS: &str = "param k1 = 30, k2 = 50, m1 = 0, m2 = 2
coord x1, q1, q2
kinetic m1*x1'^2/2 + m2*(q1' + q2')^2/2
potential k1*x1^2/2 + k2*q2^2/2
constraint joint: x1 = q1
";

/// Udwadia & Phohomsiri 2006, cases 5.2 and 5.3, as they are printed.
#[test]
fn missing_equations_are_printed() {
    for (masses, expected) in [("m1 = 0, m2 = 2", "k1*x1 = k2*q2"), ("m1 = 2, m2 = 0", "k2*q2 = 0")] {
        let text = TWO_SPRINGS.replace("m1 = 0, m2 = 2", masses);
        let e = derived(&text).unwrap().value;
        assert_eq!(e.hidden.equations(&e).collect::<Vec<_>>(), [expected]);
        let messages = e.hidden.messages(&e);
        assert_eq!((messages[0].code, messages[0].is_error()), ("hidden-constraint", true));
        assert!(messages[0].help[0].contains(&format!("constraint hidden1: {expected}")));
        let found = derived(&(text + "hidden find\n")).unwrap().value;
        assert_eq!(found.rows.last().unwrap().name, "hidden.1");
        assert!(!found.hidden.messages(&found)[0].is_error());
    }
}

#[test]
fn an_integrable_row_is_noted() {
    let model = "param R = 0.5\ncoord x, theta\nkinetic x'^2/2 + theta'^2/2\nconstraint rolling: x' = R*theta'\n";
    for (start, integrated) in [
        ("", "`x = R*theta + constant`"),
        ("start x = 0, theta = 0\n", "`x = R*theta`"),
        ("start x = 2, theta = 0\n", "`x = R*theta + 2`"),
    ] {
        let derived = derived(&format!("{model}{start}")).unwrap();
        assert_eq!(derived.messages[0].code, "integrable");
        assert!(derived.messages[0].help[0].contains(integrated), "{:#?}", derived.messages);
    }
}

/// The constant belongs to the equation as it is printed, whichever way the row was written.
#[test]
fn the_constant_of_an_integrable_row_has_the_sign_of_the_equation_shown() {
    let model = "param R = 0.5\ncoord x, theta\nkinetic x'^2/2 + theta'^2/2\n";
    for (row, integrated) in [
        ("x' = R*theta'", "`x = R*theta + 2`"),
        ("R*theta' = x'", "`x = R*theta + 2`"),
        ("R*theta' - x' = 0", "`x = R*theta + 2`"),
        ("3*R*theta' = 3*x'", "`3*x = 3*R*theta + 6`"),
        ("0 = x'", "`x = 2`"),
    ] {
        let derived = derived(&format!("{model}constraint rolling: {row}\nstart x = 2, theta = 0\n")).unwrap();
        let help = &derived.messages[0].help[0];
        assert!(help.contains(integrated), "{row}: {help}");
    }
}

/// Appell's constraint as it is written in the papers: nonlinear in the velocities, with time.
#[test]
fn appell() {
    let e = derived(
        "param m = 1, alpha = 0.3\ncoord x, y, z\nkinetic m*(x'^2 + y'^2 + z'^2)/2\nconstraint appell: x'^2 + y'^2 - z'^2 = 2*alpha*sin(t)\n",
    )
    .unwrap()
    .value;
    let row = &e.rows[0];
    assert_eq!((row.kind, row.rheonomic, row.a.len()), (ConstraintKind::Velocity, true, 3));
}

/// Every model of the gallery derives without an error.
#[test]
fn the_gallery_derives() {
    let mut count = 0;
    for file in models(&gallery()) {
        let loaded = load(&file);
        let Some(model) = loaded.model else { continue };
        if let Err(errors) = derive(model) {
            panic!("{}: {errors:#?}", file.display());
        }
        count += 1;
    }
    assert!(count > 20, "{count} models");
}

/// A slope that only one piece of an equation has is a slope, wherever that piece lies.
#[test]
fn pieces_far_away_are_not_forgotten() {
    for (constraint, kind, columns) in [
        ("y + max(10, x) = 30", ConstraintKind::Holonomic, vec![0, 1]),
        ("y + smoothstep(100, 200, x) = 10.5", ConstraintKind::Holonomic, vec![0, 1]),
        ("y + if(x > 50, x^2, 0) = 14", ConstraintKind::Holonomic, vec![0, 1]),
        ("y + if(x > 50, if(x > 60, x, 0), 0) = 14", ConstraintKind::Holonomic, vec![0, 1]),
        ("y' + max(10, x') = 30", ConstraintKind::Velocity, vec![0, 1]),
        ("y + if(x > 50, x'^2, 0) = 14", ConstraintKind::Velocity, vec![0]),
        ("max(0, x' - 1) = 1", ConstraintKind::Velocity, vec![0]),
        ("y'' + if(x > 50, x'', 0) = 3", ConstraintKind::Acceleration, vec![0, 1]),
    ] {
        let e = derived(&format!("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint k: {constraint}\n"));
        let e = e.unwrap_or_else(|errors| panic!("{constraint}: {errors:#?}")).value;
        assert_eq!(e.rows[0].kind, kind, "{constraint}");
        assert_eq!(e.rows[0].a.iter().map(|&(column, _)| column).collect::<Vec<_>>(), columns, "{constraint}");
        assert!(e.integrable.is_empty(), "{constraint}");
    }
    for (model, code) in [
        ("kinetic (x'^2 + y'^2)/2 + if(x > 50, x'^4, 0)\n", "kinetic-not-quadratic"),
        ("kinetic (x'^2 + y'^2)/2\nconstraint k: max(3, x'') = 5\n", "not-linear-in-accelerations"),
    ] {
        let errors = derived(&format!("coord x, y\n{model}")).unwrap_err();
        assert!(errors.iter().any(|d| d.code == code), "{model}: {errors:#?}");
    }
}
