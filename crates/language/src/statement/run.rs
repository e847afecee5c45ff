//! `run until 10 s, every 0.5 s, method = stiff`: how long to run, and how.

use super::notation::{Found, Notation};
use crate::builder::ModelBuilder;
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::object::{expr, members, object};
use crate::json::reader::Reader;
use crate::json::value::Value;
use crate::lex::TokenKind;
use crate::names::closest;
use crate::parse::cursor::{Parsed, Parser};
use crate::source::Span;
use crate::syntax::{Expr, Setting};
use crate::visit::visit_variants;

#[cfg(test)]
use crate::random::Author;

/// One item of `run`.
#[derive(Clone, Debug)]
pub enum RunItem {
    /// `until 10 s`
    Until(Expr),
    /// `every 0.5 s`
    Every(Expr),
    /// `at [0, 1, 2]`
    At(Expr),
    /// `method = stiff`
    Setting(Setting),
}

visit_variants! {
    RunItem { Until(value) Every(value) At(value) Setting(setting) }
}

/// What people write for `every`.
const STEPS: [&str; 8] = ["step", "steps", "dt", "timestep", "stepsize", "interval", "by", "every"];

pub(super) struct Run;

impl Notation for Run {
    type Content = Vec<RunItem>;

    fn read(&self, p: &mut Parser) -> Parsed<Found<Vec<RunItem>>> {
        let all = p.some_items("`until`, `every`, `at` or a setting", |p| {
            if p.kind_ahead(1) == Some(TokenKind::Equal) && p.word(0).is_some() {
                return Ok(RunItem::Setting(p.setting()?));
            }
            let (word, span) = (p.word(0), p.here());
            let item: fn(Expr) -> RunItem = match word {
                Some("until") => RunItem::Until,
                Some("every") => RunItem::Every,
                Some("at") => RunItem::At,
                _ => {
                    let meant = word.and_then(|word| closest(word, ["until", "every", "at"]));
                    let error = Diagnostic::error("unknown-run-item", format!("{} is not a setting of a run", p.found()))
                        .help("write `run until 10 s`, then perhaps `every 0.5 s`, `at [0, 1, 2]`, `method = stiff`, `rtol = 1e-10`");
                    let error = match meant {
                        Some(meant) => error.at(span, format!("did you mean `{meant}`?")).suggest(span, meant),
                        None => error.at(span, ""),
                    };
                    return Err(p.report(error));
                }
            };
            p.at += 1;
            if let Some(error) = p.step_without_comma() {
                return Err(p.report(error));
            }
            Ok(item(p.expression()?))
        })?;
        Ok(Found::One(all))
    }

    fn print(&self, items: &Vec<RunItem>, pen: &mut Pen) {
        pen.items(items, |pen, item| {
            let (word, value) = match item {
                RunItem::Until(value) => ("until", value),
                RunItem::Every(value) => ("every", value),
                RunItem::At(value) => ("at", value),
                RunItem::Setting(setting) => return pen.setting(setting),
            };
            pen.at(value.span);
            pen.text(word);
            pen.blank();
            pen.expression(value);
        });
    }

    fn to_json(&self, items: &Vec<RunItem>) -> String {
        members(items.iter().map(run_item).collect())
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        let mut comma = "";
        for part in reader.items(value) {
            for (key, value) in reader.members(part).unwrap_or_default() {
                let settings = if key.text == "settings" { reader.members(value).unwrap_or_default() } else { &[] };
                for (key, value) in settings {
                    reader.composer.put(std::mem::replace(&mut comma, ", "));
                    reader.setting(key, " = ", value);
                }
                if key.text != "settings" {
                    reader.composer.put(std::mem::replace(&mut comma, ", "));
                    let sign = if matches!(key.text.as_str(), "until" | "every" | "at") { " " } else { " = " };
                    reader.setting(key, sign, value);
                }
            }
        }
    }

    fn values<'c>(&self, items: &'c Vec<RunItem>) -> Vec<&'c Expr> {
        let value = |item: &'c RunItem| match item {
            RunItem::Until(value) | RunItem::Every(value) | RunItem::At(value) => value,
            RunItem::Setting(setting) => &setting.value,
        };
        items.iter().map(value).collect()
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> Vec<RunItem> {
        let mut items = vec![RunItem::Until(author.value(1))];
        items.extend(author.maybe(|author| RunItem::Every(author.value(1))));
        items.extend(author.maybe(|author| RunItem::At(author.list())));
        items.extend(author.settings().into_iter().map(RunItem::Setting));
        items
    }
}

impl Parser<'_> {
    /// `run until 10 s step 0.01`: how often to record is an item of its own.
    fn step_without_comma(&self) -> Option<Diagnostic> {
        let item = self.tokens.get(self.at..self.end)?;
        let item = &item[..item.iter().position(|token| token.kind == TokenKind::Comma).unwrap_or(item.len())];
        let at = item.iter().position(|token| STEPS.contains(&self.slice(token.span))).filter(|&at| at > 0)?;
        let (before, word) = (item[at - 1], item[at]);
        let sign = item.get(at + 1).filter(|next| next.kind == TokenKind::Equal).map_or(word, |next| *next);
        let value = item.iter().skip(at + 1).find(|next| next.kind == TokenKind::Number);
        // A number alone is meant in the unit of the end.
        let bare = value.filter(|value| item.last() == Some(value) && before.kind == TokenKind::Name);
        let (end, text) = match bare {
            Some(value) => (value.span, format!(", every {} {}", self.slice(value.span), self.slice(before.span))),
            None => (sign.span, ", every".to_string()),
        };
        let span = Span { start: before.span.end, end: end.end, ..word.span };
        Some(
            Diagnostic::error("unknown-run-item", format!("`{}` is not a setting of a run", self.slice(word.span)))
                .at(word.span, "steps are chosen by their error; `every` says how often to record")
                .suggest(span, text),
        )
    }
}

fn run_item(item: &RunItem) -> (&str, String) {
    match item {
        RunItem::Until(value) => ("until", expr(value)),
        RunItem::Every(value) => ("every", expr(value)),
        RunItem::At(value) => ("at", expr(value)),
        RunItem::Setting(Setting { name, value, .. }) => match name.text.as_str() {
            word @ ("until" | "every" | "at" | "settings") => ("settings", object().with(word, expr(value)).end()),
            name => (name, expr(value)),
        },
    }
}

impl ModelBuilder {
    /// `run until 3 s, every 0.01 s, method = stiff`: each item with its value, in that order.
    pub fn run(mut self, items: &[(&str, &str)]) -> Self {
        self = self.begin("run");
        for (which, (name, value)) in items.iter().enumerate() {
            if which > 0 {
                self = self.put(", ");
            }
            let sign = if matches!(*name, "until" | "every" | "at") { " " } else { " = " };
            self = self.give(Role::Word, *name).put(sign).give(Role::Expression, *value);
        }
        self
    }
}
