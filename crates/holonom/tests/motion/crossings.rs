//! Branches of a motion that cross: it stays on the one it came on, whatever the tolerance.

use super::running::{Ran, run, with};
use std::f64::consts::{FRAC_PI_2, PI};

/// Tolerances from loose to as tight as rounding lets one ask for.
const TOLERANCES: [f64; 10] = [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 5e-11, 2e-11, 1e-11];

fn at(text: &str, rtol: f64) -> Ran {
    run(text, &with(|options| options.rtol = Some(rtol)), &[])
}

/// How far the rows of a table are from a branch, given as an output `off` that is zero on it.
fn off(run: &Ran) -> f64 {
    run.column("off").into_iter().fold(0.0, |most, off| most.max(off.abs()))
}

/// Steps are short for the sake of an oscillator that has nothing to do with the four-bar: several of them come near its flat configuration.
#[test]
fn a_parallelogram_beside_a_fast_oscillator() {
    let text = "param w = 1000\ncoord x0, y0, x1, y1, u\n\
        kinetic (x0'^2 + y0'^2 + x1'^2 + y1'^2)/6 + (x0'^2 + x0'*x1' + x1'^2 + y0'^2 + y0'*y1' + y1'^2)/6 + u'^2/2\n\
        potential 9.81*(y0 + y1) + w^2*u^2/2\nconstraint a: x0^2 + y0^2 = 1\nconstraint b: (x1 - 1)^2 + y1^2 = 1\n\
        constraint c: (x1 - x0)^2 + (y1 - y0)^2 = 1\n\
        start x0 = 0, y0 = 1, x1 = 1, y1 = 1, x0' = 1, y0' = 0, x1' = 1, y1' = 0, u = 1e-3, u' = 0\n\
        output off: abs(x1 - x0 - 1) + abs(y1 - y0)\nrun until 1.5, every 0.01\n";
    for rtol in [1e-7, 1e-9, 1e-10, 1e-11] {
        let run = at(text, rtol);
        assert!(off(&run) < 1e-9, "{rtol:e}: off by {:e}", off(&run));
        assert_eq!(run.outcome.ranks.len(), 2, "{rtol:e}: {:?}", run.outcome.ranks);
    }
}

/// A slider-crank with equal links whose crank is driven: s = 2 cos φ, and s = 0 is the other branch. In four coordinates, and in two, in which
/// the row of the rod vanishes where branches cross.
#[test]
fn a_driven_slider_crank_with_equal_links() {
    let four = |angle: f64, speed: f64| {
        format!(
            "coord phi, x, y, s\nkinetic (phi'^2 + x'^2 + y'^2 + s'^2)/2\npotential 9.81*y\n\
             constraint drive: phi = {speed}*t + {angle}\nconstraint px: x = cos(phi)\nconstraint py: y = sin(phi)\n\
             constraint rod: (s - x)^2 + y^2 = 1\nstart phi = {angle}, x ~ cos({angle}), y ~ sin({angle}), s ~ 2*cos({angle})\n\
             output off: s - 2*cos(phi)\nrun until 4, every 0.01\n"
        )
    };
    let two = |angle: f64, speed: f64| {
        format!(
            "coord phi, s\nkinetic (phi'^2 + s'^2)/2\nconstraint drive: phi = {speed}*t + {angle}\n\
             constraint rod: (s - cos(phi))^2 + sin(phi)^2 = 1\nstart phi = {angle}, s ~ 2*cos({angle})\n\
             output off: s - 2*cos(phi)\nrun until 4, every 0.01\n"
        )
    };
    for (angle, speed) in [(0.3, 2.0), (0.3, 1.0), (1.3, 3.0)] {
        let passages = (0..).map(|i| (FRAC_PI_2 + i as f64 * PI - angle) / speed).take_while(|t| *t < 4.0).count();
        for rtol in TOLERANCES {
            for text in [four(angle, speed), two(angle, speed)] {
                let run = at(&text, rtol);
                // Records beside the crossing are as good as the motion inside a step, which counts for less there.
                assert!(off(&run) < 1e-5 + 10.0 * rtol, "{rtol:e}, {angle}, {speed}: off by {:e}", off(&run));
                assert_eq!(run.outcome.ranks.len(), passages, "{rtol:e}, {angle}, {speed}: {:?}", run.outcome.ranks);
            }
        }
    }
}

/// x(y − x²) = 0: along the parabola past the line, and along the line past the parabola.
#[test]
fn a_line_and_a_parabola() {
    for (start, off_branch) in [
        ("x = -1, y ~ 1, x' = 1", "y - x^2"),
        ("x = -0.7, y ~ 0.49, x' = 3", "y - x^2"),
        ("x = -0.3, y ~ 0.09, x' = 1", "y - x^2"),
        ("x = 0, y = -1, y' = 1", "x"),
    ] {
        let text = format!(
            "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x*(y - x^2) = 0\nstart {start}\noutput off: {off_branch}\n\
             run until 2, every 0.01\n"
        );
        for rtol in TOLERANCES {
            let run = at(&text, rtol);
            assert!(off(&run) < 1e-9, "{rtol:e}, {start}: off by {:e}", off(&run));
            assert_eq!(run.outcome.ranks.len(), 1, "{rtol:e}, {start}: {:?}", run.outcome.ranks);
        }
    }
}

/// A slider-crank with equal links that nothing drives keeps its energy across as many crossings as it meets.
#[test]
fn a_free_slider_crank_with_equal_links() {
    for (angle, speed) in [(0.3f64, 1.0), (0.7, 3.0), (1.1, 1.0)] {
        let text = format!(
            "coord x, y, s\nkinetic (x'^2 + y'^2 + s'^2)/2\nconstraint crank: x^2 + y^2 = 1\nconstraint rod: (s - x)^2 + y^2 = 1\n\
             start x = cos({angle}), y = sin({angle}), s ~ 2*cos({angle}), x' = -{speed}*sin({angle})\noutput off: s - 2*x\n\
             run until 5, every 0.01\n"
        );
        for rtol in TOLERANCES {
            let run = at(&text, rtol);
            assert!(off(&run) < 1e-9, "{rtol:e}, {angle}, {speed}: off by {:e}", off(&run));
            assert!(run.energy_drift() < 10.0 * rtol + 1e-10, "{rtol:e}, {angle}, {speed}: {:e}", run.energy_drift());
        }
    }
}

/// Two slider-cranks in one model cross at different times, which may fall into one step: each passage is reported.
#[test]
fn two_crossings_in_one_step_are_both_reported() {
    let crank = |i: usize, angle: f64| {
        format!(
            "coord x{i}, y{i}, s{i}\nkinetic (x{i}'^2 + y{i}'^2 + s{i}'^2)/2\nconstraint crank{i}: x{i}^2 + y{i}^2 = 1\n\
             constraint rod{i}: (s{i} - x{i})^2 + y{i}^2 = 1\n\
             start x{i} = cos({angle}), y{i} = sin({angle}), s{i} ~ 2*cos({angle}), x{i}' = -sin({angle})\n"
        )
    };
    let passages = |angle: f64, text: &str, rtol: f64| {
        at(&(crank(1, angle) + text), rtol).outcome.ranks.iter().map(|change| change.time).collect::<Vec<_>>()
    };
    for (one, two) in [(0.9, 0.92), (0.9, 0.95), (0.7, 0.8)] {
        let run_until = "run until 1.5\n";
        let mut alone = [passages(one, run_until, 1e-9), passages(two, run_until, 1e-9)].concat();
        alone.sort_by(f64::total_cmp);
        for rtol in [1e-4, 1e-6, 1e-8] {
            let both = passages(one, &(crank(2, two) + run_until), rtol);
            assert_eq!(both.len(), alone.len(), "{rtol:e}, {one}, {two}: {both:?} {alone:?}");
            for (found, exact) in both.iter().zip(&alone) {
                assert!((found - exact).abs() < 1e-2, "{rtol:e}, {one}, {two}: {both:?} {alone:?}");
            }
        }
    }
}

/// A factor that becomes small and is never zero loses no rank.
#[test]
fn a_factor_that_becomes_small_is_no_loss_of_rank() {
    let text = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: (x^2 + 1e-6)*(y - x) = 0\nstart x = -1, y ~ -1, x' = 1\n\
        output off: y - x\nrun until 2\n";
    for rtol in [1e-5, 1e-7, 1e-9] {
        let run = at(text, rtol);
        assert!(off(&run) < 1e-9 && run.outcome.ranks.is_empty(), "{rtol:e}: {:?}", run.outcome.ranks);
    }
}
