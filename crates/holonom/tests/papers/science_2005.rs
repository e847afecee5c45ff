//! Udwadia, Kalaba & Fan 2005, "Is analytical dynamics a theoretical or an experimental science?"
//!
//! The paper's forces F^N, F^L, F^C are Q, Qᵢ, Qₙᵢ here; its c, a force, is C.

use crate::support::*;
use crate::systems::*;
use holonom::{Motion, Snapshot, Workspace, solve};

fn systems() -> impl Iterator<Item = System> {
    particles().into_iter().chain(definite())
}

/// (1), (2): A x″ = A M^{-1/2}(M^{1/2}x″) = b.
#[test]
fn eq_1_and_2_constraints() {
    for s in systems() {
        let Roots { root, B, .. } = s.roots();
        let found = s.found().qdd;
        assert_close!(&s.A * &found, s.b);
        assert_close!(B * (root * found), s.b);
    }
}

/// (3): every motion that is consistent with the constraints has M^{1/2}x″ = B⁺b + (I − B⁺B)z for some z.
#[test]
fn eq_3_general_solution() {
    let mut random = Random::new(3);
    for s in systems() {
        let Roots { root, inverse_root, B, B_plus, .. } = s.roots();
        let with = |z: &Mat| &B_plus * &s.b + (s.I() - &B_plus * &B) * z;
        assert_close!(&s.A * (&inverse_root * with(&random.vector(s.n()))), s.b, 1e-25);
        let found = root * s.found().qdd;
        assert_close!(found, with(&found));
    }
}

/// (4), (5): z = M^{1/2}a + M^{-1/2}c picks the motion, with a the free acceleration and c what is given as C.
#[test]
fn eq_4_and_5_choice_of_z() {
    for s in systems() {
        let Roots { root, inverse_root, B, B_plus, a, .. } = s.roots();
        let z = &root * a + inverse_root * &s.C;
        assert_close!(root * s.found().qdd, &B_plus * &s.b + (s.I() - &B_plus * &B) * z);
    }
}

/// (6): the same multiplied out.
#[test]
fn eq_6_multiplied_out() {
    for s in systems() {
        let Roots { root, inverse_root, B, B_plus, a, .. } = s.roots();
        let c = inverse_root * &s.C;
        let want = &B_plus * &s.b + &root * &a + &c - &B_plus * (&s.A * &a) - &B_plus * (B * &c);
        assert_close!(root * s.found().qdd, want);
    }
}

/// (7): x″ = a + M^{-1/2}B⁺(b − A a) + M^{-1/2}(I − B⁺B)M^{-1/2}c.
#[test]
fn eq_7_acceleration() {
    for s in systems() {
        let Roots { inverse_root, B, B_plus, a, .. } = s.roots();
        let nonideal = &inverse_root * (s.I() - &B_plus * B) * &inverse_root * &s.C;
        assert_close!(s.found().qdd, &a + &inverse_root * B_plus * (&s.b - &s.A * &a) + nonideal);
    }
}

/// (8): M x″ = M a + M^{1/2}B⁺(b − A a) + M^{1/2}(I − B⁺B)M^{-1/2}c.
#[test]
fn eq_8_equation_of_motion() {
    for s in systems() {
        let Roots { root, inverse_root, B, B_plus, a, .. } = s.roots();
        let nonideal = &root * (s.I() - &B_plus * B) * inverse_root * &s.C;
        assert_close!(&s.M * s.found().qdd, &s.M * &a + root * B_plus * (&s.b - &s.A * &a) + nonideal);
    }
}

/// After (8): it is "the most general possible". Every acceleration that satisfies the constraints is the motion for
/// some c, and the program finds that c.
#[test]
fn after_eq_8_every_possible_motion_has_its_c() {
    let (mut random, mut workspace) = (Random::new(8), Workspace::new());
    for s in systems() {
        for _ in 0..3 {
            let wanted = rounded(&(plus(&s.A) * &s.b + s.N() * random.vector(s.n())));
            let c = workspace.explain(&s.snapshot(), &wanted).unwrap().nonideal_part;
            assert_close!(s.with_C(&column(&c)).motion().acceleration, wanted);
        }
    }
}

/// (9): F^N = M a, and without constraints x″ = a.
#[test]
fn eq_9_newton() {
    for s in systems() {
        let a = s.ideal().unconstrained().found().qdd;
        assert_close!(&s.M * a, s.Q);
    }
}

/// (10): F^L = M^{1/2}B⁺(b − A a).
#[test]
fn eq_10_lagrange() {
    for s in systems() {
        let Roots { root, B_plus, a, .. } = s.roots();
        assert_close!(s.found().Qi, root * B_plus * (&s.b - &s.A * a));
    }
}

/// (11): F^C = M^{1/2}(I − B⁺B)M^{-1/2}c.
#[test]
fn eq_11_coulomb() {
    for s in systems() {
        let Roots { root, inverse_root, B, B_plus, .. } = s.roots();
        assert_close!(s.found().Qni, root * (s.I() - B_plus * B) * inverse_root * &s.C, beside s.C);
    }
}

/// (12)–(15): v = M^{-1/2}(I − B⁺B)q is a virtual displacement for every q, and every one is of that form.
#[test]
fn eqs_12_to_15_virtual_displacements() {
    let mut random = Random::new(12);
    for s in systems() {
        let Roots { root, inverse_root, B, B_plus, .. } = s.roots();
        let of = |q: &Mat| &inverse_root * (s.I() - &B_plus * &B) * q;
        let v = of(&random.vector(s.n()));
        assert_zero!(&s.A * v, beside s.I(), 1e-24);
        for v in s.virtual_displacements() {
            assert_close!(of(&(&root * &v)), v, 1e-24);
        }
    }
}

/// (16): F^L does no work in any virtual displacement.
#[test]
fn eq_16_lagrange_force_does_no_virtual_work() {
    for s in systems() {
        let Qi = s.found().Qi;
        for v in s.virtual_displacements() {
            assert_zero!(dot(&v, &Qi), beside Qi);
        }
    }
}

/// (17): the second condition, B⁺B B⁺ = B⁺; in the program's matrices K₁A K₁ = K₁.
#[test]
fn eq_17_second_penrose_condition() {
    for s in systems() {
        let Roots { B, B_plus, root, .. } = s.roots();
        assert_close!(&B_plus * &B * &B_plus, B_plus, 1e-25);
        assert_close!(root * s.K1() * &s.A * s.K1(), B_plus);
    }
}

/// After (17): F^L = Aᵀλ. The program's multipliers do it, and where rows repeat they are the shortest that do.
#[test]
fn after_eq_17_lagrange_multipliers() {
    for s in every() {
        let (found, multipliers) = (s.found(), s.motion().ideal_multipliers);
        let At_plus = plus(&s.A.transpose());
        assert_close!(s.A.transpose() * column(&multipliers), found.Qi, beside s.Q);
        assert_close!(multipliers, &At_plus * &found.Qi, beside[size(&At_plus) * size(&s.Q)]);
    }
}

/// With c, the total force is c + Aᵀλ: F^L + F^C − c does no virtual work, by (19). These λ are the reactions.
#[test]
fn after_eq_19_reactions() {
    for s in every() {
        let (found, reactions) = (s.found(), s.motion().reactions);
        let At_plus = plus(&s.A.transpose());
        assert_close!(&s.C + s.A.transpose() * column(&reactions), found.Qc, beside s.Q.stack(&s.C));
        let beside = [size(&At_plus) * size(&s.Q.stack(&s.C))];
        assert_close!(reactions, &At_plus * (&found.Qc - &s.C), beside beside);
    }
}

/// After (17): "Aᵀ and A⁺ have the same range spaces".
#[test]
fn after_eq_17_transpose_and_inverse_have_one_range() {
    for s in every() {
        let (At, A_plus) = (s.A.transpose(), s.A_plus());
        let on_range = &At * plus(&At); // the projector on range(Aᵀ)
        assert_close!(&on_range * &A_plus, A_plus);
        assert_eq!(rank(&At), rank(&plus(&s.A)));
        assert_close!(&A_plus * &s.A * &At, At);
    }
}

/// (18): F^C does the work vᵀc.
#[test]
fn eq_18_coulomb_force_does_the_work_of_c() {
    for s in systems() {
        let Qni = s.found().Qni;
        for v in s.virtual_displacements() {
            assert_close!(dot(&v, &Qni), dot(&v, &s.C), beside s.C);
        }
    }
}

/// (19), the principle of virtual work generalised: vᵀ(F^L + F^C) = vᵀc.
#[test]
fn eq_19_total_work_is_that_of_c() {
    for s in systems() {
        let found = s.found();
        for v in s.virtual_displacements() {
            assert_close!(dot(&v, &found.Qc), dot(&v, &s.C), beside found.Qc);
        }
    }
}

/// (20), (21): ideal constraints, F^C = 0 and M x″ = M a + M^{1/2}B⁺(b − A a).
#[test]
fn eq_20_and_21_ideal_constraints() {
    for s in systems().map(|s| s.ideal()) {
        let Roots { root, B_plus, a, .. } = s.roots();
        assert_eq!(size(&s.found().Qni), 0.0);
        assert_close!(&s.M * s.found().qdd, &s.M * &a + root * B_plus * (&s.b - &s.A * &a));
    }
}

const SLOPES: [f64; 6] = [-3.0, -1.0, 0.0, 0.5, 2.0, 40.0];
const G: f64 = 9.81;
const UNIT: [f64; 4] = [1.0, 0.0, 0.0, 1.0];

/// The bead of section 4 on the line k x₁ − x₂ = 0 with c = (1, 2).
fn bead(k: f64) -> Motion {
    let (row, b) = ([k, -1.0], [0.0]);
    solve(&Snapshot::new(&UNIT, &[0.0, -G]).constrained(&row, &b).nonideal(&[1.0, 2.0])).unwrap()
}

fn bead_inverse(k: f64) -> Mat {
    let (row, b) = ([k, -1.0], [0.0]);
    let form = Workspace::new().explicit_form(&Snapshot::new(&UNIT, &[0.0, -G]).constrained(&row, &b)).unwrap();
    column(&form.pseudo_inverse)
}

/// (24), (25): kx₁ − x₂ = 0 stays true: k x₁″ = x₂″.
#[test]
fn example_eq_25_bead_stays_on_the_line() {
    for k in SLOPES {
        let x = bead(k).acceleration;
        assert_close!(k * x[0], x[1], beside x);
    }
}

/// (28): A⁺ = (k, −1)ᵀ/(k² + 1).
#[test]
fn example_eq_28_pseudo_inverse() {
    for k in SLOPES {
        assert_close!(bead_inverse(k), [k / (k * k + 1.0), -1.0 / (k * k + 1.0)]);
    }
}

/// (29): A⁺A = [k² −k; −k 1]/(k² + 1).
#[test]
fn example_eq_29_projector_on_the_normal() {
    for k in SLOPES {
        let got = bead_inverse(k) * matrix(1, 2, &[k, -1.0]);
        assert_close!(got, [k * k, -k, -k, 1.0].map(|x| x / (k * k + 1.0)));
    }
}

/// (30): I − A⁺A = [1 k; k k²]/(k² + 1).
#[test]
fn example_eq_30_projector_on_the_line() {
    for k in SLOPES {
        let got = Mat::identity(2) - bead_inverse(k) * matrix(1, 2, &[k, -1.0]);
        assert_close!(got, [1.0, k, k, k * k].map(|x| x / (k * k + 1.0)));
    }
}

/// (31), (32): x″ = (0, −g) − g/(k² + 1)(k, −1) + (1 + 2k)/(k² + 1)(1, k); the three terms are Q, Qᵢ, Qₙᵢ.
#[test]
fn example_eq_32_equation_of_motion() {
    for k in SLOPES {
        let d = k * k + 1.0;
        let ideal = [-G * k / d, G / d];
        let nonideal = [(1.0 + 2.0 * k) / d, (1.0 + 2.0 * k) * k / d];
        let motion = bead(k);
        assert_close!(motion.ideal_force, ideal);
        assert_close!(motion.nonideal_force, nonideal, beside [1.0, 2.0]);
        assert_close!(motion.acceleration, [ideal[0] + nonideal[0], -G + ideal[1] + nonideal[1]]);
    }
}

/// After (32): the third force does the work 1 dx₁ + 2 dx₂ where dx₂ = k dx₁, the second none.
#[test]
fn example_after_eq_32_work_of_the_forces() {
    for k in SLOPES {
        let motion = bead(k);
        let work = |f: &[f64]| f[0] + k * f[1];
        assert_close!(work(&motion.nonideal_force), 1.0 + 2.0 * k, beside[1.0 + k.abs()]);
        assert_zero!(work(&motion.ideal_force), beside [G, G * k]);
    }
}

/// Section 5: where M^{-1/2}c lies in the null space of A M^{-1/2}, F^C = c.
#[test]
fn section_5_F_C_equals_c_in_the_null_space() {
    let mut random = Random::new(5);
    for s in systems() {
        let Z = null(&s.A);
        let c = &s.M * (&Z * random.vector(Z.cols())); // A M⁻¹c = 0
        let s = s.with_C(&column(&rounded(&c)));
        assert_close!(s.found().Qni, c);
        assert_close!(s.motion().reactions, s.motion().ideal_multipliers, beside s.Q.stack(&c));
    }
}

/// Section 5: where it lies in the column space of (A M^{-1/2})ᵀ, F^C = 0: c changes nothing.
#[test]
fn section_5_F_C_vanishes_in_the_column_space() {
    let mut random = Random::new(50);
    for s in systems() {
        let c = s.A.transpose() * random.vector(s.m()); // exact
        let s = s.with_C(&c);
        assert_zero!(s.found().Qni, beside c);
        assert_close!(s.found().qdd, s.ideal().found().qdd);
    }
}

/// Section 5: c is a sum of both, and F^C is what is left of it in the first.
#[test]
fn section_5_c_is_a_sum_of_both() {
    for s in systems() {
        let Roots { root, inverse_root, B, B_plus, .. } = s.roots();
        let seen = &root * (s.I() - &B_plus * &B) * &inverse_root * &s.C;
        let unseen = &root * (&B_plus * &B) * &inverse_root * &s.C;
        assert_close!(&seen + &unseen, s.C, 1e-25);
        assert_close!(s.found().Qni, seen, beside s.C);
        assert_zero!(s.with_C(&column(&rounded(&unseen))).found().Qni, beside s.C);
    }
}

/// The inverse question: from an observed motion the program recovers C up to Aᵀµ, and the two forces.
#[test]
fn inverse_question_recovers_C_up_to_A_transposed_mu() {
    let mut workspace = Workspace::new();
    for s in every() {
        let found = s.found();
        let why = workspace.explain(&s.snapshot(), &rounded(&found.qdd)).unwrap();
        assert!(why.admissible);
        assert_close!(why.nonideal_part, s.N() * &s.C, beside s.C.stack(&s.Q));
        assert_close!(why.constraint_force, found.Qc, beside s.Q);
        assert_close!(why.ideal_force, found.Qi, beside s.Q);
        assert_close!(why.nonideal_force, found.Qni, beside s.Q);
        let rest = column(&why.nonideal_part) - &s.C; // lies in the range of Aᵀ
        assert_close!(s.A.transpose() * (plus(&s.A.transpose()) * &rest), rest, beside s.C.stack(&s.Q));
        assert_close!(column(&why.nonideal_part) + s.A.transpose() * column(&why.reactions), found.Qc, beside s.Q);
        let At_plus = plus(&s.A.transpose());
        assert_close!(why.reactions, &At_plus * &found.Qc, beside[size(&At_plus) * size(&s.Q.stack(&s.C))]);
    }
}

/// No motion can tell C from C + Aᵀµ: the same acceleration and the same forces.
#[test]
fn inverse_question_C_and_C_plus_A_transposed_mu_give_one_motion() {
    let mut random = Random::new(51);
    for s in every() {
        let mu = random.vector(s.m());
        let other = s.with_C(&(&s.C + s.A.transpose() * &mu)).found();
        let found = s.found();
        assert_close!(other.qdd, found.qdd);
        assert_close!(other.Qi, found.Qi);
        assert_close!(other.Qni, found.Qni, beside s.C);
    }
}

/// An observed acceleration that breaks the constraints has no C, and the program says so.
#[test]
fn inverse_question_impossible_motion_is_named() {
    let mut workspace = Workspace::new();
    for s in systems().filter(|s| rank(&s.A) > 0) {
        let broken = s.found().qdd + s.A.transpose() * &s.b + s.A.transpose() * column(&vec![1.0; s.m()]);
        let why = workspace.explain(&s.snapshot(), &rounded(&broken)).unwrap();
        assert!(!why.admissible);
        assert_close!(why.residuals, &s.A * &broken - &s.b);
    }
}

/// Lagrange's bold hypothesis can be read off a motion: ideal exactly when it needs no C.
#[test]
fn inverse_question_tells_ideal_constraints() {
    let mut workspace = Workspace::new();
    for s in systems() {
        let ideal = rounded(&s.ideal().found().qdd);
        assert!(workspace.explain(&s.snapshot(), &ideal).unwrap().ideal);
        let works = size(&(s.N() * &s.C)) > 1e-6;
        assert_eq!(workspace.explain(&s.snapshot(), &rounded(&s.found().qdd)).unwrap().ideal, !works);
    }
}
