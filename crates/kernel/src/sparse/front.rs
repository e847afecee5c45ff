//! One front: assembled from the numbers and from what other fronts hand over, eliminated, and handed on.
//!
//! A front holds the cost ½xᵀHx − gᵀx and the rows W x = β over its coordinates. Coordinates that occur nowhere
//! else any more are eliminated. A row removes one: `x_c = β/w_c − Σ tⱼxⱼ`, put into the cost and the other rows.
//! Coordinates that no row holds any more follow from the cost. What is left is a smaller cost and fewer rows for
//! the next front, and every row that vanishes on the way depends on others.

use super::decisions::{Decisions, Kind, Record};
use super::desk::Desk;
use super::error::{SparseError, TooLarge};
use super::scales::Scales;
use super::symbolic::{Front, Symbolic};
use super::values::SparseValues;
use crate::linalg::rank::Margin;

/// A row may remove a coordinate when its coefficient is at least this part of those it hands on.
const THRESHOLD: f64 = 0.05;
/// … or at least this part, where masses were found to be lost on the way: what a row hands on is multiplied by as much, and along a
/// chain of bodies such factors multiply, until the masses of the last are nothing beside what they were made of.
const STRICT: f64 = 1.0;
/// A mass is lost on the way where no more than this part is left of what it was made of.
const WORN: f64 = 1e-6;
/// Where this many coordinates wait for others, a coefficient may be smaller by [`EASIER`], and so on for as many
/// again: in a chain that is almost straight all would wait. What is smaller still may be rounding, and is never
/// divided by.
const WAITING: usize = 16;
const EASIER: f64 = 0.01;
const EASIEST: usize = 3;

/// The fronts of one system, eliminated one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Elimination {
    pub(super) decisions: Decisions,
    pub(super) factors: Vec<f64>,
    /// A stack of what fronts hand on, and its top.
    handed: Vec<f64>,
    top: usize,
    desk: Desk,
    limit: usize,
    tolerance: f64,
    /// Whether rows remove their largest entries alone, which costs more and lets no mass be lost on the way.
    pub(super) is_strict: bool,
    /// The part of what it hands on that a row's coefficient must be.
    threshold: f64,
    /// By how much it was clear which rows and which masses count.
    pub(super) row_margin: Margin,
    pub(super) mass_margin: Margin,
    /// The least pivot of a row, with masses and rows at unit size.
    pub(super) least_pivot: f64,
    /// The largest entry that vanished when pivots were decided and does no longer, relative to its row and coordinate.
    pub(super) neglected: f64,
    /// Whether decisions were made to the end.
    is_decided: bool,
}

impl Elimination {
    /// Goes through all fronts and decides, once scales are known.
    pub(super) fn decide(
        &mut self,
        symbolic: &Symbolic,
        scales: &mut Scales,
        values: &SparseValues,
        tolerance: f64,
    ) -> Result<(), SparseError> {
        self.tolerance = tolerance;
        self.threshold = if self.is_strict { STRICT } else { THRESHOLD };
        self.is_decided = false;
        self.limit = 2 * symbolic.largest_front().max(256);
        (self.row_margin, self.mass_margin) = (Margin::CLEAR, Margin::CLEAR);
        self.decisions.clear();
        self.begin();
        for f in 0..symbolic.fronts.len() {
            self.decide_front(symbolic, scales, f, values)?;
        }
        self.is_decided = true;
        Ok(())
    }

    /// Goes through all fronts as it was decided before.
    pub(super) fn follow(
        &mut self,
        symbolic: &Symbolic,
        scales: &Scales,
        values: &SparseValues,
    ) -> Result<(), SparseError> {
        self.begin();
        (0..symbolic.fronts.len()).try_for_each(|f| self.follow_front(symbolic, scales, f, values))
    }

    /// Whether masses were lost on the way, or may be.
    pub(super) fn is_worn(&self) -> bool {
        self.mass_margin.kept < WORN || self.mass_margin.dropped > 0.0
    }

    /// Whether there are decisions for these fronts to follow.
    pub(super) fn is_decided_for(&self, symbolic: &Symbolic) -> bool {
        self.is_decided && self.decisions.records.len() == symbolic.fronts.len()
    }

    /// No decision is to be followed any more.
    pub(super) fn forget(&mut self) {
        self.is_decided = false;
    }

    fn begin(&mut self) {
        (self.least_pivot, self.neglected) = (1.0, 0.0);
        self.factors.clear();
        self.top = 0;
    }

    /// Assembles and eliminates front f, deciding how.
    fn decide_front(
        &mut self,
        symbolic: &Symbolic,
        scales: &mut Scales,
        f: usize,
        values: &SparseValues,
    ) -> Result<(), SparseError> {
        let front = &symbolic.fronts[f];
        let (own, shared) = (front.own as usize, front.shared as usize);
        let decisions = &mut self.decisions;
        let children = &symbolic.children[front.children.0 as usize..front.children.1 as usize];
        let (mut delayed, mut count) = (0, (front.rows.1 - front.rows.0) as usize);
        for child in children {
            let child = &decisions.records[*child as usize];
            delayed += child.delayed();
            count += child.passed as usize;
        }
        let (size, summed) = (own + shared + delayed, own + delayed);
        let record = Record {
            coordinates: decisions.coordinates.len() as u32,
            size: size as u32,
            summed: summed as u32,
            rows: decisions.rows.len() as u32,
            row_count: count as u32,
            factors: self.factors.len(),
            ..Record::default()
        };
        // Fully summed coordinates first: own ones, then those that others could not eliminate.
        let all = &symbolic.coordinates[front.start as usize..][..own + shared];
        decisions.coordinates.extend(&all[..own]);
        for child in children {
            let child = decisions.records[*child as usize].clone();
            let from = (child.coordinates + child.gone) as usize;
            decisions.coordinates.extend_from_within(from..from + child.delayed());
        }
        decisions.coordinates.extend(&all[own..]);
        decisions.kinds.resize(decisions.coordinates.len(), Kind::Mass);
        decisions.place.extend(0..own as u32);
        decisions.place.extend(summed as u32..size as u32);
        decisions.place.extend(own as u32..summed as u32);
        decisions.rows.extend(&symbolic.rows[front.rows.0 as usize..front.rows.1 as usize]);
        for child in children {
            let child = decisions.records[*child as usize].clone();
            let from = (child.rows + child.by_rows) as usize;
            decisions.rows.extend_from_within(from..from + child.passed as usize);
        }
        decisions.row_place.extend(0..count as u32);
        if size > self.limit {
            let coordinates = &decisions.coordinates[record.coordinates()];
            return Err(TooLarge::new(size, self.limit, coordinates, &decisions.rows[record.rows()]).into());
        }
        decisions.records.push(record);
        self.assemble(symbolic, scales, f, values);
        self.reveal(scales, f, delayed)?;
        self.hand_on(symbolic, front, f);
        Ok(())
    }

    /// Assembles and eliminates front f as it was decided before.
    fn follow_front(
        &mut self,
        symbolic: &Symbolic,
        scales: &Scales,
        f: usize,
        values: &SparseValues,
    ) -> Result<(), SparseError> {
        let front = &symbolic.fronts[f];
        self.assemble(symbolic, scales, f, values);
        self.follow_pivots(scales, f)?;
        self.hand_on(symbolic, front, f);
        Ok(())
    }

    fn assemble(&mut self, symbolic: &Symbolic, scales: &Scales, f: usize, values: &SparseValues) {
        let front = &symbolic.fronts[f];
        let Decisions { records, place, row_place, .. } = &self.decisions;
        let record = &records[f];
        let (size, count) = (record.size as usize, record.row_count as usize);
        let place = &place[record.coordinates()];
        let row_place = &row_place[record.rows()];
        let desk = &mut self.desk;
        for (v, len) in [(&mut desk.h, size * size), (&mut desk.w, count * size)] {
            if v.len() < len {
                v.resize(len, 0.0);
            }
            v[..len].fill(0.0);
        }
        let (h, w) = (&mut desk.h[..size * size], &mut desk.w[..count * size]);
        let pattern = &symbolic.pattern;
        let own_rows = &symbolic.rows[front.rows.0 as usize..front.rows.1 as usize];
        for (row, at) in own_rows.iter().zip(row_place) {
            let (scale, unit) = (scales.row[*row as usize], scales.unit[*row as usize]);
            let target = &mut w[*at as usize * size..][..size];
            let entries = pattern.entries(*row as usize);
            let from = values.a[entries.clone()].iter().zip(&pattern.columns[entries.clone()]);
            for ((a, j), local) in from.zip(&symbolic.local[entries]) {
                target[place[*local as usize] as usize] = a * scale * scales.column[*j as usize] * unit;
            }
        }
        let all = &symbolic.coordinates[front.start as usize..];
        for &(entry, i, j) in &symbolic.mass[front.mass.0 as usize..front.mass.1 as usize] {
            let [first, second] = [i, j].map(|at| scales.column[all[at as usize] as usize]);
            let (p, q) = (place[i as usize] as usize, place[j as usize] as usize);
            h[p.max(q) * size + p.min(q)] += values.mass[entry as usize] * first * second;
        }
        let (mut rows_done, mut delayed) = (own_rows.len(), (front.own + front.shared) as usize);
        for &child in &symbolic.children[front.children.0 as usize..front.children.1 as usize] {
            let (record, child) = (&records[child as usize], &symbolic.fronts[child as usize]);
            let left = record.left();
            desk.map.clear();
            desk.map.extend(&place[delayed..delayed + record.delayed()]);
            delayed += record.delayed();
            let shared = (child.start + child.own) as usize;
            desk.map.extend(
                symbolic.target[shared..shared + child.shared as usize].iter().map(|local| place[*local as usize]),
            );
            let handed = &self.handed[record.handed..];
            for (i, &p) in desk.map.iter().enumerate() {
                for (&q, x) in desk.map[..=i].iter().zip(&handed[i * left..]) {
                    h[p.max(q) as usize * size + p.min(q) as usize] += x;
                }
            }
            let handed = &handed[left * left..];
            for r in 0..record.passed as usize {
                let target = &mut w[row_place[rows_done + r] as usize * size..][..size];
                for (&q, x) in desk.map.iter().zip(&handed[r * left..]) {
                    target[q as usize] = *x;
                }
            }
            rows_done += record.passed as usize;
        }
    }

    /// Eliminates what can be, largest coefficients first, and finds what depends and what is free.
    fn reveal(&mut self, scales: &mut Scales, f: usize, waiting: usize) -> Result<(), SparseError> {
        let record = self.decisions.records[f].clone();
        let (size, summed, count) = (record.size as usize, record.summed as usize, record.row_count as usize);
        let coordinates = &mut self.decisions.coordinates[record.coordinates()];
        let rows = &mut self.decisions.rows[record.rows()];
        let desk = &mut self.desk;
        let refill = |v: &mut Vec<f64>, values: &[f64], list: &[u32]| {
            v.clear();
            v.extend(list.iter().map(|x| values[*x as usize]));
        };
        refill(&mut desk.phi, &scales.column_noise, coordinates);
        refill(&mut desk.bound, &scales.mass_bound, coordinates);
        refill(&mut desk.theta, &scales.row_noise, rows);
        desk.steps.clear();
        desk.natural.clear();
        desk.natural.extend(0..size as u32);
        desk.row_natural.clear();
        desk.row_natural.extend(0..count as u32);
        let tolerance = self.tolerance;
        let easier = if self.is_strict { 0 } else { EASIEST.min(waiting / WAITING) };
        let threshold = (0..easier).fold(self.threshold, |threshold, _| EASIER * threshold);
        let mut k = 0;
        while k < count.min(summed) {
            let mut best = (0.0, 0, 0);
            for r in k..count {
                let row = &desk.w[r * size..(r + 1) * size];
                let shared = row[summed..].iter().fold(0.0, |m: f64, x| m.max(x.abs()));
                for c in k..summed {
                    let x = row[c].abs();
                    let counts = x > tolerance * desk.theta[r] * desk.phi[c] && x >= threshold * shared;
                    if counts && (x > best.0 || (x == best.0 && rows[r] < rows[best.1])) {
                        best = (x, r, c);
                    }
                }
            }
            let (x, r, c) = best;
            if x == 0.0 {
                break;
            }
            self.row_margin.counts(x / (desk.theta[r] * desk.phi[c]), tolerance);
            self.least_pivot = self.least_pivot.min(x);
            desk.swap_rows(size, k, r, &mut self.factors);
            rows.swap(k, r);
            desk.swap_columns(size, count, (k, c), k, &mut self.factors);
            coordinates.swap(k, c);
            desk.steps.push(self.factors.len());
            desk.eliminate_by_row(size, count, k, &mut self.factors);
            for r in k + 1..count {
                let l = self.factors[self.factors.len() - count + r].abs();
                desk.theta[r] = desk.theta[r].max(l * desk.theta[k]);
            }
            for j in k + 1..size {
                let t = desk.t[j];
                desk.bound[j] = desk.bound[j].max(t * t * desk.bound[k]);
            }
            k += 1;
        }
        let by_rows = k;
        // Rows that are still there, before those that vanished.
        let mut passed = 0;
        for r in by_rows..count {
            let row = &desk.w[r * size..(r + 1) * size];
            let relative = |j: usize| row[j].abs() / (desk.theta[r] * desk.phi[j]);
            let most = (by_rows..size).map(relative).fold(0.0, f64::max);
            // Those that are handed on are counted where they are used.
            if most > tolerance {
                desk.swap_rows(size, by_rows + passed, r, &mut self.factors);
                rows.swap(by_rows + passed, r);
                passed += 1;
            } else {
                self.row_margin.counts(most, tolerance);
            }
        }
        // Coordinates that no row holds, before those that must wait.
        let mut ready = summed;
        let mut c = by_rows;
        while c < ready {
            let touched = (by_rows..by_rows + passed)
                .any(|r| desk.w[r * size + c].abs() > tolerance * desk.theta[r] * desk.phi[c]);
            if touched {
                ready -= 1;
                desk.swap_columns(size, count, (c, ready), by_rows, &mut self.factors);
                coordinates.swap(c, ready);
            } else {
                (by_rows..count).for_each(|r| desk.w[r * size + c] = 0.0);
                c += 1;
            }
        }
        let kinds = &mut self.decisions.kinds[record.coordinates()];
        kinds[..by_rows].fill(Kind::Row);
        for k in by_rows..ready {
            let relative = |c: usize| {
                let (x, bound) = (desk.h[c * size + c], desk.bound[c]);
                if bound > 0.0 { x / bound } else { x }
            };
            let mut c = k;
            for other in k + 1..ready {
                if relative(other) > relative(c) {
                    c = other;
                }
            }
            let size_of = relative(c);
            desk.swap_columns(size, count, (k, c), by_rows, &mut self.factors);
            coordinates.swap(k, c);
            let counts = self.mass_margin.counts(size_of, tolerance);
            desk.steps.push(if counts { self.factors.len() } else { usize::MAX });
            if counts {
                kinds[k] = Kind::Mass;
                desk.eliminate_by_mass(size, k, &mut self.factors);
            } else {
                desk.check_massless(size, k, coordinates)?;
                kinds[k] = Kind::Free;
                self.decisions.free.push((f as u32, k as u32));
            }
        }
        for (bound, j) in desk.bound.iter().zip(&*coordinates) {
            scales.mass_bound[*j as usize] = *bound;
        }
        for (theta, row) in desk.theta.iter().zip(&*rows) {
            scales.row_noise[*row as usize] = *theta;
        }
        for r in by_rows + passed..count {
            self.decisions.dropped.push((f as u32, r as u32));
        }
        let place = &mut self.decisions.place[record.coordinates()];
        // `place` led from the order of assembly to the order before exchanges.
        desk.map.clear();
        desk.map.resize(size, 0);
        for (at, natural) in desk.natural.iter().enumerate() {
            desk.map[*natural as usize] = at as u32;
        }
        place.iter_mut().for_each(|at| *at = desk.map[*at as usize]);
        let row_place = &mut self.decisions.row_place[record.rows()];
        for (at, natural) in desk.row_natural.iter().enumerate() {
            row_place[*natural as usize] = at as u32;
        }
        let record = &mut self.decisions.records[f];
        (record.gone, record.by_rows, record.passed) = (ready as u32, by_rows as u32, passed as u32);
        Ok(())
    }

    /// Eliminates along the pivots decided earlier.
    fn follow_pivots(&mut self, scales: &Scales, f: usize) -> Result<(), SparseError> {
        let record = &self.decisions.records[f];
        let (size, count) = (record.size as usize, record.row_count as usize);
        let desk = &mut self.desk;
        for k in 0..record.by_rows as usize {
            let pivot = desk.w[k * size + k].abs();
            // Also where it is not a number.
            if !(pivot > f64::EPSILON * f64::EPSILON) {
                return Err(SparseError::held_lost(self.decisions.rows[record.rows().start + k]));
            }
            self.least_pivot = self.least_pivot.min(pivot);
            desk.eliminate_by_row(size, count, k, &mut self.factors);
        }
        // What no row held then, as along a straight line, one may hold by now.
        let (by_rows, gone) = (record.by_rows as usize, record.gone as usize);
        let coordinates = &self.decisions.coordinates[record.coordinates()][by_rows..gone];
        for r in by_rows..by_rows + record.passed as usize {
            let noise = scales.row_noise[self.decisions.rows[record.rows().start + r] as usize];
            for (x, j) in desk.w[r * size + by_rows..r * size + gone].iter().zip(coordinates) {
                if *x != 0.0 {
                    self.neglected = self.neglected.max(x.abs() / (noise * scales.column_noise[*j as usize]));
                }
            }
        }
        let kinds = &self.decisions.kinds[record.coordinates()];
        for k in record.by_rows as usize..record.gone as usize {
            if kinds[k] == Kind::Mass {
                if !(desk.h[k * size + k] > 0.0) {
                    return Err(SparseError::held_mass(self.decisions.coordinates[record.coordinates().start + k]));
                }
                desk.eliminate_by_mass(size, k, &mut self.factors);
            }
        }
        Ok(())
    }

    /// Keeps what is left for the front that takes over.
    fn hand_on(&mut self, symbolic: &Symbolic, front: &Front, f: usize) {
        let children = &symbolic.children[front.children.0 as usize..front.children.1 as usize];
        let record = &self.decisions.records[f];
        let handed = children.first().map_or(self.top, |child| self.decisions.records[*child as usize].handed);
        let (size, gone, left) = (record.size as usize, record.gone as usize, record.left());
        let passed = record.passed as usize;
        let end = handed + left * (left + passed);
        if self.handed.len() < end {
            self.handed.resize(end, 0.0);
        }
        let (h, w) = self.handed[handed..end].split_at_mut(left * left);
        for (i, out) in h.chunks_exact_mut(left.max(1)).enumerate() {
            let from = (gone + i) * size + gone;
            out[..=i].copy_from_slice(&self.desk.h[from..=from + i]);
        }
        for (r, out) in w.chunks_exact_mut(left.max(1)).enumerate() {
            let from = (record.by_rows as usize + r) * size + gone;
            out.copy_from_slice(&self.desk.w[from..from + left]);
        }
        self.top = end;
        self.decisions.records[f].handed = handed;
    }
}
