//! Random expressions: read, written, printed, read back, and evaluated.

use super::bench::Bench;
use holonom_random::Random;
use holonom_symbols::algebra::{Budget, FunctionField, measure};
use holonom_symbols::expr::{Function, Graph, Id, Number, Symbol};
use holonom_testing::bytes;

/// What kind of expressions to make.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Trigonometric,
    Roots,
    Cancellation,
    Everything,
}

/// Sums and products of symbols and of functions that have relations.
fn expression(g: &mut Graph, random: &mut Random, kind: Kind) -> Id {
    let mut made: Vec<Id> = Vec::new();
    for index in 0..2 {
        made.push(g.symbol(Symbol::Parameter(index)));
        made.push(g.symbol(Symbol::Position(index)));
    }
    made.push(g.symbol(Symbol::Velocity(0)));
    let small = |random: &mut Random| Number::integer(random.index(5) as i64 - 2);
    for _ in 0..2 + random.index(3) {
        let (x, y) = (made[1], made[3]);
        let (j, k) = (small(random), small(random));
        let angle = g.sum(&[(j, x), (k, y)]);
        let squares = [g.integer_power(made[0], 2), g.integer_power(x, 2), g.integer_power(y, 2)];
        let choice = match kind {
            Kind::Trigonometric => random.index(4),
            Kind::Roots => 4 + random.index(4),
            Kind::Cancellation => 20,
            Kind::Everything => random.index(12),
        };
        made.push(match choice {
            0 | 1 => g.call(Function::Sin, angle),
            2 => g.call(Function::Cos, angle),
            3 => g.call(Function::Tan, x),
            4 => {
                let sum = g.add(squares[0], squares[1 + random.index(2)]);
                g.call(Function::Sqrt, sum)
            }
            5 => {
                let product = g.multiply(squares[random.index(3)], made[0]);
                g.call(Function::Sqrt, product)
            }
            6 => g.call(Function::Abs, x),
            7 => g.call(Function::Sign, angle),
            8 => g.call(Function::Exp, angle),
            9 => g.call(Function::Sinh, x),
            10 => g.call(Function::Cosh, y),
            11 => {
                let half = g.scale(Number::ratio(1, 2).unwrap(), x);
                g.call(Function::Cos, half)
            }
            _ => angle,
        });
    }
    for _ in 0..3 + random.index(5) {
        let mut pick = || {
            let from = if random.index(2) == 0 { made.len().saturating_sub(4) } else { 0 };
            made[from + random.index(made.len() - from)]
        };
        let (a, b) = (pick(), pick());
        let number = Number::ratio(random.index(7) as i128 - 3, 1 + random.index(2) as i128).unwrap();
        made.push(match random.index(8) {
            0..=2 => g.sum(&[(Number::ONE, a), (number, b)]),
            3 | 4 => g.product(Number::ONE, &[(a, 1), (b, 1)]),
            5 => g.integer_power(a, 2),
            6 => {
                let sum = g.sum_with(Number::ONE, &[(number, b)]);
                g.divide(a, sum)
            }
            _ => {
                // The same factor above and below, once multiplied out.
                let above = g.add(a, b);
                let (aa, bb) = (g.integer_power(a, 2), g.integer_power(b, 2));
                let squares = g.subtract(aa, bb);
                g.divide(squares, above)
            }
        });
    }
    made[made.len() - 1]
}

fn check(kind: Kind, cases: u64) {
    let (mut compared, mut refused, mut longer) = (0, 0, 0);
    for seed in 0..cases {
        let mut random = Random::new(seed * 7919 + 17 * kind as u64 + 1);
        let mut bench = Bench::new("p q", "x y").positive();
        let mut graph = Graph::new();
        let id = expression(&mut graph, &mut random, kind);
        let text = bench.printed(&graph, id);
        let budget = Budget::new(200_000_000);
        let Ok(ratio) = bench.field.read(&graph, id, &budget) else {
            refused += 1;
            continue;
        };
        let mut out = Graph::new();
        let Ok(written) = bench.field.write(&mut out, &ratio, &budget) else {
            refused += 1;
            continue;
        };
        longer += usize::from(measure(&out, written) > 2 * measure(&graph, id));
        // What is printed can be read, and is the same.
        let printed = bench.printed(&out, written);
        if !printed.contains("where") && !FunctionField::is_undefined(&ratio) {
            let back = bench.read(&printed);
            assert!(bench.field.equal(&back, &ratio, &budget).unwrap(), "seed {seed}: {text} as {printed}");
        }
        for _ in 0..3 {
            let point: Vec<f64> = (0..5).map(|_| 3.0 * random.uniform(0.0, 1.0) - 1.5).collect();
            let at = |shift: f64| {
                let point = &point;
                move |symbol: Symbol| match symbol {
                    Symbol::Parameter(index) => 0.5 + point[index as usize].abs() + shift,
                    Symbol::Position(index) => point[2 + index as usize] - shift,
                    _ => point[4] + 2.0 * shift,
                }
            };
            let (before, near) = (graph.evaluate(&[id], at(0.0))[0], graph.evaluate(&[id], at(1e-9))[0]);
            let (after, beside) = (out.evaluate(&[written], at(0.0))[0], out.evaluate(&[written], at(1e-9))[0]);
            // A value that moves much when the point moves a hair is no measure.
            let steady = |a: f64, b: f64| (a - b).abs() < 1e-6 * (1.0 + a.abs());
            if before.abs() < 1e6 && steady(before, near) && steady(after, beside) {
                assert!(
                    (before - after).abs() <= 1e-4 * (1.0 + before.abs()),
                    "seed {seed}: {text} is {before}, {printed} is {after}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared as u64 > cases && refused as u64 * 50 <= cases, "{compared} compared, {refused} refused");
    assert!(longer as u64 * 20 <= cases, "{longer} of {cases} became longer than twice");
}

#[test]
fn trigonometric_expressions_keep_their_values() {
    check(Kind::Trigonometric, 1200);
}

#[test]
fn roots_and_signs_keep_their_values() {
    check(Kind::Roots, 1000);
}

#[test]
fn quotients_keep_their_values() {
    check(Kind::Cancellation, 600);
}

#[test]
fn all_kinds_keep_their_values() {
    check(Kind::Everything, 600);
}

/// Whatever is asked, the answer comes within what the budget allows.
#[test]
fn budgets_are_kept() {
    const WORK: u64 = 3_000_000;
    let mut refused = 0;
    for seed in 0..60 {
        let mut random = Random::new(seed * 104_729 + 5);
        let mut graph = Graph::new();
        let first = expression(&mut graph, &mut random, Kind::Everything);
        let second = expression(&mut graph, &mut random, Kind::Trigonometric);
        let sum = graph.add(first, second);
        let power = graph.integer_power(sum, 6);
        let quotient = graph.divide(power, first);
        let (mut bench, budget) = (Bench::new("p q", "x y"), Budget::new(WORK));
        let (answer, built) = bytes(|| {
            let ratio = bench.field.read(&graph, quotient, &budget)?;
            bench.field.write(&mut graph, &ratio, &budget)
        });
        refused += usize::from(answer.is_err());
        // What is not paid for: at most this much memory for a unit of work.
        assert!(built <= 100 * WORK as usize, "seed {seed}: {built} bytes");
    }
    assert!(refused > 0);
}
