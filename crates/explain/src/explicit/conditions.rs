//! Where formulas have no value: what they divide by, and whether that vanishes at an admissible state.
//!
//! Sampling would hardly ever meet such a state. It is looked for instead: Newton's method on the constraints together with the
//! denominator, from several states, leads to a state at which all of them are zero, or to none. Time is an unknown like the others: a
//! denominator may vanish at one moment.

use super::sample::{Ground, define, lookup, point};
use super::solution::{Form, Solution};
use super::system::System;
use holonom_kernel::{Snapshot, Workspace};
use holonom_simulate::start::Sample;
use holonom_symbols::algebra::{Budget, Exhausted};
use holonom_symbols::expr::{Depends, Graph, Id, Node, Symbol};

/// Steps of Newton's method; a root that is double is approached by halves.
const STEPS: usize = 60;
/// What is less than this part of what it is made of has vanished.
const VANISHED: f64 = 1e-9;
/// States to start from.
const STARTS: usize = 6;
/// Denominators that are looked at: a formula with more is not one to be read.
const MOST: usize = 12;
/// How far the search may go, in usual sizes.
const FAR: f64 = 1e3;

/// What the formulas of a solution divide by and what vanishes at some admissible state. Where it cannot be told, it is taken to.
pub(super) fn conditions(solution: &mut Solution, system: &System, ground: &Ground, budget: &Budget) -> Vec<Id> {
    let mut found = denominators(solution);
    found.truncate(MOST);
    let rows: Vec<Id> = system.positions.iter().chain(&system.velocities).flatten().copied().collect();
    let starts: Vec<&Sample> = ground.start.iter().chain(&ground.samples).take(STARTS).collect();
    let span = ground.sampler.span();
    let definitions = match &solution.form {
        Form::Named { definitions } => definitions.clone(),
        _ => Vec::new(),
    };
    found.retain(|&below| {
        // What stands for a part is a part of it.
        let whole = definitions.iter().rev().fold(below, |id, definition| {
            let put = |symbol: Symbol| (symbol == definition.symbol).then_some(definition.value);
            solution.graph.substitute(&[id], put)[0]
        });
        vanishes(&mut solution.graph, &rows, whole, (&starts, span), budget).unwrap_or(true)
    });
    found
}

/// What depends on the state and is divided by, each once.
fn denominators(solution: &Solution) -> Vec<Id> {
    let lists =
        [&solution.acceleration, &solution.ideal, &solution.nonideal, &solution.multipliers, &solution.reactions];
    let mut roots: Vec<Id> = lists.into_iter().flatten().copied().collect();
    let mut names = Vec::new();
    if let Form::Named { definitions } = &solution.form {
        roots.extend(definitions.iter().map(|definition| definition.value));
        names.extend(definitions.iter().map(|definition| definition.symbol));
    }
    let graph = &solution.graph;
    let changes =
        |id: Id| !graph.depends(id).is_fixed() || graph.symbols(&[id]).iter().any(|symbol| names.contains(symbol));
    let mut found = Vec::new();
    for id in graph.reachable(&roots) {
        if let Node::Product { factors, .. } = graph.node(id) {
            let below = factors.iter().filter(|(factor, exponent)| *exponent < 0 && changes(*factor));
            found.extend(below.map(|(factor, _)| *factor));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether an expression vanishes at a state that meets the constraints; `span` is what counts as typical of time.
fn vanishes(
    graph: &mut Graph,
    rows: &[Id],
    below: Id,
    (starts, span): (&[&Sample], f64),
    budget: &Budget,
) -> Result<bool, Exhausted> {
    let mut all = rows.to_vec();
    all.push(below);
    let (mut all, values) = with_values_open(graph, &all);
    // Velocities have their say only where they occur.
    let moves = all.last().is_some_and(|&below| graph.depends(below).on(Depends::VELOCITY));
    all.retain(|&id| moves || !graph.depends(id).on(Depends::VELOCITY));
    let symbols: Vec<Symbol> = graph
        .symbols(&all)
        .into_iter()
        .filter(|symbol| match symbol {
            Symbol::Time | Symbol::Position(_) => true,
            Symbol::Velocity(_) => moves,
            symbol => values.iter().any(|(value, _)| value == symbol),
        })
        .collect();
    let mut slopes = Vec::with_capacity(all.len() * symbols.len());
    for &id in &all {
        slopes.extend(graph.gradient(id, &symbols));
    }
    let cost = 1 + graph.reachable(&slopes).len() as u64;
    for start in starts {
        budget.spend(cost * STEPS as u64)?;
        let mut state = point(start);
        for &(symbol, id) in &values {
            define(&mut state, graph, symbol, id);
        }
        if descend(graph, &all, &slopes, &symbols, (state, start, span)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Expressions in which each value of a function that has none is an unknown of its own: it may be anything, whatever the arguments are.
/// With the unknowns, and what each of them stands for.
fn with_values_open(graph: &mut Graph, all: &[Id]) -> (Vec<Id>, Vec<(Symbol, Id)>) {
    let unknown = |(place, id): (usize, Id)| (Symbol::Parameter(u32::MAX - place as u32), id);
    let values: Vec<(Symbol, Id)> = graph.unspecified_in(all).into_iter().enumerate().map(unknown).collect();
    let exchanged = values.iter().map(|&(symbol, id)| (id, graph.symbol(symbol))).collect();
    (graph.exchange(all, &exchanged), values)
}

/// Whether Newton's method leads from a state, beside a sample, to one at which all expressions vanish.
fn descend(
    graph: &Graph,
    all: &[Id],
    slopes: &[Id],
    symbols: &[Symbol],
    (mut state, start, span): (Vec<(Symbol, f64)>, &Sample, f64),
) -> bool {
    let (m, n) = (all.len(), symbols.len());
    let size = |symbol: &Symbol| match *symbol {
        Symbol::Position(i) => start.sizes[0][i as usize],
        Symbol::Velocity(i) => start.sizes[1][i as usize],
        Symbol::Time => span,
        value => lookup(&state, value).abs().max(f64::MIN_POSITIVE),
    };
    let sizes: Vec<f64> = symbols.iter().map(size).collect();
    let places: Vec<Option<usize>> =
        symbols.iter().map(|symbol| state.binary_search_by_key(symbol, |known| known.0).ok()).collect();
    let scales = graph.magnitudes(all, |symbol| lookup(&state, symbol));
    let residuals = |state: &[(Symbol, f64)]| -> Vec<f64> {
        let values = graph.evaluate(all, |symbol| lookup(state, symbol));
        values.iter().zip(&scales).map(|(value, scale)| if *scale > 0.0 { value / scale } else { *value }).collect()
    };
    let largest = |r: &[f64]| r.iter().fold(0.0, |most: f64, r| if r.is_nan() { f64::NAN } else { most.max(r.abs()) });
    let mut r = residuals(&state);
    let (mut workspace, still) = (Workspace::new(), vec![0.0; n]);
    let unit: Vec<f64> = (0..n * n).map(|at| f64::from(at % (n + 1) == 0)).collect();
    for _ in 0..STEPS {
        if largest(&r) <= VANISHED {
            return true;
        }
        let gradients = graph.evaluate(slopes, |symbol| lookup(&state, symbol));
        let entry =
            |i: usize, j: usize| gradients[i * n + j] * sizes[j] / if scales[i] > 0.0 { scales[i] } else { 1.0 };
        let jacobian: Vec<f64> = (0..m * n).map(|at| entry(at / n, at % n)).collect();
        let right: Vec<f64> = r.iter().map(|r| -r).collect();
        // The shortest step is the acceleration of unit masses that no force moves: rows may repeat each other or have no slope.
        let Ok(step) = workspace.solve(&Snapshot::new(&unit, &still).constrained(&jacobian, &right)) else {
            return false;
        };
        let mut part = 1.0;
        let next = loop {
            let mut next = state.clone();
            for (j, place) in places.iter().enumerate() {
                if let Some(place) = *place {
                    next[place].1 += part * step.acceleration[j] * sizes[j];
                }
            }
            let found = residuals(&next);
            if largest(&found) < largest(&r) {
                break Some((next, found));
            }
            part *= 0.5;
            if part < 1e-3 {
                break None;
            }
        };
        let Some((next, found)) = next else { return false };
        (state, r) = (next, found);
        let far = places.iter().zip(&sizes).any(|(place, size)| place.is_some_and(|at| state[at].1.abs() > FAR * size));
        if far {
            return false;
        }
    }
    largest(&r) <= VANISHED
}
