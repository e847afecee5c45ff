//! Disjoint sets by pointers to a representative: what hangs together.

/// Numbers in sets that only ever grow together.
pub(super) struct Sets {
    parent: Vec<usize>,
}

impl Sets {
    /// Each number below `count` in a set of its own.
    pub(super) fn new(count: usize) -> Self {
        Self { parent: (0..count).collect() }
    }

    /// The least number of the set that a number is in.
    pub(super) fn root(&mut self, mut m: usize) -> usize {
        while self.parent[m] != m {
            self.parent[m] = self.parent[self.parent[m]];
            m = self.parent[m];
        }
        m
    }

    /// Makes one set of two.
    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }

    /// Makes one set of all that some numbers are in.
    pub(super) fn join_all(&mut self, mut numbers: impl Iterator<Item = usize>) {
        if let Some(first) = numbers.next() {
            numbers.for_each(|other| self.join(first, other));
        }
    }
}
