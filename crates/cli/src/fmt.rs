//! `holonom fmt`: models in their one layout.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use holonom::language::{Diagnostic, Sources, diagnostic_to_json, format, parse, same_meaning};

use crate::messages;
use crate::output::Output;
use crate::terminal::{Colour, UNABLE, WRONG, complain, fail, say};

/// Format models
///
/// Keywords, blanks, line breaks and the places of comments become the same in every
/// model. Numbers, parentheses and the meaning of the model do not change. A model with
/// errors is not changed; its errors are printed.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub struct Options {
    /// Models to format in place; `-` reads standard input and writes standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write nothing; list the files that would change, and exit with 1 if there are any
    #[arg(long, conflicts_with = "stdout")]
    check: bool,

    /// Write to standard output instead of into the files
    #[arg(long)]
    stdout: bool,

    /// Report what was done as JSON, one line per file
    #[arg(long, conflicts_with = "stdout")]
    json: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    color: Colour,
}

const HELP: &str = "Examples:
  Format a model:
    holonom fmt pendulum.holo
  Check, for example before a commit, whether all models are formatted:
    holonom fmt --check models/*.holo

Exit status:
  0  all models are formatted
  1  a model has errors, or with --check would change
  2  a file could not be read or written";

/// What became of a file.
enum Outcome {
    /// It was laid out already.
    Same,
    /// It has been, or would be, laid out anew.
    Changed,
    /// It is wrong, and stays as it is.
    Wrong(Sources, Vec<Diagnostic>),
    /// It could not be read or written.
    Unable(String),
}

pub fn run(options: &Options) -> ExitCode {
    let mut status = 0;
    for path in &options.files {
        let outcome = lay_out(path, options);
        status = status.max(match &outcome {
            Outcome::Same => 0,
            Outcome::Changed => u8::from(options.check) * WRONG,
            Outcome::Wrong(..) => WRONG,
            Outcome::Unable(_) => UNABLE,
        });
        if options.json { report_json(path, &outcome) } else { report(path, &outcome, options) }
    }
    ExitCode::from(status)
}

fn lay_out(path: &Path, options: &Options) -> Outcome {
    let standard = path == Path::new("-");
    if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json")) {
        return Outcome::Unable(format!("`{}` is the JSON form of a model, which has no layout", path.display()));
    }
    let read = if standard { read_standard_input() } else { fs::read(path) };
    let bytes = match read {
        Ok(bytes) => bytes,
        Err(error) => return Outcome::Unable(format!("cannot read `{}`: {error}", path.display())),
    };
    let Ok(text) = String::from_utf8(bytes) else {
        return Outcome::Unable(format!("`{}` is not UTF-8 text", path.display()));
    };
    let name = if standard { "standard input".to_string() } else { path.display().to_string() };
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let text = &sources.file(file).text;
    let (document, diagnostics) = parse(file, text);
    let laid_out = format(&document, text).filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
    let Some(laid_out) = laid_out else { return Outcome::Wrong(sources, diagnostics) };

    // Nobody should have to trust a formatter with the meaning of a model.
    let (again, errors) = parse(file, &laid_out);
    if !errors.iter().all(|error| !error.is_error()) || !same_meaning(&document, &again) {
        let why = "its layout would change its meaning; this is a mistake of the formatter, please report it";
        return Outcome::Unable(format!("`{}` is left alone: {why}", path.display()));
    }
    let changed = *text != laid_out;
    if options.stdout || (standard && !options.check && !options.json) {
        say(&laid_out);
    } else if changed
        && !options.check
        && !standard
        && let Err(error) = replace(path, &laid_out)
    {
        return Outcome::Unable(format!("cannot write `{}`: {error}", path.display()));
    }
    if changed { Outcome::Changed } else { Outcome::Same }
}

fn read_standard_input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The new text in place of the old, with the rights that the file had.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let rights = fs::metadata(path)?.permissions();
    if rights.readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut output = Output::file(path)?;
    output.write(text.as_bytes())?;
    output.finish()?;
    fs::set_permissions(path, rights)
}

fn report(path: &Path, outcome: &Outcome, options: &Options) {
    match outcome {
        Outcome::Changed if options.check => say(&format!("{} would change\n", path.display())),
        Outcome::Changed | Outcome::Same => {}
        Outcome::Wrong(sources, diagnostics) => {
            complain(&messages::text(diagnostics, sources, options.color.on_errors()))
        }
        Outcome::Unable(why) => drop(fail(why)),
    }
}

fn report_json(path: &Path, outcome: &Outcome) {
    let name = serde_json::Value::from(path.display().to_string());
    let rest = match outcome {
        Outcome::Same => "\"changed\": false, \"diagnostics\": []".to_string(),
        Outcome::Changed => "\"changed\": true, \"diagnostics\": []".to_string(),
        Outcome::Wrong(sources, diagnostics) => {
            let all: Vec<String> = diagnostics.iter().map(|one| diagnostic_to_json(one, sources)).collect();
            format!("\"changed\": false, \"diagnostics\": [{}]", all.join(", "))
        }
        Outcome::Unable(why) => {
            format!("\"changed\": false, \"diagnostics\": [], \"error\": {}", serde_json::Value::from(why.as_str()))
        }
    };
    say(&format!("{{\"file\": {name}, {rest}}}\n"));
}
