//! A polynomial that is evaluated at many points, all but one of its variables at a time.

use super::modular::{Line, Modulus, Powers};
use super::polynomial::Polynomial;

/// Terms sorted by the exponent of the main variable and then by those of the others, so that terms that differ only
/// in variables fixed for a while are neighbours.
pub(super) struct Image {
    width: usize,
    rows: Vec<u32>,
    coefficients: Vec<u64>,
    degrees: Vec<u32>,
}

impl Image {
    /// With the variables in a given order, the main one first.
    pub(super) fn new(polynomial: &Polynomial, variables: &[u32], modulus: &Modulus) -> Self {
        let columns: Vec<Option<usize>> = variables.iter().map(|&v| polynomial.column(v)).collect();
        let degrees: Vec<u32> = variables.iter().map(|&v| polynomial.degree(v)).collect();
        let row = |i: usize| -> Vec<u32> { columns.iter().map(|c| c.map_or(0, |c| polynomial.row(i)[c])).collect() };
        let mut terms: Vec<(Vec<u32>, u64)> = polynomial
            .coefficients()
            .iter()
            .enumerate()
            .map(|(i, coefficient)| (row(i), modulus.enter_integer(coefficient)))
            .collect();
        terms.sort_unstable();
        Self {
            width: variables.len(),
            rows: terms.iter().flat_map(|(row, _)| row.iter().copied()).collect(),
            coefficients: terms.iter().map(|&(_, c)| c).collect(),
            degrees,
        }
    }

    /// What it costs to prepare a stage.
    pub(super) fn work(&self) -> u64 {
        (self.coefficients.len() * self.width) as u64
    }

    /// With numbers for the last variables. Those after the main one will take successive powers of `steps`; one may
    /// be left between these and the fixed ones.
    pub(super) fn stage(&self, modulus: &Modulus, steps: &[u64], fixed: &[u64]) -> Stage {
        let kept = self.width - fixed.len();
        let table = |values: &[u64], from: usize| -> Vec<Powers> {
            let degrees = self.degrees[from..].iter();
            values.iter().zip(degrees).map(|(&x, &degree)| Powers::new(modulus, x, degree)).collect()
        };
        let (steps, fixed) = (table(steps, 1), table(fixed, kept));
        let product = |start: u64, exponents: &[u32], powers: &[Powers]| {
            let factors = exponents.iter().zip(powers).filter(|(e, _)| **e > 0);
            factors.fold(start, |product, (&e, powers)| modulus.times(product, powers.get(modulus, e)))
        };
        let mut stage = Stage { powers: Vec::new(), values: Vec::new(), steps: Vec::new(), degree: self.degrees[0] };
        let mut before: Option<&[u32]> = None;
        for (row, &coefficient) in self.rows.chunks_exact(self.width).zip(&self.coefficients) {
            let value = product(coefficient, &row[kept..], &fixed);
            match stage.values.last_mut() {
                Some(last) if before == Some(&row[..kept]) => *last = modulus.plus(*last, value),
                _ => {
                    stage.powers.push((row[0], row[kept - 1]));
                    stage.values.push(value);
                    stage.steps.push(product(modulus.one, &row[1..kept], &steps));
                }
            }
            before = Some(&row[..kept]);
        }
        stage
    }
}

/// A polynomial in the main variable, perhaps in one more, and in the number of the point.
#[derive(Clone)]
pub(super) struct Stage {
    /// The exponents of the main variable, and of the last one that is not fixed.
    powers: Vec<(u32, u32)>,
    values: Vec<u64>,
    steps: Vec<u64>,
    degree: u32,
}

impl Stage {
    /// What it costs to go to the next point.
    pub(super) fn work(&self) -> u64 {
        self.values.len() as u64 + u64::from(self.degree)
    }

    /// Goes to the next point: the polynomial in the main variable there, leading zeros included.
    pub(super) fn next(&mut self, modulus: &Modulus) -> Line {
        let mut line = vec![0; self.degree as usize + 1];
        for ((value, &step), &(power, _)) in self.values.iter_mut().zip(&self.steps).zip(&self.powers) {
            *value = modulus.times(*value, step);
            line[power as usize] = modulus.plus(line[power as usize], *value);
        }
        line
    }

    /// Goes to the next point: the coefficients of the powers of the main variable as polynomials, up to a degree, in
    /// the last variable that is not fixed.
    pub(super) fn next_lines(&mut self, modulus: &Modulus, degree: u32) -> Vec<Line> {
        let mut lines = vec![vec![0; degree as usize + 1]; self.degree as usize + 1];
        for ((value, &step), &(power, other)) in self.values.iter_mut().zip(&self.steps).zip(&self.powers) {
            *value = modulus.times(*value, step);
            let sum = &mut lines[power as usize][other as usize];
            *sum = modulus.plus(*sum, *value);
        }
        lines
    }
}
