//! What coordinates, velocities and constraints are measured by: the one place that decides it.
//!
//! - The **size** of a coordinate is the largest magnitude among the coordinates of its dimension, since points of a plane
//!   are measured alike in x and y. Where that is zero or rounding, the size is what its rows make of it (terms / slope), and
//!   1 where nothing says anything.
//! - The **scale** of a row is the sum of the magnitudes of its terms, floored by what its slopes make of its coordinates.
//!   A coordinate that is zero up to rounding counts with its size there, so that rounding never becomes a scale. Where its
//!   rows make less of it than its kind, it counts with that: models without units have angles and lengths of one kind.
//! - The **rounding** of a row is measured by its terms and by its coordinates as they are, whatever their sizes.

use super::entries::Rows;
use holonom_kernel::linalg::tolerance::DUST;

/// Residuals below this part of their scale count as met.
pub(crate) const MET: f64 = 1e-12;
/// Residuals below this part of their scale are rounding beside what is of typical size.
pub(crate) const ROUNDED: f64 = 8.0 * f64::EPSILON;
/// The least part of its size that a coordinate counts with in the scale of a row. Residuals are met at 1e-12 of the scale:
/// what rounding makes of coordinates of that size must be less.
const LEAST: f64 = DUST / MET;

/// The part of the steepest slope of a row below which a slope says nothing of how large the other coordinates are.
const TELLING: f64 = 5e-9;
/// The part of its terms that a row must owe to something else than its coordinates, for that to count: a slope times a
/// coordinate is a term to first order only.
const FIXED: f64 = 0.25;

/// For each value, the largest magnitude among those of its kind; `kinds` names for each the first of its kind.
pub(crate) fn largest_alike(kinds: &[usize], values: &[f64]) -> Vec<f64> {
    let mut largest = vec![0.0_f64; kinds.len()];
    for (&kind, value) in kinds.iter().zip(values).filter(|(_, value)| value.is_finite()) {
        largest[kind] = largest[kind].max(value.abs());
    }
    kinds.iter().take(values.len()).map(|&kind| largest[kind]).collect()
}

/// The sizes of coordinates.
pub(crate) struct Sizes {
    /// By their kind.
    pub(crate) typical: Vec<f64>,
    /// The same or, where their rows say so, less.
    pub(crate) felt: Vec<f64>,
}

/// The size of each coordinate in rows with the sums `terms` of the magnitudes of their terms.
pub(crate) fn sizes(kinds: &[usize], values: &[f64], terms: &[f64], rows: &Rows) -> Sizes {
    let kind = largest_alike(kinds, values);
    // What would change a row as much as what else is in it does: the least of that over all rows.
    let mut reach = vec![f64::INFINITY; values.len()];
    for (row, &terms) in rows.iter().zip(terms) {
        let own: f64 = row.clone().map(|(j, a)| (a * values[j]).abs()).sum();
        let fixed = if terms - own >= FIXED * terms { terms - own } else { 0.0 };
        // A slope that is rounding beside others, such as cos(90°), says nothing.
        let steepest = row.clone().fold(0.0, |most: f64, (_, a)| most.max(a.abs()));
        let telling = row.clone().filter(|(_, a)| a.abs() > TELLING * steepest);
        let others: f64 = telling.map(|(j, a)| a.abs() * kind[j]).sum();
        for (j, a) in row.filter(|(_, a)| a.abs() > DUST * steepest) {
            let slope = a.abs();
            let own = if slope > TELLING * steepest { slope * kind[j] } else { 0.0 };
            let felt = (fixed + (others - own).max(0.0)) / slope;
            // What rounding made of others says nothing.
            if felt > DUST * kind[j] && felt.is_finite() {
                reach[j] = reach[j].min(felt);
            }
        }
    }
    let typical = |j: usize| match (kind[j], reach[j]) {
        (kind, reach) if reach.is_finite() && kind <= DUST * reach => reach,
        (0.0, _) => 1.0,
        (kind, _) => kind,
    };
    let typical: Vec<f64> = (0..values.len()).map(typical).collect();
    let felt = typical.iter().zip(&reach).map(|(size, reach)| size.min(*reach)).collect();
    Sizes { typical, felt }
}

/// The scale of each row.
pub(crate) fn scales(values: &[f64], sizes: &Sizes, terms: &[f64], rows: &Rows) -> Vec<f64> {
    let counts = |j: usize| match (values[j].abs(), sizes.felt[j]) {
        (dust, size) if dust <= DUST * size => size,
        (own, size) => own.max(LEAST * size),
    };
    let scale = |at: usize| {
        let floor: f64 = rows.row(at).map(|(j, a)| a.abs() * counts(j)).sum();
        let scale = terms[at].max(floor);
        if scale > 0.0 && scale.is_finite() { scale } else { 1.0 }
    };
    (0..rows.len()).map(scale).collect()
}

/// What the rounding of each row is measured by.
pub(crate) fn roundings(values: &[f64], terms: &[f64], rows: &Rows) -> Vec<f64> {
    let moved = |at: usize| rows.row(at).map(|(j, a)| (a * values[j]).abs()).sum::<f64>();
    terms.iter().enumerate().map(|(at, terms)| terms + moved(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(lists: &[&[(usize, f64)]]) -> Rows {
        Rows::from_lists(lists.iter().map(|list| list.to_vec()))
    }

    /// x and y in metres, an angle: y = L/2 sin a with both zero, or rounding.
    #[test]
    fn rounding_is_no_size() {
        let kinds = [0, 0, 2];
        for dust in [0.0_f64, 3e-19, -7e-167] {
            let values = [0.25, dust, dust];
            let a = rows(&[&[(0, 1.0)], &[(1, 1.0), (2, -0.15)]]);
            let terms = [0.5, 2.0 * dust.abs()];
            let sizes = sizes(&kinds, &values, &terms, &a);
            assert_eq!(sizes.typical[..2], [0.25, 0.25]);
            assert!((sizes.typical[2] - 0.25 / 0.15).abs() < 1e-12, "{:?}", sizes.typical);
            let scales = scales(&values, &sizes, &terms, &a);
            assert_eq!(scales[0], 0.5);
            assert!((scales[1] - 0.5).abs() < 1e-12, "{scales:?}");
        }
    }

    /// Without units a libration of 1e-8 rad stands beside positions of 1e8 m as if they were alike.
    #[test]
    fn what_is_small_by_its_own_rows_keeps_its_scale() {
        let (kinds, values) = ([0, 0, 0], [1e8, 1.0, 1e-8]);
        let a = rows(&[&[(0, 1.0), (2, 1.0)], &[(1, 1.0), (2, -1e8)]]);
        let terms = [2e8, 2.0];
        let sizes = sizes(&kinds, &values, &terms, &a);
        assert_eq!(sizes.typical, [1e8; 3]);
        let scales = scales(&values, &sizes, &terms, &a);
        assert!(scales[1] < 1e7, "{scales:?}");
        assert!(roundings(&values, &terms, &a)[1] < 5.0);
    }

    /// The real part of a quaternion beside rows that contain it with slopes of rounding.
    #[test]
    fn slopes_of_rounding_say_nothing() {
        let (kinds, values) = ([0, 0], [1.0, 2e-16]);
        let a = rows(&[&[(0, 2.0), (1, 4e-16)], &[(0, 4e-16), (1, 2.0)]]);
        assert_eq!(sizes(&kinds, &values, &[2.0, 4e-16], &a).typical, [1.0, 1.0]);
        // Its rate, beside others that are much faster: a slope of some roundings does not make it small.
        let (kinds, values) = ([0, 0, 0], [0.0, 0.03, 168.0]);
        let a = rows(&[&[(0, 2.0), (1, 8e-14)], &[(2, 1.0)]]);
        assert_eq!(sizes(&kinds, &values, &[2.4e-15, 168.0], &a).felt[0], 168.0);
    }

    #[test]
    fn any_magnitude_will_do() {
        for unit in [1e-300, 1.0, 1e300] {
            let a = rows(&[&[(0, unit)]]);
            let none = sizes(&[0], &[0.0], &[3.0 * unit], &a);
            assert_eq!(none.typical, [3.0]);
            assert_eq!(scales(&[0.0], &none, &[3.0 * unit], &a), [3.0 * unit]);
            let a = rows(&[&[(0, 1.0)]]);
            assert_eq!(sizes(&[0], &[unit], &[2.0 * unit], &a).typical, [unit]);
        }
        assert_eq!(sizes(&[0], &[0.0], &[0.0], &rows(&[&[(0, 1.0)]])).typical, [1.0]);
    }
}
