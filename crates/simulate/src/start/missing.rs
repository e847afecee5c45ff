//! Positions that nobody gave and that do not follow: what to add, in as few words as possible.

use std::collections::{BTreeMap, HashSet};

use super::kernel::Open;
use super::least::places;
use super::numbers::Evaluator;
use super::words::{and, name, several};
use holonom_language::Diagnostic;

/// More names than this are not listed.
const LISTED: usize = 6;

/// The messages for coordinates that directions over `open` leave open: one for every set of which some would do, one
/// for every family, and one for every other coordinate.
pub(crate) fn messages(evaluator: &Evaluator, open: &[usize], found: &Open) -> Vec<Diagnostic> {
    let mut messages = Vec::new();
    let mut alone: Vec<usize> = Vec::new();
    for (set, needed) in linked(evaluator, open, found) {
        if needed < set.len() {
            messages.push(some_of(evaluator, &set, needed));
        } else {
            alone.extend(set);
        }
    }
    alone.sort_unstable();
    while let Some(&first) = alone.first() {
        let family = family_of(evaluator.name(first)).map(|(base, ..)| base.to_string());
        let alike = |j: usize| {
            j == first || (family.is_some() && family_of(evaluator.name(j)).map(|f| f.0) == family.as_deref())
        };
        let (members, others): (Vec<usize>, Vec<usize>) = alone.iter().copied().partition(|&j| alike(j));
        messages.push(if members.len() == 1 { one(evaluator, first) } else { all_of(evaluator, &members) });
        alone = others;
    }
    messages
}

/// Sets of coordinates that directions link, with the number of directions in each. Where one direction stands for very
/// many, those are linked that meet in a constraint.
fn linked(evaluator: &Evaluator, open: &[usize], found: &Open) -> Vec<(Vec<usize>, usize)> {
    // Each coordinate points to another of its set, or to itself.
    let mut of: Vec<usize> = (0..open.len()).collect();
    fn head(of: &mut [usize], mut at: usize) -> usize {
        while of[at] != at {
            of[at] = of[of[at]];
            at = of[at];
        }
        at
    }
    let felt = |w: &&(usize, f64)| w.1.abs() > 1e-9;
    let mut link = |mut members: Box<dyn Iterator<Item = usize> + '_>| {
        let Some(first) = members.next() else { return };
        for at in members {
            let (one, other) = (head(&mut of, first), head(&mut of, at));
            of[one.max(other)] = one.min(other);
        }
    };
    let of_directions = || found.directions.iter().filter_map(|w| w.iter().find(felt)).map(|w| w.0);
    let firsts: Vec<usize> = match &found.many {
        None => {
            found.directions.iter().for_each(|w| link(Box::new(w.iter().filter(felt).map(|&(at, _)| at))));
            of_directions().collect()
        }
        Some(free) => {
            let place = places(evaluator.coordinates(), open);
            let mut moves = vec![false; open.len()];
            found.directions.iter().flatten().for_each(|&(at, _)| moves[at] = true);
            for &row in &evaluator.rows {
                let columns = evaluator.equations.rows[row].a.iter();
                link(Box::new(columns.filter_map(|&(j, _)| place[j]).filter(|&at| moves[at])));
            }
            free.clone()
        }
    };
    let mut sets: BTreeMap<usize, (Vec<usize>, usize)> = BTreeMap::new();
    for first in firsts {
        sets.entry(head(&mut of, first)).or_default().1 += 1;
    }
    for (at, &coordinate) in open.iter().enumerate() {
        if let Some((set, _)) = sets.get_mut(&head(&mut of, at)) {
            set.push(coordinate);
        }
    }
    sets.into_values().collect()
}

/// `x[3]` → (`x`, `3`, ``), `p[3].x` → (`p`, `3`, `.x`).
fn family_of(name: &str) -> Option<(&str, &str, &str)> {
    let (base, rest) = name.split_once('[')?;
    let (index, suffix) = rest.split_once(']')?;
    Some((base, index, suffix))
}

fn one(evaluator: &Evaluator, j: usize) -> Diagnostic {
    let what = evaluator.name(j);
    let message = Diagnostic::error("start-missing", format!("`{what}` has no start value"))
        .at(evaluator.equations.model.coordinates[j].span, "no start value");
    let message = match touching(evaluator, j).as_slice() {
        [] => {
            let equations = evaluator.equations;
            let mut sided = equations.one_sided_rows().map(|row| &equations.rows[row]);
            match sided.find(|row| row.a.iter().any(|&(column, _)| column == j)) {
                Some(row) => message.note(format!("`{}` is one-sided: `{what}` cannot follow from it", row.name)),
                None => message.note(format!("no constraint contains `{what}`, so it cannot follow from the others")),
            }
        }
        rows => message.note(format!("{} {} not enough to find it", listed(rows), several(rows.len(), "is", "are"))),
    };
    message.help(format!("add `start {what} = …`"))
}

/// All members of a family.
fn all_of(evaluator: &Evaluator, members: &[usize]) -> Diagnostic {
    let names: Vec<&str> = members.iter().map(|&j| evaluator.name(j)).collect();
    let shown: Vec<String> = names.iter().map(|n| name(n)).collect();
    let what = match shown.as_slice() {
        [first, .., last] if shown.len() > 3 => format!("{first} … {last}"),
        few => and(few),
    };
    let parts: Vec<(&str, &str, &str)> = names.iter().filter_map(|n| family_of(n)).collect();
    let mut indices: Vec<i64> = parts.iter().filter_map(|(_, index, _)| index.parse().ok()).collect();
    indices.dedup();
    let run = indices.windows(2).all(|pair| pair[1] == pair[0] + 1) && !indices.is_empty();
    let base = parts.first().map_or("", |part| part.0);
    // A point has its components given together.
    let value = match parts.len() / indices.len().max(1) {
        2 => "(…, …)",
        3 => "(…, …, …)",
        _ => "…",
    };
    let whole = parts.iter().all(|part| part.2.is_empty()) || value != "…";
    let help = match (indices.first(), indices.last()) {
        (Some(first), Some(last)) if run && whole => format!("add `start {base}[i in {first}..{last}] = {value}`"),
        (Some(first), Some(last)) if run => {
            format!("add `start {base}[i in {first}..{last}]{} = …`", parts.first().map_or("", |part| part.2))
        }
        _ => format!("add `start {} = …`, and likewise for the others", names[0]),
    };
    Diagnostic::error("start-missing", format!("{what} have no start values"))
        .at(evaluator.equations.model.coordinates[members[0]].span, "no start values")
        .help(help)
}

/// A few of a set are needed, and the rest of it follows.
fn some_of(evaluator: &Evaluator, set: &[usize], needed: usize) -> Diagnostic {
    let names: Vec<String> = set.iter().map(|&j| name(evaluator.name(j))).collect();
    let (mut rows, mut seen): (Vec<String>, HashSet<String>) = (Vec::new(), HashSet::new());
    for row in set.iter().flat_map(|&j| touching(evaluator, j)) {
        if seen.insert(row.clone()) {
            rows.push(row);
        }
    }
    let text = match needed {
        1 => format!("one of {} needs a start value", listed(&names)),
        many => format!("{many} of {} need start values", listed(&names)),
    };
    let mut message = Diagnostic::error("start-missing", text);
    // The coordinates of a particle are declared in one place.
    let mut places = Vec::new();
    for &j in set {
        let span = evaluator.equations.model.coordinates[j].span;
        if !places.contains(&span) && places.len() < LISTED {
            places.push(span);
            message = message.at(span, "");
        }
    }
    let first: Vec<String> =
        set.iter().take(needed.min(LISTED)).map(|&j| format!("{} = …", evaluator.name(j))).collect();
    let rest = set.len() - needed;
    message.note(format!("{} {} not enough to find all of them", listed(&rows), several(rows.len(), "is", "are"))).help(
        format!(
            "add `start {}`, or values of others of them; the {} from the constraints",
            first.join(", "),
            several(rest, "other follows", "others follow")
        ),
    )
}

fn listed(names: &[String]) -> String {
    match names {
        few if few.len() <= LISTED => and(few),
        [first, .., last] => format!("{first} … {last}"),
        _ => String::new(),
    }
}

/// The constraints in force that contain a coordinate, in backticks.
pub(crate) fn touching(evaluator: &Evaluator, coordinate: usize) -> Vec<String> {
    let mut names: Vec<String> = evaluator.touching(coordinate).map(|row| name(&row.name)).collect();
    names.dedup();
    names
}
