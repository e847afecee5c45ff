//! Elementary functions: the same bits on every machine.
//!
//! The functions of `std` are those of the platform's C library, which differ in the last digit from one platform to the
//! next, and with the processor on one platform. These are plain operations in a fixed order, none fused; IEEE 754 defines the
//! result of each. The library takes sines, powers and logarithms from here only, and a test checks this
//! (`tests/only_here.rs`). Operations that IEEE 754 rounds correctly may be taken from `std`: arithmetic, `sqrt`, `mul_add`, `floor` and the
//! like, and `powi(2)`, which is a product.
//!
//! Sine and cosine are written here ([`sine`](self)), since models use them most, and so are integer powers and powers of two; the
//! others come from the crate `libm`, which nothing else uses.
//!
//! ```
//! use holonom_elementary as elementary;
//! let (sine, cosine) = elementary::sin_cos(0.5);
//! assert_eq!(sine, elementary::sin(0.5));
//! assert_eq!(cosine, elementary::cos(0.5));
//! assert_eq!(elementary::powi(0.1, 3), 0.1 * (0.1 * 0.1));
//! ```

mod power;
mod sine;

pub use power::{power_of_two_below, powi};
pub use sine::{cos, sin, sin_cos, sines_cosines};

macro_rules! from_libm {
    ($($(#[$doc:meta])* $name:ident = $theirs:ident ($($argument:ident),*);)*) => {
        $(
            $(#[$doc])*
            #[inline]
            pub fn $name($($argument: f64),*) -> f64 {
                libm::$theirs($($argument),*)
            }
        )*
    };
}

from_libm! {
    /// The tangent of x radians.
    tan = tan(x);
    /// The angle in [−π/2, π/2] whose sine is x.
    asin = asin(x);
    /// The angle in [0, π] whose cosine is x.
    acos = acos(x);
    /// The angle in [−π/2, π/2] whose tangent is x.
    atan = atan(x);
    /// The angle of the point (x, y), in [−π, π].
    atan2 = atan2(y, x);
    /// The hyperbolic sine.
    sinh = sinh(x);
    /// The hyperbolic cosine.
    cosh = cosh(x);
    /// The hyperbolic tangent.
    tanh = tanh(x);
    /// eˣ.
    exp = exp(x);
    /// 2ˣ.
    exp2 = exp2(x);
    /// The natural logarithm.
    ln = log(x);
    /// The logarithm to base 2.
    log2 = log2(x);
    /// The logarithm to base 10.
    log10 = log10(x);
    /// xʸ.
    powf = pow(x, y);
    /// The cubic root.
    cbrt = cbrt(x);
    /// √(x² + y²), whose squares may overflow.
    hypot = hypot(x, y);
}
