//! Elimination: pivots that are short in symbols and far from zero at admissible states.

use super::arithmetic::{Arithmetic, Calculator, Entry, Rows};
use holonom_symbols::algebra::Exhausted;

/// A matrix brought to reduced form: in each pivot column a single 1.
pub(super) struct Reduced<V> {
    /// The rows, those with a pivot first, in the order of `pivots`.
    pub(super) rows: Rows<V>,
    /// The column of each pivot.
    pub(super) pivots: Vec<usize>,
    /// The product of what was divided by; its sign is not kept.
    pub(super) determinant: Entry<V>,
}

impl<V> Reduced<V> {
    /// The columns below `columns` that have no pivot.
    pub(super) fn others(&self, columns: usize) -> Vec<usize> {
        (0..columns).filter(|c| !self.pivots.contains(c)).collect()
    }
}

/// Pivots that are this small beside their row are taken only when there is nothing better.
const WEAK: f64 = 1e-4;

/// Where pivots may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pivots {
    /// Anywhere.
    Anywhere,
    /// On the diagonal: those of a matrix that is positive semi-definite never vanish where others do not.
    Diagonal,
    /// Where nothing that may vanish is divided by, at any state.
    Certain,
}

/// Brings `rows` to reduced form with pivots in the first `columns` columns; those behind are carried along.
///
/// Rows without a pivot are left at the end, zero in the first `columns` columns at admissible states.
pub(super) fn reduce<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    mut rows: Rows<A::Value>,
    columns: usize,
    place: Pivots,
) -> Result<Reduced<A::Value>, Exhausted> {
    let mut pivots: Vec<usize> = Vec::new();
    let mut determinant = calculator.one();
    // Which row of the matrix each row is.
    let mut origin: Vec<usize> = (0..rows.len()).collect();
    while let Some((r, c)) = choose(calculator, &rows, pivots.len(), columns, |r, c| match place {
        Pivots::Anywhere => true,
        Pivots::Diagonal => origin[r] == c,
        Pivots::Certain => calculator.inner.never_vanishes(&rows[r][c].value),
    }) {
        let done = pivots.len();
        rows.swap(done, r);
        origin.swap(done, r);
        let pivot = rows[done][c].clone();
        determinant = calculator.multiply(&determinant, &pivot)?;
        let row = rows[done].iter().map(|entry| calculator.divide(entry, &pivot)).collect::<Result<Vec<_>, _>>()?;
        let mut row = row;
        row[c] = calculator.one();
        for (i, other) in rows.iter_mut().enumerate() {
            if i == done || calculator.is_zero(&other[c]) {
                continue;
            }
            let factor = other[c].clone();
            for (j, (entry, p)) in other.iter_mut().zip(&row).enumerate() {
                if j == c {
                    *entry = calculator.zero();
                } else if !calculator.is_zero(p) {
                    let change = calculator.multiply(&factor, p)?;
                    *entry = calculator.subtract(entry, &change)?;
                }
            }
        }
        rows[done] = row;
        pivots.push(c);
    }
    Ok(Reduced { rows, pivots, determinant })
}

/// The next pivot: few entries in its row and column, short, and first where all else is equal.
fn choose<A: Arithmetic>(
    calculator: &Calculator<A>,
    rows: &Rows<A::Value>,
    done: usize,
    columns: usize,
    allowed: impl Fn(usize, usize) -> bool,
) -> Option<(usize, usize)> {
    let left = &rows[done.min(rows.len())..];
    let filled = |entry: &Entry<A::Value>| !calculator.is_zero(entry);
    let in_column: Vec<usize> = (0..columns).map(|c| left.iter().filter(|row| filled(&row[c])).count()).collect();
    // At how many states it vanishes, whether it is weak, how much work it makes, its column; and its place.
    type Candidate = ((usize, bool, usize, usize), (usize, usize));
    let mut best: Option<Candidate> = None;
    for (r, row) in left.iter().enumerate() {
        let in_row = row[..columns].iter().filter(|entry| filled(entry)).count();
        for c in 0..columns {
            if !allowed(r + done, c) {
                continue;
            }
            let Some((zeros, strength)) = calculator.strength(&row[c], &row[..columns]) else { continue };
            let size = calculator.inner.size(&row[c].value);
            let fill = in_row.saturating_sub(1) * in_column[c].saturating_sub(1);
            let score = (zeros, strength < WEAK, size.saturating_mul(1 + fill), c);
            if best.is_none_or(|(least, _)| score < least) {
                best = Some((score, (r + done, c)));
            }
        }
    }
    best.map(|(_, place)| place)
}

/// X with `matrix`·X = `right`, for a square matrix that is regular at admissible states; nothing where it is not.
pub(super) fn solve<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    matrix: &[Vec<Entry<A::Value>>],
    right: &[Vec<Entry<A::Value>>],
) -> Result<Option<Rows<A::Value>>, Exhausted> {
    let n = matrix.len();
    let rows = matrix.iter().zip(right).map(|(row, right)| row.iter().chain(right).cloned().collect()).collect();
    let reduced = reduce(calculator, rows, n, Pivots::Anywhere)?;
    if reduced.pivots.len() < n {
        return Ok(None);
    }
    let mut solution: Rows<A::Value> = vec![Vec::new(); n];
    for (row, &pivot) in reduced.rows.into_iter().zip(&reduced.pivots) {
        solution[pivot] = row[n..].to_vec();
    }
    Ok(Some(solution))
}
