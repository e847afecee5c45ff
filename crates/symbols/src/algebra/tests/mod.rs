//! Laws of the algebra on random polynomials, identities of the textbooks, and hostile inputs.

mod factors;
mod hostile;
mod laws;

use super::*;
use holonom_random::Random;

/// Reads `3*x^2*(y - z) + 1`: names become variables, in the order in which the alphabet has them.
fn read(text: &str) -> Polynomial {
    let spaced: String =
        text.chars().map(|c| if "+-*^()".contains(c) { format!(" {c} ") } else { c.to_string() }).collect();
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut place = 0;
    let sum = read_sum(&tokens, &mut place);
    assert_eq!(place, tokens.len(), "unread in {text}");
    sum
}

/// The variable of a name: its letters as digits.
fn variable(name: &str) -> u32 {
    name.bytes().fold(0, |number, byte| number * 128 + u32::from(byte))
}

fn read_sum(tokens: &[&str], place: &mut usize) -> Polynomial {
    let mut sum = Polynomial::zero();
    let mut negative = false;
    if tokens[*place] == "-" {
        (negative, *place) = (true, *place + 1);
    }
    loop {
        let product = read_product(tokens, place);
        sum = if negative { sum.subtract(&product) } else { sum.add(&product) };
        match tokens.get(*place) {
            Some(&"+") => negative = false,
            Some(&"-") => negative = true,
            _ => return sum,
        }
        *place += 1;
    }
}

fn read_product(tokens: &[&str], place: &mut usize) -> Polynomial {
    let budget = Budget::unlimited();
    let mut product = Polynomial::one();
    loop {
        let token = tokens[*place];
        *place += 1;
        let mut factor = match token {
            "(" => {
                let sum = read_sum(tokens, place);
                *place += 1;
                sum
            }
            number if number.starts_with(|c: char| c.is_ascii_digit()) => Polynomial::integer(number.parse().unwrap()),
            name => Polynomial::variable(variable(name)),
        };
        if tokens.get(*place) == Some(&"^") {
            factor = factor.power(tokens[*place + 1].parse().unwrap(), &budget).unwrap();
            *place += 2;
        }
        product = product.multiply(&factor, &budget).unwrap();
        if tokens.get(*place) != Some(&"*") {
            return product;
        }
        *place += 1;
    }
}

/// A polynomial with random terms, which may be zero: small exponents, mostly small coefficients.
fn polynomial(random: &mut Random, variables: u32, degree: u32, terms: usize) -> Polynomial {
    let term = |random: &mut Random| {
        let size = [3, 3, 10, 1000][(random.bits() % 4) as usize];
        let coefficient = (random.bits() % (2 * size + 1)) as i64 - size as i64;
        let mut powers = vec![0; variables as usize];
        for _ in 0..random.bits() % u64::from(degree + 1) {
            powers[(random.bits() % u64::from(variables)) as usize] += 1;
        }
        (Integer::from(coefficient), (0..variables).zip(powers).collect::<Vec<_>>())
    };
    Polynomial::from_terms((0..terms).map(|_| term(random)).collect::<Vec<_>>())
}

fn nonzero(random: &mut Random, variables: u32, degree: u32, terms: usize) -> Polynomial {
    loop {
        let candidate = polynomial(random, variables, degree, terms);
        if !candidate.is_zero() {
            return candidate;
        }
    }
}

/// A prime that the algebra itself does not use.
const PRIME: u64 = (1 << 61) - 1;

/// The value at a point without pattern.
fn value(polynomial: &Polynomial) -> u64 {
    polynomial.evaluate_modulo(PRIME, |variable| Random::new(u64::from(variable) << 20).bits())
}

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}
