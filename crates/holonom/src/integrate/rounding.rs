//! What rounding makes of accelerations, and the least error that can be asked for beside it.
//!
//! Where forces balance, as they do at rest, what is left of them is rounding. An error control that took it for motion would
//! shorten steps without end and gain nothing. So it is measured: by the accelerations at states that differ from the present one in
//! their last digits.

use super::field::Field;
use super::mechanics::Mechanics;
use crate::model;

/// How far an estimate of errors may be made of rounding: it sums several evaluations, and the largest was hardly met.
const AMPLIFIED: f64 = 10.0;
/// Failed attempts between two measurements.
const SELDOM: u32 = 8;
/// Signs of the changes of coordinates, by bits.
const PATTERNS: [u64; 2] = [0x6996_9669_9669_6996, 0x3c5a_a5c3_5ac3_c35a];

/// The rounding of accelerations.
pub(super) struct Rounding {
    /// By coordinate: the change of its acceleration that the last digits of the state make.
    of_acceleration: Vec<f64>,
    state: Vec<f64>,
    rate: Vec<f64>,
    before: Vec<f64>,
    /// Failed attempts until it is measured again.
    wait: u32,
}

impl Rounding {
    /// Nothing is known yet, for states of a size.
    pub(super) fn new(n: usize, size: usize) -> Self {
        let zeros = || vec![0.0; size];
        Self { of_acceleration: vec![0.0; n], state: zeros(), rate: zeros(), before: zeros(), wait: 0 }
    }

    /// Forgets by and by, as sizes are forgotten.
    pub(super) fn forget(&mut self) {
        self.of_acceleration.iter_mut().for_each(|rounding| *rounding *= 0.5);
    }

    /// A step from y, whose rate is known, has failed: perhaps for rounding alone. `sizes` are those of q and q̇.
    pub(super) fn suspect(&mut self, mechanics: &mut Mechanics, t: f64, y: &[f64], rate: &[f64], sizes: &[f64]) {
        if self.wait > 0 {
            self.wait -= 1;
            return;
        }
        self.wait = SELDOM;
        let n = mechanics.n;
        for pattern in PATTERNS {
            // The lesser of the changes to either side: where the equations switch, one of them may be a jump.
            self.before.fill(f64::INFINITY);
            for sign in [1.0, -1.0] {
                self.state.copy_from_slice(y);
                for (i, (x, size)) in self.state.iter_mut().zip(sizes).enumerate() {
                    let bit = if (pattern >> (i % 64)) & 1 == 1 { sign } else { -sign };
                    *x += bit * f64::EPSILON * size;
                }
                if mechanics.rate(t, &self.state, &mut self.rate).is_err() {
                    return;
                }
                let rates = self.rate.iter().zip(rate);
                for (least, (moved, rate)) in self.before.iter_mut().zip(rates).skip(n).take(n) {
                    *least = least.min((moved - rate).abs());
                }
            }
            for (own, change) in self.of_acceleration.iter_mut().zip(&self.before[n..]) {
                *own = own.max(if change.is_finite() { *change } else { 0.0 });
            }
        }
        // Coordinates of a kind are rounded alike.
        mechanics.level_out(&mut self.of_acceleration);
    }

    /// The least errors of q and q̇ of coordinate j that a step of length h can be asked for.
    pub(super) fn least(&self, j: usize, h: f64, size: f64, method: model::Method) -> (f64, f64) {
        let rounding = AMPLIFIED * self.of_acceleration[j];
        // An implicit method does not pass on what a stiff force makes of the last digits of positions: it returns to them.
        let h2 = h * h;
        let tamed = match method {
            model::Method::Explicit => 1.0,
            model::Method::Stiff => 1.0 + h2 * self.of_acceleration[j] / (f64::EPSILON * size),
        };
        (rounding * h2 / tamed, rounding * h / tamed)
    }
}

#[cfg(test)]
mod tests {
    use crate::derive::derive;
    use crate::integrate::{End, Options, Outcome, Trajectory, plan};
    use crate::model::{Method, from_text};

    fn run(text: &str, method: Method, until: f64) -> (Outcome, Vec<f64>) {
        let loaded = from_text("rest.holo", text);
        let equations = derive(loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))).equations;
        let options =
            Options { method: Some(method), until: Some(until), max_steps: Some(20_000), ..Options::default() };
        let (plan, _) = plan(equations.expect("a good model"), &options, &[]).expect("a motion");
        let mut trajectory = Trajectory::default();
        let outcome = plan.run(&mut trajectory);
        assert_eq!(outcome.end, End::Finished, "{:?}", outcome.diagnostics);
        (outcome, trajectory.rows.pop().unwrap_or_default())
    }

    /// Two masses on three rods, with drag: after ten seconds they hang still, and rounding is all that moves.
    #[test]
    fn rest_takes_few_steps() {
        let text = "particle p: 0.1 in plane, q: 0.1 in plane\ngravity (0, -9.81)\n\
            constraint one: dot(p, p) = 0.01\nconstraint two: dot(q - p, q - p) = 0.01\n\
            constraint three: dot(q - (0.25, 0), q - (0.25, 0)) = 0.01\n\
            dissipation 0.15*dot(p', p') + 0.15*dot(q', q')\nstart p.x = 0.08, p.y ~ -0.06, q ~ (0.17, -0.07)\n";
        for (method, many) in [(Method::Explicit, 600), (Method::Stiff, 2000)] {
            let (moving, _) = run(text, method, 10.0);
            let (still, last) = run(text, method, 60.0);
            let steps = |outcome: &Outcome| outcome.statistics.steps + outcome.statistics.rejected;
            assert!(steps(&still) < steps(&moving) + many, "{} {}", steps(&moving), steps(&still));
            assert!((last[1] - 0.075).abs() < 1e-12, "{}", last[1]);
        }
    }

    /// The force itself is what cancels: a weight that has come to rest on its spring.
    #[test]
    fn forces_that_balance_take_few_steps() {
        let text = "coord x\nkinetic 0.3*x'^2/2\npotential 7*x^2/2 - 0.3*9.81*x\ndissipation 0.5*x'^2\nstart x = 1\n";
        for method in [Method::Explicit, Method::Stiff] {
            let (outcome, last) = run(text, method, 1000.0);
            assert!(outcome.statistics.steps < 2500, "{}", outcome.statistics.steps);
            assert!((last[1] - 0.3 * 9.81 / 7.0).abs() < 1e-13, "{}", last[1]);
        }
    }

    /// What dies out is not followed until its numbers are too small to be numbers.
    #[test]
    fn decay_has_an_end() {
        let text = "coord x\nkinetic x'^2/2\npotential x^2/2\ndissipation 0.5*x'^2\nstart x = 1\n";
        for method in [Method::Explicit, Method::Stiff] {
            let (outcome, last) = run(text, method, 3000.0);
            assert!(outcome.statistics.steps < 3500 && last[1].abs() < 1e-15, "{:?} {last:?}", outcome.statistics);
        }
    }
}
