//! Equations → a page: what is given, what was derived, the verdict, the equation of motion and the force split.
//!
//! In: [`Equations`] and a [`Request`]. Out: an [`Explained`], whose [`Page`] can be shown in a terminal, printed or published on the
//! web. The closed form comes from [`explicit`], which checks every formula against the kernel; a formula that
//! disagrees is never shown.

mod code;
mod derived;
pub mod explicit;
mod given;
mod motion;
mod part;
mod steps;
mod verdict;
mod writer;

pub use part::Part;
pub use writer::Asked;

use crate::explicit::{ExpressionMatrix, Form, Mismatch, Solution, solve, unsolved, with_stand_ins};
use holonom_language::{Diagnostic, Model};
use holonom_mechanics::compile::CompiledSystem;
use holonom_mechanics::derive::Equations;
use holonom_simulate::analysis;
use holonom_symbols::algebra::Budget;
use holonom_symbols::expr::{Id, Symbol};
use holonom_symbols::page::{Block, Page};
use writer::Writer;

/// Principles of more coordinates than this are not put on a page: `check --principles` shows them.
const PRINCIPLES: usize = 12;

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
    pub solve: explicit::SolveOptions,
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

/// Explains the equations of a model.
///
/// ```
/// use holonom_symbols::algebra::Budget;
/// use holonom_mechanics::derive::derive;
/// use holonom_explain::{Request, explain};
/// use holonom_language::from_text;
///
/// let model = from_text("bead.holo", "
/// param      k = 2, g = 9.81
/// coord      x, y
/// kinetic    (x'^2 + y'^2)/2
/// potential  g*y
/// constraint line: y = k*x
/// ".trim_start()).model.expect("nothing is wrong with it");
/// let equations = derive(model).expect("nor with its mechanics").value;
/// let explained = explain(&equations, &Request::default(), &Budget::new(10_000_000)).expect("a page");
/// assert!(explained.page.markdown().contains("k^{2}"));
/// ```
///
/// # Errors
/// See [`Refusal`].
pub fn explain(equations: &Equations, request: &Request, budget: &Budget) -> Result<Explained, Refusal> {
    let equations = &*with_stand_ins(equations, &request.solve.set);
    let wanted = |part: &Part| part.needs_solution();
    let solution = match request.only.is_empty() || request.only.iter().any(wanted) {
        true => solve(equations, &request.solve, budget),
        false => unsolved(equations),
    };
    if let Form::Mismatch(mismatch) = solution.form {
        return Err(Refusal::Mismatch(mismatch));
    }
    if budget.is_interrupted() {
        return Err(Refusal::Interrupted);
    }
    let mut writer = Writer::new(equations, request, solution, budget);
    writer.put_values_in()?;
    if request.only.is_empty() {
        whole(&mut writer, request)?;
    } else {
        for &part in &request.only {
            part::show(&mut writer, part)?;
        }
    }
    if budget.is_interrupted() {
        return Err(Refusal::Interrupted);
    }
    writer.finish()
}

/// The page as a mechanician would write it.
fn whole(writer: &mut Writer, request: &Request) -> Result<(), Refusal> {
    let title = writer.equations.model.title.clone().unwrap_or_else(|| "The equation of motion".to_string());
    writer.page.heading(1, title);
    writer.page.heading(2, "Given");
    given::show(writer);
    // C may be made of them.
    if writer.needs_names(&writer.solution.given) {
        writer.page.heading(2, "Names");
        writer.define();
    }
    writer.page.heading(2, "Derived");
    derived::show(writer, request.steps);
    writer.page.heading(2, "Verdict");
    verdict::show(writer);
    if request.steps {
        writer.page.heading(2, "The papers' way");
        match steps::show(writer) {
            // The rest of the page does not depend on them.
            Err(Refusal::Absent(_, why)) => {
                writer.page.note(format!("It is not shown: {why}."));
            }
            other => other?,
        }
    }
    writer.page.heading(2, "Equation of motion");
    motion::acceleration(writer);
    if writer.solution.is_explicit() {
        writer.page.heading(2, "Forces");
        motion::forces(writer);
    }
    // Values that were put in are no state of the model.
    if request.steps && request.at.is_empty() {
        principles(writer);
    }
    Ok(())
}

/// The principles at the start in numbers, where there is a start.
fn principles(writer: &mut Writer) {
    if let Some(why) = writer.equations.model.unspecified() {
        writer.page.heading(2, "The principles at the start");
        writer.page.note(format!("They are not shown: {}.", why.message));
        return;
    }
    let system = CompiledSystem::new(writer.equations.clone()).with_places(&writer.request.solve.set);
    let Some(found) = analysis::principles(&system, PRINCIPLES) else { return };
    writer.page.heading(2, "The principles at the start");
    for block in found.page().blocks {
        writer.page.blocks.push(match block {
            Block::Heading(level, text) => Block::Heading(level + 1, text),
            other => other,
        });
    }
}

#[cfg(test)]
mod tests;
