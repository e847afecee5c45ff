//! The principles along a run: columns and evidence.

use super::running::{Ran, prepare, run, run_gallery};
use holonom::language::from_text;
use holonom::mechanics::compile::CompiledSystem;
use holonom::mechanics::derive::derive;
use holonom::simulate::analysis::{self, check};
use holonom::simulate::integrate::{End, RecordedRows, Run};
use std::path::Path;

fn asked(until: f64, every: f64) -> Run {
    Run { until: Some(until), every: Some(every), principles: true, ..Run::default() }
}

fn column(run: &Ran, name: &str) -> Vec<f64> {
    let at = run.plan.column(name).unwrap_or_else(|| panic!("no column {name}"));
    run.rows.iter().map(|row| row[at]).collect()
}

#[track_caller]
fn near(found: f64, expected: f64, size: f64) {
    assert!((found - expected).abs() <= 1e-11 * size, "{found} is not {expected}");
}

const MODELS: [&str; 6] = [
    // Ideal.
    "coord x, y\nkinetic 3*(x'^2 + y'^2)/2\npotential 3*9.81*y\nconstraint rod: x^2 + y^2 = 2\nstart x = 1, y = -1, x' = 0.7\n",
    // Given twice, and driven.
    "coord x, y\nkinetic x'^2 + x'*y' + y'^2\nforce x: 1\nconstraint c: x + y = sin(t)\nconstraint d: 2*x + 2*y = 2*sin(t)\n\
     start x = 0.3, x' = 0.2\n",
    // Nonholonomic, not ideal.
    "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential 2*z\nconstraint n: y' = z*x'\nnonideal [-0.1*x', -0.1*y', -0.1*z']\n\
     start x = 0, y = 0, z = 1, x' = 1, z' = 0.5\n",
    // Friction by the load.
    "param mu = 0.3\ncoord x, y\nparticle p: 2 at (x, y)\ngravity (0, -9.81)\nconstraint floor: y = 0.2*x\nfriction floor: coulomb(mu)\n\
     start x = 0, x' = 3\n",
    // M is singular.
    "coord th, y\nkinetic 0.75*th'^2/2\npotential -19.62*y\nconstraint roll: y = 0.5*th*0.5\nstart th = 0\n",
    // No constraints.
    "coord x\nkinetic x'^2/2\npotential 2*x^2\nstart x = 1\n",
];

/// What `check --principles` says at the start is the first row.
#[test]
fn the_first_row_is_what_check_says() {
    for text in MODELS {
        let run = run(text, &asked(1.0, 0.25), &[]);
        let equations = derive(from_text("model.holo", text).model.unwrap()).unwrap().value;
        let look = analysis::CheckOptions { principles: true, ..analysis::CheckOptions::default() };
        let numbers = check(&CompiledSystem::new(equations.clone()), &look).value.principles.unwrap().numbers;
        let first = &run.rows[0];
        let at = |name: &str| first[run.plan.column(name).unwrap()];
        let held = run.outcome.principles.unwrap();
        match (&numbers.form.deviation, &numbers.form.constraint_error) {
            (Some(deviation), Some(e)) => {
                near(at("Gni"), numbers.gauss.by_acceleration.unwrap(), 10.0);
                for (coordinate, da) in equations.model.coordinates.iter().zip(deviation) {
                    near(at(&format!("da.{}", coordinate.name)), *da, 10.0);
                }
                for (row, e) in equations.rows.iter().zip(e) {
                    near(at(&format!("e.{}", row.name)), *e, 10.0);
                }
                assert!(held.proportional.unwrap() <= 1e-13, "{held:?}");
            }
            _ => {
                near(at("G"), numbers.gauss.general, 10.0);
                assert!(run.plan.column("da.th").is_none() && held.proportional.is_none());
            }
        }
        assert!(held.directions >= run.rows.len() as u64);
        assert!(held.virtual_work <= 1e-13 && held.gauss_slope <= 1e-12, "{text}\n{held:?}");
    }
}

/// A pendulum: Gₙᵢ is the square of its tension by its mass, and its rod does no virtual work.
#[test]
fn gauss_of_a_pendulum_is_its_tension() {
    let run = run(MODELS[0], &asked(3.0, 0.1), &[]);
    let (x, y) = (column(&run, "Qi.x"), column(&run, "Qi.y"));
    for (at, gauss) in column(&run, "Gni").into_iter().enumerate() {
        near(gauss, (x[at] * x[at] + y[at] * y[at]) / 3.0, gauss.max(1.0));
        near(column(&run, "virtual.rod")[at], 0.0, 10.0);
    }
}

/// A block that slides down a hill: the virtual work of C is that of its friction, and of the hill alone none.
#[test]
fn virtual_work_is_that_of_friction() {
    let run = run(MODELS[3], &asked(0.5, 0.05), &[]);
    let (mu, m, g) = (0.3, 2.0, 9.81);
    let along = (1.0_f64 + 0.04).sqrt();
    for (at, work) in column(&run, "virtual.C").into_iter().enumerate() {
        let speed = column(&run, "x'")[at] * along;
        near(work, -mu * m * g / along * speed, 20.0);
        near(column(&run, "virtual.floor")[at], 0.0, 20.0);
    }
}

/// A constraint that moves does work, and none of it is virtual.
#[test]
fn what_drives_does_no_virtual_work() {
    let run = run(MODELS[1], &asked(2.0, 0.1), &[]);
    let reactions = column(&run, "reaction.c");
    assert!(reactions.iter().any(|reaction| reaction.abs() > 0.1));
    assert!(column(&run, "virtual.c").iter().all(|work| work.abs() < 1e-13));
}

/// Rows that are kept apart and together, contacts that stick, and more than the dense kernel takes.
#[test]
fn principles_hold_along_the_gallery() {
    for name in
        ["appell/appell", "four-bar/four-bar", "hanging-chain/hanging-chain", "rolling-disc/rolling-disc", "belt/belt"]
    {
        let run =
            run_gallery(name, &Run { principles: true, every: Some(0.5), until: Some(1.5), ..Run::default() }, &[]);
        let held = run.outcome.principles.unwrap();
        let worst = held.virtual_work.max(held.gauss_slope).max(held.proportional.unwrap_or(0.0));
        assert!(worst <= 1e-9, "{name}: {held:?}");
    }
}

/// Where M loses its inverse on the way, the run says so and keeps its rows.
#[test]
fn a_mass_that_vanishes_ends_the_run_by_name() {
    let text = "coord x, y\nkinetic x'^2/2 + (1 - t)^2*y'^2/2\nforce x: 1\nconstraint c: x = y\nstart x = 0, x' = 0\n";
    let plan = prepare(text, Path::new("."), &asked(2.0, 0.5), &[]);
    let mut rows = RecordedRows::default();
    let outcome = plan.run(&mut rows);
    assert_eq!(outcome.end, End::Failed);
    assert_eq!(outcome.diagnostics[0].code, "principles-singular");
    assert_eq!(rows.rows.len(), 2);
}

/// A name of the model that is that of a column which the program adds is refused, not written twice.
#[test]
fn no_column_is_called_like_another() {
    for (text, name) in [
        ("coord x\nkinetic x'^2/2\nconstraint C: x = sin(t)\nstart x ~ 0\n", "virtual.C"),
        ("coord Gni\nkinetic Gni'^2/2\nstart Gni = 1\n", "Gni"),
    ] {
        let equations = derive(from_text("model.holo", text).model.unwrap()).unwrap().value;
        let errors =
            holonom::simulate::integrate::plan(&CompiledSystem::new(equations), &asked(1.0, 0.5)).err().unwrap();
        assert!(errors.iter().any(|error| error.code == "reserved-name" && error.message.contains(name)), "{errors:?}");
        run(text, &Run { until: Some(1.0), ..Run::default() }, &[]);
    }
}

/// What `free` says is part of the principles.
#[test]
fn free_directions_move_as_the_model_says() {
    let text = "coord x, y\nkinetic x'^2/2\nfree y'' = 3\nstart x = 1, y = 0\n";
    let equations = derive(from_text("model.holo", text).model.unwrap()).unwrap().value;
    let look = analysis::CheckOptions { principles: true, ..analysis::CheckOptions::default() };
    let numbers = check(&CompiledSystem::new(equations.clone()), &look).value.principles.unwrap().numbers;
    assert_eq!(numbers.motion.acceleration, [0.0, 3.0]);
    assert_eq!(numbers.by_one_four, [0.0, 3.0]);
    let run = run(text, &asked(1.0, 0.5), &[]);
    assert!(column(&run, "y''").iter().all(|y| *y == 3.0));
}

/// Along directions in which nothing acts, work is rounding of what acts elsewhere.
#[test]
fn a_straight_chain_keeps_its_principles() {
    let text = "param N = 40\nparticle p[1..N]: 1 in plane\nlet p[0] = (0, 0)\ngravity (0, -9.81)\n\
                constraint rod[i in 1..N]: dot(p[i] - p[i-1], p[i] - p[i-1]) = 1\nstart p[i in 1..N] = (i, 0)\n";
    let run = run(text, &asked(0.05, 0.05), &[]);
    let held = run.outcome.principles.unwrap();
    assert!(held.virtual_work < 1e-11 && held.gauss_slope < 1e-11, "{held:?}");
}
