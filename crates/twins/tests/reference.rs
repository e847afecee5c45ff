//! The reference for contacts itself, against closed forms.

use holonom_twins::contact::{
    CONTACT_KINDS, Contact, Jet, Mode, Reference, State, System, Unclear, contact_kind, draw_contact,
};

const G: f64 = 9.81;
const STEP: f64 = 1e-3;

fn state(q: &[f64], v: &[f64]) -> State {
    State { t: 0.0, q: q.to_vec(), v: v.to_vec() }
}

/// A particle in the plane under gravity.
fn particle() -> System {
    let mut system = System::default();
    system.mass(1.0, |q| q[0]);
    system.mass(1.0, |q| q[1]);
    system.force(|q| q[1], |_, _, _| -G);
    system
}

/// A ball from the height h rests at (1 + e)/(1 − e) √(2h/g).
#[test]
fn a_ball_comes_to_rest() {
    let mut system = particle();
    system.contacts.push(Contact::touch(|q| q[1], 0.8));
    let mut reference = Reference::new(&system, state(&[0.0, 1.0], &[0.5, 0.0])).expect("a start");
    reference.until(6.0, STEP).expect("a motion");
    let rest = 9.0 * (2.0 / G).sqrt();
    let (time, modes) = reference.history.last().expect("changes");
    assert!((time - rest).abs() < 1e-9, "{time} {rest}");
    assert_eq!(modes, &[Mode::Smooth]);
    assert!(reference.state().q[1].abs() < 1e-15 && (reference.state().q[0] - 3.0).abs() < 1e-9);
}

/// Until a ball rests, all blows together have the impulse of its weight over that time: friction takes µ g t from its velocity, in steps
/// before and steadily after. A slow one stops at a blow.
#[test]
fn a_ball_that_bounces_is_slowed_like_one_that_slides() {
    for (e, speed) in [(0.5, 10.0), (0.8, -15.0), (0.5, 0.5)] {
        let mut system = particle();
        system.contacts.push(Contact::touch(|q| q[1], e).rough(|q| q[0].rate(), 0.3, 0.4));
        let mut reference = Reference::new(&system, state(&[0.0, 1.0], &[speed, 0.0])).expect("a start");
        let end = (1.0 + e) / (1.0 - e) * (2.0 / G).sqrt() + 0.1;
        reference.until(end, STEP).expect("a motion");
        let left = (f64::abs(speed) - 0.3 * G * end).max(0.0).copysign(speed);
        let found = reference.state().v[0];
        assert!((found - left).abs() < 1e-9, "{found} {left}");
    }
}

/// A ball that bounces on a slope, tan a between the friction of sliding and the limit of rest. Each flight adds 2v tan a to its slip and each
/// blow can take (1 + e) v µ: it is held from the first blow on where µₛ ≥ 2 tan a/(1 + e), rests there at the end, and else is sliding by then.
#[test]
fn a_ball_that_bounces_on_a_slope_is_held_at_the_end_if_it_was_at_every_blow() {
    let (a, e, kinetic, h, end) = (0.327f64, 0.8, 0.271, 0.1, 3.0);
    let (along, across) = (G * a.sin(), G * a.cos());
    for held in [0.399, 0.36] {
        let mut system = System::default();
        system.mass(1.0, |q| q[0]);
        system.mass(1.0, |q| q[1]);
        system.force(|q| q[0], move |_, _, _| -along);
        system.force(|q| q[1], move |_, _, _| -across);
        system.contacts.push(Contact::touch(|q| q[1], e).rough(|q| q[0].rate(), kinetic, held));
        let mut reference = Reference::new(&system, state(&[0.0, h], &[0.0, 0.0])).expect("a start");
        reference.until(end, STEP).expect("a motion");
        let land = (2.0 * h / across).sqrt();
        let (rebound, rest) = (e * across * land, (1.0 + e) / (1.0 - e) * land);
        let left = match held >= 2.0 * a.tan() / (1.0 + e) {
            true => 0.0,
            false => kinetic * rebound * (1.0 + e) / (1.0 - e) - along * (end - land) + kinetic * across * (end - rest),
        };
        let (found, (time, _)) = (reference.state().v[0], reference.history.last().expect("changes"));
        assert!((found - left).abs() < 1e-9 && (time - rest).abs() < 1e-9, "{found} {left}, {time} {rest}");
    }
}

/// A landing at a velocity between the limits of sliding and of rest sticks.
#[test]
fn a_landing_sticks_up_to_the_limit_of_rest() {
    for (part, left) in [(0.99, 0.0), (1.01, 1.01 * 0.4 - 0.2)] {
        let mut system = particle();
        system.contacts.push(Contact::touch(|q| q[1], 0.0).rough(|q| q[0].rate(), 0.2, 0.4));
        let fall = (2.0 * G * 0.5f64).sqrt();
        let mut reference = Reference::new(&system, state(&[0.0, 0.5], &[part * 0.4 * fall, 0.0])).expect("a start");
        let land = fall / G;
        reference.until(land + 1e-9, STEP).expect("a motion");
        let found = reference.state().v[0];
        assert!((found - left * fall).abs() < 1e-7, "{found} {}", left * fall);
    }
}

/// A rod that strikes a rough floor with restitution 1 while its end slips: with that, and friction that turns the slip, it would have more
/// energy than before. It keeps what it had.
#[test]
fn a_blow_adds_no_energy() {
    let mut system = System::default();
    system.mass(1.0, |q| q[0]);
    system.mass(1.0, |q| q[1]);
    system.mass(1.0 / 3.0, |q| q[2]);
    system.contacts.push(Contact::touch(|q| q[1] - q[2].sin(), 1.0).rough(|q| (q[0] - q[2].cos()).rate(), 0.5, 0.5));
    let start = state(&[0.0, 0.7f64.sin() + 1e-3, 0.7], &[1.0, -2.0, 0.0]);
    let mut reference = Reference::new(&system, start).expect("a start");
    reference.until(1e-2, STEP).expect("a motion");
    let v = &reference.state().v;
    let energy = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] / 3.0) / 2.0;
    assert!((energy - 2.5).abs() < 1e-10, "{energy}");
    let rate = v[1] - reference.state().q[2].cos() * v[2];
    assert!(rate > 1.0 && rate < 1.9, "{rate}");
}

/// A block on a rough floor under k t lets go at µₛ g/k, and then x″ = k t − µₖ g.
#[test]
fn a_block_lets_go() {
    let (mk, ms, rate) = (0.2, 0.4, 3.0);
    let mut system = particle();
    system.force(|q| q[0], move |t, _, _| rate * t);
    system.contacts.push(Contact::guide(|q| q[1]).rough(|q| q[0].rate(), mk, ms));
    let mut reference = Reference::new(&system, state(&[0.0, 0.0], &[0.0, 0.0])).expect("a start");
    reference.until(2.0, STEP).expect("a motion");
    let (first, s) = (ms * G / rate, 2.0 - ms * G / rate);
    assert!((reference.history[1].0 - first).abs() < 1e-11);
    let exact = s * s / 2.0 * (ms - mk) * G + rate * s.powi(3) / 6.0;
    assert!((reference.state().q[0] - exact).abs() < 1e-10);
}

/// A block leaves a round hill at the height (2 g R + v²)/(3 g).
#[test]
fn a_block_leaves_a_hill() {
    let mut system = particle();
    system.contacts.push(Contact::touch(|q| (q[0] * q[0] + q[1] * q[1]).sqrt() - 2.0, 0.0));
    let mut reference = Reference::new(&system, state(&[0.0, 2.0], &[2.0, 0.0])).expect("a start");
    reference.until(0.5781, STEP).expect("a motion");
    assert_eq!(reference.history.len(), 1);
    reference.until(0.6, STEP).expect("a motion");
    let (time, modes) = reference.history.last().expect("changes");
    assert_eq!(modes, &[Mode::Open]);
    let back = reference.state();
    let s = back.t - time;
    let height = back.q[1] - back.v[1] * s - G * s * s / 2.0;
    assert!((height - (4.0 * G + 4.0) / (3.0 * G)).abs() < 1e-9, "{height}");
}

/// A pendulum on a rope that begins slack: after the jerk, the energy stays what the tangential velocity leaves.
#[test]
fn a_rope_becomes_taut() {
    let mut system = particle();
    system.contacts.push(Contact::touch(|q| Jet::constant(1.0) - (q[0] * q[0] + q[1] * q[1]).sqrt(), 0.0));
    let mut reference = Reference::new(&system, state(&[0.6, 0.0], &[0.0, 0.0])).expect("a start");
    reference.until(1.0, STEP).expect("a motion");
    // It falls to y = −0.8 with v² = 2g·0.8, of which the part along the circle, 0.6 of v, is left.
    assert!((reference.history[1].0 - (1.6 / G).sqrt()).abs() < 1e-11);
    let State { q, v, .. } = reference.state();
    let energy = (v[0] * v[0] + v[1] * v[1]) / 2.0 + G * q[1];
    assert!((energy - (0.36 * G * 0.8 - 0.8 * G)).abs() < 1e-9, "{energy}");
}

/// A rod on a rough rail in Painlevé's paradox: none or two, never one of the two.
#[test]
fn a_paradox_is_seen() {
    for (speed, expected) in [(1.0, Unclear::Several), (-1.0, Unclear::None)] {
        let mut system = particle();
        system.mass(1.0 / 3.0, |q| q[2]);
        system.contacts.push(Contact::guide(|q| q[1] - q[2].sin()).rough(|q| (q[0] - q[2].cos()).rate(), 2.0, 2.0));
        let start = state(&[0.0, 1f64.sin(), 1.0], &[speed, 0.0, 0.0]);
        assert_eq!(Reference::new(&system, start).err(), Some(expected));
    }
}

/// Every kind has motions that are clear.
#[test]
fn every_kind_can_be_drawn() {
    for seed in 1..=CONTACT_KINDS.len() as u64 {
        let drawn = draw_contact(seed).expect("a clear motion");
        assert_eq!(drawn.kind, contact_kind(seed).name);
    }
}
