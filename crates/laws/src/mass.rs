//! Mass matrices of every kind, of small integers and powers of two.

use crate::exact::Span;
use holonom_random::Random;
use holonom_reference::{Matrix, singular_values};

/// A p × p mass matrix and the name of its kind.
pub(crate) fn exact(random: &mut Random, p: usize) -> (Vec<f64>, &'static str) {
    match random.index(12) {
        0..=2 => (definite(random, p), "mass-definite"),
        3 => (diagonal(&(0..p).map(|_| random.power(20)).collect::<Vec<_>>()), "mass-diagonal"),
        4..=5 => {
            let (M, scale) = (definite(random, p), (0..p).map(|_| random.power(10)).collect::<Vec<_>>());
            ((0..p * p).map(|at| M[at] * scale[at / p] * scale[at % p]).collect(), "mass-graded")
        }
        6 => dense(random, p),
        7..=8 => {
            let some = |random: &mut Random| if random.chance(1, 2) { 0.0 } else { random.power(4) };
            (diagonal(&(0..p).map(|_| some(random)).collect::<Vec<_>>()), "mass-zeros")
        }
        9..=10 => {
            let rank = random.between(0, p - 1);
            let J: Vec<Vec<f64>> = (0..rank).map(|_| random.integers(p, 2)).collect();
            let D: Vec<f64> = (0..rank).map(|_| random.power(6)).collect();
            (gram(&J, &D, p), "mass-gram")
        }
        _ => (vec![0.0; p * p], "mass-none"),
    }
}

fn diagonal(entries: &[f64]) -> Vec<f64> {
    let p = entries.len();
    (0..p * p).map(|at| if at / p == at % p { entries[at / p] } else { 0.0 }).collect()
}

/// GᵀG + p I: positive definite beyond doubt.
pub(crate) fn definite(random: &mut Random, p: usize) -> Vec<f64> {
    let G: Vec<Vec<f64>> = (0..p).map(|_| random.integers(p, 2)).collect();
    let mut M = gram(&G, &vec![1.0; p], p);
    (0..p).for_each(|j| M[j * p + j] += p as f64);
    M
}

/// JᵀDJ with J unit triangular and D over many orders: light and heavy in every coordinate.
fn dense(random: &mut Random, p: usize) -> (Vec<f64>, &'static str) {
    let entry = |random: &mut Random, i: usize, j: usize| match i.cmp(&j) {
        std::cmp::Ordering::Equal => 1.0,
        std::cmp::Ordering::Less if random.chance(1, 2) => random.integer(1),
        _ => 0.0,
    };
    let J: Vec<Vec<f64>> = (0..p).map(|i| (0..p).map(|j| entry(random, i, j)).collect()).collect();
    let D: Vec<f64> = (0..p).map(|_| random.power(12)).collect();
    (gram(&J, &D, p), "mass-dense")
}

/// A mass matrix below this gap is not used: light and heavy in one coordinate leave doubt about its rank.
pub(crate) const CLEAR: f64 = 1e-9;

/// The smallest singular value that counts, relative to the largest, with a diagonal of ones.
pub(crate) fn gap(M: &[f64]) -> f64 {
    let n = M.len().isqrt();
    let root: Vec<f64> = (0..n).map(|j| if M[j * n + j] > 0.0 { M[j * n + j].sqrt() } else { 1.0 }).collect();
    let scaled: Vec<f64> = (0..n * n).map(|at| M[at] / (root[at / n] * root[at % n])).collect();
    let rank = Span::of(M.chunks_exact(n)).rank();
    let values = singular_values(&Matrix::<f64>::from_f64(n, n, &scaled));
    if rank == 0 { 1.0 } else { values[rank - 1] / values[0] }
}

/// JᵀDJ for the rows of J.
pub(crate) fn gram(J: &[Vec<f64>], D: &[f64], p: usize) -> Vec<f64> {
    let mut M = vec![0.0; p * p];
    for i in 0..p {
        for j in 0..=i {
            let sum: f64 = J.iter().zip(D).map(|(row, d)| row[i] * row[j] * d).sum();
            (M[i * p + j], M[j * p + i]) = (sum, sum);
        }
    }
    M
}
