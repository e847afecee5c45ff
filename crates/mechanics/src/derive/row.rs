//! A row of `A q̈ = b`, and the kind of the constraint that it came from.

use holonom_language::Span;
use holonom_symbols::expr::Id;

/// A row of `A q̈ = b`.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name: `rod`, `pin.2`, `hidden.1`.
    pub name: String,
    /// Which constraint of the model, and which component; nothing for hidden rows.
    pub constraint: Option<(usize, usize)>,
    /// What kind of equation it came from.
    pub kind: ConstraintKind,
    /// Whether time occurs in it explicitly.
    pub rheonomic: bool,
    /// φ(q, t) for holonomic rows.
    pub position: Option<Id>,
    /// φ̇(q, q̇, t) for holonomic rows, ψ(q, q̇, t) for velocity rows.
    pub velocity: Option<Id>,
    /// The entries of A that are not identically zero: (coordinate, expression), in order.
    pub a: Vec<(usize, Id)>,
    /// The entries of the Jacobian of `velocity` by q, that is ∂φ̇/∂q or ∂ψ/∂q, in order; for projection and stiff methods.
    pub velocity_by_position: Vec<(usize, Id)>,
    /// b.
    pub b: Id,
    /// The top-level terms of the equation (of the lowest level it has), whose magnitudes sum up to its scale.
    pub scale_terms: Vec<Id>,
    /// Declared `off`, or one-sided: then it is in force only while it touches.
    pub off: bool,
    /// Whether it belongs to a one-sided constraint: `position` is its gap, which is never negative.
    pub one_sided: bool,
    /// Where it stands; the balance of a hidden row stands nowhere.
    pub span: Option<Span>,
}

/// The kind of a constraint, read off its equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ConstraintKind {
    /// No velocities: differentiated twice.
    Holonomic,
    /// Velocities: differentiated once.
    Velocity,
    /// Accelerations, linear in them: taken as it is.
    Acceleration,
}

impl Row {
    /// A row that says 0 = 0.
    pub(super) fn nothing() -> Self {
        Self {
            name: String::new(),
            constraint: None,
            kind: ConstraintKind::Holonomic,
            rheonomic: false,
            position: None,
            velocity: None,
            a: Vec::new(),
            velocity_by_position: Vec::new(),
            b: Id::ZERO,
            scale_terms: Vec::new(),
            off: false,
            one_sided: false,
            span: None,
        }
    }
}
