//! `function g(t): m, F(x, t): N`: functions that stay symbols.

use super::notation::{Found, Notation};
use crate::builder::ModelBuilder;
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::format::{print_expression, print_unit};
use crate::json::object::{expr, list, object, target};
use crate::json::reader::Reader;
use crate::json::value::{Value, quote};
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser, shorten};
use crate::parse::target::Form;
use crate::source::Span;
use crate::syntax::{Expr, Target, Unit};
use crate::visit::visit_fields;

#[cfg(test)]
use crate::random::Author;

/// `F(x, t): N`: a function that stays a symbol.
#[derive(Clone, Debug)]
pub struct FunctionItem {
    /// The name.
    pub target: Target,
    /// What it is a function of: names of the model.
    pub arguments: Vec<Expr>,
    /// The unit of its value after the colon.
    pub unit: Option<Unit>,
    /// All of it.
    pub span: Span,
}

visit_fields! {
    FunctionItem { target, arguments, unit, span }
}

pub(super) struct Function;

impl Notation for Function {
    type Content = Vec<FunctionItem>;

    fn read(&self, p: &mut Parser) -> Parsed<Found<Vec<FunctionItem>>> {
        let all = p.some_items("a function", |p| {
            let start = p.here();
            let target = p.target(Form::Declared, "a function")?;
            let name = p.slice(target.span);
            let arguments = p.arguments_of_function(name)?;
            if p.kind() == Some(TokenKind::Equal) {
                let head = shorten(p.slice(p.since(start)));
                let error = Diagnostic::error("unexpected-equals", "a `function` has no value: it stays a symbol")
                    .at(p.here(), "a value follows")
                    .help(format!("a function with a value is written `let {head} = …`"));
                return Err(p.report(error));
            }
            let unit = match p.eat(TokenKind::Colon) {
                Some(_) => Some(p.unit()?),
                None => None,
            };
            Ok(FunctionItem { target, arguments, unit, span: p.since(start) })
        })?;
        Ok(Found::One(all))
    }

    fn print(&self, items: &Vec<FunctionItem>, pen: &mut Pen) {
        pen.items(items, |pen, item| {
            pen.target(&item.target);
            let arguments: Vec<String> = item.arguments.iter().map(print_expression).collect();
            pen.text(&format!("({})", arguments.join(", ")));
            if let Some(unit) = &item.unit {
                pen.colon();
                pen.at(unit.span);
                pen.unit(unit);
            }
        });
    }

    fn to_json(&self, items: &Vec<FunctionItem>) -> String {
        let unit = |item: &FunctionItem| item.unit.as_ref().map(|unit| quote(&print_unit(unit)));
        list(items, |item| {
            let named = object().with("name", target(&item.target)).with("arguments", list(&item.arguments, expr));
            named.with("unit", unit(item)).end()
        })
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        reader.each(value, |reader, value| {
            let may = ["name", "arguments", "unit"];
            let Some(fields) = reader.fields(value, &may, &["name", "arguments"]) else { return };
            reader.given(&fields, "name", Role::Name);
            if let Some(arguments) = fields.get("arguments") {
                reader.composer.put("(");
                reader.each(arguments, |reader, argument| reader.give(Role::Expression, argument));
                reader.composer.put(")");
            }
            if let Some(unit) = fields.get("unit") {
                reader.composer.put(": ");
                reader.give(Role::Unit, unit);
            }
        });
    }

    fn values<'c>(&self, _items: &'c Vec<FunctionItem>) -> Vec<&'c Expr> {
        vec![]
    }

    fn units<'c>(&self, items: &'c Vec<FunctionItem>) -> Vec<&'c Unit> {
        items.iter().filter_map(|item| item.unit.as_ref()).collect()
    }

    fn declares<'c>(&self, items: &'c Vec<FunctionItem>) -> Vec<(&'c Target, &'static str)> {
        items.iter().map(|item| (&item.target, "function")).collect()
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> Vec<FunctionItem> {
        author.some(1, 2, |author| {
            let (target, arguments) = (author.declared(), author.some(1, 3, |author| author.value(0)));
            FunctionItem { target, arguments, unit: author.maybe(Author::unit), span: Span::default() }
        })
    }
}

impl Parser<'_> {
    /// `(x, t)`, at least one.
    fn arguments_of_function(&mut self, name: &str) -> Parsed<Vec<Expr>> {
        let open = self.eat(TokenKind::OpenParen);
        let (Some(open), true) = (open, self.kind() != Some(TokenKind::CloseParen)) else {
            let error = Diagnostic::error("arguments", format!("the function `{}` has no arguments", shorten(name)))
                .at(self.here(), "of what is it a function?")
                .help(format!(
                    "write `function {0}(t)` or `function {0}(x, t)`; what never changes is a `param`",
                    shorten(name)
                ));
            return Err(self.report(error));
        };
        let mut arguments = vec![];
        loop {
            arguments.push(self.expression()?);
            if self.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.close(open, TokenKind::CloseParen)?;
        Ok(arguments)
    }
}

impl ModelBuilder {
    /// `function head: unit`, such as `function F(x, t): N`; without a unit if that is empty.
    pub fn function(self, head: &str, unit: &str) -> Self {
        let named = self.begin("function").give(Role::Function, head);
        if unit.is_empty() { named } else { named.put(": ").give(Role::Unit, unit) }
    }
}
