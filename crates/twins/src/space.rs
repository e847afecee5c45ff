//! Vectors and quaternions, for start values.

/// A vector in space.
pub type Vector = [f64; 3];
/// A quaternion, the scalar part first.
pub type Quaternion = [f64; 4];

/// a × b.
pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a·b.
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a + s b.
pub fn add(a: Vector, s: f64, b: Vector) -> Vector {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

/// The length of a vector.
pub fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// The vector of length 1 in its direction.
pub fn unit(a: Vector) -> Vector {
    let l = length(a);
    a.map(|x| x / l)
}

/// Two unit vectors normal to a unit vector and to each other.
pub fn across(a: Vector) -> [Vector; 2] {
    let least = (0..3).min_by(|i, j| a[*i].abs().total_cmp(&a[*j].abs())).unwrap_or(0);
    let mut side = [0.0; 3];
    side[least] = 1.0;
    let one = unit(cross(a, side));
    [one, cross(a, one)]
}

/// p∘q.
pub fn times(p: Quaternion, q: Quaternion) -> Quaternion {
    let (u, v) = ([p[1], p[2], p[3]], [q[1], q[2], q[3]]);
    let w = cross(u, v);
    let part = |i: usize| p[0] * v[i] + q[0] * u[i] + w[i];
    [p[0] * q[0] - dot(u, v), part(0), part(1), part(2)]
}

/// q* of a quaternion.
pub fn conjugate(q: Quaternion) -> Quaternion {
    [q[0], -q[1], -q[2], -q[3]]
}

/// The quaternion of length 1 in its direction.
pub fn normal(q: Quaternion) -> Quaternion {
    let l = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / l)
}

/// q v q*.
pub fn turn(q: Quaternion, v: Vector) -> Vector {
    let r = times(times(q, [0.0, v[0], v[1], v[2]]), conjugate(q));
    [r[1], r[2], r[3]]
}

/// The rate of a quaternion for an angular velocity in space: ω∘q/2.
pub fn rate(q: Quaternion, omega: Vector) -> Quaternion {
    times([0.0, omega[0], omega[1], omega[2]], q).map(|x| x / 2.0)
}

/// v turned by an angle about a unit vector.
pub fn about(axis: Vector, angle: f64, v: Vector) -> Vector {
    let (s, c) = (angle / 2.0).sin_cos();
    turn([c, s * axis[0], s * axis[1], s * axis[2]], v)
}

#[test]
fn a_quarter_turn_about_z_takes_x_to_y() {
    let y = about([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_2, [1.0, 0.0, 0.0]);
    assert!((y[1] - 1.0).abs() < 1e-15 && y[0].abs() < 1e-15);
}
