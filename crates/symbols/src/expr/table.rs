//! Tables: measured values between which a smooth curve runs.
//!
//! The curve is the natural cubic spline through the points: twice continuously differentiable, so that forces and
//! constraints made of it have continuous accelerations. Beyond the first and last point it goes on as a straight
//! line, which keeps it that smooth.

use std::fmt;

/// A smooth curve through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    x: Vec<f64>,
    y: Vec<f64>,
    /// The second derivative at the points.
    bend: Vec<f64>,
}

/// Why points make no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableError {
    /// Fewer than two points.
    TooFew,
    /// The argument does not increase at this point (counted from 0).
    NotIncreasing(usize),
    /// A number that is not finite at this point (counted from 0).
    NotFinite(usize),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew => write!(f, "a table needs at least two points"),
            Self::NotIncreasing(row) => write!(f, "the first column does not increase at point {}", row + 1),
            Self::NotFinite(row) => write!(f, "point {} has a value that is not finite", row + 1),
        }
    }
}

impl Table {
    /// The natural cubic spline through the points; two points make a straight line.
    ///
    /// # Errors
    /// Points that are too few, not finite, or whose first values do not increase.
    pub fn new(x: Vec<f64>, y: Vec<f64>) -> Result<Self, TableError> {
        let n = x.len().min(y.len());
        if n < 2 {
            return Err(TableError::TooFew);
        }
        for row in 0..n {
            if !x[row].is_finite() || !y[row].is_finite() {
                return Err(TableError::NotFinite(row));
            }
            if row > 0 && x[row] <= x[row - 1] {
                return Err(TableError::NotIncreasing(row));
            }
        }
        // h₋ b₋ + 2(h₋ + h₊) b + h₊ b₊ = 6(s₊ − s₋), with b = 0 at both ends: tridiagonal, by elimination.
        let mut bend = vec![0.0; n];
        let mut above = vec![0.0; n];
        for i in 1..n - 1 {
            let (left, right) = (x[i] - x[i - 1], x[i + 1] - x[i]);
            let pivot = 2.0 * (left + right) - left * above[i - 1];
            above[i] = right / pivot;
            let slopes = (y[i + 1] - y[i]) / right - (y[i] - y[i - 1]) / left;
            bend[i] = (6.0 * slopes - left * bend[i - 1]) / pivot;
        }
        for i in (1..n - 1).rev() {
            bend[i] -= above[i] * bend[i + 1];
        }
        if let Some(row) = bend.iter().position(|value| !value.is_finite()) {
            return Err(TableError::NotFinite(row));
        }
        Ok(Self { x, y, bend })
    }

    /// The points.
    pub fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.x.iter().copied().zip(self.y.iter().copied())
    }

    /// The value at `x`, or that of the derivative of some order.
    pub fn value(&self, x: f64, order: u8) -> f64 {
        let last = self.x.len() - 1;
        // The piece that holds x; beyond the ends, the straight line that the end has.
        let piece = self.x.partition_point(|&point| point <= x).clamp(1, last) - 1;
        let (x0, x1, y0, y1) = (self.x[piece], self.x[piece + 1], self.y[piece], self.y[piece + 1]);
        let (b0, b1) = (self.bend[piece], self.bend[piece + 1]);
        let h = x1 - x0;
        let slope_at =
            |s: f64| (y1 - y0) / h + h / 6.0 * ((1.0 - 3.0 * (1.0 - s).powi(2)) * b0 + (3.0 * s * s - 1.0) * b1);
        if x < self.x[0] || x > self.x[last] {
            let (end, value, s) = if x < self.x[0] { (x0, y0, 0.0) } else { (x1, y1, 1.0) };
            return match order {
                0 => value + slope_at(s) * (x - end),
                1 => slope_at(s),
                _ => 0.0,
            };
        }
        let s = (x - x0) / h;
        let r = 1.0 - s;
        match order {
            0 => r * y0 + s * y1 + h * h / 6.0 * ((r * r * r - r) * b0 + (s * s * s - s) * b1),
            1 => slope_at(s),
            2 => r * b0 + s * b1,
            3 => (b1 - b0) / h,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_runs_through_its_points_and_bends_smoothly() {
        let x: Vec<f64> = (0..20).map(|i| 0.3 * f64::from(i) + 0.01 * f64::from(i * i)).collect();
        let y: Vec<f64> = x.iter().map(|x| x.sin()).collect();
        let table = Table::new(x.clone(), y.clone()).unwrap();
        for (x, y) in table.points() {
            assert!((table.value(x, 0) - y).abs() < 1e-14);
            for order in 0..3 {
                let (left, right) = (table.value(x - 1e-9, order), table.value(x + 1e-9, order));
                assert!((left - right).abs() < 1e-7, "order {order} jumps at {x}");
            }
        }
        let h = 1e-5;
        for point in [-1.0, 0.5, 3.21, 5.0, 100.0] {
            for order in 0..2 {
                let difference = (table.value(point + h, order) - table.value(point - h, order)) / (2.0 * h);
                assert!((difference - table.value(point, order + 1)).abs() < 1e-8);
            }
        }
    }

    #[test]
    fn bad_points_are_refused() {
        assert_eq!(Table::new(vec![0.0], vec![1.0]), Err(TableError::TooFew));
        assert_eq!(Table::new(vec![0.0, 0.0], vec![1.0, 2.0]), Err(TableError::NotIncreasing(1)));
        assert_eq!(Table::new(vec![0.0, 1.0], vec![1.0, f64::NAN]), Err(TableError::NotFinite(1)));
    }
}
