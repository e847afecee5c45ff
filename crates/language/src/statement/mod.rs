//! Statements: each is a file here and a line in the list below.
//!
//! A file says what a document keeps of a statement, how it is read, printed, written as JSON and built in Rust, and what
//! stands in it: [`Notation`] names it all. Everything that goes over all statements takes them from the list.

mod action;
mod assemble;
mod body;
mod constraint;
mod coord;
mod definition;
mod dispatch;
mod draw;
mod drive;
mod element;
mod energy;
mod event;
mod expect;
mod force;
mod formulation;
mod frame;
mod friction;
mod function;
mod gravity;
mod hidden;
mod joint;
mod mass;
mod nonideal;
mod notation;
mod one_sided;
mod output;
mod part;
mod particle;
mod run;
mod start;
mod stop;
mod table;
mod title;

pub use action::Action;
pub use body::BodyItem;
pub use constraint::ConstraintItem;
pub use coord::CoordItem;
pub use definition::Definition;
pub use draw::DrawItem;
pub use drive::DriveItem;
pub use element::ElementItem;
pub use event::{Change, Condition, EventItem};
pub use expect::{Claim, ExpectItem};
pub use force::{ForceItem, ForceTarget};
pub use frame::FrameItem;
pub use friction::FrictionItem;
pub use function::FunctionItem;
pub use joint::JointItem;
pub use nonideal::NonidealItem;
pub use one_sided::Sign;
pub use output::OutputItem;
pub use part::{PartItem, PartSource};
pub use particle::{ParticleItem, ParticlePlace};
pub use run::RunItem;
pub use start::StartItem;
pub use stop::StopItem;
pub use table::TableItem;

use crate::format::pen::Pen;
use crate::json::reader::Reader;
use crate::json::value::Value;
use crate::parse::cursor::{Parsed, Parser};
use crate::source::Span;
use crate::syntax::{Comment, Expr, Ident, Target, Unit};
use crate::visit::{Visit, Visitor, visit_fields};
use dispatch::{given, made, statements};
use notation::Notation;

#[cfg(test)]
use crate::random::Author;

/// A model file: its statements in order, and its comments, which belong to no statement.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The statements.
    pub statements: Vec<Statement>,
    /// The comments in order, with their `#`. Inside inline parts too.
    pub comments: Vec<Comment>,
}

/// A statement: a keyword in column 1 (or at the margin of an inline part) and what follows it.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it says.
    pub kind: StatementKind,
    /// The keyword.
    pub keyword: Span,
    /// All of it, keyword included.
    pub span: Span,
}

visit_fields! {
    Document { statements, comments }
    Statement { kind, keyword, span }
}

/// Reads what follows a keyword; one line may hold several statements of a kind that takes a single item, and then
/// gives the place of each.
pub(crate) type Read = fn(&mut Parser) -> Parsed<Vec<(Option<Span>, StatementKind)>>;

// The list: each keyword with what a document keeps of its statement, and with what the file of the statement says.
statements! {
    /// `title Block on a rough incline`: the rest of the line as it stands.
    "title" => Title(title: String), title::Title;
    /// `param m = 2 kg, g = 9.81 m/s^2`
    "param" => Param(items: Vec<Definition>), definition::Param;
    /// `coord x: m, y: m`
    "coord" => Coord(items: Vec<CoordItem>), coord::Coord;
    /// `let v = x'`, `let e(a) = (cos(a), sin(a))`
    "let" => Let(items: Vec<Definition>), definition::Let;
    /// `table f = "f.csv"`
    "table" => Table(items: Vec<TableItem>), table::Table;
    /// `function g(t): m, F(x, t): N`
    "function" => Function(items: Vec<FunctionItem>), function::Function;
    /// `kinetic m*x'^2/2`; several with commas add up.
    "kinetic" => Kinetic(items: Vec<Expr>), energy::Energy("kinetic");
    /// `potential m*g*y`
    "potential" => Potential(items: Vec<Expr>), energy::Energy("potential");
    /// `lagrangian m*x'^2/2 - k*x^2/2`
    "lagrangian" => Lagrangian(items: Vec<Expr>), energy::Energy("lagrangian");
    /// `dissipation c*x'^2/2`
    "dissipation" => Dissipation(items: Vec<Expr>), energy::Energy("dissipation");
    /// `gravity (0, -g)`
    "gravity" => Gravity(value: Expr), gravity::Gravity;
    /// `particle p: m at (x, y)`, `particle p[i in 1..N]: m[i] in plane`
    "particle" => Particle(items: Vec<ParticleItem>), particle::Particle;
    /// `body arm: rod(L) of m, from (0, 0, 0) to (0, L, 0)`
    "body" => Body(item: BodyItem), body::Body;
    /// `frame tip on arm: at P, turned z by 30 deg`
    "frame" => Frame(item: FrameItem), frame::Frame;
    /// `joint pin: hinge(ground, arm), at (0, 0, 0), axis x`
    "joint" => Joint(item: JointItem), joint::Joint;
    /// `drive crank: pin = w*t`
    "drive" => Drive(item: DriveItem), drive::Drive;
    /// `spring s: distance(p, q), stiffness = k, rest = l`
    "spring" => Spring(item: ElementItem), element::SPRING;
    /// `damper d: pin, rate = c`
    "damper" => Damper(item: ElementItem), element::DAMPER;
    /// `torque arm: (0, 0, M)`, `torque pin: M`
    "torque" => Torque(items: Vec<ForceItem>), force::Torque;
    /// `formulation bodies`
    "formulation" => Formulation(word: Ident), formulation::Formulation;
    /// `mass [[m, 0], [0, m]]`
    "mass" => Mass(value: Expr), mass::Mass;
    /// `force x: -k*x`, `force p: (0, -m*g)`, `force [0, 1]`
    "force" => Force(items: Vec<ForceItem>), force::Force;
    /// `constraint rod: norm(p) = L`, also with `, off`; `constraint floor: y >= 0, restitution = 0.3`
    "constraint" => Constraint(item: ConstraintItem), constraint::Equation("constraint");
    /// `stop end: x in 0 m..2 m, restitution = 0.2`
    "stop" => Stop(item: StopItem), stop::Stop;
    /// `connect pin: arm.tip = base.pin`
    "connect" => Connect(item: ConstraintItem), constraint::Equation("connect");
    /// `nonideal plane: [..]`, `nonideal plane on p: (..)`, `nonideal [..]`
    "nonideal" => Nonideal(item: NonidealItem), nonideal::Nonideal;
    /// `friction plane: coulomb(mu), slip = x', normal = reaction(plane)`
    "friction" => Friction(item: FrictionItem), friction::Friction;
    /// `hidden find`
    "hidden" => Hidden, hidden::Hidden;
    /// `free x'' = 0, y'' = 1` or `free zero` (then the list is empty)
    "free" => Free(items: Vec<StartItem>), start::Free;
    /// `start x = 1, z' ~ 1`
    "start" => Start(items: Vec<StartItem>), start::Start;
    /// `assemble`
    "assemble" => Assemble, assemble::Assemble;
    /// `run until 10 s, every 0.5 s, method = stiff`
    "run" => Run(items: Vec<RunItem>), run::Run;
    /// `output speed: norm(p')`
    "output" => Output(items: Vec<OutputItem>), output::Output;
    /// `event hit: y < 0 -> stop`
    "event" => Event(item: EventItem), event::Event;
    /// `expect at start x'' = -g within 1e-9`
    "expect" => Expect(items: Vec<ExpectItem>), expect::Expect;
    /// `draw line p[1] p[2], color = red`
    "draw" => Draw(item: DrawItem), draw::Draw;
    /// `part arm = "arm.holo" with L = 2 m`, or `part arm` with indented statements
    "part" => Part(item: PartItem), part::Part;
}

/// What reads the statement that begins with `word`.
pub(crate) fn reader(word: &str) -> Option<Read> {
    READERS.iter().find(|(keyword, _)| *keyword == word).map(|(_, read)| *read)
}

/// Whether `word` begins a statement.
pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}
