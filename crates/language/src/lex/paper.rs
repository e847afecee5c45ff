//! Signs as they stand on paper or in other languages, and what to type for them.

use super::TokenKind;

/// A sign that is understood but has to be typed another way.
pub(super) struct Sign {
    /// The sign.
    pub(super) text: &'static str,
    /// The token it stands for, so that reading can go on; nothing to skip it.
    pub(super) kind: Option<TokenKind>,
    /// What to type.
    pub(super) typed: Option<&'static str>,
    /// The same in words.
    pub(super) help: &'static str,
}

const fn sign(text: &'static str, kind: Option<TokenKind>, typed: Option<&'static str>, help: &'static str) -> Sign {
    Sign { text, kind, typed, help }
}

/// Signs that are simply read, since nothing else can be meant.
const ACCEPTED: [(&str, TokenKind); 7] = [
    ("−", TokenKind::Minus),
    ("–", TokenKind::Minus),
    ("≤", TokenKind::LessEqual),
    ("≥", TokenKind::GreaterEqual),
    ("≠", TokenKind::NotEqual),
    ("→", TokenKind::Arrow),
    ("∗", TokenKind::Star),
];

#[rustfmt::skip]
const FOREIGN: [Sign; 35] = [
    sign("′", Some(TokenKind::Prime), Some("'"), "type `'`"),
    sign("’", Some(TokenKind::Prime), Some("'"), "type `'`"),
    sign("‘", Some(TokenKind::Prime), Some("'"), "type `'`"),
    sign("´", Some(TokenKind::Prime), Some("'"), "type `'`"),
    sign("`", Some(TokenKind::Prime), Some("'"), "type `'`"),
    sign("″", Some(TokenKind::Prime), Some("''"), "type `''`, two primes"),
    sign("“", None, Some("\""), "type `\"`"),
    sign("”", None, Some("\""), "type `\"`"),
    sign("·", Some(TokenKind::Star), Some("*"), "type `*`, or `dot(u, v)` for vectors"),
    sign("⋅", Some(TokenKind::Star), Some("*"), "type `*`, or `dot(u, v)` for vectors"),
    sign("×", Some(TokenKind::Star), Some("*"), "type `*`, or `cross(u, v)` for vectors"),
    sign("÷", Some(TokenKind::Slash), Some("/"), "type `/`"),
    sign("°", None, Some(" deg"), "type ` deg`, as in `30 deg`"),
    sign("²", None, Some("^2"), "type `^2`"),
    sign("³", None, Some("^3"), "type `^3`"),
    sign("⁻¹", None, Some("^-1"), "type `^-1`"),
    sign("⁻²", None, Some("^-2"), "type `^-2`"),
    sign("½", None, Some("1/2"), "type `1/2`"),
    sign("¼", None, Some("1/4"), "type `1/4`"),
    sign("√", None, None, "type `sqrt(…)`"),
    sign("∞", None, None, "there is no infinity: remove the bound, or give a large number"),
    sign("±", None, None, "choose a sign: `+` or `-`"),
    sign("∑", None, None, "type `sum(i in 1..N, …)`"),
    sign("…", Some(TokenKind::DotDot), Some(".."), "type `..`"),
    sign("!=", Some(TokenKind::NotEqual), Some("/="), "type `/=`"),
    sign("<>", Some(TokenKind::NotEqual), Some("/="), "type `/=`"),
    sign("=<", Some(TokenKind::LessEqual), Some("<="), "type `<=`"),
    sign("=>", Some(TokenKind::Arrow), None, "type `>=` for a comparison, `->` for what an event does"),
    sign(":=", Some(TokenKind::Equal), Some("="), "type `=`"),
    sign("&&", Some(TokenKind::Stray), Some("and"), "type `and`"),
    sign("||", Some(TokenKind::Stray), Some("or"), "type `or`"),
    sign("!", Some(TokenKind::Stray), Some("not "), "type `not`"),
    sign("{", Some(TokenKind::Stray), None, "group with `(` and `)`, or begin a statement in column 1"),
    sign("}", Some(TokenKind::Stray), None, "group with `(` and `)`, or begin a statement in column 1"),
    sign(";", Some(TokenKind::Stray), None, "separate items by `,` and begin each statement on its own line"),
];

/// A sign at the beginning of `rest` that is read as it stands.
pub(super) fn accepted(rest: &str) -> Option<(TokenKind, usize)> {
    ACCEPTED.iter().find(|(text, _)| rest.starts_with(text)).map(|&(text, kind)| (kind, text.len()))
}

/// A sign at the beginning of `rest` that has to be typed another way.
pub(super) fn foreign(rest: &str) -> Option<&'static Sign> {
    FOREIGN.iter().find(|sign| rest.starts_with(sign.text))
}

/// What to type for a letter with one or two dots over it: `x'` for `ẋ`.
///
/// Dots of their own count everywhere; letters that some alphabets have with dots, only when they stand alone.
pub(super) fn dotted(name: &str) -> Option<String> {
    const LETTERS: [(&str, &str); 6] = [("ẋ", "x'"), ("ẍ", "x''"), ("ẏ", "y'"), ("ÿ", "y''"), ("ż", "z'"), ("ṙ", "r'")];
    if let Some((_, typed)) = LETTERS.iter().find(|(letter, _)| *letter == name) {
        return Some((*typed).to_string());
    }
    if !name.contains(['\u{307}', '\u{308}']) {
        return None;
    }
    let primes = name.chars().map(|c| usize::from(c == '\u{307}') + 2 * usize::from(c == '\u{308}')).sum();
    let bare: String = name.chars().filter(|c| !matches!(c, '\u{307}' | '\u{308}')).collect();
    Some(format!("{bare}{}", "'".repeat(primes)))
}

/// Something that is written for print.
pub(super) struct Written {
    /// How many bytes it has.
    pub(super) length: usize,
    /// What to type, where that is certain.
    pub(super) text: Option<String>,
    /// What to do otherwise.
    pub(super) help: String,
}

/// What stands at the beginning of `line` between bars or after a backslash.
pub(super) fn written(line: &str) -> Option<Written> {
    if let Some(rest) = line.strip_prefix('|') {
        let end = rest.find('|')?;
        let inside = rest[..end].trim();
        let help = format!("the magnitude of a vector is `norm({inside})`, of a number `abs({inside})`");
        return (!inside.is_empty()).then_some(Written { length: end + 2, text: None, help });
    }
    let rest = line.strip_prefix('\\')?;
    let word: String = rest.chars().take_while(char::is_ascii_alphabetic).collect();
    if word.is_empty() {
        return None;
    }
    let after = &rest[word.len()..];
    let inside = after.strip_prefix('{').and_then(|after| after.split_once('}')).map(|(inside, _)| inside);
    let plain = 1 + word.len();
    let (length, text) = match (word.as_str(), inside) {
        ("dot", Some(inside)) => (plain + inside.len() + 2, format!("{}'", inside.trim().trim_start_matches('\\'))),
        ("ddot", Some(inside)) => (plain + inside.len() + 2, format!("{}''", inside.trim().trim_start_matches('\\'))),
        ("sqrt", Some(inside)) => (plain + inside.len() + 2, format!("sqrt({inside})")),
        ("cdot" | "times", _) => (plain, "*".to_string()),
        _ => (plain, word),
    };
    Some(Written { length, text: Some(text), help: String::new() })
}
