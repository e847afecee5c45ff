//! A run in short: how it ended, how far to trust it, and what there is to know of it.
//!
//! The summary is made in one place, [`Summary::new`]; as JSON and as a page it is only laid out. What a run tells more
//! of is one more line there.

use std::fmt;

use super::json::Value;
use super::results::WrittenFile;
use holonom_language::{Diagnostic, Drift, Loaded, Method, Sources, diagnostic_to_json};
use holonom_simulate::analysis::{count, cut, number};
use holonom_simulate::integrate::{End, Outcome, Plan};
use holonom_symbols::page::{Layout, Rich, Sheet, Tone};

/// The version of the form of `summary.json`. It changes when a name in it goes or changes its meaning.
const FORM: u64 = 1;

/// What was run.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The file of the model.
    pub file: String,
    /// Its title.
    pub title: Option<String>,
    /// Parameters that were set from outside.
    pub set: Vec<(String, f64)>,
    /// The text of the model and of the files that it names, so that the run can be told of again: name and text. Nothing where
    /// that would be too long.
    pub sources: Vec<(String, String)>,
    /// The command that ran it, without its options.
    pub command: String,
}

/// Texts longer than this together are not kept beside a run.
const LONGEST: usize = 2 << 20;

impl About {
    /// What is known of a model that was read, with the parameters that were set; `command` runs it.
    pub fn new(loaded: &Loaded, set: Vec<(String, f64)>, command: String) -> Self {
        let own = loaded.sources.files().first();
        let all = own.into_iter().chain(&loaded.files).map(|file| (file.name.clone(), file.text.clone()));
        let all: Vec<(String, String)> = all.collect();
        let is_short = all.iter().map(|(_, text)| text.len()).sum::<usize>() <= LONGEST;
        Self {
            file: own.map_or_else(String::new, |file| file.name.clone()),
            title: loaded.model.as_ref().and_then(|model| model.title.clone()),
            set,
            sources: if is_short { all } else { Vec::new() },
            command,
        }
    }
}

/// Something that happened at a time: for the page, and as data.
#[derive(Clone, Debug)]
struct Noted {
    text: String,
    data: Value,
}

/// The summary of a run.
#[derive(Clone, Debug)]
pub struct Summary {
    about: About,
    end: &'static str,
    event: Option<String>,
    partial: bool,
    time: f64,
    until: f64,
    rows: u64,
    columns: Vec<(String, Option<String>)>,
    settings: Vec<(&'static str, Value)>,
    /// Start values that the model does not say.
    inferred: Vec<(String, f64)>,
    statistics: Vec<(&'static str, u64)>,
    /// A key and a number.
    evidence: Vec<(&'static str, f64)>,
    /// What these numbers mean, for the page.
    evidence_in_words: Vec<String>,
    ranks: Vec<Noted>,
    events: Vec<Noted>,
    expectations: Vec<Noted>,
    messages: Vec<Value>,
    files: Vec<WrittenFile>,
}

/// What is said of an expectation.
const HOLDS: &str = "holds";
const FAILS: &str = "does not hold";

/// Names beyond which the rest is counted; the summary as data has them all.
const NAMED: usize = 12;

/// The first of many names.
fn some(names: &[String]) -> String {
    match names.len().checked_sub(NAMED) {
        Some(more) if more > 1 => format!("{} and {more} more", names[..NAMED].join(", ")),
        _ => names.join(", "),
    }
}

/// A change of energy by impacts and events is shown where it is larger than this part of the energies: a smaller one is rounding.
const CHANGED: f64 = 1e-12;

/// A margin below this is close to a singular configuration: rows come within six degrees of each other.
const NARROW: f64 = 0.01;

/// The numbers by which a run can be judged, as data.
fn evidence_of(outcome: &Outcome) -> Vec<(&'static str, f64)> {
    let evidence = &outcome.evidence;
    let mut list = vec![
        ("position_residual", evidence.position_residual),
        ("velocity_residual", evidence.velocity_residual),
        ("energy_imbalance", evidence.energy_imbalance),
        ("energy_scale", evidence.energy_scale),
    ];
    if evidence.energy_of_events.abs() > CHANGED * evidence.energy_scale {
        list.push(("energy_of_events", evidence.energy_of_events));
    }
    list.push(("clearance", evidence.clearance));
    if let Some(held) = &outcome.principles {
        list.push(("virtual_work", held.virtual_work));
        list.push(("gauss_slope", held.gauss_slope));
        list.extend(held.proportional.map(|off| ("proportional", off)));
    }
    list
}

/// The same for a reader: how well the constraints held, whether the energies add up, and whether the constraints stayed independent.
fn evidence_in_words(plan: &Plan, outcome: &Outcome) -> Vec<String> {
    let evidence = &outcome.evidence;
    let joule = if plan.columns.first().is_some_and(|time| time.unit.is_some()) { " J" } else { "" };
    let has_rows = plan.system().rows() > 0;
    let mut list = Vec::new();
    if has_rows {
        let (positions, velocities) = (evidence.position_residual, evidence.velocity_residual);
        list.push(match positions == 0.0 && velocities == 0.0 {
            true => "constraints held exactly".to_string(),
            false => {
                let (positions, velocities) = (roughly(positions), roughly(velocities));
                format!("constraints held to {positions} (positions) and {velocities} (velocities)")
            }
        });
    }
    let scale = roughly(evidence.energy_scale);
    list.push(match evidence.energy_imbalance {
        off if off.is_nan() => "energy balance unknown".to_string(),
        0.0 => "energy balance exact".to_string(),
        off => format!("energy balance off by {} of {scale}{joule}", roughly(off)),
    });
    if evidence.energy_of_events.abs() > CHANGED * evidence.energy_scale {
        list.push(format!("impacts and events changed the energy by {}{joule}", roughly(evidence.energy_of_events)));
    }
    if has_rows {
        let margin = roughly(evidence.clearance);
        let losses = outcome.ranks.len() as u64 + outcome.unlisted_ranks;
        list.push(match losses {
            1.. => format!("constraints lost rank {} (margin {margin})", times(losses)),
            0 if evidence.clearance < NARROW => format!("constraints came close to losing rank (margin {margin})"),
            0 if plan.report.redundant.is_empty() => format!("constraints stayed independent (margin {margin})"),
            0 => format!("the rank of the constraints stayed the same (margin {margin})"),
        });
    }
    if let Some(held) = &outcome.principles {
        let to = |off: f64| if off == 0.0 { "exactly".to_string() } else { format!("to {}", roughly(off)) };
        list.push(format!("D'Alembert's principle held {}", to(held.virtual_work)));
        list.push(format!(
            "Gauss's principle held {} in {}",
            to(held.gauss_slope),
            count(held.directions as usize, "direction", "directions")
        ));
        list.extend(held.proportional.map(|off| format!("Δa = K₁e + N C held {}", to(off))));
    }
    list
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_string() } else { format!("{count} times") }
}

impl Summary {
    /// The summary of a run that has ended. `messages` are those from before the run; its own are added.
    pub fn new(about: About, plan: &Plan, outcome: &Outcome, messages: &[Diagnostic], sources: &Sources) -> Self {
        let (end, event) = match &outcome.end {
            End::Finished => ("finished", None),
            End::Stopped { event } => ("stopped", Some(event.clone())),
            End::Interrupted => ("interrupted", None),
            End::Failed => ("failed", None),
        };
        let settings = &plan.settings;
        let statistics = &outcome.statistics;
        Self {
            about,
            end,
            event,
            partial: matches!(outcome.end, End::Interrupted | End::Failed),
            time: outcome.time,
            until: settings.until,
            rows: outcome.rows,
            columns: plan.columns.iter().map(|column| (column.name.clone(), column.unit.clone())).collect(),
            settings: vec![
                ("every", settings.every.into()),
                ("at", Value::List(settings.at.iter().copied().map(Value::Number).collect())),
                ("method", method(settings.method).into()),
                ("rtol", Value::Number(settings.rtol)),
                ("atol", Value::Number(settings.atol)),
                ("drift", drift(settings.drift).into()),
                ("max_steps", Value::Count(settings.max_steps)),
            ],
            inferred: plan.report.inferred.iter().map(|one| (one.name.clone(), one.value)).collect(),
            statistics: vec![
                ("steps", statistics.steps),
                ("rejected", statistics.rejected),
                ("evaluations", statistics.evaluations),
                ("factorisations", statistics.factorisations),
                ("corrections", statistics.corrections),
                ("jacobians", statistics.jacobians),
            ],
            evidence: evidence_of(outcome),
            evidence_in_words: evidence_in_words(plan, outcome),
            ranks: outcome
                .ranks
                .iter()
                .map(|change| Noted {
                    text: format!(
                        "t = {}: {}, at that time {} ({})",
                        number(change.time),
                        change.rank,
                        change.rank_there,
                        some(&change.rows)
                    ),
                    data: Value::object([
                        ("time", Value::Number(change.time)),
                        ("rank", Value::Count(change.rank as u64)),
                        ("rank_there", Value::Count(change.rank_there as u64)),
                        ("rows", Value::List(change.rows.iter().map(|row| row.as_str().into()).collect())),
                    ]),
                })
                .chain((outcome.unlisted_ranks > 0).then(|| Noted {
                    text: format!("and {} times more", outcome.unlisted_ranks),
                    data: Value::object([("unlisted", Value::Count(outcome.unlisted_ranks))]),
                }))
                .collect(),
            events: outcome
                .events
                .iter()
                .map(|event| Noted {
                    text: format!("t = {}: {}, {}", number(event.time), event.name, event.action),
                    data: Value::object([
                        ("time", Value::Number(event.time)),
                        ("name", event.name.as_str().into()),
                        ("action", event.action.as_str().into()),
                    ]),
                })
                .collect(),
            expectations: outcome
                .expectations
                .iter()
                .map(|claim| Noted {
                    text: format!(
                        "line {} {}, off by at most {} (at t = {})",
                        claim.line,
                        if claim.holds { HOLDS } else { FAILS },
                        number(claim.worst),
                        number(claim.time)
                    ),
                    data: Value::object([
                        ("line", Value::Count(claim.line as u64)),
                        ("holds", Value::Bool(claim.holds)),
                        ("worst", Value::Number(claim.worst)),
                        ("time", Value::Number(claim.time)),
                    ]),
                })
                .collect(),
            messages: messages
                .iter()
                .chain(&outcome.diagnostics)
                .map(|message| Value::Raw(diagnostic_to_json(message, sources)))
                .collect(),
            files: Vec::new(),
        }
    }

    /// Whether the run did not get as far as it should have.
    pub fn is_partial(&self) -> bool {
        self.partial
    }

    /// Adds the files that were written.
    pub fn set_files(&mut self, files: &[WrittenFile]) {
        self.files = files.to_vec();
    }

    /// What is written into tables that have a place for such things: what was run, how it ended, and the units.
    pub fn facts(&self) -> Vec<(String, String)> {
        let units = self.columns.iter().filter_map(|(name, unit)| Some((name.clone(), unit.as_deref()?.into())));
        [
            ("holonom.version", env!("CARGO_PKG_VERSION").to_string()),
            ("holonom.model", self.about.file.clone()),
            ("holonom.title", self.about.title.clone().unwrap_or_default()),
            ("holonom.end", self.end.to_string()),
            ("holonom.partial", self.partial.to_string()),
            ("holonom.units", format!("{:#}", Value::Object(units.collect()))),
        ]
        .map(|(key, value)| (key.to_string(), value))
        .to_vec()
    }

    /// The summary as data. Of the files it names the tables, since it cannot know its own length.
    pub fn json(&self) -> Value {
        let text = |text: &Option<String>| text.as_deref().map_or(Value::Null, Value::from);
        let named = |list: &[(&'static str, Value)]| {
            Value::Object(list.iter().map(|(name, value)| ((*name).to_string(), value.clone())).collect())
        };
        let data = |list: &[Noted]| Value::List(list.iter().map(|noted| noted.data.clone()).collect());
        let statistics: Vec<_> = self.statistics.iter().map(|(name, value)| (*name, Value::Count(*value))).collect();
        let evidence: Vec<_> = self.evidence.iter().map(|(name, value)| (*name, Value::Number(*value))).collect();
        let numbers = |list: &[(String, f64)]| {
            Value::Object(list.iter().map(|(name, value)| (name.clone(), Value::Number(*value))).collect())
        };
        let columns = self
            .columns
            .iter()
            .map(|(name, unit)| Value::object([("name", name.as_str().into()), ("unit", text(unit))]));
        let files = self
            .files
            .iter()
            .filter(|file| file.name != super::SUMMARY)
            .map(|file| Value::object([("name", file.name.into()), ("bytes", Value::Count(file.bytes))]));
        let sources = self
            .about
            .sources
            .iter()
            .map(|(name, text)| Value::object([("name", name.as_str().into()), ("text", text.as_str().into())]));
        Value::object([
            ("holonom", env!("CARGO_PKG_VERSION").into()),
            ("form", Value::Count(FORM)),
            ("file", self.about.file.as_str().into()),
            ("title", text(&self.about.title)),
            ("command", self.about.command.as_str().into()),
            ("set", numbers(&self.about.set)),
            ("end", self.end.into()),
            ("event", text(&self.event)),
            ("partial", Value::Bool(self.partial)),
            ("time", Value::Number(self.time)),
            ("until", Value::Number(self.until)),
            ("rows", Value::Count(self.rows)),
            ("settings", named(&self.settings)),
            ("inferred", numbers(&self.inferred)),
            ("statistics", named(&statistics)),
            ("evidence", named(&evidence)),
            ("ranks", data(&self.ranks)),
            ("events", data(&self.events)),
            ("expectations", data(&self.expectations)),
            ("messages", Value::List(self.messages.clone())),
            ("columns", Value::List(columns.collect())),
            ("files", Value::List(files.collect())),
            ("sources", Value::List(sources.collect())),
        ])
    }

    /// A time with its unit, where the model has units.
    fn at(&self, time: f64) -> String {
        let unit = self.columns.first().and_then(|(_, unit)| unit.as_deref());
        format!("{}{}", number(time), unit.map_or(String::new(), |unit| format!(" {unit}")))
    }
}

impl Summary {
    /// The summary as a page to read.
    pub fn page(&self, layout: Layout) -> String {
        let mut sheet = Sheet::new(layout);
        let time = self.at(self.time);
        let rest = match (&self.event, self.partial) {
            (Some(event), _) => format!(" by {event} at t = {time}"),
            (None, true) => format!(" at t = {time} of {}; the rows so far are kept", self.at(self.until)),
            (None, false) => format!(" at t = {time}"),
        };
        let tone = match self.end {
            "failed" => Tone::Bad,
            _ if self.partial => Tone::Doubtful,
            _ => Tone::Good,
        };
        let file = if self.about.file.is_empty() { "model" } else { &self.about.file };
        sheet.head(&Rich::default().words(&format!("{file}: ")).judged(tone, self.end).words(&rest));
        sheet.entry("title", self.about.title.iter().cloned().collect(), "");
        let set = self.about.set.iter().map(|(name, value)| format!("{name} = {}", number(*value)));
        sheet.entry("set", set.collect(), ", ");
        let rows = usize::try_from(self.rows).unwrap_or(usize::MAX);
        let table = format!("{} of {}", count(rows, "row", "rows"), count(self.columns.len(), "number", "numbers"));
        sheet.entry("table", vec![table], "");
        let statistics = self.statistics.iter().filter(|(_, value)| *value > 0);
        sheet.entry("work", statistics.map(|(name, value)| format!("{value} {name}")).collect(), ", ");
        sheet.entry("evidence", self.evidence_in_words.clone(), "; ");
        for (label, list) in [("ranks", &self.ranks), ("events", &self.events)] {
            sheet.entry(label, cut(list.iter().map(|noted| noted.text.clone()).collect()), "; ");
        }
        let expected = cut(self.expectations.iter().map(|noted| noted.text.clone()).collect());
        let expected: Vec<Rich> = expected.iter().map(|text| judged(text)).collect();
        sheet.judged("expected", None, &expected, "; ");
        sheet.to_string()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.page(Layout::PLAIN))
    }
}

/// An expectation with its verdict marked.
fn judged(text: &str) -> Rich {
    for (verdict, tone) in [(FAILS, Tone::Bad), (HOLDS, Tone::Good)] {
        if let Some((before, after)) = text.split_once(verdict) {
            return Rich::default().words(before).judged(tone, verdict).words(after);
        }
    }
    Rich::default().words(text)
}

/// Two digits say how good a number is.
fn roughly(value: f64) -> String {
    number(format!("{value:.1e}").parse().unwrap_or(value))
}

fn method(method: Method) -> &'static str {
    match method {
        Method::Explicit => "explicit",
        Method::Stiff => "stiff",
    }
}

fn drift(drift: Drift) -> &'static str {
    match drift {
        Drift::Projection => "projection",
        Drift::Baumgarte => "baumgarte",
        Drift::None => "none",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holonom_language::from_text;
    use holonom_mechanics::compile::CompiledSystem;
    use holonom_mechanics::derive::derive;
    use holonom_simulate::integrate::{self, EventRecord, Evidence, RankChange, Statistics};

    fn summary(end: End) -> Summary {
        let loaded = from_text("fall.holo", "coord y: m\nkinetic 2 kg * y'^2 / 2\nstart y = 1 m\nrun until 5 s\n");
        let system = CompiledSystem::new(derive(loaded.model.unwrap()).unwrap().value);
        let mut plan = integrate::plan(&system, &integrate::Run::default()).expect("a plan").value;
        plan.columns[0].unit = Some("s".into());
        let outcome = Outcome {
            end,
            time: 2.5,
            rows: 1,
            statistics: Statistics { steps: 7, ..Statistics::default() },
            ranks: vec![RankChange { time: 1.0, rank: 4, rank_there: 3, rows: vec!["rod".into(), "pin.2".into()] }],
            unlisted_ranks: 0,
            events: vec![EventRecord { time: 2.0, name: "ground".into(), action: "recorded".into() }],
            evidence: Evidence { position_residual: 1.23e-3, energy_imbalance: f64::NAN, ..Evidence::default() },
            principles: None,
            expectations: vec![],
            diagnostics: vec![Diagnostic::error("negative", "it \"fell\"")],
        };
        let about = About {
            file: "fall.holo".into(),
            title: None,
            set: vec![("m".into(), 0.1)],
            sources: Vec::new(),
            command: String::new(),
        };
        Summary::new(about, &plan, &outcome, &[], &loaded.sources)
    }

    #[test]
    fn partial_is_what_did_not_come_to_its_end() {
        for (end, word, partial) in [
            (End::Finished, "finished at t = 2.5 s", false),
            (End::Stopped { event: "ground".into() }, "stopped by ground at t = 2.5 s", false),
            (End::Interrupted, "interrupted at t = 2.5 s of 5 s", true),
            (End::Failed, "failed at t = 2.5 s of 5 s", true),
        ] {
            let summary = summary(end);
            assert_eq!(summary.is_partial(), partial);
            assert!(summary.to_string().starts_with(&format!("fall.holo: {word}")), "{summary}");
            assert!(summary.facts().contains(&("holonom.partial".into(), partial.to_string())));
            assert!(summary.json().to_string().contains(&format!("\"partial\": {partial}")));
        }
    }

    #[test]
    fn the_page_and_the_data_tell_the_same() {
        let summary = summary(End::Finished);
        let page = summary.to_string();
        for line in [
            "ranks        t = 1: 4, at that time 3 (rod, pin.2)",
            "events       t = 2: ground, recorded",
            "7 steps",
            "evidence     energy balance unknown",
        ] {
            assert!(page.contains(line), "no `{line}` in\n{page}");
        }
        let data = summary.json().to_string();
        for part in [
            "\"ranks\": [{\"time\": 1.0, \"rank\": 4, \"rank_there\": 3, \"rows\": [\"rod\", \"pin.2\"]}]",
            "\"steps\": 7",
            "\"set\": {\"m\": 0.1}",
            "\"energy_imbalance\": null", // JSON has no other word for what is no number
            "\"message\": \"it \\\"fell\\\"\"",
            "{\"name\": \"t\", \"unit\": \"s\"}",
        ] {
            assert!(data.contains(part), "no `{part}` in\n{data}");
        }
    }
}
