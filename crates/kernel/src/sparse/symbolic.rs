//! What can be known from the pattern alone: the fronts, who hands over to whom, and where each number goes.

use super::band::BandPlan;
use super::error::TooLarge;
use super::order::{Node, order};
use super::pattern::Pattern;

/// The most coordinates that may meet in one front.
const LIMIT: usize = 512;

/// One front: the coordinates it eliminates, those it hands over, and what is assembled in it.
#[derive(Clone, Debug)]
pub(super) struct Front {
    /// Its coordinates in `Symbolic::coordinates`: `own` that it eliminates, then `shared`.
    pub(super) start: u32,
    pub(super) own: u32,
    pub(super) shared: u32,
    /// Its rows in `Symbolic::rows`.
    pub(super) rows: (u32, u32),
    /// Its entries of M in `Symbolic::mass`.
    pub(super) mass: (u32, u32),
    /// The fronts that hand over to it, in `Symbolic::children`.
    pub(super) children: (u32, u32),
}

/// The analysis of a pattern: made once, shared by all threads.
///
/// # Examples
///
/// ```
/// use holonom_kernel::sparse::{Pattern, Symbolic};
///
/// // A chain of a thousand points on a line.
/// let n = 1000;
/// let rows: Vec<Vec<usize>> = (0..n).map(|i| if i == 0 { vec![0] } else { vec![i - 1, i] }).collect();
/// let pattern = Pattern::new(n, rows, (0..n).map(|i| (i, i)))?;
/// let symbolic = Symbolic::new(&pattern)?;
/// assert!(symbolic.largest_front() <= 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Symbolic {
    pub(super) pattern: Pattern,
    /// Children before parents.
    pub(super) fronts: Vec<Front>,
    pub(super) coordinates: Vec<u32>,
    /// For each shared coordinate (at its place in `coordinates`) its place in the front that takes over.
    pub(super) target: Vec<u32>,
    pub(super) rows: Vec<u32>,
    pub(super) children: Vec<u32>,
    /// For each entry of A its place among the coordinates of the front that the row belongs to.
    pub(super) local: Vec<u32>,
    /// (entry of M, place, place) with the later place first.
    pub(super) mass: Vec<(u32, u32, u32)>,
    /// Rows without any coordinate.
    pub(super) empty_rows: Vec<u32>,
    largest_front: usize,
    flops: f64,
    /// The fast way, where the pattern allows it.
    pub(super) band: Option<BandPlan>,
}

impl Symbolic {
    /// Whether the short way along a band may lead to answers: every coordinate has a mass of its own, and rows are near to few others.
    pub(crate) fn has_band(&self) -> bool {
        self.band.is_some()
    }

    /// Analyses a pattern.
    ///
    /// # Errors
    ///
    /// When more than 512 coordinates would have to be held at once.
    pub fn new(pattern: &Pattern) -> Result<Self, TooLarge> {
        Self::with_limit(pattern, LIMIT)
    }

    /// Analyses a pattern with another limit on the coordinates that may meet.
    ///
    /// # Errors
    ///
    /// When more would have to be held at once.
    pub fn with_limit(pattern: &Pattern, limit: usize) -> Result<Self, TooLarge> {
        let nodes = postorder(join(order(pattern, limit)?));
        let mut symbolic = Self {
            pattern: pattern.clone(),
            fronts: Vec::with_capacity(nodes.len()),
            coordinates: Vec::new(),
            target: Vec::new(),
            rows: Vec::new(),
            children: Vec::new(),
            local: vec![0; pattern.columns.len()],
            mass: Vec::with_capacity(pattern.mass.len()),
            empty_rows: Vec::new(),
            largest_front: 0,
            flops: 0.0,
            band: BandPlan::new(pattern),
        };
        symbolic.place(&nodes);
        Ok(symbolic)
    }

    /// The most coordinates that meet in one front.
    pub fn largest_front(&self) -> usize {
        self.largest_front
    }

    /// How many fronts there are.
    pub fn fronts(&self) -> usize {
        self.fronts.len()
    }

    /// About how many multiplications a factorisation takes.
    pub fn flops(&self) -> f64 {
        self.flops
    }

    /// The pattern analysed.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Whether systems with mass everywhere go through a band first, and its half width.
    pub fn half_bandwidth(&self) -> Option<usize> {
        self.band.as_ref().map(BandPlan::half_width)
    }

    /// The same analysis without the band: every factorisation goes through fronts.
    pub fn without_band(mut self) -> Self {
        self.band = None;
        self
    }

    /// Lays out fronts: coordinates, rows, entries, and the way from front to front.
    fn place(&mut self, nodes: &[Node]) {
        let pattern = &self.pattern;
        let mut front_of = vec![0u32; pattern.n];
        for (f, node) in nodes.iter().enumerate() {
            node.pivots.iter().for_each(|j| front_of[*j as usize] = f as u32);
        }
        let mut rows_of: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
        for row in 0..pattern.rows() {
            match pattern.row(row).iter().map(|j| front_of[*j as usize]).min() {
                Some(front) => rows_of[front as usize].push(row as u32),
                None => self.empty_rows.push(row as u32),
            }
        }
        let mut mass_of: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
        for (entry, (i, j)) in pattern.mass.iter().enumerate() {
            mass_of[front_of[*i as usize].min(front_of[*j as usize]) as usize].push(entry as u32);
        }
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
        for (f, node) in nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent as usize].push(f as u32);
            }
        }
        let mut place = vec![0u32; pattern.n];
        for (f, node) in nodes.iter().enumerate() {
            let start = self.coordinates.len() as u32;
            self.coordinates.extend(&node.pivots);
            self.coordinates.extend(&node.boundary);
            self.target.resize(self.coordinates.len(), 0);
            for (at, j) in self.coordinates[start as usize..].iter().enumerate() {
                place[*j as usize] = at as u32;
            }
            let (rows, mass, kids) = (self.rows.len() as u32, self.mass.len() as u32, self.children.len() as u32);
            for &row in &rows_of[f] {
                for entry in pattern.entries(row as usize) {
                    self.local[entry] = place[pattern.columns[entry] as usize];
                }
            }
            self.rows.append(&mut rows_of[f]);
            for &entry in &mass_of[f] {
                let (i, j) = pattern.mass[entry as usize];
                let (i, j) = (place[i as usize], place[j as usize]);
                self.mass.push((entry, i.max(j), i.min(j)));
            }
            for &child in &children[f] {
                let Front { start, own, shared, .. } = self.fronts[child as usize];
                for at in (start + own) as usize..(start + own + shared) as usize {
                    self.target[at] = place[self.coordinates[at] as usize];
                }
            }
            self.children.append(&mut children[f]);
            let (own, shared) = (node.pivots.len(), node.boundary.len());
            self.fronts.push(Front {
                start,
                own: own as u32,
                shared: shared as u32,
                rows: (rows, self.rows.len() as u32),
                mass: (mass, self.mass.len() as u32),
                children: (kids, self.children.len() as u32),
            });
            let size = own + shared;
            self.largest_front = self.largest_front.max(size);
            // Two products for each entry of what is left, at each step.
            self.flops += (0..own).map(|k| ((size - k) * (size - k)) as f64).sum::<f64>();
        }
    }
}

/// Joins nodes with the one they hand over to, where nothing is lost by it.
fn join(mut nodes: Vec<Node>) -> Vec<Node> {
    for c in 0..nodes.len() {
        let Some(p) = nodes[c].parent.map(|p| p as usize) else { continue };
        let size = nodes[p].pivots.len() + nodes[p].boundary.len();
        if nodes[c].boundary.len() == size {
            let mut pivots = std::mem::take(&mut nodes[c].pivots);
            pivots.append(&mut nodes[p].pivots);
            nodes[p].pivots = pivots;
        }
    }
    // A node without coordinates of its own has become part of its parent.
    for c in (0..nodes.len()).rev() {
        if let Some(p) = nodes[c].parent.filter(|p| nodes[*p as usize].pivots.is_empty()) {
            nodes[c].parent = nodes[p as usize].parent;
        }
    }
    nodes
}

/// The nodes with children right before their parents, without those that were joined.
fn postorder(nodes: Vec<Node>) -> Vec<Node> {
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
    let mut roots = Vec::new();
    for (c, node) in nodes.iter().enumerate().filter(|(_, node)| !node.pivots.is_empty()) {
        match node.parent {
            Some(p) => children[p as usize].push(c as u32),
            None => roots.push(c as u32),
        }
    }
    let mut place = vec![0u32; nodes.len()];
    let mut sequence = Vec::with_capacity(nodes.len());
    for root in roots {
        // (node, how many of its children are done)
        let mut path = vec![(root as usize, 0)];
        while let Some((node, done)) = path.last_mut() {
            if let Some(child) = children[*node].get(*done) {
                *done += 1;
                path.push((*child as usize, 0));
            } else {
                place[*node] = sequence.len() as u32;
                sequence.push(*node);
                path.pop();
            }
        }
    }
    let mut nodes: Vec<Option<Node>> = nodes.into_iter().map(Some).collect();
    let mut sorted = Vec::with_capacity(sequence.len());
    for at in sequence {
        if let Some(mut node) = nodes[at].take() {
            node.parent = node.parent.map(|p| place[p as usize]);
            sorted.push(node);
        }
    }
    sorted
}
