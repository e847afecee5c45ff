//! Directions that nothing determines: what `free x'' = …` says of them.

use holonom_kernel::{Directions, MotionError, Snapshot, Workspace};
use holonom_mechanics::compile::{CompiledSystem, Group, Inputs, Values};

/// What a model says of undetermined accelerations.
#[derive(Clone)]
pub(super) struct Free {
    /// The coordinates that it speaks of.
    coordinates: Vec<usize>,
    values: Values,
    workspace: Workspace,
    mass: Vec<f64>,
    rows: Vec<f64>,
    right: Vec<f64>,
}

impl Free {
    /// Nothing, where a model says nothing.
    pub(super) fn new(system: &CompiledSystem) -> Option<Self> {
        let said = &system.equations().model.free;
        if said.is_empty() {
            return None;
        }
        Some(Self {
            coordinates: said.iter().map(|free| free.coordinate).collect(),
            values: system.values(Group::Free),
            workspace: Workspace::new(),
            mass: Vec::new(),
            rows: Vec::new(),
            right: Vec::new(),
        })
    }

    /// Adds along the free directions what the model says of them: η of (2.14) in the 2006 paper. The least that does it is taken.
    pub(super) fn prescribe(
        &mut self,
        system: &CompiledSystem,
        inputs: &Inputs,
        directions: &Directions,
        acceleration: &mut [f64],
    ) -> Result<(), MotionError> {
        let k = directions.len();
        if k == 0 {
            return Ok(());
        }
        system.evaluate(&Inputs { acceleration, ..*inputs }, &mut self.values);
        self.rows.clear();
        self.right.clear();
        for (&j, value) in self.coordinates.iter().zip(self.values.all()) {
            let along = |w: &[(usize, f64)]| w.binary_search_by_key(&j, |entry| entry.0).map_or(0.0, |at| w[at].1);
            self.rows.extend(directions.iter().map(along));
            self.right.push(value - acceleration[j]);
        }
        self.mass.clear();
        self.mass.resize(k * k + k, 0.0);
        let (force, mass) = self.mass.split_at(k);
        let answer = self.workspace.solve(&Snapshot::new(mass, force).constrained(&self.rows, &self.right))?;
        for (weight, w) in answer.acceleration.iter().zip(directions.iter()) {
            w.iter().for_each(|&(j, x)| acceleration[j] += weight * x);
        }
        Ok(())
    }
}
