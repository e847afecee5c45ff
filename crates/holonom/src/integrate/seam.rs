//! Forces that jump at seams which velocities cross, with the branch that each takes: its own, one that is held for a step, or what lies
//! between both and keeps the motion on the seam.
//!
//! Branches are written into the graph in place of what decides, so that forces on either side are exact at the seam itself. Along seams
//! that hold, Q = Q₋ + Σ αₖ ΔQₖ, where Q₋ takes every branch below and ΔQₖ is what the branch above of seam k changes.

mod hold;

use super::filippov::Side;
use super::switch::{Jump, has_seams, jumps, switches};
use crate::compile::{Fixed, Inputs, Memory, Program, System};
use crate::expr::{FastMap, Graph, Id, Symbol};

/// What rounding may do to a sum, as a part of its terms.
const ROUNDING: f64 = 1e-13;
/// Jumps of two seams that add up do so to this part of the forces.
const ENTANGLED: f64 = 1e-12;

/// Which branch the forces of a seam take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Branch {
    /// The one of the state.
    Own,
    /// The one of a side, on both sides: a step that ends at the seam, or begins there, is smooth.
    Of(Side),
    /// Whatever is in between and holds the motion on the seam.
    Held,
}

/// Expressions for some branches, with memory of their own.
#[derive(Clone)]
struct Compiled {
    program: Program,
    fixed: Fixed,
    memory: Memory,
}

impl Compiled {
    fn new(graph: &Graph, roots: &[Id], system: &System) -> Self {
        let program = Program::new(graph, roots);
        Self { fixed: program.fixed(system.parameters()), memory: program.memory(), program }
    }

    fn evaluate(&mut self, inputs: &Inputs) -> &[f64] {
        self.program.evaluate(&self.fixed, inputs, &mut self.memory)
    }
}

/// The seams of a system at which motions may be held.
#[derive(Clone)]
pub(super) struct Seams {
    n: usize,
    graph: Graph,
    list: Vec<Jump>,
    branches: Vec<Branch>,
    /// Those that hold, in order.
    held: Vec<usize>,
    /// The coordinates whose forces jump at seams whose branch is not their own.
    coordinates: Vec<usize>,
    forces: Option<Compiled>,
    /// The power of impressed forces, where it jumps as well: that of Q₋, and with each seam above.
    power: Option<Compiled>,
    /// ∂ṡ/∂q and ∂ṡ/∂q̇ of the seams that hold, with accelerations given; once stiff methods ask.
    slopes: Option<Compiled>,
    /// How accelerations answer to each ΔQ.
    pub(super) answers: Vec<f64>,
    /// ΔQ of the seam that is answered, over all coordinates.
    pub(super) direction: Vec<f64>,
    /// r and W of ṡ = r + W α, what rates are made of, and α.
    pub(super) rates: Vec<f64>,
    pub(super) matrix: Vec<f64>,
    pub(super) sizes: Vec<f64>,
    pub(super) alphas: Vec<f64>,
    room: Vec<f64>,
    right: Vec<f64>,
    /// Seams of which it was said that the motion holds to them.
    pub(super) noted: Vec<bool>,
}

impl Seams {
    /// Nothing where there are none.
    pub(super) fn new(system: &System) -> Option<Self> {
        let equations = system.equations();
        if !has_seams(equations) {
            return None;
        }
        let mut graph = equations.graph.clone();
        let switches = switches(equations, &mut graph);
        let list = jumps(equations, &mut graph, &switches);
        let count = list.len();
        (count > 0).then(|| Self {
            n: system.coordinates(),
            graph,
            list,
            branches: vec![Branch::Own; count],
            held: Vec::new(),
            coordinates: Vec::new(),
            forces: None,
            power: None,
            slopes: None,
            answers: Vec::new(),
            direction: Vec::new(),
            rates: Vec::new(),
            matrix: Vec::new(),
            sizes: Vec::new(),
            alphas: Vec::new(),
            room: Vec::new(),
            right: Vec::new(),
            noted: vec![false; count],
        })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn branch(&self, seam: usize) -> Branch {
        self.branches[seam]
    }

    pub(super) fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// What decides by the sign of a seam, with its branches above and below.
    pub(super) fn deciding(&self, seam: usize) -> &[(Id, Id, Id)] {
        &self.list[seam].branches
    }

    /// The seams that hold.
    pub(super) fn held(&self) -> &[usize] {
        &self.held
    }

    /// Where the force of a seam that holds is between its two values.
    pub(super) fn alpha(&self, seam: usize) -> Option<f64> {
        self.held.iter().position(|one| *one == seam).map(|place| self.alphas[place])
    }

    /// Whether forces are those of the state.
    pub(super) fn are_own(&self) -> bool {
        self.forces.is_none()
    }

    /// Parameters have other values.
    pub(super) fn take_parameters(&mut self, system: &System) {
        for compiled in [&mut self.forces, &mut self.power, &mut self.slopes].into_iter().flatten() {
            compiled.fixed = compiled.program.fixed(system.parameters());
        }
    }

    /// Forces take other branches from now on.
    pub(super) fn take(&mut self, branches: Vec<Branch>, system: &System) {
        if branches == self.branches {
            return;
        }
        self.branches = branches;
        self.held = (0..self.len()).filter(|&k| self.branches[k] == Branch::Held).collect();
        let (n, count) = (self.n, self.held.len());
        self.answers = vec![0.0; count * n];
        self.direction = vec![0.0; n];
        self.rates = vec![0.0; count];
        self.matrix = vec![0.0; count * count];
        self.sizes = vec![0.0; count];
        self.alphas = vec![0.5; count];
        self.room = vec![0.0; count * count];
        self.right = vec![0.0; count];
        (self.forces, self.power, self.slopes) = (None, None, None);
        if self.branches.iter().all(|branch| *branch == Branch::Own) {
            return;
        }
        let equations = system.equations();
        let below = self.exchanges(|_| Side::Below);
        let jumps = |id: &Id| self.graph.reachable(&[*id]).iter().any(|one| below.contains_key(one));
        self.coordinates = (0..n).filter(|&j| jumps(&equations.force[j])).collect();
        let power_jumps = jumps(&equations.power);
        let forces: Vec<Id> = self.coordinates.iter().map(|&j| equations.force[j]).collect();
        let mut roots = self.graph.exchange(&forces, &below);
        let mut powers = self.graph.exchange(&[equations.power], &below);
        for k in self.held.clone() {
            let above = self.exchanges(|one| if one == k { Side::Above } else { Side::Below });
            roots.extend(self.graph.exchange(&forces, &above));
            powers.extend(self.graph.exchange(&[equations.power], &above));
        }
        for k in self.held.clone() {
            roots.extend(self.conditions(k));
        }
        self.forces = Some(Compiled::new(&self.graph, &roots, system));
        self.power = power_jumps.then(|| Compiled::new(&self.graph, &powers, system));
    }

    /// What stands in place of what decides, where seams that hold are on some sides.
    fn exchanges(&self, side: impl Fn(usize) -> Side) -> FastMap<Id, Id> {
        let mut with = FastMap::default();
        for (k, jump) in self.list.iter().enumerate() {
            let side = match self.branches[k] {
                Branch::Own => continue,
                Branch::Of(side) => side,
                Branch::Held => side(k),
            };
            with.extend(jump.branches.iter().map(|&(id, above, below)| match side {
                Side::Above => (id, above),
                Side::Below => (id, below),
            }));
        }
        with
    }

    /// s, ṡ without accelerations, and ∂s/∂q̇ of a seam.
    fn conditions(&mut self, seam: usize) -> Vec<Id> {
        let function = self.list[seam].function;
        let velocities: Vec<Symbol> = (0..self.n as u32).map(Symbol::Velocity).collect();
        let mut roots = vec![function];
        roots.extend(self.graph.derivatives(&[function], |symbol, graph| match symbol {
            Symbol::Time => Some(Id::ONE),
            Symbol::Position(i) => Some(graph.symbol(Symbol::Velocity(i))),
            _ => None,
        }));
        roots.extend(self.graph.gradient(function, &velocities));
        roots
    }

    /// Whether what one of the seams that hold does to the forces depends on the side of another, at a state: then what lies between all
    /// their values is not known.
    pub(super) fn are_entangled(&mut self, system: &System, inputs: &Inputs) -> bool {
        let force = &system.equations().force;
        let reached: Vec<Vec<usize>> = self.held.iter().map(|&k| self.forces_of(k, force)).collect();
        for (k, own) in reached.iter().enumerate() {
            for (l, other) in reached[..k].iter().enumerate() {
                let shared: Vec<Id> = own.iter().filter(|j| other.contains(j)).map(|&j| force[j]).collect();
                let mut roots = Vec::new();
                for above in [&[][..], &[k], &[l], &[k, l]] {
                    let is_above = |seam: usize| above.iter().any(|&place| self.held[place] == seam);
                    let with = self.exchanges(|seam| if is_above(seam) { Side::Above } else { Side::Below });
                    roots.extend(self.graph.exchange(&shared, &with));
                }
                let values = Compiled::new(&self.graph, &roots, system).evaluate(inputs).to_vec();
                let at = |which: usize, j: usize| values[which * shared.len() + j];
                let adds_up = |j: usize| {
                    let size: f64 = (0..4).map(|which| at(which, j).abs()).sum();
                    (at(0, j) + at(3, j) - at(1, j) - at(2, j)).abs() <= ENTANGLED * size
                };
                if !(0..shared.len()).all(adds_up) {
                    return true;
                }
            }
        }
        false
    }

    /// The coordinates whose forces switch at a seam.
    fn forces_of(&self, seam: usize, force: &[Id]) -> Vec<usize> {
        let deciding = self.deciding(seam);
        let switches = |id: Id| self.graph.reachable(&[id]).iter().any(|one| deciding.iter().any(|d| d.0 == *one));
        (0..self.n).filter(|&j| switches(force[j])).collect()
    }

    /// Evaluates all branches at a state and writes Q₋ over the forces that jump.
    pub(super) fn evaluate(&mut self, inputs: &Inputs, force: &mut [f64]) {
        let Some(forces) = &mut self.forces else { return };
        let values = forces.evaluate(inputs);
        self.coordinates.iter().zip(values).for_each(|(&j, value)| force[j] = *value);
    }

    /// The values of seams that hold, at the state that was evaluated last: s, ṡ without accelerations and ∂s/∂q̇ of each.
    pub(super) fn condition(&self, place: usize) -> (f64, f64, &[f64]) {
        let values = self.forces.as_ref().map_or(&[][..], |forces| forces.memory.outputs());
        let first = (1 + self.held.len()) * self.coordinates.len() + place * (2 + self.n);
        (values[first], values[first + 1], &values[first + 2..first + 2 + self.n])
    }

    /// Evaluates the seams that hold, at a state.
    pub(super) fn look(&mut self, inputs: &Inputs) {
        if let Some(forces) = &mut self.forces {
            forces.evaluate(inputs);
        }
    }

    /// ΔQ of a seam that holds, into `direction`.
    pub(super) fn write_direction(&mut self, place: usize) {
        let Some(forces) = &self.forces else { return };
        let (values, count) = (forces.memory.outputs(), self.coordinates.len());
        let above = &values[(1 + place) * count..(2 + place) * count];
        self.direction.fill(0.0);
        for ((&j, above), below) in self.coordinates.iter().zip(above).zip(values) {
            self.direction[j] = above - below;
        }
    }

    /// Writes Q with all seams that hold where they are between their two values.
    pub(super) fn write_force(&self, force: &mut [f64]) {
        let Some(forces) = &self.forces else { return };
        let (values, count) = (forces.memory.outputs(), self.coordinates.len());
        for (place, &j) in self.coordinates.iter().enumerate() {
            let changes = self.alphas.iter().enumerate();
            let changed = changes.map(|(k, alpha)| alpha * (values[(1 + k) * count + place] - values[place]));
            force[j] = values[place] + changed.sum::<f64>();
        }
    }

    /// The power of impressed forces where it jumps, with accelerations given.
    pub(super) fn power(&mut self, inputs: &Inputs) -> Option<f64> {
        let values = self.power.as_mut()?.evaluate(inputs);
        let changes = self.alphas.iter().zip(&values[1..]).map(|(alpha, above)| alpha * (above - values[0]));
        Some(values[0] + changes.sum::<f64>())
    }

    /// The seams that a state lies on, up to rounding of velocities, which are measured by `sizes`.
    pub(super) fn at_zero(&mut self, system: &System, inputs: &Inputs, sizes: &[f64]) -> Vec<usize> {
        let mut roots = Vec::new();
        for k in 0..self.len() {
            roots.extend(self.conditions(k));
        }
        let values = Compiled::new(&self.graph, &roots, system).evaluate(inputs).to_vec();
        let is_at_zero = |values: &[f64]| {
            let size: f64 = values[2..].iter().zip(sizes).map(|(a, size)| (a * size).abs()).sum();
            values[0].abs() <= ROUNDING * size
        };
        (0..self.len()).zip(values.chunks_exact(2 + self.n)).filter(|(_, v)| is_at_zero(v)).map(|(k, _)| k).collect()
    }
}
