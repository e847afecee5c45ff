//! Rows in blocks of four: short loops without remainders.
//!
//! The matrices of mechanisms are small. Rows of ten numbers spend more time in the beginnings and ends of
//! vector loops than in between, so rows are padded to whole blocks, and every loop runs over whole blocks.
//! What a loop must not touch is kept zero instead of being left out. The arithmetic is that of `lanes`: left
//! to itself, the compiler vectorises across blocks and loses more than it gains.

use super::lanes::{Four, Two};
use super::vector::Pair;

/// Numbers in a block.
pub(crate) const LANES: usize = 4;
/// Four neighbours in a row.
pub(crate) type Block = [f64; LANES];

/// Four neighbours of a pair of vectors.
pub(crate) type PairBlock = [Pair; LANES];

/// A row-major matrix whose rows are padded with zeros to whole blocks.
#[derive(Clone, Default)]
pub(crate) struct Blocks {
    rows: usize,
    columns: usize,
    /// Blocks in a row.
    stride: usize,
    data: Vec<Block>,
}

impl Blocks {
    /// Gives the matrix a shape. What it holds afterwards is unspecified, apart from zeros in the padding.
    pub(crate) fn shape(&mut self, rows: usize, columns: usize) {
        if (self.rows, self.columns) != (rows, columns) {
            (self.rows, self.columns, self.stride) = (rows, columns, columns.div_ceil(LANES));
            self.data.clear();
            self.data.resize(rows * self.stride, [0.0; LANES]);
        }
    }

    /// Room for a matrix of up to this size. It is empty afterwards.
    pub(crate) fn reserve(&mut self, rows: usize, columns: usize) {
        (self.rows, self.columns, self.stride) = (0, 0, 0);
        self.data.clear();
        self.data.reserve(rows * columns.div_ceil(LANES));
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Numbers from one row to the next.
    pub(crate) fn stride(&self) -> usize {
        self.stride * LANES
    }

    /// Row i, with its padding.
    #[inline]
    pub(crate) fn row(&self, i: usize) -> &[Block] {
        &self.data[i * self.stride..(i + 1) * self.stride]
    }

    #[inline]
    pub(crate) fn row_mut(&mut self, i: usize) -> &mut [Block] {
        &mut self.data[i * self.stride..(i + 1) * self.stride]
    }

    /// Row i from block `first` on.
    #[inline]
    pub(crate) fn row_from(&self, i: usize, first: usize) -> &[Block] {
        &self.data[i * self.stride + first..(i + 1) * self.stride]
    }

    /// Row i as numbers, without its padding.
    #[inline]
    pub(crate) fn numbers(&self, i: usize) -> &[f64] {
        &self.row(i).as_flattened()[..self.columns]
    }

    #[inline]
    pub(crate) fn numbers_mut(&mut self, i: usize) -> &mut [f64] {
        let columns = self.columns;
        &mut self.row_mut(i).as_flattened_mut()[..columns]
    }

    #[inline]
    pub(crate) fn get(&self, i: usize, j: usize) -> f64 {
        self.data[i * self.stride + j / LANES][j % LANES]
    }

    #[inline]
    pub(crate) fn set(&mut self, i: usize, j: usize, value: f64) {
        self.data[i * self.stride + j / LANES][j % LANES] = value;
    }

    /// Two different rows, the second to be changed.
    #[inline]
    pub(crate) fn two_rows(&mut self, fixed: usize, changed: usize) -> (&[Block], &mut [Block]) {
        let stride = self.stride;
        if fixed < changed {
            let (head, tail) = self.data.split_at_mut(changed * stride);
            (&head[fixed * stride..(fixed + 1) * stride], &mut tail[..stride])
        } else {
            let (head, tail) = self.data.split_at_mut(fixed * stride);
            (&tail[..stride], &mut head[changed * stride..(changed + 1) * stride])
        }
    }

    /// Row i becomes `(s · numbers) · y`, component by component; y is padded. In this order: s alone brings the numbers to
    /// size one, where s times y may be more than a number holds.
    #[inline]
    pub(crate) fn set_row_scaled(&mut self, i: usize, numbers: &[f64], s: f64, y: &[Block]) {
        let s = Four::splat(s);
        let (whole, rest) = numbers.as_chunks::<LANES>();
        let row = self.row_mut(i);
        for ((out, numbers), y) in row.iter_mut().zip(whole).zip(y) {
            *out = ((s * Four::from(*numbers)) * Four::from(*y)).to_array();
        }
        if let (Some(out), Some(y)) = (row.get_mut(whole.len()), y.get(whole.len())) {
            let mut last = [0.0; LANES];
            last.iter_mut().zip(rest).for_each(|(l, x)| *l = *x);
            *out = ((s * Four::from(last)) * Four::from(*y)).to_array();
        }
    }

    pub(crate) fn swap_rows(&mut self, i: usize, j: usize) {
        let (i, j) = (i.min(j), i.max(j));
        if i < j {
            let (head, tail) = self.data.split_at_mut(j * self.stride);
            head[i * self.stride..(i + 1) * self.stride].swap_with_slice(&mut tail[..self.stride]);
        }
    }

    pub(crate) fn swap_columns(&mut self, i: usize, j: usize) {
        if i != j {
            let stride = self.stride();
            for row in self.data.as_flattened_mut().chunks_exact_mut(stride) {
                row.swap(i, j);
            }
        }
    }

    /// Rows of S blocks each, for a matrix with that stride: what the compiler knows, it need not compute.
    #[inline]
    pub(crate) fn fixed<const S: usize>(&self) -> &[[Block; S]] {
        debug_assert_eq!(S, self.stride);
        self.data.as_chunks().0
    }

    #[inline]
    pub(crate) fn fixed_mut<const S: usize>(&mut self) -> &mut [[Block; S]] {
        debug_assert_eq!(S, self.stride);
        self.data.as_chunks_mut().0
    }

    /// Blocks from one row to the next.
    #[inline]
    pub(crate) fn blocks(&self) -> usize {
        self.stride
    }

    /// All of it, padding included.
    pub(crate) fn flat(&self) -> &[f64] {
        self.data.as_flattened()
    }

    pub(crate) fn flat_mut(&mut self) -> &mut [f64] {
        self.data.as_flattened_mut()
    }
}

/// `xᵀy`.
#[inline]
pub(crate) fn dot(x: &[Block], y: &[Block]) -> f64 {
    let mut sums = Four::zero();
    for (x, y) in x.iter().zip(y) {
        sums += Four::from(*x) * Four::from(*y);
    }
    let sums = sums.to_array();
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}

/// `y += s x`.
#[inline]
pub(crate) fn add_scaled(y: &mut [Block], s: f64, x: &[Block]) {
    let s = Four::splat(s);
    for (y, x) in y.iter_mut().zip(x) {
        *y = (Four::from(*y) + s * Four::from(*x)).to_array();
    }
}

/// `out = s x y`, component by component.
#[inline]
pub(crate) fn product(out: &mut [Block], s: f64, x: &[Block], y: &[Block]) {
    let s = Four::splat(s);
    for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
        *out = (Four::from(*x) * (s * Four::from(*y))).to_array();
    }
}

/// The largest magnitude.
#[inline]
pub(crate) fn max_abs(x: &[Block]) -> f64 {
    let mut largest = Four::zero();
    for x in x {
        // Entries are numbers, so the maximum that is one instruction will do.
        largest = largest.max(Four::from(*x).abs());
    }
    let [a, b, c, d] = largest.to_array();
    let (a, b) = (if a > c { a } else { c }, if b > d { b } else { d });
    if a > b { a } else { b }
}

/// `xᵀy` for both vectors of a pair, which is padded like x.
#[inline]
pub(crate) fn dot_pair(x: &[Block], y: &[Pair]) -> Pair {
    let (mut even, mut odd) = (Two::zero(), Two::zero());
    for (x, y) in x.iter().zip(y.as_chunks::<LANES>().0) {
        even += Two::splat(x[0]) * Two::from(y[0]);
        odd += Two::splat(x[1]) * Two::from(y[1]);
        even += Two::splat(x[2]) * Two::from(y[2]);
        odd += Two::splat(x[3]) * Two::from(y[3]);
    }
    (even + odd).to_array()
}

/// `y += s x`, with a factor of its own for each vector of the pair.
#[inline]
pub(crate) fn add_scaled_pair(y: &mut [Pair], s: Pair, x: &[Block]) {
    let s = Two::from(s);
    for (y, x) in y.as_chunks_mut::<LANES>().0.iter_mut().zip(x) {
        y[0] = (Two::from(y[0]) + s * Two::splat(x[0])).to_array();
        y[1] = (Two::from(y[1]) + s * Two::splat(x[1])).to_array();
        y[2] = (Two::from(y[2]) + s * Two::splat(x[2])).to_array();
        y[3] = (Two::from(y[3]) + s * Two::splat(x[3])).to_array();
    }
}

/// Where to begin in rows of S blocks when nothing lies before block `first`: short rows are done whole, as
/// a loop of known length costs less than leaving a block out.
#[inline(always)]
pub(crate) const fn begin<const S: usize>(first: usize) -> usize {
    if S <= 3 { 0 } else { first }
}

/// For each place in a block: 1 there and 0 elsewhere.
const AT: [Block; LANES] = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
/// For each place in a block: 0 there and 1 elsewhere.
const NOT_AT: [Block; LANES] = [[0.0, 1.0, 1.0, 1.0], [1.0, 0.0, 1.0, 1.0], [1.0, 1.0, 0.0, 1.0], [1.0, 1.0, 1.0, 0.0]];
/// For each place in a block: 1 from there on and 0 before.
const FROM: [Block; LANES] = [[1.0; LANES], [0.0, 1.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 0.0, 1.0]];

// The next two write one number of a block without storing it by itself: a load of the whole block that
// follows such a store would have to wait for memory.

/// Sets the number at `lane` to `value`.
#[inline(always)]
pub(crate) fn put(x: &mut Block, lane: usize, value: f64) {
    let kept = Four::from(*x) * Four::from(NOT_AT[lane]);
    *x = (kept + Four::splat(value) * Four::from(AT[lane])).to_array();
}

/// Sets the numbers before `lane` to zero.
#[inline(always)]
pub(crate) fn keep_from(x: &mut Block, lane: usize) {
    *x = (Four::from(*x) * Four::from(FROM[lane])).to_array();
}

/// `y += s x` for rows of known length, from block `first` on.
#[inline(always)]
pub(crate) fn add_scaled_fixed<const S: usize>(y: &mut [Block; S], s: f64, x: &[Block; S], first: usize) {
    let s = Four::splat(s);
    for b in begin::<S>(first)..S {
        y[b] = (Four::from(y[b]) + s * Four::from(x[b])).to_array();
    }
}

/// `xᵀy` for rows of known length, from block `first` on.
#[inline(always)]
pub(crate) fn dot_fixed<const S: usize>(x: &[Block; S], y: &[Block; S], first: usize) -> f64 {
    let mut sums = Four::zero();
    for b in begin::<S>(first)..S {
        sums += Four::from(x[b]) * Four::from(y[b]);
    }
    let sums = sums.to_array();
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}

/// `x *= s` for a row of known length, from block `first` on.
#[inline(always)]
pub(crate) fn scale_fixed<const S: usize>(x: &mut [Block; S], s: f64, first: usize) {
    let s = Four::splat(s);
    for x in &mut x[begin::<S>(first)..] {
        *x = (s * Four::from(*x)).to_array();
    }
}

/// `xᵀy` for both vectors of a pair and a row of known length, from block `first` on.
#[inline(always)]
pub(crate) fn dot_pair_fixed<const S: usize>(x: &[Block; S], y: &[PairBlock; S], first: usize) -> Pair {
    let (mut even, mut odd) = (Two::zero(), Two::zero());
    for b in begin::<S>(first)..S {
        even += Two::splat(x[b][0]) * Two::from(y[b][0]);
        odd += Two::splat(x[b][1]) * Two::from(y[b][1]);
        even += Two::splat(x[b][2]) * Two::from(y[b][2]);
        odd += Two::splat(x[b][3]) * Two::from(y[b][3]);
    }
    (even + odd).to_array()
}

/// `y += s x` for a pair and a row of known length, from block `first` on.
#[inline(always)]
pub(crate) fn add_scaled_pair_fixed<const S: usize>(y: &mut [PairBlock; S], s: Pair, x: &[Block; S], first: usize) {
    let s = Two::from(s);
    for b in begin::<S>(first)..S {
        for lane in 0..LANES {
            y[b][lane] = (Two::from(y[b][lane]) + s * Two::splat(x[b][lane])).to_array();
        }
    }
}

/// Calls a function with the number of blocks in a row as a constant, or another one for long rows.
macro_rules! by_stride {
    ($blocks:expr, $function:ident($($argument:expr),*), $long:expr) => {
        match $blocks {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            4 => $function::<4>($($argument),*),
            5 => $function::<5>($($argument),*),
            6 => $function::<6>($($argument),*),
            7 => $function::<7>($($argument),*),
            8 => $function::<8>($($argument),*),
            _ => $long,
        }
    };
}
pub(crate) use by_stride;

/// The length of a vector that is padded to whole blocks.
pub(crate) fn padded(n: usize) -> usize {
    n.div_ceil(LANES) * LANES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_stays_zero_and_loops_agree_with_plain_ones() {
        let mut a = Blocks::default();
        a.shape(2, 5);
        a.numbers_mut(0).copy_from_slice(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        a.numbers_mut(1).copy_from_slice(&[5.0, -4.0, 3.0, 2.0, -1.0]);
        assert_eq!(dot(a.row(0), a.row(1)), 5.0 - 8.0 + 9.0 + 8.0 - 5.0);
        assert_eq!(max_abs(a.row(1)), 5.0);
        let (x, y) = a.two_rows(0, 1);
        add_scaled(y, 2.0, x);
        assert_eq!(a.numbers(1), [7.0, 0.0, 9.0, 10.0, 9.0]);
        assert_eq!(a.row(1)[1], [9.0, 0.0, 0.0, 0.0]);
        a.swap_columns(0, 4);
        a.swap_rows(1, 0);
        assert_eq!(a.numbers(0), [9.0, 0.0, 9.0, 10.0, 7.0]);
        let y: Vec<Pair> = (0..8).map(|i| if i < 5 { [1.0, i as f64] } else { [0.0; 2] }).collect();
        assert_eq!(dot_pair(a.row(0), &y), [35.0, 18.0 + 30.0 + 28.0]);
    }
}
