//! Reduction: the relations applied, and what then cancels.
//!
//! In normal form no cosine has an exponent above 1 and no root one that reaches its index. Then a polynomial is zero
//! exactly when it has no terms. A quotient has many forms even so, since sin·sin = (1 − cos)(1 + cos) is one thing
//! factored in two ways: common factors are looked for in terms of sines and in terms of cosines, and denominators are
//! made rational where that is shorter.

use super::atom::{Atom, Rule};
use super::{Budget, Exhausted, FunctionField, Ideal, Polynomial, Ratio, gcd};
use crate::expr::Symbol;

/// More terms than this are not multiplied by a conjugate.
const MOST_TERMS: usize = 400;
/// What the complete cancellation of sines and cosines may cost.
const PATIENCE: u64 = 4_000_000;

impl FunctionField {
    /// The same element in normal form, with what cancels modulo the relations cancelled.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn reduce(&self, ratio: &Ratio, budget: &Budget) -> Result<Ratio, Exhausted> {
        let ratio = self.settled(ratio.clone(), budget)?;
        self.cancelled(ratio, budget)
    }

    /// `above/below`, in normal form and cancelled.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn quotient(&self, above: &Polynomial, below: &Polynomial, budget: &Budget) -> Result<Ratio, Exhausted> {
        let ratio = self.normal(above, below, budget)?;
        self.cancelled(ratio, budget)
    }

    /// The ideal of polynomials that are zero, and of what is known of their variables: sin² + cos² = 1.
    ///
    /// Variables that contain nothing but parameters are kept rather than replaced.
    ///
    /// # Errors
    /// Where nobody wants it any more.
    pub fn ideal(&self, mut relations: Vec<Polynomial>, budget: &Budget) -> Result<Ideal, Exhausted> {
        let mut variables: Vec<u32> = relations.iter().flat_map(|relation| relation.variables()).copied().collect();
        variables.sort_unstable();
        variables.dedup();
        for variable in variables {
            let own = self.other_way(variable).map_or(variable, |(_, cosine, _)| cosine);
            if let Some(Rule::Power { degree, value }) = &self.rules[own as usize] {
                let relation = Polynomial::variable(own).power(*degree, budget)?.subtract(value);
                if !relations.contains(&relation) {
                    relations.push(relation);
                }
            }
        }
        let mut variables: Vec<u32> = relations.iter().flat_map(|relation| relation.variables()).copied().collect();
        variables.sort_unstable();
        variables.dedup();
        // In the order of the model, not in that of reading.
        variables.sort_by_key(|&variable| (self.as_symbol(variable).is_none(), self.as_symbol(variable)));
        let (kept, changing): (Vec<u32>, Vec<u32>) =
            variables.into_iter().partition(|&variable| self.is_fixed(variable));
        Ideal::new(relations, changing, &kept, budget)
    }

    /// Whether a variable is a symbol, or a square root of a polynomial in symbols.
    pub fn is_algebraic(&self, variable: u32) -> bool {
        let symbol = |variable: &u32| self.as_symbol(*variable).is_some();
        match &self.atoms[variable as usize] {
            Atom::Root { index: 2, radicand, .. } => radicand.variables().iter().all(symbol),
            _ => symbol(&variable),
        }
    }

    /// Whether a variable contains parameters alone.
    pub fn is_fixed(&self, variable: u32) -> bool {
        let all = |ratio: &Ratio| ratio.variables().into_iter().all(|inner| self.is_fixed(inner));
        match &self.atoms[variable as usize] {
            Atom::Undefined | Atom::Pi => true,
            Atom::Symbol(symbol) => matches!(symbol, Symbol::Parameter(_)),
            Atom::Root { radicand, .. } => all(radicand),
            Atom::Sign(of) => of.variables().iter().all(|&inner| self.is_fixed(inner)),
            Atom::Other { operands, .. } => operands.iter().all(all),
            atom => atom.unit().is_some_and(|unit| all(&self.units[unit].of)),
        }
    }

    /// With what only half the angles show cancelled.
    pub(super) fn cancelled(&self, ratio: Ratio, budget: &Budget) -> Result<Ratio, Exhausted> {
        if ratio.denominator().is_constant() {
            return Ok(ratio);
        }
        let found = budget.attempt(PATIENCE, |inner| self.cancelled_by_halves(&ratio, inner))?.flatten();
        match found {
            Some(shorter) => self.normal(shorter.numerator(), shorter.denominator(), budget),
            None => Ok(ratio),
        }
    }

    /// The normal form of a quotient that was formed without regard to the relations.
    pub(super) fn settled(&self, ratio: Ratio, budget: &Budget) -> Result<Ratio, Exhausted> {
        if !self.is_bound(ratio.numerator()) && !self.is_bound(ratio.denominator()) {
            return Ok(ratio);
        }
        self.normal(ratio.numerator(), ratio.denominator(), budget)
    }

    /// Whether relations are known for any of its variables.
    fn is_bound(&self, polynomial: &Polynomial) -> bool {
        polynomial.variables().iter().any(|&variable| {
            self.rules[variable as usize].is_some() || matches!(self.atoms[variable as usize], Atom::Sine(_))
        })
    }

    /// `above/below` in normal form.
    pub(super) fn normal(&self, above: &Polynomial, below: &Polynomial, budget: &Budget) -> Result<Ratio, Exhausted> {
        let (above, below) = (self.reduce_polynomial(above, budget)?, self.reduce_polynomial(below, budget)?);
        let Some(mut ratio) = Ratio::new(above, below, budget)? else { return Ok(Self::undefined()) };
        ratio = self.without_roots_below(ratio, budget)?;
        if ratio.is_zero() || ratio.denominator().as_constant().is_some() {
            return Ok(ratio);
        }
        ratio = self.cancelled_in_cosines(ratio, budget)?;
        for variable in ratio.denominator().variables().to_vec() {
            if let Some(shorter) = self.made_rational(&ratio, variable, budget)? {
                ratio = self.cancelled_in_cosines(shorter, budget)?;
            }
        }
        Ok(ratio)
    }

    /// A polynomial in normal form.
    pub(super) fn reduce_polynomial(&self, polynomial: &Polynomial, budget: &Budget) -> Result<Polynomial, Exhausted> {
        let mut reduced = polynomial.clone();
        loop {
            let applies = |&variable: &u32| match &self.rules[variable as usize] {
                Some(Rule::Power { degree, .. }) => reduced.degree(variable) >= *degree,
                Some(Rule::Is(_)) => true,
                None => false,
            };
            let Some(variable) = reduced.variables().iter().copied().rev().find(applies) else { return Ok(reduced) };
            reduced = match &self.rules[variable as usize] {
                Some(Rule::Power { degree, value }) => powers_replaced(&reduced, variable, *degree, value, budget)?,
                Some(Rule::Is(value)) => reduced.substitute(variable, value, budget)?,
                None => return Ok(reduced),
            };
        }
    }

    /// Roots and signs that are factors of the denominator go above: 1/√x = √x/x.
    fn without_roots_below(&self, mut ratio: Ratio, budget: &Budget) -> Result<Ratio, Exhausted> {
        for variable in ratio.denominator().variables().to_vec().into_iter().rev() {
            let (Atom::Root { .. } | Atom::Sign(_), Some(Rule::Power { degree, .. })) =
                (&self.atoms[variable as usize], &self.rules[variable as usize])
            else {
                continue;
            };
            let parts = ratio.denominator().coefficients_in(variable);
            let [(exponent, rest)] = &parts[..] else { continue };
            if *exponent == 0 {
                continue;
            }
            let missing = Polynomial::variable(variable).power(degree - exponent % degree, budget)?;
            let whole = Polynomial::variable(variable).power(degree - exponent % degree + exponent, budget)?;
            let above = self.reduce_polynomial(&ratio.numerator().multiply(&missing, budget)?, budget)?;
            let below = self.reduce_polynomial(&rest.multiply(&whole, budget)?, budget)?;
            ratio = Ratio::new(above, below, budget)?.unwrap_or_else(Self::undefined);
        }
        Ok(ratio)
    }

    /// Cancels what is a common factor in terms of cosines only.
    fn cancelled_in_cosines(&self, mut ratio: Ratio, budget: &Budget) -> Result<Ratio, Exhausted> {
        for variable in ratio.denominator().variables().to_vec() {
            let Some((sine, cosine, value)) = self.other_way(variable) else { continue };
            let (above, below) = (ratio.numerator(), ratio.denominator());
            let occurs = |polynomial: &Polynomial| polynomial.degree(sine) > 0 || polynomial.degree(cosine) > 0;
            if below.degree(sine) < 2 && above.degree(sine) < 2 || !occurs(above) || !occurs(below) {
                continue;
            }
            let above = powers_replaced(above, sine, 2, &value, budget)?;
            let below = powers_replaced(below, sine, 2, &value, budget)?;
            let common = gcd(&above, &below, budget)?;
            if common.as_constant().is_some() {
                continue;
            }
            let (Some(above), Some(below)) =
                (above.divide_exactly(&common, budget)?, below.divide_exactly(&common, budget)?)
            else {
                continue;
            };
            let (above, below) = (self.reduce_polynomial(&above, budget)?, self.reduce_polynomial(&below, budget)?);
            if let Some(shorter) = Ratio::new(above, below, budget)? {
                ratio = shorter;
            }
        }
        Ok(ratio)
    }

    /// For the variable of a sine or cosine: sine, cosine, and what the square of the sine is.
    pub(super) fn other_way(&self, variable: u32) -> Option<(u32, u32, Polynomial)> {
        let unit = match self.atoms[variable as usize] {
            Atom::Sine(unit) | Atom::Cosine(unit) | Atom::HyperbolicSine(unit) | Atom::HyperbolicCosine(unit) => unit,
            _ => return None,
        };
        let unit = &self.units[unit];
        if matches!(self.rules[unit.first as usize], Some(Rule::Is(_))) {
            return None; // a multiple of a finer unit
        }
        let square =
            Polynomial::variable(unit.second).multiply(&Polynomial::variable(unit.second), &Budget::unlimited());
        let square = square.ok()?;
        let one = Polynomial::one();
        let value =
            if unit.family == super::atom::Family::Circular { one.subtract(&square) } else { square.subtract(&one) };
        Some((unit.first, unit.second, value))
    }

    /// Multiplied above and below by the conjugate of the denominator in a root or cosine, where that is shorter.
    fn made_rational(&self, ratio: &Ratio, variable: u32, budget: &Budget) -> Result<Option<Ratio>, Exhausted> {
        let Some(Rule::Power { degree: 2, value }) = &self.rules[variable as usize] else { return Ok(None) };
        let (above, below) = (ratio.numerator(), ratio.denominator());
        if below.degree(variable) != 1 || above.len().saturating_mul(below.len()) > MOST_TERMS || below.len() > 12 {
            return Ok(None);
        }
        let (mut constant, mut linear) = (Polynomial::zero(), Polynomial::zero());
        for (exponent, part) in below.coefficients_in(variable) {
            *(if exponent == 0 { &mut constant } else { &mut linear }) = part;
        }
        if constant.is_zero() {
            return Ok(None);
        }
        let conjugate = constant.subtract(&linear.multiply(&Polynomial::variable(variable), budget)?);
        let norm =
            constant.multiply(&constant, budget)?.subtract(&linear.multiply(&linear, budget)?.multiply(value, budget)?);
        let above = self.reduce_polynomial(&above.multiply(&conjugate, budget)?, budget)?;
        let norm = self.reduce_polynomial(&norm, budget)?;
        let Some(rational) = Ratio::new(above, norm, budget)? else { return Ok(None) };
        let rational = self.without_roots_below(rational, budget)?;
        Ok((rational.terms() < ratio.terms()).then_some(rational))
    }
}

/// Replaces `variable^degree` by a polynomial wherever it divides.
pub(super) fn powers_replaced(
    polynomial: &Polynomial,
    variable: u32,
    degree: u32,
    value: &Polynomial,
    budget: &Budget,
) -> Result<Polynomial, Exhausted> {
    // Horner's way for each remainder of the exponents.
    let mut parts = polynomial.coefficients_in(variable);
    parts.sort_by_key(|&(exponent, _)| std::cmp::Reverse(exponent));
    let mut sum = Polynomial::zero();
    for rest in 0..degree {
        let (mut inner, mut at) = (Polynomial::zero(), 0);
        for (exponent, part) in parts.iter().filter(|(exponent, _)| exponent % degree == rest) {
            let whole = exponent / degree;
            if !inner.is_zero() {
                inner = inner.multiply(&value.power(at - whole, budget)?, budget)?;
            }
            budget.spend(2 * (inner.len() + part.len()) as u64)?;
            (inner, at) = (inner.add(part), whole);
        }
        if inner.is_zero() {
            continue;
        }
        inner = inner.multiply(&value.power(at, budget)?, budget)?;
        if rest > 0 {
            inner = inner.multiply(&Polynomial::variable(variable).power(rest, budget)?, budget)?;
        }
        budget.spend(2 * (inner.len() + sum.len()) as u64)?;
        sum = sum.add(&inner);
    }
    Ok(sum)
}
