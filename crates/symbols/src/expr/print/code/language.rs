//! The languages that code is written in, and what files in all of them have in common: the names of arguments, and comments.

use crate::expr::graph::Symbol;

/// A language to write code in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Rust, with nothing but the methods of `f64`.
    Rust,
    /// C99 with `math.h`.
    C,
    /// Python with NumPy.
    Python,
    /// Python with SymPy: expressions in symbols.
    SymPy,
    /// JavaScript as a module, with nothing but `Math`.
    JavaScript,
}

/// A text that ends no comment.
pub(super) fn commentable(text: &str) -> String {
    text.chars().filter(|&c| !c.is_control() && c != '\\').collect::<String>().replace("*/", "* /").replace("/*", "/ *")
}

/// The argument that holds a symbol, and its place there.
pub(super) fn argument(symbol: Symbol) -> (&'static str, Option<u32>) {
    match symbol {
        Symbol::Time => ("t", None),
        Symbol::Parameter(index) => ("p", Some(index)),
        Symbol::Position(index) => ("q", Some(index)),
        Symbol::Velocity(index) => ("v", Some(index)),
        Symbol::Acceleration(index) => ("a", Some(index)),
        Symbol::Multiplier(index) => ("multiplier", Some(index)),
        Symbol::Reaction(index) => ("reaction", Some(index)),
        Symbol::Slip(index) => ("slip", Some(index)),
        Symbol::Normal(index) => ("normal", Some(index)),
    }
}
