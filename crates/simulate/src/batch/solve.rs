//! The equation of motion, solved in symbols for the sparsity of one model: straight-line code, no pivot is chosen.
//!
//! M = LDLᵀ block by block, W = A M⁻¹Aᵀ = LDLᵀ, W λ = b − A M⁻¹(Q + C), q̈ = M⁻¹(Q + C + Aᵀλ) (Udwadia & Kalaba 1992, eq. 5;
//! Udwadia 2005, eq. 26). A block of M in which nothing but parameters occur is inverted once per set of parameters.
//!
//! Pivots that are not chosen must be watched. What is left of a diagonal entry when its turn comes, d/W_kk, is the squared sine of
//! the angle between a row and those before it in the metric of M⁻¹, whatever the scales; likewise for M. The certificate gathers
//! the inverses: while it is below [`LIMIT`], no sine is so small that digits are lost.
//!
//! Where rows stand in for mass that is missing (`supplement`), pivots of M + AᵀSA are smaller than those of a definite M usually are, and
//! what both factors lose multiplies: the certificate contains the product. It also detects an M that is negative where M + AᵀSA is not.

use super::states::Alone;
use holonom_symbols::expr::{Function, Graph, Id, Node, Number};
use std::collections::BTreeMap;

/// Below this the certificate holds: no pivot is less than 10⁻⁴ of its diagonal entry.
pub(super) const LIMIT: f64 = 1e4;
/// What a pivot of M that is negative counts.
const NEGATIVE: i64 = 1_000_000;
/// What a negative mass counts that rows hide, relative to what stands in for it, twice: the certificate fails from 10⁻¹¹ on. Rounding
/// stays below that while the rest of the certificate holds.
const HIDDEN: f64 = 5e14;
/// Where rows stand in for mass, the sums over the pivots of both factors must not multiply to more: six digits may be lost, no more.
const BOTH: f64 = 1e6;
/// Accelerations count next to nothing, unless they are no numbers.
const TRACE: f64 = 1e-300;
/// More multiplications than this are not written out.
const LARGE: usize = 30_000;

/// A row that stands in for mass that is missing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Added {
    /// Its place among the rows in force.
    pub row: usize,
    /// The root of its weight, a power of two.
    pub root: f64,
}

/// M, Q + C, A and b as expressions of a graph; entries that are identically zero are left out.
pub(super) struct Given {
    pub mass: Vec<BTreeMap<usize, Id>>,
    pub force: Vec<Id>,
    pub rows: Vec<Vec<(usize, Id)>>,
    pub right: Vec<Id>,
    /// The rows that `mass` and `force` contain already.
    pub added: Vec<Added>,
}

/// q̈ and then the certificate.
pub(super) fn solve(graph: &mut Graph, given: &Given) -> Result<Vec<Id>, Alone> {
    let n = given.force.len();
    let mut algebra = Algebra { graph, written: 0, certificate: Vec::new() };
    let blocks: Vec<Block> =
        components(&given.mass).into_iter().map(|places| algebra.block(given, places)).collect::<Result<_, _>>()?;
    let of_mass = algebra.certificate.clone();
    // Each block's part of W and of the right sides.
    let m = given.rows.len();
    let mut gram: Vec<BTreeMap<usize, Terms>> = vec![BTreeMap::new(); m];
    let mut right: Vec<Terms> = given.right.iter().map(|&b| vec![(Number::ONE, b)]).collect();
    for block in &blocks {
        algebra.project(given, block, &mut gram, &mut right)?;
    }
    let right: Vec<Id> = right.iter().map(|terms| algebra.graph.sum(terms)).collect();
    let mut seen = vec![BTreeMap::new(); m];
    for (i, row) in gram.iter().enumerate() {
        for (&j, terms) in row {
            let sum = algebra.graph.sum(terms);
            seen[i].insert(j, sum);
            seen[j].insert(i, sum);
        }
    }
    let gram = algebra.factor(&seen, false).map_err(|row| Alone::IdleRow { row })?;
    algebra.certify_added(&given.added, &seen, &of_mass);
    algebra.budget()?;
    let multipliers = algebra.solve(&gram, &right);
    let mut acceleration = vec![Id::ZERO; n];
    for block in &blocks {
        algebra.accelerate(given, block, &multipliers, &mut acceleration);
    }
    algebra.budget()?;
    let mut certificate = std::mem::take(&mut algebra.certificate);
    if let Some(trace) = Number::rounded(TRACE) {
        for &x in &acceleration {
            certificate.push((trace, x));
        }
    }
    let certificate = algebra.graph.sum(&certificate);
    acceleration.push(certificate);
    Ok(acceleration)
}

type Terms = Vec<(Number, Id)>;

/// A row and its right side without a number that all of the row is a multiple of, such as the 2 of a squared distance: nothing
/// changes but the scale of its multiplier, and the number is not multiplied by at every state.
pub(super) fn reduced(graph: &mut Graph, row: Vec<(usize, Id)>, right: Id) -> (Vec<(usize, Id)>, Id) {
    let content = |graph: &Graph, id: Id| match graph.node(id) {
        Node::Number(number) => Some(number.magnitude()),
        Node::Product { coefficient, .. } => Some(coefficient.magnitude()),
        Node::Sum { terms, .. } => terms.first().map(|term| term.0.magnitude()),
        _ => None,
    };
    let Some(first) = row.first().and_then(|entry| content(graph, entry.1)) else { return (row, right) };
    let Some(part) = first.inverse().filter(|part| !part.is_one()) else { return (row, right) };
    if row.iter().any(|entry| content(graph, entry.1) != Some(first)) {
        return (row, right);
    }
    let scaled: Option<Vec<_>> = row.iter().map(|&(j, entry)| Some((j, times(graph, part, entry)?))).collect();
    match (scaled, times(graph, part, right)) {
        (Some(scaled), Some(right)) => (scaled, right),
        _ => (row, right),
    }
}

/// A number times an expression, multiplied into the terms of a sum.
fn times(graph: &mut Graph, number: Number, id: Id) -> Option<Id> {
    match graph.node(id).clone() {
        Node::Sum { constant, terms } => {
            let constant = constant.times(number)?;
            let terms: Option<Terms> = terms.iter().map(|&(c, term)| Some((c.times(number)?, term))).collect();
            Some(graph.sum_with(constant, &terms?))
        }
        Node::Product { coefficient, factors } => match factors[..] {
            [(sum, 1)] if matches!(graph.node(sum), Node::Sum { .. }) => times(graph, coefficient.times(number)?, sum),
            _ => Some(graph.scale(number, id)),
        },
        _ => Some(graph.scale(number, id)),
    }
}

/// Coordinates that M couples, directly or by others.
pub(super) fn components(mass: &[BTreeMap<usize, Id>]) -> Vec<Vec<usize>> {
    let mut seen = vec![false; mass.len()];
    let mut all = Vec::new();
    for first in 0..mass.len() {
        let (mut found, mut stack) = (Vec::new(), vec![first]);
        while let Some(i) = stack.pop() {
            if !std::mem::replace(&mut seen[i], true) {
                found.push(i);
                stack.extend(mass[i].keys().filter(|&&j| !seen[j]));
            }
        }
        found.sort_unstable();
        if !found.is_empty() {
            all.push(found);
        }
    }
    all
}

/// L and the inverse of D, in the order of elimination.
struct Factor {
    order: Vec<usize>,
    /// By step: the places that come later, and L there.
    lower: Vec<Vec<(usize, Id)>>,
    inverse: Vec<Id>,
}

/// A block of M, by coordinates of its own.
struct Block {
    places: Vec<usize>,
    how: How,
}

enum How {
    /// M⁻¹, which depends on parameters alone, and a = M⁻¹(Q + C).
    Inverse { inverse: Vec<Vec<Id>>, free: Vec<Id> },
    /// The factor; L⁻¹Aᵀ for the rows that reach the block, and y = L⁻¹(Q + C).
    Factor { factor: Factor, rows: BTreeMap<usize, Vec<Id>>, forced: Vec<Id> },
}

struct Algebra<'g> {
    graph: &'g mut Graph,
    /// Multiplications so far.
    written: usize,
    certificate: Terms,
}

impl Algebra<'_> {
    fn budget(&self) -> Result<(), Alone> {
        if self.written > LARGE { Err(Alone::Large) } else { Ok(()) }
    }

    fn times(&mut self, a: Id, b: Id) -> Id {
        if a == Id::ZERO || b == Id::ZERO {
            return Id::ZERO;
        }
        self.written += 1;
        self.graph.multiply(a, b)
    }

    /// Adds sign·a·b to a list of terms.
    fn collect(&mut self, terms: &mut Terms, sign: Number, a: Id, b: Id) {
        let product = self.times(a, b);
        if product != Id::ZERO {
            terms.push((sign, product));
        }
    }

    /// LDLᵀ of a symmetric matrix; where next is least coupled to what is left. The place of a pivot that is identically zero
    /// is an error.
    fn factor(&mut self, matrix: &[BTreeMap<usize, Id>], massive: bool) -> Result<Factor, usize> {
        let size = matrix.len();
        let mut left: Vec<BTreeMap<usize, Terms>> =
            matrix.iter().map(|row| row.iter().map(|(&j, &id)| (j, vec![(Number::ONE, id)])).collect()).collect();
        let mut factor = Factor { order: Vec::new(), lower: Vec::new(), inverse: Vec::new() };
        let mut open: Vec<usize> = (0..size).collect();
        while let Some(&next) = open.iter().min_by_key(|&&place| left[place].len()) {
            open.retain(|&place| place != next);
            let column = std::mem::take(&mut left[next]);
            let pivot = column.get(&next).map_or(Id::ZERO, |terms| self.graph.sum(terms));
            if pivot == Id::ZERO {
                return Err(next);
            }
            let inverse = self.graph.integer_power(pivot, -1);
            self.certify(matrix[next][&next], pivot, inverse, massive);
            let column: Vec<(usize, Id)> = column
                .iter()
                .filter(|&(&place, _)| place != next)
                .map(|(&place, terms)| (place, self.graph.sum(terms)))
                .collect();
            let lower: Vec<(usize, Id)> = column.iter().map(|&(i, entry)| (i, self.times(entry, inverse))).collect();
            for (at, &(i, l)) in lower.iter().enumerate() {
                left[i].remove(&next);
                for &(j, entry) in &column[..=at] {
                    let mut taken = Vec::new();
                    self.collect(&mut taken, Number::MINUS_ONE, l, entry);
                    left[i].entry(j).or_default().extend(&taken);
                    if i != j {
                        left[j].entry(i).or_default().extend(taken);
                    }
                }
            }
            factor.order.push(next);
            factor.lower.push(lower);
            factor.inverse.push(inverse);
            if self.written > LARGE {
                // The caller looks at the budget.
                break;
            }
        }
        Ok(factor)
    }

    /// What a pivot adds to the certificate.
    fn certify(&mut self, whole: Id, pivot: Id, inverse: Id, massive: bool) {
        if whole != pivot {
            let part = self.times(whole, inverse);
            let part = self.graph.call(Function::Abs, part);
            self.certificate.push((Number::ONE, part));
        }
        if massive && !self.graph.is_never_negative(pivot) {
            // (d − |d|)/d is 0 or 2.
            let magnitude = self.graph.call(Function::Abs, pivot);
            let below = self.graph.subtract(pivot, magnitude);
            let sign = self.times(below, inverse);
            self.certificate.push((Number::integer(NEGATIVE), sign));
        }
    }

    /// What rows that stand in for mass add to the certificate, of which M + AᵀSA has made the part `of_mass`: what both factors
    /// lose together, and where M itself is negative.
    ///
    /// The matrix [M + AᵀSA, Aᵀ; A, S⁻¹] over those rows can be eliminated from either end. So it has as many negative eigenvalues as M,
    /// and as many as S⁻¹ − W. M has none if no eigenvalue of √S W √S exceeds 1, and none does if the magnitudes in each of its rows add
    /// up to 1 at most. Where M vanishes along as many directions as there are rows, √S W √S is the unit matrix.
    fn certify_added(&mut self, added: &[Added], gram: &[BTreeMap<usize, Id>], of_mass: &Terms) {
        let (Some(hidden), Some(part)) = (Number::rounded(HIDDEN), Number::rounded(LIMIT / BOTH)) else { return };
        if added.is_empty() {
            return;
        }
        let of_rows = self.certificate[of_mass.len()..].to_vec();
        let (by_mass, by_rows) = (self.graph.sum(of_mass), self.graph.sum(&of_rows));
        let both = self.times(by_mass, by_rows);
        self.certificate.push((part, both));
        for one in added {
            let mut terms = Vec::new();
            for other in added {
                let entry = gram[one.row].get(&other.row).copied().zip(Number::rounded(one.root * other.root));
                if let Some((entry, weight)) = entry {
                    let is_diagonal = one.row == other.row;
                    terms.push((weight, if is_diagonal { entry } else { self.graph.call(Function::Abs, entry) }));
                }
            }
            let excess = self.graph.sum_with(Number::MINUS_ONE, &terms);
            let magnitude = self.graph.call(Function::Abs, excess);
            let counted = self.graph.add(excess, magnitude);
            self.certificate.push((hidden, counted));
        }
    }

    /// L⁻¹x in place, in the order of places.
    fn forward(&mut self, factor: &Factor, x: &mut [Id]) {
        let mut terms: Vec<Terms> = x.iter().map(|&x| vec![(Number::ONE, x)]).collect();
        for (&place, lower) in factor.order.iter().zip(&factor.lower) {
            x[place] = self.graph.sum(&terms[place]);
            for &(i, l) in lower {
                self.collect(&mut terms[i], Number::MINUS_ONE, l, x[place]);
            }
        }
    }

    /// L⁻ᵀx in place.
    fn backward(&mut self, factor: &Factor, x: &mut [Id]) {
        for (&place, lower) in factor.order.iter().zip(&factor.lower).rev() {
            let mut terms = vec![(Number::ONE, x[place])];
            for &(i, l) in lower {
                self.collect(&mut terms, Number::MINUS_ONE, l, x[i]);
            }
            x[place] = self.graph.sum(&terms);
        }
    }

    fn scale(&mut self, factor: &Factor, x: &mut [Id]) {
        for (&place, &inverse) in factor.order.iter().zip(&factor.inverse) {
            x[place] = self.times(x[place], inverse);
        }
    }

    fn solve(&mut self, factor: &Factor, right: &[Id]) -> Vec<Id> {
        let mut x = right.to_vec();
        self.forward(factor, &mut x);
        self.scale(factor, &mut x);
        self.backward(factor, &mut x);
        x
    }

    fn block(&mut self, given: &Given, places: Vec<usize>) -> Result<Block, Alone> {
        let own: BTreeMap<usize, usize> = places.iter().enumerate().map(|(own, &place)| (place, own)).collect();
        let mass: Vec<BTreeMap<usize, Id>> =
            places.iter().map(|&i| given.mass[i].iter().map(|(j, &id)| (own[j], id)).collect()).collect();
        let factor = self.factor(&mass, true).map_err(|own| Alone::Massless { coordinate: places[own] })?;
        self.budget()?;
        let force: Vec<Id> = places.iter().map(|&i| given.force[i]).collect();
        if mass.iter().flat_map(BTreeMap::values).all(|&id| self.graph.depends(id).is_fixed()) {
            let mut inverse = Vec::new();
            for i in 0..places.len() {
                let mut unit = vec![Id::ZERO; places.len()];
                unit[i] = Id::ONE;
                inverse.push(self.solve(&factor, &unit));
                self.budget()?;
            }
            // Symmetric to the last bit.
            for i in 0..places.len() {
                let (above, below) = inverse.split_at_mut(i);
                above.iter_mut().zip(&below[0]).for_each(|(row, &entry)| row[i] = entry);
            }
            let mut free = Vec::new();
            for row in &inverse {
                let mut terms = Vec::new();
                row.iter().zip(&force).for_each(|(&c, &f)| self.collect(&mut terms, Number::ONE, c, f));
                free.push(self.graph.sum(&terms));
            }
            return Ok(Block { places, how: How::Inverse { inverse, free } });
        }
        let mut rows = BTreeMap::new();
        for (number, row) in given.rows.iter().enumerate() {
            let mut x = vec![Id::ZERO; places.len()];
            let mut reached = false;
            for (j, entry) in row {
                if let Some(&own) = own.get(j) {
                    (x[own], reached) = (*entry, true);
                }
            }
            if reached {
                self.forward(&factor, &mut x);
                rows.insert(number, x);
                self.budget()?;
            }
        }
        let mut forced = force;
        self.forward(&factor, &mut forced);
        Ok(Block { places, how: How::Factor { factor, rows, forced } })
    }

    /// Adds the block's part of A M⁻¹Aᵀ, and takes its part of A M⁻¹(Q + C) from the right sides.
    fn project(
        &mut self,
        given: &Given,
        block: &Block,
        gram: &mut [BTreeMap<usize, Terms>],
        right: &mut [Terms],
    ) -> Result<(), Alone> {
        match &block.how {
            How::Inverse { inverse, free } => {
                let reached: Vec<(usize, Vec<(usize, Id)>)> =
                    given.rows.iter().enumerate().map(|(i, row)| (i, block.own(row))).collect();
                let reached: Vec<_> = reached.into_iter().filter(|(_, row)| !row.is_empty()).collect();
                for (at, (i, row)) in reached.iter().enumerate() {
                    row.iter().for_each(|&(k, a)| self.collect(&mut right[*i], Number::MINUS_ONE, a, free[k]));
                    for (j, other) in &reached[..=at] {
                        // Equal entries of M⁻¹ multiply what they share once.
                        let mut by_entry: BTreeMap<Id, Terms> = BTreeMap::new();
                        for &(k, a) in row {
                            for &(l, b) in other.iter().filter(|&&(l, _)| inverse[k][l] != Id::ZERO) {
                                self.collect(by_entry.entry(inverse[k][l]).or_default(), Number::ONE, a, b);
                            }
                        }
                        for (entry, terms) in by_entry {
                            let sum = self.graph.sum(&terms);
                            self.collect(gram[*i].entry(*j).or_default(), Number::ONE, entry, sum);
                        }
                    }
                    self.budget()?;
                }
            }
            How::Factor { factor, rows, forced } => {
                for (&i, row) in rows {
                    let mut scaled = row.clone();
                    self.scale(factor, &mut scaled);
                    for (&a, &y) in scaled.iter().zip(forced) {
                        self.collect(&mut right[i], Number::MINUS_ONE, a, y);
                    }
                    for (&j, other) in rows.range(..=i) {
                        for (&a, &b) in scaled.iter().zip(other) {
                            let mut terms = Vec::new();
                            self.collect(&mut terms, Number::ONE, a, b);
                            if !terms.is_empty() {
                                gram[i].entry(j).or_default().extend(terms);
                            }
                        }
                    }
                    self.budget()?;
                }
            }
        }
        Ok(())
    }

    /// q̈ of the block.
    fn accelerate(&mut self, given: &Given, block: &Block, multipliers: &[Id], acceleration: &mut [Id]) {
        let size = block.places.len();
        let own = match &block.how {
            How::Inverse { inverse, free } => {
                // g = Aᵀλ
                let mut reaction: Vec<Terms> = vec![Vec::new(); size];
                for (row, &multiplier) in given.rows.iter().zip(multipliers) {
                    for (k, a) in block.own(row) {
                        self.collect(&mut reaction[k], Number::ONE, a, multiplier);
                    }
                }
                let reaction: Vec<Id> = reaction.iter().map(|terms| self.graph.sum(terms)).collect();
                let mut own = Vec::new();
                for (row, &free) in inverse.iter().zip(free) {
                    let mut terms = vec![(Number::ONE, free)];
                    row.iter().zip(&reaction).for_each(|(&c, &g)| self.collect(&mut terms, Number::ONE, c, g));
                    own.push(self.graph.sum(&terms));
                }
                own
            }
            How::Factor { factor, rows, forced } => {
                let mut own: Vec<Id> = Vec::new();
                for (k, &y) in forced.iter().enumerate() {
                    let mut terms = vec![(Number::ONE, y)];
                    for (&i, row) in rows {
                        self.collect(&mut terms, Number::ONE, row[k], multipliers[i]);
                    }
                    own.push(self.graph.sum(&terms));
                }
                self.scale(factor, &mut own);
                self.backward(factor, &mut own);
                own
            }
        };
        for (&place, x) in block.places.iter().zip(own) {
            acceleration[place] = x;
        }
    }
}

impl Block {
    /// The entries of a row in the block.
    fn own(&self, row: &[(usize, Id)]) -> Vec<(usize, Id)> {
        row.iter().filter_map(|&(j, a)| Some((self.places.binary_search(&j).ok()?, a))).collect()
    }
}
