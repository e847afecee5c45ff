//! Cases: the members of a family that a statement speaks of, by their indices.

/// One member of what a statement speaks of.
#[derive(Clone, Debug, Default)]
pub(super) struct Case<'a> {
    /// The values of the named indices.
    pub(super) locals: Vec<(&'a str, i64)>,
    /// The indices of each step of the target, nothing where a step has no brackets.
    pub(super) indices: Vec<Option<Vec<i64>>>,
}

impl Case<'_> {
    /// The indices of the last step.
    pub(super) fn last(&self) -> Option<Vec<i64>> {
        self.indices.last().cloned().flatten()
    }
}
