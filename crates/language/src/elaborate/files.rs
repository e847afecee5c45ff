//! Files that a model speaks of, read through one narrow door, and the parts in them.

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::diagnostic::Diagnostic;
use crate::source::{Sources, Span};
use crate::syntax::{Document, PartItem, PartSource, Statement, StatementKind, Text, Unit};
use crate::units;
use crate::visit::expression_units;
use crate::{json, parse};

/// How deep parts may lie in parts.
pub(super) const DEEPEST_PART: usize = 16;
/// How many files a model may be made of.
const MOST_FILES: usize = 1000;

/// Where a model's tables and parts come from.
pub trait Files {
    /// The text of a file; `path` is relative to the model's folder, has no `..`, and `/` between its names.
    ///
    /// # Errors
    /// Where there is no such file, or it must not be read.
    fn read(&self, path: &str) -> Result<String, FileError>;
}

/// No files at all: a model that stands alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &str) -> Result<String, FileError> {
        Err(FileError::Unavailable)
    }
}

impl Files for HashMap<String, String> {
    fn read(&self, path: &str) -> Result<String, FileError> {
        self.get(path).cloned().ok_or(FileError::NotFound)
    }
}

/// Why a file was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// There is none.
    NotFound,
    /// It lies outside the model's folder.
    Outside,
    /// It is a folder, a device, or some such.
    NotRegular,
    /// It has more bytes than this.
    TooLarge(u64),
    /// It is not UTF-8.
    NotText,
    /// This model came without files.
    Unavailable,
    /// The system said no.
    System(String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => write!(f, "there is no such file"),
            Self::Outside => write!(f, "it lies outside the model's own folder"),
            Self::NotRegular => write!(f, "it is not an ordinary file"),
            Self::TooLarge(most) => write!(f, "it has more than {most} bytes"),
            Self::NotText => write!(f, "it is not UTF-8 text"),
            Self::Unavailable => write!(f, "this model was given without its files"),
            Self::System(why) => write!(f, "{why}"),
        }
    }
}

/// The documents of all parts that lie in files, by path from the model's folder.
#[derive(Default)]
pub(super) struct Library {
    pub(super) documents: HashMap<String, Document>,
}

impl Library {
    pub(super) fn has_units(&self) -> bool {
        self.documents.values().any(|document| has_units(&document.statements))
    }
}

/// The path of a file from the model's folder, if it may be read at all.
pub(super) fn join(folder: &str, path: &str) -> Result<String, FileError> {
    let outside = path.starts_with(['/', '\\'])
        || path.contains('\0')
        || path.contains('\\')
        || path.split('/').next().is_some_and(|first| first.contains(':'))
        || path.split('/').any(|name| name == "..");
    if outside {
        return Err(FileError::Outside);
    }
    let names: Vec<&str> = folder.split('/').chain(path.split('/')).filter(|name| !matches!(*name, "" | ".")).collect();
    Ok(names.join("/"))
}

/// The folder of a file.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The message about a file that was not read.
pub(super) fn unreadable(text: &Text, error: &FileError) -> Diagnostic {
    let diagnostic = Diagnostic::error("unreadable-file", format!("`{}` cannot be read", text.text))
        .at(text.span, error.to_string());
    match error {
        FileError::Outside => {
            diagnostic.help("a model reads only files of its own folder: copy the file there and write its name alone")
        }
        _ => diagnostic,
    }
}

/// Reads and parses the files of all parts, and the parts of these.
pub(super) fn read_parts(
    document: &Document,
    sources: &mut Sources,
    files: &dyn Files,
    diagnostics: &mut Vec<Diagnostic>,
) -> Library {
    let mut reader = Reader { library: Library::default(), sources, files, diagnostics, chain: vec![] };
    reader.read(&document.statements, "");
    reader.library
}

struct Reader<'r> {
    library: Library,
    sources: &'r mut Sources,
    files: &'r dyn Files,
    diagnostics: &'r mut Vec<Diagnostic>,
    /// The files that are being read, outermost first.
    chain: Vec<String>,
}

impl Reader<'_> {
    fn read(&mut self, statements: &[Statement], folder_of: &str) {
        for statement in statements {
            let StatementKind::Part(part) = &statement.kind else { continue };
            match &part.source {
                PartSource::Inline(inner) => self.read(inner, folder_of),
                PartSource::File(text) => self.read_file(text, folder_of),
            }
        }
    }

    fn read_file(&mut self, text: &Text, folder_of: &str) {
        let path = match join(folder_of, &text.text) {
            Ok(path) => path,
            Err(error) => return self.diagnostics.push(unreadable(text, &error)),
        };
        if self.chain.contains(&path) {
            let chain: Vec<_> = self.chain.iter().map(|one| format!("`{one}`")).collect();
            let error = Diagnostic::error("cyclic-parts", format!("`{path}` is a part of itself"))
                .at(text.span, "this closes the circle")
                .note(format!("{} contains `{path}`", chain.join(" contains ")))
                .help("a part may contain other parts, but not itself");
            return self.diagnostics.push(error);
        }
        if self.library.documents.contains_key(&path) {
            return;
        }
        if self.chain.len() >= DEEPEST_PART || self.library.documents.len() >= MOST_FILES {
            let error = Diagnostic::error("too-large", "the model has too many parts in parts")
                .at(text.span, format!("at most {DEEPEST_PART} deep and {MOST_FILES} files"));
            return self.diagnostics.push(error);
        }
        let content = match self.files.read(&path) {
            Ok(content) => content,
            Err(error) => return self.diagnostics.push(unreadable(text, &error)),
        };
        let file = self.sources.add(path.clone(), content.clone());
        let (document, found) =
            if json::is_json(&path) { json::from_json(file, &content) } else { parse::parse(file, &content) };
        self.diagnostics.extend(found);
        self.chain.push(path.clone());
        self.read(&document.statements, folder(&path));
        self.chain.pop();
        self.library.documents.insert(path, document);
    }
}

/// The words of the statement that an error lies in.
pub(super) fn doubtful_words(
    error: &Diagnostic,
    document: &Document,
    library: &Library,
    sources: &Sources,
    words: &mut HashSet<String>,
) {
    // A message about one sign at many places is about the statements of all of them.
    let places = if error.code == "paper-sign" { error.labels.len() } else { 1 };
    for label in error.labels.iter().take(places) {
        doubtful_statement(label.span, document, library, sources, words);
    }
}

fn doubtful_statement(
    place: Span,
    document: &Document,
    library: &Library,
    sources: &Sources,
    words: &mut HashSet<String>,
) {
    let all = std::iter::once(document).chain(library.documents.values());
    let holder = all
        .flat_map(|document| &document.statements)
        .find(|one| one.span.file == place.file && one.span.start <= place.start && place.start <= one.span.end);
    let text = match holder {
        Some(statement) => sources.text(statement.span),
        None => {
            let text = &sources.file(place.file).text;
            let line = sources.position(place).0;
            text.lines().nth(line - 1).unwrap_or("")
        }
    };
    let between = |c: char| !(c.is_alphanumeric() || c == '_');
    words.extend(text.split(between).filter(|word| !word.is_empty()).map(str::to_string));
}

/// Whether any quantity or coordinate has a unit that is no pure number.
pub(super) fn has_units(statements: &[Statement]) -> bool {
    let mut found = false;
    let mut visit = |unit: &Unit| {
        found = found || units::resolve(unit).is_ok_and(|info| info.switches_checking_on());
    };
    for statement in statements {
        each_unit(statement, &mut visit);
    }
    found
}

/// The first unit of the one statement that has any; nothing where several have.
pub(super) fn lone_unit(statements: &[Statement]) -> Option<Span> {
    let mut lone = None;
    for statement in statements {
        let mut first = None;
        each_unit(statement, &mut |unit| {
            if first.is_none() && units::resolve(unit).is_ok_and(|info| info.switches_checking_on()) {
                first = Some(unit.span);
            }
        });
        match (lone, first) {
            (Some(_), Some(_)) => return None,
            (None, Some(_)) => lone = first,
            _ => {}
        }
    }
    lone
}

fn each_unit(statement: &Statement, visit: &mut dyn FnMut(&Unit)) {
    statement.kind.units().into_iter().for_each(&mut *visit);
    for value in statement.kind.values() {
        expression_units(value, visit);
    }
    if let StatementKind::Part(PartItem { source: PartSource::Inline(inner), .. }) = &statement.kind {
        inner.iter().for_each(|statement| each_unit(statement, visit));
    }
}
