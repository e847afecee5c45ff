//! What a method integrates: a mechanical system as a first-order one.

/// A mechanical system as a first-order one: y = (q, q̇, w), where w are quadratures (works) on which nothing depends.
pub trait Field {
    /// Why there is no rate at some state.
    type Failure;
    /// n, the number of coordinates.
    fn coordinates(&self) -> usize;
    /// The length of w.
    fn quadratures(&self) -> usize;
    /// dy/dt = (q̇, q̈, ẇ) at a time and state.
    ///
    /// # Errors
    /// If there is no acceleration there.
    fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Self::Failure>;
}

/// A field whose derivatives are known.
pub trait StiffField: Field {
    /// ∂q̈/∂q and ∂q̈/∂q̇, row-major n × n.
    ///
    /// # Errors
    /// If there is no acceleration there.
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        by_position: &mut [f64],
        by_velocity: &mut [f64],
    ) -> Result<(), Self::Failure>;
}
