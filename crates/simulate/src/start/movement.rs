//! How far a state is from where it was looked for; for bodies in a way that is the same in all coordinates.
//!
//! A body moves by the mean square of the way of its material, as if it were alike in all directions: |Δc|² of its centre, and s²/d Σ|Δeₖ|² for
//! its axes, where s² is its spread and d the dimension.
//! Of all states that the constraints allow, the start takes the one with the least sum over all bodies.

use super::entries::Symmetric;
use super::kernel::Kernel;
use super::least::{Measure, Which, least_step, meet};
use super::numbers::{Evaluator, State};
use super::said::Said;
use super::scale::MET;
use holonom_symbols::expr::{Depends, Id, Symbol};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Steps at most; they converge linearly where gaps are large, and quadratically where they are small.
const STEPS: usize = 200;
/// How often a step is halved before it counts as leading nowhere.
const HALVINGS: usize = 8;
/// Bodies that have moved by no more than this part of the picture are where they begin.
const AT_ONCE: f64 = 1e-9;
/// Steps that move less than this part of the sizes are taken whole as long as they become shorter.
const NEAR: f64 = 1e-5;
/// … and the last is one that moves less than this part.
const SETTLED: f64 = 1e-15;

/// The offsets of all bodies, as linear combinations of how far their origins and axes have moved, and those of other guesses.
pub(crate) struct Movement<'a> {
    evaluator: &'a Evaluator<'a>,
    /// Coordinates whose guesses count by themselves: which, the guess, the size.
    told: Vec<(usize, f64, f64)>,
    /// Components of origins and axes, and what they begin as.
    now: Vec<Id>,
    then: Vec<f64>,
    /// Each offset: which of them, and how much each counts.
    offsets: Vec<Vec<(usize, f64)>>,
}

impl<'a> Movement<'a> {
    /// From where bodies begin, and from the guesses at `at`, with the sizes of all coordinates.
    pub(crate) fn new(evaluator: &'a Evaluator<'a>, at: &State, size: &[f64], said: &[Said]) -> Self {
        let model = &evaluator.equations.model;
        let mut movement = Self { evaluator, told: Vec::new(), now: Vec::new(), then: Vec::new(), offsets: Vec::new() };
        let Some(formulation) = model.formulation else {
            movement.tell(at, size, |j| said[j].guess.is_some());
            return movement;
        };
        // Guesses that nobody typed say where bodies are.
        movement.tell(at, size, |j| said[j].guess.is_some() && !said[j].is_placed);
        let extent = evaluator.value(formulation.extent, &at.point());
        for body in &model.bodies {
            let Some(begins) = &body.begins else { continue };
            let first = movement.now.len();
            let (components, axes) = (body.origin.len(), body.axes.len());
            movement.now.extend(body.origin.iter().chain(body.axes.iter().flatten()));
            let then: Vec<Id> = begins.origin.iter().chain(begins.axes.iter().flatten()).copied().collect();
            movement.then.extend(evaluator.values(&then, &at.point()));
            let [x, y, z] = begins.centre;
            let given = evaluator.values(&[x, y, z, begins.spread], &at.point());
            let spread = if given[3].is_finite() && given[3] > 0.0 { given[3].sqrt() } else { extent };
            let axis = |k: usize, component: usize| first + components * (k + 1) + component;
            for component in 0..components {
                let origin = [(first + component, 1.0 / extent)];
                let centre = (0..axes).map(|k| (axis(k, component), given[k] / extent)).filter(|part| part.1 != 0.0);
                movement.offsets.push(origin.into_iter().chain(centre).collect());
            }
            for k in 0..axes {
                let share = spread / extent / (components as f64).sqrt();
                let turned = |component: usize| vec![(axis(k, component), share)];
                movement.offsets.extend((0..components).map(turned));
            }
        }
        movement
    }

    fn tell(&mut self, at: &State, size: &[f64], counts: impl Fn(usize) -> bool) {
        let counting = (0..size.len()).filter(|&j| counts(j));
        self.told = counting.map(|j| (j, at.positions[j], size[j])).collect();
    }

    fn offsets(&self, state: &State) -> Vec<f64> {
        let now = self.evaluator.values(&self.now, &state.point());
        let moved: Vec<f64> = now.iter().zip(&self.then).map(|(now, then)| now - then).collect();
        self.offsets.iter().map(|parts| parts.iter().map(|&(at, share)| share * moved[at]).sum()).collect()
    }

    /// The sum of squares: of guesses that are missed, in the sizes of their coordinates, and of movements, in that of the picture.
    fn squares(&self, state: &State) -> f64 {
        let told = self.told.iter().map(|&(j, guess, size)| ((state.positions[j] - guess) / size).powi(2));
        told.sum::<f64>() + self.squares_of_bodies(state)
    }

    fn squares_of_bodies(&self, state: &State) -> f64 {
        self.offsets(state).iter().map(|offset| offset * offset).sum()
    }

    /// How far the state is.
    pub(crate) fn distance(&self, state: &State) -> f64 {
        self.squares(state).sqrt()
    }

    /// Moves the positions in `free` along the constraints to where bodies have moved the least; the worst residual that is left.
    ///
    /// Gauss and Newton's method with the kernel as its solver: the least of ½|r + J d|² under A d = −φ is a motion with the mass JᵀJ and the
    /// force −Jᵀr.
    pub(crate) fn make_least(&self, kernel: &mut Kernel, state: &mut State, free: &[usize], mut worst: f64) -> f64 {
        if free.is_empty() || self.squares_of_bodies(state) <= AT_ONCE * AT_ONCE {
            return worst;
        }
        let (slopes, mut before, mut last) = (self.slopes(free), self.squares(state), f64::INFINITY);
        for _ in 0..STEPS {
            let (mass, pull) = self.normal_equations(&slopes, state);
            let level = self.evaluator.positions(state);
            let Some(step) = least_step(kernel, &level, Some(&mass), &level.sizes, free, Some(&pull)) else { break };
            let longest = step.iter().zip(free).map(|(d, &j)| d.abs() / level.sizes[j]).fold(0.0, f64::max);
            if longest <= SETTLED || !longest.is_finite() || longest <= NEAR && longest >= last {
                break;
            }
            last = longest;
            let mut part = 1.0_f64;
            let mut better = None;
            for _ in 0..HALVINGS {
                let mut moved = state.clone();
                free.iter().zip(&step).for_each(|(&j, d)| moved.positions[j] += part * d);
                let left = meet(self.evaluator, kernel, &mut moved, Which::Positions, free, Measure::Size);
                let there = self.squares(&moved);
                // Near the least, squares no longer tell: steps have to become shorter.
                if left <= MET && (there < before || longest <= NEAR) {
                    better = Some((moved, there, left));
                    break;
                }
                part /= 2.0;
            }
            let Some((moved, there, left)) = better else { break };
            (*state, before, worst) = (moved, there, left);
        }
        worst
    }

    /// For each component the coordinates that move it, and its derivatives.
    fn slopes(&self, free: &[usize]) -> Slopes {
        let mut graph = self.evaluator.graph.clone();
        let (mut ids, mut columns) = (Vec::new(), Vec::new());
        for &component in &self.now {
            let mut symbols = Vec::new();
            if graph.depends(component).on(Depends::POSITION) {
                symbols = graph.symbols(&[component]);
                symbols.retain(|symbol| matches!(symbol, Symbol::Position(j) if free.contains(&(*j as usize))));
            }
            ids.extend(graph.gradient(component, &symbols));
            columns.push(symbols);
        }
        Slopes { graph, ids, columns }
    }

    /// JᵀJ and −Jᵀr over all coordinates.
    fn normal_equations(&self, slopes: &Slopes, state: &State) -> (Symmetric, Vec<f64>) {
        let values = slopes.values(self.evaluator, state);
        let mut pull = vec![0.0; self.evaluator.coordinates()];
        let mut products: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for (parts, offset) in self.offsets.iter().zip(self.offsets(state)) {
            let mut row: BTreeMap<usize, f64> = BTreeMap::new();
            for &(at, share) in parts {
                values[at].iter().for_each(|&(j, slope)| *row.entry(j).or_default() += share * slope);
            }
            for (&i, a) in &row {
                pull[i] -= a * offset;
                row.range(..=i).for_each(|(&j, b)| *products.entry((i, j)).or_default() += a * b);
            }
        }
        for &(j, guess, size) in &self.told {
            pull[j] -= (state.positions[j] - guess) / (size * size);
            *products.entry((j, j)).or_default() += 1.0 / (size * size);
        }
        let (places, values) = products.into_iter().unzip::<_, _, Vec<_>, _>();
        (Symmetric { places: Arc::new(places), values }, pull)
    }
}

/// The derivatives of components by the positions that move them, component by component.
struct Slopes {
    graph: holonom_symbols::expr::Graph,
    ids: Vec<Id>,
    columns: Vec<Vec<Symbol>>,
}

impl Slopes {
    fn values(&self, evaluator: &Evaluator, state: &State) -> Vec<Vec<(usize, f64)>> {
        let parameters = evaluator.system.parameters();
        let values = self.graph.evaluate(&self.ids, |symbol| match symbol {
            Symbol::Time => state.time,
            Symbol::Parameter(i) => parameters.get(i as usize).copied().unwrap_or(f64::NAN),
            Symbol::Position(i) => state.positions[i as usize],
            _ => 0.0,
        });
        let mut next = values.into_iter();
        let place = |symbol: &Symbol| match symbol {
            Symbol::Position(j) => *j as usize,
            _ => 0,
        };
        self.columns.iter().map(|columns| columns.iter().map(place).zip(next.by_ref()).collect()).collect()
    }
}
