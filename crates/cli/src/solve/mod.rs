//! `holonom solve`: systems in as JSON lines, their motion out as JSON lines.
//!
//! `lines` cuts the input into batches, `pipeline` passes them to threads and keeps their order,
//! `answer` turns one line into its answer: `read` makes a `System` of it, the library solves it, and
//! `write` or `pretty` prints the result. A mistake in a line is a `fault`.

mod answer;
mod fault;
mod lines;
mod pipeline;
mod place;
mod pretty;
mod read;
mod system;
pub(crate) mod text;
mod write;

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, thread};

use self::answer::Form;
use self::pipeline::Stop;
use self::write::With;
use crate::output::Output;

/// Solve systems given as JSON lines
///
/// Each line is one system at one instant, M q'' = Q + Qi + Qni with A q'' = b.
/// Its answer has the acceleration, the constraint forces and their accuracy, in the
/// order of the lines. The answer to a bad line says what is wrong with it.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub struct Options {
    /// JSON lines to read; `-` or nothing for standard input
    file: Option<PathBuf>,
    /// Write to FILE; it appears when it is complete
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Also name redundant and contradictory constraints
    #[arg(long)]
    audit: bool,
    /// Also print the matrices of the papers: A+, B, B+, Mbar, Mbar+, K1, K and others
    #[arg(long, conflicts_with = "pretty")]
    matrices: bool,
    /// Write text for reading instead of JSON
    #[arg(long)]
    pretty: bool,
    /// Threads to solve on; every number gives the same bytes [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

const HELP: &str = r#"Fields of a line:
  M      mass matrix as a list of rows: symmetric; may be singular
  Q      given force
  A, b   constraints A q'' = b; leave them out if there are none
  C      work of non-ideal constraints; a force that opposes the motion has a minus sign
  qdd    an observed acceleration instead of C: the forces that explain it are the answer
  names  {"coordinates": [...], "constraints": [...]}, used in messages
  id     anything; repeated in the answer

Fields of an answer (indices from 0):
  id, qdd              the acceleration; of least norm where it is not unique
  Qi, Qni              constraint forces: ideal, and what C adds
  lambda, lambda_ideal reactions, Qi + Qni = C + A' lambda, and Qi = A' lambda_ideal
  rank_A, rank_Mhat    ranks of A and of [M; A]
  unique               rank_Mhat is the number of coordinates
  nullspace_dim, nullspace, undetermined
                       free directions, and the coordinates they touch
  consistent, residual the constraints can all be met; A q'' - b
  dyn_consistent, unbalanced
                       no force acts along free directions; the force that does
  gap_A, gap_Mhat, dropped_A, dropped_Mhat
                       the smallest size counted for a rank, the largest not counted
  gauss, gauss_form    Gauss's function: its "deviation", or "general" if M is singular
  rank_M, refinements
  audit                redundant, conflicts, determinate, determinate_reactions
  matrices             a, e, A+, A+A, I-A+A, B, B+, B14, Mbar, Mbar+, K1, K, N, I-Mbar+Mbar, da, each
                       a list of rows; those that need the inverse of M are absent where it is singular
  With qdd: Qc = M q'' - Q, the least C, and ideal if no C is needed

Examples:
  A bead on the line y = x:
    echo '{"M": [[1,0],[0,1]], "Q": [0,-9.81], "A": [[1,-1]], "b": [0]}' | holonom solve
  The same, as a note to read:
    echo '{"M": [[1,0],[0,1]], "Q": [0,-9.81], "A": [[1,-1]], "b": [0]}' | holonom solve --pretty
  A model at a state:
    holonom show system pendulum.holo --at "x = 0.6" --json | holonom solve --pretty
  A file, with an audit of its constraints, into another:
    holonom solve systems.jsonl --audit --out answers.jsonl

Exit status:
  0  every line was good
  1  some line was bad; its answer says why
  2  the command was wrong, or files could not be read or written"#;

pub fn run(options: &Options) -> ExitCode {
    match solve(options) {
        Ok(status) => status,
        Err(Stop::Closed) => ExitCode::SUCCESS, // as with `head`: whoever read our answers has enough
        Err(Stop::Because { code, what, help }) => {
            eprintln!("error[{code}]: {what}\n  = help: {help}");
            ExitCode::from(2)
        }
    }
}

fn solve(options: &Options) -> Result<ExitCode, Stop> {
    let (source, input) = open(options.file.as_deref())?;
    let mut output = match &options.out {
        None => Output::standard(),
        Some(path) => Output::file(path).map_err(|error| Stop::unwritable(path, &error))?,
    };
    let form = match (options.pretty, options.audit) {
        (true, _) => Form::Note { colours: options.out.is_none() && wants_colours(), source: source.clone() },
        (false, audit) => Form::Json(With { audit, matrices: options.matrices }),
    };
    let threads = options.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let target = options.out.as_deref().unwrap_or(Path::new("standard output"));
    let mut any_bad = false;
    pipeline::run(&source, input, threads, &form, |answered| {
        any_bad |= answered.any_bad;
        output.write(&answered.bytes).map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Stop::Closed,
            _ => Stop::unwritable(target, &error),
        })
    })?;
    output.finish().map_err(|error| Stop::unwritable(target, &error))?;
    Ok(ExitCode::from(u8::from(any_bad)))
}

/// The input, and what it is called in messages.
fn open(file: Option<&Path>) -> Result<(String, Box<dyn Read + Send>), Stop> {
    match file.filter(|path| *path != Path::new("-")) {
        None => {
            if io::stdin().is_terminal() && io::stderr().is_terminal() {
                eprintln!("reading systems from the terminal, one JSON object per line; Ctrl-D ends");
            }
            Ok(("standard input".into(), Box::new(io::stdin())))
        }
        Some(path) if path.extension().is_some_and(|ending| ending == "holo") => Err(Stop::Because {
            code: "unreadable-input",
            what: format!(
                "`{}` is a model, and `solve` reads systems of numbers, one JSON object per line",
                path.display()
            ),
            help: "models are read by `holonom check` and `holonom run`",
        }),
        Some(path) => match File::open(path) {
            Ok(file) => Ok((path.display().to_string(), Box::new(file))),
            Err(error) => Err(Stop::unreadable(&path.display().to_string(), &error)),
        },
    }
}

fn wants_colours() -> bool {
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    io::stdout().is_terminal() && !set("NO_COLOR") && env::var_os("TERM").is_none_or(|term| term != "dumb")
}
