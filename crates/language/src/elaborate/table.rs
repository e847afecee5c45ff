//! Tables: their points, read from files.

use super::Elaborator;
use super::files::{join, unreadable};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::TableItem;
use holonom_symbols::expr::{Table, TableError};

/// Points that a table may have.
const MOST_POINTS: usize = 1_000_000;

impl Elaborator<'_> {
    /// Reads the points of a table.
    pub(super) fn read_table(&mut self, item: &TableItem) -> Option<Table> {
        let folder = self.scopes[self.scope].folder.clone();
        let content = join(&folder, &item.path.text).and_then(|path| self.files.read(&path));
        let content = match content {
            Ok(content) => content,
            Err(error) => {
                self.report(unreadable(&item.path, &error));
                return None;
            }
        };
        match points(&content) {
            Ok(table) => Some(table),
            Err(why) => {
                self.report(bad_table(item.path.span, &item.path.text, &why));
                None
            }
        }
    }
}

fn bad_table(span: Span, name: &str, why: &str) -> Diagnostic {
    Diagnostic::error("bad-table", format!("`{name}` is not a table"))
        .at(span, why)
        .help("a table has two columns, argument and value, separated by a comma; the first line may be a heading")
}

/// Two columns of numbers; lines that begin with `#` and one line of headings do not count.
fn points(content: &str) -> Result<Table, String> {
    let (mut x, mut y, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    let mut headed = false;
    for (number, line) in content.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> =
            line.split([',', ';', '\t', ' ']).map(str::trim).filter(|field| !field.is_empty()).collect();
        let numbers: Vec<Option<f64>> = fields.iter().take(3).map(|field| field.parse().ok()).collect();
        match numbers[..] {
            [Some(argument), Some(value)] => {
                if x.len() >= MOST_POINTS {
                    return Err(format!("it has more than {MOST_POINTS} points"));
                }
                x.push(argument);
                y.push(value);
                lines.push(number + 1);
            }
            // Headings may have words and units in them: `time [s], force [N]`.
            [_, ..] if !headed && x.is_empty() && fields.iter().all(|field| field.parse::<f64>().is_err()) => {
                headed = true;
            }
            _ => return Err(format!("line {} does not hold two numbers", number + 1)),
        }
    }
    Table::new(x, y).map_err(|error| match error {
        TableError::TooFew => error.to_string(),
        TableError::NotIncreasing(row) | TableError::NotFinite(row) => {
            format!("{error}, line {}", lines.get(row).copied().unwrap_or(0))
        }
    })
}
