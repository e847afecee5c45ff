//! What contacts do, for the report.

use holonom_mechanics::contact::{Does, Settled};
use holonom_mechanics::derive::Equations;

/// What a contact does, for the report.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactReport {
    /// The constraint that the friction belongs to.
    pub name: String,
    /// What it does.
    pub state: ContactState,
    /// The velocity of slip, by component.
    pub slip: Vec<f64>,
    /// The normal force.
    pub normal: f64,
    /// The magnitude of the friction.
    pub force: f64,
    /// The largest friction that it can hold with; nothing where it slides.
    pub limit: Option<f64>,
    /// Whether friction and normal force are unique.
    pub determinate: bool,
}

/// Whether a contact slides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactState {
    /// It slips.
    Sliding,
    /// It holds.
    Sticking,
    /// It is at rest and begins to slip.
    Starting,
    /// It is at rest, and its law exerts nothing there.
    Resting,
}

impl ContactState {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sliding => "slides",
            Self::Sticking => "sticks",
            Self::Starting => "begins to slide",
            Self::Resting => "rests",
        }
    }

    pub(super) fn of(does: &Does) -> Self {
        match does {
            Does::Rests => Self::Resting,
            Does::Slides(_, speed) if *speed > 0.0 => Self::Sliding,
            Does::Slides(..) => Self::Starting,
            Does::Sticks(_) => Self::Sticking,
        }
    }
}

/// What contacts do, by name.
pub(super) fn reports(equations: &Equations, contacts: &[Settled]) -> Vec<ContactReport> {
    let report = |contact: &Settled| ContactReport {
        name: name_of(equations, contact.which),
        state: match contact.does {
            // It holds with nothing, for want of a limit.
            Does::Sticks(_) if contact.limit.is_none() => ContactState::Resting,
            ref does => ContactState::of(does),
        },
        slip: contact.slip.clone(),
        normal: contact.normal,
        force: contact.force,
        limit: contact.limit,
        determinate: contact.determinate,
    };
    contacts.iter().map(report).collect()
}

/// The constraint that a contact belongs to, by name.
pub(super) fn name_of(equations: &Equations, contact: usize) -> String {
    let friction = equations.frictions[contact].friction;
    let constraint = equations.model.frictions.get(friction).map(|friction| friction.constraint);
    let constraint = constraint.and_then(|constraint| equations.model.constraints.get(constraint));
    constraint.map_or_else(String::new, |constraint| constraint.name.clone())
}
