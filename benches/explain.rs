//! `cargo bench -p holonom-benches --bench explain`: from text to the closed form in print, and M and Q in order beside the symbolic package.

use std::hint::black_box;
use std::time::Instant;

use holonom::explain::explicit::Form;
use holonom::explain::{Part, Request, explain};
use holonom::symbols::algebra::Budget;
use holonom_benches::models;

/// As `holonom explain` allows.
const WORK: u64 = 400_000_000;

fn main() {
    examples();
    beside_sympy();
}

/// Every example of the papers, two pendulums, and models that are too much.
fn examples() {
    println!("From text to the closed form in print.\n");
    println!("|                                   | form | time | characters |");
    println!("|-----------------------------------|------|-----:|-----------:|");
    let gallery = |name: &str| {
        let path = format!("{}/../gallery/{name}.holo", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("a model of the gallery")
    };
    let mut list: Vec<(String, String)> = [
        "wheel/wheel",
        "virtual-particle/virtual-particle",
        "two-masses/two-masses",
        "massless-first/massless-first",
        "massless-second/massless-second",
        "appell/appell",
        "block/block",
        "block/by-hand",
        "bead/bead",
    ]
    .into_iter()
    .map(|name| (name.to_string(), gallery(name)))
    .collect();
    list.push(("double pendulum, angles".to_string(), models::pendulum(2)));
    list.push(("double pendulum, Cartesian".to_string(), models::CARTESIAN_DOUBLE_PENDULUM.to_string()));
    list.push(("triple pendulum, angles".to_string(), models::pendulum(3)));
    for seed in 1..=3 {
        list.push((format!("6 coordinates, 4 quadrics, no. {seed}"), models::quadrics(6, 4, seed)));
    }
    for (name, text) in list {
        let mut best = f64::INFINITY;
        let (mut form, mut length) = ("", 0);
        let begun = Instant::now();
        while best == f64::INFINITY || (begun.elapsed().as_secs_f64() < 1.0) {
            let start = Instant::now();
            let equations = models::equations(&text);
            let request = Request { only: vec![Part::Acceleration], ..Request::default() };
            let explained = match explain(&equations, &request, &Budget::new(WORK)) {
                Ok(explained) => explained,
                Err(refusal) => panic!("{name}: {refusal:?}"),
            };
            length = explained.page.unicode(80, false).chars().count();
            best = best.min(start.elapsed().as_secs_f64());
            form = match explained.solution.form {
                Form::Closed => "closed",
                Form::Named { .. } => "named parts",
                _ => "implicit",
            };
        }
        println!("| {name:33} | {form} | {:.1} ms | {length} |", best * 1e3);
    }
}

/// M and Q of a pendulum of four links, derived and put in order, beside the symbolic package where `HOLONOM_PYTHON` (or `python3`) has it.
fn beside_sympy() {
    let python = std::env::var("HOLONOM_PYTHON").unwrap_or_else(|_| "python3".to_string());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/sympy_pendulum.py");
    println!("\nFrom energies to M and Q in order (`simplify`), beside the symbolic package.\n");
    println!("|            | here | symbolic package | ratio |");
    println!("|------------|-----:|-----------------:|------:|");
    for n in [2, 4] {
        let text = models::pendulum(n);
        let here = (0..5).fold(f64::INFINITY, |best, _| {
            let start = Instant::now();
            let equations = models::equations(&text);
            let request = Request { only: vec![Part::Mass, Part::Force], ..Request::default() };
            black_box(explain(&equations, &request, &Budget::new(WORK)).is_ok());
            best.min(start.elapsed().as_secs_f64())
        });
        let run = std::process::Command::new(&python).args([script, &n.to_string(), "simplify"]).output();
        let printed = run.ok().filter(|run| run.status.success()).map(|run| run.stdout);
        match printed.and_then(|text| String::from_utf8(text).ok()?.trim().parse::<f64>().ok()) {
            Some(there) => println!("| {n:3} links  | {:.1} ms | {there:.1} s | {:.0} |", here * 1e3, there / here),
            None => println!("| {n:3} links  | {:.1} ms | not installed | |", here * 1e3),
        }
    }
}
