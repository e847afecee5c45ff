//! The whole gallery: a formula that agrees with the kernel, or a reason.

use super::{gallery, solved};
use crate::explicit::Form;

fn models() -> Vec<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery");
    let mut found = Vec::new();
    for folder in std::fs::read_dir(&root).expect("the gallery is there") {
        let folder = folder.expect("and can be read").path();
        for file in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = file.path();
            if path.extension().is_some_and(|e| e == "holo") {
                found.push(path.strip_prefix(&root).expect("inside").to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_model_has_an_answer_that_the_kernel_agrees_with() {
    for path in models() {
        let equations = gallery(&path);
        let begun = std::time::Instant::now();
        let solution = solved(&equations);
        let what = match &solution.form {
            Form::Closed => "closed".to_string(),
            Form::Named { definitions } => format!("named {}", definitions.len()),
            Form::Implicit { reason, .. } => format!("implicit: {reason}"),
            Form::Mismatch(m) => format!("MISMATCH {m:?}"),
        };
        eprintln!("{path}: {what} {:?} {:?} {:?}", solution.ranks, solution.checked, begun.elapsed());
        assert!(!matches!(solution.form, Form::Mismatch(_)), "{path}: {what}");
    }
}
