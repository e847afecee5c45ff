//! How a mechanism moves at the start where nobody says it, in a way that is the same in all coordinates.
//!
//! Of all velocities that satisfy the constraints and what is given, the start takes those with the least sum of squares of the rates of joints,
//! |J v + c|², and of these those with the least kinetic energy. Where mass leaves something open, the motion of bodies decides.
//!
//! JᵀJ is singular wherever joints leave something open, and rounding must not decide what is. So each step has the mass JᵀJ + ε N, where N
//! measures the motion of bodies and is never singular. Proximal steps, whose force is that of the first sum alone, end at its least;
//! steps with multipliers for J v then end at the least energy among those velocities. Both converge as powers of ε.

use super::entries::Symmetric;
use super::kernel::Kernel;
use super::least::{Measure, Which, least_step, meet};
use super::numbers::{Evaluator, State};
use super::said::Said;
use holonom_symbols::expr::{Graph, Id, Symbol};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Steps at most for each sum.
const STEPS: usize = 30;
/// Velocities that change by less than this part of the largest have settled.
const SETTLED: f64 = 1e-15;
/// … or are as near as rounding allows, where a change below this part is no shorter than the last.
const NEAR: f64 = 1e-9;
/// ε: how much the motion of bodies counts beside the rates of joints within a step.
const BESIDE: f64 = 1e-4;
/// How much the motion of a body counts beside its kinetic energy within a step.
const MASSLESS: f64 = 1e-5;
/// What a velocity contributes to a rate is rounding below this part of the most that it contributes to any.
const ROUNDING: f64 = 1e-13;

/// What is made least, one after the other.
pub(crate) struct Moving<'a> {
    evaluator: &'a Evaluator<'a>,
    /// Rates that guesses were typed for.
    guesses: Forms,
    /// Rates of joints.
    joints: Forms,
    /// The mass matrix and the momentum of what time moves, over the mass and the size of the mechanism.
    mass: Symmetric,
    carried: Vec<f64>,
    /// N: the mass, and a little of the motion of each body.
    bodies: Symmetric,
}

impl<'a> Moving<'a> {
    /// At the positions of a state, with guesses for velocities.
    pub(crate) fn new(evaluator: &'a Evaluator<'a>, at: &State, said: &[Said]) -> Self {
        let (n, model) = (evaluator.coordinates(), &evaluator.equations.model);
        let value = |id: Id| evaluator.value(id, &at.point());
        let guess = |(j, said): (usize, &Said)| {
            let size = model.coordinates[j].size.map_or(1.0, value);
            said.guess.map(|guess| (vec![(j, 1.0 / size)], -guess / size))
        };
        let guesses = Forms { list: said.iter().enumerate().filter_map(guess).collect() };
        let mut graph = evaluator.graph.clone();
        let [mut joints, mut bodies] =
            [&model.rates.joints, &model.rates.bodies].map(|rates| Forms::new(evaluator, &mut graph, rates, at));
        clear_rounding([&mut joints, &mut bodies], n);
        let symbols = velocities(evaluator, &graph, model.kinetic_energy);
        let momentum = graph.gradient(model.kinetic_energy, &symbols);
        let momentum = at_rest(evaluator, &graph, &momentum, at);
        let extent = model.formulation.map_or(1.0, |formulation| value(formulation.extent));
        let masses = model.bodies.iter().map(|body| body.mass).chain(model.particles.iter().map(|one| one.mass));
        let whole = masses.map(value).sum::<f64>() * extent * extent;
        let whole = if whole.is_finite() && whole > 0.0 { whole } else { 1.0 };
        let mut carried = vec![0.0; n];
        for (symbol, momentum) in symbols.iter().zip(momentum) {
            if let Symbol::Velocity(j) = symbol {
                carried[*j as usize] = momentum / whole;
            }
        }
        let mut mass = evaluator.entries(at).mass;
        mass.values.iter_mut().for_each(|entry| *entry /= whole);
        let bodies = sum([(1.0, &mass), (MASSLESS, &bodies.weight())]);
        Self { evaluator, guesses, joints, mass, carried, bodies }
    }

    /// Moves the velocities in `free` to the least motion that the constraints allow; the worst residual that is left.
    pub(crate) fn make_least(&self, kernel: &mut Kernel, state: &mut State, free: &[usize]) -> f64 {
        let begun = state.clone();
        let is_met = self.evaluator.velocities(state).residual.iter().all(|left| *left == 0.0);
        let rests = |pull: Vec<f64>| free.iter().all(|&j| pull[j] == 0.0);
        let rests = rests(self.joints.pull(state)) && rests(self.guesses.pull(state)) && rests(self.momentum(state));
        if !(is_met && rests) {
            let mut free = free.to_vec();
            self.settle(kernel, state, &free, &self.bodies, |state| {
                let motion = self.bodies.times(&state.velocities, |term| -term);
                motion.iter().zip(&self.carried).map(|(own, carried)| own - carried).collect()
            });
            for forms in [&self.guesses, &self.joints].into_iter().filter(|forms| !forms.list.is_empty()) {
                let weight = sum([(1.0, &forms.weight()), (BESIDE, &self.bodies)]);
                self.settle(kernel, state, &free, &weight, |state| forms.pull(state));
                // What guesses have found stays.
                free.retain(|&j| {
                    std::ptr::eq(forms, &self.joints) || forms.list.iter().all(|(form, _)| form[0].0 != j)
                });
            }
            let weight = sum([(1.0, &self.joints.weight()), (BESIDE, &self.bodies)]);
            let least = self.joints.values(state);
            let mut multipliers = vec![0.0; least.len()];
            self.settle(kernel, state, &free, &weight, |state| {
                let off: Vec<f64> =
                    self.joints.values(state).iter().zip(&least).map(|(now, least)| now - least).collect();
                multipliers.iter_mut().zip(&off).for_each(|(multiplier, off)| *multiplier += off);
                let held = off.iter().zip(&multipliers).map(|(off, multiplier)| off + multiplier);
                let held = self.joints.force(held, state.velocities.len());
                held.iter().zip(self.momentum(state)).map(|(held, momentum)| held + BESIDE * momentum).collect()
            });
        }
        if state.velocities.iter().any(|v| !v.is_finite()) {
            *state = begun;
        }
        meet(self.evaluator, kernel, state, Which::Velocities, free, Measure::Mass)
    }

    /// Steps on the constraints with this mass and this force, until they lead nowhere.
    fn settle(
        &self,
        kernel: &mut Kernel,
        state: &mut State,
        free: &[usize],
        weight: &Symmetric,
        mut pull: impl FnMut(&State) -> Vec<f64>,
    ) {
        let size = vec![1.0; state.velocities.len()];
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            let level = self.evaluator.velocities(state);
            let pull = pull(state);
            let Some(step) = least_step(kernel, &level, Some(weight), &size, free, Some(&pull)) else { break };
            let longest = step.iter().fold(0.0_f64, |most, d| most.max(d.abs()));
            if !longest.is_finite() {
                break;
            }
            free.iter().zip(&step).for_each(|(&j, d)| state.velocities[j] += d);
            let fastest = state.velocities.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
            // The first steps with multipliers may become longer.
            if longest <= SETTLED * fastest || longest <= NEAR * fastest && longest >= last {
                break;
            }
            last = longest;
        }
    }

    /// The momentum that would have to be taken away.
    fn momentum(&self, state: &State) -> Vec<f64> {
        let momentum = self.mass.times(&state.velocities, |term| -term);
        momentum.iter().zip(&self.carried).map(|(own, carried)| own - carried).collect()
    }
}

/// The sum of two matrices, each times a factor.
fn sum(parts: [(f64, &Symmetric); 2]) -> Symmetric {
    let mut entries: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for (factor, part) in parts {
        part.iter().for_each(|(i, j, entry)| *entries.entry((i, j)).or_default() += factor * entry);
    }
    let (places, values) = entries.into_iter().unzip::<_, _, Vec<_>, _>();
    Symmetric { places: Arc::new(places), values }
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

    /// JᵀJ.
    fn weight(&self) -> Symmetric {
        let mut products: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for (form, _) in &self.list {
            for (place, &(i, a)) in form.iter().enumerate() {
                form[..=place].iter().for_each(|&(j, b)| *products.entry((i, j)).or_default() += a * b);
            }
        }
        let (places, values) = products.into_iter().unzip::<_, _, Vec<_>, _>();
        Symmetric { places: Arc::new(places), values }
    }

    /// Their values at the velocities of a state.
    fn values(&self, state: &State) -> Vec<f64> {
        let value = |form: &[(usize, f64)]| form.iter().map(|&(j, a)| a * state.velocities[j]).sum::<f64>();
        self.list.iter().map(|(form, besides)| besides + value(form)).collect()
    }

    /// −Jᵀr over all velocities.
    fn force(&self, values: impl Iterator<Item = f64>, n: usize) -> Vec<f64> {
        let mut force = vec![0.0; n];
        for ((form, _), value) in self.list.iter().zip(values) {
            form.iter().for_each(|&(j, a)| force[j] -= a * value);
        }
        force
    }

    /// The force that makes the sum of squares less.
    fn pull(&self, state: &State) -> Vec<f64> {
        self.force(self.values(state).into_iter(), state.velocities.len())
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
fn velocities(evaluator: &Evaluator, graph: &Graph, expression: Id) -> Vec<Symbol> {
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
