//! The models of `models/` against independent solutions, for tolerances from 1e-5 to 1e-11: no run is lost, the error is about the
//! tolerance, and a tighter tolerance is never worse.

mod bodies;
mod dust;
mod found;
mod harness;
mod linkages;
mod massless;
mod sizes;
mod truth;
