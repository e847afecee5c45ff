//! The principles along a run, on request: Gauss's function, Δa, e and the virtual work of the constraints as columns, and how well
//! they held.
//!
//! They are held against the accelerations and forces of the table, which were found without the papers' matrices.

use super::mechanics::{Mechanics, Trouble};
use super::outcome::{Column, PrinciplesHeld};
use super::record::column;
use crate::compile::System;
use crate::linalg::vector::{apply, dot};
use crate::model::Diagnostic;
use crate::model::units::Dimension;
use crate::motion::{ExplicitForm, Snapshot, Workspace};

/// M, Q, A, b and C of the rows in force at a state, every entry in its place.
pub(super) struct Numbers {
    pub(super) mass: Vec<f64>,
    pub(super) force: Vec<f64>,
    pub(super) a: Vec<f64>,
    pub(super) b: Vec<f64>,
    pub(super) c: Vec<f64>,
    /// The rows in force, by their number among those of the equations.
    pub(super) rows: Vec<usize>,
}

/// The columns of the principles. Without M⁻¹ there is neither a nor what is compared with it.
pub(super) fn columns(system: &System, is_definite: bool) -> Vec<Column> {
    let equations = system.equations();
    let model = &equations.model;
    let (energy, time) = (Dimension::energy(), Dimension::TIME);
    let (power, per_square) = (energy.over(time), |of: Dimension| of.over(time)?.over(time));
    let mut columns = vec![column(model, if is_definite { "Gni" } else { "G" }.to_string(), per_square(energy))];
    if is_definite {
        for coordinate in &model.coordinates {
            columns.push(column(model, format!("da.{}", coordinate.name), per_square(coordinate.dimension)));
        }
        for row in &equations.rows {
            // e has the dimension of b: that of the equation, differentiated until accelerations appear.
            let of_equation = row.constraint.map(|(constraint, _)| model.constraints[constraint].dimension);
            let dimension = of_equation.and_then(|of| of.over(time.power(2 - row.kind as i32, 1)?));
            columns.push(column(model, format!("e.{}", row.name), dimension));
        }
    }
    columns.extend(equations.rows.iter().map(|row| column(model, format!("virtual.{}", row.name), power)));
    columns.push(column(model, "virtual.C".to_string(), power));
    columns
}

/// Evaluates the principles at the states that are recorded.
pub(super) struct Along {
    workspace: Workspace,
    is_definite: bool,
    pub(super) held: PrinciplesHeld,
}

impl Along {
    pub(super) fn new(is_definite: bool) -> Self {
        Self { workspace: Workspace::new(), is_definite, held: PrinciplesHeld::default() }
    }

    /// Adds the columns of the state that was examined last; `reactions` are those of all rows of the equations.
    pub(super) fn write(
        &mut self,
        mechanics: &Mechanics,
        velocities: &[f64],
        reactions: &[f64],
        row: &mut Vec<f64>,
    ) -> Result<(), Trouble> {
        let numbers = mechanics.full();
        let snapshot =
            Snapshot::new(&numbers.mass, &numbers.force).constrained(&numbers.a, &numbers.b).nonideal(&numbers.c);
        let form = self.workspace.explicit_form(&snapshot)?;
        let acceleration = &mechanics.found.acceleration;
        let gauss = self.workspace.gauss(&snapshot, acceleration)?;
        let n = velocities.len();
        if self.is_definite {
            let (Some(least), Some(free), Some(e)) =
                (gauss.by_acceleration, &form.free_acceleration, &form.constraint_error)
            else {
                return Err(Trouble::Told(Box::new(lost())));
            };
            row.push(least);
            let deviation: Vec<f64> = acceleration.iter().zip(free).map(|(x, a)| x - a).collect();
            row.extend_from_slice(&deviation);
            let first = row.len();
            row.resize(first + reactions.len(), 0.0);
            numbers.rows.iter().zip(e).for_each(|(&which, e)| row[first + which] = *e);
            self.hold_proportional(&form, &numbers, e, free, &deviation);
        } else {
            row.push(gauss.general);
        }
        // Velocities less what moving constraints prescribe are a virtual displacement (I − A⁺A)q̇ (2006, eq. 2.8).
        let mut moved = vec![0.0; n];
        apply(&form.virtual_part, velocities, &mut moved);
        let first = row.len();
        row.resize(first + reactions.len(), 0.0);
        for (place, &which) in numbers.rows.iter().enumerate() {
            row[first + which] = reactions[which] * dot(&numbers.a[place * n..(place + 1) * n], &moved);
        }
        row.push(dot(&numbers.c, &moved));
        self.hold_along_displacements(mechanics, &snapshot, &numbers)
    }

    /// Δa = K₁e, and what C adds (1992, eq. 5c′; Udwadia, Kalaba & Fan 2005, eq. 7).
    fn hold_proportional(
        &mut self,
        form: &ExplicitForm,
        numbers: &Numbers,
        e: &[f64],
        free: &[f64],
        deviation: &[f64],
    ) {
        let (n, m) = (deviation.len(), e.len());
        let (mut off, mut size) = (0.0_f64, 0.0_f64);
        for j in 0..n {
            let gain = form.acceleration_gain[j * m..(j + 1) * m].iter().zip(e).map(|(k, e)| k * e);
            let added = form.response[j * n..(j + 1) * n].iter().zip(&numbers.c).map(|(r, c)| r * c);
            let terms = gain.chain(added);
            off = off.max((deviation[j] - terms.clone().sum::<f64>()).abs());
            size = size.max(free[j].abs()).max(deviation[j].abs()).max(terms.map(f64::abs).sum());
        }
        let before = self.held.proportional.unwrap_or(0.0);
        self.held.proportional = Some(before.max(part(off, size)));
    }

    /// Along every virtual displacement the constraints do the work of C (2005p, eq. 9), and Gauss's function has no slope (eq. 13).
    fn hold_along_displacements(
        &mut self,
        mechanics: &Mechanics,
        snapshot: &Snapshot,
        numbers: &Numbers,
    ) -> Result<(), Trouble> {
        let (ideal, nonideal) = mechanics.forces();
        let n = ideal.len();
        let of_constraints: Vec<f64> = ideal.iter().zip(nonideal).map(|(i, ni)| i + ni).collect();
        let acceleration = &mechanics.found.acceleration;
        let mut momentum = vec![0.0; n];
        apply(&numbers.mass, acceleration, &mut momentum);
        let fast = dot(&momentum, acceleration).max(0.0).sqrt();
        for (_, v) in self.workspace.displacements(snapshot)? {
            apply(&numbers.mass, &v, &mut momentum);
            // Along what hardly moves all terms may be rounding: the motion itself is a measure too, in the norm of M.
            let by_motion = dot(&momentum, &v).max(0.0).sqrt() * fast;
            let (mut work, mut slope, mut work_size, mut slope_size) = (0.0, 0.0, 0.0, 0.0);
            for (j, v) in v.iter().enumerate().filter(|(_, v)| **v != 0.0) {
                let inertia = numbers.mass[j * n..(j + 1) * n].iter().zip(acceleration).map(|(m, x)| m * x);
                let given = numbers.force[j] + numbers.c[j];
                work += v * (of_constraints[j] - numbers.c[j]);
                work_size += v.abs() * (of_constraints[j].abs() + numbers.c[j].abs());
                slope += v * (inertia.clone().sum::<f64>() - given);
                slope_size +=
                    v.abs() * (inertia.map(f64::abs).sum::<f64>() + numbers.force[j].abs() + numbers.c[j].abs());
            }
            slope_size = by_motion.max(slope_size);
            // Work is measured by the forces at hand as well: constraints without a load do no work but rounding.
            self.held.virtual_work = self.held.virtual_work.max(part(work.abs(), work_size.max(slope_size)));
            self.held.gauss_slope = self.held.gauss_slope.max(part(slope.abs(), slope_size));
            self.held.directions += 1;
        }
        Ok(())
    }
}

fn part(of: f64, size: f64) -> f64 {
    if of == 0.0 { 0.0 } else { of / size }
}

fn lost() -> Diagnostic {
    Diagnostic::error("principles-singular", "the mass matrix is singular here, and `da` and `e` do not exist")
        .note("they compare the motion with a = M⁻¹Q, and at the start M had an inverse")
        .help("leave out `--principles`, or end the run before that time")
}
