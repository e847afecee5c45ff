//! What the rows of A can reach: the orthogonal projector on range A, from how rows depend on each other.
//!
//! With the rows of a basis first, range A = range [I; C]: any values there, and their combinations on the
//! dependent rows. So x is projected by changing the basis by `δ = (I + CᵀC)⁻¹ Cᵀ (x_D − C x_I)`, or, which is
//! the same, by `δ = Cᵀ (I + C Cᵀ)⁻¹ (x_D − C x_I)`, whichever is smaller. Rows that no dependency involves
//! keep their values to the last digit, whatever their size.

use super::dependency::Dependencies;
use super::refill;
use super::twofold::TwofoldSum;
use super::vector::{add_scaled, dot};

/// The projector, ready for use.
#[derive(Clone, Default)]
pub(crate) struct Reach {
    /// Whether G = I + C Cᵀ stands for I + CᵀC.
    over_dependent: bool,
    /// The lower triangle of L with G = L Lᵀ, row-major.
    factor: Vec<f64>,
    size: usize,
    /// Over the basis and over the dependent rows.
    change: Vec<f64>,
    missing: Vec<f64>,
    mu: Vec<f64>,
    step: Vec<f64>,
}

impl Reach {
    /// Room for m rows, however many of them depend on others.
    pub(crate) fn reserve(&mut self, m: usize) {
        for v in [&mut self.change, &mut self.missing, &mut self.mu, &mut self.step] {
            v.clear();
            v.reserve(m);
        }
        self.factor.clear();
        self.factor.reserve((m / 2) * (m / 2) + 1);
    }

    /// Factors G.
    pub(crate) fn factor(&mut self, d: &Dependencies) {
        let (k, count) = (d.basis.len(), d.count());
        self.over_dependent = count <= k;
        self.size = count.min(k);
        refill(&mut self.change, k, 0.0);
        refill(&mut self.missing, count, 0.0);
        refill(&mut self.mu, count, 0.0);
        refill(&mut self.factor, self.size * self.size, 0.0);
        let g = &mut self.factor;
        if self.over_dependent {
            for i in 0..count {
                for j in 0..=i {
                    g[i * count + j] = dot(d.coefficients(i), d.coefficients(j));
                }
            }
        } else {
            for t in 0..count {
                let c = d.coefficients(t);
                for i in (0..k).filter(|i| c[*i] != 0.0) {
                    add_scaled(&mut g[i * k..i * k + i + 1], c[i], &c[..=i]);
                }
            }
        }
        for i in 0..self.size {
            g[i * self.size + i] += 1.0;
        }
        // Cholesky's algorithm: G is the identity plus something positive, so no pivot is below 1.
        let n = self.size;
        for i in 0..n {
            let (head, row) = g.split_at_mut(i * n);
            for j in 0..i {
                let other = &head[j * n..j * n + j + 1];
                row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
            }
            row[i] = (row[i] - dot(&row[..i], &row[..i])).max(1.0).sqrt();
        }
    }

    /// `x ← A A⁺ x` for a vector over the rows.
    pub(crate) fn project(&mut self, d: &Dependencies, x: &mut [f64]) {
        for (missing, (row, c)) in self.missing.iter_mut().zip(d.iter()) {
            let mut sum = TwofoldSum::from(x[row]);
            c.iter().zip(&d.basis).for_each(|(c, other)| sum.add_product(-c, x[*other]));
            *missing = sum.value();
        }
        self.change.fill(0.0);
        self.mu.fill(0.0);
        let mut step = std::mem::take(&mut self.step);
        // The second pass is refinement.
        for _ in 0..2 {
            if self.over_dependent {
                self.improve_dependent(d, &mut step);
            } else {
                self.improve_basis(d, &mut step);
            }
        }
        self.step = step;
        for (change, row) in self.change.iter().zip(&d.basis) {
            x[*row] += change;
        }
        for (row, c) in d.iter() {
            x[row] = c.iter().zip(&d.basis).map(|(c, other)| c * x[*other]).sum();
        }
    }

    /// δ += Cᵀ G⁻¹ (missing − µ − C δ), with δ = Cᵀµ.
    fn improve_dependent(&mut self, d: &Dependencies, step: &mut Vec<f64>) {
        step.clear();
        for ((missing, mu), (_, c)) in self.missing.iter().zip(&self.mu).zip(d.iter()) {
            step.push(missing - mu - dot(c, &self.change));
        }
        self.solve(step);
        for ((step, mu), (_, c)) in step.iter().zip(&mut self.mu).zip(d.iter()) {
            *mu += step;
            add_scaled(&mut self.change, *step, c);
        }
    }

    /// δ += G⁻¹ (Cᵀ(missing − C δ) − δ).
    fn improve_basis(&mut self, d: &Dependencies, step: &mut Vec<f64>) {
        step.clear();
        step.extend(self.change.iter().map(|change| -change));
        for (missing, (_, c)) in self.missing.iter().zip(d.iter()) {
            add_scaled(step, missing - dot(c, &self.change), c);
        }
        self.solve(step);
        add_scaled(&mut self.change, 1.0, step);
    }

    fn solve(&self, x: &mut [f64]) {
        let n = self.size;
        for i in 0..n {
            let row = &self.factor[i * n..i * n + i + 1];
            x[i] = (x[i] - dot(&row[..i], x)) / row[i];
        }
        for i in (0..n).rev() {
            let row = &self.factor[i * n..i * n + i + 1];
            x[i] /= row[i];
            let value = x[i];
            add_scaled(&mut x[..i], -value, &row[..i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::echelon::Echelon;
    use super::super::scale::equilibrate;
    use super::*;

    fn reach(m: usize, n: usize, A: &[f64]) -> (Dependencies, Reach) {
        let mut e = Echelon::default();
        e.load(m, n, A, |r, c| equilibrate(A, n, r, c));
        e.decide(1e-13, 0..=n, A);
        let mut order: Vec<usize> = (0..m).collect();
        order.sort_by(|a, b| e.row_scale[*b].total_cmp(&e.row_scale[*a]));
        let (mut d, mut reach) = (Dependencies::default(), Reach::default());
        assert!(d.find(&e, m, order.into_iter()));
        reach.factor(&d);
        (d, reach)
    }

    #[test]
    fn a_repeated_row_scaled_by_a_million_keeps_its_weight() {
        // Range of (1, 10⁶)ᵀ: the projection of (1, 0) is (1, 10⁶)/(1 + 10¹²).
        let (d, mut reach) = reach(2, 1, &[1.0, 1e6]);
        let mut x = [1.0, 0.0];
        reach.project(&d, &mut x);
        let w = 1.0 / (1.0 + 1e12);
        assert!((x[0] / w - 1.0).abs() < 1e-15 && (x[1] / (1e6 * w) - 1.0).abs() < 1e-15, "{x:?}");
    }

    #[test]
    fn rows_that_depend_on_nothing_keep_every_digit() {
        let (d, mut reach) = reach(3, 2, &[1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        let mut x = [1e15, 3.0, 1.0 / 3.0];
        reach.project(&d, &mut x);
        assert_eq!(x, [1e15, 0.0, 1.0 / 3.0]);
    }

    #[test]
    fn few_and_many_dependent_rows_are_projected_alike() {
        for (m, A) in [(3, vec![1.0, 2.0, 3.0, -1.0, 4.0, 1.0]), (4, vec![1.0, 2.0, -3.0, -6.0, 2.0, 4.0, 0.5, 1.0])] {
            let (d, mut reach) = reach(m, 2, &A);
            let start = [1.0, -2.0, 0.5, 3.0];
            let mut x = start;
            reach.project(&d, &mut x[..m]);
            // The residual is orthogonal to every column, and projecting again changes nothing.
            for j in 0..2 {
                assert!((0..m).map(|i| (start[i] - x[i]) * A[2 * i + j]).sum::<f64>().abs() < 1e-14);
            }
            let once = x;
            reach.project(&d, &mut x[..m]);
            assert!(x.iter().zip(once).all(|(a, b)| (a - b).abs() < 1e-15));
        }
    }
}
