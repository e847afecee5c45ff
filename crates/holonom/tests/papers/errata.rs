//! The papers' misprints, each beside what is right, changes of notation, and the gaps that the program decides. See `ERRATA.md`.

use crate::principle_2005_examples::{Appell, Block, G};
use crate::singular_2006_examples::{Springs, Wheel};
use crate::support::*;
use crate::systems::*;
use holonom::{MotionError, Snapshot, Workspace, kernel::Array, solve};
use holonom_reference::{Cut, Cuts, Mbar, Mhat, Twofold, motion_2006, motion_by_parts};

/// 2006 (5.48) as it stands has a plus sign: the springs would push a stretched mass outwards.
#[test]
fn misprint_2006_eq_5_48_sign() {
    for p in Springs::all(&[0.0], &[3.0]) {
        let qdd = p.answer(&p.hidden_in_5_2()).0.acceleration;
        let (x2, extension) = (qdd[1] + qdd[2], p.x[0] + p.x[1]);
        let printed = p.k[0] * p.k[1] / (p.k[0] + p.k[1]) * extension / p.m[1];
        assert_close!(x2, -printed);
        assert!(x2 * extension < 0.0 && printed * extension > 0.0);
    }
}

/// 2006 (5.16) as it stands has the entry 1/(mR² + I_c) where 1 must be: it is no inverse, and breaks A q̈ = b for
/// b ≠ 0.
#[test]
fn misprint_2006_eq_5_16_entry() {
    for w in Wheel::all() {
        let (motion, form) = w.with_b(0.7);
        let right = matrix(2, 3, &form.stacked_inverse);
        let mut printed = right.clone();
        printed.set(1, 2, Twofold::from(1.0 / w.J()));
        let M_bar = matrix(3, 2, &form.stacked);
        assert_zero!(&right * &M_bar - Mat::identity(2), beside Mat::identity(2));
        assert_apart!(&printed * &M_bar, Mat::identity(2));
        let given = column(&[0.0, w.m * G, 0.7]);
        let row = matrix(1, 2, &[-w.s(), 1.0]);
        assert_close!(&row * column(&motion.acceleration), 0.7, beside motion.acceleration);
        assert_close!(&right * &given, motion.acceleration);
        assert!(distance(&(row * printed * given), &0.7) > 1e-2);
    }
}

/// 2006 (5.31), (5.32), (5.47), (5.50): bars over accelerations come and go, and x₁ = x̄₁ + l₁₀ has the second derivative
/// of x̄₁. The forces have their bars in print, and need them: else springs at their natural lengths would pull.
#[test]
fn notation_2006_bars_on_accelerations() {
    let (k, natural) = ([5.0, 7.0], [0.4, 0.9]);
    // (5.25)
    let V = |x1: f64, q2: f64| 0.5 * k[0] * (x1 - natural[0]).powi(2) + 0.5 * k[1] * (q2 - natural[1]).powi(2);
    for [x1, q2] in [natural, [0.5, 0.7], [0.1, 2.0]] {
        let barred = Springs { m: [2.0, 3.0], k, x: [x1 - natural[0], q2 - natural[1]] };
        let by_energy = [-(V(x1 + 1.0, q2) - V(x1 - 1.0, q2)) / 2.0, 0.0, -(V(x1, q2 + 1.0) - V(x1, q2 - 1.0)) / 2.0];
        assert_close!(barred.force(), by_energy, beside k);
        let unbarred = Springs { x: [x1, q2], ..barred };
        let (right, wrong) = (barred.answer(&[]).0.acceleration, unbarred.answer(&[]).0.acceleration);
        assert_apart!(wrong, right);
        if [x1, q2] == natural {
            assert_eq!(right, [0.0; 3]);
        }
    }
}

/// 2005 (36)–(38) take vᵀQ^c = −vᵀC and a C along the velocity: with −C in (26) that is (39). With the C of (37) itself in
/// (26), friction would drive the block on.
#[test]
fn notation_2005_eq_36_to_38_sign_of_C() {
    for p in Block::all().into_iter().filter(|p| p.mu > 0.0) {
        let (sin, cos) = p.theta.sin_cos();
        let eq_39 = |direction: f64| -G * sin * cos - p.mu * G * cos * cos * direction;
        for direction in [1.0, -1.0] {
            let (right, printed) = (p.friction(direction), p.friction(direction).map(|c| -c));
            assert_close!(p.motion(&right).acceleration[0], eq_39(direction), beside G);
            assert_close!(p.motion(&printed).acceleration[0], eq_39(-direction), beside G); // drives it on
            let power = |C: &[f64; 2]| direction * (cos * C[0] + sin * C[1]);
            assert!(power(&right) < 0.0 && power(&printed) > 0.0);
        }
    }
}

/// 2005 (29), (30) as they stand have y² + z², x² + z², x² + y²: positions, where velocities belong.
#[test]
fn misprint_2005_eq_29_and_30_dots() {
    let [X, Y, Z] = [0.3_f64, -2.0, 5.0]; // a position; the motion cannot depend on it
    for p in Appell::all(&[0.0, 0.5]).into_iter().filter(|p| p.a0 > 0.0) {
        let [x, y, z] = p.velocity;
        let drag = |[xx, yy, zz]: [f64; 3]| {
            let matrix = matrix(3, 3, &[yy + zz, -x * y, x * z, -y * x, xx + zz, y * z, x * z, y * z, xx + yy]);
            (matrix * column(&p.velocity)).scaled(Twofold::from(-p.a0 / p.speed()))
        };
        assert_close!(p.motion().nonideal_force, drag([x * x, y * y, z * z]));
        assert_apart!(p.motion().nonideal_force, drag([X * X, Y * Y, Z * Z]));
        let in_30 = |xx: f64, yy: f64| -p.a0 / p.speed() * 2.0 * z * (xx + yy);
        assert_close!(p.motion().nonideal_force[2], in_30(x * x, y * y));
        assert_apart!(p.motion().nonideal_force[2], in_30(X * X, Y * Y));
    }
}

/// 2005 (28) as it stands multiplies the row by the scalar ẏ: three numbers that are not αġ. The row meets the
/// acceleration.
#[test]
fn misprint_2005_eq_28_acceleration() {
    for p in Appell::all(&[0.5, -1.2]) {
        let right: f64 = p.row().iter().zip(p.motion().acceleration).map(|(a, x)| a * x).sum();
        assert_close!(right, p.alpha * p.g_dot, beside p.motion().acceleration);
        let printed = p.row().map(|a| a * p.velocity[1]);
        assert_apart!(printed, [p.alpha * p.g_dot; 3]);
    }
}

/// 2005, after (19): Gauss's principle is "valid only when the constraints are nonideal": ideal. With C ≠ 0 the
/// motion is not the least of Gauss's function, but of G_ni.
#[test]
fn misprint_2005_after_eq_19_gauss_needs_ideal_constraints() {
    let mut workspace = Workspace::new();
    for s in definite().into_iter().filter(|s| rank(&s.A) < s.n()) {
        let (ideal, found) = (s.ideal(), rounded(&s.found().qdd));
        let least = rounded(&ideal.found().qdd);
        let mut gauss = |s: &System, x: &[f64]| workspace.gauss(&s.snapshot(), x).unwrap().by_acceleration.unwrap();
        assert!(gauss(&ideal, &found) > gauss(&ideal, &least) * (1.0 + 1e-9)); // Gauss's own function
        assert!(gauss(&s, &found) < gauss(&s, &least) * (1.0 - 1e-9)); // G_ni
    }
}

/// 2005, after (5): φ = φ̇ = 0 at the start is not enough, ψ = 0 is needed: A q̈ = b keeps a wrong ψ for ever.
#[test]
fn misprint_2005_after_eq_5_psi_at_the_start() {
    // A skate (x, y, heading h) and a weight w on a rail above it: φ = w − x, ψ = ẋ sin h − ẏ cos h.
    let mass = [2.0, 0., 0., 0., 0., 2.0, 0., 0., 0., 0., 0.5, 0., 0., 0., 0., 1.0];
    let force = [0.3, -1.0, 0.1, 0.0];
    let rate = |q: &[f64; 4], v: &[f64; 4]| -> [f64; 4] {
        let (sin, cos) = q[2].sin_cos();
        let rows = [-1.0, 0.0, 0.0, 1.0, sin, -cos, 0.0, 0.0];
        let b = [0.0, -v[2] * (v[0] * cos + v[1] * sin)];
        solve(&Snapshot::new(&mass, &force).constrained(&rows, &b)).unwrap().acceleration.try_into().unwrap()
    };
    let add = |x: &[f64; 4], h: f64, y: &[f64; 4]| [0, 1, 2, 3].map(|i| x[i] + h * y[i]);
    for wrong in [0.0, 0.3] {
        let (mut q, mut v) = ([1.0, 0.0, 0.0, 1.0], [0.8, -wrong, 0.5, 0.8]); // ψ = −ẏ = wrong
        let h = 1.0 / 256.0;
        for _ in 0..256 {
            let (v1, a1) = (v, rate(&q, &v));
            let (v2, a2) = (add(&v, h / 2.0, &a1), rate(&add(&q, h / 2.0, &v1), &add(&v, h / 2.0, &a1)));
            let (v3, a3) = (add(&v, h / 2.0, &a2), rate(&add(&q, h / 2.0, &v2), &add(&v, h / 2.0, &a2)));
            let (v4, a4) = (add(&v, h, &a3), rate(&add(&q, h, &v3), &add(&v, h, &a3)));
            q = [0, 1, 2, 3].map(|i| q[i] + h / 6.0 * (v1[i] + 2.0 * v2[i] + 2.0 * v3[i] + v4[i]));
            v = [0, 1, 2, 3].map(|i| v[i] + h / 6.0 * (a1[i] + 2.0 * a2[i] + 2.0 * a3[i] + a4[i]));
        }
        let psi = v[0] * q[2].sin() - v[1] * q[2].cos();
        assert_zero!(q[3] - q[0], beside q); // φ stays
        assert!((psi - wrong).abs() < 1e-10, "ψ = {psi}");
    }
}

/// Alternate proof (15): with the stray uᵀ the middle term is one number, not a vector. Without it, it vanishes.
#[test]
fn misprint_alternate_proof_eq_15_stray_u() {
    let mut random = Random::new(15);
    for s in particles() {
        let Roots { inverse_root, B, B_plus, a, .. } = s.ideal().roots();
        let (u, w) = (random.vector(s.n()), random.vector(s.m()));
        let middle = (s.I() - &B_plus * B) * &B_plus * w;
        let force = inverse_root * s.ideal().found().Qc;
        let printed = u.transpose() * &middle;
        assert_eq!((printed.rows(), middle.rows(), force.rows()), (1, s.n(), s.n()));
        assert_zero!(middle, beside s.I(), 1e-24);
        assert_close!(force, &B_plus * (&s.b - &s.A * a) + middle);
    }
}

/// Science paper (26): A = (k − 1) as it stands is one number and fits no plane; the row is (k, −1).
#[test]
fn misprint_science_eq_26_row() {
    let unit = [1.0, 0.0, 0.0, 1.0];
    for k in [-3.0, 0.5, 40.0] {
        let (printed, row) = ([k - 1.0], [k, -1.0]);
        let refused = solve(&Snapshot::new(&unit, &[0.0, -G]).constrained(&printed, &[0.0]));
        assert!(matches!(refused, Err(MotionError::Shape { array: Array::A, rows: 1, columns: 2, found: 1 })));
        let motion = solve(&Snapshot::new(&unit, &[0.0, -G]).constrained(&row, &[0.0])).unwrap();
        assert_close!(motion.acceleration[1], k * motion.acceleration[0]);
    }
}

/// Gap, no solution: with a force along N(M) ∩ N(A), (2.12) has none; (2.14) is a least-squares vector, and the
/// program says so and names the direction.
#[test]
fn gap_no_solution_is_said() {
    for s in not_unique(false) {
        let (motion, stacked) = (s.motion(), Mbar(&s.M, &s.A, &plus(&s.A)));
        let F = &s.Q + &s.C;
        let right = (s.N() * &F).stack(&s.b);
        assert_eq!(rank(&stacked) + 1, rank(&stacked.transpose().stack(&right.transpose()))); // no solution
        assert!(!motion.balanced);
        let W = null(&Mhat(&s.M, &s.A));
        assert_close!(motion.unbalanced_force, &W * (W.transpose() * &F));
        assert!(motion.undetermined().next().is_some());
        assert_close!(motion.acceleration, plus(&stacked) * F.stack(&s.b)); // (2.14) all the same
        assert_close!(&s.A * s.found().qdd, s.b);
    }
    assert!(every().iter().all(|s| s.motion().balanced));
}

/// Gap, semi-definite: lemma 3.1 takes M^{1/2}. For the indefinite diag(1, −1) and A = (1, 1) it is false, and such
/// an M is an error by name.
#[test]
fn gap_indefinite_mass_is_an_error() {
    let (M, A) = (matrix(2, 2, &[1.0, 0.0, 0.0, -1.0]), matrix(1, 2, &[1.0, 1.0]));
    assert_eq!(rank(&Mhat(&M, &A)), 2);
    assert_eq!(rank(&Mbar(&M, &A, &plus(&A))), 1);
    let refused = solve(&Snapshot::new(&[1.0, 0.0, 0.0, -1.0], &[0.0, 0.0]).constrained(&[1.0, 1.0], &[0.0]));
    assert!(matches!(refused, Err(MotionError::Indefinite { .. })));
    let hidden = [1.0, 2.0, 2.0, 1.0]; // a positive diagonal, but eigenvalues 3 and −1
    assert!(matches!(solve(&Snapshot::new(&hidden, &[0.0, 0.0])), Err(MotionError::Indefinite { .. })));
}

/// Gap, contradictory constraints: A q̈ = A A⁺b, least squares in the rows as given, for any M.
#[test]
fn gap_contradictory_constraints_are_least_squares_in_the_rows_as_given() {
    let redundant = |s: &System| rank(&s.A) > 0 && rank(&s.A) < s.m();
    for s in every().into_iter().filter(redundant) {
        let s = s.with_b(&Random::new(40).vector(s.m()));
        assert_eq!(rank(&s.A) + 1, rank(&s.A.transpose().stack(&s.b.transpose()))); // no q̈ at all has A q̈ = b
        let motion = s.motion();
        assert!(!motion.consistent);
        let reached = &s.A * (plus(&s.A) * &s.b);
        assert_close!(&s.A * s.found().qdd, reached);
        assert_close!(motion.residuals, &reached - &s.b);
        assert_close!(motion.acceleration, plus(&Mbar(&s.M, &s.A, &plus(&s.A))) * (&s.Q + &s.C).stack(&s.b));
    }
    // x = 0 and w x = w: a row ten times as long counts a hundred times as much.
    for w in [1.0, 10.0, 1e-3] {
        let motion = solve(&Snapshot::new(&[2.0], &[5.0]).constrained(&[1.0, w], &[0.0, w])).unwrap();
        assert_close!(motion.acceleration, [w * w / (1.0 + w * w)]);
    }
}

/// Gap, the split with singular M: Qᵢ = M M̄⁺[Q; b] − (I − Π)Q and Qₙᵢ = M M̄⁺[C; 0] + ΠC, with Π the projector on
/// N(M) ∩ N(A); Qᵢ does no virtual work, and what is missing in Newton's equation is the unbalanced force.
#[test]
fn gap_split_of_the_force_with_singular_mass() {
    for s in [every(), not_unique(false)].concat() {
        let found = s.found();
        let inverse = plus(&Mbar(&s.M, &s.A, &plus(&s.A)));
        let W = null(&Mhat(&s.M, &s.A));
        let Pi = &W * W.transpose();
        let whole = s.Q.stack(&s.C).stack(&found.Qc);
        assert_close!(found.Qi, &s.M * &inverse * s.Q.stack(&s.b) - (s.I() - &Pi) * &s.Q, beside whole);
        let nothing = Mat::zeros(s.m(), 1);
        assert_close!(found.Qni, &s.M * &inverse * s.C.stack(&nothing) + &Pi * &s.C, beside whole);
        for v in s.virtual_displacements() {
            assert_zero!(dot(&v, &found.Qi), beside whole);
        }
        let balance = &s.M * &found.qdd - &s.Q + column(&s.motion().unbalanced_force);
        assert_close!(found.Qc, balance, beside whole);
    }
}

/// Gap, which force feeds friction: the 2005 example takes µ|Qᵢ|. A cart on a rough rail with a bob on a rod shows
/// the difference: −1.09 m/s² by the ideal force, −1.962 by the reaction, which is what Coulomb's law says.
#[test]
fn gap_friction_is_fed_by_the_reaction() {
    let (mu, h) = (0.5, 0.5f64.sqrt());
    let mass: Vec<f64> = (0..16).map(|i| if i % 5 == 0 { 1.0 } else { 0.0 }).collect();
    let force = [0.0, -G, 0.0, -G]; // cart (x, y), bob (x, y)
    let rows = [0.0, 1.0, 0.0, 0.0, -h, h, h, -h]; // rail, rod at 45 degrees
    let snapshot = Snapshot::new(&mass, &force).constrained(&rows, &[0.0, 0.0]);
    let mut workspace = Workspace::new();
    let prepared = workspace.prepare(&snapshot).unwrap();
    let ideal = prepared.ideal_multipliers()[0];
    let by_ideal = prepared.finish(&[-mu * ideal, 0.0, 0.0, 0.0]).unwrap();
    assert_close!(by_ideal.acceleration[0], -G / 9.0);
    assert_apart!(by_ideal.reactions[0], ideal); // the load it was fed is not the load it has
    let feedback = [-mu, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let (motion, C) = workspace.prepare(&snapshot).unwrap().finish_with_feedback(&[0.0; 4], &feedback).unwrap();
    assert_close!(motion.acceleration[0], -G / 5.0);
    assert_close!(C[0], -mu * motion.reactions[0]); // Coulomb's law, by the load it has
}

/// The same gap where it closes: for one block with friction along the plane A M⁻¹C = 0, and both forces agree.
#[test]
fn gap_friction_of_one_block_agrees_with_the_paper() {
    for p in Block::all() {
        let motion = p.motion(&p.friction(1.0));
        assert_close!(motion.reactions, motion.ideal_multipliers);
        let (mass, weight, row) = ([p.m, 0.0, 0.0, p.m], [0.0, -p.m * G], [-p.theta.tan(), 1.0]);
        let (sin, cos) = p.theta.sin_cos();
        let normal = 1.0 / cos; // |Aᵀ|
        let feedback = [-p.mu * normal * cos, -p.mu * normal * sin];
        let mut workspace = Workspace::new();
        let snapshot = Snapshot::new(&mass, &weight).constrained(&row, &[0.0]);
        let (coupled, _) = workspace.prepare(&snapshot).unwrap().finish_with_feedback(&[0.0; 2], &feedback).unwrap();
        assert_close!(coupled.acceleration, motion.acceleration, beside G); // (39)
    }
}

/// Gap, work along the motion: an ideal constraint that moves (a lift), or |v| = const, works on the actual velocity;
/// zero work is a law for virtual displacements only.
#[test]
fn gap_ideal_constraints_may_work_along_the_motion() {
    let unit = [1.0, 0.0, 0.0, 1.0];
    let work = |velocity: [f64; 2], force: &[f64]| velocity[0] * force[0] + velocity[1] * force[1];
    // A lift y = 3t²/2 at t = 2.
    let lift = solve(&Snapshot::new(&unit, &[0.0, -G]).constrained(&[0.0, 1.0], &[3.0])).unwrap();
    assert_close!(work([1.0, 6.0], &lift.ideal_force), 6.0 * (G + 3.0));
    assert_eq!(work([1.0, 0.0], &lift.ideal_force), 0.0); // a virtual displacement
    // |v| = const under gravity: v itself is no virtual displacement.
    let velocity = [3.0, 4.0];
    let constant = solve(&Snapshot::new(&unit, &[0.0, -G]).constrained(&velocity, &[0.0])).unwrap();
    assert_close!(work(velocity, &constant.ideal_force), 4.0 * G); // all that gravity takes
    assert_zero!(work([-4.0, 3.0], &constant.ideal_force), beside constant.ideal_force);
}

/// Gap, Coulomb at rest: (39) with any sgn 0 of −1, 0, 1 moves a block that friction can hold. The force that holds
/// it is found by the inverse question, and is within Coulomb's bound exactly when µ ≥ tan θ.
#[test]
fn gap_coulomb_at_rest_is_set_valued() {
    for p in Block::all() {
        for sign in [-1.0, 0.0, 1.0] {
            assert!(p.motion(&p.friction(sign)).acceleration[0].abs() > 1e-6 * G);
        }
        let (mass, weight, row) = ([p.m, 0.0, 0.0, p.m], [0.0, -p.m * G], [-p.theta.tan(), 1.0]);
        let snapshot = Snapshot::new(&mass, &weight).constrained(&row, &[0.0]);
        let why = Workspace::new().explain(&snapshot, &[0.0, 0.0]).unwrap();
        let holding = why.nonideal_part[0].hypot(why.nonideal_part[1]);
        assert_close!(holding, p.m * G * p.theta.sin());
        let bound = p.mu * why.ideal_force[0].hypot(why.ideal_force[1]);
        assert_eq!(holding <= bound, p.mu >= p.theta.tan());
        assert_zero!(p.motion(&[why.nonideal_part[0], why.nonideal_part[1]]).acceleration, beside G);
    }
}

/// Gap, units: (2.14) stacks forces and accelerations in one pseudo-inverse. In 16 digits, with masses of 10¹⁵, the
/// rows of A drown in it; the program keeps the two apart.
#[test]
fn gap_units_drown_a_naive_pseudo_inverse() {
    let heavy = 2f64.powi(50);
    for s in definite().into_iter().filter(|s| rank(&s.A) > 0 && rank(&s.A) < s.n()) {
        let scale = Twofold::from(heavy);
        let s = System::new(s.name, s.M.scaled(scale), s.Q.scaled(scale), s.A, s.b, s.C.scaled(scale));
        let k = rank(&s.A);
        let [Q, b, C] = [&s.Q, &s.b, &s.C].map(|x| x.entries());
        let exact = motion_by_parts(&s.M, Q, &s.A, b, C, k, s.n());
        assert_close!(s.found().qdd, Mat::column(&exact.qdd));
        let cut = Cut::Relative(f64::EPSILON * (s.n() + s.m()) as f64); // what numerical libraries take
        let [Q, b, C] = [&s.Q, &s.b, &s.C].map(rounded);
        let naive = motion_2006(&s.M.to_f64(), &Q, &s.A.to_f64(), &b, &C, Cuts { A: cut, Mhat: cut });
        assert_apart!(naive.qdd, s.found().qdd);
    }
}

/// Gap, Appell: for α = 0, on the constraint, C is itself a virtual displacement and Qₙᵢ = C; for α ≠ 0 it is not.
#[test]
fn gap_appell_nonideal_force_is_C_iff_alpha_is_zero() {
    for p in Appell::all(&[0.0, 0.5, -1.2]).into_iter().filter(|p| p.a0 > 0.0) {
        let reached: f64 = p.row().iter().zip(p.C()).map(|(a, c)| a * c).sum();
        if p.alpha == 0.0 {
            assert_zero!(reached, beside p.C());
            assert_close!(p.motion().nonideal_force, p.C());
        } else {
            assert_close!(reached, -p.a0 * p.speed() * 2.0 * p.alpha * 0.3);
            assert_apart!(p.motion().nonideal_force, p.C());
        }
    }
}
