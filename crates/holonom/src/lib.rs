//! Explicit equations of motion for constrained mechanical systems, by Udwadia, Kalaba and Phohomsiri: constraints of any kind and
//! number, redundant or not, ideal or not, and mass matrices that may be singular.
//!
//! A [`System`] is a model that was read without errors. It checks, explains and runs:
//!
//! ```
//! use holonom::{Run, System};
//!
//! let wheel = System::parse("wheel.holo", "
//! param      m = 2, R = 0.5, Ic = 0.25, alpha = pi/6, g = 9.81
//! coord      theta, y                                    # y has no mass of its own
//! kinetic    (m*R^2 + Ic)*theta'^2/2
//! potential  -m*g*y
//! constraint no_slip: y = R*theta*sin(alpha)
//! start      theta = 0
//! ")?;
//! let verdict = wheel.check()?;                          // is the motion unique, what is redundant, what contradicts what
//! let formula = wheel.explain()?.acceleration("theta");  // the equation of motion in closed form
//! let motion = wheel.set("m", 3.0)?.run(Run::until(2.0))?; // a table by names, events, evidence
//!
//! assert!(verdict.is_unique() && verdict.degrees_of_freedom() == Some(1));
//! assert_eq!(formula.unwrap().to_string(), "m*R*g*sin(alpha)/(m*R^2 + Ic)");
//! assert!((motion.last("theta")? - 0.5 * 4.0 * 7.3575).abs() < 1e-9);
//! # Ok::<(), holonom::Rejection>(())
//! ```
//!
//! Whatever is wrong comes back as a [`Rejection`]: every [`Diagnostic`] with its place in the model and what to do about it.
//! Those who have M, Q, A and b as arrays pass a [`Snapshot`] to [`solve`] or to a [`Workspace`].
//!
//! The crates behind this one, in the order of the data: [`symbols`] (expressions), [`language`] (text → model), [`kernel`] (arrays →
//! motion), [`mechanics`] (model → equations, programs), [`simulate`] (start values, verdict, integration), [`explain`] (closed
//! forms), [`picture`], [`output`] (files), [`sweep`] (many runs).

mod explanation;
mod quantity;
mod rejection;
mod state;
mod system;
mod trajectory;
mod verdict;

pub use explanation::Explanation;
pub use quantity::Quantity;
pub use rejection::Rejection;
pub use system::System;
pub use trajectory::Trajectory;
pub use verdict::Verdict;

pub use holonom_kernel::{Motion, MotionError, Snapshot, Workspace, solve};
pub use holonom_language::{Diagnostic, ModelBuilder, Placement};
pub use holonom_simulate::integrate::Run;

#[doc(no_inline)]
pub use {
    holonom_explain as explain, holonom_kernel as kernel, holonom_language as language, holonom_mechanics as mechanics,
    holonom_output as output, holonom_picture as picture, holonom_simulate as simulate, holonom_sweep as sweep,
    holonom_symbols as symbols,
};
