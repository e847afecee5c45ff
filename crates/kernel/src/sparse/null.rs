//! Null spaces with few entries to a vector: where they come from.
//!
//! A row that vanished in a front is a combination of rows below it in the tree; a coordinate that nothing
//! determines moves coordinates below it. Both are found by going down only where something is not zero.

use super::decisions::Kind;
use super::factors::Factors;
use super::span::Span;
use super::symbolic::Symbolic;

/// Coefficients below this part of the largest are rounding.
const ROUNDING: f64 = 1e-12;
/// The same for components of a direction.
const DIRECTION_ROUNDING: f64 = 1e-11;

/// Coefficients of a vector of length one below this are far from the others.
const FAR: f64 = 1e-4;

/// The null spaces of one system.
#[derive(Clone, Debug, Default)]
pub(super) struct NullSpaces {
    /// Combinations of rows that vanish; directions that nothing determines.
    pub(super) rows: Span,
    pub(super) free: Span,
    /// Whether one direction stands for more than there is room for.
    pub(super) loose: bool,
    /// Whether combinations of rows were given up: the dual problem stands in for them.
    pub(super) wide: bool,
    visit: Vec<(u32, bool)>,
    /// Zero between uses.
    row_scratch: Vec<f64>,
    column_scratch: Vec<f64>,
}

impl NullSpaces {
    /// The null spaces of Aᵀ and of [M; A], from what vanished in the fronts.
    ///
    /// That of Aᵀ is given up where its vectors are long or their coefficients far apart, if that is allowed.
    pub(super) fn find(&mut self, symbolic: &Symbolic, factors: &Factors, limited: bool) {
        let decisions = &factors.elimination.decisions;
        let (mut rows, mut free) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.free));
        rows.clear();
        free.clear();
        for &row in &symbolic.empty_rows {
            rows.push(row as usize, 1.0);
            rows.finish(ROUNDING, |_| 1.0);
        }
        self.wide = false;
        let most = if limited { 4096 + 4 * symbolic.pattern.columns.len() } else { usize::MAX };
        for at in 0..decisions.dropped.len() {
            self.wide |= !self.combination(symbolic, factors, decisions.dropped[at], &mut rows) && limited;
            self.wide |= rows.index.len() > most;
            if self.wide {
                break;
            }
        }
        let most = 4096 + 8 * (symbolic.pattern.n + symbolic.pattern.columns.len());
        self.loose = false;
        for at in 0..decisions.free.len() {
            self.direction(symbolic, factors, decisions.free[at], &mut free);
            self.loose = free.index.len() > most;
            if self.loose {
                // One stands for all.
                free.clear();
                self.generic_direction(symbolic, factors, &mut free);
                break;
            }
        }
        if rows.len() > 0 && !self.wide && limited {
            rows.factor();
        }
        if free.len() > 0 {
            free.factor();
        }
        (self.rows, self.free) = (rows, free);
    }

    /// Which rows add up to nothing where one vanished: back through the multipliers of the fronts. False where
    /// coefficients are far apart.
    fn combination(
        &mut self,
        symbolic: &Symbolic,
        factors: &Factors,
        (f, position): (u32, u32),
        out: &mut Span,
    ) -> bool {
        let Factors { scales, elimination, .. } = factors;
        let decisions = &elimination.decisions;
        self.row_scratch.resize(symbolic.pattern.rows(), 0.0);
        let mut z = std::mem::take(&mut self.row_scratch);
        let record = &decisions.records[f as usize];
        z[decisions.rows[record.rows.wrapping_add(position) as usize] as usize] = 1.0;
        self.visit.clear();
        self.visit.push((f, true));
        while let Some((f, _)) = self.visit.pop() {
            let (record, front) = (&decisions.records[f as usize], &symbolic.fronts[f as usize]);
            let rows = &decisions.rows[record.rows()];
            let (size, count) = (record.size as usize, rows.len());
            // Where the multipliers of step k stand, from the last step to the first.
            let mut end = record.factors;
            for k in 0..record.by_rows as usize {
                end += 2 + 2 * (size - k - 1) + (count - k - 1);
            }
            for k in (0..record.by_rows as usize).rev() {
                let l = &elimination.factors[end - (count - k - 1)..end];
                let sum: f64 = l.iter().zip(&rows[k + 1..]).map(|(l, r)| l * z[*r as usize]).sum();
                z[rows[k] as usize] = -sum;
                end -= 2 + 2 * (size - k - 1) + (count - k - 1);
            }
            // Rows that this front got from others are taken apart there; the rest is final.
            for &child in &symbolic.children[front.children.0 as usize..front.children.1 as usize] {
                let below = &decisions.records[child as usize];
                let from = (below.rows + below.by_rows) as usize;
                let passed = &decisions.rows[from..from + below.passed as usize];
                if passed.iter().any(|row| z[*row as usize] != 0.0) {
                    self.visit.push((child, false));
                }
            }
            for &row in rows {
                if z[row as usize] != 0.0 {
                    out.push(row as usize, 0.0);
                }
            }
        }
        // A row may have been met in several fronts; its coefficient is that of the last.
        let from = out.begun();
        out.index[from..].sort_unstable();
        let mut kept = from;
        for k in from..out.index.len() {
            if kept == from || out.index[kept - 1] != out.index[k] {
                out.index[kept] = out.index[k];
                kept += 1;
            }
        }
        out.index.truncate(kept);
        out.value.truncate(kept);
        // In rows as given, relative to the longest factor among them: their product may be more than a number holds.
        let longest = |list: &[f64]| out.index[from..kept].iter().map(|row| list[*row as usize]).fold(0.0, f64::max);
        let (scale, unit) = (longest(&scales.row), longest(&scales.unit));
        let factor = |row: usize| (scales.row[row] / scale) * (scales.unit[row] / unit);
        for k in from..kept {
            let row = out.index[k] as usize;
            out.value[k] = std::mem::take(&mut z[row]) * factor(row);
        }
        out.finish(ROUNDING, |row| 1.0 / factor(row));
        self.row_scratch = z;
        out.value[from..].iter().all(|x| x.abs() > FAR)
    }

    /// A direction that moves everything that any free direction moves: a sum of all with weights that fit nothing.
    fn generic_direction(&mut self, symbolic: &Symbolic, factors: &Factors, out: &mut Span) {
        let Factors { scales, elimination, .. } = factors;
        let decisions = &elimination.decisions;
        let mut x = std::mem::take(&mut self.column_scratch);
        x.resize(symbolic.pattern.n, 0.0);
        for record in decisions.records.iter().rev() {
            let coordinates = &decisions.coordinates[record.coordinates()];
            let kinds = &decisions.kinds[record.coordinates()];
            let (size, count) = (record.size as usize, record.row_count as usize);
            let length = |k: usize| match kinds[k] {
                Kind::Row => 2 + 2 * (size - k - 1) + (count - k - 1),
                Kind::Mass => size - k,
                Kind::Free => 0,
            };
            let mut end = record.factors + (0..record.gone as usize).map(length).sum::<usize>();
            for k in (0..record.gone as usize).rev() {
                let begin = end - length(k);
                let t = match kinds[k] {
                    Kind::Row => &elimination.factors[begin + 2..][..size - k - 1],
                    Kind::Mass => &elimination.factors[begin + 1..end],
                    Kind::Free => &[],
                };
                let j = coordinates[k] as usize;
                let terms = t.iter().zip(&coordinates[k + 1..]).map(|(t, j)| (t, x[*j as usize]));
                let largest = terms.clone().fold(0.0, |m: f64, (_, x)| m.max(x.abs()));
                let sum: f64 = terms.map(|(t, x)| t * x).sum();
                x[j] = match kinds[k] {
                    Kind::Free => 1.0 + (j as f64 * 0.618_033_988_749_894_9).fract(),
                    _ if sum.abs() > DIRECTION_ROUNDING * largest => -sum,
                    _ => 0.0,
                };
                if x[j] != 0.0 {
                    out.push(j, x[j] * scales.column[j]);
                }
                end = begin;
            }
        }
        out.index.iter().for_each(|j| x[*j as usize] = 0.0);
        out.finish(0.0, |_| 1.0);
        self.column_scratch = x;
    }

    /// Which coordinates move along where nothing determines one.
    fn direction(&mut self, symbolic: &Symbolic, factors: &Factors, (f, position): (u32, u32), out: &mut Span) {
        let Factors { scales, elimination, .. } = factors;
        let decisions = &elimination.decisions;
        self.column_scratch.resize(symbolic.pattern.n, 0.0);
        let mut x = std::mem::take(&mut self.column_scratch);
        self.visit.clear();
        self.visit.push((f, true));
        while let Some((f, first)) = self.visit.pop() {
            let (record, front) = (&decisions.records[f as usize], &symbolic.fronts[f as usize]);
            let coordinates = &decisions.coordinates[record.coordinates()];
            let kinds = &decisions.kinds[record.coordinates()];
            let (size, count, by_rows) = (record.size as usize, record.row_count as usize, record.by_rows as usize);
            let length = |k: usize| match kinds[k] {
                Kind::Row => 2 + 2 * (size - k - 1) + (count - k - 1),
                Kind::Mass => size - k,
                Kind::Free => 0,
            };
            let mut end = record.factors + (0..record.gone as usize).map(length).sum::<usize>();
            for k in (0..record.gone as usize).rev() {
                let begin = end - length(k);
                let t = match kinds[k] {
                    Kind::Row => &elimination.factors[begin + 2..][..size - k - 1],
                    Kind::Mass => &elimination.factors[begin + 1..end],
                    Kind::Free => &[],
                };
                let sum: f64 = t.iter().zip(&coordinates[k + 1..]).map(|(t, j)| t * x[*j as usize]).sum();
                let chosen = first && k == position as usize && k >= by_rows;
                x[coordinates[k] as usize] = if chosen { 1.0 } else { -sum };
                if x[coordinates[k] as usize] != 0.0 {
                    let j = coordinates[k] as usize;
                    out.push(j, x[j] * scales.column[j]);
                }
                end = begin;
            }
            for &child in &symbolic.children[front.children.0 as usize..front.children.1 as usize] {
                let below = &decisions.records[child as usize];
                let left = &decisions.coordinates[below.coordinates()][below.gone as usize..];
                if left.iter().any(|j| x[*j as usize] != 0.0) {
                    self.visit.push((child, false));
                }
            }
        }
        let from = out.begun();
        out.index[from..].iter().for_each(|j| x[*j as usize] = 0.0);
        let scale = &scales.column;
        out.finish(DIRECTION_ROUNDING, |j| 1.0 / scale[j]);
        self.column_scratch = x;
    }
}
