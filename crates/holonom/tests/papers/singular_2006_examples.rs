//! Udwadia & Phohomsiri 2006, section 5: the wheel, the massless particle, and the two masses in parts.

use crate::support::*;
use holonom::{Motion, Snapshot, Workspace, kernel::ExplicitForm, solve};
use holonom_reference::Mhat;

const G: f64 = 9.81;

/// Examples 1 and 2: a wheel on an incline in the coordinates θ, y (and x, which has no mass).
pub struct Wheel {
    pub m: f64,
    pub R: f64,
    pub Ic: f64,
    pub alpha: f64,
}

impl Wheel {
    pub fn all() -> Vec<Wheel> {
        let mut all = Vec::new();
        for (m, R, Ic) in [(2.0, 0.5, 0.25), (0.01, 3.0, 0.2), (500.0, 0.05, 1.0)] {
            for degrees in [2.0_f64, 30.0, 45.0, 88.0] {
                all.push(Wheel { m, R, Ic, alpha: degrees.to_radians() });
            }
        }
        all
    }

    /// R sin α.
    pub fn s(&self) -> f64 {
        self.R * self.alpha.sin()
    }

    /// mR² + I_c.
    pub fn J(&self) -> f64 {
        self.m * self.R * self.R + self.Ic
    }

    /// The kernel's answer for A q̈ = b.
    pub fn with_b(&self, b: f64) -> (Motion, ExplicitForm) {
        let (mass, force) = ([self.J(), 0.0, 0.0, 0.0], [0.0, self.m * G]);
        let (row, b) = ([-self.s(), 1.0], [b]);
        let snapshot = Snapshot::new(&mass, &force).constrained(&row, &b);
        (solve(&snapshot).unwrap(), Workspace::new().explicit_form(&snapshot).unwrap())
    }

    /// The same with the massless particle of example 2.
    fn with_particle(&self) -> (Motion, ExplicitForm) {
        let mut mass = [0.0; 9];
        mass[0] = self.J();
        let (force, row, b) = ([0.0, self.m * G, 0.0], [-self.s(), 1.0, 0.0], [0.0]);
        let snapshot = Snapshot::new(&mass, &force).constrained(&row, &b);
        (solve(&snapshot).unwrap(), Workspace::new().explicit_form(&snapshot).unwrap())
    }
}

/// (5.1)–(5.7): the energies give M = diag(mR² + I_c, 0) and Q = (0, mg), by differences of T and V.
#[test]
fn eq_5_6_and_5_7_wheel_without_constraint() {
    for w in Wheel::all() {
        let T = |theta: f64, _y: f64| 0.5 * w.m * (w.R * theta).powi(2) + 0.5 * w.Ic * theta * theta;
        let V = |y: f64| -w.m * G * y;
        let second = |f: &dyn Fn(f64) -> f64| f(1.0) - 2.0 * f(0.0) + f(-1.0); // exact for quadratics
        assert_close!(second(&|h| T(h, 0.0)), w.J());
        assert_eq!(second(&|h| T(0.0, h)), 0.0);
        assert_close!(-(V(1.0) - V(-1.0)) / 2.0, w.m * G);
    }
}

/// (5.13): A⁺ = (−R sin α, 1)ᵀ/(1 + R² sin² α).
#[test]
fn eq_5_13_wheel() {
    for w in Wheel::all() {
        let d = 1.0 + w.s() * w.s();
        assert_close!(w.with_b(0.0).1.pseudo_inverse, [-w.s() / d, 1.0 / d]);
    }
}

/// (5.14): (I − A⁺A)M = (mR² + I_c)/(1 + R² sin² α) [1 0; R sin α 0].
#[test]
fn eq_5_14_wheel() {
    for w in Wheel::all() {
        let f = w.J() / (1.0 + w.s() * w.s());
        assert_close!(w.with_b(0.0).1.stacked[..4], [f, 0.0, f * w.s(), 0.0]);
    }
}

/// (5.15): M̄ is that with A below; M̂ has rank 2, so the motion is unique.
#[test]
fn eq_5_15_wheel() {
    for w in Wheel::all() {
        let (motion, form) = w.with_b(0.0);
        let f = w.J() / (1.0 + w.s() * w.s());
        assert_close!(form.stacked, [f, 0.0, f * w.s(), 0.0, -w.s(), 1.0]);
        assert!(motion.is_unique() && motion.mass_rank == 1);
    }
}

/// (5.16), with the entry (2,3) put right: M̄⁺ = [1 R sin α 0; R sin α R² sin² α mR² + I_c]/(mR² + I_c).
#[test]
fn eq_5_16_wheel() {
    for w in Wheel::all() {
        let want = [1.0, w.s(), 0.0, w.s(), w.s() * w.s(), w.J()].map(|x| x / w.J());
        assert_close!(w.with_b(0.0).1.stacked_inverse, want);
    }
}

/// (5.17): θ̈ = mgR sin α/(mR² + I_c), ÿ = mgR² sin² α/(mR² + I_c).
#[test]
fn eq_5_17_wheel() {
    for w in Wheel::all() {
        let theta = w.m * G * w.s() / w.J();
        assert_close!(w.with_b(0.0).0.acceleration, [theta, theta * w.s()]);
    }
}

/// (5.22): M̄ of example 2; x is a column of zeros, and M̂ lacks rank.
#[test]
fn eq_5_22_massless_particle() {
    for w in Wheel::all() {
        let (motion, form) = w.with_particle();
        let f = w.J() / (1.0 + w.s() * w.s());
        let want = [f, 0.0, 0.0, f * w.s(), 0.0, 0.0, 0.0, 0.0, 0.0, -w.s(), 1.0, 0.0];
        assert_close!(form.stacked, want);
        assert_eq!(motion.system_rank.rank, 2);
        assert!(!motion.is_unique());
    }
}

/// (5.23): (5.17), and ẍ = η arbitrary. The program gives η = 0 and names x.
#[test]
fn eq_5_23_massless_particle_with_its_eta() {
    for w in Wheel::all() {
        let (motion, form) = w.with_particle();
        let theta = w.m * G * w.s() / w.J();
        assert_close!(motion.acceleration, [theta, theta * w.s(), 0.0]);
        assert_eq!(motion.undetermined().collect::<Vec<_>>(), [2]);
        assert!(motion.free_directions().eq([vec![0.0, 0.0, 1.0]]));
        assert!(motion.balanced);
        // Any η along x solves M̄ q̈ = [(I − A⁺A)Q; b], and (I − M̄⁺M̄)η reaches nothing else.
        let (Mbar, Mbar_plus) = (matrix(4, 3, &form.stacked), matrix(3, 4, &form.stacked_inverse));
        let free = (Mat::identity(3) - &Mbar_plus * &Mbar) * column(&[5.0, -7.0, 11.0]);
        assert_close!(free, [0.0, 0.0, 11.0]);
        let qdd = column(&motion.acceleration);
        assert_zero!(&Mbar * (&qdd + free) - Mbar * &qdd, beside qdd);
    }
}

/// Example 3: the masses m₁, m₂ on springs k₁, k₂, cut in two parts, in the coordinates x̄₁, q₁, q̄₂.
#[derive(Clone, Copy)]
pub struct Springs {
    pub m: [f64; 2],
    pub k: [f64; 2],
    /// x̄₁ and q̄₂, the extensions.
    pub x: [f64; 2],
}

impl Springs {
    pub fn all(m1: &[f64], m2: &[f64]) -> Vec<Springs> {
        let mut all = Vec::new();
        for &m1 in m1 {
            for &m2 in m2 {
                for k in [[5.0, 7.0], [100.0, 0.5], [1.0, 1.0]] {
                    for x in [[0.1, -0.2], [0.3, 0.05], [-1.0, -2.0]] {
                        all.push(Springs { m: [m1, m2], k, x });
                    }
                }
            }
        }
        all
    }

    pub fn mass(&self) -> [f64; 9] {
        let [m1, m2] = self.m;
        [m1, 0.0, 0.0, 0.0, m2, m2, 0.0, m2, m2]
    }

    pub fn force(&self) -> [f64; 3] {
        [-self.k[0] * self.x[0], 0.0, -self.k[1] * self.x[1]]
    }

    /// The kernel's answer with the connection q₁ = x₁ + d, and rows in addition.
    pub fn answer(&self, extra: &[f64]) -> (Motion, ExplicitForm) {
        let (mass, force) = (self.mass(), self.force());
        let rows = [&[1.0, -1.0, 0.0], extra].concat();
        let b = vec![0.0; rows.len() / 3];
        let snapshot = Snapshot::new(&mass, &force).constrained(&rows, &b);
        (solve(&snapshot).unwrap(), Workspace::new().explicit_form(&snapshot).unwrap())
    }

    /// (5.42): the row of the constraint (5.40), k₁x̄₁ = k₂q̄₂.
    pub fn hidden_in_5_2(&self) -> [f64; 3] {
        [self.k[0], 0.0, -self.k[1]]
    }

    /// (5.51): the row of the constraint (5.49), k₂q̄₂ = 0.
    fn hidden_in_5_3(&self) -> [f64; 3] {
        [0.0, 0.0, self.k[1]]
    }
}

/// (5.24)–(5.34): the energies of the parts give M = [m₁ 0 0; 0 m₂ m₂; 0 m₂ m₂] and Q = (−k₁x̄₁, 0, −k₂q̄₂).
#[test]
fn eqs_5_31_to_5_34_parts_without_connection() {
    for p in Springs::all(&[2.0, 0.0], &[3.0]) {
        let T = |v: [f64; 3]| 0.5 * p.m[0] * v[0] * v[0] + 0.5 * p.m[1] * (v[1] + v[2]).powi(2);
        let V = |q: [f64; 3]| 0.5 * p.k[0] * q[0] * q[0] + 0.5 * p.k[1] * q[2] * q[2];
        let unit = |i: usize, h: f64| [0, 1, 2].map(|j| if j == i { h } else { 0.0 });
        let sum = |x: [f64; 3], y: [f64; 3]| [0, 1, 2].map(|j| x[j] + y[j]);
        // Differences of quadratics are derivatives, exactly.
        let second = |i, j| T(sum(unit(i, 1.0), unit(j, 1.0))) - T(unit(i, 1.0)) - T(unit(j, 1.0));
        let M: Vec<f64> = (0..9).map(|ij| second(ij / 3, ij % 3)).collect();
        assert_close!(M, p.mass());
        let q = [p.x[0], 0.7, p.x[1]];
        let Q = [0, 1, 2].map(|i| -(V(sum(q, unit(i, 1.0))) - V(sum(q, unit(i, -1.0)))) / 2.0);
        assert_close!(Q, p.force(), beside p.k);
        assert!(!solve(&Snapshot::new(&p.mass(), &p.force())).unwrap().is_unique()); // "M … is singular"
    }
}

/// (5.37): A⁺ = (1, −1, 0)ᵀ/2.
#[test]
fn eq_5_37_connection() {
    for p in Springs::all(&[2.0], &[3.0]) {
        assert_close!(p.answer(&[]).1.pseudo_inverse, [0.5, -0.5, 0.0]);
    }
}

/// (5.38): M̄ = [m₁/2 m₂/2 m₂/2; m₁/2 m₂/2 m₂/2; 0 m₂ m₂; 1 −1 0].
#[test]
fn eq_5_38_Mbar() {
    for p in Springs::all(&[2.0, 0.0], &[3.0, 0.0, 1e4]) {
        let [h1, h2, m2] = [p.m[0] / 2.0, p.m[1] / 2.0, p.m[1]];
        let want = [h1, h2, h2, h1, h2, h2, 0.0, m2, m2, 1.0, -1.0, 0.0];
        assert_close!(p.answer(&[]).1.stacked, want);
    }
}

/// Case 5.1, (5.39): M is singular, the motion unique: ẍ₁ = (−k₁x̄₁ + k₂q̄₂)/m₁ = q̈₁, q̈₂ = −ẍ₁ − k₂q̄₂/m₂.
#[test]
fn case_5_1_eq_5_39_two_masses() {
    for p in Springs::all(&[2.0, 0.001], &[3.0, 1e4]) {
        let (motion, _) = p.answer(&[]);
        let [_, _, tension] = p.force();
        let x1 = (p.force()[0] - tension) / p.m[0];
        assert_close!(motion.acceleration, [x1, x1, -x1 + tension / p.m[1]]);
        assert!(motion.is_unique() && motion.mass_rank == 2);
    }
}

/// After (5.39): the same as without decomposition, where M = diag(m₁, m₂) in x₁ and x₂ = q₁ + q₂.
#[test]
fn case_5_1_agrees_with_the_undivided_system() {
    for p in Springs::all(&[2.0, 0.001], &[3.0, 1e4]) {
        let [pull_1, _, pull_2] = p.force();
        let whole =
            solve(&Snapshot::new(&[p.m[0], 0.0, 0.0, p.m[1]], &[pull_1 - pull_2, pull_2])).unwrap().acceleration;
        let parts = p.answer(&[]).0.acceleration;
        assert_close!([parts[0], parts[1] + parts[2]], whole, beside parts);
    }
}

/// Case 5.2 without its extra row: m₁ = 0 leaves (1, 1, −1)/√3 free, and the forces along it unbalanced.
#[test]
fn case_5_2_without_its_extra_row() {
    for p in Springs::all(&[0.0], &[3.0, 1e4]) {
        let (motion, _) = p.answer(&[]);
        let w = [1.0, 1.0, -1.0].map(|x| x / f64::sqrt(3.0));
        assert!(!motion.is_unique());
        assert_eq!(motion.system_rank.rank, 2);
        assert_close!(motion.free_directions().flatten().collect::<Vec<_>>(), w);
        let along = w[0] * p.force()[0] + w[2] * p.force()[2];
        let on_the_manifold = (p.k[0] * p.x[0] - p.k[1] * p.x[1]).abs() < 1e-12;
        assert_eq!(motion.balanced, on_the_manifold);
        assert_close!(motion.unbalanced_force, w.map(|w| w * along), beside p.force());
    }
}

/// (5.40): exactly where k₁x̄₁ = k₂q̄₂ holds the massless joint is balanced; the motion is still not unique.
#[test]
fn case_5_2_eq_5_40_balance_of_the_massless_joint() {
    for (k, x) in [([5.0, 10.0], [0.5, 0.25]), ([2.0, 8.0], [-1.0, -0.25])] {
        let motion = Springs { m: [0.0, 3.0], k, x }.answer(&[]).0;
        assert!(motion.balanced && !motion.is_unique());
    }
}

/// (5.44): A⁺ = Aᵀ(AAᵀ)⁻¹ of the two rows.
#[test]
fn case_5_2_eq_5_44_pseudo_inverse() {
    for p in Springs::all(&[0.0], &[3.0]) {
        let [k1, k2] = p.k;
        let d = k1 * k1 + 2.0 * k2 * k2;
        let want = [k2 * k2, k1, -(k1 * k1 + k2 * k2), k1, k1 * k2, -2.0 * k2].map(|x| x / d);
        assert_close!(p.answer(&p.hidden_in_5_2()).1.pseudo_inverse, want);
    }
}

/// (5.45): M̄ with the extra row.
#[test]
fn case_5_2_eq_5_45_Mbar() {
    for p in Springs::all(&[0.0], &[3.0, 1e4]) {
        let ([k1, k2], form) = (p.k, p.answer(&p.hidden_in_5_2()).1);
        let f = p.m[1] * (k1 + k2) / (k1 * k1 + 2.0 * k2 * k2);
        let (u, v) = (f * k2, f * k1);
        assert_close!(form.stacked, [0.0, u, u, 0.0, u, u, 0.0, v, v, 1.0, -1.0, 0.0, k1, 0.0, -k2]);
    }
}

/// (5.46): M̂ = [M; A] now has full rank.
#[test]
fn case_5_2_eq_5_46_Mhat_has_full_rank() {
    for p in Springs::all(&[0.0], &[3.0, 1e4]) {
        let A = matrix(2, 3, &[&[1.0, -1.0, 0.0], &p.hidden_in_5_2()[..]].concat());
        assert_eq!(rank(&Mhat(&matrix(3, 3, &p.mass()), &A)), 3);
        assert!(p.answer(&p.hidden_in_5_2()).0.is_unique());
    }
}

/// (5.47): q̈ = −k₁k₂(x̄₁ + q̄₂)/(m₂(k₁ + k₂)²) (k₂, k₂, k₁).
#[test]
fn case_5_2_eq_5_47_equation_of_motion() {
    for p in Springs::all(&[0.0], &[3.0, 1e4]) {
        let [k1, k2] = p.k;
        let f = -k1 * k2 * (p.x[0] + p.x[1]) / (p.m[1] * (k1 + k2).powi(2));
        assert_close!(p.answer(&p.hidden_in_5_2()).0.acceleration, [f * k2, f * k2, f * k1]);
    }
}

/// (5.48), with its minus sign: ẍ₂ = −(1/m₂) k₁k₂/(k₁ + k₂)(x̄₁ + q̄₂), two springs in series.
#[test]
fn case_5_2_eq_5_48_springs_in_series() {
    for p in Springs::all(&[0.0], &[3.0, 1e4]) {
        let [k1, k2] = p.k;
        let qdd = p.answer(&p.hidden_in_5_2()).0.acceleration;
        assert_close!(qdd[1] + qdd[2], -k1 * k2 / (k1 + k2) * (p.x[0] + p.x[1]) / p.m[1]);
        assert_close!(qdd[0], k2 / k1 * qdd[2]); // after (5.48)
    }
}

/// The extra row only says what the balance of forces says: where it holds, it exerts no force.
#[test]
fn case_5_2_extra_row_exerts_no_force() {
    for (k, x) in [([5.0, 10.0], [0.5, 0.25]), ([2.0, 8.0], [-1.0, -0.25])] {
        let p = Springs { m: [0.0, 3.0], k, x };
        let motion = p.answer(&p.hidden_in_5_2()).0;
        assert_zero!(motion.reactions[1], beside motion.reactions);
    }
}

/// Case 5.3 without its extra row: m₂ = 0 leaves q̄₂ free, and the force of the second spring unbalanced.
#[test]
fn case_5_3_without_its_extra_row() {
    for p in Springs::all(&[2.0, 0.001], &[0.0]) {
        let motion = p.answer(&[]).0;
        assert_eq!(motion.undetermined().collect::<Vec<_>>(), [2]);
        assert!(!motion.balanced);
        assert_close!(motion.unbalanced_force, [0.0, 0.0, p.force()[2]]);
    }
}

/// (5.50)–(5.53): A⁺ = [1/2 0; −1/2 0; 0 1/k₂].
#[test]
fn case_5_3_eq_5_53_pseudo_inverse() {
    for p in Springs::all(&[2.0], &[0.0]) {
        let form = p.answer(&p.hidden_in_5_3()).1;
        assert_close!(form.pseudo_inverse, [0.5, 0.0, -0.5, 0.0, 0.0, 1.0 / p.k[1]]);
    }
}

/// (5.54): M̄ = [m₁/2 0 0; m₁/2 0 0; 0 0 0; 1 −1 0; 0 0 k₂].
#[test]
fn case_5_3_eq_5_54_Mbar() {
    for p in Springs::all(&[2.0, 0.001], &[0.0]) {
        let h = p.m[0] / 2.0;
        let want = [h, 0.0, 0.0, h, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, 0.0, p.k[1]];
        assert_close!(p.answer(&p.hidden_in_5_3()).1.stacked, want);
    }
}

/// (5.55): M̂ has full rank, as does M̄.
#[test]
fn case_5_3_eq_5_55_Mhat_has_full_rank() {
    for p in Springs::all(&[2.0, 0.001], &[0.0]) {
        let (motion, form) = p.answer(&p.hidden_in_5_3());
        assert!(motion.is_unique());
        assert_eq!(rank(&matrix(5, 3, &form.stacked)), 3);
    }
}

/// (5.56): M̄⁺ = [1/m₁ 1/m₁ 0 0 0; 1/m₁ 1/m₁ 0 −1 0; 0 0 0 0 1/k₂] and q̈ = (−k₁x̄₁/m₁, −k₁x̄₁/m₁, 0).
#[test]
fn case_5_3_eq_5_56_equation_of_motion() {
    for p in Springs::all(&[2.0, 0.001], &[0.0]) {
        let (motion, form) = p.answer(&p.hidden_in_5_3());
        let u = 1.0 / p.m[0];
        assert_close!(form.stacked_inverse, [u, u, 0., 0., 0., u, u, 0., -1., 0., 0., 0., 0., 0., 1.0 / p.k[1]]);
        let x1 = p.force()[0] / p.m[0];
        assert_close!(motion.acceleration, [x1, x1, 0.0]);
    }
}
