//! After the first solve of a size, nothing is allocated: counted, not claimed.
#![allow(non_snake_case)]

use holonom::language::from_text;
use holonom::mechanics::compile::CompiledSystem;
use holonom::mechanics::derive::derive;
use holonom::picture::{Frames, picture};
use holonom::simulate::integrate::{End, Observer, Run, plan};
use holonom::{Snapshot, Workspace, kernel::Structure};
use holonom_testing::allocations;

/// A system of n coordinates and m rows whose numbers hang on a seed.
struct Sample {
    M: Vec<f64>,
    Q: Vec<f64>,
    A: Vec<f64>,
    b: Vec<f64>,
    C: Vec<f64>,
}

impl Sample {
    fn new(n: usize, m: usize, seed: u64) -> Self {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let mut M = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let value = if i == j { n as f64 + next() } else { next() };
                (M[i * n + j], M[j * n + i]) = (value, value);
            }
        }
        let mut vector = |length: usize| (0..length).map(|_| next()).collect::<Vec<f64>>();
        Self { M, Q: vector(n), A: vector(m * n), b: vector(m), C: vector(n) }
    }

    /// The last row repeats the first.
    fn repeated(mut self) -> Self {
        let n = self.Q.len();
        let last = self.A.len() - n;
        self.A.copy_within(..n, last);
        let m = self.b.len();
        self.b[m - 1] = self.b[0];
        self
    }

    /// The last row contradicts the first.
    fn contradictory(self) -> Self {
        let mut sample = self.repeated();
        let m = sample.b.len();
        sample.b[m - 1] += 1.0;
        sample
    }

    /// The last `count` coordinates have no mass.
    fn massless(mut self, count: usize) -> Self {
        let n = self.Q.len();
        for i in 0..n {
            for j in (0..n).filter(|j| i.max(*j) >= n - count) {
                self.M[i * n + j] = 0.0;
            }
        }
        self
    }

    /// Masses over twelve orders.
    fn graded(mut self) -> Self {
        let n = self.Q.len();
        let scale = |i: usize| 10f64.powf(12.0 * i as f64 / n as f64 - 6.0).sqrt();
        for i in 0..n {
            for j in 0..n {
                self.M[i * n + j] *= scale(i) * scale(j);
            }
        }
        self
    }

    /// Two rows that differ by 10⁻¹⁰: singular values have to decide.
    fn nearly_dependent(mut self) -> Self {
        let n = self.Q.len();
        for j in 0..n {
            self.A[n + j] = self.A[j] * (1.0 + 1e-10 * j as f64);
        }
        self
    }

    fn snapshot(&self) -> Snapshot<'_> {
        Snapshot::new(&self.M, &self.Q).constrained(&self.A, &self.b).nonideal(&self.C)
    }
}

#[test]
fn no_solve_allocates_after_the_first_of_its_size() {
    type Make = fn(usize, usize, u64) -> Sample;
    let kinds: [(&str, Make); 7] = [
        ("plain", Sample::new),
        ("repeated", |n, m, seed| Sample::new(n, m, seed).repeated()),
        ("contradictory", |n, m, seed| Sample::new(n, m, seed).contradictory()),
        ("massless and determined", |n, m, seed| Sample::new(n, m, seed).massless(1)),
        ("massless and free", |n, m, seed| Sample::new(n, m, seed).massless(n - 1).repeated()),
        ("graded", |n, m, seed| Sample::new(n, m, seed).graded()),
        ("nearly dependent", |n, m, seed| Sample::new(n, m, seed).nearly_dependent()),
    ];
    // 40 coordinates take the road of large matrices.
    for (n, m) in [(4, 2), (10, 6), (40, 25)] {
        for (name, make) in kinds {
            let samples: Vec<Sample> = (1..6).map(|seed| make(n, m, seed)).collect();
            let mut workspace = Workspace::new();
            // The first of its size may be as harmless as it likes.
            workspace.solve(&Sample::new(n, m, 9).snapshot()).expect("a system");
            for sample in &samples {
                let snapshot = sample.snapshot();
                let found = allocations(|| {
                    workspace.solve(&snapshot).expect("a system");
                });
                assert_eq!(found, 0, "{name}, n = {n}, m = {m}");
            }
        }
    }
}

#[test]
fn held_solves_and_late_non_ideal_parts_allocate_nothing_either() {
    let sample = Sample::new(10, 6, 3).repeated();
    let mut workspace = Workspace::new();
    workspace.solve(&sample.snapshot()).expect("a system");
    let held: Structure = workspace.structure();
    workspace.solve_held(&sample.snapshot(), &held).expect("a system");
    // Friction by the reaction of row 1, which nothing repeats.
    let feedback: Vec<f64> = (0..60).map(|i| if i % 6 == 1 { 0.01 } else { 0.0 }).collect();
    let mut all = || {
        workspace.solve_held(&sample.snapshot(), &held).expect("a system");
        let prepared = workspace.prepare(&sample.snapshot()).expect("a system");
        prepared.finish(&sample.C).expect("a system");
        let prepared = workspace.prepare(&sample.snapshot()).expect("a system");
        prepared.finish_with_feedback(&sample.C, &feedback).expect("a system");
    };
    all();
    assert_eq!(allocations(all), 0);
}

/// Looks at every row and keeps nothing.
#[derive(Default)]
struct Looker {
    rows: usize,
    sum: f64,
}

impl Observer for Looker {
    fn row(&mut self, values: &[f64]) -> Result<(), std::io::Error> {
        self.rows += 1;
        self.sum += values.iter().sum::<f64>();
        Ok(())
    }
}

/// Allocations, steps and rows of a run until a time.
fn allocations_of_a_run(text: &str, until: f64) -> (usize, u64, usize) {
    let model = from_text("model.holo", text).model.expect("a model");
    let equations = derive(model).expect("equations").value;
    let options = Run { until: Some(until), ..Run::default() };
    let plan = plan(&CompiledSystem::new(equations), &options).expect("a start").value;
    let mut looker = Looker::default();
    // What is compiled or made for the first time is made now.
    plan.run(&mut looker);
    looker = Looker::default();
    let mut steps = 0;
    let count = allocations(|| {
        let outcome = plan.run(&mut looker);
        assert_eq!(outcome.end, End::Finished);
        steps = outcome.statistics.steps;
    });
    (count, steps, looker.rows)
}

/// Blocks on springs and belts beside a pendulum; fast belts keep them sliding, and on one at rest they stick.
fn blocks(count: usize, relation: &str, belt: f64) -> String {
    format!(
        "coord x[1..{count}], y[1..{count}], phi
particle block[i in 1..{count}]: 1 at (x[i], y[i])
particle bob: 1 at (sin(phi), -cos(phi))
gravity (0, -9.81)
constraint floor[i in 1..{count}]: y[i] {relation} 0
friction floor[i in 1..{count}]: coulomb(0.3), slip = x[i]' - {belt}, normal = reaction(floor[i])
force x[i in 1..{count}]: -10*x[i]
start phi = 1, x[i in 1..{count}] = 0, y[i in 1..{count}] = 0
run until 1, every 0.1
"
    )
}

#[test]
fn steps_and_records_of_a_run_allocate_nothing() {
    // Loops, many rows, rows on velocities beside others, a mass matrix that is singular, redundant rows, a force that
    // constraints exert beyond the ideal one.
    let models = [
        ("four-bar", include_str!("../../../gallery/four-bar/four-bar.holo"), 0.5),
        ("andrews", include_str!("../../../gallery/andrews/andrews.holo"), 0.003),
        ("rolling disc", include_str!("../../../gallery/rolling-disc/rolling-disc.holo"), 1.0),
        ("sleigh", include_str!("../../../gallery/sleigh/sleigh.holo"), 2.0),
        ("wheel", include_str!("../../../gallery/wheel/wheel.holo"), 0.5),
        ("two masses", include_str!("../../../gallery/two-masses/two-masses.holo"), 1.0),
        ("appell", include_str!("../../../gallery/appell/breathing.holo"), 0.1),
        ("chain", include_str!("../../../gallery/chain/chain.holo"), 0.3),
    ];
    // Contacts that slide, that stick and that can let go, few of them and so many that the sparse kernel takes them.
    let contacts = [
        ("sliding blocks", blocks(2, "=", 50.0), 1.0),
        ("many sliding blocks", blocks(12, "=", 50.0), 1.0),
        ("sticking blocks", blocks(2, "=", 0.0), 1.0),
        ("many sticking blocks", blocks(12, "=", 0.0), 1.0),
    ];
    let models = models.into_iter().map(|(name, text, until)| (name, text.to_string(), until));
    for (name, text, until) in models.chain(contacts) {
        let (few, short, rows) = allocations_of_a_run(&text, until);
        let (many, long, more_rows) = allocations_of_a_run(&text, 10.0 * until);
        assert!(long > 2 * short || name == "wheel", "{name}: {short} and {long} steps");
        assert!(more_rows >= rows, "{name}");
        assert!(many <= few, "{name}: {few} for {short} steps, {many} for {long}");
    }
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1.0; 8]))), 1);
}

/// A frame of a picture takes no memory once there is room for its values.
#[test]
fn frames_of_a_picture() {
    let text = "\
coord a, b
let p = (sin(a), -cos(a))
particle one: 1 at p, two: 1 at p + 2*(sin(b), -cos(b))
gravity (0, -9.81)
";
    let equations = derive(from_text("arms.holo", text).model.unwrap()).unwrap().value;
    let mut frames = Frames::new(&picture(&equations).unwrap(), &[]);
    let mut values = Vec::new();
    frames.at(0.0, &[0.1, 0.2], &[0.0; 2], &mut values);
    let count = allocations(|| {
        for step in 0..100 {
            frames.at(f64::from(step), &[0.1 * f64::from(step), 0.2], &[0.0; 2], &mut values);
        }
    });
    assert_eq!(count, 0);
}
