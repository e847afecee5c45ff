//! The papers' own way: v, a, e, A⁺, B, M̄, M̄⁺, M̂, K₁, K, Δa and others, with the numbers of their equations.

use super::part::Step;
use super::writer::Writer;
use super::{Part, Refusal};
use crate::explicit::{ExpressionMatrix, Steps, steps};
use holonom_symbols::expr::{Formula, Id};

/// Steps that are shown on request only: `--steps` would repeat itself.
const ON_REQUEST: [Step; 2] = [Step::ConstrainedPart, Step::BSquare];

pub(super) fn show(writer: &mut Writer) -> Result<(), Refusal> {
    if writer.rows().is_empty() {
        writer.page.text("Without constraints there is nothing between a and the motion.");
    }
    let Some(found) = take(writer)? else {
        return Err(Refusal::Absent(Part::Steps, "the matrices would be too large".to_string()));
    };
    let mut missing = Vec::new();
    let n = writer.equations.model.coordinates.len();
    // Where the motion is unique, nothing is left to η.
    let is_left_out = |step: Step| ON_REQUEST.contains(&step) || step == Step::FreePart && found.rank == n;
    for step in Step::ALL.into_iter().filter(|&step| !is_left_out(step)) {
        match found.table(step.name()) {
            Some(table) => put(writer, &found, step, table),
            // M^(−1/2) has a short formula for diagonal M only.
            None if matches!(step, Step::B | Step::BInverse) && found.table("BBT").is_some() => {}
            None => missing.push(step),
        }
    }
    let singular = writer.solution.ranks.mass < n;
    if singular {
        writer.page.note("M is singular: there is no a = M⁻¹Q, and with it no e, no Δa and no B.");
        if found.rank == n {
            writer.page.note("The equation of motion is (2.15) of the 2006 paper, q'' = M̄⁺[Q + C; b].");
        }
    }
    if found.checked > 0 {
        let at = found.checked;
        writer.page.note(format!("Every entry was checked against the numerical solution at {at} admissible states."));
    }
    if missing.iter().any(|step| !singular || !step.needs_regular_mass()) {
        writer.page.note("What is not shown would be too large.");
    }
    Ok(())
}

pub(super) fn one(writer: &mut Writer, step: Step) -> Result<(), Refusal> {
    let absent = |why: &str| Refusal::Absent(Part::Step(step), why.to_string());
    let Some(found) = take(writer)? else { return Err(absent("the matrices would be too large")) };
    if found.table(step.name()).is_some_and(|table| table.entries.is_empty()) {
        return Err(absent("there are no constraints, or nothing that they leave free"));
    }
    match found.table(step.name()) {
        Some(table) => {
            put(writer, &found, step, table);
            writer.tables.push(table.clone());
        }
        None => {
            if matches!(step, Step::B | Step::BInverse) && found.table("BBT").is_some() {
                return Err(absent(
                    "M is not diagonal, and M^(-1/2) has no short formula; `--only BBT` gives B Bᵀ, and `holonom show matrices` numbers",
                ));
            }
            let singular = writer.solution.ranks.mass < writer.equations.model.coordinates.len();
            return Err(absent(if step.needs_regular_mass() && singular {
                "M is singular, and has no inverse"
            } else {
                "it would be too large"
            }));
        }
    }
    Ok(())
}

/// The steps; their graph, in which all other expressions are as well, becomes that of the page.
fn take(writer: &mut Writer) -> Result<Option<Steps>, Refusal> {
    let found = steps(writer.equations, &writer.solution, writer.budget).map_err(Refusal::Mismatch)?;
    Ok(found.map(|mut found| {
        writer.solution.graph = std::mem::take(&mut found.graph);
        found
    }))
}

fn put(writer: &mut Writer, found: &Steps, step: Step, table: &ExpressionMatrix) {
    if table.entries.is_empty() {
        return;
    }
    let entries = writer.tidy_all(&table.entries);
    let name = Part::Step(step).name();
    for (place, &entry) in entries.iter().enumerate() {
        let (row, column) = (place / table.columns + 1, place % table.columns + 1);
        let index = if table.columns == 1 { format!("{row}") } else { format!("{row},{column}") };
        writer.ask(format!("{name}[{index}]"), entry);
    }
    let ideal = writer.solution.given.iter().all(|&id| id == Id::ZERO);
    writer.matrix(left(step, ideal), table.columns, &entries, Some(table.equation));
    if step == Step::Displacements {
        writer
            .page
            .text("Each column is a virtual displacement, A v = 0; every other one is a sum of multiples of them.");
    }
    if step == Step::Mhat {
        let (rank, n) = (found.rank, writer.equations.model.coordinates.len());
        writer.page.text(format!("It has rank {rank} of {n}."));
    }
}

fn left(step: Step, ideal: bool) -> Formula {
    let name = Formula::name;
    let subscript = |letter: &str, index: &str| name(letter).subscript(Formula::words(index));
    let defined = |formula: Formula, meaning: Formula| formula.equals(meaning);
    match step {
        Step::FreeAcceleration => defined(name("a"), Formula::product([name("M").inverse(), name("Q")])),
        Step::Deviation => {
            defined(name("e"), Formula::sum([name("b"), Formula::product([name("A"), name("a")]).minus()]))
        }
        Step::ConstraintInverse => name("A").pseudo_inverse(),
        Step::Mbar => name("M").bar(),
        Step::MbarInverse => name("M").bar().pseudo_inverse(),
        Step::Mhat => name("M").hat(),
        Step::Displacements => name("v"),
        Step::ConstrainedPart => Formula::product([name("A").pseudo_inverse(), name("A")]),
        Step::VirtualPart => from_identity([name("A").pseudo_inverse(), name("A")]),
        Step::B => name("B"),
        Step::BInverse => name("B").pseudo_inverse(),
        Step::BSquare => Formula::product([name("B"), name("B").transposed()]),
        Step::Response => name("N"),
        Step::FreePart => from_identity([name("M").bar().pseudo_inverse(), name("M").bar()]),
        Step::K1 => subscript("K", "1"),
        Step::K => defined(name("K"), Formula::product([name("M"), subscript("K", "1")])),
        // With C there is more in Δa.
        Step::Correction if !ideal => Formula::product([subscript("K", "1"), name("e")]),
        Step::Correction => defined(
            Formula::row([Formula::name("Delta"), name("a")]),
            Formula::product([subscript("K", "1"), name("e")]),
        ),
    }
}

/// I − X Y
fn from_identity(factors: [Formula; 2]) -> Formula {
    Formula::sum([Formula::name("I"), Formula::product(factors).minus()])
}
