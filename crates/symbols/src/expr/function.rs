//! Elementary functions, as the graph knows them.

use holonom_elementary as elementary;

/// A function of one or two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Function {
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// Inverse sine.
    Asin,
    /// Inverse cosine.
    Acos,
    /// Inverse tangent.
    Atan,
    /// `atan2(y, x)`: the angle of the point (x, y).
    Atan2,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Exponential function.
    Exp,
    /// Natural logarithm.
    Log,
    /// Square root.
    Sqrt,
    /// Magnitude.
    Abs,
    /// −1, 0 or 1.
    Sign,
    /// The lesser of two.
    Min,
    /// The greater of two.
    Max,
}

impl Function {
    /// All of them.
    pub const ALL: [Self; 17] = [
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Asin,
        Self::Acos,
        Self::Atan,
        Self::Atan2,
        Self::Sinh,
        Self::Cosh,
        Self::Tanh,
        Self::Exp,
        Self::Log,
        Self::Sqrt,
        Self::Abs,
        Self::Sign,
        Self::Min,
        Self::Max,
    ];

    /// Its name in the language.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
            Self::Asin => "asin",
            Self::Acos => "acos",
            Self::Atan => "atan",
            Self::Atan2 => "atan2",
            Self::Sinh => "sinh",
            Self::Cosh => "cosh",
            Self::Tanh => "tanh",
            Self::Exp => "exp",
            Self::Log => "log",
            Self::Sqrt => "sqrt",
            Self::Abs => "abs",
            Self::Sign => "sign",
            Self::Min => "min",
            Self::Max => "max",
        }
    }

    /// The function of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Self::Atan2 | Self::Min | Self::Max => 2,
            _ => 1,
        }
    }

    /// Its value. This is the one place where elementary functions are computed, so that every evaluator agrees.
    pub fn value(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Sin => elementary::sin(x),
            Self::Cos => elementary::cos(x),
            Self::Tan => elementary::tan(x),
            Self::Asin => elementary::asin(x),
            Self::Acos => elementary::acos(x),
            Self::Atan => elementary::atan(x),
            Self::Atan2 => elementary::atan2(x, y),
            Self::Sinh => elementary::sinh(x),
            Self::Cosh => elementary::cosh(x),
            Self::Tanh => elementary::tanh(x),
            Self::Exp => elementary::exp(x),
            Self::Log => elementary::ln(x),
            Self::Sqrt => x.sqrt(),
            Self::Abs => x.abs(),
            Self::Sign => {
                if x > 0.0 {
                    1.0
                } else if x < 0.0 {
                    -1.0
                } else {
                    x
                }
            }
            Self::Min => {
                if x <= y {
                    x
                } else {
                    y
                }
            }
            Self::Max => {
                if x >= y {
                    x
                } else {
                    y
                }
            }
        }
    }
}

/// A comparison of two expressions; its value is 1 or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
}
