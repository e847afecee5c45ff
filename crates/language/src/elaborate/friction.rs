//! Friction at constraints: its law, the velocity of slip and the load.

use super::Elaborator;
use super::expression::Found;
use super::scope::Member;
use super::value::Data;
use crate::checked::{Friction, FrictionLaw};
use crate::diagnostic::Diagnostic;
use crate::law::{self, Kind, Law, Parameter};
use crate::names::closest;
use crate::syntax::{Expr, ExprKind, FrictionItem};
use crate::units::Dimension;
use holonom_symbols::expr::{Depends, Id, Symbol};

impl<'a> Elaborator<'a> {
    pub(super) fn friction(&mut self, item: &'a FrictionItem) {
        for case in self.cases(&item.target) {
            self.within(&case, |this| {
                if let Some(constraint) = this.constraint_aim(&item.target, &case.indices) {
                    this.friction_at(item, constraint);
                }
            });
        }
    }

    fn friction_at(&mut self, item: &'a FrictionItem, constraint: usize) -> Option<()> {
        let mut slip = None;
        let mut slip_dimension = self.per_second(self.due(Dimension::LENGTH), 1);
        let mut normal = None;
        let mut fine = true;
        let state = Depends::TIME | Depends::POSITION | Depends::VELOCITY;
        for option in &item.options {
            match option.name.text.as_str() {
                "slip" => match self.value(&option.value) {
                    Some(value) if !matches!(value.data, Data::List(_) | Data::Truth(_)) => {
                        slip_dimension = value.dim.or(slip_dimension);
                        let components = value.components();
                        fine &= self.only(&option.value, &components, state, "a slip");
                        slip = Some(components);
                    }
                    Some(value) => {
                        let error = Diagnostic::error("vector-expected", "a slip is a velocity: a number or a vector")
                            .at(option.value.span, format!("this is {}", value.kind()));
                        self.report(error);
                        fine = false;
                    }
                    None => fine = false,
                },
                "normal" => {}
                other => {
                    let error = Diagnostic::error("unknown-option", format!("friction has no option `{other}`"));
                    let error = match closest(other, ["slip", "normal"]) {
                        Some(right) => error
                            .at(option.name.span, format!("did you mean `{right}`?"))
                            .suggest(option.name.span, right),
                        None => error.at(option.name.span, "only `slip = …` and `normal = …`"),
                    };
                    self.report(error);
                    fine = false;
                }
            }
        }
        let force = self.contact_force(slip_dimension);
        for option in item.options.iter().filter(|option| option.name.text == "normal") {
            let value = self.value(&option.value);
            normal = self.scalar(&option.value, value, force, "the normal force");
            fine &=
                normal.is_some_and(|id| self.only(&option.value, &[id], state | Depends::FORCE, "the normal force"));
        }
        let law = self.friction_law(&item.law, slip_dimension)?;
        if fine {
            self.model.frictions.push(Friction { constraint, law, slip, normal, span: item.span });
        }
        Some(())
    }

    /// The law of the friction that comes next.
    fn friction_law(&mut self, written: &'a Expr, slip: Dimension) -> Option<FrictionLaw> {
        let friction = self.model.frictions.len() as u32;
        match &written.kind {
            ExprKind::Name(name) => {
                if self.scope_of(self.scope, name).is_some() {
                    match self.path(written)? {
                        Found::Member(Member::Table(table, _)) => {
                            let speed = self.graph.symbol(Symbol::Slip(friction));
                            let coefficient = self.graph.table(table, 0, speed);
                            let law = law::TABLE.with(&mut self.graph, friction, &[coefficient]);
                            return Some(FrictionLaw { arguments: Vec::new(), ..law });
                        }
                        // Its mistake has been reported.
                        Found::Member(Member::Broken) => return None,
                        _ => {}
                    }
                }
                self.unknown_law(name, written);
                None
            }
            ExprKind::Call(name, arguments) => match law::called(&name.text) {
                Some(law) => {
                    let arguments = self.law_arguments(law, arguments, written, slip)?;
                    Some(law.with(&mut self.graph, friction, &arguments))
                }
                None => {
                    self.unknown_law(&name.text, written);
                    None
                }
            },
            ExprKind::Broken => None,
            _ => {
                self.unknown_law(self.sources.text(written.span), written);
                None
            }
        }
    }

    /// The arguments of a law, each of its kind.
    fn law_arguments(&mut self, law: &Law, arguments: &'a [Expr], written: &Expr, slip: Dimension) -> Option<Vec<Id>> {
        if !(law.required..=law.parameters.len()).contains(&arguments.len()) {
            let error = Diagnostic::error("arguments", format!("`{}` has the wrong number of arguments", law.name))
                .at(written.span, format!("{} here", arguments.len()))
                .help(format!("write {}", law.forms.join(" or ")));
            self.report(error);
            return None;
        }
        let each = arguments.iter().zip(law.parameters);
        let ids: Vec<Id> =
            each.map(|(argument, parameter)| self.law_argument(argument, parameter, slip)).collect::<Option<_>>()?;
        self.are_ordered(law, arguments, &ids).then_some(ids)
    }

    fn law_argument(&mut self, argument: &'a Expr, parameter: &Parameter, slip: Dimension) -> Option<Id> {
        let Parameter { what, kind } = *parameter;
        let state = Depends::TIME | Depends::POSITION | Depends::VELOCITY;
        let due = kind.dimension(slip, self.contact_force(slip));
        if kind == Kind::Force {
            let outer = self.contact.replace((self.model.frictions.len() as u32, slip));
            let value = self.value(argument);
            self.contact = outer;
            let id = self.scalar(argument, value, due, what)?;
            let allowed = state | Depends::FORCE | Depends::CONTACT;
            return self.only(argument, &[id], allowed, "a law of friction").then_some(id);
        }
        let value = self.value(argument);
        let id = self.scalar(argument, value, due, what)?;
        self.only(argument, &[id], state, what).then_some(())?;
        if self.graph.depends(id).is_fixed() && self.fixed_number(id) < 0.0 {
            let error = Diagnostic::error("negative", format!("{what} cannot be negative"))
                .at(argument.span, format!("this is {}", self.fixed_number(id)));
            self.report(error);
            return None;
        }
        Some(id)
    }

    /// Whether friction at rest is at least that of sliding: what slides more easily when it rests would neither rest nor slide.
    fn are_ordered(&mut self, law: &Law, arguments: &[Expr], ids: &[Id]) -> bool {
        let Some([first, second]) = law.order else { return true };
        let (Some(&kinetic), Some(&resting)) = (ids.get(first), ids.get(second)) else { return true };
        if ![kinetic, resting].iter().all(|&id| self.graph.depends(id).is_fixed()) {
            return true;
        }
        let [slides, rests] = [kinetic, resting].map(|id| self.fixed_number(id));
        if slides <= rests {
            return true;
        }
        let error = Diagnostic::error("friction-order", "friction at rest is weaker than that of sliding")
            .at(arguments[first].span, format!("sliding: {slides}"))
            .at(arguments[second].span, format!("at rest: {rests}"))
            .note("between the two, a body at rest would have to slide and one that slides would have to stop")
            .help(format!("the coefficient of sliding comes first: `{}(mu_k, mu_s)` with mu_k <= mu_s", law.name));
        self.report(error);
        false
    }

    fn unknown_law(&mut self, name: &str, written: &Expr) {
        let error = Diagnostic::error("unknown-law", format!("`{name}` is not a law of friction"));
        let error = match closest(name, law::names()) {
            Some(right) => error.at(written.span, format!("did you mean `{right}`?")),
            None => error.at(written.span, "not known"),
        };
        self.report(error.help(format!("laws are {}", law::listed())));
    }
}
