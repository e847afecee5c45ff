//! Text → tokens.
//!
//! Line structure stays in the tokens: the first one of a line knows how far it is indented, and the parser makes
//! statements of that. A character that has no meaning is reported here with what to type instead; where the meaning
//! is plain, the token for it is produced all the same, so that one wrong character is one message.

use super::diagnostic::Diagnostic;
use super::source::{FileId, Span};
use super::statement::is_keyword;
use super::syntax::Comment;

mod paper;
mod token;

pub(crate) use token::name_text;
pub use token::{Token, TokenKind};

/// The longest text that is read, in bytes.
pub const LARGEST_FILE: usize = 4 << 20;
/// The largest number of tokens that is read.
pub const MOST_TOKENS: usize = 1_000_000;
/// The longest literal, in characters.
const LONGEST_NUMBER: usize = 200;
/// How far a tabulator reaches.
const TAB: u32 = 8;
/// Messages about single characters; more of them say nothing new.
const MOST_ERRORS: usize = 50;

/// Cuts `text` into tokens and comments.
pub fn tokens(file: FileId, text: &str) -> (Vec<Token>, Vec<Comment>, Vec<Diagnostic>) {
    tokens_from(file, text, 0)
}

/// The same for a text that begins at byte `offset` of `file`.
pub(crate) fn tokens_from(file: FileId, text: &str, offset: usize) -> (Vec<Token>, Vec<Comment>, Vec<Diagnostic>) {
    read(Lexer { file, text, offset, line_begins: true, ..Lexer::default() })
}

/// The same for a part of a statement: nothing in it begins a line, so that `title` is a name like any other.
pub(crate) fn tokens_within(file: FileId, text: &str, offset: usize) -> (Vec<Token>, Vec<Comment>, Vec<Diagnostic>) {
    read(Lexer { file, text, offset, ..Lexer::default() })
}

fn read(mut lexer: Lexer) -> (Vec<Token>, Vec<Comment>, Vec<Diagnostic>) {
    let Lexer { file, text, offset, .. } = lexer;
    if text.len() > LARGEST_FILE || offset > u32::MAX as usize - LARGEST_FILE {
        let span = Span::new(file, offset.min(u32::MAX as usize), offset.min(u32::MAX as usize));
        let error = Diagnostic::error("file-too-large", format!("the text has {} bytes", text.len()))
            .at(span, "")
            .note(format!("a model is at most {LARGEST_FILE} bytes long"))
            .help("describe what repeats by families such as `coord x[1..N]`, and put data into tables");
        lexer.errors.push(error);
    } else {
        lexer.run();
    }
    (lexer.tokens, lexer.comments, lexer.errors)
}

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Letters, digits, subscripts and accents; not superscripts and fractions, which are meant as arithmetic.
fn continues_name(c: char) -> bool {
    c.is_alphabetic()
        || c.is_ascii_digit()
        || c == '_'
        || ('\u{2080}'..='\u{2089}').contains(&c)
        || ('\u{300}'..='\u{36f}').contains(&c)
}

#[derive(Default)]
struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    offset: usize,
    at: usize,
    /// Columns of blanks at the beginning of this line.
    indent: u32,
    /// Whether nothing but blanks has been seen on this line.
    line_begins: bool,
    blank: bool,
    /// The line belongs to a `title` that began in this column.
    title: Option<u32>,
    /// The statement in column 1 is a `part`, so that statements may be indented.
    in_part: bool,
    tokens: Vec<Token>,
    comments: Vec<Comment>,
    errors: Vec<Diagnostic>,
}

impl<'a> Lexer<'a> {
    fn run(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        self.blank = true;
        while let Some(c) = self.peek() {
            if self.tokens.len() >= MOST_TOKENS {
                let error = Diagnostic::error(
                    "file-too-large",
                    format!("the text has more than {MOST_TOKENS} words and signs"),
                )
                .at(self.span(self.at, self.at), "read up to here")
                .help("describe what repeats by families such as `coord x[1..N]` and by `sum(i in 1..N, …)`");
                self.errors.push(error);
                return;
            }
            match c {
                '\n' | '\r' => {
                    self.at += 1;
                    self.line_begins = true;
                    self.blank = true;
                    self.indent = 0;
                }
                ' ' | '\t' | '\u{a0}' | '\u{2009}' | '\u{202f}' => self.blanks(c),
                '#' => self.comment(),
                _ if self.line_begins && self.words() => {}
                _ => self.token(c),
            }
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, self.offset + start, self.offset + end)
    }

    fn error(&mut self, error: Diagnostic) {
        if self.errors.len() < MOST_ERRORS {
            self.errors.push(error);
        }
    }

    fn blanks(&mut self, c: char) {
        self.blank = true;
        if self.line_begins {
            self.indent = if c == '\t' { (self.indent / TAB + 1) * TAB } else { self.indent.saturating_add(1) };
        }
        self.at += c.len_utf8();
    }

    fn line_end(&self) -> usize {
        self.rest().find(['\n', '\r']).map_or(self.text.len(), |length| self.at + length)
    }

    fn comment(&mut self) {
        let end = self.line_end();
        let text = self.text[self.at..end].trim_end();
        let span = self.span(self.at, self.at + text.len());
        self.comments.push(Comment { text: text.to_string(), span });
        self.at = end;
        self.blank = true;
    }

    /// The words of a title are no tokens. Says whether this line, or the rest of it, has been taken as words.
    fn words(&mut self) -> bool {
        let word: &str = &self.rest()[..self.rest().find(|c| !continues_name(c)).unwrap_or(self.rest().len())];
        if self.title.is_some_and(|column| self.indent > column) {
            let line = &self.text[self.at..self.line_end()];
            let slipped = is_keyword(word) && line.contains(['=', ':']);
            if !slipped {
                self.title_line();
                return true;
            }
        }
        self.title = None;
        if self.indent == 0 {
            self.in_part = word == "part";
        }
        if word == "title" && (self.indent == 0 || self.in_part) {
            self.title = Some(self.indent);
            self.push(TokenKind::Name, word.len());
            while let Some(c @ (' ' | '\t')) = self.peek() {
                self.blanks(c);
            }
            self.title_line();
            return true;
        }
        false
    }

    fn title_line(&mut self) {
        let line = &self.text[self.at..self.line_end()];
        let words = line[..line.find('#').unwrap_or(line.len())].trim_end();
        if !words.is_empty() {
            self.push(TokenKind::Words, words.len());
        }
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let span = self.span(self.at, self.at + length);
        let indent = self.line_begins.then_some(self.indent);
        self.tokens.push(Token { kind, span, blank_before: self.blank, indent });
        self.at += length;
        self.blank = false;
        self.line_begins = false;
    }

    fn token(&mut self, c: char) {
        let rest = self.rest();
        if begins_name(c) {
            return self.name();
        }
        let second = rest[c.len_utf8()..].chars().next();
        if c.is_ascii_digit() || c == '.' && second.is_some_and(|c| c.is_ascii_digit()) && !self.after_member() {
            return self.number();
        }
        if c == '"' {
            return self.quoted();
        }
        let foreign = match (c, second) {
            ('=', Some('<' | '>')) | ('<', Some('>')) | (':', Some('=')) => true,
            _ => !c.is_ascii() || "!&|{};`".contains(c),
        };
        if foreign && self.foreign() {
            return;
        }
        let (kind, length) = match (c, second) {
            ('.', Some('.')) => (TokenKind::DotDot, 2),
            ('=', Some('=')) => (TokenKind::EqualEqual, 2),
            ('/', Some('=')) => (TokenKind::NotEqual, 2),
            ('<', Some('=')) => (TokenKind::LessEqual, 2),
            ('>', Some('=')) => (TokenKind::GreaterEqual, 2),
            ('-', Some('>')) => (TokenKind::Arrow, 2),
            (',', _) => (TokenKind::Comma, 1),
            (':', _) => (TokenKind::Colon, 1),
            ('.', _) => (TokenKind::Dot, 1),
            ('=', _) => (TokenKind::Equal, 1),
            ('<', _) => (TokenKind::Less, 1),
            ('>', _) => (TokenKind::Greater, 1),
            ('~', _) => (TokenKind::Tilde, 1),
            ('+', _) => (TokenKind::Plus, 1),
            ('-', _) => (TokenKind::Minus, 1),
            ('*', _) => (TokenKind::Star, 1),
            ('/', _) => (TokenKind::Slash, 1),
            ('^', _) => (TokenKind::Caret, 1),
            ('\'', _) => (TokenKind::Prime, 1),
            ('%', _) => (TokenKind::Percent, 1),
            ('(', _) => (TokenKind::OpenParen, 1),
            (')', _) => (TokenKind::CloseParen, 1),
            ('[', _) => (TokenKind::OpenBracket, 1),
            (']', _) => (TokenKind::CloseBracket, 1),
            _ => return self.stray(c),
        };
        self.push(kind, length);
    }

    /// Whether a name, an index or a bracket ends right before this place.
    fn after_operand(&self) -> bool {
        let ends = |kind| matches!(kind, TokenKind::Name | TokenKind::CloseBracket | TokenKind::CloseParen);
        !self.blank && self.tokens.last().is_some_and(|token| ends(token.kind))
    }

    /// The same, or the number of a row: in `pin.1.2` no decimal `.2` stands after `1`.
    fn after_member(&self) -> bool {
        self.after_operand() || !self.blank && self.tokens.last().is_some_and(|token| token.kind == TokenKind::Number)
    }

    fn name(&mut self) {
        let rest = self.rest();
        let length = rest.find(|c| !continues_name(c)).unwrap_or(rest.len());
        let name = &rest[..length];
        if let Some(right) = paper::dotted(name) {
            let span = self.span(self.at, self.at + length);
            let error = Diagnostic::error("paper-sign", format!("`{name}` is a derivative as it is written on paper"))
                .at(span, format!("type `{right}`"))
                .note("dots over letters are typed as primes after the name")
                .suggest(span, right);
            self.error(error);
        }
        self.push(TokenKind::Name, length);
    }

    fn number(&mut self) {
        let bytes = self.rest().as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let member = self.tokens.last().is_some_and(|token| token.kind == TokenKind::Dot) && !self.blank;
        let mut length = digits(0);
        if !member {
            if bytes.get(length) == Some(&b'.') && bytes.get(length + 1) != Some(&b'.') {
                length += 1;
                length += digits(length);
            }
            if matches!(bytes.get(length), Some(b'e' | b'E')) {
                let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
                let more = digits(length + 1 + sign);
                if more > 0 {
                    length += 1 + sign + more;
                }
            }
        }
        self.check_number(length);
        self.push(TokenKind::Number, length);
    }

    /// Literals are kept exactly, so their length and size must stay sensible.
    fn check_number(&mut self, length: usize) {
        let text = &self.rest()[..length];
        let mantissa = text.split(['e', 'E']).next().unwrap_or(text);
        let value: f64 = text.parse().unwrap_or(f64::INFINITY);
        let vanishes = value == 0.0 && mantissa.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
        let wrong = if length > LONGEST_NUMBER {
            "has too many digits"
        } else if value.is_infinite() {
            "is too large"
        } else if vanishes {
            "is too small"
        } else {
            return;
        };
        let error = Diagnostic::error("number-range", format!("this number {wrong}"))
            .at(self.span(self.at, self.at + length), "")
            .help(format!("numbers lie between 1e-307 and 1e308 and have at most {LONGEST_NUMBER} characters"));
        self.error(error);
    }

    fn quoted(&mut self) {
        let after = &self.text[self.at + 1..self.line_end()];
        if self.after_operand() {
            let span = self.span(self.at, self.at + 1);
            let error = Diagnostic::error("paper-sign", "a quotation mark is not a second derivative")
                .at(span, "type `''`, two primes")
                .suggest(span, "''");
            self.error(error);
            self.push(TokenKind::Prime, 1);
            return;
        }
        match after.find('"') {
            Some(length) => self.push(TokenKind::Text, length + 2),
            None => {
                let length = 1 + after.find('#').unwrap_or(after.len());
                let length = self.rest()[..length].trim_end().len();
                let error = Diagnostic::error("unterminated-text", "this quoted text does not end")
                    .at(self.span(self.at, self.at + length), "no second `\"` on this line")
                    .help("close it with `\"`");
                self.error(error);
                self.push(TokenKind::Text, length);
            }
        }
    }

    /// Signs that other languages and paper use.
    fn foreign(&mut self) -> bool {
        if let Some((kind, length)) = paper::accepted(self.rest()) {
            self.push(kind, length);
            return true;
        }
        let Some(sign) = paper::foreign(self.rest()) else { return false };
        let (start, end) = (self.at, self.at + sign.text.len());
        let span = self.span(start, end);
        let message = format!("unexpected `{}`", sign.text);
        // One message for all places: a hundred semicolons are one habit.
        if let Some(said) = self.errors.iter_mut().find(|said| sign.typed.is_none() && said.message == message) {
            said.also_at(span);
        } else {
            let error = Diagnostic::error("paper-sign", message);
            self.error(match sign.typed {
                Some(typed) => error.at(span, sign.help).suggest(span, typed),
                None => error.at(span, sign.help),
            });
        }
        match sign.kind {
            Some(kind) => self.push(kind, end - start),
            None => self.at = end,
        }
        true
    }

    /// `|v|` for a magnitude, `\\dot{x}` and `\\theta` for what they print.
    fn on_paper(&mut self) -> bool {
        // Nobody writes more than this between two bars, and looking further at each of them would take long.
        const FARTHEST: usize = 200;
        let rest = self.rest();
        let end = (0..=rest.len().min(FARTHEST)).rev().find(|&end| rest.is_char_boundary(end)).unwrap_or(0);
        let line = rest[..end].lines().next().unwrap_or("");
        let Some(paper::Written { length, text, help }) = paper::written(line) else { return false };
        let span = self.span(self.at, self.at + length);
        let error = Diagnostic::error("paper-sign", format!("unexpected `{}`", &line[..1]));
        self.error(match text {
            Some(text) => error.at(span, format!("write `{text}`")).suggest(span, text),
            None => error.at(span, "written with a function here").help(help),
        });
        self.push(TokenKind::Stray, length);
        true
    }

    /// A run of characters that mean nothing, as one token and one message.
    fn stray(&mut self, first: char) {
        if matches!(first, '|' | '\\') && self.on_paper() {
            return;
        }
        let rest = self.rest();
        let known =
            |c: char| begins_name(c) || c.is_ascii_digit() || c.is_whitespace() || "\"#.=/<>-,:~+*^'%()[]".contains(c);
        let length =
            rest.char_indices().find(|&(_, c)| known(c)).map_or(rest.len(), |(at, _)| at).max(first.len_utf8());
        let shown = match first {
            c if c.is_control() || c.is_whitespace() => format!("the control character U+{:04X}", first as u32),
            c if c == char::REPLACEMENT_CHARACTER => "a character that is not valid UTF-8".to_string(),
            c => format!("`{c}`"),
        };
        let error = Diagnostic::error("stray-character", format!("{shown} has no meaning here"))
            .at(self.span(self.at, self.at + length), "not part of the language")
            .help("remove it, or begin a comment with `#`");
        self.error(error);
        self.push(TokenKind::Stray, length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        let (tokens, _, errors) = tokens(FileId(0), text);
        assert!(errors.is_empty(), "{text:?}: {errors:?}");
        tokens.into_iter().map(|token| token.kind).collect()
    }

    fn codes(text: &str) -> Vec<&'static str> {
        tokens(FileId(0), text).2.into_iter().map(|error| error.code).collect()
    }

    #[test]
    fn numbers_ranges_and_members_are_told_apart() {
        use TokenKind::{Dot, DotDot, Name, Number};
        assert_eq!(kinds("1..N"), [Number, DotDot, Name]);
        assert_eq!(kinds("1.5e-3 .5 5."), [Number, Number, Number]);
        assert_eq!(kinds("pin.1"), [Name, Dot, Number]);
        assert_eq!(kinds("hidden.1.2"), [Name, Dot, Number, Dot, Number]);
        assert_eq!(kinds("2e"), [Number, Name]);
        assert_eq!(kinds("1e5"), [Number]);
    }

    #[test]
    fn lines_keep_their_indentation() {
        let (tokens, comments, _) = tokens(FileId(0), "\u{feff}a # one\r\n  b\r\n\tc # two  \n\n#three");
        let indents: Vec<_> = tokens.iter().map(|token| token.indent).collect();
        assert_eq!(indents, [Some(0), Some(2), Some(8)]);
        let texts: Vec<_> = comments.iter().map(|comment| comment.text.as_str()).collect();
        assert_eq!(texts, ["# one", "# two", "#three"]);
    }

    #[test]
    fn titles_are_words() {
        use TokenKind::{Name, Words};
        assert_eq!(kinds("title It's 5\" of \u{1f600}; # really\n  and more\nx"), [Name, Words, Words, Name]);
        assert_eq!(kinds("part a\n  title x; y\n  z"), [Name, Name, Name, Words, Name]);
    }

    #[test]
    fn signs_from_paper_name_what_to_type() {
        for text in ["x²", "x′", "a·b", "a×b", "30°", "x != y", "a && b", "ẋ", "θ̇", "x\"", "a := 2", "½"] {
            assert_eq!(codes(text), ["paper-sign"], "{text}");
        }
        for text in ["a − b", "a ≤ b", "a ≥ b", "a ≠ b", "x₁ θ µ x̄"] {
            assert!(codes(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn hostile_characters_are_reported_once() {
        assert_eq!(codes("a \0\0\0 b"), ["stray-character"]);
        assert_eq!(codes("\"abc"), ["unterminated-text"]);
        assert_eq!(codes("1e999999999"), ["number-range"]);
        assert_eq!(codes("1e-999999999"), ["number-range"]);
        assert_eq!(codes(&"9".repeat(201)), ["number-range"]);
        assert_eq!(codes(&" ".repeat(LARGEST_FILE + 1)), ["file-too-large"]);
        assert_eq!(codes(&"x ".repeat(MOST_TOKENS + 1)), ["file-too-large"]);
        assert_eq!(codes(&"? ".repeat(1000)).len(), MOST_ERRORS);
    }
}
