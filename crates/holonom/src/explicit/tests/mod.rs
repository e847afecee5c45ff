//! Formulas of the papers, of the gallery, and of models made up to be difficult.

mod gallery;

use super::{Options, Solution, solve};
use crate::algebra::Budget;
use crate::derive::{Equations, derive};
use crate::model;

/// The equations of a model of the gallery.
pub(super) fn gallery(path: &str) -> Equations {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery").join(path);
    let read = model::load(&path);
    derive(read.model.expect("the gallery is right")).equations.expect("and so is its mechanics")
}

/// The equations of a model written down here.
pub(super) fn text(text: &str) -> Equations {
    let read = model::from_text("test.holo", text.trim_start());
    derive(read.model.expect("the model is right")).equations.expect("and so is its mechanics")
}

pub(super) fn solved(equations: &Equations) -> Solution {
    solve(equations, &Options::default(), &Budget::new(400_000_000))
}
