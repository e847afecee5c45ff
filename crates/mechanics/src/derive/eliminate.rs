//! Elimination over expressions: null vectors, and what linear equations say about a combination of their unknowns.
//!
//! For small systems whose pattern matters more than their numbers. Every pivot is proved not to vanish at the parameters as
//! they are given; expressions are simplified on the way, and a budget ends what grows beyond reading.

use super::probe::Probe;
use holonom_symbols::expr::{Depends, Graph, Id, Node, Number, Symbol};

/// Nodes that an elimination may add to the graph: beyond that nobody would read the equation, and every step is slow.
const BUDGET: usize = 3_000;
/// Terms that simplification may form.
const TERMS: usize = 200;

/// Expressions outgrew their budget.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooLarge;

/// Rows of linear equations, the right side last, brought to reduced echelon form.
#[derive(Debug)]
pub(super) struct Echelon {
    /// Reduced rows with a pivot: (pivot column, row with 1 there and 0 in all other pivot columns).
    pub(super) pivots: Vec<(usize, Vec<Id>)>,
    columns: usize,
}

impl Echelon {
    /// Reduces `rows`; the entries from `columns` on belong to the right side and carry no pivots.
    pub(super) fn new(
        graph: &mut Graph,
        probe: &Probe,
        mut rows: Vec<Vec<Id>>,
        columns: usize,
    ) -> Result<Self, TooLarge> {
        let limit = graph.len() + BUDGET;
        let mut pivots: Vec<(usize, Vec<Id>)> = Vec::new();
        settle(graph, probe, &mut rows, columns);
        while let Some((at, column)) = best_pivot(graph, probe, &rows, columns) {
            let mut pivot_row = rows.swap_remove(at);
            let pivot = pivot_row[column];
            pivot_row.iter_mut().for_each(|entry| *entry = graph.divide(*entry, pivot));
            simplify(graph, &mut pivot_row);
            pivot_row[column] = Id::ONE;
            let others = rows.iter_mut().chain(pivots.iter_mut().map(|(_, row)| row));
            for row in others.filter(|row| row[column] != Id::ZERO) {
                reduce(graph, row, &pivot_row, column);
                if graph.len() > limit {
                    return Err(TooLarge);
                }
            }
            settle(graph, probe, &mut rows, columns);
            pivots.push((column, pivot_row));
            if graph.len() > limit {
                return Err(TooLarge);
            }
        }
        Ok(Self { pivots, columns })
    }

    /// A basis of the vectors that every row takes to zero.
    pub(super) fn null_vectors(&self, graph: &mut Graph) -> Vec<Vec<Id>> {
        let is_pivot = |column: usize| self.pivots.iter().any(|&(pivot, _)| pivot == column);
        let free: Vec<usize> = (0..self.columns).filter(|&column| !is_pivot(column)).collect();
        free.into_iter()
            .map(|column| {
                let mut vector = vec![Id::ZERO; self.columns];
                vector[column] = Id::ONE;
                for (pivot, row) in &self.pivots {
                    vector[*pivot] = graph.negate(row[column]);
                }
                vector
            })
            .collect()
    }

    /// What the equations say about `row·unknowns`: its value by the right side in column `right`. Nothing if they leave it open.
    pub(super) fn value_of(&self, graph: &mut Graph, probe: &Probe, row: &[Id], right: usize) -> Option<Id> {
        let mut row = row.to_vec();
        row.resize(right + 1, Id::ZERO);
        for (column, pivot) in &self.pivots {
            if row[*column] != Id::ZERO {
                reduce(graph, &mut row, pivot, *column);
            }
        }
        probe.are_zero(graph, &row[..self.columns]).then(|| graph.negate(row[right]))
    }
}

/// row − row[column]·pivot
fn reduce(graph: &mut Graph, row: &mut [Id], pivot: &[Id], column: usize) {
    let factor = row[column];
    for (entry, &from) in row.iter_mut().zip(pivot) {
        if from != Id::ZERO {
            let less = graph.multiply(factor, from);
            *entry = graph.subtract(*entry, less);
        }
    }
    simplify(graph, row);
    row[column] = Id::ZERO;
}

fn simplify(graph: &mut Graph, row: &mut [Id]) {
    let short = graph.simplify_all(row, TERMS);
    row.copy_from_slice(&short);
}

/// Writes zeros as zeros, and drops rows that say nothing about the unknowns.
fn settle(graph: &mut Graph, probe: &Probe, rows: &mut Vec<Vec<Id>>, columns: usize) {
    for row in rows.iter_mut() {
        for entry in &mut row[..columns] {
            if probe.is_zero(graph, *entry) {
                *entry = Id::ZERO;
            }
        }
    }
    rows.retain(|row| row[..columns].iter().any(|&entry| entry != Id::ZERO));
}

/// The simplest entry that may be divided by: numbers before parameters, parameters before states; the largest of its kind.
fn best_pivot(graph: &Graph, probe: &Probe, rows: &[Vec<Id>], columns: usize) -> Option<(usize, usize)> {
    let mut best = None;
    let mut least = (u8::MAX, usize::MAX, f64::INFINITY);
    for (at, row) in rows.iter().enumerate() {
        let sizes = probe.size(graph, &row[..columns]);
        let filled = row[..columns].iter().filter(|&&entry| entry != Id::ZERO).count();
        for (column, &entry) in row[..columns].iter().enumerate() {
            if entry == Id::ZERO {
                continue;
            }
            let class = match graph.node(entry) {
                Node::Number(_) => 0,
                _ if graph.depends(entry).is_fixed() => 1,
                _ if !graph.depends(entry).on(Depends::VELOCITY | Depends::TIME) => 2,
                _ => 3,
            };
            let rank = (class, filled, -sizes[column]);
            if rank < least {
                (best, least) = (Some((at, column)), rank);
            }
        }
    }
    best
}

/// An equation `expression = 0` as two sides without minus signs where that is possible.
pub(super) fn sides(graph: &mut Graph, expression: Id) -> (Id, Id) {
    let Node::Sum { constant, terms } = graph.node(expression) else {
        let negative = matches!(graph.node(expression), Node::Product { coefficient, .. } if coefficient.is_negative());
        return (if negative { graph.negate(expression) } else { expression }, Id::ZERO);
    };
    let (constant, terms) = (*constant, terms.clone());
    let mut sides: [Vec<(Number, Id)>; 2] = Default::default();
    // The term with the first coordinate goes to the left.
    let coordinate = |term: Id| {
        let index = |symbol: Symbol| match symbol {
            Symbol::Position(i) | Symbol::Velocity(i) | Symbol::Acceleration(i) => Some(i),
            _ => None,
        };
        graph.symbols(&[term]).into_iter().filter_map(index).min().unwrap_or(u32::MAX)
    };
    let flip = terms.iter().min_by_key(|&&(_, term)| coordinate(term)).is_some_and(|(c, _)| c.is_negative());
    for &(coefficient, term) in terms.iter() {
        let side = usize::from(coefficient.is_negative() != flip);
        sides[side].push((coefficient.magnitude(), term));
    }
    let side = usize::from(constant.is_negative() != flip);
    let [left, right] = sides;
    let constants = if side == 0 { [constant.magnitude(), Number::ZERO] } else { [Number::ZERO, constant.magnitude()] };
    (graph.sum_with(constants[0], &left), graph.sum_with(constants[1], &right))
}
