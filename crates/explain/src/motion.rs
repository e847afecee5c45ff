//! The equation of motion and the forces of the constraints.

use super::Part;
use super::derived::vector;
use super::writer::Writer;
use crate::explicit::{Form, Solution};
use holonom_symbols::expr::{Formula, Id};
use holonom_symbols::page::{Equation, Rich};

/// q̈ of the coordinates that are wanted, with what nothing determines; or the implicit form, and why.
pub(super) fn acceleration(writer: &mut Writer) {
    if let Form::Implicit { advice, .. } = &writer.solution.form {
        let (why, advice) = (why_implicit(&writer.solution), advice.clone());
        writer.page.text(format!("There is no closed form to show: {why}. The equations stand for themselves:"));
        implicit(writer);
        writer.page.note(format!("What to do: {advice}."));
        return;
    }
    if writer.define() {
        writer.page.text("the accelerations are");
    }
    let mut lines = Vec::new();
    for i in writer.wanted() {
        let mut value = writer.solution.acceleration[i];
        let graph = &mut writer.solution.graph;
        for free in &writer.solution.free {
            let eta = graph.symbol(free.symbol);
            let part = graph.multiply(free.direction[i], eta);
            value = graph.add(value, part);
        }
        let name = format!("{}''", writer.equations.model.coordinates[i].name);
        lines.push((Formula::name(&name), value));
        writer.ask(name, value);
    }
    writer.equations(&lines);
    let free = match writer.solution.free.len() {
        0 => None,
        1 => Some(
            "is arbitrary: nothing determines the motion in its direction. Zero gives the accelerations of least size.",
        ),
        _ => Some(
            "are arbitrary: nothing determines the motion in their directions. Zero gives the accelerations of least size.",
        ),
    };
    if let Some(why) = free {
        let mut line = Rich::default();
        for (place, free) in writer.solution.free.iter().enumerate() {
            line = if place > 0 { line.words(", ") } else { line }.formula(Formula::name(&free.name));
        }
        writer.page.text(line.words(" ").words(why));
    }
    settled(writer);
    unknowns(writer);
    conditions(writer);
    // The verdict says it already, where it is on the page.
    if !writer.request.only.is_empty() && !writer.request.only.contains(&Part::Verdict) {
        super::verdict::assumptions(writer);
    }
    evidence(writer);
}

/// What `free` makes of it.
fn settled(writer: &mut Writer) {
    let Some(settled) = writer.solution.settled.clone() else { return };
    writer.page.text("With what `free` says of these directions, the accelerations are");
    let wanted = writer.wanted();
    let name = |i: usize| Formula::name(&format!("{}''", writer.equations.model.coordinates[i].name));
    let lines: Vec<(Formula, Id)> = wanted.into_iter().map(|i| (name(i), settled[i])).collect();
    writer.equations(&lines);
}

/// What the formulas divide by, where that can vanish.
fn conditions(writer: &mut Writer) {
    let below = writer.solution.conditions.clone();
    if below.is_empty() {
        return;
    }
    let mut line = Rich::from("The formulas divide by ");
    for (place, &id) in below.iter().enumerate() {
        line = if place > 0 { line.words(", ") } else { line }.formula(writer.formula(id));
    }
    let zero = if below.len() == 1 { "which is zero" } else { "each of which is zero" };
    let rest = format!(
        ", {zero} at some states that meet the constraints. There `check` and `run` solve the equations as they are."
    );
    writer.page.text(line.words(&rest));
}

fn unknowns(writer: &mut Writer) {
    if writer.solution.unknowns.is_empty() {
        return;
    }
    writer.page.text("What no formula gives has to be found from");
    let unknowns = &writer.solution.unknowns;
    let lines: Vec<(Formula, Id)> = unknowns.iter().map(|u| (Formula::name(&u.name), u.value)).collect();
    writer.equations(&lines);
}

/// What the formulas were held against.
fn evidence(writer: &mut Writer) {
    let checked = writer.solution.checked;
    if checked.states == 0 {
        return;
    }
    let sets = match checked.parameters {
        0 | 1 => String::new(),
        many => format!(" with {many} sets of parameters"),
    };
    let open = match checked.undefined {
        0 => String::new(),
        some => format!(
            " At {some} more one of the two has no digits left: something that is divided by vanishes, or nearly."
        ),
    };
    let functions = match writer.equations.model.unspecified() {
        Some(_) => ", with arbitrary functions where none is given",
        None => "",
    };
    let states = match (checked.states, writer.solution.admissible) {
        (1, true) => "one admissible state".to_string(),
        (many, true) => format!("{many} admissible states"),
        (many, false) => format!("{many} states near the start"),
    };
    writer.page.note(format!(
        "Checked against the numerical solution at {states}{sets}{functions}. Largest difference: {:.0e} of the rounding error to expect.{open}",
        checked.worst
    ));
}

/// Why there is no formula.
pub(super) fn why_implicit(solution: &Solution) -> String {
    match &solution.form {
        Form::Implicit { reason, .. } => reason.clone(),
        _ => String::new(),
    }
}

/// M q̈ = Q + C + Aᵀλ and A q̈ = b.
fn implicit(writer: &mut Writer) {
    let name = Formula::name;
    let acceleration = || name("q''");
    let mut right = vec![name("Q")];
    let constrained = !writer.rows().is_empty();
    if !writer.equations.nonideal.is_empty() || !writer.equations.frictions.is_empty() {
        right.push(name("C"));
    }
    if constrained {
        right.push(Formula::product([name("A").transposed(), name("lambda")]));
    }
    let mut lines = vec![Equation::new(Formula::product([name("M"), acceleration()]), Formula::sum(right))];
    if constrained {
        lines.push(Equation::new(Formula::product([name("A"), acceleration()]), name("b")));
    }
    writer.page.equations(lines);
}

pub(super) fn forces(writer: &mut Writer) {
    writer.page.text("The force is the impressed one, the ideal force of the constraints, and the force that is there because they are not ideal:");
    let name = Formula::name;
    let sum = Formula::sum([name("Q"), index("i"), index("ni")]);
    writer.page.equation(Equation::new(Formula::product([name("M"), name("q''")]), sum).numbered("2005p 26"));
    ideal(writer);
    nonideal(writer);
    if !writer.rows().is_empty() {
        reactions(writer);
        if writer.solution.multipliers != writer.solution.reactions {
            multipliers(writer);
        }
    }
}

/// Says so where forces are written in terms of the accelerations above.
fn through_accelerations(writer: &mut Writer) {
    if writer.solution.through_accelerations {
        writer.page.text("In terms of the accelerations above, which is shorter:");
    }
}

pub(super) fn ideal(writer: &mut Writer) {
    through_accelerations(writer);
    let entries = writer.solution.ideal.clone();
    force(writer, "i", "Qi", &entries);
}

pub(super) fn nonideal(writer: &mut Writer) {
    let entries = writer.solution.nonideal.clone();
    force(writer, "ni", "Qni", &entries);
}

/// Qᵢ or Qₙᵢ.
fn index(which: &str) -> Formula {
    Formula::name("Q").subscript(Formula::words(which))
}

fn constraint_force() -> Formula {
    Formula::sum([index("i"), index("ni")])
}

/// Aᵀ times the reactions or the multipliers of all rows.
fn transposed_times(kind: &str) -> Formula {
    let letter = if kind == "reaction" { "Lambda" } else { "lambda" };
    Formula::product([Formula::name("A").transposed(), Formula::name(letter)])
}

fn force(writer: &mut Writer, which: &str, name: &str, entries: &[Id]) {
    let left = index(which);
    if !entries.is_empty() && entries.iter().all(|&id| id == Id::ZERO) {
        for i in writer.wanted() {
            let name = format!("{name}.{}", writer.equations.model.coordinates[i].name);
            writer.ask(name, Id::ZERO);
        }
        writer.page.equation(Equation::new(left, Formula::integer(0)));
        return;
    }
    vector(writer, left, name, entries);
}

pub(super) fn reactions(writer: &mut Writer) {
    writer.page.text(
        Rich::from("Reactions, which carry the whole force of the constraints: ")
            .formula(constraint_force().equals(Formula::sum([Formula::name("C"), transposed_times("reaction")]))),
    );
    let values = writer.solution.reactions.clone();
    by_row(writer, "reaction", &values);
}

pub(super) fn multipliers(writer: &mut Writer) {
    writer.page.text(
        Rich::from("Multipliers of the ideal force alone: ").formula(index("i").equals(transposed_times("multiplier"))),
    );
    let values = writer.solution.multipliers.clone();
    by_row(writer, "multiplier", &values);
}

fn by_row(writer: &mut Writer, kind: &str, values: &[Id]) {
    let mut lines = Vec::new();
    for row in writer.rows() {
        let name = format!("{kind}({})", writer.equations.rows[row].name);
        lines.push((Formula::name(&name), values[row]));
        writer.ask(name, values[row]);
    }
    writer.equations(&lines);
}
