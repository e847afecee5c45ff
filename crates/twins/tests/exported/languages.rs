//! Files of code in each language, run over the states of their models.
//!
//! A driver prints a line for each state and output: its values, or the condition that the code announces.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use holonom::expr::Language;

use crate::Case;

/// How a line begins that has a condition instead of values.
const ANNOUNCED: &str = "condition: ";
/// What every file has a function for.
pub const OUTPUTS: [&str; 4] = ["acceleration", "ideal_force", "nonideal_force", "reactions"];
/// Models with more expressions are too slow for symbolic Python.
const SYMBOLIC: usize = 100;

/// What code says of an output at a state.
#[derive(Debug)]
pub enum Answer {
    Values(Vec<f64>),
    Condition(String),
}

/// A language, where its tools are there, and what its code says of some models: by model, state and output.
pub struct Run {
    pub name: &'static str,
    pub answers: Vec<Option<Vec<Answer>>>,
}

/// All languages.
pub(crate) fn run_all(cases: &[Case], folder: &Path) -> Vec<Run> {
    [rust, c, python, sympy, javascript].iter().filter_map(|language| language(cases, folder)).collect()
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
    assert!(made.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&made.stderr));
    String::from_utf8_lossy(&made.stdout).into_owned()
}

/// The lines that a driver printed for one model.
fn answers(case: &Case, lines: &mut dyn Iterator<Item = &str>) -> Vec<Answer> {
    let answer = |line: &str| match line.strip_prefix(ANNOUNCED) {
        Some(condition) => Answer::Condition(condition.to_string()),
        None => Answer::Values(line.split_whitespace().map(number).collect()),
    };
    let count = case.states.len() * OUTPUTS.len();
    let found: Vec<Answer> = lines.take(count).map(answer).collect();
    assert_eq!(found.len(), count, "seed {}", case.seed);
    found
}

fn number(text: &str) -> f64 {
    text.to_lowercase().replace("infinity", "inf").parse().unwrap_or(f64::NAN)
}

fn list(values: &[f64]) -> String {
    values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(", ")
}

/// A line of a driver for every state and output.
fn calls(case: &Case, call: impl Fn(&str, &str, &str, &str) -> String) -> String {
    let mut text = String::new();
    for state in &case.states {
        let (t, q, v) = (format!("{:?}", state.t), list(&state.q), list(&state.v));
        OUTPUTS.iter().for_each(|name| text += &call(name, &t, &q, &v));
    }
    text
}

fn rust(cases: &[Case], folder: &Path) -> Option<Run> {
    let rustc = tool(&["rustc"], &["--version"])?;
    let (mut text, mut main) = (String::new(), String::from("fn main() {\n"));
    text += "fn show<const N: usize, E: std::error::Error>(found: Result<[f64; N], E>) {\n    match found {\n        ";
    text += "Ok(values) => println!(\"{}\", values.map(|x| format!(\"{x:e}\")).join(\" \")),\n        ";
    let _ = writeln!(text, "Err(condition) => println!(\"{ANNOUNCED}{{condition}}\"),\n    }}\n}}");
    for (index, case) in cases.iter().enumerate() {
        let _ = writeln!(text, "mod m{index} {{\n{}}}", case.code(Language::Rust));
        main += &calls(case, |name, t, q, v| {
            format!("    show(m{index}::{name}({t}, &[{q}], &[{v}], &m{index}::PARAMETERS));\n")
        });
    }
    let (source, binary) = (write(folder, "all.rs", &(text + &main + "}\n")), folder.join("all"));
    output(Command::new(rustc).args(["--edition=2021", "-Dwarnings"]).arg(source).arg("-o").arg(&binary));
    let printed = output(&mut Command::new(binary));
    let mut lines = printed.lines();
    Some(Run { name: "Rust", answers: cases.iter().map(|case| Some(answers(case, &mut lines))).collect() })
}

fn c(cases: &[Case], folder: &Path) -> Option<Run> {
    let cc = tool(&["cc"], &["--version"])?;
    let found = cases.iter().map(|case| {
        let mut text = case.code(Language::C) + "\n#include <stdio.h>\n";
        text += "static void show(int failed, const double *x, int count) {\n    ";
        let _ = writeln!(text, "if (failed) {{ printf(\"{ANNOUNCED}%s\\n\", condition_text(failed)); return; }}");
        text += "    for (int i = 0; i < count; i++) printf(\"%.17g \", x[i]);\n    printf(\"\\n\");\n}\n";
        text += "int main(void) {\n";
        let (n, m) = (case.states[0].q.len(), case.rows);
        let most = n.max(m);
        text += &calls(case, |name, t, q, v| {
            let count = if name == "reactions" { m } else { n };
            format!(
                "    {{ double q[] = {{{q}}}, v[] = {{{v}}}, out[{most}];\n      \
                 const int failed = {name}({t}, q, v, PARAMETERS, out); show(failed, out, {count}); }}\n"
            )
        });
        let (source, binary) = (write(folder, "one.c", &(text + "    return 0;\n}\n")), folder.join("one-c"));
        let options = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"];
        output(Command::new(&cc).args(options).arg(source).arg("-o").arg(&binary).arg("-lm"));
        Some(answers(case, &mut output(&mut Command::new(&binary)).lines()))
    });
    Some(Run { name: "C", answers: found.collect() })
}

fn python(cases: &[Case], folder: &Path) -> Option<Run> {
    let python = tool(&["/usr/bin/python3", "python3"], &["-c", "import numpy"])?;
    let mut main = String::from("def show(module, name, t, q, v):\n    try:\n        ");
    main += "print(*map(repr, map(float, getattr(module, name)(t, q, v))))\n";
    let _ = writeln!(
        main,
        "    except module.ConditionError as error:\n        print(f\"{ANNOUNCED}{{error.condition}}\")\n"
    );
    for (index, case) in cases.iter().enumerate() {
        write(folder, &format!("m{index}.py"), &case.code(Language::Python));
        let _ = writeln!(main, "import m{index} as m");
        main += &calls(case, |name, t, q, v| format!("show(m, \"{name}\", {t}, [{q}], [{v}])\n"));
    }
    let printed = output(Command::new(python).arg(write(folder, "main.py", &main)));
    let mut lines = printed.lines();
    Some(Run { name: "Python", answers: cases.iter().map(|case| Some(answers(case, &mut lines))).collect() })
}

fn sympy(cases: &[Case], folder: &Path) -> Option<Run> {
    let python = tool(&["/usr/bin/python3", "python3"], &["-c", "import numpy, sympy"])?;
    let mut main =
        String::from("import numpy as np\nimport sympy as sp\nimport warnings\nwarnings.simplefilter(\"ignore\")\n");
    main += "def show(conditions, holds, value, t, q, v, p):\n    ";
    main += "failed = [c for c, h in zip(conditions, holds(t, q, v, p)) if not h]\n    ";
    let _ = writeln!(main, "if failed:\n        print(f\"{ANNOUNCED}{{failed[0]}}\")\n        return");
    main += "    print(*map(repr, map(float, np.ravel(value(t, q, v, p)))))\n";
    let small = |case: &Case| case.size() < SYMBOLIC;
    for (index, case) in cases.iter().enumerate().filter(|(_, case)| small(case)) {
        write(folder, &format!("s{index}.py"), &case.code(Language::SymPy));
        let _ = writeln!(main, "import s{index} as m\nz, p = (m.t, m.q, m.v, m.p), list(m.parameters.values())");
        for name in OUTPUTS {
            let _ = writeln!(main, "f_{name} = sp.lambdify(z, m.{name}, \"numpy\")");
            let _ = writeln!(main, "h_{name} = sp.lambdify(z, m.conditions[\"{name}\"], \"numpy\")");
        }
        main += &calls(case, |name, t, q, v| {
            format!("show(m.conditions[\"{name}\"], h_{name}, f_{name}, {t}, [{q}], [{v}], p)\n")
        });
    }
    let printed = output(Command::new(python).arg(write(folder, "symbolic.py", &main)));
    let mut lines = printed.lines();
    let found = cases.iter().map(|case| small(case).then(|| answers(case, &mut lines)));
    Some(Run { name: "SymPy", answers: found.collect() })
}

fn javascript(cases: &[Case], folder: &Path) -> Option<Run> {
    let node = tool(&["node"], &["--version"])?;
    let mut main = String::from("function show(module, name, t, q, v) {\n    try {\n        ");
    main += "console.log(module[name](t, q, v).join(\" \"));\n    } catch (error) {\n        ";
    main += "if (!(error instanceof module.ConditionError)) throw error;\n        ";
    let _ = writeln!(main, "console.log(`{ANNOUNCED}${{error.condition}}`);\n    }}\n}}");
    for (index, case) in cases.iter().enumerate() {
        write(folder, &format!("m{index}.mjs"), &case.code(Language::JavaScript));
        let _ = writeln!(main, "import * as m{index} from \"./m{index}.mjs\";");
        main += &calls(case, |name, t, q, v| format!("show(m{index}, \"{name}\", {t}, [{q}], [{v}]);\n"));
    }
    let printed = output(Command::new(node).arg(write(folder, "main.mjs", &main)));
    let mut lines = printed.lines();
    Some(Run { name: "JavaScript", answers: cases.iter().map(|case| Some(answers(case, &mut lines))).collect() })
}
