//! Equations → a page: what is given, what was derived, the verdict, the equation of motion and the force split.
//!
//! In: [`Equations`] and a [`Request`]. Out: an [`Explained`], whose [`Page`](holonom_symbols::page::Page) can be shown in a
//! terminal, printed or published on the web. The closed form comes from [`explicit`], which checks every formula against the
//! kernel; a formula that disagrees is never shown.

mod code;
mod derived;
pub mod explicit;
mod given;
mod motion;
mod part;
mod request;
mod steps;
mod verdict;
mod writer;

pub use part::Part;
pub use request::{Asked, Explained, Refusal, Request};

use crate::explicit::{Form, solve, unsolved, with_stand_ins};
use holonom_mechanics::compile::CompiledSystem;
use holonom_mechanics::derive::Equations;
use holonom_simulate::analysis;
use holonom_symbols::algebra::Budget;
use holonom_symbols::page::Block;
use writer::Writer;

/// Principles of more coordinates than this are not put on a page: `check --principles` shows them.
const PRINCIPLES: usize = 12;

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
            show(&mut writer, part)?;
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

/// Shows one part.
fn show(writer: &mut Writer, part: Part) -> Result<(), Refusal> {
    let explicit = writer.solution.is_explicit();
    let needs = matches!(
        part,
        Part::Forces
            | Part::IdealForce
            | Part::NonidealForce
            | Part::Multipliers
            | Part::Reactions
            | Part::Steps
            | Part::Step(_)
    );
    if needs && !explicit {
        let why = motion::why_implicit(&writer.solution);
        return Err(Refusal::Absent(part, why));
    }
    match part {
        Part::Given => given::show(writer),
        Part::KineticEnergy => given::kinetic(writer),
        Part::PotentialEnergy => given::potential(writer),
        Part::Mass => derived::mass(writer),
        Part::Force => derived::force(writer),
        Part::Constraints => derived::rows(writer),
        Part::RightSides => derived::right_sides(writer),
        Part::Nonideal => derived::nonideal(writer),
        Part::Derivation => derived::derivation(writer),
        Part::Verdict => verdict::show(writer),
        Part::Hidden => verdict::hidden(writer),
        Part::Acceleration => motion::acceleration(writer),
        Part::Forces => motion::forces(writer),
        Part::IdealForce => motion::ideal(writer),
        Part::NonidealForce => motion::nonideal(writer),
        Part::Multipliers => motion::multipliers(writer),
        Part::Reactions => motion::reactions(writer),
        Part::Steps => steps::show(writer)?,
        Part::Step(step) => steps::one(writer, step)?,
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
