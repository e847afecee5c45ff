//! Where formulas hold: while contacts slide, while one-sided constraints are open. Exported code tests it.

use super::{Equations, Explained, Part, Request, equations, explained};
use holonom_symbols::expr::{Graph, Id, Symbol, Test};

/// What is said of one part of a model.
fn of(model: &Equations, part: Part) -> Explained {
    explained(model, |request| request.only = vec![part]).unwrap_or_else(|_| panic!("it can be explained"))
}

/// The conditions that exported code tests for a part, with their graph.
fn conditions(model: &Equations, part: Part) -> (Graph, Vec<(String, Id)>) {
    let request = Request { only: vec![part], ..Request::default() };
    let found = of(model, part).conditions(model, &request);
    let (graph, all) = found.unwrap_or_else(|part| panic!("{part:?} has no code"));
    (graph, all.into_iter().flatten().map(|condition| (condition.text, condition.test)).collect())
}

/// The texts of the conditions that fail at a state.
fn failing(model: &Equations, part: Part, q: &[f64], v: &[f64]) -> Vec<String> {
    let (graph, conditions) = conditions(model, part);
    let values = holonom_simulate::start::Sampler::new(model, &[]).parameters().to_vec();
    let at = |symbol: Symbol| match symbol {
        Symbol::Parameter(i) => values[i as usize],
        Symbol::Position(i) => q[i as usize],
        Symbol::Velocity(i) => v[i as usize],
        _ => 0.0,
    };
    let fails = |test: Id| graph.evaluate(&[test], at)[0] == 0.0;
    conditions.into_iter().filter(|(_, test)| fails(*test)).map(|(text, _)| text).collect()
}

/// Friction of sliding is no answer at rest: exported code says so there, for what friction changes and for nothing else.
#[test]
fn formulas_of_sliding_do_not_answer_at_rest() {
    let bowl = equations(
        "param      m = 1, g = 9.81, p = 0.5, mu = 0.2
particle   bead: m in plane
gravity    (0, -g)
constraint bowl: bead.y = p*bead.x^2
friction   bowl: coulomb(mu)
start      bead.x = 1
",
    );
    let limits = of(&bowl, Part::Acceleration).solution.limits;
    assert!(limits.iter().any(|limit| limit.text == "`bowl` slides" && matches!(limit.test, Test::NotZero(_))));
    let (rest, moving) = ([0.0, 0.0], [0.5, 0.5]);
    for part in [Part::Acceleration, Part::NonidealForce, Part::Reactions] {
        assert!(failing(&bowl, part, &[1.0, 0.5], &rest).iter().any(|text| text.contains("bowl slides")), "{part:?}");
        assert_eq!(failing(&bowl, part, &[1.0, 0.5], &moving), [""; 0], "{part:?}");
    }
    assert_eq!(failing(&bowl, Part::IdealForce, &[1.0, 0.5], &rest), [""; 0]);
    // Above v² = R g on a hill, the hill would have to pull: then friction has another sign.
    let hill = equations(
        "param      m = 1, g = 9.81, mu = 0.2
particle   block: m in plane
gravity    (0, -g)
constraint hill: block.y = -block.x^2/2
friction   hill: coulomb(mu)
start      block.x = 0, block.x' = 1
",
    );
    assert_eq!(failing(&hill, Part::Acceleration, &[0.0, 0.0], &[1.0, 0.0]), [""; 0]);
    let fast = failing(&hill, Part::Acceleration, &[0.0, 0.0], &[5.0, 0.0]);
    assert!(fast.iter().any(|text| text.contains("reaction(hill) > 0")), "{fast:?}");
}

/// One-sided constraints are open in formulas: where one is closed, exported code says so.
#[test]
fn formulas_of_open_contacts_do_not_answer_in_contact() {
    let ball = equations(
        "param      m = 1, g = 9.81
coord      y
kinetic    m*y'^2/2
potential  m*g*y
constraint floor: y >= 0
start      y = 1
",
    );
    let fails = |y: f64, v: f64| !failing(&ball, Part::Acceleration, &[y], &[v]).is_empty();
    assert_eq!([(1.0, -3.0), (1e-9, -3.0), (0.0, 2.0)].map(|(y, v)| fails(y, v)), [false; 3]);
    assert_eq!([(0.0, 0.0), (0.0, -1.0), (-0.1, 2.0)].map(|(y, v)| fails(y, v)), [true; 3]);
    assert_eq!(failing(&ball, Part::Mass, &[-1.0], &[0.0]), [""; 0]);
}

/// A parameter whose value was put into the formulas is still an argument of exported code, which says so where it is another.
#[test]
fn values_that_were_put_in_are_tested() {
    let atwood = |inertia: f64| {
        equations(&format!(
            "
param      m1 = 1, m2 = 2, I = {inertia}, R = 0.1, g = 9.81
coord      x, y, phi
kinetic    m1*x'^2/2 + m2*y'^2/2 + I*phi'^2/2
potential  m1*g*x + m2*g*y
constraint left: x' = R*phi'
constraint right: y' = -R*phi'
start      x = 0, y = 0, phi = 0
"
        ))
    };
    let massless = atwood(0.0);
    let (_, conditions) = conditions(&massless, Part::Acceleration);
    assert!(conditions.iter().any(|(text, _)| text.starts_with("I = 0 ")), "{conditions:?}");
    assert_eq!(failing(&massless, Part::Acceleration, &[0.0; 3], &[0.0; 3]), [""; 0]);
    // Two lengths that are equal are one: a parallelogram.
    let parallelogram = equations(
        "param      r = 1, R = 1, d = 2, g = 9.81
coord      x1, y1, x2, y2
kinetic    (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2
potential  g*(y1 + y2)
constraint left: x1^2 + y1^2 = r^2
constraint right: (x2 - d)^2 + y2^2 = R^2
constraint coupler: (x2 - x1)^2 + (y2 - y1)^2 = d^2
constraint level: y1 = y2
start      x1 = 0.6, y1 = -0.8, x2 ~ 2.6, y2 ~ -0.8
",
    );
    let (graph, conditions) = self::conditions(&parallelogram, Part::Acceleration);
    let (_, test) = conditions
        .iter()
        .find(|(text, _)| text.contains("R - r = 0") || text.contains("-r + R = 0"))
        .unwrap_or_else(|| panic!("{conditions:?}"));
    for (other, holds) in [(1.0, 1.0), (1.1, 0.0)] {
        let at = |symbol: Symbol| if symbol == Symbol::Parameter(1) { other } else { 1.0 };
        assert_eq!(graph.evaluate(&[*test], at)[0], holds);
    }
}

/// A parameter that was taken to be positive, so that sgn(k ẋ) is sgn ẋ, may be set to another value later: exported code says so.
#[test]
fn signs_that_were_used_are_tested() {
    let slider = equations(
        "param      m = 1, g = 9.81, mu = 0.2, k = 0.7
coord      x, y
particle   b: m at (x, y)
gravity    (0, -g)
constraint floor: y = 0
friction   floor: coulomb(mu), slip = k*x', normal = reaction(floor)
start      x = 0, x' = 1
",
    );
    for part in [Part::Acceleration, Part::NonidealForce, Part::Reactions] {
        let (graph, conditions) = conditions(&slider, part);
        let signs: Vec<_> = conditions.iter().filter(|(text, _)| text.starts_with("k > 0 ")).collect();
        assert_eq!(signs.len(), 1, "{part:?}: {conditions:?}");
        for (k, holds) in [(0.7, 1.0), (0.0, 0.0), (-0.7, 0.0)] {
            assert_eq!(graph.evaluate(&[signs[0].1], |_| k)[0], holds);
        }
        assert!(!conditions.iter().any(|(text, _)| text.starts_with("mu > 0") || text.starts_with("m > 0")));
    }
    assert_eq!(failing(&slider, Part::Acceleration, &[0.0; 2], &[1.0, 0.0]), [""; 0]);
    assert!(conditions(&slider, Part::Mass).1.is_empty());
}
