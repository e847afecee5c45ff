use super::identifier::Identifiers;
use super::{Language, expression, function};
use crate::expr::graph::{Graph, Symbol};

#[test]
fn names_become_identifiers_that_nobody_else_has() {
    let names = ["theta[3]'", "p.x", "lambda", "q", "größe", "m1", "m_1", "x_1", "x[1]", "_", "θ", "theta", "2nd"];
    let mut identifiers = Identifiers::new(["q".to_string()]);
    let symbols: Vec<Symbol> = (0..names.len() as u32).map(Symbol::Parameter).collect();
    let name = |symbol: Symbol| match symbol {
        Symbol::Parameter(index) => names[index as usize].to_string(),
        _ => String::new(),
    };
    identifiers.add(symbols.iter().copied(), &name);
    let found: Vec<String> = symbols.iter().map(|&symbol| identifiers.get(symbol)).collect();
    let expected =
        ["theta_3_dot", "p_x", "lambda_", "q_", "gruf6udfe", "m1", "m1_", "x1", "x_1", "n_", "theta", "theta_", "n2nd"];
    assert_eq!(found, expected);
    assert_eq!(identifiers.get(Symbol::Time), "t");
    assert_eq!(identifiers.prefix(), "s");
}

#[test]
fn exact_numbers_stay_exact_where_there_are_symbols() {
    let mut g = Graph::new();
    let x = g.symbol(Symbol::Position(0));
    let third = crate::expr::Number::ratio(1, 3).unwrap();
    let product = g.product(third, &[(x, 2)]);
    let name = |_| "x".to_string();
    let code = |language| expression(&g, product, language, &name).1;
    assert_eq!(code(Language::SymPy), "sp.Rational(1, 3) * x ** 2");
    assert_eq!(code(Language::Python), "0.3333333333333333 * x * x");
    assert!(
        function(&g, &[product], Language::Python, "f", &name)
            .contains("    out = [\n        0.3333333333333333 * q[0] * q[0],\n    ]\n")
    );
}
