//! Independent solutions: an extrapolation method of order 16 on equations written by hand. Nothing of the library is used.

/// y′ = f(t, y) from 0 to `until`, with twice the steps until nothing but rounding changes.
pub fn integrate(f: impl Fn(f64, &[f64]) -> Vec<f64>, start: &[f64], until: f64, steps: usize) -> Vec<f64> {
    let mut rough = fixed(&f, start, until, steps);
    for doubled in 1..6 {
        let fine = fixed(&f, start, until, steps << doubled);
        let size = fine.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
        let change = rough.iter().zip(&fine).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
        rough = fine;
        if change < 3e-12 * size {
            return rough;
        }
    }
    panic!("the truth does not converge");
}

/// The same in so many steps by Gragg's method, extrapolated (Hairer, Nørsett & Wanner, II.9). Increments are extrapolated, and
/// added with what rounding cuts off them, so that the error is near the rounding of the result.
fn fixed(f: &impl Fn(f64, &[f64]) -> Vec<f64>, start: &[f64], until: f64, steps: usize) -> Vec<f64> {
    const ROWS: usize = 8;
    let h = until / steps as f64;
    let (mut y, mut rest) = (start.to_vec(), vec![0.0; start.len()]);
    for step in 0..steps {
        let t = step as f64 * h;
        let mut table: Vec<Vec<f64>> = Vec::new();
        for row in 0..ROWS {
            let mut column = midpoint(f, t, &y, h, 2 * (row + 1));
            for (k, before) in table.iter_mut().enumerate() {
                // Aitken and Neville in h².
                let ratio = ((row + 1) as f64 / (row - k) as f64).powi(2);
                let better: Vec<f64> =
                    column.iter().zip(before.iter()).map(|(a, b)| a + (a - b) / (ratio - 1.0)).collect();
                *before = std::mem::replace(&mut column, better);
            }
            table.push(column);
        }
        let best = &table[ROWS - 1];
        for ((y, rest), d) in y.iter_mut().zip(&mut rest).zip(best) {
            let d = d + *rest;
            let sum = *y + d;
            *rest = d - (sum - *y);
            *y = sum;
        }
    }
    y
}

/// The increment of one step.
fn midpoint(f: &impl Fn(f64, &[f64]) -> Vec<f64>, t: f64, y: &[f64], h: f64, parts: usize) -> Vec<f64> {
    let part = h / parts as f64;
    let plus = |a: &[f64], s: f64, b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a + s * b).collect() };
    let mut before = vec![0.0; y.len()];
    let mut now = plus(&before, part, &f(t, y));
    for i in 1..parts {
        let next = plus(&before, 2.0 * part, &f(t + i as f64 * part, &plus(y, 1.0, &now)));
        before = std::mem::replace(&mut now, next);
    }
    now
}

/// Solves a x = b by elimination with complete row pivoting.
pub fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).expect("rows");
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            let (top, rest) = a.split_at_mut(i);
            rest[0][k..].iter_mut().zip(&top[k][k..]).for_each(|(x, y)| *x -= factor * y);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - sum) / a[k][k];
    }
    b
}

/// A row ½ xᵀS x + pᵀx = constant, as its gradient S x + p; S is constant.
pub struct Quadratic {
    pub slope: Slope,
}

type Slope = Box<dyn Fn(&[f64]) -> Vec<f64>>;

/// |x_i − x_j|² or |x_i − c|² stays, for points of this many components.
pub fn distance(size: usize, i: usize, j: Option<usize>, c: Vec<f64>) -> Quadratic {
    Quadratic {
        slope: Box::new(move |x| {
            let mut g = vec![0.0; x.len()];
            for k in 0..size {
                let other = j.map_or_else(|| c[k], |j| x[size * j + k]);
                g[size * i + k] = x[size * i + k] - other;
                if let Some(j) = j {
                    g[size * j + k] = -g[size * i + k];
                }
            }
            g
        }),
    }
}

/// The rate of points with a constant mass matrix, constant forces and quadratic rows: (x, v) → (v, a).
pub fn points_rate(mass: &[Vec<f64>], force: &[f64], rows: &[Quadratic], y: &[f64]) -> Vec<f64> {
    let n = force.len();
    let (x, v) = y.split_at(n);
    let slopes: Vec<Vec<f64>> = rows.iter().map(|row| (row.slope)(x)).collect();
    let size = n + rows.len();
    let (mut a, mut b) = (vec![vec![0.0; size]; size], vec![0.0; size]);
    for i in 0..n {
        a[i][..n].copy_from_slice(&mass[i]);
        b[i] = force[i];
    }
    for (r, slope) in slopes.iter().enumerate() {
        for i in 0..n {
            a[i][n + r] = -slope[i];
            a[n + r][i] = slope[i];
        }
        // S v = slope(v) − slope(0), and b = −vᵀS v.
        let (at, zero) = ((rows[r].slope)(v), (rows[r].slope)(&vec![0.0; n]));
        b[n + r] = -(0..n).map(|i| v[i] * (at[i] - zero[i])).sum::<f64>();
    }
    let mut rate = v.to_vec();
    rate.extend_from_slice(&solve(a, b)[..n]);
    rate
}

/// a × b.
pub fn cross(a: &[f64], b: &[f64]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// q v q* for a unit quaternion.
pub fn turn(q: &[f64], v: &[f64]) -> [f64; 3] {
    let u = &q[1..4];
    let w = cross(u, v);
    let inner = [w[0] + q[0] * v[0], w[1] + q[0] * v[1], w[2] + q[0] * v[2]];
    let out = cross(u, &inner);
    [v[0] + 2.0 * out[0], v[1] + 2.0 * out[1], v[2] + 2.0 * out[2]]
}

/// The rate of a quaternion for an angular velocity in space.
pub fn quaternion_rate(q: &[f64], w: &[f64]) -> [f64; 4] {
    let u = &q[1..4];
    let c = cross(w, u);
    let part = |i: usize| (w[i] * q[0] + c[i]) / 2.0;
    [-(w[0] * u[0] + w[1] * u[1] + w[2] * u[2]) / 2.0, part(0), part(1), part(2)]
}

/// J in space of a body with principal moments along its frame.
pub fn inertia(q: &[f64], moments: &[f64; 3]) -> [[f64; 3]; 3] {
    let mut tensor = [[0.0; 3]; 3];
    for (k, moment) in moments.iter().enumerate() {
        let mut axis = [0.0; 3];
        axis[k] = 1.0;
        let a = turn(q, &axis);
        for i in 0..3 {
            for j in 0..3 {
                tensor[i][j] += moment * a[i] * a[j];
            }
        }
    }
    tensor
}

/// tensor · v.
pub fn times(tensor: &[[f64; 3]; 3], v: &[f64]) -> [f64; 3] {
    [0, 1, 2].map(|i| tensor[i][0] * v[0] + tensor[i][1] * v[1] + tensor[i][2] * v[2])
}
