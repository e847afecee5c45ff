//! Equations → a run that is ready to go: settings decided, start found, refused by name where there is no motion.

use super::expect::Expectations;
use super::field::Field;
use super::ledger::Ledger;
use super::mechanics::Mechanics;
use super::outcome::{Column, Run, Settings};
use super::{principles, table};
use crate::analysis::{self, Report, State};
use holonom_kernel::sparse::choice::DENSE;
use holonom_language::{Answer, Diagnostic, Drift, Given, Method};
use holonom_mechanics::compile::{CompiledSystem, Inputs, Program};
use holonom_symbols::expr::Id;
use std::collections::HashSet;

const RTOL: f64 = 1e-9;
/// The absolute tolerance follows the relative one: this part of it, of the size of each coordinate.
const ATOL: f64 = 1e-3;
/// A table of more numbers than this does not fit on an ordinary disk: 1e9 numbers are 8 GB, and 20 GB as text.
const MOST_NUMBERS: f64 = 1e9;
const MAX_STEPS: u64 = 100_000_000;

/// A run that is ready to go.
#[derive(Clone)]
pub struct Plan {
    /// The table that it will make.
    pub columns: Vec<Column>,
    /// How it is made.
    pub settings: Settings,
    /// What is known of the start.
    pub report: Report,
    pub(super) start: State,
    pub(super) system: CompiledSystem,
    /// What is to be held against the motion.
    pub(super) expectations: Expectations,
}

/// Decides how a system is run, and finds its start.
///
/// ```
/// use holonom_language::from_text;
/// use holonom_mechanics::{compile::CompiledSystem, derive::derive};
/// use holonom_simulate::integrate::{End, RecordedRows, Run, plan};
///
/// let text = "param g = 9.81
/// coord x, y
/// particle bob: 1 at (x, y)
/// gravity (0, -g)
/// constraint rod: x^2 + y^2 = 1
/// start x = 1, y = 0
/// run until 10, every 5
/// ";
/// let system = CompiledSystem::new(derive(from_text("pendulum.holo", text).model.unwrap()).unwrap().value);
/// let plan = plan(&system, &Run::default()).unwrap().value;
///
/// let mut recorded = RecordedRows::default();
/// let outcome = plan.run(&mut recorded);
/// assert_eq!(outcome.end, End::Finished);
/// let x = plan.column("x").unwrap();
/// assert!((recorded.rows.last().unwrap()[x] - 0.2750874626).abs() < 1e-8);
/// ```
///
/// Many runs may share a system, each with parameters of its own ([`CompiledSystem::with_settings`]): what is compiled for one is
/// compiled for all.
///
/// # Errors
/// Everything for which `check` rejects a model, and settings that make no sense.
pub fn plan(system: &CompiledSystem, options: &Run) -> Answer<Plan> {
    if let Some(missing) = system.equations().model.unspecified() {
        return Err(vec![missing]);
    }
    let look = analysis::CheckOptions { assemble: options.assemble, states: 0, ..analysis::CheckOptions::default() };
    let Given { value: report, messages: mut diagnostics } = analysis::check(system, &look);
    // Expectations are held against the whole motion: what the start alone leaves open is no news.
    diagnostics.retain(|message| message.code != "expect-not-checked");
    let settings = settings(system, options, &mut diagnostics);
    let start = report.start.clone();
    let refused = analysis::has_errors(&diagnostics) || !report.start_is_good;
    match settings {
        Some(settings) if !refused => {
            let (columns, expectations) = (Vec::new(), Expectations::new(system, &report));
            let mut plan = Plan { columns, settings, report, start, system: system.clone(), expectations };
            plan.columns = table::columns(&plan.system);
            if plan.settings.principles {
                plan.columns.extend(principles::columns(&plan.system, plan.has_definite_mass()));
            }
            match named_twice(&plan.columns) {
                Some(name) => {
                    diagnostics.push(
                        Diagnostic::error(
                            "reserved-name",
                            format!("two columns of the table would be called `{name}`"),
                        )
                        .note("a name of the model is also that of a column which the program adds")
                        .help("rename the coordinate, output, constraint or part"),
                    );
                    Err(diagnostics)
                }
                None => Ok(Given::new(plan, diagnostics)),
            }
        }
        _ => Err(diagnostics),
    }
}

impl Plan {
    /// The system as a first-order one, for methods of one's own: as a run evaluates it, ranks decided at the start and held.
    ///
    /// ```
    /// # use holonom_language::from_text;
    /// # use holonom_mechanics::{compile::CompiledSystem, derive::derive};
    /// # use holonom_simulate::integrate::{Field, Run, plan};
    /// let text = "coord x\nkinetic x'^2/2\npotential 2*x^2\nstart x = 1\nrun until 1\n";
    /// let system = CompiledSystem::new(derive(from_text("spring.holo", text).model.unwrap()).unwrap().value);
    /// let plan = plan(&system, &Run::default()).unwrap().value;
    ///
    /// let (mut field, start) = (plan.field(), plan.start());
    /// let mut rate = [0.0; 2];
    /// assert!(field.rate(0.0, &start, &mut rate).is_ok());
    /// assert_eq!(rate, [0.0, -4.0]);
    /// ```
    pub fn field(&self) -> impl Field + use<> {
        let mut mechanics = Mechanics::new(self.system.clone());
        let start = self.start();
        let mut rate = start.clone();
        // Where there is none, the first evaluation will say so again.
        let _ = mechanics.rate_deciding(0.0, &start, &mut rate);
        mechanics
    }

    /// The system that runs, with its parameters as they are at the start.
    pub fn system(&self) -> &CompiledSystem {
        &self.system
    }

    /// The state at the start: positions, velocities, and works, which begin at zero.
    pub fn start(&self) -> Vec<f64> {
        let mut y = self.start.positions.clone();
        y.extend_from_slice(&self.start.velocities);
        y.resize(y.len() + Ledger::new(self.system.equations(), &[]).len(), 0.0);
        y
    }

    /// Whether M has an inverse at the start.
    pub(super) fn has_definite_mass(&self) -> bool {
        self.report.verdict.as_ref().is_some_and(|verdict| verdict.mass_rank == self.system.coordinates())
    }

    /// The place of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }
}

/// A name that two columns have.
fn named_twice(columns: &[Column]) -> Option<&str> {
    let mut seen = HashSet::new();
    columns.iter().map(|column| &column.name[..]).find(|name| !seen.insert(*name))
}

/// What was asked for, then what the model says, then the defaults.
fn settings(system: &CompiledSystem, options: &Run, diagnostics: &mut Vec<Diagnostic>) -> Option<Settings> {
    let equations = system.equations();
    let run = &equations.model.run;
    let value = |id: Id| {
        let program = Program::new(&equations.graph, &[id]);
        let fixed = program.fixed(system.parameters());
        program.evaluate(&fixed, &Inputs::default(), &mut program.memory())[0]
    };
    let mut sound = true;
    let mut number = |what: &str, given: Option<f64>, said: Option<Id>, zero: bool| -> Option<f64> {
        let from_model = given.is_none();
        let x = given.or_else(|| said.map(&value))?;
        if x.is_finite() && (x > 0.0 || (zero && x == 0.0)) {
            return Some(x);
        }
        let mut message = Diagnostic::error("run-setting", format!("`{what}` must be a positive number, and is {x}"));
        if let (true, Some(span)) = (from_model, run.span) {
            message = message.at(span, format!("`{what}` is {x}"));
        }
        diagnostics.push(message.help(format!("write for example `run until 10, {what} …` with a number above zero")));
        sound = false;
        None
    };
    let until = number("until", options.until, run.until, true);
    let every = number("every", options.every, run.every, false);
    let rtol = number("rtol", options.rtol, run.rtol, false).unwrap_or(RTOL);
    let atol = number("atol", options.atol, run.atol, true).unwrap_or(ATOL * rtol);
    if until.is_none() && sound {
        diagnostics.push(
            Diagnostic::error("run-until", "the run has no end time")
                .help("add a line such as `run until 10`, or use `--until 10`"),
        );
    }
    if rtol < 1e-14 {
        diagnostics.push(
            Diagnostic::error(
                "run-setting",
                format!("a relative tolerance of {rtol:e} is below the rounding of numbers"),
            )
            .help("1e-14 is the smallest that is taken, and 1e-13 the smallest that can be kept"),
        );
        sound = false;
    }
    let until = until?;
    let mut width = table::columns(system).len() as f64;
    let n = system.coordinates();
    if options.principles {
        width += principles::columns(system, true).len() as f64;
        if n > analysis::LARGEST {
            let most = analysis::LARGEST;
            diagnostics.push(
                Diagnostic::error(
                    "run-setting",
                    format!("the principles take full matrices at every record, of up to {most} coordinates, and there are {n}"),
                )
                .help("leave out `--principles`, or take a smaller model"),
            );
            sound = false;
        }
    }
    if let Some(every) = every.filter(|every| until / every * width > MOST_NUMBERS) {
        let records = until / every;
        let least = until * width / MOST_NUMBERS;
        diagnostics.push(
            Diagnostic::error(
                "run-setting",
                format!("`every` is {every:e}: that is {records:.1e} records of {width} numbers each"),
            )
            .note(format!("a table holds up to {MOST_NUMBERS:e} numbers"))
            .help(format!(
                "take `every` of at least {least:.1e}; without it, 500 times and the end of every step are recorded"
            )),
        );
        sound = false;
    }
    let mut at: Vec<f64> =
        if options.every.is_some() { Vec::new() } else { run.at.iter().map(|&id| value(id)).collect() };
    for time in &at {
        if !time.is_finite() || *time < 0.0 {
            diagnostics.push(
                Diagnostic::error("run-setting", format!("`at` asks for the time {time}"))
                    .help("times to record lie between 0 and `until`"),
            );
            sound = false;
        }
    }
    at.retain(|time| *time <= until);
    at.sort_by(f64::total_cmp);
    at.dedup();
    let method = options.method.or(run.method).unwrap_or(Method::Explicit);
    let dense = match method {
        Method::Stiff => Some("the stiff method works"),
        Method::Explicit if !equations.model.free.is_empty() => Some("what `free` says is followed"),
        Method::Explicit => None,
    };
    if let Some(what) = dense.filter(|_| n > DENSE) {
        diagnostics.push(
            Diagnostic::error(
                "run-setting",
                format!("{what} with full matrices, up to {DENSE} coordinates, and there are {n}"),
            )
            .help("use `method = explicit` and no `free`, or a smaller model"),
        );
        sound = false;
    }
    sound.then(|| Settings {
        until,
        every,
        at,
        method,
        rtol,
        atol,
        drift: options.drift.or(run.drift).unwrap_or(Drift::Projection),
        max_steps: options.max_steps.unwrap_or(MAX_STEPS),
        principles: options.principles,
    })
}
