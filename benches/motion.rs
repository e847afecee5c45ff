//! `cargo bench -p holonom-benches --bench motion`: runs in time, beside the same by hand and beside their own parts, as ratios.

use holonom::language::Drift;
use holonom::mechanics::compile::CompiledSystem;
use holonom::simulate::integrate::{End, Field, Observer, Outcome, Plan, Run, TableLayout, plan};
use holonom_benches::{models, squeezer, timing};
use std::hint::black_box;
use std::time::Duration;

/// Keeps the last row.
#[derive(Default)]
struct Last(Vec<f64>);

impl Observer for Last {
    fn row(&mut self, values: &[f64]) -> Result<(), std::io::Error> {
        self.0.clear();
        self.0.extend_from_slice(values);
        Ok(())
    }
}

/// A plan that records the start and the end.
fn planned(text: &str, until: f64, change: impl FnOnce(&mut Run)) -> Plan {
    let mut options = Run { until: Some(until), every: Some(until), ..Run::default() };
    change(&mut options);
    match plan(&CompiledSystem::new(models::equations(text)), &options) {
        Ok(planned) => planned.value,
        Err(diagnostics) => panic!("{diagnostics:?}"),
    }
}

fn run(plan: &Plan) -> (Outcome, Vec<f64>) {
    let mut last = Last::default();
    let outcome = plan.run(&mut last);
    assert_eq!(outcome.end, End::Finished, "{:?}", outcome.diagnostics);
    (outcome, last.0)
}

fn four_bars(n: usize) -> String {
    models::N_FOUR_BAR.replace("N = 10", &format!("N = {n}"))
}

fn main() {
    andrews();
    parts();
    long();
}

/// Andrews' mechanism beside the same by hand: with the same tolerance, and with the loosest that is as accurate.
fn andrews() {
    println!("Andrews' mechanism, 0.03 s, beside the same by hand.\n");
    println!("|         | rtol | error | steps | time | ratio | ratio per evaluation |");
    println!("|---------|-----:|------:|------:|-----:|------:|---------------------:|");
    let exact = [15.8107711951, -15.7563710584, 0.0408222401197];
    let error = |found: [f64; 3]| found.iter().zip(exact).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
    let system = CompiledSystem::new(models::equations(models::ANDREWS));
    let by_hand = || squeezer::Squeezer::new(|name| system.parameter(name).expect(name));
    let plan = planned(models::ANDREWS, 0.03, |_| ());
    let (outcome, row) = run(&plan);
    let start: [f64; 7] = std::array::from_fn(|i| plan.start()[i]);
    let here = error(["beta", "Theta", "gamma"].map(|name| row[plan.column(name).expect(name)]));
    assert!(here < 1e-8, "{here:e}");
    let ends = |rtol| {
        let mut hand = by_hand();
        let ended = hand.run(&start, 0.03, rtol, 1e-12);
        (ended, hand.evaluations, error([ended.state[0], ended.state[1], ended.state[2]]))
    };
    let tolerances = (0..).map(|i| 10f64.powf(-6.0 - 0.25 * f64::from(i)));
    let Some(loose) = tolerances.take(28).find(|rtol| ends(*rtol).2 <= here) else { panic!("not as accurate by hand") };
    let (mut same, mut equal) = (by_hand(), by_hand());
    let times = timing::best(
        &mut [
            &mut || _ = black_box(run(black_box(&plan))),
            &mut || _ = black_box(same.run(black_box(&start), 0.03, plan.settings.rtol, 1e-12)),
            &mut || _ = black_box(equal.run(black_box(&start), 0.03, loose, 1e-12)),
        ],
        Duration::from_secs(8),
    );
    let done = outcome.statistics;
    let per = times[0] / done.evaluations as f64;
    println!(
        "| here | {:.0e} | {here:.1e} | {} + {} | {:.2} ms | 1 | 1 |",
        plan.settings.rtol,
        done.steps,
        done.rejected,
        times[0] * 1e3
    );
    for (rtol, time) in [(plan.settings.rtol, times[1]), (loose, times[2])] {
        let (ended, evaluations, error) = ends(rtol);
        println!(
            "| by hand | {rtol:.0e} | {error:.1e} | {} + {} | {:.2} ms | {:.2} | {:.2} |",
            ended.steps,
            ended.rejected,
            time * 1e3,
            times[0] / time,
            per / (time / evaluations as f64)
        );
    }
}

/// States along a motion, in the form of `start`: q, q̇ and works that nothing depends on.
fn states(text: &str, until: f64, start: &[f64]) -> Vec<(f64, Vec<f64>)> {
    #[derive(Default)]
    struct All(Vec<Vec<f64>>);
    impl Observer for All {
        fn row(&mut self, values: &[f64]) -> Result<(), std::io::Error> {
            self.0.push(values.to_vec());
            Ok(())
        }
    }
    let plan = planned(text, until, |options| options.every = Some(until / 256.0));
    let layout = TableLayout::of(plan.system());
    let mut all = All::default();
    plan.run(&mut all);
    let state = |row: &Vec<f64>| {
        let (q, v) = layout.state(row);
        let works = &start[q.len() + v.len()..];
        (row[0], [&q, &v, works].concat())
    };
    all.0.iter().map(state).collect()
}

/// What the steps of a run cost beyond their accelerations, and what projection costs.
fn parts() {
    println!("\nThe steps of a run beside their accelerations, and beside themselves without projection.\n");
    println!(
        "|            | steps | evaluations | corrections | run | one acceleration | steps / accelerations | with / without projection |"
    );
    println!(
        "|------------|------:|------------:|------------:|----:|-----------------:|----------------------:|--------------------------:|"
    );
    // The same four-bar hanging, which passes no singular configuration.
    let hanging = four_bars(1).replace("y[i in 0..N] = 1", "y[i in 0..N] = -1").replace("(0, -1)", "(0, 1)");
    for (name, text, until) in [
        ("four-bar", four_bars(1), 10.0),
        ("hanging", hanging, 10.0),
        ("Andrews", models::ANDREWS.to_string(), 0.03),
        ("pendulum", models::PENDULUM.to_string(), 10.0),
    ] {
        let plan = planned(&text, until, |_| ());
        // Where the motion passes singular configurations, it would not do without.
        let short = if name == "four-bar" { 0.6 } else { until };
        let with = planned(&text, short, |_| ());
        let without = planned(&text, short, |options| options.drift = Some(Drift::None));
        // What a run costs before its first steps is no part of a step.
        let brief = planned(&text, 1e-3 * until, |_| ());
        let (outcome, before) = (run(&plan).0, run(&brief).0.statistics);
        let steps = |plan| {
            let statistics = run(plan).0.statistics;
            (statistics.steps + statistics.rejected) as f64
        };
        let (steps_with, steps_without) = (steps(&with), steps(&without));
        // Accelerations at states along the motion: one state over and over is what a processor learns by heart.
        let (mut field, states) = (plan.field(), states(&text, until, &plan.start()));
        let mut rate = plan.start();
        let times = timing::best(
            &mut [
                &mut || _ = black_box(run(black_box(&plan))),
                &mut || {
                    for (t, y) in &states {
                        _ = black_box(field.rate(*t, black_box(y), &mut rate).is_ok());
                    }
                },
                &mut || _ = black_box(run(black_box(&with))),
                &mut || _ = black_box(run(black_box(&without))),
                &mut || _ = black_box(run(black_box(&brief))),
            ],
            Duration::from_secs(6),
        );
        let (statistics, acceleration) = (outcome.statistics, times[1] / states.len() as f64);
        println!(
            "| {name:10} | {} + {} | {} | {} | {:.3} ms | {:.0} ns | {:.2} | {:.2} |",
            statistics.steps,
            statistics.rejected,
            statistics.evaluations,
            statistics.corrections,
            times[0] * 1e3,
            acceleration * 1e9,
            (times[0] - times[4]) / ((statistics.evaluations - before.evaluations) as f64 * acceleration),
            times[2] / steps_with / (times[3] / steps_without)
        );
    }
}

/// Long runs and large ones, in seconds.
fn long() {
    println!("\nLong runs and large ones.\n");
    println!("|                       | rtol | time | steps | residual | energy |");
    println!("|-----------------------|-----:|-----:|------:|---------:|-------:|");
    for (name, text, until, rtol, rounds) in [
        ("pendulum, 2,000 s", models::PENDULUM.to_string(), 2000.0, 1e-9, 5),
        ("pendulum, 2,000 s", models::PENDULUM.to_string(), 2000.0, 1e-11, 5),
        ("chain of 10, 1 s", models::CHAIN.to_string(), 1.0, 1e-9, 5),
        ("2 four-bars, 10 s", four_bars(2), 10.0, 1e-9, 5),
        ("40 four-bars, 10 s", four_bars(40), 10.0, 1e-9, 1),
    ] {
        let plan = planned(&text, until, |options| options.rtol = Some(rtol));
        let (outcome, _) = run(&plan);
        let best = (0..rounds).fold(f64::INFINITY, |best, _| {
            let start = std::time::Instant::now();
            black_box(run(black_box(&plan)));
            best.min(start.elapsed().as_secs_f64())
        });
        let evidence = outcome.evidence;
        println!(
            "| {name:21} | {rtol:.0e} | {best:.4} s | {} | {:.0e} | {:.0e} |",
            outcome.statistics.steps,
            evidence.position_residual.max(evidence.velocity_residual),
            evidence.energy_imbalance / evidence.energy_scale
        );
    }
}
