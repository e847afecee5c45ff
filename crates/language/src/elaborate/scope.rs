//! Scopes: the names of the model and of each part, and what they mean.

use std::collections::HashMap;

use super::case::Case;
use super::value::Value;
use crate::source::Span;
use crate::syntax::{PartItem, Statement, Unit};
use holonom_symbols::expr::Id;

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    /// By its place among the parameters.
    Parameter(usize),
    /// By its place among the coordinates.
    Coordinate(usize),
    /// By its place among the particles.
    Particle(usize),
    /// By its place among the lets.
    Let(usize),
    /// A table, with what its argument is divided and its value multiplied by.
    Table(u32, Scaling),
    /// By its place among the functions that stay symbols.
    Function(usize),
    /// By its place among the constraints.
    Constraint(usize),
    /// By the place of its lower limit among the constraints; the upper one follows.
    Stop(usize),
    /// By its place among the bodies.
    Body(usize),
    /// By its place among the frames.
    Frame(usize),
    /// By its place among the joints.
    Joint(usize),
    /// A spring or a damper.
    Element(usize),
    /// A scope.
    Part(usize),
    /// Declared with a mistake that has been reported.
    Broken,
}

/// What the columns of a table are multiples of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scaling {
    pub(super) argument: (Id, crate::units::Dimension),
    pub(super) value: (Id, crate::units::Dimension),
}

/// A name that is declared.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// `coordinate`, `parameter`, …
    pub(super) kind: &'static str,
    pub(super) span: Span,
    pub(super) members: Members,
    pub(super) used: bool,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Members {
    One(Member),
    /// The members of a family, by their indices.
    Family(HashMap<Vec<i64>, Member>),
}

/// An index or an argument.
#[derive(Clone, Debug)]
pub(super) enum Local {
    Index(i64),
    Argument(Value),
}

/// A value that `with` gives to a parameter of a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Override<'a> {
    pub(super) value: Option<(Id, super::value::Dim)>,
    pub(super) exact: Option<holonom_symbols::expr::Number>,
    /// The unit behind its number.
    pub(super) unit: Option<&'a Unit>,
    pub(super) span: Span,
    pub(super) used: bool,
}

/// The names of the model, or of a part.
pub(super) struct Scope<'a> {
    /// What stands before the names of its members: nothing, or `arm.`.
    pub(super) prefix: String,
    /// The index of a part in a family, which an inline part sees.
    pub(super) indices: Vec<(&'a str, Local)>,
    /// The scope around an inline part, whose names it sees.
    pub(super) outer: Option<usize>,
    /// The scope that the part lies in, whose names it may not see.
    pub(super) parent: Option<usize>,
    /// The first of its coordinates and the first that is none, those of inner parts included: they stand together.
    pub(super) coordinates: std::ops::Range<usize>,
    pub(super) depth: usize,
    /// What places it as a whole, and the case of its family.
    pub(super) placement: Option<(&'a PartItem, Case<'a>)>,
    /// Whether it lies in a file of its own.
    pub(super) is_file: bool,
    /// The files around it, outermost first.
    pub(super) chain: Vec<String>,
    /// Where its files lie, from the model's folder.
    pub(super) folder: String,
    pub(super) statements: &'a [Statement],
    /// The scopes that a `part` statement made, by its place among the statements.
    pub(super) parts: HashMap<usize, Vec<usize>>,
    pub(super) names: HashMap<&'a str, Name>,
    /// Names that will be declared, with their kinds, for messages.
    pub(super) outline: HashMap<&'a str, (&'static str, Span)>,
    pub(super) overrides: HashMap<String, Override<'a>>,
    pub(super) outputs: HashMap<String, Span>,
    pub(super) events: HashMap<String, Span>,
}

impl<'a> Scope<'a> {
    pub(super) fn root(statements: &'a [Statement]) -> Self {
        Self {
            prefix: String::new(),
            indices: Vec::new(),
            outer: None,
            parent: None,
            coordinates: 0..0,
            depth: 0,
            placement: None,
            is_file: false,
            chain: Vec::new(),
            folder: String::new(),
            statements,
            parts: HashMap::new(),
            names: HashMap::new(),
            outline: outline(statements),
            overrides: HashMap::new(),
            outputs: HashMap::new(),
            events: HashMap::new(),
        }
    }
}

fn outline(statements: &[Statement]) -> HashMap<&str, (&'static str, Span)> {
    let mut names = HashMap::new();
    for (target, kind) in statements.iter().flat_map(|statement| statement.kind.declares()) {
        if let Some(step) = target.steps.first() {
            names.entry(step.name.text.as_str()).or_insert((kind, step.name.span));
        }
    }
    names
}

/// `x[3]`, `x[1, 2]`.
pub(super) fn with_indices(name: &str, indices: &[i64]) -> String {
    let indices: Vec<String> = indices.iter().map(i64::to_string).collect();
    format!("{name}[{}]", indices.join(", "))
}
