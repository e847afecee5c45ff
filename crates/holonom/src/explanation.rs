//! The equation of motion in closed form, by name.

use std::fmt;

use holonom_explain::{Explained, Request};
use holonom_mechanics::derive::Equations;
use holonom_symbols::expr::{Formula, Id, Language, Names, Symbol};
use holonom_symbols::page::Page;

/// The equation of motion of a system in closed form: accelerations, forces, multipliers as formulas, each compared with the
/// numerical solution before it is given.
///
/// Printed, it is the page of `holonom explain`.
#[derive(Clone)]
pub struct Explanation {
    pub(crate) explained: Explained,
    pub(crate) equations: Equations,
    pub(crate) request: Request,
}

impl Explanation {
    /// The acceleration of a coordinate. Nothing where there is no such coordinate, or no closed form.
    pub fn acceleration(&self, coordinate: &str) -> Option<Formula> {
        self.of_coordinate(coordinate, &self.explained.solution.acceleration)
    }

    /// Qᵢ: the force that the constraints would exert on a coordinate if all were ideal.
    pub fn ideal_force(&self, coordinate: &str) -> Option<Formula> {
        self.of_coordinate(coordinate, &self.explained.solution.ideal)
    }

    /// Qₙᵢ: what they exert besides, since they are not.
    pub fn nonideal_force(&self, coordinate: &str) -> Option<Formula> {
        self.of_coordinate(coordinate, &self.explained.solution.nonideal)
    }

    /// The ideal multiplier of a row of the constraints.
    pub fn multiplier(&self, row: &str) -> Option<Formula> {
        self.of_row(row, &self.explained.solution.multipliers)
    }

    /// The total reaction of a row of the constraints.
    pub fn reaction(&self, row: &str) -> Option<Formula> {
        self.of_row(row, &self.explained.solution.reactions)
    }

    /// Intermediate results that the formulas name, each after those that it uses: name and formula. Empty where every formula stands alone.
    pub fn definitions(&self) -> Vec<(String, Formula)> {
        self.explained.solution.intermediates().iter().map(|one| (one.name.clone(), self.formula(one.value))).collect()
    }

    /// The page, for a terminal, Markdown, LaTeX or the web.
    pub fn page(&self) -> &Page {
        &self.explained.page
    }

    /// A function that evaluates the closed form, in this language. Nothing where there is no closed form.
    pub fn code(&self, language: Language) -> Option<String> {
        self.explained.clone().code(&self.equations, &self.request, language).ok()
    }

    fn of_coordinate(&self, name: &str, ids: &[Id]) -> Option<Formula> {
        let place = self.equations.model.coordinates.iter().position(|coordinate| coordinate.name == name)?;
        ids.get(place).map(|&id| self.formula(id))
    }

    fn of_row(&self, name: &str, ids: &[Id]) -> Option<Formula> {
        let place = self.equations.rows.iter().position(|row| row.name == name)?;
        ids.get(place).map(|&id| self.formula(id))
    }

    fn formula(&self, id: Id) -> Formula {
        let solution = &self.explained.solution;
        let name = |symbol: Symbol| solution.symbol_name(&self.equations.model, symbol);
        solution.graph.formula(id, &Names::new(&name))
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.explained.page.unicode(WIDTH, false))
    }
}

impl fmt::Debug for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Columns of a printed page.
const WIDTH: usize = 100;
