//! Polynomials over the integers, in any number of variables.
//!
//! A polynomial knows the variables that occur in it and keeps one row of exponents per term, the terms in
//! lexicographic order, greatest first; the variable with the smallest number is the greatest. Equal polynomials are
//! equal field by field.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use super::integer::Integer;

/// A sum of terms with integer coefficients. Variables are numbers; what they stand for is the caller's matter.
///
/// ```
/// use holonom_symbols::algebra::{Budget, Polynomial};
///
/// let (x, y) = (Polynomial::variable(0), Polynomial::variable(1));
/// let budget = Budget::new(1000);
/// let difference = x.multiply(&x, &budget)?.subtract(&y.multiply(&y, &budget)?);
/// assert_eq!(difference.divide_exactly(&x.add(&y), &budget)?, Some(x.subtract(&y)));
/// # Ok::<(), holonom_symbols::algebra::Exhausted>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Polynomial {
    /// The variables that occur, in ascending order.
    pub(super) variables: Vec<u32>,
    /// One row per term: an exponent for each variable.
    pub(super) exponents: Vec<u32>,
    /// One coefficient per term, none of them zero.
    pub(super) coefficients: Vec<Integer>,
}

/// The variables of a term with their exponents, which are not zero.
#[derive(Clone)]
pub struct Powers<'a> {
    variables: &'a [u32],
    exponents: &'a [u32],
}

impl Iterator for Powers<'_> {
    type Item = (u32, u32);

    fn next(&mut self) -> Option<(u32, u32)> {
        while let (Some((&variable, variables)), Some((&exponent, exponents))) =
            (self.variables.split_first(), self.exponents.split_first())
        {
            (self.variables, self.exponents) = (variables, exponents);
            if exponent > 0 {
                return Some((variable, exponent));
            }
        }
        None
    }
}

impl Polynomial {
    /// The polynomial without terms.
    pub fn zero() -> Self {
        Self { variables: Vec::new(), exponents: Vec::new(), coefficients: Vec::new() }
    }

    /// The constant 1.
    pub fn one() -> Self {
        Self::constant(Integer::ONE)
    }

    /// A constant.
    pub fn integer(value: i64) -> Self {
        Self::constant(Integer::from(value))
    }

    /// A constant of any size.
    pub fn constant(value: Integer) -> Self {
        let coefficients = if value.is_zero() { Vec::new() } else { vec![value] };
        Self { variables: Vec::new(), exponents: Vec::new(), coefficients }
    }

    /// A variable.
    pub fn variable(variable: u32) -> Self {
        Self { variables: vec![variable], exponents: vec![1], coefficients: vec![Integer::ONE] }
    }

    /// A sum of terms in any order: a coefficient, and variables with exponents, each variable at most once.
    pub fn from_terms<P: AsRef<[(u32, u32)]>>(terms: impl IntoIterator<Item = (Integer, P)>) -> Self {
        let terms: Vec<(Integer, P)> = terms.into_iter().collect();
        let mut variables: Vec<u32> = terms.iter().flat_map(|(_, p)| p.as_ref().iter().map(|&(v, _)| v)).collect();
        variables.sort_unstable();
        variables.dedup();
        let width = variables.len();
        let mut exponents = vec![0; width * terms.len()];
        for (i, (_, powers)) in terms.iter().enumerate() {
            for &(variable, exponent) in powers.as_ref() {
                let column = variables.partition_point(|&v| v < variable);
                exponents[i * width + column] += exponent;
            }
        }
        Self::from_rows(variables, exponents, terms.into_iter().map(|(c, _)| c).collect())
    }

    /// Rows in any order, repeated or zero ones among them.
    pub(super) fn from_rows(variables: Vec<u32>, exponents: Vec<u32>, coefficients: Vec<Integer>) -> Self {
        let width = variables.len();
        let row = |i: usize| &exponents[i * width..(i + 1) * width];
        let mut order: Vec<usize> = (0..coefficients.len()).collect();
        order.sort_by(|&i, &j| row(j).cmp(row(i)));
        let mut sorted = Vec::with_capacity(exponents.len());
        let mut sums: Vec<Integer> = Vec::with_capacity(coefficients.len());
        for i in order {
            match sums.last_mut() {
                Some(last) if sorted[sorted.len() - width..] == *row(i) => *last = &*last + &coefficients[i],
                _ => {
                    if sums.last().is_some_and(Integer::is_zero) {
                        sums.pop();
                        sorted.truncate(sorted.len() - width);
                    }
                    sums.push(coefficients[i].clone());
                    sorted.extend_from_slice(row(i));
                }
            }
        }
        if sums.last().is_some_and(Integer::is_zero) {
            sums.pop();
            sorted.truncate(sorted.len() - width);
        }
        Self::from_sorted(variables, sorted, sums)
    }

    /// Rows in descending order, all different, no coefficient zero; some variable may have become unused.
    pub(super) fn from_sorted(variables: Vec<u32>, exponents: Vec<u32>, coefficients: Vec<Integer>) -> Self {
        let width = variables.len();
        let mut used = vec![false; width];
        for row in exponents.chunks_exact(width.max(1)) {
            for (used, &exponent) in used.iter_mut().zip(row) {
                *used |= exponent > 0;
            }
        }
        if used.iter().all(|&used| used) {
            return Self { variables, exponents, coefficients };
        }
        let kept: Vec<usize> = (0..width).filter(|&i| used[i]).collect();
        let exponents = exponents.chunks_exact(width).flat_map(|row| kept.iter().map(|&i| row[i])).collect();
        Self { variables: kept.iter().map(|&i| variables[i]).collect(), exponents, coefficients }
    }

    /// Whether it has no terms.
    pub fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// Whether it is the constant 1.
    pub fn is_one(&self) -> bool {
        self.is_constant() && self.coefficients.first().is_some_and(Integer::is_one)
    }

    /// Whether no variable occurs in it.
    pub fn is_constant(&self) -> bool {
        self.variables.is_empty()
    }

    /// Its value if it is a constant.
    pub fn as_constant(&self) -> Option<Integer> {
        if self.is_constant() { Some(self.leading_coefficient()) } else { None }
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.coefficients.len()
    }

    /// Whether it has no terms: it is zero.
    pub fn is_empty(&self) -> bool {
        self.is_zero()
    }

    /// The terms, greatest first: coefficients, and variables with their exponents.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = (&Integer, Powers<'_>)> + ExactSizeIterator {
        let width = self.width();
        self.coefficients.iter().enumerate().map(move |(i, coefficient)| {
            let exponents = &self.exponents[i * width..(i + 1) * width];
            (coefficient, Powers { variables: &self.variables, exponents })
        })
    }

    /// The variables that occur, in ascending order.
    pub fn variables(&self) -> &[u32] {
        &self.variables
    }

    /// The coefficients of the terms, in the order of [`Polynomial::terms`].
    pub fn coefficients(&self) -> &[Integer] {
        &self.coefficients
    }

    pub(super) fn width(&self) -> usize {
        self.variables.len()
    }

    /// The exponents of a term, one for each variable.
    pub(super) fn row(&self, term: usize) -> &[u32] {
        &self.exponents[term * self.width()..(term + 1) * self.width()]
    }

    /// The exponents in terms of more variables than occur.
    pub(super) fn rows_in(&self, variables: &[u32]) -> Cow<'_, [u32]> {
        if self.variables == variables {
            return Cow::Borrowed(&self.exponents);
        }
        let columns: Vec<usize> = self.variables.iter().map(|v| variables.partition_point(|w| w < v)).collect();
        let mut rows = vec![0; variables.len() * self.len()];
        for (i, row) in rows.chunks_exact_mut(variables.len().max(1)).enumerate() {
            for (&column, &exponent) in columns.iter().zip(self.row(i)) {
                row[column] = exponent;
            }
        }
        Cow::Owned(rows)
    }

    /// What a product with its coefficients costs: the machine words of the largest.
    pub(super) fn words(&self) -> u64 {
        self.coefficients.iter().map(Integer::words).max().unwrap_or(1)
    }

    /// The coefficient of the greatest term; zero for the zero polynomial.
    pub fn leading_coefficient(&self) -> Integer {
        self.coefficients.first().cloned().unwrap_or(Integer::ZERO)
    }

    /// −1, 0 or 1: the sign of the greatest term.
    pub fn leading_coefficient_sign(&self) -> i32 {
        self.coefficients.first().map_or(0, Integer::sign)
    }

    /// The greatest exponent of a variable.
    pub fn degree(&self, variable: u32) -> u32 {
        match self.column(variable) {
            Some(0) => self.exponents[0],
            Some(column) => self.exponents.iter().skip(column).step_by(self.width()).copied().max().unwrap_or(0),
            None => 0,
        }
    }

    /// The greatest exponents of all variables that occur.
    pub(super) fn degrees(&self) -> Vec<u32> {
        let mut degrees = vec![0; self.width()];
        for row in self.exponents.chunks_exact(self.width().max(1)) {
            for (degree, &exponent) in degrees.iter_mut().zip(row) {
                *degree = (*degree).max(exponent);
            }
        }
        degrees
    }

    /// The greatest sum of exponents in a term.
    pub fn total_degree(&self) -> u64 {
        let rows = self.exponents.chunks_exact(self.width().max(1));
        rows.map(|row| row.iter().map(|&e| u64::from(e)).sum()).max().unwrap_or(0)
    }

    pub(super) fn column(&self, variable: u32) -> Option<usize> {
        self.variables.binary_search(&variable).ok()
    }

    /// The sum.
    pub fn add(&self, other: &Self) -> Self {
        self.merge(other, |c| c.clone(), |a, b| a + b)
    }

    /// The difference.
    pub fn subtract(&self, other: &Self) -> Self {
        self.merge(other, |c| -c, |a, b| a - b)
    }

    fn merge(&self, other: &Self, alone: fn(&Integer) -> Integer, both: fn(&Integer, &Integer) -> Integer) -> Self {
        let variables = union(&self.variables, &other.variables);
        let (a, b) = (self.rows_in(&variables), other.rows_in(&variables));
        let width = variables.len();
        let mut exponents = Vec::with_capacity(a.len() + b.len());
        let mut coefficients = Vec::with_capacity(self.len() + other.len());
        let (mut i, mut j) = (0, 0);
        while i < self.len() || j < other.len() {
            let order = if j == other.len() {
                Ordering::Greater
            } else if i == self.len() {
                Ordering::Less
            } else {
                a[i * width..(i + 1) * width].cmp(&b[j * width..(j + 1) * width])
            };
            let (row, coefficient) = match order {
                Ordering::Greater => (&a[i * width..(i + 1) * width], self.coefficients[i].clone()),
                Ordering::Less => (&b[j * width..(j + 1) * width], alone(&other.coefficients[j])),
                Ordering::Equal => {
                    (&a[i * width..(i + 1) * width], both(&self.coefficients[i], &other.coefficients[j]))
                }
            };
            i += usize::from(order.is_ge());
            j += usize::from(order.is_le());
            if !coefficient.is_zero() {
                exponents.extend_from_slice(row);
                coefficients.push(coefficient);
            }
        }
        Self::from_sorted(variables, exponents, coefficients)
    }

    /// The negative.
    pub fn negate(&self) -> Self {
        self.map_coefficients(|c| -c)
    }

    /// The product with an integer.
    pub fn scale(&self, factor: &Integer) -> Self {
        if factor.is_zero() { Self::zero() } else { self.map_coefficients(|c| c * factor) }
    }

    /// The quotient by an integer that divides every coefficient.
    pub fn divide_by_integer(&self, divisor: &Integer) -> Option<Self> {
        let coefficients = self.coefficients.iter().map(|c| c.divide_exactly(divisor)).collect::<Option<_>>()?;
        Some(Self { variables: self.variables.clone(), exponents: self.exponents.clone(), coefficients })
    }

    /// With other coefficients, none of which may be zero.
    fn map_coefficients(&self, map: impl Fn(&Integer) -> Integer) -> Self {
        Self {
            variables: self.variables.clone(),
            exponents: self.exponents.clone(),
            coefficients: self.coefficients.iter().map(map).collect(),
        }
    }

    /// The greatest common divisor of the coefficients, not negative.
    pub fn content(&self) -> Integer {
        let mut content = Integer::ZERO;
        for coefficient in &self.coefficients {
            content = content.gcd(coefficient);
            if content.is_one() {
                break;
            }
        }
        content
    }

    /// Divided by its content, and by −1 if its leading coefficient is negative.
    pub fn primitive(&self) -> Self {
        let content = self.content();
        let divisor = if self.leading_coefficient_sign() < 0 { -&content } else { content };
        if divisor.is_one() { self.clone() } else { self.divide_by_integer(&divisor).unwrap_or_else(Self::zero) }
    }

    /// A term with coefficient 1.
    pub(super) fn monomial(variables: &[u32], exponents: &[u32]) -> Self {
        Self::from_sorted(variables.to_vec(), exponents.to_vec(), vec![Integer::ONE])
    }
}

/// All variables of two ascending lists.
pub(super) fn union(a: &[u32], b: &[u32]) -> Vec<u32> {
    if a == b {
        return a.to_vec();
    }
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// For messages of tests: `3*x0^2*x1 - 1`.
impl fmt::Debug for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        for (i, (coefficient, powers)) in self.terms().enumerate() {
            let sign = match (i, coefficient.is_negative()) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            let mut factors: Vec<String> =
                powers.map(|(v, e)| if e == 1 { format!("x{v}") } else { format!("x{v}^{e}") }).collect();
            if factors.is_empty() || !coefficient.abs().is_one() {
                factors.insert(0, coefficient.abs().to_string());
            }
            write!(f, "{sign}{}", factors.join("*"))?;
        }
        Ok(())
    }
}
