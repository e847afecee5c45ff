//! Expressions → equations: M, Q, A, b and C in the symbols of the model.
//!
//! In: a checked [`Model`]. Out: the [`Equations`] with every derivative taken, and messages about them.
//! Nothing is evaluated except to decide whether an expression is zero.

mod constraint;
mod eliminate;
mod equations;
mod friction;
mod hidden;
mod integrable;
mod lagrange;
mod mass;
mod massless;
pub mod messages;
mod nonideal;
mod probe;
mod row;
mod stiffness;
#[cfg(test)]
mod tests;

pub use equations::{
    Contact, Equations, Hidden, HiddenRow, NonidealTerm, NonlinearForce, NormalForce, OfLoad, UnbalancedForce,
    Unsettled,
};
pub use hidden::{at_values, hidden};
pub use integrable::Integrable;
pub use mass::Mass;
pub use row::{ConstraintKind, Row};
pub use stiffness::{Slopes, Stiffness};

use holonom_language::{Answer, Diagnostic, Given, Model};
use probe::Probe;

/// Derives the equations of a model: Lagrange's equation to M and Q, constraints to A and b, what does work to C.
///
/// ```
/// use holonom_language::from_text;
/// use holonom_mechanics::derive::derive;
///
/// let model = from_text("wheel.holo", "
/// param      m = 2, R = 0.5
/// coord      x, theta
/// kinetic    m*x'^2/2 + m*R^2*theta'^2/4
/// constraint rolling: x' = R*theta'
/// ".trim_start()).model.expect("nothing is wrong with it");
/// let derived = derive(model).expect("nor with its mechanics");
/// assert_eq!(derived.value.mass.size(), 2);
/// assert_eq!(derived.value.rows[0].name, "rolling");
/// assert_eq!(derived.messages[0].code, "integrable"); // x = R*theta says the same, and cannot drift
/// ```
///
/// # Errors
/// What is no mechanics: a kinetic energy that is not quadratic in the velocities, constraints that are not linear in the accelerations, and the like.
pub fn derive(mut model: Model) -> Answer<Equations> {
    let mut graph = std::mem::take(&mut model.graph);
    let mut diagnostics = Vec::new();
    let probe = Probe::generic(&model, &graph);
    let free = lagrange::unconstrained(&model, &mut graph, &probe, &mut diagnostics);
    let rows = constraint::rows(&model, &mut graph, &probe, &mut diagnostics);
    let nonideal = nonideal::nonideal(&model, &mut graph, &probe, &mut diagnostics);
    let frictions = friction::contacts(&model, &mut graph, &probe, &rows, &mut diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    let integrable = integrable::integrable(&mut graph, &probe, &rows);
    diagnostics
        .extend(integrable.iter().filter_map(|row| messages::integrable(&model, &graph, &rows[row.row].name, row)));
    let mut equations = Equations {
        model,
        graph,
        mass: free.mass,
        force: free.force,
        rows,
        nonideal,
        frictions,
        kinetic_energy: free.kinetic_energy,
        potential_energy: free.potential_energy,
        power: free.power,
        hidden: Hidden::default(),
        integrable,
    };
    hidden::settle(&mut equations);
    Ok(Given::new(equations, diagnostics))
}
