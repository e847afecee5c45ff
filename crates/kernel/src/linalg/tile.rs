//! Products in vector registers: four rows of a matrix, two registers wide, change while everything is added to them.
//!
//! Numbers that stand side by side in a register belong to different columns, and each takes its terms one after the other.
//! So no result depends on the width of registers, nor on how a matrix is cut into tiles. Nothing is fused.

use pulp::Simd;
use std::ops::Range;

/// Rows of a tile.
pub(super) const HEIGHT: usize = 4;

/// Registers side by side in a tile.
const REGISTERS: usize = 2;

/// Columns of the widest tile.
pub(super) const WIDEST: usize = 8 * REGISTERS;

/// Partial sums of a scalar product.
const SUMS: usize = 16;

/// Columns of a tile.
pub(super) const fn width<S: Simd>() -> usize {
    REGISTERS * S::F64_LANES
}

/// At most four rows and `width` columns of a matrix.
pub(super) struct Tile<S: Simd> {
    registers: [[S::f64s; REGISTERS]; HEIGHT],
    rows: usize,
    columns: usize,
}

impl<S: Simd> Tile<S> {
    #[inline(always)]
    pub(super) fn zero(simd: S) -> Self {
        Self { registers: [[simd.splat_f64s(0.0); REGISTERS]; HEIGHT], rows: HEIGHT, columns: width::<S>() }
    }

    /// What begins where `c` begins, in rows that are `stride` apart.
    #[inline(always)]
    pub(super) fn load(simd: S, c: &[f64], stride: usize, (rows, columns): (usize, usize)) -> Self {
        let (rows, columns) = (rows.min(HEIGHT), columns.min(width::<S>()));
        let mut tile = Self { rows, columns, ..Self::zero(simd) };
        for (registers, row) in tile.registers[..rows].iter_mut().zip(c.chunks(stride)) {
            *registers = if columns == width::<S>() { load::<S>(row) } else { load_part(simd, &row[..columns]) };
        }
        tile
    }

    /// Subtracts all `a bᵀ`, of `a` with a number for each row and `b` with at least one for each column.
    #[inline(always)]
    pub(super) fn subtract<'a>(&mut self, simd: S, terms: impl Iterator<Item = ([f64; HEIGHT], &'a [f64])>) {
        if self.columns == width::<S>() {
            for (a, b) in terms {
                self.subtract_one(simd, a, load::<S>(b));
            }
        } else {
            let columns = self.columns;
            for (a, b) in terms {
                self.subtract_one(simd, a, load_part(simd, &b[..columns]));
            }
        }
    }

    #[inline(always)]
    fn subtract_one(&mut self, simd: S, a: [f64; HEIGHT], b: [S::f64s; REGISTERS]) {
        for (row, a) in self.registers.iter_mut().zip(a) {
            let a = simd.splat_f64s(a);
            for (c, b) in row.iter_mut().zip(b) {
                *c = simd.sub_f64s(*c, simd.mul_f64s(a, b));
            }
        }
    }

    /// Writes the tile to where it was loaded.
    #[inline(always)]
    pub(super) fn store(&self, simd: S, c: &mut [f64], stride: usize) {
        for (registers, row) in self.registers[..self.rows].iter().zip(c.chunks_mut(stride)) {
            if self.columns == width::<S>() {
                S::as_mut_simd_f64s(&mut row[..width::<S>()]).0.copy_from_slice(registers);
            } else {
                let parts = row[..self.columns].chunks_mut(S::F64_LANES);
                parts.zip(registers).for_each(|(part, register)| simd.partial_store_f64s(part, *register));
            }
        }
    }
}

#[inline(always)]
fn load<S: Simd>(row: &[f64]) -> [S::f64s; REGISTERS] {
    let row = S::as_simd_f64s(&row[..width::<S>()]).0;
    [row[0], row[1]]
}

/// A row that is narrower than a tile, with zeros behind.
#[inline(always)]
fn load_part<S: Simd>(simd: S, row: &[f64]) -> [S::f64s; REGISTERS] {
    let (first, second) = row.split_at(row.len().min(S::F64_LANES));
    [simd.partial_load_f64s(first), simd.partial_load_f64s(second)]
}

/// `xᵀy`, always in sixteen partial sums.
#[inline(always)]
pub(super) fn dot<S: Simd>(simd: S, x: &[f64], y: &[f64]) -> f64 {
    let ((xs, x_rest), (ys, y_rest)) = (x.as_chunks::<SUMS>(), y.as_chunks::<SUMS>());
    let mut sums = [0.0; SUMS];
    let registers = S::as_mut_simd_f64s(&mut sums).0;
    for (x, y) in xs.iter().zip(ys) {
        let (x, y) = (S::as_simd_f64s(x).0, S::as_simd_f64s(y).0);
        for ((sum, x), y) in registers.iter_mut().zip(x).zip(y) {
            *sum = simd.add_f64s(*sum, simd.mul_f64s(*x, *y));
        }
    }
    for ((sum, x), y) in sums.iter_mut().zip(x_rest).zip(y_rest) {
        *sum += x * y;
    }
    let mut half = SUMS / 2;
    while half > 0 {
        for i in 0..half {
            sums[i] += sums[i + half];
        }
        half /= 2;
    }
    sums[0]
}

/// `y −= s x`.
#[inline(always)]
pub(super) fn subtract_scaled<S: Simd>(simd: S, y: &mut [f64], s: f64, x: &[f64]) {
    let ((ys, y_rest), (xs, x_rest)) = (S::as_mut_simd_f64s(y), S::as_simd_f64s(x));
    let wide = simd.splat_f64s(s);
    for (y, x) in ys.iter_mut().zip(xs) {
        *y = simd.sub_f64s(*y, simd.mul_f64s(wide, *x));
    }
    for (y, x) in y_rest.iter_mut().zip(x_rest) {
        *y -= s * x;
    }
}

/// Columns of up to four rows; what is missing repeats the last row.
#[inline(always)]
pub(super) fn columns_of(
    four: &[f64],
    stride: usize,
    columns: Range<usize>,
) -> impl Iterator<Item = [f64; HEIGHT]> + Clone {
    let last = four.len() / stride - 1;
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| &four[last.min(i) * stride..][columns.clone()]);
    (0..columns.len()).map(move |k| [a[k], b[k], c[k], d[k]])
}
