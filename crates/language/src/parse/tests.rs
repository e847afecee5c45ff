//! What the parser makes of texts, good and bad.

use super::*;
use crate::syntax::{ExprKind, ProductOp, SumOp};

mod bodies;

/// The expression with a bracket around everything that was joined.
fn show(expr: &Expr) -> String {
    let list = |all: &[Expr]| all.iter().map(show).collect::<Vec<_>>().join(" ");
    match &expr.kind {
        ExprKind::Number(text) | ExprKind::Name(text) => text.clone(),
        ExprKind::Quantity(text, unit) => {
            let factors: Vec<_> = unit.factors.iter().map(|f| format!("{}^{}", f.name.text, f.power)).collect();
            format!("{text}[{}]", factors.join(" "))
        }
        ExprKind::Index(inner, indices) => format!("(at {} {})", show(inner), list(indices)),
        ExprKind::Member(inner, name) => format!("(. {} {})", show(inner), name.text),
        ExprKind::Prime(inner, primes) => format!("(d{primes} {})", show(inner)),
        ExprKind::Call(name, arguments) => format!("({} {})", name.text, list(arguments)),
        ExprKind::Apply(callee, arguments) => format!("(apply {} {})", show(callee), list(arguments)),
        ExprKind::On(point, body) => format!("(on {} {})", show(point), show(body)),
        ExprKind::Power(base, exponent) => format!("(^ {} {})", show(base), show(exponent)),
        ExprKind::Negate(inner) => format!("(- {})", show(inner)),
        ExprKind::Product(first, rest) => {
            let rest =
                rest.iter().map(|(op, e)| format!("{}{}", if *op == ProductOp::Times { "*" } else { "/" }, show(e)));
            format!("({}{})", show(first), rest.collect::<String>())
        }
        ExprKind::Sum(first, rest) => {
            let rest = rest.iter().map(|(op, e)| format!("{}{}", if *op == SumOp::Plus { "+" } else { "-" }, show(e)));
            format!("({}{})", show(first), rest.collect::<String>())
        }
        ExprKind::Total(total) => {
            let binders = total
                .binders
                .iter()
                .map(|b| format!("{} {} {};", b.name.as_ref().map_or("_", |n| &n.text), show(&b.from), show(&b.to)));
            let condition = total.condition.as_ref().map_or(String::new(), show);
            format!("(sum {}{condition} {})", binders.collect::<String>(), show(&total.body))
        }
        ExprKind::Compare(op, left, right) => format!("({op:?} {} {})", show(left), show(right)),
        ExprKind::Not(inner) => format!("(not {})", show(inner)),
        ExprKind::And(all) => format!("(and {})", list(all)),
        ExprKind::Or(all) => format!("(or {})", list(all)),
        ExprKind::Paren(inner) => show(inner),
        ExprKind::Tuple(all) => format!("<{}>", list(all)),
        ExprKind::List(all) => format!("[{}]", list(all)),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::Broken => "broken".into(),
    }
}

fn read(text: &str) -> String {
    let (expr, errors) = parse_expression(FileId(0), text, 0);
    assert!(errors.is_empty(), "{text}: {errors:#?}");
    show(&expr.unwrap())
}

/// The codes of the errors of a text, in order.
fn codes(text: &str) -> Vec<&'static str> {
    parse(FileId(0), text).1.into_iter().map(|error| error.code).collect()
}

fn accepted(text: &str) -> Document {
    let (document, errors) = parse(FileId(0), text);
    assert!(errors.is_empty(), "{text}\n{errors:#?}");
    document
}

#[test]
fn precedence_is_that_of_the_page() {
    for (text, meant) in [
        ("-x^2", "(- (^ x 2))"),
        ("x'^2", "(^ (d1 x) 2)"),
        ("2^-3", "(^ 2 (- 3))"),
        ("2^-3^2", "(^ 2 (- (^ 3 2)))"),
        ("a^b^c", "(^ a (^ b c))"),
        ("1/2*m", "(1/2*m)"),
        ("a - b + c*d/e", "(a-b+(c*d/e))"),
        ("-a*b", "((- a)*b)"),
        ("a*-b", "(a*(- b))"),
        ("- -a", "(- (- a))"),
        ("+a", "a"),
        ("(x*y)''", "(d2 (x*y))"),
        ("x[i]'", "(d1 (at x i))"),
        ("p[i, j].x'", "(d1 (. (at p i j) x))"),
        ("pin.1", "(. pin 1)"),
        ("arm.e(2)", "(arm.e 2)"),
        ("e(a)'^2", "(^ (d1 (e a)) 2)"),
        ("not a < b and c or d", "(or (and (not (Less a b)) c) d)"),
        ("a + 1 <= b - 1", "(LessEqual (a+1) (b-1))"),
        ("(a, b)", "<a b>"),
        ("[[m, 0], [0, m]]", "[[m 0] [0 m]]"),
        ("sin(2*x)^2", "(^ (sin (2*x)) 2)"),
        ("if(x > 0, 1, -1)", "(if (Greater x 0) 1 (- 1))"),
        ("energy()", "(energy )"),
        (
            "sum(i in 1..N, j in 1..N-1 where j /= i, x[i]*x[j])",
            "(sum i 1 N;j 1 (N-1);(NotEqual j i) ((at x i)*(at x j)))",
        ),
        ("sum(i in 1..N where i = 2 or not i == j, 1)", "(sum i 1 N;(or (Equal i 2) (not (Equal i j))) 1)"),
        ("a − b ≤ µ", "(LessEqual (a-b) μ)"),
    ] {
        assert_eq!(read(text), meant, "{text}");
    }
}

#[test]
fn a_unit_is_the_longest_run_of_unit_names_after_a_blank() {
    for (text, meant) in [
        ("2 m", "2[m^1]"),
        ("0.25 kg*m^2", "0.25[kg^1 m^2]"),
        ("9.81 m/s^2", "9.81[m^1 s^-2]"),
        ("3 1/s", "3[s^-1]"),
        ("3 1/s^2/m", "3[s^-2 m^-1]"),
        ("1 m^-1", "1[m^-1]"),
        ("20 %", "20[%^1]"),
        ("20%", "20[%^1]"),
        ("-2 m", "(- 2[m^1])"),
        ("2 m*(x + 1)", "(2[m^1]*(x+1))"),
        ("2 m * R", "(2[m^1]*R)"),
        ("x*2 kg + 3 N", "((x*2[kg^1])+3[N^1])"),
        ("m*g", "(m*g)"),
        ("2*m", "(2*m)"),
        ("tan(30 deg)", "(tan 30[deg^1])"),
        ("(2 m)/s", "(2[m^1]/s)"),
    ] {
        assert_eq!(read(text), meant, "{text}");
    }
    for (text, code) in [
        ("2 m*R", "mixed-unit"),
        ("9.81 m/s^2*x'", "mixed-unit"),
        ("2 m*sin(x)", "mixed-unit"),
        ("2 x", "missing-operator"),
        ("2x", "missing-operator"),
        ("2m", "missing-operator"),
        ("30deg", "missing-operator"),
        ("1_000", "missing-operator"),
        ("2 m'", "missing-operator"),
        ("2 Kg", "unknown-unit"),
        ("3 seconds", "unknown-unit"),
        ("2 kg * m", "unit-blank"),
        ("2 kg m", "unit-blank"),
        ("2 m ^2", "unit-blank"),
        ("2 m^0.5", "unit-power"),
        ("2 m^n", "unit-power"),
        ("2 m^99", "unit-power"),
        ("2 kg/(m*s)", "unit-parentheses"),
        ("2(x + 1)", "missing-operator"),
    ] {
        let (_, errors) = parse_expression(FileId(0), text, 0);
        assert_eq!(errors.iter().map(|error| error.code).collect::<Vec<_>>(), [code], "{text}");
    }
}

#[test]
fn models_of_the_pages_are_read() {
    for text in [
        include_str!("../../../holonom/tests/models/wheel.holo"),
        include_str!("../../../holonom/tests/models/rough_incline.holo"),
        include_str!("../../../holonom/tests/models/wheel_diagnosis.holo"),
        include_str!("../../../holonom/tests/models/incline_style.holo"),
        include_str!("../../../holonom/tests/models/incline_before.holo"),
        include_str!("../../../holonom/tests/models/undetermined.holo"),
    ] {
        let document = accepted(text);
        assert!(document.statements.len() >= 4);
        let broken = |statement: &Statement| matches!(statement.kind, StatementKind::Broken);
        assert!(!document.statements.iter().any(broken), "{text}");
    }
}

#[test]
fn every_statement_is_read() {
    let text = "
title   A title, with a comma; and more # and a comment
  that goes on
param   m = 2 kg, k[i in 1..N] = 3*i, L[1..N where N > 2] = 1 m, N = 4, mu = 20 %
coord   x[1..N]: m, y[i in 1..N]: m, theta, w: 1/s, z: 1
let     e(a, b) = (cos(a), sin(b)), p[i in 1..N] = p[i-1] + e(x[i], 0), q[0] = 0
table   f = \"f.csv\", degree = 1, h = \"h.csv\"
kinetic m*x[1]'^2/2, m*theta'^2/2
potential sum(i in 1..N, m*g*y[i])
lagrangian m*theta'^2/2
dissipation c*theta'^2/2
gravity (0, -g)
particle a: m at (x[1], y[1]), b[i in 1..N]: 2 kg in plane, c: 0 in space
function g(t): m, F(x[1], x[1]', t)
mass    [[m, 0], [0, m]]
force   theta: -k*theta, a: (0, -1), b[i in 1..N]: (0, 1), (x[1] + 1, 0): (0, 1), arm.tip: (1, 0), a + (1, 0): (0, 1)
force   [0, 1]
constraint unit: x[1]^2 + y[1]^2 = L^2
constraint rod[i in 1..N, j in 1..2 where i /= j]: norm(b[i] - b[j]) = L, off
constraint one: x[1] = 0, two: x[2] = 0, off
connect pin: arm.tip = base.pin
nonideal unit: [0, 1]
nonideal rod[i in 1..N] on b[i]: -b[i]'*multiplier(rod[i])
nonideal [0, 1]
friction plane: coulomb(mu), slip = x', normal = reaction(plane)
friction floor: f
hidden  find
free    x'' = 1, y[1]'' = 0
free    zero
start   x[i in 1..N] = i*1 m, theta' ~ 1, a = (1, 0), arm.q' = 2
assemble
run     until 10 s, every 0.5 s, at [0, 1, 2], method = stiff, rtol = 1e-10, drift = none
output  speed: norm(a'), E[i in 1..N]: x[i]
event   hit: y[1] < 0 and x[1] > 0 -> set y' = -r*y', record
event   top: y[1]' falls -> impact floor, restitution = r, drop rod[1], add unit, stop
expect  at start x'' = -g within 1e-9, constant energy(), x > 0, law[i in 1..N]: x[i] = 0, within 1e-6
draw    line p[1] (0, 1) p[2], color = red
draw[i in 1..N] point p[i]
part    arm = \"arm.holo\" with L = 2 m, m = 1
part    base[i in 1..2]
  title inner; words
  param L = 2,
     m = 3
  coord x
  part deep
    coord y
  start x = 1
";
    let document = accepted(text);
    assert_eq!(document.statements.len(), 39);
    let names: Vec<_> = document.statements.iter().map(|one| format!("{:?}", one.kind)).collect();
    let kinds: std::collections::BTreeSet<_> = names.iter().map(|name| name.split('(').next().unwrap_or("")).collect();
    assert_eq!(kinds.len(), 28, "{kinds:?}");
    let Some(StatementKind::Part(part)) = document.statements.last().map(|one| &one.kind) else { panic!() };
    let crate::syntax::PartSource::Inline(inner) = &part.source else { panic!() };
    assert_eq!(inner.len(), 5);
}

/// One mistake per text, and one message that names it.
#[test]
fn each_mistake_has_its_message() {
    let mut wrong = vec![];
    for (text, code) in [
        ("constrain c: x = 0", "unknown-statement"),
        ("parameter m = 2", "unknown-statement"),
        ("coordinate x", "unknown-statement"),
        ("Kinetic x'^2", "unknown-statement"),
        ("x = 3", "unknown-statement"),
        ("(x)", "unknown-statement"),
        ("import \"x.holo\"", "not-yet"),
        ("mass m = 2", "mass-matrix"),
        ("constraint y = x", "missing-constraint-name"),
        ("constraint (x, y) = (0, 0)", "missing-constraint-name"),
        ("constraint c: y == x", "double-equals"),
        ("constraint c: y > x", "inequality"),
        ("constraint c: y < x", "inequality"),
        ("constraint c: y /= x", "inequality"),
        ("constraint c: y = x >= 0", "inequality"),
        ("constraint c: y >= 0 and x >= 0", "inequality"),
        ("constraint c: 0 <= y <= 1", "chained-comparison"),
        ("connect c: y >= x", "inequality"),
        ("constraint c: y = x, restitution = 0.5", "unknown-option"),
        ("constraint c: y >= x, restitution 0.5", "missing-equals"),
        ("constraint c: y >= x, restitution", "missing-equals"),
        ("constraint c: y >= x, restitution: 0.5", "missing-equals"),
        ("friction c: coulomb mu", "missing-parentheses"),
        ("friction c: coulomb(mu = 0.3)", "unexpected-equals"),
        ("stop x: 0..1", "missing-range"),
        ("run until 10 step 0.1", "unknown-run-item"),
        ("coord x(t)", "unexpected-arguments"),
        ("coord x [m]", "missing-colon"),
        ("start x, y = 1, 0", "missing-equals"),
        ("kinetic x.^2", "missing-name"),
        ("potential 2*pi m/s", "missing-operator"),
        ("force x: if x > 0 then 1 else 0", "missing-parentheses"),
        ("force x: if x > 0", "missing-parentheses"),
        ("expect energy = constant", "missing-comparison"),
        ("constraint c: y >= x, e = 0.5", "unknown-option"),
        ("constraint c: y >= x, mu = 0.5", "unknown-option"),
        ("friction c: mu = 0.3", "unknown-law"),
        ("draw point if, color = grey", "missing-parentheses"),
        ("draw line if (0, 0)", "missing-parentheses"),
        ("particle p: in plane", "expected-expression"),
        ("particle p: at (x, y)", "expected-expression"),
        ("constraint c: y >= x, restituton = 0.5", "unknown-option"),
        ("constraint c: y >= x, restitution = 0.5, restitution = 1", "given-twice"),
        ("stop x in 0..1", "missing-constraint-name"),
        ("stop restitution = 1", "missing-constraint-name"),
        ("constraint restitution = 1", "missing-constraint-name"),
        ("constraint c: y >= x +, restitution = 1", "expected-expression"),
        ("stop s: x >= 0", "missing-range"),
        ("stop s: x in 0", "missing-range"),
        ("stop s: x in ..1", "expected-expression"),
        ("stop s.t: x in 0..1", "dotted-name"),
        ("event e: c lets -> stop", "unexpected-word"),
        ("event e: c lets fall -> stop", "unexpected-word"),
        ("constraint c: y = x = z", "chained-equation"),
        ("constraint c: y - x", "missing-equals"),
        ("constraint c.d: y = x", "dotted-name"),
        ("constraint c: y = x +", "expected-expression"),
        ("constraint c: = x", "expected-expression"),
        ("constraint c: y = (x", "unclosed-bracket"),
        ("constraint c: y = x)", "unmatched-bracket"),
        ("constraint c: y = x]", "unmatched-bracket"),
        ("constraint c: y = x**2", "power-sign"),
        ("constraint c: y = sin x", "missing-parentheses"),
        ("constraint c: y = x'''", "third-derivative"),
        ("constraint c: y = x'[1]", "index-after-prime"),
        ("constraint c: y = x[]", "missing-item"),
        ("constraint c: y = a b", "missing-operator"),
        ("constraint c: y = x[1..3]", "misplaced-range"),
        ("constraint c: y = sum(x)", "sum-without-index"),
        ("constraint c: y = sum(i in 3, x)", "missing-range"),
        ("constraint c[i in 3]: y = x", "missing-range"),
        ("constraint c[1][2]: y = x", "second-bracket"),
        ("constraint c: y = x.", "missing-name"),
        ("constraint c: y = x, of", "unknown-option"),
        ("event e: 0 < x < 1 -> stop", "chained-comparison"),
        ("event e: x = 0 -> stop", "equality-of-reals"),
        ("event e: x == 0 -> stop", "equality-of-reals"),
        ("event e: x -> stop", "missing-comparison"),
        ("event e: x < 0", "missing-arrow"),
        ("event e: x < 0 -> halt", "unknown-action"),
        ("event e: x < 0 -> stp", "unknown-action"),
        ("event x < 0 -> stop", "missing-colon"),
        ("param m", "missing-equals"),
        ("param m: 2", "missing-equals"),
        ("param m = 3,5", "decimal-comma"),
        ("param m = 2 kg g = 3", "missing-comma"),
        ("start x = 0 y' = 1", "missing-comma"),
        ("friction plane: coulomb(mu) slip = x'", "missing-comma"),
        ("kinetic 1/2 m v^2", "mixed-unit"),
        ("constraint rod norm(p) = L", "missing-colon"),
        ("expect x = 1 at start", "unexpected-word"),
        ("constraint c: y = x if t > 0", "unexpected-word"),
        ("part arm\n    coord x\n  coord y\n    kinetic x", "ragged-margin"),
        ("param m = 2,", "missing-item"),
        ("param m = ", "expected-expression"),
        ("param m' = 2", "primed-name"),
        ("param f(x) = 2", "unexpected-arguments"),
        ("param", "missing-item"),
        ("param a = 1 b = 2", "missing-comma"),
        ("coord x = 0", "coordinate-value"),
        ("function g", "arguments"),
        ("function g()", "arguments"),
        ("function g(t) = sin(t)", "unexpected-equals"),
        ("function g'(t)", "primed-name"),
        ("function g(t): furlong", "unknown-unit"),
        ("coord x m", "missing-colon"),
        ("coord x: Kg", "unknown-unit"),
        ("coord x: furlong", "unknown-unit"),
        ("coord x:", "expected-unit"),
        ("kinetic T = x'^2/2", "unexpected-equals"),
        ("gravity 0, -g", "missing-parentheses"),
        ("particle p: m", "missing-place"),
        ("particle p: m in line", "missing-place"),
        ("particle p at (x, y)", "missing-colon"),
        ("force F", "missing-colon"),
        ("force x = 2", "missing-colon"),
        ("nonideal (1, 2)", "missing-colon"),
        ("friction coulomb(mu)", "missing-colon"),
        ("hidden", "missing-item"),
        ("start x 2", "missing-equals"),
        ("free x'' ~ 2", "missing-equals"),
        ("run 10 s", "unknown-run-item"),
        ("run untill 10 s", "unknown-run-item"),
        ("output x", "missing-colon"),
        ("expect x", "missing-comparison"),
        ("table f = f.csv", "missing-path"),
        ("part arm", "empty-part"),
        ("part arm = arm.holo", "missing-path"),
        ("part arm\n  param m = 1\n\tcoord x", "mixed-indentation"),
        ("title", "missing-item"),
        ("assemble now", "missing-operator"),
        ("  param m = 2\n  coord x", "indented-start"),
        ("  param m = 2\ncoord x\nkinetic x", "indented-start"),
        ("coord x\n  kinetic x'^2/2", "indented-keyword"),
        ("coord x\n  assemble", "indented-keyword"),
        ("title Some words\n  param m = 2", "indented-keyword"),
        ("coord x\nx'' = 3", "unknown-statement"),
        ("kinetic a² + b", "paper-sign"),
        ("kinetic a ? b c d", "stray-character"),
    ] {
        let found = codes(text);
        if found != [code] {
            wrong.push((text, code, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(codes("param a = 1,\nb = 2"), ["missing-item", "unknown-statement"]);
}

#[test]
fn an_error_hides_no_other() {
    let text = "param a = , b = 2 x, c = (1, d = 3\ncoord x: Kg, y: m, z: sec\nconstrain c: x = 0\nconstraint y = = 2\nstart x = 1";
    assert_eq!(
        codes(text),
        [
            "expected-expression",
            "missing-operator",
            "unexpected-equals",
            "unknown-unit",
            "unknown-unit",
            "unknown-statement",
            "missing-constraint-name",
            "expected-expression"
        ]
    );
    let (document, _) = parse(FileId(0), text);
    let StatementKind::Coord(coords) = &document.statements[1].kind else { panic!() };
    assert_eq!(coords.len(), 1);
    assert!(matches!(document.statements[2].kind, StatementKind::Constraint(_)));
    assert!(matches!(document.statements[4].kind, StatementKind::Start(_)));
}

#[test]
fn suggestions_are_what_to_type() {
    for (text, right) in [
        ("constrain c: x = 0", "constraint c: x = 0"),
        ("constraint y = x", "constraint c1: y = x"),
        ("constraint c: y == x", "constraint c: y = x"),
        ("kinetic x**2", "kinetic x^2"),
        ("kinetic sin x", "kinetic sin(x)"),
        ("kinetic 2 x", "kinetic 2*x"),
        ("kinetic 2x", "kinetic 2*x"),
        ("kinetic 2 m*R", "kinetic (2 m)*R"),
        ("kinetic a b", "kinetic a*b"),
        ("kinetic x²", "kinetic x^2"),
        ("param m = 3,5", "param m = 3.5"),
        ("start x = 0 y = 1", "start x = 0, y = 1"),
        ("constraint rod norm(p) = L", "constraint rod: norm(p) = L"),
        ("kinetic ẋ^2", "kinetic x'^2"),
        ("kinetic 30deg", "kinetic 30 deg"),
        ("param m = 2 Kg", "param m = 2 kg"),
        ("param m: 2 kg", "param m = 2 kg"),
        ("coord x\n  kinetic x'^2", "coord x\nkinetic x'^2"),
        ("  coord x", "coord x"),
        ("event e: a < x < b -> stop", "event e: a < x and x < b -> stop"),
        ("constraint c: y - x", "constraint c: y - x = 0"),
    ] {
        let (_, errors) = parse(FileId(0), text);
        let suggestion = errors[0].suggestion.as_ref().unwrap_or_else(|| panic!("{text}: {errors:?}"));
        let mut corrected = text.to_string();
        corrected.replace_range(suggestion.span.start as usize..suggestion.span.end as usize, &suggestion.replacement);
        assert_eq!(corrected, right);
        accepted(right);
    }
}

#[test]
fn limits_are_kept() {
    for (open, close) in
        [("(", ")"), ("-", ""), ("2^", ""), ("[", "]"), ("sin(", ")"), ("not ", ""), ("x[", "]"), ("+", "")]
    {
        let deep = |count: usize| format!("kinetic {}x{}", open.repeat(count), close.repeat(count));
        assert_eq!(codes(&deep(100)), [] as [&str; 0], "{open}");
        assert_eq!(codes(&deep(100_000)), ["too-deep"], "{open}");
        assert_eq!(codes(&format!("kinetic {}", open.repeat(100_000))), ["too-deep"], "{open}");
    }
    let parts: String = (0..1000).map(|depth| format!("{}part p\n", " ".repeat(depth))).collect();
    assert_eq!(codes(&parts), ["too-deep"]);
    let many = codes(&"nonsense here\n".repeat(10_000));
    assert_eq!((many.len(), many.last()), (51, Some(&"too-many-errors")));
}

/// Twice the text is twice the work: tokens looked at, and bytes built.
#[test]
fn long_texts_take_linear_work() {
    let work = |text: &str| {
        cursor::looks::take();
        let (errors, built) = holonom_testing::bytes(|| codes(text));
        assert!(errors.len() <= 51);
        (cursor::looks::take(), built)
    };
    for (half, whole) in long_texts(1).iter().zip(long_texts(2)) {
        let ((looks, bytes), (all_looks, all_bytes)) = (work(half), work(&whole));
        let begin = &whole[..20];
        assert!(all_looks <= 2 * looks + 1_000, "{begin}: {looks} tokens looked at, {all_looks} in twice the text");
        // Lists double their room when they grow.
        assert!(10 * all_bytes <= 21 * bytes + 100_000, "{begin}: {bytes} bytes built, {all_bytes} for twice the text");
    }
}

/// Texts of one to eight million characters, times `size` over two.
fn long_texts(size: usize) -> [String; 24] {
    [
        format!("kinetic x{}", " + x".repeat(size * 200_000)),
        format!("kinetic x{}", "*x".repeat(size * 200_000)),
        format!("param a = 1{}", ", a = 1".repeat(size * 100_000)),
        format!("start x = 1{}", "\n".repeat(size * 2_000_000)),
        format!("force x: 1{}", ", x: 1".repeat(size * 100_000)),
        format!("kinetic 1 m{}", "*m".repeat(size * 150_000)),
        format!("kinetic x{}", " + x".repeat(size * 500_000)),
        format!("param a = {}", "2 x, ".repeat(size * 125_000)),
        "constraint x = = \n".repeat(size * 100_000),
        "x".repeat(size * 2_000_000),
        format!("kinetic {}", "x'".repeat(size * 200_000)),
        format!("kinetic {}", "x.".repeat(size * 200_000)),
        " (".repeat(size * 200_000),
        "? ".repeat(size * 200_000),
        "\n  kinetic x".repeat(size * 100_000),
        "param a = (\n".repeat(size * 100_000),
        format!("body a: rod(1) of 1{}", ", at P".repeat(size * 100_000)),
        format!("body a: rod(1) of 1, turned x by 1{}", ", then z by 2".repeat(size * 100_000)),
        format!("joint j: hinge(a, b){}", ", pitch = 2".repeat(size * 100_000)),
        format!("joint j: hinge(a, b), axis{}", " n".repeat(size * 100_000)),
        "damper x: c\njoint j: hinge a b\n".repeat(size * 50_000),
        format!("part a{}\n  coord x", ", at (0, 0)".repeat(size * 100_000)),
        format!("kinetic {}", "x[1](".repeat(size * 100_000)),
        format!("part a\n{}coord x\n{}", " ".repeat(size * 500_000), "  coord y\n".repeat(size * 50_000)),
    ]
}

/// Random text, random tokens and mutilated models: no panic, and every span lies within the text.
#[test]
fn nothing_panics() {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let pieces = [
        "param",
        "coord",
        "constraint",
        "part",
        "body",
        "frame",
        "joint",
        "drive",
        "spring",
        "torque",
        "rod(1)",
        "hinge(a, b)",
        "of",
        "from",
        "to",
        "on",
        "turned",
        "by",
        "then",
        "axis",
        "axes",
        "cut",
        "event",
        "draw",
        "title",
        "expect",
        "x",
        "m",
        "kg",
        "1",
        "2.5",
        "sum",
        "in",
        "where",
        "not",
        "and",
        "at",
        "(",
        ")",
        "[",
        "]",
        "'",
        "^",
        "*",
        "/",
        "+",
        "-",
        "=",
        "==",
        "<",
        ":",
        ",",
        ".",
        "..",
        "->",
        "~",
        "\"",
        "#",
        "\n",
        "\n  ",
        " ",
        "\t",
        "%",
        "é",
        "²",
        "\0",
        "θ̇",
        "\r",
        "off",
        "with",
    ];
    let models = [
        include_str!("../../../holonom/tests/models/wheel.holo"),
        include_str!("../../../holonom/tests/models/rough_incline.holo"),
        "part a\n  coord x[i in 1..N where i /= 2]: m\n  start x[1]' ~ 2\nevent e: x falls -> impact c, restitution = 1\n",
        "body a: rod(L) of 1 kg, from P to Q, up n\njoint j[i in 1..2]: hinge(a, b[i](0, 0, 1)), at P on a, axis x y, off\n",
        "part l = \"l.holo\" with m = 1, at P, turned z by 90 deg, then x by b\nspring s: distance(p, q), stiffness = 3\nfrom",
    ];
    for round in 0..6000 {
        let text: String = if round % 2 == 0 {
            (0..random(40))
                .map(|_| format!("{}{}", pieces[random(pieces.len())], if random(3) == 0 { "" } else { " " }))
                .collect()
        } else {
            let mut letters: Vec<char> = models[random(models.len())].chars().collect();
            for _ in 0..1 + random(6) {
                let (at, piece) = (random(letters.len()), pieces[random(pieces.len())]);
                let end = (at + random(4)).min(letters.len());
                letters.splice(at..end, piece.chars());
            }
            letters.into_iter().collect()
        };
        let (document, errors) = parse(FileId(0), &text);
        for error in &errors {
            let suggested = error.suggestion.as_ref().map(|suggestion| suggestion.span);
            for span in error.labels.iter().map(|label| label.span).chain(suggested) {
                assert!(text.get(span.start as usize..span.end as usize).is_some(), "{text:?} {error:?}");
            }
        }
        if errors.is_empty() {
            let broken = |one: &Statement| matches!(one.kind, StatementKind::Broken);
            assert!(!document.statements.iter().any(broken), "{text:?}");
        }
    }
}

#[test]
fn helpers_read_pieces() {
    let (expr, errors) = parse_expression(FileId(3), "2*x", 10);
    assert!(errors.is_empty());
    assert_eq!(expr.unwrap().span, Span::new(FileId(3), 10, 13));
    assert_eq!(parse_expression(FileId(0), "2*", 5).1[0].labels[0].span.start, 7);
    assert_eq!(parse_expression(FileId(0), "a, b", 0).1[0].code, "unexpected-sign");
    assert!(parse_expression(FileId(0), "", 0).1[0].code == "expected-expression");
    assert_eq!(parse_target(FileId(0), "x[i in 1..N].y''", 0).0.unwrap().primes, 2);
    assert_eq!(parse_unit(FileId(0), "kg*m^2", 0).0.unwrap().factors.len(), 2);
    assert!(matches!(parse_statement(FileId(0), "  hidden find").0.unwrap().kind, StatementKind::Hidden));
    assert_eq!(parse_statement(FileId(0), "  coord x").0.unwrap().keyword, Span::new(FileId(0), 2, 7));
    assert_eq!(parse_statement(FileId(0), "coord x\ncoord y").1[0].code, "second-statement");
    assert!(parse_statement(FileId(0), "").0.is_none());
}

#[test]
fn units_and_names_are_told_apart_in_messages() {
    let said = |text: &str| {
        let (_, found) = parse(Default::default(), text);
        let mut all = String::new();
        for one in found {
            all += &format!("{} {} {:?} {:?} {:?}\n", one.code, one.message, one.labels, one.help, one.suggestion);
        }
        all
    };
    let kinetic = said("coord x\nkinetic 1 kg*x'^2/2\n");
    assert!(kinetic.contains("`(1 kg)*x`") && !kinetic.contains("1*kg"), "{kinetic}");
    let gram = said("param g = 9.81\ncoord y\npotential 3 kg*g*y\n");
    assert!(gram.contains("`(3 kg)*g*y`"), "{gram}");
    let both = said("param N = 3, w = 2\ncoord x\nforce x: -2 N*sin(w*t)\n");
    assert!(both.contains("2*N*sin") && both.contains("(2 N)*sin"), "{both}");
    let misspelt = said("param m = 1 kq\n");
    assert!(misspelt.contains("unknown-unit") && misspelt.contains("`kg`"), "{misspelt}");
    let foot = said("param h = 2 ft\n");
    assert!(foot.contains("0.3048 m") && !foot.contains("fT"), "{foot}");
    let indices = said("coord x[1..2, 1..2]\npotential sum(i in 1..2, j in 1..2, x[i][j])\n");
    assert!(indices.contains("second-bracket") && indices.contains("x[i, j]"), "{indices}");
}
