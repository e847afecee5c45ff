//! `holonom show tokens`: the words and signs of a model.

use std::fmt::Write;
use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::ExitCode;

use holonom::language::{Sources, Span, TokenKind, diagnostic_to_json, tokens};

use crate::messages;
use crate::terminal::{Colour, WRONG, complain, fail, say};

/// Print the tokens of a model, one per line
#[derive(clap::Args)]
pub struct Options {
    /// The model; `-` reads standard input
    file: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    color: Colour,
}

/// A token or a comment, where it stands.
struct Row<'a> {
    span: Span,
    line: usize,
    column: usize,
    kind: String,
    text: &'a str,
}

pub fn run(options: &Options) -> ExitCode {
    let read = if options.file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(&options.file)
    };
    let text = match read.map(String::from_utf8) {
        Ok(Ok(text)) => text,
        Ok(Err(_)) => return fail(&format!("`{}` is not UTF-8 text", options.file.display())),
        Err(error) => return fail(&format!("cannot read `{}`: {error}", options.file.display())),
    };
    let mut sources = Sources::new();
    let file = sources.add(options.file.display().to_string(), text);
    let (found, comments, diagnostics) = tokens(file, &sources.file(file).text);
    let spans = found.iter().map(|token| (token.span, name(token.kind)));
    let mut spans: Vec<(Span, String)> =
        spans.chain(comments.iter().map(|comment| (comment.span, "comment".to_string()))).collect();
    spans.sort_by_key(|(span, _)| span.start);
    let rows = rows(&sources, spans);

    if options.json {
        let tokens: Vec<serde_json::Value> = rows.iter().map(json).collect();
        let tokens = serde_json::Value::from(tokens);
        let diagnostics: Vec<String> = diagnostics.iter().map(|one| diagnostic_to_json(one, &sources)).collect();
        say(&format!("{{\"tokens\": {tokens}, \"diagnostics\": [{}]}}\n", diagnostics.join(", ")));
    } else {
        let mut table = String::new();
        for Row { line, column, kind, text, .. } in &rows {
            let place = format!("{line}:{column}");
            let _ = writeln!(table, "{place:<8} {kind:<14} {}", text.escape_debug());
        }
        say(&table);
        complain(&messages::text(&diagnostics, &sources, options.color.on_errors()));
    }
    ExitCode::from(if diagnostics.iter().any(|one| one.is_error()) { WRONG } else { 0 })
}

/// Lines and columns of spans that are in order, in one pass over the text.
fn rows<'a>(sources: &'a Sources, spans: Vec<(Span, String)>) -> Vec<Row<'a>> {
    let (mut line, mut column, mut at) = (1, 1, 0);
    let mut rows = Vec::with_capacity(spans.len());
    for (span, kind) in spans {
        let between = sources.file(span.file).text.get(at..span.start as usize).unwrap_or("");
        for letter in between.chars() {
            (line, column) = if letter == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        at = span.start as usize;
        rows.push(Row { span, line, column, kind, text: sources.text(span) });
    }
    rows
}

/// `OpenParen` as `open-paren`.
fn name(kind: TokenKind) -> String {
    let mut name = String::new();
    for letter in format!("{kind:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

fn json(row: &Row) -> serde_json::Value {
    serde_json::json!({
        "line": row.line,
        "column": row.column,
        "start": row.span.start,
        "end": row.span.end,
        "kind": row.kind,
        "text": row.text,
    })
}
