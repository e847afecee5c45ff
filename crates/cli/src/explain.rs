//! `holonom explain`: the equation of motion in closed form, as a page or as code.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use holonom::System;
use holonom::explain::explicit;
use holonom::explain::{Asked, Explained, Part, Refusal, Request, explain};
use holonom::language::{Diagnostic, Severity};
use holonom::mechanics::derive::Equations;
use holonom::simulate::analysis::CheckOptions;
use holonom::symbols::algebra::Budget;
use holonom::symbols::expr::{Language, Names, Notation, Symbol};
use serde_json::{Map, Value, json};

use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::messages;
use crate::output::Output;
use crate::progress::Spinner;
use crate::setting::Setting;
use crate::show::{derived, finish, with_numbers};
use crate::terminal::{Colour, UNABLE, WRONG, columns, complain, fail, say};

/// Explain a model: what is given, what follows, and its equation of motion in closed form
///
/// Every formula is compared with the numerical solution before it is shown.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Options {
    /// The model; `-` reads standard input
    file: PathBuf,

    /// Set a parameter: `--set m=3`; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<Setting>,

    /// Show only these parts: `acceleration`, `forces`, `A`, `b`, `K1`, …; the list is below
    #[arg(long, value_name = "PARTS", value_delimiter = ',', value_parser = part)]
    only: Vec<Part>,

    /// Show only the components of these coordinates
    #[arg(long = "for", value_name = "NAMES", value_delimiter = ',')]
    coordinates: Vec<String>,

    /// Put values into the formulas: `--at "x = 1, x' = 0"`
    #[arg(long, value_name = "VALUES")]
    at: Option<String>,

    /// Show the derivation of the papers, with the numbers of their equations
    #[arg(long)]
    steps: bool,

    /// Output format
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Option<Form>,

    /// Write to a file; its extension sets the format unless `--as` does: .md .tex .html .rs .c .py .js .txt
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Give names to parts of formulas with more nodes than this
    #[arg(long, value_name = "NODES", default_value_t = explicit::SolveOptions::default().limit)]
    limit: usize,

    /// Width of lines [default: that of the terminal, or 80]
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(20..=1000))]
    width: Option<u16>,

    /// Print JSON, with the formulas in the language of models
    #[arg(long)]
    json: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    color: Colour,
}

const HELP: &str = "Parts for --only:
  given T V M Q A b C derivation verdict hidden       what is given, and what follows
  acceleration forces Qi Qni multipliers reactions    the answer
  steps v a e A+ A+A I-A+A Mbar Mbar+ Mhat            the derivation of the papers,
  B B+ BBT K1 K N da I-Mbar+Mbar                      their matrices

Examples:
  The whole page, in two dimensions:
    holonom explain wheel.holo
  One line to copy into a paper:
    holonom explain wheel.holo --only acceleration --for theta --as latex
  A function in C that gives accelerations and forces:
    holonom explain wheel.holo --as c --out wheel.c

Exit status:
  0    the page was printed, in closed form or with the reason why there is none
  1    the model was rejected
  2    the command was wrong, or a file could not be read or written
  130  it was interrupted";

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// Two dimensions, for a terminal
    Unicode,
    /// The language of models, one equation a line
    Text,
    /// Markdown with formulas in LaTeX
    Markdown,
    /// A LaTeX document
    Latex,
    /// A web page with MathML
    Html,
    /// A Rust file
    Rust,
    /// A C file
    C,
    /// A Python file with NumPy
    Python,
    /// A SymPy script
    Sympy,
    /// A JavaScript module
    Javascript,
}

impl Form {
    fn is_code(self) -> bool {
        matches!(self, Self::Rust | Self::C | Self::Python | Self::Sympy | Self::Javascript)
    }

    /// What the ending of a file asks for; a file without one is for a terminal.
    fn of_file(path: &Path) -> Result<Self, String> {
        let Some(ending) = path.extension() else { return Ok(Self::Unicode) };
        Ok(match ending.to_string_lossy().to_ascii_lowercase().as_str() {
            "txt" => Self::Unicode,
            "md" => Self::Markdown,
            "tex" => Self::Latex,
            "html" | "htm" => Self::Html,
            "rs" => Self::Rust,
            "c" | "h" => Self::C,
            "py" => Self::Python,
            "js" | "mjs" => Self::Javascript,
            "holo" => Self::Text,
            other => {
                return Err(format!(
                    "`{}`: there is no format for files ending in .{other}\n  help: use .md .tex .html .rs .c .py .js or .txt, or \
                     choose the format with `--as`",
                    path.display()
                ));
            }
        })
    }
}

/// Work that may be done before the answer is that there is no closed form: some seconds.
const WORK: u64 = 400_000_000;

fn part(name: &str) -> Result<Part, String> {
    let known = || Part::names().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
    Part::from_name(name.trim()).ok_or_else(|| format!("unknown part; the parts are {}", known()))
}

pub fn run(options: &Options) -> ExitCode {
    // Before the work, which may take a while.
    let form = match (options.form, &options.out) {
        (Some(form), _) => form,
        (None, Some(path)) => match Form::of_file(path) {
            Ok(form) => form,
            Err(why) => return fail(&why),
        },
        (None, None) => Form::Unicode,
    };
    let (system, mut shown) = match derived(&options.file, &options.set, options.json, options.color) {
        Ok(found) => found,
        Err(code) => return code,
    };
    if form.is_code()
        && let Err(code) = with_numbers(&options.file, &system, options.json, options.color)
    {
        return code;
    }
    shown.add(&doubts_about_start(&system), system.sources(), options.json, options.color);
    let (system, request) = match request(options, system) {
        Ok(found) => found,
        Err(why) => return fail(&why),
    };
    let interrupt = match Interrupt::listen() {
        Ok(interrupt) => interrupt,
        Err(why) => return fail(&format!("signals cannot be heard: {why}")),
    };
    let spinner = Spinner::start("looking for the closed form", io::stderr().is_terminal());
    let budget = Budget::with_interrupt(WORK, interrupt.flag());
    let explained = explain(system.equations(), &request, &budget);
    spinner.stop();
    let explanation = match explained {
        Ok(explanation) => explanation,
        Err(refusal) => return refuse(&refusal, &system, options.color),
    };
    let equations = system.equations();
    if options.json {
        return finish(&shown, "explanation", data(equations, &explanation));
    }
    let text = match write(options, form, &request, equations, explanation) {
        Ok(text) => text,
        Err(why) => return fail(&why),
    };
    let Some(path) = &options.out else {
        say(&text);
        return ExitCode::SUCCESS;
    };
    let written =
        Output::file(path).and_then(|mut output| output.write(text.as_bytes()).and_then(|()| output.finish()));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => fail(&format!("{} cannot be written: {why}", path.display())),
    }
}

/// What `check` rejects a start for. The formulas hold whatever the start is, so that here these are warnings.
fn doubts_about_start(system: &System) -> Vec<Diagnostic> {
    // Who gives no start asks for formulas alone.
    if system.equations().model.start.is_empty() {
        return vec![];
    }
    let Ok(found) = system.check_with(&CheckOptions { states: 0, ..CheckOptions::default() }) else { return vec![] };
    let is_good = found.report.start_is_good;
    let errors = found.messages.into_iter().filter(|one| !is_good && one.is_error());
    errors
        .map(|one| {
            Diagnostic { severity: Severity::Warning, ..one }.note("the formulas do not depend on the start values")
        })
        .collect()
}

fn request(options: &Options, system: System) -> Result<(System, Request), String> {
    let model = &system.equations().model;
    let mut coordinates = Vec::new();
    for name in &options.coordinates {
        let name = name.trim();
        let found = model.coordinates.iter().position(|coordinate| coordinate.name == name);
        let Some(found) = found else {
            let names: Vec<&str> = model.coordinates.iter().map(|coordinate| &coordinate.name[..]).collect();
            return Err(format!("`--for {name}`: unknown coordinate; the coordinates are {}", names.join(", ")));
        };
        coordinates.push(found);
    }
    let set = options.set.iter().filter_map(|setting| {
        let place = model.parameters.iter().position(|parameter| parameter.name == setting.name)?;
        Some((place, setting.value))
    });
    let solve =
        explicit::SolveOptions { limit: options.limit.max(1), set: set.collect(), ..explicit::SolveOptions::default() };
    let (system, at) = match &options.at {
        Some(text) => system.values(text).map_err(|why| messages::of_option("--at", &why))?,
        None => (system, Vec::new()),
    };
    Ok((system, Request { only: options.only.clone(), steps: options.steps, coordinates, at, solve }))
}

fn write(
    options: &Options,
    form: Form,
    request: &Request,
    equations: &Equations,
    explanation: Explained,
) -> Result<String, String> {
    Ok(match form {
        Form::Unicode => {
            let width = options.width.map_or_else(columns, usize::from);
            explanation.page.unicode(width, options.out.is_none() && options.color.on_output())
        }
        Form::Text => lines(equations, &explanation),
        Form::Markdown => explanation.page.markdown(),
        Form::Latex => explanation.page.latex(),
        Form::Html => explanation.page.html(),
        Form::Rust | Form::C | Form::Python | Form::Sympy | Form::Javascript => {
            return code(form, request, equations, explanation);
        }
    })
}

/// Every equation on a line, in the language of models.
fn lines(equations: &Equations, explanation: &Explained) -> String {
    let mut text = String::new();
    for Asked { name, value } in &explanation.asked {
        text += &format!("{name} = {}\n", printed(equations, explanation, *value));
    }
    text
}

fn printed(equations: &Equations, explanation: &Explained, value: holonom::symbols::expr::Id) -> String {
    let name = |symbol: Symbol| explanation.solution.symbol_name(&equations.model, symbol);
    explanation.solution.graph.formula(value, &Names::new(&name)).print(Notation::Text)
}

fn data(equations: &Equations, explanation: &Explained) -> Value {
    let mut formulas = Map::new();
    for asked in &explanation.asked {
        formulas.insert(asked.name.clone(), Value::from(printed(equations, explanation, asked.value)));
    }
    let solution = &explanation.solution;
    json!({
        "form": match &solution.form {
            explicit::Form::Closed => "closed",
            explicit::Form::Named { .. } => "named",
            explicit::Form::Implicit { .. } => "implicit",
            explicit::Form::Mismatch(_) => "mismatch",
        },
        "rank_A": solution.ranks.constraints,
        "rank_Mhat": solution.ranks.system,
        "rank_M": solution.ranks.mass,
        "unique": solution.ranks.system == equations.model.coordinates.len(),
        "assumptions": solution.assumptions,
        "states_checked": solution.checked.states,
        "formulas": formulas,
    })
}

fn code(form: Form, request: &Request, equations: &Equations, explanation: Explained) -> Result<String, String> {
    let language = match form {
        Form::Rust => Language::Rust,
        Form::C => Language::C,
        Form::Python => Language::Python,
        Form::Javascript => Language::JavaScript,
        _ => Language::SymPy,
    };
    let implicit = match &explanation.solution.form {
        explicit::Form::Implicit { reason, .. } => Some(reason.clone()),
        _ => None,
    };
    explanation.code(equations, request, language).map_err(|part| match implicit {
        Some(why) => format!("there is no closed form to write as code: {why}\n  help: `--only M,Q,A,b` writes what it is made of"),
        None => format!("`{}` has no form as code\n  help: `acceleration`, `Qi`, `Qni`, `multipliers`, `reactions`, `M`, `Q`, `A`, `b`, `C`, `T`, `V` and the matrices of the papers (`A+`, `K1` and others) have", part.name()),
    })
}

fn refuse(refusal: &Refusal, system: &System, colour: Colour) -> ExitCode {
    if let Refusal::Interrupted = refusal {
        complain("interrupted\n");
        return ExitCode::from(INTERRUPTED);
    }
    let message = refusal.diagnostic(&system.equations().model);
    complain(&messages::text(&[message], system.sources(), colour.on_errors()));
    ExitCode::from(if let Refusal::Mismatch(_) = refusal { WRONG } else { UNABLE })
}
