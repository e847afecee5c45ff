//! Tokens → a document, with recovery: all errors of a file at once.
//!
//! A statement begins in column 1, so an error in one cannot hide those in the next; within a statement, reading continues
//! after the comma that ends the item. Where the lexer has reported characters, the parser's messages about that statement
//! are dropped.

use super::diagnostic::Diagnostic;
use super::lex::{Token, TokenKind, tokens, tokens_from, tokens_within};
use super::names::closest;
use super::source::{FileId, Span};
use super::statement::{self, KEYWORDS, is_keyword};
use super::syntax::{Document, Expr, Statement, StatementKind, Target, Unit};
use cursor::{MOST_ERRORS, Parsed, Parser, ends_operand, ends_quantity, looked};

pub(crate) mod cursor;
pub(crate) mod expression;
mod keyword;
mod mistake;
pub(crate) mod placement;
mod quantity;
mod setting;
pub(crate) mod target;

/// Reads a model. What could not be read is [`StatementKind::Broken`] and has been reported.
pub fn parse(file: FileId, text: &str) -> (Document, Vec<Diagnostic>) {
    let (tokens, comments, found) = tokens(file, text);
    let mut parser = Parser::new(file, text, 0, &tokens);
    let statements = parser.file(&found);
    (Document { statements, comments }, parser.finish(found))
}

/// Reads a single statement, such as `constraint rod: norm(p) = L`; indentation does not count.
pub fn parse_statement(file: FileId, text: &str) -> (Option<Statement>, Vec<Diagnostic>) {
    let (trimmed, offset) = (text.trim_start(), text.len() - text.trim_start().len());
    let (tokens, _, found) = tokens_from(file, trimmed, offset);
    let mut parser = Parser::new(file, trimmed, offset, &tokens);
    let mut statements = parser.file(&found);
    if let Some(second) = statements.get(1) {
        let error = Diagnostic::error("second-statement", "only one statement is read here");
        parser.report(error.at(second.span, "a second one"));
    }
    let first = if statements.is_empty() { None } else { Some(statements.remove(0)) };
    (first, parser.finish(found))
}

/// Reads an expression that begins at byte `offset` of `file`.
pub fn parse_expression(file: FileId, text: &str, offset: usize) -> (Option<Expr>, Vec<Diagnostic>) {
    parse_alone(file, text, offset, |parser| parser.expression())
}

/// Reads a name with its indices and primes that begins at byte `offset` of `file`: `x[i in 1..N]'`.
pub fn parse_target(file: FileId, text: &str, offset: usize) -> (Option<Target>, Vec<Diagnostic>) {
    parse_alone(file, text, offset, |parser| parser.target(target::Form::State, "something"))
}

/// Reads a unit that begins at byte `offset` of `file`: `kg*m^2`.
pub fn parse_unit(file: FileId, text: &str, offset: usize) -> (Option<Unit>, Vec<Diagnostic>) {
    parse_alone(file, text, offset, |parser| parser.unit())
}

fn parse_alone<T>(
    file: FileId,
    text: &str,
    offset: usize,
    read: impl FnOnce(&mut Parser) -> Parsed<T>,
) -> (Option<T>, Vec<Diagnostic>) {
    let (tokens, _, found) = tokens_within(file, text, offset);
    let mut parser = Parser::new(file, text, offset, &tokens);
    let result = read(&mut parser).and_then(|one| match parser.peek() {
        None => Ok(one),
        Some(_) => Err(parser.unexpected()),
    });
    if !found.is_empty() {
        parser.errors.clear();
    }
    (result.ok(), parser.finish(found))
}

impl Parser<'_> {
    /// The messages of both stages in the order of the text, with a closing word where there are too many.
    fn finish(self, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        found.extend(self.errors);
        found.sort_by_key(|error| error.labels.first().map(|label| label.span));
        let more = self.more + found.len().saturating_sub(MOST_ERRORS);
        found.truncate(MOST_ERRORS);
        if more > 0 {
            let last = found.last().and_then(|error| error.labels.first()).map(|label| label.span);
            let error = Diagnostic::error("too-many-errors", format!("there are {more} more errors"));
            found.push(error.at(last.unwrap_or_default(), "this is the last one shown").help("correct these first"));
        }
        found
    }

    /// All statements of a file. `found` are the errors of the lexer, in order.
    fn file(&mut self, found: &[Diagnostic]) -> Vec<Statement> {
        let mut margin = 0;
        if let Some((token, indent)) = self.peek().and_then(|token| Some((token, token.indent?)))
            && indent > 0
        {
            margin = self.tokens.iter().filter_map(|token| token.indent).min().unwrap_or(indent);
            let blanks = self.indentation(token);
            let error = Diagnostic::error("indented-start", "a statement begins in column 1")
                .at(token.span, format!("indented by {indent}"))
                .note("an indented line continues the statement above it, and there is none")
                .suggest(blanks, "");
            self.report(error);
        }
        // A statement with a sign that the lexer refused has its message.
        let stray = self.tokens.iter().filter(|token| token.kind == TokenKind::Stray).map(|token| token.span.start);
        let mut broken: Vec<u32> = found.iter().filter_map(|error| Some(error.labels.first()?.span.start)).collect();
        broken.extend(stray);
        broken.sort_unstable();
        let mut all = vec![];
        self.broken = broken;
        self.block(margin, &mut all);
        all
    }

    /// Statements that begin at `margin`, up to the end.
    pub(crate) fn block(&mut self, margin: u32, all: &mut Vec<Statement>) {
        let end = self.end;
        while self.at < end {
            let (start, before) = (self.at, all.len());
            self.end = self.statement_end(start, end, margin);
            if let Some(token) = self.peek().filter(|token| token.indent.is_some_and(|indent| indent < margin)) {
                self.ragged(token, margin);
            }
            let (errors, more) = (self.errors.len(), self.more);
            self.statement(all);
            let span = self.tokens[start].span.to(self.tokens[self.end - 1].span);
            let first = self.broken.partition_point(|&at| at < span.start);
            if self.broken.get(first).is_some_and(|&at| at < span.end) && !self.is_part(start) {
                self.errors.truncate(errors);
                self.more = more;
            }
            if all.len() == before {
                all.push(Statement { kind: StatementKind::Broken, keyword: self.tokens[start].span, span });
            }
            self.at = self.end;
            self.end = end;
            if let Some(token) = self.peek().filter(|token| token.indent.is_some_and(|indent| indent > margin)) {
                self.indented_keyword(token, margin);
            }
        }
    }

    fn is_part(&self, start: usize) -> bool {
        self.tokens.get(start).is_some_and(|token| self.slice(token.span) == "part")
    }

    /// Where the statement that begins at token `start` ends: at the next line at the margin, or at a keyword that
    /// is indented by accident and cannot continue anything.
    fn statement_end(&self, start: usize, end: usize, margin: u32) -> usize {
        let part = self.is_part(start);
        let draw = self.slice(self.tokens[start].span) == "draw";
        let mut depth = 0usize;
        for at in start + 1..end {
            looked(1);
            let token = self.tokens[at];
            match token.kind {
                TokenKind::OpenParen | TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseParen | TokenKind::CloseBracket => depth = depth.saturating_sub(1),
                _ => {}
            }
            let Some(indent) = token.indent else { continue };
            if indent <= margin {
                return at;
            }
            if part || depth > 0 || token.kind != TokenKind::Name || !is_keyword(self.slice(token.span)) {
                continue;
            }
            // `mass = 2 kg` is an option of a body.
            if self.tokens[..end].get(at + 1).is_some_and(|next| next.kind == TokenKind::Equal) {
                continue;
            }
            let previous = self.tokens[at - 1];
            let after_operand =
                ends_operand(previous.kind) && !ends_quantity(self.slice(previous.span)) && at > start + 1;
            let before_name = self.tokens[..end].get(at + 1).is_some_and(|next| {
                next.kind == TokenKind::Name && next.indent.is_none() && !ends_quantity(self.slice(next.span))
            });
            if before_name || after_operand && !draw {
                return at;
            }
        }
        end
    }

    /// A line of a part to the left of its first line.
    fn ragged(&mut self, token: Token, margin: u32) {
        let error = Diagnostic::error("ragged-margin", format!("statements begin in column {} here", margin + 1))
            .at(token.span, "this line begins further to the left")
            .note("the first line of a part sets the column of its statements; lines that are indented further continue a statement");
        self.report(self.moved(error, token, margin));
    }

    fn indented_keyword(&mut self, token: Token, margin: u32) {
        let keyword = self.slice(token.span);
        let place = if margin == 0 { "in column 1".to_string() } else { format!("in column {}", margin + 1) };
        let error = Diagnostic::error("indented-keyword", format!("a statement begins {place}"))
            .at(token.span, format!("`{keyword}` is indented and would continue the statement above"));
        self.report(self.moved(error, token, margin));
    }

    /// Suggests to begin the line of `token` at the margin, where that is a place somebody chose.
    fn moved(&self, error: Diagnostic, token: Token, margin: u32) -> Diagnostic {
        const FARTHEST: u32 = 80;
        if margin > FARTHEST {
            return error;
        }
        error.suggest(self.indentation(token), " ".repeat(margin as usize))
    }

    /// The blanks before the first token of a line.
    pub(crate) fn indentation(&self, token: Token) -> Span {
        let before = self.text.get(..token.span.start as usize - self.offset).unwrap_or("");
        let line = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        Span { start: (self.offset + line) as u32, end: token.span.start, ..token.span }
    }

    /// The statement from here to `self.end`.
    fn statement(&mut self, all: &mut Vec<Statement>) {
        let Some(token) = self.peek() else { return };
        let whole = token.span.to(self.tokens[self.end - 1].span);
        let word = self.word(0).unwrap_or("");
        let Some(read) = statement::reader(word) else { return self.unknown_statement(token, whole, all) };
        self.read_statement(token, whole, read, all);
    }

    fn read_statement(&mut self, keyword: Token, whole: Span, read: statement::Read, all: &mut Vec<Statement>) {
        self.at += 1;
        let errors = self.errors.len() + self.more;
        let Ok(kinds) = read(self) else { return };
        if self.peek().is_some() && self.errors.len() + self.more == errors {
            self.unexpected();
        }
        let several = kinds.len() > 1;
        for (span, kind) in kinds {
            let span = span.filter(|_| several).unwrap_or(whole);
            all.push(Statement { kind, keyword: keyword.span, span });
        }
    }

    /// A line that begins with no keyword: what may have been meant?
    fn unknown_statement(&mut self, token: Token, whole: Span, all: &mut Vec<Statement>) {
        let word = self.slice(token.span);
        let shown = cursor::shorten(word);
        let open = self.at > 0 && !ends_operand(self.tokens[self.at - 1].kind);
        if token.kind == TokenKind::Name && word == "import" {
            let error = Diagnostic::error("not-yet", format!("`{word}` is reserved"))
                .at(token.span, "not yet part of the language")
                .help("take another file as a part: `part arm = \"arm.holo\"`");
            self.report(error);
            return;
        }
        let error = if token.kind == TokenKind::Name {
            Diagnostic::error("unknown-statement", format!("`{shown}` begins no statement"))
        } else {
            Diagnostic::error("unknown-statement", "a statement begins with its keyword")
        };
        if open {
            let error = error
                .at(token.span, "in column 1 a statement begins")
                .help("indent the line if it continues the one above");
            self.report(error);
            return;
        }
        if let Some(element) = keyword::element(word).filter(|_| token.kind == TokenKind::Name) {
            let help = self.element_help(element, word, whole);
            self.report(error.at(token.span, "a word of other tools").help(help));
            return;
        }
        if let Some(help) = keyword::elsewhere(word).filter(|_| token.kind == TokenKind::Name) {
            self.report(error.at(token.span, "a word of other languages").help(help));
            return;
        }
        let meant = keyword::said(word).or_else(|| closest(word, KEYWORDS.iter().copied()));
        let Some(meant) = meant.filter(|_| token.kind == TokenKind::Name) else {
            let equation = self.separator() == Some(TokenKind::Equal);
            let error = error.at(token.span, "expected a keyword such as `param`, `coord`, `kinetic`, `constraint`");
            let error = if equation {
                let text = self.slice(whole);
                let text = if text.contains(['\n', '\r']) { "…".to_string() } else { cursor::shorten(text) };
                error.help(format!("for a number write `param {text}`, for an expression `let {text}`, for an equation to be obeyed `constraint c: {text}`"))
            } else {
                error.help("indent the line if it continues the one above, or begin it with `#` if it is a comment")
            };
            self.report(error);
            return;
        };
        let error = error.at(token.span, format!("did you mean `{meant}`?")).suggest(token.span, meant);
        self.report(error);
        let (errors, more) = (self.errors.len(), self.more);
        // The lines of a part are left out.
        if let Some(read) = statement::reader(meant).filter(|_| meant != "part") {
            let before = all.len();
            self.read_statement(token, whole, read, all);
            if self.errors.len() > errors || self.more > more {
                self.errors.truncate(errors);
                self.more = more;
                all.truncate(before);
            }
        }
    }

    /// What to write for `hinge a b` and `floor y >= 0`.
    fn element_help(&self, element: keyword::Element, word: &str, whole: Span) -> String {
        let rest = self.slice(whole).strip_prefix(word).unwrap_or("").trim_start_matches([':', ' ']);
        let rest = if rest.contains(['\n', '\r']) { "" } else { rest };
        match element {
            keyword::Element::Joint => {
                let ends = self.operands(self.tokens.get(self.at + 1..self.end).unwrap_or_default());
                let ends = match &ends[..] {
                    [(one, _), (other, _)] => format!("({one}, {other})"),
                    _ => "(ground, arm)".to_string(),
                };
                let call = if rest.starts_with('(') { cursor::shorten(rest) } else { ends };
                format!("it is a kind of joint: `joint j1: {word}{call}`")
            }
            keyword::Element::Contact => {
                let compared = rest.contains(">=") || rest.contains("<=");
                let rest = if compared { cursor::shorten(rest) } else { "y >= 0".to_string() };
                format!("it is a one-sided constraint: `constraint {word}: {rest}`")
            }
        }
    }
}

#[cfg(test)]
mod tests;
