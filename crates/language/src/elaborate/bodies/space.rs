//! Vectors and rotations whose components are expressions. A matrix is a list of its columns: the axes of a frame.

use holonom_symbols::expr::{Function, Graph, Id, Number};

/// Three components. In the plane the third is zero.
pub(in crate::elaborate) type Vector = [Id; 3];
/// Three columns.
pub(in crate::elaborate) type Matrix = [Vector; 3];

pub(super) const ZERO: Vector = [Id::ZERO; 3];
pub(super) const E1: Vector = [Id::ONE, Id::ZERO, Id::ZERO];
pub(super) const E2: Vector = [Id::ZERO, Id::ONE, Id::ZERO];
pub(super) const E3: Vector = [Id::ZERO, Id::ZERO, Id::ONE];
pub(super) const IDENTITY: Matrix = [E1, E2, E3];

pub(super) fn add(g: &mut Graph, a: Vector, b: Vector) -> Vector {
    [0, 1, 2].map(|i| g.add(a[i], b[i]))
}

pub(super) fn subtract(g: &mut Graph, a: Vector, b: Vector) -> Vector {
    [0, 1, 2].map(|i| g.subtract(a[i], b[i]))
}

pub(super) fn scaled(g: &mut Graph, factor: Id, a: Vector) -> Vector {
    a.map(|one| g.multiply(factor, one))
}

pub(super) fn negated(g: &mut Graph, a: Vector) -> Vector {
    a.map(|one| g.negate(one))
}

pub(super) fn dot(g: &mut Graph, a: Vector, b: Vector) -> Id {
    let terms = [0, 1, 2].map(|i| (Number::ONE, g.multiply(a[i], b[i])));
    g.sum(&terms)
}

pub(super) fn cross(g: &mut Graph, a: Vector, b: Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
        let (one, other) = (g.multiply(a[i], b[j]), g.multiply(a[j], b[i]));
        g.subtract(one, other)
    })
}

/// The length of a vector: without a root where it lies along an axis, as `is_negative` tells for its one component.
pub(super) fn length(g: &mut Graph, a: Vector, is_negative: impl Fn(&Graph, Id) -> bool) -> Id {
    let mut there = a.into_iter().filter(|&one| one != Id::ZERO);
    match (there.next(), there.next()) {
        (None, _) => Id::ZERO,
        (Some(only), None) if is_negative(g, only) => g.negate(only),
        (Some(only), None) => only,
        _ => {
            let square = dot(g, a, a);
            g.call(Function::Sqrt, square)
        }
    }
}

/// R v
pub(super) fn turn(g: &mut Graph, matrix: Matrix, v: Vector) -> Vector {
    [0, 1, 2].map(|i| {
        let terms = [0, 1, 2].map(|j| (Number::ONE, g.multiply(matrix[j][i], v[j])));
        g.sum(&terms)
    })
}

/// Rᵀ v
pub(super) fn turn_back(g: &mut Graph, matrix: Matrix, v: Vector) -> Vector {
    matrix.map(|column| dot(g, column, v))
}

/// R S
pub(super) fn times(g: &mut Graph, matrix: Matrix, other: Matrix) -> Matrix {
    other.map(|column| turn(g, matrix, column))
}

/// Rᵀ
pub(super) fn transposed(matrix: Matrix) -> Matrix {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| matrix[j][i]))
}

/// The turn about a unit axis by an angle (Rodrigues).
pub(super) fn rotation(g: &mut Graph, axis: Vector, angle: Id) -> Matrix {
    let (sine, cosine) = (g.call(Function::Sin, angle), g.call(Function::Cos, angle));
    about(g, axis, sine, cosine)
}

/// The turn about a unit axis whose angle has this sine and cosine.
pub(super) fn about(g: &mut Graph, axis: Vector, sine: Id, cosine: Id) -> Matrix {
    let rest = g.subtract(Id::ONE, cosine);
    IDENTITY.map(|unit| {
        // cos e + sin n × e + (1 − cos)(n·e) n
        let along = dot(g, axis, unit);
        let across = cross(g, axis, unit);
        let factor = g.multiply(rest, along);
        let parts = [scaled(g, cosine, unit), scaled(g, sine, across), scaled(g, factor, axis)];
        let sum = add(g, parts[0], parts[1]);
        // (cos + (1 − cos)) e where the axis is e itself
        if along == Id::ONE { unit } else { add(g, sum, parts[2]) }
    })
}

/// The orientation that a unit quaternion stands for.
pub(super) fn of_quaternion(g: &mut Graph, q: [Id; 4]) -> Matrix {
    let two = Number::integer(2);
    let mut entry = |constant: bool, pairs: [(i64, usize, usize); 2]| {
        let terms = pairs.map(|(sign, a, b)| {
            let product = g.multiply(q[a], q[b]);
            (if sign < 0 { two.negated() } else { two }, product)
        });
        let sum = g.sum(&terms);
        if constant { g.add(Id::ONE, sum) } else { sum }
    };
    [
        [
            entry(true, [(-1, 2, 2), (-1, 3, 3)]),
            entry(false, [(1, 1, 2), (1, 0, 3)]),
            entry(false, [(1, 1, 3), (-1, 0, 2)]),
        ],
        [
            entry(false, [(1, 1, 2), (-1, 0, 3)]),
            entry(true, [(-1, 1, 1), (-1, 3, 3)]),
            entry(false, [(1, 2, 3), (1, 0, 1)]),
        ],
        [
            entry(false, [(1, 1, 3), (1, 0, 2)]),
            entry(false, [(1, 2, 3), (-1, 0, 1)]),
            entry(true, [(-1, 1, 1), (-1, 2, 2)]),
        ],
    ]
}

/// The angular velocity in the turned frame: ω = 2(q₀v̇ − v q̇₀ − v × v̇).
pub(super) fn quaternion_spin(g: &mut Graph, q: [Id; 4], rate: [Id; 4]) -> Vector {
    let (v, dv) = ([q[1], q[2], q[3]], [rate[1], rate[2], rate[3]]);
    let across = cross(g, v, dv);
    let two = Number::integer(2);
    [0, 1, 2].map(|i| {
        let (forward, back) = (g.multiply(q[0], dv[i]), g.multiply(v[i], rate[0]));
        g.sum(&[(two, forward), (two.negated(), back), (two.negated(), across[i])])
    })
}

/// The rate of a quaternion at this angular velocity in the turned frame: q̇ = q ⊗ (0, ω)/2.
pub(super) fn quaternion_rate(g: &mut Graph, q: [Id; 4], spin: Vector) -> [Id; 4] {
    let half = Number::ratio(1, 2).unwrap_or(Number::ONE);
    let v = [q[1], q[2], q[3]];
    let (along, across) = (dot(g, v, spin), cross(g, v, spin));
    let mut rate = [g.scale(half.negated(), along); 4];
    for i in 0..3 {
        let forward = g.multiply(q[0], spin[i]);
        let sum = g.add(forward, across[i]);
        rate[i + 1] = g.scale(half, sum);
    }
    rate
}

/// The unit quaternion of an orientation. `largest` says which of its parts is largest there; it becomes positive.
pub(super) fn to_quaternion(g: &mut Graph, r: Matrix, largest: usize) -> [Id; 4] {
    let half = Number::ratio(1, 2).unwrap_or(Number::ONE);
    let quarter = Number::ratio(1, 4).unwrap_or(Number::ONE);
    // 4 q_k² = 1 ± r₁₁ ± r₂₂ ± r₃₃
    let signs: [[i64; 3]; 4] = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]];
    let terms = [0, 1, 2].map(|i| (Number::integer(signs[largest][i]), r[i][i]));
    let square = g.sum_with(Number::ONE, &terms);
    let root = g.call(Function::Sqrt, square);
    let main = g.scale(half, root);
    // 4 q₀q₁ = r₃₂ − r₂₃, …; 4 q₁q₂ = r₁₂ + r₂₁, … (columns first here)
    let mut pair = |a: usize, b: usize| {
        let (low, high) = (a.min(b), a.max(b));
        if low == 0 {
            let (i, j) = [(1, 2), (2, 0), (0, 1)][high - 1];
            g.subtract(r[i][j], r[j][i])
        } else {
            g.add(r[low - 1][high - 1], r[high - 1][low - 1])
        }
    };
    let products = [0, 1, 2, 3].map(|k| if k == largest { Id::ZERO } else { pair(largest, k) });
    let mut result = [main; 4];
    for k in 0..4 {
        if k != largest {
            let share = g.divide(products[k], main);
            result[k] = g.scale(quarter, share);
        }
    }
    result
}

/// The largest part of the quaternion of an orientation in numbers, columns first.
pub(super) fn largest_part(r: [[f64; 3]; 3]) -> usize {
    let squares = [
        1.0 + r[0][0] + r[1][1] + r[2][2],
        1.0 + r[0][0] - r[1][1] - r[2][2],
        1.0 - r[0][0] + r[1][1] - r[2][2],
        1.0 - r[0][0] - r[1][1] + r[2][2],
    ];
    // The first, unless another is clearly larger: then unturned bodies, and those that are turned a little, have q₀ > 0.
    (1..4).fold(0, |best, k| if squares[k] > squares[best] + 0.5 { k } else { best })
}
