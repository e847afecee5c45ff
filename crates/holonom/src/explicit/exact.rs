//! Exact arithmetic: rational functions of the symbols, with the relations between sines, cosines and roots.

use super::arithmetic::Arithmetic;
use super::sample::Values;
use crate::algebra::{Budget, Exhausted, Field, Ratio, factors};
use crate::expr::{FastMap, Graph, Id, Symbol};

/// What looking for special parameter values may cost.
const PATIENCE: u64 = 5_000_000;

/// The field, the graph that its elements are read from and written to, and the states that values are taken at.
pub(super) struct Exact<'a> {
    pub(super) graph: &'a mut Graph,
    field: Field,
    read: FastMap<Id, Ratio>,
    values: &'a Values,
    budget: &'a Budget,
    /// The most terms that anything may have on the way.
    most: usize,
}

impl<'a> Exact<'a> {
    /// With some symbols that are known to be positive.
    pub(super) fn new(
        graph: &'a mut Graph,
        positive: impl IntoIterator<Item = Symbol>,
        values: &'a Values,
        budget: &'a Budget,
    ) -> Self {
        let mut field = Field::new();
        positive.into_iter().for_each(|symbol| field.assume_positive(symbol));
        Self { graph, field, read: FastMap::default(), values, budget, most: usize::MAX }
    }

    /// Gives up where anything on the way has more terms than this.
    pub(super) fn at_most(self, most: usize) -> Self {
        Self { most, ..self }
    }

    fn bounded(&self, ratio: Ratio) -> Result<Ratio, Exhausted> {
        if ratio.terms() > self.most { Err(Exhausted::TOO_LARGE) } else { Ok(ratio) }
    }
}

impl Arithmetic for Exact<'_> {
    type Value = Ratio;
    const TRUSTS_NUMBERS: bool = false;

    fn read(&mut self, id: Id) -> Result<Ratio, Exhausted> {
        if let Some(known) = self.read.get(&id) {
            return Ok(known.clone());
        }
        let ratio = self.field.read(self.graph, id, self.budget)?;
        self.read.insert(id, ratio.clone());
        Ok(ratio)
    }

    fn write(&mut self, values: &[Ratio]) -> Result<Vec<Id>, Exhausted> {
        self.field.write_all(self.graph, values, self.budget)
    }

    fn graph(&mut self) -> &mut Graph {
        self.graph
    }

    fn zero(&self) -> Ratio {
        Ratio::zero()
    }

    fn one(&self) -> Ratio {
        Ratio::one()
    }

    fn negate(&mut self, a: &Ratio) -> Result<Ratio, Exhausted> {
        Ok(a.negate())
    }

    fn multiply(&mut self, a: &Ratio, b: &Ratio) -> Result<Ratio, Exhausted> {
        match (a.is_one(), b.is_one()) {
            (true, _) => Ok(b.clone()),
            (_, true) => Ok(a.clone()),
            _ => self.bounded(self.field.multiply(a, b, self.budget)?),
        }
    }

    fn divide(&mut self, a: &Ratio, b: &Ratio) -> Result<Ratio, Exhausted> {
        if b.is_one() { Ok(a.clone()) } else { self.bounded(self.field.divide(a, b, self.budget)?) }
    }

    fn dot(&mut self, terms: &[(&Ratio, &Ratio)]) -> Result<Ratio, Exhausted> {
        let mut summands = terms.iter().map(|(a, b)| self.multiply(a, b)).collect::<Result<Vec<_>, _>>()?;
        // Short ones first: what cancels does so before it has grown.
        summands.sort_by_key(Ratio::terms);
        let mut sum = Ratio::zero();
        for summand in &summands {
            sum = if sum.is_zero() {
                summand.clone()
            } else {
                self.bounded(self.field.add(&sum, summand, self.budget)?)?
            };
        }
        Ok(sum)
    }

    fn is_zero(&self, a: &Ratio) -> bool {
        a.is_zero()
    }

    fn size(&self, a: &Ratio) -> usize {
        match a.as_constant() {
            Some((above, below)) if below.is_one() && (above.is_one() || (-&above).is_one()) => 1,
            Some(_) => 2,
            None => 2 + a.terms(),
        }
    }

    fn values(&self, ids: &[Id]) -> Vec<Vec<f64>> {
        self.values.of(self.graph, ids)
    }

    fn noise(&self, ids: &[Id]) -> Vec<Vec<f64>> {
        self.values.noise(self.graph, ids)
    }

    /// Factors of the numerator and of the denominator, as far as they are found cheaply.
    fn fixed_factors(&mut self, a: &Ratio) -> Result<Vec<Id>, Exhausted> {
        let Some(found) = self.budget.attempt(PATIENCE, |budget| factors(a.numerator(), budget))? else {
            return Ok(Vec::new());
        };
        let mut list = Vec::new();
        for (factor, _) in found.factors {
            let id = self.field.write(self.graph, &Ratio::from_polynomial(factor), self.budget)?;
            if self.graph.depends(id).is_fixed() && self.graph.as_number(id).is_none() {
                list.push(id);
            }
        }
        Ok(list)
    }
}
