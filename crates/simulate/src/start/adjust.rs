//! Which number of a model would let constraints hold that no state satisfies: a rod that is too short, an angle that is out of reach.
//!
//! At the closest state the rows have no slope in what is missing (Jᵀφ = 0), but a parameter may have one: Newton's method over the
//! coordinates and one parameter finds the value from which on they can hold.

use super::numbers::{Evaluator, Level, State};
use super::random::seeded;
use super::scale::MET;
use super::words::number;
use holonom_kernel::{Snapshot, Workspace};
use holonom_symbols::expr::{Depends, Id, Symbol};

/// Models with more coordinates, or more parameters, are not searched.
const LARGE: usize = 100;
const STEPS: usize = 40;
/// Changes to more than this many times the value are no advice.
const FARTHEST: f64 = 4.0;
/// How many parameters are named.
const NAMED: usize = 3;
/// How much more than what just suffices is tried, as parts of the change: round numbers, and states away from the limit.
const ROOM: [f64; 3] = [0.02, 0.1, 0.5];
/// How often a value is tried, from a little beside the closest state.
const TRIES: usize = 6;

/// Help lines that name parameters which, changed alone, let the positions satisfy the rows that are left; those that change least first.
pub(crate) fn advice(evaluator: &Evaluator, state: &State, left: &Level) -> Vec<String> {
    let model = &evaluator.equations.model;
    if evaluator.coordinates() > LARGE || model.parameters.len() > LARGE {
        return Vec::new();
    }
    let search = Search::new(evaluator, state, left);
    let mut found: Vec<(f64, usize, f64)> = search
        .candidates()
        .into_iter()
        .filter_map(|which| {
            let value = search.value_that_suffices(which)?;
            let before = evaluator.system.parameters()[which];
            Some(((value - before).abs() / before.abs(), which, value))
        })
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let shown = |which: usize, value: f64| {
        let (scale, unit) = match &model.parameters[which].unit {
            Some(unit) => (unit.scale, format!(" {}", unit.text)),
            None => (1.0, String::new()),
        };
        format!("{}{unit}", number(value / scale))
    };
    let line = |(_, which, value): (f64, usize, f64)| {
        let before = evaluator.system.parameters()[which];
        let name = &model.parameters[which].name;
        format!("they can hold with `{name} = {}` in place of {}", shown(which, value), shown(which, before))
    };
    found.into_iter().take(NAMED).map(line).collect()
}

struct Search<'a> {
    evaluator: &'a Evaluator<'a>,
    state: &'a State,
    scale: &'a [f64],
    size: &'a [f64],
    residual: Vec<Id>,
    /// For each row its entries, after all residuals in `ids`.
    columns: Vec<Vec<usize>>,
    ids: Vec<Id>,
}

impl<'a> Search<'a> {
    fn new(evaluator: &'a Evaluator<'a>, state: &'a State, left: &'a Level) -> Self {
        let rows: Vec<_> = left.rows.iter().map(|&row| &evaluator.equations.rows[row]).collect();
        let residual: Vec<Id> = rows.iter().filter_map(|row| row.position).collect();
        let columns = rows.iter().map(|row| row.a.iter().map(|entry| entry.0).collect()).collect();
        let slopes = rows.iter().flat_map(|row| row.a.iter().map(|entry| entry.1));
        let ids = residual.iter().copied().chain(slopes).collect();
        Self { evaluator, state, scale: &left.scale, size: &left.sizes, residual, columns, ids }
    }

    /// Parameters with values of their own that occur in the rows, themselves or through others.
    fn candidates(&self) -> Vec<usize> {
        let parameters = &self.evaluator.equations.model.parameters;
        let mut occurs = vec![false; parameters.len()];
        let mut open = self.residual.clone();
        while !open.is_empty() {
            let symbols = self.evaluator.graph.symbols(&open);
            open.clear();
            for symbol in symbols {
                if let Symbol::Parameter(which) = symbol
                    && !std::mem::replace(&mut occurs[which as usize], true)
                {
                    open.push(parameters[which as usize].value);
                }
            }
        }
        let value = |which: usize| self.evaluator.system.parameters()[which];
        (0..parameters.len()).filter(|&which| occurs[which] && self.is_number(which) && value(which) != 0.0).collect()
    }

    fn is_number(&self, which: usize) -> bool {
        let value = self.evaluator.equations.model.parameters[which].value;
        !self.evaluator.graph.depends(value).on(Depends::PARAMETER)
    }

    /// All parameters when one of them has another value: those that are computed from it follow.
    fn parameters_with(&self, which: usize, value: f64) -> Vec<f64> {
        let mut all = self.evaluator.system.parameters().to_vec();
        all[which] = value;
        for other in which + 1..all.len() {
            let expression = self.evaluator.equations.model.parameters[other].value;
            if !self.is_number(other) {
                all[other] = self.evaluator.graph.evaluate(&[expression], |symbol| match symbol {
                    Symbol::Parameter(i) => all.get(i as usize).copied().unwrap_or(f64::NAN),
                    _ => 0.0,
                })[0];
            }
        }
        all
    }

    /// Residuals by their scales, and slopes by scales and sizes, row-major with `n + 1` columns: the last is left open.
    fn rows_at(&self, positions: &[f64], parameters: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let values = self.evaluator.graph.evaluate(&self.ids, |symbol| match symbol {
            Symbol::Time => self.state.time,
            Symbol::Parameter(i) => parameters[i as usize],
            Symbol::Position(i) => positions[i as usize],
            _ => 0.0,
        });
        let (residual, slopes) = values.split_at(self.residual.len());
        let residual = residual.iter().zip(self.scale).map(|(r, s)| r / s).collect();
        let width = positions.len() + 1;
        let mut rows = vec![0.0; width * self.columns.len()];
        let mut next = slopes.iter();
        for (row, columns) in self.columns.iter().enumerate() {
            for (&j, slope) in columns.iter().zip(next.by_ref()) {
                rows[row * width + j] = slope * self.size[j] / self.scale[row];
            }
        }
        (residual, rows)
    }

    /// A value of the parameter with which the rows hold, not much further away than one has to go.
    fn value_that_suffices(&self, which: usize) -> Option<f64> {
        let before = self.evaluator.system.parameters()[which];
        let (positions, limit) = self.solved(self.state.positions.clone(), which, before, true)?;
        let is_advice = limit != before && limit / before > 1.0 / FARTHEST && limit / before < FARTHEST;
        if !is_advice {
            return None;
        }
        let mut random = seeded(5);
        ROOM.iter().map(|room| rounded_away(limit + room * (limit - before), limit)).find(|&value| {
            let reach = ((value - limit) / before).abs().sqrt();
            (0..TRIES).any(|_| {
                let beside =
                    positions.iter().zip(self.size).map(|(q, size)| q + reach * size * random.uniform(-1.0, 1.0));
                self.solved(beside.collect(), which, value, false).is_some()
            })
        })
    }

    /// Newton's method over the positions and, where it may move, the parameter; nothing where it leads nowhere.
    fn solved(&self, mut q: Vec<f64>, which: usize, mut value: f64, moves: bool) -> Option<(Vec<f64>, f64)> {
        let (n, unit) = (q.len(), value.abs());
        let mut workspace = Workspace::new();
        let mut mass = vec![0.0; (n + 1) * (n + 1)];
        (0..=n).for_each(|j| mass[j * (n + 1) + j] = 1.0);
        let force = vec![0.0; n + 1];
        for _ in 0..STEPS {
            let (residual, mut rows) = self.rows_at(&q, &self.parameters_with(which, value));
            let worst = residual.iter().fold(0.0_f64, |most, r| most.max(r.abs()));
            if worst <= MET {
                return Some((q, value));
            }
            if !worst.is_finite() {
                return None;
            }
            if moves {
                let step = 1e-6 * unit;
                let sides = [step, -step].map(|step| self.rows_at(&q, &self.parameters_with(which, value + step)).0);
                for (row, (up, down)) in sides[0].iter().zip(&sides[1]).enumerate() {
                    rows[row * (n + 1) + n] = (up - down) / 2e-6;
                }
            }
            let right: Vec<f64> = residual.iter().map(|r| -r).collect();
            let motion = workspace.solve(&Snapshot::new(&mass, &force).constrained(&rows, &right)).ok()?;
            // A step of half the sizes at most, so that a solution near by is found.
            let longest = motion.acceleration.iter().fold(0.0_f64, |most, d| most.max(d.abs()));
            let part = if longest > 0.5 { 0.5 / longest } else { 1.0 };
            q.iter_mut().zip(self.size).zip(&motion.acceleration).for_each(|((q, size), d)| *q += part * d * size);
            value += part * motion.acceleration[n] * unit;
        }
        None
    }
}

/// A number with few digits, on the side of `from` that `value` is on, and no nearer.
fn rounded_away(value: f64, from: f64) -> f64 {
    let (apart, mut unit) = ((value - from).abs(), 1.0);
    while unit > apart && unit > f64::MIN_POSITIVE {
        unit /= 10.0;
    }
    while unit * 10.0 <= apart {
        unit *= 10.0;
    }
    let steps = value / unit;
    (if value > from { steps.ceil() } else { steps.floor() }) * unit
}
