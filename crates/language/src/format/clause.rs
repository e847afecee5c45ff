//! What statements are written with: items, signs, words and options.

use super::super::source::Span;
use super::super::syntax::{Expr, Setting};
use super::pen::Pen;

/// Breaks after `=` and before words such as `within`.
pub(crate) const CLAUSE: u32 = 2;

impl Pen<'_> {
    /// Blanks up to the column of the items, and the items with commas between them.
    pub(crate) fn items<'i, T: 'i>(
        &mut self,
        items: impl IntoIterator<Item = &'i T>,
        mut item: impl FnMut(&mut Self, &T),
    ) {
        self.pad_keyword();
        self.commas(items, &mut item);
    }

    pub(crate) fn commas<'i, T: 'i>(
        &mut self,
        items: impl IntoIterator<Item = &'i T>,
        item: &mut impl FnMut(&mut Self, &T),
    ) {
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

    /// A word after a comma, where it is set.
    pub(crate) fn flag(&mut self, word: &str, set: bool) {
        if set {
            self.comma();
            self.text(word);
        }
    }
}
