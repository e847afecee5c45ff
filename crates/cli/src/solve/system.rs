//! A system as it stood on its line, and whether its parts fit together.

#![allow(non_snake_case)]

use holonom::Snapshot;

use super::fault::Fault;
use super::place::{FIELDS, Names};

/// A matrix given as rows.
#[derive(Debug, Default)]
pub struct Matrix {
    pub entries: Vec<f64>,
    pub rows: usize,
    pub columns: usize,
}

/// So many numbers of room are kept for the next line; one huge line must not cost memory for ever.
const KEPT: usize = 1 << 20;

/// Everything that a line gives. One is kept per thread, and refilled.
#[derive(Debug, Default)]
pub struct System {
    pub M: Matrix,
    pub Q: Vec<f64>,
    pub A: Matrix,
    pub b: Vec<f64>,
    pub C: Vec<f64>,
    pub qdd: Vec<f64>,
    pub names: Names,
    /// For each of `FIELDS`, whether it was given and is not null.
    pub given: [bool; FIELDS.len()],
}

impl System {
    pub fn clear(&mut self) {
        for matrix in [&mut self.M, &mut self.A] {
            (matrix.rows, matrix.columns) = (0, 0);
        }
        let Self { M, Q, A, b, C, qdd, .. } = self;
        for numbers in [&mut M.entries, Q, &mut A.entries, b, C, qdd] {
            numbers.clear();
            numbers.shrink_to(KEPT);
        }
        self.names.coordinates.clear();
        self.names.constraints.clear();
        self.given = Default::default();
    }

    pub fn has(&self, field: &str) -> bool {
        FIELDS.iter().zip(self.given).any(|(name, given)| given && *name == field)
    }

    pub fn coordinates(&self) -> usize {
        self.Q.len()
    }

    pub fn constraints(&self) -> usize {
        self.b.len()
    }

    /// What coordinate j is called.
    pub fn coordinate(&self, j: usize) -> String {
        self.names.coordinates.get(j).cloned().unwrap_or_else(|| format!("q{j}"))
    }

    /// What constraint i is called.
    pub fn constraint(&self, i: usize) -> String {
        self.names.constraints.get(i).cloned().unwrap_or_else(|| format!("row {i}"))
    }

    pub fn snapshot(&self) -> Snapshot<'_> {
        let snapshot = Snapshot::new(&self.M.entries, &self.Q).constrained(&self.A.entries, &self.b);
        if self.has("C") { snapshot.nonideal(&self.C) } else { snapshot }
    }

    /// Nothing is missing, nothing is said twice, and all sizes agree.
    pub fn check(&self) -> Result<(), Fault> {
        for field in ["M", "Q"] {
            if !self.has(field) {
                return Err(Fault::Missing { field, beside: None });
            }
        }
        if self.has("C") && self.has("qdd") {
            return Err(Fault::Both);
        }
        let (n, m) = (self.Q.len(), self.A.rows);
        if self.M.rows != self.M.columns {
            return Err(Fault::NotSquare { rows: self.M.rows, columns: self.M.columns });
        }
        if self.M.rows != n {
            return Err(Fault::Size { given: sized("Q", n), other: format!("`M` is {0} × {0}", self.M.rows) });
        }
        if !self.has("A") && !self.b.is_empty() {
            return Err(Fault::Missing { field: "A", beside: Some(sized("b", self.b.len())) });
        }
        if !self.has("b") && m > 0 {
            return Err(Fault::Missing { field: "b", beside: Some(format!("`A` has {}", count(m, "row"))) });
        }
        let coordinates = || format!("there are {}", count(n, "coordinate"));
        if m > 0 && self.A.columns != n {
            let given = format!("`A` has {}", count(self.A.columns, "column"));
            return Err(Fault::Size { given, other: coordinates() });
        }
        if self.b.len() != m {
            return Err(Fault::Size { given: sized("b", self.b.len()), other: format!("`A` has {}", count(m, "row")) });
        }
        for (field, vector) in [("C", &self.C), ("qdd", &self.qdd)] {
            if self.has(field) && vector.len() != n {
                return Err(Fault::Size { given: sized(field, vector.len()), other: coordinates() });
            }
        }
        let constraints = || format!("there are {}", count(m, "constraint"));
        let Names { coordinates: of_coordinates, constraints: of_constraints } = &self.names;
        if !of_coordinates.is_empty() && of_coordinates.len() != n {
            let given = sized("names.coordinates", of_coordinates.len());
            return Err(Fault::Size { given, other: coordinates() });
        }
        if !of_constraints.is_empty() && of_constraints.len() != m {
            let given = sized("names.constraints", of_constraints.len());
            return Err(Fault::Size { given, other: constraints() });
        }
        Ok(())
    }
}

fn sized(field: &str, entries: usize) -> String {
    format!("`{field}` has {}", count(entries, "entry"))
}

/// "1 row", "2 rows", "3 entries".
pub fn count(number: usize, one: &str) -> String {
    match one.strip_suffix('y') {
        _ if number == 1 => format!("1 {one}"),
        Some(stem) => format!("{number} {stem}ies"),
        None => format!("{number} {one}s"),
    }
}
