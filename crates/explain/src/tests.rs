//! The page by its parts.

mod limits;

use super::*;
use holonom_language::from_text;
use holonom_mechanics::derive::derive;
use holonom_symbols::expr::{Id, Names, Notation, Symbol};

const WHEEL: &str = include_str!("../../../gallery/wheel/wheel.holo");

fn equations(text: &str) -> Equations {
    derive(from_text("model.holo", text).model.unwrap()).unwrap().value
}

fn explained(equations: &Equations, change: impl FnOnce(&mut Request)) -> Result<Explained, Refusal> {
    let mut request = Request::default();
    change(&mut request);
    explain(equations, &request, &Budget::new(100_000_000))
}

/// What was asked for, in the language of models.
fn lines(equations: &Equations, explanation: &Explained) -> Vec<String> {
    let name = |symbol| explanation.solution.symbol_name(&equations.model, symbol);
    let print = |id: Id| explanation.solution.graph.formula(id, &Names::new(&name)).print(Notation::Text);
    explanation.asked.iter().map(|asked| format!("{} = {}", asked.name, print(asked.value))).collect()
}

/// Udwadia & Phohomsiri 2006, eq. 5.5, 5.10, 5.13 and 5.17, as one line each.
#[test]
fn the_wheel_by_its_parts() {
    let wheel = equations(WHEEL);
    let of = |names: &[&str]| {
        let only = names.iter().map(|name| Part::from_name(name).unwrap()).collect();
        lines(&wheel, &explained(&wheel, |request| request.only = only).unwrap())
    };
    let motion = of(&["acceleration"]);
    assert_eq!(motion.len(), 2);
    assert_eq!(motion[0], "theta'' = m*R*g*sin(alpha)/(m*R^2 + Ic)");
    assert_eq!(
        of(&["A", "b", "Qni"]),
        ["A[1,1] = -R*sin(alpha)", "A[1,2] = 1", "b[1] = 0", "Qni.theta = 0", "Qni.y = 0"]
    );
    assert_eq!(of(&["A+"])[1], "A+[2] = 1/(R^2*sin(alpha)^2 + 1)");
}

/// Every name of `--only` shows something for a pendulum, or says why it cannot.
#[test]
fn every_part_has_something_to_show() {
    let text = "param m = 2, L = 1, g = 9.81\ncoord x, y\nkinetic m*(x'^2 + y'^2)/2\npotential m*g*y\n\
        constraint rod: x^2 + y^2 = L^2\nstart x = 0.6, y ~ -0.8\n";
    let pendulum = equations(text);
    for (name, _) in Part::names().filter(|(name, _)| *name != "hidden") {
        let part = Part::from_name(name).unwrap();
        assert_eq!(part.name(), name);
        let shown = explained(&pendulum, |request| request.only = vec![part]);
        assert!(shown.is_ok_and(|shown| !shown.page.blocks.is_empty()), "{name}");
    }
    let wheel = equations(WHEEL);
    for name in ["a", "e", "B", "da"] {
        let part = Part::from_name(name).unwrap();
        match explained(&wheel, |request| request.only = vec![part]) {
            Err(Refusal::Absent(absent, why)) => assert!(absent == part && why.contains("singular"), "{why}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn values_are_put_in() {
    let mut pendulum = equations(
        "param m = 2, g = 9.81\ncoord x, y\nkinetic m*(x'^2 + y'^2)/2\npotential m*g*y\nconstraint rod: x^2 + y^2 = 1\nstart x = 0.6, y ~ -0.8\n",
    );
    let one = pendulum.graph.integer(1);
    let x = Symbol::Position(0);
    let (of_x, of_y) = (Symbol::Velocity(0), Symbol::Velocity(1));
    let at = |values: Vec<(Symbol, Id)>| {
        explained(&pendulum, |request| {
            request.only = vec![Part::Acceleration];
            request.at = values;
        })
    };
    let shown = at(vec![(x, Id::ZERO), (of_y, Id::ZERO), (of_x, one)]).unwrap();
    // On the constraint −1/y is −y.
    assert_eq!(lines(&pendulum, &shown), ["x'' = 0", "y'' = -y"]);
    let polar = equations("param m = 2\ncoord r, phi\nkinetic m*(r'^2 + r^2*phi'^2)/2\nstart r = 1, phi' = 1\n");
    let centre = explained(&polar, |request| {
        request.only = vec![Part::Acceleration];
        request.at = vec![(Symbol::Position(0), Id::ZERO)];
    });
    match centre {
        Err(Refusal::NoValue(name)) => assert_eq!(name, "phi''"),
        other => panic!("{other:?}"),
    }
}

/// A repeated, a scaled and a combined constraint are named, and leave the formula as it was.
#[test]
fn repeats_change_nothing_but_the_verdict() {
    let plain = "param g = 9.81, k = 2\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential g*y\n\
        constraint line: y = k*x\nconstraint plane: z = x + y\n";
    let (plain, more) = (
        equations(plain),
        equations(&format!("{plain}constraint again: 3*z = 3*x + 3*y\nconstraint both: y + z = k*x + x + y\n")),
    );
    let of = |equations: &Equations| {
        let shown = explained(equations, |request| request.only = vec![Part::Acceleration]).unwrap();
        lines(equations, &shown)
    };
    assert_eq!(of(&plain), of(&more));
    let page = explained(&more, |request| request.only = vec![Part::Verdict]).unwrap().page.unicode(80, false);
    assert!(page.contains("2 of 4 rows"), "{page}");
    assert!(page.contains("`again`") && page.contains("`both`"), "{page}");
}

/// Constraints that no state satisfies are no matter of ranks, and no motion is called unique under them.
#[test]
fn constraints_without_any_state_are_not_passed_over() {
    for rows in ["constraint c: x^2 = -1", "constraint c: x^2 + y^2 = 1\nconstraint d: x = 2"] {
        let model = equations(&format!("coord x, y\nkinetic (x'^2 + y'^2)/2\n{rows}\n"));
        let page = explained(&model, |request| request.only = vec![Part::Verdict]).unwrap().page.unicode(80, false);
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(page.contains("no state was found that satisfies the constraints"), "{page}");
        assert!(page.contains("contradict each other unless"), "{page}");
        assert!(!page.contains("the acceleration is unique"), "{page}");
    }
}

/// What is contradictory is said as the equation that would have to hold.
#[test]
fn a_contradiction_is_shown() {
    let model = equations(
        "param a = 1, c = 2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint one: x'' + y'' = a\nconstraint two: x'' + y'' = c\n",
    );
    let page = explained(&model, |_| ()).unwrap().page.unicode(80, false);
    assert!(page.contains("contradict each other"), "{page}");
}

/// Too long for one expression: parts get names, and with a smaller allowance still the equations stand for themselves.
#[test]
fn what_is_too_long_is_named_or_refused() {
    let text = "param L = 1, g = 9.81\ncoord a, b, c\nlet x1 = L*sin(a)\nlet y1 = -L*cos(a)\nlet x2 = x1 + L*sin(b)\nlet y2 = y1 - L*cos(b)\n\
        let x3 = x2 + L*sin(c)\nlet y3 = y2 - L*cos(c)\nparticle p: 1 at (x1, y1)\nparticle q: 2 at (x2, y2)\nparticle r: 3 at (x3, y3)\ngravity (0, -g)\n";
    let triple = equations(text);
    let named = explained(&triple, |request| request.solve.limit = 40).unwrap();
    assert!(matches!(named.solution.form, Form::Named { .. }), "{:?}", named.solution.form);
    assert!(named.page.unicode(80, false).contains("With"));
    let refused = explained(&triple, |request| {
        (request.solve.limit, request.solve.total) = (10, 20);
    })
    .unwrap();
    assert!(matches!(refused.solution.form, Form::Implicit { .. }));
    let page = refused.page.unicode(80, false);
    assert!(page.contains("no closed form") && page.contains("M q̈ = Q"), "{page}");
}

#[test]
fn an_interrupted_search_says_so() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    let budget = Budget::with_interrupt(1_000_000, Arc::new(AtomicBool::new(true)));
    assert!(matches!(explain(&equations(WHEEL), &Request::default(), &budget), Err(Refusal::Interrupted)));
}

/// What is given names one-sided constraints with their sign; those that are turned off are not there.
#[test]
fn one_sided_constraints_are_given_with_their_sign() {
    let model = "particle p: 1 in plane\ngravity (0, -9.81)\nstart p = (0, 1)\n";
    for (constraint, shown) in [("p.y >= 0", true), ("p.y <= 4", true), ("p.y >= 0, off", false), ("p.x = 0", false)] {
        let equations = equations(&format!("{model}constraint c: {constraint}\n"));
        let text = explained(&equations, |_| {}).expect("nothing is refused").page.unicode(80, false);
        assert_eq!((text.contains("one-sided"), text.contains('≥')), (shown, shown), "{text}");
    }
}

/// The directions of a ladder's slips stand in C, which comes before the accelerations.
#[test]
fn names_are_defined_before_they_are_used() {
    let ladder = equations(include_str!("../../../gallery/ladder/ladder.holo"));
    let page = explained(&ladder, |_| {}).unwrap().page.latex_body();
    let first = page.find("s_").map(|at| page[at..].chars().take(40).collect::<String>()).unwrap();
    assert!(first.contains("sgn"), "{first}");
    let again = page.matches("sgn").count();
    assert_eq!(again, 2, "each is defined once");
}
