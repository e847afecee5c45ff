//! The catalogue of mistakes: each bad model gets the message that is meant for it, and each code has a page.
//!
//! `tests/bad/NAME.holo` begins with `# expect: code`, and `NAME.txt` beside it is the message in full, as a reader sees it.
//! What only a run says has its models on the pages, which are run.
//! `HOLONOM_BLESS=1 cargo test -p holonom --test catalogue` writes the messages anew; read them before they are kept.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use holonom::language::CODES;
use holonom::simulate::integrate::End;

mod checking;

use checking::check;

/// Models that are too large to keep as files, with the code that they get.
fn generated() -> Vec<(&'static str, String)> {
    let start = "title Too much\ncoord x\nkinetic x'^2/2\nstart x = 0\n";
    let long = format!("{start}{}", "# and so on\n".repeat(500_000));
    let wrong = format!("{start}{}", "potential x**2\n".repeat(200));
    vec![("file-too-large", long), ("too-many-errors", wrong)]
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The files of a folder and, where asked, of all below it, that end in `.extension`, in order.
fn files(folder: &Path, extension: &str, deep: bool) -> Vec<PathBuf> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && deep {
            found.extend(files(&path, extension, true));
        } else if path.extension().is_some_and(|end| end == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The codes of `# expect: one, two` in the first line.
fn expected(text: &str) -> BTreeSet<&str> {
    let first = text.lines().next().and_then(|line| line.strip_prefix("# expect: "));
    first.map_or_else(BTreeSet::new, |codes| codes.split(", ").collect())
}

/// Codes that no text of a model can cause: they belong to builders, to values set from outside, and to stages that
/// are handed what an earlier one would have refused.
const NOT_FROM_TEXT: [&str; 24] = [
    "bad-state",
    "setting-unit",
    "unknown-column",
    "no-formula",
    "formula-mismatch",
    "mass-not-symmetric",
    "start-cycle",
    "bad-json",
    "json-statement",
    "json-type",
    "json-version",
    "missing-key",
    "unknown-key",
    "repeated-key",
    "not-one-item",
    "hidden-unsettled",
    "second-statement",
    "unknown-parameter",
    "no-motion",
    "run-uncertain",
    "principles-singular",
    "expect-not-checked",
    "acceleration-in-energy",
    "velocity-in-point",
];

/// Codes that only a run can give. What it says hangs on every digit of a motion, so their models stand on their pages alone.
const OF_RUNS: [&str; 22] = [
    "output-not-finite",
    "run-until",
    "run-setting",
    "run-steps",
    "run-stuck",
    "run-lost",
    "run-failed",
    "run-chatter",
    "run-crawl",
    "tolerance-rounding",
    "energy-imbalance",
    "constraints-missed",
    "stiff",
    "event-at-start",
    "event-held",
    "event-zeno",
    "event-impossible",
    "add-violated",
    "switch-chatters",
    "switch-slides",
    "touch-unclear",
    "expect-failed",
];
/// The steps that models on those pages may take.
const STEPS: u64 = 2000;
/// … but one, which is about many of them.
const CRAWL_STEPS: u64 = 50_000;

/// The crates whose messages have codes.
const LIBRARY: [&str; 9] =
    ["symbols", "language", "mechanics", "simulate", "explain", "picture", "output", "sweep", "holonom"];

/// The codes of the registry that no source gives.
fn idle() -> Vec<&'static str> {
    let is_test = |path: &Path| path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs");
    let sources = LIBRARY.iter().flat_map(|of| files(&here(&format!("../{of}/src")), "rs", true));
    let sources = sources.filter(|path| !is_test(path) && !path.ends_with("codes.rs"));
    let text: String = sources.map(|path| fs::read_to_string(path).unwrap()).collect();
    CODES.iter().copied().filter(|code| !text.contains(&format!("\"{code}\""))).collect()
}

/// The first fenced block of a page that begins with the given words.
fn block<'a>(page: &'a str, fence: &str) -> Option<&'a str> {
    let begin = page.find(&format!("```{fence}\n"))? + fence.len() + 4;
    let length = page[begin..].find("```")?;
    Some(&page[begin..begin + length])
}

#[test]
fn every_bad_model_gets_its_message() {
    let bless = std::env::var_os("HOLONOM_BLESS").is_some();
    let (mut wrong, mut count) = (String::new(), 0);
    for path in files(&here("tests/bad"), "holo", false) {
        count += 1;
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let checked = check(&path);
        let (expected, found) = (expected(&text), checked.codes());
        if expected.is_empty() || !expected.iter().all(|code| found.contains(code)) {
            wrong += &format!("{name}: expected {expected:?}, found {found:?}\n");
        }
        let message = path.with_extension("txt");
        if bless {
            fs::write(message, checked.text()).unwrap();
        } else if fs::read_to_string(message).unwrap_or_default() != checked.text() {
            wrong += &format!("{name}: another message than {name}.txt\n{}\n", checked.text());
        }
    }
    assert!(count >= 60, "only {count} bad models");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_code_has_a_page_and_a_bad_model() {
    let mut shown: BTreeSet<String> = generated().into_iter().map(|(code, _)| code.to_string()).collect();
    for path in files(&here("tests/bad"), "holo", false) {
        let text = fs::read_to_string(path).unwrap();
        shown.extend(expected(&text).into_iter().map(str::to_string));
    }
    let pages = here("../../errors");
    let codes: BTreeSet<String> = CODES.iter().map(|code| code.to_string()).collect();
    assert!(CODES.is_sorted(), "the registry is in alphabetical order");
    let without_page: Vec<_> = codes.iter().filter(|code| !pages.join(format!("{code}.md")).exists()).collect();
    let elsewhere = |code: &str| NOT_FROM_TEXT.contains(&code) || OF_RUNS.contains(&code);
    let without_model: Vec<_> = codes.difference(&shown).filter(|code| !elsewhere(code)).collect();
    let stale: Vec<_> = files(&pages, "md", false)
        .into_iter()
        .map(|page| page.file_stem().unwrap().to_string_lossy().into_owned())
        .filter(|page| page != "README" && !codes.contains(page))
        .collect();
    assert!(without_page.is_empty(), "no page in errors/ for {without_page:?}");
    assert!(without_model.is_empty(), "no model in tests/bad for {without_model:?}");
    assert!(stale.is_empty(), "pages for codes that are not in the registry: {stale:?}");
    assert!(idle().is_empty(), "codes that nothing gives: {:?}", idle());
}

#[test]
fn pages_show_what_they_say() {
    let mut wrong = String::new();
    for page in files(&here("../../errors"), "md", false) {
        let code = page.file_stem().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&page).unwrap();
        if code == "README" {
            continue;
        }
        if !text.starts_with(&format!("# {code}\n")) {
            wrong += &format!("{code}: the title is not the code\n");
        }
        let runs = OF_RUNS.contains(&code.as_str());
        let look = |model: &str| {
            let folder = here("tests/bad");
            let steps = if code == "run-crawl" { CRAWL_STEPS } else { STEPS };
            if runs { checking::run_text(model, &folder, steps) } else { checking::check_text(model, &folder) }
        };
        if let Some(bad) = block(&text, "holo bad") {
            let found = look(bad);
            if !found.codes().contains(code.as_str()) {
                wrong += &format!("{code}: the bad model gives {:?}\n", found.codes());
            }
        }
        match block(&text, "holo good") {
            Some(good) => {
                let found = look(good);
                let unfinished = runs && found.end != Some(End::Finished);
                if unfinished || found.has_errors() || found.codes().contains(code.as_str()) {
                    wrong += &format!("{code}: the good model gives\n{}\n", found.text());
                }
            }
            None => wrong += &format!("{code}: no good model\n"),
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn what_is_too_large_is_refused() {
    for (code, text) in generated() {
        let found = checking::check_text(&text, &here("tests/bad"));
        assert!(found.codes().contains(code), "{code}: {:?}", found.codes());
    }
}
