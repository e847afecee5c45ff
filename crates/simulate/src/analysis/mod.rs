//! System → verdict: what `holonom check` reports.
//!
//! `start` finds where the motion starts, `instant` the motion there and at states around it (with `friction` for what contacts
//! do), `verdict` judges ranks, redundancy and contradictions, `expect` compares the author's claims with the numbers (`natural` gives
//! the scale for claims about zero). The answer is a [`Report`] and a list of [`Diagnostic`]s, both by the names of the model.

mod along;
mod expect;
mod failure;
mod friction;
mod hidden;
mod instant;
mod magnitude;
mod mechanism;
mod natural;
mod page;
mod principles;
mod report;
mod verdict;

#[cfg(test)]
mod tests;

pub use crate::start::words::{self, count, number};
pub use crate::start::{Inferred, State};
pub(crate) use along::{explain, undone};
pub use expect::{ExpectationOutcome, ExpectationReport};
pub use friction::{ContactReport, ContactState};
pub(crate) use natural::{Natural, measure};
pub use page::cut;
pub(crate) use principles::LARGEST;
pub use principles::PrinciplesReport;
pub use report::{
    Combination, ConflictReport, CoordinateReport, JointReport, MechanismReport, RankVerdict, Report, RowReport,
};

use self::instant::Instant;
use crate::start::failure::Failure;
use crate::start::gap::Touching;
use crate::start::kernel::Kernel;
use crate::start::nonideal::Nonideals;
use crate::start::numbers::Evaluator;
use crate::start::words::name;
use crate::start::{find, finite};
use holonom_language::{Diagnostic, Given, Severity};
use holonom_mechanics::compile::CompiledSystem;

/// States that are enough to see that the start is singular: one at each of the distances that are tried.
const STATES_BESIDE_REDUNDANCY: usize = 3;

/// Coordinates and rows up to which the dense kernel has the last word about directions that nothing determines.
const LOOKED_AT_WHOLE: usize = 600;

/// What to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckOptions {
    /// Whether given start values may move so that the constraints hold.
    pub assemble: bool,
    /// How many states around the start to look at. With none, a few are looked at where rows are redundant at the start,
    /// to tell a singular start from rows that are redundant everywhere.
    pub states: usize,
    /// Which states.
    pub seed: u64,
    /// Whether to evaluate the principles of mechanics at the start as well.
    pub principles: bool,
    /// The time of the start.
    pub time: f64,
    /// Whether the sparse kernel answers; nothing to choose by what each kernel would cost.
    #[doc(hidden)]
    pub sparse: Option<bool>,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self { assemble: false, states: 32, seed: 1, principles: false, time: 0.0, sparse: None }
    }
}

/// Decides what can be said about a system at its start and around it.
///
/// Errors among the messages mean that `run` would reject the model; the report holds what could be found all the same.
pub fn check(system: &CompiledSystem, options: &CheckOptions) -> Given<Report> {
    let mut diagnostics = Vec::new();
    let equations = system.equations();
    let mut evaluator = Evaluator::new(system);
    let mut nonideals = Nonideals::new(&evaluator);
    let mut report = blank(&evaluator);
    if let Some(error) = equations.model.unspecified() {
        diagnostics.push(error);
        return Given::new(report, diagnostics);
    }
    if equations.force.is_empty() {
        let error = holonom_kernel::MotionError::NoCoordinates;
        let nowhere = State::default();
        diagnostics.push(failure::failure(&evaluator, &Failure::Wrong(error), &nowhere));
        return Given::new(report, diagnostics);
    }

    let mut kernel = match Kernel::choose(&evaluator, &nonideals, options.sparse) {
        Ok(kernel) => kernel,
        Err(refused) => {
            diagnostics.push(failure::refused(&evaluator, &refused));
            return Given::new(report, diagnostics);
        }
    };
    let assemble = options.assemble || equations.model.assemble.is_some();
    let found = find::start_at(&evaluator, &mut kernel, assemble, options.time);
    report.start_is_good = found.is_good();
    if let Some(block) = kernel.trouble() {
        diagnostics.push(failure::too_large(&evaluator, &block));
        report.start_is_good = false;
    }
    diagnostics.extend(found.diagnostics);
    report.notes.extend(found.notes);
    report.inferred = found.inferred;
    report.start = found.reported;
    for (coordinate, (q, v)) in
        report.coordinates.iter_mut().zip(report.start.positions.iter().zip(&report.start.velocities))
    {
        (coordinate.position, coordinate.velocity) = (*q, *v);
    }
    for (coordinate, _) in report.coordinates.iter_mut().zip(&found.known).filter(|(_, known)| !**known) {
        coordinate.position = f64::NAN;
    }
    // Ranks can be judged beside a start that is wrong, where one that is right was found.
    let (judged, mut finite) = (found.state, found.finite);
    if found.finite && found.contradiction.is_none() {
        let broken = finite::statements(&mut evaluator, &judged);
        report.start_is_good &= broken.is_empty();
        finite = broken.is_empty();
        diagnostics.extend(broken);
    }
    let energies = [equations.kinetic_energy, equations.potential_energy];
    let energies = evaluator.values(&energies, &report.start.point());
    (report.kinetic_energy, report.potential_energy) = (energies[0], energies[1]);
    if let Some((which, left)) = &found.contradiction {
        let (state, which) = (&judged, *which);
        report.conflicts = verdict::unsatisfiable(&evaluator, &mut kernel, state, left, which, &mut diagnostics);
    }

    let touching = match found.contradiction.is_none() && finite {
        true => Touching::at(&evaluator, &judged),
        false => Touching::default(),
    };
    report.notes.extend(touching.closing.iter().take(report::SHOWN).map(|&(row, speed)| {
        let hit = name(&equations.rows[row].name);
        format!(
            "{hit} touches and closes with {}: the motion begins with an impact, and all here is before it",
            number(speed)
        )
    }));
    let mut in_contact = Ok(Vec::new());
    if !touching.resting.is_empty() {
        in_contact = nonideals.pushing(&evaluator, &judged, &touching.resting);
    }
    if let Ok(pushing) = &in_contact
        && !pushing.is_empty()
    {
        // While they push they are constraints like any other.
        let mut rows: Vec<usize> = evaluator.rows.iter().chain(pushing).copied().collect();
        rows.sort_unstable();
        rows.iter().for_each(|&row| report.rows[row].off = false);
        evaluator = Evaluator::with_rows(system, rows, evaluator.there);
        nonideals = Nonideals::new(&evaluator);
        kernel = match Kernel::choose(&evaluator, &nonideals, Some(false)) {
            Ok(kernel) => kernel,
            Err(refused) => {
                diagnostics.push(failure::refused(&evaluator, &refused));
                return Given::new(report, diagnostics);
            }
        };
    }
    let start = if found.contradiction.is_some() || !finite {
        None
    } else if let Err(why) = in_contact {
        diagnostics.push(failure::failure(&evaluator, &why, &judged));
        None
    } else {
        match Instant::at(&evaluator, &nonideals, &mut kernel, &judged) {
            Ok(start) => Some(start),
            Err(why) => {
                diagnostics.push(failure::failure(&evaluator, &why, &judged));
                None
            }
        }
    };
    let mut near = Vec::new();
    if let Some(start) = &start {
        let states = match options.states {
            0 if !start.audit.redundant.is_empty() => STATES_BESIDE_REDUNDANCY,
            states => states,
        };
        near = instant::around(&evaluator, &nonideals, &mut kernel, &judged, states, options.seed);
        if kernel.is_sparse() && near.len() < options.states {
            report.notes.push(match near.len() {
                0 => "states around the start were not looked at, for the size of the model".to_string(),
                few => format!(
                    "{} around the start, not {}, for the size of the model",
                    count(few, "state was looked at", "states were looked at"),
                    options.states
                ),
            });
        }
        let parted = match near.is_empty() {
            true => instant::parted(&evaluator, &mut kernel, start),
            false => Vec::new(),
        };
        let findings = verdict::judge(&evaluator, start, &near, &parted, &mut diagnostics);
        if let Some(mechanism) = &mut report.mechanism {
            mechanism.add_closing(&evaluator, &findings.redundant);
        }
        report.redundant = findings.redundant;
        report.conflicts.extend(findings.conflicts);
        report.notes.extend(findings.notes);
        report.verdict = Some(findings.verdict);
        if report.start_is_good {
            motion(&evaluator, start, &mut report);
        }
        if report.start_is_good && options.principles {
            match PrinciplesReport::new(&evaluator, start) {
                Ok(principles) => report.principles = Some(Box::new(principles)),
                Err(absent) => report.notes.push(absent.note()),
            }
        }
        hidden::report(&evaluator, findings.hidden, &mut report, &mut diagnostics);
    }
    // Along long chains of elimination rank may seem lost: before that is said of a model of moderate size, every entry is looked at.
    let size = evaluator.coordinates() + evaluator.rows.len();
    let is_open = report.verdict.as_ref().is_some_and(|verdict| !verdict.undetermined.is_empty());
    if options.sparse.is_none() && kernel.is_sparse() && is_open && size <= LOOKED_AT_WHOLE {
        return check(system, &CheckOptions { sparse: Some(false), ..options.clone() });
    }
    // Nobody asked for what holds around the start.
    near.truncate(options.states);
    report.states = near.len();
    let trusted = start.as_ref().filter(|_| report.start_is_good);
    report.expectations = expect::expectations(&mut evaluator, trusted, &near, &mut diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.severity);
    Given::new(report, diagnostics)
}

/// The principles of mechanics at the start of a system, for a page of at most so many coordinates.
pub fn principles(system: &CompiledSystem, most: usize) -> Option<Box<PrinciplesReport>> {
    if system.coordinates() > most {
        return None;
    }
    check(system, &CheckOptions { states: 0, principles: true, ..CheckOptions::default() }).value.principles
}

/// The report before anything is known.
fn blank(evaluator: &Evaluator) -> Report {
    let equations = evaluator.equations;
    let model = &equations.model;
    let coordinate = |c: &holonom_language::Coordinate| CoordinateReport {
        name: c.name.clone(),
        position: 0.0,
        velocity: 0.0,
        acceleration: None,
        impressed: 0.0,
        given_nonideal: 0.0,
        ideal: 0.0,
        nonideal: 0.0,
    };
    let row = |row: &holonom_mechanics::derive::Row| RowReport {
        name: row.name.clone(),
        kind: row.kind,
        rheonomic: row.rheonomic,
        off: row.off,
        one_sided: row.one_sided,
        multiplier: 0.0,
        reaction: 0.0,
        determinate: true,
    };
    Report {
        source: model.sources.files().first().map_or_else(String::new, |file| file.name.clone()),
        title: model.title.clone(),
        parameters: model
            .parameters
            .iter()
            .map(|p| p.name.clone())
            .zip(evaluator.system.parameters().iter().copied())
            .collect(),
        start: State::default(),
        start_is_good: false,
        inferred: Vec::new(),
        coordinates: model.coordinates.iter().map(coordinate).collect(),
        rows: equations.rows.iter().map(row).collect(),
        verdict: None,
        redundant: Vec::new(),
        conflicts: Vec::new(),
        hidden: Vec::new(),
        contacts: Vec::new(),
        kinetic_energy: 0.0,
        potential_energy: 0.0,
        expectations: Vec::new(),
        states: 0,
        notes: Vec::new(),
        mechanism: MechanismReport::new(evaluator),
        principles: None,
    }
}

/// Puts the motion at the start into the report.
fn motion(evaluator: &Evaluator, start: &Instant, report: &mut Report) {
    let open = start.moved(&start.free);
    for (j, coordinate) in report.coordinates.iter_mut().enumerate() {
        coordinate.acceleration = (!open[j]).then_some(start.motion.acceleration[j]);
        coordinate.impressed = start.entries.force[j];
        coordinate.given_nonideal = start.nonideal[j];
        coordinate.ideal = start.motion.ideal_force[j];
        coordinate.nonideal = start.motion.nonideal_force[j];
    }
    for (row, at) in report.rows.iter_mut().zip(0..) {
        row.multiplier = start.multipliers[at];
        row.reaction = start.reactions[at];
        row.determinate = evaluator.place[at].is_none_or(|at| start.audit.determinate_multipliers[at]);
    }
    for &(row, _) in start.shared.iter().flatten() {
        report.rows[row].determinate = false;
    }
    report.contacts.clone_from(&start.contacts);
    if report.contacts.iter().any(|contact| !contact.determinate) {
        report.notes.push("how the contacts that stick share the load is not unique".to_string());
    }
}

/// Whether any of the messages is an error.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}
