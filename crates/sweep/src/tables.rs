//! Journal → tables: a row per point, in the order of points, and all trajectories below each other.
//!
//! Whatever the number of workers, and however often they were interrupted, the tables are the same to the bit.

use std::io::{self, Write};
use std::path::Path;

use super::journal::Journal;
use super::record::{EVIDENCE, Ended, Record, STATISTICS};
use super::study::Study;
use holonom_output::json::Value;
use holonom_output::{Cell, ColumnKind, Csv, Draft, Parquet, SUMMARY, TableWriter, WriteError, WrittenFile, put};
use holonom_simulate::integrate::Column;

/// A row per point.
const RUNS: [&str; 2] = ["runs.parquet", "runs.csv"];
/// All rows of all runs.
const TRAJECTORIES: &str = "trajectories.parquet";
/// So many kinds of reasons are told apart.
const MOST_REASONS: usize = 100;

/// What came of a sweep, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Runs that ended so, in the order of [`Ended::ALL`].
    pub ends: [u64; 5],
    /// Runs in which something was not as expected.
    pub unexpected: u64,
    /// Runs that failed or were refused, or were not as expected, by the code of their reason; the first of them as an example.
    pub reasons: Vec<FailureReason>,
}

/// Runs that ended badly for the same reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureReason {
    /// How they ended.
    pub end: Ended,
    /// The code.
    pub code: String,
    /// How many there are.
    pub count: u64,
    /// The first of them; points count from 1 here.
    pub example: u64,
    /// What it said.
    pub message: String,
}

impl Counts {
    fn count(&mut self, point: u64, record: &Record) {
        if let Some(place) = Ended::ALL.iter().position(|end| *end == record.end) {
            self.ends[place] += 1;
        }
        let unexpected = record.expectations == Some(false);
        self.unexpected += u64::from(unexpected);
        if !(record.end.is_bad() || unexpected) {
            return;
        }
        let code = record.code();
        let place = self.reasons.iter().position(|known| known.code == code && known.end == record.end);
        match place {
            Some(place) => self.reasons[place].count += 1,
            None if self.reasons.len() < MOST_REASONS => self.reasons.push(FailureReason {
                end: record.end,
                code: code.to_string(),
                count: 1,
                example: point + 1,
                message: record.reason.clone(),
            }),
            None => {}
        }
    }

    /// How many ended so.
    pub fn of(&self, end: Ended) -> u64 {
        Ended::ALL.iter().position(|one| *one == end).map_or(0, |place| self.ends[place])
    }
}

/// The columns of the table of runs, with their kinds.
fn layout(study: &Study) -> Vec<(Column, ColumnKind)> {
    let given = |column: &Column| (column.clone(), ColumnKind::Perhaps);
    let trajectory: Vec<(Column, ColumnKind)> = study.columns().iter().map(given).collect();
    let varied = study.varied();
    let taken =
        |name: &str| varied.iter().any(|one| one.name == name) || study.columns().iter().any(|c| c.name == name);
    // A model may have a coordinate called `end`.
    let own = |name: &str, kind: ColumnKind| {
        let mut name = name.to_string();
        while taken(&name) {
            name.insert_str(0, "run.");
        }
        (Column { name, unit: None }, kind)
    };
    let mut all = vec![own("point", ColumnKind::Count)];
    all.extend(varied.iter().map(|column| (column.clone(), ColumnKind::Number)));
    all.extend([own("end", ColumnKind::Text), own("reason", ColumnKind::Text), own("time", ColumnKind::Perhaps)]);
    all.push(own("expectations", ColumnKind::Text));
    all.extend(trajectory);
    for output in study.outputs() {
        for which in ["min", "max"] {
            let column = Column { name: format!("{which}.{}", output.name), unit: output.unit.clone() };
            all.push((column, ColumnKind::Perhaps));
        }
    }
    all.extend(EVIDENCE.map(|name| own(name, ColumnKind::Perhaps)));
    all.extend(STATISTICS.map(|name| own(name, ColumnKind::Count)));
    all
}

/// The entries of a row.
fn row<'a>(study: &Study, point: u64, record: &'a Record, cells: &mut Vec<Cell<'a>>) {
    cells.clear();
    cells.push(Cell::Count(point + 1));
    cells.extend(study.points().at(point).into_iter().map(Cell::Number));
    cells.extend([Cell::Text(record.end.word()), Cell::Text(&record.reason), Cell::Number(record.time)]);
    cells.push(Cell::Text(match record.expectations {
        None => "",
        Some(true) => "hold",
        Some(false) => "fail",
    }));
    let nothing = || Cell::Number(f64::NAN);
    cells.extend((0..study.columns().len()).map(|at| record.last.get(at).copied().map_or_else(nothing, Cell::Number)));
    for at in 0..study.outputs().len() {
        let (least, greatest) = record.extremes.get(at).copied().unwrap_or((f64::NAN, f64::NAN));
        cells.extend([Cell::Number(least), Cell::Number(greatest)]);
    }
    cells.extend(record.evidence.map(Cell::Number));
    cells.extend(record.statistics.map(Cell::Count));
}

/// Writes the tables and the summary, all of them or none. Points that the journal does not know are in the table as interrupted.
///
/// `summary` gets the counts and the files, and gives the text of the summary.
///
/// # Errors
/// Where something cannot be read or written.
pub fn publish(
    study: &Study,
    journal: &Journal,
    folder: &Path,
    summary: impl FnOnce(&Counts, &[WrittenFile]) -> String,
) -> Result<(Counts, Vec<WrittenFile>), WriteError> {
    let layout = layout(study);
    let (columns, kinds): (Vec<Column>, Vec<ColumnKind>) = layout.into_iter().unzip();
    let mut tables: Vec<(&'static str, Box<dyn TableWriter<Draft>>)> = Vec::new();
    for name in RUNS {
        let path = folder.join(name);
        let begin = |draft: Draft| -> io::Result<Box<dyn TableWriter<Draft>>> {
            Ok(match name {
                "runs.csv" => Box::new(Csv::new(draft, &columns)?),
                _ => Box::new(Parquet::of_kinds(draft, &columns, &kinds)?),
            })
        };
        tables.push((name, Draft::new(&path).and_then(begin).map_err(WriteError::at(&path))?));
    }
    let path = folder.join(TRAJECTORIES);
    let mut trajectories = match study.keeps_trajectories() {
        true => Some(Trajectories::new(study, &path).map_err(WriteError::at(&path))?),
        false => None,
    };
    let mut counts = Counts::default();
    let unread = |error| WriteError::at(&folder.join(super::JOURNAL))(error);
    let missing = Record::without_run(Ended::Interrupted, "the sweep ended before it was run".to_string());
    for point in 0..study.points().count() {
        let found = journal.record(point).map_err(unread)?;
        let record = found.as_ref().unwrap_or(&missing);
        counts.count(point, record);
        let mut cells = Vec::with_capacity(columns.len());
        row(study, point, record, &mut cells);
        for (name, table) in &mut tables {
            table.cells(&cells).map_err(|error| WriteError::at(&folder.join(*name))(error))?;
        }
        if let Some(trajectories) = &mut trajectories {
            trajectories.point(journal, point).map_err(WriteError::at(&path))?;
        }
    }
    if let Some(Trajectories { table, .. }) = trajectories {
        tables.push((TRAJECTORIES, table));
    }

    let units = columns.iter().filter_map(|column| Some((column.name.clone(), column.unit.as_deref()?.into())));
    let partial = counts.of(Ended::Interrupted) > 0;
    let facts = [
        ("holonom.version", env!("CARGO_PKG_VERSION").to_string()),
        ("holonom.partial", partial.to_string()),
        ("holonom.units", format!("{:#}", Value::Object(units.collect()))),
    ]
    .map(|(key, value)| (key.to_string(), value));
    let mut written = Vec::new();
    let mut drafts = Vec::new();
    for (name, table) in tables {
        let path = folder.join(name);
        let mut draft = table.finish(&facts).map_err(|error| WriteError::at(&path)(error))?;
        written.push(WrittenFile { name, bytes: draft.settle().map_err(WriteError::at(&path))? });
        drafts.push(draft);
    }
    let path = folder.join(SUMMARY);
    let begin = || -> io::Result<(Draft, u64)> {
        let mut draft = Draft::new(&path)?;
        draft.write_all(summary(&counts, &written).as_bytes())?;
        let bytes = draft.settle()?;
        Ok((draft, bytes))
    };
    let (draft, bytes) = begin().map_err(WriteError::at(&path))?;
    written.push(WrittenFile { name: SUMMARY, bytes });
    drafts.push(draft);
    put(folder, written.iter().map(|file| file.name).zip(drafts))?;
    Ok((counts, written))
}

/// The table of all rows.
struct Trajectories {
    table: Box<dyn TableWriter<Draft>>,
    width: usize,
}

impl Trajectories {
    fn new(study: &Study, path: &Path) -> io::Result<Self> {
        let columns = study.columns();
        let mut first = "point".to_string();
        while columns.iter().any(|column| column.name == first) {
            first.insert_str(0, "run.");
        }
        let all: Vec<Column> =
            std::iter::once(Column { name: first, unit: None }).chain(columns.iter().cloned()).collect();
        let kinds: Vec<ColumnKind> =
            std::iter::once(ColumnKind::Count).chain(columns.iter().map(|_| ColumnKind::Number)).collect();
        let table = Box::new(Parquet::of_kinds(Draft::new(path)?, &all, &kinds)?);
        Ok(Self { table, width: columns.len() })
    }

    fn point(&mut self, journal: &Journal, point: u64) -> io::Result<()> {
        let mut cells = Vec::with_capacity(1 + self.width);
        journal.each_rows(point, |rows| {
            for row in rows.chunks_exact(self.width.max(1)) {
                cells.clear();
                cells.push(Cell::Count(point + 1));
                cells.extend(row.iter().copied().map(Cell::Number));
                self.table.cells(&cells)?;
            }
            Ok(())
        })
    }
}
