//! The names of the functions of the language.

use holonom_symbols::expr::Function;

/// The functions that are not single functions of the graph.
const MORE_FUNCTIONS: [&str; 13] = [
    "clamp",
    "if",
    "smoothstep",
    "dot",
    "cross",
    "norm",
    "sum",
    "energy",
    "kinetic",
    "potential",
    "multiplier",
    "reaction",
    "ideal",
];

/// Whether `name` before `(` is a function of the language.
pub(super) fn is_function(name: &str) -> bool {
    Function::from_name(name).is_some() || MORE_FUNCTIONS.contains(&name)
}

/// All functions of the language.
pub(super) fn functions() -> impl Iterator<Item = &'static str> {
    Function::ALL.into_iter().map(Function::name).chain(MORE_FUNCTIONS)
}
