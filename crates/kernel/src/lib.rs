//! Explicit equations of motion for constrained mechanical systems.
//!
//! You have a mechanical system: masses M, impressed forces Q, and constraints which, differentiated, read
//! `A q̈ = b`. You want its acceleration, and the forces that the constraints exert. Lagrange's multipliers require
//! that no constraint is given twice and no mass is missing. Udwadia, Kalaba and Phohomsiri gave the equation of
//! motion explicitly, for constraints of any kind and number, ideal or not, and for singular mass matrices. This
//! crate evaluates it, and reports ranks, redundant and contradictory constraints, and undetermined coordinates.
//!
//! ```
//! use holonom_kernel::{Snapshot, solve};
//!
//! // A bead of 2 kg on the line y = x under gravity. The constraint is written as ẍ − ÿ = 0, and once more.
//! let mass = [2.0, 0.0, 0.0, 2.0];
//! let weight = [0.0, -2.0 * 9.81];
//! let line = [1.0, -1.0, 1.0, -1.0];
//! let motion = solve(&Snapshot::new(&mass, &weight).constrained(&line, &[0.0, 0.0]))?;
//!
//! assert!((motion.acceleration[0] + 9.81 / 2.0).abs() < 1e-14);
//! assert!(motion.is_unique() && motion.consistent);
//! assert_eq!(motion.constraint_rank.rank, 1); // one constraint, given twice
//! # Ok::<(), holonom_kernel::MotionError>(())
//! ```
//!
//! # The force, split in three
//!
//! `M q̈ = Q + Qᵢ + Qₙᵢ`: the impressed force, the force that ideal constraints would exert, and the additional
//! force of non-ideal ones. A vector C states how they are not ideal: on every virtual displacement v they do the
//! work vᵀC (Udwadia 2005, eq. 9). Friction, for example, is `C = −µN v/|v|`.
//!
//! ```
//! # use holonom_kernel::{Snapshot, solve};
//! // Udwadia, Kalaba & Fan 2005, eq. 32 with k = 1: a bead on the line x₂ = x₁ with C = (1, 2).
//! let snapshot = Snapshot::new(&[1.0, 0.0, 0.0, 1.0], &[0.0, -9.81]).constrained(&[1.0, -1.0], &[0.0]);
//! let motion = solve(&snapshot.nonideal(&[1.0, 2.0]))?;
//! assert!((motion.ideal_force[0] + 9.81 / 2.0).abs() < 1e-14);
//! assert!((motion.nonideal_force[0] - 1.5).abs() < 1e-14); // not C: what of C the line lets through
//! # Ok::<(), holonom_kernel::MotionError>(())
//! ```
//!
//! Where C depends on the constraint forces themselves, [`Workspace::prepare`] factors the system and gives
//! them; it then takes C ([`Prepared::finish`]) or the law that gives it ([`Prepared::finish_with_feedback`]).
//!
//! # Verdicts, not exceptions
//!
//! [`Motion`] and [`Audit`] answer the questions that other programs answer with `nan`:
//!
//! | question | answer |
//! |---|---|
//! | Is the acceleration unique? | [`Motion::is_unique`]: exactly when `[M; A]` has rank n (2006, result 3) |
//! | If not, what is undetermined? | [`Motion::undetermined`] coordinates, [`Motion::free_directions`] |
//! | Can the constraints all be met? | [`Motion::consistent`]; if not, the acceleration is their least-squares answer |
//! | Does any acceleration obey Newton? | [`Motion::balanced`]; if not, [`Motion::unbalanced_force`] is the part that nothing balances |
//! | Which constraint repeats which? | [`Audit::redundant`], with coefficients |
//! | Which contradict each other? | [`Audit::conflicts`], smallest sets |
//! | Which reactions are unique? | [`Audit::determinate_multipliers`], [`Audit::determinate_reactions`] |
//! | How reliable is the answer? | the [`Rank`]s carry their gaps, [`Motion::residuals`] the residual of each row |
//!
//! A [`MotionError`] means that the input is no mechanical system: wrong shapes, entries that are not
//! numbers, a mass matrix that is not symmetric or gives some motion a negative energy.
//!
//! ```
//! # use holonom_kernel::{Snapshot, solve};
//! // Udwadia & Phohomsiri 2006, example 2: a wheel on an incline, and a coordinate x that nothing touches.
//! let mass = [0.75, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
//! let snapshot = Snapshot::new(&mass, &[0.0, 19.62, 0.0]).constrained(&[-0.25, 1.0, 0.0], &[0.0]);
//! let motion = solve(&snapshot)?;
//! assert!(!motion.is_unique());
//! assert_eq!(motion.undetermined().collect::<Vec<_>>(), [2]);
//! assert!((motion.acceleration[0] - 6.54).abs() < 1e-13); // the wheel does not care
//! # Ok::<(), holonom_kernel::MotionError>(())
//! ```
//!
//! # Many solves
//!
//! [`solve`] is for one system. A [`Workspace`] is for many: after the first solve of a size it allocates
//! nothing. Along a motion, decide ranks at states that satisfy the constraints and hold them in between
//! with [`Workspace::solve_held`]: rows that are redundant only on the manifold look independent slightly off it.
//!
//! # More questions
//!
//! [`Workspace::explain`] answers the inverse question: which forces explain an observed acceleration;
//! [`Workspace::gauss`] evaluates Gauss's function, which the motion minimises; [`Workspace::explicit_form`] gives the papers'
//! own matrices A⁺, M̄, M̄⁺, K and K₁. Notation is that of the papers: q̈ acceleration, `M q̈ = Q` the motion
//! without constraints, a = M⁻¹Q, c = M⁻¹C.

#![allow(non_snake_case)]

pub mod linalg;
pub mod motion;
pub mod sparse;

pub use motion::{
    Array, Audit, Conflict, Directions, ExplicitForm, Gauss, GaussForms, Leaders, Matrix, Motion, MotionError,
    ObservedForces, Prepared, Principles, Rank, Redundancy, Snapshot, Structure, VirtualDisplacement, Workspace, solve,
};
