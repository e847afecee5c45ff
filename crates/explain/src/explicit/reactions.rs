//! The motion through the reactions: λ first, then the accelerations.
//!
//! Where M is regular and rows are independent,
//!
//! ```text
//! (A M⁻¹Aᵀ) λ = b − A M⁻¹Q,   q̈ = M⁻¹(Q + Aᵀλ)
//! ```
//!
//! Both matrices are positive definite, so what is divided by on their diagonals vanishes at no state at which the rows are independent. An
//! elimination among the coordinates, [`super::motion`], divides by whatever it chose as pivots, which may be a coordinate
//! that is zero at rest.

use super::arithmetic::{Arithmetic, Calculator, Entry, Rows};
use super::constraints::Constraints;
use super::eliminate::{Pivots, reduce};
use holonom_symbols::algebra::Exhausted;
use std::collections::BTreeMap;

/// Systems of up to this size are solved with determinants where expressions are exact: nothing is divided by before the end, so that
/// everything on the way can be shortened on the constraints.
const CRAMER: usize = 4;

/// What comes of some columns of forces.
pub(super) struct Solved<V> {
    pub(super) accelerations: Rows<V>,
    /// M q̈.
    pub(super) inertias: Rows<V>,
    /// Over the kept rows.
    pub(super) loads: Rows<V>,
    /// Of `[M Aᵀ; A 0]`, up to its sign.
    pub(super) determinant: Entry<V>,
}

/// The motion for columns of forces; the first comes with b. Nothing if M or A M⁻¹Aᵀ is not regular.
pub(super) fn through_reactions<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    constraints: &Constraints<A::Value>,
    mass: &Rows<A::Value>,
    forces: &Rows<A::Value>,
) -> Result<Option<Solved<A::Value>>, Exhausted> {
    let (n, r) = (mass.len(), constraints.kept.len());
    let a: Rows<A::Value> = constraints.kept.iter().map(|&k| constraints.a[k].clone()).collect();
    // M⁻¹Aᵀ and M⁻¹Q at once.
    let mut rows = mass.clone();
    for (j, row) in rows.iter_mut().enumerate() {
        row.extend(a.iter().chain(forces).map(|list| list[j].clone()));
    }
    let reduced = reduce(calculator, rows, n, Pivots::Diagonal)?;
    if reduced.pivots.len() < n {
        return Ok(None);
    }
    let mut inverse: Rows<A::Value> = vec![Vec::new(); n];
    for (row, &p) in reduced.rows.iter().zip(&reduced.pivots) {
        inverse[p] = row[n..].to_vec();
    }
    let column = |c: usize| -> Vec<Entry<A::Value>> { inverse.iter().map(|row| row[c].clone()).collect() };
    let (compliant, free): (Rows<A::Value>, Rows<A::Value>) =
        ((0..r).map(column).collect(), (0..forces.len()).map(|c| column(r + c)).collect());
    let mut w: Rows<A::Value> = vec![Vec::new(); r];
    for i in 0..r {
        for j in 0..r {
            let entry = if j < i {
                w[j][i].clone()
            } else {
                let entry = calculator.product(&a[i], &compliant[j])?;
                calculator.on_constraints(entry)?
            };
            w[i].push(entry);
        }
    }
    let mut right: Rows<A::Value> = vec![Vec::new(); r];
    for (c, own) in free.iter().enumerate() {
        for (i, row) in right.iter_mut().enumerate() {
            let mut entry = calculator.product(&a[i], own)?;
            entry = match c {
                0 => calculator.subtract(&constraints.right[i], &entry)?,
                _ => calculator.negate(&entry)?,
            };
            row.push(calculator.on_constraints(entry)?);
        }
    }
    let Some((by_row, square)) = solve(calculator, w, right)? else { return Ok(None) };
    let determinant = calculator.multiply(&reduced.determinant, &square)?;
    let (mut accelerations, mut inertias, mut loads) = (Vec::new(), Vec::new(), Vec::new());
    for (c, (own, force)) in free.iter().zip(forces).enumerate() {
        let load: Vec<Entry<A::Value>> = by_row.iter().map(|row| row[c].clone()).collect();
        let along = |calculator: &mut Calculator<A>, rows: &Rows<A::Value>, start: &[Entry<A::Value>]| {
            let moved = calculator.apply_transposed(rows, &load, n)?;
            let sums = moved.iter().zip(start).map(|(x, y)| calculator.add(x, y));
            sums.collect::<Result<Vec<_>, _>>()
        };
        accelerations.push(along(calculator, &compliant, own)?);
        inertias.push(along(calculator, &a, force)?);
        loads.push(load);
    }
    Ok(Some(Solved { accelerations, inertias, loads, determinant }))
}

/// X with W·X = `right` for a positive definite W, and its determinant; nothing where it is not regular.
#[allow(clippy::type_complexity)]
fn solve<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    w: Rows<A::Value>,
    right: Rows<A::Value>,
) -> Result<Option<(Rows<A::Value>, Entry<A::Value>)>, Exhausted> {
    let r = w.len();
    if !A::TRUSTS_NUMBERS && r <= CRAMER {
        return by_determinants(calculator, &w, &right);
    }
    let rows = w.iter().zip(&right).map(|(row, right)| row.iter().chain(right).cloned().collect()).collect();
    let reduced = reduce(calculator, rows, r, Pivots::Diagonal)?;
    if reduced.pivots.len() < r {
        return Ok(None);
    }
    let mut solution: Rows<A::Value> = vec![Vec::new(); r];
    for (row, &pivot) in reduced.rows.into_iter().zip(&reduced.pivots) {
        solution[pivot] = row[r..].to_vec();
    }
    Ok(Some((solution, reduced.determinant)))
}

/// Cramer's rule.
#[allow(clippy::type_complexity)]
fn by_determinants<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    w: &Rows<A::Value>,
    right: &Rows<A::Value>,
) -> Result<Option<(Rows<A::Value>, Entry<A::Value>)>, Exhausted> {
    let r = w.len();
    let mut minors = Minors { w, known: BTreeMap::new() };
    let all = (1u32 << r) - 1;
    let whole = minors.of(calculator, all, all)?;
    if whole.vanishes() {
        return Ok(None);
    }
    let mut solution: Rows<A::Value> = vec![Vec::new(); r];
    for (i, solved) in solution.iter_mut().enumerate() {
        let mut cofactors = Vec::with_capacity(r);
        for j in 0..r {
            let minor = minors.of(calculator, all & !(1 << j), all & !(1 << i))?;
            cofactors.push(if (i + j) % 2 == 0 { minor } else { calculator.negate(&minor)? });
        }
        for c in 0..right.first().map_or(0, Vec::len) {
            let terms: Vec<_> = cofactors.iter().zip(right).map(|(cofactor, row)| (cofactor, &row[c])).collect();
            let above = calculator.dot(&terms)?;
            let above = calculator.on_constraints(above)?;
            let entry = calculator.divide(&above, &whole)?;
            solved.push(entry);
        }
    }
    Ok(Some((solution, whole)))
}

/// Minors of a matrix, each computed once: the rows and columns that are left, as bits.
struct Minors<'a, V> {
    w: &'a Rows<V>,
    known: BTreeMap<(u32, u32), Entry<V>>,
}

impl<V: Clone> Minors<'_, V> {
    fn of<A: Arithmetic<Value = V>>(
        &mut self,
        calculator: &mut Calculator<A>,
        rows: u32,
        columns: u32,
    ) -> Result<Entry<V>, Exhausted> {
        if rows == 0 {
            return Ok(calculator.one());
        }
        if let Some(known) = self.known.get(&(rows, columns)) {
            return Ok(known.clone());
        }
        // Along the first row that is left.
        let row = rows.trailing_zeros() as usize;
        let (mut entries, mut minors) = (Vec::new(), Vec::new());
        for (place, column) in (0..self.w.len()).filter(|&c| columns >> c & 1 == 1).enumerate() {
            let entry = &self.w[row][column];
            if calculator.is_zero(entry) {
                continue;
            }
            let entry = if place % 2 == 0 { entry.clone() } else { calculator.negate(entry)? };
            minors.push(self.of(calculator, rows & !(1 << row), columns & !(1 << column))?);
            entries.push(entry);
        }
        let sum = calculator.product(&entries, &minors)?;
        let sum = calculator.on_constraints(sum)?;
        self.known.insert((rows, columns), sum.clone());
        Ok(sum)
    }
}
