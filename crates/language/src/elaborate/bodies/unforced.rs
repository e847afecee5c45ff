//! What has no reaction: messages about `reaction(spring)`, `reaction(body)` and `moment(body)`.

use super::Elaborator;
use crate::diagnostic::Diagnostic;
use crate::elaborate::expression::Found;
use crate::elaborate::scope::Member;
use crate::source::Span;
use crate::syntax::{ElementItem, Expr, ExprKind};

impl<'a> Elaborator<'a> {
    /// The force of a spring or a damper is written in its statement.
    pub(in crate::elaborate) fn no_reaction_of_element(&mut self, which: usize, span: Span) {
        let item = self.bodies.elements[which];
        let text = self.sources.text(span).to_string();
        let mut error = Diagnostic::error("unknown-constraint", format!("`{text}` is a spring or a damper"))
            .at(span, "only constraints and joints have reactions")
            .at(item.span, "its force is given here");
        if let Some(pull) = self.pull_of(item) {
            error = error.help(format!("write its force as an expression, positive where it pulls: `{pull}`"));
        }
        self.report(error);
    }

    /// `k*(s - l)`, `c*s'`
    fn pull_of(&self, item: &ElementItem) -> Option<String> {
        let written = |expression: &Expr| match expression.kind {
            ExprKind::Name(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Number(_)
            | ExprKind::Paren(_) => self.sources.text(expression.span).to_string(),
            ExprKind::Call(..) => self.sources.text(expression.span).to_string(),
            _ => format!("({})", self.sources.text(expression.span)),
        };
        let option = |name: &str| item.options.iter().find(|option| option.name.text == name).map(|one| &one.value);
        let value = written(&item.value);
        if option("law").is_some() {
            return None;
        }
        if let Some(rate) = option("rate") {
            return Some(format!("{}*{value}'", written(rate)));
        }
        let stretch = option("rest").map_or(value.clone(), |rest| format!("({value} - {})", written(rest)));
        let pull = option("stiffness").map(|stiffness| format!("{}*{stretch}", written(stiffness)));
        let preload = option("preload").map(written);
        match (pull, preload) {
            (Some(pull), Some(preload)) => Some(format!("{pull} + {preload}")),
            (pull, preload) => pull.or(preload),
        }
    }

    pub(in crate::elaborate) fn no_reaction_of_body(&mut self, body: usize, span: Span) {
        let text = self.sources.text(span).to_string();
        let error = Diagnostic::error("unknown-constraint", format!("`{text}` is a body, not a joint"))
            .at(span, "joints and constraints have reactions");
        let error = self.joints_of(error, Some(body), "reaction");
        self.report(error);
    }

    /// `moment(NAME)` of what is no joint.
    pub(in crate::elaborate) fn no_moment(&mut self, arguments: &'a [Expr], span: Span) {
        let [argument] = arguments else {
            let error = Diagnostic::error("arguments", "`moment` needs the name of a joint")
                .at(span, format!("{} arguments here", arguments.len()))
                .help("write `moment(NAME)`; it is what the first body of the joint exerts on the second");
            return self.report(error);
        };
        let body = match Self::is_name(argument) {
            true => match self.path(argument) {
                Some(Found::Member(Member::Body(body))) => Some(body),
                Some(_) => None,
                // Its mistake has been reported.
                None => return,
            },
            false => None,
        };
        let text = self.sources.text(argument.span).to_string();
        let error = Diagnostic::error("unknown-constraint", format!("`{text}` is not a joint"))
            .at(argument.span, "only joints have moments");
        let error = self.joints_of(error, body, "moment");
        self.report(error);
    }

    /// Adds the joints that may be meant: those of a body, or all.
    fn joints_of(&self, error: Diagnostic, body: Option<usize>, function: &str) -> Diagnostic {
        let joints = self.bodies.joints.iter().filter(|joint| body.is_none_or(|body| joint.bodies.contains(&body)));
        let names: Vec<String> = joints.take(4).map(|joint| format!("`{function}({})`", joint.name)).collect();
        match (&names[..], body) {
            ([], _) => error,
            (_, Some(_)) => error.help(format!("for what its joints exert write {}", names.join(", "))),
            (_, None) => error.help(format!("for joints of this model write {}", names.join(", "))),
        }
    }
}
