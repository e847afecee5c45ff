//! `cargo bench -p holonom-benches --bench compile`: compiled equations beside the same written by hand, as ratios.

use holonom::mechanics::compile::{CompiledSystem, Group, Inputs, ProgramStates};
use holonom_benches::{by_hand, models, timing};
use std::hint::black_box;
use std::time::{Duration, Instant};

fn main() {
    println!("Evaluation of M, Q, A, b at one state; batch: per state, of 1,000. Ratios are to the code by hand.\n");
    println!("|                 | operations | by hand | machine code | interpreter | batch |");
    println!("|-----------------|-----------:|--------:|-------------:|------------:|------:|");
    pendulum();
    andrews();
    println!(
        "\nFrom text to equations, to the first evaluation, and to machine code, each on top of the one before; the best of some.\n"
    );
    println!("|            | equations | first evaluation | machine code | operations | of them fixed |");
    println!("|------------|----------:|-----------------:|-------------:|-----------:|--------------:|");
    for n in [10, 100] {
        times(n, if n == 10 { 20 } else { 3 });
    }
    beside_sympy();
}

/// The same pendulum derived by the symbolic package, where `HOLONOM_PYTHON` (or `python3`) has it.
fn beside_sympy() {
    let python = std::env::var("HOLONOM_PYTHON").unwrap_or_else(|_| "python3".to_string());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/sympy_pendulum.py");
    println!("\nFrom energies to M and Q, beside the symbolic package.\n");
    println!("|            | here | symbolic package | ratio |");
    println!("|------------|-----:|-----------------:|------:|");
    for n in [2, 4, 6, 10] {
        let text = models::pendulum(n);
        let here = (0..10).fold(f64::INFINITY, |best, _| {
            let start = Instant::now();
            black_box(models::equations(&text));
            best.min(start.elapsed().as_secs_f64())
        });
        let run = std::process::Command::new(&python).arg(script).arg(n.to_string()).output();
        let printed = run.ok().filter(|run| run.status.success()).map(|run| run.stdout);
        let Some(there) = printed.and_then(|text| String::from_utf8(text).ok()?.trim().parse::<f64>().ok()) else {
            println!("| {n:3} links  | {:.2} ms | not installed | |", here * 1e3);
            continue;
        };
        println!("| {n:3} links  | {:.2} ms | {there:.2} s | {:.0} |", here * 1e3, there / here);
    }
}

/// How long it takes from text to machine code.
fn times(n: usize, rounds: usize) {
    let mut best = [f64::INFINITY; 3];
    let mut counts = (0, 0);
    for _ in 0..rounds {
        let text = models::pendulum(n);
        let start = Instant::now();
        let equations = models::equations(&text);
        best[0] = best[0].min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let system = CompiledSystem::new(equations);
        let mut values = system.values(Group::Dynamics);
        let (q, v) = (vec![0.1; n], vec![0.2; n]);
        system.at(0.0, &q, &v, &mut values);
        best[1] = best[1].min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        assert!(system.program(Group::Dynamics).compile());
        best[2] = best[2].min(start.elapsed().as_secs_f64());
        counts = (system.program(Group::Dynamics).operations(), system.program(Group::Dynamics).fixed_operations());
    }
    let [derive, first, native] = best.map(|seconds| seconds * 1e3);
    println!("| {n:3} links  | {derive:.2} ms | {first:.2} ms | {native:.2} ms | {} | {} |", counts.0, counts.1);
}

fn pendulum() {
    const N: usize = 10;
    let system = CompiledSystem::new(models::equations(&models::pendulum(N)));
    let mut hand = by_hand::Pendulum::<N>::new(|name| system.parameter(name).expect(name));
    let q: [f64; N] = std::array::from_fn(|i| 0.3 + 0.1 * i as f64);
    let v: [f64; N] = std::array::from_fn(|i| 1.0 - 0.2 * i as f64);
    hand.evaluate(&q, &v);
    let expected: Vec<f64> = hand.mass.as_flattened().iter().chain(&hand.force).copied().collect();
    compare("10-link chain", &system, &q, &v, &expected, &mut || hand.evaluate(black_box(&q), black_box(&v)));
}

fn andrews() {
    let system = CompiledSystem::new(models::equations(models::ANDREWS));
    let mut hand = by_hand::Andrews::new(|name| system.parameter(name).expect(name));
    let q = [
        -0.06171389001427645,
        0.1,
        0.45527981916307037,
        0.22266839016588588,
        0.48736497954384256,
        -0.22266839016588588,
        1.2305474445498212,
    ];
    let v: [f64; 7] = std::array::from_fn(|i| 1.0 - 0.3 * i as f64);
    hand.evaluate(&q, &v);
    let parts = [hand.mass.as_flattened(), &hand.force, hand.a.as_flattened(), &hand.b];
    let expected: Vec<f64> = parts.concat();
    compare("Andrews", &system, &q, &v, &expected, &mut || hand.evaluate(black_box(&q), black_box(&v)));
}

fn compare(name: &str, system: &CompiledSystem, q: &[f64], v: &[f64], expected: &[f64], by_hand: &mut dyn FnMut()) {
    let program = system.program(Group::Dynamics);
    let fixed = program.fixed(system.parameters());
    let inputs = Inputs { q, v, ..Inputs::default() };
    let (mut memory, mut tape_memory, mut batch) = (program.memory(), program.memory(), program.batch());
    assert!(program.compile(), "this host is supported");
    let found = program.evaluate(&fixed, &inputs, &mut memory);
    assert_eq!(found.len(), expected.len());
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < 1e-12 * (1e-6 + expected.abs()), "{name}, {i}: {found} is not {expected}");
    }
    let count = 1000;
    let many = |values: &[f64]| -> Vec<f64> {
        values.iter().flat_map(|x| (0..count).map(move |k| x + 1e-3 * k as f64)).collect()
    };
    let (qs, vs) = (many(q), many(v));
    let states = ProgramStates { count, q: &qs, v: &vs, ..ProgramStates::default() };
    let mut out = vec![0.0; expected.len() * count];
    let times = timing::best(
        &mut [
            by_hand,
            &mut || _ = black_box(program.evaluate(&fixed, black_box(&inputs), &mut memory)),
            &mut || _ = black_box(program.interpret(&fixed, black_box(&inputs), &mut tape_memory)),
            &mut || program.evaluate_batch(&fixed, black_box(&states), &mut batch, &mut out),
        ],
        Duration::from_secs(6),
    );
    println!(
        "| {name:15} | {} | {:.0} ns | {:.2} | {:.1} | {:.2} |",
        program.operations(),
        times[0] * 1e9,
        times[1] / times[0],
        times[2] / times[0],
        times[3] / times[0] / count as f64
    );
}
