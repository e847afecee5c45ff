//! What a check finds.

use holonom::symbols::expr::Formula;

/// What a check found.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryOutcome {
    /// It holds; where there is a misprint, what is printed also fails.
    pub holds: bool,
    /// What was compared, where, and how far apart it was.
    pub evidence: String,
    /// What became of the formula as printed, where there is a misprint.
    pub as_printed: Option<String>,
    /// The greatest relative difference that was met.
    pub worst: f64,
    /// Whether the formulas are identical in the symbols; nothing where there are no symbols.
    pub identical: Option<bool>,
    /// The formulas as Holonom writes them.
    pub ours: Vec<Ours>,
}

/// A formula as Holonom writes it, beside the paper's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ours {
    /// What it is a formula for: q̈.
    pub left: Formula,
    /// The formula.
    pub right: Formula,
    /// The same in the language of models; a matrix row by row.
    pub text: Vec<Vec<String>>,
    /// The nodes of all its entries as trees.
    pub nodes: u64,
    /// The nodes of the paper's.
    pub nodes_in_paper: u64,
}

/// How far apart two sides came out, in words.
pub(crate) fn apart(worst: f64) -> String {
    match worst {
        0.0 => "equal to the last digit".into(),
        _ if worst.is_finite() => format!("equal to {worst:.0e}"),
        _ => "not equal".into(),
    }
}
