//! What is zero is zero, and what looks different is not.

use super::bench::Bench;
use holonom_symbols::algebra::{Budget, FunctionField};
use holonom_symbols::expr::{Function, Graph, Id, Number, Symbol};

#[test]
fn identities_are_exactly_zero() {
    let mut bench = Bench::new("p q", "a b c x y");
    for text in [
        "sin(a + b) - sin(a)*cos(b) - cos(a)*sin(b)",
        "cos(a - b) - cos(a)*cos(b) - sin(a)*sin(b)",
        "tan(a)^2 + 1 - 1/cos(a)^2",
        "sqrt(x^2 + y^2)^2 - x^2 - y^2",
        "cos(2*a) - 1 + 2*sin(a)^2",
        "sin(pi/6) - 1/2",
        "cos(pi/12) - (sqrt(6) + sqrt(2))/4",
        "sin(a + pi/3) - sin(a)/2 - sqrt(3)/2*cos(a)",
        "sin(5*pi/4) + 1/sqrt(2)",
        "tan(pi/8)*tan(pi/8)*cos(pi/8)^2 - sin(pi/8)^2",
        "sin(3*a) - 3*sin(a) + 4*sin(a)^3",
        "2*sin(a/2)^2 - 1 + cos(a)",
        "tan(a/2) - sin(a)/(1 + cos(a))",
        "sin(a + b + c) - sin(a)*cos(b + c) - cos(a)*sin(b + c)",
        "sin(a/3)*3 - 4*sin(a/3)^3 - sin(a)",
        "cosh(x)^2 - sinh(x)^2 - 1",
        "sinh(x + y) - sinh(x)*cosh(y) - cosh(x)*sinh(y)",
        "tanh(x)*cosh(x) - sinh(x)",
        "exp(x)*exp(y) - exp(x + y)",
        "exp(2*x) - exp(x)^2",
        "exp(x)*exp(-x) - 1",
        "exp(x) - cosh(x) - sinh(x)",
        "exp(-2*x)*(cosh(x) + sinh(x))^2 - 1",
        "abs(x)^2 - x^2",
        "sign(x)*abs(x) - x",
        "sign(x)^2 - 1",
        "sqrt(x^2) - abs(x)",
        "sqrt(4*x^2*y) - 2*abs(x)*sqrt(y)",
        "sqrt(8) - 2*sqrt(2)",
        "sqrt(6) - sqrt(2)*sqrt(3)",
        "1/(1 + sqrt(2)) - sqrt(2) + 1",
        "sqrt(x^2 + 2*x*y + y^2) - abs(x + y)",
        "sqrt(sin(a)^2 + cos(a)^2) - 1",
        "sqrt(1 - sin(a)^2) - abs(cos(a))",
        "abs(x*y) - abs(x)*abs(y)",
        "sqrt(x/y) - sqrt(x*y)/abs(y)",
        "sqrt(1 + sqrt(x))^4 - 1 - x - 2*sqrt(x)",
        "x^(1/3)*x^(2/3) - x",
        "x^(3/2) - x*sqrt(x)",
        "x^p*x^q - x^(p + q)",
        "x^(p + 1) - x*x^p",
        "(x^2 - y^2)/(x - y) - x - y",
        "1/(x - y) + 1/(y - x)",
        "atan(x) + atan(-x)",
        "1e-3*x - x/1000",
    ] {
        let difference = bench.read(text);
        assert!(difference.is_zero(), "{text} is {difference:?}");
    }
    for text in
        ["sin(a) - cos(a)", "sqrt(x^2) - x", "sin(a + b) - sin(a) - sin(b)", "x^p - x^q", "sin(1) - 0.8414709848"]
    {
        assert!(!bench.read(text).is_zero(), "{text}");
    }
}

#[test]
fn what_relations_hide_cancels() {
    let mut bench = Bench::new("p q", "a b x y").positive();
    for (text, expected) in [
        ("(1 - cos(a)^2)/sin(a)", "sin(a)"),
        ("sin(a)^2/(1 + cos(a))", "1 - cos(a)"),
        ("cos(a)/(1 - sin(a)^2)", "1/cos(a)"),
        ("sin(2*a)/cos(a)", "2*sin(a)"),
        ("(cos(a)^2 - sin(a)^2)/(cos(a) - sin(a))", "sin(a) + cos(a)"),
        ("x^2/sqrt(x^2 + y^2) + y^2/sqrt(x^2 + y^2)", "sqrt(x^2 + y^2)"),
        ("x/sqrt(p*x^2)", "sign(x)/sqrt(p)"),
        ("sqrt(p^2*q)", "p*sqrt(q)"),
        ("sqrt(2*p*q)", "sqrt(2*p*q)"),
        ("x/abs(x)", "sign(x)"),
        ("1/abs(x)", "1/abs(x)"),
        ("x*sign(x)*y", "y*abs(x)"),
        ("(sin(a + b) + sin(a - b))/(2*cos(b))", "sin(a)"),
        ("sin(a - b)*(x + y)/(sin(a - b)*cos(a - b))", "(x + y)/cos(a - b)"),
        ("(p*sin(a - b)^2 + sin(a - b))/sin(a - b)", "p*sin(a - b) + 1"),
        ("exp(2*x)/exp(x)", "exp(x)"),
        ("p^(1/3)*p", "p*p^(1/3)"),
        ("1/(sqrt(p) - sqrt(q)) - (sqrt(p) + sqrt(q))/(p - q)", "0"),
        ("sin(a)*cos(a) - sin(2*a)/2", "0"),
        ("p*cos(a)^2 + q*sin(a)^2", "q*sin(a)^2 + p*cos(a)^2"),
        ("1 - 2*sin(a)^2", "cos(2*a)"),
        ("p*sin(a)^2/cos(a)^2", "p*tan(a)^2"),
        ("tan(a - b)*p", "p*tan(a - b)"),
        ("(sinh(x)^2 + 1)*p + q", "p*cosh(x)^2 + q"),
    ] {
        let ratio = bench.read(text);
        assert_eq!(bench.written(&ratio).0, expected, "{text}");
    }
}

/// In the ring of two angles a quotient may be exact although no polynomial division shows it.
#[test]
fn quotients_of_two_angles_are_found() {
    let mut bench = Bench::new("m n", "a b");
    let budget = Budget::new(1 << 30);
    let factor = bench.read("m + n*sin(a - b)^2");
    for text in ["sin(a - b)", "cos(a)*sin(b)^2 + m", "m*sin(a - 2*b) + n*cos(b)"] {
        let other = bench.read(text);
        let product = bench.field.multiply(&factor, &other, &budget).unwrap();
        let quotient = bench.field.divide(&product, &factor, &budget).unwrap();
        assert!(quotient.denominator().is_constant(), "{text}: {quotient:?}");
        assert!(bench.field.equal(&quotient, &other, &budget).unwrap());
    }
}

#[test]
fn division_by_zero_is_named_and_the_budget_kept() {
    let mut bench = Bench::new("p", "a x");
    let zero = bench.read("sin(a)^2 + cos(a)^2 - 1");
    let one = bench.read("1");
    let quotient = bench.field.divide(&one, &zero, &Budget::new(1000)).unwrap();
    assert!(FunctionField::is_undefined(&quotient));
    let (graph, id) = bench.parsed("(x + sin(a) + p)^40/(x - sin(a) + p)^39");
    assert!(FunctionField::new().read(&graph, id, &Budget::new(5_000)).is_err());
}

/// What was read before stays what it is when a finer angle comes, or sinh after exp.
#[test]
fn finer_units_leave_the_old_ones_valid() {
    let mut bench = Bench::new("p", "a x");
    let budget = Budget::new(1 << 24);
    let (sine, cosine, power) = (bench.read("sin(a)"), bench.read("cos(a)"), bench.read("exp(x)"));
    let halves = bench.read("2*sin(a/2)*cos(a/2)");
    assert!(bench.field.equal(&sine, &halves, &budget).unwrap());
    let thirds = bench.read("4*cos(a/3)^3 - 3*cos(a/3)");
    assert!(bench.field.equal(&cosine, &thirds, &budget).unwrap());
    let hyperbolic = bench.read("cosh(x) + sinh(x)");
    assert!(bench.field.equal(&power, &hyperbolic, &budget).unwrap());
    let reduced = bench.field.reduce(&sine, &budget).unwrap();
    assert_eq!(bench.written(&reduced).0, "sin(a)");
}

/// Roots of squares by what is known of signs.
#[test]
fn signs_that_are_known_are_used() {
    let budget = Budget::new(1 << 20);
    let mut graph = Graph::new();
    let m = graph.symbol(Symbol::Parameter(0));
    let square = graph.integer_power(m, 2);
    let root = graph.call(Function::Sqrt, square);
    let mut field = FunctionField::new();
    let magnitude = field.read(&graph, root, &budget).unwrap();
    assert_eq!(field.write(&mut graph, &magnitude, &budget).unwrap(), graph.call(Function::Abs, m));
    let mut field = FunctionField::new();
    field.assume_positive(Symbol::Parameter(0));
    let itself = field.read(&graph, root, &budget).unwrap();
    assert_eq!(field.write(&mut graph, &itself, &budget).unwrap(), m);
}

/// A sign is counted where it decided how a root is read, and nowhere else.
#[test]
fn signs_that_are_used_are_counted() {
    let budget = Budget::new(1 << 20);
    let mut graph = Graph::new();
    let [m, k] = [0, 1].map(|which| graph.symbol(Symbol::Parameter(which)));
    let x = graph.symbol(Symbol::Position(0));
    let product = graph.product(Number::ONE, &[(k, 2), (x, 2), (m, 4)]);
    let root = graph.call(Function::Sqrt, product);
    let whole = graph.divide(root, m);
    let mut field = FunctionField::new();
    [0, 1].into_iter().for_each(|which| field.assume_positive(Symbol::Parameter(which)));
    field.on_trial(|field| field.read(&graph, whole, &budget).map(drop)).unwrap();
    assert!(field.relied_on().is_empty());
    field.read(&graph, whole, &budget).unwrap();
    assert_eq!(field.relied_on().iter().collect::<Vec<_>>(), [&Symbol::Parameter(1)]);
}

/// c sin² + c cos² is c, and c − 4 (c/4) is zero, for a c that was rounded in several ways.
#[test]
fn numbers_that_differ_by_rounding_are_one() {
    let budget = Budget::new(1 << 20);
    let mut graph = Graph::new();
    let angle = graph.symbol(Symbol::Position(0));
    let squares = [Function::Sin, Function::Cos].map(|function| {
        let value = graph.call(function, angle);
        graph.integer_power(value, 2)
    });
    let number = |text: &str| Number::decimal(text).unwrap();
    let (c, other, four) = ("0.01205239793037819", "0.012052397930378192", "0.048209591721512771");
    let sum = graph.sum(&[(number(c), squares[0]), (number(other), squares[1])]);
    let mut field = FunctionField::new();
    assert!(field.read(&graph, sum, &budget).unwrap().as_constant().is_some());
    let quarter = graph.number(Number::ratio(1, 4).unwrap());
    let root = graph.call(Function::Log, angle);
    let first = graph.scale(number(four), root);
    let first = field.read(&graph, first, &budget).unwrap();
    let quarter = field.read(&graph, quarter, &budget).unwrap();
    let second = graph.scale(number(other), root);
    let second = field.read(&graph, second, &budget).unwrap();
    let fourth = field.multiply(&first, &quarter, &budget).unwrap();
    assert!(field.subtract(&fourth, &second, &budget).unwrap().is_zero());
    // What differs by more than rounding does not.
    let more = graph.scale(number("0.0120523979303784"), root);
    let more = field.read(&graph, more, &budget).unwrap();
    assert!(!field.subtract(&more, &second, &budget).unwrap().is_zero());
}

/// Functions inside functions, two thousand deep, and a graph that shares what would be 2^200 nodes.
#[test]
fn depth_costs_no_stack() {
    let mut graph = Graph::new();
    let mut id = graph.symbol(Symbol::Position(0));
    for _ in 0..2_000 {
        id = graph.call(Function::Log, id);
    }
    let (mut field, budget) = (FunctionField::new(), Budget::new(1 << 30));
    let ratio = field.read(&graph, id, &budget).unwrap();
    assert_eq!(field.write(&mut graph, &ratio, &budget).unwrap(), id);
    let mut shared = graph.symbol(Symbol::Position(0));
    for _ in 0..200 {
        let sine = graph.call(Function::Log, shared);
        shared = graph.sum(&[(1.into(), sine), (1.into(), shared)]);
    }
    assert!(holonom_symbols::algebra::measure(&graph, shared) > 1 << 60);
    assert_ne!(shared, Id::ZERO);
}
