//! Random documents for tests: every kind of statement, and expressions that need parentheses in every way.

use super::source::Span;
use super::syntax::*;
use holonom_random::Random;

/// Writes a document by chance, the same for the same seed.
pub(super) struct Author(Random);

const NAMES: [&str; 14] = ["x", "y", "m", "s", "kg", "N", "theta", "p", "arm", "mass", "start", "μ", "x₁", "e"];
const NUMBERS: [&str; 8] = ["0", "1", "2.50", "1e-9", ".5", "5.", "12", "3E+2"];
const UNITS: [&str; 6] = ["kg", "m", "s", "mm", "deg", "N"];
const FUNCTIONS: [&str; 5] = ["sin", "atan2", "norm", "energy", "arm.f"];

fn at(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

fn ident(text: &str) -> Ident {
    Ident { text: text.to_string(), span: Span::default() }
}

impl Author {
    pub fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0.index(bound)
    }

    pub fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.coin() { Some(make(self)) } else { None }
    }

    fn some<T>(&mut self, least: usize, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..least + self.below(most - least + 1)).map(|_| make(self)).collect()
    }

    fn name(&mut self) -> Ident {
        ident(self.one_of(&NAMES))
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
    fn applied(&mut self, depth: usize) -> ExprKind {
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

    fn list(&mut self) -> Expr {
        at(ExprKind::List(self.some(1, 3, |r| r.value(1))))
    }

    fn binder(&mut self, named: bool, depth: usize) -> Binder {
        let name = if named || self.coin() { Some(self.name()) } else { None };
        let (from, to) = (Box::new(self.value(depth)), Box::new(self.value(depth)));
        Binder { name, from, to, span: Span::default() }
    }

    fn step(&mut self) -> TargetStep {
        let indices = self
            .some(0, 2, |r| if r.coin() { TargetIndex::At(r.value(1)) } else { TargetIndex::Over(r.binder(false, 1)) });
        TargetStep { name: self.name(), indices }
    }

    fn target(&mut self, dots: bool, primes: bool) -> Target {
        let steps = self.some(1, if dots { 3 } else { 1 }, Self::step);
        let indexed = steps.iter().any(|step| !step.indices.is_empty());
        let condition = if indexed { self.maybe(|r| Box::new(r.condition(2))) } else { None };
        let primes = if primes { self.below(3) as u8 } else { 0 };
        Target { steps, condition, primes, span: Span::default() }
    }

    fn declared(&mut self) -> Target {
        self.target(false, false)
    }

    /// A coordinate; `x[m]` without a colon would be read as a coordinate in metres.
    fn coordinate(&mut self) -> CoordItem {
        let (mut target, unit) = (self.declared(), self.maybe(Self::unit));
        for step in &mut target.steps {
            if let ([TargetIndex::At(index)], None) = (&mut step.indices[..], &unit)
                && let ExprKind::Name(_) = index.kind
            {
                index.kind = ExprKind::Number("1".to_string());
            }
        }
        CoordItem { target, unit, span: Span::default() }
    }

    fn named(&mut self) -> Target {
        self.target(true, false)
    }

    fn settings(&mut self) -> Vec<Setting> {
        // Each name once: an object of JSON cannot say one twice.
        let words = ["slip", "normal", "color"];
        let (skip, count) = (self.below(2), self.below(3));
        let names = words.iter().skip(skip).take(count);
        names.map(|name| Setting { name: ident(name), value: self.value(2), span: Span::default() }).collect()
    }

    fn call(&mut self, names: &[&str]) -> Expr {
        let name = ident(self.one_of(names));
        at(ExprKind::Call(name, self.some(0, 2, |r| r.value(2))))
    }

    /// Clauses of a placement, each once, in any order.
    fn placement(&mut self, least: usize) -> Vec<PlaceClause> {
        let mut kinds = [0, 1, 2, 3, 4];
        for last in (1..kinds.len()).rev() {
            kinds.swap(last, self.below(last + 1));
        }
        let count = least + self.below(kinds.len() + 1 - least);
        kinds[..count].iter().map(|kind| self.place(*kind)).collect()
    }

    fn place(&mut self, kind: usize) -> PlaceClause {
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

    fn body(&mut self) -> BodyItem {
        let (target, span) = (self.declared(), Span::default());
        let shape = self.maybe(|r| r.call(&["rod", "box", "arm.f"]));
        let mass = if shape.is_some() { self.maybe(|r| r.value(2)) } else { None };
        let options = self.settings();
        let placement = self.placement(usize::from(shape.is_none() && options.is_empty()));
        BodyItem { target, shape, mass, options, placement, span }
    }

    fn joint(&mut self) -> JointItem {
        let (target, kind) = (self.declared(), ident(self.one_of(&["hinge", "ball", "gear", "m"])));
        let (ends, at) = (self.some(0, 2, |r| r.value(2)), self.maybe(|r| r.value(2)));
        let along = self.maybe(|r| (r.value(2), r.value(2)));
        let (axis, options) = (self.some(0, 2, |r| r.value(2)), self.settings());
        let (off, cut) = (self.coin(), self.coin());
        JointItem { target, kind, ends, at, along, axis, options, off, cut, span: Span::default() }
    }

    fn element(&mut self) -> ElementItem {
        let (target, value, mut options) = (self.declared(), self.value(3), self.settings());
        if options.is_empty() {
            options.push(Setting { name: ident("stiffness"), value: self.value(2), span: Span::default() });
        }
        ElementItem { target, value, options, span: Span::default() }
    }

    /// What a force or a torque acts on.
    fn force_target(&mut self) -> ForceTarget {
        let boxed = |r: &mut Self| Box::new(r.value(1));
        ForceTarget::Point(match self.below(5) {
            0 | 1 => return ForceTarget::Named(self.named()),
            2 => at(ExprKind::Tuple(self.some(2, 3, |r| r.value(2)))),
            3 => self.call(&["distance"]),
            _ if self.coin() => at(ExprKind::On(boxed(self), boxed(self))),
            _ => at(self.applied(1)),
        })
    }

    fn definition(&mut self, arguments: bool) -> Definition {
        let target = self.declared();
        let arguments = if arguments { self.some(0, 2, Self::name) } else { vec![] };
        Definition { target, arguments, value: self.value(3), span: Span::default() }
    }

    fn text(&mut self) -> Text {
        let text = self.one_of(&["a.csv", "data/ä b.holo", "it's # one"]).to_string();
        Text { text, span: Span::default() }
    }

    fn start(&mut self, guess: bool) -> StartItem {
        let guess = guess && self.coin();
        StartItem { target: self.target(true, true), guess, value: self.value(2), span: Span::default() }
    }

    fn constraint(&mut self) -> ConstraintItem {
        let (left, right) = (self.value(3), self.value(2));
        let (target, off) = (self.declared(), self.coin());
        let (sign, restitution) = (Sign::Equal, None);
        ConstraintItem { target, left, sign, right, restitution, off, span: Span::default() }
    }

    fn one_sided(&mut self) -> ConstraintItem {
        let sign = if self.coin() { Sign::AtLeast } else { Sign::AtMost };
        let restitution = self.maybe(|r| r.value(2));
        ConstraintItem { sign, restitution, ..self.constraint() }
    }

    fn stop(&mut self) -> StopItem {
        let (value, low, high) = (self.value(3), self.value(2), self.value(2));
        let (target, restitution, off) = (self.declared(), self.maybe(|r| r.value(2)), self.coin());
        StopItem { target, value, low, high, restitution, off, span: Span::default() }
    }

    fn action(&mut self) -> Action {
        match self.below(6) {
            0 => Action::Stop(Span::default()),
            1 => Action::Record(Span::default()),
            2 => Action::Drop(self.named()),
            3 => Action::Add(self.named()),
            4 => Action::Set(self.start(false)),
            _ => {
                let (target, restitution) = (self.named(), self.maybe(|r| r.value(1)));
                Action::Impact { target, restitution, span: Span::default() }
            }
        }
    }

    fn expect(&mut self) -> ExpectItem {
        let target = self.maybe(Self::declared);
        let claim = match self.below(3) {
            0 => Claim::Equal(self.value(2), self.value(2)),
            1 => Claim::Constant(self.value(2)),
            _ => Claim::True(self.condition(2)),
        };
        ExpectItem { target, at_start: self.coin(), claim, within: self.maybe(|r| r.value(1)), span: Span::default() }
    }

    pub fn statement(&mut self, depth: usize) -> Statement {
        let span = Span::default();
        let kind = match self.below(if depth == 0 { 37 } else { 38 }) {
            0 => StatementKind::Title(self.one_of(&["A: b, \"c\"", "x = 1", "Ünï 'q' (2005, eq. 26)"]).to_string()),
            1 => StatementKind::Param(self.some(1, 4, |r| r.definition(false))),
            2 => StatementKind::Coord(self.some(1, 4, Self::coordinate)),
            3 => StatementKind::Let(self.some(1, 3, |r| r.definition(true))),
            4 => StatementKind::Table(self.some(1, 2, |r| {
                let (target, path) = (r.declared(), r.text());
                TableItem { target, path, options: r.settings(), span }
            })),
            5 => StatementKind::Kinetic(self.some(1, 3, |r| r.value(4))),
            6 => StatementKind::Potential(self.some(1, 3, |r| r.value(4))),
            7 => StatementKind::Lagrangian(self.some(1, 3, |r| r.value(4))),
            8 => StatementKind::Dissipation(self.some(1, 3, |r| r.value(4))),
            9 => StatementKind::Gravity(self.value(3)),
            10 => StatementKind::Particle(self.some(1, 3, |r| {
                let place = match r.below(3) {
                    0 => ParticlePlace::Plane(span),
                    1 => ParticlePlace::Space(span),
                    _ => ParticlePlace::At(r.value(3)),
                };
                ParticleItem { target: r.declared(), mass: r.value(2), place, span }
            })),
            11 => StatementKind::Mass(self.list()),
            12 => StatementKind::Force(self.some(1, 3, |r| match r.below(3) {
                0 => ForceItem { on: None, value: r.list(), span },
                _ => ForceItem { on: Some(r.force_target()), value: r.value(3), span },
            })),
            13 => StatementKind::Constraint(self.constraint()),
            14 => StatementKind::Connect(self.constraint()),
            15 => StatementKind::Nonideal(match self.below(2) {
                0 => NonidealItem { target: None, on: None, value: self.list(), span },
                _ => {
                    let target = Some(self.named());
                    NonidealItem { target, on: self.maybe(|r| r.value(2)), value: self.value(2), span }
                }
            }),
            16 => {
                let (target, law) = (self.named(), self.value(2));
                StatementKind::Friction(FrictionItem { target, law, options: self.settings(), span })
            }
            17 => StatementKind::Hidden,
            18 => StatementKind::Free(self.some(0, 3, |r| r.start(false))),
            19 => StatementKind::Start(self.some(1, 3, |r| r.start(true))),
            20 => StatementKind::Assemble,
            21 => {
                let mut items = vec![RunItem::Until(self.value(1))];
                items.extend(self.maybe(|r| RunItem::Every(r.value(1))));
                items.extend(self.maybe(|r| RunItem::At(r.list())));
                items.extend(self.settings().into_iter().map(RunItem::Setting));
                StatementKind::Run(items)
            }
            22 => StatementKind::Output(self.some(1, 3, |r| {
                let target = r.declared();
                OutputItem { target, value: r.value(3), span }
            })),
            23 => {
                let directions = [Direction::Rises, Direction::Falls, Direction::Crosses];
                let condition = match self.below(4) {
                    0 => Condition::Becomes(self.condition(3)),
                    1 => Condition::Contact(self.value(1), Change::Catches),
                    2 => Condition::Contact(self.value(1), Change::LetsGo),
                    _ => Condition::Passes(self.value(3), directions[self.below(3)]),
                };
                let actions = self.some(1, 3, Self::action);
                StatementKind::Event(EventItem { target: self.declared(), condition, actions, span })
            }
            24 => {
                // `at start` holds for all items after it.
                let mut items = self.some(1, 3, Self::expect);
                items.sort_by_key(|item| item.at_start);
                StatementKind::Expect(items)
            }
            25 => {
                let binders = self.some(0, 2, |r| r.binder(false, 1));
                let condition = if binders.is_empty() { None } else { self.maybe(|r| r.condition(1)) };
                let (shape, arguments) = (ident(self.one_of(&["line", "point"])), self.some(1, 3, |r| r.value(2)));
                StatementKind::Draw(DrawItem { binders, condition, shape, arguments, options: self.settings(), span })
            }
            26 => StatementKind::Constraint(self.one_sided()),
            27 => StatementKind::Stop(self.stop()),
            28 => StatementKind::Function(self.some(1, 2, |r| {
                let (target, arguments) = (r.declared(), r.some(1, 3, |r| r.value(0)));
                FunctionItem { target, arguments, unit: r.maybe(Self::unit), span }
            })),
            29 => StatementKind::Body(self.body()),
            30 => {
                let (target, on) = (self.declared(), self.value(2));
                StatementKind::Frame(FrameItem { target, on, placement: self.placement(1), span })
            }
            31 => StatementKind::Joint(self.joint()),
            32 => {
                let (target, value, motion) = (self.declared(), self.value(3), self.value(3));
                StatementKind::Drive(DriveItem { target, value, motion, off: self.coin(), span })
            }
            33 => StatementKind::Spring(self.element()),
            34 => StatementKind::Damper(self.element()),
            35 => StatementKind::Torque(self.some(1, 3, |r| {
                let on = Some(r.force_target());
                ForceItem { on, value: r.value(3), span }
            })),
            36 => StatementKind::Formulation(self.name()),
            _ => {
                let target = self.declared();
                let placement = self.placement(0);
                let (source, with) = match self.below(2) {
                    0 => (PartSource::File(self.text()), self.some(0, 2, |r| r.definition(false))),
                    _ => (PartSource::Inline(self.some(1, 3, |r| r.statement(depth - 1))), vec![]),
                };
                StatementKind::Part(PartItem { target, source, with, placement, span })
            }
        };
        Statement { kind, keyword: span, span }
    }

    pub fn document(&mut self) -> Document {
        Document { statements: self.some(1, 8, |r| r.statement(2)), comments: vec![] }
    }
}
