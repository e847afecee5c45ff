//! Touches with next to no speed: an impact changes velocities by the root of its depth, so that errors of a run would become large.

use super::running::{Ran, run, with};
use std::f64::consts::TAU;

/// Whether a touch goes below zero or stays above hangs on the errors of a run: some of these do.
const TOLERANCES: [f64; 9] = [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 3e-9, 1e-9, 1e-10, 1e-11];

/// A mass on a spring with a stop at 0.3, between other statements.
fn at_stop(more: &str) -> String {
    format!(
        "param k = 3, m = 2, W = sqrt(k/m)
coord x
kinetic m*x'^2/2
potential k*x^2/2
constraint stop: x <= 0.3
start x = 0, x' = 1
{more}"
    )
}

/// Its frequency, and when it meets the stop: sin ωt = 0.3 ω.
fn omega_and_meeting() -> (f64, f64) {
    let omega = 1.5_f64.sqrt();
    (omega, (0.3 * omega).asin() / omega)
}

/// x: the stop takes all of the speed, and the mass comes back to it with none, period after period.
fn position(t: f64) -> f64 {
    let (omega, meeting) = omega_and_meeting();
    if t < meeting { (omega * t).sin() / omega } else { 0.3 * (omega * (t - meeting)).cos() }
}

/// How often something happened to a constraint, by how it is told.
fn count(run: &Ran, name: &str, action: &str) -> usize {
    run.outcome.events.iter().filter(|event| event.name == name && event.action.starts_with(action)).count()
}

/// How often it was said that a touch is unclear.
fn doubts(run: &Ran) -> usize {
    run.outcome.diagnostics.iter().filter(|one| one.code == "touch-unclear").count()
}

#[test]
fn an_oscillator_comes_back_to_its_stop_with_no_speed() {
    let (omega, meeting) = omega_and_meeting();
    let until = meeting + 10.5 * TAU / omega;
    let mut grazes = 0;
    for rtol in TOLERANCES.into_iter().chain([1e-12, 1e-13]) {
        let run = run(&at_stop(&format!("run until {until}, rtol = {rtol}")), &with(|_| ()), &[]);
        let worst = run.deviation(["x"], |t| [position(t)]);
        assert!(worst < 2.0 * rtol.max(1e-12), "rtol = {rtol:e}: {worst:e}");
        assert_eq!(count(&run, "stop", "touches"), 1, "rtol = {rtol:e}: {:?}", run.outcome.events);
        let found = count(&run, "stop", "grazes");
        assert_eq!(doubts(&run), found.min(1), "rtol = {rtol:e}: said once");
        grazes += found;
    }
    assert!(grazes > 10, "there is nothing to test");
}

/// −A cos ωt with a stop at A − d: the speed there is ω √(2Ad − d²). A tolerance that resolves d sees the impact, one that does not says so.
#[test]
fn a_slow_impact_is_found_by_a_tolerance_that_resolves_it() {
    let text = |d: f64, rtol: f64| {
        format!(
            "param d = {d}
coord x
kinetic x'^2
potential 2*x^2
constraint stop: x <= 0.5 - d, restitution = 0.5
start x = -0.5, x' = 0
run until 3, rtol = {rtol}"
        )
    };
    for d in [1e-5_f64, 1e-7, 1e-9] {
        let speed = 2.0_f64.sqrt() * (d * (1.0 - d)).sqrt();
        let fine = run(&text(d, d / 20.0), &with(|_| ()), &[]);
        assert_eq!((count(&fine, "stop", "bounces"), doubts(&fine)), (1, 0), "d = {d:e}: {:?}", fine.outcome.events);
        let impulse: f64 = fine.outcome.events[0].action.rsplit(' ').next().unwrap().parse().unwrap();
        // m (1 + r) u, and what an error of the tolerance makes of u.
        assert!((impulse / (2.0 * 1.5 * speed) - 1.0).abs() < 0.05, "d = {d:e}: {impulse}");
        let coarse = run(&text(d, 20.0 * d), &with(|_| ()), &[]);
        assert_eq!(
            (count(&coarse, "stop", "grazes"), doubts(&coarse)),
            (1, 1),
            "d = {d:e}: {:?}",
            coarse.outcome.events
        );
    }
}

/// A body that a damped spring brings to a place d beyond a stop arrives slowly and does not turn back: it comes to rest at the stop.
#[test]
fn a_body_that_arrives_slowly_stays() {
    let text = |d: f64, rtol: f64| {
        format!(
            "coord x
kinetic x'^2/2
force x: -3*x' - 2*(x - 1 - {d})
constraint stop: x <= 1
start x = 0, x' = 1
run until 40, rtol = {rtol}"
        )
    };
    for rtol in [1e-3, 1e-6, 1e-9, 1e-12] {
        for d in (0..18).map(|i| 3e-2 * 0.2_f64.powi(i)).chain([rtol, 2.0 * rtol, 0.0]) {
            let run = run(&text(d, rtol), &with(|_| ()), &[]);
            let what = format!("rtol = {rtol:e}, d = {d:e}: {:?}", run.outcome.events);
            assert_eq!(count(&run, "stop", "catches"), 1, "{what}");
            let [x, v] = run.last(["x", "x'"]);
            assert!((x - 1.0).abs() < 1e-15 && v.abs() < 1e-15, "{what}: {x} {v}");
        }
    }
}

/// The same oscillator on a block that friction holds on the ground, which a graze does not wake.
#[test]
fn a_graze_beside_a_contact_that_sticks() {
    let (omega, meeting) = omega_and_meeting();
    let until = meeting + 6.5 * TAU / omega;
    let mut grazes = 0;
    for rtol in TOLERANCES {
        let text = format!(
            "param k = 3, m = 2
coord x, s, h
kinetic m*x'^2/2
particle block: 5 at (s, h)
gravity (0, -9.81)
potential k*(x - s)^2/2
constraint stop: x <= 0.3, ground: h = 0
friction ground: coulomb(0.4)
start x = 0, x' = 1, s = 0, h = 0
run until {until}, rtol = {rtol}"
        );
        let run = run(&text, &with(|_| ()), &[]);
        grazes += count(&run, "stop", "grazes");
        let worst = run.deviation(["x", "s"], |t| [position(t), 0.0]);
        assert!(worst < 10.0 * rtol, "rtol = {rtol:e}: {worst:e}");
        assert_eq!(count(&run, "ground", ""), 0, "{:?}", run.outcome.events);
    }
    assert!(grazes > 0, "there is nothing to test");
}

/// In the middle of a graze something else is struck: that is an impact, and the graze stays one. One warning is enough for two that graze.
#[test]
fn a_blow_beside_grazes() {
    let (omega, meeting) = omega_and_meeting();
    let back = meeting + TAU / omega;
    let until = meeting + 3.5 * TAU / omega;
    let mut grazes = [0; 2];
    for rtol in TOLERANCES {
        let text = format!(
            "coord x, y, z
kinetic x'^2 + y'^2/2 + z'^2
potential 3*x^2/2 + 3*z^2/2
constraint stop: x <= 0.3, wall: y >= 0, restitution = 0.7
constraint other: z <= 0.3
start x = 0, x' = 1, z = 0, z' = 1, y = {}, y' = -0.2
run until {until}, rtol = {rtol}",
            0.2 * back
        );
        let run = run(&text, &with(|_| ()), &[]);
        let y = |t: f64| if t < back { 0.2 * (back - t) } else { 0.14 * (t - back) };
        let worst = run.deviation(["x", "y", "z"], |t| [position(t), y(t), position(t)]);
        assert!(worst < 2.0 * rtol, "rtol = {rtol:e}: {worst:e}, {:?}", run.outcome.events);
        let found = ["stop", "other"].map(|name| count(&run, name, "grazes"));
        assert_eq!(doubts(&run), usize::from(found != [0, 0]));
        (grazes[0], grazes[1]) = (grazes[0] + found[0], grazes[1] + found[1]);
    }
    assert!(!grazes.contains(&0), "there is nothing to test");
}

/// What is driven on in the middle of a graze is struck.
#[test]
fn a_kick_into_the_stop_in_the_middle_of_a_graze() {
    let (omega, meeting) = omega_and_meeting();
    let back = meeting + TAU / omega;
    for rtol in [1e-4_f64, 1e-6, 1e-9, 1e-12] {
        let more = format!("event kick: t > {back} -> set x' = 0.5\nrun until {}, rtol = {rtol}", back + 2.0);
        let run = run(&at_stop(&more), &with(|_| ()), &[]);
        let impulses = run.outcome.events.iter().filter(|event| event.action.starts_with("touches"));
        let impulses: Vec<f64> =
            impulses.map(|event| event.action.rsplit(' ').next().unwrap().parse().unwrap()).collect();
        assert!(
            impulses.len() == 2 && (impulses[1] - 1.0).abs() < 10.0 * rtol,
            "rtol = {rtol:e}: {:?}",
            run.outcome.events
        );
        let worst = run.deviation(["x"], |t| [position(t)]);
        assert!(worst < 3.0 * rtol.max(1e-12), "rtol = {rtol:e}: {worst:e}");
    }
}

/// A start has no errors: what closes there is struck, however slowly, and what only touches is not.
#[test]
fn a_start_at_the_stop() {
    for (speed, blows) in [(0.0, 0), (1e-7, 1), (-1e-7, 0)] {
        let text = at_stop("run until 1, rtol = 1e-8").replace("x = 0, x' = 1", &format!("x = 0.3, x' = {speed}"));
        let run = run(&text, &with(|_| ()), &[]);
        assert_eq!(count(&run, "stop", "touches"), blows, "{:?}", run.outcome.events);
        assert_eq!((count(&run, "stop", "grazes"), doubts(&run)), (0, 0));
    }
}
