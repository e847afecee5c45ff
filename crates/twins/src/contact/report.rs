//! `twins contacts COUNT`: what was drawn, and what disagreed.

use super::{CONTACT_KINDS, contact_kind, draw_contact, one_sided_is_read};
use std::collections::BTreeMap;

#[derive(Default)]
struct Record {
    drawn: u64,
    agree: u64,
    changes: usize,
    worst: (f64, u64),
}

/// Compares so many scenarios, prints a table and the faults, and tells whether there was none.
pub fn compare_contacts(count: u64, seed: u64, show: bool) -> bool {
    let one_sided = one_sided_is_read();
    let mut records: BTreeMap<&str, Record> = BTreeMap::new();
    let mut faults = Vec::new();
    for seed in (0..count).map(|i| seed.wrapping_add(i)) {
        if contact_kind(seed).one_sided && !one_sided {
            continue;
        }
        let compared = match draw_contact(seed) {
            Ok(compared) => compared,
            Err(why) => {
                faults.push(format!("seed {seed}: {why}"));
                continue;
            }
        };
        if show {
            println!("# seed {seed}: {}, growth {:.1e}", compared.kind, compared.growth);
            compared.history.iter().for_each(|(time, modes)| println!("# t = {time:.9}: {modes:?}"));
            println!("{}", compared.text());
        }
        let record = records.entry(compared.kind).or_default();
        record.drawn += 1;
        record.changes += compared.history.len() - 1;
        let fault = match compared.examine() {
            Ok((ratio, what)) => {
                if ratio > record.worst.0 {
                    record.worst = (ratio, seed);
                }
                (ratio > 1.0).then(|| format!("disagree, {ratio:.1e} times what is allowed: {what}"))
            }
            Err(refusal) => {
                let when = refusal.time.map_or(String::new(), |t| format!(" at t = {t:.6}"));
                Some(format!("{}{when}: {}", refusal.code, refusal.message))
            }
        };
        match fault {
            None => record.agree += 1,
            Some(fault) => faults.push(format!("seed {seed} ({}): {fault}", compared.kind)),
        }
    }
    println!("{:<8} {:>6} {:>6} {:>8} {:>8} {:>9}", "", "drawn", "agree", "changes", "worst", "its seed");
    for kind in CONTACT_KINDS {
        let Some(record) = records.get(kind.name) else { continue };
        let (ratio, its) = record.worst;
        let Record { drawn, agree, changes, .. } = record;
        println!("{:<8} {drawn:>6} {agree:>6} {changes:>8} {ratio:>8.1e} {its:>9}", kind.name);
    }
    println!("worst is the difference over what is allowed; changes are those of contacts on the way");
    if !one_sided {
        println!("one-sided constraints are not read: kinds that need them were left out");
    }
    faults.iter().for_each(|fault| println!("{fault}"));
    faults.is_empty()
}
