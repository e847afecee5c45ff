//! Where in a line: which field, row and entry, and what the user calls them.

use std::cmp::Reverse;
use std::fmt;

/// What the user calls things; each list is empty if it was not given.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub coordinates: Vec<String>,
    pub constraints: Vec<String>,
}

/// The fields of a line, as they are written.
pub const FIELDS: [&str; 8] = ["id", "M", "Q", "A", "b", "C", "qdd", "names"];

/// The fields of `names`.
pub const NAMES: [&str; 2] = ["coordinates", "constraints"];

/// A field, a row of it, or an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Empty for the line itself.
    pub field: &'static str,
    pub row: Option<usize>,
    pub column: Option<usize>,
}

impl Place {
    pub fn field(field: &'static str) -> Self {
        Self { field, row: None, column: None }
    }

    fn is_matrix(&self) -> bool {
        matches!(self.field, "M" | "A")
    }

    /// The names that go with row and column, such as "row `rod`, column `x`"; empty if there are none.
    pub fn called(&self, names: &Names) -> String {
        let coordinate = |j: usize| names.coordinates.get(j);
        let constraint = |i: usize| names.constraints.get(i);
        let row = self.row.and_then(|i| match self.field {
            "A" | "b" => constraint(i),
            "M" | "Q" | "C" | "qdd" => coordinate(i),
            _ => None,
        });
        match (row, self.column.and_then(coordinate)) {
            (Some(row), _) if !self.is_matrix() => format!("`{row}`"),
            (Some(row), Some(column)) if self.field == "M" && row == column => format!("`{row}`"),
            (Some(row), Some(column)) if self.field == "M" => format!("`{row}` and `{column}`"),
            (Some(row), Some(column)) => format!("row `{row}`, column `{column}`"),
            (Some(row), None) => format!("row `{row}`"),
            (None, Some(column)) => format!("column `{column}`"),
            (None, None) => String::new(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = self.field;
        match (self.row, self.column) {
            _ if field.is_empty() => write!(f, "the line"),
            (None, _) => write!(f, "`{field}`"),
            (Some(row), None) if self.is_matrix() => write!(f, "row {row} of `{field}`"),
            (Some(row), None) => write!(f, "entry {row} of `{field}`"),
            (Some(row), Some(column)) => write!(f, "entry ({row}, {column}) of `{field}`"),
        }
    }
}

/// The known name that was probably meant.
pub fn nearest(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let distance = |known: &str| edits(&lower, &known.to_lowercase());
    let near = known.iter().copied().min_by_key(|known| (distance(known), Reverse(known.len())))?;
    // Half of it may be wrong; of the one-letter names, nothing but the case.
    if 2 * distance(near) <= near.len() && (near.len() > 1 || distance(near) == 0) {
        return Some(near);
    }
    // "Amat", "Qvec": one of ours with something behind it.
    known.iter().copied().filter(|known| name.starts_with(known)).max_by_key(|known| known.len())
}

/// Letters to insert, delete or replace.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_fields_are_recognised() {
        let pairs =
            [("c", "C"), ("B", "b"), ("Amat", "A"), ("name", "names"), ("qddd", "qdd"), ("qd", "qdd"), ("ID", "id")];
        for (written, meant) in pairs {
            assert_eq!(nearest(written, &FIELDS), Some(meant), "{written}");
        }
        assert_eq!(nearest("friction", &FIELDS), None);
        assert_eq!(nearest("coords", &NAMES), Some("coordinates"));
        assert_eq!(nearest("coordinate", &NAMES), Some("coordinates"));
    }

    #[test]
    fn places_are_named() {
        let names = Names { coordinates: vec!["x".into(), "y".into()], constraints: vec!["rod".into()] };
        let entry = Place { field: "A", row: Some(0), column: Some(1) };
        assert_eq!(entry.to_string(), "entry (0, 1) of `A`");
        assert_eq!(entry.called(&names), "row `rod`, column `y`");
        let entry = Place { field: "Q", row: Some(1), column: None };
        assert_eq!((entry.to_string().as_str(), entry.called(&names).as_str()), ("entry 1 of `Q`", "`y`"));
    }
}
