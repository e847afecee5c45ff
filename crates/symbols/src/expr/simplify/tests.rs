use super::super::{Function, Graph, Id, Number, Relation, Symbol, Table};
use super::Zero;
use holonom_random::Random;

/// A random graph: each new node from earlier ones, so that much is shared.
fn random_expressions(g: &mut Graph, random: &mut Random, nodes: usize) -> Vec<Id> {
    let table = g.add_table(Table::new(vec![-1.0, 0.0, 2.0, 3.0], vec![1.0, 0.5, 2.0, -1.0]).unwrap());
    let mut made: Vec<Id> = Vec::new();
    for index in 0..2 {
        made.push(g.symbol(Symbol::Parameter(index)));
        made.push(g.symbol(Symbol::Position(index)));
        made.push(g.symbol(Symbol::Velocity(index)));
    }
    for index in 0..2 {
        let angle = g.symbol(Symbol::Position(index));
        made.push(g.call(Function::Sin, angle));
        made.push(g.call(Function::Cos, angle));
    }
    made.push(g.pi());
    for _ in 0..nodes {
        let mut pick = || {
            // Recent ones more often, for depth.
            let from = if random.index(3) == 0 { made.len().saturating_sub(5) } else { 0 };
            made[from + random.index(made.len() - from)]
        };
        let (a, b, c) = (pick(), pick(), pick());
        let number = Number::ratio(random.index(9) as i128 - 4, 1 + random.index(4) as i128).unwrap();
        let new = match random.index(14) {
            0..=3 => g.sum(&[(Number::ONE, a), (number, b), (Number::MINUS_ONE, c)]),
            4..=6 => g.product(number, &[(a, 1), (b, 1)]),
            7 => g.product(Number::ONE, &[(a, 1), (b, 1 - random.index(4) as i32), (c, 1)]),
            8 => g.sum_with(number, &[(Number::ONE, a), (Number::ONE, b)]),
            9 => g.call(Function::ALL[random.index(3)], a),
            10 => {
                let function = Function::ALL[random.index(17)];
                if function.arity() == 1 { g.call(function, a) } else { g.call2(function, a, b) }
            }
            11 => {
                let condition = g.compare(Relation::Less, a, b);
                g.select(condition, b, c)
            }
            12 => g.table(table, random.index(3) as u8, a),
            _ => g.integer_power(a, 2 - random.index(4) as i32),
        };
        made.push(new);
    }
    made
}

fn at(point: &[f64; 6]) -> impl Fn(Symbol) -> f64 + '_ {
    |symbol| match symbol {
        Symbol::Parameter(index) => point[index as usize],
        Symbol::Position(index) => point[2 + index as usize],
        Symbol::Velocity(index) => point[4 + index as usize],
        _ => 0.0,
    }
}

/// Values before and after agree wherever they are defined. A value that moves much when the point moves a hair is no
/// measure: there rounding alone decides.
#[test]
fn values_stay_as_they_are() {
    let mut compared = 0;
    for seed in 0..150 {
        let mut random = Random::new(seed * 7919 + 1);
        let mut g = Graph::new();
        let nodes = 10 + random.index(40);
        let roots = random_expressions(&mut g, &mut random, nodes);
        let short = g.simplify_all(&roots, 60);
        for _ in 0..4 {
            let point: [f64; 6] = std::array::from_fn(|_| random.uniform(0.0, 1.0) * 3.0 - 1.0);
            let before = g.evaluate(&roots, at(&point));
            let hair: [f64; 6] = std::array::from_fn(|index| point[index] * (1.0 + 1e-13));
            let moved = g.evaluate(&roots, at(&hair));
            let after = g.evaluate(&short, at(&point));
            for index in 0..roots.len() {
                let (x, y) = (before[index], after[index]);
                // Terms that cancel leave the rounding of the largest, wherever the point is moved.
                let parts = g.reachable(&roots[index..=index]);
                let largest = g.evaluate(&parts, at(&point)).iter().fold(0.0, |most: f64, part| most.max(part.abs()));
                let slack = 1e-9 * (1.0 + x.abs()) + 1e3 * (x - moved[index]).abs() + 1e-15 * largest;
                if x.is_finite() && x.abs() < 1e6 && slack < 1e-5 {
                    assert!((x - y).abs() <= slack, "seed {seed}, {index}: {x} became {y}");
                    compared += 1;
                }
            }
        }
        // None is called zero that is not, and none is told apart from its short form.
        for (index, &root) in roots.iter().enumerate().rev().take(6) {
            let point = [0.7, 1.3, 0.45, -0.6, 0.81, 0.32];
            let value = g.evaluate(&[root], at(&point))[0];
            if value.is_finite() && value.abs() > 1e-3 && value.abs() < 1e3 {
                assert_ne!(g.is_zero(root), Zero::Proved, "seed {seed}, {index}: {value}");
            }
            let same = g.subtract(root, short[index]);
            assert_ne!(g.is_zero(same), Zero::Refuted, "seed {seed}, {index}");
        }
    }
    assert!(compared > 5000, "only {compared} comparisons");
}

struct Pendulum {
    g: Graph,
    m: Id,
    l: Id,
    a: Id,
    b: Id,
}

fn pendulum() -> Pendulum {
    let mut g = Graph::new();
    let (m, l) = (g.symbol(Symbol::Parameter(0)), g.symbol(Symbol::Parameter(1)));
    let (a, b) = (g.symbol(Symbol::Position(0)), g.symbol(Symbol::Position(1)));
    Pendulum { g, m, l, a, b }
}

#[test]
fn squares_of_sine_and_cosine_join_behind_common_factors() {
    let Pendulum { mut g, m, l, a, .. } = pendulum();
    let (s, c) = (g.call(Function::Sin, a), g.call(Function::Cos, a));
    let first = g.product(Number::ONE, &[(m, 1), (l, 2), (s, 2)]);
    let second = g.product(Number::ONE, &[(m, 1), (l, 2), (c, 2)]);
    let sum = g.add(first, second);
    assert_eq!(g.simplify(sum, 100), g.product(Number::ONE, &[(m, 1), (l, 2)]));
    let one_less = g.subtract(Id::ONE, sum);
    assert_eq!(g.is_zero(one_less), Zero::Refuted);
}

#[test]
fn addition_formulas_are_read_backwards() {
    let Pendulum { mut g, m, a, b, .. } = pendulum();
    let (sa, ca) = (g.call(Function::Sin, a), g.call(Function::Cos, a));
    let (sb, cb) = (g.call(Function::Sin, b), g.call(Function::Cos, b));
    let (difference, sum) = (g.subtract(a, b), g.add(a, b));
    for (first, second, sign, function, angle) in [
        ((ca, cb), (sa, sb), 1, Function::Cos, difference),
        ((ca, cb), (sa, sb), -1, Function::Cos, sum),
        ((sa, cb), (ca, sb), 1, Function::Sin, sum),
        ((sa, cb), (ca, sb), -1, Function::Sin, difference),
    ] {
        let first = g.product(Number::ONE, &[(m, 1), (first.0, 1), (first.1, 1)]);
        let second = g.product(Number::integer(sign), &[(m, 1), (second.0, 1), (second.1, 1)]);
        let long = g.add(first, second);
        let short = g.call(function, angle);
        let short = g.multiply(m, short);
        assert_eq!(g.simplify(long, 100), short);
        let nothing = g.subtract(long, short);
        assert_eq!(g.is_zero(nothing), Zero::Proved);
        let wrong = g.add(long, short);
        assert_eq!(g.is_zero(wrong), Zero::Refuted);
    }
}

#[test]
fn products_are_multiplied_out_only_where_terms_meet() {
    let Pendulum { mut g, m, l, a, b } = pendulum();
    let (sum, difference) = (g.add(a, b), g.subtract(a, b));
    let product = g.multiply(sum, difference);
    let (aa, bb) = (g.integer_power(a, 2), g.integer_power(b, 2));
    assert_eq!(g.simplify(product, 100), g.subtract(aa, bb));
    let other = g.add(m, l);
    let other = g.multiply(sum, other);
    assert_eq!(g.simplify(other, 100), other);
    let met = g.add(product, bb);
    assert_eq!(g.simplify(met, 100), g.integer_power(a, 2));
    let far = g.add(m, l);
    let far = g.multiply(far, sum);
    let both = g.add(met, far);
    assert_eq!(g.simplify(both, 100), g.add(aa, far));
    // Within no budget it stays as it is, and (a + b)^200 is not multiplied out.
    assert_eq!(g.simplify(met, 0), met);
    let power = g.integer_power(sum, 200);
    let rest = g.add(power, m);
    assert_eq!(g.simplify(rest, 100), rest);
}

#[test]
fn numbers_and_fractions_are_clean() {
    let Pendulum { mut g, m, l, a, b } = pendulum();
    let two_sum = g.sum(&[(Number::integer(2), a), (Number::integer(2), b)]);
    let half = g.product(Number::ratio(1, 2).unwrap(), &[(m, 1), (two_sum, 1)]);
    let sum = g.add(a, b);
    assert_eq!(g.simplify(half, 100), g.multiply(m, sum));
    let (first, second) = (g.divide(a, l), g.divide(b, l));
    let fractions = g.add(first, second);
    assert_eq!(g.simplify(fractions, 100), g.divide(sum, l));
    let twice = g.divide(two_sum, sum);
    assert_eq!(g.simplify(twice, 100), g.integer(2));
}

#[test]
fn identities_are_proved() {
    let Pendulum { mut g, l, a, b, .. } = pendulum();
    // 1 + tan² = 1/cos²
    let (t, c) = (g.call(Function::Tan, a), g.call(Function::Cos, a));
    let (tt, cc) = (g.integer_power(t, 2), g.integer_power(c, -2));
    let difference = g.sum_with(Number::ONE, &[(Number::ONE, tt), (Number::MINUS_ONE, cc)]);
    assert_eq!(g.is_zero(difference), Zero::Proved);
    // (a² − b²)/(a − b) = a + b
    let (aa, bb) = (g.integer_power(a, 2), g.integer_power(b, 2));
    let (above, below, sum) = (g.subtract(aa, bb), g.subtract(a, b), g.add(a, b));
    let quotient = g.divide(above, below);
    let difference = g.subtract(quotient, sum);
    assert_eq!(g.is_zero(difference), Zero::Proved);
    // √(l² − a²)² = l² − a², where it is defined
    let ll = g.integer_power(l, 2);
    let inside = g.subtract(ll, aa);
    let root = g.call(Function::Sqrt, inside);
    let square = g.integer_power(root, 2);
    let difference = g.subtract(square, inside);
    assert_eq!(g.is_zero(difference), Zero::Proved);
    // sin 2a = 2 sin a cos a
    let twice = g.scale(Number::integer(2), a);
    let (sine, double) = (g.call(Function::Sin, a), g.call(Function::Sin, twice));
    let product = g.product(Number::integer(2), &[(sine, 1), (c, 1)]);
    let difference = g.subtract(double, product);
    assert_eq!(g.is_zero(difference), Zero::Proved);
    // What is zero only for some is not proved, and not refuted where it is nowhere seen.
    let nowhere = g.integer(1000);
    let switch = g.compare(Relation::Less, nowhere, a);
    assert_eq!(g.is_zero(switch), Zero::Unknown);
    let tiny = g.scale(Number::decimal("1e-30").unwrap(), a);
    assert_eq!(g.is_zero(tiny), Zero::Refuted);
}

#[test]
fn depth_and_sharing_cost_little() {
    let mut g = Graph::new();
    let x = g.symbol(Symbol::Position(0));
    let mut sum = x;
    for index in 1..100_000 {
        let next = g.symbol(Symbol::Position(index));
        sum = g.add(sum, next);
    }
    g.simplify(sum, 500);
    assert_eq!(g.is_zero(sum), Zero::Refuted);
    // Squares of sums, nested: each expansion would double the number of terms.
    let y = g.symbol(Symbol::Velocity(0));
    let mut nested = x;
    for _ in 0..1000 {
        let more = g.add(nested, y);
        let sine = g.call(Function::Sin, nested);
        nested = g.multiply(more, sine);
    }
    g.simplify(nested, 500);
    let mut product = x;
    for _ in 0..1000 {
        let more = g.add(product, y);
        product = g.multiply(more, product);
    }
    g.simplify(product, 500);
}
