//! Friction: the velocity of slip and the normal force of every contact, made explicit.
//!
//! Where they are not given, and the constraint acts on exactly one particle, they follow from it. With J = ∂r/∂q of the
//! particle, the row of A is Jᵀn for a normal n in space; the particle slips along what is left of its velocity without
//! its part along n, and the normal force is the magnitude of the least force F with JᵀF = Aᵀλ.

use super::equations::{Contact, NormalForce, OfLoad};
use super::lagrange::{jacobian_row, rate_at_rest};
use super::probe::{Probe, without};
use super::row::Row;
use holonom_language::{Diagnostic, Friction, Model, Particle};
use holonom_symbols::expr::{Depends, Function, Graph, Id, Node, Number, Symbol, Zero};

/// The contacts of a model, in the order of its frictions.
pub(super) fn contacts(
    model: &Model,
    graph: &mut Graph,
    probe: &Probe,
    rows: &[Row],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Contact> {
    let mut contacts = Vec::with_capacity(model.frictions.len());
    for (index, friction) in model.frictions.iter().enumerate() {
        let normals = if friction.slip.is_some() && friction.normal.is_some() {
            None
        } else {
            touched(model, graph, probe, rows, friction)
        };
        let slip = friction.slip.clone().or_else(|| normals.as_ref().and_then(|touch| touch.slip(graph)));
        let normal = match friction.normal {
            Some(given) => Some(magnitude(graph, given).unwrap_or(NormalForce::Given(given))),
            None => normals.as_ref().map(|touch| touch.normal_force(model.constraints[friction.constraint].first_row)),
        };
        let (Some(slip), Some(normal)) = (slip, normal) else {
            diagnostics.push(say_slip_and_normal(model, friction));
            continue;
        };
        match directions(graph, probe, &slip, model.coordinates.len()) {
            Some(directions) => {
                let hold = rate_at_rest(graph, &slip).into_iter().map(|rest| graph.negate(rest)).collect();
                let law = &friction.law;
                let starting = without_slip(graph, law.sliding, index as u32);
                let mut normal_by_reaction = Vec::new();
                if let NormalForce::Given(given) = normal {
                    for symbol in graph.symbols(&[given]) {
                        if let Symbol::Reaction(row) = symbol {
                            normal_by_reaction.push((row as usize, graph.partial(given, symbol)));
                        }
                    }
                }
                contacts.push(Contact {
                    friction: index,
                    slip,
                    directions,
                    hold,
                    normal,
                    sliding: of_load(graph, law.sliding, index as u32),
                    starting: of_load(graph, starting, index as u32),
                    limit: law.limit.map(|limit| of_load(graph, limit, index as u32)),
                    normal_by_reaction,
                });
            }
            None => diagnostics.push(slip_not_affine(model, graph, friction, &slip)),
        }
    }
    contacts
}

/// The friction of a law in the limit of no slip: slip is replaced before anything is rounded, so that 0/v is 0 whatever v is.
fn without_slip(graph: &mut Graph, sliding: Id, friction: u32) -> Id {
    let slip = Symbol::Slip(friction);
    graph.substitute(&[sliding], |symbol| (symbol == slip).then_some(Id::ZERO))[0]
}

/// A force as a function of the load of a contact: a straight line where it is proved to be one.
fn of_load(graph: &mut Graph, force: Id, friction: u32) -> OfLoad {
    let load = Symbol::Normal(friction);
    let slope = graph.partial(force, load);
    let curved = OfLoad { value: force, slope, is_straight: false };
    if graph.symbols(&[slope]).contains(&load) {
        return curved;
    }
    // Steps have no slope either: only the difference tells.
    let unloaded = graph.substitute(&[force], |symbol| (symbol == load).then_some(Id::ZERO))[0];
    let normal = graph.symbol(load);
    let line = graph.multiply(slope, normal);
    let line = graph.add(unloaded, line);
    let rest = graph.subtract(force, line);
    match graph.is_zero(rest) {
        Zero::Proved => OfLoad { value: unloaded, slope, is_straight: true },
        _ => curved,
    }
}

/// A normal force that is written as the magnitude of something linear in the reactions, `abs(reaction(floor))`: as such it may be
/// taken with either sign, and all its signs can be tried.
fn magnitude(graph: &mut Graph, given: Id) -> Option<NormalForce> {
    let Node::Call(Function::Abs, inside, _) = *graph.node(given) else { return None };
    let (mut component, mut terms) = (Vec::new(), vec![(Number::ONE, inside)]);
    for symbol in graph.symbols(&[inside]) {
        let Symbol::Reaction(row) = symbol else { continue };
        let slope = graph.partial(inside, symbol);
        if graph.depends(slope).on(Depends::FORCE) {
            return None;
        }
        component.push((row as usize, slope));
        let reaction = graph.symbol(symbol);
        terms.push((Number::MINUS_ONE, graph.multiply(slope, reaction)));
    }
    let rest = graph.sum(&terms);
    (!component.is_empty() && graph.is_zero(rest) == Zero::Proved).then(|| NormalForce::Magnitude(vec![component]))
}

/// ∂slip/∂q̇, row by row, if slip is affine in the velocities and contains some.
fn directions(graph: &mut Graph, probe: &Probe, slip: &[Id], n: usize) -> Option<Vec<Id>> {
    let mut directions = vec![Id::ZERO; slip.len() * n];
    for (k, &component) in slip.iter().enumerate() {
        if graph.depends(component).on(Depends::ACCELERATION | Depends::FORCE) {
            return None;
        }
        for (i, slope) in jacobian_row(graph, component, Symbol::Velocity) {
            directions[k * n + i] = without(graph, probe, slope, Depends::VELOCITY)?;
        }
    }
    directions.iter().any(|&entry| entry != Id::ZERO).then_some(directions)
}

/// A particle that a constraint acts on: its velocity, and the normals of the rows, by component in space.
struct Touch {
    velocity: Vec<Id>,
    /// One per row.
    normals: Vec<Vec<Id>>,
}

/// The one particle that the constraint acts on.
fn touched(model: &Model, graph: &mut Graph, probe: &Probe, rows: &[Row], friction: &Friction) -> Option<Touch> {
    let constraint = &model.constraints[friction.constraint];
    let rows = rows.get(constraint.first_row..constraint.first_row + constraint.rows.len())?;
    let mut only = None;
    for particle in &model.particles {
        if let Some(touch) = touch(graph, probe, rows, particle) {
            if only.is_some() {
                return None; // more than one
            }
            only = Some(touch);
        }
    }
    only
}

/// The normals of `rows` at a particle, if the rows act on it alone: a = Jᵀn with the least n.
fn touch(graph: &mut Graph, probe: &Probe, rows: &[Row], particle: &Particle) -> Option<Touch> {
    let jacobian: Vec<Vec<(usize, Id)>> =
        particle.position.iter().map(|&component| jacobian_row(graph, component, Symbol::Position)).collect();
    let mut columns: Vec<usize> = jacobian.iter().flatten().map(|&(i, _)| i).collect();
    columns.sort_unstable();
    columns.dedup();
    if rows.iter().flat_map(|row| &row.a).any(|(i, _)| !columns.contains(i)) {
        return None;
    }
    let velocity = graph.rate(&particle.position);
    // Components that no coordinate moves take no part; they must not move by themselves either.
    if jacobian.iter().zip(&velocity).any(|(row, &v)| row.is_empty() && v != Id::ZERO) {
        return None;
    }
    let moving: Vec<usize> = (0..jacobian.len()).filter(|&k| !jacobian[k].is_empty()).collect();
    let dense = |entries: &[(usize, Id)]| -> Vec<Id> {
        columns.iter().map(|c| entries.iter().find(|(i, _)| i == c).map_or(Id::ZERO, |e| e.1)).collect()
    };
    let j: Vec<Vec<Id>> = moving.iter().map(|&k| dense(&jacobian[k])).collect();
    let mut normals = Vec::with_capacity(rows.len());
    for row in rows {
        let a = dense(&row.a);
        let normal = least_normal(graph, probe, &j, &a)?;
        let mut terms: Vec<Vec<(Number, Id)>> = a.iter().map(|&entry| vec![(Number::ONE, entry)]).collect();
        for (jacobian, &component) in j.iter().zip(&normal) {
            for (terms, &slope) in terms.iter_mut().zip(jacobian) {
                terms.push((Number::MINUS_ONE, graph.multiply(slope, component)));
            }
        }
        let residual: Vec<Id> = terms.iter().map(|terms| graph.sum(terms)).collect();
        if !probe.are_zero(graph, &residual) {
            return None;
        }
        normals.push(normal);
    }
    let velocity = moving.iter().map(|&k| velocity[k]).collect();
    Some(Touch { velocity, normals })
}

/// The least n with Jᵀn = a: (JJᵀ)⁻¹J a where the rows of J are independent, J(JᵀJ)⁻¹a where its columns are.
fn least_normal(graph: &mut Graph, probe: &Probe, j: &[Vec<Id>], a: &[Id]) -> Option<Vec<Id>> {
    let columns: Vec<Vec<Id>> = (0..a.len()).map(|c| j.iter().map(|row| row[c]).collect()).collect();
    if j.len() <= a.len() {
        let right: Vec<Id> = j.iter().map(|row| dot(graph, row, a)).collect();
        let gram = gram(graph, j);
        if let Some(n) = cramer(graph, probe, &gram, &right) {
            return Some(n);
        }
    }
    let gram = gram(graph, &columns);
    let coefficients = cramer(graph, probe, &gram, a)?;
    Some(j.iter().map(|row| dot(graph, row, &coefficients)).collect())
}

fn gram(graph: &mut Graph, rows: &[Vec<Id>]) -> Vec<Vec<Id>> {
    rows.iter().map(|r| rows.iter().map(|s| dot(graph, r, s)).collect()).collect()
}

pub(super) fn dot(graph: &mut Graph, a: &[Id], b: &[Id]) -> Id {
    let terms: Vec<_> = a.iter().zip(b).map(|(&x, &y)| (Number::ONE, graph.multiply(x, y))).collect();
    graph.sum(&terms)
}

/// The solution of at most three equations by determinants; nothing if they are singular.
fn cramer(graph: &mut Graph, probe: &Probe, matrix: &[Vec<Id>], right: &[Id]) -> Option<Vec<Id>> {
    if matrix.len() > 3 {
        return None;
    }
    let whole = determinant(graph, matrix);
    if probe.is_zero(graph, whole) {
        return None;
    }
    let solution = (0..matrix.len())
        .map(|column| {
            let mut replaced = matrix.to_vec();
            replaced.iter_mut().zip(right).for_each(|(row, &entry)| row[column] = entry);
            let above = determinant(graph, &replaced);
            graph.divide(above, whole)
        })
        .collect();
    Some(solution)
}

fn determinant(graph: &mut Graph, m: &[Vec<Id>]) -> Id {
    match m {
        [] => Id::ONE,
        [row] => row[0],
        _ => {
            let mut terms = Vec::new();
            for (column, &entry) in m[0].iter().enumerate().filter(|&(_, &entry)| entry != Id::ZERO) {
                let minor: Vec<Vec<Id>> = m[1..]
                    .iter()
                    .map(|row| row.iter().enumerate().filter(|&(c, _)| c != column).map(|(_, &e)| e).collect())
                    .collect();
                let minor = determinant(graph, &minor);
                let sign = if column % 2 == 0 { Number::ONE } else { Number::MINUS_ONE };
                terms.push((sign, graph.multiply(entry, minor)));
            }
            graph.sum(&terms)
        }
    }
}

impl Touch {
    /// The velocity tangential to the constraint: a number along a line or a curve, a vector on a surface.
    fn slip(&self, graph: &mut Graph) -> Option<Vec<Id>> {
        let tangent = match (&self.velocity[..], &self.normals[..]) {
            ([_, _], [n]) => vec![graph.negate(n[1]), n[0]],
            ([_, _, _], [n, m]) => (0..3)
                .map(|k| {
                    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                    let (first, second) = (graph.multiply(n[i], m[j]), graph.multiply(n[j], m[i]));
                    graph.subtract(first, second)
                })
                .collect(),
            ([_, _, _], [n]) => {
                // v − n(n·v)/|n|²
                let (along, square) = (dot(graph, n, &self.velocity), dot(graph, n, n));
                let share = graph.divide(along, square);
                let slip = n.iter().zip(&self.velocity).map(|(&n, &v)| {
                    let normal = graph.multiply(n, share);
                    graph.subtract(v, normal)
                });
                return Some(slip.collect());
            }
            _ => return None, // no direction is left to slip along
        };
        let (along, square) = (dot(graph, &tangent, &self.velocity), dot(graph, &tangent, &tangent));
        let length = graph.call(Function::Sqrt, square);
        Some(vec![graph.divide(along, length)])
    }

    /// F = Σ n·λ, by component.
    fn normal_force(&self, first_row: usize) -> NormalForce {
        let component = |k: usize| {
            let parts = self.normals.iter().enumerate().map(|(row, normal)| (first_row + row, normal[k]));
            parts.filter(|&(_, coefficient)| coefficient != Id::ZERO).collect()
        };
        NormalForce::Magnitude((0..self.velocity.len()).map(component).collect())
    }
}

fn say_slip_and_normal(model: &Model, friction: &Friction) -> Diagnostic {
    let name = &model.constraints[friction.constraint].name;
    let missing = match (&friction.slip, friction.normal) {
        (None, None) => "slip and normal force",
        (None, _) => "the velocity of slip",
        _ => "the normal force",
    };
    Diagnostic::error("say-slip-and-normal", format!("{missing} at `{name}` cannot be read off the constraint"))
        .at(friction.span, "friction needs a velocity of slip and a normal force")
        .note("they follow by themselves only where the constraint acts on exactly one particle and leaves it a direction to slip in")
        .help(format!("give them: `friction {name}: LAW, slip = x', normal = abs(reaction({name}))`, with the velocity and the force of this contact"))
}

fn slip_not_affine(model: &Model, graph: &Graph, friction: &Friction, slip: &[Id]) -> Diagnostic {
    let name = &model.constraints[friction.constraint].name;
    let moves = slip.iter().any(|&component| graph.depends(component).on(Depends::VELOCITY));
    let what = if moves { "slip is not affine in the velocities" } else { "slip contains no velocity" };
    let mut error = Diagnostic::error("slip-not-affine", format!("{what} in the friction of `{name}`"))
        .at(friction.span, "slip is the velocity of one surface along the other")
        .note("the force acts along ∂slip/∂q̇, and sticking holds slip at zero: both need velocities times coordinates, plus the motion of a belt");
    if friction.slip.is_some() {
        error =
            error.help("write velocities with a prime, times factors without velocities, as in `slip = x' - R*theta'`");
    } else {
        error = error.help("this constraint is not linear in the velocities: say `slip = …` and `normal = …`");
    }
    error
}
