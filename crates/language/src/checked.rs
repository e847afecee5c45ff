//! The model as it is meant: every name looked up, every family unrolled, every expression in one graph, in SI units.

use super::drawing::Drawing;
use super::source::{Sources, Span};
use super::syntax::Direction;
use super::units::Dimension;
use holonom_symbols::expr::{Graph, Id, Symbol, Unspecified};
use std::sync::Arc;

/// A mechanical system as its author wrote it down, checked.
///
/// Expressions are [`Id`]s of `graph`, over the symbols time, parameters, positions and velocities; where the
/// language allows it also accelerations, multipliers and reactions. All quantities are in SI base units.
#[derive(Clone, Debug)]
pub struct Model {
    /// The text that it came from, for messages.
    pub sources: Sources,
    /// All expressions.
    pub graph: Graph,
    /// `title`
    pub title: Option<String>,
    /// Whether some unit was given, so that dimensions were checked.
    pub has_units: bool,
    /// `param`, in order; `Symbol::Parameter(i)` is the i-th.
    pub parameters: Vec<Parameter>,
    /// `coord`, and the coordinates of particles `in plane` and `in space`; `Symbol::Position(i)` is the i-th.
    pub coordinates: Vec<Coordinate>,
    /// `function`
    pub functions: Vec<FunctionSymbol>,
    /// `kinetic`
    pub kinetic: Vec<Term>,
    /// `potential`
    pub potential: Vec<Term>,
    /// `lagrangian`; excludes `kinetic` and `potential`.
    pub lagrangian: Vec<Term>,
    /// `dissipation`: Rayleigh's function D, Q = −∂D/∂q̇.
    pub dissipation: Vec<Term>,
    /// `gravity`: the acceleration of free fall, 2 or 3 components, on every particle.
    pub gravity: Option<Vec<Id>>,
    /// `particle`
    pub particles: Vec<Particle>,
    /// `mass [[..]]`
    pub mass: Vec<MassMatrix>,
    /// `force`
    pub forces: Vec<Force>,
    /// `constraint` and `connect`, members of families one by one.
    pub constraints: Vec<Constraint>,
    /// `nonideal`
    pub nonideals: Vec<Nonideal>,
    /// `friction`
    pub frictions: Vec<Friction>,
    /// `hidden find`, where it stands.
    pub hidden: Option<Span>,
    /// `free x'' = …`
    pub free: Vec<FreeDirection>,
    /// `free zero`, where it stands.
    pub free_zero: Option<Span>,
    /// `start`
    pub start: Vec<StartValue>,
    /// `assemble`, where it stands.
    pub assemble: Option<Span>,
    /// `run`
    pub run: RunStatement,
    /// `output`
    pub outputs: Vec<Output>,
    /// `event`
    pub events: Vec<Event>,
    /// `expect`
    pub expects: Vec<Expectation>,
    /// The kinetic energy of everything (kinetic, particles; for a Lagrangian its part quadratic and linear in the velocities).
    pub kinetic_energy: Id,
    /// The potential energy of everything, weight included.
    pub potential_energy: Id,
    /// Families as they were declared, so that later stages can treat their members alike.
    pub families: Vec<Family>,
    /// `draw`, with points as expressions.
    pub drawings: Vec<Drawing>,
    /// Vectors that have a name and may be points: each `let` of 2 or 3 lengths, in the order of the source.
    pub named: Vec<NamedVector>,
    /// `body`
    pub bodies: Vec<RigidBody>,
    /// `joint`
    pub joints: Vec<Joint>,
    /// The two ends of each `spring` on a distance.
    pub springs: Vec<[Vec<Id>; 2]>,
    /// How bodies and joints are described; nothing where there are none.
    pub formulation: Option<Formulation>,
    /// By what velocities are found that `start` does not give.
    pub rates: Rates,
    /// Parameters that decide how many members families have and which of them are meant, themselves or through others; in order.
    pub sizes: Vec<usize>,
}

impl Model {
    /// A model in which nothing is said yet.
    pub fn empty(has_units: bool) -> Self {
        Self {
            sources: Sources::new(),
            graph: Graph::new(),
            title: None,
            has_units,
            parameters: vec![],
            coordinates: vec![],
            functions: vec![],
            kinetic: vec![],
            potential: vec![],
            lagrangian: vec![],
            dissipation: vec![],
            gravity: None,
            particles: vec![],
            mass: vec![],
            forces: vec![],
            constraints: vec![],
            nonideals: vec![],
            frictions: vec![],
            hidden: None,
            free: vec![],
            free_zero: None,
            start: vec![],
            assemble: None,
            run: RunStatement::default(),
            outputs: vec![],
            events: vec![],
            expects: vec![],
            kinetic_energy: Id::ZERO,
            potential_energy: Id::ZERO,
            families: vec![],
            drawings: vec![],
            named: vec![],
            bodies: vec![],
            joints: vec![],
            springs: vec![],
            formulation: None,
            rates: Rates::default(),
            sizes: vec![],
        }
    }
}

/// A function that stays a symbol.
#[derive(Clone, Debug)]
pub struct FunctionSymbol {
    /// Its name and what it is a function of.
    pub function: Arc<Unspecified>,
    /// The dimension of its value; a pure number in a model without units.
    pub dimension: Dimension,
    /// Whether some expression contains it.
    pub used: bool,
    /// Where it is declared.
    pub span: Span,
}

/// Something added up, where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// The expression.
    pub value: Id,
    /// Where it stands.
    pub span: Span,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name as in the source: `m`, `L[3]`, `arm.L`.
    pub name: String,
    /// Its dimension; a pure number in a model without units.
    pub dimension: Dimension,
    /// Its value: a number, or an expression of earlier parameters.
    pub value: Id,
    /// The unit that was typed behind its number; nothing for pure numbers and what is computed from other parameters.
    pub unit: Option<TypedUnit>,
    /// Where it is declared.
    pub span: Span,
}

/// A unit as it was typed: who wrote `N/m` does not want to read `kg/s^2`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedUnit {
    /// Its text: `N/m`, `deg`.
    pub text: String,
    /// Its value in SI units.
    pub scale: f64,
}

/// A coordinate.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// Its name as in the source: `x`, `theta[3]`, `p.x`.
    pub name: String,
    /// Its dimension; a pure number in a model without units.
    pub dimension: Dimension,
    /// What a coordinate of a body or a joint is measured by: angles by 1, lengths by the size of the picture.
    pub size: Option<Id>,
    /// Where it is declared.
    pub span: Span,
}

/// A particle.
#[derive(Clone, Debug)]
pub struct Particle {
    /// Its name as in the source.
    pub name: String,
    /// Its mass.
    pub mass: Id,
    /// Its position, 2 or 3 components.
    pub position: Vec<Id>,
    /// Where it is declared.
    pub span: Span,
}

/// A `let` that is a vector of lengths, or of numbers in a model without units.
#[derive(Clone, Debug)]
pub struct NamedVector {
    /// Its name as in the source: `tip`, `p[3]`, `arm.tip`.
    pub name: String,
    /// Its 2 or 3 components.
    pub components: Vec<Id>,
}

/// A rigid body. Its energies are among `kinetic` and `potential`.
#[derive(Clone, Debug)]
pub struct RigidBody {
    /// Its name as in the source.
    pub name: String,
    /// Its mass.
    pub mass: Id,
    /// Its shape.
    pub shape: BodyShape,
    /// Its reference point, 2 or 3 components.
    pub origin: Vec<Id>,
    /// Its axes in the world: in the plane the first two components of each of the three.
    pub axes: Vec<Vec<Id>>,
    /// Its own coordinates; none where joints carry it.
    pub coordinates: Vec<usize>,
    /// Where the start looks for it; nothing where coordinates of one's own place it.
    pub begins: Option<Begin>,
    /// Whether it is the first body of a mechanism that nothing joins to the ground: it stays where it was placed, as if a joint that holds
    /// nothing joined it to the ground.
    pub stays: bool,
    /// Where it is declared.
    pub span: Span,
}

/// Where a body was placed; with `assemble`, moved to the start values of the joints that carry it. Bodies move the least from there, where joints
/// leave a choice or gaps are closed.
#[derive(Clone, Debug)]
pub struct Begin {
    /// Its reference point, as in `RigidBody`: an expression of parameters.
    pub origin: Vec<Id>,
    /// Its axes, as in `RigidBody`.
    pub axes: Vec<Vec<Id>>,
    /// Its centre of mass along its axes, from its reference point.
    pub centre: [Id; 3],
    /// The mean square of the distance of its material from its centre of mass; where it has no extent, that of the picture.
    pub spread: Id,
}

/// How joints and bodies move, whatever coordinates describe them: the start makes the sum of squares of the first list least, then that of
/// the energy, then that of the second list.
///
/// All of them are linear in the velocities. Lengths are over the size of the picture, so that they compare with angles.
#[derive(Clone, Debug, Default)]
pub struct Rates {
    /// The rates of every joint that is not `off` along what it leaves free, of coordinates of one's own that place bodies, and of bodies that
    /// stay.
    pub joints: Vec<Id>,
    /// The velocity of the centre of each body and its angular velocity.
    pub bodies: Vec<Id>,
}

/// The shape of a body, centred at its reference point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyShape {
    /// Given by mass and inertia alone.
    Plain,
    /// Along its first axis.
    Rod {
        /// From end to end.
        length: Id,
    },
    /// A box with these lengths along its axes.
    Box {
        /// Along the first, the second and the third axis; in the plane the third is zero.
        sizes: [Id; 3],
    },
    /// A solid cylinder along its third axis.
    Cylinder {
        /// Its radius.
        radius: Id,
        /// From end to end.
        height: Id,
    },
    /// A thin disc, normal to its third axis.
    Disc {
        /// Its radius.
        radius: Id,
    },
    /// A solid ball.
    Ball {
        /// Its radius.
        radius: Id,
    },
    /// A thin ring, normal to its third axis.
    Hoop {
        /// Its radius.
        radius: Id,
    },
    /// A solid cone along its third axis; its centre of mass is a quarter of its height above the base.
    Cone {
        /// Of its base.
        radius: Id,
        /// From the base to the tip.
        height: Id,
    },
}

/// A joint between two bodies.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Its name as in the source.
    pub name: String,
    /// What it is called in the language: `hinge`, `slider`, …
    pub kind: &'static str,
    /// The two bodies by their place in `bodies`; nothing for the ground, and for ends of rods that are no points of bodies.
    pub bodies: [Option<usize>; 2],
    /// Its point in the world; both ends of a rod.
    pub points: Vec<Vec<Id>>,
    /// Its axis in the world, three components; empty for rods.
    pub axis: Vec<Id>,
    /// Its coordinates.
    pub coordinates: Vec<usize>,
    /// The constraints that hold it; none where its coordinates carry a body.
    pub constraints: Vec<usize>,
    /// The directions that it holds: its rows, those that hold identically included.
    pub held: usize,
    /// Whether its coordinates carry a body.
    pub is_in_tree: bool,
    /// How far it has moved from the picture: angles, and travels over the size of the picture, in the order of its coordinates; of balls and
    /// universal joints what its axes have moved. Empty where it is `off`, and where gaps are closed.
    pub moved: Vec<Id>,
    /// Where it is declared.
    pub span: Span,
}

/// Which coordinates describe bodies and joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formulation {
    /// Every body has coordinates of its own; otherwise a tree of joints has.
    pub by_bodies: bool,
    /// Whether the model says so.
    pub is_chosen: bool,
    /// The longest way from a body to its root, in joints.
    pub depth: usize,
    /// The size of the picture, by which lengths are measured.
    pub extent: Id,
}

/// An explicit mass matrix over all coordinates.
#[derive(Clone, Debug)]
pub struct MassMatrix {
    /// Row-major, n × n.
    pub entries: Vec<Id>,
    /// Where it stands.
    pub span: Span,
}

/// An impressed force.
#[derive(Clone, Debug)]
pub struct Force {
    /// What it acts on.
    pub on: ForceOn,
    /// One component for a coordinate, 2 or 3 for a point, n for the system.
    pub components: Vec<Id>,
    /// Where it stands.
    pub span: Span,
}

/// What a force acts on.
#[derive(Clone, Debug)]
pub enum ForceOn {
    /// A coordinate.
    Coordinate(usize),
    /// A point, or any other list of values made of positions: it enters as JᵀF.
    Point(Vec<Id>),
    /// Rates that are linear in the velocities, such as an angular velocity ω: it enters as (∂ω/∂q̇)ᵀF.
    Rate(Vec<Id>),
    /// Every coordinate: a generalised force.
    System,
}

/// A constraint: one row per component.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Its name as in the source: `rod`, `rod[3]`, `arm.pin`.
    pub name: String,
    /// The number of its first row among the rows of all constraints; `Symbol::Multiplier` and `Reaction` count these.
    pub first_row: usize,
    /// φ = left − right, by component.
    pub rows: Vec<Id>,
    /// The left sides, by component.
    pub left: Vec<Id>,
    /// The right sides, by component.
    pub right: Vec<Id>,
    /// The dimension of left and right.
    pub dimension: Dimension,
    /// Declared, but not yet in force. One-sided constraints are so until contact is found.
    pub off: bool,
    /// What is said of a one-sided constraint, left >= right: φ is its gap, which is never negative. Nothing for an equation.
    pub side: Option<OneSided>,
    /// Whether nobody wrote it: a row of a body or of a joint.
    pub is_made: bool,
    /// What its rows are measured by besides their own terms, which may all vanish: the size of a mechanism.
    pub size: Option<Id>,
    /// Where the equation stands.
    pub span: Span,
    /// Where its name stands.
    pub name_span: Span,
}

/// What is said of a one-sided constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneSided {
    /// The ratio of the speeds after and before an impact, between 0 and 1: an expression of parameters.
    pub restitution: Id,
    /// Declared `off`: it takes no part at all.
    pub disabled: bool,
}

impl Constraint {
    /// The sign between the sides: `=`, or `>=` of a one-sided constraint.
    pub fn sign(&self) -> &'static str {
        if self.side.is_some() { ">=" } else { "=" }
    }
}

/// A non-ideal part of the constraint force.
#[derive(Clone, Debug)]
pub struct Nonideal {
    /// The constraint that it belongs to; nothing for the system.
    pub constraint: Option<usize>,
    /// C as a list over coordinates, or as a force on a point.
    pub on: ForceOn,
    /// The components.
    pub components: Vec<Id>,
    /// Where it stands.
    pub span: Span,
}

/// Friction at a constraint.
#[derive(Clone, Debug)]
pub struct Friction {
    /// The constraint.
    pub constraint: usize,
    /// The law.
    pub law: FrictionLaw,
    /// The velocity of slip, 1 to 3 components, affine in the velocities; nothing for the default.
    pub slip: Option<Vec<Id>>,
    /// The normal force; nothing for the default.
    pub normal: Option<Id>,
    /// Where it stands.
    pub span: Span,
}

/// A law of friction: its magnitudes, for friction number f, as expressions of the speed of slip `Symbol::Slip(f)` and of the load
/// `Symbol::Normal(f)`.
#[derive(Clone, Debug)]
pub struct FrictionLaw {
    /// What it is called in the language: `coulomb`, `viscous`, …, or `a table`.
    pub name: &'static str,
    /// What was given to it; nothing for a table.
    pub arguments: Vec<Id>,
    /// The friction while the contact slides.
    pub sliding: Id,
    /// The largest friction with which the contact can hold at rest, which depends on no slip; nothing for a law that vanishes with
    /// the speed.
    pub limit: Option<Id>,
}

/// `free x'' = value`.
#[derive(Clone, Copy, Debug)]
pub struct FreeDirection {
    /// The coordinate.
    pub coordinate: usize,
    /// Its acceleration.
    pub value: Id,
    /// Where it stands.
    pub span: Span,
}

/// A start value.
#[derive(Clone, Copy, Debug)]
pub struct StartValue {
    /// `Symbol::Position(i)` or `Symbol::Velocity(i)`.
    pub symbol: Symbol,
    /// Its value: an expression of parameters, and of other start values.
    pub value: Id,
    /// `~`: to begin from, not to keep.
    pub guess: bool,
    /// A guess that nobody typed: where a body or a joint was placed.
    pub is_placed: bool,
    /// Where it stands.
    pub span: Span,
}

/// `run`; what was not said is absent.
#[derive(Clone, Debug, Default)]
pub struct RunStatement {
    /// Where it stands.
    pub span: Option<Span>,
    /// `until`
    pub until: Option<Id>,
    /// `every`
    pub every: Option<Id>,
    /// `at [..]`
    pub at: Vec<Id>,
    /// `method = …`
    pub method: Option<Method>,
    /// `rtol = …`
    pub rtol: Option<Id>,
    /// `atol = …`
    pub atol: Option<Id>,
    /// `drift = …`
    pub drift: Option<Drift>,
}

/// How to integrate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Explicit, order 8(5,3).
    Explicit,
    /// Implicit, for stiff systems.
    Stiff,
}

/// How to stay on the constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drift {
    /// By projection.
    Projection,
    /// By Baumgarte's terms.
    Baumgarte,
    /// Not at all.
    None,
}

/// A quantity to record.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name as in the source.
    pub name: String,
    /// Its components: 1 for a scalar.
    pub components: Vec<Id>,
    /// Its dimension.
    pub dimension: Dimension,
    /// Where it stands.
    pub span: Span,
}

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its name as in the source.
    pub name: String,
    /// When it happens.
    pub when: When,
    /// What it does.
    pub actions: Vec<EventAction>,
    /// Where it stands.
    pub span: Span,
}

/// When an event happens.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// A condition (1 or 0) becomes true.
    Becomes(Id),
    /// An expression passes through zero.
    Passes(Id, Direction),
    /// A one-sided constraint begins to hold.
    Catches(usize),
    /// A one-sided constraint ceases to hold.
    LetsGo(usize),
}

/// What an event does.
#[derive(Clone, Debug)]
pub enum EventAction {
    /// Ends the run.
    Stop,
    /// Records the state.
    Record,
    /// Switches a constraint off.
    Drop(usize),
    /// Switches a constraint on.
    Add(usize),
    /// Sets a position, a velocity or a parameter to a value of the state before.
    Set(Symbol, Id),
    /// An impulsive constraint with restitution.
    Impact(usize, Id),
}

/// What is claimed of the motion.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// What is claimed.
    pub claim: Expected,
    /// Only at the start.
    pub at_start: bool,
    /// The relative tolerance, where one was given.
    pub within: Option<Id>,
    /// Where it stands.
    pub span: Span,
}

/// What an expectation claims.
#[derive(Clone, Debug)]
pub enum Expected {
    /// Equal, by component.
    Equal(Vec<Id>, Vec<Id>),
    /// The same at all times, by component.
    Constant(Vec<Id>),
    /// Left at most right, by component: what is missed by rounding is met.
    AtMost(Vec<Id>, Vec<Id>),
    /// True (not 0).
    True(Id),
}

/// A family as it was declared.
#[derive(Clone, Debug)]
pub struct Family {
    /// What kind of things its members are.
    pub kind: FamilyKind,
    /// The name without index.
    pub name: String,
    /// The members: the values of the indices, and the place in the list of their kind.
    pub members: Vec<(Vec<i64>, usize)>,
    /// Where it is declared.
    pub span: Span,
}

/// What the members of a family are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FamilyKind {
    /// Of `parameters`.
    Parameter,
    /// Of `coordinates`.
    Coordinate,
    /// Of `particles`.
    Particle,
    /// Of `constraints`.
    Constraint,
    /// Of `outputs`.
    Output,
    /// Of `events`.
    Event,
}

impl Model {
    /// The name of a symbol as its author writes it.
    pub fn symbol_name(&self, symbol: Symbol) -> String {
        let coordinate = |i: u32| self.coordinates[i as usize].name.as_str();
        match symbol {
            Symbol::Time => "t".to_string(),
            Symbol::Parameter(i) => self.parameters[i as usize].name.clone(),
            Symbol::Position(i) => coordinate(i).to_string(),
            Symbol::Velocity(i) => format!("{}'", coordinate(i)),
            Symbol::Acceleration(i) => format!("{}''", coordinate(i)),
            Symbol::Multiplier(row) => format!("multiplier({})", self.row_name(row as usize)),
            Symbol::Reaction(row) => format!("reaction({})", self.row_name(row as usize)),
            Symbol::Slip(_) => "slip".to_string(),
            Symbol::Normal(_) => "normal".to_string(),
        }
    }

    /// The name of a row of constraints: `rod`, or `pin.2` for the second component of a vector equation.
    pub fn row_name(&self, row: usize) -> String {
        // Constraints are in the order of their rows.
        let after = self.constraints.partition_point(|constraint| constraint.first_row <= row);
        let last = self.constraints[..after].last().filter(|c| row < c.first_row + c.rows.len());
        match last {
            Some(constraint) if constraint.rows.len() == 1 => constraint.name.clone(),
            Some(constraint) => format!("{}.{}", constraint.name, row - constraint.first_row + 1),
            None => {
                let known: usize = self.constraints.iter().map(|c| c.rows.len()).sum();
                format!("hidden.{}", row.saturating_sub(known) + 1)
            }
        }
    }

    /// The number of rows of all constraints, those that are off included.
    pub fn row_count(&self) -> usize {
        self.constraints.iter().map(|constraint| constraint.rows.len()).sum()
    }
}
