//! A document → JSON.

use super::super::format::print;
use super::super::syntax::{Document, Statement};
use super::value::quote;

/// The JSON form of a model, a statement per line. Nothing if some of the document could not be read.
pub fn to_json(document: &Document) -> Option<String> {
    print(document)?;
    let statements = Statement::list_to_json(&document.statements).replace('\n', "\n  ");
    Some(format!("{{\n  \"holonom\": 1,\n  \"statements\": {statements}\n}}\n"))
}

impl Statement {
    /// A list of statements, a statement per line. Those that could not be read are left out.
    pub(crate) fn list_to_json(statements: &[Self]) -> String {
        let lines: Vec<String> = statements
            .iter()
            .filter_map(|statement| statement.kind.to_json())
            .map(|(keyword, value)| format!("  {{{}: {value}}}", quote(keyword)))
            .collect();
        if lines.is_empty() { "[]".to_string() } else { format!("[\n{}\n]", lines.join(",\n")) }
    }
}
