//! What to explain, what comes of it, and why there may be nothing to show.

use super::part::Part;
use crate::explicit::{ExpressionMatrix, Mismatch, Solution, SolveOptions};
use holonom_language::{Diagnostic, Model};
use holonom_symbols::expr::{Id, Symbol};
use holonom_symbols::page::Page;

/// What to explain.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// These parts alone, in this order; the whole page where there are none.
    pub only: Vec<Part>,
    /// With the way that the papers go, and constraints differentiated step by step.
    pub steps: bool,
    /// Components of these coordinates alone; of all where there are none.
    pub coordinates: Vec<usize>,
    /// Values to put into formulas.
    pub at: Vec<(Symbol, Id)>,
    /// How far the closed form may go.
    pub solve: SolveOptions,
}

/// A page, and the solution that it shows.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The page.
    pub page: Page,
    /// What was asked for as expressions with names, in the order of the page; of `solution.graph`.
    pub asked: Vec<Asked>,
    /// The solution, with values put in where some were given.
    pub solution: Solution,
    /// Matrices of the papers' way that were asked for one by one; of `solution.graph`.
    pub tables: Vec<ExpressionMatrix>,
}

/// Something that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What it is: `theta''`, `Qi.theta`, `M[1,2]`.
    pub name: String,
    /// What it equals.
    pub value: Id,
}

/// Why there is nothing to show.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// A formula and the kernel disagree: a defect, with what is needed to find it.
    Mismatch(Box<Mismatch>),
    /// Somebody asked to stop.
    Interrupted,
    /// A formula has no value where values were put in: its name.
    NoValue(String),
    /// Something that was asked for is not there, and why.
    Absent(Part, String),
}

impl Refusal {
    /// The same as a message.
    pub fn diagnostic(&self, model: &Model) -> Diagnostic {
        match self {
            Self::Interrupted => Diagnostic::error("no-formula", "interrupted before the formulas were found"),
            Self::NoValue(name) => {
                Diagnostic::error("no-formula", format!("`{name}` has no value there: its denominator vanishes"))
                    .help("leave one of the values of `--at` out, or set parameters with `--set`, which solves anew")
            }
            Self::Absent(part, why) => {
                Diagnostic::error("no-formula", format!("there is no `{}` to show: {why}", part.name()))
            }
            Self::Mismatch(found) => {
                let parameters = model.parameters.iter().zip(&found.parameters);
                let parameters: Vec<String> =
                    parameters.map(|(parameter, value)| format!("{} = {value:?}", parameter.name)).collect();
                Diagnostic::error(
                    "formula-mismatch",
                    "the closed form and the numerical solution disagree, so it is not shown",
                )
                .note(format!(
                    "{}[{}] is {:?} by the formula and {:?} by the kernel",
                    found.quantity, found.component, found.formula, found.kernel
                ))
                .note(format!(
                    "at t = {:?}, q = {:?}, q' = {:?}",
                    found.state.time, found.state.positions, found.state.velocities
                ))
                .note(format!("with {}", parameters.join(", ")))
                .help("this is a defect of the program; please report it with the model and these numbers")
            }
        }
    }
}
