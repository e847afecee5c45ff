//! The index of equations: what it says a model shows, is shown.

use std::collections::BTreeSet;

use crate::page::Page;
use crate::root;
use crate::session::Session;

/// The model and the parts of its page that a row names: `[wheel](../gallery/wheel), --only Mbar`, perhaps with the file in parentheses.
fn shown(row: &str) -> Option<(String, String)> {
    let (_, rest) = row.split_once("](../gallery/")?;
    let (folder, rest) = rest.split_once("), `--only ")?;
    let (parts, rest) = rest.split_once('`')?;
    let file = rest.strip_prefix(" (`").and_then(|rest| rest.split('`').next());
    let file = file.map_or_else(|| format!("{folder}.holo"), str::to_string);
    Some((format!("gallery/{folder}/{file}"), parts.into()))
}

#[test]
fn models_show_the_equations_that_the_index_says_they_show() {
    let page = Page::read(&root().join("book/equations.md"));
    let all: BTreeSet<_> = page.prose().filter_map(|(_, line)| shown(line)).collect();
    assert!(all.len() > 40, "{} models with their parts", all.len());
    let session = Session::new("equations-index", &root().join("gallery"));
    for (model, parts) in all {
        let said = session.holonom(&["explain", &model, "--only", &parts]);
        assert!(said.success, "holonom explain {model} --only {parts}\n{}", said.lines.join("\n"));
    }
}
