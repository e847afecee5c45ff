//! `param m = 2 kg`, `let v = x'`, `let e(a) = (cos(a), sin(a))`: names with a value.

use super::notation::{Found, Notation};
use crate::builder::{ModelBuilder, Written};
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::object::{expr, list, object, target};
use crate::json::reader::Reader;
use crate::json::value::{Value, quote};
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser};
use crate::parse::target::Form;
use crate::source::Span;
use crate::syntax::{Expr, Ident, Target};
use crate::visit::visit_fields;

#[cfg(test)]
use crate::random::Author;

/// `target = value`, for `param` and `let`.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name, perhaps a family.
    pub target: Target,
    /// Names of arguments: `let e(a) = …`. Empty without parentheses.
    pub arguments: Vec<Ident>,
    /// What it is.
    pub value: Expr,
    /// All of it.
    pub span: Span,
}

visit_fields! {
    Definition { target, arguments, value, span }
}

pub(super) struct Param;

impl Notation for Param {
    type Content = Vec<Definition>;

    fn read(&self, p: &mut Parser) -> Parsed<Found<Vec<Definition>>> {
        let all = p.some_items("a parameter", |p| p.definition("a parameter", Form::Declared))?;
        Ok(Found::One(all))
    }

    fn print(&self, items: &Vec<Definition>, pen: &mut Pen) {
        pen.items(items, Pen::definition);
    }

    fn to_json(&self, items: &Vec<Definition>) -> String {
        list(items, definition_to_json)
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        reader.each(value, |reader, item| reader.definition(item, &["name", "value"]));
    }

    fn values<'c>(&self, items: &'c Vec<Definition>) -> Vec<&'c Expr> {
        items.iter().map(|item| &item.value).collect()
    }

    fn declares<'c>(&self, items: &'c Vec<Definition>) -> Vec<(&'c Target, &'static str)> {
        items.iter().map(|item| (&item.target, "parameter")).collect()
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> Vec<Definition> {
        author.some(1, 4, |author| author.definition(false))
    }
}

pub(super) struct Let;

impl Notation for Let {
    type Content = Vec<Definition>;

    fn read(&self, p: &mut Parser) -> Parsed<Found<Vec<Definition>>> {
        let all = p.some_items("a definition", |p| p.definition("a let", Form::Declared))?;
        Ok(Found::One(all))
    }

    fn print(&self, items: &Vec<Definition>, pen: &mut Pen) {
        pen.items(items, Pen::definition);
    }

    fn to_json(&self, items: &Vec<Definition>) -> String {
        list(items, definition_to_json)
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        reader.each(value, |reader, item| reader.definition(item, &["name", "arguments", "value"]));
    }

    fn values<'c>(&self, items: &'c Vec<Definition>) -> Vec<&'c Expr> {
        items.iter().map(|item| &item.value).collect()
    }

    fn declares<'c>(&self, items: &'c Vec<Definition>) -> Vec<(&'c Target, &'static str)> {
        items.iter().map(|item| (&item.target, "let")).collect()
    }

    fn families<'c>(&self, items: &'c Vec<Definition>) -> Vec<&'c Target> {
        items.iter().map(|item| &item.target).collect()
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> Vec<Definition> {
        author.some(1, 3, |author| author.definition(true))
    }
}

impl Parser<'_> {
    /// `target = value`, for a let also `target(a, b) = value`.
    pub(super) fn definition(&mut self, what: &str, form: Form) -> Parsed<Definition> {
        let start = self.here();
        let target = self.target(form, what)?;
        let mut arguments = vec![];
        if let Some(open) = self.eat(TokenKind::OpenParen) {
            if what != "a let" {
                let error = Diagnostic::error("unexpected-arguments", format!("{what} takes no arguments"))
                    .at(open.span, "")
                    .help("define a function with `let f(a) = …`");
                return Err(self.report(error));
            }
            loop {
                arguments.push(self.name("an argument")?);
                if self.eat(TokenKind::Comma).is_none() {
                    break;
                }
            }
            self.close(open, TokenKind::CloseParen)?;
        }
        let name = self.slice(target.span);
        self.equals(name, what)?;
        let value = self.expression()?;
        self.no_second_equation(what)?;
        Ok(Definition { target, arguments, value, span: self.since(start) })
    }
}

impl Pen<'_> {
    pub(super) fn definition(&mut self, item: &Definition) {
        self.target(&item.target);
        if !item.arguments.is_empty() {
            let names: Vec<&str> = item.arguments.iter().map(|argument| argument.text.as_str()).collect();
            self.text(&format!("({})", names.join(", ")));
        }
        self.equals("=", &item.value);
    }
}

pub(super) fn definition_to_json(item: &Definition) -> String {
    let names = |names: &Vec<Ident>| list(names, |name| quote(&name.text));
    let arguments = Some(&item.arguments).filter(|arguments| !arguments.is_empty()).map(names);
    object().with("name", target(&item.target)).with("arguments", arguments).with("value", expr(&item.value)).end()
}

impl Reader {
    pub(super) fn definition(&mut self, value: &Value, may: &[&'static str]) {
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
}

impl ModelBuilder {
    /// `param name = value`
    pub fn param(self, name: &str, value: impl Into<Written>) -> Self {
        self.begin("param").give(Role::Name, name).put(" = ").give(Role::Expression, value)
    }

    /// `let name = value`, where the name may have arguments: `let e(a) = (cos(a), sin(a))`.
    pub fn define(self, name: &str, value: impl Into<Written>) -> Self {
        self.begin("let").give(Role::Head, name).put(" = ").give(Role::Expression, value)
    }
}

#[cfg(test)]
impl Author {
    pub(super) fn definition(&mut self, arguments: bool) -> Definition {
        let target = self.declared();
        let arguments = if arguments { self.some(0, 2, Self::name) } else { vec![] };
        Definition { target, arguments, value: self.value(3), span: Span::default() }
    }
}
