//! Every worked example: equal to the paper's formula in the symbols, and no longer than twice as long.

use super::{closed, equal, gallery, printed, text, with_formulas};
use crate::explicit::steps;
use holonom_symbols::algebra::{Budget, measure};

/// Holds q̈, and forces where they are given, against formulas as the papers write them.
fn paper(name: &str, acceleration: &[&str], ideal: &[&str], nonideal: &[&str]) {
    let all: Vec<&str> = acceleration.iter().chain(ideal).chain(nonideal).copied().collect();
    let equations = with_formulas(name, &all);
    let solution = closed(&equations);
    let mut ours = solution.acceleration.clone();
    ours.extend(&solution.ideal[..ideal.len()]);
    ours.extend(&solution.nonideal[..nonideal.len()]);
    for ((output, ours), formula) in equations.model.outputs.iter().zip(ours).zip(all) {
        let theirs = output.components[0];
        let written = &printed(&equations, &solution, &[ours])[0];
        assert!(equal(&solution.graph, ours, theirs), "{name}: {written} is not {formula}");
        let (long, short) = (measure(&solution.graph, ours), measure(&solution.graph, theirs));
        assert!(long <= 2 * short, "{name}: {written} has {long} nodes, {formula} {short}");
    }
}

/// Udwadia & Phohomsiri 2006, eq. 5.17 and 5.23.
#[test]
fn wheel_on_an_incline() {
    let formulas = ["m*g*R*sin(alpha)/(m*R^2 + Ic)", "m*g*R^2*sin(alpha)^2/(m*R^2 + Ic)", "0"];
    paper("wheel/wheel.holo", &formulas[..2], &[], &[]);
    paper("virtual-particle/virtual-particle.holo", &formulas, &[], &[]);
    let equations = gallery("virtual-particle/virtual-particle.holo");
    let solution = closed(&equations);
    assert_eq!(solution.ranks.system, 2);
    assert_eq!(solution.free.len(), 1);
    assert_eq!(solution.free[0].name, "eta");
    assert_eq!(printed(&equations, &solution, &solution.free[0].direction), ["0", "0", "1"]);
}

/// Where `free x'' = eta` says what a direction does that nothing determines, it is said of the formula too.
#[test]
fn a_free_direction_that_is_settled() {
    let equations = gallery("virtual-particle/settled.holo");
    let solution = closed(&equations);
    let settled = solution.settled.clone().expect("one statement, one direction");
    assert_eq!(printed(&equations, &solution, &settled)[2], "eta");
    assert_ne!(solution.free[0].name, "eta"); // that is a parameter
}

/// Udwadia & Phohomsiri 2006, eq. 5.39, with the masses at which it fails.
#[test]
fn two_masses_from_two_parts() {
    let first = "(-one.k*(one.x - one.l0) + two.k*(two.q2 - two.l0))/one.m";
    let third = format!("-({first}) - two.k*(two.q2 - two.l0)/two.m");
    paper("two-masses/two-masses.holo", &[first, first, &third], &[], &[]);
    let equations = gallery("two-masses/two-masses.holo");
    let solution = closed(&equations);
    let special: Vec<_> = solution.special.iter().map(|special| special.expression).collect();
    assert_eq!(printed(&equations, &solution, &special), ["one.m", "two.m"]);
    assert_eq!((solution.ranks.system, solution.special[0].system), (3, 2));
}

/// Udwadia & Phohomsiri 2006, eq. 5.47 and 5.56: what is hidden exerts nothing.
#[test]
fn masses_that_are_missing() {
    let first = "-k1*k2^2*(x1 + q2)/(m2*(k1 + k2)^2)";
    let third = "-k1^2*k2*(x1 + q2)/(m2*(k1 + k2)^2)";
    for name in ["massless-first/massless-first.holo", "massless-first/by-hand.holo"] {
        paper(name, &[first, first, third], &[], &[]);
    }
    for name in ["massless-second/massless-second.holo", "massless-second/by-hand.holo"] {
        paper(name, &["-k1*x1/m1", "-k1*x1/m1", "0"], &[], &[]);
    }
    let equations = gallery("massless-first/massless-first.holo");
    let solution = closed(&equations);
    assert_eq!(printed(&equations, &solution, &solution.multipliers)[1], "0");
    assert_eq!(solution.substituted.len(), 1);
}

/// Udwadia, Kalaba & Fan 2005, eq. 32.
#[test]
fn bead_on_a_line() {
    let formulas = ["(1 + 2*k - g*k)/(k^2 + 1)", "k*(1 + 2*k - g*k)/(k^2 + 1)"];
    paper("bead/bead.holo", &formulas, &["-g*k/(k^2 + 1)", "g/(k^2 + 1)"], &["(1 + 2*k)/(k^2 + 1)"]);
}

/// Udwadia 2005, eq. 30.
#[test]
fn appells_particle() {
    let ideal = "(alpha*g' - x'*Fx - y'*Fy + z'*Fz)/(x'^2 + y'^2 + z'^2)";
    let drag = "a0/sqrt(x'^2 + y'^2 + z'^2)";
    paper(
        "appell/appell.holo",
        &[
            &format!("Fx + {ideal}*x' - {drag}*2*x'*z'^2"),
            &format!("Fy + {ideal}*y' - {drag}*2*y'*z'^2"),
            &format!("Fz - {ideal}*z' - {drag}*2*z'*(x'^2 + y'^2)"),
        ],
        &[&format!("{ideal}*x'"), &format!("{ideal}*y'"), &format!("-{ideal}*z'")],
        &[&format!("-{drag}*2*x'*z'^2"), &format!("-{drag}*2*y'*z'^2"), &format!("-{drag}*2*z'*(x'^2 + y'^2)")],
    );
    closed(&gallery("appell/breathing.holo"));
    closed(&gallery("appell/homogeneous.holo"));
    closed(&gallery("appell/measured.holo"));
}

/// Udwadia 2005, eq. 35 and 39: by Coulomb's law, and with C written out.
#[test]
fn block_on_an_incline() {
    let smooth = ["-g*sin(theta)*cos(theta)", "-g + g*cos(theta)^2"];
    paper("block/smooth.holo", &smooth, &["-m*g*sin(theta)*cos(theta)", "m*g*cos(theta)^2"], &[]);
    let rough = [
        "(-m*g*sin(theta)*cos(theta) - mu*m*g*cos(theta)^2*sign(x'))/m",
        "(-m*g + m*g*cos(theta)^2 - mu*m*g*cos(theta)*sin(theta)*sign(x'))/m",
    ];
    let nonideal = ["-mu*m*g*cos(theta)^2*sign(x')", "-mu*m*g*cos(theta)*sin(theta)*sign(x')"];
    for name in ["block/block.holo", "block/by-hand.holo"] {
        paper(name, &rough, &["-m*g*sin(theta)*cos(theta)", "m*g*cos(theta)^2"], &nonideal);
    }
    let assumed = closed(&gallery("block/block.holo")).assumptions;
    assert!(assumed.contains(&"reaction(plane) > 0".to_string()), "{assumed:?}");
}

/// Udwadia & Phohomsiri 2006, eq. 5.13, 5.15 and 5.16 (with the entry that is misprinted there).
#[test]
fn steps_of_the_wheel() {
    let square = "(1 + R^2*sin(alpha)^2)";
    let expected = [
        format!("-R*sin(alpha)/{square}"),
        format!("1/{square}"),
        format!("(m*R^2 + Ic)/{square}"),
        "0".to_string(),
        format!("(m*R^2 + Ic)*R*sin(alpha)/{square}"),
        "0".to_string(),
        "-R*sin(alpha)".to_string(),
        "1".to_string(),
        "1/(m*R^2 + Ic)".to_string(),
        "R*sin(alpha)/(m*R^2 + Ic)".to_string(),
        "0".to_string(),
        "R*sin(alpha)/(m*R^2 + Ic)".to_string(),
        "R^2*sin(alpha)^2/(m*R^2 + Ic)".to_string(),
        "1".to_string(),
    ];
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    let equations = with_formulas_without_units(&expected);
    let solution = closed(&equations);
    let steps = steps(&equations, &solution, &Budget::new(100_000_000)).expect("agrees").expect("small enough");
    let tables = ["A+", "Mbar", "Mbar+"].map(|name| steps.table(name));
    let entries = tables.into_iter().flatten().flat_map(|table| table.entries.iter().copied());
    let entries: Vec<_> = entries.collect();
    assert_eq!(entries.len(), expected.len());
    for ((output, entry), formula) in equations.model.outputs.iter().zip(entries).zip(expected) {
        assert!(equal(&steps.graph, entry, output.components[0]), "{formula}");
    }
    assert_eq!(steps.rank, 2);
}

/// The wheel without units: the papers add a length squared to 1.
fn with_formulas_without_units(formulas: &[&str]) -> holonom_mechanics::derive::Equations {
    let mut all = "
param      m = 2, R = 0.5, Ic = 0.25, alpha = pi/6, g = 9.81
coord      theta, y
kinetic    m*(R*theta')^2/2 + Ic*theta'^2/2
potential  -m*g*y
constraint no_slip: y = R*theta*sin(alpha)
start      theta = 0"
        .to_string();
    for (which, formula) in formulas.iter().enumerate() {
        all += &format!("\noutput paper{which}: {formula}");
    }
    text(&all)
}

/// Udwadia & Phohomsiri 2006, eq. 5.37, 5.38, 5.44 and 5.45.
#[test]
fn steps_of_the_two_masses() {
    let equations = gallery("two-masses/two-masses.holo");
    let solution = closed(&equations);
    let found = steps(&equations, &solution, &Budget::new(100_000_000)).expect("agrees").expect("small enough");
    let named = |ids: &[holonom_symbols::expr::Id]| {
        let name = |symbol| solution.symbol_name(&equations.model, symbol);
        let style = holonom_symbols::expr::Style::new(holonom_symbols::expr::Notation::Text, &name);
        ids.iter().map(|&id| found.graph.print(id, &style)).collect::<Vec<_>>()
    };
    let inverse = found.table("A+").expect("A⁺");
    assert_eq!(named(&inverse.entries), ["0.5", "-0.5", "0"]);
    let stacked = named(&found.table("Mbar").expect("M̄").entries);
    assert_eq!(stacked[..4], ["one.m/2", "two.m/2", "two.m/2", "one.m/2"]);
    let square = "(k1^2 + 2*k2^2)";
    let entry = format!("m2*k2*(k1 + k2)/{square}");
    let last = format!("m2*k1*(k1 + k2)/{square}");
    let expected = [
        format!("k2^2/{square}"),
        format!("k1/{square}"),
        format!("-(k1^2 + k2^2)/{square}"),
        format!("k1/{square}"),
        format!("k1*k2/{square}"),
        format!("-2*k2/{square}"),
        "0".to_string(),
        entry.clone(),
        entry.clone(),
        "0".to_string(),
        entry.clone(),
        entry,
        "0".to_string(),
        last.clone(),
        last,
    ];
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    // The paper writes the joint the other way round.
    let mut model = std::fs::read_to_string(super::path("massless-first/by-hand.holo")).expect("it is there");
    model = model.replace("q1 = x1 + l", "x1 + l = q1");
    for (which, formula) in expected.iter().enumerate() {
        model += &format!("\noutput paper{which}: {formula}");
    }
    let equations = text(&model);
    let solution = closed(&equations);
    let found = steps(&equations, &solution, &Budget::new(100_000_000)).expect("agrees").expect("small enough");
    let tables = ["A+", "Mbar"].into_iter().filter_map(|name| found.table(name));
    let entries: Vec<_> = tables.flat_map(|table| table.entries.iter().copied()).collect();
    for ((output, entry), formula) in equations.model.outputs.iter().zip(entries).zip(expected) {
        assert!(equal(&found.graph, entry, output.components[0]), "{formula}");
    }
}
