//! `check` through the sparse kernel: what it says is what the dense one says, and in large models it names what is wrong.

use std::fs;
use std::path::Path;

use holonom::language::{Diagnostic, Folder, from_text, from_text_with};
use holonom::mechanics::compile::CompiledSystem;
use holonom::mechanics::derive::{Equations, derive};
use holonom::simulate::analysis::{CheckOptions, ExpectationOutcome, Report, check};
use holonom_testing::models;

fn with(equations: &Equations, sparse: Option<bool>) -> (Report, Vec<Diagnostic>) {
    look(equations, &CheckOptions { sparse, states: 6, ..CheckOptions::default() })
}

fn look(equations: &Equations, options: &CheckOptions) -> (Report, Vec<Diagnostic>) {
    let found = check(&CompiledSystem::new(equations.clone()), options);
    (found.value, found.messages)
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    let mut codes: Vec<&str> = diagnostics.iter().map(|d| d.code).collect();
    codes.sort_unstable();
    codes
}

/// Everything that both reports say is the same, numbers up to rounding.
fn compare(name: &str, equations: &Equations) -> Result<(), String> {
    let (dense, said) = with(equations, Some(false));
    let (sparse, also) = with(equations, Some(true));
    let near = |a: f64, b: f64, size: f64| (a - b).abs() <= 1e-9 * size || (a.is_nan() && b.is_nan());
    let fail = |what: &str| Err(format!("{name}: {what}\n{dense}\n{sparse}\n{said:#?}\n{also:#?}"));
    if codes(&said) != codes(&also) {
        return fail("other messages");
    }
    if dense.start_is_good != sparse.start_is_good || dense.inferred.len() != sparse.inferred.len() {
        return fail("another start");
    }
    let size = |of: &dyn Fn(&holonom::simulate::analysis::CoordinateReport) -> f64| {
        dense.coordinates.iter().fold(1e-3, |m: f64, c| if of(c).is_finite() { m.max(of(c).abs()) } else { m })
    };
    let accelerations = size(&|c| c.acceleration.unwrap_or(0.0));
    let (positions, velocities) = (size(&|c| c.position), size(&|c| c.velocity));
    let forces = size(&|c| c.impressed.abs().max(c.ideal.abs()).max(c.nonideal.abs()));
    for (a, b) in dense.coordinates.iter().zip(&sparse.coordinates) {
        if !near(a.position, b.position, positions) || !near(a.velocity, b.velocity, velocities) {
            return fail(&format!("{} starts elsewhere", a.name));
        }
        let same = match (a.acceleration, b.acceleration) {
            (Some(x), Some(y)) => near(x, y, accelerations),
            (x, y) => x == y,
        };
        if !same || !near(a.ideal, b.ideal, forces) || !near(a.nonideal, b.nonideal, forces) {
            return fail(&format!("{} moves otherwise", a.name));
        }
    }
    let multipliers = dense.rows.iter().fold(1e-3, |m: f64, r| m.max(r.multiplier.abs()));
    for (a, b) in dense.rows.iter().zip(&sparse.rows) {
        if a.determinate != b.determinate || !near(a.multiplier, b.multiplier, 100.0 * multipliers) {
            return fail(&format!("{} has another multiplier", a.name));
        }
    }
    match (&dense.verdict, &sparse.verdict) {
        (Some(a), Some(b)) => {
            let ranks = |v: &holonom::simulate::analysis::RankVerdict| {
                (v.constraint_rank.rank, v.system_rank.rank, v.mass_rank, v.degrees_of_freedom, v.undetermined.clone())
            };
            let verdicts =
                |v: &holonom::simulate::analysis::RankVerdict| (v.unique, v.consistent, v.balanced, v.unbalanced.len());
            if ranks(a) != ranks(b) || verdicts(a) != verdicts(b) {
                return fail("another verdict");
            }
        }
        (None, None) => {}
        _ => return fail("a verdict is missing"),
    }
    let redundant = |r: &Report| r.redundant.iter().map(|c| c.row.clone()).collect::<Vec<_>>();
    if redundant(&dense) != redundant(&sparse) {
        return fail("other rows are redundant");
    }
    let conflicts = |r: &Report| r.conflicts.iter().map(|c| c.rows.iter().map(|r| r.1.clone()).collect()).collect();
    let (a, b): (Vec<Vec<String>>, Vec<Vec<String>>) = (conflicts(&dense), conflicts(&sparse));
    if a != b {
        return fail("other rows contradict each other");
    }
    let stands = |r: &Report| r.expectations.iter().map(|e| std::mem::discriminant(&e.outcome)).collect::<Vec<_>>();
    if stands(&dense) != stands(&sparse) {
        return fail("expectations came out otherwise");
    }
    Ok(())
}

#[test]
fn both_kernels_say_the_same_of_all_models() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut wrong, mut looked) = (String::new(), 0);
    let folders = ["../../gallery", "tests/pages", "tests/models", "tests/bad"].map(|folder| here.join(folder));
    for path in folders.iter().flat_map(|folder| models(folder)) {
        let text = fs::read_to_string(&path).unwrap();
        let loaded = from_text_with("model.holo", &text, &Folder::new(path.parent().unwrap()), &[]);
        let Some(equations) = loaded.model.and_then(|model| derive(model).ok()).map(|derived| derived.value) else {
            continue;
        };
        if equations.force.len() > 100 {
            continue;
        }
        looked += 1;
        if let Err(what) = compare(&path.to_string_lossy(), &equations) {
            wrong += &what;
        }
    }
    assert!(looked > 60, "{looked}");
    assert!(wrong.is_empty(), "{wrong}");
}

fn equations(text: &str) -> Equations {
    let loaded = from_text("model.holo", text);
    let model = loaded.model.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    derive(model).unwrap_or_else(|errors| panic!("{errors:#?}")).value
}

/// Above this many coordinates and rows the sparse kernel is chosen; a tenth of what is looked at where code is fast.
fn links() -> usize {
    if cfg!(debug_assertions) { 200 } else { 2000 }
}

/// Two states around the start are enough.
fn few() -> CheckOptions {
    CheckOptions { states: 2, ..CheckOptions::default() }
}

/// A straight chain of so many links, 45° from the vertical, at rest; `every` counts links of which one is special.
fn chain(links: usize, every: usize, more: &str) -> String {
    format!(
        "param N = {links}, E = {every}, m = 1, g = 9.81, l = 1/N, a = pi/4
coord x[1..N], y[1..N]
let p[0] = (0, 0), p[i in 1..N] = (x[i], y[i])
constraint rod[i in 1..N]: dot(p[i] - p[i-1], p[i] - p[i-1]) = l^2
start x[i in 1..N] = i*l*sin(a), y[i in 1..N] = -i*l*cos(a)
{more}"
    )
}

const HEAVY: &str = "kinetic m/2*sum(i in 1..N, x[i]'^2 + y[i]'^2)
potential m*g*sum(i in 1..N, y[i])
";

#[test]
fn a_long_chain_moves_as_one() {
    let n = links();
    let expected = "expect fall[i in 1..N]: at start (x[i]'', y[i]'') = -g*sin(a)*(cos(a), sin(a))
expect load[i in 1..N]: at start multiplier(rod[i]) = -(N - i + 1)*m*g*cos(a)/(2*l)
expect constant energy()
";
    let (report, diagnostics) = look(&equations(&chain(n, 1, &format!("{HEAVY}{expected}"))), &few());
    assert!(diagnostics.is_empty(), "{:?}", diagnostics.iter().take(3).collect::<Vec<_>>());
    let verdict = report.verdict.as_ref().unwrap();
    assert_eq!((verdict.constraint_rank.rank, verdict.degrees_of_freedom, verdict.mass_rank), (n, n, 2 * n));
    assert!(
        report.states >= 1 && verdict.rank_around == Some(n),
        "{} states, {:?}",
        report.states,
        verdict.rank_around
    );
    assert!(
        report
            .expectations
            .iter()
            .all(|e| matches!(e.outcome, ExpectationOutcome::HoldsAtStart | ExpectationOutcome::Holds(_)))
    );
    assert!(report.to_string().len() < 10_000);
}

#[test]
fn rods_given_twice_are_named() {
    let (n, every) = (links(), links() / 20);
    let twice = "constraint twin[k in 1..N/E]: dot(p[k*E] - p[k*E-1], p[k*E] - p[k*E-1]) = l^2\n";
    let (report, diagnostics) = look(&equations(&chain(n, every, &format!("{HEAVY}{twice}"))), &few());
    assert!(diagnostics.iter().all(|d| d.code == "redundant") && diagnostics.len() == 12, "{diagnostics:#?}");
    assert_eq!(report.redundant.len(), 20);
    for (k, redundant) in report.redundant.iter().enumerate() {
        assert_eq!(redundant.row, format!("twin[{}]", k + 1));
        assert_eq!(redundant.of.len(), 1);
        assert_eq!(redundant.of[0].1, format!("rod[{}]", (k + 1) * every));
        assert!((redundant.of[0].0 - 1.0).abs() < 1e-9 && redundant.everywhere);
    }
    let open = report.rows.iter().filter(|row| !row.determinate).count();
    let verdict = report.verdict.as_ref().unwrap();
    assert_eq!((verdict.constraint_rank.rank, open, verdict.unique), (n, 40, true));
}

#[test]
fn links_without_mass_are_named() {
    let (n, every) = (links(), links() / 20);
    // All but every E-th point weigh something.
    let light = "kinetic m/2*sum(i in 1..N, x[i]'^2 + y[i]'^2) - m/2*sum(k in 1..N/E, x[k*E]'^2 + y[k*E]'^2)
potential m*g*sum(i in 1..N, y[i]) - m*g*sum(k in 1..N/E, y[k*E])
";
    let (report, diagnostics) = look(&equations(&chain(n, every, light)), &few());
    let names: Vec<String> =
        (1..=20).flat_map(|k| [format!("x[{}]", k * every), format!("y[{}]", k * every)]).collect();
    let verdict = report.verdict.as_ref().unwrap();
    // In a straight line the points without mass may move sideways as they like; the last one hangs free.
    assert!(codes(&diagnostics).contains(&"not-unique"), "{diagnostics:#?}");
    assert_eq!(
        (verdict.undetermined.clone(), verdict.system_rank.rank, verdict.mass_rank),
        (names, 2 * n - 20, 2 * n - 40)
    );
    // `free zero` takes that as the author's wish.
    let (report, diagnostics) = look(&equations(&chain(n, every, &format!("{light}free zero\n"))), &few());
    // That constraints may be hidden in a model as large as this is left open, and said.
    assert!(codes(&diagnostics).iter().all(|code| *code == "hidden-unsettled"), "{diagnostics:#?}");
    assert!(report.verdict.unwrap().unique);
}

#[test]
fn a_contradiction_is_named() {
    let n = links();
    let middle = n / 2;
    let other =
        format!("{HEAVY}constraint longer: dot(p[{middle}] - p[{middle}-1], p[{middle}] - p[{middle}-1]) = 4*l^2\n");
    let (report, diagnostics) = look(&equations(&chain(n, 1, &other)), &few());
    assert_eq!(diagnostics[0].code, "contradiction", "{:?}", &diagnostics[0]);
    let rows: Vec<&str> = report.conflicts[0].rows.iter().map(|(_, row)| row.as_str()).collect();
    assert_eq!((rows, report.conflicts.len()), (vec![&format!("rod[{middle}]")[..], "longer"], 1));
    assert!(!report.start_is_good);
}

#[test]
fn start_values_that_are_missing_or_wrong_are_found() {
    let n = links();
    // The whole chain hangs from its given abscissae.
    let hanging = chain(n, 1, HEAVY).replace(", y[i in 1..N] = -i*l*cos(a)", ", y[i in 1..N] ~ -1.1*i*l*cos(a)");
    let (report, diagnostics) = look(&equations(&hanging), &few());
    assert!(diagnostics.is_empty(), "{:?}", &diagnostics[0]);
    let tip = report.coordinates.iter().find(|c| c.name == format!("y[{n}]")).unwrap();
    assert!((tip.position + 0.5f64.sqrt()).abs() < 1e-9, "{}", tip.position);
    // Too short by a thousandth: named, and assembled where that is asked for.
    let short = chain(n, 1, HEAVY).replace("= i*l*sin(a)", "= 0.999*i*l*sin(a)");
    let wrong = equations(&short);
    let (report, diagnostics) = look(&wrong, &few());
    assert!(diagnostics.iter().all(|d| d.code == "start-inconsistent") && diagnostics.len() == 100);
    assert!(!report.start_is_good);
    let (report, diagnostics) = look(&wrong, &CheckOptions { assemble: true, ..few() });
    assert!(diagnostics.is_empty() && report.start_is_good, "{diagnostics:#?}");
    // Nothing says where any link is: as many values are missing as there are links.
    let nowhere = chain(n, 1, HEAVY).replace("start", "# start");
    let (_, diagnostics) = look(&equations(&nowhere), &few());
    assert!(codes(&diagnostics).iter().all(|code| *code == "start-missing"), "{diagnostics:#?}");
    // Nothing says where the last link is.
    let open = chain(n, 1, HEAVY)
        .replace("start x[i in 1..N] = i*l*sin(a), y[i in 1..N]", "start x[i in 1..N-1] = i*l*sin(a), y[i in 1..N-1]");
    let (_, diagnostics) = look(&equations(&open), &few());
    assert_eq!(codes(&diagnostics), ["start-missing"], "{diagnostics:#?}");
}

#[test]
fn a_force_that_is_not_ideal_acts_in_large_models() {
    let text = chain(40, 1, &format!("{HEAVY}nonideal rod[N] on p[N]: (1, 2)\n"));
    let equations = equations(&text);
    compare("chain with a force", &equations).unwrap();
}

#[test]
fn a_chain_without_any_mass_takes_no_more_room_than_it_has() {
    // As many directions are open as there are links, and each moves all links after it.
    let n = 2 * links();
    let zigzag = "start x[i in 1..N] = 0.8*i*l, y[i in 1..N] = 0.3*l*(1 - (-1)^i)";
    let straight = "start x[i in 1..N] = i*l*sin(a), y[i in 1..N] = -i*l*cos(a)";
    let nothing = chain(n, 1, "kinetic 0*x[1]'^2\n").replace(straight, zigzag);
    let (report, diagnostics) = look(&equations(&nothing), &few());
    let verdict = report.verdict.as_ref().unwrap_or_else(|| panic!("{diagnostics:#?}"));
    assert_eq!((verdict.undetermined.len(), verdict.system_rank.rank, verdict.mass_rank), (2 * n, n, 0));
    assert!(codes(&diagnostics).contains(&"not-unique"));
    let (_, diagnostics) = look(&equations(&format!("{nothing}free zero\n")), &few());
    assert_eq!(diagnostics[0].code, "block-too-large", "{:?}", diagnostics[0]);
}

/// Ten thousand links, a hundred rods given twice and a hundred points without mass; then one rod that is to be twice as long.
#[test]
fn ten_thousand_links_are_told_apart() {
    let (n, every) = (10_000, 100);
    let odd = "kinetic m/2*sum(i in 1..N, x[i]'^2 + y[i]'^2) - m/2*sum(k in 1..N/E, x[k*E]'^2 + y[k*E]'^2)
potential m*g*sum(i in 1..N, y[i]) - m*g*sum(k in 1..N/E, y[k*E])
constraint twin[k in 1..N/E]: dot(p[k*E-50] - p[k*E-51], p[k*E-50] - p[k*E-51]) = l^2
";
    let states = CheckOptions { states: 0, ..CheckOptions::default() };
    let (report, diagnostics) = look(&equations(&chain(n, every, odd)), &states);
    assert!(codes(&diagnostics).contains(&"not-unique"), "{:?}", codes(&diagnostics));
    let twins: Vec<(String, String)> = report.redundant.iter().map(|r| (r.row.clone(), r.of[0].1.clone())).collect();
    let expected = (1..=100).map(|k| (format!("twin[{k}]"), format!("rod[{}]", k * every - 50)));
    assert_eq!(twins, expected.collect::<Vec<_>>());
    let light = (1..=100).flat_map(|k| [format!("x[{}]", k * every), format!("y[{}]", k * every)]);
    let verdict = report.verdict.as_ref().unwrap();
    assert_eq!(verdict.undetermined, light.collect::<Vec<_>>());
    assert_eq!(
        (verdict.constraint_rank.rank, verdict.system_rank.rank, verdict.mass_rank),
        (n, 2 * n - 100, 2 * n - 200)
    );

    let longer = format!("{HEAVY}constraint longer: dot(p[777] - p[776], p[777] - p[776]) = 4*l^2\n");
    let (report, diagnostics) = look(&equations(&chain(n, 1, &longer)), &states);
    assert_eq!(diagnostics[0].code, "contradiction", "{:?}", &diagnostics[0]);
    let rows: Vec<&str> = report.conflicts[0].rows.iter().map(|(_, row)| row.as_str()).collect();
    assert_eq!((rows, report.conflicts.len()), (vec!["rod[777]", "longer"], 1));
}
