//! Udwadia & Phohomsiri 2006, sections 2 and 3: any positive semi-definite M, any rank of A.

use crate::support::*;
use crate::systems::*;
use holonom::solve;
use holonom_reference::{Mbar, Mhat, Twofold, inverse, sqrt_psd};

/// (2.4), (2.5): A q̈ = b and M q̈ = Q + Q^c, also where M is singular and the motion not unique.
#[test]
fn eq_2_4_and_2_5_constraints_and_newton() {
    for s in every() {
        let found = s.found();
        assert_close!(&s.A * &found.qdd, s.b);
        assert_close!(&s.M * &found.qdd, &s.Q + &found.Qc, beside s.Q);
    }
}

/// (2.6), (2.7): wᵀQ^c = wᵀC for every w with A w = 0.
#[test]
fn eq_2_6_virtual_work() {
    for s in every() {
        let found = s.found();
        for w in s.virtual_displacements() {
            assert_close!(dot(&w, &found.Qc), dot(&w, &s.C), beside found.Qc.stack(&s.Q));
        }
    }
}

/// D'Alembert's condition: with C = 0 the constraints do no virtual work, singular masses or not.
#[test]
fn dalembert_condition_for_ideal_constraints() {
    for s in every().iter().map(System::ideal) {
        let found = s.found();
        for w in s.virtual_displacements() {
            assert_zero!(dot(&w, &found.Qc), beside found.Qc.stack(&s.Q));
        }
    }
}

/// (2.8): w = (I − A⁺A)γ is a virtual displacement for every γ, and every one is of that form.
#[test]
fn eq_2_8_virtual_displacements() {
    let mut random = Random::new(28);
    for s in every() {
        let N = s.I() - s.A_plus() * &s.A;
        let w = &N * random.vector(s.n());
        assert_zero!(&s.A * w, beside s.A.stack(&s.I()));
        for w in s.virtual_displacements() {
            assert_close!(&N * &w, w);
        }
    }
}

/// (2.9): γᵀ(I − A⁺A)Q^c = γᵀ(I − A⁺A)C for every γ.
#[test]
fn eq_2_9_work_for_every_gamma() {
    let mut random = Random::new(29);
    for s in every() {
        let (N, Qc) = (s.N(), s.found().Qc);
        for _ in 0..3 {
            let gamma = random.vector(s.n());
            assert_close!(dot(&gamma, &(&N * &Qc)), dot(&gamma, &(&N * &s.C)), beside Qc.stack(&s.Q));
        }
    }
}

/// (2.10): (I − A⁺A)Q^c = (I − A⁺A)C.
#[test]
fn eq_2_10_projected_force_is_projected_C() {
    for s in every() {
        let (N, Qc) = (s.N(), s.found().Qc);
        assert_close!(&N * &Qc, N * &s.C, beside Qc.stack(&s.Q));
    }
}

/// (2.11): (I − A⁺A)M q̈ = (I − A⁺A)(Q + C).
#[test]
fn eq_2_11_projected_newton() {
    for s in every() {
        let N = s.N();
        assert_close!(&N * &s.M * s.found().qdd, N * (&s.Q + &s.C), beside s.Q.stack(&s.C));
    }
}

/// The right side of (2.12).
fn right_side(s: &System) -> Mat {
    (s.N() * (&s.Q + &s.C)).stack(&s.b)
}

/// (2.12): M̄ q̈ = [(I − A⁺A)(Q + C); b].
#[test]
fn eq_2_12_stacked_equation() {
    for s in every() {
        assert_close!(Mbar(&s.M, &s.A, &plus(&s.A)) * s.found().qdd, right_side(&s));
    }
}

/// (2.13): M̄ = [(I − A⁺A)M; A] as the program prints it, and the A⁺ and M̄⁺ that go with it.
#[test]
fn eq_2_13_Mbar_and_its_inverse() {
    for s in every() {
        let literal = Mbar(&s.M, &s.A, &plus(&s.A));
        assert_close!(s.A_plus(), plus(&s.A));
        assert_close!(s.Mbar(), literal);
        assert_close!(s.Mbar_plus(), plus(&literal));
    }
}

/// (2.14) with η = 0: q̈ = M̄⁺[Q + C; b], of least norm among all solutions.
#[test]
fn eq_2_14_acceleration() {
    for s in every() {
        let literal = plus(&Mbar(&s.M, &s.A, &plus(&s.A)));
        assert_close!(s.found().qdd, literal * (&s.Q + &s.C).stack(&s.b));
    }
}

/// From (2.12) to (2.14): the projector before Q + C may be left out, as M̄⁺ contains it.
#[test]
fn eq_2_14_needs_no_projector() {
    for s in every() {
        let inverse = s.Mbar_plus();
        assert_close!(&inverse * (&s.Q + &s.C).stack(&s.b), inverse * right_side(&s));
    }
}

/// Result 1, (2.14) with η: adding (I − M̄⁺M̄)η, for any η, still solves (2.12), and every solution is reached.
#[test]
fn result_1_eq_2_14_general_solution() {
    let mut random = Random::new(214);
    for s in every() {
        let (Mbar, found) = (Mbar(&s.M, &s.A, &plus(&s.A)), s.found().qdd);
        let free = s.I() - s.Mbar_plus() * s.Mbar(); // the program's
        for _ in 0..3 {
            let eta = random.vector(s.n());
            assert_close!(&Mbar * (&found + &free * &eta), right_side(&s));
            let other = &found + null(&Mbar) * random.vector(s.n() - rank(&Mbar)); // any solution of (2.12)
            assert_close!(&found + &free * &other, other); // reached by η = itself: q̈ has no part of its own
        }
        assert_zero!(&free * &found, beside found);
    }
}

/// Result 1: the free directions that the program reports span the range of I − M̄⁺M̄.
#[test]
fn result_1_free_directions() {
    for s in every() {
        let motion = s.motion();
        let directions: Vec<Vec<Twofold>> =
            motion.free_directions().map(|w| w.iter().map(|x| Twofold::from(*x)).collect()).collect();
        let W = Mat::from_columns(s.n(), &directions);
        let literal = Mbar(&s.M, &s.A, &plus(&s.A));
        assert_zero!(&W * W.transpose() - (s.I() - plus(&literal) * literal), beside s.I());
    }
}

/// Result 2, (2.15): where M̄ has full rank, M̄⁺ = (M̄ᵀM̄)⁻¹M̄ᵀ, M̄⁺M̄ = I and the motion is M̄⁺[Q + C; b] alone.
#[test]
fn result_2_eq_2_15_unique_motion() {
    for s in definite().into_iter().chain(singular()) {
        let literal = Mbar(&s.M, &s.A, &plus(&s.A));
        assert_eq!(rank(&literal), s.n());
        let left_inverse = inverse(&(literal.transpose() * &literal)).unwrap() * literal.transpose();
        assert_close!(s.Mbar_plus(), left_inverse);
        assert_zero!(s.Mbar_plus() * s.Mbar() - s.I(), beside s.I());
        assert_close!(s.found().qdd, left_inverse * (&s.Q + &s.C).stack(&s.b));
        assert!(s.motion().is_unique() && s.motion().undetermined().next().is_none());
    }
}

/// Lemma 3.1: M̄ has full rank if and only if M̂ = [M; A] has. The program decides by M̂; here M̄ is asked.
#[test]
fn lemma_3_1_mbar_has_full_rank_iff_mhat_has() {
    let (mut full, mut deficient) = (0, 0);
    for s in every() {
        let by_Mbar = rank(&Mbar(&s.M, &s.A, &plus(&s.A)));
        assert_eq!(s.motion().system_rank.rank, by_Mbar);
        assert_eq!(rank(&Mhat(&s.M, &s.A)), by_Mbar);
        full += usize::from(by_Mbar == s.n());
        deficient += usize::from(by_Mbar < s.n());
    }
    assert!(full > 10 && deficient > 4);
}

/// Lemma 3.1, part (a), (3.1), (3.2): M̂w = 0 with w ≠ 0 gives M̄w = 0.
#[test]
fn lemma_3_1_a_mhat_deficient_then_mbar() {
    for s in not_unique(true) {
        let motion = s.motion();
        assert!(motion.free_directions().count() > 0);
        for w in motion.free_directions().map(|w| column(&w)) {
            assert_zero!(Mhat(&s.M, &s.A) * &w, beside s.M.stack(&s.A));
            assert_zero!(Mbar(&s.M, &s.A, &plus(&s.A)) * &w, beside s.M.stack(&s.A));
        }
    }
}

/// Lemma 3.1, part (b), (3.3)–(3.11): M̄w = 0 gives M^{1/2}w = 0, so M w = 0 and M̂w = 0.
#[test]
fn lemma_3_1_b_mbar_deficient_then_mhat() {
    for s in not_unique(true) {
        let Z = null(&Mbar(&s.M, &s.A, &plus(&s.A)));
        assert!(Z.cols() > 0);
        assert_zero!(&s.A * &Z, beside s.A.stack(&s.I()), 1e-25); // (3.5)
        assert_zero!(s.N() * &Z - &Z, beside s.I(), 1e-25); // (3.6) with δ = w
        assert_zero!(s.N() * &s.M * s.N() * &Z, beside s.M, 1e-25); // (3.7)
        assert_zero!(Z.transpose() * &s.M * &Z, beside s.M, 1e-25); // (3.8), (3.9)
        assert_zero!(sqrt_psd(&s.M) * &Z, beside s.M, 1e-14); // (3.10), a root of 10⁻³⁰
        assert_zero!(&s.M * &Z, beside s.M, 1e-25); // (3.11)
        for w in (0..Z.cols()).map(|j| Z.columns(j..j + 1)) {
            let inside: f64 = s.motion().free_directions().map(|u| dot(&column(&u), &w).hi().powi(2)).sum();
            assert_close!(inside, 1.0); // the program's directions contain it
        }
    }
}

/// Result 3: the motion is unique if and only if M̂ has rank n, and if it is, no other q̈ solves (2.4) and (2.11).
#[test]
fn result_3_unique_iff_mhat_has_full_rank() {
    for s in every() {
        let (motion, free) = (s.motion(), null(&Mhat(&s.M, &s.A)));
        assert_eq!(motion.is_unique(), free.cols() == 0);
        assert_eq!(motion.system_rank.rank, s.n() - free.cols());
        for j in 0..free.cols() {
            let other = s.found().qdd + free.columns(j..j + 1).scaled(Twofold::from(3.0));
            assert_close!(&s.A * &other, s.b);
            assert_close!(s.N() * &s.M * other, s.N() * (&s.Q + &s.C), beside s.Q.stack(&s.C));
        }
    }
}

/// Corollary 3.2: a non-singular M makes the motion unique, with any constraints.
#[test]
fn corollary_3_2_nonsingular_mass_is_enough() {
    for s in definite() {
        assert_eq!(rank(&s.M), s.n());
        assert!(s.motion().is_unique());
        assert_close!(s.found().qdd, s.Mbar_plus() * (&s.Q + &s.C).stack(&s.b));
    }
}

/// Remark (i): with singular M the motion may be unique or not; the rank of M̂ tells a reasonable model.
#[test]
fn remark_i_rank_of_mhat_checks_a_model() {
    for s in singular() {
        let (constrained, bare) = (s.motion(), s.unconstrained().motion());
        assert!(constrained.mass_rank < s.n() && constrained.is_unique());
        assert!(!bare.is_unique()); // the constraints made it so
        assert_eq!(bare.system_rank.rank, rank(&s.M));
    }
}

/// Remark (ii): for singular M, even with Q^c known, (2.5) alone does not determine q̈; (2.4) and (2.5) together do.
#[test]
fn remark_ii_force_known_but_acceleration_not() {
    for s in singular() {
        let found = s.found();
        let newton_alone = s.with_Q(&column(&rounded(&(&s.Q + &found.Qc)))).ideal().unconstrained();
        assert!(!newton_alone.motion().is_unique());
        let Z = null(&s.M);
        let along = (&Z * Random::new(2).vector(Z.cols())).scaled(Twofold::from(size(&found.qdd)));
        let other = &found.qdd + along;
        assert_close!(&s.M * &other, &s.M * &found.qdd, beside s.Q); // another q̈ for the same forces…
        assert_apart!(other, found.qdd);
        assert_apart!(&s.A * &other, s.b); // … which the constraints refuse
        assert!(s.motion().is_unique());
    }
    // With a mass matrix that can be inverted, (2.5) alone is enough.
    for s in definite() {
        let found = s.found();
        let newton_alone = s.with_Q(&column(&rounded(&(&s.Q + &found.Qc)))).ideal().unconstrained();
        assert_close!(solve(&newton_alone.snapshot()).unwrap().acceleration, found.qdd);
    }
}
