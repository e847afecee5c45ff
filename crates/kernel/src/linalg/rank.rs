//! How a rank is decided: in one place, for rows and for masses, with all entries and with few.
//!
//! Sizes come one after the other as elimination finds them, each relative to what is comparable to it. Clear ones decide alone. One in
//! the grey zone calls the singular values in: elimination may have made it of rounding, or hidden it.

use std::ops::RangeInclusive;

use super::singular::SingularValues;
use crate::Rank;

/// Pivots above this are independent beyond doubt, whatever the elimination did to them.
const CLEAR: f64 = 1e-6;

/// How a rank was decided and by what margin, relative to the largest pivot or singular value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin {
    /// The smallest size that was counted; 1 when nothing had to be counted.
    pub kept: f64,
    /// The largest size that was not counted; 0 when nothing was left.
    pub(crate) dropped: f64,
}

impl Default for Margin {
    fn default() -> Self {
        Self::CLEAR
    }
}

impl Margin {
    /// Nothing had to be decided.
    pub(crate) const CLEAR: Margin = Margin { kept: 1.0, dropped: 0.0 };

    /// Whether a size counts beside a tolerance; what is not a number does not.
    pub(crate) fn counts(&mut self, size: f64, tolerance: f64) -> bool {
        let counts = size > tolerance;
        if counts {
            self.kept = self.kept.min(size);
        } else {
            self.dropped = self.dropped.max(size);
        }
        counts
    }

    /// Whether what was counted may be rounding.
    pub(crate) fn is_grey(&self) -> bool {
        self.kept < CLEAR
    }

    /// The rank by singular values, within limits; it is by them that it is clear, or not.
    pub(crate) fn ask(&mut self, singular: &SingularValues, tolerance: f64, limits: RangeInclusive<usize>) -> usize {
        let values = &singular.values;
        // Comparable size is 1. A matrix whose largest entry is far below that is rounding.
        let largest = values[0].max(1.0);
        let above = values.iter().filter(|s| **s > tolerance * largest).count();
        let rank = above.clamp(*limits.start(), *limits.end());
        self.kept = if rank == 0 { 1.0 } else { values[rank - 1] / largest };
        self.dropped = values.get(rank).map_or(0.0, |s| s / largest);
        rank
    }

    /// A rank with this margin.
    pub(crate) fn rank(&self, rank: usize) -> Rank {
        Rank { rank, gap: self.kept, dropped: self.dropped }
    }
}
