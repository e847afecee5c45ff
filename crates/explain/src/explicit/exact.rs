//! Exact arithmetic: rational functions of the symbols, with the relations between sines, cosines and roots.

use super::arithmetic::Arithmetic;
use super::sample::Values;
use super::solution::Intermediate;
use holonom_symbols::algebra::{Budget, Exhausted, FunctionField, Ideal, Polynomial, Powers, Ratio, factors};
use holonom_symbols::expr::{FastMap, Function, Graph, Id, Node, Symbol};
use std::collections::BTreeSet;

/// What looking for special parameter values may cost.
const PATIENCE: u64 = 5_000_000;
/// Constraints with more terms than this are not used to shorten anything.
const LONGEST: usize = 40;

/// The field, the graph that its elements are read from and written to, and the states that values are taken at.
pub(super) struct Exact<'a> {
    pub(super) graph: &'a mut Graph,
    field: FunctionField,
    read: FastMap<Id, Ratio>,
    values: Values,
    budget: &'a Budget,
    /// Directions of slips, by name: the first parameter that is free for them, what names begin with, and those there are.
    names: Option<(u32, &'a str)>,
    pub(super) directions: Vec<Intermediate>,
    /// The most terms that anything may have on the way.
    most: usize,
    /// What is zero wherever the constraints are met: positions, and then velocities with them.
    constraints: [Ideal; 2],
}

impl<'a> Exact<'a> {
    /// With some symbols that are known to be positive.
    pub(super) fn new(
        graph: &'a mut Graph,
        positive: impl IntoIterator<Item = Symbol>,
        values: &'a Values,
        budget: &'a Budget,
    ) -> Self {
        let mut field = FunctionField::new();
        positive.into_iter().for_each(|symbol| field.assume_positive(symbol));
        Self {
            graph,
            field,
            read: FastMap::default(),
            values: values.clone(),
            budget,
            names: None,
            directions: Vec::new(),
            most: usize::MAX,
            constraints: Default::default(),
        }
    }

    /// Gives names to directions of slips that are no single velocity: parameters from the first on, with a stem.
    pub(super) fn naming_directions(self, first: u32, stem: &'a str) -> Self {
        Self { names: Some((first, stem)), ..self }
    }

    /// Gives up where anything on the way has more terms than this.
    pub(super) fn at_most(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// Takes expressions to be zero wherever formulas are to hold: constraints on positions, each with its velocity.
    ///
    /// Constraints between angles are left alone: forms that mix them with lengths may be shorter, but nobody writes them. So are those
    /// that are linear in the coordinates, which exchange one name for others.
    ///
    /// `first` is read before them, so that the order of terms does not hang on how constraints are written.
    pub(super) fn where_zero(mut self, constraints: &[(Id, Option<Id>)], first: &[Id]) -> Result<Self, Exhausted> {
        if constraints.is_empty() {
            return Ok(self);
        }
        for &id in first {
            self.read(id)?;
        }
        let mut relations = Vec::new();
        let positions: Vec<Id> = constraints.iter().map(|(position, _)| *position).collect();
        let velocities: Vec<Id> = constraints.iter().filter_map(|(_, velocity)| *velocity).collect();
        for (place, list) in [positions, velocities].into_iter().enumerate() {
            for id in list {
                relations.extend(self.relation(id)?);
            }
            if !relations.iter().any(|relation| self.is_curved(relation)) {
                return Ok(self);
            }
            // What is linear may hide in sums with what is not: the members of a basis show it.
            let mut members = self.field.ideal(relations.clone(), self.budget)?.relations().to_vec();
            members.retain(|member| self.is_curved(member));
            self.constraints[place] = self.field.ideal(members, self.budget)?;
        }
        Ok(self)
    }

    /// What is zero where an expression is, without factors of parameters alone; nothing where it is no short polynomial in
    /// symbols and distances.
    fn relation(&mut self, id: Id) -> Result<Option<Polynomial>, Exhausted> {
        let found = self.budget.attempt(PATIENCE, |budget| {
            let numerator = self.field.read(self.graph, id, budget)?.numerator().clone();
            let plain = numerator.variables().iter().all(|&variable| self.field.is_algebraic(variable));
            if !plain || numerator.len() > LONGEST {
                return Ok(None);
            }
            let mut relation = Polynomial::one();
            for (factor, _) in factors(&numerator, budget)?.factors {
                let is_distance = factor.len() == 1 && self.field.as_symbol(factor.variables()[0]).is_none();
                // A distance that is zero has no velocity.
                if !is_distance && !factor.variables().iter().all(|&variable| self.field.is_fixed(variable)) {
                    relation = relation.multiply(&factor, budget)?;
                }
            }
            Ok((!relation.is_constant()).then_some(relation))
        })?;
        Ok(found.flatten())
    }

    /// Whether a constraint is not linear in the coordinates, or the velocity of one that is not.
    fn is_curved(&self, relation: &Polynomial) -> bool {
        let symbol = |variable: u32| self.field.as_symbol(variable);
        let is_distance = |&v: &u32| symbol(v).is_none() && !self.field.is_fixed(v);
        if relation.variables().iter().any(is_distance) {
            return true;
        }
        let moves = relation.variables().iter().any(|&v| matches!(symbol(v), Some(Symbol::Velocity(_))));
        let is_position = |variable: u32| matches!(symbol(variable), Some(Symbol::Position(_)));
        let degree =
            |(_, powers): (_, Powers)| -> u32 { powers.filter(|(v, _)| is_position(*v)).map(|(_, e)| e).sum() };
        relation.terms().map(degree).max().unwrap_or(0) >= if moves { 1 } else { 2 }
    }

    /// The parameters that were taken to be positive, where that mattered.
    pub(super) fn signs(&self) -> BTreeSet<Symbol> {
        self.field.relied_on().clone()
    }

    /// What has the sign of a slip: without roots and squares, which have none.
    fn bare(&mut self, slip: Id) -> Id {
        let Node::Product { coefficient, factors } = self.graph.node(slip).clone() else { return slip };
        let has_sign = |&(factor, exponent): &(Id, i32)| {
            exponent % 2 != 0 && !matches!(self.graph.node(factor), Node::Call(Function::Sqrt, ..))
        };
        let kept: Vec<(Id, i32)> = factors.iter().copied().filter(has_sign).collect();
        self.graph.product(coefficient, &kept)
    }

    /// Whether there is anything to shorten formulas by.
    pub(super) fn has_relations(&self) -> bool {
        !self.constraints[0].is_empty()
    }

    /// A quotient with both parts shortened, each by itself.
    fn shortened(&self, a: &Ratio, ideal: &Ideal, thorough: bool) -> Result<Option<Ratio>, Exhausted> {
        if ideal.is_empty() {
            return Ok(None);
        }
        let short = self.budget.attempt(PATIENCE, |budget| {
            let short = |polynomial: &Polynomial| match thorough {
                true => ideal.shortest(polynomial, budget),
                false => ideal.reduce(polynomial, budget),
            };
            let ((above, by), (below, over)) = (short(a.numerator())?, short(a.denominator())?);
            self.field.quotient(&above.scale(&over), &below.scale(&by), budget)
        })?;
        Ok(short.filter(|short| !FunctionField::is_undefined(short)))
    }

    /// Whether a sign comes to that of a single coordinate or velocity: sgn(ẋ/cos α) is sgn ẋ sgn(cos α).
    fn is_sign_of_symbol(&mut self, sign: Id) -> bool {
        let (graph, budget) = (&mut *self.graph, self.budget);
        let written = self.field.on_trial(|field| {
            let read = field.read(graph, sign, budget)?;
            field.write_all(graph, &[read], budget)
        });
        let Ok(written) = written else { return false };
        let graph = &*self.graph;
        let mut calls = graph
            .reachable(&written)
            .into_iter()
            .filter(|&id| matches!(graph.node(id), Node::Call(..)) && !graph.depends(id).is_fixed());
        match (calls.next(), calls.next()) {
            (Some(one), None) => {
                matches!(graph.node(one), Node::Call(_, of, _) if matches!(graph.node(*of), Node::Symbol(_)))
            }
            (first, _) => first.is_none(),
        }
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

    fn on_constraints(&mut self, a: Ratio, thorough: bool) -> Result<Ratio, Exhausted> {
        if a.is_zero() {
            return Ok(a);
        }
        let [positions, all] = &self.constraints;
        let a = match self.shortened(&a, positions, thorough)? {
            Some(short) if short.terms() <= a.terms() => short,
            _ => a,
        };
        if !thorough {
            return Ok(a);
        }
        // Velocities hide in each other: only for fewer terms.
        let short = self.shortened(&a, all, thorough)?;
        Ok(short.filter(|short| short.terms() < a.terms()).unwrap_or(a))
    }

    fn is_zero(&self, a: &Ratio) -> bool {
        a.is_zero()
    }

    fn never_vanishes(&self, a: &Ratio) -> bool {
        self.field.never_vanishes(a)
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

    /// A sign that is made of several would fall apart into theirs: sgn(θ̇ sin θ) = sgn θ̇ sgn(sin θ), and formulas would be made of all of
    /// them. Nor is anything gained by σ² = 1 on the way: where (σ − 1)(σ + 1) = 0, common factors cannot be found.
    fn direction(&mut self, slip: Id) -> Id {
        let slip = self.bare(slip);
        let sign = self.graph.call(Function::Sign, slip);
        let Some((first, stem)) = self.names else { return sign };
        if self.is_sign_of_symbol(sign) {
            return sign;
        }
        match self.graph.node(sign) {
            Node::Product { coefficient, .. } if coefficient.is_negative() => {
                let other_way = self.graph.negate(slip);
                let direction = self.direction(other_way);
                return self.graph.negate(direction);
            }
            _ => {}
        }
        if let Some(known) = self.directions.iter().find(|known| known.value == sign) {
            let symbol = known.symbol;
            return self.graph.symbol(symbol);
        }
        let which = self.directions.len() as u32;
        let symbol = Symbol::Parameter(first + which);
        self.values.define(self.graph, symbol, sign);
        self.directions.push(Intermediate { symbol, name: format!("{stem}{}", which + 1), value: sign });
        self.graph.symbol(symbol)
    }

    /// Factors of the numerator and of the denominator, as far as they are found cheaply.
    fn fixed_factors(&mut self, a: &Ratio) -> Result<Vec<Id>, Exhausted> {
        let Some(found) = self.budget.attempt(PATIENCE, |budget| factors(a.numerator(), budget))? else {
            return Ok(Vec::new());
        };
        let mut list = Vec::new();
        for (factor, _) in found.factors {
            let id = self.field.write(self.graph, &Ratio::from_polynomial(factor), self.budget)?;
            let has_direction =
                self.graph.symbols(&[id]).into_iter().any(|s| self.directions.iter().any(|d| d.symbol == s));
            if !has_direction && self.graph.depends(id).is_fixed() && self.graph.as_number(id).is_none() {
                list.push(id);
            }
        }
        Ok(list)
    }
}
