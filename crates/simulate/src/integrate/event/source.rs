//! What may happen, and how near it is: one list of functions of time and state, whose passages through zero end steps.
//!
//! Sources are the events of users, the seams of the equations, gaps of one-sided rows that close, and contacts. Another kind takes a variant of `Source`, its
//! functions in the list that `sources` makes, and its numbers in `Evaluation::look`; what follows from a passage is done in
//! `happen`.

use super::together::Together;
use crate::integrate::locate::{Heed, Look};
use crate::integrate::mechanics::{Level, Mechanics};
use crate::integrate::method::Method;
use crate::integrate::reading::Reading;
use crate::integrate::switch::{has_seams, jumps, margin, switches};
use crate::integrate::trouble::Trouble;
use holonom_language::When;
use holonom_language::syntax::Direction;
use holonom_mechanics::compile::{CompiledSystem, Fixed, Inputs, Memory, Program};
use holonom_symbols::expr::{Depends, Graph, Id};

/// What a function is moved by to see what it depends on, as a part of the size of a coordinate.
const DIFFERENCE: f64 = 1e-7;
/// The last digits of a coordinate, as a part of its size.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Where a trigger comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::integrate) enum Source {
    /// An event of the model.
    User(usize),
    /// A seam of the equations.
    Switch,
    /// A seam at which forces may hold the motion, by its number among those.
    Jump(usize),
    /// A contact that stops, turns or gives way, by number.
    Motion(usize),
    /// A contact whose load changes its sign.
    Load(usize),
    /// A one-sided row whose gap closes, by its number among those of the equations.
    Gap(usize),
    /// A one-sided row in force that would pull.
    Push(usize),
    /// A seam that holds, whose force comes to an end of its jump.
    Hold(usize),
}

impl Source {
    /// Whether it comes from a contact.
    pub(super) fn is_contact(self) -> bool {
        matches!(self, Self::Motion(_) | Self::Load(_) | Self::Push(_) | Self::Hold(_))
    }
}

/// How a trigger is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Needs {
    State,
    Acceleration,
    Forces,
}

/// All sources, in order, with the passages that count; and the functions of those that are compiled, which come first.
pub(super) fn sources(system: &CompiledSystem) -> (Vec<(Source, Heed)>, Graph, Vec<Id>) {
    let equations = system.equations();
    let mut list = Vec::new();
    let mut graph = None;
    let mut functions: Vec<Id> = Vec::new();
    let mut holds = 0;
    for (number, event) in equations.model.events.iter().enumerate() {
        let graph = graph.get_or_insert_with(|| equations.graph.clone());
        let (function, direction) = match event.when {
            When::Becomes(condition) => (margin(graph, condition), Direction::Rises),
            When::Passes(function, direction) => (function, direction),
            // Contact is found by the constraint itself: nothing here passes through zero.
            When::Catches(_) | When::LetsGo(_) => (Id::ONE, Direction::Falls),
        };
        functions.push(function);
        let heed = Heed { rising: direction != Direction::Falls, falling: direction != Direction::Rises };
        list.push((Source::User(number), heed));
    }
    if has_seams(equations) {
        let graph = graph.get_or_insert_with(|| equations.graph.clone());
        let switches = switches(equations, graph);
        let jumps = jumps(equations, graph, &switches);
        holds = jumps.len();
        for (number, function) in switches.into_iter().enumerate() {
            let jump = jumps.iter().position(|jump| jump.switch == number);
            functions.push(function);
            list.push((jump.map_or(Source::Switch, Source::Jump), Heed { rising: true, falling: true }));
        }
    }
    let falls = Heed { rising: false, falling: true };
    for row in equations.one_sided_rows() {
        graph.get_or_insert_with(|| equations.graph.clone());
        functions.push(equations.rows[row].position.unwrap_or(Id::ONE));
        list.push((Source::Gap(row), falls));
    }
    if equations.hangs_on_reactions() {
        // What a contact says is positive until it does something else.
        let until = Heed { rising: false, falling: true };
        for which in 0..equations.frictions.len() {
            list.extend([(Source::Motion(which), until), (Source::Load(which), until)]);
        }
    }
    list.extend(equations.one_sided_rows().map(|row| (Source::Push(row), falls)));
    list.extend((0..holds).map(|seam| (Source::Hold(seam), falls)));
    (list, graph.unwrap_or_default(), functions)
}

/// The functions of all sources.
pub(super) struct Evaluation {
    /// How many are compiled; those of contacts come after them.
    count: usize,
    program: Program,
    fixed: Fixed,
    memory: Memory,
    needs: Needs,
    /// What may be moved at once to see what functions depend on.
    together: Together,
    /// Functions whose rate is known.
    rated: Vec<bool>,
    multipliers: Vec<f64>,
    reactions: Vec<f64>,
    /// Functions that depend on velocities.
    pub(super) on_velocity: Vec<bool>,
    /// What contacts say at the end of the step, or at the last look where they are looked at inside.
    contacts: Vec<Reading>,
    end: f64,
    /// Whether to look at contacts inside the step, which takes an acceleration.
    pub(super) awake: bool,
}

/// The way through a step.
pub(in crate::integrate) struct Path<'a> {
    pub(in crate::integrate) method: &'a Method,
    pub(in crate::integrate) start: f64,
    /// The length of the step.
    pub(in crate::integrate) length: f64,
    /// How far it is taken, and the state there.
    pub(in crate::integrate) end: f64,
    pub(in crate::integrate) at_end: &'a [f64],
    /// Whether states are put on the constraints.
    pub(in crate::integrate) projected: bool,
    pub(in crate::integrate) room: &'a mut [f64],
}

impl Path<'_> {
    /// The state at a time, on the constraints.
    pub(in crate::integrate) fn state(&mut self, mechanics: &mut Mechanics, t: f64) -> Result<&[f64], Trouble> {
        if t == self.end {
            return Ok(self.at_end);
        }
        self.method.interpolate((t - self.start) / self.length, self.room);
        if self.projected {
            put_on_constraints(mechanics, t, self.room)?;
        }
        Ok(self.room)
    }
}

/// Projects positions and then velocities.
pub(in crate::integrate) fn put_on_constraints(
    mechanics: &mut Mechanics,
    t: f64,
    y: &mut [f64],
) -> Result<(), Trouble> {
    let n = mechanics.n;
    let (q, v) = y[..2 * n].split_at_mut(n);
    mechanics.project(Level::Position, t, q, v)?;
    mechanics.project(Level::Velocity, t, q, v)?;
    Ok(())
}

impl Evaluation {
    /// All functions at a state on the constraints.
    pub(super) fn look(
        &mut self,
        mechanics: &mut Mechanics,
        t: f64,
        y: &[f64],
        look: &mut Look,
    ) -> Result<(), Trouble> {
        let n = mechanics.n;
        let (q, v) = y[..2 * n].split_at(n);
        if let Some(i) = look.wanted.filter(|&i| self.takes_state_alone(mechanics, i)) {
            (look.t, look.values[i]) = (t, self.value_of(mechanics, t, y, i));
            return Ok(());
        }
        match self.needs {
            Needs::State if !self.awake => {}
            Needs::State | Needs::Acceleration => mechanics.accelerate(t, q, v, false)?,
            Needs::Forces => {
                mechanics.examine(t, q, v)?;
                spread(mechanics, &mut self.multipliers, &mut self.reactions);
            }
        }
        self.evaluate(mechanics, t, q, v);
        let (values, rates) = self.memory.outputs().split_at(self.count);
        look.t = t;
        look.values[..self.count].copy_from_slice(values);
        for ((rate, known), value) in look.rates.iter_mut().zip(&self.rated).zip(rates) {
            *rate = if *known { *value } else { f64::NAN };
        }
        if self.awake {
            self.read_contacts(mechanics, t, y)?;
        }
        for (i, reading) in self.contacts.iter().enumerate() {
            let known = self.awake || t == self.end;
            look.put(self.count + i, if known { *reading } else { Reading::fixed(f64::NAN) });
        }
        Ok(())
    }

    /// Whether a function needs no acceleration: its rate may.
    fn takes_state_alone(&self, mechanics: &Mechanics, i: usize) -> bool {
        let contacts = mechanics.contacts.as_ref().map_or(&[][..], |contacts| &contacts.list);
        match i.checked_sub(self.count) {
            None => self.rated[i],
            Some(at) => at.is_multiple_of(2) && contacts.get(at / 2).is_some_and(|contact| contact.slides()),
        }
    }

    /// The value of such a function.
    fn value_of(&mut self, mechanics: &mut Mechanics, t: f64, y: &[f64], i: usize) -> f64 {
        let Some(at) = i.checked_sub(self.count) else { return self.value(mechanics, t, y, i) };
        let (q, v) = y[..2 * mechanics.n].split_at(mechanics.n);
        if let Some(contacts) = &mut mechanics.contacts {
            contacts.evaluate(&mechanics.system, t, q, v);
        }
        self.contacts.clear();
        mechanics.contact_triggers(&mut self.contacts);
        self.contacts[at].value
    }

    /// What contacts say at a state whose acceleration was found last.
    pub(super) fn read_contacts(&mut self, mechanics: &mut Mechanics, t: f64, y: &[f64]) -> Result<(), Trouble> {
        self.end = t;
        self.contacts.clear();
        mechanics.contact_triggers(&mut self.contacts);
        if mechanics.sticking_is_open() {
            // Where reactions are not unique, the limits of single contacts say nothing: all of them hold, or do not.
            let (q, v) = y[..2 * mechanics.n].split_at(mechanics.n);
            let holds = mechanics.still_sticks(t, q, v)?;
            let list = mechanics.contacts.as_ref().map_or(&[][..], |contacts| &contacts.list);
            for (contact, readings) in list.iter().zip(self.contacts.chunks_exact_mut(2)) {
                if contact.sticks() {
                    readings[0] = Reading::fixed(if holds { 1.0 } else { -1.0 });
                }
            }
        }
        if mechanics.pushing_is_open() {
            // The same for rows that push.
            let (q, v) = y[..2 * mechanics.n].split_at(mechanics.n);
            let holds = mechanics.still_pushes(t, q, v)?;
            let seams = mechanics.seams.as_ref().map_or(0, |seams| seams.len());
            let first = self.contacts.len() - seams - mechanics.in_force.sided.len();
            for (reading, (_, place)) in self.contacts[first..].iter_mut().zip(&mechanics.in_force.sided) {
                if place.is_some() {
                    *reading = Reading::fixed(if holds { 1.0 } else { -1.0 });
                }
            }
        }
        Ok(())
    }

    /// Puts what contacts say into a look.
    pub(super) fn show_contacts(&self, look: &mut Look) {
        look.t = self.end;
        for (i, reading) in self.contacts.iter().enumerate() {
            look.put(self.count + i, *reading);
        }
    }

    /// One compiled function at a state; accelerations and forces are those of the last look.
    pub(super) fn value(&mut self, mechanics: &Mechanics, t: f64, y: &[f64], i: usize) -> f64 {
        let (q, v) = y[..2 * mechanics.n].split_at(mechanics.n);
        self.evaluate(mechanics, t, q, v);
        self.memory.outputs()[i]
    }

    /// Parameters have other values.
    pub(super) fn take_parameters(&mut self, system: &CompiledSystem) {
        self.fixed = self.program.fixed(system.parameters());
    }

    fn evaluate(&mut self, mechanics: &Mechanics, t: f64, q: &[f64], v: &[f64]) {
        self.evaluate_with(&mechanics.found.acceleration, t, q, v);
    }

    fn evaluate_with(&mut self, acceleration: &[f64], t: f64, q: &[f64], v: &[f64]) {
        let inputs = Inputs {
            t,
            q,
            v,
            acceleration,
            multiplier: &self.multipliers,
            reaction: &self.reactions,
            ..Inputs::default()
        };
        self.program.evaluate(&self.fixed, &inputs, &mut self.memory);
    }

    /// What the last digits of positions and velocities make of the functions, and those of velocities and accelerations of their rates.
    pub(super) fn rounding(&mut self, mechanics: &Mechanics, t: f64, y: &[f64], floor: &mut [f64], still: &mut [f64]) {
        let (n, count) = (mechanics.n, self.count);
        let (q, v) = y[..2 * n].split_at(n);
        self.evaluate(mechanics, t, q, v);
        let here = self.memory.outputs().to_vec();
        floor.fill(0.0);
        let change = |outputs: &[f64], at: usize| match (outputs[at] - here[at]).abs() * (ROUNDING / DIFFERENCE) {
            change if change.is_finite() => change,
            _ => 0.0,
        };
        let together = std::mem::take(&mut self.together);
        let (mut moved, sizes) = (y[..2 * n].to_vec(), mechanics.sizes.kind());
        for (groups, level) in [(&together.positions, 0), (&together.velocities, n)] {
            for group in groups {
                group.iter().for_each(|&j| moved[level + j] += DIFFERENCE * sizes[level + j]);
                self.evaluate(mechanics, t, &moved[..n], &moved[n..]);
                group.iter().for_each(|&j| moved[level + j] = y[level + j]);
                for i in 0..count {
                    floor[i] += change(self.memory.outputs(), i);
                    if level == n && self.rated[i] {
                        still[i] = still[i].max(change(self.memory.outputs(), count + i));
                    }
                }
            }
        }
        // What accelerations of a kind leave of each other where they cancel.
        let mut largest = vec![0.0_f64; n];
        for (j, a) in mechanics.found.acceleration.iter().enumerate() {
            let first = mechanics.sizes.alike(j);
            largest[first] = largest[first].max(a.abs());
        }
        let mut moved = mechanics.found.acceleration.clone();
        for group in &together.accelerations {
            group.iter().for_each(|&j| moved[j] += DIFFERENCE * largest[mechanics.sizes.alike(j)]);
            self.evaluate_with(&moved, t, q, v);
            group.iter().for_each(|&j| moved[j] = mechanics.found.acceleration[j]);
            for i in (0..count).filter(|&i| self.rated[i]) {
                still[i] = still[i].max(change(self.memory.outputs(), count + i));
            }
        }
        self.together = together;
    }
}

/// Multipliers and reactions of the rows in force, as those of all rows.
pub(in crate::integrate) fn spread(mechanics: &Mechanics, multipliers: &mut [f64], reactions: &mut [f64]) {
    multipliers.fill(0.0);
    reactions.fill(0.0);
    for (place, &row) in mechanics.in_force.rows.iter().enumerate() {
        multipliers[row] = mechanics.found.ideal[place];
        reactions[row] = mechanics.found.reaction[place];
    }
}

impl Evaluation {
    pub(super) fn new(system: &CompiledSystem, mut graph: Graph, functions: Vec<Id>, contacts: usize) -> Self {
        let on_velocity = functions.iter().map(|&id| graph.depends(id).on(Depends::VELOCITY)).collect();
        let on_motion = Depends::ACCELERATION | Depends::FORCE;
        let rated: Vec<bool> = functions.iter().map(|&id| !graph.depends(id).on(on_motion)).collect();
        let mut roots = functions.clone();
        for (&function, &known) in functions.iter().zip(&rated) {
            roots.push(if known { graph.rate(&[function])[0] } else { Id::ZERO });
        }
        let any = |kind: Depends| roots.iter().any(|&id| graph.depends(id).on(kind));
        let needs = if any(Depends::FORCE) {
            Needs::Forces
        } else if any(Depends::ACCELERATION) {
            Needs::Acceleration
        } else {
            Needs::State
        };
        let program = Program::new(&graph, &roots);
        let pairs: Vec<[Id; 2]> = (0..functions.len()).map(|i| [roots[i], roots[functions.len() + i]]).collect();
        Self {
            together: Together::new(&graph, &pairs, system.coordinates()),
            count: functions.len(),
            fixed: program.fixed(system.parameters()),
            memory: program.memory(),
            program,
            needs,
            rated,
            multipliers: vec![0.0; system.rows()],
            reactions: vec![0.0; system.rows()],
            on_velocity,
            contacts: Vec::with_capacity(contacts),
            end: f64::NAN,
            awake: false,
        }
    }
}
