//! A document → a model: names, families, parts, units, dimensions.
//!
//! It makes passes over all statements, those of parts in their place: parameters and parts, since the bounds of families
//! depend on them; all other names; energies and forces; constraints; statements that may contain constraint forces; start
//! and run; outputs, events and expectations. A `let` is evaluated on first use, so their order is free. An expression with a
//! mistake has no value, and expressions that contain it report nothing: one mistake, one message.

mod arithmetic;
mod bodies;
mod case;
mod constraints;
mod declare;
mod dimensions;
mod draw;
mod elaborator;
mod exact;
mod expression;
mod files;
mod forces;
mod foresee;
mod friction;
mod functions;
mod lazy;
mod lets;
mod mechanics;
mod names;
mod observe;
mod one_sided;
mod parts;
mod primes;
mod run;
mod scope;
mod sides;
mod start;
mod table;
mod unspecified;
mod value;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use super::checked::Model;
use super::diagnostic::Diagnostic;
use super::source::Sources;
use super::syntax::{Document, Statement, StatementKind};
use elaborator::Elaborator;
pub use files::{FileError, Files, NoFiles};

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

impl<'a> Elaborator<'a> {
    fn run(&mut self) {
        self.declare_parameters(0);
        self.check_settings();
        self.list_statements(0);
        self.parameters_done = true;
        self.foresee_members();
        self.declare_names();
        self.place_bodies();
        self.place_all_parts();
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
        self.warn_of_odd_things();
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
