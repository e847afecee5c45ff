//! A reader written from the format's description, and tables that it must give back.
//!
//! Files with one and with several groups were also read by pyarrow, pandas, DuckDB and fastparquet.

use super::*;

/// A value of Thrift's compact protocol.
#[derive(Debug)]
enum Any {
    Integer(i64),
    Binary(Vec<u8>),
    List(Vec<Any>),
    Struct(Vec<(i64, Any)>),
}

impl Any {
    fn field(&self, number: i64) -> &Any {
        let Any::Struct(fields) = self else { panic!("{self:?} is no struct") };
        &fields.iter().find(|(found, _)| *found == number).unwrap_or_else(|| panic!("no field {number}")).1
    }

    fn integer(&self, number: i64) -> i64 {
        let Any::Integer(value) = self.field(number) else { panic!("no integer") };
        *value
    }

    fn binary(&self, number: i64) -> &[u8] {
        let Any::Binary(value) = self.field(number) else { panic!("no binary") };
        value
    }

    fn text(&self, number: i64) -> &str {
        std::str::from_utf8(self.binary(number)).unwrap()
    }

    fn list(&self, number: i64) -> &[Any] {
        let Any::List(items) = self.field(number) else { panic!("no list") };
        items
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap();
        self.0 = rest;
        *first
    }

    fn varint(&mut self) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return value;
            }
        }
    }

    fn zigzag(&mut self) -> i64 {
        let value = self.varint();
        (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
    }

    fn value(&mut self, kind: u8) -> Any {
        match kind {
            4..=6 => Any::Integer(self.zigzag()),
            8 => {
                let length = self.varint() as usize;
                let (bytes, rest) = self.0.split_at(length);
                self.0 = rest;
                Any::Binary(bytes.to_vec())
            }
            9 => {
                let head = self.byte();
                let length = if head >> 4 == 15 { self.varint() } else { u64::from(head >> 4) };
                Any::List((0..length).map(|_| self.value(head & 15)).collect())
            }
            12 => {
                let (mut fields, mut number) = (vec![], 0);
                loop {
                    let head = self.byte();
                    if head == 0 {
                        return Any::Struct(fields);
                    }
                    number += i64::from(head >> 4);
                    fields.push((number, self.value(head & 15)));
                }
            }
            other => panic!("kind {other}"),
        }
    }
}

fn written(names: &[String], rows: &[Vec<f64>]) -> Vec<u8> {
    let columns: Vec<_> = names.iter().map(|name| Column { name: name.clone(), unit: None }).collect();
    let mut table = Box::new(Parquet::new(Vec::new(), &columns).unwrap());
    rows.iter().for_each(|row| table.row(row).unwrap());
    table.finish(&[("holonom.partial".into(), "false".into())]).unwrap()
}

/// The description at the end, whose length and whose magic must be right.
fn description(file: &[u8]) -> Any {
    assert_eq!((&file[..4], &file[file.len() - 4..]), (&b"PAR1"[..], &b"PAR1"[..]));
    let end = file.len() - 8;
    let length = u32::from_le_bytes(file[end..end + 4].try_into().unwrap()) as usize;
    let mut reader = Reader(&file[end - length..end]);
    let description = reader.value(12);
    assert!(reader.0.is_empty());
    description
}

/// All columns, from what the description says of where they are.
fn read(file: &[u8], names: &[String]) -> Vec<Vec<f64>> {
    let about = description(file);
    let schema = about.list(2);
    assert_eq!(schema[0].integer(5), names.len() as i64);
    for (leaf, name) in schema[1..].iter().zip(names) {
        assert_eq!((leaf.integer(1), leaf.integer(3), leaf.text(4)), (5, 0, name.as_str()));
    }
    let mut columns = vec![vec![]; names.len()];
    for group in about.list(4) {
        let rows = group.integer(3);
        for ((chunk, column), name) in group.list(1).iter().zip(&mut columns).zip(names) {
            let data = chunk.field(3);
            assert_eq!((data.integer(1), data.integer(4), data.integer(5)), (5, 0, rows));
            let [Any::Binary(path)] = data.list(3) else { panic!("one name") };
            assert_eq!(path, name.as_bytes());
            let begin = data.integer(9) as usize;
            let mut reader = Reader(&file[begin..]);
            let page = reader.value(12);
            assert_eq!((page.integer(1), page.integer(2), page.integer(3)), (0, 8 * rows, 8 * rows));
            assert_eq!((page.field(5).integer(1), page.field(5).integer(2)), (rows, 0));
            let header = file.len() - begin - reader.0.len();
            assert_eq!(data.integer(7), header as i64 + 8 * rows);
            let values =
                reader.0[..8 * rows as usize].chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap()));
            let values: Vec<f64> = values.collect();
            let [greatest, least] =
                [5, 6].map(|field| f64::from_le_bytes(data.field(12).binary(field).try_into().unwrap()));
            assert!(values.iter().all(|value| (least..=greatest).contains(value)));
            assert!(values.contains(&least) && values.contains(&greatest));
            column.extend(values);
        }
    }
    assert!(columns.iter().all(|column| column.len() as i64 == about.integer(3)));
    columns
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|i| if i == 0 { "t".into() } else { format!("x[{i},2]''") }).collect()
}

#[test]
fn numbers_come_back() {
    // One row, more columns than a short list holds, several groups, and groups of the fewest rows.
    for (columns, rows) in [(1, 1), (2, 3), (20, 100), (300, 9_000), (5_000, 600)] {
        let value =
            |row: usize, column: usize| ((row * 31 + column * 17) as f64).sin() * 10_f64.powi(column as i32 % 40 - 20);
        let rows: Vec<Vec<f64>> =
            (0..rows).map(|row| (0..columns).map(|column| value(row, column)).collect()).collect();
        let file = written(&names(columns), &rows);
        let found = read(&file, &names(columns));
        for (column, values) in found.iter().enumerate() {
            assert!(values.iter().zip(&rows).all(|(value, row)| value.to_bits() == row[column].to_bits()));
        }
    }
}

#[test]
fn a_table_without_rows_is_a_table() {
    assert_eq!(read(&written(&names(3), &[]), &names(3)), vec![vec![0.0; 0]; 3]);
}

#[test]
fn facts_stand_at_the_end() {
    let about = description(&written(&names(2), &[vec![0.0, 1.0]]));
    let [fact] = about.list(5) else { panic!("one fact") };
    assert_eq!((fact.text(1), fact.text(2)), ("holonom.partial", "false"));
    assert!(about.text(6).starts_with("holonom version"));
    assert_eq!(about.list(7).len(), 2);
}

/// The page of a column in the only group: how many entries, and the bytes after its header.
fn page(file: &[u8], column: usize) -> (i64, &[u8]) {
    let about = description(file);
    let data = about.list(4)[0].list(1)[column].field(3);
    let begin = data.integer(9) as usize;
    let mut reader = Reader(&file[begin..]);
    let header = reader.value(12);
    (header.field(5).integer(1), &reader.0[..header.integer(3) as usize])
}

/// Counts, texts and numbers that may be missing, as the format says.
#[test]
fn entries_of_other_kinds_come_back() {
    let columns = ["point", "end", "x"].map(|name| Column { name: name.into(), unit: None });
    let kinds = [ColumnKind::Count, ColumnKind::Text, ColumnKind::Perhaps];
    let texts = ["finished", "", "gestoßen: λ < 0"];
    let numbers = [f64::NAN, 2.0, 3.0];
    let mut table = Box::new(Parquet::of_kinds(Vec::new(), &columns, &kinds).unwrap());
    for (which, (text, number)) in texts.iter().zip(numbers).enumerate() {
        table.cells(&[Cell::Count(which as u64 + 1), Cell::Text(text), Cell::Number(number)]).unwrap();
    }
    let wrong = table.cells(&[Cell::Number(1.0), Cell::Text(""), Cell::Number(1.0)]).unwrap_err();
    assert_eq!(wrong.kind(), io::ErrorKind::InvalidInput);
    let file = table.finish(&[]).unwrap();

    let about = description(&file);
    let schema = about.list(2);
    assert_eq!([1, 2, 3].map(|leaf| schema[leaf].integer(1)), [2, 6, 5], "INT64, BYTE_ARRAY, DOUBLE");
    assert_eq!([1, 2, 3].map(|leaf| schema[leaf].integer(3)), [0, 0, 1], "only the last may be missing");
    assert_eq!(schema[2].integer(6), 0, "UTF8");
    let Any::Struct(logical) = schema[2].field(10) else { panic!("a union") };
    assert_eq!(logical[0].0, 1, "STRING");

    let (entries, bytes) = page(&file, 0);
    assert_eq!((entries, bytes), (3, &[1_i64, 2, 3].map(i64::to_le_bytes).concat()[..]));
    let (entries, mut bytes) = page(&file, 1);
    assert_eq!(entries, 3);
    for text in texts {
        let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        assert_eq!(&bytes[4..4 + length], text.as_bytes());
        bytes = &bytes[4 + length..];
    }
    assert!(bytes.is_empty());
    // A run of one that is missing, a run of two that are there, then these two.
    let (entries, bytes) = page(&file, 2);
    assert_eq!((entries, &bytes[..8]), (3, &[4, 0, 0, 0, 2, 0, 4, 1][..]));
    assert_eq!(&bytes[8..], [2.0_f64, 3.0].map(f64::to_le_bytes).concat());
    let statistics = about.list(4)[0].list(1)[2].field(3).field(12);
    assert_eq!((statistics.integer(3), statistics.binary(6)), (1, &2.0_f64.to_le_bytes()[..]));
}

/// What is held in memory is a group, however long the table.
#[test]
fn memory_does_not_grow_with_length() {
    let columns: Vec<_> = names(64).into_iter().map(|name| Column { name, unit: None }).collect();
    let mut table = Parquet::new(io::sink(), &columns).unwrap();
    for row in 0..100_000 {
        table.row(&[f64::from(row); 64]).unwrap();
        assert!(table.pending.iter().map(Pending::length).sum::<usize>() <= 8 * GROUP);
    }
    assert_eq!(table.groups.len(), 6);
}
