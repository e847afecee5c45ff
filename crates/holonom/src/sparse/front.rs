//! One front: assembled from the numbers and from what other fronts hand over, eliminated, and handed on.
//!
//! A front holds the cost ½xᵀHx − gᵀx and the rows W x = β over its coordinates. Coordinates that occur nowhere
//! else any more are eliminated. A row removes one: `x_c = β/w_c − Σ tⱼxⱼ`, put into the cost and the other rows.
//! Coordinates that no row holds any more follow from the cost. What is left is a smaller cost and fewer rows for
//! the next front, and every row that vanishes on the way depends on others.

use super::numeric::{Numeric, SparseError, Values};
use super::symbolic::{Front, Symbolic, TooLarge};

/// How a coordinate was eliminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// By a row.
    Row,
    /// By its mass.
    Mass,
    /// Not at all: nothing determines it.
    Free,
}

/// What was decided for a front. Coordinates and rows stand in the order of elimination.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// Where its coordinates begin, and how many there are.
    pub(super) coordinates: u32,
    pub(super) size: u32,
    /// How many of them it could eliminate, being fully summed.
    pub(super) summed: u32,
    /// How many it did eliminate, and how many of these by rows.
    pub(super) gone: u32,
    pub(super) by_rows: u32,
    /// Where its rows begin, how many there are, and how many are handed on: after those used, before those dropped.
    pub(super) rows: u32,
    pub(super) row_count: u32,
    pub(super) passed: u32,
    /// Where its factors begin.
    pub(super) factors: usize,
    /// Where what it hands on is kept meanwhile.
    pub(super) handed: usize,
}

impl Record {
    pub(super) fn coordinates(&self) -> std::ops::Range<usize> {
        self.coordinates as usize..(self.coordinates + self.size) as usize
    }

    pub(super) fn rows(&self) -> std::ops::Range<usize> {
        self.rows as usize..(self.rows + self.row_count) as usize
    }

    /// How many coordinates are handed on.
    fn left(&self) -> usize {
        (self.size - self.gone) as usize
    }

    /// How many of them should have been eliminated here.
    fn delayed(&self) -> usize {
        (self.summed - self.gone) as usize
    }
}

/// All that `factor_held` takes over from an earlier factorisation.
#[derive(Clone, Debug, Default)]
pub(super) struct Decisions {
    pub(super) records: Vec<Record>,
    /// By record: the coordinates in the order of elimination.
    pub(super) coordinates: Vec<u32>,
    pub(super) kinds: Vec<Kind>,
    /// By record: from the order of assembly to that of elimination.
    place: Vec<u32>,
    pub(super) rows: Vec<u32>,
    row_place: Vec<u32>,
    /// (record, place) of rows that vanished, and of coordinates that nothing determines.
    pub(super) dropped: Vec<(u32, u32)>,
    pub(super) free: Vec<(u32, u32)>,
}

impl Decisions {
    pub(super) fn clear(&mut self) {
        self.records.clear();
        self.coordinates.clear();
        self.kinds.clear();
        self.place.clear();
        self.rows.clear();
        self.row_place.clear();
        self.dropped.clear();
        self.free.clear();
    }
}

/// A row may remove a coordinate when its coefficient is at least this part of those it hands on.
const THRESHOLD: f64 = 0.05;
/// Where this many coordinates wait for others, a coefficient may be smaller by [`EASIER`], and so on for as many
/// again: in a chain that is almost straight all would wait. What is smaller still may be rounding, and is never
/// divided by.
const WAITING: usize = 16;
const EASIER: f64 = 0.01;
const EASIEST: i32 = 3;

impl Numeric {
    /// Assembles and eliminates front f, deciding how.
    pub(super) fn decide_front(&mut self, symbolic: &Symbolic, f: usize, values: &Values) -> Result<(), SparseError> {
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
        self.assemble(symbolic, front, f, values);
        self.reveal(f, delayed)?;
        self.hand_on(symbolic, front, f);
        Ok(())
    }

    /// Assembles and eliminates front f as it was decided before.
    pub(super) fn follow_front(&mut self, symbolic: &Symbolic, f: usize, values: &Values) -> Result<(), SparseError> {
        let front = &symbolic.fronts[f];
        self.assemble(symbolic, front, f, values);
        self.follow(f)?;
        self.hand_on(symbolic, front, f);
        Ok(())
    }

    fn assemble(&mut self, symbolic: &Symbolic, front: &Front, f: usize, values: &Values) {
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
            let (scale, unit) = (self.row_scale[*row as usize], self.row_unit[*row as usize]);
            let target = &mut w[*at as usize * size..][..size];
            let entries = pattern.entries(*row as usize);
            let from = values.a[entries.clone()].iter().zip(&pattern.columns[entries.clone()]);
            for ((a, j), local) in from.zip(&symbolic.local[entries]) {
                target[place[*local as usize] as usize] = a * scale * self.column_scale[*j as usize] * unit;
            }
        }
        let all = &symbolic.coordinates[front.start as usize..];
        for &(entry, i, j) in &symbolic.mass[front.mass.0 as usize..front.mass.1 as usize] {
            let scales = [i, j].map(|at| self.column_scale[all[at as usize] as usize]);
            let (p, q) = (place[i as usize] as usize, place[j as usize] as usize);
            h[p.max(q) * size + p.min(q)] += values.mass[entry as usize] * scales[0] * scales[1];
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
    fn reveal(&mut self, f: usize, waiting: usize) -> Result<(), SparseError> {
        let record = self.decisions.records[f].clone();
        let (size, summed, count) = (record.size as usize, record.summed as usize, record.row_count as usize);
        let coordinates = &mut self.decisions.coordinates[record.coordinates()];
        let rows = &mut self.decisions.rows[record.rows()];
        let desk = &mut self.desk;
        let refill = |v: &mut Vec<f64>, values: &[f64], list: &[u32]| {
            v.clear();
            v.extend(list.iter().map(|x| values[*x as usize]));
        };
        refill(&mut desk.phi, &self.column_noise, coordinates);
        refill(&mut desk.bound, &self.mass_bound, coordinates);
        refill(&mut desk.theta, &self.row_noise, rows);
        desk.steps.clear();
        desk.natural.clear();
        desk.natural.extend(0..size as u32);
        desk.row_natural.clear();
        desk.row_natural.extend(0..count as u32);
        let tolerance = self.tolerance;
        let threshold = THRESHOLD * EASIER.powi(((waiting / WAITING) as i32).min(EASIEST));
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
            self.mass_bound[*j as usize] = *bound;
        }
        for (theta, row) in desk.theta.iter().zip(&*rows) {
            self.row_noise[*row as usize] = *theta;
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
    fn follow(&mut self, f: usize) -> Result<(), SparseError> {
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
            let noise = self.row_noise[self.decisions.rows[record.rows().start + r] as usize];
            for (x, j) in desk.w[r * size + by_rows..r * size + gone].iter().zip(coordinates) {
                if *x != 0.0 {
                    self.neglected = self.neglected.max(x.abs() / (noise * self.column_noise[*j as usize]));
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
