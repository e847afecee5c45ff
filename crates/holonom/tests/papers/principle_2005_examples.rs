//! Udwadia 2005, the examples: Appell's particle with a drag, and a block on a rough incline.

use crate::support::*;
use holonom::{Motion, Snapshot, Workspace, solve};

/// Example 1: a particle of unit mass with ẋ² + ẏ² − ż² = 2αg(t) and the drag C = −a₀|u|(ẋ, ẏ, ż).
pub struct Appell {
    pub velocity: [f64; 3],
    pub force: [f64; 3],
    pub alpha: f64,
    pub g_dot: f64,
    pub a0: f64,
}

impl Appell {
    /// States on the constraint with g = 0.3: ż follows from ẋ and ẏ.
    pub fn all(alphas: &[f64]) -> Vec<Appell> {
        let mut all = Vec::new();
        for &alpha in alphas {
            for (x, y) in [(1.0, 0.5), (-0.8, 2.0), (3.0, -0.1)] {
                let z = f64::sqrt(x * x + y * y - 2.0 * alpha * 0.3);
                for (velocity, a0) in [([x, y, z], 0.7), ([x, y, -z], 2.0), ([x, y, z], 0.0)] {
                    all.push(Appell { velocity, force: [0.4, -1.3, -9.81], alpha, g_dot: -1.7, a0 });
                }
            }
        }
        all
    }

    pub fn speed(&self) -> f64 {
        self.velocity.iter().map(|v| v * v).sum::<f64>().sqrt()
    }

    pub fn C(&self) -> [f64; 3] {
        self.velocity.map(|v| -self.a0 * self.speed() * v)
    }

    pub fn row(&self) -> [f64; 3] {
        let [x, y, z] = self.velocity;
        [x, y, -z]
    }

    /// The second term of (29) and (30).
    fn ideal_force(&self) -> [f64; 3] {
        let ([x, y, z], [Fx, Fy, Fz]) = (self.velocity, self.force);
        let factor = (self.alpha * self.g_dot - x * Fx - y * Fy + z * Fz) / self.speed().powi(2);
        self.row().map(|v| factor * v)
    }

    pub fn motion(&self) -> Motion {
        let unit = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let (row, b, C) = (self.row(), [self.alpha * self.g_dot], self.C());
        solve(&Snapshot::new(&unit, &self.force).constrained(&row, &b).nonideal(&C)).unwrap()
    }
}

/// (27): on a virtual displacement the constraint does the work −a₀|u| vᵀ(ẋ, ẏ, ż).
#[test]
fn example_1_eq_27_work_of_the_drag() {
    for p in Appell::all(&[0.0, 0.5, -1.2]) {
        let motion = p.motion();
        let null = null(&matrix(1, 3, &p.row()));
        for j in 0..2 {
            let v = rounded(&null.columns(j..j + 1));
            let work: f64 = (0..3).map(|i| v[i] * motion.constraint_force(i)).sum();
            let want: f64 = (0..3).map(|i| -p.a0 * v[i] * p.velocity[i] * p.speed()).sum();
            assert_close!(work, want, beside p.force);
        }
    }
}

/// (28), as it should read: [ẋ ẏ −ż](ẍ, ÿ, z̈)ᵀ = αġ, which keeps ẋ² + ẏ² − ż² − 2αg constant.
#[test]
fn example_1_eq_28_differentiated_constraint() {
    for p in Appell::all(&[0.0, 0.5, -1.2]) {
        let acceleration = p.motion().acceleration;
        let reached: f64 = p.row().iter().zip(&acceleration).map(|(a, x)| a * x).sum();
        assert_close!(reached, p.alpha * p.g_dot, beside acceleration);
        // Half the rate of the constraint, by differences along the motion: it is quadratic, so they are exact.
        let h = 2f64.powi(-10);
        let value = |h: f64| {
            let [x, y, z] = [0, 1, 2].map(|i| p.velocity[i] + h * acceleration[i]);
            x * x + y * y - z * z - 2.0 * p.alpha * (0.3 + h * p.g_dot)
        };
        assert_zero!((value(h) - value(-h)) / (4.0 * h), beside acceleration, 1e-10);
    }
}

/// Before (29): B⁺ = (ẋ, ẏ, −ż)ᵀ/u².
#[test]
fn example_1_B_plus() {
    for p in Appell::all(&[0.5]) {
        let unit = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let (row, b) = (p.row(), [0.0]);
        let form = Workspace::new().explicit_form(&Snapshot::new(&unit, &p.force).constrained(&row, &b)).unwrap();
        let want = row.map(|v| v / p.speed().powi(2));
        assert_close!(form.pseudo_inverse, want);
        assert_close!(form.acceleration_gain, want); // M = I: B = A
    }
}

/// (29), with velocities in the matrix: three forces for α = 0 and α ≠ 0.
#[test]
fn example_1_eq_29_equation_of_motion() {
    for p in Appell::all(&[0.0, 0.5, -1.2]) {
        let ([x, y, z], motion) = (p.velocity, p.motion());
        let drag =
            matrix(3, 3, &[y * y + z * z, -x * y, x * z, -y * x, x * x + z * z, y * z, x * z, y * z, x * x + y * y]);
        let drag = (drag * column(&p.velocity)).scaled((-p.a0 / p.speed()).into());
        assert_close!(motion.ideal_force, p.ideal_force());
        assert_close!(motion.nonideal_force, drag, beside p.C());
        assert_close!(motion.acceleration, column(&p.force) + column(&p.ideal_force()) + drag);
    }
}

/// (30): the same simplified, −(a₀/|u|)(2ẋż², 2ẏż², 2ż(ẋ² + ẏ²)).
#[test]
fn example_1_eq_30_equation_of_motion_simplified() {
    for p in Appell::all(&[0.0, 0.5, -1.2]) {
        let ([x, y, z], motion) = (p.velocity, p.motion());
        let drag = [2.0 * x * z * z, 2.0 * y * z * z, 2.0 * z * (x * x + y * y)].map(|v| -p.a0 / p.speed() * v);
        assert_close!(motion.nonideal_force, drag, beside p.C());
        let ideal = p.ideal_force();
        assert_close!(motion.acceleration, [0, 1, 2].map(|i| p.force[i] + ideal[i] + drag[i]));
    }
}

/// After (30): "F_ni^c ≠ C", which holds for α ≠ 0.
#[test]
fn example_1_nonideal_force_is_not_C_for_alpha_not_zero() {
    for p in Appell::all(&[0.5, -1.2]).into_iter().filter(|p| p.a0 > 0.0) {
        assert_apart!(p.motion().nonideal_force, p.C());
    }
}

/// Example 2: a block of mass m on the line y = x tan θ under gravity.
pub struct Block {
    pub m: f64,
    pub theta: f64,
    pub mu: f64,
}

pub const G: f64 = 9.81;

impl Block {
    pub fn all() -> Vec<Block> {
        let mut all = Vec::new();
        for m in [0.1, 2.0, 300.0] {
            for degrees in [1.0_f64, 30.0, 45.0, 85.0] {
                for mu in [0.0, 0.2, 1.5] {
                    all.push(Block { m, theta: degrees.to_radians(), mu });
                }
            }
        }
        all
    }

    /// The paper's second term: mg(−sin θ cos θ, cos² θ).
    pub fn normal(&self) -> [f64; 2] {
        let (sin, cos) = self.theta.sin_cos();
        [-self.m * G * sin * cos, self.m * G * cos * cos]
    }

    /// Coulomb's friction with the sign of (9): against the velocity, of the size µ|Qᵢ|.
    pub fn friction(&self, direction: f64) -> [f64; 2] {
        let (sin, cos) = self.theta.sin_cos();
        [cos, sin].map(|along| -self.mu * self.m * G * cos * along * direction)
    }

    /// The motion with a given C.
    pub fn motion(&self, C: &[f64; 2]) -> Motion {
        let (mass, weight) = ([self.m, 0.0, 0.0, self.m], [0.0, -self.m * G]);
        let row = [-self.theta.tan(), 1.0];
        solve(&Snapshot::new(&mass, &weight).constrained(&row, &[0.0]).nonideal(C)).unwrap()
    }
}

/// After (34): B⁺ = m^{1/2} cos² θ (−tan θ, 1)ᵀ, so that K₁ = M^{-1/2}B⁺ = cos² θ (−tan θ, 1)ᵀ.
#[test]
fn example_2_B_plus() {
    for p in Block::all() {
        let (mass, weight) = ([p.m, 0.0, 0.0, p.m], [0.0, -p.m * G]);
        let row = [-p.theta.tan(), 1.0];
        let form = Workspace::new().explicit_form(&Snapshot::new(&mass, &weight).constrained(&row, &[0.0])).unwrap();
        let root = p.m.sqrt();
        let B_plus = row.map(|a| root * p.theta.cos().powi(2) * a);
        assert_close!(form.acceleration_gain, B_plus.map(|x| x / root));
        assert_close!(form.force_gain, B_plus.map(|x| x * root));
    }
}

/// (33), (34): ÿ = ẍ tan θ.
#[test]
fn example_2_eq_33_stays_on_the_plane() {
    for p in Block::all() {
        let [x, y] = [0, 1].map(|i| p.motion(&p.friction(-1.0)).acceleration[i]);
        assert_close!(y, x * p.theta.tan(), beside [x, y]);
    }
}

/// (35): without friction, m(ẍ, ÿ) = (0, −mg) + mg(−sin θ cos θ, cos² θ); the force has the size mg cos θ.
#[test]
fn example_2_eq_35_ideal_plane() {
    for p in Block::all() {
        let (motion, normal) = (p.motion(&[0.0, 0.0]), p.normal());
        assert_close!(motion.ideal_force, normal);
        assert_close!(motion.ideal_force[0].hypot(motion.ideal_force[1]), p.m * G * p.theta.cos());
        assert_close!([0, 1].map(|i| p.m * motion.acceleration[i]), [normal[0], normal[1] - p.m * G], beside p.m * G);
    }
}

/// (36), (37), with the sign of (9): on a displacement along the plane the constraint does the work −µ mg cos θ |v|.
#[test]
fn example_2_eq_36_work_of_friction() {
    for p in Block::all() {
        let (sin, cos) = p.theta.sin_cos();
        let motion = p.motion(&p.friction(1.0)); // moving with ẋ > 0
        let work = cos * motion.constraint_force(0) + sin * motion.constraint_force(1);
        assert_close!(work, -p.mu * p.m * G * cos, beside p.m * G);
    }
}

/// (38), with the sign of (9): Qₙᵢ = −µmg(cos² θ, cos θ sin θ) sgn ẋ.
#[test]
fn example_2_eq_38_nonideal_force() {
    for p in Block::all() {
        let (sin, cos) = p.theta.sin_cos();
        for direction in [1.0, -1.0] {
            let motion = p.motion(&p.friction(direction));
            let size = p.mu * p.m * G * direction;
            assert_close!(motion.nonideal_force, [-size * cos * cos, -size * cos * sin], beside p.m * G);
        }
    }
}

/// (39): m(ẍ, ÿ) = (0, −mg) + mg(−sin θ cos θ, cos² θ) − µmg(cos² θ, cos θ sin θ) sgn ẋ, up and down the plane.
#[test]
fn example_2_eq_39_equation_of_motion() {
    for p in Block::all() {
        let (sin, cos) = p.theta.sin_cos();
        for direction in [1.0, -1.0] {
            let x = -G * sin * cos - p.mu * G * cos * cos * direction;
            let y = -G + G * cos * cos - p.mu * G * cos * sin * direction;
            assert_close!(p.motion(&p.friction(direction)).acceleration, [x, y], beside G);
        }
    }
}

/// The same with C made from the Qᵢ that the program hands out, as (36) says: "a magnitude of µ|Qᵢ|".
#[test]
fn example_2_friction_from_the_ideal_force() {
    for p in Block::all() {
        let (mass, weight) = ([p.m, 0.0, 0.0, p.m], [0.0, -p.m * G]);
        let row = [-p.theta.tan(), 1.0];
        let mut workspace = Workspace::new();
        let snapshot = Snapshot::new(&mass, &weight).constrained(&row, &[0.0]);
        let prepared = workspace.prepare(&snapshot).unwrap();
        let normal = prepared.ideal_force()[0].hypot(prepared.ideal_force()[1]);
        let (sin, cos) = p.theta.sin_cos();
        let motion = prepared.finish(&[-p.mu * normal * cos, -p.mu * normal * sin]).unwrap();
        assert_close!(motion.acceleration[0], -G * cos * (sin + p.mu * cos), beside G);
    }
}
