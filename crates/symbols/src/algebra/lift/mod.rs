//! Lifting: from a factor of a polynomial in one variable, modulo a prime, to a factor in all of them.
//!
//! With numbers for all variables but one, x, a factor F is known, monic in x. Its leading coefficient is set to that
//! of the whole polynomial, and the other variables are brought back one at a time. Which terms occur is known from
//! the stage before, so that each stage takes as many evaluations as there are terms in a coefficient of F. The
//! factors at another point are matched by lifting in one variable y, from powers of y − α (H. Zassenhaus after
//! K. Hensel; the sparse stages are those of M. Monagan and B. Tuncer, 2016).
//!
//! The result is a guess modulo one prime; division verifies that it is a factor.

mod plane;

use super::budget::{Budget, Exhausted};
use super::image::{Image, Stage};
use super::integer::Integer;
use super::interpolate::powers_of_nodes;
use super::modular::{Line, Modulus};
use super::polynomial::Polynomial;
use holonom_random::Random;
use plane::lift;

/// The terms of F: for each power of x the exponents of the other variables that are back, and the coefficients.
type Terms = Vec<(u32, Vec<(Vec<u32>, u64)>)>;

/// A polynomial whose factors are sought.
pub(super) struct Lift<'a> {
    polynomial: &'a Polynomial,
    pub(super) modulus: Modulus,
    /// The column of the main variable x.
    column: usize,
    /// The columns of the other variables.
    others: Vec<usize>,
    degrees: Vec<u32>,
    image: Image,
}

impl<'a> Lift<'a> {
    pub(super) fn new(polynomial: &'a Polynomial, column: usize) -> Self {
        let modulus = Modulus::first();
        let degrees = polynomial.degrees();
        let mut others: Vec<usize> = (0..degrees.len()).filter(|&c| c != column).collect();
        others.sort_by_key(|&c| (degrees[c], c));
        let order: Vec<u32> = [column].iter().chain(&others).map(|&c| polynomial.variables()[c]).collect();
        let image = Image::new(polynomial, &order, &modulus);
        Self { polynomial, modulus, column, others, degrees, image }
    }

    /// Numbers for all variables, also for x, which has no use for it.
    pub(super) fn point(&self, random: &mut Random) -> Vec<u64> {
        self.degrees.iter().map(|_| self.modulus.random(random)).collect()
    }

    /// The polynomial in x alone at a point.
    pub(super) fn at(&self, point: &[u64], budget: &Budget) -> Result<Line, Exhausted> {
        line_at(&self.modulus, self.polynomial, self.column, point, budget)
    }

    /// Brings all variables back to a factor in x, with leading coefficient 1, of the polynomial at a point.
    ///
    /// The polynomial at the point must have no factor in common with the rest. What comes out is the factor times
    /// something without x.
    pub(super) fn grow(
        &self,
        start: &[u64],
        point: &[u64],
        random: &mut Random,
        budget: &Budget,
    ) -> Result<Option<Polynomial>, Exhausted> {
        let modulus = &self.modulus;
        let lead = self.at(point, budget)?.last().copied().unwrap_or(0);
        let mut terms: Terms = Vec::new();
        for (power, &value) in start.iter().enumerate().filter(|(_, value)| **value != 0) {
            terms.push((power as u32, vec![(Vec::new(), modulus.times(value, lead))]));
        }
        for back in 0..self.others.len() {
            match self.bring_back(back, terms, point, random, budget)? {
                Some(next) => terms = next,
                None => return Ok(None),
            }
        }
        Ok(Some(self.polynomial_of(&terms).primitive()))
    }

    /// Brings one variable back.
    fn bring_back(
        &self,
        back: usize,
        terms: Terms,
        point: &[u64],
        random: &mut Random,
        budget: &Budget,
    ) -> Result<Option<Terms>, Exhausted> {
        let modulus = &self.modulus;
        let column = self.others[back];
        let place = point[column];
        let steps: Vec<u64> = (0..back).map(|_| modulus.random(random)).collect();
        let fixed: Vec<u64> = self.others[back + 1..].iter().map(|&c| point[c]).collect();
        budget.spend(self.image.work())?;
        let mut stage = self.image.stage(modulus, &steps, &fixed);
        // The values of the terms of F at the first point, and the factors that lead to the next.
        let nodes: Vec<Vec<u64>> = terms
            .iter()
            .map(|(_, list)| {
                list.iter()
                    .map(|(row, _)| {
                        let powers = row.iter().zip(&steps).map(|(&e, &step)| modulus.power(step, u64::from(e)));
                        powers.fold(modulus.one, |product, power| modulus.times(product, power))
                    })
                    .collect()
            })
            .collect();
        let mut values: Vec<Vec<u64>> =
            terms.iter().map(|(_, list)| list.iter().map(|&(_, value)| value).collect()).collect();
        let degree = terms.last().map_or(0, |&(power, _)| power) as usize;
        let samples = nodes.iter().map(Vec::len).max().unwrap_or(0);
        // For each sample F in powers of y − α and of x.
        let mut lifted: Vec<Vec<Line>> = Vec::with_capacity(samples);
        for _ in 0..samples {
            let mut image: Line = vec![0; degree + 1];
            for ((power, _), (values, nodes)) in terms.iter().zip(values.iter_mut().zip(&nodes)) {
                for (value, &node) in values.iter_mut().zip(nodes) {
                    *value = modulus.times(*value, node);
                    image[*power as usize] = modulus.plus(image[*power as usize], *value);
                }
            }
            let rows = self.rows(&mut stage, self.degrees[column], place, budget)?;
            match lift(modulus, &rows, image, budget)? {
                Some(factor) => lifted.push(factor),
                None => return Ok(None),
            }
        }
        let depth = lifted.iter().map(Vec::len).max().unwrap_or(0);
        let mut next: Terms = Vec::with_capacity(terms.len());
        for ((power, list), nodes) in terms.into_iter().zip(&nodes) {
            budget.spend((nodes.len() * ((2 + depth) * nodes.len() + 100)) as u64)?;
            let coefficient = |k: usize, factor: &Vec<Line>| factor.get(k).map_or(0, |line| line[power as usize]);
            let sums: Vec<Vec<u64>> = (0..depth)
                .map(|k| lifted.iter().take(nodes.len()).map(|factor| coefficient(k, factor)).collect())
                .collect();
            let Some(solutions) = powers_of_nodes(modulus, nodes, &sums) else { return Ok(None) };
            let mut new = Vec::new();
            for (i, (row, _)) in list.into_iter().enumerate() {
                let mut line: Line = solutions.iter().map(|solution| solution[i]).collect();
                modulus.shift_line(&mut line, modulus.minus(0, place));
                for (exponent, &value) in line.iter().enumerate().filter(|(_, value)| **value != 0) {
                    new.push((row.iter().copied().chain([exponent as u32]).collect(), value));
                }
            }
            next.push((power, new));
        }
        Ok(Some(next))
    }

    /// At the next point, the polynomials in x that are the coefficients of powers of y less its place.
    fn rows(&self, stage: &mut Stage, degree: u32, place: u64, budget: &Budget) -> Result<Vec<Line>, Exhausted> {
        let (width, height) = (u64::from(self.degrees[self.column]) + 1, u64::from(degree) + 1);
        budget.room(width.saturating_mul(height) as usize, 0)?;
        budget.spend(stage.work() + width * height.saturating_mul(height))?;
        let mut lines = stage.next_lines(&self.modulus, degree);
        lines.iter_mut().for_each(|line| self.modulus.shift_line(line, place));
        Ok((0..height as usize).map(|k| lines.iter().map(|line| line[k]).collect()).collect())
    }

    /// Over the integers, if its coefficients are small.
    fn polynomial_of(&self, terms: &Terms) -> Polynomial {
        let (mut exponents, mut coefficients) = (Vec::new(), Vec::new());
        for (power, list) in terms {
            for (row, value) in list {
                let start = exponents.len();
                exponents.resize(start + self.degrees.len(), 0);
                exponents[start + self.column] = *power;
                for (&column, &exponent) in self.others.iter().zip(row) {
                    exponents[start + column] = exponent;
                }
                coefficients.push(Integer::from(self.modulus.leave_signed(*value)));
            }
        }
        Polynomial::from_rows(self.polynomial.variables().to_vec(), exponents, coefficients)
    }
}

/// A polynomial in one variable alone, with numbers for the others.
pub(super) fn line_at(
    modulus: &Modulus,
    polynomial: &Polynomial,
    column: usize,
    point: &[u64],
    budget: &Budget,
) -> Result<Line, Exhausted> {
    budget.spend((polynomial.len() * polynomial.width()) as u64)?;
    let mut point = point.to_vec();
    point[column] = modulus.one;
    let degree = polynomial.degree(polynomial.variables()[column]) as usize;
    budget.room(degree, 0)?;
    let mut line = vec![0; degree + 1];
    for (i, term) in modulus.terms(polynomial, &point).into_iter().enumerate() {
        let power = polynomial.row(i)[column] as usize;
        line[power] = modulus.plus(line[power], term);
    }
    Ok(line)
}
