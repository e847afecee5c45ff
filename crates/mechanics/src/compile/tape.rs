//! The interpreter: the plainest evaluator of straight-line code, and the reference for the others.

use super::code::Op;
use holonom_elementary as elementary;
use holonom_symbols::expr::Table;
use std::sync::Arc;

/// One operation on places of a memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub op: Op,
    /// Where operands are; those that the operation does not have are 0.
    pub from: [u32; 3],
    /// Where the result goes.
    pub to: u32,
    /// Where the cosine goes that [`Op::SineCosine`] computes along.
    pub also: u32,
}

/// Does the steps in order.
pub(crate) fn run(steps: &[Step], tables: &[Arc<Table>], memory: &mut [f64]) {
    for step in steps {
        let at = |operand: usize| memory[step.from[operand] as usize];
        let value = match step.op {
            Op::SineCosine => {
                let (sine, cosine) = elementary::sin_cos(at(0));
                memory[step.also as usize] = cosine;
                sine
            }
            op => apply(op, at(0), at(1), at(2), tables),
        };
        memory[step.to as usize] = value;
    }
}

/// The value of one operation.
#[inline]
pub(crate) fn apply(op: Op, a: f64, b: f64, c: f64, tables: &[Arc<Table>]) -> f64 {
    let truth = |holds: bool| if holds { 1.0 } else { 0.0 };
    match op {
        Op::Add => a + b,
        Op::Subtract => a - b,
        Op::Multiply => a * b,
        Op::Divide => a / b,
        Op::Negate => -a,
        Op::Call(function) => function.value(a, 0.0),
        Op::Call2(function) => function.value(a, b),
        Op::SineCosine => elementary::sin(a),
        Op::Cosine => a,
        Op::Power => elementary::powf(a, b),
        Op::Table { table, order } => tables[table as usize].value(a, order),
        Op::Less => truth(a < b),
        Op::LessEqual => truth(a <= b),
        Op::And => truth(a != 0.0 && b != 0.0),
        Op::Or => truth(a != 0.0 || b != 0.0),
        Op::Not => truth(a == 0.0),
        Op::Select => {
            if a != 0.0 {
                b
            } else {
                c
            }
        }
    }
}
