//! What is given: coordinates, parameters, energies, constraints.

use super::writer::{Writer, parameter_values};
use holonom_language::units::readable;
use holonom_mechanics::derive::ConstraintKind;
use holonom_symbols::expr::{Formula, Id};
use holonom_symbols::page::{Equation, Rich};

pub(super) fn show(writer: &mut Writer) {
    let model = &writer.equations.model;
    let list = |names: Vec<Formula>| {
        let mut all = Rich::default();
        for (i, name) in names.into_iter().enumerate() {
            all = if i > 0 { all.words(", ") } else { all }.formula(name);
        }
        all
    };
    let coordinates = model.coordinates.iter().map(|coordinate| Formula::name(&coordinate.name)).collect();
    let mut line = Rich::from("Coordinates: ");
    line.parts.extend(list(coordinates).parts);
    writer.page.text(line);
    let values = parameter_values(writer.equations, writer.request);
    if !model.parameters.is_empty() {
        let mut line = Rich::from("Parameters: ");
        for (i, (parameter, value)) in model.parameters.iter().zip(values).enumerate() {
            line = if i > 0 { line.words(", ") } else { line };
            let si = || if model.has_units { readable(&parameter.dimension.to_string()) } else { String::new() };
            let (unit, scale) = match &parameter.unit {
                Some(typed) => (readable(&typed.text), typed.scale),
                None => (si(), 1.0),
            };
            let blank = if unit.is_empty() { "" } else { " " };
            line = line
                .formula(Formula::name(&parameter.name))
                .words(&format!(" = {}{blank}{unit}", short(value / scale)));
        }
        writer.page.text(line);
    }
    functions(writer);
    kinetic(writer);
    potential(writer);
    constraints(writer);
}

/// Functions that stay symbols.
fn functions(writer: &mut Writer) {
    let mut line = Rich::from("Functions without a value: ");
    for (i, one) in writer.equations.model.functions.iter().enumerate() {
        line = if i > 0 { line.words(", ") } else { line };
        line = line.formula(Formula::applied(&one.function.name, &one.function.arguments));
    }
    if !writer.equations.model.functions.is_empty() {
        writer.page.text(line);
    }
}

/// A number in few digits.
fn short(value: f64) -> String {
    let rounded = format!("{value:.6e}").parse::<f64>().unwrap_or(value);
    if rounded == 0.0 || (1e-4..1e6).contains(&rounded.abs()) { rounded.to_string() } else { format!("{rounded:e}") }
}

pub(super) fn kinetic(writer: &mut Writer) {
    let id = writer.equations.kinetic_energy;
    energy(writer, "T", id);
}

pub(super) fn potential(writer: &mut Writer) {
    let id = writer.equations.potential_energy;
    if id != Id::ZERO {
        energy(writer, "V", id);
    }
}

fn energy(writer: &mut Writer, name: &str, id: Id) {
    let id = writer.tidy(id);
    writer.ask(name, id);
    writer.equations(&[(Formula::name(name), id)]);
}

/// The constraints as they were written, with their kind.
fn constraints(writer: &mut Writer) {
    let equations = writer.equations;
    for constraint in &equations.model.constraints {
        if constraint.off && constraint.side.is_none_or(|side| side.disabled) {
            continue;
        }
        let kind = match equations.rows.get(constraint.first_row).map(|row| row.kind) {
            Some(ConstraintKind::Holonomic) => "of positions",
            Some(ConstraintKind::Velocity) => "of velocities",
            Some(ConstraintKind::Acceleration) => "of accelerations",
            None => continue,
        };
        let how = if equations.rows[constraint.first_row].rheonomic { ", and of time" } else { "" };
        let (side, sign) = match constraint.side {
            Some(_) => (", one-sided (open in the formulas below)", "≥"),
            None => ("", "="),
        };
        writer.page.text(format!("Constraint `{}`, {kind}{how}{side}:", constraint.name));
        let mut lines = Vec::new();
        for (&left, &right) in constraint.left.iter().zip(&constraint.right) {
            let (left, right) = (writer.tidy(left), writer.tidy(right));
            lines.push(Equation::new(writer.formula(left), writer.formula(right)).with_sign(sign));
        }
        writer.page.equations(lines);
    }
}
