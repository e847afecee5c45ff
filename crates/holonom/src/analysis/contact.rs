//! Friction laws with numbers: how large the force is, and how it hangs on the normal force.

use super::numbers::{Evaluator, Point, State};
use crate::derive::NormalForce;
use crate::expr::{Depends, Id};
use crate::model::FrictionLaw;

/// A contact.
pub(super) struct Contact {
    /// Which contact of the equations.
    pub(super) which: usize,
    /// The constraint that it belongs to.
    pub(super) name: String,
    law: FrictionLaw,
    /// For a law of the user's own: its derivative by the normal force.
    law_by_normal: Id,
    /// For a normal force that was given: its derivative by each reaction that it contains.
    given_by_reaction: Vec<(usize, Id)>,
}

/// All that makes constraints non-ideal and is in force.
pub(super) struct Nonideals {
    /// Which non-ideal parts of the equations.
    pub(super) parts: Vec<usize>,
    pub(super) contacts: Vec<Contact>,
}

/// A contact at one state.
pub(super) struct Touch {
    /// The velocity of slip.
    pub(super) slip: Vec<f64>,
    /// Its magnitude, 0 where it is rounding.
    pub(super) speed: f64,
    /// ∂slip/∂q̇, components × n.
    pub(super) directions: Vec<f64>,
    /// What `directions·q̈` is while slip stays zero.
    pub(super) hold: Vec<f64>,
    /// The coefficients of the normal force: for each component, (row, value).
    normal: Vec<Vec<(usize, f64)>>,
}

/// Which way a normal force is taken: what is `|x|` or `max(x, 0)` becomes linear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Branch {
    /// As it is: the magnitude of a vector.
    Magnitude,
    /// x.
    Positive,
    /// −x.
    Negative,
    /// 0.
    None,
}

impl Nonideals {
    pub(super) fn new(evaluator: &Evaluator) -> Self {
        let equations = evaluator.equations;
        let in_force = |constraint: Option<usize>| {
            constraint.is_none_or(|c| equations.model.constraints.get(c).is_some_and(|c| !c.off))
        };
        let nonideals = equations.nonideal.iter().enumerate();
        let parts = nonideals.filter(|(_, part)| in_force(part.constraint)).map(|(which, _)| which).collect();
        let mut contacts = Vec::new();
        for (which, contact) in equations.frictions.iter().enumerate() {
            let Some(friction) = equations.model.frictions.get(contact.friction) else { continue };
            if !in_force(Some(friction.constraint)) {
                continue;
            }
            let name = equations.model.constraints[friction.constraint].name.clone();
            contacts.push(Contact {
                which,
                name,
                law: friction.law.clone(),
                law_by_normal: contact.law_by_normal,
                given_by_reaction: contact.normal_by_reaction.clone(),
            });
        }
        Self { parts, contacts }
    }

    /// Whether some force depends on reactions that it changes.
    pub(super) fn hang_on_reactions(&self, evaluator: &Evaluator) -> bool {
        let part = |&part: &usize| {
            let nonideal = &evaluator.equations.nonideal[part];
            !nonideal.by_reaction.is_empty() || !nonideal.nonlinear.is_empty()
        };
        !self.contacts.is_empty() || self.parts.iter().any(part)
    }

    /// C where it depends on no reactions, with the ideal multipliers over all rows of the equations.
    pub(super) fn plain(&self, evaluator: &Evaluator, state: &State, multipliers: &[f64]) -> Vec<f64> {
        let mut force = vec![0.0; evaluator.coordinates()];
        let point = Point { multipliers, ..state.point() };
        for nonideal in self.parts.iter().map(|&part| &evaluator.equations.nonideal[part]) {
            let acting = nonideal.force.iter().enumerate().filter(|(_, id)| **id != Id::ZERO);
            let (coordinates, ids): (Vec<usize>, Vec<Id>) = acting.map(|(j, &id)| (j, id)).unzip();
            for (j, value) in coordinates.iter().zip(evaluator.values(&ids, &point)) {
                force[*j] += value;
            }
            let ids: Vec<Id> = nonideal.by_multiplier.iter().map(|entry| entry.2).collect();
            for (&(j, row, _), value) in nonideal.by_multiplier.iter().zip(evaluator.values(&ids, &point)) {
                force[j] += value * multipliers.get(row).copied().unwrap_or(0.0);
            }
        }
        force
    }
}

impl Contact {
    /// The contact at a state.
    pub(super) fn touch(&self, evaluator: &Evaluator, state: &State) -> Touch {
        let contact = &evaluator.equations.frictions[self.which];
        let n = evaluator.coordinates();
        let point = state.point();
        let mut slip = evaluator.values(&contact.slip, &point);
        let directions = evaluator.values(&contact.directions, &point);
        let hold = evaluator.values(&contact.hold, &point);
        for (slip, row) in slip.iter_mut().zip(directions.chunks_exact(n.max(1))) {
            let moved: f64 = row.iter().zip(&state.velocities).map(|(d, v)| d * v).sum();
            let size: f64 = row.iter().zip(&state.velocities).map(|(d, v)| (d * v).abs()).sum();
            if slip.abs() <= 1e-10 * (size + (*slip - moved).abs()) {
                *slip = 0.0;
            }
        }
        let speed = slip.iter().map(|s| s * s).sum::<f64>().sqrt();
        let normal = match &contact.normal {
            NormalForce::Magnitude(components) => components
                .iter()
                .map(|component| {
                    let ids: Vec<Id> = component.iter().map(|&(_, id)| id).collect();
                    let values = evaluator.values(&ids, &point);
                    component.iter().map(|&(row, _)| row).zip(values).collect()
                })
                .collect(),
            NormalForce::Given(_) => Vec::new(),
        };
        Touch { slip, speed, directions, hold, normal }
    }

    /// The ways to take the normal force so that together they are all there is.
    pub(super) fn branches(&self, evaluator: &Evaluator) -> &'static [Branch] {
        if !self.hangs_on_normal(evaluator) {
            return &[Branch::Magnitude];
        }
        match &evaluator.equations.frictions[self.which].normal {
            NormalForce::Given(_) => &[Branch::Positive, Branch::None],
            NormalForce::Magnitude(components) if components.len() == 1 => &[Branch::Positive, Branch::Negative],
            NormalForce::Magnitude(_) => &[Branch::Magnitude],
        }
    }

    /// The normal force, signed as the branch takes it, and its derivative by reactions.
    pub(super) fn normal(
        &self,
        evaluator: &Evaluator,
        touch: &Touch,
        branch: Branch,
        point: &Point,
    ) -> (f64, Vec<(usize, f64)>) {
        let at = |row: usize| point.reactions.get(row).copied().unwrap_or(0.0);
        let (value, slopes) = match &evaluator.equations.frictions[self.which].normal {
            NormalForce::Given(normal) => {
                let mut ids = vec![*normal];
                ids.extend(self.given_by_reaction.iter().map(|&(_, id)| id));
                let values = evaluator.values(&ids, point);
                let rows = self.given_by_reaction.iter().map(|&(row, _)| row);
                (values[0], rows.zip(values[1..].iter().copied()).collect::<Vec<_>>())
            }
            NormalForce::Magnitude(_) => {
                let components: Vec<f64> =
                    touch.normal.iter().map(|c| c.iter().map(|&(row, x)| x * at(row)).sum()).collect();
                let size = components.iter().map(|x| x * x).sum::<f64>().sqrt();
                let linear = components.len() == 1 && branch != Branch::Magnitude;
                let (value, weights): (f64, Vec<f64>) = if linear {
                    (components[0], vec![1.0])
                } else {
                    (size, components.iter().map(|x| if size > 0.0 { x / size } else { 0.0 }).collect())
                };
                let slopes = touch.normal.iter().zip(weights);
                (value, slopes.flat_map(|(c, w)| c.iter().map(move |&(row, x)| (row, w * x))).collect())
            }
        };
        match branch {
            Branch::Magnitude | Branch::Positive => (value, slopes),
            Branch::Negative => (-value, slopes.into_iter().map(|(row, x)| (row, -x)).collect()),
            Branch::None => (value, Vec::new()),
        }
    }

    /// The magnitude of the normal force: what it comes to, whatever the branch.
    pub(super) fn load(&self, evaluator: &Evaluator, touch: &Touch, point: &Point) -> f64 {
        let (value, _) = self.normal(evaluator, touch, Branch::Magnitude, point);
        value.max(0.0)
    }

    /// Whether more load means more friction: laws of that kind can hold at rest.
    pub(super) fn hangs_on_normal(&self, evaluator: &Evaluator) -> bool {
        match self.law {
            FrictionLaw::Viscous(_) | FrictionLaw::Quadratic(_) => false,
            FrictionLaw::Law(law) => evaluator.graph.depends(law).on(Depends::CONTACT),
            _ => true,
        }
    }

    /// The magnitude of the force for a speed of slip and a normal force, and its derivative by the latter.
    pub(super) fn force(&self, evaluator: &Evaluator, speed: f64, normal: f64, point: &Point) -> (f64, f64) {
        let value = |id: Id| evaluator.value(id, point);
        let coefficient = match self.law {
            FrictionLaw::Coulomb { kinetic, .. } => value(kinetic),
            FrictionLaw::Viscous(c) => return (value(c) * speed, 0.0),
            FrictionLaw::Quadratic(c) => return (value(c) * speed * speed, 0.0),
            FrictionLaw::Stribeck { kinetic, resting, speed: over } => {
                let (kinetic, resting, over) = (value(kinetic), value(resting), value(over));
                let ratio = if speed == 0.0 { 0.0 } else { speed / over };
                kinetic + (resting - kinetic) * (-ratio * ratio).exp()
            }
            FrictionLaw::Law(law) => {
                let here = Point { slip: speed, normal, ..*point };
                return (evaluator.value(law, &here), evaluator.value(self.law_by_normal, &here));
            }
            FrictionLaw::Table(table) => {
                evaluator.graph.tables().get(table as usize).map_or(0.0, |table| table.value(speed, 0))
            }
        };
        (coefficient * normal, coefficient)
    }

    /// The largest force that it can exert at rest.
    pub(super) fn limit(&self, evaluator: &Evaluator, normal: f64, point: &Point) -> f64 {
        match self.law {
            FrictionLaw::Coulomb { resting, .. } | FrictionLaw::Stribeck { resting, .. } => {
                evaluator.value(resting, point) * normal
            }
            _ => self.force(evaluator, 0.0, normal, point).0,
        }
    }
}
