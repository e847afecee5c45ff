//! Functions without a value: symbols in formulas, and one clear message wherever numbers are needed.

use holonom::explain::explicit::{Form, Solution, SolveOptions, solve};
use holonom::explain::{Explained, Part, Request, explain};
use holonom::language::{Given, ModelBuilder, NoFiles, Sources, from_document, from_json, from_text, print, to_json};
use holonom::mechanics::compile::CompiledSystem;
use holonom::mechanics::derive::{Equations, derive};
use holonom::simulate::analysis;
use holonom::simulate::batch::{Accelerations, States, Trouble};
use holonom::simulate::integrate;
use holonom::sweep::{ParameterValues, Points, Study, SweepRefusal, Vary};
use holonom::symbols::algebra::{Budget, FunctionField};
use holonom::symbols::expr::{Id, Language, Names, Notation, Style};

/// Udwadia 2005, example 1, as the paper has it: g and the impressed forces are functions that nobody specifies.
const APPELL: &str = "
param      alpha = 1, a0 = 0.1
coord      x, y, z
function   g(t), Fx(x, y, z, t), Fy(x, y, z, t), Fz(x, y, z, t)
particle   p: 1 at (x, y, z)
let        X = Fx(x, y, z, t), Y = Fy(x, y, z, t), Z = Fz(x, y, z, t), u = norm(p')
force      p: (X, Y, Z)
constraint appell: x'^2 + y'^2 - z'^2 = 2*alpha*g(t)
nonideal   appell on p: -a0*u*p'
";

fn equations(text: &str) -> Equations {
    let loaded = from_text("model.holo", text.trim_start());
    let errors: Vec<String> = loaded.errors().map(|error| format!("{}: {}", error.code, error.message)).collect();
    derive(loaded.model.unwrap_or_else(|| panic!("{errors:?}"))).expect("the mechanics is right").value
}

fn solved(equations: &Equations) -> Solution {
    let solution = solve(equations, &SolveOptions::default(), &Budget::new(300_000_000));
    assert!(matches!(solution.form, Form::Closed), "{:?}", solution.form);
    assert!(solution.admissible && solution.checked.states >= 16, "{:?}", solution.checked);
    solution
}

fn explained(equations: &Equations, parts: &[&str]) -> Explained {
    let only = parts.iter().filter_map(|name| Part::from_name(name)).collect();
    explain(equations, &Request { only, ..Request::default() }, &Budget::new(300_000_000)).expect("a page")
}

/// What was asked for, a line each.
fn lines(equations: &Equations, parts: &[&str]) -> Vec<String> {
    let explanation = explained(equations, parts);
    let name = |symbol| explanation.solution.symbol_name(&equations.model, symbol);
    let write = |id: Id| explanation.solution.graph.formula(id, &Names::new(&name)).print(Notation::Unicode);
    explanation.asked.iter().map(|asked| format!("{} = {}", asked.name, write(asked.value))).collect()
}

/// The codes that reading a model gives.
fn codes(statements: &str) -> Vec<&'static str> {
    let text = format!("coord x, y\nkinetic (x'^2 + y'^2)/2\n{statements}\n");
    from_text("model.holo", &text).diagnostics.iter().map(|message| message.code).collect()
}

/// Eq. 28: b = α ġ. Eq. 30: the equation of motion, with the ideal and the non-ideal force apart.
#[test]
fn appells_particle_as_the_paper_has_it() {
    let ideal = "(alpha*g'(t) - x'*X - y'*Y + z'*Z)/u^2";
    let formulas = [
        format!("X + {ideal}*x' - a0/u*2*x'*z'^2"),
        format!("Y + {ideal}*y' - a0/u*2*y'*z'^2"),
        format!("Z - {ideal}*z' - a0/u*2*z'*(x'^2 + y'^2)"),
        format!("{ideal}*x'"),
        format!("{ideal}*y'"),
        format!("-{ideal}*z'"),
        "-a0/u*2*x'*z'^2".to_string(),
        "-a0/u*2*y'*z'^2".to_string(),
        "-a0/u*2*z'*(x'^2 + y'^2)".to_string(),
        "2*alpha*g'(t)".to_string(),
    ];
    let outputs: String = formulas.iter().enumerate().map(|(i, formula)| format!("output o{i}: {formula}\n")).collect();
    let equations = equations(&format!("{APPELL}{outputs}"));
    let solution = solved(&equations);
    let mut ours = [&solution.acceleration[..], &solution.ideal, &solution.nonideal].concat();
    ours.push(equations.rows[0].b);
    assert_eq!(ours.len(), formulas.len());
    let (mut field, budget) = (FunctionField::new(), Budget::new(100_000_000));
    for ((output, ours), formula) in equations.model.outputs.iter().zip(ours).zip(formulas) {
        let both = field.read_all(&solution.graph, &[ours, output.components[0]], &budget).expect("small enough");
        let name = |symbol| equations.model.symbol_name(symbol);
        let written = solution.graph.print(ours, &Style::new(Notation::Text, &name));
        assert!(field.equal(&both[0], &both[1], &budget).expect("small enough"), "{written} is not {formula}");
    }
}

/// A constraint of positions is differentiated twice, by the chain rule where arguments move.
#[test]
fn derivatives_of_constraints() {
    let driven = equations("coord x, y\nkinetic (x'^2 + y'^2)/2\nfunction g(t)\nconstraint c: x = g(t)\n");
    assert_eq!(lines(&driven, &["b", "acceleration", "Qi"])[..3], ["b[1] = g″(t)", "x'' = g″(t)", "y'' = 0"]);
    let rail = equations("coord x, y\nkinetic (x'^2 + y'^2)/2\nfunction h(x)\nconstraint c: y = h(2*x)\n");
    assert_eq!(lines(&rail, &["A", "b"]), ["A[1,1] = −2·h′(2·x)", "A[1,2] = 1", "b[1] = 4·ẋ²·h″(2·x)"]);
    let moving = equations("coord x, y\nkinetic (x'^2 + y'^2)/2\nfunction F(x, t)\nconstraint c: y = F(x, t)\n");
    let right = "b[1] = ẋ²·(∂²F/∂x²)(x, t) + 2·ẋ·(∂²F/∂x∂t)(x, t) + (∂²F/∂t²)(x, t)";
    assert_eq!(lines(&moving, &["b"]), [right]);
    let energy = equations("param m = 2\ncoord x\nfunction U(x)\nkinetic m*x'^2/2\npotential U(x)\n");
    assert_eq!(lines(&energy, &["acceleration"]), ["x'' = −U′(x)/m"]);
}

/// What a formula divides by may vanish if some function makes it vanish, whatever its stand-in does.
#[test]
fn conditions_are_those_of_any_function() {
    let heavy = equations("coord x\nfunction m(x)\nkinetic m(x)*x'^2/2\n");
    assert_eq!(lines(&heavy, &["acceleration"]), ["x'' = −ẋ²·m′(x)/(2·m(x))"]);
    assert_eq!(solved(&heavy).conditions.len(), 1);
    // On the constraint h is not zero, and neither is y² h′² + h².
    let product = equations("coord x, y\nkinetic (x'^2 + y'^2)/2\nfunction h(x)\nconstraint c: h(x)*y = 1\n");
    assert!(solved(&product).conditions.is_empty());
    let curve = equations("coord x, y\nkinetic (x'^2 + y'^2)/2\nfunction h(x)\nconstraint c: y = h(x)\n");
    assert!(solved(&curve).conditions.is_empty());
}

/// A piston reaches only what its rods allow, and a stand-in has to stay within it.
#[test]
fn stand_ins_leave_room_for_the_constraints() {
    let text = "param r = 0.1, L = 0.3\ncoord a, x\nkinetic a'^2/2 + x'^2\nfunction g(t)\n\
        constraint rod: (x - r*cos(a))^2 + (r*sin(a))^2 = L^2\nconstraint drive: x = g(t)\nstart a ~ 1, x ~ 0.3\n";
    let equations = equations(text);
    let explanation = explained(&equations, &["acceleration"]);
    assert!(explanation.solution.admissible);
    assert!(lines(&equations, &["acceleration"])[1].ends_with("= g″(t)"));
}

#[test]
fn every_format_shows_the_symbols() {
    let text = "coord x: m, y: m\nparticle p: 2 kg at (x, y)\nfunction g(t): m, F(x, x', t): N\n\
        force p: (F(x, x', t), 0 N)\nconstraint c: y = g(t)\nconstraint d: x' = y'*g(t)/(1 m)\n";
    let equations = equations(text);
    let page = explain(&equations, &Request { steps: true, ..Request::default() }, &Budget::new(300_000_000));
    let page = page.expect("a page").page;
    let terminal = page.unicode(80, false);
    assert!(terminal.contains("g″(t)") && terminal.contains("F(x, ẋ, t)"), "{terminal}");
    assert!(terminal.contains("They are not shown: the functions `g` and `F` have no value"), "{terminal}");
    assert!(!terminal.contains("NaN"), "{terminal}");
    assert!(page.latex().contains("g^{\\prime\\prime}(t)"));
    assert!(page.markdown().contains("F(x, \\dot{x}, t)"));
    assert!(page.html().contains("<msup><mi>g</mi><mo>′′</mo></msup>"));
    let partial = "coord x, y\nkinetic (x'^2 + y'^2)/2\nfunction F(x, t)\nconstraint c: y = F(x, t)\n";
    let page = explained(&self::equations(partial), &["A"]).page;
    let terminal = page.unicode(80, false);
    assert!(terminal.contains("∂F") && terminal.contains("∂x"), "{terminal}");
    assert!(page.latex().contains("\\frac{\\partial F}{\\partial x}(x, t)"), "{}", page.latex());
}

/// One message, whoever asks for numbers.
#[test]
fn numbers_are_refused() {
    let refused = ["function-unspecified"];
    let equations = equations(&format!("{}run until 1\n", APPELL.trim_start()));
    let system = CompiledSystem::new(equations.clone());
    let Given { value: report, messages } = analysis::check(&system, &analysis::CheckOptions::default());
    assert_eq!(messages.iter().map(|message| message.code).collect::<Vec<_>>(), refused);
    assert!(!report.start_is_good && report.verdict.is_none());
    assert!(messages[0].message.contains("`g`, `Fx`, `Fy` and `Fz`"), "{}", messages[0].message);
    let Err(messages) = integrate::plan(&system, &integrate::Run::default()) else {
        panic!("there is nothing to run");
    };
    assert_eq!(messages.iter().map(|message| message.code).collect::<Vec<_>>(), refused);
    let loaded = from_text("model.holo", &format!("{}run until 1\n", APPELL.trim_start()));
    let points = Points::product(vec![Vary { name: "alpha".into(), values: ParameterValues::List(vec![1.0, 2.0]) }])
        .expect("points");
    match Study::new(&loaded, &[], &integrate::Run::default(), points, false) {
        Err(SweepRefusal::Messages(messages)) => assert_eq!(messages[0].code, refused[0]),
        _ => panic!("there is nothing to sweep"),
    }
    for language in [Language::Rust, Language::C, Language::Python, Language::SymPy, Language::JavaScript] {
        let explanation = explained(&equations, &[]);
        assert!(explanation.code(&equations, &Request::default(), language).is_err());
    }
    let (mut out, zeros) = ([0.0; 6], [0.0; 6]);
    let states = States { count: 2, q: &zeros, v: &zeros, ..States::default() };
    let report = Accelerations::new(&CompiledSystem::new(equations)).evaluate(&states, &mut out);
    assert!(report.troubles.len() == 2 && matches!(report.troubles[0].1, Trouble::Unspecified(_)), "{report:?}");
    // What is declared and not used needs no value.
    let idle = "coord x\nkinetic x'^2/2\nfunction g(t)\nstart x = 1\n";
    let idle = CompiledSystem::new(self::equations(idle));
    assert!(analysis::check(&idle, &analysis::CheckOptions::default()).is_sound());
}

#[test]
fn mistakes_are_named() {
    for (statements, code) in [
        ("function g\nforce x: 1", "arguments"),
        ("function g()\nforce x: 1", "arguments"),
        ("function g(t) = sin(t)\nforce x: 1", "unexpected-equals"),
        ("function x(t)\nforce x: 1", "redefined-name"),
        ("function sin(t)\nforce x: 1", "reserved-name"),
        ("function g[1..3](t)\nforce x: 1", "plain-name-expected"),
        ("function g(x + 1)\nforce x: g(x)", "plain-name-expected"),
        ("function g(x, x)\nforce x: g(x, x)", "given-twice"),
        ("function g(w)\nforce x: g(x)", "unknown-name"),
        ("let v = (x, y)\nfunction g(v)\nforce x: g(x)", "number-expected"),
        ("function g(r)\nlet r = g(x)\nforce x: r", "cyclic-definition"),
        ("function g(t)\nforce x: g(x, t)", "arguments"),
        ("function F(x, t)\nforce x: F(x)", "arguments"),
        ("function F(x, t)\nforce x: F'(x, t)", "not-a-function"),
        ("function g(t)\nforce x: g", "arguments"),
        ("function g(t)\nforce x: h(t)", "unknown-function"),
        ("function g(t)", "unused-name"),
        ("function g(x)\nkinetic g(x')", "kinetic-not-quadratic"),
    ] {
        let mut found = codes(statements);
        if code == "kinetic-not-quadratic" {
            let text = format!("coord x, y\nkinetic (x'^2 + y'^2)/2\n{statements}\n");
            let model = from_text("model.holo", &text).model.expect("no mistake of reading");
            found = derive(model).unwrap_err().iter().map(|message| message.code).collect();
        }
        assert!(found.contains(&code), "{statements}: {found:?}");
    }
    // Before or after its declaration, and of a let that comes later.
    assert!(codes("force x: g(t)\nfunction g(t)\nforce y: F(2*r)\nfunction F(r)\nlet r = sqrt(x^2 + y^2)").is_empty());
}

/// The unit after the colon is that of the value, and arguments are measured as what they are named after.
#[test]
fn units_are_checked() {
    let with = |rest: &str| -> Vec<&'static str> {
        let text = format!("coord x: m, y: m\nkinetic 1 kg*(x'^2 + y'^2)/2\n{rest}\n");
        from_text("model.holo", &text).errors().map(|error| error.code).collect()
    };
    assert!(with("function g(t): m\nconstraint c: x = g(t)").is_empty());
    assert!(with("function F(x, x', t): N\nforce x: F(2*x - y, y', t + 1 s)").is_empty());
    assert!(with("function g(t): m\nforce x: (1 kg)*g''(t)").is_empty());
    for wrong in [
        "function g(t)\nconstraint c: x = g(t)",
        "function g(t): s\nconstraint c: x = g(t)",
        "function g(t): m\nconstraint c: x = g(x)",
        "function g(t): m\nforce x: (1 kg)*g'(t)",
    ] {
        assert_eq!(with(wrong), ["dimension-mismatch"], "{wrong}");
    }
}

/// The forms of one document: text, JSON and the builder.
#[test]
fn a_declaration_is_written_and_read_back() {
    let text = "coord x: m\nkinetic (1 kg)*x'^2/2\nfunction g(t): m, F(x, x', t)\nforce x: F(x, x', t)*g(t)*(1 N/m)\n";
    let document = from_text("model.holo", text).document;
    let printed = print(&document).expect("nothing is broken");
    assert!(printed.contains("F(x, x', t)"), "{printed}");
    let json = to_json(&document).expect("nothing is broken");
    let again = from_json(Sources::new().add("model.json", json.as_str()), &json);
    assert!(again.1.is_empty(), "{:?}", again.1);
    assert_eq!(print(&again.0), Some(printed));
    let built =
        ModelBuilder::new().coord("x", "").kinetic("x'^2/2").function("F(x, t)", "").force("x", "F(x, t)").build();
    let model = from_document(built.document, built.sources, &NoFiles, &[], built.diagnostics).model;
    assert_eq!(model.expect("a good model").functions[0].function.arguments, ["x", "t"]);
}

/// Masses that a function couples need a small one, constraints that it makes alone one with zeros, and a stop or a restitution none.
#[test]
fn stand_ins_fit_the_model() {
    for text in [
        "coord x, y\nfunction k(t)\nkinetic (x'^2 + y'^2)/2 + k(t)*x'*y'\nforce x: 1\n",
        "coord x\nfunction k(x)\nkinetic (k(x) - 5)*x'^2\nforce x: 1\n",
        "coord x, y\nfunction psi(x', y')\nkinetic (x'^2 + y'^2)/2\nforce x: 1\nconstraint c: psi(x', y') = 0\n",
    ] {
        let equations = equations(text);
        let solution = solve(&equations, &SolveOptions::default(), &Budget::new(300_000_000));
        assert!(matches!(solution.form, Form::Closed) && solution.admissible, "{text}: {:?}", solution.form);
    }
    for text in [
        "coord y\nfunction k(t)\nkinetic y'^2/2\nconstraint c: y >= 0, restitution = k(1)\nstart y = 1\n",
        "coord x\nfunction k(t)\nkinetic x'^2/2\nstop e: x in k(1)..k(2)\nstart x = 1\n",
    ] {
        let system = CompiledSystem::new(equations(text));
        let diagnostics = analysis::check(&system, &analysis::CheckOptions::default()).messages;
        assert_eq!(diagnostics[0].code, "function-unspecified", "{diagnostics:?}");
    }
}
