//! Expressions → numbers at one state: M, Q, A, b and the constraints themselves.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use super::entries::{Entries, Numbers, Rows, Shape, Symmetric};
use super::scale;
use crate::compile::{self, Held, Inputs, Place};
use crate::derive::{Equations, Kind};
use crate::expr::{Depends, Graph, Id, Symbol, Zero};

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
pub(super) struct Point<'a> {
    pub(super) time: f64,
    pub(super) positions: &'a [f64],
    pub(super) velocities: &'a [f64],
    pub(super) accelerations: &'a [f64],
    /// Over all rows of the equations, those that are off included.
    pub(super) multipliers: &'a [f64],
    pub(super) reactions: &'a [f64],
    /// For the law of one friction.
    pub(super) slip: f64,
    pub(super) normal: f64,
}

impl State {
    /// The point of an expression in which only the state occurs.
    pub(super) fn point(&self) -> Point<'_> {
        Point { time: self.time, positions: &self.positions, velocities: &self.velocities, ..Point::default() }
    }
}

/// The rows of one level of the constraints at one state: what is left of them, how they change, and how large they are.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// Which rows of the equations.
    pub(super) rows: Vec<usize>,
    /// φ, or φ̇ and ψ.
    pub(super) residual: Vec<f64>,
    /// Their derivatives by q, or by q̇: the entries of A.
    pub(super) jacobian: Rows,
    /// The size of each coordinate, or of each velocity: by its kind, and by its rows where they make less of it.
    pub(super) sizes: Vec<f64>,
    pub(super) felt: Vec<f64>,
    /// What each row is measured by, and what its rounding is.
    pub(super) scale: Vec<f64>,
    pub(super) rounding: Vec<f64>,
}

impl Level {
    /// The largest residual as a part of its row's scale; infinite where one is no number.
    pub(super) fn worst(&self) -> f64 {
        let relative = |(r, s): (&f64, &f64)| match r.abs() / s {
            _ if *r == 0.0 => 0.0,
            part if part.is_nan() => f64::INFINITY,
            part => part,
        };
        self.residual.iter().zip(&self.scale).map(relative).fold(0.0, f64::max)
    }

    /// The same without some rows of the equations.
    pub(super) fn without(&self, rows: &[usize]) -> Self {
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

/// Equations with values for their parameters.
pub(super) struct Evaluator<'a> {
    pub(super) equations: &'a Equations,
    /// The expressions of the equations, and derivatives that were added to them.
    pub(super) graph: Graph,
    pub(super) parameters: Vec<f64>,
    /// The rows that are in force.
    pub(super) rows: Vec<usize>,
    /// The place of each row among those in force.
    pub(super) place: Vec<Option<usize>>,
    /// The lower triangle of M, Q, b and the entries of A.
    numbers: Compiled,
    pub(super) mass_places: Arc<Vec<(usize, usize)>>,
    pub(super) shape: Arc<Shape>,
    /// For each coordinate, the first of its dimension.
    pub(super) kinds: Vec<usize>,
    /// For each coordinate the rows in force that contain it, once somebody asks.
    touching: OnceCell<Vec<Vec<u32>>>,
    positions: LevelCode,
    velocities: LevelCode,
}

/// Expressions of the state that are evaluated often.
struct Compiled {
    ids: Vec<Id>,
    code: Option<(compile::Evaluator, Held, RefCell<Place>)>,
}

impl Compiled {
    /// `items` says which of them go together: for each its item.
    fn new(graph: &Graph, ids: Vec<Id>, items: &[u32], parameters: &[f64]) -> Self {
        let beyond = Depends::ACCELERATION | Depends::FORCE | Depends::CONTACT;
        let of_state = !ids.iter().any(|&id| graph.depends(id).on(beyond));
        let code = of_state.then(|| {
            let code = compile::Evaluator::new(graph, &ids, items);
            let (held, place) = (code.fixed(parameters), RefCell::new(code.place()));
            (code, held, place)
        });
        Self { ids, code }
    }
}

/// The rows of one level, and the expressions it takes to see whether they hold.
struct LevelCode {
    rows: Vec<usize>,
    shape: Arc<Shape>,
    /// The equations, then the entries of A, then the terms that make up the scale.
    code: Compiled,
}

impl LevelCode {
    fn new(
        equations: &Equations,
        in_force: &[usize],
        parameters: &[f64],
        equation: impl Fn(usize) -> Option<Id>,
    ) -> Self {
        let rows: Vec<usize> = in_force.iter().copied().filter(|&row| equation(row).is_some()).collect();
        let of = |row: usize| &equations.rows[row];
        let mut ids: Vec<Id> = rows.iter().map(|&row| equation(row).unwrap_or(Id::ZERO)).collect();
        ids.extend(rows.iter().flat_map(|&row| of(row).a.iter().map(|&(_, id)| id)));
        ids.extend(rows.iter().flat_map(|&row| of(row).scale_terms.iter().copied()));
        let places = || rows.iter().zip(0u32..);
        let mut items: Vec<u32> = places().map(|(_, item)| item).collect();
        items.extend(places().flat_map(|(&row, item)| of(row).a.iter().map(move |_| item)));
        items.extend(places().flat_map(|(&row, item)| of(row).scale_terms.iter().map(move |_| item)));
        let shape = Arc::new(Shape::new(rows.iter().map(|&row| &of(row).a[..])));
        Self { rows, shape, code: Compiled::new(&equations.graph, ids, &items, parameters) }
    }
}

impl<'a> Evaluator<'a> {
    /// With some parameters set from outside; the others follow from their own expressions.
    pub(super) fn new(equations: &'a Equations, set: &[(usize, f64)]) -> Self {
        let rows: Vec<usize> = (0..equations.rows.len()).filter(|&i| !equations.rows[i].off).collect();
        let mut place = vec![None; equations.rows.len()];
        for (at, &row) in rows.iter().enumerate() {
            place[row] = Some(at);
        }
        let parameters = parameter_values(equations, set);
        let in_force = || rows.iter().map(|&row| &equations.rows[row]);
        let lower = || equations.mass.iter().filter(|(i, j, _)| j <= i);
        let mut ids: Vec<Id> = lower().map(|(_, _, id)| id).collect();
        let mass_places = Arc::new(lower().map(|(i, j, _)| (i, j)).collect());
        ids.extend(&equations.force);
        let alone = ids.len() as u32;
        ids.extend(in_force().map(|row| row.b));
        ids.extend(in_force().flat_map(|row| row.a.iter().map(|&(_, id)| id)));
        // A row and its right side go together, all else stands alone.
        let mut items: Vec<u32> = (0..alone).collect();
        items.extend((alone..).take(rows.len()));
        items.extend(in_force().zip(alone..).flat_map(|(row, item)| row.a.iter().map(move |_| item)));
        let numbers = Compiled::new(&equations.graph, ids, &items, &parameters);
        let positions = LevelCode::new(equations, &rows, &parameters, |row| equations.rows[row].position);
        let velocities = LevelCode::new(equations, &rows, &parameters, |row| equations.rows[row].velocity);
        let graph = equations.graph.clone();
        let shape = Arc::new(Shape::new(in_force().map(|row| &row.a[..])));
        let (touching, kinds) = (OnceCell::new(), first_alike(equations));
        Self {
            equations,
            graph,
            parameters,
            rows,
            place,
            numbers,
            mass_places,
            shape,
            kinds,
            touching,
            positions,
            velocities,
        }
    }

    /// n.
    pub(super) fn coordinates(&self) -> usize {
        self.equations.force.len()
    }

    /// The name of a coordinate.
    pub(super) fn name(&self, coordinate: usize) -> &str {
        &self.equations.model.coordinates[coordinate].name
    }

    /// The values of expressions.
    pub(super) fn values(&self, ids: &[Id], point: &Point) -> Vec<f64> {
        let of = |list: &[f64], i: u32| list.get(i as usize).copied().unwrap_or(0.0);
        self.graph.evaluate(ids, |symbol| match symbol {
            Symbol::Time => point.time,
            Symbol::Parameter(i) => of(&self.parameters, i),
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
    pub(super) fn value(&self, id: Id, point: &Point) -> f64 {
        self.values(&[id], point)[0]
    }

    /// Whether two expressions are the same, as far as algebra tells.
    pub(super) fn same(&mut self, a: Id, b: Id) -> bool {
        let difference = self.graph.subtract(a, b);
        self.graph.is_zero(difference) == Zero::Proved
    }

    /// M, Q, A, b as far as they can be other than zero.
    pub(super) fn entries(&self, state: &State) -> Entries {
        let (n, m) = (self.coordinates(), self.rows.len());
        let mut values = self.compiled(&self.numbers, state);
        let a = values.split_off(self.mass_places.len() + n + m);
        let b = values.split_off(self.mass_places.len() + n);
        let force = values.split_off(self.mass_places.len());
        let mass = Symmetric { places: self.mass_places.clone(), values };
        Entries { mass, force, a: Rows::new(self.shape.clone(), a), b }
    }

    /// M, Q, A, b with all their zeros.
    pub(super) fn numbers(&self, state: &State) -> Numbers {
        self.entries(state).full()
    }

    /// The rows in force that contain a coordinate.
    pub(super) fn touching(&self, coordinate: usize) -> impl Iterator<Item = &crate::derive::Row> {
        let rows = self.touching.get_or_init(|| {
            let mut rows = vec![Vec::new(); self.coordinates()];
            for &row in &self.rows {
                self.equations.rows[row].a.iter().for_each(|&(j, _)| rows[j].push(row as u32));
            }
            rows
        });
        rows[coordinate].iter().map(|&row| &self.equations.rows[row as usize])
    }

    /// The values of expressions that are ready to be evaluated.
    fn compiled(&self, code: &Compiled, state: &State) -> Vec<f64> {
        match &code.code {
            Some((code, held, place)) => {
                let inputs = Inputs { t: state.time, q: &state.positions, v: &state.velocities, ..Inputs::default() };
                code.evaluate(held, &inputs, &mut place.borrow_mut());
                place.borrow().outputs().to_vec()
            }
            None => self.values(&code.ids, &state.point()),
        }
    }

    /// The holonomic rows that are in force: φ, ∂φ/∂q.
    pub(super) fn positions(&self, state: &State) -> Level {
        self.level(&self.positions, state, false)
    }

    /// The rows that restrict velocities: φ̇ and ψ, by q̇.
    pub(super) fn velocities(&self, state: &State) -> Level {
        self.level(&self.velocities, state, true)
    }

    fn level(&self, code: &LevelCode, state: &State, of_velocities: bool) -> Level {
        let rows = code.rows.clone();
        let of = |row: usize| &self.equations.rows[row];
        let mut residual = self.compiled(&code.code, state);
        let mut values = residual.split_off(rows.len());
        let terms = values.split_off(rows.iter().map(|&row| of(row).a.len()).sum());
        let mut rest = terms.iter();
        let jacobian = Rows::new(code.shape.clone(), values);
        let mut sums = Vec::with_capacity(rows.len());
        for (at, &row) in rows.iter().enumerate() {
            let terms: f64 = rest.by_ref().take(of(row).scale_terms.len()).map(|x| x.abs()).sum();
            // The terms are those of the lowest level: φ̇ of a holonomic row has its own, A q̇ and what time adds.
            let is_rate = of(row).kind == Kind::Holonomic && of_velocities;
            sums.push(if is_rate {
                let slopes = jacobian.row(at);
                let moved: f64 = slopes.clone().map(|(j, a)| a * state.velocities[j]).sum();
                let size: f64 = slopes.map(|(j, a)| (a * state.velocities[j]).abs()).sum();
                size + (residual[at] - moved).abs()
            } else {
                terms
            });
        }
        let values = if of_velocities { &state.velocities } else { &state.positions };
        let mut sizes = scale::sizes(&self.kinds, values, &sums, &jacobian);
        if of_velocities {
            self.lift_dust(state, &mut sizes);
        }
        let scale = scale::scales(values, &sizes, &sums, &jacobian);
        let rounding = scale::roundings(values, &sums, &jacobian);
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
            if *typical <= scale::DUST * soon {
                (*typical, *felt) = (soon, soon);
            }
        }
    }

    /// The size of each coordinate that counts as typical.
    pub(super) fn position_sizes(&self, state: &State) -> Vec<f64> {
        self.positions(state).sizes
    }

    /// The size of each velocity that counts as typical.
    pub(super) fn velocity_sizes(&self, state: &State) -> Vec<f64> {
        self.velocities(state).sizes
    }

    /// For each coordinate, the largest magnitude among the coordinates of its dimension.
    pub(super) fn alike(&self, values: &[f64]) -> Vec<f64> {
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

/// The parameters: set from outside, or numbers and expressions of earlier ones.
fn parameter_values(equations: &Equations, set: &[(usize, f64)]) -> Vec<f64> {
    let mut values: Vec<f64> = Vec::with_capacity(equations.model.parameters.len());
    for (i, parameter) in equations.model.parameters.iter().enumerate() {
        let value = match set.iter().rev().find(|(which, _)| *which == i) {
            Some((_, value)) => *value,
            None => equations.graph.evaluate(&[parameter.value], |symbol| match symbol {
                Symbol::Parameter(j) => values.get(j as usize).copied().unwrap_or(f64::NAN),
                _ => f64::NAN,
            })[0],
        };
        values.push(value);
    }
    values
}
