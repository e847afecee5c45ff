use super::super::{Function, Graph, Id, Number, Relation, Symbol, Table};
use super::{Language, MatrixFormula, Notation, Style, function};

fn name(symbol: Symbol) -> String {
    let coordinate = |index: u32| ["theta", "y", "x[3]", "p.x", "phi_k"][index as usize % 5];
    match symbol {
        Symbol::Time => "t".to_string(),
        Symbol::Parameter(index) => ["m", "g", "R", "Ic", "alpha", "mu_k"][index as usize % 6].to_string(),
        Symbol::Position(index) => coordinate(index).to_string(),
        Symbol::Velocity(index) => format!("{}'", coordinate(index)),
        Symbol::Acceleration(index) => format!("{}''", coordinate(index)),
        Symbol::Multiplier(_) => "multiplier(rod)".to_string(),
        _ => "other".to_string(),
    }
}

fn print(graph: &Graph, id: Id, notation: Notation) -> String {
    graph.print(id, &Style::new(notation, &name))
}

/// Expressions of all kinds with what they look like as text and in Unicode.
fn examples(g: &mut Graph) -> Vec<(Id, &'static str, &'static str)> {
    let [m, gravity, r, ic, alpha, mu] = std::array::from_fn(|index| g.symbol(Symbol::Parameter(index as u32)));
    let [theta, y, x3, px, phi] = std::array::from_fn(|index| g.symbol(Symbol::Position(index as u32)));
    let (omega, swing) = (g.symbol(Symbol::Velocity(0)), g.symbol(Symbol::Acceleration(0)));
    let (v3, a3) = (g.symbol(Symbol::Velocity(2)), g.symbol(Symbol::Acceleration(2)));
    let mut list = Vec::new();
    let (s, c) = (g.call(Function::Sin, theta), g.call(Function::Cos, theta));
    list.push((g.product(Number::ONE, &[(s, 1), (gravity, 1), (m, 1)]), "m*g*sin(theta)", "m·g·sin(θ)"));
    let inertia = g.product(Number::ONE, &[(m, 1), (r, 2)]);
    let whole = g.add(ic, inertia);
    list.push((whole, "m*R^2 + Ic", "m·R² + Ic"));
    let half = Number::ratio(1, 2).unwrap();
    let kinetic = g.product(half, &[(whole, 1), (omega, 2)]);
    list.push((kinetic, "(m*R^2 + Ic)*theta'^2/2", "(m·R² + Ic)·θ̇²/2"));
    let minus_y = g.negate(y);
    list.push((minus_y, "-y", "−y"));
    let sa = g.call(Function::Sin, alpha);
    let slope = g.product(Number::MINUS_ONE, &[(r, 1), (theta, 1), (sa, 1)]);
    list.push((g.add(slope, y), "y - R*theta*sin(alpha)", "y − R·θ·sin(α)"));
    let sum = g.add(theta, y);
    let quotient = g.product(half, &[(sum, 1), (m, -1)]);
    list.push((quotient, "(theta + y)/(2*m)", "(θ + y)/(2·m)"));
    let third = g.product(Number::ratio(2, 3).unwrap(), &[(y, 1)]);
    list.push((third, "2*y/3", "2·y/3"));
    list.push((g.product(Number::decimal("0.1").unwrap(), &[(y, 1)]), "0.1*y", "0.1·y"));
    list.push((g.number(Number::decimal("0.25").unwrap()), "0.25", "0.25"));
    list.push((g.number(Number::ratio(-1, 3).unwrap()), "-1/3", "−1/3"));
    list.push((g.number(Number::decimal("1e-9").unwrap()), "1e-9", "1e-9"));
    let ss = g.integer_power(s, 2);
    list.push((g.subtract(Id::ONE, ss), "1 - sin(theta)^2", "1 − sin²(θ)"));
    let inverse = g.integer_power(sum, -2);
    list.push((inverse, "1/(theta + y)^2", "1/(θ + y)²"));
    let minus_sum = g.negate(sum);
    list.push((minus_sum, "-(theta + y)", "−(θ + y)"));
    list.push((g.multiply(minus_sum, c), "-(theta + y)*cos(theta)", "−(θ + y)·cos(θ)"));
    let exponent = g.number(Number::ratio(1, 3).unwrap());
    let power = g.power(y, exponent);
    list.push((power, "y^(1/3)", "y^(1/3)"));
    list.push((g.power(power, theta), "(y^(1/3))^theta", "(y^(1/3))^θ"));
    let root = g.call(Function::Sqrt, y);
    list.push((g.integer_power(root, 3), "sqrt(y)^3", "(√y)³"));
    list.push((g.subtract(x3, sum), "x[3] - (theta + y)", "x₃ − (θ + y)"));
    list.push((g.add(a3, v3), "x[3]'' + x[3]'", "ẍ₃ + ẋ₃"));
    list.push((g.multiply(mu, px), "mu_k*p.x", "μₖ·p.x"));
    list.push((g.multiply(swing, phi), "phi_k*theta''", "φₖ·θ̈"));
    let less = g.compare(Relation::Less, y, theta);
    let not = g.not(less);
    let at_most = g.compare(Relation::LessEqual, theta, m);
    let either = g.or(less, at_most);
    let both = g.and(either, not);
    list.push((
        g.select(both, theta, y),
        "if((y < theta or theta <= m) and not y < theta, theta, y)",
        "if((y < θ or θ ≤ m) and not y < θ, θ, y)",
    ));
    list.push((g.multiply(less, y), "y*if(y < theta, 1, 0)", "y·if(y < θ, 1, 0)"));
    let table = g.add_table(Table::new(vec![0.0, 1.0, 3.0], vec![0.0, 2.0, 1.0]).unwrap());
    list.push((g.table(table, 1, y), "table1'(y)", "table₁′(y)"));
    let pi = g.pi();
    list.push((g.product(Number::integer(2), &[(pi, 1), (y, 1)]), "2*pi*y", "2·π·y"));
    let force = g.symbol(Symbol::Multiplier(0));
    list.push((g.call2(Function::Max, force, y), "max(multiplier(rod), y)", "max(λ_rod, y)"));
    list.push((g.call(Function::Abs, y), "abs(y)", "|y|"));
    list
}

#[test]
fn text_and_unicode_read_as_written_by_hand() {
    let mut g = Graph::new();
    for (id, text, unicode) in examples(&mut g) {
        assert_eq!(print(&g, id, Notation::Text), text);
        assert_eq!(print(&g, id, Notation::Unicode), unicode);
    }
}

#[test]
fn latex_is_balanced_and_as_expected() {
    let mut g = Graph::new();
    let examples = examples(&mut g);
    let latex: Vec<String> = examples.iter().map(|&(id, ..)| print(&g, id, Notation::Latex)).collect();
    for expected in [
        "m g \\sin \\theta",
        "\\frac{(m R^{2} + \\mathrm{Ic}) \\dot{\\theta}^{2}}{2}",
        "\\ddot{x}_{3} + \\dot{x}_{3}",
        "1 - \\sin^{2} \\theta",
        "\\frac{1}{(\\theta + y)^{2}}",
        "\\sqrt{y}^{3}",
        "\\mu_{k} x_{p}",
    ] {
        assert!(latex.iter().any(|text| text == expected), "{expected} is not in {latex:#?}");
    }
    for text in &latex {
        assert_eq!(text.matches('{').count(), text.matches('}').count(), "{text}");
        assert_eq!(text.matches("\\left").count(), text.matches("\\right").count(), "{text}");
    }
}

#[test]
fn mathml_is_well_formed() {
    let mut g = Graph::new();
    for (id, ..) in examples(&mut g) {
        let text = print(&g, id, Notation::MathMl);
        let mut open: Vec<&str> = Vec::new();
        for tag in text.split('<').skip(1) {
            let (tag, after) = tag.split_once('>').expect("a tag that ends");
            assert!(!after.contains('>'), "{text}");
            let word = tag.split(' ').next().unwrap();
            match word.strip_prefix('/') {
                Some(closed) => assert_eq!(open.pop(), Some(closed), "{text}"),
                None if tag.ends_with('/') => {}
                None => open.push(word),
            }
        }
        assert!(open.is_empty(), "{text}");
    }
    let (omega, m) = (g.symbol(Symbol::Velocity(2)), g.symbol(Symbol::Parameter(0)));
    let quotient = g.divide(omega, m);
    assert_eq!(
        print(&g, quotient, Notation::MathMl),
        "<mfrac><msub><mover accent=\"true\"><mi>x</mi><mo>˙</mo></mover><mn>3</mn></msub><mi>m</mi></mfrac>"
    );
}

#[test]
fn shared_and_deep_expressions_are_cut_into_named_parts() {
    let mut g = Graph::new();
    let (y, theta) = (g.symbol(Symbol::Position(1)), g.symbol(Symbol::Position(0)));
    let mut id = y;
    for _ in 0..200 {
        let sum = g.add(id, theta);
        let product = g.multiply(sum, id);
        id = g.add(product, y);
    }
    let style = Style::new(Notation::Text, &name);
    let printed = g.print_with_names(&[id, y], &style, 60);
    assert!(printed.definitions.len() > 50 && printed.definitions.len() <= 400);
    assert!(printed.definitions.iter().all(|(_, text)| text.len() < 300));
    assert_eq!(printed.definitions[0].0, "x1");
    assert_eq!(printed.expressions[1], "y");
    let all = g.print(id, &style);
    assert!(all.len() < 500_000 && all.contains(" where x1 = "));
    for _ in 0..20_000 {
        id = g.call(Function::Sin, id);
    }
    for notation in [Notation::Text, Notation::Unicode, Notation::Latex, Notation::MathMl] {
        g.print(id, &Style::new(notation, &name));
    }
    function(&g, &[id], Language::C, "deep", &name);
}

#[test]
fn small_matrices_are_laid_out_and_large_ones_listed() {
    let mut g = Graph::new();
    let (m, r) = (g.symbol(Symbol::Parameter(0)), g.symbol(Symbol::Parameter(2)));
    let inertia = g.product(Number::ONE, &[(m, 1), (r, 2)]);
    let names = ["theta".to_string(), "y".to_string()];
    let matrix =
        MatrixFormula { label: "M", rows: &names, columns: &names, entries: &[inertia, Id::ZERO, Id::ZERO, m] };
    let style = Style::new(Notation::Text, &name);
    assert_eq!(matrix.print(&g, &style), "#     theta  y\nM = [[m*R^2, 0], # theta\n     [0,     m]] # y\n");
    let many: Vec<String> = (1..=20).map(|index| format!("x[{index}]")).collect();
    let entries: Vec<Id> = (0..400).map(|index| if index % 21 == 0 { m } else { Id::ZERO }).collect();
    let matrix = MatrixFormula { label: "M", rows: &many, columns: &many, entries: &entries };
    let text = matrix.print(&g, &style);
    assert_eq!(text.lines().count(), 20);
    assert!(text.starts_with("M[x[1], x[1]] = m\nM[x[2], x[2]] = m\n"));
    assert!(matrix.print(&g, &Style::new(Notation::Latex, &name)).contains("\\begin{array}"));
}

/// Everything that can occur, as a function that a compiler takes without a warning and that computes what
/// [`Graph::evaluate`] does.
#[test]
fn code_computes_the_same() {
    let mut g = Graph::new();
    let mut outputs: Vec<Id> = examples(&mut g).into_iter().map(|(id, ..)| id).collect();
    let x = g.symbol(Symbol::Position(0));
    let half = g.number(Number::ratio(1, 2).unwrap());
    for f in Function::ALL {
        let third = g.product(Number::ratio(1, 3).unwrap(), &[(x, 1)]);
        outputs.push(if f.arity() == 1 { g.call(f, third) } else { g.call2(f, third, half) });
    }
    let sum = g.add(x, half);
    for exponent in [-7, -3, -1, 2, 4, 9] {
        outputs.push(g.integer_power(sum, exponent));
    }
    for order in 0..4 {
        for at in [-1, 0, 1, 4] {
            let shifted = g.sum_with(Number::integer(at), &[(Number::ONE, x)]);
            outputs.push(g.table(0, order, shifted));
        }
    }
    let negative = g.negate(x);
    let two = g.integer(2);
    outputs.push(g.power(two, negative));
    let value = |symbol: Symbol| match symbol {
        Symbol::Time => 0.3,
        Symbol::Parameter(index) => 0.5 + f64::from(index),
        Symbol::Position(index) => 0.7 + 0.1 * f64::from(index),
        Symbol::Velocity(index) => 0.2 - 0.3 * f64::from(index),
        _ => 1.1,
    };
    let expected = g.evaluate(&outputs, value);
    let folder = std::env::temp_dir().join(format!("holonom-code-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let list =
        |make: &dyn Fn(u32) -> f64| (0..6).map(|index| format!("{:?}", make(index))).collect::<Vec<_>>().join(", ");
    let (q, v) = (list(&|i| value(Symbol::Position(i))), list(&|i| value(Symbol::Velocity(i))));
    let (p, a) = (list(&|i| value(Symbol::Parameter(i))), list(&|_| 1.1));
    let count = outputs.len();
    let rust = function(&g, &outputs, Language::Rust, "all", &name)
        + &format!(
            "\nfn main() {{\n    let mut out = [0.0; {count}];\n    \
             all(0.3, &[{q}], &[{v}], &[{p}], &[{a}], &[1.1], &mut out).expect(\"a value\");\n    \
             for value in out {{\n        println!(\"{{value:e}}\");\n    }}\n}}\n"
        );
    let c = function(&g, &outputs, Language::C, "all", &name)
        + &format!(
            "\n#include <stdio.h>\nint main(void) {{\n    double q[] = {{{q}}}, v[] = {{{v}}}, p[] = {{{p}}}, a[] = {{{a}}}, \
             l[] = {{1.1}}, out[{count}];\n    all(0.3, q, v, p, a, l, out);\n    \
             for (int i = 0; i < {count}; i++) printf(\"%.17g\\n\", out[i]);\n}}\n"
        );
    let binary = folder.join("program");
    for (file, text, compiler, arguments) in [
        ("all.rs", rust, "rustc", ["--edition=2021", "-Dwarnings", "-Cdebuginfo=0"]),
        ("all.c", c, "cc", ["-std=c99", "-Wall", "-Werror"]),
    ] {
        let path = folder.join(file);
        std::fs::write(&path, text).unwrap();
        let mut command = std::process::Command::new(compiler);
        command.args(arguments).arg(&path).arg("-o").arg(&binary);
        if compiler == "cc" {
            command.arg("-lm");
        }
        // Where there is no compiler there is nothing to compare.
        let Ok(made) = command.output() else { continue };
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let printed = std::process::Command::new(&binary).output().unwrap();
        let values: Vec<f64> = String::from_utf8_lossy(&printed.stdout)
            .lines()
            .map(|line| {
                line.trim_start_matches('-')
                    .to_lowercase()
                    .parse::<f64>()
                    .map_or(f64::NAN, |x| if line.starts_with('-') { -x } else { x })
            })
            .collect();
        assert_eq!(values.len(), count);
        for (index, (&found, &wanted)) in values.iter().zip(&expected).enumerate() {
            let close = (found - wanted).abs() <= 1e-13 * (1.0 + wanted.abs());
            assert!(close || (found.is_nan() && wanted.is_nan()), "{compiler}, output {index}: {found} for {wanted}");
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
}

/// Fractions that arise from halving stay fractions before what they multiply; decimals stay decimals.
#[test]
fn sixteenths_are_fractions() {
    let mut graph = Graph::new();
    let x = graph.symbol(Symbol::Position(0));
    let name = |_| "x".to_string();
    for (num, den, text) in
        [(1, 16, "x/16"), (1, 2, "x/2"), (1, 5, "0.2*x"), (3, 16, "3*x/16"), (3, 4, "3*x/4"), (1, 3, "x/3")]
    {
        let number = Number::ratio(num, den).expect("not zero");
        let product = graph.product(number, &[(x, 1)]);
        assert_eq!(graph.print(product, &Style::new(Notation::Text, &name)), text);
    }
}
