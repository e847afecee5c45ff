//! A mechanical system, and the questions that can be asked of it.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use holonom_explain::{Refusal, Request, explain};
use holonom_language::{
    Diagnostic, Given, KeptFiles, Loaded, ModelBuilder, NoFiles, Sources, Written, from_document, from_text, load,
};
use holonom_mechanics::compile::CompiledSystem;
use holonom_mechanics::derive::{Equations, derive};
use holonom_output::About;
use holonom_simulate::analysis::{self, CheckOptions};
use holonom_simulate::batch::Accelerations;
use holonom_simulate::integrate::{self, Plan, Run};
use holonom_symbols::algebra::Budget;
use holonom_symbols::expr::{Id, Symbol};

use crate::{Explanation, Quantity, Rejection, Trajectory, Verdict, state};

/// Work that may be done before the answer is that there is no closed form: some seconds.
const WORK: u64 = 400_000_000;

/// A mechanical system: a model that was read without errors, and its equations of motion.
///
/// A system never changes. [`set`](Self::set) and [`at`](Self::at) give another one, with other values of parameters or
/// another start; what both have in common they share.
///
/// ```
/// use holonom::{Run, System};
///
/// let pendulum = System::parse("pendulum.holo", "
/// param      L = 1, g = 9.81
/// coord      x, y
/// particle   bob: 1 at (x, y)
/// gravity    (0, -g)
/// constraint rod: x^2 + y^2 = L^2
/// start      x = L, y = 0
/// ")?;
/// assert_eq!(pendulum.check()?.degrees_of_freedom(), Some(1));
///
/// let motion = pendulum.set("L", 2.0)?.run(Run::until(1.0))?;
/// assert!((motion.last("x")?.powi(2) + motion.last("y")?.powi(2) - 4.0).abs() < 1e-12);
/// # Ok::<(), holonom::Rejection>(())
/// ```
#[derive(Clone)]
pub struct System {
    loaded: Arc<Loaded>,
    settings: Vec<(String, f64)>,
    compiled: CompiledSystem,
    /// Of reading and of derivation: none of them is an error.
    messages: Vec<Diagnostic>,
    /// The time of the start.
    time: f64,
}

impl fmt::Debug for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.sources().files().first().map(|file| &file.name);
        f.debug_struct("System").field("name", &name).field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl System {
    /// Reads a model from a file. Its parts and tables lie in the same folder or below it.
    ///
    /// # Errors
    /// Everything that is wrong with the model, at once.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Rejection> {
        Self::of(load(path.as_ref()), Vec::new())
    }

    /// Reads a model from text; `name` is what messages call it. A name that ends in `.json` means the JSON form.
    ///
    /// # Errors
    /// Everything that is wrong with the model, at once.
    pub fn parse(name: &str, text: &str) -> Result<Self, Rejection> {
        Self::of(from_text(name, text), Vec::new())
    }

    /// Takes a model that was put together in Rust.
    ///
    /// # Errors
    /// Everything that is wrong with the model, at once.
    pub fn build(builder: ModelBuilder) -> Result<Self, Rejection> {
        let built = builder.build();
        Self::of(from_document(built.document, built.sources, &NoFiles, &[], built.diagnostics), Vec::new())
    }

    /// Takes a model that was read already, with these of its parameters set.
    ///
    /// # Errors
    /// Everything that is wrong with the model, at once.
    pub fn of(loaded: Loaded, settings: Vec<(String, f64)>) -> Result<Self, Rejection> {
        let Some(model) = loaded.model.clone() else {
            return Err(Rejection::new(loaded.diagnostics, &loaded.sources));
        };
        let mut messages = loaded.diagnostics.clone();
        match derive(model) {
            Ok(derived) => {
                messages.extend(derived.messages);
                let compiled = CompiledSystem::new(derived.value);
                Ok(Self { loaded: Arc::new(loaded), settings, compiled, messages, time: 0.0 })
            }
            Err(errors) => {
                messages.extend(errors);
                Err(Rejection::new(messages, &loaded.sources))
            }
        }
    }

    /// The same system with another value of a parameter: a number in SI units, or text as in a model, such as `"30 deg"`.
    /// What depends on the parameter follows: other parameters, the number of members of families, start values.
    ///
    /// # Errors
    /// Where there is no such parameter, where the value has another dimension, and where the model is wrong with it.
    pub fn set(&self, name: &str, value: impl Into<Written>) -> Result<Self, Rejection> {
        let rejected = |error: Diagnostic| Rejection::new(vec![error], self.sources());
        let unclear = |why: String| rejected(Diagnostic::error("setting-unit", format!("`{name}`: {why}")));
        let quantity = Quantity::read(value.into().text()).map_err(unclear)?;
        quantity.fits(&self.equations().model, name).map_err(|error| rejected(*error))?;
        let mut settings = self.settings.clone();
        settings.retain(|(known, _)| known != name);
        settings.push((name.to_string(), quantity.value));
        let Loaded { sources, document, files, .. } = &*self.loaded;
        let again = from_document(document.clone(), sources.clone(), &KeptFiles(files), &settings, Vec::new());
        Self::of(again, settings)
    }

    /// The same system with another start: values of coordinates, velocities and `t`, such as `"x = 1, x' = 0"`. Where a position or the time
    /// is given, the other positions follow from the constraints, as near to the start of the model as these allow; likewise velocities.
    ///
    /// # Errors
    /// Where a value cannot be read.
    pub fn at(&self, values: &str) -> Result<Self, Rejection> {
        let mut equations = self.equations().clone();
        let time = state::move_start(values, &mut equations).map_err(|error| self.rejection([*error]))?;
        Ok(Self { compiled: CompiledSystem::new(equations), time, ..self.clone() })
    }

    /// Values of symbols as expressions of a system with the same equations, for [`Request::at`].
    ///
    /// # Errors
    /// Where a value cannot be read.
    pub fn values(&self, text: &str) -> Result<(Self, Vec<(Symbol, Id)>), Rejection> {
        let mut equations = self.equations().clone();
        let values = state::read(text, &mut equations).map_err(|error| self.rejection([*error]))?;
        Ok((Self { compiled: CompiledSystem::new(equations), ..self.clone() }, values))
    }

    /// The time at which it starts: 0, unless [`at`](Self::at) says otherwise.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The model as it was read: text, statements, parts.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// The text that messages point at.
    pub fn sources(&self) -> &Sources {
        &self.loaded.sources
    }

    /// Warnings and notes about the model and its equations.
    pub fn messages(&self) -> &[Diagnostic] {
        &self.messages
    }

    /// M, Q, A, b and C in the symbols of the model.
    pub fn equations(&self) -> &Equations {
        self.compiled.equations()
    }

    /// The same as programs, to be evaluated at states.
    pub fn compiled(&self) -> &CompiledSystem {
        &self.compiled
    }

    /// What can be said of the system before it runs: ranks, redundant and contradictory constraints, start values, accelerations
    /// and forces at the start.
    ///
    /// # Errors
    /// Where there are no numbers: functions are declared without a value. Whatever else is wrong is part of the verdict.
    pub fn check(&self) -> Result<Verdict, Rejection> {
        self.check_with(&CheckOptions::default())
    }

    /// The same with options.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn check_with(&self, options: &CheckOptions) -> Result<Verdict, Rejection> {
        if let Some(missing) = self.equations().model.unspecified() {
            return Err(self.rejection([missing]));
        }
        let found = analysis::check(&self.compiled, &CheckOptions { time: self.time, ..options.clone() });
        let mut messages = self.messages.clone();
        messages.extend(found.messages);
        Ok(Verdict { report: found.value, messages, sources: self.sources().clone() })
    }

    /// Computes the motion. `Run::default()` does what the `run` statement of the model says.
    ///
    /// # Errors
    /// Everything for which [`check`](Self::check) finds errors; settings that make no sense; a run that fails on its way, and an
    /// expectation that does not hold: then [`Rejection::so_far`] has the motion up to there.
    pub fn run(&self, run: Run) -> Result<Trajectory, Rejection> {
        self.run_while(run, &mut |_| true)
    }

    /// The same, asking after every step whether to go on: `go_on` gets the time reached.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_while(&self, run: Run, go_on: &mut dyn FnMut(f64) -> bool) -> Result<Trajectory, Rejection> {
        Trajectory::compute(self.plan(&run)?, (self.sources().clone(), self.about()), go_on)
    }

    /// Decides how the system is run and finds its start, for those who take the rows of the table as they come
    /// ([`Plan::run`] with an [`Observer`](integrate::Observer)).
    ///
    /// # Errors
    /// As [`run`](Self::run), but for what happens on the way.
    pub fn plan(&self, run: &Run) -> Result<Given<Plan>, Rejection> {
        match integrate::plan(&self.compiled, run) {
            Ok(planned) => {
                let mut messages = self.messages.clone();
                messages.extend(planned.messages);
                Ok(Given::new(planned.value, messages))
            }
            Err(errors) => Err(self.rejection(errors)),
        }
    }

    /// The equation of motion in closed form.
    ///
    /// # Errors
    /// Where a formula and the numerical solution disagree, which is a defect of this library.
    pub fn explain(&self) -> Result<Explanation, Rejection> {
        self.explain_with(Request::default(), &Budget::new(WORK))
            .map_err(|refusal| self.rejection([refusal.diagnostic(&self.equations().model)]))
    }

    /// The same for a part of the page, or with values put in, and with a bound on the work.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn explain_with(&self, request: Request, budget: &Budget) -> Result<Explanation, Refusal> {
        let explained = explain(self.equations(), &request, budget)?;
        Ok(Explanation { explained, equations: self.equations().clone(), request })
    }

    /// Accelerations at many states at a time, in SIMD lanes and on all cores.
    pub fn accelerations(&self) -> Accelerations {
        Accelerations::new(&self.compiled)
    }

    fn about(&self) -> About {
        let name = self.sources().files().first().map_or("", |file| &file.name);
        About::new(&self.loaded, self.settings.clone(), format!("holonom run {name}"))
    }

    pub(crate) fn rejection(&self, more: impl IntoIterator<Item = Diagnostic>) -> Rejection {
        let mut messages = self.messages.clone();
        messages.extend(more);
        Rejection::new(messages, self.sources())
    }
}
