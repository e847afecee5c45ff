//! Statements → text: the keyword, and after it the items as they are written.

use super::super::source::Span;
use super::super::syntax::*;
use super::expression::print_expression;
use super::pen::Pen;

/// Breaks after `->`.
const ARROW: u32 = 1;
/// Breaks after `=` and before words such as `within`.
const CLAUSE: u32 = 2;

impl Pen<'_> {
    /// A statement; of an inline part, its head.
    pub fn statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Title(title) => {
                self.keyword("title");
                self.text(title);
            }
            StatementKind::Param(items) => self.items("param", items, Self::definition),
            StatementKind::Coord(items) => self.items("coord", items, Self::coordinate),
            StatementKind::Let(items) => self.items("let", items, Self::definition),
            StatementKind::Table(items) => self.items("table", items, Self::table),
            StatementKind::Function(items) => self.items("function", items, Self::function),
            StatementKind::Kinetic(items) => self.items("kinetic", items, Self::expression),
            StatementKind::Potential(items) => self.items("potential", items, Self::expression),
            StatementKind::Lagrangian(items) => self.items("lagrangian", items, Self::expression),
            StatementKind::Dissipation(items) => self.items("dissipation", items, Self::expression),
            StatementKind::Gravity(value) => self.items("gravity", [value], Self::expression),
            StatementKind::Particle(items) => self.items("particle", items, Self::particle),
            StatementKind::Body(item) => self.items("body", [item], Self::body),
            StatementKind::Frame(item) => self.items("frame", [item], Self::frame),
            StatementKind::Joint(item) => self.items("joint", [item], Self::joint),
            StatementKind::Drive(item) => self.items("drive", [item], Self::drive),
            StatementKind::Spring(item) => self.items("spring", [item], Self::element),
            StatementKind::Damper(item) => self.items("damper", [item], Self::element),
            StatementKind::Torque(items) => self.items("torque", items, Self::force),
            StatementKind::Formulation(word) => {
                self.keyword("formulation");
                self.at(word.span);
                self.text(&word.text);
            }
            StatementKind::Mass(value) => self.items("mass", [value], Self::expression),
            StatementKind::Force(items) => self.items("force", items, Self::force),
            StatementKind::Constraint(item) => self.items("constraint", [item], Self::constraint),
            StatementKind::Stop(item) => self.items("stop", [item], Self::stop),
            StatementKind::Connect(item) => self.items("connect", [item], Self::constraint),
            StatementKind::Nonideal(item) => self.items("nonideal", [item], Self::nonideal),
            StatementKind::Friction(item) => self.items("friction", [item], Self::friction),
            StatementKind::Hidden => {
                self.keyword("hidden");
                self.text("find");
            }
            StatementKind::Free(items) if items.is_empty() => {
                self.keyword("free");
                self.text("zero");
            }
            StatementKind::Free(items) => self.items("free", items, Self::start),
            StatementKind::Start(items) => self.items("start", items, Self::start),
            StatementKind::Assemble => self.text("assemble"),
            StatementKind::Run(items) => self.items("run", items, Self::run),
            StatementKind::Output(items) => self.items("output", items, Self::output),
            StatementKind::Event(item) => self.items("event", [item], Self::event),
            StatementKind::Expect(items) => self.expectations(items),
            StatementKind::Draw(item) => self.draw(item),
            StatementKind::Part(item) => self.items("part", [item], Self::part),
            StatementKind::Broken => self.broken = true,
        }
    }

    fn keyword(&mut self, keyword: &str) {
        self.text(keyword);
        self.pad_keyword();
    }

    fn items<'i, T: 'i>(
        &mut self,
        keyword: &str,
        items: impl IntoIterator<Item = &'i T>,
        mut item: impl FnMut(&mut Self, &T),
    ) {
        self.keyword(keyword);
        self.commas(items, &mut item);
    }

    fn commas<'i, T: 'i>(&mut self, items: impl IntoIterator<Item = &'i T>, item: &mut impl FnMut(&mut Self, &T)) {
        for (which, value) in items.into_iter().enumerate() {
            if which > 0 {
                self.comma();
            }
            item(self, value);
        }
    }

    pub(crate) fn equals(&mut self, sign: &str, value: &Expr) {
        self.blank();
        self.text(sign);
        self.blank();
        self.may_break(CLAUSE);
        self.expression(value);
    }

    pub(crate) fn colon(&mut self) {
        self.text(":");
        self.blank();
    }

    /// A word between blanks that a line may begin with, and what follows it: comments come before both.
    pub(crate) fn word(&mut self, word: &str, next: Span) {
        self.at(next);
        self.blank();
        self.may_break(CLAUSE);
        self.text(word);
        self.blank();
    }

    fn definition(&mut self, item: &Definition) {
        self.target(&item.target);
        if !item.arguments.is_empty() {
            let names: Vec<&str> = item.arguments.iter().map(|argument| argument.text.as_str()).collect();
            self.text(&format!("({})", names.join(", ")));
        }
        self.equals("=", &item.value);
    }

    fn coordinate(&mut self, item: &CoordItem) {
        self.target(&item.target);
        if let Some(unit) = &item.unit {
            self.colon();
            self.at(unit.span);
            self.unit(unit);
        }
    }

    pub(crate) fn settings(&mut self, settings: &[Setting]) {
        for setting in settings {
            self.comma();
            self.setting(setting);
        }
    }

    pub(crate) fn setting(&mut self, setting: &Setting) {
        self.at(setting.span);
        self.text(&setting.name.text);
        self.equals("=", &setting.value);
    }

    fn table(&mut self, item: &TableItem) {
        self.target(&item.target);
        self.text(" = ");
        self.path(&item.path);
        self.settings(&item.options);
    }

    fn function(&mut self, item: &FunctionItem) {
        self.target(&item.target);
        let arguments: Vec<String> = item.arguments.iter().map(print_expression).collect();
        self.text(&format!("({})", arguments.join(", ")));
        if let Some(unit) = &item.unit {
            self.colon();
            self.at(unit.span);
            self.unit(unit);
        }
    }

    fn particle(&mut self, item: &ParticleItem) {
        self.target(&item.target);
        self.colon();
        self.expression(&item.mass);
        match &item.place {
            ParticlePlace::At(point) => {
                self.word("at", point.span);
                self.expression(point);
            }
            ParticlePlace::Plane(_) => self.text(" in plane"),
            ParticlePlace::Space(_) => self.text(" in space"),
        }
    }

    fn force(&mut self, item: &ForceItem) {
        match &item.on {
            Some(ForceTarget::Named(target)) => self.target(target),
            Some(ForceTarget::Point(point)) => self.expression(point),
            None => return self.expression(&item.value),
        }
        self.colon();
        self.expression(&item.value);
    }

    fn constraint(&mut self, item: &ConstraintItem) {
        self.target(&item.target);
        self.colon();
        self.expression(&item.left);
        self.equals(item.sign.text(), &item.right);
        self.one_sided(item.restitution.as_ref(), item.off);
    }

    fn stop(&mut self, item: &StopItem) {
        self.target(&item.target);
        self.colon();
        self.bound(&item.value);
        self.word("in", item.low.span);
        self.range(&item.low, &item.high);
        self.one_sided(item.restitution.as_ref(), item.off);
    }

    /// What follows the sides of a constraint.
    fn one_sided(&mut self, restitution: Option<&Expr>, off: bool) {
        if let Some(restitution) = restitution {
            self.comma();
            self.restitution(restitution);
        }
        self.flag("off", off);
    }

    /// A word after a comma, where it is set.
    pub(crate) fn flag(&mut self, word: &str, set: bool) {
        if set {
            self.comma();
            self.text(word);
        }
    }

    fn restitution(&mut self, restitution: &Expr) {
        self.at(restitution.span);
        self.text("restitution");
        self.equals("=", restitution);
    }

    fn nonideal(&mut self, item: &NonidealItem) {
        if let Some(target) = &item.target {
            self.target(target);
        }
        if let Some(point) = &item.on {
            self.at(point.span);
            self.blank();
            self.text("on");
            self.blank();
            self.expression(point);
        }
        if item.target.is_some() || item.on.is_some() {
            self.colon();
        }
        self.expression(&item.value);
    }

    fn friction(&mut self, item: &FrictionItem) {
        self.target(&item.target);
        self.colon();
        self.expression(&item.law);
        self.settings(&item.options);
    }

    fn start(&mut self, item: &StartItem) {
        self.target(&item.target);
        self.equals(if item.guess { "~" } else { "=" }, &item.value);
    }

    fn run(&mut self, item: &RunItem) {
        let (word, value) = match item {
            RunItem::Until(value) => ("until", value),
            RunItem::Every(value) => ("every", value),
            RunItem::At(value) => ("at", value),
            RunItem::Setting(setting) => return self.setting(setting),
        };
        self.at(value.span);
        self.text(word);
        self.blank();
        self.expression(value);
    }

    fn output(&mut self, item: &OutputItem) {
        self.target(&item.target);
        self.colon();
        self.expression(&item.value);
    }

    fn event(&mut self, item: &EventItem) {
        self.target(&item.target);
        self.colon();
        match &item.condition {
            Condition::Becomes(condition) => self.expression(condition),
            Condition::Passes(value, direction) => {
                self.expression(value);
                self.text(match direction {
                    Direction::Rises => " rises",
                    Direction::Falls => " falls",
                    Direction::Crosses => " crosses",
                });
            }
            Condition::Contact(constraint, change) => {
                self.expression(constraint);
                self.blank();
                self.text(change.text());
            }
        }
        self.text(" ->");
        self.blank();
        self.may_break(ARROW);
        self.commas(&item.actions, &mut Self::action);
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Stop(span) => {
                self.at(*span);
                self.text("stop");
            }
            Action::Record(span) => {
                self.at(*span);
                self.text("record");
            }
            Action::Drop(target) => {
                self.at(target.span);
                self.text("drop ");
                self.target(target);
            }
            Action::Add(target) => {
                self.at(target.span);
                self.text("add ");
                self.target(target);
            }
            Action::Set(item) => {
                self.at(item.target.span);
                self.text("set ");
                self.start(item);
            }
            Action::Impact { target, restitution, .. } => {
                self.at(target.span);
                self.text("impact ");
                self.target(target);
                if let Some(restitution) = restitution {
                    self.comma();
                    self.restitution(restitution);
                }
            }
        }
    }

    /// `at start` holds for all items after it, so that those without it come first.
    fn expectations(&mut self, items: &[ExpectItem]) {
        if items.is_sorted_by_key(|item| item.at_start) {
            return self.items("expect", items, Self::expect);
        }
        let mut items = items.to_vec();
        items.sort_by_key(|item| item.at_start);
        self.items("expect", &items, Self::expect);
    }

    fn expect(&mut self, item: &ExpectItem) {
        self.at(item.span);
        if let Some(target) = &item.target {
            self.target(target);
            self.colon();
        }
        if item.at_start {
            self.text("at start");
            self.blank();
        }
        match &item.claim {
            Claim::Equal(left, right) => {
                self.expression(left);
                self.equals("=", right);
            }
            Claim::Constant(value) => {
                self.text("constant");
                self.blank();
                // `constant -x` would be a difference.
                self.operand(value, !print_expression(value).starts_with(['-', '[', '"']));
            }
            Claim::True(claim) => self.expression(claim),
        }
        if let Some(within) = &item.within {
            self.word("within", within.span);
            self.expression(within);
        }
    }

    fn draw(&mut self, item: &DrawItem) {
        self.text("draw");
        self.family(&item.binders, item.condition.as_ref());
        self.pad_keyword();
        self.at(item.shape.span);
        self.text(&item.shape.text);
        for (which, argument) in item.arguments.iter().enumerate() {
            self.blank();
            // A line that begins with two names could be taken for a statement.
            if !matches!(argument.kind, ExprKind::Name(_)) {
                self.may_break(CLAUSE);
            }
            self.drawn(argument, which + 1 == item.arguments.len());
        }
        self.settings(&item.options);
    }

    fn part(&mut self, item: &PartItem) {
        self.target(&item.target);
        if let PartSource::File(path) = &item.source {
            self.text(" = ");
            self.path(path);
        }
        if let Some(first) = item.with.first() {
            self.word("with", first.span);
            self.commas(&item.with, &mut Self::definition);
        }
        self.placement(&item.placement, true);
    }
}
