//! Factors: identities of the textbooks and of mechanics, and random products.

use super::*;

/// Each line is a product of irreducible factors, and is found as such from the expanded polynomial.
#[test]
fn identities() {
    let all: &[&[&str]] = &[
        &["a - b", "a + b"],
        &["a + b", "a^2 - a*b + b^2"],
        &["a - b", "a^2 + a*b + b^2"],
        &["x^2 + 2*x + 2", "x^2 - 2*x + 2"],
        &["a^2 + 2*a*b + 2*b^2", "a^2 - 2*a*b + 2*b^2"],
        &["a - b", "a + b", "a^2 + b^2"],
        &["a + b + c", "a^2 + b^2 + c^2 - a*b - b*c - c*a"],
        &["a - b", "b - c", "a - c"],
        &["x - 1", "x + 1", "x^2 + x + 1", "x^2 - x + 1", "x^2 + 1", "x^4 - x^2 + 1"],
        &["m*R^2 + I", "k1 + k2", "x + y - 1"],
        &["k1", "k1", "k2", "x + q"],
        &["m2", "k1 + k2", "k1 + k2"],
        &["m1 + m2", "m1*m2*L^2 + I*m1 + I*m2", "c^2*m2 - m1 - m2"],
        &["a*c - b*d", "a*d + b*c", "a^2 + b^2 + 1"],
        &["x^4 + 1", "x^4 + y^4"],
        &["2*x + 3*y", "5*x - 7*y", "11*x*y - 13"],
        &["a*x^2 + b*x + c", "d*x^2 + e*x + f"],
        &["x^2*y^2 + x*y*z + z^3 + 1", "x^2*z - y^2*x + 3"],
    ];
    let budget = Budget::unlimited();
    for parts in all {
        let product = read(&format!("-6*({})", parts.join(")*(")));
        let found = super::factors(&product, &budget).unwrap();
        let mut expected: Vec<Polynomial> = parts.iter().map(|part| read(part).primitive()).collect();
        expected.sort();
        let repeat = |(factor, exponent): &(Polynomial, u32)| vec![factor.clone(); *exponent as usize];
        let listed: Vec<Polynomial> = found.factors.iter().flat_map(repeat).collect();
        assert_eq!(listed, expected, "{parts:?}");
        assert_eq!(found.product(&budget).unwrap(), product);
    }
}

#[test]
fn what_does_not_factor_stays() {
    let budget = Budget::unlimited();
    for text in ["x^2 + 1", "x^4 + 1", "a^2 + b^2", "x^2 - 2", "x*y + 1", "x^2 + y^2 - 1", "x^4 - 10*x^2 + 1"] {
        let found = super::factors(&read(text), &budget).unwrap();
        assert_eq!(found.factors, [(read(text), 1)]);
        assert!(found.coefficient.is_one());
    }
    let constant = super::factors(&Polynomial::integer(-12), &budget).unwrap();
    assert_eq!((constant.coefficient, constant.factors.len()), (Integer::from(-12i64), 0));
    assert!(super::factors(&Polynomial::zero(), &budget).unwrap().coefficient.is_zero());
}

/// Powers are recognised: (a + 2 b)³ (c − 1)² a.
#[test]
fn powers() {
    let budget = Budget::unlimited();
    let found = super::factors(&read("(a + 2*b)^3*(c - 1)^2*a"), &budget).unwrap();
    let mut expected = vec![(read("a"), 1), (read("a + 2*b"), 3), (read("c - 1"), 2)];
    expected.sort();
    assert_eq!(found.factors, expected);
}

#[test]
fn factors_multiply_to_what_they_came_from() {
    let budget = Budget::unlimited();
    let mut random = Random::new(30);
    for round in 0..2000u32 {
        let variables = 1 + round % 5;
        let mut product = Polynomial::integer(1 + i64::from(round % 7));
        let mut count = 0;
        for _ in 0..1 + round % 3 {
            let factor = nonzero(&mut random, variables, 2, 1 + (round % 4) as usize);
            let exponent = 1 + random.bits() as u32 % 2;
            product = product.multiply(&factor.power(exponent, &budget).unwrap(), &budget).unwrap();
            count += if factor.is_constant() { 0 } else { exponent };
        }
        let found = super::factors(&product, &budget).unwrap();
        assert_eq!(found.product(&budget).unwrap(), product);
        let listed: u32 = found.factors.iter().map(|(_, exponent)| exponent).sum();
        assert!(listed >= count, "{product:?} gave {found:?}");
        let mut value_of_product = found.coefficient.modulo(PRIME);
        for (factor, exponent) in &found.factors {
            (0..*exponent).for_each(|_| value_of_product = times(value_of_product, value(factor)));
            assert!(factor.content().is_one() && factor.leading_coefficient_sign() > 0);
        }
        assert_eq!(value_of_product, value(&product));
    }
}

/// Many variables, factors with many terms.
#[test]
fn large_factors_are_found() {
    let budget = Budget::unlimited();
    let mut random = Random::new(31);
    for round in 0..30u32 {
        let variables = 4 + round % 9;
        let [a, b] = std::array::from_fn(|_| nonzero(&mut random, variables, 4, 10));
        let product = a.multiply(&b, &budget).unwrap();
        let found = super::factors(&product, &budget).unwrap();
        assert_eq!(found.product(&budget).unwrap(), product);
        assert!(found.factors.iter().map(|(_, exponent)| exponent).sum::<u32>() >= 2);
    }
}
