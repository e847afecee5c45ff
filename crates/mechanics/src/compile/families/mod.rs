//! Families: expressions that differ only in their symbols and numbers are one small program over many instances.
//!
//! A chain of ten thousand links has ten thousand rows of one shape. Straight-line code for all of them takes long to
//! generate, and every evaluation reads it from memory again. Here the code of one row is generated once and evaluated for many rows in lanes.
//!
//! The outputs of a group are cut into items ([`Cuts`]), each item is read as a shape with slots ([`Reader`]), items of one
//! shape are a [`Family`]. A costly expression that several items share is an item of its own, and so are the terms of long
//! sums: families have levels, and a level needs only results of the levels before it.

mod cut;
mod family;
mod run;
mod shape;

use super::program::{self, Inputs, Program, stamp};
use cut::Cuts;
use family::{Collected, Family};
use holonom_symbols::expr::{FastMap, Graph, Id, Node, Number};
use pulp::Arch;
use run::{Cell, Run};
use shape::Reader;
use std::ops::Range;

/// Expressions that take fewer operations than this are better off as one program, which machine code can be made of.
const FEW: usize = 2000;
/// More levels than this mean that most of the work hangs on what was computed just before.
const LEVELS: u32 = 24;

/// Expressions of a graph as families.
#[derive(Clone, Debug)]
pub(crate) struct Families {
    levels: Vec<Level>,
    /// What depends on parameters alone, one value for each.
    fixed: Program,
    /// Outputs that are fixed: which, and where it goes.
    fixed_outputs: Vec<(u32, u32)>,
    outputs: usize,
    /// Outputs and what is computed on the way.
    size: usize,
}

/// Families that need only what was computed before.
#[derive(Clone, Debug, Default)]
struct Level {
    families: Vec<Family>,
    reductions: Vec<Reduction>,
}

/// A long sum of values of its terms and of something fixed.
#[derive(Clone, Debug)]
struct Reduction {
    terms: Range<usize>,
    fixed: u32,
    to: u32,
}

/// What depends on parameters alone, for one set of parameters.
#[derive(Clone, Debug)]
pub(crate) struct FixedParts {
    values: Vec<f64>,
    programs: Vec<program::Fixed>,
    stamp: u64,
}

/// The memory that families are evaluated in.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    values: Vec<f64>,
    outputs: usize,
    cells: Vec<Vec<Cell>>,
    stamp: u64,
}

impl Room {
    /// The values of the last evaluation, in the order of the expressions.
    #[inline]
    pub fn outputs(&self) -> &[f64] {
        &self.values[..self.outputs]
    }

    /// The same, to be written over until the next evaluation.
    pub fn outputs_mut(&mut self) -> &mut [f64] {
        &mut self.values[..self.outputs]
    }
}

/// Where the value of an expression that is cut goes, and from which level on it is there.
type Computed = FastMap<Id, (u32, u32)>;

impl Families {
    /// The expressions `roots` of `graph` as families, where that pays. `items` says which of them go together: for each its item.
    pub fn new(graph: &Graph, roots: &[Id], items: &[u32]) -> Option<Self> {
        let estimate = Cuts::estimate(graph, roots);
        if estimate.1 < FEW {
            return None;
        }
        let is_fixed = |id: Id| graph.depends(id).is_fixed();
        // Outputs by item, those that vary.
        let mut by_item: Vec<(u32, u32)> =
            items.iter().copied().zip(0..).filter(|&(_, output)| !is_fixed(roots[output as usize])).collect();
        by_item.sort_unstable();
        let by_item: Vec<&[(u32, u32)]> = by_item.chunk_by(|a, b| a.0 == b.0).collect();
        let cuts = Cuts::new(
            graph,
            estimate,
            by_item.iter().map(|item| item.iter().map(|&(_, output)| &roots[output as usize])),
        );
        let mut collector = Collector {
            graph,
            cuts: &cuts,
            reader: Reader::new(graph, &cuts),
            index: FastMap::default(),
            families: vec![],
            computed: FastMap::default(),
            reductions: vec![],
            size: roots.len(),
            items: 0,
            work: 0,
        };
        for &id in cuts.order.iter().filter(|&&id| cuts.is_cut(id)) {
            collector.cut(id);
            if collector.computed[&id].1 > LEVELS {
                return None;
            }
        }
        for item in by_item {
            let expressions: Vec<_> = item.iter().map(|&(_, output)| (Number::ONE, roots[output as usize])).collect();
            let places: Vec<u32> = item.iter().map(|&(_, output)| output).collect();
            collector.add(&expressions, None, &places);
        }
        if 4 * collector.families.len() > collector.items || collector.work > 16 * cuts.operations {
            return None;
        }
        // What is not written is zero.
        let fixed_outputs = (0..).zip(roots).filter(|&(_, &root)| is_fixed(root) && root != Id::ZERO);
        let fixed_outputs = fixed_outputs.map(|(place, &root)| (collector.reader.fixed.of(root), place)).collect();
        Some(collector.finish(roots.len(), fixed_outputs))
    }

    /// What depends on parameters alone, for these values of the parameters.
    pub fn fixed(&self, parameters: &[f64]) -> FixedParts {
        let held = self.fixed.fixed(parameters);
        let mut memory = self.fixed.memory();
        let values = self.fixed.interpret(&held, &Inputs::default(), &mut memory).to_vec();
        let of = |family: &Family| {
            let parameters: Vec<f64> = family.parameters.iter().map(|&number| values[number as usize]).collect();
            family.program.fixed(&parameters)
        };
        let programs = self.families().map(of).collect();
        FixedParts { values, programs, stamp: stamp() }
    }

    fn families(&self) -> impl Iterator<Item = &Family> {
        self.levels.iter().flat_map(|level| &level.families)
    }

    /// Memory to evaluate in.
    pub fn room(&self) -> Room {
        Room {
            values: vec![0.0; self.size],
            outputs: self.outputs,
            cells: self.families().map(|family| run::cells(family.program.memory_size())).collect(),
            stamp: 0,
        }
    }

    /// The values of the expressions. Allocates nothing.
    ///
    /// # Panics
    /// If inputs are missing that the expressions mention, or the memory or the fixed part belongs to others.
    pub fn evaluate(&self, fixed: &FixedParts, inputs: &Inputs, room: &mut Room) {
        assert_eq!(room.values.len(), self.size, "the memory belongs to other families");
        if room.stamp != fixed.stamp {
            for ((family, held), cells) in self.families().zip(&fixed.programs).zip(&mut room.cells) {
                family.program.place_fixed(held, |place, value| cells[place] = run::everywhere(value));
            }
            for &(number, place) in &self.fixed_outputs {
                room.values[place as usize] = fixed.values[number as usize];
            }
            room.stamp = fixed.stamp;
        }
        let time = [inputs.t];
        let [q, v, acceleration, multiplier, reaction, slip, normal] = inputs.slices();
        let sources = [q, v, acceleration, multiplier, reaction, slip, normal, &time[..], &fixed.values];
        Arch::new().dispatch(Run { levels: &self.levels, sources, cells: &mut room.cells, values: &mut room.values });
    }

    /// How many families there are.
    pub fn count(&self) -> usize {
        self.families().count()
    }

    /// How many operations the programs of all families take, each done once.
    pub fn operations(&self) -> usize {
        self.families().map(|family| family.program.operations()).sum()
    }
}

/// Families that are being collected.
struct Collector<'a> {
    graph: &'a Graph,
    cuts: &'a Cuts,
    reader: Reader<'a>,
    /// Families by shape; those of one shape on several levels are chained.
    index: FastMap<Vec<u32>, Vec<u32>>,
    families: Vec<Collected>,
    computed: Computed,
    /// Long sums, with their level.
    reductions: Vec<(u32, Reduction)>,
    size: usize,
    items: usize,
    /// How long all shapes are together.
    work: usize,
}

impl Collector<'_> {
    fn place(&mut self) -> u32 {
        self.size += 1;
        (self.size - 1) as u32
    }

    /// Makes an item of an expression that is cut, or one of every term.
    fn cut(&mut self, id: Id) {
        let (place, level) = match self.graph.node(id) {
            Node::Sum { constant, terms } if cut::is_long(self.graph, id) => {
                let (fixed, varying): (Vec<_>, Vec<_>) =
                    terms.iter().copied().partition(|&(_, term)| self.graph.depends(term).is_fixed());
                let start = self.size;
                let mut level = 0;
                for term in varying {
                    let place = self.place();
                    level = level.max(self.add(&[term], None, &[place]));
                }
                let (fixed, terms) = (self.reader.fixed.sum(*constant, &fixed), start..self.size);
                let to = self.place();
                self.reductions.push((level, Reduction { terms, fixed, to }));
                (to, level)
            }
            _ => {
                let place = self.place();
                (place, self.add(&[(Number::ONE, id)], Some(id), &[place]))
            }
        };
        self.computed.insert(id, (place, level + 1));
    }

    /// Adds an item to its family, and says on which level it is.
    fn add(&mut self, expressions: &[(Number, Id)], whole: Option<Id>, places: &[u32]) -> u32 {
        let mut level = 0;
        let computed = &self.computed;
        self.reader.read(self.cuts, expressions, whole, |id| {
            let (place, from) = computed[&id];
            level = level.max(from);
            place
        });
        let Reader { words, kinds, slots, .. } = &self.reader;
        self.items += 1;
        self.work += words.len();
        if !self.index.contains_key(&words[..]) {
            self.index.insert(words.clone(), vec![]);
        }
        let same = self.index.get_mut(&words[..]).expect("was put in");
        let number = same.iter().copied().find(|&number| self.families[number as usize].level == level);
        let number = number.unwrap_or_else(|| {
            let (words, kinds) = (words.clone(), kinds.clone());
            self.families.push(Collected { words, kinds, level, instances: 0, slots: vec![], places: vec![] });
            same.push((self.families.len() - 1) as u32);
            (self.families.len() - 1) as u32
        });
        let family = &mut self.families[number as usize];
        family.instances += 1;
        family.slots.extend_from_slice(slots);
        family.places.extend_from_slice(places);
        level
    }

    fn finish(self, outputs: usize, fixed_outputs: Vec<(u32, u32)>) -> Families {
        let depth = self.families.iter().map(|family| family.level + 1).max().unwrap_or(0) as usize;
        let mut levels = vec![Level::default(); depth];
        let Reader { fixed, operations, .. } = self.reader;
        for family in self.families {
            levels[family.level as usize].families.push(family.finish(&fixed, &operations));
        }
        for (level, reduction) in self.reductions {
            levels[level as usize].reductions.push(reduction);
        }
        let fixed = Program::new(&fixed.graph, &fixed.values);
        Families { levels, fixed, fixed_outputs, outputs, size: self.size }
    }
}

#[cfg(test)]
mod tests;
