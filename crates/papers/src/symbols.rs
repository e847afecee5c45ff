//! The paper's formula and ours as expressions of one graph: identical in the symbols, or not.

use crate::entry::Formula;
use crate::example::{Claim, Quantity};
use crate::scene::Written;
use holonom::derive::Equations;
use holonom::expr::{Graph, Id, Node, Notation, Style, Symbol, Zero};

/// Whether a claim holds identically, if that can be decided, and what Holonom has for it.
pub(crate) fn compare(claim: &Claim, written: &Written) -> (Option<bool>, Option<Formula>) {
    let equations = claim.scene.equations();
    let Some(found) = ours(equations, claim.quantity) else { return (None, None) };
    let Ours { mut graph, rows, cols, entries } = found;
    let formula = formula(claim.quantity, equations, &graph, rows, cols, &entries);
    if (rows, cols) != (claim.says.len(), claim.says[0].len()) {
        return (Some(false), Some(formula));
    }
    let theirs = transplant(&written.model.graph, &written.ids[..rows * cols], &mut graph);
    let mut all = Some(true);
    for (ours, theirs) in entries.into_iter().zip(theirs) {
        let difference = graph.subtract(ours, theirs);
        match graph.is_zero(difference) {
            Zero::Proved => {}
            // Off the constraints such a formula may be anything.
            Zero::Refuted if claim.admissible => all = None,
            Zero::Refuted => return (Some(false), Some(formula)),
            Zero::Unknown => all = None,
        }
    }
    (all, Some(formula))
}

/// A quantity in closed form.
struct Ours {
    graph: Graph,
    rows: usize,
    cols: usize,
    /// Row by row.
    entries: Vec<Id>,
}

fn ours(equations: &Equations, quantity: Quantity) -> Option<Ours> {
    let (n, m) = (equations.force.len(), equations.rows.len());
    let mut graph = equations.graph.clone();
    let all_rows = || {
        let mut entries = vec![Id::ZERO; m * n];
        for (index, row) in equations.rows.iter().enumerate() {
            row.a.iter().for_each(|&(coordinate, id)| entries[index * n + coordinate] = id);
        }
        entries
    };
    // Σ coefficients·q̈ − right, for any q̈.
    let equation = |graph: &mut Graph, coefficients: &[Id], right: Id| {
        let mut left = graph.negate(right);
        for (coordinate, &coefficient) in coefficients.iter().enumerate() {
            let acceleration = graph.symbol(Symbol::Acceleration(coordinate as u32));
            let term = graph.multiply(coefficient, acceleration);
            left = graph.add(left, term);
        }
        left
    };
    let (rows, cols, entries) = match quantity {
        Quantity::Mass => (n, n, equations.mass.clone()),
        Quantity::Force => (n, 1, equations.force.clone()),
        Quantity::Rows => (m, n, all_rows()),
        Quantity::RightSide => (m, 1, equations.rows.iter().map(|row| row.b).collect()),
        Quantity::Full => (n + m, n, [equations.mass.clone(), all_rows()].concat()),
        Quantity::Work => {
            let mut sums = vec![Id::ZERO; n];
            for part in &equations.nonideal {
                sums = sums.into_iter().zip(&part.force).map(|(sum, &force)| graph.add(sum, force)).collect();
            }
            (n, 1, sums)
        }
        Quantity::PositionRows => (m, 1, equations.rows.iter().map(|row| row.position).collect::<Option<_>>()?),
        Quantity::VelocityRows => (m, 1, equations.rows.iter().map(|row| row.velocity).collect::<Option<_>>()?),
        Quantity::AccelerationRows => {
            let all = all_rows();
            let rows = equations.rows.iter().enumerate();
            (m, 1, rows.map(|(index, row)| equation(&mut graph, &all[index * n..(index + 1) * n], row.b)).collect())
        }
        Quantity::FreeEquation(row) => {
            let mass = equations.mass.get(row * n..(row + 1) * n)?;
            (1, 1, vec![equation(&mut graph, mass, equations.force[row])])
        }
        Quantity::Kinetic => (1, 1, vec![equations.kinetic_energy]),
        Quantity::Potential => (1, 1, vec![equations.potential_energy]),
        _ => return None,
    };
    Some(Ours { graph, rows, cols, entries })
}

/// A formula in print.
fn formula(
    quantity: Quantity,
    equations: &Equations,
    graph: &Graph,
    rows: usize,
    cols: usize,
    entries: &[Id],
) -> Formula {
    let name = |symbol: Symbol| equations.model.symbol_name(symbol);
    let print = |notation: Notation, id: Id| graph.print(id, &Style::new(notation, &name));
    let all = |notation: Notation| -> Vec<Vec<String>> {
        let row = |row: usize| (0..cols).map(|col| print(notation, entries[row * cols + col])).collect();
        (0..rows).map(row).collect()
    };
    let joined = |table: &[Vec<String>], between: &str, lines: &str| {
        table.iter().map(|row| row.join(between)).collect::<Vec<_>>().join(lines)
    };
    let (unicode, latex) = (all(Notation::Unicode), all(Notation::Latex));
    let (unicode, latex) = match (rows, cols) {
        (1, 1) => (unicode.concat().concat(), latex.concat().concat()),
        _ => (
            format!("[{}]", joined(&unicode, "  ", "; ")),
            format!(r"\begin{{bmatrix}} {} \end{{bmatrix}}", joined(&latex, " & ", r" \\ ")),
        ),
    };
    Formula { left: quantity.latex().into(), unicode, latex, text: all(Notation::Text) }
}

/// The same expressions in another graph.
fn transplant(from: &Graph, roots: &[Id], to: &mut Graph) -> Vec<Id> {
    let mut new = std::collections::HashMap::new();
    for id in from.reachable(roots) {
        let at = |id: &Id| new[id];
        let copy = match from.node(id) {
            Node::Number(number) => to.number(*number),
            Node::Pi => to.pi(),
            Node::Symbol(symbol) => to.symbol(*symbol),
            Node::Sum { constant, terms } => {
                let terms: Vec<_> = terms.iter().map(|(c, term)| (*c, at(term))).collect();
                to.sum_with(*constant, &terms)
            }
            Node::Product { coefficient, factors } => {
                let factors: Vec<_> = factors.iter().map(|(factor, exponent)| (at(factor), *exponent)).collect();
                to.product(*coefficient, &factors)
            }
            Node::Power(base, exponent) => to.power(at(base), at(exponent)),
            Node::Call(function, a, b) if function.arity() == 2 => to.call2(*function, at(a), at(b)),
            Node::Call(function, a, _) => to.call(*function, at(a)),
            Node::Table { table, order, argument } => to.table(*table, *order, at(argument)),
            Node::Compare(relation, a, b) => to.compare(*relation, at(a), at(b)),
            Node::And(a, b) => to.and(at(a), at(b)),
            Node::Or(a, b) => to.or(at(a), at(b)),
            Node::Not(a) => to.not(at(a)),
            Node::Select(condition, a, b) => to.select(at(condition), at(a), at(b)),
        };
        new.insert(id, copy);
    }
    roots.iter().map(|root| new[root]).collect()
}
