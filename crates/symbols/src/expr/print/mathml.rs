//! Presentation MathML. Every piece is one element, so that it can stand wherever an element may.

use super::formula::{
    Accent, Derivative, Formula, Level, Shape, factors, function_name, scientific, slashed, spaced, terms,
};
use super::name::Name;
use super::unicode::relation;
use crate::markup::escaped;

fn row(inside: &str) -> String {
    format!("<mrow>{inside}</mrow>")
}

fn identifier(text: &str) -> String {
    format!("<mi>{}</mi>", escaped(text))
}

pub(crate) fn write(formula: &Formula) -> String {
    match formula.shape() {
        Shape::Number(digits) => number(digits),
        Shape::Name(name) => symbol(name),
        Shape::Pi => identifier("π"),
        Shape::Words(words) if words.chars().count() == 1 => {
            format!("<mi mathvariant=\"normal\">{}</mi>", escaped(words))
        }
        Shape::Words(words) => format!("<mtext>{}</mtext>", escaped(words)),
        Shape::Sign(sign) => format!("<mo>{}</mo>", escaped(&sign.replace('-', "−"))),
        Shape::Row(parts) => {
            let mut inside = String::new();
            for (index, part) in parts.iter().enumerate() {
                let sign = |part: &Formula| matches!(part.shape(), Shape::Sign(_));
                if index > 0 && !sign(part) && !sign(&parts[index - 1]) {
                    inside += "<mspace width=\"0.2em\"/>";
                }
                inside += &write(part);
            }
            row(&inside)
        }
        Shape::Minus(inside) => row(&format!("<mo>−</mo>{}", tight(Level::Product, inside))),
        Shape::Sum(sum) => {
            let mut inside = String::new();
            for (index, (negative, term)) in terms(sum).into_iter().enumerate() {
                match (index, negative) {
                    (_, true) => inside += "<mo>−</mo>",
                    (0, false) => {}
                    (_, false) => inside += "<mo>+</mo>",
                }
                inside += &tight(Level::Product, term);
            }
            row(&inside)
        }
        Shape::Product(list) => product(list),
        Shape::Fraction(above, below) => format!("<mfrac>{}{}</mfrac>", write(above), write(below)),
        Shape::Power(base, exponent) => {
            let (part, base) = match base.shape() {
                Shape::Name(name) => symbol_of_part(name),
                _ => (String::new(), tight(Level::Atom, base)),
            };
            let exponent = match slashed(exponent) {
                Some((minus, above, below)) => {
                    let minus = if minus { "<mo>−</mo>" } else { "" };
                    row(&format!("{minus}<mn>{above}</mn><mo>/</mo><mn>{below}</mn>"))
                }
                None => write(exponent),
            };
            // A letter with both has the one above the other.
            let raised = match base.strip_prefix("<msub>").and_then(|inside| inside.strip_suffix("</msub>")) {
                Some(inside) => format!("<msubsup>{inside}{exponent}</msubsup>"),
                None => format!("<msup>{base}{exponent}</msup>"),
            };
            in_part(&part, raised)
        }
        Shape::Subscript(base, below) => format!("<msub>{}{}</msub>", tight(Level::Atom, base), write(below)),
        Shape::Accent(accent, base) => accented(*accent, &tight(Level::Atom, base)),
        Shape::Call { .. } => call(formula, true),
        Shape::Applied { name, derivative, arguments } => {
            let inside = arguments.iter().map(write).collect::<Vec<_>>().join("<mo>,</mo>");
            row(&format!("{}<mo>&#x2061;</mo>{}", differentiated(name, derivative), parentheses(&inside)))
        }
        Shape::Root(inside) => format!("<msqrt>{}</msqrt>", write(inside)),
        Shape::Magnitude(inside) => row(&format!(
            "<mo form=\"prefix\" stretchy=\"true\">|</mo>{}<mo form=\"postfix\" stretchy=\"true\">|</mo>",
            write(inside)
        )),
        Shape::Relation(sign, a, b) => {
            let sign = escaped(relation(sign));
            row(&format!("{}<mo>{sign}</mo>{}", tight(Level::Sum, a), tight(Level::Sum, b)))
        }
        Shape::And(a, b) => row(&format!("{}<mo>∧</mo>{}", tight(Level::And, a), tight(Level::And, b))),
        Shape::Or(a, b) => row(&format!("{}<mo>∨</mo>{}", tight(Level::Or, a), tight(Level::Or, b))),
        Shape::Not(a) => row(&format!("<mo>¬</mo>{}", tight(Level::Atom, a))),
        Shape::Choice { condition, then, otherwise } => row(&format!(
            "<mo>{{</mo><mtable class=\"cases\" displaystyle=\"true\"><mtr><mtd>{}</mtd><mtd><mtext>if&#xa0;</mtext>{}</mtd></mtr>\
             <mtr><mtd>{}</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable>",
            write(then),
            write(condition),
            write(otherwise)
        )),
        Shape::Matrix { columns, entries } => {
            let mut rows = String::new();
            for row in entries.chunks(*columns) {
                rows += "<mtr>";
                for entry in row {
                    rows += &format!("<mtd>{}</mtd>", write(entry));
                }
                rows += "</mtr>";
            }
            row(&format!("<mo>[</mo><mtable displaystyle=\"true\">{rows}</mtable><mo>]</mo>"))
        }
    }
}

/// Something in a place that needs at least `level`, in parentheses where it is looser.
fn tight(level: Level, formula: &Formula) -> String {
    let written = write(formula);
    if formula.level(false) < level { parentheses(&written) } else { written }
}

/// Parentheses, as tall as what is in them; around what is low they stay small, since a stretched one has more air.
fn parentheses(inside: &str) -> String {
    let tall = ["<mfrac>", "<mtable", "<msqrt>"].iter().any(|tall| inside.contains(tall));
    let stretch = if tall { "" } else { " stretchy=\"false\"" };
    row(&format!("<mo{stretch}>(</mo>{inside}<mo{stretch}>)</mo>"))
}

fn number(digits: &str) -> String {
    match scientific(digits) {
        Some((mantissa, exponent)) => {
            let power = match exponent.strip_prefix('-') {
                Some(exponent) => format!("<msup><mn>10</mn><mrow><mo>−</mo><mn>{exponent}</mn></mrow></msup>"),
                None => format!("<msup><mn>10</mn><mn>{exponent}</mn></msup>"),
            };
            mantissa.map_or(power.clone(), |mantissa| row(&format!("<mn>{mantissa}</mn><mo>·</mo>{power}")))
        }
        None => format!("<mn>{digits}</mn>"),
    }
}

/// Whether a factor is a name with a dot in it, or a power of one.
fn is_of_part(factor: &Formula) -> bool {
    match factor.shape() {
        Shape::Power(base, _) => is_of_part(base),
        Shape::Name(name) => name.contains('.'),
        _ => false,
    }
}

fn product(list: &[Formula]) -> String {
    let mut inside = String::new();
    for (index, (factor, free)) in factors(list).enumerate() {
        let written = match factor.shape() {
            Shape::Call { .. } => call(factor, free),
            _ => tight(Level::Power, factor),
        };
        if index > 0 {
            // U+2062 is the product that is not seen; between digits it must be, and words need some air.
            inside += if written.starts_with("<mn>") {
                "<mo>·</mo>"
            } else if [&list[index - 1], factor].into_iter().any(|factor| spaced(factor) || is_of_part(factor)) {
                "<mspace width=\"0.17em\"/>"
            } else {
                "<mo>&#x2062;</mo>"
            };
        }
        inside += &written;
    }
    row(&inside)
}

/// A function; `free` says that nothing follows that would be read as part of an argument without parentheses.
fn call(formula: &Formula, free: bool) -> String {
    let Shape::Call { function, power, arguments } = formula.shape() else { return write(formula) };
    let mut name = identifier(function_name(function));
    if let Some(power) = power {
        name = format!("<msup>{name}<mn>{power}</mn></msup>");
    }
    if let ([only], true) = (&arguments[..], free)
        && only.is_short()
    {
        return row(&format!("{name}<mo>&#x2061;</mo><mspace width=\"0.17em\"/>{}", write(only)));
    }
    let inside = arguments.iter().map(write).collect::<Vec<_>>().join("<mo>,</mo>");
    row(&format!("{name}<mo>&#x2061;</mo>{}", parentheses(&inside)))
}

/// A function with its derivative: f″, or a fraction of ∂s.
pub(crate) fn differentiated(name: &str, derivative: &Derivative) -> String {
    let letter = symbol(name);
    let Some((total, by)) = derivative.partial() else {
        return match derivative.primes() {
            0 => letter,
            count => format!("<msup>{letter}<mo>{}</mo></msup>", "′".repeat(count)),
        };
    };
    let raised = |letter: String, order: usize| match order {
        1 => letter,
        _ => format!("<msup>{letter}<mn>{order}</mn></msup>"),
    };
    let partial = "<mi mathvariant=\"normal\">∂</mi>";
    let below: String = by.iter().map(|(by, order)| format!("{partial}{}", raised(symbol(by), *order))).collect();
    format!("<mfrac>{}{}</mfrac>", row(&(raised(partial.to_string(), total) + &letter)), row(&below))
}

fn accented(accent: Accent, base: &str) -> String {
    let mark = match accent {
        // A bar over one letter is as wide as the letter and no wider.
        Accent::Bar => "<mo stretchy=\"false\">¯</mo>",
        Accent::Hat => "<mo stretchy=\"false\">^</mo>",
        Accent::Tilde => "<mo stretchy=\"false\">~</mo>",
        Accent::Dot => "<mo>˙</mo>",
        Accent::Dots => "<mo>¨</mo>",
    };
    format!("<mover accent=\"true\">{base}{mark}</mover>")
}

pub(crate) fn symbol(name: &str) -> String {
    let (part, letter) = symbol_of_part(name);
    in_part(&part, letter)
}

/// A letter behind the part that it belongs to.
fn in_part(part: &str, letter: String) -> String {
    if part.is_empty() { letter } else { row(&(part.to_string() + &letter)) }
}

/// The part that a name belongs to, with its dot, and its letter: `bob.` and `x`. They are spelled as in the model.
fn symbol_of_part(name: &str) -> (String, String) {
    let Name { parts, subscripts, primes } = Name::parse(name);
    let last = parts.len().saturating_sub(1);
    let mut below: Vec<String> = Vec::new();
    let (mut part, mut letter) = (String::new(), String::new());
    for (index, (stem, subscript)) in parts.iter().enumerate() {
        letter = identifier(&stem.unicode());
        if index == last {
            below.extend(Some(lowered(subscript)).filter(|_| !subscript.is_empty()));
            continue;
        }
        part += &match &subscript[..] {
            "" => letter.clone(),
            subscript => format!("<msub>{letter}{}</msub>", lowered(subscript)),
        };
        part += "<mo lspace=\"0\" rspace=\"0.06em\">.</mo>";
    }
    below.extend(subscripts.iter().map(|subscript| lowered(subscript)));
    let dotted = match primes {
        0 => letter,
        1 => accented(Accent::Dot, &letter),
        2 => accented(Accent::Dots, &letter),
        _ => format!("<msup>{letter}<mo>{}</mo></msup>", "′".repeat(primes)),
    };
    let letter = match &below[..] {
        [] => dotted,
        [only] => format!("<msub>{dotted}{only}</msub>"),
        _ => format!("<msub>{dotted}{}</msub>", row(&below.join("<mo>,</mo>"))),
    };
    (part, letter)
}

fn lowered(subscript: &str) -> String {
    if subscript.chars().all(|c| c.is_ascii_digit()) { format!("<mn>{subscript}</mn>") } else { identifier(subscript) }
}
