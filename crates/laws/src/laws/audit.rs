//! What the constraints say about each other.

use crate::gauge::{Gauge, Verdict};
use crate::subject::{Answer, Subject, largest};
use holonom::Workspace;

/// Redundant rows are what they are said to be, conflicts are smallest sets that cannot hold together, and a
/// multiplier is determinate exactly when its row is independent of all others.
pub fn audit(subject: &Subject, answer: &Answer, _: &mut Workspace) -> Verdict {
    let (a, audit) = (subject.arrays(), &answer.audit);
    let mut gauge = Gauge::new("audit", subject.floor());
    let Some(rank) = subject.system.facts.rank_A else { return gauge.verdict() };
    let (n, m) = (a.n(), a.m());
    gauge.at_most("m − rank redundant rows", audit.redundant.len().abs_diff(m - rank) as f64, 0.0);
    for redundant in &audit.redundant {
        let others = || redundant.repeats.iter().zip(&redundant.coefficients);
        for j in 0..n {
            // Coefficients are rounded, each by its share of the row; the largest share counts in every column
            // of the rows concerned.
            let (mut difference, mut terms) = (a.row(redundant.row)[j], a.row(redundant.row)[j].abs());
            for (other, coefficient) in others() {
                difference -= coefficient * a.row(*other)[j];
                terms += (coefficient * a.row(*other)[j]).abs();
            }
            gauge.at_most("coefficients reproduce the row", difference.abs(), 1e-11 * terms);
        }
        gauge.holds("a row does not repeat itself", !redundant.repeats.contains(&redundant.row));
        gauge.holds("what it repeats is independent", subject.rank_of(&redundant.repeats) == redundant.repeats.len());
    }
    let rest: Vec<usize> = (0..m).filter(|i| audit.redundant.iter().all(|r| r.row != *i)).collect();
    gauge.at_most("without the redundant rows", subject.rank_of(&rest).abs_diff(rank) as f64, 0.0);

    gauge.holds("conflicts where inconsistent", audit.conflicts.is_empty() == answer.motion.consistent);
    for conflict in &audit.conflicts {
        let rows = &conflict.rows;
        gauge.at_most("conflict depends", subject.rank_of(rows).abs_diff(rows.len() - 1) as f64, 0.0);
        for left_out in rows {
            let others: Vec<usize> = rows.iter().filter(|i| *i != left_out).copied().collect();
            gauge.at_most("without any one, none", subject.rank_of(&others).abs_diff(others.len()) as f64, 0.0);
        }
        let sum: f64 = rows.iter().zip(&conflict.coefficients).map(|(i, c)| c * a.b[*i]).sum();
        let terms: f64 = rows.iter().zip(&conflict.coefficients).map(|(i, c)| (c * a.b[*i]).abs()).sum();
        gauge.at_most("the gap is that of b", (sum - conflict.gap).abs(), 1e-12 * terms);
        gauge.holds("and is one", conflict.gap.abs() > 1e-12 * terms || conflict.gap.abs() > 0.0 && terms == 0.0);
    }
    for i in 0..m {
        let others: Vec<usize> = (0..m).filter(|j| *j != i).collect();
        let determinate = subject.rank_of(&others) < rank;
        gauge.holds("determinate multiplier", audit.determinate_multipliers[i] == determinate);
        let determinate = determinate || largest(a.row(i)) == 0.0;
        gauge.holds("determinate reaction", audit.determinate_reactions[i] == determinate);
    }
    gauge.verdict()
}
