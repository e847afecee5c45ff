//! Primes that were forgotten: kinetic energies and dissipations without a velocity in them.

use std::collections::HashSet;

use super::Elaborator;
use super::lazy::State;
use super::scope::{Member, Members};
use super::value::Data;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::{Expr, ExprKind};
use holonom_symbols::expr::{Depends, Id, Symbol};

/// Functions whose arguments may be velocities: a vector in `dot(r, r)` may lack its prime, an angle in `sin(theta)` does not.
const LINEAR: [&str; 3] = ["dot", "cross", "norm"];

/// What has no prime in an expression, and the coordinates that it is made of.
struct Bare {
    /// As it is written.
    text: String,
    span: Span,
    coordinates: Vec<u32>,
}

impl<'a> Elaborator<'a> {
    /// Looks for kinetic energies without a velocity. A coordinate in one that has no velocity in any other lacks its prime. Where
    /// all of them move elsewhere, it may be the energy of a rotating frame, and gets a warning.
    pub(super) fn check_kinetic(&mut self) {
        let terms = std::mem::take(&mut self.kinetic_terms);
        // Where somebody declared `t`, the derivative of time is not what was meant.
        if self.doubtful.contains("t") {
            return;
        }
        let still: Vec<(usize, &'a Expr, Id)> = terms
            .into_iter()
            .filter(|&(.., value)| value != Id::ZERO && !self.graph.depends(value).on(Depends::VELOCITY))
            .collect();
        if still.is_empty() {
            return;
        }
        let moving = self.moving_coordinates();
        for (scope, term, value) in still {
            self.scope = scope;
            let symbols = self.graph.symbols(&[value]);
            let stuck = |i: u32| moving.as_ref().is_some_and(|moving| !moving.contains(&i));
            let is_mistake = symbols.iter().any(|symbol| matches!(symbol, Symbol::Position(i) if stuck(*i)));
            let all = self.bare(term);
            let without: Vec<&Bare> = all.iter().filter(|bare| bare.coordinates.iter().any(|&i| stuck(i))).collect();
            let message = "this kinetic energy has no velocity in it";
            let diagnostic = match is_mistake && !without.is_empty() {
                true => Diagnostic::error("kinetic-without-velocity", message),
                false => Diagnostic::warning("kinetic-without-velocity", message),
            };
            let diagnostic = diagnostic.at(term.span, "nothing here moves");
            let is_certain = !without.is_empty() && self.is_quadratic(value, &stuck);
            let meant = if without.is_empty() { all.iter().take(1).collect() } else { without };
            let diagnostic = self.suggest_primes(diagnostic, term, &meant, is_certain);
            self.report(diagnostic);
        }
    }

    /// Whether an energy grows fourfold where some coordinates are doubled: with primes after them it would be a kinetic energy.
    fn is_quadratic(&self, value: Id, doubled: &dyn Fn(u32) -> bool) -> bool {
        let at = |factor: f64| {
            let known = &self.parameter_values;
            let number = |symbol: Symbol| match symbol {
                Symbol::Position(i) => (0.6 + 0.1 * f64::from(i % 7)) * if doubled(i) { factor } else { 1.0 },
                Symbol::Time => 0.3,
                other => super::declare::value_of(other, known),
            };
            self.graph.evaluate(&[value], number)[0]
        };
        let (one, two) = (at(1.0), at(2.0));
        (two - 4.0 * one).abs() <= 1e-9 * two.abs()
    }

    pub(super) fn check_dissipation(&mut self, term: &'a Expr, value: Id) {
        if value != Id::ZERO && !self.graph.depends(value).on(Depends::VELOCITY) && !self.doubtful.contains("t") {
            let warning = Diagnostic::warning(
                "dissipation-without-velocity",
                "this dissipation has no velocity in it, so it exerts no force",
            )
            .at(term.span, "nothing here moves");
            let all = self.bare(term);
            let warning = self.suggest_primes(warning, term, &all.iter().collect::<Vec<_>>(), true);
            self.report(warning);
        } else if self.drives(value) {
            let text = self.sources.text(term.span).trim();
            let warning = Diagnostic::warning(
                "negative-dissipation",
                "this dissipation is negative, so it drives the motion and does not brake it",
            )
            .at(term.span, "below zero for all velocities")
            .note("the force of a dissipation R is -∂R/∂q'");
            let positive = text.strip_prefix('-').map(str::trim_start).filter(|rest| !rest.is_empty());
            let warning = match positive {
                Some(rest) if !matches!(term.kind, ExprKind::Sum(..)) => warning
                    .help(format!("to brake, leave out the minus: `dissipation {rest}`"))
                    .suggest(term.span, rest),
                _ => warning.help("to brake, change its sign"),
            };
            self.report(warning);
        }
    }

    /// Whether a dissipation is a quadratic form of the velocities that is negative at some of them and positive at none. One that
    /// changes with the place may well be meant to drive here and to brake there.
    fn drives(&self, value: Id) -> bool {
        if self.graph.depends(value).on(Depends::POSITION) || self.graph.depends(value).on(Depends::TIME) {
            return false;
        }
        let known = &self.parameter_values;
        let at = |sample: u32, factor: f64| {
            let spread = |i: u32| {
                let hash = (i + 1).wrapping_mul(2_654_435_761).wrapping_add((sample + 91).wrapping_mul(1_640_531_527));
                f64::from(hash >> 8) / f64::from(1_u32 << 24) - 0.5
            };
            self.graph.evaluate(&[value], |symbol| match symbol {
                Symbol::Velocity(i) => 4.0 * factor * spread(i),
                other => super::declare::value_of(other, known),
            })[0]
        };
        let pairs: Vec<(f64, f64)> = (0..32).map(|sample| (at(sample, 1.0), at(sample, -2.0))).collect();
        let is_quadratic = pairs.iter().all(|(one, two)| (two - 4.0 * one).abs() <= 1e-9 * two.abs());
        is_quadratic && pairs.iter().all(|(one, _)| *one <= 0.0) && pairs.iter().any(|(one, _)| *one < 0.0)
    }

    /// A coordinate or particle without a prime in an expression, as it is written.
    pub(super) fn bare_coordinate(&self, expression: &'a Expr) -> Option<String> {
        self.bare(expression).into_iter().next().map(|bare| bare.text)
    }

    /// Names the velocity of what lacks a prime and, where that is `certain`, shows the line with the primes in it.
    fn suggest_primes(&self, message: Diagnostic, term: &Expr, all: &[&Bare], certain: bool) -> Diagnostic {
        let Some(Bare { text: name, .. }) = all.first() else { return message };
        let message = message.help(format!("did you forget the prime? the velocity of `{name}` is `{name}'`"));
        let (text, from) = (self.sources.text(term.span), term.span.start);
        if !certain || text.is_empty() {
            return message;
        }
        let (mut primed, mut done) = (String::new(), 0);
        for end in all.iter().map(|bare| (bare.span.end - from) as usize) {
            primed = primed + &text[done..end] + "'";
            done = end;
        }
        message.suggest(term.span, primed + &text[done..])
    }

    /// The coordinates whose velocity some kinetic energy has; nothing where that is not known.
    fn moving_coordinates(&self) -> Option<HashSet<u32>> {
        let any_matrix = !self.model.mass.is_empty();
        if any_matrix || self.has_mistakes() {
            return None;
        }
        // The kinetic energy of a particle has the velocity of all that moves it.
        let places = self.model.particles.iter().flat_map(|particle| &particle.position);
        let moved = self.graph.symbols(&places.copied().collect::<Vec<_>>());
        let energies = self.model.kinetic.iter().chain(&self.model.lagrangian).map(|term| term.value);
        let velocities = self.graph.symbols(&energies.collect::<Vec<_>>());
        let of = |symbol: Symbol| match symbol {
            Symbol::Velocity(i) => Some(i),
            _ => None,
        };
        let at = |symbol: Symbol| match symbol {
            Symbol::Position(i) => Some(i),
            _ => None,
        };
        Some(velocities.into_iter().filter_map(of).chain(moved.into_iter().filter_map(at)).collect())
    }

    /// What has no prime in an expression, in the order in which it is written, and could have one.
    fn bare(&self, expression: &'a Expr) -> Vec<Bare> {
        let mut found = Vec::new();
        self.gather(expression, &mut found);
        found.sort_by_key(|bare| bare.span.start);
        found
    }

    fn gather(&self, expression: &'a Expr, found: &mut Vec<Bare>) {
        match &expression.kind {
            ExprKind::Prime(..) => {}
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) => {
                found.extend(self.coordinates_of(expression).filter(|bare| !bare.coordinates.is_empty()));
            }
            ExprKind::Call(name, _) if !LINEAR.contains(&name.text.as_str()) => {}
            ExprKind::Power(base, _) => self.gather(base, found),
            _ => crate::visit::children(expression, &mut |child| self.gather(child, found)),
        }
    }

    /// The coordinates that a path means: its own, those of a particle, of a family, or of a `let` without velocities.
    fn coordinates_of(&self, path: &'a Expr) -> Option<Bare> {
        let mut root = path;
        while let ExprKind::Index(base, _) | ExprKind::Member(base, _) = &root.kind {
            root = base;
        }
        let ExprKind::Name(name) = &root.kind else { return None };
        let scope = self.scope_of(self.scope, name)?;
        // Models that were not typed have no text.
        let written = self.sources.text(path.span);
        let text = if written.is_empty() { name.clone() } else { written.to_string() };
        let coordinates = match &self.scopes[scope].names[name.as_str()].members {
            Members::One(Member::Let(which)) => self.coordinates_of_let(*which),
            _ => self.coordinates_called(&format!("{}{text}", self.scopes[scope].prefix)),
        };
        Some(Bare { text, span: path.span, coordinates })
    }

    /// Coordinates of this name, of a particle or of a family of this name: an index of a sum has no value here.
    fn coordinates_called(&self, name: &str) -> Vec<u32> {
        let wanted = without_indices(name);
        let is_one = |known: &str| {
            known.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let all = self.model.coordinates.iter().enumerate();
        all.filter(|(_, one)| is_one(&without_indices(&one.name))).map(|(i, _)| i as u32).collect()
    }

    fn coordinates_of_let(&self, which: usize) -> Vec<u32> {
        let State::Done(Some(value)) = &self.lets[which].state else { return Vec::new() };
        let components: Vec<Id> = match &value.data {
            Data::Scalar(id) => vec![*id],
            Data::Vector(all) => all.clone(),
            _ => return Vec::new(),
        };
        let symbols = self.graph.symbols(&components);
        if symbols.iter().any(|symbol| matches!(symbol, Symbol::Velocity(_) | Symbol::Acceleration(_))) {
            return Vec::new();
        }
        let positions = symbols.into_iter().filter_map(|symbol| match symbol {
            Symbol::Position(i) => Some(i),
            _ => None,
        });
        positions.collect()
    }
}

/// A name without what stands in brackets, and without blanks.
fn without_indices(name: &str) -> String {
    let mut depth = 0;
    let kept = name.chars().filter(|&letter| {
        depth += i32::from(letter == '[');
        let outside = depth == 0 && !letter.is_whitespace();
        depth -= i32::from(letter == ']');
        outside
    });
    kept.collect()
}
