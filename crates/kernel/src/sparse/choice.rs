//! Which way is faster: every entry in its place, or few entries through the sparse kernel.
//!
//! Both are predicted from the pattern alone, for one factorisation and one answer with ranks held: the dense one by the
//! short way of `motion::quick` (profile Cholesky of M, rows B = A L⁻ᵀ, S = BBᵀ), the sparse one by its band where there is
//! one and by fronts otherwise. The short way wants mass everywhere; where it is not taken the dense kernel costs more.

use super::pattern::Pattern;
use super::symbolic::Symbolic;

/// The most coordinates for which every entry of M and A is stored.
pub const DENSE: usize = 2000;
/// Coordinates and rows from which on a run uses fronts. Below, the dense way is more accurate where constraints lose rank on the way.
const FRONTS: usize = 150;
/// How many times faster the sparse kernel must be predicted to be for a run.
const CLEARLY: f64 = 1.5;

/// Beyond this many pairs of rows and coordinates, counting steps of the dense way would itself take long, and a look at
/// every entry already takes longer than the sparse way.
const COUNTED: usize = 10_000_000;

/// Nanoseconds, on one machine; only their ratios matter. Measured with chains, four-bars, bodies with joints, the
/// squeezer of Andrews and full matrices: the table in the tests.
mod nanoseconds {
    /// The dense way: to begin, for each coordinate or row, for each entry that is looked at, for each sum of products and for
    /// each product.
    pub(super) const DENSE: f64 = 40.0;
    pub(super) const LINE: f64 = 12.0;
    pub(super) const LOOK: f64 = 1.1;
    pub(super) const SUM: f64 = 6.0;
    pub(super) const PRODUCT: f64 = 0.2;
    /// The band: to begin, for each row that is a step along a chain, for each other row, and for its distance to others.
    pub(super) const BAND: f64 = 65.0;
    pub(super) const STEP: f64 = 21.0;
    pub(super) const ROW: f64 = 29.0;
    pub(super) const WIDTH: f64 = 8.5;
    /// Fronts: to begin, for each coordinate, for each row, and for each multiplication.
    pub(super) const FRONTS: f64 = 150.0;
    pub(super) const COORDINATE: f64 = 110.0;
    pub(super) const FRONT_ROW: f64 = 15.0;
    pub(super) const FLOP: f64 = 0.4;
}

/// About how long a factorisation with one answer takes, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// With every entry in its place.
    pub dense: f64,
    /// Through the sparse kernel.
    pub(crate) sparse: f64,
}

impl Costs {
    /// For a pattern and its analysis.
    pub fn of(symbolic: &Symbolic) -> Self {
        Self { dense: dense(symbolic.pattern()), sparse: sparse(symbolic) }
    }

    /// Whether the sparse kernel is faster.
    pub fn prefer_sparse(&self) -> bool {
        self.sparse < self.dense
    }
}

/// Whether the sparse kernel is predicted to be clearly faster along a motion, for entries of M on and below the diagonal and rows with
/// entries in some columns.
pub fn pays(n: usize, rows: &[Vec<usize>], mass: impl IntoIterator<Item = (usize, usize)>) -> bool {
    let Ok(pattern) = Pattern::new(n, rows, mass) else { return true };
    match Symbolic::new(&pattern) {
        Ok(symbolic) => {
            let costs = Costs::of(&symbolic);
            let may = symbolic.has_band() || n + pattern.rows() >= FRONTS;
            n > DENSE || (may && costs.dense > CLEARLY * costs.sparse)
        }
        Err(_) => n > DENSE,
    }
}

fn sparse(symbolic: &Symbolic) -> f64 {
    use nanoseconds::{BAND, COORDINATE, FLOP, FRONT_ROW, FRONTS, ROW, STEP, WIDTH};
    let (n, m) = (symbolic.pattern().n as f64, symbolic.pattern().rows() as f64);
    match &symbolic.band {
        Some(plan) if plan.is_chain() => BAND + STEP * m,
        Some(plan) => BAND + (ROW + WIDTH * plan.half_width() as f64) * m,
        None => FRONTS + COORDINATE * n + FRONT_ROW * m + FLOP * symbolic.flops(),
    }
}

/// The steps of the short way, counted as it takes them.
fn dense(pattern: &Pattern) -> f64 {
    use nanoseconds::{DENSE, LINE, LOOK, PRODUCT, SUM};
    let n = pattern.n;
    // No more rows than coordinates are independent.
    let k = pattern.rows().min(n);
    let (mut looks, mut sums, mut products) = ((n * n + k * k) as f64 / 2.0, 0.0, 0.0);
    if n.max(k).saturating_mul(n.max(k)) > COUNTED {
        return LOOK * (looks + (n * k) as f64);
    }
    let mut sum_over = |from: usize, to: usize| {
        if from < to {
            sums += 1.0;
            products += (to - from) as f64;
        }
    };
    // L has the profile of M; it is used once more in each direction to answer.
    let mut l_first: Vec<usize> = (0..n).collect();
    for (i, j) in &pattern.mass {
        let first = &mut l_first[*i as usize];
        *first = (*first).min(*j as usize);
    }
    for i in 0..n {
        (l_first[i]..i).for_each(|j| sum_over(l_first[i].max(l_first[j]), j));
        (0..3).for_each(|_| sum_over(l_first[i], i));
    }
    let mut ranges: Vec<(usize, usize)> = Vec::with_capacity(k);
    let mut s_first: Vec<usize> = Vec::with_capacity(k);
    for i in 0..k {
        let columns = pattern.row(i);
        let first = columns.first().map_or(n, |j| *j as usize);
        let (mut last, mut given) = (first, columns.iter().peekable());
        for (j, l_first) in l_first.iter().enumerate().skip(first) {
            let from = first.max(*l_first);
            sum_over(from, j);
            let is_given = given.next_if(|column| **column as usize == j).is_some();
            if is_given || from < last {
                last = j + 1;
            }
        }
        looks += n as f64;
        let mut begin = i;
        for (j, (other_first, other_last)) in ranges.iter().enumerate() {
            let (from, to) = (first.max(*other_first), last.min(*other_last));
            sum_over(from, to);
            if from < to {
                begin = begin.min(j);
            }
        }
        ranges.push((first, last));
        (begin..i).for_each(|j| sum_over(begin.max(s_first[j]), j));
        s_first.push(begin);
        (0..3).for_each(|_| sum_over(first, last));
        (0..3).for_each(|_| sum_over(begin, i));
    }
    DENSE + LINE * (n + k) as f64 + LOOK * looks + SUM * sums + PRODUCT * products
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rows = Vec<Vec<usize>>;

    fn costs(n: usize, mass: impl IntoIterator<Item = (usize, usize)>, rows: Rows) -> Costs {
        Costs::of(&Symbolic::new(&Pattern::new(n, rows, mass).unwrap()).unwrap())
    }

    /// Points in the plane on rods, one after the other; `fixed` holds the last one, too.
    fn chain(links: usize, fixed: bool) -> Costs {
        let link = |i: usize| if i == 0 { vec![0, 1] } else { (2 * i - 2..2 * i + 2).collect() };
        let mut rows: Rows = (0..links).map(link).collect();
        rows.extend(fixed.then(|| vec![2 * links - 2, 2 * links - 1]));
        costs(2 * links, (0..2 * links).map(|j| (j, j)), rows)
    }

    /// N four-bars in a row: all x before all y, and bars whose masses couple neighbours.
    fn four_bars(count: usize) -> Costs {
        let c = count + 1;
        let mass = (0..2 * c).flat_map(|i| (i % c > 0).then(|| (i, i - 1)).into_iter().chain([(i, i)]));
        let cranks = (0..c).map(|i| vec![i, c + i]);
        costs(2 * c, mass, cranks.chain((1..c).map(|i| vec![i - 1, i, c + i - 1, c + i])).collect())
    }

    /// Bodies (x, y, φ) with a joint of two rows to the one before.
    fn bodies(count: usize) -> Costs {
        let joint = |i: usize, d: usize| match i {
            0 => vec![d, 2],
            _ => vec![3 * i - 3 + d, 3 * i - 1, 3 * i + d, 3 * i + 2],
        };
        let rows = (0..count).flat_map(|i| [joint(i, 0), joint(i, 1)]).collect();
        costs(3 * count, (0..3 * count).map(|j| (j, j)), rows)
    }

    fn full(n: usize, m: usize) -> Costs {
        costs(n, (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))), vec![(0..n).collect(); m])
    }

    fn andrews() -> Costs {
        let mass = [(0, 0), (1, 0), (1, 1), (2, 2), (3, 3), (4, 3), (4, 4), (5, 5), (6, 5), (6, 6)];
        let loops = [vec![0, 1, 2], vec![0, 1, 3, 4], vec![0, 1, 5, 6]];
        costs(7, mass, loops.iter().flat_map(|row| [row.clone(), row.clone()]).collect())
    }

    /// Nanoseconds as measured, dense and sparse: predictions are within a factor of 1.7, and choose as the clock does
    /// wherever it matters.
    #[test]
    fn predictions_are_what_was_measured() {
        for (name, costs, dense, sparse) in [
            ("chain of 2", chain(2, false), 147.0, 117.0),
            ("chain of 5", chain(5, false), 416.0, 184.0),
            ("chain of 10", chain(10, false), 1045.0, 287.0),
            ("chain of 20", chain(20, false), 3010.0, 503.0),
            ("chain of 49", chain(49, false), 14370.0, 1108.0),
            ("chain of 50", chain(50, false), 14860.0, 1140.0),
            ("chain of 100", chain(100, false), 51600.0, 2200.0),
            ("fixed chain of 5", chain(5, true), 478.0, 248.0),
            ("fixed chain of 50", chain(50, true), 15200.0, 1980.0),
            ("Andrews", andrews(), 675.0, 1032.0),
            ("1 four-bar", four_bars(1), 255.0, 574.0),
            ("10 four-bars", four_bars(10), 6750.0, 3255.0),
            ("40 four-bars", four_bars(40), 127600.0, 10550.0),
            ("12 × 6", full(12, 6), 1690.0, 2150.0),
            ("12 × 0", full(12, 0), 659.0, 1400.0),
            ("30 × 10", full(30, 10), 7800.0, 10200.0),
            ("100 × 30", full(100, 30), 122500.0, 141500.0),
            ("3 bodies", bodies(3), 560.0, 304.0),
            ("40 bodies", bodies(40), 28970.0, 4112.0),
        ] {
            for (what, predicted, measured) in [("dense", costs.dense, dense), ("sparse", costs.sparse, sparse)] {
                let ratio: f64 = predicted / measured;
                assert!((1.0 / 1.7..1.7).contains(&ratio), "{name}, {what}: {predicted:.0} for {measured}");
            }
            let clear = !(0.7..1.4).contains(&(sparse / dense));
            assert!(!clear || costs.prefer_sparse() == (sparse < dense), "{name}: {costs:?}");
        }
    }

    #[test]
    fn a_prediction_for_a_large_pattern_takes_no_time() {
        assert!(chain(100_000, false).prefer_sparse());
    }
}
