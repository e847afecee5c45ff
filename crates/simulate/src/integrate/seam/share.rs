//! Seams that are one: gears whose shafts are both braked, boxes that touch, `sign(x')` beside `sign(2*x')`. Several forces hold one
//! motion there, and how they share that is open; what they do together is not.

/// A row that depends on others leaves less than this part of the largest.
const DEPENDS: f64 = 1e-12;
/// What may be left of rows that have been solved. They are 1 at their own seam.
const LEFT: f64 = 1e-8;

/// Solves W x = right in place, where rows may depend on each other: all forces of one seam move by the same part of their jumps. `room` has
/// n² + 2n numbers. Returns `false` where there is no solution.
pub(in crate::integrate) fn share(w: &[f64], right: &mut [f64], room: &mut [f64], n: usize) -> bool {
    let (gram, rest) = room.split_at_mut(n * n);
    let (weights, y) = rest.split_at_mut(n);
    // Least Σ ωₗ xₗ²: where rows are parallel, all |xₗ| are equal if ωₗ is the size of column l.
    for (l, weight) in weights.iter_mut().enumerate() {
        let size: f64 = (0..n).map(|k| w[k * n + l].abs()).sum();
        *weight = if size > 0.0 { size } else { 1.0 };
    }
    for i in 0..n {
        for j in 0..n {
            gram[i * n + j] = (0..n).map(|l| w[i * n + l] * w[j * n + l] / weights[l]).sum();
        }
    }
    y[..n].copy_from_slice(right);
    // Elimination along the largest of the diagonal; a row that was used as a pivot has its place in `order`.
    let mut order: [usize; MOST] = [0; MOST];
    let mut rank = 0;
    let first = (0..n).map(|i| gram[i * n + i]).fold(0.0, f64::max);
    while rank < n.min(MOST) {
        let is_free = |i: &usize| !order[..rank].contains(i);
        let Some(p) = (0..n).filter(is_free).max_by(|&i, &j| gram[i * n + i].total_cmp(&gram[j * n + j])) else {
            break;
        };
        let pivot = gram[p * n + p];
        if pivot.is_nan() || pivot <= DEPENDS * first {
            break;
        }
        order[rank] = p;
        rank += 1;
        for i in (0..n).filter(|i| !order[..rank].contains(i)) {
            let factor = gram[i * n + p] / pivot;
            for j in 0..n {
                gram[i * n + j] -= factor * gram[p * n + j];
            }
            y[i] -= factor * y[p];
        }
    }
    for at in (0..rank).rev() {
        let p = order[at];
        let later: f64 = order[at + 1..rank].iter().map(|&q| gram[p * n + q] * y[q]).sum();
        y[p] = (y[p] - later) / gram[p * n + p];
    }
    let x = |l: usize| order[..rank].iter().map(|&p| y[p] * w[p * n + l]).sum::<f64>() / weights[l];
    let is_met = |i: usize| ((0..n).map(|l| w[i * n + l] * x(l)).sum::<f64>() - right[i]).abs() <= LEFT;
    if !(0..n).all(is_met) {
        return false;
    }
    (0..n).for_each(|l| right[l] = x(l));
    true
}

/// As many seams can be solved together.
const MOST: usize = 256;

#[cfg(test)]
mod tests {
    use super::share;

    fn shared(w: &[f64], right: &[f64]) -> Option<Vec<f64>> {
        let n = right.len();
        let (mut x, mut room) = (right.to_vec(), vec![0.0; n * n + 2 * n]);
        share(w, &mut x, &mut room, n).then_some(x)
    }

    /// Jumps of 10 and 1 on one seam move by the same part, and a seam beside them has its own.
    #[test]
    fn forces_of_one_seam_move_alike() {
        let x = shared(&[1.0, 0.1, 0.0, 10.0, 1.0, 0.0, 0.0, 0.0, 1.0], &[0.55, 5.5, 0.25]).unwrap();
        for (x, exact) in x.iter().zip([0.5, 0.5, 0.25]) {
            assert!((x - exact).abs() < 1e-12, "{x}");
        }
        // One of them the other way round.
        let x = shared(&[1.0, -2.0, -0.5, 1.0], &[0.6, -0.3]).unwrap();
        assert!((x[0] - 0.2).abs() < 1e-12 && (x[1] + 0.2).abs() < 1e-12, "{x:?}");
    }

    #[test]
    fn independent_seams_are_solved_as_ever() {
        let x = shared(&[1.0, 0.25, 0.5, 1.0], &[1.0, 1.0]).unwrap();
        assert!((x[0] + 0.25 * x[1] - 1.0).abs() < 1e-12 && (0.5 * x[0] + x[1] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_contradicts_has_no_solution() {
        assert_eq!(shared(&[1.0, 1.0, 1.0, 1.0], &[0.0, 1.0]), None);
    }
}
