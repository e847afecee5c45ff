//! `cargo bench -p holonom-benches --bench mechanisms`: accelerations and runs of mechanisms in both formulations.
//!
//! With `-- --serve` it prints its cases and then answers requests, one a line, so that `peers/arms.py` can let peers take turns
//! with it: `CASE | FORMULATION` is answered by nanoseconds per acceleration, `run | CASE | FORMULATION | RTOL` by the seconds,
//! evaluations and steps of a run of 10 s, and the tip after every second.

use holonom::mechanics::compile::{CompiledSystem, Group, Inputs};
use holonom::simulate::integrate::{End, Field, Observer, Plan, Run, TableLayout, plan};
use holonom::{Snapshot, Workspace};
use holonom_benches::{models, timing};
use std::hint::black_box;
use std::io::BufRead;
use std::time::{Duration, Instant};

/// P8: Bricard's mechanism.
const BRICARD: &str = "\
let        P[0] = (0, 0, 0), P[1] = (1, 0, 0), P[2] = (1, -1, 0), P[3] = (1, -1, 1), P[4] = (0, -1, 1), P[5] = (0, 0, 1)
let        n[0] = (0, 1, 0), n[1] = (0, 0, 1), n[2] = (1, 0, 0), n[i in 3..5] = n[i-3]
body       link[i in 1..5]: box(1, 0.1, 0.1) of 1, from P[i-1] to P[i]
gravity    (0, -9.81, 0)
joint      h[0]: hinge(ground, link[1]), at P[0], axis n[0]
joint      h[i in 1..4]: hinge(link[i], link[i+1]), at P[i], axis n[i]
joint      h[5]: hinge(link[5], ground), at P[5], axis n[5]
output     tip: link[3](0.5, 0, 0)
output     pull: (link[3](0.5, 0, 0))''
";

/// P11: the six-axis arm; `BEND` is the angle at its third hinge in the placement.
const ARM: &str = "\
param      bend = BEND
let        e = (cos(bend), 0, -sin(bend))
let        l[1] = 0.4, l[2] = 0.6, l[3] = 0.12, l[4] = 0.5, l[5] = 0.1, l[6] = 0.08
let        m[1] = 20, m[2] = 12, m[3] = 6, m[4] = 4, m[5] = 2, m[6] = 0.5
let        P[0] = (0, 0, 0), P[i in 1..2] = P[i-1] + l[i]*(1, 0, 0), P[i in 3..6] = P[i-1] + l[i]*e
let        n[1] = (0, 0, 1), n[2] = (0, 1, 0), n[3] = (0, 1, 0), n[4] = e, n[5] = (0, 1, 0), n[6] = e
body       link[i in 1..6]: box(l[i], 0.1, 0.1) of m[i], from P[i-1] to P[i]
gravity    (0, 0, -9.81)
joint      h[1]: hinge(ground, link[1]), at P[0], axis n[1]
joint      h[i in 2..6]: hinge(link[i-1], link[i]), at P[i-1], axis n[i]
output     tip: link[6](0.04, 0, 0)
output     pull: (link[6](0.04, 0, 0))''
";

/// What closes a loop in the arm: a rod from the middle of link 2 to the middle of link 4.
const ROD: &str = "joint      bar: rod(link[2], link[4])\n";
const FREE_START: &str = "start      h[1]' = 1, h[2]' = -2, h[3]' = 3, h[4]' = 2, h[5]' = -3, h[6]' = 4\n";
const CLOSED_START: &str = "start      h[1]' = 1, h[2]' = -2, h[4]' = 2, h[5]' = -3, h[6]' = 4\n";

/// A mechanism in one formulation, with states along a motion.
struct Case {
    name: &'static str,
    formulation: &'static str,
    plan: Plan,
    states: Vec<State>,
}

struct State {
    t: f64,
    y: Vec<f64>,
    pull: [f64; 3],
}

impl Case {
    fn new(name: &'static str, formulation: &'static str) -> Self {
        let until = if name == "bricard" { 10.0 } else { 1.0 };
        let plan = planned(&text(name, formulation), until, until / 256.0, 1e-9);
        let states = states(&plan);
        Self { name, formulation, plan, states }
    }

    /// Coordinates, rows, and operations that M, Q, A and b take at a state.
    fn sizes(&self) -> (usize, usize, usize) {
        let system = self.plan.system();
        (system.coordinates(), system.equations().rows.len(), system.program(Group::Dynamics).operations())
    }
}

fn text(name: &str, formulation: &str) -> String {
    let arm = |bend: &str| ARM.replace("BEND", bend);
    let model = match name {
        "bricard" => BRICARD.to_string(),
        "arm" => arm("0") + FREE_START,
        _ => arm("1") + ROD + CLOSED_START,
    };
    format!("formulation {formulation}\n{model}")
}

fn planned(text: &str, until: f64, every: f64, rtol: f64) -> Plan {
    let options = Run { until: Some(until), every: Some(every), rtol: Some(rtol), ..Run::default() };
    match plan(&CompiledSystem::new(models::equations(text)), &options) {
        Ok(planned) => planned.value,
        Err(diagnostics) => panic!("{diagnostics:?}"),
    }
}

/// Keeps all rows.
#[derive(Default)]
struct Rows(Vec<Vec<f64>>);

impl Observer for Rows {
    fn row(&mut self, values: &[f64]) -> Result<(), std::io::Error> {
        self.0.push(values.to_vec());
        Ok(())
    }
}

/// States along the motion, in the form of the start, and how the tip is accelerated at them.
fn states(plan: &Plan) -> Vec<State> {
    let (start, layout, mut rows) = (plan.start(), TableLayout::of(plan.system()), Rows::default());
    let outcome = plan.run(&mut rows);
    assert_eq!(outcome.end, End::Finished, "{:?}", outcome.diagnostics);
    let state = |row: &Vec<f64>| {
        let (q, v) = layout.state(row);
        let works = &start[q.len() + v.len()..];
        State { t: row[0], y: [&q, &v, works].concat(), pull: point(plan, row, "pull") }
    };
    rows.0.iter().map(state).collect()
}

/// A vector among the outputs.
fn point(plan: &Plan, row: &[f64], name: &str) -> [f64; 3] {
    std::array::from_fn(|i| row[plan.column(&format!("{name}.{}", i + 1)).expect("an output")])
}

/// Evaluates the acceleration at all states, as a run does.
fn accelerate(field: &mut impl Field, states: &[State], rate: &mut [f64]) {
    for state in states {
        _ = black_box(field.rate(state.t, black_box(&state.y), rate).is_ok());
    }
}

fn cases() -> Vec<Case> {
    let all = |name| ["joints", "bodies"].map(|formulation| Case::new(name, formulation));
    ["arm", "arm with rod", "bricard"].into_iter().flat_map(all).collect()
}

fn main() {
    let cases = cases();
    if std::env::args().any(|argument| argument == "--serve") { serve(&cases) } else { table(&cases) }
}

/// What one acceleration takes, and which parts of it take how much.
fn table(cases: &[Case]) {
    println!(
        "One acceleration at states along a motion, as a run evaluates it; of it M, Q, A and b; the kernel deciding ranks.\n"
    );
    println!("|              | formulation | coordinates | rows | operations | acceleration | M, Q, A, b | kernel |");
    println!("|--------------|-------------|------------:|-----:|-----------:|-------------:|-----------:|-------:|");
    for case in cases {
        let (n, m, operations) = case.sizes();
        let [whole, equations, kernel] = parts(case);
        println!(
            "| {:12} | {} | {n} | {m} | {operations} | {whole:.0} ns | {equations:.0} ns | {kernel:.0} ns |",
            case.name, case.formulation
        );
    }
    println!("\nBricard's mechanism, 10 s.\n");
    println!("| formulation | rtol | steps | evaluations | time |");
    println!("|-------------|-----:|------:|------------:|-----:|");
    for formulation in ["joints", "bodies"] {
        let ran = Ran::of("bricard", formulation, 1e-9);
        println!("| {formulation} | 1e-9 | {} | {} | {:.2} ms |", ran.steps, ran.evaluations, ran.seconds * 1e3);
    }
}

/// Nanoseconds of the acceleration, of M, Q, A and b, and of the kernel that decides ranks at one state.
fn parts(case: &Case) -> [f64; 3] {
    let (system, n) = (case.plan.system(), case.plan.system().coordinates());
    let (mut field, mut rate) = (case.plan.field(), case.plan.start());
    let program = system.program(Group::Dynamics);
    let (fixed, mut memory) = (program.fixed(system.parameters()), program.memory());
    program.compile();
    let (mut values, mut workspace) = (system.values(Group::Dynamics), Workspace::new());
    let middle = &case.states[case.states.len() / 3].y;
    system.at(0.0, &middle[..n], &middle[n..2 * n], &mut values);
    let snapshot = Snapshot::new(values.mass(), values.force()).constrained(values.a(), values.b());
    let count = case.states.len() as f64;
    let times = timing::best(
        &mut [
            &mut || accelerate(&mut field, &case.states, &mut rate),
            &mut || {
                for state in &case.states {
                    let inputs = Inputs { t: state.t, q: &state.y[..n], v: &state.y[n..2 * n], ..Inputs::default() };
                    _ = black_box(program.evaluate(&fixed, black_box(&inputs), &mut memory));
                }
            },
            &mut || _ = black_box(workspace.solve(black_box(&snapshot)).is_ok()),
        ],
        Duration::from_secs(2),
    );
    [times[0] / count * 1e9, times[1] / count * 1e9, times[2] * 1e9]
}

/// A run of 10 s, planned and compiled before the clock starts; the best of some.
struct Ran {
    seconds: f64,
    evaluations: u64,
    steps: u64,
    /// The tip after every second, from a run of its own.
    tips: Vec<f64>,
}

impl Ran {
    fn of(name: &str, formulation: &str, rtol: f64) -> Self {
        let text = text(name, formulation);
        let (plan, recording) = (planned(&text, 10.0, 10.0, rtol), planned(&text, 10.0, 1.0, rtol));
        let mut rows = Rows::default();
        let recorded = recording.run(&mut rows);
        assert_eq!(recorded.end, End::Finished, "{:?}", recorded.diagnostics);
        let done = plan.run(&mut Rows::default()).statistics;
        let timed = || {
            let start = Instant::now();
            black_box(plan.run(&mut Rows::default()));
            start.elapsed().as_secs_f64()
        };
        let seconds = (0..3).map(|_| timed()).fold(f64::INFINITY, f64::min);
        let tips = rows.0.iter().skip(1).flat_map(|row| point(&recording, row, "tip")).collect();
        Self { seconds, evaluations: done.evaluations, steps: done.steps + done.rejected, tips }
    }
}

fn serve(cases: &[Case]) {
    for case in cases {
        let (n, m, operations) = case.sizes();
        println!("case {} | {} | {n} | {m} | {operations} | {}", case.name, case.formulation, case.states.len());
        for state in &case.states {
            let numbers = [&[state.t][..], &state.pull, &state.y[..2 * n]].concat();
            println!("{}", printed(&numbers));
        }
    }
    println!("ready");
    let mut fields: Vec<_> = cases.iter().map(|case| (case.plan.field(), case.plan.start())).collect();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split(" | ").collect();
        match words[..] {
            ["run", name, formulation, rtol] => {
                let ran = Ran::of(name, formulation, rtol.parse().expect("a number"));
                println!("{:e} {} {} {}", ran.seconds, ran.evaluations, ran.steps, printed(&ran.tips));
            }
            [name, formulation] => {
                let is_it = |case: &&Case| case.name == name && case.formulation == formulation;
                let case = cases.iter().find(is_it).expect("a case");
                let which = cases.iter().position(|other| std::ptr::eq(other, case)).expect("a case");
                let (field, rate) = &mut fields[which];
                println!("{}", slice(field, case, rate));
            }
            _ => println!("unknown request"),
        }
    }
}

fn printed(numbers: &[f64]) -> String {
    numbers.iter().map(|x| format!("{x:e}")).collect::<Vec<_>>().join(" ")
}

/// Nanoseconds per acceleration: the best of some passes over all states.
fn slice(field: &mut impl Field, case: &Case, rate: &mut [f64]) -> f64 {
    let pass = |field: &mut _, rate: &mut _| {
        let start = Instant::now();
        accelerate(field, &case.states, rate);
        start.elapsed().as_secs_f64()
    };
    let best = (0..8).map(|_| pass(field, rate)).fold(f64::INFINITY, f64::min);
    best / case.states.len() as f64 * 1e9
}
