//! Exported code against the kernel, for random models: at states of the motion, and at rest, aligned, symmetric and where coordinates
//! vanish. Code agrees with the kernel to rounding, or says which condition of its formulas fails; it never answers `nan`.

mod languages;
mod states;

use std::path::{Path, PathBuf};
use std::{env, fs};

use holonom::algebra::Budget;
use holonom::derive;
use holonom::explain::{Explanation, Part, Request, explain};
use holonom::expr::{Id, Language};
use holonom::model::from_text_with;
use holonom_laws::Random;
use holonom_twins::generate;
use languages::{Answer, OUTPUTS, run_all};
use states::{Mechanics, State};

/// Work that may be done for a closed form.
const WORK: u64 = 4_000_000;
/// Larger files only take longer.
const LARGEST: usize = 600;
/// Models with more coordinates rarely have a closed form of this size.
const COORDINATES: usize = 7;
/// Differences that count as rounding, relative to the largest component.
const ROUNDING: f64 = 1e-8;

/// A model with a closed form, and states of it.
struct Case {
    seed: u64,
    kind: &'static str,
    rows: usize,
    states: Vec<State>,
    mechanics: Mechanics,
    explanation: Explanation,
}

impl Case {
    /// One formulation of the scenario of a seed; nothing where it has no closed form.
    fn new(seed: u64) -> Option<Self> {
        let twins = generate(seed);
        let draft = &twins.drafts[seed as usize % twins.drafts.len()];
        let model = from_text_with("twin.holo", &draft.text(), &draft.files, &[]).model?;
        let equations = derive::derive(model).equations?;
        if equations.model.coordinates.len() > COORDINATES {
            return None;
        }
        let explanation = explain(&equations, &request(), &Budget::new(WORK)).ok()?;
        let plain = explanation.solution.is_explicit() && explanation.solution.unknowns.is_empty();
        if !plain || !equations.frictions.is_empty() {
            return None;
        }
        let rows = equations.rows.iter().filter(|row| !row.off).count();
        let mechanics = Mechanics::new(equations);
        let states = mechanics.states(&mut Random::new(seed));
        let case = Self { seed, kind: twins.kind, rows, states, mechanics, explanation };
        (!case.states.is_empty() && case.size() <= LARGEST).then_some(case)
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

/// What the languages say, against the kernel.
fn compare(cases: &[Case], folder: &Path) -> Tally {
    let mut tally = Tally::default();
    for run in run_all(cases, folder) {
        for (case, answers) in cases.iter().zip(&run.answers) {
            let Some(answers) = answers else { continue };
            for (state, answers) in case.states.iter().zip(answers.chunks(OUTPUTS.len())) {
                let kernel = case.mechanics.kernel(state);
                for (name, answer) in OUTPUTS.iter().zip(answers) {
                    let at =
                        format!("{}, seed {} ({}), {name} {}: {state:?}", run.name, case.seed, case.kind, state.what);
                    let values = match answer {
                        Answer::Condition(text) if text.is_empty() => {
                            tally.faults.push(format!("{at}: a condition without a text"));
                            continue;
                        }
                        Answer::Condition(_) => {
                            tally.announced += 1;
                            if state.what == "on the motion" && kernel.is_some() {
                                tally.faults.push(format!("{at}: {answer:?} on a regular motion"));
                            }
                            continue;
                        }
                        Answer::Values(values) => values,
                    };
                    if values.iter().any(|value| !value.is_finite()) {
                        tally.faults.push(format!("{at}: {values:?} in silence"));
                        continue;
                    }
                    let wanted = match (name, &kernel) {
                        (&"acceleration", Some(kernel)) => &kernel.acceleration,
                        (&"ideal_force", Some(kernel)) => &kernel.ideal_force,
                        _ => {
                            tally.alone += 1;
                            continue;
                        }
                    };
                    let scale = wanted.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
                    let worst = values.iter().zip(wanted).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
                    if values.len() == wanted.len() && worst <= ROUNDING * scale {
                        tally.agreed += 1;
                    } else {
                        tally.faults.push(format!("{at}: {values:?} for {wanted:?}"));
                    }
                }
            }
        }
    }
    tally
}

/// Compares this many models.
fn hold(models: usize, first: u64) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("exported-{models}"));
    fs::create_dir_all(&folder).unwrap();
    let mut cases: Vec<Case> = Vec::new();
    let mut without = 0;
    let began = std::time::Instant::now();
    for seed in first.. {
        if cases.len() == models {
            break;
        }
        match Case::new(seed) {
            Some(case) => cases.push(case),
            None => without += 1,
        }
    }
    println!("{models} models in {:.0?}", began.elapsed());
    let tally = compare(&cases, &folder);
    println!("compared in {:.0?}", began.elapsed());
    let states: usize = cases.iter().map(|case| case.states.len()).sum();
    println!(
        "{models} models ({without} others have no closed form of this size), {states} states: {} answers agree with the kernel, {} name a \
         condition, {} are finite and have nothing to be compared with, {} faults",
        tally.agreed,
        tally.announced,
        tally.alone,
        tally.faults.len()
    );
    assert!(tally.faults.is_empty(), "{}", tally.faults.join("\n"));
    assert!(tally.agreed > states && tally.announced > 0);
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
