//! Friction laws: each is a file here and a line in [`LAWS`].
//!
//! A file has the name of a law, its arguments, and two expressions of the speed of slip and of the load: the friction of sliding, and the
//! largest friction at rest. Everything else follows from these expressions.

mod coulomb;
mod definition;
mod own;
mod quadratic;
mod stribeck;
mod table;
mod viscous;

pub(super) use definition::{Kind, Law, Parameter};
pub(super) use table::TABLE;

/// All laws, in the order in which messages list them.
const LAWS: [&Law; 6] =
    [&coulomb::COULOMB, &viscous::VISCOUS, &quadratic::QUADRATIC, &stribeck::STRIBECK, &own::OWN, &TABLE];

/// The law that a word calls.
pub(super) fn called(name: &str) -> Option<&'static Law> {
    LAWS.into_iter().find(|law| law.is_called() && law.name == name)
}

/// The words that call a law.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    LAWS.into_iter().filter(|law| law.is_called()).map(|law| law.name)
}

/// All laws, as they are written: `a, b and c`.
pub(super) fn listed() -> String {
    let forms: Vec<&str> = LAWS.iter().flat_map(|law| law.forms).copied().collect();
    match forms.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => forms.concat(),
    }
}

#[cfg(test)]
mod tests;
