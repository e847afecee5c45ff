//! The guides: every model in them is one.

use std::fs;
use std::path::Path;

use holonom::integrate::End;

mod checking;

/// The models of a page.
fn models(page: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book").join(page);
    let text = fs::read_to_string(path).unwrap();
    let blocks = text.split("```holo\n").skip(1);
    blocks.filter_map(|rest| rest.split("```").next()).map(str::to_string).collect()
}

#[test]
fn models_in_the_guide_are_without_fault() {
    for (page, least) in [("language.md", 4), ("running.md", 5), ("explaining.md", 1)] {
        let models = models(page);
        assert!(models.len() >= least, "{} models in {page}", models.len());
        for model in models {
            let checked = checking::check_text(&model, Path::new("."));
            assert!(!checked.has_errors(), "{model}\n{}", checked.text());
        }
    }
}

#[test]
fn models_in_the_guide_to_runs_run() {
    for model in models("running.md") {
        let ran = checking::run_text(&model, Path::new("."), 20_000);
        assert!(!ran.has_errors(), "{model}\n{}", ran.text());
        assert!(matches!(ran.end, Some(End::Finished | End::Stopped { .. })), "{model}\n{:?}", ran.end);
    }
}
