//! A system together with everything that the papers say about it, found in one of two ways.
//!
//! The same law is held against both: what the papers' formulas give in 32 digits, which says that the law is
//! true, and what Holonom's kernel gives in 16, which says that the program obeys it.

use std::sync::OnceLock;

use crate::numbers::{Mat, Random, column, dot, matrix, null, plus, rounded, scalar, size};
use crate::systems::{On, System, systems};
use holonom::{Snapshot, Workspace};
use holonom_reference::{Mbar, Twofold, inverse, motion_by_parts, square_roots};

/// Who found it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The papers' formulas, literally, in 32 digits.
    Reference,
    /// The kernel.
    Kernel,
}

/// A system and what was found about it. Letters are those of the papers.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) source: Source,
    pub(crate) M: Mat,
    pub(crate) Q: Mat,
    pub(crate) A: Mat,
    pub(crate) b: Mat,
    pub(crate) C: Mat,
    /// q̈ of least norm.
    pub(crate) qdd: Mat,
    pub(crate) Qi: Mat,
    pub(crate) Qni: Mat,
    /// Q^c = Qi + Qni.
    pub(crate) Qc: Mat,
    pub(crate) A_plus: Mat,
    pub(crate) Mbar: Mat,
    pub(crate) Mbar_plus: Mat,
    /// K = M K₁.
    pub(crate) K: Mat,
    pub(crate) K1: Mat,
    /// What the papers make of M > 0; of no size for other M.
    pub(crate) root: Mat,
    pub(crate) inverse_root: Mat,
    pub(crate) inverse: Mat,
    pub(crate) B: Mat,
    pub(crate) B_plus: Mat,
    /// a = M⁻¹Q.
    pub(crate) a: Mat,
    /// c = M⁻¹C.
    pub(crate) c: Mat,
    /// An orthonormal basis of the directions in which q̈ is not determined, as columns.
    pub(crate) free: Mat,
    pub(crate) rank_A: usize,
    pub(crate) rank_Mhat: usize,
    seed: u64,
}

/// q̈, Qi and Qni of a system.
pub(crate) struct Answer {
    pub(crate) qdd: Mat,
    free: Mat,
    pub(crate) Qi: Mat,
    pub(crate) Qni: Mat,
}

impl Source {
    fn answer(self, s: &System) -> Answer {
        match self {
            Source::Reference => {
                let [Q, b, C] = [&s.Q, &s.b, &s.C].map(|x| x.entries().to_vec());
                let found = motion_by_parts(&s.M, &Q, &s.A, &b, &C, s.rank_A, s.rank_Mhat);
                let [qdd, Qi, Qni] = [found.qdd, found.Qi, found.Qni].map(|x| Mat::column(&x));
                Answer { qdd, Qi, Qni, free: found.null_space }
            }
            Source::Kernel => {
                let [M, Q, A, b, C] = [&s.M, &s.Q, &s.A, &s.b, &s.C].map(rounded);
                let snapshot = Snapshot::new(&M, &Q).constrained(&A, &b).nonideal(&C);
                let found = holonom::solve(&snapshot).expect("a mechanical system");
                let free = matrix(
                    found.free_directions().count(),
                    s.n(),
                    &found.free_directions().collect::<Vec<_>>().concat(),
                )
                .transpose();
                let [qdd, Qi, Qni] = [found.acceleration, found.ideal_force, found.nonideal_force].map(|x| column(&x));
                Answer { qdd, Qi, Qni, free }
            }
        }
    }
}

impl Case {
    pub(crate) fn new(s: &System, source: Source) -> Case {
        let (n, m) = (s.n(), s.m());
        let Answer { qdd, Qi, Qni, free } = source.answer(s);
        let System { M, Q, A, b, C, rank_A, rank_Mhat, seed, .. } = s.clone();
        let (A_plus, Mbar, Mbar_plus) = match source {
            Source::Reference => {
                let A_plus = plus(&A);
                let Mbar = Mbar(&M, &A, &A_plus);
                let Mbar_plus = plus(&Mbar);
                (A_plus, Mbar, Mbar_plus)
            }
            Source::Kernel => {
                let [M, Q, A, b] = [&M, &Q, &A, &b].map(rounded);
                let snapshot = Snapshot::new(&M, &Q).constrained(&A, &b);
                let form = Workspace::new().explicit_form(&snapshot).expect("a mechanical system");
                let A_plus = matrix(n, m, &form.pseudo_inverse);
                (A_plus, matrix(n + m, n, &form.stacked), matrix(n, n + m, &form.stacked_inverse))
            }
        };
        let none = || Mat::zeros(0, 0);
        let [mut root, mut inverse_root, mut M_inverse, mut B, mut B_plus, mut a, mut c] = [(); 7].map(|()| none());
        let mut K1 = Mbar_plus.columns(n..n + m);
        if s.mass_rank == n {
            (root, inverse_root) = square_roots(&M).expect("M > 0");
            M_inverse = inverse(&M).expect("M > 0");
            B = &A * &inverse_root;
            match source {
                Source::Reference => {
                    B_plus = plus(&B);
                    K1 = &inverse_root * &B_plus;
                    (a, c) = (&M_inverse * &Q, &M_inverse * &C);
                }
                Source::Kernel => {
                    B_plus = &root * &K1;
                    let free = |force: &Mat| source.answer(&without_constraints(s, force)).qdd;
                    (a, c) = (free(&Q), free(&C));
                }
            }
        }
        let (Qc, K, inverse) = (&Qi + &Qni, &M * &K1, M_inverse);
        Case {
            source,
            M,
            Q,
            A,
            b,
            C,
            qdd,
            Qi,
            Qni,
            Qc,
            A_plus,
            Mbar,
            Mbar_plus,
            K,
            K1,
            root,
            inverse_root,
            inverse,
            B,
            B_plus,
            a,
            c,
            free,
            rank_A,
            rank_Mhat,
            seed,
        }
    }

    pub(crate) fn n(&self) -> usize {
        self.M.rows()
    }

    pub(crate) fn m(&self) -> usize {
        self.A.rows()
    }

    /// The identity of order n.
    pub(crate) fn I(&self) -> Mat {
        Mat::identity(self.n())
    }

    /// I − A⁺A, the projector on virtual displacements.
    pub(crate) fn N(&self) -> Mat {
        self.I() - &self.A_plus * &self.A
    }

    /// I − B⁺B.
    pub(crate) fn R(&self) -> Mat {
        self.I() - &self.B_plus * &self.B
    }

    /// V = M^{1/2}(I − A⁺A).
    pub(crate) fn V(&self) -> Mat {
        &self.root * self.N()
    }

    /// J = (BᵀB + VVᵀ)⁻¹.
    pub(crate) fn J(&self) -> Mat {
        let V = self.V();
        inverse(&(self.B.transpose() * &self.B + &V * V.transpose())).unwrap_or_else(|| Mat::zeros(0, 0))
    }

    /// The size of the forces, by which their rounding is measured.
    pub(crate) fn force_size(&self) -> f64 {
        [&self.Q, &self.C, &self.Qc, &(&self.M * &self.qdd)].iter().map(|x| size(x)).fold(0.0, f64::max)
    }

    /// [Q + C; b].
    pub(crate) fn right_side(&self) -> Mat {
        (&self.Q + &self.C).stack(&self.b)
    }

    /// A vector that is nothing special, another for every name.
    pub(crate) fn any(&self, name: char, length: usize) -> Mat {
        Random::new(self.seed ^ u64::from(name) << 32).vector(length)
    }

    /// Virtual displacements: a basis of N(A), and one that is nothing special.
    pub(crate) fn virtual_displacements(&self) -> Vec<Mat> {
        let Z = null(&self.A);
        let mut all: Vec<Mat> = (0..Z.cols()).map(|j| Z.columns(j..j + 1)).collect();
        if Z.cols() > 0 {
            all.push(&Z * self.any('v', Z.cols()));
        }
        all
    }

    /// Accelerations that satisfy A q̈ = b: the motion, and the motion with virtual displacements added.
    pub(crate) fn possible_accelerations(&self) -> Vec<Mat> {
        let moved = self.virtual_displacements().into_iter().map(|v| &self.qdd + v);
        std::iter::once(self.qdd.clone()).chain(moved).collect()
    }

    /// Gauss's function with C: ‖q̈ − a − c‖²_M, for M > 0.
    pub(crate) fn gauss(&self, qdd: &Mat) -> Mat {
        let deviation = qdd - &self.a - &self.c;
        dot(&deviation, &(&self.M * &deviation))
    }

    /// The answer for other data, found in the same way; ranks stay what they are.
    pub(crate) fn again(&self, Q: &Mat, b: &Mat, C: &Mat) -> Answer {
        let system = System { Q: Q.clone(), b: b.clone(), C: C.clone(), ..self.system() };
        self.source.answer(&system)
    }

    /// The acceleration under a force without any constraint, of least norm.
    pub(crate) fn unconstrained(&self, force: &Mat) -> Mat {
        self.source.answer(&without_constraints(&self.system(), force)).qdd
    }

    fn system(&self) -> System {
        let Case { M, Q, A, b, C, rank_A, rank_Mhat, seed, .. } = self.clone();
        let mass_rank = crate::numbers::rank(&M);
        System { M, Q, A, b, C, rank_A, rank_Mhat, mass_rank, seed }
    }

    /// Everything that was computed, off by a thousandth: a law that still holds says nothing about it.
    #[cfg(test)]
    pub(crate) fn spoiled(&self) -> Case {
        let mut random = Random::new(self.seed ^ 77);
        let mut spoil = |x: &Mat| {
            let size = Twofold::from(1e-3 * (1.0 + size(x)));
            x + random.matrix(x.rows(), x.cols()).scaled(size)
        };
        let mut case = self.clone();
        for x in [
            &mut case.qdd,
            &mut case.Qi,
            &mut case.Qni,
            &mut case.A_plus,
            &mut case.Mbar,
            &mut case.Mbar_plus,
            &mut case.K,
            &mut case.K1,
            &mut case.B_plus,
            &mut case.B,
            &mut case.root,
            &mut case.inverse_root,
            &mut case.a,
            &mut case.c,
            &mut case.Qc,
            &mut case.free,
        ] {
            *x = spoil(x);
        }
        case.rank_A += 1;
        case.rank_Mhat -= 1;
        case
    }
}

fn without_constraints(s: &System, force: &Mat) -> System {
    let (n, mass_rank) = (s.n(), s.mass_rank);
    let (A, b, C) = (Mat::zeros(0, n), Mat::zeros(0, 1), Mat::zeros(n, 1));
    System { Q: force.clone(), A, b, C, rank_A: 0, rank_Mhat: mass_rank, ..s.clone() }
}

/// The cases that a law speaks about, in 32 digits and then as the kernel has them.
pub(crate) fn cases(on: On) -> &'static [[Case; 2]] {
    static ALL: [OnceLock<Vec<[Case; 2]>>; 4] = [const { OnceLock::new() }; 4];
    ALL[on as usize].get_or_init(|| {
        systems(on).iter().map(|s| [Source::Reference, Source::Kernel].map(|source| Case::new(s, source))).collect()
    })
}

/// What came of holding one law against one case.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ledger {
    /// The greatest relative difference.
    pub(crate) worst: f64,
    /// How many comparisons were made.
    pub(crate) compared: usize,
}

impl Ledger {
    /// Equal, relative to the greatest number on either side.
    pub(crate) fn equal(&mut self, left: &Mat, right: &Mat) {
        self.beside(left, right, 0.0);
    }

    /// Equal, relative to the size of what both sides are made of.
    pub(crate) fn beside(&mut self, left: &Mat, right: &Mat, whole: f64) {
        self.compared += 1;
        if (left.rows(), left.cols()) != (right.rows(), right.cols()) {
            self.worst = f64::INFINITY; // not even of one shape
            return;
        }
        let apart = size(&(left - right));
        let whole = whole.max(size(left)).max(size(right));
        if apart.is_nan() || whole.is_nan() {
            self.worst = f64::INFINITY;
        } else if apart > 0.0 {
            self.worst = self.worst.max(apart / whole);
        }
    }

    /// Forces are equal, relative to the forces of the case.
    pub(crate) fn forces(&mut self, s: &Case, left: &Mat, right: &Mat) {
        self.beside(left, right, s.force_size());
    }

    /// Accelerations are equal, relative to the accelerations of the case.
    pub(crate) fn accelerations(&mut self, s: &Case, left: &Mat, right: &Mat) {
        let free = if s.a.rows() > 0 { size(&s.a).max(size(&s.c)) } else { 0.0 };
        self.beside(left, right, size(&s.qdd).max(size(&s.b)).max(free));
    }

    /// Works on a displacement v are equal, relative to the forces of the case.
    pub(crate) fn works(&mut self, s: &Case, v: &Mat, left: &Mat, right: &Mat) {
        self.beside(left, right, size(v) * s.force_size());
    }

    /// Nothing but rounding beside something.
    pub(crate) fn vanishes(&mut self, x: &Mat, beside: f64) {
        let zero = Mat::zeros(x.rows(), x.cols());
        self.beside(x, &zero, beside);
    }

    /// True.
    pub(crate) fn holds(&mut self, truth: bool) {
        self.compared += 1;
        if !truth {
            self.worst = f64::INFINITY;
        }
    }

    /// Penrose's four conditions: X is A⁺.
    pub(crate) fn penrose(&mut self, A: &Mat, X: &Mat) {
        let (AX, XA) = (A * X, X * A);
        self.equal(&(&AX * A), A);
        self.equal(&(&XA * X), X);
        self.beside(&AX.transpose(), &AX, 1.0);
        self.beside(&XA.transpose(), &XA, 1.0);
    }

    /// One number is greater or equal, up to rounding.
    pub(crate) fn not_less(&mut self, greater: &Mat, less: &Mat) {
        let gap = (less - greater).get(0, 0);
        let gap = if gap > Twofold::default() { gap } else { Twofold::default() };
        self.vanishes(&scalar(gap), size(greater).max(size(less)));
    }
}
