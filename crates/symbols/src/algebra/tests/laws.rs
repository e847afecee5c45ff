//! What must hold for all polynomials.

use super::*;

#[test]
fn sums_and_products_obey_the_laws_of_a_ring() {
    let budget = Budget::unlimited();
    let mut random = Random::new(1);
    for round in 0..2000 {
        let variables = 1 + round % 6;
        let [a, b, c] = std::array::from_fn(|_| polynomial(&mut random, variables, 6, 1 + (round % 9) as usize));
        let product = |p: &Polynomial, q: &Polynomial| p.multiply(q, &budget).unwrap();
        assert_eq!(product(&a, &b.add(&c)), product(&a, &b).add(&product(&a, &c)));
        assert_eq!(product(&product(&a, &b), &c), product(&a, &product(&b, &c)));
        assert_eq!(a.subtract(&b).add(&b), a);
        assert!(a.subtract(&a).is_zero());
        assert_eq!(value(&product(&a, &b)), times(value(&a), value(&b)));
        if !b.is_zero() {
            assert_eq!(product(&a, &b).divide_exactly(&b, &budget).unwrap(), Some(a.clone()));
        }
        // (a b)' = a' b + a b'
        let slope = product(&a.derivative(0), &b).add(&product(&a, &b.derivative(0)));
        assert_eq!(product(&a, &b).derivative(0), slope);
    }
}

/// What has a remainder has no quotient.
#[test]
fn division_refuses_remainders() {
    let budget = Budget::unlimited();
    let mut random = Random::new(2);
    let mut refused = 0;
    for round in 0..1000 {
        let variables = 1 + round % 4;
        let [a, b] = std::array::from_fn(|_| nonzero(&mut random, variables, 4, 3));
        let rest = nonzero(&mut random, variables, 3, 2);
        let sum = a.multiply(&b, &budget).unwrap().add(&rest);
        match sum.divide_exactly(&b, &budget).unwrap() {
            Some(quotient) => assert_eq!(quotient.multiply(&b, &budget).unwrap(), sum),
            None => refused += 1,
        }
    }
    assert!(refused > 500);
}

/// gcd(g a, g b) is a multiple of g, divides both, and its cofactors have nothing in common.
fn check_common_factor(g: &Polynomial, a: &Polynomial, b: &Polynomial) {
    let budget = Budget::unlimited();
    let (ga, gb) = (g.multiply(a, &budget).unwrap(), g.multiply(b, &budget).unwrap());
    let found = gcd(&ga, &gb, &budget).unwrap();
    assert!(found.leading_coefficient_sign() > 0);
    assert!(found.divide_exactly(g, &budget).unwrap().is_some(), "{g:?} in {found:?}");
    let rest_a = ga.divide_exactly(&found, &budget).unwrap().unwrap();
    let rest_b = gb.divide_exactly(&found, &budget).unwrap().unwrap();
    // a/b has not changed, and nothing more cancels.
    assert_eq!(times(value(&rest_a), value(b)), times(value(&rest_b), value(a)));
    assert!(gcd(&rest_a, &rest_b, &budget).unwrap().is_one());
}

#[test]
fn a_common_factor_is_found() {
    let mut random = Random::new(3);
    for round in 0..6000u32 {
        let (variables, degree) = (1 + round % 5, 2 + round % 3);
        let terms = 1 + (round / 5 % 5) as usize;
        let [g, a, b] = std::array::from_fn(|_| nonzero(&mut random, variables, degree, terms));
        check_common_factor(&g, &a, &b);
    }
}

#[test]
fn a_common_factor_in_many_variables_is_found() {
    let mut random = Random::new(4);
    for round in 0..60 {
        let variables = 6 + round % 15;
        let g = nonzero(&mut random, variables, 3, 4);
        let [a, b] = std::array::from_fn(|_| nonzero(&mut random, variables, 4, 10));
        check_common_factor(&g, &a, &b);
    }
}

/// Coefficients beyond a prime take several.
#[test]
fn a_common_factor_with_large_coefficients_is_found() {
    let mut random = Random::new(5);
    let budget = Budget::unlimited();
    for _ in 0..100 {
        let [g, a, b] = std::array::from_fn(|_| {
            let large = Integer::from(random.bits() as i64 / 2 + 1).power(3);
            nonzero(&mut random, 3, 3, 4).add(&nonzero(&mut random, 3, 3, 2).scale(&large))
        });
        check_common_factor(&g, &a, &b);
        assert!(gcd(&g, &g.multiply(&a, &budget).unwrap(), &budget).unwrap() == g || g.leading_coefficient_sign() < 0);
    }
}

/// Fractions made of random products, as elimination makes them, are cancelled.
#[test]
fn fractions_cancel() {
    let mut random = Random::new(6);
    let budget = Budget::unlimited();
    for round in 0..3000u32 {
        let variables = 2 + round % 6;
        let pool: Vec<Polynomial> = (0..4).map(|_| nonzero(&mut random, variables, 2, 2)).collect();
        let mut draw = || {
            let mut product = Polynomial::one();
            for _ in 0..1 + random.bits() % 3 {
                product = product.multiply(&pool[(random.bits() % 4) as usize], &budget).unwrap();
            }
            product
        };
        let (above, below) = (draw(), draw());
        let common = gcd(&above, &below, &budget).unwrap();
        let above_left = above.divide_exactly(&common, &budget).unwrap().unwrap();
        let below_left = below.divide_exactly(&common, &budget).unwrap().unwrap();
        assert_eq!(times(value(&above_left), value(&below)), times(value(&below_left), value(&above)));
        assert!(gcd(&above_left, &below_left, &budget).unwrap().is_one());
        let multiple = lcm(&above, &below, &budget).unwrap();
        let product = above.multiply(&below, &budget).unwrap();
        let expected = common.multiply(&multiple, &budget).unwrap();
        assert!(product == expected || product.negate() == expected);
    }
}

#[test]
fn pseudo_remainders_leave_no_multiple() {
    let budget = Budget::unlimited();
    let mut random = Random::new(7);
    for round in 0..300 {
        let variables = 1 + round % 3;
        let a = nonzero(&mut random, variables, 6, 5);
        let b = nonzero(&mut random, variables, 3, 4);
        let rest = a.pseudo_remainder(&b, 0, &budget).unwrap();
        if b.degree(0) == 0 {
            assert!(rest.is_zero());
            continue;
        }
        assert!(rest.is_zero() || rest.degree(0) < b.degree(0));
        let lead = b.coefficients_in(0).swap_remove(0).1;
        let steps = (a.degree(0) + 1).saturating_sub(b.degree(0));
        let whole = a.multiply(&lead.power(steps, &budget).unwrap(), &budget).unwrap().subtract(&rest);
        assert!(whole.divide_exactly(&b, &budget).unwrap().is_some());
    }
}

#[test]
fn substitution_and_evaluation_agree() {
    let budget = Budget::unlimited();
    let mut random = Random::new(8);
    for _ in 0..300 {
        let (a, b) = (polynomial(&mut random, 4, 5, 6), polynomial(&mut random, 3, 3, 4));
        let replaced = a.substitute(3, &b, &budget).unwrap();
        let point = |variable: u32| Random::new(u64::from(variable)).bits() % PRIME;
        let inner = b.evaluate_modulo(PRIME, point);
        let expected = a.evaluate_modulo(PRIME, |v| if v == 3 { inner } else { point(v) });
        assert_eq!(replaced.evaluate_modulo(PRIME, point), expected);
        let numbers = |v: u32| f64::from(v) - 0.5;
        let inner = b.evaluate(numbers);
        let expected = a.evaluate(|v| if v == 3 { inner } else { numbers(v) });
        assert!((replaced.evaluate(numbers) - expected).abs() <= 1e-6 * (1.0 + expected.abs()));
        assert_eq!(a.map_variables(|v| v + 7).map_variables(|v| v - 7), a);
    }
}

#[test]
fn common_divisors_of_constants_and_zero() {
    let budget = Budget::unlimited();
    let six = read("6*x*y - 4*x");
    assert_eq!(gcd(&six, &Polynomial::zero(), &budget).unwrap(), six);
    assert_eq!(gcd(&Polynomial::zero(), &six.negate(), &budget).unwrap(), six);
    assert_eq!(gcd(&six, &Polynomial::integer(-8), &budget).unwrap(), Polynomial::integer(2));
    assert_eq!(gcd(&six, &read("10*x^2*z"), &budget).unwrap(), read("2*x"));
    assert!(gcd(&Polynomial::zero(), &Polynomial::zero(), &budget).unwrap().is_zero());
    assert!(lcm(&six, &Polynomial::zero(), &budget).unwrap().is_zero());
    assert!(gcd_many([], &budget).unwrap().is_zero());
    assert_eq!(gcd_many([&six, &read("9*y - 6"), &read("3*y*z - 2*z")], &budget).unwrap(), read("3*y - 2"));
}
