//! Friction: fed by the total reaction, at rest set-valued, decided for all contacts together.

use super::super::ContactState;
use super::{acceleration, checked, checked_at, close, sound};

const G: f64 = 9.81;

/// A block on a rough incline, thrown with `speed` along it.
fn block(angle: f64, mu: f64, speed: f64) -> String {
    format!(
        "param theta = {angle} deg, mu = {mu}, v = {speed}, g = 9.81\ncoord x, y\nparticle block: 1 at (x, y)\n\
         gravity (0, -g)\nconstraint plane: y*cos(theta) = x*sin(theta)\nfriction plane: coulomb(mu)\n\
         start x = 0, x' = v*cos(theta)\n"
    )
}

/// Udwadia 2005, example 2, eq. 39, with the sign of the errata: up, down, and at rest.
#[test]
fn a_block_slides_up_and_down_and_rests() {
    for (angle, mu, speed) in [(30.0, 0.8, 5.0), (30.0, 0.3, 5.0), (30.0, 0.8, -2.0), (36.0f64, 0.0, 1.0)] {
        let report = sound(&block(angle, mu, speed), &[]);
        let (sin, cos) = angle.to_radians().sin_cos();
        let along = -G * (sin + mu * cos * speed.signum());
        close(acceleration(&report, "x"), along * cos);
        close(acceleration(&report, "y"), along * sin);
        assert_eq!(report.contacts[0].state, ContactState::Sliding);
        close(report.contacts[0].normal, G * cos);
        close(report.contacts[0].force, mu * G * cos);
    }
    let report = sound(&block(30.0, 0.8, 0.0), &[]);
    assert_eq!(report.contacts[0].state, ContactState::Sticking);
    close(acceleration(&report, "x"), 0.0);
    close(report.contacts[0].force, G * 0.5);
    let report = sound(&block(30.0, 0.3, 0.0), &[]);
    assert_eq!(report.contacts[0].state, ContactState::Starting);
    let (sin, cos) = 30.0f64.to_radians().sin_cos();
    close(acceleration(&report, "x"), -G * (sin - 0.3 * cos) * cos);
}

/// The total reaction, not the ideal one, loads the rail: −1.962 and not −1.09.
#[test]
fn a_cart_that_carries_a_bob() {
    let text = "\
param      mu = 0.5, g = 9.81, L = 1
particle   cart: 1 in plane, bob: 1 in plane
gravity    (0, -g)
constraint rail: cart.y = 0
constraint rod: dot(bob - cart, bob - cart) = L^2
friction   rail: coulomb(mu)
start      cart = (0, 0), bob = L*(sin(pi/4), -cos(pi/4)), cart' = (1, 0), bob' = (1, 0)
expect     at start cart.x'' = -g/5
";
    let report = sound(text, &[]);
    close(acceleration(&report, "cart.x"), -1.962);
    // With the rail given twice the load of each is open.
    let twice = text.replace("constraint rod", "constraint rail2: cart.y = 0\nconstraint rod");
    let (_, diagnostics) = checked(&twice);
    assert_eq!(diagnostics[0].code, "friction-not-unique", "{diagnostics:#?}");
}

const LADDER: &str = "\
param      m = 1, L = 1, g = 9.81, mu = 0.2, a = 50 deg
coord      x, y, theta
particle   middle: m at (x, y)
kinetic    m*L^2/12*theta'^2/2
gravity    (0, -g)
let        foot = (x + L/2*cos(theta), y - L/2*sin(theta)), top = (x - L/2*cos(theta), y + L/2*sin(theta))
constraint floor: foot.y = 0
constraint wall: top.x = 0
friction   floor: coulomb(mu), slip = foot.x', normal = reaction(floor)
friction   wall: coulomb(mu), slip = top.y', normal = reaction(wall)
start      theta = a
";

/// A ladder at 50° begins to slide, at 70° it rests, and which end carries how much of it is open.
#[test]
fn a_ladder_slides_or_rests() {
    let slides = format!("{LADDER}expect at start theta'' = -3*g*(cos(a)*(1 - mu^2) - 2*mu*sin(a))/(L*(2 - mu^2))\n");
    let report = sound(&slides, &[]);
    assert!(report.contacts.iter().all(|c| c.state == ContactState::Starting), "{report}");
    let rests = format!("{LADDER}expect at start theta'' = 0\n");
    let (report, diagnostics) = checked_at(&rests, &[("a", 70f64.to_radians())]);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}\n{report}");
    assert!(report.contacts.iter().all(|c| c.state == ContactState::Sticking && !c.determinate), "{report}");
    for contact in &report.contacts {
        assert!(contact.force <= contact.limit.expect("it sticks") * (1.0 + 1e-9) + 1e-12, "{report}");
    }
}

/// Laws that do not hang on the load, and C written out with the reaction in it.
#[test]
fn other_laws() {
    let with = |law: &str| block(30.0, 0.2, 4.0).replace("coulomb(mu)", law);
    let (sin, cos) = 30.0f64.to_radians().sin_cos();
    let speed: f64 = 4.0;
    let normal = G * cos;
    for (law, force) in [
        ("viscous(0.3)", 0.3 * speed),
        ("quadratic(0.3)", 0.3 * speed * speed),
        ("stribeck(0.2, 0.5, 3)", (0.2 + 0.3 * (-(speed / 3.0) * (speed / 3.0)).exp()) * normal),
        ("law(mu*normal + 0.1*slip)", 0.2 * normal + 0.1 * speed),
        ("coulomb(0.2, 0.9)", 0.2 * normal),
    ] {
        let (report, _) = checked(&with(law));
        close(acceleration(&report, "x"), -(G * sin + force) * cos);
    }
    let by_hand = block(30.0, 0.2, 4.0).replace(
        "friction plane: coulomb(mu)",
        "nonideal plane: [-mu*abs(reaction(plane))*cos(theta), -mu*abs(reaction(plane))*sin(theta)]",
    );
    let (report, diagnostics) = checked(&by_hand);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    close(acceleration(&report, "x"), -G * (sin + 0.2 * cos) * cos);
}

/// Painlevé: a rod that is pushed into a rough floor jams; there is no load that fits.
#[test]
fn friction_without_an_answer_is_named() {
    let text = "\
param      g = 9.81, mu = 3
coord      x, y, theta
kinetic    (x'^2 + y'^2)/2 + theta'^2/24
potential  g*y
constraint floor: y = sin(theta)/2
friction   floor: coulomb(mu), slip = x' - sin(theta)/2*theta', normal = reaction(floor)
start      theta = 1.2, x = 0, x' = 1
";
    let (_, diagnostics) = checked(text);
    assert!(
        diagnostics.iter().any(|d| d.code == "friction-no-solution" || d.code == "friction-many-solutions"),
        "{diagnostics:#?}"
    );
}

/// What holds a contact is a C like any other: the forces are split as for the same C written out.
#[test]
fn a_contact_that_sticks_is_split_like_its_force_written_out() {
    let text = "coord x, y\nkinetic (x'^2+y'^2)/2\nforce [1, -10]\nconstraint c: y = 0\nFORCE\nstart x = 0\n";
    let sticks = "friction c: coulomb(0.6), slip = x' + 3*y', normal = abs(reaction(c))";
    let sticks = sound(&text.replace("FORCE", sticks), &[]);
    let twin = sound(&text.replace("FORCE", "nonideal c: [-1, -3]"), &[]);
    assert_eq!(sticks.contacts[0].state, ContactState::Sticking);
    for (a, b) in sticks.coordinates.iter().zip(&twin.coordinates) {
        close(a.ideal, b.ideal);
        close(a.nonideal, b.nonideal);
        close(a.acceleration.expect("unique"), 0.0);
    }
    close(sticks.rows[0].multiplier, 10.0);
    close(sticks.rows[0].reaction, 13.0);
    assert!(sticks.rows[0].determinate);
}

/// The ideal multipliers of a ladder at rest are those of a smooth one; its reactions are open.
#[test]
fn a_ladder_at_rest_has_the_ideal_forces_of_a_smooth_one() {
    let rests = LADDER.replace("mu = 0.2", "mu = 0.6").replace("a = 50 deg", "a = 70 deg").replace("9.81", "10");
    let smooth: String = rests.lines().filter(|l| !l.starts_with("friction")).map(|l| format!("{l}\n")).collect();
    let (report, smooth) = (sound(&rests, &[]), sound(&smooth, &[]));
    close(report.rows[0].multiplier, smooth.rows[0].multiplier);
    assert!((report.rows[0].multiplier - 9.122667).abs() < 1e-6 && (report.rows[1].multiplier - 2.410454).abs() < 1e-6);
    for (a, b) in report.coordinates.iter().zip(&smooth.coordinates) {
        close(a.ideal, b.ideal);
    }
    assert!(report.rows.iter().all(|row| !row.determinate), "{report}");
    let (report, diagnostics) = checked(&format!("{rests}expect at start reaction(floor) = 10\n"));
    assert_eq!(diagnostics[0].code, "expect-not-checked", "{report}");
}
