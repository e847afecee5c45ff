//! Lets: evaluated when asked for, once, in any order, without deep recursion.
//!
//! A chain such as `let p[i in 1..N] = p[i-1] + …` asked for its last member would recurse N deep. Beyond a small depth the
//! evaluation therefore gives up, names the let that it needs, and is tried again when that one is known; a stack of
//! lets that wait takes the place of the machine's.

use super::Elaborator;
use super::lazy::State;
use super::scope::Local;
use super::value::{Data, Value};
use crate::checked::NamedVector;
use crate::diagnostic::Diagnostic;
use crate::syntax::Expr;
use crate::units::Dimension;
use std::collections::HashSet;

/// How deep an expression may lie in others before a let in it is put off.
const DEEP: usize = 60;

impl<'a> Elaborator<'a> {
    /// The value of an expression, in the scope and with the indices at hand.
    pub(super) fn value(&mut self, expression: &'a Expr) -> Option<Value> {
        loop {
            let value = self.eval(expression);
            match self.need.take() {
                None => return value,
                Some(needed) => self.settle(needed),
            }
        }
    }

    /// The value of a let.
    pub(super) fn let_value(&mut self, which: usize) -> Option<Value> {
        loop {
            let value = self.force(which);
            match self.need.take() {
                None => return value,
                Some(needed) => self.settle(needed),
            }
        }
    }

    /// The value of a let, from within an expression.
    pub(super) fn force(&mut self, which: usize) -> Option<Value> {
        match &self.lets[which].state {
            State::Done(value) => return value.clone(),
            State::Running => return self.circle(which),
            State::Unseen if self.waiting.contains(&which) => return self.circle(which),
            State::Unseen => {}
        }
        if self.depth > DEEP {
            self.need = Some(which);
            return None;
        }
        let one = &mut self.lets[which];
        one.state = State::Running;
        let (expression, scope) = (one.value, one.scope);
        let indices = one.indices.iter().map(|&(name, value)| (name, Local::Index(value))).collect();
        self.running.push(which);
        let locals = std::mem::replace(&mut self.locals, indices);
        let outer = std::mem::replace(&mut self.scope, scope);
        let contact = self.contact.take();
        let value = self.eval(expression);
        self.contact = contact;
        self.scope = outer;
        self.locals = locals;
        self.running.pop();
        if self.need.is_some() {
            self.lets[which].state = State::Unseen;
            return None;
        }
        if let State::Running = self.lets[which].state {
            self.lets[which].state = State::Done(value.clone());
        }
        value
    }

    /// Evaluates a let that was put off, and all that it needs.
    fn settle(&mut self, which: usize) {
        let depth = std::mem::take(&mut self.depth);
        let mut stack = vec![which];
        while let Some(&top) = stack.last() {
            self.waiting.remove(&top);
            self.force(top);
            match self.need.take() {
                None => {
                    stack.pop();
                }
                Some(needed) => {
                    self.waiting.insert(top);
                    stack.push(needed);
                }
            }
        }
        self.depth = depth;
    }

    /// A let that is made of itself.
    fn circle(&mut self, which: usize) -> Option<Value> {
        let begin = self.running.iter().position(|&one| one == which).unwrap_or(0);
        let mut chain: Vec<usize> = self.running[begin..].to_vec();
        if chain.first() != Some(&which) {
            chain.insert(0, which);
        }
        let names: Vec<String> = chain.iter().map(|&one| format!("`{}`", self.lets[one].name)).collect();
        let shown = if names.len() > 8 {
            format!("{} needs … needs {}", names[..4].join(" needs "), names[names.len() - 3..].join(" needs "))
        } else {
            names.join(" needs ")
        };
        let first = &self.lets[which];
        let error = Diagnostic::error("cyclic-definition", format!("`{}` is defined by itself", first.name))
            .at(first.span, "its value is asked for to find its value")
            .note(format!("{shown} needs {}", names[0]))
            .help("a `let` may be made of others in any order, but not in a circle");
        self.report(error);
        for one in chain {
            self.lets[one].state = State::Done(None);
        }
        None
    }

    /// Evaluates the lets that nobody asked for, for their mistakes.
    pub(super) fn evaluate_all_lets(&mut self) {
        for which in 0..self.lets.len() {
            if self.exhausted {
                return;
            }
            if self.lets[which].arguments.is_empty() {
                self.let_value(which);
            }
        }
    }

    /// Lets that may be points of a picture. Those of particles are among the particles.
    pub(super) fn keep_named_vectors(&mut self) {
        let due = if self.model.has_units { Dimension::LENGTH } else { Dimension::NUMBER };
        let particles: HashSet<usize> = self.positions.iter().copied().collect();
        for which in 0..self.lets.len() {
            let one = &self.lets[which];
            if let State::Done(Some(Value { data: Data::Vector(components), dim })) = &one.state
                && one.arguments.is_empty()
                && !particles.contains(&which)
                && dim.fits(due)
            {
                let (name, components) = (one.name.clone(), components.clone());
                if let Some(components) = self.let_in_world(which, components) {
                    self.model.named.push(NamedVector { name, components });
                }
            }
        }
    }
}
