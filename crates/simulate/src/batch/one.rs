//! One state after the other, by the kernel: for states that lanes cannot vouch for, and for models that they cannot do.

use super::states::{self, States, Trouble, Varied};
use holonom_kernel::{Motion, Snapshot, Workspace};
use holonom_mechanics::compile::{CompiledSystem, Group, Values};
use holonom_mechanics::contact::{Moment, Stage, Undone};

/// What one thread needs.
pub(super) struct One<'a> {
    system: &'a CompiledSystem,
    varied: &'a [Varied],
    /// The rows in force.
    rows: &'a [usize],
    /// Forces hang on reactions.
    feedback: bool,
    values: Values,
    workspace: Workspace,
    /// Decides what contacts do, once that is asked.
    stage: Option<Stage>,
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
    zeros: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl<'a> One<'a> {
    pub(super) fn new(system: &'a CompiledSystem, varied: &'a [Varied], rows: &'a [usize], feedback: bool) -> Self {
        let n = system.coordinates();
        Self {
            values: system.values(Group::Dynamics),
            workspace: Workspace::new(),
            stage: None,
            a: vec![0.0; rows.len() * n],
            b: vec![0.0; rows.len()],
            c: vec![0.0; n],
            zeros: vec![0.0; system.rows()],
            q: vec![0.0; n],
            v: vec![0.0; n],
            system,
            varied,
            rows,
            feedback,
        }
    }

    /// The acceleration of state k; where there is trouble, it may be there all the same.
    pub(super) fn accelerate(&mut self, states: &States, k: usize) -> (Option<&[f64]>, Option<Trouble>) {
        let t = states.t.get(k).copied().unwrap_or(0.0);
        for (i, (q, v)) in self.q.iter_mut().zip(&mut self.v).enumerate() {
            (*q, *v) = (states.q[i * states.count + k], states.v[i * states.count + k]);
        }
        let own: CompiledSystem;
        let system = match self.varied {
            [] => self.system,
            varied => {
                let given = |(i, varied): (usize, &'a Varied)| (&*varied.name, states.parameters[i * states.count + k]);
                let settings: Vec<(&str, f64)> = varied.iter().enumerate().map(given).collect();
                own = self.system.with_parameters(&settings).unwrap_or_else(|_| self.system.clone());
                &own
            }
        };
        if self.feedback {
            let stage = self.stage.get_or_insert_with(|| Stage::new(system, self.rows.to_vec()));
            stage.set_system(system);
            let moment = Moment { t, q: &self.q, v: &self.v, resting: &[], touching: &[], force: None };
            return match stage.decide(&moment) {
                Ok(decided) => {
                    let trouble = judged(&decided.motion);
                    self.c = decided.motion.acceleration;
                    (Some(&self.c), trouble)
                }
                Err(Undone::Wrong(error)) => (None, Some(Trouble::Refused(error))),
                Err(undone) => (None, Some(Trouble::Friction(undone.to_string()))),
            };
        }
        system.at(t, &self.q, &self.v, &mut self.values);
        let n = self.q.len();
        for (place, &row) in self.rows.iter().enumerate() {
            self.a[place * n..(place + 1) * n].copy_from_slice(self.values.row(row));
            self.b[place] = self.values.b()[row];
        }
        let mut snapshot = Snapshot::new(self.values.mass(), self.values.force()).constrained(&self.a, &self.b);
        let equations = system.equations();
        if !equations.nonideal.is_empty() {
            let in_force = |constraint: usize| states::in_force(equations, constraint);
            system.nonideal(&self.values, in_force, &self.zeros, &self.zeros, &mut self.c);
            snapshot = snapshot.nonideal(&self.c);
        }
        match self.workspace.solve(&snapshot) {
            Ok(motion) => (Some(&motion.acceleration), judged(motion)),
            Err(error) => (None, Some(Trouble::Refused(error))),
        }
    }
}

/// What is wrong with a motion.
fn judged(motion: &Motion) -> Option<Trouble> {
    if !motion.consistent {
        Some(Trouble::Contradiction)
    } else if !motion.balanced {
        Some(Trouble::Unbalanced)
    } else if !motion.is_unique() {
        Some(Trouble::NotUnique { coordinates: motion.undetermined().collect() })
    } else {
        None
    }
}
