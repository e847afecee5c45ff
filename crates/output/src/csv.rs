//! Comma-separated values: a line of names, then a line per row, every number in the fewest digits that give it back.

use std::io::{self, Write};

use super::table::{Cell, TableWriter, drain, fits};
use holonom_simulate::integrate::Column;

/// Bytes that are collected before they are written.
const CHUNK: usize = 1 << 16;

/// A table as comma-separated values (RFC 4180, with line feeds).
#[derive(Debug)]
pub struct Csv<W> {
    to: W,
    columns: usize,
    buffer: Vec<u8>,
}

impl<W: Write> Csv<W> {
    /// Begins a table, and writes its names.
    pub fn new(mut to: W, columns: &[Column]) -> io::Result<Self> {
        let names: Vec<String> = columns.iter().map(|column| field(&column.name)).collect();
        to.write_all(format!("{}\n", names.join(",")).as_bytes())?;
        Ok(Self { to, columns: columns.len(), buffer: Vec::with_capacity(CHUNK) })
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.buffer.push(b'\n');
        if self.buffer.len() >= CHUNK { drain(&mut self.to, &mut self.buffer) } else { Ok(()) }
    }
}

impl<W: Write> TableWriter<W> for Csv<W> {
    fn row(&mut self, values: &[f64]) -> io::Result<()> {
        fits(values.len(), self.columns)?;
        for (column, value) in values.iter().enumerate() {
            if column > 0 {
                self.buffer.push(b',');
            }
            // The shortest digits that are read back as the same number, always marked as not an integer: a column
            // keeps its type whatever is in it.
            write!(self.buffer, "{value:?}")?;
        }
        self.end_line()
    }

    /// A number that is missing is an empty field.
    fn cells(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        fits(cells.len(), self.columns)?;
        for (column, cell) in cells.iter().enumerate() {
            if column > 0 {
                self.buffer.push(b',');
            }
            match cell {
                Cell::Number(value) if value.is_finite() => write!(self.buffer, "{value:?}")?,
                Cell::Number(_) => {}
                Cell::Count(value) => write!(self.buffer, "{value}")?,
                Cell::Text(text) => self.buffer.extend(field(text).bytes()),
            }
        }
        self.end_line()
    }

    /// A table of this kind has no place for facts.
    fn finish(mut self: Box<Self>, _: &[(String, String)]) -> io::Result<W> {
        drain(&mut self.to, &mut self.buffer)?;
        self.to.flush()?;
        Ok(self.to)
    }
}

/// A name or a text as it stands in a line: in quotes where it would be misread without, as `x[1,2]`.
fn field(name: &str) -> String {
    let plain = !name.contains([',', '"', '\n', '\r']) && name.trim() == name;
    if plain { name.to_string() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(names: &[&str], rows: &[&[f64]]) -> String {
        let columns: Vec<_> = names.iter().map(|name| Column { name: (*name).to_string(), unit: None }).collect();
        let mut table = Box::new(Csv::new(Vec::new(), &columns).unwrap());
        rows.iter().for_each(|row| table.row(row).unwrap());
        String::from_utf8(table.finish(&[]).unwrap()).unwrap()
    }

    #[test]
    fn a_table_is_names_and_numbers() {
        let text = written(&["t", "x'"], &[&[0.0, 1.0], &[0.1, -2.5e-9]]);
        assert_eq!(text, "t,x'\n0.0,1.0\n0.1,-2.5e-9\n");
        assert_eq!(written(&["t"], &[]), "t\n");
    }

    #[test]
    fn names_are_quoted_by_need() {
        assert_eq!(
            written(&["t", "x[1,2]'", "say \"x\"", "Qi.p[3].x"], &[]),
            "t,\"x[1,2]'\",\"say \"\"x\"\"\",Qi.p[3].x\n"
        );
    }

    #[test]
    fn entries_of_other_kinds() {
        let columns = ["point", "end", "x"].map(|name| Column { name: name.into(), unit: None });
        let mut table = Box::new(Csv::new(Vec::new(), &columns).unwrap());
        table.cells(&[Cell::Count(1), Cell::Text("failed, at \"t\""), Cell::Number(f64::NAN)]).unwrap();
        table.cells(&[Cell::Count(2), Cell::Text(""), Cell::Number(2.0)]).unwrap();
        let text = String::from_utf8(table.finish(&[]).unwrap()).unwrap();
        assert_eq!(text, "point,end,x\n1,\"failed, at \"\"t\"\"\",\n2,,2.0\n");
    }

    /// Every number is read back bit by bit, and none takes more than 24 characters.
    #[test]
    fn numbers_come_back() {
        let mut bits = 1_u64;
        for _ in 0..10_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let value = f64::from_bits(bits ^ (bits >> 31));
            if value.is_finite() {
                let text = written(&["t"], &[&[value]]);
                let text = text.lines().nth(1).unwrap();
                assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{text}");
                assert!(text.len() <= 24, "{text}");
                assert!(text.contains(['.', 'e']), "{text} looks like an integer");
            }
        }
        for value in [f64::MAX, f64::MIN_POSITIVE, 5e-324, -0.0, 1e16, 123456789012345680.0] {
            let text = written(&["t"], &[&[value]]);
            assert_eq!(text.lines().nth(1).unwrap().parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
    }

    #[test]
    fn a_row_must_fit() {
        let column = Column { name: "t".into(), unit: None };
        let mut table = Csv::new(Vec::new(), &[column]).unwrap();
        assert_eq!(table.row(&[1.0, 2.0]).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }
}
