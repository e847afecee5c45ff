//! What `check` has to say, as data: everything by name.

use super::expect::ExpectationReport;
use super::friction::ContactReport;
use super::principles::PrinciplesReport;
use crate::start::found::Inferred;
use crate::start::numbers::State;
use holonom_kernel::Rank;
use holonom_mechanics::derive::ConstraintKind;

/// Messages about rows are bounded: a chain that is given twice would fill pages.
pub(super) const SHOWN: usize = 12;

/// What can be said of a system at its start and around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The file that the model came from.
    pub source: String,
    /// Its title.
    pub title: Option<String>,
    /// The parameters, as they were used.
    pub parameters: Vec<(String, f64)>,
    /// Where the motion starts; where that is wrong, the values that were given and 0 or so for the others.
    pub start: State,
    /// Whether the start is what it should be: nothing is missing, the constraints hold, everything is a number.
    pub start_is_good: bool,
    /// Start values that nobody gave.
    pub inferred: Vec<Inferred>,
    /// The coordinates, and what happens to each at the start.
    pub coordinates: Vec<CoordinateReport>,
    /// The rows of the constraints, those that are off included.
    pub rows: Vec<RowReport>,
    /// Ranks and verdicts at the start; nothing where there is no motion at all.
    pub verdict: Option<RankVerdict>,
    /// Rows that follow from others.
    pub redundant: Vec<Combination>,
    /// Smallest sets of rows that cannot hold together.
    pub conflicts: Vec<ConflictReport>,
    /// Equations that the forces on massless directions ask for, as text; with the name of the row where `hidden find` has
    /// added it: `hidden.1: k1*x1 = k2*q2`.
    pub hidden: Vec<String>,
    /// What contacts with friction do at the start.
    pub contacts: Vec<ContactReport>,
    /// T at the start.
    pub kinetic_energy: f64,
    /// V at the start.
    pub potential_energy: f64,
    /// What was expected, and what came of it.
    pub expectations: Vec<ExpectationReport>,
    /// How many states around the start were looked at.
    pub states: usize,
    /// Whatever else is worth knowing.
    pub notes: Vec<String>,
    /// The mechanism in terms of its bodies and joints; nothing for a model without bodies.
    pub mechanism: Option<MechanismReport>,
    /// The principles of mechanics at the start, where they were asked for and there is a motion.
    pub principles: Option<Box<PrinciplesReport>>,
}

/// A coordinate at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct CoordinateReport {
    /// Its name.
    pub name: String,
    /// q; no number where it was neither given nor follows.
    pub position: f64,
    /// q̇.
    pub velocity: f64,
    /// q̈; nothing where there is none, or where it is not determined.
    pub acceleration: Option<f64>,
    /// Q.
    pub impressed: f64,
    /// Qᵢ.
    pub ideal: f64,
    /// C, the work that is given for constraints that are not ideal.
    pub given_nonideal: f64,
    /// Qₙᵢ, with what holds contacts that stick.
    pub nonideal: f64,
}

/// A row of the constraints at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct RowReport {
    /// Its name.
    pub name: String,
    /// The kind of its equation.
    pub kind: ConstraintKind,
    /// Whether time occurs in it.
    pub rheonomic: bool,
    /// Declared, but not in force.
    pub off: bool,
    /// Whether it belongs to a one-sided constraint, which is in force while it touches.
    pub one_sided: bool,
    /// The ideal multiplier.
    pub multiplier: f64,
    /// The total reaction.
    pub reaction: f64,
    /// Whether multiplier and reaction are unique.
    pub determinate: bool,
}

/// Ranks and what follows from them.
#[derive(Clone, Debug, PartialEq)]
pub struct RankVerdict {
    /// The rank of A at the start.
    pub constraint_rank: Rank,
    /// The rank of [M; A] at the start.
    pub system_rank: Rank,
    /// The rank of M at the start.
    pub mass_rank: usize,
    /// The largest rank of A at states around the start: where it differs, the start is singular.
    pub rank_around: Option<usize>,
    /// n − rank A.
    pub degrees_of_freedom: usize,
    /// Whether the acceleration is unique (2006, result 3), or `free` says what is open.
    pub unique: bool,
    /// Whether it is known that no other friction fits the contacts.
    pub certain: bool,
    /// The coordinates whose acceleration is not determined.
    pub undetermined: Vec<String>,
    /// Whether the constraints can all be met.
    pub consistent: bool,
    /// Whether every force on a massless direction vanishes.
    pub balanced: bool,
    /// The forces that nothing balances, by coordinate.
    pub unbalanced: Vec<(String, f64)>,
}

/// A row as a sum of others: `row = Σ coefficient·name`.
#[derive(Clone, Debug, PartialEq)]
pub struct Combination {
    /// The row.
    pub row: String,
    /// The others; none for a row of zeros.
    pub of: Vec<(f64, String)>,
    /// Whether it is so around the start as well.
    pub everywhere: bool,
}

/// Rows that cannot hold together.
#[derive(Clone, Debug, PartialEq)]
pub struct ConflictReport {
    /// The rows with the coefficients with which their left sides add up to nothing…
    pub rows: Vec<(f64, String)>,
    /// … while their right sides add up to this.
    pub gap: f64,
    /// At which level: `positions`, `velocities` or `accelerations`.
    pub level: &'static str,
}

impl Combination {
    /// `2*a - b`, with names in backticks.
    pub fn text(&self) -> String {
        crate::start::words::combination(&self.of)
    }
}

/// A mechanism of bodies and joints.
#[derive(Clone, Debug, PartialEq)]
pub struct MechanismReport {
    /// `joints` where a tree of joints has the coordinates, `bodies` where every body has its own.
    pub formulation: &'static str,
    /// Why it is that one.
    pub because: String,
    /// How many bodies there are.
    pub bodies: usize,
    /// The joints, in the order of the model.
    pub joints: Vec<JointReport>,
    /// The degrees of freedom that one counts when every row counts: Grübler's number.
    pub counted: i64,
    /// How it is counted from bodies and joints, such as `6·5 - 5·6`; nothing where other constraints or coordinates take part.
    pub formula: Option<String>,
    /// Bodies whose spin about their own axis nothing feels: a row holds it at rest.
    pub spins: Vec<String>,
    /// Joints that hold what others hold already: name, in how many directions, and of how many that it holds.
    pub closing: Vec<(String, usize, usize)>,
}

/// A joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointReport {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: &'static str,
    /// Its coordinates by name.
    pub coordinates: Vec<String>,
    /// Its rows by name, while they are active; none where its coordinates carry a body.
    pub rows: Vec<String>,
}
