//! `holonom gallery`: models that work, inside the program.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use holonom::System;
use holonom::language::{self, Loaded};
use holonom_gallery::{ENTRIES, GalleryModel, model as find, themes};

use crate::setting::Setting;
use crate::terminal::{complain, fail, say};
use crate::{messages, new, run};

/// Worked models: every example of the papers, and the classics
///
/// Without a command it lists them. The models are part of the program and need no files.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Options {
    #[command(subcommand)]
    command: Option<Command>,

    /// Print only the names, including variants
    #[arg(long)]
    names: bool,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Run a model of the gallery and write its report
    Run(run::Options),
    /// Print the explanation of a model, and the model
    Show {
        /// Its name: `wheel`, or `block/smooth` for a variant
        name: String,
    },
    /// Copy a model of the gallery into a file, to start your own from
    Copy {
        /// Its name: `wheel`, or `block/smooth` for a variant
        name: String,
        /// The file to write [default: NAME.holo in this folder]
        file: Option<PathBuf>,
    },
}

pub fn run(options: &Options) -> ExitCode {
    match &options.command {
        None if options.names => {
            ENTRIES
                .iter()
                .flat_map(holonom_gallery::GalleryEntry::models)
                .for_each(|model| say(&format!("{}\n", model.name())));
            ExitCode::SUCCESS
        }
        None => list(),
        Some(Command::Run(run)) => run_one(run),
        Some(Command::Show { name }) => show(name),
        Some(Command::Copy { name, file }) => copy(name, file.as_deref()),
    }
}

fn list() -> ExitCode {
    let widest = ENTRIES.iter().map(|entry| entry.name.len()).max().unwrap_or(0) + 2;
    let room = crate::terminal::width().unwrap_or(100).clamp(60, 120) - widest - 2;
    for (title, entries) in themes() {
        say(&format!("{title}\n"));
        for entry in entries {
            let mut name = entry.name;
            for line in wrapped(&entry.summary(), room) {
                say(&format!("  {name:<widest$}{line}\n"));
                name = "";
            }
        }
        say("\n");
    }
    say("holonom gallery run NAME runs a model, show NAME explains it, copy NAME copies it into this folder\n");
    ExitCode::SUCCESS
}

/// Words in lines of a width.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_string());
        } else {
            let gap = if lines[last].is_empty() { "" } else { " " };
            lines[last] += &format!("{gap}{word}");
        }
    }
    lines
}

/// The model of a name, or what is near to it.
fn named(name: &str) -> Result<GalleryModel, String> {
    find(name).ok_or_else(|| {
        let all: Vec<String> =
            ENTRIES.iter().flat_map(holonom_gallery::GalleryEntry::models).map(|model| model.name()).collect();
        let near = language::closest(name, all.iter().map(String::as_str));
        let help = near.map_or("`holonom gallery` lists them".to_string(), |near| format!("did you mean `{near}`?"));
        format!("there is no `{name}` in the gallery\n  help: {help}")
    })
}

/// Reads a model of the gallery; its parts and tables are beside it.
fn load(model: &GalleryModel, set: &[Setting]) -> Result<Loaded, String> {
    let settings = messages::settings(set);
    let files: HashMap<String, String> =
        model.entry.files.iter().map(|(name, text)| ((*name).to_string(), (*text).to_string())).collect();
    messages::fitting(language::from_text_with(model.file, model.text, &files, &settings), set)
}

fn run_one(options: &run::Options) -> ExitCode {
    let name = options.model().to_string_lossy();
    let model = match named(&name) {
        Ok(model) => model,
        Err(why) => return fail(&why),
    };
    let loaded = match load(&model, options.set()) {
        Ok(loaded) => loaded,
        Err(why) => return fail(&why),
    };
    let Some(code) = model.diagnosis else {
        return run::of(loaded, options, &format!("holonom gallery run {}", model.name()));
    };
    // There is no motion to be seen, but something to be read.
    let (said, sources) = match System::of(loaded, messages::settings(options.set())).and_then(|system| system.check())
    {
        Ok(verdict) => {
            say(&verdict.report.page(options.colour().layout()));
            (verdict.messages, verdict.sources)
        }
        Err(rejection) => (rejection.messages, rejection.sources),
    };
    complain(&messages::text(&said, &sources, options.colour().on_errors()));
    if said.iter().any(|one| one.code == code) {
        say(&format!("{} is here to show this message; it does not run\n", model.name()));
        return ExitCode::SUCCESS;
    }
    fail(&format!("`{}` should show the message `{code}`; this is a defect of the program", model.name()))
}

fn show(name: &str) -> ExitCode {
    match named(name) {
        Ok(model) => {
            say(&format!("{}\n{}:\n\n", model.entry.story(), model.file));
            model.text.lines().for_each(|line| say(&format!("    {line}\n")));
            ExitCode::SUCCESS
        }
        Err(why) => fail(&why),
    }
}

fn copy(name: &str, file: Option<&Path>) -> ExitCode {
    let model = match named(name) {
        Ok(model) => model,
        Err(why) => return fail(&why),
    };
    let target = match file {
        Some(file) if file.is_dir() => file.join(model.file),
        Some(file) if file.extension().is_some() => file.to_path_buf(),
        Some(file) => file.with_extension("holo"),
        None => PathBuf::from(model.file),
    };
    // What the model reads goes beside it, under the names that the model has for it.
    let loaded = match load(&model, &[]) {
        Ok(loaded) => loaded,
        Err(why) => return fail(&why),
    };
    let folder = target.parent().unwrap_or(Path::new(""));
    let mut files = vec![(target.clone(), model.text.to_string())];
    files.extend(loaded.files.into_iter().map(|file| (folder.join(&file.name), file.text)));
    for (path, _) in &files {
        if path.exists() {
            return fail(&new::in_the_way(path, "copy"));
        }
    }
    for (path, text) in &files {
        if let Some(folder) = path.parent()
            && let Err(error) = std::fs::create_dir_all(folder)
        {
            return fail(&format!("cannot make the folder `{}`: {error}", folder.display()));
        }
        if let Err(error) = new::write(path, text) {
            return fail(&format!("cannot write `{}`: {error}", path.display()));
        }
        say(&format!("wrote {}\n", path.display()));
    }
    say(&format!("try   holonom run {}\n", target.display()));
    ExitCode::SUCCESS
}
