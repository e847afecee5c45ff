//! How to run: until when, what to record, how to integrate.

use super::Elaborator;
use crate::checked::{Drift, Method};
use crate::diagnostic::Diagnostic;
use crate::names::closest;
use crate::source::Span;
use crate::syntax::{Expr, ExprKind, RunItem, Setting, Statement, StatementKind};
use crate::units::Dimension;
use holonom_symbols::expr::{Depends, Id};

impl<'a> Elaborator<'a> {
    /// `run` and `assemble`; a part is run by the model that holds it.
    pub(super) fn run_statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Assemble if self.scope == 0 => self.model.assemble = Some(statement.span),
            StatementKind::Run(items) if self.scope == 0 => {
                self.model.run.span.get_or_insert(statement.span);
                items.iter().for_each(|item| self.run_item(item));
                let ends = |item: &RunItem| matches!(item, RunItem::Until(_));
                if !items.iter().any(ends) && self.model.run.until.is_none() {
                    let error = Diagnostic::error("run-without-until", "a run needs its end")
                        .at(statement.span, "until when?")
                        .help(format!(
                            "write `run until 10{}`, and other settings after a comma",
                            if self.checking { " s" } else { "" }
                        ));
                    self.report(error);
                }
            }
            _ => {}
        }
    }

    fn run_item(&mut self, item: &'a RunItem) {
        match item {
            RunItem::Until(value) => {
                let given = self.positive(value, Dimension::TIME, "the end of a run");
                self.model.run.until = self.once(given, self.model.run.until, "until", value.span);
            }
            RunItem::Every(value) => {
                let given = self.positive(value, Dimension::TIME, "the time between records");
                self.model.run.every = self.once(given, self.model.run.every, "every", value.span);
            }
            RunItem::At(list) => {
                let ExprKind::List(times) = &list.kind else {
                    let error = Diagnostic::error("list-expected", "`at` needs a list of times")
                        .at(list.span, "not a list")
                        .help("write `at [0, 1, 2]`");
                    return self.report(error);
                };
                for time in times {
                    let id = self.fixed(time, Dimension::TIME, "a time of record");
                    if let Some(id) = id {
                        if self.fixed_number(id) < 0.0 {
                            let error = Diagnostic::error("negative", "a run begins at time 0")
                                .at(time.span, format!("this is {}", self.fixed_number(id)));
                            self.report(error);
                        }
                        self.model.run.at.push(id);
                    }
                }
            }
            RunItem::Setting(setting) => self.run_setting(setting),
        }
    }

    fn run_setting(&mut self, setting: &'a Setting) {
        match setting.name.text.as_str() {
            "method" => {
                let words = [("explicit", Method::Explicit), ("stiff", Method::Stiff)];
                self.model.run.method = self.word(setting, &words).or(self.model.run.method);
            }
            "drift" => {
                let words = [("none", Drift::None), ("baumgarte", Drift::Baumgarte), ("projection", Drift::Projection)];
                self.model.run.drift = self.word(setting, &words).or(self.model.run.drift);
            }
            "rtol" => {
                let given = self.positive(&setting.value, Dimension::NUMBER, "a relative tolerance");
                self.model.run.rtol = self.once(given, self.model.run.rtol, "rtol", setting.span);
            }
            "atol" => {
                let given = self.positive(&setting.value, Dimension::NUMBER, "an absolute tolerance");
                self.model.run.atol = self.once(given, self.model.run.atol, "atol", setting.span);
            }
            other => {
                let names = ["method", "rtol", "atol", "drift", "until", "every", "at"];
                let error = Diagnostic::error("unknown-option", format!("`run` has no option `{other}`"));
                let error = match closest(other, names) {
                    Some(right) => error
                        .at(setting.name.span, format!("did you mean `{right}`?"))
                        .suggest(setting.name.span, right),
                    None => error.at(setting.name.span, "not known"),
                };
                self.report(error.help(
                    "the settings of `run` are `until`, `every`, `at`, `method =`, `rtol =`, `atol =`, `drift =`",
                ));
            }
        }
    }

    fn once(&mut self, given: Option<Id>, before: Option<Id>, name: &str, span: Span) -> Option<Id> {
        if before.is_some() {
            let error = Diagnostic::error("given-twice", format!("`{name}` is given twice")).at(span, "given again");
            self.report(error);
        }
        given.or(before)
    }

    /// The value of an option that is one of some words.
    pub(super) fn word<T: Copy>(&mut self, setting: &'a Setting, words: &[(&'static str, T)]) -> Option<T> {
        let name = match &setting.value.kind {
            ExprKind::Name(name) | ExprKind::Text(name) => name.as_str(),
            _ => self.sources.text(setting.value.span),
        };
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == name) {
            return Some(*value);
        }
        let all: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
        let error = Diagnostic::error("unknown-option", format!("`{}` is not a {}", name, setting.name.text));
        let error = match closest(name, words.iter().map(|(word, _)| *word)) {
            Some(right) => {
                error.at(setting.value.span, format!("did you mean `{right}`?")).suggest(setting.value.span, right)
            }
            None => error.at(setting.value.span, "not known"),
        };
        self.report(error.help(format!("choose one of {}", all.join(", "))));
        None
    }

    /// A number made of parameters.
    pub(super) fn fixed(&mut self, expression: &'a Expr, dimension: Dimension, what: &str) -> Option<Id> {
        let value = self.value(expression);
        let due = self.due(dimension);
        let id = self.scalar(expression, value, due, what)?;
        self.only(expression, &[id], Depends::NOTHING, what).then_some(id)
    }

    /// A number above 0 made of parameters.
    pub(super) fn positive(&mut self, expression: &'a Expr, dimension: Dimension, what: &str) -> Option<Id> {
        let id = self.fixed(expression, dimension, what)?;
        let number = self.fixed_number(id);
        if number > 0.0 && number.is_finite() || self.is_unspecified(id) {
            return Some(id);
        }
        let error = Diagnostic::error("negative", format!("{what} must be above 0"))
            .at(expression.span, format!("this is {number}"));
        self.report(error);
        None
    }
}
