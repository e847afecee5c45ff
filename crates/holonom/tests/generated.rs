//! Files of code: compiled or imported, run at random states, and held against the graph they were written from.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use holonom::explain::explicit;
use holonom::language::load;
use holonom::mechanics::compile::CompiledSystem;
use holonom::mechanics::derive::{Equations, derive};
use holonom::simulate::integrate::{self, Recorded, RecordedRows, TableLayout, plan};
use holonom::symbols::algebra::Budget;
use holonom::symbols::expr::{
    CodeCoordinate, CodeOutput, CodeParameter, CodeProgram, CodeShape, Function, Graph, Id, Language, Number, Relation,
    Symbol, Table, code_function,
};

use holonom_testing::{gallery, models};

/// How many states each output is computed at.
const STATES: usize = 4;
/// Models with more expressions are left to the machine code that the library makes itself.
const LARGEST: usize = 1500;

/// What goes into a file, and what comes out of it at some states.
struct Case {
    name: String,
    graph: Graph,
    coordinates: Vec<CodeCoordinate>,
    parameters: Vec<CodeParameter>,
    outputs: Vec<CodeOutput>,
    states: Vec<State>,
    /// The accelerations that the kernel finds at these states, where they lie on a motion.
    kernel: Vec<Vec<f64>>,
}

impl Case {
    fn text(&self, language: Language) -> String {
        let program = CodeProgram {
            graph: &self.graph,
            title: &self.name,
            coordinates: &self.coordinates,
            parameters: &self.parameters,
            outputs: &self.outputs,
            name: &|symbol| format!("{symbol:?}"),
        };
        program.generate(language)
    }

    /// All outputs at all states.
    fn expected(&self) -> Vec<(&str, Vec<f64>)> {
        let mut values = Vec::new();
        for (t, q, v) in &self.states {
            for output in &self.outputs {
                let entries = self.graph.evaluate(&output.entries, |symbol| match symbol {
                    Symbol::Time => *t,
                    Symbol::Parameter(index) => self.parameters[index as usize].value,
                    Symbol::Position(index) => q[index as usize],
                    Symbol::Velocity(index) => v[index as usize],
                    _ => f64::NAN,
                });
                values.push((&output.name[..], entries));
            }
        }
        values
    }

    fn size(&self) -> usize {
        let roots: Vec<Id> = self.outputs.iter().flat_map(|output| output.entries.iter().copied()).collect();
        self.graph.reachable(&roots).len()
    }

    /// States as literals, with these brackets.
    fn literals(&self, open: char, close: char) -> Vec<(String, String, String)> {
        let list = |values: &[f64]| {
            let values: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
            format!("{open}{}{close}", values.join(", "))
        };
        self.states.iter().map(|(t, q, v)| (format!("{t:?}"), list(q), list(v))).collect()
    }
}

/// Numbers between −1 and 1 that are the same every time.
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn states(coordinates: usize) -> Vec<State> {
    let mut seed = 20_061_116;
    (0..STATES)
        .map(|_| {
            let t = random(&mut seed).abs();
            let mut list = || (0..coordinates).map(|_| random(&mut seed)).collect::<Vec<f64>>();
            (t, list(), list())
        })
        .collect()
}

/// Time, positions and velocities.
type State = (f64, Vec<f64>, Vec<f64>);

/// States on the motion of a model, and the accelerations there.
fn along(equations: &Equations) -> Option<Vec<(State, Vec<f64>)>> {
    let n = equations.model.coordinates.len();
    let options = integrate::Run { until: Some(0.2), every: Some(0.05), ..integrate::Run::default() };
    let system = CompiledSystem::new(equations.clone());
    let layout = TableLayout::of(&system);
    let plan = plan(&system, &options).ok()?.value;
    let mut rows = RecordedRows::default();
    plan.run(&mut rows);
    let state = |row: &Vec<f64>| {
        let (q, v) = layout.state(row);
        let accelerations = (0..n).map(|j| row[layout.place(Recorded::Acceleration(j))]);
        ((row[0], q, v), accelerations.collect())
    };
    Some(rows.rows.iter().take(STATES).map(state).collect())
}

/// The closed form of a model: its graph, and the accelerations and forces in it.
fn closed(equations: &Equations) -> Option<(Graph, Vec<CodeOutput>)> {
    let mut solution = explicit::solve(equations, &explicit::SolveOptions::default(), &Budget::new(20_000_000));
    // What slides and what sticks is not for a formula to know.
    if !solution.is_explicit() || !solution.unknowns.is_empty() || !equations.frictions.is_empty() {
        return None;
    }
    let mut outputs = Vec::new();
    for (name, entries) in [
        ("acceleration", solution.settled.clone().unwrap_or_else(|| solution.acceleration.clone())),
        ("ideal_force", solution.ideal.clone()),
        ("nonideal_force", solution.nonideal.clone()),
        ("reactions", solution.reactions.clone()),
    ] {
        if !entries.is_empty() {
            let entries = solution.expanded(&entries);
            outputs.push(CodeOutput { name: name.to_string(), shape: CodeShape::Vector, entries, limits: Vec::new() });
        }
    }
    Some((solution.graph, outputs))
}

/// M, Q, A, b, the energies and the closed form of a model of the gallery.
fn case(path: &Path) -> Option<Case> {
    let equations = derive(load(path).model?).ok()?.value;
    let mut values: Vec<f64> = Vec::new();
    for parameter in &equations.model.parameters {
        let value = equations.graph.evaluate(&[parameter.value], |symbol| match symbol {
            Symbol::Parameter(index) => values[index as usize],
            _ => f64::NAN,
        });
        values.push(value[0]);
    }
    let parameters = equations.model.parameters.iter().zip(values);
    let parameters = parameters
        .map(|(p, value)| CodeParameter { name: p.name.clone(), unit: p.dimension.to_string(), value })
        .collect();
    let coordinates: Vec<CodeCoordinate> = equations
        .model
        .coordinates
        .iter()
        .map(|c| CodeCoordinate { name: c.name.clone(), unit: c.dimension.to_string() })
        .collect();
    let n = coordinates.len();
    let mut a = vec![Id::ZERO; n * equations.rows.len()];
    for (at, row) in equations.rows.iter().enumerate() {
        for &(column, entry) in &row.a {
            a[at * n + column] = entry;
        }
    }
    let output = |name: &str, shape: CodeShape, entries: Vec<Id>| CodeOutput {
        name: name.to_string(),
        shape,
        entries,
        limits: Vec::new(),
    };
    let mut outputs = vec![
        output("kinetic_energy", CodeShape::Scalar, vec![equations.kinetic_energy]),
        output("mass", CodeShape::Matrix(n), equations.mass.dense()),
        output("force", CodeShape::Vector, equations.force.clone()),
    ];
    if !a.is_empty() {
        outputs.push(output("A", CodeShape::Matrix(n), a));
        outputs.push(output("b", CodeShape::Vector, equations.rows.iter().map(|row| row.b).collect()));
    }
    let name = path.file_stem()?.to_string_lossy().into_owned();
    let motion = along(&equations).unwrap_or_default();
    let (on_motion, kernel): (Vec<State>, Vec<Vec<f64>>) = motion.into_iter().unzip();
    let states = if on_motion.is_empty() { states(n) } else { on_motion };
    // Closed forms are those of one-sided constraints that are open; a motion has times of contact, too.
    let has_contacts = equations.rows.iter().any(|row| row.one_sided);
    let kernel = if has_contacts { Vec::new() } else { kernel };
    let mut graph = equations.graph.clone();
    if let Some((of_solution, more)) = closed(&equations) {
        (graph, outputs) = (of_solution, more.into_iter().chain(outputs).collect());
    }
    let case = Case { name, graph, coordinates, parameters, outputs, states, kernel };
    (case.size() <= LARGEST).then_some(case)
}

/// Everything that an expression can be made of, under names that mean something else.
fn everything() -> Case {
    let mut g = Graph::new();
    let names = ["lambda", "x[3]", "s1", "größe", "theta", "q", "sin", "theta_dot"];
    let [lambda, x3, s1, size, ..] = std::array::from_fn::<Id, 4, _>(|index| g.symbol(Symbol::Position(index as u32)));
    let (p, speed) = (g.symbol(Symbol::Parameter(0)), g.symbol(Symbol::Velocity(1)));
    let mut entries = Vec::new();
    let half = g.number(Number::ratio(1, 2).unwrap());
    let third = g.product(Number::ratio(1, 3).unwrap(), &[(lambda, 1)]);
    for function in Function::ALL {
        entries.push(if function.arity() == 1 { g.call(function, third) } else { g.call2(function, third, x3) });
    }
    let sum = g.sum_with(Number::integer(3), &[(Number::ONE, x3), (Number::MINUS_ONE, s1)]);
    for exponent in [-7, -3, -2, -1, 2, 3, 4, 9] {
        entries.push(g.integer_power(sum, exponent));
    }
    entries.push(g.power(sum, third));
    let two = g.integer(2);
    entries.push(g.power(two, size));
    let less = g.compare(Relation::Less, lambda, x3);
    let most = g.compare(Relation::LessEqual, speed, p);
    let (both, either) = (g.and(less, most), g.or(less, s1));
    let not = g.not(both);
    let all = g.and(either, not);
    let root = g.call(Function::Sqrt, lambda);
    for condition in [less, both, either, not, all] {
        entries.push(g.select(condition, sum, third));
        entries.push(g.multiply(condition, sum));
    }
    let positive = g.compare(Relation::Less, Id::ZERO, lambda);
    entries.push(g.select(positive, root, Id::ZERO));
    let table = g.add_table(Table::new(vec![-0.5, 0.1, 0.4, 0.6], vec![0.0, 2.0, 1.0, -1.0]).unwrap());
    for order in 0..=4 {
        for argument in [lambda, x3, s1, size] {
            entries.push(g.table(table, order, argument));
        }
    }
    let pi = g.pi();
    let time = g.symbol(Symbol::Time);
    entries.push(g.product(Number::decimal("1e-9").unwrap(), &[(pi, 2), (time, -1)]));
    entries.push(g.negate(half));
    let (seven, tau) = (g.symbol(Symbol::Parameter(1)), g.symbol(Symbol::Velocity(4)));
    entries.push(g.divide(tau, seven));
    let coordinates =
        names.iter().map(|name| CodeCoordinate { name: name.to_string(), unit: "m */ \"\"\"".to_string() });
    Case {
        name: "every \"\"\" kind */ of\nexpression \\".to_string(),
        graph: g,
        coordinates: coordinates.collect(),
        parameters: ["t", "q'"]
            .iter()
            .enumerate()
            .map(|(index, name)| CodeParameter {
                name: name.to_string(),
                unit: String::new(),
                value: 0.25 + index as f64,
            })
            .collect(),
        outputs: vec![
            CodeOutput {
                name: "grid".to_string(),
                shape: CodeShape::Matrix(3),
                entries: entries[..9].to_vec(),
                limits: Vec::new(),
            },
            CodeOutput {
                name: "zero".to_string(),
                shape: CodeShape::Scalar,
                entries: vec![Id::ZERO],
                limits: Vec::new(),
            },
            CodeOutput { name: "none".to_string(), shape: CodeShape::Vector, entries: Vec::new(), limits: Vec::new() },
        ]
        .into_iter()
        // Each on its own: where one has no value, the others have.
        .chain(entries.iter().enumerate().map(|(index, &entry)| CodeOutput {
            name: format!("entry{index}"),
            shape: CodeShape::Scalar,
            entries: vec![entry],
            limits: Vec::new(),
        }))
        .collect(),
        states: states(names.len()),
        kernel: Vec::new(),
    }
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = models(&gallery()).iter().filter_map(|path| case(path)).collect();
    assert!(cases.len() > 20, "only {} models of the gallery are small enough", cases.len());
    cases.push(everything());
    cases
}

/// A command, or nothing where it is absent and nobody insists on it.
fn tool(names: &[&str], trial: &[&str]) -> Option<String> {
    let works = |name: &&&str| Command::new(name).args(trial).output().is_ok_and(|output| output.status.success());
    let found = names.iter().find(works).map(ToString::to_string);
    let required = std::env::var_os("HOLONOM_REQUIRE_TOOLS").is_some();
    assert!(found.is_some() || !required, "none of {names:?} does {trial:?}; .ci/setup installs what is missing");
    if found.is_none() {
        eprintln!("skipped: none of {names:?} does {trial:?}");
    }
    found
}

/// A folder of its own that is gone in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("holonom-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn run(command: &mut Command) -> String {
    let made = command.output().unwrap();
    assert!(made.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&made.stderr));
    String::from_utf8_lossy(&made.stdout).into_owned()
}

/// What a program prints for an output that announces a condition instead.
const ANNOUNCED: &str = "condition: ";

/// Printed numbers, one to a line, against what the graph says. Where the graph has no finite value, the code says why.
fn compare<'a>(language: &str, cases: impl Iterator<Item = &'a Case>, printed: &str) {
    let mut lines = printed.lines();
    for case in cases {
        for (name, expected) in case.expected() {
            let mut next = || lines.next().unwrap_or_else(|| panic!("{language}, {}: nothing for {name}", case.name));
            if expected.iter().any(|value| !value.is_finite()) {
                let line = next();
                assert!(line.starts_with(ANNOUNCED), "{language}, {}, {name}: {line}", case.name);
                continue;
            }
            // Entries of one output are made of the same terms: one that cancels has the rounding of the others.
            let size = expected.iter().fold(1.0, |most: f64, value| most.max(value.abs()));
            for (index, wanted) in expected.into_iter().enumerate() {
                let line = next();
                let found: f64 = line.trim().parse().unwrap_or_else(|_| panic!("{language}, {}: {line}", case.name));
                let close = (found - wanted).abs() <= 1e-12 * size;
                assert!(close, "{language}, {}, {name}[{index}]: {found:e} for {wanted:e}", case.name);
            }
        }
    }
    assert_eq!(lines.next(), None);
}

/// What the files are held against is what the kernel finds on the motion.
#[test]
fn the_closed_form_is_the_kernel() {
    let mut compared = 0;
    for case in cases() {
        let Some(output) = case.outputs.first().filter(|output| output.name == "acceleration") else { continue };
        for ((t, q, v), kernel) in case.states.iter().zip(&case.kernel) {
            let values = case.graph.evaluate(&output.entries, |symbol| match symbol {
                Symbol::Time => *t,
                Symbol::Parameter(index) => case.parameters[index as usize].value,
                Symbol::Position(index) => q[index as usize],
                Symbol::Velocity(index) => v[index as usize],
                _ => f64::NAN,
            });
            let scale = kernel.iter().fold(1.0, |m: f64, a| m.max(a.abs()));
            for (value, kernel) in values.iter().zip(kernel) {
                assert!((value - kernel).abs() <= 1e-12 * scale, "{}: {value} {kernel}", case.name);
            }
            compared += 1;
        }
    }
    assert!(compared > 80, "{compared} states were compared");
}

#[test]
fn rust_computes_the_same() {
    let Some(rustc) = tool(&["rustc"], &["--version"]) else { return };
    let (cases, scratch) = (cases(), Scratch::new("rust"));
    let (mut text, mut main) = (String::new(), String::from("fn main() {\n"));
    for (index, case) in cases.iter().enumerate() {
        let _ = writeln!(text, "mod m{index} {{\n{}}}\n", case.text(Language::Rust));
        for (state, (t, q, v)) in case.literals('[', ']').into_iter().enumerate() {
            // A function for each: the compiler takes minutes for one that holds them all.
            let _ = writeln!(main, "    at{index}_{state}();");
            let _ = writeln!(text, "fn at{index}_{state}() {{");
            for output in &case.outputs {
                let call = format!("m{index}::{}({t}, &{q}, &{v}, &m{index}::PARAMETERS)", output.name);
                let values = match output.shape {
                    CodeShape::Scalar => "[found]",
                    CodeShape::Vector => "found",
                    CodeShape::Matrix(_) => "found.iter().flatten()",
                };
                let _ = writeln!(
                    text,
                    "    match {call} {{\n        Ok(found) => for value in {values} {{ println!(\"{{value:e}}\"); }}\n        \
                     Err(condition) => println!(\"{ANNOUNCED}{{condition}}\"),\n    }}"
                );
            }
            text += "}\n";
        }
    }
    let (source, binary) = (scratch.write("all.rs", &(text + &main + "}\n")), scratch.0.join("all"));
    run(Command::new(rustc).args(["--edition=2021", "-Dwarnings", "-Cdebuginfo=0"]).arg(source).arg("-o").arg(&binary));
    compare("Rust", cases.iter(), &run(&mut Command::new(binary)));
}

#[test]
fn c_computes_the_same() {
    let Some(cc) = tool(&["cc"], &["--version"]) else { return };
    let (cases, scratch) = (cases(), Scratch::new("c"));
    for case in &cases {
        let mut text = case.text(Language::C) + "\n#include <stdio.h>\nint main(void) {\n";
        for (t, q, v) in case.literals('{', '}') {
            let n = case.coordinates.len();
            let _ = writeln!(text, "    {{ double q[{n}] = {q}, v[{n}] = {v};");
            for output in &case.outputs {
                let (name, count) = (&output.name, output.entries.len());
                let shape = match output.shape {
                    CodeShape::Scalar => "[1]".to_string(),
                    CodeShape::Matrix(columns) => format!("[{}][{columns}]", count / columns),
                    // C has no arrays without elements.
                    CodeShape::Vector => format!("[{}]", count.max(1)),
                };
                let _ = writeln!(
                    text,
                    "    {{ double out{shape}; const int failed = {name}({t}, q, v, PARAMETERS, out); const double *x = (const double *)out;\n      \
                     if (failed) printf(\"{ANNOUNCED}%s\\n\", condition_text(failed));\n      \
                     else for (int i = 0; i < {count}; i++) printf(\"%.17g\\n\", x[i]); }}"
                );
            }
            text += "    }\n";
        }
        let (source, binary) = (scratch.write("one.c", &(text + "    return 0;\n}\n")), scratch.0.join("one"));
        let options = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"];
        run(Command::new(&cc).args(options).arg(source).arg("-o").arg(&binary).arg("-lm"));
        compare("C", std::iter::once(case), &run(&mut Command::new(&binary)));
    }
}

#[test]
fn python_computes_the_same() {
    let Some(python) = tool(&["/usr/bin/python3", "python3"], &["-c", "import numpy"]) else { return };
    let (cases, scratch) = (cases(), Scratch::new("python"));
    let mut main = String::from("import numpy as np\n\n");
    main += "def show(module, name, t, q, v):\n    try:\n        found = getattr(module, name)(t, q, v)\n";
    let _ = writeln!(
        main,
        "    except module.ConditionError as error:\n        print(f\"{ANNOUNCED}{{error.condition}}\")"
    );
    main += "    else:\n        for x in np.ravel(found): print(repr(float(x)))\n\n";
    for (index, case) in cases.iter().enumerate() {
        scratch.write(&format!("m{index}.py"), &case.text(Language::Python));
        let _ = writeln!(main, "import m{index}");
        let states = case.literals('[', ']');
        for (t, q, v) in &states {
            for output in &case.outputs {
                let _ = writeln!(main, "show(m{index}, \"{}\", {t}, {q}, {v})", output.name);
            }
        }
        // All states at once, along the last axis, where all of them have values.
        if case.expected().iter().any(|(_, values)| values.iter().any(|value| !value.is_finite())) {
            continue;
        }
        let column = |pick: fn(&(String, String, String)) -> &String| {
            states.iter().map(|state| pick(state).as_str()).collect::<Vec<_>>().join(", ")
        };
        let (t, q, v) = (column(|state| &state.0), column(|state| &state.1), column(|state| &state.2));
        let _ = writeln!(main, "T, Q, V = np.array([{t}]), np.array([{q}]).T, np.array([{v}]).T");
        for output in &case.outputs {
            let name = &output.name;
            let _ = writeln!(
                main,
                "many = np.broadcast_to(m{index}.{name}(T, Q, V), np.shape(m{index}.{name}(T[0], Q[:, 0], V[:, 0])) + T.shape)\n\
                 for i in range(len(T)):\n    np.testing.assert_allclose(many[..., i], m{index}.{name}(T[i], Q[:, i], V[:, i]), rtol=1e-13, atol=1e-13)"
            );
        }
    }
    let main = scratch.write("main.py", &main);
    compare("Python", cases.iter(), &run(Command::new(python).arg(main)));
}

#[test]
fn sympy_computes_the_same() {
    let Some(python) = tool(&["/usr/bin/python3", "python3"], &["-c", "import sympy, numpy"]) else { return };
    let scratch = Scratch::new("sympy");
    let cases: Vec<Case> = cases().into_iter().filter(|case| case.size() < 200).collect();
    let mut main =
        String::from("import warnings\nimport numpy as np\nimport sympy as sp\nwarnings.simplefilter(\"ignore\")\n\n");
    main += "def show(module, name, value, conditions, state):\n    ";
    main += "failed = [c for c, holds in zip(module.conditions[name], conditions(*state)) if not holds]\n    ";
    let _ = writeln!(main, "if failed:\n        print(f\"{ANNOUNCED}{{failed[0]}}\")\n        return");
    main += "    for x in np.ravel(value(*state)): print(repr(float(x)))\n\n";
    for (index, case) in cases.iter().enumerate() {
        scratch.write(&format!("m{index}.py"), &case.text(Language::SymPy));
        let _ =
            writeln!(main, "import m{index} as m\np = list(m.parameters.values())\nassert list(m.parameters) == m.p");
        for output in &case.outputs {
            let name = &output.name;
            let _ = writeln!(main, "f_{name} = sp.lambdify((m.t, m.q, m.v, m.p), m.{name}, \"numpy\")");
            let _ = writeln!(main, "c_{name} = sp.lambdify((m.t, m.q, m.v, m.p), m.conditions[\"{name}\"], \"numpy\")");
        }
        for (t, q, v) in case.literals('[', ']') {
            for output in &case.outputs {
                let _ = writeln!(main, "show(m, \"{0}\", f_{0}, c_{0}, ({t}, {q}, {v}, p))", output.name);
            }
        }
    }
    let main = scratch.write("main.py", &main);
    compare("SymPy", cases.iter(), &run(Command::new(python).arg(main)));
}

#[test]
fn javascript_computes_the_same() {
    let Some(node) = tool(&["node"], &["--version"]) else { return };
    let (cases, scratch) = (cases(), Scratch::new("javascript"));
    let mut main = String::new();
    for (index, case) in cases.iter().enumerate() {
        scratch.write(&format!("m{index}.mjs"), &case.text(Language::JavaScript));
        let _ = writeln!(main, "import * as m{index} from \"./m{index}.mjs\";");
    }
    main += "function show(module, name, t, q, v) {\n    try {\n        ";
    main += "const found = [module[name](t, q, v)].flat(2);\n        for (const x of found) console.log(String(x));\n";
    main += "    } catch (error) {\n        if (!(error instanceof module.ConditionError)) throw error;\n        ";
    let _ = writeln!(main, "console.log(`{ANNOUNCED}${{error.condition}}`);\n    }}\n}}");
    for (index, case) in cases.iter().enumerate() {
        for (t, q, v) in case.literals('[', ']') {
            for output in &case.outputs {
                let _ = writeln!(main, "show(m{index}, \"{}\", {t}, {q}, {v});", output.name);
            }
        }
    }
    let main = scratch.write("main.mjs", &main);
    compare("JavaScript", cases.iter(), &run(Command::new(node).arg(main)));
}

/// One function of several outputs (`show equations --as rust`): where an entry has no value, the function says what it needs.
#[test]
fn a_function_of_many_outputs_says_where_it_has_no_value() {
    let mut graph = Graph::new();
    let [x, y] = std::array::from_fn::<Id, 2, _>(|index| graph.symbol(Symbol::Position(index as u32)));
    let difference = graph.subtract(x, y);
    let outputs = [graph.integer_power(difference, -1), graph.call(Function::Sqrt, x), graph.call(Function::Exp, y)];
    let name = |symbol: Symbol| if symbol == Symbol::Position(0) { "x".to_string() } else { "y".to_string() };
    let text = |language| code_function(&graph, &outputs, language, "f", &name);
    let scratch = Scratch::new("one-function");
    let expected = "2 1 \nx - y != 0\nx >= 0\nfinite entries\n";
    let states = ["1.0, 0.5", "0.25, 0.25", "-1.0, 0.0", "1.0, 800.0"];
    let calls = |call: &dyn Fn(&str) -> String| states.iter().map(|state| call(state)).collect::<String>();
    if let Some(rustc) = tool(&["rustc"], &["--version"]) {
        let calls = calls(&|state| {
            format!(
                "    match f(0.0, &[{state}], &[], &[], &mut out) {{\n        Ok(()) => println!(\"{{}} {{}} \", out[0], out[1]),\n        \
                 Err(needs) => println!(\"{{needs}}\"),\n    }}\n"
            )
        });
        let main = format!("{}fn main() {{\n    let mut out = [0.0; 3];\n{calls}}}\n", text(Language::Rust));
        let (source, binary) = (scratch.write("one.rs", &main), scratch.0.join("one"));
        run(Command::new(rustc).args(["--edition=2021", "-Dwarnings"]).arg(source).arg("-o").arg(&binary));
        assert_eq!(run(&mut Command::new(binary)), expected);
    }
    if let Some(cc) = tool(&["cc"], &["--version"]) {
        let calls = calls(&|state| {
            format!(
                "    {{ double q[] = {{{state}}}; const char *needs = f(0, q, 0, 0, out);\n      \
                 if (needs) puts(needs); else printf(\"%g %g \\n\", out[0], out[1]); }}\n"
            )
        });
        let text = text(Language::C);
        let main =
            format!("{text}#include <stdio.h>\nint main(void) {{\n    double out[3];\n{calls}    return 0;\n}}\n");
        let (source, binary) = (scratch.write("one.c", &main), scratch.0.join("one-c"));
        run(Command::new(cc).args(["-std=c99", "-Wall", "-Werror"]).arg(source).arg("-o").arg(&binary).arg("-lm"));
        assert_eq!(run(&mut Command::new(binary)), expected);
    }
    let said = "no value here: it needs ";
    if let Some(node) = tool(&["node"], &["--version"]) {
        let calls = calls(&|state| format!("show([{state}]);\n"));
        let show = "function show(q) {\n    const out = [];\n    try { f(0, q, [], [], out); console.log(`${out[0]} ${out[1]} `); }\n    \
                    catch (error) { console.log(error.message); }\n}\n";
        let main = scratch.write("one.mjs", &format!("{}{show}{calls}", text(Language::JavaScript)));
        assert_eq!(run(Command::new(node).arg(main)).replace(said, ""), expected);
    }
    if let Some(python) = tool(&["/usr/bin/python3", "python3"], &["-c", "import numpy"]) {
        let calls = calls(&|state| format!("show(np.array([{state}]))\n"));
        let show = "np.seterr(all=\"ignore\")\ndef show(q):\n    try:\n        print(\"%g %g \" % tuple(f(0, q, [], [])[:2]))\n    \
                    except ValueError as error:\n        print(error)\n";
        let main = scratch.write("one.py", &format!("{}{show}{calls}", text(Language::Python)));
        assert_eq!(run(Command::new(python).arg(main)).replace(said, ""), expected);
    }
}
