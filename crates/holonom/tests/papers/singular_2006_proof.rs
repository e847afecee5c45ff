//! Udwadia & Phohomsiri 2006, section 4: for M > 0 the general equation is that of 2005, line by line.

use crate::support::*;
use crate::systems::*;
use holonom_reference::{Cut, J, Mbar, Mhat, U, V, inverse, singular_values};

const CUT: Cut = Cut::Relative(1e-20);

/// The symbols of the proof, literally: B of (4.3), V of (4.4), J of (4.8).
struct Proof {
    s: System,
    r: Roots,
    V: Mat,
    J: Mat,
    /// Q + C.
    F: Mat,
}

fn proofs() -> impl Iterator<Item = Proof> {
    definite().into_iter().map(|s| {
        let (V, J) = (V(&s.M, &s.A, CUT).unwrap(), J(&s.M, &s.A, CUT).unwrap());
        Proof { r: s.roots(), V, J, F: &s.Q + &s.C, s }
    })
}

/// (4.1): (A M^{-1/2})(M^{1/2}(I − A⁺A)) = 0, with the program's A⁺.
#[test]
fn eq_4_1_product_vanishes() {
    for Proof { s, r, .. } in proofs() {
        let right = &r.root * (s.I() - s.A_plus() * &s.A);
        assert_zero!(&r.B * &right, beside s.A.stack(&right));
    }
}

/// (4.2)–(4.4): B V = 0; B and V have the ranks k and n − k, so [B; Vᵀ] has full rank.
#[test]
fn eq_4_2_to_4_4_B_and_V() {
    for Proof { s, r, V, .. } in proofs() {
        assert_zero!(&r.B * &V, beside s.A.stack(&V), 1e-25);
        let k = s.motion().constraint_rank.rank;
        let rank_V = singular_values(&V).iter().filter(|x| x.hi() > 1e-20 * size(&r.root)).count();
        assert_eq!((rank(&r.B), rank_V), (k, s.n() - k));
        assert_eq!(rank(&r.B.stack(&V.transpose())), s.n());
        assert_eq!(rank(&Mhat(&s.M, &s.A)), s.n());
    }
}

/// Lemma 4.1, (4.5), (4.12): B⁺ = (BᵀB + VVᵀ)⁻¹Bᵀ, and M^{-1/2} times that is the program's K₁.
#[test]
fn lemma_4_1_eq_4_5_inverse_of_B() {
    for Proof { s, r, V, J, .. } in proofs() {
        let by_lemma = inverse(&(r.B.transpose() * &r.B + &V * V.transpose())).unwrap() * r.B.transpose();
        assert_close!(by_lemma, plus(&r.B), 1e-24);
        assert_close!(s.K1(), &r.inverse_root * &by_lemma);
        assert_close!(J * r.B.transpose(), by_lemma, 1e-24);
    }
}

/// (4.6), (4.7): [Bᵀ V][B; Vᵀ] = BᵀB + VVᵀ has an inverse.
#[test]
fn eq_4_6_and_4_7_sum_has_an_inverse() {
    for Proof { s, r, V, J, .. } in proofs() {
        let stacked = r.B.stack(&V.transpose());
        let sum = stacked.transpose() * stacked;
        assert_eq!(rank(&sum), s.n());
        assert_zero!(J * sum - s.I(), beside s.I(), 1e-24);
    }
}

/// (4.9): J BᵀB + J VVᵀ = I.
#[test]
fn eq_4_9_identity() {
    for Proof { s, r, V, J, .. } in proofs() {
        let by_K1 = &r.root * s.K1() * &r.B; // J Bᵀ B, as the program has it
        assert_zero!(by_K1 + &J * &V * V.transpose() - s.I(), beside s.I());
        assert_zero!(&J * r.B.transpose() * &r.B + &J * &V * V.transpose() - s.I(), beside s.I(), 1e-24);
    }
}

/// (4.10): (4.9) times B⁺.
#[test]
fn eq_4_10_identity_times_B_plus() {
    for Proof { r, V, J, .. } in proofs() {
        let left = &J * r.B.transpose() * &r.B * &r.B_plus + J * &V * V.transpose() * &r.B_plus;
        assert_close!(left, r.B_plus, 1e-24);
    }
}

/// (4.11): VᵀB⁺ = 0; and BᵀB B⁺ = Bᵀ.
#[test]
fn eq_4_11_V_meets_no_B_plus() {
    for Proof { s, r, V, .. } in proofs() {
        let B_plus = &r.root * s.K1(); // as the program has it
        assert_zero!(V.transpose() * &B_plus, beside[size(&r.root) * size(&B_plus).max(1.0)]);
        assert_close!(r.B.transpose() * &r.B * &B_plus, r.B.transpose());
    }
}

/// (4.13): M̄⁺ = (M̄ᵀM̄)⁺M̄ᵀ, for singular M and motions that are not unique, too.
#[test]
fn eq_4_13_inverse_of_Mbar() {
    for s in every() {
        let literal = Mbar(&s.M, &s.A, &plus(&s.A));
        assert_close!(s.Mbar_plus(), U(&s.M, &s.A, CUT, CUT) * literal.transpose());
    }
}

/// (4.14): U = (M(I − A⁺A)(I − A⁺A)M + AᵀA)⁺.
#[test]
fn eq_4_14_U_multiplied_out() {
    for s in every() {
        let sum = &s.M * s.N() * s.N() * &s.M + s.A.transpose() * &s.A;
        assert_close!(plus(&sum), U(&s.M, &s.A, CUT, CUT), 1e-20); // singular values are squared here
        let gram = s.Mbar().transpose() * s.Mbar();
        assert_close!(gram, sum);
    }
}

/// (4.15), (4.16): U = (M^{1/2}(BᵀB + VVᵀ)M^{1/2})⁺ = M^{-1/2}J M^{-1/2}.
#[test]
fn eq_4_15_and_4_16_U_by_J() {
    for Proof { s, r, V, J, .. } in proofs() {
        let U = U(&s.M, &s.A, CUT, Cut::Rank(s.n()));
        let inner = &r.root * (&V * V.transpose() + r.B.transpose() * &r.B) * &r.root;
        assert_close!(inverse(&inner).unwrap(), U, 1e-20);
        assert_close!(&r.inverse_root * J * &r.inverse_root, U, 1e-20);
    }
}

/// (4.17): M̄⁺ = M^{-1/2}J M^{-1/2}[M(I − A⁺A)  Aᵀ], against the program's M̄⁺.
#[test]
fn eq_4_17_inverse_of_Mbar_by_J() {
    for Proof { s, r, J, .. } in proofs() {
        let right = (s.N() * &s.M).stack(&s.A).transpose();
        assert_close!(s.Mbar_plus(), &r.inverse_root * J * &r.inverse_root * right);
    }
}

/// (4.18): q̈ = M^{-1/2}J M^{-1/2}[M(I − A⁺A)  Aᵀ][Q + C; b].
#[test]
fn eq_4_18_acceleration() {
    for Proof { s, r, J, F, .. } in proofs() {
        let right = (s.N() * &s.M).stack(&s.A).transpose() * F.stack(&s.b);
        assert_close!(s.found().qdd, &r.inverse_root * J * &r.inverse_root * right);
    }
}

/// (4.19): the same multiplied out.
#[test]
fn eq_4_19_acceleration() {
    for Proof { s, r, J, F, .. } in proofs() {
        let first = &r.inverse_root * &J * &r.root * s.N() * F;
        assert_close!(s.found().qdd, first + &r.inverse_root * J * &r.inverse_root * s.A.transpose() * &s.b);
    }
}

/// (4.20): the projector twice, and M^{1/2}M^{-1/2} between.
#[test]
fn eq_4_20_acceleration() {
    for Proof { s, r, J, F, .. } in proofs() {
        let first = &r.inverse_root * &J * &r.root * s.N() * s.N() * &r.root * &r.inverse_root * F;
        assert_close!(s.found().qdd, first + &r.inverse_root * J * &r.inverse_root * s.A.transpose() * &s.b);
    }
}

/// (4.21): by V and B.
#[test]
fn eq_4_21_acceleration() {
    for Proof { s, r, V, J, F } in proofs() {
        let first = &r.inverse_root * &J * &V * V.transpose() * &r.inverse_root * F;
        assert_close!(s.found().qdd, first + &r.inverse_root * J * r.B.transpose() * &s.b);
    }
}

/// (4.22): with (4.9), J VVᵀ = I − J BᵀB.
#[test]
fn eq_4_22_acceleration() {
    for Proof { s, r, J, F, .. } in proofs() {
        let first = &r.inverse_root * (s.I() - &J * r.B.transpose() * &r.B) * &r.inverse_root * F;
        assert_close!(s.found().qdd, first + &r.inverse_root * J * r.B.transpose() * &s.b);
    }
}

/// (4.23): with lemma 4.1, J Bᵀ = B⁺.
#[test]
fn eq_4_23_acceleration() {
    for Proof { s, r, .. } in proofs() {
        let Roots { inverse_root, inverse, B, B_plus, .. } = r;
        let constrained = &inverse_root * &B_plus * (&s.A * &inverse_root) * &inverse_root * &s.Q;
        let nonideal = &inverse_root * (s.I() - &B_plus * B) * &inverse_root * &s.C;
        assert_close!(s.found().qdd, inverse * &s.Q - constrained + nonideal + inverse_root * B_plus * &s.b);
    }
}

/// (4.24): q̈ = a + M^{-1/2}B⁺(b − A a) + M^{-1/2}(I − B⁺B)M^{-1/2}C. For singular M it is inapplicable: no M^{-1/2}.
#[test]
fn eq_4_24_acceleration_as_in_2001() {
    for Proof { s, r, .. } in proofs() {
        let Roots { inverse_root, B, B_plus, a, .. } = r;
        let nonideal = &inverse_root * (s.I() - &B_plus * B) * &inverse_root * &s.C;
        assert_close!(s.found().qdd, &a + &inverse_root * B_plus * (&s.b - &s.A * &a) + nonideal);
    }
    for s in singular() {
        assert!(inverse(&s.M).is_none() || rank(&s.M) < s.n());
        assert!(s.form().free_acceleration.is_none() && s.motion().gauss.deviation.is_none());
    }
}
