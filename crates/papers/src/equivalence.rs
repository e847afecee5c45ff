//! Udwadia & Phohomsiri 2006, section 4: for M > 0 the new equation is the old one, step by step.

use crate::case::Case;
use crate::entry::{Entry, List, Paper};
use crate::ledger::Ledger;
use crate::numbers::{Mat, null, rank, size};
use crate::systems::On::Definite;
use holonom_reference::{Real, Twofold, inverse, singular_values};

/// Mᵀ(I − A⁺A), the left block of M̄ᵀ.
fn left(s: &Case) -> Mat {
    &s.M * s.N()
}

/// M^{-1/2} X M^{-1/2}.
fn both(s: &Case, X: &Mat) -> Mat {
    &s.inverse_root * X * &s.inverse_root
}

/// BᵀB + VVᵀ.
fn sum(B: &Mat, V: &Mat) -> Mat {
    B.transpose() * B + V * V.transpose()
}

/// (BᵀB + VVᵀ)⁻¹Bᵀ, literally; nothing of any size where there is no inverse.
fn by_lemma(B: &Mat, V: &Mat) -> Mat {
    inverse(&sum(B, V)).map_or_else(|| Mat::zeros(0, 0), |inverse| inverse * B.transpose())
}

/// For any B and V with B V = 0 and [B; Vᵀ] of full rank: here A and B, each with a V that is nothing special.
fn lemma(s: &Case, l: &mut Ledger) {
    for (B, B_plus) in [(&s.A, &s.A_plus), (&s.B, &s.B_plus)] {
        let Z = null(B);
        let (k, p) = (Z.cols(), Z.cols() + 1);
        let entries = s.any('V', k * p);
        // Z times a matrix of full rank: ones on its diagonal outweigh the rest.
        let V = &Z
            * Mat::from_fn(k, p, |i, j| {
                let small = entries.get(i * p + j, 0) * Twofold::from(0.125);
                if i == j { Twofold::from(1.0) + small } else { small }
            });
        l.vanishes(&(B * &V), size(B));
        l.holds(rank(&B.stack(&V.transpose())) == s.n());
        l.equal(B_plus, &by_lemma(B, &V));
        l.penrose(B, &by_lemma(B, &V));
    }
}

pub(crate) fn entries() -> Vec<Entry> {
    let list = List(Paper::Singular, "4");
    vec![
        list.law("4.1", r"(A M^{-1/2})(M^{1/2} (I - A^+ A)) = 0", "constraints and virtual displacements, scaled, are orthogonal", Definite, |s, l| {
            l.vanishes(&((&s.A * &s.inverse_root) * (&s.root * s.N())), size(&s.A) * size(&s.root) * size(&s.inverse_root));
        }),
        list.law("4.2", r"B V = 0", "the same, for short", Definite, |s, l| {
            l.vanishes(&(&s.B * &s.V), size(&s.B) * size(&s.root));
        }),
        list.definition("4.3", r"B = A M^{-1/2}", "the constraints, scaled", Definite, |s, l| {
            l.equal(&(&s.B * &s.root), &s.A);
            l.holds(rank(&s.B) == s.rank_A);
        }),
        list.definition("4.4", r"V = M^{1/2} (I - A^+ A)", "the virtual displacements, scaled", Definite, |s, l| {
            l.beside(&(&s.inverse_root * &s.V), &s.N(), 1.0);
            let values = singular_values(&s.V);
            let large = values.iter().filter(|x| x.to_f64() > 1e-9 * size(&s.root)).count();
            l.holds(large == s.n() - s.rank_A);
        }),
        list.law(
            "lemma-4.1",
            r"B V = 0, \; \operatorname{rank} \begin{bmatrix} B \\ V^T \end{bmatrix} = n \;\Rightarrow\; B^+ = (B^T B + V V^T)^{-1} B^T",
            "for any such B and V, the Moore–Penrose inverse by an ordinary one",
            Definite,
            lemma,
        ),
        list.law("4.5", r"B^+ = (B^T B + V V^T)^{-1} B^T", "the same for the B and V of (4.3) and (4.4)", Definite, |s, l| {
            l.holds(rank(&s.B.stack(&s.V.transpose())) == s.n());
            l.equal(&s.B_plus, &by_lemma(&s.B, &s.V));
            l.penrose(&s.B, &by_lemma(&s.B, &s.V));
        }),
        list.law("4.6", r"\begin{bmatrix} B^T & V \end{bmatrix} \begin{bmatrix} B \\ V^T \end{bmatrix} = B^T B + V V^T", "which has an inverse", Definite, |s, l| {
            let stack = s.B.stack(&s.V.transpose());
            l.equal(&(stack.transpose() * &stack), &sum(&s.B, &s.V));
            l.holds(rank(&stack) == s.n());
            l.beside(&(sum(&s.B, &s.V) * &s.J), &s.I(), 1.0);
        }),
        list.law("4.7", r"(B^T B + V V^T)^{-1} (B^T B + V V^T) = I", "so that this holds", Definite, |s, l| {
            l.beside(&(&s.J * sum(&s.B, &s.V)), &s.I(), 1.0);
        }),
        list.definition("4.8", r"J = (B^T B + V V^T)^{-1}", "the inverse, for short; it is symmetric", Definite, |s, l| {
            l.equal(&s.J.transpose(), &s.J);
            l.equal(&s.J, &inverse(&sum(&s.B, &s.V)).unwrap_or_else(|| Mat::zeros(0, 0)));
        }),
        list.law("4.9", r"J B^T B + J V V^T = I", "the same, multiplied out", Definite, |s, l| {
            let (J, V) = (&s.J, &s.V);
            l.beside(&(J * s.B.transpose() * &s.B + J * V * V.transpose()), &s.I(), 1.0);
        }),
        list.law("4.10", r"J B^T B B^+ + J V V^T B^+ = B^+", "times B⁺", Definite, |s, l| {
            let (J, V) = (&s.J, &s.V);
            l.equal(&(J * s.B.transpose() * &s.B * &s.B_plus + J * V * V.transpose() * &s.B_plus), &s.B_plus);
        }),
        list.law("4.11", r"V^T B^+ = 0", "one term vanishes", Definite, |s, l| {
            l.vanishes(&(s.V.transpose() * &s.B_plus), size(&s.root) * size(&s.B_plus));
            l.equal(&(s.B.transpose() * &s.B * &s.B_plus), &s.B.transpose());
        }),
        list.law("4.12", r"B^+ = J B^T = (B^T B + V V^T)^{-1} B^T", "and the lemma is there", Definite, |s, l| {
            l.equal(&s.B_plus, &(&s.J * s.B.transpose()));
            l.equal(&s.B_plus, &by_lemma(&s.B, &s.V));
        }),
        list.law("4.13", r"\bar{M}^+ = (\bar{M}^T \bar{M})^+ \bar{M}^T = U \bar{M}^T", "a property of generalised inverses", Definite, |s, l| {
            l.equal(&s.Mbar_plus, &(&s.U * s.Mbar.transpose()));
            l.penrose(&s.Mbar, &(&s.U * s.Mbar.transpose()));
        }),
        list.definition(
            "4.14",
            r"U = (\bar{M}^T \bar{M})^+ = (M (I - A^+ A)(I - A^+ A) M + A^T A)^+",
            "the square of M̄, written out",
            Definite,
            |s, l| {
                let square = &s.M * s.N() * s.N() * &s.M + s.A.transpose() * &s.A;
                l.equal(&(s.Mbar.transpose() * &s.Mbar), &square);
                l.penrose(&square, &s.U);
            },
        ),
        list.law(
            "4.15",
            r"U = (M^{1/2} (M^{1/2} (I - A^+ A)(I - A^+ A)^T M^{1/2} + M^{-1/2} A^T A M^{-1/2}) M^{1/2})^+",
            "with the square roots taken out",
            Definite,
            |s, l| {
                let inner = &s.root * s.N() * s.N().transpose() * &s.root
                    + &s.inverse_root * s.A.transpose() * &s.A * &s.inverse_root;
                l.penrose(&(&s.root * inner * &s.root), &s.U);
            },
        ),
        list.law(
            "4.16",
            r"U = (M^{1/2} (B^T B + V V^T) M^{1/2})^+ = (M^{1/2} J^{-1} M^{1/2})^+ = M^{-1/2} J M^{-1/2}",
            "U by J",
            Definite,
            |s, l| {
                l.penrose(&(&s.root * sum(&s.B, &s.V) * &s.root), &s.U);
                l.equal(&s.U, &both(s, &s.J));
            },
        ),
        list.law(
            "4.17",
            r"\bar{M}^+ = M^{-1/2} J M^{-1/2} \begin{bmatrix} M (I - A^+ A) & A^T \end{bmatrix}",
            "M̄⁺ by J",
            Definite,
            |s, l| {
                let right = left(s).transpose().stack(&s.A).transpose();
                l.equal(&s.Mbar_plus, &(both(s, &s.J) * right));
            },
        ),
        list.law(
            "4.18",
            r"\ddot{q} = M^{-1/2} J M^{-1/2} \begin{bmatrix} M (I - A^+ A) & A^T \end{bmatrix} \begin{bmatrix} Q + C \\ b \end{bmatrix}",
            "put into (2.15)",
            Definite,
            |s, l| {
                let right = left(s).transpose().stack(&s.A).transpose() * s.right_side();
                l.accelerations(s, &s.qdd, &(both(s, &s.J) * right));
            },
        ),
        list.law(
            "4.19",
            r"\ddot{q} = M^{-1/2} J M^{1/2} (I - A^+ A)(Q + C) + M^{-1/2} J M^{-1/2} A^T b",
            "multiplied out",
            Definite,
            |s, l| {
                let J = &s.J;
                let first = &s.inverse_root * J * &s.root * s.N() * (&s.Q + &s.C);
                l.accelerations(s, &s.qdd, &(first + both(s, J) * s.A.transpose() * &s.b));
            },
        ),
        list.law(
            "4.20",
            r"\ddot{q} = M^{-1/2} J M^{1/2} (I - A^+ A)(I - A^+ A) M^{1/2} M^{-1/2} (Q + C) + M^{-1/2} J M^{-1/2} A^T b",
            "the projector twice, and a one",
            Definite,
            |s, l| {
                let J = &s.J;
                let f = &s.Q + &s.C;
                let first = &s.inverse_root * J * &s.root * s.N() * s.N() * &s.root * &s.inverse_root * f;
                l.accelerations(s, &s.qdd, &(first + both(s, J) * s.A.transpose() * &s.b));
            },
        ),
        list.law(
            "4.21",
            r"\ddot{q} = M^{-1/2} J V V^T M^{-1/2} (Q + C) + M^{-1/2} J B^T b",
            "by V and B",
            Definite,
            |s, l| {
                let (J, V) = (&s.J, &s.V);
                let first = both(s, &(J * V * V.transpose())) * (&s.Q + &s.C);
                l.accelerations(s, &s.qdd, &(first + &s.inverse_root * J * s.B.transpose() * &s.b));
            },
        ),
        list.law(
            "4.22",
            r"\ddot{q} = M^{-1/2} (I - J B^T B) M^{-1/2} (Q + C) + M^{-1/2} J B^T b",
            "V is gone, by (4.9)",
            Definite,
            |s, l| {
                let J = &s.J;
                let first = both(s, &(s.I() - J * s.B.transpose() * &s.B)) * (&s.Q + &s.C);
                l.accelerations(s, &s.qdd, &(first + &s.inverse_root * J * s.B.transpose() * &s.b));
            },
        ),
        list.law(
            "4.23",
            r"\ddot{q} = M^{-1} Q - M^{-1/2} B^+ (A M^{-1/2}) M^{-1/2} Q + M^{-1/2} (I - B^+ B) M^{-1/2} C + M^{-1/2} B^+ b",
            "J is gone, by lemma 4.1",
            Definite,
            |s, l| {
                let right = &s.inverse * &s.Q - &s.inverse_root * &s.B_plus * (&s.A * &s.inverse_root) * &s.inverse_root * &s.Q
                    + both(s, &s.R()) * &s.C
                    + &s.inverse_root * &s.B_plus * &s.b;
                l.accelerations(s, &s.qdd, &right);
            },
        ),
        list.law(
            "4.24",
            r"\ddot{q} = a + M^{-1/2} B^+ (b - A a) + M^{-1/2} (I - B^+ B) M^{-1/2} C",
            "and what is left is the equation for M > 0",
            Definite,
            |s, l| {
                let right = &s.a + &s.inverse_root * &s.B_plus * (&s.b - &s.A * &s.a) + both(s, &s.R()) * &s.C;
                l.accelerations(s, &s.qdd, &right);
            },
        ),
    ]
}
