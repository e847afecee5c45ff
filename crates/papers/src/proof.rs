//! Udwadia & Kalaba, an alternate proof: the same equation from D'Alembert's principle. Their C is our B.

use crate::case::Case;
use crate::differentiate::Level;
use crate::entry::{Check, Entry, List, Paper};
use crate::ledger::Ledger;
use crate::numbers::{Mat, dot, null, scalar, size};
use crate::systems::On::{Ideal, Particles};
use holonom_reference::{Cut, Real, Twofold, null_space};

/// M is diagonal and positive, with every mass three times.
pub(crate) fn particles(s: &Case, l: &mut Ledger) {
    let n = s.n();
    l.holds(n.is_multiple_of(3));
    for i in 0..n {
        l.holds(s.M.get(i, i).to_f64() > 0.0);
        for j in 0..n {
            let expected = if i == j { s.M.get(i - i % 3, i - i % 3) } else { Twofold::default() };
            l.equal(&scalar(s.M.get(i, j)), &scalar(expected));
        }
    }
}

pub(crate) fn entries() -> Vec<Entry> {
    let list = List(Paper::Proof, "");
    vec![
        list.given("1", r"M\,\ddot{q} = Q", "particles without constraints; M is constant, diagonal and positive", Particles, |s, l| {
            particles(s, l);
            l.forces(s, &(&s.M * &s.a), &s.Q);
        }),
        list.differentiation(
            "2",
            r"\varphi_i(q, \dot{q}, t) = 0",
            "constraints, consistent, but not necessarily independent",
            Level::Constraints,
        ),
        list.differentiation("3", r"A\,\ddot{q} = b", "the constraints, differentiated", Level::Acceleration),
        list.law("4", r"M\,\ddot{q} = Q + M^{1/2} B^+ (b - A a), \quad B = A M^{-1/2}", "the equation of motion", Ideal, |s, l| {
            l.forces(s, &(&s.M * &s.qdd), &(&s.Q + &s.root * &s.B_plus * (&s.b - &s.A * &s.a)));
        }),
        list.law("5", r"\ddot{q}_s = a_s + B^+ (b - B a_s), \quad \ddot{q}_s = M^{1/2}\ddot{q}, \quad a_s = M^{1/2} a", "the same, scaled", Ideal, |s, l| {
            let (scaled, a_s) = (&s.root * &s.qdd, &s.root * &s.a);
            l.beside(&scaled, &(&a_s + &s.B_plus * (&s.b - &s.B * &a_s)), size(&a_s));
        }),
        list.law("6", r"M\,\ddot{q} = Q + Q^c", "a force of constraint comes into play", Ideal, |s, l| {
            l.forces(s, &(&s.M * &s.qdd), &(&s.Q + &s.Qc));
        }),
        list.law("7", r"\ddot{q}_s = a_s + M^{-1/2} Q^c", "the same, scaled", Ideal, |s, l| {
            let a_s = &s.root * &s.a;
            l.beside(&(&s.root * &s.qdd), &(&a_s + &s.inverse_root * &s.Qc), size(&a_s));
        }),
        list.law("8", r"B\,\ddot{q}_s = b", "the constraints, scaled", Ideal, |s, l| {
            l.accelerations(s, &(&s.B * &s.root * &s.qdd), &s.b);
        }),
        list.law("9", r"B\,(M^{-1/2} Q^c) = b - B a_s", "what the force of constraint has to do", Ideal, |s, l| {
            let a_s = &s.root * &s.a;
            l.accelerations(s, &(&s.B * &s.inverse_root * &s.Qc), &(&s.b - &s.B * a_s));
        }),
        list.law(
            "10",
            r"M^{-1/2} Q^c = B^+ (b - B a_s) + (I - B^+ B)\,h",
            "whatever h is, such a force satisfies the constraints, and every one that does is of this form",
            Ideal,
            |s, l| {
                let (a_s, h) = (&s.root * &s.a, s.any('h', s.n()));
                let scaled = &s.B_plus * (&s.b - &s.B * &a_s) + s.R() * &h;
                l.accelerations(s, &(&s.B * &scaled), &(&s.b - &s.B * &a_s));
                // The force of every possible acceleration, M(q̈ − a), solves (9), and is reached with h = itself, scaled.
                for possible in s.possible_accelerations() {
                    let h = &s.root * (possible - &s.a);
                    l.beside(&(&s.B_plus * (&s.b - &s.B * &a_s) + s.R() * &h), &h, size(&a_s));
                }
            },
        ),
        list.definition("11", r"A v = 0", "what a virtual displacement is", Ideal, |s, l| {
            l.holds(s.virtual_displacements().is_empty() == (s.rank_A == s.n()));
            for v in s.virtual_displacements() {
                l.vanishes(&(&s.A * &v), size(&s.A) * size(&v));
                l.vanishes(&dot(&v, &s.Qc), size(&v) * size(&s.Q).max(size(&s.Qc)));
            }
        }),
        list.definition("12", r"v = M^{-1/2} u", "the same, scaled: A v = 0 is B u = 0", Ideal, |s, l| {
            for v in s.virtual_displacements() {
                let u = &s.root * &v;
                l.vanishes(&(&s.B * &u), size(&s.B) * size(&u));
                l.equal(&(&s.inverse_root * u), &v);
            }
        }),
        list.law(
            "13",
            r"u^T M^{-1/2} Q^c = u^T B^+ (b - B a_s) + u^T (I - B^+ B)\,h",
            "the work of such a force on a virtual displacement: only h does any",
            Ideal,
            |s, l| {
                let (a_s, h) = (&s.root * &s.a, s.any('h', s.n()));
                let scaled = &s.B_plus * (&s.b - &s.B * &a_s) + s.R() * &h;
                for v in s.virtual_displacements() {
                    let u = &s.root * v;
                    l.beside(&dot(&u, &scaled), &dot(&u, &h), size(&u) * size(&scaled));
                    l.vanishes(&(u.transpose() * &s.B_plus), size(&u) * size(&s.B_plus));
                }
                // B u = 0 is equivalent to uᵀB⁺ = 0: here is the other way round.
                let U = null_space(&s.B_plus.transpose(), Cut::Rank(s.rank_A));
                l.vanishes(&(&s.B * U), size(&s.B));
            },
        ),
        list.law("14", r"h = B^+ w", "no work on any virtual displacement: h is in the range of B⁺", Ideal, |s, l| {
            // The complement of all u with B u = 0 is the range of B⁺, of dimension rank A.
            let Z = null(&s.B);
            l.vanishes(&(Z.transpose() * &s.B_plus), size(&s.B_plus));
            l.holds(Z.cols() + s.rank_A == s.n());
            // Any h without work on any u is B⁺w, with w = B h.
            let any = s.any('h', s.n());
            let h = &any - &Z * (Z.transpose() * &any);
            l.beside(&(&s.B_plus * (&s.B * &h)), &h, 1.0);
        }),
        list.law(
            "15",
            r"M^{-1/2} Q^c = B^+ (b - B a_s) + (I - B^+ B)\,B^+ w = B^+ (b - B a_s)",
            "D'Alembert's principle leaves one force: the equation of motion is proved",
            Ideal,
            |s, l| {
                let a_s = &s.root * &s.a;
                let scaled = &s.B_plus * (&s.b - &s.B * &a_s);
                l.beside(&(&s.inverse_root * &s.Qc), &scaled, size(&a_s));
                let gone = s.R() * &s.B_plus * s.any('w', s.m());
                l.vanishes(&gone, size(&s.B_plus));
            },
        )
        .misprinted(
            r"M^{-1/2} Q^c = B^+ (b - B a_s) + u^T (I - B^+ B)\,B^+ w = B^+ (b - B a_s)",
            "a stray uᵀ turns the middle term into a number, which cannot be added to a vector; without it the term is zero",
        )
        .fails(Check::Law(Ideal, |s, l| {
            let term: Mat = s.any('u', s.n()).transpose() * s.R() * &s.B_plus * s.any('w', s.m());
            l.equal(&term, &Mat::zeros(s.n(), 1));
        })),
    ]
}
