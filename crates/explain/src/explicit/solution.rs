//! What comes of solving equations in symbols.

use super::sample::point;
use holonom_language::Model;
use holonom_simulate::start::Sample;
use holonom_symbols::expr::{Graph, Id, Limit, Symbol};
use std::collections::BTreeSet;

/// How far to go.
#[derive(Clone, Debug, PartialEq)]
pub struct SolveOptions {
    /// Nodes that one component may have before sub-expressions get names.
    pub limit: usize,
    /// Nodes that a named intermediate may have.
    pub part: usize,
    /// Nodes of all definitions together beyond which the implicit form is given instead.
    pub total: usize,
    /// At how many admissible states formulas are checked.
    pub states: usize,
    /// Which states.
    pub seed: u64,
    /// Parameters set from outside, by place: the states lie around these values.
    pub set: Vec<(usize, f64)>,
}

impl Default for SolveOptions {
    fn default() -> Self {
        Self { limit: 600, part: 24, total: 40_000, states: 20, seed: 1, set: Vec::new() }
    }
}

/// The equation of motion in closed form: q̈, the forces of the constraints, and what can be said of them.
///
/// Expressions are [`Id`]s of `graph`, over time, positions, velocities and parameters, and over the symbols of
/// `definitions`, `free` and `unknowns`, whose names [`Solution::symbol_name`] knows.
#[derive(Clone, Debug)]
pub struct Solution {
    /// All expressions; those of the equations keep their ids.
    pub graph: Graph,
    /// How the answer is given.
    pub form: Form,
    /// q̈ with η = 0: of least norm where it is not unique (2006, eq. 2.14).
    pub acceleration: Vec<Id>,
    /// Qᵢ.
    pub ideal: Vec<Id>,
    /// Qₙᵢ.
    pub nonideal: Vec<Id>,
    /// C, as far as it does not depend on itself: reactions in it are replaced by what they come to.
    pub given: Vec<Id>,
    /// λᵢ over all rows of the equations; 0 for those that are off.
    pub multipliers: Vec<Id>,
    /// λ over all rows of the equations; 0 for those that are off.
    pub reactions: Vec<Id>,
    /// Directions in which any acceleration may be added: q̈ + Σ η·direction.
    pub free: Vec<Free>,
    /// Magnitudes that stay symbols, since no formula gives them.
    pub unknowns: Vec<Unknown>,
    /// The rank of A, of `[M; A]` and of M at admissible states.
    pub ranks: Ranks,
    /// The rows of the equations that the answer is made of, in order.
    pub independent: Vec<usize>,
    /// The other rows in force, and how they depend on these.
    pub dependent: Vec<Dependent>,
    /// Parameter values at which the ranks drop.
    pub special: Vec<Special>,
    /// What would have to vanish for the constraints to be met, or for a massless direction to be in balance.
    pub contradictions: Vec<Contradiction>,
    /// Parameters that were replaced, because other values would change the ranks: (parameter, by what).
    pub substituted: Vec<(usize, Id)>,
    /// What holds at the start and was taken to hold, so that a formula could be given.
    pub assumptions: Vec<String>,
    /// Those of them that a state can be tested for. Exported code does.
    pub limits: Vec<Limit>,
    /// Parameters that were taken to be positive, as they are in the model, because their sign matters to the formulas.
    pub signs: BTreeSet<Symbol>,
    /// Whether forces and multipliers are written in terms of the accelerations, since that is shorter: Qᵢ = M q̈ − Q.
    pub through_accelerations: bool,
    /// q̈ with what `free x'' = …` says about the free directions, where it settles all of them.
    pub settled: Option<Vec<Id>>,
    /// What the formulas divide by and what is zero at some admissible states.
    pub conditions: Vec<Id>,
    /// What the formulas were held against.
    pub checked: FormulaCheck,
    /// Whether states were found that satisfy the constraints.
    pub admissible: bool,
    /// What was asked for.
    pub options: SolveOptions,
    /// States that what is made of the solution can be held against the kernel at.
    pub(crate) places: Vec<Place>,
}

/// A state, with the values of all symbols there.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    parameters: Vec<f64>,
    state: holonom_simulate::start::State,
    /// By symbol, in order.
    pub(crate) values: Vec<(Symbol, f64)>,
}

impl Place {
    pub(super) fn new(sample: &Sample) -> Self {
        Self { parameters: sample.parameters.clone(), state: sample.state.clone(), values: point(sample) }
    }
}

/// How an answer is given.
#[derive(Clone, Debug)]
pub enum Form {
    /// Every component in one expression.
    Closed,
    /// In terms of intermediate results, each after those it uses.
    Named {
        /// x₁ = …, x₂ = …
        definitions: Vec<Intermediate>,
    },
    /// No formula: M q̈ = Q + Aᵀλ + C, A q̈ = b stand for themselves.
    Implicit {
        /// Why.
        reason: String,
        /// How many nodes a formula would have at least, where that is known.
        size: usize,
        /// What to do.
        advice: String,
    },
    /// The formula and the kernel disagree: a defect of this program, with what is needed to find it.
    Mismatch(Box<Mismatch>),
}

/// An intermediate result.
#[derive(Clone, Debug)]
pub struct Intermediate {
    /// What stands for it.
    pub symbol: Symbol,
    /// Its name: `x1`.
    pub name: String,
    /// What it is.
    pub value: Id,
}

/// A free direction.
#[derive(Clone, Debug)]
pub struct Free {
    /// η, as a symbol.
    pub symbol: Symbol,
    /// `eta`, or `eta1`, `eta2`, … where there are several.
    pub name: String,
    /// The direction, over the coordinates; M and A are zero along it.
    pub direction: Vec<Id>,
}

/// A magnitude that no formula gives.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// What stands for it.
    pub symbol: Symbol,
    /// Its name: `N.plane`.
    pub name: String,
    /// What it equals, in terms of the symbols themselves: an equation to be solved.
    pub value: Id,
}

/// Ranks at admissible states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ranks {
    /// Of A.
    pub constraints: usize,
    /// Of `[M; A]`: the motion is unique exactly when it is n (2006, result 3).
    pub system: usize,
    /// Of M.
    pub mass: usize,
}

/// A row that others imply.
#[derive(Clone, Debug)]
pub struct Dependent {
    /// Which row of the equations.
    pub row: usize,
    /// Its part of A as a combination of independent rows: (row, coefficient).
    pub combination: Vec<(usize, Id)>,
    /// Whether that holds everywhere, not only where the constraints are met.
    pub everywhere: bool,
}

/// A value of a parameter at which ranks drop.
#[derive(Clone, Debug)]
pub struct Special {
    /// What vanishes there.
    pub expression: Id,
    /// The parameter and its value there, as a number.
    pub parameter: (usize, f64),
    /// The rank of A there.
    pub constraints: usize,
    /// The rank of `[M; A]` there.
    pub system: usize,
}

/// Something that would have to vanish and does not.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// The rows of constraints that contradict each other, with coefficients that make their left sides cancel; empty for
    /// a direction without mass and constraint that a force pushes along.
    pub rows: Vec<(usize, Id)>,
    /// That direction, over the coordinates; empty for constraints.
    pub direction: Vec<Id>,
    /// What would have to be zero.
    pub must_vanish: Id,
}

/// What formulas were held against.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FormulaCheck {
    /// At how many admissible states.
    pub states: usize,
    /// For how many sets of parameters.
    pub parameters: usize,
    /// At how many further states the two could not be compared, since something that is divided by vanishes there, or
    /// so nearly that no digits are left.
    pub undefined: usize,
    /// The largest difference from the kernel, as a part of what was allowed there.
    pub worst: f64,
}

/// Where a formula and the kernel disagree.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// Which quantity: `q''`, `Qi`, `Qni`, `multiplier`, `reaction`, or what the papers call a matrix.
    pub quantity: &'static str,
    /// Which component.
    pub component: usize,
    /// The formula's value.
    pub formula: f64,
    /// The kernel's value.
    pub kernel: f64,
    /// The parameters.
    pub parameters: Vec<f64>,
    /// Time, positions and velocities.
    pub state: holonom_simulate::start::State,
}

impl Mismatch {
    pub(super) fn at(place: Place, quantity: &'static str, component: usize, formula: f64, kernel: f64) -> Self {
        Self { quantity, component, formula, kernel, parameters: place.parameters, state: place.state }
    }
}

impl Solution {
    /// Intermediate results that the formulas name, each after those it uses.
    pub fn intermediates(&self) -> &[Intermediate] {
        match &self.form {
            Form::Named { definitions } => definitions,
            _ => &[],
        }
    }

    /// What a symbol is called, those of this solution included.
    pub fn symbol_name(&self, model: &Model, symbol: Symbol) -> String {
        let own = self.intermediates().iter().map(|d| (d.symbol, &d.name));
        let own = own.chain(self.free.iter().map(|f| (f.symbol, &f.name)));
        let mut own = own.chain(self.unknowns.iter().map(|u| (u.symbol, &u.name)));
        match own.find(|(known, _)| *known == symbol) {
            Some((_, name)) => name.clone(),
            None => match symbol {
                Symbol::Parameter(i) if i as usize >= model.parameters.len() => format!("p{i}"),
                _ => model.symbol_name(symbol),
            },
        }
    }

    /// Expressions with the definitions put in, in place of their names, and accelerations in place of theirs: for code, where
    /// sharing costs nothing.
    pub fn expanded(&mut self, ids: &[Id]) -> Vec<Id> {
        let mut roots = ids.to_vec();
        roots.extend(&self.acceleration);
        if let Form::Named { definitions } = &self.form {
            let mut meaning: Vec<(Symbol, Id)> = Vec::with_capacity(definitions.len());
            for definition in definitions {
                let value = self.graph.substitute(&[definition.value], |symbol| find(&meaning, symbol))[0];
                meaning.push((definition.symbol, value));
            }
            roots = self.graph.substitute(&roots, |symbol| find(&meaning, symbol));
        }
        let acceleration = roots.split_off(ids.len());
        if !self.through_accelerations {
            return roots;
        }
        self.graph.substitute(&roots, |symbol| match symbol {
            Symbol::Acceleration(i) => acceleration.get(i as usize).copied(),
            _ => None,
        })
    }

    /// Whether there is a formula.
    pub fn is_explicit(&self) -> bool {
        matches!(self.form, Form::Closed | Form::Named { .. })
    }
}

fn find(meaning: &[(Symbol, Id)], symbol: Symbol) -> Option<Id> {
    // Names are given in order: the symbol says where to look.
    let (Symbol::Parameter(which), Some((Symbol::Parameter(first), _))) = (symbol, meaning.first().copied()) else {
        return None;
    };
    let place = (which as usize).checked_sub(first as usize)?;
    meaning.get(place).map(|(_, id)| *id)
}
