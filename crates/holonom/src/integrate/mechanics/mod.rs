//! A system in motion: accelerations, works and drift at a state, on memory of its own.

mod branches;
mod projection;
mod sliding;
mod sticking;

pub(super) use branches::LARGEST;
pub(super) use projection::Level;
use projection::Part;
pub(super) use sliding::Reached;

use super::contact::Contacts;
use super::feedback::{Feedback, Scene};
use super::field::Field;
use super::free::Free;
use super::ledger::Ledger;
use super::linear::{Answer, Linear, Numbers};
use super::reading::Samples;
use super::singular::WATCHED;
use super::sizes::Sizes;
use crate::MotionError;
use crate::analysis::State;
use crate::compile::Shape;
use crate::compile::{Group, Inputs, System, Values};
use crate::contact::Stage;
use crate::derive::Kind;
use crate::expr::Symbol;
use crate::integrate::seam::Seams;
use crate::linalg::tolerance::DUST;
use crate::model::Diagnostic;
use crate::sparse::TooLarge;
use crate::sparse::choice::runs_sparse;

/// Why there is no acceleration at a state.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Trouble {
    /// The kernel refuses the numbers.
    Motion(MotionError),
    /// Projection does not find back to the constraints.
    OffConstraints,
    /// Friction has no answer, or more than one.
    Friction(Box<Diagnostic>),
    /// Newton's method of the stiff method finds no step.
    NotConverged,
    /// Too many coordinates hang together.
    TooLarge(Box<TooLarge>),
    /// The acceleration is not that of M itself, by this part of its size.
    Disagreement(f64),
}

impl From<MotionError> for Trouble {
    fn from(error: MotionError) -> Self {
        Self::Motion(error)
    }
}

/// Accepted states between two at which accelerations are held against those of M itself: some 2 % of the time.
const AUDIT: u64 = 32;
/// Accelerations agree that differ by no more than this part of their size.
const AGREES: f64 = 1e-6;

/// A system in motion.
#[derive(Clone)]
pub(super) struct Mechanics {
    pub(super) system: System,
    pub(super) n: usize,
    /// What coordinates and velocities are measured by.
    pub(super) sizes: Sizes,
    /// The rows in force, by their number among those of the equations.
    pub(super) rows: Vec<usize>,
    /// For each constraint, whether it is in force.
    in_force: Vec<bool>,
    /// The one-sided rows that take part, and the place of each among the rows in force.
    pub(super) sided: Vec<(usize, Option<usize>)>,
    /// Contacts, and other forces that hang on reactions.
    pub(super) contacts: Option<Contacts>,
    feedback: Feedback,
    /// Forces that jump where velocities pass, and may hold a motion there.
    pub(super) seams: Option<Box<Seams>>,
    /// Whether works or forces that hang on reactions ask for ideal multipliers at every evaluation.
    needs_ideal: bool,
    /// Decides what contacts do, once that is asked.
    stage: Option<Box<Stage>>,
    /// What the model says of directions that nothing determines.
    free: Option<Free>,
    /// How many rows hold contacts that stick; they come after the rows in force.
    pub(super) sticks: usize,
    dynamics: Values,
    /// Where the rows of the equations stand among `dynamics`, and the rows in force in `a`.
    given: Shape,
    shape: Shape,
    /// Whether the rows in force are those of the equations, and whether they are taken from `dynamics` where they stand.
    has_all_rows: bool,
    is_direct: bool,
    /// A and b of the rows in force and of those that hold.
    a: Vec<f64>,
    b: Vec<f64>,
    zeros: Vec<f64>,
    pub(super) linear: Linear,
    /// The rows in force alone, where others hold contacts.
    model: Option<Linear>,
    /// Where rows of other kinds are in force as well: the holonomic ones alone, and those that restrict velocities.
    positions: Option<Part>,
    velocities: Option<Part>,
    position_drift: Values,
    velocity_drift: Values,
    scales: Values,
    /// The scales of the rows, on both levels.
    pub(super) position_scale: Vec<f64>,
    velocity_scale: Vec<f64>,
    kept_scales: [Vec<f64>; 2],
    /// Those before the present attempt, where it has measured others.
    former_scales: [Vec<f64>; 2],
    is_remeasured: bool,
    /// What rounding may leave of each row, of positions and of velocities, where terms that it is made of cancel.
    floors: [Vec<f64>; 2],
    /// The least speed of each coordinate at which what projection takes away matters: of a body at rest it is rounding of its forces.
    pub(super) least_speed: Vec<f64>,
    /// How far a state may be off the rows, relative to their scales, without being projected.
    aim: f64,
    /// The same as error control sees it.
    jitter: f64,
    residual: Vec<f64>,
    step: Vec<f64>,
    /// q̈.
    pub(super) acceleration: Vec<f64>,
    /// Ideal multipliers and total reactions of the rows in force; forces that hold contacts after them.
    pub(super) ideal: Vec<f64>,
    pub(super) reaction: Vec<f64>,
    /// Ideal multipliers over all rows of the equations.
    multipliers: Vec<f64>,
    /// C, and what it adds to accelerations and reactions.
    c: Vec<f64>,
    added: Vec<f64>,
    has_c: bool,
    pub(super) ledger: Ledger,
    power: Values,
    /// Evaluations of the acceleration, corrections of projections, and factorisations of factors that are gone.
    pub(super) evaluations: u64,
    /// States at which ranks were decided since accelerations were held against M itself.
    unaudited: u64,
    pub(super) corrections: u64,
    factorisations: u64,
    /// The residuals of positions and velocities that projection saw last.
    pub(super) left: (f64, f64),
    /// The last state at which there was no acceleration.
    pub(super) failed: State,
    /// How fast Baumgarte's terms let violations die out, where they are in force.
    pub(super) baumgarte: Option<f64>,
    /// How far the rows were from losing rank at the evaluations since it was last cleared: (time, clearance).
    pub(super) watched: Vec<(f64, f64)>,
    /// What contacts said at the evaluations since it was last cleared.
    pub(super) samples: Samples,
}

impl Mechanics {
    /// A system with all rows in force that are not declared `off`; through the sparse kernel where it is large.
    pub(super) fn new(system: System) -> Self {
        let is_sparse = runs_sparse(&system);
        let rows = (0..system.rows()).filter(|&row| !system.equations().rows[row].off).collect();
        let seams = Seams::new(&system).map(Box::new);
        Self { seams, ..Self::with_rows(system, rows, is_sparse) }
    }

    /// The same with every entry in its place, as stiff methods need it.
    pub(super) fn dense(system: System) -> Self {
        let rows = (0..system.rows()).filter(|&row| !system.equations().rows[row].off).collect();
        let seams = Seams::new(&system).map(Box::new);
        Self { seams, ..Self::with_rows(system, rows, false) }
    }

    /// A system with certain rows in force.
    pub(super) fn with_rows(system: System, rows: Vec<usize>, is_sparse: bool) -> Self {
        let n = system.coordinates();
        let equations = system.equations();
        let coordinates = &equations.model.coordinates;
        let first = |j: usize| coordinates.iter().position(|c| c.dimension == coordinates[j].dimension).unwrap_or(j);
        let alike = (0..n).map(first).collect();
        let group = if is_sparse { Group::Sparse } else { Group::Dynamics };
        let shape_of = |rows: &mut dyn Iterator<Item = usize>| match is_sparse {
            true => Shape::sparse(equations, rows),
            false => Shape::dense(n),
        };
        let has_all_rows = rows.len() == system.rows() && rows.is_sorted();
        let (given, shape) = (shape_of(&mut (0..system.rows())), shape_of(&mut rows.iter().copied()));
        let mut in_force = vec![false; equations.model.constraints.len()];
        for &row in &rows {
            if let Some((constraint, _)) = equations.rows[row].constraint {
                in_force[constraint] = true;
            }
        }
        for group in [group, Group::PositionDrift, Group::VelocityDrift, Group::Power, Group::Scale] {
            system.compile(group);
        }
        let ledger = Ledger::new(equations, &rows);
        let needs_ideal = ledger.needs_ideal()
            || equations.nonideal.iter().any(|part| !part.by_multiplier.is_empty())
            || (equations.hangs_on_reactions()
                && system.contains(Group::Law, |symbol| matches!(symbol, Symbol::Multiplier(_))));
        let mut mechanics = Self {
            dynamics: system.values(group),
            position_drift: system.values(Group::PositionDrift),
            velocity_drift: system.values(Group::VelocityDrift),
            scales: system.values(Group::Scale),
            power: system.values(Group::Power),
            contacts: Contacts::new(&system),
            feedback: Feedback::new(&system),
            seams: None,
            stage: None,
            free: Free::new(&system),
            has_c: !equations.nonideal.is_empty(),
            ledger,
            needs_ideal,
            multipliers: vec![0.0; system.rows()],
            acceleration: vec![0.0; n],
            step: vec![0.0; n],
            c: vec![0.0; n],
            watched: Vec::with_capacity(WATCHED),
            samples: Samples::with_room(WATCHED, 2 * equations.frictions.len() + equations.one_sided_rows().count()),
            linear: Linear::dense(0, 0),
            given,
            shape,
            has_all_rows,
            is_direct: false,
            sticks: 0,
            in_force,
            sided: equations.one_sided_rows().map(|row| (row, rows.iter().position(|one| *one == row))).collect(),
            n,
            sizes: Sizes::new(alike),
            rows,
            system,
            a: Vec::new(),
            b: Vec::new(),
            zeros: Vec::new(),
            model: None,
            positions: None,
            velocities: None,
            position_scale: Vec::new(),
            velocity_scale: Vec::new(),
            kept_scales: [Vec::new(), Vec::new()],
            former_scales: [Vec::new(), Vec::new()],
            is_remeasured: false,
            floors: [Vec::new(), Vec::new()],
            least_speed: vec![0.0; n],
            aim: projection::MET,
            jitter: projection::MET,
            residual: Vec::new(),
            ideal: Vec::new(),
            reaction: Vec::new(),
            added: Vec::new(),
            evaluations: 0,
            unaudited: 0,
            corrections: 0,
            factorisations: 0,
            baumgarte: None,
            left: (0.0, 0.0),
            failed: State { time: 0.0, positions: vec![0.0; n], velocities: vec![0.0; n] },
        };
        mechanics.shape(0);
        mechanics
    }

    /// Parameters get other values, or other rows come into force. Ranks and what contacts do are to be decided anew.
    pub(super) fn change(&mut self, system: System, rows: Vec<usize>) {
        if let Some(seams) = &mut self.seams {
            seams.take_parameters(&system);
        }
        if rows == self.rows {
            if let Some(stage) = &mut self.stage {
                stage.set_system(&system);
            }
            self.system = system;
            return;
        }
        let (evaluations, corrections, factorisations) = (self.evaluations, self.corrections, self.factorisations());
        let (baumgarte, aim, jitter, sizes) = (self.baumgarte, self.aim, self.jitter, self.sizes.clone());
        // What decides about contacts knows of one-sided rows, whether they touch or not.
        let two_sided = |rows: &[usize]| -> Vec<usize> {
            let all = &system.equations().rows;
            rows.iter().copied().filter(|&row| !all[row].one_sided).collect()
        };
        let is_same = two_sided(&rows) == two_sided(&self.rows);
        let stage = self.stage.take().filter(|_| is_same);
        let (watched, seams) = (std::mem::take(&mut self.watched), self.seams.take());
        *self = Self { seams, ..Self::with_rows(system, rows, self.is_sparse()) };
        self.stage = stage;
        self.watched = watched;
        if let Some(stage) = &mut self.stage {
            stage.set_system(&self.system);
        }
        (self.aim, self.jitter, self.sizes) = (aim, jitter, sizes);
        (self.evaluations, self.corrections, self.factorisations) = (evaluations, corrections, factorisations);
        self.baumgarte = baumgarte;
    }

    /// Whether M and A are kept without their zeros.
    pub(super) fn is_sparse(&self) -> bool {
        self.dynamics.group() == Group::Sparse
    }

    /// Room for the rows in force and some that hold contacts. All ranks are to be decided anew.
    fn shape(&mut self, sticks: usize) {
        let (n, m) = (self.n, self.rows.len());
        let total = m + sticks;
        self.factorisations += self.linear.factorisations();
        self.sticks = sticks;
        self.is_remeasured = false;
        self.is_direct = self.is_sparse() && self.has_all_rows && sticks == 0;
        let equations = self.system.equations();
        if let Some(contacts) = &self.contacts {
            if self.shape.is_sparse() {
                let given = |row: &usize| self.given.columns(*row);
                self.shape = Shape::with_columns(n, self.rows.iter().map(given).chain(contacts.stick_columns()));
            }
            self.feedback.arrange(&self.system, &self.rows, &self.in_force, contacts);
        }
        let of_kind = |wanted: &dyn Fn(Kind) -> bool| -> Vec<usize> {
            (0..m).filter(|&place| wanted(equations.rows[self.rows[place]].kind)).collect()
        };
        let mut holonomic = of_kind(&|kind| kind == Kind::Holonomic);
        let mut moving = of_kind(&|kind| kind != Kind::Acceleration);
        // What sticks must not be moved by projection either.
        if !holonomic.is_empty() {
            holonomic.extend(m..total);
        }
        moving.extend(m..total);
        let is_sparse = self.is_sparse();
        let linear = |shape: &Shape, m: usize| match is_sparse {
            true => Linear::sparse(equations, shape, m),
            false => Linear::dense(n, m),
        };
        let part = |places: Vec<usize>| {
            let shape = match is_sparse {
                true => Shape::with_columns(n, places.iter().map(|&place| self.shape.columns(place))),
                false => Shape::dense(n),
            };
            let is_own = places.len() < total && !places.is_empty();
            is_own.then(|| Part::new(places.clone(), shape.clone(), linear(&shape, places.len())))
        };
        (self.positions, self.velocities) = (part(holonomic), part(moving));
        self.linear = linear(&self.shape, total);
        self.model = (sticks > 0).then(|| linear(&self.shape, m));
        let resize = |list: &mut Vec<f64>, size: usize, value: f64| {
            list.clear();
            list.resize(size, value);
        };
        resize(&mut self.a, self.shape.len(total), 0.0);
        resize(&mut self.b, total, 0.0);
        resize(&mut self.zeros, n.max(total), 0.0);
        resize(&mut self.position_scale, total, 1.0);
        resize(&mut self.velocity_scale, total, 1.0);
        self.floors.iter_mut().for_each(|floors| resize(floors, total, 0.0));
        self.former_scales.iter_mut().for_each(|scales| resize(scales, total, 1.0));
        resize(&mut self.residual, total, 0.0);
        resize(&mut self.ideal, total, 0.0);
        resize(&mut self.reaction, total, 0.0);
        resize(&mut self.added, n + total, 0.0);
    }

    /// How often M and A were factored.
    pub(super) fn factorisations(&self) -> u64 {
        self.factorisations + self.linear.factorisations()
    }

    /// M, Q, A and b at a state, with Baumgarte's terms in b where they are asked for.
    fn evaluate(&mut self, t: f64, q: &[f64], v: &[f64]) {
        self.system.at(t, q, v, &mut self.dynamics);
        let m = self.rows.len();
        let (a, b) = (self.dynamics.a(), self.dynamics.b());
        if self.has_all_rows {
            if !self.is_direct {
                self.a[..a.len()].copy_from_slice(a);
            }
            self.b[..m].copy_from_slice(b);
        } else {
            for (place, &row) in self.rows.iter().enumerate() {
                self.a[self.shape.range(place)].copy_from_slice(&a[self.given.range(row)]);
                self.b[place] = b[row];
            }
        }
        if let Some(contacts) = &mut self.contacts {
            contacts.evaluate(&self.system, t, q, v);
            contacts.write_sticks(&self.shape, m, &mut self.a, &mut self.b);
        }
        if let Some(alpha) = self.baumgarte {
            self.system.at(t, q, v, &mut self.position_drift);
            self.system.at(t, q, v, &mut self.velocity_drift);
            let (positions, velocities) = (self.position_drift.residual(), self.velocity_drift.residual());
            let kinds = &self.system.equations().rows;
            for (b, &row) in self.b.iter_mut().zip(&self.rows) {
                // φ̈ + 2α φ̇ + α² φ = 0, ψ̇ + α ψ = 0
                let twice = if kinds[row].kind == Kind::Holonomic { 2.0 } else { 1.0 };
                *b -= twice * alpha * velocities[row] + alpha * alpha * positions[row];
            }
        }
        if let Some(seams) = self.seams.as_mut().filter(|seams| !seams.are_own()) {
            seams.evaluate(&Inputs { t, q, v, ..Inputs::default() }, self.dynamics.force_mut());
        }
    }

    /// What the rates of the rows in force are made of at a state: for each the sum of the magnitudes of its terms.
    pub(super) fn rate_sizes(&mut self, t: f64, q: &[f64], v: &[f64]) -> Vec<f64> {
        self.evaluate(t, q, v);
        let a = rows_of(self.is_direct, &self.dynamics, &self.a);
        let size = |place: usize| self.shape.entries(place, a).map(|(j, a)| (a * v[j]).abs()).sum();
        (0..self.rows.len()).map(size).collect()
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
        self.linear.decide(&Numbers {
            mass: self.dynamics.mass(),
            force,
            a: rows_of(self.is_direct, &self.dynamics, &self.a),
            b,
            c: None,
        })?;
        Ok(self.linear.answer())
    }

    /// The acceleration at a state, with ranks held, or decided anew.
    pub(super) fn accelerate(&mut self, t: f64, q: &[f64], v: &[f64], decide: bool) -> Result<(), Trouble> {
        self.evaluations += 1;
        self.evaluate(t, q, v);
        if self.contacts.is_some() {
            return self.accelerate_coupled(t, q, v, decide);
        }
        if self.has_c {
            self.find_constant_c();
        }
        let short = self.linear.try_short_way(self.dynamics.mass(), rows_of(self.is_direct, &self.dynamics, &self.a));
        if short && !(decide && self.linear.in_doubt()) {
            self.settle_seams();
            let Self { linear, dynamics, b, acceleration, ideal, reaction, .. } = self;
            linear.respond(dynamics.force(), b, acceleration, ideal);
            reaction.copy_from_slice(ideal);
            if self.has_c {
                self.add_c();
            }
            self.pin_acceleration();
            self.pin_to_seams();
            let sum: f64 = self.acceleration.iter().sum();
            if sum.is_finite() {
                self.watch(t);
                return Ok(());
            }
            // Not a number: the kernel says which.
        }
        if self.slides() {
            self.factor_for_seams(decide)?;
            self.settle_seams();
        }
        let Self { linear, dynamics, a, b, c, .. } = self;
        let (a, c) = (rows_of(self.is_direct, dynamics, a), self.has_c.then_some(&c[..]));
        let numbers = Numbers { mass: dynamics.mass(), force: dynamics.force(), a, b, c };
        if decide {
            linear.decide(&numbers)?;
        } else {
            linear.solve(&numbers)?;
        }
        let motion = linear.answer();
        self.acceleration.copy_from_slice(motion.acceleration);
        self.ideal.copy_from_slice(motion.ideal);
        self.reaction.copy_from_slice(motion.reactions);
        self.pin_acceleration();
        self.pin_to_seams();
        self.watch(t);
        self.prescribe_free(t, q, v)
    }

    /// Factors by the kernel at the state that was evaluated, with ranks held or decided anew.
    fn factor_for_seams(&mut self, decide: bool) -> Result<(), Trouble> {
        let Self { linear, dynamics, a, b, .. } = self;
        let a = rows_of(self.is_direct, dynamics, a);
        match decide {
            true => linear.decide(&Numbers { mass: dynamics.mass(), force: dynamics.force(), a, b, c: None }),
            false => linear.factor_by_kernel(dynamics.mass(), a),
        }
    }

    /// Adds what the model says of directions that nothing determines, after the kernel has found them.
    fn prescribe_free(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), Trouble> {
        if let Some(free) = &mut self.free {
            let directions = self.linear.answer().free_directions;
            let inputs = Inputs { t, q, v, ..Inputs::default() };
            free.prescribe(&self.system, &inputs, directions, &mut self.acceleration)?;
        }
        Ok(())
    }

    /// What of C hangs on no reaction.
    fn find_constant_c(&mut self) {
        // Reactions count as zero here: what hangs on them is feedback.
        let zeros = &self.feedback.zero_reactions;
        let in_force = &self.in_force;
        self.system.nonideal(&self.dynamics, |constraint| in_force[constraint], &self.multipliers, zeros, &mut self.c);
    }

    /// Adds what C does to acceleration and reactions, with the factors at hand.
    fn add_c(&mut self) {
        let (x, lambda) = self.added.split_at_mut(self.n);
        self.linear.respond(&self.c, &self.zeros[..self.b.len()], x, lambda);
        self.acceleration.iter_mut().zip(&*x).for_each(|(a, x)| *a += x);
        self.reaction.iter_mut().zip(&*lambda).for_each(|(r, x)| *r += x);
    }

    /// The acceleration where forces hang on reactions.
    fn accelerate_coupled(&mut self, t: f64, q: &[f64], v: &[f64], decide: bool) -> Result<(), Trouble> {
        let m = self.rows.len();
        let Self { linear, dynamics, a, b, .. } = self;
        let a = rows_of(self.is_direct, dynamics, a);
        let short = linear.try_short_way(dynamics.mass(), a);
        if decide && (!short || linear.in_doubt()) {
            linear.decide(&Numbers { mass: dynamics.mass(), force: dynamics.force(), a, b, c: None })?;
        } else if !short {
            linear.factor_by_kernel(dynamics.mass(), a)?;
        }
        self.watch(t);
        match self.slides() {
            true => self.settle_seams_with_contacts(t, q, v, decide)?,
            false => self.answer_with_contacts(t, q, v, decide)?,
        }
        // What holds contacts is part of C: Dᵀh.
        for (row, force) in (m..m + self.sticks).zip(&self.reaction[m..]) {
            self.shape.entries(row, &self.a).for_each(|(j, d)| self.c[j] += d * force);
        }
        if !self.linear.is_short() {
            self.prescribe_free(t, q, v)?;
        }
        self.pin_acceleration();
        self.pin_to_seams();
        let sum: f64 = self.acceleration.iter().chain(&self.reaction).sum();
        if sum.is_finite() {
            return Ok(());
        }
        // Not a number: the kernel says which.
        let Self { linear, dynamics, a, b, c, .. } = self;
        let a = rows_of(self.is_direct, dynamics, a);
        linear.solve(&Numbers { mass: dynamics.mass(), force: dynamics.force(), a, b, c: Some(c) })?;
        Err(Trouble::Motion(MotionError::OutOfRange))
    }

    /// What the forces of the state that was evaluated last cause, with the factors at hand: accelerations, reactions, and forces that hang on
    /// reactions.
    pub(in crate::integrate) fn answer_with_contacts(&mut self, t: f64, q: &[f64], v: &[f64], decide: bool) -> Result<(), Trouble> {
        let Self { linear, dynamics, b, acceleration, ideal, reaction, .. } = self;
        linear.respond(dynamics.force(), b, acceleration, ideal);
        reaction.copy_from_slice(ideal);
        // Otherwise they are asked for at the ends of steps alone.
        if decide || self.needs_ideal {
            self.find_ideal()?;
        }
        if self.has_c {
            self.find_constant_c();
            self.add_c();
        } else {
            self.c.fill(0.0);
        }
        let Self { system, dynamics, rows, in_force, contacts, feedback, linear, multipliers, .. } = self;
        if let Some(contacts) = contacts {
            let inputs = Inputs { t, q, v, multiplier: multipliers, ..Inputs::default() };
            let scene = Scene { system, dynamics, inputs, rows, in_force };
            feedback.settle(&scene, contacts, linear, &mut self.acceleration, &mut self.reaction, &mut self.c)?;
        }
        Ok(())
    }

    /// The multipliers that the rows in force would have if all were ideal: without those that hold contacts.
    fn find_ideal(&mut self) -> Result<(), Trouble> {
        let (n, m) = (self.n, self.rows.len());
        if let Some(model) = &mut self.model {
            let (a, b) = (&self.a[..self.shape.len(m)], &self.b[..m]);
            let (mass, force) = (self.dynamics.mass(), self.dynamics.force());
            if !model.try_short_way(mass, a) {
                model.decide(&Numbers { mass, force, a, b, c: None })?;
            }
            let (x, _) = self.added.split_at_mut(n);
            model.respond(force, b, x, &mut self.ideal[..m]);
        }
        for (place, &row) in self.rows.iter().enumerate() {
            self.multipliers[row] = self.ideal[place];
        }
        Ok(())
    }

    /// Remembers how far the rows are from losing rank.
    fn watch(&mut self, t: f64) {
        if self.watched.len() < WATCHED {
            self.watched.push((t, self.linear.clearance()));
        }
    }

    /// The rows that depend on others, up to a squared sine, at a state: by their number among those of the equations.
    pub(super) fn dependent(&mut self, t: f64, q: &[f64], v: &[f64], threshold: f64) -> Vec<(usize, Vec<usize>)> {
        self.evaluate(t, q, v);
        let found =
            self.linear.dependent(self.dynamics.mass(), rows_of(self.is_direct, &self.dynamics, &self.a), threshold);
        let row = |place: usize| self.rows.get(place).copied();
        let named = |(i, of): (usize, Vec<usize>)| Some((row(i)?, of.into_iter().filter_map(row).collect()));
        found.into_iter().filter_map(named).collect()
    }

    /// How far the rows are from losing rank at a state.
    pub(super) fn clearance_at(&mut self, t: f64, q: &[f64], v: &[f64]) -> f64 {
        self.evaluate(t, q, v);
        self.linear.clearance_of(self.dynamics.mass(), rows_of(self.is_direct, &self.dynamics, &self.a))
    }

    /// The same as the stages of a step see it, with ranks and pivots held.
    pub(super) fn clearance_held(&mut self, t: f64, q: &[f64], v: &[f64]) -> f64 {
        self.evaluate(t, q, v);
        let a = rows_of(self.is_direct, &self.dynamics, &self.a);
        match self.linear.factor(self.dynamics.mass(), a) {
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

    /// Keeps the state at which there was no acceleration.
    fn remember_failure(&mut self, t: f64, q: &[f64], v: &[f64]) {
        self.failed.time = t;
        self.failed.positions.copy_from_slice(q);
        self.failed.velocities.copy_from_slice(v);
    }

    /// Everything about a state for a record: with the kernel, so that redundant rows share their load as the papers say.
    pub(super) fn examine(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), Trouble> {
        self.find_forces(t, q, v).inspect_err(|_| self.remember_failure(t, q, v))
    }

    fn find_forces(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), Trouble> {
        let m = self.rows.len();
        if self.contacts.is_some() {
            self.accelerate(t, q, v, false)?;
        } else {
            self.evaluate(t, q, v);
            if self.has_c {
                self.find_constant_c();
            }
            if self.slides() {
                self.factor_for_seams(false)?;
                self.settle_seams();
            }
        }
        let coupled = self.contacts.is_some();
        let Self { linear, model, dynamics, shape, a, b, c, .. } = self;
        let c = (self.has_c || coupled).then_some(&c[..]);
        let (a, b) = (&rows_of(self.is_direct, dynamics, a)[..shape.len(m)], &b[..m]);
        let linear = model.as_mut().unwrap_or(linear);
        let numbers = Numbers { mass: dynamics.mass(), force: dynamics.force(), a, b, c };
        // A record may lie where rank is lost for a moment: it is decided for that record alone.
        let aside;
        let motion = match linear.solve(&numbers) {
            Err(Trouble::Motion(MotionError::HeldRankLost { .. })) => {
                let mut other = linear.clone();
                other.decide(&numbers)?;
                aside = other;
                aside.answer()
            }
            solved => {
                solved?;
                linear.answer()
            }
        };
        self.ideal[..m].copy_from_slice(motion.ideal);
        self.reaction[..m].copy_from_slice(motion.reactions);
        if !coupled {
            self.acceleration.copy_from_slice(motion.acceleration);
            self.pin_to_seams();
            self.prescribe_free(t, q, v)?;
        }
        Ok(())
    }

    /// Factors all rows by the kernel at the state that was examined last, where that was done for the rows in force alone.
    pub(super) fn factor_all(&mut self) -> Result<(), Trouble> {
        if self.model.is_some() {
            self.linear.factor_by_kernel(self.dynamics.mass(), &self.a)?;
        }
        Ok(())
    }

    /// The masses of the coordinates, each by itself, and Q at the state that was evaluated last.
    pub(super) fn masses_and_force(&self) -> (Vec<f64>, &[f64]) {
        let mut masses = vec![0.0; self.n];
        self.fill_masses(&mut masses);
        (masses, self.dynamics.force())
    }

    fn fill_masses(&self, masses: &mut [f64]) {
        let (n, mass) = (self.n, self.dynamics.mass());
        masses.fill(0.0);
        if self.is_sparse() {
            let entries = self.system.equations().mass.lower().zip(mass).filter(|((i, j, _), _)| i == j);
            entries.for_each(|((i, ..), m)| masses[i] = *m);
        } else {
            masses.iter_mut().enumerate().for_each(|(j, m)| *m = mass[j * n + j]);
        }
    }

    /// The work that a force of the state that was evaluated last does where its coordinate moves by its size, or where it hardly moves by that
    /// of its kind: the largest.
    pub(super) fn natural_energy(&self) -> f64 {
        let size = |j: usize| match (self.sizes.peak(j), self.sizes.largest()[j]) {
            (own, kind) if own > DUST * kind => own,
            (_, kind) => kind,
        };
        let works = self.dynamics.force().iter().enumerate().map(|(j, force)| (force * size(j)).abs());
        works.filter(|work| work.is_finite()).fold(0.0, f64::max)
    }

    /// By coordinate, how large the accelerations would be that impressed and ideal forces cause one by one, at the state that was evaluated last;
    /// `masses` is room.
    pub(super) fn drives(&self, out: &mut [f64], masses: &mut [f64]) {
        self.fill_masses(masses);
        out.iter_mut().zip(self.dynamics.force()).for_each(|(out, force)| *out = force.abs());
        let a = rows_of(self.is_direct, &self.dynamics, &self.a);
        for (row, lambda) in self.ideal.iter().enumerate().take(self.rows.len()) {
            self.shape.entries(row, a).for_each(|(j, a)| out[j] += (a * lambda).abs());
        }
        for (out, mass) in out.iter_mut().zip(&*masses) {
            *out = if *mass > 0.0 { *out / mass } else { 0.0 };
        }
        // What has no mass follows others of its kind.
        for j in (0..self.n).filter(|&j| masses[j] <= 0.0) {
            let alike = (0..self.n).filter(|&i| self.sizes.alike(i) == self.sizes.alike(j));
            out[j] = alike.fold(0.0, |most: f64, i| most.max(out[i]));
        }
    }

    /// The forces of the state that was examined last: ideal and non-ideal.
    pub(super) fn forces(&self) -> (&[f64], &[f64]) {
        let motion = self.model.as_ref().unwrap_or(&self.linear).answer();
        (motion.ideal_force, motion.nonideal_force)
    }

    /// The rate at a state on the constraints, where all ranks are decided.
    pub(super) fn rate_deciding(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Trouble> {
        self.find_rate(t, y, rate, true)?;
        self.linear.remember(rows_of(self.is_direct, &self.dynamics, &self.a));
        self.audit(t, y)?;
        self.decide_parts()
    }

    /// Now and then, where rows stand in for mass that is missing, solves with M itself: a motion must not look right and be wrong.
    fn audit(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble> {
        self.unaudited += 1;
        if self.unaudited < AUDIT || self.contacts.is_some() || !self.linear.is_supplemented() {
            return Ok(());
        }
        self.unaudited = 0;
        let n = self.n;
        let Self { linear, dynamics, a, b, c, acceleration, sizes, step: driven, .. } = self;
        let (a, c) = (rows_of(self.is_direct, dynamics, a), self.has_c.then_some(&c[..]));
        let numbers = Numbers { mass: dynamics.mass(), force: dynamics.force(), a, b, c };
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
                self.remember_failure(t, &y[..n], &y[n..2 * n]);
                Err(Trouble::Disagreement(apart))
            }
            _ => Ok(()),
        }
    }

    fn find_rate(&mut self, t: f64, y: &[f64], rate: &mut [f64], decide: bool) -> Result<(), Trouble> {
        let n = self.n;
        let (q, v) = (&y[..n], &y[n..2 * n]);
        self.accelerate(t, q, v, decide).inspect_err(|_| self.remember_failure(t, q, v))?;
        rate[..n].copy_from_slice(v);
        rate[n..2 * n].copy_from_slice(&self.acceleration);
        self.powers(t, q, v, &mut rate[2 * n..]);
        Ok(())
    }

    /// The powers of the ledger at the state and acceleration that were found last.
    fn powers(&mut self, t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        if self.ledger.impressed {
            let inputs = Inputs { t, q, v, acceleration: &self.acceleration, ..Inputs::default() };
            self.system.evaluate(&inputs, &mut self.power);
        }
        let mut impressed = if self.ledger.impressed { self.power.all()[0] } else { 0.0 };
        if let Some(seams) = self.seams.as_mut().filter(|seams| !seams.are_own()) {
            let inputs = Inputs { t, q, v, acceleration: &self.acceleration, ..Inputs::default() };
            impressed = seams.power(&inputs).unwrap_or(impressed);
        }
        let a = rows_of(self.is_direct, &self.dynamics, &self.a);
        let rate = |row: usize| self.shape.dot(row, a, v);
        self.ledger.powers(impressed, v, rate, &self.ideal, &self.reaction, &self.c, out);
    }
}

/// A of the rows in force: where it was evaluated, or where rows were put together.
fn rows_of<'a>(is_direct: bool, dynamics: &'a Values, a: &'a [f64]) -> &'a [f64] {
    if is_direct { dynamics.a() } else { a }
}

impl Field for Mechanics {
    type Failure = Trouble;

    fn coordinates(&self) -> usize {
        self.n
    }

    fn quadratures(&self) -> usize {
        self.ledger.len()
    }

    fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Trouble> {
        self.find_rate(t, y, rate, false)?;
        self.note_contacts(t);
        Ok(())
    }
}
