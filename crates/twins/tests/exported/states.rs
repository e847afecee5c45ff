//! States of a model, on its motion and where something vanishes, with what the kernel finds there.

use holonom::mechanics::compile::CompiledSystem;
use holonom::mechanics::derive::Equations;
use holonom::simulate::integrate::{self, RecordedRows, TableLayout, plan};
use holonom::symbols::expr::{Id, Symbol};
use holonom::{Snapshot, solve};
use holonom_random::Random;

/// How many states of the motion are used.
const ALONG: usize = 4;
/// Steps of the motion; what comes after them is not needed.
const MAX_STEPS: u64 = 2_000;
/// Residuals of constraints that count as rounding, relative to the terms of the row.
const HOLDS: f64 = 1e-12;

/// Time, positions and velocities.
#[derive(Clone, Debug)]
pub struct State {
    /// What is special about it.
    pub what: &'static str,
    pub t: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
}

/// A model with the values of its parameters.
pub struct Mechanics {
    pub equations: Equations,
    pub parameters: Vec<f64>,
}

/// What the kernel says of a state: an answer for each output, and what its digits are relative to.
pub struct Kernel {
    pub answers: [Vec<f64>; 4],
    pub scales: [f64; 4],
    /// Whether rows are independent, so that their reactions are unique.
    pub is_determinate: bool,
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

impl Mechanics {
    pub fn new(equations: Equations) -> Self {
        let mut parameters: Vec<f64> = Vec::new();
        for parameter in &equations.model.parameters {
            let value = equations.graph.evaluate(&[parameter.value], |symbol| match symbol {
                Symbol::Parameter(index) => parameters[index as usize],
                _ => f64::NAN,
            });
            parameters.push(value[0]);
        }
        Self { equations, parameters }
    }

    fn coordinates(&self) -> usize {
        self.equations.model.coordinates.len()
    }

    fn values(&self, ids: &[Id], state: &State) -> Vec<f64> {
        self.equations.graph.evaluate(ids, |symbol| self.value(symbol, state))
    }

    pub fn value(&self, symbol: Symbol, state: &State) -> f64 {
        match symbol {
            Symbol::Time => state.t,
            Symbol::Parameter(index) => self.parameters[index as usize],
            Symbol::Position(index) => state.q[index as usize],
            Symbol::Velocity(index) => state.v[index as usize],
            _ => f64::NAN,
        }
    }

    /// A, row by row, of the rows that are not off.
    fn constraints(&self, state: &State) -> Vec<f64> {
        let n = self.coordinates();
        let mut matrix = Vec::new();
        for row in self.equations.rows.iter().filter(|row| !row.off) {
            let ids: Vec<Id> = row.a.iter().map(|&(_, id)| id).collect();
            let mut entries = vec![0.0; n];
            for (&(column, _), value) in row.a.iter().zip(self.values(&ids, state)) {
                entries[column] += value;
            }
            matrix.extend(entries);
        }
        matrix
    }

    /// What the kernel finds, where there is one motion and forces are unique.
    pub fn kernel(&self, state: &State) -> Option<Kernel> {
        let (equations, n) = (&self.equations, self.coordinates());
        let mass = self.values(&equations.mass.dense(), state);
        let force = self.values(&equations.force, state);
        let a = self.constraints(state);
        let right: Vec<Id> = equations.rows.iter().filter(|row| !row.off).map(|row| row.b).collect();
        let b = self.values(&right, state);
        let mut c = vec![0.0; n];
        for part in &equations.nonideal {
            if !(part.by_multiplier.is_empty() && part.by_reaction.is_empty() && part.nonlinear.is_empty()) {
                return None;
            }
            c.iter_mut().zip(self.values(&part.force, state)).for_each(|(c, own)| *c += own);
        }
        let motion = solve(&Snapshot::new(&mass, &force).constrained(&a, &b).nonideal(&c)).ok()?;
        if !(motion.is_unique() && motion.consistent && motion.balanced) {
            return None;
        }
        let forces = [&force, &c, &motion.ideal_force, &motion.nonideal_force].map(|list| largest(list));
        let forces = largest(&forces);
        let rows: Vec<f64> = a.chunks(n).map(largest).collect();
        let ratios = |above: &mut dyn Iterator<Item = f64>, below: &mut dyn Iterator<Item = f64>| {
            above.zip(below).filter(|(_, below)| *below > 0.0).fold(0.0, |most: f64, (x, y)| most.max(x.abs() / y))
        };
        let by_rows = ratios(&mut b.iter().copied(), &mut rows.iter().copied());
        let by_forces = ratios(&mut std::iter::repeat_n(forces, n), &mut (0..n).map(|j| mass[j * (n + 1)]));
        let loads = ratios(&mut std::iter::repeat_n(forces, rows.len()), &mut rows.iter().copied());
        Some(Kernel {
            scales: [largest(&[by_rows, by_forces, largest(&motion.acceleration)]), forces, forces, loads],
            is_determinate: motion.constraint_rank.rank == rows.len(),
            answers: [motion.acceleration, motion.ideal_force, motion.nonideal_force, motion.reactions],
        })
    }

    /// States beside one, farther than rounding is: a part of the largest coordinate, and of the largest velocity.
    pub fn beside(&self, state: &State, sizes: [f64; 2], part: f64) -> Vec<State> {
        let mut random = Random::new(state.q.len() as u64);
        let mut moved = |list: &[f64], size: f64| -> Vec<f64> {
            list.iter().map(|x| x + part * size * if random.index(2) == 0 { 1.0 } else { -0.7 }).collect()
        };
        let mut one = || State { q: moved(&state.q, sizes[0]), v: moved(&state.v, sizes[1]), ..state.clone() };
        (0..4).map(|_| one()).collect()
    }

    /// An equilibrium near a state, by Newton's method on the acceleration at rest; nothing where none is found.
    fn equilibrium(&self, near: &State) -> Option<State> {
        let n = self.coordinates();
        let rest = |q: Vec<f64>| self.onto(State { what: "at an equilibrium", t: near.t, q, v: vec![0.0; n] });
        let pull = |state: &State| Some(self.kernel(state)?.answers[0].clone());
        let unit: Vec<f64> = (0..n * n).map(|k| f64::from(u8::from(k % (n + 1) == 0))).collect();
        let (mut state, none) = (rest(near.q.clone())?, vec![0.0; n]);
        let size = 1e-6 * (largest(&state.q) + 1e-3);
        for _ in 0..20 {
            let here = pull(&state)?;
            let mut slopes = vec![0.0; n * n];
            for j in 0..n {
                let mut q = state.q.clone();
                q[j] += size;
                let there = pull(&rest(q)?)?;
                (0..n).for_each(|i| slopes[i * n + j] = (there[i] - here[i]) / size);
            }
            let right: Vec<f64> = here.iter().map(|x| -x).collect();
            let step = solve(&Snapshot::new(&unit, &none).constrained(&slopes, &right)).ok()?.acceleration;
            let q = state.q.iter().zip(&step).map(|(q, step)| q + step).collect();
            state = rest(q)?;
            if largest(&step) <= 1e-13 * (largest(&state.q) + 1e-3) {
                break;
            }
        }
        let (found, start) = (largest(&pull(&state)?), largest(&pull(&rest(near.q.clone())?)?));
        (found <= 1e-9 * start && largest(&state.v) == 0.0).then_some(state)
    }

    /// Whether residuals of the rows are rounding, beside what the rows are made of.
    fn holds(residuals: &[f64], a: &[f64], values: &[f64]) -> bool {
        let sizes = a.chunks(values.len()).map(|row| row.iter().zip(values).map(|(a, x)| (a * x).abs()).sum::<f64>());
        residuals.iter().zip(sizes).all(|(residual, size)| residual.abs() <= HOLDS * size)
    }

    /// The least change of q (or of v) that takes a state onto the constraints; nothing where none is found.
    fn onto(&self, mut state: State) -> Option<State> {
        let n = self.coordinates();
        let unit: Vec<f64> = (0..n * n).map(|k| f64::from(u8::from(k % (n + 1) == 0))).collect();
        let none = vec![0.0; n];
        let rows: Vec<_> = self.equations.rows.iter().filter(|row| !row.off).collect();
        let positions: Vec<Id> = rows.iter().map(|row| row.position.unwrap_or(Id::ZERO)).collect();
        let velocities: Vec<Id> = rows.iter().map(|row| row.velocity.unwrap_or(Id::ZERO)).collect();
        let change = |a: &[f64], residual: Vec<f64>| {
            let right: Vec<f64> = residual.iter().map(|r| -r).collect();
            let motion = solve(&Snapshot::new(&unit, &none).constrained(a, &right)).ok()?;
            motion.consistent.then_some(motion.acceleration)
        };
        // Beyond this the search has gone astray: angles have no digits left there.
        let far = 100.0 * (1.0 + largest(&state.q));
        for _ in 0..60 {
            if largest(&state.q) > far {
                return None;
            }
            let (a, residual) = (self.constraints(&state), self.values(&positions, &state));
            if Self::holds(&residual, &a, &state.q) {
                break;
            }
            let step = change(&a, residual)?;
            state.q.iter_mut().zip(step).for_each(|(q, step)| *q += step);
        }
        let a = self.constraints(&state);
        let step = change(&a, self.values(&velocities, &state))?;
        state.v.iter_mut().zip(step).for_each(|(v, step)| *v += step);
        let (q, v) = (self.values(&positions, &state), self.values(&velocities, &state));
        (Self::holds(&q, &a, &state.q) && Self::holds(&v, &a, &state.v)).then_some(state)
    }

    /// The states to compare at; `time` is the model's unit of time.
    pub fn states(&self, random: &mut Random, time: f64) -> Vec<State> {
        let n = self.coordinates();
        let (until, every, max_steps) = (Some(0.2 * time), Some(0.05 * time), Some(MAX_STEPS));
        let options = integrate::Run { until, every, max_steps, ..integrate::Run::default() };
        let system = CompiledSystem::new(self.equations.clone());
        let layout = TableLayout::of(&system);
        let Ok(planned) = plan(&system, &options) else { return Vec::new() };
        let mut rows = RecordedRows::default();
        planned.value.run(&mut rows);
        let mut found: Vec<State> = rows
            .rows
            .iter()
            .take(ALONG)
            .map(|row| {
                let (q, v) = layout.state(row);
                State { what: "on the motion", t: row[0], q, v }
            })
            .collect();
        let Some(start) = found.first().cloned() else { return found };
        let rest = vec![0.0; n];
        let turned = |q: f64| (q / std::f64::consts::FRAC_PI_2).round() * std::f64::consts::FRAC_PI_2;
        let mean = start.q.iter().sum::<f64>() / n as f64;
        let mut special = vec![
            ("at rest", start.q.clone(), rest.clone()),
            ("at zero", rest.clone(), rest.clone()),
            ("at zero, moving", rest.clone(), start.v.clone()),
            ("aligned", vec![mean; n], rest.clone()),
            ("aligned, moving", vec![mean; n], start.v.clone()),
            ("at right angles", start.q.iter().map(|&q| turned(q)).collect(), start.v.clone()),
            ("turned by half", vec![std::f64::consts::PI; n], start.v.clone()),
            ("symmetric", (0..n).map(|j| if j % 2 == 0 { mean } else { -mean }).collect(), rest.clone()),
            ("of equal speeds", start.q.clone(), vec![1.0; n]),
            ("random", (0..n).map(|_| random.real()).collect(), start.v.clone()),
        ];
        let (one, another) = (random.index(n), random.index(n));
        for j in [one, another] {
            let mut q = start.q.clone();
            q[j] = 0.0;
            special.push(("with a coordinate of zero", q, start.v.clone()));
        }
        for (what, q, v) in special {
            found.extend(self.onto(State { what, t: start.t, q, v }));
        }
        if let Some(state) = self.equilibrium(&start) {
            found.extend(self.onto(State { what: "through an equilibrium", v: start.v.clone(), ..state.clone() }));
            found.push(state);
        }
        found
    }

    /// The largest coordinate and the largest velocity of some states.
    pub fn sizes(states: &[State]) -> [f64; 2] {
        let of = |list: fn(&State) -> &[f64]| states.iter().map(|state| largest(list(state))).fold(0.0, f64::max);
        [of(|state| &state.q), of(|state| &state.v)].map(|size| if size > 0.0 { size } else { 1.0 })
    }
}
