//! `event hit: y < 0 -> stop`: when something happens on the way, and what then.

use super::action::{Action, action_text};
use super::notation::{Found, Notation};
use crate::builder::ModelBuilder;
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::format::print_expression;
use crate::json::object::{list, object, target};
use crate::json::reader::Reader;
use crate::json::value::{Value, quote};
use crate::lex::TokenKind;
use crate::names::closest;
use crate::parse::cursor::{Parsed, Parser, Reported, shorten};
use crate::parse::expression::is_condition;
use crate::parse::target::Form;
use crate::source::Span;
use crate::syntax::{CompareOp, Direction, Expr, ExprKind, Target};
use crate::visit::{Visit, Visitor, visit_fields};

#[cfg(test)]
use crate::random::Author;

/// `hit: y < 0 -> stop, record`.
#[derive(Clone, Debug)]
pub struct EventItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// When.
    pub condition: Condition,
    /// What then.
    pub actions: Vec<Action>,
    /// All of it.
    pub span: Span,
}

/// When an event happens.
#[derive(Clone, Debug)]
pub enum Condition {
    /// A comparison, or several joined by `and`, `or`, `not`, becomes true.
    Becomes(Expr),
    /// `EXPR rises|falls|crosses`: the expression passes through zero.
    Passes(Expr, Direction),
    /// `NAME catches`, `NAME lets go`: a one-sided constraint begins or ceases to hold.
    Contact(Expr, Change),
}

/// How the contact of a one-sided constraint changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It begins to hold.
    Catches,
    /// It ceases to hold.
    LetsGo,
}

impl Change {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Catches => "catches",
            Self::LetsGo => "lets go",
        }
    }
}

visit_fields! {
    EventItem { target, condition, actions, span }
}

impl Visit for Condition {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        match self {
            Self::Becomes(value) | Self::Passes(value, _) | Self::Contact(value, _) => value.visit(visitor),
        }
    }
}

/// Words for what an event can wait for, and the right one.
const WAITED_FOR: [(&str, &[&str]); 5] = [
    (
        "catches",
        &["catch", "bounce", "hit", "touch", "strike", "land", "meet", "close", "contact", "collide", "impact"],
    ),
    ("lets go", &["let", "release", "leave", "open", "detach", "separate", "lift", "slacken", "loosen"]),
    ("rises", &["rise", "increase", "grow", "climb"]),
    ("falls", &["fall", "decrease", "drop", "sink"]),
    ("crosses", &["cross", "pass", "vanish", "change", "equal"]),
];

/// Breaks after `->`.
const ARROW: u32 = 1;

pub(super) struct Event;

impl Notation for Event {
    type Content = EventItem;

    fn read(&self, p: &mut Parser) -> Parsed<Found<EventItem>> {
        let start = p.here();
        if p.separator() != Some(TokenKind::Colon) {
            let error = Diagnostic::error("missing-colon", "this event has no name")
                .at(start, "write a name and a colon before the condition")
                .help("write `event hit: y < 0 -> stop`");
            return Err(p.report(error));
        }
        let target = if p.kind() == Some(TokenKind::Colon) {
            // The rest is read all the same: something else may be wrong with it.
            let gap = p.gap();
            let error = Diagnostic::error("missing-name", "this event has no name")
                .at(start, "write a name before the colon")
                .suggest(gap, " hit");
            p.report(error);
            None
        } else {
            Some(p.target(Form::Declared, "an event")?)
        };
        p.expect(TokenKind::Colon, "missing-colon", ":", "write `event hit: y < 0 -> stop`")?;
        let condition = p.event_condition()?;
        p.expect(TokenKind::Arrow, "missing-arrow", "->", "add an action: `-> stop`")?;
        let mut actions: Vec<Action> = vec![];
        p.items("an action", |p| {
            if p.is_word(0, "restitution")
                && let Some(Action::Impact { restitution, span, .. }) = actions.last_mut()
            {
                let setting = p.setting()?;
                *span = span.to(setting.span);
                *restitution = Some(setting.value);
                return Ok(());
            }
            let action = p.action()?;
            actions.push(action);
            Ok(())
        });
        let Some(target) = target.filter(|_| !actions.is_empty()) else { return Err(Reported) };
        let item = EventItem { target, condition, actions, span: p.since(start) };
        Ok(Found::One(item))
    }

    fn print(&self, item: &EventItem, pen: &mut Pen) {
        pen.pad_keyword();
        pen.target(&item.target);
        pen.colon();
        match &item.condition {
            Condition::Becomes(condition) => pen.expression(condition),
            Condition::Passes(value, direction) => {
                pen.expression(value);
                pen.text(match direction {
                    Direction::Rises => " rises",
                    Direction::Falls => " falls",
                    Direction::Crosses => " crosses",
                });
            }
            Condition::Contact(constraint, change) => {
                pen.expression(constraint);
                pen.blank();
                pen.text(change.text());
            }
        }
        pen.text(" ->");
        pen.blank();
        pen.may_break(ARROW);
        pen.commas(&item.actions, &mut Pen::action);
    }

    fn to_json(&self, item: &EventItem) -> String {
        let when = match &item.condition {
            Condition::Becomes(condition) => print_expression(condition),
            Condition::Passes(value, Direction::Rises) => format!("{} rises", print_expression(value)),
            Condition::Passes(value, Direction::Falls) => format!("{} falls", print_expression(value)),
            Condition::Passes(value, Direction::Crosses) => format!("{} crosses", print_expression(value)),
            Condition::Contact(name, change) => format!("{} {}", print_expression(name), change.text()),
        };
        let named = object().with("name", target(&item.target)).with("when", quote(&when));
        named.with("then", list(&item.actions, |then| quote(&action_text(then)))).end()
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        let all = ["name", "when", "then"];
        let Some(fields) = reader.fields(value, &all, &all) else { return };
        reader.given(&fields, "name", Role::Name);
        reader.composer.put(": ");
        reader.given(&fields, "when", Role::Condition);
        reader.composer.put(" -> ");
        if let Some(then) = fields.get("then") {
            reader.each(then, |reader, action| reader.give(Role::Action, action));
        }
    }

    fn values<'c>(&self, item: &'c EventItem) -> Vec<&'c Expr> {
        let (Condition::Becomes(condition) | Condition::Passes(condition, _) | Condition::Contact(condition, _)) =
            &item.condition;
        let set = |action: &'c Action| match action {
            Action::Set(set) => Some(&set.value),
            _ => None,
        };
        std::iter::once(condition).chain(item.actions.iter().filter_map(set)).collect()
    }

    fn families<'c>(&self, item: &'c EventItem) -> Vec<&'c Target> {
        vec![&item.target]
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> EventItem {
        let directions = [Direction::Rises, Direction::Falls, Direction::Crosses];
        let condition = match author.below(4) {
            0 => Condition::Becomes(author.condition(3)),
            1 => Condition::Contact(author.value(1), Change::Catches),
            2 => Condition::Contact(author.value(1), Change::LetsGo),
            _ => Condition::Passes(author.value(3), directions[author.below(3)]),
        };
        let actions = author.some(1, 3, Author::action);
        EventItem { target: author.declared(), condition, actions, span: Span::default() }
    }
}

impl Parser<'_> {
    fn event_condition(&mut self) -> Parsed<Condition> {
        let value = self.expression()?;
        let direction = match self.word(0) {
            Some("rises") => Some(Direction::Rises),
            Some("falls") => Some(Direction::Falls),
            Some("crosses") => Some(Direction::Crosses),
            _ => None,
        };
        if let Some(direction) = direction {
            self.at += 1;
            return Ok(Condition::Passes(value, direction));
        }
        if let Some(contact) = self.contact_change(&value)? {
            return Ok(contact);
        }
        if self.kind() == Some(TokenKind::Equal) {
            return Err(self.equality_of_reals(self.here(), value.span));
        }
        match &value.kind {
            ExprKind::Compare(CompareOp::Equal | CompareOp::NotEqual, left, right) => {
                let sign = Span { start: left.span.end, end: right.span.start, ..value.span };
                Err(self.equality_of_reals(sign, left.span))
            }
            kind if is_condition(kind) => Ok(Condition::Becomes(value)),
            _ if self.kind() == Some(TokenKind::Name) => Err(self.not_waited_for(value.span)),
            _ if self.kind() != Some(TokenKind::Arrow) => Err(self.unexpected()),
            _ => {
                let shown = shorten(self.slice(value.span));
                let error = Diagnostic::error("missing-comparison", "an event needs something that becomes true");
                let error = if self.is_constraint(&shown) {
                    error
                        .at(value.span, "a constraint, not a comparison")
                        .help(format!("write `{shown} catches` for contact that begins, `{shown} lets go` for its end"))
                } else {
                    error
                        .at(value.span, "a value, not a comparison")
                        .help(format!("write `{shown} < 0`, or `{shown} crosses` for its zeros"))
                };
                Err(self.report(error))
            }
        }
    }

    /// Whether a constraint of this name seems to be declared: for messages, where it need not be certain.
    fn is_constraint(&self, name: &str) -> bool {
        self.tokens
            .windows(2)
            .any(|two| matches!(self.slice(two[0].span), "constraint" | "stop") && self.slice(two[1].span) == name)
    }

    /// A word after the value of an event that is none of those an event can wait for: `floor bounces`.
    fn not_waited_for(&mut self, value: Span) -> Reported {
        let (shown, word, span) = (shorten(self.slice(value)), self.slice(self.here()).to_string(), self.here());
        let word = word.as_str();
        let stems = [Some(word), word.strip_suffix('s'), word.strip_suffix("es")];
        let known = WAITED_FOR.iter().find(|(_, others)| stems.iter().flatten().any(|stem| others.contains(stem)));
        let right = known.map(|(right, _)| *right).or_else(|| closest(word, WAITED_FOR.map(|(right, _)| right)));
        let error =
            Diagnostic::error("unexpected-word", format!("an event cannot wait for `{shown} {}`", shorten(word)));
        let error = match right {
            Some(right) => error.at(span, format!("did you mean `{right}`?")).suggest(span, right),
            None => error.at(span, "unknown word"),
        };
        self.report(error.help("an event waits for a comparison, `y < 0`, for zeros, `y crosses`, `y rises`, `y falls`, or for a one-sided constraint, `floor catches`, `floor lets go`"))
    }

    fn equality_of_reals(&mut self, sign: Span, left: Span) -> Reported {
        let shown = shorten(self.slice(left));
        let error = Diagnostic::error("equality-of-reals", "two real numbers are hardly ever exactly equal")
            .at(sign, "not a condition that can be met")
            .help(format!("write `{shown} - … crosses`, `rises` or `falls`, or a comparison such as `{shown} < …`"));
        self.report(error)
    }

    /// `catches` or `lets go` after the name of a one-sided constraint.
    fn contact_change(&mut self, name: &Expr) -> Parsed<Option<Condition>> {
        let change = match self.word(0) {
            Some("catches") => Change::Catches,
            Some("lets") => Change::LetsGo,
            _ => return Ok(None),
        };
        self.at += 1;
        if change == Change::LetsGo && self.eat_word("go").is_none() {
            let shown = shorten(self.slice(name.span));
            let error =
                Diagnostic::error("unexpected-word", format!("expected `go` after `lets`, found {}", self.found()))
                    .at(self.here(), "`go` is missing here")
                    .help(format!("write `{shown} lets go`"));
            return Err(self.report(error));
        }
        Ok(Some(Condition::Contact(name.clone(), change)))
    }
}

impl ModelBuilder {
    /// `event name: condition -> actions`
    pub fn event(mut self, name: &str, condition: &str, actions: &[&str]) -> Self {
        self = self.begin("event").give(Role::Name, name).put(": ").give(Role::Condition, condition).put(" -> ");
        for (which, action) in actions.iter().enumerate() {
            if which > 0 {
                self = self.put(", ");
            }
            self = self.give(Role::Action, *action);
        }
        self
    }
}
