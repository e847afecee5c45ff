//! Which joints the rest of the model speaks of: by their coordinates, and by their reactions.

use super::Elaborator;
use crate::syntax::{Action, Expr, ExprKind, ForceTarget, Statement, StatementKind, Target};
use crate::visit::{Visit, Visitor};
use std::collections::HashSet;

/// Functions of what a joint exerts.
const FORCES: [&str; 4] = ["reaction", "moment", "ideal", "multiplier"];

/// Names that stand in expressions and targets.
#[derive(Default)]
pub(super) struct Used {
    /// As values.
    values: HashSet<String>,
    /// As arguments of `reaction`, `moment`, `ideal` and `multiplier`, or with friction.
    forces: HashSet<String>,
}

impl Used {
    /// Whether something of this name is used as a value.
    pub(super) fn is_value(&self, name: &str) -> bool {
        self.values.contains(name)
    }

    /// Whether the force of something of this name is asked for.
    pub(super) fn is_force(&self, name: &str) -> bool {
        self.forces.contains(name)
    }

    fn target(&mut self, target: &Target) {
        self.values.extend(target.steps.iter().map(|step| step.name.text.clone()));
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Start(items) | StatementKind::Free(items) => {
                items.iter().for_each(|item| self.target(&item.target));
            }
            StatementKind::Force(items) | StatementKind::Torque(items) => {
                for item in items {
                    if let Some(ForceTarget::Named(target)) = &item.on {
                        self.target(target);
                    }
                }
            }
            StatementKind::Friction(item) => {
                self.target(&item.target);
                self.forces.extend(item.target.steps.iter().map(|step| step.name.text.clone()));
            }
            StatementKind::Event(item) => {
                for action in &item.actions {
                    match action {
                        Action::Set(item) => self.target(&item.target),
                        Action::Drop(target) | Action::Add(target) | Action::Impact { target, .. } => {
                            self.forces.extend(target.steps.iter().map(|step| step.name.text.clone()));
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        // What joints and frames are made of is the picture, where joints have no values yet.
        if !matches!(statement.kind, StatementKind::Frame(_) | StatementKind::Part(_)) {
            statement.kind.clone().visit(self);
        }
    }
}

impl Visitor for Used {
    fn expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Call(name, arguments) if FORCES.contains(&name.text.as_str()) => {
                let mut inner = Used::default();
                std::mem::take(arguments).visit(&mut inner);
                self.forces.extend(inner.values);
            }
            ExprKind::Name(name) => {
                self.values.insert(name.clone());
            }
            ExprKind::Member(_, ident) => {
                self.values.insert(ident.text.clone());
            }
            _ => {}
        }
    }
}

impl Elaborator<'_> {
    /// What all statements speak of.
    pub(super) fn used_names(&self) -> Used {
        let mut used = Used::default();
        for (_, statement) in &self.order {
            used.statement(statement);
        }
        used
    }
}
