//! The report as a page: short, aligned, everything by name.

use std::collections::HashMap;
use std::fmt;

use super::ExpectationOutcome;
use super::report::{RankVerdict, Report};
use crate::start::words::{count, few, number};
use holonom_mechanics::derive::ConstraintKind;
use holonom_mechanics::derive::messages::abbreviated;
use holonom_symbols::page::{Layout, Rich, Sheet, Tone};

/// Lists longer than this are cut short on the page; the data have them all.
const LISTED: usize = 24;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.page(Layout::PLAIN))
    }
}

impl Report {
    /// The report as a page to read.
    pub fn page(&self, layout: Layout) -> String {
        let mut sheet = Sheet::new(layout);
        let in_force = self.rows.iter().filter(|row| !row.off).count();
        let mut head = vec![count(self.coordinates.len(), "coordinate", "coordinates")];
        head.push(match in_force {
            0 if self.rows.iter().any(|row| row.one_sided) => "no constraint active".to_string(),
            0 => "no constraints".to_string(),
            rows => count(rows, "constraint", "constraints"),
        });
        if let Some(verdict) = &self.verdict {
            head.push(count(verdict.degrees_of_freedom, "degree of freedom", "degrees of freedom"));
        }
        let source = if self.source.is_empty() { "model" } else { &self.source };
        sheet.head(&Rich::default().words(&format!("{source}: {}", head.join(", "))));
        sheet.entry("title", self.title.iter().cloned().collect(), "");
        sheet.judged("motion", None, &self.motion(), "; ");
        if let Some(mechanism) = &self.mechanism {
            sheet.entry("mechanism", mechanism.parts(), ", ");
            sheet.entry("coordinates", mechanism.described(), ", ");
            let freedom = self.verdict.as_ref().and_then(|verdict| mechanism.difference(verdict.degrees_of_freedom));
            sheet.entry("freedom", freedom.into_iter().collect(), "");
        }
        sheet.entry("constraints", self.constraints(), ", ");
        let joints = self.joints_by_row();
        let redundant = self
            .redundant
            .iter()
            .filter(|r| !joints.contains_key(r.row.as_str()))
            .map(|r| format!("{} = {}", r.row, r.text().replace('`', "")));
        sheet.judged("redundant", Some(Tone::Doubtful), &plain(few(redundant.collect())), "; ");
        let conflicts = self.conflicts.iter().map(|c| {
            let rows = few(c.rows.iter().map(|(_, row)| row.clone()).collect());
            format!("{} ({}, off by {})", rows.join(", "), c.level, number(c.gap.abs()))
        });
        sheet.judged("conflict", Some(Tone::Bad), &plain(few(conflicts.collect())), "; ");
        sheet.entry("start", self.start_values(), ", ");
        let accelerations: Vec<(String, f64)> =
            self.coordinates.iter().filter_map(|c| Some((format!("{}''", c.name), c.acceleration?))).collect();
        sheet.entry("at start", equalities(&accelerations), ", ");
        self.forces(&mut sheet);
        sheet.entry("friction", self.friction(), "; ");
        if self.verdict.is_some() && self.start_is_good {
            let energies =
                [("kinetic".to_string(), self.kinetic_energy), ("potential".to_string(), self.potential_energy)];
            sheet.entry("energy", equalities(&energies), ", ");
        }
        let hidden = plain(self.hidden.iter().map(|equation| abbreviated(equation)).collect());
        sheet.judged("hidden", Some(Tone::Doubtful), &hidden, "; ");
        self.expected(&mut sheet);
        for note in &self.notes {
            sheet.entry("note", vec![note.replace('`', "")], "");
        }
        sheet.to_string()
    }

    fn friction(&self) -> Vec<String> {
        let one = |c: &super::ContactReport| {
            let limit = c.limit.map_or(String::new(), |limit| format!(" of at most {}", number(limit)));
            let open = if c.determinate { "" } else { ", one of many possible" };
            let (normal, force) = (number(c.normal), number(c.force));
            format!("{} {}: normal force {normal}, friction {force}{limit}{open}", c.name, c.state.word())
        };
        self.contacts.iter().map(one).collect()
    }

    fn expected(&self, sheet: &mut Sheet) {
        for alike in self.expectations.chunk_by(|a, b| a.line == b.line && a.outcome == b.outcome && a.outcome.stands())
        {
            let (expectation, many) = (&alike[0], alike.len());
            let of = if many > 1 { format!(", {many} of them") } else { String::new() };
            let text = expectation.outcome.text();
            // The first word is the verdict; what follows says where it was looked at.
            let (verdict, rest) = text.split_at(text.find([' ', ':']).unwrap_or(text.len()));
            let line = Rich::default().words(&format!("line {}{of}: ", expectation.line));
            let mut items = vec![match &expectation.outcome {
                ExpectationOutcome::NotCheckable(_) => line.judged(Tone::Doubtful, &text),
                outcome => line.judged(if outcome.stands() { Tone::Good } else { Tone::Bad }, verdict).words(rest),
            }];
            if let (false, Some(left), Some(right)) =
                (expectation.outcome.stands(), expectation.left, expectation.right)
            {
                let (left, right) = crate::start::words::both(left, right);
                items.push(Rich::default().words(&format!("{left} and {right}")));
            }
            sheet.judged("expect", None, &items, ": ");
        }
    }

    fn motion(&self) -> Vec<Rich> {
        let Some(verdict) = &self.verdict else { return vec![Rich::default().judged(Tone::Bad, "none")] };
        let n = self.coordinates.len();
        let RankVerdict { unique, system_rank, undetermined, .. } = verdict;
        let rank = format!(": [M; A] has rank {} of {n}", system_rank.rank);
        let (tone, words, more) = if *unique && !verdict.certain {
            (Tone::Doubtful, "one was found, and other frictions may fit as well", rank)
        } else if *unique && system_rank.rank == n {
            (Tone::Good, "unique", rank)
        } else if *unique {
            (Tone::Good, "unique", format!(" with what free says{rank}"))
        } else if undetermined.is_empty() {
            (Tone::Bad, "not unique", rank)
        } else {
            (Tone::Bad, "not unique", format!("{rank}, {} undetermined", few(undetermined.clone()).join(", ")))
        };
        let mut text = vec![Rich::default().judged(tone, words).words(&more)];
        let mut add = |words: String| text.push(Rich::default().words(&words));
        if system_rank.gap < 1e-6 || verdict.constraint_rank.gap < 1e-6 {
            add(format!("a close call: gap {}", number(system_rank.gap.min(verdict.constraint_rank.gap))));
        }
        if verdict.mass_rank < n {
            add(format!("M has rank {}", verdict.mass_rank));
        }
        if !verdict.balanced {
            let forces: Vec<String> =
                verdict.unbalanced.iter().map(|(j, x)| format!("{} on {j}", number(*x))).collect();
            text.push(
                Rich::default().judged(Tone::Bad, "nothing balances").words(&format!(" {}", few(forces).join(", "))),
            );
        }
        text
    }

    /// The joint that each row belongs to.
    fn joints_by_row(&self) -> HashMap<&str, &super::report::JointReport> {
        let joints = self.mechanism.iter().flat_map(|mechanism| &mechanism.joints);
        joints.flat_map(|joint| joint.rows.iter().map(move |row| (row.as_str(), joint))).collect()
    }

    fn constraints(&self) -> Vec<String> {
        let kind = |kind: ConstraintKind| match kind {
            ConstraintKind::Holonomic => "holonomic",
            ConstraintKind::Velocity => "nonholonomic",
            ConstraintKind::Acceleration => "of accelerations",
        };
        let one = |row: &super::report::RowReport| {
            let moving = if row.rheonomic { ", moving" } else { "" };
            let off = match (row.one_sided, row.off) {
                (true, _) => ", one-sided",
                (false, true) => ", off",
                (false, false) => "",
            };
            format!("{}: {}{moving}{off}", row.name, kind(row.kind))
        };
        // Rows of joints are told by their joint.
        let joints = self.joints_by_row();
        let mut told: Vec<String> = Vec::new();
        let mut units = 0;
        for row in &self.rows {
            let text = match joints.get(row.name.as_str()) {
                Some(joint) => match joint.rows.len() {
                    1 => format!("{}: {}", joint.name, joint.kind),
                    many => format!("{}: {}, {many} rows", joint.name, joint.kind),
                },
                None if self.mechanism.is_some() && row.name.ends_with(".unit") => {
                    units += 1;
                    continue;
                }
                None => one(row),
            };
            if told.last() != Some(&text) {
                told.push(text);
            }
        }
        if units > 0 {
            told.push(count(units, "unit quaternion", "unit quaternions"));
        }
        cut(told)
    }

    fn start_values(&self) -> Vec<String> {
        let inferred: HashMap<&str, &[String]> =
            self.inferred.iter().rev().map(|i| (i.name.as_str(), i.from.as_slice())).collect();
        let one = |name: &str, value: f64| {
            let from = inferred.get(name).copied().unwrap_or_default();
            match from {
                [] => format!("{name} = {}", number(value)),
                [one] => format!("{name} = {} (from {one})", number(value)),
                [one, two] => format!("{name} = {} (from {one}, {two})", number(value)),
                [first, rest @ ..] => format!("{name} = {} (from {first} and {} more)", number(value), rest.len()),
            }
        };
        let known = self.coordinates.iter().filter(|c| c.position.is_finite());
        let positions = known.map(|c| one(&c.name, c.position));
        let moving: Vec<_> = self.coordinates.iter().filter(|c| c.velocity != 0.0).collect();
        let mut list = cut(positions.collect());
        if moving.is_empty() {
            list.push("at rest".to_string());
        } else {
            list.extend(cut(self.coordinates.iter().map(|c| one(&format!("{}'", c.name), c.velocity)).collect()));
        }
        list
    }

    fn forces(&self, sheet: &mut Sheet) {
        if self.verdict.is_none() || !self.start_is_good {
            return;
        }
        type Force = fn(&super::report::CoordinateReport) -> f64;
        let kinds: [(&str, Force); 3] = [("Q", |c| c.impressed), ("Qi", |c| c.ideal), ("Qni", |c| c.nonideal)];
        let size =
            self.coordinates.iter().flat_map(|c| kinds.iter().map(move |(_, of)| of(c).abs())).fold(0.0, f64::max);
        for (label, of) in kinds {
            let list: Vec<String> = self
                .coordinates
                .iter()
                .filter(|c| of(c).abs() > 1e-13 * size)
                .map(|c| format!("{}: {}", c.name, number(of(c))))
                .collect();
            sheet.entry(label, cut(list), ", ");
        }
        let size = self.rows.iter().fold(0.0, |size: f64, row| size.max(row.multiplier.abs()).max(row.reaction.abs()));
        let one = |row: &super::report::RowReport| {
            let (multiplier, reaction) = (clean(row.multiplier, size), clean(row.reaction, size));
            let open = if row.determinate { "" } else { " (not unique)" };
            if (multiplier - reaction).abs() <= 1e-9 * size {
                format!("{}: {}{open}", row.name, number(multiplier))
            } else {
                format!("{}: {} ideal, {} in all{open}", row.name, number(multiplier), number(reaction))
            }
        };
        sheet.entry("multipliers", cut(self.rows.iter().filter(|row| !row.off).map(one).collect()), ", ");
    }
}

fn plain(items: Vec<String>) -> Vec<Rich> {
    items.iter().map(|item| Rich::default().words(item)).collect()
}

/// What is rounding beside the rest is 0.
fn clean(x: f64, size: f64) -> f64 {
    if x.abs() <= 1e-13 * size { 0.0 } else { x }
}

fn equalities(list: &[(String, f64)]) -> Vec<String> {
    let size = list.iter().fold(0.0, |size: f64, (_, x)| size.max(x.abs()));
    cut(list.iter().map(|(name, x)| format!("{name} = {}", number(clean(*x, size)))).collect())
}

/// A list that is not too long to read: its beginning, and how many more there are.
pub fn cut(mut list: Vec<String>) -> Vec<String> {
    if list.len() > LISTED {
        let more = list.len() - LISTED;
        list.truncate(LISTED);
        list.push(format!("… and {more} more"));
    }
    list
}
