//! What can be said of the system: degrees of freedom, ranks, what repeats what, which reactions are determined, what happened when.

use crate::html::{escaped, facts, number, rich, table};
use crate::run::ReportedRun;
use holonom::simulate::analysis::{self, Report};
use serde_json::Value;

/// Of more events than this, half as many are shown and the rest is folded.
const EVENTS: usize = 24;
/// Names beyond this many are counted, not listed.
const LISTED: usize = 24;

pub(crate) fn section(run: &ReportedRun) -> String {
    let report = run.report;
    let mut out = messages(run.summary);
    out += &facts(&ranks(report));
    out += &findings(run);
    out += &timeline(run);
    out
}

/// Models of more coordinates would have tables that nobody reads.
const PRINCIPLES: usize = 12;

/// D'Alembert's principle, Gauss's and Δa = K₁e at the start, folded.
pub(crate) fn principles(run: &ReportedRun) -> String {
    let Some(found) = analysis::principles(run.system, PRINCIPLES) else { return String::new() };
    let inside = found.page().html_body(1);
    format!(
        "<details id=\"principles\"><summary>The principles of mechanics at the start</summary>\n{inside}</details>\n"
    )
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn names<'a>(list: impl Iterator<Item = &'a str>) -> String {
    let all: Vec<&str> = list.collect();
    let shown: Vec<String> = all.iter().take(LISTED).map(|name| format!("<code>{}</code>", escaped(name))).collect();
    let more = all.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &more
}

fn ranks(report: &Report) -> Vec<(&'static str, String)> {
    let n = report.coordinates.len();
    let in_force: Vec<_> = report.rows.iter().filter(|row| !row.off).collect();
    let Some(verdict) = &report.verdict else { return vec![("Motion", "there is none".to_string())] };
    let gap = |rank: &holonom::kernel::Rank| match rank.gap {
        gap if gap.is_finite() && gap > 0.0 => {
            format!("; smallest singular value kept {}, largest dropped {}", number(gap, 2), number(rank.dropped, 2))
        }
        _ => String::new(),
    };
    let motion = match (verdict.unique, verdict.undetermined.is_empty()) {
        (true, _) if !verdict.certain => {
            "the acceleration is unique for the friction that was found; other frictions may fit as well".to_string()
        }
        (true, _) if verdict.system_rank.rank == n => "the acceleration is unique".to_string(),
        (true, _) => "the acceleration is unique with what <code>free</code> says".to_string(),
        (false, true) => "the acceleration is not unique".to_string(),
        (false, false) => {
            format!("not determined: {}", names(verdict.undetermined.iter().map(String::as_str)))
        }
    };
    let singular = if verdict.mass_rank < n {
        format!("{} of {n}: M is singular", verdict.mass_rank)
    } else {
        format!("{n} of {n}")
    };
    let around = match verdict.rank_around {
        Some(around) if around != verdict.constraint_rank.rank => {
            format!("; {around} at states around the start, which is singular")
        }
        _ => String::new(),
    };
    vec![
        ("Coordinates", n.to_string()),
        (
            "Constraints",
            match in_force.len() {
                0 => "none".to_string(),
                rows => format!(
                    "{} active: {}",
                    count(rows, "row", "rows"),
                    names(in_force.iter().map(|row| row.name.as_str()))
                ),
            },
        ),
        ("Degrees of freedom", verdict.degrees_of_freedom.to_string()),
        ("Motion", motion),
        ("Rank of [M; A]", format!("{} of {n}{}", verdict.system_rank.rank, gap(&verdict.system_rank))),
        (
            "Rank of A",
            match in_force.len() {
                0 => String::new(),
                rows => format!("{} of {rows}{}{around}", verdict.constraint_rank.rank, gap(&verdict.constraint_rank)),
            },
        ),
        ("Rank of M", singular),
    ]
}

/// What the program had to say before and during the run, errors first.
fn messages(summary: &Value) -> String {
    let mut items = String::new();
    for (severity, class) in [("error", "bad"), ("warning", "warning"), ("note", "")] {
        let list = summary["messages"].as_array().into_iter().flatten();
        for message in list.filter(|message| message["severity"] == severity).take(LISTED) {
            let text = |value: &Value| rich(value.as_str().unwrap_or_default());
            let more = |key: &str| -> Vec<String> { message[key].as_array().into_iter().flatten().map(text).collect() };
            let line = message["line"].as_u64().map_or(String::new(), |line| format!(" (line {line})"));
            let mut all = vec![format!("{severity}: {}{line}", text(&message["message"]))];
            all.extend(more("notes"));
            all.extend(more("help"));
            items += &format!("<li class=\"{class}\">{}</li>\n", all.join("<br>"));
        }
    }
    if items.is_empty() { items } else { format!("<ul class=\"findings\">\n{items}</ul>\n") }
}

/// What deserves a sentence.
fn findings(run: &ReportedRun) -> String {
    let report = run.report;
    let mut list: Vec<String> = Vec::new();
    for one in report.redundant.iter().take(LISTED) {
        let text =
            if one.of.is_empty() { "is always satisfied".to_string() } else { format!("repeats {}", one.text()) };
        let here = if one.everywhere { "" } else { " where the motion starts" };
        list.push(rich(&format!("`{}` is redundant: it {text}{here}. The motion is the same without it.", one.row)));
    }
    if report.redundant.len() > LISTED {
        list.push(format!("{} further constraints are redundant.", report.redundant.len() - LISTED));
    }
    let open: Vec<&str> =
        report.rows.iter().filter(|row| !row.off && !row.determinate).map(|row| row.name.as_str()).collect();
    let rows = report.rows.iter().filter(|row| !row.off).count();
    if !open.is_empty() {
        list.push(format!(
            "The reactions of {} are not determined: many share the load, and the least ones are shown. The motion does not depend on that.",
            names(open.iter().copied())
        ));
    } else if rows > 0 {
        list.push("All reactions are determined.".to_string());
    }
    for hidden in &report.hidden {
        list.push(rich(&format!("Forces on directions without mass ask for `{hidden}`.")));
    }
    if report.inferred.len() <= LISTED {
        for one in &report.inferred {
            let from: Vec<String> = one.from.iter().take(3).map(|name| format!("`{name}`")).collect();
            let value = number(one.value, 6);
            let from = if from.is_empty() { String::new() } else { format!(", from {}", from.join(", ")) };
            list.push(format!("{} starts at {value}{}.", rich(&format!("`{}`", one.name)), rich(&from)));
        }
    }
    for contact in &report.contacts {
        list.push(rich(&format!("Friction at `{}` {} at the start.", contact.name, contact.state.word())));
    }
    list.extend(report.notes.iter().map(|note| rich(note)));
    if list.is_empty() {
        return String::new();
    }
    let items: String = list.iter().map(|item| format!("<li>{item}</li>\n")).collect();
    format!("<ul class=\"findings\">\n{items}</ul>\n")
}

/// Events and changes of rank, with times in order: for the viewer and for the table.
pub(crate) fn events(summary: &Value) -> Vec<(f64, String, String)> {
    let list = |key: &str| summary[key].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let mut all: Vec<(f64, String, String)> = Vec::new();
    for event in list("events") {
        all.push((event["time"].as_f64().unwrap_or(0.0), text(&event["name"]), text(&event["action"])));
    }
    for change in list("ranks") {
        let rows: Vec<String> = change["rows"].as_array().into_iter().flatten().map(text).collect();
        let what = format!(
            "the rank of A is {} instead of {}: {} depend on each other",
            change["rank_there"],
            change["rank"],
            rows.join(", ")
        );
        all.push((change["time"].as_f64().unwrap_or(0.0), "singular".to_string(), what));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

fn timeline(run: &ReportedRun) -> String {
    let events = events(run.summary);
    let rows: Vec<Vec<String>> = events
        .iter()
        .take(200)
        .map(|(time, name, what)| vec![number(*time, 7), format!("<code>{}</code>", escaped(name)), escaped(what)])
        .collect();
    let more = if events.len() > rows.len() {
        format!("<p>{} more follow.</p>\n", events.len() - rows.len())
    } else {
        String::new()
    };
    if rows.is_empty() {
        return String::new();
    }
    let shown = |rows: &[Vec<String>]| table("timeline", &["t", "name", "what happened"], rows);
    if rows.len() <= EVENTS {
        return format!("<h3>Events</h3>\n{}{more}", shown(&rows));
    }
    let (first, rest) = rows.split_at(EVENTS / 2);
    let summary = count(events.len() - first.len(), "more event", "more events");
    format!("<h3>Events</h3>\n{}<details><summary>{summary}</summary>\n{}{more}</details>\n", shown(first), shown(rest))
}
