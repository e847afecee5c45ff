//! Udwadia & Kalaba, "An alternate proof for the equation of motion": from D'Alembert's principle.
//!
//! The paper's C is A M^{-1/2}, written B here; its C⁺ is B⁺. Particles: M is diagonal.

use crate::support::*;
use crate::systems::*;
use holonom_reference::Twofold;

fn ideal() -> impl Iterator<Item = System> {
    particles().into_iter().map(|s| s.ideal())
}

/// (3): what follows from the constraints by differentiation holds for the motion.
#[test]
fn eq_3_differentiated_constraints_hold() {
    for s in ideal() {
        assert_close!(&s.A * s.found().qdd, s.b);
    }
}

/// (4): M ẍ = F + M^{1/2}C⁺(b − A a).
#[test]
fn eq_4_equation_of_motion() {
    for s in ideal() {
        let Roots { root, B_plus, a, .. } = s.roots();
        assert_close!(&s.M * s.found().qdd, &s.Q + root * B_plus * (&s.b - &s.A * a));
    }
}

/// (5): in scaled accelerations, ẍₛ = aₛ + C⁺(b − C aₛ).
#[test]
fn eq_5_scaled_equation_of_motion() {
    for s in ideal() {
        let Roots { root, B, B_plus, a, .. } = s.roots();
        let a_s = &root * a;
        assert_close!(root * s.found().qdd, &a_s + B_plus * (&s.b - B * &a_s));
    }
}

/// (6), (7): ẍₛ = aₛ + M^{-1/2}F^c with the force of constraint that the program reports.
#[test]
fn eq_6_and_7_force_of_constraint() {
    for s in ideal() {
        let Roots { root, inverse_root, a, .. } = s.roots();
        let found = s.found();
        assert_close!(&s.M * &found.qdd, &s.Q + &found.Qc);
        assert_close!(&root * found.qdd, &root * a + inverse_root * found.Qc);
    }
}

/// (8): C ẍₛ = b.
#[test]
fn eq_8_scaled_constraints() {
    for s in ideal() {
        let Roots { root, B, .. } = s.roots();
        assert_close!(B * (root * s.found().qdd), s.b);
    }
}

/// (9): the scaled force solves C(M^{-1/2}F^c) = b − C aₛ.
#[test]
fn eq_9_equation_for_the_force() {
    for s in ideal() {
        let Roots { root, inverse_root, B, a, .. } = s.roots();
        assert_close!(&B * (inverse_root * s.found().Qc), &s.b - &B * (root * a));
    }
}

/// (10): for any h, C⁺(b − C aₛ) + (I − C⁺C)h solves (9); forces with other h keep the constraints, too.
#[test]
fn eq_10_general_solution_for_the_force() {
    let mut random = Random::new(10);
    for s in ideal() {
        let Roots { root, inverse_root, inverse, B, B_plus, a, .. } = s.roots();
        let a_s = &root * &a;
        let scaled_force = |h: &Mat| &B_plus * (&s.b - &B * &a_s) + (s.I() - &B_plus * &B) * h;
        for _ in 0..3 {
            let h = random.vector(s.n());
            assert_close!(&B * scaled_force(&h), &s.b - &B * &a_s, 1e-25);
            let acceleration = &a + &inverse * (&root * scaled_force(&h));
            assert_close!(&s.A * acceleration, s.b, 1e-25);
        }
        let found = inverse_root * s.found().Qc; // the motion's own force is one of them
        assert_close!(found, scaled_force(&found));
    }
}

/// (11), D'Alembert: the force of constraint does no work on any virtual displacement.
#[test]
fn eq_11_dalembert_no_work_on_virtual_displacements() {
    for s in ideal() {
        let found = s.found();
        for v in s.virtual_displacements() {
            assert_zero!(&s.A * &v, beside v, 1e-25);
            assert_zero!(dot(&v, &found.Qc), beside found.Qc);
        }
    }
}

/// (12): v = M^{-1/2}u turns A v = 0 into C u = 0, and the work is uᵀM^{-1/2}F^c.
#[test]
fn eq_12_scaled_virtual_displacements() {
    for s in ideal() {
        let Roots { root, inverse_root, B, .. } = s.roots();
        let found = s.found();
        for v in s.virtual_displacements() {
            let u = &root * &v;
            assert_zero!(&B * &u, beside u, 1e-25);
            assert_zero!(dot(&u, &(&inverse_root * &found.Qc)), beside found.Qc);
        }
    }
}

/// (13): for every u, uᵀM^{-1/2}F^c = uᵀC⁺(b − C aₛ) + uᵀ(I − C⁺C)h, with h = 0 for the motion.
#[test]
fn eq_13_work_of_the_force() {
    let mut random = Random::new(13);
    for s in ideal() {
        let Roots { root, inverse_root, B, B_plus, a, .. } = s.roots();
        let found = inverse_root * s.found().Qc;
        for _ in 0..3 {
            let u = random.vector(s.n());
            let want = dot(&u, &(&B_plus * (&s.b - &B * (&root * &a))));
            assert_zero!(dot(&u, &found) - want, beside found);
        }
    }
}

/// After (13): C u = 0 is equivalent to uᵀC⁺ = 0. Both directions, on bases of the two null spaces.
#[test]
fn after_eq_13_Cu_vanishes_iff_uC_plus_does() {
    for s in particles().into_iter().chain(definite()) {
        let Roots { B, B_plus, .. } = s.roots();
        let (of_B, of_B_plus) = (null(&B), null(&B_plus.transpose()));
        assert_zero!(of_B.transpose() * &B_plus, beside s.I().stack(&B_plus.transpose()), 1e-25);
        assert_zero!(&B * &of_B_plus, beside s.I().stack(&B), 1e-25);
        assert_eq!(of_B.cols(), of_B_plus.cols());
    }
}

/// Before (14): an h with a part that some u feels makes the force do virtual work, so D'Alembert forbids it.
#[test]
fn before_eq_14_other_h_do_virtual_work() {
    let mut random = Random::new(14);
    for s in ideal() {
        let Roots { root, B, B_plus, a, .. } = s.roots();
        for v in s.virtual_displacements() {
            let u = &root * &v;
            let h = random.vector(s.n()) + u.scaled(Twofold::from(5.0));
            let force = &root * (&B_plus * (&s.b - &s.A * &a) + (s.I() - &B_plus * &B) * &h);
            assert_zero!(dot(&v, &force) - dot(&u, &h), beside force.stack(&h), 1e-25); // (13) is uᵀh
            assert!(size(&dot(&u, &h)) > 1e-3);
            let without = &h - u.scaled(dot(&u, &h) / dot(&u, &u));
            let force = &root * (&B_plus * (&s.b - &s.A * &a) + (s.I() - &B_plus * &B) * without);
            assert_zero!(dot(&v, &force), beside force.stack(&h), 1e-25);
        }
    }
}

/// (14): a vector h with uᵀh = 0 for all those u is C⁺w for some w, for instance w = C h.
#[test]
fn eq_14_h_lies_in_the_range_of_C_plus() {
    let mut random = Random::new(140);
    for s in ideal() {
        let Roots { root, B, B_plus, .. } = s.roots();
        let U = null(&B);
        let any = random.vector(s.n());
        let h = &any - &U * (U.transpose() * &any);
        for v in s.virtual_displacements() {
            assert_zero!(dot(&(&root * v), &h), beside & root * &any, 1e-25);
        }
        assert_zero!(&h - &B_plus * (&B * &h), beside any, 1e-25);
    }
}

/// (15), without its stray uᵀ: with h = C⁺w the second term vanishes, and M^{-1/2}F^c = C⁺(b − C aₛ).
#[test]
fn eq_15_force_by_dalembert() {
    let mut random = Random::new(15);
    for s in ideal() {
        let Roots { root, inverse_root, B, B_plus, a, .. } = s.roots();
        let h = &B_plus * random.vector(s.m());
        let want = &B_plus * (&s.b - &B * (&root * a)) + (s.I() - &B_plus * &B) * h;
        assert_close!(inverse_root * s.found().Qc, want);
    }
}

/// The proof's end: (5) is unique. Any other acceleration that keeps the constraints needs a force that works.
#[test]
fn only_this_force_obeys_dalembert() {
    for s in ideal() {
        let qdd = s.found().qdd;
        for v in s.virtual_displacements() {
            let other = &qdd + v.scaled(Twofold::from(0.25));
            let force = &s.M * &other - &s.Q;
            assert_close!(dot(&v, &force), dot(&v, &(&s.M * &v)).hi() * 0.25, beside s.Q);
            assert!(dot(&v, &force).hi() > 0.1);
        }
    }
}
