//! What derivation found, in words.

use super::equations::{Equations, Hidden, Unsettled};
use super::integrable::Integrable;
use holonom_language::{BodyShape, Diagnostic, Model, RigidBody};
use holonom_symbols::expr::{Graph, Id, Node, Notation, Number, Style, Symbol};

/// Characters up to which a message shows an equation whole.
const READABLE: usize = 160;

/// An expression in the language of models.
pub fn text(model: &Model, graph: &Graph, id: Id) -> String {
    graph.print(id, &Style::new(Notation::Text, &|symbol| model.symbol_name(symbol)))
}

/// A velocity row that says something about positions.
pub(super) fn integrable(model: &Model, graph: &Graph, name: &str, row: &Integrable) -> Option<Diagnostic> {
    let constraint = model.constraints.get(row.constraint)?;
    let (left, right) = (text(model, graph, row.left), text(model, graph, row.right));
    let zero = row.right == Id::ZERO;
    let shifted = |constant: &str| match (zero, constant.strip_prefix('-')) {
        (true, _) => format!("{left} = {constant}"),
        (false, Some(size)) => format!("{left} = {right} - {size}"),
        (false, None) => format!("{left} = {right} + {constant}"),
    };
    let note = Diagnostic::note_on("integrable", format!("the constraint `{name}` can be integrated"))
        .at(constraint.span, format!("this is the rate of `{}`", shifted("constant")))
        .note("as written it constrains velocities only, and positions drift by the errors of integration");
    // Of the sides as they are written here: the row may have been divided, or its sign changed, on the way to them.
    let sides = (at_start(model, graph, row.left), at_start(model, graph, row.right));
    let note = note.help(match sides.0.zip(sides.1).map(|(left, right)| left - right) {
        Some(constant) if constant.abs() < 1e-12 => format!("write `{left} = {right}` and positions cannot drift"),
        // Which unit the constant has is not known here: the sides may have been divided on the way.
        Some(constant) if model.has_units => format!(
            "write `{}` with a parameter `c`, and positions cannot drift; at the start `c` is {constant} in SI units",
            shifted("c")
        ),
        Some(constant) => format!(
            "write `{}` and positions cannot drift; the constant is that of the start values",
            shifted(&constant.to_string())
        ),
        None => {
            format!("write `{}` with the constant of the start values, and positions cannot drift", shifted("constant"))
        }
    });
    Some(note)
}

/// The value of an expression of positions at the start, where the start values that it needs are given as numbers or
/// expressions of parameters.
fn at_start(model: &Model, graph: &Graph, id: Id) -> Option<f64> {
    let mut parameters: Vec<f64> = Vec::with_capacity(model.parameters.len());
    for parameter in &model.parameters {
        let value = graph.evaluate(&[parameter.value], |symbol| match symbol {
            Symbol::Parameter(i) => parameters.get(i as usize).copied().unwrap_or(f64::NAN),
            _ => f64::NAN,
        })[0];
        parameters.push(value);
    }
    let fixed = |symbol: Symbol| match symbol {
        Symbol::Parameter(i) => parameters.get(i as usize).copied().unwrap_or(f64::NAN),
        Symbol::Time => 0.0,
        _ => f64::NAN,
    };
    let given = |symbol: Symbol| {
        let value = model.start.iter().find(|value| value.symbol == symbol && !value.guess);
        value.map_or(f64::NAN, |value| graph.evaluate(&[value.value], fixed)[0])
    };
    let value = graph.evaluate(&[id], |symbol| match symbol {
        Symbol::Position(_) => given(symbol),
        other => fixed(other),
    })[0];
    // To the digits that are worth typing.
    format!("{value:.9e}").parse().ok().filter(|value: &f64| value.is_finite())
}

impl Hidden {
    /// The equations found, as their author would write them: `k1*x1 = k2*q2`.
    pub fn equations<'a>(&'a self, equations: &'a Equations) -> impl Iterator<Item = String> + 'a {
        let (model, graph) = (&equations.model, &equations.graph);
        self.found
            .iter()
            .map(move |row| format!("{} = {}", text(model, graph, row.left), text(model, graph, row.right)))
    }

    /// What was found, in words: which equation is missing and the line to add, which force nothing holds, and why the search
    /// ended where it did. With `hidden find` the equations are notes, for they were added.
    pub fn messages(&self, equations: &Equations) -> Vec<Diagnostic> {
        let (model, graph) = (&equations.model, &equations.graph);
        let mut messages = Vec::new();
        for (index, (row, equation)) in self.found.iter().zip(self.equations(equations)).enumerate() {
            let direction = direction_text(model, graph, &row.direction);
            let why = if row.round == 1 {
                format!("the direction {direction} has no mass and no constraint, so the forces along it must balance")
            } else {
                format!("it follows by differentiating the balance of forces along {direction}, which has no mass")
            };
            let prime = forgotten_prime(model, graph, moved_by(&row.direction));
            let readable = equation.len() <= READABLE;
            let shown = abbreviated(&equation);
            let mut message = if let Some(span) = model.hidden {
                Diagnostic::note_on("hidden-constraint", format!("`{}` was found: `{shown}`", row.name))
                    .at(span, "added here")
                    .note(why)
            } else {
                let mut missing = Diagnostic::error(
                    "hidden-constraint",
                    format!("the constraint `{shown}` is missing"),
                )
                .note(why)
                .note("without it no acceleration obeys the equations (Udwadia & Phohomsiri 2006, cases 5.2 and 5.3)");
                missing.help.extend(prime);
                if readable {
                    missing
                        .help(format!("add the line `constraint hidden{}: {equation}`", index + 1))
                        .help("or write `hidden find`, which adds it and whatever follows from it")
                } else {
                    missing
                        .note(format!("it has {} characters; `check --json` prints all of them", equation.len()))
                        .help("write `hidden find`, which adds it and whatever follows from it")
                }
            };
            if model.hidden.is_none() {
                message = at_coordinates(message, model, &row.direction);
            }
            messages.push(message);
        }
        if let Some(contradiction) = &self.contradiction {
            let direction = direction_text(model, graph, &contradiction.direction);
            let mut message = Diagnostic::error(
                "unbalanced",
                format!("a force acts along {direction}, where there is no mass and no constraint"),
            )
            .note(format!("`{}` would have to be zero, and is not", text(model, graph, contradiction.balance)));
            message.help.extend(forgotten_prime(model, graph, moved_by(&contradiction.direction)));
            message.help.extend(thin_rod(model, moved_by(&contradiction.direction)));
            let message =
                message.help("give it mass in `kinetic`, add a constraint that contains it, or remove the force");
            messages.push(at_coordinates(message, model, &contradiction.direction));
        }
        if let Some(why) = self.unsettled {
            let why = match why {
                Unsettled::TooManyCoordinates => "the model has too many coordinates without a mass of their own",
                Unsettled::ExpressionsTooLarge => "the expressions grew too large",
                Unsettled::DependsOnReactions => "the balance of forces depends on reactions or friction",
                Unsettled::TooManyRounds => "differentiating came to no end",
            };
            messages.push(
                Diagnostic::note_on("hidden-unsettled", "the search for hidden constraints ended early")
                    .note(why)
                    .help("write the constraints on parts without mass yourself"),
            );
        }
        messages
    }
}

/// An equation, or the beginning of a long one.
pub fn abbreviated(equation: &str) -> String {
    if equation.len() <= READABLE {
        return equation.to_string();
    }
    equation.chars().take(READABLE / 2).chain(['…']).collect()
}

/// A direction as a combination of coordinates: `x1 + q1 - q2`.
fn direction_text(model: &Model, graph: &Graph, direction: &[Id]) -> String {
    let mut result = String::new();
    for (i, &entry) in direction.iter().enumerate().filter(|&(_, &entry)| entry != Id::ZERO) {
        let name = &model.coordinates[i].name;
        let (negative, factor) = match graph.node(entry) {
            Node::Number(number) if number.magnitude() == Number::ONE => (number.is_negative(), String::new()),
            Node::Number(_) | Node::Symbol(_) => (false, format!("{}*", text(model, graph, entry))),
            _ => (false, format!("({})*", text(model, graph, entry))),
        };
        let sign = match (result.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        result += &format!("{sign}{factor}{name}");
    }
    // Formulas of thousands of characters say less than their beginning.
    format!("`{}`", abbreviated(&result))
}

/// The coordinates that a direction moves.
fn moved_by(direction: &[Id]) -> impl Iterator<Item = usize> {
    direction.iter().enumerate().filter(|&(_, &entry)| entry != Id::ZERO).map(|(i, _)| i)
}

/// What to do where a rod turns about its own axis: it is thin, and has no inertia there.
pub fn thin_rod(model: &Model, mut coordinates: impl Iterator<Item = usize>) -> Option<String> {
    let is_rod = |body: &RigidBody| matches!(body.shape, BodyShape::Rod { .. });
    coordinates.find_map(|coordinate| {
        let joints = model.joints.iter().filter(|joint| joint.coordinates.contains(&coordinate));
        let joined = joints.flat_map(|joint| joint.bodies).flatten().filter_map(|body| model.bodies.get(body));
        let own = model.bodies.iter().filter(|body| body.coordinates.contains(&coordinate));
        let rod = joined.chain(own).find(|body| is_rod(body))?;
        let name = &rod.name;
        Some(format!("`{name}` is a thin rod, without inertia about its own axis: write `cylinder(r, h)` for a shaft"))
    })
}

/// What to look at first where a coordinate has no mass but stands in `kinetic`, without a prime.
pub fn forgotten_prime(model: &Model, graph: &Graph, mut coordinates: impl Iterator<Item = usize>) -> Option<String> {
    // A Lagrangian has positions in its potential, and they need no prime.
    if !model.lagrangian.is_empty() {
        return None;
    }
    let energies: Vec<Id> = model.kinetic.iter().map(|term| term.value).collect();
    let symbols = graph.symbols(&energies);
    let has = |symbol: Symbol| symbols.contains(&symbol);
    let found = coordinates.find(|&i| has(Symbol::Position(i as u32)) && !has(Symbol::Velocity(i as u32)))?;
    let name = &model.coordinates[found].name;
    Some(format!("did you forget a prime? `{name}` stands in `kinetic` without one, and its velocity is `{name}'`"))
}

fn at_coordinates(mut message: Diagnostic, model: &Model, direction: &[Id]) -> Diagnostic {
    for i in moved_by(direction).take(8) {
        message = message.at(model.coordinates[i].span, "moves in this direction");
    }
    message
}
