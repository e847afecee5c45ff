//! `twins [COUNT] [--seed S] [--threads N] [--kind K] [--show]`: compares formulations of many generated models.
//! `twins contacts [COUNT] [--seed S] [--show]`: compares mechanisms with contacts with a separate integration.
//! `twins mechanisms [COUNT] [--seed S] [--show]`: compares bodies and joints in coordinates of joints and of bodies.

use holonom_twins::contact::compare_contacts;
use holonom_twins::mechanism::compare_mechanisms;
use holonom_twins::{Fault, Finding, KINDS, Twins, generate};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// What is compared.
enum What {
    Formulations,
    Contacts,
    Mechanisms,
}

struct Arguments {
    count: u64,
    seed: u64,
    threads: usize,
    kind: Option<String>,
    show: bool,
    what: What,
}

fn arguments() -> Result<Arguments, String> {
    let mut found = Arguments { count: 300, seed: 1, threads: 1, kind: None, show: false, what: What::Formulations };
    let mut given = std::env::args().skip(1);
    while let Some(word) = given.next() {
        let mut value = |name: &str| given.next().ok_or(format!("{name} needs a value"));
        let whole = |text: String| text.parse::<u64>().map_err(|_| format!("`{text}` is not a number"));
        match word.as_str() {
            "--seed" => found.seed = whole(value("--seed")?)?,
            "--threads" => found.threads = whole(value("--threads")?)?.clamp(1, 1024) as usize,
            "--kind" => found.kind = Some(value("--kind")?),
            "--show" => found.show = true,
            "contacts" => found.what = What::Contacts,
            "mechanisms" => found.what = What::Mechanisms,
            _ => found.count = whole(word)?,
        }
    }
    match &found.kind {
        Some(name) if !KINDS.iter().any(|kind| kind.name == *name) => Err(format!("there is no kind `{name}`")),
        _ => Ok(found),
    }
}

/// What became of one kind.
#[derive(Default)]
struct Record {
    models: u64,
    formulations: u64,
    agree: u64,
    disagree: u64,
    inaccurate: u64,
    crawl: u64,
    refusals: BTreeMap<String, u64>,
    halved: u64,
    worst: (f64, u64),
}

impl Record {
    fn add(&mut self, seed: u64, twins: &Twins, finding: &Finding) {
        self.models += 1;
        self.formulations += twins.drafts.len() as u64;
        self.agree += u64::from(finding.faults.is_empty());
        self.halved += u64::from(finding.halved > 0);
        for fault in &finding.faults {
            match fault {
                Fault::Disagree { .. } => self.disagree += 1,
                Fault::Inaccurate { .. } => self.inaccurate += 1,
                Fault::Crawls { .. } => self.crawl += 1,
                Fault::Refused { refusal, .. } => *self.refusals.entry(refusal.code.clone()).or_default() += 1,
            }
        }
        if finding.worst > self.worst.0 {
            self.worst = (finding.worst, seed);
        }
    }
}

#[derive(Default)]
struct Tally {
    kinds: BTreeMap<&'static str, Record>,
    faults: Vec<(u64, &'static str, String)>,
}

fn describe(fault: &Fault) -> String {
    match fault {
        Fault::Disagree { ratio, what } => format!("disagree, {ratio:.1e} times what is allowed: {what}"),
        Fault::Inaccurate { ratio, what } => format!("inaccurate, {ratio:.1e} times what is allowed: {what}"),
        Fault::Crawls { what, .. } => format!("crawls: {what}"),
        Fault::Refused { what, refusal } => {
            let when = refusal.time.map_or(String::new(), |t| format!(", reached {t:.3e}"));
            format!("{} in `{what}`{when}: {}", refusal.code, refusal.message)
        }
    }
}

fn examine(seed: u64, arguments: &Arguments, tally: &Mutex<Tally>) {
    let twins = generate(seed);
    if arguments.kind.as_ref().is_some_and(|kind| *kind != twins.kind) {
        return;
    }
    if arguments.show {
        println!("# seed {seed}: {}, until {:?}, rtol {:e}", twins.kind, twins.horizon, twins.rtol);
        for draft in &twins.drafts {
            println!("\n{}run        until {:?}, rtol = {:e}", draft.text(), twins.horizon * draft.time, twins.rtol);
        }
    }
    let finding = twins.examine();
    if arguments.show {
        println!("worst {:.2e}, growth {:.2e}, halved {}", finding.worst, finding.growth, finding.halved);
    }
    if let Ok(mut tally) = tally.lock() {
        tally.kinds.entry(twins.kind).or_default().add(seed, &twins, &finding);
        tally.faults.extend(finding.faults.iter().map(|fault| (seed, twins.kind, describe(fault))));
    }
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!(
                "{error}\nusage: twins [contacts | mechanisms] [COUNT] [--seed S] [--threads N] [--kind K] [--show]"
            );
            return ExitCode::from(2);
        }
    };
    let (count, seed, show) = (arguments.count, arguments.seed, arguments.show);
    let alike = match arguments.what {
        What::Contacts => Some(compare_contacts(count, seed, show)),
        What::Mechanisms => Some(compare_mechanisms(count, seed, show)),
        What::Formulations => None,
    };
    if let Some(alike) = alike {
        return if alike { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let (start, next, tally) = (Instant::now(), AtomicU64::new(0), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= arguments.count {
                        break;
                    }
                    examine(arguments.seed.wrapping_add(at), &arguments, &tally);
                }
            });
        }
    });
    let mut tally = tally.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    print_table(&tally);
    println!(
        "{} seeds in {:.1} s; worst is the difference over what is allowed",
        arguments.count,
        start.elapsed().as_secs_f64()
    );
    if tally.faults.is_empty() {
        return ExitCode::SUCCESS;
    }
    tally.faults.sort();
    for (seed, kind, what) in &tally.faults {
        println!("seed {seed} ({kind}): {what}");
    }
    if let Some((seed, ..)) = tally.faults.first() {
        println!("one of them again: cargo run --release -p holonom-twins -- 1 --seed {seed} --show");
    }
    ExitCode::FAILURE
}

fn print_table(tally: &Tally) {
    println!(
        "{:<8} {:>6} {:>5} {:>6} {:>8} {:>10} {:>5} {:>7}  {:>8} {:>9}  refused or failed",
        "", "models", "forms", "agree", "disagree", "inaccurate", "crawl", "chaotic", "worst", "its seed"
    );
    for kind in KINDS {
        let Some(record) = tally.kinds.get(kind.name) else { continue };
        let codes: Vec<String> = record.refusals.iter().map(|(code, count)| format!("{count} {code}")).collect();
        println!(
            "{:<8} {:>6} {:>5} {:>6} {:>8} {:>10} {:>5} {:>7}  {:>8.1e} {:>9}  {}",
            kind.name,
            record.models,
            record.formulations,
            record.agree,
            record.disagree,
            record.inaccurate,
            record.crawl,
            record.halved,
            record.worst.0,
            record.worst.1,
            codes.join(", ")
        );
    }
}
