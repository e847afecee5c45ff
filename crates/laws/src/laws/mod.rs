//! The laws, by theme. Each is a function of the system and the kernel's answer; [`LAWS`] lists them all.

mod agreement;
mod audit;
mod equations;
mod gauss;
mod invariance;
mod observed;
mod reuse;

use crate::gauge::Verdict;
use crate::subject::{Answer, Subject};
use crate::system::System;
use holonom::{MotionError, Workspace};

/// A law: its name, what it says, and its check.
#[derive(Clone, Copy)]
pub struct Law {
    /// The name, one word or two.
    pub name: &'static str,
    /// The law in a line.
    pub says: &'static str,
    /// Measures an answer against it. The workspace is for solving related systems.
    pub check: fn(&Subject, &Answer, &mut Workspace) -> Verdict,
}

/// Every law there is.
pub const LAWS: &[Law] = &[
    Law { name: "verdicts", says: "ranks and verdicts are those of exact arithmetic", check: equations::verdicts },
    Law {
        name: "constraints", says: "A q̈ = b, or least squares in the rows as given", check: equations::constraints
    },
    Law {
        name: "virtual-work", says: "vᵀQᵢ = 0 and vᵀ(Qᵢ + Qₙᵢ) = vᵀC on N(A)", check: equations::virtual_work
    },
    Law { name: "newton", says: "M q̈ = Q + Qᵢ + Qₙᵢ − Π(Q + C)", check: equations::newton },
    Law {
        name: "multipliers", says: "Qᵢ = Aᵀλᵢ, Qᵢ + Qₙᵢ = C + Aᵀλ, both in range A", check: equations::multipliers
    },
    Law { name: "free-directions", says: "an orthonormal basis of N(M) ∩ N(A)", check: equations::free_directions },
    Law { name: "gauss", says: "no possible acceleration lowers Gauss's function", check: gauss::least },
    Law { name: "gauss-forms", says: "the forms of Gauss's function agree", check: gauss::forms },
    Law { name: "row-scale", says: "rows may be written in any unit", check: invariance::row_scale },
    Law { name: "units", says: "coordinates may be measured in any unit", check: invariance::units },
    Law { name: "order", says: "rows and coordinates may come in any order", check: invariance::order },
    Law { name: "repetition", says: "saying a constraint twice changes nothing", check: invariance::repetition },
    Law { name: "superposition", says: "linear in (Q, b, C)", check: invariance::superposition },
    Law { name: "same-motion", says: "no motion can tell C from C + Aᵀµ", check: observed::same_motion },
    Law { name: "explain", says: "the forces behind a motion are found again", check: observed::explain },
    Law { name: "reference", says: "the papers' formulas in 32 digits", check: agreement::reference },
    Law { name: "audit", says: "what repeats, what contradicts, what is determinate", check: audit::audit },
    Law { name: "held", says: "held ranks give the same answer", check: reuse::held },
    Law { name: "prepared", says: "C may come late", check: reuse::prepared },
    Law { name: "feedback", says: "C = C₀ + N λ with the λ that C leads to", check: reuse::feedback },
];

/// The law of that name.
///
/// # Panics
///
/// If there is none.
pub fn law(name: &str) -> &'static Law {
    LAWS.iter().find(|law| law.name == name).expect("a law of that name")
}

/// Solves a system and checks the laws on it, one after the other.
///
/// Nothing comes back for the few systems whose contradiction is so small that the kernel may see it or not.
///
/// # Errors
///
/// When the kernel refuses the system.
pub fn examine(system: &System, laws: &[Law], workspace: &mut Workspace) -> Result<Option<Vec<Verdict>>, MotionError> {
    let subject = Subject::new(system);
    if !subject.is_clear() {
        return Ok(None);
    }
    let answer = Answer::of(&system.arrays, workspace)?;
    Ok(Some(laws.iter().map(|law| (law.check)(&subject, &answer, workspace)).collect()))
}
