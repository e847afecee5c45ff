//! What an event does: `stop`, `record`, `drop NAME`, `add NAME`, `set x' = …`, `impact NAME, restitution = r`.

use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::format::{print_expression, print_target};
use crate::names::closest;
use crate::parse::cursor::{Parsed, Parser};
use crate::parse::target::Form;
use crate::source::Span;
use crate::syntax::{Expr, StartItem, Target};
use crate::visit::{Visit, Visitor};

#[cfg(test)]
use crate::random::Author;

/// What an event does.
#[derive(Clone, Debug)]
pub enum Action {
    /// `stop`
    Stop(Span),
    /// `record`
    Record(Span),
    /// `drop NAME`
    Drop(Target),
    /// `add NAME`
    Add(Target),
    /// `set y' = -r*y'`
    Set(StartItem),
    /// `impact NAME, restitution = r`
    Impact {
        /// Which constraint.
        target: Target,
        /// `restitution = r`; 0 without it.
        restitution: Option<Expr>,
        /// All of it.
        span: Span,
    },
}

impl Visit for Action {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        match self {
            Self::Stop(span) | Self::Record(span) => span.visit(visitor),
            Self::Drop(target) | Self::Add(target) => target.visit(visitor),
            Self::Set(item) => item.visit(visitor),
            Self::Impact { target, restitution, span } => {
                target.visit(visitor);
                restitution.visit(visitor);
                span.visit(visitor);
            }
        }
    }
}

const ACTIONS: [&str; 6] = ["stop", "record", "drop", "add", "set", "impact"];

impl Parser<'_> {
    pub(super) fn action(&mut self) -> Parsed<Action> {
        let (word, start) = (self.word(0), self.here());
        if word.is_some_and(|word| ACTIONS.contains(&word)) {
            self.at += 1;
        }
        Ok(match word {
            Some("stop") => Action::Stop(start),
            Some("record") => Action::Record(start),
            Some("drop") => Action::Drop(self.target(Form::Named, "a constraint")?),
            Some("add") => Action::Add(self.target(Form::Named, "a constraint")?),
            Some("set") => Action::Set(self.start_item("what is set", false)?),
            Some("impact") => {
                let target = self.target(Form::Named, "a constraint")?;
                Action::Impact { target, restitution: None, span: self.since(start) }
            }
            _ => {
                let error = Diagnostic::error("unknown-action", format!("unknown action {}", self.found()))
                    .help("an event can `stop`, `record`, `drop NAME`, `add NAME`, `set x' = …`, `impact NAME, restitution = r`");
                let error = match word.and_then(|word| closest(word, ACTIONS)) {
                    Some(meant) => error.at(start, format!("did you mean `{meant}`?")).suggest(start, meant),
                    None => error.at(start, "expected an action"),
                };
                return Err(self.report(error));
            }
        })
    }
}

impl Pen<'_> {
    pub(super) fn action(&mut self, action: &Action) {
        match action {
            Action::Stop(span) => {
                self.at(*span);
                self.text("stop");
            }
            Action::Record(span) => {
                self.at(*span);
                self.text("record");
            }
            Action::Drop(target) => {
                self.at(target.span);
                self.text("drop ");
                self.target(target);
            }
            Action::Add(target) => {
                self.at(target.span);
                self.text("add ");
                self.target(target);
            }
            Action::Set(item) => {
                self.at(item.target.span);
                self.text("set ");
                self.start(item);
            }
            Action::Impact { target, restitution, .. } => {
                self.at(target.span);
                self.text("impact ");
                self.target(target);
                if let Some(restitution) = restitution {
                    self.comma();
                    self.restitution(restitution);
                }
            }
        }
    }
}

/// As JSON has it: the text.
pub(super) fn action_text(action: &Action) -> String {
    match action {
        Action::Stop(_) => "stop".to_string(),
        Action::Record(_) => "record".to_string(),
        Action::Drop(target) => format!("drop {}", print_target(target)),
        Action::Add(target) => format!("add {}", print_target(target)),
        Action::Set(item) => {
            let sign = if item.guess { "~" } else { "=" };
            format!("set {} {sign} {}", print_target(&item.target), print_expression(&item.value))
        }
        Action::Impact { target, restitution: None, .. } => format!("impact {}", print_target(target)),
        Action::Impact { target, restitution: Some(value), .. } => {
            format!("impact {}, restitution = {}", print_target(target), print_expression(value))
        }
    }
}

#[cfg(test)]
impl Author {
    pub(super) fn action(&mut self) -> Action {
        match self.below(6) {
            0 => Action::Stop(Span::default()),
            1 => Action::Record(Span::default()),
            2 => Action::Drop(self.named()),
            3 => Action::Add(self.named()),
            4 => Action::Set(self.start(false)),
            _ => {
                let (target, restitution) = (self.named(), self.maybe(|r| r.value(1)));
                Action::Impact { target, restitution, span: Span::default() }
            }
        }
    }
}
