//! `holonom run`: a model moves, and what it does is written into files.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use holonom::language::{Diagnostic, Given, Loaded, Sources};
use holonom::output::{About, Results, Summary, WriteError};
use holonom::simulate::integrate::{End, Observer};
use holonom::symbols::page::Sheet;
use holonom::{Rejection, System};
use holonom_report::{KeptRows, REPORT, ReportFormulas, ReportedRun, Wanted};
use serde_json::json;

use crate::asked::Asked;
use crate::chart::{Charts, Paper, When};
use crate::film::Film;
use crate::formulas::Beside;
use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::messages;
use crate::open::open;
use crate::plot::Plot;
use crate::progress::Progress;
use crate::setting::Setting;
use crate::terminal::{Colour, UNABLE, WRONG, complain, fail, link, say};

/// Run a model: compute its motion and write the results to files
///
/// Options override the `run` statement of the model. The results are `report.html`, a page
/// to look at, `trajectory.parquet`, `trajectory.csv` and `summary.json`. Files are complete or
/// absent. Ctrl-C stops at the next step and keeps the rows so far, marked as partial; a second
/// Ctrl-C ends at once and writes nothing.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub struct Options {
    /// The model; `-` reads standard input
    model: PathBuf,

    #[command(flatten)]
    asked: Asked,

    /// The folder for the results; created if needed [default: NAME.run in this folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Add columns of the papers' principles: Gauss's function, Δa, e, virtual work; and how well they held
    #[arg(long)]
    principles: bool,

    /// Write no report.html
    #[arg(long)]
    no_report: bool,

    /// Wait for the closed forms in report.html; without this they may take as long as the run, or 100 ms
    #[arg(long, conflicts_with = "no_report")]
    formulas: bool,

    /// Draw a figure: `--plot motion.svg`, `--plot "work.png: energy"`, `--plot "orbit.svg: y over x"`; may be repeated
    #[arg(long, value_name = "FILE.svg|png[: WHAT]")]
    plot: Vec<Plot>,

    /// Film the motion: `--film swing.gif`, ten times slower `--film "swing.gif: 0.1x"`, frames `--film swing-%03d.png`
    #[arg(long, value_name = "FILE.gif|FOLDER/[: SPEED, WHAT]")]
    film: Vec<Film>,

    /// Open report.html in a browser after the run: that of BROWSER, or the default one
    #[arg(long, conflicts_with = "no_report")]
    open: bool,

    /// When to show small charts of the outputs in the terminal
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    charts: When,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,

    /// Print messages only, no progress, no summary and no charts
    #[arg(long, short)]
    quiet: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    color: Colour,
}

/// The most columns that a page shows.
const PAGE: usize = 20_000;

const HELP: &str = "Examples:
  ReportedRun a model and write pendulum.run:
    holonom run pendulum.holo
  Another length and end time, a row every 10 ms, into another folder:
    holonom run pendulum.holo --set \"L=2 m\" --until 20 --every \"10 ms\" --out long
  Two figures, one of the energies and one of the motion:
    holonom run pendulum.holo --plot \"energy.svg: energy\" --plot \"swing.png: picture\"
  A film for slides, at half the speed:
    holonom run pendulum.holo --film \"swing.gif: 0.5x\"
  Look at the report at once:
    holonom run pendulum.holo --open

Charts show the outputs of the model, or its first coordinates, in the terminal. `--plot`
writes figures to files.

Figures show columns of the table (`x, y`), one over others (`y over x`), or a kind: coordinates
(the default), velocities, accelerations, outputs, forces, constraints, energy, drift,
principles (with `--principles`), or the motion itself: picture.

With `--principles` the table has, for every record: Gni, Gauss's function at the motion; da.X, the
acceleration beside that without constraints; e.ROW, by how much the latter misses a constraint;
virtual.ROW and virtual.C, the work per second of its force and of C along the virtual part of the velocity.
Where M is singular there is no acceleration without constraints: then only G and the works.

A film is as fast as the motion, or as much slower or faster as it takes to last from 4 to 20
seconds; a speed behind the file says it. A folder `frames/` gets its frames as PNG files.
Films and pictures show more on request: `--film \"swing.gif: 0.1x, velocities, reactions, traces\"`,
`--plot \"swing.png: picture, velocities\"`.

Exit status:
  0    the run reached its end, or an event stopped it
  1    the model was rejected, the run failed, or an expectation does not hold;
       rows so far are kept, marked as partial
  2    the command was wrong, or files could not be read or written; nothing is kept.
       Or a figure could not be written, or no browser was found; the results are kept
  130  interrupted; rows so far are kept, marked as partial";

impl Options {
    /// What is to run.
    pub fn model(&self) -> &Path {
        &self.model
    }

    /// Parameters that are set.
    pub fn set(&self) -> &[Setting] {
        &self.asked.set
    }

    /// When to use colours.
    pub fn colour(&self) -> Colour {
        self.color
    }

    /// `NAME.run`, where nothing else was said.
    fn folder(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| {
            let stem = self.model.file_stem().filter(|_| self.model != Path::new("-"));
            let mut name = stem.unwrap_or("model".as_ref()).to_os_string();
            name.push(".run");
            PathBuf::from(name)
        })
    }
}

pub fn run(options: &Options) -> ExitCode {
    match messages::load(&options.model, &options.asked.set) {
        Ok(loaded) => of(loaded, options, &format!("holonom run {}", options.model.display())),
        Err(why) => fail(&why),
    }
}

/// Runs a model that was read; `command` is how it came to that.
pub fn of(loaded: Loaded, options: &Options, command: &str) -> ExitCode {
    let set = messages::settings(&options.asked.set);
    let file = options.model.display().to_string();
    let about = About { file, ..About::new(&loaded, set.clone(), command.to_string()) };
    let asked = holonom::Run { principles: options.principles, ..options.asked.options() };
    let sources = loaded.sources.clone();
    let planned = System::of(loaded, set.clone()).and_then(|system| system.plan(&asked));
    let Given { value: plan, messages: diagnostics } = match planned {
        Ok(planned) => planned,
        Err(Rejection { messages, .. }) => {
            tell(&messages, &sources, options);
            if options.json {
                let messages: Vec<_> = messages.iter().map(|one| messages::json(one, &sources)).collect();
                say(&format!("{}\n", json!({ "file": about.file, "end": "refused", "messages": messages })));
            }
            return ExitCode::from(WRONG);
        }
    };
    tell(&diagnostics, &sources, options);
    let interrupt = match Interrupt::listen() {
        Ok(interrupt) => interrupt,
        Err(error) => return fail(&format!("cannot listen for interruptions: {error}")),
    };
    let mut figures = Vec::new();
    for plot in &options.plot {
        match Wanted::read(&plot.what, plan.system(), &plan.columns) {
            Ok(wanted) => figures.push((plot, wanted)),
            Err(why) => return fail(&why),
        }
    }
    if !options.film.is_empty()
        && let Err(why) = Wanted::read("picture", plan.system(), &plan.columns)
    {
        return fail(&why);
    }
    let folder = options.folder();
    let has_page = !options.no_report && plan.columns.len() <= PAGE;
    let texts: &[&str] = if has_page { &[REPORT] } else { &[] };
    let results = match Results::new(&folder, &plan.columns, texts) {
        Ok(results) => results,
        Err(error) => return unwritten(&error, "nothing was run"),
    };
    let begin = Instant::now();
    let formulas = has_page.then(|| Beside::start(plan.system(), set, interrupt.flag()));
    let shown = !options.quiet && io::stderr().is_terminal();
    let progress =
        shown.then(|| Progress::new(plan.settings.until, plan.columns.first().and_then(|time| time.unit.as_deref())));
    let is_shown = has_page || !figures.is_empty() || !options.film.is_empty();
    let kept = is_shown.then(|| KeptRows::new(&plan.columns, holonom_report::columns_beside(plan.system())));
    let is_told = !options.json && !options.quiet;
    let charts = (is_told && options.charts.wanted()).then(|| Charts::new(&plan));
    let mut watch = Watch { results, progress, interrupt, time: 0.0, rows: 0, failure: None, kept, charts };
    let outcome = plan.run(&mut watch);
    let Watch { results, progress, time, rows, failure, kept, charts, .. } = watch;
    let mut kept = kept.unwrap_or_else(|| KeptRows::new(&[], 0));
    kept.finish();
    if let Some(progress) = progress {
        progress.clear();
    }
    let lost = |error: &WriteError| {
        let before = if error.begun {
            "the files that were there before were just being replaced: tables may be of this run or the one before"
        } else {
            "what was there before is still there"
        };
        let until = plan.settings.until;
        format!("the run had reached t = {time:.4} of {until} ({rows} rows); nothing was written, and {before}")
    };
    if let Some(error) = failure {
        return unwritten(&error, &lost(&error));
    }

    tell(&outcome.diagnostics, &sources, options);
    let mut summary = Summary::new(about, &plan, &outcome, &diagnostics, &sources);
    let data = serde_json::from_str(&summary.json().to_string()).unwrap_or_default();
    let formulas = formulas.map_or_else(ReportFormulas::default, |beside| beside.finish(options.formulas));
    let (system, report) = (plan.system(), &plan.report);
    let shown = ReportedRun { system, report, rows: &kept, summary: &data, sources: &sources, formulas: &formulas };
    let texts = if has_page { vec![holonom_report::html(&shown)] } else { Vec::new() };
    let written = results.publish(&summary.facts(), &texts, |tables| {
        summary.set_files(tables);
        format!("{}\n", summary.json())
    });
    let written = match written {
        Ok(written) => written,
        Err(error) => return unwritten(&error, &lost(&error)),
    };
    let (mut drawn, mut undrawn) = (Vec::new(), None);
    for (plot, wanted) in &figures {
        match plot.write(&shown, wanted) {
            Ok(()) => drawn.push(plot.file.display().to_string()),
            Err(why) => undrawn = Some(fail(&why)),
        }
    }
    let mut films = Vec::new();
    for film in &options.film {
        match film.write(&shown) {
            Ok(said) => films.push(said),
            Err(why) => undrawn = Some(fail(&why)),
        }
    }
    let page = folder.join(REPORT);
    if options.json {
        say(&format!("{:#}\n", summary.json()));
    } else if !options.quiet {
        let layout = options.color.layout();
        let mut sheet = Sheet::new(layout);
        let mut line = |label: &str, text: String| sheet.entry(label, vec![text], "");
        let names: Vec<_> = written.iter().map(|file| file.name).collect();
        line("files", format!("{}: {}", folder.display(), names.join(", ")));
        if !has_page && !options.no_report {
            let columns = plan.columns.len();
            line("", format!("no {REPORT}: a page shows up to {PAGE} columns, and there are {columns}"));
        }
        if !drawn.is_empty() {
            line("figures", drawn.join(", "));
        }
        films.into_iter().for_each(|film| line("film", film));
        line("computing", format!("{:.2} s", begin.elapsed().as_secs_f64()));
        say(&format!("{}{sheet}", summary.page(layout)));
        if let Some(charts) = &charts {
            let rest = if has_page { REPORT } else { "trajectory.csv" };
            say(&charts.text(&Paper::terminal(options.color), rest));
        }
        if has_page && io::stdout().is_terminal() {
            say(&format!("\nopen {}\n", link(&page.display().to_string(), &page)));
        }
    }
    if options.open && !matches!(outcome.end, End::Interrupted) {
        let opened = if has_page { open(&page) } else { Err(format!("there is no {REPORT} to open")) };
        undrawn = opened.err().map(|why| fail(&why)).or(undrawn);
    }
    if let Some(code) = undrawn {
        return code;
    }
    ExitCode::from(match outcome.end {
        End::Interrupted => INTERRUPTED,
        End::Failed => WRONG,
        _ if outcome.diagnostics.iter().any(Diagnostic::is_error) => WRONG,
        End::Finished | End::Stopped { .. } => 0,
    })
}

/// Messages for the terminal; as data they are in the summary.
fn tell(diagnostics: &[Diagnostic], sources: &Sources, options: &Options) {
    if !options.json {
        complain(&messages::text(diagnostics, sources, options.color.on_errors()));
    }
}

fn unwritten(error: &WriteError, lost: &str) -> ExitCode {
    complain(&format!("error[unwritable-output]: {error}\n  = note: {lost}\n  = help: {}\n", error.help()));
    ExitCode::from(UNABLE)
}

/// Looks on as the model moves: writes its rows, shows how far it is, and stops it when somebody asks.
struct Watch {
    results: Results,
    progress: Option<Progress>,
    interrupt: Interrupt,
    time: f64,
    rows: u64,
    failure: Option<WriteError>,
    /// For the report and figures.
    kept: Option<KeptRows>,
    charts: Option<Charts>,
}

impl Observer for Watch {
    fn row(&mut self, values: &[f64]) -> Result<(), io::Error> {
        self.results.row(values).map_err(|error| {
            let kind = error.error.kind();
            self.failure = Some(error);
            kind
        })?;
        self.rows += 1;
        if let Some(kept) = &mut self.kept {
            kept.push(values);
        }
        if let Some(charts) = &mut self.charts {
            charts.push(values);
        }
        Ok(())
    }

    fn step(&mut self, t: f64) -> bool {
        self.time = t;
        if let Some(progress) = &mut self.progress {
            progress.step(t);
        }
        !self.interrupt.asked()
    }
}
