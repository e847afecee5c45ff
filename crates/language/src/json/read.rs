//! JSON → a document, by way of the text that says the same.

use super::super::compose::Composer;
use super::super::diagnostic::Diagnostic;
use super::super::source::{FileId, Span};
use super::super::statement::{self, KEYWORDS};
use super::super::syntax::Document;
use super::places::Places;
use super::reader::Reader;
use super::value::{self, Kind, Value};

/// The longest JSON text that is read, in bytes.
const LARGEST: usize = 16 << 20;

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

    pub(crate) fn statements(&mut self, value: &Value) {
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
                self.composer.keyword(&keyword.text, Some((keyword.span, false)));
                statement::read_json(&keyword.text, value, self);
            } else {
                self.unknown(keyword, KEYWORDS);
            }
        }
    }
}
