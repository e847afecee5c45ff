//! `laws [COUNT] [--seed S] [--threads N]`: checks every law on many generated systems.

use holonom::Workspace;
use holonom_laws::{LAWS, Violation, examine, generate};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Failures that are described; the rest is only counted.
const DESCRIBED: usize = 20;

struct Arguments {
    count: u64,
    seed: u64,
    threads: usize,
}

fn arguments() -> Result<Arguments, String> {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mut found = Arguments { count: 100_000, seed: 1, threads: cores };
    let mut given = std::env::args().skip(1);
    while let Some(word) = given.next() {
        let mut value = |name: &str| given.next().ok_or(format!("{name} needs a number"));
        let (place, text) = match word.as_str() {
            "--seed" => (0, value("--seed")?),
            "--threads" => (1, value("--threads")?),
            _ => (2, word),
        };
        let number: u64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
        match place {
            0 => found.seed = number,
            1 => found.threads = (number as usize).clamp(1, 1024),
            _ => found.count = number,
        }
    }
    Ok(found)
}

/// What became of one law.
#[derive(Clone, Copy, Default)]
struct Record {
    checked: u64,
    failed: u64,
    worst: f64,
    worst_seed: u64,
}

impl Record {
    fn add(&mut self, other: &Record) {
        self.checked += other.checked;
        self.failed += other.failed;
        if other.worst > self.worst {
            (self.worst, self.worst_seed) = (other.worst, other.worst_seed);
        }
    }
}

/// What became of all of them.
#[derive(Clone, Default)]
struct Tally {
    laws: Vec<Record>,
    unclear: u64,
    refused: u64,
    described: Vec<(u64, String)>,
}

impl Tally {
    fn new() -> Tally {
        Tally { laws: vec![Record::default(); LAWS.len()], ..Tally::default() }
    }

    fn examine(&mut self, seed: u64, workspace: &mut Workspace) {
        let system = generate(seed);
        let verdicts = match examine(&system, LAWS, workspace) {
            Ok(Some(verdicts)) => verdicts,
            Ok(None) => {
                self.unclear += 1;
                return;
            }
            Err(error) => {
                self.refused += 1;
                self.describe(seed, format!("the kernel refuses it: {error}; {}", system.families.join(", ")));
                return;
            }
        };
        for (record, verdict) in self.laws.iter_mut().zip(&verdicts) {
            let ratio = match verdict {
                Ok(None) => continue,
                Ok(Some(ratio)) => *ratio,
                Err(Violation { amount, allowed, .. }) => {
                    record.failed += 1;
                    amount / allowed
                }
            };
            record.checked += 1;
            if ratio >= record.worst {
                (record.worst, record.worst_seed) = (ratio, seed);
            }
        }
        for violation in verdicts.iter().filter_map(|v| v.as_ref().err()) {
            self.describe(seed, format!("{violation}; {}", system.families.join(", ")));
        }
    }

    fn describe(&mut self, seed: u64, what: String) {
        if self.described.len() < DESCRIBED {
            self.described.push((seed, what));
        }
    }

    fn add(&mut self, other: Tally) {
        self.laws.iter_mut().zip(&other.laws).for_each(|(ours, theirs)| ours.add(theirs));
        self.unclear += other.unclear;
        self.refused += other.refused;
        self.described.extend(other.described);
        self.described.sort();
        self.described.truncate(DESCRIBED);
    }

    fn failed(&self) -> bool {
        self.refused > 0 || self.laws.iter().any(|record| record.failed > 0)
    }
}

/// Every thread takes the next seed until all are taken.
fn run(arguments: &Arguments) -> Tally {
    let (next, total) = (AtomicU64::new(0), Mutex::new(Tally::new()));
    let shown = std::io::stderr().is_terminal();
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads {
            scope.spawn(|| {
                let (mut workspace, mut tally) = (Workspace::new(), Tally::new());
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= arguments.count {
                        break;
                    }
                    tally.examine(arguments.seed.wrapping_add(at), &mut workspace);
                    if shown && at % 500 == 0 {
                        eprint!("\r{at} of {} systems", arguments.count);
                        let _ = std::io::stderr().flush();
                    }
                }
                if let Ok(mut total) = total.lock() {
                    total.add(tally);
                }
            });
        }
    });
    if shown {
        eprint!("\r\x1b[K");
    }
    total.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("{error}\nusage: laws [COUNT] [--seed S] [--threads N]");
            return ExitCode::from(2);
        }
    };
    let start = Instant::now();
    let tally = run(&arguments);
    println!("{:<16} {:>9} {:>7}  {:>9} {:>10}  law", "", "checked", "failed", "worst", "its seed");
    for (law, record) in LAWS.iter().zip(&tally.laws) {
        let Record { checked, failed, worst, worst_seed } = record;
        println!("{:<16} {checked:>9} {failed:>7}  {worst:>9.2e} {worst_seed:>10}  {}", law.name, law.says);
    }
    println!(
        "{} systems in {:.1} s; {} with a contradiction too small to be certain; worst is amount over allowed",
        arguments.count,
        start.elapsed().as_secs_f64(),
        tally.unclear
    );
    if !tally.failed() {
        return ExitCode::SUCCESS;
    }
    for (seed, what) in &tally.described {
        println!("seed {seed}: {what}");
    }
    if let Some((seed, _)) = tally.described.first() {
        println!("one of them again: cargo run --release -p holonom-laws -- 1 --seed {seed}");
    }
    ExitCode::FAILURE
}
