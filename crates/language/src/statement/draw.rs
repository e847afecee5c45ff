//! `draw line p[1] p[2], color = red`: a picture of the model.

use super::notation::{Found, Notation};
use crate::builder::ModelBuilder;
use crate::compose::Role;
use crate::format::clause::CLAUSE;
use crate::format::pen::Pen;
use crate::format::print_family;
use crate::json::object::{expr, list, object, options};
use crate::json::reader::Reader;
use crate::json::value::{Kind, Value, quote};
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser, begins_argument};
use crate::source::Span;
use crate::syntax::{Binder, Expr, ExprKind, Ident, Setting};
use crate::visit::visit_fields;

#[cfg(test)]
use crate::random::Author;

/// `line p[1] p[2], color = red`.
#[derive(Clone, Debug)]
pub struct DrawItem {
    /// An index for families: `draw[i in 1..N] line p[i-1] p[i]`.
    pub binders: Vec<Binder>,
    /// A condition on the indices.
    pub condition: Option<Expr>,
    /// `point`, `line`, `path`, `spring`, `trace`, `polygon`, `body`, `ground`; a word that is none of them is found out later.
    pub shape: Ident,
    /// Its points.
    pub arguments: Vec<Expr>,
    /// `name = value`
    pub options: Vec<Setting>,
    /// All of it.
    pub span: Span,
}

visit_fields! {
    DrawItem { binders, condition, shape, arguments, options, span }
}

pub(super) struct Draw;

impl Notation for Draw {
    type Content = DrawItem;

    fn read(&self, p: &mut Parser) -> Parsed<Found<DrawItem>> {
        let start = p.here();
        let (binders, condition) = match p.kind() {
            Some(TokenKind::OpenBracket) => p.binders()?,
            _ => (vec![], None),
        };
        let shape = p.name("what to draw, such as `point` or `line`")?;
        p.tight = true;
        let read = p.drawn();
        p.tight = false;
        let (arguments, options) = read?;
        let item = DrawItem { binders, condition, shape, arguments, options, span: p.since(start) };
        Ok(Found::One(item))
    }

    fn print(&self, item: &DrawItem, pen: &mut Pen) {
        pen.family(&item.binders, item.condition.as_ref());
        pen.pad_keyword();
        pen.at(item.shape.span);
        pen.text(&item.shape.text);
        for (which, argument) in item.arguments.iter().enumerate() {
            pen.blank();
            // A line that begins with two names could be taken for a statement.
            if !matches!(argument.kind, ExprKind::Name(_)) {
                pen.may_break(CLAUSE);
            }
            pen.drawn(argument, which + 1 == item.arguments.len());
        }
        pen.settings(&item.options);
    }

    fn to_json(&self, item: &DrawItem) -> String {
        let family = Some(&item.binders).filter(|binders| !binders.is_empty());
        let family = family.map(|binders| quote(&print_family(binders, item.condition.as_ref())));
        let shape = object().with("for", family).with("shape", quote(&item.shape.text));
        shape.with("arguments", list(&item.arguments, expr)).with("options", options(&item.options)).end()
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        let may = ["for", "shape", "arguments", "options"];
        let Some(fields) = reader.fields(value, &may, &["shape"]) else { return };
        match fields.get("for").map(|family| (&family.kind, family)) {
            Some((Kind::Text(text, plain), family)) => {
                reader.composer.family(text, Some((family.span, *plain)));
            }
            Some((_, family)) => reader.wrong_type(family, "a string"),
            None => {}
        }
        reader.given(&fields, "shape", Role::Word);
        if let Some(arguments) = fields.get("arguments") {
            reader.side_by_side(arguments);
        }
        reader.options(fields.get("options"));
    }

    fn values<'c>(&self, item: &'c DrawItem) -> Vec<&'c Expr> {
        item.arguments.iter().chain(item.options.iter().map(|option| &option.value)).collect()
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> DrawItem {
        let binders = author.some(0, 2, |author| author.binder(false, 1));
        let condition = if binders.is_empty() { None } else { author.maybe(|author| author.condition(1)) };
        let shape = author.word(&["line", "point"]);
        let (arguments, options) = (author.some(1, 3, |author| author.value(2)), author.settings());
        DrawItem { binders, condition, shape, arguments, options, span: Span::default() }
    }
}

impl Parser<'_> {
    /// Arguments with blanks or commas between them, then options.
    fn drawn(&mut self) -> Parsed<(Vec<Expr>, Vec<Setting>)> {
        let (mut arguments, mut options) = (vec![], vec![]);
        while self.peek().is_some() {
            if self.eat(TokenKind::Comma).is_some() && self.peek().is_none() {
                return Err(self.unexpected());
            }
            if self.kind_ahead(1) == Some(TokenKind::Equal) {
                options.push(self.setting()?);
                self.item_ends()?;
            } else {
                // After an argument and a blank it would say that the argument is a point on a body.
                if self.is_word(0, "on") {
                    return Err(self.unexpected());
                }
                arguments.push(self.expression()?);
                if self.peek().is_some_and(|token| !begins_argument(token.kind)) {
                    return Err(self.unexpected());
                }
            }
        }
        Ok((arguments, options))
    }
}

impl ModelBuilder {
    /// `draw shape arguments, name = value`
    pub fn draw(mut self, shape: &str, arguments: &[&str], settings: &[(&str, &str)]) -> Self {
        self = self.begin("draw").give(Role::Word, shape);
        self.composer.arguments(arguments.iter().map(|argument| (*argument, None)));
        self.settings(settings)
    }

    /// `draw[i in 1..N] shape arguments, name = value`
    pub fn draw_family(mut self, family: &str, shape: &str, arguments: &[&str], settings: &[(&str, &str)]) -> Self {
        self = self.begin("draw");
        self.composer.family(family, None);
        self = self.give(Role::Word, shape);
        self.composer.arguments(arguments.iter().map(|argument| (*argument, None)));
        self.settings(settings)
    }
}
