//! Every rule of the language, tried on small models.

use std::collections::HashMap;

use super::{Elaborator, NoFiles, files};
use crate::checked::{EventAction, Expected, FamilyKind, ForceOn, Model};
use crate::drawing::{Color, DrawnShape};
use crate::load::{Loaded, from_text, from_text_with};
use crate::parse::parse;
use crate::source::{FileId, Sources};
use holonom_symbols::expr::{Id, Symbol};

mod one_sided;

fn load(text: &str) -> Loaded {
    from_text("model.holo", text)
}

/// The model, which must have no errors.
fn good(text: &str) -> Model {
    let loaded = load(text);
    assert!(loaded.model.is_some(), "{text}\n{:?}", loaded.diagnostics);
    loaded.model.unwrap()
}

/// The codes of all errors.
fn errors(text: &str) -> Vec<&'static str> {
    let loaded = load(text);
    assert_eq!(loaded.model.is_some(), loaded.errors().next().is_none());
    loaded.errors().map(|one| one.code).collect()
}

/// The codes of all warnings of a model that has no errors.
fn warnings(text: &str) -> Vec<&'static str> {
    let loaded = load(text);
    assert!(loaded.model.is_some(), "{text}\n{:?}", loaded.diagnostics);
    loaded.diagnostics.iter().map(|one| one.code).collect()
}

/// Everything that is said, as text.
fn said(text: &str) -> String {
    let loaded = load(text);
    let mut all = String::new();
    for one in &loaded.diagnostics {
        all.push_str(&format!("{}: {}\n", one.code, one.message));
        one.labels.iter().for_each(|label| all.push_str(&format!("  {}\n", label.text)));
        one.notes.iter().chain(&one.help).for_each(|line| all.push_str(&format!("  {line}\n")));
    }
    all
}

/// The value of an expression, with positions 0.3, 0.5, …, velocities 1.1, 1.3, … and time 0.7.
fn number(model: &Model, id: Id) -> f64 {
    fn value(model: &Model, symbol: Symbol) -> f64 {
        match symbol {
            Symbol::Time => 0.7,
            Symbol::Parameter(i) => number(model, model.parameters[i as usize].value),
            Symbol::Position(i) => 0.3 + 0.2 * f64::from(i),
            Symbol::Velocity(i) => 1.1 + 0.2 * f64::from(i),
            Symbol::Acceleration(i) => 2.1 + 0.2 * f64::from(i),
            Symbol::Multiplier(i) => 3.1 + 0.2 * f64::from(i),
            Symbol::Reaction(i) => 4.1 + 0.2 * f64::from(i),
            Symbol::Slip(_) => 0.1,
            Symbol::Normal(_) => 10.0,
        }
    }
    model.graph.evaluate(&[id], |symbol| value(model, symbol))[0]
}

/// The value of `output o: EXPR` in a model with the coordinates x, y and z.
fn output(expression: &str) -> Vec<f64> {
    let model = good(&format!("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\noutput o: {expression}\n"));
    model.outputs[0].components.iter().map(|&id| number(&model, id)).collect()
}

#[track_caller]
fn close(found: &[f64], due: &[f64]) {
    assert_eq!(found.len(), due.len(), "{found:?} {due:?}");
    for (a, b) in found.iter().zip(due) {
        assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{found:?} {due:?}");
    }
}

const FREE: &str = "coord x, y\nkinetic (x'^2 + y'^2)/2\n";
const UNITS: &str = "param m = 2 kg, g = 9.81 m/s^2, k = 3 N/m\ncoord x: m, y: m, a: rad\nkinetic m*(x'^2 + y'^2)/2\n";

fn with(text: &str) -> String {
    format!("{FREE}{text}\n")
}

fn with_units(text: &str) -> String {
    format!("{UNITS}{text}\n")
}

#[test]
fn the_gallery_has_no_errors() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery");
    let mut folders = vec![root];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "holo") {
                count += 1;
                let loaded = crate::load::load(&path);
                assert!(loaded.model.is_some(), "{}: {:?}", path.display(), loaded.diagnostics);
            }
        }
    }
    assert!(count > 30);
}

#[test]
fn operators_and_functions_have_their_usual_values() {
    let (x, y, z) = (0.3_f64, 0.5_f64, 0.7_f64);
    close(&output("-x^2 + 2^-3*y - 1/2*z"), &[-x * x + y / 8.0 - z / 2.0]);
    close(&output("(x*y)'"), &[1.1 * y + x * 1.3]);
    close(&output("sin(x)''"), &[2.1 * x.cos() - 1.1 * 1.1 * x.sin()]);
    close(&output("atan2(y, x) + min(x, y, 0.1) + max(x, y) + clamp(z, 0, 0.6)"), &[y.atan2(x) + 0.1 + y + 0.6]);
    close(&output("if(x < y, x, y) + if(x > y and t > 0 or not x < y, 1, 0)"), &[x]);
    close(&output("sqrt(x) + abs(-x) + sign(-x) + log(x) + exp(x)"), &[x.sqrt() + x - 1.0 + x.ln() + x.exp()]);
    close(&output("cross((x, y), (y, z)) + dot((x, y, z), (1, 2, 3))"), &[x * z - y * y + x + 2.0 * y + 3.0 * z]);
    close(&output("cross((x, y, z), (1, 2, 3))"), &[y * 3.0 - z * 2.0, z - x * 3.0, x * 2.0 - y]);
    close(&output("2*(x, y)/4 - (1, 2)'"), &[x / 2.0, y / 2.0]);
}

#[test]
fn a_smooth_step_rises_with_continuous_curvature() {
    let rise = |s: f64| 6.0 * s.powi(5) - 15.0 * s.powi(4) + 10.0 * s.powi(3);
    close(&output("smoothstep(x)"), &[rise(0.3)]);
    close(&output("smoothstep(1, 3, 2.5 + 0*x)"), &[rise(0.75)]);
    close(&output("smoothstep(-x) + smoothstep(1 + x)"), &[1.0]);
}

#[test]
fn degrees_are_exact() {
    let model = good("param a = 30 deg, b = sin(a), c = 50 %\ncoord x\nkinetic x'^2/2\noutput o: a + b + c\n");
    assert!(!model.has_units);
    assert_eq!(number(&model, model.parameters[0].value), std::f64::consts::PI / 6.0);
    assert_eq!(good("coord x\nkinetic x'^2/2\noutput o: sin(30 deg)*x\n").outputs.len(), 1);
    close(&output("sin(30 deg)"), &[0.5]);
}

#[test]
fn names_are_declared_once_and_found_when_misspelt() {
    assert_eq!(errors(&with("param x = 1")), ["redefined-name"]);
    assert_eq!(errors(&with("let pi = 3")), ["reserved-name"]);
    assert_eq!(errors(&with("let sin(a) = a")), ["reserved-name"]);
    assert!(said("coord theta\nkinetic tehta'^2/2\n").contains("did you mean `theta`?"));
    for wrong in ["xdot", "x_dot", "dx", "vx"] {
        let text = said(&format!("coord x\nkinetic {wrong}^2/2 + x'^2\n"));
        assert!(text.contains("the velocity of `x` is written `x'`"), "{text}");
    }
    assert!(said("coord x\nkinetic x.dot^2/2\n").contains("the velocity of `x` is written `x'`"));
    assert_eq!(errors(&with("output o: sinn(x)")), ["unknown-function"]);
    assert!(said(&with("output o: x(1 + y)")).contains("`x` is not a function"));
    assert_eq!(warnings(&with("param k = 1\nlet q = x")), ["unused-name", "unused-name"]);
}

#[test]
fn one_mistake_is_one_message() {
    assert_eq!(errors(&with("let q = nothing + 1, r = q^2\nforce x: r, y: q\noutput o: r + q")), ["unknown-name"]);
    assert_eq!(errors("param m = 2 kilos\ncoord x: m\nkinetic m*x'^2/2\n"), ["unknown-unit"]);
    assert_eq!(
        errors(&with("constraint c: nothing = x\noutput o: multiplier(c) + 1\nnonideal c: ideal(c)")),
        ["unknown-name"]
    );
    assert_eq!(errors(&with("let q[i in 1..100] = nothing\nforce x: q[3]")), ["unknown-name"]);
}

#[test]
fn parameters_are_made_of_earlier_ones() {
    let model = good("param a = 2, b = a^2 + 1\ncoord x\nkinetic b*x'^2/2\n");
    assert_eq!(number(&model, model.parameters[1].value), 5.0);
    assert_eq!(errors("param b = a, a = 2\ncoord x\nkinetic a*b*x'^2\n"), ["parameter-order"]);
    assert!(said("param b = 2*b\ncoord x\nkinetic b*x'^2\n").contains("made of itself"));
    assert_eq!(errors("param b = x\ncoord x\nkinetic b*x'^2\n"), ["not-fixed"]);
    assert_eq!(errors("param b = t\ncoord x\nkinetic b*x'^2\n"), ["not-fixed"]);
}

#[test]
fn lets_come_in_any_order_but_not_in_a_circle() {
    good(&with("let b = a + 1, a = x*t\nforce x: b'"));
    let text = said(&with("let a = b, b = c, c = a\nforce x: a"));
    assert!(text.contains("cyclic-definition") && text.contains("`a` needs `b` needs `c` needs `a`"), "{text}");
    assert_eq!(errors(&with("let f(a) = f(a - 1)\nforce x: f(3)")), ["cyclic-definition"]);
    let model = good(&with("let e(a) = (cos(a), sin(a))\noutput o: e(x).y"));
    close(&[number(&model, model.outputs[0].components[0])], &[0.3_f64.sin()]);
    assert_eq!(errors(&with("let e(a) = a\noutput o: e(x, y)")), ["arguments"]);
}

#[test]
fn nothing_goes_beyond_the_second_derivative() {
    assert_eq!(errors(&with("output o: (x'')'")), ["third-derivative"]);
    assert_eq!(errors(&with("constraint c: x = y\noutput o: multiplier(c)'")), ["derivative-of-force"]);
}

#[test]
fn vectors_have_two_products() {
    assert!(said(&with("output o: (x, y)*(y, x)")).contains("dot or cross?"));
    assert_eq!(errors(&with("output o: (x, y) + 1")), ["shape-mismatch"]);
    assert_eq!(errors(&with("output o: (x, y).z")), ["no-component"]);
    assert_eq!(errors(&with("output o: (x, y)^2")), ["vector-product"]);
    assert_eq!(errors(&with("output o: norm(x)")), ["vector-expected"]);
    assert_eq!(errors(&with("output o: 1/0")), ["division-by-zero"]);
}

#[test]
fn dimensions_are_checked_with_one_unit_anywhere() {
    good(&with("potential 3*x"));
    let wrong = [
        ("potential m*g", "not-an-energy", "multiply by a height: `m*g*y`"),
        ("kinetic m*x^2/2", "not-an-energy", "did you forget the prime? the velocity of `x` is `x'`"),
        ("output o: x + t", "dimension-mismatch", "this is a time, `s`"),
        ("output o: sin(t)", "dimension-mismatch", "sin(w*t)"),
        ("output o: x^a", "dimension-mismatch", "must be a constant"),
        ("force x: m", "dimension-mismatch", "the force on `x` must be a force"),
        ("force a: m*g", "dimension-mismatch", "must be a torque"),
        ("gravity (0, g*m)", "dimension-mismatch", "gravity must be an acceleration"),
        ("dissipation m*x'^2", "dimension-mismatch", "a power"),
        ("constraint c: x = y'", "dimension-mismatch", "the sides of this constraint"),
        ("start x = 3", "dimension-mismatch", "`x` must be a length"),
        ("run until 5", "dimension-mismatch", "the end of a run must be a time"),
        ("mass [[m, 0, 0], [0, m, 0], [0, 0, m]]", "dimension-mismatch", "row 3 and column 3"),
        ("particle p: k at (x, y)", "dimension-mismatch", "a mass must be a mass"),
        ("expect x'' = g*t", "dimension-mismatch", "expectation"),
        ("output o: (x, a)", "dimension-mismatch", "the components of this vector"),
        ("output o: if(x > 0, x, a)", "dimension-mismatch", "the values of `if`"),
        ("output o: x > t", "dimension-mismatch", "compared"),
        ("constraint c: x = y\nfriction c: coulomb(m), slip = x', normal = m*g", "dimension-mismatch", "coefficient"),
        ("constraint c: x = y\nfriction c: coulomb(0.1), slip = x', normal = m", "dimension-mismatch", "normal"),
    ];
    for (line, code, words) in wrong {
        let text = said(&with_units(line));
        assert!(text.contains(code) && text.contains(words), "{line}\n{text}");
    }
    let fine = [
        "potential 0",
        "potential m*g*y + k*x^2/2",
        "force a: 3 N*m, x: 0",
        "start x = 0, x' = 1 m/s, a = 30 deg",
        "constraint c: sqrt(x^2 + y^2) = 3 mm\noutput o: multiplier(c) + 1 N",
        "constraint c: x' = 3 m/s\noutput o: multiplier(c) + 1 N*s/s",
        "expect at start x'' = -g, m*(x'', y'') = (0, -m*g)",
        "dissipation (3 N*s/m)*x'^2/2",
        "run until 5 s, every 10 ms, at [0, 1 s]",
        "output o: sin(t*3 1/s) + energy()/(1 J)",
    ];
    for line in fine {
        good(&with_units(line));
    }
}

#[test]
fn mistakes_are_seen_without_units_too() {
    assert!(said(&with("kinetic x^2/2")).contains("`x'`"));
    assert!(said(&with("param m = 1, g = 9.81\npotential m*g")).contains("`m*g*y`"));
}

#[test]
fn coordinates_of_one_statement_interleave() {
    let model = good("param N = 3\ncoord x[1..N], y[i in 1..N], z\nkinetic sum(i in 1..N, x[i]'^2 + y[i]'^2) + z'^2\n");
    let names: Vec<&str> = model.coordinates.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["x[1]", "y[1]", "x[2]", "y[2]", "x[3]", "y[3]", "z"]);
    let family = model.families.iter().find(|one| one.name == "y").unwrap();
    assert_eq!(family.kind, FamilyKind::Coordinate);
    assert_eq!(family.members, [(vec![1], 1), (vec![2], 3), (vec![3], 5)]);
    assert_eq!(model.symbol_name(Symbol::Velocity(4)), "x[3]'");
}

#[test]
fn families_have_boundaries_and_conditions() {
    let model = good(
        "param N = 4\ncoord x[1..N]\nlet x[0] = 0\nkinetic sum(i in 1..N, x[i]'^2)/2\n\
         constraint c[i in 1..N where i /= 2]: x[i] - x[i-1] = i\nstart x[i in 1..N] = i^2\n",
    );
    let names: Vec<&str> = model.constraints.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["c[1]", "c[3]", "c[4]"]);
    assert_eq!(model.start.len(), 4);
    assert_eq!(number(&model, model.start[3].value), 16.0);
    good(&with("output o: sum(i in 1..0, x) + x\nconstraint c[i in 2..1]: x = 3"));
    let text = said("coord x[1..3]\nkinetic sum(i in 1..3, (x[i]' - x[i-1]')^2)\n");
    assert!(text.contains("there is no `x[0]`") && text.contains("when `i` is 1"), "{text}");
    assert_eq!(errors("coord x[1..3]\nkinetic x'^2\n"), ["index-missing"]);
    assert_eq!(errors(&with("output o: x[1]")), ["not-a-family"]);
    assert_eq!(errors("param h = 0.5\ncoord x[1..3]\nkinetic x[h]'^2\n"), ["not-an-integer"]);
    assert_eq!(errors("coord x[1..3]\nlet x[2] = 1\nkinetic x[2]'^2\n"), ["redefined-name"]);
    let model = good(
        "coord q[1..2, 1..3]\nkinetic sum(i in 1..2, j in 1..3 where j /= i, q[i, j]'^2)/2 + q[1,1]'^2 + q[2,2]'^2\n",
    );
    assert_eq!(model.coordinates[4].name, "q[2, 2]");
}

#[test]
fn a_long_chain_needs_no_deep_stack() {
    let model =
        good("param N = 100000\ncoord x\nkinetic x'^2/2\nlet p[0] = 0, p[i in 1..N] = p[i-1] + i*x\noutput o: p[N]\n");
    let expected = 0.3 * 100_000.0 * 100_001.0 / 2.0;
    assert!((number(&model, model.outputs[0].components[0]) / expected - 1.0).abs() < 1e-9);
    let circle = said(&with("let p[i in 0..500] = p[500 - i] + 1\noutput o: p[3]"));
    assert!(circle.contains("cyclic-definition"), "{circle}");
}

#[test]
fn what_is_too_large_is_refused_quickly() {
    assert_eq!(errors(&with("output o: sum(i in 1..1000000000, x)")), ["too-large"]);
    assert_eq!(errors(&with("output o: sum(i in 1..100000, sum(j in 1..100000, 1))")), ["too-large"]);
    assert_eq!(errors("coord x[1..2000000]\nkinetic x[1]'^2\n"), ["too-large"]);
    // An index that hides a parameter of the same name is no size.
    let hidden = "param i = 2000000\ncoord x[i in 1..2, j in 1..i]\nkinetic sum(i in 1..2, j in 1..i, x[i, j]'^2/2)\n";
    assert_eq!(good(hidden).coordinates.len(), 3);
    let mut text = String::from("coord x\nkinetic x'^2\nlet f0(a) = a*sin(a)\n");
    for i in 1..40 {
        text.push_str(&format!("let f{i}(a) = f{}(a) + f{}(a + 1)\n", i - 1, i - 1));
    }
    text.push_str("output o: f39(x)\n");
    assert_eq!(errors(&text), ["too-large"]);
}

/// A million coordinates and as many start values are too many, and no member is made to find that out.
#[test]
fn families_are_counted_before_they_are_made() {
    let text = "param N = 1000000\ncoord x[1..N]\nkinetic sum(i in 1..N, x[i]'^2/2)\nstart x[i in 1..N] = 0\n";
    let mut sources = Sources::new();
    let file = sources.add("model.holo", text);
    let (document, _) = parse(file, text);
    let library = files::read_parts(&document, &mut sources, &NoFiles, &mut Vec::new());
    let mut elaborator = Elaborator::new(&document, &library, &NoFiles, &sources, Vec::new());
    elaborator.run();
    assert_eq!(elaborator.diagnostics.iter().map(|one| one.code).collect::<Vec<_>>(), ["too-large"]);
    assert!(elaborator.model.coordinates.is_empty());
}

#[test]
fn particles_are_points() {
    let model = good(
        "param m = 2, g = 9.81\nparticle p[1..2]: m in plane\ngravity (0, -g)\nstart p[1] = (1, 2), p[2].x = 3, p[1]' = (0, 1)\nconstraint c: norm(p[1] - p[2]) = 1\n",
    );
    let names: Vec<&str> = model.coordinates.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["p[1].x", "p[1].y", "p[2].x", "p[2].y"]);
    assert_eq!(model.start.len(), 5);
    close(&[number(&model, model.kinetic_energy)], &[1.1 * 1.1 + 1.3 * 1.3 + 1.5 * 1.5 + 1.7 * 1.7]);
    close(&[number(&model, model.potential_energy)], &[2.0 * 9.81 * (0.5 + 0.9)]);
    assert_eq!(errors("particle p: 1 in space\ngravity (0, -9.81)\n"), ["wrong-length"]);
    let text = said("coord a\nparticle p: 1 at (cos(a), sin(a))\nstart p = (1, 0)\n");
    assert!(text.contains("wrong-target") && text.contains("`a`"), "{text}");
    assert_eq!(errors("coord a\nparticle p: -1 at (cos(a), sin(a))\n"), ["negative"]);
}

#[test]
fn forces_act_on_coordinates_points_and_the_system() {
    let model = good(&with(
        "particle p: 1 at (x, y)\nlet tip = (x + 1, y)\nforce x: -x, p: (0, 1), tip: (1, 1), (x, y): (1, 0)\nforce [1, 2]",
    ));
    assert!(matches!(model.forces[0].on, ForceOn::Coordinate(0)));
    assert!(matches!(model.forces[2].on, ForceOn::Point(_)));
    assert!(matches!(model.forces[4].on, ForceOn::System));
    assert_eq!(errors(&with("force [1, 2, 3]")), ["wrong-length"]);
    assert_eq!(errors(&with("force (1, 2)")).len(), 1);
    assert_eq!(errors(&with("force x: (1, 2)")), ["number-expected"]);
    assert_eq!(errors(&with("force x: x''")), ["wrong-dependence"]);
    assert_eq!(errors(&with("lagrangian x'^2")), ["lagrangian-and-energies"]);
    assert_eq!(errors(&with("mass [[1, 2], [3, 4]]")), ["not-symmetric"]);
    assert_eq!(warnings("coord x\nmass [[1 + x^2]]\n"), ["mass-depends-on-coordinates"]);
    assert_eq!(errors(&with("potential x'*y")), ["wrong-dependence"]);
    let model = good("coord x\nlagrangian x'^2/2 + x*x' - 3*x^2\n");
    close(&[number(&model, model.potential_energy)], &[3.0 * 0.09]);
    close(&[number(&model, model.kinetic_energy)], &[1.21 / 2.0 + 0.33]);
}

#[test]
fn constraints_are_rows() {
    let model = good(&with("constraint pin: (x, y) = (1, 2)\nconstraint rod: x^2 = 4, off"));
    assert_eq!((model.constraints[0].first_row, model.constraints[1].first_row), (0, 2));
    assert_eq!((model.row_name(1), model.row_name(2)), ("pin.2".to_string(), "rod".to_string()));
    assert!(model.constraints[1].off);
    assert_eq!(warnings(&with("constraint c: x - x = 0")), ["idle-constraint"]);
    assert_eq!(errors(&with("constraint c: x - x = 1")), ["impossible-constraint"]);
    assert_eq!(errors(&with("constraint c: (x, y) = 1")), ["shape-mismatch"]);
    assert_eq!(errors(&with("constraint c: (x, y) = 0")), ["shape-mismatch"]);
    assert_eq!(errors(&with("output o: x^100000")), ["huge-exponent"]);
    assert_eq!(errors(&with("constraint c: x = multiplier(c)")), ["too-early"]);
    assert_eq!(
        warnings(&with("constraint c: (x, sin(t)^2 + cos(t)^2) = (0, 1)\noutput o: multiplier(c)")),
        ["idle-constraint"]
    );
}

#[test]
fn forces_of_constraints_can_be_spoken_of() {
    let model = good(&with(
        "particle p: 1 at (x, y), q: 1 at (2*x, y + x)\nconstraint c: x^2 + y^2 = 1\noutput a: ideal(c), b: ideal(c, p), d: ideal(c, q), e: multiplier(c), f: reaction(c)",
    ));
    let value =
        |which: usize| -> Vec<f64> { model.outputs[which].components.iter().map(|&id| number(&model, id)).collect() };
    let force = [2.0 * 0.3 * 3.1, 2.0 * 0.5 * 3.1];
    close(&value(0), &force);
    close(&value(1), &force);
    // JᵀF = Q with J = [2 0; 1 1].
    let f = value(2);
    close(&[2.0 * f[0] + f[1], f[1]], &force);
    close(&value(3), &[3.1]);
    close(&value(4), &[4.1]);
    assert_eq!(errors(&with("output o: multiplier(d)")), ["unknown-constraint"]);
    assert_eq!(errors(&with("force x: energy()")), ["too-early"]);
}

#[test]
fn nonideal_forces_and_friction_belong_to_constraints() {
    let base = "particle p: 1 at (x, y)\nconstraint c: y = x\n";
    good(&with(&format!("{base}nonideal c: [1, 2]\nnonideal c on p: -p'\nnonideal [0, 1]\nnonideal c: -0.1*ideal(c)")));
    for law in [
        "coulomb(0.1)",
        "coulomb(0.1, 0.2)",
        "viscous(3)",
        "quadratic(1)",
        "stribeck(0.1, 0.2, 0.01)",
        "law(0.1*normal*(1 + slip))",
    ] {
        good(&with(&format!("{base}friction c: {law}")));
    }
    good(&with(&format!("{base}friction c: coulomb(0.3), slip = x' - 1, normal = reaction(c)")));
    assert_eq!(errors(&with(&format!("{base}friction c: coulom(0.3)"))), ["unknown-law"]);
    assert_eq!(errors(&with(&format!("{base}friction c: stribeck(0.3)"))), ["arguments"]);
    assert_eq!(errors(&with(&format!("{base}friction d: coulomb(0.3)"))), ["unknown-constraint"]);
    assert_eq!(errors(&with(&format!("{base}nonideal c: (1, 2)"))), ["list-expected"]);
    assert_eq!(errors(&with(&format!("{base}friction c: coulomb(0.3), slp = x'"))), ["unknown-option"]);
}

#[test]
fn start_values_belong_to_coordinates() {
    let model = good(&with("param v = 2\nstart x = 1, y = 2*x, x' = v, y' ~ x'"));
    assert!(model.start[3].guess);
    assert_eq!(model.start[2].symbol, Symbol::Velocity(0));
    assert_eq!(errors(&with("start x = 1, x = 2")), ["started-twice"]);
    assert_eq!(errors(&with("start x = y, y = x")), ["cyclic-definition"]);
    assert_eq!(errors(&with("start x'' = 1")), ["wrong-target"]);
    assert_eq!(errors(&with("param k = 1\nstart k = 1")), ["wrong-target"]);
    assert_eq!(errors(&with("let s = x + y\nstart s = 1")), ["wrong-target"]);
    assert_eq!(errors(&with("start x = t")), ["not-fixed"].map(|_| "wrong-dependence"));
    good(&with("free x'' = t, y'' = 0"));
    assert_eq!(errors(&with("free x = 1")), ["wrong-target"]);
    assert!(good(&with("free zero")).free_zero.is_some());
}

#[test]
fn runs_have_options() {
    let model =
        good(&with("run until 10, every 0.5, at [0, 1], method = stiff, rtol = 1e-9, atol = 1e-9, drift = none"));
    assert_eq!(model.run.at.len(), 2);
    assert!(said(&with("run until 10, method = stif")).contains("did you mean `stiff`?"));
    assert!(said(&with("run until 10, mehod = stiff")).contains("did you mean `method`?"));
    assert_eq!(errors(&with("run until -1")), ["negative"]);
    assert_eq!(errors(&with("run until 0")), ["negative"]);
    assert_eq!(errors(&with("run every 1")), ["run-without-until"]);
    assert_eq!(errors(&with("run until x")), ["not-fixed"]);
}

#[test]
fn events_have_conditions_and_actions() {
    let model = good(&with(
        "param k = 1\nconstraint c: x = y\nconstraint d: x = 3*y, off\nevent hit: y < 0 and x > k -> stop, record, drop c, add d, set y' = -y', set k = 3\nevent pass: x crosses -> record",
    ));
    assert_eq!(model.events[0].actions.len(), 6);
    assert!(matches!(model.events[0].actions[4], EventAction::Set(Symbol::Velocity(1), _)));
    assert_eq!(errors(&with("event e: x == 0 -> stop")), ["equality-of-reals"]);
    assert_eq!(errors(&with("event e: x -> stop")).len(), 1);
    assert_eq!(errors(&with("event e: x < 0 -> drop c")), ["unknown-constraint"]);
    assert_eq!(errors(&with("event e: x < 0 -> stop\nevent e: x < 1 -> stop")), ["redefined-name"]);
}

#[test]
fn expectations_are_claims() {
    let model = good(&with("expect at start x'' = 0 within 1e-9, constant energy(), x > 0, (x, y) = (y, x)"));
    assert!(model.expects[0].at_start && model.expects[0].within.is_some());
    assert!(matches!(model.expects[1].claim, Expected::Constant(_)));
    assert!(matches!(model.expects[2].claim, Expected::True(_)));
    assert!(matches!(&model.expects[3].claim, Expected::Equal(a, _) if a.len() == 2));
    assert_eq!(errors(&with("expect x")).len(), 1);
}

#[test]
fn parts_have_names_of_their_own() {
    let model = good(
        "param g = 9.81\npart arm[i in 1..2]\n  param L = i, k = 2*L\n  coord a\n  let tip = L*(cos(a), sin(a))\n  kinetic k*a'^2/2\n  potential g*tip.y\n  start a = 1\n\
         connect joint: arm[1].tip = arm[2].tip\nstart arm[2].a = 3\noutput o: arm[2].a' + arm[1].L\n",
    );
    let names: Vec<&str> = model.coordinates.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["arm[1].a", "arm[2].a"]);
    assert_eq!(number(&model, model.start[1].value), 3.0);
    let parameter = |name: &str| model.parameters.iter().find(|one| one.name == name).unwrap().value;
    assert_eq!(number(&model, parameter("arm[2].k")), 4.0);
    assert_eq!(model.constraints[0].rows.len(), 2);
    assert_eq!(errors("part arm\n  coord a\n  kinetic a'^2\noutput o: arm.a[1]\n"), ["not-a-family"]);
    assert_eq!(errors("part arm\n  coord a\n  kinetic a'^2\noutput o: arm.b\n"), ["unknown-name"]);
    assert_eq!(errors("part arm\n  coord a\n  kinetic a'^2\noutput o: arm\n"), ["not-a-value"]);
}

#[test]
fn parts_and_tables_come_from_files() {
    let files = |all: &[(&str, &str)]| -> HashMap<String, String> {
        all.iter().map(|(name, text)| ((*name).to_string(), (*text).to_string())).collect()
    };
    let some = files(&[
        (
            "lib/arm.holo",
            "param L = 1 m, m = 2 kg\ncoord x: m\nkinetic m*x'^2/2\npart hand = \"hand.holo\" with L = L/2\nrun until 3 s\n",
        ),
        ("lib/hand.holo", "param L = 1 m, m = 1 kg\ncoord y: m\nkinetic m*y'^2/2\nparam k = 3 N/m\npotential k*L*y\n"),
        ("f.csv", "t, f\n0, 1\n1, 2\n2, 5\n"),
        ("bad.csv", "0, 1\n0, 2\n"),
        ("a.holo", "part b = \"b.holo\"\n"),
        ("b.holo", "part a = \"a.holo\"\n"),
    ]);
    let load = |text: &str| from_text_with("model.holo", text, &some, &[]);
    let loaded = load(
        "part arm = \"lib/arm.holo\" with hand.m = 4 kg, L = 3 m\ntable f = \"f.csv\", argument = 1 s, value = 1 N\nforce arm.x: f(t)\n",
    );
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    assert_eq!(model.coordinates[1].name, "arm.hand.y");
    assert!(model.run.until.is_none());
    let parameter = |name: &str| model.parameters.iter().find(|one| one.name == name).unwrap().value;
    close(&[number(&model, parameter("arm.hand.L")), number(&model, parameter("arm.hand.m"))], &[1.5, 4.0]);
    let codes = |text: &str| -> Vec<&'static str> { load(text).errors().map(|one| one.code).collect() };
    assert_eq!(codes("part a = \"a.holo\"\ncoord x\nkinetic x'^2\n"), ["cyclic-parts"]);
    assert_eq!(codes("part a = \"../a.holo\"\ncoord x\nkinetic x'^2\n"), ["unreadable-file"]);
    assert_eq!(codes("part a = \"/etc/passwd\"\ncoord x\nkinetic x'^2\n"), ["unreadable-file"]);
    assert_eq!(codes("table f = \"bad.csv\"\ncoord x\nkinetic x'^2\n"), ["bad-table"]);
    assert_eq!(codes("table f = \"none.csv\"\ncoord x\nkinetic x'^2\n"), ["unreadable-file"]);
}

#[test]
fn drawings_are_points_with_options() {
    let model = good(&with("draw[i in 1..3] line (0, 0) (x, i*y), color = red"));
    assert_eq!(model.drawings.len(), 3);
    assert_eq!(model.drawings[0].points.len(), 2);
    assert_eq!(model.drawings[0].shape, DrawnShape::Line);
    assert_eq!(model.drawings[0].color, Some(Color::Named("red")));
    let model = good(&with("draw[i in 1..4 where i /= 2] path (x, i*y) (y, i), width = thin"));
    assert_eq!(model.drawings.len(), 1);
    assert_eq!(model.drawings[0].points.len(), 6);
    assert_eq!(good(&with("draw[i in 1..0] path (x, i)")).drawings.len(), 0);
}

#[test]
fn drawings_that_mean_nothing() {
    for (draw, code) in [
        ("pont (x, y)", "unknown-shape"),
        ("point", "arguments"),
        ("point (x, y) (0, 0)", "arguments"),
        ("line (x, y)", "arguments"),
        ("path (x, y)", "arguments"),
        ("spring (x, y) (0, 0) (1, 1)", "arguments"),
        ("polygon (x, y) (0, 0)", "arguments"),
        ("point x", "vector-expected"),
        ("point \"A\"", "number-expected"),
        ("point (x'', y)", "wrong-dependence"),
        ("point (x, y), coils = 3", "unknown-option"),
        ("point (x, y), colour = red", "unknown-option"),
        ("point (x, y), color = rde", "unknown-option"),
        ("point (x, y), color = \"#12345\"", "unknown-option"),
        ("point (x, y), color = 3", "unknown-option"),
        ("point (x, y), label = A", "unknown-option"),
        ("point (x, y), fill = maybe", "unknown-option"),
        ("point (x, y), radius = -1", "negative"),
        ("point (x, y), radius = x", "not-fixed"),
        ("point (x, y), radius = 1, radius = 2", "given-twice"),
        ("line (x, y) (0, 0), width = 3", "unknown-option"),
        ("spring (x, y) (0, 0), coils = 2.5", "not-an-integer"),
        ("spring (x, y) (0, 0), coils = 0", "out-of-range"),
        ("body (x, y)", "body-size"),
        ("body (x, y), width = 1", "body-size"),
        ("body (x, y), radius = 1, height = 1", "body-size"),
        ("body (x, y), width = 1, height = 1, axis = (0, 0, 1)", "body-size"),
        ("body (x, y), radius = 1, axis = (0, 1)", "shape-mismatch"),
        ("body (x, y), radius = 1, angle = (0, 1)", "number-expected"),
    ] {
        assert_eq!(errors(&with(&format!("draw {draw}"))), [code], "{draw}");
    }
}

#[test]
fn drawings_have_lengths_and_times() {
    let text = |draw: &str| {
        format!("param R = 1 m, T = 2 s, w = 1 1/s\nparticle p: 2 kg in plane\npotential (1 N)*p.y\ndraw {draw}\n")
    };
    for draw in [
        "point p, radius = R/2",
        "point (0, R), radius = 3 mm",
        "trace p, length = 2*T",
        "body p, width = R, height = 1 cm, angle = w*t",
        "body p, radius = R, axis = (0, w, 3 1/s)",
        "line p (0, 0)",
    ] {
        good(&text(draw));
    }
    for draw in
        ["point (1, 2)", "point p'", "point p, radius = 2", "trace p, length = 2", "body p, radius = R, angle = R"]
    {
        assert_eq!(errors(&text(draw)), ["dimension-mismatch"], "{draw}");
    }
    // A unit in an option is a unit of the model.
    assert!(good("particle p: 0 in plane\nkinetic 0\ndraw point p, radius = 1 cm\n").has_units);
}

#[test]
fn deep_expressions_in_long_chains_fit_the_stack() {
    let (open, close) = ("(".repeat(60), ")".repeat(60));
    let mut text = String::from("coord x\nkinetic x'^2/2\nlet a0 = x\n");
    for i in 1..300 {
        text.push_str(&format!("let a{i} = {open}a{}{close}\n", i - 1));
    }
    text.push_str("output o: a299\n");
    assert_eq!(good(&text).outputs[0].components.len(), 1);
}

#[test]
fn links_that_lead_out_of_the_folder_are_refused() {
    let folder = std::env::temp_dir().join(format!("holonom-elaborate-{}", std::process::id()));
    let inner = folder.join("model");
    std::fs::create_dir_all(&inner).unwrap();
    std::fs::write(folder.join("secret.csv"), "0, 1\n1, 2\n").unwrap();
    std::fs::write(inner.join("own.csv"), "0, 1\n1, 2\n").unwrap();
    std::fs::create_dir_all(inner.join("folder.csv")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.join("secret.csv"), inner.join("link.csv")).unwrap();
    let codes = |table: &str| -> Vec<&'static str> {
        let path = inner.join("model.holo");
        let text = format!("table f = \"{table}\"\ncoord x\nkinetic x'^2/2\nforce x: f(t)\n");
        std::fs::write(&path, text).unwrap();
        crate::load::load(&path).errors().map(|one| one.code).collect()
    };
    assert!(codes("own.csv").is_empty());
    assert_eq!(codes("folder.csv"), ["unreadable-file"]);
    assert_eq!(codes("../secret.csv"), ["unreadable-file"]);
    #[cfg(unix)]
    assert_eq!(codes("link.csv"), ["unreadable-file"]);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The values of a list of expressions.
fn numbers(model: &Model, ids: &[Id]) -> Vec<f64> {
    ids.iter().map(|&id| number(model, id)).collect()
}

#[test]
fn rows_of_vector_equations_have_names() {
    let text = "particle p: 1 in plane\nconstraint pin: p = (0, 1)\n";
    let model = good(&format!(
        "{text}output a: multiplier(pin.1)\noutput b: reaction(pin.2)\noutput c: ideal(pin.2, p)\n\
         expect ideal(pin.1) = [multiplier(pin.1), 0]\n"
    ));
    close(&numbers(&model, &model.outputs[0].components), &[3.1]);
    close(&numbers(&model, &model.outputs[1].components), &[4.3]);
    close(&numbers(&model, &model.outputs[2].components), &[0.0, 3.3]);
    let Expected::Equal(left, right) = &model.expects[0].claim else { panic!("{:?}", model.expects) };
    assert_eq!(left, right);
    for wrong in ["multiplier(pin.3)", "multiplier(pin.0)", "reaction(pin.99999999999999999999)"] {
        assert_eq!(errors(&format!("{text}output a: {wrong}\n")), ["out-of-range"], "{wrong}");
    }
    let one = with("constraint c: x = y\noutput a: multiplier(c.1)\noutput b: multiplier(c.2)");
    assert!(said(&one).contains("write `c` alone"), "{}", said(&one));
}

#[test]
fn lists_in_a_part_run_over_its_own_coordinates() {
    let inner = "  coord x, y\n  mass [[1, 0], [0, 2]]\n  force [3, 4]\n  constraint c: x = y\n  \
                 nonideal c: [5, 6]\n  output i: ideal(c)\n";
    let model = good(&format!("coord a\nkinetic a'^2/2\npart b\n{inner}coord z\nforce [1, 2, 3, 4]\n"));
    assert_eq!(model.mass.len(), 1);
    let mut mass = vec![0.0; 16];
    (mass[5], mass[10]) = (1.0, 2.0);
    close(&numbers(&model, &model.mass[0].entries), &mass);
    close(&numbers(&model, &model.forces[0].components), &[0.0, 3.0, 4.0, 0.0]);
    close(&numbers(&model, &model.forces[1].components), &[1.0, 2.0, 3.0, 4.0]);
    close(&numbers(&model, &model.nonideals[0].components), &[0.0, 5.0, 6.0, 0.0]);
    close(&numbers(&model, &model.outputs[0].components), &[3.1, -3.1]);
    let nested = "part b\n  coord x\n  part c\n    coord y\n    force [7]\n  force [8, 9]\n  mass [[1, 0], [0, 1]]\ncoord z\n\
                  kinetic z'^2/2\n";
    let model = good(nested);
    close(&numbers(&model, &model.forces[0].components), &[0.0, 7.0, 0.0]);
    close(&numbers(&model, &model.forces[1].components), &[8.0, 9.0, 0.0]);
    let wrong = said("part b\n  coord x, y\n  mass [[1, 0], [0, 1]]\n  force [1, 2, 3]\ncoord z\nkinetic z'^2/2\n");
    assert!(wrong.contains("3 of 2") && wrong.contains("in order, b.x, b.y\n"), "{wrong}");
}

#[test]
fn claims_of_a_part_are_about_the_part_alone() {
    let model = good("part a\n  coord x\n  kinetic x'^2/2\n  expect x = 1\nstart a.x = 2\nexpect a.x'' = 0\n");
    assert_eq!(model.expects.len(), 1);
    assert_eq!(errors("part a\n  coord x\n  kinetic x'^2/2\n  expect y = 1\n"), ["unknown-name"]);
}

#[test]
fn at_start_holds_for_what_follows() {
    let model = good(&with("expect x = x, at start x = 1, n: y = 2, within 1e-3\nexpect y = y"));
    let flags: Vec<bool> = model.expects.iter().map(|one| one.at_start).collect();
    assert_eq!(flags, [false, true, true, false]);
}

#[test]
fn functions_of_parts_can_be_called() {
    let inner = "  param r = 2\n  let e(a) = r*a\n  part b\n    let f(a) = a + 1\n";
    let model = good(&with(&format!("part arm\n{inner}output o: arm.e(x) + arm.b.f(3)")));
    close(&numbers(&model, &model.outputs[0].components), &[4.6]);
    assert_eq!(errors(&with(&format!("part arm\n{inner}output o: arm.g(x)"))), ["unknown-function"]);
    assert_eq!(errors(&with("output o: x.e(y)")), ["unknown-function"]);
}

#[test]
fn derivatives_of_tables_can_be_called() {
    let files = HashMap::from([("f.csv".to_string(), "0, 0\n1, 1\n2, 4\n3, 9\n".to_string())]);
    let read = |text: &str| from_text_with("model.holo", &with(text), &files, &[]);
    let loaded = read("table f = \"f.csv\"\noutput a: f'(x)\noutput b: f(x)'");
    let model = loaded.model.expect("no errors");
    let slope = number(&model, model.outputs[0].components[0]);
    close(&numbers(&model, &model.outputs[1].components), &[1.1 * slope]);
    assert_eq!(errors(&with("let e(a) = a^2\noutput o: e'(x)")), ["not-a-function"]);
    assert_eq!(errors(&with("output o: x'(y)")), ["not-a-function"]);
}

#[test]
fn outputs_are_no_second_columns() {
    for (name, code) in [("t", "reserved-name"), ("kinetic", "reserved-name"), ("x", "redefined-name")] {
        assert_eq!(errors(&with(&format!("output {name}: 2*x"))), [code], "{name}");
    }
    let particle = "particle p: 1 in plane\n";
    assert_eq!(errors(&format!("{particle}output p: 2*p\n")), ["redefined-name"]);
    good(&format!("{particle}output q: 2*p\noutput pin: 1\n"));
}

#[test]
fn what_families_are_made_of_cannot_change() {
    let text =
        "param N = 2, M = N, k = 3\ncoord x[1..M]\nkinetic sum(i in 1..M, k*x[i]'^2/2)\nevent e: x[1] > 1 -> set";
    assert_eq!(errors(&format!("{text} N = 3\n")), ["wrong-target"]);
    assert_eq!(errors(&format!("{text} M = 3\n")), ["wrong-target"]);
    good(&format!("{text} k = 4\n"));
}

#[test]
fn indices_side_by_side_have_different_names() {
    assert_eq!(errors("coord x[i in 1..2, i in 1..2]\nkinetic x[1, 1]'^2/2\n"), ["redefined-name"]);
    assert_eq!(errors(&with("potential sum(i in 1..2, i in 1..2, i*x)")), ["redefined-name"]);
    good(&with("potential sum(i in 1..2, sum(i in 1..2, i*x))"));
    assert_eq!(errors("coord x[1..sum(i in 1..2, i)]\nkinetic x[1]'^2/2\n"), ["not-an-integer"]);
}

#[test]
fn rows_that_hold_always_are_dropped() {
    let model =
        good(&with("constraint a: sin(x)^2 + cos(x)^2 = 1\nconstraint b: (x, y) = (x + sin(x)^2 + cos(x)^2 - 1, 3)"));
    assert_eq!(model.row_count(), 1);
    assert_eq!(warnings(&with("constraint a: sin(x)^2 + cos(x)^2 = 1")), ["idle-constraint"]);
}

#[test]
fn tables_may_have_headings_with_units() {
    let read = |text: &str| {
        let files = HashMap::from([("f.csv".to_string(), text.to_string())]);
        from_text_with("model.holo", &with("table f = \"f.csv\"\npotential f(x)"), &files, &[]).model.is_some()
    };
    assert!(read("x [m],y [N]\n0,1\n1,2\n2,5\n"));
    assert!(read("\"time of day\"; the force\n0;1\n1;2\n2;5\n"));
    assert!(!read("x, 1\n0,1\n1,2\n2,5\n"));
    assert!(!read("x, y\nm, N\n0,1\n1,2\n2,5\n"));
}

#[test]
fn messages_say_why_units_are_checked() {
    let lone = said("coord x\nkinetic x'^2/2\nstart x = 0\nrun until 5 s\n");
    assert!(lone.contains("this unit switches checking on") && lone.contains("remove all units"), "{lone}");
    let many = said(&with_units("potential m*g"));
    assert!(!many.contains("switches checking on"), "{many}");
    let litre = said(&with_units("param L = 1 m\nforce x: 3 N/m*L"));
    assert!(litre.contains("write `(3 N/m)*L`"), "{litre}");
}

/// A unit anywhere switches checking on: also in a body, a joint or the place of a part.
#[test]
fn units_of_bodies_and_joints_count() {
    let plain = "coord x\nkinetic x'^2/2\nstart x = 0\n";
    assert!(!good(plain).has_units);
    for statement in [
        "body a: rod(1 m) of 1",
        "body a: rod(1) of 1 kg",
        "body a: mass = 1 kg",
        "body a: rod(1) of 1, from (0, 0, 0) to (0, 1 m, 0)",
        "body a: rod(1) of 1, turned (0, 0, 1 m) by 1",
        "frame f on a: at (0, 1 m, 0)",
        "joint j: ball(a(0, 1 m, 0), ground)",
        "joint j: hinge(a, ground), at (0, 1 m, 0)",
        "joint j: screw(a, ground), pitch = 1 mm",
        "drive d: x = 1 m",
        "spring s: x, stiffness = 1 N/m",
        "damper d: x, rate = 1 N*s/m",
        "torque a: (0, 0, 1 N*m)",
        "force link[1](0, 0, 1 m): (0, 0, 1)",
        "output o: P + (1 m, 0, 0) on a",
        "part p, at (0, 0, 1 m)\n  coord y",
    ] {
        let text = format!("{plain}{statement}\n");
        let (document, errors) = parse(FileId(0), &text);
        assert!(errors.is_empty(), "{statement}: {errors:#?}");
        assert!(files::has_units(&document.statements), "{statement}");
    }
}

#[test]
fn time_is_not_declared_started_or_set() {
    assert_eq!(load("coord t\nkinetic t'^2/2\nstart t = 0\n").diagnostics.len(), 1);
    assert_eq!(errors(&with("start t = 2")), ["wrong-target"]);
    assert_eq!(errors(&with("event e: x > 1 -> set t = 2")), ["wrong-target"]);
}

#[test]
fn idle_statements_are_warned_of() {
    assert_eq!(warnings(&with("dissipation 3*x^2/2")), ["dissipation-without-velocity"]);
    assert_eq!(warnings(&with("constraint c: x = 0, off")), ["never-on"]);
    assert!(warnings(&with("constraint c: x = 0, off\nevent e: x < 0 -> add c")).is_empty());
}

/// Without a prime anywhere the coordinate would have no mass: that is a mistake. In a rotating frame a term without velocities is right.
#[test]
fn forgotten_primes_are_shown() {
    let meant = |text: &str| load(text).diagnostics[0].suggestion.clone().map(|one| one.replacement);
    assert_eq!(errors("coord x\nkinetic 3*x^2/2\n"), ["kinetic-without-velocity"]);
    assert_eq!(meant("coord x\nkinetic 3*x^2/2\n").as_deref(), Some("3*x'^2/2"));
    let polar = "coord r, a\nkinetic r'^2/2\nkinetic r^2*a^2/2\nstart r = 1, a = 0\n";
    assert_eq!((errors(polar), meant(polar).as_deref()), (vec!["kinetic-without-velocity"], Some("r^2*a'^2/2")));
    let family = "coord x[1..3]\nkinetic sum(i in 1..3, x[i]^2/2)\n";
    assert_eq!(meant(family).as_deref(), Some("sum(i in 1..3, x[i]'^2/2)"));
    let vector = "coord x, y\nlet r = (x, y)\nkinetic dot(r, r)/2\n";
    assert_eq!(meant(vector).as_deref(), Some("dot(r', r')/2"));
    let turning = "param w = 2\ncoord r\nkinetic r'^2/2, w^2*r^2/2\nstart r = 1\n";
    assert_eq!(warnings(turning), ["kinetic-without-velocity"]);
    let massive = "coord x\nkinetic x^2\nmass [[2]]\nstart x = 1\n";
    assert_eq!(warnings(massive), ["kinetic-without-velocity"]);
}

#[test]
fn habits_of_other_languages_get_their_own_remedy() {
    for (text, code, help) in [
        ("equation x'' = -x\n", "unknown-statement", "constraint c:"),
        ("def f(x): x^2\n", "unknown-statement", "let f(x) ="),
        ("spring x, k\n", "missing-name", "`spring s1: x, stiffness = k`"),
        ("damper x: 2\n", "missing-item", "d1: x, rate = 2"),
        ("floor y >= 0\n", "unknown-statement", "`constraint floor: y >= 0`"),
        ("coord x\nkinetic der(x)^2/2\n", "unknown-function", "x'"),
        ("coord x\nkinetic diff(2*x, t, t)/2\n", "unknown-function", "(2*x)''"),
        ("coord x\nkinetic (dx/dt)^2/2\n", "unknown-name", "x'"),
        ("coord x\nkinetic \\dot{x}^2/2\n", "paper-sign", "x'"),
        ("coord x\nkinetic x'^2/2\nforce x: |x|\n", "paper-sign", "`abs(x)`"),
        ("coord x\nkinetic x'^2/2\nforce x: 2*PI\n", "unknown-name", "pi"),
        ("coord x\nkinetic x'^2/2\nforce x: -np.sin(x)\n", "unknown-function", "sin"),
        ("coord x\nkinetic x'^2/2\npotential 3*x'^2/2\n", "wrong-dependence", "dissipation 3*x'^2/2"),
    ] {
        let loaded = from_text("habit.holo", text);
        let error = loaded.errors().next().expect("an error");
        let remedy = format!("{error:?}");
        assert!(error.code == code && remedy.contains(help), "{text}: {remedy}");
    }
}

#[test]
fn many_semicolons_are_one_message() {
    let text = "coord x; coord y;\nkinetic x'^2/2;\nkinetic y'^2/2;\nstart x = 1;\nstart y = 2;\n";
    let codes: Vec<&str> = from_text("habit.holo", text).errors().map(|error| error.code).collect();
    assert_eq!(codes, ["paper-sign"]);
}

#[test]
fn a_plain_number_is_no_angle_in_degrees() {
    let codes = |start: &str| -> Vec<&'static str> {
        let text = format!("coord theta: deg\nkinetic theta'^2/2\npotential -cos(theta)\nstart {start}\n");
        from_text("angle.holo", &text).errors().map(|error| error.code).collect()
    };
    for refused in ["theta = 30", "theta = -30", "theta = 0, theta' = 30", "theta ~ 30"] {
        assert_eq!(codes(refused), ["dimension-mismatch"], "{refused}");
    }
    for accepted in
        ["theta = 30 deg", "theta = 0", "theta = 0.5 rad", "theta = pi/6", "theta = 30 deg, theta' = 10 deg"]
    {
        assert!(codes(accepted).is_empty(), "{accepted}");
    }
}

/// Only a quadratic form of velocities that is never positive is a damper with a minus; only the same symbols are the same energy.
#[test]
fn warnings_of_energies_are_not_false() {
    let of = |rest: &str| {
        warnings(&format!("param c = 2, v = 0.5\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n{rest}\nstart x = 0, y = 0\n"))
    };
    for (dissipation, warned) in [
        ("-c*x'^2/2", true),
        ("-c*(x' + y')^2", true),
        ("c*x'^2/2 - c*x'*y'/10", false),
        ("c*x'*y'", false),
        ("c*(x^2 - 1)*x'^2/2", false),
        ("c*x'^2/2 - c*v*x'", false),
        ("-c*x'", false),
    ] {
        let said = of(&format!("param unused = c*v\noutput o: unused\ndissipation {dissipation}"));
        assert_eq!(said.contains(&"negative-dissipation"), warned, "{dissipation}: {said:?}");
    }
    let falling = |potential: &str| {
        warnings(&format!(
            "param m = 1, g = 9.81, q = 1, E = 9.81\nparticle p: m in plane\ngravity (0, -g)\npotential {potential}\noutput o: q*E\nstart p = (0, 0)\n"
        ))
    };
    assert!(falling("m*g*p.y").contains(&"counted-twice"));
    assert!(!falling("q*E*p.y").contains(&"counted-twice"));
}
