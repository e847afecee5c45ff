//! Words and numbers for notes: six digits, sums written as on paper, a little colour.

use std::fmt::Write;

/// A number with six significant digits and no more than it needs.
pub fn number(x: f64) -> String {
    digits(x, 6)
}

/// A number with so many significant digits, at least one, and no more than it needs.
pub fn digits(x: f64, count: usize) -> String {
    if x == 0.0 {
        return "0".into();
    }
    let scientific = format!("{x:.*e}", count.saturating_sub(1));
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        let decimals = usize::try_from(i32::try_from(count).unwrap_or(i32::MAX) - 1 - exponent).unwrap_or(0);
        return trim(&format!("{x:.decimals$}")).into();
    }
    format!("{}e{exponent}", trim(digits))
}

fn trim(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

/// A few terms of a sum are read, more are not.
const TERMS: usize = 8;

/// `2·rod − bar`, from coefficients and names.
pub fn sum(terms: &[(f64, String)]) -> String {
    let mut text = String::new();
    for (at, (coefficient, name)) in terms.iter().take(TERMS).enumerate() {
        text.push_str(match (at, *coefficient < 0.0) {
            (0, false) => "",
            (0, true) => "−",
            (_, false) => " + ",
            (_, true) => " − ",
        });
        match number(coefficient.abs()).as_str() {
            "1" => text.push_str(name),
            size => {
                let _ = write!(text, "{size}·{name}");
            }
        }
    }
    match terms.len().saturating_sub(TERMS) {
        0 => text,
        1 => text + " + one more term",
        more => format!("{text} + {more} more terms"),
    }
}

/// `x`, `x and y`, `x, y and z`.
pub fn listed(names: &[String]) -> String {
    match names {
        [] => "nothing".into(),
        [one] => one.clone(),
        _ if names.len() > TERMS => format!("{} and {} more", names[..TERMS].join(", "), names.len() - TERMS),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Text that a terminal can be trusted with.
pub fn harmless(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}

/// Colours, if they are wanted.
#[derive(Clone, Copy)]
pub struct Paint(pub bool);

impl Paint {
    pub fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    /// For what is wrong.
    pub fn red(self, text: &str) -> String {
        self.with("1;31", text)
    }

    /// For what to look at.
    pub fn yellow(self, text: &str) -> String {
        self.with("33", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.into() }
    }
}

/// Rows of cells, names to the left, numbers to the right.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(heads: &[&str]) -> Self {
        Self { rows: vec![heads.iter().map(|head| head.to_string()).collect()] }
    }

    /// A name, its numbers, and a remark behind them.
    pub fn row(&mut self, name: String, numbers: &[f64], remark: &str) {
        let mut row = vec![name];
        row.extend(numbers.iter().map(|x| number(*x)));
        row.push(remark.into());
        self.rows.push(row);
    }

    pub fn print(&self, out: &mut String) {
        let columns = self.rows[0].len();
        let width = |column: usize, least: usize| {
            self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0).max(least)
        };
        let widths: Vec<usize> = (0..columns).map(|at| width(at, if at == 0 { 10 } else { 11 })).collect();
        for row in &self.rows {
            let mut line = format!("  {:<1$}", row[0], widths[0]);
            for (cell, width) in row[1..columns].iter().zip(&widths[1..]) {
                let _ = write!(line, "  {cell:>width$}");
            }
            if let Some(remark) = row.get(columns).filter(|remark| !remark.is_empty()) {
                let _ = write!(line, "  {remark}");
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits_and_no_more_than_they_need() {
        for (x, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (6.54, "6.54"),
            (-19.62, "-19.62"),
            (1.0 / 3.0, "0.333333"),
            (999_999.5, "1e6"),
            (123_456.7, "123457"),
            (1e6, "1e6"),
            (1.5e-4, "0.00015"),
            (-2.5e-17, "-2.5e-17"),
            (f64::MAX, "1.79769e308"),
        ] {
            assert_eq!(number(x), text);
        }
    }

    #[test]
    fn sums_read_as_on_paper() {
        let terms = |list: &[(f64, &str)]| -> Vec<_> { list.iter().map(|(c, name)| (*c, name.to_string())).collect() };
        assert_eq!(sum(&terms(&[(2.0, "rod"), (-1.0, "bar")])), "2·rod − bar");
        assert_eq!(sum(&terms(&[(-0.5, "x"), (1.0, "y")])), "−0.5·x + y");
    }
}
