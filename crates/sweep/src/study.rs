//! What is swept: a model, points, and how to run each of them.
//!
//! All points share one compiled system, or one for each shape where a parameter decides how many members a family has. What a
//! model refuses by the values of its parameters, a mass below zero or a massless direction, is judged at every point, as
//! `holonom run` would.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use super::journal::Identity;
use super::points::Points;
use super::record::{Ended, Record, reason};
use holonom_language::syntax::Document;
use holonom_language::{Diagnostic, KeptFiles, Loaded, Model, Source, Sources};
use holonom_mechanics::compile::CompiledSystem;
use holonom_mechanics::derive;
use holonom_simulate::integrate::{self, Column, Observer, Run};

/// So many shapes a model may take in one sweep.
pub const MOST_SHAPES: usize = 64;
/// Numbers in a block of rows.
const BLOCK: usize = 1 << 14;

/// What is swept.
pub struct Study {
    points: Points,
    set: Vec<(String, f64)>,
    options: Run,
    document: Document,
    name: String,
    files: Vec<Source>,
    /// The varied parameters that decide on the shape, by their place among the varied ones.
    shaping: Vec<usize>,
    shapes: Vec<Shape>,
    /// The varied parameters as columns: names and units.
    varied: Vec<Column>,
    columns: Vec<Column>,
    /// The columns that are components of outputs.
    outputs: std::ops::Range<usize>,
    trajectories: bool,
}

/// The model where the parameters that decide on its shape have these values.
struct Shape {
    values: Vec<f64>,
    /// Or why there is none.
    system: Result<CompiledSystem, String>,
}

/// Why nothing is swept.
#[derive(Clone, Debug)]
pub enum SweepRefusal {
    /// There is no parameter of this name. These there are.
    Unknown(String, Vec<String>),
    /// A parameter is set and varied.
    SetAndVaried(String),
    /// The model takes too many shapes.
    TooManyShapes(Vec<String>),
    /// The table would not be one: columns that are not there at all points.
    OtherColumns {
        /// The parameters that decide on the shape.
        parameters: Vec<String>,
        /// A column that only some have.
        column: String,
    },
    /// Nothing says how long to run.
    NoEnd,
    /// The model cannot be derived: these are the messages.
    Messages(Vec<Diagnostic>),
}

impl fmt::Display for SweepRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        match self {
            Self::Unknown(name, known) if known.is_empty() => {
                write!(f, "there is no parameter `{name}` to vary: the model has none")
            }
            Self::Unknown(name, known) => {
                write!(f, "there is no parameter `{name}` to vary\n  help: the parameters are {}", quoted(known))
            }
            Self::SetAndVaried(name) => write!(f, "`{name}` is set and varied; it can be one of them"),
            Self::TooManyShapes(names) => write!(
                f,
                "{} decides how large the model is, and takes more than {MOST_SHAPES} values: each needs a derivation of its own\n  \
                 help: sweep over fewer of them at a time",
                quoted(names)
            ),
            Self::OtherColumns { parameters, column } => write!(
                f,
                "{} decides how large the model is, and so which columns the table has: `{column}` is not there at all points\n  \
                 help: make a sweep for each value, with `--set`",
                quoted(parameters)
            ),
            Self::NoEnd => f.write_str(
                "the run has no end time\n  help: add a line such as `run until 10` to the model, or use `--until 10`",
            ),
            Self::Messages(messages) => {
                let first = messages.iter().find(|message| message.is_error());
                f.write_str(first.map_or("the model cannot be derived", |message| &message.message))
            }
        }
    }
}

impl std::error::Error for SweepRefusal {}

impl Study {
    /// A study of this model, which was read with the parameters `set` as they are. With `trajectories`, all rows are kept.
    ///
    /// # Errors
    /// Everything that can be known before the first run.
    pub fn new(
        loaded: &Loaded,
        set: &[(String, f64)],
        options: &Run,
        points: Points,
        trajectories: bool,
    ) -> Result<Self, SweepRefusal> {
        let Some(model) = &loaded.model else { return Err(SweepRefusal::Messages(loaded.diagnostics.clone())) };
        if let Some(error) = model.unspecified() {
            return Err(SweepRefusal::Messages(vec![error]));
        }
        let names: Vec<String> = model.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        if let Some(unknown) = points.names().iter().find(|name| !names.contains(name)) {
            return Err(SweepRefusal::Unknown(unknown.clone(), names.into_iter().take(20).collect()));
        }
        if let Some(both) = points.names().iter().find(|name| set.iter().any(|(set, _)| set == *name)) {
            return Err(SweepRefusal::SetAndVaried(both.clone()));
        }
        if options.until.is_none() && model.run.until.is_none() {
            return Err(SweepRefusal::NoEnd);
        }
        let sizes: Vec<&String> = model.sizes.iter().map(|&which| &names[which]).collect();
        let shaping = (0..points.names().len()).filter(|&place| sizes.contains(&&points.names()[place])).collect();
        let unit = |name: &String| {
            let parameter = model.parameters.iter().find(|parameter| parameter.name == *name);
            parameter.filter(|_| model.has_units).map(|parameter| parameter.dimension.to_string())
        };
        let column = |name: &String| Column { name: name.clone(), unit: unit(name) };
        let varied = points.names().iter().map(column).collect();
        let main = loaded.sources.files().first();
        let mut study = Self {
            points,
            set: set.to_vec(),
            options: options.clone(),
            document: loaded.document.clone(),
            name: main.map_or_else(String::new, |file| file.name.clone()),
            files: main.into_iter().chain(&loaded.files).cloned().collect(),
            shaping,
            shapes: Vec::new(),
            varied,
            columns: Vec::new(),
            outputs: 0..0,
            trajectories,
        };
        study.find_shapes(model)?;
        Ok(study)
    }

    /// Derives the model in all its shapes, and sees that they have the same columns.
    fn find_shapes(&mut self, base: &Model) -> Result<(), SweepRefusal> {
        let parameters = || self.shaping.iter().map(|&place| self.points.names()[place].clone()).collect::<Vec<_>>();
        let mut all: Vec<Vec<f64>> = Vec::new();
        if self.shaping.is_empty() {
            all.push(Vec::new());
        } else {
            for point in 0..self.points.count() {
                let key = self.key(&self.points.at(point));
                if !all.contains(&key) {
                    if all.len() == MOST_SHAPES {
                        return Err(SweepRefusal::TooManyShapes(parameters()));
                    }
                    all.push(key);
                }
            }
        }
        let mut messages = Vec::new();
        for values in all {
            let model = if values.is_empty() {
                Ok(base.clone())
            } else {
                let names = parameters();
                self.model(&names.into_iter().zip(values.iter().copied()).collect::<Vec<_>>())
            };
            let system = match model.and_then(derive::derive) {
                Ok(derived) => {
                    let system = CompiledSystem::new(derived.value);
                    let columns = integrate::columns(&system);
                    if self.columns.is_empty() {
                        self.outputs = outputs(&system, &columns);
                        self.columns = columns;
                    } else if let Some(column) = difference(&self.columns, &columns) {
                        return Err(SweepRefusal::OtherColumns { parameters: parameters(), column });
                    }
                    Ok(system)
                }
                Err(found) => {
                    let why = first_reason(&found);
                    messages = found;
                    Err(why)
                }
            };
            self.shapes.push(Shape { values, system });
        }
        if self.columns.is_empty() { Err(SweepRefusal::Messages(messages)) } else { Ok(()) }
    }

    /// The model with these parameters set besides.
    fn model(&self, more: &[(String, f64)]) -> Result<Model, Vec<Diagnostic>> {
        let mut sources = Sources::new();
        let text = self.files.first().map_or("", |file| file.text.as_str());
        sources.add(self.name.clone(), text);
        let set: Vec<(String, f64)> = self.set.iter().chain(more).cloned().collect();
        let (model, diagnostics) =
            holonom_language::elaborate(&self.document, &mut sources, &KeptFiles(&self.files), &set);
        model.ok_or(diagnostics)
    }

    /// The values that decide on the shape.
    fn key(&self, values: &[f64]) -> Vec<f64> {
        self.shaping.iter().map(|&place| values[place]).collect()
    }

    /// The points.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// The varied parameters, as columns.
    pub fn varied(&self) -> &[Column] {
        &self.varied
    }

    /// The columns of a trajectory.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The columns of a trajectory that are components of outputs.
    pub fn outputs(&self) -> &[Column] {
        &self.columns[self.outputs.clone()]
    }

    /// Whether all rows are kept.
    pub fn keeps_trajectories(&self) -> bool {
        self.trajectories
    }

    /// How runs are made.
    pub fn options(&self) -> &Run {
        &self.options
    }

    /// The parameters that are set at all points.
    pub fn set(&self) -> &[(String, f64)] {
        &self.set
    }

    /// The text of the model, and of the files that it is made of besides: name and text.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|file| (file.name.as_str(), file.text.as_str()))
    }

    /// Everything that decides on the results.
    pub fn identity(&self) -> Identity {
        let part = |name: &str, text: String| (name.to_string(), text);
        let own = self.files.first().map_or_else(String::new, |file| file.text.clone());
        let mut parts = vec![
            part("the version of the program", env!("CARGO_PKG_VERSION").to_string()),
            part("the text of the model", own),
            part("the points", self.points.text()),
            part("the settings", format!("{:?} {:?} trajectories {}", self.set, self.options, self.trajectories)),
        ];
        parts.extend(
            self.files.iter().skip(1).map(|file| part(&format!("the file `{}`", file.name), file.text.clone())),
        );
        Identity(parts)
    }

    /// Runs a point. Rows go to `rows` in blocks, where trajectories are kept; `stop` ends it before its time.
    pub fn run(&self, point: u64, stop: &AtomicBool, rows: &mut dyn FnMut(Vec<f64>)) -> Record {
        let values = self.points.at(point);
        let refused = |why: String| Record::without_run(Ended::Refused, why);
        let key = self.key(&values);
        let Some(shape) = self.shapes.iter().find(|shape| shape.values == key) else {
            return refused("internal: a point of no shape".into());
        };
        let system = match &shape.system {
            Ok(system) => system,
            Err(why) => return refused(why.clone()),
        };
        let varied: Vec<(String, f64)> = self.points.names().iter().cloned().zip(values).collect();
        // What reading the model says about values, it says here.
        if let Err(messages) = self.model(&varied) {
            return refused(first_reason(&messages));
        }
        let set: Vec<(String, f64)> = self.set.iter().cloned().chain(varied).collect();
        let system = match system.with_settings(&set) {
            Ok(system) => system,
            Err(unknown) => return refused(unknown.to_string()),
        };
        let plan = match integrate::plan(&system, &self.options) {
            Ok(planned) => planned.value,
            Err(messages) => return refused(first_reason(&messages)),
        };
        if let Some(column) = difference(&self.columns, &plan.columns) {
            let why = format!("other-columns: at these values the model has other rows: `{column}` is not everywhere");
            return refused(why);
        }
        let mut watch = Watch {
            last: Vec::new(),
            outputs: self.outputs.clone(),
            extremes: vec![(f64::INFINITY, f64::NEG_INFINITY); self.outputs.len()],
            block: Vec::new(),
            rows: self.trajectories.then_some(rows),
            stop,
        };
        let outcome = plan.run(&mut watch);
        watch.send();
        Record::of(&outcome, watch.last, watch.extremes)
    }
}

/// The components of outputs stand last.
fn outputs(system: &CompiledSystem, columns: &[Column]) -> std::ops::Range<usize> {
    let count: usize = system.equations().model.outputs.iter().map(|output| output.components.len()).sum();
    columns.len().saturating_sub(count)..columns.len()
}

/// A column that only one of two tables has.
fn difference(one: &[Column], other: &[Column]) -> Option<String> {
    if one == other {
        return None;
    }
    let lacks = |of: &[Column], column: &Column| !of.contains(column);
    let first =
        one.iter().find(|column| lacks(other, column)).or_else(|| other.iter().find(|column| lacks(one, column)));
    Some(first.map_or_else(|| "t".to_string(), |column| column.name.clone()))
}

fn first_reason(messages: &[Diagnostic]) -> String {
    let first = messages.iter().find(|message| message.is_error()).or(messages.first());
    first.map_or_else(|| "start: no start was found".to_string(), reason)
}

/// Looks on as a point runs.
struct Watch<'a> {
    last: Vec<f64>,
    outputs: std::ops::Range<usize>,
    extremes: Vec<(f64, f64)>,
    block: Vec<f64>,
    rows: Option<&'a mut dyn FnMut(Vec<f64>)>,
    stop: &'a AtomicBool,
}

impl Watch<'_> {
    fn send(&mut self) {
        if let Some(rows) = self.rows.as_mut().filter(|_| !self.block.is_empty()) {
            rows(std::mem::take(&mut self.block));
        }
    }
}

impl Observer for Watch<'_> {
    fn row(&mut self, values: &[f64]) -> Result<(), io::Error> {
        self.last.clear();
        self.last.extend_from_slice(values);
        for ((least, greatest), value) in self.extremes.iter_mut().zip(&values[self.outputs.clone()]) {
            (*least, *greatest) = (least.min(*value), greatest.max(*value));
        }
        if self.rows.is_some() {
            self.block.extend_from_slice(values);
            if self.block.len() >= BLOCK {
                self.send();
            }
        }
        Ok(())
    }

    fn step(&mut self, _: f64) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }
}
