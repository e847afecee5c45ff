//! One line with Greek letters, dots, superscripts and subscripts, as it would stand in a letter.

use super::name::Name;
use super::text::signed;
use super::{Level, Piece, Printer, decimal};
use crate::expr::number::Number;

pub(super) fn number(_: &Printer, number: Number) -> String {
    decimal(number).unwrap_or_else(|| number.to_string())
}

pub(super) fn digits(_: &Printer, digits: &str) -> String {
    digits.to_string()
}

pub(super) fn pi(_: &Printer) -> String {
    "π".to_string()
}

pub(super) fn symbol(_: &Printer, name: &str) -> String {
    let Name { parts, subscripts, primes } = Name::parse(name);
    let mut text = String::new();
    let last = parts.len().saturating_sub(1);
    for (index, (stem, subscript)) in parts.iter().enumerate() {
        if index > 0 {
            text.push('.');
        }
        text += &stem.unicode();
        if index == last {
            text += &dots(&text, primes);
        }
        if !subscript.is_empty() {
            text += &lowered(subscript);
        }
    }
    for subscript in subscripts {
        text += &lowered(&subscript);
    }
    // Letters that exist with their dots are one character.
    for (apart, joined) in
        [("x\u{307}", "ẋ"), ("x\u{308}", "ẍ"), ("y\u{307}", "ẏ"), ("y\u{308}", "ÿ"), ("z\u{307}", "ż")]
    {
        text = text.replace(apart, joined);
    }
    text
}

/// Dots for a single letter, primes for a word.
fn dots(text: &str, primes: usize) -> String {
    let letters = text.rsplit('.').next().map_or(0, |last| last.chars().count());
    match (letters, primes) {
        (_, 0) => String::new(),
        (1, 1) => "\u{307}".to_string(),
        (1, 2) => "\u{308}".to_string(),
        _ => "′".repeat(primes),
    }
}

/// A subscript in small letters where they exist, else after an underscore.
fn lowered(subscript: &str) -> String {
    let small: Option<String> = subscript
        .chars()
        .map(|c| {
            const PLAIN: &str = "0123456789+-aehijklmnoprstuvx";
            const SMALL: &str = "₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ";
            if c == ',' {
                return Some(',');
            }
            PLAIN.chars().position(|plain| plain == c).and_then(|place| SMALL.chars().nth(place))
        })
        .collect();
    small.unwrap_or_else(|| format!("_{subscript}"))
}

pub(super) fn minus(_: &Printer, text: &str) -> String {
    format!("−{text}")
}

pub(super) fn parentheses(_: &Printer, text: &str) -> String {
    format!("({text})")
}

pub(super) fn sum(_: &Printer, terms: &[(bool, String)]) -> String {
    signed(terms, "−")
}

pub(super) fn times(_: &Printer, factors: &[String]) -> String {
    factors.join("·")
}

pub(super) fn fraction(_: &Printer, above: &str, below: &str) -> String {
    format!("{above}/{below}")
}

/// An integer as a superscript.
fn raised(exponent: &str) -> Option<String> {
    exponent
        .chars()
        .map(|c| match c {
            '−' => Some('⁻'),
            _ => c.to_digit(10).and_then(|digit| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize)),
        })
        .collect()
}

pub(super) fn power(printer: &Printer, base: &Piece, exponent: &Piece) -> String {
    let base = printer.at_least(Level::Atom, base);
    match raised(&printer.finished(exponent)) {
        Some(exponent) => format!("{base}{exponent}"),
        None => format!("{base}^{}", printer.at_least(Level::Atom, exponent)),
    }
}

pub(super) fn powered_call(_: &Printer, name: &str, argument: &str, exponent: &Piece) -> Option<String> {
    Some(format!("{name}{}({argument})", raised(&exponent.text)?))
}

pub(super) fn call(_: &Printer, name: &str, arguments: &[String]) -> String {
    format!("{name}({})", arguments.join(", "))
}

pub(super) fn apply(printer: &Printer, name: &str, argument: &str) -> String {
    let primes = name.len() - name.trim_end_matches('\'').len();
    let stem = symbol(printer, name.trim_end_matches('\''));
    format!("{stem}{}({argument})", "′".repeat(primes))
}

pub(super) fn root(printer: &Printer, argument: &Piece) -> String {
    format!("√{}", printer.at_least(Level::Atom, argument))
}

pub(super) fn magnitude(_: &Printer, argument: &str) -> String {
    format!("|{argument}|")
}

pub(super) fn relation(_: &Printer, sign: &str, left: &str, right: &str) -> String {
    let sign = match sign {
        "<=" => "≤",
        "/=" => "≠",
        other => other,
    };
    format!("{left} {sign} {right}")
}

pub(super) fn connective(_: &Printer, word: &str, left: &str, right: &str) -> String {
    if left.is_empty() { format!("{word} {right}") } else { format!("{left} {word} {right}") }
}
