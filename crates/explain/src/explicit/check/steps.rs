//! The papers' matrices beside those that the kernel's own answers make up.

use super::{NUDGE, OWN, ROUNDING, SHARE, TOLERANCE, largest, nudged};
use crate::explicit::sample::{Ground, lookup, point};
use crate::explicit::solution::{Mismatch, Place};
use crate::explicit::steps::{ExpressionMatrix, Steps};
use holonom_kernel::Workspace;
use holonom_simulate::start::Sample;

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
        for table in &steps.tables {
            let values = steps.graph.evaluate(&table.entries, |symbol| lookup(&at, symbol));
            let Some(expected) = numbers.of(sample, table, &values) else { continue };
            let moved = steps.graph.evaluate(&table.entries, |symbol| lookup(&near, symbol));
            let (size, rest) = (largest(&expected), numbers.rounding(sample, table.name));
            for (component, ((&formula, moved), &kernel)) in values.iter().zip(&moved).zip(&expected).enumerate() {
                if !formula.is_finite() {
                    // An exceptional state: something that was divided by vanishes there.
                    defined = false;
                    continue;
                }
                let allowed = TOLERANCE * size + rest + SHARE * (formula - moved).abs() + f64::MIN_POSITIVE;
                if (formula - kernel).abs() > allowed || kernel.is_nan() {
                    let change = change(&mut workspace, (ground, sample), (table, &values), component, kernel);
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
    (ground, sample): (&Ground, &Sample),
    (table, values): (&ExpressionMatrix, &[f64]),
    component: usize,
    kernel: f64,
) -> f64 {
    let beside = ground.sampler.beside(sample, NUDGE);
    if !beside.iter().all(|beside| ground.is_generic(beside)) {
        return f64::INFINITY; // ranks hang on the last digits
    }
    let entry = |beside: &Sample| numbers(workspace, beside)?.of(beside, table, values)?.get(component).copied();
    beside.iter().filter_map(entry).fold(0.0, |most: f64, entry| most.max((entry - kernel).abs()))
}

/// The papers' matrices at one state, each as a list, row by row.
struct Numbers {
    form: holonom_kernel::ExplicitForm,
    /// A M⁻¹Aᵀ, if M is regular.
    weighted_square: Option<Vec<f64>>,
}

fn numbers(workspace: &mut Workspace, sample: &Sample) -> Option<Numbers> {
    let n = sample.force.len();
    let form = workspace.explicit_form(&sample.snapshot()).ok()?;
    let mut weighted_square = None;
    if form.free_acceleration.is_some() {
        let mut square = Vec::with_capacity(sample.b.len() * sample.b.len());
        for row in sample.a.chunks(n.max(1)) {
            // Symmetric: columns may stand for rows.
            let moved = workspace.free_acceleration(&holonom_kernel::Snapshot::new(&sample.mass, row)).ok()?;
            square.extend(sample.a.chunks(n.max(1)).map(|other| dot(other, &moved)));
        }
        weighted_square = Some(square);
    }
    Some(Numbers { form, weighted_square })
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Numbers {
    /// What rounding leaves in a table where it is zero.
    fn rounding(&self, sample: &Sample, table: &str) -> f64 {
        let n = sample.force.len();
        let free = self.form.free_acceleration.as_deref().map_or(0.0, largest);
        let error = largest(&sample.b).max(largest(&sample.a) * free) * ROUNDING;
        match table {
            "e" => error,
            "da" => largest(&self.form.acceleration_gain) * error * n as f64,
            "Mbar" => largest(&sample.mass) * ROUNDING,
            // Projectors have the size of I, whatever is left of them.
            "A+A" | "I-A+A" | "I-Mbar+Mbar" => ROUNDING,
            "N" => largest(&self.form.stacked_inverse) * ROUNDING,
            _ => 0.0,
        }
    }

    /// What a table is to be, given its values.
    fn of(&self, sample: &Sample, table: &ExpressionMatrix, values: &[f64]) -> Option<Vec<f64>> {
        match table.name {
            "Mhat" => Some(sample.mass.iter().chain(&sample.a).copied().collect()),
            "BBT" => self.weighted_square.clone(),
            // K₁e, whatever C adds.
            "da" => {
                let (e, m) = (self.form.constraint_error.as_ref()?, sample.b.len());
                let row = |j: usize| dot(&self.form.acceleration_gain[j * m..][..m], e);
                Some((0..sample.force.len()).map(row).collect())
            }
            // Any virtual displacement is what is left of it: v = (I − A⁺A)v.
            "v" => {
                let (n, k) = (table.rows, table.columns);
                let column = |c: usize| -> Vec<f64> { (0..n).map(|i| values[i * k + c]).collect() };
                let columns: Vec<Vec<f64>> = (0..k).map(column).collect();
                let entry = |at: usize| dot(&self.form.virtual_part[at / k * n..][..n], &columns[at % k]);
                Some((0..n * k).map(entry).collect())
            }
            name => self.form.matrices().into_iter().find(|m| m.name == name).map(|m| m.entries.to_vec()),
        }
    }
}
