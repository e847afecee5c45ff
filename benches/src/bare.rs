//! The least that can be done: Cholesky and pivoted QR by hand, q̈ and nothing else.
//!
//! No check of the input, no scaling, no rank by A alone, no forces, no multipliers, no verdict: what a
//! careful programmer writes for one positive definite system with independent constraints.

use crate::systems::System;

/// Storage of the bare solve.
pub struct Bare {
    L: Vec<f64>,
    B: Vec<f64>,
    tau: Vec<f64>,
    norms: Vec<f64>,
    order: Vec<usize>,
    e: Vec<f64>,
    r: Vec<f64>,
    /// The acceleration.
    pub qdd: Vec<f64>,
}

impl Bare {
    /// Room for systems of this size.
    pub fn new(n: usize, m: usize) -> Self {
        Self {
            L: vec![0.0; n * n],
            B: vec![0.0; n * m],
            tau: vec![0.0; m],
            norms: vec![0.0; m],
            order: vec![0; m],
            e: vec![0.0; m],
            r: vec![0.0; n],
            qdd: vec![0.0; n],
        }
    }

    /// q̈ = a + c + L⁻ᵀ B⁺(b − A(a + c)) with B = A L⁻ᵀ.
    pub fn solve(&mut self, s: &System) {
        let (n, m) = (s.n, s.m);
        let Bare { L, B, tau, norms, order, e, r, qdd } = self;
        for i in 0..n {
            for j in 0..=i {
                let (head, tail) = L.split_at_mut(i * n);
                let row = &mut tail[..n];
                if j < i {
                    let other = &head[j * n..j * n + j + 1];
                    row[j] = (s.M[i * n + j] - dot(&row[..j], &other[..j])) / other[j];
                } else {
                    row[i] = (s.M[i * n + i] - dot(&row[..i], &row[..i])).sqrt();
                }
            }
        }
        for i in 0..m {
            let row = &mut B[i * n..(i + 1) * n];
            row.copy_from_slice(&s.A[i * n..(i + 1) * n]);
            forward(L, n, row);
            norms[i] = dot(row, row);
            order[i] = i;
        }
        for (r, (q, c)) in r.iter_mut().zip(s.Q.iter().zip(&s.C)) {
            *r = q + c;
        }
        forward(L, n, r);
        for i in 0..m {
            e[i] = s.b[i] - dot(&B[i * n..(i + 1) * n], r);
        }
        let largest = norms.iter().fold(0.0, |a: f64, b| a.max(*b));
        let mut rank = 0;
        for j in 0..m {
            let mut best = j;
            for i in j + 1..m {
                if norms[i] > norms[best] {
                    best = i;
                }
            }
            if norms[best] <= 1e-24 * largest {
                break;
            }
            if best != j {
                let (head, tail) = B.split_at_mut(best * n);
                head[j * n..(j + 1) * n].swap_with_slice(&mut tail[..n]);
                norms.swap(j, best);
                order.swap(j, best);
            }
            let (head, tail) = B.split_at_mut((j + 1) * n);
            let x = &mut head[j * n + j..];
            let length = dot(x, x).sqrt();
            let beta = if x[0] > 0.0 { -length } else { length };
            tau[j] = (beta - x[0]) / beta;
            let inverse = 1.0 / (x[0] - beta);
            x[1..].iter_mut().for_each(|v| *v *= inverse);
            x[0] = beta;
            for (i, row) in tail.chunks_exact_mut(n).enumerate() {
                let y = &mut row[j..];
                let w = tau[j] * (y[0] + dot(&x[1..], &y[1..]));
                y[0] -= w;
                y[1..].iter_mut().zip(&x[1..]).for_each(|(y, v)| *y -= w * v);
                norms[j + 1 + i] -= y[0] * y[0];
            }
            rank = j + 1;
        }
        qdd.fill(0.0);
        for i in 0..rank {
            qdd[i] = (e[order[i]] - dot(&B[i * n..i * n + i], qdd)) / B[i * n + i];
        }
        for j in (0..rank).rev() {
            let v = &B[j * n + j + 1..(j + 1) * n];
            let (head, tail) = qdd[j..].split_at_mut(1);
            let w = tau[j] * (head[0] + dot(v, tail));
            head[0] -= w;
            tail.iter_mut().zip(v).for_each(|(y, v)| *y -= w * v);
        }
        for j in 0..n {
            qdd[j] += r[j];
        }
        for i in (0..n).rev() {
            qdd[i] /= L[i * n + i];
            let value = qdd[i];
            qdd[..i].iter_mut().zip(&L[i * n..i * n + i]).for_each(|(x, l)| *x -= value * l);
        }
    }
}

fn forward(L: &[f64], n: usize, x: &mut [f64]) {
    for i in 0..n {
        x[i] = (x[i] - dot(&L[i * n..i * n + i], x)) / L[i * n + i];
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len().min(y.len());
    let (x, y) = (&x[..n], &y[..n]);
    let mut sums = [0.0; 4];
    let (xs, ys) = (x.chunks_exact(4), y.chunks_exact(4));
    let rest: f64 = xs.remainder().iter().zip(ys.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in xs.zip(ys) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}
