//! From a seed to a system: families of trouble, mixed at random.
//!
//! Exact systems are made of small integers times powers of two (and of 10⁶, 10¹⁵), so that rows that
//! depend on others do so to the last bit, and the facts about them follow from exact arithmetic. They are
//! made in p ≤ n coordinates, z = T q, and then lifted: M = TᵀM′T, A = A′T. The n − p directions w with
//! T w = 0 are free, whatever else is in the system.

use crate::exact::Span;
use crate::mass;
use crate::rounded::rounded;
use crate::system::{Arrays, Facts, System};
use holonom_random::Random;
use holonom_reference::{Matrix, singular_values};

/// The system that belongs to a seed.
pub fn generate(seed: u64) -> System {
    let mut random = Random::new(seed);
    if random.chance(1, 6) { rounded(seed, &mut random) } else { exact(seed, &mut random) }
}

/// Coordinates and rows: mostly up to 12 and 10; sometimes beyond 32, where other code takes over.
pub(crate) fn size(random: &mut Random) -> (usize, usize) {
    if random.chance(1, 40) {
        (random.between(24, 40), random.between(0, 25))
    } else {
        (random.between(1, 12), if random.chance(1, 8) { 0 } else { random.between(1, 10) })
    }
}

fn exact(seed: u64, random: &mut Random) -> System {
    let (n, m) = size(random);
    let free = if n > 1 && random.chance(1, 4) { random.between(1, 3.min(n - 1)) } else { 0 };
    let p = n - free;
    let mut families = Vec::new();
    let lift = Lift::new(random, p, free);
    if free > 0 {
        families.push("free");
    }
    let (mut mass, mut name) = mass::exact(random, p);
    if mass::gap(&lift.mass(&mass)) < mass::CLEAR {
        (mass, name) = (mass::definite(random, p), "mass-definite");
    }
    families.push(name);
    let mut rows = constraint_rows(random, m, p, &mut families);
    // Nearly dependent rows may differ in massless components alone, by less than counts in [M; A]: whether that
    // has full rank is then anybody's guess. So they come with positive definite masses.
    let definite = free == 0 && matches!(name, "mass-definite" | "mass-diagonal" | "mass-graded" | "mass-dense");
    let near = definite && m >= 2 && n <= 12 && random.chance(1, 5) && nearly_repeat_a_row(random, &mut rows, &lift);
    if near {
        families.push("near-dependent");
    }
    let mut b = right_sides(random, &rows, p, near);
    if m > 0 && !near && random.chance(1, 4) {
        contradict(random, &mut b);
        families.push("contradicted");
    }
    let (mut Q, mut C) = forces(random, &mass, &rows, p, &mut families);
    Q = lift.force(&Q);
    C = C.map(|C| lift.force(&C));
    let mut rounding = false;
    if free > 0 {
        rounding = push_free_directions(random, &lift, &mut Q, &mut C, &mut families);
    }
    let contradicted = families.contains(&"contradicted");
    if m > 0 && random.chance(1, 3) {
        scale_rows(random, &mut rows, &mut b, contradicted);
        families.push("scaled-rows");
    }
    let A: Vec<f64> = rows.iter().flat_map(|row| lift.row(row)).collect();
    let mut arrays = Arrays { M: lift.mass(&mass), Q, A, b, C };
    let mut units = vec![1.0; n];
    if !near && random.chance(1, 6) {
        // Rows over thirty orders and units over twelve at once would leave nothing of most numbers.
        let tame = families.contains(&"scaled-rows") || free > 0 || name == "mass-none" || name == "mass-zeros";
        let spread = if tame { 4 } else { random.pick(&[4, 20]) };
        units = (0..n).map(|_| random.power(spread)).collect();
        change_units(&mut arrays, &units);
        families.push("units");
    }
    if random.chance(1, 10) {
        let scale = random.power(30);
        let C = arrays.C.iter_mut().flatten();
        arrays.M.iter_mut().chain(&mut arrays.Q).chain(C).for_each(|x| *x *= scale);
        families.push("stack-scale");
    }
    let mut facts = Facts::of(&arrays);
    if rounding {
        // Q and C cancel along the lifted directions up to rounding. Where the system is free in other
        // directions as well, whether those carry a force has not been worked out.
        facts.balanced = if facts.rank_Mhat == Some(p) { Some(true) } else { None };
    }
    System { seed, families, arrays, facts, exact: true, units }
}

/// Rows over p coordinates: independent ones by intention, then repeated, combined, vanishing, further ones.
fn constraint_rows(random: &mut Random, m: usize, p: usize, families: &mut Vec<&'static str>) -> Vec<Vec<f64>> {
    let most = m.min(p);
    let fresh = if random.chance(1, 3) { most } else { random.between(0, most) };
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for i in 0..m {
        let kind = if i < fresh { 0 } else { random.index(8) };
        rows.push(match kind {
            1..=3 if i > 0 => {
                families.push("repeated-rows");
                rows[random.index(i)].clone()
            }
            4..=5 if i > 0 => {
                families.push("combined-rows");
                let mut sum = vec![0.0; p];
                for _ in 0..random.between(2, 3) {
                    let (other, factor) = (random.index(i), random.pick(&[-2.0, -1.0, 1.0, 2.0, 3.0]));
                    sum.iter_mut().zip(&rows[other]).for_each(|(s, x)| *s += factor * x);
                }
                // Combinations of combinations of combinations would outgrow the bits there are.
                if sum.iter().any(|x| x.abs() > 64.0) { rows[i - 1].clone() } else { sum }
            }
            6 => {
                families.push("zero-rows");
                vec![0.0; p]
            }
            _ => fresh_row(random, p),
        });
    }
    families.sort_unstable();
    families.dedup();
    random.order(m).iter().map(|i| rows[*i].clone()).collect()
}

fn fresh_row(random: &mut Random, p: usize) -> Vec<f64> {
    let sparse = random.chance(1, 2);
    (0..p).map(|_| if sparse && random.chance(2, 3) { 0.0 } else { random.integer(3) }).collect()
}

/// Makes one row equal to another but for 10⁻¹¹ to 10⁻⁹ of one entry, if that leaves the rank as it
/// would be without rounding and the gap not below 10⁻¹¹.
fn nearly_repeat_a_row(random: &mut Random, rows: &mut [Vec<f64>], lift: &Lift) -> bool {
    let p = lift.p;
    let (i, j, column) = (random.index(rows.len()), random.index(rows.len()), random.index(p));
    if i == j || p < 2 || rows[i].iter().all(|x| *x == 0.0) {
        return false;
    }
    let before = rows[j].clone();
    for exponent in (28..=random.between(30, 36)).rev() {
        rows[j] = rows[i].clone();
        rows[j][column] += 2f64.powi(-(exponent as i32));
        let lifted: Vec<Vec<f64>> = rows.iter().map(|row| lift.row(row)).collect();
        let rank = Span::of(lifted.iter().map(Vec::as_slice)).rank();
        let gap = gap(&lifted, rank);
        if (1.2e-11..1e-8).contains(&gap) {
            return true;
        }
    }
    rows[j] = before;
    false
}

/// The smallest singular value that counts, relative to the largest, of rows brought to length one.
pub(crate) fn gap(rows: &[Vec<f64>], rank: usize) -> f64 {
    let length = |row: &[f64]| row.iter().map(|x| x * x).sum::<f64>().sqrt();
    let unit: Vec<f64> = rows
        .iter()
        .filter(|row| length(row) > 0.0)
        .flat_map(|row| row.iter().map(|x| x / length(row)).collect::<Vec<_>>())
        .collect();
    let n = rows.first().map_or(0, Vec::len);
    if rank == 0 || unit.is_empty() {
        return 1.0;
    }
    let values = singular_values(&Matrix::<f64>::from_f64(unit.len() / n, n, &unit));
    values[rank - 1] / values[0]
}

/// b = A x for a moderate x. The right side of nearly dependent rows may also be arbitrary: x is then huge.
fn right_sides(random: &mut Random, rows: &[Vec<f64>], p: usize, near: bool) -> Vec<f64> {
    let x = if random.chance(1, 8) { vec![0.0; p] } else { random.integers(p, 5) };
    let mut b: Vec<f64> = rows.iter().map(|row| dot(row, &x)).collect();
    if near && random.chance(1, 2) && Span::of(rows.iter().map(Vec::as_slice)).rank() == rows.len() {
        b = random.integers(rows.len(), 5);
    }
    b
}

/// Another right side for a row or two. Whether the rows depend on others, so that this is a contradiction,
/// exact arithmetic will say.
fn contradict(random: &mut Random, b: &mut [f64]) {
    for _ in 0..random.between(1, 2) {
        let row = random.index(b.len());
        b[row] += random.pick(&[-1.0, 1.0, 3.0, 40.0, 1024.0]);
    }
}

/// Rows in other units, by exact factors.
fn scale_rows(random: &mut Random, rows: &mut [Vec<f64>], b: &mut [f64], contradicted: bool) {
    let (up, down) = (2f64.powi(20), 2f64.powi(-20));
    // Least squares over rows that differ by 10¹⁵ has no digits left for the short ones.
    let factors: &[f64] =
        if contradicted { &[1.0, 1.0, 1e6, up, down] } else { &[1.0, 1e6, 1e15, up, down, 2f64.powi(-50)] };
    for (row, b) in rows.iter_mut().zip(b) {
        let mut factor = random.pick(factors);
        let rounds = |x: &f64| x.mul_add(factor, -(x * factor)) != 0.0;
        if row.iter().chain([&*b]).any(rounds) {
            factor = up;
        }
        row.iter_mut().chain([b]).for_each(|x| *x *= factor);
    }
}

/// Q and C over p coordinates. Those that are M x + Aᵀy can always be balanced.
fn forces(
    random: &mut Random,
    mass: &[f64],
    rows: &[Vec<f64>],
    p: usize,
    families: &mut Vec<&'static str>,
) -> (Vec<f64>, Option<Vec<f64>>) {
    let normal = |random: &mut Random| {
        let mut force = vec![0.0; p];
        for row in rows {
            let y = random.integer(3);
            force.iter_mut().zip(row).for_each(|(f, a)| *f += a * y);
        }
        force
    };
    let carried = |random: &mut Random| {
        let (x, mut force) = (random.integers(p, 3), normal(random));
        force.iter_mut().zip(mass.chunks_exact(p)).for_each(|(f, row)| *f += dot(row, &x));
        force
    };
    let balanced = random.chance(2, 3);
    let any = |random: &mut Random| if balanced { carried(random) } else { random.integers(p, 9) };
    let Q = if random.chance(1, 10) { vec![0.0; p] } else { any(random) };
    let (C, name) = match random.index(10) {
        0..=2 => (None, "C-absent"),
        3 => (Some(vec![0.0; p]), "C-zero"),
        4..=5 => (Some(normal(random)), "C-normal"),
        6..=7 => match integer_null_vector(rows, p) {
            Some(v) => (Some(mass.chunks_exact(p).map(|row| dot(row, &v)).collect()), "C-tangent"),
            None => (Some(any(random)), "C"),
        },
        _ => (Some(any(random)), "C"),
    };
    families.push(name);
    (Q, C)
}

/// A vector v of small integers with A v = 0, other than zero.
fn integer_null_vector(rows: &[Vec<f64>], p: usize) -> Option<Vec<f64>> {
    // Gauss–Jordan without fractions; numbers that grow too large are not worth the trouble.
    let mut reduced: Vec<(usize, Vec<i64>)> = Vec::new();
    for row in rows {
        if row.iter().any(|x| x.fract() != 0.0) {
            return None;
        }
        let mut new: Vec<i64> = row.iter().map(|x| *x as i64).collect();
        for (leading, old) in &reduced {
            cancel(&mut new, old, *leading)?;
        }
        if let Some(leading) = new.iter().position(|x| *x != 0) {
            for (_, old) in &mut reduced {
                cancel(old, &new, leading)?;
            }
            reduced.push((leading, new));
        }
    }
    let open = (0..p).rev().find(|j| reduced.iter().all(|(leading, _)| leading != j))?;
    let common = reduced.iter().try_fold(1i64, |product, (leading, row)| {
        let next = product.checked_mul(row[*leading] / gcd(product, row[*leading]))?;
        (next.abs() < 1000).then_some(next)
    })?;
    let mut v = vec![0.0; p];
    v[open] = common as f64;
    for (leading, row) in &reduced {
        v[*leading] = (-row[open] * common / row[*leading]) as f64;
    }
    Some(v)
}

/// Takes the entry at `leading` out of a row with the help of another.
fn cancel(row: &mut [i64], other: &[i64], leading: usize) -> Option<()> {
    let (ours, theirs) = (row[leading], other[leading]);
    let divisor = gcd(ours, theirs).max(1);
    for (x, y) in row.iter_mut().zip(other) {
        *x = *x * (theirs / divisor) - y * (ours / divisor);
    }
    let common = row.iter().fold(0, |g, x| gcd(g, *x)).max(1);
    row.iter_mut().for_each(|x| *x /= common);
    row.iter().all(|x| x.abs() < 1000).then_some(())
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// Forces along the free directions: none, ones that cancel (exactly or up to rounding), or ones that do not.
fn push_free_directions(
    random: &mut Random,
    lift: &Lift,
    Q: &mut [f64],
    C: &mut Option<Vec<f64>>,
    families: &mut Vec<&'static str>,
) -> bool {
    let kind = random.index(4);
    for w in lift.free_directions() {
        let t = if kind == 2 { 0.1 * (1.0 + random.integer(9)) } else { random.integer(4) };
        match kind {
            0 => {}
            1 | 2 => {
                let C = C.get_or_insert_with(|| vec![0.0; w.len()]);
                Q.iter_mut().zip(&w).for_each(|(q, w)| *q += w * t);
                C.iter_mut().zip(&w).for_each(|(c, w)| *c -= w * t);
            }
            _ => Q.iter_mut().zip(&w).for_each(|(q, w)| *q += w * t),
        }
    }
    families.push(["free-untouched", "free-cancelled", "free-cancelled-rounded", "free-pushed"][kind]);
    kind == 2
}

/// q̈ⱼ = unitⱼ q̈′ⱼ turns a system for q̈′ into one for q̈.
pub(crate) fn change_units(arrays: &mut Arrays, units: &[f64]) {
    let n = units.len();
    arrays.M.iter_mut().enumerate().for_each(|(at, x)| *x /= units[at / n] * units[at % n]);
    let vectors = arrays.A.iter_mut().enumerate().chain(arrays.Q.iter_mut().enumerate());
    vectors.chain(arrays.C.iter_mut().flatten().enumerate()).for_each(|(at, x)| *x /= units[at % n]);
}

pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// The map T from n coordinates to p: p of the coordinates as they are, plus small multiples of the others.
struct Lift {
    p: usize,
    /// Coordinate of each place: first the p, then the rest.
    order: Vec<usize>,
    /// For each of the rest, how much of it goes into each of the p.
    share: Vec<Vec<f64>>,
}

impl Lift {
    fn new(random: &mut Random, p: usize, free: usize) -> Lift {
        let order = random.order(p + free);
        let share = (0..free)
            .map(|_| (0..p).map(|_| if random.chance(1, 2) { 0.0 } else { random.integer(2) }).collect())
            .collect();
        Lift { p, order, share }
    }

    /// Column of T that belongs to a place, applied to a row over p.
    fn at(&self, row: &[f64], place: usize) -> f64 {
        if place < self.p { row[place] } else { dot(row, &self.share[place - self.p]) }
    }

    /// A row a′ as a′T.
    fn row(&self, row: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.order.len()];
        for (place, coordinate) in self.order.iter().enumerate() {
            out[*coordinate] = self.at(row, place);
        }
        out
    }

    /// A force f′ as Tᵀf′.
    fn force(&self, force: &[f64]) -> Vec<f64> {
        self.row(force)
    }

    /// M′ as TᵀM′T.
    fn mass(&self, mass: &[f64]) -> Vec<f64> {
        let half: Vec<Vec<f64>> = mass.chunks_exact(self.p).map(|row| self.row(row)).collect();
        let n = self.order.len();
        let mut out = vec![0.0; n * n];
        for j in 0..n {
            let column: Vec<f64> = half.iter().map(|row| row[j]).collect();
            for (i, x) in self.row(&column).iter().enumerate() {
                out[i * n + j] = *x;
            }
        }
        out
    }

    /// The directions w with T w = 0.
    fn free_directions(&self) -> Vec<Vec<f64>> {
        let direction = |(rest, share): (usize, &Vec<f64>)| {
            let mut w = vec![0.0; self.order.len()];
            w[self.order[self.p + rest]] = 1.0;
            share.iter().zip(&self.order).for_each(|(s, coordinate)| w[*coordinate] = -s);
            w
        };
        self.share.iter().enumerate().map(direction).collect()
    }
}
