//! Every numbered result and worked example of the five papers behind Holonom, each with its check.
//!
//! [`all`] is the list. [`check`] reproduces an entry: laws on dozens of random systems, with repeated rows, missing
//! masses and constraints that do work, in 32 digits and by Holonom's kernel; formulas of examples in the models of
//! the gallery, in the symbols and at random states. Where a paper has a misprint, the entry has the correct form, and a
//! check shows that the printed form fails. [`find`] finds an entry by its key, `2006:5.39`.
//!
//! ```
//! let entry = holonom_papers::find("2006:5.48")?;
//! let outcome = holonom_papers::check(entry);
//! assert!(outcome.holds);
//! assert!(entry.misprint.is_some()); // a minus sign is missing in print
//! # Ok::<(), holonom_papers::NotFound>(())
//! ```
#![allow(non_snake_case)]

mod along;
mod case;
mod claim;
mod differentiate;
mod entry;
mod equivalence;
mod example;
mod find;
mod grid;
mod law;
mod ledger;
mod numbers;
mod outcome;
mod perspective;
mod polynomial;
mod principle;
mod principle_examples;
mod proof;
mod scene;
mod science;
mod singular;
#[cfg(test)]
mod spoil;
mod symbols;
mod systems;
#[cfg(test)]
mod tests;
mod tex;
mod text;
mod two_masses;
mod uniqueness;
mod wheel;

pub use entry::{Entry, EntryKind, Misprint, Paper, Remark};
pub use find::{NotFound, Selection, find, of_paper, select};
pub use outcome::{EntryOutcome, Ours};
pub use text::{list, sheet, summary};

use entry::Check;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// All entries, paper by paper, in the order of the papers.
pub fn all() -> &'static [Entry] {
    static ALL: OnceLock<Vec<Entry>> = OnceLock::new();
    ALL.get_or_init(|| {
        [
            perspective::entries(),
            proof::entries(),
            principle::entries(),
            principle_examples::entries(),
            science::entries(),
            singular::entries(),
            uniqueness::entries(),
            equivalence::entries(),
            wheel::entries(),
            two_masses::entries(),
            uniqueness::conclusions(),
        ]
        .concat()
    })
}

/// Reproduces an entry; where it is misprinted, what is printed must fail.
pub fn check(entry: &Entry) -> EntryOutcome {
    let mut outcome = carry_out(&entry.check);
    if let Some(printed) = &entry.as_printed {
        let found = carry_out(printed);
        outcome.as_printed = Some(if found.holds {
            outcome.holds = false;
            format!("it holds too ({})", found.evidence)
        } else if found.worst.is_finite() {
            format!("fails, by {:.0} % of its size", 100.0 * found.worst)
        } else {
            "fails: the two sides are not even of one shape, or not both numbers".into()
        });
    }
    outcome
}

/// [`check`] for many, on all cores; in the order given.
pub fn check_all<'a>(entries: &[&'a Entry]) -> Vec<(&'a Entry, EntryOutcome)> {
    let next = AtomicUsize::new(0);
    let found: Vec<OnceLock<EntryOutcome>> = entries.iter().map(|_| OnceLock::new()).collect();
    let work = || {
        loop {
            let mine = next.fetch_add(1, Ordering::Relaxed);
            let Some(entry) = entries.get(mine) else { break };
            found[mine].get_or_init(|| check(entry));
        }
    };
    thread::scope(|scope| {
        for _ in 1..thread::available_parallelism().map_or(1, usize::from).min(entries.len()) {
            scope.spawn(work);
        }
        work();
    });
    entries
        .iter()
        .zip(found)
        .map(|(entry, found)| (*entry, found.into_inner().unwrap_or_else(|| check(entry))))
        .collect()
}

fn carry_out(check: &Check) -> EntryOutcome {
    match check {
        Check::Law(on, law) => law::check(*on, *law),
        Check::Differentiation(level) => differentiate::check(*level),
        Check::Example(claims) => example::check(claims),
    }
}
