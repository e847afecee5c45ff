//! Forces that jump and hold the motion at their seam, beside closed forms.

use super::{End, Ran, Run, run, run_with};
use holonom_language::Method;

const CLOSE: f64 = 1e-9;

fn stiff(text: &str) -> Ran {
    run_with(text, &Run { method: Some(Method::Stiff), rtol: Some(1e-10), ..Run::default() })
}

/// The times at which something is done at a seam.
fn times(run: &Ran, seam: &str, action: &str) -> Vec<f64> {
    let events = run.outcome.events.iter().filter(|one| one.name == seam && one.action == action);
    events.map(|one| one.time).collect()
}

#[track_caller]
fn finishes(run: &Ran) {
    assert_eq!(run.outcome.end, End::Finished, "{:?}", run.outcome.diagnostics);
}

#[track_caller]
fn close(found: f64, exact: f64) {
    assert!((found - exact).abs() < CLOSE, "{found} is not {exact}: {:e}", found - exact);
}

/// Half a period around +3/k, half a period around −3/k: from 5 to −2 to −1, where the spring is too weak to go on.
#[test]
fn a_spring_is_held_where_it_is_too_weak() {
    let text = "coord x\nkinetic x'^2/2\npotential x^2\nforce x: -3*sign(x')\nstart x = 5\nrun until 10, every 1\n";
    for run in [run(text), stiff(text)] {
        finishes(&run);
        assert_eq!(run.codes(), ["switch-slides"]);
        let half = std::f64::consts::PI / 2f64.sqrt();
        let slides = times(&run, "x' = 0", "slides along it");
        assert_eq!(slides.len(), 1, "{:?}", run.outcome.events);
        assert!((slides[0] - 2.0 * half).abs() < 10.0 * CLOSE, "{}", slides[0] - 2.0 * half);
        close(run.last("x"), -1.0);
        // At rest to the last digit.
        assert_eq!((run.last("x'"), run.last("x''")), (0.0, 0.0));
        let column = run.plan.column("x").unwrap();
        assert!(run.rows[6..].iter().all(|row| row[column] == run.last("x")));
        close(run.last("work.impressed"), 1.0 - 25.0);
        assert!(run.outcome.evidence.energy_imbalance < 1e-7, "{:?}", run.outcome.evidence);
    }
}

/// At rest until 0.7 t = 3 + 2·0.5, then ẍ = −2x + 0.7 t − 3: x = (0.7 t − 3)/2 − 0.35 sin(ωτ)/ω.
#[test]
fn a_growing_force_overcomes_it_at_its_moment() {
    let text = "coord x\nkinetic x'^2/2\nforce x: -2*x + 0.7*t - 3*sign(x')\nstart x = 0.5\nrun until 9, every 9\n";
    for run in [run(text), stiff(text)] {
        finishes(&run);
        let (lets_go, w) = (4.0 / 0.7, 2f64.sqrt());
        assert_eq!(times(&run, "x' = 0", "slides along it"), [0.0]);
        let left = times(&run, "x' = 0", "leaves it");
        assert_eq!(left.len(), 1, "{:?}", run.outcome.events);
        close(left[0], lets_go);
        let since = 9.0 - lets_go;
        close(run.last("x"), (0.7 * 9.0 - 3.0) / 2.0 - 0.35 * (w * since).sin() / w);
        close(run.last("x'"), 0.35 * (1.0 - (w * since).cos()));
    }
}

/// ẍ = −sgn(ẋ + x): while the motion slides, ẋ = −x.
#[test]
fn a_relay_leads_along_its_line() {
    let text = "coord x\nkinetic x'^2/2\nforce x: -sign(x' + x)\nstart x = 0.2, x' = 0.5\nrun until 5, every 0.5\n";
    for run in [run(text), stiff(text)] {
        finishes(&run);
        let reached = 1.65f64.sqrt() - 0.5;
        let slides: Vec<f64> = run.outcome.events.iter().map(|one| one.time).collect();
        assert_eq!(slides.len(), 1, "{:?}", run.outcome.events);
        close(slides[0], reached);
        let x = (reached - 0.5) * (reached - 5.0).exp();
        assert!((run.last("x") - x).abs() < 1e-9 * x.abs().max(1e-2), "{} {x}", run.last("x"));
        // On the line itself, at every record.
        let [x, v] = ["x", "x'"].map(|name| run.plan.column(name).unwrap());
        for row in run.rows.iter().filter(|row| row[0] > reached) {
            assert!((row[x] + row[v]).abs() <= 4.0 * f64::EPSILON * row[x].abs(), "{:?}", row);
        }
        assert!(run.outcome.evidence.energy_imbalance < 1e-8, "{:?}", run.outcome.evidence);
    }
}

/// Both blocks rest until 0.5 t = 3; then x = (τ − sin τ)/2 until the spring overcomes the other one, at x = 2.
#[test]
fn two_blocks_let_go_one_after_the_other() {
    let run = run("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x - y)^2/2\nforce x: 0.5*t - 3*sign(x')\n\
         force y: -2*sign(y')\nstart x = 0, y = 0\nrun until 10, every 1\n");
    finishes(&run);
    let (mut low, mut high) = (3.0f64, 4.0f64);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if middle - middle.sin() < 4.0 { low = middle } else { high = middle }
    }
    close(times(&run, "x' = 0", "leaves it")[0], 6.0);
    close(times(&run, "y' = 0", "leaves it")[0], 6.0 + low);
    assert_eq!(run.at(9.0, "y"), [0.0]);
    close(run.at(9.0, "x")[0], 0.5 * (3.0 - 3f64.sin()));
}

/// M couples both: the second is held with −ẍ/2 while the first moves, which is too much for it at ẍ = 2.
#[test]
fn seams_that_act_on_each_other() {
    let run = run("coord x, y\nkinetic (x'^2 + x'*y' + y'^2)/2\nforce x: 0.4*t - sign(x')\nforce y: -sign(y')\n\
         start x = 0, y = 0\nrun until 8, every 0.5\n");
    finishes(&run);
    close(times(&run, "x' = 0", "leaves it")[0], 2.5);
    close(times(&run, "y' = 0", "leaves it")[0], 7.5);
    close(run.at(7.5, "x")[0], 0.2 / 3.0 * 125.0);
    assert_eq!(run.at(7.0, "y"), [0.0]);
    // Beyond, y goes back: ẍ + ÿ/2 = 0.4 t − 1 and ẍ/2 + ÿ = 1.
    let acceleration = (1.0 - 0.5 * 2.2) / 0.75;
    close(run.last("y''"), acceleration);
}

#[test]
fn a_force_that_stops_holds_what_it_has_stopped() {
    for force in ["-100*sign(x')", "if(x' > 0, -100, 100)", "if(x' < 0, 1, -100)", "-100*sign(2*x')", "100*sign(-x')"] {
        let text = format!("coord x\nkinetic x'^2/2\nforce x: {force}\nstart x = 0, x' = 1\nrun until 1, every 0.5\n");
        let run = run(&text);
        finishes(&run);
        close(run.last("x"), 0.005);
        assert_eq!((run.last("x'"), run.last("x''")), (0.0, 0.0));
        assert!(run.outcome.statistics.steps + run.outcome.statistics.rejected < 60, "{:?}", run.outcome.statistics);
    }
}

/// It stops at t² − 8t + 4 = 0, is held by what is between −2 and 1, and goes on at t = 4.
#[test]
fn forces_that_are_not_symmetrical() {
    let run =
        run("coord x\nkinetic x'^2/2\nforce x: 0.5*t + if(x' > 0, -2, 1)\nstart x = 0, x' = 1\nrun until 6, every 1\n");
    finishes(&run);
    let stop = 4.0 - 12f64.sqrt();
    close(times(&run, "x' = 0", "slides along it")[0], stop);
    close(times(&run, "x' = 0", "leaves it")[0], 4.0);
    close(run.last("x"), stop - stop * stop + stop.powi(3) / 12.0 + 8.0 / 12.0);
}

/// Both sides lead away from the seam, or the motion goes on through it: nothing is held.
#[test]
fn what_is_not_led_back_goes_on() {
    let run = run("coord x\nkinetic x'^2/2\nforce x: sign(x') - 0.1\nstart x = 0\nrun until 2, every 1\n");
    finishes(&run);
    assert!(run.codes().is_empty());
    close(run.last("x"), -2.2);
    let run =
        super::run("coord x\nkinetic x'^2/2\nforce x: 3 - sign(x')\nstart x = 0, x' = -1\nrun until 2, every 1\n");
    finishes(&run);
    assert!(run.codes().is_empty() && run.outcome.events.is_empty());
    close(run.last("x'"), 3.5);
    // A force that jumps with a position swings for ever: quarter periods of √(2/100).
    let run = super::run("coord x\nkinetic x'^2/2\nforce x: -100*sign(x)\nstart x = 1\nrun until 2, every 1\n");
    finishes(&run);
    let quarter = 0.02f64.sqrt();
    // After three periods and a half it begins to come back from −1.
    let since = 2.0 - 14.0 * quarter;
    assert!((run.last("x") - (50.0 * since * since - 1.0)).abs() < 1e-7, "{}", run.last("x"));
}

/// Both come to rest at t = 1, once apart and once with forces that act on both.
#[test]
fn two_seams_are_reached_at_one_moment() {
    let run = run("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x: -sign(x')\nforce y: -2*sign(y')\n\
         start x = 0, y = 0, x' = 1, y' = 2\nrun until 3, every 1\n");
    finishes(&run);
    assert_eq!([run.last("x'"), run.last("y'")], [0.0, 0.0]);
    close(run.last("x"), 0.5);
    close(run.last("y"), 1.0);
    assert_eq!(run.codes(), ["switch-slides"; 2]);
    // ẍ = −1 and ÿ = −1 as long as both move.
    let run = super::run(
        "coord x, y\nkinetic (x'^2 + x'*y' + y'^2)/2\nforce x: -1.5*sign(x')\nforce y: -1.5*sign(y')\n\
         start x = 0, y = 0, x' = 1, y' = 1\nrun until 3, every 1\n",
    );
    finishes(&run);
    close(run.last("x"), 0.5);
    close(run.last("y"), 0.5);
}

/// A bead on an inclined wire: (1 + ¼) ẍ = 1 ∓ 3.
#[test]
fn a_bead_on_a_wire_is_held() {
    let run = run("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint wire: y = x/2\nforce x: 1 - 3*sign(x')\n\
         start x = 0, x' = 1\nrun until 3, every 1\n");
    finishes(&run);
    close(run.last("x"), 0.3125);
    close(run.last("y"), 0.156_25);
    assert!(run.last("x'").abs() < 1e-15 && run.last("y'").abs() < 1e-15);
}

/// What holds a block is changed while it holds, and the block is pushed: both are decided anew.
#[test]
fn events_change_what_holds() {
    let text = "param c = 3\ncoord x\nkinetic x'^2/2\nforce x: 2 - c*sign(x')\nstart x = 0\n\
         event weaker: t > 1 -> set c = 1\nevent stronger: t > 2 -> set c = 4\nrun until 4, every 1\n";
    let run = run(text);
    finishes(&run);
    // ẍ = 1 for a second, then −2.
    close(run.last("x"), 0.5 + 0.25);
    assert_eq!(run.last("x'"), 0.0);
    assert_eq!(times(&run, "x' = 0", "leaves it"), times(&run, "weaker", "set c = 1"), "{:?}", run.outcome.events);
    let run = super::run(
        "coord x\nkinetic x'^2/2\nforce x: -sign(x')\nstart x = 0\nevent push: t > 1 -> set x' = 1\nrun until 3, every 1\n",
    );
    finishes(&run);
    close(run.last("x"), 0.5);
    assert_eq!(run.codes(), ["switch-slides"]);
}

/// What each force is depends on the side of the other seam: what lies between them all is not determined.
#[test]
fn forces_that_cannot_be_told_apart_end_the_run() {
    let run = run("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x: -sign(x')*(2 + sign(y'))\nforce y: -sign(y')\n\
         start x = 0, y = 0, x' = 1, y' = 0.1\nrun until 3, every 1\n");
    assert_eq!(run.outcome.end, End::Failed);
    assert_eq!(run.codes().last(), Some(&"switch-chatters"), "{:?}", run.outcome.diagnostics);
}
