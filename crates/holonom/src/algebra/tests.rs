//! Laws of the algebra, on many random polynomials.

use super::modular::Random;
use super::*;

/// A polynomial with random terms: few variables, small exponents, mostly small coefficients.
fn polynomial(random: &mut Random, variables: u32, degree: u32, terms: usize) -> Polynomial {
    let term = |random: &mut Random| {
        let size = [3, 3, 10, 1000][(random.next() % 4) as usize];
        let coefficient = (random.next() % (2 * size + 1)) as i64 - size as i64;
        let mut left = degree;
        let mut powers = Vec::new();
        for variable in 0..variables {
            let exponent = (random.next() % u64::from(left + 1)) as u32;
            let exponent = if random.next() % 2 == 0 { 0 } else { exponent };
            left -= exponent;
            powers.push((variable, exponent));
        }
        (Integer::from(coefficient), powers)
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

#[test]
fn sums_and_products_obey_the_laws_of_a_ring() {
    let budget = Budget::unlimited();
    let mut random = Random::new(1);
    for round in 0..1000 {
        let variables = 1 + round % 6;
        let [a, b, c] = std::array::from_fn(|_| polynomial(&mut random, variables, 6, 1 + (round % 9) as usize));
        let times = |p: &Polynomial, q: &Polynomial| p.multiply(q, &budget).unwrap();
        assert_eq!(times(&a, &b.add(&c)), times(&a, &b).add(&times(&a, &c)));
        assert_eq!(times(&times(&a, &b), &c), times(&a, &times(&b, &c)));
        assert_eq!(a.subtract(&b).add(&b), a);
        assert!(a.subtract(&a).is_zero());
        if !b.is_zero() {
            assert_eq!(times(&a, &b).divide_exactly(&b, &budget).unwrap(), Some(a.clone()));
        }
    }
}

/// gcd(g a, g b) is a multiple of g, divides both, and its cofactors have nothing in common.
#[test]
fn a_common_factor_is_found() {
    let budget = Budget::unlimited();
    let mut random = Random::new(2);
    for round in 0..3000u32 {
        let variables = 1 + round % 5;
        let terms = 1 + (round / 5 % 5) as usize;
        let degree = 2 + round % 3;
        let [g, a, b] = std::array::from_fn(|_| nonzero(&mut random, variables, degree, terms));
        let (ga, gb) = (g.multiply(&a, &budget).unwrap(), g.multiply(&b, &budget).unwrap());
        let found = gcd(&ga, &gb, &budget).unwrap();
        assert!(found.divide_exactly(&g, &budget).unwrap().is_some(), "{g:?} in {found:?}");
        let rest_a = ga.divide_exactly(&found, &budget).unwrap().unwrap();
        let rest_b = gb.divide_exactly(&found, &budget).unwrap().unwrap();
        assert!(gcd(&rest_a, &rest_b, &budget).unwrap().is_one());
    }
}

#[test]
fn factors_multiply_to_what_they_came_from() {
    let budget = Budget::unlimited();
    let mut random = Random::new(3);
    for round in 0..1000u32 {
        let variables = 1 + round % 4;
        let mut product = Polynomial::integer(1 + i64::from(round % 7));
        for _ in 0..1 + round % 3 {
            let factor = nonzero(&mut random, variables, 2, 1 + (round % 3) as usize);
            product = product.multiply(&factor.power(1 + random.next() as u32 % 2, &budget).unwrap(), &budget).unwrap();
        }
        let parts = factors(&product, &budget).unwrap();
        assert_eq!(parts.product(&budget).unwrap(), product);
    }
}
