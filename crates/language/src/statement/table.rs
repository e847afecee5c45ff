//! `table f = "f.csv"`: values from a file.

use super::notation::{Found, Notation};
use crate::builder::ModelBuilder;
use crate::compose::Role;
use crate::format::pen::Pen;
use crate::json::object::{list, object, options, target};
use crate::json::reader::Reader;
use crate::json::value::{Value, quote};
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser, Reported};
use crate::parse::target::Form;
use crate::source::Span;
use crate::syntax::{Expr, Setting, Target, Text};
use crate::visit::visit_fields;

#[cfg(test)]
use crate::random::Author;

/// `f = "f.csv"`, with options such as `degree = 1` (none are needed).
#[derive(Clone, Debug)]
pub struct TableItem {
    /// The name.
    pub target: Target,
    /// The path as written, without quotes.
    pub path: Text,
    /// `name = value` after it.
    pub options: Vec<Setting>,
    /// All of it.
    pub span: Span,
}

visit_fields! {
    TableItem { target, path, options, span }
}

pub(super) struct Table;

impl Notation for Table {
    type Content = Vec<TableItem>;

    fn read(&self, p: &mut Parser) -> Parsed<Found<Vec<TableItem>>> {
        let mut all: Vec<TableItem> = vec![];
        p.items("a table", |p| {
            let start = p.here();
            let option = p.kind_ahead(1) == Some(TokenKind::Equal) && p.kind_ahead(2) != Some(TokenKind::Text);
            if let (true, Some(last)) = (option, all.last_mut()) {
                let setting = p.setting()?;
                last.span = last.span.to(setting.span);
                last.options.push(setting);
                return Ok(());
            }
            let target = p.target(Form::Declared, "a table")?;
            p.equals("f", "a table")?;
            let path = p.path()?;
            all.push(TableItem { target, path, options: vec![], span: p.since(start) });
            Ok(())
        });
        if all.is_empty() {
            return Err(Reported);
        }
        Ok(Found::One(all))
    }

    fn print(&self, items: &Vec<TableItem>, pen: &mut Pen) {
        pen.items(items, |pen, item| {
            pen.target(&item.target);
            pen.text(" = ");
            pen.path(&item.path);
            pen.settings(&item.options);
        });
    }

    fn to_json(&self, items: &Vec<TableItem>) -> String {
        list(items, |item| {
            let named = object().with("name", target(&item.target)).with("path", quote(&item.path.text));
            named.with("options", options(&item.options)).end()
        })
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        reader.each(value, |reader, value| {
            let Some(fields) = reader.fields(value, &["name", "path", "options"], &["name", "path"]) else { return };
            reader.given(&fields, "name", Role::Name);
            if let Some(path) = fields.get("path") {
                reader.give_path(path);
            }
            reader.options(fields.get("options"));
        });
    }

    fn values<'c>(&self, items: &'c Vec<TableItem>) -> Vec<&'c Expr> {
        items.iter().flat_map(|item| &item.options).map(|setting| &setting.value).collect()
    }

    fn declares<'c>(&self, items: &'c Vec<TableItem>) -> Vec<(&'c Target, &'static str)> {
        items.iter().map(|item| (&item.target, "table")).collect()
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> Vec<TableItem> {
        author.some(1, 2, |author| {
            let (target, path) = (author.declared(), author.text());
            TableItem { target, path, options: author.settings(), span: Span::default() }
        })
    }
}

impl ModelBuilder {
    /// `table name = "path"`
    pub fn table(self, name: &str, path: &str) -> Self {
        self.begin("table").give(Role::Name, name).put(" = \"").give(Role::Path, path).put("\"")
    }
}
