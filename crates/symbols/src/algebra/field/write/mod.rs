//! Writing: an element of the field as a person would write it.
//!
//! Several ways are tried and the one with the fewest nodes is taken: as one fraction with factors above and below, as a
//! sum of fractions, with cos² for 1 − sin², with cos(θ₁ − θ₂) for cos θ₁ cos θ₂ + sin θ₁ sin θ₂, with |x| for x·sign x.

mod collect;
mod emit;
mod fraction;
mod tree;
mod trigonometry;
mod wave;

use super::atom::{Atom, Family};
use super::measure::measure;
use super::{Budget, Exhausted, FunctionField, Polynomial, Ratio};
use crate::algebra::Factors;
use crate::expr::{FastMap, Function, Graph, Id, Node, Number};
use tree::{Scaled, plain};

/// What factoring one polynomial may cost.
const PATIENCE: u64 = 2_000_000;

impl FunctionField {
    /// An element as an expression that reads well.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn write(&mut self, graph: &mut Graph, ratio: &Ratio, budget: &Budget) -> Result<Id, Exhausted> {
        Ok(self.write_all(graph, std::slice::from_ref(ratio), budget)?.pop().unwrap_or(Id::ZERO))
    }

    /// Several elements, in the same way where they have parts in common.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn write_all(&mut self, graph: &mut Graph, ratios: &[Ratio], budget: &Budget) -> Result<Vec<Id>, Exhausted> {
        let mut reduced = Vec::with_capacity(ratios.len());
        for ratio in ratios {
            reduced.push(self.reduce(ratio, budget)?);
        }
        let mut writer = Writer::new(self, graph, &reduced, budget)?;
        reduced.iter().map(|ratio| writer.write(ratio, budget)).collect()
    }
}

/// Multiples of units, whose sum is an angle.
type Multiples = Vec<(usize, i64)>;

/// Something that the writer gives a variable of its own.
#[derive(Clone, Debug, PartialEq)]
enum Extra {
    /// The sine of a sum of multiples of units.
    Sine(Multiples),
    /// The cosine of such a sum.
    Cosine(Multiples),
    /// The tangent of such a sum, or its hyperbolic tangent.
    Tangent(Function, Multiples),
    /// The magnitude of a polynomial.
    Magnitude(Polynomial),
    /// The square root of a product of what has roots of its own.
    Root(Vec<u32>),
}

/// A writer at work.
struct Writer<'a> {
    field: &'a FunctionField,
    graph: &'a mut Graph,
    /// The expression of each variable of the field that occurs.
    expressions: FastMap<u32, Id>,
    sizes: FastMap<u32, u64>,
    /// The expression that each unit is a fraction of, with its length.
    units: FastMap<usize, (Id, u64)>,
    /// Variables beyond those of the field, each with its length.
    extras: Vec<(Extra, u64)>,
    factored: FastMap<Polynomial, Factors>,
    /// The short forms of polynomials in sines and cosines.
    turned: FastMap<Polynomial, (Scaled, Scaled)>,
    patience: u64,
}

impl<'a> Writer<'a> {
    fn new(
        field: &'a FunctionField,
        graph: &'a mut Graph,
        ratios: &[Ratio],
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let mut writer = Self {
            field,
            graph,
            expressions: FastMap::default(),
            sizes: FastMap::default(),
            units: FastMap::default(),
            extras: Vec::new(),
            factored: FastMap::default(),
            turned: FastMap::default(),
            patience: PATIENCE,
        };
        // Atoms are made of atoms with lower numbers: in their order, depth costs no stack.
        let mut needed = vec![false; field.atoms.len()];
        let mut open: Vec<u32> = ratios.iter().flat_map(Ratio::variables).collect();
        while let Some(variable) = open.pop() {
            if !std::mem::replace(&mut needed[variable as usize], true) {
                field.operands(variable, |ratio| open.extend(ratio.variables()));
            }
        }
        for variable in (0..needed.len() as u32).filter(|&variable| needed[variable as usize]) {
            budget.spend(1)?;
            let id = writer.atom(variable, budget)?;
            writer.sizes.insert(variable, measure(writer.graph, id));
            writer.expressions.insert(variable, id);
        }
        Ok(writer)
    }

    /// The expression that an atom stands for.
    fn atom(&mut self, variable: u32, budget: &Budget) -> Result<Id, Exhausted> {
        let field = self.field;
        if let Some(unit) = field.atoms[variable as usize].unit() {
            self.prepare_unit(unit, budget)?;
        }
        Ok(match &field.atoms[variable as usize] {
            Atom::Undefined => self.graph.divide(Id::ONE, Id::ZERO),
            Atom::Pi => self.graph.pi(),
            Atom::Symbol(symbol) => self.graph.symbol(*symbol),
            &Atom::Sine(unit) => self.of_unit(Function::Sin, unit),
            &Atom::Cosine(unit) => self.of_unit(Function::Cos, unit),
            &Atom::HyperbolicSine(unit) => self.of_unit(Function::Sinh, unit),
            &Atom::HyperbolicCosine(unit) => self.of_unit(Function::Cosh, unit),
            &Atom::Exponential(unit) => match &field.units[unit].family {
                Family::Power(base) => {
                    let base = self.write(base, budget)?;
                    let exponent = self.angle(&[(unit, 1)]);
                    self.graph.power(base, exponent)
                }
                _ => self.of_unit(Function::Exp, unit),
            },
            Atom::Root { index, radicand, scale } => {
                let radicand = self.write(radicand, budget)?;
                let root = match index {
                    2 => self.graph.call(Function::Sqrt, radicand),
                    _ => {
                        let exponent = Number::ratio(1, i128::from(*index)).unwrap_or(Number::ONE);
                        let exponent = self.graph.number(exponent);
                        self.graph.power(radicand, exponent)
                    }
                };
                let scale = self.write(&Ratio::from_polynomial(scale.clone()), budget)?;
                self.graph.multiply(scale, root)
            }
            Atom::Sign(of) => {
                let of = self.write(&Ratio::from_polynomial(of.clone()), budget)?;
                self.graph.call(Function::Sign, of)
            }
            Atom::Other { node, operands } => {
                let mut ids = Vec::with_capacity(operands.len());
                for operand in operands {
                    ids.push(self.write(operand, budget)?);
                }
                self.other(node, &ids)
            }
        })
    }

    fn of_unit(&mut self, function: Function, unit: usize) -> Id {
        let angle = self.angle(&[(unit, 1)]);
        self.graph.call(function, angle)
    }

    /// The expression that a unit is a fraction of, made once.
    fn prepare_unit(&mut self, unit: usize, budget: &Budget) -> Result<(), Exhausted> {
        if !self.units.contains_key(&unit) {
            let field = self.field;
            let id = self.write(&field.units[unit].of, budget)?;
            let size = measure(self.graph, id);
            self.units.insert(unit, (id, size));
        }
        Ok(())
    }

    /// A sum of multiples of units.
    fn angle(&mut self, multiples: &[(usize, i64)]) -> Id {
        let mut terms = Vec::with_capacity(multiples.len());
        for (unit, times) in multiples {
            let divisor = self.field.units[*unit].divisor;
            let factor = Number::ratio(i128::from(*times), i128::from(divisor)).unwrap_or(Number::ONE);
            terms.push((factor, self.units.get(unit).map_or(Id::ZERO, |&(id, _)| id)));
        }
        self.graph.sum(&terms)
    }

    /// A node made of operands.
    fn other(&mut self, node: &Node, operands: &[Id]) -> Id {
        let [a, b, c] = [0, 1, 2].map(|place| operands.get(place).copied().unwrap_or(Id::ZERO));
        match *node {
            Node::Call(function, ..) if function.arity() == 2 => self.graph.call2(function, a, b),
            Node::Call(function, ..) => self.graph.call(function, a),
            Node::Table { table, order, .. } => self.graph.table(table, order, a),
            Node::Unspecified { ref function, ref orders, .. } => self.graph.unspecified(function, orders, operands),
            Node::Compare(relation, ..) => self.graph.compare(relation, a, b),
            Node::And(..) => self.graph.and(a, b),
            Node::Or(..) => self.graph.or(a, b),
            Node::Not(_) => self.graph.not(a),
            Node::Select(..) => self.graph.select(a, b, c),
            _ => self.graph.power(a, b),
        }
    }

    /// An element, in the shortest way found.
    fn write(&mut self, ratio: &Ratio, budget: &Budget) -> Result<Id, Exhausted> {
        let sum = self.fraction(ratio, 0, budget)?;
        Ok(self.emit(&sum))
    }

    /// The number of the first variable that is not the field's.
    fn beyond(&self) -> u32 {
        self.field.atoms.len() as u32
    }

    /// The variable of something that the field has none for.
    fn extra(&mut self, extra: Extra) -> u32 {
        let place = self.extras.iter().position(|(known, _)| *known == extra);
        let place = place.unwrap_or_else(|| {
            let size = 1 + match &extra {
                Extra::Sine(angle) | Extra::Cosine(angle) | Extra::Tangent(_, angle) => self.angle_size(angle),
                Extra::Magnitude(of) => self.size(&plain(of)),
                Extra::Root(roots) => roots.iter().map(|&root| self.atom_size(root) - 1).sum::<u64>() + 1,
            };
            self.extras.push((extra, size));
            self.extras.len() - 1
        });
        self.beyond() + place as u32
    }

    fn angle_size(&self, multiples: &[(usize, i64)]) -> u64 {
        let terms: u64 = multiples
            .iter()
            .map(|&(unit, times)| {
                let of = self.units.get(&unit).map_or(1, |&(_, size)| size);
                of + if times == self.field.units[unit].divisor { 0 } else { 2 }
            })
            .sum();
        terms + u64::from(multiples.len() > 1)
    }

    fn atom_size(&self, variable: u32) -> u64 {
        match self.extras.get(variable.wrapping_sub(self.beyond()) as usize) {
            Some((_, size)) if variable >= self.beyond() => *size,
            _ => self.sizes.get(&variable).copied().unwrap_or(1),
        }
    }

    /// The expression of a variable.
    fn expression(&mut self, variable: u32) -> Id {
        if let Some(&known) = self.expressions.get(&variable) {
            return known;
        }
        let place = variable.wrapping_sub(self.beyond()) as usize;
        let id = match self.extras.get(place).map(|(extra, _)| extra.clone()) {
            Some(Extra::Sine(angle)) => {
                let angle = self.angle(&angle);
                self.graph.call(Function::Sin, angle)
            }
            Some(Extra::Cosine(angle)) => {
                let angle = self.angle(&angle);
                self.graph.call(Function::Cos, angle)
            }
            Some(Extra::Tangent(function, angle)) => {
                let angle = self.angle(&angle);
                self.graph.call(function, angle)
            }
            Some(Extra::Magnitude(of)) => {
                let of = self.emit(&plain(&of));
                self.graph.call(Function::Abs, of)
            }
            Some(Extra::Root(roots)) => {
                let mut radicand = Id::ONE;
                for root in roots {
                    let root = self.expression(root);
                    if let &Node::Call(_, below, _) = self.graph.node(root) {
                        radicand = self.graph.multiply(radicand, below);
                    }
                }
                self.graph.call(Function::Sqrt, radicand)
            }
            None => Id::ZERO,
        };
        self.expressions.insert(variable, id);
        id
    }
}

impl FunctionField {
    /// Calls `visit` with what an atom is made of.
    fn operands(&self, variable: u32, mut visit: impl FnMut(&Ratio)) {
        match &self.atoms[variable as usize] {
            Atom::Undefined | Atom::Pi | Atom::Symbol(_) => {}
            &(Atom::Sine(unit)
            | Atom::Cosine(unit)
            | Atom::HyperbolicSine(unit)
            | Atom::HyperbolicCosine(unit)
            | Atom::Exponential(unit)) => {
                // Where there is a sine, a shorter form may have a cosine.
                visit(&Ratio::variable(self.units[unit].first));
                visit(&Ratio::variable(self.units[unit].second));
                visit(&self.units[unit].of);
                if let Family::Power(base) = &self.units[unit].family {
                    visit(base);
                }
            }
            Atom::Root { radicand, scale, .. } => {
                visit(radicand);
                visit(&Ratio::from_polynomial(scale.clone()));
            }
            Atom::Sign(of) => visit(&Ratio::from_polynomial(of.clone())),
            Atom::Other { operands, .. } => operands.iter().for_each(visit),
        }
    }
}
