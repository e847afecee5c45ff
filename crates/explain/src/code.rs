//! The closed form as a file of code.

use super::writer::parameter_values;
use super::{Explained, Part, Request};
use holonom_mechanics::derive::Equations;
use holonom_symbols::expr::{
    CodeCondition, CodeCoordinate, CodeOutput, CodeParameter, CodeProgram, CodeShape, Graph, Id, Language, Limit, Test,
};

/// What a file of code has where nothing else was asked for.
const USUAL: [Part; 4] = [Part::Acceleration, Part::IdealForce, Part::NonidealForce, Part::Reactions];

impl Explained {
    /// A file that stands on its own, with a function for each part: the accelerations and the forces of the constraints, or what
    /// was asked for. Where the motion is not unique, η is what `free` says, or zero.
    ///
    /// # Errors
    /// The part that has no form as code.
    pub fn code(self, equations: &Equations, request: &Request, language: Language) -> Result<String, Part> {
        self.with_program(equations, request, |program| program.generate(language))
    }

    /// The conditions that each function of that file tests, in the order of the parts, with the graph of their expressions.
    ///
    /// # Errors
    /// The part that has no form as code.
    pub fn conditions(
        self,
        equations: &Equations,
        request: &Request,
    ) -> Result<(Graph, Vec<Vec<CodeCondition>>), Part> {
        self.with_program(equations, request, |program| program.conditions())
    }

    fn with_program<T>(
        mut self,
        equations: &Equations,
        request: &Request,
        make: impl FnOnce(&CodeProgram) -> T,
    ) -> Result<T, Part> {
        let parts = if request.only.is_empty() { &USUAL[..] } else { &request.only };
        let mut outputs = Vec::new();
        for &part in parts {
            let parts = if part == Part::Forces { &USUAL[1..] } else { &[part][..] };
            for &part in parts {
                let (name, shape, entries) = self.entries(equations, part).ok_or(part)?;
                let entries = self.solution.expanded(&entries);
                // A function without a value cannot be computed.
                if !self.solution.graph.unspecified_in(&entries).is_empty() {
                    return Err(part);
                }
                let limits = self.limits(part);
                outputs.push(CodeOutput { name: name.to_string(), shape, entries, limits });
            }
        }
        let model = &equations.model;
        let unit = |dimension: String| if model.has_units && dimension != "1" { dimension } else { String::new() };
        let coordinates: Vec<CodeCoordinate> = model
            .coordinates
            .iter()
            .map(|coordinate| CodeCoordinate {
                name: coordinate.name.clone(),
                unit: unit(coordinate.dimension.to_string()),
            })
            .collect();
        let values = parameter_values(equations, request);
        let parameters: Vec<CodeParameter> = model
            .parameters
            .iter()
            .zip(values)
            .map(|(parameter, value)| CodeParameter {
                name: parameter.name.clone(),
                unit: unit(parameter.dimension.to_string()),
                value,
            })
            .collect();
        let title = model.title.clone().unwrap_or_else(|| "The equation of motion".to_string());
        let program = CodeProgram {
            graph: &self.solution.graph,
            title: &title,
            coordinates: &coordinates,
            parameters: &parameters,
            outputs: &outputs,
            name: &|symbol| self.solution.symbol_name(model, symbol),
        };
        Ok(make(&program))
    }

    /// Where a part holds. Ideal forces do not depend on friction, and what is given depends on no contact.
    fn limits(&mut self, part: Part) -> Vec<Limit> {
        let wanted = |limit: &Limit| match part {
            Part::Acceleration | Part::NonidealForce | Part::Reactions | Part::Nonideal => true,
            Part::IdealForce | Part::Multipliers | Part::Step(_) => {
                matches!(limit.test, Test::Open { .. } | Test::Zero(_))
            }
            _ => false,
        };
        let wanted: Vec<Limit> = self.solution.limits.iter().filter(|limit| wanted(limit)).cloned().collect();
        let expanded = |limit: Limit| {
            let about = self.solution.expanded(&limit.test.about());
            Limit { test: limit.test.with(&about), ..limit }
        };
        let mut all: Vec<Limit> = wanted.into_iter().map(expanded).collect();
        // Signs of parameters were used for all that was solved for.
        for &symbol in self.solution.signs.iter().filter(|_| part.needs_solution()) {
            let test = Test::Positive(self.solution.graph.symbol(symbol));
            all.push(Limit { text: "its sign was used".to_string(), test });
        }
        all
    }

    /// A part as a vector or a matrix.
    fn entries(&self, equations: &Equations, part: Part) -> Option<(&'static str, CodeShape, Vec<Id>)> {
        let n = equations.model.coordinates.len();
        let rows = || equations.rows.iter().filter(|row| !row.off);
        let in_force = |all: &[Id]| {
            let kept = equations.rows.iter().zip(all).filter(|(row, _)| !row.off);
            kept.map(|(_, &id)| id).collect::<Vec<_>>()
        };
        let solution = &self.solution;
        let needs = !matches!(part, Part::Mass | Part::Force | Part::Constraints | Part::RightSides);
        if needs && !solution.is_explicit() {
            return None;
        }
        Some(match part {
            // What `free` says of open directions, or η = 0.
            Part::Acceleration => {
                let settled = solution.settled.clone();
                ("acceleration", CodeShape::Vector, settled.unwrap_or_else(|| solution.acceleration.clone()))
            }
            Part::IdealForce => ("ideal_force", CodeShape::Vector, solution.ideal.clone()),
            Part::NonidealForce => ("nonideal_force", CodeShape::Vector, solution.nonideal.clone()),
            Part::Multipliers => ("multipliers", CodeShape::Vector, in_force(&solution.multipliers)),
            Part::Reactions => ("reactions", CodeShape::Vector, in_force(&solution.reactions)),
            Part::Nonideal => ("nonideal", CodeShape::Vector, solution.given.clone()),
            Part::Mass => ("mass", CodeShape::Matrix(n), equations.mass.dense()),
            Part::Force => ("force", CodeShape::Vector, equations.force.clone()),
            Part::Constraints => {
                let mut a = vec![Id::ZERO; rows().count() * n];
                for (place, row) in rows().enumerate() {
                    row.a.iter().for_each(|&(column, entry)| a[place * n + column] = entry);
                }
                ("constraints", CodeShape::Matrix(n), a)
            }
            Part::RightSides => ("right_sides", CodeShape::Vector, rows().map(|row| row.b).collect()),
            Part::KineticEnergy => ("kinetic_energy", CodeShape::Scalar, vec![equations.kinetic_energy]),
            Part::PotentialEnergy => ("potential_energy", CodeShape::Scalar, vec![equations.potential_energy]),
            Part::Step(step) => {
                let table = self.tables.iter().find(|table| table.name == step.name())?;
                let shape = if step.is_vector() { CodeShape::Vector } else { CodeShape::Matrix(table.columns) };
                (step.code_name(), shape, table.entries.clone())
            }
            _ => return None,
        })
    }
}
