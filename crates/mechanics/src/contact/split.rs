//! A system at a state, part by part: M, Q, A and b of each, and what the kernel makes of them.

use super::parts::Parts;
use super::response::{Unit, norm};
use crate::compile::{CompiledSystem, Group, Values};
use holonom_kernel::motion::{Audit, Gauss, Motion, MotionError, Prepared, Rank, Snapshot, Workspace};
use std::sync::Arc;

/// M, Q, A and b of some rows, with memory of its own for each part.
#[derive(Clone, Debug)]
pub(super) struct Split {
    pub(super) parts: Arc<Parts>,
    pieces: Vec<Piece>,
    /// How many rows there are in all.
    rows: usize,
}

/// The numbers of a part, with every entry in its place.
#[derive(Clone, Debug)]
struct Piece {
    mass: Vec<f64>,
    force: Vec<f64>,
    a: Vec<f64>,
    b: Vec<f64>,
    /// The places of its rows among all.
    rows: Vec<usize>,
}

impl Piece {
    fn snapshot(&self) -> Snapshot<'_> {
        Snapshot::new(&self.mass, &self.force).constrained(&self.a, &self.b)
    }
}

/// A push whose answer is below this part of what it would be without rows may be along a direction that rows determine.
const SLIGHT: f64 = 1e-6;
/// A row whose coefficient is below this part of what would make the direction of it alone takes no part in a combination.
const DUST: f64 = 1e-13;
/// A combination of rows that misses a direction by less than this part of its terms is that direction.
const SAME: f64 = 1e-11;

impl Split {
    /// M and Q at the state that was evaluated; no rows.
    pub(super) fn new(parts: &Arc<Parts>, system: &CompiledSystem, dynamics: &Values) -> Self {
        let force = dynamics.force();
        let mut pieces: Vec<Piece> = (0..parts.len())
            .map(|part| {
                let own = parts.coordinates(part);
                let (mass, force) = (vec![0.0; own.len() * own.len()], own.iter().map(|&j| force[j]).collect());
                Piece { mass, force, a: Vec::new(), b: Vec::new(), rows: Vec::new() }
            })
            .collect();
        let (n, values) = (force.len(), dynamics.mass());
        let is_sparse = dynamics.group() == Group::Sparse;
        for (at, (i, j, _)) in system.equations().mass.lower().enumerate() {
            let value = if is_sparse { values[at] } else { values[i * n + j] };
            let ((part, i), (_, j)) = (parts.of(i), parts.of(j));
            let size = parts.coordinates(part).len();
            (pieces[part].mass[i * size + j], pieces[part].mass[j * size + i]) = (value, value);
        }
        Self { parts: parts.clone(), pieces, rows: 0 }
    }

    /// The same with more rows, each with its entries and its right side.
    pub(super) fn with_rows<R>(mut self, rows: impl Iterator<Item = (R, f64)>) -> Self
    where
        R: Iterator<Item = (usize, f64)> + Clone,
    {
        for (row, right) in rows {
            let part = self.parts.of_first(row.clone().map(|entry| entry.0));
            let piece = &mut self.pieces[part];
            let start = piece.a.len();
            piece.a.resize(start + piece.force.len(), 0.0);
            row.for_each(|(j, a)| piece.a[start + self.parts.of(j).1] = a);
            piece.b.push(right);
            piece.rows.push(self.rows);
            self.rows += 1;
        }
        self
    }

    /// The same without forces and right sides: how velocities answer to impulses.
    pub(super) fn still(mut self) -> Self {
        for piece in &mut self.pieces {
            piece.force.fill(0.0);
            piece.b.fill(0.0);
        }
        self
    }

    /// Factors, and finds the multipliers that the rows would have if all were ideal.
    pub(super) fn prepare(&self, memory: &mut Vec<Workspace>) -> Result<Vec<f64>, MotionError> {
        memory.resize_with(memory.len().max(self.pieces.len()), Workspace::new);
        let mut multipliers = vec![0.0; self.rows];
        for (piece, workspace) in self.pieces.iter().zip(memory) {
            let prepared = workspace.prepare(&piece.snapshot())?;
            piece.rows.iter().zip(prepared.ideal_multipliers()).for_each(|(&row, x)| multipliers[row] = *x);
        }
        Ok(multipliers)
    }

    /// The motion with a non-ideal part, after it was [prepared](Self::prepare).
    pub(super) fn finish(&self, memory: &mut [Workspace], c: &[f64]) -> Result<Motion, MotionError> {
        let mut whole = Motion::empty();
        whole.resize(c.len(), self.rows);
        whole.gauss = Gauss { deviation: Some(0.0), general: 0.0 };
        for (part, (piece, workspace)) in self.pieces.iter().zip(memory).enumerate() {
            let own: Vec<f64> = self.parts.coordinates(part).iter().map(|&j| c[j]).collect();
            let motion = Prepared::again(workspace, piece.snapshot()).finish(&own)?;
            add_part(&mut whole, motion, self.parts.coordinates(part), &piece.rows);
        }
        Ok(whole)
    }

    /// The motion with a non-ideal part.
    pub(super) fn motion(&self, memory: &mut Vec<Workspace>, c: &[f64]) -> Result<Motion, MotionError> {
        self.prepare(memory)?;
        self.finish(memory, c)
    }

    /// Combinations of rows that vanish, from the rows that repeat others. What was prepared is gone afterwards.
    pub(super) fn null_combinations(&self, memory: &mut Vec<Workspace>) -> Result<Vec<Vec<f64>>, MotionError> {
        memory.resize_with(memory.len().max(self.pieces.len()), Workspace::new);
        let mut all = Vec::new();
        for (piece, workspace) in self.pieces.iter().zip(memory).filter(|(piece, _)| !piece.rows.is_empty()) {
            let audit: Audit = workspace.audit(&piece.snapshot())?;
            for redundancy in &audit.redundant {
                let mut combination = vec![0.0; self.rows];
                combination[piece.rows[redundancy.row]] = 1.0;
                for (&row, c) in redundancy.repeats.iter().zip(&redundancy.coefficients) {
                    combination[piece.rows[row]] = -c;
                }
                all.push(combination);
            }
        }
        Ok(all)
    }

    /// What accelerations are measured by: by coordinate, what the forces on it would make of its own mass one by one. They may cancel.
    pub(super) fn reach(&self, motion: &Motion) -> Vec<f64> {
        let mut reach = vec![0.0; motion.acceleration.len()];
        for (part, piece) in self.pieces.iter().enumerate() {
            let n = piece.force.len();
            for (place, &j) in self.parts.coordinates(part).iter().enumerate() {
                let mass = piece.mass[place * n + place];
                let force = piece.force[place].abs() + motion.ideal_force[j].abs() + motion.nonideal_force[j].abs();
                reach[j] = if mass > 0.0 { force / mass } else { 0.0 };
            }
        }
        reach
    }

    /// How the system answers to a unit of force along a direction within one part, after it was [prepared](Self::prepare). Its changes are
    /// those of the rows by place.
    pub(super) fn answer(&self, memory: &mut [Workspace], direction: Vec<(usize, f64)>) -> Unit {
        let part = self.parts.of_first(direction.iter().map(|entry| entry.0));
        let piece = &self.pieces[part];
        let mut force = vec![0.0; piece.force.len()];
        direction.iter().for_each(|&(j, d)| force[self.parts.of(j).1] += d);
        let (mut acceleration, mut lambda) = (vec![0.0; force.len()], Vec::new());
        memory[part].answer_to_force(&piece.snapshot(), &force, &mut acceleration, &mut lambda);
        let answer = acceleration.iter().zip(&force).map(|(x, d)| x * d).sum();
        let changes = piece.rows.iter().copied().zip(lambda).collect();
        Unit { part, direction, acceleration, changes, implied: self.implied(part, &force, answer) }
    }

    /// What rows make of the acceleration along a direction that is a combination of them, whatever forces act, and the sum of its
    /// terms; none where it is no combination. The acceleration itself would be off by rounding of the forces that cancel in it.
    fn implied(&self, part: usize, direction: &[f64], answer: f64) -> Option<(f64, f64)> {
        let (n, piece) = (direction.len(), &self.pieces[part]);
        let without_rows = direction.iter().enumerate().map(|(j, d)| (d, piece.mass[j * n + j]));
        let without_rows: f64 = without_rows.filter(|(_, mass)| *mass > 0.0).map(|(d, mass)| d * d / mass).sum();
        if piece.rows.is_empty() || answer > SLIGHT * without_rows {
            return None;
        }
        // With unit masses the answer to a force d is what of d no combination of rows makes: d − Aᵀz, with −z as multipliers.
        let mut mass = vec![0.0; n * n];
        (0..n).for_each(|j| mass[j * n + j] = 1.0);
        let still = vec![0.0; n];
        let snapshot = Snapshot::new(&mass, &still).constrained(&piece.a, &piece.b);
        let mut workspace = Workspace::new();
        workspace.prepare(&snapshot).ok()?;
        let (mut rest, mut lambda) = (vec![0.0; n], Vec::new());
        workspace.answer_to_force(&snapshot, direction, &mut rest, &mut lambda);
        // Rows that take no part have a coefficient of rounding, which must not carry their right sides or coordinates in.
        for (z, row) in lambda.iter_mut().zip(piece.a.chunks_exact(n)) {
            if z.abs() * norm(row) <= DUST * norm(direction) {
                *z = 0.0;
            }
        }
        let is_rest = |j: usize| {
            let terms = lambda.iter().enumerate().map(|(row, z)| z * piece.a[row * n + j]);
            let rest = direction[j] + terms.clone().sum::<f64>();
            rest.abs() > SAME * (direction[j].abs() + terms.map(f64::abs).sum::<f64>())
        };
        if (0..n).any(is_rest) {
            return None;
        }
        let each = lambda.iter().zip(&piece.b).map(|(z, b)| -z * b);
        Some((each.clone().sum(), each.map(f64::abs).sum()))
    }
}

/// Adds the motion of a part to that of the whole.
fn add_part(whole: &mut Motion, part: &Motion, coordinates: &[usize], rows: &[usize]) {
    for (to, from) in [
        (&mut whole.acceleration, &part.acceleration),
        (&mut whole.ideal_force, &part.ideal_force),
        (&mut whole.nonideal_force, &part.nonideal_force),
        (&mut whole.unbalanced_force, &part.unbalanced_force),
    ] {
        coordinates.iter().zip(from).for_each(|(&j, x)| to[j] = *x);
    }
    for (to, from) in [
        (&mut whole.ideal_multipliers, &part.ideal_multipliers),
        (&mut whole.reactions, &part.reactions),
        (&mut whole.residuals, &part.residuals),
    ] {
        rows.iter().zip(from).for_each(|(&row, x)| to[row] = *x);
    }
    let both =
        |a: Rank, b: Rank| Rank { rank: a.rank + b.rank, gap: a.gap.min(b.gap), dropped: a.dropped.max(b.dropped) };
    whole.constraint_rank = both(whole.constraint_rank, part.constraint_rank);
    whole.system_rank = both(whole.system_rank, part.system_rank);
    whole.mass_rank += part.mass_rank;
    for direction in part.free_directions.iter() {
        whole.free_directions.push(direction.iter().map(|&(j, x)| (coordinates[j], x)));
    }
    whole.consistent &= part.consistent;
    whole.balanced &= part.balanced;
    whole.gauss.deviation = whole.gauss.deviation.zip(part.gauss.deviation).map(|(a, b)| a + b);
    whole.gauss.general += part.gauss.general;
    whole.refinements = whole.refinements.max(part.refinements);
}
