//! What all parts of the page need: names, expressions that were put in order, and formulas of them.

use super::request::{Asked, Explained, Refusal, Request};
use crate::explicit::{ExpressionMatrix, Form, Solution, check_order, places};
use holonom_mechanics::derive::Equations;
use holonom_symbols::algebra::{Budget, FunctionField, Ratio, measure};
use holonom_symbols::expr::{Formula, Function, Graph, Id, Names, Node, Symbol};
use holonom_symbols::page::{Equation, Page};

/// Beyond this many nodes an expression is shown as it was derived: putting it in order would cost more than it gains.
const TIDIED: u64 = 2_000;
/// Parts of a formula that would be longer than this many characters get a name.
const LONG: usize = 1_500;

/// A page on its way.
pub(super) struct Writer<'a> {
    pub(super) equations: &'a Equations,
    pub(super) request: &'a Request,
    pub(super) solution: Solution,
    pub(super) budget: &'a Budget,
    pub(super) page: Page,
    pub(super) asked: Vec<Asked>,
    /// Matrices of the papers' way that were asked for one by one.
    pub(super) tables: Vec<ExpressionMatrix>,
    field: FunctionField,
    /// Whether names of parts were defined.
    defined: bool,
    /// Expressions before and after they were put in order.
    ordered: Vec<(Id, Id)>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(equations: &'a Equations, request: &'a Request, solution: Solution, budget: &'a Budget) -> Self {
        let mut field = FunctionField::new();
        // What the formulas take to hold is said beside them; no more is taken to hold here.
        solution.signs.iter().for_each(|&symbol| field.assume_positive(symbol));
        Self {
            equations,
            request,
            solution,
            budget,
            page: Page::new(),
            asked: Vec::new(),
            tables: Vec::new(),
            field,
            defined: false,
            ordered: Vec::new(),
        }
    }

    /// The page, if all that was put in order has the values that it had before.
    pub(super) fn finish(mut self) -> Result<Explained, Refusal> {
        if self.solution.places.is_empty() {
            self.solution.places = places(self.equations, &self.request.solve);
        }
        check_order(&self.solution.graph, &self.ordered, &self.solution.places).map_err(Refusal::Mismatch)?;
        Ok(Explained { page: self.page, asked: self.asked, solution: self.solution, tables: self.tables })
    }

    /// Puts the values that were given into the solution.
    pub(super) fn put_values_in(&mut self) -> Result<(), Refusal> {
        if self.request.at.is_empty() {
            return Ok(());
        }
        let mut solution = self.solution.clone();
        let lists = [
            ("q''", &mut solution.acceleration),
            ("Qi", &mut solution.ideal),
            ("Qni", &mut solution.nonideal),
            ("C", &mut solution.given),
            ("multiplier", &mut solution.multipliers),
            ("reaction", &mut solution.reactions),
        ];
        let mut graph = std::mem::take(&mut self.solution.graph);
        for (kind, list) in lists {
            for (i, id) in list.iter_mut().enumerate() {
                let put = put(&mut graph, &self.request.at, *id);
                if has_no_value(&mut self.field, &mut graph, self.budget, &self.request.at, *id) {
                    return Err(Refusal::NoValue(component(self.equations, kind, i)));
                }
                *id = tidy(&mut self.field, &mut graph, self.budget, put);
                self.ordered.push((put, *id));
            }
        }
        for free in &mut solution.free {
            free.direction.iter_mut().for_each(|id| *id = put(&mut graph, &self.request.at, *id));
        }
        if let Form::Named { definitions } = &mut solution.form {
            definitions.iter_mut().for_each(|definition| {
                definition.value = put(&mut graph, &self.request.at, definition.value);
            });
        }
        solution.graph = graph;
        self.solution = solution;
        Ok(())
    }

    /// An expression of the equations, with values put in and in order.
    pub(super) fn tidy(&mut self, id: Id) -> Id {
        let graph = &mut self.solution.graph;
        let put = put(graph, &self.request.at, id);
        let ordered = tidy(&mut self.field, graph, self.budget, put);
        self.ordered.push((put, ordered));
        ordered
    }

    /// Expressions of the equations, in order.
    pub(super) fn tidy_all(&mut self, ids: &[Id]) -> Vec<Id> {
        ids.iter().map(|&id| self.tidy(id)).collect()
    }

    /// What a symbol is called.
    pub(super) fn name(&self, symbol: Symbol) -> String {
        self.solution.symbol_name(&self.equations.model, symbol)
    }

    /// One expression as a formula.
    pub(super) fn formula(&self, id: Id) -> Formula {
        self.solution.graph.formula(id, &Names::new(&|symbol| self.name(symbol)))
    }

    /// What stands for parts of the formulas, before the first of them; says whether it was written now.
    pub(super) fn define(&mut self) -> bool {
        let Form::Named { definitions } = &self.solution.form else { return false };
        if std::mem::replace(&mut self.defined, true) {
            return false;
        }
        let lines: Vec<(Formula, Id)> = definitions.iter().map(|d| (Formula::name(&d.name), d.value)).collect();
        let named: Vec<(String, Id)> = definitions.iter().map(|d| (d.name.clone(), d.value)).collect();
        let is_direction =
            |&(_, id): &(Formula, Id)| matches!(self.solution.graph.node(id), Node::Call(Function::Sign, ..));
        self.page.text(match lines.iter().all(is_direction) {
            true => "With the directions of slip",
            false => "With these abbreviations",
        });
        for (name, value) in named {
            self.ask(name, value);
        }
        self.equations(&lines);
        true
    }

    /// Whether expressions contain names of parts.
    pub(super) fn needs_names(&self, ids: &[Id]) -> bool {
        let Form::Named { definitions } = &self.solution.form else { return false };
        let symbols = self.solution.graph.symbols(ids);
        definitions.iter().any(|definition| symbols.contains(&definition.symbol))
    }

    /// Defines what stands for parts, where expressions contain such names.
    fn define_in(&mut self, ids: &[Id]) {
        if self.needs_names(ids) {
            self.define();
        }
    }

    /// Equations `left = right`, one below the other, followed by those of the names that long parts got.
    pub(super) fn equations(&mut self, lines: &[(Formula, Id)]) {
        let ids: Vec<Id> = lines.iter().map(|line| line.1).collect();
        self.define_in(&ids);
        let formulas = self.solution.graph.formulas(&ids, &Names::new(&|symbol| self.name(symbol)), LONG);
        let lines = lines.iter().zip(formulas.expressions);
        let mut all: Vec<Equation> = lines.map(|((left, _), right)| Equation::new(left.clone(), right)).collect();
        let more: Vec<Equation> =
            formulas.definitions.into_iter().map(|(name, value)| Equation::new(name, value)).collect();
        if all.is_empty() {
            return;
        }
        if more.is_empty() {
            self.page.equations(all);
        } else {
            self.page.equations(std::mem::take(&mut all)).text("where");
            self.page.equations(more);
        }
    }

    /// A matrix as an equation, entries row by row.
    pub(super) fn matrix(&mut self, left: Formula, columns: usize, entries: &[Id], number: Option<&str>) {
        self.define_in(entries);
        let formulas = self.solution.graph.formulas(entries, &Names::new(&|symbol| self.name(symbol)), LONG);
        let equation = Equation::new(left, Formula::matrix(columns.max(1), formulas.expressions));
        self.page.equation(match number {
            Some(number) => equation.numbered(number),
            None => equation,
        });
        let more = formulas.definitions.into_iter().map(|(name, value)| Equation::new(name, value));
        let more: Vec<Equation> = more.collect();
        if !more.is_empty() {
            self.page.text("where");
            self.page.equations(more);
        }
    }

    /// Notes something that was asked for.
    pub(super) fn ask(&mut self, name: impl Into<String>, value: Id) {
        self.asked.push(Asked { name: name.into(), value });
    }

    /// The coordinates whose components are wanted.
    pub(super) fn wanted(&self) -> Vec<usize> {
        match &self.request.coordinates[..] {
            [] => (0..self.equations.model.coordinates.len()).collect(),
            some => some.to_vec(),
        }
    }

    /// The rows in force.
    pub(super) fn rows(&self) -> Vec<usize> {
        (0..self.equations.rows.len()).filter(|&row| !self.equations.rows[row].off).collect()
    }

    /// A in full over the rows in force, in order.
    pub(super) fn constraint_matrix(&mut self) -> Vec<Id> {
        let n = self.equations.model.coordinates.len();
        let rows = self.rows();
        let mut a = vec![Id::ZERO; rows.len() * n];
        for (place, &row) in rows.iter().enumerate() {
            for &(column, entry) in &self.equations.rows[row].a {
                a[place * n + column] = entry;
            }
        }
        self.tidy_all(&a)
    }

    /// b over the rows in force.
    pub(super) fn right_sides(&mut self) -> Vec<Id> {
        let b: Vec<Id> = self.rows().into_iter().map(|row| self.equations.rows[row].b).collect();
        self.tidy_all(&b)
    }
}

/// What a component of the solution is called: `x''`, `Qi.x`, `reaction(rod)`.
fn component(equations: &Equations, kind: &str, i: usize) -> String {
    let coordinate = || &equations.model.coordinates[i].name;
    match kind {
        "q''" => format!("{}''", coordinate()),
        "multiplier" | "reaction" => format!("{kind}({})", equations.rows[i].name),
        _ => format!("{kind}.{}", coordinate()),
    }
}

/// The values of parameters, as set or as the model has them.
pub(super) fn parameter_values(equations: &Equations, request: &Request) -> Vec<f64> {
    let mut values: Vec<f64> = Vec::new();
    for (i, parameter) in equations.model.parameters.iter().enumerate() {
        let set = request.solve.set.iter().find(|(place, _)| *place == i).map(|(_, value)| *value);
        let known = |symbol: Symbol| match symbol {
            Symbol::Parameter(j) => values.get(j as usize).copied().unwrap_or(f64::NAN),
            _ => f64::NAN,
        };
        let value = set.unwrap_or_else(|| equations.graph.evaluate(&[parameter.value], known)[0]);
        values.push(value);
    }
    values
}

fn put(graph: &mut Graph, at: &[(Symbol, Id)], id: Id) -> Id {
    if at.is_empty() {
        return id;
    }
    graph.substitute(&[id], |symbol| at.iter().find(|(known, _)| *known == symbol).map(|(_, value)| *value))[0]
}

/// Whether the denominator of an expression vanishes where values are put in. That its numerator does so as well is no excuse.
fn has_no_value(field: &mut FunctionField, graph: &mut Graph, budget: &Budget, at: &[(Symbol, Id)], id: Id) -> bool {
    let Ok(ratio) = field.read(graph, id, budget) else { return false };
    let below = Ratio::from_polynomial(ratio.denominator().clone());
    let Ok(below) = field.write(graph, &below, budget) else { return false };
    let below = put(graph, at, below);
    let there = field.read(graph, below, budget);
    there.is_ok_and(|there| FunctionField::is_undefined(&there) || field.is_zero(&there, budget).unwrap_or(false))
}

/// An expression as a person would write it, or as it is where that is too much work.
fn tidy(field: &mut FunctionField, graph: &mut Graph, budget: &Budget, id: Id) -> Id {
    if measure(graph, id) > TIDIED {
        return id;
    }
    let written = field.read(graph, id, budget).and_then(|ratio| {
        if FunctionField::is_undefined(&ratio) { Ok(id) } else { field.write(graph, &ratio, budget) }
    });
    // What comes out longer than it was typed is no gain.
    match written {
        Ok(written) if measure(graph, written) <= measure(graph, id) => written,
        _ => id,
    }
}
