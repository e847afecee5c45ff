//! Expressions, and the pieces that several statements are made of: names with indices, settings, placements.

use crate::source::Span;

/// A name, where it stands.
#[derive(Clone, Debug)]
pub struct Ident {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A comment: from `#` to the end of its line.
#[derive(Clone, Debug)]
pub struct Comment {
    /// The text with its `#`, without trailing blanks.
    pub text: String,
    /// Where it stands.
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
