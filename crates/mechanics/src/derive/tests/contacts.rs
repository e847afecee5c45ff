//! C: what is linear in the forces of constraints, and what friction takes from the constraint.

use super::sketch::{Sketch, State, assert_close};
use crate::derive::NormalForce;
use holonom_language::{ForceOn, Friction, FrictionLaw, Nonideal, Particle, Span};
use holonom_random::Random;
use holonom_symbols::expr::{Function, Id, Number, Symbol};

fn particle(s: &mut Sketch, position: &[Id]) {
    let particle = Particle { name: "p".into(), mass: Id::ONE, position: position.to_vec(), span: Span::default() };
    s.model.particles.push(particle);
}

fn friction(s: &mut Sketch, constraint: usize, slip: Option<Vec<Id>>, normal: Option<Id>) {
    let number = s.model.frictions.len() as u32;
    let sliding = s.g().symbol(Symbol::Slip(number));
    let law = FrictionLaw { name: "viscous", arguments: vec![Id::ONE], sliding, limit: None };
    s.model.frictions.push(Friction { constraint, law, slip, normal, span: Span::default() });
}

#[test]
fn forces_of_constraints_are_taken_apart() {
    let mut s = Sketch::new(2);
    let (x, v) = (s.q(0), s.v(0));
    let c = s.constrain("c", &[x], &[Id::ZERO]);
    let (ideal, total) = (s.g().symbol(Symbol::Multiplier(0)), s.g().symbol(Symbol::Reaction(0)));
    let size = s.g().call(Function::Abs, ideal);
    let (a, b) = (s.times(2, 1, &[(v, 1), (ideal, 1)]), s.times(-3, 1, &[(total, 1)]));
    let first = s.g().sum(&[(Number::ONE, a), (Number::ONE, b), (Number::ONE, v)]);
    let second = s.g().multiply(size, v);
    let nonideal =
        Nonideal { constraint: Some(c), on: ForceOn::System, components: vec![first, second], span: Span::default() };
    s.model.nonideals.push(nonideal);
    let twice = s.times(2, 1, &[(v, 1)]);
    let three = s.g().integer(-3);
    let e = s.equations();
    let part = &e.nonideal[0];
    assert_eq!(part.force, [v, Id::ZERO]);
    assert_eq!(part.by_multiplier, [(0, 0, twice)]);
    assert_eq!(part.by_reaction, [(0, 0, three)]);
    assert_eq!((part.nonlinear[0].coordinate, part.nonlinear[0].value), (1, second));
    assert_eq!(part.nonlinear[0].slopes.len(), 1);
}

/// A block on an incline: it slips along the incline, and the normal force is |(−tan θ, 1)|·|λ|.
#[test]
fn a_block_on_an_incline() {
    let mut s = Sketch::named(&["x", "y"]);
    let slope = s.parameter("slope", "0.75");
    let (x, y) = (s.q(0), s.q(1));
    particle(&mut s, &[x, y]);
    let right = s.g().multiply(slope, x);
    let plane = s.constrain("plane", &[y], &[right]);
    friction(&mut s, plane, None, None);
    let e = s.equations();
    let contact = &e.frictions[0];
    let state = State { q: vec![4.0, 3.0], v: vec![4.0, 3.0], parameters: vec![0.75], ..State::default() };
    assert_close(state.of(&e.graph, &contact.slip)[0].abs(), 5.0, 1e-14, "slip");
    let NormalForce::Magnitude(parts) = &contact.normal else { panic!("{contact:?}") };
    let square: f64 = parts.iter().flatten().map(|&(_, c)| state.of(&e.graph, &[c])[0].powi(2)).sum();
    assert_close(square.sqrt(), 1.25, 1e-14, "normal");
}

/// In polar coordinates, in space, on curves and on moving surfaces: slip is the tangential velocity, hold its rate.
#[test]
fn slip_is_tangential_in_any_coordinates() {
    let mut random = Random::new(7);
    // A particle in polar coordinates on the line x = 1.
    let mut s = Sketch::named(&["r", "a"]);
    let (r, a) = (s.q(0), s.q(1));
    let (sine, cosine) = (s.g().call(Function::Sin, a), s.g().call(Function::Cos, a));
    let (x, y) = (s.g().multiply(r, cosine), s.g().multiply(r, sine));
    particle(&mut s, &[x, y]);
    let wall = s.constrain("wall", &[x], &[Id::ONE]);
    friction(&mut s, wall, None, None);
    let e = s.equations();
    let state = State::random(2, 0, &mut random);
    let (r, a, dr, da) = (state.q[0], state.q[1], state.v[0], state.v[1]);
    let expected = dr * a.sin() + r * a.cos() * da;
    assert_close(state.of(&e.graph, &e.frictions[0].slip)[0].abs(), expected.abs(), 1e-12, "polar");

    // On the moving sphere |r| = 1 + t: what is left of v without its radial part.
    let mut s = Sketch::new(3);
    let q: Vec<Id> = (0..3).map(|i| s.q(i)).collect();
    particle(&mut s, &q);
    let squares: Vec<_> = q.iter().map(|&q| (Number::ONE, s.g().integer_power(q, 2))).collect();
    let left = s.g().sum(&squares);
    let t = s.g().symbol(Symbol::Time);
    let radius = s.g().add(t, Id::ONE);
    let right = s.g().integer_power(radius, 2);
    let ball = s.constrain("ball", &[left], &[right]);
    friction(&mut s, ball, None, None);
    let mut e = s.equations();
    let state = State::random(3, 0, &mut random);
    let slip = state.of(&e.graph, &e.frictions[0].slip);
    let radial: f64 = slip.iter().zip(&state.q).map(|(s, q)| s * q).sum();
    assert_close(radial, 0.0, 1e-13, "radial part");
    // d(slip)/dt = directions·q̈ − hold
    let contact = e.frictions[0].clone();
    let rates = e.graph.rate(&contact.slip);
    for (k, &rate) in rates.iter().enumerate() {
        let along: f64 = (0..3).map(|i| state.of(&e.graph, &[contact.directions[3 * k + i]])[0] * state.a[i]).sum();
        let found = along - state.of(&e.graph, &[contact.hold[k]])[0];
        assert_close(found, state.of(&e.graph, &[rate])[0], 1e-11, "hold");
    }

    // On the helix (cos z, sin z, z), a vector constraint: the speed along the curve.
    let mut s = Sketch::new(3);
    let q: Vec<Id> = (0..3).map(|i| s.q(i)).collect();
    particle(&mut s, &q);
    let (sine, cosine) = (s.g().call(Function::Sin, q[2]), s.g().call(Function::Cos, q[2]));
    let wire = s.constrain("wire", &[q[0], q[1]], &[cosine, sine]);
    friction(&mut s, wire, None, None);
    let e = s.equations();
    let z = 0.4f64;
    let state =
        State { q: vec![z.cos(), z.sin(), z], v: vec![-z.sin(), z.cos(), 1.0], ..State::random(3, 0, &mut random) };
    assert_close(state.of(&e.graph, &e.frictions[0].slip)[0].abs(), 2f64.sqrt(), 1e-14, "helix");
}

#[test]
fn what_cannot_be_read_off_must_be_said() {
    // A rod between two particles: which of them would slip?
    let build = |slip: Option<fn(&mut Sketch) -> Id>| {
        let mut s = Sketch::new(2);
        let (x, y) = (s.q(0), s.q(1));
        particle(&mut s, &[x, Id::ZERO]);
        particle(&mut s, &[y, Id::ZERO]);
        let rod = s.constrain("rod", &[x], &[y]);
        let slip = slip.map(|slip| vec![slip(&mut s)]);
        let normal = slip.as_ref().map(|_| Id::ONE);
        friction(&mut s, rod, slip, normal);
        s
    };
    assert_eq!(build(None).error(), "say-slip-and-normal");
    assert_eq!(build(Some(|s| s.q(0))).error(), "slip-not-affine");
    let square = |s: &mut Sketch| {
        let v = s.v(0);
        s.g().integer_power(v, 2)
    };
    assert_eq!(build(Some(square)).error(), "slip-not-affine");
    let belt = |s: &mut Sketch| {
        let v = s.v(0);
        s.g().subtract(v, Id::ONE)
    };
    assert_eq!(build(Some(belt)).equations().frictions[0].directions, [Id::ONE, Id::ZERO]);
}
