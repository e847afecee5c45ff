//! Random documents for tests: every kind of statement, and expressions that need parentheses in every way.

use super::source::Span;
use super::statement::RANDOM;
use super::syntax::*;
use holonom_random::Random;

/// Writes a document by chance, the same for the same seed.
pub(super) struct Author {
    random: Random,
    /// How deep parts may still be nested.
    parts: usize,
}

const NAMES: [&str; 14] = ["x", "y", "m", "s", "kg", "N", "theta", "p", "arm", "mass", "start", "μ", "x₁", "e"];
const NUMBERS: [&str; 8] = ["0", "1", "2.50", "1e-9", ".5", "5.", "12", "3E+2"];
const UNITS: [&str; 6] = ["kg", "m", "s", "mm", "deg", "N"];
const FUNCTIONS: [&str; 5] = ["sin", "atan2", "norm", "energy", "arm.f"];

pub(super) fn at(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

fn ident(text: &str) -> Ident {
    Ident { text: text.to_string(), span: Span::default() }
}

impl Author {
    pub fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), parts: 2 }
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.random.index(bound)
    }

    pub fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    pub fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    pub fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.coin() { Some(make(self)) } else { None }
    }

    pub fn some<T>(&mut self, least: usize, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..least + self.below(most - least + 1)).map(|_| make(self)).collect()
    }

    pub fn name(&mut self) -> Ident {
        ident(self.one_of(&NAMES))
    }

    /// One of these words as a name.
    pub fn word(&mut self, words: &[&str]) -> Ident {
        ident(self.one_of(words))
    }

    pub fn unit(&mut self) -> Unit {
        let factors = self.some(1, 3, |r| {
            let power = [-3, -2, -1, 1, 2, 3][r.below(6)];
            UnitFactor { name: ident(r.one_of(&UNITS)), power }
        });
        Unit { factors, span: Span::default() }
    }

    /// An expression of a number or a vector.
    pub fn value(&mut self, depth: usize) -> Expr {
        let number = |r: &mut Self| r.one_of(&NUMBERS).to_string();
        let boxed = |r: &mut Self| Box::new(r.value(depth - 1));
        at(match if depth == 0 { self.below(4) } else { self.below(19) } {
            0 => ExprKind::Number(number(self)),
            1 => ExprKind::Quantity(number(self), self.unit()),
            2 | 3 => ExprKind::Name(self.name().text),
            4 => {
                let base = ExprKind::Name(self.name().text);
                let base = if self.coin() { base } else { ExprKind::Member(Box::new(at(base)), self.name()) };
                ExprKind::Index(Box::new(at(base)), self.some(1, 2, |r| r.value(depth - 1)))
            }
            5 => ExprKind::Member(boxed(self), self.name()),
            6 => ExprKind::Prime(boxed(self), 1 + self.below(2) as u8),
            7 => ExprKind::Call(ident(self.one_of(&FUNCTIONS)), self.some(0, 2, |r| r.value(depth - 1))),
            8 => {
                let mut arguments = vec![self.condition(depth - 1)];
                arguments.extend(self.some(2, 2, |r| r.value(depth - 1)));
                ExprKind::Call(ident("if"), arguments)
            }
            9 | 10 => ExprKind::Power(boxed(self), boxed(self)),
            11 => ExprKind::Negate(boxed(self)),
            12 => {
                let op = |r: &mut Self| if r.coin() { ProductOp::Times } else { ProductOp::Over };
                ExprKind::Product(boxed(self), self.some(1, 3, |r| (op(r), r.value(depth - 1))))
            }
            13 => {
                let op = |r: &mut Self| if r.coin() { SumOp::Plus } else { SumOp::Minus };
                ExprKind::Sum(boxed(self), self.some(1, 3, |r| (op(r), r.value(depth - 1))))
            }
            14 => {
                let binders = self.some(1, 2, |r| r.binder(true, depth - 1));
                let condition = self.maybe(|r| r.condition(depth - 1));
                ExprKind::Total(Box::new(Total { binders, condition, body: self.value(depth - 1) }))
            }
            15 => ExprKind::Paren(boxed(self)),
            16 => ExprKind::On(boxed(self), boxed(self)),
            17 => self.applied(depth - 1),
            _ => ExprKind::Tuple(self.some(2, 3, |r| r.value(depth - 1))),
        })
    }

    /// A call of a member of a family, or of what belongs to one.
    pub fn applied(&mut self, depth: usize) -> ExprKind {
        let name = at(ExprKind::Name(self.name().text));
        let indexed = at(ExprKind::Index(Box::new(name), self.some(1, 2, |r| r.value(depth))));
        let callee = if self.coin() { indexed } else { at(ExprKind::Member(Box::new(indexed), self.name())) };
        ExprKind::Apply(Box::new(callee), self.some(0, 2, |r| r.value(depth)))
    }

    /// Something that is true or false.
    pub fn condition(&mut self, depth: usize) -> Expr {
        let ops = [CompareOp::Less, CompareOp::LessEqual, CompareOp::Greater, CompareOp::GreaterEqual];
        at(match if depth == 0 { 0 } else { self.below(5) } {
            0 | 1 => {
                let both = (self.value(depth.saturating_sub(1)), self.value(depth.saturating_sub(1)));
                ExprKind::Compare(ops[self.below(4)], Box::new(both.0), Box::new(both.1))
            }
            2 => ExprKind::Not(Box::new(self.condition(depth - 1))),
            3 => ExprKind::And(self.some(2, 3, |r| r.condition(depth - 1))),
            _ => ExprKind::Or(self.some(2, 3, |r| r.condition(depth - 1))),
        })
    }

    pub fn list(&mut self) -> Expr {
        at(ExprKind::List(self.some(1, 3, |r| r.value(1))))
    }

    pub fn binder(&mut self, named: bool, depth: usize) -> Binder {
        let name = if named || self.coin() { Some(self.name()) } else { None };
        let (from, to) = (Box::new(self.value(depth)), Box::new(self.value(depth)));
        Binder { name, from, to, span: Span::default() }
    }

    pub fn step(&mut self) -> TargetStep {
        let indices = self
            .some(0, 2, |r| if r.coin() { TargetIndex::At(r.value(1)) } else { TargetIndex::Over(r.binder(false, 1)) });
        TargetStep { name: self.name(), indices }
    }

    pub fn target(&mut self, dots: bool, primes: bool) -> Target {
        let steps = self.some(1, if dots { 3 } else { 1 }, Self::step);
        let indexed = steps.iter().any(|step| !step.indices.is_empty());
        let condition = if indexed { self.maybe(|r| Box::new(r.condition(2))) } else { None };
        let primes = if primes { self.below(3) as u8 } else { 0 };
        Target { steps, condition, primes, span: Span::default() }
    }

    pub fn declared(&mut self) -> Target {
        self.target(false, false)
    }

    pub fn named(&mut self) -> Target {
        self.target(true, false)
    }

    pub fn settings(&mut self) -> Vec<Setting> {
        // Each name once: an object of JSON cannot say one twice.
        let words = ["slip", "normal", "color"];
        let (skip, count) = (self.below(2), self.below(3));
        let names = words.iter().skip(skip).take(count);
        names.map(|name| Setting { name: ident(name), value: self.value(2), span: Span::default() }).collect()
    }

    pub fn call(&mut self, names: &[&str]) -> Expr {
        let name = ident(self.one_of(names));
        at(ExprKind::Call(name, self.some(0, 2, |r| r.value(2))))
    }

    /// Clauses of a placement, each once, in any order.
    pub fn placement(&mut self, least: usize) -> Vec<PlaceClause> {
        let mut kinds = [0, 1, 2, 3, 4];
        for last in (1..kinds.len()).rev() {
            kinds.swap(last, self.below(last + 1));
        }
        let count = least + self.below(kinds.len() + 1 - least);
        kinds[..count].iter().map(|kind| self.place(*kind)).collect()
    }

    pub fn place(&mut self, kind: usize) -> PlaceClause {
        match kind {
            0 => PlaceClause::At(self.value(2)),
            1 => PlaceClause::Along(self.value(2), self.value(2)),
            2 => PlaceClause::Up(self.value(2)),
            3 => PlaceClause::Turned(self.some(1, 3, |r| Turn {
                axis: r.value(2),
                angle: r.value(2),
                span: Span::default(),
            })),
            _ => PlaceClause::Axes(self.value(2), self.value(2)),
        }
    }

    pub fn text(&mut self) -> Text {
        let text = self.one_of(&["a.csv", "data/ä b.holo", "it's # one"]).to_string();
        Text { text, span: Span::default() }
    }

    pub fn statement(&mut self) -> Statement {
        let nested = self.parts > 0;
        let possible: Vec<_> = RANDOM.iter().filter(|(keyword, _)| nested || *keyword != "part").collect();
        let (_, draw) = possible[self.below(possible.len())];
        Statement { kind: draw(self), keyword: Span::default(), span: Span::default() }
    }

    /// The statements of an inline part.
    pub fn inner_statements(&mut self) -> Vec<Statement> {
        self.parts -= 1;
        let inner = self.some(1, 3, Self::statement);
        self.parts += 1;
        inner
    }

    pub fn document(&mut self) -> Document {
        Document { statements: self.some(1, 8, Self::statement), comments: vec![] }
    }
}
