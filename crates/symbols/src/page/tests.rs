use super::{Equation, Page, Rich};
use crate::expr::{Formula, Function, Graph, Id, Names, Number, Relation, Symbol, Table};
use holonom_testing::bytes;

fn symbol_name(symbol: Symbol) -> String {
    let coordinate = |index: u32| ["theta", "y", "x[3]", "p.x", "phi_k"][index as usize % 5];
    match symbol {
        Symbol::Time => "t".to_string(),
        Symbol::Parameter(index) => {
            ["m1", "g", "R", "Ic", "alpha", "mu_k", "漢", "größe"][index as usize % 8].to_string()
        }
        Symbol::Position(index) => coordinate(index).to_string(),
        Symbol::Velocity(index) => format!("{}'", coordinate(index)),
        Symbol::Acceleration(index) => format!("{}''", coordinate(index)),
        Symbol::Multiplier(_) => "multiplier(rod)".to_string(),
        _ => "other".to_string(),
    }
}

fn formula(graph: &Graph, id: Id) -> Formula {
    graph.formula(id, &Names::new(&symbol_name))
}

/// What a formula looks like on a terminal of 60 columns.
fn drawn(formula: Formula) -> String {
    let mut page = Page::new();
    page.equation(Equation::alone(formula));
    let text = page.unicode(60, false);
    text.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn fractions_roots_and_powers_in_two_dimensions() {
    let mut g = Graph::new();
    let [m, gravity, r, ..] = [0, 1, 2, 3].map(|index| g.symbol(Symbol::Parameter(index)));
    let (theta, y) = (g.symbol(Symbol::Position(0)), g.symbol(Symbol::Position(1)));
    let omega = g.symbol(Symbol::Velocity(0));
    let sine = g.call(Function::Sin, theta);
    let fall = g.product(Number::MINUS_ONE, &[(gravity, 1), (sine, 1), (r, -1)]);
    assert_eq!(drawn(formula(&g, fall)), "  g sin θ\n− ───────\n     R");
    let squares = [g.integer_power(theta, 2), g.integer_power(y, 2)];
    let sum = g.add(squares[0], squares[1]);
    let root = g.call(Function::Sqrt, sum);
    assert_eq!(drawn(formula(&g, root)), " _______\n√θ² + y²");
    let ratio = g.divide(m, root);
    assert_eq!(drawn(formula(&g, ratio)), "   m₁\n────────\n _______\n√θ² + y²");
    let tall = g.call(Function::Sqrt, ratio);
    assert_eq!(drawn(formula(&g, tall)), "     ________\n    ╱   m₁\n   ╱ ────────\n  ╱   _______\n╲╱   √θ² + y²");
    let inner = g.add(ratio, omega);
    let square = g.integer_power(inner, 2);
    assert_eq!(drawn(formula(&g, square)), "⎛       m₁   ⎞²\n⎜θ̇ + ────────⎟\n⎜     _______⎟\n⎝    √θ² + y²⎠");
    let third = g.number(Number::ratio(1, 3).unwrap());
    let power = g.power(y, third);
    assert_eq!(drawn(formula(&g, power)), " 1/3\ny");
    let small = g.number(Number::decimal("2.5e-9").unwrap());
    let product = g.multiply(small, sine);
    assert_eq!(drawn(formula(&g, product)), "2.5·10⁻⁹ sin θ");
}

/// sin θ (a + b) would be read as the sine of a product.
#[test]
fn functions_lose_their_parentheses_only_where_nothing_is_mistaken() {
    let mut g = Graph::new();
    let (theta, y) = (g.symbol(Symbol::Position(0)), g.symbol(Symbol::Position(1)));
    let (s, c) = (g.call(Function::Sin, theta), g.call(Function::Cos, y));
    let product = g.multiply(s, c);
    assert_eq!(drawn(formula(&g, product)), "sin θ cos y");
    let third = g.number(Number::ratio(1, 3).unwrap());
    let sum = g.add(theta, y);
    let power = g.power(sum, third);
    let product = g.multiply(s, power);
    let text = drawn(formula(&g, product));
    assert!(text.ends_with("sin(θ) (θ + y)") || text.ends_with("(θ + y)  sin θ"), "{text}");
    let sine = g.call(Function::Sin, sum);
    assert_eq!(drawn(formula(&g, sine)), "sin(θ + y)");
}

#[test]
fn choices_have_a_brace_and_matrices_brackets() {
    let mut g = Graph::new();
    let (theta, y) = (g.symbol(Symbol::Position(0)), g.symbol(Symbol::Position(1)));
    let less = g.compare(Relation::Less, y, theta);
    let choice = g.select(less, theta, Id::ONE);
    assert_eq!(drawn(formula(&g, choice)), "⎰θ  if y < θ\n⎱1  otherwise");
    let twice = g.scale(Number::integer(2), choice);
    assert_eq!(drawn(formula(&g, twice)), "2 ⎛⎰θ  if y < θ ⎞\n  ⎝⎱1  otherwise⎠");
    let entries = [theta, Id::ZERO, choice, y].map(|id| formula(&g, id));
    assert_eq!(
        drawn(Formula::name("M").equals(Formula::matrix(2, entries))),
        "    ⎡       θ        0 ⎤\nM = ⎢                  ⎥\n    ⎢ ⎰θ  if y < θ   y ⎥\n    ⎣ ⎱1  otherwise    ⎦"
    );
}

/// Sums with many terms, in all places, on a narrow terminal.
fn long(g: &mut Graph, terms: i64) -> Id {
    let (theta, y, m) = (g.symbol(Symbol::Position(0)), g.symbol(Symbol::Position(1)), g.symbol(Symbol::Parameter(0)));
    let mut sum = Vec::new();
    for index in 1..=terms {
        let scaled = g.scale(Number::integer(index), theta);
        let sine = g.call(Function::Sin, scaled);
        let power = g.integer_power(y, index as i32);
        sum.push((Number::ONE, g.product(Number::integer(index + 1), &[(sine, 1), (power, 1), (m, 1)])));
    }
    g.sum(&sum)
}

#[test]
fn nothing_is_wider_than_the_terminal() {
    let mut g = Graph::new();
    let sum = long(&mut g, 30);
    let m = g.symbol(Symbol::Parameter(0));
    let cosine = g.call(Function::Cos, m);
    let root = g.call(Function::Sqrt, sum);
    let fraction = g.divide(sum, m);
    let product = g.multiply(sum, cosine);
    let ratio = g.divide(product, root);
    let power = g.integer_power(sum, 3);
    let nested = g.add(ratio, power);
    let all: Vec<Formula> = [sum, root, fraction, product, ratio, nested].iter().map(|&id| formula(&g, id)).collect();
    let mut page = Page::new();
    page.text("words and more words to be wrapped ".repeat(10));
    page.equations(all.iter().map(|right| Equation::new(Formula::name("theta''"), right.clone()).numbered("5.39")));
    page.equation(Equation::new(Formula::name("M"), Formula::matrix(6, all)));
    for width in [40, 80, 120] {
        let text = page.unicode(width, false);
        for line in text.lines() {
            assert!(super::tile::columns(line) <= width, "{width}: {line}");
        }
        assert!(!text.contains(" \n"), "blanks at the end of a line");
    }
    assert!(page.unicode(80, false).contains("M₁₂ ="));
}

/// Formulas nested so deep: a continued fraction, a tower of powers, roots in roots, products in products.
fn nested(depth: usize) -> Page {
    let mut g = Graph::new();
    let (y, theta) = (g.symbol(Symbol::Position(1)), g.symbol(Symbol::Position(0)));
    let (mut continued, mut tower, mut roots, mut products) = (y, y, y, y);
    for _ in 0..depth {
        let sum = g.add(continued, theta);
        continued = g.divide(theta, sum);
        tower = g.power(y, tower);
        let sum = g.add(roots, theta);
        roots = g.call(Function::Sqrt, sum);
        let sum = g.add(products, theta);
        products = g.multiply(sum, y);
    }
    let mut page = Page::new();
    let names = Names::new(&symbol_name);
    let formulas = g.formulas(&[continued, tower, roots, products], &names, 1000);
    for (name, part) in formulas.definitions {
        page.equation(Equation::new(name, part));
    }
    page.equations(formulas.expressions.into_iter().map(Equation::alone));
    page
}

/// Work is in proportion to the depth: an attempt at every level, or a copy, would multiply it.
#[test]
fn any_nesting_takes_little_work() {
    let work = |depth: usize| {
        let page = nested(depth);
        let texts: [&dyn Fn() -> String; 5] =
            [&|| page.unicode(80, true), &|| page.unicode(20, false), &|| page.markdown(), &|| page.latex(), &|| {
                page.html()
            }];
        texts.map(|text| bytes(|| assert!(text().len() < 20_000_000)).1)
    };
    for (once, twice) in work(150).into_iter().zip(work(300)) {
        assert!(2 * twice <= 5 * once, "{once} bytes built, {twice} at twice the depth");
    }
}

/// Every kind of formula and text, with characters that mean something to somebody.
fn everything() -> Page {
    let mut g = Graph::new();
    let mut ids: Vec<Id> = Vec::new();
    let parameters: Vec<Id> = (0..8).map(|index| g.symbol(Symbol::Parameter(index))).collect();
    let (theta, y) = (g.symbol(Symbol::Position(0)), g.symbol(Symbol::Position(1)));
    ids.push(g.sum(&parameters.iter().map(|&id| (Number::ONE, id)).collect::<Vec<_>>()));
    ids.push(long(&mut g, 25));
    for function in Function::ALL {
        ids.push(if function.arity() == 1 { g.call(function, theta) } else { g.call2(function, theta, y) });
    }
    let half = g.number(Number::ratio(1, 2).unwrap());
    let ratio = g.divide(ids[0], theta);
    for function in Function::ALL {
        ids.push(if function.arity() == 1 { g.call(function, ratio) } else { g.call2(function, ratio, half) });
    }
    let less = g.compare(Relation::LessEqual, y, theta);
    let not = g.not(less);
    let both = g.and(less, not);
    let either = g.or(both, not);
    ids.push(g.select(either, ratio, y));
    ids.push(g.multiply(less, y));
    let table = g.add_table(Table::new(vec![0.0, 1.0, 3.0], vec![0.0, 2.0, 1.0]).unwrap());
    ids.push(g.table(table, 2, y));
    ids.push(g.power(ratio, theta));
    let long_fraction = g.divide(ids[1], ratio);
    ids.push(long_fraction);
    for symbol in [Symbol::Velocity(3), Symbol::Acceleration(2), Symbol::Multiplier(0), Symbol::Acceleration(4)] {
        ids.push(g.symbol(symbol));
    }
    let mut page = Page::new();
    page.heading(1, "Every kind & <some> 100% of it_ #1 {x} ~ ^ \\ $ \"quoted\"");
    page.heading(2, "M q̈ = Q + Aᵀλ");
    page.heading(3, "θ̇₁ ≤ 5° — M̄⁺ and K₁, x²³, ẍ, µ, größe, 漢字, ∀");
    page.text(
        Rich::from("with `code_of{it} | <b>` and **strong & mighty** text, inline ")
            .formula(formula(&g, ratio))
            .words("."),
    );
    page.equations(ids.iter().map(|&id| Equation::new(Formula::name("x_1"), formula(&g, id)).numbered("2005: 3_1")));
    page.equation(Equation::new(Formula::name("M"), Formula::matrix(2, ids[..4].iter().map(|&id| formula(&g, id)))));
    page.equation(Equation::new(Formula::name("Q"), Formula::vector(ids[..4].iter().map(|&id| formula(&g, id)))));
    let (a, m) = (Formula::name("A"), Formula::name("M"));
    let bar = m.clone().bar().pseudo_inverse();
    let projector =
        Formula::sum([Formula::name("I"), Formula::product([a.clone().pseudo_inverse(), a.clone()]).minus()]);
    page.equation(Equation::new(bar, Formula::product([projector, m.clone().hat().tilde()])).with_sign("≈"));
    page.equation(Equation::next(m.dot().dots().power(Formula::integer(-1).over(Formula::integer(2)))).with_sign("⊂"));
    page.equation(Equation::alone(Formula::row([Formula::words("for all"), a.transposed(), Formula::sign("→")])));
    page.list(["one".into(), Rich::from("two `2`")]);
    page.table(vec!["a|b".into(), "c".into()], vec![vec!["`m|n`".into(), "1 < 2".into()], vec!["x".into()]]);
    page.code("holo", "param m = 2 kg  # \\end{flushleft} ```\n\n    coord x_1: m\n");
    page.code("", "");
    page.note("a remark [with] *stars*");
    page
}

#[test]
fn html_is_well_formed_and_asks_for_nothing() {
    let text = everything().html();
    let mut open: Vec<&str> = Vec::new();
    for tag in text.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a tag that ends");
        let word = tag.split(' ').next().unwrap();
        match word.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed)),
            None if tag.ends_with('/') || word.starts_with('!') || word == "meta" => {}
            None => open.push(word),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    for outside in ["http:", "https:", "src=", "href=", "@import"] {
        assert!(!text.contains(outside), "{outside}");
    }
    // The font is in the page.
    assert!(text.matches("url(").count() == 1 && text.contains("url(data:font/woff2;base64,"));
    assert!(text.contains("<title>Every kind &amp; &lt;some&gt; 100% of it_"));
}

/// However long sums, products, fractions and functions are, no piece is wider than asked for, but for the signs at its ends;
/// and every name stands as often in the pieces as in the whole.
#[test]
fn long_formulas_come_in_narrow_pieces() {
    let letter = |index: usize| Formula::name(["a", "b", "c", "d", "e", "f"][index % 6]);
    let product = |index: usize| Formula::product((0..4).map(|k| letter(index + k)));
    let sum = |terms: usize| Formula::sum((0..terms).map(product));
    let long = [
        sum(30),
        sum(30).minus(),
        sum(30).over(sum(2)),
        sum(30).over(sum(30)),
        sum(2).over(sum(30)),
        Formula::product([sum(20), letter(1), sum(20)]),
        Formula::product((0..80).map(letter)),
        sum(20).power(Formula::integer(2)),
        sum(20).root(),
        Formula::row([sum(9), Formula::sign("="), sum(9), Formula::sign("="), letter(0)]),
        Formula::sum([letter(1), Formula::product([letter(2), sum(12).over(sum(3))]).minus()]),
    ];
    let names =
        |text: &str| ["a", "b", "c", "d", "e", "f"].map(|name| text.matches(&format!("<mi>{name}</mi>")).count());
    for formula in long {
        let widths = super::layout::widths(&formula);
        for limit in [28, 84] {
            let flow = super::flow::flow(&formula, limit, &widths);
            assert!(flow.widest() <= limit + 8, "{} columns of {limit}", flow.widest());
            let (apart, whole) = (flow.html(), formula.print(crate::expr::Notation::MathMl));
            assert_eq!(names(&apart), names(&whole));
            let brackets = |open: bool| apart.matches(if open { ">(</mo>" } else { ">)</mo>" }).count();
            assert_eq!(brackets(true), brackets(false), "{apart}");
        }
    }
}

#[test]
fn markdown_keeps_what_is_typed() {
    let text = everything().markdown();
    assert!(text.contains("``` ` ```") || text.contains("````holo\n"), "a fence longer than the one inside");
    assert!(text.contains("Every kind & \\<some\\> 100% of it\\_ \\#1"));
    assert_eq!(text.matches("$$").count() % 2, 0);
    assert!(text.contains("\\begin{aligned}") && !text.contains("\\tag{2005: 3_1}"));
}

/// A tool, or nothing where it is absent and nobody insists on it.
fn tool(name: &str) -> Option<std::process::Command> {
    let found = std::process::Command::new(name).arg("--version").output().is_ok();
    let required = std::env::var_os("HOLONOM_REQUIRE_TOOLS").is_some();
    assert!(found || !required, "`{name}` is not there; .ci/setup installs it");
    if !found {
        eprintln!("skipped: `{name}` is not there");
    }
    found.then(|| std::process::Command::new(name))
}

#[test]
fn latex_compiles() {
    let Some(mut command) = tool("pdflatex") else { return };
    let folder = std::env::temp_dir().join(format!("holonom-page-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("page.tex"), everything().latex()).unwrap();
    let made = command.args(["-interaction=nonstopmode", "-halt-on-error", "page.tex"]).current_dir(&folder).output();
    let said = String::from_utf8_lossy(&made.unwrap().stdout).into_owned();
    let problem = said.lines().skip_while(|line| !line.starts_with('!')).take(8).collect::<Vec<_>>().join("\n");
    assert!(problem.is_empty() && folder.join("page.pdf").exists(), "{problem}");
    // Lines that stick out by more than an eighth of the page would be cut off.
    for line in said.lines().filter(|line| line.starts_with("Overfull \\hbox")) {
        let points: f64 = line.split(['(', 'p']).nth(1).and_then(|points| points.parse().ok()).unwrap_or(0.0);
        assert!(points < 60.0, "{line}");
    }
    let _ = std::fs::remove_dir_all(&folder);
}
