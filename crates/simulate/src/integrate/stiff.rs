//! A system in motion with its derivatives: the field of the stiff method.
//!
//! C that depends on reactions, and frictions, count in rates but not in derivatives: Newton's method is a little slower for them.

use super::field::{Field, StiffField};
use super::mechanics::Mechanics;
use super::trouble::Trouble;
use holonom_mechanics::compile::{CompiledSystem, Group, Inputs, Tangent, Values};

/// Room for derivatives.
#[derive(Clone)]
pub(super) struct Derivatives {
    values: Values,
    tangent: Tangent,
    /// Ideal multipliers and reactions of all rows of the equations.
    ideal: Vec<f64>,
    reaction: Vec<f64>,
    /// ∂(b − A q̈) of the rows in force.
    rows: Vec<f64>,
}

impl Derivatives {
    /// Derives and compiles them.
    pub(super) fn new(system: &CompiledSystem) -> Self {
        system.compile(Group::Stiffness);
        let (n, m) = (system.coordinates(), system.rows());
        Self {
            values: system.values(Group::Stiffness),
            tangent: Tangent::default(),
            ideal: vec![0.0; m],
            reaction: vec![0.0; m],
            rows: Vec::with_capacity(m * n),
        }
    }
}

/// A system in motion, with its derivatives.
pub(super) struct Stiff<'a> {
    pub(super) mechanics: &'a mut Mechanics,
    pub(super) derivatives: &'a mut Derivatives,
}

impl Field for Stiff<'_> {
    type Failure = Trouble;

    fn coordinates(&self) -> usize {
        self.mechanics.coordinates()
    }

    fn quadratures(&self) -> usize {
        self.mechanics.quadratures()
    }

    fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Trouble> {
        self.mechanics.rate(t, y, rate)
    }
}

impl StiffField for Stiff<'_> {
    fn jacobian(&mut self, t: f64, y: &[f64], by_position: &mut [f64], by_velocity: &mut [f64]) -> Result<(), Trouble> {
        let n = self.mechanics.n;
        let (q, v) = (&y[..n], &y[n..2 * n]);
        // By the kernel, whose factors are at hand afterwards.
        self.mechanics.examine(t, q, v)?;
        self.mechanics.factor_all()?;
        let Mechanics { system, in_force, linear, found, seams, .. } = &mut *self.mechanics;
        let (rows, acceleration) = (&in_force.rows, &found.acceleration);
        let Derivatives { values, tangent, ideal: all_ideal, reaction: all_reactions, rows: by_rows } =
            self.derivatives;
        all_ideal.fill(0.0);
        all_reactions.fill(0.0);
        for (place, &row) in rows.iter().enumerate() {
            (all_ideal[row], all_reactions[row]) = (found.ideal[place], found.reaction[place]);
        }
        let (multiplier, reaction) = (&all_ideal[..], &all_reactions[..]);
        system.evaluate(&Inputs { t, q, v, acceleration, multiplier, reaction, ..Inputs::default() }, values);
        let all = &system.equations().rows;
        let acts =
            |constraint: usize| rows.iter().any(|&row| all[row].constraint.is_some_and(|(c, _)| c == constraint));
        system.stiffness(values, acts, tangent);
        for (is_by_position, force, of_rows, out) in [
            (true, &tangent.force_by_position, &tangent.rows_by_position, by_position),
            (false, &tangent.force_by_velocity, &tangent.rows_by_velocity, by_velocity),
        ] {
            by_rows.clear();
            rows.iter().for_each(|&row| by_rows.extend_from_slice(&of_rows[row * n..(row + 1) * n]));
            by_rows.resize((rows.len() + in_force.sticks) * n, 0.0);
            linear.respond_to_columns(n, force, by_rows, out);
            if let Some(seams) = seams {
                let inputs = Inputs { t, q, v, acceleration, ..Inputs::default() };
                seams.hold_columns(system, &inputs, is_by_position, out);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Derivatives, Stiff};
    use crate::integrate::field::{Field, StiffField};
    use crate::integrate::mechanics::Mechanics;
    use crate::integrate::radau::{Attempt, Radau};
    use holonom_language::from_text;
    use holonom_mechanics::compile::CompiledSystem;
    use holonom_mechanics::derive::derive;

    /// A pendulum with drag on a pivot that moves; its rod is there twice, and a rope is off.
    const PENDULUM: &str = "param m = 2, L = 0.5, g = 9.81, c = 0.3
coord x, y
particle bob: m at (x, y)
gravity (0, -g)
constraint rope: x = y, off
constraint rod: (x - 0.1*sin(t))^2 + y^2 = L^2
constraint again: (x - 0.1*sin(t))^2 + y^2 = L^2
nonideal rod on bob: -c*norm((x', y'))*(x', y')
start x = 0.3
";

    fn mechanics() -> Mechanics {
        let loaded = from_text("pendulum.holo", PENDULUM);
        let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        Mechanics::new(CompiledSystem::new(derive(model).expect("a good model").value))
    }

    #[test]
    fn jacobians_are_those_of_differences() {
        let mut mechanics = mechanics();
        let mut derivatives = Derivatives::new(&mechanics.system);
        let size = 4 + mechanics.quadratures();
        // On the constraints at t = 0: ẋ is 0.1 at the pivot.
        let mut y = vec![0.0; size];
        y[..4].copy_from_slice(&[0.3, -0.4, 0.1 + 0.8, 0.6]);
        let mut rate = vec![0.0; size];
        mechanics.rate_deciding(0.0, &y, &mut rate).expect("a motion");
        let (mut by_q, mut by_v) = ([0.0; 4], [0.0; 4]);
        let mut field = Stiff { mechanics: &mut mechanics, derivatives: &mut derivatives };
        field.jacobian(0.0, &y, &mut by_q, &mut by_v).expect("a motion");
        for j in 0..4 {
            let mut at = |step: f64| {
                let mut y = y.clone();
                y[j] += step;
                field.rate(0.0, &y, &mut rate).expect("a motion");
                [rate[2], rate[3]]
            };
            let (before, after) = (at(-1e-5), at(1e-5));
            for i in 0..2 {
                let slope = (after[i] - before[i]) / 2e-5;
                let found = if j < 2 { by_q[i * 2 + j] } else { by_v[i * 2 + j - 2] };
                assert!((found - slope).abs() < 1e-7 * (1.0 + slope.abs()), "{i}, {j}: {found} is not {slope}");
            }
        }
    }

    #[test]
    fn steps_of_the_stiff_method_stay_near_the_constraints() {
        let mut mechanics = mechanics();
        let mut derivatives = Derivatives::new(&mechanics.system);
        let quadratures = mechanics.quadratures();
        let mut method = Radau::new(2, quadratures);
        let mut y = vec![0.0; 4 + quadratures];
        y[..4].copy_from_slice(&[0.3, -0.4, 0.1 + 0.8, 0.6]);
        let (mut rate, mut next) = (y.clone(), y.clone());
        mechanics.rate_deciding(0.0, &y, &mut rate).expect("a motion");
        for step in 0..100 {
            let t = f64::from(step) * 0.01;
            let mut field = Stiff { mechanics: &mut mechanics, derivatives: &mut derivatives };
            field.rate(t, &y, &mut rate).expect("a motion");
            let attempt = method.attempt(&mut field, t, 0.01, &y, &rate, &[1e-9; 4], &mut next);
            assert!(matches!(attempt, Ok(Attempt::Done { .. })), "{attempt:?}");
            method.accepted();
            y.copy_from_slice(&next);
        }
        let off = (y[0] - 0.1 * 1f64.sin()).hypot(y[1]) - 0.5;
        assert!(off.abs() < 1e-8, "{off}");
    }
}
