//! A system in motion: accelerations, works and drift at a state, on memory of its own.
//!
//! `InForce` holds the rows in force and the numbers of a state, `Found` what follows from them, `Drift` how far a state is off the rows
//! and by what that is measured, `Works` the powers of the ledger, `Seen` what the run looks at afterwards.

mod accelerate;
mod branches;
mod drift;
mod examine;
mod found;
mod in_force;
mod projection;
mod seen;
mod sliding;
mod sticking;
mod works;

pub(super) use branches::LARGEST;
pub(super) use in_force::Level;
pub(super) use sliding::Reached;

use super::contact::Contacts;
use super::feedback::Feedback;
use super::field::Field;
use super::free::Free;
use super::linear::{Answer, Linear, Numbers};
use super::sizes::Sizes;
use super::trouble::Trouble;
use crate::integrate::seam::Seams;
use drift::{Drift, Part};
use found::Found;
use holonom_language::Diagnostic;
use holonom_mechanics::compile::runs_sparse;
use holonom_mechanics::compile::{CompiledSystem, Inputs, RowLayout};
use holonom_mechanics::contact::Stage;
use in_force::InForce;
use seen::{Counts, Seen};
use works::Works;

/// Accepted states between two at which accelerations are held against those of M itself: some 2 % of the time.
const AUDIT: u64 = 32;
/// Accelerations agree that differ by no more than this part of their size.
const AGREES: f64 = 1e-6;

/// A system in motion.
#[derive(Clone)]
pub(super) struct Mechanics {
    pub(super) system: CompiledSystem,
    pub(super) n: usize,
    /// What coordinates and velocities are measured by.
    pub(super) sizes: Sizes,
    /// The rows in force, and M, Q, A and b.
    pub(super) in_force: InForce,
    /// M and A of all these rows, factored.
    pub(super) linear: Linear,
    /// The rows in force alone, where others hold contacts.
    model: Option<Linear>,
    /// The acceleration, and the forces behind it.
    pub(super) found: Found,
    /// How far a state is off, and by what that is measured.
    pub(super) drift: Drift,
    works: Works,
    /// Contacts, and other forces that hang on reactions.
    pub(super) contacts: Option<Contacts>,
    feedback: Feedback,
    /// Decides what contacts do, once that is asked.
    stage: Option<Box<Stage>>,
    /// Forces that jump where velocities pass, and may hold a motion there.
    pub(super) seams: Option<Box<Seams>>,
    /// What the model says of directions that nothing determines.
    free: Option<Free>,
    pub(super) seen: Seen,
    pub(super) counts: Counts,
}

impl Mechanics {
    /// A system with all rows in force that are not declared `off`; through the sparse kernel where it is large.
    pub(super) fn new(system: CompiledSystem) -> Self {
        let is_sparse = runs_sparse(&system);
        Self::with_seams(system, is_sparse)
    }

    /// The same with every entry in its place, as stiff methods need it.
    pub(super) fn dense(system: CompiledSystem) -> Self {
        Self::with_seams(system, false)
    }

    fn with_seams(system: CompiledSystem, is_sparse: bool) -> Self {
        let rows = (0..system.rows()).filter(|&row| !system.equations().rows[row].off).collect();
        let seams = Seams::new(&system).map(Box::new);
        Self { seams, ..Self::with_rows(system, rows, is_sparse) }
    }

    /// A system with certain rows in force.
    pub(super) fn with_rows(system: CompiledSystem, rows: Vec<usize>, is_sparse: bool) -> Self {
        let n = system.coordinates();
        let coordinates = &system.equations().model.coordinates;
        let first = |j: usize| coordinates.iter().position(|c| c.dimension == coordinates[j].dimension).unwrap_or(j);
        let natural = |j: usize| system.equations().natural_coordinate(j);
        let mut mechanics = Self {
            n,
            sizes: Sizes::new((0..n).map(first).collect(), (0..n).map(natural).collect()),
            linear: Linear::dense(0, 0),
            model: None,
            found: Found::new(&system),
            drift: Drift::new(&system),
            works: Works::new(&system, &rows),
            contacts: Contacts::new(&system),
            feedback: Feedback::new(&system),
            stage: None,
            seams: None,
            free: Free::new(&system),
            seen: Seen::new(&system),
            counts: Counts::default(),
            in_force: InForce::new(&system, rows, is_sparse),
            system,
        };
        mechanics.arrange(0);
        mechanics
    }

    /// Parameters get other values, or other rows come into force. Ranks and what contacts do are to be decided anew.
    pub(super) fn change(&mut self, system: CompiledSystem, rows: Vec<usize>) {
        if let Some(seams) = &mut self.seams {
            seams.take_parameters(&system);
        }
        if rows == self.in_force.rows {
            if let Some(stage) = &mut self.stage {
                stage.set_system(&system);
            }
            self.system = system;
            return;
        }
        // What decides about contacts knows of one-sided rows, whether they touch or not.
        let two_sided = |rows: &[usize]| -> Vec<usize> {
            let all = &system.equations().rows;
            rows.iter().copied().filter(|&row| !all[row].one_sided).collect()
        };
        let is_same = two_sided(&rows) == two_sided(&self.in_force.rows);
        let is_sparse = self.in_force.is_sparse();
        let before = std::mem::replace(self, Self::with_rows(system, rows, is_sparse));
        self.counts = Counts { factorisations: before.factorisations(), unaudited: 0, ..before.counts };
        (self.seams, self.sizes, self.seen.watched) = (before.seams, before.sizes, before.seen.watched);
        (self.drift.aim, self.drift.jitter) = (before.drift.aim, before.drift.jitter);
        self.drift.baumgarte = before.drift.baumgarte;
        self.stage = before.stage.filter(|_| is_same);
        if let Some(stage) = &mut self.stage {
            stage.set_system(&self.system);
        }
    }

    /// Room for the rows in force and some that hold contacts. All ranks are to be decided anew.
    fn arrange(&mut self, sticks: usize) {
        self.counts.factorisations += self.linear.factorisations();
        let Self { system, n, in_force, contacts, .. } = self;
        in_force.arrange(*n, sticks, contacts.as_ref());
        if let Some(contacts) = contacts {
            self.feedback.arrange(system, &in_force.rows, &in_force.constraints, contacts);
        }
        let (equations, n) = (system.equations(), *n);
        let (m, total, is_sparse) = (in_force.rows.len(), in_force.total(), in_force.is_sparse());
        let linear = |shape: &RowLayout, m: usize| match is_sparse {
            true => Linear::sparse(equations, shape, m),
            false => Linear::dense(n, m),
        };
        let part = |level: Level| {
            let places = in_force.restricting(level, equations);
            let shape = match is_sparse {
                true => RowLayout::with_columns(n, places.iter().map(|&place| in_force.shape.columns(place))),
                false => RowLayout::dense(n),
            };
            let is_own = places.len() < total && !places.is_empty();
            is_own.then(|| {
                let linear = linear(&shape, places.len());
                Part::new(places, total, shape, linear)
            })
        };
        self.drift.arrange(total, [part(Level::Position), part(Level::Velocity)]);
        self.linear = linear(&in_force.shape, total);
        self.model = (sticks > 0).then(|| linear(&in_force.shape, m));
        self.found.arrange(total);
    }

    /// How often M and A were factored.
    pub(super) fn factorisations(&self) -> u64 {
        self.counts.factorisations + self.linear.factorisations()
    }

    /// M, Q, A and b at a state, with Baumgarte's terms in b where they are asked for.
    fn evaluate(&mut self, t: f64, q: &[f64], v: &[f64]) {
        let Self { system, in_force, contacts, drift, seams, .. } = self;
        in_force.evaluate(system, contacts.as_mut(), (t, q, v));
        drift.stabilise(system, in_force, (t, q, v));
        if let Some(seams) = seams.as_mut().filter(|seams| !seams.are_own()) {
            seams.evaluate(&Inputs { t, q, v, ..Inputs::default() }, in_force.dynamics.force_mut());
        }
    }

    /// What the rates of the rows in force are made of at a state: for each the sum of the magnitudes of its terms, with velocities that are
    /// no smaller than what they are measured by.
    pub(super) fn rate_sizes(&mut self, t: f64, q: &[f64], v: &[f64], speeds: &[f64]) -> Vec<f64> {
        self.evaluate(t, q, v);
        let InForce { rows, shape, .. } = &self.in_force;
        let a = self.in_force.a();
        let speed = |j: usize| v[j].abs().max(speeds[j]);
        let size = |(place, &row): (usize, &usize)| {
            let terms: f64 = shape.entries(place, a).map(|(j, a)| a.abs() * speed(j)).sum();
            // Slopes of a joint may cancel but for rounding.
            let natural = self.system.equations().natural_slopes(row).map(|(j, slope)| slope * speed(j)).sum();
            terms.max(natural)
        };
        rows.iter().enumerate().map(size).collect()
    }

    /// The acceleration that a force and right sides of the rows would cause at a state.
    pub(super) fn answer_to(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        force: &[f64],
        b: &[f64],
    ) -> Result<Answer<'_>, Trouble> {
        self.evaluate(t, q, v);
        self.linear.decide(&Numbers { force, b, ..self.in_force.numbers(None) })?;
        Ok(self.linear.answer())
    }

    /// The rows that depend on others, up to a squared sine, at a state: by their number among those of the equations.
    pub(super) fn dependent(&mut self, t: f64, q: &[f64], v: &[f64], threshold: f64) -> Vec<(usize, Vec<usize>)> {
        self.evaluate(t, q, v);
        let found = self.linear.dependent(self.in_force.mass(), self.in_force.a(), threshold);
        let row = |place: usize| self.in_force.rows.get(place).copied();
        let named = |(i, of): (usize, Vec<usize>)| Some((row(i)?, of.into_iter().filter_map(row).collect()));
        found.into_iter().filter_map(named).collect()
    }

    /// How far the rows are from losing rank at a state.
    pub(super) fn clearance_at(&mut self, t: f64, q: &[f64], v: &[f64]) -> f64 {
        self.evaluate(t, q, v);
        self.linear.clearance_of(self.in_force.mass(), self.in_force.a())
    }

    /// The same as the stages of a step see it, with ranks and pivots held.
    pub(super) fn clearance_held(&mut self, t: f64, q: &[f64], v: &[f64]) -> f64 {
        self.evaluate(t, q, v);
        match self.linear.factor(self.in_force.mass(), self.in_force.a()) {
            Ok(()) => self.linear.clearance(),
            Err(_) => 0.0,
        }
    }

    /// Factors for a projection at a state; where that fails, those of a state near by serve.
    pub(super) fn factor_at(&mut self, t: f64, q: &[f64], v: &[f64]) {
        self.evaluate(t, q, v);
        for level in [Level::Position, Level::Velocity] {
            let _ = self.factor_here(level);
        }
    }

    /// The rate at a state on the constraints, where all ranks are decided.
    pub(super) fn rate_deciding(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Trouble> {
        // Rows of velocities have terms of their own kind, which do not compare.
        let scales = if self.drift.parts[0].is_none() { self.drift.scales.of(Level::Position) } else { &[] };
        self.linear.measure(self.sizes.measures(y), scales);
        self.find_rate(t, y, rate, true)?;
        self.check_uniqueness(t, y)?;
        self.linear.remember(self.in_force.a());
        self.audit(t, y)?;
        let (q, v) = y[..2 * self.n].split_at(self.n);
        self.decide_parts().inspect_err(|_| self.seen.remember_failure(t, q, v))
    }

    /// A motion that is not unique any more must not go on as if it were.
    fn check_uniqueness(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble> {
        let undetermined = self.linear.undetermined();
        let Some(&first) = undetermined.first() else { return Ok(()) };
        self.seen.remember_failure(t, &y[..self.n], &y[self.n..2 * self.n]);
        let one = &self.system.equations().model.coordinates[first];
        let text = format!("neither mass nor constraints determine `{}` any more", one.name);
        let message =
            Diagnostic::error("not-unique", text).at(one.span, "moves in a direction that nothing determines");
        Err(Trouble::Told(Box::new(message.help("give it mass, or add a constraint that contains it"))))
    }

    /// Now and then, where rows stand in for mass that is missing, solves with M itself: a motion must not look right and be wrong.
    fn audit(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble> {
        self.counts.unaudited += 1;
        if self.counts.unaudited < AUDIT || self.contacts.is_some() || !self.linear.is_supplemented() {
            return Ok(());
        }
        self.counts.unaudited = 0;
        let n = self.n;
        let Self { linear, in_force, found: Found { acceleration, room: driven, c, has_c, .. }, sizes, .. } = self;
        let numbers = in_force.numbers(has_c.then_some(&c[..]));
        // What forces would make of masses of a kind if they did not balance, or what turns its velocities around.
        for (j, driven) in driven.iter_mut().enumerate() {
            let mass = numbers.mass[j * n + j];
            *driven = if mass > 0.0 { numbers.force[j].abs() / mass } else { 0.0 };
        }
        let natural = |j: usize| {
            let alike = (0..n).filter(|&i| sizes.alike(i) == sizes.alike(j));
            let largest = alike.fold(0.0, |most: f64, i| most.max(acceleration[i].abs()).max(driven[i]));
            let kind = sizes.kind();
            largest.max(kind[n + j] * kind[n + j] / kind[j])
        };
        match linear.disagreement(&numbers, acceleration, natural) {
            Some(apart) if apart > AGREES || apart.is_nan() => {
                self.seen.remember_failure(t, &y[..n], &y[n..2 * n]);
                Err(Trouble::Disagreement(apart))
            }
            _ => Ok(()),
        }
    }

    fn find_rate(&mut self, t: f64, y: &[f64], rate: &mut [f64], decide: bool) -> Result<(), Trouble> {
        let n = self.n;
        let (q, v) = (&y[..n], &y[n..2 * n]);
        self.accelerate(t, q, v, decide).inspect_err(|_| self.seen.remember_failure(t, q, v))?;
        rate[..n].copy_from_slice(v);
        rate[n..2 * n].copy_from_slice(&self.found.acceleration);
        let Self { system, in_force, found, seams, works, .. } = self;
        works.powers(system, (t, q, v), (in_force, found), seams.as_deref_mut(), &mut rate[2 * n..]);
        Ok(())
    }
}

impl Field for Mechanics {
    type Failure = Trouble;

    fn coordinates(&self) -> usize {
        self.n
    }

    fn quadratures(&self) -> usize {
        self.works.len()
    }

    fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Trouble> {
        self.find_rate(t, y, rate, false)?;
        self.note_contacts(t);
        Ok(())
    }
}
