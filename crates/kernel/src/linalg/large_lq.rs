//! Householder's reflections for matrices above the crossover: sixteen at a time, as products of blocks.
//!
//! Sixteen reflections together are `I − Vᵀ T V` with their vectors as rows of V and T upper triangular (Schreiber & Van Loan
//! 1989). The bits do not depend on the width of registers, and nothing is allocated after the first call of a size.

use super::block::{self, Blocks};
use super::large::CROSSOVER;
use super::tile::{self, HEIGHT, Tile};
use super::vector::Pair;
use pulp::{Arch, Simd, WithSimd};

/// Reflections that are applied together. Rounding depends on it.
const TOGETHER: usize = 16;

/// `E = L̄ Yᵀ` by Householder reflections, for the rows of a p × r matrix.
#[derive(Clone, Default)]
pub(crate) struct LargeLq {
    /// T of all groups of reflections.
    t: Vec<Square>,
    /// Vᵀ of one group.
    transposed: Vec<f64>,
    /// The two vectors of a pair.
    y: [Vec<f64>; 2],
}

/// A matrix over the reflections of a group.
type Square = [[f64; TOGETHER]; TOGETHER];

impl LargeLq {
    /// Room for matrices of up to this size.
    pub(crate) fn reserve(&mut self, p: usize, r: usize) {
        if r >= CROSSOVER {
            self.shape(p, block::padded(r));
        }
    }

    fn shape(&mut self, p: usize, stride: usize) {
        self.t.resize(p.div_ceil(TOGETHER), [[0.0; TOGETHER]; TOGETHER]);
        self.transposed.resize(stride * TOGETHER, 0.0);
        self.y.iter_mut().for_each(|y| y.resize(stride, 0.0));
    }

    /// Factors in place: the rows become the vectors of the reflections, with zeros before their own place. L̄ goes to `lower`, p × p,
    /// and `diagonal`.
    pub(crate) fn factor(&mut self, e: &mut Blocks, p: usize, lower: &mut [f64], diagonal: &mut [f64]) {
        let stride = e.stride();
        self.shape(p, stride);
        let (t, transposed) = (&mut self.t, &mut self.transposed);
        Arch::new().dispatch(FactorRows { e: e.flat_mut(), stride, p, lower, diagonal, t, transposed });
    }

    /// `y ← Y y` for a pair of vectors.
    pub(crate) fn apply(&mut self, e: &Blocks, p: usize, y: &mut [Pair]) {
        self.reflect(e, p, y, true);
    }

    /// `y ← Yᵀ y` for a pair of vectors.
    pub(crate) fn apply_transposed(&mut self, e: &Blocks, p: usize, y: &mut [Pair]) {
        self.reflect(e, p, y, false);
    }

    fn reflect(&mut self, e: &Blocks, p: usize, pair: &mut [Pair], back: bool) {
        let stride = e.stride();
        let [first, second] = &mut self.y;
        let (first, second) = (&mut first[..stride], &mut second[..stride]);
        for ((pair, first), second) in pair.iter().zip(&mut *first).zip(&mut *second) {
            [*first, *second] = *pair;
        }
        let e = &e.flat()[..p * stride];
        Arch::new().dispatch(Reflect { e, stride, t: &self.t, y: [first, second], back });
        let [first, second] = &self.y;
        for ((pair, first), second) in pair.iter_mut().zip(first).zip(second) {
            *pair = [*first, *second];
        }
    }
}

struct FactorRows<'a> {
    e: &'a mut [f64],
    stride: usize,
    p: usize,
    lower: &'a mut [f64],
    diagonal: &'a mut [f64],
    t: &'a mut [Square],
    transposed: &'a mut [f64],
}

impl WithSimd for FactorRows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { e, stride, p, lower, diagonal, t, transposed } = self;
        let mut rest = &mut e[..p * stride];
        for (group, t) in t.iter_mut().enumerate() {
            let first = group * TOGETHER;
            let count = TOGETHER.min(p - first);
            let (v, below) = rest.split_at_mut(count * stride);
            let mut tau = [0.0; TOGETHER];
            for k in 0..count {
                let (row, others) = v[k * stride..].split_at_mut(stride);
                let j = first + k;
                lower[j * p..j * p + j].copy_from_slice(&row[..j]);
                row[..j].fill(0.0);
                (diagonal[j], tau[k]) = reflection(simd, &mut row[first..], k);
                for other in others.chunks_exact_mut(stride) {
                    let w = tau[k] * tile::dot(simd, &other[first..], &row[first..]);
                    tile::subtract_scaled(simd, &mut other[first..], w, &row[first..]);
                }
            }
            let transposed = &mut transposed[..(stride - first) * TOGETHER];
            if count < TOGETHER {
                transposed.fill(0.0);
            }
            for (k, row) in v.chunks_exact(stride).enumerate() {
                transposed.iter_mut().skip(k).step_by(TOGETHER).zip(&row[first..]).for_each(|(t, v)| *t = *v);
            }
            triangle(simd, v, stride, first, &tau, transposed, t);
            for four in below.chunks_mut(HEIGHT * stride) {
                let rows = four.len() / stride;
                // −W = −E Vᵀ, then W T, then E − W T V.
                let mut w = [[0.0; TOGETHER]; HEIGHT];
                minus_product(simd, &mut w, tile::columns_of(four, stride, first..stride), transposed);
                let mut wt = [[0.0; TOGETHER]; HEIGHT];
                minus_product(
                    simd,
                    &mut wt,
                    tile::columns_of(w.as_flattened(), TOGETHER, 0..TOGETHER),
                    t.as_flattened(),
                );
                for start in (first..stride).step_by(tile::width::<S>()) {
                    let mut c = Tile::load(simd, &four[start..], stride, (rows, stride - start));
                    c.subtract(
                        simd,
                        tile::columns_of(wt.as_flattened(), TOGETHER, 0..TOGETHER)
                            .zip(v.chunks_exact(stride).map(|row| &row[start..])),
                    );
                    c.store(simd, &mut four[start..], stride);
                }
            }
            rest = below;
        }
    }
}

/// Makes x the vector of the reflection that takes it to its place k, with zeros before and one there; what stands there then, and τ.
#[inline(always)]
fn reflection<S: Simd>(simd: S, x: &mut [f64], k: usize) -> (f64, f64) {
    let square = tile::dot(simd, x, x);
    if square == 0.0 {
        x[k] = 1.0;
        return (0.0, 0.0);
    }
    let length = square.sqrt();
    let beta = if x[k] > 0.0 { -length } else { length };
    let tau = 1.0 - x[k] / beta;
    let inverse = 1.0 / (x[k] - beta);
    x.iter_mut().for_each(|x| *x *= inverse);
    x[k] = 1.0;
    (beta, tau)
}

/// T of reflections with the vectors v: above the diagonal `tₖ = −τₖ T (V vₖ)`.
#[inline(always)]
fn triangle<S: Simd>(
    simd: S,
    v: &[f64],
    stride: usize,
    first: usize,
    tau: &[f64; TOGETHER],
    transposed: &[f64],
    t: &mut Square,
) {
    let mut products = [[0.0; TOGETHER]; TOGETHER];
    for (four, products) in v.chunks(HEIGHT * stride).zip(products.as_chunks_mut::<HEIGHT>().0) {
        minus_product(simd, products, tile::columns_of(four, stride, first..stride), transposed);
    }
    *t = [[0.0; TOGETHER]; TOGETHER];
    for k in 0..TOGETHER {
        for (i, row) in t[..k].iter_mut().enumerate() {
            row[k] = tau[k] * (i..k).map(|j| row[j] * products[j][k]).sum::<f64>();
        }
        t[k][k] = tau[k];
    }
}

/// `c −= A B` for the columns of A and for B by rows.
#[inline(always)]
fn minus_product<S: Simd>(
    simd: S,
    c: &mut [[f64; TOGETHER]; HEIGHT],
    columns: impl Iterator<Item = [f64; HEIGHT]> + Clone,
    b: &[f64],
) {
    for start in (0..TOGETHER).step_by(tile::width::<S>()) {
        let mut tile = Tile::zero(simd);
        tile.subtract(simd, columns.clone().zip(b.chunks_exact(TOGETHER).map(|row| &row[start..])));
        tile.store(simd, &mut c.as_flattened_mut()[start..], TOGETHER);
    }
}

struct Reflect<'a> {
    e: &'a [f64],
    stride: usize,
    t: &'a [Square],
    y: [&'a mut [f64]; 2],
    back: bool,
}

impl WithSimd for Reflect<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { e, stride, t, mut y, back } = self;
        for step in 0..t.len() {
            let group = if back { t.len() - 1 - step } else { step };
            let (first, t) = (group * TOGETHER, &t[group]);
            let v = &e[first * stride..e.len().min((first + TOGETHER) * stride)];
            for y in &mut y {
                let y = &mut y[first..];
                let (mut z, mut tz) = ([0.0; TOGETHER], [0.0; TOGETHER]);
                for (z, row) in z.iter_mut().zip(v.chunks_exact(stride)) {
                    *z = tile::dot(simd, &row[first..], y);
                }
                for i in 0..TOGETHER {
                    for j in i..TOGETHER {
                        let (i, j) = if back { (i, j) } else { (j, i) };
                        tz[i] += t[i.min(j)][i.max(j)] * z[j];
                    }
                }
                for (row, z) in v.chunks_exact(stride).zip(tz) {
                    tile::subtract_scaled(simd, y, z, &row[first..]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::large::tests::{SIZES, blocks, numbers};
    use super::*;
    use pulp::{Scalar, Scalar128b, Scalar256b, Scalar512b};

    #[test]
    fn reflections_take_rows_to_a_triangle_and_back() {
        for (p, r) in SIZES {
            let numbers = numbers(p * r);
            let E = blocks(p, r, |i, j| numbers[i * r + j]);
            let (mut v, mut lower, mut diagonal) = (E.clone(), vec![0.0; p * p], vec![0.0; p]);
            let mut lq = LargeLq::default();
            lq.factor(&mut v, p, &mut lower, &mut diagonal);
            for i in 0..p {
                let mut y: Vec<Pair> = E.row(i).as_flattened().iter().map(|x| [*x, -3.0 * x]).collect();
                lq.apply_transposed(&v, p, &mut y);
                for (j, y) in y.iter().enumerate() {
                    let expected = if j < i { lower[i * p + j] } else { f64::from(i == j) * diagonal[i] };
                    assert!(
                        (y[0] - expected).abs() < 1e-14 && (y[1] + 3.0 * expected).abs() < 1e-13,
                        "{p} {r} {i} {j}"
                    );
                }
                lq.apply(&v, p, &mut y);
                for (y, e) in y.iter().zip(E.row(i).as_flattened()) {
                    assert!((y[0] - e).abs() < 1e-14 && (y[1] + 3.0 * e).abs() < 1e-13);
                }
            }
        }
    }

    /// Factors and what they do to a pair of vectors, in registers of one width.
    struct Bits(usize, usize);

    impl WithSimd for Bits {
        type Output = Vec<u64>;

        fn with_simd<S: Simd>(self, simd: S) -> Vec<u64> {
            let Self(p, r) = self;
            let entries = numbers(p * r);
            let mut e = blocks(p, r, |i, j| entries[i * r + j]);
            let stride = e.stride();
            let (mut lower, mut diagonal) = (vec![0.0; p * p], vec![0.0; p]);
            let mut t = vec![[[0.0; TOGETHER]; TOGETHER]; p.div_ceil(TOGETHER)];
            let mut transposed = vec![0.0; stride * TOGETHER];
            simd.vectorize(FactorRows {
                e: e.flat_mut(),
                stride,
                p,
                lower: &mut lower,
                diagonal: &mut diagonal,
                t: &mut t,
                transposed: &mut transposed,
            });
            let [mut x, mut y] = [numbers(stride), numbers(stride)];
            simd.vectorize(Reflect { e: e.flat(), stride, t: &t, y: [&mut x, &mut y], back: false });
            let mut z = x.clone();
            simd.vectorize(Reflect { e: e.flat(), stride, t: &t, y: [&mut y, &mut z], back: true });
            let factors = e.flat().iter().chain(&lower).chain(&diagonal).chain(t.iter().flatten().flatten());
            factors.chain(&x).chain(&y).chain(&z).map(|x| x.to_bits()).collect()
        }
    }

    #[test]
    fn the_width_of_registers_changes_no_bit() {
        for (p, r) in SIZES {
            let expected = Arch::new().dispatch(Bits(p, r));
            assert_eq!(Scalar::new().vectorize(Bits(p, r)), expected);
            assert_eq!(Scalar128b.vectorize(Bits(p, r)), expected);
            assert_eq!(Scalar256b.vectorize(Bits(p, r)), expected);
            assert_eq!(Scalar512b.vectorize(Bits(p, r)), expected);
        }
    }
}
