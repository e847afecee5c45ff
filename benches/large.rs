//! `cargo bench -p holonom-benches --bench large`: chains and linkages of thousands of bodies, beside the same by hand.
//!
//! With the names of parts as arguments (`-- four-bars`), those alone. With a number, a chain of so many links runs for a moment, and
//! the memory that it took is reported.

use holonom::language::from_text;
use holonom::mechanics::compile::{CompiledSystem, Group};
use holonom::mechanics::derive::derive;
use holonom::simulate::integrate::{End, Field, Observer, Outcome, Plan, Run, plan};
use holonom_benches::{chain::Chain, models, timing};
use std::hint::black_box;
use std::time::{Duration, Instant};

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

fn planned(text: &str, until: f64, rtol: f64) -> Plan {
    let options = Run { until: Some(until), every: Some(until), rtol: Some(rtol), ..Run::default() };
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

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let Some(links) = arguments.iter().find_map(|argument| argument.parse().ok()) {
        return memory(links);
    }
    let parts: [(&str, fn()); 4] =
        [("texts", texts), ("accelerations", accelerations), ("chain", chain_in_motion), ("four-bars", four_bars)];
    for (name, part) in parts {
        if arguments.is_empty() || arguments.iter().any(|argument| argument == name) {
            part();
        }
    }
}

/// From the text of a chain to its compiled system.
fn texts() {
    println!("P1, from the text to a compiled system.\n");
    println!("| links | checked model | equations | compiled | together |");
    println!("|------:|--------------:|----------:|---------:|---------:|");
    for links in [100, 1_000, 10_000, 100_000] {
        let text = models::chain(links);
        let mut best = [f64::INFINITY; 4];
        for _ in 0..if links > 10_000 { 1 } else { 3 } {
            let start = Instant::now();
            let loaded = from_text("chain.holo", &text);
            let checked = start.elapsed().as_secs_f64();
            let equations = derive(loaded.model.expect("a good model")).expect("a good model").value;
            let derived = start.elapsed().as_secs_f64();
            let system = CompiledSystem::new(equations);
            let mut values = system.values(Group::Sparse);
            let y = Chain::new(links).start();
            let (q, v) = y.split_at(2 * links);
            system.at(0.0, q, v, &mut values);
            let all = start.elapsed().as_secs_f64();
            black_box(values.all());
            for (best, time) in best.iter_mut().zip([checked, derived - checked, all - derived, all]) {
                *best = best.min(time);
            }
        }
        let [checked, derived, compiled, all] = best;
        println!("| {links} | {checked:.3} s | {derived:.3} s | {compiled:.3} s | {all:.3} s |");
    }
}

/// Coordinates as the model has them, x₁, y₁, x₂, …, from x₁ … x_N, y₁ … y_N, by level.
fn interleaved(y: &[f64]) -> Vec<f64> {
    let links = y.len() / 4;
    let of = |level: usize| (0..2 * links).map(move |i| y[(2 * level + i % 2) * links + i / 2]);
    of(0).chain(of(1)).collect()
}

fn accelerations() {
    println!("\nP1, one acceleration from the model's text beside a tridiagonal solve by hand.\n");
    println!("| links | here | by hand | ratio | here, per link |");
    println!("|------:|-----:|--------:|------:|---------------:|");
    for links in [100, 1_000, 10_000, 100_000] {
        let plan = planned(&models::chain(links), 1.0, 1e-9);
        let mut hand = Chain::new(links);
        let start = hand.start();
        // In motion, so that nothing is zero.
        let mut y = start.clone();
        for i in 0..2 * links {
            y[2 * links + i] = 0.3 * if i < links { -start[links + i] } else { start[i - links] };
        }
        let here = interleaved(&y);
        let mut field = plan.field();
        let (mut rate, mut other) = (vec![0.0; here.len()], vec![0.0; y.len()]);
        assert!(field.rate(0.0, &here, &mut rate).is_ok());
        let Ok(()) = hand.rate(0.0, &y, &mut other);
        let other_here = interleaved(&other);
        let largest = other_here.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let apart = rate.iter().zip(&other_here).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(apart < 1e-9 * largest, "{apart:e} of {largest:e}");
        let times = timing::best(
            &mut [&mut || _ = black_box(field.rate(0.0, black_box(&here), &mut rate).is_ok()), &mut || {
                _ = black_box(hand.rate(0.0, black_box(&y), &mut other))
            }],
            Duration::from_secs(4),
        );
        println!(
            "| {links} | {:.2} µs | {:.2} µs | {:.2} | {:.1} ns |",
            times[0] * 1e6,
            times[1] * 1e6,
            times[0] / times[1],
            times[0] / links as f64 * 1e9
        );
    }
}

fn chain_in_motion() {
    println!("\nP1 in motion, 1 s at 1e-9, beside the same by hand: the same method, projecting too.\n");
    println!("| links | | steps | evaluations | time | ratio | ratio per evaluation | tip apart |");
    println!("|------:|-|------:|------------:|-----:|------:|---------------------:|----------:|");
    for (links, rounds) in [(100, 5), (1_000, 1)] {
        let plan = planned(&models::chain(links), 1.0, 1e-9);
        let mut best = [f64::INFINITY; 2];
        let (mut found, mut by_hand) = (None, None);
        for _ in 0..rounds {
            let start = Instant::now();
            found = Some(run(&plan));
            best[0] = best[0].min(start.elapsed().as_secs_f64());
            let mut hand = Chain::new(links);
            let start = Instant::now();
            let ended = hand.run(1.0, 1e-9, 1e-12);
            best[1] = best[1].min(start.elapsed().as_secs_f64());
            by_hand = Some((ended, hand.evaluations));
        }
        let (Some((outcome, row)), Some((ended, evaluations))) = (found, by_hand) else { return };
        let column = |name: String| row[plan.column(&name).expect("a column")];
        let tip = (column(format!("p[{links}].x")), column(format!("p[{links}].y")));
        let apart = (tip.0 - ended.state[links - 1]).hypot(tip.1 - ended.state[2 * links - 1]);
        let done = outcome.statistics;
        let per = [best[0] / done.evaluations as f64, best[1] / evaluations as f64];
        println!(
            "| {links} | here | {} + {} | {} | {:.3} s | {:.2} | {:.2} | {apart:.1e} |",
            done.steps,
            done.rejected,
            done.evaluations,
            best[0],
            best[0] / best[1],
            per[0] / per[1]
        );
        println!(
            "| {links} | by hand | {} + {} | {evaluations} | {:.3} s | 1 | 1 | |",
            ended.steps, ended.rejected, best[1]
        );
        if links == 100 {
            let known = (-0.661889279086, -0.745061351354);
            let off = (tip.0 - known.0).hypot(tip.1 - known.1);
            println!("\nThe tip of 100 links is {off:.1e} from the reference.\n");
        }
    }
}

/// θ of the parallelogram that all cranks of n four-bars form, by a method of its own and small steps.
fn crank(n: usize, until: f64) -> f64 {
    let (inertia, weight) = ((n + 1) as f64 / 3.0 + n as f64, (n + 1) as f64 / 2.0 + n as f64);
    let rate = |[theta, omega]: [f64; 2]| [omega, weight / inertia * 9.81 * theta.sin()];
    let steps = 40_000;
    let h = until / f64::from(steps);
    let mut y = [0.0, 1.0];
    let add = |y: [f64; 2], h: f64, k: [f64; 2]| [y[0] + h * k[0], y[1] + h * k[1]];
    for _ in 0..steps {
        let a = rate(y);
        let b = rate(add(y, 0.5 * h, a));
        let c = rate(add(y, 0.5 * h, b));
        let d = rate(add(y, h, c));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    y[0]
}

fn four_bars() {
    println!("\nP2, N four-bars in a row, 2 s at 1e-8: through two configurations in which N ranks are lost.\n");
    println!(
        "| N | steps | evaluations | losses of rank found | time | per four-bar | first joint apart | violation |"
    );
    println!(
        "|--:|------:|------------:|---------------------:|-----:|-------------:|------------------:|----------:|"
    );
    for count in [40, 400, 4_000] {
        let plan = planned(&models::four_bars(count), 2.0, 1e-8);
        let (mut best, mut found) = (f64::INFINITY, None);
        for _ in 0..if count > 1_000 { 1 } else { 5 } {
            let start = Instant::now();
            found = Some(run(&plan));
            best = best.min(start.elapsed().as_secs_f64());
        }
        let Some((outcome, row)) = found else { return };
        let column = |name: &str| row[plan.column(name).expect("a column")];
        let theta = crank(count, 2.0);
        let apart = (column("x[0]") - theta.sin()).hypot(column("y[0]") - theta.cos());
        let losses: Vec<String> =
            outcome.ranks.iter().map(|change| (change.rank - change.rank_there).to_string()).collect();
        let done = outcome.statistics;
        println!(
            "| {count} | {} + {} | {} | {} | {best:.3} s | {:.2} ms | {apart:.1e} | {:.1e} |",
            done.steps,
            done.rejected,
            done.evaluations,
            losses.join(", "),
            best / count as f64 * 1e3,
            outcome.evidence.position_residual
        );
    }
}

/// A chain that runs for a moment, and the memory that it took.
fn memory(links: usize) {
    let start = Instant::now();
    let plan = planned(&models::chain(links), 1e-4, 1e-9);
    let planned = start.elapsed().as_secs_f64();
    let (outcome, _) = run(&plan);
    let all = start.elapsed().as_secs_f64();
    println!(
        "{links} links: planned in {planned:.1} s, {} steps and {} evaluations in {:.1} s, {}",
        outcome.statistics.steps,
        outcome.statistics.evaluations,
        all - planned,
        peak().unwrap_or_else(|| "memory unknown".to_string())
    );
}

/// The most memory that this process held, where the system tells.
fn peak() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(format!("{:.2} GB at most", kilobytes / 1e6))
}
