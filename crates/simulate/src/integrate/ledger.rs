//! The ledger: what energy comes from and goes to, integrated along with the motion.
//!
//! d(T + V)/dt = power + q̇ᵀQᵢ + q̇ᵀQₙᵢ. Constraints that do not move and velocity rows that are homogeneous do no work by
//! law; rows that move, or that prescribe a speed or an acceleration, do, ideal as they may be.

use holonom_mechanics::derive::{ConstraintKind, Equations};
use holonom_symbols::expr::Id;

/// Which works are kept.
#[derive(Clone, Debug)]
pub(super) struct Ledger {
    /// Whether impressed forces without potential, or energies that depend on time, do any.
    pub(super) impressed: bool,
    /// For each row in force, the account of its constraint; none for rows that do no work by law.
    account: Vec<Option<usize>>,
    /// The names of the accounts of constraints.
    accounts: Vec<String>,
    nonideal: bool,
}

impl Ledger {
    pub(super) fn new(equations: &Equations, rows: &[usize]) -> Self {
        // Accounts are those of all rows, in force or not: columns do not come and go.
        let works = |row: &holonom_mechanics::derive::Row| row.rheonomic || row.kind != ConstraintKind::Holonomic;
        let mut accounts: Vec<String> = Vec::new();
        let mut of_row = Vec::with_capacity(equations.rows.len());
        for row in &equations.rows {
            let Some(constraint) = row.constraint.filter(|_| works(row)) else {
                of_row.push(None);
                continue;
            };
            let name = &equations.model.constraints[constraint.0].name;
            let at = accounts.iter().rposition(|known| known == name).unwrap_or_else(|| {
                accounts.push(name.clone());
                accounts.len() - 1
            });
            of_row.push(Some(at));
        }
        Self {
            impressed: equations.power != Id::ZERO,
            account: rows.iter().map(|&row| of_row[row]).collect(),
            accounts,
            nonideal: !equations.nonideal.is_empty() || !equations.frictions.is_empty(),
        }
    }

    /// How many works are kept.
    pub(super) fn len(&self) -> usize {
        usize::from(self.impressed) + self.accounts.len() + usize::from(self.nonideal)
    }

    /// Whether ideal multipliers are asked for.
    pub(super) fn needs_ideal(&self) -> bool {
        self.account.iter().any(Option::is_some)
    }

    /// Their names.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        if self.impressed {
            names.push("work.impressed".to_string());
        }
        names.extend(self.accounts.iter().map(|name| format!("work.{name}")));
        if self.nonideal {
            names.push("work.nonideal".to_string());
        }
        names
    }

    /// The powers of all of them; `rate` is a·q̇ of a row in force.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn powers(
        &self,
        impressed: f64,
        v: &[f64],
        rate: impl Fn(usize) -> f64,
        ideal: &[f64],
        reaction: &[f64],
        c: &[f64],
        out: &mut [f64],
    ) {
        if out.is_empty() {
            return;
        }
        out.fill(0.0);
        let first = usize::from(self.impressed);
        if self.impressed {
            out[0] = impressed;
        }
        let last = out.len() - 1;
        // Rows without an account do no work, ideal or not: what moves along them is rounding.
        for (place, account) in self.account.iter().enumerate() {
            let Some(account) = account else { continue };
            let rate = rate(place);
            out[first + account] += ideal[place] * rate;
            if self.nonideal {
                out[last] += (reaction[place] - ideal[place]) * rate;
            }
        }
        if self.nonideal {
            out[last] += c.iter().zip(v).map(|(c, v)| c * v).sum::<f64>();
        }
    }
}
