//! Expressions of the graph, with a name for every intermediate that grows: the way that always ends.

use super::arithmetic::Arithmetic;
use super::sample::Values;
use super::size::Sizes;
use super::solution::Intermediate;
use holonom_symbols::algebra::{Budget, Exhausted};
use holonom_symbols::expr::{FastMap, Graph, Id, Node, Number, Symbol};

/// The graph, the names given so far, and the states that values are taken at.
pub(super) struct Plain<'a> {
    pub(super) graph: &'a mut Graph,
    pub(super) definitions: Vec<Intermediate>,
    named: FastMap<Id, Id>,
    sizes: Sizes,
    /// The first symbol that is free for names.
    first: u32,
    /// What names begin with.
    stem: &'a str,
    /// What is longer than this gets a name.
    longest: usize,
    values: &'a Values,
    budget: &'a Budget,
}

impl<'a> Plain<'a> {
    pub(super) fn new(
        graph: &'a mut Graph,
        first: u32,
        stem: &'a str,
        longest: usize,
        values: &'a Values,
        budget: &'a Budget,
    ) -> Self {
        let (definitions, named, sizes) = (Vec::new(), FastMap::default(), Sizes::default());
        Self { graph, definitions, named, sizes, first, stem, longest, values, budget }
    }

    /// Gives `id` a name if it is long.
    fn settle(&mut self, id: Id) -> Result<Id, Exhausted> {
        self.budget.spend(20)?;
        if let Some(&symbol) = self.named.get(&id) {
            return Ok(symbol);
        }
        if self.sizes.of(self.graph, id) <= self.longest {
            return Ok(id);
        }
        let which = self.definitions.len() as u32;
        let symbol = Symbol::Parameter(self.first + which);
        let name = format!("{}{}", self.stem, which + 1);
        self.definitions.push(Intermediate { symbol, name, value: id });
        let symbol = self.graph.symbol(symbol);
        self.named.insert(id, symbol);
        Ok(symbol)
    }
}

impl Arithmetic for Plain<'_> {
    type Value = Id;
    const TRUSTS_NUMBERS: bool = true;

    fn read(&mut self, id: Id) -> Result<Id, Exhausted> {
        self.settle(id)
    }

    fn write(&mut self, values: &[Id]) -> Result<Vec<Id>, Exhausted> {
        Ok(values.to_vec())
    }

    fn graph(&mut self) -> &mut Graph {
        self.graph
    }

    fn zero(&self) -> Id {
        Id::ZERO
    }

    fn one(&self) -> Id {
        Id::ONE
    }

    fn negate(&mut self, a: &Id) -> Result<Id, Exhausted> {
        Ok(self.graph.negate(*a))
    }

    fn multiply(&mut self, a: &Id, b: &Id) -> Result<Id, Exhausted> {
        let product = self.graph.multiply(*a, *b);
        self.settle(product)
    }

    fn divide(&mut self, a: &Id, b: &Id) -> Result<Id, Exhausted> {
        let quotient = self.graph.divide(*a, *b);
        self.settle(quotient)
    }

    fn dot(&mut self, terms: &[(&Id, &Id)]) -> Result<Id, Exhausted> {
        let mut all: Vec<(Number, Id)> = Vec::new();
        for (a, b) in terms {
            let product = self.graph.multiply(**a, **b);
            match self.graph.node(product) {
                // Short sums inside sums are read more easily without their parentheses.
                Node::Sum { constant, terms } if terms.len() < 4 => {
                    all.extend(terms.iter());
                    let constant = *constant;
                    all.push((constant, Id::ONE));
                }
                _ => all.push((Number::ONE, product)),
            }
        }
        let sum = self.graph.sum(&all);
        self.settle(sum)
    }

    fn is_zero(&self, a: &Id) -> bool {
        *a == Id::ZERO
    }

    fn never_vanishes(&self, a: &Id) -> bool {
        self.graph.as_number(*a).is_some_and(|number| !number.is_zero())
    }

    fn size(&self, a: &Id) -> usize {
        match self.graph.as_number(*a) {
            Some(number) if number == Number::ONE || number == Number::MINUS_ONE => 1,
            Some(_) => 2,
            None => 2 + self.sizes.known(*a),
        }
    }

    fn values(&self, ids: &[Id]) -> Vec<Vec<f64>> {
        self.values.of(self.graph, ids)
    }

    fn noise(&self, ids: &[Id]) -> Vec<Vec<f64>> {
        self.values.noise(self.graph, ids)
    }
}
