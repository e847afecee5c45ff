//! Which of several forces that jump hold the motion at their seams, and to which side it leaves the others (Filippov 1988, §4 and §8).
//!
//! Seam k has a function sₖ that is zero now. Its rate is linear in where each force is between its two values, αₗ from 0 (its value below
//! the seam) to 1 (above): ṡ = r + W α. A seam holds with ṡₖ = 0 and 0 ≤ αₖ ≤ 1; otherwise the motion leaves it upwards, with αₖ = 1
//! and ṡₖ ≥ 0, or downwards, with αₖ = 0 and ṡₖ ≤ 0.

use super::feedback::solve;
use super::seam::share;

/// Where a force is in the middle of its jump.
pub(super) const MIDDLE: f64 = 0.5;
/// Seams that act on each other are decided by trying every combination, 3 to this power at most.
const TOGETHER: usize = 6;
/// What rounding may do to α, and to rates as a part of what they are made of.
const ROUNDING: f64 = 1e-10;
/// Two answers are the same motion where no force differs by more than this part of its jump.
const SAME: f64 = 1e-7;

/// What happens at a seam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    Leaves(Side),
    Holds,
}

/// The sign of the function of a seam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Below,
    Above,
}

impl Side {
    pub(super) fn of(value: f64) -> Self {
        if value > 0.0 { Self::Above } else { Self::Below }
    }

    pub(super) fn sign(self) -> f64 {
        match self {
            Self::Below => -1.0,
            Self::Above => 1.0,
        }
    }
}

/// The seams at one state: r, W row by row, and what each rate is made of.
pub(super) struct Problem<'a> {
    pub(super) rates: &'a [f64],
    pub(super) answers: &'a [f64],
    pub(super) sizes: &'a [f64],
    /// How accelerations answer to each force, one after the other: what makes no difference to them is one motion.
    pub(super) moves: &'a [f64],
    /// Seams that the motion is known to leave, and to which side.
    pub(super) leaving: &'a [Option<Side>],
}

/// What every seam does; or a seam for which no answer was found, or more than one.
pub(super) fn decide(problem: &Problem) -> Result<Vec<Does>, usize> {
    let count = problem.rates.len();
    let mut does = vec![Does::Holds; count];
    let mut is_done = vec![false; count];
    for first in 0..count {
        if is_done[first] {
            continue;
        }
        let group = problem.group_of(first);
        group.iter().for_each(|&k| is_done[k] = true);
        let found = if group.len() <= TOGETHER { problem.try_all(&group) } else { None };
        for (&k, found) in group.iter().zip(found.ok_or(first)?) {
            does[k] = found;
        }
    }
    Ok(does)
}

impl Problem<'_> {
    /// The seams that act on each other, one of them given.
    fn group_of(&self, first: usize) -> Vec<usize> {
        let count = self.rates.len();
        let mut group = vec![first];
        let mut next = 0;
        while let Some(&k) = group.get(next) {
            for l in 0..count {
                let acts = self.answers[k * count + l] != 0.0 || self.answers[l * count + k] != 0.0;
                if acts && !group.contains(&l) {
                    group.push(l);
                }
            }
            next += 1;
        }
        group.sort_unstable();
        group
    }

    /// The only motion of a group, by trying all combinations; those in which most seams hold come first.
    fn try_all(&self, group: &[usize]) -> Option<Vec<Does>> {
        let all = [Does::Holds, Does::Leaves(Side::Below), Does::Leaves(Side::Above)];
        let mut combinations: Vec<Vec<Does>> = vec![Vec::new()];
        for &k in group {
            let open = all.iter().filter(|does| match (self.leaving[k], does) {
                (Some(side), _) => **does == Does::Leaves(side),
                (None, _) => true,
            });
            combinations = open.flat_map(|does| combinations.iter().map(|c| [&c[..], &[*does]].concat())).collect();
        }
        let holding = |c: &Vec<Does>| c.iter().filter(|does| **does == Does::Holds).count();
        combinations.sort_by_key(|c| std::cmp::Reverse(holding(c)));
        let mut found: Option<(Vec<Does>, Vec<f64>)> = None;
        for combination in combinations {
            let Some(alphas) = self.attempt(group, &combination) else { continue };
            match &found {
                None => found = Some((combination, alphas)),
                Some((_, known)) if self.is_one_motion(group, known, &alphas) => {}
                Some(_) => return None,
            }
        }
        found.map(|(combination, _)| combination)
    }

    /// Whether forces cause the same accelerations.
    fn is_one_motion(&self, group: &[usize], one: &[f64], other: &[f64]) -> bool {
        let n = self.moves.len() / self.rates.len();
        (0..n).all(|j| {
            let terms = || group.iter().enumerate().map(|(i, k)| (self.moves[k * n + j], one[i] - other[i]));
            let (apart, size) = terms().fold((0.0, 0.0), |(sum, size): (f64, f64), (move_of, change)| {
                (sum + move_of * change, size + move_of.abs())
            });
            apart.abs() <= SAME * size
        })
    }

    /// Where the forces are between their values, if a combination is a motion.
    fn attempt(&self, group: &[usize], combination: &[Does]) -> Option<Vec<f64>> {
        let count = self.rates.len();
        let begin = |does: &Does| match does {
            Does::Leaves(Side::Above) => 1.0,
            Does::Leaves(Side::Below) => 0.0,
            Does::Holds => MIDDLE,
        };
        let mut alphas: Vec<f64> = combination.iter().map(begin).collect();
        let rate = |k: usize, alphas: &[f64]| -> f64 {
            self.rates[k] + group.iter().zip(alphas).map(|(l, alpha)| self.answers[k * count + l] * alpha).sum::<f64>()
        };
        let holding: Vec<usize> = (0..group.len()).filter(|&i| combination[i] == Does::Holds).collect();
        let mut matrix: Vec<f64> = Vec::with_capacity(holding.len() * holding.len());
        for &i in &holding {
            // By rows that are 1 at their own seam: what is singular must not depend on units.
            let own = self.answers[group[i] * count + group[i]];
            matrix.extend(holding.iter().map(|&j| self.answers[group[i] * count + group[j]] / own));
        }
        let mut right: Vec<f64> =
            holding.iter().map(|&i| -rate(group[i], &alphas) / self.answers[group[i] * count + group[i]]).collect();
        let (all, wanted, count_held) = (matrix.clone(), right.clone(), holding.len());
        if !solve(&mut matrix, &mut right, count_held) {
            // Seams that are one.
            right = wanted;
            let mut room = vec![0.0; count_held * count_held + 2 * count_held];
            if !share(&all, &mut right, &mut room, count_held) {
                return None;
            }
        }
        for (&i, change) in holding.iter().zip(&right) {
            let alpha = MIDDLE + change;
            if !(-ROUNDING..=1.0 + ROUNDING).contains(&alpha) {
                return None;
            }
            alphas[i] = alpha;
        }
        let fits = |(i, does): (usize, &Does)| match does {
            Does::Holds => true,
            Does::Leaves(side) => side.sign() * rate(group[i], &alphas) >= -ROUNDING * self.sizes[group[i]],
        };
        combination.iter().enumerate().all(fits).then_some(alphas)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BELOW: Does = Does::Leaves(Side::Below);
    const ABOVE: Does = Does::Leaves(Side::Above);

    fn decided(rates: &[f64], answers: &[f64]) -> Result<Vec<Does>, usize> {
        let (sizes, leaving) = (vec![1.0; rates.len()], vec![None; rates.len()]);
        let count = rates.len();
        let moves: Vec<f64> = (0..count * count).map(|i| answers[i % count * count + i / count]).collect();
        decide(&Problem { rates, answers, sizes: &sizes, moves: &moves, leaving: &leaving })
    }

    #[test]
    fn a_seam_holds_where_both_sides_lead_back() {
        assert_eq!(decided(&[1.0], &[-2.0]), Ok(vec![Does::Holds]));
        assert_eq!(decided(&[3.0], &[-2.0]), Ok(vec![ABOVE]));
        assert_eq!(decided(&[-1.0], &[-2.0]), Ok(vec![BELOW]));
        // Both sides lead away: there is more than one motion.
        assert_eq!(decided(&[-1.0], &[2.0]), Err(0));
    }

    /// Each holds by itself with α = ½; what the second one gives to the first pushes that out.
    #[test]
    fn seams_that_act_on_each_other_are_decided_together() {
        assert_eq!(decided(&[1.0, 1.0], &[-2.0, 0.5, 0.5, -2.0]), Ok(vec![Does::Holds; 2]));
        assert_eq!(decided(&[1.0, 1.0], &[-2.0, 4.0, 0.0, -2.0]), Ok(vec![ABOVE, Does::Holds]));
        // ṡ₁ = 1 − α₁·2 + 4α₂ and the like: either both are left or both held, which is not one motion.
        assert!(decided(&[-1.0, -1.0], &[-1.0, 4.0, 4.0, -1.0]).is_err());
    }

    #[test]
    fn many_that_do_not_are_decided_apart() {
        let count = 40;
        let rates: Vec<f64> = (0..count).map(|k| k as f64 * 0.1 - 1.0).collect();
        let answers: Vec<f64> = (0..count * count).map(|i| if i % (count + 1) == 0 { -2.0 } else { 0.0 }).collect();
        let does = decided(&rates, &answers).unwrap();
        for (rate, does) in rates.iter().zip(does) {
            let expected = if *rate < 0.0 {
                BELOW
            } else if *rate > 2.0 + 1e-9 {
                ABOVE
            } else {
                Does::Holds
            };
            assert_eq!(does, expected, "{rate}");
        }
    }
}
