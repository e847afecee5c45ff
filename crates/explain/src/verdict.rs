//! The verdict: ranks, uniqueness, what repeats what, what would have to hold.

use super::writer::Writer;
use crate::explicit::Contradiction;
use holonom_symbols::expr::{Formula, Id};
use holonom_symbols::page::{Equation, Rich, Tone};

pub(super) fn show(writer: &mut Writer) {
    let n = writer.equations.model.coordinates.len();
    let ranks = writer.solution.ranks;
    if writer.solution.is_explicit() || ranks.system > 0 {
        let rows = writer.rows().len();
        let freedom = n.saturating_sub(ranks.constraints);
        let constraints = match rows {
            0 => String::new(),
            _ => format!(", {} of {rows} rows of constraints independent", ranks.constraints),
        };
        let degrees = if freedom == 1 { "degree" } else { "degrees" };
        writer.page.text(format!("{n} coordinates{constraints}: {freedom} {degrees} of freedom."));
        let mass = match ranks.mass {
            full if full == n => format!("M has full rank {n}"),
            some => format!("M is singular, of rank {some}"),
        };
        let contradicted = writer.solution.contradictions.iter().any(|c| !c.rows.is_empty());
        let of = ranks.system;
        let line = Rich::from(format!("{mass}; `[M; A]` has rank {of} of {n}"));
        let source = " (Udwadia & Phohomsiri 2006, result 3).";
        writer.page.text(if contradicted {
            line.words(". ").judged(Tone::Bad, "No motion").words(
                " meets constraints that contradict each other: the acceleration below is that of least squares.",
            )
        } else if !writer.solution.admissible {
            let but = line.words(", but ").judged(Tone::Bad, "no state was found");
            but.words(" that satisfies the constraints: they contradict each other unless one exists, and ")
                .code("check")
                .words(" says how near they come. What follows holds where they are not satisfied.")
        } else if of == n {
            line.words(": the acceleration is ").judged(Tone::Good, "unique").words(source)
        } else {
            line.words(": the acceleration is ").judged(Tone::Bad, "not unique").words(source)
        });
    }
    dependent(writer);
    contradictions(writer);
    hidden(writer);
    special(writer);
    substituted(writer);
    assumptions(writer);
}

/// What the formulas take to hold.
pub(super) fn assumptions(writer: &mut Writer) {
    let all = writer.solution.assumptions.join(", ");
    if !all.is_empty() {
        writer.page.note(format!("Taken to hold: {all}."));
    }
}

/// Rows that others imply.
fn dependent(writer: &mut Writer) {
    let mut items = Vec::new();
    for dependent in &writer.solution.dependent {
        let rows = &writer.equations.rows;
        let mut line = Rich::default().code(&rows[dependent.row].name);
        let of_it = |c: &Contradiction| c.rows.iter().any(|(row, _)| *row == dependent.row);
        let contradicted = writer.solution.contradictions.iter().any(of_it);
        line = match &dependent.combination[..] {
            [] if contradicted => line.words(" has nothing on its left side"),
            [] => line.words(" ").judged(Tone::Doubtful, "says nothing"),
            [(row, Id::ONE)] if contradicted => line.words(" has the left side of ").code(&rows[*row].name),
            [(row, Id::ONE)] => line.words(" ").judged(Tone::Doubtful, "repeats").words(" ").code(&rows[*row].name),
            combination => {
                let mut line = match contradicted {
                    true => line.words(" has the left side of "),
                    false => line.words(" ").judged(Tone::Doubtful, "follows from the others").words(": it is "),
                };
                for (place, &(row, factor)) in combination.iter().enumerate() {
                    line = if place > 0 { line.words(" + ") } else { line };
                    if factor != Id::ONE {
                        line = line.formula(Formula::product([writer.formula(factor)])).words(" × ");
                    }
                    line = line.code(&rows[row].name);
                }
                line
            }
        };
        let line = if contradicted { line.words(", and another right side") } else { line };
        items.push(if dependent.everywhere { line } else { line.words(", where the constraints are met") });
    }
    if !items.is_empty() {
        writer.page.list(items);
    }
}

fn contradictions(writer: &mut Writer) {
    for contradiction in writer.solution.contradictions.clone() {
        let rows = &writer.equations.rows;
        let names: Vec<String> = contradiction.rows.iter().map(|(row, _)| format!("`{}`", rows[*row].name)).collect();
        let what = match names.is_empty() {
            false => Rich::from(format!("{} ", names.join(" and ")))
                .judged(Tone::Bad, "contradict each other")
                .words(". They could hold together only if"),
            true => {
                Rich::from("A force acts in a direction without mass and constraint. There is an acceleration only if")
            }
        };
        writer.page.text(what);
        let must = writer.tidy(contradiction.must_vanish);
        let line = Equation::new(writer.formula(must), Formula::integer(0));
        writer.page.equation(line);
    }
}

/// Constraints that nobody wrote.
pub(super) fn hidden(writer: &mut Writer) {
    let equations = writer.equations;
    let found = &equations.hidden.found;
    if found.is_empty() {
        return;
    }
    let used = equations.model.hidden.is_some();
    writer.page.text(if used {
        "The balance of forces in directions without mass is a constraint that nobody wrote; it is among the rows:"
    } else {
        "The balance of forces in directions without mass is a constraint that is missing; `hidden find` adds it:"
    });
    for hidden in found {
        let (left, right) = (writer.tidy(hidden.left), writer.tidy(hidden.right));
        let line = Equation::new(writer.formula(left), writer.formula(right));
        writer.page.equation(line.numbered(&hidden.name));
    }
}

/// Parameter values at which ranks drop.
fn special(writer: &mut Writer) {
    let n = writer.equations.model.coordinates.len();
    let mut items = Vec::new();
    for special in &writer.solution.special {
        let (parameter, value) = special.parameter;
        let name = Formula::name(&writer.equations.model.parameters[parameter].name);
        let mut line = Rich::from("At ").formula(name).words(&format!(" = {value} "));
        line = if special.system < writer.solution.ranks.system {
            line.words(&format!(
                "the rank of [M; A] drops to {} of {n}, and the acceleration is no longer unique",
                special.system
            ))
        } else {
            line.words(&format!("the rank of A drops to {}", special.constraints))
        };
        items.push(line);
    }
    if !items.is_empty() {
        writer.page.list(items);
    }
}

fn substituted(writer: &mut Writer) {
    for (parameter, value) in writer.solution.substituted.clone() {
        let name = Formula::name(&writer.equations.model.parameters[parameter].name);
        let line = Rich::default()
            .formula(name)
            .words(" = ")
            .formula(writer.formula(value))
            .words(" is put in: other values would change the ranks.");
        writer.page.text(line);
    }
}
