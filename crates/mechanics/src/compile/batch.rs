//! Many states at a time: the interpreter over blocks of states, in the widest registers that the machine has.
//!
//! Decoding a move costs more than doing it; here it is decoded once for eight registers full of states. Each number goes
//! through the operations of the interpreter, none fused: what a state gets has the same bits as there and does not depend
//! on its place, on the states around it or on the width of registers.

use super::code::Op;
use super::layout::KINDS;
use super::program::{Fixed, Program};
use super::tape::apply;
use super::wide::{Act, NOWHERE, Place, Wide};
use holonom_elementary::sines_cosines;
use holonom_symbols::expr::{Function, Table};
use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;
use std::sync::Arc;

/// Many states, quantity after quantity: coordinate i of state k is at `i·count + k`, and likewise for all others.
///
/// What the expressions do not depend on may be left empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProgramStates<'a> {
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

impl<'a> ProgramStates<'a> {
    fn slices(&self) -> [&'a [f64]; KINDS] {
        [self.q, self.v, self.acceleration, self.multiplier, self.reaction, self.slip, self.normal]
    }
}

/// How many numbers the widest registers hold.
pub(crate) const LANES: usize = 8;

/// One number for each state.
pub(crate) type Lanes = [f64; LANES];

/// Registers that one move fills.
const REGISTERS: usize = 16;

/// One number for each state of a block. A block is as many registers as a move fills, of whatever width.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Cell([f64; REGISTERS * LANES]);

/// The memory that many states are evaluated in.
#[derive(Clone, Debug)]
pub struct Batch {
    wide: Arc<Wide>,
    cells: Vec<Cell>,
    stamp: u64,
}

/// Where values go: one row of numbers for each expression.
pub trait Rows {
    /// The row of an expression, a number for each state.
    fn row(&mut self, number: usize) -> &mut [f64];
}

/// Row after row.
struct Flat<'a> {
    count: usize,
    out: &'a mut [f64],
}

impl Rows for Flat<'_> {
    fn row(&mut self, number: usize) -> &mut [f64] {
        &mut self.out[number * self.count..(number + 1) * self.count]
    }
}

impl Program {
    /// Memory to evaluate many states in.
    pub fn batch(&self) -> Batch {
        let wide = self.wide.get_or_init(|| Arc::new(Wide::new(&self.layout))).clone();
        Batch { cells: vec![Cell([0.0; _]); wide.cells], wide, stamp: 0 }
    }

    /// The values of the expressions at many states: expression i at state k goes to `out[i·count + k]`. Allocates nothing.
    ///
    /// # Panics
    /// If inputs are missing that the expressions mention, `out` is too short, or the batch or the fixed part is
    /// another program's.
    pub fn evaluate_batch(&self, fixed: &Fixed, states: &ProgramStates, batch: &mut Batch, out: &mut [f64]) {
        let rows = &mut Flat { count: states.count, out };
        self.evaluate_rows(fixed, states, 0..states.count, batch, rows);
    }

    /// The values at some of the states; the first of them goes to the beginning of each row.
    ///
    /// # Panics
    /// As [`Program::evaluate_batch`].
    pub fn evaluate_rows<R: Rows>(
        &self,
        fixed: &Fixed,
        states: &ProgramStates,
        range: Range<usize>,
        batch: &mut Batch,
        rows: &mut R,
    ) {
        let Batch { wide, cells, stamp } = batch;
        let own = self.wide.get().is_some_and(|own| Arc::ptr_eq(own, wide));
        assert!(own, "the batch is another program's");
        assert_eq!(fixed.values().len(), self.layout.resident.len(), "the fixed part is another program's");
        if *stamp != fixed.stamp() {
            for &(number, cell) in &wide.spread {
                cells[cell as usize].0.fill(fixed.values()[number as usize]);
            }
            *stamp = fixed.stamp();
        }
        let (tables, fixed) = (&*self.layout.tables, fixed.values());
        Arch::new().dispatch(Run { program: self, wide, fixed, tables, states, range, cells, rows });
    }

    /// The numbers of an input at many states, by its place in the memory.
    fn given<'a>(&self, states: &ProgramStates<'a>, place: u32) -> &'a [f64] {
        let Some(mut number) = place.checked_sub(1) else { return states.t };
        for (&count, slice) in self.layout.counts.iter().zip(states.slices()) {
            if number < count {
                return &slice[number as usize * states.count..][..states.count];
            }
            number -= count;
        }
        &[]
    }
}

/// All moves, for block after block.
struct Run<'a, R> {
    program: &'a Program,
    wide: &'a Wide,
    fixed: &'a [f64],
    tables: &'a [Arc<Table>],
    states: &'a ProgramStates<'a>,
    range: Range<usize>,
    cells: &'a mut [Cell],
    rows: &'a mut R,
}

impl<R: Rows> WithSimd for Run<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let Range { mut start, end } = self.range;
        // Half of the registers hold the accumulator: of 32 where there are lanes for eight numbers, of 16 elsewhere.
        let block = if S::F64_LANES == LANES { REGISTERS } else { REGISTERS / 2 } * S::F64_LANES;
        while end - start >= block {
            if S::F64_LANES == LANES {
                self.block::<S, REGISTERS>(simd, start, block);
            } else {
                self.block::<S, { REGISTERS / 2 }>(simd, start, block);
            }
            start += block;
        }
        // What is left, register after register.
        while start < end {
            let width = S::F64_LANES.min(end - start);
            self.block::<S, 1>(simd, start, width);
            start += width;
        }
    }
}

impl<R: Rows> Run<'_, R> {
    /// A block of states that begins at `start`; where there are fewer than registers hold, the last one is repeated.
    #[inline(always)]
    fn block<S: Simd, const W: usize>(&mut self, simd: S, start: usize, width: usize) {
        let whole = width == W * S::F64_LANES;
        for &(place, cell) in &self.wide.inputs {
            let from = &self.program.given(self.states, place)[start..start + width];
            let cell = &mut self.cells[cell as usize].0;
            if whole {
                let (from, to) = (S::as_simd_f64s(from).0, S::as_mut_simd_f64s(cell).0);
                to[..W].copy_from_slice(&from[..W]);
            } else {
                cell[..width].copy_from_slice(from);
                cell[width..S::F64_LANES].fill(from[width - 1]);
            }
        }
        moves::<S, W>(simd, self.wide, self.fixed, self.tables, self.cells);
        let first = start - self.range.start;
        for (number, place) in self.wide.outputs.iter().enumerate() {
            let to = &mut self.rows.row(number)[first..first + width];
            match *place {
                Place::Fixed(fixed) => to.fill(self.fixed[fixed as usize]),
                Place::Cell(cell) if whole => {
                    let (from, to) = (S::as_simd_f64s(&self.cells[cell as usize].0).0, S::as_mut_simd_f64s(to).0);
                    to[..W].copy_from_slice(&from[..W]);
                }
                Place::Cell(cell) => to.copy_from_slice(&self.cells[cell as usize].0[..width]),
            }
        }
    }
}

/// The moves, done for as many registers of states.
#[inline(always)]
fn moves<S: Simd, const W: usize>(simd: S, wide: &Wide, fixed: &[f64], tables: &[Arc<Table>], cells: &mut [Cell]) {
    let mut x = [simd.splat_f64s(0.0); W];
    for step in &wide.moves {
        // Loops of a fixed length over registers; operands are fetched where they are needed.
        macro_rules! each {
            (|$x:ident| $value:expr) => {
                for $x in &mut x {
                    *$x = $value;
                }
            };
            (|$x:ident, $a:ident| $value:expr) => {{
                let a = &S::as_simd_f64s(&cells[step.a as usize].0).0[..W];
                for ($x, &$a) in x.iter_mut().zip(a) {
                    *$x = $value;
                }
            }};
            (|$x:ident, $a:ident, $b:ident| $value:expr) => {{
                let a = &S::as_simd_f64s(&cells[step.a as usize].0).0[..W];
                let b = &S::as_simd_f64s(&cells[step.b as usize].0).0[..W];
                for (($x, &$a), &$b) in x.iter_mut().zip(a).zip(b) {
                    *$x = $value;
                }
            }};
            (fixed |$x:ident, $a:ident| $value:expr) => {{
                let $a = simd.splat_f64s(fixed[step.a as usize]);
                for $x in &mut x {
                    *$x = $value;
                }
            }};
            (fixed |$x:ident, $a:ident, $b:ident| $value:expr) => {{
                let $a = simd.splat_f64s(fixed[step.a as usize]);
                let b = &S::as_simd_f64s(&cells[step.b as usize].0).0[..W];
                for ($x, &$b) in x.iter_mut().zip(b) {
                    *$x = $value;
                }
            }};
        }
        match step.act {
            Act::Take => each!(|x, a| a),
            Act::Opposite => each!(|x, a| simd.neg_f64s(a)),
            Act::Add => each!(|x, a| simd.add_f64s(*x, a)),
            Act::AddFixed => each!(fixed | x, a | simd.add_f64s(*x, a)),
            Act::Subtract => each!(|x, a| simd.sub_f64s(*x, a)),
            Act::SubtractFixed => each!(fixed | x, a | simd.sub_f64s(*x, a)),
            Act::SubtractFrom => each!(|x, a| simd.sub_f64s(a, *x)),
            Act::SubtractFromFixed => each!(fixed | x, a | simd.sub_f64s(a, *x)),
            Act::Multiply => each!(|x, a| simd.mul_f64s(*x, a)),
            Act::MultiplyFixed => each!(fixed | x, a | simd.mul_f64s(*x, a)),
            Act::Divide => each!(|x, a| simd.div_f64s(*x, a)),
            Act::DivideFixed => each!(fixed | x, a | simd.div_f64s(*x, a)),
            Act::DivideInto => each!(|x, a| simd.div_f64s(a, *x)),
            Act::DivideIntoFixed => each!(fixed | x, a | simd.div_f64s(a, *x)),
            Act::Sum => each!(|x, a, b| simd.add_f64s(a, b)),
            Act::SumFixed => each!(fixed | x, a, b | simd.add_f64s(a, b)),
            Act::Difference => each!(|x, a, b| simd.sub_f64s(a, b)),
            Act::DifferenceFixed => each!(fixed | x, a, b | simd.sub_f64s(a, b)),
            Act::Beyond => each!(fixed | x, a, b | simd.sub_f64s(b, a)),
            Act::Product => each!(|x, a, b| simd.mul_f64s(a, b)),
            Act::ProductFixed => each!(fixed | x, a, b | simd.mul_f64s(a, b)),
            Act::Quotient => each!(|x, a, b| simd.div_f64s(a, b)),
            Act::QuotientFixed => each!(fixed | x, a, b | simd.div_f64s(a, b)),
            Act::AddProduct => each!(|x, a, b| simd.add_f64s(*x, simd.mul_f64s(a, b))),
            Act::AddProductFixed => each!(fixed | x, a, b | simd.add_f64s(*x, simd.mul_f64s(a, b))),
            Act::SubtractProduct => each!(|x, a, b| simd.sub_f64s(*x, simd.mul_f64s(a, b))),
            Act::SubtractProductFixed => each!(fixed | x, a, b | simd.sub_f64s(*x, simd.mul_f64s(a, b))),
            Act::SubtractFromProduct => each!(|x, a, b| simd.sub_f64s(simd.mul_f64s(a, b), *x)),
            Act::SubtractFromProductFixed => each!(fixed | x, a, b | simd.sub_f64s(simd.mul_f64s(a, b), *x)),
            Act::Negate => each!(|x| simd.neg_f64s(*x)),
            Act::Sqrt => each!(|x| simd.sqrt_f64s(*x)),
            Act::Abs => each!(|x| simd.abs_f64s(*x)),
            Act::Other(op) => {
                let places = [step.a, step.b, step.c, step.to].map(|place| place as usize);
                other(op, places, W * S::F64_LANES, tables, cells);
                // Nothing has to survive the call.
                x = [simd.splat_f64s(0.0); W];
                continue;
            }
        }
        if step.to != NOWHERE {
            let to = &mut S::as_mut_simd_f64s(&mut cells[step.to as usize].0).0[..W];
            to.copy_from_slice(&x);
        }
    }
}

/// What is no arithmetic, for the first `count` states of a block.
#[inline(always)]
fn other(op: Op, [first, second, third, to]: [usize; 4], count: usize, tables: &[Arc<Table>], cells: &mut [Cell]) {
    match op {
        Op::SineCosine | Op::Call(Function::Sin | Function::Cos) => {
            for chunk in 0..count.div_ceil(LANES) {
                let lanes = chunk * LANES..(chunk + 1) * LANES;
                let mut x: Lanes = [0.0; LANES];
                x.copy_from_slice(&cells[first].0[lanes.clone()]);
                let (sines, cosines) = sines_cosines(&x);
                if op == Op::SineCosine {
                    cells[third].0[lanes.clone()].copy_from_slice(&cosines);
                }
                let values = if op == Op::Call(Function::Cos) { cosines } else { sines };
                cells[to].0[lanes].copy_from_slice(&values);
            }
        }
        op => {
            for lane in 0..count {
                let [a, b, c] = [first, second, third].map(|place| cells[place].0[lane]);
                cells[to].0[lane] = apply(op, a, b, c, tables);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::{self, Point, Random};
    use super::*;
    use pulp::{Scalar, Scalar128b, Scalar256b, Scalar512b};

    /// The law of the batch: the bits of the interpreter, for any number of states and any width of registers.
    #[test]
    fn many_states_agree_with_the_tape() {
        for seed in 0..40 {
            let mut random = Random::new(seed);
            let tame = Point::new(&mut random);
            let (graph, roots) = random::graph(&mut random, 20 + 10 * seed as usize, &tame);
            let program = Program::new(&graph, &roots);
            let fixed = program.fixed(&tame.parameters);
            let (mut memory, mut batch) = (program.memory(), program.batch());
            for count in [1, 7, 8, 9, 30, 150] {
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
                let states =
                    ProgramStates { count, t: &t, q: &q, v: &v, reaction: &reaction, ..ProgramStates::default() };
                let mut out = vec![f64::NAN; roots.len() * count];
                program.evaluate_batch(&fixed, &states, &mut batch, &mut out);
                let bits = |values: &[f64]| -> Vec<u64> {
                    values.iter().map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }).collect()
                };
                macro_rules! width {
                    ($($simd:expr),*) => {$({
                        let mut found = vec![f64::NAN; roots.len() * count];
                        let rows = &mut Flat { count, out: &mut found };
                        let Batch { wide, cells, .. } = &mut batch;
                        let (program, states, range) = (&program, &states, 0..count);
                        let (tables, fixed) = (&*program.layout.tables, fixed.values());
                        $simd.vectorize(Run { program, wide, fixed, tables, states, range, cells, rows });
                        assert_eq!(bits(&found), bits(&out), "seed {seed}, {}", stringify!($simd));
                    })*};
                }
                width!(Scalar, Scalar128b, Scalar256b, Scalar512b);
                for (k, point) in points.iter().enumerate() {
                    let expected = program.interpret(&fixed, &point.inputs(), &mut memory);
                    for (i, expected) in expected.iter().enumerate() {
                        let found = out[i * count + k];
                        let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                        assert!(same, "seed {seed}: {found} {expected}");
                    }
                }
            }
        }
    }
}
