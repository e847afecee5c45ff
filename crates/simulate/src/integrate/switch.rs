//! Where expressions switch: functions whose zeros are the seams of `if abs sign min max clamp` and the points of tables, and the
//! margin by which a condition holds.

use holonom_mechanics::derive::{Equations, NormalForce};
use holonom_symbols::expr::{Depends, FastMap, Function, Graph, Id, Node, Number};

/// As many switches are heeded; beyond, error control has to do.
const MANY: usize = 256;
/// … and tables of as many points.
const POINTS: usize = 64;

/// Whether the equations may switch at all: most cannot, and nothing else is looked at then.
pub(super) fn has_seams(equations: &Equations) -> bool {
    let graph = &equations.graph;
    graph.reachable(&roots(equations)).into_iter().any(|id| {
        let kind = matches!(
            graph.node(id),
            Node::Call(Function::Abs | Function::Sign | Function::Min | Function::Max, ..)
                | Node::Compare(..)
                | Node::Table { .. }
        );
        kind && !graph.depends(id).is_fixed()
    })
}

/// The functions of state and time whose signs decide which branch the equations of motion take.
pub(super) fn switches(equations: &Equations, graph: &mut Graph) -> Vec<Id> {
    let beyond = Depends::ACCELERATION | Depends::FORCE | Depends::CONTACT;
    let moving = Depends::TIME | Depends::POSITION | Depends::VELOCITY;
    let mut found: Vec<Id> = Vec::new();
    for id in graph.reachable(&roots(equations)) {
        let functions = match *graph.node(id) {
            Node::Call(Function::Abs | Function::Sign, a, _) => vec![a],
            Node::Call(Function::Min | Function::Max, a, b) | Node::Compare(_, a, b) => vec![graph.subtract(a, b)],
            Node::Table { table, argument, .. } => points(graph, table, argument),
            _ => continue,
        };
        for function in functions {
            let depends = graph.depends(function);
            if depends.on(beyond) || !depends.on(moving) || graph.is_never_negative(function) {
                continue;
            }
            let opposite = graph.negate(function);
            if !found.contains(&function) && !found.contains(&opposite) && found.len() < MANY {
                found.push(function);
            }
        }
    }
    found
}

/// How far the argument of a table is from each of its points, at which the third derivative of the curve jumps. A table of many points is
/// left to error control: a step for each of its pieces would be too short.
fn points(graph: &mut Graph, table: u32, argument: Id) -> Vec<Id> {
    let points: Vec<f64> = graph.tables()[table as usize].points().map(|point| point.0).collect();
    if points.len() > POINTS {
        return Vec::new();
    }
    let numbers: Vec<Number> = points.into_iter().filter_map(Number::rounded).collect();
    numbers.into_iter().map(|x| graph.sum_with(x.negated(), &[(Number::ONE, argument)])).collect()
}

/// Everything that accelerations are made of.
fn roots(equations: &Equations) -> Vec<Id> {
    let mut roots = beside_force(equations);
    roots.extend(&equations.force);
    roots.sort_unstable();
    roots.dedup();
    roots
}

/// Everything that accelerations are made of, but for Q.
fn beside_force(equations: &Equations) -> Vec<Id> {
    let mut roots: Vec<Id> = equations.mass.ids().collect();
    for row in &equations.rows {
        roots.extend(row.a.iter().map(|entry| entry.1).chain([row.b]));
    }
    for part in &equations.nonideal {
        roots.extend(&part.force);
        roots.extend(part.by_multiplier.iter().chain(&part.by_reaction).map(|entry| entry.2));
        roots.extend(part.nonlinear.iter().map(|component| component.value));
    }
    for contact in &equations.frictions {
        roots.extend(contact.directions.iter().chain(&contact.hold));
        if let NormalForce::Given(normal) = contact.normal {
            roots.push(normal);
        }
        let law = &equations.model.frictions[contact.friction].law;
        roots.extend([law.sliding].into_iter().chain(law.limit));
    }
    roots.extend(&equations.model.free.iter().map(|free| free.value).collect::<Vec<_>>());
    roots
}

/// A seam at which Q alone jumps, and which velocities cross: a motion may be held there.
#[derive(Clone, Debug)]
pub(super) struct Jump {
    /// Its number among the switches.
    pub(super) switch: usize,
    /// The function that vanishes there.
    pub(super) function: Id,
    /// What decides by its sign, and what stands in its place where it is positive and where it is negative.
    pub(super) branches: Vec<(Id, Id, Id)>,
}

/// The jumps among the switches of some equations, whose graph has been extended by them.
pub(super) fn jumps(equations: &Equations, graph: &mut Graph, switches: &[Id]) -> Vec<Jump> {
    // Directions that nothing determines move as the model says, wherever a force would hold them.
    if !equations.model.free.is_empty() {
        return Vec::new();
    }
    let decides = |graph: &Graph, id: Id| {
        let kind = matches!(graph.node(id), Node::Call(Function::Sign, ..) | Node::Compare(..));
        kind && !graph.depends(id).is_fixed()
    };
    let elsewhere: Vec<Id> = graph.reachable(&beside_force(equations));
    let of_force = graph.reachable(&equations.force);
    let mut found = Vec::new();
    for (switch, &function) in switches.iter().enumerate() {
        let nested = graph.reachable(&[function]).into_iter().any(|id| decides(graph, id));
        if !graph.depends(function).on(Depends::VELOCITY) || nested {
            continue;
        }
        let branches: Vec<(Id, Id, Id)> = of_force
            .iter()
            .filter_map(|&id| Some((id, branches(graph, id, function)?)))
            .map(|(id, (p, m))| (id, p, m))
            .collect();
        let mut jumping = branches.iter().filter(|(id, ..)| decides(graph, *id)).peekable();
        if jumping.peek().is_some() && jumping.all(|(id, ..)| elsewhere.binary_search(id).is_err()) {
            found.push(Jump { switch, function, branches });
        }
    }
    found
}

/// What an expression is where a function that it switches by is positive, and where that is negative.
fn branches(graph: &mut Graph, id: Id, function: Id) -> Option<(Id, Id)> {
    let (argument, above, below) = match *graph.node(id) {
        Node::Call(Function::Sign, a, _) => (a, Id::ONE, graph.integer(-1)),
        Node::Call(Function::Abs, a, _) => (a, a, graph.negate(a)),
        Node::Call(Function::Min, a, b) => (graph.subtract(a, b), b, a),
        Node::Call(Function::Max, a, b) => (graph.subtract(a, b), a, b),
        Node::Compare(_, a, b) => (graph.subtract(a, b), Id::ZERO, Id::ONE),
        _ => return None,
    };
    if argument == function {
        Some((above, below))
    } else if graph.negate(argument) == function {
        Some((below, above))
    } else {
        None
    }
}

/// By how much a condition holds: positive where it does, negative where it does not, zero in between.
pub(super) fn margin(graph: &mut Graph, condition: Id) -> Id {
    let minus_one = graph.integer(-1);
    let mut known: FastMap<Id, Id> = FastMap::default();
    for id in graph.reachable(&[condition]) {
        let node = graph.node(id).clone();
        let of = |graph: &mut Graph, id: Id| match known.get(&id) {
            Some(&margin) => margin,
            None => graph.select(id, Id::ONE, minus_one),
        };
        let margin = match node {
            Node::Compare(_, a, b) => graph.subtract(b, a),
            Node::And(a, b) => {
                let (a, b) = (of(graph, a), of(graph, b));
                graph.call2(Function::Min, a, b)
            }
            Node::Or(a, b) => {
                let (a, b) = (of(graph, a), of(graph, b));
                graph.call2(Function::Max, a, b)
            }
            Node::Not(a) => {
                let a = of(graph, a);
                graph.negate(a)
            }
            _ => continue,
        };
        known.insert(id, margin);
    }
    match known.get(&condition) {
        Some(&margin) => margin,
        None => graph.select(condition, Id::ONE, minus_one),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holonom_language::from_text;
    use holonom_mechanics::derive::derive;
    use holonom_symbols::expr::{Relation, Symbol};

    #[test]
    fn margins_have_the_sign_of_their_condition() {
        let mut graph = Graph::new();
        let [x, y] = [0, 1].map(|i| graph.symbol(Symbol::Position(i)));
        let less = graph.compare(Relation::Less, x, y);
        let small = graph.compare(Relation::LessEqual, x, Id::ONE);
        let (both, not) = (graph.and(less, small), graph.not(less));
        let either = graph.or(not, small);
        for condition in [less, small, both, not, either] {
            let margin = margin(&mut graph, condition);
            for (a, b) in [(0.0, 1.0), (2.0, 3.0), (0.5, 0.2), (3.0, -1.0)] {
                let values = graph.evaluate(&[condition, margin], |s| if s == Symbol::Position(0) { a } else { b });
                assert_eq!(values[0] != 0.0, values[1] > 0.0, "{a} {b}");
            }
        }
    }

    #[test]
    fn switches_are_found_once() {
        let text = "param c = 2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n\
            force x: -abs(x) + sign(-x) + if(y < 1, c, max(c, 1))\nforce y: -abs(x^2 + 1)\nstart x = 0, y = 0\n";
        let equations = derive(from_text("seams.holo", text).model.unwrap()).unwrap().value;
        let mut graph = equations.graph.clone();
        assert_eq!(switches(&equations, &mut graph).len(), 2);
    }
}
