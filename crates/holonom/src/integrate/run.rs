//! Stand-in: emits rows of a closed form, x = sin(t + index), for every coordinate.
#![allow(missing_docs)]

use crate::derive::Equations;
use crate::expr::{Id, Symbol};
use crate::model::{Diagnostic, Drift, Method};

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub until: Option<f64>,
    pub every: Option<f64>,
    pub method: Option<Method>,
    pub rtol: Option<f64>,
    pub atol: Option<f64>,
    pub drift: Option<Drift>,
    pub assemble: bool,
    pub max_steps: Option<u64>,
}

pub trait Observer {
    fn row(&mut self, values: &[f64]) -> Result<(), std::io::Error>;
    fn step(&mut self, _t: f64) -> bool {
        true
    }
}

#[derive(Clone, Debug)]
pub struct Settings {
    pub every: Option<f64>,
    pub method: Method,
    pub rtol: f64,
    pub atol: f64,
    pub drift: Drift,
    pub assemble: bool,
}

#[derive(Clone, Debug)]
pub struct Column {
    pub name: String,
    pub unit: Option<String>,
}

pub struct Plan {
    pub columns: Vec<Column>,
    pub until: f64,
    pub settings: Settings,
    coordinates: usize,
}

#[derive(Clone, Debug, Default)]
pub struct Statistics {
    pub steps: u64,
    pub rejected: u64,
    pub evaluations: u64,
    pub factorisations: u64,
    pub projections: u64,
}

#[derive(Clone, Debug)]
pub struct RankChange {
    pub time: f64,
    pub before: usize,
    pub after: usize,
    pub rows: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct EventRecord {
    pub time: f64,
    pub name: String,
}

#[derive(Clone, Debug, Default)]
pub struct Evidence {
    pub position: f64,
    pub velocity: f64,
    pub energy: f64,
}

#[derive(Clone, Debug)]
pub struct Expectation {
    pub line: usize,
    pub holds: bool,
    pub worst: f64,
    pub time: f64,
}

#[derive(Clone, Debug)]
pub enum End {
    Finished,
    Stopped { event: String },
    Interrupted,
    Failed,
}

pub struct Outcome {
    pub end: End,
    pub time: f64,
    pub rows: u64,
    pub statistics: Statistics,
    pub ranks: Vec<RankChange>,
    pub events: Vec<EventRecord>,
    pub evidence: Evidence,
    pub expectations: Vec<Expectation>,
    pub diagnostics: Vec<Diagnostic>,
}

pub fn plan(
    equations: Equations,
    options: &Options,
    _set: &[(String, f64)],
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let model = &equations.model;
    let number = |id: Option<Id>| id.map(|id| equations.graph.evaluate(&[id], |_: Symbol| 1.0)[0]);
    let unit = |power: i32| model.has_units.then(|| if power == 0 { "m".into() } else { format!("m/s^{power}") });
    let mut columns = vec![Column { name: "t".into(), unit: model.has_units.then(|| "s".into()) }];
    for coordinate in &model.coordinates {
        for (power, primes) in ["", "'", "''"].iter().enumerate() {
            columns.push(Column { name: format!("{}{primes}", coordinate.name), unit: unit(power as i32) });
        }
    }
    let until = options.until.or(number(model.run.until)).unwrap_or(1.0);
    let settings = Settings {
        every: options.every.or(number(model.run.every)),
        method: options.method.or(model.run.method).unwrap_or(Method::Explicit),
        rtol: options.rtol.or(number(model.run.rtol)).unwrap_or(1e-9),
        atol: options.atol.or(number(model.run.atol)).unwrap_or(1e-12),
        drift: options.drift.or(model.run.drift).unwrap_or(Drift::Projection),
        assemble: options.assemble,
    };
    Ok((Plan { columns, until, settings, coordinates: model.coordinates.len() }, vec![]))
}

impl Plan {
    pub fn run(&mut self, observer: &mut dyn Observer) -> Outcome {
        let every = self.settings.every.unwrap_or(self.until / 500.0);
        let mut outcome = Outcome {
            end: End::Finished,
            time: 0.0,
            rows: 0,
            statistics: Statistics::default(),
            ranks: vec![],
            events: vec![],
            evidence: Evidence { position: 1e-16, velocity: 2e-16, energy: 3e-14 },
            expectations: vec![],
            diagnostics: vec![],
        };
        let (mut k, mut next) = (0_u64, 0.0);
        let mut row = vec![];
        loop {
            let t = (k as f64 * 0.01).min(self.until);
            while next <= t {
                row.clear();
                row.push(next);
                for i in 0..self.coordinates {
                    let phase = next + i as f64;
                    row.extend([phase.sin(), phase.cos(), -phase.sin()]);
                }
                if observer.row(&row).is_err() {
                    outcome.end = End::Interrupted;
                    return outcome;
                }
                outcome.rows += 1;
                next = outcome.rows as f64 * every;
            }
            outcome.time = t;
            outcome.statistics.steps += 1;
            if t >= self.until {
                return outcome;
            }
            if !observer.step(t) {
                outcome.end = End::Interrupted;
                return outcome;
            }
            k += 1;
        }
    }
}
