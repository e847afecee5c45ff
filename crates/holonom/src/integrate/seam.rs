//! Forces that jump at seams which velocities cross, with the branch that each takes: its own, one that is held for a step, or what lies
//! between both and keeps the motion on the seam.
//!
//! Branches are written into the graph in place of what decides, so that forces on either side are exact at the seam itself. Along seams
//! that hold, Q = Q₋ + Σ αₖ ΔQₖ, where Q₋ takes every branch below and ΔQₖ is what the branch above of seam k changes.

use super::feedback::solve;
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

    /// Whether what each of some seams does to the forces depends on the side of another of them, at a state: then what lies between all
    /// their values is not known.
    pub(super) fn are_entangled(&mut self, seams: &[usize], system: &System, inputs: &Inputs) -> bool {
        let force = &system.equations().force;
        let mut entangled = false;
        for (place, &k) in seams.iter().enumerate() {
            for &l in &seams[..place] {
                let mut roots = Vec::new();
                for above in [&[][..], &[k], &[l], &[k, l]] {
                    let side = |one: usize| if above.contains(&one) { Side::Above } else { Side::Below };
                    let mut with = self.exchanges(side);
                    for &one in seams {
                        with.extend(self.list[one].branches.iter().map(|&(id, up, down)| match side(one) {
                            Side::Above => (id, up),
                            Side::Below => (id, down),
                        }));
                    }
                    roots.extend(self.graph.exchange(force, &with));
                }
                let values = Compiled::new(&self.graph, &roots, system).evaluate(inputs).to_vec();
                let (none, one) = values.split_at(self.n);
                let (one, other) = one.split_at(self.n);
                let (other, both) = other.split_at(self.n);
                entangled |= (0..self.n).any(|j| {
                    let size = none[j].abs() + one[j].abs() + other[j].abs() + both[j].abs();
                    (none[j] + both[j] - one[j] - other[j]).abs() > ENTANGLED * size
                });
            }
        }
        entangled
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

    /// Whether the forces of a seam that holds lead back to it from both sides.
    pub(super) fn attracts(&self, place: usize) -> bool {
        let (_, _, gradient) = self.condition(place);
        let answer = &self.answers[place * self.n..(place + 1) * self.n];
        let size: f64 = gradient.iter().zip(answer).map(|(a, u)| (a * u).abs()).sum();
        self.matrix[place * (self.held.len() + 1)] < -ROUNDING * size
    }

    /// r of the seams that hold, for an acceleration under Q₋.
    pub(super) fn find_rates(&mut self, acceleration: &[f64]) {
        for place in 0..self.held.len() {
            let (_, rest, gradient) = self.condition(place);
            let terms = gradient.iter().zip(acceleration).map(|(a, x)| a * x);
            let (rate, size) = terms.fold((rest, rest.abs()), |(sum, size), x| (sum + x, size + x.abs()));
            (self.rates[place], self.sizes[place]) = (rate, size);
        }
    }

    /// W, from how accelerations answer.
    pub(super) fn find_matrix(&mut self) {
        let (n, count) = (self.n, self.held.len());
        for k in 0..count {
            for l in 0..count {
                let (_, _, gradient) = self.condition(k);
                let answer = &self.answers[l * n..(l + 1) * n];
                self.matrix[k * count + l] = gradient.iter().zip(answer).map(|(a, u)| a * u).sum();
            }
        }
    }

    /// Solves W x = right, in place; `false` where W is singular.
    fn solve(&mut self) -> bool {
        let count = self.held.len();
        self.room.copy_from_slice(&self.matrix);
        for (k, row) in self.room.chunks_exact_mut(count.max(1)).enumerate() {
            // By rows that are 1 at their own seam: what is singular must not depend on units.
            let own = row[k];
            row.iter_mut().for_each(|x| *x /= own);
            self.right[k] /= own;
        }
        solve(&mut self.room, &mut self.right, count)
    }

    /// The α with which all seams that hold go on holding: W α = −r. Where W is singular they stay as they are.
    pub(super) fn find_alphas(&mut self) {
        self.right.iter_mut().zip(&self.rates).for_each(|(right, rate)| *right = -rate);
        if self.solve() {
            self.alphas.copy_from_slice(&self.right);
        }
    }

    /// Moves velocities back to the seams that hold, at the state that was looked at last, along what the forces can do; how far the worst
    /// of them is off.
    pub(super) fn correct(&mut self, v: &mut [f64]) -> f64 {
        let (n, count) = (self.n, self.held.len());
        self.find_matrix();
        let mut worst: f64 = 0.0;
        for place in 0..count {
            let (value, ..) = self.condition(place);
            worst = worst.max(value.abs());
            self.right[place] = -value;
        }
        if worst == 0.0 || !self.solve() {
            return worst;
        }
        for place in 0..count {
            let answer = &self.answers[place * n..(place + 1) * n];
            v.iter_mut().zip(answer).for_each(|(v, u)| *v += self.right[place] * u);
        }
        worst
    }

    /// The only velocity that a seam is about, with its slope.
    fn only_entry(&self, place: usize) -> Option<(usize, f64)> {
        let (_, _, gradient) = self.condition(place);
        let mut entries = gradient.iter().copied().enumerate().filter(|(_, slope)| *slope != 0.0);
        match (entries.next(), entries.next()) {
            (entry, None) => entry,
            _ => None,
        }
    }

    /// What a seam of one velocity alone holds is held to the last digit, at the state that was looked at last.
    pub(super) fn pin_velocity(&self, v: &mut [f64]) {
        for place in 0..self.held.len() {
            if let Some((j, slope)) = self.only_entry(place) {
                v[j] -= self.condition(place).0 / slope;
            }
        }
    }

    /// … and does not accelerate at all, not even by rounding.
    pub(super) fn pin_acceleration(&self, acceleration: &mut [f64]) {
        for place in 0..self.held.len() {
            if let (Some((j, _)), 0.0) = (self.only_entry(place), self.condition(place).1) {
                acceleration[j] = 0.0;
            }
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

    /// Takes from the derivatives of accelerations, column by column, what the seams that hold take away. `by_position` says by what
    /// they are derived.
    pub(super) fn hold_columns(&mut self, system: &System, inputs: &Inputs, by_position: bool, columns: &mut [f64]) {
        let (n, count) = (self.n, self.held.len());
        if count == 0 {
            return;
        }
        if self.slopes.is_none() {
            let symbols: Vec<Symbol> =
                (0..n as u32).map(Symbol::Position).chain((0..n as u32).map(Symbol::Velocity)).collect();
            let functions: Vec<Id> = self.held.iter().map(|&k| self.list[k].function).collect();
            let rates = self.graph.rate(&functions);
            let roots: Vec<Id> = rates.into_iter().flat_map(|rate| self.graph.gradient(rate, &symbols)).collect();
            self.slopes = Some(Compiled::new(&self.graph, &roots, system));
        }
        let Some(slopes) = &mut self.slopes else { return };
        let slopes = slopes.evaluate(inputs).to_vec();
        for column in 0..n {
            for place in 0..count {
                let (_, _, gradient) = self.condition(place);
                let moved: f64 = (0..n).map(|i| gradient[i] * columns[i * n + column]).sum();
                let at = place * 2 * n + if by_position { column } else { n + column };
                self.right[place] = -(moved + slopes[at]);
            }
            if !self.solve() {
                return;
            }
            for place in 0..count {
                for i in 0..n {
                    columns[i * n + column] += self.right[place] * self.answers[place * n + i];
                }
            }
        }
    }
}
