use super::*;
use crate::matrix::{dot, lift, norm};
use crate::random::Draw;
use crate::real::Twofold;
use crate::svd::{one_four_inverse, row_scaled_inverse};
use holonom_random::Random;

mod examples;

type Vector = Vec<Twofold>;

/// One instant with its ranks known by construction.
struct Instant {
    M: Matrix<Twofold>,
    Q: Vector,
    A: Matrix<Twofold>,
    b: Vector,
    C: Vector,
    ranks: Ranks,
}

impl Instant {
    /// `copies` of `rank` random rows, in turn; `b` is consistent.
    fn random(random: &mut Random, n: usize, M: Matrix<Twofold>, rank: usize, copies: usize) -> Instant {
        let once: Matrix<Twofold> = random.matrix(rank, n);
        let mut A = Matrix::zeros(0, n);
        for copy in 0..copies {
            A = A.stack(&once.scaled(Twofold::from(2f64.powi(3 * copy as i32))));
        }
        let b = (&A * Matrix::column(&random.vector(n))).into_vector();
        let (Q, C) = (random.vector(n), random.vector(n));
        let Mhat = n - null_space(&Mhat(&M, &A), Cut::Relative(1e-20)).cols();
        Instant { M, Q, A, b, C, ranks: Ranks { A: rank, Mhat } }
    }

    fn by_2005(&self) -> Reference<Twofold> {
        let cut = Cut::Rank(self.ranks.A);
        motion_2005(&self.M, &self.Q, &self.A, &self.b, &self.C, cut).expect("M is definite")
    }

    fn by_2006(&self) -> Reference<Twofold> {
        let cuts = Cuts { A: Cut::Rank(self.ranks.A), Mhat: Cut::Rank(self.ranks.Mhat) };
        motion_2006(&self.M, &self.Q, &self.A, &self.b, &self.C, cuts)
    }

    fn by_parts(&self) -> Reference<Twofold> {
        let Ranks { A, Mhat } = self.ranks;
        motion_by_parts(&self.M, &self.Q, &self.A, &self.b, &self.C, A, Mhat)
    }
}

fn assert_near(x: &[Twofold], y: &[Twofold], tolerance: f64, what: &str) {
    assert_eq!(x.len(), y.len(), "{what}");
    let error: Vector = x.iter().zip(y).map(|(&x, &y)| x - y).collect();
    let (error, size) = (norm(&error).to_f64(), norm(y).to_f64());
    assert!(error <= tolerance * (1.0 + size), "{what} differs by {error:e} of {size:e}");
}

fn assert_same(x: &Reference<Twofold>, y: &Reference<Twofold>, tolerance: f64) {
    assert_near(&x.qdd, &y.qdd, tolerance, "qdd");
    assert_near(&x.Qi, &y.Qi, tolerance, "Qi");
    assert_near(&x.Qni, &y.Qni, tolerance, "Qni");
    assert_near(&x.lambda, &y.lambda, tolerance, "lambda");
    assert_near(&x.lambda_ideal, &y.lambda_ideal, tolerance, "lambda_ideal");
    assert_near(&x.unbalanced, &y.unbalanced, tolerance, "unbalanced");
    assert_near(&x.residual, &y.residual, tolerance, "residual");
    assert_near(&[x.gauss_general], &[y.gauss_general], tolerance, "gauss_general");
    assert_eq!((x.rank_A, x.rank_Mhat), (y.rank_A, y.rank_Mhat));
    assert_eq!(x.gauss_deviation.is_some(), y.gauss_deviation.is_some());
    if let (Some(x), Some(y)) = (x.gauss_deviation, y.gauss_deviation) {
        assert_near(&[x], &[y], tolerance, "gauss_deviation");
    }
    let projector = |N: &Matrix<Twofold>| N * N.transpose();
    let error = (projector(&x.null_space) - projector(&y.null_space)).max_abs().to_f64();
    assert!(error <= tolerance, "null spaces differ by {error:e}");
}

/// 2006, section 4: for M > 0 the general equation is that of 2005. Rows may repeat or be absent.
#[test]
fn three_routes_agree_for_definite_mass() {
    let mut random = Random::new(40);
    for (n, rank, copies) in [(1, 1, 1), (2, 1, 3), (4, 2, 2), (6, 6, 1), (7, 3, 2), (5, 0, 0)] {
        for inconsistent in [false, true] {
            let M = random.mass(n, n) + Matrix::identity(n);
            let mut given = Instant::random(&mut random, n, M, rank, copies);
            if inconsistent {
                given.b = random.vector(given.A.rows());
            }
            assert_same(&given.by_2005(), &given.by_2006(), 1e-26);
            assert_same(&given.by_2005(), &given.by_parts(), 1e-26);
            assert!(given.by_parts().gauss_deviation.is_some());
        }
    }
}

#[test]
fn two_routes_agree_for_singular_mass() {
    let mut random = Random::new(41);
    for (n, mass_rank, rank, copies) in [(2, 1, 1, 1), (5, 2, 2, 2), (6, 0, 3, 1), (6, 3, 4, 2), (4, 2, 0, 0)] {
        let M = random.mass(n, mass_rank);
        let given = Instant::random(&mut random, n, M, rank, copies);
        let motion = given.by_parts();
        assert_same(&given.by_2006(), &motion, 1e-26);
        assert!(motion.gauss_deviation.is_none());
        assert!(given.ranks.Mhat <= mass_rank + rank);
    }
}

/// 2005 (9), 2006 (2.6): virtual work is that of C; the ideal part does none; A q̈ = b; Gauss is least.
#[test]
fn the_laws_hold() {
    let mut random = Random::new(42);
    for (n, mass_rank, rank) in [(4, 4, 2), (5, 3, 2), (5, 1, 2), (6, 6, 0)] {
        let M = random.mass(n, mass_rank);
        let given = Instant::random(&mut random, n, M, rank, 2);
        let motion = given.by_parts();
        let sum = |x: &[Twofold], y: &[Twofold]| -> Vector { x.iter().zip(y).map(|(&x, &y)| x + y).collect() };
        let Qc = sum(&motion.Qi, &motion.Qni);
        let Z = null_space(&given.A, Cut::Rank(rank));
        for j in 0..Z.cols() {
            let v = Z.column_at(j);
            assert!(dot(&v, &motion.Qi).abs().to_f64() < 1e-27);
            assert!((dot(&v, &Qc) - dot(&v, &given.C)).abs().to_f64() < 1e-27);
            for step in [-0.1, 0.1] {
                let other: Vector = motion.qdd.iter().zip(&v).map(|(&x, &v)| x + v * Twofold::from(step)).collect();
                let total = sum(&given.Q, &given.C);
                // Gauss's function falls without end along an unbalanced force; elsewhere q̈ is least.
                if norm(&motion.unbalanced).to_f64() < 1e-20 {
                    assert!(gauss(&given.M, &total, &other) >= motion.gauss_general - Twofold::from(1e-27));
                }
            }
        }
        assert!(norm(&motion.residual).to_f64() < 1e-27);
        let force = (&given.A.transpose() * Matrix::column(&motion.lambda_ideal)).into_vector();
        assert_near(&force, &motion.Qi, 1e-26, "Qi = Aᵀλ");
        let force = (&given.A.transpose() * Matrix::column(&motion.lambda)).into_vector();
        assert_near(&sum(&force, &given.C), &Qc, 1e-26, "Qc = C + Aᵀλ");
        let inertia = (&given.M * Matrix::column(&motion.qdd)).into_vector();
        let balance = sum(&inertia, &motion.unbalanced);
        assert_near(&sum(&given.Q, &Qc), &balance, 1e-26, "M q̈ = Q + Qc - Π(Q + C)");
    }
}

/// Any {1,4}-inverse gives the motion where b is consistent (2005, after (22)), and not elsewhere.
#[test]
fn one_four_inverses_serve_consistent_constraints() {
    let mut random = Random::new(43);
    let M = random.mass(5, 5) + Matrix::identity(5);
    let mut given = Instant::random(&mut random, 5, M, 2, 2);
    let cut = Cut::Rank(2);
    let B = &given.A * square_roots(&given.M).unwrap().1;
    let B14 = one_four_inverse(&B, &pseudo_inverse(&B, cut), &random.matrix(5, 4));
    let A14 = row_scaled_inverse(&given.A, 2);
    for consistent in [true, false] {
        if !consistent {
            given.b = random.vector(4);
        }
        let Instant { M, Q, A, b, C, ranks } = &given;
        let exact = given.by_2005();
        let others =
            [motion_2005_with(M, Q, A, b, C, &B14).unwrap(), motion_by_parts_with(M, Q, A, b, C, &A14, *ranks)];
        for other in others {
            if consistent {
                assert_same(&other, &exact, 1e-26);
            } else {
                let error: f64 = other.qdd.iter().zip(&exact.qdd).map(|(&x, &y)| (x - y).abs().to_f64()).sum();
                assert!(error > 1e-3);
            }
        }
    }
}

/// Rows 10¹⁵ apart, masses 10¹² apart, one row repeated: the motion is that of the plain rows.
#[test]
fn scales_do_not_change_the_motion() {
    let mut random = Random::new(44);
    let D = Matrix::diagonal(&lift(&[1.0, 2f64.powi(20), 1.0, 2f64.powi(10)])); // masses 1 to 10¹²
    let long = Matrix::from_f64(3, 2, &[2f64.powi(50), 0.0, 0.0, 1.0, 2f64.powi(45), 0.0]);
    for mass_rank in [4, 4, 4, 3, 3, 3, 2, 2, 2] {
        let definite = mass_rank == 4;
        let shift = Twofold::from(if definite { 1.0 } else { 0.0 });
        let M = &D * (random.mass(4, mass_rank) + Matrix::identity(4).scaled(shift)) * &D;
        let given = Instant::random(&mut random, 4, M, 2, 1);
        let plain = given.by_parts();
        let A = &long * &given.A;
        let b = (&long * Matrix::column(&given.b)).into_vector();
        let scaled = Instant { A, b, ..given };
        let mut motions = vec![scaled.by_parts()];
        motions.extend(definite.then(|| scaled.by_2005()));
        for motion in motions {
            assert_near(&motion.qdd, &plain.qdd, 1e-25, "qdd");
            assert_near(&motion.Qi, &plain.Qi, 1e-18, "Qi"); // 10¹² times the error of q̈
            assert_near(&motion.Qni, &plain.Qni, 1e-18, "Qni");
        }
    }
}

#[test]
fn rounding_to_f64_keeps_every_field() {
    let mut random = Random::new(45);
    let M = random.mass(4, 2);
    let motion = Instant::random(&mut random, 4, M, 1, 2).by_parts();
    let rounded = motion.to_f64();
    assert_eq!(rounded.qdd, lower(&motion.qdd));
    assert_eq!(rounded.null_space, motion.null_space.to_f64());
    assert_eq!((rounded.rank_A, rounded.rank_Mhat), (1, motion.rank_Mhat));
}
