//! Rows that stand in for mass that is missing, written into the equations once: M + AᵀSA in place of M.
//!
//! Elimination without a choice of pivots fails wherever M is singular. It works on M + AᵀSA if the rows reach the null space of M (2006,
//! result 3), and neither q̈ nor λ changes (`motion/supplement`). Rows and weights S are constants here. They are chosen at each of a few
//! states around the start; the choice that leaves the largest pivots at all of these states is taken. At every other state the
//! certificate decides whether it is good enough.

use super::solve::{Added, Given, components};
use super::states::Varied;
use crate::start::{Sampler, State};
use holonom_kernel::Snapshot;
use holonom_kernel::linalg::cholesky::MassFactor;
use holonom_kernel::linalg::tolerance::rank_tolerance;
use holonom_kernel::motion::supplement::{Filled, Supplement};
use holonom_mechanics::compile::CompiledSystem;
use holonom_symbols::expr::{Graph, Id, Number, Symbol};
use std::collections::BTreeMap;

/// Systems of more coordinates stay as they are, since rows are chosen with dense matrices.
const DENSE: usize = 512;
/// How many states beside the start are looked at.
const AROUND: usize = 4;
/// The seed of those states.
const SEED: u64 = 1;

/// Where M is singular, adds rows to it and their right sides to the force; where it is not, changes nothing.
pub(super) fn supplement(graph: &mut Graph, given: &mut Given, system: &CompiledSystem, varied: &[Varied]) {
    given.added = choose(&Asked { graph, given, system, varied });
    let mut mass: Vec<BTreeMap<usize, Vec<(Number, Id)>>> = vec![BTreeMap::new(); given.mass.len()];
    let mut force: BTreeMap<usize, Vec<(Number, Id)>> = BTreeMap::new();
    for &Added { row, root } in &given.added {
        let Some(weight) = Number::rounded(root * root) else { continue };
        for &(i, a) in &given.rows[row] {
            for &(j, b) in &given.rows[row] {
                mass[i].entry(j).or_default().push((weight, graph.multiply(a, b)));
            }
            force.entry(i).or_default().push((weight, graph.multiply(a, given.right[row])));
        }
    }
    for (own, more) in given.mass.iter_mut().zip(mass) {
        for (j, mut terms) in more {
            terms.extend(own.remove(&j).map(|entry| (Number::ONE, entry)));
            let entry = graph.sum(&terms);
            if entry != Id::ZERO {
                own.insert(j, entry);
            }
        }
    }
    for (i, mut terms) in force {
        terms.push((Number::ONE, given.force[i]));
        given.force[i] = graph.sum(&terms);
    }
}

/// The equations to look at, and where their parameters are found.
struct Asked<'a> {
    graph: &'a Graph,
    given: &'a Given,
    system: &'a CompiledSystem,
    varied: &'a [Varied],
}

/// The rows to add; none where M is definite at some state, or where no rows help.
fn choose(asked: &Asked) -> Vec<Added> {
    let (n, m) = (asked.given.force.len(), asked.given.rows.len());
    if n > DENSE || m == 0 || asked.is_definite(&anywhere(n)) {
        return Vec::new();
    }
    let sampler = Sampler::of(asked.system.clone());
    let states = sampler.start().into_iter().chain(sampler.around(&[], AROUND, SEED));
    let states: Vec<State> = states.map(|sample| sample.state).collect();
    // A mass that vanishes at some states only is there at all others.
    if states.iter().any(|state| asked.is_definite(state)) {
        return Vec::new();
    }
    let found: Vec<[Vec<f64>; 2]> = states.iter().map(|state| [asked.mass(state), asked.rows(state)]).collect();
    let (none, rows): (Vec<f64>, Vec<usize>) = (vec![0.0; n.max(m)], (0..m).collect());
    let (mut chosen, mut filled, mut factor) = (Supplement::default(), Filled::default(), MassFactor::default());
    let mut best = (0.0, Vec::new());
    for [mass, a] in &found {
        if !chosen.choose(n, mass, a, &rows) {
            continue;
        }
        let margins = found.iter().map(|[mass, a]| {
            let snapshot = Snapshot::new(mass, &none[..n]).constrained(a, &none[..m]);
            filled.fill(&snapshot, chosen.rows.iter().copied());
            let is_definite = factor.decide(n, &filled.mass, rank_tolerance(n)).is_ok() && factor.rank == n;
            if is_definite { factor.margin().kept } else { 0.0 }
        });
        let margin = margins.fold(f64::INFINITY, f64::min);
        if margin > best.0 {
            best = (margin, chosen.rows.clone());
        }
    }
    best.1.into_iter().map(|(row, weight)| Added { row, root: weight.sqrt() }).collect()
}

/// A state without symmetries, on no constraints: a mass matrix that is definite in general is definite here, and the start need not be
/// found.
fn anywhere(n: usize) -> State {
    let spread = |i: usize| 0.2 + 0.6 * ((i + 1) as f64 * 0.618_033_988_749_895).fract();
    State { time: 0.37, positions: (0..n).map(spread).collect(), velocities: vec![0.0; n] }
}

impl Asked<'_> {
    /// Whether M is positive definite at a state, block by block.
    fn is_definite(&self, state: &State) -> bool {
        let (n, mass) = (state.positions.len(), self.mass(state));
        let mut factor = MassFactor::default();
        mass.iter().all(|x| x.is_finite())
            && components(&self.given.mass).into_iter().all(|places| {
                let size = places.len();
                let entries = places.iter().flat_map(|&i| places.iter().map(move |&j| i * n + j));
                let block: Vec<f64> = entries.map(|entry| mass[entry]).collect();
                factor.decide(size, &block, rank_tolerance(size)).is_ok() && factor.rank == size
            })
    }

    /// M at a state.
    fn mass(&self, state: &State) -> Vec<f64> {
        let rows = self.given.mass.iter().enumerate();
        self.matrix(rows.flat_map(|(i, row)| row.iter().map(move |(&j, &id)| (i, j, id))), self.given.mass.len(), state)
    }

    /// A at a state.
    fn rows(&self, state: &State) -> Vec<f64> {
        let rows = self.given.rows.iter().enumerate();
        self.matrix(rows.flat_map(|(i, row)| row.iter().map(move |&(j, id)| (i, j, id))), self.given.rows.len(), state)
    }

    /// A matrix of so many rows at a state, from its entries.
    fn matrix(&self, entries: impl Iterator<Item = (usize, usize, Id)>, rows: usize, state: &State) -> Vec<f64> {
        let n = state.positions.len();
        let (places, ids): (Vec<usize>, Vec<Id>) = entries.map(|(i, j, id)| (i * n + j, id)).unzip();
        let mut matrix = vec![0.0; rows * n];
        places.into_iter().zip(self.values(&ids, state)).for_each(|(place, value)| matrix[place] = value);
        matrix
    }

    /// Expressions at a state.
    fn values(&self, ids: &[Id], state: &State) -> Vec<f64> {
        let (n, parameters) = (state.positions.len(), self.system.parameters());
        self.graph.evaluate(ids, |symbol| match symbol {
            Symbol::Time => state.time,
            Symbol::Position(i) if (i as usize) < n => state.positions[i as usize],
            Symbol::Position(i) => parameters[self.varied[i as usize - n].place],
            Symbol::Velocity(i) => state.velocities[i as usize],
            Symbol::Parameter(i) => parameters[i as usize],
            _ => f64::NAN,
        })
    }
}
