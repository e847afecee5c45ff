//! The sides of constraints: what a statement compares, whichever statement it is.

use crate::source::Span;
use crate::syntax::{ConstraintItem, DriveItem, Expr, Sign, StopItem};

/// What a constraint says: left = right, or left >= right.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    pub(super) left: &'a Expr,
    pub(super) right: &'a Expr,
    pub(super) one_sided: bool,
    pub(super) restitution: Option<&'a Expr>,
    /// The other limit of a stop, told once, with the lower one.
    pub(super) other: Option<&'a Expr>,
    /// A prescribed motion.
    pub(super) is_drive: bool,
    /// Declared `off`.
    pub(super) off: bool,
    /// Where it stands.
    pub(super) span: Span,
}

impl<'a> Sides<'a> {
    /// Those of a statement: `a <= b` says b >= a, so that left minus right is the gap.
    pub(super) fn of(item: &'a ConstraintItem) -> Self {
        let (left, right) = match item.sign {
            Sign::Equal | Sign::AtLeast => (&item.left, &item.right),
            Sign::AtMost => (&item.right, &item.left),
        };
        Self {
            left,
            right,
            one_sided: item.sign != Sign::Equal,
            restitution: item.restitution.as_ref(),
            other: None,
            is_drive: false,
            off: item.off,
            span: item.left.span.to(item.right.span),
        }
    }

    /// A value and its course in time.
    pub(super) fn of_drive(item: &'a DriveItem) -> Self {
        Self {
            left: &item.value,
            right: &item.motion,
            one_sided: false,
            restitution: None,
            other: None,
            is_drive: true,
            off: item.off,
            span: item.value.span.to(item.motion.span),
        }
    }

    /// The lower and the upper limit of a stop.
    pub(super) fn of_stop(item: &'a StopItem) -> [Self; 2] {
        [(&item.value, &item.low, Some(&item.high)), (&item.high, &item.value, None)].map(|(left, right, other)| Self {
            left,
            right,
            one_sided: true,
            restitution: item.restitution.as_ref(),
            other,
            is_drive: false,
            off: item.off,
            span: item.value.span.to(item.high.span),
        })
    }
}
