//! Whether a system is run through the dense or the sparse kernel.

use super::CompiledSystem;
use holonom_kernel::sparse::choice::pays;
use holonom_symbols::expr::Id;

/// Whether a system is run through the sparse kernel: that is predicted to be clearly faster, whether its contacts slide or stick, and no direction
/// is left open.
pub fn runs_sparse(system: &CompiledSystem) -> bool {
    let equations = system.equations();
    if !equations.model.free.is_empty() {
        return false;
    }
    let n = system.coordinates();
    let pays = |rows: &[Vec<usize>]| pays(n, rows, equations.mass.lower().map(|(i, j, _)| (i, j)));
    // One-sided rows come into force on the way.
    let rows = equations.rows.iter().filter(|row| !row.off || row.one_sided);
    let mut columns: Vec<Vec<usize>> = rows.map(|row| row.a.iter().map(|&(column, _)| column).collect()).collect();
    if !pays(&columns) {
        return false;
    }
    // Contacts that stick add rows.
    for contact in &equations.frictions {
        let moves = |row: &[Id]| (0..n).filter(|&j| row[j] != Id::ZERO).collect();
        columns.extend(contact.directions.chunks_exact(n.max(1)).map(moves));
    }
    equations.frictions.is_empty() || pays(&columns)
}
