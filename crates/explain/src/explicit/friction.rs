//! C as columns of forces: what is given, and what some multiplier or reaction weighs.

use super::arithmetic::Arithmetic;
use super::motion::Weight;
use super::system::{Law, Normal, Sliding, System};
use holonom_symbols::expr::{Function, Graph, Id, Number, Symbol};

/// Columns of forces, Q first, and the magnitudes that stay symbols, with what they equal over the reactions.
pub(super) struct Columns {
    pub(super) columns: Vec<(Weight, Vec<Id>)>,
    pub(super) open: Vec<(usize, Id)>,
}

impl Columns {
    /// Q and C. `slips` gives the velocities of slip in the form that they are to be written in; `extra` is what a C that
    /// depends on ideal multipliers comes to.
    pub(super) fn new<A: Arithmetic>(
        arithmetic: &mut A,
        system: &System,
        slips: &[Vec<Id>],
        extra: &[(usize, Id)],
    ) -> Self {
        let graph = arithmetic.graph();
        let mut given = system.given.clone();
        for &(j, id) in extra {
            given[j] = graph.add(given[j], id);
        }
        let mut columns =
            Self { columns: vec![(Weight::Impressed, system.force.clone()), (Weight::One, given)], open: Vec::new() };
        for (place, column) in &system.by_multiplier {
            columns.columns.push((Weight::Multiplier(*place), column.clone()));
        }
        for (place, column) in &system.by_reaction {
            columns.columns.push((Weight::Reaction(*place), column.clone()));
        }
        for (sliding, slip) in system.sliding.iter().zip(slips) {
            let unit = match slip[..] {
                [one] => Some(arithmetic.direction(one)),
                _ => None,
            };
            columns.slide(arithmetic.graph(), system, sliding, slip, unit);
        }
        let zero = |column: &[Id]| column.iter().all(|&id| id == Id::ZERO);
        let mut first = true;
        columns.columns.retain(|(_, column)| std::mem::take(&mut first) || !zero(column));
        columns
    }

    fn add(&mut self, graph: &mut Graph, weight: Weight, column: &[Id], factor: Id) {
        let same = |other: &Weight| match (&weight, other) {
            (Weight::One, Weight::One) => true,
            (Weight::Multiplier(a), Weight::Multiplier(b)) | (Weight::Reaction(a), Weight::Reaction(b)) => a == b,
            _ => false,
        };
        if factor == Id::ZERO {
            return;
        }
        let scaled: Vec<Id> = column.iter().map(|&id| graph.multiply(factor, id)).collect();
        match self.columns.iter_mut().find(|(other, _)| same(other)) {
            Some((_, known)) => {
                known.iter_mut().zip(scaled).for_each(|(known, id)| *known = graph.add(*known, id));
            }
            None => self.columns.push((weight, scaled)),
        }
    }

    /// C = −f·Jᵀ slip/|slip|. The direction of a slip of one component is given.
    fn slide(&mut self, graph: &mut Graph, system: &System, sliding: &Sliding, slip: &[Id], unit: Option<Id>) {
        let squares: Vec<_> = slip.iter().map(|&s| (Number::ONE, graph.integer_power(s, 2))).collect();
        let speed = match slip {
            [one] => graph.call(Function::Abs, *one),
            _ => {
                let square = graph.sum(&squares);
                graph.call(Function::Sqrt, square)
            }
        };
        let n = sliding.directions.first().map_or(0, Vec::len);
        let against = |graph: &mut Graph, weights: &[Id]| -> Vec<Id> {
            (0..n)
                .map(|j| {
                    let terms: Vec<_> = sliding
                        .directions
                        .iter()
                        .zip(weights)
                        .map(|(row, &w)| (Number::MINUS_ONE, graph.multiply(row[j], w)))
                        .collect();
                    graph.sum(&terms)
                })
                .collect()
        };
        let unit: Vec<Id> = match unit {
            Some(one) => vec![one],
            None => slip.iter().map(|&s| graph.divide(s, speed)).collect(),
        };
        let contact = sliding.contact as u32;
        let put = |graph: &mut Graph, id: Id| {
            graph.substitute(&[id], |symbol| (symbol == Symbol::Slip(contact)).then_some(speed))[0]
        };
        let (constant, by_normal) = match sliding.law {
            Law::Smooth(factor) => {
                let (column, factor) = (against(graph, slip), put(graph, factor));
                return self.add(graph, Weight::One, &column, factor);
            }
            Law::Linear { constant, by_normal } => (constant, by_normal),
            Law::Other(law) => {
                self.open.push((sliding.contact, normal_expression(graph, system, &sliding.normal)));
                (law, Id::ZERO)
            }
        };
        let (constant, by_normal) = (put(graph, constant), put(graph, by_normal));
        let column = against(graph, &unit);
        self.add(graph, Weight::One, &column, constant);
        if by_normal == Id::ZERO {
            return;
        }
        match &sliding.normal {
            Normal::Linear { reactions, multipliers, constant } => {
                let factor = graph.multiply(by_normal, *constant);
                self.add(graph, Weight::One, &column, factor);
                for &(place, coefficient) in reactions {
                    let factor = graph.multiply(by_normal, coefficient);
                    self.add(graph, Weight::Reaction(place), &column, factor);
                }
                for &(place, coefficient) in multipliers {
                    let factor = graph.multiply(by_normal, coefficient);
                    self.add(graph, Weight::Multiplier(place), &column, factor);
                }
            }
            Normal::Open(value) => {
                let normal = graph.symbol(Symbol::Normal(contact));
                let factor = graph.multiply(by_normal, normal);
                self.add(graph, Weight::One, &column, factor);
                self.open.push((sliding.contact, *value));
            }
        }
    }
}

/// The normal force as an expression over multipliers and reactions.
fn normal_expression(graph: &mut Graph, system: &System, normal: &Normal) -> Id {
    match normal {
        Normal::Open(value) => *value,
        Normal::Linear { reactions, multipliers, constant } => {
            let mut terms = vec![(Number::ONE, *constant)];
            for &(place, coefficient) in reactions {
                let reaction = graph.symbol(Symbol::Reaction(system.rows[place] as u32));
                terms.push((Number::ONE, graph.multiply(coefficient, reaction)));
            }
            for &(place, coefficient) in multipliers {
                let multiplier = graph.symbol(Symbol::Multiplier(system.rows[place] as u32));
                terms.push((Number::ONE, graph.multiply(coefficient, multiplier)));
            }
            graph.sum(&terms)
        }
    }
}
