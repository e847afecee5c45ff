//! Inputs meant to take forever must end soon, and say why.

use super::*;
use holonom_testing::bytes;

/// Runs a job that has to end early, whatever its input asks for: it builds at most this many bytes in all, about twice what it
/// needs. The budget bounds the work that is paid for; this bounds what is not.
fn soon<T>(most: usize, job: impl FnOnce() -> T) -> T {
    let (result, built) = bytes(job);
    assert!(built <= most, "{built} bytes");
    result
}

#[test]
fn a_dense_power_ends() {
    let sum = read("a + b + c + d");
    let end = soon(1_000_000, || sum.power(30, &Budget::new(10_000))).unwrap_err();
    assert_eq!(end.reason, Reason::TooMuchWork);
    let end = soon(70_000_000, || sum.power(1_000_000_000, &Budget::new(1_000_000))).unwrap_err();
    assert_eq!(end.reason, Reason::TooMuchWork);
    // Where work is not bounded memory is.
    let end = soon(30_000_000, || sum.power(1000, &Budget::unlimited().with_words(100_000))).unwrap_err();
    assert_eq!(end.reason, Reason::TooLarge);
}

#[test]
fn huge_exponents_are_held_or_refused() {
    let budget = Budget::new(1_000_000);
    let x = Polynomial::variable(0);
    let high = x.power(1_000_000, &budget).unwrap();
    assert_eq!(high.degree(0), 1_000_000);
    assert_eq!(high.multiply(&high, &budget).unwrap().degree(0), 2_000_000);
    assert_eq!(x.power(u32::MAX, &budget).unwrap().multiply(&x, &budget).unwrap_err().reason, Reason::TooLarge);
    assert_eq!(x.power(3_000_000_000, &budget).unwrap().power(2, &budget).unwrap_err().reason, Reason::TooLarge);
    // Exponents that leave no room for a guard bit divide all the same.
    let edge = x.power(u32::MAX, &budget).unwrap().add(&x);
    let other = read("x + y");
    let product = edge.multiply(&other, &budget).unwrap();
    assert_eq!(product.divide_exactly(&other, &budget).unwrap(), Some(edge));
    // A power of a number is a number with as many digits.
    assert!(soon(1_000, || Polynomial::integer(10).power(u32::MAX, &Budget::new(1_000_000_000))).is_err());
}

#[test]
fn common_divisors_with_huge_exponents_end() {
    let budget = || Budget::new(10_000_000);
    let power = |name: &str, exponent: u32| read(name).power(exponent, &budget()).unwrap();
    let one = Polynomial::one();
    let (a, b) = (power("x", 1_000_000).subtract(&one), power("x", 999_999).subtract(&one));
    assert!(soon(40_000_000, || gcd(&a, &b, &budget())).is_err());
    // Unless only the exponents are large.
    let (a, b) =
        (power("x", 1_000_000).subtract(&power("y", 30_000)), power("x", 3_000_000).subtract(&power("y", 90_000)));
    assert_eq!(soon(10_000, || gcd(&a, &b, &budget())).unwrap(), a);
    assert!(soon(100_000_000, || super::factors(&power("x", 1_000_000).add(&read("x + 1")), &budget())).is_ok());
    let wide = power("x", 900_000_000).subtract(&read("x + 1"));
    assert!(soon(20_000, || gcd(&wide, &read("x^3 + 2"), &Budget::unlimited())).is_err());
}

#[test]
fn division_that_does_not_end_is_ended() {
    // x^n/(x − 1) is a quotient of a million terms.
    let budget = Budget::new(100_000);
    let x = Polynomial::variable(0);
    let high = x.power(1_000_000, &budget).unwrap().subtract(&Polynomial::one());
    assert!(soon(2_000_000, || high.divide_exactly(&read("x - 1").map_variables(|_| 0), &budget)).is_err());
}

/// Large and dense in many variables: an answer or the end of the budget, and no hanging.
#[test]
fn large_problems_end() {
    let mut random = Random::new(40);
    for terms in [100, 400, 1000] {
        let [g, a, b] = std::array::from_fn(|_| nonzero(&mut random, 10, 12, terms));
        let result = soon(700_000_000, || {
            let budget = Budget::new(10_000_000);
            let (ga, gb) = (g.multiply(&a, &budget)?, g.multiply(&b, &budget)?);
            gcd(&ga, &gb, &budget)
        });
        if let Ok(found) = result {
            assert!(found.divide_exactly(&g, &Budget::unlimited()).unwrap().is_some());
        }
        let result = soon(4_000_000, || super::factors(&a, &Budget::new(10_000_000)));
        if let Ok(found) = result {
            assert_eq!(found.product(&Budget::unlimited()).unwrap(), a);
        }
    }
}

/// Hundreds of variables: too many to be packed.
#[test]
fn many_variables() {
    let budget = Budget::new(100_000_000);
    let sum = (0..300).map(Polynomial::variable).fold(Polynomial::one(), |sum, x| sum.add(&x));
    let other = Polynomial::variable(7).subtract(&Polynomial::variable(250));
    let product = soon(4_000_000, || sum.multiply(&other, &budget)).unwrap();
    assert_eq!(soon(6_000_000, || product.divide_exactly(&sum, &budget)).unwrap(), Some(other.clone()));
    assert_eq!(soon(6_000_000, || gcd(&product, &other.multiply(&other, &budget).unwrap(), &budget)).unwrap(), other);
    assert_eq!(soon(700_000_000, || super::factors(&product, &budget)).unwrap().factors.len(), 2);
}
