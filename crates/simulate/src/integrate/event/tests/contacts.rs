//! Contacts as sources of events: what changes twice inside a step, and limits that are reached exactly.

use super::*;

const BLOCK: &str = "param g = 10, mu = 0.5, k = 1, c = 0.4, w = 1\ncoord x, y\nparticle block: 1 at (x, y)\ngravity (0, -g)\n\
    constraint table: y = 0\nfriction table: coulomb(mu)\n";

fn loosely() -> Run {
    Run { rtol: Some(1e-3), ..Run::default() }
}

/// x″ = k(t − 1) while it slides: 0.1 would be missing at t = 1, where it rests instead; then x′ = k(t − 1)²/2.
#[test]
fn a_block_that_rests_inside_a_long_step_is_held_there() {
    for slope in [1.0f64, 4.0] {
        let run = run_with(
            &format!(
                "{BLOCK}force x: mu*g + {slope}*(t - 1)\nstart x = 0, y = 0, x' = {}\nrun until 10, every 10\n",
                0.5 * slope - 0.1
            ),
            &loosely(),
        );
        let words: Vec<&str> = run.outcome.events.iter().map(|one| one.action.as_str()).collect();
        assert_eq!(words, ["sticks", "slides"], "{:?}", run.outcome.events);
        let stop = 1.0 - (0.2 / slope).sqrt();
        assert!((run.outcome.events[0].time - stop).abs() < 1e-9, "{:?}", run.outcome.events);
        assert!((run.outcome.events[1].time - 1.0).abs() < 1e-9, "{:?}", run.outcome.events);
        assert!((run.last("x'") - 40.5 * slope).abs() < 1e-8, "{}", run.last("x'") - 40.5 * slope);
    }
}

/// x′ = c + k sin ωt while it slides: it stops where that is zero, and goes on from ωt = 3π/2 with k(1 + sin ωt).
#[test]
fn a_block_that_is_shaken_rests_for_a_part_of_the_period() {
    for (w, c) in [(1.0, 0.4), (1.0, 0.9), (0.3, 0.95), (2.0, 0.8)] {
        let until = 6.0 / w;
        let run = run_with(
            &format!(
                "{BLOCK}force x: mu*g + {w}*cos({w}*t)\nstart x = 0, y = 0, x' = {c}\nrun until {until}, every {until}\n"
            ),
            &loosely(),
        );
        let exact = 1.0 + 6.0f64.sin();
        assert!((run.last("x'") - exact).abs() < 2e-3, "{w} {c}: {} {exact}", run.last("x'"));
        let times: Vec<f64> = run.outcome.events.iter().map(|one| w * one.time).collect();
        let stop = std::f64::consts::PI + f64::asin(c);
        assert!(times.len() == 2 && (times[0] - stop).abs() < 2e-2, "{w} {c}: {times:?} {stop}");
        assert!((times[1] - 1.5 * std::f64::consts::PI).abs() < 1e-9, "{w} {c}: {times:?}");
    }
}

/// A push that is above the limit for a while, in a step that is longer: the block moves.
#[test]
fn a_limit_that_is_passed_inside_a_step_is_noticed() {
    let run = run(&format!("{BLOCK}force x: mu*g + 0.04 - (t - 3)^2\nstart x = 0, y = 0\nrun until 6, every 6\n"));
    let words: Vec<&str> = run.outcome.events.iter().map(|one| one.action.as_str()).collect();
    assert_eq!(words, ["slides", "sticks"], "{:?}", run.outcome.events);
    assert!((run.outcome.events[0].time - 2.8).abs() < 1e-9);
    // ∫(0.04 − s²) from −0.2 vanishes at s = 0.4.
    assert!((run.outcome.events[1].time - 3.4).abs() < 1e-7, "{:?}", run.outcome.events);
    let s: f64 = 0.4;
    let exact = 0.02 * (s * s - 0.04) - (s.powi(4) - 0.0016) / 12.0 + (0.008 - 0.008 / 3.0) * (s + 0.2);
    assert!((run.last("x") - exact).abs() < 1e-7, "{} {exact}", run.last("x"));
}

/// x″ = k t − µ g from t = µ g/k on.
#[test]
fn a_contact_lets_go_where_its_limit_is_reached() {
    for (mu, k) in [(0.5, 1.0), (0.3, 0.01), (0.7, 30.0)] {
        let start = mu * 10.0 / k;
        let until = 2.0 * start;
        let run = run(&format!(
            "{}force x: {k}*t\nstart x = 0, y = 0\nrun until {until}, every {until}, rtol = 1e-12\n",
            BLOCK.replace("mu = 0.5", &format!("mu = {mu}"))
        ));
        let event = &run.outcome.events[0];
        assert!((event.time / start - 1.0).abs() < 1e-13, "{mu} {k}: {:e}", event.time / start - 1.0);
        let exact = k * start.powi(3) / 6.0;
        assert!((run.last("x") / exact - 1.0).abs() < 1e-12, "{mu} {k}: {:e}", run.last("x") / exact - 1.0);
    }
}

/// Exactly at its limit, and no more: it sticks, whatever rounding makes of it.
#[test]
fn a_contact_at_its_limit_sticks() {
    for degrees in [10.0f64, 23.0, 30.0, 41.3, 60.0] {
        let th = degrees.to_radians();
        let run = run(&format!(
            "param g = 9.81, th = {th}, mu = tan(th)\ncoord x, y\nparticle block: 3 at (x, y)\ngravity (0, -g)\n\
             constraint plane: y*cos(th) = x*sin(th)\nfriction plane: coulomb(mu)\nstart x = 0.7\nrun until 5, every 1\n"
        ));
        assert!(run.outcome.events.is_empty(), "{degrees}: {:?}", run.outcome.events);
        assert!(run.last("x'") == 0.0 && run.last("x") == 0.7, "{degrees}: {}", run.last("x'"));
    }
}
