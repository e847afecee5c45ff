//! Library code takes elementary functions from this crate: a scan of the sources, and the bits themselves.

use holonom_elementary as elementary;
use std::fs;
use std::path::{Path, PathBuf};

/// What `std` takes from the platform's C library, or leaves open.
const FUNCTIONS: [&str; 26] = [
    "sin", "cos", "sin_cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    "exp", "exp2", "exp_m1", "ln", "ln_1p", "log", "log2", "log10", "powf", "powi", "cbrt", "hypot",
];

/// Crates for tests: no number of theirs reaches a user.
const FOR_TESTS: [&str; 5] = ["browser", "laws", "reference", "testing", "twins"];

/// Sources that are compiled for tests only, although their path does not say so.
const TEST_FILES: [&str; 2] = ["kernel/src/motion/dust.rs", "mechanics/src/compile/random.rs"];

/// Sources whose only such functions are powers of two, which are exact everywhere.
const EXACT: [&str; 1] = ["random/src/lib.rs"];

fn is_test(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.next().is_some_and(|name| FOR_TESTS.contains(&name))
        || path.split('/').any(|part| part == "tests" || part == "tests.rs" || part.starts_with("tests_"))
        || TEST_FILES.contains(&path)
}

/// The Rust files of the library, with their paths from `crates/`.
fn sources() -> Vec<(String, String)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<PathBuf> =
        fs::read_dir(&crates).unwrap().map(|entry| entry.unwrap().path().join("src")).collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let parts: Vec<_> =
                    path.strip_prefix(&crates).unwrap().iter().map(|part| part.to_str().unwrap()).collect();
                found.push((parts.join("/"), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.retain(|(path, _)| !is_test(path) && !EXACT.contains(&path.as_str()));
    found.sort();
    found
}

/// Code without texts, comments and the tests at its end, line by line.
fn code(text: &str) -> Vec<String> {
    let is_end = |rest: &str| {
        rest.starts_with("#[cfg(test)]\nmod ") && rest.lines().nth(1).is_some_and(|line| line.ends_with('{'))
    };
    let end = text.match_indices("#[cfg(test)]").find(|(at, _)| is_end(&text[*at..])).map_or(text.len(), |(at, _)| at);
    let plain = |line: &str| -> String { line.split('"').step_by(2).collect::<Vec<_>>().join("\"") };
    text[..end].lines().map(|line| plain(line).split("//").next().unwrap_or("").to_string()).collect()
}

/// The first function in a line of code that is not ours.
fn foreign(line: &str) -> Option<&str> {
    let goes_on = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let called = |name: &&&str| {
        let after = |mark: &str, good: &dyn Fn(&str) -> bool| {
            let rests = line.match_indices(mark).filter_map(|(at, _)| line[at + mark.len()..].strip_prefix(**name));
            rests.filter(|rest| good(rest)).count() > 0
        };
        // The square is one product on every machine; what becomes of other powers is left to the compiler.
        let square = |rest: &str| **name == "powi" && rest.starts_with("(2)");
        after(".", &|rest| rest.starts_with('(') && !square(rest))
            || ["f64::", "f32::"].iter().any(|float| after(float, &|rest| !goes_on(rest)))
    };
    FUNCTIONS.iter().find(called).copied()
}

#[test]
fn functions_of_std_are_found() {
    for line in [
        "x.sin()",
        "let f = f64::exp;",
        "(a + b).hypot(c)",
        "x.powi(3)",
        "xs.map(f64::ln)",
        "x.powf(y) // why",
        "f64::powi(x, 3)",
    ] {
        assert!(foreign(&code(line)[0]).is_some(), "{line}");
    }
    for line in [
        "elementary::sin(x)",
        "elementary::powi(x, 3)",
        "x.powi(2)",
        "x.sqrt()",
        "f64::expected",
        "\"{}.powf({y})\"",
        "// x.sin()",
        "a.exponent()",
    ] {
        assert_eq!(foreign(&code(line)[0]), None, "{line}");
    }
}

#[test]
fn library_code_takes_elementary_functions_from_here() {
    let sources = sources();
    assert!(sources.len() > 300, "{} sources: the library is not where it was", sources.len());
    let mut found = Vec::new();
    for (path, text) in &sources {
        for (number, line) in code(text).iter().enumerate() {
            found.extend(foreign(line).map(|name| format!("crates/{path}:{}: `{name}` of std", number + 1)));
        }
    }
    assert!(
        found.is_empty(),
        "write `elementary::NAME(x)` instead, with `use holonom_elementary as elementary`:\n{}",
        found.join("\n")
    );
}

/// The bits of many values, folded into one number: it is the same on every machine.
fn folded(values: impl Iterator<Item = f64>) -> u64 {
    values.fold(0xcbf2_9ce4_8422_2325, |hash, value| {
        let bits = if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() };
        (hash ^ bits).wrapping_mul(0x0100_0000_01b3).rotate_left(23)
    })
}

/// Numbers of all sizes and both signs, most of them near 1, with the special ones.
fn arguments() -> Vec<f64> {
    let mut state = 11u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let mut list: Vec<f64> = (0..20_000)
        .map(|i| random() * elementary::powi(2.0, if i % 4 == 0 { i / 100 - 100 } else { i % 8 - 2 }))
        .collect();
    list.extend([
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::MIN_POSITIVE,
        5e-324,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ]);
    list.extend((0..2000).map(|i| std::f64::consts::FRAC_PI_2 * f64::from(i - 1000)));
    list
}

#[test]
fn the_bits_are_the_same_everywhere() {
    type Case = (&'static str, fn(f64, f64) -> f64, u64);
    const CASES: [Case; 19] = [
        ("sin", |x, _| elementary::sin(x), 0x0a49_f2fc_b102_59db),
        ("cos", |x, _| elementary::cos(x), 0xd848_69d6_9458_ee17),
        ("tan", |x, _| elementary::tan(x), 0x60be_4413_0f16_2cd0),
        ("asin", |x, _| elementary::asin(x), 0xd554_bf07_87a9_57d5),
        ("acos", |x, _| elementary::acos(x), 0xced1_9bec_02ef_1188),
        ("atan", |x, _| elementary::atan(x), 0x3969_bc19_e2cf_37a1),
        ("atan2", elementary::atan2, 0x046a_b40a_d7c4_cc6b),
        ("sinh", |x, _| elementary::sinh(x), 0x0bfc_88e0_905a_2a6f),
        ("cosh", |x, _| elementary::cosh(x), 0xdf0d_2eaf_17ac_81db),
        ("tanh", |x, _| elementary::tanh(x), 0xe482_6616_3e17_d7be),
        ("exp", |x, _| elementary::exp(x), 0xf27c_35ee_31fb_efb7),
        ("exp2", |x, _| elementary::exp2(x), 0x896c_b66c_36e1_acf7),
        ("ln", |x, _| elementary::ln(x), 0x8a50_9199_f213_54c1),
        ("log2", |x, _| elementary::log2(x), 0x2f00_2529_245b_ddd4),
        ("log10", |x, _| elementary::log10(x), 0xb948_9a5d_326f_e1e4),
        ("powf", |x, y| elementary::powf(x.abs(), y), 0x0316_ce2b_471a_f2d6),
        ("powi", |x, y| elementary::powi(x, y as i32), 0xf00c_31f5_1101_df00),
        ("cbrt", |x, _| elementary::cbrt(x), 0xeaff_1711_b23b_efd7),
        ("hypot", elementary::hypot, 0xe3ca_1754_a606_25d6),
    ];
    let list = arguments();
    for (name, function, expected) in CASES {
        let found = folded(list.iter().zip(list.iter().rev()).map(|(&x, &y)| function(x, y)));
        assert_eq!(found, expected, "{name}: {found:#018x}");
    }
}
