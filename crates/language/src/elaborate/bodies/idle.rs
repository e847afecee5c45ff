//! Spins that nothing feels: a thin rod between two ball joints may turn about itself, and no mass, no joint and no force knows of it.
//!
//! Such a spin is neither determined nor of any consequence. It stays at rest: a row ω·a = 0, whose multiplier is zero, holds it.

use super::kind::Kind;
use super::mechanism::GROUND;
use super::space::{self, Vector};
use crate::diagnostic::Diagnostic;
use crate::elaborate::elaborator::Elaborator;
use crate::syntax::{ForceTarget, StatementKind};
use crate::units::Dimension;
use holonom_symbols::expr::Id;

/// Moments of inertia, and distances from a line, below this part of the largest are zero.
const NOTHING: f64 = 1e-12;

impl<'a> Elaborator<'a> {
    /// Finds the axes about which bodies may turn without anything that feels it.
    pub(super) fn find_idle_axes(&mut self) {
        for body in GROUND + 1..self.bodies.all.len() {
            self.bodies.all[body].idle = if self.is_planar() { None } else { self.idle_axis(body) };
        }
    }

    /// Holds the spins of bodies that nothing feels.
    pub(super) fn hold_idle_spins(&mut self) {
        for body in GROUND + 1..self.bodies.all.len() {
            let Some(axis) = self.bodies.all[body].idle else { continue };
            let one = &self.bodies.all[body];
            let (name, span, spin) = (one.name.clone(), one.span, one.pose.spin);
            let along = space::dot(&mut self.graph, spin, axis);
            if along == Id::ZERO {
                continue;
            }
            let rate = self.per_second(Dimension::NUMBER, 1);
            self.made_constraint(format!("{name}.idle"), vec![along], vec![Id::ZERO], (rate, None), false, span);
            let note = Diagnostic::note_on("idle-spin", format!("`{name}` does not turn about its own axis"))
                .at(span, "no inertia about this axis, and no joint and no torque turns it")
                .note("such a spin has no influence on anything else; it stays at rest");
            self.report(note);
        }
    }

    /// A direction of a body about which it has no inertia and nothing turns it, in its own axes.
    fn idle_axis(&mut self, body: usize) -> Option<Vector> {
        let one = &self.bodies.all[body];
        let (inertia, centre, mass, moves, name) =
            (one.inertia, one.centre, one.mass, one.placed.moves, one.name.clone());
        if moves || self.is_turned(&name) {
            return None;
        }
        let mut points: Vec<Vector> = Vec::new();
        for joint in &self.bodies.joints {
            for (side, _) in joint.bodies.iter().enumerate().filter(|(_, on)| **on == body) {
                match joint.kind {
                    Kind::Ball => points.push(joint.origins[side]),
                    Kind::Rod if joint.rod.as_ref().is_some_and(|rod| rod.ends[side].is_none()) => {
                        points.push(joint.origins[side]);
                    }
                    Kind::Rod => {}
                    _ => return None,
                }
            }
        }
        if self.numbers(&[mass])[0] != 0.0 {
            points.push(centre);
        }
        let first = *points.first()?;
        let from = self.vector_numbers(first);
        let numbers: Vec<[f64; 3]> = points.iter().map(|&point| self.vector_numbers(point)).collect();
        let away = |point: &[f64; 3]| (0..3).map(|i| (point[i] - from[i]).powi(2)).sum::<f64>().sqrt();
        let far = (0..points.len()).max_by(|&a, &b| away(&numbers[a]).total_cmp(&away(&numbers[b])))?;
        let length = away(&numbers[far]);
        if length == 0.0 {
            return None;
        }
        let unit = [0, 1, 2].map(|i| (numbers[far][i] - from[i]) / length);
        let cross = |v: [f64; 3]| {
            let off =
                [v[1] * unit[2] - v[2] * unit[1], v[2] * unit[0] - v[0] * unit[2], v[0] * unit[1] - v[1] * unit[0]];
            off.iter().map(|x| x * x).sum::<f64>().sqrt()
        };
        let on_line = |point: &[f64; 3]| cross([0, 1, 2].map(|i| point[i] - from[i])) <= NOTHING * length;
        let moments = self.numbers(inertia.as_flattened());
        let largest = moments.iter().fold(0.0_f64, |all, one| all.max(one.abs()));
        let about = (0..3).map(|i| (0..3).map(|j| moments[3 * j + i] * unit[j]).sum::<f64>().abs()).fold(0.0, f64::max);
        if !numbers.iter().all(on_line) || about > NOTHING * largest {
            return None;
        }
        self.decided_by(inertia.as_flattened());
        self.decided_by(points.as_flattened());
        Some(space::subtract(&mut self.graph, points[far], first))
    }

    /// Whether a torque acts on a body of this name.
    fn is_turned(&self, name: &str) -> bool {
        let plain = name.rsplit('.').next().unwrap_or(name);
        let plain = plain.split('[').next().unwrap_or(plain);
        self.order.iter().any(|(_, statement)| match &statement.kind {
            StatementKind::Torque(items) => items.iter().any(|item| match &item.on {
                Some(ForceTarget::Named(target)) => target.steps.iter().any(|step| step.name.text == plain),
                _ => false,
            }),
            _ => false,
        })
    }
}
