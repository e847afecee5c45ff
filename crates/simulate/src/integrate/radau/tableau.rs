//! The numbers of the method: Radau IIA with three stages, of order 5.
//!
//! Hairer & Wanner, *Solving Ordinary Differential Equations II*, section IV.8. The inverse of the coefficient matrix has
//! one real and two complex eigenvalues; in the coordinates of its eigenvectors, the equations of the three stages fall
//! apart into a real and a complex system.

/// √6.
const ROOT: f64 = 2.449_489_742_783_178;

/// c: where the stages are. The last one is the end of the step.
pub(super) const NODES: [f64; 3] = [(4.0 - ROOT) / 10.0, (4.0 + ROOT) / 10.0, 1.0];

/// A: how stages integrate rates. The last row holds the weights of the step.
pub(super) const INTEGRAL: [[f64; 3]; 3] = [
    [(88.0 - 7.0 * ROOT) / 360.0, (296.0 - 169.0 * ROOT) / 1800.0, (-2.0 + 3.0 * ROOT) / 225.0],
    [(296.0 + 169.0 * ROOT) / 1800.0, (88.0 + 7.0 * ROOT) / 360.0, (-2.0 - 3.0 * ROOT) / 225.0],
    [(16.0 - ROOT) / 36.0, (16.0 + ROOT) / 36.0, 1.0 / 9.0],
];

/// γ, the real eigenvalue of A⁻¹.
pub(super) const REAL: f64 = 3.637_834_252_744_496;

/// λ = α + iβ, one of the complex ones.
pub(super) const COMPLEX: (f64, f64) = (2.681_082_873_627_752, 3.050_430_199_247_411);

/// T, with A⁻¹ = T Λ T⁻¹ and Λ = [γ, 0, 0; 0, α, −β; 0, β, α].
pub(super) const FROM_MODES: [[f64; 3]; 3] = [
    [0.091_232_394_870_892_94, -0.141_255_295_020_954_2, -0.030_029_194_105_147_424],
    [0.241_717_932_707_107, 0.204_129_352_293_799_93, 0.382_942_112_757_261_9],
    [0.966_048_182_615_093, 1.0, 0.0],
];

/// T⁻¹.
pub(super) const TO_MODES: [[f64; 3]; 3] = [
    [4.325_579_890_063_155, 0.339_199_251_815_809_9, 0.541_770_539_935_874_9],
    [-4.178_718_591_551_905, -0.327_682_820_761_062_4, 0.476_623_554_500_550_44],
    [-0.502_872_634_945_786_9, 2.571_926_949_855_605, -0.596_039_204_828_224_9],
];

/// The weights of the stages in the error estimate: against a formula of order 3 that uses the rate at the start too.
pub(super) const ERROR: [f64; 3] = [-(13.0 + 7.0 * ROOT) / 3.0, (-13.0 + 7.0 * ROOT) / 3.0, -1.0 / 3.0];

/// The polynomials through 0 at the start and through 1 at one of the stages: u(θ) = Σ weight·Zᵢ is the collocation polynomial.
pub(super) fn collocation(theta: f64) -> [f64; 3] {
    let [a, b, c] = NODES;
    let basis = |at: f64, x: f64, y: f64| (theta - x) * (theta - y) / ((at - x) * (at - y)) * (theta / at);
    [basis(a, b, c), basis(b, a, c), basis(c, a, b)]
}

/// M(0) of M(θ) = (θ − c₁)(θ − c₂)(θ − c₃), to which the rates of the collocation polynomial deviate from those of the field.
pub(super) const DEVIATION_AT_START: f64 = -0.1;

/// The integral of M, and the integral of that. Both vanish at the start and at the end.
///
/// The rate of the collocation polynomial meets that of the field at the stages, so that the next term of the motion is a multiple of ∫M.
pub(super) fn bends(theta: f64) -> [f64; 2] {
    let rest = theta - 1.0;
    [theta * rest * rest * (theta / 4.0 - 0.1), theta * theta * rest * rest * rest / 20.0]
}

#[cfg(test)]
mod tests {
    use super::{COMPLEX, DEVIATION_AT_START, ERROR, FROM_MODES, INTEGRAL, NODES, REAL, TO_MODES, bends, collocation};

    fn product(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
    }

    fn assert_identity(a: [[f64; 3]; 3]) {
        for (i, row) in a.iter().enumerate() {
            for (j, x) in row.iter().enumerate() {
                assert!((x - f64::from(u8::from(i == j))).abs() < 4e-15, "{a:?}");
            }
        }
    }

    #[test]
    fn eigenvalues_and_eigenvectors_belong_to_the_method() {
        assert_identity(product(FROM_MODES, TO_MODES));
        let (re, im) = COMPLEX;
        let modes = [[REAL, 0.0, 0.0], [0.0, re, -im], [0.0, im, re]];
        assert_identity(product(INTEGRAL, product(FROM_MODES, product(modes, TO_MODES))));
    }

    /// Stages integrate quadratics exactly, the step polynomials up to the fourth degree.
    #[test]
    fn orders_of_the_quadratures() {
        for (row, end) in INTEGRAL.iter().zip(NODES) {
            for power in 0..=if end == 1.0 { 4 } else { 2 } {
                let sum: f64 = row.iter().zip(NODES).map(|(a, c)| a * c.powi(power)).sum();
                assert!((sum - end.powi(power + 1) / f64::from(power + 1)).abs() < 1e-16 + 1e-15 * sum.abs());
            }
        }
    }

    /// On cubics without a constant the estimate sees the rate at the start alone, and takes it away.
    #[test]
    fn the_error_estimate_vanishes_on_cubics() {
        for power in 1..=3 {
            let sum: f64 = ERROR.iter().zip(NODES).map(|(e, c)| e * c.powi(power)).sum();
            let rate = if power == 1 { 1.0 } else { 0.0 };
            assert!((sum + rate).abs() < 1e-14, "{power}: {sum}");
        }
    }

    #[test]
    fn bends_are_integrals_of_what_vanishes_at_the_stages() {
        for theta in [0.0, 0.3, 0.8, 1.0] {
            let product: f64 = NODES.iter().map(|c| theta - c).product();
            let rate = |which: usize| (bends(theta + 1e-6)[which] - bends(theta - 1e-6)[which]) / 2e-6;
            assert!((rate(0) - product).abs() < 1e-10 && (rate(1) - bends(theta)[0]).abs() < 1e-10);
        }
        let start: f64 = NODES.iter().map(|c| -c).product();
        assert!((start - DEVIATION_AT_START).abs() < 1e-15);
        assert_eq!((bends(0.0), bends(1.0)), ([0.0; 2], [0.0; 2]));
    }

    #[test]
    fn collocation_reproduces_stages_and_cubics() {
        assert_eq!(collocation(0.0), [0.0, 0.0, 0.0]);
        assert_eq!(collocation(1.0), [0.0, 0.0, 1.0]);
        for theta in [0.1, 0.5, 1.7] {
            for power in 1..=3 {
                let sum: f64 = collocation(theta).iter().zip(NODES).map(|(l, c)| l * c.powi(power)).sum();
                assert!((sum - theta.powi(power)).abs() < 1e-14 * (1.0 + theta.powi(power)));
            }
        }
    }
}
