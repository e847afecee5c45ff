//! Bodies, frames, joints, drives, springs, dampers, torques, placed parts.

use super::super::*;
use super::{accepted, codes, read};
use crate::compare::canonical;
use crate::format::tests::BODIES;
use crate::syntax::{ExprKind, ForceTarget, PartSource, PlaceClause};

#[test]
fn models_with_bodies_are_read() {
    for model in BODIES {
        let document = accepted(model);
        assert!(document.statements.len() >= 6);
    }
}

#[test]
fn points_and_members_are_applied() {
    for (text, meant) in [
        ("link[2](a, b, c)", "(apply (at link 2) a b c)"),
        ("leg[1].foot(0, 0, 1)", "(apply (. (at leg 1) foot) 0 0 1)"),
        ("arm[i].turn(v)'", "(d1 (apply (. (at arm i) turn) v))"),
        ("rig.leg[i, 2](0, 0, 1).x", "(. (apply (at (. rig leg) i 2) 0 0 1) x)"),
        ("arm(a, b, c)", "(arm a b c)"),
        ("arm.turn(v)", "(arm.turn v)"),
        ("in(arm, v)", "(in arm v)"),
        ("in(arm[2], reaction(pin)).x + 1", "((. (in (at arm 2) (reaction pin)) x)+1)"),
        ("2*in(arm, v)", "(2*(in arm v))"),
        ("uni.1' + uni.2", "((d1 (. uni 1))+(. uni 2))"),
        ("P + Q on arm", "(on (P+Q) arm)"),
        ("TI on rack", "(on TI rack)"),
        ("(0, 0, 1) on link[2]", "(on <0 0 1> (at link 2))"),
        ("norm(P on arm)", "(norm (on P arm))"),
        ("a on b < c on d and e", "(and (Less (on a b) (on c d)) e)"),
        ("distance(P on arm, 2*Q on leg[1])", "(distance (on P arm) (on (2*Q) (at leg 1)))"),
        ("2 m on arm", "(on 2[m^1] arm)"),
        ("sum(i in 1..N, in(arm[i], v))", "(sum i 1 N; (in (at arm i) v))"),
    ] {
        assert_eq!(read(text), meant, "{text}");
    }
}

#[test]
fn a_body_has_a_shape_or_options_and_a_place() {
    let text = "
body arm: rod(L) of m, from (0, 0, 0) to (0, L, 0), up (0, 0, 1)
body box: box(a, b, c), density = 2700 kg/m^3, at P
body any: mass = m, inertia = (1, 2, 3), centre = (0, 0, a), at P + Q, axes (1, 0, 0) n[2]
body full: mass = 0, inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
body coin: disc(R) of 1 kg, at (0, 0, R),
     turned x by 90 deg,
     then z by b, then (0, 1, 0) by -c/2
body link[i in 1..5]: box(1, 0.1, 0.1) of 1, from P[i-1] to P[i]
body still: ball(1) of 2 kg
body lost: at P
body lines: inertia = (1, 2, 3),
     mass = 2, centre =
     (0, 0, 1), from P
     to Q, turned
     z by 1
";
    let document = accepted(text);
    let bodies: Vec<_> = document
        .statements
        .iter()
        .map(|one| match &one.kind {
            StatementKind::Body(item) => item,
            other => panic!("{other:?}"),
        })
        .collect();
    let counts: Vec<_> = bodies
        .iter()
        .map(|body| (body.shape.is_some(), body.mass.is_some(), body.options.len(), body.placement.len()))
        .collect();
    let right = [
        (true, true, 0, 2),
        (true, false, 1, 1),
        (false, false, 3, 2),
        (false, false, 2, 0),
        (true, true, 0, 2),
        (true, true, 0, 1),
        (true, true, 0, 0),
        (false, false, 0, 1),
        (false, false, 3, 2),
    ];
    assert_eq!(counts, right);
    let PlaceClause::Turned(turns) = &bodies[4].placement[1] else { panic!() };
    assert_eq!(turns.len(), 3);
    assert!(matches!(turns[2].axis.kind, ExprKind::Tuple(_)));
}

#[test]
fn frames_joints_and_what_acts_on_them_are_read() {
    let text = "
frame tip on arm: at P, turned z by 30 deg
frame tip[i in 1..3] on link[i]: from P[i] to Q[i], up n
frame base on ground: axes x y
joint pin: hinge(ground, arm), at (0, 0, 0), axis x
joint h[i in 1..4]: hinge(link[i], link[i+1]), at P[i], axis n[i], off
joint cyl: cylindrical(a, b), from P to Q, cut
joint uni: universal(a, b), axis (1, 0, 0) (0, 1, 0), at P
joint eye: ball(a(0, 0, 1), b(1, 0, 0))
joint nut: screw(a, b), pitch = 2 mm, at P, axis -z, off, cut
joint pair: gear(pin, cyl), ratio = 2
joint bar: rod(TI on rack, TO on knuckle)
joint roll: rolling(coin, ground), at (0, 0, 0),
            axis z
drive crank: pin = w*t
drive leg[i in 1..6]: distance(foot[i], head[i]) = L(t), off
spring s: distance(p, q), stiffness = k, rest = L, preload = F
spring soft[i in 1..2]: pin, law = f(pin)
damper d: pin, rate = c
torque arm: (0, 0, M), pin: M, link[2]: (1, 0, 0)
force distance(p, q): F, link[2](0, 0, 1): (0, 0, -1), P on arm: (1, 0, 0)
formulation bodies
nonideal plane on p: (0, 1)
";
    let document = accepted(text);
    assert_eq!(document.statements.len(), 21);
    let StatementKind::Joint(universal) = &document.statements[6].kind else { panic!() };
    assert_eq!((universal.axis.len(), universal.at.is_some()), (2, true));
    let StatementKind::Joint(screw) = &document.statements[8].kind else { panic!() };
    assert_eq!((screw.off, screw.cut, screw.options.len(), screw.axis.len()), (true, true, 1, 1));
    let StatementKind::Joint(rod) = &document.statements[10].kind else { panic!() };
    assert!(rod.ends.iter().all(|end| matches!(end.kind, ExprKind::On(..))));
    let StatementKind::Force(forces) = &document.statements[18].kind else { panic!() };
    assert!(forces.iter().all(|force| matches!(force.on, Some(ForceTarget::Point(_)))), "{forces:?}");
    let StatementKind::Torque(torques) = &document.statements[17].kind else { panic!() };
    assert!(torques.iter().all(|torque| matches!(torque.on, Some(ForceTarget::Named(_)))));
}

#[test]
fn parts_are_placed_before_or_after_their_parameters() {
    let one = "part leg[i in 1..4] = \"leg.holo\" with L = 2 m, m = 1, at hip[i], turned z by a[i]";
    for other in [
        "part leg[i in 1..4] = \"leg.holo\", at hip[i], turned z by a[i] with L = 2 m, m = 1",
        "part leg[i in 1..4] = \"leg.holo\", at hip[i], with L = 2 m, turned z by a[i], m = 1",
        "part leg[i in 1..4] = \"leg.holo\",\n  at hip[i] with L = 2 m, m = 1,\n  turned z by a[i]",
    ] {
        assert_eq!(canonical(&accepted(other)), canonical(&accepted(one)), "{other}");
    }
    let odd = accepted("part a = \"a.holo\" with at = 2, up = 1, at P");
    let StatementKind::Part(odd) = &odd.statements[0].kind else { panic!() };
    assert_eq!((odd.with.len(), odd.placement.len()), (2, 1));
    for text in [
        "part leg, at P, turned z by a\n  param m = 1\n  coord x\nassemble",
        "part leg, at P,\n    turned z by a\n  param m = 1\n  coord x\nassemble",
        "part leg, at P +\n      Q, turned z\n   by a\n  param m = 1\n  coord x\nassemble",
    ] {
        let document = accepted(text);
        assert_eq!(document.statements.len(), 2, "{text}");
        let StatementKind::Part(part) = &document.statements[0].kind else { panic!() };
        let PartSource::Inline(inner) = &part.source else { panic!() };
        assert_eq!((inner.len(), part.placement.len()), (2, 2), "{text}");
    }
}

/// What stands in the text, and what to type instead; nothing where only a help line says it.
#[test]
fn each_mistake_says_what_to_write() {
    let mut wrong = vec![];
    for (text, code, right) in [
        ("body arm: rod(L) of m at P", "missing-comma", "body arm: rod(L) of m, at P"),
        ("body arm: rod(L) of m, at P turned z by a", "missing-comma", "body arm: rod(L) of m, at P, turned z by a"),
        (
            "body arm: rod(L) of m,\n  at P\n  turned z by a",
            "missing-comma",
            "body arm: rod(L) of m,\n  at P,\n  turned z by a",
        ),
        ("body arm: inertia = J\n  mass = 2", "missing-comma", "body arm: inertia = J,\n  mass = 2"),
        ("body arm: rod(L) of m density = 2", "missing-comma", "body arm: rod(L) of m, density = 2"),
        ("body arm: rod(L) of 2 kg, at = (0, 0, 0)", "unexpected-equals", "body arm: rod(L) of 2 kg, at (0, 0, 0)"),
        ("body arm: rod(L) of 2 kg, from: P", "unexpected-equals", "body arm: rod(L) of 2 kg, from P"),
        ("body arm: rod(L), of = m", "unknown-option", "body arm: rod(L) of m"),
        ("body arm: rod(L), of m", "unknown-option", "body arm: rod(L) of m"),
        ("body arm: rod(L), m, from P to Q", "unknown-option", "body arm: rod(L) of m, from P to Q"),
        ("body arm: rod(L), 2 kg, from P to Q", "unknown-option", "body arm: rod(L) of 2 kg, from P to Q"),
        ("body arm: rod(L) with mass m", "unexpected-word", "body arm: rod(L) of m"),
        ("body arm: rod(L) with mass = m", "unexpected-word", "body arm: rod(L) of m"),
        ("body arm: rod(L) mass m", "unexpected-word", "body arm: rod(L) of m"),
        ("body arm: rod(L) of mass m", "unexpected-word", "body arm: rod(L) of m"),
        ("body arm: rod(L) of = m", "unexpected-word", "body arm: rod(L) of m"),
        ("body arm: rod(L) with density rho", "missing-comma", "body arm: rod(L), density = rho"),
        ("body arm: rod(L), density rho, at P", "missing-equals", "body arm: rod(L), density = rho, at P"),
        ("body arm: mass 2 kg, inertia = J", "missing-equals", "body arm: mass = 2 kg, inertia = J"),
        ("body arm: mass = 2 kg, inertia (1, 2, 3)", "missing-equals", "body arm: mass = 2 kg, inertia = (1, 2, 3)"),
        ("body arm: mass = 2 kg, centre", "missing-equals", ""),
        ("body arm: disc(r) of m, position (0, 0, 0)", "unknown-option", "body arm: disc(r) of m, at (0, 0, 0)"),
        ("body arm: disc(r) of m, rotated z by a", "unknown-option", "body arm: disc(r) of m, turned z by a"),
        ("body arm: disc(r) of m, turnd z by a", "unknown-option", "body arm: disc(r) of m, turned z by a"),
        ("body arm: disc(r) of m, off", "unknown-option", ""),
        ("body arm: disc(r) of m, axis z", "unknown-option", "body arm: disc(r) of m, axes z"),
        ("body arm: disc(r) of m, b: disc(r) of m", "unknown-option", ""),
        ("body wheel: 2 at (0, 0)", "unknown-shape", ""),
        ("body wheel: m, at (0, 0)", "unknown-shape", ""),
        ("body wheel: disc of m, at (0, 0)", "missing-parentheses", "body wheel: disc(r) of m, at (0, 0)"),
        ("body wheel: 2*disc(r) of m", "unknown-shape", ""),
        ("body wheel: disc(r)*2 of m", "unknown-shape", ""),
        ("body disc(r) of m", "missing-name", "body b1: disc(r) of m"),
        ("body: disc(r) of m", "missing-name", "body b1: disc(r) of m"),
        ("body arm rod(L) of m", "missing-colon", "body arm: rod(L) of m"),
        ("body arm.b: rod(L) of m", "dotted-name", ""),
        ("body arm:", "missing-item", ""),
        ("body arm: rod(L) of m,", "missing-item", ""),
        ("body arm: rod(L) of", "expected-expression", ""),
        ("body arm: rod(L) of m, at P, at Q", "given-twice", ""),
        ("body arm: rod(L) of m, turned z by a, turned x by b", "given-twice", ""),
        ("body arm: rod(L), density = 1, density = 2", "given-twice", ""),
        ("body arm: rod(L) of m, from P", "missing-item", ""),
        ("body arm: rod(L) of m, from P, to Q", "missing-item", "body arm: rod(L) of m, from P to Q"),
        ("body arm: rod(L) of m, turned by a", "missing-item", "body arm: rod(L) of m, turned z by a"),
        ("body arm: rod(L) of m, turned z a", "missing-item", "body arm: rod(L) of m, turned z by a"),
        ("body arm: rod(L) of m, turned 30 deg", "missing-item", ""),
        ("body arm: rod(L) of m, turned about z by a", "unexpected-word", "body arm: rod(L) of m, turned z by a"),
        (
            "body arm: rod(L) of m, turned z by a then x by b",
            "missing-comma",
            "body arm: rod(L) of m, turned z by a, then x by b",
        ),
        (
            "body arm: rod(L) of m, turned z by 90 deg then x by b",
            "missing-comma",
            "body arm: rod(L) of m, turned z by 90 deg, then x by b",
        ),
        ("body arm: rod(L) of m, then x by b", "unknown-option", ""),
        (
            "body arm: rod(L) of m, axes (1, 0, 0), (0, 1, 0)",
            "missing-item",
            "body arm: rod(L) of m, axes (1, 0, 0) (0, 1, 0)",
        ),
        ("body arm: rod(L) of m, axes n", "missing-item", ""),
        ("body arm: rod(L) of m, axes a b c", "missing-item", ""),
        ("frame tip: at P", "missing-item", ""),
        ("frame tip of arm: at P", "missing-item", "frame tip on arm: at P"),
        ("frame tip on arm, at P", "missing-colon", ""),
        ("frame tip on arm:", "missing-item", ""),
        ("frame tip on arm: P", "unknown-option", ""),
        ("frame tip on arm: at = P", "unexpected-equals", "frame tip on arm: at P"),
        ("joint pin: hinge(a, b) at (0, 0)", "missing-comma", "joint pin: hinge(a, b), at (0, 0)"),
        ("joint pin: hinge(a, b), at P axis z", "missing-comma", "joint pin: hinge(a, b), at P, axis z"),
        ("joint pin: hinge(a, b), at P, axis z off", "missing-comma", "joint pin: hinge(a, b), at P, axis z, off"),
        (
            "joint pin: hinge(a, b), pitch = 2 mm axis z",
            "missing-comma",
            "joint pin: hinge(a, b), pitch = 2 mm, axis z",
        ),
        ("joint pin: hinge(a, b), axis = z", "unexpected-equals", "joint pin: hinge(a, b), axis z"),
        ("joint pin: hinge(a, b), pitch 3 mm", "missing-equals", "joint pin: hinge(a, b), pitch = 3 mm"),
        ("joint pin: hinge(a, b), about z", "unknown-option", "joint pin: hinge(a, b), axis z"),
        ("joint pin: hinge(a, b) about z", "unexpected-word", "joint pin: hinge(a, b), axis z"),
        ("joint pin: hinge(a, b), turned z by a", "unknown-option", ""),
        ("joint pin: hinge(a, b), at P, at Q", "given-twice", ""),
        ("joint pin: hinge(a, b), axis x, axis y", "given-twice", ""),
        ("joint pin: hinge(a, b), off, off", "given-twice", ""),
        ("joint pin: hinge(a, b), of", "unknown-option", "joint pin: hinge(a, b), off"),
        (
            "joint pin: universal(a, b), axis (1, 0, 0), (0, 1, 0)",
            "unknown-option",
            "joint pin: universal(a, b), axis (1, 0, 0) (0, 1, 0)",
        ),
        ("joint pin: universal(a, b), axis x, y", "unknown-option", "joint pin: universal(a, b), axis x y"),
        ("joint pin: universal(a, b), axis x y z", "missing-comma", ""),
        ("joint pin: hinge a b, axis z", "missing-parentheses", "joint pin: hinge(a, b), axis z"),
        ("joint pin: hinge a, b, axis z", "missing-parentheses", "joint pin: hinge(a, b), axis z"),
        (
            "joint pin: hinge between ground and arm, axis z",
            "missing-parentheses",
            "joint pin: hinge(ground, arm), axis z",
        ),
        ("joint pin: hinge a b at P", "missing-parentheses", "joint pin: hinge(a, b) at P"),
        ("joint pin: hinge", "missing-parentheses", ""),
        ("joint pin: arm.tip = base.pin", "unexpected-equals", ""),
        ("joint pin: (a, b)", "missing-item", ""),
        ("joint hinge(a, b), at P", "missing-name", "joint j1: hinge(a, b), at P"),
        ("joint pin hinge(a, b), at P", "missing-colon", "joint pin: hinge(a, b), at P"),
        ("joint pin: hinge(a, b), from P, to Q", "missing-item", "joint pin: hinge(a, b), from P to Q"),
        ("joint pin: hinge(a, b), c: hinge(b, c)", "unknown-option", ""),
        ("joint pin: hinge(a, b), z", "unknown-option", ""),
        ("hinge(ground, arm), at P", "unknown-statement", ""),
        ("hinge a b", "unknown-statement", ""),
        ("drive crank: w*t", "missing-equals", ""),
        ("drive crank: pin == w*t", "double-equals", "drive crank: pin = w*t"),
        ("drive pin = w*t", "missing-name", "drive d1: pin = w*t"),
        ("drive crank: pin = w*t = 2", "chained-equation", ""),
        ("drive crank: pin = w*t, of", "unknown-option", "drive crank: pin = w*t, off"),
        ("drive crank: pin = w*t off", "unexpected-word", ""),
        ("drive crank: pin = w*t, d: x = 2", "unknown-option", ""),
        ("spring s: x, stiffness 3", "missing-equals", "spring s: x, stiffness = 3"),
        ("spring s: x, k", "missing-equals", "spring s: x, stiffness = k"),
        ("spring s: x, stiffness = 3, stiffness = 4", "given-twice", ""),
        ("spring s: p q, stiffness = 3", "missing-parentheses", "spring s: distance(p, q), stiffness = 3"),
        ("spring s: p[1], q, stiffness = 3", "missing-parentheses", "spring s: distance(p[1], q), stiffness = 3"),
        ("spring s: stiffness = 3", "missing-item", ""),
        ("spring s: x", "missing-item", ""),
        ("spring x, k", "missing-name", ""),
        ("spring p q, k = 3", "missing-name", ""),
        ("spring x", "missing-name", ""),
        ("coord x\ndamper x: c", "missing-item", "coord x\ndamper d1: x, rate = c"),
        ("damper d: x, c", "missing-equals", "damper d: x, rate = c"),
        ("damper d: x, damping 3", "unknown-option", "damper d: x, rate 3"),
        ("torque M", "missing-colon", ""),
        ("torque [0, 1]", "missing-colon", ""),
        ("torque pin = M", "missing-colon", ""),
        ("formulation", "missing-item", ""),
        ("formulation = bodies", "unexpected-sign", "formulation bodies"),
        ("formulation bodies, joints", "unexpected-word", ""),
        ("part leg = \"leg.holo\" at P", "missing-comma", "part leg = \"leg.holo\", at P"),
        ("part leg = \"leg.holo\" with L = 2 m at P", "missing-comma", "part leg = \"leg.holo\" with L = 2 m, at P"),
        ("part leg = \"leg.holo\", L = 2", "unknown-option", "part leg = \"leg.holo\" with L = 2"),
        ("part leg = \"leg.holo\", at = P", "unexpected-equals", "part leg = \"leg.holo\", at P"),
        ("part leg at P\n  coord x", "missing-comma", "part leg, at P\n  coord x"),
        ("part leg, at P with L = 2\n  coord x", "unexpected-word", ""),
        ("part leg, with L = 2\n  coord x", "unexpected-word", ""),
        ("part leg, at P", "empty-part", ""),
        ("output o: P on arm on leg", "unexpected-word", ""),
        ("output o: P on", "expected-expression", ""),
    ] {
        let (_, errors) = parse(FileId(0), text);
        let found: Vec<_> = errors.iter().map(|error| error.code).collect();
        let mut corrected = text.to_string();
        if let Some(suggestion) = errors.first().and_then(|error| error.suggestion.as_ref()) {
            corrected
                .replace_range(suggestion.span.start as usize..suggestion.span.end as usize, &suggestion.replacement);
        }
        let helped = errors.iter().all(|error| {
            error.suggestion.is_some() || error.help.len() + error.notes.len() > 0 || !error.labels[0].text.is_empty()
        });
        let corrected = if corrected == text { "" } else { corrected.as_str() };
        if found != [code] || corrected != right || !helped {
            wrong.push(format!("{text:?} {found:?} {corrected:?}, not {code} {right:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(codes("joint pin: hinge(a, b), at = P, axis = z"), ["unexpected-equals", "unexpected-equals"]);
    assert_eq!(codes("body arm: rod(L) of , at P Q, b"), ["expected-expression", "missing-operator", "unknown-option"]);
}
