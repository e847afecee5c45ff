//! `holonom sweep`: a model at many values of its parameters, on all cores, into one table.

mod page;
mod vary;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Instant;

use holonom::language::Loaded;
use holonom::sweep::{self, Ended, Journal, JournalError, Points, Progress, Study, SweepRefusal, Work};

use crate::asked::Asked;
use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::messages;
use crate::progress::Runs;
use crate::terminal::{Colour, UNABLE, WRONG, complain, fail, say};
use page::{Page, Timing};
use vary::Variation;

/// Run a model at many values of its parameters, into one table
///
/// Each point is a run as with `holonom run`, on all cores. The results are `runs.parquet` and
/// `runs.csv`, with one row per point, and `summary.json`. Files are complete or absent. Runs that
/// fail have rows, too, with the reason. A journal records finished runs: after Ctrl-C or a crash,
/// the same command continues where it stopped.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub struct Options {
    /// The model; `-` reads standard input
    model: PathBuf,

    /// Vary a parameter: `L=0.5:2:100`, `L=log:0.5:2:100`, `m=1,2,5`; several make all combinations
    #[arg(long, value_name = "NAME=VALUES", conflicts_with = "points")]
    vary: Vec<Variation>,

    /// Draw this many points at random: `L=0.5:2`, `L=log:0.5:2`, `L=normal(1, 0.1)`
    #[arg(long, value_name = "COUNT", conflicts_with = "points")]
    random: Option<u64>,

    /// The seed of the random points
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Points from a table: names of parameters in the first line, then a point per line
    #[arg(long, value_name = "FILE.csv")]
    points: Option<PathBuf>,

    #[command(flatten)]
    asked: Asked,

    /// Also keep all rows of all runs, in `trajectories.parquet`
    #[arg(long)]
    trajectories: bool,

    /// How many runs at a time [default: the number of cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

    /// Stop at the first run that fails or is rejected
    #[arg(long)]
    stop_on_failure: bool,

    /// Start over and ignore results in the folder
    #[arg(long)]
    fresh: bool,

    /// The folder for the results; created if needed [default: NAME.sweep in this folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,

    /// Print messages only, no progress and no summary
    #[arg(long, short)]
    quiet: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    color: Colour,
}

const HELP: &str = "Examples:
  A hundred lengths and three masses, 300 runs, into pendulum.sweep:
    holonom sweep pendulum.holo --vary L=0.5:2:100 --vary m=1,2,5
  A thousand lengths drawn from a normal distribution, always the same ones:
    holonom sweep pendulum.holo --random 1000 --seed 7 --vary \"L=normal(1 m, 10 cm)\"
  Points from a file, with the whole motion of each:
    holonom sweep pendulum.holo --points points.csv --every 0.1 --trajectories

Values have units as in a model; without a unit they are in SI units.

Exit status:
  0    all points were run; those that failed are in the table
  1    the model was rejected, no run reached its end, or --stop-on-failure ended the sweep
  2    the command was wrong, or files could not be read or written
  130  interrupted; the same command continues where it stopped";

impl Options {
    /// `NAME.sweep`, where nothing else was said.
    fn folder(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| {
            let stem = self.model.file_stem().filter(|_| self.model != Path::new("-"));
            let mut name = stem.unwrap_or("model".as_ref()).to_os_string();
            name.push(".sweep");
            PathBuf::from(name)
        })
    }

    fn points(&self, loaded: &Loaded) -> Result<Points, String> {
        let Some(model) = &loaded.model else { return Err("the model was rejected".into()) };
        if let Some(path) = &self.points {
            return vary::table(path, model);
        }
        self.vary.iter().try_for_each(|one| one.fits(model))?;
        let vary = self.vary.iter().map(|one| one.vary.clone()).collect();
        let points = match self.random {
            Some(count) => Points::random(vary, count, self.seed),
            None => Points::product(vary),
        };
        points.map_err(|error| error.to_string())
    }
}

pub fn run(options: &Options) -> ExitCode {
    let loaded = match messages::load(&options.model, &options.asked.set) {
        Ok(loaded) => loaded,
        Err(why) => return fail(&why),
    };
    let colour = options.color.on_errors();
    complain(&messages::text(&loaded.diagnostics, &loaded.sources, colour));
    if loaded.model.is_none() {
        return ExitCode::from(WRONG);
    }
    let points = match options.points(&loaded) {
        Ok(points) => points,
        Err(why) => return fail(&why),
    };
    let study = Study::new(
        &loaded,
        &messages::settings(&options.asked.set),
        &options.asked.options(),
        points,
        options.trajectories,
    );
    match study {
        Ok(study) => swept(&study, &loaded, options),
        Err(SweepRefusal::Messages(found)) => {
            complain(&messages::text(&found, &loaded.sources, colour));
            ExitCode::from(WRONG)
        }
        Err(why) => fail(&why.to_string()),
    }
}

fn swept(study: &Study, loaded: &Loaded, options: &Options) -> ExitCode {
    let interrupt = match Interrupt::listen() {
        Ok(interrupt) => interrupt,
        Err(error) => return fail(&format!("cannot listen for interruptions: {error}")),
    };
    let folder = options.folder();
    let count = study.points().count();
    let mut journal = match Journal::open(&folder, &study.identity(), count, options.fresh) {
        Ok(journal) => journal,
        Err(error) => return unusable(&error, &folder),
    };
    let before = journal.done();
    if before > 0 && !options.quiet {
        complain(&format!("note: {before} of {count} points were run before, and are not run again\n"));
    }
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = options.jobs.map_or(cores, usize::from);
    let stop = interrupt.flag();
    let work = Work { jobs, stop_on_failure: options.stop_on_failure, stop: &stop };
    let mut bar = (!options.quiet && io::stderr().is_terminal()).then(|| Runs::new(count, before));
    let (begin, used) = (Instant::now(), sweep::processor_seconds());
    let ran = sweep::run(study, &mut journal, &work, &mut |progress: Progress| {
        if let Some(bar) = &mut bar {
            bar.show(progress.done, progress.bad);
        }
    });
    let seconds = begin.elapsed().as_secs_f64();
    if let Some(bar) = bar {
        bar.clear();
    }
    let progress = match ran {
        Ok(progress) => progress,
        Err(error) => {
            let why = holonom::output::reason(&error);
            let journal = folder.join(sweep::JOURNAL);
            return fail(&format!(
                "cannot write `{}`: {why}\n  note: finished runs are kept: the same command continues from there\n  \
                 help: see that the folder can be written to and has room",
                journal.display()
            ));
        }
    };
    let busy = used.zip(sweep::processor_seconds()).map(|(before, after)| after - before);
    let timing = Timing { seconds, runs: progress.now, before, jobs, cores, busy };
    let page = Page::new(study, loaded, options, timing);
    let published = sweep::publish(study, &journal, &folder, |counts, files| format!("{}\n", page.json(counts, files)));
    let (counts, files) = match published {
        Ok(published) => published,
        Err(error) => {
            complain(&format!(
                "error[unwritable-output]: {error}\n  = note: the journal has all runs: the same command writes the tables again\n  \
                 = help: {}\n",
                error.help()
            ));
            return ExitCode::from(UNABLE);
        }
    };
    if options.json {
        say(&format!("{:#}\n", page.json(&counts, &files)));
    } else if !options.quiet {
        say(&page.text(&counts, &files, &folder));
    }
    let good = counts.of(Ended::Finished) + counts.of(Ended::Stopped);
    ExitCode::from(match counts.of(Ended::Interrupted) {
        0 if good > 0 => 0,
        0 => WRONG,
        _ if options.stop_on_failure && progress.bad > 0 => WRONG,
        _ if stop.load(Ordering::Relaxed) => INTERRUPTED,
        _ => WRONG,
    })
}

/// Why there is no journal, and what to do.
fn unusable(error: &JournalError, folder: &Path) -> ExitCode {
    let help = match error {
        JournalError::Another(_) => "`--fresh` discards it, `--out FOLDER` leaves it alone",
        JournalError::Busy => "wait for it, or name another folder with `--out`",
        JournalError::Foreign => "name another folder with `--out`",
        JournalError::System(_) => "see that the folder can be written to and has room",
    };
    fail(&format!("cannot sweep into `{}`: {error}\n  help: {help}", folder.display()))
}
