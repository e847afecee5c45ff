//! Statements of a builder about bodies, joints and what acts on them.

use super::super::compose::Role;
use super::{ModelBuilder, Written};

/// Where a body, a frame or a part is: clauses in the order in which they are given.
///
/// # Examples
///
/// ```
/// use holonom_language::{ModelBuilder, Placement};
///
/// let upright = Placement::at("(0, 0, R)").turned("x", "90 deg").then_turned("z", "psi");
/// let built = ModelBuilder::new().body("coin", "disc(R)", "m", &upright).build();
/// assert_eq!(
///     holonom_language::print(&built.document).as_deref(),
///     Some("body       coin: disc(R) of m, at (0, 0, R), turned x by 90 deg, then z by psi\n"),
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Placement(Vec<(&'static str, Vec<Written>)>);

impl Placement {
    /// At the origin, unturned.
    pub fn new() -> Self {
        Self::default()
    }

    /// `at point`
    pub fn at(point: impl Into<Written>) -> Self {
        Self::new().and("at", vec![point.into()])
    }

    /// `from start to end`
    pub fn from_to(start: impl Into<Written>, end: impl Into<Written>) -> Self {
        Self::new().and("from", vec![start.into(), end.into()])
    }

    /// `…, up direction`
    pub fn up(self, direction: impl Into<Written>) -> Self {
        self.and("up", vec![direction.into()])
    }

    /// `…, turned axis by angle`
    pub fn turned(self, axis: impl Into<Written>, angle: impl Into<Written>) -> Self {
        self.and("turned", vec![axis.into(), angle.into()])
    }

    /// `…, then axis by angle`, directly after another turn.
    pub fn then_turned(self, axis: impl Into<Written>, angle: impl Into<Written>) -> Self {
        self.and("then", vec![axis.into(), angle.into()])
    }

    /// `…, axes first second`: the first and the second axis of the body.
    pub fn axes(self, first: impl Into<Written>, second: impl Into<Written>) -> Self {
        self.and("axes", vec![first.into(), second.into()])
    }

    fn and(mut self, word: &'static str, values: Vec<Written>) -> Self {
        self.0.push((word, values));
        self
    }
}

impl ModelBuilder {
    /// `body name: shape of mass, …` with a place after it.
    pub fn body(self, name: &str, shape: &str, mass: impl Into<Written>, place: &Placement) -> Self {
        let shape = self.begin("body").give(Role::Name, name).put(": ").give(Role::Expression, shape);
        shape.put(" of ").give(Role::Expression, mass).place(place, true)
    }

    /// `body name: shape, density = density, …` with a place after it.
    pub fn body_of_density(self, name: &str, shape: &str, density: impl Into<Written>, place: &Placement) -> Self {
        let shape = self.begin("body").give(Role::Name, name).put(": ").give(Role::Expression, shape);
        shape.put(", density = ").give(Role::Expression, density).place(place, true)
    }

    /// `body name: mass = …, inertia = …, …`: a body without a shape, by its options, with a place after them.
    pub fn body_with(self, name: &str, settings: &[(&str, &str)], place: &Placement) -> Self {
        let mut body = self.begin("body").give(Role::Name, name).put(": ");
        for (which, (name, value)) in settings.iter().enumerate() {
            body = body.put(if which > 0 { ", " } else { "" });
            body = body.give(Role::Word, *name).put(" = ").give(Role::Expression, *value);
        }
        body.place(place, !settings.is_empty())
    }

    /// `frame name on body: …` with a place after it.
    pub fn frame(self, name: &str, body: &str, place: &Placement) -> Self {
        let named = self.begin("frame").give(Role::Name, name).put(" on ").give(Role::Expression, body);
        named.put(": ").place(place, false)
    }

    /// The clauses of a place, where a `comma` stands before the first of them or not.
    pub(super) fn place(mut self, place: &Placement, mut comma: bool) -> Self {
        for (word, values) in &place.0 {
            self = self.put(if std::mem::replace(&mut comma, true) { ", " } else { "" }).put(word);
            if *word == "axes" {
                self.composer.arguments(values.iter().map(|value| (value.text(), None)));
                continue;
            }
            for (which, value) in values.iter().enumerate() {
                let link = match (which, *word) {
                    (0, _) => " ",
                    (_, "from") => " to ",
                    _ => " by ",
                };
                self = self.put(link).give(Role::Expression, value.text());
            }
        }
        self
    }

    /// `joint name: kind(ends), at …, axis …`: each clause and each option with its value, in that order. `at`, `from`,
    /// `to` and `axis` are written without `=`; a second axis follows the first as another `axis`.
    pub fn joint(mut self, name: &str, kind: &str, ends: &[&str], clauses: &[(&str, &str)]) -> Self {
        self = self.begin("joint").give(Role::Name, name).put(": ").give(Role::Word, kind).put("(");
        for (which, end) in ends.iter().enumerate() {
            self = self.put(if which > 0 { ", " } else { "" }).give(Role::Expression, *end);
        }
        self = self.put(")");
        let mut rest = clauses;
        while let [(word, value), after @ ..] = rest {
            rest = after;
            match *word {
                "axis" => {
                    let more = rest.iter().take_while(|(word, _)| *word == "axis").count();
                    let axes = std::iter::once(*value).chain(rest[..more].iter().map(|(_, value)| *value));
                    self = self.put(", axis");
                    self.composer.arguments(axes.map(|axis| (axis, None)));
                    rest = &rest[more..];
                }
                "to" => self = self.put(" to ").give(Role::Expression, *value),
                _ => {
                    let sign = if matches!(*word, "at" | "from") { " " } else { " = " };
                    self = self.put(", ").give(Role::Word, *word).put(sign).give(Role::Expression, *value);
                }
            }
        }
        self
    }

    /// `…, off`, directly after a joint, a drive, a constraint or a stop.
    pub fn off(self) -> Self {
        self.put(", off")
    }

    /// `…, cut`, directly after a joint: it becomes rows of constraints.
    pub fn cut(self) -> Self {
        self.put(", cut")
    }

    /// `drive name: value = motion`
    pub fn drive(self, name: &str, value: impl Into<Written>, motion: impl Into<Written>) -> Self {
        let value = self.begin("drive").give(Role::Name, name).put(": ").give(Role::Expression, value);
        value.put(" = ").give(Role::Expression, motion)
    }

    /// `spring name: value, stiffness = …, rest = …`
    pub fn spring(self, name: &str, value: impl Into<Written>, settings: &[(&str, &str)]) -> Self {
        let value = self.begin("spring").give(Role::Name, name).put(": ").give(Role::Expression, value);
        value.settings(settings)
    }

    /// `damper name: value, rate = …`
    pub fn damper(self, name: &str, value: impl Into<Written>, settings: &[(&str, &str)]) -> Self {
        let value = self.begin("damper").give(Role::Name, name).put(": ").give(Role::Expression, value);
        value.settings(settings)
    }

    /// `torque on: value`, on a body or a joint.
    pub fn torque(self, on: &str, value: impl Into<Written>) -> Self {
        self.begin("torque").give(Role::Force, on).put(": ").give(Role::Expression, value)
    }

    /// `formulation word`: `joints` or `bodies`.
    pub fn formulation(self, word: &str) -> Self {
        self.begin("formulation").give(Role::Word, word)
    }
}
