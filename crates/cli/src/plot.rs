//! Figures on the command line: `--plot FILE.svg|png[: WHAT]`.

use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

use holonom::output::Draft;
use holonom_report::{ReportedRun, Wanted, figure};

/// How many pixels a PNG has for each of the figure.
const SCALE: f64 = 2.0;

/// A figure that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Where it goes.
    pub file: PathBuf,
    /// What it shows, as it was typed.
    pub what: String,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Svg,
    Png,
}

impl FromStr for Plot {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        for (end, form) in [(".svg", Form::Svg), (".png", Form::Png)] {
            let lower = text.to_ascii_lowercase();
            let with_what = lower.find(&format!("{end}:")).map(|at| at + end.len());
            let alone = lower.trim_end().ends_with(end).then_some(lower.trim_end().len());
            if let Some(at) = with_what.or(alone) {
                let what = text[at..].trim_start().trim_start_matches(':').trim().to_string();
                return Ok(Self { file: PathBuf::from(text[..at].trim_start()), what, form });
            }
        }
        Err("a figure is a file that ends in .svg or .png, such as `motion.svg` or `motion.svg: x, y`".to_string())
    }
}

impl Plot {
    /// Draws it and writes it, whole or not at all.
    pub fn write(&self, run: &ReportedRun, wanted: &Wanted) -> Result<(), String> {
        let figure = figure(run, wanted)?;
        let bytes = match self.form {
            Form::Svg => figure.svg().into_bytes(),
            Form::Png => figure.png(SCALE),
        };
        let written = Draft::new(&self.file).and_then(|mut draft| {
            draft.write_all(&bytes)?;
            draft.publish()
        });
        written.map(|_| ()).map_err(|error| format!("cannot write `{}`: {error}", self.file.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read() {
        let plot: Plot = "a b/x.svg: y over x".parse().unwrap();
        assert_eq!((plot.file, plot.what.as_str()), (PathBuf::from("a b/x.svg"), "y over x"));
        let plot: Plot = "X.PNG".parse().unwrap();
        assert_eq!((plot.form, plot.what.as_str()), (Form::Png, ""));
        assert!("x.pdf".parse::<Plot>().is_err());
        assert!("x.svgz: y".parse::<Plot>().is_err());
    }
}
