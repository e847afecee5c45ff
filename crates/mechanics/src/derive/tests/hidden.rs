//! Hidden constraints: the cases of the 2006 paper, and balances that must be followed.

use super::sketch::{Sketch, State};
use crate::derive::ConstraintKind;
use holonom_kernel::{Snapshot, solve};
use holonom_language::Span;
use holonom_symbols::expr::{Id, Number};

/// Two masses and two springs as two sub-systems (Udwadia & Phohomsiri 2006, example 3).
fn two_springs(m1: &str, m2: &str) -> Sketch {
    let mut s = Sketch::named(&["x1", "q1", "q2"]);
    let (m1, m2) = (s.parameter("m1", m1), s.parameter("m2", m2));
    let (k1, k2) = (s.parameter("k1", "30"), s.parameter("k2", "50"));
    let (x1, q1, q2) = (s.q(0), s.q(1), s.q(2));
    let (v1, u1, u2) = (s.v(0), s.v(1), s.v(2));
    let both = s.g().add(u1, u2);
    let (t1, t2) = (s.times(1, 2, &[(m1, 1), (v1, 2)]), s.times(1, 2, &[(m2, 1), (both, 2)]));
    s.kinetic(t1);
    s.kinetic(t2);
    let (e1, e2) = (s.times(1, 2, &[(k1, 1), (x1, 2)]), s.times(1, 2, &[(k2, 1), (q2, 2)]));
    s.potential(e1);
    s.potential(e2);
    s.constrain("joint", &[x1], &[q1]);
    s.model.hidden = Some(Span::default());
    s
}

/// Eq. 5.40: k₁x̄₁ = k₂q̄₂ where m₁ = 0.
#[test]
fn case_5_2() {
    let mut s = two_springs("0", "2");
    let (k1, k2) = (s.model.parameters.len() - 2, s.model.parameters.len() - 1);
    let symbol = |s: &mut Sketch, i: usize| s.g().symbol(holonom_symbols::expr::Symbol::Parameter(i as u32));
    let (k1, k2, x1, q2) = (symbol(&mut s, k1), symbol(&mut s, k2), s.q(0), s.q(2));
    let (left, right) = (s.times(1, 1, &[(k1, 1), (x1, 1)]), s.times(1, 1, &[(k2, 1), (q2, 1)]));
    let e = s.equations();
    let found = &e.hidden.found;
    assert_eq!(found.len(), 1);
    assert_eq!([found[0].left, found[0].right], [left, right]);
    assert!(e.hidden.free.is_empty() && e.hidden.contradiction.is_none());
    assert_eq!((e.rows[1].name.as_str(), e.rows[1].kind), ("hidden.1", ConstraintKind::Holonomic));
    // Unique, as (5.48) with its sign corrected; hidden rows exert no force.
    let state =
        State { q: vec![0.5, 0.5, 0.3], v: vec![0.0; 3], parameters: vec![0.0, 2.0, 30.0, 50.0], ..State::default() };
    let (mass, force) = (state.of(&e.graph, &e.mass.dense()), state.of(&e.graph, &e.force));
    let mut a = vec![0.0; 6];
    for (r, row) in e.rows.iter().enumerate() {
        row.a.iter().for_each(|&(i, id)| a[3 * r + i] = state.of(&e.graph, &[id])[0]);
    }
    let motion = solve(&Snapshot::new(&mass, &force).constrained(&a, &[0.0, 0.0])).unwrap();
    assert!(motion.is_unique() && motion.balanced);
    assert!(motion.ideal_multipliers[1].abs() < 1e-12);
    let expected = -(30.0 * 50.0 / 80.0) * (0.5 + 0.3) / 2.0;
    let found = motion.acceleration[1] + motion.acceleration[2];
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
}

/// Eq. 5.49: k₂q̄₂ = 0 where m₂ = 0.
#[test]
fn case_5_3() {
    let mut s = two_springs("3", "0");
    let (k2, q2) = (s.g().symbol(holonom_symbols::expr::Symbol::Parameter(3)), s.q(2));
    let product = s.g().multiply(k2, q2);
    let e = s.equations();
    let found = &e.hidden.found;
    assert_eq!((found.len(), found[0].left, found[0].right), (1, product, Id::ZERO));
    assert!(e.hidden.free.is_empty());
}

#[test]
fn with_all_masses_nothing_is_hidden() {
    let e = two_springs("3", "2").equations();
    assert!(e.hidden.found.is_empty() && e.hidden.free.is_empty());
}

/// T = m y'²/2, V = k x y: y = 0, and from its second derivative x = 0.
#[test]
fn a_balance_is_followed_until_it_determines() {
    let mut s = Sketch::named(&["x", "y"]);
    let (m, k) = (s.parameter("m", "2"), s.parameter("k", "3"));
    let (x, y, vy) = (s.q(0), s.q(1), s.v(1));
    let kinetic = s.times(1, 2, &[(m, 1), (vy, 2)]);
    let potential = s.times(1, 1, &[(k, 1), (x, 1), (y, 1)]);
    let (kx, ky) = (s.g().multiply(k, x), s.g().multiply(k, y));
    s.kinetic(kinetic);
    s.potential(potential);
    let e = s.equations();
    let found: Vec<_> = e.hidden.found.iter().map(|row| (row.left, row.round)).collect();
    assert_eq!(found, [(ky, 1), (kx, 2)]);
    assert!(e.hidden.free.is_empty() && e.hidden.contradiction.is_none());
    assert!(e.rows.is_empty(), "nothing is added unasked");
}

/// A coordinate that nothing touches is free; one that only its weight pulls at is a contradiction.
#[test]
fn free_and_contradictory() {
    for weight in [false, true] {
        let mut s = Sketch::named(&["x", "y"]);
        let g = s.parameter("g", "9.81");
        let (y, vx) = (s.q(1), s.v(0));
        let kinetic = s.times(1, 2, &[(vx, 2)]);
        s.kinetic(kinetic);
        if weight {
            let potential = s.g().multiply(g, y);
            s.potential(potential);
        }
        let e = s.equations();
        assert!(e.hidden.found.is_empty());
        assert_eq!(e.hidden.free, [vec![Id::ZERO, Id::ONE]]);
        assert_eq!(e.hidden.contradiction.is_some(), weight);
    }
}

/// V = k z (x − y) with x = y as a constraint: the balance of z holds already, so z stays free.
#[test]
fn a_balance_that_a_constraint_grants_is_not_hidden() {
    let mut s = Sketch::named(&["x", "y", "z"]);
    let (x, y, z, vx, vy) = (s.q(0), s.q(1), s.q(2), s.v(0), s.v(1));
    for v in [vx, vy] {
        let kinetic = s.times(1, 2, &[(v, 2)]);
        s.kinetic(kinetic);
    }
    let gap = s.g().sum(&[(Number::ONE, x), (Number::MINUS_ONE, y)]);
    let potential = s.g().multiply(z, gap);
    s.potential(potential);
    s.constrain("same", &[x], &[y]);
    let e = s.equations();
    assert!(e.hidden.found.is_empty());
    assert_eq!(e.hidden.free.len(), 1);
}

/// A massless joint of two springs in a row, one of them stiffening: k₁s³ = k₂(x − s), a nonlinear balance.
#[test]
fn a_massless_spring_end() {
    let mut s = Sketch::named(&["s", "x"]);
    let (k1, k2) = (s.parameter("k1", "1"), s.parameter("k2", "4"));
    let (joint, x, vx) = (s.q(0), s.q(1), s.v(1));
    let kinetic = s.times(1, 2, &[(vx, 2)]);
    s.kinetic(kinetic);
    let gap = s.g().subtract(x, joint);
    let cube = s.times(1, 4, &[(k1, 1), (joint, 4)]);
    let square = s.times(1, 2, &[(k2, 1), (gap, 2)]);
    s.potential(cube);
    s.potential(square);
    s.model.hidden = Some(Span::default());
    let e = s.equations();
    assert_eq!(e.rows.len(), 1);
    let state = State { q: vec![0.5, 2.0], v: vec![1.0, 1.0], parameters: vec![1.0, 4.0], ..State::default() };
    let residual = state.of(&e.graph, &[e.rows[0].position.unwrap()])[0];
    assert!((residual.abs() - (4.0 * 1.5 - 0.125)).abs() < 1e-14);
}
