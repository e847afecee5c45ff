//! The rows in force, those that hold contacts after them, and M, Q, A and b at the state that was evaluated last.

use crate::integrate::contact::Contacts;
use crate::integrate::linear::Numbers;
use holonom_mechanics::compile::{CompiledSystem, Group, RowLayout, Values};
use holonom_mechanics::derive::{ConstraintKind, Equations};

/// What projection moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::integrate) enum Level {
    Position,
    Velocity,
}

/// The rows in force and their numbers.
#[derive(Clone)]
pub(in crate::integrate) struct InForce {
    /// The rows in force, by their number among those of the equations.
    pub(in crate::integrate) rows: Vec<usize>,
    /// For each constraint, whether it is in force.
    pub(super) constraints: Vec<bool>,
    /// The one-sided rows that take part, and the place of each among the rows in force.
    pub(in crate::integrate) sided: Vec<(usize, Option<usize>)>,
    /// How many rows hold contacts that stick; they come after the rows in force.
    pub(in crate::integrate) sticks: usize,
    /// What the system says of a state, over all rows of the equations.
    pub(super) dynamics: Values,
    /// Where the rows of the equations stand among `dynamics`, and the rows in force in A.
    pub(super) given: RowLayout,
    pub(super) shape: RowLayout,
    /// Whether the rows in force are those of the equations, and whether they are taken from `dynamics` where they stand.
    has_all_rows: bool,
    is_direct: bool,
    /// A where it is put together, of the rows in force and of those that hold.
    gathered: Vec<f64>,
    /// b of all of them.
    pub(super) b: Vec<f64>,
    /// No force, or no right side.
    zeros: Vec<f64>,
}

impl InForce {
    /// Certain rows of a system, in the order in which they are to stand.
    pub(super) fn new(system: &CompiledSystem, rows: Vec<usize>, is_sparse: bool) -> Self {
        let equations = system.equations();
        let shape_of = |rows: &mut dyn Iterator<Item = usize>| match is_sparse {
            true => RowLayout::sparse(equations, rows),
            false => RowLayout::dense(system.coordinates()),
        };
        let mut constraints = vec![false; equations.model.constraints.len()];
        for &row in &rows {
            if let Some((constraint, _)) = equations.rows[row].constraint {
                constraints[constraint] = true;
            }
        }
        let group = if is_sparse { Group::Sparse } else { Group::Dynamics };
        system.compile(group);
        Self {
            constraints,
            sided: equations.one_sided_rows().map(|row| (row, rows.iter().position(|one| *one == row))).collect(),
            sticks: 0,
            dynamics: system.values(group),
            given: shape_of(&mut (0..system.rows())),
            shape: shape_of(&mut rows.iter().copied()),
            has_all_rows: rows.len() == system.rows() && rows.is_sorted(),
            is_direct: false,
            gathered: Vec::new(),
            b: Vec::new(),
            zeros: Vec::new(),
            rows,
        }
    }

    /// Makes room for so many rows that hold contacts.
    pub(super) fn arrange(&mut self, n: usize, sticks: usize, contacts: Option<&Contacts>) {
        self.sticks = sticks;
        self.is_direct = self.is_sparse() && self.has_all_rows && sticks == 0;
        if let Some(contacts) = contacts.filter(|_| self.shape.is_sparse()) {
            let given = |row: &usize| self.given.columns(*row);
            self.shape = RowLayout::with_columns(n, self.rows.iter().map(given).chain(contacts.stick_columns()));
        }
        let total = self.total();
        for (list, size) in
            [(&mut self.gathered, self.shape.len(total)), (&mut self.b, total), (&mut self.zeros, n.max(total))]
        {
            list.clear();
            list.resize(size, 0.0);
        }
    }

    /// Whether M and A are kept without their zeros.
    pub(in crate::integrate) fn is_sparse(&self) -> bool {
        self.dynamics.group() == Group::Sparse
    }

    /// The number of rows in force, and of those that hold contacts.
    pub(super) fn total(&self) -> usize {
        self.rows.len() + self.sticks
    }

    /// M, Q, A and b at a state, with the rows that hold contacts.
    pub(super) fn evaluate(
        &mut self,
        system: &CompiledSystem,
        contacts: Option<&mut Contacts>,
        (t, q, v): (f64, &[f64], &[f64]),
    ) {
        system.at(t, q, v, &mut self.dynamics);
        let m = self.rows.len();
        let (a, b) = (self.dynamics.a(), self.dynamics.b());
        if self.has_all_rows {
            if !self.is_direct {
                self.gathered[..a.len()].copy_from_slice(a);
            }
            self.b[..m].copy_from_slice(b);
        } else {
            for (place, &row) in self.rows.iter().enumerate() {
                self.gathered[self.shape.range(place)].copy_from_slice(&a[self.given.range(row)]);
                self.b[place] = b[row];
            }
        }
        if let Some(contacts) = contacts {
            contacts.evaluate(system, t, q, v);
            contacts.write_sticks(&self.shape, m, &mut self.gathered, &mut self.b);
        }
    }

    pub(super) fn mass(&self) -> &[f64] {
        self.dynamics.mass()
    }

    pub(super) fn force(&self) -> &[f64] {
        self.dynamics.force()
    }

    /// A of the rows in force: where it was evaluated, or where rows were put together.
    pub(super) fn a(&self) -> &[f64] {
        if self.is_direct { self.dynamics.a() } else { &self.gathered }
    }

    /// No force on any coordinate.
    pub(super) fn no_force(&self) -> &[f64] {
        &self.zeros[..self.force().len()]
    }

    /// Right sides of nothing for all rows.
    pub(super) fn no_right(&self) -> &[f64] {
        &self.zeros[..self.b.len()]
    }

    /// What the kernel takes, with a force C.
    pub(super) fn numbers<'a>(&'a self, c: Option<&'a [f64]>) -> Numbers<'a> {
        Numbers { mass: self.mass(), force: self.force(), a: self.a(), b: &self.b, c }
    }

    /// The same without the rows that hold contacts.
    pub(super) fn numbers_of_model<'a>(&'a self, c: Option<&'a [f64]>) -> Numbers<'a> {
        let m = self.rows.len();
        Numbers { a: &self.a()[..self.shape.len(m)], b: &self.b[..m], ..self.numbers(c) }
    }

    /// The places of the rows that restrict positions or velocities; what sticks must not be moved by projection either.
    pub(super) fn restricting(&self, level: Level, equations: &Equations) -> Vec<usize> {
        let m = self.rows.len();
        let mut places: Vec<usize> =
            (0..m).filter(|&place| restricts(level, equations.rows[self.rows[place]].kind)).collect();
        if level == Level::Velocity || !places.is_empty() {
            places.extend(m..self.total());
        }
        places
    }

    /// Whether some row restricts positions, or velocities.
    pub(super) fn restrict(&self, level: Level, equations: &Equations) -> bool {
        self.rows.iter().any(|&row| restricts(level, equations.rows[row].kind))
    }

    /// The one-sided rows in force.
    pub(super) fn one_sided(&self, equations: &Equations) -> Vec<usize> {
        self.rows.iter().copied().filter(|&row| equations.rows[row].one_sided).collect()
    }

    /// Whether a one-sided row is in force.
    pub(super) fn pushes(&self) -> bool {
        self.sided.iter().any(|(_, place)| place.is_some())
    }

    /// The masses of the coordinates, each by itself.
    pub(super) fn write_masses(&self, equations: &Equations, masses: &mut [f64]) {
        let (n, mass) = (masses.len(), self.mass());
        masses.fill(0.0);
        if self.is_sparse() {
            let entries = equations.mass.lower().zip(mass).filter(|((i, j, _), _)| i == j);
            entries.for_each(|((i, ..), m)| masses[i] = *m);
        } else {
            masses.iter_mut().enumerate().for_each(|(j, m)| *m = mass[j * n + j]);
        }
    }
}

/// Whether rows of a kind restrict positions, or velocities.
fn restricts(level: Level, kind: ConstraintKind) -> bool {
    match level {
        Level::Position => kind == ConstraintKind::Holonomic,
        Level::Velocity => kind != ConstraintKind::Acceleration,
    }
}
