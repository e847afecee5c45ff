//! What JSON is written with: objects, and pieces of the language as strings.

use super::value::quote;
use crate::format::{print_expression, print_target};
use crate::syntax::{Expr, PlaceClause, Setting, Target, Turn};

/// Members of an object that are there, in order.
#[derive(Default)]
pub(crate) struct Object(Vec<String>);

impl Object {
    pub(crate) fn with(mut self, key: &str, value: impl Into<Option<String>>) -> Self {
        if let Some(value) = value.into() {
            self.0.push(format!("{}: {value}", quote(key)));
        }
        self
    }

    pub(crate) fn end(self) -> String {
        format!("{{{}}}", self.0.join(", "))
    }
}

pub(crate) fn object() -> Object {
    Object::default()
}

pub(crate) fn expr(expr: &Expr) -> String {
    quote(&print_expression(expr))
}

pub(crate) fn target(target: &Target) -> String {
    quote(&print_target(target))
}

pub(crate) fn flag(set: bool) -> Option<String> {
    set.then(|| "true".to_string())
}

pub(crate) fn list<T>(items: &[T], item: impl Fn(&T) -> String) -> String {
    format!("[{}]", items.iter().map(item).collect::<Vec<_>>().join(", "))
}

pub(crate) fn options(settings: &[Setting]) -> Option<String> {
    if settings.is_empty() {
        return None;
    }
    Some(members(settings.iter().map(|setting| (setting.name.text.as_str(), expr(&setting.value))).collect()))
}

/// An object with these members; a list of objects where one key stands twice.
pub(crate) fn members(members: Vec<(&str, String)>) -> String {
    let mut keys: Vec<&str> = members.iter().map(|(key, _)| *key).collect();
    keys.sort_unstable();
    if keys.windows(2).all(|pair| pair[0] != pair[1]) {
        members.into_iter().fold(object(), |all, (key, value)| all.with(key, value)).end()
    } else {
        list(&members, |(key, value)| object().with(key, value.clone()).end())
    }
}

/// The clauses of a placement as members, in the order in which they were written.
pub(crate) fn placed(mut object: Object, placement: &[PlaceClause]) -> Object {
    for place in placement {
        object = match place {
            PlaceClause::At(point) => object.with("at", expr(point)),
            PlaceClause::Along(from, to) => object.with("from", expr(from)).with("to", expr(to)),
            PlaceClause::Up(direction) => object.with("up", expr(direction)),
            PlaceClause::Turned(turns) => {
                let turn =
                    |turn: &Turn| self::object().with("axis", expr(&turn.axis)).with("by", expr(&turn.angle)).end();
                object.with("turned", list(turns, turn))
            }
            PlaceClause::Axes(first, second) => object.with("axes", format!("[{}, {}]", expr(first), expr(second))),
        };
    }
    object
}
