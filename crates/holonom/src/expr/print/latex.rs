//! LaTeX for amsmath.

use super::name::{Name, Stem};
use super::text::signed;
use super::{Level, Piece, Printer, decimal};
use crate::expr::number::Number;

pub(super) fn number(_: &Printer, number: Number) -> String {
    let text = decimal(number).unwrap_or_else(|| number.to_string());
    match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{mantissa} \\cdot 10^{{{exponent}}}"),
        None => text,
    }
}

pub(super) fn digits(_: &Printer, digits: &str) -> String {
    digits.to_string()
}

pub(super) fn pi(_: &Printer) -> String {
    "\\pi".to_string()
}

pub(super) fn symbol(_: &Printer, name: &str) -> String {
    let Name { parts, subscripts, primes } = Name::parse(name);
    // `arm.x` is the x of arm: what stands before a dot becomes a subscript of what follows.
    let last = parts.len().saturating_sub(1);
    let mut below: Vec<String> = Vec::new();
    let mut letter = String::new();
    for (index, (stem, subscript)) in parts.iter().enumerate() {
        if index == last {
            letter = stem_text(stem);
            if !subscript.is_empty() {
                below.insert(0, word(subscript));
            }
        } else {
            let name = stem_text(stem);
            below.push(if subscript.is_empty() { name } else { format!("{name}{}", word(subscript)) });
        }
    }
    below.extend(subscripts.iter().map(|subscript| word(subscript)));
    let dotted = match primes {
        0 => letter,
        1 => format!("\\dot{{{letter}}}"),
        2 => format!("\\ddot{{{letter}}}"),
        _ => format!("{letter}^{{({primes})}}"),
    };
    if below.is_empty() { dotted } else { format!("{dotted}_{{{}}}", below.join(",")) }
}

fn stem_text(stem: &Stem) -> String {
    match stem {
        Stem::Greek(name, _) => format!("\\{name}"),
        Stem::Word(text) => word(text),
    }
}

/// A single letter or a number as it is, anything longer upright.
fn word(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_ascii_digit() || c == ',' || c == '+' || c == '-');
    if plain || text.chars().count() == 1 && text.chars().all(char::is_alphanumeric) {
        return text.to_string();
    }
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '_' | '%' | '&' | '#' | '$' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(c);
            }
            '\\' | '~' | '^' => escaped.push('-'),
            _ => escaped.push(c),
        }
    }
    format!("\\mathrm{{{escaped}}}")
}

pub(super) fn minus(_: &Printer, text: &str) -> String {
    format!("-{text}")
}

pub(super) fn parentheses(_: &Printer, text: &str) -> String {
    format!("\\left({text}\\right)")
}

pub(super) fn sum(_: &Printer, terms: &[(bool, String)]) -> String {
    signed(terms, "-")
}

/// A blank between factors, and a dot where digits would run together.
pub(super) fn times(_: &Printer, factors: &[String]) -> String {
    let mut text = String::new();
    for factor in factors {
        if !text.is_empty() {
            let digits = factor.starts_with(|c: char| c.is_ascii_digit());
            text += if digits { " \\cdot " } else { " " };
        }
        text += factor;
    }
    text
}

pub(super) fn fraction(_: &Printer, above: &str, below: &str) -> String {
    format!("\\frac{{{above}}}{{{below}}}")
}

pub(super) fn power(printer: &Printer, base: &Piece, exponent: &Piece) -> String {
    let text = printer.at_least(Level::Atom, base);
    // A number with a power of ten in it would take a second exponent.
    let text = if text.contains("\\cdot 10^") && base.level == Level::Atom { printer.parentheses(&text) } else { text };
    format!("{text}^{{{}}}", printer.finished(exponent))
}

pub(super) fn powered_call(_: &Printer, name: &str, argument: &str, exponent: &Piece) -> Option<String> {
    Some(format!("{}^{{{}}}\\left({argument}\\right)", operator(name), exponent.text))
}

/// What LaTeX calls a function.
fn operator(name: &str) -> String {
    match name {
        "sin" | "cos" | "tan" | "sinh" | "cosh" | "tanh" | "exp" | "log" | "min" | "max" => format!("\\{name}"),
        "asin" => "\\arcsin".to_string(),
        "acos" => "\\arccos".to_string(),
        "atan" => "\\arctan".to_string(),
        "sign" => "\\operatorname{sgn}".to_string(),
        _ => format!("\\operatorname{{{name}}}"),
    }
}

pub(super) fn call(_: &Printer, name: &str, arguments: &[String]) -> String {
    match (name, arguments) {
        ("if", [condition, a, b]) => {
            format!("\\begin{{cases}} {a} & \\text{{if }} {condition} \\\\ {b} & \\text{{otherwise}} \\end{{cases}}")
        }
        _ => format!("{}\\left({}\\right)", operator(name), arguments.join(", ")),
    }
}

pub(super) fn apply(printer: &Printer, name: &str, argument: &str) -> String {
    let stem = name.trim_end_matches('\'');
    let primes = name.len() - stem.len();
    let letter = symbol(printer, stem);
    let primes = if primes == 0 { String::new() } else { format!("^{{{}}}", "\\prime".repeat(primes)) };
    format!("{letter}{primes}\\left({argument}\\right)")
}

pub(super) fn root(printer: &Printer, argument: &Piece) -> String {
    format!("\\sqrt{{{}}}", printer.finished(argument))
}

pub(super) fn magnitude(_: &Printer, argument: &str) -> String {
    format!("\\left|{argument}\\right|")
}

pub(super) fn relation(_: &Printer, sign: &str, left: &str, right: &str) -> String {
    let sign = match sign {
        "<=" => "\\le",
        "/=" => "\\ne",
        other => other,
    };
    format!("{left} {sign} {right}")
}

pub(super) fn connective(_: &Printer, word: &str, left: &str, right: &str) -> String {
    let sign = match word {
        "and" => "\\land",
        "or" => "\\lor",
        _ => "\\lnot",
    };
    if left.is_empty() { format!("{sign} {right}") } else { format!("{left} {sign} {right}") }
}
