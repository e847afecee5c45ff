//! The guide and the README, followed as a reader would follow them.
//!
//! Each page has a folder of its own, in which the gallery stands and in which its blocks are taken in order:
//!
//! - ```` ```holo NAME.holo ```` is written to that file; without a name it is a model all the same. `check` must accept it, or, with
//!   ```` ```holo,error=CODE ````, refuse it with that code. In the guide to runs, models without a name are run as well.
//! - ```` ```console ```` holds lines `$ COMMAND`, and below each what it prints, to the letter but for times, sizes and
//!   rounding (`compare`). A line `...` stands for any lines. A command that fails must be seen to: its output has a line that begins with `error`.
//! - ```` ```sh ```` holds commands that must end well, whatever they print.
//!
//! Links between pages, and what stands after `#` in them, must exist, and so must figures and every place in the code.
//!
//! `HOLONOM_BLESS=1 cargo test -p holonom-cli --test guide` writes the output into the pages; read it before it is kept.
//! `HOLONOM_BINARY=/path/to/holonom` tries another build of the command.

mod compare;
mod equations;
mod errors;
mod page;
mod session;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::{env, thread};

use page::{Block, Page};
use session::Session;

/// The folder of the whole project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn bless() -> bool {
    env::var_os("HOLONOM_BLESS").is_some()
}

/// The files of a folder that end in `.md`, in order.
fn markdown(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut pages: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    pages.retain(|path| path.extension().is_some_and(|end| end == "md"));
    pages.sort();
    pages
}

/// The pages that are followed.
fn followed() -> Vec<PathBuf> {
    let mut pages = markdown(&root().join("book"));
    pages.push(root().join("README.md"));
    pages
}

/// A path as it is said from the folder of the project.
fn named(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// Follows a page; what went wrong, in words.
fn follow(path: &Path) -> String {
    let mut page = Page::read(path);
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let session = Session::new(&name, &root().join("gallery"));
    let (mut wrong, mut anew) = (String::new(), vec![]);
    for (number, block) in page.blocks.iter().enumerate() {
        let found = match block.language() {
            "holo" => model(&session, block, number, name == "running"),
            "console" => {
                let (lines, wrong) = console(&session, block);
                anew.push((block.first, block.lines.len(), lines));
                wrong
            }
            "sh" => commands(&session, block),
            _ => continue,
        };
        for problem in found {
            wrong += &format!("{}:{}: {problem}\n", named(path), block.first);
        }
    }
    if bless() {
        for (first, length, lines) in anew.into_iter().rev() {
            page.lines.splice(first..first + length, lines);
        }
        fs::write(path, page.lines.iter().map(|line| format!("{line}\n")).collect::<String>())
            .expect("the page is written");
    }
    wrong
}

/// A model must be without fault, or have the fault that it is said to have.
fn model(session: &Session, block: &Block, number: usize, run: bool) -> Vec<String> {
    let unnamed = format!("block-{number}.holo");
    let file = block.file().unwrap_or(&unnamed);
    session.write(file, &block.text());
    let said = session.holonom(&["check", "--quiet", file]);
    let text = said.lines.join("\n");
    match block.error() {
        Some(code) if said.success || !text.contains(&format!("error[{code}]")) => {
            return vec![format!("`{file}` does not get error[{code}]\n{text}")];
        }
        None if !said.success => return vec![format!("`{file}` is refused\n{text}")],
        _ => {}
    }
    let said = (run && block.file().is_none()).then(|| session.holonom(&["run", "--quiet", file]));
    let failed = said.filter(|said| !said.success);
    failed.map(|said| format!("`{file}` does not run\n{}", said.lines.join("\n"))).into_iter().collect()
}

/// Enters the commands of a block; the block as it should be, and what is not so.
fn console(session: &Session, block: &Block) -> (Vec<String>, Vec<String>) {
    let (mut anew, mut wrong) = (vec![], vec![]);
    let mut rest = block.lines.as_slice();
    while let Some((first, after)) = rest.split_first() {
        let length = after.iter().position(|line| line.starts_with("$ ")).unwrap_or(after.len());
        let (shown, next) = after.split_at(length);
        rest = next;
        anew.push(first.clone());
        let Some(command) = first.strip_prefix("$ ") else {
            wrong.push(format!("`{first}` stands where a command is expected"));
            continue;
        };
        let said = match session.enter(command) {
            Ok(Some(said)) => said,
            Ok(None) => {
                anew.extend_from_slice(shown);
                continue;
            }
            Err(why) => {
                wrong.push(format!("`{command}`: {why}"));
                anew.extend_from_slice(shown);
                continue;
            }
        };
        if !said.success && !said.lines.iter().any(|line| line.starts_with("error")) {
            wrong.push(format!("`{command}` fails without a line that says so"));
        }
        let agrees = compare::agrees(shown, &said.lines);
        if !agrees && !bless() {
            wrong.push(format!(
                "`{command}` prints\n{}\n--- and the page shows\n{}",
                said.lines.join("\n"),
                shown.join("\n")
            ));
        }
        anew.extend(if agrees { shown.to_vec() } else { compare::mended(shown, &said.lines) });
    }
    (anew, wrong)
}

/// Enters commands that must end well.
fn commands(session: &Session, block: &Block) -> Vec<String> {
    let mut wrong = vec![];
    for command in block.lines.iter().map(|line| line.trim_start_matches("$ ")) {
        match session.enter(command) {
            Ok(Some(said)) if !said.success => wrong.push(format!("`{command}` fails\n{}", said.lines.join("\n"))),
            Ok(_) => {}
            Err(why) => wrong.push(format!("`{command}`: {why}")),
        }
    }
    wrong
}

#[test]
fn every_command_and_every_model_does_what_the_pages_say() {
    let wrong: String = thread::scope(|scope| {
        let pages: Vec<_> = followed().into_iter().map(|page| scope.spawn(move || follow(&page))).collect();
        pages.into_iter().map(|page| page.join().expect("a page is followed")).collect()
    });
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_link_leads_somewhere() {
    let mut pages = followed();
    pages.extend(markdown(&root()));
    pages.extend(markdown(&root().join("errors")));
    pages.extend(markdown(&root().join("book/figures")));
    let gallery = fs::read_dir(root().join("gallery")).expect("the gallery").flatten().map(|entry| entry.path());
    pages.extend(gallery.filter(|path| path.is_dir()).flat_map(|folder| markdown(&folder)));
    pages.extend(markdown(&root().join("gallery")));
    let mut wrong = String::new();
    for path in pages.into_iter().collect::<BTreeSet<_>>() {
        let page = Page::read(&path);
        for link in page.links() {
            let elsewhere = link.target.starts_with("https://") || link.target.starts_with("http://");
            if !link.image && !elsewhere && !leads(&page, &link.text, &link.target) {
                wrong += &format!("{}:{}: nothing at `{}`\n", named(&path), link.line, link.target);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Whether a link leads to a file or folder, to a heading of it, and, from code to a source file, to a place where that is.
fn leads(page: &Page, text: &str, target: &str) -> bool {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { page.path.clone() } else { page.path.with_file_name("").join(file) };
    if !path.exists() {
        return false;
    }
    if path.extension().is_some_and(|end| end == "rs") && text.starts_with('`') {
        let name = text.trim_matches('`').rsplit("::").next().unwrap_or_default().to_string();
        let source = fs::read_to_string(&path).unwrap_or_default();
        return name.ends_with(".rs") || name.ends_with('/') || source.contains(&name);
    }
    anchor.is_empty() || Page::read(&path).anchors().iter().any(|heading| heading == anchor)
}

#[test]
fn figures_are_there() {
    let mut missing = String::new();
    for path in followed() {
        let page = Page::read(&path);
        for image in page.links().iter().filter(|link| link.image && !link.target.starts_with("http")) {
            if !path.with_file_name("").join(&image.target).is_file() {
                missing += &format!("{}:{}: {}\n", named(&path), image.line, image.target);
            }
        }
    }
    assert!(missing.is_empty(), "book/figures/README.md tells how they are made\n{missing}");
}

#[test]
fn the_summary_has_every_chapter() {
    let book = root().join("book");
    let summary = Page::read(&book.join("SUMMARY.md"));
    let listed: BTreeSet<_> = summary.links().into_iter().map(|link| link.target).collect();
    for chapter in markdown(&book) {
        let name = chapter.file_name().unwrap_or_default().to_string_lossy().into_owned();
        assert!(name == "SUMMARY.md" || listed.contains(&name), "SUMMARY.md does not list {name}");
    }
}
