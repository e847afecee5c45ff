//! A system in motion: accelerations, works and drift at a state, on memory of its own.

use super::field::Field;
use super::ledger::Ledger;
use super::linear::Linear;
use crate::compile::{Group, Inputs, System, Values};
use crate::derive::Kind;
use crate::{MotionError, Snapshot};

/// Why there is no acceleration at a state.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Trouble {
    /// The kernel refuses the numbers.
    Motion(MotionError),
    /// Projection does not find back to the constraints.
    OffConstraints,
}

impl From<MotionError> for Trouble {
    fn from(error: MotionError) -> Self {
        Self::Motion(error)
    }
}

/// How far a state may be off, relative to the scale of each row, before it is projected once more.
const MET: f64 = 2e-14;
/// Corrections of one projection.
const CORRECTIONS: usize = 10;

/// Looks at the clearance that are kept: those of the stages of a step.
const WATCHED: usize = 32;

/// What projection moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Position,
    Velocity,
}

/// A system in motion.
#[derive(Clone)]
pub(super) struct Mechanics {
    pub(super) system: System,
    pub(super) n: usize,
    /// The rows in force, by their number among those of the equations.
    pub(super) rows: Vec<usize>,
    dynamics: Values,
    /// A and b of the rows in force.
    a: Vec<f64>,
    b: Vec<f64>,
    zeros: Vec<f64>,
    pub(super) linear: Linear,
    /// Where rows of other kinds are in force as well: the holonomic ones alone, and those that restrict velocities.
    positions: Option<Part>,
    velocities: Option<Part>,
    position_drift: Values,
    velocity_drift: Values,
    scales: Values,
    /// The scales of the rows in force, on both levels.
    pub(super) position_scale: Vec<f64>,
    pub(super) velocity_scale: Vec<f64>,
    residual: Vec<f64>,
    step: Vec<f64>,
    /// q̈.
    pub(super) acceleration: Vec<f64>,
    /// Ideal multipliers and total reactions of the rows in force.
    pub(super) ideal: Vec<f64>,
    pub(super) reaction: Vec<f64>,
    /// C, and what it adds to accelerations and reactions.
    c: Vec<f64>,
    added: Vec<f64>,
    has_c: bool,
    pub(super) ledger: Ledger,
    power: Values,
    /// Evaluations of the acceleration, and corrections of projections.
    pub(super) evaluations: u64,
    pub(super) corrections: u64,
    /// How far the rows were from losing rank at the evaluations since it was last cleared: (time, clearance).
    pub(super) watched: Vec<(f64, f64)>,
}

/// Some of the rows in force, with a factorisation of their own.
#[derive(Clone)]
struct Part {
    /// Places among the rows in force.
    places: Vec<usize>,
    a: Vec<f64>,
    right: Vec<f64>,
    linear: Linear,
}

impl Part {
    fn new(n: usize, places: Vec<usize>) -> Self {
        let m = places.len();
        Self { a: vec![0.0; m * n], right: vec![0.0; m], linear: Linear::new(n, m), places }
    }

    fn load(&mut self, n: usize, a: &[f64]) {
        for (own, &place) in self.a.chunks_exact_mut(n.max(1)).zip(&self.places) {
            own.copy_from_slice(&a[place * n..(place + 1) * n]);
        }
    }
}

impl Mechanics {
    /// A system with all rows in force that are not declared `off`.
    pub(super) fn new(system: System) -> Self {
        let rows = (0..system.rows()).filter(|&row| !system.equations().rows[row].off).collect();
        Self::with_rows(system, rows)
    }

    /// A system with certain rows in force.
    pub(super) fn with_rows(system: System, rows: Vec<usize>) -> Self {
        let (n, m) = (system.coordinates(), rows.len());
        let equations = system.equations();
        let of_kind = |wanted: &dyn Fn(Kind) -> bool| -> Vec<usize> {
            (0..m).filter(|&place| wanted(equations.rows[rows[place]].kind)).collect()
        };
        let holonomic = of_kind(&|kind| kind == Kind::Holonomic);
        let moving = of_kind(&|kind| kind != Kind::Acceleration);
        let part = |places: Vec<usize>| (places.len() < m && !places.is_empty()).then(|| Part::new(n, places));
        let has_c = !equations.nonideal.is_empty();
        let ledger = Ledger::new(equations, &rows);
        for group in [Group::Dynamics, Group::PositionDrift, Group::VelocityDrift] {
            system.compile(group);
        }
        let zeros = |size: usize| vec![0.0; size];
        Self {
            dynamics: system.values(Group::Dynamics),
            position_drift: system.values(Group::PositionDrift),
            velocity_drift: system.values(Group::VelocityDrift),
            scales: system.values(Group::Scale),
            power: system.values(Group::Power),
            a: zeros(m * n),
            b: zeros(m),
            zeros: zeros(n.max(m)),
            linear: Linear::new(n, m),
            positions: part(holonomic),
            velocities: part(moving),
            position_scale: vec![1.0; m],
            velocity_scale: vec![1.0; m],
            residual: zeros(m),
            step: zeros(n),
            acceleration: zeros(n),
            ideal: zeros(m),
            reaction: zeros(m),
            c: zeros(n),
            added: zeros(n + m),
            has_c,
            ledger,
            evaluations: 0,
            corrections: 0,
            watched: Vec::with_capacity(WATCHED),
            n,
            rows,
            system,
        }
    }

    /// M, Q, A and b at a state.
    fn evaluate(&mut self, t: f64, q: &[f64], v: &[f64]) {
        self.system.at(t, q, v, &mut self.dynamics);
        let n = self.n;
        let (a, b) = (self.dynamics.a(), self.dynamics.b());
        for (place, &row) in self.rows.iter().enumerate() {
            self.a[place * n..(place + 1) * n].copy_from_slice(&a[row * n..(row + 1) * n]);
            self.b[place] = b[row];
        }
    }

    /// The acceleration at a state, with ranks held, or decided anew.
    pub(super) fn accelerate(&mut self, t: f64, q: &[f64], v: &[f64], decide: bool) -> Result<(), Trouble> {
        self.evaluations += 1;
        self.evaluate(t, q, v);
        if self.has_c {
            self.system.nonideal(&self.dynamics, |_| true, &[], &[], &mut self.c);
        }
        let short = self.linear.try_short_way(self.dynamics.mass(), &self.a);
        if short && !(decide && self.linear.in_doubt()) {
            let Self { linear, dynamics, b, acceleration, ideal, reaction, .. } = self;
            linear.respond(dynamics.force(), b, acceleration, ideal);
            reaction.copy_from_slice(ideal);
            if self.has_c {
                let (x, lambda) = self.added.split_at_mut(self.n);
                self.linear.respond(&self.c, &self.zeros[..self.b.len()], x, lambda);
                self.acceleration.iter_mut().zip(&*x).for_each(|(a, x)| *a += x);
                self.reaction.iter_mut().zip(&*lambda).for_each(|(r, x)| *r += x);
            }
            let sum: f64 = self.acceleration.iter().sum();
            if sum.is_finite() {
                self.watch(t);
                return Ok(());
            }
            // Not a number: the kernel says which.
        }
        self.accelerate_by_kernel(decide)?;
        self.watch(t);
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
        let found = self.linear.dependent(self.dynamics.mass(), &self.a, threshold);
        let row = |place: usize| self.rows[place];
        found.into_iter().map(|(i, of)| (row(i), of.into_iter().map(row).collect())).collect()
    }

    /// How far the rows are from losing rank at a state.
    pub(super) fn clearance_at(&mut self, t: f64, q: &[f64], v: &[f64]) -> f64 {
        self.evaluate(t, q, v);
        self.linear.clearance_of(self.dynamics.mass(), &self.a)
    }

    /// Where something is in doubt.
    fn accelerate_by_kernel(&mut self, decide: bool) -> Result<(), Trouble> {
        let Self { linear, dynamics, a, b, c, .. } = self;
        let mut snapshot = Snapshot::new(dynamics.mass(), dynamics.force()).constrained(a, b);
        if self.has_c {
            snapshot = snapshot.nonideal(c);
        }
        if decide {
            linear.decide(&snapshot)?;
        } else if let Some(held) = &linear.held {
            linear.workspace.solve_held(&snapshot, held)?;
        } else {
            linear.decide(&snapshot)?;
        }
        let motion = linear.workspace.motion();
        self.acceleration.copy_from_slice(&motion.acceleration);
        self.ideal.copy_from_slice(&motion.ideal_multipliers);
        self.reaction.copy_from_slice(&motion.reactions);
        Ok(())
    }

    /// Moves positions or velocities on to the constraints, with the factors of a state near by, and says how far, measured in
    /// `scale`.
    pub(super) fn project(
        &mut self,
        level: Level,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
        scale: &[f64],
    ) -> Result<f64, Trouble> {
        let mut moved = 0.0;
        let mut before = f64::INFINITY;
        for correction in 0..CORRECTIONS {
            let worst = self.drift(level, t, q, v);
            if worst <= MET || self.residual.is_empty() {
                return Ok(moved);
            }
            if !worst.is_finite() {
                return Err(Trouble::OffConstraints);
            }
            // What rounding leaves cannot be improved.
            if worst < 1e-12 && worst > 0.3 * before {
                return Ok(moved);
            }
            if correction > 0 && worst > 0.1 * before {
                // The factors were those of another place.
                self.evaluate(t, q, v);
                self.factor_here(level)?;
            }
            before = worst;
            self.corrections += 1;
            self.correct(level);
            let target = if level == Level::Position { &mut *q } else { &mut *v };
            let mut sum = 0.0;
            for ((x, step), scale) in target.iter_mut().zip(&self.step).zip(scale) {
                *x += step;
                sum += (step / scale) * (step / scale);
            }
            moved += (sum / self.n as f64).sqrt();
        }
        if self.drift(level, t, q, v) < 1e-10 { Ok(moved) } else { Err(Trouble::OffConstraints) }
    }

    /// Factors what projection needs at the state that was evaluated.
    fn factor_here(&mut self, level: Level) -> Result<(), Trouble> {
        let mass = self.dynamics.mass();
        let part = if level == Level::Position { &mut self.positions } else { &mut self.velocities };
        match part {
            Some(part) => {
                part.load(self.n, &self.a);
                part.linear.factor(mass, &part.a)?;
            }
            None => self.linear.factor(mass, &self.a)?,
        }
        Ok(())
    }

    /// The least step against the residual.
    fn correct(&mut self, level: Level) {
        let Self { linear, positions, velocities, residual, step, .. } = self;
        let part = if level == Level::Position { positions } else { velocities };
        match part {
            Some(part) => {
                part.right.iter_mut().zip(&part.places).for_each(|(r, &place)| *r = -residual[place]);
                part.linear.least_step(&part.right, step);
            }
            None => {
                residual.iter_mut().for_each(|r| *r = -*r);
                linear.least_step(residual, step);
            }
        }
    }

    /// Takes from a change of positions or velocities what projection will take away, with the factors at hand.
    pub(super) fn make_tangential(&mut self, level: Level, change: &mut [f64]) {
        let n = self.n;
        // Where no row restricts it, nothing will be taken away.
        let equations = self.system.equations();
        let restricts =
            |kind| if level == Level::Position { kind == Kind::Holonomic } else { kind != Kind::Acceleration };
        if !self.rows.iter().any(|&row| restricts(equations.rows[row].kind)) {
            return;
        }
        for (residual, row) in self.residual.iter_mut().zip(self.a.chunks_exact(n.max(1))) {
            *residual = row.iter().zip(&*change).map(|(a, x)| a * x).sum();
        }
        self.correct(level);
        change.iter_mut().zip(&self.step).for_each(|(x, step)| *x += step);
    }

    /// How far a state is off the constraints, relative to their scales; the worst of the rows in force.
    pub(super) fn drift(&mut self, level: Level, t: f64, q: &[f64], v: &[f64]) -> f64 {
        let (values, scale) = match level {
            Level::Position => (&mut self.position_drift, &self.position_scale),
            Level::Velocity => (&mut self.velocity_drift, &self.velocity_scale),
        };
        self.system.at(t, q, v, values);
        let all = values.residual();
        let mut worst: f64 = 0.0;
        for ((own, &row), scale) in self.residual.iter_mut().zip(&self.rows).zip(scale) {
            *own = all[row];
            let part = own.abs() / scale;
            worst = if part > worst || part.is_nan() { part } else { worst };
        }
        worst
    }

    /// Decides ranks where a projection has rows of its own; at a state on the constraints that was evaluated.
    fn decide_parts(&mut self) -> Result<(), Trouble> {
        let (mass, n) = (self.dynamics.mass(), self.n);
        for part in [&mut self.positions, &mut self.velocities].into_iter().flatten() {
            part.load(n, &self.a);
            let b = &self.zeros[..part.right.len()];
            let snapshot = Snapshot::new(mass, &self.zeros[..n]).constrained(&part.a, b);
            if !part.linear.try_short_way(mass, &part.a) || part.linear.in_doubt() {
                part.linear.decide(&snapshot)?;
            }
        }
        Ok(())
    }

    /// The scales of the rows at a state: the magnitudes of their terms, floored by what coordinates of typical size make of
    /// their slopes.
    pub(super) fn measure(&mut self, t: f64, q: &[f64], v: &[f64], position: &[f64], velocity: &[f64]) {
        self.evaluate(t, q, v);
        self.system.at(t, q, v, &mut self.scales);
        self.system.at(t, q, v, &mut self.velocity_drift);
        let terms = self.scales.all();
        let rates = self.velocity_drift.residual();
        let equations = self.system.equations();
        let n = self.n;
        let mut begin = 0;
        let mut place = 0;
        for (number, row) in equations.rows.iter().enumerate() {
            let end = begin + row.scale_terms.len();
            let size: f64 = terms[begin..end].iter().map(|x| x.abs()).sum();
            begin = end;
            if place == self.rows.len() || self.rows[place] != number {
                continue;
            }
            let slopes = &self.a[place * n..(place + 1) * n];
            let floor = |sizes: &[f64]| slopes.iter().zip(sizes).map(|(a, s)| a.abs() * s).sum::<f64>();
            let moved: f64 = slopes.iter().zip(v).map(|(a, v)| a * v).sum();
            let moving: f64 = slopes.iter().zip(v).map(|(a, v)| (a * v).abs()).sum();
            let of_velocity = if row.kind == Kind::Holonomic { moving + (rates[number] - moved).abs() } else { size };
            let sound = |x: f64| if x > 0.0 && x.is_finite() { x } else { 1.0 };
            self.position_scale[place] = sound(size.max(floor(position)));
            self.velocity_scale[place] = sound(of_velocity.max(floor(velocity)));
            place += 1;
        }
    }

    /// Everything about a state for a record: with the kernel, so that redundant rows share their load as the papers say.
    pub(super) fn examine(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), Trouble> {
        self.evaluate(t, q, v);
        if self.has_c {
            self.system.nonideal(&self.dynamics, |_| true, &[], &[], &mut self.c);
        }
        let Self { linear, dynamics, a, b, c, .. } = self;
        let mut snapshot = Snapshot::new(dynamics.mass(), dynamics.force()).constrained(a, b);
        if self.has_c {
            snapshot = snapshot.nonideal(c);
        }
        match &linear.held {
            Some(held) => linear.workspace.solve_held(&snapshot, held)?,
            None => linear.workspace.solve(&snapshot)?,
        };
        let motion = linear.workspace.motion();
        self.acceleration.copy_from_slice(&motion.acceleration);
        self.ideal.copy_from_slice(&motion.ideal_multipliers);
        self.reaction.copy_from_slice(&motion.reactions);
        Ok(())
    }

    /// The rate at a state on the constraints, where all ranks are decided.
    pub(super) fn rate_deciding(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Trouble> {
        self.find_rate(t, y, rate, true)?;
        self.decide_parts()
    }

    fn find_rate(&mut self, t: f64, y: &[f64], rate: &mut [f64], decide: bool) -> Result<(), Trouble> {
        let n = self.n;
        let (q, v) = (&y[..n], &y[n..2 * n]);
        self.accelerate(t, q, v, decide)?;
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
        let impressed = if self.ledger.impressed { self.power.all()[0] } else { 0.0 };
        self.ledger.powers(self.n, impressed, v, &self.a, &self.ideal, &self.reaction, &self.c, out);
    }
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
        self.find_rate(t, y, rate, false)
    }
}
