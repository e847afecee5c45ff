//! Forces that jump at seams which velocities cross, with the branch that each takes: its own, one that is held for a step, or what lies
//! between both and keeps the motion on the seam.
//!
//! Branches are written into the graph in place of what decides, so that forces on either side are exact at the seam itself. Along seams
//! that hold, Q = Q₋ + Σ αₖ ΔQₖ, where Q₋ takes every branch below and ΔQₖ is what the branch above of seam k changes.

mod hold;
mod share;

pub(super) use share::share;

use super::filippov::{MIDDLE, Side};
use super::switch::{Jump, has_seams, jumps, switches};
use holonom_mechanics::compile::{CompiledSystem, Fixed, Inputs, Memory, Program};
use holonom_symbols::expr::{FastMap, Graph, Id, Symbol};

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
    /// Something else holds the motion on the seam, and this force changes no acceleration there; it takes of the load what it can.
    Idle,
}

impl Branch {
    /// Whether the motion stays on the seam.
    fn stays(self) -> bool {
        matches!(self, Self::Held | Self::Idle)
    }
}

/// Expressions for some branches, with memory of their own.
#[derive(Clone)]
struct Compiled {
    program: Program,
    fixed: Fixed,
    memory: Memory,
}

impl Compiled {
    fn new(graph: &Graph, roots: &[Id], system: &CompiledSystem) -> Self {
        let program = Program::new(graph, roots);
        Self { fixed: program.fixed(system.parameters()), memory: program.memory(), program }
    }

    fn evaluate(&mut self, inputs: &Inputs) -> &[f64] {
        self.program.evaluate(&self.fixed, inputs, &mut self.memory)
    }
}

/// A seam, and what it is about.
#[derive(Clone)]
struct Seam {
    jump: Jump,
    /// The coordinates whose forces switch there.
    coordinates: Vec<usize>,
    /// The velocities that s depends on.
    velocities: Vec<usize>,
    /// s, ṡ without accelerations, and ∂s/∂q̇ for each of the velocities.
    conditions: Vec<Id>,
}

/// What s of a seam is at a state.
pub(super) struct Condition<'a> {
    value: f64,
    /// ṡ without accelerations.
    rest: f64,
    velocities: &'a [usize],
    slopes: &'a [f64],
}

impl Condition<'_> {
    /// The terms of ∂s/∂q̇ · x.
    fn terms(&self, x: &[f64]) -> impl Iterator<Item = f64> {
        self.velocities.iter().zip(self.slopes).map(|(&j, slope)| slope * x[j])
    }
}

/// The seams that hold, with their numbers at the state that was evaluated last.
#[derive(Clone, Default)]
pub(super) struct Holding {
    /// Which, in order.
    seams: Vec<usize>,
    /// Those that something else holds.
    is_idle: Vec<bool>,
    /// Of such a seam the row that holds a contact there, and how its force answers to ΔQ.
    eased: Vec<Option<(usize, f64)>>,
    /// Where the forces above, and the conditions of each stand among the values.
    places: Vec<(usize, usize)>,
    /// How accelerations answer to each ΔQ.
    pub(super) answers: Vec<f64>,
    /// ΔQ of the seam that is answered, over all coordinates.
    pub(super) direction: Vec<f64>,
    /// r and W of ṡ = r + W α, what rates are made of, and α.
    pub(super) rates: Vec<f64>,
    pub(super) matrix: Vec<f64>,
    pub(super) sizes: Vec<f64>,
    /// How the rate of each would answer to its own force if nothing else held it.
    answer_sizes: Vec<f64>,
    alphas: Vec<f64>,
    /// Accelerations and reactions under Q₋, where contacts answer as well.
    base: Vec<f64>,
    base_reactions: Vec<f64>,
    room: Vec<f64>,
    right: Vec<f64>,
    /// Room for seams that are one.
    shared: Vec<f64>,
}

impl Holding {
    fn new(n: usize, seams: Vec<usize>, branches: &[Branch]) -> Self {
        let count = seams.len();
        Self {
            is_idle: seams.iter().map(|&seam| branches[seam] == Branch::Idle).collect(),
            eased: vec![None; count],
            seams,
            places: Vec::with_capacity(count),
            answers: vec![0.0; count * n],
            direction: vec![0.0; n],
            rates: vec![0.0; count],
            matrix: vec![0.0; count * count],
            sizes: vec![0.0; count],
            answer_sizes: vec![0.0; count],
            alphas: vec![MIDDLE; count],
            base: vec![0.0; n],
            base_reactions: Vec::new(),
            room: vec![0.0; count * count],
            right: vec![0.0; count],
            shared: vec![0.0; count * count + 3 * count],
        }
    }
}

/// The seams of a system at which motions may be held.
#[derive(Clone)]
pub(super) struct Seams {
    n: usize,
    graph: Graph,
    list: Vec<Seam>,
    branches: Vec<Branch>,
    pub(super) holding: Holding,
    /// The coordinates whose forces jump at seams whose branch is not their own, and where each stands among them.
    coordinates: Vec<usize>,
    place_of: Vec<usize>,
    forces: Option<Compiled>,
    /// The power of impressed forces, where it jumps as well: that of Q₋, and with each seam above.
    power: Option<Compiled>,
    /// ∂ṡ/∂q and ∂ṡ/∂q̇ of the seams that hold, with accelerations given; once stiff methods ask.
    slopes: Option<Compiled>,
    /// Seams of which it was said that the motion holds to them.
    pub(super) noted: Vec<bool>,
}

impl Seams {
    /// Nothing where there are none.
    pub(super) fn new(system: &CompiledSystem) -> Option<Self> {
        let equations = system.equations();
        if !has_seams(equations) {
            return None;
        }
        let (n, mut graph) = (system.coordinates(), equations.graph.clone());
        let switches = switches(equations, &mut graph);
        let jumps = jumps(equations, &mut graph, &switches);
        if jumps.is_empty() {
            return None;
        }
        let reached: Vec<Vec<Id>> = equations.force.iter().map(|&id| graph.reachable(&[id])).collect();
        let list: Vec<Seam> = jumps
            .into_iter()
            .map(|jump| {
                let switches = |j: &usize| jump.branches.iter().any(|one| reached[*j].binary_search(&one.0).is_ok());
                let (velocities, conditions) = conditions(&mut graph, jump.function);
                Seam { coordinates: (0..n).filter(switches).collect(), velocities, conditions, jump }
            })
            .collect();
        let count = list.len();
        Some(Self {
            n,
            graph,
            list,
            branches: vec![Branch::Own; count],
            holding: Holding::default(),
            coordinates: Vec::new(),
            place_of: vec![0; n],
            forces: None,
            power: None,
            slopes: None,
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
        &self.list[seam].jump.branches
    }

    /// The seams that hold.
    pub(super) fn held(&self) -> &[usize] {
        &self.holding.seams
    }

    /// Where the force of a seam that holds is between its two values.
    pub(super) fn alpha(&self, seam: usize) -> Option<f64> {
        self.held().iter().position(|one| *one == seam).map(|place| self.holding.alphas[place])
    }

    /// Whether forces are those of the state.
    pub(super) fn are_own(&self) -> bool {
        self.forces.is_none()
    }

    /// Parameters have other values.
    pub(super) fn take_parameters(&mut self, system: &CompiledSystem) {
        for compiled in [&mut self.forces, &mut self.power, &mut self.slopes].into_iter().flatten() {
            compiled.fixed = compiled.program.fixed(system.parameters());
        }
    }

    /// Forces take other branches from now on.
    pub(super) fn take(&mut self, branches: Vec<Branch>, system: &CompiledSystem) {
        if branches == self.branches {
            return;
        }
        self.branches = branches;
        let held: Vec<usize> = (0..self.len()).filter(|&k| self.branches[k].stays()).collect();
        let former = std::mem::replace(&mut self.holding, Holding::new(self.n, held.clone(), &self.branches));
        for (alpha, seam) in self.holding.alphas.iter_mut().zip(&held) {
            // A force that stays on its seam is where it was.
            let place = former.seams.iter().position(|one| one == seam);
            *alpha = place.map_or(MIDDLE, |place| former.alphas[place].clamp(0.0, 1.0));
        }
        (self.forces, self.power, self.slopes) = (None, None, None);
        self.coordinates.clear();
        for (seam, branch) in self.list.iter().zip(&self.branches) {
            if *branch != Branch::Own {
                self.coordinates.extend(&seam.coordinates);
            }
        }
        self.coordinates.sort_unstable();
        self.coordinates.dedup();
        if self.coordinates.is_empty() {
            return;
        }
        self.coordinates.iter().enumerate().for_each(|(place, &j)| self.place_of[j] = place);
        let equations = system.equations();
        let below = self.exchanges(|_| Side::Below);
        let forces: Vec<Id> = self.coordinates.iter().map(|&j| equations.force[j]).collect();
        let mut roots = self.graph.exchange(&forces, &below);
        let mut powers = self.graph.exchange(&[equations.power], &below);
        let power_jumps = powers[0] != equations.power;
        for &k in &held {
            let above = self.exchanges(|one| if one == k { Side::Above } else { Side::Below });
            let switched: Vec<Id> = self.list[k].coordinates.iter().map(|&j| equations.force[j]).collect();
            let first = roots.len();
            roots.extend(self.graph.exchange(&switched, &above));
            self.holding.places.push((first, roots.len()));
            roots.extend(&self.list[k].conditions);
            if power_jumps {
                powers.extend(self.graph.exchange(&[equations.power], &above));
            }
        }
        self.forces = Some(Compiled::new(&self.graph, &roots, system));
        self.power = power_jumps.then(|| Compiled::new(&self.graph, &powers, system));
    }

    /// What stands in place of what decides, where seams that hold are on some sides.
    fn exchanges(&self, side: impl Fn(usize) -> Side) -> FastMap<Id, Id> {
        let mut with = FastMap::default();
        for (k, seam) in self.list.iter().enumerate() {
            let side = match self.branches[k] {
                Branch::Own => continue,
                Branch::Of(side) => side,
                Branch::Held | Branch::Idle => side(k),
            };
            with.extend(seam.jump.branches.iter().map(|&(id, above, below)| match side {
                Side::Above => (id, above),
                Side::Below => (id, below),
            }));
        }
        with
    }

    /// Whether what one of the seams that hold does to the forces depends on the side of another, at a state: then what lies between all
    /// their values is not known.
    pub(super) fn are_entangled(&mut self, system: &CompiledSystem, inputs: &Inputs) -> bool {
        let force = &system.equations().force;
        let held = self.held().to_vec();
        for (place, &k) in held.iter().enumerate() {
            for &l in &held[..place] {
                let [own, other] = [k, l].map(|one| &self.list[one].coordinates);
                let shared: Vec<Id> = own.iter().filter(|j| other.contains(j)).map(|&j| force[j]).collect();
                let mut roots = Vec::new();
                for above in [&[][..], &[k], &[l], &[k, l]] {
                    let with = self.exchanges(|one| if above.contains(&one) { Side::Above } else { Side::Below });
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

    /// Evaluates all branches at a state and writes Q₋ over the forces that jump.
    pub(super) fn evaluate(&mut self, inputs: &Inputs, force: &mut [f64]) {
        self.look(inputs);
        self.write_below(force);
    }

    /// Writes Q₋ of the state that was evaluated last over the forces that jump.
    pub(super) fn write_below(&self, force: &mut [f64]) {
        let values = self.forces.as_ref().map_or(&[][..], |forces| forces.memory.outputs());
        self.coordinates.iter().zip(values).for_each(|(&j, value)| force[j] = *value);
    }

    /// A seam that holds, at the state that was evaluated last.
    fn condition(&self, place: usize) -> Condition<'_> {
        let values = self.forces.as_ref().map_or(&[][..], |forces| forces.memory.outputs());
        let (_, first) = self.holding.places[place];
        let velocities = &self.list[self.holding.seams[place]].velocities[..];
        let slopes = &values[first + 2..first + 2 + velocities.len()];
        Condition { value: values[first], rest: values[first + 1], velocities, slopes }
    }

    /// Evaluates the seams that hold, at a state.
    pub(super) fn look(&mut self, inputs: &Inputs) {
        if let Some(forces) = &mut self.forces {
            forces.evaluate(inputs);
        }
    }

    /// ΔQ of a seam that holds: coordinates and what is added to their forces.
    fn change(&self, place: usize) -> impl Iterator<Item = (usize, f64)> {
        let values = self.forces.as_ref().map_or(&[][..], |forces| forces.memory.outputs());
        let (first, _) = self.holding.places[place];
        let coordinates = &self.list[self.holding.seams[place]].coordinates;
        coordinates.iter().zip(&values[first..]).map(|(&j, above)| (j, above - values[self.place_of[j]]))
    }

    /// ΔQ of a seam that holds, into `direction`.
    pub(super) fn write_direction(&mut self, place: usize) {
        let mut direction = std::mem::take(&mut self.holding.direction);
        direction.fill(0.0);
        self.change(place).for_each(|(j, change)| direction[j] = change);
        self.holding.direction = direction;
    }

    /// Adds ΔQ of a seam that holds.
    pub(super) fn add_change(&self, place: usize, force: &mut [f64]) {
        self.change(place).for_each(|(j, change)| force[j] += change);
    }

    /// Adds to Q₋ what lies between it and the branches above.
    pub(super) fn add_forces(&self, force: &mut [f64]) {
        for (place, alpha) in self.holding.alphas.iter().enumerate() {
            self.change(place).for_each(|(j, change)| force[j] += alpha * change);
        }
    }

    /// The power of impressed forces where it jumps, with accelerations given.
    pub(super) fn power(&mut self, inputs: &Inputs) -> Option<f64> {
        let values = self.power.as_mut()?.evaluate(inputs);
        let changes = self.holding.alphas.iter().zip(&values[1..]).map(|(alpha, above)| alpha * (above - values[0]));
        Some(values[0] + changes.sum::<f64>())
    }

    /// The seams that a state lies on, up to rounding of velocities, which are measured by `sizes`.
    pub(super) fn at_zero(&mut self, system: &CompiledSystem, inputs: &Inputs, sizes: &[f64]) -> Vec<usize> {
        let roots: Vec<Id> = self.list.iter().flat_map(|seam| seam.conditions.iter().copied()).collect();
        let values = Compiled::new(&self.graph, &roots, system).evaluate(inputs).to_vec();
        let mut first = 0;
        let mut found = Vec::new();
        for (k, seam) in self.list.iter().enumerate() {
            let slopes = seam.velocities.iter().zip(&values[first + 2..]);
            let size: f64 = slopes.map(|(&j, slope)| (slope * sizes[j]).abs()).sum();
            if values[first].abs() <= ROUNDING * size {
                found.push(k);
            }
            first += seam.conditions.len();
        }
        found
    }
}

/// The velocities that s depends on; s, ṡ without accelerations, and ∂s/∂q̇ for each of them.
fn conditions(graph: &mut Graph, function: Id) -> (Vec<usize>, Vec<Id>) {
    let symbols: Vec<Symbol> =
        graph.symbols(&[function]).into_iter().filter(|symbol| matches!(symbol, Symbol::Velocity(_))).collect();
    let velocities = symbols.iter().filter_map(|symbol| match symbol {
        Symbol::Velocity(j) => Some(*j as usize),
        _ => None,
    });
    let mut conditions = vec![function];
    conditions.extend(graph.derivatives(&[function], |symbol, graph| match symbol {
        Symbol::Time => Some(Id::ONE),
        Symbol::Position(i) => Some(graph.symbol(Symbol::Velocity(i))),
        _ => None,
    }));
    conditions.extend(graph.gradient(function, &symbols));
    (velocities.collect(), conditions)
}
