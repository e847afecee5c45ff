//! What a claim about zero is measured by.
//!
//! `phi = 0` has no size of its own: whatever rounding leaves of phi is all there is of it. So it is measured by what phi
//! would be in this motion, which coordinates of its dimension say, or where they vanish as well, the others by their masses.

/// Below this part of what others would make of it, a coordinate is rounding.
const NOISE: f64 = 1e-10;
/// A side that is off by this part of its own terms is made of nothing else.
const ALL: f64 = 0.5;

/// The sizes of coordinates, velocities and accelerations that a motion gives them.
#[derive(Clone, Debug)]
pub(crate) struct Natural {
    pub(crate) positions: Vec<f64>,
    pub(crate) velocities: Vec<f64>,
    pub(crate) accelerations: Vec<f64>,
}

impl Natural {
    /// From the largest q, q̇ and q̈ of a motion, and the diagonal of M and Q somewhere on it. `alike` names, for each coordinate, the first of
    /// its dimension.
    pub(crate) fn new(alike: &[usize], largest: [&[f64]; 3], mass: &[f64], force: &[f64]) -> Self {
        let n = alike.len();
        let mass: Vec<f64> = (0..n).map(|j| mass.get(j).map_or(0.0, |m| m.abs())).collect();
        let [positions, velocities, accelerations] = largest;
        let positions = spread(alike, &mass, positions.to_vec());
        // What forces make of masses, were they not balanced, and the speed that comes of it soon.
        let driven = |j: usize| if mass[j] > 0.0 { force[j].abs() / mass[j] } else { 0.0 };
        let accelerations = (0..n).map(|j| accelerations[j].abs().max(driven(j))).collect();
        let accelerations = spread(alike, &mass, accelerations);
        let soon = |j: usize| (accelerations[j] * positions[j]).sqrt();
        let velocities = (0..n).map(|j| velocities[j].abs().max(soon(j))).collect();
        Self { velocities: spread(alike, &mass, velocities), positions, accelerations }
    }
}

/// Coordinates of a dimension are of one size. Where that is rounding, it is the size that gives as much energy as the others have:
/// m x² = J φ².
fn spread(alike: &[usize], mass: &[f64], mut sizes: Vec<f64>) -> Vec<f64> {
    for size in &mut sizes {
        *size = if size.is_finite() { size.abs() } else { 0.0 };
    }
    for (j, &first) in alike.iter().enumerate() {
        sizes[first] = sizes[first].max(sizes[j]);
    }
    let kinds: Vec<f64> = alike.iter().map(|&first| sizes[first]).collect();
    let most = kinds.iter().zip(mass).map(|(size, mass)| size * mass.sqrt()).fold(0.0, f64::max);
    let of = |j: usize| {
        let among = if mass[j] > 0.0 { most / mass[j].sqrt() } else { 0.0 };
        if kinds[j] > NOISE * among { kinds[j] } else { among }
    };
    (0..kinds.len()).map(of).collect()
}

/// What the difference of two sides is measured by: the larger of their sizes, or where one is zero and the other nothing but the
/// difference, by the size that is natural for it.
pub(crate) fn measure(apart: f64, sizes: [f64; 2], natural: [f64; 2]) -> f64 {
    let own = sizes[0].max(sizes[1]);
    let about_zero = sizes[0].min(sizes[1]) == 0.0 && apart > ALL * own;
    let natural = if sizes[0] == 0.0 { natural[1] } else { natural[0] };
    if about_zero && natural.is_finite() { own.max(natural) } else { own }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_measured_by_others() {
        // x and y in metres, an angle that nothing turns, and one that turns little.
        let mass = [30.0, 30.0, 20.0, 20.0];
        let q = [1.2, 2.0, 3e-16, 3e-16];
        let natural = Natural::new(&[0, 0, 2, 2], [&q, &[0.0; 4], &[0.0; 4]], &mass, &[0.0, 300.0, 0.0, 0.0]);
        assert_eq!(natural.positions[..2], [2.0, 2.0]);
        assert!((natural.positions[2] - 6f64.sqrt()).abs() < 1e-12, "{natural:?}");
        assert!((natural.accelerations[0] - 10.0).abs() < 1e-12 && natural.accelerations[3] > 1.0, "{natural:?}");
        assert!((natural.velocities[1] - 20f64.sqrt()).abs() < 1e-12, "{natural:?}");
        let small = [1.2, 2.0, 3e-16, 1e-6];
        let natural = Natural::new(&[0, 0, 2, 2], [&small, &[0.0; 4], &[0.0; 4]], &mass, &[0.0; 4]);
        assert_eq!(natural.positions[2..], [1e-6, 1e-6]);
    }

    #[test]
    fn only_claims_about_zero_need_it() {
        assert_eq!(measure(3e-16, [3e-16, 0.0], [2.0, 0.0]), 2.0);
        assert_eq!(measure(3e-16, [0.0, 3e-16], [0.0, 2.0]), 2.0);
        // What cancels has its own size, and so has what is compared with something.
        assert_eq!(measure(3e-16, [1e-9, 0.0], [2.0, 0.0]), 1e-9);
        assert_eq!(measure(3e-16, [3e-16, 1e-20], [2.0, 2.0]), 3e-16);
    }
}
