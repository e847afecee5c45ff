//! Whether constraint surfaces cross at a singular configuration, or only come near each other.
//!
//! Where rows lose rank, some combination w of them has no slope: Aᵀw = 0. Its value there, wᵀφ, is that of a saddle. If it is zero, two
//! branches cross, and a motion goes straight on. If it is not, the branches miss each other by a hair and each turns aside: a slider-crank
//! with links of 1 and 1 + 10⁻¹⁰ turns within 10⁻⁵ rad. A step across such a bend would end on the other branch, with residuals that are
//! perfect on both sides. The saddle is found by Newton's method from a state beside it; since its value is stationary, an error δ of the place
//! changes it by δ² only.

use holonom_kernel::linalg::singular::left_singular;
use holonom_kernel::linalg::vector::dot;

/// Rows and their slopes at a place, scaled so that slopes are of length 1 elsewhere: φ, and A row-major.
#[derive(Clone, Debug, Default)]
pub(super) struct Surfaces {
    pub(super) values: Vec<f64>,
    pub(super) slopes: Vec<f64>,
}

/// A saddle of a combination of rows that has no slope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Saddle {
    /// wᵀφ, relative to the scale of the rows.
    pub(super) value: f64,
    /// What is left of the slope of the combination: more than rounding where there is no saddle, and slopes are only small.
    pub(super) slope: f64,
    /// How far it is from where the search began, relative to the sizes of coordinates.
    pub(super) distance: f64,
    /// Whether a motion may go past it: it is a point as the apex of a cone. Where surfaces cross along a line, and curves in a point, every
    /// motion along one of them goes through.
    pub(super) is_apex: bool,
}

/// Directions in which the combination bends where surfaces cross; a cone has more.
const CROSSING: usize = 2;

/// Combinations of rows below this part of the largest singular value, or of 1, are those that lose their slope.
const WEAK: f64 = 0.1;
/// Where more combinations lose their slope at once, as in forty equal mechanisms in step, their saddles are not looked for: each takes
/// some decompositions of all rows.
const MOST_AT_ONCE: usize = 8;
/// Newton steps; they converge quadratically.
const STEPS: usize = 6;
/// A step below this is the last one.
const SMALL: f64 = 1e-11;
/// A saddle further away than this is another one.
const FAR: f64 = 0.3;
/// The distance over which slopes are compared for their derivatives.
const APART: f64 = 1e-5;
/// Directions along which the slope of a combination changes by less than this part of the most do not lead to its saddle.
const FLAT: f64 = 1e-5;

/// The saddles near a place `x`, one for every combination of rows that is about to lose its slope there, if it has one; `at` evaluates the rows.
/// Nothing where they are too many to be looked for.
pub(super) fn saddles(x: &[f64], mut at: impl FnMut(&[f64]) -> Surfaces) -> Option<Vec<Option<Saddle>>> {
    let here = at(x);
    let (m, n) = (here.values.len(), x.len());
    let weak = weak_combinations(m, n, &here.slopes);
    (weak.len() <= MOST_AT_ONCE).then(|| weak.iter().map(|w| saddle(x, w.clone(), weak.len(), &mut at)).collect())
}

/// Whether det(A₀A₁ᵀ) is negative, for two matrices of m rows over n columns.
pub(super) fn changes_orientation(m: usize, n: usize, one: &[f64], other: &[f64]) -> bool {
    let mut g: Vec<f64> =
        one.chunks_exact(n).flat_map(|row| other.chunks_exact(n).map(move |column| dot(row, column))).collect();
    let mut is_negative = false;
    for k in 0..m {
        let Some(pivot) = (k..m).max_by(|&i, &j| g[i * m + k].abs().total_cmp(&g[j * m + k].abs())) else { break };
        if pivot != k {
            (0..m).for_each(|j| g.swap(pivot * m + j, k * m + j));
            is_negative = !is_negative;
        }
        is_negative ^= g[k * m + k] < 0.0;
        for i in k + 1..m {
            let factor = g[i * m + k] / g[k * m + k];
            for j in k..m {
                g[i * m + j] -= factor * g[k * m + j];
            }
        }
    }
    is_negative
}

/// Orthonormal combinations of rows whose slopes are small.
fn weak_combinations(m: usize, n: usize, slopes: &[f64]) -> Vec<Vec<f64>> {
    let found = left_singular(m, n, slopes);
    // A row that is alone is weak beside its own length elsewhere, which is 1.
    let largest = found.first().map_or(1.0, |(sigma, _)| sigma.max(1.0));
    found.into_iter().filter(|(sigma, _)| *sigma <= WEAK * largest).map(|(_, w)| w).collect()
}

/// Newton's method for the saddle of one of `count` weak combinations.
fn saddle(x: &[f64], mut w: Vec<f64>, count: usize, at: &mut impl FnMut(&[f64]) -> Surfaces) -> Option<Saddle> {
    let (m, n) = (w.len(), x.len());
    let mut place = x.to_vec();
    let mut is_apex = false;
    for _ in 0..STEPS {
        let here = at(&place);
        // The combinations that keep their slopes, and those that do not.
        let combinations = left_singular(m, n, &here.slopes);
        let (strong, weak) = combinations.split_at(m - count.min(m));
        w = nearest_of(weak, &w)?;
        // Back on to what keeps its slope: σ v = uᵀA.
        let mut step = vec![0.0; n];
        let mut normals: Vec<Vec<f64>> = Vec::with_capacity(strong.len());
        for (sigma, u) in strong {
            let mut v = combined(u, &here.slopes, n);
            v.iter_mut().for_each(|v| *v /= sigma);
            let off = dot(u, &here.values) / sigma;
            step.iter_mut().zip(&v).for_each(|(step, v)| *step -= off * v);
            normals.push(v);
        }
        // Along the tangents to those, to where the slope of w vanishes.
        let tangents = complement(&normals, n);
        let slope = combined(&w, &here.slopes, n);
        let gradient: Vec<f64> = tangents.iter().map(|z| dot(z, &slope)).collect();
        let bend = curvature(&place, &w, &tangents, at);
        let (along, bends) = symmetric_solve(tangents.len(), &bend, &gradient);
        is_apex = bends > CROSSING;
        for (z, along) in tangents.iter().zip(&along) {
            step.iter_mut().zip(z).for_each(|(step, z)| *step -= along * z);
        }
        let length = dot(&step, &step).sqrt();
        place.iter_mut().zip(&step).for_each(|(x, step)| *x += step);
        let far = place.iter().zip(x).map(|(place, x)| (place - x) * (place - x)).sum::<f64>().sqrt();
        if far > FAR || far.is_nan() {
            return None;
        }
        if length <= SMALL {
            break;
        }
    }
    let there = at(&place);
    let distance = place.iter().zip(x).map(|(place, x)| (place - x) * (place - x)).sum::<f64>().sqrt();
    let value = dot(&w, &there.values).abs();
    let slope = combined(&w, &there.slopes, n);
    let slope = dot(&slope, &slope).sqrt();
    (value.is_finite() && slope.is_finite()).then_some(Saddle { value, slope, distance, is_apex })
}

/// uᵀA.
fn combined(u: &[f64], slopes: &[f64], n: usize) -> Vec<f64> {
    let mut sum = vec![0.0; n];
    for (u, row) in u.iter().zip(slopes.chunks_exact(n)) {
        sum.iter_mut().zip(row).for_each(|(sum, a)| *sum += u * a);
    }
    sum
}

/// The unit vector nearest to w among the combinations of some.
fn nearest_of(some: &[(f64, Vec<f64>)], w: &[f64]) -> Option<Vec<f64>> {
    let mut nearest = vec![0.0; w.len()];
    for (_, u) in some {
        let part = dot(u, w);
        nearest.iter_mut().zip(u).for_each(|(nearest, u)| *nearest += part * u);
    }
    let length = dot(&nearest, &nearest).sqrt();
    nearest.iter_mut().for_each(|x| *x /= length);
    (length > 0.1).then_some(nearest)
}

/// An orthonormal basis of what is orthogonal to some orthonormal vectors: unit vectors, the least hidden one first.
fn complement(normals: &[Vec<f64>], n: usize) -> Vec<Vec<f64>> {
    let mut all: Vec<Vec<f64>> = normals.to_vec();
    while all.len() < n {
        let left = |j: usize| 1.0 - all.iter().map(|v| v[j] * v[j]).sum::<f64>();
        let Some(j) = (0..n).max_by(|&i, &j| left(i).total_cmp(&left(j))) else { break };
        let mut next = vec![0.0; n];
        next[j] = 1.0;
        for _ in 0..2 {
            for v in &all {
                let part = dot(v, &next);
                next.iter_mut().zip(v).for_each(|(next, v)| *next -= part * v);
            }
            let length = dot(&next, &next).sqrt();
            next.iter_mut().for_each(|x| *x /= length);
        }
        all.push(next);
    }
    all.split_off(normals.len())
}

/// The second derivatives of wᵀφ along some directions, row-major.
fn curvature(x: &[f64], w: &[f64], along: &[Vec<f64>], at: &mut impl FnMut(&[f64]) -> Surfaces) -> Vec<f64> {
    let (n, count) = (x.len(), along.len());
    let mut bend = vec![0.0; count * count];
    let mut moved = x.to_vec();
    for (j, z) in along.iter().enumerate() {
        let mut slope_at = |part: f64| {
            moved.iter_mut().zip(x.iter().zip(z)).for_each(|(moved, (x, z))| *moved = x + part * z);
            combined(w, &at(&moved).slopes, n)
        };
        let (ahead, behind) = (slope_at(APART), slope_at(-APART));
        for (i, other) in along.iter().enumerate() {
            let change = (dot(other, &ahead) - dot(other, &behind)) / (2.0 * APART);
            bend[i * count + j] += 0.5 * change;
            bend[j * count + i] += 0.5 * change;
        }
    }
    bend
}

/// The least x with H x = g for a symmetric H, by its singular values, and how many of them count: directions in which H does next to nothing
/// are left alone.
fn symmetric_solve(n: usize, bend: &[f64], right: &[f64]) -> (Vec<f64>, usize) {
    let (mut x, mut count) = (vec![0.0; n], 0);
    let found = left_singular(n, n, bend);
    let largest = found.first().map_or(0.0, |(sigma, _)| *sigma);
    for (sigma, u) in found.iter().take_while(|(sigma, _)| *sigma > FLAT * largest) {
        // uᵀH = σ vᵀ.
        count += 1;
        let part = dot(u, right) / (sigma * sigma);
        let v = combined(u, bend, n);
        x.iter_mut().zip(&v).for_each(|(x, v)| *x += part * v);
    }
    (x, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows (x² + y² − 1, (s − x)² + y² − (1 + e)²) of a slider-crank.
    fn crank(e: f64) -> impl Fn(&[f64]) -> Surfaces {
        move |p: &[f64]| {
            let (x, y, s) = (p[0], p[1], p[2]);
            Surfaces {
                values: vec![x * x + y * y - 1.0, (s - x).powi(2) + y * y - (1.0 + e).powi(2)],
                slopes: vec![2.0 * x, 2.0 * y, 0.0, -2.0 * (s - x), 2.0 * y, 2.0 * (s - x)],
            }
        }
    }

    /// The largest value of all saddles, and how far the furthest is, if there are any and all are found.
    fn worst(x: &[f64], at: impl FnMut(&[f64]) -> Surfaces) -> Option<(f64, f64)> {
        let found = saddles(x, at)?.into_iter().collect::<Option<Vec<Saddle>>>()?;
        let largest = |a: Option<(f64, f64)>, b: &Saddle| {
            let a = a.unwrap_or_default();
            Some((a.0.max(b.value), a.1.max(b.distance)))
        };
        found.iter().fold(None, largest)
    }

    #[test]
    fn links_of_equal_length_cross_and_others_miss_by_their_difference() {
        let beside = [3e-3, 1.0 - 2e-3, 1e-3];
        let crossing = worst(&beside, crank(0.0)).unwrap();
        assert!(crossing.0 < 1e-15 && crossing.1 < 1e-2, "{crossing:?}");
        for e in [1e-12, 1e-9, 1e-5] {
            let missed = worst(&beside, crank(e)).unwrap();
            // w = (1, −1)/√2, so wᵀφ = √2 e.
            assert!((missed.0 / (2f64.sqrt() * e) - 1.0).abs() < 1e-2, "{missed:?}");
        }
        assert_eq!(worst(&[0.6, 0.8, 1.2], crank(0.0)), None); // nowhere near
    }

    #[test]
    fn a_cone_has_an_apex_and_a_small_slope_is_no_saddle() {
        let cone = |p: &[f64]| Surfaces {
            values: vec![p[0] * p[0] + p[1] * p[1] - p[2] * p[2]],
            slopes: vec![2.0 * p[0], 2.0 * p[1], -2.0 * p[2]],
        };
        let found = saddles(&[1e-2, 2e-3, 1e-2], cone).unwrap();
        assert!(found.len() == 1 && found[0].is_some_and(|found| found.is_apex && found.slope < 1e-12), "{found:?}");
        assert!(saddles(&[3e-3, 1.0 - 2e-3, 1e-3], crank(0.0)).unwrap()[0].is_some_and(|found| !found.is_apex));
        let small = |p: &[f64]| {
            let factor = p[0] * p[0] + 1e-6;
            Surfaces { values: vec![factor * (p[1] - p[0])], slopes: vec![2.0 * p[0] * (p[1] - p[0]) - factor, factor] }
        };
        let found = saddles(&[1e-9, 1e-9], small).unwrap();
        assert!(found.len() == 1 && found[0].is_none_or(|found| found.slope > 1e-7), "{found:?}");
    }

    #[test]
    fn rows_change_sides_where_one_passes_through_the_others() {
        let rows = |angle: f64| crank(0.0)(&[angle.cos(), angle.sin(), 2.0 * angle.cos()]).slopes;
        assert!(!changes_orientation(2, 3, &rows(1.2), &rows(1.5)));
        assert!(changes_orientation(2, 3, &rows(1.4), &rows(1.7)));
    }

    #[test]
    fn several_crossings_at_once_and_a_coordinate_that_none_concerns() {
        // Two slider-cranks side by side, both at their crossing, and a free coordinate.
        let both = |e: f64| {
            move |p: &[f64]| {
                let (one, two) = (crank(0.0)(&p[..3]), crank(e)(&p[3..6]));
                let mut slopes = Vec::new();
                for (rows, before) in [(&one, 0), (&two, 3)] {
                    for row in rows.slopes.chunks_exact(3) {
                        slopes.extend(
                            (0..7).map(|j| if (before..before + 3).contains(&j) { row[j - before] } else { 0.0 }),
                        );
                    }
                }
                Surfaces { values: [one.values, two.values].concat(), slopes }
            }
        };
        let beside = [3e-3, 0.998, 1e-3, 2e-3, 0.999, -1e-3, 0.4];
        assert!(worst(&beside, both(0.0)).unwrap().0 < 1e-15);
        let missed = worst(&beside, both(1e-8)).unwrap();
        assert!((3e-9..3e-8).contains(&missed.0), "{missed:?}");
    }
}
