//! Expressions → numbers at one state: M, Q, A, b and the constraints themselves.

use std::cell::{OnceCell, Ref, RefCell};
use std::sync::Arc;

use super::entries::{Entries, Numbers, Rows, Shape, Symmetric};
use super::scale;
use holonom_kernel::linalg::tolerance::DUST;
use holonom_mechanics::compile::runs_sparse;
use holonom_mechanics::compile::{CompiledSystem, Group, Inputs, Values};
use holonom_mechanics::derive::{ConstraintKind, Equations};
use holonom_symbols::expr::{Graph, Id, Symbol, Zero};

/// Only velocities below this are looked at for what forces would make of them: that takes time.
const SLOW: f64 = 1e-9;

/// Where the system is, and how fast it moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Time.
    pub time: f64,
    /// q, in the order of the coordinates.
    pub positions: Vec<f64>,
    /// q̇.
    pub velocities: Vec<f64>,
}

/// Everything that an expression may ask for. What is left empty counts as 0.
#[derive(Clone, Copy, Default)]
pub(crate) struct Point<'a> {
    pub(crate) time: f64,
    pub(crate) positions: &'a [f64],
    pub(crate) velocities: &'a [f64],
    pub(crate) accelerations: &'a [f64],
    /// Over all rows of the equations, those that are off included.
    pub(crate) multipliers: &'a [f64],
    pub(crate) reactions: &'a [f64],
    /// For the law of one friction.
    pub(crate) slip: f64,
    pub(crate) normal: f64,
}

impl State {
    /// The point of an expression in which only the state occurs.
    pub(crate) fn point(&self) -> Point<'_> {
        Point { time: self.time, positions: &self.positions, velocities: &self.velocities, ..Point::default() }
    }
}

/// The rows of one level of the constraints at one state: what is left of them, how they change, and how large they are.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    /// Which rows of the equations.
    pub(crate) rows: Vec<usize>,
    /// φ, or φ̇ and ψ.
    pub(crate) residual: Vec<f64>,
    /// Their derivatives by q, or by q̇: the entries of A.
    pub(crate) jacobian: Rows,
    /// The size of each coordinate, or of each velocity: by its kind, and by its rows where they make less of it.
    pub(crate) sizes: Vec<f64>,
    pub(crate) felt: Vec<f64>,
    /// What each row is measured by, and what its rounding is.
    pub(crate) scale: Vec<f64>,
    pub(crate) rounding: Vec<f64>,
}

impl Level {
    /// The largest residual as a part of its row's scale; infinite where one is no number.
    pub(crate) fn worst(&self) -> f64 {
        let relative = |(r, s): (&f64, &f64)| match r.abs() / s {
            _ if *r == 0.0 => 0.0,
            part if part.is_nan() => f64::INFINITY,
            part => part,
        };
        self.residual.iter().zip(&self.scale).map(relative).fold(0.0, f64::max)
    }

    /// The same without some rows of the equations.
    pub(crate) fn without(&self, rows: &[usize]) -> Self {
        let kept: Vec<usize> = (0..self.rows.len()).filter(|&at| !rows.contains(&self.rows[at])).collect();
        let of = |list: &[f64]| kept.iter().map(|&at| list[at]).collect();
        Self {
            rows: kept.iter().map(|&at| self.rows[at]).collect(),
            residual: of(&self.residual),
            jacobian: Rows::from_lists(kept.iter().map(|&at| self.jacobian.row(at).collect())),
            sizes: self.sizes.clone(),
            felt: self.felt.clone(),
            scale: of(&self.scale),
            rounding: of(&self.rounding),
        }
    }
}

/// A system as it is looked at here: with its rows in force, and where their numbers are among those of its groups.
pub(crate) struct Evaluator<'a> {
    pub(crate) system: &'a CompiledSystem,
    pub(crate) equations: &'a Equations,
    /// Where its states are, for messages: " at the start", or nothing.
    pub(crate) there: &'static str,
    /// The expressions of the equations, and derivatives that were added to them.
    pub(crate) graph: Graph,
    /// The rows that are in force.
    pub(crate) rows: Vec<usize>,
    /// The place of each row among those in force.
    pub(crate) place: Vec<Option<usize>>,
    /// M, Q, A, b; and where the entries of the lower triangle of M and of the rows of A in force are among them.
    dynamics: RefCell<Values>,
    mass_at: Vec<usize>,
    a_at: Vec<usize>,
    pub(crate) mass_places: Arc<Vec<(usize, usize)>>,
    pub(crate) shape: Arc<Shape>,
    /// The terms that rows are measured by, and where those of each row begin.
    terms: RefCell<Values>,
    terms_of: Vec<usize>,
    /// For each coordinate, the first of its dimension.
    pub(crate) kinds: Vec<usize>,
    /// For each coordinate the rows in force that contain it, once somebody asks.
    touching: OnceCell<Vec<Vec<u32>>>,
    positions: LevelCode,
    velocities: LevelCode,
}

/// The rows of one level.
struct LevelCode {
    rows: Vec<usize>,
    shape: Arc<Shape>,
    /// What is left of them and, where matrices are kept with their zeros, A.
    values: RefCell<Values>,
    /// Where the entries of A are: there, or in what an acceleration takes.
    a_at: Vec<usize>,
}

impl LevelCode {
    fn new(system: &CompiledSystem, group: Group, rows: Vec<usize>, entries_of: impl Fn(usize) -> Vec<usize>) -> Self {
        let of = |row: usize| &system.equations().rows[row].a[..];
        let shape = Arc::new(Shape::new(rows.iter().map(|&row| of(row))));
        let a_at = rows.iter().flat_map(|&row| entries_of(row)).collect();
        Self { rows, shape, values: RefCell::new(system.values(group)), a_at }
    }
}

impl<'a> Evaluator<'a> {
    /// A system with the values that its parameters have, and the rows that are not `off`.
    pub(crate) fn new(system: &'a CompiledSystem) -> Self {
        Self::of(system, " at the start")
    }

    /// The same for a state on the way of a motion, which messages need not name: their time says when.
    pub(crate) fn on_the_way(system: &'a CompiledSystem) -> Self {
        Self::of(system, "")
    }

    fn of(system: &'a CompiledSystem, there: &'static str) -> Self {
        let rows = &system.equations().rows;
        Self::with_rows(system, (0..rows.len()).filter(|&i| !rows[i].off).collect(), there)
    }

    /// The same with certain rows in force.
    pub(crate) fn with_rows(system: &'a CompiledSystem, rows: Vec<usize>, there: &'static str) -> Self {
        let equations = system.equations();
        let n = system.coordinates();
        let mut place = vec![None; equations.rows.len()];
        for (at, &row) in rows.iter().enumerate() {
            place[row] = Some(at);
        }
        // Groups that a run takes as well, so that they are compiled once.
        let is_sparse = runs_sparse(system);
        let [dynamics, position, velocity] = if is_sparse {
            [Group::Sparse, Group::PositionDrift, Group::VelocityDrift]
        } else {
            [Group::Dynamics, Group::Position, Group::Velocity]
        };
        let lower = || equations.mass.iter().filter(|(i, j, _)| j <= i).map(|(i, j, _)| (i, j));
        let mass_places: Arc<Vec<(usize, usize)>> = Arc::new(lower().collect());
        let at = |(place, (i, j)): (usize, (usize, usize))| if is_sparse { place } else { i * n + j };
        let mass_at = lower().enumerate().map(at).collect();
        let begins = starts(equations.rows.iter().map(|row| row.a.len()));
        let entries_of = |row: usize| {
            let entry = |(k, &(j, _)): (usize, &(usize, Id))| if is_sparse { begins[row] + k } else { row * n + j };
            equations.rows[row].a.iter().enumerate().map(entry).collect::<Vec<usize>>()
        };
        let level = |group: Group, equation: &dyn Fn(usize) -> Option<Id>| {
            let rows: Vec<usize> = rows.iter().copied().filter(|&row| equation(row).is_some()).collect();
            LevelCode::new(system, group, rows, entries_of)
        };
        Self {
            positions: level(position, &|row| equations.rows[row].position),
            velocities: level(velocity, &|row| equations.rows[row].velocity),
            dynamics: RefCell::new(system.values(dynamics)),
            mass_at,
            a_at: rows.iter().flat_map(|&row| entries_of(row)).collect(),
            mass_places,
            shape: Arc::new(Shape::new(rows.iter().map(|&row| &equations.rows[row].a[..]))),
            terms: RefCell::new(system.values(Group::Scale)),
            terms_of: starts(equations.rows.iter().map(|row| row.scale_terms.len())),
            kinds: first_alike(equations),
            touching: OnceCell::new(),
            graph: equations.graph.clone(),
            system,
            equations,
            rows,
            place,
            there,
        }
    }

    /// Evaluates a group at a state; what else an expression may ask for counts as 0.
    fn evaluate<'v>(&self, values: &'v RefCell<Values>, state: &State) -> Ref<'v, Values> {
        let (n, m, contacts) = (self.coordinates(), self.equations.rows.len(), self.equations.frictions.len());
        let zeros = vec![0.0; n.max(m).max(contacts)];
        let inputs = Inputs {
            t: state.time,
            q: &state.positions,
            v: &state.velocities,
            acceleration: &zeros[..n],
            multiplier: &zeros[..m],
            reaction: &zeros[..m],
            slip: &zeros[..contacts],
            normal: &zeros[..contacts],
        };
        self.system.evaluate(&inputs, &mut values.borrow_mut());
        values.borrow()
    }

    /// n.
    pub(crate) fn coordinates(&self) -> usize {
        self.equations.force.len()
    }

    /// The name of a coordinate.
    pub(crate) fn name(&self, coordinate: usize) -> &str {
        &self.equations.model.coordinates[coordinate].name
    }

    /// The values of expressions.
    pub(crate) fn values(&self, ids: &[Id], point: &Point) -> Vec<f64> {
        let of = |list: &[f64], i: u32| list.get(i as usize).copied().unwrap_or(0.0);
        self.graph.evaluate(ids, |symbol| match symbol {
            Symbol::Time => point.time,
            Symbol::Parameter(i) => of(self.system.parameters(), i),
            Symbol::Position(i) => of(point.positions, i),
            Symbol::Velocity(i) => of(point.velocities, i),
            Symbol::Acceleration(i) => of(point.accelerations, i),
            Symbol::Multiplier(i) => of(point.multipliers, i),
            Symbol::Reaction(i) => of(point.reactions, i),
            Symbol::Slip(_) => point.slip,
            Symbol::Normal(_) => point.normal,
        })
    }

    /// The value of one expression.
    pub(crate) fn value(&self, id: Id, point: &Point) -> f64 {
        self.values(&[id], point)[0]
    }

    /// Whether two expressions are the same, as far as algebra tells.
    pub(crate) fn same(&mut self, a: Id, b: Id) -> bool {
        let difference = self.graph.subtract(a, b);
        self.graph.is_zero(difference) == Zero::Proved
    }

    /// M, Q, A, b as far as they can be other than zero.
    pub(crate) fn entries(&self, state: &State) -> Entries {
        let values = self.evaluate(&self.dynamics, state);
        let mass = Symmetric { places: self.mass_places.clone(), values: picked(values.mass(), &self.mass_at) };
        let a = Rows::new(self.shape.clone(), picked(values.a(), &self.a_at));
        Entries { mass, force: values.force().to_vec(), a, b: picked(values.b(), &self.rows) }
    }

    /// M, Q, A, b with all their zeros.
    pub(crate) fn numbers(&self, state: &State) -> Numbers {
        self.entries(state).full()
    }

    /// The rows in force that contain a coordinate.
    pub(crate) fn touching(&self, coordinate: usize) -> impl Iterator<Item = &holonom_mechanics::derive::Row> {
        let rows = self.touching.get_or_init(|| {
            let mut rows = vec![Vec::new(); self.coordinates()];
            for &row in &self.rows {
                self.equations.rows[row].a.iter().for_each(|&(j, _)| rows[j].push(row as u32));
            }
            rows
        });
        rows[coordinate].iter().map(|&row| &self.equations.rows[row as usize])
    }

    /// The holonomic rows that are in force: φ, ∂φ/∂q.
    pub(crate) fn positions(&self, state: &State) -> Level {
        self.level(&self.positions, state, false)
    }

    /// The rows that restrict velocities: φ̇ and ψ, by q̇.
    pub(crate) fn velocities(&self, state: &State) -> Level {
        self.level(&self.velocities, state, true)
    }

    fn level(&self, code: &LevelCode, state: &State, of_velocities: bool) -> Level {
        let rows = code.rows.clone();
        let of = |row: usize| &self.equations.rows[row];
        let (residual, jacobian) = {
            let values = self.evaluate(&code.values, state);
            let jacobian = if values.a().is_empty() && !code.a_at.is_empty() {
                picked(self.evaluate(&self.dynamics, state).a(), &code.a_at)
            } else {
                picked(values.a(), &code.a_at)
            };
            (picked(values.residual(), &rows), Rows::new(code.shape.clone(), jacobian))
        };
        let mut jacobian = jacobian;
        let mut sums: Vec<f64> = {
            let terms = self.evaluate(&self.terms, state);
            let of = |&row: &usize| &terms.all()[self.terms_of[row]..self.terms_of[row + 1]];
            rows.iter().map(|row| of(row).iter().map(|x| x.abs()).sum()).collect()
        };
        for (at, &row) in rows.iter().enumerate() {
            // The terms are those of the lowest level: φ̇ of a holonomic row has its own, A q̇ and what time adds.
            if of(row).kind == ConstraintKind::Holonomic && of_velocities {
                let slopes = jacobian.row(at);
                let moved: f64 = slopes.clone().map(|(j, a)| a * state.velocities[j]).sum();
                let size: f64 = slopes.map(|(j, a)| (a * state.velocities[j]).abs()).sum();
                // Of the row of a joint they may all have cancelled.
                let natural = self.equations.natural_slopes(row);
                let natural: f64 = natural.map(|(j, slope)| slope * state.velocities[j].abs()).sum();
                sums[at] = (size + (residual[at] - moved).abs()).max(natural);
            }
        }
        let values = if of_velocities { &state.velocities } else { &state.positions };
        let mut sizes = scale::sizes(&self.kinds, values, &sums, &jacobian);
        if of_velocities {
            self.lift_dust(state, &mut sizes);
        }
        let scale = scale::scales(values, &sizes, &sums, &jacobian);
        let rounding = scale::roundings(values, &sums, &jacobian);
        jacobian.clear_rounding(&sizes.felt);
        Level { rows, residual, jacobian, sizes: sizes.typical, felt: sizes.felt, scale, rounding }
    }

    /// Velocities that are rounding beside those that forces would cause soon are measured by these.
    fn lift_dust(&self, state: &State, sizes: &mut scale::Sizes) {
        let fastest = state.velocities.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        if fastest == 0.0 || fastest > SLOW {
            return;
        }
        let (entries, positions) = (self.entries(state), self.position_sizes(state));
        let masses = entries.mass.diagonal(positions.len());
        let soon = |j: usize| match masses[j] {
            mass if mass > 0.0 => (entries.force[j].abs() / mass * positions[j]).sqrt(),
            _ => 0.0,
        };
        let soon = self.alike(&(0..positions.len()).map(soon).collect::<Vec<f64>>());
        for ((typical, felt), soon) in sizes.typical.iter_mut().zip(&mut sizes.felt).zip(soon) {
            if *typical <= DUST * soon {
                (*typical, *felt) = (soon, soon);
            }
        }
    }

    /// The size of each coordinate that counts as typical.
    pub(crate) fn position_sizes(&self, state: &State) -> Vec<f64> {
        self.positions(state).sizes
    }

    /// The size of each velocity that counts as typical.
    pub(crate) fn velocity_sizes(&self, state: &State) -> Vec<f64> {
        self.velocities(state).sizes
    }

    /// For each coordinate, the largest magnitude among the coordinates of its dimension.
    pub(crate) fn alike(&self, values: &[f64]) -> Vec<f64> {
        scale::largest_alike(&self.kinds, values)
    }
}

/// For each coordinate, the first of its dimension.
fn first_alike(equations: &Equations) -> Vec<usize> {
    let coordinates = &equations.model.coordinates;
    // Few dimensions, many coordinates.
    let mut firsts: Vec<usize> = Vec::new();
    let mut first = |j: usize| {
        let known = firsts.iter().find(|&&i| coordinates[i].dimension == coordinates[j].dimension).copied();
        known.unwrap_or_else(|| {
            firsts.push(j);
            j
        })
    };
    (0..coordinates.len()).map(&mut first).collect()
}

/// Some of the numbers.
fn picked(values: &[f64], places: &[usize]) -> Vec<f64> {
    places.iter().map(|&at| values[at]).collect()
}

/// Where each of several lists begins, one after the other, and where the last ends.
fn starts(lengths: impl Iterator<Item = usize>) -> Vec<usize> {
    let ends = lengths.scan(0, |end, length| {
        *end += length;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}
