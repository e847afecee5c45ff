//! Events along runs, beside closed forms.

mod contacts;
mod held;
mod seams;
mod zero;

use crate::integrate::{End, Outcome, Plan, RecordedRows, Run, plan};
use holonom_language::from_text;
use holonom_mechanics::compile::CompiledSystem;
use holonom_mechanics::derive::derive;

struct Ran {
    plan: Plan,
    rows: Vec<Vec<f64>>,
    outcome: Outcome,
}

impl Ran {
    fn last(&self, name: &str) -> f64 {
        self.rows.last().unwrap()[self.plan.column(name).unwrap()]
    }

    /// The values of a column at records of a time.
    fn at(&self, t: f64, name: &str) -> Vec<f64> {
        let column = self.plan.column(name).unwrap();
        self.rows.iter().filter(|row| (row[0] - t).abs() < 1e-9).map(|row| row[column]).collect()
    }

    fn times(&self, event: &str) -> Vec<f64> {
        self.outcome.events.iter().filter(|one| one.name == event).map(|one| one.time).collect()
    }

    fn codes(&self) -> Vec<&'static str> {
        self.outcome.diagnostics.iter().map(|message| message.code).collect()
    }
}

fn run(text: &str) -> Ran {
    run_with(text, &Run::default())
}

fn run_with(text: &str, options: &Run) -> Ran {
    let loaded = from_text("event.holo", text);
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let system = CompiledSystem::new(derive(model).unwrap().value);
    let plan = plan(&system, options).unwrap_or_else(|messages| panic!("{messages:?}")).value;
    let mut trajectory = RecordedRows::default();
    let outcome = plan.run(&mut trajectory);
    Ran { plan, rows: trajectory.rows, outcome }
}

const BALL: &str = "param g = 9.81, r = 0.8\ncoord y\nparticle ball: 2 at (0, y)\ngravity (0, -g)\n\
    constraint floor: y = 0, off\nstart y = 1\n";

/// Bounces at t₁ = √(2h/g), then after 2 rⁿ t₁ each.
#[test]
fn a_ball_bounces_at_the_times_of_the_closed_form() {
    let first = (2.0f64 / 9.81).sqrt();
    for event in ["y < 0 -> set y' = -r*y'", "y falls -> impact floor, restitution = r", "y crosses -> set y' = -r*y'"]
    {
        let run = run(&format!("{BALL}event bounce: {event}\nrun until 3, every 0.5\n"));
        assert_eq!(run.outcome.end, End::Finished, "{:?}", run.outcome.diagnostics);
        let times = run.times("bounce");
        let (mut t, mut flight) = (first, 2.0 * first * 0.8);
        let mut expected = Vec::new();
        while t < 3.0 {
            expected.push(t);
            (t, flight) = (t + flight, flight * 0.8);
        }
        assert_eq!(times.len(), expected.len(), "{event}");
        for (found, exact) in times.iter().zip(&expected) {
            assert!((found - exact).abs() < 1e-10, "{event}: {found} {exact}");
        }
        // What the impacts took is known, and no imbalance.
        let lost = 2.0 * 9.81 * (0.8f64.powi(2 * times.len() as i32) - 1.0);
        assert!((run.outcome.evidence.energy_of_events - lost).abs() < 1e-9);
        assert!(run.outcome.evidence.energy_imbalance < 1e-9);
    }
}

#[test]
fn bounces_without_end_are_named() {
    let text = BALL.replace("r = 0.8", "r = 0.5");
    let run = run(&format!("{text}event bounce: y falls -> impact floor, restitution = r\nrun until 3\n"));
    assert_eq!(run.outcome.end, End::Failed);
    assert_eq!(run.codes(), ["event-zeno"]);
    // Σ = t₁(1 + 2r/(1 − r)) = 3 t₁
    assert!((run.outcome.time - 3.0 * (2.0f64 / 9.81).sqrt()).abs() < 1e-9, "{}", run.outcome.time);
    // A ball that is stopped and not held comes to the same; one that begins at the margin of its event too.
    for text in [text.clone(), BALL.replace("start y = 1", "start y = 0")] {
        let run = self::run(&format!("{text}event bounce: y < 0 -> set y' = 0\nrun until 3\n"));
        assert_eq!(run.codes(), ["event-zeno"]);
    }
    // Held there by a constraint, it rests.
    let run = self::run(&format!(
        "{text}event bounce: y < 0 and y' < -0.05 -> impact floor, restitution = r\n\
         event rest: y < 0 and y' > -0.05 -> add floor\nrun until 3\n"
    ));
    assert_eq!(run.outcome.end, End::Finished, "{:?}", run.outcome.diagnostics);
    assert!(run.last("y").abs() < 1e-13 && run.last("y'").abs() < 1e-13, "{} {}", run.last("y"), run.last("y'"));
    assert!((run.last("multiplier.floor") - 2.0 * 9.81).abs() < 1e-12);
}

const PENDULUM: &str = "param g = 9.81\ncoord x, y\nparticle bob: 1 at (x, y)\ngravity (0, -g)\n\
    constraint rod: x^2 + y^2 = 1\nstart x = 1, y = 0\n";

/// The time to the bottom is a quarter of the period, K(1/√2)/√g; the directions alternate.
#[test]
fn a_pendulum_passes_the_bottom() {
    let quarter = 1.854_074_677_301_371_8 / 9.81f64.sqrt();
    let run = run(&format!(
        "{PENDULUM}event falls: x falls -> record\nevent rises: x rises -> record\nevent both: x crosses -> record\n\
         event swings: y > -0.5 -> record\nrun until 5, every 5, rtol = 1e-13\n"
    ));
    let odd = |k: usize| (2 * k + 1) as f64 * quarter;
    let both = run.times("both");
    assert_eq!(both.len(), 4);
    for (k, t) in both.iter().enumerate() {
        assert!((t - odd(k)).abs() < 1e-11, "{k}: {}", t - odd(k));
    }
    assert!((both[0] - quarter).abs() < 1e-12);
    assert_eq!(run.times("falls"), [both[0], both[2]]);
    assert_eq!(run.times("rises"), [both[1], both[3]]);
    assert_eq!(run.times("swings").len(), 4);
    // It is true at the start, and that is said.
    assert_eq!(run.codes(), ["event-at-start"]);
    assert_eq!(run.rows.len(), 2 + 4 + 4);
    // Together at one instant: in the order of the file.
    let names: Vec<&str> = run.outcome.events.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names[..3], ["falls", "both", "swings"]);
}

#[test]
fn stop_ends_the_run_where_it_is_recorded() {
    let run = run("coord x\nkinetic x'^2/2\nstart x = 0, x' = 2\nevent done: x > 3 -> stop\nrun until 10, every 1\n");
    assert_eq!(run.outcome.end, End::Stopped { event: "done".into() });
    assert!((run.outcome.time - 1.5).abs() < 1e-13);
    assert!((run.last("x") - 3.0).abs() < 1e-13);
    assert_eq!(run.rows.len(), 3);
}

/// A spring that becomes four times as stiff at x = 0: half a period of each.
#[test]
fn a_parameter_is_set() {
    let run = run("param k = 1, w = sqrt(k)\ncoord x\nkinetic x'^2/2\nforce x: -w^2*x\nstart x = 1\n\
         event stiff: x falls -> set k = 4*k\noutput stiffness: w^2\nrun until 2, every 1\n");
    let t = std::f64::consts::FRAC_PI_2;
    assert!((run.times("stiff")[0] - t).abs() < 1e-10);
    let x = -0.5 * (2.0 * (2.0 - t)).sin();
    assert!((run.last("x") - x).abs() < 1e-9 && run.last("stiffness") == 4.0, "{} {x}", run.last("x"));
}

/// All right sides are the state before.
#[test]
fn assignments_are_simultaneous() {
    let run = run("coord x, y\nkinetic (x'^2 + y'^2)/2\nstart x = 0, y = 5, x' = 1, y' = 3\n\
         event swap: x > 2 -> set x' = y', set y' = x', set x = y\nrun until 2\n");
    assert!((run.last("x'") - 3.0).abs() < 1e-12 && (run.last("y'") - 1.0).abs() < 1e-12);
    assert!((run.last("x") - 11.0).abs() < 1e-12 && (run.last("y") - 11.0).abs() < 1e-12);
}

/// A pendulum whose rod is cut at the bottom flies a parabola, with v² = 2g.
#[test]
fn a_rod_is_cut() {
    let run = run(&format!("{PENDULUM}event cut: x falls -> drop rod\nrun until 2, every 0.01\n"));
    let t0 = run.times("cut")[0];
    let v = (2.0f64 * 9.81).sqrt();
    let flown = 2.0 - t0;
    assert!((run.last("x") + v * flown).abs() < 1e-7, "{}", run.last("x") + v * flown);
    assert!((run.last("y") + 1.0 + 0.5 * 9.81 * flown * flown).abs() < 1e-7);
    assert_eq!(run.last("multiplier.rod"), 0.0);
    assert!(run.outcome.evidence.energy_imbalance < 1e-6);
}

/// A particle is caught by a rod: what moves along the rod is lost, m v²/2 of it.
#[test]
fn a_rod_catches_a_particle() {
    let text =
        "coord x, y\nparticle p: 2 at (x, y)\nconstraint rod: x^2 + y^2 = 1, off\nstart x = 2, y = 0.6, x' = -3\n";
    let run = run(&format!("{text}event catch: x^2 + y^2 - 1 falls -> add rod\nrun until 2, every 0.1\n"));
    // At (0.8, 0.6) with v = (−3, 0): the tangent (−0.6, 0.8) keeps 1.8.
    assert!((run.times("catch")[0] - 0.4).abs() < 1e-12);
    let speed = run.last("x'").hypot(run.last("y'"));
    assert!((speed - 1.8).abs() < 1e-9, "{speed}");
    let angle = 0.6f64.atan2(0.8) + 1.8 * 1.6;
    assert!((run.last("x") - angle.cos()).abs() < 1e-8);
    assert!((run.outcome.evidence.energy_of_events - (1.8 * 1.8 - 9.0)).abs() < 1e-9);
    assert!(run.outcome.evidence.energy_imbalance < 1e-8);
    let late = self::run(&format!("{text}event catch: t > 0.1 -> add rod\nrun until 2, every 0.1\n"));
    assert_eq!(late.codes(), ["add-violated"]);
}

/// What an event changes may let another happen at the same instant.
#[test]
fn an_event_follows_from_another() {
    let run = run("param k = 1\ncoord x\nkinetic x'^2/2\nforce x: k - 1\nstart x = 0, x' = 1\n\
         event first: x > 1 -> set k = 3\nevent second: k > 2 -> record\nevent third: x > 1 -> record\nrun until 2, every 2\n");
    let names: Vec<&str> = run.outcome.events.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["first", "third", "second"]);
    assert!(run.outcome.events.iter().all(|one| (one.time - 1.0).abs() < 1e-13));
    assert!((run.last("x") - 3.0).abs() < 1e-12);
}

/// Each record stands where its event asks for it: before or after what changes.
#[test]
fn records_stand_before_and_after() {
    let run = run("coord x\nkinetic x'^2/2\nstart x = 0, x' = 1\n\
         event turn: x > 1 -> record, set x' = -2*x', record\nrun until 1.25, every 10\n");
    assert_eq!(run.at(1.0, "x'").iter().map(|v| v.round()).collect::<Vec<_>>(), [1.0, -2.0]);
}

/// An event that depends on a force: the rod of a pendulum that is thrown over goes slack where g sin = v².
#[test]
fn a_string_goes_slack() {
    let text = PENDULUM.replace("start x = 1, y = 0", "start x = 0, y = -1, x' = 6");
    let run = run(&format!("{text}event slack: multiplier(rod) rises -> drop rod, stop\nrun until 3\n"));
    // v² = 36 − 2g(1 + y) and v² = g y: y = (36 − 2g)/(3g)
    let y = (36.0 - 2.0 * 9.81) / (3.0 * 9.81);
    assert!((run.last("y") - y).abs() < 1e-8, "{} {y} {:?}", run.last("y"), run.outcome.diagnostics);
}

/// |x| pulls to the left: x″ = −sign, in pieces of parabolas, exact with steps that end at the seams.
#[test]
fn steps_end_at_seams() {
    let run = run("coord x\nkinetic x'^2/2\nforce x: -sign(x)\nstart x = 1, x' = 0\nrun until 10, every 10\n");
    // A quarter takes √2.
    let (quarter, t) = (2f64.sqrt(), 10.0);
    let phase = t - 4.0 * quarter; // into the second period
    let x = 1.0 - 0.5 * (phase - 4.0 * quarter) * (phase - 4.0 * quarter);
    assert!((run.last("x") - x).abs() < 1e-9, "{} {x}", run.last("x"));
    let rejected = run.outcome.statistics.rejected;
    assert!(rejected < 200, "{rejected}");
    assert!(run.outcome.events.is_empty());
}

/// x″ = −x − sign(x): arcs of 2 cos t − 1, a period of 4π/3. The same written without a seam loses digits, and pays for it.
#[test]
fn a_seam_costs_no_accuracy() {
    let until = 40.0 * std::f64::consts::PI / 3.0;
    let error_and_work = |sign: &str| {
        let run = run(&format!(
            "coord x\nkinetic x'^2/2\nforce x: -x - {sign}\nstart x = 1\nrun until {until}, every {until}, rtol = 1e-10\n"
        ));
        // At the turning point, x' tells how late it is.
        (run.last("x'").abs(), run.outcome.statistics.evaluations)
    };
    let (with, without) = (error_and_work("sign(x)"), error_and_work("x/(x^2 + 1e-30)^0.5"));
    assert!(with.0 < 3e-9 && 3.0 * with.0 < without.0, "{with:?} {without:?}");
}

/// A spring four times as stiff on one side, by |x|: a period of π + π/2.
#[test]
fn a_kink_keeps_the_order() {
    let period = 1.5 * std::f64::consts::PI;
    let error = |rtol: &str| {
        let run = run(&format!(
            "coord x\nkinetic x'^2/2\nforce x: -2.5*x + 1.5*abs(x)\nstart x = 1\n\
             run until {0}, every {0}, rtol = {rtol}\n",
            10.0 * period
        ));
        (run.last("x'").abs(), run.outcome.statistics.evaluations as f64)
    };
    let (coarse, fine) = (error("1e-6"), error("1e-10"));
    // Ten thousand times as exact for 10^(4/8) times the work, and some for the seams.
    assert!(coarse.0 < 1e-5 && fine.0 < 1e-9, "{coarse:?} {fine:?}");
    assert!(fine.1 < 4.0 * coarse.1, "{coarse:?} {fine:?}");
}

/// A force of a constraint that holds a velocity at zero by its sign: the run ends there at once, and says where.
#[test]
fn a_switch_that_chatters_ends_the_run() {
    for (force, stop) in
        [("-sign(x') - 0.1*t", 0.954_451_150_103_322), ("-100*sign(x')", 0.01), ("if(x' > 0, -4, 4)", 0.25)]
    {
        let run = run(&format!(
            "coord x, y\nparticle bead: 1 at (x, y)\nconstraint wire: y = 0\nnonideal wire on bead: ({force}, 0)\n\
             start x = 0, x' = 1\nrun until 2, every 1\n"
        ));
        assert_eq!(run.codes(), ["switch-chatters"], "{:?}", run.outcome.diagnostics);
        assert!(run.outcome.diagnostics[0].message.contains("x'`"), "{:?}", run.outcome.diagnostics);
        assert!((run.outcome.time - stop).abs() < 1e-9, "{force}: {}", run.outcome.time);
        // Error control rejects steps across the jump until one ends close enough to it.
        let steps = run.outcome.statistics.steps + run.outcome.statistics.rejected;
        assert!(steps < 150, "{force}: {steps}");
    }
}

#[test]
fn expectations_are_held_against_every_record() {
    let run = run(&format!(
        "{PENDULUM}expect constant energy()\nexpect x^2 + y^2 - 1 = 0\nexpect y < 0.5\nexpect at start x = 1\n\
         expect constant energy() within 1e-16\nexpect y < -0.5 or x > 0\nrun until 5, every 0.1\n"
    ));
    let holds: Vec<bool> = run.outcome.expectations.iter().map(|one| one.holds).collect();
    assert_eq!(holds, [true, true, true, true, false, false]);
    assert_eq!(run.codes(), ["expect-failed"; 2]);
    assert_eq!(run.outcome.expectations[0].line, 7);
}

/// A seat on two ropes does not turn, but for rounding, and its angle has no other angle beside it to be measured by.
#[test]
fn a_claim_about_zero_is_measured_by_the_motion() {
    let seat = "param m = 30 kg, J = 20 kg*m^2, L = 2 m, w = 3 m, g = 9.81 m/s^2\ncoord x: m, y: m, phi: rad\n\
        particle seat: m at (x, y)\nkinetic J*phi'^2/2\ngravity (0, -g)\nlet half = w/2*(cos(phi), sin(phi))\n\
        constraint left: dot(seat - half + (w/2, 0), seat - half + (w/2, 0)) = L^2\n\
        constraint right: dot(seat + half - (w/2, 0), seat + half - (w/2, 0)) = L^2\n\
        start seat = (1.2 m, -1.6 m), phi = 0\nexpect phi = 0\nexpect phi' = 0\nexpect 0 = sin(phi)\nrun until 10 s\n";
    let holds = |run: &Ran| run.outcome.expectations.iter().map(|one| one.holds).collect::<Vec<bool>>();
    let still = run(seat);
    assert_eq!(holds(&still), [true; 3], "{:?}", still.outcome.expectations);
    let phi = still.plan.column("phi").unwrap();
    assert!(still.rows.iter().any(|row| row[phi] != 0.0), "there is nothing to measure");
    // The same without units, where the angle is measured by the others.
    let bare = seat.replace(" kg*m^2", "").replace(" kg", "").replace(" m/s^2", "").replace(": rad", "");
    let bare = bare.replace(": m,", ",").replace(" m,", ",").replace(" m)", ")").replace("10 s", "10");
    assert_eq!(holds(&run(&bare)), [true; 3]);
    // Something turns it a little: a millionth of the way that it goes.
    let turned = "coord x: m, phi: rad\nkinetic (2 kg)*x'^2/2 + (3 kg*m^2)*phi'^2/2\nforce phi: 3e-6 kg*m^2/s^2\n\
        start x = 0 m, x' = 1 m/s, phi = 0\nexpect phi = 0\nexpect phi' = 0\nrun until 1 s\n";
    assert_eq!(holds(&run(turned)), [false; 2]);
}

/// A block slides on a rough plane until it is struck: friction goes on from the new velocity, and goes with its plane.
#[test]
fn friction_goes_with_its_constraint() {
    let text = "param g = 9.81, mu = 0.2\ncoord x, y\nparticle block: 2 at (x, y)\ngravity (0, -g)\n\
        constraint plane: y = 0\nfriction plane: coulomb(mu)\nstart x = 0, y = 0, x' = 2\n";
    let end = run(&format!("{text}event kick: x > 0.5 -> set x' = -x'\nrun until 0.5, every 0.5\n"));
    let v = (4.0f64 - 2.0 * 0.2 * 9.81 * 0.5).sqrt();
    let t = (2.0 - v) / (0.2 * 9.81);
    assert!((end.times("kick")[0] - t).abs() < 1e-10);
    assert!((end.last("x'") + v - 0.2 * 9.81 * (0.5 - t)).abs() < 1e-9, "{}", end.last("x'"));
    let end = run(&format!("{text}event edge: x > 0.5 -> drop plane\nrun until 0.5, every 0.5\n"));
    assert!((end.last("x'") - v).abs() < 1e-9);
    assert!((end.last("y") + 0.5 * 9.81 * (0.5 - t) * (0.5 - t)).abs() < 1e-9);
}

/// The same by the stiff method.
#[test]
fn the_stiff_method_finds_events_too() {
    let run = run("param k = 1\ncoord x\nkinetic x'^2/2\nforce x: -k*x\nstart x = 1\n\
         event stiff: x falls -> set k = 4*k\nrun until 2, every 1, method = stiff\n");
    let t = std::f64::consts::FRAC_PI_2;
    assert!((run.times("stiff")[0] - t).abs() < 1e-7, "{}", run.times("stiff")[0] - t);
    assert!((run.last("x") + 0.5 * (2.0 * (2.0 - t)).sin()).abs() < 1e-6);
}
