//! Udwadia 2005, "New general principle of mechanics": the theory. The paper's F and F^c are Q and Q^c here.

use crate::support::*;
use crate::systems::*;
use holonom::{Snapshot, Workspace};
use holonom_reference::{Twofold, inverse, motion_2005_with, one_four_inverse};

/// Particles, and systems in general coordinates; every one of them non-ideal.
fn systems() -> impl Iterator<Item = System> {
    particles().into_iter().chain(definite())
}

/// A possible acceleration that owes nothing to the kernel: A⁺b + (I − A⁺A)γ.
fn possible(s: &System, random: &mut Random) -> Mat {
    plus(&s.A) * &s.b + s.N() * random.vector(s.n())
}

/// (2): a = M⁻¹F.
#[test]
fn eq_2_unconstrained_acceleration() {
    for s in systems() {
        assert_close!(s.ideal().unconstrained().found().qdd, s.roots().a);
    }
}

/// (5): A ẍ = b for any rank of A.
#[test]
fn eq_5_constraints_hold_at_any_rank() {
    for s in systems() {
        assert_close!(&s.A * s.found().qdd, s.b);
        assert_eq!(s.motion().constraint_rank.rank, rank(&s.A));
    }
}

/// (6): ẍ = a + ẍ^c, and ẍ^c is the deviation that the program reports.
#[test]
fn eq_6_deviation() {
    for s in systems() {
        let form = s.form();
        assert_close!(s.found().qdd, s.roots().a + column(&form.deviation.unwrap()));
    }
}

/// (7): M ẍ = M a + M ẍ^c = F + F^c.
#[test]
fn eq_7_force_of_constraint() {
    for s in systems() {
        let (found, a) = (s.found(), s.roots().a);
        assert_close!(&s.M * &found.qdd, &s.Q + &found.Qc);
        assert_close!(&s.M * (&found.qdd - a), found.Qc, beside s.Q);
    }
}

/// (8), (9): on a virtual displacement the constraints do the work vᵀC; it may be positive, zero or negative.
#[test]
fn eq_9_virtual_work_is_that_of_C() {
    let (mut positive, mut negative) = (0, 0);
    for s in systems() {
        let found = s.found();
        for v in s.virtual_displacements() {
            let work = dot(&v, &s.C);
            assert_close!(dot(&v, &found.Qc), work, beside found.Qc);
            positive += usize::from(work.hi() > 0.01);
            negative += usize::from(work.hi() < -0.01);
        }
    }
    assert!(positive > 5 && negative > 5);
}

/// (10): with C = 0 that is D'Alembert's principle.
#[test]
fn eq_10_dalembert_for_ideal_constraints() {
    for s in systems().map(|s| s.ideal()) {
        let found = s.found();
        assert_eq!(size(&found.Qni), 0.0);
        for v in s.virtual_displacements() {
            assert_zero!(dot(&v, &found.Qc), beside found.Qc);
        }
    }
}

/// (11): vᵀ(M ẍ − F − C) = 0 for every virtual displacement.
#[test]
fn eq_11_virtual_work_in_accelerations() {
    for s in systems() {
        let rest = &s.M * s.found().qdd - &s.Q - &s.C;
        for v in s.virtual_displacements() {
            assert_zero!(dot(&v, &rest), beside s.Q.stack(&rest));
        }
    }
}

/// (12): the difference of a possible acceleration and the actual one is a virtual displacement.
#[test]
fn eq_12_difference_of_possible_accelerations() {
    let mut random = Random::new(12);
    for s in systems() {
        for _ in 0..3 {
            let d = possible(&s, &mut random) - s.found().qdd;
            assert_zero!(&s.A * &d, beside s.b.stack(&d));
        }
    }
}

/// (13): dᵀ(M ẍ − F − C) = 0 for such a difference d.
#[test]
fn eq_13_difference_does_no_work_against_the_rest() {
    let mut random = Random::new(13);
    for s in systems() {
        let qdd = s.found().qdd;
        let rest = &s.M * &qdd - &s.Q - &s.C;
        let d = possible(&s, &mut random) - &qdd;
        assert_zero!(dot(&d, &rest), beside rest.stack(&s.Q).scaled(Twofold::from(1.0 + size(&d))));
    }
}

/// Lemma 1, (14): the cosine rule for any symmetric Y, definite or not.
#[test]
fn lemma_1_eq_14_cosine_rule() {
    let mut random = Random::new(14);
    for k in [1, 2, 5, 8] {
        let X = random.matrix(k, k);
        let Y = &X + X.transpose();
        let [e, f, g] = [0; 3].map(|_| random.vector(k));
        let in_Y = |x: &Mat, y: &Mat| dot(x, &(&Y * y));
        let left = in_Y(&(&e - &g), &(&e - &g)) - in_Y(&(&e - &f), &(&e - &f));
        let right = in_Y(&(&g - &f), &(&g - &f)) - Twofold::from(2.0) * in_Y(&(&e - &f), &(&g - &f));
        assert_close!(left, right, 1e-28);
    }
}

/// Lemma 2, (15): for any two vectors, ‖Mx̂ − (F+C)‖² − ‖Mẍ − (F+C)‖² = (d, d)_M + 2[Mẍ − (F+C), d], norms in M⁻¹.
#[test]
fn lemma_2_eq_15_difference_of_gauss_functions() {
    let (mut random, mut workspace) = (Random::new(15), Workspace::new());
    for s in systems() {
        for _ in 0..3 {
            let (x, other) = (random.vector(s.n()), random.vector(s.n()));
            let mut G = |x: &Mat| workspace.gauss(&s.snapshot(), &rounded(x)).unwrap().by_momentum.unwrap();
            let (G_other, G_x) = (G(&other), G(&x));
            let d = &other - &x;
            let right = dot(&d, &(&s.M * &d)) + Twofold::from(2.0) * dot(&(&s.M * &x - &s.Q - &s.C), &d);
            assert_close!(G_other - G_x, right, beside [G_other, G_x]);
        }
    }
}

/// (16), the principle: the motion makes G_ni less than every other possible acceleration does, globally, and by
/// (d, d)_M exactly: that is its proof.
#[test]
fn eq_16_principle_strict_global_minimum() {
    let (mut random, mut workspace) = (Random::new(16), Workspace::new());
    for s in systems().filter(|s| rank(&s.A) < s.n()) {
        let qdd = s.found().qdd;
        let M_inverse = s.roots().inverse;
        let G = |x: &Mat| {
            let rest = &s.M * x - &s.Q - &s.C;
            dot(&rest, &(&M_inverse * &rest))
        };
        let least = workspace.gauss(&s.snapshot(), &rounded(&qdd)).unwrap().by_momentum.unwrap();
        assert_close!(least, G(&qdd), beside G(&Mat::zeros(s.n(), 1)));
        for scale in [1e-2, 1.0, 1e4] {
            let other = &qdd + (possible(&s, &mut random) - &qdd).scaled(Twofold::from(scale));
            let d = &other - &qdd;
            let more = dot(&d, &(&s.M * &d));
            assert!(more.hi() > 0.0 && G(&other) > G(&qdd));
            assert_close!(G(&other) - G(&qdd), more, beside [G(&other).hi(), least]);
            assert!(workspace.gauss(&s.snapshot(), &rounded(&other)).unwrap().by_momentum.unwrap() > least);
        }
    }
}

/// (17): as a function of the possible force F̂^c = M x̂ − F, G_ni = ‖F̂^c − C‖² in M⁻¹; the actual force is the
/// least.
#[test]
fn eq_17_least_norm_of_force_less_C() {
    let (mut random, mut workspace) = (Random::new(17), Workspace::new());
    for s in systems() {
        let M_inverse = s.roots().inverse;
        let G = |force: &Mat| dot(&(force - &s.C), &(&M_inverse * (force - &s.C)));
        let actual = s.found().Qc;
        for _ in 0..3 {
            let x = column(&rounded(&possible(&s, &mut random)));
            let value = workspace.gauss(&s.snapshot(), &rounded(&x)).unwrap().by_force.unwrap();
            let force = &s.M * x - &s.Q;
            assert_close!(value, G(&force), beside dot(&s.Q, &(&M_inverse * &s.Q)));
            assert!(G(&actual).hi() <= value * (1.0 + 1e-12));
        }
        assert_close!(s.motion().gauss.deviation.unwrap(), G(&actual), beside dot(&s.Q, &(&M_inverse * &s.Q)));
    }
}

/// After (17): in general F^c ≠ C, but F^c − C does no virtual work.
#[test]
fn after_eq_17_the_force_is_not_C_but_the_rest_does_no_work() {
    for s in systems().filter(|s| rank(&s.A) > 0) {
        let Qc = s.found().Qc;
        assert_apart!(Qc, s.C);
        for v in s.virtual_displacements() {
            assert_zero!(dot(&v, &(&Qc - &s.C)), beside Qc);
        }
    }
}

/// (18): a_ni = a + c is the acceleration of the unconstrained system under F and C together.
#[test]
fn eq_18_acceleration_under_F_and_C() {
    for s in systems() {
        let Roots { a, c, .. } = s.roots();
        assert_close!(s.unconstrained().with_Q(&(&s.Q + &s.C)).ideal().found().qdd, a + c);
    }
}

/// (19): G_ni = ‖x̂ − a_ni‖² in M, the same function as (16) and (17).
#[test]
fn eq_19_least_deviation_from_a_ni() {
    let (mut random, mut workspace) = (Random::new(19), Workspace::new());
    for s in systems() {
        let Roots { a, c, .. } = s.roots();
        let a_ni = a + c;
        for x in [column(&rounded(&possible(&s, &mut random))), s.found().qdd] {
            let forms = workspace.gauss(&s.snapshot(), &rounded(&x)).unwrap();
            let want = dot(&(&x - &a_ni), &(&s.M * (&x - &a_ni)));
            for form in [forms.by_acceleration, forms.by_momentum, forms.by_force] {
                assert_close!(form.unwrap(), want, beside dot(&a_ni, &(&s.M * &a_ni)));
            }
        }
    }
}

/// (20): ẍ = M^{-1/2}r + a + c with the r of (22).
#[test]
fn eq_20_acceleration_from_r() {
    for s in systems() {
        let Roots { inverse_root, B_plus, a, c, .. } = s.roots();
        let r = B_plus * (&s.b - &s.A * &a - &s.A * &c);
        assert_close!(s.found().qdd, inverse_root * r + a + c);
    }
}

/// (21): B r = b − A a − A c for r = M^{1/2}(ẍ − a − c).
#[test]
fn eq_21_constraints_on_r() {
    for s in systems() {
        let Roots { root, B, a, c, .. } = s.roots();
        let r = root * (s.found().qdd - &a - &c);
        assert_close!(B * r, &s.b - &s.A * &a - &s.A * &c, beside a.stack(&s.b));
    }
}

/// (22): r = B⁺(b − A a − A c), the shortest r that satisfies (21).
#[test]
fn eq_22_r_is_the_shortest() {
    let mut random = Random::new(22);
    for s in systems() {
        let Roots { root, B, B_plus, a, c, .. } = s.roots();
        let r = root * (s.found().qdd - &a - &c);
        assert_close!(r, &B_plus * (&s.b - &s.A * &a - &s.A * &c), beside a.stack(&c));
        let longer = &r + (s.I() - &B_plus * &B) * random.vector(s.n());
        assert!(dot(&longer, &longer).hi() >= dot(&r, &r).hi() * (1.0 - 1e-12));
    }
}

/// (23): the explicit acceleration, in the three lines in which the paper writes it.
#[test]
fn eq_23_explicit_acceleration() {
    for s in systems() {
        let Roots { root, inverse_root, inverse, B, B_plus, a, c } = s.roots();
        let found = s.found().qdd;
        let e = &s.b - &s.A * &a;
        assert_close!(found, &inverse_root * &B_plus * (&e - &s.A * &c) + &a + &c);
        let working = &inverse_root * &B_plus * &B * root * &inverse * &s.C;
        assert_close!(found, &a + &inverse_root * &B_plus * &e - working + &inverse * &s.C);
        let projected = &inverse_root * (s.I() - &B_plus * B) * &inverse_root * &s.C;
        assert_close!(found, a + inverse_root * B_plus * e + projected);
    }
}

/// (24): the three forces, F, F_i^c = M^{1/2}B⁺(b − A a) and F_ni^c = M^{1/2}(I − B⁺B)M^{-1/2}C, for particles.
#[test]
fn eq_24_three_forces() {
    for s in particles() {
        let Roots { root, inverse_root, B, B_plus, a, .. } = s.roots();
        let found = s.found();
        assert_close!(found.Qi, &root * &B_plus * (&s.b - &s.A * a));
        assert_close!(found.Qni, root * (s.I() - B_plus * B) * inverse_root * &s.C, beside s.C);
        assert_close!(&s.M * &found.qdd, &s.Q + &found.Qi + &found.Qni);
    }
}

/// After (24): F_i^c is the force that ideal constraints would exert, whatever C is; F_ni^c vanishes with C.
#[test]
fn after_eq_24_ideal_force_does_not_depend_on_C() {
    for s in systems() {
        let (found, ideal) = (s.found(), s.ideal().found());
        assert_close!(found.Qi, ideal.Qi);
        assert_close!(ideal.Qi, ideal.Qc);
    }
}

/// (25): the principle in Lagrangian coordinates. With x = T q the motion is the same: ẍ = T q̈, and forces are Tᵀ
/// times.
#[test]
fn eq_25_lagrangian_coordinates() {
    for s in particles() {
        let n = s.n();
        let T = Mat::from_fn(n, n, |i, j| Twofold::from(f64::from(i == j) + 0.5 * f64::from(i == j + 1)));
        let Tt = T.transpose();
        let [M, Q, A, C] = [&Tt * &s.M * &T, &Tt * &s.Q, &s.A * &T, &Tt * &s.C];
        let general = System::new("in other coordinates", M, Q, A, s.b.clone(), C);
        let (x, q) = (s.found(), general.found());
        assert_close!(&T * &q.qdd, x.qdd);
        assert_close!(inverse(&Tt).unwrap() * q.Qi, x.Qi, beside s.Q);
        assert_close!(inverse(&Tt).unwrap() * q.Qni, x.Qni, beside s.C);
        let G = [&general, &s].map(|s| s.motion().gauss.deviation.unwrap());
        assert_close!(G[0], G[1], beside s.Q);
    }
}

/// (26): the same three forces for any positive definite M.
#[test]
fn eq_26_three_forces_in_general_coordinates() {
    for s in definite() {
        let Roots { root, inverse_root, B, B_plus, a, .. } = s.roots();
        let found = s.found();
        assert_close!(found.Qi, &root * &B_plus * (&s.b - &s.A * a));
        assert_close!(found.Qni, root * (s.I() - B_plus * B) * inverse_root * &s.C, beside s.C);
        assert_close!(&s.M * &found.qdd, &s.Q + &found.Qi + &found.Qni);
    }
}

/// (26) without any constraint: the motion is a + c.
#[test]
fn eq_26_without_constraints_C_acts_as_a_force() {
    let mass = [2.0, 0.0, 0.0, 4.0];
    let motion = holonom::solve(&Snapshot::new(&mass, &[1.0, 1.0]).nonideal(&[1.0, 3.0])).unwrap();
    assert_close!(motion.acceleration, [1.0, 1.0]);
    assert_close!(motion.nonideal_force, [1.0, 3.0]);
}

fn with_another_inverse(s: &System, seed: u64) -> Mat {
    let Roots { B, B_plus, .. } = s.roots();
    let X = one_four_inverse(&B, &B_plus, &Random::new(seed).matrix(s.n(), s.m()));
    // {1,4}: B X B = B and X B symmetric; but not B⁺.
    assert_close!(&B * &X * &B, B, 1e-25);
    assert_close!(&X * &B, (&X * &B).transpose(), 1e-25);
    assert_apart!(X, B_plus);
    let [Q, b, C] = [&s.Q, &s.b, &s.C].map(|x| x.entries());
    Mat::column(&motion_2005_with(&s.M, Q, &s.A, b, C, &X).unwrap().qdd)
}

/// After (22) and (26): any {1,4}-inverse may stand for B⁺ where b is consistent.
#[test]
fn one_four_inverse_gives_the_motion_where_b_is_consistent() {
    for s in definite().into_iter().filter(|s| rank(&s.A) > 0 && rank(&s.A) < s.m()) {
        for seed in 0..3 {
            assert_close!(s.found().qdd, with_another_inverse(&s, seed));
        }
    }
}

/// The converse: where b is not consistent it may not, and the kernel keeps to B⁺.
#[test]
fn one_four_inverse_gives_another_motion_where_b_is_not_consistent() {
    for s in definite().into_iter().filter(|s| rank(&s.A) > 0 && rank(&s.A) < s.m()) {
        let s = s.with_b(&Random::new(26).vector(s.m()));
        assert!(!s.motion().consistent);
        let Roots { inverse_root, B_plus, a, c, .. } = s.roots();
        assert_close!(s.found().qdd, inverse_root * B_plus * (&s.b - &s.A * (&a + &c)) + &a + &c);
        for seed in 0..3 {
            assert_apart!(s.found().qdd, with_another_inverse(&s, seed));
        }
    }
}
