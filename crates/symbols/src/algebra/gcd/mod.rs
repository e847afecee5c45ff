//! The greatest common divisor.
//!
//! In mechanics most of them are 1, a monomial, or one of the two arguments. So cheap steps come first: they remove
//! common powers and variables that only one argument has, and bound the degree of the answer in every variable by an
//! evaluation modulo a prime, which can prove that two polynomials have nothing in common. The rest is interpolated from
//! evaluations, and verified. All functions that ask for divisors of smaller polynomials are in this file.

mod bounds;
mod lifted;
mod shear;
mod sparse;

use super::budget::{Budget, Exhausted};
use super::modular::Modulus;
use super::polynomial::{Polynomial, union};
use holonom_random::Random;
use shear::{choose, shear, unshear};
use sparse::{Lift, Main, Search};

/// The greatest common divisor: its leading coefficient is positive, its content that of both contents.
///
/// ```
/// use holonom_symbols::algebra::{Budget, Polynomial, gcd};
///
/// let (x, y) = (Polynomial::variable(0), Polynomial::variable(1));
/// let budget = Budget::new(10_000);
/// let square = x.add(&y).power(2, &budget)?;
/// let difference = x.power(2, &budget)?.subtract(&y.power(2, &budget)?);
/// assert_eq!(gcd(&square, &difference, &budget)?, x.add(&y));
/// # Ok::<(), holonom_symbols::algebra::Exhausted>(())
/// ```
pub fn gcd(a: &Polynomial, b: &Polynomial, budget: &Budget) -> Result<Polynomial, Exhausted> {
    if a.is_zero() {
        return Ok(positive(b));
    }
    if b.is_zero() {
        return Ok(positive(a));
    }
    budget.spend(a.len() as u64 * a.words().pow(2) + b.len() as u64 * b.words().pow(2))?;
    let content = a.content().gcd(&b.content());
    if a.is_constant() || b.is_constant() {
        return Ok(Polynomial::constant(content));
    }
    // The powers of single variables.
    let (least_a, least_b) = (a.least_exponents(), b.least_exponents());
    let common: Vec<u32> = a
        .variables()
        .iter()
        .zip(&least_a)
        .map(|(&variable, &least)| b.column(variable).map_or(0, |column| least.min(least_b[column])))
        .collect();
    let monomial = Polynomial::monomial(a.variables(), &common).scale(&content);
    if a.len() == 1 || b.len() == 1 {
        return Ok(monomial);
    }
    let gcd = without_monomials(&a.lower(&least_a).primitive(), &b.lower(&least_b).primitive(), budget)?;
    gcd.multiply(&monomial, budget)
}

/// The greatest common divisor of any number of polynomials; zero for none.
pub fn gcd_many<'a>(
    polynomials: impl IntoIterator<Item = &'a Polynomial>,
    budget: &Budget,
) -> Result<Polynomial, Exhausted> {
    let mut all: Vec<&Polynomial> = polynomials.into_iter().collect();
    all.sort_by_key(|p| p.len());
    let mut common = Polynomial::zero();
    for polynomial in all {
        common = gcd(&common, polynomial, budget)?;
        if common.is_one() {
            break;
        }
    }
    Ok(common)
}

/// The least common multiple, with a positive leading coefficient; zero if one of them is.
pub fn lcm(a: &Polynomial, b: &Polynomial, budget: &Budget) -> Result<Polynomial, Exhausted> {
    let common = gcd(a, b, budget)?;
    match a.divide_exactly(&common, budget)? {
        Some(rest) => Ok(positive(&rest.multiply(b, budget)?)),
        None => Ok(Polynomial::zero()),
    }
}

/// With a positive leading coefficient.
fn positive(polynomial: &Polynomial) -> Polynomial {
    if polynomial.leading_coefficient_sign() < 0 { polynomial.negate() } else { polynomial.clone() }
}

/// Of polynomials with content 1 that no single variable divides.
fn without_monomials(a: &Polynomial, b: &Polynomial, budget: &Budget) -> Result<Polynomial, Exhausted> {
    if a == b {
        return Ok(a.clone());
    }
    // Squares, and other powers, of a variable can be a variable.
    let steps = union(a.variables(), b.variables()).into_iter().map(|v| (v, a.step(v, b.step(v, 0))));
    let steps: Vec<(u32, u32)> = steps.filter(|&(_, step)| step > 1).collect();
    if !steps.is_empty() {
        let (a, b) = (a.deflate(&steps), b.deflate(&steps));
        return Ok(without_monomials(&a, &b, budget)?.inflate(&steps));
    }
    // What has a variable that the other lacks divides only if all its coefficients do.
    let apart = |p: &Polynomial, q: &Polynomial| -> Vec<u32> {
        p.variables().iter().copied().filter(|&v| q.column(v).is_none()).collect()
    };
    let (only_a, only_b) = (apart(a, b), apart(b, a));
    if only_a.is_empty() && only_b.is_empty() {
        return in_same_variables(a, b, budget);
    }
    if only_a.len() == a.width() || only_b.len() == b.width() {
        return Ok(Polynomial::one());
    }
    of_parts(a, &only_a, b, &only_b, budget)
}

/// Of the coefficients that remain when some variables are set apart.
fn of_parts(
    a: &Polynomial,
    apart_a: &[u32],
    b: &Polynomial,
    apart_b: &[u32],
    budget: &Budget,
) -> Result<Polynomial, Exhausted> {
    budget.spend((a.len() + b.len()) as u64)?;
    let mut parts = if apart_a.is_empty() { vec![a.clone()] } else { a.coefficients_apart(apart_a) };
    parts.extend(if apart_b.is_empty() { vec![b.clone()] } else { b.coefficients_apart(apart_b) });
    if parts.iter().any(Polynomial::is_constant) {
        return Ok(Polynomial::one());
    }
    gcd_many(&parts, budget).map(|common| common.primitive())
}

/// Of polynomials in the same variables, with content 1, that no single variable divides.
fn in_same_variables(a: &Polynomial, b: &Polynomial, budget: &Budget) -> Result<Polynomial, Exhausted> {
    let bounds = bounds::degree_bounds(a, b, budget)?;
    let absent: Vec<u32> = a.variables().iter().zip(&bounds).filter(|(_, b)| **b == 0).map(|(&v, _)| v).collect();
    if absent.len() == a.width() {
        return Ok(Polynomial::one());
    }
    if !absent.is_empty() {
        return of_parts(a, &absent, b, &absent, budget);
    }
    // Does one divide the other?
    if bounds == a.degrees() && b.divide_exactly(a, budget)?.is_some() {
        return Ok(positive(a));
    }
    if bounds == b.degrees() && a.divide_exactly(b, budget)?.is_some() {
        return Ok(positive(b));
    }
    let main = Main::choose(a, b, &bounds);
    if !main.has_single_end()
        && let Some(common) = by_shearing(a, b, budget)?
    {
        return Ok(common);
    }
    if main.has_single_end()
        && let Some(common) = lifted::gcd(a, b, &main, budget)?
    {
        return Ok(common);
    }
    match by_interpolation(a, b, &bounds, &main, budget)? {
        Some(common) => Ok(common),
        None => by_remainders(a, b, budget),
    }
}

/// With products of powers in place of a variable; `None` if no good one is found.
fn by_shearing(a: &Polynomial, b: &Polynomial, budget: &Budget) -> Result<Option<Polynomial>, Exhausted> {
    let Some((column, weights)) = choose(a, b, budget)? else { return Ok(None) };
    budget.spend(((a.len() + b.len()) * a.width()) as u64)?;
    let [sheared_a, sheared_b] = [a, b].map(|p| shear(p, column, &weights));
    if sheared_a.variables() != sheared_b.variables() {
        return Ok(None);
    }
    let common = in_same_variables(&sheared_a, &sheared_b, budget)?;
    Ok(Some(unshear(&common, a.variables(), column, &weights)))
}

/// By sparse interpolation; of polynomials in the same variables, with content 1, without single variables as factors, and with these bounds,
/// none of them zero, for the degrees of the answer. `None` if luck was bad too often.
///
/// What is returned divides both, its content in x is that of both, and its degree in x is the bound, which no
/// divisor exceeds: so it is the greatest.
fn by_interpolation(
    a: &Polynomial,
    b: &Polynomial,
    bounds: &[u32],
    main: &Main,
    budget: &Budget,
) -> Result<Option<Polynomial>, Exhausted> {
    let gamma = gcd(&main.end_of(a), &main.end_of(b), budget)?;
    // A content in x divides γ, and no single variable does.
    let content = if gamma.len() == 1 {
        Polynomial::one()
    } else {
        budget.spend((a.len() + b.len()) as u64)?;
        let parts = [a, b].map(|p| p.coefficients_in(main.variable));
        gcd_many(parts.iter().flatten().map(|(_, part)| part), budget)?.primitive()
    };
    for seed in 0..3 {
        let mut lift = Lift::default();
        for index in 0.. {
            let Some(modulus) = Modulus::number(index) else { break };
            let search = Search { main, modulus, random: Random::new(seed << 8 | index as u64), bounds };
            match lift.with_prime(search, [a, b, &gamma], budget)? {
                None => break,
                Some(false) => continue,
                Some(true) => {}
            }
            let candidate = lift.polynomial(main, a.variables()).primitive();
            if candidate.degree(main.variable) != main.degree {
                break;
            }
            let candidate = if gamma.len() == 1 {
                candidate.lower(&candidate.least_exponents())
            } else {
                let own = content_in(&candidate, main.variable, budget)?;
                match candidate.divide_exactly(&own, budget)? {
                    Some(primitive) => primitive.multiply(&content, budget)?.primitive(),
                    None => break,
                }
            };
            if b.divide_exactly(&candidate, budget)?.is_some() && a.divide_exactly(&candidate, budget)?.is_some() {
                return Ok(Some(candidate));
            }
        }
    }
    Ok(None)
}

/// By Euclid's algorithm in one variable, contents taken out at every step; of polynomials in the same variables with content 1. Certain, and
/// slow when both are large.
fn by_remainders(a: &Polynomial, b: &Polynomial, budget: &Budget) -> Result<Polynomial, Exhausted> {
    let degrees = a.degrees().into_iter().zip(b.degrees()).map(|(p, q)| p.max(q));
    let Some((_, &variable)) = degrees.zip(a.variables()).min() else { return Ok(Polynomial::one()) };
    let contents = (content_in(a, variable, budget)?, content_in(b, variable, budget)?);
    let content = gcd(&contents.0, &contents.1, budget)?;
    let mut high = primitive_in(a, variable, budget)?;
    let mut low = primitive_in(b, variable, budget)?;
    if high.degree(variable) < low.degree(variable) {
        std::mem::swap(&mut high, &mut low);
    }
    while !low.is_zero() {
        if low.degree(variable) == 0 {
            return Ok(content);
        }
        let rest = high.pseudo_remainder(&low, variable, budget)?;
        high = low;
        low = primitive_in(&rest.primitive(), variable, budget)?;
    }
    Ok(high.primitive().multiply(&content, budget)?.primitive())
}

/// The content with respect to one variable: the greatest common divisor of the coefficients of its powers.
pub(super) fn content_in(polynomial: &Polynomial, variable: u32, budget: &Budget) -> Result<Polynomial, Exhausted> {
    budget.spend(polynomial.len() as u64)?;
    let parts = polynomial.coefficients_in(variable);
    gcd_many(parts.iter().map(|(_, part)| part), budget)
}

/// Divided by the content with respect to one variable.
fn primitive_in(polynomial: &Polynomial, variable: u32, budget: &Budget) -> Result<Polynomial, Exhausted> {
    let content = content_in(polynomial, variable, budget)?;
    if content.is_one() {
        return Ok(polynomial.clone());
    }
    Ok(polynomial.divide_exactly(&content, budget)?.unwrap_or_else(|| polynomial.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lifting, interpolation and remainders find the same, where each applies.
    #[test]
    fn all_ways_lead_to_the_same_divisor() {
        let budget = Budget::unlimited();
        let mut random = Random::new(11);
        let mut draw = || {
            let term = |random: &mut Random| {
                let powers: Vec<(u32, u32)> = (0..3).map(|v| (v, (random.bits() % 3) as u32)).collect();
                (super::super::Integer::from((random.bits() % 9) as i64 - 4), powers)
            };
            Polynomial::from_terms((0..4).map(|_| term(&mut random)).collect::<Vec<_>>())
        };
        let mut ways = [0; 3];
        for _ in 0..300 {
            let [g, a, b] = [draw(), draw(), draw()];
            let [a, b] = [a, b].map(|p| p.multiply(&g, &budget).unwrap());
            if a.is_zero() || b.is_zero() {
                continue;
            }
            let [a, b] = [a, b].map(|p| p.lower(&p.least_exponents()).primitive());
            let bounds = if a.variables() == b.variables() && !a.is_constant() {
                bounds::degree_bounds(&a, &b, &budget).unwrap()
            } else {
                continue;
            };
            if bounds.contains(&0) {
                continue;
            }
            let expected = by_remainders(&a, &b, &budget).unwrap();
            let main = Main::choose(&a, &b, &bounds);
            let found = [
                lifted::gcd(&a, &b, &main, &budget).unwrap(),
                by_interpolation(&a, &b, &bounds, &main, &budget).unwrap(),
                by_shearing(&a, &b, &budget).unwrap(),
            ];
            for (way, found) in ways.iter_mut().zip(found) {
                if let Some(found) = found {
                    assert_eq!(found, expected);
                    *way += 1;
                }
            }
        }
        assert!(ways.iter().all(|&count| count > 50), "{ways:?}");
    }
}
