//! Rows, masses and units of any size that doubles hold, in both kernels: the same answer, or a clear error.

#![allow(non_snake_case)]

use holonom::kernel::sparse::{Numeric, Pattern, SparseError, SparseValues, Symbolic};
use holonom::{MotionError, Snapshot, Workspace};

/// A system and the answer to it: accelerations and multipliers.
#[derive(Clone, Debug)]
struct System {
    n: usize,
    M: Vec<f64>,
    Q: Vec<f64>,
    A: Vec<f64>,
    b: Vec<f64>,
    qdd: Vec<f64>,
    lambda: Vec<f64>,
}

impl System {
    /// Five coordinates, the last without mass; three rows, the second of which reaches it.
    fn plain() -> Self {
        let n = 5;
        let mut M = vec![0.0; n * n];
        for (i, j, x) in [(0, 0, 2.0), (0, 1, 0.5), (1, 1, 1.0), (2, 2, 3.0), (3, 3, 1.5), (2, 3, -0.25)] {
            (M[i * n + j], M[j * n + i]) = (x, x);
        }
        let Q = vec![1.0, -9.81, 0.3, 2.0, 0.7];
        let A = vec![
            1.0, -1.0, 0.5, 0.0, 0.0, //
            0.0, 0.25, 1.0, 0.0, 2.0, //
            0.0, 0.0, 1.0, 1.5, 0.0,
        ];
        let b = vec![0.4, -1.0, 0.2];
        let mut system = Self { n, M, Q, A, b, qdd: Vec::new(), lambda: Vec::new() };
        let motion = Workspace::new().solve(&system.snapshot()).unwrap().clone();
        (system.qdd, system.lambda) = (motion.acceleration, motion.reactions);
        system
    }

    /// The same with row 0 written again, half of it.
    fn repeated() -> Self {
        let mut system = Self::plain();
        let row: Vec<f64> = system.A[..system.n].iter().map(|x| 0.5 * x).collect();
        system.A.extend(row);
        system.b.push(0.5 * system.b[0]);
        let all = system.lambda[0];
        // Shared as 1 : ½, the choice of least norm.
        system.lambda[0] = all / 1.25;
        system.lambda.push(0.5 * all / 1.25);
        system
    }

    fn snapshot(&self) -> Snapshot<'_> {
        Snapshot::new(&self.M, &self.Q).constrained(&self.A, &self.b)
    }

    /// Rows in other units.
    fn rows(mut self, factors: &[f64]) -> Self {
        for (i, s) in factors.iter().enumerate() {
            self.A[i * self.n..(i + 1) * self.n].iter_mut().for_each(|a| *a *= s);
            self.b[i] *= s;
            self.lambda[i] /= s;
        }
        self
    }

    /// Forces and masses in another unit.
    fn masses(mut self, factor: f64) -> Self {
        for list in [&mut self.M, &mut self.Q, &mut self.lambda] {
            list.iter_mut().for_each(|x| *x *= factor);
        }
        self
    }

    /// Coordinates in other units: q = u q̃.
    fn units(mut self, units: &[f64]) -> Self {
        let n = self.n;
        for (j, u) in units.iter().enumerate() {
            for i in 0..n {
                self.M[i * n + j] *= u;
                self.M[j * n + i] *= u;
            }
            self.A.iter_mut().skip(j).step_by(n).for_each(|a| *a *= u);
            self.Q[j] *= u;
            self.qdd[j] /= u;
        }
        self
    }

    fn sparse(&self) -> Result<(Vec<f64>, Vec<f64>, usize), SparseError> {
        let (n, m) = (self.n, self.b.len());
        let kept = |i: usize| (0..n).filter(|j| self.A[i * n + j] != 0.0).collect::<Vec<_>>();
        let places: Vec<(usize, usize)> = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))).collect();
        let pattern = Pattern::new(n, (0..m).map(kept), places.iter().copied()).unwrap();
        let symbolic = Symbolic::new(&pattern).unwrap();
        let mass: Vec<f64> = places.iter().map(|(i, j)| self.M[i * n + j]).collect();
        let a: Vec<f64> = self.A.iter().copied().filter(|x| *x != 0.0).collect();
        let values = SparseValues { mass: &mass, a: &a };
        let mut numeric = Numeric::new();
        let ranks = numeric.factor(&symbolic, values)?;
        let (mut x, mut lambda) = (vec![0.0; n], vec![0.0; m]);
        let verdict = numeric.solve(&symbolic, values, &self.Q, &self.b, &mut x, &mut lambda);
        assert!(verdict.consistent && verdict.balanced);
        assert_eq!(ranks.system.rank, n);
        Ok((x, lambda, ranks.constraints.rank))
    }

    /// Both kernels find the answer, to rounding in each number.
    #[track_caller]
    fn holds(&self, name: &str) {
        let motion = Workspace::new().solve(&self.snapshot()).map(|motion| {
            assert!(motion.consistent && motion.is_unique(), "{name}");
            (motion.acceleration.clone(), motion.reactions.clone(), motion.constraint_rank.rank)
        });
        let dense = motion.unwrap_or_else(|error| panic!("{name}: {error}"));
        let sparse = self.sparse().unwrap_or_else(|error| panic!("{name}: {error}"));
        for (kernel, (x, lambda, rank)) in [("dense", dense), ("sparse", sparse)] {
            assert_eq!(rank, 3, "{name}, {kernel}");
            for (found, exact) in x.iter().zip(&self.qdd).chain(lambda.iter().zip(&self.lambda)) {
                assert!((found / exact - 1.0).abs() < 1e-12, "{name}, {kernel}: {found:e} {exact:e}");
            }
        }
    }
}

#[test]
fn rows_of_any_size_count() {
    for exponents in [[-990, 990, 0], [990, -990, 3], [-996, -996, -996], [996, 996, 996], [-600, 700, 990]] {
        let factors = exponents.map(|e| 2f64.powi(e));
        System::plain().rows(&factors).holds(&format!("rows {exponents:?}"));
    }
}

#[test]
fn rows_of_any_size_repeat() {
    // Rows that repeat each other share their load by their sizes, so sizes may differ by what a double holds.
    for exponents in [[-990, 990, 0, -990], [990, -990, 3, 990], [-990, 0, 0, -30], [0, 990, -990, -960]] {
        let factors = exponents.map(|e| 2f64.powi(e));
        let mut system = System::repeated().rows(&factors);
        // λ₀ : λ₃ = s₀ : s₃/2, and s₀ λ₀ + s₃ λ₃/2 is the force that row 0 alone would carry.
        let (force, [s0, s3]) = (System::plain().lambda[0], [factors[0], 0.5 * factors[3]]);
        let (long, short) = if s0 > s3 { (0, 3) } else { (3, 0) };
        let ratio = s0.min(s3) / s0.max(s3);
        system.lambda[long] = force / s0.max(s3) / (1.0 + ratio * ratio);
        system.lambda[short] = system.lambda[long] * ratio;
        system.holds(&format!("rows {exponents:?}"));
    }
}

#[test]
fn masses_of_any_size_count() {
    for exponent in [-990, -600, 600, 990] {
        let (factor, name) = (2f64.powi(exponent), format!("masses 2^{exponent}"));
        System::plain().masses(factor).holds(&name);
        System::plain().masses(factor).rows(&[factor, 0.5 * factor, factor]).holds(&name);
    }
}

#[test]
fn units_of_any_size_count() {
    for exponents in [[490; 5], [-490; 5], [490, 490, 480, 480, 495], [300, 310, 290, 300, 280]] {
        let units = exponents.map(|e| 2f64.powi(e));
        System::plain().units(&units).holds(&format!("units {exponents:?}"));
        System::plain().units(&units).rows(&units[..3]).holds(&format!("units and rows {exponents:?}"));
    }
}

/// Light and heavy in one system, each in a row of its own.
#[test]
fn masses_may_lie_six_hundred_orders_apart() {
    let (light, heavy) = (1e-300, 1e300);
    let system = System {
        n: 2,
        M: vec![light, 0.0, 0.0, heavy],
        Q: vec![2.0 * light, 3.0 * heavy],
        A: vec![1.0, 1.0],
        b: vec![0.0],
        // The heavy one does not notice.
        qdd: vec![-3.0, 3.0],
        lambda: vec![-5.0 * light],
    };
    let motion = Workspace::new().solve(&system.snapshot()).unwrap().clone();
    let (x, lambda, _) = system.sparse().unwrap();
    for (x, lambda) in [(motion.acceleration, motion.reactions), (x, lambda)] {
        assert!(x.iter().zip(&system.qdd).all(|(x, y)| (x / y - 1.0).abs() < 1e-12), "{x:?}");
        assert!((lambda[0] / system.lambda[0] - 1.0).abs() < 1e-12, "{lambda:?}");
    }
}

#[test]
fn what_doubles_do_not_hold_is_an_error() {
    let solve = |M: &[f64], Q: &[f64], A: &[f64], b: &[f64]| {
        Workspace::new().solve(&Snapshot::new(M, Q).constrained(A, b)).map(|motion| motion.acceleration.clone())
    };
    let one = [1.0, 0.0, 0.0, 1.0];
    // A multiplier of 10³¹⁰, an acceleration of 10⁶⁰⁰.
    assert_eq!(solve(&one, &[1e10, 0.0], &[1e-300, 0.0], &[0.0]), Err(MotionError::OutOfRange));
    assert_eq!(solve(&one, &[1.0, 0.0], &[1e-300, 0.0], &[1e300]), Err(MotionError::OutOfRange));
    assert_eq!(solve(&[1e-300, 0.0, 0.0, 1.0], &[1e300, 0.0], &[], &[]), Err(MotionError::OutOfRange));
    // A row that has lost its digits already.
    assert_eq!(solve(&one, &[1.0, 0.0], &[1e-310, 1e-310], &[0.0]), Err(MotionError::OutOfRange));
    // One constraint in units of 10⁻³⁰⁰ and 10³⁰⁰: how it is shared cannot be said.
    assert_eq!(solve(&one, &[1.0, 0.0], &[1e-300, 0.0, 1e300, 0.0], &[0.0; 2]), Err(MotionError::OutOfRange));
    // An entry far too large for the mass of its coordinate is no mass matrix, whatever the sizes.
    let indefinite = solve(&[1e-300, 1e300, 1e300, 1e-300], &[0.0; 2], &[], &[]);
    assert!(matches!(indefinite, Err(MotionError::Indefinite { .. })), "{indefinite:?}");
    // The sparse kernel says so too.
    let pattern = Pattern::new(2, [[0, 1]], [(0, 0), (1, 1)]).unwrap();
    let values = SparseValues { mass: &[1.0, 1.0], a: &[1e-310, 1e-310] };
    let found = Numeric::new().factor(&Symbolic::new(&pattern).unwrap(), values);
    assert_eq!(found.map(|_| ()), Err(SparseError::Motion(MotionError::OutOfRange)));
    // A row of nothing says nothing.
    assert_eq!(solve(&one, &[1.0, 2.0], &[0.0, 0.0], &[0.0]), Ok(vec![1.0, 2.0]));
}

/// The audit of rows of any size, and contradictions in them.
#[test]
fn rows_of_any_size_are_audited() {
    for size in [1e-300, 1e-160, 1e160, 1e300] {
        let (mass, force) = ([1.0, 0.0, 0.0, 1.0], [0.0; 2]);
        let A = [size, size, 2.0 * size, 2.0 * size];
        let mut workspace = Workspace::new();
        let audit = workspace.audit(&Snapshot::new(&mass, &force).constrained(&A, &[size, 2.0 * size])).unwrap();
        assert_eq!((audit.redundant.len(), audit.conflicts.len()), (1, 0), "{size:e}");
        assert_eq!(audit.redundant[0].coefficients, [2.0]);
        let audit = workspace.audit(&Snapshot::new(&mass, &force).constrained(&A, &[size, 3.0 * size])).unwrap();
        assert_eq!(audit.conflicts.len(), 1, "{size:e}");
        // Least squares in the rows as given: 5 (x + y) = 1 + 2·3.
        let found = workspace.motion().acceleration[0];
        assert!((found - 0.7).abs() < 1e-14, "{size:e}: {found}");
    }
}
