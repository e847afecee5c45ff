//! Parts: models within the model, each with names of its own.

use std::collections::HashMap;

use super::case::Case;
use super::declare::unit_behind;
use super::elaborator::{Elaborator, MOST_WORK};
use super::files::{DEEPEST_PART, folder, join};
use super::scope::{Local, Member, Override, Scope, with_indices};
use super::value::Dim;
use crate::diagnostic::Diagnostic;
use crate::names::closest;
use crate::source::Span;
use crate::syntax::{Definition, PartItem, PartSource, Statement, Target};
use holonom_symbols::expr::Number;

impl<'a> Elaborator<'a> {
    /// Makes the scopes of a `part` statement, and declares their parameters.
    pub(super) fn declare_part(&mut self, scope: usize, which: usize, item: &'a PartItem) {
        let [step] = &item.target.steps[..] else { return self.plain_target(&item.target, "a part") };
        let depth = self.scopes[scope].depth + 1;
        if depth > DEEPEST_PART {
            let error = Diagnostic::error("too-large", "parts lie too deep in parts")
                .at(item.span, format!("at most {DEEPEST_PART} deep"));
            return self.report(error);
        }
        let Some((statements, chain, outer)) = self.part_statements(scope, item) else {
            // Its error has been reported; names in it stay silent.
            self.define(&step.name, None, "part", Member::Broken);
            return;
        };
        let folder_of = chain.last().map_or("", |path| folder(path)).to_string();
        let mut members = Vec::new();
        for case in self.cases(&item.target) {
            let indices = case.last();
            let name = match &indices {
                None => step.name.text.clone(),
                Some(indices) => with_indices(&step.name.text, indices),
            };
            self.work += statements.len() as u64;
            if self.work > MOST_WORK {
                return self.too_large(item.span, "the parts have too many statements in all");
            }
            let mut overrides = self.inherited(scope, &name);
            for definition in &item.with {
                self.override_with(&case, definition, &mut overrides);
            }
            let part = self.scopes.len();
            self.scopes.push(Scope {
                prefix: format!("{}{name}.", self.scopes[scope].prefix),
                indices: if outer.is_some() {
                    case.locals.iter().map(|&(name, value)| (name, Local::Index(value))).collect()
                } else {
                    Vec::new()
                },
                outer,
                parent: Some(scope),
                depth,
                is_file: outer.is_none(),
                folder: folder_of.clone(),
                chain: chain.clone(),
                overrides,
                placement: (!item.placement.is_empty()).then(|| (item, case.clone())),
                ..Scope::root(statements)
            });
            self.scope = scope;
            self.define(&step.name, indices, "part", Member::Part(part));
            self.declare_parameters(part);
            self.check_overrides(part);
            self.scope = scope;
            members.push(part);
        }
        self.scopes[scope].parts.insert(which, members);
    }

    /// The statements of a part, the files around them, and the scope whose names they see.
    fn part_statements(
        &self,
        scope: usize,
        item: &'a PartItem,
    ) -> Option<(&'a [Statement], Vec<String>, Option<usize>)> {
        let mut chain = self.scopes[scope].chain.clone();
        match &item.source {
            PartSource::Inline(statements) => Some((statements, chain, Some(scope))),
            PartSource::File(text) => {
                let path = join(&self.scopes[scope].folder, &text.text).ok()?;
                if chain.contains(&path) {
                    return None;
                }
                let library = self.library;
                let document = library.documents.get(&path)?;
                chain.push(path);
                Some((&document.statements, chain, None))
            }
        }
    }

    /// Values that come from outside the model: they stand over its parameters as `with` stands over those of a part.
    pub(super) fn set_parameters(&mut self, settings: &[(String, f64)]) {
        for (name, value) in settings {
            let Some(exact) = Number::rounded(*value) else {
                let error = Diagnostic::error("bad-number", format!("`{name}` is set to what is not a finite number"));
                self.report(error);
                continue;
            };
            let value = Some((self.graph.number(exact), Dim::Any));
            let given = Override { value, exact: Some(exact), unit: None, span: Span::default(), used: false };
            self.scopes[0].overrides.insert(name.clone(), given);
        }
    }

    /// Complains about values from outside that no parameter took.
    pub(super) fn check_settings(&mut self) {
        let mut unknown: Vec<String> =
            self.scopes[0].overrides.iter().filter(|(_, given)| !given.used).map(|(name, _)| name.clone()).collect();
        unknown.sort();
        for name in unknown {
            let names: Vec<&str> = self.model.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let error = Diagnostic::error("unknown-parameter", format!("there is no parameter `{name}` to set"));
            let plain = name.trim_end_matches('\'');
            let is_coordinate = self.scopes[0].outline.get(plain).is_some_and(|(kind, _)| *kind == "coordinate");
            let error = match closest(&name, names.iter().copied()) {
                _ if is_coordinate => error.help(format!(
                    "`{name}` is not a parameter: its value at the beginning is in the model, `start {name} = …`"
                )),
                Some(right) => error.help(format!("did you mean `{right}`?")),
                None if names.is_empty() => error.help("the model has no parameters"),
                None => {
                    let some: Vec<String> = names.iter().take(20).map(|name| format!("`{name}`")).collect();
                    error.help(format!("its parameters are {}", some.join(", ")))
                }
            };
            self.report(error);
        }
    }

    /// Values that an outer `with` gives to parameters of a part in a part.
    fn inherited(&mut self, scope: usize, name: &str) -> HashMap<String, Override<'a>> {
        let begin = format!("{name}.");
        let mut found = HashMap::new();
        for (key, value) in &mut self.scopes[scope].overrides {
            if let Some(rest) = key.strip_prefix(&begin) {
                value.used = true;
                found.insert(rest.to_string(), Override { used: false, ..*value });
            }
        }
        found
    }

    fn override_with(
        &mut self,
        case: &Case<'a>,
        definition: &'a Definition,
        overrides: &mut HashMap<String, Override<'a>>,
    ) {
        let target = &definition.target;
        self.within(case, |this| {
            for inner in this.cases(target) {
                let key = path_text(target, &inner);
                let (exact, value) = this.within(&inner, |this| {
                    let exact = this.exact(&definition.value);
                    (exact, this.parameter_value(&definition.value))
                });
                let unit = unit_behind(&definition.value);
                let given = Override { value, exact, unit, span: definition.span, used: false };
                // What stands outside wins over what stands inside.
                overrides.entry(key).or_insert(given);
            }
        });
    }

    fn check_overrides(&mut self, part: usize) {
        let mut unknown: Vec<(String, crate::source::Span)> = self.scopes[part]
            .overrides
            .iter()
            .filter(|(_, given)| !given.used)
            .map(|(name, given)| (name.clone(), given.span))
            .collect();
        unknown.sort();
        let prefix = self.scopes[part].prefix.trim_end_matches('.').to_string();
        for (name, span) in unknown {
            let mut names: Vec<&str> = self.scopes[part].names.keys().copied().collect();
            names.sort_unstable();
            let error = Diagnostic::error("unknown-name", format!("the part `{prefix}` has no parameter `{name}`"));
            let error = match closest(&name, names) {
                Some(right) => error.at(span, format!("did you mean `{right}`?")),
                None => error.at(span, "only parameters can be given with `with`"),
            };
            self.report(error);
        }
    }

    /// The message about a target with dots where a plain name is due.
    pub(super) fn plain_target(&mut self, target: &Target, what: &str) {
        let error = Diagnostic::error("plain-name-expected", format!("{what} is declared by a plain name"))
            .at(target.span, "has dots")
            .help("names with dots belong to parts and are declared there");
        self.report(error);
    }
}

/// `hand.L[2]`: a target as it is written, with the values of its indices.
fn path_text(target: &Target, case: &Case<'_>) -> String {
    let steps: Vec<String> = target
        .steps
        .iter()
        .zip(&case.indices)
        .map(|(step, indices)| match indices {
            None => step.name.text.clone(),
            Some(indices) => with_indices(&step.name.text, indices),
        })
        .collect();
    steps.join(".")
}
