//! An earlier run, read back from its folder.

use std::fmt;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::{KeptRows, ReportFormulas, ReportedRun, columns_beside};
use holonom::language::{Diagnostic, Sources, from_text_with};
use holonom::simulate::integrate::{self, Column, Plan};
use holonom::symbols::algebra::Budget;
use holonom::{Rejection, System};
use serde_json::Value;

/// Why an earlier run cannot be told of.
#[derive(Debug)]
pub struct Unreadable(String);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An earlier run.
pub struct Earlier {
    /// `summary.json`
    pub summary: Value,
    /// The text of the model.
    pub sources: Sources,
    /// The run as it was planned.
    pub plan: Plan,
    /// Its rows.
    pub rows: KeptRows,
}

impl Earlier {
    /// Reads the folder of a run.
    ///
    /// # Errors
    /// Where files are missing, are not those of a run, or hold a model that this program does not take.
    pub fn read(folder: &Path) -> Result<Self, Unreadable> {
        let wrong = |file: &str, why: &str| Unreadable(format!("`{}`: {why}", folder.join(file).display()));
        let text = fs::read_to_string(folder.join("summary.json"))
            .map_err(|error| wrong("summary.json", &format!("{error}; is this the folder of a run?")))?;
        let summary: Value =
            serde_json::from_str(&text).map_err(|_| wrong("summary.json", "this is not the summary of a run"))?;
        if summary["form"].as_u64() != Some(1) {
            return Err(wrong("summary.json", "it was written by another version, which this one does not understand"));
        }
        let (sources, plan) = model(&summary).map_err(|why| wrong("summary.json", &why))?;
        let rows = rows(folder, &summary, &plan).map_err(|why| wrong("trajectory.csv", &why))?;
        Ok(Self { summary, sources, plan, rows })
    }

    /// The equation of motion, as for the parameters of that run.
    pub fn formulas(&self, budget: &Budget) -> ReportFormulas {
        ReportFormulas::new(self.plan.system(), &settings(&self.summary), budget)
    }

    /// What a report tells of.
    pub fn run<'a>(&'a self, formulas: &'a ReportFormulas) -> ReportedRun<'a> {
        let Self { summary, sources, plan, rows } = self;
        ReportedRun { system: plan.system(), report: &plan.report, rows, summary, sources, formulas }
    }
}

/// The model of a run, planned again.
fn model(summary: &Value) -> Result<(Sources, Plan), String> {
    let texts: Vec<(String, String)> = summary["sources"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|file| Some((file["name"].as_str()?.to_string(), file["text"].as_str()?.to_string())))
        .collect();
    let Some(((name, text), others)) = texts.split_first() else {
        return Err("the text of the model is not in it; run the model again".to_string());
    };
    let set = settings(summary);
    let others: std::collections::HashMap<String, String> = others.iter().cloned().collect();
    let first = |list: &[Diagnostic]| {
        let error = list.iter().find(|one| one.is_error());
        let what = error.map_or("something is wrong with it".to_string(), |one| one.message.clone());
        format!("this version does not take the model any more: {what}; run the model again")
    };
    let rejected = |rejection: Rejection| first(&rejection.messages);
    let system = System::of(from_text_with(name, text, &others, &set), set).map_err(rejected)?;
    // The last column of a run with `--principles`.
    let last = summary["columns"].as_array().and_then(|columns| columns.last()?["name"].as_str());
    let mut options = integrate::Run {
        until: summary["until"].as_f64(),
        principles: last == Some("virtual.C"),
        ..integrate::Run::default()
    };
    let planned = system.plan(&options).or_else(|_| {
        // It may have been assembled.
        options.assemble = true;
        system.plan(&options)
    });
    Ok((system.sources().clone(), planned.map_err(rejected)?.value))
}

/// The parameters that were set for a run.
fn settings(summary: &Value) -> Vec<(String, f64)> {
    let set = summary["set"].as_object().into_iter().flatten();
    set.filter_map(|(name, value)| Some((name.clone(), value.as_f64()?))).collect()
}

/// The rows of a run, from its table.
fn rows(folder: &Path, summary: &Value, plan: &Plan) -> Result<KeptRows, String> {
    let columns: Vec<Column> = summary["columns"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|column| {
            Some(Column { name: column["name"].as_str()?.to_string(), unit: column["unit"].as_str().map(String::from) })
        })
        .collect();
    if columns != plan.columns {
        return Err("its columns are not those of the model".to_string());
    }
    let mut rows = KeptRows::new(&columns, columns_beside(plan.system()));
    let file = fs::File::open(folder.join("trajectory.csv")).map_err(|error| error.to_string())?;
    let mut row = Vec::with_capacity(columns.len());
    for (number, line) in BufReader::new(file).lines().enumerate().skip(1) {
        let line = line.map_err(|error| error.to_string())?;
        row.clear();
        row.extend(
            line.split(',')
                .map(|cell| if cell.is_empty() { Ok(f64::NAN) } else { cell.parse::<f64>() })
                .map_while(Result::ok),
        );
        if row.len() != columns.len() {
            return Err(format!("line {} does not have {} numbers", number + 1, columns.len()));
        }
        rows.push(&row);
    }
    if Some(rows.recorded()) != summary["rows"].as_u64() {
        return Err(format!("it has {} rows, and summary.json says {}", rows.recorded(), summary["rows"]));
    }
    rows.finish();
    Ok(rows)
}
