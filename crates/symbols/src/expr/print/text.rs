//! The language of models: what is printed here is read back as the same value.

use super::formula::{Accent, Formula, Level, Shape};
use super::unicode::{differentiated, signed};

pub(super) fn write(formula: &Formula) -> String {
    match formula.shape() {
        Shape::Number(text) | Shape::Name(text) | Shape::Words(text) | Shape::Sign(text) => text.clone(),
        Shape::Pi => "pi".to_string(),
        Shape::Row(parts) => parts.iter().map(write).collect::<Vec<_>>().join(" "),
        Shape::Minus(inside) => format!("-{}", tight(Level::Product, inside)),
        Shape::Sum(terms) => signed(terms.iter().map(|(minus, term)| (*minus, tight(Level::Product, term))), "-"),
        Shape::Product(factors) => {
            factors.iter().map(|factor| tight(Level::Power, factor)).collect::<Vec<_>>().join("*")
        }
        Shape::Fraction(above, below) => {
            format!("{}/{}", tight(Level::Product, above), tight(Level::Power, below))
        }
        Shape::Power(base, exponent) => format!("{}^{}", tight(Level::Atom, base), tight(Level::Atom, exponent)),
        Shape::Subscript(base, below) => format!("{}[{}]", tight(Level::Atom, base), write(below)),
        Shape::Accent(Accent::Dot, base) => format!("{}'", tight(Level::Atom, base)),
        Shape::Accent(Accent::Dots, base) => format!("{}''", tight(Level::Atom, base)),
        Shape::Accent(accent, base) => {
            let word = match accent {
                Accent::Hat => "hat",
                Accent::Tilde => "tilde",
                _ => "bar",
            };
            format!("{}{word}", tight(Level::Atom, base))
        }
        Shape::Call { function, power: None, arguments } => format!("{function}({})", list(arguments)),
        Shape::Call { function, power: Some(power), arguments } => format!("{function}({})^{power}", list(arguments)),
        Shape::Applied { name, derivative, arguments } => {
            let head = differentiated(name, derivative, str::to_string, |count| "'".repeat(count));
            format!("{head}({})", list(arguments))
        }
        Shape::Root(inside) => format!("sqrt({})", write(inside)),
        Shape::Magnitude(inside) => format!("abs({})", write(inside)),
        Shape::Relation(sign, a, b) => format!("{} {sign} {}", tight(Level::Sum, a), tight(Level::Sum, b)),
        Shape::And(a, b) => format!("{} and {}", tight(Level::And, a), tight(Level::And, b)),
        Shape::Or(a, b) => format!("{} or {}", tight(Level::Or, a), tight(Level::Or, b)),
        Shape::Not(a) => format!("not {}", tight(Level::Not, a)),
        Shape::Choice { condition, then, otherwise } => {
            format!("if({}, {}, {})", write(condition), write(then), write(otherwise))
        }
        Shape::Matrix { columns, entries } => {
            let rows: Vec<String> = entries.chunks(*columns).map(|row| format!("[{}]", list(row))).collect();
            format!("[{}]", rows.join(", "))
        }
    }
}

/// Something in a place that needs at least `level`, in parentheses where it is looser.
fn tight(level: Level, formula: &Formula) -> String {
    let own = formula.level(true);
    if own < level { format!("({})", write(formula)) } else { write(formula) }
}

fn list(formulas: &[Formula]) -> String {
    formulas.iter().map(write).collect::<Vec<_>>().join(", ")
}
