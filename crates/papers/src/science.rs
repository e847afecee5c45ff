//! Udwadia, Kalaba & Fan 2005: the most general motion that the constraints allow. Their F^N, F^L, F^C and c
//! are our Q, Qᵢ, Qₙᵢ and C.

use crate::claim::{Quantity as Q, claim};
use crate::differentiate::Level;
use crate::entry::{Check, Entry, List, Paper};
use crate::numbers::{dot, plus, size};
use crate::scene::Scene;
use crate::systems::On::{Definite, Ideal};

pub(crate) fn entries() -> Vec<Entry> {
    let mut all = theory();
    all.extend(example());
    all.extend(discussion());
    all
}

fn theory() -> Vec<Entry> {
    let list = List(Paper::Science, "3");
    vec![
        list.differentiation(
            "0",
            r"f_i(q, \dot{q}, t) = 0, \quad i = 1, \dots, m",
            "holonomic and nonholonomic constraints",
            Level::Constraints,
        ),
        list.differentiation(
            "1",
            r"A\,\ddot{q} = b",
            "the constraints, differentiated by the chain rule",
            Level::Acceleration,
        ),
        list.law("2", r"A M^{-1/2} (M^{1/2}\ddot{q}) = b", "the same, scaled", Definite, |s, l| {
            l.accelerations(s, &(&s.B * (&s.root * &s.qdd)), &s.b);
        }),
        list.law(
            "3",
            r"M^{1/2}\ddot{q} = B^+ b + (I - B^+ B)\,z",
            "whatever z is, this satisfies the constraints, and every possible acceleration is of this form",
            Definite,
            |s, l| {
                let scaled = &s.B_plus * &s.b + s.R() * s.any('z', s.n());
                l.accelerations(s, &(&s.B * scaled), &s.b);
                for possible in s.possible_accelerations() {
                    let z = &s.root * possible;
                    l.beside(&(&s.B_plus * &s.b + s.R() * &z), &z, size(&(&s.root * &s.a)));
                }
            },
        ),
        list.definition(
            "4",
            r"z = M^{1/2} a + M^{-1/2} C",
            "z, written with a free acceleration a and a vector C",
            Definite,
            |s, l| {
                // C is arbitrary, so that every z is of this form; with this z the motion comes out.
                let z = s.any('z', s.n());
                let C = &s.root * (&z - &s.root * &s.a);
                l.beside(&(&s.root * &s.a + &s.inverse_root * C), &z, size(&(&s.root * &s.a)));
                let z = &s.root * &s.a + &s.inverse_root * &s.C;
                l.accelerations(s, &(&s.inverse_root * (&s.B_plus * &s.b + s.R() * z)), &s.qdd);
            },
        ),
        list.law(
            "5",
            r"M^{1/2}\ddot{q} = B^+ b + (I - B^+ B)(M^{1/2} a + M^{-1/2} C)",
            "the motion, scaled",
            Definite,
            |s, l| {
                let right = &s.B_plus * &s.b + s.R() * (&s.root * &s.a + &s.inverse_root * &s.C);
                l.beside(&(&s.root * &s.qdd), &right, size(&(&s.root * &s.a)));
            },
        ),
        list.law(
            "6",
            r"M^{1/2}\ddot{q} = B^+ b + M^{1/2} a + M^{-1/2} C - B^+ A a - B^+ B M^{-1/2} C",
            "the same, multiplied out",
            Definite,
            |s, l| {
                let (a_s, c_s) = (&s.root * &s.a, &s.inverse_root * &s.C);
                let right = &s.B_plus * &s.b + &a_s + &c_s - &s.B_plus * &s.A * &s.a - &s.B_plus * &s.B * &c_s;
                l.beside(&(&s.root * &s.qdd), &right, size(&a_s).max(size(&c_s)));
            },
        ),
        list.law(
            "7",
            r"\ddot{q} = a + M^{-1/2} B^+ (b - A a) + M^{-1/2} (I - B^+ B) M^{-1/2} C",
            "the most general motion that the constraints allow",
            Definite,
            |s, l| {
                let right = &s.a
                    + &s.inverse_root * &s.B_plus * (&s.b - &s.A * &s.a)
                    + &s.inverse_root * s.R() * &s.inverse_root * &s.C;
                l.accelerations(s, &s.qdd, &right);
                for possible in s.possible_accelerations() {
                    // It is reached with C = M(q̈ − a).
                    let C = &s.M * (&possible - &s.a);
                    l.accelerations(s, &s.again(&s.Q, &s.b, &C).qdd, &possible);
                }
            },
        ),
        list.law(
            "8",
            r"M\,\ddot{q} = M a + M^{1/2} B^+ (b - A a) + M^{1/2} (I - B^+ B) M^{-1/2} C",
            "the same with forces",
            Definite,
            |s, l| {
                let right =
                    &s.M * &s.a + &s.root * &s.B_plus * (&s.b - &s.A * &s.a) + &s.root * s.R() * &s.inverse_root * &s.C;
                l.forces(s, &(&s.M * &s.qdd), &right);
            },
        ),
        list.definition("9", r"Q = M a", "the impressed force, after Newton", Definite, |s, l| {
            l.equal(&(&s.M * &s.a), &s.Q)
        }),
        list.definition(
            "10",
            r"Q_i = M^{1/2} B^+ (b - A a)",
            "the force of ideal constraints, after Lagrange",
            Definite,
            |s, l| {
                l.forces(s, &s.Qi, &(&s.root * &s.B_plus * (&s.b - &s.A * &s.a)));
            },
        ),
        list.definition(
            "11",
            r"Q_{ni} = M^{1/2} (I - B^+ B) M^{-1/2} C",
            "what is added where they are not ideal, after Coulomb",
            Definite,
            |s, l| {
                l.forces(s, &s.Qni, &(&s.root * s.R() * &s.inverse_root * &s.C));
            },
        ),
        list.law("12", r"A M^{-1/2} (M^{1/2} v) = 0", "a virtual displacement, scaled", Definite, |s, l| {
            for v in s.virtual_displacements() {
                l.vanishes(&(&s.B * (&s.root * &v)), size(&s.B) * size(&v));
            }
        }),
        list.law("13", r"M^{1/2} v = (I - B^+ B)\,q", "every virtual displacement, scaled", Definite, |s, l| {
            for v in s.virtual_displacements() {
                let q = &s.root * &v;
                l.equal(&(s.R() * &q), &q);
            }
        }),
        list.law(
            "14",
            r"v = M^{-1/2} (I - B^+ B)\,q",
            "every virtual displacement, for some q, and nothing else",
            Definite,
            |s, l| {
                for v in s.virtual_displacements() {
                    l.equal(&(&s.inverse_root * s.R() * &s.root * &v), &v);
                }
                let v = &s.inverse_root * s.R() * s.any('q', s.n());
                l.vanishes(&(&s.A * v), size(&s.A) * size(&s.inverse_root));
            },
        ),
        list.law(
            "15",
            r"v^T = q^T (I - B^+ B)\,M^{-1/2}",
            "the same, transposed: the projector is symmetric",
            Definite,
            |s, l| {
                let q = s.any('q', s.n());
                let v = &s.inverse_root * s.R() * &q;
                l.beside(&v.transpose(), &(q.transpose() * s.R() * &s.inverse_root), size(&s.inverse_root));
            },
        ),
        list.law("16", r"v^T Q_i = 0", "the ideal force does no work on a virtual displacement", Definite, |s, l| {
            for v in s.virtual_displacements() {
                l.vanishes(&dot(&v, &s.Qi), size(&v) * size(&s.Qi).max(size(&s.Q)));
            }
        }),
        list.law("17", r"B^+ B B^+ = B^+", "the second of Penrose's conditions", Definite, |s, l| {
            l.equal(&(&s.B_plus * &s.B * &s.B_plus), &s.B_plus);
            l.penrose(&s.B, &s.B_plus);
        }),
        list.law(
            "after-17",
            r"Q_i = A^T \lambda",
            "the ideal force is what Lagrange wrote with multipliers: Aᵀ and A⁺ have one range",
            Definite,
            |s, l| {
                let multipliers = s.A_plus.transpose() * &s.Qi;
                l.forces(s, &(s.A.transpose() * multipliers), &s.Qi);
                l.equal(&(&s.A_plus * &s.A * s.A.transpose()), &s.A.transpose());
                l.beside(&(plus(&s.A) * &s.A * &s.A_plus), &s.A_plus, 1.0);
            },
        ),
        list.law(
            "18",
            r"v^T Q_{ni} = v^T C",
            "the non-ideal force does the work that C prescribes",
            Definite,
            |s, l| {
                for v in s.virtual_displacements() {
                    l.works(s, &v, &dot(&v, &s.Qni), &dot(&v, &s.C));
                }
                l.beside(&(s.R() * s.R()), &s.R(), 1.0);
            },
        ),
        list.law(
            "19",
            r"v^T (Q_i + Q_{ni}) = v^T C",
            "the principle of virtual work, generalised",
            Definite,
            |s, l| {
                for v in s.virtual_displacements() {
                    l.works(s, &v, &dot(&v, &s.Qc), &dot(&v, &s.C));
                }
            },
        ),
        list.law(
            "20",
            r"Q_{ni} = 0 \quad \text{for } C = 0",
            "Lagrange's assumption: the constraints are ideal",
            Ideal,
            |s, l| {
                l.forces(s, &s.Qni, &s.C);
            },
        ),
        list.law(
            "21",
            r"M\,\ddot{q} = M a + M^{1/2} B^+ (b - A a)",
            "the equation of motion under that assumption",
            Ideal,
            |s, l| {
                l.forces(s, &(&s.M * &s.qdd), &(&s.M * &s.a + &s.root * &s.B_plus * (&s.b - &s.A * &s.a)));
            },
        ),
    ]
}

fn example() -> Vec<Entry> {
    let list = List(Paper::Science, "4");
    let on = Scene::Bead;
    vec![
        list.data("22", r"M = \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}", "a bead of unit mass", vec![claim(on, Q::Mass, "1, 0; 0, 1")]),
        list.data("23", r"a = \begin{pmatrix} 0 \\ -g \end{pmatrix}", "gravity", vec![claim(on, Q::Force, "0; -g"), claim(on, Q::Free, "0; -g")]),
        list.example("24", r"k\,\dot{x}_1 - \dot{x}_2 = 0", "the line, differentiated once", vec![claim(on, Q::VelocityRows, "k*x1' - x2'")]),
        list.example("25", r"k\,\ddot{x}_1 - \ddot{x}_2 = 0", "the line, differentiated twice", vec![claim(on, Q::AccelerationRows, "k*x1'' - x2''")]),
        list.example("26", r"A = \begin{pmatrix} k & -1 \end{pmatrix}", "its row", vec![claim(on, Q::Rows, "k, -1")])
            .misprinted(r"A = (k - 1)", "a number where a row of two entries is meant")
            .fails(Check::Example(vec![claim(on, Q::Rows, "k - 1")])),
        list.example("27", r"b = 0", "its right side", vec![claim(on, Q::RightSide, "0")]),
        list.example("28", r"A^+ = \frac{1}{k^2 + 1} \begin{pmatrix} k \\ -1 \end{pmatrix}", "its Moore–Penrose inverse", vec![claim(on, Q::RowsPlus, "k/(k^2 + 1); -1/(k^2 + 1)")]),
        list.example(
            "29",
            r"A^+ A = \frac{1}{k^2 + 1} \begin{pmatrix} k^2 & -k \\ -k & 1 \end{pmatrix}",
            "the projector across the line",
            vec![claim(on, Q::Across, "k^2/(k^2 + 1), -k/(k^2 + 1); -k/(k^2 + 1), 1/(k^2 + 1)")],
        ),
        list.example(
            "30",
            r"I - A^+ A = \frac{1}{k^2 + 1} \begin{pmatrix} 1 & k \\ k & k^2 \end{pmatrix}",
            "the projector along the line",
            vec![claim(on, Q::Along, "1/(k^2 + 1), k/(k^2 + 1); k/(k^2 + 1), k^2/(k^2 + 1)")],
        ),
        list.example(
            "31",
            r"\ddot{q} = \begin{pmatrix} 0 \\ -g \end{pmatrix} + A^+ \left(0 - A \begin{pmatrix} 0 \\ -g \end{pmatrix}\right) + \frac{1}{k^2 + 1} \begin{pmatrix} 1 & k \\ k & k^2 \end{pmatrix} \begin{pmatrix} 1 \\ 2 \end{pmatrix}",
            "the three forces, as (7) has them",
            vec![
                claim(on, Q::Work, "1; 2"),
                claim(on, Q::Ideal, "k/(k^2 + 1)*(0 - (k*0 + (-1)*(-g))); -1/(k^2 + 1)*(0 - (k*0 + (-1)*(-g)))"),
                claim(on, Q::Nonideal, "(1*1 + k*2)/(k^2 + 1); (k*1 + k^2*2)/(k^2 + 1)"),
            ],
        ),
        list.example(
            "32",
            r"\begin{pmatrix} \ddot{x}_1 \\ \ddot{x}_2 \end{pmatrix} = \begin{pmatrix} 0 \\ -g \end{pmatrix} - \frac{g}{k^2 + 1} \begin{pmatrix} k \\ -1 \end{pmatrix} + \frac{1 + 2k}{k^2 + 1} \begin{pmatrix} 1 \\ k \end{pmatrix}",
            "the equation of motion of the bead",
            vec![
                claim(on, Q::Acceleration, "-g*k/(k^2 + 1) + (1 + 2*k)/(k^2 + 1); -g + g/(k^2 + 1) + k*(1 + 2*k)/(k^2 + 1)"),
                claim(on, Q::Ideal, "-g/(k^2 + 1)*k; g/(k^2 + 1)"),
                claim(on, Q::Nonideal, "(1 + 2*k)/(k^2 + 1); (1 + 2*k)/(k^2 + 1)*k"),
            ],
        ),
        list.example(
            "after-32",
            r"v^T Q^c = v^T \begin{pmatrix} 1 \\ 2 \end{pmatrix} \quad \text{for } A v = 0",
            "on a virtual displacement dx₂ = k dx₁ the constraint does the work 1 dx₁ + 2 dx₂",
            // The parts along the line are equal: (I − A⁺A)Q^c, and (I − A⁺A)(1, 2)ᵀ by (30).
            vec![claim(on, Q::ForceAlong, "(1*1 + k*2)/(k^2 + 1); (k*1 + k^2*2)/(k^2 + 1)")],
        ),
    ]
}

fn discussion() -> Vec<Entry> {
    let list = List(Paper::Science, "5");
    vec![list.law(
        "ranges",
        r"B M^{-1/2} C = 0 \Rightarrow Q_{ni} = C, \quad M^{-1/2} C = B^T w \Rightarrow Q_{ni} = 0",
        "C along the constraints acts in full, C across them not at all",
        Definite,
        |s, l| {
            let along = &s.root * s.R() * s.any('c', s.n());
            l.beside(&s.again(&s.Q, &s.b, &along).Qni, &along, size(&s.root));
            let across = &s.root * s.B.transpose() * s.any('w', s.m());
            l.vanishes(&s.again(&s.Q, &s.b, &across).Qni, size(&across).max(size(&s.Q)));
        },
    )]
}
