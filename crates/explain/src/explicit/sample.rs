//! Admissible states to look at, and which parameters may be symbols.
//!
//! A formula is to hold for all values of the parameters near the given ones. Where the given ones are special (`m1 = 0`, or
//! two lengths that are equal), leaving them symbols would change the ranks, and the formula would be 0/0 where it is
//! needed. Then zeros are put in, equal ones are made one, and what is special in another way is put in as its number.

use super::solution::{Mismatch, Ranks, SolveOptions};
use holonom_kernel::Workspace;
use holonom_mechanics::derive::Equations;
use holonom_simulate::start::{NEAR, Sample, Sampler, WIDE};
use holonom_symbols::algebra::{Budget, Exhausted};
use holonom_symbols::expr::{Graph, Id, Number, Symbol};

/// How many states far from the start say what is zero.
const FAR: usize = 3;

/// How many states show the ranks of one set of parameters.
const PROBES: usize = 4;

/// Where rows are nearer to repeating each other than this, nobody can tell on which side of it a state is: constraints that touch
/// instead of crossing are met to 1e-13 at states that are 1e-6 away from where they are.
const CLEAR: f64 = 1e-5;

/// States meet the constraints to about this part of the size of their coordinates.
const MISSED: f64 = 1e-13;

/// Points at which expressions are evaluated.
#[derive(Clone)]
pub(super) struct Values {
    points: Vec<Vec<(Symbol, f64)>>,
    /// For each point, one beside it.
    beside: Vec<Vec<(Symbol, f64)>>,
}

impl Values {
    /// At samples, with further symbols where they are known.
    pub(super) fn new(samples: &[&Sample]) -> Self {
        let points: Vec<_> = samples.iter().map(|sample| point(sample)).collect();
        let moved = |(sample, point): (&&Sample, &Vec<(Symbol, f64)>)| {
            let way = |i: u32| MISSED * if i.is_multiple_of(2) { 1.0 } else { -0.7 } * (1.0 + 0.1 * f64::from(i % 5));
            let mut beside = point.clone();
            for (symbol, value) in &mut beside {
                match *symbol {
                    Symbol::Position(i) => *value += way(i) * sample.sizes[0][i as usize],
                    Symbol::Velocity(i) => *value += way(i) * sample.sizes[1][i as usize],
                    _ => {}
                }
            }
            beside
        };
        let beside = samples.iter().zip(&points).map(moved).collect();
        Self { points, beside }
    }

    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// With the points of other values after them.
    pub(super) fn and(&self, others: Self) -> Self {
        let mut all = self.clone();
        all.points.extend(others.points);
        all.beside.extend(others.beside);
        all
    }

    /// With a further symbol that stands for an expression.
    pub(super) fn define(&mut self, graph: &Graph, symbol: Symbol, id: Id) {
        for point in self.points.iter_mut().chain(&mut self.beside) {
            define(point, graph, symbol, id);
        }
    }

    /// For each point, the values of `ids`.
    pub(super) fn of(&self, graph: &Graph, ids: &[Id]) -> Vec<Vec<f64>> {
        self.points.iter().map(|point| graph.evaluate(ids, |symbol| lookup(point, symbol))).collect()
    }

    /// What those values may be off by: what sums that cancel are rounded by, and what states miss the constraints by.
    pub(super) fn noise(&self, graph: &Graph, ids: &[Id]) -> Vec<Vec<f64>> {
        let at = |point: &[(Symbol, f64)], beside: &[(Symbol, f64)]| -> Vec<f64> {
            let terms = graph.magnitudes(ids, |symbol| lookup(point, symbol));
            let here = graph.evaluate(ids, |symbol| lookup(point, symbol));
            let there = graph.evaluate(ids, |symbol| lookup(beside, symbol));
            let all = terms.iter().zip(&here).zip(&there);
            all.map(|((terms, here), there)| MISSED * terms + (here - there).abs()).collect()
        };
        self.points.iter().zip(&self.beside).map(|(point, beside)| at(point, beside)).collect()
    }
}

/// All symbols of a sample with their values, in order.
pub(super) fn point(sample: &Sample) -> Vec<(Symbol, f64)> {
    let list = |values: &[f64], symbol: fn(u32) -> Symbol| -> Vec<(Symbol, f64)> {
        values.iter().enumerate().map(|(i, &value)| (symbol(i as u32), value)).collect()
    };
    let mut point = vec![(Symbol::Time, sample.state.time)];
    point.extend(list(&sample.parameters, Symbol::Parameter));
    point.extend(list(&sample.state.positions, Symbol::Position));
    point.extend(list(&sample.state.velocities, Symbol::Velocity));
    if let Some(answer) = &sample.answer {
        point.extend(list(&answer.motion.acceleration, Symbol::Acceleration));
        point.extend(list(&answer.multipliers, Symbol::Multiplier));
        point.extend(list(&answer.reactions, Symbol::Reaction));
        let normals: Vec<f64> = answer.sliding.iter().map(|normal| normal.unwrap_or(0.0)).collect();
        point.extend(list(&normals, Symbol::Normal));
    }
    point
}

/// Gives a point a further symbol, with the value that an expression has there.
pub(super) fn define(point: &mut Vec<(Symbol, f64)>, graph: &Graph, symbol: Symbol, id: Id) {
    let value = graph.evaluate(&[id], |symbol| lookup(point, symbol))[0];
    let at = point.partition_point(|(known, _)| *known < symbol);
    point.insert(at, (symbol, value));
}

pub(super) fn lookup(point: &[(Symbol, f64)], symbol: Symbol) -> f64 {
    point.binary_search_by_key(&symbol, |(known, _)| *known).map_or(f64::NAN, |at| point[at].1)
}

/// The states of a model that formulas are made for and held against.
pub(super) struct Ground {
    pub(super) sampler: Sampler,
    /// Where the motion starts, if that can be told.
    pub(super) start: Option<Sample>,
    pub(super) samples: Vec<Sample>,
    /// Further states, far from the start, that say only what is zero.
    pub(super) far: Vec<Sample>,
    /// How many sets of parameters there are among the samples.
    pub(super) sets: usize,
    /// Parameters that are replaced, and by what.
    pub(super) substituted: Vec<(usize, Replacement)>,
    pub(super) ranks: Ranks,
    /// The rows to keep, independent where all are that can be, by their place among those in force.
    kept: Vec<usize>,
}

/// What stands in place of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Replacement {
    Zero,
    /// Another parameter.
    Same(usize),
    /// Its value.
    Value(f64),
}

impl Replacement {
    /// As an expression; `given` is the one that the model gives, if nobody set another.
    pub(super) fn expression(self, graph: &mut Graph, given: Option<Id>) -> Id {
        match self {
            Self::Zero => Id::ZERO,
            Self::Same(other) => graph.symbol(Symbol::Parameter(other as u32)),
            Self::Value(value) => {
                given.or_else(|| Number::rounded(value).map(|number| graph.number(number))).unwrap_or(Id::ZERO)
            }
        }
    }
}

fn ranks(sample: &Sample) -> Ranks {
    let motion = &sample.ideal;
    Ranks { constraints: motion.constraint_rank.rank, system: motion.system_rank.rank, mass: motion.mass_rank }
}

/// The largest ranks among samples: where they are less, the state is a singular one.
fn generic(samples: &[Sample]) -> Option<Ranks> {
    let most = |of: fn(Ranks) -> usize| samples.iter().map(|sample| of(ranks(sample))).max();
    Some(Ranks { constraints: most(|r| r.constraints)?, system: most(|r| r.system)?, mass: most(|r| r.mass)? })
}

impl Ground {
    /// Looks around the start of a model; nothing if no admissible state can be found.
    ///
    /// # Errors
    /// Where nobody wants it any more.
    pub(super) fn new(
        equations: &Equations,
        options: &SolveOptions,
        budget: &Budget,
    ) -> Result<Option<Self>, Exhausted> {
        let (set, count, seed) = (&options.set[..], options.states, options.seed);
        budget.go_on()?;
        let sampler = Sampler::new(equations, set);
        let start = sampler.start();
        if !sampler.finite {
            return Ok(None);
        }
        budget.go_on()?;
        // Constraints may have several branches, with ranks of their own: what counts is the branch of the start.
        let near = sampler.within(NEAR, &[], PROBES, seed);
        let first = sampler.around(&[], PROBES, seed);
        // The ranks of the start alone say nothing of the states around it: it may be a singular one.
        let at_values = generic(&near).or_else(|| generic(&first));
        let Some(at_values) = at_values else { return Ok(None) };
        let kept = near.iter().chain(&first).chain(&start).find(|sample| ranks(sample) == at_values).map(independent);
        let Some(kept) = kept else { return Ok(None) };
        let used = used_parameters(equations, set);
        let mut ground = Self {
            sampler,
            start,
            samples: first,
            far: Vec::new(),
            sets: 1,
            substituted: Vec::new(),
            ranks: at_values,
            kept,
        };
        ground.settle(&used, seed, budget)?;
        let sets = 4usize.min(1 + used.len());
        let per_set = count.div_ceil(sets.max(1));
        let mut samples = std::mem::take(&mut ground.samples);
        samples.extend(ground.sampler.around(&[], per_set.saturating_sub(PROBES), seed ^ 0x55));
        for which in 1..sets as u64 {
            budget.go_on()?;
            let more = ground.sampler.around(&ground.changed(&used, which), per_set, seed ^ (which << 32));
            ground.sets += usize::from(!more.is_empty());
            samples.extend(more);
        }
        samples.retain(|sample| ground.is_generic(sample));
        for (reach, seed) in [(WIDE, seed ^ 0x77), (NEAR, seed ^ 0x99)] {
            if samples.len() < count {
                budget.go_on()?;
                samples.extend(ground.sampler.within(reach, &[], count - samples.len(), seed));
                samples.retain(|sample| ground.is_generic(sample));
            }
        }
        ground.samples = samples;
        budget.go_on()?;
        let mut far = ground.sampler.far(FAR, seed ^ 0xbb);
        far.retain(|sample| ground.is_generic(sample));
        ground.far = far;
        Ok(Some(ground))
    }

    /// Other values for the parameters that are symbols.
    fn changed(&self, used: &[usize], which: u64) -> Vec<(usize, f64)> {
        let mut list: Vec<(usize, f64)> = Vec::new();
        for &i in used {
            if self.substituted.iter().any(|(j, _)| *j == i) {
                continue;
            }
            list.push((i, moved(self.sampler.parameters()[i], which << 16 | i as u64)));
        }
        for &(i, replacement) in &self.substituted {
            if let Replacement::Same(other) = replacement
                && let Some(&(_, value)) = list.iter().find(|(j, _)| *j == other)
            {
                list.push((i, value));
            }
        }
        list
    }

    /// Whether the ranks stay when parameters change; nothing where no state was found then.
    fn stays(&self, changed: &[(usize, f64)], seed: u64) -> Option<bool> {
        if changed.is_empty() {
            return Some(true);
        }
        generic(&self.sampler.within(NEAR, changed, 3, seed)).map(|found| found == self.ranks)
    }

    /// Decides which parameters are special at their values.
    fn settle(&mut self, used: &[usize], seed: u64, budget: &Budget) -> Result<(), Exhausted> {
        let stays = |which: u64| self.stays(&self.changed(used, which), seed) == Some(true);
        if stays(1) && stays(2) {
            return Ok(());
        }
        let values = self.sampler.parameters().to_vec();
        for (at, &i) in used.iter().enumerate() {
            budget.go_on()?;
            let alone = [(i, moved(values[i], 77 + i as u64))];
            // Where no state is left, the constraints can be met for special values only.
            if self.stays(&alone, seed) == Some(true) {
                continue;
            }
            let equal = used[..at].iter().copied().find(|&j| values[j] == values[i] && values[i] != 0.0);
            let replacement = match equal {
                _ if values[i] == 0.0 => Replacement::Zero,
                Some(other) if !self.substituted.iter().any(|(j, _)| *j == other) => Replacement::Same(other),
                _ => match used[at + 1..].iter().any(|&j| values[j] == values[i]) {
                    // A later one that is equal will follow this one.
                    true => continue,
                    false => Replacement::Value(values[i]),
                },
            };
            self.substituted.push((i, replacement));
        }
        if self.stays(&self.changed(used, 3), seed) == Some(false) {
            // Special in a way that no single parameter shows: all of them as numbers.
            let number = |&i: &usize| match values[i] {
                0.0 => (i, Replacement::Zero),
                value => (i, Replacement::Value(value)),
            };
            self.substituted = used.iter().map(number).collect();
        }
        Ok(())
    }

    /// Whether the ranks at a sample are those of almost all states on the branch of the start, and the kept rows
    /// independent there too.
    pub(super) fn is_generic(&self, sample: &Sample) -> bool {
        if ranks(sample) != self.ranks || sample.ideal.constraint_rank.gap < CLEAR {
            return false;
        }
        let (n, rows) = (sample.force.len(), sample.b.len());
        if self.kept.len() == rows {
            return true;
        }
        let a: Vec<f64> = self.kept.iter().flat_map(|&row| &sample.a[row * n..(row + 1) * n]).copied().collect();
        let b: Vec<f64> = self.kept.iter().map(|&row| sample.b[row]).collect();
        let system = holonom_kernel::Snapshot::new(&sample.mass, &sample.force).constrained(&a, &b);
        Workspace::new().audit(&system).is_ok_and(|audit| audit.redundant.is_empty())
    }

    /// The rows to keep, by their place among those in force.
    pub(super) fn independent(&self) -> Vec<usize> {
        self.kept.clone()
    }

    /// The sample at which something was found to differ.
    pub(super) fn place_of(&self, mismatch: &Mismatch) -> Option<&Sample> {
        let mut samples = self.start.iter().chain(&self.samples);
        samples.find(|sample| sample.state == mismatch.state && sample.parameters == mismatch.parameters)
    }
}

/// The rows that repeat no others at a sample.
fn independent(sample: &Sample) -> Vec<usize> {
    let redundant: Vec<usize> = sample.audit.redundant.iter().map(|r| r.row).collect();
    (0..sample.b.len()).filter(|row| !redundant.contains(row)).collect()
}

/// A value near another; a zero moves to something that is not small.
fn moved(value: f64, seed: u64) -> f64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let unit = ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
    if value == 0.0 { 0.3 + 0.5 * unit } else { value * (0.85 + 0.3 * unit) }
}

/// The parameters that the equations contain and that do not follow from others.
fn used_parameters(equations: &Equations, set: &[(usize, f64)]) -> Vec<usize> {
    let graph = &equations.graph;
    let mut roots: Vec<Id> = equations.mass.ids().collect();
    roots.extend(&equations.force);
    for row in &equations.rows {
        roots.extend(row.a.iter().map(|&(_, id)| id));
        roots.push(row.b);
        roots.extend(row.position.iter().chain(&row.velocity));
    }
    for part in &equations.nonideal {
        roots.extend(&part.force);
    }
    let own =
        |i: usize| set.iter().any(|(j, _)| *j == i) || graph.symbols(&[equations.model.parameters[i].value]).is_empty();
    let mut used: Vec<usize> = Vec::new();
    let mut open: Vec<Symbol> = graph.symbols(&roots);
    while let Some(symbol) = open.pop() {
        let Symbol::Parameter(i) = symbol else { continue };
        let i = i as usize;
        if own(i) {
            used.push(i);
        } else {
            open.extend(graph.symbols(&[equations.model.parameters[i].value]));
        }
    }
    used.sort_unstable();
    used.dedup();
    used
}
