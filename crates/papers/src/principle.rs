//! Udwadia 2005: constraints that do work, and the minimum principle for them. F and x are our Q and q.

use crate::case::Case;
use crate::differentiate::Level;
use crate::entry::{Check, Entry, List, Paper};
use crate::ledger::Ledger;
use crate::numbers::{Mat, dot, form, size};
use crate::proof::particles;
use crate::systems::On::{Definite, Ideal, Particles};
use holonom_reference::{Twofold, is_definite, one_four_inverse};

pub(crate) fn entries() -> Vec<Entry> {
    let mut all = statement();
    all.extend(minimum());
    all.extend(motion());
    all
}

fn statement() -> Vec<Entry> {
    let list = List(Paper::Principle, "");
    vec![
        list.given("1", r"M\,\ddot{q} = Q, \quad q = q_0, \; \dot{q} = \dot{q}_0 \; \text{at } t = 0", "particles without constraints; M is diagonal, with every mass three times", Particles, |s, l| {
            particles(s, l);
            l.forces(s, &(&s.M * &s.a), &s.Q);
        }),
        list.definition("2", r"a = M^{-1} Q", "its acceleration", Definite, |s, l| {
            l.equal(&s.a, &(&s.inverse * &s.Q));
            l.equal(&s.inverse.transpose(), &s.inverse);
            l.holds(is_definite(&s.inverse));
        }),
        list.differentiation("3", r"\varphi(q, t) = 0", "holonomic constraints", Level::Position),
        list.differentiation("4", r"\psi(q, \dot{q}, t) = 0", "nonholonomic constraints", Level::Velocity),
        list.differentiation("5", r"A\,\ddot{q} = b", "φ differentiated twice and ψ once; A may have any rank", Level::Acceleration),
        list.differentiation(
            "after-5",
            r"A\,\ddot{q} = b, \; \varphi_0 = 0, \; \dot{\varphi}_0 = 0, \; \psi_0 = 0 \;\Leftrightarrow\; \varphi = 0, \; \psi = 0",
            "with all of these at the start, the differentiated constraints say the same as the constraints",
            Level::Equivalence,
        )
        .misprinted(
            r"A\,\ddot{q} = b, \; \varphi_0 = 0, \; \dot{\varphi}_0 = 0 \;\Leftrightarrow\; \varphi = 0, \; \psi = 0",
            "ψ = 0 at the start, which the paper assumes before (5), is left out: a ψ that starts wrong stays wrong",
        )
        .fails(Check::Differentiation(Level::EquivalenceWithoutPsi)),
        list.definition("6", r"\ddot{q} = a + \ddot{q}^c", "what the constraints do to the acceleration", Definite, |s, l| {
            l.accelerations(s, &s.qdd, &(&s.a + &s.inverse * &s.Qc));
        }),
        list.law("7", r"M\,\ddot{q} = M a + M \ddot{q}^c = Q + Q^c", "the same with forces", Definite, |s, l| {
            l.forces(s, &(&s.M * &s.qdd), &(&s.Q + &s.Qc));
            l.forces(s, &(&s.M * &s.a), &s.Q);
        }),
        list.definition("8", r"A v = 0", "what a virtual displacement is", Definite, |s, l| {
            for v in s.virtual_displacements() {
                l.vanishes(&(&s.A * &v), size(&s.A) * size(&v));
            }
            let v = s.N() * s.any('g', s.n());
            l.vanishes(&(&s.A * v), size(&s.A));
            l.holds(s.virtual_displacements().is_empty() == (s.rank_A == s.n()));
        }),
        list.law("9", r"v^T Q^c = v^T C", "the mechanician says by C what work the constraints do", Definite, |s, l| {
            for v in s.virtual_displacements() {
                l.works(s, &v, &dot(&v, &s.Qc), &dot(&v, &s.C));
            }
        }),
        list.law("10", r"v^T Q^c = 0 \quad \text{for } C = 0", "D'Alembert's principle: ideal constraints do none", Ideal, |s, l| {
            for v in s.virtual_displacements() {
                l.vanishes(&dot(&v, &s.Qc), size(&v) * size(&s.Qc).max(size(&s.Q)));
            }
        }),
    ]
}

/// e, f, g and a symmetric Y, for lemma 1.
fn cosine_rule(s: &Case, l: &mut Ledger) {
    let n = s.n();
    let [e, f, g] = ['e', 'f', 'g'].map(|name| s.any(name, n));
    let square = Mat::from_fn(n, n, |i, j| s.any('Y', n * n).get(i * n + j, 0));
    for Y in [&square + square.transpose(), s.M.clone()] {
        let [eg, ef, gf] = [&e - &g, &e - &f, &g - &f];
        let left = form(&eg, &Y, &eg) - form(&ef, &Y, &ef);
        let right = form(&gf, &Y, &gf) - form(&ef, &Y, &gf).scaled(Twofold::from(2.0));
        l.beside(&left, &right, size(&Y));
    }
}

/// Lemma 2: what Gauss's function gains from the motion to any other acceleration.
fn gain(s: &Case, l: &mut Ledger) {
    let force = |qdd: &Mat| &s.M * qdd - (&s.Q + &s.C);
    let free = size(&s.a).max(size(&s.c));
    for possible in [s.any('p', s.n()), &s.qdd + s.any('d', s.n())].iter().chain(&s.possible_accelerations()) {
        let d = possible - &s.qdd;
        let (there, here) = (force(possible), force(&s.qdd));
        let left = form(&there, &s.inverse, &there) - form(&here, &s.inverse, &here);
        let right = form(&d, &s.M, &d) + dot(&here, &d).scaled(Twofold::from(2.0));
        l.beside(&left, &right, size(&s.M) * free.max(size(possible)).powi(2));
    }
}

/// No possible acceleration lowers ‖q̈ − a − c‖²_M.
fn least(s: &Case, l: &mut Ledger) {
    l.accelerations(s, &(&s.A * &s.qdd), &s.b);
    let here = s.gauss(&s.qdd);
    for possible in s.possible_accelerations().iter().skip(1) {
        let d = possible - &s.qdd;
        l.not_less(&s.gauss(possible), &here);
        // What it gains is ‖d‖²_M exactly: the minimum is global, and there is no other.
        let gained = s.gauss(possible) - &here;
        l.beside(&gained, &form(&d, &s.M, &d), size(&s.gauss(possible)));
    }
}

fn minimum() -> Vec<Entry> {
    let list = List(Paper::Principle, "");
    vec![
        list.law("11", r"v^T (M\,\ddot{q} - Q - C) = 0", "the work on a virtual displacement, in terms of the motion", Definite, |s, l| {
            let rest = &s.M * &s.qdd - &s.Q - &s.C;
            for v in s.virtual_displacements() {
                l.vanishes(&dot(&v, &rest), size(&v) * size(&s.Q).max(size(&s.C)).max(size(&(&s.M * &s.qdd))));
            }
        }),
        list.law("12", r"A\,(\hat{\ddot{q}} - \ddot{q}) = A d = 0", "two possible accelerations differ by a virtual displacement", Definite, |s, l| {
            let possible = &s.A_plus * &s.b + s.N() * s.any('p', s.n());
            l.accelerations(s, &(&s.A * &possible), &s.b);
            l.vanishes(&(&s.A * (possible - &s.qdd)), size(&s.b).max(size(&s.qdd)));
        }),
        list.law("13", r"d^T (M\,\ddot{q} - Q - C) = 0", "so that (11) holds for their difference", Definite, |s, l| {
            let rest = &s.M * &s.qdd - &s.Q - &s.C;
            let d = &s.A_plus * &s.b + s.N() * s.any('p', s.n()) - &s.qdd;
            l.vanishes(&dot(&d, &rest), size(&s.M) * (size(&d) + size(&s.qdd)).max(size(&s.a)).powi(2));
        }),
        list.law("lemma-1", r"(e-g, e-g)_Y - (e-f, e-f)_Y = (g-f, g-f)_Y - 2(e-f, g-f)_Y", "the cosine rule for any symmetric Y", Definite, cosine_rule),
        list.law("14", r"(e-g, e-g)_Y - (e-f, e-f)_Y = (g-f, g-f)_Y - 2(e-f, g-f)_Y, \quad (a, b)_Y = a^T Y b", "the cosine rule for any symmetric Y", Definite, cosine_rule),
        list.law("lemma-2", r"\hat{G}_{ni} - G_{ni} = (d, d)_M + 2\,(M\ddot{q} - Q - C)^T d", "what the function gains from one acceleration to another", Definite, gain),
        list.law(
            "15",
            r"(\hat{f}, \hat{f})_{M^{-1}} - (f, f)_{M^{-1}} = (d, d)_M + 2\,f^T d, \quad f = M\ddot{q} - (Q + C), \; \hat{f} = M\hat{\ddot{q}} - (Q + C)",
            "the same, written out",
            Definite,
            gain,
        ),
        list.law(
            "principle",
            r"G_{ni} \to \min \quad \text{over all } \hat{\ddot{q}} \text{ with } A\,\hat{\ddot{q}} = b",
            "of all accelerations that the constraints allow, nature takes the one with the least G_ni",
            Definite,
            least,
        ),
        list.law(
            "16",
            r"G_{ni} = (M\hat{\ddot{q}} - (Q + C), M\hat{\ddot{q}} - (Q + C))_{M^{-1}} \to \min",
            "the function that the motion makes least; for C = 0 it is Gauss's",
            Definite,
            |s, l| {
                least(s, l);
                let force = &s.M * &s.qdd - (&s.Q + &s.C);
                let value = form(&force, &s.inverse, &force);
                l.beside(&value, &s.gauss(&s.qdd), size(&s.M) * size(&s.qdd).max(size(&s.a)).powi(2));
            },
        ),
        list.law("17", r"G_{ni} = (\hat{Q}^c - C, \hat{Q}^c - C)_{M^{-1}} \to \min", "the same in terms of the force of constraint", Definite, |s, l| {
            for possible in s.possible_accelerations() {
                let force = &s.M * &possible - &s.Q - &s.C;
                let value = s.gauss(&possible);
                let whole = size(&s.M) * size(&possible).max(size(&s.a)).powi(2);
                l.beside(&form(&force, &s.inverse, &force), &value, whole);
                // No possible force comes nearer to C than that of the motion.
                let actual = &s.Qc - &s.C;
                l.not_less_beside(&form(&force, &s.inverse, &force), &form(&actual, &s.inverse, &actual), whole);
            }
            let rest = &s.Qc - &s.C; // what does no virtual work
            for v in s.virtual_displacements() {
                l.vanishes(&dot(&v, &rest), size(&v) * size(&s.Q).max(size(&s.C)).max(size(&s.Qc)));
            }
        }),
        list.definition("18", r"a_{ni} = a + c, \quad c = M^{-1} C", "the acceleration under Q and C without constraints", Definite, |s, l| {
            l.accelerations(s, &(&s.a + &s.c), &s.unconstrained(&(&s.Q + &s.C)));
        }),
        list.law("19", r"G_{ni} = (\hat{\ddot{q}} - a_{ni}, \hat{\ddot{q}} - a_{ni})_M \to \min", "the motion is as near to a_ni as the constraints allow", Definite, |s, l| {
            least(s, l);
            let nearest = s.unconstrained(&(&s.Q + &s.C));
            let deviation = &s.qdd - nearest;
            let value = s.gauss(&s.qdd);
            l.beside(&form(&deviation, &s.M, &deviation), &value, size(&s.M) * size(&s.qdd).max(size(&s.a)).powi(2));
        }),
        list.law(
            "after-19",
            r"C = 0 \;\Rightarrow\; (\hat{\ddot{q}} - a, \hat{\ddot{q}} - a)_M \to \min",
            "Gauss's own principle holds where the constraints are ideal",
            Ideal,
            least,
        )
        .misprinted(
            r"C \neq 0 \;\Rightarrow\; (\hat{\ddot{q}} - a, \hat{\ddot{q}} - a)_M \to \min",
            "Gauss's principle is said to hold only for nonideal constraints; ideal is meant",
        )
        .fails(Check::Law(Definite, |s, l| {
            let gauss = |qdd: &Mat| form(&(qdd - &s.a), &s.M, &(qdd - &s.a));
            let ideal = s.again(&s.Q, &s.b, &Mat::zeros(s.n(), 1)).qdd; // possible too
            l.not_less(&gauss(&ideal), &gauss(&s.qdd));
        })),
    ]
}

fn motion() -> Vec<Entry> {
    let list = List(Paper::Principle, "");
    vec![
        list.definition(
            "20",
            r"\ddot{q} = M^{-1/2} r + a + c = M^{-1/2} r + a_{ni}, \quad r = M^{1/2} (\ddot{q} - a - c)",
            "the deviation from a_ni, scaled",
            Definite,
            |s, l| {
                let r = &s.B_plus * (&s.b - &s.A * &s.a - &s.A * &s.c);
                l.accelerations(s, &s.qdd, &(&s.inverse_root * r + &s.a + &s.c));
                let r = &s.root * (&s.qdd - &s.a - &s.c);
                l.accelerations(s, &s.qdd, &(&s.inverse_root * r + s.unconstrained(&(&s.Q + &s.C))));
            },
        ),
        list.law(
            "21",
            r"B r = b - A a - A c, \quad B = A M^{-1/2}",
            "what the constraints say about it",
            Definite,
            |s, l| {
                let r = &s.root * (&s.qdd - &s.a - &s.c);
                l.accelerations(s, &(&s.B * r), &(&s.b - &s.A * &s.a - &s.A * &s.c));
            },
        ),
        list.law("22", r"r = B^+ (b - A a - A c)", "the shortest r that does so", Definite, |s, l| {
            let r = &s.B_plus * (&s.b - &s.A * &s.a - &s.A * &s.c);
            l.accelerations(s, &(&s.B * &r), &(&s.b - &s.A * &s.a - &s.A * &s.c));
            l.vanishes(&(s.R() * &r), size(&r).max(size(&s.b)));
            l.beside(&r, &(&s.root * (&s.qdd - &s.a - &s.c)), size(&(&s.root * &s.a)));
        }),
        list.law(
            "one-four",
            r"r = B^{\{1,4\}} (b - A a - A c)",
            "any {1,4}-inverse serves instead of the Moore–Penrose inverse",
            Definite,
            |s, l| {
                let W = Mat::from_fn(s.n(), s.m(), |i, j| s.any('W', s.n() * s.m()).get(i * s.m() + j, 0));
                let X = one_four_inverse(&s.B, &s.B_plus, &W);
                l.equal(&(&s.B * &X * &s.B), &s.B);
                let XB = &X * &s.B;
                l.beside(&XB.transpose(), &XB, 1.0);
                let r = X * (&s.b - &s.A * &s.a - &s.A * &s.c);
                l.accelerations(s, &(&s.inverse_root * r + &s.a + &s.c), &s.qdd);
            },
        ),
        list.law(
            "23",
            r"\ddot{q} = a + M^{-1/2} B^+ (b - A a) + M^{-1/2} (I - B^+ B) M^{-1/2} C",
            "the acceleration, in its three lines",
            Definite,
            |s, l| {
                let first = &s.inverse_root * &s.B_plus * (&s.b - &s.A * &s.a - &s.A * &s.c) + &s.a + &s.c;
                let ideal = &s.a + &s.inverse_root * &s.B_plus * (&s.b - &s.A * &s.a);
                let second =
                    &ideal - &s.inverse_root * &s.B_plus * &s.B * &s.root * &s.inverse * &s.C + &s.inverse * &s.C;
                let third = &ideal + &s.inverse_root * s.R() * &s.inverse_root * &s.C;
                for line in [first, second, third] {
                    l.accelerations(s, &s.qdd, &line);
                }
            },
        ),
        list.law(
            "24",
            r"M\,\ddot{q} = Q + M^{1/2} B^+ (b - A a) + M^{1/2} (I - B^+ B) M^{-1/2} C = Q + Q_i + Q_{ni}",
            "impressed, ideal and non-ideal force, apart",
            Definite,
            split,
        ),
        list.law(
            "25",
            r"G_{ni} = (M\hat{\ddot{q}} - Q - C, M\hat{\ddot{q}} - Q - C)_{M^{-1}} \to \min, \quad M = M(q, t)",
            "the principle in generalised coordinates: M need not be diagonal",
            Definite,
            |s, l| {
                least(s, l);
                gain(s, l);
            },
        ),
        list.law(
            "26",
            r"M\,\ddot{q} = Q + M^{1/2} B^+ (b - A a) + M^{1/2} (I - B^+ B) M^{-1/2} C = Q + Q_i + Q_{ni}",
            "the equation of motion in generalised coordinates",
            Definite,
            split,
        ),
    ]
}

fn split(s: &Case, l: &mut Ledger) {
    let Qi = &s.root * &s.B_plus * (&s.b - &s.A * &s.a);
    let Qni = &s.root * s.R() * &s.inverse_root * &s.C;
    l.forces(s, &s.Qi, &Qi);
    l.forces(s, &s.Qni, &Qni);
    l.forces(s, &(&s.M * &s.qdd), &(&s.Q + Qi + Qni));
}
