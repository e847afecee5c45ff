//! A run of a model, and what the tests ask of it.

use holonom::System;
use holonom::language::{Folder, from_text_with};
use holonom::simulate::integrate::{End, Outcome, Plan, RecordedRows, Run};
use std::fs;
use std::path::{Path, PathBuf};

/// A run that reached its time.
pub struct Ran {
    pub plan: Plan,
    pub outcome: Outcome,
    pub rows: Vec<Vec<f64>>,
}

fn gallery_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery").join(name)
}

/// The text of a model of the gallery, by its path without the ending.
pub fn gallery_text(name: &str) -> String {
    fs::read_to_string(gallery_file(name).with_extension("holo")).unwrap()
}

/// A model that is ready to run.
pub fn prepare(text: &str, folder: &Path, options: &Run, set: &[(&str, f64)]) -> Plan {
    let set: Vec<(String, f64)> = set.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    let loaded = from_text_with("model.holo", text, &Folder::new(folder), &set);
    System::of(loaded, set).and_then(|system| system.plan(options)).unwrap_or_else(|why| panic!("{why}")).value
}

/// Runs a text.
pub fn run(text: &str, options: &Run, set: &[(&str, f64)]) -> Ran {
    finish(prepare(text, Path::new("."), options, set))
}

/// Runs a model of the gallery.
pub fn run_gallery(name: &str, options: &Run, set: &[(&str, f64)]) -> Ran {
    let folder = gallery_file(name).parent().unwrap().to_path_buf();
    finish(prepare(&gallery_text(name), &folder, options, set))
}

/// Runs a plan to its end.
pub fn finish(plan: Plan) -> Ran {
    let mut trajectory = RecordedRows::default();
    let outcome = plan.run(&mut trajectory);
    assert_eq!(outcome.end, End::Finished, "{:?}", outcome.diagnostics);
    assert_eq!(outcome.rows, trajectory.rows.len() as u64);
    Ran { plan, outcome, rows: trajectory.rows }
}

impl Ran {
    /// The place of a column.
    pub fn place(&self, name: &str) -> usize {
        self.plan.column(name).unwrap_or_else(|| panic!("no column `{name}` among {:?}", self.plan.columns))
    }

    /// A column from first to last.
    pub fn column(&self, name: &str) -> Vec<f64> {
        let place = self.place(name);
        self.rows.iter().map(|row| row[place]).collect()
    }

    /// Some columns side by side.
    pub fn columns<const N: usize>(&self, names: [&str; N]) -> Vec<[f64; N]> {
        let places = names.map(|name| self.place(name));
        self.rows.iter().map(|row| places.map(|place| row[place])).collect()
    }

    /// Values of the last row.
    pub fn last<const N: usize>(&self, names: [&str; N]) -> [f64; N] {
        *self.columns(names).last().unwrap()
    }

    /// The largest residual in the rows, of positions and velocities.
    pub fn worst_residual(&self) -> f64 {
        let rows = self.columns(["residual.position", "residual.velocity"]);
        let evidence = &self.outcome.evidence;
        rows.as_flattened().iter().fold(evidence.position_residual.max(evidence.velocity_residual), |m, x| m.max(*x))
    }

    /// How far kinetic and potential energy together stray from the start, relative to the largest kinetic energy.
    pub fn energy_drift(&self) -> f64 {
        let rows = self.columns(["kinetic", "potential"]);
        let largest = rows.iter().fold(0.0, |m: f64, row| m.max(row[0]));
        let start = rows[0][0] + rows[0][1];
        rows.iter().fold(0.0, |m: f64, row| m.max((row[0] + row[1] - start).abs())) / largest
    }

    /// What the ledger does not account for, relative to the energies in it.
    pub fn imbalance(&self) -> f64 {
        self.outcome.evidence.energy_imbalance / self.outcome.evidence.energy_scale
    }

    /// The largest deviation of columns from functions of time.
    pub fn deviation<const N: usize>(&self, names: [&str; N], exact: impl Fn(f64) -> [f64; N]) -> f64 {
        let (times, rows) = (self.column("t"), self.columns(names));
        let mut worst: f64 = 0.0;
        for (t, row) in times.iter().zip(&rows) {
            for (found, exact) in row.iter().zip(exact(*t)) {
                worst = worst.max((found - exact).abs());
            }
        }
        worst
    }
}

/// A solution of ẏ = f(t, y) apart from the library: fourth order in many small steps, with the leading error taken away.
pub fn reference<const N: usize>(
    f: impl Fn(f64, &[f64; N]) -> [f64; N],
    start: [f64; N],
    until: f64,
    steps: usize,
) -> [f64; N] {
    let go = |steps: usize| {
        let h = until / steps as f64;
        let along = |y: &[f64; N], k: &[f64; N], h: f64| -> [f64; N] { std::array::from_fn(|i| y[i] + h * k[i]) };
        let mut y = start;
        for step in 0..steps {
            let t = step as f64 * h;
            let k1 = f(t, &y);
            let k2 = f(t + h / 2.0, &along(&y, &k1, h / 2.0));
            let k3 = f(t + h / 2.0, &along(&y, &k2, h / 2.0));
            let k4 = f(t + h, &along(&y, &k3, h));
            y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
        }
        y
    };
    let (coarse, fine) = (go(steps), go(2 * steps));
    std::array::from_fn(|i| fine[i] + (fine[i] - coarse[i]) / 15.0)
}

/// Run with one thing said.
pub fn with(change: impl FnOnce(&mut Run)) -> Run {
    let mut options = Run::default();
    change(&mut options);
    options
}
