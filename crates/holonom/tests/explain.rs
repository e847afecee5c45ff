//! The page of every model of the gallery, in every form.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use holonom::algebra::Budget;
use holonom::derive::{Equations, derive};
use holonom::explain::{Explanation, Request, explain};
use holonom::model::load;

/// Work allowed for one page: a model that would need more gets its implicit form.
const WORK: u64 = 20_000_000;

/// All models of the gallery, in order.
fn gallery() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "holo") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// What `explain` says of a file; nothing for parts of models, which are none by themselves.
fn explained(file: &Path, steps: bool) -> Option<(Equations, Explanation)> {
    let equations = derive(load(file).model?).equations?;
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
    for file in gallery() {
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
    for (number, file) in gallery().into_iter().enumerate() {
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
