//! The system: numbers in, numbers out.

use super::evaluator::{Evaluator, Held, Place};
use super::group::{Group, GroupPart, Layout};
use super::program::{Inputs, Program};
use crate::derive::{Equations, Stiffness, at_values};
use holonom_symbols::expr::Symbol;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A model as numbers: `(t, q, q̇) ↦ M, Q, A, b, C`, and everything else that its author asked about.
///
/// Immutable and cheap to clone; [`Values`] is the memory that a thread evaluates it in. A group becomes a program when it is
/// asked for the first time; after that nothing is allocated. A function without a value has no number: what contains it is NaN
/// (see [`Model::unspecified`](holonom_language::Model::unspecified)).
///
/// ```
/// use holonom_mechanics::compile::{Group, CompiledSystem};
/// use holonom_kernel::{Snapshot, solve};
/// use holonom_language::from_text;
/// use holonom_mechanics::derive::derive;
///
/// let text = "param m = 2, L = 0.5, g = 9.81
/// coord x, y
/// particle bob: m at (x, y)
/// gravity (0, -g)
/// constraint rod: x^2 + y^2 = L^2
/// start x = L
/// ";
/// let model = from_text("pendulum.holo", text).model.expect("a good model");
/// let system = CompiledSystem::new(derive(model).expect("a good model").value);
///
/// let mut values = system.values(Group::Dynamics);
/// system.at(0.0, &[0.5, 0.0], &[0.0, 1.0], &mut values);
/// let motion = solve(&Snapshot::new(values.mass(), values.force()).constrained(values.a(), values.b()))?;
/// assert!((motion.acceleration[0] + 2.0).abs() < 1e-14); // −v²/L
/// # Ok::<(), holonom_kernel::MotionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CompiledSystem {
    shared: Arc<Shared>,
    parameters: Arc<[f64]>,
    /// Which parameters were set from outside.
    overridden: Arc<[bool]>,
    fixed: Arc<[OnceLock<Held>; GROUPS]>,
}

const GROUPS: usize = Group::ALL.len();

/// What does not depend on the values of parameters.
#[derive(Debug)]
struct Shared {
    equations: Equations,
    groups: [OnceLock<Compiled>; GROUPS],
    /// Made when a stiff method asks.
    stiffness: OnceLock<Stiffness>,
    dust: Dust,
}

/// Rows of joints that are nothing but rounding: their slopes are made of parts as large as the picture that cancel. Where all slopes of a row
/// cancel at a state, as where a slider holds what a hinge across it holds already, rounding must not be taken for a constraint. Nor where all
/// slopes along a coordinate cancel, as along two parallel sliders that move together.
#[derive(Debug, Default)]
struct Dust {
    rows: Vec<DustRow>,
    slopes: Vec<Slope>,
    /// For each coordinate that nothing but joints restricts, its slopes.
    columns: Vec<Vec<usize>>,
}

/// A row of a joint.
#[derive(Debug)]
struct DustRow {
    row: usize,
    size: f64,
    slopes: Range<usize>,
}

/// A slope of such a row.
#[derive(Debug)]
struct Slope {
    coordinate: usize,
    /// Its place among rows with all their entries, and among the entries that are not identically zero.
    full: usize,
    sparse: usize,
    /// What it is made of before it cancels.
    natural: f64,
}

/// This part of what a slope is made of is rounding.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

impl Dust {
    fn of(equations: &Equations) -> Self {
        let n = equations.model.coordinates.len();
        let (mut dust, mut start) = (Self::default(), 0);
        for (which, row) in equations.rows.iter().enumerate() {
            let first = dust.slopes.len();
            for (coordinate, natural) in equations.natural_slopes(which) {
                let place = row.a.partition_point(|&(column, _)| column < coordinate);
                let (full, sparse) = (which * n + coordinate, start + place);
                dust.slopes.push(Slope { coordinate, full, sparse, natural });
            }
            let slopes = first..dust.slopes.len();
            if slopes.len() == row.a.len()
                && let Some(size) = equations.natural_size(which)
            {
                dust.rows.push(DustRow { row: which, size, slopes });
            }
            start += row.a.len();
        }
        let mut columns = vec![Vec::new(); n];
        for (place, slope) in dust.slopes.iter().enumerate() {
            columns[slope.coordinate].push(place);
        }
        let mut entries = vec![0; n];
        equations.rows.iter().flat_map(|row| &row.a).for_each(|&(column, _)| entries[column] += 1);
        let of_joints =
            columns.into_iter().zip(entries).filter(|(slopes, all)| !slopes.is_empty() && slopes.len() == *all);
        dust.columns = of_joints.map(|(slopes, _)| slopes).collect();
        dust
    }

    /// Puts rows of a group to zero that are nothing but rounding, and right sides that are as well.
    fn clear(&self, values: &mut Values, v: &[f64]) {
        let is_sparse = values.group == Group::Sparse;
        let (rows, sides) = (values.layout.of(GroupPart::Rows), values.layout.of(GroupPart::RightSide));
        if rows.is_empty() {
            return;
        }
        let out = values.memory.outputs_mut();
        let place = |slope: &Slope| rows.start + if is_sparse { slope.sparse } else { slope.full };
        for column in &self.columns {
            let mut slopes = column.iter().map(|&slope| &self.slopes[slope]);
            if slopes.all(|slope| out[place(slope)].abs() < ROUNDING * slope.natural) {
                column.iter().for_each(|&slope| out[place(&self.slopes[slope])] = 0.0);
            }
        }
        for DustRow { row, size, slopes } in &self.rows {
            let slopes = &self.slopes[slopes.clone()];
            // A single entry is left as it is: along a direction without mass those of a row cancel to the last digit.
            if slopes.iter().any(|slope| out[place(slope)].abs() >= ROUNDING * slope.natural) {
                continue;
            }
            slopes.iter().for_each(|slope| out[place(slope)] = 0.0);
            if !sides.is_empty() {
                let rate: f64 = slopes.iter().map(|slope| slope.natural * v[slope.coordinate].abs()).sum();
                let side = &mut out[sides.start + row];
                if side.abs() <= ROUNDING * rate * rate / size {
                    *side = 0.0;
                }
            }
        }
    }
}

/// A group, compiled.
#[derive(Debug)]
struct Compiled {
    evaluator: Evaluator,
    layout: Layout,
    /// The group as one program, where families evaluate it and somebody asks.
    whole: OnceLock<Program>,
}

/// There is no parameter of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownParameter {
    /// The name.
    pub name: String,
}

impl fmt::Display for UnknownParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the model has no parameter `{}`", self.name)
    }
}

impl std::error::Error for UnknownParameter {}

impl CompiledSystem {
    /// The system of these equations, with the parameters that the model gives.
    pub fn new(equations: Equations) -> Self {
        let count = equations.model.parameters.len();
        let dust = Dust::of(&equations);
        let shared = Arc::new(Shared { equations, groups: Default::default(), stiffness: OnceLock::new(), dust });
        Self::with_values(shared, vec![0.0; count], vec![false; count])
    }

    /// The same system with one parameter set to another value; parameters that are made of it follow.
    ///
    /// # Errors
    /// If the model has no parameter of this name.
    pub fn with_parameter(&self, name: &str, value: f64) -> Result<Self, UnknownParameter> {
        self.with_parameters(&[(name, value)])
    }

    /// The same system with some parameters set to other values; parameters that are made of them follow.
    ///
    /// # Errors
    /// If the model has no parameter of some name.
    pub fn with_parameters(&self, settings: &[(&str, f64)]) -> Result<Self, UnknownParameter> {
        let places = settings.iter().map(|&(name, value)| Ok((self.place(name)?, value)));
        Ok(self.with_places(&places.collect::<Result<Vec<_>, _>>()?))
    }

    /// The same as if the model gave these values: parameters that are made of them follow, and the equations are derived anew
    /// where other values leave other directions without mass.
    ///
    /// # Errors
    /// If the model has no parameter of some name.
    pub fn with_settings(&self, settings: &[(String, f64)]) -> Result<Self, UnknownParameter> {
        let places = settings.iter().map(|(name, value)| Ok((self.place(name)?, *value)));
        let places = places.collect::<Result<Vec<_>, _>>()?;
        let system = match at_values(self.equations(), &places) {
            Some(equations) => Self::new(equations),
            None => self.clone(),
        };
        Ok(system.with_places(&places))
    }

    fn place(&self, name: &str) -> Result<usize, UnknownParameter> {
        let found = self.equations().model.parameters.iter().position(|parameter| parameter.name == name);
        found.ok_or_else(|| UnknownParameter { name: name.into() })
    }

    /// The same system with some parameters, by their place, set to other values.
    pub fn with_places(&self, settings: &[(usize, f64)]) -> Self {
        if settings.is_empty() {
            return self.clone();
        }
        let (mut values, mut overridden) = (self.parameters.to_vec(), self.overridden.to_vec());
        settings.iter().for_each(|&(place, value)| (values[place], overridden[place]) = (value, true));
        Self::with_values(self.shared.clone(), values, overridden)
    }

    /// Values that are overridden are taken, the others computed from the model's expressions in order.
    fn with_values(shared: Arc<Shared>, mut values: Vec<f64>, overridden: Vec<bool>) -> Self {
        let Equations { graph, model, .. } = &shared.equations;
        let made = |place: usize| !overridden[place] && graph.as_number(model.parameters[place].value).is_none();
        let mut place = 0;
        while place < values.len() {
            if !overridden[place]
                && let Some(number) = graph.as_number(model.parameters[place].value)
            {
                values[place] = number.to_f64();
            }
            if !made(place) {
                place += 1;
                continue;
            }
            // As many as are made of earlier ones alone, at once.
            let mut roots = Vec::new();
            while place + roots.len() < values.len() && made(place + roots.len()) {
                let root = model.parameters[place + roots.len()].value;
                let earlier = |symbol: &Symbol| matches!(symbol, Symbol::Parameter(i) if (*i as usize) < place);
                if !roots.is_empty() && !graph.symbols(&[root]).iter().all(earlier) {
                    break;
                }
                roots.push(root);
            }
            let program = Program::new(graph, &roots);
            let found = program.fixed(&values);
            let mut memory = program.memory();
            let found = program.evaluate(&found, &Inputs::default(), &mut memory);
            values[place..place + roots.len()].copy_from_slice(found);
            place += roots.len();
        }
        Self { shared, parameters: values.into(), overridden: overridden.into(), fixed: Arc::default() }
    }

    /// The equations that it was made of.
    pub fn equations(&self) -> &Equations {
        &self.shared.equations
    }

    /// The values of the parameters, in the order of the model.
    pub fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    /// The value of a parameter.
    pub fn parameter(&self, name: &str) -> Option<f64> {
        let place = self.equations().model.parameters.iter().position(|parameter| parameter.name == name)?;
        Some(self.parameters[place])
    }

    /// Whether a parameter was set from outside.
    pub fn is_set(&self, parameter: usize) -> bool {
        self.overridden[parameter]
    }

    /// The parameters that were set from outside, with their values.
    pub fn set(&self) -> Vec<(usize, f64)> {
        (0..self.parameters.len())
            .filter(|&place| self.is_set(place))
            .map(|place| (place, self.parameters[place]))
            .collect()
    }

    /// The number of coordinates, n.
    pub fn coordinates(&self) -> usize {
        self.equations().force.len()
    }

    /// The number of rows, m, also of those that are off.
    pub fn rows(&self) -> usize {
        self.equations().rows.len()
    }

    /// Where M is not identically zero: for each row the columns, in order.
    pub fn mass_pattern(&self) -> Vec<Vec<usize>> {
        let mass = &self.equations().mass;
        (0..mass.size()).map(|i| mass.row(i).iter().map(|&(column, _)| column).collect()).collect()
    }

    /// Where A is not identically zero: for each row the columns, in order.
    pub fn row_pattern(&self) -> Vec<Vec<usize>> {
        self.equations().rows.iter().map(|row| row.a.iter().map(|&(column, _)| column).collect()).collect()
    }

    /// Memory to evaluate a group in.
    pub fn values(&self, group: Group) -> Values {
        let compiled = self.compiled(group);
        Values { group, memory: compiled.evaluator.place(), layout: compiled.layout.clone(), rows: self.rows() }
    }

    fn compiled(&self, group: Group) -> &Compiled {
        self.shared.groups[group as usize].get_or_init(|| {
            let equations = self.equations();
            let stiffness = (group == Group::Stiffness).then(|| self.derivatives());
            let (expressions, layout, items) = group.expressions(equations, stiffness);
            let graph = stiffness.map_or(&equations.graph, |stiffness| &stiffness.graph);
            Compiled { evaluator: Evaluator::new(graph, &expressions, &items), layout, whole: OnceLock::new() }
        })
    }

    /// How the equations change with the state; derived when it is asked for the first time.
    pub fn derivatives(&self) -> &Stiffness {
        self.shared.stiffness.get_or_init(|| Stiffness::of(self.equations()))
    }

    /// A group as one program: what evaluates it, or what would if it were not large and repetitive.
    pub fn program(&self, group: Group) -> &Program {
        let compiled = self.compiled(group);
        match &compiled.evaluator {
            Evaluator::One(program) => program,
            Evaluator::Many(_) => compiled.whole.get_or_init(|| {
                let stiffness = (group == Group::Stiffness).then(|| self.derivatives());
                let graph = stiffness.map_or(&self.equations().graph, |stiffness| &stiffness.graph);
                Program::new(graph, &group.expressions(self.equations(), stiffness).0)
            }),
        }
    }

    /// How a group is evaluated where its expressions repeat a few shapes: the number of shapes, and how many operations they take together.
    ///
    /// Nothing where it is one program.
    pub fn families(&self, group: Group) -> Option<(usize, usize)> {
        match &self.compiled(group).evaluator {
            Evaluator::One(_) => None,
            Evaluator::Many(families) => Some((families.count(), families.operations())),
        }
    }

    /// Makes machine code for a group, which evaluations use from then on; says whether there is some.
    ///
    /// Another thread may do this while the system is evaluated. Machine code gives the same bits as the interpreter. There is none where
    /// families evaluate the group: they are fast as they are.
    pub fn compile(&self, group: Group) -> bool {
        match &self.compiled(group).evaluator {
            Evaluator::One(program) => program.compile(),
            Evaluator::Many(_) => false,
        }
    }

    fn fixed(&self, group: Group) -> &Held {
        self.fixed[group as usize].get_or_init(|| self.compiled(group).evaluator.fixed(&self.parameters))
    }

    /// Evaluates the group that `values` is for. Allocates nothing after the first time.
    ///
    /// # Panics
    /// If positions or velocities are too few, or others of the inputs that the group depends on.
    pub fn evaluate(&self, inputs: &Inputs, values: &mut Values) {
        let evaluator = &self.compiled(values.group).evaluator;
        evaluator.evaluate(self.fixed(values.group), inputs, &mut values.memory);
        if !self.shared.dust.rows.is_empty() {
            self.shared.dust.clear(values, inputs.v);
        }
    }

    /// Evaluates M, Q, A, b and C, or whatever group `values` is for, where only the state matters.
    ///
    /// # Panics
    /// As [`CompiledSystem::evaluate`].
    pub fn at(&self, t: f64, q: &[f64], v: &[f64], values: &mut Values) {
        self.evaluate(&Inputs { t, q, v, ..Inputs::default() }, values);
    }

    /// Whether some expression of a group contains a symbol of a kind.
    pub fn contains(&self, group: Group, is_of_kind: impl Fn(&Symbol) -> bool) -> bool {
        let equations = self.equations();
        let (expressions, ..) = group.expressions(equations, None);
        equations.graph.symbols(&expressions).iter().any(is_of_kind)
    }

    /// C of the non-ideal parts, without frictions: `Σ C + ∂C/∂λᵢ·λᵢ + ∂C/∂λ·λ`, over the parts whose constraint is in force.
    ///
    /// `values` is an evaluated [`Group::Dynamics`]; parts of all constraints together act while any is active.
    pub fn nonideal(
        &self,
        values: &Values,
        mut in_force: impl FnMut(usize) -> bool,
        multipliers: &[f64],
        reactions: &[f64],
        c: &mut [f64],
    ) {
        c.fill(0.0);
        let (n, constraints) = (self.coordinates(), self.equations().model.constraints.len());
        let (forces, by_multiplier, by_reaction) = (
            values.part(GroupPart::Nonideal),
            values.part(GroupPart::ByMultiplier),
            values.part(GroupPart::ByReaction),
        );
        let (mut multiplier_entries, mut reaction_entries) = (by_multiplier.iter(), by_reaction.iter());
        for (part, force) in self.equations().nonideal.iter().zip(forces.chunks(n.max(1))) {
            let active = part.acts(constraints, &mut in_force);
            if active {
                c.iter_mut().zip(force).for_each(|(c, force)| *c += force);
            }
            for (&(coordinate, row, _), value) in part.by_multiplier.iter().zip(&mut multiplier_entries) {
                if active {
                    c[coordinate] += value * multipliers[row];
                }
            }
            for (&(coordinate, row, _), value) in part.by_reaction.iter().zip(&mut reaction_entries) {
                if active {
                    c[coordinate] += value * reactions[row];
                }
            }
        }
    }

    /// How the equations change with the state: what an evaluated [`Group::Stiffness`] says, as matrices.
    ///
    /// It must have been evaluated with accelerations and reactions (and multipliers where C depends on them); the reactions of rows that are off
    /// are zero. The derivatives of C are those of the parts whose constraint is in force, frictions left out, and do not contain what
    /// a change of the reactions does to C. Nothing is allocated once `tangent` has its size.
    pub fn stiffness(&self, values: &Values, mut in_force: impl FnMut(usize) -> bool, tangent: &mut Tangent) {
        let (n, m) = (self.coordinates(), self.rows());
        let Tangent { force_by_position, force_by_velocity, rows_by_position, rows_by_velocity } = tangent;
        for (matrix, rows) in [
            (&mut *force_by_position, n),
            (&mut *force_by_velocity, n),
            (&mut *rows_by_position, m),
            (&mut *rows_by_velocity, m),
        ] {
            matrix.clear();
            matrix.resize(rows * n, 0.0);
        }
        let stiffness = self.derivatives();
        let (mut by_position, mut by_velocity) =
            (values.part(GroupPart::ByPosition), values.part(GroupPart::ByVelocity));
        let last = stiffness.nonideal.len() + 1;
        for (index, slopes) in stiffness.slopes().enumerate() {
            let (positions, velocities) = match index == last {
                true => (&mut *rows_by_position, &mut *rows_by_velocity),
                false => (&mut *force_by_position, &mut *force_by_velocity),
            };
            let part = index.checked_sub(1).and_then(|part| self.equations().nonideal.get(part));
            let active = part.and_then(|part| part.constraint).is_none_or(&mut in_force);
            for (matrix, entries, rest) in [
                (positions, &slopes.by_position, &mut by_position),
                (velocities, &slopes.by_velocity, &mut by_velocity),
            ] {
                let (here, after) = rest.split_at(entries.len());
                *rest = after;
                for (&(row, column, _), value) in entries.iter().zip(here).filter(|_| active) {
                    matrix[row * n + column] += value;
                }
            }
        }
    }
}

/// The derivatives of r₁ = Q + C + Aᵀλ − M q̈ and r₂ = b − A q̈ by the state, q̈ and λ held. Row-major; rows of A that are off are there too.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tangent {
    /// ∂r₁/∂q, n × n.
    pub force_by_position: Vec<f64>,
    /// ∂r₁/∂q̇, n × n.
    pub force_by_velocity: Vec<f64>,
    /// ∂r₂/∂q, m × n.
    pub rows_by_position: Vec<f64>,
    /// ∂r₂/∂q̇, m × n.
    pub rows_by_velocity: Vec<f64>,
}

/// The values of a group at the state that was evaluated last.
#[derive(Clone, Debug)]
pub struct Values {
    group: Group,
    memory: Place,
    layout: Layout,
    rows: usize,
}

impl Values {
    /// Which group it is for.
    pub fn group(&self) -> Group {
        self.group
    }

    /// All values of the group, part after part.
    pub fn all(&self) -> &[f64] {
        self.memory.outputs()
    }

    /// The values of a part; empty where the group has no such part.
    #[inline]
    pub fn part(&self, part: GroupPart) -> &[f64] {
        &self.memory.outputs()[self.layout.of(part)]
    }

    /// M, row-major n × n.
    pub fn mass(&self) -> &[f64] {
        self.part(GroupPart::Mass)
    }

    /// Q.
    pub fn force(&self) -> &[f64] {
        self.part(GroupPart::Force)
    }

    /// Q, to be written over until the next evaluation. Components that depend on parameters alone must be left as they are.
    pub fn force_mut(&mut self) -> &mut [f64] {
        let range = self.layout.of(GroupPart::Force);
        &mut self.memory.outputs_mut()[range]
    }

    /// A, row-major m × n.
    pub fn a(&self) -> &[f64] {
        self.part(GroupPart::Rows)
    }

    /// One row of A.
    pub fn row(&self, row: usize) -> &[f64] {
        let n = self.a().len() / self.rows.max(1);
        &self.a()[row * n..(row + 1) * n]
    }

    /// b.
    pub fn b(&self) -> &[f64] {
        self.part(GroupPart::RightSide)
    }

    /// φ for [`Group::Position`], φ̇ and ψ for [`Group::Velocity`].
    pub fn residual(&self) -> &[f64] {
        self.part(GroupPart::Residual)
    }

    /// T, of [`Group::Energy`].
    pub fn kinetic_energy(&self) -> f64 {
        self.part(GroupPart::Values).first().copied().unwrap_or(0.0)
    }

    /// V, of [`Group::Energy`].
    pub fn potential_energy(&self) -> f64 {
        self.part(GroupPart::Values).get(1).copied().unwrap_or(0.0)
    }
}
