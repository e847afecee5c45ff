//! Rows that are steps along a chain: each holds the last V coordinates of the row before and V new ones.
//!
//! Then S is tridiagonal, and nothing has to be looked up: what a row shares with the one before stands right
//! before it. Rows of other shapes in between are taken one by one. Elimination goes from both ends to the middle,
//! where two chains of divisions wait for each other only once.

use super::pattern::Pattern;
use super::strip::{Band, relative, worse};

/// How rows follow each other.
#[derive(Clone, Debug)]
pub(super) struct Stencil {
    /// V.
    shared: usize,
    /// For each row its first coordinate, if it is a step along the chain.
    first: Vec<u32>,
}

/// Not a step along the chain.
const OTHER: u32 = u32::MAX;

macro_rules! by_shared {
    ($self:ident, $function:ident($($argument:expr),*)) => {
        match $self.shared {
            1 => $function::<1, 2>($self, $($argument),*),
            2 => $function::<2, 4>($self, $($argument),*),
            _ => $function::<3, 6>($self, $($argument),*),
        }
    };
}

impl Stencil {
    /// The stencil of rows in order, if most of them are steps along a chain.
    pub(super) fn find(pattern: &Pattern) -> Option<Self> {
        let consecutive = |row: &[u32]| row.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let m = pattern.rows();
        let shared = pattern.row(m - 1).len() / 2;
        if !(1..=3).contains(&shared) {
            return None;
        }
        let mut first = vec![OTHER; m];
        let mut steps = 0;
        for at in 1..m {
            let (before, row) = (pattern.row(at - 1), pattern.row(at));
            if row.len() == 2 * shared && consecutive(row) && before.ends_with(&row[..shared]) {
                first[at] = row[0];
                steps += 1;
            }
        }
        (2 * steps > m).then_some(Self { shared, first })
    }

    /// Factors S; the largest ratio of a diagonal entry to its pivot is returned, or not a number.
    pub(super) fn factor(&self, band: &mut Band, pattern: &Pattern, a: &[f64]) -> f64 {
        by_shared!(self, factor(band, pattern, a))
    }

    /// λ = S⁻¹(b − A M⁻¹Q).
    pub(super) fn multipliers(
        &self,
        band: &Band,
        pattern: &Pattern,
        a: &[f64],
        (force, right): (&[f64], &[f64]),
        lambda: &mut [f64],
    ) {
        by_shared!(self, forward(band, pattern, a, (force, right), lambda));
        backward(band, lambda);
    }

    /// S⁻¹ e in place of e.
    pub(super) fn back_and_forth(&self, band: &Band, e: &mut [f64]) {
        let middle = e.len() / 2;
        let (head, tail) = e.split_at_mut(middle);
        let before = head.iter_mut().zip(&band.lower).fold(0.0, |before, (e, l)| {
            *e -= l * before;
            *e
        });
        let after = tail[1..].iter_mut().zip(&band.lower[middle + 1..]).rev().fold(0.0, |after, (e, l)| {
            *e -= l * after;
            *e
        });
        tail[0] -= band.lower[middle] * before + band.middle * after;
        backward(band, e);
    }

    /// x += Aᵀλ
    pub(super) fn push(&self, pattern: &Pattern, a: &[f64], lambda: &[f64], x: &mut [f64]) {
        by_shared!(self, push(pattern, a, lambda, x))
    }

    /// b − A x, and the largest of it relative to its terms.
    pub(super) fn measure(
        &self,
        band: &Band,
        pattern: &Pattern,
        a: &[f64],
        given: (&[f64], &[f64], &[f64]),
        rest: &mut [f64],
    ) -> f64 {
        by_shared!(self, measure(band, pattern, a, given, rest))
    }
}

/// The numbers of a row that is a step along the chain.
#[inline(always)]
fn own<const W: usize>(a: &[f64], start: u32) -> Option<&[f64; W]> {
    let start = start as usize;
    a.get(start..start + W).and_then(|own| own.try_into().ok())
}

/// What stands at its coordinates; none for rows of other shapes.
#[inline(always)]
fn at<const W: usize>(x: &[f64], first: u32) -> Option<&[f64; W]> {
    let first = first as usize;
    x.get(first..first + W).and_then(|x| x.try_into().ok())
}

/// The diagonal entry of a row, and what it shares with the row before.
#[inline(always)]
fn entries<const V: usize, const W: usize>(
    stencil: &Stencil,
    pattern: &Pattern,
    a: &[f64],
    w: &[f64],
    row: usize,
) -> (f64, f64) {
    let (start, first) = (pattern.row_start[row], stencil.first[row]);
    let previous = a.get((start as usize).wrapping_sub(V)..start as usize);
    if let (Some(own), Some(w), Some(previous)) = (own::<W>(a, start), at::<W>(w, first), previous) {
        let (mut head, mut tail, mut shared) = (0.0, 0.0, 0.0);
        for k in 0..V {
            let product = own[k] * w[k];
            head += own[k] * product;
            shared += previous[k] * product;
            tail += own[V + k] * own[V + k] * w[V + k];
        }
        (head + tail, shared)
    } else {
        other(pattern, a, w, row)
    }
}

/// The same for a row of any shape.
#[cold]
fn other(pattern: &Pattern, a: &[f64], w: &[f64], row: usize) -> (f64, f64) {
    let entries = pattern.entries(row);
    let own = a[entries.clone()].iter().zip(&pattern.columns[entries]);
    let diagonal = own.clone().map(|(a, j)| a * a * w[*j as usize]).sum();
    let mut shared = 0.0;
    if let Some(before) = row.checked_sub(1) {
        let entries = pattern.entries(before);
        for (theirs, j) in a[entries.clone()].iter().zip(&pattern.columns[entries]) {
            let both = own.clone().filter(|(_, i)| *i == j).map(|(ours, _)| ours * theirs * w[*j as usize]);
            shared += both.sum::<f64>();
        }
    }
    (diagonal, shared)
}

fn factor<const V: usize, const W: usize>(stencil: &Stencil, band: &mut Band, pattern: &Pattern, a: &[f64]) -> f64 {
    let Band { inverse_mass, diagonal, inverse, lower, middle: across, .. } = band;
    let (m, w) = (stencil.first.len(), &inverse_mass[..]);
    let middle = m / 2;
    let terms = |row: usize| entries::<V, W>(stencil, pattern, a, w, row);
    let (mut most, mut most_after) = (1.0f64, 1.0f64);
    // From the front, with what the row shares with the one before; from the back, with the one after.
    let (mut before, mut after, mut shared_after) = (0.0, 0.0, 0.0);
    for row in 0..middle {
        let (own, shared) = terms(row);
        let l = shared * before;
        before = 1.0 / (own - shared * l);
        (diagonal[row], lower[row], inverse[row]) = (own, l, before);
        most = worse(most, own * before);
        let row = m - 1 - row;
        if row > middle {
            let (own, shared) = terms(row);
            let l = shared_after * after;
            after = 1.0 / (own - shared_after * l);
            shared_after = shared;
            (diagonal[row], lower[row], inverse[row]) = (own, l, after);
            most_after = worse(most_after, own * after);
        }
    }
    let (own, shared) = terms(middle);
    (lower[middle], *across) = (shared * before, shared_after * after);
    let pivot = own - shared * lower[middle] - shared_after * *across;
    (diagonal[middle], inverse[middle]) = (own, 1.0 / pivot);
    worse(worse(most, most_after), own / pivot)
}

/// e = b − A M⁻¹Q, eliminated from both ends to the middle.
fn forward<const V: usize, const W: usize>(
    stencil: &Stencil,
    band: &Band,
    pattern: &Pattern,
    a: &[f64],
    (force, right): (&[f64], &[f64]),
    e: &mut [f64],
) {
    let (m, w) = (e.len(), &band.inverse_mass[..]);
    let middle = m / 2;
    let term = |row: usize| {
        let (start, first) = (pattern.row_start[row], stencil.first[row]);
        if let (Some(own), Some(w), Some(q)) = (own::<W>(a, start), at::<W>(w, first), at::<W>(force, first)) {
            let (mut head, mut tail) = (0.0, 0.0);
            for k in 0..V {
                head += own[k] * (w[k] * q[k]);
                tail += own[V + k] * (w[V + k] * q[V + k]);
            }
            right[row] - (head + tail)
        } else {
            let entries = pattern.entries(row);
            let terms = a[entries.clone()].iter().zip(&pattern.columns[entries]);
            terms.fold(right[row], |sum, (a, j)| sum - a * (w[*j as usize] * force[*j as usize]))
        }
    };
    let (mut before, mut after) = (0.0, 0.0);
    for row in 0..middle {
        before = term(row) - band.lower[row] * before;
        e[row] = before;
        let row = m - 1 - row;
        if row > middle {
            after = term(row) - band.lower[row] * after;
            e[row] = after;
        }
    }
    e[middle] = term(middle) - (band.lower[middle] * before + band.middle * after);
}

/// From the middle to both ends.
fn backward(band: &Band, e: &mut [f64]) {
    let (m, middle) = (e.len(), e.len() / 2);
    e[middle] *= band.inverse[middle];
    let (mut after, mut l_after) = (e[middle], band.lower[middle]);
    let (mut before, mut l_before) = (e[middle], band.middle);
    for step in 1..=middle {
        let row = middle - step;
        after = e[row] * band.inverse[row] - l_after * after;
        (e[row], l_after) = (after, band.lower[row]);
        let row = middle + step;
        if row < m {
            before = e[row] * band.inverse[row] - l_before * before;
            (e[row], l_before) = (before, band.lower[row]);
        }
    }
}

fn push<const V: usize, const W: usize>(
    stencil: &Stencil,
    pattern: &Pattern,
    a: &[f64],
    lambda: &[f64],
    x: &mut [f64],
) {
    for (((row, first), start), l) in stencil.first.iter().enumerate().zip(&pattern.row_start).zip(lambda) {
        let first = *first as usize;
        let target = x.get_mut(first..first.wrapping_add(W)).and_then(|x| <&mut [f64; W]>::try_from(x).ok());
        if let (Some(own), Some(x)) = (own::<W>(a, *start), target) {
            for k in 0..W {
                x[k] += own[k] * l;
            }
        } else {
            let entries = pattern.entries(row);
            for (a, j) in a[entries.clone()].iter().zip(&pattern.columns[entries]) {
                x[*j as usize] += a * l;
            }
        }
    }
}

fn measure<const V: usize, const W: usize>(
    stencil: &Stencil,
    band: &Band,
    pattern: &Pattern,
    a: &[f64],
    (right, lambda, x): (&[f64], &[f64], &[f64]),
    rest: &mut [f64],
) -> f64 {
    let mut worst = 0.0;
    let rows = stencil.first.iter().zip(&pattern.row_start).zip(right.iter().zip(rest));
    let sizes = lambda.iter().zip(&band.diagonal);
    for (row, (((first, start), (b, rest)), (l, diagonal))) in rows.zip(sizes).enumerate() {
        if let (Some(own), Some(x)) = (own::<W>(a, *start), at::<W>(x, *first)) {
            let (mut head, mut tail) = (0.0, 0.0);
            for k in 0..V {
                head += own[k] * x[k];
                tail += own[V + k] * x[V + k];
            }
            *rest = b - (head + tail);
        } else {
            let entries = pattern.entries(row);
            let terms = a[entries.clone()].iter().zip(&pattern.columns[entries]);
            *rest = terms.fold(*b, |sum, (a, j)| sum - a * x[*j as usize]);
        }
        let size = b.abs() + l.abs() * diagonal;
        // Also where it is not a number.
        if !(rest.abs() <= worst * size) {
            worst = worse(worst, relative(*rest, size));
        }
    }
    worst
}
