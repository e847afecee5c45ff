//! What can be wrong with a line, and what would be right.

use std::fmt;

use holonom::MotionError;

use super::lines::LONGEST;
use super::place::{FIELDS, NAMES, Names, Place};

/// Why a line has no answer. Indices count from 0, columns from 1.
#[derive(Debug, PartialEq)]
pub enum Fault {
    /// Not JSON.
    Syntax {
        place: Place,
        column: usize,
        detail: String,
    },
    /// The line ends too early.
    Unfinished,
    NotUtf8 {
        column: usize,
    },
    TooLong,
    /// Something else where a number, a list or an object should be.
    Type {
        place: Place,
        found: &'static str,
        wanted: &'static str,
    },
    Unknown {
        field: String,
        within: &'static str,
        near: Option<&'static str>,
    },
    Twice {
        field: String,
    },
    Missing {
        field: &'static str,
        beside: Option<String>,
    },
    /// Both `C` and `qdd` are given.
    Both,
    /// NaN or Infinity, which some programs write though JSON has no such numbers.
    NotFinite {
        place: Place,
        literal: String,
    },
    TooLarge {
        place: Place,
        literal: String,
    },
    Ragged {
        field: &'static str,
        row: usize,
        entries: usize,
        first: usize,
    },
    NotSquare {
        rows: usize,
        columns: usize,
    },
    /// Two sizes that should agree.
    Size {
        given: String,
        other: String,
    },
    Motion(MotionError),
    /// A panic, which is our mistake.
    Internal,
}

impl Fault {
    /// A short name, stable across versions.
    pub fn code(&self) -> &'static str {
        match self {
            Fault::Syntax { .. } | Fault::Unfinished => "syntax",
            Fault::NotUtf8 { .. } => "not-utf8",
            Fault::TooLong => "too-long",
            Fault::Type { .. } => "wrong-type",
            Fault::Unknown { .. } => "unknown-field",
            Fault::Twice { .. } => "repeated-field",
            Fault::Missing { .. } => "missing-field",
            Fault::Both => "both-c-and-qdd",
            Fault::NotFinite { .. } | Fault::TooLarge { .. } => "not-finite",
            Fault::Ragged { .. } => "ragged",
            Fault::NotSquare { .. } | Fault::Size { .. } => "shape",
            Fault::Motion(error) => error.code(),
            Fault::Internal => "internal",
        }
    }

    /// What is wrong, with the names of what it is about.
    pub fn what(&self, names: &Names) -> String {
        let called = self.place().map(|place| place.called(names)).unwrap_or_default();
        if called.is_empty() { self.to_string() } else { format!("{self} ({called})") }
    }

    fn place(&self) -> Option<Place> {
        let entry = |row, column| Some(Place { field: "M", row: Some(row), column: Some(column) });
        match self {
            Fault::Type { place, .. } | Fault::NotFinite { place, .. } | Fault::TooLarge { place, .. } => Some(*place),
            Fault::Ragged { field, row, .. } => Some(Place { field, row: Some(*row), column: None }),
            Fault::Motion(MotionError::NotSymmetric { row, column, .. } | MotionError::Indefinite { row, column }) => {
                entry(*row, *column)
            }
            _ => None,
        }
    }

    /// Why this is wrong, and what would be right.
    pub fn why(&self) -> String {
        match self {
            Fault::Syntax { .. } => "each line is one JSON object, such as {\"M\": [[1]], \"Q\": [0]}".into(),
            Fault::Unfinished => {
                "each line is one whole JSON object; join one that is spread over several lines with `jq -c .`".into()
            }
            Fault::NotUtf8 { .. } => "JSON is UTF-8 text; save the file as UTF-8".into(),
            Fault::TooLong => format!("a line may have {} MiB; larger systems need another way in", LONGEST >> 20),
            Fault::Type { place: Place { field: "", .. }, .. } => {
                "each line is one whole JSON object, such as {\"M\": [[1]], \"Q\": [0]}; `jq -c .` joins one that is \
                 spread over several lines, `jq -c .[]` takes them out of a list"
                    .into()
            }
            Fault::Type { place: Place { field: "M" | "A", column: None, .. }, .. } => {
                "a matrix is a list of rows, also when there is only one row: [[1, 2]]".into()
            }
            Fault::Type { place: Place { field: "names", .. }, .. } => {
                "write {\"coordinates\": [\"x\", \"y\"], \"constraints\": [\"rod\"]}".into()
            }
            Fault::Type { wanted: "a list", .. } => "a vector is a list, also when it has one entry: [0]".into(),
            Fault::Type { wanted, .. } => format!("expected {wanted}"),
            Fault::Unknown { within, near, .. } => {
                let known = if within.is_empty() { FIELDS.join(", ") } else { NAMES.join(", ") };
                let meant = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
                format!("{meant}the fields are {known}; other fields are rejected")
            }
            Fault::Twice { .. } => "only one of them can be meant; leave out the other".into(),
            Fault::Missing { beside: None, .. } => {
                "a system needs M and Q; constraints are A and b, and C or qdd may be added".into()
            }
            Fault::Missing { beside: Some(_), .. } => "constraints are A q̈ = b: give both, or neither".into(),
            Fault::Both => "C asks for the motion, qdd for the forces that explain one; give one of them".into(),
            Fault::NotFinite { .. } => "every entry must be a finite number; look at what produced this one".into(),
            Fault::TooLarge { .. } => "double precision ends near 1.8e308; change units".into(),
            Fault::Ragged { .. } => "all rows of a matrix are of one length; fill up with zeros".into(),
            Fault::NotSquare { .. } => "a mass matrix has one row and one column for each coordinate".into(),
            Fault::Size { given, .. } if given.starts_with("`names.") => {
                "give one name for each, or leave the list out".into()
            }
            Fault::Size { .. } => "with n coordinates and m constraint rows, M is n × n, Q, C and qdd have n entries, \
                                   A is m × n and b has m"
                .into(),
            Fault::Motion(error) => error.why().into(),
            Fault::Internal => "this is a mistake in holonom; please report it with this line".into(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Syntax { place, column, detail } => {
                let within = if place.field.is_empty() { String::new() } else { format!(" in {place}") };
                write!(f, "malformed JSON{within} at column {column}: {detail}")
            }
            Fault::Unfinished => write!(f, "the line ends before its JSON object does"),
            Fault::NotUtf8 { column } => write!(f, "byte {column} of the line is not UTF-8"),
            Fault::TooLong => write!(f, "the line is longer than {} MiB", LONGEST >> 20),
            Fault::Type { place, found, wanted } => write!(f, "{place} is {found}, not {wanted}"),
            Fault::Unknown { field, within: "", .. } => write!(f, "unknown field `{field}`"),
            Fault::Unknown { field, within, .. } => write!(f, "unknown field `{field}` in `{within}`"),
            Fault::Twice { field } => write!(f, "`{field}` is given twice"),
            Fault::Missing { field, beside: None } => write!(f, "`{field}` is missing"),
            Fault::Missing { field, beside: Some(beside) } => write!(f, "`{field}` is missing, and {beside}"),
            Fault::Both => write!(f, "both `C` and `qdd` are given"),
            Fault::NotFinite { place, literal } => write!(f, "{place} is {literal}"),
            Fault::TooLarge { place, literal } => write!(f, "{place} is {literal}, too large for double precision"),
            Fault::Ragged { field, row, entries, first } => {
                let noun = if *entries == 1 { "entry" } else { "entries" };
                write!(f, "row {row} of `{field}` has {entries} {noun} and row 0 has {first}")
            }
            Fault::NotSquare { rows, columns } => write!(f, "`M` is {rows} × {columns}, not square"),
            Fault::Size { given, other } => write!(f, "{given} and {other}"),
            Fault::Motion(error) => error.fmt(f),
            Fault::Internal => write!(f, "the solver failed on this line"),
        }
    }
}
