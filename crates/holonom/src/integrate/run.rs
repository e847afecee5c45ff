//! Stand-in: emits rows of a closed form, x = sin(t + index), for every coordinate.
#![allow(missing_docs)]

use super::outcome::*;
use crate::analysis::{self, Report};
use crate::derive::Equations;
use crate::expr::{Id, Symbol};
use crate::model::{Diagnostic, Drift, Method};

pub struct Plan {
    pub columns: Vec<Column>,
    pub settings: Settings,
    pub report: Report,
    coordinates: usize,
}

pub fn plan(
    equations: Equations,
    options: &Options,
    _set: &[(String, f64)],
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let look = analysis::Options { assemble: options.assemble, states: 0, ..analysis::Options::default() };
    let (report, _) = analysis::check(&equations, &look);
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
        until,
        at: vec![],
        max_steps: u64::MAX,
        every: options.every.or(number(model.run.every)),
        method: options.method.or(model.run.method).unwrap_or(Method::Explicit),
        rtol: options.rtol.or(number(model.run.rtol)).unwrap_or(1e-9),
        atol: options.atol.or(number(model.run.atol)).unwrap_or(1e-12),
        drift: options.drift.or(model.run.drift).unwrap_or(Drift::Projection),
    };
    Ok((Plan { columns, settings, report, coordinates: model.coordinates.len() }, vec![]))
}

impl Plan {
    pub fn run(&self, observer: &mut dyn Observer) -> Outcome {
        let until = self.settings.until;
        let every = self.settings.every.unwrap_or(until / 500.0);
        let mut outcome = Outcome {
            end: End::Finished,
            time: 0.0,
            rows: 0,
            statistics: Statistics::default(),
            ranks: vec![],
            events: vec![],
            evidence: Evidence {
                position_residual: 1e-16,
                velocity_residual: 2e-16,
                energy_imbalance: 3e-14,
                energy_scale: 10.0,
                clearance: 1.0,
            },
            expectations: vec![],
            diagnostics: vec![],
        };
        let (mut k, mut next) = (0_u64, 0.0);
        let mut row = vec![];
        loop {
            let t = (k as f64 * 0.01).min(until);
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
            if t >= until {
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
