//! Exact algebra: integers of any size, polynomials over them, greatest common divisors and factors.
//!
//! It does not depend on mechanics. Every operation that can grow takes a [`Budget`] and ends with [`Exhausted`] when
//! it is spent. Answers found modulo a prime are verified over the integers before they are returned.
//!
//! ```
//! use holonom_symbols::algebra::{Budget, Polynomial, factors, gcd};
//!
//! // −k₁²k₂x − k₁²k₂q over m (k₁ + k₂)², as an elimination might leave it: times k₁ + k₂.
//! let [k1, k2, m, q, x] = [0, 1, 2, 3, 4].map(Polynomial::variable);
//! let budget = Budget::new(1_000_000);
//! let stiffness = k1.add(&k2);
//! let spring = k1.power(2, &budget)?.multiply(&k2, &budget)?.multiply(&x.add(&q).negate(), &budget)?;
//! let above = spring.multiply(&stiffness, &budget)?;
//! let below = m.multiply(&stiffness.power(3, &budget)?, &budget)?;
//!
//! let common = gcd(&above, &below, &budget)?;
//! assert_eq!(common, stiffness);
//! let below = below.divide_exactly(&common, &budget)?.unwrap();
//! assert_eq!(factors(&below, &budget)?.factors, [(stiffness, 2), (m, 1)]);
//! # Ok::<(), holonom_symbols::algebra::Exhausted>(())
//! ```

mod budget;
mod divide;
mod exponents;
mod factor;
mod field;
mod gcd;
mod ideal;
mod image;
mod integer;
mod interpolate;
mod lift;
mod modular;
mod multiply;
mod parts;
mod polynomial;
mod ratio;

pub use budget::{Budget, Exhausted, Reason};
pub use factor::{Factors, factors};
pub use field::{FunctionField, measure};
pub use gcd::{gcd, gcd_many, lcm};
pub use ideal::Ideal;
pub use integer::Integer;
pub use polynomial::{Polynomial, Powers};
pub use ratio::Ratio;

#[cfg(test)]
mod tests;
