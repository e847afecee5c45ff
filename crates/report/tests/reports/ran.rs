//! A model of the gallery that ran, and its report in a file.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use holonom::System;
use holonom::language::from_text_with;
use holonom::output::{About, Summary};
use holonom::simulate::integrate::{self, Observer, Plan};
use holonom::symbols::algebra::Budget;
use holonom_report::{KeptRows, ReportFormulas, ReportedRun, columns_beside, html};

pub struct Kept(pub KeptRows);

impl Observer for Kept {
    fn row(&mut self, values: &[f64]) -> Result<(), std::io::Error> {
        self.0.push(values);
        Ok(())
    }
}

/// A model of the gallery that ran.
pub struct Ran {
    pub plan: Plan,
    pub rows: KeptRows,
    pub summary: serde_json::Value,
    pub system: System,
}

/// A model of the gallery.
pub fn system(name: &str) -> System {
    let model = holonom_gallery::model(name).expect("it is in the gallery");
    let files: HashMap<String, String> =
        model.entry.files.iter().map(|(name, text)| ((*name).to_string(), (*text).to_string())).collect();
    System::of(from_text_with(model.file, model.text, &files, &[]), Vec::new()).expect("the gallery is right")
}

pub fn run(name: &str, options: &integrate::Run) -> Ran {
    let system = system(name);
    let plan = system.plan(options).expect("it runs").value;
    let mut kept = Kept(KeptRows::new(&plan.columns, columns_beside(plan.system())));
    let outcome = plan.run(&mut kept);
    kept.0.finish();
    let about = About { title: None, ..About::new(system.loaded(), Vec::new(), String::new()) };
    let summary = Summary::new(about, &plan, &outcome, &[], system.sources()).json().to_string();
    Ran { plan, rows: kept.0, summary: serde_json::from_str(&summary).expect("a summary is JSON"), system }
}

impl Ran {
    pub fn with<T>(&self, make: impl FnOnce(&ReportedRun) -> T) -> T {
        let formulas = ReportFormulas::new(self.plan.system(), &[], &Budget::new(100_000_000));
        let Self { plan, rows, summary, system } = self;
        make(&ReportedRun {
            system: plan.system(),
            report: &plan.report,
            rows,
            summary,
            sources: system.sources(),
            formulas: &formulas,
        })
    }

    pub fn page(&self) -> String {
        self.with(html)
    }
}

/// A file that goes when it is not needed any more.
pub struct Temporary(pub PathBuf);

impl Temporary {
    pub fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("holonom-report-{}-{name}.html", std::process::id()));
        fs::write(&path, text).expect("there is room");
        Self(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Two frames later everything asked for has been drawn.
pub const DRAWN: &str = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))";
