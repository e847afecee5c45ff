//! Where text came from: files, and spans of characters in them.

/// A file of a model: its own text, or that of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name to show in messages.
    pub name: String,
    /// The text as it was read.
    pub text: String,
}

/// All files of a model. Spans say which of them they lie in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    files: Vec<Source>,
}

/// A file in [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u16);

/// A run of characters: bytes `start..end` of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Which file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// Bytes `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Self { file, start: start as u32, end: end as u32 }
    }

    /// From the beginning of `self` to the end of `other`.
    pub fn to(self, other: Self) -> Self {
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl Sources {
    /// No files yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file and says which one it became.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(self.files.len() as u16);
        self.files.push(Source { name: name.into(), text: text.into() });
        id
    }

    /// The file `id`.
    pub fn file(&self, id: FileId) -> &Source {
        &self.files[id.0 as usize]
    }

    /// All files, in the order in which they were read.
    pub fn files(&self) -> &[Source] {
        &self.files
    }

    /// The characters of `span`.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column of the beginning of `span`, both from 1; columns count characters.
    pub fn position(&self, span: Span) -> (usize, usize) {
        let text = &self.file(span.file).text;
        let before = text.get(..span.start as usize).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}
