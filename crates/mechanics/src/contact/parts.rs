//! Parts of a system that do not act on each other: coordinates that masses, rows and contacts tie together.
//!
//! What follows from forces in one part stays there. So each part is solved by itself, and one answer of the whole system to forces in
//! several parts has the answers to all of them in it.

use super::sets::Sets;
use super::touch::Touches;
use crate::compile::CompiledSystem;
use holonom_symbols::expr::Symbol;

/// The coordinates of a system, part by part. There is always one part.
#[derive(Clone, Debug)]
pub struct Parts {
    /// For each coordinate its part, and its place there.
    of: Vec<(usize, usize)>,
    /// The coordinates of each part; ascending.
    lists: Vec<Vec<usize>>,
}

#[allow(clippy::len_without_is_empty)] // nothing asks for it
impl Parts {
    /// The parts under some rows of the equations and some contacts; `in_force` says which constraints may have non-ideal forces.
    pub fn new(
        system: &CompiledSystem,
        rows: impl Iterator<Item = usize>,
        touches: &Touches,
        contacts: impl Iterator<Item = usize>,
        in_force: &[bool],
    ) -> Self {
        let (equations, n) = (system.equations(), system.coordinates());
        let columns = |row: usize| equations.rows[row].a.iter().map(|entry| entry.0);
        let mut sets = Sets::new(n);
        equations.mass.lower().for_each(|(i, j, _)| sets.join(i, j));
        rows.for_each(|row| sets.join_all(columns(row)));
        for which in contacts {
            let own = touches.coordinates(which).iter().map(|j| *j as usize);
            sets.join_all(own.chain(touches.load_rows(which).flat_map(columns)));
        }
        for part in &equations.nonideal {
            if part.constraint.is_some_and(|constraint| !in_force[constraint]) {
                continue;
            }
            for &(coordinate, row, _) in &part.by_reaction {
                sets.join_all(std::iter::once(coordinate).chain(columns(row)));
            }
            for force in &part.nonlinear {
                let rows = force.slopes.iter().filter_map(|slope| match slope.0 {
                    Symbol::Reaction(row) => Some(row as usize),
                    _ => None,
                });
                sets.join_all(std::iter::once(force.coordinate).chain(rows.flat_map(columns)));
            }
        }
        Self::of_sets(sets, n)
    }

    /// The parts under some rows of the equations and lists of coordinates that are held together, whatever friction does: a push in one of
    /// them moves and loads nothing in the others.
    pub fn of_motion<'a>(
        system: &CompiledSystem,
        rows: impl Iterator<Item = usize>,
        held: impl Iterator<Item = &'a [u32]>,
    ) -> Self {
        let (equations, n) = (system.equations(), system.coordinates());
        let mut sets = Sets::new(n);
        equations.mass.lower().for_each(|(i, j, _)| sets.join(i, j));
        rows.for_each(|row| sets.join_all(equations.rows[row].a.iter().map(|entry| entry.0)));
        held.for_each(|list| sets.join_all(list.iter().map(|j| *j as usize)));
        Self::of_sets(sets, n)
    }

    fn of_sets(mut sets: Sets, n: usize) -> Self {
        let mut number_of_root = vec![None; n];
        let (mut of, mut lists) = (Vec::with_capacity(n), Vec::<Vec<usize>>::new());
        for j in 0..n {
            let number = *number_of_root[sets.root(j)].get_or_insert_with(|| {
                lists.push(Vec::new());
                lists.len() - 1
            });
            of.push((number, lists[number].len()));
            lists[number].push(j);
        }
        if lists.is_empty() {
            lists.push(Vec::new());
        }
        Self { of, lists }
    }

    /// All n coordinates in one part.
    pub(crate) fn whole(n: usize) -> Self {
        Self { of: (0..n).map(|j| (0, j)).collect(), lists: vec![(0..n).collect()] }
    }

    /// How many parts there are.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// The coordinates of a part; ascending.
    pub fn coordinates(&self, part: usize) -> &[usize] {
        &self.lists[part]
    }

    /// The part of a coordinate, and the place of the coordinate there.
    pub fn of(&self, coordinate: usize) -> (usize, usize) {
        self.of[coordinate]
    }

    /// The part of something that concerns coordinates of one part; of what concerns none, the first.
    pub fn of_first(&self, mut coordinates: impl Iterator<Item = usize>) -> usize {
        coordinates.next().map_or(0, |j| self.of[j].0)
    }
}
