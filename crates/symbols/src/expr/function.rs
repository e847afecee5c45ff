//! Elementary functions, as the graph knows them.

use holonom_elementary as elementary;

/// Makes the type, its list, its names and what compiled code calls from one entry per function.
macro_rules! functions {
    ($($(#[$doc:meta])* $function:ident $name:literal,)*) => {
        /// A function of one or two arguments.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Function {
            $($(#[$doc])* $function,)*
        }

        impl Function {
            /// All of them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$function),*];

            /// Its name in the language.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$function => $name,)*
                }
            }

            /// Its value at one argument, as a function that machine code can call.
            pub fn compiled(self) -> extern "C" fn(f64) -> f64 {
                match self {
                    $(Self::$function => {
                        extern "C" fn value(x: f64) -> f64 {
                            Function::$function.value(x, 0.0)
                        }
                        value
                    })*
                }
            }
        }
    };
}

functions! {
    /// Sine.
    Sin "sin",
    /// Cosine.
    Cos "cos",
    /// Tangent.
    Tan "tan",
    /// Inverse sine.
    Asin "asin",
    /// Inverse cosine.
    Acos "acos",
    /// Inverse tangent.
    Atan "atan",
    /// `atan2(y, x)`: the angle of the point (x, y).
    Atan2 "atan2",
    /// Hyperbolic sine.
    Sinh "sinh",
    /// Hyperbolic cosine.
    Cosh "cosh",
    /// Hyperbolic tangent.
    Tanh "tanh",
    /// Exponential function.
    Exp "exp",
    /// Natural logarithm.
    Log "log",
    /// Square root.
    Sqrt "sqrt",
    /// Magnitude.
    Abs "abs",
    /// −1, 0 or 1.
    Sign "sign",
    /// The lesser of two.
    Min "min",
    /// The greater of two.
    Max "max",
}

impl Function {
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
