//! `cargo run --profile fuzz -p holonom-fuzz -- --minutes 60`: mutated models, through every stage.
//!
//! A worker process takes mutants one after the other, within a memory limit; before each it records the seed and the text. When a
//! worker dies of a panic, a stack overflow or a failed allocation, or takes longer than a model of that size may, the watcher keeps
//! the text and starts another worker.

mod mutate;
mod stages;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use mutate::{mutant, seeded};

/// A worker may use this much address space, in KiB.
const MEMORY: u64 = 3_000_000;
/// A model of at most 20 kB may take this long: a family may have a million members.
const PATIENCE: Duration = Duration::from_secs(30);

struct Options {
    minutes: f64,
    seed: u64,
    threads: usize,
    findings: PathBuf,
    /// Run as a worker from this seed on, with the text at hand in this file.
    worker: Option<PathBuf>,
    /// Show the mutant of the seed, or run the files given.
    show: bool,
    files: Vec<PathBuf>,
}

fn options() -> Result<Options, String> {
    let findings = Path::new(env!("CARGO_MANIFEST_DIR")).join("findings");
    let mut options =
        Options { minutes: 1.0, seed: 1, threads: 1, findings, worker: None, show: false, files: Vec::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--minutes" => options.minutes = value()?.parse().map_err(|_| "--minutes takes a number")?,
            "--seed" => options.seed = value()?.parse().map_err(|_| "--seed takes an integer")?,
            "--threads" => options.threads = value()?.parse().map_err(|_| "--threads takes an integer")?,
            "--findings" => options.findings = value()?.into(),
            "--worker" => options.worker = Some(value()?.into()),
            "--show" => options.show = true,
            other if other.starts_with("--") => return Err(format!("unknown option {other}")),
            file => options.files.push(file.into()),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(problem) => {
            eprintln!(
                "{problem}\nusage: holonom-fuzz [--minutes M] [--seed S] [--threads N] [--findings DIR] [--show] [FILES]"
            );
            return ExitCode::from(2);
        }
    };
    if !options.files.is_empty() {
        for file in &options.files {
            match fs::read(file) {
                Ok(bytes) => stages::exercise(&String::from_utf8_lossy(&bytes)),
                Err(error) => eprintln!("{}: {error}", file.display()),
            }
        }
        return ExitCode::SUCCESS;
    }
    let corpus = corpus();
    if corpus.is_empty() {
        eprintln!("no models found to mutate");
        return ExitCode::from(2);
    }
    if options.show {
        print!("{}", mutant(&corpus, &mut seeded(options.seed)));
        return ExitCode::SUCCESS;
    }
    if let Some(scratch) = &options.worker {
        work(&corpus, options.seed, scratch);
    }
    watch(&options)
}

/// All models of the project, in order of their paths.
fn corpus() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = vec![root.join("gallery"), root.join("crates/holonom/tests")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "holo") {
                files.push(path);
            }
        }
    }
    files.sort();
    files.iter().filter_map(|file| fs::read_to_string(file).ok()).filter(|text| text.len() < 20_000).collect()
}

/// Takes mutants of `seed`, `seed + 1`, … until it is stopped, and says before each which one it is.
fn work(corpus: &[String], seed: u64, scratch: &Path) -> ! {
    let mut out = std::io::stdout().lock();
    for seed in seed.. {
        let text = mutant(corpus, &mut seeded(seed));
        let heard = fs::write(scratch, &text).and_then(|()| writeln!(out, "{seed}")).and_then(|()| out.flush());
        if heard.is_err() {
            break; // nobody listens any more
        }
        stages::exercise(&text);
    }
    std::process::exit(0)
}

fn start_worker(seed: u64, scratch: &Path) -> std::io::Result<Child> {
    let program = std::env::current_exe()?;
    Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -v {MEMORY}; exec \"$0\" --worker \"$2\" --seed \"$1\""))
        .arg(program)
        .arg(seed.to_string())
        .arg(scratch)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

fn watch(options: &Options) -> ExitCode {
    let end = Instant::now() + Duration::from_secs_f64(options.minutes * 60.0);
    let lanes: Vec<_> = (0..options.threads.max(1))
        .map(|lane| {
            let first = options.seed + lane as u64 * 1_000_000_000;
            let findings = options.findings.clone();
            thread::spawn(move || watch_lane(first, end, &findings))
        })
        .collect();
    let (mut models, mut found) = (0, 0);
    for lane in lanes {
        match lane.join() {
            Ok(Ok((lane_models, lane_found))) => {
                models += lane_models;
                found += lane_found;
            }
            Ok(Err(error)) => {
                eprintln!("the worker could not be run: {error}");
                return ExitCode::from(2);
            }
            Err(_) => return ExitCode::from(2),
        }
    }
    println!("{models} models, {found} findings");
    if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Keeps one worker going until `end`; the number of models it took, and of those that it did not survive.
fn watch_lane(first: u64, end: Instant, findings: &Path) -> std::io::Result<(u64, u64)> {
    let scratch = std::env::temp_dir().join(format!("holonom-fuzz-{}-{first}.holo", std::process::id()));
    let (mut seed, mut models, mut found) = (first, 0, 0);
    while Instant::now() < end {
        let mut worker = start_worker(seed, &scratch)?;
        let (sender, receiver) = mpsc::channel();
        let lines = worker.stdout.take();
        let reader = thread::spawn(move || {
            for line in lines.into_iter().flat_map(|out| BufReader::new(out).lines()).map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let complaints = worker.stderr.take();
        let listener = thread::spawn(move || {
            complaints.into_iter().flat_map(|err| BufReader::new(err).lines()).map_while(Result::ok).collect::<Vec<_>>()
        });
        let verdict = loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok(line) => {
                    seed = line.parse().unwrap_or(seed);
                    models += 1;
                    if Instant::now() >= end {
                        break None;
                    }
                }
                Err(RecvTimeoutError::Timeout) => break Some("takes too long"),
                Err(RecvTimeoutError::Disconnected) => break Some("dies"),
            }
        };
        // Whether it is still there or not, nothing of it is to stay.
        let _ = worker.kill();
        let _ = worker.wait();
        drop(receiver);
        let _ = reader.join();
        let said = listener.join().unwrap_or_default();
        if let Some(verdict) = verdict {
            found += 1;
            fs::create_dir_all(findings)?;
            let file = findings.join(format!("{seed}.holo"));
            fs::copy(&scratch, &file)?;
            println!("seed {seed} {verdict}: {}", file.display());
            for line in said.iter().take(4) {
                println!("    {line}");
            }
        }
        seed += 1;
    }
    let _ = fs::remove_file(&scratch);
    Ok((models, found))
}
