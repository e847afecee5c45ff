//! Names: how they get their meaning, and which one somebody may have meant.

use std::collections::HashMap;

use super::Elaborator;
use super::scope::{Member, Members, Name, with_indices};
use crate::diagnostic::Diagnostic;
use crate::function_names::is_function;
use crate::names::closest;
use crate::source::Span;
use crate::syntax::Ident;

impl<'a> Elaborator<'a> {
    /// Gives a name its meaning; `indices` for a member of a family.
    pub(super) fn define(&mut self, ident: &'a Ident, indices: Option<Vec<i64>>, kind: &'static str, member: Member) {
        let name = ident.text.as_str();
        if matches!(name, "t" | "pi") {
            let what = if name == "t" { "time" } else { "3.14159…" };
            let error = Diagnostic::error("reserved-name", format!("`{name}` is always {what}"))
                .at(ident.span, "choose another name");
            // What is said of it elsewhere would be said of something else.
            self.doubtful.insert(name.to_string());
            return self.report(error);
        }
        let scope = self.scope;
        let Some(known) = self.scopes[scope].names.get_mut(name) else {
            let members = match indices {
                None => Members::One(member),
                Some(indices) => Members::Family(HashMap::from([(indices, member)])),
            };
            self.scopes[scope].names.insert(name, Name { kind, span: ident.span, members, used: false });
            return;
        };
        let first = known.span;
        let (message, help) = match (&mut known.members, indices) {
            (Members::Family(members), Some(indices)) => {
                let arity = members.keys().next().map_or(indices.len(), Vec::len);
                if arity != indices.len() {
                    (format!("`{name}` has {arity} indices elsewhere, and {} here", indices.len()), "")
                } else if let std::collections::hash_map::Entry::Vacant(place) = members.entry(indices.clone()) {
                    place.insert(member);
                    return;
                } else {
                    (format!("`{}` is declared twice", with_indices(name, &indices)), "")
                }
            }
            (Members::One(first), None) => {
                // Which of the two is meant elsewhere nobody knows.
                *first = Member::Broken;
                let space = "coordinates, parameters, lets, tables, functions, particles, bodies, joints, constraints and parts share one name space";
                (format!("`{name}` is declared twice"), space)
            }
            _ => (format!("`{name}` is declared with an index and without one"), ""),
        };
        let mut error = Diagnostic::error("redefined-name", message)
            .at(ident.span, "declared again")
            .at(first, "declared here first")
            .help("choose another name for one of them");
        if !help.is_empty() {
            error = error.note(help);
        }
        self.report(error);
    }

    /// The scope that declares `name`, as seen from `scope`.
    pub(super) fn scope_of(&self, mut scope: usize, name: &str) -> Option<usize> {
        loop {
            if self.scopes[scope].names.contains_key(name) {
                return Some(scope);
            }
            scope = self.scopes[scope].outer?;
        }
    }

    /// The full name of something declared in the scope at hand.
    pub(super) fn full_name(&self, name: &str, indices: Option<&[i64]>) -> String {
        let prefix = &self.scopes[self.scope].prefix;
        match indices {
            None => format!("{prefix}{name}"),
            Some(indices) => format!("{prefix}{}", with_indices(name, indices)),
        }
    }

    /// The message about a name that means nothing here.
    pub(super) fn unknown_name(&mut self, scope: usize, name: &str, span: Span) {
        if self.doubtful.contains(name) {
            return;
        }
        // One message for all places, and no search for what was meant at each of them.
        if let Some(&said) = self.missing.get(name) {
            if let Some(said) = self.diagnostics.get_mut(said) {
                said.also_at(span);
            }
            return;
        }
        let error = self.unknown_name_error(scope, name, span);
        if error.code == "unknown-name" {
            self.missing.insert(name.to_string(), self.diagnostics.len());
        }
        self.report(error);
    }

    fn unknown_name_error(&self, scope: usize, name: &str, span: Span) -> Diagnostic {
        if let Some((kind, place)) = self.outlined(scope, name) {
            // Only parameters are evaluated in the order in which they stand.
            return if kind == "parameter" && self.defining == name {
                Diagnostic::error("parameter-order", format!("the parameter `{name}` is made of itself"))
                    .at(span, "not known yet")
                    .help("give it a number, or make it of earlier parameters")
            } else if kind == "parameter" {
                Diagnostic::error("parameter-order", format!("the parameter `{name}` is not known yet"))
                    .at(span, "used here")
                    .at(place, "declared later")
                    .help(format!("move the declaration of `{name}` up: parameters are made of earlier ones"))
            } else {
                Diagnostic::error("not-fixed", format!("a parameter cannot depend on the {kind} `{name}`"))
                    .at(span, "not a parameter")
                    .help("write `let` instead of `param` for what is not a fixed number")
            };
        }
        if let Some(&(_, place)) = self.scopes[scope].outline.get(name) {
            return Diagnostic::error("out-of-range", format!("`{name}` has no members"))
                .at(span, "used here")
                .at(place, "declared over an empty range")
                .help("look at the bounds: the last must not be below the first");
        }
        if name == "t" || name == "pi" {
            // Elsewhere they are known: only a target can be missing here.
            let what = if name == "t" { "the time, which begins at 0" } else { "3.14159…" };
            return Diagnostic::error("wrong-target", format!("`{name}` is {what}"))
                .at(span, "cannot be given a value")
                .help("coordinates and velocities are started and set: `start x = 1, x' = 0`");
        }
        let error = Diagnostic::error("unknown-name", format!("there is no `{name}`"));
        if let Some(velocity) = self.meant_velocity(scope, name) {
            let base = velocity.trim_end_matches('\'');
            return error
                .at(span, format!("the velocity of `{base}` is written `{base}'`"))
                .help(format!("write `{velocity}`"))
                .suggest(span, velocity);
        }
        if let Some(right) = [("pi", "pi"), ("time", "t")].iter().find(|(said, _)| name.eq_ignore_ascii_case(said)) {
            return error.at(span, format!("did you mean `{}`?", right.1)).suggest(span, right.1);
        }
        if matches!(name, "energy" | "kinetic" | "potential") {
            return error.at(span, format!("this energy is written `{name}()`")).suggest(span, format!("{name}()"));
        }
        if let Some(component) = self.meant_component(scope, name) {
            return error.at(span, format!("did you mean `{component}`?")).suggest(span, component);
        }
        if is_function(name) {
            return error
                .at(span, "the name of a function")
                .help(format!("a function needs its arguments: `{name}(…)`"));
        }
        if name == "ground" {
            return Diagnostic::error("wrong-target", "`ground` is the body that does not move")
                .at(span, "nothing acts on it, and it has no coordinates")
                .help("remove this, or let it act on another body");
        }
        let is_ground = ["ground", "world", "earth"].contains(&name.to_lowercase().as_str());
        if is_ground && !self.bodies.is_empty() {
            return error.at(span, "the body that does not move is `ground`").suggest(span, "ground");
        }
        let candidates = self.names_in_scope(scope);
        if crate::units::lookup(name).is_some() && name.len() > 1 {
            return error
                .at(span, "the name of a unit")
                .help(format!("write units after a number and a blank: `2 {name}`, without `*`"));
        }
        match closest(name, candidates.iter().map(String::as_str)) {
            Some(right) => error.at(span, format!("did you mean `{right}`?")).suggest(span, right.to_string()),
            None => error
                .at(span, "not declared")
                .help(format!("declare it: `param {name} = …`, `coord {name}` or `let {name} = …`")),
        }
    }

    fn outlined(&self, mut scope: usize, name: &str) -> Option<(&'static str, Span)> {
        loop {
            if let Some(&known) = self.scopes[scope].outline.get(name)
                && !self.scopes[scope].names.contains_key(name)
                && !self.parameters_done
            {
                return Some(known);
            }
            scope = self.scopes[scope].outer?;
        }
    }

    fn names_in_scope(&self, mut scope: usize) -> Vec<String> {
        let mut names: Vec<String> = self.locals.iter().map(|(name, _)| (*name).to_string()).collect();
        loop {
            let mut here: Vec<&str> = self.scopes[scope].names.keys().copied().collect();
            here.sort_unstable();
            names.extend(here.into_iter().map(str::to_string));
            match self.scopes[scope].outer {
                Some(outer) => scope = outer,
                None => return names,
            }
        }
    }

    /// `ball.y` for `y`, where there is one particle.
    fn meant_component(&self, scope: usize, name: &str) -> Option<String> {
        if !matches!(name, "x" | "y" | "z") {
            return None;
        }
        let particles: Vec<&str> =
            self.scopes[scope].names.iter().filter(|(_, one)| one.kind == "particle").map(|(name, _)| *name).collect();
        let [only] = particles[..] else { return None };
        let flat = self.model.particles.iter().any(|one| one.name == only && one.position.len() == 2);
        (!(name == "z" && flat)).then(|| format!("{only}.{name}"))
    }

    /// The velocity that somebody may have meant by `xdot`, `x_dot`, `dx`, `vx`, and the acceleration by `ax`, `xddot`.
    fn meant_velocity(&self, scope: usize, name: &str) -> Option<String> {
        let moves = |base: &str| {
            let scope = self.scope_of(scope, base)?;
            let kind = self.scopes[scope].names[base].kind;
            matches!(kind, "coordinate" | "particle").then(|| base.to_string())
        };
        for (end, primes) in [
            ("_ddot", "''"),
            ("ddot", "''"),
            ("_dot", "'"),
            ("dot", "'"),
            ("_d", "'"),
            ("_t", "'"),
            ("dd", "''"),
            ("d", "'"),
        ] {
            if let Some(base) = name.strip_suffix(end).and_then(moves) {
                return Some(base + primes);
            }
        }
        for (begin, primes) in
            [("dd", "''"), ("v_", "'"), ("a_", "''"), ("d_", "'"), ("d", "'"), ("v", "'"), ("a", "''")]
        {
            if let Some(base) = name.strip_prefix(begin).and_then(moves) {
                return Some(base + primes);
            }
        }
        None
    }

    /// Warns of parameters, coordinates, lets, tables and functions that nothing uses.
    pub(super) fn warn_of_unused(&mut self) {
        // Beside errors they are noise: what is not used may only have been misspelt.
        if self.has_mistakes() {
            return;
        }
        let mut unused = Vec::new();
        for scope in self.scopes.iter().filter(|scope| !scope.is_file) {
            for (name, known) in &scope.names {
                if !known.used && matches!(known.kind, "parameter" | "coordinate" | "let" | "table" | "function") {
                    unused.push((known.span, format!("{}{name}", scope.prefix), known.kind));
                }
            }
        }
        unused.sort();
        for (span, name, kind) in unused {
            let what = if kind == "let" { format!("`{name}`") } else { format!("the {kind} `{name}`") };
            let warning = Diagnostic::warning("unused-name", format!("{what} is not used"))
                .at(span, "declared here and used nowhere");
            self.report(warning);
        }
    }
}
