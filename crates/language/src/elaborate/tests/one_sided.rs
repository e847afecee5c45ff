//! One-sided constraints and stops: gaps, names, families, parts, events, and what is refused.

use super::{errors, good, load, number, said, warnings, with};
use crate::checked::{FamilyKind, When};

/// Left minus right is the gap, whichever way the inequality was written; with x = 0.3 and y = 0.5.
#[test]
fn the_row_is_the_gap() {
    for (text, gap) in [
        ("constraint c: y >= x", 0.2),
        ("constraint c: x <= y", 0.2),
        ("constraint c: x >= y", -0.2),
        ("constraint c: (norm((x, y)) <= 2)", 2.0 - 0.34_f64.sqrt()),
    ] {
        let model = good(&with(text));
        let [constraint] = &model.constraints[..] else { panic!("{text}") };
        let [left, right] = [constraint.left[0], constraint.right[0]].map(|id| number(&model, id));
        assert!((number(&model, constraint.rows[0]) - gap).abs() < 1e-15, "{text}");
        assert!((left - right - gap).abs() < 1e-15, "{text}");
        assert_eq!((constraint.sign(), constraint.off), (">=", true), "{text}");
        let side = constraint.side.expect("it is one-sided");
        assert_eq!((number(&model, side.restitution), side.disabled), (0.0, false), "{text}");
    }
    assert!(good(&with("constraint c: x = y")).constraints[0].side.is_none());
}

#[test]
fn restitution_is_a_number_between_0_and_1() {
    let model = good(&with("param r = 0.25\nconstraint c: x >= 0, restitution = 2*r"));
    let side = model.constraints[0].side.expect("it is one-sided");
    assert_eq!(number(&model, side.restitution), 0.5);
    for wrong in ["-0.1", "1.1", "0/0", "1e400/1e400"] {
        let text = with(&format!("constraint c: x >= 0, restitution = {wrong}"));
        assert!(!errors(&text).is_empty(), "{wrong}");
    }
    assert_eq!(errors(&with("stop c: x in 0..1, restitution = 2")), ["negative"]);
    assert_eq!(errors(&with("constraint c: x >= 0, restitution = x")), ["not-fixed"]);
    assert_eq!(errors(&with("constraint c: x >= 0, restitution = (1, 0)")), ["number-expected"]);
    assert_eq!(
        errors("coord x: m\nkinetic (1 kg)*x'^2\nconstraint c: x >= 0, restitution = 1 m\n"),
        ["dimension-mismatch"]
    );
}

#[test]
fn a_stop_is_two_constraints() {
    let model = good(&with("stop end: x + y in -1..x + 4, restitution = 0.2\nconstraint c: x = 0.3"));
    let names: Vec<&str> = model.constraints.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["end.low", "end.high", "c"]);
    let gaps: Vec<f64> = model.constraints[..2].iter().map(|one| number(&model, one.rows[0])).collect();
    assert!((gaps[0] - 1.8).abs() < 1e-15 && (gaps[1] - 3.5).abs() < 1e-15, "{gaps:?}");
    for limit in &model.constraints[..2] {
        assert_eq!(number(&model, limit.side.expect("it is one-sided").restitution), 0.2);
    }
    assert_eq!(
        (model.row_name(0), model.row_name(1), model.row_name(2)),
        ("end.low".into(), "end.high".into(), "c".into())
    );
}

#[test]
fn limits_of_a_stop_have_forces_frictions_and_events() {
    let model = good(&with(
        "stop end: x in 0..1\nfriction end.high: coulomb(0.1), slip = y', normal = reaction(end.high)
output push: reaction(end.low)\nevent hit: end.high catches -> record\nevent off: end.low lets go -> stop",
    ));
    assert_eq!(model.frictions[0].constraint, 1);
    assert!((number(&model, model.outputs[0].components[0]) - 4.1).abs() < 1e-15);
    assert!(matches!(model.events[0].when, When::Catches(1)));
    assert!(matches!(model.events[1].when, When::LetsGo(0)));
}

#[test]
fn families_and_parts_have_them() {
    let model = good(
        "coord x[1..3]\nkinetic sum(i in 1..3, x[i]'^2)
constraint floor[i in 1..3]: x[i] >= i, restitution = i/4
stop end[i in 1..3 where i /= 2]: x[i] in -i..i*2
event touch[i in 1..3]: floor[i] catches -> record
event hit[i in 1..3 where i > 1]: end[3].high catches -> record
part arm
  coord q
  kinetic q'^2/2
  constraint table: q >= -1
  stop turn: q in -2..2
  event down: turn.low catches -> record
event up: arm.table lets go -> record
event over: arm.turn.high catches -> record
",
    );
    let names: Vec<&str> = model.constraints.iter().map(|one| one.name.as_str()).collect();
    let of_family = ["floor[1]", "floor[2]", "floor[3]", "end[1].low", "end[1].high", "end[3].low", "end[3].high"];
    let of_part = ["arm.table", "arm.turn.low", "arm.turn.high"];
    assert_eq!(names, [&of_family[..], &of_part].concat());
    let restitution = |which: usize| model.constraints[which].side.map(|side| number(&model, side.restitution));
    assert_eq!([restitution(0), restitution(2)], [Some(0.25), Some(0.75)]);
    let family = model.families.iter().find(|one| one.kind == FamilyKind::Constraint).expect("floor is one");
    assert_eq!((family.name.as_str(), family.members.len()), ("floor", 3));
    let whens: Vec<String> = model.events.iter().map(|event| format!("{} {:?}", event.name, event.when)).collect();
    assert_eq!(
        whens,
        [
            "touch[1] Catches(0)",
            "touch[2] Catches(1)",
            "touch[3] Catches(2)",
            "hit[2] Catches(6)",
            "hit[3] Catches(6)",
            "arm.down Catches(8)",
            "up LetsGo(7)",
            "over Catches(9)",
        ]
    );
}

#[test]
fn sides_have_one_dimension() {
    let cart = |rest: &str| format!("param L = 2 m\ncoord x: m\nkinetic (1 kg)*x'^2/2\n{rest}\n");
    good(&cart("constraint c: x >= 0, restitution = 50 %\nstop s: x in 0..L"));
    good(&cart("stop s: x/L in -20 deg..0.5"));
    assert_eq!(errors(&cart("constraint c: x <= 3")), ["dimension-mismatch"]);
    assert_eq!(errors(&cart("stop s: x in 0 m..3 s")), ["dimension-mismatch"]);
    assert_eq!(errors(&cart("stop s: x in 1..L")), ["dimension-mismatch"]);
}

#[test]
fn what_is_refused() {
    for (text, codes) in [
        ("constraint c: (x, y) >= (0, 0)", &["one-sided-vector"][..]),
        ("constraint c: (x, y) >= 0", &["one-sided-vector"]),
        ("stop c: (x, y) in 0..1", &["one-sided-vector"]),
        ("constraint c: x >= 0\nevent e: t > 1 -> drop c", &["one-sided-action"]),
        ("stop c: x in 0..1\nevent e: t > 1 -> add c.low", &["one-sided-action"]),
        ("stop c: x in 0..1\nevent e: t > 1 -> add c", &["unknown-constraint"]),
        ("constraint c: x >= 0\nevent e: t > 1 -> impact c", &["one-sided-action"]),
        ("constraint c: x = 0\nevent e: c catches -> stop", &["not-one-sided"]),
        ("event e: c catches -> stop", &["unknown-constraint"]),
        ("event e: x lets go -> stop", &["unknown-constraint"]),
        ("stop c: x in 0..1\nevent e: c lets go -> stop", &["unknown-constraint"]),
        ("stop c: x in 0..1\nevent e: c.left lets go -> stop", &["unknown-name"]),
        ("stop c: x in 0..1\noutput o: c", &["not-a-value"]),
        ("stop c: x in 0..1\nforce c: 1", &["unknown-constraint"]),
        ("stop c: x in 1..1", &["stop-order"]),
        ("param a = 3\nstop c: x in a..a - 1", &["stop-order"]),
        ("stop c: x in 0..1\nconstraint c: y >= 0", &["redefined-name"]),
        ("constraint c: x - x >= 1", &["impossible-constraint"]),
        ("constraint c: x >= multiplier(c)", &["too-early"]),
    ] {
        assert_eq!(errors(&with(text)), codes, "{text}\n{}", said(&with(text)));
    }
}

#[test]
fn what_is_odd_is_warned_of() {
    assert_eq!(warnings(&with("constraint c: x - x >= -1")), ["idle-constraint"]);
    assert_eq!(warnings(&with("constraint c: x >= 0, off")), ["never-on"]);
    assert_eq!(warnings(&with("stop c: x in 0..1, off")), ["never-on"]);
    assert!(load(&with("constraint c: x >= 0")).diagnostics.is_empty());
}
