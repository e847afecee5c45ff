//! From a file to a model: the text, the parts and tables under its own folder, and all messages.

use std::cell::RefCell;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::checked::Model;
use super::diagnostic::Diagnostic;
use super::elaborate::{FileError, Files, NoFiles, elaborate_after};
use super::json;
use super::parse;
use super::source::{Source, Sources, Span};
use super::syntax::Document;

/// Bytes that a model or a part may have.
pub const LARGEST_FILE: u64 = 16 << 20;

/// A model that was read, and everything that was said about it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// All text that was read.
    pub sources: Sources,
    /// The model as it was written.
    pub document: Document,
    /// The model as it is meant; there exactly when no message is an error.
    pub model: Option<Model>,
    /// Errors first, then warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
    /// The parts and tables that it is made of besides, by the names that it has for them.
    pub files: Vec<Source>,
}

impl Loaded {
    /// The errors alone.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error())
    }
}

/// Reads a model from a file. Its parts and tables lie in the same folder or below it.
pub fn load(path: &Path) -> Loaded {
    load_with(path, &[])
}

/// Reads a model from a file, with some of its parameters set to other values, by name.
///
/// What depends on them follows: other parameters, the bounds of families, massless directions.
pub fn load_with(path: &Path, settings: &[(String, f64)]) -> Loaded {
    let name = path.display().to_string();
    match read(path) {
        Ok(text) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            from_text_with(&name, &text, &Folder::new(folder), settings)
        }
        Err(error) => {
            let mut sources = Sources::new();
            sources.add(name.clone(), "");
            let diagnostic =
                Diagnostic::error("unreadable-file", format!("`{name}` cannot be read")).note(error.to_string());
            Loaded {
                sources,
                document: Document::default(),
                model: None,
                diagnostics: vec![diagnostic],
                files: Vec::new(),
            }
        }
    }
}

/// Reads a model from text alone; tables and parts in files are errors.
///
/// ```
/// use holonom_language::from_text;
///
/// let loaded = from_text("mass.holo", "param m = 2\ncoord x\nkinetic m*x'^2/2\n");
/// let model = loaded.model.expect("nothing is wrong with it");
/// assert_eq!(model.coordinates[0].name, "x");
/// ```
pub fn from_text(name: &str, text: &str) -> Loaded {
    from_text_with(name, text, &NoFiles, &[])
}

/// Reads a model from text, and its tables and parts from `files`, with some of its parameters set, by name.
///
/// A name that ends in `.json` means the JSON form.
pub fn from_text_with(name: &str, text: &str, files: &dyn Files, settings: &[(String, f64)]) -> Loaded {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let (document, found) = if json::is_json(name) { json::from_json(file, text) } else { parse::parse(file, text) };
    from_document(document, sources, files, settings, found)
}

/// A model made of a document that was not typed, or was read already; `found` are the messages so far.
pub fn from_document(
    document: Document,
    mut sources: Sources,
    files: &dyn Files,
    settings: &[(String, f64)],
    found: Vec<Diagnostic>,
) -> Loaded {
    let noted = Noted { files, read: RefCell::default() };
    let (model, more) = elaborate_after(&document, &mut sources, &noted, settings, &found);
    let files = noted.read.into_inner();
    let signs = found.iter().filter(|known| known.code == "paper-sign");
    let misread: Vec<Span> = signs.flat_map(|known| &known.labels).map(|label| label.span).collect();
    let mut diagnostics = found;
    for one in more {
        // Reading may have said it already.
        let place = one.labels.first().map(|label| label.span);
        let same = |known: &Diagnostic| known.code == one.code && known.labels.first().map(|label| label.span) == place;
        // What was read in place of a sign that was not understood is no second mistake.
        let follows = place.is_some_and(|place| misread.iter().any(|span| within(*span, place)));
        if place.is_none() || !follows && !diagnostics.iter().any(same) {
            diagnostics.push(one);
        }
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.severity);
    let good = !diagnostics.iter().any(Diagnostic::is_error);
    Loaded { sources, document, model: model.filter(|_| good), diagnostics, files }
}

/// Whether one place lies in another.
fn within(inner: Span, outer: Span) -> bool {
    inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
}

/// Files, with a note of those that were read.
struct Noted<'a> {
    files: &'a dyn Files,
    read: RefCell<Vec<Source>>,
}

impl Files for Noted<'_> {
    fn read(&self, path: &str) -> Result<String, FileError> {
        let text = self.files.read(path)?;
        let mut read = self.read.borrow_mut();
        if !read.iter().any(|known| known.name == path) {
            read.push(Source { name: path.to_string(), text: text.clone() });
        }
        Ok(text)
    }
}

/// Files that were read before, under the names that the model has for them.
#[derive(Clone, Copy, Debug)]
pub struct KeptFiles<'a>(pub &'a [Source]);

impl Files for KeptFiles<'_> {
    fn read(&self, path: &str) -> Result<String, FileError> {
        let found = self.0.iter().find(|file| file.name == path);
        found.map(|file| file.text.clone()).ok_or(FileError::NotFound)
    }
}

/// Files under one folder, and no others: links that lead out of it are not followed.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The files under `root`.
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_path_buf() }
    }
}

impl Files for Folder {
    fn read(&self, path: &str) -> Result<String, FileError> {
        let root = self.root.canonicalize().map_err(|error| system(&error))?;
        let full = root.join(path).canonicalize().map_err(|error| system(&error))?;
        if !full.starts_with(&root) {
            return Err(FileError::Outside);
        }
        read(&full)
    }
}

fn read(path: &Path) -> Result<String, FileError> {
    // Asked before it is opened: opening a pipe would wait for somebody to write.
    let known = fs::metadata(path).map_err(|error| system(&error))?;
    if !known.is_file() {
        return Err(FileError::NotRegular);
    }
    let file = fs::File::open(path).map_err(|error| system(&error))?;
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(|error| system(&error))?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(FileError::TooLarge(LARGEST_FILE));
    }
    String::from_utf8(bytes).map_err(|_| FileError::NotText)
}

fn system(error: &std::io::Error) -> FileError {
    if error.kind() == std::io::ErrorKind::NotFound {
        FileError::NotFound
    } else {
        FileError::System(error.to_string().to_lowercase())
    }
}
