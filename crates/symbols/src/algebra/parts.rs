//! A polynomial seen from one of its variables: coefficients, derivatives, replacement, values.

use holonom_elementary as elementary;
use std::collections::BTreeMap;

use super::budget::{Budget, Exhausted};
use super::integer::Integer;
use super::polynomial::Polynomial;

impl Polynomial {
    /// The coefficients of the powers of a variable, highest power first, zeros left out.
    pub fn coefficients_in(&self, variable: u32) -> Vec<(u32, Self)> {
        let Some(column) = self.column(variable) else {
            return if self.is_zero() { Vec::new() } else { vec![(0, self.clone())] };
        };
        let mut variables = self.variables.clone();
        variables.remove(column);
        let mut parts: BTreeMap<u32, (Vec<u32>, Vec<Integer>)> = Default::default();
        for (i, coefficient) in self.coefficients.iter().enumerate() {
            let row = self.row(i);
            let (exponents, coefficients) = parts.entry(row[column]).or_default();
            exponents.extend_from_slice(&row[..column]);
            exponents.extend_from_slice(&row[column + 1..]);
            coefficients.push(coefficient.clone());
        }
        let parts = parts.into_iter().rev();
        parts.map(|(power, (rows, sums))| (power, Self::from_sorted(variables.clone(), rows, sums))).collect()
    }

    /// The coefficients of the products of powers of some variables: polynomials in the others.
    pub(super) fn coefficients_apart(&self, apart: &[u32]) -> Vec<Self> {
        let (out, kept): (Vec<usize>, Vec<usize>) =
            (0..self.width()).partition(|&i| apart.binary_search(&self.variables[i]).is_ok());
        let variables: Vec<u32> = kept.iter().map(|&i| self.variables[i]).collect();
        let mut parts: BTreeMap<Vec<u32>, (Vec<u32>, Vec<Integer>)> = Default::default();
        for (i, coefficient) in self.coefficients.iter().enumerate() {
            let row = self.row(i);
            let (exponents, coefficients) = parts.entry(out.iter().map(|&i| row[i]).collect()).or_default();
            exponents.extend(kept.iter().map(|&i| row[i]));
            coefficients.push(coefficient.clone());
        }
        parts.into_values().map(|(rows, sums)| Self::from_sorted(variables.clone(), rows, sums)).collect()
    }

    /// The derivative by a variable.
    pub fn derivative(&self, variable: u32) -> Self {
        let Some(column) = self.column(variable) else { return Self::zero() };
        let mut exponents = Vec::with_capacity(self.exponents.len());
        let mut coefficients = Vec::with_capacity(self.len());
        for (i, coefficient) in self.coefficients.iter().enumerate() {
            let row = self.row(i);
            if row[column] > 0 {
                coefficients.push(coefficient * &Integer::from(i64::from(row[column])));
                exponents.extend_from_slice(row);
                let last = exponents.len() - self.width() + column;
                exponents[last] -= 1;
            }
        }
        Self::from_sorted(self.variables.clone(), exponents, coefficients)
    }

    /// With a polynomial in place of a variable.
    pub fn substitute(&self, variable: u32, value: &Self, budget: &Budget) -> Result<Self, Exhausted> {
        if self.column(variable).is_none() {
            return Ok(self.clone());
        }
        // Horner's scheme, with a power for each gap between exponents.
        let mut sum = Self::zero();
        let parts = self.coefficients_in(variable);
        for (i, (exponent, part)) in parts.iter().enumerate() {
            sum = sum.add(part);
            let next = parts.get(i + 1).map_or(0, |(next, _)| *next);
            sum = sum.multiply(&value.power(exponent - next, budget)?, budget)?;
        }
        Ok(sum)
    }

    /// With other numbers for its variables; two may become one.
    pub fn map_variables(&self, map: impl Fn(u32) -> u32) -> Self {
        let mapped: Vec<u32> = self.variables.iter().map(|&v| map(v)).collect();
        let mut variables = mapped.clone();
        variables.sort_unstable();
        variables.dedup();
        let columns: Vec<usize> = mapped.iter().map(|v| variables.partition_point(|w| w < v)).collect();
        let mut exponents = vec![0; variables.len() * self.len()];
        for (i, row) in exponents.chunks_exact_mut(variables.len().max(1)).enumerate() {
            for (&column, &exponent) in columns.iter().zip(self.row(i)) {
                row[column] += exponent;
            }
        }
        Self::from_rows(variables, exponents, self.coefficients.clone())
    }

    /// The value at a point, in floating-point numbers.
    pub fn evaluate(&self, value: impl Fn(u32) -> f64) -> f64 {
        let values: Vec<f64> = self.variables.iter().map(|&v| value(v)).collect();
        let term = |(i, c): (usize, &Integer)| {
            let powers = values.iter().zip(self.row(i));
            powers
                .map(|(&x, &e)| {
                    i32::try_from(e).map_or_else(|_| elementary::powf(x, f64::from(e)), |e| elementary::powi(x, e))
                })
                .product::<f64>()
                * c.to_f64()
        };
        self.coefficients.iter().enumerate().map(term).sum()
    }

    /// The value at a point modulo a number other than zero.
    pub fn evaluate_modulo(&self, modulus: u64, value: impl Fn(u32) -> u64) -> u64 {
        let times = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64;
        let values: Vec<u64> = self.variables.iter().map(|&v| value(v) % modulus).collect();
        let mut sum = 0u128;
        for (i, coefficient) in self.coefficients.iter().enumerate() {
            let mut term = coefficient.modulo(modulus);
            for (&x, &exponent) in values.iter().zip(self.row(i)) {
                let (mut base, mut left) = (x, exponent);
                while left > 0 {
                    if left & 1 == 1 {
                        term = times(term, base);
                    }
                    base = times(base, base);
                    left >>= 1;
                }
            }
            sum += u128::from(term);
        }
        (sum % u128::from(modulus)) as u64
    }
}
