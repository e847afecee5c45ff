//! What rounding makes of states and accelerations, and the least error that can be asked for beside it.
//!
//! Where forces balance, as they do at rest, what is left of them is rounding. An error control that took it for motion would
//! shorten steps without end and gain nothing. So it is measured: by the accelerations at states that differ from the present one in
//! their last digits, and by what projection makes of rows that are met up to rounding.

use super::field::Field;
use super::mechanics::{Level, Mechanics};
use super::sizes::Sizes;

/// How far an estimate of errors may be made of rounding: it sums several evaluations, and the largest was hardly met.
const AMPLIFIED: f64 = 40.0;
/// Failed attempts between two measurements.
const SELDOM: u32 = 8;
/// What is left of a measurement at the next one.
const FORGOTTEN: f64 = 0.7;
/// Patterns of signs that are tried at a time.
const PATTERNS: u64 = 3;
/// The part of the size of its kind that a state is known to at least, away from singular configurations.
const KNOWN: f64 = 1e-12;
/// The part of a step between two states at which accelerations along the motion are compared: its fourth power is rounding.
const AHEAD: f64 = 1e-4;
/// How far aside, as a part of the size of their kind.
const ASIDE: f64 = 16.0 * f64::EPSILON;
/// Fourth differences, and what they make of noise.
const FOURTH: [f64; 5] = [1.0, -4.0, 6.0, -4.0, 1.0];
const FOURTH_NORM: f64 = 8.4;
/// Attempts that must have been limited, as a part of all, before that is worth a word.
const OFTEN: f64 = 0.1;
/// A coordinate that rounding leaves fewer digits than this is itself made of rounding …
const DIGITS: f64 = 1e-5;
const LOST: f64 = 0.1;
/// … unless it is as large as this part of its kind.
const SMALL: f64 = 1e-13;

/// The rounding of states and accelerations.
pub(super) struct Rounding {
    /// By coordinate: the change of its acceleration that the last digits of the state make.
    of_acceleration: Vec<f64>,
    /// The part of it that sums of forces make.
    of_sums: Vec<f64>,
    /// What rounding makes of q and q̇ in the time that the motion takes over its own size, and what projection leaves.
    of_state: Vec<f64>,
    /// The latter alone.
    jitter: Vec<f64>,
    state: Vec<f64>,
    rate: Vec<f64>,
    before: Vec<f64>,
    mass: Vec<f64>,
    /// Fourth differences of accelerations along the motion, ahead and behind.
    differences: [Vec<f64>; 2],
    /// The length of the step that failed last, where there may be more rounding than the last digits of the state make; else 0.
    step: f64,
    /// Failed attempts until it is measured again.
    wait: u32,
    /// How many patterns of signs were tried: each time others, for one may leave a coordinate as it was.
    tried: u64,
    /// By coordinate: in how many attempts it decided about errors, and the least errors of q and q̇ that could be asked for last.
    decided: Vec<(u64, f64, f64)>,
    attempts: u64,
}

/// A coordinate for which more was asked than rounding allows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limited {
    pub(super) coordinate: usize,
    /// The part of its size that can be kept.
    pub(super) kept: f64,
}

impl Rounding {
    /// Nothing is known yet, for states of a size.
    pub(super) fn new(n: usize, size: usize) -> Self {
        let zeros = || vec![0.0; size];
        Self {
            of_acceleration: vec![0.0; n],
            of_sums: vec![0.0; n],
            of_state: vec![0.0; 2 * n],
            jitter: vec![0.0; 2 * n],
            state: zeros(),
            rate: zeros(),
            before: zeros(),
            mass: Vec::new(),
            differences: [vec![0.0; n], vec![0.0; n]],
            step: 0.0,
            wait: 0,
            tried: 0,
            decided: vec![(0, 0.0, 0.0); n],
            attempts: 0,
        }
    }

    /// A step of length h from y, whose rate is known, has failed: perhaps for rounding alone.
    pub(super) fn suspect(&mut self, mechanics: &mut Mechanics, (t, h): (f64, f64), y: &[f64], rate: &[f64]) {
        if self.wait > 0 {
            self.wait -= 1;
            return;
        }
        self.step = h;
        self.measure(mechanics, t, y, rate);
    }

    /// Looks along the motion, a small part of a step, and aside by last digits of what is of each kind: what is left of accelerations in
    /// fourth differences there is rounding, wherever in the forces it arises.
    ///
    /// Where springs that are stretched balance, forces are rounded that do not hang on the last digits of what they act on.
    fn follow(&mut self, mechanics: &mut Mechanics, (t, h): (f64, f64), y: &[f64], rate: &[f64]) {
        let n = mechanics.n;
        let pattern = signs(self.tried);
        self.tried += 1;
        for (sign, difference) in [1.0, -1.0].into_iter().zip(&mut self.differences) {
            difference.fill(0.0);
            for (place, coefficient) in FOURTH.into_iter().enumerate() {
                let place = sign * place as f64;
                let time = place * AHEAD * h;
                for ((x, y), rate) in self.state.iter_mut().zip(y).zip(rate) {
                    *x = y + time * rate;
                }
                for (i, (x, kind)) in self.state.iter_mut().zip(mechanics.sizes.kind()).enumerate() {
                    *x += place * sign_of(pattern, i) * ASIDE * kind.max(mechanics.sizes.natural(i));
                }
                if mechanics.rate(t + time, &self.state, &mut self.rate).is_err() {
                    return;
                }
                let accelerations = &self.rate[n..2 * n];
                difference.iter_mut().zip(accelerations).for_each(|(sum, a)| *sum += coefficient * a);
            }
        }
        // The lesser of both sides, as above.
        let [ahead, behind] = &self.differences;
        self.step = 0.0;
        for ((own, ahead), behind) in self.of_acceleration.iter_mut().zip(ahead).zip(behind) {
            let noise = ahead.abs().min(behind.abs()) / FOURTH_NORM;
            if noise > *own && noise.is_finite() {
                (*own, self.step) = (noise, h);
            }
        }
    }

    /// Measures it at a state whose rate is known, and forgets by and by what it was elsewhere.
    pub(super) fn measure(&mut self, mechanics: &mut Mechanics, t: f64, y: &[f64], rate: &[f64]) {
        self.wait = SELDOM;
        let n = mechanics.n;
        self.of_acceleration.iter_mut().for_each(|rounding| *rounding *= FORGOTTEN);
        self.jitter.fill(0.0);
        for _ in 0..PATTERNS {
            let pattern = signs(self.tried);
            self.tried += 1;
            self.add_projections(mechanics, pattern);
            // The lesser of the changes to either side: where the equations switch, one of them may be a jump.
            self.before.fill(f64::INFINITY);
            for sign in [1.0, -1.0] {
                self.state.copy_from_slice(y);
                for (i, x) in self.state.iter_mut().take(2 * n).enumerate() {
                    *x += sign * sign_of(pattern, i) * f64::EPSILON * mechanics.sizes.own(i);
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
            let (q, v) = y[..2 * n].split_at(n);
            let shaken = mechanics.shaken_by_mass(
                (t, q, v),
                |entry| sign_of(pattern, entry),
                &mut self.mass,
                &mut self.before[..n],
            );
            for (own, change) in self.of_acceleration.iter_mut().zip(&self.before).filter(|_| shaken) {
                *own = own.max(if change.is_finite() { *change } else { 0.0 });
            }
        }
        // Sums of forces that cancel are rounded, even where no digit of the state changes them: beside g, a tension is.
        mechanics.drives(&mut self.before[..n], &mut self.rate[..n]);
        for ((own, sums), drive) in self.of_acceleration.iter_mut().zip(&mut self.of_sums).zip(&self.before) {
            *sums = if drive.is_finite() { f64::EPSILON * drive } else { 0.0 };
            *own = own.max(*sums);
        }
        if self.step > 0.0 {
            self.follow(mechanics, (t, self.step), y, rate);
        }
        self.derive(mechanics, rate);
    }

    /// What follows for states from what is known of accelerations and of projection.
    fn derive(&mut self, mechanics: &Mechanics, rate: &[f64]) {
        let n = mechanics.n;
        self.of_state.copy_from_slice(&self.jitter);
        let clearance = mechanics.linear.clearance().clamp(KNOWN, 1.0);
        for j in 0..n {
            // No longer than the acceleration takes over the coordinate's size: it may be about to collide.
            let (size, now) = (mechanics.sizes.own(j), rate[n + j].abs());
            let soon = if now > 0.0 { (size / now).sqrt() } else { f64::INFINITY };
            let time = mechanics.sizes.time(j).min(soon);
            // Nor is a state known worse than to a part of its kind, however fast rounding grows: beside a pole that would hide it.
            // Beside a singular configuration it is rows that make it grow.
            let most = |i: usize| KNOWN * mechanics.sizes.largest()[i].max(mechanics.sizes.natural(i)) / clearance;
            self.of_state[j] += (self.of_acceleration[j] * time * time).min(most(j));
            self.of_state[n + j] += (self.of_acceleration[j] * time).min(most(n + j));
        }
    }

    /// What projection makes of rows that are met up to rounding.
    fn add_projections(&mut self, mechanics: &mut Mechanics, pattern: u64) {
        let (positions, velocities) = self.jitter.split_at_mut(mechanics.n);
        for (level, out) in [(Level::Position, positions), (Level::Velocity, velocities)] {
            let Some(step) = mechanics.jitter(level, |row| sign_of(pattern, row)) else { continue };
            for (out, step) in out.iter_mut().zip(step) {
                *out = out.max(if step.is_finite() { step.abs() } else { 0.0 });
            }
        }
    }

    /// The speed that rounding of sums of forces makes of coordinate j in a step of length h.
    pub(super) fn speed(&self, j: usize, h: f64) -> f64 {
        self.of_sums[j] * h
    }

    /// Another attempt begins.
    pub(super) fn attempt(&mut self) {
        self.attempts += 1;
    }

    /// What can be asked for of a coordinate in an attempt, and whether that decides about its errors.
    pub(super) fn decides(&mut self, j: usize, (position, velocity): (f64, f64), decides: bool) {
        let (times, ..) = self.decided[j];
        self.decided[j] = (times + u64::from(decides), position, velocity);
    }

    /// Of the coordinates for which it decided often, the one that is known worst, if `rtol` asks for more.
    pub(super) fn limited(&self, sizes: &Sizes, rtol: f64) -> Option<Limited> {
        let n = self.decided.len();
        let kept = |j: usize| {
            let (_, position, velocity) = self.decided[j];
            let time = sizes.time(j);
            let fastest = sizes.peak(n + j).max(if time > 0.0 { sizes.peak(j) / time } else { 0.0 });
            let part = |least: f64, most: f64| if most > 0.0 { least / most } else { 0.0 };
            part(position, sizes.peak(j)).max(part(velocity, fastest))
        };
        let often = |j: &usize| self.decided[*j].0 as f64 > OFTEN * self.attempts as f64;
        let is_more_than_rounding = |j: usize| sizes.peak(j) > SMALL * sizes.largest()[j];
        let found = (0..n).filter(often).map(|j| Limited { coordinate: j, kept: kept(j) });
        found
            .filter(|found| found.kept > rtol && found.kept < LOST)
            .filter(|found| found.kept < DIGITS || is_more_than_rounding(found.coordinate))
            .max_by(|a, b| a.kept.total_cmp(&b.kept))
    }

    /// The least errors of q and q̇ of coordinate j that a step of length h can be asked for.
    pub(super) fn least(&self, j: usize, h: f64, size: f64, method: holonom_language::Method) -> (f64, f64) {
        let rounding = AMPLIFIED * self.of_acceleration[j];
        // An implicit method does not pass on what a stiff force makes of the last digits of positions: it returns to them.
        let h2 = h * h;
        let tamed = match method {
            holonom_language::Method::Explicit => 1.0,
            holonom_language::Method::Stiff => 1.0 + h2 * self.of_acceleration[j] / (f64::EPSILON * size),
        };
        let of_velocity = self.of_state[self.of_acceleration.len() + j];
        ((rounding * h2).max(self.of_state[j]) / tamed, (rounding * h).max(of_velocity) / tamed)
    }
}

/// A pattern of signs for each number, no two alike.
fn signs(number: u64) -> u64 {
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

fn sign_of(pattern: u64, i: usize) -> f64 {
    if (pattern >> (i % 64)) & 1 == 1 { 1.0 } else { -1.0 }
}

#[cfg(test)]
mod tests {
    use crate::integrate::{End, Outcome, RecordedRows, Run, plan};
    use holonom_language::{Method, from_text};
    use holonom_mechanics::compile::CompiledSystem;
    use holonom_mechanics::derive::derive;

    fn run(text: &str, method: Method, until: f64) -> (Outcome, Vec<f64>) {
        let loaded = from_text("rest.holo", text);
        let derived = derive(loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics)));
        let system = CompiledSystem::new(derived.expect("a good model").value);
        let options = Run { method: Some(method), until: Some(until), max_steps: Some(20_000), ..Run::default() };
        let plan = plan(&system, &options).expect("a motion").value;
        let mut trajectory = RecordedRows::default();
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
            // Far below the tolerance of 1e-9: what is left is how steps at the edge of stability forget.
            assert!((last[1] - 0.3 * 9.81 / 7.0).abs() < 1e-12, "{}", last[1]);
        }
    }

    /// What symmetry or a long way keeps at rest is made of rounding at first, and forces round it that do not hang on its digits.
    #[test]
    fn what_hardly_moves_takes_few_steps() {
        let springs = "particle p: 1 in plane\nlet A[i in 1..3] = (cos(2*pi*i/3), sin(2*pi*i/3))\n\
            potential sum(i in 1..3, 50*(norm(p - A[i]) - 0.8)^2)\nstart p = (0, 0), p' = (1, 0)\n";
        let chain = "param N = 5\ncoord u[1..N]\nlet u[0] = 0, u[N+1] = 0\nkinetic sum(i in 1..N, u[i]'^2)/2\n\
            potential sum(i in 0..N, 5*(u[i+1] - u[i] + 0.7)^2 + (u[i+1] - u[i])^4)\n\
            start u[1] = 0.2, u[i in 2..N] = 0\n";
        for (text, until, many) in [(springs, 3.0, 500), (chain, 5.0, 300)] {
            let (outcome, _) = run(text, Method::Explicit, until);
            assert!(outcome.statistics.steps + outcome.statistics.rejected < many, "{:?}", outcome.statistics);
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
