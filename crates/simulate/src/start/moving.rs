//! How a mechanism moves at the start where nobody says it, in a way that is the same in all coordinates.
//!
//! Of all velocities that satisfy the constraints and what is given, those with the least sum of squares of the rates of joints; of these, those
//! with the least kinetic energy; and of these, where bodies have no mass or no inertia, those with the least motion of bodies. Each sum is made
//! least where the ones before stay as they are: with rows that hold the rates which they are made of.

use super::entries::{Rows, Symmetric};
use super::kernel::Kernel;
use super::least::{Measure, Which, least_step, meet};
use super::numbers::{Evaluator, Level, State};
use super::said::Said;
use holonom_symbols::expr::{Graph, Id, Symbol};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rounds at most: a second one takes rounding away, and more are needed where constraints are not linear in the velocities.
const ROUNDS: usize = 30;
/// Velocities that change by less than this part of the largest have settled.
const SETTLED: f64 = 1e-15;
/// What a velocity contributes to a rate is rounding below this part of the most that it contributes to any.
const ROUNDING: f64 = 1e-13;

/// What is made least, one after the other.
pub(crate) struct Moving<'a> {
    evaluator: &'a Evaluator<'a>,
    /// Rates that guesses were typed for, rates of joints.
    first: [Forms; 2],
    /// The mass matrix, and the momentum of what time moves.
    mass: Symmetric,
    carried: Vec<f64>,
    /// The motion of bodies, where mass does not say all of it.
    last: Forms,
}

impl<'a> Moving<'a> {
    /// At the positions of a state, with guesses for velocities.
    pub(crate) fn new(evaluator: &'a Evaluator<'a>, at: &State, said: &[Said]) -> Self {
        let model = &evaluator.equations.model;
        let size = |j: usize| model.coordinates[j].size.map_or(1.0, |size| evaluator.value(size, &at.point()));
        let guess = |(j, said): (usize, &Said)| said.guess.map(|guess| (vec![(j, 1.0 / size(j))], -guess / size(j)));
        let guesses = Forms { list: said.iter().enumerate().filter_map(guess).collect() };
        let mut graph = evaluator.graph.clone();
        let [mut joints, mut bodies] =
            [&model.rates.joints, &model.rates.bodies].map(|rates| Forms::new(evaluator, &mut graph, rates, at));
        clear_rounding([&mut joints, &mut bodies], evaluator.coordinates());
        let symbols = velocities(evaluator, &mut graph, model.kinetic_energy);
        let momentum = graph.gradient(model.kinetic_energy, &symbols);
        let mut carried = vec![0.0; evaluator.coordinates()];
        for (symbol, value) in symbols.iter().zip(at_rest(evaluator, &graph, &momentum, at)) {
            if let Symbol::Velocity(j) = symbol {
                carried[*j as usize] = value;
            }
        }
        Self { evaluator, first: [guesses, joints], mass: evaluator.entries(at).mass, carried, last: bodies }
    }

    /// Moves the velocities in `free` to the least motion that the constraints allow; the worst residual that is left.
    pub(crate) fn make_least(&self, kernel: &mut Kernel, state: &mut State, free: &[usize]) -> f64 {
        let begun = state.clone();
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let before = state.velocities.clone();
            self.round(kernel, state, free);
            let fastest = state.velocities.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
            let change = state.velocities.iter().zip(&before).map(|(v, w)| (v - w).abs()).fold(0.0, f64::max);
            if change <= SETTLED * fastest || change >= last || !change.is_finite() {
                break;
            }
            last = change;
        }
        if state.velocities.iter().any(|v| !v.is_finite()) {
            *state = begun;
        }
        meet(self.evaluator, kernel, state, Which::Velocities, free, Measure::Mass)
    }

    /// One step of each sum.
    fn round(&self, kernel: &mut Kernel, state: &mut State, free: &[usize]) {
        let n = self.evaluator.coordinates();
        let mut level = self.evaluator.velocities(state);
        let mut free = free.to_vec();
        for forms in &self.first {
            if !forms.list.is_empty() {
                let (weight, pull) = forms.normal_equations(state);
                step(kernel, &mut level, (&weight, &pull), state, &free);
                hold(&mut level, &mut free, forms.list.iter().map(|(form, _)| form.clone()));
            }
        }
        if self.mass.values.iter().any(|entry| *entry != 0.0) {
            let momentum = self.mass.times(&state.velocities, |term| term);
            let pull: Vec<f64> = momentum.iter().zip(&self.carried).map(|(own, carried)| -own - carried).collect();
            step(kernel, &mut level, (&self.mass, &pull), state, &free);
            let mut rows: Vec<BTreeMap<usize, f64>> = vec![BTreeMap::new(); n];
            for (i, j, entry) in self.mass.iter().filter(|entry| entry.2 != 0.0) {
                rows[i].insert(j, entry);
                rows[j].insert(i, entry);
            }
            hold(&mut level, &mut free, rows.into_iter().map(|row| row.into_iter().collect()));
        }
        let (weight, pull) = self.last.normal_equations(state);
        step(kernel, &mut level, (&weight, &pull), state, &free);
    }
}

/// Makes the least of ½ dᵀW d − fᵀd where the rows of a level hold; from then on they hold as they are.
fn step(
    kernel: &mut Kernel,
    level: &mut Level,
    (weight, pull): (&Symmetric, &[f64]),
    state: &mut State,
    free: &[usize],
) {
    let is_still = level.residual.iter().all(|left| *left == 0.0) && free.iter().all(|&j| pull[j] == 0.0);
    let size = vec![1.0; pull.len()];
    if !is_still
        && !free.is_empty()
        && let Some(step) = least_step(kernel, level, Some(weight), &size, free, Some(pull))
        && step.iter().all(|d| d.is_finite())
    {
        free.iter().zip(step).for_each(|(&j, d)| state.velocities[j] += d);
    }
    level.residual.fill(0.0);
}

/// Adds rows that keep linear forms of the velocities as they are. A form of one velocity keeps this velocity.
fn hold(level: &mut Level, free: &mut Vec<usize>, forms: impl Iterator<Item = Vec<(usize, f64)>>) {
    let is_free = |j: usize, free: &[usize]| free.binary_search(&j).is_ok();
    let mut rows: Vec<Vec<(usize, f64)>> = Vec::new();
    let mut kept: Vec<usize> = Vec::new();
    for form in forms {
        let form: Vec<(usize, f64)> = form.into_iter().filter(|(j, a)| *a != 0.0 && is_free(*j, free)).collect();
        match form[..] {
            [] => {}
            [(j, _)] => kept.push(j),
            _ => rows.push(form),
        }
    }
    free.retain(|j| !kept.contains(j));
    let scales = rows.iter().map(|row| row.iter().fold(0.0_f64, |most, (_, a)| most.max(a.abs())));
    level.scale.extend(scales);
    level.residual.extend(rows.iter().map(|_| 0.0));
    level.rows.extend(rows.iter().map(|_| usize::MAX));
    let before = level.jacobian.iter().map(|row| row.collect());
    level.jacobian = Rows::from_lists(before.chain(rows).collect::<Vec<_>>().into_iter());
}

/// Linear forms of the velocities: their entries, ascending, and what they are besides.
struct Forms {
    list: Vec<(Vec<(usize, f64)>, f64)>,
}

impl Forms {
    /// Expressions that are linear in the velocities, at the positions of a state.
    fn new(evaluator: &Evaluator, graph: &mut Graph, rates: &[Id], at: &State) -> Self {
        let mut ids = Vec::new();
        let symbols: Vec<Vec<Symbol>> = rates
            .iter()
            .map(|&rate| {
                let symbols = velocities(evaluator, graph, rate);
                ids.push(rate);
                ids.extend(graph.gradient(rate, &symbols));
                symbols
            })
            .collect();
        let mut values = at_rest(evaluator, graph, &ids, at).into_iter();
        let mut list = Vec::new();
        for symbols in symbols {
            let besides = values.next().unwrap_or(0.0);
            let places = symbols.iter().filter_map(|symbol| match symbol {
                Symbol::Velocity(j) => Some(*j as usize),
                _ => None,
            });
            let mut form: Vec<(usize, f64)> = places.zip(values.by_ref().take(symbols.len())).collect();
            form.sort_unstable_by_key(|entry| entry.0);
            list.push((form, besides));
        }
        Self { list }
    }

    /// JᵀJ, and −Jᵀr at the velocities of a state.
    fn normal_equations(&self, state: &State) -> (Symmetric, Vec<f64>) {
        let mut pull = vec![0.0; state.velocities.len()];
        let mut products: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for (form, besides) in &self.list {
            let rate = besides + form.iter().map(|&(j, a)| a * state.velocities[j]).sum::<f64>();
            for (place, &(i, a)) in form.iter().enumerate() {
                pull[i] -= a * rate;
                form[..=place].iter().for_each(|&(j, b)| *products.entry((i, j)).or_default() += a * b);
            }
        }
        let (places, values) = products.into_iter().unzip::<_, _, Vec<_>, _>();
        (Symmetric { places: Arc::new(places), values }, pull)
    }
}

/// Puts to zero what is rounding beside other entries of its column: where axes are perpendicular, a joint does not feel a spin.
fn clear_rounding(all: [&mut Forms; 2], n: usize) {
    let mut largest = vec![0.0_f64; n];
    for (j, a) in all.iter().flat_map(|forms| &forms.list).flat_map(|(form, _)| form) {
        largest[*j] = largest[*j].max(a.abs());
    }
    for (form, _) in all.into_iter().flat_map(|forms| &mut forms.list) {
        form.retain(|(j, a)| a.abs() > ROUNDING * largest[*j]);
    }
}

/// The velocities that an expression is made of.
fn velocities(evaluator: &Evaluator, graph: &mut Graph, expression: Id) -> Vec<Symbol> {
    let mut symbols = graph.symbols(&[expression]);
    symbols.retain(|symbol| matches!(symbol, Symbol::Velocity(j) if (*j as usize) < evaluator.coordinates()));
    symbols
}

/// The values of expressions where nothing moves that has coordinates.
fn at_rest(evaluator: &Evaluator, graph: &Graph, ids: &[Id], at: &State) -> Vec<f64> {
    let parameters = evaluator.system.parameters();
    graph.evaluate(ids, |symbol| match symbol {
        Symbol::Time => at.time,
        Symbol::Parameter(i) => parameters.get(i as usize).copied().unwrap_or(f64::NAN),
        Symbol::Position(i) => at.positions[i as usize],
        _ => 0.0,
    })
}
