//! Statements about what is done with a model: start, free, run, output, event, expect, draw.

use super::cursor::{Parsed, Parser, Reported, begins_argument, shorten};
use super::expression::is_condition;
use super::target::Form;
use crate::diagnostic::Diagnostic;
use crate::lex::{Token, TokenKind};
use crate::names::closest;
use crate::source::Span;
use crate::syntax::{
    Action, Claim, CompareOp, Condition, Direction, DrawItem, EventItem, ExpectItem, Expr, ExprKind, OutputItem,
    RunItem, StartItem, StatementKind,
};

type Kinds = Vec<(StatementKind, Span)>;

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

/// What people write for `every`.
const STEPS: [&str; 8] = ["step", "steps", "dt", "timestep", "stepsize", "interval", "by", "every"];

const ACTIONS: [&str; 6] = ["stop", "record", "drop", "add", "set", "impact"];

impl Parser<'_> {
    pub(crate) fn start(&mut self, out: &mut Kinds) -> Parsed<()> {
        if let Some(error) = self.several_at_once() {
            return Err(self.report(error));
        }
        let all = self.some_items("a start value", |p| p.start_item("a coordinate", true))?;
        out.push((StatementKind::Start(all), self.gap()));
        Ok(())
    }

    pub(crate) fn free(&mut self, out: &mut Kinds) -> Parsed<()> {
        let alone = self.is_word(0, "zero") && self.kind_ahead(1).is_none();
        let all = if alone {
            self.at += 1;
            vec![]
        } else {
            self.some_items("an acceleration", |p| p.start_item("a coordinate", false))?
        };
        out.push((StatementKind::Free(all), self.gap()));
        Ok(())
    }

    /// `x, y = 1, 0`: as many names before the only `=` as values after it.
    fn several_at_once(&self) -> Option<Diagnostic> {
        let tokens = self.tokens.get(self.at..self.end)?;
        let equals = tokens.iter().position(|token| token.kind == TokenKind::Equal)?;
        let (names, values) = (&tokens[..equals], &tokens[equals + 1..]);
        let (names, values) = (self.pieces(names)?, self.pieces(values)?);
        let plain = |text: &&str| !text.contains(['=', '~', '(', ':']);
        if names.len() < 2 || names.len() != values.len() || !names.iter().chain(&values).all(plain) {
            return None;
        }
        let span = tokens.first()?.span.to(tokens.last()?.span);
        let pairs: Vec<String> = names.iter().zip(&values).map(|(name, value)| format!("{name} = {value}")).collect();
        Some(
            Diagnostic::error("missing-equals", "each coordinate has its own `=`")
                .at(span, "several names before one `=`")
                .suggest(span, pairs.join(", ")),
        )
    }

    /// The texts between commas outside brackets.
    fn pieces(&self, tokens: &[Token]) -> Option<Vec<&str>> {
        let (mut all, mut depth, mut from) = (vec![], 0usize, 0);
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::OpenParen | TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseParen | TokenKind::CloseBracket => depth = depth.saturating_sub(1),
                TokenKind::Comma if depth == 0 => {
                    all.push(self.slice(tokens.get(from)?.span.to(tokens[at.checked_sub(1)?].span)));
                    from = at + 1;
                }
                _ => {}
            }
        }
        all.push(self.slice(tokens.get(from)?.span.to(tokens.last()?.span)));
        Some(all)
    }

    /// `x' = 1`, or `x' ~ 1` where a guess makes sense.
    fn start_item(&mut self, what: &str, guesses: bool) -> Parsed<StartItem> {
        let start = self.here();
        let target = self.target(Form::State, what)?;
        let guess = match self.kind() {
            Some(TokenKind::Equal) => false,
            Some(TokenKind::Tilde) if guesses => true,
            _ => {
                let shown = shorten(self.slice(target.span));
                let error = Diagnostic::error(
                    "missing-equals",
                    format!("expected `=` after `{shown}`, found {}", self.found()),
                )
                .at(self.here(), format!("write `{shown} = …`"));
                let error = if guesses { error.help(format!("or `{shown} ~ …` for a guess")) } else { error };
                return Err(self.report(error));
            }
        };
        self.at += 1;
        let value = self.expression()?;
        self.no_second_equation("a value")?;
        Ok(StartItem { target, guess, value, span: self.since(start) })
    }

    pub(crate) fn assemble(&mut self, out: &mut Kinds) -> Parsed<()> {
        out.push((StatementKind::Assemble, self.gap()));
        Ok(())
    }

    pub(crate) fn run(&mut self, out: &mut Kinds) -> Parsed<()> {
        let all = self.some_items("`until`, `every`, `at` or a setting", |p| {
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
        out.push((StatementKind::Run(all), self.gap()));
        Ok(())
    }

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

    pub(crate) fn output(&mut self, out: &mut Kinds) -> Parsed<()> {
        let all = self.some_items("an output", |p| {
            let start = p.here();
            if p.separator() != Some(TokenKind::Colon) {
                let error = Diagnostic::error("missing-colon", "this output has no name")
                    .at(start, "write a name and a colon before the expression")
                    .help("write `output speed: norm(p')`; coordinates and their derivatives are recorded anyway");
                return Err(p.report(error));
            }
            let target = p.target(Form::Declared, "an output")?;
            p.expect(TokenKind::Colon, "missing-colon", ":", "write `output NAME: EXPR`")?;
            let value = p.expression()?;
            Ok(OutputItem { target, value, span: p.since(start) })
        })?;
        out.push((StatementKind::Output(all), self.gap()));
        Ok(())
    }

    pub(crate) fn event(&mut self, out: &mut Kinds) -> Parsed<()> {
        let start = self.here();
        if self.separator() != Some(TokenKind::Colon) {
            let error = Diagnostic::error("missing-colon", "this event has no name")
                .at(start, "write a name and a colon before the condition")
                .help("write `event hit: y < 0 -> stop`");
            return Err(self.report(error));
        }
        let target = if self.kind() == Some(TokenKind::Colon) {
            // The rest is read all the same: something else may be wrong with it.
            let gap = self.gap();
            let error = Diagnostic::error("missing-name", "this event has no name")
                .at(start, "write a name before the colon")
                .suggest(gap, " hit");
            self.report(error);
            None
        } else {
            Some(self.target(Form::Declared, "an event")?)
        };
        self.expect(TokenKind::Colon, "missing-colon", ":", "write `event hit: y < 0 -> stop`")?;
        let condition = self.event_condition()?;
        self.expect(TokenKind::Arrow, "missing-arrow", "->", "add an action: `-> stop`")?;
        let mut actions: Vec<Action> = vec![];
        self.items("an action", |p| {
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
        let item = EventItem { target, condition, actions, span: self.since(start) };
        out.push((StatementKind::Event(item), self.gap()));
        Ok(())
    }

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

    /// The first constraint that has a name, for messages.
    pub(crate) fn some_constraint(&self) -> Option<&str> {
        let mut pairs = self.tokens.windows(2);
        let named = pairs.find(|two| self.slice(two[0].span) == "constraint" && two[1].kind == TokenKind::Name)?;
        Some(self.slice(named[1].span))
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

    fn action(&mut self) -> Parsed<Action> {
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

    pub(crate) fn expect_claims(&mut self, out: &mut Kinds) -> Parsed<()> {
        let mut all: Vec<ExpectItem> = vec![];
        self.items("a claim", |p| {
            if let (true, Some(last)) = (p.is_word(0, "within"), all.last_mut()) {
                p.at += 1;
                last.within = Some(p.expression()?);
                last.span = last.span.to(p.gap());
                return Ok(());
            }
            let mut item = p.claim()?;
            // Items of a statement read as one: what holds at the start of it holds for those that follow.
            item.at_start |= all.last().is_some_and(|last| last.at_start);
            all.push(item);
            Ok(())
        });
        if all.is_empty() {
            return Err(Reported);
        }
        out.push((StatementKind::Expect(all), self.gap()));
        Ok(())
    }

    fn claim(&mut self) -> Parsed<ExpectItem> {
        let start = self.here();
        let mut target = None;
        if self.separator() == Some(TokenKind::Colon) {
            target = Some(self.target(Form::Declared, "a claim")?);
            self.expect(TokenKind::Colon, "missing-colon", ":", "write `expect NAME: E1 = E2`")?;
        }
        let at_start = self.is_word(0, "at") && self.is_word(1, "start");
        if at_start {
            self.at += 2;
        }
        let operand = |kind| matches!(kind, TokenKind::Name | TokenKind::Number | TokenKind::OpenParen);
        let claim = if self.is_word(0, "constant") && self.kind_ahead(1).is_some_and(operand) {
            self.at += 1;
            Claim::Constant(self.expression()?)
        } else {
            let left = self.expression()?;
            match self.eat(TokenKind::Equal) {
                Some(_) => {
                    let right = self.expression()?;
                    self.no_second_equation("a claim")?;
                    if let ExprKind::Name(word) = &right.kind
                        && matches!(word.as_str(), "constant" | "const" | "conserved")
                    {
                        return Err(self.claimed_constant(&left, left.span.to(right.span)));
                    }
                    Claim::Equal(left, right)
                }
                None => self.comparison_claim(left)?,
            }
        };
        let within = match self.eat_word("within") {
            Some(_) => Some(self.expression()?),
            None => None,
        };
        Ok(ExpectItem { target, at_start, claim, within, span: self.since(start) })
    }

    /// `expect energy = constant`.
    fn claimed_constant(&mut self, left: &Expr, span: Span) -> Reported {
        let text = shorten(self.slice(left.span));
        let call = matches!(text.as_str(), "energy" | "kinetic" | "potential");
        let claim = format!("constant {text}{}", if call { "()" } else { "" });
        let error = Diagnostic::error("missing-comparison", "what stays the same is claimed with `constant` before it")
            .at(span, format!("write `expect {claim}`"))
            .suggest(span, claim);
        self.report(error)
    }

    fn comparison_claim(&mut self, left: Expr) -> Parsed<Claim> {
        match left.kind {
            ExprKind::Compare(CompareOp::Equal, a, b) => {
                let sign = Span { start: a.span.end, end: b.span.start, ..left.span };
                let error = Diagnostic::error("double-equals", "an equation is written with one `=`")
                    .at(sign, "`==` compares integers in `where`")
                    .suggest(sign, " = ");
                self.report(error);
                Ok(Claim::Equal(*a, *b))
            }
            ref kind if is_condition(kind) => Ok(Claim::True(left)),
            _ if !matches!(self.kind(), None | Some(TokenKind::Comma)) && !self.is_word(0, "within") => {
                Err(self.unexpected())
            }
            _ => {
                let shown = shorten(self.slice(left.span));
                let error = Diagnostic::error("missing-comparison", "this claim has no comparison")
                    .at(left.span, "a value, not a claim")
                    .help(format!("write `expect {shown} = …`, `expect {shown} > 0` or `expect constant {shown}`"));
                Err(self.report(error))
            }
        }
    }

    pub(crate) fn draw(&mut self, out: &mut Kinds) -> Parsed<()> {
        let start = self.here();
        let (binders, condition) = match self.kind() {
            Some(TokenKind::OpenBracket) => self.binders()?,
            _ => (vec![], None),
        };
        let shape = self.name("what to draw, such as `point` or `line`")?;
        self.tight = true;
        let read = self.drawn();
        self.tight = false;
        let (arguments, options) = read?;
        let item = DrawItem { binders, condition, shape, arguments, options, span: self.since(start) };
        out.push((StatementKind::Draw(item), self.gap()));
        Ok(())
    }

    /// Arguments with blanks or commas between them, then options.
    fn drawn(&mut self) -> Parsed<(Vec<Expr>, Vec<crate::syntax::Setting>)> {
        let (mut arguments, mut options) = (vec![], vec![]);
        while self.peek().is_some() {
            if self.eat(TokenKind::Comma).is_some() && self.peek().is_none() {
                return Err(self.unexpected());
            }
            if self.kind_ahead(1) == Some(TokenKind::Equal) {
                options.push(self.setting()?);
                self.item_ends()?;
            } else {
                arguments.push(self.expression()?);
                if self.peek().is_some_and(|token| !begins_argument(token.kind)) {
                    return Err(self.unexpected());
                }
            }
        }
        Ok((arguments, options))
    }
}
