//! What is known while a model is being made, how much that may be, and the mistakes found so far.

use std::collections::{HashMap, HashSet};

use super::bodies::Bodies;
use super::case::Case;
use super::files::{Files, Library, has_units, lone_unit};
use super::lazy::{Declared, Let};
use super::scope::{Local, Scope};
use super::sides::Sides;
use crate::checked::Model;
use crate::diagnostic::Diagnostic;
use crate::source::{Sources, Span};
use crate::syntax::{Document, Expr, ParticleItem, Statement};
use crate::units::Dimension;
use holonom_symbols::expr::{Graph, Id, Number, Symbol};

/// Expressions that one model may have.
pub(super) const MOST_NODES: usize = 5_000_000;
/// Members that all families of one model may have together.
pub(super) const MOST_MEMBERS: usize = 1_000_000;
/// Steps of evaluation that one model may take.
pub(super) const MOST_WORK: u64 = 20_000_000;
/// Messages that somebody may still read.
const MOST_MESSAGES: usize = 500;

/// Everything that is known while a model is being made.
pub(super) struct Elaborator<'a> {
    pub(super) files: &'a dyn Files,
    pub(super) library: &'a Library,
    pub(super) sources: &'a Sources,
    pub(super) graph: Graph,
    /// Whether some unit was given anywhere, so that dimensions are checked.
    pub(super) checking: bool,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) reported: HashSet<(&'static str, Span, String)>,
    /// Words of statements that could not be read: whether they are declared there nobody knows.
    pub(super) doubtful: HashSet<String>,
    /// Names that mean nothing, and the message that says so.
    pub(super) missing: HashMap<String, usize>,
    /// The model itself is scope 0, each part another.
    pub(super) scopes: Vec<Scope<'a>>,
    /// All statements with their scopes, those of parts in place of the `part`.
    pub(super) order: Vec<(usize, &'a Statement)>,
    pub(super) lets: Vec<Let<'a>>,
    /// Functions that stay symbols.
    pub(super) functions: Vec<Declared<'a>>,
    /// Lets that are being evaluated, innermost last.
    pub(super) running: Vec<usize>,
    /// Lets that wait for others, see [`lets`](super::lets).
    pub(super) waiting: HashSet<usize>,
    /// A let that must be evaluated before this expression can be.
    pub(super) need: Option<usize>,
    /// The scope of the expression at hand, and its indices and arguments.
    pub(super) scope: usize,
    pub(super) locals: Vec<(&'a str, Local)>,
    pub(super) depth: usize,
    pub(super) work: u64,
    pub(super) members: usize,
    pub(super) exhausted: bool,
    /// Time derivatives that are known.
    pub(super) rates: HashMap<Id, Id>,
    /// Values of parameters where they are exact, and rounded.
    pub(super) exact_parameters: Vec<Option<Number>>,
    pub(super) parameter_values: Vec<f64>,
    /// For each constraint the row of each component; nothing for a row that was dropped.
    pub(super) component_rows: Vec<Vec<Option<usize>>>,
    /// For each particle the let that is its position.
    pub(super) positions: Vec<usize>,
    pub(super) particle_items: Vec<&'a ParticleItem>,
    /// For each constraint its scope, what it says and its indices.
    /// Nothing for a constraint that nobody wrote.
    pub(super) constraint_items: Vec<Option<(usize, Sides<'a>, Case<'a>)>>,
    /// Bodies and joints.
    pub(super) bodies: Bodies<'a>,
    /// The parameter whose value is being found.
    pub(super) defining: &'a str,
    /// Whether all parameters are known, so that names that come later are no mistake of order.
    pub(super) parameters_done: bool,
    /// Whether constraints have their rows, so that forces can be spoken of.
    pub(super) rows_known: bool,
    /// Whether energies are known.
    pub(super) energies_known: bool,
    /// Inside `law(…)`: which friction, and the dimension of its slip.
    pub(super) contact: Option<(u32, Dimension)>,
    /// Kinetic energies with their scopes.
    pub(super) kinetic_terms: Vec<(usize, &'a Expr, Id)>,
    /// Scope, components and place of each `gravity`.
    pub(super) gravities: Vec<(usize, Vec<Id>, Span)>,
    /// Coordinates declared in a unit that is a number, such as a degree: the unit as written.
    pub(super) pure_units: HashMap<usize, String>,
    /// How deep in parts each start value was given, by symbol.
    pub(super) start_depths: HashMap<Symbol, (usize, usize)>,
    /// Parameters that indices and ranges are made of, and whether such a one is being evaluated.
    pub(super) sizes: HashSet<usize>,
    pub(super) indexing: bool,
    /// Parameters that events set, and where.
    pub(super) set_in_events: Vec<(usize, Span)>,
    /// Coordinates by name, once an output asks for them.
    pub(super) columns: HashMap<String, usize>,
    /// The first unit, where only one statement has any: it may stand there by accident.
    pub(super) lone_unit: Option<Span>,
    /// Warnings about units after a division, for models without mistakes.
    pub(super) divisors: Vec<Diagnostic>,
    pub(super) model: Model,
}

impl<'a> Elaborator<'a> {
    pub(super) fn new(
        document: &'a Document,
        library: &'a Library,
        files: &'a dyn Files,
        sources: &'a Sources,
        diagnostics: Vec<Diagnostic>,
    ) -> Self {
        let checking = has_units(&document.statements) || library.has_units();
        Self {
            files,
            library,
            sources,
            graph: Graph::new(),
            checking,
            diagnostics,
            reported: HashSet::new(),
            doubtful: HashSet::new(),
            scopes: vec![Scope::root(&document.statements)],
            order: Vec::new(),
            lets: Vec::new(),
            functions: Vec::new(),
            running: Vec::new(),
            waiting: HashSet::new(),
            need: None,
            scope: 0,
            locals: Vec::new(),
            depth: 0,
            work: 0,
            members: 0,
            exhausted: false,
            rates: HashMap::new(),
            exact_parameters: Vec::new(),
            parameter_values: Vec::new(),
            component_rows: Vec::new(),
            positions: Vec::new(),
            particle_items: Vec::new(),
            constraint_items: Vec::new(),
            bodies: Bodies::new(),
            defining: "",
            parameters_done: false,
            rows_known: false,
            energies_known: false,
            contact: None,
            kinetic_terms: Vec::new(),
            gravities: Vec::new(),
            missing: HashMap::new(),
            pure_units: HashMap::new(),
            start_depths: HashMap::new(),
            sizes: HashSet::new(),
            indexing: false,
            set_in_events: Vec::new(),
            columns: HashMap::new(),
            divisors: Vec::new(),
            lone_unit: if library.has_units() { None } else { lone_unit(&document.statements) },
            model: Model::empty(checking),
        }
    }

    /// Reports something, unless the same was reported of the same characters already.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() >= MOST_MESSAGES && (!diagnostic.is_error() || self.has_mistakes()) {
            return;
        }
        let span = diagnostic.labels.first().map(|label| label.span).unwrap_or_default();
        // Models that were not typed have no places; there the words must tell messages apart.
        let text = if span.start == span.end { diagnostic.message.clone() } else { String::new() };
        if self.reported.insert((diagnostic.code, span, text)) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether something was wrong already, here or in reading.
    pub(super) fn has_mistakes(&self) -> bool {
        !self.doubtful.is_empty() || self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Counts members of families, and refuses too many.
    pub(super) fn count_members(&mut self, more: usize, span: Span) -> bool {
        self.members = self.members.saturating_add(more);
        if self.members > MOST_MEMBERS {
            self.too_many_members(span);
            return false;
        }
        true
    }

    pub(super) fn too_many_members(&mut self, span: Span) {
        self.too_large(span, format!("families have more than {MOST_MEMBERS} members in all"));
    }

    pub(super) fn too_large(&mut self, span: Span, what: impl Into<String>) {
        if !self.exhausted {
            self.exhausted = true;
            let error = Diagnostic::error("too-large", what)
                .at(span, "here")
                .help("take smaller ranges, or write the same with fewer terms");
            self.report(error);
        }
    }
}
