//! The constraints in any arithmetic: which coordinates follow from which, and how rows that repeat others share their load.
//!
//! Independent rows A_r are reduced to `q̈_P = β − N q̈_F`. Where all rows are A = D A_r, a load of A_r is spread over all rows by
//! (DᵀD)⁻¹Dᵀ, which is of least norm.

use super::arithmetic::{Arithmetic, Calculator, Entry, Rows};
use super::eliminate::{Pivots, reduce, solve};
use holonom_symbols::algebra::Exhausted;
use holonom_symbols::expr::Id;

/// The constraints, reduced.
pub(super) struct Constraints<V> {
    pub(super) n: usize,
    /// The kept rows, by place among those in force.
    pub(super) kept: Vec<usize>,
    /// P: the coordinates that follow.
    pub(super) pivots: Vec<usize>,
    /// F: the coordinates that the others follow from.
    pub(super) others: Vec<usize>,
    /// N, rows as in `pivots`, columns as in `others`.
    pub(super) follow: Rows<V>,
    /// The inverse of the kept rows' pivot columns, rows as in `pivots`, columns as in `kept`.
    pub(super) inverse: Rows<V>,
    /// How all rows depend on the kept ones, A = D A_r.
    pub(super) depend: Rows<V>,
    /// (DᵀD)⁻¹Dᵀ; empty where all rows are kept.
    spreads: Rows<V>,
    pub(super) a: Rows<V>,
    /// b of the kept rows, made consistent.
    pub(super) right: Vec<Entry<V>>,
    /// β, for that b.
    pub(super) beta: Vec<Entry<V>>,
    /// The determinant of the pivot columns, up to its sign.
    pub(super) determinant: Entry<V>,
    /// Rows whose right side does not fit, with what it is off by.
    pub(super) gaps: Vec<(usize, Entry<V>)>,
}

impl<V: Clone> Constraints<V> {
    /// Reduces the rows of A and b. Nothing if the kept rows are not independent after all.
    pub(super) fn new<A: Arithmetic<Value = V>>(
        calculator: &mut Calculator<A>,
        n: usize,
        a: &[Vec<Id>],
        b: &[Id],
        kept: &[usize],
    ) -> Result<Option<Self>, Exhausted> {
        let a: Rows<V> = a.iter().map(|row| calculator.read(row)).collect::<Result<_, _>>()?;
        let b: Vec<Entry<V>> = b.iter().map(|&id| Ok(calculator.read(&[id])?.remove(0))).collect::<Result<_, _>>()?;
        let r = kept.len();
        let mut rows: Rows<V> = Vec::with_capacity(r);
        for (i, &row) in kept.iter().enumerate() {
            let mut all = a[row].clone();
            all.extend((0..r).map(|k| if k == i { calculator.one() } else { calculator.zero() }));
            rows.push(all);
        }
        let reduced = reduce(calculator, rows, n, Pivots::Anywhere)?;
        if reduced.pivots.len() < r {
            return Ok(None);
        }
        let (pivots, others) = (reduced.pivots.clone(), reduced.others(n));
        let follow: Rows<V> = reduced.rows.iter().map(|row| others.iter().map(|&c| row[c].clone()).collect()).collect();
        let inverse: Rows<V> = reduced.rows.iter().map(|row| row[n..].to_vec()).collect();
        let mut depend: Rows<V> = Vec::with_capacity(a.len());
        for (row, entries) in a.iter().enumerate() {
            depend.push(match kept.iter().position(|&k| k == row) {
                Some(i) => (0..r).map(|k| if k == i { calculator.one() } else { calculator.zero() }).collect(),
                None => {
                    let at_pivots: Vec<Entry<V>> = pivots.iter().map(|&p| entries[p].clone()).collect();
                    calculator.apply_transposed(&inverse, &at_pivots, r)?
                }
            });
        }
        let b_kept: Vec<Entry<V>> = kept.iter().map(|&k| b[k].clone()).collect();
        let (mut gaps, mut spread) = (Vec::new(), Vec::new());
        let mut right = b_kept.clone();
        if a.len() > r {
            for row in (0..a.len()).filter(|row| !kept.contains(row)) {
                let repeats = calculator.product(&depend[row], &b_kept)?;
                let gap = calculator.subtract(&b[row], &repeats)?;
                if !gap.vanishes() {
                    gaps.push((row, gap));
                }
            }
            let gram = gram(calculator, &depend, r)?;
            let transposed: Rows<V> = (0..r).map(|k| depend.iter().map(|row| row[k].clone()).collect()).collect();
            let Some(solved) = solve(calculator, &gram, &transposed)? else { return Ok(None) };
            spread = solved;
            if !gaps.is_empty() {
                // Least squares in the rows as they are given: what (2.14) comes to.
                right = calculator.apply(&spread, &b)?;
            }
        }
        let beta = calculator.apply(&inverse, &right)?;
        let (kept, determinant) = (kept.to_vec(), reduced.determinant);
        Ok(Some(Self {
            n,
            kept,
            pivots,
            others,
            follow,
            inverse,
            depend,
            spreads: spread,
            a,
            right,
            beta,
            determinant,
            gaps,
        }))
    }

    /// Whether a dropped row depends on the kept ones in symbols, not only at admissible states.
    pub(super) fn holds_everywhere<A: Arithmetic<Value = V>>(
        &self,
        calculator: &mut Calculator<A>,
        row: usize,
    ) -> Result<bool, Exhausted> {
        let kept: Rows<V> = self.kept.iter().map(|&k| self.a[k].clone()).collect();
        let again = calculator.apply_transposed(&kept, &self.depend[row], self.n)?;
        for (x, y) in again.iter().zip(&self.a[row]) {
            let difference = calculator.subtract(x, y)?;
            if !calculator.is_zero(&difference) {
                return Ok(false);
            }
        }
        Ok(!A::TRUSTS_NUMBERS)
    }

    /// (DᵀD)⁻¹Dᵀ, r × m.
    pub(super) fn spread<A: Arithmetic<Value = V>>(&self, calculator: &Calculator<A>) -> Rows<V> {
        if self.kept.len() < self.a.len() {
            return self.spreads.clone();
        }
        let r = self.kept.len();
        let unit = |i: usize, k: usize| if i == k { calculator.one() } else { calculator.zero() };
        (0..r).map(|i| (0..r).map(|k| unit(i, k)).collect()).collect()
    }

    /// Z y, a virtual displacement.
    pub(super) fn displace<A: Arithmetic<Value = V>>(
        &self,
        calculator: &mut Calculator<A>,
        y: &[Entry<V>],
    ) -> Result<Vec<Entry<V>>, Exhausted> {
        let mut x = vec![calculator.zero(); self.n];
        for (&f, y) in self.others.iter().zip(y) {
            x[f] = y.clone();
        }
        for (&p, row) in self.pivots.iter().zip(&self.follow) {
            let along = calculator.product(row, y)?;
            x[p] = calculator.negate(&along)?;
        }
        Ok(x)
    }

    /// Zᵀ x.
    pub(super) fn work<A: Arithmetic<Value = V>>(
        &self,
        calculator: &mut Calculator<A>,
        x: &[Entry<V>],
    ) -> Result<Vec<Entry<V>>, Exhausted> {
        let at_pivots: Vec<Entry<V>> = self.pivots.iter().map(|&p| x[p].clone()).collect();
        let taken = calculator.apply_transposed(&self.follow, &at_pivots, self.others.len())?;
        self.others.iter().zip(&taken).map(|(&f, taken)| calculator.subtract(&x[f], taken)).collect()
    }

    /// λ of all rows, of least norm, for a force Aᵀλ.
    pub(super) fn multipliers<A: Arithmetic<Value = V>>(
        &self,
        calculator: &mut Calculator<A>,
        force: &[Entry<V>],
    ) -> Result<Vec<Entry<V>>, Exhausted> {
        let at_pivots: Vec<Entry<V>> = self.pivots.iter().map(|&p| force[p].clone()).collect();
        let kept = calculator.apply_transposed(&self.inverse, &at_pivots, self.kept.len())?;
        self.spread_out(calculator, kept)
    }

    /// λ of all rows, of least norm, for one of the kept rows.
    pub(super) fn spread_out<A: Arithmetic<Value = V>>(
        &self,
        calculator: &mut Calculator<A>,
        kept: Vec<Entry<V>>,
    ) -> Result<Vec<Entry<V>>, Exhausted> {
        if self.kept.len() == self.a.len() {
            return Ok(kept); // in order
        }
        calculator.apply_transposed(&self.spreads, &kept, self.a.len())
    }

    /// Velocities that follow from others by rows that are linear in them, without division by what may vanish.
    pub(super) fn velocities<A: Arithmetic<Value = V>>(
        &self,
        calculator: &mut Calculator<A>,
        drift: &[Id],
        velocities: &[Id],
    ) -> Result<Vec<(usize, Entry<V>)>, Exhausted> {
        let mut rows: Rows<V> = Vec::with_capacity(self.kept.len());
        for &k in &self.kept {
            let mut row = self.a[k].clone();
            row.extend(calculator.read(&[drift[k]])?);
            rows.push(row);
        }
        let reduced = reduce(calculator, rows, self.n, Pivots::Certain)?;
        let mut others = calculator.read(velocities)?;
        others.push(calculator.one());
        let mut found = Vec::new();
        for (&pivot, row) in reduced.pivots.iter().zip(&reduced.rows) {
            let terms: Vec<_> =
                row.iter().zip(&others).enumerate().filter(|(c, _)| *c != pivot).map(|(_, t)| t).collect();
            let sum = calculator.dot(&terms)?;
            found.push((pivot, calculator.negate(&sum)?));
        }
        Ok(found)
    }
}

/// BᵀB for a matrix given by rows.
pub(super) fn gram<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    rows: &Rows<A::Value>,
    columns: usize,
) -> Result<Rows<A::Value>, Exhausted> {
    let mut gram: Rows<A::Value> = vec![Vec::new(); columns];
    for i in 0..columns {
        for j in 0..columns {
            let entry = if j < i {
                gram[j][i].clone()
            } else {
                let terms: Vec<_> = rows.iter().map(|row| (&row[i], &row[j])).collect();
                calculator.dot(&terms)?
            };
            gram[i].push(entry);
        }
    }
    Ok(gram)
}
