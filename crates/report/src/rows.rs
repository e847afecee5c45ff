//! The rows of a run, as many as a page can hold.

use holonom::simulate::integrate::Column;

/// How many numbers are kept: in the page they take some four bytes each.
const MOST: usize = 1_600_000;

/// When one row in so many is kept, jumps that are still coming are too many.
const CROWDED: u64 = 1 << 12;

/// Rows as they come. Where there are too many, every second one goes, again and again; both sides of a jump stay.
#[derive(Clone, Debug)]
pub struct KeptRows {
    /// The columns of the table.
    pub columns: Vec<Column>,
    most: usize,
    values: Vec<f64>,
    /// One row in so many is kept.
    stride: u64,
    seen: u64,
    /// The last row that came, and whether it was kept.
    last: Vec<f64>,
    kept: bool,
}

impl KeptRows {
    /// No rows yet. `more` columns that are computed from these will be stored beside them.
    pub fn new(columns: &[Column], more: usize) -> Self {
        let most = (MOST / (columns.len() + more).max(1)).max(64);
        Self { columns: columns.to_vec(), most, values: Vec::new(), stride: 1, seen: 0, last: Vec::new(), kept: true }
    }

    /// Adds a row.
    pub fn push(&mut self, row: &[f64]) {
        // Where a run is nothing but jumps, they are thinned as everything else.
        let jump = self.last.first() == row.first() && self.seen > 0 && self.stride < CROWDED;
        if jump && !self.kept {
            self.values.extend_from_slice(&self.last);
        }
        self.kept = jump || self.seen.is_multiple_of(self.stride);
        if self.kept {
            self.values.extend_from_slice(row);
        }
        self.last.clear();
        self.last.extend_from_slice(row);
        self.seen += 1;
        if self.len() > self.most {
            self.thin();
        }
    }

    /// There are no more: the last row is there whatever was left out before it.
    pub fn finish(&mut self) {
        if !self.kept {
            self.values.extend_from_slice(&self.last);
            self.kept = true;
        }
    }

    /// Every second row goes. Both sides of a jump stay, unless jumps are nearly all there is.
    fn thin(&mut self) {
        let width = self.columns.len();
        let times: Vec<f64> = self.values.chunks(width).map(|row| row[0]).collect();
        let jumps: Vec<bool> = (0..times.len())
            .map(|i| (i > 0 && times[i - 1] == times[i]) || (i + 1 < times.len() && times[i + 1] == times[i]))
            .collect();
        let few = jumps.iter().filter(|jump| **jump).count() < self.most / 4;
        let mut place = 0;
        for (i, jump) in jumps.iter().enumerate() {
            if i.is_multiple_of(2) || (few && *jump) {
                self.values.copy_within(i * width..(i + 1) * width, place * width);
                place += 1;
            }
        }
        self.values.truncate(place * width);
        self.stride = self.stride.saturating_mul(2);
    }

    /// How many rows are kept.
    pub fn len(&self) -> usize {
        self.values.len() / self.columns.len().max(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// How many rows there were.
    pub fn recorded(&self) -> u64 {
        self.seen
    }

    /// The rows that are kept.
    pub fn iter(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks(self.columns.len().max(1))
    }

    /// The place of a column.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// One column.
    pub fn column(&self, place: usize) -> Vec<f64> {
        self.iter().map(|row| row[place]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(count: usize) -> Vec<Column> {
        (0..count).map(|i| Column { name: format!("c{i}"), unit: None }).collect()
    }

    #[test]
    fn a_long_run_is_thinned_and_keeps_its_ends_and_jumps() {
        let mut rows = KeptRows::new(&columns(4), 0);
        rows.most = 1000;
        for i in 0..100_000 {
            rows.push(&[f64::from(i), 1.0, 2.0, 3.0]);
            if i == 54_321 {
                rows.push(&[f64::from(i), 5.0, 2.0, 3.0]);
            }
        }
        rows.finish();
        assert!(rows.len() <= 1001 && rows.len() > 400, "{}", rows.len());
        assert_eq!(rows.recorded(), 100_001);
        let times = rows.column(0);
        assert_eq!((times[0], times[times.len() - 1]), (0.0, 99_999.0));
        assert!(times.is_sorted());
        assert_eq!(times.iter().filter(|t| **t == 54_321.0).count(), 2);
    }

    #[test]
    fn nothing_but_jumps_is_thinned_too() {
        let mut rows = KeptRows::new(&columns(2), 0);
        rows.most = 1000;
        (0..100_000).for_each(|i| rows.push(&[1.0, f64::from(i)]));
        rows.finish();
        assert!(rows.len() <= 1001, "{}", rows.len());
    }
}
