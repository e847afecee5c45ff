//! The paper's formula and ours as elements of one field: identical in the symbols, or not.
//!
//! Ours is the closed form of the stage `explicit`, and for what the papers compute on the way, A⁺, M̄ and their like, its
//! steps. Comparison is exact: a difference is zero or not.

use std::collections::HashMap;

use crate::claim::{Claim, Quantity};
use crate::grid::Grid;
use crate::outcome::Ours;
use crate::scene::Written;
use crate::tex;
use holonom::explain::explicit::{ExpressionMatrix, Solution, Steps};
use holonom::mechanics::derive::Equations;
use holonom::symbols::algebra::{Budget, Exhausted, FunctionField, measure};
use holonom::symbols::expr::{Formula, Function, Graph, Id, Names, Node, Notation, Style, Symbol};

/// Work that one formula may cost; the formulas of the papers take a hundredth of it.
const WORK: u64 = 50_000_000;

/// Whether a claim holds identically, if that can be shown, and what Holonom has for it.
pub(crate) fn compare(claim: &Claim, written: &Written) -> (Option<bool>, Option<Ours>) {
    let (equations, solution) = (claim.scene.equations(), claim.scene.solution());
    let Some(steps) = claim.scene.steps() else { return (None, None) };
    let mut bench = Bench {
        equations,
        solution,
        steps,
        graph: steps.graph.clone(),
        field: FunctionField::new(),
        budget: Budget::new(WORK),
    };
    let usual = equations.model.parameters.iter().enumerate();
    for (place, parameter) in usual {
        let value = equations.graph.evaluate(&[parameter.value], |_| 1.0)[0];
        if value > 0.0 {
            bench.field.assume_positive(Symbol::Parameter(place as u32));
        }
    }
    bench.compare(claim, written).unwrap_or((None, None))
}

/// What a comparison is made on.
struct Bench<'a> {
    equations: &'a Equations,
    solution: &'a Solution,
    steps: &'a Steps,
    graph: Graph,
    field: FunctionField,
    budget: Budget,
}

impl Bench<'_> {
    fn compare(&mut self, claim: &Claim, written: &Written) -> Result<(Option<bool>, Option<Ours>), Exhausted> {
        let (rows, cols) = (claim.says.len(), claim.says[0].len());
        let mut theirs = transplant(&written.model.graph, &written.ids, &mut self.graph);
        let left = matches!(claim.quantity, Quantity::Expression(_)).then(|| theirs.pop()).flatten();
        let nodes_in_paper = theirs.iter().map(|&id| measure(&self.graph, id)).sum();
        if !claim.quantity.takes_any_acceleration() {
            theirs = self.with_motion(&theirs);
        }
        let (name, found) = match left {
            Some(left) => {
                let moving = self.with_motion(&[left]);
                (self.formula(left), Some(self.grid(1, 1, &moving)?))
            }
            None => {
                let name = tex::formula(claim.quantity.latex());
                let name = match claim.quantity {
                    Quantity::FreeEquation(row) => name.subscript(Formula::integer(row as i64 + 1)),
                    _ => name,
                };
                (name, self.ours(claim.quantity)?)
            }
        };
        let Some(mut ours) = found else { return Ok((None, None)) };
        let shown = Ours { nodes_in_paper, ..self.shown(claim.quantity, name, &ours)? };
        if (ours.rows, ours.cols) != (rows, cols) {
            return Ok((Some(false), Some(shown)));
        }
        let mut theirs = self.grid(rows, cols, &theirs)?;
        if claim.admissible {
            let ids: Vec<Id> =
                self.field.write_all(&mut self.graph, &[ours.entries, theirs.entries].concat(), &self.budget)?;
            let ids = self.on_the_constraints(&ids, written);
            (ours, theirs) = (self.grid(rows, cols, &ids[..rows * cols])?, self.grid(rows, cols, &ids[rows * cols..])?);
        }
        let identical = match claim.quantity {
            Quantity::HiddenRow => ours.is_multiple_of(&theirs, &self.field, &self.budget)?,
            _ => ours.equals(&theirs, &self.field, &self.budget)?,
        };
        Ok((Some(identical), Some(shown)))
    }

    fn grid(&mut self, rows: usize, cols: usize, ids: &[Id]) -> Result<Grid, Exhausted> {
        Ok(Grid { rows, cols, entries: self.field.read_all(&self.graph, ids, &self.budget)? })
    }

    /// Expressions with the accelerations of the motion, and with what the closed form takes some parameters to be.
    fn with_motion(&mut self, ids: &[Id]) -> Vec<Id> {
        let Solution { acceleration, substituted, .. } = self.solution;
        self.graph.substitute(ids, |symbol| match symbol {
            Symbol::Acceleration(i) => acceleration.get(i as usize).copied(),
            Symbol::Parameter(i) => substituted.iter().find(|(place, _)| *place == i as usize).map(|(_, id)| *id),
            _ => None,
        })
    }

    /// Expressions with what follows from the constraints put in.
    fn on_the_constraints(&mut self, ids: &[Id], written: &Written) -> Vec<Id> {
        let (symbols, values): (Vec<Symbol>, Vec<Id>) = written.follows.iter().copied().unzip();
        let values = transplant(&written.model.graph, &values, &mut self.graph);
        // Later ones may contain earlier ones.
        symbols.iter().zip(values).rev().fold(ids.to_vec(), |ids, (known, value)| {
            self.graph.substitute(&ids, |symbol| (symbol == *known).then_some(value))
        })
    }

    /// A quantity in closed form; nothing where there is none.
    fn ours(&mut self, quantity: Quantity) -> Result<Option<Grid>, Exhausted> {
        let equations = self.equations;
        let (n, m) = (equations.force.len(), equations.rows.len());
        let direct = match quantity {
            Quantity::Mass => (n, n, equations.mass.dense()),
            Quantity::Force => (n, 1, equations.force.clone()),
            Quantity::Rows => (m, n, self.all_rows()),
            Quantity::RightSide => (m, 1, equations.rows.iter().map(|row| row.b).collect()),
            Quantity::Full => (n + m, n, [equations.mass.dense(), self.all_rows()].concat()),
            Quantity::Work => (n, 1, self.work()),
            Quantity::MinusWork => {
                let work = self.work();
                (n, 1, work.into_iter().map(|force| self.graph.negate(force)).collect())
            }
            Quantity::Kinetic => (1, 1, vec![equations.kinetic_energy]),
            Quantity::Potential => (1, 1, vec![equations.potential_energy]),
            Quantity::Ideal => (n, 1, self.solution.ideal.clone()),
            Quantity::Nonideal => (n, 1, self.solution.nonideal.clone()),
            Quantity::Acceleration => (n, 1, self.solution.acceleration.clone()),
            Quantity::FreeDirections => {
                let free = &self.solution.free;
                (n, free.len(), (0..n).flat_map(|j| free.iter().map(move |free| free.direction[j])).collect())
            }
            Quantity::FullRank => (1, 1, vec![self.graph.integer(self.solution.ranks.system as i64)]),
            Quantity::PositionRows | Quantity::VelocityRows => {
                let level = |row: &holonom::mechanics::derive::Row| match quantity {
                    Quantity::PositionRows => row.position,
                    _ => row.velocity,
                };
                let Some(all) = equations.rows.iter().map(level).collect::<Option<Vec<Id>>>() else { return Ok(None) };
                (m, 1, all)
            }
            Quantity::AccelerationRows => {
                let all = self.all_rows();
                let rows = equations.rows.iter().enumerate();
                (m, 1, rows.map(|(index, row)| self.equation(&all[index * n..(index + 1) * n], row.b)).collect())
            }
            Quantity::FreeEquation(row) => {
                (1, 1, vec![self.equation(&equations.mass.dense()[row * n..(row + 1) * n], equations.force[row])])
            }
            Quantity::HiddenRow => {
                let Some(row) = equations.rows.iter().position(|row| row.constraint.is_none()) else { return Ok(None) };
                let Some(position) = equations.rows[row].position else { return Ok(None) };
                let mut entries = self.all_rows()[row * n..(row + 1) * n].to_vec();
                entries.push(position);
                (1, n + 1, entries)
            }
            Quantity::Expression(_) => return Ok(None),
            _ => return self.on_the_way(quantity),
        };
        let (rows, cols, ids) = direct;
        if ids.len() != rows * cols {
            return Ok(None); // no closed form
        }
        let ids = if quantity.takes_any_acceleration() { ids } else { self.with_motion(&ids) };
        self.grid(rows, cols, &ids).map(Some)
    }

    /// What the papers compute on the way from M and A to the motion.
    fn on_the_way(&mut self, quantity: Quantity) -> Result<Option<Grid>, Exhausted> {
        let n = self.equations.force.len();
        let steps = self.steps;
        let table = steps.table(match quantity {
            Quantity::Free => "a",
            Quantity::Stacked => "Mbar",
            Quantity::StackedPlus => "Mbar+",
            Quantity::BPlus => "K1", // K₁ = M^{-1/2} B⁺
            _ => "A+",
        });
        let Some(ExpressionMatrix { rows, columns, entries, .. }) = table else { return Ok(None) };
        let found = self.grid(*rows, *columns, entries)?;
        let left = match quantity {
            Quantity::BPlus => match self.root_of_mass() {
                Some(root) => root,
                None => return Ok(None),
            },
            Quantity::MassTimesAcceleration | Quantity::AlongMass => self.with_motion(&self.equations.mass.dense()),
            _ => Vec::new(),
        };
        let (all, right) = (self.all_rows(), self.solution.acceleration.clone());
        let A = self.grid(self.equations.rows.len(), n, &all)?;
        let M = if left.is_empty() { Grid::identity(n) } else { self.grid(n, n, &left)? };
        let qdd = if right.len() == n { self.grid(n, 1, &right)? } else { return Ok(None) };
        let (ideal, nonideal) = (self.solution.ideal.clone(), self.solution.nonideal.clone());
        let constraint: Vec<Id> = ideal.iter().zip(&nonideal).map(|(&x, &y)| self.graph.add(x, y)).collect();
        let constraint = self.grid(constraint.len(), 1, &constraint)?;
        let (field, budget) = (&self.field, &self.budget);
        let across = |plus: &Grid| plus.times(&A, field, budget);
        Ok(Some(match quantity {
            Quantity::BPlus => M.times(&found, field, budget)?,
            Quantity::Across => across(&found)?,
            Quantity::Along => M.minus(&across(&found)?, field, budget)?,
            Quantity::ForceAlong => M.minus(&across(&found)?, field, budget)?.times(&constraint, field, budget)?,
            Quantity::AlongMass => {
                Grid::identity(n).minus(&across(&found)?, field, budget)?.times(&M, field, budget)?
            }
            Quantity::MassTimesAcceleration => M.times(&qdd, field, budget)?,
            _ => found,
        }))
    }

    /// M^{1/2} of a diagonal M; nothing for others.
    fn root_of_mass(&mut self) -> Option<Vec<Id>> {
        let n = self.equations.force.len();
        let mass = self.with_motion(&self.equations.mass.dense());
        let entry = |(at, &id): (usize, &Id)| match (at / n == at % n, id == Id::ZERO) {
            (true, _) => Some(self.graph.call(Function::Sqrt, id)),
            (false, true) => Some(Id::ZERO),
            (false, false) => None,
        };
        mass.iter().enumerate().map(entry).collect()
    }

    /// A as a full matrix.
    fn all_rows(&mut self) -> Vec<Id> {
        let n = self.equations.force.len();
        let mut entries = vec![Id::ZERO; self.equations.rows.len() * n];
        for (index, row) in self.equations.rows.iter().enumerate() {
            row.a.iter().for_each(|&(coordinate, id)| entries[index * n + coordinate] = id);
        }
        self.with_motion(&entries)
    }

    /// C.
    fn work(&mut self) -> Vec<Id> {
        let mut sums = vec![Id::ZERO; self.equations.force.len()];
        for part in &self.equations.nonideal {
            sums = sums.into_iter().zip(&part.force).map(|(sum, &force)| self.graph.add(sum, force)).collect();
        }
        sums
    }

    /// Σ coefficients·q̈ − right, for any q̈.
    fn equation(&mut self, coefficients: &[Id], right: Id) -> Id {
        let mut left = self.graph.negate(right);
        for (coordinate, &coefficient) in coefficients.iter().enumerate() {
            let acceleration = self.graph.symbol(Symbol::Acceleration(coordinate as u32));
            let term = self.graph.multiply(coefficient, acceleration);
            left = self.graph.add(left, term);
        }
        left
    }

    /// An expression as a formula.
    fn formula(&self, id: Id) -> Formula {
        let name = |symbol: Symbol| self.solution.symbol_name(&self.equations.model, symbol);
        let formulas = self.graph.formulas(&[id], &Names::new(&name), usize::MAX);
        formulas.expressions.into_iter().next().unwrap_or_else(|| Formula::integer(0))
    }

    /// What is shown of ours.
    fn shown(&mut self, quantity: Quantity, left: Formula, ours: &Grid) -> Result<Ours, Exhausted> {
        let Grid { rows, cols, .. } = *ours;
        let entries = match quantity {
            Quantity::Acceleration => self.solution.acceleration.clone(),
            Quantity::Ideal => self.solution.ideal.clone(),
            Quantity::Nonideal => self.solution.nonideal.clone(),
            _ => self.field.write_all(&mut self.graph, &ours.entries, &self.budget)?,
        };
        let name = |symbol: Symbol| self.solution.symbol_name(&self.equations.model, symbol);
        let style = Style::new(Notation::Text, &name);
        let row = |row: usize| entries[row * cols..(row + 1) * cols].iter().map(|&id| self.graph.print(id, &style));
        let text = (0..rows).map(|at| row(at).collect()).collect();
        let right = match &entries[..] {
            [one] => self.formula(*one),
            _ => Formula::matrix(cols, entries.iter().map(|&id| self.formula(id))),
        };
        let nodes = entries.iter().map(|&id| measure(&self.graph, id)).sum();
        Ok(Ours { left, right, text, nodes, nodes_in_paper: 0 })
    }
}

/// The same expressions in another graph.
fn transplant(from: &Graph, roots: &[Id], to: &mut Graph) -> Vec<Id> {
    let mut new = HashMap::new();
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
            Node::Unspecified { function, orders, arguments } => {
                let arguments: Vec<Id> = arguments.iter().map(at).collect();
                to.unspecified(function, orders, &arguments)
            }
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
