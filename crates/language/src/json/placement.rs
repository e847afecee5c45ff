//! Placements in JSON: `at`, `from` with `to`, `up`, `turned`, `axes`.

use super::reader::{Fields, Reader};
use super::value::Value;
use crate::compose::Role;
use crate::diagnostic::Diagnostic;

/// The keys of a placement.
pub(crate) const PLACES: [&str; 6] = ["at", "from", "to", "up", "turned", "axes"];

impl Reader {
    /// The clauses of a placement in the order of their keys, where a `comma` stands before the first of them or not.
    pub(crate) fn placement(&mut self, object: &Value, fields: &Fields, mut comma: bool) {
        if fields.get("from").is_some() != fields.get("to").is_some() {
            return self.both(object, "from", "to");
        }
        for (key, value) in fields.0.iter().filter(|(key, _)| key.text != "to" && PLACES.contains(&key.text.as_str())) {
            self.composer.put(if std::mem::replace(&mut comma, true) { ", " } else { "" });
            self.composer.word(&key.text, Some((key.span, false)));
            match key.text.as_str() {
                "turned" => {
                    let mut then = false;
                    self.each(value, |reader, turn| reader.turn(turn, std::mem::replace(&mut then, true)));
                }
                "axes" => self.side_by_side(value),
                _ => {
                    self.composer.put(" ");
                    self.give(Role::Expression, value);
                }
            }
            if let Some(to) = fields.get("to").filter(|_| key.text == "from") {
                self.composer.put(" to ");
                self.give(Role::Expression, to);
            }
        }
    }

    fn turn(&mut self, value: &Value, then: bool) {
        let Some(fields) = self.fields(value, &["axis", "by"], &["axis", "by"]) else { return };
        self.composer.put(if then { "then " } else { " " });
        self.given(&fields, "axis", Role::Expression);
        self.composer.put(" by ");
        self.given(&fields, "by", Role::Expression);
    }

    fn both(&mut self, value: &Value, one: &str, other: &str) {
        let error = Diagnostic::error("missing-key", format!("`{one}` and `{other}` belong together"));
        self.errors.push(error.at(value.span, "one of them is missing in this object"));
    }
}
