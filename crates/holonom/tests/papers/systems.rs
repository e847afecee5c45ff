//! Systems to try the statements on, degenerate ones among them, with the kernel's answers and the exact matrices.

use crate::support::*;
use holonom::{Motion, Snapshot, Workspace, kernel::ExplicitForm, solve};
use holonom_reference::{Twofold, inverse, square_roots};

/// One instant of a mechanical system, every number exact.
#[derive(Clone, Debug)]
pub struct System {
    pub name: &'static str,
    pub M: Mat,
    pub Q: Mat,
    pub A: Mat,
    pub b: Mat,
    pub C: Mat,
    flat: [Vec<f64>; 5],
}

/// What the kernel found, as vectors: `M q̈ = Q + Qc`, `Qc = Qi + Qni`.
pub struct Found {
    pub qdd: Mat,
    pub Qi: Mat,
    pub Qni: Mat,
    pub Qc: Mat,
}

/// What the papers make of M > 0.
pub struct Roots {
    pub root: Mat,
    pub inverse_root: Mat,
    pub inverse: Mat,
    pub B: Mat,
    pub B_plus: Mat,
    pub a: Mat,
    pub c: Mat,
}

impl System {
    pub fn new(name: &'static str, M: Mat, Q: Mat, A: Mat, b: Mat, C: Mat) -> System {
        let flat = [&M, &Q, &A, &b, &C].map(rounded);
        System { name, M, Q, A, b, C, flat }
    }

    pub fn n(&self) -> usize {
        self.M.rows()
    }

    pub fn m(&self) -> usize {
        self.A.rows()
    }

    /// The identity of order n.
    pub fn I(&self) -> Mat {
        Mat::identity(self.n())
    }

    /// What the kernel is given.
    pub fn snapshot(&self) -> Snapshot<'_> {
        println!("{}: n = {}, m = {}", self.name, self.n(), self.m()); // shown where a test fails
        let [M, Q, A, b, C] = &self.flat;
        let ideal = Snapshot::new(M, Q).constrained(A, b);
        if C.iter().all(|x| *x == 0.0) { ideal } else { ideal.nonideal(C) }
    }

    /// The same with other data.
    pub fn with_C(&self, C: &Mat) -> System {
        let System { name, M, Q, A, b, .. } = self.clone();
        System::new(name, M, Q, A, b, C.clone())
    }

    pub fn with_b(&self, b: &Mat) -> System {
        let System { name, M, Q, A, C, .. } = self.clone();
        System::new(name, M, Q, A, b.clone(), C)
    }

    pub fn with_Q(&self, Q: &Mat) -> System {
        let System { name, M, A, b, C, .. } = self.clone();
        System::new(name, M, Q.clone(), A, b, C)
    }

    /// The same with ideal constraints.
    pub fn ideal(&self) -> System {
        self.with_C(&Mat::zeros(self.n(), 1))
    }

    /// The same without any.
    pub fn unconstrained(&self) -> System {
        let System { name, M, Q, C, .. } = self.clone();
        let A = Mat::zeros(0, M.rows());
        System::new(name, M, Q, A, Mat::zeros(0, 1), C)
    }

    /// The kernel's answer.
    pub fn motion(&self) -> Motion {
        solve(&self.snapshot()).expect(self.name)
    }

    /// The kernel's answer, as vectors.
    pub fn found(&self) -> Found {
        let motion = self.motion();
        let [qdd, Qi, Qni] = [motion.acceleration, motion.ideal_force, motion.nonideal_force].map(|x| column(&x));
        let Qc = &Qi + &Qni;
        Found { qdd, Qi, Qni, Qc }
    }

    /// The papers' matrices as the kernel gives them.
    pub fn form(&self) -> ExplicitForm {
        Workspace::new().explicit_form(&self.snapshot()).expect(self.name)
    }

    /// Kernel: A⁺.
    pub fn A_plus(&self) -> Mat {
        matrix(self.n(), self.m(), &self.form().pseudo_inverse)
    }

    /// Kernel: K₁.
    pub fn K1(&self) -> Mat {
        matrix(self.n(), self.m(), &self.form().acceleration_gain)
    }

    /// Kernel: M̄.
    pub fn Mbar(&self) -> Mat {
        matrix(self.n() + self.m(), self.n(), &self.form().stacked)
    }

    /// Kernel: M̄⁺.
    pub fn Mbar_plus(&self) -> Mat {
        matrix(self.n(), self.n() + self.m(), &self.form().stacked_inverse)
    }

    /// I − A⁺A, exactly: the projector on virtual displacements.
    pub fn N(&self) -> Mat {
        self.I() - plus(&self.A) * &self.A
    }

    /// M^{1/2}, B and so on, exactly; for M > 0.
    pub fn roots(&self) -> Roots {
        let (root, inverse_root) = square_roots(&self.M).expect(self.name);
        let inverse = inverse(&self.M).expect(self.name);
        let B = &self.A * &inverse_root;
        let (B_plus, a, c) = (plus(&B), &inverse * &self.Q, &inverse * &self.C);
        Roots { root, inverse_root, inverse, B, B_plus, a, c }
    }

    /// Virtual displacements: a basis of N(A), and one that is nothing special.
    pub fn virtual_displacements(&self) -> Vec<Mat> {
        let Z = null(&self.A);
        let mut all: Vec<Mat> = (0..Z.cols()).map(|j| Z.columns(j..j + 1)).collect();
        if Z.cols() > 0 {
            all.push(&Z * Random::new(7).vector(Z.cols()) + Z.columns(0..1).scaled(Twofold::from(3.0)));
        }
        all
    }
}

/// How to draw a system: sizes and ranks, and the binary orders that its masses span.
struct Recipe {
    name: &'static str,
    n: usize,
    mass_rank: usize,
    rank: usize,
    rows: usize,
    orders: i32,
}

fn recipe(name: &'static str, [n, mass_rank, rank, rows]: [usize; 4], orders: i32) -> Recipe {
    Recipe { name, n, mass_rank, rank, rows, orders }
}

impl Recipe {
    /// Draws until the ranks are as asked. Rows beyond the rank are a copy, a row of zeros, a combination.
    fn draw(&self, random: &mut Random, system_rank: usize, balanced: bool) -> System {
        let Recipe { name, n, mass_rank, rank: k, rows, orders } = *self;
        loop {
            let D: Vec<Twofold> =
                (0..n).map(|i| Twofold::from(2f64.powi(orders * i as i32 / n as i32 - orders / 2))).collect();
            let G = Mat::diagonal(&D) * random.matrix(n, mass_rank);
            let mut M = &G * G.transpose();
            if mass_rank == n {
                M = M + Mat::diagonal(&D) * Mat::diagonal(&D);
            }
            let L = Mat::from_fn(rows, k, |i, j| {
                Twofold::from(match i.checked_sub(k).map(|extra| extra % 3) {
                    None => f64::from(i == j),
                    Some(0) => 2.0 * f64::from(j == 0),
                    Some(1) => 0.0,
                    Some(_) => 1.0 - j as f64,
                })
            });
            let A = L * random.matrix(k, n);
            let b = &A * random.vector(n);
            let mut force = || match balanced {
                true => &M * random.vector(n) + A.transpose() * random.vector(rows),
                false => random.vector(n),
            };
            let (Q, C) = (force(), force());
            if rank(&M) == mass_rank && rank(&A) == k && rank(&M.stack(&A)) == system_rank {
                return System::new(name, M, Q, A, b, C);
            }
        }
    }
}

/// Systems with M > 0, some of them with redundant rows, as many constraints as coordinates, or none.
pub fn definite() -> Vec<System> {
    let recipes = [
        recipe("one row", [3, 3, 1, 1], 0),
        recipe("independent rows", [5, 5, 3, 3], 0),
        recipe("a row twice", [4, 4, 2, 3], 0),
        recipe("a copy, zeros and a combination", [6, 6, 3, 6], 0),
        recipe("masses over six orders, rows repeated", [5, 5, 2, 4], 10),
        recipe("no freedom left", [3, 3, 3, 4], 0),
        recipe("no constraint", [3, 3, 0, 0], 0),
        recipe("nothing but rows of zeros", [2, 2, 0, 2], 0),
    ];
    let mut random = Random::new(1992);
    recipes.iter().map(|r| r.draw(&mut random, r.n, false)).collect()
}

/// Systems with singular M whose motion is unique all the same.
pub fn singular() -> Vec<System> {
    let recipes = [
        recipe("one massless direction", [3, 2, 1, 1], 0),
        recipe("two massless directions, a row twice", [5, 3, 2, 3], 0),
        recipe("a copy, zeros and a combination", [6, 4, 3, 6], 0),
        recipe("one mass, all else constrained", [4, 1, 3, 3], 0),
        recipe("masses over six orders", [5, 3, 3, 4], 10),
        recipe("no mass at all", [3, 0, 3, 4], 0),
    ];
    let mut random = Random::new(2006);
    recipes.iter().map(|r| r.draw(&mut random, r.n, false)).collect()
}

/// Systems whose motion is not unique: [M; A] lacks rank. Forces along the free directions vanish if asked.
pub fn not_unique(balanced: bool) -> Vec<System> {
    let recipes = [
        (2, recipe("one free direction", [3, 1, 1, 1], 0)),
        (4, recipe("one free direction, a row twice", [5, 3, 1, 2], 0)),
        (4, recipe("two free directions, redundant rows", [6, 2, 2, 5], 0)),
        (1, recipe("masses but no constraint", [2, 1, 0, 0], 0)),
    ];
    let mut random = Random::new(214);
    let mut all: Vec<System> = recipes.iter().map(|(rank, r)| r.draw(&mut random, *rank, balanced)).collect();
    // All mass lies where a constraint holds it, and the third coordinate of some basis has neither.
    let A = matrix(3, 3, &[1.0, 2.0, -1.0, 0.5, 0.0, 1.0, 2.0, 4.0, -2.0]);
    let row = matrix(1, 3, &[1.0, 2.0, -1.0]);
    let (M, b) = (row.transpose() * &row, &A * random.vector(3));
    let force = A.transpose() * random.vector(3) + random.vector(3).scaled(Twofold::from(f64::from(!balanced)));
    all.push(System::new("mass only where constraints are", M, force.clone(), A, b, force));
    all
}

/// Every kind of system that has a motion.
pub fn every() -> Vec<System> {
    [definite(), singular(), not_unique(true)].concat()
}

/// p particles in space: M is diagonal, with each mass three times.
pub fn particles() -> Vec<System> {
    let mut random = Random::new(3);
    let mut all = Vec::new();
    for (name, p, k, rows) in [
        ("a particle on a surface", 1, 1, 1),
        ("two particles, a row twice", 2, 2, 3),
        ("three particles, many redundant rows", 3, 4, 8),
        ("a particle held fast", 1, 3, 3),
        ("a free particle", 1, 0, 0),
    ] {
        let n = 3 * p;
        let like = recipe(name, [n, n, k, rows], 0).draw(&mut random, n, false);
        let masses: Vec<Twofold> = (0..n).map(|i| Twofold::from([0.5, 3.0, 40.0][i / 3])).collect();
        all.push(System::new(name, Mat::diagonal(&masses), like.Q, like.A, like.b, like.C));
    }
    all
}
