//! Friction laws with numbers: how much a contact holds back, as a straight line over its load.

use super::touch::Touches;
use crate::compile::GroupPart;
use crate::derive::OfLoad;

/// Friction below zero by less than this part of the load is rounding.
const NEGATIVE: f64 = 1e-12;

/// `constant + coefficient·N`: a force as a function of the load, exact or around the load at hand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LoadLine {
    pub(crate) constant: f64,
    /// The slope over the load.
    pub coefficient: f64,
}

impl LoadLine {
    /// The force under a load.
    #[inline]
    pub fn at(&self, normal: f64) -> f64 {
        self.constant + self.coefficient * normal
    }

    /// Whether a force under a load is negative, and not by rounding.
    pub fn is_negative(force: f64, normal: f64) -> bool {
        normal >= 0.0 && force < -NEGATIVE * normal
    }
}

/// The magnitudes of friction that a law gives, in the order of [`Contact::laws`](crate::derive::Contact::laws).
#[derive(Clone, Copy)]
enum Magnitude {
    Sliding,
    Starting,
    Limit,
}

impl Touches {
    /// The magnitude of the friction of a contact that slides, at the speed and around the load that its law was evaluated with.
    pub fn sliding(&self, which: usize) -> LoadLine {
        match self.speed(which) {
            // Numbers may have no value there, as 0/0 has none.
            0.0 => self.starting(which),
            _ => self.line(which, Magnitude::Sliding),
        }
    }

    /// The same for a contact that is at rest and begins to slide.
    pub(crate) fn starting(&self, which: usize) -> LoadLine {
        self.line(which, Magnitude::Starting)
    }

    /// The largest friction with which a contact can hold, around the load that its law was evaluated with.
    #[inline]
    pub fn limit(&self, which: usize) -> LoadLine {
        self.line(which, Magnitude::Limit)
    }

    /// A magnitude over the load: itself where it is a straight line, otherwise its tangent at the load at hand.
    #[inline]
    fn line(&self, which: usize, magnitude: Magnitude) -> LoadLine {
        let Some(OfLoad { is_straight, .. }) = self.laws_of(which)[magnitude as usize] else {
            return LoadLine::default();
        };
        let at = self.laws_of(which).len() * which + magnitude as usize;
        let (value, slope) =
            (self.law_values().part(GroupPart::Law)[at], self.law_values().part(GroupPart::LawSlope)[at]);
        let constant = if is_straight { value } else { value - slope * self.normal(which) };
        LoadLine { constant, coefficient: slope }
    }

    /// Whether a contact can hold at rest.
    pub fn can_hold(&self, which: usize) -> bool {
        self.laws_of(which)[Magnitude::Limit as usize].is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::Touches;
    use crate::compile::{CompiledSystem, Inputs, Random};
    use crate::derive::derive;
    use holonom_language::from_text_with;
    use std::collections::HashMap;

    /// Of a value: what interpreter and formula may differ by.
    const ROUNDING: f64 = 1e-14;
    /// Of a value: what central differences with a step of 1e-5 of the load leave.
    const DIFFERENCES: f64 = 1e-9;

    /// A law, its formula for a speed and a load, the largest friction at rest, and whether it is in proportion to the load.
    type Case = (&'static str, fn(f64, f64) -> f64, Option<fn(f64) -> f64>, bool);

    const CASES: [Case; 13] = [
        ("coulomb(mu)", |_, n| 0.3 * n, Some(|n| 0.3 * n), true),
        ("coulomb(0.2, mu)", |_, n| 0.2 * n, Some(|n| 0.3 * n), true),
        ("viscous(c)", |v, _| 1.7 * v, None, false),
        ("quadratic(c)", |v, _| 1.7 * v * v, None, false),
        ("stribeck(0.1, mu, 0.8)", |v, n| (0.1 + 0.2 * (-(v / 0.8) * (v / 0.8)).exp()) * n, Some(|n| 0.3 * n), true),
        ("stribeck(0.1, mu, 0*c)", |v, n| if v == 0.0 { 0.3 * n } else { 0.1 * n }, Some(|n| 0.3 * n), true),
        // A cubic through three points on a parabola: 0.4 − 0.3 v + 0.1 v² at these.
        ("measured", |v, n| [0.4, 0.2, 0.2][v.round() as usize] * n, Some(|n| 0.4 * n), true),
        ("law(mu*normal)", |_, n| 0.3 * n, Some(|n| 0.3 * n), true),
        ("law(c)", |_, _| 1.7, Some(|_| 1.7), false),
        ("law(mu*normal + c*slip)", |v, n| 0.3 * n + 1.7 * v, Some(|n| 0.3 * n), false),
        ("law(mu*normal*tanh(c*slip))", |v, n| 0.3 * n * (1.7 * v).tanh(), None, true),
        ("law(mu*sqrt(normal) + c)", |_, n| 0.3 * n.sqrt() + 1.7, Some(|n| 0.3 * n.sqrt() + 1.7), false),
        (
            "law(if(normal > 2, c, 1))",
            |_, n| if n > 2.0 { 1.7 } else { 1.0 },
            Some(|n| if n > 2.0 { 1.7 } else { 1.0 }),
            false,
        ),
    ];

    fn touches(law: &str) -> (CompiledSystem, Touches) {
        let text = format!(
            "param mu = 0.3, c = 1.7\ntable measured = \"m.csv\"\ncoord x, y\nparticle p: 1 at (x, y)\n\
             constraint floor: y = 0\nfriction floor: {law}\n"
        );
        let files = HashMap::from([("m.csv".to_string(), "0, 0.4\n1, 0.2\n2, 0.2\n".to_string())]);
        let loaded = from_text_with("model.holo", &text, &files, &[]);
        let model = loaded.model.unwrap_or_else(|| panic!("{law}: {:#?}", loaded.diagnostics));
        let system = CompiledSystem::new(derive(model).expect("a good model").value);
        let touches = Touches::new(&system);
        (system, touches)
    }

    #[track_caller]
    fn close(found: f64, expected: f64, of: f64, what: &str) {
        assert!((found - expected).abs() <= of * expected.abs().max(1.0), "{what}: {found} is not {expected}");
    }

    #[test]
    fn laws_are_their_formulas() {
        let mut random = Random::new(11);
        for (law, sliding, limit, is_proportional) in CASES {
            let (system, mut touches) = touches(law);
            for round in 0..60 {
                let load = random.uniform(0.1, 10.0);
                let speed = match law {
                    "measured" => f64::from(round % 3),
                    _ if round % 4 == 0 => 0.0,
                    _ => random.uniform(0.0, 3.0),
                };
                touches.set_speed(0, speed);
                touches.set_normal(0, load);
                let (q, forces) = ([0.0; 2], [0.0; 1]);
                let state = Inputs { q: &q, v: &q, reaction: &forces, multiplier: &forces, ..Inputs::default() };
                touches.evaluate_laws(&system, &state);
                let slope = |f: &dyn Fn(f64) -> f64| (f(load * (1.0 + 1e-5)) - f(load * (1.0 - 1e-5))) / (2e-5 * load);
                let what = format!("{law} at {speed} under {load}");
                let lines = [
                    (touches.sliding(0), &(|n| sliding(speed, n)) as &dyn Fn(f64) -> f64),
                    (touches.starting(0), &|n| sliding(0.0, n)),
                    (touches.limit(0), &|n| limit.map_or(0.0, |limit| limit(n))),
                ];
                for (line, formula) in lines {
                    close(line.at(load), formula(load), ROUNDING, &what);
                    close(line.coefficient, slope(formula), DIFFERENCES, &what);
                    if is_proportional {
                        assert_eq!(line.constant, 0.0, "{what}");
                    }
                }
            }
            assert_eq!(touches.can_hold(0), limit.is_some(), "{law}");
            assert_eq!(touches.has_straight_law(0), !law.contains("sqrt") && !law.contains("if"), "{law}");
        }
    }
}
