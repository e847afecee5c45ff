//! Families over lanes: steps are decoded once for many instances, in the widest registers that the machine has.

// Parts of several cells at once: their number stands for itself.
#![allow(clippy::needless_range_loop)]

use super::super::batch::{LANES, Lanes};
use super::super::code::Op;
use super::super::tape::{Step, apply};
use super::family::{Column, Family};
use super::shape::COMPUTED;
use super::{Level, Reduction};
use holonom_elementary::sines_cosines;
use holonom_symbols::expr::{Function, Table};
use pulp::{Simd, WithSimd};
use std::sync::Arc;

/// How many registers' worth of lanes are computed for one decoding.
const PARTS: usize = 4;
/// How many instances that is.
const WIDE: usize = PARTS * LANES;

/// One number for each of many instances.
pub(super) type Cell = [Lanes; PARTS];

/// The cells of a program, all zero.
pub(super) fn cells(size: usize) -> Vec<Cell> {
    vec![[[0.0; LANES]; PARTS]; size]
}

/// A number for all instances.
pub(super) fn everywhere(value: f64) -> Cell {
    [[value; LANES]; PARTS]
}

/// An evaluation of all families.
pub(super) struct Run<'a> {
    pub levels: &'a [Level],
    /// What inputs are taken from, by kind; what is computed before is in `values`.
    pub sources: [&'a [f64]; COMPUTED as usize],
    pub cells: &'a mut [Vec<Cell>],
    /// Outputs, and what is computed on the way.
    pub values: &'a mut [f64],
}

impl WithSimd for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { levels, sources, cells, values } = self;
        let mut cells = cells.iter_mut();
        for level in levels {
            for (family, cells) in level.families.iter().zip(&mut cells) {
                let mut start = 0;
                while start < family.instances {
                    let width = WIDE.min(family.instances - start);
                    load(family, &sources, values, start, width, cells);
                    steps(&family.program.layout.steps, &family.program.layout.tables, cells, width.div_ceil(LANES));
                    store(family, cells, start, width, values);
                    start += width;
                }
            }
            for Reduction { terms, fixed, to } in &level.reductions {
                values[*to as usize] =
                    sources[super::shape::FIXED as usize][*fixed as usize] + pairwise(&values[terms.clone()]);
            }
        }
    }
}

/// A sum whose error grows with the logarithm of the number of terms.
fn pairwise(terms: &[f64]) -> f64 {
    if terms.len() <= LANES {
        return terms.iter().sum();
    }
    let (first, second) = terms.split_at(terms.len() / 2);
    pairwise(first) + pairwise(second)
}

#[inline(always)]
fn load(family: &Family, sources: &[&[f64]], values: &[f64], start: usize, width: usize, cells: &mut [Cell]) {
    // Place 0 of a program's memory is time, which comes as any other input here.
    for ((kind, column), cell) in family.inputs.iter().zip(&mut cells[1..]) {
        let source = if *kind == COMPUTED { values } else { sources[*kind as usize] };
        let cell = &mut cell.as_flattened_mut()[..width.next_multiple_of(LANES)];
        match column {
            Column::Steps { first, step: 1 } => {
                let first = *first as usize + start;
                cell[..width].copy_from_slice(&source[first..first + width]);
            }
            Column::Steps { first, step: 0 } => cell.fill(source[*first as usize]),
            Column::Steps { first, step: step @ 2.. } => {
                let (first, step) = (*first as usize + start * *step as usize, *step as usize);
                let source = &source[first..=first + (width - 1) * step];
                for (value, from) in cell.iter_mut().zip(source.iter().step_by(step)) {
                    *value = *from;
                }
            }
            Column::Steps { first, step } => {
                let mut place = i64::from(*first) + start as i64 * i64::from(*step);
                for value in &mut cell[..width] {
                    *value = source[place as usize];
                    place += i64::from(*step);
                }
            }
            Column::Any(places) => {
                for (value, &place) in cell.iter_mut().zip(&places[start..start + width]) {
                    *value = source[place as usize];
                }
            }
        }
        // Lanes without an instance repeat the last one.
        let last = cell[width - 1];
        cell[width..].fill(last);
    }
}

#[inline(always)]
fn store(family: &Family, cells: &[Cell], start: usize, width: usize, values: &mut [f64]) {
    for (from, column) in &family.results {
        let cell = &cells[*from as usize].as_flattened()[..width];
        match column {
            Column::Steps { first, step: 1 } => {
                let first = *first as usize + start;
                values[first..first + width].copy_from_slice(cell);
            }
            Column::Steps { first, step: step @ 2.. } => {
                let (first, step) = (*first as usize + start * *step as usize, *step as usize);
                let values = &mut values[first..=first + (width - 1) * step];
                for (value, to) in cell.iter().zip(values.iter_mut().step_by(step)) {
                    *to = *value;
                }
            }
            Column::Steps { first, step } => {
                let mut place = i64::from(*first) + start as i64 * i64::from(*step);
                for value in cell {
                    values[place as usize] = *value;
                    place += i64::from(*step);
                }
            }
            Column::Any(places) => {
                for (value, &place) in cell.iter().zip(&places[start..start + width]) {
                    values[place as usize] = *value;
                }
            }
        }
    }
}

#[inline(always)]
fn steps(steps: &[Step], tables: &[Arc<Table>], cells: &mut [Cell], parts: usize) {
    for step in steps {
        let [first, second, third] = step.from.map(|place| place as usize);
        let to = step.to as usize;
        match step.op {
            Op::Add => binary(cells, first, second, to, parts, |a, b| a + b),
            Op::Subtract => binary(cells, first, second, to, parts, |a, b| a - b),
            Op::Multiply => binary(cells, first, second, to, parts, |a, b| a * b),
            Op::Divide => binary(cells, first, second, to, parts, |a, b| a / b),
            Op::Negate => binary(cells, first, first, to, parts, |a, _| -a),
            Op::Call(Function::Sqrt) => binary(cells, first, first, to, parts, |a, _| a.sqrt()),
            Op::Call(Function::Abs) => binary(cells, first, first, to, parts, |a, _| a.abs()),
            Op::SineCosine | Op::Call(Function::Sin | Function::Cos) => {
                for part in 0..parts {
                    let (sines, cosines) = sines_cosines(&cells[first][part]);
                    if step.op == Op::SineCosine {
                        cells[step.also as usize][part] = cosines;
                    }
                    cells[to][part] = if step.op == Op::Call(Function::Cos) { cosines } else { sines };
                }
            }
            op => {
                for part in 0..parts {
                    let (a, b, c) = (cells[first][part], cells[second][part], cells[third][part]);
                    for (lane, result) in cells[to][part].iter_mut().enumerate() {
                        *result = apply(op, a[lane], b[lane], c[lane], tables);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn binary(cells: &mut [Cell], first: usize, second: usize, to: usize, parts: usize, value: impl Fn(f64, f64) -> f64) {
    for part in 0..parts.min(PARTS) {
        let (a, b) = (cells[first][part], cells[second][part]);
        cells[to][part] = std::array::from_fn(|lane| value(a[lane], b[lane]));
    }
}
