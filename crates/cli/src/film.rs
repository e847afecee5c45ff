//! Films on the command line: `--film FILE.gif[: SPEED, WHAT]`, `--film FOLDER/`, `--film frame-%03d.png`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use holonom::output::Draft;
use holonom_report::{Film as Frames, Overlay, ReportedRun};

/// How many pixels frames have for each of a figure: a GIF file is large enough as it is.
const GIF: f64 = 1.0;
const PNG: f64 = 2.0;

/// A film that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    form: Form,
    speed: Option<f64>,
    overlay: Overlay,
}

#[derive(Clone, Debug, PartialEq)]
enum Form {
    Gif(PathBuf),
    /// What stands before and behind the number of a frame, and its least digits.
    Frames {
        before: String,
        digits: usize,
        after: String,
    },
}

const FORMS: &str = "a film is a file `swing.gif`, a folder for its frames `frames/`, or names for them `swing-%03d.png`; \
                     `swing.gif: 0.1x` is ten times slower than the motion, \
                     `swing.gif: 0.1x, velocities, reactions, traces` shows these too";

impl FromStr for Film {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (mut speed, mut overlay) = (None, Overlay::default());
        let name = match text.rsplit_once(": ") {
            Some((name, wishes)) => {
                for wish in wishes.split(',').filter(|wish| !overlay.take(wish)) {
                    let digits = wish.trim().trim_end_matches(['x', '×']);
                    let number = digits.parse::<f64>().ok().filter(|speed| speed.is_finite() && *speed > 0.0);
                    if speed.replace(number.ok_or(FORMS)?).is_some() {
                        return Err(FORMS.to_string());
                    }
                }
                name.trim()
            }
            None => text.trim(),
        };
        let lower = name.to_ascii_lowercase();
        let form = if lower.ends_with(".gif") && lower.len() > 4 {
            Form::Gif(PathBuf::from(name))
        } else if name.ends_with(['/', std::path::MAIN_SEPARATOR]) {
            Form::Frames { before: name.to_string(), digits: 4, after: ".png".to_string() }
        } else if lower.ends_with(".png") {
            numbered(name).ok_or(FORMS)?
        } else {
            return Err(FORMS.to_string());
        };
        Ok(Self { form, speed, overlay })
    }
}

/// `swing-%03d.png`
fn numbered(name: &str) -> Option<Form> {
    let (before, rest) = name.split_once('%')?;
    let (digits, after) = rest.split_once('d')?;
    let digits = if digits.is_empty() { 1 } else { digits.strip_prefix('0')?.parse().ok().filter(|d| *d <= 9)? };
    (!after.contains('%')).then(|| Form::Frames { before: before.to_string(), digits, after: after.to_string() })
}

impl Film {
    /// Draws it and writes it: what was written, in a few words.
    pub fn write(&self, run: &ReportedRun) -> Result<String, String> {
        let mut film = Frames::new(run, self.speed, self.overlay)?;
        let (count, speed) = (film.len(), film.speed);
        let said = |name: &str| format!("{name} ({count} frames, {speed}× the speed of the motion)");
        match &self.form {
            Form::Gif(file) => {
                put(file, &film.gif(GIF))?;
                Ok(said(&file.display().to_string()))
            }
            Form::Frames { before, digits, after } => {
                let name = |number: usize| format!("{before}{number:0digits$}{after}");
                if let Some(folder) = Path::new(&name(1)).parent().filter(|folder| !folder.as_os_str().is_empty()) {
                    let made = fs::create_dir_all(folder);
                    made.map_err(|error| format!("cannot make the folder `{}`: {error}", folder.display()))?;
                }
                for which in 0..count {
                    put(Path::new(&name(which + 1)), &film.frame(which).png(PNG))?;
                }
                Ok(said(&format!("{} to {}", name(1), name(count))))
            }
        }
    }
}

/// A file, whole or not at all.
fn put(file: &Path, bytes: &[u8]) -> Result<(), String> {
    let written = Draft::new(file).and_then(|mut draft| {
        draft.write_all(bytes)?;
        draft.publish()
    });
    written.map(|_| ()).map_err(|error| format!("cannot write `{}`: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn films_are_read() {
        let film: Film = "a b/x.gif: 0.25x".parse().unwrap();
        assert_eq!((film.form, film.speed), (Form::Gif(PathBuf::from("a b/x.gif")), Some(0.25)));
        let film: Film = "x.gif: velocities, 0.5x, traces".parse().unwrap();
        let shown = Overlay { velocities: true, reactions: false, traces: true };
        assert_eq!((film.speed, film.overlay), (Some(0.5), shown));
        let frames =
            |before: &str, digits, after: &str| Form::Frames { before: before.into(), digits, after: after.into() };
        let form = |text: &str| text.parse::<Film>().map(|film| film.form);
        assert_eq!(form("frames/"), Ok(frames("frames/", 4, ".png")));
        assert_eq!(form("f/x-%03d.png"), Ok(frames("f/x-", 3, ".png")));
        assert_eq!(form("%d.PNG"), Ok(frames("", 1, ".PNG")));
        for wrong in [
            "x.mp4",
            "x.png",
            "x.gif: fast",
            "x.gif: 0",
            "x.gif: -1",
            "x.gif: 1x, 2x",
            "x.gif: velocity",
            "x.gif: 1x,",
            "%5d.png",
            "%0d%d.png",
            ".gif",
            "",
        ] {
            assert!(form(wrong).is_err(), "{wrong}");
        }
    }
}
