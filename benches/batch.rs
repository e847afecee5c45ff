//! `cargo bench -p holonom-benches --bench batch`: accelerations of many states of one model, beside the kernel one by one and a peer.

use holonom::mechanics::compile::{CompiledSystem, Group};
use holonom::simulate::batch::{Accelerations, States};
use holonom::{Snapshot, Workspace};
use holonom_benches::models;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::num::NonZero;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// P5: so many four-bars.
const COUNT: usize = 10_000;
const ROUNDS: usize = 40;
const CALLS: usize = 50;

fn main() {
    let system = CompiledSystem::new(models::equations(&models::N_FOUR_BAR.replace("N = 10", "N = 1")));
    let one = Accelerations::new(&system).threads(NonZero::<usize>::MIN);
    let two = Accelerations::new(&system).threads(NonZero::new(2).expect("not zero"));
    let (q, v, exact) = four_bars();
    let states = States { count: COUNT, q: &q, v: &v, ..States::default() };
    let mut out = vec![0.0; 4 * COUNT];
    let report = one.evaluate(&states, &mut out);
    assert!(report.redone.is_empty() && report.troubles.is_empty(), "{report:?}");
    let error = out.iter().zip(&exact).fold(0.0f64, |worst, (x, y)| worst.max((x - y).abs()));
    assert!(error < 1e-12, "{error:e}");

    let mut peer = Peer::start();
    let mut best = [f64::INFINITY; 4];
    let time = |best: &mut f64, calls: usize, call: &mut dyn FnMut()| {
        for _ in 0..calls {
            let start = Instant::now();
            call();
            *best = best.min(start.elapsed().as_secs_f64());
        }
    };
    system.compile(Group::Dynamics);
    for _ in 0..ROUNDS {
        time(&mut best[0], CALLS, &mut || _ = black_box(one.evaluate(black_box(&states), &mut out)));
        time(&mut best[1], CALLS, &mut || _ = black_box(two.evaluate(black_box(&states), &mut out)));
        time(&mut best[2], 1, &mut || by_kernel(black_box(&system), &q, &v, &mut out));
        if let Some(peer) = &mut peer {
            best[3] = best[3].min(peer.time(CALLS));
        }
    }
    println!(
        "P5, {COUNT} states of a four-bar: {} operations each in lanes, the certificate included.\n",
        one.operations().unwrap_or(0)
    );
    println!("|         | states | largest error | ns per state | million per second |");
    println!("|---------|-------:|--------------:|-------------:|-------------------:|");
    let line = |what: &str, error: f64, time: f64| {
        let per = time / COUNT as f64;
        println!("| {what} | {COUNT} | {error:.1e} | {:.2} | {:.1} |", per * 1e9, 1e-6 / per);
    };
    line("batch, one thread", error, best[0]);
    line("batch, two threads", error, best[1]);
    line("kernel, one by one", error, best[2]);
    match peer {
        Some(peer) => {
            line("heyoka, one thread", peer.error, best[3]);
            println!("\nOne thread here to the peer: {:.2} of its speed.", best[3] / best[0]);
        }
        None => println!("\nNo peer: set `HOLONOM_PYTHON` to an interpreter that has heyoka."),
    }
}

/// Positions, velocities and exact accelerations, quantity after quantity.
fn four_bars() -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let mut seed = 5u64;
    let mut next = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let mut lists = [vec![0.0; 4 * COUNT], vec![0.0; 4 * COUNT], vec![0.0; 4 * COUNT]];
    for k in 0..COUNT {
        let (angle, rate) = (1.2 * next(), 3.0 * next());
        let (s, c) = angle.sin_cos();
        let alpha = 1.2 * 9.81 * s;
        let (x, y) = (alpha * c - rate * rate * s, -alpha * s - rate * rate * c);
        // Coordinates are x₀, y₀, x₁, y₁.
        let rows = [[s, c, s + 1.0, c], [rate * c, -rate * s, rate * c, -rate * s], [x, y, x, y]];
        for (list, row) in lists.iter_mut().zip(rows) {
            row.iter().enumerate().for_each(|(i, value)| list[i * COUNT + k] = *value);
        }
    }
    let [q, v, exact] = lists;
    (q, v, exact)
}

/// One state after the other.
fn by_kernel(system: &CompiledSystem, q: &[f64], v: &[f64], out: &mut [f64]) {
    let (mut values, mut workspace) = (system.values(Group::Dynamics), Workspace::new());
    for k in 0..COUNT {
        let at = |list: &[f64]| -> [f64; 4] { std::array::from_fn(|i| list[i * COUNT + k]) };
        system.at(0.0, &at(q), &at(v), &mut values);
        let snapshot = Snapshot::new(values.mass(), values.force()).constrained(values.a(), values.b());
        let motion = workspace.solve(&snapshot).expect("a mechanical system");
        motion.acceleration.iter().enumerate().for_each(|(i, x)| out[i * COUNT + k] = *x);
    }
}

/// The peer in a process of its own, which answers when it is asked.
struct Peer {
    process: Child,
    answers: BufReader<std::process::ChildStdout>,
    error: f64,
}

impl Peer {
    /// Where `HOLONOM_PYTHON` (or `python3`) has it.
    fn start() -> Option<Self> {
        let python = std::env::var("HOLONOM_PYTHON").unwrap_or_else(|_| "python3".to_string());
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/heyoka_batch.py");
        let mut process = Command::new(python)
            .args([script, &COUNT.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut peer = Self { answers: BufReader::new(process.stdout.take()?), process, error: 0.0 };
        peer.error = peer.answer()?;
        Some(peer)
    }

    fn answer(&mut self) -> Option<f64> {
        let mut line = String::new();
        self.answers.read_line(&mut line).ok()?;
        line.trim().parse().ok()
    }

    /// The best time of so many calls.
    fn time(&mut self, calls: usize) -> f64 {
        let asked = self.process.stdin.as_mut().is_some_and(|stdin| writeln!(stdin, "{calls}").is_ok());
        if asked { self.answer().unwrap_or(f64::INFINITY) } else { f64::INFINITY }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It ends when nothing more can be read.
        drop(self.process.stdin.take());
        _ = self.process.wait();
    }
}
