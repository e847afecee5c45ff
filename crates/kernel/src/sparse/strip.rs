//! The numbers of a band, and how residuals in it are compared.

/// The band of one system, factored.
#[derive(Clone, Debug, Default)]
pub(super) struct Band {
    /// M⁻¹.
    pub(super) inverse_mass: Vec<f64>,
    /// The diagonal of S, by row.
    pub(super) diagonal: Vec<f64>,
    /// For each place the inverse pivot.
    pub(super) inverse: Vec<f64>,
    /// For each place the multipliers at distances 1..=width.
    pub(super) lower: Vec<f64>,
    /// Where elimination comes from both ends: what the middle gets from the row after it.
    pub(super) middle: f64,
    pub(super) rest: Vec<f64>,
}

/// A residual relative to its terms; nothing of nothing is nothing.
pub(super) fn relative(rest: f64, size: f64) -> f64 {
    if rest == 0.0 { 0.0 } else { rest.abs() / size }
}

/// The larger, where what is not a number or below zero is largest.
pub(super) fn worse(a: f64, b: f64) -> f64 {
    if b >= 0.0 && a >= b {
        a
    } else if b >= 0.0 && !a.is_nan() {
        b
    } else {
        f64::NAN
    }
}
