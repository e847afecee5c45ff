//! Every model in the repository keeps its meaning when it is laid out and when it goes to JSON and back, and models
//! that were damaged are laid out the same way or refused.

use std::fs;
use std::path::{Path, PathBuf};

use holonom::language::{Diagnostic, FileId, format, from_json, parse, print, same_meaning, to_json};

fn models() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            if path.is_dir() && !hidden && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "holo") {
                found.extend(fs::read_to_string(&path).ok().map(|text| (path, text)));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "there are models in this repository");
    found
}

fn is_good(diagnostics: &[Diagnostic]) -> bool {
    !diagnostics.iter().any(Diagnostic::is_error)
}

#[test]
fn models_keep_their_meaning() {
    for (path, text) in models() {
        let path = path.display();
        let (document, errors) = parse(FileId(0), &text);
        if !is_good(&errors) {
            continue; // one of the catalogue of mistakes
        }
        let once = format(&document, &text).expect("without errors nothing is broken");
        let (again, errors) = parse(FileId(0), &once);
        assert!(is_good(&errors) && same_meaning(&document, &again), "{path}\n{once}\n{errors:#?}");
        assert_eq!(again.comments.len(), document.comments.len(), "{path}\n{once}");
        assert_eq!(format(&again, &once).as_deref(), Some(once.as_str()), "{path}");

        let printed = print(&document).expect("without errors nothing is broken");
        assert!(same_meaning(&document, &parse(FileId(0), &printed).0), "{path}\n{printed}");

        let json = to_json(&document).expect("without errors nothing is broken");
        let (back, errors) = from_json(FileId(0), &json);
        assert!(is_good(&errors) && same_meaning(&document, &back), "{path}\n{json}\n{errors:#?}");
    }
}

#[test]
fn damaged_models_are_refused_or_keep_their_meaning() {
    let signs =
        ["(", ")", "[", "]", ",", "\n", "\n  ", " # c\n  ", "#", "'", "-", "*", "2 ", " m", ":", "=", "\"", "\r"];
    let mut state = 1_u64;
    let mut random = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    for (path, text) in models() {
        for _ in 0..20 {
            let mut damaged = text.clone();
            for _ in 0..1 + random(3) {
                let at = damaged.floor_char_boundary(random(damaged.len() + 1));
                let end = damaged.floor_char_boundary((at + random(4)).min(damaged.len())).max(at);
                damaged.replace_range(at..end, signs[random(signs.len())]);
            }
            let (document, errors) = parse(FileId(0), &damaged);
            let laid_out = format(&document, &damaged);
            let json = to_json(&document);
            if !is_good(&errors) {
                continue;
            }
            let once = laid_out.expect("without errors nothing is broken");
            let (again, errors) = parse(FileId(0), &once);
            let path = path.display();
            assert!(is_good(&errors) && same_meaning(&document, &again), "{path}\n{damaged}\n---\n{once}\n{errors:#?}");
            assert_eq!(again.comments.len(), document.comments.len(), "{path}\n{damaged}\n---\n{once}");
            assert_eq!(format(&again, &once).as_deref(), Some(once.as_str()), "{path}\n{damaged}");
            let json = json.expect("without errors nothing is broken");
            let (back, errors) = from_json(FileId(0), &json);
            assert!(is_good(&errors) && same_meaning(&document, &back), "{path}\n{json}\n{errors:#?}");
        }
    }
}
