//! Bodies with unit quaternions along the axes, up to dust: masses of 10⁻⁶⁰ that belong to a null vector of M.

use holonom_reference::{Matrix, Twofold, lift, motion_by_parts};

use super::{Snapshot, Workspace};

type Vector = [f64; 3];

/// Numbers between −1 and 1 from a generator of its own, so that the cases never change.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let x = (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((x ^ (x >> 32)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn below(&mut self, bound: usize) -> usize {
        ((self.next() + 1.0) / 2.0 * bound as f64) as usize % bound
    }

    fn vector(&mut self) -> Vector {
        [self.next(), self.next(), self.next()]
    }
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn sum(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// How v, turned by a quaternion, changes with its four components.
fn turned(e: [f64; 4], v: Vector) -> [Vector; 4] {
    let b = [e[1], e[2], e[3]];
    let inner = sum(cross(b, v), v.map(|v| e[0] * v));
    let along = |u: Vector| sum(cross(u, inner), cross(b, cross(u, v))).map(|x| 2.0 * x);
    [cross(b, v).map(|x| 2.0 * x), along([1.0, 0.0, 0.0]), along([0.0, 1.0, 0.0]), along([0.0, 0.0, 1.0])]
}

/// M, Q, A, b of bodies of seven coordinates each, and how many rows at the end repeat others.
struct Bodies {
    n: usize,
    mass: Vec<f64>,
    force: Vec<f64>,
    rows: Vec<f64>,
    right: Vec<f64>,
    redundant: usize,
}

impl Bodies {
    /// A chain: the first body at a point that is fixed, each other one at the one before; some hinges.
    fn draw(random: &mut Numbers, dust: f64) -> Self {
        let count = 1 + random.below(3);
        let n = 7 * count;
        let (mut mass, mut rows, mut quaternions) = (vec![0.0; n * n], Vec::new(), Vec::new());
        for body in 0..count {
            let (at, m) = (7 * body, 10_f64.powf(random.next()));
            let thin = [1.0, 1e-2, 1e-4][random.below(3)];
            let mut e = [0.0; 4].map(|_: f64| dust * random.next());
            e[random.below(4)] = if random.below(2) == 0 { 1.0 } else { -1.0 };
            // A rod along some direction, or along an axis.
            let mut rod = random.vector();
            if random.below(2) == 0 {
                rod = [0.0; 3];
                rod[random.below(3)] = 1.0;
            }
            let square: f64 = rod.iter().map(|x| x * x).sum();
            let inertia = |i: usize, j: usize| {
                let one = if i == j { 1.0 + thin } else { 0.0 };
                0.1 * m * (one - rod[i] * rod[j] / square)
            };
            let E = [[-e[1], e[0], e[3], -e[2]], [-e[2], -e[3], e[0], e[1]], [-e[3], e[2], -e[1], e[0]]];
            for a in 0..4 {
                for b in 0..=a {
                    let terms = (0..9).map(|at| E[at / 3][a] * inertia(at / 3, at % 3) * E[at % 3][b]);
                    let entry = 4.0 * terms.sum::<f64>();
                    mass[(at + 3 + a) * n + at + 3 + b] = entry;
                    mass[(at + 3 + b) * n + at + 3 + a] = entry;
                }
            }
            let mut unit = vec![0.0; n];
            for j in 0..7 {
                if j < 3 {
                    mass[(at + j) * (n + 1)] = m;
                } else {
                    unit[at + j] = 2.0 * e[j - 3];
                }
            }
            rows.push(unit);
            quaternions.push(e);
        }
        for body in 0..count {
            let mut joint = vec![vec![0.0; n]; 3];
            for (body, sign) in [(body, 1.0), (body.wrapping_sub(1), -1.0)].into_iter().filter(|(b, _)| *b < count) {
                let change = turned(quaternions[body], random.vector());
                for (i, row) in joint.iter_mut().enumerate() {
                    row[7 * body + i] = sign;
                    (0..4).for_each(|j| row[7 * body + 3 + j] = sign * change[j][i]);
                }
            }
            rows.append(&mut joint);
            // About an axis of its own that stays where it is.
            if random.below(2) == 0 {
                let axis = random.below(3);
                let mut along = [0.0; 3];
                along[axis] = 1.0;
                let change = turned(quaternions[body], along);
                for i in (0..3).filter(|i| *i != axis) {
                    let mut row = vec![0.0; n];
                    (0..4).for_each(|j| row[7 * body + 3 + j] = change[j][i]);
                    rows.push(row);
                }
            }
        }
        let mut right: Vec<f64> = rows.iter().map(|_| random.next()).collect();
        let redundant = random.below(2);
        if redundant == 1 {
            rows.push(rows[count].iter().map(|x| 2.0 * x).collect());
            right.push(2.0 * right[count]);
        }
        let force = (0..n).map(|_| 10.0 * random.next()).collect();
        Self { n, mass, force, rows: rows.concat(), right, redundant }
    }

    /// In 32 digits, from rows that do not repeat others.
    fn acceleration(&self) -> Vec<f64> {
        let (n, m) = (self.n, self.right.len() - self.redundant);
        let M = Matrix::<Twofold>::from_f64(n, n, &self.mass);
        let A = Matrix::from_f64(m, n, &self.rows[..m * n]);
        let b = lift(&self.right[..m]);
        motion_by_parts(&M, &lift(&self.force), &A, &b, &lift(&vec![0.0; n]), m, n).to_f64().qdd
    }
}

#[test]
fn masses_of_dust_cost_no_digits() {
    let mut random = Numbers(7);
    let mut workspace = Workspace::new();
    let dusts =
        [0.0, 1e-300, 1e-165, 1e-164, 1e-30, 1e-25, 1e-20, 1e-18, 1e-17, 1e-16, 1e-15, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6];
    for dust in dusts {
        for case in 0..12 {
            let bodies = Bodies::draw(&mut random, dust);
            let (n, m) = (bodies.n, bodies.right.len());
            let snapshot = Snapshot::new(&bodies.mass, &bodies.force).constrained(&bodies.rows, &bodies.right);
            let right = bodies.acceleration();
            let largest = right.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            for way in ["solve", "held", "audit"] {
                let name = format!("{way}, dust of {dust:e}, case {case}, {n} coordinates, {m} rows");
                let repeated = match way {
                    "held" => {
                        let held = workspace.structure();
                        workspace.solve_held(&snapshot, &held).map(|_| bodies.redundant)
                    }
                    "audit" => workspace.audit(&snapshot).map(|audit| audit.redundant.len()),
                    _ => workspace.solve(&snapshot).map(|_| bodies.redundant),
                };
                assert_eq!(repeated, Ok(bodies.redundant), "{name}");
                let motion = workspace.motion();
                assert_eq!(motion.mass_rank, n / 7 * 6, "{name}");
                assert_eq!(motion.constraint_rank.rank, m - bodies.redundant, "{name}");
                assert!(motion.is_unique() && motion.consistent, "{name}");
                for (x, right) in motion.acceleration.iter().zip(&right) {
                    assert!((x - right).abs() <= 1e-9 * largest, "{name}: {x} is not {right}");
                }
            }
        }
    }
}
