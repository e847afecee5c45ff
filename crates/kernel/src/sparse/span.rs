//! Vectors with few entries each, and the projection that removes what they span.

use super::skyline::Skyline;

/// An entry stands for its vector where it is at least this part of the vector's length, and no other has one there.
const OWN: f64 = 1e-3;
/// The place of such an entry among those that are shared: none.
const NOWHERE: u32 = u32::MAX;

/// Vectors z of length one, the columns of Z.
///
/// To project, ZᵀZ is factored: vectors found near each other overlap, others do not, and rows are short. But where very
/// many share one entry, as those of a row written a thousand times, all overlap. Then each has an entry of its own, and with
/// `Z = [D; S]`, D diagonal, `(D² + SᵀS)⁻¹ = D⁻² − D⁻²Sᵀ(I + S D⁻²Sᵀ)⁻¹S D⁻²` needs a factor over the shared entries only.
#[derive(Clone, Debug, Default)]
pub(super) struct Span {
    start: Vec<u32>,
    pub(super) index: Vec<u32>,
    pub(super) value: Vec<f64>,
    /// ZᵀZ, or I + S D⁻²Sᵀ.
    gram: Skyline,
    /// Whether the factor is over shared entries.
    over_shared: bool,
    /// For each entry its place among the shared ones.
    place: Vec<u32>,
    /// For each vector its own entry, and D⁻².
    own: Vec<Option<u32>>,
    weight: Vec<f64>,
    first: Vec<u32>,
    shared_first: Vec<u32>,
    scratch: Vec<f64>,
    shared: Vec<f64>,
    /// (index, vector, entry), sorted.
    by_index: Vec<(u32, u32, u32)>,
}

impl Span {
    pub(super) fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.index.clear();
        self.value.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Where the entries of the vector begin that is not finished yet.
    pub(super) fn begun(&self) -> usize {
        self.start[self.start.len() - 1] as usize
    }

    fn range(&self, t: usize) -> std::ops::Range<usize> {
        self.start[t] as usize..self.start[t + 1] as usize
    }

    pub(super) fn vector(&self, t: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
        let range = self.range(t);
        self.index[range.clone()].iter().map(|i| *i as usize).zip(self.value[range].iter().copied())
    }

    pub(super) fn push(&mut self, index: usize, value: f64) {
        self.index.push(index as u32);
        self.value.push(value);
    }

    /// Ends a vector: drops rounding, and makes its length one.
    pub(super) fn finish(&mut self, rounding: f64, comparable: impl Fn(usize) -> f64) {
        let from = self.begun();
        let size = |index: u32, value: f64| value.abs() * comparable(index as usize);
        let largest = (from..self.index.len()).map(|k| size(self.index[k], self.value[k])).fold(0.0, f64::max);
        let (mut kept, mut length) = (from, 0.0);
        for k in from..self.index.len() {
            if size(self.index[k], self.value[k]) > rounding * largest {
                (self.index[kept], self.value[kept]) = (self.index[k], self.value[k]);
                length += self.value[k] * self.value[k];
                kept += 1;
            }
        }
        self.index.truncate(kept);
        self.value.truncate(kept);
        let length = length.sqrt();
        self.value[from..].iter_mut().for_each(|x| *x /= length);
        self.start.push(kept as u32);
    }

    /// Makes ready to project, over the vectors or over the entries they share, whichever takes less work.
    pub(super) fn factor(&mut self) {
        let count = self.len();
        self.by_index.clear();
        for t in 0..count {
            let range = self.range(t);
            self.by_index.extend(range.map(|k| (self.index[k], t as u32, k as u32)));
        }
        self.by_index.sort_unstable();
        let shared = self.find_shared();
        // Multiplications: products for the matrix, and its factorisation.
        let square = |x: usize| (x * x) as f64;
        let rows = |first: &[u32]| first.iter().enumerate().map(|(i, f)| square(i - *f as usize + 1)).sum::<f64>();
        let groups = self.by_index.chunk_by(|a, b| a.0 == b.0).map(|group| square(group.len())).sum::<f64>();
        let vectors = (0..count).map(|t| square(self.range(t).len())).sum::<f64>();
        self.over_shared = shared && vectors + rows(&self.shared_first) < groups + rows(&self.first);
        if self.over_shared {
            self.fill_shared()
        } else {
            self.fill()
        }
        self.gram.factor();
    }

    /// Which entries are shared, in which order, and how far the two matrices reach. False where a vector has no entry of
    /// its own.
    fn find_shared(&mut self) -> bool {
        let count = self.len();
        self.first.clear();
        self.first.extend(0..count as u32);
        self.own.clear();
        self.own.resize(count, None);
        for group in self.by_index.chunk_by(|a, b| a.0 == b.0) {
            for (_, t, _) in group {
                let first = &mut self.first[*t as usize];
                *first = (*first).min(group[0].1);
            }
            if let [(_, t, k)] = group {
                let size = |k: u32| self.value[k as usize].abs();
                let own = &mut self.own[*t as usize];
                *own = own.filter(|known| size(*known) >= size(*k)).or(Some(*k)).filter(|k| size(*k) >= OWN);
            }
        }
        if self.own.contains(&None) {
            return false;
        }
        self.weight.clear();
        self.weight.extend(self.own.iter().flatten().map(|k| 1.0 / self.value[*k as usize].powi(2)));
        self.place.clear();
        self.place.resize(self.index.len(), NOWHERE);
        let mut places = 0;
        for group in self.by_index.chunk_by(|a, b| a.0 == b.0) {
            let own = |(_, t, k): &(u32, u32, u32)| self.own[*t as usize] == Some(*k);
            if !group.iter().all(own) {
                group.iter().for_each(|(_, _, k)| self.place[*k as usize] = places);
                places += 1;
            }
        }
        self.shared_first.clear();
        self.shared_first.extend(0..places);
        for t in 0..count {
            let (range, place) = (self.range(t), &self.place);
            let places = || place[range.clone()].iter().filter(|p| **p != NOWHERE);
            let Some(&least) = places().min() else { continue };
            for p in places() {
                let first = &mut self.shared_first[*p as usize];
                *first = (*first).min(least);
            }
        }
        true
    }

    /// ZᵀZ.
    fn fill(&mut self) {
        self.gram.shape(&self.first);
        for group in self.by_index.chunk_by(|a, b| a.0 == b.0) {
            for (i, (_, t, k)) in group.iter().enumerate() {
                for (_, s, l) in &group[..=i] {
                    self.gram.add(*t as usize, *s as usize, self.value[*k as usize] * self.value[*l as usize]);
                }
            }
        }
    }

    /// I + S D⁻²Sᵀ.
    fn fill_shared(&mut self) {
        self.gram.shape(&self.shared_first);
        (0..self.shared_first.len()).for_each(|p| self.gram.add(p, p, 1.0));
        for t in 0..self.len() {
            for k in self.range(t).filter(|k| self.place[*k] != NOWHERE) {
                for l in self.range(t).filter(|l| self.place[*l] <= self.place[k]) {
                    let product = self.value[k] * self.value[l] * self.weight[t];
                    self.gram.add(self.place[k] as usize, self.place[l] as usize, product);
                }
            }
        }
    }

    /// `x ← x − Z (ZᵀZ)⁻¹ Zᵀ x`: what is orthogonal to all vectors. The second pass is refinement.
    pub(super) fn project(&mut self, x: &mut [f64]) {
        for _ in 0..if self.len() == 0 { 0 } else { 2 } {
            let mut y = std::mem::take(&mut self.scratch);
            y.clear();
            y.extend((0..self.len()).map(|t| self.vector(t).map(|(i, z)| z * x[i]).sum::<f64>()));
            if self.over_shared {
                self.solve_shared(&mut y)
            } else {
                self.gram.solve(&mut y)
            }
            for t in 0..y.len() {
                for k in self.range(t) {
                    x[self.index[k] as usize] -= y[t] * self.value[k];
                }
            }
            self.scratch = y;
        }
    }

    /// `y ← (D² + SᵀS)⁻¹ y`.
    fn solve_shared(&mut self, y: &mut [f64]) {
        let mut u = std::mem::take(&mut self.shared);
        u.clear();
        u.resize(self.shared_first.len(), 0.0);
        for (t, y) in y.iter_mut().enumerate() {
            *y *= self.weight[t];
            for k in self.range(t).filter(|k| self.place[*k] != NOWHERE) {
                u[self.place[k] as usize] += self.value[k] * *y;
            }
        }
        self.gram.solve(&mut u);
        for (t, y) in y.iter_mut().enumerate() {
            let entries = self.range(t).filter(|k| self.place[*k] != NOWHERE);
            *y -= self.weight[t] * entries.map(|k| self.value[k] * u[self.place[k] as usize]).sum::<f64>();
        }
        self.shared = u;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Differences of neighbours, or of all with the first: the projection is the mean.
    fn differences(count: usize, of: impl Fn(usize) -> usize) -> Span {
        let mut span = Span::default();
        span.clear();
        for t in 1..count {
            span.push(of(t), 1.0);
            span.push(t, -1.0);
            span.finish(0.0, |_| 1.0);
        }
        span.factor();
        span
    }

    #[test]
    fn vectors_that_overlap_in_one_entry_or_in_a_chain_are_projected_alike() {
        for count in [2, 5, 40] {
            for (mut span, over_shared) in
                [(differences(count, |_| 0), count > 3), (differences(count, |t| t - 1), false)]
            {
                assert_eq!(span.over_shared, over_shared, "{count}");
                let mut x: Vec<f64> = (0..count).map(|i| (i * i) as f64).collect();
                let mean = x.iter().sum::<f64>() / count as f64;
                span.project(&mut x);
                assert!(x.iter().all(|x| (x / mean - 1.0).abs() < 1e-14), "{count}: {x:?}");
            }
        }
    }

    /// A row written fifty thousand times: cubic work would take days.
    #[test]
    fn the_work_is_that_of_the_entries_where_all_vectors_share_one() {
        let mut span = differences(50_000, |_| 0);
        assert_eq!((span.over_shared, span.gram.entries()), (true, 1));
        let mut x = vec![0.0; 50_000];
        x[17] = 50_000.0;
        span.project(&mut x);
        assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-9));
    }
}
