//! Takes a polynomial without repeated factors apart, by lifting factors modulo a prime.
//!
//! With numbers for all variables but one, x, and modulo a prime, the polynomial falls into factors of one variable.
//! At several points the degrees of these are compared: a degree that no subset of them has at one of the points is
//! the degree of no factor, and often that proves that there is none. Else some of the factors together are the image
//! of one, F. As in the search for common divisors its leading coefficient is set to that of the whole polynomial, the
//! other variables are brought back one at a time, and the terms known at each stage say how many evaluations the
//! next one takes. Which factor is which at another point is settled by lifting in one variable, from powers of y − α
//! (H. Zassenhaus's lifting after K. Hensel, and the sparse stages of M. Monagan and B. Tuncer, 2016).
//!
//! All this is a guess, modulo one prime. What comes out is a factor if division says so.

use super::grid::{Grid, lift};
use super::line::{by_degree, irreducible};
use crate::algebra::budget::{Budget, Exhausted};
use crate::algebra::gcd::content_in;
use crate::algebra::integer::Integer;
use crate::algebra::interpolate::powers_of_nodes;
use crate::algebra::modular::{Line, Modulus, Random};
use crate::algebra::polynomial::Polynomial;

/// How many points are compared.
const POINTS: usize = 6;
/// No more factors modulo the prime than this are combined.
const PARTS: usize = 12;

/// The terms of F: for each power of x the exponents of the other variables that are back, and the coefficients.
type Terms = Vec<(u32, Vec<(Vec<u32>, u64)>)>;

/// A factor and the rest, if one is found: of a polynomial with content 1 with respect to every variable and without
/// repeated factors.
pub(super) fn split(polynomial: &Polynomial, budget: &Budget) -> Result<Option<(Polynomial, Polynomial)>, Exhausted> {
    let degrees = polynomial.degrees();
    let ends = |column: usize| (0..polynomial.len()).filter(|&i| polynomial.row(i)[column] == degrees[column]).count();
    let Some(column) = (0..degrees.len()).min_by_key(|&c| (degrees[c], ends(c))) else { return Ok(None) };
    if degrees[column] < 2 {
        return Ok(None);
    }
    budget.room(degrees[column] as usize, 0)?;
    let mut random = Random::new(0x0066_6163_746f_7273);
    let search = Search::new(polynomial, column, degrees);
    let Some((point, parts, allowed)) = search.best_point(&mut random, budget)? else { return Ok(None) };
    if parts.len() > PARTS {
        return Ok(None);
    }
    let degree = |set: usize| (0..parts.len()).filter(|i| set >> i & 1 == 1).map(|i| parts[i].len() - 1).sum::<usize>();
    // One of a set and its complement is enough: the one of lesser degree.
    let mut sets: Vec<usize> = (1..(1 << parts.len()) - 1).filter(|&set| allowed[degree(set)]).collect();
    let whole = search.degrees[column] as usize;
    sets.retain(|&set| 2 * degree(set) < whole || (2 * degree(set) == whole && set & 1 == 1));
    sets.sort_by_key(|&set| (set.count_ones(), degree(set), set));
    for set in sets {
        let mut start: Line = vec![search.modulus.one];
        for (_, part) in parts.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1) {
            start = search.modulus.multiply_lines(&start, part, budget)?;
        }
        if let Some(pair) = search.grow(start, &point, &mut random, budget)? {
            return Ok(Some(pair));
        }
    }
    Ok(None)
}

struct Search<'a> {
    polynomial: &'a Polynomial,
    modulus: Modulus,
    /// The main variable x and its column.
    variable: u32,
    column: usize,
    /// The columns of the other variables.
    others: Vec<usize>,
    degrees: Vec<u32>,
    coefficients: Vec<u64>,
}

impl<'a> Search<'a> {
    fn new(polynomial: &'a Polynomial, column: usize, degrees: Vec<u32>) -> Self {
        let modulus = Modulus::first();
        let mut others: Vec<usize> = (0..degrees.len()).filter(|&c| c != column).collect();
        others.sort_by_key(|&c| (degrees[c], c));
        let coefficients = polynomial.coefficients().iter().map(|c| modulus.enter_integer(c)).collect();
        let variable = polynomial.variables()[column];
        Self { polynomial, modulus, variable, column, others, degrees, coefficients }
    }

    /// The point with the fewest factors, these factors, and which degrees a factor can have by what all points say.
    /// `None` if there is no factor, or no point without repeated factors.
    #[allow(clippy::type_complexity)]
    fn best_point(
        &self,
        random: &mut Random,
        budget: &Budget,
    ) -> Result<Option<(Vec<u64>, Vec<Line>, Vec<bool>)>, Exhausted> {
        let modulus = &self.modulus;
        let whole = self.degrees[self.column] as usize;
        let mut allowed = vec![true; whole + 1];
        let mut best: Option<(usize, Vec<u64>, Vec<(Line, usize)>)> = None;
        // Without other variables all points are the same.
        for _ in 0..if self.others.is_empty() { 1 } else { POINTS } {
            let point: Vec<u64> = self.others.iter().map(|_| random.number(modulus)).collect();
            let line = self.at(&point, budget)?;
            let slope: Line = (1u64..).zip(&line[1..]).map(|(k, &c)| modulus.times(modulus.enter(k), c)).collect();
            if line.last() == Some(&0) || modulus.gcd_line(line.clone(), slope, budget)?.len() != 1 {
                continue;
            }
            let parts = by_degree(modulus, &line, budget)?;
            let mut sums = vec![false; whole + 1];
            sums[0] = true;
            let mut count = 0;
            for (part, degree) in &parts {
                for _ in 0..(part.len() - 1) / degree {
                    count += 1;
                    for sum in (*degree..=whole).rev() {
                        sums[sum] |= sums[sum - degree];
                    }
                }
            }
            allowed.iter_mut().zip(sums).for_each(|(allowed, sum)| *allowed &= sum);
            if !allowed[1..whole].contains(&true) {
                return Ok(None);
            }
            if best.as_ref().is_none_or(|(least, ..)| count < *least) {
                best = Some((count, point, parts));
            }
        }
        let Some((_, point, parts)) = best else { return Ok(None) };
        Ok(Some((point, irreducible(modulus, parts, random, budget)?, allowed)))
    }

    /// The polynomial in x alone at a point.
    fn at(&self, point: &[u64], budget: &Budget) -> Result<Line, Exhausted> {
        let mut full = vec![self.modulus.one; self.degrees.len()];
        for (&column, &value) in self.others.iter().zip(point) {
            full[column] = value;
        }
        budget.spend((self.polynomial.len() * self.degrees.len()) as u64)?;
        let mut line = vec![0; self.degrees[self.column] as usize + 1];
        for (i, term) in self.modulus.terms(self.polynomial, &full).into_iter().enumerate() {
            let power = self.polynomial.row(i)[self.column] as usize;
            line[power] = self.modulus.plus(line[power], term);
        }
        Ok(line)
    }

    /// Brings all variables back to the image of a factor, makes it one over the integers, and tries it.
    fn grow(
        &self,
        start: Line,
        point: &[u64],
        random: &mut Random,
        budget: &Budget,
    ) -> Result<Option<(Polynomial, Polynomial)>, Exhausted> {
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
        let candidate = self.polynomial_of(&terms).primitive();
        let content = content_in(&candidate, self.variable, budget)?;
        let Some(factor) = candidate.divide_exactly(&content, budget)? else { return Ok(None) };
        let factor = factor.primitive();
        let rest = self.polynomial.divide_exactly(&factor, budget)?;
        Ok(rest.map(|rest| (factor, rest)))
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
        let (column, place) = (self.others[back], point[back]);
        let steps: Vec<u64> = (0..back).map(|_| random.number(modulus)).collect();
        let moving: Vec<(usize, u64)> = self.others.iter().copied().zip(steps.iter().copied()).collect();
        let fixed: Vec<(usize, u64)> = self.others.iter().copied().zip(point.iter().copied()).skip(back + 1).collect();
        budget.spend((self.polynomial.len() * self.degrees.len()) as u64)?;
        let mut grid =
            Grid::new(modulus, self.polynomial, &self.coefficients, (self.column, column), &moving, &fixed, place);
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
            let rows = grid.next(modulus, budget)?;
            match lift(modulus, &rows, image, budget)? {
                Some(factor) => lifted.push(factor),
                None => return Ok(None),
            }
        }
        let depth = lifted.iter().map(Vec::len).max().unwrap_or(0);
        let mut next: Terms = Vec::with_capacity(terms.len());
        for ((power, list), nodes) in terms.into_iter().zip(&nodes) {
            let mut lines: Vec<Line> = vec![Vec::with_capacity(depth); list.len()];
            for k in 0..depth {
                budget.spend((nodes.len() * (3 * nodes.len() + 100)) as u64)?;
                let coefficient = |factor: &Vec<Line>| factor.get(k).map_or(0, |line| line[power as usize]);
                let sums: Vec<u64> = lifted.iter().take(nodes.len()).map(coefficient).collect();
                let Some(solution) = powers_of_nodes(modulus, nodes, &sums) else { return Ok(None) };
                lines.iter_mut().zip(solution).for_each(|(line, value)| line.push(value));
            }
            let mut new = Vec::new();
            for ((row, _), mut line) in list.into_iter().zip(lines) {
                modulus.shift_line(&mut line, modulus.minus(0, place));
                for (exponent, &value) in line.iter().enumerate().filter(|(_, value)| **value != 0) {
                    new.push((row.iter().copied().chain([exponent as u32]).collect(), value));
                }
            }
            next.push((power, new));
        }
        Ok(Some(next))
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
