//! The fast way: S = A M⁻¹Aᵀ in a narrow band, where M is diagonal and positive.
//!
//! S is formed and factored without pivoting in one sweep, and the answer is λ = S⁻¹(b − A M⁻¹Q),
//! q̈ = M⁻¹(Q + Aᵀλ) (Udwadia & Kalaba 1992). It counts only with a certificate: every pivot is a clear part of
//! the diagonal it came from, and `A q̈ = b` holds up to rounding. Newton's equation holds by construction.

use crate::linalg::scale::LEAST;

use super::pattern::Pattern;
use super::stencil::Stencil;
use super::strip::{Band, relative, worse};
use super::values::SparseValues;

/// The widest band that is worth it.
const WIDEST: usize = 8;
/// What of a diagonal entry must be left as pivot: the squared sine between a row and those before it.
const CLEAR: f64 = 1e-6;
/// How far apart masses may be: beyond, what constraints leave of forces on light coordinates has lost digits.
const COMPARABLE: f64 = 1e-6;
/// Residuals up to this part of their terms are rounding; one step of refinement is tried before giving up.
const EXACT: f64 = 1e-14;
const CERTAIN: f64 = 1e-12;
const POOR: f64 = 1e-3;

/// Which products make up the band. Made once for a pattern.
#[derive(Clone, Debug)]
pub(super) struct BandPlan {
    width: usize,
    /// Rows in the order of elimination.
    order: Vec<u32>,
    /// For each place and distance 1..=width, where its products begin; one more at the end.
    start: Vec<u32>,
    /// (entry of the row, entry of the earlier row): both at the same coordinate.
    products: Vec<(u32, u32)>,
    /// The coordinates that most rows share with the one before, where rows are steps along a chain.
    stencil: Option<Stencil>,
}

impl BandPlan {
    /// The plan, if M is diagonal and the band is narrow.
    pub(super) fn new(pattern: &Pattern) -> Option<Self> {
        let (n, m) = (pattern.n, pattern.rows());
        let diagonal = pattern.mass.len() == n && pattern.mass.iter().all(|(i, j)| i == j);
        if !diagonal || m == 0 || (0..m).any(|row| pattern.row(row).is_empty()) {
            return None;
        }
        let mut holders: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n];
        for row in 0..m {
            for entry in pattern.entries(row) {
                let holder = &mut holders[pattern.columns[entry] as usize];
                // Rows that share a coordinate all lie within one band.
                if holder.len() > WIDEST {
                    return None;
                }
                holder.push((row as u32, entry as u32));
            }
        }
        let natural: Vec<u32> = (0..m as u32).collect();
        let (order, width) = match bandwidth(&natural, &holders) {
            width if width <= WIDEST => (natural, width),
            _ => {
                let order = cuthill_mckee(pattern, &holders);
                let width = bandwidth(&order, &holders);
                (width <= WIDEST).then_some((order, width))?
            }
        };
        let mut place = vec![0; m];
        order.iter().enumerate().for_each(|(at, row)| place[*row as usize] = at);
        let (mut start, mut products) = (vec![0], Vec::new());
        let mut shared: Vec<Vec<(u32, u32)>> = vec![Vec::new(); width + 1];
        for (at, row) in order.iter().enumerate() {
            for entry in pattern.entries(*row as usize) {
                for (other, theirs) in &holders[pattern.columns[entry] as usize] {
                    if let Some(distance) = at.checked_sub(place[*other as usize]).filter(|d| *d > 0) {
                        shared[distance].push((entry as u32, *theirs));
                    }
                }
            }
            for list in &mut shared[1..] {
                products.append(list);
                start.push(products.len() as u32);
            }
        }
        let in_order = order.iter().enumerate().all(|(at, row)| at == *row as usize);
        let stencil = if width == 1 && in_order { Stencil::find(pattern) } else { None };
        Some(Self { width, order, start, products, stencil })
    }

    pub(super) fn half_width(&self) -> usize {
        self.width
    }

    /// Whether rows are steps along a chain.
    pub(super) fn is_chain(&self) -> bool {
        self.stencil.is_some()
    }
}

/// How far apart rows that share a coordinate are.
fn bandwidth(order: &[u32], holders: &[Vec<(u32, u32)>]) -> usize {
    let mut place = vec![0usize; order.len()];
    order.iter().enumerate().for_each(|(at, row)| place[*row as usize] = at);
    let spread = |list: &Vec<(u32, u32)>| {
        let places = || list.iter().map(|(row, _)| place[*row as usize]);
        places().max().unwrap_or(0) - places().min().unwrap_or(0)
    };
    holders.iter().map(spread).max().unwrap_or(0)
}

/// Rows in the order of their distance from an end, part by part (Cuthill & McKee 1969), and reversed.
fn cuthill_mckee(pattern: &Pattern, holders: &[Vec<(u32, u32)>]) -> Vec<u32> {
    let m = pattern.rows();
    let neighbours =
        |row: u32| pattern.row(row as usize).iter().flat_map(|j| holders[*j as usize].iter().map(|(other, _)| *other));
    let (mut seen, mut stamp) = (vec![0u32; m], 0);
    let mut breadth_first = |from: u32, out: &mut Vec<u32>| {
        stamp += 1;
        out.clear();
        out.push(from);
        seen[from as usize] = stamp;
        let mut at = 0;
        while at < out.len() {
            let first = out.len();
            for other in neighbours(out[at]) {
                if seen[other as usize] != stamp {
                    seen[other as usize] = stamp;
                    out.push(other);
                }
            }
            out[first..].sort_unstable_by_key(|row| (neighbours(*row).count(), *row));
            at += 1;
        }
    };
    let (mut order, mut part) = (Vec::with_capacity(m), Vec::new());
    let mut placed = vec![false; m];
    for row in 0..m as u32 {
        if placed[row as usize] {
            continue;
        }
        // The last row reached lies at an end; once more from there, to be sure.
        breadth_first(row, &mut part);
        for _ in 0..2 {
            let end = part[part.len() - 1];
            breadth_first(end, &mut part);
        }
        part.iter().for_each(|row| placed[*row as usize] = true);
        order.extend(part.iter().rev());
    }
    order
}

impl Band {
    /// Factors; the least part of a diagonal that is left as pivot is returned, if it is clear.
    pub(super) fn factor(&mut self, plan: &BandPlan, pattern: &Pattern, values: SparseValues) -> Option<f64> {
        let (n, m, width) = (pattern.n, pattern.rows(), plan.width);
        for (v, len) in [
            (&mut self.inverse_mass, n),
            (&mut self.diagonal, m),
            (&mut self.inverse, m),
            (&mut self.lower, m * width.max(1)),
        ] {
            if v.len() != len {
                v.clear();
                v.resize(len, 0.0);
            }
        }
        let (mut least, mut most, mut positive) = (f64::INFINITY, 0.0, true);
        for (w, mass) in self.inverse_mass.iter_mut().zip(values.mass) {
            least = if *mass < least { *mass } else { least };
            most = if *mass > most { *mass } else { most };
            positive &= *mass >= LEAST;
            *w = 1.0 / mass;
        }
        if !positive || least <= COMPARABLE * most {
            return None;
        }
        let most = match &plan.stencil {
            Some(stencil) => stencil.factor(self, pattern, values.a),
            None => self.factor_any(plan, pattern, values.a),
        };
        // Also where something is not a number.
        (most <= 1.0 / CLEAR).then(|| 1.0 / most)
    }

    /// Any band. The largest ratio of a diagonal entry to its pivot is returned, or not a number.
    fn factor_any(&mut self, plan: &BandPlan, pattern: &Pattern, a: &[f64]) -> f64 {
        let (width, w) = (plan.width, &self.inverse_mass);
        let mut most = 1.0f64;
        for (at, row) in plan.order.iter().enumerate() {
            let entries = pattern.entries(*row as usize);
            let own = a[entries.clone()].iter().zip(&pattern.columns[entries]);
            let diagonal: f64 = own.map(|(a, j)| a * a * w[*j as usize]).sum();
            let (done, here) = self.lower.split_at_mut(at * width);
            let mut pivot = diagonal;
            for distance in (1..=width.min(at)).rev() {
                let range = at * width + distance - 1;
                let products = &plan.products[plan.start[range] as usize..plan.start[range + 1] as usize];
                let mut sum = 0.0;
                for (ours, theirs) in products {
                    sum += a[*ours as usize] * a[*theirs as usize] * w[pattern.columns[*ours as usize] as usize];
                }
                // `here` keeps u = l·pivot until the row is done.
                let other = &done[(at - distance) * width..];
                for further in distance + 1..=width.min(at) {
                    sum -= here[further - 1] * other[further - distance - 1];
                }
                here[distance - 1] = sum;
            }
            for distance in 1..=width.min(at) {
                let u = here[distance - 1];
                let l = u * self.inverse[at - distance];
                here[distance - 1] = l;
                pivot -= u * l;
            }
            let inverse = 1.0 / pivot;
            self.inverse[at] = inverse;
            self.diagonal[*row as usize] = diagonal;
            most = worse(most, diagonal * inverse);
        }
        most
    }

    /// Answers with a certificate: the largest residual, relative to its terms.
    pub(super) fn solve(
        &mut self,
        plan: &BandPlan,
        pattern: &Pattern,
        values: SparseValues,
        (force, right): (&[f64], &[f64]),
        x: &mut [f64],
        lambda: &mut [f64],
    ) -> Option<f64> {
        let mut rest = std::mem::take(&mut self.rest);
        rest.resize(pattern.rows(), 0.0);
        // λ = S⁻¹(b − A M⁻¹Q), and q̈ = M⁻¹(Q + Aᵀλ).
        match &plan.stencil {
            Some(stencil) => stencil.multipliers(self, pattern, values.a, (force, right), lambda),
            None => {
                x.iter_mut().zip(force).zip(&self.inverse_mass).for_each(|((x, q), w)| *x = q * w);
                rest_of(pattern, values.a, right, x, lambda);
                self.back_and_forth(plan, lambda);
            }
        }
        self.push(plan, pattern, values.a, lambda, force, x);
        let mut worst = self.measure(plan, pattern, values.a, (right, lambda, x), &mut rest);
        if worst > EXACT && worst <= POOR {
            self.back_and_forth(plan, &mut rest);
            lambda.iter_mut().zip(&rest).for_each(|(l, d)| *l += d);
            self.push(plan, pattern, values.a, lambda, force, x);
            worst = self.measure(plan, pattern, values.a, (right, lambda, x), &mut rest);
        }
        self.rest = rest;
        (worst <= CERTAIN).then_some(worst)
    }

    /// S⁻¹ e in place of e; both over rows.
    fn back_and_forth(&self, plan: &BandPlan, e: &mut [f64]) {
        let width = plan.width;
        if let Some(stencil) = &plan.stencil {
            return stencil.back_and_forth(self, e);
        }
        let order = &plan.order;
        for at in 0..order.len() {
            let l = &self.lower[at * width..];
            let mut sum = e[order[at] as usize];
            for distance in 1..=width.min(at) {
                sum -= l[distance - 1] * e[order[at - distance] as usize];
            }
            e[order[at] as usize] = sum;
        }
        for at in (0..order.len()).rev() {
            let mut sum = e[order[at] as usize] * self.inverse[at];
            for distance in 1..=width.min(order.len() - 1 - at) {
                sum -= self.lower[(at + distance) * width + distance - 1] * e[order[at + distance] as usize];
            }
            e[order[at] as usize] = sum;
        }
    }

    /// q̈ = M⁻¹(Q + Aᵀλ).
    fn push(&self, plan: &BandPlan, pattern: &Pattern, a: &[f64], lambda: &[f64], force: &[f64], x: &mut [f64]) {
        x.copy_from_slice(force);
        match &plan.stencil {
            Some(stencil) => stencil.push(pattern, a, lambda, x),
            None => {
                for (row, l) in lambda.iter().enumerate() {
                    let entries = pattern.entries(row);
                    for (a, j) in a[entries.clone()].iter().zip(&pattern.columns[entries]) {
                        x[*j as usize] += a * l;
                    }
                }
            }
        }
        x.iter_mut().zip(&self.inverse_mass).for_each(|(x, w)| *x *= w);
    }

    /// b − A x, and the largest of it relative to its terms, which are those of b = A M⁻¹Q + Sλ.
    fn measure(
        &self,
        plan: &BandPlan,
        pattern: &Pattern,
        a: &[f64],
        (right, lambda, x): (&[f64], &[f64], &[f64]),
        rest: &mut [f64],
    ) -> f64 {
        if let Some(stencil) = &plan.stencil {
            return stencil.measure(self, pattern, a, (right, lambda, x), rest);
        }
        rest_of(pattern, a, right, x, rest);
        let mut worst = 0.0;
        for ((rest, b), (l, diagonal)) in rest.iter().zip(right).zip(lambda.iter().zip(&self.diagonal)) {
            let size = b.abs() + l.abs() * diagonal;
            // Also where it is not a number.
            if !(rest.abs() <= worst * size) {
                worst = worse(worst, relative(*rest, size));
            }
        }
        worst
    }
}

/// b − A x
fn rest_of(pattern: &Pattern, a: &[f64], right: &[f64], x: &[f64], rest: &mut [f64]) {
    for ((row, rest), b) in rest.iter_mut().enumerate().zip(right) {
        let entries = pattern.entries(row);
        let terms = a[entries.clone()].iter().zip(&pattern.columns[entries]);
        *rest = terms.fold(*b, |sum, (a, j)| sum - a * x[*j as usize]);
    }
}
