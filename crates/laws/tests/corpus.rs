//! The corpus of hard cases: every answer of the kernel against exact rational arithmetic.
#![allow(non_snake_case)]

use holonom::{Motion, Snapshot, Workspace};
use serde_json::Value;

struct Case {
    id: String,
    family: String,
    rounded: bool,
    M: Vec<f64>,
    Q: Vec<f64>,
    A: Vec<f64>,
    b: Vec<f64>,
    C: Option<Vec<f64>>,
    expect: Value,
    err: Value,
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().expect("a number")],
    }
}

fn corpus() -> Vec<Case> {
    include_str!("../corpus/hard.jsonl")
        .lines()
        .map(|line| {
            let v: Value = serde_json::from_str(line).expect("a JSON object");
            let text = |name: &str| v[name].as_str().expect("a name").to_owned();
            Case {
                id: v["id"].to_string(),
                family: text("family"),
                rounded: v["rounded"].as_bool().expect("a flag"),
                M: numbers(&v["M"]),
                Q: numbers(&v["Q"]),
                A: numbers(&v["A"]),
                b: numbers(&v["b"]),
                C: v.get("C").map(numbers),
                expect: v["expect"].clone(),
                err: v["err"].clone(),
            }
        })
        .collect()
}

/// What differs between the kernel's answer and the exact one, in words.
fn differences(case: &Case, motion: &Motion) -> Vec<String> {
    let mut found = Vec::new();
    let n = case.Q.len();
    let exact = |name: &str| numbers(&case.expect[name]);
    let vector = |found: &mut Vec<String>, name: &str, got: &[f64], against: f64| {
        let want = exact(name);
        let size = want.iter().chain(got).fold(against, |m: f64, x| m.max(x.abs()));
        let movement = case.err.get(name.trim_end_matches("_ideal")).map(numbers);
        for (i, (g, w)) in got.iter().zip(&want).enumerate() {
            // Exact data have an exact answer: the kernel must find it. Rounded data move it by `err`, and so
            // do coefficients of repeated rows when rows of 10⁶ contradict each other.
            let loose = case.rounded || case.family == "contradictory-heavy";
            let moved = movement.as_ref().map_or(0.0, |e| 100.0 * e[i]) + 1e-12 * size;
            let allowed = if loose { moved } else { 0.0 };
            let tolerance = 1e-12 * w.abs() + 2e-13 * size + allowed;
            if (g - w).abs() > tolerance {
                found.push(format!("{name}[{i}] = {g:e}, exact {w:e}, off by {:.1e} of {size:.1e}", (g - w).abs()));
            }
        }
        if got.len() != want.len() {
            found.push(format!("{name} has {} entries, not {}", got.len(), want.len()));
        }
    };
    let force = |x: &[f64]| x.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    let Q = force(&case.Q).max(case.C.as_ref().map_or(0.0, |C| force(C)));
    vector(&mut found, "qdd", &motion.acceleration, 0.0);
    vector(&mut found, "Qi", &motion.ideal_force, Q);
    vector(&mut found, "Qni", &motion.nonideal_force, case.C.as_ref().map_or(0.0, |C| force(C)));
    // A multiplier that is exactly zero is rounding of a force over the size of its rows.
    let row = case.A.iter().filter(|a| **a != 0.0).fold(f64::INFINITY, |m: f64, a| m.min(a.abs()));
    let floor = if row.is_finite() { 1e-2 * Q / row } else { 0.0 };
    vector(&mut found, "lambda", &motion.reactions, floor);
    vector(&mut found, "lambda_ideal", &motion.ideal_multipliers, floor);
    vector(&mut found, "unbalanced", &motion.unbalanced_force, 0.0);
    let count = |found: &mut Vec<String>, name: &str, got: usize| {
        if case.expect[name].as_u64() != Some(got as u64) {
            found.push(format!("{name} = {got}, exact {}", case.expect[name]));
        }
    };
    count(&mut found, "rank_A", motion.constraint_rank.rank);
    count(&mut found, "rank_Mhat", motion.system_rank.rank);
    let flag = |found: &mut Vec<String>, name: &str, got: bool| {
        if case.expect[name].as_bool() != Some(got) {
            found.push(format!("{name} = {got}, exact {}", case.expect[name]));
        }
    };
    flag(&mut found, "consistent", motion.consistent);
    flag(&mut found, "dyn_consistent", motion.balanced);
    let undetermined: Vec<f64> = motion.undetermined().map(|j| j as f64).collect();
    if undetermined != exact("undetermined") {
        found.push(format!("undetermined = {undetermined:?}, exact {}", case.expect["undetermined"]));
    }
    let Pi = exact("Pi");
    for i in 0..n {
        for j in 0..n {
            let got: f64 = motion.free_directions().map(|w| w[i] * w[j]).sum();
            if (got - Pi[i * n + j]).abs() > 1e-13 {
                found.push(format!("Pi[{i}][{j}] = {got:e}, exact {:e}", Pi[i * n + j]));
            }
        }
    }
    found
}

#[test]
fn the_kernel_agrees_with_exact_arithmetic_on_every_hard_case() {
    let mut workspace = Workspace::new();
    let mut wrong = Vec::new();
    let cases = corpus();
    for case in &cases {
        let mut snapshot = Snapshot::new(&case.M, &case.Q).constrained(&case.A, &case.b);
        if let Some(C) = &case.C {
            snapshot = snapshot.nonideal(C);
        }
        match workspace.solve(&snapshot) {
            Ok(motion) => {
                let found = differences(case, motion);
                if !found.is_empty() {
                    wrong.push(format!("{} {}: {}", case.family, case.id, found.join("\n    ")));
                }
            }
            Err(e) => wrong.push(format!("{} {}: {e}", case.family, case.id)),
        }
    }
    assert!(cases.len() > 500);
    assert!(wrong.is_empty(), "{} of {} cases differ:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
