//! Diagnostics as text for a terminal, and as JSON for programs.
//!
//! ```text
//! error[not-unique]: the acceleration of `x` is not determined
//!    --> wheel.holo:3:25
//!     |
//!   3 | coord theta: rad, y: m, x: m
//!     |                         ^ no mass and no constraint reaches `x`
//!     = help: give `x` mass in `kinetic`, or add a constraint that contains it
//! ```

mod excerpt;
mod wrap;

use std::fmt::Write;

use super::diagnostic::{Diagnostic, Label, Severity, Suggestion};
use super::json::quote;
use super::source::{FileId, Sources, Span};
use excerpt::{Excerpt, harmless};
use wrap::{columns, wrapped};

/// Narrower terminals get lines as wide as this.
const NARROWEST: usize = 30;
/// Where less room is left beside the marks, what they mean is written below them.
const BESIDE: usize = 16;

/// One message as text for a terminal, ending with a line break; in colours if asked for.
///
/// Tabs, wide letters and control characters of the source are shown so that the marks stand where they should and
/// the terminal comes to no harm; very long lines are cut around the place in question.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, colour: bool) -> String {
    Page::new(sources, usize::MAX, colour).message(diagnostic)
}

/// All messages in the order of their places, those without a place last, and a line that counts them.
/// No messages give no text.
pub fn render_all(diagnostics: &[Diagnostic], sources: &Sources, colour: bool) -> String {
    render_within(diagnostics, sources, usize::MAX, colour)
}

/// The same in lines of at most `columns` columns, for a terminal; only words and places may be wider.
pub fn render_within(diagnostics: &[Diagnostic], sources: &Sources, columns: usize, colour: bool) -> String {
    if diagnostics.is_empty() {
        return String::new();
    }
    let mut ordered: Vec<&Diagnostic> = diagnostics.iter().collect();
    ordered.sort_by_key(|diagnostic| {
        let place = diagnostic.labels.first().map(|label| (label.span.file, label.span.start));
        (place.is_none(), place, diagnostic.severity)
    });
    let mut page = Page::new(sources, columns.max(NARROWEST), colour);
    let mut text = String::new();
    for diagnostic in ordered {
        text.push_str(&page.message(diagnostic));
        text.push('\n');
    }
    let mut counts = Vec::new();
    for (severity, one) in [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")] {
        let count = diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
        if count > 0 {
            counts.push(format!("{count} {one}{}", if count == 1 { "" } else { "s" }));
        }
    }
    text.push_str(&counts.join(", "));
    text.push('\n');
    text
}

/// One message as a JSON object on one line.
///
/// `code`, `severity`, `message`, then the main place as `file`, `line`, `column`, `end_line`, `end_column` (from 1,
/// columns count characters, the end is the column after the last; all `null` without a place), then `labels` with
/// the same keys and `text`, `notes`, `help`, and `suggestion` (`null`, or a place and its `replacement`).
pub fn diagnostic_to_json(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let mut page = Page::new(sources, usize::MAX, false);
    let strings = |texts: &[String]| texts.iter().map(|text| quote(text)).collect::<Vec<_>>().join(", ");
    let labels: Vec<String> = diagnostic
        .labels
        .iter()
        .map(|label| format!("{{{}, \"text\": {}}}", page.place_json(Some(label.span)), quote(&label.text)))
        .collect();
    let suggestion = match &diagnostic.suggestion {
        Some(Suggestion { span, replacement }) => {
            format!("{{{}, \"replacement\": {}}}", page.place_json(Some(*span)), quote(replacement))
        }
        None => "null".to_string(),
    };
    let time = diagnostic.time.map_or("null".to_string(), |time| format!("{time:?}"));
    format!(
        "{{\"code\": {}, \"severity\": {}, \"message\": {}, \"time\": {time}, {}, \"labels\": [{}], \"notes\": [{}], \"help\": [{}], \
         \"suggestion\": {suggestion}}}",
        quote(diagnostic.code),
        quote(word(diagnostic.severity)),
        quote(&diagnostic.message),
        page.place_json(diagnostic.labels.first().map(|label| label.span)),
        labels.join(", "),
        strings(&diagnostic.notes),
        strings(&diagnostic.help),
    )
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

const BOLD: &str = "1";
const GUTTER: &str = "1;34";
const ASIDE: &str = "1;36";

fn hue(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "1;31",
        Severity::Warning => "1;33",
        Severity::Note => "1;36",
    }
}

/// What is known of the files while messages are written: where the lines of each begin, found once.
struct Page<'a> {
    sources: &'a Sources,
    lines: Vec<Option<Vec<usize>>>,
    /// How wide lines may be.
    columns: usize,
    colour: bool,
}

/// A label where it stands: bytes of one line.
struct Mark<'a> {
    line: usize,
    start: usize,
    end: usize,
    main: bool,
    text: &'a str,
    /// The last line of a label that goes on over several.
    through: Option<usize>,
}

impl<'a> Page<'a> {
    fn new(sources: &'a Sources, columns: usize, colour: bool) -> Self {
        Self { sources, lines: vec![None; sources.files().len()], columns, colour }
    }

    /// How wide lines may be beside so many columns; without a bound, as they are.
    fn room(&self, taken: usize) -> usize {
        if self.columns == usize::MAX { usize::MAX } else { self.columns.saturating_sub(taken).max(1) }
    }

    fn paint(&self, style: &str, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_string() }
    }

    /// Where the lines of a file begin. Nothing for a file that there is not.
    fn starts(&mut self, file: FileId) -> Option<&[usize]> {
        let text = &self.sources.files().get(file.0 as usize)?.text;
        let starts = self.lines[file.0 as usize]
            .get_or_insert_with(|| std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect());
        Some(starts)
    }

    /// The line (from 0) that a byte lies in, and the byte within that line, moved back to a whole character.
    fn locate(&mut self, file: FileId, byte: u32) -> Option<(usize, usize)> {
        let text = &self.sources.files().get(file.0 as usize)?.text;
        let byte = text.floor_char_boundary((byte as usize).min(text.len()));
        let starts = self.starts(file)?;
        let line = starts.partition_point(|start| *start <= byte) - 1;
        Some((line, byte - starts[line]))
    }

    /// A line (from 0) without its end.
    fn line(&mut self, file: FileId, line: usize) -> &'a str {
        let sources = self.sources;
        let Some(starts) = self.starts(file) else { return "" };
        let (from, to) = (starts[line], starts.get(line + 1).copied());
        let text = &sources.file(file).text;
        text[from..to.unwrap_or(text.len())].trim_end_matches(['\n', '\r'])
    }

    fn column(&mut self, file: FileId, line: usize, byte: usize) -> usize {
        let text = self.line(file, line);
        text[..byte.min(text.len())].chars().count() + 1
    }

    fn place_json(&mut self, span: Option<Span>) -> String {
        let place = span.and_then(|span| {
            let (line, byte) = self.locate(span.file, span.start)?;
            let (end_line, end_byte) = self.locate(span.file, span.end.max(span.start))?;
            let (column, end_column) = (self.column(span.file, line, byte), self.column(span.file, end_line, end_byte));
            let name = quote(&self.sources.file(span.file).name);
            Some(format!(
                "\"file\": {name}, \"line\": {}, \"column\": {column}, \"end_line\": {}, \"end_column\": {end_column}",
                line + 1,
                end_line + 1
            ))
        });
        place.unwrap_or_else(|| {
            "\"file\": null, \"line\": null, \"column\": null, \"end_line\": null, \"end_column\": null".to_string()
        })
    }

    fn message(&mut self, diagnostic: &Diagnostic) -> String {
        let files = self.files_of(diagnostic);
        let mut last_line = 0;
        for label in &diagnostic.labels {
            last_line = last_line.max(self.locate(label.span.file, label.span.start).map_or(0, |(line, _)| line + 1));
        }
        let width = last_line.to_string().len().max(2);

        let severity = hue(diagnostic.severity);
        let head = format!("{}[{}]", word(diagnostic.severity), diagnostic.code);
        let message = wrapped(&harmless(&diagnostic.message), head.len(), self.room(2)).join("\n  ");
        let message = format!(":{}{message}", if message.starts_with('\n') { "" } else { " " });
        let mut text = format!("{}{}\n", self.paint(severity, &head), self.paint(BOLD, &message));
        let bar = self.paint(GUTTER, &format!("{:width$} |", "", width = width + 1));
        for (which, file) in files.into_iter().enumerate() {
            let marks = self.marks(diagnostic, file);
            let Some(first) = marks.iter().find(|mark| mark.main).or(marks.first()) else { continue };
            let column = self.column(file, first.line, first.start);
            let arrow = self.paint(GUTTER, &format!("{:width$}", if which == 0 { "-->" } else { ":::" }, width = 3));
            let name = harmless(&self.sources.file(file).name);
            let _ = writeln!(text, "{:indent$}{arrow} {name}:{}:{column}", "", first.line + 1, indent = width + 1);
            let _ = writeln!(text, "{bar}");
            self.excerpts(&mut text, file, &marks, width, severity);
        }
        for note in &diagnostic.notes {
            self.remark(&mut text, width, "note", note);
        }
        for help in &diagnostic.help {
            self.remark(&mut text, width, "help", help);
        }
        if let Some(suggestion) = &diagnostic.suggestion {
            if let Some(corrected) = self.corrected(suggestion, width) {
                if diagnostic.help.is_empty() {
                    self.remark(&mut text, width, "help", "write it like this");
                }
                text.push_str(&corrected);
            } else {
                self.remark(&mut text, width, "help", &self.in_words(suggestion));
            }
        }
        text
    }

    /// A line after the excerpts. Further lines of it stand under its first word.
    fn remark(&self, text: &mut String, width: usize, kind: &str, remark: &str) {
        let equals = self.paint(GUTTER, &format!("{:width$} =", "", width = width + 1));
        let indent = width + 6 + kind.len();
        let remark = wrapped(&harmless(remark), 0, self.room(indent)).join(&format!("\n{:indent$}", ""));
        let _ = writeln!(text, "{equals} {}: {remark}", self.paint(BOLD, kind));
    }

    /// A suggestion that is not shown as a line.
    fn in_words(&self, suggestion: &Suggestion) -> String {
        let old = self.sources.files().get(suggestion.span.file.0 as usize);
        let old = old.map_or("", |_| self.sources.text(suggestion.span));
        let cut = |text: &str| match text.char_indices().nth(60) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_string(),
        };
        let (old, new) = (cut(old).replace('\n', "⏎"), cut(&suggestion.replacement).replace('\n', "⏎"));
        match (old.is_empty(), new.is_empty()) {
            (true, _) => format!("insert `{new}`"),
            (_, true) => format!("delete `{old}`"),
            _ => format!("write `{new}` in place of `{old}`"),
        }
    }

    /// The files that a message shows, that of the main place first.
    fn files_of(&self, diagnostic: &Diagnostic) -> Vec<FileId> {
        let mut files = Vec::new();
        for Label { span, .. } in &diagnostic.labels {
            if (span.file.0 as usize) < self.sources.files().len() && !files.contains(&span.file) {
                files.push(span.file);
            }
        }
        files
    }

    /// The labels that lie in a file, in the order in which they stand there.
    fn marks<'d>(&mut self, diagnostic: &'d Diagnostic, file: FileId) -> Vec<Mark<'d>> {
        let mut marks = Vec::new();
        for (which, label) in diagnostic.labels.iter().enumerate().filter(|(_, label)| label.span.file == file) {
            let Some((line, start)) = self.locate(file, label.span.start) else { continue };
            let Some((end_line, end)) = self.locate(file, label.span.end.max(label.span.start)) else { continue };
            let length = self.line(file, line).len();
            let start = start.min(length);
            // A label that ends with the line break has not begun the next line.
            let over = end_line > line + 1 || (end_line == line + 1 && end > 0);
            let (end, through) =
                if end_line > line { (length, over.then_some(end_line + 1)) } else { (end.min(length), None) };
            marks.push(Mark { line, start, end, main: which == 0, text: &label.text, through });
        }
        marks.sort_by_key(|mark| (mark.line, mark.start, !mark.main));
        marks
    }

    /// The lines that labels stand in, with the labels under them.
    fn excerpts(&mut self, text: &mut String, file: FileId, marks: &[Mark], width: usize, severity: &str) {
        let bar = self.paint(GUTTER, &format!("{:width$} |", "", width = width + 1));
        let mut rest = marks;
        let mut before: Option<usize> = None;
        while let Some(first) = rest.first() {
            if before.is_some_and(|before| first.line > before + 1) {
                let _ = writeln!(text, "{}", self.paint(GUTTER, &format!("{:width$}...", "", width = width)));
            }
            before = Some(first.line);
            let room = self.room(width + 4);
            let excerpt = Excerpt::around(self.line(file, first.line), first.start, room);
            let here =
                rest.iter().take_while(|mark| mark.line == first.line && excerpt.contains(mark.start)).count().max(1);
            let number = self.paint(GUTTER, &format!(" {:>width$} |", first.line + 1));
            let _ = writeln!(text, "{number} {}", excerpt.text);
            for mark in &rest[..here] {
                let (from, to) = (excerpt.column(mark.start), excerpt.column(mark.end));
                let sign = if mark.main { "^" } else { "-" };
                let mut label = sign.repeat(to.saturating_sub(from).max(1));
                if mark.through.is_some() {
                    label.push('…');
                }
                let mut meaning = harmless(mark.text).into_owned();
                if let Some(through) = mark.through {
                    let _ = write!(meaning, "{}(to line {through})", if meaning.is_empty() { "" } else { " " });
                }
                if !meaning.is_empty() {
                    label += &self.beside(&meaning, width, from, columns(&label));
                }
                let style = if mark.main { severity } else { ASIDE };
                let _ = writeln!(text, "{bar} {:from$}{}", "", self.paint(style, &label));
            }
            rest = &rest[here..];
        }
    }

    /// What a mark of `wide` columns means, which begins at column `from`: after it, or below it where there is no room.
    fn beside(&self, meaning: &str, width: usize, from: usize, wide: usize) -> String {
        let line = |indent: usize| format!("\n{:gutter$} | {:indent$}", "", "", gutter = width + 1);
        let room = self.room(width + 4);
        let left = room.saturating_sub(from + wide + 1);
        if self.columns == usize::MAX || meaning.split('\n').all(|part| columns(part) <= left) {
            return format!(" {}", meaning.replace('\n', &line(from)));
        }
        if left >= BESIDE {
            return format!(" {}", wrapped(meaning, 0, left).join(&line(from + wide + 1)));
        }
        format!("{}{}", line(0), wrapped(meaning, 0, room).join(&line(0)))
    }

    /// The line as it would read with the suggestion taken, if it is one line and fits.
    fn corrected(&mut self, suggestion: &Suggestion, width: usize) -> Option<String> {
        let Suggestion { span, replacement } = suggestion;
        let (line, start) = self.locate(span.file, span.start)?;
        let (end_line, end) = self.locate(span.file, span.end)?;
        let old = self.line(span.file, line);
        if end_line != line || end < start || end > old.len() || replacement.contains('\n') {
            return None;
        }
        let new = format!("{}{replacement}{}", &old[..start], &old[end..]);
        let excerpt = Excerpt::whole(&new, self.room(width + 4))?;
        let bar = self.paint(GUTTER, &format!("{:width$} |", "", width = width + 1));
        let number = self.paint(GUTTER, &format!(" {:>width$} |", line + 1));
        let mut text = format!("{bar}\n{number} {}\n", excerpt.text);
        let (from, to) = (excerpt.column(start), excerpt.column(start + replacement.len()));
        if to > from {
            let _ = writeln!(text, "{bar} {:from$}{}", "", self.paint("1;32", &"~".repeat(to - from)));
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests;
