//! Free directions: what nothing determines, and whether it is left in peace.

use super::snapshot::Snapshot;
use super::workspace::Workspace;
use crate::linalg::refill;
use crate::linalg::scale::inverse_power;
use crate::linalg::tolerance::BALANCED;
use crate::linalg::vector::{add_scaled, dot, norm};

/// What a direction computed to rounding can make of a force that it does not meet at all.
const ROUNDING: f64 = 1e-14;

impl Workspace {
    /// Whether the force along the free directions vanishes, and what of it does not.
    pub(crate) fn judge_balance(&mut self, s: &Snapshot) {
        let n = s.coordinates();
        let motion = &mut self.motion;
        if !motion.balanced {
            motion.balanced = true;
            motion.unbalanced_force.fill(0.0);
        }
        if motion.free_directions.is_empty() {
            return;
        }
        // Judged on the directions as they were found, which concern few coordinates each; orthonormal ones mix
        // them, and with them the rounding of forces in very different units.
        for w in self.free_as_found.chunks_exact(n) {
            let length = norm_of(w.iter().zip(&self.factor.mass.scale).map(|(w, d)| w / d));
            let (mut along, mut size, mut noise) = (0.0, 0.0, 0.0);
            for j in (0..n).filter(|j| w[*j] != 0.0) {
                let (q, c) = (s.Q[j], s.C.map_or(0.0, |C| C[j]));
                along += w[j] * (q + c);
                size += w[j].abs() * (q.abs() + c.abs());
                noise += length * self.factor.mass.scale[j] * (q.abs() + c.abs());
            }
            motion.balanced &= along.abs() <= BALANCED * size || along.abs() <= ROUNDING * noise;
        }
        if !motion.balanced {
            // Π(Q + C)
            for w in self.free.chunks_exact(n) {
                let along = dot(w, s.Q) + s.C.map_or(0.0, |C| dot(w, C));
                add_scaled(&mut motion.unbalanced_force, along, w);
            }
        }
    }

    /// An orthonormal basis of N(M) ∩ N(A), each direction with its first component positive.
    pub(crate) fn find_free_directions(&mut self, s: &Snapshot) {
        let n = s.coordinates();
        let count = n - self.factor.system_rank();
        let mut directions = std::mem::take(&mut self.free);
        refill(&mut directions, count * n, 0.0);
        self.free_as_found.clear();
        for index in 0..count {
            let (done, rest) = directions.split_at_mut(index * n);
            let w = &mut rest[..n];
            self.factor.free_direction(index, w);
            self.refine_free(s, w);
            // What is below rounding in comparable units is no part of the direction.
            let length = norm_of(w.iter().zip(&self.factor.mass.scale).map(|(w, d)| w / d));
            for (w, d) in w.iter_mut().zip(&self.factor.mass.scale) {
                if w.abs() <= 1e-13 * d * length {
                    *w = 0.0;
                }
            }
            self.free_as_found.extend_from_slice(w);
            // Twice is enough: Gram–Schmidt loses at most what the first pass left.
            for _ in 0..2 {
                for other in done.chunks_exact(n) {
                    let along = dot(other, w);
                    add_scaled(w, -along, other);
                }
                let length = norm(w);
                w.iter_mut().for_each(|x| *x /= length);
            }
            if w.iter().find(|x| **x != 0.0).is_some_and(|x| *x < 0.0) {
                w.iter_mut().for_each(|x| *x = -*x);
            }
        }
        for w in directions.chunks_exact(n) {
            self.motion.free_directions.push(w.iter().copied().enumerate());
        }
        self.free = directions;
    }

    /// Makes `M w = 0`, `A w = 0` hold to the last digits.
    pub(crate) fn refine_free(&mut self, s: &Snapshot, w: &mut [f64]) {
        let mut answers = std::mem::take(&mut self.total);
        answers.reset(s.coordinates(), s.rows());
        answers.qdd.iter_mut().zip(&*w).for_each(|(x, w)| x[0] = *w);
        let mut forces = std::mem::take(&mut self.forces);
        refill(&mut forces, s.coordinates(), [0.0; 2]);
        let mut nothing = std::mem::take(&mut self.reachable);
        refill(&mut nothing, s.rows(), 0.0);
        self.refine(s, &forces, &nothing, &mut answers);
        w.iter_mut().zip(&answers.qdd).for_each(|(w, x)| *w = x[0]);
        (self.total, self.forces, self.reachable) = (answers, forces, nothing);
    }
}

/// The Euclidean norm, safe against overflow and underflow of the squares.
fn norm_of(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let scale = inverse_power(values.clone().fold(0.0, |m: f64, v| m.max(v.abs())));
    values.map(|v| (v * scale) * (v * scale)).sum::<f64>().sqrt() / scale
}
