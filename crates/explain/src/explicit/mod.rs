//! Equations → Solution: the equation of motion in closed form.
//!
//! q̈, the ideal and the non-ideal constraint force, multipliers and reactions as expressions in the symbols of the model,
//! with the directions that nothing determines, the rows that repeat others, the parameter values at which ranks
//! drop, and the conditions under which contradictory constraints would agree. `sample` finds admissible states and
//! decides which parameters are symbols, `system` and `friction` say what C is, `constraints`, `reactions` and `motion` have the mathematics in any
//! arithmetic, `exact` and `plain` are the arithmetics. Every formula is checked against the kernel before it is returned.

mod arithmetic;
mod check;
mod conditions;
mod constraints;
mod eliminate;
mod exact;
mod formulas;
mod friction;
mod motion;
mod plain;
mod reactions;
mod sample;
mod size;
mod solution;
mod special;
mod stand_in;
mod steps;
mod system;
#[cfg(test)]
mod tests;

pub(crate) use check::check_order;
pub(crate) use solution::Place;
pub use solution::{
    Contradiction, Dependent, Form, FormulaCheck, Free, Intermediate, Mismatch, Ranks, Solution, SolveOptions, Special,
    Unknown,
};
pub(crate) use stand_in::with_stand_ins;
pub use steps::{ExpressionMatrix, Steps, steps};

use arithmetic::Calculator;
use exact::Exact;
use formulas::formulas;
use holonom_mechanics::derive::Equations;
use holonom_simulate::start::{Sample, Sampler};
use holonom_symbols::algebra::{Budget, Exhausted, Reason, measure};
use holonom_symbols::expr::{Graph, Id, Symbol};
use motion::Route;
use plain::Plain;
use sample::{Ground, Values};
use std::collections::BTreeSet;
use system::System;

/// More coordinates or rows than this are not worth beginning: a formula would fill a book.
const LARGEST: usize = 48;
/// At how many states values are carried along.
const SHADOWS: usize = 5;
/// How many more may be added, one for each formula that was found to be wrong there.
const LESSONS: usize = 4;
/// At how many states around the start expressions are looked at when nothing is solved.
const PLACES: usize = 6;
/// What closed forms may cost before intermediates get names: a few seconds.
const CLOSED: u64 = 150_000_000;
/// Formulas that are no longer than this with the directions of slips written out need no names for them.
const SHORT: u64 = 120;
/// What names of directions of slips begin with: the first that the model does not use.
const DIRECTIONS: [&str; 4] = ["s", "d", "w", "direction"];

/// Solves equations of motion in symbols.
///
/// The answer is always given in some form: closed, in terms of named intermediates, or the advice that the implicit form
/// is what there is. A formula that disagrees with the kernel is never given: see [`Form::Mismatch`].
///
/// ```
/// use holonom_symbols::algebra::Budget;
/// use holonom_explain::explicit::{Form, SolveOptions, solve};
/// use holonom_symbols::expr::{Notation, Style};
/// use holonom_language::from_text;
/// use holonom_mechanics::derive::derive;
///
/// // Udwadia & Phohomsiri 2006, eq. 5.17.
/// let model = from_text("wheel.holo", "
/// param      m = 2, R = 0.5, Ic = 0.25, alpha = pi/6, g = 9.81
/// coord      theta, y
/// kinetic    (m*R^2 + Ic)*theta'^2/2
/// potential  -m*g*y
/// constraint no_slip: y = R*theta*sin(alpha)
/// ".trim_start()).model.expect("nothing is wrong with it");
/// let equations = derive(model).expect("nor with its mechanics").value;
/// let solution = solve(&equations, &SolveOptions::default(), &Budget::new(100_000_000));
/// assert!(matches!(solution.form, Form::Closed) && solution.checked.states >= 16);
/// let name = |symbol| solution.symbol_name(&equations.model, symbol);
/// let text = solution.graph.print(solution.acceleration[0], &Style::new(Notation::Text, &name));
/// assert_eq!(text, "m*R*g*sin(alpha)/(m*R^2 + Ic)");
/// ```
pub fn solve(equations: &Equations, options: &SolveOptions, budget: &Budget) -> Solution {
    let equations = &*with_stand_ins(equations, &options.set);
    let n = equations.force.len();
    let in_force = equations.rows.iter().filter(|row| !row.off).count();
    if n.max(in_force) > LARGEST || n == 0 {
        let reason = match n {
            0 => "there are no coordinates".to_string(),
            _ => format!("{n} coordinates and {in_force} rows of constraints are too many for a formula"),
        };
        return implicit(
            equations,
            options,
            reason,
            n.saturating_mul(n + in_force),
            "solve a smaller member of the family, or `run` the model",
        );
    }
    let stopped = |end: Exhausted| {
        let advice = if end.reason == Reason::OutOfTime { "allow more time" } else { "let it run to its end" };
        implicit(equations, options, end.to_string(), 0, advice)
    };
    let ground = match Ground::new(equations, options, budget) {
        Ok(Some(ground)) => ground,
        Ok(None) => {
            let reason =
                "no state was found around the start that satisfies the constraints, so ranks cannot be decided";
            return implicit(equations, options, reason.to_string(), 0, "`check` says what is wrong with the start");
        }
        Err(end) => return stopped(end),
    };
    let mut graph = equations.graph.clone();
    let mut system = system::system(equations, &ground, &mut graph, &options.set);
    if !ground.sampler.good {
        system.assume("ranks are those of states that do not satisfy the constraints: none was found".to_string());
    }
    let mut blank = blank(equations, options, &ground, &system, graph);
    let mut hopeless: Vec<Route> = Vec::new();
    let solution = learning(&ground, |shadows| {
        let values = Values::new(shadows);
        let blank_now = (blank.clone(), &mut hopeless);
        let solution = match closed(equations, &ground, &system, &values, options, budget, blank_now) {
            Ok(Some(solution)) => solution,
            Err(end) if end.reason.is_final() => stopped(end),
            Ok(None) | Err(_) => {
                let signs = system.shorten(&mut blank.graph, &positive(&ground), budget);
                blank.signs.extend(signs);
                named(equations, &ground, &system, &values, options, budget, blank.clone())
            }
        };
        match solution.form {
            Form::Mismatch(ref mismatch) => Err((mismatch.clone(), Box::new(solution))),
            _ => Ok(solution),
        }
    })
    .unwrap_or_else(|(_, solution)| *solution);
    // Formulas that were not held against the kernel to the end are not given.
    match budget.go_on() {
        Ok(()) => solution,
        Err(end) => stopped(end),
    }
}

/// Makes something that leans on values at a few states, and makes it again with one more where it was found to be wrong.
///
/// Constraints may have branches. What vanishes on one of them, such as the load of a rod that a parallelogram does not need,
/// is taken for zero if all states happen to be there; the state at which that fails shows that it is not.
fn learning<'g, T, E>(
    ground: &'g Ground,
    mut make: impl FnMut(&[&'g Sample]) -> Result<T, (Box<Mismatch>, E)>,
) -> Result<T, (Box<Mismatch>, E)> {
    let mut states = shadows(ground);
    for _ in 0..LESSONS {
        match make(&states) {
            Err((mismatch, _))
                if let Some(state) = ground.place_of(&mismatch)
                    && !states.iter().any(|known| std::ptr::eq(*known, state)) =>
            {
                states.push(state)
            }
            made => return made,
        }
    }
    make(&states)
}

/// The first of some stems of names that nothing in the model begins with, up to digits.
fn stem<'a>(model: &holonom_language::Model, stems: &[&'a str]) -> &'a str {
    let coordinates = model.coordinates.iter().map(|c| &c.name);
    let functions = model.functions.iter().map(|f| &f.function.name);
    let names: Vec<&String> = coordinates.chain(model.parameters.iter().map(|p| &p.name)).chain(functions).collect();
    let taken = |stem: &str| {
        let clashes = |rest: &str| rest.starts_with('[') || rest.chars().all(|c| c.is_ascii_digit());
        names.iter().any(|name| name.strip_prefix(stem).is_some_and(clashes))
    };
    stems.iter().copied().find(|stem| !taken(stem)).or(stems.last().copied()).unwrap_or("x")
}

/// Parameters that are positive at their values are taken to be so: roots of their squares are themselves. See [`Solution::signs`].
fn positive(ground: &Ground) -> Vec<Symbol> {
    let values = ground.sampler.parameters().iter().enumerate();
    values.filter(|(_, value)| **value > 0.0).map(|(i, _)| Symbol::Parameter(i as u32)).collect()
}

/// Samples whose values are carried along: of different parameters, with an answer where there is one.
fn shadows(ground: &Ground) -> Vec<&Sample> {
    let all: Vec<&Sample> = ground.samples.iter().collect();
    let answered: Vec<&Sample> = all.iter().copied().filter(|sample| sample.answer.is_some()).collect();
    let step = (answered.len() / SHADOWS).max(1);
    let mut chosen: Vec<&Sample> = answered.iter().copied().step_by(step).take(SHADOWS).collect();
    // Where friction has no answer, constraints are there all the same.
    let others = all.iter().copied().filter(|sample| sample.answer.is_none());
    chosen.extend(others.take(SHADOWS - chosen.len().min(SHADOWS)));
    // What vanishes at the start must not be divided by, if that can be helped.
    chosen.extend(ground.start.iter().filter(|sample| ground.is_generic(sample) || all.is_empty()));
    chosen
}

/// A solution in which nothing is known yet.
fn blank(
    equations: &Equations,
    options: &SolveOptions,
    ground: &Ground,
    system: &System,
    mut graph: Graph,
) -> Solution {
    let substituted = ground
        .substituted
        .iter()
        .map(|&(i, replacement)| (i, replacement.expression(&mut graph, Some(equations.model.parameters[i].value))));
    let substituted = substituted.collect();
    Solution {
        ranks: ground.ranks,
        admissible: ground.sampler.good,
        substituted,
        assumptions: system.assumptions.clone(),
        places: ground.start.iter().chain(&ground.samples).map(Place::new).collect(),
        ..empty(graph, options, Form::Closed)
    }
}

/// A solution without a formula.
fn empty(graph: Graph, options: &SolveOptions, form: Form) -> Solution {
    Solution {
        graph,
        form,
        acceleration: Vec::new(),
        ideal: Vec::new(),
        nonideal: Vec::new(),
        given: Vec::new(),
        multipliers: Vec::new(),
        reactions: Vec::new(),
        free: Vec::new(),
        unknowns: Vec::new(),
        ranks: Ranks::default(),
        independent: Vec::new(),
        dependent: Vec::new(),
        special: Vec::new(),
        contradictions: Vec::new(),
        substituted: Vec::new(),
        assumptions: Vec::new(),
        limits: Vec::new(),
        signs: BTreeSet::new(),
        through_accelerations: false,
        settled: None,
        checked: FormulaCheck::default(),
        conditions: Vec::new(),
        admissible: true,
        options: options.clone(),
        places: Vec::new(),
    }
}

/// The equations as they are, not solved: for whoever wants to show them alone.
pub(crate) fn unsolved(equations: &Equations) -> Solution {
    implicit(equations, &SolveOptions::default(), "they were not solved".to_string(), 0, "ask for the acceleration")
}

/// States to hold expressions against what the kernel evaluates, for a solution that has none.
pub(crate) fn places(equations: &Equations, options: &SolveOptions) -> Vec<Place> {
    let sampler = Sampler::new(equations, &options.set);
    let around = sampler.around(&[], PLACES, options.seed);
    sampler.start().iter().chain(&around).map(Place::new).collect()
}

/// The answer that there is no formula.
fn implicit(equations: &Equations, options: &SolveOptions, reason: String, size: usize, advice: &str) -> Solution {
    let form = Form::Implicit { reason, size, advice: advice.to_string() };
    empty(equations.graph.clone(), options, form)
}

/// The answer in closed form; nothing where a component is longer than allowed.
///
/// Routes that are too long once are so with one state more, and are not tried again: `hopeless` lists them.
fn closed(
    equations: &Equations,
    ground: &Ground,
    system: &System,
    values: &Values,
    options: &SolveOptions,
    budget: &Budget,
    (blank, hopeless): (Solution, &mut Vec<Route>),
) -> Result<Option<Solution>, Exhausted> {
    let mut best: Option<Solution> = None;
    let whole = budget.left();
    let zero = if ground.sampler.good { system.relations() } else { Vec::new() };
    let first: Vec<Id> = system.mass.iter().flatten().chain(&system.force).copied().collect();
    for (route, share) in [(Route::Reactions, 1), (Route::Displacements, 3)] {
        if hopeless.contains(&route) {
            continue;
        }
        let mut solution = blank.clone();
        let first_name = equations.model.parameters.len() as u32;
        // A second one is not waited for much longer than the first.
        let patience = if best.is_some() { 2 * (whole - budget.left()) } else { CLOSED };
        let found = budget.attempt(patience.min(budget.left() / 4 * share), |budget| {
            let exact = Exact::new(&mut solution.graph, positive(ground), values, budget)
                .at_most(2000 + 4 * options.limit)
                .naming_directions(first_name, stem(&equations.model, &DIRECTIONS))
                .where_zero(&zero, &first)?;
            // Without relations both routes end with the same quotients, and the other one is shorter.
            if route == Route::Reactions && !exact.has_relations() {
                return Ok(None);
            }
            let mut calculator = Calculator::new(exact, values.len());
            let found = formulas(&mut calculator, ground, system, route, options.limit as u64)?;
            let signs = calculator.inner.signs();
            Ok(found.map(|found| (found, calculator.inner.directions, signs)))
        })?;
        let Some(found) = found else {
            hopeless.push(route);
            continue;
        };
        let Some((mut formulas, directions, signs)) = found else { continue };
        solution.signs = signs;
        let longest = formulas.all().map(|id| measure(&solution.graph, id)).max().unwrap_or(0);
        if longest > options.limit as u64 {
            hopeless.push(route);
            continue;
        }
        let definitions = match formulas.put_in(&mut solution.graph, &directions, SHORT) {
            true => Vec::new(),
            false => formulas.with_used(&mut solution.graph, directions, stem(&equations.model, &DIRECTIONS)),
        };
        let next = first_name + definitions.len() as u32;
        if !definitions.is_empty() {
            solution.form = Form::Named { definitions };
        }
        formulas.put(equations, system, ground, next, &mut solution);
        let Ok(found) = checked(solution, system, ground, budget) else { continue };
        // Another way may divide by nothing that vanishes.
        if best.as_ref().is_none_or(|best| found.conditions.len() < best.conditions.len()) {
            best = Some(found);
        }
        if best.as_ref().is_some_and(|best| best.conditions.is_empty()) {
            break;
        }
    }
    Ok(best)
}

/// The answer in terms of named intermediates; the implicit form where that is too long.
fn named(
    equations: &Equations,
    ground: &Ground,
    system: &System,
    values: &Values,
    options: &SolveOptions,
    budget: &Budget,
    blank: Solution,
) -> Solution {
    let of = |route: Route| named_by(equations, ground, system, values, options, budget, (blank.clone(), route));
    // Reactions first divide by nothing that vanishes. Where M is dense, that may be too long; where it is singular, it is no way.
    let first = of(Route::Reactions);
    let too_long = matches!(first.form, Form::Implicit { size, .. } if size > options.total);
    if too_long && ground.ranks.mass == system.n { of(Route::Displacements) } else { first }
}

/// The same by one route.
fn named_by(
    equations: &Equations,
    ground: &Ground,
    system: &System,
    values: &Values,
    options: &SolveOptions,
    budget: &Budget,
    (mut solution, route): (Solution, Route),
) -> Solution {
    let first = equations.model.parameters.len() as u32;
    let stem = stem(&equations.model, &["x", "s", "w", "z", "part"]);
    let far = Values::new(&ground.far.iter().collect::<Vec<_>>());
    let (values, far) = (&values.and(far), ground.far.len());
    let plain = Plain::new(&mut solution.graph, first, stem, options.part, values, budget);
    let mut calculator = Calculator::with_far(plain, values.len(), far);
    let found = formulas(&mut calculator, ground, system, route, u64::MAX);
    let definitions = std::mem::take(&mut calculator.inner.definitions);
    let mut formulas = match found {
        Ok(Some(formulas)) => formulas,
        Ok(None) => {
            let feeds = !system.by_reaction.is_empty() || system.sliding.iter().any(system::Sliding::hangs);
            let (reason, advice) = match feeds {
                true => ("reactions that feed C have no unique answer", "`check` says which are concerned"),
                false => ("ranks could not be decided", "`check` says what is near to being singular"),
            };
            return implicit(equations, options, reason.to_string(), 0, advice);
        }
        Err(exhausted) => {
            return implicit(equations, options, exhausted.to_string(), 0, "allow more work, or `run` the model");
        }
    };
    let definitions = formulas.with_used(&mut solution.graph, definitions, stem);
    let total: usize = definitions.iter().map(|d| measure(&solution.graph, d.value) as usize).sum();
    if total > options.total {
        let reason = format!("with names for its parts the formula would still have {total} nodes");
        return implicit(equations, options, reason, total, "raise the limit, or `run` the model");
    }
    let next = first + definitions.len() as u32;
    solution.form = match definitions.is_empty() {
        true => Form::Closed,
        false => Form::Named { definitions },
    };
    formulas.put(equations, system, ground, next, &mut solution);
    let assumptions = solution.assumptions.join(", ");
    checked(solution, system, ground, budget).unwrap_or_else(|evidence| {
        let answers = ground.start.iter().chain(&ground.samples).any(|sample| sample.answer.is_some());
        let (reason, advice) = match (evidence.undefined, answers) {
            (0, false) => {
                let reason =
                    "at no state that was tried do forces have one answer that a formula could be held against";
                (reason.to_string(), "`check` says why")
            }
            (0, true) if !assumptions.is_empty() => {
                let reason =
                    format!("at no state that was tried does all hold that a formula takes to hold: {assumptions}");
                (reason, "`run` the model")
            }
            _ => ("what would have to be divided by vanishes at most states, or nearly".to_string(), "`run` the model"),
        };
        implicit(equations, options, reason, total, advice)
    })
}

/// The solution, if the kernel agrees; how often the two could be compared, where that is at few states or none.
fn checked(
    mut solution: Solution,
    system: &System,
    ground: &Ground,
    budget: &Budget,
) -> Result<Solution, FormulaCheck> {
    match check::check(&mut solution, system, ground, budget) {
        Ok(evidence) => {
            solution.checked = evidence;
            solution.conditions = conditions::conditions(&mut solution, system, ground, budget);
            if evidence.undefined > evidence.states || evidence.states == 0 {
                return Err(evidence);
            }
        }
        Err(mismatch) => {
            solution.form = Form::Mismatch(mismatch);
            let lists = [&mut solution.acceleration, &mut solution.ideal, &mut solution.nonideal];
            lists.into_iter().for_each(Vec::clear);
            let lists = [&mut solution.given, &mut solution.multipliers, &mut solution.reactions];
            lists.into_iter().for_each(Vec::clear);
            solution.settled = None;
        }
    }
    Ok(solution)
}
