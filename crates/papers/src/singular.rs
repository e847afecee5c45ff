//! Udwadia & Phohomsiri 2006, section 2: mass matrices that may be singular.

use crate::case::Case;
use crate::differentiate::Level;
use crate::entry::{Entry, List, Paper};
use crate::ledger::Ledger;
use crate::numbers::{Mat, dot, form, plus, rank, size};
use crate::systems::On::{Every, Unique};
use holonom_reference::{Real, eigen_symmetric, inverse};

/// (2.14) with an η that is nothing special solves (2.12), and every solution is of this form.
fn general(s: &Case, l: &mut Ledger) {
    let stack = (s.N() * (&s.Q + &s.C)).stack(&s.b);
    let free = s.I() - &s.Mbar_plus * &s.Mbar;
    let least = &s.Mbar_plus * s.right_side();
    l.accelerations(s, &s.qdd, &least);
    let qdd = &least + &free * s.any('n', s.n());
    let whole = size(&s.right_side()).max(size(&s.Mbar) * size(&qdd));
    l.beside(&(&s.Mbar * &qdd), &stack, whole);
    // Every other solution differs by a w with M̄w = 0, and is reached with η = itself.
    let other = &s.qdd + &s.unseen * s.any('o', s.unseen.cols());
    l.beside(&(&s.Mbar * &other), &stack, whole.max(size(&s.Mbar) * size(&other)));
    l.accelerations(s, &(&least + &free * &other), &other);
}

impl Case {
    /// M̄ with the exact A⁺, whoever found the rest.
    pub(crate) fn Mbar_exactly(&self) -> Mat {
        holonom_reference::Mbar(&self.M, &self.A, &plus(&self.A))
    }
}

pub(crate) fn entries() -> Vec<Entry> {
    let list = List(Paper::Singular, "2");
    vec![
        list.given("2.1", r"M\,\ddot{q} = Q", "the motion without constraints; M is symmetric and positive semi-definite", Every, |s, l| {
            l.equal(&s.M.transpose(), &s.M);
            let eigen = eigen_symmetric(&s.M);
            l.holds(eigen.values.iter().all(|x| x.to_f64() >= -1e-25 * size(&s.M)));
            let force = &s.M * s.any('x', s.n()); // such as M can answer
            l.beside(&(&s.M * s.unconstrained(&force)), &force, size(&s.M));
        }),
        list.differentiation("2.2", r"q = q_0, \quad \dot{q} = \dot{q}_0 \quad \text{at } t = 0", "where it starts, on the constraints", Level::Start),
        list.differentiation("2.3", r"\varphi_i(q, \dot{q}, t) = 0, \quad i = 1, \dots, m", "constraints, of which k ≤ m are independent", Level::Constraints),
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
            r"\operatorname{rank}\bar{M} = n \;\Rightarrow\; \ddot{q} = \bar{M}^+ \begin{bmatrix} Q + C \\ b \end{bmatrix}, \quad \bar{M}^+ = (\bar{M}^T \bar{M})^{-1} \bar{M}^T, \quad \bar{M}^+ \bar{M} = I",
            "where M̄ has full rank, the motion is unique: nothing is left to choose",
            Unique,
            |s, l| {
                l.holds(rank(&s.Mbar_exactly()) == s.n());
                l.beside(&(&s.Mbar_plus * &s.Mbar), &s.I(), 1.0);
                let MM = s.Mbar.transpose() * &s.Mbar;
                let literal = inverse(&MM).map_or_else(|| Mat::zeros(0, 0), |inverse| inverse * s.Mbar.transpose());
                l.equal(&s.Mbar_plus, &literal);
                l.accelerations(s, &s.qdd, &(literal * s.right_side()));
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
