//! One line with Greek letters, dots, superscripts and subscripts, as it would stand in a letter.

use super::formula::{Accent, Derivative, Formula, Level, Shape, function_name};
use super::name::Name;

pub(crate) fn write(formula: &Formula) -> String {
    match formula.shape() {
        Shape::Number(text) | Shape::Words(text) | Shape::Sign(text) => text.clone(),
        Shape::Name(name) => symbol(name),
        Shape::Pi => "π".to_string(),
        Shape::Row(parts) => row(parts.iter().map(|part| (part, write(part)))),
        Shape::Minus(inside) => format!("−{}", tight(Level::Product, inside)),
        Shape::Sum(terms) => signed(terms.iter().map(|(minus, term)| (*minus, tight(Level::Product, term))), "−"),
        Shape::Product(factors) => {
            factors.iter().map(|factor| tight(Level::Power, factor)).collect::<Vec<_>>().join("·")
        }
        Shape::Fraction(above, below) => {
            format!("{}/{}", tight(Level::Product, above), tight(Level::Power, below))
        }
        Shape::Power(base, exponent) => {
            let base = tight(Level::Atom, base);
            let written = write(exponent);
            match raised(&written) {
                Some(small) => format!("{base}{small}"),
                None => format!("{base}^{}", enclosed(Level::Atom, exponent, written)),
            }
        }
        Shape::Subscript(base, below) => format!("{}{}", tight(Level::Atom, base), lowered(&write(below))),
        Shape::Accent(accent, base) => accented(*accent, &tight(Level::Atom, base)),
        Shape::Call { function, power, arguments } => {
            let power = power.as_deref().and_then(raised).unwrap_or_default();
            let arguments: Vec<String> = arguments.iter().map(write).collect();
            format!("{}{power}({})", function_name(function), arguments.join(", "))
        }
        Shape::Applied { name, derivative, arguments } => {
            let arguments: Vec<String> = arguments.iter().map(write).collect();
            format!("{}({})", differentiated(name, derivative, symbol, primes), arguments.join(", "))
        }
        Shape::Root(inside) => format!("√{}", tight(Level::Atom, inside)),
        Shape::Magnitude(inside) => format!("|{}|", write(inside)),
        Shape::Relation(sign, a, b) => {
            format!("{} {} {}", tight(Level::Sum, a), relation(sign), tight(Level::Sum, b))
        }
        Shape::And(a, b) => format!("{} and {}", tight(Level::And, a), tight(Level::And, b)),
        Shape::Or(a, b) => format!("{} or {}", tight(Level::Or, a), tight(Level::Or, b)),
        Shape::Not(a) => format!("not {}", tight(Level::Not, a)),
        Shape::Choice { condition, then, otherwise } => {
            format!("if({}, {}, {})", write(condition), write(then), write(otherwise))
        }
        Shape::Matrix { columns, entries } => {
            let rows: Vec<String> =
                entries.chunks(*columns).map(|row| row.iter().map(write).collect::<Vec<_>>().join(", ")).collect();
            match columns {
                1 => format!("({})", rows.join(", ")),
                _ => format!("[{}]", rows.join("; ")),
            }
        }
    }
}

/// A function with its derivative on one line: `f''`, or `(∂²F/∂x∂t)`.
pub(super) fn differentiated(
    name: &str,
    derivative: &Derivative,
    symbol: impl Fn(&str) -> String,
    primes: impl Fn(usize) -> String,
) -> String {
    let small = |order: usize| if order == 1 { String::new() } else { raised(&order.to_string()).unwrap_or_default() };
    match derivative.partial() {
        None => symbol(name) + &primes(derivative.primes()),
        Some((total, by)) => {
            let below: String = by.iter().map(|(by, order)| format!("∂{}{}", symbol(by), small(*order))).collect();
            format!("(∂{}{}/{below})", small(total), symbol(name))
        }
    }
}

/// Terms on one line with their signs between them.
pub(super) fn signed(terms: impl Iterator<Item = (bool, String)>, minus: &str) -> String {
    let mut text = String::new();
    for (index, (negative, term)) in terms.enumerate() {
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
        text += &term;
    }
    text
}

/// Something in a place that needs at least `level`, in parentheses where it is looser.
fn tight(level: Level, formula: &Formula) -> String {
    enclosed(level, formula, write(formula))
}

fn enclosed(level: Level, formula: &Formula, written: String) -> String {
    let own = match formula.shape() {
        // √x² would be read as the root of x².
        Shape::Root(_) => Level::Power,
        _ => formula.level(true),
    };
    if own < level { format!("({written})") } else { written }
}

/// Things side by side with a blank between them, none before a comma.
pub(crate) fn row<'a>(parts: impl Iterator<Item = (&'a Formula, String)>) -> String {
    let mut text = String::new();
    for (part, written) in parts {
        let close = matches!(part.shape(), Shape::Sign(sign) if is_punctuation(sign));
        if !text.is_empty() && !close {
            text.push(' ');
        }
        text += &written;
    }
    text
}

/// Signs that follow what is before them without a blank.
pub(crate) fn is_punctuation(sign: &str) -> bool {
    matches!(sign, "," | ";" | "." | ":")
}

/// So many primes.
pub(crate) fn primes(count: usize) -> String {
    if count == 2 { "″".to_string() } else { "′".repeat(count) }
}

/// `<=` and `/=` as they look.
pub(crate) fn relation(sign: &str) -> &str {
    match sign {
        "<=" => "≤",
        "/=" => "≠",
        other => other,
    }
}

/// A name of the model with Greek letters, dots and subscripts.
pub(crate) fn symbol(name: &str) -> String {
    let Name { parts, subscripts, primes } = Name::parse(name);
    let mut text = String::new();
    let last = parts.len().saturating_sub(1);
    for (index, (stem, subscript)) in parts.iter().enumerate() {
        if index > 0 {
            text.push('.');
        }
        let stem = stem.unicode();
        // Dots for a single letter, primes for a word.
        let dotted = match (stem.chars().count(), primes) {
            (1, 1) if index == last => accented(Accent::Dot, &stem),
            (1, 2) if index == last => accented(Accent::Dots, &stem),
            _ if index == last => stem + &"′".repeat(primes),
            _ => stem,
        };
        text += &dotted;
        if !subscript.is_empty() {
            text += &lowered(subscript);
        }
    }
    for subscript in subscripts {
        text += &lowered(&subscript);
    }
    text
}

/// A sign over the first letter.
pub(crate) fn accented(accent: Accent, text: &str) -> String {
    let mark = match accent {
        Accent::Bar => '\u{304}',
        Accent::Hat => '\u{302}',
        Accent::Tilde => '\u{303}',
        Accent::Dot => '\u{307}',
        Accent::Dots => '\u{308}',
    };
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return String::new() };
    // Letters that exist with their dots are one character.
    let joined = match (first, accent) {
        ('x', Accent::Dot) => Some('ẋ'),
        ('x', Accent::Dots) => Some('ẍ'),
        ('y', Accent::Dot) => Some('ẏ'),
        ('y', Accent::Dots) => Some('ÿ'),
        ('z', Accent::Dot) => Some('ż'),
        _ => None,
    };
    match joined {
        Some(letter) => format!("{letter}{}", letters.as_str()),
        None => format!("{first}{mark}{}", letters.as_str()),
    }
}

/// A subscript in small letters where they exist, else after an underscore. Words stay words: small letters are hard to read, and
/// not all of them exist.
pub(crate) fn lowered(subscript: &str) -> String {
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
    let word = subscript.chars().filter(|c| c.is_alphabetic()).count() > 2;
    small.filter(|_| !word).unwrap_or_else(|| format!("_{subscript}"))
}

/// An integer, a plus or a T as a superscript.
pub(crate) fn raised(exponent: &str) -> Option<String> {
    exponent
        .chars()
        .map(|c| match c {
            '−' => Some('⁻'),
            '+' => Some('⁺'),
            'T' => Some('ᵀ'),
            _ => c.to_digit(10).and_then(|digit| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize)),
        })
        .collect()
}
