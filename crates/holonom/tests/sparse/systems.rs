//! Systems with few entries: chains, ladders, trees, trusses, four-bars, and ways to spoil them.

use std::collections::BTreeMap;

use holonom::kernel::sparse::{Numeric, Pattern, SparseRanks, SparseValues, SparseVerdict, Symbolic};
use holonom_random::Random;

fn direction(random: &mut Random) -> [f64; 2] {
    let (sin, cos) = (3.2 * random.real()).sin_cos();
    [cos, sin]
}

/// Points in the plane, two coordinates each, with rows over some of them.
#[derive(Clone, Default)]
pub struct System {
    pub n: usize,
    pub rows: Vec<Vec<(usize, f64)>>,
    /// The lower triangle.
    pub mass: BTreeMap<(usize, usize), f64>,
    pub force: Vec<f64>,
    pub right: Vec<f64>,
}

impl System {
    fn points(count: usize, random: &mut Random) -> Self {
        let mut system = Self { n: 2 * count, ..Self::default() };
        for j in 0..system.n {
            system.mass.insert((j, j), 1.0 + 0.5 * random.real());
            system.force.push(5.0 * random.real());
        }
        system
    }

    pub fn rod(&mut self, from: Option<usize>, to: usize, [dx, dy]: [f64; 2], right: f64) {
        let mut row = vec![(2 * to, dx), (2 * to + 1, dy)];
        if let Some(from) = from {
            row.extend([(2 * from, -dx), (2 * from + 1, -dy)]);
        }
        row.sort_by_key(|entry| entry.0);
        self.rows.push(row);
        self.right.push(right);
    }

    /// Adds a row that others add up to, with a right side that is off by `gap`.
    pub fn combine(&mut self, parts: &[(usize, f64)], gap: f64) {
        let (mut row, mut right) = (BTreeMap::new(), gap);
        for (i, c) in parts {
            for (j, x) in &self.rows[*i] {
                *row.entry(*j).or_insert(0.0) += c * x;
            }
            right += c * self.right[*i];
        }
        self.rows.push(row.into_iter().collect());
        self.right.push(right);
    }

    /// Takes all mass from a coordinate.
    pub fn lighten(&mut self, j: usize) {
        let concerned = self.mass.iter_mut().filter(|(at, _)| at.0 == j || at.1 == j);
        concerned.for_each(|(_, x)| *x = 0.0);
    }

    pub fn pattern(&self) -> Pattern {
        let rows = self.rows.iter().map(|row| row.iter().map(|entry| entry.0).collect::<Vec<_>>());
        Pattern::new(self.n, rows, self.mass.keys().copied()).unwrap()
    }

    /// The numbers in the order of the pattern: M and A.
    pub fn numbers(&self) -> (Vec<f64>, Vec<f64>) {
        (self.mass.values().copied().collect(), self.rows.iter().flatten().map(|entry| entry.1).collect())
    }

    /// M and A with all their zeros.
    pub fn dense(&self) -> (Vec<f64>, Vec<f64>) {
        let n = self.n;
        let (mut M, mut A) = (vec![0.0; n * n], vec![0.0; n * self.rows.len()]);
        for (&(i, j), x) in &self.mass {
            (M[i * n + j], M[j * n + i]) = (*x, *x);
        }
        for (i, row) in self.rows.iter().enumerate() {
            row.iter().for_each(|(j, x)| A[i * n + j] = *x);
        }
        (M, A)
    }

    pub fn solve(&self) -> Solved {
        let symbolic = Symbolic::new(&self.pattern()).unwrap();
        let mut numeric = Numeric::new();
        let (mass, a) = self.numbers();
        let values = SparseValues { mass: &mass, a: &a };
        let ranks = numeric.factor(&symbolic, values).unwrap();
        let (mut x, mut lambda) = (vec![0.0; self.n], vec![0.0; self.rows.len()]);
        let verdict = numeric.solve(&symbolic, values, &self.force, &self.right, &mut x, &mut lambda);
        Solved { ranks, verdict, x, lambda, numeric, symbolic }
    }
}

pub struct Solved {
    pub ranks: SparseRanks,
    pub verdict: SparseVerdict,
    pub x: Vec<f64>,
    pub lambda: Vec<f64>,
    pub numeric: Numeric,
    pub symbolic: Symbolic,
}

pub fn chain(links: usize, random: &mut Random) -> System {
    let mut system = System::points(links, random);
    for i in 0..links {
        let (d, b) = (direction(random), random.real());
        system.rod(i.checked_sub(1), i, d, b);
    }
    system
}

/// Two chains with rungs: loops.
pub fn ladder(length: usize, random: &mut Random) -> System {
    let mut system = System::points(2 * length, random);
    for i in 0..length {
        for side in 0..2 {
            let (d, b) = (direction(random), random.real());
            system.rod((i > 0).then(|| 2 * i - 2 + side), 2 * i + side, d, b);
        }
        if i % 3 == 1 {
            let (d, b) = (direction(random), random.real());
            system.rod(Some(2 * i), 2 * i + 1, d, b);
        }
    }
    system
}

pub fn tree(points: usize, random: &mut Random) -> System {
    let mut system = System::points(points, random);
    for i in 0..points {
        let (d, b) = (direction(random), random.real());
        let parent = (i > 0).then(|| random.index(i));
        system.rod(parent, i, d, b);
    }
    system
}

/// A grid of points with bars along it and across; `bars` from −1 (none) to 1 (all, more than the points can use).
pub fn truss(width: usize, height: usize, bars: f64, random: &mut Random) -> System {
    let mut system = System::points(width * height, random);
    let place: Vec<[f64; 2]> = (0..width * height)
        .map(|p| [(p % width) as f64 + 0.2 * random.real(), (p / width) as f64 + 0.2 * random.real()])
        .collect();
    // Right sides that some motion meets.
    let x: Vec<f64> = (0..2 * width * height).map(|_| random.real()).collect();
    for p in 0..width * height {
        let (right, up) = (p % width + 1 < width, p / width + 1 < height);
        let candidates =
            [(right, p, p + 1), (up, p, p + width), (right && up, p, p + width + 1), (right && up, p + 1, p + width)];
        for (_, p, q) in candidates.into_iter().filter(|(there, ..)| *there) {
            if random.real() < bars {
                let d = [place[q][0] - place[p][0], place[q][1] - place[p][1]];
                let b = d[0] * (x[2 * q] - x[2 * p]) + d[1] * (x[2 * q + 1] - x[2 * p + 1]);
                system.rod(Some(p), q, d, b);
            }
        }
    }
    system
}

/// Cranks of 1 m and 1 kg side by side, joined by couplers of the same, at an angle from the upright and with a speed.
/// At 90° the rank falls from 2N + 1 to N + 1.
pub fn fourbars(count: usize, angle: f64, speed: f64) -> System {
    let mut system = System { n: 2 * (count + 1), ..System::default() };
    let (sin, cos) = angle.sin_cos();
    for p in 0..=count {
        let couplers = f64::from(p > 0) + f64::from(p < count);
        for c in 0..2 {
            system.mass.insert((2 * p + c, 2 * p + c), (1.0 + couplers) / 3.0);
            if p > 0 {
                system.mass.insert((2 * p + c, 2 * p - 2 + c), 1.0 / 6.0);
            }
        }
        system.force.extend([0.0, -9.81 * 0.5 * (1.0 + couplers)]);
        system.rod(None, p, [2.0 * sin, 2.0 * cos], -2.0 * speed * speed);
        if p > 0 {
            system.rod(Some(p - 1), p, [2.0, 0.0], 0.0);
        }
    }
    system
}
