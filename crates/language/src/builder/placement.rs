//! Placements while a model is built in Rust.

use super::text::{ModelBuilder, Written};
use crate::compose::Role;

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
    /// The clauses of a place, where a `comma` stands before the first of them or not.
    pub(crate) fn place(mut self, place: &Placement, mut comma: bool) -> Self {
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
}
