//! Velocities that jump: impulsive constraints in the mass norm.
//!
//! M(v⁺ − v⁻) = Aᵀp, and A v⁺ = −r·A v⁻ for the rows that are struck (with what time adds: ψ⁺ = −r·ψ⁻), ψ⁺ = 0 for those in
//! force. Of all velocities that meet this, v⁺ is the one nearest to v⁻ in the norm of M: Gauss's principle for impulses.
//! A constraint that comes into force is an impact with r = 0.

use super::mechanics::Mechanics;
use super::trouble::Trouble;
use holonom_mechanics::compile::runs_sparse;
use holonom_mechanics::compile::{CompiledSystem, Group};

/// Corrections for rows that are not linear in the velocities; linear ones take one.
const CORRECTIONS: usize = 12;

/// A row is met where what is left of its rate is below this part of its terms.
const MET: f64 = 1e-12;

/// What an impact did.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Jump {
    /// The impulses of the rows that were struck, in order.
    pub(super) impulses: Vec<f64>,
    /// Whether all rows could be met.
    pub(super) met: bool,
}

/// Makes velocities jump so that rows in force hold and rows that are struck, (row, restitution), are left as they say. What velocities are
/// measured by tells what rounding leaves of a row: redundant rows agree no better than that.
pub(super) fn jump(
    system: &CompiledSystem,
    in_force: &[usize],
    struck: &[(usize, f64)],
    (t, q): (f64, &[f64]),
    v: &mut [f64],
    speeds: &[f64],
) -> Result<Jump, Trouble> {
    let n = v.len();
    let mut drift = system.values(Group::VelocityDrift);
    system.at(t, q, v, &mut drift);
    // (row, what it is to be after)
    let mut rows: Vec<(usize, f64)> = struck.iter().map(|&(row, r)| (row, -r * drift.residual()[row])).collect();
    rows.extend(in_force.iter().filter(|row| struck.iter().all(|one| one.0 != **row)).map(|&row| (row, 0.0)));
    let mut made = Jump { impulses: vec![0.0; struck.len()], met: true };
    let order = rows.iter().map(|&(row, _)| row).collect();
    let mut mechanics = Mechanics::with_rows(system.clone(), order, runs_sparse(system));
    let (mut b, force) = (vec![0.0; rows.len()], vec![0.0; n]);
    for _ in 0..CORRECTIONS {
        system.at(t, q, v, &mut drift);
        let sizes = mechanics.rate_sizes(t, q, v, speeds);
        for ((b, &(row, after)), size) in b.iter_mut().zip(&rows).zip(sizes) {
            let left = after - drift.residual()[row];
            // Rows that repeat each other agree but for rounding, and that is no contradiction.
            *b = if left.abs() <= MET * (size + after.abs()) { 0.0 } else { left };
        }
        let motion = mechanics.answer_to(t, q, v, &force, &b)?;
        made.met = motion.consistent;
        made.impulses.iter_mut().zip(motion.ideal).for_each(|(p, more)| *p += more);
        let size = v.iter().fold(0.0, |size: f64, v| size.max(v.abs()));
        let change = motion.acceleration.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
        v.iter_mut().zip(motion.acceleration).for_each(|(v, x)| *v += x);
        // What is left by rounding cannot be improved, nor what cannot be met.
        if change <= 1e-15 * size || !made.met {
            break;
        }
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use holonom_language::from_text;
    use holonom_mechanics::derive::derive;

    fn system(text: &str) -> CompiledSystem {
        CompiledSystem::new(derive(from_text("impact.holo", text).model.unwrap()).unwrap().value)
    }

    const PENDULA: &str = "param m = 2, L = 0.7\ncoord a, b\n\
        let elbow = (L*sin(a), -L*cos(a))\nlet hand = elbow + (L*sin(b), -L*cos(b))\n\
        particle p: m at elbow, q: 3*m at hand\ngravity (0, -9.81)\n\
        constraint wall: hand.x = 0.5, off\nstart a = 0.3, b = 0.6\nevent hit: hand.x > 0.5 -> impact wall, restitution = 0.6\n";

    /// M(v⁺ − v⁻) = Aᵀp, u⁺ = −r u⁻, and by Carnot's theorem T⁺ − T⁻ = p(u⁺ + u⁻)/2.
    #[test]
    fn momentum_and_energy_of_a_double_pendulum_that_hits_a_wall() {
        let system = system(PENDULA);
        let (q, before) = ([0.3, 0.9], [1.1, -0.4]);
        for r in [0.0, 0.6, 1.0] {
            let mut v = before;
            let made = jump(&system, &[], &[(0, r)], (0.0, &q), &mut v, &[0.0; 2]).unwrap();
            assert!(made.met);
            let mut dynamics = system.values(Group::Dynamics);
            system.at(0.0, &q, &before, &mut dynamics);
            let (m, a, p) = (dynamics.mass(), dynamics.row(0), made.impulses[0]);
            let rate = |v: &[f64]| a[0] * v[0] + a[1] * v[1];
            assert!((rate(&v) + r * rate(&before)).abs() < 1e-14);
            for i in 0..2 {
                let momentum: f64 = (0..2).map(|j| m[2 * i + j] * (v[j] - before[j])).sum();
                assert!((momentum - a[i] * p).abs() < 1e-14);
            }
            let kinetic = |v: &[f64]| 0.5 * (0..4).map(|k| m[k] * v[k / 2] * v[k % 2]).sum::<f64>();
            let carnot = 0.5 * p * (rate(&v) + rate(&before));
            assert!((kinetic(&v) - kinetic(&before) - carnot).abs() < 1e-13);
        }
    }

    /// Two balls on a rod: what holds the rod takes part in the impact.
    #[test]
    fn constraints_in_force_pass_the_impulse_on() {
        let system = system(
            "coord x, y\nparticle p: 1 at (x, y)\nconstraint rod: x = y, floor: y = 0, off\n\
             start x = 1, y = 1\nevent hit: y falls -> impact floor, restitution = 0.5\n",
        );
        let mut v = [-2.0, -2.0];
        jump(&system, &[0], &[(1, 0.5)], (0.0, &[0.0, 0.0]), &mut v, &[0.0; 2]).unwrap();
        assert!((v[0] - 1.0).abs() < 1e-15 && (v[1] - 1.0).abs() < 1e-15, "{v:?}");
    }
}
