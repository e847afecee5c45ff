//! `holonom report`: the page of an earlier run.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use holonom::output::Draft;
use holonom::symbols::algebra::Budget;
use holonom_report::{Earlier, REPORT, ReportFormulas, Wanted, html};

use crate::interrupt::Interrupt;
use crate::open::open;
use crate::plot::Plot;
use crate::terminal::{fail, link, say};

/// What formulas may cost: a second or two.
pub const FORMULAS: u64 = 100_000_000;

/// Write the report of an earlier run again, or figures of it
///
/// This does not repeat the run: it reads `summary.json` and `trajectory.csv` in its folder.
#[derive(clap::Args)]
pub struct Options {
    /// The folder of the run, such as `pendulum.run`
    folder: PathBuf,

    /// The file to write [default: report.html in the folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Draw a figure instead of the page, as in `holonom run`; may be repeated
    #[arg(long, value_name = "FILE.svg|png[: WHAT]")]
    plot: Vec<Plot>,

    /// Open the page in a browser: that of BROWSER, or the default one
    #[arg(long)]
    open: bool,
}

pub fn run(options: &Options) -> ExitCode {
    if options.folder.is_file() {
        let shown = options.folder.display();
        return fail(&format!(
            "`{shown}` is a file, and a report is made of the folder of a run\n  help: `holonom run {shown}` makes such a folder and a report in it"
        ));
    }
    let earlier = match Earlier::read(&options.folder) {
        Ok(earlier) => earlier,
        Err(why) => return fail(&why.to_string()),
    };
    let interrupt = match Interrupt::listen() {
        Ok(interrupt) => interrupt,
        Err(error) => return fail(&format!("cannot listen for interruptions: {error}")),
    };
    let has_page = options.plot.is_empty() || options.out.is_some() || options.open;
    let formulas = match has_page {
        true => earlier.formulas(&Budget::with_interrupt(FORMULAS, interrupt.flag())),
        false => ReportFormulas::default(),
    };
    let run = earlier.run(&formulas);
    for plot in &options.plot {
        let written =
            Wanted::read(&plot.what, run.system, &run.rows.columns).and_then(|wanted| plot.write(&run, &wanted));
        match written {
            Ok(()) => say(&format!("wrote {}\n", plot.file.display())),
            Err(why) => return fail(&why),
        }
    }
    if has_page {
        let path = options.out.clone().unwrap_or_else(|| options.folder.join(REPORT));
        let page = html(&run);
        let written = Draft::new(&path).and_then(|mut draft| {
            draft.write_all(page.as_bytes())?;
            draft.publish()
        });
        if let Err(error) = written {
            return fail(&format!("cannot write `{}`: {error}", path.display()));
        }
        say(&format!("wrote {}\n", link(&path.display().to_string(), &path)));
        if options.open
            && let Err(why) = open(&path)
        {
            return fail(&why);
        }
    }
    ExitCode::SUCCESS
}
