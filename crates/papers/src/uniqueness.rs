//! Udwadia & Phohomsiri 2006, section 3 and the principle (v) of its conclusions: when the motion is unique.

use crate::case::{Case, Source};
use crate::entry::{Entry, List, Paper};
use crate::ledger::Ledger;
use crate::numbers::{Mat, dot, null, plus, rank, size};
use crate::systems::On::{Definite, Every, Unique};
use holonom_reference::{Cut, Real, Twofold, eigen_symmetric, inverse, null_space};

/// M̄ and M̂ have full rank together; more, they have one null space.
fn lemma(s: &Case, l: &mut Ledger) {
    let (bar, hat) = (s.Mbar_exactly(), s.Mhat());
    l.holds((rank(&bar) == s.n()) == (rank(&hat) == s.n()));
    l.holds(rank(&hat) == s.rank_Mhat);
    l.vanishes(&(&s.Mbar * null(&hat)), size(&bar));
    l.vanishes(&(&hat * &s.unseen), size(&hat));
    l.holds(s.unseen.cols() == s.n() - s.rank_Mhat);
}

/// M^{1/2} for semi-definite M, rounding below zero counted as zero.
fn root(M: &Mat) -> Mat {
    let least = 1e-25 * size(M);
    eigen_symmetric(M).map(|x| if x.to_f64() > least { x.sqrt() } else { Twofold::default() })
}

impl Case {
    /// δ for every w with M̄w = 0: w = (I − A⁺A)δ, and a part that the projector takes away.
    fn deltas(&self) -> Mat {
        let any = self.any('d', self.m() * self.unseen.cols());
        let across = Mat::from_fn(self.m(), self.unseen.cols(), |i, j| any.get(i * self.unseen.cols() + j, 0));
        &self.unseen + &self.A_plus * across
    }

    /// All δ with (I − A⁺A)M(I − A⁺A)δ = 0, as a basis.
    fn all_deltas(&self) -> Mat {
        let tolerance = match self.source {
            Source::Reference => 1e-20,
            Source::Kernel => 1e-9,
        };
        let square = self.N() * &self.M * self.N();
        match size(&square) > tolerance * size(&self.M) {
            true => null_space(&square, Cut::Relative(tolerance)),
            false => self.I(), // rounding of zero
        }
    }
}

pub(crate) fn entries() -> Vec<Entry> {
    let mut all = rank_condition();
    all.extend(results());
    all
}

fn rank_condition() -> Vec<Entry> {
    let list = List(Paper::Singular, "3");
    vec![
        list.law(
            "lemma-3.1",
            r"\operatorname{rank}\bar{M} = n \;\Leftrightarrow\; \operatorname{rank}\hat{M} = n, \quad \hat{M} = \begin{bmatrix} M \\ A \end{bmatrix}",
            "whether the motion is unique can be seen without any generalised inverse",
            Every,
            lemma,
        ),
        list.law("3.1", r"\begin{bmatrix} M \\ A \end{bmatrix} w = \begin{bmatrix} M w \\ A w \end{bmatrix} = 0", "a direction with neither mass nor constraint", Every, |s, l| {
            let w = &s.free;
            l.holds(w.cols() == s.n() - rank(&s.Mhat()));
            l.vanishes(&(&s.M * w).stack(&(&s.A * w)), size(&s.M).max(size(&s.A)));
        }),
        list.law("3.2", r"\begin{bmatrix} (I - A^+ A) M w \\ A w \end{bmatrix} = \begin{bmatrix} (I - A^+ A) M \\ A \end{bmatrix} w = \bar{M} w = 0", "M̄ does not see it either", Every, |s, l| {
            let w = &s.free;
            l.vanishes(&(&s.Mbar * w), size(&s.Mbar));
            l.vanishes(&(s.N() * (&s.M * w)).stack(&(&s.A * w)), size(&s.Mbar));
        }),
        list.law("3.3", r"\begin{bmatrix} (I - A^+ A) M \\ A \end{bmatrix} w = 0", "the other way round: a direction that M̄ does not see, found from M̄ alone", Every, |s, l| {
            l.holds(s.unseen.cols() == s.n() - rank(&s.Mbar_exactly()));
            l.vanishes(&(&s.Mbar * &s.unseen), size(&s.Mbar));
            l.beside(&(s.unseen.transpose() * &s.unseen), &Mat::identity(s.unseen.cols()), 1.0); // w ≠ 0
        }),
        list.law("3.4", r"(I - A^+ A)\,M w = 0", "its upper rows", Every, |s, l| {
            l.vanishes(&(s.N() * &s.M * &s.unseen), size(&s.M));
        }),
        list.law("3.5", r"A w = 0", "its lower rows", Every, |s, l| {
            l.vanishes(&(&s.A * &s.unseen), size(&s.A));
        }),
        list.law("3.6", r"w = (I - A^+ A)\,\delta", "so w is a virtual displacement, for many δ", Every, |s, l| {
            l.beside(&(s.N() * s.deltas()), &s.unseen, 1.0);
            l.vanishes(&(&s.A * s.N() * s.any('d', s.n())), size(&s.A));
        }),
        list.law("3.7", r"(I - A^+ A)\,M\,(I - A^+ A)\,\delta = 0", "put into (3.4)", Every, |s, l| {
            l.vanishes(&(s.N() * &s.M * s.N() * s.deltas()), size(&s.M));
        }),
        list.law("3.8", r"\delta^T (I - A^+ A)\,M^{1/2} M^{1/2} (I - A^+ A)\,\delta = 0", "times δᵀ; M has a square root, since it is semi-definite", Every, |s, l| {
            let (delta, root) = (s.deltas(), root(&s.M));
            l.beside(&(&root * &root), &s.M, size(&s.M));
            l.vanishes(&(delta.transpose() * s.N() * &root * &root * s.N() * delta), size(&s.M));
        }),
        list.law("3.9", r"(M^{1/2} (I - A^+ A)\,\delta)^T (M^{1/2} (I - A^+ A)\,\delta) = 0", "a square of a length", Every, |s, l| {
            let x = root(&s.M) * s.N() * s.deltas();
            l.vanishes(&(x.transpose() * &x), size(&s.M));
            // For any δ, not only such a one, it is the same number as (3.8).
            let delta = s.any('d', s.n());
            let x = root(&s.M) * s.N() * &delta;
            l.beside(&dot(&x, &x), &(delta.transpose() * s.N() * &s.M * s.N() * delta), size(&s.M));
        }),
        list.law("3.10", r"M^{1/2} (I - A^+ A)\,\delta = M^{1/2} w = 0", "so the length is zero, for every δ with (3.7)", Every, |s, l| {
            let root = root(&s.M);
            l.vanishes(&(&root * s.N() * s.deltas()), size(&root));
            l.vanishes(&(&root * &s.unseen), size(&root));
            l.vanishes(&(&root * s.N() * s.all_deltas()), size(&root));
        }),
        list.law("3.11", r"M w = 0", "and w has no mass", Every, |s, l| {
            l.vanishes(&(&s.M * &s.unseen), size(&s.M));
            l.vanishes(&(&s.M * s.N() * s.all_deltas()), size(&s.M));
        }),
    ]
}

fn results() -> Vec<Entry> {
    let list = List(Paper::Singular, "3");
    vec![
        list.law(
            "result-3",
            r"\ddot{q} \text{ is unique} \;\Leftrightarrow\; \operatorname{rank} \begin{bmatrix} M \\ A \end{bmatrix} = n",
            "the motion is unique exactly when every direction has mass or a constraint",
            Every,
            |s, l| {
                lemma(s, l);
                let free = s.I() - &s.Mbar_plus * &s.Mbar;
                l.holds((size(&free) > 1e-6) == (s.rank_Mhat < s.n()));
                if s.rank_Mhat == s.n() {
                    l.accelerations(s, &s.qdd, &(&s.Mbar_plus * s.right_side()));
                }
            },
        ),
        list.law(
            "corollary-3.2",
            r"\det M \neq 0 \;\Rightarrow\; \ddot{q} = \bar{M}^+ \begin{bmatrix} Q + C \\ b \end{bmatrix}",
            "where M is not singular, the motion is unique",
            Definite,
            |s, l| {
                l.holds(rank(&s.Mhat()) == s.n());
                l.beside(&(&s.Mbar_plus * &s.Mbar), &s.I(), 1.0);
                l.accelerations(s, &s.qdd, &(&s.Mbar_plus * s.right_side()));
            },
        ),
        list.law(
            "remark-i",
            r"\operatorname{rank}\hat{M} < n \;\Rightarrow\; M (\ddot{q} + w) = Q + Q^c, \; A (\ddot{q} + w) = b \; \text{for some } w \neq 0",
            "where M is singular, more than one acceleration may satisfy (2.4) and (2.5) with one force",
            Every,
            |s, l| {
                l.holds((s.free.cols() > 0) == (rank(&s.Mhat()) < s.n()));
                for j in 0..=s.free.cols() {
                    let w = if j == 0 { Mat::zeros(s.n(), 1) } else { s.free.columns(j - 1..j) };
                    l.forces(s, &(&s.M * (&s.qdd + &w)), &(&s.Q + &s.Qc));
                    l.accelerations(s, &(&s.A * (&s.qdd + &w)), &s.b);
                }
            },
        ),
        list.law(
            "remark-ii",
            r"\begin{bmatrix} M \\ A \end{bmatrix} \ddot{q} = \begin{bmatrix} Q + Q^c \\ b \end{bmatrix}, \quad \det M \neq 0 \;\Rightarrow\; \ddot{q} = M^{-1} (Q + Q^c)",
            "with Qᶜ known, (2.5) gives q̈ where M is not singular; else (2.4) and (2.5) together do",
            Unique,
            |s, l| {
                let force = &s.Q + &s.Qc;
                l.accelerations(s, &(plus(&s.Mhat()) * force.stack(&s.b)), &s.qdd);
                if s.mass_rank == s.n() {
                    l.accelerations(s, &(&s.inverse * &force), &s.qdd);
                    return;
                }
                // (2.5) alone: other accelerations need the same force, and only (2.4) refuses them.
                let massless = null(&s.M);
                l.holds(massless.cols() > 0);
                for j in 0..massless.cols() {
                    let other = &s.qdd + massless.columns(j..j + 1);
                    l.forces(s, &(&s.M * &other), &force);
                    l.holds(size(&(&s.A * &other - &s.b)) > 1e-6);
                }
            },
        ),
    ]
}

pub(crate) fn conclusions() -> Vec<Entry> {
    let list = List(Paper::Singular, "6");
    vec![list.law(
        "principle-v",
        r"\operatorname{rank}\hat{M} = n \;\Rightarrow\; \bar{M}^+ \begin{bmatrix} Q + C \\ b \end{bmatrix} = T \ddot{p} + d, \quad T^T M T\,\ddot{p} = T^T (Q + C - M d), \quad A T = 0, \; A d = b",
        "more coordinates than needed, and the constraints between them, give the motion of as few as possible",
        Every,
        |s, l| {
            // As many coordinates p as there are freedoms: q̈ = T p̈ + d, with a T and a d that are nothing special.
            let Z = null(&s.A);
            let k = Z.cols();
            let entries = s.any('T', k * k);
            let mix = Mat::from_fn(k, k, |i, j| {
                let small = entries.get(i * k + j, 0) * Twofold::from(0.125);
                if i == j { Twofold::from(1.0) + small } else { small }
            });
            let (T, d) = (&Z * mix, &s.A_plus * &s.b + &Z * s.any('p', k));
            let mass = T.transpose() * &s.M * &T;
            // Whether the modelling is appropriate shows in the rank of M̂.
            let full = k == 0 || rank(&mass) == k;
            l.holds(full == (rank(&s.Mhat()) == s.n()));
            if !full {
                return;
            }
            let force = T.transpose() * (&s.Q + &s.C - &s.M * &d);
            let p = match k {
                0 => Mat::zeros(0, 1),
                _ => inverse(&mass).map_or_else(|| Mat::zeros(0, 0), |inverse| inverse * force),
            };
            let motion = &T * p + &d;
            l.accelerations(s, &(&s.Mbar_plus * s.right_side()), &motion);
            l.accelerations(s, &s.qdd, &motion);
        },
    )]
}
