//! A symmetric positive definite matrix of which each row reaches from its first entry to the diagonal, and its factor.

/// `G = L Lᵀ`; L has the shape of the lower triangle of G.
#[derive(Clone, Debug, Default)]
pub(super) struct Skyline {
    first: Vec<u32>,
    row_start: Vec<usize>,
    factor: Vec<f64>,
}

impl Skyline {
    /// A matrix of zeros whose rows begin at these columns.
    pub(super) fn shape(&mut self, first: &[u32]) {
        self.first.clear();
        self.first.extend_from_slice(first);
        self.row_start.clear();
        let mut end = 0;
        for (i, first) in first.iter().enumerate() {
            self.row_start.push(end);
            end += i - *first as usize + 1;
        }
        self.factor.clear();
        self.factor.resize(end, 0.0);
    }

    /// How many entries are stored.
    #[cfg(test)]
    pub(super) fn entries(&self) -> usize {
        self.factor.len()
    }

    /// Adds to entry (i, j), j ≤ i.
    pub(super) fn add(&mut self, i: usize, j: usize, x: f64) {
        self.factor[self.row_start[i] + j - self.first[i] as usize] += x;
    }

    /// Cholesky's algorithm in place. What is left of a diagonal by rounding alone counts as that.
    pub(super) fn factor(&mut self) {
        for t in 0..self.first.len() {
            let (done, row) = self.factor.split_at_mut(self.row_start[t]);
            let first = self.first[t] as usize;
            for s in first..t {
                let (from, other) = (first.max(self.first[s] as usize), self.row_start[s]);
                let other = &done[other + from - self.first[s] as usize..][..s - from + 1];
                let taken: f64 = row[from - first..s - first].iter().zip(other).map(|(a, b)| a * b).sum();
                row[s - first] = (row[s - first] - taken) / other[s - from];
            }
            let taken: f64 = row[..t - first].iter().map(|x| x * x).sum();
            row[t - first] = (row[t - first] - taken).max(f64::EPSILON).sqrt();
        }
    }

    /// `y ← G⁻¹ y`.
    pub(super) fn solve(&self, y: &mut [f64]) {
        for t in 0..y.len() {
            let (first, row) = (self.first[t] as usize, &self.factor[self.row_start[t]..]);
            let taken: f64 = y[first..t].iter().zip(row).map(|(a, b)| a * b).sum();
            y[t] = (y[t] - taken) / row[t - first];
        }
        for t in (0..y.len()).rev() {
            let (first, row) = (self.first[t] as usize, &self.factor[self.row_start[t]..]);
            let value = y[t] / row[t - first];
            y[t] = value;
            y[first..t].iter_mut().zip(row).for_each(|(y, l)| *y -= value * l);
        }
    }
}
