//! What an event does: to the state, to parameters, to the constraints in force.

use super::event::spread;
use super::impact::jump;
use super::mechanics::{Level, Mechanics};
use super::trouble::Trouble;
use crate::analysis::number;
use holonom_language::{Diagnostic, EventAction};
use holonom_mechanics::compile::{Group, GroupPart, Inputs};
use holonom_symbols::expr::Symbol;

/// A constraint that is added must hold, up to this part of the scale of its rows.
const ADDED: f64 = 1e-9;

/// What came of an event.
#[derive(Clone, Debug, Default)]
pub(super) struct Done {
    pub(super) stop: bool,
    /// Whether to record the state after what it changes.
    pub(super) record: bool,
    /// Whether state, parameters or constraints are others now.
    pub(super) changed: bool,
    /// In words.
    pub(super) words: Vec<String>,
}

/// Why an event could not do what it is to do.
pub(super) enum Refused {
    Said(Box<Diagnostic>),
    Trouble(Trouble),
}

impl From<Trouble> for Refused {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

/// What an event is going to change, from the state before.
#[derive(Default)]
struct Changes {
    parameters: Vec<(usize, f64)>,
    state: Vec<(usize, f64)>,
    struck: Vec<(usize, f64)>,
    dropped: Vec<usize>,
    added: Vec<usize>,
}

/// Whether an event records the state as it finds it: before it changes anything.
pub(super) fn records_first(actions: &[EventAction]) -> bool {
    let changes = |action: &&EventAction| matches!(action, EventAction::Stop | EventAction::Record);
    actions.iter().take_while(changes).any(|action| matches!(action, EventAction::Record))
}

/// Carries out the actions of an event: all of them at once, from the values before; then the state is put on the
/// constraints that are in force after it.
pub(super) fn act(event: usize, mechanics: &mut Mechanics, t: f64, y: &mut [f64]) -> Result<Done, Refused> {
    let n = mechanics.n;
    let mut done = Done::default();
    let changes = read(event, mechanics, t, y, &mut done)?;
    if !done.changed {
        return Ok(done);
    }
    for &(place, value) in &changes.state {
        y[place] = value;
    }
    let equations = mechanics.system.equations();
    let mut system = mechanics.system.clone();
    if !changes.parameters.is_empty() {
        let name = |which: usize| equations.model.parameters[which].name.as_str();
        let values: Vec<(&str, f64)> = changes.parameters.iter().map(|&(which, value)| (name(which), value)).collect();
        system = system.with_parameters(&values).unwrap_or(system);
    }
    let belongs = |row: usize, list: &[usize]| equations.rows[row].constraint.is_some_and(|one| list.contains(&one.0));
    let rows: Vec<usize> = (0..equations.rows.len())
        .filter(|&row| {
            // What lies on a one-sided constraint is free to leave with the velocity that it is given; what touches is decided anew.
            let is_free = equations.rows[row].one_sided && !changes.state.is_empty();
            let stays = mechanics.in_force.rows.contains(&row) && !belongs(row, &changes.dropped) && !is_free;
            stays || belongs(row, &changes.added)
        })
        .collect();
    mechanics.change(system, rows);
    mechanics.measure(t, &y[..n], &y[n..2 * n]);
    if !changes.added.is_empty() {
        check_added(event, mechanics, &changes.added, t, y).map_err(Refused::Said)?;
    }
    // Ranks must be known before positions can be projected; then velocities jump, at the place where they are.
    let mut room = vec![0.0; y.len()];
    mechanics.rate_deciding(t, y, &mut room)?;
    let (q, v) = y[..2 * n].split_at_mut(n);
    mechanics.project(Level::Position, t, q, v)?;
    let speeds: Vec<f64> = (n..2 * n).map(|i| mechanics.sizes.extent(i)).collect();
    let made = jump(&mechanics.system, &mechanics.in_force.rows, &changes.struck, (t, q), v, &speeds)?;
    if !made.met {
        let event = &mechanics.system.equations().model.events[event];
        return Err(Refused::Said(Box::new(
            Diagnostic::error("event-impossible", format!("at t = {t} no velocities are as `{}` asks", event.name))
                .at(event.span, "its impacts and the active constraints contradict each other")
                .help("drop a constraint that is in the way, or let the impact strike fewer constraints"),
        )));
    }
    if !made.impulses.is_empty() {
        let list: Vec<String> = made.impulses.iter().map(|p| number(*p)).collect();
        done.words.push(format!("impulse {}", list.join(", ")));
    }
    Ok(done)
}

/// What the actions of an event come to, all from the state before.
fn read(event: usize, mechanics: &mut Mechanics, t: f64, y: &[f64], done: &mut Done) -> Result<Changes, Refused> {
    let n = mechanics.n;
    let (q, v) = y[..2 * n].split_at(n);
    mechanics.examine(t, q, v)?;
    let system = &mechanics.system;
    let (mut multipliers, mut reactions) = (vec![0.0; system.rows()], vec![0.0; system.rows()]);
    spread(mechanics, &mut multipliers, &mut reactions);
    let mut values = system.values(Group::Event);
    let inputs = Inputs {
        t,
        q,
        v,
        acceleration: &mechanics.found.acceleration,
        multiplier: &multipliers,
        reaction: &reactions,
        ..Inputs::default()
    };
    system.evaluate(&inputs, &mut values);
    let equations = system.equations();
    let model = &equations.model;
    let takes_value = |action: &&EventAction| matches!(action, EventAction::Set(..) | EventAction::Impact(..));
    let before = model.events[..event].iter().flat_map(|event| &event.actions).filter(takes_value).count();
    let mut value = values.part(GroupPart::Actions)[before..].iter().copied();
    let mut changes = Changes::default();
    // The rows of a joint are several constraints.
    let constraint = |which: usize| {
        let joint = model.joints.iter().find(|joint| joint.constraints.contains(&which));
        joint.map_or(model.constraints[which].name.as_str(), |joint| joint.name.as_str())
    };
    let say = |words: &mut Vec<String>, said: String| {
        if words.last() != Some(&said) {
            words.push(said);
        }
    };
    for action in &model.events[event].actions {
        let changed = !matches!(action, EventAction::Stop | EventAction::Record);
        match action {
            EventAction::Stop => {
                done.stop = true;
                done.words.push("stop".to_string());
            }
            EventAction::Record => {
                done.record |= done.changed;
                done.words.push("record".to_string());
            }
            EventAction::Drop(which) => {
                changes.dropped.push(*which);
                say(&mut done.words, format!("drop {}", constraint(*which)));
            }
            EventAction::Add(which) => {
                changes.added.push(*which);
                say(&mut done.words, format!("add {}", constraint(*which)));
            }
            EventAction::Set(symbol, _) => {
                let value = value.next().unwrap_or(f64::NAN);
                done.words.push(format!("set {} = {}", model.symbol_name(*symbol), number(value)));
                if !value.is_finite() {
                    let event = &model.events[event];
                    return Err(Refused::Said(Box::new(
                        Diagnostic::error(
                            "event-impossible",
                            format!(
                                "at t = {t} `{}` would set `{}` to {value}",
                                event.name,
                                model.symbol_name(*symbol)
                            ),
                        )
                        .at(event.span, "this is not a finite number"),
                    )));
                }
                match symbol {
                    Symbol::Parameter(which) => changes.parameters.push((*which as usize, value)),
                    Symbol::Position(j) => changes.state.push((*j as usize, value)),
                    Symbol::Velocity(j) => changes.state.push((n + *j as usize, value)),
                    _ => {}
                }
            }
            EventAction::Impact(which, _) => {
                let restitution = value.next().unwrap_or(0.0);
                let own = |row: &usize| equations.rows[*row].constraint.is_some_and(|one| one.0 == *which);
                changes.struck.extend((0..equations.rows.len()).filter(own).map(|row| (row, restitution)));
                let said = format!("impact {}, restitution = {}", constraint(*which), number(restitution));
                say(&mut done.words, said);
            }
        }
        done.changed |= changed;
    }
    Ok(changes)
}

/// Constraints come into force where they hold.
fn check_added(
    event: usize,
    mechanics: &mut Mechanics,
    added: &[usize],
    t: f64,
    y: &[f64],
) -> Result<(), Box<Diagnostic>> {
    let n = mechanics.n;
    let equations = mechanics.system.equations();
    let mut drift = mechanics.system.values(Group::PositionDrift);
    mechanics.system.at(t, &y[..n], &y[n..2 * n], &mut drift);
    for (place, &row) in mechanics.in_force.rows.iter().enumerate() {
        let own = equations.rows[row].constraint.is_some_and(|one| added.contains(&one.0));
        let residual = drift.residual()[row];
        if own && (residual.is_nan() || residual.abs() > ADDED * mechanics.drift.scales.of(Level::Position)[place]) {
            let (event, row) = (&equations.model.events[event], &equations.rows[row]);
            let mut message = Diagnostic::error(
                "add-violated",
                format!(
                    "at t = {t} the constraint `{}` does not hold, so that `{}` cannot add it",
                    row.name, event.name
                ),
            )
            .at(event.span, format!("left minus right is {}", number(residual)));
            if let Some(span) = row.span {
                message = message.at(span, "the constraint");
            }
            return Err(Box::new(message.help(format!(
                "let the event happen when the constraint is met: `event {}: LEFT - RIGHT crosses -> add …`",
                event.name
            ))));
        }
    }
    Ok(())
}
