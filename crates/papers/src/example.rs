//! Formulas of worked examples: the paper's right side, in the language of models, beside what Holonom finds.

use crate::claim::{Claim, Quantity};
use crate::numbers::{Mat, column, matrix, rounded, seeded, size};
use crate::outcome::{EntryOutcome, Ours};
use crate::scene::{Point, Written};
use crate::symbols;
use holonom::mechanics::derive::Equations;
use holonom::symbols::expr::Id;
use holonom::{Motion, Snapshot, Workspace, kernel::ExplicitForm};
use holonom_reference::square_roots;

/// What came of one claim.
pub(crate) struct Compared {
    pub(crate) worst: f64,
    pub(crate) points: usize,
    /// Identical in the symbols, if that could be decided.
    pub(crate) identical: Option<bool>,
    pub(crate) ours: Option<Ours>,
    pub(crate) negated: bool,
}

/// How far apart the same number may come out in two ways in 16 digits.
pub(crate) const TOLERANCE: f64 = 1e-11;
/// Random points for every claim, half of them on the constraints.
const POINTS: usize = 24;

impl Compared {
    pub(crate) fn holds(&self) -> bool {
        let agrees = self.worst <= TOLERANCE && self.identical != Some(false);
        agrees != self.negated
    }
}

/// Holds a claim against the kernel at random points, and against the symbols.
///
/// # Errors
/// What the model language has to say against the text of the claim.
pub(crate) fn compare(claim: &Claim) -> Result<Compared, String> {
    let mut texts: Vec<&str> = claim.says.iter().flatten().map(String::as_str).collect();
    if let Quantity::Expression(left) = claim.quantity {
        texts.push(left);
    }
    let written = claim.scene.expressions(&texts)?;
    let (rows, cols) = (claim.says.len(), claim.says[0].len());
    let mut random = seeded(claim.scene as u64 + 1);
    let mut worst: f64 = 0.0;
    for point in 0..POINTS {
        let mut point = written.point(&mut random, claim.admissible || point % 2 == 0);
        let ours = Found::at(claim.scene.equations(), &point).and_then(|found| {
            if !claim.quantity.takes_any_acceleration() {
                point.accelerations.clone_from(&found.motion.acceleration);
            }
            found.value(claim.quantity, &written, &point)
        });
        let values = written.model.graph.evaluate(&written.ids, |symbol| point.value(symbol));
        let mut theirs = matrix(rows, cols, &values[..rows * cols]);
        if claim.quantity == Quantity::HiddenRow {
            theirs = normalised(&theirs);
        }
        worst = worst.max(ours.map_or(f64::INFINITY, |ours| apart(&ours, &theirs)));
    }
    let (shown, ours) = symbols::compare(claim, &written);
    // What agrees everywhere and is not shown to be identical is left open: there may be a relation that algebra does not know.
    let identical = shown.filter(|same| *same || worst > TOLERANCE);
    Ok(Compared { worst, points: POINTS, identical, ours, negated: claim.negated })
}

/// The greatest difference, relative to the greatest number; no number at all where shapes differ.
fn apart(ours: &Mat, theirs: &Mat) -> f64 {
    if (ours.rows(), ours.cols()) != (theirs.rows(), theirs.cols()) {
        return f64::INFINITY;
    }
    let (apart, whole) = (size(&(ours - theirs)), size(ours).max(size(theirs)));
    match apart {
        0.0 => 0.0,
        // A sum that cancels is not known better than its terms, which are of the order of one here.
        _ if apart.is_finite() => apart / whole.max(1e-3),
        _ => f64::INFINITY,
    }
}

/// A row divided by its greatest entry but the last.
fn normalised(row: &Mat) -> Mat {
    let entries = rounded(row);
    let last = entries.len().saturating_sub(1);
    let greatest = entries[..last].iter().fold(0.0, |best: f64, &x| if x.abs() > best.abs() { x } else { best });
    matrix(row.rows(), row.cols(), &entries.iter().map(|x| x / greatest).collect::<Vec<_>>())
}

/// What the kernel found at a point.
struct Found<'e> {
    equations: &'e Equations,
    M: Mat,
    Q: Mat,
    A: Mat,
    b: Mat,
    C: Mat,
    motion: Motion,
    form: ExplicitForm,
}

impl<'e> Found<'e> {
    fn at(equations: &'e Equations, point: &Point) -> Option<Self> {
        let (n, m) = (equations.force.len(), equations.rows.len());
        let values = |ids: &[Id]| equations.graph.evaluate(ids, |symbol| point.value(symbol));
        let (mass, force) = (values(&equations.mass.dense()), values(&equations.force));
        let (mut rows, mut right, mut work) = (vec![0.0; m * n], Vec::new(), vec![0.0; n]);
        for (index, row) in equations.rows.iter().enumerate() {
            for &(coordinate, id) in &row.a {
                rows[index * n + coordinate] = values(&[id])[0];
            }
            right.push(values(&[row.b])[0]);
        }
        for part in &equations.nonideal {
            work.iter_mut().zip(values(&part.force)).for_each(|(sum, force)| *sum += force);
        }
        let snapshot = Snapshot::new(&mass, &force).constrained(&rows, &right).nonideal(&work);
        let mut workspace = Workspace::new();
        let form = workspace.explicit_form(&snapshot).ok()?;
        let motion = holonom::solve(&snapshot).ok()?;
        let (M, Q, A) = (matrix(n, n, &mass), column(&force), matrix(m, n, &rows));
        Some(Self { equations, M, Q, A, b: column(&right), C: column(&work), motion, form })
    }

    fn value(&self, quantity: Quantity, written: &Written, point: &Point) -> Option<Mat> {
        let Self { equations, M, Q, A, b, C, motion, form } = self;
        let (n, m) = (M.rows(), A.rows());
        let values = |ids: &[Id]| column(&equations.graph.evaluate(ids, |symbol| point.value(symbol)));
        let A_plus = || matrix(n, m, &form.pseudo_inverse);
        let along = || Mat::identity(n) - A_plus() * A;
        let acceleration = column(&point.accelerations);
        Some(match quantity {
            Quantity::Mass => M.clone(),
            Quantity::Force => Q.clone(),
            Quantity::Free => column(form.free_acceleration.as_ref()?),
            Quantity::Rows => A.clone(),
            Quantity::RightSide => b.clone(),
            Quantity::Work => C.clone(),
            Quantity::MinusWork => Mat::zeros(n, 1) - C,
            Quantity::ForceAlong => along() * (column(&motion.ideal_force) + column(&motion.nonideal_force)),
            Quantity::RowsPlus => A_plus(),
            Quantity::Across => A_plus() * A,
            Quantity::Along => along(),
            Quantity::AlongMass => along() * M,
            Quantity::BPlus => square_roots(M)?.0 * matrix(n, m, &form.acceleration_gain),
            Quantity::Stacked => matrix(n + m, n, &form.stacked),
            Quantity::StackedPlus => matrix(n, n + m, &form.stacked_inverse),
            Quantity::Full => M.stack(A),
            Quantity::FullRank => column(&[motion.system_rank.rank as f64]),
            Quantity::Acceleration => column(&motion.acceleration),
            Quantity::MassTimesAcceleration => M * column(&motion.acceleration),
            Quantity::Ideal => column(&motion.ideal_force),
            Quantity::Nonideal => column(&motion.nonideal_force),
            Quantity::FreeDirections => {
                let k = motion.free_directions().count();
                matrix(k, n, &motion.free_directions().collect::<Vec<_>>().concat()).transpose()
            }
            Quantity::PositionRows => {
                values(&equations.rows.iter().map(|row| row.position).collect::<Option<Vec<Id>>>()?)
            }
            Quantity::VelocityRows => {
                values(&equations.rows.iter().map(|row| row.velocity).collect::<Option<Vec<Id>>>()?)
            }
            Quantity::AccelerationRows => A * acceleration - b,
            Quantity::HiddenRow => {
                let row = equations.rows.iter().position(|row| row.constraint.is_none())?;
                let mut entries = rounded(&A.transpose().columns(row..row + 1));
                entries.extend(rounded(&values(&[equations.rows[row].position?])));
                normalised(&matrix(1, n + 1, &entries))
            }
            Quantity::FreeEquation(row) => {
                let all = rounded(&(M * acceleration - Q));
                column(&[*all.get(row)?])
            }
            Quantity::Kinetic => values(&[equations.kinetic_energy]),
            Quantity::Potential => values(&[equations.potential_energy]),
            Quantity::Expression(_) => {
                let id = *written.ids.last()?;
                column(&written.model.graph.evaluate(&[id], |symbol| point.value(symbol)))
            }
        })
    }
}

/// Holds all claims of an entry.
pub(crate) fn check(claims: &[Claim]) -> EntryOutcome {
    let mut outcome = EntryOutcome {
        holds: true,
        evidence: String::new(),
        as_printed: None,
        worst: 0.0,
        identical: None,
        ours: Vec::new(),
    };
    let (mut points, mut decided, mut files) = (0, Vec::new(), Vec::<&str>::new());
    for claim in claims {
        match compare(claim) {
            Ok(compared) => {
                outcome.holds &= compared.holds();
                if !compared.negated {
                    outcome.worst = outcome.worst.max(compared.worst);
                    decided.push(compared.identical);
                    // One formula for each thing is enough to be seen beside the paper's.
                    let new = |ours: &Ours| !outcome.ours.iter().any(|known| known.left == ours.left);
                    let ours = compared.ours.filter(new);
                    outcome.ours.extend(ours);
                }
                points += compared.points;
            }
            Err(why) => {
                outcome.holds = false;
                outcome.evidence = format!("the formula cannot be read in {}: {why}", claim.scene.file());
                outcome.worst = f64::INFINITY;
                return outcome;
            }
        }
        if !files.contains(&claim.scene.file()) {
            files.push(claim.scene.file());
        }
    }
    outcome.identical = match decided.contains(&Some(false)) {
        true => Some(false),
        false if decided.iter().all(|one| *one == Some(true)) && !decided.is_empty() => Some(true),
        false => None,
    };
    let symbols = match outcome.identical {
        Some(true) => "identical in the symbols; ",
        Some(false) => "different in the symbols; ",
        None => "",
    };
    outcome.evidence = format!(
        "{symbols}{} at {points} random states and parameter values of {}",
        crate::outcome::apart(outcome.worst),
        files.join(", ")
    );
    outcome
}
