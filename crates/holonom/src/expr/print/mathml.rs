//! Presentation MathML. Every piece is one element, so that it can stand wherever an element may.

use super::name::Name;
use super::{Level, Piece, Printer, decimal};
use crate::expr::number::Number;

/// Text that may stand between tags.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn row(inside: &str) -> String {
    format!("<mrow>{inside}</mrow>")
}

fn identifier(text: &str) -> String {
    format!("<mi>{}</mi>", escaped(text))
}

pub(super) fn number(_: &Printer, number: Number) -> String {
    let text = decimal(number).unwrap_or_else(|| number.to_string());
    match text.split_once('e') {
        Some((mantissa, exponent)) => row(&format!(
            "<mn>{mantissa}</mn><mo>·</mo><msup><mn>10</mn><mn>{}</mn></msup>",
            exponent.replace('-', "−")
        )),
        None => format!("<mn>{text}</mn>"),
    }
}

pub(super) fn digits(_: &Printer, digits: &str) -> String {
    format!("<mn>{digits}</mn>")
}

pub(super) fn pi(_: &Printer) -> String {
    identifier("π")
}

pub(super) fn symbol(_: &Printer, name: &str) -> String {
    let Name { parts, subscripts, primes } = Name::parse(name);
    let last = parts.len().saturating_sub(1);
    let mut below: Vec<String> = Vec::new();
    let mut letter = String::new();
    for (index, (stem, subscript)) in parts.iter().enumerate() {
        if index == last {
            letter = identifier(&stem.unicode());
            if !subscript.is_empty() {
                below.insert(0, lowered(subscript));
            }
        } else {
            below.push(identifier(&format!("{}{subscript}", stem.unicode())));
        }
    }
    below.extend(subscripts.iter().map(|subscript| lowered(subscript)));
    let dotted = match primes {
        0 => letter,
        1 => format!("<mover accent=\"true\">{letter}<mo>˙</mo></mover>"),
        2 => format!("<mover accent=\"true\">{letter}<mo>¨</mo></mover>"),
        _ => format!("<msup>{letter}<mo>{}</mo></msup>", "′".repeat(primes)),
    };
    match &below[..] {
        [] => dotted,
        [only] => format!("<msub>{dotted}{only}</msub>"),
        _ => format!("<msub>{dotted}{}</msub>", row(&below.join("<mo>,</mo>"))),
    }
}

fn lowered(subscript: &str) -> String {
    if subscript.chars().all(|c| c.is_ascii_digit()) { format!("<mn>{subscript}</mn>") } else { identifier(subscript) }
}

pub(super) fn minus(_: &Printer, text: &str) -> String {
    row(&format!("<mo>−</mo>{text}"))
}

pub(super) fn parentheses(_: &Printer, text: &str) -> String {
    row(&format!("<mo>(</mo>{text}<mo>)</mo>"))
}

pub(super) fn sum(_: &Printer, terms: &[(bool, String)]) -> String {
    let mut inside = String::new();
    for (index, (negative, term)) in terms.iter().enumerate() {
        match (index, negative) {
            (_, true) => inside += "<mo>−</mo>",
            (0, false) => {}
            (_, false) => inside += "<mo>+</mo>",
        }
        inside += term;
    }
    row(&inside)
}

pub(super) fn times(_: &Printer, factors: &[String]) -> String {
    let mut inside = String::new();
    for (index, factor) in factors.iter().enumerate() {
        if index > 0 {
            // U+2062 is the product that is not seen; between digits it must be.
            inside += if factor.starts_with("<mn>") { "<mo>·</mo>" } else { "<mo>&#x2062;</mo>" };
        }
        inside += factor;
    }
    row(&inside)
}

pub(super) fn fraction(_: &Printer, above: &str, below: &str) -> String {
    format!("<mfrac>{above}{below}</mfrac>")
}

pub(super) fn power(printer: &Printer, base: &Piece, exponent: &Piece) -> String {
    format!("<msup>{}{}</msup>", printer.at_least(Level::Atom, base), printer.finished(exponent))
}

pub(super) fn powered_call(printer: &Printer, name: &str, argument: &str, exponent: &Piece) -> Option<String> {
    let name = format!("<msup>{}{}</msup>", identifier(name), exponent.text);
    Some(row(&format!("{name}<mo>&#x2061;</mo>{}", printer.parentheses(argument))))
}

pub(super) fn call(printer: &Printer, name: &str, arguments: &[String]) -> String {
    match (name, arguments) {
        ("if", [condition, a, b]) => row(&format!(
            "<mo>{{</mo><mtable><mtr><mtd>{a}</mtd><mtd><mtext>if </mtext>{condition}</mtd></mtr>\
             <mtr><mtd>{b}</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable>"
        )),
        _ => {
            let inside = printer.parentheses(&arguments.join("<mo>,</mo>"));
            row(&format!("{}<mo>&#x2061;</mo>{inside}", identifier(name)))
        }
    }
}

pub(super) fn apply(printer: &Printer, name: &str, argument: &str) -> String {
    let stem = name.trim_end_matches('\'');
    let primes = name.len() - stem.len();
    let mut letter = symbol(printer, stem);
    if primes > 0 {
        letter = format!("<msup>{letter}<mo>{}</mo></msup>", "′".repeat(primes));
    }
    row(&format!("{letter}<mo>&#x2061;</mo>{}", printer.parentheses(argument)))
}

pub(super) fn root(printer: &Printer, argument: &Piece) -> String {
    format!("<msqrt>{}</msqrt>", printer.finished(argument))
}

pub(super) fn magnitude(_: &Printer, argument: &str) -> String {
    row(&format!("<mo>|</mo>{argument}<mo>|</mo>"))
}

pub(super) fn relation(_: &Printer, sign: &str, left: &str, right: &str) -> String {
    let sign = match sign {
        "<=" => "≤",
        "/=" => "≠",
        _ => "&lt;",
    };
    row(&format!("{left}<mo>{sign}</mo>{right}"))
}

pub(super) fn connective(_: &Printer, word: &str, left: &str, right: &str) -> String {
    let sign = match word {
        "and" => "∧",
        "or" => "∨",
        _ => "¬",
    };
    row(&format!("{left}<mo>{sign}</mo>{right}"))
}
