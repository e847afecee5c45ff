//! Udwadia & Phohomsiri 2006, sections 2 and 3: mass matrices that may be singular.

use crate::case::{Case, Ledger};
use crate::differentiate::Level;
use crate::entry::{Entry, List, Paper};
use crate::numbers::{Mat, dot, form, null, plus, rank, size};
use crate::systems::On::{Definite, Every, Unique};
use holonom_reference::{Mhat, Real, Twofold, eigen_symmetric};

pub(crate) fn entries() -> Vec<Entry> {
    let mut all = motion();
    all.extend(rank_condition());
    all
}

/// (2.14) with an η that is nothing special solves (2.12), and every solution is of this form.
fn general(s: &Case, l: &mut Ledger) {
    let stack = (s.N() * (&s.Q + &s.C)).stack(&s.b);
    let free = s.I() - &s.Mbar_plus * &s.Mbar;
    let least = &s.Mbar_plus * s.right_side();
    l.accelerations(s, &s.qdd, &least);
    let qdd = &least + &free * s.any('n', s.n());
    let whole = size(&s.right_side()).max(size(&s.Mbar) * size(&qdd));
    l.beside(&(&s.Mbar * &qdd), &stack, whole);
    // Any other solution is reached with η = itself.
    l.accelerations(s, &(&least + &free * &qdd), &qdd);
    l.holds(rank(&Mhat(&s.M, &s.A)) + null(&s.Mbar_exactly()).cols() == s.n());
}

impl Case {
    /// M̄ with the exact A⁺, whoever found the rest.
    fn Mbar_exactly(&self) -> Mat {
        holonom_reference::Mbar(&self.M, &self.A, &plus(&self.A))
    }
}

fn motion() -> Vec<Entry> {
    let list = List(Paper::Singular);
    vec![
        list.given("2.1", r"M\,\ddot{q} = Q", "the motion without constraints; M is symmetric and positive semi-definite", Every, |s, l| {
            l.equal(&s.M.transpose(), &s.M);
            let eigen = eigen_symmetric(&s.M);
            l.holds(eigen.values.iter().all(|x| x.to_f64() >= -1e-25 * size(&s.M)));
            let force = &s.M * s.any('x', s.n()); // such as M can answer
            l.beside(&(&s.M * s.unconstrained(&force)), &force, size(&s.M));
        }),
        list.differentiation("2.2", r"q = q_0, \quad \dot{q} = \dot{q}_0 \quad \text{at } t = 0", "where it starts, on the constraints", Level::Start),
        list.differentiation("2.3", r"\varphi_i(q, \dot{q}, t) = 0, \quad i = 1, \dots, m", "constraints, of which k ≤ m are independent", Level::Velocity),
        list.differentiation("2.4", r"A\,\ddot{q} = b", "the constraints, differentiated; A has rank k", Level::Acceleration),
        list.law("2.5", r"M\,\ddot{q} = Q + Q^c", "the motion with constraints; M may still be singular", Every, |s, l| {
            l.forces(s, &(&s.M * &s.qdd), &(&s.Q + &s.Qc));
            l.accelerations(s, &(&s.A * &s.qdd), &s.b);
        }),
        list.law("2.6", r"w^T Q^c = w^T C", "the work of the constraints on virtual displacements", Every, |s, l| {
            for w in s.virtual_displacements() {
                l.works(s, &w, &dot(&w, &s.Qc), &dot(&w, &s.C));
            }
        }),
        list.definition("2.7", r"A w = 0", "what a virtual displacement is", Every, |s, l| {
            for w in s.virtual_displacements() {
                l.vanishes(&(&s.A * &w), size(&s.A) * size(&w));
            }
            let w = s.N() * s.any('w', s.n());
            l.vanishes(&(&s.A * w), size(&s.A));
        }),
        list.law("2.8", r"w = (I - A^+ A)\,\gamma", "every virtual displacement, for some γ, and nothing else", Every, |s, l| {
            l.penrose(&s.A, &s.A_plus);
            l.vanishes(&(&s.A * s.N() * s.any('g', s.n())), size(&s.A));
            for w in s.virtual_displacements() {
                l.equal(&(s.N() * &w), &w);
            }
        }),
        list.law("2.9", r"\gamma^T (I - A^+ A)\,Q^c = \gamma^T (I - A^+ A)\,C", "(2.6) for all of them", Every, |s, l| {
            let gamma = s.any('g', s.n());
            l.beside(&form(&gamma, &s.N(), &s.Qc), &form(&gamma, &s.N(), &s.C), size(&s.Qc).max(size(&s.C)).max(size(&s.Q)));
        }),
        list.law("2.10", r"(I - A^+ A)\,Q^c = (I - A^+ A)\,C", "along the constraints, the force is C", Every, |s, l| {
            l.forces(s, &(s.N() * &s.Qc), &(s.N() * &s.C));
        }),
        list.law("2.11", r"(I - A^+ A)\,M\,\ddot{q} = (I - A^+ A)(Q + C)", "Newton's law along the constraints", Every, |s, l| {
            l.forces(s, &(s.N() * &s.M * &s.qdd), &(s.N() * (&s.Q + &s.C)));
        }),
        list.law(
            "2.12",
            r"\begin{bmatrix} (I - A^+ A) M \\ A \end{bmatrix} \ddot{q} = \begin{bmatrix} (I - A^+ A)(Q + C) \\ b \end{bmatrix}",
            "Newton's law and the constraints together",
            Every,
            |s, l| {
                let stack = (s.N() * (&s.Q + &s.C)).stack(&s.b);
                l.beside(&(&s.Mbar * &s.qdd), &stack, size(&s.right_side()).max(size(&(&s.M * &s.qdd))));
            },
        ),
        list.definition("2.13", r"\bar{M} = \begin{bmatrix} (I - A^+ A) M \\ A \end{bmatrix}", "the matrix of these (m + n) equations", Every, |s, l| {
            l.equal(&s.Mbar, &s.Mbar_exactly());
            l.equal(&s.Mbar, &(s.N() * &s.M).stack(&s.A));
        }),
        list.law(
            "2.14",
            r"\ddot{q} = \begin{bmatrix} (I - A^+ A) M \\ A \end{bmatrix}^+ \begin{bmatrix} Q + C \\ b \end{bmatrix} + (I - \bar{M}^+ \bar{M})\,\eta",
            "the general equation of motion; η is arbitrary, and the program takes η = 0",
            Every,
            general,
        ),
        list.law(
            "result-1",
            r"\ddot{q} = \bar{M}^+ \begin{bmatrix} Q + C \\ b \end{bmatrix} + (I - \bar{M}^+ \bar{M})\,\eta",
            "whether or not M is singular, this is the motion",
            Every,
            |s, l| {
                general(s, l);
                l.penrose(&s.Mbar, &s.Mbar_plus);
            },
        ),
        list.law(
            "result-2",
            r"\operatorname{rank}\bar{M} = n \;\Rightarrow\; \bar{M}^+ \bar{M} = I",
            "where M̄ has full rank, nothing is left to choose",
            Unique,
            |s, l| {
                l.holds(rank(&s.Mbar_exactly()) == s.n());
                l.beside(&(&s.Mbar_plus * &s.Mbar), &s.I(), 1.0);
                let MM = s.Mbar.transpose() * &s.Mbar;
                l.equal(&(MM * &s.Mbar_plus), &s.Mbar.transpose());
            },
        ),
        list.law(
            "2.15",
            r"\ddot{q} = \bar{M}^+ \begin{bmatrix} Q + C \\ b \end{bmatrix}",
            "the equation of motion where it is unique",
            Unique,
            |s, l| l.accelerations(s, &s.qdd, &(&s.Mbar_plus * s.right_side())),
        ),
    ]
}

/// M̄ and M̂ have full rank together; more, they have one null space.
fn lemma(s: &Case, l: &mut Ledger) {
    let (bar, hat) = (s.Mbar_exactly(), Mhat(&s.M, &s.A));
    l.holds((rank(&bar) == s.n()) == (rank(&hat) == s.n()));
    l.holds(rank(&hat) == s.rank_Mhat);
    l.vanishes(&(&bar * null(&hat)), size(&bar));
    l.vanishes(&(&hat * null(&bar)), size(&hat));
}

/// M^{1/2} for semi-definite M, rounding below zero counted as zero.
fn root(M: &Mat) -> Mat {
    let least = 1e-25 * size(M);
    eigen_symmetric(M).map(|x| if x.to_f64() > least { x.sqrt() } else { Twofold::default() })
}

fn rank_condition() -> Vec<Entry> {
    let list = List(Paper::Singular);
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
            l.holds(w.cols() == s.n() - s.rank_Mhat);
            l.vanishes(&(&s.M * w).stack(&(&s.A * w)), size(&s.M).max(size(&s.A)));
        }),
        list.law("3.2", r"\begin{bmatrix} (I - A^+ A) M w \\ A w \end{bmatrix} = \bar{M} w = 0", "M̄ does not see it either", Every, |s, l| {
            let w = &s.free;
            l.vanishes(&(&s.Mbar * w), size(&s.Mbar));
            l.vanishes(&(s.N() * &s.M * w).stack(&(&s.A * w)), size(&s.Mbar));
        }),
        list.law("3.3", r"\begin{bmatrix} (I - A^+ A) M \\ A \end{bmatrix} w = 0", "the other way round: a direction that M̄ does not see", Every, |s, l| {
            let w = &s.free;
            l.holds(w.cols() == s.n() - s.rank_Mhat);
            l.vanishes(&(&s.Mbar * w), size(&s.Mbar));
        }),
        list.law("3.4", r"(I - A^+ A)\,M w = 0", "its upper rows", Every, |s, l| {
            l.vanishes(&(s.N() * &s.M * &s.free), size(&s.M));
        }),
        list.law("3.5", r"A w = 0", "its lower rows", Every, |s, l| {
            l.holds(s.free.cols() == s.n() - s.rank_Mhat);
            l.vanishes(&(&s.A * &s.free), size(&s.A));
        }),
        list.law("3.6", r"w = (I - A^+ A)\,\delta", "so w is a virtual displacement", Every, |s, l| {
            let w = &s.free;
            l.beside(&(s.N() * w), w, 1.0);
            l.vanishes(&(&s.A * s.N() * s.any('d', s.n())), size(&s.A));
        }),
        list.law("3.7", r"(I - A^+ A)\,M\,(I - A^+ A)\,\delta = 0", "put into (3.4)", Every, |s, l| {
            let delta = &s.free;
            l.vanishes(&(s.N() * &s.M * s.N() * delta), size(&s.M));
        }),
        list.law("3.8", r"\delta^T (I - A^+ A)\,M^{1/2} M^{1/2} (I - A^+ A)\,\delta = 0", "M has a square root, since it is semi-definite", Every, |s, l| {
            let (delta, root) = (&s.free, root(&s.M));
            l.beside(&(&root * &root), &s.M, size(&s.M));
            l.vanishes(&(delta.transpose() * s.N() * &root * &root * s.N() * delta), size(&s.M));
        }),
        list.law("3.9", r"(M^{1/2} (I - A^+ A)\,\delta)^T (M^{1/2} (I - A^+ A)\,\delta) = 0", "a square of a length", Every, |s, l| {
            let x = root(&s.M) * s.N() * &s.free;
            l.vanishes(&(x.transpose() * &x), size(&s.M));
            // For any δ, not only such a one, it is the same number as (3.8).
            let delta = s.any('d', s.n());
            let x = root(&s.M) * s.N() * &delta;
            l.beside(&dot(&x, &x), &(delta.transpose() * s.N() * &s.M * s.N() * delta), size(&s.M));
        }),
        list.law("3.10", r"M^{1/2} (I - A^+ A)\,\delta = M^{1/2} w = 0", "so the length is zero", Every, |s, l| {
            let (w, root) = (&s.free, root(&s.M));
            l.vanishes(&(&root * s.N() * w), size(&root));
            l.vanishes(&(root * w), size(&s.M));
        }),
        list.law("3.11", r"M w = 0", "and w has no mass", Every, |s, l| {
            let w = &s.free;
            l.holds(w.cols() == s.n() - s.rank_Mhat);
            l.vanishes(&(&s.M * w), size(&s.M));
        }),
        list.law(
            "result-3",
            r"\ddot{q} \text{ is unique} \;\Leftrightarrow\; \operatorname{rank} \begin{bmatrix} M \\ A \end{bmatrix} = n",
            "the motion is unique exactly when every direction has mass or a constraint",
            Every,
            |s, l| {
                lemma(s, l);
                let free = s.I() - &s.Mbar_plus * &s.Mbar;
                l.holds((size(&free) > 1e-6) == (s.rank_Mhat < s.n()));
            },
        ),
        list.law(
            "corollary-3.2",
            r"\det M \neq 0 \;\Rightarrow\; \ddot{q} = \bar{M}^+ \begin{bmatrix} Q + C \\ b \end{bmatrix}",
            "where M is not singular, the motion is unique",
            Definite,
            |s, l| {
                l.holds(s.rank_Mhat == s.n());
                l.beside(&(&s.Mbar_plus * &s.Mbar), &s.I(), 1.0);
                l.accelerations(s, &s.qdd, &(&s.Mbar_plus * s.right_side()));
            },
        ),
    ]
}
