//! A sweep from the inside: the same as single runs, refused where they are, and the same however it is made.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::*;
use holonom_language::{Loaded, from_text, from_text_with};
use holonom_simulate::integrate::{self, RecordedRows, Run};
use holonom_testing::Scratch;

const PENDULUM: &str = "param L = 1, m = 2, g = 9.81
coord x, y
particle bob: m at (x, y)
gravity (0, -g)
constraint rod: x^2 + y^2 = L^2
start x = 0.6*L, y ~ -1
output height: y + L
expect constant energy()
run until 1, every 0.25
";

fn list(name: &str, values: &[f64]) -> Vary {
    Vary { name: name.into(), values: ParameterValues::List(values.to_vec()) }
}

fn study(text: &str, vary: Vec<Vary>, trajectories: bool) -> Result<Study, SweepRefusal> {
    let loaded: Loaded = from_text("model.holo", text);
    Study::new(&loaded, &[], &Run::default(), Points::product(vary).unwrap(), trajectories)
}

fn run_in(study: &Study, folder: &Path, jobs: usize) -> Counts {
    let mut journal = Journal::open(folder, &study.identity(), study.points().count(), false).unwrap();
    let stop = AtomicBool::new(false);
    run(study, &mut journal, &Work { jobs, stop_on_failure: false, stop: &stop }, &mut |_| {}).unwrap();
    publish(study, &journal, folder, |_, _| "{}\n".into()).unwrap().0
}

fn record(study: &Study, point: u64) -> Record {
    study.run(point, &AtomicBool::new(false), &mut |_| {})
}

/// Each point is what a single run with these parameters gives.
#[test]
fn a_point_is_a_run() {
    let study = study(PENDULUM, vec![list("L", &[0.5, 1.0, 2.5]), list("m", &[1.0, 3.0])], false).unwrap();
    for point in 0..6 {
        let values = study.points().at(point);
        let set = vec![("L".to_string(), values[0]), ("m".to_string(), values[1])];
        let loaded = from_text_with("model.holo", PENDULUM, &holonom_language::NoFiles, &set);
        let derived = holonom_mechanics::derive::derive(loaded.model.unwrap()).unwrap();
        let system = holonom_mechanics::compile::CompiledSystem::new(derived.value);
        let plan = integrate::plan(&system, &Run::default()).unwrap().value;
        let mut alone = RecordedRows::default();
        let outcome = plan.run(&mut alone);
        let found = record(&study, point);
        assert_eq!((found.end, found.expectations, found.reason.as_str()), (Ended::Finished, Some(true), ""));
        assert_eq!((&found.last, found.time), (alone.rows.last().unwrap(), outcome.time), "{values:?}");
        assert_eq!(found.statistics[1], outcome.statistics.steps);
        let height = plan.column("height").unwrap();
        let least = alone.rows.iter().map(|row| row[height]).fold(f64::INFINITY, f64::min);
        assert_eq!(found.extremes[0].0, least);
    }
}

/// Values that a model refuses: by its text, at its start, and on the way. The others do not mind.
#[test]
fn failures_are_kept_with_their_reason() {
    let text = "param m = 1, a = 1, k = 1
coord x
particle bob: m at (x, 0)
force x: 1/(a - x)
start x = sqrt(k)
run until 9, every 1
";
    let vary = vec![list("m", &[-1.0, 1.0]), list("a", &[2.0, 100.0]), list("k", &[-1.0, 1.0])];
    let study = study(text, vary, false).unwrap();
    let found: Vec<(Ended, String)> =
        (0..8).map(|point| record(&study, point)).map(|record| (record.end, record.code().to_string())).collect();
    for refused in &found[..4] {
        assert_eq!(*refused, (Ended::Refused, "negative".to_string()));
    }
    assert_eq!(found[4], (Ended::Refused, "start-not-finite".to_string()));
    assert_eq!(found[5].0, Ended::Failed, "it falls into the pole: {found:?}");
    assert_eq!(found[7], (Ended::Finished, String::new()));
    let failed = record(&study, 5);
    assert!(failed.time > 0.0 && failed.last.len() == study.columns().len(), "what there was is kept");
}

/// A mass of zero makes a direction massless: that point is derived anew, and refused as a single run is.
#[test]
fn a_massless_point_is_derived_anew() {
    let text = "param m = 1, k = 2\ncoord x, y\nkinetic m*x'^2/2 + y'^2/2\npotential k*(x - y)^2/2\nstart x = 0, y = 1\nrun until 1\n";
    let study = study(text, vec![list("m", &[1.0, 0.0, 2.0])], false).unwrap();
    let ends: Vec<Ended> = (0..3).map(|point| record(&study, point).end).collect();
    assert_eq!(ends, [Ended::Finished, Ended::Refused, Ended::Finished]);
    assert_eq!(record(&study, 1).code(), "unbalanced");
}

/// A parameter that decides how large a model is may vary where the columns stay the same.
#[test]
fn shapes_may_vary_where_columns_do_not() {
    let inside =
        "param N = 2, k = 1\ncoord x\nkinetic x'^2/2\npotential sum(i in 1..N, k*i*x^2/2)\nstart x = 1\nrun until 1\n";
    let study_of = |text: &str, values: &[f64]| study(text, vec![list("N", values), list("k", &[1.0, 2.0])], false);
    let study = study_of(inside, &[1.0, 2.0, 3.0]).unwrap();
    // k·N(N + 1)/2 is the stiffness.
    for (point, stiffness) in [(0, 1.0), (1, 2.0), (2, 3.0), (5, 12.0_f64)] {
        let x = record(&study, point).last[1];
        assert!((x - stiffness.sqrt().cos()).abs() < 1e-8, "{point}: {x}");
    }
    let refused = study_of(inside, &(1..=65).map(f64::from).collect::<Vec<_>>()).err().unwrap();
    assert!(matches!(refused, SweepRefusal::TooManyShapes(_)), "{refused}");
    let chain = "param N = 2, k = 1\ncoord x[i in 1..N]\nkinetic sum(i in 1..N, x[i]'^2/2)\nstart x[i in 1..N] = k\nrun until 1\n";
    let refused = study_of(chain, &[1.0, 2.0]).err().unwrap();
    assert!(matches!(refused, SweepRefusal::OtherColumns { .. }), "{refused}");
    assert!(study_of(chain, &[3.0]).is_ok());
}

#[test]
fn what_cannot_be_swept_is_said_before() {
    let refused = study(PENDULUM, vec![list("l", &[1.0])], false).err().unwrap();
    assert!(matches!(&refused, SweepRefusal::Unknown(name, known) if name == "l" && known.len() == 3), "{refused}");
    let loaded = from_text("model.holo", PENDULUM);
    let points = Points::product(vec![list("L", &[1.0])]).unwrap();
    let both = Study::new(&loaded, &[("L".into(), 2.0)], &Run::default(), points, false);
    assert!(matches!(both.err().unwrap(), SweepRefusal::SetAndVaried(_)));
}

/// However many workers, in one go or in two: the same bytes.
#[test]
fn tables_do_not_depend_on_how_they_were_made() {
    let scratch = Scratch::new("sweep");
    // So many that no machine is through with them before the fifth is seen.
    let values: Vec<f64> = (1..=200).map(|i| 0.25 + 0.01 * f64::from(i)).collect();
    let study = study(PENDULUM, vec![list("L", &values), list("m", &[1.0, -1.0])], true).unwrap();
    let counts = run_in(&study, &scratch.path("one"), 1);
    assert_eq!((counts.of(Ended::Finished), counts.of(Ended::Refused), counts.reasons.len()), (200, 200, 1));
    assert_eq!((counts.reasons[0].count, counts.reasons[0].example), (200, 2));
    run_in(&study, &scratch.path("four"), 4);
    // Some runs in a first session, which is then interrupted.
    let broken = scratch.path("broken");
    let mut journal = Journal::open(&broken, &study.identity(), 400, false).unwrap();
    let stop = AtomicBool::new(false);
    let mut watch = |progress: Progress| {
        if progress.now >= 5 {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let before = run(&study, &mut journal, &Work { jobs: 2, stop_on_failure: false, stop: &stop }, &mut watch).unwrap();
    assert!(before.done >= 5 && before.done < 400, "{before:?}");
    let (counts, _) = publish(&study, &journal, &broken, |_, _| "{}\n".into()).unwrap();
    assert_eq!(counts.of(Ended::Interrupted), 400 - before.done);
    drop(journal);
    run_in(&study, &broken, 3);
    for name in ["runs.parquet", "runs.csv", "trajectories.parquet", "summary.json"] {
        let bytes = ["one", "four", "broken"].map(|folder| fs::read(scratch.path(folder).join(name)).unwrap());
        assert!(bytes[0] == bytes[1] && bytes[0] == bytes[2], "{name}");
    }
    let text = fs::read_to_string(scratch.path("one/runs.csv")).unwrap();
    assert_eq!(text.lines().count(), 401);
    assert!(text.starts_with("point,L,m,end,reason,time,expectations,t,x,x',x''"), "{text}");
    let second = text.lines().nth(2).unwrap();
    assert!(second.starts_with("2,0.26,-1.0,refused,negative: a mass cannot be negative,,,,"), "{second}");
}

#[test]
fn the_first_failure_may_end_it() {
    let scratch = Scratch::new("first");
    let values: Vec<f64> = (0..200).map(|i| if i == 3 { -1.0 } else { 1.0 }).collect();
    let study = study(PENDULUM, vec![list("m", &values)], false).unwrap();
    let mut journal = Journal::open(&scratch.path("s"), &study.identity(), 200, false).unwrap();
    let stop = AtomicBool::new(false);
    let work = Work { jobs: 2, stop_on_failure: true, stop: &stop };
    let progress = run(&study, &mut journal, &work, &mut |_| {}).unwrap();
    assert!(progress.bad == 1 && progress.done < 200, "{progress:?}");
    assert!(journal.has(3));
}
