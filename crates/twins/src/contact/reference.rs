//! The reference: fixed steps of fourth order between changes, which are located by halving the step.

use super::blow::{blow, blow_of_the_rest};
use super::modes::{Mode, Rows, Unclear, ZERO, decide, motion};
use super::system::{Row, State, System, solve};

/// Changes after which a motion is given up.
const CHANGES: usize = 2000;
/// Halvings of a step to find a change: they end where the times of its two sides are neighbours.
const HALVINGS: usize = 60;
/// A rebound slower than this is the beginning of a series without end, which is not stepped through but taken flight by flight, and ends with
/// the sum 2v/(a(1 − e)) of those that are too slow to count. What it leaves out is of the order of its square.
const SLOW: f64 = 1e-5;
/// How far beyond its limit a mode must be before it has ended, for rounding right after it began.
const BEYOND: f64 = 1e-12;
/// A gap that goes below zero and back within a step has closed if it went deeper than this. Where a motion comes to its stop with speed zero,
/// errors of the step are less deep.
const GRAZES: f64 = 1e-9;

/// A motion with modes in force.
pub struct Reference<'a> {
    system: &'a System,
    state: State,
    modes: Vec<Mode>,
    /// Times and modes from each change on, the start first.
    pub history: Vec<(f64, Vec<Mode>)>,
}

/// What ends a mode.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    Closes(usize),
    Ends(usize, Mode),
}

impl<'a> Reference<'a> {
    /// Begins at a state.
    ///
    /// # Errors
    /// No modes fit it, or several.
    pub fn new(system: &'a System, start: State) -> Result<Reference<'a>, Unclear> {
        let mut reference = Reference { system, state: start, modes: Vec::new(), history: Vec::new() };
        reference.settle(None)?;
        Ok(reference)
    }

    /// Where it is.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Goes on to a time, in steps of at most `step`.
    ///
    /// # Errors
    /// No modes fit a state on the way, or several, or changes do not end.
    pub fn until(&mut self, end: f64, step: f64) -> Result<(), Unclear> {
        while self.state.t < end {
            let left = end - self.state.t;
            let h = if left <= step { left } else { step };
            let next = self.advanced(h)?;
            let found = if self.change(&next).is_some() { Some(h) } else { self.dip(h, &next)? };
            let Some(found) = found else {
                self.state = next;
                if h == left {
                    self.state.t = end;
                }
                continue;
            };
            let (mut low, mut high) = (0.0, found);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                if middle <= low || middle >= high {
                    break;
                }
                if self.change(&self.advanced(middle)?).is_some() { high = middle } else { low = middle }
            }
            let there = self.advanced(high)?;
            let change = self.change(&there);
            self.state = there;
            self.happen(change)?;
        }
        Ok(())
    }

    /// A part of a step after which a gap is below zero that closes at its start and opens at its end.
    fn dip(&self, h: f64, next: &State) -> Result<Option<f64>, Unclear> {
        let (start, end) = (Rows::at(self.system, &self.state), Rows::at(self.system, next));
        let turns = |&i: &usize| {
            self.modes[i] == Mode::Open
                && start.gaps[i].rate < 0.0
                && start.gaps[i].value > 0.0
                && end.gaps[i].rate > 0.0
        };
        for i in (0..self.modes.len()).filter(turns) {
            let (mut low, mut high) = (0.0, h);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                let gap = &Rows::at(self.system, &self.advanced(middle)?).gaps[i];
                if gap.rate < 0.0 && gap.value < -GRAZES {
                    return Ok(Some(middle));
                }
                if gap.rate < 0.0 { low = middle } else { high = middle }
            }
        }
        Ok(None)
    }

    /// The state after a step in the modes in force, put back on what they keep.
    fn advanced(&self, h: f64) -> Result<State, Unclear> {
        let start = &self.state;
        let rate = |state: &State| {
            motion(self.system, state, &self.modes)
                .map(|found| [state.v.clone(), found.acceleration])
                .ok_or(Unclear::None)
        };
        let moved = |[dq, dv]: &[Vec<f64>; 2], h: f64| State {
            t: start.t + h,
            q: start.q.iter().zip(dq).map(|(q, d)| q + h * d).collect(),
            v: start.v.iter().zip(dv).map(|(v, d)| v + h * d).collect(),
        };
        let k1 = rate(start)?;
        let k2 = rate(&moved(&k1, h / 2.0))?;
        let k3 = rate(&moved(&k2, h / 2.0))?;
        let k4 = rate(&moved(&k3, h))?;
        let mean = [0, 1].map(|part| {
            let sum = |i: usize| k1[part][i] + 2.0 * (k2[part][i] + k3[part][i]) + k4[part][i];
            (0..start.q.len()).map(|i| sum(i) / 6.0).collect()
        });
        let mut next = moved(&mean, h);
        self.project(&mut next);
        Ok(next)
    }

    /// Takes gaps of what is closed to zero, then rates and slips that are kept at zero.
    fn project(&self, state: &mut State) {
        let closed = |i: &usize| self.modes[*i] != Mode::Open;
        let indices: Vec<usize> = (0..self.modes.len()).filter(closed).collect();
        for _ in 0..2 {
            let rows = Rows::at(self.system, state);
            let gaps: Vec<(&Row, f64)> = indices.iter().map(|i| (&rows.gaps[*i], rows.gaps[*i].value)).collect();
            nearest(&gaps, &mut state.q);
        }
        let rows = Rows::at(self.system, state);
        let mut rates: Vec<(&Row, f64)> = indices.iter().map(|i| (&rows.gaps[*i], rows.gaps[*i].rate)).collect();
        for i in &indices {
            if let (Mode::Sticks, Some(slip)) = (self.modes[*i], &rows.slips[*i]) {
                rates.push((slip, slip.value));
            }
        }
        nearest(&rates, &mut state.v);
    }

    /// What has ended at a state, the first of the list.
    fn change(&self, state: &State) -> Option<Change> {
        let rows = Rows::at(self.system, state);
        let motion = motion(self.system, state, &self.modes)?;
        self.modes.iter().enumerate().find_map(|(i, mode)| {
            let (contact, load) = (&self.system.contacts[i], motion.loads[i]);
            let ends = match (mode, &rows.slips[i], &contact.friction) {
                (Mode::Open, ..) => {
                    let gap = &rows.gaps[i];
                    return (gap.value < -BEYOND && gap.rate < 0.0).then_some(Change::Closes(i));
                }
                (Mode::Smooth, ..) => contact.one_sided && load < -BEYOND,
                (Mode::Sticks, _, Some(friction)) => {
                    (contact.one_sided && load < -BEYOND)
                        || motion.frictions[i].abs() > friction.held * load.abs() + BEYOND
                }
                (Mode::Slides(direction, sign), Some(slip), _) => {
                    direction * slip.value < -BEYOND || sign * load < -BEYOND
                }
                _ => false,
            };
            ends.then_some(Change::Ends(i, *mode))
        })
    }

    fn happen(&mut self, change: Option<Change>) -> Result<(), Unclear> {
        match change {
            None => Ok(()),
            Some(Change::Closes(i)) => {
                self.state.v = blow(self.system, &self.state)?;
                self.settle(None)?;
                self.sum_rebounds(i)
            }
            Some(Change::Ends(i, mode)) => {
                let rows = Rows::at(self.system, &self.state);
                let stopped = match (mode, &rows.slips[i]) {
                    (Mode::Slides(direction, _), Some(slip)) => direction * slip.value < 0.0,
                    _ => false,
                };
                if stopped {
                    // Its slip is zero there, and it may do anything that begins with that.
                    self.modes[i] = Mode::Sticks;
                    let mut there = self.state.clone();
                    self.project(&mut there);
                    self.state = there;
                    return self.settle(None);
                }
                self.settle(Some((i, mode)))
            }
        }
    }

    fn settle(&mut self, barred: Option<(usize, Mode)>) -> Result<(), Unclear> {
        if self.history.len() > CHANGES {
            return Err(Unclear::Endless);
        }
        self.modes = decide(self.system, &self.state, barred)?;
        self.history.push((self.state.t, self.modes.clone()));
        Ok(())
    }

    /// Rebounds that become shorter by the factor e: a flight lasts 2v/a, with a blow after each, at which friction acts; all of them end
    /// after 2v/(a(1 − e)).
    fn sum_rebounds(&mut self, i: usize) -> Result<(), Unclear> {
        let e = self.system.contacts[i].restitution;
        if e >= 1.0 {
            return Ok(());
        }
        let mut is_begun = false;
        loop {
            let gap = &Rows::at(self.system, &self.state).gaps[i];
            if !is_begun && (gap.rate <= ZERO || gap.rate > SLOW) {
                return Ok(());
            }
            let motion = motion(self.system, &self.state, &self.modes).ok_or(Unclear::None)?;
            let down = -gap.gradient.iter().zip(&motion.acceleration).map(|(g, a)| g * a).sum::<f64>() - gap.bend;
            if down <= 0.0 {
                // Forces that change while it bounces may lift it.
                return if is_begun { self.settle(None) } else { Ok(()) };
            }
            is_begun = true;
            let flight = 2.0 * gap.rate / down;
            if gap.rate <= ZERO {
                self.state = self.advanced(flight.max(0.0) / (1.0 - e))?;
                self.state.v = blow_of_the_rest(self.system, &self.state)?;
                break;
            }
            self.state = self.advanced(flight)?;
            self.state.v = blow(self.system, &self.state)?;
        }
        self.modes[i] = Mode::Smooth;
        let mut there = self.state.clone();
        self.project(&mut there);
        self.state = there;
        self.settle(None)
    }
}

/// The nearest values at which rows change by −residual: x −= Gᵀ(G Gᵀ)⁻¹ r. Rows that depend on each other are left as they are.
fn nearest(rows: &[(&Row, f64)], x: &mut [f64]) {
    let gram = rows
        .iter()
        .map(|(a, _)| rows.iter().map(|(b, _)| a.gradient.iter().zip(&b.gradient).map(|(x, y)| x * y).sum()).collect())
        .collect();
    let Some(weights) = solve(gram, rows.iter().map(|(_, residual)| *residual).collect()) else { return };
    for ((row, _), weight) in rows.iter().zip(weights) {
        for (x, g) in x.iter_mut().zip(&row.gradient) {
            *x -= weight * g;
        }
    }
}
