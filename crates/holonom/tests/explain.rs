//! The page of every model of the gallery, in every form.

use std::fs;
use std::path::Path;
use std::process::Command;

use holonom::explain::explicit::{self, solve};
use holonom::explain::{Explained, Part, Request, explain};
use holonom::language::{from_text, load};
use holonom::mechanics::derive::{Equations, derive};
use holonom::symbols::algebra::Budget;
use holonom::symbols::expr::Language;
use holonom_testing::{gallery, models};

/// Work allowed for one page: a model that would need more gets its implicit form.
const WORK: u64 = 20_000_000;

/// What `explain` says of a file; nothing for parts of models, which are none by themselves.
fn explained(file: &Path, steps: bool) -> Option<(Equations, Explained)> {
    let equations = derive(load(file).model?).ok()?.value;
    let request = Request { steps, ..Request::default() };
    let explanation = explain(&equations, &request, &Budget::new(WORK));
    Some((equations, explanation.unwrap_or_else(|refusal| panic!("{}: {refusal:?}", file.display()))))
}

/// Columns that a line takes in a terminal: what is put over a letter takes none.
fn columns(line: &str) -> usize {
    line.chars().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).count()
}

#[test]
fn every_model_of_the_gallery_has_its_page() {
    let mut closed = 0;
    for file in models(&gallery()) {
        let Some((_, explanation)) = explained(&file, false) else { continue };
        closed += usize::from(explanation.solution.is_explicit());
        let text = explanation.page.unicode(80, false);
        let wide = text.lines().find(|line| columns(line) > 80);
        assert_eq!(wide, None, "{}", file.display());
        let html = explanation.page.html();
        assert!(html.contains("<math") && !html.contains("src=") && !html.contains("href="), "{}", file.display());
        assert!(explanation.page.markdown().contains("$$"), "{}", file.display());
    }
    assert!(closed >= 35, "{closed} models have a closed form");
}

/// The LaTeX of every page compiles. Where there is no LaTeX this says nothing, unless `HOLONOM_REQUIRE_TOOLS` is set.
#[test]
fn latex_compiles() {
    if Command::new("pdflatex").arg("--version").output().is_err() {
        assert!(std::env::var_os("HOLONOM_REQUIRE_TOOLS").is_none(), "pdflatex is missing; .ci/setup installs it");
        eprintln!("pdflatex is missing: nothing was compiled; .ci/setup installs it");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explained");
    fs::create_dir_all(&folder).unwrap();
    for (number, file) in models(&gallery()).into_iter().enumerate() {
        // With all steps where that does not take long.
        let steps = number % 4 == 0;
        let Some((_, explanation)) = explained(&file, steps) else { continue };
        let name = format!("page{number}");
        fs::write(folder.join(&name).with_extension("tex"), explanation.page.latex()).unwrap();
        let ran = Command::new("pdflatex")
            .args(["-interaction=nonstopmode", "-halt-on-error", &name])
            .current_dir(&folder)
            .output()
            .unwrap();
        let log = String::from_utf8_lossy(&ran.stdout);
        let wrong: Vec<&str> = log.lines().skip_while(|line| !line.starts_with('!')).take(8).collect();
        assert!(ran.status.success(), "{}: {}", file.display(), wrong.join("\n"));
    }
}

/// The papers' formulas in SymPy, over the names of the generated scripts: the model, what is meant by short names, and q̈.
const PAPERS: &[(&str, &str, &[&str])] = &[
    // 2006, (5.17)
    ("wheel/wheel", "", &["m*g*R*sp.sin(alpha)/(m*R**2 + Ic)", "m*g*R**2*sp.sin(alpha)**2/(m*R**2 + Ic)"]),
    // 2006, (5.23) with η = 0
    (
        "virtual-particle/virtual-particle",
        "",
        &["m*g*R*sp.sin(alpha)/(m*R**2 + Ic)", "m*g*R**2*sp.sin(alpha)**2/(m*R**2 + Ic)", "0"],
    ),
    // 2006, (5.39)
    (
        "two-masses/two-masses",
        "x, y = q[0] - p[names.index('one.l0')], q[2] - p[names.index('two.l0')]\n\
         m1, m2, k1, k2 = (p[names.index(name)] for name in ('one.m', 'two.m', 'one.k', 'two.k'))",
        &["(-k1*x + k2*y)/m1", "(-k1*x + k2*y)/m1", "-(-k1*x + k2*y)/m1 - k2*y/m2"],
    ),
    // 2006, (5.47)
    (
        "massless-first/massless-first",
        "",
        &[
            "-k1*k2**2*(x1 + q2)/(m2*(k1 + k2)**2)",
            "-k1*k2**2*(x1 + q2)/(m2*(k1 + k2)**2)",
            "-k1**2*k2*(x1 + q2)/(m2*(k1 + k2)**2)",
        ],
    ),
    // 2006, (5.56)
    ("massless-second/massless-second", "", &["-k1*x1/m1", "-k1*x1/m1", "0"]),
    // 2005, general principle, (30); dg/dt is 2 here
    (
        "appell/appell",
        "a, b, c = v\nu = sp.sqrt(a**2 + b**2 + c**2)\nw = (2*alpha - a*Fx - b*Fy + c*Fz)/u**2",
        &["Fx + w*a - a0/u*2*a*c**2", "Fy + w*b - a0/u*2*b*c**2", "Fz - w*c - a0/u*2*c*(a**2 + b**2)"],
    ),
    // 2005, general principle, (39)
    (
        "block/by-hand",
        "s = sp.sign(v[0])",
        &[
            "-g*sp.sin(theta)*sp.cos(theta) - mu*g*sp.cos(theta)**2*s",
            "-g + g*sp.cos(theta)**2 - mu*g*sp.cos(theta)*sp.sin(theta)*s",
        ],
    ),
    // 2005, theoretical or experimental, (32)
    ("bead/bead", "", &["-g*k/(k**2 + 1) + (1 + 2*k)/(k**2 + 1)", "-g + g/(k**2 + 1) + (1 + 2*k)*k/(k**2 + 1)"]),
];

/// The closed forms of the papers' examples are theirs, by somebody else's algebra. Where there is no SymPy this says nothing, unless
/// `HOLONOM_REQUIRE_TOOLS` is set.
#[test]
fn sympy_finds_the_papers_formulas() {
    let python = "/usr/bin/python3";
    let has = Command::new(python).args(["-c", "import sympy"]).output().is_ok_and(|output| output.status.success());
    if !has {
        assert!(std::env::var_os("HOLONOM_REQUIRE_TOOLS").is_none(), "SymPy is missing; .ci/setup installs it");
        eprintln!("SymPy is missing: nothing was compared; .ci/setup installs it");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sympy");
    fs::create_dir_all(&folder).unwrap();
    let mut files = Vec::new();
    for (number, (name, meaning, formulas)) in PAPERS.iter().enumerate() {
        let file = gallery().join(name).with_extension("holo");
        let equations = derive(load(&file).model.unwrap()).unwrap().value;
        let request = Request { only: vec![Part::Acceleration], ..Request::default() };
        let explanation = explain(&equations, &request, &Budget::new(WORK)).unwrap();
        let mut script = explanation.code(&equations, &request, Language::SymPy).unwrap();
        let names: Vec<&str> = equations.model.parameters.iter().map(|parameter| &parameter.name[..]).collect();
        script += &format!(
            "\nnames = {names:?}\n{meaning}\npaper = sp.Matrix([{}])\nrest = (acceleration - paper).applyfunc(sp.simplify)\n\
             assert rest == sp.zeros(*rest.shape), rest\nwrong = (acceleration + paper).applyfunc(sp.simplify)\n\
             assert wrong != sp.zeros(*wrong.shape)\n",
            formulas.join(", ")
        );
        let path = folder.join(format!("example{number}.py"));
        fs::write(&path, script).unwrap();
        files.push(path.display().to_string());
    }
    let all = format!("for file in {files:?}:\n    exec(compile(open(file).read(), file, 'exec'), {{}})");
    let ran = Command::new(python).args(["-c", &all]).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

/// Time is an unknown where zeros of denominators are looked for: a rail that turns is level at one moment, and then says nothing about
/// x, which has no mass. Appell's particle can be at rest where g(t) = 0.
#[test]
fn formulas_say_at_which_times_they_hold() {
    let conditions = |equations: &Equations| {
        let solution = solve(equations, &explicit::SolveOptions::default(), &Budget::new(WORK));
        assert!(solution.is_explicit(), "{:?}", solution.form);
        solution.conditions.len()
    };
    let rail = |slope: &str| {
        let text = format!(
            "param m = 1, g = 9.81\ncoord x, y\nkinetic m*y'^2/2\npotential m*g*y\nconstraint rail: ({slope})*x + y = 1\n\
             start y = 2, y' = 0.5\n"
        );
        conditions(&derive(from_text("rail.holo", &text).model.unwrap()).unwrap().value)
    };
    assert!(rail("t - 3") > 0 && rail("sin(t) - 1/2") > 0);
    assert_eq!(rail("t^2 + 3") + rail("sin(t) - 2"), 0);
    let appell = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery/appell/appell.holo");
    assert!(conditions(&derive(load(&appell).model.unwrap()).unwrap().value) > 0);
}
