//! The language of models: what is printed here is read back as the same value.

use super::{Level, Piece, Printer, decimal};
use crate::expr::number::Number;

pub(super) fn number(_: &Printer, number: Number) -> String {
    decimal(number).unwrap_or_else(|| number.to_string())
}

pub(super) fn digits(_: &Printer, digits: &str) -> String {
    digits.to_string()
}

pub(super) fn pi(_: &Printer) -> String {
    "pi".to_string()
}

pub(super) fn symbol(_: &Printer, name: &str) -> String {
    name.to_string()
}

pub(super) fn minus(_: &Printer, text: &str) -> String {
    format!("-{text}")
}

pub(super) fn parentheses(_: &Printer, text: &str) -> String {
    format!("({text})")
}

pub(super) fn sum(_: &Printer, terms: &[(bool, String)]) -> String {
    signed(terms, "-")
}

/// Terms on one line with their signs between them.
pub(super) fn signed(terms: &[(bool, String)], minus: &str) -> String {
    let mut text = String::new();
    for (index, (negative, term)) in terms.iter().enumerate() {
        match (index, negative) {
            (0, true) => text += minus,
            (0, false) => {}
            (_, true) => {
                text.push(' ');
                text += minus;
                text.push(' ');
            }
            (_, false) => text += " + ",
        }
        text += term;
    }
    text
}

pub(super) fn times(_: &Printer, factors: &[String]) -> String {
    factors.join("*")
}

pub(super) fn fraction(_: &Printer, above: &str, below: &str) -> String {
    format!("{above}/{below}")
}

pub(super) fn power(printer: &Printer, base: &Piece, exponent: &Piece) -> String {
    let base = printer.at_least(Level::Atom, base);
    format!("{base}^{}", printer.at_least(Level::Atom, exponent))
}

pub(super) fn powered_call(_: &Printer, _: &str, _: &str, _: &Piece) -> Option<String> {
    None
}

pub(super) fn call(_: &Printer, name: &str, arguments: &[String]) -> String {
    format!("{name}({})", arguments.join(", "))
}

pub(super) fn apply(_: &Printer, name: &str, argument: &str) -> String {
    format!("{name}({argument})")
}

pub(super) fn root(printer: &Printer, argument: &Piece) -> String {
    format!("sqrt({})", printer.finished(argument))
}

pub(super) fn magnitude(_: &Printer, argument: &str) -> String {
    format!("abs({argument})")
}

pub(super) fn relation(_: &Printer, sign: &str, left: &str, right: &str) -> String {
    format!("{left} {sign} {right}")
}

pub(super) fn connective(_: &Printer, word: &str, left: &str, right: &str) -> String {
    if left.is_empty() { format!("{word} {right}") } else { format!("{left} {word} {right}") }
}
