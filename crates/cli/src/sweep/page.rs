//! What came of a sweep: a page to read, and a summary as data.

use std::fmt::Write;
use std::path::Path;

use holonom::language::{Drift, Loaded, Method};
use holonom::output::json::Value;
use holonom::output::{SUMMARY, WrittenFile};
use holonom::simulate::integrate::Run as Settings;
use holonom::sweep::{Counts, Ended, Study};

use super::Options;

/// The version of the form of the summary.
const FORM: u64 = 1;
/// So many reasons stand on the page.
const SHOWN: usize = 8;

/// How long it took, and how busy the cores were.
pub struct Timing {
    pub seconds: f64,
    /// Runs made now, and made before.
    pub runs: u64,
    pub before: u64,
    pub jobs: usize,
    pub cores: usize,
    /// Processor time, in seconds.
    pub busy: Option<f64>,
}

impl Timing {
    /// The part of all cores that was at work.
    fn utilisation(&self) -> Option<f64> {
        self.busy.map(|busy| busy / (self.seconds * self.cores as f64)).filter(|part| part.is_finite())
    }

    fn per_second(&self) -> f64 {
        self.runs as f64 / self.seconds
    }
}

pub struct Page<'a> {
    study: &'a Study,
    loaded: &'a Loaded,
    options: &'a Options,
    timing: Timing,
}

impl<'a> Page<'a> {
    pub fn new(study: &'a Study, loaded: &'a Loaded, options: &'a Options, timing: Timing) -> Self {
        Self { study, loaded, options, timing }
    }

    fn title(&self) -> Option<&str> {
        self.loaded.model.as_ref()?.title.as_deref()
    }

    /// What is varied, each parameter with its values as they were said, in SI units.
    fn varied(&self) -> Vec<(String, String)> {
        match &self.options.points {
            Some(path) => {
                let from = format!("{}", path.display());
                self.study.points().names().iter().map(|name| (name.clone(), from.clone())).collect()
            }
            None => {
                let one = |one: &super::Variation| (one.vary.name.clone(), one.vary.values.to_string());
                self.options.vary.iter().map(one).collect()
            }
        }
    }

    pub fn text(&self, counts: &Counts, files: &[WrittenFile], folder: &Path) -> String {
        let mut page = String::new();
        let ends: Vec<String> = Ended::ALL
            .into_iter()
            .map(|end| (end, counts.of(end)))
            .filter(|(_, count)| *count > 0)
            .map(|(end, count)| format!("{count} {}", end.word()))
            .collect();
        let count = self.study.points().count();
        let points = if count == 1 { "point" } else { "points" };
        let mut line = |label: &str, text: &str| {
            let _ = writeln!(page, "  {label:<13}{text}");
        };
        if let Some(title) = self.title() {
            line("title", title);
        }
        let equals = |(name, value): &(String, String)| format!("{name} = {value}");
        line("varied", &self.varied().iter().map(equals).collect::<Vec<_>>().join(", "));
        if let Some(random) = self.options.random {
            line("drawn", &format!("{random} at random, seed {}", self.options.seed));
        }
        let set: Vec<String> = self.study.set().iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if !set.is_empty() {
            line("set", &set.join(", "));
        }
        if counts.unexpected > 0 {
            line("expected", &format!("not so in {} of the runs", counts.unexpected));
        }
        for reason in counts.reasons.iter().take(SHOWN) {
            let values = self.study.points().at(reason.example - 1);
            let at: Vec<String> = self
                .study
                .points()
                .names()
                .iter()
                .zip(values)
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            let text =
                format!("{} by {}, such as point {} ({})", reason.count, reason.code, reason.example, at.join(", "));
            let message = reason.message.split_once(": ").map_or("", |(_, message)| message);
            line(reason.end.word(), &if message.is_empty() { text } else { format!("{text}: {message}") });
        }
        if counts.reasons.len() > SHOWN {
            line("", &format!("and {} more reasons, all in the table", counts.reasons.len() - SHOWN));
        }
        if counts.of(Ended::Interrupted) > 0 {
            line("interrupted", "the same command continues from here");
        }
        let names: Vec<&str> = files.iter().map(|file| file.name).collect();
        line("files", &format!("{}: {}", folder.display(), names.join(", ")));
        let mut computing = format!("{:.2} s", self.timing.seconds);
        if self.timing.runs > 0 {
            let _ = write!(computing, ", {:.1} runs per second", self.timing.per_second());
        }
        if let Some(part) = self.timing.utilisation() {
            let cores = if self.timing.cores == 1 { "core" } else { "cores" };
            let _ = write!(computing, ", {:.0} % of {} {cores}", 100.0 * part, self.timing.cores);
        }
        line("computing", &computing);
        format!("{}: {count} {points}, {}\n{page}", self.options.model.display(), ends.join(", "))
    }

    pub fn json(&self, counts: &Counts, files: &[WrittenFile]) -> Value {
        let object = |list: Vec<(String, Value)>| Value::Object(list);
        let points = self.study.points();
        let reasons = counts.reasons.iter().map(|reason| {
            let example =
                points.names().iter().cloned().zip(points.at(reason.example - 1).into_iter().map(Value::Number));
            Value::object([
                ("end", reason.end.word().into()),
                ("code", reason.code.as_str().into()),
                ("count", Value::Count(reason.count)),
                ("point", Value::Count(reason.example)),
                ("values", object(example.collect())),
                ("message", reason.message.as_str().into()),
            ])
        });
        let ends = Ended::ALL.map(|end| (end.word().to_string(), Value::Count(counts.of(end))));
        let sources =
            self.study.sources().map(|(name, text)| Value::object([("name", name.into()), ("text", text.into())]));
        let files = files
            .iter()
            .filter(|file| file.name != SUMMARY)
            .map(|file| Value::object([("name", file.name.into()), ("bytes", Value::Count(file.bytes))]));
        let seed = self.options.random.map_or(Value::Null, |_| Value::Count(self.options.seed));
        Value::object([
            ("holonom", env!("CARGO_PKG_VERSION").into()),
            ("form", Value::Count(FORM)),
            ("file", self.options.model.display().to_string().as_str().into()),
            ("title", self.title().map_or(Value::Null, Value::from)),
            (
                "set",
                object(self.study.set().iter().map(|(name, value)| (name.clone(), Value::Number(*value))).collect()),
            ),
            ("varied", object(self.varied().into_iter().map(|(name, text)| (name, Value::Text(text))).collect())),
            ("seed", seed),
            ("points", Value::Count(points.count())),
            ("partial", Value::Bool(counts.of(Ended::Interrupted) > 0)),
            ("counts", object(ends.to_vec())),
            ("unexpected", Value::Count(counts.unexpected)),
            ("reasons", Value::List(reasons.collect())),
            ("settings", settings(self.study.options())),
            ("trajectories", Value::Bool(self.study.keeps_trajectories())),
            (
                "computing",
                Value::object([
                    ("seconds", Value::Number(self.timing.seconds)),
                    ("runs", Value::Count(self.timing.runs)),
                    ("runs_before", Value::Count(self.timing.before)),
                    ("jobs", Value::Count(self.timing.jobs as u64)),
                    ("cores", Value::Count(self.timing.cores as u64)),
                    ("utilisation", self.timing.utilisation().into()),
                ]),
            ),
            ("files", Value::List(files.collect())),
            ("sources", Value::List(sources.collect())),
        ])
    }
}

/// What was asked for; what is `null` comes from the model, or else from the defaults.
fn settings(settings: &Settings) -> Value {
    let word = |word: Option<&'static str>| word.map_or(Value::Null, Value::from);
    Value::object([
        ("until", settings.until.into()),
        ("every", settings.every.into()),
        (
            "method",
            word(settings.method.map(|method| match method {
                Method::Explicit => "explicit",
                Method::Stiff => "stiff",
            })),
        ),
        ("rtol", settings.rtol.into()),
        ("atol", settings.atol.into()),
        (
            "drift",
            word(settings.drift.map(|drift| match drift {
                Drift::Projection => "projection",
                Drift::Baumgarte => "baumgarte",
                Drift::None => "none",
            })),
        ),
        ("assemble", Value::Bool(settings.assemble)),
        ("max_steps", settings.max_steps.map_or(Value::Null, Value::Count)),
    ])
}
