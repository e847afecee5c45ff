//! What JSON is read with: objects with their keys, and strings in the places of a text.

use super::value::{Key, Kind, Value};
use crate::compose::{Composer, Role};
use crate::diagnostic::Diagnostic;
use crate::names::closest;

/// Writes down the text and collects what is wrong with the objects.
pub(crate) struct Reader {
    pub(crate) composer: Composer,
    pub(crate) errors: Vec<Diagnostic>,
}

/// The members of an object.
pub(crate) struct Fields<'v>(pub(crate) &'v [(Key, Value)]);

impl<'v> Fields<'v> {
    pub(crate) fn get(&self, key: &str) -> Option<&'v Value> {
        self.0.iter().find(|(found, _)| found.text == key).map(|(_, value)| value)
    }
}

/// Whether an object has a member of this name.
pub(crate) fn has(value: &Value, name: &str) -> bool {
    matches!(&value.kind, Kind::Object(members) if members.iter().any(|(key, _)| key.text == name))
}

impl Reader {
    pub(crate) fn wrong_type(&mut self, value: &Value, expected: &str) {
        let error = Diagnostic::error("json-type", format!("expected {expected}, found {}", value.describe()));
        self.errors.push(error.at(value.span, format!("expected {expected}")));
    }

    /// The members of an object, if it is one and they are those that it may and must have.
    pub(crate) fn fields<'v>(&mut self, value: &'v Value, may: &[&'static str], must: &[&str]) -> Option<Fields<'v>> {
        let before = self.errors.len();
        let members = self.members(value)?;
        for (key, _) in members {
            if !may.contains(&key.text.as_str()) {
                self.unknown(key, may);
            }
        }
        for missing in must.iter().filter(|must| !members.iter().any(|(key, _)| key.text == **must)) {
            let error = Diagnostic::error("missing-key", format!("the key `{missing}` is missing"));
            self.errors.push(error.at(value.span, format!("an object without `{missing}`")));
        }
        (self.errors.len() == before).then_some(Fields(members))
    }

    /// The members of an object with any keys, each once.
    pub(crate) fn members<'v>(&mut self, value: &'v Value) -> Option<&'v [(Key, Value)]> {
        let Kind::Object(members) = &value.kind else {
            self.wrong_type(value, "an object");
            return None;
        };
        let mut keys: Vec<&Key> = members.iter().map(|(key, _)| key).collect();
        keys.sort_by(|a, b| (&a.text, a.span.start).cmp(&(&b.text, b.span.start)));
        for pair in keys.windows(2).filter(|pair| pair[0].text == pair[1].text) {
            let error = Diagnostic::error("repeated-key", format!("the key `{}` occurs twice", pair[0].text));
            self.errors.push(error.at(pair[1].span, "again").at(pair[0].span, "first"));
        }
        Some(members)
    }

    pub(crate) fn unknown(&mut self, key: &Key, known: &[&'static str]) {
        let mut error = Diagnostic::error("unknown-key", format!("there is no key `{}` here", key.text));
        if let Some(meant) = closest(&key.text, known.iter().copied()) {
            error = error.at(key.span, format!("did you mean `{meant}`?")).suggest(key.span, format!("\"{meant}\""));
        } else {
            error = error.at(key.span, "unknown");
        }
        let keys: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
        self.errors.push(error.help(format!("the keys here are {}", keys.join(", "))));
    }

    /// The items of a list; something else is the only item.
    pub(crate) fn items<'v>(&self, value: &'v Value) -> &'v [Value] {
        match &value.kind {
            Kind::List(items) => items,
            _ => std::slice::from_ref(value),
        }
    }

    /// A string in a place of the text.
    pub(crate) fn give(&mut self, role: Role, value: &Value) {
        match &value.kind {
            Kind::Text(text, plain) => self.composer.fragment(role, text, Some((value.span, *plain))),
            Kind::Number(number) if matches!(role, Role::Expression | Role::Bound) => {
                self.composer.fragment(role, number, Some((value.span, false)));
            }
            _ if matches!(role, Role::Expression | Role::Bound) => {
                self.wrong_type(value, "an expression as a string, or a number")
            }
            _ => self.wrong_type(value, "a string"),
        }
    }

    pub(crate) fn give_path(&mut self, value: &Value) {
        self.composer.put(" = \"");
        self.give(Role::Path, value);
        self.composer.put("\"");
    }

    pub(crate) fn flag(&mut self, value: Option<&Value>) -> bool {
        match value.map(|value| (&value.kind, value)) {
            None | Some((Kind::Bool(false), _)) => false,
            Some((Kind::Bool(true), _)) => true,
            Some((_, value)) => {
                self.wrong_type(value, "`true` or `false`");
                false
            }
        }
    }

    /// Settings after something else.
    pub(crate) fn options(&mut self, value: Option<&Value>) {
        self.settings(value, &mut true);
    }

    /// Settings: an object, or a list of objects where one of them stands twice; with a `comma` before the first or not.
    pub(crate) fn settings(&mut self, value: Option<&Value>, comma: &mut bool) {
        for part in value.map_or(&[][..], |value| self.items(value)) {
            for (key, value) in self.members(part).unwrap_or_default() {
                self.composer.put(if std::mem::replace(comma, true) { ", " } else { "" });
                self.setting(key, " = ", value);
            }
        }
    }

    pub(crate) fn setting(&mut self, key: &Key, sign: &str, value: &Value) {
        self.composer.fragment(Role::Word, &key.text, Some((key.span, false)));
        self.composer.put(sign);
        self.give(Role::Expression, value);
    }

    pub(crate) fn each(&mut self, value: &Value, mut item: impl FnMut(&mut Self, &Value)) {
        for (which, one) in self.items(value).iter().enumerate() {
            if which > 0 {
                self.composer.put(", ");
            }
            item(self, one);
        }
    }

    pub(crate) fn only_word(&mut self, value: &Value, word: &str) {
        match &value.kind {
            Kind::Text(text, _) if text == word => self.composer.word(word, Some((value.span, false))),
            _ => self.wrong_type(value, &format!("the string `{word}`")),
        }
    }

    /// `name` and `value` with something between them.
    pub(crate) fn pair(&mut self, value: &Value, between: &str) {
        let Some(fields) = self.fields(value, &["name", "value"], &["name", "value"]) else { return };
        self.given(&fields, "name", Role::Name);
        self.composer.put(between);
        self.given(&fields, "value", Role::Expression);
    }

    /// A member that is there, as a string in a place of the text.
    pub(crate) fn given(&mut self, fields: &Fields, key: &str, role: Role) {
        if let Some(value) = fields.get(key) {
            self.give(role, value);
        }
    }

    pub(crate) fn either(&mut self, value: &Value, one: &str, other: &str) {
        let error = Diagnostic::error("missing-key", format!("either `{one}` or `{other}` is needed, and not both"));
        self.errors.push(error.at(value.span, "in this object"));
    }

    /// Expressions with blanks between them.
    pub(crate) fn side_by_side(&mut self, value: &Value) {
        let mut arguments = Vec::new();
        for argument in self.items(value) {
            match &argument.kind {
                Kind::Text(text, plain) => arguments.push((text.as_str(), Some((argument.span, *plain)))),
                Kind::Number(number) => arguments.push((number.as_str(), Some((argument.span, false)))),
                _ => self.wrong_type(argument, "an expression as a string, or a number"),
            }
        }
        self.composer.arguments(arguments);
    }
}
