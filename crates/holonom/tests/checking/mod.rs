//! What `holonom check` reports about a model that is read, derived and evaluated around its start; and what `holonom run` reports.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use holonom::language::{Diagnostic, Folder, Sources, from_text_with, render_all};
use holonom::simulate::integrate::End;
use holonom::{Run, System};

/// Everything that was said about a model.
pub struct Checked {
    sources: Sources,
    diagnostics: Vec<Diagnostic>,
    /// How its run ended, if there was one.
    pub end: Option<End>,
}

impl Checked {
    /// The codes that were given.
    pub fn codes(&self) -> BTreeSet<&'static str> {
        self.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
    }

    /// Whether the model cannot be used.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// All messages.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// All messages as a reader sees them.
    pub fn text(&self) -> String {
        render_all(&self.diagnostics, &self.sources, false)
    }
}

/// Checks the model of a file. Messages call it by its name alone, wherever it lies.
pub fn check(path: &Path) -> Checked {
    let text = fs::read_to_string(path).unwrap();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    named(&name, &text, path.parent().unwrap())
}

/// Checks a text whose tables and parts lie in `folder`.
pub fn check_text(text: &str, folder: &Path) -> Checked {
    named("model.holo", text, folder)
}

/// Runs a text whose tables and parts lie in `folder`, for so many steps at most.
pub fn run_text(text: &str, folder: &Path, max_steps: u64) -> Checked {
    let loaded = from_text_with("model.holo", text, &Folder::new(folder), &[]);
    let run = Run { max_steps: Some(max_steps), ..Run::default() };
    match System::of(loaded, Vec::new()).and_then(|system| system.run(run)) {
        Ok(motion) => Checked {
            sources: motion.sources().clone(),
            diagnostics: motion.messages().to_vec(),
            end: Some(motion.end().clone()),
        },
        Err(rejection) => Checked {
            end: rejection.so_far.as_ref().map(|motion| motion.end().clone()),
            sources: rejection.sources,
            diagnostics: rejection.messages,
        },
    }
}

fn named(name: &str, text: &str, folder: &Path) -> Checked {
    let loaded = from_text_with(name, text, &Folder::new(folder), &[]);
    let (diagnostics, sources) = match System::of(loaded, Vec::new()).and_then(|system| system.check()) {
        Ok(verdict) => (verdict.messages, verdict.sources),
        Err(rejection) => (rejection.messages, rejection.sources),
    };
    Checked { sources, diagnostics, end: None }
}
