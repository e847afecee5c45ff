use super::*;
use crate::random::Draw;
use crate::real::Twofold;
use holonom_random::Random;

/// The largest relative violation of Penrose's four conditions.
fn penrose<T: Real>(A: &Matrix<T>, X: &Matrix<T>) -> f64 {
    let (AX, XA) = (A * X, X * A);
    let relative = |error: Matrix<T>, of: T| {
        if of > T::zero() { (error.max_abs() / of).to_f64() } else { error.max_abs().to_f64() }
    };
    relative(&AX * A - A, A.max_abs())
        .max(relative(&XA * X - X, X.max_abs()))
        .max(relative(&AX - AX.transpose(), T::one()))
        .max(relative(&XA - XA.transpose(), T::one()))
}

const SHAPES: [(usize, usize); 9] = [(1, 1), (2, 5), (5, 2), (4, 4), (7, 6), (6, 7), (12, 3), (3, 12), (10, 10)];

fn epsilon<T: Real>() -> f64 {
    T::EPSILON.to_f64()
}

fn random_matrices<T: Real>() {
    let mut random = Random::new(10);
    for (m, n) in SHAPES {
        for _ in 0..5 {
            let A: Matrix<T> = random.matrix(m, n);
            let s = singular_values(&A);
            let condition = (s[0] / s[s.len() - 1]).to_f64();
            let error = penrose(&A, &pseudo_inverse(&A, Cut::Relative(1e-12)));
            assert!(error < 100.0 * epsilon::<T>() * condition, "{m} x {n}: {error:e}");
        }
    }
}

#[test]
fn penrose_on_random_matrices() {
    random_matrices::<f64>();
    random_matrices::<Twofold>();
}

fn repeated_rows<T: Real>() {
    let mut random = Random::new(11);
    for rank in 1..5 {
        for n in 5..8 {
            let once: Matrix<T> = random.matrix(rank, n);
            let sign = T::from_f64(-2.0);
            let A = once.stack(&once).stack(&once.scaled(sign));
            let s = singular_values(&A);
            assert!(Cut::Relative(1e-12).rank(&s) == rank, "{s:?}");
            let condition = (s[0] / s[rank - 1]).to_f64();
            for cut in [Cut::Rank(rank), Cut::Relative(1e-12)] {
                let error = penrose(&A, &pseudo_inverse(&A, cut));
                assert!(error < 100.0 * epsilon::<T>() * condition, "rank {rank}: {error:e}");
                let Z = null_space(&A, cut);
                assert_eq!((Z.rows(), Z.cols()), (n, n - rank));
                assert!((&A * &Z).max_abs().to_f64() < 100.0 * epsilon::<T>() * condition);
            }
        }
    }
}

#[test]
fn penrose_on_repeated_rows() {
    repeated_rows::<f64>();
    repeated_rows::<Twofold>();
}

/// Zero and empty matrices: A⁺ is the zero matrix of the transposed shape, every direction is free.
#[test]
fn penrose_on_nothing() {
    for (m, n) in [(0, 0), (0, 3), (3, 0), (2, 3), (3, 2), (1, 1)] {
        for cut in [Cut::Relative(1e-12), Cut::Rank(2), Cut::Rank(0)] {
            let A = Matrix::<Twofold>::zeros(m, n);
            assert_eq!(pseudo_inverse(&A, cut), Matrix::zeros(n, m));
            assert_eq!(null_space(&A, cut), Matrix::identity(n));
            assert!(singular_values(&A).iter().all(|&s| s == Twofold::zero()));
        }
    }
}

/// `rows` scales the rows of `A` over 15 orders: AA⁺A = A must hold in each row's own measure.
fn scaled_rows<T: Real>() {
    let mut random = Random::new(12);
    for (m, n) in [(3, 5), (4, 4), (3, 3)] {
        let plain: Matrix<T> = random.matrix(m, n);
        let orders = [0, 50, -25, 10]; // powers of two
        let scale = |i: usize| T::from_f64(2f64.powi(orders[i]));
        let A = Matrix::from_fn(m, n, |i, j| plain.get(i, j) * scale(i));
        let inverse = pseudo_inverse(&A, Cut::Rank(m));
        // (D B)⁺ = B⁺ D⁻¹ where B has full row rank: compare column by column, relatively.
        let expected = pseudo_inverse(&plain, Cut::Rank(m));
        let condition = singular_values(&plain);
        let condition = (condition[0] / condition[m - 1]).to_f64();
        let error = Matrix::from_fn(n, m, |i, j| inverse.get(i, j) * scale(j)) - &expected;
        let error = (error.max_abs() / expected.max_abs()).to_f64();
        assert!(error < 100.0 * epsilon::<T>() * condition, "{m} x {n}: {error:e}");
    }
}

#[test]
fn row_scales_cost_no_digits() {
    scaled_rows::<f64>();
    scaled_rows::<Twofold>();
}

#[test]
fn penrose_on_scaled_matrices() {
    let mut random = Random::new(13);
    for factor in [1e-150, 1e-9, 1e9, 1e150] {
        let A: Matrix<Twofold> = random.matrix(4, 6).scaled(Twofold::from(factor));
        assert!(penrose(&A, &pseudo_inverse(&A, Cut::Rank(4))) < 1e-28);
    }
    for (m, n) in [(3, 6), (6, 3), (5, 5)] {
        let A: Matrix<Twofold> = random.matrix(m, n);
        let A = Matrix::from_fn(m, n, |i, j| A.get(i, j) * Twofold::from(2f64.powi(10 * i as i32 - 5 * j as i32)));
        let s = singular_values(&A);
        let condition = (s[0] / s[s.len() - 1]).to_f64();
        assert!(penrose(&A, &pseudo_inverse(&A, Cut::Rank(m.min(n)))) < 1e-29 * condition);
    }
}

fn decomposition<T: Real>() {
    let mut random = Random::new(14);
    for (m, n) in SHAPES {
        for rank in [1, m.min(n)] {
            let A: Matrix<T> = random.matrix::<T>(m, rank) * random.matrix::<T>(rank, n);
            let Svd { u, s, v } = svd(&A);
            let I = Matrix::identity(m.min(n));
            let bound = 200.0 * epsilon::<T>();
            assert!((u.transpose() * &u - &I).max_abs().to_f64() < bound);
            assert!((v.transpose() * &v - &I).max_abs().to_f64() < bound);
            assert!((&u * Matrix::diagonal(&s) * v.transpose() - &A).max_abs().to_f64() < bound);
            assert!(s.windows(2).all(|pair| pair[0] >= pair[1]), "{s:?}");
        }
    }
}

#[test]
fn factors_are_orthonormal_and_rebuild_the_matrix() {
    decomposition::<f64>();
    decomposition::<Twofold>();
}

/// Läuchli's matrix [1 1; ε 0; 0 ε] has the singular values √(2 + ε²) and ε; AᵀA would lose the second.
#[test]
fn small_singular_values_are_relatively_accurate() {
    let e = 1e-12;
    let s = singular_values(&Matrix::<f64>::from_f64(3, 2, &[1.0, 1.0, e, 0.0, 0.0, e]));
    assert!((s[1] / e - 1.0).abs() < 1e-3); // in f64 it is known to 1e-16/1e-12 only
    let s = singular_values(&Matrix::<Twofold>::from_f64(3, 2, &[1.0, 1.0, e, 0.0, 0.0, e]));
    assert!((s[1] / Twofold::from(e) - Twofold::one()).abs().to_f64() < 1e-19);
}

/// A long row repeated with rounding must not push out a short independent row.
#[test]
fn the_row_space_is_read_off_scaled_rows() {
    let third = 1.0 / 3.0;
    let long = [1e15, 1e15 * third, 0.0];
    let again = [0.7e15, 0.7e15 * third, 1e-2]; // 1e-17 of the row: rounding
    let short = [0.0, 0.0, 1e-3];
    let A = Matrix::<Twofold>::from_f64(3, 3, &[long, again, short].concat());
    let Z = complement(&row_space(&A, 2));
    let ratio = Z.get(0, 0) / Z.get(1, 0) + Twofold::from(third);
    assert!(ratio.abs().to_f64() < 1e-16 && Z.get(2, 0).abs().to_f64() < 1e-15);
}

/// Penrose's conditions 1 and 4 hold for the whole family, and A^(1,4) b = A⁺ b if A q̈ = b can be met.
#[test]
fn one_four_inverses() {
    let mut random = Random::new(15);
    let once: Matrix<Twofold> = random.matrix(2, 4);
    let A = once.stack(&once.scaled(Twofold::from(8.0)));
    let plus = pseudo_inverse_of_rank(&A, 2);
    assert!(penrose(&A, &plus) < 1e-28);
    assert!((&plus - pseudo_inverse(&A, Cut::Rank(2))).max_abs().to_f64() < 1e-29);
    let W = random.matrix(4, 4);
    for X in [one_four_inverse(&A, &plus, &W), row_scaled_inverse(&A, 2)] {
        let XA = &X * &A;
        assert!((&A * &XA - &A).max_abs().to_f64() < 1e-28);
        assert!((&XA - XA.transpose()).max_abs().to_f64() < 1e-28);
        assert!((&X - &plus).max_abs().to_f64() > 1e-3, "not A⁺ itself");
        let b = &A * Matrix::column(&random.vector(4));
        assert!((&X * &b - &plus * &b).max_abs().to_f64() < 1e-28);
    }
}
