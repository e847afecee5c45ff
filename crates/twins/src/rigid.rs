//! Rigid bodies in space, written with a position and a unit quaternion, or with a position and three directors.

use crate::draft::Draft;
use crate::space::{Quaternion, Vector, conjugate, rate, turn};
use crate::units::{Units, number, vector};

/// A body at the start. Everything is in space.
#[derive(Clone, Debug)]
pub struct Rigid {
    /// Its name, a prefix of its coordinates.
    pub name: String,
    /// Its mass.
    pub mass: f64,
    /// Its principal moments of inertia.
    pub inertia: [f64; 3],
    /// Its principal axes.
    pub axes: [Vector; 3],
    /// Its centre of mass.
    pub centre: Vector,
    /// Its velocity.
    pub velocity: Vector,
    /// Its angular velocity.
    pub omega: Vector,
}

/// Coordinates of the orientation, with the frame of the body at the start.
#[derive(Clone, Copy, Debug)]
pub enum Style {
    /// A unit quaternion.
    Quaternion(Quaternion),
    /// Three unit vectors: nine coordinates and six rows, M regular.
    Directors(Quaternion),
    /// Two unit vectors; the third is their cross product.
    TwoDirectors(Quaternion),
}

impl Style {
    fn frame(&self) -> Quaternion {
        match *self {
            Style::Quaternion(q) | Style::Directors(q) | Style::TwoDirectors(q) => q,
        }
    }
}

/// A body that a draft has.
pub struct Written {
    name: String,
    style: Style,
}

/// The function that quaternion bodies use; once per model.
pub const TURN: &str = "turn(a, b, c, d, v) = v + 2*cross((b, c, d), cross((b, c, d), v) + a*v)";

impl Rigid {
    /// The inertia tensor in a frame.
    fn tensor(&self, frame: Quaternion) -> [[f64; 3]; 3] {
        let mut tensor = [[0.0; 3]; 3];
        for (j, axis) in self.inertia.iter().zip(self.axes) {
            let a = turn(conjugate(frame), axis);
            for (row, x) in tensor.iter_mut().zip(a) {
                row.iter_mut().zip(a).for_each(|(entry, y)| *entry += j * x * y);
            }
        }
        tensor
    }

    /// Adds the body to a draft. `moves` is false for one whose centre stays at the origin.
    pub fn write(&self, draft: &mut Draft, style: Style, units: &Units, moves: bool) -> Written {
        let n = &self.name;
        if moves {
            for (i, axis) in ["x", "y", "z"].iter().enumerate() {
                let (x, v) = (self.centre[i] * units.length, self.velocity[i] * units.factor(0, 1, -1));
                draft.coordinate(&format!("{n}{axis}"), x, v);
            }
            draft.lets.push(format!("{n} = ({n}x, {n}y, {n}z)"));
            draft.kinetic.push(format!("{}/2*dot({n}', {n}')", units.mass(self.mass)));
        }
        let frame = style.frame();
        match style {
            Style::Quaternion(q) => {
                let speed = rate(q, self.omega).map(|x| x / units.time);
                for i in 0..4 {
                    draft.coordinate(&format!("{n}e{i}"), q[i], speed[i]);
                }
                let (e, v) = (format!("{n}e0"), format!("({n}e1, {n}e2, {n}e3)"));
                draft.lets.push(format!("{n}w = 2*({e}*{v}' - {e}'*{v} - cross({v}, {v}'))"));
                for (j, axis) in self.inertia.iter().zip(self.axes) {
                    let local = vector(&turn(conjugate(frame), axis));
                    draft.kinetic.push(format!("{}/2*dot({n}w, {local})^2", units.inertia(*j)));
                }
                draft.row(&format!("{n}unit"), format!("{n}e0^2 + {n}e1^2 + {n}e2^2 + {n}e3^2"), "1");
                if !draft.lets.iter().any(|one| one == TURN) {
                    draft.lets.push(TURN.to_string());
                }
            }
            Style::Directors(_) | Style::TwoDirectors(_) => self.write_directors(draft, style, units),
        }
        Written { name: n.clone(), style }
    }

    fn write_directors(&self, draft: &mut Draft, style: Style, units: &Units) {
        let (n, frame) = (&self.name, style.frame());
        let three = matches!(style, Style::Directors(_));
        for k in 0..if three { 3 } else { 2 } {
            let mut basis = [0.0; 3];
            basis[k] = 1.0;
            let d = turn(frame, basis);
            let speed = crate::space::cross(self.omega, d);
            for (i, axis) in ["x", "y", "z"].iter().enumerate() {
                draft.coordinate(&format!("{n}d{k}{axis}"), d[i], speed[i] / units.time);
            }
            draft.lets.push(format!("{n}d{k} = ({n}d{k}x, {n}d{k}y, {n}d{k}z)"));
        }
        if !three {
            draft.lets.push(format!("{n}d2 = cross({n}d0, {n}d1)"));
        }
        // T = ½ Σ E_kl d_k′·d_l′ with E = ½ tr(J) − J, Euler's tensor.
        let tensor = self.tensor(frame);
        let half = (tensor[0][0] + tensor[1][1] + tensor[2][2]) / 2.0;
        for (k, row) in tensor.iter().enumerate() {
            for (l, product) in row.iter().enumerate().skip(k) {
                let entry = if k == l { half - product } else { -2.0 * product };
                if entry.abs() > 1e-15 * half {
                    draft.kinetic.push(format!("{}/2*dot({n}d{k}', {n}d{l}')", units.inertia(entry)));
                }
                if k == l && (three || k < 2) {
                    draft.row(&format!("{n}unit{k}"), format!("dot({n}d{k}, {n}d{k})"), "1");
                } else if k != l && (three || l < 2) {
                    draft.row(&format!("{n}right{k}{l}"), format!("dot({n}d{k}, {n}d{l})"), "0");
                }
            }
        }
    }
}

impl Written {
    /// A vector of the body now that is `v` in space at the start; pure numbers.
    pub fn carried(&self, v: Vector) -> String {
        let (n, local) = (&self.name, turn(conjugate(self.style.frame()), v));
        match self.style {
            Style::Quaternion(_) => format!("turn({n}e0, {n}e1, {n}e2, {n}e3, {})", vector(&local)),
            _ => format!("({}*{n}d0 + {}*{n}d1 + {}*{n}d2)", number(local[0]), number(local[1]), number(local[2])),
        }
    }

    /// The same of a length.
    pub fn arm(&self, v: Vector, units: &Units) -> String {
        self.carried(v.map(|x| x * units.length))
    }

    /// The component of the angular velocity along a vector that is `v` in space at the start.
    pub fn spin(&self, v: Vector) -> String {
        let (n, local) = (&self.name, turn(conjugate(self.style.frame()), v));
        match self.style {
            Style::Quaternion(_) => format!("dot({n}w, {})", vector(&local)),
            // ω = ½ Σ d_k × d_k′, and its part along v.
            _ => {
                let sum = (0..3).map(|k| format!("cross({n}d{k}, {n}d{k}')")).collect::<Vec<_>>().join(" + ");
                format!("dot({sum}, {})/2", self.carried(v))
            }
        }
    }
}

/// Makes a hinge between two bodies, or a body and the ground: two rows beside those of the common point.
pub fn hinge(draft: &mut Draft, name: &str, axis: Vector, one: Option<&Written>, two: &Written) {
    let along = one.map_or_else(|| vector(&axis), |one| one.carried(axis));
    for (i, side) in crate::space::across(axis).into_iter().enumerate() {
        draft.row(&format!("{name}{}", i + 1), format!("dot({along}, {})", two.carried(side)), "0");
    }
}

/// Principal axes of a rod: its own direction last.
pub fn rod_axes(direction: Vector) -> [Vector; 3] {
    let [one, two] = crate::space::across(direction);
    [one, two, direction]
}

/// The velocity of a point of a body.
pub fn velocity_at(velocity: Vector, omega: Vector, arm: Vector) -> Vector {
    crate::space::add(velocity, 1.0, crate::space::cross(omega, arm))
}

#[test]
fn the_tensor_does_not_depend_on_who_looks() {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let (centre, velocity, omega) = ([0.0; 3], [0.0; 3], [0.0; 3]);
    let body = Rigid { name: "b".into(), mass: 1.0, inertia: [1.0, 2.0, 3.0], axes, centre, velocity, omega };
    let tensor = body.tensor(crate::space::normal([1.0, 2.0, 3.0, 4.0]));
    assert!((tensor[0][0] + tensor[1][1] + tensor[2][2] - 6.0).abs() < 1e-14);
    let determinant = crate::space::dot(tensor[0], crate::space::cross(tensor[1], tensor[2]));
    assert!((determinant - 6.0).abs() < 1e-13);
}
