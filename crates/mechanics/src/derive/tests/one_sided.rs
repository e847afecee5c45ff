//! One-sided constraints: rows that are off until contact is found, whose position is the gap.

use crate::derive::{ConstraintKind, Equations, NormalForce, derive};
use holonom_language::{Answer, from_text};
use holonom_symbols::expr::{Id, Symbol};

fn derived(text: &str) -> Answer<Equations> {
    let loaded = from_text("test.holo", text);
    derive(loaded.model.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics)))
}

const BALL: &str = "param L = 2\nparticle p: 3 in plane\ngravity (0, -9.81)\n";

#[test]
fn rows_are_gaps_and_off() {
    let text = format!("{BALL}constraint rope: norm(p) <= L\nconstraint wire: p.x = 0\nstop s: p.y in -1..1 + t^2\n");
    let mut e = derived(&text).expect("nothing is wrong with it").value;
    let shown: Vec<(&str, bool, bool)> = e.rows.iter().map(|row| (row.name.as_str(), row.one_sided, row.off)).collect();
    assert_eq!(shown, [("rope", true, true), ("wire", false, false), ("s.low", true, true), ("s.high", true, true)]);
    assert!(e.rows.iter().all(|row| row.kind == ConstraintKind::Holonomic));
    assert_eq!(e.rows.iter().map(|row| row.rheonomic).collect::<Vec<_>>(), [false, false, false, true]);
    // At p = (3, 4), p' = (1, 2), t = 1: gaps 2 − 5, 4 + 1, 2 − 4, and their rates.
    let ids: Vec<Id> = e.rows.iter().flat_map(|row| [row.position, row.velocity]).map(Option::unwrap).collect();
    let values = e.graph.evaluate(&ids, |symbol| match symbol {
        Symbol::Time => 1.0,
        Symbol::Parameter(_) => 2.0,
        Symbol::Position(i) => [3.0, 4.0][i as usize],
        Symbol::Velocity(i) => [1.0, 2.0][i as usize],
        _ => f64::NAN,
    });
    for (value, expected) in values.iter().zip([-3.0, -2.2, 3.0, 1.0, 5.0, 2.0, -2.0, 0.0]) {
        assert!((value - expected).abs() < 1e-15, "{values:?}");
    }
    let (one, zero) = (Id::ONE, Id::ZERO);
    let minus = e.graph.negate(one);
    assert_eq!((&e.rows[2].a[..], e.rows[2].b), (&[(1, one)][..], zero));
    assert_eq!(e.rows[3].a, [(1, minus)]);
}

/// Friction at a floor needs neither slip nor normal force, as at any constraint of one particle.
#[test]
fn friction_reads_slip_and_normal_off_the_gap() {
    let e = derived(&format!("{BALL}constraint floor: p.y >= 0\nfriction floor: coulomb(0.3)\n"));
    let e = e.expect("nothing is wrong with it").value;
    assert_eq!(e.frictions[0].slip.len(), 1);
    assert!(matches!(&e.frictions[0].normal, NormalForce::Magnitude(parts) if parts.len() == 2));
}

#[test]
fn only_positions_and_time_have_a_gap() {
    for (constraint, codes) in [
        ("p.x' >= 0", &["one-sided-velocity"][..]),
        ("p.x'' <= 1", &["one-sided-velocity"]),
        ("p.y + p.x'^2 >= 0", &["one-sided-velocity"]),
        ("p.y + 0*p.x' >= sin(t)", &[]),
        ("p.y + p.x' - (p.x)' >= 0", &[]),
        ("cos(p.x)^2 + sin(p.x)^2 <= L", &["idle-constraint"]),
        ("cos(p.x)^2 + sin(p.x)^2 >= L", &["impossible-constraint"]),
    ] {
        let derived = derived(&format!("{BALL}constraint c: {constraint}\n"));
        let is_rejected = derived.is_err();
        let messages = derived.map_or_else(|errors| errors, |given| given.messages);
        let found: Vec<&str> = messages.iter().map(|one| one.code).collect();
        assert_eq!(found, codes, "{constraint}");
        let is_wrong = codes.iter().any(|code| *code != "idle-constraint");
        assert_eq!(is_rejected, is_wrong, "{constraint}");
    }
}
