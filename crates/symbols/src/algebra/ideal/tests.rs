//! A form is short, and equal to the polynomial where the relations hold.

use super::super::{Budget, Integer, Polynomial};
use super::Ideal;

const X: u32 = 0;
const Y: u32 = 1;
const U: u32 = 2;
const V: u32 = 3;
const S: u32 = 4;
const T: u32 = 5;
const L: u32 = 10;
const K: u32 = 11;
const M: u32 = 12;

fn polynomial(terms: &[(i64, &[(u32, u32)])]) -> Polynomial {
    Polynomial::from_terms(terms.iter().map(|&(number, powers)| (Integer::from(number), powers.to_vec())))
}

fn ideal(relations: Vec<Polynomial>) -> Ideal {
    Ideal::new(relations, vec![X, Y, U, V, S, T], &[L, K, M], &Budget::new(10_000_000)).unwrap()
}

/// x² + y² = L² and x u + y v = 0.
fn circle() -> Ideal {
    let position = polynomial(&[(1, &[(X, 2)]), (1, &[(Y, 2)]), (-1, &[(L, 2)])]);
    let velocity = polynomial(&[(1, &[(X, 1), (U, 1)]), (1, &[(Y, 1), (V, 1)])]);
    ideal(vec![position, velocity])
}

#[test]
fn a_square_of_a_sum_is_a_power_of_a_parameter() {
    let budget = Budget::new(10_000_000);
    let square = polynomial(&[(1, &[(X, 2)]), (1, &[(Y, 2)])]).power(2, &budget).unwrap();
    assert_eq!(circle().shortest(&square, &budget).unwrap(), (polynomial(&[(1, &[(L, 4)])]), Integer::ONE));
}

#[test]
fn multiples_of_relations_are_zero() {
    let (ideal, budget) = (circle(), Budget::new(10_000_000));
    let velocity = polynomial(&[(1, &[(X, 1), (U, 1)]), (1, &[(Y, 1), (V, 1)])]);
    let factor = polynomial(&[(3, &[(X, 2), (V, 1)]), (-2, &[(M, 1)]), (1, &[(Y, 3), (U, 2)])]);
    let multiple = velocity.multiply(&factor, &budget).unwrap();
    assert!(ideal.contains(&multiple, &budget).unwrap());
    // (x v − y u)² = L²(u² + v²), which no single relation shows.
    let turn = polynomial(&[(1, &[(X, 1), (V, 1)]), (-1, &[(Y, 1), (U, 1)])]).power(2, &budget).unwrap();
    let speed = polynomial(&[(1, &[(L, 2), (U, 2)]), (1, &[(L, 2), (V, 2)])]);
    assert!(ideal.contains(&turn.subtract(&speed), &budget).unwrap());
    assert!(!ideal.contains(&turn, &budget).unwrap());
}

/// L²K² − (x s + y t)² is (x t − y s)² on two circles: shorter, and no remainder in any order.
#[test]
fn terms_are_exchanged_where_that_is_shorter() {
    let budget = Budget::new(10_000_000);
    let first = polynomial(&[(1, &[(X, 2)]), (1, &[(Y, 2)]), (-1, &[(L, 2)])]);
    let second = polynomial(&[(1, &[(S, 2)]), (1, &[(T, 2)]), (-1, &[(K, 2)])]);
    let ideal = ideal(vec![first, second]);
    let scalar = polynomial(&[(1, &[(X, 1), (S, 1)]), (1, &[(Y, 1), (T, 1)])]).power(2, &budget).unwrap();
    let form = polynomial(&[(1, &[(L, 2), (K, 2)])]).subtract(&scalar);
    let cross = polynomial(&[(1, &[(X, 1), (T, 1)]), (-1, &[(Y, 1), (S, 1)])]).power(2, &budget).unwrap();
    let (found, scale) = ideal.shortest(&form, &budget).unwrap();
    assert!(found == cross && scale.is_one(), "{found:?}");
}

/// Values on the relations, found by hand, are the same before and after.
#[test]
fn values_on_the_relations_stay() {
    let (ideal, budget) = (circle(), Budget::new(10_000_000));
    let long = polynomial(&[(7, &[(X, 4), (U, 1)]), (-3, &[(X, 1), (Y, 3), (V, 2)]), (5, &[(U, 3), (X, 3), (M, 1)])]);
    for turn in [0.3_f64, 1.1, 2.5, -0.7] {
        let (length, speed) = (1.7, 0.9);
        let at = |variable: u32| match variable {
            X => length * turn.cos(),
            Y => length * turn.sin(),
            U => -speed * turn.sin(),
            V => speed * turn.cos(),
            L => length,
            _ => 2.3,
        };
        for (form, scale) in [ideal.reduce(&long, &budget).unwrap(), ideal.shortest(&long, &budget).unwrap()] {
            let (before, after) = (long.evaluate(at) * scale.to_f64(), form.evaluate(at));
            assert!((before - after).abs() < 1e-12 * (1.0 + before.abs()), "{before} {after}");
        }
    }
}

/// Relations that contradict each other, or bind parameters, say nothing.
#[test]
fn contradictions_are_not_used() {
    let at = |number: i64| polynomial(&[(1, &[(X, 1)]), (-number, &[])]);
    assert!(ideal(vec![at(1), at(2)]).is_empty());
    let bound = [polynomial(&[(1, &[(X, 1)]), (-1, &[(L, 1)])]), polynomial(&[(1, &[(X, 1)]), (-1, &[(K, 1)])])];
    assert!(ideal(bound.to_vec()).is_empty());
}
