//! JSON → a document, by way of the text that says the same.

use super::super::compose::{Composer, Role};
use super::super::diagnostic::Diagnostic;
use super::super::source::{FileId, Span};
use super::super::syntax::Document;
use super::placement::PLACES;
use super::places::Places;
use super::reader::{Reader, has};
use super::value::{self, Key, Kind, Value};

mod bodies;

/// The longest JSON text that is read, in bytes.
const LARGEST: usize = 16 << 20;

const KEYWORDS: [&str; 37] = [
    "title",
    "param",
    "coord",
    "let",
    "table",
    "function",
    "kinetic",
    "potential",
    "lagrangian",
    "dissipation",
    "gravity",
    "particle",
    "body",
    "frame",
    "joint",
    "drive",
    "spring",
    "damper",
    "torque",
    "formulation",
    "mass",
    "force",
    "constraint",
    "stop",
    "connect",
    "nonideal",
    "friction",
    "hidden",
    "free",
    "start",
    "assemble",
    "run",
    "output",
    "event",
    "expect",
    "draw",
    "part",
];

/// Reads the JSON form of a model. Spans and messages point into the JSON text: at the string in question, and into
/// it where it has no escapes.
///
/// # Errors
///
/// `bad-json` for text that is not JSON, `unknown-key` and `missing-key` for objects, `json-type` for a value of the
/// wrong kind, `not-one-item` for a string that reaches beyond its place, and all that the language itself reports.
/// The document has no statements then.
pub fn from_json(file: FileId, text: &str) -> (Document, Vec<Diagnostic>) {
    if text.len() > LARGEST {
        let error = Diagnostic::error("file-too-large", format!("the text has {} bytes", text.len()))
            .at(Span::new(file, 0, 0), "")
            .note(format!("a model in JSON is at most {LARGEST} bytes long"));
        return (Document::default(), vec![error]);
    }
    let root = match value::read(file, text) {
        Ok(root) => root,
        Err(error) => return (Document::default(), vec![*error]),
    };
    let mut reader = Reader { composer: Composer::default(), errors: Vec::new() };
    reader.root(&root);
    if !reader.errors.is_empty() {
        let mut more = reader.composer.check(file);
        let places = Places::new(file, reader.composer.fragments());
        more.iter_mut().for_each(|error| places.move_message(error));
        reader.errors.extend(more);
        return (Document::default(), reader.errors);
    }
    let (_, fragments, mut document, mut errors) = reader.composer.finish(file);
    let places = Places::new(file, &fragments);
    places.move_document(&mut document);
    errors.iter_mut().for_each(|error| places.move_message(error));
    (document, errors)
}

impl Reader {
    fn root(&mut self, root: &Value) {
        let Some(fields) = self.fields(root, &["holonom", "statements"], &["holonom", "statements"]) else { return };
        if let Some(version) = fields.get("holonom")
            && !matches!(&version.kind, Kind::Number(number) if number == "1")
        {
            let error = Diagnostic::error("json-version", "this is not version 1 of the JSON form");
            self.errors.push(error.at(version.span, "write `1`"));
        }
        if let Some(statements) = fields.get("statements") {
            self.statements(statements);
        }
    }

    fn statements(&mut self, value: &Value) {
        let Kind::List(statements) = &value.kind else { return self.wrong_type(value, "a list of statements") };
        for statement in statements {
            let Some(members) = self.members(statement) else { continue };
            let [(keyword, value)] = members else {
                let error = Diagnostic::error("json-statement", "a statement is an object with one key, its keyword")
                    .at(statement.span, format!("an object with {} keys", members.len()))
                    .help("write `{\"coord\": [{\"name\": \"x\"}]}`, one object for each statement");
                self.errors.push(error);
                continue;
            };
            if KEYWORDS.contains(&keyword.text.as_str()) {
                self.statement(keyword, value);
            } else {
                self.unknown(keyword, &KEYWORDS);
            }
        }
    }

    fn statement(&mut self, keyword: &Key, value: &Value) {
        // The indices of a family to draw are part of the keyword, which is written with them.
        let drawn = keyword.text == "draw" && has(value, "for");
        if !drawn {
            self.composer.keyword(&keyword.text, Some((keyword.span, false)));
        }
        match keyword.text.as_str() {
            "title" => self.give(Role::Title, value),
            "gravity" | "mass" => self.give(Role::Expression, value),
            "kinetic" | "potential" | "lagrangian" | "dissipation" => {
                self.each(value, |reader, item| reader.give(Role::Expression, item));
            }
            "param" => self.each(value, |reader, item| reader.definition(item, &["name", "value"])),
            "let" => self.each(value, |reader, item| reader.definition(item, &["name", "arguments", "value"])),
            "coord" => self.each(value, Self::coordinate),
            "table" => self.each(value, Self::table),
            "function" => self.each(value, Self::function),
            "particle" => self.each(value, Self::particle),
            "body" => self.body(value),
            "frame" => self.frame(value),
            "joint" => self.joint(value),
            "drive" => self.drive(value),
            "spring" | "damper" => self.element(value),
            "torque" => self.each(value, |reader, item| reader.force(item, &["on", "value"])),
            "formulation" => self.give(Role::Word, value),
            "force" => self.each(value, |reader, item| reader.force(item, &["value"])),
            "constraint" | "connect" => self.constraint(value),
            "stop" => self.stop(value),
            "nonideal" => self.nonideal(value),
            "friction" => self.friction(value),
            "hidden" => self.only_word(value, "find"),
            "free" if matches!(value.kind, Kind::Text(..)) => self.only_word(value, "zero"),
            "free" | "start" => self.each(value, Self::start),
            "assemble" if matches!(value.kind, Kind::Bool(true)) => {}
            "assemble" => self.wrong_type(value, "`true`"),
            "run" => self.run(value),
            "output" => self.each(value, |reader, item| reader.pair(item, ": ")),
            "event" => self.event(value),
            "expect" => self.expectations(value),
            "draw" => self.draw(keyword, value),
            _ => self.part(value),
        }
    }

    fn definition(&mut self, value: &Value, may: &[&'static str]) {
        let Some(fields) = self.fields(value, may, &["name", "value"]) else { return };
        self.given(&fields, "name", Role::Name);
        if let Some(arguments) = fields.get("arguments") {
            self.composer.put("(");
            self.each(arguments, |reader, argument| reader.give(Role::Word, argument));
            self.composer.put(")");
        }
        self.composer.put(" = ");
        self.given(&fields, "value", Role::Expression);
    }

    fn coordinate(&mut self, value: &Value) {
        let Some(fields) = self.fields(value, &["name", "unit"], &["name"]) else { return };
        self.given(&fields, "name", Role::Name);
        if let Some(unit) = fields.get("unit") {
            self.composer.put(": ");
            self.give(Role::Unit, unit);
        }
    }

    fn table(&mut self, value: &Value) {
        let Some(fields) = self.fields(value, &["name", "path", "options"], &["name", "path"]) else { return };
        self.given(&fields, "name", Role::Name);
        if let Some(path) = fields.get("path") {
            self.give_path(path);
        }
        self.options(fields.get("options"));
    }

    fn function(&mut self, value: &Value) {
        let may = ["name", "arguments", "unit"];
        let Some(fields) = self.fields(value, &may, &["name", "arguments"]) else { return };
        self.given(&fields, "name", Role::Name);
        if let Some(arguments) = fields.get("arguments") {
            self.composer.put("(");
            self.each(arguments, |reader, argument| reader.give(Role::Expression, argument));
            self.composer.put(")");
        }
        if let Some(unit) = fields.get("unit") {
            self.composer.put(": ");
            self.give(Role::Unit, unit);
        }
    }

    fn particle(&mut self, value: &Value) {
        let Some(fields) = self.fields(value, &["name", "mass", "at", "in"], &["name", "mass"]) else { return };
        self.given(&fields, "name", Role::Name);
        self.composer.put(": ");
        self.given(&fields, "mass", Role::Expression);
        match (fields.get("at"), fields.get("in")) {
            (Some(point), None) => {
                self.composer.put(" at ");
                self.give(Role::Expression, point);
            }
            (None, Some(place)) => {
                self.composer.put(" in ");
                self.give(Role::Word, place);
            }
            _ => self.either(value, "at", "in"),
        }
    }

    fn force(&mut self, value: &Value, must: &[&str]) {
        let Some(fields) = self.fields(value, &["on", "value"], must) else { return };
        if let Some(on) = fields.get("on") {
            self.give(Role::Force, on);
            self.composer.put(": ");
        }
        self.given(&fields, "value", Role::Expression);
    }

    fn constraint(&mut self, value: &Value) {
        let may = ["name", "equation", "restitution", "off"];
        let Some(fields) = self.fields(value, &may, &["name", "equation"]) else { return };
        self.given(&fields, "name", Role::Name);
        self.composer.put(": ");
        self.given(&fields, "equation", Role::Equation);
        self.one_sided(&fields);
    }

    fn stop(&mut self, value: &Value) {
        let must = ["name", "value", "low", "high"];
        let may = ["name", "value", "low", "high", "restitution", "off"];
        let Some(fields) = self.fields(value, &may, &must) else { return };
        for (key, role, after) in [
            ("name", Role::Name, ": "),
            ("value", Role::Bound, " in "),
            ("low", Role::Bound, " .. "),
            ("high", Role::Bound, ""),
        ] {
            self.given(&fields, key, role);
            self.composer.put(after);
        }
        self.one_sided(&fields);
    }

    fn nonideal(&mut self, value: &Value) {
        let Some(fields) = self.fields(value, &["constraint", "on", "value"], &["value"]) else { return };
        self.given(&fields, "constraint", Role::Name);
        if let Some(on) = fields.get("on") {
            self.composer.put(" on ");
            self.give(Role::Expression, on);
        }
        if fields.0.len() > 1 {
            self.composer.put(": ");
        }
        self.given(&fields, "value", Role::Expression);
    }

    fn friction(&mut self, value: &Value) {
        let may = ["constraint", "law", "options"];
        let Some(fields) = self.fields(value, &may, &["constraint", "law"]) else { return };
        self.given(&fields, "constraint", Role::Name);
        self.composer.put(": ");
        self.given(&fields, "law", Role::Expression);
        self.options(fields.get("options"));
    }

    fn start(&mut self, value: &Value) {
        let Some(fields) = self.fields(value, &["name", "value", "guess"], &["name"]) else { return };
        self.given(&fields, "name", Role::Name);
        let (sign, given) = match (fields.get("value"), fields.get("guess")) {
            (Some(given), None) => (" = ", given),
            (None, Some(guess)) => (" ~ ", guess),
            _ => return self.either(value, "value", "guess"),
        };
        self.composer.put(sign);
        self.give(Role::Expression, given);
    }

    fn run(&mut self, value: &Value) {
        let mut comma = "";
        for part in self.items(value) {
            for (key, value) in self.members(part).unwrap_or_default() {
                let settings = if key.text == "settings" { self.members(value).unwrap_or_default() } else { &[] };
                for (key, value) in settings {
                    self.composer.put(std::mem::replace(&mut comma, ", "));
                    self.setting(key, " = ", value);
                }
                if key.text != "settings" {
                    self.composer.put(std::mem::replace(&mut comma, ", "));
                    let sign = if matches!(key.text.as_str(), "until" | "every" | "at") { " " } else { " = " };
                    self.setting(key, sign, value);
                }
            }
        }
    }

    fn event(&mut self, value: &Value) {
        let all = ["name", "when", "then"];
        let Some(fields) = self.fields(value, &all, &all) else { return };
        self.given(&fields, "name", Role::Name);
        self.composer.put(": ");
        self.given(&fields, "when", Role::Condition);
        self.composer.put(" -> ");
        if let Some(then) = fields.get("then") {
            self.each(then, |reader, action| reader.give(Role::Action, action));
        }
    }

    /// In a text `at start` holds for all items after it, so that those without it are read first.
    fn expectations(&mut self, value: &Value) {
        let at_start = |one: &&Value| matches!(&one.kind, Kind::Object(fields) if fields.iter().any(|(key, value)| key.text == "at_start" && matches!(value.kind, Kind::Bool(true))));
        let mut items: Vec<&Value> = self.items(value).iter().collect();
        items.sort_by_key(at_start);
        for (which, one) in items.into_iter().enumerate() {
            if which > 0 {
                self.composer.put(", ");
            }
            self.expect(one);
        }
    }

    fn expect(&mut self, value: &Value) {
        let may = ["name", "at_start", "claim", "constant", "within"];
        let Some(fields) = self.fields(value, &may, &[]) else { return };
        if let Some(name) = fields.get("name") {
            self.give(Role::Name, name);
            self.composer.put(": ");
        }
        if self.flag(fields.get("at_start")) {
            self.composer.put("at start ");
        }
        match (fields.get("claim"), fields.get("constant")) {
            (Some(claim), None) => self.give(Role::Claim, claim),
            (None, Some(constant)) => match &constant.kind {
                Kind::Text(text, plain) => self.composer.constant(text, Some((constant.span, *plain))),
                _ => self.wrong_type(constant, "an expression as a string"),
            },
            _ => self.either(value, "claim", "constant"),
        }
        if let Some(within) = fields.get("within") {
            self.composer.put(" within ");
            self.give(Role::Expression, within);
        }
    }

    fn draw(&mut self, keyword: &Key, value: &Value) {
        let may = ["for", "shape", "arguments", "options"];
        let Some(fields) = self.fields(value, &may, &["shape"]) else { return };
        match fields.get("for").map(|family| (&family.kind, family)) {
            Some((Kind::Text(text, plain), family)) => {
                let keyword = Some((keyword.span, false));
                self.composer.draw_family(keyword, text, Some((family.span, *plain)));
            }
            Some((_, family)) => self.wrong_type(family, "a string"),
            None => {}
        }
        self.given(&fields, "shape", Role::Word);
        if let Some(arguments) = fields.get("arguments") {
            self.side_by_side(arguments);
        }
        self.options(fields.get("options"));
    }

    fn part(&mut self, value: &Value) {
        let may = [&["name", "path", "with", "statements"][..], &PLACES].concat();
        let Some(fields) = self.fields(value, &may, &["name"]) else { return };
        self.given(&fields, "name", Role::Name);
        match (fields.get("path"), fields.get("statements")) {
            (Some(path), None) => self.give_path(path),
            (None, Some(_)) => {}
            _ => self.either(value, "path", "statements"),
        }
        if let Some(with) = fields.get("with") {
            self.composer.put(" with ");
            self.each(with, |reader, item| reader.definition(item, &["name", "value"]));
        }
        self.placement(value, &fields, true);
        if let Some(statements) = fields.get("statements") {
            let outer = std::mem::take(&mut self.composer);
            self.statements(statements);
            let inner = std::mem::replace(&mut self.composer, outer);
            self.composer.indented(&inner);
        }
    }
}
