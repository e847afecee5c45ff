//! Start values: which coordinate begins where, and how fast.

use std::collections::HashMap;

use super::Elaborator;
use super::mechanics::Aim;
use super::value::{Data, Value};
use crate::checked::StartValue;
use crate::diagnostic::Diagnostic;
use crate::syntax::{Expr, ExprKind, StartItem, Statement, StatementKind, Target};
use holonom_symbols::expr::{Depends, Id, Symbol};

impl<'a> Elaborator<'a> {
    pub(super) fn start_statement(&mut self, statement: &'a Statement) {
        let StatementKind::Start(items) = &statement.kind else { return };
        for item in items {
            for case in self.cases(&item.target) {
                self.within(&case, |this| this.start_member(item, &case.indices));
            }
        }
    }

    fn start_member(&mut self, item: &'a StartItem, indices: &[Option<Vec<i64>>]) -> Option<()> {
        let aim = self.start_aim(&item.target, indices)?;
        if let Aim::Spin(body) = aim {
            return self.start_spin(item, body);
        }
        if item.target.primes > 1 {
            let error = Diagnostic::error("wrong-target", "accelerations are not started: they follow")
                .at(item.target.span, "an acceleration")
                .help("give positions and velocities, `x = …, x' = …`; a choice where nothing determines it is `free x'' = …`");
            self.report(error);
            return None;
        }
        let targets = self.coordinates_at(&item.target, aim)?;
        if let [only] = targets[..]
            && let Some(unit) = self.pure_units.get(&only).filter(|_| is_plain_number(&item.value))
        {
            let (text, target) = (self.sources.text(item.value.span), self.sources.text(item.target.span));
            let rate = if item.target.primes > 0 && self.checking { "/s" } else { "" };
            let error = Diagnostic::error(
                "dimension-mismatch",
                format!("`{target}` is in `{unit}{rate}`, and this is a plain number"),
            )
            .at(item.value.span, "a plain number is in radians")
            .help(format!("write `{text} {unit}{rate}`, or `{text} rad{rate}` if radians are meant"));
            self.report(error);
            return None;
        }
        let value = self.value(&item.value);
        let ids = self.spread(&item.value, value, &targets, i32::from(item.target.primes))?;
        let allowed = Depends::POSITION | Depends::VELOCITY;
        self.only(&item.value, &ids, allowed, "a start value").then_some(())?;
        for (coordinate, value) in targets.into_iter().zip(ids) {
            let which = coordinate as u32;
            let symbol = if item.target.primes == 0 { Symbol::Position(which) } else { Symbol::Velocity(which) };
            self.set_start(StartValue { symbol, value, guess: item.guess, is_placed: false, span: item.span });
        }
        Some(())
    }

    fn start_aim(&mut self, target: &'a Target, indices: &[Option<Vec<i64>>]) -> Option<Aim> {
        let aim = self.aim(target, indices)?;
        if matches!(aim, Aim::Parameter(_) | Aim::Constraint(_)) {
            let text = self.sources.text(target.span).to_string();
            let kind = if matches!(aim, Aim::Parameter(_)) { "parameter" } else { "constraint" };
            let error = Diagnostic::error("wrong-target", format!("the {kind} `{text}` cannot be started"))
                .at(target.span, "not a coordinate")
                .help("coordinates, particles and their velocities have start values: `start x = 1, x' = 0`");
            self.report(error);
            return None;
        }
        Some(aim)
    }

    /// What stands outside a part holds over what stands in it; twice in one place is a mistake.
    pub(super) fn set_start(&mut self, start: StartValue) {
        let depth = self.scopes[self.scope].depth;
        match self.start_depths.get(&start.symbol) {
            Some(&(known, place)) if known == depth => {
                let first = self.model.start[place].span;
                let name = self.model.symbol_name(start.symbol);
                let error = Diagnostic::error("started-twice", format!("`{name}` is started twice"))
                    .at(start.span, "started again")
                    .at(first, "started here first");
                self.report(error);
            }
            Some(&(known, _)) if known < depth => {}
            Some(&(_, place)) => {
                self.model.start[place] = start;
                self.start_depths.insert(start.symbol, (depth, place));
            }
            None => {
                self.start_depths.insert(start.symbol, (depth, self.model.start.len()));
                self.model.start.push(start);
            }
        }
    }

    /// The coordinates that a target consists of.
    pub(super) fn coordinates_at(&mut self, target: &'a Target, aim: Aim) -> Option<Vec<usize>> {
        let components = match aim {
            Aim::Coordinate(which) => return Some(vec![which]),
            Aim::Point(components) => components,
            Aim::Body(body) => {
                let point = self.body_value(body)?;
                point.components()
            }
            Aim::Scalar(..) => {
                self.not_a_coordinate(target);
                return None;
            }
            Aim::Parameter(_) | Aim::Constraint(_) | Aim::Spin(_) => return None,
        };
        let coordinates: Option<Vec<usize>> = components.iter().map(|&id| self.coordinate_of(id)).collect();
        if coordinates.is_none() {
            let text = self.sources.text(target.span).to_string();
            let used = self.graph.symbols(&components);
            let names: Vec<String> = used
                .into_iter()
                .filter(|symbol| matches!(symbol, Symbol::Position(_)))
                .take(6)
                .map(|symbol| format!("`{}`", self.model.symbol_name(symbol)))
                .collect();
            let error = Diagnostic::error("wrong-target", format!("`{text}` has no value of its own"))
                .at(target.span, "it follows from coordinates")
                .help(format!("give the coordinates themselves: {}", names.join(", ")));
            self.report(error);
        }
        coordinates
    }

    /// A value for each of some coordinates, of their dimension per second to some power.
    pub(super) fn spread(
        &mut self,
        expression: &'a Expr,
        value: Option<Value>,
        targets: &[usize],
        primes: i32,
    ) -> Option<Vec<Id>> {
        let value = value?;
        let dimension = self.model.coordinates[*targets.first()?].dimension;
        let due = self.per_second(dimension, primes);
        let ticks = "'".repeat(primes.unsigned_abs() as usize);
        if let [only] = targets {
            let what = format!("`{}{ticks}`", self.model.coordinates[*only].name);
            return Some(vec![self.scalar(expression, Some(value), due, &what)?]);
        }
        if value.is_bare_zero() {
            return Some(vec![Id::ZERO; targets.len()]);
        }
        match &value.data {
            Data::Vector(components) if components.len() == targets.len() => {
                let components = components.clone();
                self.fits(expression, value.dim, due, "the value of this vector").then_some(components)
            }
            _ => {
                let error =
                    Diagnostic::error("wrong-length", format!("a vector of {} components is needed", targets.len()))
                        .at(expression.span, format!("this is {}", value.kind()));
                self.report(error);
                None
            }
        }
    }

    /// Start values may be made of each other, but not in a circle.
    pub(super) fn check_start_cycles(&mut self) {
        let places: HashMap<Symbol, usize> =
            self.model.start.iter().enumerate().map(|(place, start)| (start.symbol, place)).collect();
        let needs: Vec<Vec<usize>> = self
            .model
            .start
            .iter()
            .map(|start| {
                if self.graph.depends(start.value).is_fixed() {
                    return vec![];
                }
                let symbols = self.graph.symbols(&[start.value]);
                symbols.iter().filter_map(|symbol| places.get(symbol).copied()).collect()
            })
            .collect();
        // Take away what needs nothing that is left, again and again; what remains is a circle, or hangs on one.
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); needs.len()];
        let mut open: Vec<usize> = needs.iter().map(Vec::len).collect();
        for (place, needs) in needs.iter().enumerate() {
            needs.iter().for_each(|&needed| users[needed].push(place));
        }
        let mut ready: Vec<usize> = (0..open.len()).filter(|&place| open[place] == 0).collect();
        while let Some(place) = ready.pop() {
            for &user in &users[place] {
                open[user] -= 1;
                if open[user] == 0 {
                    ready.push(user);
                }
            }
        }
        if let Some(place) = (0..open.len()).find(|&place| open[place] > 0) {
            let start = self.model.start[place];
            let name = self.model.symbol_name(start.symbol);
            let error =
                Diagnostic::error("cyclic-definition", format!("the start value of `{name}` is made of itself"))
                    .at(start.span, "in a circle")
                    .help("give one of the values as a number");
            self.report(error);
        }
    }
}

/// A number that was written without a unit, and is not 0.
fn is_plain_number(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Number(text) => text.parse::<f64>().is_ok_and(|value| value != 0.0),
        ExprKind::Negate(inner) | ExprKind::Paren(inner) => is_plain_number(inner),
        _ => false,
    }
}
