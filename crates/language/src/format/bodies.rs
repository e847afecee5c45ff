//! Bodies, frames, joints and what acts on them → text.

use super::super::syntax::*;
use super::pen::Pen;

impl Pen<'_> {
    pub(crate) fn body(&mut self, item: &BodyItem) {
        self.target(&item.target);
        self.colon();
        let mut comma = false;
        if let Some(shape) = &item.shape {
            self.expression(shape);
            comma = true;
        }
        if let Some(mass) = &item.mass {
            self.word("of", mass.span);
            self.expression(mass);
        }
        for setting in &item.options {
            if std::mem::replace(&mut comma, true) {
                self.comma();
            }
            self.setting(setting);
        }
        self.placement(&item.placement, comma);
    }

    pub(crate) fn frame(&mut self, item: &FrameItem) {
        self.target(&item.target);
        self.at(item.on.span);
        self.blank();
        self.text("on");
        self.blank();
        self.expression(&item.on);
        self.colon();
        self.placement(&item.placement, false);
    }

    /// The clauses of a placement, where a `comma` stands before the first of them or not.
    pub(crate) fn placement(&mut self, placement: &[PlaceClause], mut comma: bool) {
        for place in placement {
            if std::mem::replace(&mut comma, true) {
                self.comma();
            }
            match place {
                PlaceClause::At(point) => self.clause("at", [point]),
                PlaceClause::Along(from, to) => self.two_ends(from, to),
                PlaceClause::Up(direction) => self.clause("up", [direction]),
                PlaceClause::Turned(turns) => {
                    for (which, turn) in turns.iter().enumerate() {
                        if which > 0 {
                            self.comma();
                        }
                        self.clause(if which > 0 { "then" } else { "turned" }, [&turn.axis]);
                        self.word("by", turn.angle.span);
                        self.expression(&turn.angle);
                    }
                }
                PlaceClause::Axes(first, second) => self.clause("axes", [first, second]),
            }
        }
    }

    fn two_ends(&mut self, from: &Expr, to: &Expr) {
        self.clause("from", [from]);
        self.word("to", to.span);
        self.expression(to);
    }

    /// A preposition with what it is about; several stand side by side.
    fn clause<'e>(&mut self, word: &str, values: impl IntoIterator<Item = &'e Expr>) {
        let mut values = values.into_iter().peekable();
        if let Some(first) = values.peek() {
            self.at(first.span);
        }
        self.text(word);
        let mut alone = true;
        while let Some(value) = values.next() {
            self.blank();
            let last = values.peek().is_none();
            if alone && last {
                self.expression(value);
            } else {
                self.drawn(value, last);
            }
            alone = false;
        }
    }

    pub(crate) fn joint(&mut self, item: &JointItem) {
        self.target(&item.target);
        self.colon();
        self.at(item.kind.span);
        self.text(&item.kind.text);
        self.arguments(&item.ends);
        if let Some(point) = &item.at {
            self.comma();
            self.clause("at", [point]);
        }
        if let Some((from, to)) = &item.along {
            self.comma();
            self.two_ends(from, to);
        }
        if !item.axis.is_empty() {
            self.comma();
            self.clause("axis", &item.axis);
        }
        self.settings(&item.options);
        self.flag("off", item.off);
        self.flag("cut", item.cut);
    }

    pub(crate) fn drive(&mut self, item: &DriveItem) {
        self.target(&item.target);
        self.colon();
        self.expression(&item.value);
        self.equals("=", &item.motion);
        self.flag("off", item.off);
    }

    pub(crate) fn element(&mut self, item: &ElementItem) {
        self.target(&item.target);
        self.colon();
        self.expression(&item.value);
        self.settings(&item.options);
    }
}
