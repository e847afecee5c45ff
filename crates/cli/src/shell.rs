//! `holonom completions` and `holonom man`: what a shell and a manual reader want to know of the command.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Command;

use crate::output::Output;
use crate::terminal::{fail, say};

/// Print completions for a shell
///
/// For bash: holonom completions bash > ~/.local/share/bash-completion/completions/holonom
#[derive(clap::Args)]
pub struct Completions {
    /// Which shell
    shell: clap_complete::Shell,
}

/// Print the manual page, or write one page per command into a folder
#[derive(clap::Args)]
pub struct Man {
    /// The folder for `holonom.1`, `holonom-check.1`, …; without it the main page goes to standard output
    folder: Option<PathBuf>,
}

/// The completions of a command.
pub fn completions(options: &Completions, mut command: Command) -> ExitCode {
    let mut text = Vec::new();
    clap_complete::generate(options.shell, &mut command, "holonom", &mut text);
    say(&String::from_utf8_lossy(&text));
    ExitCode::SUCCESS
}

/// The manual of a command.
pub fn man(options: &Man, mut command: Command) -> ExitCode {
    command.build();
    let Some(folder) = &options.folder else {
        return match page(&command) {
            Ok(text) => {
                say(&String::from_utf8_lossy(&text));
                ExitCode::SUCCESS
            }
            Err(error) => fail(&format!("the manual page cannot be made: {error}")),
        };
    };
    let pages = std::iter::once((String::from("holonom.1"), &command)).chain(
        command
            .get_subcommands()
            .filter(|sub| sub.get_name() != "help")
            .map(|sub| (format!("holonom-{}.1", sub.get_name()), sub)),
    );
    for (name, command) in pages {
        let path = folder.join(name);
        let written = page(command).and_then(|text| {
            let mut output = Output::file(&path)?;
            output.write(&text)?;
            output.finish()
        });
        match written {
            Ok(()) => say(&format!("wrote {}\n", path.display())),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return fail(&format!("cannot write `{}`: its folder does not exist", path.display()));
            }
            Err(error) => return fail(&format!("cannot write `{}`: {error}", path.display())),
        }
    }
    ExitCode::SUCCESS
}

fn page(command: &clap::Command) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    Ok(text)
}
