//! The symbolic system: M, Q, A, b and C as expressions of time, coordinates, velocities and parameters.

use super::integrable::Integrable;
use super::mass::Mass;
use super::row::Row;
use holonom_language::{Model, Span};
use holonom_symbols::expr::{Graph, Id, Symbol};

/// The equations of a model: `M q̈ = Q + Q^c`, `A q̈ = b`.
///
/// Expressions are [`Id`]s of `graph`.
#[derive(Clone, Debug)]
pub struct Equations {
    /// The model they were derived from. Its own `graph` is empty now: everything lives in `graph` below.
    pub model: Model,
    /// All expressions.
    pub graph: Graph,
    /// M, as far as it is not identically zero.
    pub mass: Mass,
    /// Q: impressed forces, and what Lagrange's equation puts on the right side.
    pub force: Vec<Id>,
    /// The rows of `A q̈ = b`: those of `model.constraints` in order (also those that are off), then hidden ones.
    pub rows: Vec<Row>,
    /// C: what non-ideal constraints contribute, without the frictions.
    pub nonideal: Vec<NonidealTerm>,
    /// Frictions, with slip and normal force made explicit.
    pub frictions: Vec<Contact>,
    /// T.
    pub kinetic_energy: Id,
    /// V.
    pub potential_energy: Id,
    /// What T + V gains in unit time from impressed forces that have no potential and from what depends on time;
    /// `d(T + V)/dt = power + q̇ᵀQᵢ + q̇ᵀQₙᵢ`. It may contain accelerations.
    pub power: Id,
    /// What is hidden in directions without mass. With `hidden find` its rows are among `rows` already.
    pub hidden: Hidden,
    /// Velocity rows that say something about positions.
    pub integrable: Vec<Integrable>,
}

impl Equations {
    /// What a row of a joint is measured by; nothing for rows that somebody wrote.
    pub fn natural_size(&self, row: usize) -> Option<f64> {
        let (constraint, _) = self.rows[row].constraint?;
        self.number(self.model.constraints[constraint].size?)
    }

    /// What the slopes of a row of a joint are made of before they cancel, by coordinate: its size over that of the coordinate. Nothing for
    /// rows and coordinates that somebody wrote.
    pub fn natural_slopes(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let size = self.natural_size(row);
        let slope = move |j: usize| Some(size? / self.number(self.model.coordinates[j].size?)?);
        self.rows[row].a.iter().filter_map(move |&(j, _)| Some((j, slope(j)?)))
    }

    /// What a coordinate is measured by, where that is known before it moves: one of a body or a joint by what the picture says, an angle by 1;
    /// else 0.
    pub fn natural_coordinate(&self, coordinate: usize) -> f64 {
        let one = &self.model.coordinates[coordinate];
        match one.size.and_then(|size| self.number(size)) {
            Some(size) => size,
            None if self.model.has_units && one.dimension.is_number() => 1.0,
            None => 0.0,
        }
    }

    fn number(&self, id: Id) -> Option<f64> {
        self.graph.as_number(id).map(|number| number.to_f64())
    }

    /// The rows of one-sided constraints that take part: those that were not declared `off`.
    pub fn one_sided_rows(&self) -> impl Iterator<Item = usize> {
        let takes_part = |row: &Row| {
            let side = row.constraint.and_then(|(constraint, _)| self.model.constraints[constraint].side);
            row.one_sided && side.is_some_and(|side| !side.disabled)
        };
        (0..self.rows.len()).filter(move |&row| takes_part(&self.rows[row]))
    }

    /// Whether some force depends on reactions that it changes: friction, or a non-ideal part.
    pub fn hangs_on_reactions(&self) -> bool {
        let feeds_back = |part: &NonidealTerm| !part.by_reaction.is_empty() || !part.nonlinear.is_empty();
        !self.frictions.is_empty() || self.nonideal.iter().any(feeds_back)
    }
}

/// A part of C.
#[derive(Clone, Debug)]
pub struct NonidealTerm {
    /// The constraint that it belongs to, and goes with when it is dropped; nothing for all constraints together.
    pub constraint: Option<usize>,
    /// The part of C that no multiplier and no reaction enters, over all coordinates.
    pub force: Vec<Id>,
    /// How C depends on multipliers (ideal) where it does so linearly: (coordinate, row, coefficient).
    pub by_multiplier: Vec<(usize, usize, Id)>,
    /// How C depends on total reactions: (coordinate, row, coefficient).
    pub by_reaction: Vec<(usize, usize, Id)>,
    /// What of C depends on multipliers or reactions in another way, such as `mu*abs(multiplier(plane))`. It comes on top
    /// of the parts above: C = force + by_multiplier·λᵢ + by_reaction·λ + nonlinear(λᵢ, λ).
    pub nonlinear: Vec<NonlinearForce>,
    /// Where it stands.
    pub span: Span,
}

impl NonidealTerm {
    /// Whether it acts, given which of so many constraints are active: C disappears with the constraints (Udwadia 2005, after eq. 10).
    pub fn acts(&self, constraints: usize, mut is_active: impl FnMut(usize) -> bool) -> bool {
        match self.constraint {
            Some(constraint) => is_active(constraint),
            None => (0..constraints).any(is_active),
        }
    }
}

/// A component of C that depends on multipliers or reactions, but not linearly.
#[derive(Clone, Debug)]
pub struct NonlinearForce {
    /// The coordinate that it acts on.
    pub coordinate: usize,
    /// Its value, over `Symbol::Multiplier` and `Symbol::Reaction` besides the state.
    pub value: Id,
    /// Its derivatives by those symbols, for Newton's method.
    pub slopes: Vec<(Symbol, Id)>,
}

/// Friction at a constraint: C = −f(|slip|, normal)·Jᵀ slip/|slip|.
#[derive(Clone, Debug)]
pub struct Contact {
    /// Which friction of the model.
    pub friction: usize,
    /// The velocity of slip, by component, affine in the velocities.
    pub slip: Vec<Id>,
    /// ∂slip/∂q̇, row-major: components × n.
    pub directions: Vec<Id>,
    /// The right side of the rows `directions·q̈ = …` that hold slip at zero.
    pub hold: Vec<Id>,
    /// The normal force as a vector N = Σ row: (row, components); its magnitude is the normal force. It is linear in the total reactions.
    pub normal: NormalForce,
    /// The magnitude of the friction f while the contact slides.
    pub sliding: OfLoad,
    /// The same in the limit of no slip: what a contact begins to slide with.
    pub starting: OfLoad,
    /// The largest friction with which the contact can hold at rest; nothing where the law vanishes with the speed.
    pub limit: Option<OfLoad>,
    /// For a normal force that was given: its derivatives by the reactions that it contains, by row.
    pub normal_by_reaction: Vec<(usize, Id)>,
}

impl Contact {
    /// Its friction of sliding, that of beginning to slide, and the largest at rest.
    pub fn laws(&self) -> [Option<OfLoad>; 3] {
        [Some(self.sliding), Some(self.starting), self.limit]
    }
}

/// A force as a function of the load N of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfLoad {
    /// The force. Where it is a straight line over the load: its value without load, so that a force in proportion to the load has
    /// exactly 0 here.
    pub value: Id,
    /// Its derivative by the load.
    pub slope: Id,
    /// Whether it is `value + slope·N` at every load.
    pub is_straight: bool,
}

/// The normal force of a contact.
#[derive(Clone, Debug)]
pub enum NormalForce {
    /// The magnitude of `Σ_row coefficient[row]·reaction(row)`, a vector: for each component, (row, coefficient).
    Magnitude(Vec<Vec<(usize, Id)>>),
    /// An expression over `Symbol::Reaction` and `Symbol::Multiplier`, as given; negative values count as none.
    Given(Id),
}

/// What was found about directions without mass and constraint.
#[derive(Clone, Debug, Default)]
pub struct Hidden {
    /// The constraints that follow from the balance of forces, in the order in which they were found.
    pub found: Vec<HiddenRow>,
    /// Directions that stay undetermined, over all coordinates: nothing acts along them.
    pub free: Vec<Vec<Id>>,
    /// A balance that cannot be met: a force on something without mass that nothing holds.
    pub contradiction: Option<UnbalancedForce>,
    /// Why the search ended early, where it did.
    pub unsettled: Option<Unsettled>,
}

impl Hidden {
    /// Whether there is nothing to say.
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty() && self.free.is_empty() && self.contradiction.is_none() && self.unsettled.is_none()
    }
}

/// A constraint that nobody wrote.
#[derive(Clone, Debug)]
pub struct HiddenRow {
    /// `hidden.1`, …
    pub name: String,
    /// `equation = 0`.
    pub equation: Id,
    /// Its left side, for printing.
    pub left: Id,
    /// Its right side, for printing.
    pub right: Id,
    /// The direction whose balance it came from, over all coordinates.
    pub direction: Vec<Id>,
    /// 1 for the balance itself, one more for every time it was differentiated with accelerations put in.
    pub round: usize,
    /// Its row of `A q̈ = b`.
    pub row: Row,
}

/// A force with nothing to push against.
#[derive(Clone, Debug)]
pub struct UnbalancedForce {
    /// The direction, over all coordinates.
    pub direction: Vec<Id>,
    /// What would have to be zero, and is not for any state.
    pub balance: Id,
    /// As in [`HiddenRow`].
    pub round: usize,
}

/// Why a search for hidden constraints ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsettled {
    /// The model is too large to be searched.
    TooManyCoordinates,
    /// The expressions grew beyond what is useful.
    ExpressionsTooLarge,
    /// The balance depends on forces of constraints, or on friction.
    DependsOnReactions,
    /// As many rounds as coordinates brought no end.
    TooManyRounds,
}
