//! M as expressions: a symmetric matrix, of which only what is not identically zero is kept.

use holonom_symbols::expr::Id;

/// The mass matrix in symbols, row by row.
///
/// A chain of ten thousand links has four entries for every link, and four hundred million places for them.
///
/// ```
/// use holonom_mechanics::derive::Mass;
/// use holonom_symbols::expr::Id;
///
/// let mut mass = Mass::new(3);
/// mass.set(0, 2, Id::ONE);
/// assert_eq!((mass.get(2, 0), mass.get(1, 1)), (Id::ONE, Id::ZERO));
/// assert_eq!(mass.iter().count(), 2);
/// assert_eq!(mass.dense()[2], Id::ONE);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mass {
    rows: Vec<Vec<(usize, Id)>>,
}

impl Mass {
    /// No mass at all in `n` coordinates.
    pub fn new(n: usize) -> Self {
        Self { rows: vec![Vec::new(); n] }
    }

    /// How many coordinates there are.
    pub fn size(&self) -> usize {
        self.rows.len()
    }

    /// An entry.
    pub fn get(&self, i: usize, j: usize) -> Id {
        let row = &self.rows[i];
        row.binary_search_by_key(&j, |entry| entry.0).map_or(Id::ZERO, |place| row[place].1)
    }

    /// Sets an entry and its mirror image.
    pub fn set(&mut self, i: usize, j: usize, id: Id) {
        for (i, j) in [(i, j), (j, i)] {
            let row = &mut self.rows[i];
            match row.binary_search_by_key(&j, |entry| entry.0) {
                Ok(place) if id == Id::ZERO => {
                    row.remove(place);
                }
                Ok(place) => row[place].1 = id,
                Err(_) if id == Id::ZERO => {}
                Err(place) => row.insert(place, (j, id)),
            }
        }
    }

    /// A row: columns and entries, in order.
    pub fn row(&self, i: usize) -> &[(usize, Id)] {
        &self.rows[i]
    }

    /// All entries: row, column, expression.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, Id)> {
        self.rows.iter().enumerate().flat_map(|(i, row)| row.iter().map(move |&(j, id)| (i, j, id)))
    }

    /// The entries on the diagonal and below it: row, column, expression.
    pub fn lower(&self) -> impl Iterator<Item = (usize, usize, Id)> {
        self.iter().filter(|&(i, j, _)| j <= i)
    }

    /// The expressions alone.
    pub fn ids(&self) -> impl Iterator<Item = Id> {
        self.iter().map(|entry| entry.2)
    }

    /// All of it with its zeros, row-major.
    pub fn dense(&self) -> Vec<Id> {
        let n = self.size();
        let mut all = vec![Id::ZERO; n * n];
        self.iter().for_each(|(i, j, id)| all[i * n + j] = id);
        all
    }
}
