//! One-sided constraints that touch at the start.

use super::{acceleration, checked, close, codes, sound};
use crate::start::random::seeded;
use std::fmt::Write;

/// What equations hold at zero cannot be closed by the rounding of forces that cancel in it.
#[test]
fn a_limit_that_equations_imply_changes_nothing() {
    let mut random = seeded(16);
    for round in 0..200 {
        let n = 2 + round % 4;
        let rows = 1 + round % (n - 1);
        let name = |j: usize| format!("x{j}");
        let names: Vec<String> = (0..n).map(name).collect();
        let mut text = format!("coord {}\n", names.join(", "));
        // L Lᵀ + I, with few digits.
        let factor: Vec<f64> = (0..n * n).map(|_| random.uniform(-2.0, 2.0).round() / 2.0).collect();
        let entry = |i: usize, j: usize| {
            (0..n).map(|k| factor[i * n + k] * factor[j * n + k]).sum::<f64>() + if i == j { 1.0 } else { 0.0 }
        };
        let mass: Vec<String> = (0..n)
            .map(|i| format!("[{}]", (0..n).map(|j| entry(i, j).to_string()).collect::<Vec<_>>().join(", ")))
            .collect();
        writeln!(text, "mass [{}]", mass.join(", ")).unwrap();
        for j in 0..n {
            writeln!(text, "force x{j}: {}", random.uniform(-5.0, 5.0)).unwrap();
        }
        let a: Vec<f64> = (0..rows * n).map(|_| random.uniform(-3.0, 3.0)).collect();
        let sum = |a: &[f64]| {
            let terms: Vec<String> = a.iter().zip(&names).map(|(a, x)| format!("({a})*{x}")).collect();
            terms.join(" + ")
        };
        for row in 0..rows {
            writeln!(text, "constraint c{row}: {} = 0", sum(&a[row * n..(row + 1) * n])).unwrap();
        }
        for x in &names {
            writeln!(text, "start {x} = 0, {x}' = 0").unwrap();
        }
        let z: Vec<f64> = (0..rows).map(|_| random.uniform(-2.0, 2.0)).collect();
        let combined: Vec<f64> = (0..n).map(|j| (0..rows).map(|row| z[row] * a[row * n + j]).sum()).collect();
        let without = sound(&text, &[]);
        writeln!(text, "constraint limit: {} >= 0", sum(&combined)).unwrap();
        let (with, messages) = checked(&text);
        assert!(messages.iter().all(|message| message.code == "redundant"), "{text}\n{messages:#?}");
        for x in &names {
            close(acceleration(&with, x), acceleration(&without, x));
        }
    }
}

/// … but a limit that they move away from is a contradiction.
#[test]
fn a_limit_that_equations_break_is_named() {
    let text = "coord x, y\nmass [[1, 1], [1, 2]]\nforce x: 3\nforce y: 3\nconstraint c: x = -t^2\n\
                constraint limit: x >= 0\nstart x = 0, y = 0\n";
    assert!(codes(text).contains(&"contradiction"), "{:?}", codes(text));
}

/// A guess that rows bring to rest leaves no velocity behind that parts a contact.
#[test]
fn a_guessed_velocity_that_rows_stop_is_zero() {
    let report = sound(
        "coord x1, x2\nmass [[2, 1], [1, 1]]\nforce x1: 1.5\nforce x2: sin(t) + 1\n\
         constraint c0: x1^2 + x2^2 = 2*0.75^2\nconstraint o0: x2 <= -0.75\nnonideal [x1*2, 0]\n\
         start x1 = -0.75, x2 = -0.75, x1' ~ 0, x2' ~ -0.5\n",
        &[],
    );
    assert_eq!(report.start.velocities, [0.0, 0.0]);
    assert!(report.rows.iter().all(|row| !row.off), "{report}");
}

/// What a run begins with is said before it.
#[test]
fn a_floor_that_is_hit_at_the_start_is_noted() {
    let note = |speed: f64| {
        let report = sound(
            &format!(
                "coord y\nmass [[1]]\nforce y: -9.81\nconstraint floor: y >= 0, restitution = 0.5\n\
                 start y = 0, y' = {speed}\n"
            ),
            &[],
        );
        report.notes.iter().any(|note| note.contains("`floor` touches and closes with 1"))
    };
    assert!(note(-1.0));
    assert!(!note(1.0));
    assert!(!note(0.0));
}

/// Flat on the floor, the wall holds what the floor's friction would: neither is rounding, whatever the length.
#[test]
fn a_ladder_that_lies_flat_begins_to_fall() {
    for l in [0.3, 1.0, 1.5, 1.7, 3.1] {
        let report = sound(
            &format!(
                "param l = {l}, m = 1\ncoord x, y, th\nkinetic m*(x'^2 + y'^2)/2 + m*l^2/12*th'^2/2\n\
                 potential m*9.81*y\nconstraint floor: y - l/2*sin(th) >= 0\nconstraint wall: x - l/2*cos(th) >= 0\n\
                 friction floor: coulomb(0.2), slip = x' - l/2*sin(th)*th', normal = abs(reaction(floor))\n\
                 friction wall: coulomb(0), slip = y' + l/2*cos(th)*th', normal = abs(reaction(wall))\n\
                 start x = l/2, y = 0, th = 0, x' = 0, y' = 0, th' = 0\n"
            ),
            &[],
        );
        // About the end on the floor: θ″ = −(m g l/2)/(m l²/3).
        close(acceleration(&report, "th"), -1.5 * 9.81 / l);
        close(acceleration(&report, "y"), -0.75 * 9.81);
    }
}
