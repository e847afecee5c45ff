//! A formula as it stands on paper: sums, fractions, roots, and no parentheses.
//!
//! Every notation renders the same tree. Parentheses are not in it: what needs them depends on how things look. A
//! fraction with a bar holds its numerator together, one with a slash does not.

use std::sync::Arc;

use super::name::Name;

/// A formula. Copies are cheap: they share what they are made of.
///
/// Formulas come from expressions ([`Graph::formulas`](crate::expr::Graph::formulas)) or are put together by hand:
///
/// ```
/// use holonom_symbols::expr::{Formula, Notation};
///
/// let (a, b) = (Formula::name("A"), Formula::name("b"));
/// let equation = Formula::row([a.pseudo_inverse(), b]).equals(Formula::name("q''"));
/// assert_eq!(equation.print(Notation::Unicode), "A⁺ b = q̈");
/// assert_eq!(equation.print(Notation::Latex), "A^{+} b = \\ddot{q}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula(Arc<Inner>);

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    shape: Shape,
    /// How many things are inside each other.
    depth: usize,
}

/// What a formula is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A number that is not negative, in decimal digits; `e` before a power of ten.
    Number(String),
    /// A name as models have them: `theta[3]'`, `p.x`, `multiplier(rod)`.
    Name(String),
    Pi,
    /// Words, upright.
    Words(String),
    /// A sign between other things: `=`, `→`, `,`.
    Sign(String),
    /// Things side by side.
    Row(Vec<Formula>),
    Minus(Formula),
    /// Terms, with true for minus.
    Sum(Vec<(bool, Formula)>),
    Product(Vec<Formula>),
    Fraction(Formula, Formula),
    Power(Formula, Formula),
    Subscript(Formula, Formula),
    Accent(Accent, Formula),
    /// A function of the language, perhaps with an integer power at its name.
    Call {
        function: &'static str,
        power: Option<String>,
        arguments: Vec<Formula>,
    },
    /// A function that the model declares, a table among them.
    Applied {
        name: String,
        derivative: Derivative,
        arguments: Vec<Formula>,
    },
    Root(Formula),
    Magnitude(Formula),
    /// `<`, `<=` or `/=`.
    Relation(&'static str, Formula, Formula),
    And(Formula, Formula),
    Or(Formula, Formula),
    Not(Formula),
    /// The first if the condition holds, else the second.
    Choice {
        condition: Formula,
        then: Formula,
        otherwise: Formula,
    },
    Matrix {
        columns: usize,
        entries: Vec<Formula>,
    },
}

impl Shape {
    /// Calls `visit` with everything that it is made of.
    fn parts(&self, mut visit: impl FnMut(&Formula)) {
        match self {
            Self::Number(_) | Self::Name(_) | Self::Pi | Self::Words(_) | Self::Sign(_) => {}
            Self::Row(list)
            | Self::Product(list)
            | Self::Call { arguments: list, .. }
            | Self::Applied { arguments: list, .. }
            | Self::Matrix { entries: list, .. } => list.iter().for_each(visit),
            Self::Sum(terms) => terms.iter().for_each(|(_, term)| visit(term)),
            Self::Minus(a) | Self::Accent(_, a) | Self::Root(a) | Self::Magnitude(a) | Self::Not(a) => visit(a),
            Self::Fraction(a, b)
            | Self::Power(a, b)
            | Self::Subscript(a, b)
            | Self::Relation(_, a, b)
            | Self::And(a, b)
            | Self::Or(a, b) => {
                visit(a);
                visit(b);
            }
            Self::Choice { condition, then, otherwise } => {
                visit(condition);
                visit(then);
                visit(otherwise);
            }
        }
    }
}

/// How a function is differentiated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Derivative {
    /// By its only argument, so many times.
    Primes(usize),
    /// By some of several arguments: their names, and how many times.
    Partial(Vec<(String, usize)>),
}

impl Derivative {
    /// The total order, and each argument with its own, where it is a fraction of ∂s.
    pub(crate) fn partial(&self) -> Option<(usize, &[(String, usize)])> {
        match self {
            Self::Partial(by) if !by.is_empty() => Some((by.iter().map(|(_, order)| order).sum(), by)),
            _ => None,
        }
    }

    /// How many primes it has.
    pub(crate) fn primes(&self) -> usize {
        match self {
            Self::Primes(count) => *count,
            Self::Partial(_) => 0,
        }
    }

    /// About how many characters it adds to the name.
    pub(crate) fn width(&self) -> usize {
        let partial =
            |(_, by): (usize, &[(String, usize)])| by.iter().map(|(name, _)| name.len() + 2).sum::<usize>() + 5;
        self.primes() + self.partial().map_or(0, partial)
    }
}

/// What stands over a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accent {
    Bar,
    Hat,
    Tilde,
    Dot,
    Dots,
}

/// How tightly something holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Or,
    And,
    Not,
    Compare,
    Sum,
    Negative,
    Product,
    Power,
    Atom,
}

impl Formula {
    pub(crate) fn new(shape: Shape) -> Self {
        let mut depth = 0;
        shape.parts(|part| depth = depth.max(part.0.depth));
        Self(Arc::new(Inner { shape, depth: depth + 1 }))
    }

    pub(crate) fn shape(&self) -> &Shape {
        &self.0.shape
    }

    /// How many things are inside each other.
    pub(crate) fn depth(&self) -> usize {
        self.0.depth
    }

    /// What tells it from others while it lives.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// A name as models have them: `theta[3]'` becomes θ̇₃.
    pub fn name(name: &str) -> Self {
        Self::new(Shape::Name(name.to_string()))
    }

    /// An integer.
    pub fn integer(value: i64) -> Self {
        let positive = Self::new(Shape::Number(value.unsigned_abs().to_string()));
        if value < 0 { positive.minus() } else { positive }
    }

    /// Words, upright.
    pub fn words(words: &str) -> Self {
        Self::new(Shape::Words(words.to_string()))
    }

    /// A sign between other things, as Unicode has it: `=`, `≠`, `→`, `∈`, `,`.
    pub fn sign(sign: &str) -> Self {
        Self::new(Shape::Sign(sign.to_string()))
    }

    /// Things side by side.
    pub fn row(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::new(Shape::Row(parts.into_iter().collect()))
    }

    /// Terms with `+` between them, or `−` before a term that is [`Formula::minus`].
    pub fn sum(terms: impl IntoIterator<Item = Self>) -> Self {
        let mut terms: Vec<(bool, Self)> = terms
            .into_iter()
            .map(|term| match term.shape() {
                Shape::Minus(inside) => (true, inside.clone()),
                _ => (false, term),
            })
            .collect();
        match terms.pop() {
            None => Self::integer(0),
            Some((negative, only)) if terms.is_empty() => {
                if negative {
                    only.minus()
                } else {
                    only
                }
            }
            Some(last) => {
                terms.push(last);
                Self::new(Shape::Sum(terms))
            }
        }
    }

    /// Factors side by side, sums among them in parentheses.
    pub fn product(factors: impl IntoIterator<Item = Self>) -> Self {
        Self::new(Shape::Product(factors.into_iter().collect()))
    }

    /// A minus before it.
    #[must_use]
    pub fn minus(self) -> Self {
        Self::new(Shape::Minus(self))
    }

    /// A fraction.
    #[must_use]
    pub fn over(self, below: Self) -> Self {
        Self::new(Shape::Fraction(self, below))
    }

    /// Something raised beside it.
    #[must_use]
    pub fn power(self, exponent: Self) -> Self {
        Self::new(Shape::Power(self, exponent))
    }

    /// Something lowered beside it, after a comma where something is lowered already.
    #[must_use]
    pub fn subscript(self, below: Self) -> Self {
        match self.shape() {
            Shape::Subscript(base, before) => {
                let both = Self::row([before.clone(), Self::words(","), below]);
                Self::new(Shape::Subscript(base.clone(), both))
            }
            _ => Self::new(Shape::Subscript(self, below)),
        }
    }

    /// A square root.
    #[must_use]
    pub fn root(self) -> Self {
        Self::new(Shape::Root(self))
    }

    /// A bar over it.
    #[must_use]
    pub fn bar(self) -> Self {
        Self::new(Shape::Accent(Accent::Bar, self))
    }

    /// A hat over it.
    #[must_use]
    pub fn hat(self) -> Self {
        Self::new(Shape::Accent(Accent::Hat, self))
    }

    /// A tilde over it.
    #[must_use]
    pub fn tilde(self) -> Self {
        Self::new(Shape::Accent(Accent::Tilde, self))
    }

    /// A dot over it: its rate.
    #[must_use]
    pub fn dot(self) -> Self {
        Self::new(Shape::Accent(Accent::Dot, self))
    }

    /// Two dots over it.
    #[must_use]
    pub fn dots(self) -> Self {
        Self::new(Shape::Accent(Accent::Dots, self))
    }

    /// Its transpose.
    #[must_use]
    pub fn transposed(self) -> Self {
        self.power(Self::words("T"))
    }

    /// Its inverse.
    #[must_use]
    pub fn inverse(self) -> Self {
        self.power(Self::integer(-1))
    }

    /// Its pseudo-inverse.
    #[must_use]
    pub fn pseudo_inverse(self) -> Self {
        self.power(Self::sign("+"))
    }

    /// `self = right`
    #[must_use]
    pub fn equals(self, right: Self) -> Self {
        Self::row([self, Self::sign("="), right])
    }

    /// A function of names: F(x, t).
    pub fn applied(name: &str, arguments: &[String]) -> Self {
        let arguments = arguments.iter().map(|argument| Self::name(argument)).collect();
        Self::new(Shape::Applied { name: name.to_string(), derivative: Derivative::Primes(0), arguments })
    }

    /// A matrix, entries row by row. A vector has one column.
    pub fn matrix(columns: usize, entries: impl IntoIterator<Item = Self>) -> Self {
        Self::new(Shape::Matrix { columns: columns.max(1), entries: entries.into_iter().collect() })
    }

    /// A column.
    pub fn vector(entries: impl IntoIterator<Item = Self>) -> Self {
        Self::matrix(1, entries)
    }

    /// How tightly it holds together where fractions have a bar and choices a brace (`flat` is false), or where they are
    /// written on the line.
    pub(crate) fn level(&self, flat: bool) -> Level {
        match self.shape() {
            Shape::Row(parts) if parts.len() != 1 => Level::Or,
            Shape::Or(..) => Level::Or,
            Shape::And(..) => Level::And,
            Shape::Not(..) => Level::Not,
            Shape::Relation(..) => Level::Compare,
            Shape::Sum(_) => Level::Sum,
            // Nothing says where the choice ends.
            Shape::Choice { .. } if !flat => Level::Sum,
            Shape::Minus(_) => Level::Negative,
            // A bar holds a fraction together.
            Shape::Fraction(..) if !flat => Level::Power,
            // … and one of ∂s is no part of what follows it.
            Shape::Applied { derivative, .. } if !flat && derivative.partial().is_some() => Level::Power,
            Shape::Product(_) | Shape::Fraction(..) => Level::Product,
            Shape::Power(..) | Shape::Call { power: Some(_), .. } => Level::Power,
            Shape::Number(digits) if !flat && digits.contains('e') => Level::Power,
            Shape::Row(parts) => parts[0].level(flat),
            _ => Level::Atom,
        }
    }

    /// Whether a function needs no parentheses around it: sin θ.
    pub(crate) fn is_short(&self) -> bool {
        match self.shape() {
            Shape::Number(digits) => !digits.contains('e'),
            Shape::Name(_) | Shape::Pi => true,
            _ => false,
        }
    }
}

/// The factors of a product, each with whether it may be a function without parentheses: not where parentheses or a
/// number follow, which would be read as part of its argument.
pub(crate) fn factors(product: &[Formula]) -> impl Iterator<Item = (&Formula, bool)> {
    product.iter().enumerate().map(|(index, factor)| {
        let free = product.get(index + 1).is_none_or(|next| match next.shape() {
            Shape::Power(base, _) => base.level(false) == Level::Atom && !matches!(base.shape(), Shape::Number(_)),
            Shape::Number(_) => false,
            _ => next.level(false) >= Level::Power,
        });
        (factor, free)
    })
}

/// Whether a factor needs air around it: functions, and names of several letters.
pub(crate) fn spaced(factor: &Formula) -> bool {
    match factor.shape() {
        Shape::Call { .. } | Shape::Applied { .. } | Shape::Words(_) => true,
        Shape::Power(base, _) | Shape::Subscript(base, _) | Shape::Accent(_, base) => spaced(base),
        Shape::Name(name) => Name::parse(name).parts.last().is_some_and(|(stem, _)| stem.unicode().chars().count() > 1),
        _ => false,
    }
}

/// A fraction of two numbers, which as an exponent is better written with a slash: whether it is negative, and the two.
pub(crate) fn slashed(exponent: &Formula) -> Option<(bool, &str, &str)> {
    let (negative, inside) = match exponent.shape() {
        Shape::Minus(inside) => (true, inside),
        _ => (false, exponent),
    };
    let Shape::Fraction(above, below) = inside.shape() else { return None };
    match (above.shape(), below.shape()) {
        (Shape::Number(above), Shape::Number(below)) => Some((negative, above, below)),
        // −1 over 2, by hand.
        (Shape::Minus(above), Shape::Number(below)) => match above.shape() {
            Shape::Number(above) => Some((!negative, above, below)),
            _ => None,
        },
        _ => None,
    }
}

/// The terms of a sum, with those of sums among them that need no parentheses.
pub(crate) fn terms(sum: &[(bool, Formula)]) -> Vec<(bool, &Formula)> {
    let mut all = Vec::new();
    let mut open: Vec<(bool, &Formula)> = sum.iter().rev().map(|(minus, term)| (*minus, term)).collect();
    while let Some((minus, term)) = open.pop() {
        match term.shape() {
            Shape::Sum(inner) if !minus => open.extend(inner.iter().rev().map(|(minus, term)| (*minus, term))),
            _ => all.push((minus, term)),
        }
    }
    all
}

/// What a function is called on paper.
pub(crate) fn function_name(function: &str) -> &str {
    match function {
        "asin" => "arcsin",
        "acos" => "arccos",
        "atan" => "arctan",
        "log" => "ln",
        "sign" => "sgn",
        other => other,
    }
}

/// The two parts of a number with a power of ten, one digit before the point; the first is absent where it is 1.
pub(crate) fn scientific(digits: &str) -> Option<(Option<String>, String)> {
    let (mantissa, exponent) = digits.split_once('e')?;
    let (whole, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent = exponent.parse::<i64>().ok()? + whole.len() as i64 - 1;
    let (first, after) = whole.split_at_checked(1)?;
    let after = format!("{after}{rest}");
    let mantissa = match (first, after.trim_end_matches('0')) {
        ("1", "") => None,
        (first, "") => Some(first.to_string()),
        (first, after) => Some(format!("{first}.{after}")),
    };
    Some((mantissa, exponent.to_string()))
}
