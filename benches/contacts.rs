//! `cargo bench -p holonom-benches --bench contacts`: blocks with friction beside the same without, per evaluation of the acceleration.
//!
//! Blocks side by side are independent of each other; in a stack all of them are coupled.

use holonom::mechanics::compile::CompiledSystem;
use holonom::simulate::integrate::{End, Observer, Outcome, Plan, Run, plan};
use holonom_benches::{models, timing};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Forgets all rows.
struct Nothing;

impl Observer for Nothing {
    fn row(&mut self, _: &[f64]) -> Result<(), std::io::Error> {
        Ok(())
    }
}

/// How blocks lie, and what they do.
#[derive(Clone, Copy)]
struct Scene {
    name: &'static str,
    /// `=` or `>=`.
    relation: &'static str,
    is_stack: bool,
    /// The speed of what they lie on: fast belts keep them sliding.
    belt: f64,
}

const SCENES: [Scene; 6] = [
    Scene { name: "side by side, sliding", relation: "=", is_stack: false, belt: 50.0 },
    Scene { name: "side by side, at rest", relation: "=", is_stack: false, belt: 0.0 },
    Scene { name: "one-sided, sliding", relation: ">=", is_stack: false, belt: 50.0 },
    Scene { name: "one-sided, at rest", relation: ">=", is_stack: false, belt: 0.0 },
    Scene { name: "stack, sliding", relation: "=", is_stack: true, belt: 50.0 },
    Scene { name: "stack, at rest", relation: "=", is_stack: true, belt: 0.0 },
];

/// N blocks, each on a spring that moves it while it slides; where they rest, a pendulum beside them gives the run something to do.
fn text(scene: &Scene, count: usize, has_friction: bool) -> String {
    let Scene { relation, is_stack, belt, .. } = *scene;
    let mut text = format!(
        "coord x[1..{count}], y[1..{count}], phi\ngravity (0, -9.81)\nparticle bob: 1 at (sin(phi), -cos(phi))\nstart phi = 1\n"
    );
    for i in 1..=count {
        let (below, height) = if is_stack && i > 1 { (format!(" - y[{}]", i - 1), 1) } else { (String::new(), 0) };
        let slip = match is_stack && i > 1 {
            true => format!("x[{i}]' - x[{}]' - {belt}", i - 1),
            false => format!("x[{i}]' - {belt}"),
        };
        let start = if is_stack { i - 1 } else { 0 };
        text += &format!(
            "particle block[{i}]: 1 at (x[{i}], y[{i}])
constraint floor[{i}]: y[{i}]{below} {relation} {height}
force x[{i}]: -{}*x[{i}]
start x[{i}] = 0, y[{i}] = {start}, x[{i}]' = 0
",
            10 + i % 5,
        );
        if has_friction {
            text += &format!("friction floor[{i}]: coulomb(0.3), slip = {slip}, normal = reaction(floor[{i}])\n");
        }
    }
    text
}

fn planned(text: &str, until: f64) -> Plan {
    let options = Run { until: Some(until), every: Some(until), ..Run::default() };
    match plan(&CompiledSystem::new(models::equations(text)), &options) {
        Ok(planned) => planned.value,
        Err(diagnostics) => panic!("{diagnostics:?}"),
    }
}

fn run(plan: &Plan) -> Outcome {
    let outcome = plan.run(&mut Nothing);
    assert_eq!(outcome.end, End::Finished, "{:?}", outcome.diagnostics);
    outcome
}

/// A short run and a long one: their difference is made of steps alone.
const SHORT: f64 = 0.5;
const LONG: f64 = 4.5;

fn main() {
    // `… --bench contacts -- 40 "side by side"`: up to 40 blocks, scenes with these words in their name.
    let words = || std::env::args().skip(1).filter(|word| !word.starts_with("--"));
    let most: usize = words().find_map(|word| word.parse().ok()).unwrap_or(200);
    let is_asked =
        |scene: &&Scene| words().filter(|word| word.parse::<usize>().is_err()).all(|word| scene.name.contains(&word));
    println!("| scene | blocks | check | begin | evaluation | without friction | ratio |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for scene in SCENES.iter().filter(is_asked) {
        for count in [3, 12, 40, 200].into_iter().filter(|count| *count <= most) {
            let begun = Instant::now();
            let first = planned(&text(scene, count, true), SHORT);
            let check = begun.elapsed().as_secs_f64();
            let second = planned(&text(scene, count, true), LONG);
            let [third, fourth] = [SHORT, LONG].map(|until| planned(&text(scene, count, false), until));
            let plans = [first, second, third, fourth];
            let evaluations = [0, 1, 2, 3].map(|i| run(&plans[i]).statistics.evaluations as f64);
            let [mut a, mut b, mut c, mut d] = [0, 1, 2, 3].map(|i| {
                let plan = &plans[i];
                move || _ = black_box(run(black_box(plan)))
            });
            let times = timing::best(&mut [&mut a, &mut b, &mut c, &mut d], Duration::from_secs(1));
            let per = |i: usize| (times[i + 1] - times[i]) / (evaluations[i + 1] - evaluations[i]);
            println!(
                "| {} | {count} | {check:.2} s | {:.2} ms | {:.2} µs | {:.2} µs | {:.1} |",
                scene.name,
                1e3 * (times[0] - evaluations[0] * per(0)),
                1e6 * per(0),
                1e6 * per(2),
                per(0) / per(2),
            );
        }
    }
}
