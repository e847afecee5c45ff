//! The principles along a run, on request: Gauss's function, Δa, e and the virtual work of the constraints as columns, and how well
//! they held.
//!
//! They are held against the accelerations and forces of the table, which were found without the papers' matrices.

use super::mechanics::Mechanics;
use super::outcome::{Column, PrinciplesHeld};
use super::table::column;
use super::trouble::Trouble;
use holonom_kernel::linalg::vector::{apply, dot};
use holonom_kernel::motion::{Snapshot, Workspace};
use holonom_language::Diagnostic;
use holonom_language::units::Dimension;
use holonom_mechanics::compile::CompiledSystem;

/// Virtual work below this part of its terms is rounding, and zero.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

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

impl Numbers {
    /// A row of A.
    fn row(&self, place: usize) -> &[f64] {
        let n = self.force.len();
        &self.a[place * n..(place + 1) * n]
    }

    /// e = b − A a.
    fn errors(&self, free: &[f64]) -> Vec<f64> {
        self.b.iter().enumerate().map(|(place, b)| b - dot(self.row(place), free)).collect()
    }
}

/// The columns of the principles. Without M⁻¹ there is neither a nor what is compared with it.
pub(super) fn columns(system: &CompiledSystem, is_definite: bool) -> Vec<Column> {
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
        let acceleration = &mechanics.found.acceleration;
        let gauss = self.workspace.gauss(&snapshot, acceleration)?;
        let mut free = Vec::new();
        if self.is_definite {
            let alone = self.workspace.solve(&Snapshot::new(&numbers.mass, &numbers.force))?;
            let (Some(least), true) = (gauss.by_acceleration, alone.mass_rank == velocities.len()) else {
                return Err(Trouble::Told(Box::new(lost())));
            };
            free.clone_from(&alone.acceleration);
            row.push(least);
            let deviation: Vec<f64> = acceleration.iter().zip(&free).map(|(x, a)| x - a).collect();
            row.extend_from_slice(&deviation);
            let e = numbers.errors(&free);
            let first = row.len();
            row.resize(first + reactions.len(), 0.0);
            numbers.rows.iter().zip(&e).for_each(|(&which, e)| row[first + which] = *e);
            self.hold_proportional(&numbers, &e, &free, &deviation)?;
        } else {
            row.push(gauss.general);
        }
        let moved = self.virtual_part(&numbers, velocities)?;
        let first = row.len();
        row.resize(first + reactions.len(), 0.0);
        for (place, &which) in numbers.rows.iter().enumerate() {
            let terms = numbers.row(place).iter().zip(&moved).map(|(a, v)| reactions[which] * a * v);
            let (work, size) = (terms.clone().sum::<f64>(), terms.map(f64::abs).sum::<f64>());
            row[first + which] = if work.abs() <= ROUNDING * size { 0.0 } else { work };
        }
        row.push(dot(&numbers.c, &moved));
        self.hold_along_displacements(mechanics, &snapshot, &numbers, &free)
    }

    /// (I − A⁺A)q̇, the velocities less what moving constraints prescribe: a virtual displacement (2006, eq. 2.8). It is what a force q̇ does
    /// to unit masses under A q̈ = 0.
    fn virtual_part(&mut self, numbers: &Numbers, velocities: &[f64]) -> Result<Vec<f64>, Trouble> {
        let n = velocities.len();
        let mut unit = vec![0.0; n * n];
        (0..n).for_each(|j| unit[j * n + j] = 1.0);
        let still = vec![0.0; numbers.b.len()];
        let snapshot = Snapshot::new(&unit, velocities).constrained(&numbers.a, &still);
        Ok(self.workspace.solve(&snapshot)?.acceleration.clone())
    }

    /// Δa = K₁e, and what C adds (1992, eq. 5c′; Udwadia, Kalaba & Fan 2005, eq. 7): the motion under b = e and C alone.
    fn hold_proportional(
        &mut self,
        numbers: &Numbers,
        e: &[f64],
        free: &[f64],
        deviation: &[f64],
    ) -> Result<(), Trouble> {
        let nothing = vec![0.0; free.len()];
        let snapshot = Snapshot::new(&numbers.mass, &nothing).constrained(&numbers.a, e).nonideal(&numbers.c);
        let added = &self.workspace.solve(&snapshot)?.acceleration;
        let largest = |list: &[f64]| list.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let apart: Vec<f64> = deviation.iter().zip(added).map(|(da, x)| da - x).collect();
        let off = part(largest(&apart), largest(free).max(largest(deviation)));
        self.held.proportional = Some(self.held.proportional.unwrap_or(0.0).max(off));
        Ok(())
    }

    /// Along every virtual displacement the constraints do the work of C (2005p, eq. 9), and Gauss's function has no slope (eq. 13).
    fn hold_along_displacements(
        &mut self,
        mechanics: &Mechanics,
        snapshot: &Snapshot,
        numbers: &Numbers,
        free: &[f64],
    ) -> Result<(), Trouble> {
        let (ideal, nonideal) = mechanics.forces();
        let n = ideal.len();
        let of_constraints: Vec<f64> = ideal.iter().zip(nonideal).map(|(i, ni)| i + ni).collect();
        let acceleration = &mechanics.found.acceleration;
        let mut momentum = vec![0.0; n];
        apply(&numbers.mass, acceleration, &mut momentum);
        let mut fast = dot(&momentum, acceleration).max(0.0).sqrt();
        if !free.is_empty() {
            apply(&numbers.mass, free, &mut momentum);
            fast += dot(&momentum, free).max(0.0).sqrt();
        }
        for (_, v) in self.workspace.displacements(snapshot)? {
            apply(&numbers.mass, &v, &mut momentum);
            // Along what hardly moves all terms may be rounding: the motion with and without constraints is a measure too, in the norm of M.
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
        .note("they compare the motion with a = M⁻¹Q, and M had an inverse when the run began")
        .help("leave out `--principles`, or end the run before that time")
}
