//! `spring s: distance(p, q), stiffness = k, rest = l`, `damper d: pin, rate = c`: forces along one quantity.

use super::notation::{Found, Notation};
use crate::builder::{ModelBuilder, Written};
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::object::{expr, object, options, target};
use crate::json::reader::Reader;
use crate::json::value::Value;
use crate::lex::TokenKind;
use crate::parse::cursor::{MOST_ERRORS, Parsed, Parser, Reported, shorten};
use crate::parse::placement::{Wording, means};
use crate::source::Span;
use crate::syntax::{Expr, ExprKind, Setting, Target};
use crate::visit::visit_fields;

#[cfg(test)]
use crate::random::Author;

/// A spring or a damper: `s: distance(p, q), stiffness = k, rest = l`.
#[derive(Clone, Debug)]
pub struct ElementItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// What it acts on: a joint, a coordinate, a distance.
    pub value: Expr,
    /// `stiffness = k`, `rest = l`, `preload = F`, `rate = c`, `law = EXPR`
    pub options: Vec<Setting>,
    /// All of it.
    pub span: Span,
}

visit_fields! {
    ElementItem { target, value, options, span }
}

pub(super) const SPRING: Element = Element {
    wording: Wording {
        keyword: "spring",
        what: "a spring",
        name: "s1",
        form: "spring s1: distance(p, q), stiffness = k, rest = L",
        clauses: &[],
        flags: &[],
        settings: &["stiffness", "rest", "preload", "law"],
    },
};

pub(super) const DAMPER: Element = Element {
    wording: Wording {
        keyword: "damper",
        what: "a damper",
        name: "d1",
        form: "damper d1: distance(p, q), rate = c",
        clauses: &[],
        flags: &[],
        settings: &["rate", "law"],
    },
};

/// A spring or a damper.
pub(super) struct Element {
    wording: Wording,
}

impl Notation for Element {
    type Content = ElementItem;

    fn read(&self, p: &mut Parser) -> Parsed<Found<ElementItem>> {
        let wording = self.wording;
        let start = p.here();
        if p.separator() != Some(TokenKind::Colon) {
            return Err(p.nameless_element(wording));
        }
        let target = p.named(wording)?;
        if p.word(0).is_some() && p.kind_ahead(1) == Some(TokenKind::Equal) {
            return Err(p.acts_on_nothing(wording, target.span));
        }
        let from = p.at;
        let value = p.expression()?;
        if let Some(error) = p.two_points(from, wording) {
            return Err(p.report(error));
        }
        p.item_ends()?;
        let mut options = vec![];
        let before = p.errors.len() + p.more;
        if p.eat(TokenKind::Comma).is_some() {
            p.items("an option", |p| {
                if p.word(0).is_some() && p.kind_ahead(1) == Some(TokenKind::Equal) {
                    return p.option(&mut options);
                }
                if p.word(0).is_none() || matches!(p.kind_ahead(1), None | Some(TokenKind::Comma)) {
                    return Err(p.option_without_name(wording));
                }
                Err(p.no_clause(wording))
            });
        }
        if p.errors.len() + p.more > before {
            return Err(Reported);
        }
        p.each_once(&options)?;
        if options.is_empty() {
            return Err(p.element_without_options(wording, target.span, &value));
        }
        Ok(Found::One(ElementItem { target, value, options, span: p.since(start) }))
    }

    fn print(&self, item: &ElementItem, pen: &mut Pen) {
        pen.pad_keyword();
        pen.target(&item.target);
        pen.colon();
        pen.expression(&item.value);
        pen.settings(&item.options);
    }

    fn to_json(&self, item: &ElementItem) -> String {
        let named = object().with("name", target(&item.target)).with("value", expr(&item.value));
        named.with("options", options(&item.options)).end()
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        let all = ["name", "value", "options"];
        let Some(fields) = reader.fields(value, &all, &all) else { return };
        reader.given(&fields, "name", Role::Name);
        reader.composer.put(": ");
        reader.given(&fields, "value", Role::Expression);
        reader.options(fields.get("options"));
    }

    fn values<'c>(&self, item: &'c ElementItem) -> Vec<&'c Expr> {
        std::iter::once(&item.value).chain(item.options.iter().map(|setting| &setting.value)).collect()
    }

    fn declares<'c>(&self, item: &'c ElementItem) -> Vec<(&'c Target, &'static str)> {
        vec![(&item.target, self.wording.keyword)]
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> ElementItem {
        let (target, value, mut options) = (author.declared(), author.value(3), author.settings());
        if options.is_empty() {
            options.push(Setting { name: author.word(&["stiffness"]), value: author.value(2), span: Span::default() });
        }
        ElementItem { target, value, options, span: Span::default() }
    }
}

impl Parser<'_> {
    /// `spring p q, k = 3`, `spring x, k`: what to write, with the names that stand there.
    fn nameless_element(&mut self, wording: Wording) -> Reported {
        let Wording { keyword, name, .. } = wording;
        let first = self.item_tokens(self.at);
        let on = match &self.operands(first)[..] {
            [(one, _)] => one.clone(),
            [(one, _), (other, _)] => format!("distance({one}, {other})"),
            _ => return self.named(wording).map_or_else(|reported| reported, |_| Reported),
        };
        let rest = self.tokens.get(self.at + first.len()..self.end).unwrap_or_default();
        let value = rest.split(|token| token.kind == TokenKind::Comma).find_map(|item| match item {
            [name, equal, first, .., last] | [name, equal, first @ last] if equal.kind == TokenKind::Equal => {
                let length = means(self.slice(name.span), "rest");
                (!length).then(|| self.slice(first.span.to(last.span)))
            }
            [only] => Some(self.slice(only.span)),
            _ => None,
        });
        let (option, usual) = main_option(keyword);
        // Nobody knows how long a spring between two points is at rest.
        let length = if keyword == "spring" && on.starts_with("distance") { ", rest = 1" } else { "" };
        let start = self.here();
        let error = Diagnostic::error("missing-name", format!("this {keyword} has no name"))
            .at(start, "write a name and a colon before this")
            .note("forces, reports and other statements refer to it by its name")
            .help(format!("write `{keyword} {name}: {on}, {option} = {}{length}`", shorten(value.unwrap_or(usual))));
        self.report(error)
    }

    /// `spring s: stiffness = k`.
    fn acts_on_nothing(&mut self, wording: Wording, name: Span) -> Reported {
        let (keyword, name, rest) = (wording.keyword, shorten(self.slice(name)), self.item_shown(0));
        let error = Diagnostic::error("missing-item", format!("what does this {keyword} act on?"))
            .at(self.here(), "a joint, a coordinate or a distance stands here")
            .help(format!("write `{keyword} {name}: distance(p, q), {rest}`"));
        self.report(error)
    }

    /// `spring s: p q, …` and `spring s: p, q, stiffness = k`: two points in place of their distance. The first item
    /// begins at token `from` and has been read.
    fn two_points(&self, from: usize, wording: Wording) -> Option<Diagnostic> {
        let (option, _) = main_option(wording.keyword);
        let mut points = self.operands(self.item_tokens(from));
        if self.kind() == Some(TokenKind::Comma) {
            let rest = self.tokens.get(self.at..self.end)?;
            let given = rest.windows(2).any(|two| self.slice(two[0].span) == option && two[1].kind == TokenKind::Equal);
            points.truncate(1);
            points.extend(self.operands(self.item_tokens(self.at + 1)).into_iter().filter(|_| given));
        } else {
            self.peek()?;
        }
        let [(one, first), (other, last)] = &points[..] else { return None };
        let call = format!("distance({one}, {other})");
        Some(
            Diagnostic::error("missing-parentheses", "two points are no single value")
                .at(first.to(*last), "a joint, a coordinate or a distance stands here")
                .help(format!("for the distance of two points write `{call}`"))
                .suggest(first.to(*last), call),
        )
    }

    /// `spring s: x, k`.
    fn option_without_name(&mut self, wording: Wording) -> Reported {
        let (option, _) = main_option(wording.keyword);
        let here = self.here();
        let value = self.item_shown(0);
        if self.word(0).is_some_and(|word| wording.settings.contains(&word)) {
            return self.no_clause(wording);
        }
        let error = Diagnostic::error("missing-equals", format!("{} has options with names", wording.what))
            .at(here, format!("write `{option} = {value}`"))
            .suggest(Span { end: here.start, ..here }, format!("{option} = "));
        self.report(error)
    }

    /// `spring s: x`; `damper x: 2` is meant another way.
    fn element_without_options(&mut self, wording: Wording, name: Span, value: &Expr) -> Reported {
        let (keyword, (option, usual)) = (wording.keyword, main_option(wording.keyword));
        let (shown, on) = (shorten(self.slice(name)), shorten(self.slice(value.span)));
        let error = Diagnostic::error("missing-item", format!("{} needs an option such as `{option}`", wording.what));
        let number = matches!(value.kind, ExprKind::Number(_) | ExprKind::Quantity(..));
        if number || self.is_coordinate(&shown) && !self.is_coordinate(&on) {
            let whole = name.to(value.span);
            let error = error
                .at(whole, format!("`{shown}` is read as the name of the {keyword}, and `{on}` as what it acts on"))
                .suggest(whole, format!("{}: {shown}, {option} = {on}", wording.name));
            return self.report(error);
        }
        let error = error.at(self.gap(), format!("`{option}` is missing here"));
        self.report(error.help(format!("write `{keyword} {shown}: {on}, {option} = {usual}`")))
    }

    /// Whether `coord` declares what a text begins with: for messages that will be shown, where it need not be certain.
    fn is_coordinate(&self, text: &str) -> bool {
        if self.errors.len() >= MOST_ERRORS {
            return false;
        }
        let name = text.split(['[', '.']).next().unwrap_or(text);
        let mut declares = false;
        self.tokens.iter().any(|token| {
            if token.indent == Some(0) {
                declares = self.slice(token.span) == "coord";
            }
            declares && self.slice(token.span) == name
        })
    }
}

/// The option that an element cannot do without, and the usual letter for it.
fn main_option(keyword: &str) -> (&'static str, &'static str) {
    if keyword == "damper" { ("rate", "c") } else { ("stiffness", "k") }
}

impl ModelBuilder {
    /// `spring name: value, stiffness = …, rest = …`
    pub fn spring(self, name: &str, value: impl Into<Written>, settings: &[(&str, &str)]) -> Self {
        let value = self.begin("spring").give(Role::Name, name).put(": ").give(Role::Expression, value);
        value.settings(settings)
    }

    /// `damper name: value, rate = …`
    pub fn damper(self, name: &str, value: impl Into<Written>, settings: &[(&str, &str)]) -> Self {
        let value = self.begin("damper").give(Role::Name, name).put(": ").give(Role::Expression, value);
        value.settings(settings)
    }
}
