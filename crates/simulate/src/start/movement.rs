//! How far a state is from where it was looked for; for bodies in a way that is the same in all coordinates.
//!
//! A body moves by the mean square of the way of its material, as if it were alike in all directions: |Δc|² of its centre, and s²/d Σ|Δeₖ|² for
//! its axes, where s² is its spread and d the dimension.
//! Of all states that the constraints allow, the start takes the one in which joints have moved the least, by the sum of squares over all joints;
//! of these, the one in which bodies have moved the least. Where gaps are closed, bodies alone decide.

use super::entries::{Rows, Symmetric};
use super::kernel::Kernel;
use super::least::{Measure, Which, least_step, meet, places};
use super::numbers::{Evaluator, State};
use super::said::Said;
use super::scale::MET;
use holonom_language::units::Dimension;
use holonom_symbols::expr::{Depends, Id, Symbol};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Steps at most; they converge linearly where gaps are large, and quadratically where they are small.
const STEPS: usize = 200;
/// How often a step is halved before it counts as leading nowhere.
const HALVINGS: usize = 8;
/// How much the movement of bodies counts beside that of joints within a step.
const BESIDE: f64 = 1e-6;
/// What has moved by no more than this is where it begins.
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
    /// How far joints have moved; components of origins and axes; and what they begin as.
    now: Vec<Id>,
    then: Vec<f64>,
    /// Each offset of a joint or a body: which of them, and how much each counts. The first ones decide, then the others.
    first: Vec<Vec<(usize, f64)>>,
    second: Vec<Vec<(usize, f64)>>,
}

impl<'a> Movement<'a> {
    /// From where bodies begin, and from the guesses at `at`, with the sizes of all coordinates.
    pub(crate) fn new(evaluator: &'a Evaluator<'a>, at: &State, size: &[f64], said: &[Said]) -> Self {
        let model = &evaluator.equations.model;
        let told = |counts: &dyn Fn(usize) -> bool| -> Vec<(usize, f64, f64)> {
            let counting = (0..size.len()).filter(|&j| counts(j));
            counting.map(|j| (j, at.positions[j], size[j])).collect()
        };
        let (now, then, first, second) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut movement = Self { evaluator, told: Vec::new(), now, then, first, second };
        let Some(formulation) = model.formulation else {
            movement.told = told(&|j| said[j].guess.is_some());
            return movement;
        };
        // Guesses that nobody typed say where bodies are.
        let is_typed = |j: usize| said[j].guess.is_some() && !said[j].is_placed;
        movement.told = told(&is_typed);
        // Not by the largest coordinates of their kind: those of bodies may lie far away.
        for (j, _, size) in &mut movement.told {
            let coordinate = &model.coordinates[*j];
            let length = (coordinate.dimension == Dimension::LENGTH).then_some(formulation.extent);
            *size = coordinate.size.or(length).map_or(1.0, |size| evaluator.value(size, &at.point()));
        }
        for joint in &model.joints {
            let guessed = |place: usize| joint.coordinates.get(place).is_some_and(|&j| is_typed(j));
            let moved = joint.moved.iter().enumerate().filter(|(place, _)| !guessed(*place));
            movement.now.extend(moved.map(|(_, &moved)| moved));
        }
        movement.then = vec![0.0; movement.now.len()];
        movement.first = (0..movement.now.len()).map(|at| vec![(at, 1.0)]).collect();
        let joints_decide = model.joints.iter().any(|joint| !joint.moved.is_empty());
        let extent = evaluator.value(formulation.extent, &at.point());
        let mut bodies: Vec<Vec<(usize, f64)>> = Vec::new();
        for body in &model.bodies {
            let known = bodies.len();
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
                bodies.push(origin.into_iter().chain(centre).collect());
            }
            for k in 0..axes {
                let share = spread / extent / (components as f64).sqrt();
                let turned = |component: usize| vec![(axis(k, component), share)];
                bodies.extend((0..components).map(turned));
            }
            if body.stays && joints_decide {
                movement.first.extend_from_slice(&bodies[known..]);
            }
        }
        *if joints_decide { &mut movement.second } else { &mut movement.first } = bodies;
        movement
    }

    fn values(&self, offsets: &[Vec<(usize, f64)>], state: &State) -> Vec<f64> {
        let now = self.evaluator.values(&self.now, &state.point());
        let moved: Vec<f64> = now.iter().zip(&self.then).map(|(now, then)| now - then).collect();
        offsets.iter().map(|parts| parts.iter().map(|&(at, share)| share * moved[at]).sum()).collect()
    }

    /// What decides first: the sum of squares of guesses that are missed, in the sizes of their coordinates, and of movements.
    fn squares(&self, state: &State) -> f64 {
        let told = self.told.iter().map(|&(j, guess, size)| ((state.positions[j] - guess) / size).powi(2));
        told.sum::<f64>() + squares(&self.values(&self.first, state))
    }

    /// How far the state is.
    pub(crate) fn distance(&self, state: &State) -> f64 {
        (self.squares(state) + BESIDE * squares(&self.values(&self.second, state))).sqrt()
    }

    /// Moves the positions in `free` along the constraints to where joints and bodies have moved the least; the worst residual that is left.
    pub(crate) fn make_least(&self, kernel: &mut Kernel, state: &mut State, free: &[usize], mut worst: f64) -> f64 {
        if free.is_empty() || self.now.is_empty() {
            return worst;
        }
        let slopes = self.slopes(free);
        if squares(&self.values(&self.first, state)) > AT_ONCE * AT_ONCE {
            worst = self.make_first_least(kernel, &slopes, state, free, worst);
        }
        if !self.second.is_empty() && self.leaves_open(kernel, &slopes, state, free) {
            worst = self.make_second_least(kernel, &slopes, state, free, worst);
        }
        worst
    }

    /// Gauss and Newton's method with the kernel as its solver: the least of ½|r + J d|² under A d = −φ is a motion with the mass JᵀJ and the
    /// force −Jᵀr. A little of what decides later keeps the mass from being singular.
    fn make_first_least(
        &self,
        kernel: &mut Kernel,
        slopes: &Slopes,
        state: &mut State,
        free: &[usize],
        mut worst: f64,
    ) -> f64 {
        let (mut before, mut last) = (self.squares(state), f64::INFINITY);
        for _ in 0..STEPS {
            let values = slopes.values(self.evaluator, state);
            let first = self.values(&self.first, state);
            let (mut mass, mut pull) = (BTreeMap::new(), vec![0.0; self.evaluator.coordinates()]);
            add_squares(&mut mass, &mut pull, &values, (1.0, &self.first), &first);
            add_squares(&mut mass, &mut pull, &values, (BESIDE, &self.second), &vec![0.0; self.second.len()]);
            self.add_told(&mut mass, &mut pull, state);
            let level = self.evaluator.positions(state);
            let Some(step) = least_step(kernel, &level, Some(&symmetric(mass)), &level.sizes, free, Some(&pull)) else {
                break;
            };
            let longest = step.iter().zip(free).map(|(d, &j)| d.abs() / level.sizes[j]).fold(0.0, f64::max);
            if longest <= SETTLED || !longest.is_finite() || longest <= NEAR && longest >= last {
                break;
            }
            last = longest;
            // Near the least, squares no longer tell: steps have to become shorter.
            let is_good = |there: &State| longest <= NEAR || self.squares(there) < before;
            let Some((moved, left)) = self.moved(kernel, state, free, &step, is_good) else { break };
            (*state, worst) = (moved, left);
            before = self.squares(state);
        }
        worst
    }

    /// The same for bodies, where joints stay: multipliers hold them.
    fn make_second_least(
        &self,
        kernel: &mut Kernel,
        slopes: &Slopes,
        state: &mut State,
        free: &[usize],
        mut worst: f64,
    ) -> f64 {
        let least = self.values(&self.first, state);
        let told: Vec<f64> = self.told.iter().map(|&(j, ..)| state.positions[j]).collect();
        let (mut multipliers, mut held) = (vec![0.0; least.len()], vec![0.0; told.len()]);
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            let values = slopes.values(self.evaluator, state);
            let (mut mass, mut pull) = (BTreeMap::new(), vec![0.0; self.evaluator.coordinates()]);
            let off = self.values(&self.first, state).into_iter().zip(&least).map(|(now, least)| now - least);
            let first: Vec<f64> = off
                .zip(&mut multipliers)
                .map(|(off, sum)| {
                    *sum += off;
                    off + *sum
                })
                .collect();
            let second: Vec<f64> = self.values(&self.second, state);
            add_squares(&mut mass, &mut pull, &values, (1.0, &self.first), &first);
            add_squares(&mut mass, &mut pull, &values, (BESIDE, &self.second), &second);
            for ((&(j, _, size), least), sum) in self.told.iter().zip(&told).zip(&mut held) {
                let off = state.positions[j] - least;
                *sum += off;
                pull[j] -= (off + *sum) / (size * size);
                *mass.entry((j, j)).or_default() += 1.0 / (size * size);
            }
            let level = self.evaluator.positions(state);
            let Some(step) = least_step(kernel, &level, Some(&symmetric(mass)), &level.sizes, free, Some(&pull)) else {
                break;
            };
            let longest = step.iter().zip(free).map(|(d, &j)| d.abs() / level.sizes[j]).fold(0.0, f64::max);
            if longest <= SETTLED || !longest.is_finite() || longest <= NEAR && longest >= last {
                break;
            }
            last = longest;
            let Some((moved, left)) = self.moved(kernel, state, free, &step, |_| true) else { break };
            (*state, worst) = (moved, left);
        }
        worst
    }

    /// The state a step further, or half as far and so on, back on the constraints.
    fn moved(
        &self,
        kernel: &mut Kernel,
        state: &State,
        free: &[usize],
        step: &[f64],
        is_good: impl Fn(&State) -> bool,
    ) -> Option<(State, f64)> {
        let mut part = 1.0_f64;
        for _ in 0..HALVINGS {
            let mut moved = state.clone();
            free.iter().zip(step).for_each(|(&j, d)| moved.positions[j] += part * d);
            let left = meet(self.evaluator, kernel, &mut moved, Which::Positions, free, Measure::Size);
            if left <= MET && is_good(&moved) {
                return Some((moved, left));
            }
            part /= 2.0;
        }
        None
    }

    /// Whether some way is open along which no joint and no guess moves.
    fn leaves_open(&self, kernel: &mut Kernel, slopes: &Slopes, state: &State, free: &[usize]) -> bool {
        let place = places(self.evaluator.coordinates(), free);
        let level = self.evaluator.positions(state);
        let values = slopes.values(self.evaluator, state);
        let rows = level.jacobian.iter().enumerate().map(|(row, entries)| {
            let part = |(j, a): (usize, f64)| Some((place[j]?, a * level.sizes[j] / level.scale[row]));
            entries.filter_map(part).collect::<Vec<_>>()
        });
        let joints = self.first.iter().map(|parts| {
            let mut row = BTreeMap::new();
            for &(at, share) in parts {
                for &(j, slope) in &values[at] {
                    if let Some(place) = place[j] {
                        *row.entry(place).or_insert(0.0) += share * slope * level.sizes[j];
                    }
                }
            }
            row.into_iter().collect()
        });
        let told = self.told.iter().filter_map(|&(j, ..)| Some(vec![(place[j]?, 1.0)]));
        let all: Vec<Vec<(usize, f64)>> = rows.chain(joints).chain(told).filter(|row| !row.is_empty()).collect();
        let open = kernel.open_directions(free.len(), &Rows::from_lists(all.into_iter()));
        !open.directions.is_empty()
    }

    /// The squares of missed guesses.
    fn add_told(&self, mass: &mut BTreeMap<(usize, usize), f64>, pull: &mut [f64], state: &State) {
        for &(j, guess, size) in &self.told {
            pull[j] -= (state.positions[j] - guess) / (size * size);
            *mass.entry((j, j)).or_default() += 1.0 / (size * size);
        }
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
}

/// Adds JᵀJ and −Jᵀr, times a factor, for offsets r made of components with these slopes.
fn add_squares(
    mass: &mut BTreeMap<(usize, usize), f64>,
    pull: &mut [f64],
    slopes: &[Vec<(usize, f64)>],
    (factor, offsets): (f64, &[Vec<(usize, f64)>]),
    values: &[f64],
) {
    for (parts, offset) in offsets.iter().zip(values) {
        let mut row: BTreeMap<usize, f64> = BTreeMap::new();
        for &(at, share) in parts {
            slopes[at].iter().for_each(|&(j, slope)| *row.entry(j).or_default() += share * slope);
        }
        for (&i, a) in &row {
            pull[i] -= factor * a * offset;
            row.range(..=i).for_each(|(&j, b)| *mass.entry((i, j)).or_default() += factor * a * b);
        }
    }
}

fn symmetric(entries: BTreeMap<(usize, usize), f64>) -> Symmetric {
    let (places, values) = entries.into_iter().unzip::<_, _, Vec<_>, _>();
    Symmetric { places: Arc::new(places), values }
}

fn squares(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum()
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
