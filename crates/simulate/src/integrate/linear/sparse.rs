//! With few entries: through the sparse kernel, along its band or along pivots that were decided at a state near by.

// What is not a number must fail a comparison.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

use super::super::trouble::Trouble;
use super::{Answer, Numbers};
use holonom_kernel::linalg::tolerance::GROWN;
use holonom_kernel::sparse::{Numeric, Pattern, SparseError, SparseValues, Symbolic, TooLarge};
use holonom_kernel::{Directions, MotionError};
use holonom_mechanics::compile::RowLayout;
use holonom_mechanics::derive::Equations;
use std::sync::Arc;

/// Along pivots decided earlier, a clearance below this part of what it was then says little: they are decided anew.
const POOR: f64 = 1e-2;
/// What is left of the equations, relative to their terms, beyond which pivots are decided anew.
const CERTAIN: f64 = 1e-11;
/// Entries below this part of their row are rounding.
const NEGLIGIBLE: f64 = 1e-12;
/// Rows count as concerned by a dependency where they make up this part of it.
const CONCERNED: f64 = 1e-3;

/// A factorisation with ranks that are held between states on the constraints.
#[derive(Clone)]
pub(crate) struct Sparse {
    symbolic: Result<Arc<Symbolic>, Box<TooLarge>>,
    shape: RowLayout,
    numeric: Numeric,
    /// What was factored last.
    mass: Vec<f64>,
    a: Vec<f64>,
    /// The rank of the rows that is held, and whether every coordinate is determined.
    held: Option<usize>,
    determined: bool,
    m: usize,
    /// The clearance when pivots were decided last.
    decided: f64,
    is_factored: bool,
    /// The largest sum of squares of each row along the motion, and the least part that is left of one.
    longest: Vec<f64>,
    presence: f64,
    zeros: Vec<f64>,
    unused: Vec<f64>,
    acceleration: Vec<f64>,
    ideal: Vec<f64>,
    reactions: Vec<f64>,
    ideal_force: Vec<f64>,
    nonideal_force: Vec<f64>,
    /// Not looked for: a model that says something of them takes the dense kernel.
    free_directions: Directions,
    consistent: bool,
    /// How often it factored.
    pub(crate) factorisations: u64,
}

impl From<SparseError> for Trouble {
    fn from(error: SparseError) -> Self {
        match error {
            SparseError::Motion(error) => Self::Motion(error),
            SparseError::TooLarge(error) => Self::TooLarge(Box::new(error)),
        }
    }
}

impl Sparse {
    /// For the M of the equations and m rows of this shape.
    pub(super) fn new(equations: &Equations, shape: &RowLayout, m: usize) -> Self {
        let n = equations.force.len();
        let columns = |row: usize| -> Vec<usize> { shape.columns(row).iter().map(|j| *j as usize).collect() };
        let mass = equations.mass.lower().map(|(i, j, _)| (i, j));
        let pattern = Pattern::new(n, (0..m).map(columns), mass);
        let too_many = |_| TooLarge { size: n, limit: 0, coordinates: Vec::new(), rows: Vec::new() };
        let symbolic = pattern.map_err(too_many).and_then(|pattern| Symbolic::new(&pattern));
        Self {
            symbolic: symbolic.map(Arc::new).map_err(Box::new),
            shape: shape.clone(),
            numeric: Numeric::new(),
            mass: Vec::new(),
            a: Vec::new(),
            held: None,
            determined: false,
            m,
            decided: 1.0,
            is_factored: false,
            longest: vec![0.0; m],
            presence: 1.0,
            zeros: vec![0.0; n.max(m)],
            unused: vec![0.0; n.max(m)],
            acceleration: vec![0.0; n],
            ideal: vec![0.0; m],
            reactions: vec![0.0; m],
            ideal_force: vec![0.0; n],
            nonideal_force: vec![0.0; n],
            free_directions: Directions::default(),
            consistent: true,
            factorisations: 0,
        }
    }

    fn analysed(&self) -> Result<Arc<Symbolic>, Trouble> {
        self.symbolic.clone().map_err(Trouble::TooLarge)
    }

    fn load(&mut self, mass: &[f64], a: &[f64]) {
        self.factorisations += 1;
        self.mass.clear();
        self.mass.extend_from_slice(mass);
        self.a.resize(a.len(), 0.0);
        self.presence = 1.0;
        for (row, longest) in self.longest.iter().enumerate() {
            let range = self.shape.range(row);
            let mut length = 0.0;
            for (own, a) in self.a[range.clone()].iter_mut().zip(&a[range]) {
                *own = *a;
                length += a * a;
            }
            if length < self.presence * *longest {
                self.presence = length / *longest;
            }
        }
    }

    pub(super) fn remember(&mut self, a: &[f64]) {
        for (row, longest) in self.longest.iter_mut().enumerate() {
            *longest = longest.max(a[self.shape.range(row)].iter().map(|a| a * a).sum());
        }
    }

    /// The rows that are held as independent: all of them, or nothing where some are redundant, since which ones lead is decided in fronts.
    pub(super) fn independent_rows(&self) -> Option<Vec<usize>> {
        (self.held == Some(self.m)).then(|| (0..self.m).collect())
    }

    /// Factors and decides ranks.
    fn decide_ranks(&mut self) -> Result<usize, Trouble> {
        let symbolic = self.analysed()?;
        self.is_factored = false;
        let values = SparseValues { mass: &self.mass, a: &self.a };
        let mut ranks = self.numeric.factor(&symbolic, values)?;
        if let Some(held) = self.held
            && ranks.constraints.rank > held
            && ranks.constraints.gap < GROWN
        {
            ranks = self.numeric.factor_near(&symbolic, values, GROWN)?;
            if ranks.constraints.rank < held {
                ranks = self.numeric.factor(&symbolic, values)?;
            }
        }
        self.is_factored = true;
        self.determined = ranks.system.rank == self.shape_coordinates();
        self.decided = self.numeric.clearance();
        Ok(ranks.constraints.rank)
    }

    fn shape_coordinates(&self) -> usize {
        self.acceleration.len()
    }

    pub(super) fn decide(&mut self, numbers: &Numbers) -> Result<(), Trouble> {
        self.load(numbers.mass, numbers.a);
        self.held = Some(self.decide_ranks()?);
        self.find_answer(numbers)
    }

    /// There is one way, and it is as short as can be.
    pub(super) fn is_short(&self) -> bool {
        self.is_factored
    }

    pub(super) fn in_doubt(&self) -> bool {
        !self.is_factored || !self.determined || self.held.is_none_or(|rank| rank < self.m)
    }

    /// The coordinates that neither mass nor rows determined when ranks were decided last.
    pub(super) fn undetermined(&self) -> Vec<usize> {
        if self.determined { Vec::new() } else { self.numeric.free_coordinates() }
    }

    pub(super) fn clearance(&self) -> f64 {
        self.numeric.clearance().min(self.presence)
    }

    pub(super) fn clearance_of(&mut self, mass: &[f64], a: &[f64]) -> f64 {
        self.load(mass, a);
        // Decided anew, for pivots of another state may be poor here.
        match self.decide_ranks() {
            Ok(rank) if self.held.is_none_or(|held| rank >= held) => self.clearance(),
            _ => 0.0,
        }
    }

    pub(super) fn dependent(&mut self, mass: &[f64], a: &[f64], threshold: f64) -> Vec<(usize, Vec<usize>)> {
        let Ok(symbolic) = self.analysed() else { return Vec::new() };
        let mut numeric = Numeric::new();
        let values = SparseValues { mass, a };
        // What depends all along is not news.
        let mut always = numeric.clone();
        let known = match always.factor_fronts(&symbolic, values) {
            Ok(_) => always.redundant_rows(&symbolic).len(),
            Err(_) => 0,
        };
        if numeric.factor_near(&symbolic, values, threshold.sqrt()).is_err() {
            return Vec::new();
        }
        let (n, m) = (self.shape_coordinates(), self.m);
        let audit = numeric.audit(&symbolic, values, &self.zeros[..m], &self.zeros[..n]);
        let held_out = (m - self.rank()).min(known);
        let length = |row: usize| a[self.shape.range(row)].iter().map(|a| a * a).sum::<f64>().sqrt();
        let mut found = Vec::new();
        for redundancy in audit.redundant.iter().skip(held_out) {
            let own = length(redundancy.row);
            let repeats = redundancy.repeats.iter().zip(&redundancy.coefficients);
            let concerned =
                repeats.filter(|(row, c)| (*c * length(**row)).abs() > CONCERNED * own).map(|(row, _)| *row);
            found.push((redundancy.row, concerned.collect()));
        }
        found
    }

    pub(super) fn rank(&self) -> usize {
        self.held.unwrap_or(0)
    }

    pub(super) fn try_short_way(&mut self, mass: &[f64], a: &[f64]) -> bool {
        self.held.is_some() && self.factor(mass, a).is_ok()
    }

    pub(super) fn factor(&mut self, mass: &[f64], a: &[f64]) -> Result<(), Trouble> {
        self.load(mass, a);
        let symbolic = self.analysed()?;
        let values = SparseValues { mass: &self.mass, a: &self.a };
        self.is_factored = false;
        if self.numeric.factor_held(&symbolic, values).is_ok()
            && self.numeric.clearance() > POOR * self.decided
            && self.numeric.neglected() <= NEGLIGIBLE
        {
            self.is_factored = true;
            return Ok(());
        }
        self.decide_again(&symbolic)
    }

    /// Decides pivots anew at a state where the rank that is held must not be lost. Rows that depended on others at one moment alone, as
    /// in a singular start, count from here on.
    fn decide_again(&mut self, symbolic: &Symbolic) -> Result<(), Trouble> {
        let rank = self.decide_ranks()?;
        if self.held.is_some_and(|held| rank < held) {
            self.is_factored = false;
            let lost = self.numeric.redundant_rows(symbolic).last().copied().unwrap_or(0);
            return Err(Trouble::Motion(MotionError::HeldRankLost { row: lost }));
        }
        self.held = self.held.map(|_| rank);
        Ok(())
    }

    pub(super) fn respond(&mut self, force: &[f64], b: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        let Ok(symbolic) = self.analysed() else { return };
        let verdict = self.numeric.solve(&symbolic, SparseValues { mass: &self.mass, a: &self.a }, force, b, x, lambda);
        // Also where it is not a number.
        let is_poor = !(verdict.residual <= CERTAIN);
        if is_poor && self.decide_again(&symbolic).is_ok() {
            self.numeric.solve(&symbolic, SparseValues { mass: &self.mass, a: &self.a }, force, b, x, lambda);
        }
    }

    pub(super) fn solve(&mut self, numbers: &Numbers) -> Result<(), Trouble> {
        self.factor(numbers.mass, numbers.a)?;
        self.find_answer(numbers)
    }

    /// The motion under Q and C, with the factors at hand.
    fn find_answer(&mut self, numbers: &Numbers) -> Result<(), Trouble> {
        let symbolic = self.analysed()?;
        let values = SparseValues { mass: &self.mass, a: &self.a };
        let (n, m) = (numbers.force.len(), numbers.b.len());
        let Self { numeric, acceleration, ideal, reactions, unused, zeros, .. } = self;
        let verdict = numeric.solve(&symbolic, values, numbers.force, numbers.b, acceleration, ideal);
        self.consistent = verdict.consistent;
        reactions.copy_from_slice(ideal);
        self.nonideal_force.fill(0.0);
        if let Some(c) = numbers.c {
            let more = &mut self.ideal_force[..n];
            numeric.solve(&symbolic, values, c, &zeros[..m], more, &mut unused[..m]);
            acceleration.iter_mut().zip(more).for_each(|(x, more)| *x += *more);
            reactions.iter_mut().zip(&unused[..m]).for_each(|(x, more)| *x += more);
            // Qₙᵢ = C + Aᵀ(λ − λᵢ)
            symbolic.pattern().force(values.a, &unused[..m], &mut self.nonideal_force);
            self.nonideal_force.iter_mut().zip(c).for_each(|(x, c)| *x += c);
        }
        symbolic.pattern().force(values.a, ideal, &mut self.ideal_force);
        if acceleration.iter().chain(&*reactions).sum::<f64>().is_finite() {
            return Ok(());
        }
        Err(Trouble::Motion(MotionError::OutOfRange))
    }

    pub(super) fn answer(&self) -> Answer<'_> {
        Answer {
            acceleration: &self.acceleration,
            ideal: &self.ideal,
            reactions: &self.reactions,
            ideal_force: &self.ideal_force,
            nonideal_force: &self.nonideal_force,
            free_directions: &self.free_directions,
            consistent: self.consistent,
        }
    }

    pub(super) fn least_step(&mut self, right: &[f64], step: &mut [f64]) {
        let Ok(symbolic) = &self.symbolic else { return };
        let (n, m) = (step.len(), right.len());
        let values = SparseValues { mass: &self.mass, a: &self.a };
        self.numeric.solve(symbolic, values, &self.zeros[..n], right, step, &mut self.unused[..m]);
    }
}
