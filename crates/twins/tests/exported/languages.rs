//! Files of code in each language, run over the states of their models.
//!
//! Each language is started once: a driver reads states, and prints a line for each state and output, with its values or the
//! condition that the code announces. States come from a file, because compilers are slow with long lists of numbers.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use holonom::symbols::expr::Language;

use crate::Case;

/// How a line begins that has a condition instead of values.
const ANNOUNCED: &str = "condition: ";
/// What every file has a function for.
pub const OUTPUTS: [&str; 4] = ["acceleration", "ideal_force", "nonideal_force", "reactions"];
/// Lines of a driver for a state: the outputs, and all of them at once.
pub const LINES: usize = OUTPUTS.len() + 1;
/// Models with more expressions are too slow for symbolic Python.
const SYMBOLIC: usize = 100;

/// What code says of an output at a state.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Values(Vec<f64>),
    Condition(String),
}

/// A language, where its tools are there, and what its code says of some models: by model, state and line.
pub struct Run {
    pub name: &'static str,
    pub answers: Vec<Option<Vec<Answer>>>,
}

/// All languages.
pub(crate) fn run_all(cases: &[Case], folder: &Path) -> Vec<Run> {
    let mut text = String::new();
    for state in cases.iter().flat_map(|case| &case.states) {
        let all = [state.t].into_iter().chain(state.q.iter().copied()).chain(state.v.iter().copied());
        all.for_each(|value| text += &format!("{value:e} "));
        text.push('\n');
    }
    write(folder, "states.txt", &text);
    let languages = [rust, c, python, sympy, javascript];
    let timed = |language: &fn(&[Case], &Path) -> Option<Run>| {
        let began = std::time::Instant::now();
        let run = language(cases, folder)?;
        println!("{} in {:.0?}", run.name, began.elapsed());
        Some(run)
    };
    languages.iter().filter_map(timed).collect()
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

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

fn output(command: &mut Command) -> String {
    let made = command.output().unwrap();
    let errors = String::from_utf8_lossy(&made.stderr);
    let start: String = errors.chars().take(4000).collect();
    assert!(made.status.success(), "{:?}\n{start}", command.get_program());
    String::from_utf8_lossy(&made.stdout).into_owned()
}

/// What a driver printed for all models.
fn run(name: &'static str, cases: &[Case], driver: &mut Command) -> Run {
    let printed = output(driver);
    let mut lines = printed.lines();
    Run { name, answers: cases.iter().map(|case| Some(answers(case, &mut lines))).collect() }
}

/// The lines that a driver printed for one model.
fn answers(case: &Case, lines: &mut dyn Iterator<Item = &str>) -> Vec<Answer> {
    let answer = |line: &str| match line.strip_prefix(ANNOUNCED) {
        Some(condition) => Answer::Condition(condition.to_string()),
        None => Answer::Values(line.split_whitespace().map(number).collect()),
    };
    let count = case.states.len() * LINES;
    let found: Vec<Answer> = lines.take(count).map(answer).collect();
    assert_eq!(found.len(), count, "seed {}", case.seed);
    found
}

fn number(text: &str) -> f64 {
    text.to_lowercase().replace("infinity", "inf").parse().unwrap_or(f64::NAN)
}

const RUST: &str = r#"
fn show<E: std::fmt::Display>(found: Result<Vec<f64>, E>) {
    match found {
        Ok(values) => println!("{}", values.iter().map(|x| format!("{x:e}")).collect::<Vec<_>>().join(" ")),
        Err(condition) => println!("condition: {condition}"),
    }
}
fn numbers<const N: usize>(list: &mut dyn Iterator<Item = f64>) -> [f64; N] {
    std::array::from_fn(|_| list.next().unwrap())
}
macro_rules! run {
    ($module:ident, $states:expr, $list:expr) => {
        for _ in 0..$states {
            let (t, q, v) = (numbers::<1>($list)[0], numbers($list), numbers($list));
            let p = &$module::PARAMETERS;
            show($module::acceleration(t, &q, &v, p).map(|x| x.to_vec()));
            show($module::ideal_force(t, &q, &v, p).map(|x| x.to_vec()));
            show($module::nonideal_force(t, &q, &v, p).map(|x| x.to_vec()));
            show($module::reactions(t, &q, &v, p).map(|x| x.to_vec()));
            show($module::evaluate(t, &q, &v, p).map(|x| {
                [&x.acceleration[..], &x.ideal_force, &x.nonideal_force, &x.reactions].concat()
            }));
        }
    };
}
"#;

fn rust(cases: &[Case], folder: &Path) -> Option<Run> {
    let rustc = tool(&["rustc"], &["--version"])?;
    let (mut text, mut main) = (RUST.to_string(), String::from("fn main() {\n"));
    main += "    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();\n";
    main += "    let list = &mut text.split_whitespace().map(|x| x.parse::<f64>().unwrap());\n";
    for (index, case) in cases.iter().enumerate() {
        let _ = writeln!(text, "mod m{index} {{\n{}}}", case.code(Language::Rust));
        let _ = writeln!(text, "fn run{index}(list: &mut dyn Iterator<Item = f64>) {{");
        let _ = writeln!(text, "    run!(m{index}, {}, list);\n}}", case.states.len());
        let _ = writeln!(main, "    run{index}(list);");
    }
    let (source, binary) = (write(folder, "all.rs", &(text + &main + "}\n")), folder.join("all"));
    output(Command::new(rustc).args(["--edition=2021", "-Dwarnings"]).arg(source).arg("-o").arg(&binary));
    Some(run("Rust", cases, Command::new(binary).arg(folder.join("states.txt"))))
}

fn c(cases: &[Case], folder: &Path) -> Option<Run> {
    let cc = tool(&["cc"], &["--version"])?;
    let (mut main, mut calls, mut sources) = (String::from("#include <stdio.h>\n"), String::new(), Vec::new());
    for (index, case) in cases.iter().enumerate() {
        let public = OUTPUTS.iter().chain(&["evaluate", "condition_text", "PARAMETERS"]);
        let mut text: String = public.map(|name| format!("#define {name} {name}_{index}\n")).collect();
        text += &case.code(Language::C);
        text +=
            "\n#include <stdio.h>\nstatic void show(int failed, const double *x, int count, const char *end) {\n    ";
        let _ = writeln!(text, "if (failed) {{ printf(\"{ANNOUNCED}%s\\n\", condition_text(failed)); return; }}");
        text += "    for (int i = 0; i < count; i++) printf(\"%.17g \", x[i]);\n    printf(\"%s\", end);\n}\n";
        let (n, m, states) = (case.states[0].q.len(), case.rows, case.states.len());
        let _ = writeln!(text, "int run{index}(FILE *in);\nint run{index}(FILE *in) {{\n    double t, q[{n}], v[{n}];");
        let _ = writeln!(text, "    struct values all;\n    for (int k = 0; k < {states}; k++) {{");
        text += "        if (fscanf(in, \"%lf\", &t) != 1) return 1;\n";
        for list in ["q", "v"] {
            let _ = writeln!(
                text,
                "        for (int i = 0; i < {n}; i++) if (fscanf(in, \"%lf\", {list} + i) != 1) return 1;"
            );
        }
        for name in OUTPUTS {
            let count = if name == "reactions" { m } else { n };
            let _ = writeln!(text, "        {{ double out[{}];", count.max(1));
            let _ = writeln!(text, "          const int failed = {name}(t, q, v, PARAMETERS, out);");
            let _ = writeln!(text, "          show(failed, out, {count}, \"\\n\"); }}");
        }
        let _ = writeln!(text, "        {{ const int failed = evaluate(t, q, v, PARAMETERS, &all);");
        let _ = writeln!(text, "          if (failed) show(failed, &t, 0, \"\");\n          else {{");
        for name in OUTPUTS {
            let (count, end) = if name == "reactions" { (m, "\\n") } else { (n, "") };
            let _ = writeln!(text, "            show(0, all.{name}, {count}, \"{end}\");");
        }
        text += "          }\n        }\n    }\n    return 0;\n}\n";
        sources.push(write(folder, &format!("m{index}.c"), &text));
        let _ = writeln!(main, "int run{index}(FILE *in);");
        let _ = writeln!(calls, "    if (run{index}(in)) return 1;");
    }
    main += "int main(int count, char **arguments) {\n    FILE *in = count > 1 ? fopen(arguments[1], \"r\") : 0;\n";
    main += &format!("    if (!in) return 1;\n{calls}    return 0;\n}}\n");
    sources.push(write(folder, "main.c", &main));
    let (options, binary) = (["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"], folder.join("all-c"));
    output(Command::new(&cc).args(options).args(sources).arg("-o").arg(&binary).arg("-lm"));
    Some(run("C", cases, Command::new(binary).arg(folder.join("states.txt"))))
}

/// How drivers in Python read states.
const STATES: &str = "
lines = iter(open(sys.argv[1]))
def states(count, n):
    for _ in range(count):
        x = list(map(float, next(lines).split()))
        yield x[0], x[1:n + 1], x[n + 1:]
";

fn python(cases: &[Case], folder: &Path) -> Option<Run> {
    let python = tool(&["/usr/bin/python3", "python3"], &["-c", "import numpy"])?;
    let mut main = String::from("import sys, importlib\nimport numpy as np\n") + STATES;
    main += "def show(error, make):\n    try:\n        print(*map(repr, map(float, make())))\n    except error as failed:\n";
    let _ = writeln!(main, "        print(f\"{ANNOUNCED}{{failed.condition}}\")\n");
    main += "def run(index, count, n):\n    m = importlib.import_module(f\"m{index}\")\n    error = m.ConditionError\n";
    main += "    for t, q, v in states(count, n):\n";
    for name in OUTPUTS {
        let _ = writeln!(main, "        show(error, lambda: m.{name}(t, q, v))");
    }
    main += "        show(error, lambda: np.concatenate(m.evaluate(t, q, v)))\n\n";
    for (index, case) in cases.iter().enumerate() {
        write(folder, &format!("m{index}.py"), &case.code(Language::Python));
        let _ = writeln!(main, "run({index}, {}, {})", case.states.len(), case.states[0].q.len());
    }
    let driver = write(folder, "main.py", &main);
    Some(run("Python", cases, Command::new(python).arg(driver).arg(folder.join("states.txt"))))
}

/// A script has no functions: what it lists as conditions is tested first, in exact numbers, and a failed one is given by its place.
fn sympy(cases: &[Case], folder: &Path) -> Option<Run> {
    let python = tool(&["/usr/bin/python3", "python3"], &["-c", "import numpy, sympy"])?;
    let mut main = String::from("import sys, importlib, warnings\nimport numpy as np\nimport sympy as sp\n") + STATES;
    main += "warnings.simplefilter(\"ignore\")\n";
    let _ = writeln!(main, "names = [{}]", OUTPUTS.map(|name| format!("\"{name}\"")).join(", "));
    main += "def run(index, count, n):\n    m = importlib.import_module(f\"s{index}\")\n    ";
    main += "z, p = (m.t, m.q, m.v, m.p), np.array(list(m.parameters.values()))\n    ";
    main += "every = [[list(getattr(m, name)), m.conditions[name]] for name in names]\n    ";
    main += "f = sp.lambdify(z, every, \"numpy\", cse=True)\n    for t, q, v in states(count, n):\n        ";
    main += "results = []\n        for values, holds in f(np.float64(t), np.array(q), np.array(v), p):\n            ";
    main += "failed = [i for i, h in enumerate(holds) if not h]\n            ";
    let _ = writeln!(
        main,
        "results.append(f\"{ANNOUNCED}{{failed[0]}}\" if failed else \" \".join(repr(float(x)) for x in values))"
    );
    let _ = writeln!(main, "        failed = [x for x in results if x.startswith(\"{ANNOUNCED}\")]");
    main += "        print(*results, failed[0] if failed else \" \".join(results), sep=\"\\n\")\n\n";
    let small = |case: &Case| case.size() < SYMBOLIC;
    for (index, case) in cases.iter().enumerate() {
        let (count, n) = (case.states.len(), case.states[0].q.len());
        if small(case) {
            write(folder, &format!("s{index}.py"), &case.code(Language::SymPy));
            let _ = writeln!(main, "run({index}, {count}, {n})");
        } else {
            let _ = writeln!(main, "list(states({count}, {n}))");
        }
    }
    let driver = write(folder, "symbolic.py", &main);
    let printed = output(Command::new(python).arg(driver).arg(folder.join("states.txt")));
    let mut lines = printed.lines();
    let found = cases.iter().map(|case| small(case).then(|| answers(case, &mut lines)));
    Some(Run { name: "SymPy", answers: found.collect() })
}

fn javascript(cases: &[Case], folder: &Path) -> Option<Run> {
    let node = tool(&["node"], &["--version"])?;
    let mut main = String::from("import * as fs from \"node:fs\";\n");
    main += "const lines = fs.readFileSync(process.argv[2], \"utf8\").split(\"\\n\");\nlet next = 0;\nconst printed = [];\n";
    main += "function show(module, make) {\n    try {\n        printed.push(make().join(\" \"));\n    } catch (error) {\n        ";
    main += "if (!(error instanceof module.ConditionError)) throw error;\n        ";
    let _ = writeln!(main, "printed.push(`{ANNOUNCED}${{error.condition}}`);\n    }}\n}}");
    main += "function run(m, count, n) {\n    for (let k = 0; k < count; k++) {\n        ";
    main += "const x = lines[next++].trim().split(\" \").map(Number);\n        ";
    main += "const [t, q, v] = [x[0], x.slice(1, n + 1), x.slice(n + 1)];\n";
    for name in OUTPUTS {
        let _ = writeln!(main, "        show(m, () => m.{name}(t, q, v));");
    }
    main += "        show(m, () => Object.values(m.evaluate(t, q, v)).flat());\n    }\n}\n";
    for (index, case) in cases.iter().enumerate() {
        write(folder, &format!("m{index}.mjs"), &case.code(Language::JavaScript));
        let _ = writeln!(main, "import * as m{index} from \"./m{index}.mjs\";");
        let _ = writeln!(main, "run(m{index}, {}, {});", case.states.len(), case.states[0].q.len());
    }
    main += "console.log(printed.join(\"\\n\"));\n";
    let driver = write(folder, "main.mjs", &main);
    Some(run("JavaScript", cases, Command::new(node).arg(driver).arg(folder.join("states.txt"))))
}
