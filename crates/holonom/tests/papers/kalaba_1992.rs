//! Udwadia & Kalaba 1992, "A new perspective on constrained motion": ideal constraints, M > 0.

use crate::support::*;
use crate::systems::*;
use holonom::{MotionError, Workspace};
use holonom_reference::{Cut, K, K1, Twofold, pseudo_inverse};

const CUT: Cut = Cut::Relative(1e-20);

/// The systems of this paper.
fn ideal() -> impl Iterator<Item = System> {
    definite().into_iter().map(|s| s.ideal())
}

/// (2): without constraints the acceleration is a = M⁻¹Q; where M has no inverse there is none.
#[test]
fn eq_2_free_acceleration() {
    for s in ideal() {
        let a = s.roots().a;
        assert_close!(Workspace::new().free_acceleration(&s.snapshot()).unwrap(), a);
        assert_close!(s.unconstrained().found().qdd, a);
        assert_close!(s.form().free_acceleration.unwrap(), a);
    }
    for s in singular() {
        let refused = Workspace::new().free_acceleration(&s.snapshot());
        assert!(matches!(refused, Err(MotionError::SingularMass { .. })));
    }
}

/// (3): the motion satisfies A q̈ = b, "which need not be linearly independent".
#[test]
fn eq_3_constraints_hold_though_rows_repeat() {
    for s in ideal() {
        assert_close!(&s.A * s.found().qdd, s.b);
        assert!(s.motion().consistent);
    }
}

/// (4): the force of constraint is what Newton's equation lacks, M q̈ = Q + Q_c.
#[test]
fn eq_4_newton_with_the_force_of_constraint() {
    for s in ideal() {
        let found = s.found();
        assert_close!(&s.M * &found.qdd, &s.Q + &found.Qc);
    }
}

/// After (5a′): K = M^{1/2}(A M^{-1/2})⁺.
#[test]
fn eq_5a_the_matrix_K() {
    for s in ideal() {
        let literal = K(&s.M, &s.A, CUT).unwrap();
        assert_close!(s.form().force_gain, literal);
    }
}

/// (5a): M q̈ = Q + K(b − A M⁻¹Q).
#[test]
fn eq_5a_equation_of_motion() {
    for s in ideal() {
        let K = K(&s.M, &s.A, CUT).unwrap();
        let want = &s.Q + K * (&s.b - &s.A * s.roots().inverse * &s.Q);
        assert_close!(&s.M * s.found().qdd, want);
    }
}

/// (5a′): the same with a: M q̈ = Q + K(b − A a), here with the a and K that the program hands out.
#[test]
fn eq_5a_prime_equation_of_motion_with_a() {
    for s in ideal() {
        let form = s.form();
        let (a, K) = (column(&form.free_acceleration.unwrap()), matrix(s.n(), s.m(), &form.force_gain));
        assert_close!(&s.M * s.found().qdd, &s.Q + K * (&s.b - &s.A * a));
    }
}

/// (5b): the force of constraint is Q_c = K(b − A M⁻¹Q).
#[test]
fn eq_5b_force_of_constraint() {
    for s in ideal() {
        let Roots { root, B_plus, inverse, .. } = s.roots();
        let want = root * B_plus * (&s.b - &s.A * inverse * &s.Q);
        assert_close!(s.found().Qi, want);
        assert_close!(s.found().Qc, want);
    }
}

/// (5c): q̈ − a = M⁻¹K(b − A a).
#[test]
fn eq_5c_deviation_from_the_free_acceleration() {
    for s in ideal() {
        let Roots { inverse, a, .. } = s.roots();
        let want = inverse * K(&s.M, &s.A, CUT).unwrap() * (&s.b - &s.A * &a);
        assert_close!(s.form().deviation.unwrap(), want, beside a);
        assert_close!(s.found().qdd - &a, want, beside a);
    }
}

/// (5c′): Δa = K₁e with e = b − A a and K₁ = M⁻¹K = M^{-1/2}(A M^{-1/2})⁺.
#[test]
fn eq_5c_prime_deviation_is_K1_times_error() {
    for s in ideal() {
        let form = s.form();
        let (e, gain) = (column(&form.constraint_error.unwrap()), s.K1());
        assert_close!(e, &s.b - &s.A * s.roots().a);
        assert_close!(gain, K1(&s.M, &s.A, CUT).unwrap());
        assert_close!(gain, s.roots().inverse * matrix(s.n(), s.m(), &form.force_gain));
        assert_close!(form.deviation.unwrap(), gain * e, beside s.roots().a);
    }
}

/// K₁ is "the weighted Moore–Penrose generalized inverse": Penrose's conditions, the fourth one weighted by M.
#[test]
fn K1_is_the_weighted_moore_penrose_inverse() {
    for s in ideal() {
        let (A, K1) = (&s.A, s.K1());
        assert_close!(A * &K1 * A, A);
        assert_close!(&K1 * A * &K1, K1);
        assert_close!(A * &K1, (A * &K1).transpose());
        assert_close!(&s.M * &K1 * A, (&s.M * &K1 * A).transpose());
    }
}

/// The principle: the deviation is directly proportional to the dissatisfaction of the constraints.
#[test]
fn principle_deviation_is_proportional_to_error() {
    for s in ideal() {
        let a = s.roots().a;
        let e = &s.b - &s.A * &a;
        let once = s.found().qdd - &a;
        for factor in [-1.0, 3.0, 1000.0] {
            let factor = Twofold::from(factor);
            let changed = s.with_b(&column(&rounded(&(&s.A * &a + e.scaled(factor)))));
            assert_close!(changed.found().qdd - &a, once.scaled(factor), beside a);
        }
        // Satisfied constraints change nothing: with b = A a the free acceleration stays.
        let satisfied = s.with_b(&column(&rounded(&(&s.A * &a))));
        assert_close!(satisfied.found().qdd, a);
    }
}

/// (6), Gauss: (q̈ − a)ᵀM(q̈ − a) is less at the motion than at every other q̈ that satisfies the constraints.
#[test]
fn eq_6_gauss_function_is_least() {
    let mut workspace = Workspace::new();
    for s in ideal() {
        let (qdd, a) = (s.found().qdd, s.roots().a);
        let G = |x: &Mat| dot(&(x - &a), &(&s.M * (x - &a)));
        let least = s.motion().gauss.deviation.unwrap();
        assert_close!(least, G(&qdd), beside dot(&a, &(&s.M * &a)));
        for v in s.virtual_displacements() {
            for step in [-10.0, -1e-3, 0.5] {
                let other = &qdd + v.scaled(Twofold::from(step));
                assert!(G(&other) > G(&qdd));
                let value = workspace.gauss(&s.snapshot(), &rounded(&other)).unwrap().by_acceleration.unwrap();
                assert_close!(value, G(&other), 1e-11); // `other` is rounded there
                assert!(value > least);
            }
        }
    }
}

/// (7): with r̈ = M^{1/2}q̈, every solution of the constraints is (A M^{-1/2})⁺b + R y, and the motion is one.
#[test]
fn eq_7_general_solution_of_the_constraints() {
    let mut random = Random::new(7);
    for s in ideal() {
        let Roots { root, inverse_root, B, B_plus, .. } = s.roots();
        let R = s.I() - &B_plus * &B;
        for _ in 0..3 {
            let r = &B_plus * &s.b + &R * random.vector(s.n());
            assert_close!(&s.A * (&inverse_root * r), s.b);
        }
        let r = root * s.found().qdd;
        assert_close!(r, &B_plus * &s.b + &R * &r);
    }
}

/// (8): Gauss's function in r̈ and in y is one; its least value is the one the program reports.
#[test]
fn eq_8_gauss_function_of_y() {
    let mut random = Random::new(8);
    for s in ideal() {
        let Roots { root, B, B_plus, a, .. } = s.roots();
        let R = s.I() - &B_plus * &B;
        let target = &root * &a - &B_plus * &s.b;
        let of_y = |y: &Mat| dot(&(&R * y - &target), &(&R * y - &target));
        let of_r = |r: &Mat| dot(&(r - &root * &a), &(r - &root * &a));
        let y = random.vector(s.n());
        assert_close!(of_r(&(&B_plus * &s.b + &R * &y)), of_y(&y), 1e-26);
        let found = &root * s.found().qdd; // R r̈ = R y for the y that reaches it
        assert_close!(of_r(&found), of_y(&found), beside dot(&target, &target));
        assert_close!(s.motion().gauss.deviation.unwrap(), of_y(&found), beside dot(&target, &target));
    }
}

/// (9): y = R{M^{1/2}a − (A M^{-1/2})⁺b} + (A M^{-1/2})⁺(A M^{-1/2})z makes it least for every z: (7) is then (5a).
#[test]
fn eq_9_minimising_y_gives_the_motion() {
    let mut random = Random::new(9);
    for s in ideal() {
        let Roots { root, inverse_root, B, B_plus, a, .. } = s.roots();
        let R = s.I() - &B_plus * &B;
        for _ in 0..3 {
            let y = &R * (&root * &a - &B_plus * &s.b) + &B_plus * &B * random.vector(s.n());
            let r = &B_plus * &s.b + &R * y;
            assert_close!(s.found().qdd, &inverse_root * r);
        }
    }
}

/// Used in (9): R⁺ = R, R R = R and R (A M^{-1/2})⁺(A M^{-1/2}) = 0.
#[test]
fn eq_9_properties_of_R() {
    for s in ideal() {
        let Roots { B, B_plus, .. } = s.roots();
        let R = s.I() - &B_plus * &B;
        assert_zero!(&R * &R - &R, beside s.I(), 1e-25);
        assert_zero!(&R * &B_plus * &B, beside s.I(), 1e-25);
        let n_minus_k = Cut::Rank(s.n() - rank(&B));
        assert_zero!(pseudo_inverse(&R, n_minus_k) - &R, beside s.I(), 1e-25);
    }
}

/// (5a) at the edge: M is positive definite by 10⁻⁸ to 10⁻¹² only, and its larger diagonal is not the first.
#[test]
fn eq_5a_holds_for_nearly_singular_mass() {
    for p in [20, 26, 27, 30, 36, 39] {
        let M = matrix(2, 2, &[1.0, 1.0, 1.0, 1.0 + 2f64.powi(-p)]);
        let (Q, A, b, none) = (column(&[1.0, 2.0]), matrix(1, 2, &[1.0, 3.0]), column(&[1.0]), Mat::zeros(2, 1));
        let s = System::new("nearly singular", M, Q, A, b, none);
        let Roots { inverse_root, B_plus, a, .. } = s.roots();
        let e = &s.b - &s.A * &a;
        assert_close!(s.found().qdd, &a + inverse_root * B_plus * e);
        assert_close!(&s.A * s.found().qdd, s.b);
    }
}
