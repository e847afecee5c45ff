//! `holonom new`: a model to start from.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::output::Output;
use crate::terminal::{fail, say};

/// Write a small working model to start from
#[derive(clap::Args)]
pub struct Options {
    /// The file to write; `.holo` is added where it is missing
    #[arg(required_unless_present = "list")]
    file: Option<PathBuf>,

    /// The template to use
    #[arg(long, default_value = "pendulum", value_name = "NAME")]
    template: String,

    /// List the templates
    #[arg(long)]
    list: bool,
}

/// The models to begin with: name, text. The first line of each says what it shows.
pub const TEMPLATES: [(&str, &str); 6] = [
    ("pendulum", include_str!("templates/pendulum.holo")),
    ("lagrangian", include_str!("templates/lagrangian.holo")),
    ("friction", include_str!("templates/friction.holo")),
    ("chain", include_str!("templates/chain.holo")),
    ("rolling", include_str!("templates/rolling.holo")),
    ("parts", include_str!("templates/parts.holo")),
];

pub fn run(options: &Options) -> ExitCode {
    let Some(file) = options.file.as_ref().filter(|_| !options.list) else {
        for (name, text) in TEMPLATES {
            let about = text.lines().next().unwrap_or_default().trim_start_matches("# ");
            say(&format!("{name:<12}{about}\n"));
        }
        return ExitCode::SUCCESS;
    };
    let Some((_, text)) = TEMPLATES.iter().find(|(name, _)| *name == options.template) else {
        let names: Vec<_> = TEMPLATES.iter().map(|(name, _)| *name).collect();
        return fail(&format!("there is no template `{}`\n  help: one of {}", options.template, names.join(", ")));
    };
    let path = if file.extension().is_some() { file.clone() } else { file.with_extension("holo") };
    if path.exists() {
        return fail(&in_the_way(&path, "new"));
    }
    match write(&path, text) {
        Ok(()) => {
            say(&format!("wrote {0}\ntry   holonom run {0}\n", path.display()));
            ExitCode::SUCCESS
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            fail(&format!("cannot write `{}`: its folder does not exist", path.display()))
        }
        Err(error) => fail(&format!("cannot write `{}`: {error}", path.display())),
    }
}

/// What to say about a file that is there already.
pub fn in_the_way(path: &Path, command: &str) -> String {
    format!(
        "`{0}` exists, and `{command}` overwrites nothing\n  help: choose another name, or remove `{0}` first",
        path.display()
    )
}

/// Writes a file, whole or not at all.
pub fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let mut output = Output::file(path)?;
    output.write(text.as_bytes())?;
    output.finish()
}
