//! What acts on bodies and joints: drives, springs, dampers, torques.

use super::Elaborator;
use super::space;
use crate::checked::{Force, ForceOn, Term};
use crate::diagnostic::Diagnostic;
use crate::elaborate::expression::Found;
use crate::elaborate::mechanics::Aim;
use crate::elaborate::scope::Member;
use crate::elaborate::value::{Data, Dim, Value};
use crate::syntax::{ElementItem, Expr, ExprKind, ForceItem, ForceTarget, StatementKind};
use crate::units::Dimension;
use holonom_symbols::expr::{Depends, Id, Number};

impl<'a> Elaborator<'a> {
    /// `spring`, `damper`, `torque`.
    pub(in crate::elaborate) fn element_statement(&mut self, statement: &'a StatementKind) {
        match statement {
            StatementKind::Spring(item) => self.each_element(item, Self::spring),
            StatementKind::Damper(item) => self.each_element(item, Self::damper),
            StatementKind::Torque(items) => items.iter().for_each(|item| self.torque(item)),
            _ => {}
        }
    }

    fn each_element(
        &mut self,
        item: &'a ElementItem,
        act: fn(&mut Self, &'a ElementItem, (Id, Dimension)) -> Option<()>,
    ) {
        for case in self.cases(&item.target) {
            self.within(&case, |this| {
                let scalar = this.acted_on(&item.value)?;
                act(this, item, scalar)
            });
        }
    }

    /// What a spring, a damper or a force acts on: one value made of positions.
    fn acted_on(&mut self, expression: &'a Expr) -> Option<(Id, Dimension)> {
        let value = self.value(expression)?;
        let Data::Scalar(id) = value.data else {
            let error = Diagnostic::error("number-expected", "a spring or a damper acts on one value")
                .at(expression.span, format!("this is {}", value.kind()))
                .help("name a joint or a coordinate, or `distance(P, Q)`");
            self.report(error);
            return None;
        };
        let state = Depends::TIME | Depends::POSITION;
        self.only(expression, &[id], state, "what a spring or a damper acts on").then_some((id, value.dim.or_number()))
    }

    fn option(&mut self, item: &'a ElementItem, name: &str, due: Dimension) -> Option<Option<Id>> {
        let Some(option) = item.options.iter().find(|option| option.name.text == name) else { return Some(None) };
        let value = self.value(&option.value);
        let id = self.scalar(&option.value, value, due, &format!("`{name}`"))?;
        let state = Depends::TIME | Depends::POSITION;
        self.only(&option.value, &[id], state, &format!("`{name}`")).then_some(Some(id))
    }

    /// V = k (s − l)²/2 + F (s − l)
    fn spring(&mut self, item: &'a ElementItem, (s, dimension): (Id, Dimension)) -> Option<()> {
        for option in &item.options {
            self.known_option(option, &["stiffness", "rest", "preload", "law"], "a spring")?;
        }
        let energy = self.due(Dimension::energy());
        let force = energy.over(dimension)?;
        if let Some(law) = item.options.iter().find(|option| option.name.text == "law") {
            return self.law(item, &law.value, (s, dimension), s);
        }
        let stiffness = self.option(item, "stiffness", force.over(dimension)?)?;
        let preload = self.option(item, "preload", force)?;
        let rest = match self.option(item, "rest", dimension)? {
            Some(rest) => rest,
            // A joint is at rest where it was placed; how long a spring is, nobody knows.
            None if self.coordinate_of(s).is_some() => Id::ZERO,
            None => {
                let error = Diagnostic::error("rest-missing", "how long is this spring at rest?")
                    .at(item.span, "no `rest = …`")
                    .help("write its length without a force: `rest = l`");
                self.report(error);
                return None;
            }
        };
        let Some(stiffness) = stiffness.or(preload.map(|_| Id::ZERO)) else {
            let error = Diagnostic::error("constant-missing", "how stiff is this spring?")
                .at(item.span, "no `stiffness = …`")
                .help("write `stiffness = k`, or `law = EXPR` for another force");
            self.report(error);
            return None;
        };
        let stretch = self.graph.subtract(s, rest);
        let half = Number::ratio(1, 2)?;
        let mut terms = vec![(Number::ONE, self.graph.product(half, &[(stiffness, 1), (stretch, 2)]))];
        if let Some(preload) = preload {
            terms.push((Number::ONE, self.graph.multiply(preload, stretch)));
        }
        let value = self.graph.sum(&terms);
        self.model.potential.push(Term { value, span: item.span });
        self.keep_ends(&item.value);
        Some(())
    }

    /// The two ends of a spring on a distance, for the picture.
    fn keep_ends(&mut self, expression: &'a Expr) {
        let ExprKind::Call(name, arguments) = &expression.kind else { return };
        let [from, to] = &arguments[..] else { return };
        if name.text != "distance" {
            return;
        }
        if let [Some(from), Some(to)] = [self.value(from), self.value(to)] {
            let ends = [(from, &arguments[0]), (to, &arguments[1])]
                .map(|(end, written)| self.point_into_world(end.components(), written.span));
            if let [Some(from), Some(to)] = ends {
                self.model.springs.push([from, to]);
            }
        }
    }

    /// D = c s'²/2
    fn damper(&mut self, item: &'a ElementItem, (s, dimension): (Id, Dimension)) -> Option<()> {
        for option in &item.options {
            self.known_option(option, &["rate", "law"], "a damper")?;
        }
        let speed = self.graph.rate_with(s, &mut self.rates);
        let rate = self.per_second(dimension, 1);
        let force = self.due(Dimension::energy()).over(dimension)?;
        if let Some(law) = item.options.iter().find(|option| option.name.text == "law") {
            return self.law(item, &law.value, (s, dimension), speed);
        }
        let Some(constant) = self.option(item, "rate", force.over(rate)?)? else {
            let error = Diagnostic::error("constant-missing", "how strong is this damper?")
                .at(item.span, "no `rate = …`")
                .help("write `rate = c`, the force for each unit of velocity");
            self.report(error);
            return None;
        };
        if self.graph.depends(constant).is_fixed() && self.fixed_number(constant) < 0.0 {
            let warning =
                Diagnostic::warning("negative-dissipation", "this damper drives the motion and does not brake it")
                    .at(item.span, format!("its rate is {}", self.fixed_number(constant)))
                    .help("to brake, give it a positive rate");
            self.report(warning);
        }
        let half = Number::ratio(1, 2)?;
        let value = self.graph.product(half, &[(constant, 1), (speed, 2)]);
        self.model.dissipation.push(Term { value, span: item.span });
        Some(())
    }

    /// A force that is given outright, positive where it pulls: an expression, or a table over the value.
    fn law(&mut self, item: &'a ElementItem, law: &'a Expr, (s, dimension): (Id, Dimension), over: Id) -> Option<()> {
        let due = self.due(Dimension::energy()).over(dimension)?;
        let table = match &law.kind {
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) => match self.path(law)? {
                Found::Member(Member::Table(table, scaling)) => Some((table, scaling)),
                _ => None,
            },
            _ => None,
        };
        let pull = match table {
            Some((table, scaling)) => {
                let argument = self.graph.divide(over, scaling.argument.0);
                let value = self.graph.table(table, 0, argument);
                self.graph.multiply(value, scaling.value.0)
            }
            None => {
                let value = self.value(law);
                self.scalar(law, value, due, "the force of a spring or a damper")?
            }
        };
        let state = Depends::TIME | Depends::POSITION | Depends::VELOCITY;
        self.only(law, &[pull], state, "the force of a spring or a damper").then_some(())?;
        let force = self.graph.negate(pull);
        self.model.forces.push(Force { on: ForceOn::Point(vec![s]), components: vec![force], span: item.span });
        Some(())
    }

    fn torque(&mut self, item: &'a ForceItem) {
        let Some(ForceTarget::Named(target)) = &item.on else {
            let error = Diagnostic::error("wrong-target", "a torque acts on a body or on a joint")
                .at(item.span, "acts on neither")
                .help("write `torque arm: (0, 0, M)`, or `torque pin: M` for a joint");
            return self.report(error);
        };
        for case in self.cases(target) {
            self.within(&case, |this| match this.aim(target, &case.indices)? {
                Aim::Body(body) => this.torque_on_body(item, body),
                Aim::Coordinate(which) => {
                    let value = this.value(&item.value);
                    let due = this.generalised_force(which);
                    let id = this.scalar(&item.value, value, due, "a torque")?;
                    this.push_force(item, ForceOn::Coordinate(which), vec![id]);
                    Some(())
                }
                _ => {
                    let error = Diagnostic::error("wrong-target", "a torque acts on a body or on a joint")
                        .at(target.span, "neither a body nor a joint")
                        .help("a force on a coordinate or on a point is written `force`");
                    this.report(error);
                    None
                }
            });
        }
    }

    /// Its power is τ·ω: the generalised force is (∂ω/∂q̇)ᵀτ.
    fn torque_on_body(&mut self, item: &'a ForceItem, body: usize) -> Option<()> {
        let due = self.due(Dimension::energy());
        let value = self.value(&item.value)?;
        let planar = self.is_planar();
        self.check_torque(item, &value, planar)?;
        let components = match planar || value.is_bare_zero() {
            true => vec![Id::ZERO, Id::ZERO, self.scalar(&item.value, Some(value), due, "a torque in the plane")?],
            false => self.point(&item.value, Some(value), due, "a torque")?,
        };
        if components.len() != 3 {
            let error = Diagnostic::error("wrong-length", "a torque has three components")
                .at(item.value.span, format!("{} here", components.len()))
                .help("in space a torque is a vector of the world: `(0, 0, M)`");
            self.report(error);
            return None;
        }
        let pose = self.bodies.all[body].pose;
        let spin = space::turn(&mut self.graph, pose.axes, pose.spin);
        let spin = self.direction_from_world(spin);
        self.push_force(item, ForceOn::Rate(spin.to_vec()), components);
        Some(())
    }

    /// In the plane a torque is a number, in space a vector.
    fn check_torque(&mut self, item: &'a ForceItem, value: &Value, planar: bool) -> Option<()> {
        let text = self.sources.text(item.value.span).to_string();
        let error = match (&value.data, planar) {
            (Data::Vector(all), true) => {
                let error = Diagnostic::error("number-expected", "in the plane a torque is a number")
                    .at(item.value.span, format!("this is {}", value.kind()));
                let last = match &item.value.kind {
                    ExprKind::Tuple(written) if all.len() == 3 => {
                        written.last().map(|last| self.sources.text(last.span))
                    }
                    _ => None,
                };
                match last {
                    Some(last) => error
                        .help(format!("its axis is perpendicular to the plane: write `{last}`"))
                        .suggest(item.value.span, last),
                    None => error.help("its axis is perpendicular to the plane; it is positive from x to y"),
                }
            }
            (Data::Scalar(_), false) if !value.is_bare_zero() => {
                Diagnostic::error("vector-expected", "in space the torque on a body is a vector")
                    .at(item.value.span, "about which axis?")
                    .help(format!("write its components along the world's axes: `(0, 0, {text})` about z"))
                    .help("a torque on a joint is a number: it acts about the joint's axis")
            }
            _ => return Some(()),
        };
        self.report(error);
        None
    }

    /// A force on a value that is no coordinate: `force distance(P, Q): F`.
    pub(in crate::elaborate) fn force_on_scalar(&mut self, item: &'a ForceItem, id: Id, dim: Dim) -> Option<()> {
        let due = self.due(Dimension::energy()).over(dim.or_number())?;
        let value = self.value(&item.value);
        let force = self.scalar(&item.value, value, due, "this force")?;
        self.push_force(item, ForceOn::Point(vec![id]), vec![force]);
        Some(())
    }
}
