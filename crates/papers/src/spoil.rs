//! Spoiled cases: one quantity off by a thousandth, everything else as it was.

use crate::case::Case;
use crate::numbers::{Draw, Mat, seeded, size};
use holonom_reference::Twofold;

/// A quantity of a case.
type Quantity = (&'static str, fn(&mut Case) -> &mut Mat);

/// Everything that a law can speak of.
pub(crate) const QUANTITIES: &[Quantity] = &[
    ("M", |s| &mut s.M),
    ("Q", |s| &mut s.Q),
    ("A", |s| &mut s.A),
    ("b", |s| &mut s.b),
    ("C", |s| &mut s.C),
    ("q̈", |s| &mut s.qdd),
    ("Qᵢ", |s| &mut s.Qi),
    ("Qₙᵢ", |s| &mut s.Qni),
    ("Qᶜ", |s| &mut s.Qc),
    ("A⁺", |s| &mut s.A_plus),
    ("M̄", |s| &mut s.Mbar),
    ("M̄⁺", |s| &mut s.Mbar_plus),
    ("K", |s| &mut s.K),
    ("K₁", |s| &mut s.K1),
    ("M^(1/2)", |s| &mut s.root),
    ("M^(−1/2)", |s| &mut s.inverse_root),
    ("M⁻¹", |s| &mut s.inverse),
    ("B", |s| &mut s.B),
    ("B⁺", |s| &mut s.B_plus),
    ("a", |s| &mut s.a),
    ("c", |s| &mut s.c),
    ("N(M̂)", |s| &mut s.free),
    ("N(M̄)", |s| &mut s.unseen),
    ("V", |s| &mut s.V),
    ("J", |s| &mut s.J),
    ("U", |s| &mut s.U),
];

impl Case {
    /// The case with one quantity off by a thousandth of its size, in every entry by another part of it.
    pub(crate) fn spoiled(&self, (_, quantity): Quantity) -> Case {
        let mut case = self.clone();
        let x = quantity(&mut case);
        let off = seeded(self.seed ^ 77).matrix(x.rows(), x.cols());
        *x = &*x + off.scaled(Twofold::from(1e-3 * (1.0 + size(x))));
        case
    }
}
