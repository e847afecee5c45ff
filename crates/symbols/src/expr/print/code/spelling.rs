//! What the languages spell differently.

use super::language::Language;
use super::writer::{Level, Piece, Writer};
use crate::expr::function::Function;
use crate::expr::graph::Id;
use crate::expr::number::Number;

impl Writer<'_> {
    /// A number: rounded once, exact where there are symbols.
    pub(super) fn literal(&self, number: Number) -> Piece {
        let level = if number.is_negative() { Level::Sum } else { Level::Atom };
        let text = match (self.language, number.as_ratio()) {
            (Language::SymPy, Some((num, 1))) => num.to_string(),
            (Language::SymPy, Some((num, den))) => {
                return Piece::new(format!("sp.Rational({num}, {den})"), Level::Atom);
            }
            _ => format!("{:?}", number.to_f64()),
        };
        Piece::new(text, level)
    }

    pub(super) fn pi(&self) -> Piece {
        let text = match self.language {
            Language::Rust => "std::f64::consts::PI",
            Language::C => "3.141592653589793",
            Language::JavaScript => "Math.PI",
            Language::Python => "np.pi",
            Language::SymPy => "sp.pi",
        };
        Piece::new(text.to_string(), Level::Atom)
    }

    /// One of two values.
    pub(super) fn choice(&self, condition: &str, then: &str, otherwise: &str) -> Piece {
        match self.language {
            Language::Rust => Piece::new(format!("if {condition} {{ {then} }} else {{ {otherwise} }}"), Level::Choice),
            Language::C | Language::JavaScript => {
                Piece::new(format!("({condition}) ? ({then}) : ({otherwise})"), Level::Choice)
            }
            Language::Python => Piece::new(format!("np.where({condition}, {then}, {otherwise})"), Level::Atom),
            Language::SymPy => {
                Piece::new(format!("sp.Piecewise(({then}, {condition}), ({otherwise}, True))"), Level::Atom)
            }
        }
    }

    /// A number as a condition.
    pub(super) fn not_zero(&self, number: &str) -> Piece {
        let piece = match self.language {
            Language::SymPy => Piece::new(format!("sp.Ne({number}, 0)"), Level::Atom),
            _ => Piece::new(format!("{number} != 0.0"), Level::Compare),
        };
        Piece { condition: true, ..piece }
    }

    pub(super) fn both(&self, a: &Piece, b: &Piece) -> Piece {
        self.connected(a, b, "&&", Level::And, ["np.logical_and", "sp.And"])
    }

    pub(super) fn either(&self, a: &Piece, b: &Piece) -> Piece {
        self.connected(a, b, "||", Level::Or, ["np.logical_or", "sp.Or"])
    }

    fn connected(&self, a: &Piece, b: &Piece, sign: &str, level: Level, names: [&str; 2]) -> Piece {
        let piece = match self.language {
            Language::Rust | Language::C | Language::JavaScript => {
                // Some languages warn of `or` beside `and` without parentheses, or may.
                let inner = |piece: &Piece| {
                    let loose = piece.level < level || piece.level == Level::And && level == Level::Or;
                    if loose { format!("({})", piece.text) } else { piece.text.clone() }
                };
                Piece::new(format!("{} {sign} {}", inner(a), inner(b)), level)
            }
            Language::Python => Piece::new(format!("{}({}, {})", names[0], a.text, b.text), Level::Atom),
            Language::SymPy => Piece::new(format!("{}({}, {})", names[1], a.text, b.text), Level::Atom),
        };
        Piece { condition: true, ..piece }
    }

    pub(super) fn contrary(&self, a: &Piece) -> Piece {
        let text = match self.language {
            Language::Python => format!("np.logical_not({})", a.text),
            Language::SymPy => format!("sp.Not({})", a.text),
            _ if a.level < Level::Atom => format!("!({})", a.text),
            _ => format!("!{}", a.text),
        };
        Piece { condition: true, ..Piece::new(text, Level::Atom) }
    }

    /// `base^exponent` with any exponent.
    pub(super) fn power(&self, base: Id, exponent: Id) -> Piece {
        let power = self.operand(exponent, Level::Choice);
        let text = match self.language {
            Language::Rust => format!("{}.powf({power})", self.receiver(base)),
            Language::C => format!("pow({}, {power})", self.operand(base, Level::Choice)),
            Language::JavaScript => format!("Math.pow({}, {power})", self.operand(base, Level::Choice)),
            Language::Python => format!("np.power({}, {power})", self.operand(base, Level::Choice)),
            Language::SymPy => {
                let base = match self.graph.as_number(base) {
                    // Two integers of Python would make a rounded number.
                    Some(_) => format!("sp.sympify({})", self.operand(base, Level::Choice)),
                    None => self.operand(base, Level::Atom),
                };
                return Piece::new(format!("{base} ** ({power})"), Level::Product);
            }
        };
        Piece::new(text, Level::Atom)
    }

    /// A factor to a whole power.
    pub(super) fn integer_power(&self, factor: Id, exponent: u32) -> String {
        match self.language {
            Language::Rust => format!("{}.powi({})", self.receiver(factor), exponent.min(i32::MAX as u32)),
            Language::C => format!("pow({}, {exponent}.0)", self.operand(factor, Level::Choice)),
            Language::JavaScript => format!("Math.pow({}, {exponent})", self.operand(factor, Level::Choice)),
            Language::Python | Language::SymPy => format!("{} ** {exponent}", self.operand(factor, Level::Atom)),
        }
    }

    /// What a method is called on, in Rust.
    fn receiver(&self, id: Id) -> String {
        let text = self.operand(id, Level::Atom);
        if self.graph.as_number(id).is_some() && !text.starts_with('(') { format!("{text}_f64") } else { text }
    }

    pub(super) fn call(&self, function: Function, a: Id, b: Id) -> String {
        let second = if function.arity() == 2 { Some(self.operand(b, Level::Choice)) } else { None };
        if self.language == Language::Rust && function != Function::Sign {
            let method = match function {
                Function::Log => "ln",
                other => other.name(),
            };
            return format!("{}.{method}({})", self.receiver(a), second.unwrap_or_default());
        }
        let name = match (self.language, function) {
            (Language::C, Function::Abs) => "fabs",
            (Language::C, Function::Min) => "fmin",
            (Language::C, Function::Max) => "fmax",
            (Language::Python, Function::Asin) => "np.arcsin",
            (Language::Python, Function::Acos) => "np.arccos",
            (Language::Python, Function::Atan) => "np.arctan",
            (Language::Python, Function::Atan2) => "np.arctan2",
            (Language::Python, Function::Min) => "np.fmin",
            (Language::Python, Function::Max) => "np.fmax",
            (Language::SymPy, Function::Abs) => "sp.Abs",
            (Language::SymPy, Function::Min) => "sp.Min",
            (Language::SymPy, Function::Max) => "sp.Max",
            (_, other) => other.name(),
        };
        let module = match self.language {
            Language::Python if !name.contains('.') => "np.",
            Language::SymPy if !name.contains('.') => "sp.",
            Language::JavaScript => "Math.",
            _ => "",
        };
        let first = self.operand(a, Level::Choice);
        match second {
            Some(second) => format!("{module}{name}({first}, {second})"),
            None => format!("{module}{name}({first})"),
        }
    }

    /// The value of a table, or of its derivative.
    pub(super) fn spline(&self, table: u32, order: u8, argument: &str) -> String {
        match self.language {
            Language::Rust => format!("spline({argument}, {order}, &TABLE{table})"),
            Language::C => {
                let points = self.graph.tables()[table as usize].points().count();
                format!("spline({argument}, {order}, TABLE{table}, {points})")
            }
            _ => format!("spline({argument}, {order}, TABLE{table})"),
        }
    }
}
