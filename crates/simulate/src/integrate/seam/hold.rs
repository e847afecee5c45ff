//! What keeps the motion on the seams that hold: ṡ = r + W α = 0, and velocities that are put back where rounding has moved them.

use super::{Compiled, Condition, Holding, ROUNDING, Seams, share};
use crate::integrate::feedback::solve;
use crate::integrate::filippov::MIDDLE;
use holonom_mechanics::compile::{CompiledSystem, Inputs};
use holonom_symbols::expr::{Id, Symbol};

/// What holds a seam leaves its rate at zero up to this part of what it is made of.
const STILL: f64 = 1e-9;

impl Seams {
    /// Whether the forces of a seam that holds lead back to it from both sides.
    pub(in crate::integrate) fn attracts(&self, place: usize) -> bool {
        self.own_answer(place) < -ROUNDING * self.holding.answer_sizes[place]
    }

    /// Whether something else holds the motion on a seam: its force changes nothing there, and the motion does not leave.
    pub(in crate::integrate) fn is_held_otherwise(&self, place: usize) -> bool {
        let Holding { rates, sizes, answer_sizes, .. } = &self.holding;
        self.own_answer(place).abs() <= ROUNDING * answer_sizes[place] && rates[place].abs() <= STILL * sizes[place]
    }

    /// How the rate of a seam that holds answers to its own force.
    fn own_answer(&self, place: usize) -> f64 {
        self.holding.matrix[place * (self.held().len() + 1)]
    }

    /// What rates and their answers are made of, also where rows and contacts take them away: what forces would do to the masses of their
    /// coordinates alone.
    pub(in crate::integrate) fn measure(&mut self, force: &[f64], masses: &[f64]) {
        let alone = |j: usize, force: f64| if masses[j] > 0.0 { force / masses[j] } else { 0.0 };
        for place in 0..self.held().len() {
            let condition = self.condition(place);
            let entries = || condition.velocities.iter().zip(condition.slopes);
            let driven: f64 = entries().map(|(&j, slope)| (slope * alone(j, force[j])).abs()).sum();
            let changes = |j: usize| self.change(place).find(|one| one.0 == j).map_or(0.0, |one| one.1);
            let moved: f64 = entries().map(|(&j, slope)| (slope * alone(j, changes(j))).abs()).sum();
            let answer = &self.holding.answers[place * self.n..(place + 1) * self.n];
            let answered: f64 = condition.terms(answer).map(f64::abs).sum();
            self.holding.answer_sizes[place] = answered.max(moved);
            self.holding.sizes[place] = self.holding.sizes[place].max(driven);
        }
    }

    /// ṡ of a seam that holds where its force is in the middle of its jump, and those of others are below.
    pub(in crate::integrate) fn middle_rate(&self, place: usize) -> f64 {
        self.holding.rates[place] + MIDDLE * self.own_answer(place)
    }

    /// r of the seams that hold, for an acceleration under Q₋.
    pub(in crate::integrate) fn find_rates(&mut self, acceleration: &[f64]) {
        for place in 0..self.held().len() {
            let condition = self.condition(place);
            let start = (condition.rest, condition.rest.abs());
            let (rate, size) = condition.terms(acceleration).fold(start, |(sum, size), x| (sum + x, size + x.abs()));
            (self.holding.rates[place], self.holding.sizes[place]) = (rate, size);
        }
    }

    /// Accelerations and reactions under Q₋.
    pub(in crate::integrate) fn take_base(&mut self, acceleration: &[f64], reactions: &[f64]) {
        self.find_rates(acceleration);
        self.holding.base.copy_from_slice(acceleration);
        self.holding.base_reactions.clear();
        self.holding.base_reactions.extend_from_slice(reactions);
    }

    /// How accelerations answer to ΔQ of a seam that holds, by how much they differ from those under Q₋; and of one that something else holds,
    /// how the force does that holds a contact there. Rows of contacts begin at `first`.
    pub(in crate::integrate) fn take_answer(
        &mut self,
        place: usize,
        acceleration: &[f64],
        reactions: &[f64],
        first: usize,
    ) {
        let Holding { answers, base, base_reactions, is_idle, eased, .. } = &mut self.holding;
        let answer = &mut answers[place * self.n..(place + 1) * self.n];
        for (answer, (with, without)) in answer.iter_mut().zip(acceleration.iter().zip(base)) {
            *answer = with - *without;
        }
        let changes = (first..reactions.len()).map(|row| (row, reactions[row] - base_reactions[row]));
        let most = changes.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        eased[place] = most.filter(|(_, change)| is_idle[place] && *change != 0.0);
    }

    /// Lets forces that change no acceleration take what they can of the load of contacts that stick, whose forces are given: friction has to
    /// hold the rest only. Whether some change.
    pub(in crate::integrate) fn ease(&mut self, reactions: &[f64]) -> bool {
        let Holding { alphas, eased, base_reactions: loads, .. } = &mut self.holding;
        loads.copy_from_slice(reactions);
        let mut changes = false;
        for (alpha, eased) in alphas.iter_mut().zip(eased) {
            let Some((row, change)) = *eased else { continue };
            let next = (*alpha - loads[row] / change).clamp(0.0, 1.0);
            loads[row] += (next - *alpha) * change;
            changes |= (next - *alpha).abs() > ROUNDING;
            *alpha = next;
        }
        changes
    }

    /// Corrects α by what an acceleration leaves of the rates; whether nothing is left of them but rounding.
    pub(in crate::integrate) fn correct_alphas(&mut self, acceleration: &[f64]) -> bool {
        let mut is_held = true;
        for place in 0..self.held().len() {
            let condition = self.condition(place);
            let rate = condition.rest + condition.terms(acceleration).sum::<f64>();
            is_held &= rate.abs() <= ROUNDING * self.holding.sizes[place] || self.holding.is_idle[place];
            self.holding.right[place] = if self.holding.is_idle[place] { 0.0 } else { -rate };
        }
        if is_held || !self.solve() {
            return true;
        }
        let Holding { alphas, right, .. } = &mut self.holding;
        alphas.iter_mut().zip(right).for_each(|(alpha, change)| *alpha += *change);
        false
    }

    /// W, from how accelerations answer.
    pub(in crate::integrate) fn find_matrix(&mut self) {
        let (n, count) = (self.n, self.held().len());
        for k in 0..count {
            for l in 0..count {
                let answer = &self.holding.answers[l * n..(l + 1) * n];
                self.holding.matrix[k * count + l] = self.condition(k).terms(answer).sum();
            }
        }
    }

    /// Solves W x = right, in place; `false` where there is no solution. Of seams that something else holds, x is what is on the right.
    fn solve(&mut self) -> bool {
        let count = self.held().len();
        self.normalise(true);
        let Holding { room, right, shared, .. } = &mut self.holding;
        shared[..count].copy_from_slice(right);
        if solve(room, right, count) {
            return true;
        }
        // Seams that are one.
        right.copy_from_slice(&shared[..count]);
        self.normalise(false);
        let Holding { room, right, shared, .. } = &mut self.holding;
        share(room, right, &mut shared[count..], count)
    }

    /// W in `room`, by rows that are 1 at their own seam: what is singular must not depend on units; the right sides likewise, if asked.
    fn normalise(&mut self, with_right: bool) {
        let Holding { seams, is_idle, matrix, room, right, .. } = &mut self.holding;
        let count = seams.len();
        room.copy_from_slice(matrix);
        for (k, row) in room.chunks_exact_mut(count.max(1)).enumerate() {
            if is_idle[k] {
                row.fill(0.0);
                row[k] = 1.0;
                continue;
            }
            let own = row[k];
            row.iter_mut().for_each(|x| *x /= own);
            if with_right {
                right[k] /= own;
            }
        }
    }

    /// How accelerations answer to the forces of some of the seams that hold, one after the other.
    pub(in crate::integrate) fn answers_of(&self, asked: &[usize]) -> Vec<f64> {
        asked.iter().flat_map(|&place| &self.holding.answers[place * self.n..(place + 1) * self.n]).copied().collect()
    }

    /// r, W and what rates are made of, for some of the seams that hold; the forces of the others are where they are.
    pub(in crate::integrate) fn problem(&self, asked: &[usize]) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let Holding { rates, matrix, sizes, is_idle, alphas, .. } = &self.holding;
        let count = rates.len();
        let idle = |k: usize| (0..count).filter(|&l| is_idle[l]).map(move |l| alphas[l] * matrix[k * count + l]);
        let rate = |&k: &usize| rates[k] + idle(k).sum::<f64>();
        let answers = asked.iter().flat_map(|&k| asked.iter().map(move |&l| matrix[k * count + l]));
        (asked.iter().map(rate).collect(), answers.collect(), asked.iter().map(|&k| sizes[k]).collect())
    }

    /// The α with which all seams that hold go on holding: W α = −r. Where W is singular they stay as they are.
    pub(in crate::integrate) fn find_alphas(&mut self) {
        let Holding { rates, matrix, right, alphas, is_idle, .. } = &mut self.holding;
        let count = rates.len();
        // From the middle of all jumps on: forces that share a seam move alike.
        for (k, right) in right.iter_mut().enumerate() {
            let middle: f64 = rates[k] + matrix[k * count..(k + 1) * count].iter().map(|w| MIDDLE * w).sum::<f64>();
            *right = if is_idle[k] { alphas[k] - MIDDLE } else { -middle };
        }
        if self.solve() {
            let Holding { alphas, right, .. } = &mut self.holding;
            alphas.iter_mut().zip(right).for_each(|(alpha, change)| *alpha = MIDDLE + *change);
        }
    }

    /// Moves velocities back to the seams that hold, at the state that was looked at last, along what the forces can do; how far the worst
    /// of them is off.
    pub(in crate::integrate) fn correct(&mut self, v: &mut [f64]) -> f64 {
        let (n, count) = (self.n, self.held().len());
        self.find_matrix();
        let mut worst: f64 = 0.0;
        for place in 0..count {
            let value = self.condition(place).value;
            worst = worst.max(value.abs());
            self.holding.right[place] = if self.holding.is_idle[place] { 0.0 } else { -value };
        }
        if worst == 0.0 || !self.solve() {
            return worst;
        }
        for place in 0..count {
            let answer = &self.holding.answers[place * n..(place + 1) * n];
            v.iter_mut().zip(answer).for_each(|(v, u)| *v += self.holding.right[place] * u);
        }
        worst
    }

    /// The only velocity that a seam is about, with its slope.
    fn only_entry(&self, place: usize) -> Option<(usize, f64)> {
        let Condition { velocities, slopes, .. } = self.condition(place);
        let mut entries = velocities.iter().copied().zip(slopes.iter().copied()).filter(|(_, slope)| *slope != 0.0);
        match (entries.next(), entries.next()) {
            (entry, None) => entry,
            _ => None,
        }
    }

    /// The seams whose own forces hold them.
    fn holding_ones(&self) -> impl Iterator<Item = usize> {
        (0..self.held().len()).filter(|&place| !self.holding.is_idle[place])
    }

    /// What a seam of one velocity alone holds is held to the last digit, at the state that was looked at last.
    pub(in crate::integrate) fn pin_velocity(&self, v: &mut [f64]) {
        for place in self.holding_ones() {
            let Some((j, slope)) = self.only_entry(place) else { continue };
            // Values are those before any was pinned: of several seams of one velocity, one pins it.
            let earlier = self.holding_ones().take_while(|other| *other != place);
            if !earlier.filter_map(|other| self.only_entry(other)).any(|(known, _)| known == j) {
                v[j] -= self.condition(place).value / slope;
            }
        }
    }

    /// … and does not accelerate at all, not even by rounding.
    pub(in crate::integrate) fn pin_acceleration(&self, acceleration: &mut [f64]) {
        for place in self.holding_ones() {
            if let (Some((j, _)), 0.0) = (self.only_entry(place), self.condition(place).rest) {
                acceleration[j] = 0.0;
            }
        }
    }

    /// Takes from the derivatives of accelerations, column by column, what the seams that hold take away. `by_position` says by what
    /// they are derived.
    pub(in crate::integrate) fn hold_columns(
        &mut self,
        system: &CompiledSystem,
        inputs: &Inputs,
        by_position: bool,
        columns: &mut [f64],
    ) {
        let (n, count) = (self.n, self.held().len());
        if count == 0 {
            return;
        }
        if self.slopes.is_none() {
            let symbols: Vec<Symbol> =
                (0..n as u32).map(Symbol::Position).chain((0..n as u32).map(Symbol::Velocity)).collect();
            let functions: Vec<Id> = self.held().iter().map(|&k| self.list[k].jump.function).collect();
            let rates = self.graph.rate(&functions);
            let roots: Vec<Id> = rates.into_iter().flat_map(|rate| self.graph.gradient(rate, &symbols)).collect();
            self.slopes = Some(Compiled::new(&self.graph, &roots, system));
        }
        let Some(slopes) = &mut self.slopes else { return };
        let slopes = slopes.evaluate(inputs).to_vec();
        for column in 0..n {
            for place in 0..count {
                let condition = self.condition(place);
                let slopes_of = condition.velocities.iter().zip(condition.slopes);
                let moved: f64 = slopes_of.map(|(&i, slope)| slope * columns[i * n + column]).sum();
                let at = place * 2 * n + if by_position { column } else { n + column };
                self.holding.right[place] = if self.holding.is_idle[place] { 0.0 } else { -(moved + slopes[at]) };
            }
            if !self.solve() {
                return;
            }
            for place in 0..count {
                for i in 0..n {
                    columns[i * n + column] += self.holding.right[place] * self.holding.answers[place * n + i];
                }
            }
        }
    }
}
