//! Cancellation that is complete: all sines and cosines through the tangents of half the angles.
//!
//! With t = tan(θ/2), sin θ = 2t/(1 + t²) and cos θ = (1 − t²)/(1 + t²): a quotient in sines and cosines is a quotient of
//! polynomials in the t, where a greatest common divisor finds all that there is to cancel. Back again,
//! t^i/(1 + t²)^k = sin^i(θ/2) cos^(2k−i)(θ/2) is a polynomial in sin θ and cos θ for every i up to 2k.

use super::atom::{Atom, Family, Rule};
use super::{Budget, Exhausted, FunctionField, Integer, Polynomial, Ratio};

/// Longer quotients are left as they are.
const MOST_TERMS: usize = 50_000;

impl FunctionField {
    /// The quotient with all cancelled that sines and cosines hide; nothing if that is not shorter, or too long.
    pub(super) fn cancelled_by_halves(&self, ratio: &Ratio, budget: &Budget) -> Result<Option<Ratio>, Exhausted> {
        let (above, below) = (ratio.numerator(), ratio.denominator());
        let units: Vec<usize> = (0..self.units.len())
            .filter(|&unit| {
                let unit = &self.units[unit];
                let occurs =
                    |polynomial: &Polynomial| polynomial.degree(unit.first) + polynomial.degree(unit.second) > 0;
                unit.family == Family::Circular && occurs(above) && occurs(below)
            })
            .collect();
        if units.is_empty() || above.len() * below.len() > MOST_TERMS || self.has_other_relations(above, below) {
            return Ok(None);
        }
        let (mut top, mut bottom) = (above.clone(), below.clone());
        for &unit in &units {
            // The larger degree for both, so that powers of 1 + t² cancel.
            let degree = self.trigonometric_degree(&top, unit).max(self.trigonometric_degree(&bottom, unit));
            top = self.in_half(&top, unit, degree, budget)?;
            bottom = self.in_half(&bottom, unit, degree, budget)?;
        }
        let Some(halves) = Ratio::new(top, bottom, budget)? else { return Ok(None) };
        let (mut top, mut bottom) = (halves.numerator().clone(), halves.denominator().clone());
        for &unit in units.iter().rev() {
            let t = self.units[unit].first;
            let k = top.degree(t).max(bottom.degree(t)).div_ceil(2);
            top = self.back_from_half(&top, unit, k, budget)?;
            bottom = self.back_from_half(&bottom, unit, k, budget)?;
        }
        let (top, bottom) = (self.reduce_polynomial(&top, budget)?, self.reduce_polynomial(&bottom, budget)?);
        let found = Ratio::new(top, bottom, budget)?;
        Ok(found.filter(|found| found.terms() < ratio.terms()))
    }

    /// Whether roots or signs are involved, which hide factors of their own.
    fn has_other_relations(&self, above: &Polynomial, below: &Polynomial) -> bool {
        above.variables().iter().chain(below.variables()).any(|&variable| {
            self.rules[variable as usize].is_some() && !matches!(self.atoms[variable as usize], Atom::Cosine(_))
                || matches!(self.rules[variable as usize], Some(Rule::Is(_)))
        })
    }

    /// The degree in sine and cosine of a unit together.
    fn trigonometric_degree(&self, polynomial: &Polynomial, unit: usize) -> u32 {
        let unit = &self.units[unit];
        let degree = |powers: &mut dyn Iterator<Item = (u32, u32)>| {
            powers.filter(|(variable, _)| *variable == unit.first || *variable == unit.second).map(|(_, e)| e).sum()
        };
        polynomial.terms().map(|(_, mut powers)| degree(&mut powers)).max().unwrap_or(0)
    }

    /// `polynomial·(1 + t²)^degree`, with t in place of the sine.
    fn in_half(
        &self,
        polynomial: &Polynomial,
        unit: usize,
        degree: u32,
        budget: &Budget,
    ) -> Result<Polynomial, Exhausted> {
        let (sine, cosine) = (self.units[unit].first, self.units[unit].second);
        let square = Polynomial::variable(sine).power(2, budget)?;
        let (plus, minus) = (Polynomial::one().add(&square), Polynomial::one().subtract(&square));
        let twice = Polynomial::variable(sine).scale(&Integer::from(2i64));
        let mut sum = Polynomial::zero();
        for (s, part) in polynomial.coefficients_in(sine) {
            for (c, part) in part.coefficients_in(cosine) {
                let factor = twice
                    .power(s, budget)?
                    .multiply(&minus.power(c, budget)?, budget)?
                    .multiply(&plus.power(degree - s - c, budget)?, budget)?;
                budget.spend(4 * sum.len() as u64)?;
                sum = sum.add(&part.multiply(&factor, budget)?);
            }
        }
        Ok(sum)
    }

    /// `4^k·polynomial/(1 + t²)^k` in sine and cosine, where t stands in place of the sine.
    fn back_from_half(
        &self,
        polynomial: &Polynomial,
        unit: usize,
        k: u32,
        budget: &Budget,
    ) -> Result<Polynomial, Exhausted> {
        let (sine, cosine) = (self.units[unit].first, self.units[unit].second);
        let (one, c) = (Polynomial::one(), Polynomial::variable(cosine));
        let (plus, minus) = (one.add(&c), one.subtract(&c));
        let mut sum = Polynomial::zero();
        for (i, part) in polynomial.coefficients_in(sine) {
            // 2 sin² = 1 − cos θ, 2 cos² = 1 + cos θ, 2 sin cos = sin θ, of half the angle each.
            let mut factor = minus.power(i / 2, budget)?.multiply(&plus.power((2 * k - i) / 2, budget)?, budget)?;
            if i % 2 == 1 {
                factor = factor.multiply(&Polynomial::variable(sine), budget)?;
            }
            budget.spend(4 * sum.len() as u64)?;
            sum = sum.add(&part.multiply(&factor, budget)?);
        }
        Ok(sum)
    }
}
