//! The greatest common divisor by sparse interpolation modulo primes (R. Zippel, 1979).
//!
//! With numbers for all variables but one, the main variable x, the divisor is found by Euclid's algorithm modulo a
//! prime, up to a factor. That factor is settled by asking for a multiple H whose first (or last) coefficient in x is
//! γ, the greatest common divisor of the first (or last) coefficients of both. The other variables are then brought
//! back one at a time. Which terms occur in H is known from the stage before, so that each new value of the variable
//! takes as many evaluations as there are terms in a coefficient, and not as many as there could be.
//!
//! Modulo one prime the answer is a guess. It is verified by division, which makes it a proof: `by_interpolation` in `mod.rs`.

use crate::algebra::budget::{Budget, Exhausted};
use crate::algebra::image::{Image, Stage};
use crate::algebra::integer::Integer;
use crate::algebra::interpolate::{Added, Curve, powers_of_nodes};
use crate::algebra::modular::{Line, Modulus};
use crate::algebra::polynomial::Polynomial;
use holonom_random::Random;

/// The variable that stays, and the end at which coefficients are compared.
pub(super) struct Main {
    pub(super) variable: u32,
    pub(super) column: usize,
    /// The bound for the degree of the divisor in x.
    pub(super) degree: u32,
    /// Whether γ is the coefficient of the highest power of x, or else that of x⁰.
    pub(super) lead: bool,
    /// The columns of the other variables, in the order in which they come back.
    others: Vec<usize>,
    /// How many terms the shorter of the two coefficients has.
    terms: usize,
}

impl Main {
    /// The variable and the end with the fewest terms in its coefficients: often a single number.
    pub(super) fn choose(a: &Polynomial, b: &Polynomial, bounds: &[u32]) -> Self {
        let degrees = [a.degrees(), b.degrees()];
        let count = |p: &Polynomial, column: usize, exponent: u32| {
            (0..p.len()).filter(|&i| p.row(i)[column] == exponent).count()
        };
        let cost = |column: usize, lead: bool| {
            let exponents = if lead { [degrees[0][column], degrees[1][column]] } else { [0, 0] };
            count(a, column, exponents[0]).min(count(b, column, exponents[1]))
        };
        let choices = (0..a.width()).flat_map(|column| [(column, true), (column, false)]);
        let choices = choices.map(|(column, lead)| (cost(column, lead), u32::MAX - bounds[column], column, lead));
        let (terms, _, column, lead) = choices.min().unwrap_or_default();
        let mut others: Vec<usize> = (0..a.width()).filter(|&c| c != column).collect();
        others.sort_by_key(|&c| (bounds[c], c));
        Self { variable: a.variables()[column], column, degree: bounds[column], lead, others, terms }
    }

    /// Whether γ is a single term, so that nothing has to be found out about it.
    pub(super) fn has_single_end(&self) -> bool {
        self.terms == 1
    }

    /// The coefficient of a polynomial at the chosen end.
    pub(super) fn end_of(&self, polynomial: &Polynomial) -> Polynomial {
        let mut parts = polynomial.coefficients_in(self.variable);
        let part = if self.lead { parts.swap_remove(0) } else { parts.swap_remove(parts.len() - 1) };
        part.1
    }

    /// All columns, the main one first.
    fn columns(&self) -> Vec<usize> {
        std::iter::once(self.column).chain(self.others.iter().copied()).collect()
    }
}

/// The terms of H: for each power of x the exponents of the others, as far as they are back.
type Skeleton = Vec<(u32, Vec<Vec<u32>>)>;

/// H modulo a prime: its terms, and their coefficients in the same arrangement.
struct Found {
    skeleton: Skeleton,
    values: Vec<Vec<u64>>,
}

/// One attempt modulo one prime.
pub(super) struct Search<'a> {
    pub(super) main: &'a Main,
    pub(super) modulus: Modulus,
    pub(super) random: Random,
    pub(super) bounds: &'a [u32],
}

/// Both polynomials and γ, ready to be evaluated.
struct Images {
    a: Image,
    b: Image,
    gamma: Image,
}

impl Search<'_> {
    fn images(&self, a: &Polynomial, b: &Polynomial, gamma: &Polynomial) -> Images {
        let columns: Vec<u32> = self.main.columns().iter().map(|&c| a.variables()[c]).collect();
        let image = |p: &Polynomial| Image::new(p, &columns, &self.modulus);
        Images { a: image(a), b: image(b), gamma: image(gamma) }
    }

    /// Brings all variables back, one at a time.
    fn all(
        &mut self,
        a: &Polynomial,
        b: &Polynomial,
        gamma: &Polynomial,
        budget: &Budget,
    ) -> Result<Option<Found>, Exhausted> {
        let images = self.images(a, b, gamma);
        let modulus = self.modulus;
        let count = self.main.others.len();
        let point: Vec<u64> = (0..count).map(|_| modulus.random(&mut self.random)).collect();
        // Numbers for all of them.
        let start = self.stage(&images, &point, &[], None, budget)?;
        let Some(line) = self.sample(&start, 1, budget)?.pop().flatten() else { return Ok(None) };
        let mut found = Found { skeleton: Vec::new(), values: Vec::new() };
        for (power, &value) in line.iter().enumerate().filter(|(_, value)| **value != 0) {
            found.skeleton.push((power as u32, vec![Vec::new()]));
            found.values.push(vec![value]);
        }
        for back in 0..count {
            let bound = self.bounds[self.main.others[back]] + gamma.degree(a.variables()[self.main.others[back]]);
            let Some(next) = self.bring_back(&images, &point, back, bound, found, budget)? else { return Ok(None) };
            found = next;
        }
        Ok(Some(found))
    }

    /// Brings one variable back by Newton's interpolation of all coefficients found so far.
    fn bring_back(
        &mut self,
        images: &Images,
        point: &[u64],
        back: usize,
        bound: u32,
        found: Found,
        budget: &Budget,
    ) -> Result<Option<Found>, Exhausted> {
        let modulus = self.modulus;
        let steps: Vec<u64> = (0..back).map(|_| modulus.random(&mut self.random)).collect();
        let terms: usize = found.values.iter().map(Vec::len).sum();
        let mut curve = Curve::new(point[back], found.values.concat());
        while curve.len() <= bound as usize {
            let value = modulus.random(&mut self.random);
            let stage = self.stage(images, point, &steps, Some(value), budget)?;
            let Some(values) = self.solve(&stage, &found.skeleton, &steps, budget)? else { return Ok(None) };
            budget.spend((terms * curve.len()) as u64)?;
            budget.room(terms * curve.len(), 0)?;
            match curve.add(&modulus, value, values.concat()) {
                Added::Changed => {}
                Added::Nothing => break,
                Added::Repeated => return Ok(None),
            }
        }
        let mut polynomials = curve.finish(&modulus).into_iter();
        let mut next = Found { skeleton: Vec::new(), values: Vec::new() };
        for (power, rows) in found.skeleton {
            let (mut new_rows, mut new_values) = (Vec::new(), Vec::new());
            for (row, line) in rows.into_iter().zip(&mut polynomials) {
                for (exponent, &value) in line.iter().enumerate().filter(|(_, value)| **value != 0) {
                    new_rows.push(row.iter().copied().chain([exponent as u32]).collect());
                    new_values.push(value);
                }
            }
            next.skeleton.push((power, new_rows));
            next.values.push(new_values);
        }
        Ok(Some(next))
    }

    /// With the terms known from another prime.
    fn again(
        &mut self,
        a: &Polynomial,
        b: &Polynomial,
        gamma: &Polynomial,
        skeleton: &Skeleton,
        budget: &Budget,
    ) -> Result<Option<Found>, Exhausted> {
        let images = self.images(a, b, gamma);
        let modulus = self.modulus;
        let steps: Vec<u64> = self.main.others.iter().map(|_| modulus.random(&mut self.random)).collect();
        let stage = self.stage(&images, &[], &steps, None, budget)?;
        let values = self.solve(&stage, skeleton, &steps, budget)?;
        Ok(values.map(|values| Found { skeleton: skeleton.clone(), values }))
    }

    /// Fixes the variables that are not back yet; those that are will take the powers of the steps.
    fn stage(
        &self,
        images: &Images,
        point: &[u64],
        steps: &[u64],
        value: Option<u64>,
        budget: &Budget,
    ) -> Result<[Stage; 3], Exhausted> {
        let mut fixed = point.get(steps.len()..).unwrap_or_default().to_vec();
        if let (Some(first), Some(value)) = (fixed.first_mut(), value) {
            *first = value;
        }
        let work = images.a.work() + images.b.work() + images.gamma.work();
        budget.spend(work)?;
        Ok([&images.a, &images.b, &images.gamma].map(|image| image.stage(&self.modulus, steps, &fixed)))
    }

    /// The coefficients of all terms with the remaining variables fixed.
    fn solve(
        &mut self,
        stage: &[Stage; 3],
        skeleton: &Skeleton,
        steps: &[u64],
        budget: &Budget,
    ) -> Result<Option<Vec<Vec<u64>>>, Exhausted> {
        let modulus = self.modulus;
        let samples = skeleton.iter().map(|(_, rows)| rows.len()).max().unwrap_or(0);
        let lines: Option<Vec<Line>> = self.sample(stage, samples, budget)?.into_iter().collect();
        let Some(lines) = lines else { return Ok(None) };
        let mut values = Vec::with_capacity(skeleton.len());
        for (power, rows) in skeleton {
            budget.spend((rows.len() * (3 * rows.len() + steps.len() + 100)) as u64)?;
            let nodes: Vec<u64> = rows
                .iter()
                .map(|row| {
                    let powers = row.iter().zip(steps).map(|(&e, &step)| modulus.power(step, u64::from(e)));
                    powers.fold(modulus.one, |product, power| modulus.times(product, power))
                })
                .collect();
            let sums: Vec<u64> =
                lines.iter().take(rows.len()).map(|line| line.get(*power as usize).copied().unwrap_or(0)).collect();
            match powers_of_nodes(&modulus, &nodes, &[sums]) {
                Some(solution) => values.extend(solution),
                None => return Ok(None),
            }
        }
        Ok(Some(values))
    }

    /// H in x alone at successive points; `None` where the point is unlucky.
    fn sample(&mut self, stage: &[Stage; 3], samples: usize, budget: &Budget) -> Result<Vec<Option<Line>>, Exhausted> {
        let modulus = &self.modulus;
        let mut stages = stage.clone();
        let mut lines = Vec::with_capacity(samples);
        let work: u64 = stages.iter().map(Stage::work).sum();
        for _ in 0..samples {
            budget.spend(work)?;
            let [a, b, gamma] = stages.each_mut().map(|stage| stage.next(modulus));
            let full = a.last() != Some(&0) || b.last() != Some(&0);
            let mut line = modulus.gcd_line(a, b, budget)?;
            let end = if self.main.lead { line.last() } else { line.first() }.copied().unwrap_or(0);
            if !full || end == 0 || gamma[0] == 0 || line.len() != self.main.degree as usize + 1 {
                lines.push(None);
                break;
            }
            let factor = modulus.times(gamma[0], modulus.invert(end));
            line.iter_mut().for_each(|c| *c = modulus.times(*c, factor));
            lines.push(Some(line));
        }
        Ok(lines)
    }
}

/// H over the integers, from its remainders modulo several primes.
#[derive(Default)]
pub(super) struct Lift {
    skeleton: Option<Skeleton>,
    modulus: Option<Integer>,
    values: Vec<Integer>,
}

impl Lift {
    /// Finds H modulo one more prime, for both polynomials and γ. Whether the result is worth a trial; nothing where luck was bad.
    pub(super) fn with_prime(
        &mut self,
        mut search: Search,
        [a, b, gamma]: [&Polynomial; 3],
        budget: &Budget,
    ) -> Result<Option<bool>, Exhausted> {
        let found = match &self.skeleton {
            None => search.all(a, b, gamma, budget)?,
            Some(skeleton) => search.again(a, b, gamma, skeleton, budget)?,
        };
        Ok(found.map(|found| self.add(found, &search.modulus)))
    }

    /// Takes one more prime into account. Whether the result is worth a trial.
    fn add(&mut self, found: Found, prime: &Modulus) -> bool {
        let remainders = found.values.concat();
        let Some(modulus) = &self.modulus else {
            self.values = remainders.iter().map(|&v| Integer::from(prime.leave_signed(v))).collect();
            self.modulus = Some(prime.prime());
            self.skeleton = Some(found.skeleton);
            return true;
        };
        let p = prime.prime();
        let total = modulus * &p;
        let inverse = prime.invert(prime.enter_integer(modulus));
        let mut changed = false;
        for (value, &remainder) in self.values.iter_mut().zip(&remainders) {
            // value + modulus k, with k = (remainder − value)/modulus of least magnitude
            let k = prime.times(prime.minus(remainder, prime.enter_integer(value)), inverse);
            if k != 0 {
                changed = true;
                *value = &*value + &(modulus * &Integer::from(prime.leave_signed(k)));
            }
        }
        self.modulus = Some(total);
        !changed
    }

    /// The polynomial as it is known so far.
    pub(super) fn polynomial(&self, main: &Main, variables: &[u32]) -> Polynomial {
        let columns = main.columns();
        let mut exponents = Vec::new();
        for (power, rows) in self.skeleton.iter().flatten() {
            for row in rows {
                let start = exponents.len();
                exponents.resize(start + variables.len(), 0);
                for (&column, &exponent) in columns.iter().zip(std::iter::once(power).chain(row)) {
                    exponents[start + column] = exponent;
                }
            }
        }
        Polynomial::from_rows(variables.to_vec(), exponents, self.values.clone())
    }
}
