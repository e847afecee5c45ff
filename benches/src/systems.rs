//! Random well-conditioned systems of a given size, the same in every run.

/// M, Q, A, b, C as row-major arrays.
pub struct System {
    /// Coordinates.
    pub n: usize,
    /// Constraint rows.
    pub m: usize,
    /// Mass matrix, `G Gᵀ / n + I` with G of unit normal entries.
    pub M: Vec<f64>,
    /// Impressed force.
    pub Q: Vec<f64>,
    /// Constraint matrix of unit normal entries.
    pub A: Vec<f64>,
    /// Right side.
    pub b: Vec<f64>,
    /// Non-ideal part.
    pub C: Vec<f64>,
}

impl System {
    /// A system of n coordinates and m rows.
    pub fn random(n: usize, m: usize) -> Self {
        let mut normal = Normal(0x9e37_79b9_7f4a_7c15 ^ ((n as u64) << 20 | m as u64));
        let mut draw = |count: usize| (0..count).map(|_| normal.next()).collect::<Vec<f64>>();
        let G = draw(n * n);
        let mut M = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                let sum: f64 = (0..n).map(|k| G[i * n + k] * G[j * n + k]).sum();
                M[i * n + j] = sum / n as f64 + f64::from(i == j);
            }
        }
        Self { n, m, M, Q: draw(n), A: draw(m * n), b: draw(m), C: draw(n) }
    }
}

/// Normal numbers from splitmix64 and the sum of twelve uniform ones.
struct Normal(u64);

impl Normal {
    fn next(&mut self) -> f64 {
        let mut uniform = || {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
        };
        (0..12).map(|_| uniform()).sum::<f64>() - 6.0
    }
}
