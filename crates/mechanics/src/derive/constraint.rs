//! Constraints: from φ = left − right to a row of `A q̈ = b`.
//!
//! The kind is what the equation really contains, not what it seems to: positions are differentiated twice, velocities
//! once, accelerations are taken as they are (Udwadia 2005, eqs. 3 to 5).

use super::lagrange::{jacobian_row, rate_at_rest};
use super::probe::{Probe, without};
use super::row::{ConstraintKind, Row};
use holonom_language::{Constraint, Diagnostic, Model};
use holonom_symbols::expr::{Depends, ExpressionPattern, Graph, Id, Node, Recipe, Renaming, Symbol};

/// The rows of all constraints, in order. Equations of one pattern are derived once, and renamed.
pub(super) fn rows(model: &Model, graph: &mut Graph, probe: &Probe, diagnostics: &mut Vec<Diagnostic>) -> Vec<Row> {
    let mut rows = Vec::with_capacity(model.row_count());
    let mut patterns = Patterns::default();
    let values = Probe::at_values(model, graph);
    for (index, constraint) in model.constraints.iter().enumerate() {
        for (component, &equation) in constraint.rows.iter().enumerate() {
            let name = model.row_name(constraint.first_row + component);
            let sides = [constraint.left[component], constraint.right[component]];
            let row = patterns.row(graph, [equation, sides[0], sides[1]], |graph| match row(graph, probe, equation) {
                Ok(mut row) if !row.a.is_empty() => {
                    row.scale_terms = sides.into_iter().flat_map(|side| top_terms(graph, side)).collect();
                    row.scale_terms.extend(constraint.size);
                    Ok(row)
                }
                Ok(_) => Err(Box::new(no_slope(graph, [probe, &values], constraint, &name, equation))),
                Err(Nonlinear(symbol)) => Err(Box::new(not_linear(model, constraint, &name, symbol))),
            });
            let mut row = match row {
                Ok(row) => {
                    if constraint.side.is_some() && row.kind != ConstraintKind::Holonomic {
                        diagnostics.push(one_sided_velocity(constraint, &name, row.kind));
                    }
                    row
                }
                Err(diagnostic) => {
                    let scale_terms = sides.into_iter().flat_map(|side| top_terms(graph, side)).collect();
                    // What holds for these values of parameters must be looked at again for others.
                    let position = (diagnostic.code == HOLDS && !probe.is_zero(graph, equation)).then_some(equation);
                    // Of a joint that repeats others the verdict speaks as a whole.
                    if !(constraint.is_made && diagnostic.code == HOLDS) {
                        diagnostics.push(*diagnostic);
                    }
                    Row { scale_terms, position, ..Row::nothing() }
                }
            };
            row.name = name;
            row.constraint = Some((index, component));
            row.off = constraint.off;
            row.one_sided = constraint.side.is_some();
            row.span = Some(constraint.span);
            rows.push(row);
        }
    }
    rows
}

/// Rows that were derived, by the pattern of their equations.
#[derive(Default)]
struct Patterns {
    pattern: ExpressionPattern,
    known: Vec<Option<Known>>,
    made: Vec<Id>,
}

/// A row, the names in it, and how to write it with others: made when it is asked for.
struct Known {
    row: Row,
    names: Renaming,
    recipe: Option<Recipe>,
}

impl Patterns {
    /// The row of an equation and its sides: derived where the pattern is new, else that of the first one with other names.
    fn row(
        &mut self,
        graph: &mut Graph,
        equation: [Id; 3],
        derive: impl FnOnce(&mut Graph) -> Result<Row, Box<Diagnostic>>,
    ) -> Result<Row, Box<Diagnostic>> {
        let (number, names) = self.pattern.of(graph, &equation);
        self.known.resize_with(self.known.len().max(number + 1), || None);
        let Some(known) = &mut self.known[number] else {
            let row = derive(graph)?;
            self.known[number] = Some(Known { row: row.clone(), names, recipe: None });
            return Ok(row);
        };
        let recipe = known.recipe.get_or_insert_with(|| Recipe::new(graph, &expressions(&known.row), &known.names));
        let mut written = recipe.write(graph, &names, &mut self.made).into_iter();
        let mut row = known.row.clone();
        expressions_mut(&mut row, |id| *id = written.next().unwrap_or(*id));
        for list in [&mut row.a, &mut row.velocity_by_position] {
            list.iter_mut().for_each(|entry| entry.0 = known.names.coordinate(&names, entry.0));
            list.sort_unstable_by_key(|entry| entry.0);
        }
        Ok(row)
    }
}

/// All expressions of a row.
fn expressions(row: &Row) -> Vec<Id> {
    let mut all = Vec::new();
    expressions_mut(&mut row.clone(), |id| all.push(*id));
    all
}

fn expressions_mut(row: &mut Row, mut visit: impl FnMut(&mut Id)) {
    row.position.iter_mut().chain(&mut row.velocity).for_each(&mut visit);
    row.a.iter_mut().chain(&mut row.velocity_by_position).for_each(|entry| visit(&mut entry.1));
    visit(&mut row.b);
    row.scale_terms.iter_mut().for_each(visit);
}

/// An equation that is not linear in this acceleration.
#[derive(Debug)]
pub(super) struct Nonlinear(pub(super) Symbol);

/// The row of an equation `expression = 0`; its name and place are for the caller to add.
pub(super) fn row(graph: &mut Graph, probe: &Probe, expression: Id) -> Result<Row, Nonlinear> {
    let mut row = Row::nothing();
    row.scale_terms = top_terms(graph, expression);
    let Some(expression) = without(graph, probe, expression, Depends::ACCELERATION) else {
        return acceleration_row(graph, probe, expression, row);
    };
    row.rheonomic = without(graph, probe, expression, Depends::TIME).is_none();
    if let Some(position) = without(graph, probe, expression, Depends::VELOCITY) {
        let velocity = graph.rate(&[position])[0];
        row.kind = ConstraintKind::Holonomic;
        row.position = Some(position);
        row.velocity = Some(velocity);
        row.a = jacobian_row(graph, position, Symbol::Position);
    } else {
        row.kind = ConstraintKind::Velocity;
        row.velocity = Some(expression);
        row.a = jacobian_row(graph, expression, Symbol::Velocity);
    }
    row.a.retain(|&(_, slope)| !seems_zero(graph, probe, slope));
    if let Some(velocity) = row.velocity {
        row.velocity_by_position = jacobian_row(graph, velocity, Symbol::Position);
        let rest = rate_at_rest(graph, &[velocity])[0];
        row.b = graph.negate(rest);
    }
    Ok(row)
}

/// Taken as it is: A = ∂/∂q̈, b = −(the rest).
fn acceleration_row(graph: &mut Graph, probe: &Probe, expression: Id, mut row: Row) -> Result<Row, Nonlinear> {
    row.kind = ConstraintKind::Acceleration;
    row.rheonomic = without(graph, probe, expression, Depends::TIME).is_none();
    for (i, slope) in jacobian_row(graph, expression, Symbol::Acceleration) {
        let symbol = Symbol::Acceleration(i as u32);
        let slope = without(graph, probe, slope, Depends::ACCELERATION).ok_or(Nonlinear(symbol))?;
        if !seems_zero(graph, probe, slope) {
            row.a.push((i, slope));
        }
    }
    let at_rest = |symbol: Symbol| matches!(symbol, Symbol::Acceleration(_)).then_some(Id::ZERO);
    let rest = graph.substitute(&[expression], at_rest)[0];
    row.b = graph.negate(rest);
    Ok(row)
}

/// Zero for all parameters and states.
fn seems_zero(graph: &Graph, probe: &Probe, slope: Id) -> bool {
    slope == Id::ZERO || probe.is_zero(graph, slope)
}

/// The summands of an expression, each with its coefficient.
pub(super) fn top_terms(graph: &mut Graph, expression: Id) -> Vec<Id> {
    match graph.node(expression) {
        Node::Sum { constant, terms } => {
            let (constant, terms) = (*constant, terms.clone());
            let mut result: Vec<Id> = terms.iter().map(|&(c, term)| graph.scale(c, term)).collect();
            if !constant.is_zero() {
                result.push(graph.number(constant));
            }
            result
        }
        _ if expression == Id::ZERO => Vec::new(),
        _ => vec![expression],
    }
}

fn one_sided_velocity(constraint: &Constraint, name: &str, kind: ConstraintKind) -> Diagnostic {
    let what = if kind == ConstraintKind::Velocity { "velocities" } else { "accelerations" };
    Diagnostic::error("one-sided-velocity", format!("the one-sided constraint `{name}` is about {what}"))
        .at(constraint.span, format!("contains {what}"))
        .note("contact is where a gap closes, and a gap is made of positions and time")
        .help("write the limit of the position: `constraint floor: y >= 0`")
        .help("to hold a velocity, add an equation by an event: `constraint hold: x' = 0, off` and `event e: x' < 0 -> add hold`")
}

fn not_linear(model: &Model, constraint: &Constraint, name: &str, symbol: Symbol) -> Diagnostic {
    let acceleration = model.symbol_name(symbol);
    Diagnostic::error(
        "not-linear-in-accelerations",
        format!("the constraint `{name}` is not linear in `{acceleration}`"),
    )
    .at(constraint.span, format!("`{acceleration}` occurs in a power, a product of accelerations or a function"))
    .note(
        "constraints on accelerations have the form `A q̈ = b`: each acceleration times something without accelerations",
    )
    .help(format!("solve the equation for `{acceleration}` and write one equation for the branch that is meant"))
    .help("or write the condition on velocities or positions it came from: it is differentiated for you")
}

/// A row of a joint without coordinates holds where no more than this part of the size of the picture is left.
const DUST: f64 = 1e-12;

/// Times at which a gap without coordinates is looked at.
const TIMES: u64 = 6;

/// The code of a constraint that says nothing.
const HOLDS: &str = "idle-constraint";

/// An equation in which no coordinate matters: true, false, or without a slope.
///
/// It is asked in general, and with the values that parameters have.
fn no_slope(
    graph: &mut Graph,
    [probe, values]: [&Probe; 2],
    constraint: &Constraint,
    name: &str,
    equation: Id,
) -> Diagnostic {
    let state = Depends::POSITION | Depends::VELOCITY | Depends::ACCELERATION;
    if probe.is_zero(graph, equation) {
        return Diagnostic::warning(HOLDS, format!("the constraint `{name}` holds always"))
            .at(constraint.span, "both sides are the same, whatever the coordinates are")
            .note("the row is kept as 0 = 0: it constrains nothing and exerts no force")
            .help("remove it, or check its signs and indices");
    }
    let numbers_only = without(graph, probe, equation, state).is_some();
    // What bodies add up to is zero beside their sizes: rounding may be all that is left.
    let is_dust = |size: Id| {
        (0..TIMES).all(|state| {
            let found = values.values(graph, &[equation, size], state);
            found[0].abs() <= DUST * found[1].abs()
        })
    };
    if numbers_only && (values.is_zero(graph, equation) || constraint.size.is_some_and(is_dust)) {
        return Diagnostic::warning(HOLDS, format!("the constraint `{name}` holds for these values of parameters"))
            .at(constraint.span, "all coordinates cancel, and what is left is 0")
            .note("it constrains nothing and exerts no force")
            .help("remove it, or check its signs and indices");
    }
    // The gap of a one-sided constraint may stay open.
    let is_open = |state: u64| values.values(graph, &[equation], state)[0] >= 0.0;
    if numbers_only && constraint.side.is_some() && (0..TIMES).all(is_open) {
        return Diagnostic::warning(HOLDS, format!("the one-sided constraint `{name}` never touches"))
            .at(constraint.span, "all coordinates cancel, and the sides stay apart")
            .note("it constrains nothing and exerts no force")
            .help("remove it, or check its signs and indices");
    }
    if numbers_only {
        let left = if constraint.side.is_some() { "below zero" } else { "not zero" };
        return Diagnostic::error("impossible-constraint", format!("the constraint `{name}` can never hold"))
            .at(constraint.span, format!("all coordinates cancel, and what is left is {left}"))
            .help("check the signs and the indices of both sides");
    }
    Diagnostic::error("constraint-without-slope", format!("the constraint `{name}` has no slope"))
        .at(constraint.span, "the derivative of this equation is zero wherever it exists")
        .note("a constraint acts through its derivative: a step has none")
        .help("write an equation that changes with the coordinates, or make it an `event`")
}
