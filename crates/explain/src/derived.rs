//! What was derived: M, Q, A, b and C, and how A and b come from the constraints.

use super::writer::Writer;
use holonom_mechanics::derive::ConstraintKind;
use holonom_symbols::expr::{Formula, Id, Symbol};
use holonom_symbols::page::Equation;

pub(super) fn show(writer: &mut Writer, steps: bool) {
    mass(writer);
    force(writer);
    if writer.rows().is_empty() {
        writer.page.text("There are no constraints.");
        return;
    }
    if steps {
        derivation(writer);
    }
    rows(writer);
    right_sides(writer);
    nonideal(writer);
}

pub(super) fn mass(writer: &mut Writer) {
    let n = writer.equations.model.coordinates.len();
    let entries = writer.tidy_all(&writer.equations.mass.dense());
    for (place, &entry) in entries.iter().enumerate() {
        writer.ask(format!("M[{},{}]", place / n + 1, place % n + 1), entry);
    }
    writer.matrix(Formula::name("M"), n, &entries, None);
}

pub(super) fn force(writer: &mut Writer) {
    let entries = writer.tidy_all(&writer.equations.force);
    vector(writer, Formula::name("Q"), "Q", &entries);
}

/// A vector over the coordinates that are wanted.
pub(super) fn vector(writer: &mut Writer, left: Formula, name: &str, entries: &[Id]) {
    let wanted = writer.wanted();
    for &i in &wanted {
        let coordinate = &writer.equations.model.coordinates[i].name;
        writer.ask(format!("{name}.{coordinate}"), entries[i]);
    }
    if wanted.len() == entries.len() {
        writer.matrix(left, 1, entries, None);
        return;
    }
    let of = |i: usize| left.clone().subscript(Formula::name(&writer.equations.model.coordinates[i].name));
    let lines: Vec<(Formula, Id)> = wanted.iter().map(|&i| (of(i), entries[i])).collect();
    writer.equations(&lines);
}

pub(super) fn rows(writer: &mut Writer) {
    let n = writer.equations.model.coordinates.len();
    let entries = writer.constraint_matrix();
    for (place, &entry) in entries.iter().enumerate() {
        writer.ask(format!("A[{},{}]", place / n + 1, place % n + 1), entry);
    }
    if entries.is_empty() {
        writer.page.text("There are no constraints, and A has no rows.");
        return;
    }
    writer.matrix(Formula::name("A"), n, &entries, None);
}

pub(super) fn right_sides(writer: &mut Writer) {
    let entries = writer.right_sides();
    for (place, &entry) in entries.iter().enumerate() {
        writer.ask(format!("b[{}]", place + 1), entry);
    }
    if !entries.is_empty() {
        writer.matrix(Formula::name("b"), 1, &entries, None);
    }
}

pub(super) fn nonideal(writer: &mut Writer) {
    let given = writer.solution.given.clone();
    let frictions = &writer.equations.model.frictions;
    let ideal = writer.equations.nonideal.is_empty() && frictions.is_empty();
    if ideal || (!given.is_empty() && given.iter().all(|&id| id == Id::ZERO)) {
        let zero = Equation::new(Formula::name("C"), Formula::integer(0));
        writer.page.equation(zero);
        for i in writer.wanted() {
            let name = format!("C.{}", writer.equations.model.coordinates[i].name);
            writer.ask(name, Id::ZERO);
        }
        return;
    }
    if given.is_empty() {
        writer.page.text("C depends on the reactions, and is settled with them.");
        return;
    }
    vector(writer, Formula::name("C"), "C", &given);
}

/// Every row in force, from the constraint to its row of A q̈ = b.
pub(super) fn derivation(writer: &mut Writer) {
    let rows = writer.rows();
    for row in rows {
        let equations = writer.equations;
        let of = &equations.rows[row];
        let zero = Formula::integer(0);
        let how = match of.kind {
            ConstraintKind::Holonomic => "differentiated twice",
            ConstraintKind::Velocity => "differentiated once",
            ConstraintKind::Acceleration => "taken as it is",
        };
        writer.page.text(format!("`{}`, {how}:", of.name));
        let mut lines = Vec::new();
        for id in [of.position, of.velocity].into_iter().flatten() {
            let id = writer.tidy(id);
            lines.push(Equation::new(writer.formula(id), zero.clone()));
        }
        // The row itself, left and right side.
        let graph = &mut writer.solution.graph;
        let mut left = Id::ZERO;
        for &(column, entry) in &of.a {
            let acceleration = graph.symbol(Symbol::Acceleration(column as u32));
            let term = graph.multiply(entry, acceleration);
            left = graph.add(left, term);
        }
        let (left, right) = (writer.tidy(left), writer.tidy(of.b));
        lines.push(Equation::new(writer.formula(left), writer.formula(right)));
        writer.page.equations(lines);
    }
}
