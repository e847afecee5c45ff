//! The sparse way beside the dense one: the same accelerations, reactions, projections and ranks, along pivots that were decided elsewhere.

use crate::integrate::mechanics::{Level, Mechanics};
use holonom_language::from_text;
use holonom_mechanics::compile::CompiledSystem;
use holonom_mechanics::derive::derive;

/// Both ways, with the rows that are not `off` in force.
fn both(text: &str) -> [Mechanics; 2] {
    let loaded = from_text("both.holo", text);
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let system = CompiledSystem::new(derive(model).expect("a good model").value);
    let rows: Vec<usize> = (0..system.rows()).filter(|&row| !system.equations().rows[row].off).collect();
    [false, true].map(|is_sparse| Mechanics::with_rows(system.clone(), rows.clone(), is_sparse))
}

fn close(found: &[f64], expected: &[f64], within: f64, what: &str) {
    let largest = expected.iter().fold(1e-300, |m: f64, x| m.max(x.abs()));
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= within * largest, "{what} {i}: {a} is not {b}, of {largest}");
    }
}

const CHAIN: &str = "param N = 12, l = 1/N, g = 9.81\nparticle p[1..N]: 1 in plane\nlet p[0] = (0, 0)\ngravity (0, -g)\n\
    constraint rod[i in 1..N]: dot(p[i] - p[i-1], p[i] - p[i-1]) = l^2\n";

const MASSLESS: &str = "param N = 12, k = 5, l = 1/N, g = 9.81, m[i in 1..N] = if(i == k, 0, 1)\nparticle p[i in 1..N]: m[i] in plane\n\
    let p[0] = (0, 0)\ngravity (0, -g)\nconstraint rod[i in 1..N]: dot(p[i] - p[i-1], p[i] - p[i-1]) = l^2\n\
    constraint straight: (p[k] - p[k-1]).x*(p[k+1] - p[k]).y = (p[k] - p[k-1]).y*(p[k+1] - p[k]).x\n";

/// Angles of the rods of a chain that bends and turns with a phase.
fn bent(count: usize, phase: f64) -> (Vec<f64>, Vec<f64>) {
    let (mut q, mut v, mut at, mut speed) = (Vec::new(), Vec::new(), (0.0, 0.0), (0.0, 0.0));
    let mut angle = (0.0, 0.0);
    for i in 0..count {
        // The sixth rod goes on where the fifth points to.
        if i != 5 {
            let x = 0.4 * i as f64 + phase;
            angle = (0.7 + x.sin(), 2.0 * (0.3 * i as f64 - phase).cos());
        }
        let l = 1.0 / count as f64;
        at = (at.0 + l * angle.0.sin(), at.1 - l * angle.0.cos());
        speed = (speed.0 + l * angle.0.cos() * angle.1, speed.1 + l * angle.0.sin() * angle.1);
        q.extend([at.0, at.1]);
        v.extend([speed.0, speed.1]);
    }
    (q, v)
}

#[test]
fn held_pivots_give_the_accelerations_of_the_dense_kernel() {
    let twice = format!("{CHAIN}constraint again[i in 3..7]: 2*dot(p[i] - p[i-1], p[i] - p[i-1]) = 2*l^2\n");
    let damped = format!("{CHAIN}nonideal rod[4] on p[4]: -0.3*p[4]'\nconstraint slope: p[N].x' = 0.3*p[N].y', off\n");
    for text in [CHAIN, MASSLESS, &twice, &damped] {
        let [mut dense, mut sparse] = both(text);
        for step in 0..60 {
            let (q, v) = bent(12, 0.1 * f64::from(step));
            let decide = step % 12 == 0;
            for mechanics in [&mut dense, &mut sparse] {
                mechanics.accelerate(0.0, &q, &v, decide).expect("a motion");
            }
            close(&sparse.found.acceleration, &dense.found.acceleration, 1e-10, "acceleration");
            for mechanics in [&mut dense, &mut sparse] {
                mechanics.examine(0.0, &q, &v).expect("a motion");
            }
            close(&sparse.found.reaction, &dense.found.reaction, 1e-10, "reaction");
            close(sparse.forces().0, dense.forces().0, 1e-10, "ideal force");
            close(sparse.forces().1, dense.forces().1, 1e-10, "non-ideal force");
            assert_eq!(sparse.linear.rank(), dense.linear.rank());
        }
    }
}

#[test]
fn projections_are_those_of_the_dense_kernel() {
    for text in [CHAIN, MASSLESS] {
        let [mut dense, mut sparse] = both(text);
        for step in 0..40 {
            let (mut q, mut v) = bent(12, 0.1 * f64::from(step));
            for mechanics in [&mut dense, &mut sparse] {
                mechanics.accelerate(0.0, &q, &v, true).expect("a motion");
                mechanics.sizes.look(&[1.0; 48], &[0.0; 48]);
                mechanics.measure(0.0, &q, &v);
            }
            q.iter_mut().enumerate().for_each(|(i, q)| *q += 1e-4 * ((7 * i + step as usize) as f64).sin());
            v.iter_mut().enumerate().for_each(|(i, v)| *v += 1e-3 * ((5 * i + step as usize) as f64).cos());
            let states = [&mut dense, &mut sparse].map(|mechanics| {
                let (mut q, mut v) = (q.clone(), v.clone());
                mechanics.project(Level::Position, 0.0, &mut q, &mut v).expect("a place on the constraints");
                mechanics.project(Level::Velocity, 0.0, &mut q, &mut v).expect("a velocity");
                (q, v)
            });
            // Both stop at the first that meets the constraints; they may have come there along other factors.
            close(&states[1].0, &states[0].0, 1e-7, "position");
            close(&states[1].1, &states[0].1, 1e-6, "velocity");
        }
    }
}

/// A straight chain has entries that vanish; along pivots that were decided there they must not be forgotten when it bends.
#[test]
fn pivots_of_a_straight_line_do_not_outlive_it() {
    for text in [CHAIN, MASSLESS] {
        let [mut dense, mut sparse] = both(text);
        for step in 0..10 {
            let bend = 1e-9 * 10f64.powi(step);
            let (mut q, mut at) = (Vec::new(), (0.0, 0.0));
            for i in 0..12 {
                let angle = 0.8 + if i == 5 { 4.0 } else { f64::from(i) } * bend;
                let angle = if i == 4 { 0.8 + 4.0 * bend } else { angle };
                at = (at.0 + angle.sin() / 12.0, at.1 - angle.cos() / 12.0);
                q.extend([at.0, at.1]);
            }
            for mechanics in [&mut dense, &mut sparse] {
                mechanics.accelerate(0.0, &q, &[0.0; 24], step == 0).expect("a motion");
            }
            close(&sparse.found.acceleration, &dense.found.acceleration, 1e-11, "acceleration");
        }
    }
}
