//! A motion that was computed: its table, what happened, and how far to trust it.

use std::fmt;
use std::path::Path;

use holonom_language::{Diagnostic, Given, Sources};
use holonom_output::{About, Results, Summary, WriteError, WrittenFile};
use holonom_simulate::integrate::{Column, End, EventRecord, Evidence, Observer, Outcome, Plan, Recorded, TableLayout};
use holonom_symbols::page::Layout;

use crate::Rejection;

/// A motion: a table with a column for time, every coordinate, force and output; events; and evidence for the numbers.
///
/// Printed, it is the summary of `holonom run`.
#[derive(Clone)]
pub struct Trajectory {
    plan: Plan,
    /// Row after row.
    table: Vec<f64>,
    outcome: Outcome,
    messages: Vec<Diagnostic>,
    sources: Sources,
    about: About,
}

impl Trajectory {
    /// Runs a plan of the model that `sources` and `about` tell of, as long as `go_on` says so.
    pub(crate) fn compute(
        plan: Given<Plan>,
        (sources, about): (Sources, About),
        go_on: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Self, Rejection> {
        let Given { value: plan, mut messages } = plan;
        let mut kept = Kept { table: Vec::new(), go_on };
        let outcome = plan.run(&mut kept);
        let table = kept.table;
        messages.extend(outcome.diagnostics.iter().cloned());
        let wrong = outcome.end == End::Failed || messages.iter().any(Diagnostic::is_error);
        let trajectory = Self { plan, table, outcome, messages, sources, about };
        match wrong {
            false => Ok(trajectory),
            true => Err(Rejection {
                messages: trajectory.messages.clone(),
                sources: trajectory.sources.clone(),
                so_far: Some(Box::new(trajectory)),
            }),
        }
    }

    /// The columns of the table: what each holds, its name and its unit.
    pub fn columns(&self) -> &[Column] {
        &self.plan.columns
    }

    /// How many rows the table has.
    pub fn len(&self) -> usize {
        self.table.len() / self.plan.columns.len()
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// A row of the table, in the order of the columns.
    pub fn row(&self, index: usize) -> &[f64] {
        let width = self.plan.columns.len();
        &self.table[index * width..(index + 1) * width]
    }

    /// All rows, in the order of time. At an event that jumps, two rows have the same time: before and after.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.table.chunks_exact(self.plan.columns.len())
    }

    /// A column by name: `t`, `x`, `x'`, `x''`, `Qi.x`, `reaction.rod`, an output.
    ///
    /// # Errors
    /// Where there is no such column: the message names the nearest.
    pub fn column(&self, name: &str) -> Result<Vec<f64>, Rejection> {
        let place = self.place(name)?;
        Ok(self.rows().map(|row| row[place]).collect())
    }

    /// The times of the rows.
    pub fn times(&self) -> Vec<f64> {
        self.rows().map(|row| row[0]).collect()
    }

    /// The value of a column at the end.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub fn last(&self, name: &str) -> Result<f64, Rejection> {
        let place = self.place(name)?;
        Ok(self.rows().last().map_or(f64::NAN, |row| row[place]))
    }

    /// The value of a column at a time between records.
    ///
    /// Positions are interpolated with velocities and accelerations at both ends (degree 5), velocities with accelerations
    /// (degree 3), all other columns by a straight line. At an event that jumps, this is the value after it.
    ///
    /// # Errors
    /// As [`column`](Self::column); outside the motion the value is not a number.
    pub fn value_at(&self, time: f64, name: &str) -> Result<f64, Rejection> {
        let place = self.place(name)?;
        // The first row after that time, by halving: nothing is copied.
        let (mut after, mut end) = (0, self.len());
        while after < end {
            let middle = after.midpoint(end);
            if self.row(middle)[0] <= time { after = middle + 1 } else { end = middle }
        }
        if after == 0 {
            return Ok(f64::NAN);
        }
        let from = self.row(after - 1);
        if after == self.len() {
            return Ok(if from[0] == time { from[place] } else { f64::NAN });
        }
        let (to, layout) = (self.row(after), TableLayout::of(self.plan.system()));
        let (first, second) = match layout.holds(place) {
            Recorded::Position(j) => (Some(Recorded::Velocity(j)), Some(Recorded::Acceleration(j))),
            Recorded::Velocity(j) => (Some(Recorded::Acceleration(j)), None),
            _ => (None, None),
        };
        let (first, second) = (first.map(|what| layout.place(what)), second.map(|what| layout.place(what)));
        let h = to[0] - from[0];
        let s = (time - from[0]) / h;
        Ok(match (first, second) {
            (Some(v), Some(a)) => quintic(s, h, [from[place], from[v], from[a]], [to[place], to[v], to[a]]),
            (Some(v), None) => cubic(s, h, [from[place], from[v]], [to[place], to[v]]),
            _ => from[place] + s * (to[place] - from[place]),
        })
    }

    /// How the run ended.
    pub fn end(&self) -> &End {
        &self.outcome.end
    }

    /// What happened on the way: events, contacts that stick, slide, open and close.
    pub fn events(&self) -> &[EventRecord] {
        &self.outcome.events
    }

    /// How far to trust the numbers: residuals, energy balance, margins.
    pub fn evidence(&self) -> &Evidence {
        &self.outcome.evidence
    }

    /// Everything that is known of the run: work, ranks, expectations.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Warnings and notes.
    pub fn messages(&self) -> &[Diagnostic] {
        &self.messages
    }

    /// The text that messages point at.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Writes tables and summary into a folder, as `holonom run --no-report` does: all files or none.
    ///
    /// # Errors
    /// Where the folder cannot be written to.
    pub fn write(&self, folder: impl AsRef<Path>) -> Result<Vec<WrittenFile>, WriteError> {
        let mut results = Results::new(folder.as_ref(), &self.plan.columns, &[])?;
        self.rows().try_for_each(|row| results.row(row))?;
        let mut summary = self.summary();
        results.publish(&summary.facts(), &[], |tables| {
            summary.set_files(tables);
            format!("{}\n", summary.json())
        })
    }

    fn summary(&self) -> Summary {
        let before = &self.messages[..self.messages.len() - self.outcome.diagnostics.len()];
        Summary::new(self.about.clone(), &self.plan, &self.outcome, before, &self.sources)
    }

    fn place(&self, name: &str) -> Result<usize, Rejection> {
        self.plan.column(name).ok_or_else(|| {
            let names = self.plan.columns.iter().map(|column| &column.name[..]);
            let mut error = Diagnostic::error("unknown-column", format!("the table has no column `{name}`"));
            error = match holonom_language::closest(name, names) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help("`columns()` lists all of them"),
            };
            Rejection::new(vec![error], &self.sources)
        })
    }
}

/// Printed as by the command.
impl fmt::Display for Trajectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.summary().page(Layout::PLAIN))
    }
}

impl fmt::Debug for Trajectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Keeps all rows.
struct Kept<'a> {
    table: Vec<f64>,
    go_on: &'a mut dyn FnMut(f64) -> bool,
}

impl Observer for Kept<'_> {
    fn row(&mut self, values: &[f64]) -> Result<(), std::io::Error> {
        self.table.extend_from_slice(values);
        Ok(())
    }

    fn step(&mut self, t: f64) -> bool {
        (self.go_on)(t)
    }
}

/// Through values and slopes at both ends of an interval of length h, at the part s of it.
fn cubic(s: f64, h: f64, [p, v]: [f64; 2], [q, w]: [f64; 2]) -> f64 {
    let (v, w, d) = (v * h, w * h, q - p);
    p + s * (v + s * ((3.0 * d - 2.0 * v - w) + s * (v + w - 2.0 * d)))
}

/// Through values, slopes and second derivatives at both ends.
fn quintic(s: f64, h: f64, [p, v, a]: [f64; 3], [q, w, b]: [f64; 3]) -> f64 {
    let (v, w, a, b, d) = (v * h, w * h, a * h * h / 2.0, b * h * h / 2.0, q - p);
    // What the parabola from the left misses at the right end: value, slope, half the second derivative.
    let (e, f, g) = (d - v - a, w - v - 2.0 * a, b - a);
    let cube = 10.0 * e - 4.0 * f + g;
    let fourth = -15.0 * e + 7.0 * f - 2.0 * g;
    let fifth = 6.0 * e - 3.0 * f + g;
    p + s * (v + s * (a + s * (cube + s * (fourth + s * fifth))))
}
