//! A document → a model: names, families, parts, units, dimensions.
//!
//! It makes passes over all statements, those of parts in their place: parameters and parts, since the bounds of families
//! depend on them; all other names; energies and forces; constraints; statements that may contain constraint forces; start
//! and run; outputs, events and expectations. A `let` is evaluated on first use, so their order is free. An expression with a
//! mistake has no value, and expressions that contain it report nothing: one mistake, one message.

mod arithmetic;
mod bodies;
mod constraints;
mod declare;
mod dimensions;
mod draw;
mod exact;
mod expression;
mod files;
mod forces;
mod foresee;
mod friction;
mod functions;
mod lets;
mod mechanics;
mod observe;
mod one_sided;
mod parts;
mod primes;
mod run;
mod scope;
mod start;
mod unspecified;
mod value;

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use super::checked::Model;
use super::diagnostic::Diagnostic;
use super::source::{Sources, Span};
use super::syntax::{Document, Expr, ParticleItem, Statement, StatementKind};
use bodies::Bodies;
use exact::Case;
pub use files::{FileError, Files, NoFiles};
use holonom_symbols::expr::{Graph, Id, Number};
use lets::Let;
use one_sided::Sides;
use scope::{Local, Scope};
use unspecified::Declared;

/// Expressions that one model may have.
const MOST_NODES: usize = 5_000_000;
/// Members that all families of one model may have together.
const MOST_MEMBERS: usize = 1_000_000;
/// Steps of evaluation that one model may take.
const MOST_WORK: u64 = 20_000_000;

/// Messages that somebody may still read.
const MOST_MESSAGES: usize = 500;

/// A model made of a document, with everything that was wrong with it.
///
/// The model is there exactly when nothing was an error. Tables and parts are read from `files`, with paths relative to
/// the model's own folder. `settings` are values from outside for parameters, by name.
pub fn elaborate(
    document: &Document,
    sources: &mut Sources,
    files: &dyn Files,
    settings: &[(String, f64)],
) -> (Option<Model>, Vec<Diagnostic>) {
    elaborate_after(document, sources, files, settings, &[])
}

/// The same, where reading the document has `found` mistakes: names in statements that could not be read are not unknown.
pub(super) fn elaborate_after(
    document: &Document,
    sources: &mut Sources,
    files: &dyn Files,
    settings: &[(String, f64)],
    found: &[Diagnostic],
) -> (Option<Model>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let library = files::read_parts(document, sources, files, &mut diagnostics);
    let mut doubtful = HashSet::new();
    for error in found.iter().chain(&diagnostics).filter(|error| error.is_error()) {
        files::doubtful_words(error, document, &library, sources, &mut doubtful);
    }
    let mut elaborator = Elaborator::new(document, &library, files, sources, diagnostics);
    elaborator.doubtful = doubtful;
    elaborator.set_parameters(settings);
    elaborator.run();
    elaborator.finish()
}

/// Everything that is known while a model is being made.
struct Elaborator<'a> {
    files: &'a dyn Files,
    library: &'a files::Library,
    sources: &'a Sources,
    graph: Graph,
    /// Whether some unit was given anywhere, so that dimensions are checked.
    checking: bool,
    diagnostics: Vec<Diagnostic>,
    reported: HashSet<(&'static str, Span, String)>,
    /// Words of statements that could not be read: whether they are declared there nobody knows.
    doubtful: HashSet<String>,
    /// Names that mean nothing, and the message that says so.
    missing: HashMap<String, usize>,
    /// The model itself is scope 0, each part another.
    scopes: Vec<Scope<'a>>,
    /// All statements with their scopes, those of parts in place of the `part`.
    order: Vec<(usize, &'a Statement)>,
    lets: Vec<Let<'a>>,
    /// Functions that stay symbols.
    functions: Vec<Declared<'a>>,
    /// Lets that are being evaluated, innermost last.
    running: Vec<usize>,
    /// Lets that wait for others, see [`lets`].
    waiting: HashSet<usize>,
    /// A let that must be evaluated before this expression can be.
    need: Option<usize>,
    /// The scope of the expression at hand, and its indices and arguments.
    scope: usize,
    locals: Vec<(&'a str, Local)>,
    depth: usize,
    work: u64,
    members: usize,
    exhausted: bool,
    /// Time derivatives that are known.
    rates: HashMap<Id, Id>,
    /// Values of parameters where they are exact, and rounded.
    exact_parameters: Vec<Option<Number>>,
    parameter_values: Vec<f64>,
    /// For each constraint the row of each component; nothing for a row that was dropped.
    component_rows: Vec<Vec<Option<usize>>>,
    /// For each particle the let that is its position.
    positions: Vec<usize>,
    particle_items: Vec<&'a ParticleItem>,
    /// For each constraint its scope, what it says and its indices.
    /// Nothing for a constraint that nobody wrote.
    constraint_items: Vec<Option<(usize, Sides<'a>, Case<'a>)>>,
    /// Bodies and joints.
    bodies: Bodies<'a>,
    /// The parameter whose value is being found.
    defining: &'a str,
    /// Whether all parameters are known, so that names that come later are no mistake of order.
    parameters_done: bool,
    /// Whether constraints have their rows, so that forces can be spoken of.
    rows_known: bool,
    /// Whether energies are known.
    energies_known: bool,
    /// Inside `law(…)`: which friction, and the dimension of its slip.
    contact: Option<(u32, crate::units::Dimension)>,
    /// Kinetic energies with their scopes.
    kinetic_terms: Vec<(usize, &'a Expr, Id)>,
    /// Scope, components and place of each `gravity`.
    gravities: Vec<(usize, Vec<Id>, Span)>,
    /// Coordinates declared in a unit that is a number, such as a degree: the unit as written.
    pure_units: HashMap<usize, String>,
    /// How deep in parts each start value was given, by symbol.
    start_depths: HashMap<holonom_symbols::expr::Symbol, (usize, usize)>,
    /// Parameters that indices and ranges are made of, and whether such a one is being evaluated.
    sizes: HashSet<usize>,
    indexing: bool,
    /// Parameters that events set, and where.
    set_in_events: Vec<(usize, Span)>,
    /// Coordinates by name, once an output asks for them.
    columns: HashMap<String, usize>,
    /// The first unit, where only one statement has any: it may stand there by accident.
    lone_unit: Option<Span>,
    model: Model,
}

impl<'a> Elaborator<'a> {
    fn new(
        document: &'a Document,
        library: &'a files::Library,
        files: &'a dyn Files,
        sources: &'a Sources,
        diagnostics: Vec<Diagnostic>,
    ) -> Self {
        let checking = files::has_units(&document.statements) || library.has_units();
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
            lone_unit: if library.has_units() { None } else { files::lone_unit(&document.statements) },
            model: Model::empty(checking),
        }
    }

    fn run(&mut self) {
        self.declare_parameters(0);
        self.check_settings();
        self.list_statements(0);
        self.parameters_done = true;
        self.foresee_members();
        self.declare_names();
        self.place_bodies();
        let order = std::mem::take(&mut self.order);
        self.place_particles();
        self.each(&order, Self::mechanics_statement);
        self.check_energies();
        self.check_kinetic();
        self.write_constraints();
        self.rows_known = true;
        self.total_energies();
        self.energies_known = true;
        self.each(&order, Self::contact_statement);
        self.each(&order, Self::start_statement);
        self.start_bodies();
        self.check_lonely_nonideals();
        self.check_start_cycles();
        self.each(&order, Self::run_statement);
        self.each(&order, Self::observe_statement);
        self.evaluate_all_lets();
        self.check_functions();
        self.keep_named_vectors();
        self.check_set_parameters();
        self.warn_of_off();
        self.warn_of_unused();
    }

    fn each(&mut self, order: &[(usize, &'a Statement)], mut pass: impl FnMut(&mut Self, &'a Statement)) {
        for &(scope, statement) in order {
            if self.exhausted {
                return;
            }
            self.scope = scope;
            pass(self, statement);
        }
    }

    /// All statements, those of parts in place of the `part`.
    fn list_statements(&mut self, scope: usize) {
        for (which, statement) in self.scopes[scope].statements.iter().enumerate() {
            if let StatementKind::Part(_) = statement.kind {
                for part in self.scopes[scope].parts.get(&which).cloned().unwrap_or_default() {
                    self.list_statements(part);
                }
            } else {
                self.order.push((scope, statement));
            }
        }
    }

    /// Reports something, unless the same was reported of the same characters already.
    fn report(&mut self, diagnostic: Diagnostic) {
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
    fn has_mistakes(&self) -> bool {
        !self.doubtful.is_empty() || self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Counts members of families, and refuses too many.
    fn count_members(&mut self, more: usize, span: Span) -> bool {
        self.members = self.members.saturating_add(more);
        if self.members > MOST_MEMBERS {
            self.too_many_members(span);
            return false;
        }
        true
    }

    fn too_many_members(&mut self, span: Span) {
        self.too_large(span, format!("families have more than {MOST_MEMBERS} members in all"));
    }

    fn too_large(&mut self, span: Span, what: impl Into<String>) {
        if !self.exhausted {
            self.exhausted = true;
            let error = Diagnostic::error("too-large", what)
                .at(span, "here")
                .help("take smaller ranges, or write the same with fewer terms");
            self.report(error);
        }
    }

    fn finish(mut self) -> (Option<Model>, Vec<Diagnostic>) {
        if self.model.coordinates.is_empty() && !self.has_mistakes() {
            let span = self.scopes[0].statements.first().map(|statement| statement.span).unwrap_or_default();
            let error = Diagnostic::error("no-coordinates", "the model has no coordinates")
                .at(span, "nothing here can move")
                .help("declare what moves: `coord x`, or `particle p: m in plane`");
            self.report(error);
        }
        self.diagnostics.sort_by_key(|one| one.severity);
        let good = !self.diagnostics.iter().any(Diagnostic::is_error);
        self.model.sources = self.sources.clone();
        self.model.sizes = self.all_sizes();
        self.model.graph = self.graph;
        (good.then_some(self.model), self.diagnostics)
    }
}
