//! Forces that jump with a velocity, beside friction and one-sided constraints: closed forms, and the same force written as friction.

use super::running::run;
use holonom::simulate::integrate::{End, Run};

/// What a closed form and a run at the default tolerance may differ by.
const CLOSE: f64 = 1e-9;
const CASES: usize = 12;

/// A block on a slope that it may leave, braked by a force −F sign x′: (1 + k²) x″ = −g k − F until it stops, and there it stays, since
/// g k < F.
#[test]
fn a_brake_on_a_one_sided_slope_holds() {
    let (f, k, g, v) = (6.0, 0.3, 9.81, 3.0);
    let text = format!(
        "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential {g}*y\nforce x: -{f}*sign(x')\n\
         constraint slope: y >= {k}*x\nstart x = 0, x' = {v}, y = 0, y' = {k}*{v}\nrun until 4\n"
    );
    let run = run(&text, &Run::default(), &[]);
    let slows = (g * k + f) / (1.0 + k * k);
    let stop: f64 = v / slows;
    let worst = run.deviation(["x", "x'"], |t| {
        let t = t.min(stop);
        [v * t - slows * t * t / 2.0, v - slows * t]
    });
    assert!(worst < CLOSE, "{worst:e}");
    assert!(run.outcome.diagnostics.iter().any(|one| one.code == "switch-slides"));
}

/// Friction and a brake act on one block that is pushed with k t. It stays until both are exceeded, at t₁ = (µ m g + F)/k.
#[test]
fn friction_and_a_brake_hold_together() {
    let (f, mu, g) = (2.0, 0.3, 10.0);
    let text = format!(
        "coord x, y\nparticle block: 1 at (x, y)\ngravity (0, -{g})\nforce x: t - {f}*sign(x')\n\
         constraint floor: y = 0\nfriction floor: coulomb({mu})\nstart x = 0, x' = 0\nrun until 7\n"
    );
    let run = run(&text, &Run::default(), &[]);
    let first = mu * g + f;
    let worst = run.deviation(["x", "x'"], |t| {
        let s = (t - first).max(0.0);
        [s.powi(3) / 6.0, s * s / 2.0]
    });
    assert!(worst < CLOSE, "{worst:e}");
}

/// Pushed to and fro with less than friction and brake together, but more than either: it never moves.
#[test]
fn friction_and_a_brake_take_turns() {
    let text = "coord x, y\nparticle block: 1 at (x, y)\ngravity (0, -10)\nforce x: 4.9*sin(t) - 2*sign(x')\n\
        constraint floor: y = 0\nfriction floor: coulomb(0.3)\nstart x = 0, x' = 0\nrun until 20\n";
    let run = run(text, &Run::default(), &[]);
    assert_eq!(run.outcome.end, End::Finished);
    assert_eq!(run.deviation(["x", "x'"], |_| [0.0, 0.0]), 0.0);
}

/// A force that lifts a block jumps where another one comes to rest: halfway it is not enough, beyond it is.
#[test]
fn a_floor_lets_go_of_what_a_jump_lifts() {
    for (lift, leaves) in [(12.0, false), (25.0, true)] {
        let text = format!(
            "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nforce x: -2*sign(x')\n\
             force y: {lift}*(1 - sign(x'))/2\nconstraint floor: y >= 0\n\
             start x = 0, x' = 1, y = 0, y' = 0\nrun until 2\n"
        );
        let run = run(&text, &Run::default(), &[]);
        // At rest the force that jumps is in the middle: so is the lift.
        let up = if leaves { lift / 2.0 - 10.0 } else { 0.0 };
        let worst = run.deviation(["y", "y'"], |t| {
            let s = (t - 0.5_f64).max(0.0);
            [up * s * s / 2.0, up * s]
        });
        assert!(worst < CLOSE, "{lift}: {worst:e}");
        assert_eq!(run.outcome.events.iter().any(|event| event.action == "lets go"), leaves);
    }
}

/// Where something is struck that a force holds, it moves with the momentum of the blow, and the force brakes it from there on: a box, a
/// pusher that keeps its speed, a clutch of which one shaft meets a stop, and a drum whose rope jerks tight. (Model, last values.)
#[test]
fn blows_move_what_a_jump_holds() {
    let cases: [(&str, [&str; 2], [f64; 2]); 4] = [
        (
            "coord a, b\nkinetic a'^2/2 + b'^2\nforce b: -3*sign(b')\nconstraint touch: b >= a\n\
             start a = 0, b = 1, a' = 2\nrun until 3\n",
            ["a", "b"],
            [11.0 / 9.0, 11.0 / 9.0],
        ),
        (
            "coord a, b\nkinetic a'^2 + b'^2/2\nforce a: 30*sign(1 - a')\nconstraint touch: b >= a\n\
             start a = 0, b = 1, a' = 1\nrun until 1.5\n",
            ["a", "a'"],
            [1.5 - 1.0 / 180.0, 1.0],
        ),
        (
            "coord a, b\nkinetic a'^2/2 + b'^2\nforce a: -5*sign(a' - b')\nforce b: 5*sign(a' - b')\n\
             constraint end: b <= 3\nstart a = 0, b = 0, a' = 6, b' = 0\nrun until 4\n",
            ["a", "b"],
            [5.8, 3.0],
        ),
        (
            "coord x, q\nkinetic x'^2/2 + q'^2\nforce q: -3*sign(q')\nconstraint rope: x - 0.5*q <= 1\n\
             start x = 0, q = 0, x' = 3\nrun until 2\n",
            ["x", "q"],
            [13.0 / 12.0, 1.0 / 6.0],
        ),
    ];
    for (text, names, exact) in cases {
        let found = run(text, &Run::default(), &[]).last(names);
        let worst = found.iter().zip(exact).fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs()));
        assert!(worst < CLOSE, "{found:?} and {exact:?}\n{text}");
    }
}

/// Two brakes on shafts that gears join, on boxes that touch or are bolted together, and on one velocity twice: several forces hold one
/// motion.
#[test]
fn brakes_on_one_motion_share_it() {
    let gears = "coord a, b\nkinetic a'^2/2 + 3*b'^2/2\nforce a: -2*sign(a'), b: -1*sign(b')\n\
        constraint gear: a = -2*b\nstart a = 0, a' = 10\nrun until 10\n";
    let [a, v] = run(gears, &Run::default(), &[]).last(["a", "a'"]);
    assert!((a - 35.0).abs() < CLOSE && v == 0.0, "{a} {v}");
    for join in ["constraint join: c >= b\nstart b = 1, c = 1", "constraint join: c = b + 1\nstart b = 1"] {
        let text = format!(
            "coord b, c\nkinetic b'^2/2 + c'^2\nforce b: 3*t - 2*sign(b'), c: -2*sign(c')\n{join}\nrun until 3\n"
        );
        // Both are pushed with 3t against 4, from t = 4/3 on.
        let worst = run(&text, &Run::default(), &[]).deviation(["b", "b'"], |t| {
            let s = (t - 4.0 / 3.0).max(0.0);
            [1.0 + s.powi(3) / 6.0, s * s / 2.0]
        });
        assert!(worst < CLOSE, "{join}: {worst:e}");
    }
    let twice = "coord a\nkinetic a'^2\nforce a: -2*sign(a') - 3*sign(2*a')\nstart a = 0, a' = 5\nrun until 4\n";
    let [a, v] = run(twice, &Run::default(), &[]).last(["a", "a'"]);
    assert!((a - 5.0).abs() < CLOSE && v == 0.0, "{a} {v}");
}

/// A block on a floor that is one row of zeros, beside friction: rounding of its weight is no violation of the floor.
#[test]
fn rounding_of_weights_is_no_violation() {
    let text = "gravity (0, -10)\ncoord x0, y0\nparticle b0: 1.784 at (x0, y0)\nforce x0: 3.969*sin(1.299*t)\n\
        constraint f0: y0 = 0\nfriction f0: coulomb(0.238)\ncoord x1, y1\nparticle b1: 1.822 at (x1, y1)\n\
        constraint f1: y1 = 0\npotential 12.774*(x1 - x0 - 1)^2/2\n\
        start x0 = 0, x0' = -1.283, y0 = 0, y0' = 0, x1 = 1, x1' = 0.707, y1 = 0, y1' = 0\nrun until 5, rtol = 1e-10\n";
    let run = run(text, &Run::default(), &[]);
    assert!(run.outcome.diagnostics.is_empty(), "{:?}", run.outcome.diagnostics);
    assert!(run.outcome.evidence.position_residual < 1e-14 && run.outcome.evidence.velocity_residual < 1e-14);
}

/// Blocks on springs, some with friction on the floor, some on one-sided floors, some with a brake. A brake −F sign x′ is friction of a
/// load that is given: both formulations move alike.
#[test]
fn a_brake_is_friction_with_a_given_load() {
    let mut seed = 11_u64;
    let mut draw = |low: f64, high: f64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + (high - low) * ((seed >> 11) as f64 / (1_u64 << 53) as f64)
    };
    for case in 0..CASES {
        let count = 2 + case % 3;
        let [mut head, mut brakes, mut frictions] = [String::new(), String::new(), String::new()];
        let mut start = String::from("start");
        head.push_str("gravity (0, -10)\n");
        for i in 0..count {
            let comma = if i == 0 { "" } else { "," };
            head.push_str(&format!("coord x{i}, y{i}\nparticle b{i}: {:.3} at (x{i}, y{i})\n", draw(0.5, 2.0)));
            head.push_str(&format!("force x{i}: {:.3}*sin({:.3}*t)\n", draw(0.0, 4.0), draw(0.5, 3.0)));
            let side = if draw(0.0, 1.0) < 0.5 { ">=" } else { "=" };
            head.push_str(&format!("constraint f{i}: y{i} {side} 0\n"));
            let is_braked = i == 0 || draw(0.0, 1.0) < 0.5;
            if draw(0.0, 1.0) < 0.5 {
                head.push_str(&format!("friction f{i}: coulomb({:.3})\n", draw(0.05, 0.5)));
            }
            if i > 0 {
                let k = draw(1.0, 20.0);
                head.push_str(&format!("potential {k:.3}*(x{i} - x{} - 1)^2/2\n", i - 1));
            }
            if is_braked {
                let force = draw(0.5, 4.0);
                brakes.push_str(&format!("force x{i}: -{force:.3}*sign(x{i}')\n"));
                frictions.push_str(&format!("friction f{i}: coulomb(1), slip = x{i}', normal = {force:.3}\n"));
            }
            start.push_str(&format!("{comma} x{i} = {i}, x{i}' = {:.3}, y{i} = 0, y{i}' = 0", draw(-3.0, 3.0)));
        }
        let text = |brakes: &str| format!("{head}{brakes}{start}\nrun until 5, every 0.5, rtol = 1e-10\n");
        let [one, other] = [&brakes, &frictions].map(|brakes| run(&text(brakes), &Run::default(), &[]));
        assert_eq!(one.outcome.end, End::Finished, "{case}: {:?}\n{}", one.outcome.diagnostics, text(&brakes));
        assert_eq!(other.outcome.end, End::Finished, "{case}: {:?}\n{}", other.outcome.diagnostics, text(&frictions));
        for i in 0..count {
            for name in [format!("x{i}"), format!("x{i}'")] {
                let [[a], [b]] = [&one, &other].map(|run| run.last([&name]));
                assert!((a - b).abs() < 1e-7, "{case}: {name} = {a} and {b}\n{}", text(&brakes));
            }
        }
    }
}
