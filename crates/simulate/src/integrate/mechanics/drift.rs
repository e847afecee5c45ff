//! How far a state is off the rows in force, and what each row is measured by.

use super::Mechanics;
use super::in_force::{InForce, Level};
use crate::integrate::linear::{Linear, Numbers};
use crate::integrate::sizes::Sizes;
use crate::integrate::trouble::Trouble;
use holonom_kernel::motion::supplement::{Filled, Supplement};
use holonom_mechanics::compile::{CompiledSystem, Group, Inputs, RowLayout, Values};
use holonom_mechanics::derive::{ConstraintKind, Row};

/// How far a state may be off, relative to the scale of each row, before it is projected once more.
pub(super) const MET: f64 = 2e-14;
/// A row whose own terms are below this part of what its coordinates would make of it says nothing of its scale.
const DUST: f64 = 1e-13;
/// … and one that is smaller than this part of what others of its kind would make of it is met as soon as they are.
const TINY: f64 = 1e-13;
/// What rounding may leave of a row that is made of terms as large as others of its kind would make them.
const ROUNDINGS: f64 = 32.0 * f64::EPSILON;

/// What projection sees, and what it goes by.
#[derive(Clone)]
pub(in crate::integrate) struct Drift {
    /// All rows of the equations at a state, as they restrict positions and velocities.
    pub(super) positions: Values,
    pub(super) velocities: Values,
    /// How far the rows in force are off, and the slip of contacts that stick after them.
    pub(super) residual: Vec<f64>,
    /// The least step against it.
    pub(super) step: Vec<f64>,
    pub(in crate::integrate) scales: Scales,
    /// Where rows of other kinds are in force as well: the holonomic ones alone, and those that restrict velocities.
    pub(super) parts: [Option<Part>; 2],
    /// How far a state may be off the rows, relative to their scales, without being projected.
    pub(super) aim: f64,
    /// The same as error control sees it.
    pub(super) jitter: f64,
    /// The least speed of each coordinate at which what projection takes away matters: of a body at rest it is rounding of its forces.
    pub(in crate::integrate) least_speed: Vec<f64>,
    /// The residuals of positions and velocities that projection saw last.
    pub(in crate::integrate) left: (f64, f64),
    /// How fast Baumgarte's terms let violations die out, where they are in force.
    pub(in crate::integrate) baumgarte: Option<f64>,
}

impl Drift {
    /// Every row counts as met up to `MET`.
    pub(super) fn new(system: &CompiledSystem) -> Self {
        let n = system.coordinates();
        for group in [Group::PositionDrift, Group::VelocityDrift] {
            system.compile(group);
        }
        Self {
            positions: system.values(Group::PositionDrift),
            velocities: system.values(Group::VelocityDrift),
            residual: Vec::new(),
            step: vec![0.0; n],
            scales: Scales::new(system),
            parts: [None, None],
            aim: MET,
            jitter: MET,
            least_speed: vec![0.0; n],
            left: (0.0, 0.0),
            baumgarte: None,
        }
    }

    /// Makes room for so many rows; `parts` are those that are projected on by themselves.
    pub(super) fn arrange(&mut self, total: usize, parts: [Option<Part>; 2]) {
        self.parts = parts;
        self.residual.clear();
        self.residual.resize(total, 0.0);
        self.scales.arrange(total);
    }

    /// Adds Baumgarte's terms to b, where they are asked for.
    pub(super) fn stabilise(
        &mut self,
        system: &CompiledSystem,
        in_force: &mut InForce,
        (t, q, v): (f64, &[f64], &[f64]),
    ) {
        let Some(alpha) = self.baumgarte else { return };
        system.at(t, q, v, &mut self.positions);
        system.at(t, q, v, &mut self.velocities);
        let (positions, velocities) = (self.positions.residual(), self.velocities.residual());
        let kinds = &system.equations().rows;
        for (b, &row) in in_force.b.iter_mut().zip(&in_force.rows) {
            // φ̈ + 2α φ̇ + α² φ = 0, ψ̇ + α ψ = 0
            let twice = if kinds[row].kind == ConstraintKind::Holonomic { 2.0 } else { 1.0 };
            *b -= twice * alpha * velocities[row] + alpha * alpha * positions[row];
        }
    }

    /// Whether what is left of all rows is rounding, be it a part of their scale or of what goes into them.
    pub(super) fn is_rounding(&self, level: Level, part: f64) -> bool {
        let mut left = self.residual.iter().zip(self.scales.of(level)).zip(&self.scales.floors[level as usize]);
        left.all(|((residual, scale), floor)| residual.abs() <= (part * scale).max(*floor))
    }

    /// The least step against the residual, by the factors of all rows or of those that restrict a level.
    pub(super) fn correct(&mut self, level: Level, linear: &mut Linear) {
        let Self { parts, residual, step, .. } = self;
        match &mut parts[level as usize] {
            Some(part) => part.correct(residual, step),
            None => {
                residual.iter_mut().for_each(|r| *r = -*r);
                linear.least_step(residual, step);
            }
        }
    }
}

/// Some of the rows in force, with a factorisation of their own.
///
/// A direction without mass may be determined by the other rows alone, as the spin of a thin rod is by a row of velocities. Then no
/// step along it is shorter than others; M + Σ s aᵀa over those rows says that it is to stay with them.
#[derive(Clone)]
pub(super) struct Part {
    /// Places among the rows in force, and those of the other rows.
    places: Vec<usize>,
    others: Vec<usize>,
    shape: RowLayout,
    a: Vec<f64>,
    right: Vec<f64>,
    linear: Linear,
    /// Whether the other rows stand in for mass that is missing.
    is_filled: bool,
    supplement: Supplement,
    filled: Filled,
}

impl Part {
    pub(super) fn new(places: Vec<usize>, total: usize, shape: RowLayout, linear: Linear) -> Self {
        let m = places.len();
        Self {
            a: vec![0.0; shape.len(m)],
            right: vec![0.0; m],
            others: (0..total).filter(|place| !places.contains(place)).collect(),
            shape,
            linear,
            places,
            is_filled: false,
            supplement: Supplement::default(),
            filled: Filled::default(),
        }
    }

    /// Takes its rows from those in force, and the others where they stand in for mass.
    fn load(&mut self, in_force: &InForce) {
        let a = in_force.a();
        for (own, &place) in self.places.iter().enumerate() {
            self.a[self.shape.range(own)].copy_from_slice(&a[in_force.shape.range(place)]);
        }
        if self.is_filled {
            let numbers = in_force.numbers(None);
            let (n, others) = (numbers.force.len(), &self.others);
            let weights = self.supplement.all(n, numbers.mass, numbers.a, others);
            self.filled.fill(&numbers.snapshot(), weights.map(|(i, weight)| (others[i], weight)));
        }
    }

    /// Factors with ranks held at the state that was evaluated.
    pub(super) fn factor(&mut self, in_force: &InForce) -> Result<(), Trouble> {
        self.load(in_force);
        let mass = if self.is_filled { &self.filled.mass } else { in_force.mass() };
        self.linear.factor(mass, &self.a)
    }

    /// Decides ranks at a state on the constraints that was evaluated.
    pub(super) fn decide(&mut self, in_force: &InForce) -> Result<(), Trouble> {
        self.load(in_force);
        let mass = if self.is_filled { &self.filled.mass } else { in_force.mass() };
        if self.linear.try_short_way(mass, &self.a) && !self.linear.in_doubt() {
            return Ok(());
        }
        let (force, b) = (in_force.no_force(), &in_force.no_right()[..self.right.len()]);
        self.linear.decide(&Numbers { mass, force, a: &self.a, b, c: None })?;
        if !self.is_filled && !self.others.is_empty() && !self.linear.determines_all() {
            self.is_filled = true;
            return self.decide(in_force);
        }
        Ok(())
    }

    /// The least step against the residual of the rows in force.
    fn correct(&mut self, residual: &[f64], step: &mut [f64]) {
        self.right.iter_mut().zip(&self.places).for_each(|(r, &place)| *r = -residual[place]);
        self.linear.least_step(&self.right, step);
    }
}

/// The scales of the rows in force, of positions and of velocities.
#[derive(Clone)]
pub(in crate::integrate) struct Scales {
    /// The terms that rows are made of.
    terms: Values,
    of: [Vec<f64>; 2],
    /// What rounding may leave of each row, where terms that it is made of cancel.
    floors: [Vec<f64>; 2],
    /// Those that are put aside while a record is made.
    kept: [Vec<f64>; 2],
    /// Those before the present attempt, where it has measured others.
    former: [Vec<f64>; 2],
    is_remeasured: bool,
}

impl Scales {
    fn new(system: &CompiledSystem) -> Self {
        system.compile(Group::Scale);
        Self {
            terms: system.values(Group::Scale),
            of: Default::default(),
            floors: Default::default(),
            kept: Default::default(),
            former: Default::default(),
            is_remeasured: false,
        }
    }

    fn arrange(&mut self, total: usize) {
        let resize = |list: &mut Vec<f64>, value: f64| {
            list.clear();
            list.resize(total, value);
        };
        self.is_remeasured = false;
        self.of.iter_mut().chain(&mut self.former).for_each(|scales| resize(scales, 1.0));
        self.floors.iter_mut().for_each(|floors| resize(floors, 0.0));
    }

    /// The scales of the rows on a level.
    pub(in crate::integrate) fn of(&self, level: Level) -> &[f64] {
        &self.of[level as usize]
    }

    /// The last attempt was taken, and with it what it measured.
    pub(in crate::integrate) fn keep(&mut self) {
        self.is_remeasured = false;
    }

    /// Takes back what an attempt measured that was not taken: a projection that goes astray measures rows by states that are far from all
    /// motion, and whatever is projected by such scales stays where it is.
    pub(in crate::integrate) fn restore(&mut self) {
        if std::mem::replace(&mut self.is_remeasured, false) {
            self.of.clone_from(&self.former);
        }
    }

    /// Rows are to be measured in the middle of an attempt, which may come to nothing.
    fn expect_other(&mut self) {
        if !std::mem::replace(&mut self.is_remeasured, true) {
            self.former.clone_from(&self.of);
        }
    }

    /// Puts the scales aside, and says whether they are those of the present attempt.
    pub(super) fn put_aside(&mut self) -> bool {
        self.kept.clone_from(&self.of);
        self.is_remeasured
    }

    /// Takes back what was put aside.
    pub(super) fn take_back(&mut self, is_remeasured: bool) {
        self.is_remeasured = is_remeasured;
        std::mem::swap(&mut self.kept, &mut self.of);
    }
}

impl Mechanics {
    /// Measures the scales of rows in the middle of an attempt, which may come to nothing.
    pub(super) fn measure_in_passing(&mut self, t: f64, q: &[f64], v: &[f64]) {
        self.drift.scales.expect_other();
        self.measure(t, q, v);
    }

    /// How far a state is off the constraints, relative to their scales; the worst of the rows in force.
    pub(in crate::integrate) fn drift(&mut self, level: Level, t: f64, q: &[f64], v: &[f64]) -> f64 {
        let Self { system, in_force, contacts, drift: Drift { positions, velocities, residual, scales, .. }, .. } =
            self;
        let values = if level == Level::Position { positions } else { velocities };
        system.at(t, q, v, values);
        let all = values.residual();
        let mut worst: f64 = 0.0;
        for ((own, &row), scale) in residual.iter_mut().zip(&in_force.rows).zip(scales.of(level)) {
            *own = all[row];
            let part = own.abs() / scale;
            worst = if part > worst || part.is_nan() { part } else { worst };
        }
        if in_force.sticks > 0 {
            let m = in_force.rows.len();
            let slips = &mut residual[m..];
            slips.fill(0.0);
            if let (Level::Velocity, Some(contacts)) = (level, contacts) {
                contacts.evaluate(system, t, q, v);
                contacts.write_slips(slips);
            }
            for (slip, scale) in slips.iter().zip(&scales.of(Level::Velocity)[m..]) {
                worst = worst.max(slip.abs() / scale);
            }
        }
        worst
    }

    /// The same as evidence: what rounding of large terms may leave of a row that is small itself is measured by those terms.
    pub(in crate::integrate) fn missed(&mut self, level: Level, t: f64, q: &[f64], v: &[f64]) -> f64 {
        self.drift(level, t, q, v);
        let Drift { residual, scales, .. } = &self.drift;
        let rows = residual.iter().zip(scales.of(level)).zip(&scales.floors[level as usize]);
        rows.fold(0.0, |worst: f64, ((residual, scale), floor)| match residual.abs() {
            left if left <= *floor => worst.max(left / scale.max(floor / ROUNDINGS)),
            left if left.is_nan() => left,
            left => worst.max(left / scale),
        })
    }

    /// The scales of the rows at a state: the magnitudes of their terms, floored by what the sizes of their coordinates make of their slopes.
    ///
    /// Where nothing is left of them, as for x₂ − x₁ at the origin, a row is measured by its largest coordinates, or by those of
    /// their kind elsewhere: what rounding makes of a zero must not become a scale.
    pub(in crate::integrate) fn measure(&mut self, t: f64, q: &[f64], v: &[f64]) {
        self.evaluate(t, q, v);
        let Self { system, in_force, sizes, found, drift: Drift { velocities, scales, .. }, .. } = self;
        // The terms of a row of accelerations contain some.
        let inputs = Inputs { t, q, v, acceleration: &found.acceleration, ..Inputs::default() };
        system.evaluate(&inputs, &mut scales.terms);
        system.at(t, q, v, velocities);
        let rates = velocities.residual();
        let (a, shape) = (in_force.a(), &in_force.shape);
        let mut begin = 0;
        let mut place = 0;
        for (number, row) in system.equations().rows.iter().enumerate() {
            let end = begin + row.scale_terms.len();
            let size: f64 = scales.terms.all()[begin..end].iter().map(|x| x.abs()).sum();
            begin = end;
            if place == in_force.rows.len() || in_force.rows[place] != number {
                continue;
            }
            let of_velocity = match row.kind {
                ConstraintKind::Holonomic => {
                    let (moved, moving) = (shape.dot(place, a, v), shape.sum(place, a, v, |a, v| (a * v).abs()));
                    let natural = system.equations().natural_slopes(number);
                    let natural: f64 = natural.map(|(j, slope)| slope * v[j].abs()).sum();
                    (moving + (rates[number] - moved).abs()).max(natural)
                }
                _ => size,
            };
            let measured = Measured { row, place, a, shape, sizes };
            (scales.of[0][place], scales.floors[0][place]) = measured.scale(size, 0, q);
            (scales.of[1][place], scales.floors[1][place]) = measured.scale(of_velocity, v.len(), v);
            place += 1;
        }
        for row in place..place + in_force.sticks {
            let size = shape.sum(row, a, &sizes.kind()[v.len()..], |a, size| a.abs() * size);
            scales.of[1][row] = if size > 0.0 { size } else { 1.0 };
        }
    }
}

/// A row in force whose scale is asked for.
struct Measured<'a> {
    row: &'a Row,
    place: usize,
    a: &'a [f64],
    shape: &'a RowLayout,
    sizes: &'a Sizes,
}

impl Measured<'_> {
    /// Its scale and what rounding may leave of it, for the sum of its terms and the coordinates or velocities now, whose sizes begin at `level`.
    fn scale(&self, own_terms: f64, level: usize, now: &[f64]) -> (f64, f64) {
        let sizes = self.sizes;
        let own = |j: usize| sizes.own(level + j).max(now[j].abs());
        let from_terms = own_terms.max(self.sloped(own));
        let alike = |j: usize| {
            let mates = self.row.a.iter().map(|&(i, _)| i).filter(|&i| sizes.alike(i) == sizes.alike(j));
            mates.fold(0.0, |most: f64, i| most.max(own(i)))
        };
        let from_mates = self.sloped(alike);
        let found = if from_terms > DUST * from_mates { from_terms } else { from_mates };
        let from_kind = self.sloped(|j| sizes.kind()[level + j]);
        let found = if found > 0.0 { found.max(TINY * from_kind) } else { from_kind };
        let floor = if from_kind.is_finite() { ROUNDINGS * from_kind } else { 0.0 };
        (if found > 0.0 && found.is_finite() { found } else { 1.0 }, floor)
    }

    /// What slopes make of the sizes that `of` gives to coordinates.
    fn sloped(&self, of: impl Fn(usize) -> f64) -> f64 {
        self.shape.entries(self.place, self.a).map(|(j, a)| a.abs() * of(j)).sum()
    }
}
