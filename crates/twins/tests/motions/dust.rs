//! Starts with dust: what rounding, or a pivot on the way, left of zero. Each moves like the start without it.

use holonom::System;
use holonom::language::{self, Folder};
use holonom::simulate::integrate::{End, RecordedRows, Run};
use holonom_random::Random;
use std::path::Path;

/// From 1e-16 down to what is hardly a number, now and then nothing.
fn dust(random: &mut Random) -> f64 {
    let sizes = [1e-16, 1e-17, 1e-19, 1e-30, 1e-100, 1e-150, 1e-160, 1e-164, 1e-167, 1e-300, 0.0];
    random.pick(&sizes) * random.real()
}

/// The model of `models/` with its start replaced, for a short while: its outputs at the end, and the steps it took.
fn run(name: &str, start: &str, until: f64) -> Result<(Vec<f64>, u64), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let text = std::fs::read_to_string(folder.join(format!("{name}.holo"))).map_err(|error| error.to_string())?;
    let line = |line: &str| if line.starts_with("start ") { format!("start {start}\n") } else { format!("{line}\n") };
    let text: String = text.lines().map(line).collect();
    let say = |messages: &[language::Diagnostic]| format!("{messages:?}");
    let loaded = language::from_text_with(&format!("{name}.holo"), &text, &Folder::new(&folder), &[]);
    let system = System::of(loaded, Vec::new()).map_err(|why| why.to_string())?;
    let outputs: usize = system.equations().model.outputs.iter().map(|output| output.components.len()).sum();
    let options =
        Run { until: Some(until), every: Some(until), rtol: Some(1e-8), max_steps: Some(5_000), ..Run::default() };
    let plan = system.plan(&options).map_err(|why| why.to_string())?.value;
    let mut trajectory = RecordedRows::default();
    let outcome = plan.run(&mut trajectory);
    if outcome.end != End::Finished || !outcome.diagnostics.is_empty() {
        return Err(format!("at t = {:e}: {}", outcome.time, say(&outcome.diagnostics)));
    }
    let last = trajectory.rows.pop().ok_or("nothing was recorded")?;
    Ok((last[last.len() - outputs..].to_vec(), outcome.statistics.steps + outcome.statistics.rejected))
}

/// Runs so many starts that `start` writes for a place and dust, and holds each against the one without dust.
fn alike(
    name: &str,
    count: usize,
    places: usize,
    until: f64,
    start: impl Fn(usize, &mut dyn FnMut() -> f64) -> String,
) {
    let mut random = Random::new(20_261_117);
    let mut faults = Vec::new();
    for place in 0..places {
        let (right, steps) = match run(name, &start(place, &mut || 0.0), until) {
            Ok(found) => found,
            Err(why) => {
                faults.push(format!("place {place} without dust: {why}"));
                continue;
            }
        };
        for _ in 0..count / places {
            let text = start(place, &mut || dust(&mut random));
            match run(name, &text, until) {
                Err(why) => faults.push(format!("{text}: {why}")),
                Ok((found, taken)) => {
                    let apart = found.iter().zip(&right).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
                    if apart > 1e-7 || taken > 2 * steps + 20 {
                        faults.push(format!("{text}: {apart:e} apart, {taken} steps instead of {steps}"));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} of {count}:\n{}", faults.len(), faults[..faults.len().min(5)].join("\n"));
}

/// The crank at multiples of 30 degrees, so that sines and cosines vanish or nearly do.
#[test]
fn a_slider_crank_of_parts() {
    alike("crank-of-parts", 480, 12, 0.3, |place, dust| {
        let angle = place as f64 * std::f64::consts::PI / 6.0;
        let rod = (-0.3 * angle.sin() / 0.8).asin();
        let slider = 0.3 * angle.cos() + 0.8 * rod.cos();
        format!(
            "crank.a = {:?}, crank.a' = 3, slider.x ~ {:?}, rod.a ~ {:?}, crank.y ~ {:?}",
            angle + dust(),
            slider + dust(),
            rod + dust(),
            0.15 * angle.sin() + dust()
        )
    });
}

#[test]
fn a_four_bar_of_five_parts() {
    alike("five-parts", 200, 4, 0.3, |place, dust| {
        let angle = [0.6, 1.0, std::f64::consts::FRAC_PI_2, 2.0][place];
        format!("crank.a = {:?}, crank.a' = 4, coupler.a ~ {:?}, rocker.a ~ 1.6", angle + dust(), 0.5 + dust())
    });
}

/// A small motion beside a large one is not dust: it grows by itself, from whatever it was.
#[test]
fn what_grows_from_little() {
    for (from, rate, until) in [(1e-17_f64, 20.0_f64, 2.0_f64), (1e-30, 100.0, 0.7)] {
        let text = format!(
            "coord x, y\nkinetic x'^2/2 + y'^2/2\npotential x^2/2 - {:?}*y^2\nstart x = 1, y = {from:?}\noutput o: y\n",
            rate * rate / 2.0
        );
        let system = System::parse("grows.holo", &text).expect("a model");
        let options = Run { until: Some(until), every: Some(until), ..Run::default() };
        let plan = system.plan(&options).expect("a plan").value;
        let mut trajectory = RecordedRows::default();
        plan.run(&mut trajectory);
        let found = trajectory.rows.last().and_then(|row| row.last()).copied().unwrap_or(f64::NAN);
        let right = from * (rate * until).cosh();
        assert!((found / right - 1.0).abs() < 1e-7, "from {from:e}: {found} instead of {right}");
    }
}

/// Unturned, and turned by halves about each axis; velocities of zero with dust.
#[test]
fn a_free_body() {
    alike("free-body", 320, 4, 2.0, |place, dust| {
        let mut e = [0.0; 4];
        e[place] = 1.0;
        let [a, b, c, d] = e;
        let rate = [-b * 0.005 - c * 0.5, a * 0.005 - d * 0.5, a * 0.5 + d * 0.005, b * 0.5 - c * 0.005];
        let mut words = Vec::new();
        for i in 0..4 {
            words.push(format!("e{i} = {:?}, e{i}' = {:?}", e[i] + dust(), rate[i] + dust()));
        }
        words.join(", ")
    });
}
