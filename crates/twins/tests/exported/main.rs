//! Exported code beside the kernel, for random models at states of their motion and at degenerate ones.
//!
//! At every state each function gives what the kernel gives, or names a condition of its formula that fails there by the kernel's own
//! numbers. It never answers `nan`, and never refuses where nothing that it divides by vanishes.

mod languages;
mod states;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use holonom::explain::{Explained, Part, Refusal, Request, explain};
use holonom::language::from_text_with;
use holonom::mechanics::derive;
use holonom::symbols::algebra::Budget;
use holonom::symbols::expr::{CodeCondition, Graph, Id, Language};
use holonom_random::Random;
use holonom_twins::{Draft, generate};
use languages::{Answer, LINES, OUTPUTS, run_all};
use states::{Kernel, Mechanics, State};

/// Work that may be done for a closed form.
const WORK: u64 = 4_000_000;
/// Larger files only take longer.
const LARGEST: usize = 2_000;
/// Models with more coordinates rarely have a closed form of this size.
const COORDINATES: usize = 10;
/// Differences that count as rounding, relative to the largest force or acceleration.
const ROUNDING: f64 = 1e-8;
/// States are moved by this part of themselves to see how many digits an answer has.
const NUDGE: f64 = 1e-12;
/// How many times the change of the kernel's own answer under that is allowed.
const SHARE: f64 = 1e3;
/// A condition may fail where its expression is no farther from zero than a change of the state by this part leads.
const NEAR: f64 = 1e-8;

/// A model with a closed form, and states of it.
struct Case {
    seed: u64,
    kind: &'static str,
    rows: usize,
    states: Vec<State>,
    mechanics: Mechanics,
    explanation: Explained,
    /// The conditions of each output, and their expressions.
    conditions: Vec<Vec<CodeCondition>>,
    graph: Graph,
}

impl Case {
    /// A formulation of the scenario of a seed that has a closed form; why none has.
    fn new(seed: u64) -> Result<Self, String> {
        let twins = generate(seed);
        let count = twins.drafts.len();
        let mut why = String::new();
        for place in 0..count {
            let draft = &twins.drafts[(seed as usize + place) % count];
            let made = match seed % 2 {
                0 => Self::of(seed, twins.kind, draft.clone()),
                _ => {
                    Self::of(seed, twins.kind, not_ideal(draft)).or_else(|_| Self::of(seed, twins.kind, draft.clone()))
                }
            };
            match made {
                Ok(case) => return Ok(case),
                Err(reason) => why = reason,
            }
        }
        Err(why)
    }

    fn of(seed: u64, kind: &'static str, draft: Draft) -> Result<Self, String> {
        let loaded = from_text_with("twin.holo", &draft.text(), &draft.files, &[]);
        let equations = loaded
            .model
            .and_then(|model| derive::derive(model).ok())
            .map(|derived| derived.value)
            .ok_or("no equations")?;
        if equations.model.coordinates.len() > COORDINATES {
            return Err("many coordinates".to_string());
        }
        let explanation = explain(&equations, &request(), &Budget::new(WORK)).map_err(|refusal| match refusal {
            Refusal::Mismatch(_) => "a formula that is withheld because it disagrees with the kernel".to_string(),
            _ => "no closed form".to_string(),
        })?;
        if !explanation.solution.is_explicit() || !explanation.solution.unknowns.is_empty() {
            return Err("no closed form".to_string());
        }
        let rows = equations.rows.iter().filter(|row| !row.off).count();
        let mechanics = Mechanics::new(equations);
        let states = mechanics.states(&mut Random::new(seed), draft.time);
        let all = explanation.clone().conditions(&mechanics.equations, &request());
        let (graph, conditions) = all.map_err(|_| "no code")?;
        let case = Self { seed, kind, rows, states, mechanics, explanation, conditions, graph };
        match (case.states.is_empty(), case.size() <= LARGEST) {
            (true, _) => Err("no motion".to_string()),
            (_, false) => Err("a long formula".to_string()),
            _ => Ok(case),
        }
    }

    fn code(&self, language: Language) -> String {
        let explanation = self.explanation.clone();
        explanation.code(&self.mechanics.equations, &request(), language).unwrap()
    }

    /// The number of expressions in the accelerations and forces.
    fn size(&self) -> usize {
        let mut solution = self.explanation.solution.clone();
        let all = [&solution.acceleration[..], &solution.ideal, &solution.nonideal].concat();
        let all: Vec<Id> = solution.expanded(&all);
        solution.graph.reachable(&all).len()
    }

    /// Whether a condition fails by the numbers of the model: what must not vanish is zero, up to a small change of the state.
    fn fails(&self, condition: &CodeCondition, state: &State) -> bool {
        let value =
            |state: &State| self.graph.evaluate(&[condition.about], |symbol| self.mechanics.value(symbol, state))[0];
        let here = value(state);
        let beside = self.mechanics.beside(state, Mechanics::sizes(&self.states), NEAR);
        let change = beside.iter().map(|state| (value(state) - here).abs()).fold(0.0, f64::max);
        match &condition.text {
            text if text.contains(" != 0") => here.abs() <= change,
            text if text.contains(" > 0") || text.contains(" >= 0") => here <= change,
            text if text.contains(" <= 1") => here.abs() >= 1.0 - change,
            _ => !here.is_finite(),
        }
    }
}

/// The same model with a force that makes its constraints not ideal; itself where the coordinates are those of parts.
fn not_ideal(draft: &Draft) -> Draft {
    let mut draft = draft.clone();
    let drag = draft.coordinates.iter().enumerate().map(|(j, name)| format!("-0.{}*{name}' - 0.1", 1 + j % 7));
    draft.statements.push(format!("nonideal [{}]", drag.collect::<Vec<_>>().join(", ")));
    draft
}

/// What files have a function for.
fn request() -> Request {
    let only = vec![Part::Acceleration, Part::IdealForce, Part::NonidealForce, Part::Reactions];
    Request { only, ..Request::default() }
}

#[derive(Default)]
struct Tally {
    agreed: usize,
    announced: usize,
    alone: usize,
    faults: Vec<String>,
}

impl Tally {
    /// One output at one state.
    fn output(
        &mut self,
        case: &Case,
        state: &State,
        kernel: Option<&Kernel>,
        (language, which): (&str, usize),
        answer: &Answer,
    ) {
        let name = OUTPUTS[which];
        let mut fault = |text: String| {
            let (seed, kind) = (case.seed, case.kind);
            self.faults.push(format!("{language}, seed {seed} ({kind}), {name} {}: {text}\n    {state:?}", state.what));
        };
        let conditions = &case.conditions[which];
        let values = match answer {
            Answer::Condition(text) => {
                // SymPy's are given by their place.
                let place = text.parse().ok().filter(|_| language == "SymPy");
                let text = text.strip_prefix("the formula does not hold here: it needs ").unwrap_or(text);
                match conditions
                    .iter()
                    .enumerate()
                    .find(|(k, one)| place.map_or(one.text == text, |place: usize| *k == place))
                {
                    Some((_, condition)) if case.fails(condition, state) => self.announced += 1,
                    Some((_, condition)) => {
                        fault(format!("`{}` holds, and the code says that it fails", condition.text))
                    }
                    None => fault(format!("`{text}` is no condition of the formula")),
                }
                return;
            }
            Answer::Values(values) => values,
        };
        if values.iter().any(|value| !value.is_finite()) {
            return fault(format!("{values:?} in silence"));
        }
        let Some(kernel) = kernel.filter(|kernel| which < 3 || kernel.is_determinate) else {
            self.alone += 1;
            return;
        };
        let wanted = &kernel.answers[which];
        let worst = |one: &[f64], other: &[f64]| one.iter().zip(other).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        let off = worst(values, wanted);
        if values.len() != wanted.len() {
            return fault(format!("{} values for {}", values.len(), wanted.len()));
        }
        if off <= ROUNDING * kernel.scales[which] {
            self.agreed += 1;
            return;
        }
        // Near a singular configuration neither has many digits.
        let beside = case.mechanics.beside(state, Mechanics::sizes(&case.states), NUDGE);
        let changes = beside.iter().map(|state| match case.mechanics.kernel(state) {
            Some(moved) => worst(&moved.answers[which], wanted),
            None => f64::INFINITY,
        });
        let change = changes.fold(0.0, f64::max);
        // In SymPy, whoever evaluates in floating point decides what counts as zero.
        let is_open = language == "SymPy" && conditions.iter().any(|condition| case.fails(condition, state));
        if off <= SHARE * change || is_open {
            self.alone += 1;
        } else {
            fault(format!("{values:?} for {wanted:?}, which change by {change:e}"));
        }
    }
}

/// What the languages say, against the kernel.
fn compare(cases: &[Case], folder: &Path) -> Tally {
    let mut tally = Tally::default();
    let kernels: Vec<Vec<Option<Kernel>>> =
        cases.iter().map(|case| case.states.iter().map(|state| case.mechanics.kernel(state)).collect()).collect();
    for run in run_all(cases, folder) {
        for ((case, answers), kernels) in cases.iter().zip(&run.answers).zip(&kernels) {
            let Some(answers) = answers else { continue };
            for ((state, kernel), lines) in case.states.iter().zip(kernels).zip(answers.chunks(LINES)) {
                let (answers, all) = lines.split_at(OUTPUTS.len());
                for (which, answer) in answers.iter().enumerate() {
                    tally.output(case, state, kernel.as_ref(), (run.name, which), answer);
                }
                if all[0] != together(answers) {
                    tally.faults.push(format!("{}, seed {}: {all:?} at once, {answers:?} apart", run.name, case.seed));
                }
            }
        }
    }
    tally
}

/// What outputs are together: their values, or the first condition that fails.
fn together(answers: &[Answer]) -> Answer {
    let mut all = Vec::new();
    for answer in answers {
        match answer {
            Answer::Values(values) => all.extend(values),
            failed => return failed.clone(),
        }
    }
    Answer::Values(all)
}

/// Compares this many models.
fn hold(models: usize, first: u64) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("exported-{models}"));
    fs::create_dir_all(&folder).unwrap();
    let mut cases: Vec<Case> = Vec::new();
    let mut skipped: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let began = std::time::Instant::now();
    for seed in first.. {
        if cases.len() == models {
            break;
        }
        match Case::new(seed) {
            Ok(case) => cases.push(case),
            // Models of this kind have no motion, and no formula.
            Err(_) if generate(seed).kind == "wrong" => {}
            Err(reason) => *skipped.entry((generate(seed).kind, reason)).or_default() += 1,
        }
    }
    println!("{models} models in {:.0?}", began.elapsed());
    let tally = compare(&cases, &folder);
    println!("compared in {:.0?}", began.elapsed());
    let states: usize = cases.iter().map(|case| case.states.len()).sum();
    let count: usize = skipped.values().sum();
    println!(
        "{models} models, {states} states: {} answers agree with the kernel, {} name a condition that fails, {} have nothing to be \
         compared with, {} faults; {count} models were skipped: {skipped:?}",
        tally.agreed,
        tally.announced,
        tally.alone,
        tally.faults.len()
    );
    assert!(tally.faults.is_empty(), "{}", tally.faults.join("\n"));
    assert!(tally.agreed > states && tally.announced > 0 && tally.alone < tally.agreed / 10);
    assert!(count <= models / 3, "{count} models were skipped");
    let _ = fs::remove_dir_all(&folder);
}

#[test]
fn code_agrees_with_the_kernel_or_says_why_not() {
    hold(40, 1_000_000);
}

/// The long version: `cargo test -p holonom-twins --test exported -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn code_of_many_models_agrees_with_the_kernel_or_says_why_not() {
    hold(200, 2_000_000);
}
