//! Painlevé's paradox: where no load fits, or more than one, that is said, and none of several is taken.

use super::running::run;
use holonom::language::{NoFiles, from_text_with};
use holonom::{Run, System};

const G: f64 = 9.81;

/// A rod of mass 1 and half length 1, at the angle θ over its lower end, which slides with v along the floor. With c = cos θ, s = sin θ and the
/// load λ: (1 + 3c²) λ + 3 s c µ sgn(v) |λ| = g − s θ̇².
fn rod(normal: &str, floor: &str) -> String {
    format!(
        "param mu = 2, v = 1, th = 1, w = 0
coord x, y, theta
particle middle: 1 at (x, y)
kinetic theta'^2/6
gravity (0, -{G})
let tip = (x - cos(theta), y - sin(theta))
constraint floor: {floor}
friction floor: coulomb(mu), slip = tip.x', normal = {normal}
start x = 0, y = sin(th), theta = th, x' = v, y' = w*cos(th), theta' = w
run until 0.01, every 0.01
"
    )
}

/// The same rod as three particles, so that slip and normal are read off the constraint.
const PARTICLES: &str = "param mu = 2, v = 1, th = 1
particle tip: 1/6 in plane, middle: 2/3 in plane, top: 1/6 in plane
gravity (0, -9.81)
constraint floor: tip.y = 0
constraint rod: norm(top - tip) = 2
constraint centre: middle = (top + tip)/2
friction floor: coulomb(mu)
start tip = (0, 0), top = (2*cos(th), 2*sin(th)), middle = (cos(th), sin(th)), tip' = (v, 0), top' = (v, 0), middle' = (v, 0)
run until 0.01, every 0.01
";

/// Loads that fit: λ = r/(1 + 3c² ± 3 s c µ) with the sign that it is divided for.
fn loads(mu: f64, v: f64, th: f64, w: f64) -> Vec<f64> {
    let (s, c) = th.sin_cos();
    let slip = (v + s * w).signum();
    let right = G - s * w * w;
    [1.0, -1.0]
        .iter()
        .map(|sign| (sign, right / (1.0 + 3.0 * c * c + sign * slip * 3.0 * s * c * mu)))
        .filter(|(sign, load)| *sign * load > 0.0)
        .map(|(_, load)| load)
        .collect()
}

/// What refuses the start, as code and page.
fn refused(text: &str, set: &[(&str, f64)]) -> Option<(String, String)> {
    let set: Vec<(String, f64)> = set.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    let loaded = from_text_with("model.holo", text, &NoFiles, &set);
    let rejection = System::of(loaded, set).and_then(|system| system.run(Run::default())).err()?;
    let code = rejection.errors().next()?.code.to_string();
    Some((code, rejection.to_string()))
}

/// Four digits of a load as a message may print them, whatever its sign.
fn digits(load: f64) -> String {
    format!("{:.6}", load.abs()).trim_start_matches('0')[..5].to_string()
}

#[test]
fn two_loads_are_named_and_none_is_taken() {
    let guide = rod("abs(reaction(floor))", "tip.y = 0");
    for (mu, v, th, w) in [(2.0, 1.0, 1.0, 0.0), (1.8, 2.0, 0.9, 0.0), (2.5, 1.0, 1.1, 1.0), (2.0, -6.0, 1.0, 5.0)] {
        let both = loads(mu, v, th, w);
        assert_eq!(both.len(), 2);
        let mut models = vec![(&guide[..], vec![("mu", mu), ("v", v), ("th", th), ("w", w)])];
        if w == 0.0 {
            models.push((PARTICLES, vec![("mu", mu), ("v", v), ("th", th)]));
        }
        for (text, set) in models {
            let (code, page) = refused(text, &set).unwrap_or_else(|| panic!("{set:?}: one of {both:?} is taken"));
            assert_eq!(code, "friction-many-solutions", "{page}");
            for load in &both {
                assert!(page.contains(&digits(*load)), "{load} is not named:\n{page}");
            }
        }
    }
}

#[test]
fn no_load_is_said_where_none_fits() {
    let guide = rod("abs(reaction(floor))", "tip.y = 0");
    for (mu, v, th) in [(2.0, -1.0, 1.0), (1.8, -2.0, 0.9)] {
        assert!(loads(mu, v, th, 0.0).is_empty());
        for text in [&guide[..], PARTICLES] {
            let (code, page) = refused(text, &[("mu", mu), ("v", v), ("th", th)]).expect("no motion");
            assert_eq!(code, "friction-no-solution", "{page}");
        }
    }
}

/// With little friction one load fits, and it is the right one.
#[test]
fn one_load_is_taken() {
    for (mu, v, th, w) in [(0.5, 1.0, 1.0, 0.0), (0.5, -1.0, 1.0, 0.0), (1.0, 3.0, 0.7, 2.0)] {
        let only = loads(mu, v, th, w);
        assert_eq!(only.len(), 1);
        let set = [("mu", mu), ("v", v), ("th", th), ("w", w)];
        let run = run(&rod("abs(reaction(floor))", "tip.y = 0"), &Run::default(), &set);
        assert!((run.column("reaction.floor")[0] - only[0]).abs() < 1e-11);
    }
}

/// A floor that may let go: where a guide has two loads, one of them pulls and does not count; where it has a load that pushes although the
/// rod would lift by itself, both are motions; where none pushes and none lifts, there is none.
#[test]
fn a_floor_that_may_let_go_has_paradoxes_of_its_own() {
    let floor = rod("reaction(floor)", "tip.y >= 0");
    let run = run(&floor, &Run::default(), &[]);
    let pushes = loads(2.0, 1.0, 1.0, 0.0)[0];
    assert!(pushes > 0.0 && (run.column("reaction.floor")[0] - pushes).abs() < 1e-11);
    for (v, w, code) in [(-6.0, 5.0, "friction-many-solutions"), (-1.0, 0.0, "friction-no-solution")] {
        let (found, page) = refused(&floor, &[("v", v), ("w", w)]).expect("a paradox");
        assert_eq!(found, code, "{page}");
    }
}
