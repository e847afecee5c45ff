//! The place the parser has reached: looking at tokens, taking them, and saying what is wrong with them.

use crate::diagnostic::Diagnostic;
use crate::lex::{Token, TokenKind, name_text};
use crate::source::{FileId, Span};
use crate::syntax::Ident;

/// How deep brackets, signs and powers may be nested.
pub const DEEPEST: usize = 128;

/// Messages that are reported before the rest is left for later.
pub const MOST_ERRORS: usize = 50;

/// An error has been reported; what follows up to the next comma or statement is skipped.
pub(crate) struct Reported;

pub(crate) type Parsed<T> = Result<T, Reported>;

/// Words that end a quantity, so that `2 kg at (x, y)` is read as it is meant.
const ENDING: [&str; 21] = [
    "at", "in", "until", "every", "where", "and", "or", "not", "within", "rises", "falls", "crosses", "with", "if",
    "on", "off", "catches", "lets", "of", "to", "by",
];

pub(crate) fn ends_quantity(word: &str) -> bool {
    ENDING.contains(&word)
}

pub(crate) struct Parser<'a> {
    pub(crate) file: FileId,
    pub(crate) text: &'a str,
    /// Where `text` begins in the file.
    pub(crate) offset: usize,
    pub(crate) tokens: &'a [Token],
    /// The next token.
    pub(crate) at: usize,
    /// The end of the statement.
    pub(crate) end: usize,
    pub(crate) depth: usize,
    /// In `draw`, arguments are separated by blanks, so brackets belong to a name only without one.
    pub(crate) tight: bool,
    /// Where the lexer found mistakes, in order.
    pub(crate) broken: Vec<u32>,
    pub(crate) errors: Vec<Diagnostic>,
    /// Errors beyond those that are kept.
    pub(crate) more: usize,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(file: FileId, text: &'a str, offset: usize, tokens: &'a [Token]) -> Self {
        let end = tokens.len();
        Self { file, text, offset, tokens, at: 0, end, depth: 0, tight: false, broken: vec![], errors: vec![], more: 0 }
    }

    /// Puts an error on record.
    pub(crate) fn report(&mut self, error: Diagnostic) -> Reported {
        if self.errors.len() < MOST_ERRORS {
            self.errors.push(error);
        } else {
            self.more += 1;
        }
        Reported
    }

    pub(crate) fn peek(&self) -> Option<Token> {
        self.ahead(0)
    }

    /// The token `count` places on, within the statement.
    pub(crate) fn ahead(&self, count: usize) -> Option<Token> {
        looked(1);
        let at = self.at.checked_add(count)?;
        if at < self.end { self.tokens.get(at).copied() } else { None }
    }

    pub(crate) fn kind(&self) -> Option<TokenKind> {
        self.peek().map(|token| token.kind)
    }

    pub(crate) fn kind_ahead(&self, count: usize) -> Option<TokenKind> {
        self.ahead(count).map(|token| token.kind)
    }

    pub(crate) fn next(&mut self) -> Option<Token> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    /// Takes the next token if it is of this kind.
    pub(crate) fn eat(&mut self, kind: TokenKind) -> Option<Token> {
        self.peek().filter(|token| token.kind == kind).inspect(|_| self.at += 1)
    }

    /// Takes the next token if it is this word.
    pub(crate) fn eat_word(&mut self, word: &str) -> Option<Token> {
        self.peek().filter(|_| self.is_word(0, word)).inspect(|_| self.at += 1)
    }

    /// Whether the token `count` places on is this word.
    pub(crate) fn is_word(&self, count: usize, word: &str) -> bool {
        self.word(count) == Some(word)
    }

    /// The name `count` places on, if one stands there.
    pub(crate) fn word(&self, count: usize) -> Option<&'a str> {
        self.ahead(count).filter(|token| token.kind == TokenKind::Name).map(|token| self.slice(token.span))
    }

    /// The characters of a span.
    pub(crate) fn slice(&self, span: Span) -> &'a str {
        let (start, end) =
            ((span.start as usize).wrapping_sub(self.offset), (span.end as usize).wrapping_sub(self.offset));
        self.text.get(start..end).unwrap_or("")
    }

    pub(crate) fn ident(&self, token: Token) -> Ident {
        Ident { text: name_text(self.slice(token.span)), span: token.span }
    }

    /// The last token that has been taken.
    pub(crate) fn last(&self) -> Option<Token> {
        self.tokens.get(self.at.checked_sub(1)?).copied()
    }

    /// Where the last token ends: nothing wide, for what is missing there.
    pub(crate) fn gap(&self) -> Span {
        let end = self.last().map_or(self.offset as u32, |token| token.span.end);
        Span { file: self.file, start: end, end }
    }

    /// The place of the next token, or the end of the last.
    pub(crate) fn here(&self) -> Span {
        self.peek().map_or(self.gap(), |token| token.span)
    }

    /// From `start` to the last token that has been taken.
    pub(crate) fn since(&self, start: Span) -> Span {
        let end = self.last().map_or(start.end, |token| token.span.end);
        Span { file: self.file, start: start.start, end: end.max(start.start) }
    }

    /// What stands at the next place, for messages.
    pub(crate) fn found(&self) -> String {
        match self.peek() {
            None => "the end of the statement".to_string(),
            Some(token) => format!("`{}`", shorten(self.slice(token.span))),
        }
    }

    /// Takes a token of this kind or reports that it is missing.
    pub(crate) fn expect(&mut self, kind: TokenKind, code: &'static str, sign: &str, help: &str) -> Parsed<Token> {
        if let Some(token) = self.eat(kind) {
            return Ok(token);
        }
        let error = Diagnostic::error(code, format!("expected `{sign}`, found {}", self.found()));
        let error = error.at(self.here(), format!("`{sign}` is missing here")).help(help);
        Err(self.report(error))
    }

    /// Goes one level deeper, if the limit allows.
    pub(crate) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    pub(crate) fn too_deep(&mut self) -> Reported {
        let error = Diagnostic::error("too-deep", "this is nested too deeply")
            .at(self.here(), format!("more than {DEEPEST} brackets, signs, powers, dots or parts inside each other"))
            .help("name inner parts with `let`");
        self.report(error)
    }

    /// The first of `:`, `=`, `~`, `,` and `->` ahead that stands outside brackets.
    pub(crate) fn separator(&self) -> Option<TokenKind> {
        let mut depth = 0usize;
        for token in self.tokens.get(self.at..self.end).unwrap_or_default() {
            looked(1);
            match token.kind {
                TokenKind::OpenParen | TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseParen | TokenKind::CloseBracket => depth = depth.saturating_sub(1),
                kind @ (TokenKind::Colon
                | TokenKind::Equal
                | TokenKind::Tilde
                | TokenKind::Comma
                | TokenKind::Arrow)
                    if depth == 0 =>
                {
                    return Some(kind);
                }
                _ => {}
            }
        }
        None
    }

    /// After an error in an item that began at token `start`: goes on to the comma that ends it.
    pub(crate) fn skip_item(&mut self, start: usize) {
        let mut depth = 0usize;
        for at in start..self.end {
            looked(1);
            match self.tokens[at].kind {
                TokenKind::OpenParen | TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseParen | TokenKind::CloseBracket => depth = depth.saturating_sub(1),
                TokenKind::Comma if depth == 0 && at >= self.at => {
                    self.at = at;
                    return;
                }
                _ => {}
            }
        }
        self.at = self.end;
    }

    /// Items separated by commas; those with errors are left out.
    pub(crate) fn items<T>(&mut self, what: &str, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Vec<T> {
        let mut all = Vec::new();
        loop {
            let start = self.at;
            if self.peek().is_none() || self.kind() == Some(TokenKind::Comma) {
                let after = if all.is_empty() { "" } else { " after `,`" };
                let error =
                    Diagnostic::error("missing-item", format!("expected {what}{after}, found {}", self.found()));
                self.report(error.at(self.here(), format!("{what} is missing here")));
            } else {
                match item(self).and_then(|one| self.item_ends().map(|()| one)) {
                    Ok(one) => all.push(one),
                    Err(Reported) => self.skip_item(start),
                }
            }
            if self.eat(TokenKind::Comma).is_none() {
                return all;
            }
        }
    }

    /// Items of a statement, at least one of them without errors.
    pub(crate) fn some_items<T>(&mut self, what: &str, item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let all = self.items(what, item);
        if all.is_empty() { Err(Reported) } else { Ok(all) }
    }

    /// The tokens from `from` to the comma that ends the item.
    pub(crate) fn item_tokens(&self, from: usize) -> &[Token] {
        let rest = self.tokens.get(from..self.end).unwrap_or_default();
        let mut depth = 0usize;
        let end = rest.iter().position(|token| {
            match token.kind {
                TokenKind::OpenParen | TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseParen | TokenKind::CloseBracket => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && token.kind == TokenKind::Comma
        });
        &rest[..end.unwrap_or(rest.len())]
    }

    /// Names with blanks between them, each with its indices, components and arguments, and where it stands. None where
    /// something else stands.
    pub(crate) fn operands(&self, tokens: &[Token]) -> Vec<(String, Span)> {
        let mut names: Vec<Span> = vec![];
        let mut depth = 0;
        for token in tokens {
            match token.kind {
                TokenKind::OpenBracket | TokenKind::OpenParen => depth += 1,
                TokenKind::CloseBracket | TokenKind::CloseParen => depth -= 1,
                TokenKind::Name | TokenKind::Dot | TokenKind::Number => {}
                _ if depth == 0 => return vec![],
                _ => {}
            }
            match names.last_mut().filter(|_| depth > 0 || !token.blank_before) {
                Some(last) => *last = last.to(token.span),
                None => names.push(token.span),
            }
        }
        names.into_iter().map(|span| (self.slice(span).to_string(), span)).collect()
    }

    /// An item ends at a comma or with its statement.
    pub(crate) fn item_ends(&mut self) -> Parsed<()> {
        match self.kind() {
            None | Some(TokenKind::Comma) => Ok(()),
            Some(_) => Err(self.unexpected()),
        }
    }
}

/// Whether something that has a value can end with this token.
pub(crate) fn ends_operand(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Name
            | TokenKind::Number
            | TokenKind::Text
            | TokenKind::Words
            | TokenKind::Prime
            | TokenKind::Percent
            | TokenKind::CloseParen
            | TokenKind::CloseBracket
            | TokenKind::Stray
    )
}

/// Whether something that has a value can begin with this token, or a comma before it.
pub(crate) fn begins_argument(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Comma
            | TokenKind::Name
            | TokenKind::Number
            | TokenKind::Text
            | TokenKind::OpenParen
            | TokenKind::OpenBracket
    )
}

/// Says that so many tokens are looked at.
pub(crate) fn looked(tokens: usize) {
    #[cfg(test)]
    looks::add(tokens);
    let _ = tokens;
}

/// A text for a message, cut where it is long.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.chars().count() <= LONGEST {
        return text.to_string();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// Tests count the tokens that the parser looks at, those it looks at again included.
#[cfg(test)]
pub(crate) mod looks {
    use std::cell::Cell;

    thread_local! {
        static COUNT: Cell<usize> = const { Cell::new(0) };
    }

    pub fn add(tokens: usize) {
        COUNT.set(COUNT.get() + tokens);
    }

    /// How many tokens this thread has looked at since it last asked.
    pub fn take() -> usize {
        COUNT.replace(0)
    }
}
