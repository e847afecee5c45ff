//! The papers' matrices beside those that the kernel's own answers make up.

use super::{NUDGE, OWN, ROUNDING, SHARE, TOLERANCE, largest, nudged};
use crate::Workspace;
use crate::explicit::sample::{Ground, lookup, point};
use crate::explicit::solution::{Mismatch, Place};
use crate::explicit::steps::{Steps, Table};
use crate::start::Sample;

/// Holds the papers' matrices against those that the kernel's own answers make up, at all samples.
///
/// Returns at how many states that was done.
pub(in crate::explicit) fn check_steps(steps: &Steps, ground: &Ground) -> Result<usize, Box<Mismatch>> {
    let mut workspace = Workspace::new();
    let mut states = 0;
    for sample in ground.start.iter().chain(&ground.samples).filter(|sample| ground.is_generic(sample)) {
        let Some(numbers) = numbers(&mut workspace, sample) else { continue };
        let at = point(sample);
        let near = nudged(&at);
        let mut defined = true;
        let rest = numbers.rounding(sample);
        for (which, (table, expected)) in steps.tables().zip(numbers.of(steps)).enumerate() {
            let (Some(table), Some(expected)) = (table, expected) else { continue };
            let values = steps.graph.evaluate(&table.entries, |symbol| lookup(&at, symbol));
            let moved = steps.graph.evaluate(&table.entries, |symbol| lookup(&near, symbol));
            let size = largest(&expected);
            for (component, ((&formula, moved), &kernel)) in values.iter().zip(&moved).zip(&expected).enumerate() {
                if !formula.is_finite() {
                    // An exceptional state: something that was divided by vanishes there.
                    defined = false;
                    continue;
                }
                let allowed = TOLERANCE * size + rest[which] + SHARE * (formula - moved).abs() + f64::MIN_POSITIVE;
                if (formula - kernel).abs() > allowed || kernel.is_nan() {
                    let change = change(&mut workspace, steps, ground, sample, (which, component), kernel);
                    if (formula - kernel).abs() <= allowed + OWN * change {
                        // An exceptional state too: the kernel does not know better there.
                        defined = false;
                        continue;
                    }
                    let place = Place::new(sample);
                    return Err(Box::new(Mismatch::at(place, table.name, component, formula, kernel)));
                }
            }
        }
        states += usize::from(defined);
    }
    Ok(states)
}

/// How much an entry of a table changes beside a sample, by the kernel.
fn change(
    workspace: &mut Workspace,
    steps: &Steps,
    ground: &Ground,
    sample: &Sample,
    (table, component): (usize, usize),
    kernel: f64,
) -> f64 {
    let beside = ground.sampler.beside(sample, NUDGE);
    if !beside.iter().all(|beside| ground.is_generic(beside)) {
        return f64::INFINITY; // ranks hang on the last digits
    }
    let entries = beside
        .iter()
        .filter_map(|beside| numbers(workspace, beside)?.of(steps)[table].as_ref()?.get(component).copied());
    entries.fold(0.0, |most: f64, entry| most.max((entry - kernel).abs()))
}

/// The papers' matrices at one state, each as a list, row by row.
struct Numbers {
    form: crate::ExplicitForm,
    /// M̂ = [M; A].
    system: Vec<f64>,
    /// B = A M^{-1/2}, if M is diagonal and regular.
    weighted: Option<Vec<f64>>,
    /// A M⁻¹Aᵀ, if M is regular.
    weighted_square: Option<Vec<f64>>,
    /// I − M̄⁺M̄.
    free_projector: Vec<f64>,
}

fn numbers(workspace: &mut Workspace, sample: &Sample) -> Option<Numbers> {
    let (n, m) = (sample.force.len(), sample.b.len());
    let form = workspace.explicit_form(&sample.snapshot()).ok()?;
    let system = sample.mass.iter().chain(&sample.a).copied().collect();
    let (mut weighted, mut weighted_square) = (None, None);
    if form.free_acceleration.is_some() {
        let diagonal = (0..n * n).all(|i| i % (n + 1) == 0 || sample.mass[i] == 0.0);
        weighted = diagonal
            .then(|| (0..m * n).map(|i| sample.a[i] / sample.mass[i % n * (n + 1)].sqrt()).collect::<Vec<f64>>());
        let mut square = Vec::with_capacity(m * m);
        for row in sample.a.chunks(n.max(1)) {
            // Symmetric: columns may stand for rows.
            let moved = workspace.free_acceleration(&crate::Snapshot::new(&sample.mass, row)).ok()?;
            square.extend(sample.a.chunks(n.max(1)).map(|other| dot(other, &moved)));
        }
        weighted_square = Some(square);
    }
    let mut free_projector = vec![0.0; n * n];
    for (i, entry) in free_projector.iter_mut().enumerate() {
        let (row, column) = (i / n, i % n);
        let along = (0..n + m).map(|k| form.stacked_inverse[row * (n + m) + k] * form.stacked[k * n + column]);
        *entry = f64::from(u8::from(row == column)) - along.sum::<f64>();
        if entry.abs() < TOLERANCE {
            *entry = 0.0;
        }
    }
    Some(Numbers { form, system, weighted, weighted_square, free_projector })
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Numbers {
    /// What rounding leaves in each of the tables where they are zero, in the order of [`Steps::tables`].
    fn rounding(&self, sample: &Sample) -> [f64; 12] {
        let n = sample.force.len();
        let free = self.form.free_acceleration.as_deref().map_or(0.0, largest);
        let error = largest(&sample.b).max(largest(&sample.a) * free) * ROUNDING;
        let deviation = largest(&self.form.acceleration_gain) * error * n as f64;
        let stacked = largest(&sample.mass) * ROUNDING;
        [0.0, error, 0.0, stacked, 0.0, 0.0, 0.0, 0.0, deviation, 0.0, 0.0, 0.0]
    }

    /// What each of the tables is to be, in the order of [`Steps::tables`].
    fn of(self, steps: &Steps) -> Vec<Option<Vec<f64>>> {
        let form = self.form;
        debug_assert_eq!(steps.system.entries.len(), self.system.len());
        vec![
            form.free_acceleration,
            form.constraint_error,
            Some(form.pseudo_inverse),
            Some(form.stacked),
            Some(form.stacked_inverse),
            Some(self.system),
            Some(form.acceleration_gain),
            Some(form.force_gain),
            form.deviation,
            self.weighted,
            self.weighted_square,
            Some(self.free_projector),
        ]
    }
}

impl Steps {
    /// All tables, in one order.
    fn tables(&self) -> impl Iterator<Item = Option<&Table>> {
        [
            self.free_acceleration.as_ref(),
            self.constraint_error.as_ref(),
            self.pseudo_inverse.as_ref(),
            self.stacked.as_ref(),
            self.stacked_inverse.as_ref(),
            Some(&self.system),
            self.acceleration_gain.as_ref(),
            self.force_gain.as_ref(),
            self.deviation.as_ref(),
            self.weighted.as_ref(),
            self.weighted_square.as_ref(),
            self.free_projector.as_ref(),
        ]
        .into_iter()
    }
}
