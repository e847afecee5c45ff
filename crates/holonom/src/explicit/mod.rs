//! Equations → Solution: the equation of motion in closed form.
//!
//! q̈, the ideal and the non-ideal constraint force, multipliers and reactions as expressions in the symbols of the model,
//! with the directions that nothing determines, the rows that repeat others, the parameter values at which ranks
//! drop, and what would have to hold where constraints contradict each other. `sample` finds admissible states and
//! decides which parameters are symbols, `system` and `friction` say what C is, `motion` has the mathematics in any
//! arithmetic, `exact` and `plain` are the arithmetics. Every formula is held against the kernel before it is returned.

mod arithmetic;
mod check;
mod eliminate;
mod exact;
mod friction;
mod motion;
mod plain;
mod sample;
mod size;
mod solution;
mod special;
mod steps;
mod system;
#[cfg(test)]
mod tests;

pub use solution::{
    Contradiction, Definition, Dependent, Evidence, Form, Free, Mismatch, Options, Ranks, Solution, Special, Unknown,
};
pub use steps::{Steps, Table, steps};

use crate::algebra::{Budget, Exhausted, Reason, measure};
use crate::analysis::Sample;
use crate::derive::Equations;
use crate::expr::{Graph, Id, Symbol};
use arithmetic::{Arithmetic, Calculator, Entry};
use exact::Exact;
use friction::Columns;
use motion::{Constraints, motion};
use plain::Plain;
use sample::{Ground, Values};
use system::System;

/// More coordinates or rows than this are not worth beginning: a formula would fill a book.
const LARGEST: usize = 48;
/// At how many states values are carried along.
const SHADOWS: usize = 5;
/// What closed forms may cost before intermediates get names: a few seconds.
const CLOSED: u64 = 150_000_000;

/// Solves equations of motion in symbols.
///
/// The answer is always given in some form: closed, in terms of named intermediates, or the advice that the implicit form
/// is what there is. A formula that disagrees with the kernel is never given: see [`Form::Mismatch`].
///
/// ```
/// use holonom::algebra::Budget;
/// use holonom::explicit::{Form, Options, solve};
/// use holonom::expr::{Notation, Style};
/// use holonom::{derive::derive, model::from_text};
///
/// // Udwadia & Phohomsiri 2006, eq. 5.17.
/// let model = from_text("wheel.holo", "
/// param      m = 2, R = 0.5, Ic = 0.25, alpha = pi/6, g = 9.81
/// coord      theta, y
/// kinetic    (m*R^2 + Ic)*theta'^2/2
/// potential  -m*g*y
/// constraint no_slip: y = R*theta*sin(alpha)
/// ".trim_start()).model.expect("nothing is wrong with it");
/// let equations = derive(model).equations.expect("nor with its mechanics");
/// let solution = solve(&equations, &Options::default(), &Budget::new(100_000_000));
/// assert!(matches!(solution.form, Form::Closed) && solution.checked.states >= 16);
/// let name = |symbol| solution.symbol_name(&equations.model, symbol);
/// let text = solution.graph.print(solution.acceleration[0], &Style::new(Notation::Text, &name));
/// assert_eq!(text, "m*R*g*sin(alpha)/(m*R^2 + Ic)");
/// ```
pub fn solve(equations: &Equations, options: &Options, budget: &Budget) -> Solution {
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
    let Some(ground) = Ground::new(equations, &options.set, options.states, options.seed) else {
        let reason = "no state was found that satisfies the constraints, so that ranks cannot be decided".to_string();
        return implicit(equations, options, reason, 0, "`check` says what is wrong with the start");
    };
    let mut graph = equations.graph.clone();
    let mut system = system::system(equations, &ground, &mut graph, &options.set);
    if !ground.sampler.good {
        system.assume("ranks are those of states that do not satisfy the constraints: none was found".to_string());
    }
    let shadows = shadows(&ground);
    let values = Values::new(&shadows);
    let blank = blank(equations, options, &ground, &system, graph);
    match closed(equations, &ground, &system, &values, options, budget, blank.clone()) {
        Ok(Some(solution)) => return solution,
        Err(end) if end.reason == Reason::Interrupted => {
            return implicit(equations, options, end.to_string(), 0, "let it run to its end");
        }
        Ok(None) | Err(_) => {}
    }
    named(equations, &ground, &system, &values, options, budget, blank)
}

/// The first of some stems of names that nothing in the model begins with, up to digits.
fn stem<'a>(model: &crate::model::Model, stems: &[&'a str]) -> &'a str {
    let coordinates = model.coordinates.iter().map(|c| &c.name);
    let names: Vec<&String> = coordinates.chain(model.parameters.iter().map(|p| &p.name)).collect();
    let taken = |stem: &str| {
        let clashes = |rest: &str| rest.starts_with('[') || rest.chars().all(|c| c.is_ascii_digit());
        names.iter().any(|name| name.strip_prefix(stem).is_some_and(clashes))
    };
    stems.iter().copied().find(|stem| !taken(stem)).or(stems.last().copied()).unwrap_or("x")
}

/// Parameters that are positive at their values are taken to be so: roots of their squares are themselves.
fn positive(ground: &Ground) -> Vec<Symbol> {
    let values = ground.sampler.parameters.iter().enumerate();
    values.filter(|(_, value)| **value > 0.0).map(|(i, _)| Symbol::Parameter(i as u32)).collect()
}

/// Samples whose values are carried along: of different parameters, with an answer where there is one.
fn shadows<'a>(ground: &'a Ground) -> Vec<&'a Sample> {
    let all: Vec<&Sample> = ground.samples.iter().collect();
    let answered: Vec<&Sample> = all.iter().copied().filter(|sample| sample.answer.is_some()).collect();
    let from = if answered.is_empty() { all } else { answered };
    let step = (from.len() / SHADOWS).max(1);
    let mut chosen: Vec<&Sample> = from.iter().copied().step_by(step).take(SHADOWS).collect();
    // What vanishes at the start must not be divided by, if that can be helped.
    chosen.extend(ground.start.iter().filter(|sample| ground.is_generic(sample) || from.is_empty()));
    chosen
}

/// A solution in which nothing is known yet.
fn blank(equations: &Equations, options: &Options, ground: &Ground, system: &System, mut graph: Graph) -> Solution {
    let substituted = ground
        .substituted
        .iter()
        .map(|&(i, replacement)| (i, replacement.expression(&mut graph, Some(equations.model.parameters[i].value))));
    let substituted = substituted.collect();
    Solution {
        graph,
        form: Form::Closed,
        acceleration: Vec::new(),
        ideal: Vec::new(),
        nonideal: Vec::new(),
        given: Vec::new(),
        multipliers: Vec::new(),
        reactions: Vec::new(),
        free: Vec::new(),
        unknowns: Vec::new(),
        ranks: ground.ranks,
        independent: Vec::new(),
        dependent: Vec::new(),
        special: Vec::new(),
        contradictions: Vec::new(),
        substituted,
        assumptions: system.assumptions.clone(),
        through_accelerations: false,
        settled: None,
        checked: Evidence::default(),
        options: options.clone(),
    }
}

/// The answer that there is no formula.
fn implicit(equations: &Equations, options: &Options, reason: String, size: usize, advice: &str) -> Solution {
    Solution {
        graph: equations.graph.clone(),
        form: Form::Implicit { reason, size, advice: advice.to_string() },
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
        through_accelerations: false,
        settled: None,
        checked: Evidence::default(),
        options: options.clone(),
    }
}

/// The answer in closed form; nothing where a component is longer than allowed.
fn closed(
    equations: &Equations,
    ground: &Ground,
    system: &System,
    values: &Values,
    options: &Options,
    budget: &Budget,
    mut solution: Solution,
) -> Result<Option<Solution>, Exhausted> {
    let found = budget.attempt(CLOSED.min(budget.left() / 4 * 3), |budget| {
        let exact = Exact::new(&mut solution.graph, positive(ground), values, budget);
        let exact = exact.at_most(2000 + 4 * options.limit);
        formulas(&mut Calculator::new(exact, values.len()), ground, system, options.limit as u64)
    })?;
    let Some(Some(formulas)) = found else { return Ok(None) };
    let longest = formulas.all().map(|id| measure(&solution.graph, id)).max().unwrap_or(0);
    if longest > options.limit as u64 {
        return Ok(None);
    }
    formulas.put(equations, system, ground, equations.model.parameters.len() as u32, &mut solution);
    Ok(checked(solution, system, ground))
}

/// The answer in terms of named intermediates; the implicit form where that is too long.
fn named(
    equations: &Equations,
    ground: &Ground,
    system: &System,
    values: &Values,
    options: &Options,
    budget: &Budget,
    mut solution: Solution,
) -> Solution {
    let first = equations.model.parameters.len() as u32;
    let stem = stem(&equations.model, &["x", "s", "w", "z", "part"]);
    let plain = Plain::new(&mut solution.graph, first, stem, options.part, values, budget);
    let mut calculator = Calculator::new(plain, values.len());
    let found = formulas(&mut calculator, ground, system, u64::MAX);
    let definitions = std::mem::take(&mut calculator.inner.definitions);
    let formulas = match found {
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
    checked(solution, system, ground).unwrap_or_else(|| {
        let reason = "what would have to be divided by vanishes at most states".to_string();
        implicit(equations, options, reason, total, "`run` the model")
    })
}

/// The solution, if the kernel agrees; nothing where the formula is 0/0 at most states.
fn checked(mut solution: Solution, system: &System, ground: &Ground) -> Option<Solution> {
    match check::check(&mut solution, system, ground) {
        Ok(evidence) => {
            solution.checked = evidence;
            if evidence.undefined > evidence.states {
                return None;
            }
        }
        Err(mismatch) => solution.form = Form::Mismatch(mismatch),
    }
    Some(solution)
}

/// Everything as expressions of the graph; rows are counted among those in force.
struct Formulas {
    acceleration: Vec<Id>,
    ideal: Vec<Id>,
    nonideal: Vec<Id>,
    given: Vec<Id>,
    multipliers: Vec<Id>,
    reactions: Vec<Id>,
    free: Vec<Vec<Id>>,
    dependent: Vec<(usize, Vec<Id>, bool)>,
    gaps: Vec<(usize, Id)>,
    unbalanced: Vec<(usize, Id)>,
    open: Vec<(usize, Id)>,
    kept: Vec<usize>,
    /// Factors of the determinant that contain parameters alone.
    special: Vec<Id>,
    through_accelerations: bool,
    settled: Option<Vec<Id>>,
}

/// The formulas, in any arithmetic. Nothing if there is no unique answer.
fn formulas<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    ground: &Ground,
    system: &System,
    limit: u64,
) -> Result<Option<Formulas>, Exhausted> {
    let (kept, ranks) = (ground.independent(), ground.ranks);
    let Some(constraints) = Constraints::new(calculator, system.n, &system.a, &system.b, &kept)? else {
        return Ok(None);
    };
    let slips = slips(calculator, &constraints, system)?;
    let mut extra = Vec::new();
    if !system.of_multipliers.is_empty() {
        // C hangs on ideal multipliers: these come first, and do not hang on C.
        let columns = [(motion::Weight::Impressed, system.force.clone())];
        let Some(ideal) = motion(calculator, &constraints, &system.mass, &columns, ranks.system)? else {
            return Ok(None);
        };
        let written = calculator.write(&ideal.multipliers)?;
        let graph = calculator.inner.graph();
        for &(j, id) in &system.of_multipliers {
            let value = graph.substitute(&[id], |symbol| match symbol {
                Symbol::Multiplier(row) => system.place(row as usize).map(|place| written[place]),
                _ => None,
            });
            extra.push((j, value[0]));
        }
    }
    let columns = Columns::new(calculator.inner.graph(), system, &slips, &extra);
    let answer = motion(calculator, &constraints, &system.mass, &columns.columns, ranks.system)?;
    let Some(answer) = answer else { return Ok(None) };
    let mut dependent = Vec::new();
    for row in (0..system.rows.len()).filter(|row| !kept.contains(row)) {
        let everywhere = constraints.holds_everywhere(calculator, row)?;
        dependent.push((row, calculator.write(&constraints.depend[row])?, everywhere));
    }
    let one = |calculator: &mut Calculator<A>, list: &[(usize, Entry<A::Value>)]| {
        let one =
            |(which, entry): &(usize, Entry<A::Value>)| Ok((*which, calculator.write(std::slice::from_ref(entry))?[0]));
        list.iter().map(one).collect::<Result<Vec<(usize, Id)>, Exhausted>>()
    };
    let mut gaps = one(calculator, &constraints.gaps)?;
    gaps.extend(position_gaps(calculator, &constraints, system)?);
    let unbalanced = one(calculator, &answer.unbalanced)?;
    let free = answer.free.iter().map(|direction| calculator.write(direction)).collect::<Result<_, _>>()?;
    let acceleration = calculator.write(&answer.acceleration)?;
    let mut ideal = calculator.write(&answer.ideal)?;
    let mut multipliers = calculator.write(&answer.multipliers)?;
    let given = calculator.write(&answer.given)?;
    let mut through_accelerations = false;
    let reactions = if given.iter().all(|&id| id == Id::ZERO) {
        let longest = |calculator: &mut Calculator<A>, lists: &[&[Id]]| {
            let graph = calculator.inner.graph();
            lists.iter().copied().flatten().map(|&id| measure(graph, id)).max().unwrap_or(0)
        };
        let before = longest(calculator, &[&ideal, &multipliers]);
        if before > limit && longest(calculator, &[&acceleration]) <= limit {
            // Too long, but short once the accelerations are known.
            let (force, load) = through(calculator, &constraints, system, &answer)?;
            if longest(calculator, &[&force, &load]) < before {
                (ideal, multipliers, through_accelerations) = (force, load, true);
            }
        }
        multipliers.clone()
    } else {
        calculator.write(&answer.reactions)?
    };
    let settled = settle(calculator, &answer, &acceleration, &system.free)?;
    Ok(Some(Formulas {
        acceleration,
        ideal,
        nonideal: calculator.write(&answer.nonideal)?,
        given,
        multipliers,
        reactions,
        through_accelerations,
        settled,
        free,
        dependent,
        gaps,
        unbalanced,
        open: columns.open,
        kept,
        special: calculator.inner.fixed_factors(&answer.determinant.value)?,
    }))
}

/// Rows whose positions contradict those that they repeat, though their accelerations do not: (row, what would have to be
/// zero). A combination of gradients that vanishes with constant coefficients is the gradient of something constant.
fn position_gaps<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    constraints: &Constraints<A::Value>,
    system: &System,
) -> Result<Vec<(usize, Id)>, Exhausted> {
    let mut found = Vec::new();
    for row in (0..system.rows.len()).filter(|row| !constraints.kept.contains(row)) {
        let coefficients = calculator.write(&constraints.depend[row])?;
        let used: Vec<usize> = (0..coefficients.len()).filter(|&k| coefficients[k] != Id::ZERO).collect();
        let fixed = coefficients.iter().all(|&id| calculator.inner.graph().depends(id).is_fixed());
        let positions: Option<Vec<Id>> = used.iter().map(|&k| system.positions[constraints.kept[k]]).collect();
        let (Some(own), Some(positions), true) = (system.positions[row], positions, fixed) else { continue };
        let own = calculator.read(&[own])?.remove(0);
        let mut sum = own;
        for (&k, &position) in used.iter().zip(&positions) {
            let position = calculator.read(&[position])?.remove(0);
            let part = calculator.multiply(&constraints.depend[row][k], &position)?;
            sum = calculator.subtract(&sum, &part)?;
        }
        if !sum.vanishes() && !constraints.gaps.iter().any(|(known, _)| *known == row) {
            let written = calculator.write(&[sum])?[0];
            // What depends on the state is met by some of them; what does not, by none.
            if calculator.inner.graph().depends(written).is_fixed() {
                found.push((row, written));
            }
        }
    }
    Ok(found)
}

/// Qᵢ = M q̈ − Q and its multipliers in terms of the accelerations, for ideal constraints. Zeros stay zeros.
fn through<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    constraints: &Constraints<A::Value>,
    system: &System,
    answer: &motion::Answer<A::Value>,
) -> Result<(Vec<Id>, Vec<Id>), Exhausted> {
    let graph = calculator.inner.graph();
    let symbols: Vec<Id> = (0..system.n).map(|j| graph.symbol(Symbol::Acceleration(j as u32))).collect();
    let acceleration = calculator.read(&symbols)?;
    let force = calculator.read(&system.force)?;
    let mut ideal = Vec::with_capacity(system.n);
    for (row, force) in system.mass.iter().zip(&force) {
        let row = calculator.read(row)?;
        let inertia = calculator.product(&row, &acceleration)?;
        ideal.push(calculator.subtract(&inertia, force)?);
    }
    let mut multipliers = constraints.multipliers(calculator, &ideal)?;
    for (list, known) in [(&mut ideal, &answer.ideal), (&mut multipliers, &answer.multipliers)] {
        for (entry, known) in list.iter_mut().zip(known) {
            if calculator.is_zero(known) {
                *entry = calculator.zero();
            }
        }
    }
    Ok((calculator.write(&ideal)?, calculator.write(&multipliers)?))
}

/// q̈ with the free directions as `free x'' = …` wants them; nothing where that leaves any of them open.
fn settle<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    answer: &motion::Answer<A::Value>,
    written: &[Id],
    statements: &[(usize, Id)],
) -> Result<Option<Vec<Id>>, Exhausted> {
    if answer.free.is_empty() || statements.len() != answer.free.len() {
        return Ok(None);
    }
    let (mut rows, mut right) = (Vec::new(), Vec::new());
    for &(j, value) in statements {
        let value = calculator.inner.graph().substitute(&[value], |symbol| match symbol {
            Symbol::Acceleration(i) => written.get(i as usize).copied(),
            _ => None,
        });
        let value = calculator.read(&value)?.remove(0);
        rows.push(answer.free.iter().map(|w| w[j].clone()).collect::<Vec<_>>());
        right.push(vec![calculator.subtract(&value, &answer.acceleration[j])?]);
    }
    let Some(eta) = eliminate::solve(calculator, &rows, &right)? else { return Ok(None) };
    let mut settled = Vec::with_capacity(written.len());
    for (j, x) in answer.acceleration.iter().enumerate() {
        let one = calculator.one();
        let mut terms = vec![(x, &one)];
        terms.extend(answer.free.iter().zip(&eta).map(|(w, eta)| (&w[j], &eta[0])));
        settled.push(calculator.dot(&terms)?);
    }
    calculator.write(&settled).map(Some)
}

/// The velocities of slip, with velocities that follow from the constraints put in where these are linear in them.
fn slips<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    constraints: &Constraints<A::Value>,
    system: &System,
) -> Result<Vec<Vec<Id>>, Exhausted> {
    let as_given = || system.sliding.iter().map(|sliding| sliding.slip.clone()).collect();
    let drift: Option<Vec<Id>> = system.drift.iter().copied().collect();
    let (Some(drift), false) = (drift, system.sliding.is_empty() || A::TRUSTS_NUMBERS) else { return Ok(as_given()) };
    let graph = calculator.inner.graph();
    let velocities: Vec<Id> = (0..system.n).map(|j| graph.symbol(Symbol::Velocity(j as u32))).collect();
    let follow = constraints.velocities(calculator, &drift, &velocities)?;
    let written = calculator.write(&follow.iter().map(|(_, entry)| entry.clone()).collect::<Vec<_>>())?;
    let mut slips = Vec::new();
    for sliding in &system.sliding {
        let put = calculator.inner.graph().substitute(&sliding.slip, |symbol| match symbol {
            Symbol::Velocity(j) => follow.iter().position(|(p, _)| *p == j as usize).map(|at| written[at]),
            _ => None,
        });
        let read = calculator.read(&put)?;
        slips.push(calculator.write(&read)?);
    }
    Ok(slips)
}

impl Formulas {
    /// What is to be read: all but how rows depend on each other.
    fn all(&self) -> impl Iterator<Item = Id> {
        let lists = [&self.acceleration, &self.ideal, &self.nonideal, &self.multipliers, &self.reactions];
        lists.into_iter().flatten().copied()
    }

    /// Puts everything where it belongs, by row of the equations.
    fn put(self, equations: &Equations, system: &System, ground: &Ground, next: u32, solution: &mut Solution) {
        let spread = |list: &[Id]| {
            let mut all = vec![Id::ZERO; equations.rows.len()];
            system.rows.iter().zip(list).for_each(|(&row, &id)| all[row] = id);
            all
        };
        solution.multipliers = spread(&self.multipliers);
        solution.reactions = spread(&self.reactions);
        solution.independent = self.kept.iter().map(|&k| system.rows[k]).collect();
        let used = |coefficients: &[Id]| -> Vec<(usize, Id)> {
            let all = self.kept.iter().zip(coefficients).map(|(&k, &id)| (system.rows[k], id));
            all.filter(|&(_, id)| id != Id::ZERO).collect()
        };
        for (row, coefficients, everywhere) in &self.dependent {
            let (row, combination) = (system.rows[*row], used(coefficients));
            solution.dependent.push(Dependent { row, combination, everywhere: *everywhere });
        }
        for &(row, must_vanish) in &self.gaps {
            let coefficients = self.dependent.iter().find(|(d, ..)| *d == row).map_or(&[][..], |(_, c, _)| &c[..]);
            let mut rows = vec![(system.rows[row], Id::ONE)];
            for (other, id) in used(coefficients) {
                rows.push((other, solution.graph.negate(id)));
            }
            rows.sort_unstable_by_key(|(row, _)| *row);
            solution.contradictions.push(Contradiction { rows, direction: Vec::new(), must_vanish });
        }
        for &(which, must_vanish) in &self.unbalanced {
            let direction = self.free[which].clone();
            solution.contradictions.push(Contradiction { rows: Vec::new(), direction, must_vanish });
        }
        let many = self.free.len() > 1;
        let stem = stem(&equations.model, &["eta", "zeta", "free"]);
        for (which, direction) in self.free.into_iter().enumerate() {
            let name = if many { format!("{stem}{}", which + 1) } else { stem.to_string() };
            solution.free.push(Free { symbol: Symbol::Parameter(next + which as u32), name, direction });
        }
        let model = &equations.model;
        for (contact, value) in self.open {
            let friction = &model.frictions[equations.frictions[contact].friction];
            let name = format!("N.{}", model.constraints[friction.constraint].name);
            let value = solution.graph.substitute(&[value], |symbol| match symbol {
                Symbol::Reaction(row) => Some(solution.reactions[row as usize]),
                Symbol::Multiplier(row) => Some(solution.multipliers[row as usize]),
                _ => None,
            })[0];
            solution.unknowns.push(Unknown { symbol: Symbol::Normal(contact as u32), name, value });
        }
        for &row in &system.open {
            let symbol = Symbol::Reaction(row as u32);
            let name = model.symbol_name(symbol);
            solution.unknowns.push(Unknown { symbol, name, value: solution.reactions[row] });
        }
        (solution.acceleration, solution.ideal) = (self.acceleration, self.ideal);
        (solution.nonideal, solution.given) = (self.nonideal, self.given);
        (solution.through_accelerations, solution.settled) = (self.through_accelerations, self.settled);
        solution.special = special::special(&mut solution.graph, ground, &self.special);
    }
}
