//! The guide: every model in it is one.

use std::fs;
use std::path::Path;

mod checking;

#[test]
fn models_in_the_guide_are_without_fault() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/language.md");
    let text = fs::read_to_string(page).unwrap();
    let models: Vec<&str> = text.split("```holo\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(models.len() >= 4, "{} models", models.len());
    for model in models {
        let checked = checking::check_text(model, Path::new("."));
        assert!(!checked.has_errors(), "{model}\n{}", checked.text());
    }
}
