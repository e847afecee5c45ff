//! A generated system: its arrays, and what is known about it without asking the kernel.

use crate::exact::Span;
use holonom::Snapshot;

/// M, Q, A, b and perhaps C, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrays {
    /// n × n, positive semi-definite.
    pub M: Vec<f64>,
    /// n.
    pub Q: Vec<f64>,
    /// m × n.
    pub A: Vec<f64>,
    /// m.
    pub b: Vec<f64>,
    /// n, where the constraints are not ideal.
    pub C: Option<Vec<f64>>,
}

impl Arrays {
    /// The number of coordinates.
    pub fn n(&self) -> usize {
        self.Q.len()
    }

    /// The number of constraint rows.
    pub fn m(&self) -> usize {
        self.b.len()
    }

    /// What the kernel is given.
    pub fn snapshot(&self) -> Snapshot<'_> {
        let snapshot = Snapshot::new(&self.M, &self.Q).constrained(&self.A, &self.b);
        self.C.as_ref().map_or(snapshot, |C| snapshot.nonideal(C))
    }

    /// Row i of A.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.A[i * self.n()..(i + 1) * self.n()]
    }

    /// The rows of A.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &[f64]> + ExactSizeIterator {
        self.A.chunks_exact(self.n())
    }

    /// C, zero where there is none.
    pub fn C_or_zero(&self) -> Vec<f64> {
        self.C.clone().unwrap_or_else(|| vec![0.0; self.n()])
    }

    /// Row j of M.
    pub fn mass_row(&self, j: usize) -> &[f64] {
        &self.M[j * self.n()..(j + 1) * self.n()]
    }
}

/// What is true of a system: by exact arithmetic, or, for rounded data, by how it was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The rank of A.
    pub rank_A: Option<usize>,
    /// The rank of `[M; A]`.
    pub rank_Mhat: Option<usize>,
    /// The rank of M.
    pub mass_rank: Option<usize>,
    /// Whether some q̈ satisfies every row.
    pub consistent: Option<bool>,
    /// Whether Q + C has no part along N(M) ∩ N(A).
    pub balanced: Option<bool>,
    /// The coordinates that N(M) ∩ N(A) reaches.
    pub undetermined: Option<Vec<usize>>,
}

impl Facts {
    /// Everything there is to know, from the numbers themselves, without rounding.
    pub fn of(arrays: &Arrays) -> Facts {
        let n = arrays.n();
        let mut span = Span::of(arrays.rows());
        let rank_A = span.rank();
        let mut with_b = Span::new();
        for (row, b) in arrays.rows().zip(&arrays.b) {
            with_b.add(&[row, &[*b]].concat());
        }
        let mut mass = Span::new();
        for j in 0..n {
            span.add(arrays.mass_row(j));
            mass.add(arrays.mass_row(j));
        }
        let unit = |j: usize| (0..n).map(|i| f64::from(i == j)).collect::<Vec<_>>();
        Facts {
            rank_A: Some(rank_A),
            rank_Mhat: Some(span.rank()),
            mass_rank: Some(mass.rank()),
            consistent: Some(with_b.rank() == rank_A),
            balanced: Some(span.contains_sum(&[&arrays.Q, &arrays.C_or_zero()])),
            undetermined: Some((0..n).filter(|j| !span.contains_sum(&[&unit(*j)])).collect()),
        }
    }
}

/// A system with what is known about it.
#[derive(Clone, Debug)]
pub struct System {
    /// The number it was made from: `generate(seed)` makes it again.
    pub seed: u64,
    /// What was mixed into it.
    pub families: Vec<&'static str>,
    /// The numbers.
    pub arrays: Arrays,
    /// What is true of them.
    pub facts: Facts,
    /// Whether dependencies hold without rounding, so that the answer is defined to the last digit.
    pub exact: bool,
    /// The unit of each coordinate, a power of two: q̈ⱼ/unitⱼ are of comparable size.
    pub units: Vec<f64>,
}

impl System {
    /// Whether a family was mixed in.
    pub fn has(&self, family: &str) -> bool {
        self.families.contains(&family)
    }

    /// Whether the extended-precision reference is affordable and its ranks are known.
    pub fn has_reference(&self) -> bool {
        self.arrays.n() <= 12 && self.facts.rank_A.is_some() && self.facts.rank_Mhat.is_some()
    }
}
