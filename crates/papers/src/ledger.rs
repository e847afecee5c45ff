//! The ledger of a check: what was compared, and how far apart it was.

use crate::case::Case;
use crate::numbers::{Mat, scalar, size};
use holonom_reference::Twofold;

/// What came of holding one law against one case.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ledger {
    /// The greatest relative difference.
    pub(crate) worst: f64,
    /// How many comparisons were made.
    pub(crate) compared: usize,
}

impl Ledger {
    /// Equal, relative to the greatest number on either side.
    pub(crate) fn equal(&mut self, left: &Mat, right: &Mat) {
        self.beside(left, right, 0.0);
    }

    /// Equal, relative to the size of what both sides are made of.
    pub(crate) fn beside(&mut self, left: &Mat, right: &Mat, whole: f64) {
        self.compared += 1;
        if (left.rows(), left.cols()) != (right.rows(), right.cols()) {
            self.worst = f64::INFINITY; // not even of one shape
            return;
        }
        let apart = size(&(left - right));
        let whole = whole.max(size(left)).max(size(right));
        if apart.is_nan() || whole.is_nan() {
            self.worst = f64::INFINITY;
        } else if apart > 0.0 {
            self.worst = self.worst.max(apart / whole);
        }
    }

    /// Forces are equal, relative to the forces of the case.
    pub(crate) fn forces(&mut self, s: &Case, left: &Mat, right: &Mat) {
        self.beside(left, right, s.force_size());
    }

    /// Accelerations are equal, relative to the accelerations of the case.
    pub(crate) fn accelerations(&mut self, s: &Case, left: &Mat, right: &Mat) {
        let free = if s.a.rows() > 0 { size(&s.a).max(size(&s.c)) } else { 0.0 };
        self.beside(left, right, size(&s.qdd).max(size(&s.b)).max(free));
    }

    /// Works on a displacement v are equal, relative to the forces of the case.
    pub(crate) fn works(&mut self, s: &Case, v: &Mat, left: &Mat, right: &Mat) {
        self.beside(left, right, size(v) * s.force_size());
    }

    /// Nothing but rounding beside something.
    pub(crate) fn vanishes(&mut self, x: &Mat, beside: f64) {
        let zero = Mat::zeros(x.rows(), x.cols());
        self.beside(x, &zero, beside);
    }

    /// True.
    pub(crate) fn holds(&mut self, truth: bool) {
        self.compared += 1;
        if !truth {
            self.worst = f64::INFINITY;
        }
    }

    /// Penrose's four conditions: X is A⁺.
    pub(crate) fn penrose(&mut self, A: &Mat, X: &Mat) {
        let (AX, XA) = (A * X, X * A);
        self.equal(&(&AX * A), A);
        self.equal(&(&XA * X), X);
        self.beside(&AX.transpose(), &AX, 1.0);
        self.beside(&XA.transpose(), &XA, 1.0);
    }

    /// One number is greater or equal, up to rounding.
    pub(crate) fn not_less(&mut self, greater: &Mat, less: &Mat) {
        self.not_less_beside(greater, less, 0.0);
    }

    /// The same, relative to the size of what both are made of.
    pub(crate) fn not_less_beside(&mut self, greater: &Mat, less: &Mat, whole: f64) {
        let gap = (less - greater).get(0, 0);
        let gap = if gap > Twofold::default() { gap } else { Twofold::default() };
        self.vanishes(&scalar(gap), whole.max(size(greater)).max(size(less)));
    }
}
