//! What a text is cut into.

use crate::source::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// `theta`, `x₁`, `constraint`
    Name,
    /// `2`, `0.5`, `1e-9`
    Number,
    /// `"f.csv"`
    Text,
    /// The words of a `title`, on one line.
    Words,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `.`
    Dot,
    /// `..`
    DotDot,
    /// `=`
    Equal,
    /// `==`
    EqualEqual,
    /// `/=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `~`
    Tilde,
    /// `->`
    Arrow,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `^`
    Caret,
    /// `'`
    Prime,
    /// `%`
    Percent,
    /// `(`
    OpenParen,
    /// `)`
    CloseParen,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// A character without a meaning, which has been reported.
    Stray,
}

/// A token, where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
    /// Whether a blank, a line end or nothing stands before it.
    pub blank_before: bool,
    /// For the first token of a line: how far the line is indented, in columns.
    pub indent: Option<u32>,
}

/// A name as it is compared: signs of Unicode that look alike and mean the same letter are one.
pub(crate) fn name_text(raw: &str) -> String {
    raw.chars()
        .map(|c| match c {
            '\u{b5}' => 'μ',
            '\u{2126}' => 'Ω',
            '\u{212b}' => 'Å',
            '\u{212a}' => 'K',
            other => other,
        })
        .collect()
}
