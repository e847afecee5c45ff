//! The chapter of error codes is made of the pages in `errors/`, so that neither can forget the other.

use std::fs;

use crate::{bless, markdown, root};

const HEAD: &str = "# Error codes

Every message has a code: `error[code]`, `warning[code]` or `note[code]`. An error rejects the model or ends the run; warnings and notes do not.
This chapter says what each code means and why. The page behind each link has a model that causes it, and the same model corrected; both are tests.

This chapter is generated from [those pages](../errors/README.md) by `HOLONOM_BLESS=1 cargo test -p holonom-cli --test guide`.
";

/// What stands behind a word in bold at the beginning of a paragraph.
fn paragraph(page: &str, word: &str) -> Option<String> {
    let mark = format!("**{word}.** ");
    let begin = page.find(&mark)? + mark.len();
    page[begin..].split("\n\n").next().map(|text| text.trim().to_string())
}

/// Links from one page to another lead from one section to another here.
fn within(section: &str) -> String {
    let mut out = String::new();
    for (i, piece) in section.split("](").enumerate() {
        let target = piece.split(')').next().unwrap_or_default();
        match target.strip_suffix(".md").filter(|code| i > 0 && !code.contains('/')) {
            Some(code) => out += &format!("](#{code}{}", &piece[target.len()..]),
            None if i > 0 => out += &format!("]({piece}"),
            None => out += piece,
        }
    }
    out
}

#[test]
fn every_code_has_a_section() {
    let mut chapter = HEAD.to_string();
    for path in markdown(&root().join("errors")) {
        let code = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if code == "README" {
            continue;
        }
        let page = fs::read_to_string(&path).expect("a page is read");
        let what = paragraph(&page, "What").unwrap_or_else(|| panic!("errors/{code}.md does not say what it means"));
        let why = paragraph(&page, "Why").map_or_else(String::new, |why| format!("\n\n{why}"));
        let section = format!("\n## {code}\n\n{what}{why} [Models](../errors/{code}.md).\n");
        chapter += &within(&section);
    }
    let path = root().join("book/errors.md");
    if bless() {
        fs::write(&path, &chapter).expect("the chapter is written");
    }
    assert!(
        fs::read_to_string(&path).unwrap_or_default() == chapter,
        "book/errors.md is not what errors/ says: HOLONOM_BLESS=1 writes it"
    );
}
