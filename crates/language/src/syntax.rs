//! The model as it was written: statements and expressions with their spans, nothing looked up yet.
//!
//! Long sums, products and chains of `and` are lists and not nested pairs, so that the depth of a tree is the depth
//! of the brackets somebody typed, which the parser bounds.

use super::source::Span;

/// A name, where it stands.
#[derive(Clone, Debug)]
pub struct Ident {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A model file: its statements in order, and its comments, which belong to no statement.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The statements.
    pub statements: Vec<Statement>,
    /// The comments in order, with their `#`. Inside inline parts too.
    pub comments: Vec<Comment>,
}

/// A comment: from `#` to the end of its line.
#[derive(Clone, Debug)]
pub struct Comment {
    /// The text with its `#`, without trailing blanks.
    pub text: String,
    /// Where it stands.
    pub span: Span,
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

/// What a statement says.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `title Block on a rough incline`: the rest of the line as it stands.
    Title(String),
    /// `param m = 2 kg, g = 9.81 m/s^2`
    Param(Vec<Definition>),
    /// `coord x: m, y: m`
    Coord(Vec<CoordItem>),
    /// `let v = x'`, `let e(a) = (cos(a), sin(a))`
    Let(Vec<Definition>),
    /// `table f = "f.csv"`
    Table(Vec<TableItem>),
    /// `function g(t): m, F(x, t): N`
    Function(Vec<FunctionItem>),
    /// `kinetic m*x'^2/2`; several with commas add up.
    Kinetic(Vec<Expr>),
    /// `potential m*g*y`
    Potential(Vec<Expr>),
    /// `lagrangian m*x'^2/2 - k*x^2/2`
    Lagrangian(Vec<Expr>),
    /// `dissipation c*x'^2/2`
    Dissipation(Vec<Expr>),
    /// `gravity (0, -g)`
    Gravity(Expr),
    /// `particle p: m at (x, y)`, `particle p[i in 1..N]: m[i] in plane`
    Particle(Vec<ParticleItem>),
    /// `body arm: rod(L) of m, from (0, 0, 0) to (0, L, 0)`
    Body(BodyItem),
    /// `frame tip on arm: at P, turned z by 30 deg`
    Frame(FrameItem),
    /// `joint pin: hinge(ground, arm), at (0, 0, 0), axis x`
    Joint(JointItem),
    /// `drive crank: pin = w*t`
    Drive(DriveItem),
    /// `spring s: distance(p, q), stiffness = k, rest = l`
    Spring(ElementItem),
    /// `damper d: pin, rate = c`
    Damper(ElementItem),
    /// `torque arm: (0, 0, M)`, `torque pin: M`
    Torque(Vec<ForceItem>),
    /// `formulation bodies`
    Formulation(Ident),
    /// `mass [[m, 0], [0, m]]`
    Mass(Expr),
    /// `force x: -k*x`, `force p: (0, -m*g)`, `force [0, 1]`
    Force(Vec<ForceItem>),
    /// `constraint rod: norm(p) = L`, also with `, off`; `constraint floor: y >= 0, restitution = 0.3`
    Constraint(ConstraintItem),
    /// `stop end: x in 0 m..2 m, restitution = 0.2`
    Stop(StopItem),
    /// `connect pin: arm.tip = base.pin`
    Connect(ConstraintItem),
    /// `nonideal plane: [..]`, `nonideal plane on p: (..)`, `nonideal [..]`
    Nonideal(NonidealItem),
    /// `friction plane: coulomb(mu), slip = x', normal = reaction(plane)`
    Friction(FrictionItem),
    /// `hidden find`
    Hidden,
    /// `free x'' = 0, y'' = 1` or `free zero` (then the list is empty)
    Free(Vec<StartItem>),
    /// `start x = 1, z' ~ 1`
    Start(Vec<StartItem>),
    /// `assemble`
    Assemble,
    /// `run until 10 s, every 0.5 s, method = stiff`
    Run(Vec<RunItem>),
    /// `output speed: norm(p')`
    Output(Vec<OutputItem>),
    /// `event hit: y < 0 -> stop`
    Event(EventItem),
    /// `expect at start x'' = -g within 1e-9`
    Expect(Vec<ExpectItem>),
    /// `draw line p[1] p[2], color = red`
    Draw(DrawItem),
    /// `part arm = "arm.holo" with L = 2 m`, or `part arm` with indented statements
    Part(PartItem),
    /// A statement that could not be read; its errors have been reported.
    Broken,
}

/// `target = value`, for `param` and `let`.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name, perhaps a family.
    pub target: Target,
    /// Names of arguments: `let e(a) = …`. Empty without parentheses.
    pub arguments: Vec<Ident>,
    /// What it is.
    pub value: Expr,
    /// All of it.
    pub span: Span,
}

/// `x: m` or `x[1..N]: m`.
#[derive(Clone, Debug)]
pub struct CoordItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// The unit after the colon.
    pub unit: Option<Unit>,
    /// All of it.
    pub span: Span,
}

/// `f = "f.csv"`, with options such as `degree = 1` (none are needed).
#[derive(Clone, Debug)]
pub struct TableItem {
    /// The name.
    pub target: Target,
    /// The path as written, without quotes.
    pub path: Text,
    /// `name = value` after it.
    pub options: Vec<Setting>,
    /// All of it.
    pub span: Span,
}

/// `F(x, t): N`: a function that stays a symbol.
#[derive(Clone, Debug)]
pub struct FunctionItem {
    /// The name.
    pub target: Target,
    /// What it is a function of: names of the model.
    pub arguments: Vec<Expr>,
    /// The unit of its value after the colon.
    pub unit: Option<Unit>,
    /// All of it.
    pub span: Span,
}

/// A quoted string.
#[derive(Clone, Debug)]
pub struct Text {
    /// Without the quotes.
    pub text: String,
    /// With the quotes.
    pub span: Span,
}

/// `name = value` among the options of a statement.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The name.
    pub name: Ident,
    /// The value.
    pub value: Expr,
    /// All of it.
    pub span: Span,
}

/// `p: m at (x, y)`.
#[derive(Clone, Debug)]
pub struct ParticleItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// Its mass.
    pub mass: Expr,
    /// Where it is.
    pub place: ParticlePlace,
    /// All of it.
    pub span: Span,
}

/// Where a particle is.
#[derive(Clone, Debug)]
pub enum ParticlePlace {
    /// `at POINT`
    At(Expr),
    /// `in plane`: coordinates `p.x`, `p.y` of its own.
    Plane(Span),
    /// `in space`: coordinates `p.x`, `p.y`, `p.z` of its own.
    Space(Span),
}

/// `arm: rod(L) of m, from P to Q`, or `arm: mass = m, inertia = (Jx, Jy, Jz), at P`.
#[derive(Clone, Debug)]
pub struct BodyItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// The shape, which gives inertia and picture: a call such as `rod(L)`. Nothing for a body given by its inertia.
    pub shape: Option<Expr>,
    /// The mass after `of`.
    pub mass: Option<Expr>,
    /// `mass = …`, `inertia = …`, `centre = …`, `density = …`
    pub options: Vec<Setting>,
    /// Where it is, in the order in which it was written.
    pub placement: Vec<PlaceClause>,
    /// All of it.
    pub span: Span,
}

/// One part of a placement.
#[derive(Clone, Debug)]
pub enum PlaceClause {
    /// `at P`
    At(Expr),
    /// `from P to Q`
    Along(Expr, Expr),
    /// `up N`
    Up(Expr),
    /// `turned z by a, then x by b`
    Turned(Vec<Turn>),
    /// `axes (a) (b)`: the first and the second axis of the body.
    Axes(Expr, Expr),
}

impl PlaceClause {
    /// The expressions in it, in order.
    pub fn expressions(&self) -> Vec<&Expr> {
        match self {
            Self::At(one) | Self::Up(one) => vec![one],
            Self::Along(one, other) | Self::Axes(one, other) => vec![one, other],
            Self::Turned(turns) => turns.iter().flat_map(|turn| [&turn.axis, &turn.angle]).collect(),
        }
    }
}

/// `z by 30 deg`.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The axis: `x`, `y`, `z` or a vector.
    pub axis: Expr,
    /// The angle.
    pub angle: Expr,
    /// All of it.
    pub span: Span,
}

/// `tip on arm: at P, turned z by 30 deg`.
#[derive(Clone, Debug)]
pub struct FrameItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// The body that it is fixed to.
    pub on: Expr,
    /// Where it is.
    pub placement: Vec<PlaceClause>,
    /// All of it.
    pub span: Span,
}

/// `pin: hinge(ground, arm), at (0, 0, 0), axis x, off`.
#[derive(Clone, Debug)]
pub struct JointItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// `hinge`, `slider`, `ball`, …
    pub kind: Ident,
    /// What it joins: bodies, points or frames.
    pub ends: Vec<Expr>,
    /// `at P`
    pub at: Option<Expr>,
    /// `from P to Q`: a point and the axis.
    pub along: Option<(Expr, Expr)>,
    /// `axis N`, or `axis N1 N2`.
    pub axis: Vec<Expr>,
    /// `pitch = p` and the like.
    pub options: Vec<Setting>,
    /// Declared, but not in force.
    pub off: bool,
    /// It becomes rows of constraints, and no coordinate.
    pub cut: bool,
    /// All of it.
    pub span: Span,
}

/// `crank: pin = w*t`.
#[derive(Clone, Debug)]
pub struct DriveItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// What is driven: a joint, a coordinate, a distance.
    pub value: Expr,
    /// Its value at all times.
    pub motion: Expr,
    /// Declared, but not in force.
    pub off: bool,
    /// All of it.
    pub span: Span,
}

/// A spring or a damper: `s: distance(p, q), stiffness = k, rest = l`.
#[derive(Clone, Debug)]
pub struct ElementItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// What it acts on: a joint, a coordinate, a distance.
    pub value: Expr,
    /// `stiffness = k`, `rest = l`, `preload = F`, `rate = c`, `law = EXPR`
    pub options: Vec<Setting>,
    /// All of it.
    pub span: Span,
}

/// `x: -k*x`.
#[derive(Clone, Debug)]
pub struct ForceItem {
    /// What it acts on; nothing for `force [..]` over all coordinates.
    pub on: Option<ForceTarget>,
    /// The force.
    pub value: Expr,
    /// All of it.
    pub span: Span,
}

/// What a force acts on.
#[derive(Clone, Debug)]
pub enum ForceTarget {
    /// A coordinate, a particle or a named point, perhaps a family of them.
    Named(Target),
    /// A point or a scalar that has no name: `(x + a, y)`, `distance(p, q)`.
    Point(Expr),
}

/// `rod: norm(p) = L, off`, or `floor: y >= 0, restitution = 0.3`.
#[derive(Clone, Debug)]
pub struct ConstraintItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// What stands left of the sign.
    pub left: Expr,
    /// The sign between the sides.
    pub sign: Sign,
    /// What stands right of it.
    pub right: Expr,
    /// `restitution = r` of a one-sided constraint; 0 without it.
    pub restitution: Option<Expr>,
    /// Declared, but not yet in force.
    pub off: bool,
    /// All of it.
    pub span: Span,
}

/// What stands between the sides of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `=`: it holds at all times.
    Equal,
    /// `>=`: one-sided.
    AtLeast,
    /// `<=`: one-sided.
    AtMost,
}

impl Sign {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::AtLeast => ">=",
            Self::AtMost => "<=",
        }
    }
}

/// `end: x in 0 m..2 m, restitution = 0.2`.
#[derive(Clone, Debug)]
pub struct StopItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// What is kept between the limits.
    pub value: Expr,
    /// The lower limit.
    pub low: Expr,
    /// The upper limit.
    pub high: Expr,
    /// `restitution = r`; 0 without it.
    pub restitution: Option<Expr>,
    /// Declared, but not in force.
    pub off: bool,
    /// All of it.
    pub span: Span,
}

/// `plane on p: (..)`.
#[derive(Clone, Debug)]
pub struct NonidealItem {
    /// Which constraint; nothing for the system as a whole.
    pub target: Option<Target>,
    /// The point that the force acts on; nothing for a list over all coordinates.
    pub on: Option<Expr>,
    /// C.
    pub value: Expr,
    /// All of it.
    pub span: Span,
}

/// `plane: coulomb(mu), slip = x', normal = reaction(plane)`.
#[derive(Clone, Debug)]
pub struct FrictionItem {
    /// Which constraint.
    pub target: Target,
    /// The law: a call such as `coulomb(mu)`, or the name of a table.
    pub law: Expr,
    /// `slip = …`, `normal = …`
    pub options: Vec<Setting>,
    /// All of it.
    pub span: Span,
}

/// `x = 1`, `x' ~ 1`; for `free`, `x'' = …`.
#[derive(Clone, Debug)]
pub struct StartItem {
    /// A coordinate, a particle, or their derivatives; perhaps a family.
    pub target: Target,
    /// `~` instead of `=`.
    pub guess: bool,
    /// The value.
    pub value: Expr,
    /// All of it.
    pub span: Span,
}

/// One item of `run`.
#[derive(Clone, Debug)]
pub enum RunItem {
    /// `until 10 s`
    Until(Expr),
    /// `every 0.5 s`
    Every(Expr),
    /// `at [0, 1, 2]`
    At(Expr),
    /// `method = stiff`
    Setting(Setting),
}

/// `speed: norm(p')`.
#[derive(Clone, Debug)]
pub struct OutputItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// What to record.
    pub value: Expr,
    /// All of it.
    pub span: Span,
}

/// `hit: y < 0 -> stop, record`.
#[derive(Clone, Debug)]
pub struct EventItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// When.
    pub condition: Condition,
    /// What then.
    pub actions: Vec<Action>,
    /// All of it.
    pub span: Span,
}

/// When an event happens.
#[derive(Clone, Debug)]
pub enum Condition {
    /// A comparison, or several joined by `and`, `or`, `not`, becomes true.
    Becomes(Expr),
    /// `EXPR rises|falls|crosses`: the expression passes through zero.
    Passes(Expr, Direction),
    /// `NAME catches`, `NAME lets go`: a one-sided constraint begins or ceases to hold.
    Contact(Expr, Change),
}

/// How the contact of a one-sided constraint changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It begins to hold.
    Catches,
    /// It ceases to hold.
    LetsGo,
}

impl Change {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Catches => "catches",
            Self::LetsGo => "lets go",
        }
    }
}

/// Which way a quantity passes through zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From below.
    Rises,
    /// From above.
    Falls,
    /// Either way.
    Crosses,
}

/// What an event does.
#[derive(Clone, Debug)]
pub enum Action {
    /// `stop`
    Stop(Span),
    /// `record`
    Record(Span),
    /// `drop NAME`
    Drop(Target),
    /// `add NAME`
    Add(Target),
    /// `set y' = -r*y'`
    Set(StartItem),
    /// `impact NAME, restitution = r`
    Impact {
        /// Which constraint.
        target: Target,
        /// `restitution = r`; 0 without it.
        restitution: Option<Expr>,
        /// All of it.
        span: Span,
    },
}

/// `at start x'' = -g within 1e-9`.
#[derive(Clone, Debug)]
pub struct ExpectItem {
    /// A name for the family index or for messages: `expect law[i in 1..N]: …`.
    pub target: Option<Target>,
    /// Only at the start.
    pub at_start: bool,
    /// What is claimed.
    pub claim: Claim,
    /// `within 1e-9`
    pub within: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// What an `expect` claims.
#[derive(Clone, Debug)]
pub enum Claim {
    /// `E1 = E2`
    Equal(Expr, Expr),
    /// `constant energy()`
    Constant(Expr),
    /// A comparison, such as `x > 0`.
    True(Expr),
}

/// `line p[1] p[2], color = red`.
#[derive(Clone, Debug)]
pub struct DrawItem {
    /// An index for families: `draw[i in 1..N] line p[i-1] p[i]`.
    pub binders: Vec<Binder>,
    /// A condition on the indices.
    pub condition: Option<Expr>,
    /// `point`, `line`, `path`, `spring`, `trace`, `polygon`, `body`, `ground`; a word that is none of them is found out later.
    pub shape: Ident,
    /// Its points.
    pub arguments: Vec<Expr>,
    /// `name = value`
    pub options: Vec<Setting>,
    /// All of it.
    pub span: Span,
}

/// `arm = "arm.holo" with L = 2 m`.
#[derive(Clone, Debug)]
pub struct PartItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// Where its statements are.
    pub source: PartSource,
    /// `with L = 2 m, m = 1 kg`
    pub with: Vec<Definition>,
    /// `at P, turned z by a`: the part is placed as a whole.
    pub placement: Vec<PlaceClause>,
    /// All of it.
    pub span: Span,
}

/// Where the statements of a part are.
#[derive(Clone, Debug)]
pub enum PartSource {
    /// In another file.
    File(Text),
    /// In the indented lines that follow.
    Inline(Vec<Statement>),
}

/// What a statement declares or speaks of: `x`, `x[3]'`, `arm.x`, `x[i in 1..N where i /= 2]`, `arm[1..2].tip`.
#[derive(Clone, Debug)]
pub struct Target {
    /// The names between dots, each with its indices.
    pub steps: Vec<TargetStep>,
    /// `where …` in the last bracket.
    pub condition: Option<Box<Expr>>,
    /// The number of primes after it.
    pub primes: u8,
    /// All of it.
    pub span: Span,
}

/// A name between dots, with its indices.
#[derive(Clone, Debug)]
pub struct TargetStep {
    /// The name.
    pub name: Ident,
    /// What stands in brackets after it.
    pub indices: Vec<TargetIndex>,
}

/// One index of a target.
#[derive(Clone, Debug)]
pub enum TargetIndex {
    /// A single member: `x[3]`, `x[N]`.
    At(Expr),
    /// All members of a range: `x[i in 1..N]`, or `x[1..N]` where the index has no name.
    Over(Binder),
}

/// `i in 1..N`, or `1..N` without a name.
#[derive(Clone, Debug)]
pub struct Binder {
    /// The name of the index.
    pub name: Option<Ident>,
    /// The first value.
    pub from: Box<Expr>,
    /// The last value.
    pub to: Box<Expr>,
    /// All of it.
    pub span: Span,
}

/// A unit: `kg*m^2/s`, `1/s`.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The names with their powers; the power of what stands after `/` is negative.
    pub factors: Vec<UnitFactor>,
    /// Where it stands.
    pub span: Span,
}

/// A name of a unit with its power.
#[derive(Clone, Debug)]
pub struct UnitFactor {
    /// The name: `kg`, `mm`, `deg`, `%`.
    pub name: Ident,
    /// The power.
    pub power: i32,
}

/// An expression, where it stands.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal, as it was written: `0.5`, `1e-9`.
    Number(String),
    /// A literal with a unit: `2 kg`.
    Quantity(String, Unit),
    /// A name.
    Name(String),
    /// `x[i]`, `x[i, j]`
    Index(Box<Expr>, Vec<Expr>),
    /// `p.x`, `arm.tip`
    Member(Box<Expr>, Ident),
    /// `x'`, `x''`: with the number of primes.
    Prime(Box<Expr>, u8),
    /// `sin(x)`, and lets with arguments.
    Call(Ident, Vec<Expr>),
    /// `link[2](a, b, c)`, `leg[1].foot(0, 0, 1)`: a call of a member of a family, or of what belongs to one.
    Apply(Box<Expr>, Vec<Expr>),
    /// `P on BODY`: the point of a body that lies at P in the picture in which everything was placed.
    On(Box<Expr>, Box<Expr>),
    /// `base^exponent`
    Power(Box<Expr>, Box<Expr>),
    /// `-x`
    Negate(Box<Expr>),
    /// `a*b/c`
    Product(Box<Expr>, Vec<(ProductOp, Expr)>),
    /// `a + b - c`
    Sum(Box<Expr>, Vec<(SumOp, Expr)>),
    /// `sum(i in 1..N where i /= 2, x[i])`
    Total(Box<Total>),
    /// `a < b`; `a < b < c` is rejected by the parser.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// `not a`
    Not(Box<Expr>),
    /// `a and b and c`
    And(Vec<Expr>),
    /// `a or b or c`
    Or(Vec<Expr>),
    /// `(a)`: parentheses that somebody typed.
    Paren(Box<Expr>),
    /// `(a, b)`: a vector.
    Tuple(Vec<Expr>),
    /// `[a, b]`: a list over coordinates, or a row of a matrix.
    List(Vec<Expr>),
    /// A word as a value in a setting, such as `stiff`, is a `Name`; this is a quoted string.
    Text(String),
    /// Something that could not be read; its error has been reported.
    Broken,
}

/// `sum(i in 1..N, j in 1..N where j /= i, body)`.
#[derive(Clone, Debug)]
pub struct Total {
    /// The indices, outer ones first.
    pub binders: Vec<Binder>,
    /// Which of them count.
    pub condition: Option<Expr>,
    /// What is summed.
    pub body: Expr,
}

/// `*` or `/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProductOp {
    /// `*`
    Times,
    /// `/`
    Over,
}

/// `+` or `-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareOp {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `==`: of integers, in `where`.
    Equal,
    /// `/=`: of integers, in `where`.
    NotEqual,
}
