//! In which order coordinates are eliminated: minimum degree on a quotient graph.
//!
//! Coordinates are vertices, a row of A joins all of its coordinates, an entry of M two. A row is never taken
//! apart into pairs: it is an element, as is what an elimination leaves behind. Degrees are bounded from above
//! as Amestoy, Davis and Duff do (1996); coordinates that cannot be told apart are eliminated together.

use std::collections::HashSet;

use super::error::TooLarge;
use super::pattern::Pattern;

/// What is eliminated in one go: a front of the elimination.
pub(super) struct Node {
    /// The coordinates eliminated here.
    pub(super) pivots: Vec<u32>,
    /// The coordinates joined to them that are eliminated later.
    pub(super) boundary: Vec<u32>,
    /// The node that takes over, later in the list.
    pub(super) parent: Option<u32>,
}

/// Rows up to this length are searched for couplings of M that they contain.
const SHORT: usize = 32;

struct Graph<'a> {
    pattern: &'a Pattern,
    /// For each representative how many coordinates it stands for; 0 when gone.
    weight: Vec<u32>,
    /// The coordinates it stands for.
    members: Vec<Vec<u32>>,
    neighbours: Vec<Vec<u32>>,
    elements: Vec<Vec<u32>>,
    /// The coordinates of an element: rows first, then one for each coordinate eliminated.
    reach: Vec<Vec<u32>>,
    /// Sum of weights of an element; 0 when absorbed.
    size: Vec<u32>,
    degree: Vec<u32>,
    mark: Vec<u32>,
    stamp: u32,
    /// For each element, what of it lies outside the current one, and when that was counted.
    outside: Vec<(u32, u32)>,
    /// Node of an element.
    node: Vec<u32>,
}

/// The nodes in the order of elimination.
pub(super) fn order(pattern: &Pattern, limit: usize) -> Result<Vec<Node>, TooLarge> {
    let mut graph = Graph::new(pattern, limit)?;
    graph.compress();
    let n = pattern.n;
    // Degrees beyond the limit are all alike: what is left then is too large.
    let cap = (2 * limit) as u32;
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); cap as usize + 1];
    // Of equals those in few rows come first, and are pushed last: the free end of a chain before the fixed one. Where rows
    // are fewer than coordinates, none of them has to wait for others.
    let mut pushed: Vec<usize> = (0..n).rev().filter(|i| graph.weight[*i] > 0).collect();
    pushed.sort_by_key(|i| std::cmp::Reverse(graph.elements[*i].len()));
    for i in pushed {
        let mut degree: u32 = graph.neighbours[i].iter().map(|j| graph.weight[*j as usize]).sum();
        for e in &graph.elements[i] {
            degree = degree.saturating_add(graph.size[*e as usize] - graph.weight[i]);
        }
        graph.degree[i] = degree.min(cap);
        buckets[graph.degree[i] as usize].push(i as u32);
    }
    let mut nodes: Vec<Node> = Vec::new();
    let (mut least, mut changed) = (0, Vec::new());
    while least < buckets.len() {
        let Some(p) = buckets[least].pop() else {
            least += 1;
            continue;
        };
        let p = p as usize;
        if graph.weight[p] == 0 || graph.degree[p] as usize != least {
            continue;
        }
        changed.clear();
        graph.eliminate(p, limit, &mut nodes, &mut changed)?;
        for i in &changed {
            let degree = graph.degree[*i as usize].min(cap);
            graph.degree[*i as usize] = degree;
            buckets[degree as usize].push(*i);
            least = least.min(degree as usize);
        }
    }
    Ok(nodes)
}

impl<'a> Graph<'a> {
    fn new(pattern: &'a Pattern, limit: usize) -> Result<Self, TooLarge> {
        let (n, m) = (pattern.n, pattern.rows());
        let mut elements = vec![Vec::new(); n];
        let (mut reach, mut size) = (Vec::with_capacity(n + m), Vec::with_capacity(n + m));
        let mut seen: HashSet<&[u32]> = HashSet::with_capacity(m);
        for row in 0..m {
            let columns = pattern.row(row);
            if columns.len() > limit {
                return Err(TooLarge::new(columns.len(), limit, columns, &[row as u32]));
            }
            // Rows over the same coordinates join them once.
            if !seen.insert(columns) {
                reach.push(Vec::new());
                size.push(0);
                continue;
            }
            columns.iter().for_each(|j| elements[*j as usize].push(row as u32));
            reach.push(columns.to_vec());
            size.push(columns.len() as u32);
        }
        reach.resize(n + m, Vec::new());
        size.resize(n + m, 0);
        let mut neighbours = vec![Vec::new(); n];
        for &(i, j) in pattern.mass.iter().filter(|(i, j)| i != j) {
            // A coupling inside a row says nothing new.
            let together = elements[i as usize].iter().any(|row: &u32| {
                let columns = pattern.row(*row as usize);
                columns.len() <= SHORT && columns.binary_search(&j).is_ok()
            });
            if !together {
                neighbours[i as usize].push(j);
                neighbours[j as usize].push(i);
            }
        }
        Ok(Self {
            pattern,
            weight: vec![1; n],
            members: (0..n as u32).map(|i| vec![i]).collect(),
            neighbours,
            elements,
            reach,
            size,
            degree: vec![0; n],
            mark: vec![0; n],
            stamp: 0,
            outside: vec![(0, 0); n + m],
            node: vec![0; n + m],
        })
    }

    /// Merges coordinates that stand in the same rows: the two of a point, say.
    fn compress(&mut self) {
        let mut keys: Vec<(u64, u32)> = (0..self.pattern.n).map(|i| (self.key(i), i as u32)).collect();
        self.merge_equal(&mut keys);
    }

    /// Equal for coordinates with the same elements and neighbours.
    fn key(&self, i: usize) -> u64 {
        let mix = |x: u32| (u64::from(x) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let sum = |list: &[u32]| list.iter().fold(0u64, |sum, e| sum.wrapping_add(mix(*e)));
        sum(&self.elements[i]).wrapping_mul(3).wrapping_add(sum(&self.neighbours[i]))
    }

    /// Merges those whose keys and lists are equal.
    fn merge_equal(&mut self, keys: &mut [(u64, u32)]) {
        keys.sort_unstable();
        for group in keys.chunk_by(|a, b| a.0 == b.0) {
            let first = group[0].1 as usize;
            if group.len() == 1 || self.weight[first] == 0 {
                continue;
            }
            self.elements[first].sort_unstable();
            self.neighbours[first].sort_unstable();
            for &(_, i) in &group[1..] {
                let i = i as usize;
                self.elements[i].sort_unstable();
                self.neighbours[i].sort_unstable();
                let bare = self.elements[i].is_empty() && self.neighbours[i].is_empty();
                let equal = self.elements[i] == self.elements[first] && self.neighbours[i] == self.neighbours[first];
                if self.weight[i] == 0 || bare || !equal {
                    continue;
                }
                self.weight[first] += self.weight[i];
                self.weight[i] = 0;
                let members = std::mem::take(&mut self.members[i]);
                self.members[first].extend(members);
            }
        }
    }

    /// Eliminates p and what goes with it; `changed` receives the coordinates whose degree is new.
    fn eliminate(
        &mut self,
        p: usize,
        limit: usize,
        nodes: &mut Vec<Node>,
        changed: &mut Vec<u32>,
    ) -> Result<(), TooLarge> {
        let (rows, here) = (self.pattern.rows(), nodes.len() as u32);
        let element = rows + p;
        let own = self.weight[p];
        self.stamp += 1;
        let stamp = self.stamp;
        self.mark[p] = stamp;
        self.weight[p] = 0;
        let mut reach: Vec<u32> = Vec::new();
        let (joined, neighbours) = (std::mem::take(&mut self.elements[p]), std::mem::take(&mut self.neighbours[p]));
        let mut total = 0;
        let mut take = |list: &[u32], mark: &mut [u32], weight: &[u32]| {
            for &i in list {
                if weight[i as usize] > 0 && mark[i as usize] != stamp {
                    mark[i as usize] = stamp;
                    total += weight[i as usize];
                    reach.push(i);
                }
            }
        };
        for &e in joined.iter().filter(|e| self.size[**e as usize] > 0) {
            take(&self.reach[e as usize], &mut self.mark, &self.weight);
        }
        take(&neighbours, &mut self.mark, &self.weight);
        for &e in &joined {
            self.absorb(e as usize, here, nodes);
        }
        if (own + total) as usize > limit {
            let mut coordinates = std::mem::take(&mut self.members[p]);
            reach.iter().for_each(|i| coordinates.extend(&self.members[*i as usize]));
            let rows: Vec<u32> = joined.into_iter().filter(|e| (*e as usize) < rows).collect();
            return Err(TooLarge::new((own + total) as usize, limit, &coordinates, &rows));
        }
        // What of other elements lies outside of this one.
        for &i in &reach {
            for &e in &self.elements[i as usize] {
                let e = e as usize;
                if self.size[e] == 0 {
                    continue;
                }
                if self.outside[e].1 != stamp {
                    self.outside[e] = (self.size[e], stamp);
                }
                self.outside[e].0 = self.outside[e].0.saturating_sub(self.weight[i as usize]);
            }
        }
        let mut pivots = std::mem::take(&mut self.members[p]);
        let mut keys = Vec::new();
        for &i in &reach {
            let i = i as usize;
            let mut elements = std::mem::take(&mut self.elements[i]);
            let mut degree = 0u32;
            elements.retain(|&e| {
                let e = e as usize;
                if self.size[e] == 0 {
                    return false;
                }
                if self.outside[e].0 == 0 {
                    self.absorb(e, here, nodes);
                    return false;
                }
                degree = degree.saturating_add(self.outside[e].0);
                true
            });
            let mut neighbours = std::mem::take(&mut self.neighbours[i]);
            neighbours.retain(|&j| self.weight[j as usize] > 0 && self.mark[j as usize] != stamp);
            degree = neighbours.iter().fold(degree, |sum, j| sum.saturating_add(self.weight[*j as usize]));
            if elements.is_empty() && neighbours.is_empty() {
                // Joined to nothing but this element: eliminated with p, at no cost.
                total -= self.weight[i];
                self.weight[i] = 0;
                pivots.append(&mut self.members[i]);
                continue;
            }
            elements.push(element as u32);
            (self.elements[i], self.neighbours[i]) = (elements, neighbours);
            self.degree[i] = degree.min(self.degree[i]);
            keys.push((self.key(i), i as u32));
        }
        self.merge_equal(&mut keys);
        reach.retain(|i| self.weight[*i as usize] > 0);
        let mut boundary = Vec::with_capacity(total as usize);
        for &i in &reach {
            boundary.extend(&self.members[i as usize]);
            self.degree[i as usize] = self.degree[i as usize].saturating_add(total - self.weight[i as usize]);
            changed.push(i);
        }
        self.size[element] = total;
        self.reach[element] = reach;
        self.node[element] = here;
        nodes.push(Node { pivots, boundary, parent: None });
        Ok(())
    }

    /// An element becomes part of that of node `here`.
    fn absorb(&mut self, e: usize, here: u32, nodes: &mut [Node]) {
        if self.size[e] == 0 {
            return;
        }
        self.size[e] = 0;
        self.reach[e] = Vec::new();
        if e >= self.pattern.rows() {
            nodes[self.node[e] as usize].parent = Some(here);
        }
    }
}
