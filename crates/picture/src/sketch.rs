//! A picture in the making: its own graph, points and scalars listed once each.

use super::shapes::{Picture, Rail, Shape, Slide};
use holonom_symbols::expr::{FastMap, Graph, Id, Node};

/// A point: an expression of the graph of a sketch for each component.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// x, y and z, which is 0 in the plane.
    pub(super) at: [Id; 3],
    /// How many components were written: 2 or 3.
    pub(super) components: usize,
}

/// A picture in the making.
///
/// It has a graph of its own, so that points can be added which the equations know nothing of, without a copy of all equations.
pub(super) struct Sketch<'a> {
    source: &'a Graph,
    pub(super) graph: Graph,
    /// Expressions of the source that are here already.
    copied: FastMap<Id, Id>,
    /// The tables of the source that are here already.
    tables: FastMap<u32, u32>,
    dimension: usize,
    points: Vec<[Id; 3]>,
    point_numbers: FastMap<[Id; 3], usize>,
    scalars: Vec<Id>,
    scalar_numbers: FastMap<Id, usize>,
    pub(super) shapes: Vec<Shape>,
    pub(super) rails: Vec<Rail>,
    pub(super) slides: Vec<Slide>,
}

impl<'a> Sketch<'a> {
    pub(super) fn new(source: &'a Graph) -> Self {
        Self {
            source,
            graph: Graph::new(),
            copied: FastMap::default(),
            tables: FastMap::default(),
            dimension: 2,
            points: vec![],
            point_numbers: FastMap::default(),
            scalars: vec![],
            scalar_numbers: FastMap::default(),
            shapes: vec![],
            rails: vec![],
            slides: vec![],
        }
    }

    pub(super) fn finish(self, assumed: bool) -> Picture {
        let Self { graph, dimension, points, scalars, shapes, rails, slides, .. } = self;
        Picture { graph, dimension, points, scalars, shapes, rails, slides, assumed }
    }

    /// The number of a point.
    pub(super) fn point(&mut self, point: Point) -> usize {
        self.dimension = self.dimension.max(point.components);
        let next = self.points.len();
        let number = *self.point_numbers.entry(point.at).or_insert(next);
        if number == next {
            self.points.push(point.at);
        }
        number
    }

    /// The number of a scalar of the source.
    pub(super) fn scalar(&mut self, id: Id) -> usize {
        let own = self.copy(id);
        let next = self.scalars.len();
        let number = *self.scalar_numbers.entry(own).or_insert(next);
        if number == next {
            self.scalars.push(own);
        }
        number
    }

    /// A point of the source, 2 or 3 components, in this graph.
    pub(super) fn vector(&mut self, components: &[Id]) -> Point {
        let mut at = [Id::ZERO; 3];
        for (own, &component) in at.iter_mut().zip(components) {
            *own = self.copy(component);
        }
        Point { at, components: components.len() }
    }

    /// An expression of the source in this graph. What is there already is not looked at again.
    pub(super) fn copy(&mut self, root: Id) -> Id {
        let (mut new, mut stack) = (Vec::new(), vec![root]);
        let mut seen: FastMap<Id, ()> = FastMap::default();
        while let Some(id) = stack.pop() {
            if !self.copied.contains_key(&id) && seen.insert(id, ()).is_none() {
                new.push(id);
                self.source.node(id).operands(|operand| stack.push(operand));
            }
        }
        // Operands have lower numbers.
        new.sort_unstable();
        for id in new {
            let own = self.copy_node(id);
            self.copied.insert(id, own);
        }
        self.copied[&root]
    }

    fn copy_node(&mut self, id: Id) -> Id {
        let (copied, graph) = (&self.copied, &mut self.graph);
        let at = |operand: &Id| copied[operand];
        match self.source.node(id) {
            Node::Number(number) => graph.number(*number),
            Node::Pi => graph.pi(),
            Node::Symbol(symbol) => graph.symbol(*symbol),
            Node::Sum { constant, terms } => {
                let terms: Vec<_> = terms.iter().map(|(coefficient, term)| (*coefficient, at(term))).collect();
                graph.sum_with(*constant, &terms)
            }
            Node::Product { coefficient, factors } => {
                let factors: Vec<_> = factors.iter().map(|(factor, exponent)| (at(factor), *exponent)).collect();
                graph.product(*coefficient, &factors)
            }
            Node::Power(base, exponent) => graph.power(at(base), at(exponent)),
            Node::Call(function, a, _) if function.arity() == 1 => graph.call(*function, at(a)),
            Node::Call(function, a, b) => graph.call2(*function, at(a), at(b)),
            Node::Table { table, order, argument } => {
                let source = &self.source.tables()[*table as usize];
                let own = *self.tables.entry(*table).or_insert_with(|| graph.add_table((**source).clone()));
                graph.table(own, *order, at(argument))
            }
            Node::Unspecified { function, orders, arguments } => {
                let arguments: Vec<Id> = arguments.iter().map(at).collect();
                graph.unspecified(function, orders, &arguments)
            }
            Node::Compare(relation, a, b) => graph.compare(*relation, at(a), at(b)),
            Node::And(a, b) => graph.and(at(a), at(b)),
            Node::Or(a, b) => graph.or(at(a), at(b)),
            Node::Not(a) => graph.not(at(a)),
            Node::Select(condition, a, b) => graph.select(at(condition), at(a), at(b)),
        }
    }
}
