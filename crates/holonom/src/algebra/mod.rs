//! Exact algebra: integers of any size, polynomials over them, greatest common divisors and factors.
//!
//! It knows no mechanics and no expressions. Everything that can grow takes a [`Budget`] and ends with
//! [`Exhausted`] when that ends.

mod budget;
mod divide;
mod factor;
mod field;
mod gcd;
mod integer;
mod modular;
mod multiply;
mod polynomial;
mod ratio;

pub use budget::{Budget, Exhausted, Reason};
pub use factor::{Factors, factors};
pub use field::{Field, measure};
pub use gcd::{gcd, gcd_many, lcm};
pub use integer::Integer;
pub use polynomial::{Polynomial, Powers};
pub use ratio::Ratio;

#[cfg(test)]
mod tests;
