//! Many states at a time: the interpreter over lanes, in the widest registers that the machine has.
//!
//! Decoding a step costs more than doing it; here it is decoded once for eight states. Arithmetic gives the bits of the
//! interpreter, sines and cosines those of [`lanes`](super::lanes), other functions those of one number after the other.

use super::code::Op;
use super::lanes::{LANES, Lanes, sines_cosines};
use super::program::{Fixed, KINDS, Program};
use super::tape::{Step, apply};
use crate::expr::{Function, Table};
use pulp::{Arch, Simd, WithSimd};
use std::sync::Arc;

/// Many states, quantity after quantity: coordinate i of state k is at `i·count + k`, and likewise for all others.
///
/// What the expressions do not depend on may be left empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct States<'a> {
    /// How many states.
    pub count: usize,
    /// Times, one for each state.
    pub t: &'a [f64],
    /// Positions.
    pub q: &'a [f64],
    /// Velocities.
    pub v: &'a [f64],
    /// Accelerations.
    pub acceleration: &'a [f64],
    /// Ideal multipliers.
    pub multiplier: &'a [f64],
    /// Total reactions.
    pub reaction: &'a [f64],
    /// Speeds of slip.
    pub slip: &'a [f64],
    /// Normal forces.
    pub normal: &'a [f64],
}

impl<'a> States<'a> {
    fn slices(&self) -> [&'a [f64]; KINDS] {
        [self.q, self.v, self.acceleration, self.multiplier, self.reaction, self.slip, self.normal]
    }
}

/// The memory that many states are evaluated in.
#[derive(Clone, Debug)]
pub struct Batch {
    cells: Vec<Lanes>,
    stamp: u64,
}

impl Program {
    /// Memory to evaluate many states in.
    pub fn batch(&self) -> Batch {
        Batch { cells: vec![[0.0; LANES]; self.memory_size()], stamp: 0 }
    }

    /// The values of the expressions at many states: expression i at state k goes to `out[i·count + k]`. Allocates nothing.
    ///
    /// # Panics
    /// If inputs are missing that the expressions mention, `out` is too short, or the batch or the fixed part is
    /// another program's.
    pub fn evaluate_batch(&self, fixed: &Fixed, states: &States, batch: &mut Batch, out: &mut [f64]) {
        assert_eq!(batch.cells.len(), self.memory_size(), "the batch is another program's");
        if batch.stamp != fixed.stamp() {
            self.place_fixed(fixed, |place, value| batch.cells[place] = [value; LANES]);
            batch.stamp = fixed.stamp();
        }
        let arch = Arch::new();
        let mut start = 0;
        while start < states.count {
            let width = LANES.min(states.count - start);
            self.load_lanes(states, start, width, &mut batch.cells);
            arch.dispatch(Run { steps: &self.steps, tables: &self.tables, cells: &mut batch.cells });
            for &(from, to) in &self.copies {
                batch.cells[to as usize] = batch.cells[from as usize];
            }
            let outputs = &batch.cells[self.memory_size() - self.output_count()..];
            for (values, out) in outputs.iter().zip(out.chunks_exact_mut(states.count)) {
                out[start..start + width].copy_from_slice(&values[..width]);
            }
            start += width;
        }
    }

    /// States that are missing at the end repeat the last one.
    fn load_lanes(&self, states: &States, start: usize, width: usize, cells: &mut [Lanes]) {
        let mut load = |place: usize, values: &[f64]| {
            let cell = &mut cells[place];
            cell[..width].copy_from_slice(values);
            let last = values[width - 1];
            cell[width..].fill(last);
        };
        if !states.t.is_empty() {
            load(0, &states.t[start..start + width]);
        }
        let mut place = 1;
        for (count, slice) in self.counts.into_iter().zip(states.slices()) {
            for number in 0..count as usize {
                let from = number * states.count + start;
                load(place, &slice[from..from + width]);
                place += 1;
            }
        }
    }
}

/// The steps, done for all lanes.
struct Run<'a> {
    steps: &'a [Step],
    tables: &'a [Arc<Table>],
    cells: &'a mut [Lanes],
}

impl WithSimd for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        // Loops of a fixed length over plain numbers: compiled for the registers at hand.
        let Self { steps, tables, cells } = self;
        for step in steps {
            let [first, second, third] = step.from.map(|place| place as usize);
            let to = step.to as usize;
            // Each kind loads its own operands: values stay in registers from there to the result.
            match step.op {
                Op::Add => binary(cells, first, second, to, |a, b| a + b),
                Op::Subtract => binary(cells, first, second, to, |a, b| a - b),
                Op::Multiply => binary(cells, first, second, to, |a, b| a * b),
                Op::Divide => binary(cells, first, second, to, |a, b| a / b),
                Op::Negate => binary(cells, first, first, to, |a, _| -a),
                Op::Call(Function::Sqrt) => binary(cells, first, first, to, |a, _| a.sqrt()),
                Op::Call(Function::Abs) => binary(cells, first, first, to, |a, _| a.abs()),
                Op::Call(Function::Sin) => cells[to] = sines_cosines(&cells[first]).0,
                Op::Call(Function::Cos) => cells[to] = sines_cosines(&cells[first]).1,
                Op::SineCosine => {
                    let (sines, cosines) = sines_cosines(&cells[first]);
                    cells[step.also as usize] = cosines;
                    cells[to] = sines;
                }
                op => {
                    let (a, b, c) = (cells[first], cells[second], cells[third]);
                    for (lane, result) in cells[to].iter_mut().enumerate() {
                        *result = apply(op, a[lane], b[lane], c[lane], tables);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn binary(cells: &mut [Lanes], first: usize, second: usize, to: usize, value: impl Fn(f64, f64) -> f64) {
    let (a, b) = (cells[first], cells[second]);
    cells[to] = std::array::from_fn(|lane| value(a[lane], b[lane]));
}

#[cfg(test)]
mod tests {
    use super::super::random::{self, Point, Random};
    use super::*;

    /// The law of the batch: the interpreter, to rounding, for any number of states.
    #[test]
    fn many_states_agree_with_the_tape() {
        for seed in 0..40 {
            let mut random = Random(seed);
            let tame = Point::new(&mut random);
            let (graph, roots) = random::graph(&mut random, 20 + 10 * seed as usize, &tame);
            let program = Program::new(&graph, &roots);
            let fixed = program.fixed(&tame.parameters);
            let (mut memory, mut batch) = (program.memory(), program.batch());
            for count in [1, 7, 8, 9, 30] {
                // States near the tame one.
                let points: Vec<Point> = (0..count)
                    .map(|k| {
                        let near = |list: &[f64]| list.iter().map(|x| x * (1.0 + 1e-7 * k as f64)).collect();
                        Point {
                            t: tame.t,
                            q: near(&tame.q),
                            v: near(&tame.v),
                            reaction: near(&tame.reaction),
                            parameters: tame.parameters.clone(),
                        }
                    })
                    .collect();
                let gather = |list: fn(&Point) -> &[f64]| -> Vec<f64> {
                    (0..list(&tame).len()).flat_map(|i| points.iter().map(move |point| list(point)[i])).collect()
                };
                let t: Vec<f64> = points.iter().map(|point| point.t).collect();
                let (q, v) = (gather(|point| &point.q), gather(|point| &point.v));
                let reaction = gather(|point| &point.reaction);
                let states = States { count, t: &t, q: &q, v: &v, reaction: &reaction, ..States::default() };
                let mut out = vec![f64::NAN; roots.len() * count];
                program.evaluate_batch(&fixed, &states, &mut batch, &mut out);
                for (k, point) in points.iter().enumerate() {
                    let expected = program.interpret(&fixed, &point.inputs(), &mut memory);
                    for (i, expected) in expected.iter().enumerate() {
                        let found = out[i * count + k];
                        assert!((found - expected).abs() <= 1e-9 * expected.abs(), "seed {seed}: {found} {expected}");
                    }
                }
            }
        }
    }
}
