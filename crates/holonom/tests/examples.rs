//! The papers' examples, with other numbers than those in the gallery: their formulas hold for any.

#![allow(non_snake_case)]

use std::path::Path;

use holonom::System;
use holonom::language::load_with;
use holonom::simulate::analysis;

/// Checks a model of the gallery with some parameters set; all that it expects must hold.
fn holds(model: &str, settings: &[(&str, f64)]) -> analysis::Report {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery").join(model);
    let settings: Vec<(String, f64)> = settings.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    let system = System::of(load_with(&path, &settings), settings.clone());
    let verdict = system.and_then(|system| system.check()).unwrap_or_else(|why| panic!("{model} {settings:?}\n{why}"));
    assert!(verdict.is_accepted(), "{model} {settings:?}\n{verdict}");
    assert!(verdict.report.expectations.iter().all(|e| e.outcome.stands()), "{model} {settings:?}\n{verdict}");
    verdict.report
}

/// 2006, (5.17).
#[test]
fn wheel() {
    for (m, R, alpha) in [(2.0, 0.5, 0.5), (1e-6, 3.0, 1.2), (4e5, 0.01, -0.3), (1.0, 1.0, 0.0)] {
        let report = holds("wheel/wheel.holo", &[("m", m), ("R", R), ("alpha", alpha)]);
        let verdict = report.verdict.unwrap();
        assert_eq!((verdict.system_rank.rank, verdict.mass_rank, verdict.unique), (2, 1, true));
    }
}

/// 2006, (5.31) to (5.36): two parts, glued.
#[test]
fn two_masses() {
    for (m1, m2, k1, k2) in [(2.0, 1.0, 30.0, 20.0), (1e-3, 50.0, 1.0, 4e4), (7.0, 7.0, 0.5, 0.0)] {
        holds("two-masses/two-masses.holo", &[("one.m", m1), ("two.m", m2), ("one.k", k1), ("two.k", k2)]);
    }
}

/// 2006, cases 5.2 and 5.3: without a mass an equation is missing, and is found.
#[test]
fn hidden_equations() {
    for (k1, k2, m) in [(30.0, 20.0, 1.0), (1.0, 4000.0, 0.02), (5.0, 5.0, 900.0)] {
        let report = holds("massless-first/massless-first.holo", &[("k1", k1), ("k2", k2), ("m2", m)]);
        assert!(report.rows.iter().any(|row| row.name == "hidden.1"), "{report}");
        // Hidden rows exert no force.
        assert!(report.rows.iter().filter(|row| row.name.starts_with("hidden")).all(|row| row.multiplier.abs() < 1e-9));
        let report = holds("massless-second/massless-second.holo", &[("k1", k1), ("k2", k2), ("m1", m)]);
        assert!(report.rows.iter().any(|row| row.name == "hidden.1"), "{report}");
    }
}

/// 2005 (new general principle), example 1: Appell's particle.
#[test]
fn appell() {
    for (a0, alpha, fx) in [(0.1, 1.0, 1.0), (0.0, 1.3, 0.0), (3.0, 0.4, -20.0)] {
        holds("appell/appell.holo", &[("a0", a0), ("alpha", alpha), ("Fx", fx)]);
    }
}

/// 2005 (new general principle), example 2: (35) and (39).
#[test]
fn block() {
    for (m, theta, mu) in [(2.0, 0.5, 0.2), (1e-3, 0.1, 0.05), (300.0, 1.2, 0.9)] {
        holds("block/block.holo", &[("m", m), ("theta", theta), ("mu", mu)]);
        holds("block/by-hand.holo", &[("m", m), ("theta", theta), ("mu", mu)]);
    }
}

/// 2005 (theoretical or experimental), (32).
#[test]
fn bead() {
    for k in [-3.0, 0.0, 0.5, 40.0] {
        holds("bead/bead.holo", &[("k", k)]);
    }
}
