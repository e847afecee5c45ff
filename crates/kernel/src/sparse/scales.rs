//! Scales that make masses and rows comparable, and what counts as rounding in them.

use super::error::SparseError;
use super::pattern::Pattern;
use super::values::SparseValues;
use crate::MotionError;
use crate::linalg::scale::{LEAST, inverse_power, inverse_root_power};
use crate::linalg::tolerance::ROUNDING;

/// Entries above this part of the largest of their row set the scale of coordinates without mass.
const TELLING: f64 = 1e-6;

/// The scales of one system.
#[derive(Clone, Debug, Default)]
pub(super) struct Scales {
    /// Powers of two: unit masses; rows of unit size as they are given; and these of unit size among unit masses. The last two
    /// are kept apart, since their product may be more than a number holds.
    pub(super) column: Vec<f64>,
    pub(super) row: Vec<f64>,
    pub(super) unit: Vec<f64>,
    /// What counts as one in the scale in which rank is decided, that of A alone.
    pub(super) column_noise: Vec<f64>,
    pub(super) row_noise: Vec<f64>,
    /// What the mass of a coordinate was made of.
    pub(super) mass_bound: Vec<f64>,
    /// The least scale of a coordinate, of the largest.
    pub(super) spread: f64,
}

impl Scales {
    /// No row has lost its digits: what such a row says cannot be scaled up again.
    pub(super) fn check_rows(&self) -> Result<(), SparseError> {
        let lost = self.row.iter().any(|scale| *scale > 1.0 / LEAST);
        if lost { Err(SparseError::Motion(MotionError::OutOfRange)) } else { Ok(()) }
    }

    /// Brings masses to one and rows to comparable size, by powers of two.
    pub(super) fn set(&mut self, pattern: &Pattern, values: &SparseValues) {
        let (n, m) = (pattern.n, pattern.rows());
        for (v, len) in [
            (&mut self.column, n),
            (&mut self.column_noise, n),
            (&mut self.mass_bound, n),
            (&mut self.row, m),
            (&mut self.unit, m),
            (&mut self.row_noise, m),
        ] {
            v.clear();
            v.resize(len, 0.0);
        }
        for ((i, j), x) in pattern.mass.iter().zip(values.mass) {
            if i == j {
                self.mass_bound[*i as usize] = *x;
                self.column[*i as usize] = if *x >= LEAST { inverse_root_power(*x) } else { 0.0 };
            }
        }
        for row in 0..m {
            let entries = pattern.entries(row);
            let largest = values.a[entries.clone()].iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let scale = inverse_power(largest);
            self.row[row] = scale;
            let mut massive = 0.0f64;
            for (x, j) in values.a[entries.clone()].iter().zip(&pattern.columns[entries]) {
                let noise = &mut self.column_noise[*j as usize];
                *noise = noise.max(x.abs() * scale);
                // What is small in its row says nothing about the size of the others.
                if x.abs() * scale > TELLING {
                    massive = massive.max(x.abs() * scale * self.column[*j as usize]);
                }
            }
            self.unit[row] = massive;
        }
        // A coordinate without mass gets the size of the rows it stands in: the least of them, kept with a minus
        // sign until all rows are seen.
        for row in 0..m {
            let (entries, massive, comparable) = (pattern.entries(row), self.unit[row], self.row[row]);
            for (x, j) in values.a[entries.clone()].iter().zip(&pattern.columns[entries]) {
                let (scale, x) = (&mut self.column[*j as usize], x.abs() * comparable);
                if *scale <= 0.0 && x > TELLING && massive > 0.0 {
                    let wanted = inverse_power(x / massive);
                    *scale = if *scale == 0.0 { -wanted } else { scale.max(-wanted) };
                }
            }
        }
        let (mut least, mut most) = (f64::INFINITY, 0.0f64);
        for j in 0..n {
            let scale = &mut self.column[j];
            *scale = if *scale == 0.0 { 1.0 } else { scale.abs() };
            (least, most) = (least.min(*scale), most.max(*scale));
            self.mass_bound[j] = self.mass_bound[j] * *scale * *scale;
            let noise = self.column_noise[j];
            // A column of nothing but rounding is not lifted.
            self.column_noise[j] = if noise > ROUNDING { noise * *scale } else { *scale };
        }
        self.spread = least / most;
        for row in 0..m {
            let entries = pattern.entries(row);
            let (sizes, scale) = (values.a[entries.clone()].iter().zip(&pattern.columns[entries]), self.row[row]);
            let largest = sizes.fold(0.0, |m: f64, (x, j)| m.max(x.abs() * scale * self.column[*j as usize]));
            self.unit[row] = inverse_power(largest);
            self.row_noise[row] = self.unit[row];
        }
    }
}
