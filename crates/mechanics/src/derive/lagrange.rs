//! Lagrange's equation: from energies to M and Q.
//!
//! d/dt ∂T/∂q̇ − ∂T/∂q = −∂V/∂q − ∂D/∂q̇ + forces. The momenta p = ∂T/∂q̇ come from one pass backwards through T, so that
//! partial sums which T shares stay shared. Then M = ∂p/∂q̇, and what is left of ṗ at q̈ = 0 goes to the right side.

use super::mass::Mass;
use super::probe::{Probe, without};
use holonom_language::{Diagnostic, ForceOn, MassMatrix, Model, Span, Term};
use holonom_symbols::expr::{Depends, FastMap, Graph, Id, Node, Number, Symbol};

/// M and Q, and the energies they came from.
#[derive(Debug)]
pub(super) struct Unconstrained {
    /// M.
    pub(super) mass: Mass,
    /// Q.
    pub(super) force: Vec<Id>,
    /// T.
    pub(super) kinetic_energy: Id,
    /// V.
    pub(super) potential_energy: Id,
    /// What T + V gains in unit time where no constraint acts.
    pub(super) power: Id,
}

/// M and Q of the system without its constraints.
pub(super) fn unconstrained(
    model: &Model,
    graph: &mut Graph,
    probe: &Probe,
    diagnostics: &mut Vec<Diagnostic>,
) -> Unconstrained {
    let n = model.coordinates.len();
    check_energies(model, graph, diagnostics);
    let (kinetic, potential) = energies(model, graph);

    let positions: Vec<Symbol> = (0..n as u32).map(Symbol::Position).collect();
    let velocities: Vec<Symbol> = (0..n as u32).map(Symbol::Velocity).collect();
    let both: Vec<Symbol> = velocities.iter().chain(&positions).copied().collect();

    // T and V apart: only then do the parts of ṗ and ∂T/∂q that are equal meet, and cancel.
    let by_kinetic = graph.gradient(kinetic, &both);
    let by_potential = graph.gradient(potential, &both);
    let mut momenta = by_kinetic[..n].to_vec();
    for (p, &more) in momenta.iter_mut().zip(&by_potential[..n]) {
        *p = graph.subtract(*p, more); // zero unless the potential depends on velocities
    }

    let mut mass = Mass::new(n);
    let occurs = velocities_in(graph, &momenta, n);
    // By velocity, the momenta that it occurs in; of each pair of entries the one above the diagonal.
    let mut occurrences: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (i, list) in occurs.iter().enumerate() {
        list.iter().map(|&j| j as usize).filter(|&j| i <= j).for_each(|j| occurrences[j].push(i));
    }
    for (j, rows) in occurrences.into_iter().enumerate() {
        let column: Vec<Id> = rows.iter().map(|&i| momenta[i]).collect();
        let seed = |symbol: Symbol, _: &mut Graph| (symbol == Symbol::Velocity(j as u32)).then_some(Id::ONE);
        for (&i, entry) in rows.iter().zip(graph.derivatives(&column, seed)) {
            mass.set(i, j, entry);
        }
    }
    settle_mass(model, graph, probe, &mut mass, diagnostics);

    let rates = rate_at_rest(graph, &momenta);
    let mut forces: Vec<Vec<(Number, Id)>> = vec![Vec::new(); n];
    for (i, force) in forces.iter_mut().enumerate() {
        spread(graph, force, Number::ONE, by_kinetic[n + i]);
        spread(graph, force, Number::MINUS_ONE, rates[i]);
        spread(graph, force, Number::MINUS_ONE, by_potential[n + i]);
    }
    let mut powers = Vec::new();
    let mut work = |graph: &mut Graph, sign: Number, i: usize, force: Id| {
        let velocity = graph.symbol(Symbol::Velocity(i as u32));
        powers.push((sign, graph.multiply(velocity, force)));
    };
    for term in &model.dissipation {
        for (i, slope) in graph.gradient(term.value, &velocities).into_iter().enumerate() {
            spread(graph, &mut forces[i], Number::MINUS_ONE, slope);
            work(graph, Number::MINUS_ONE, i, slope);
        }
    }
    for force in &model.forces {
        for (i, component) in generalised(graph, n, (&force.on, &force.components, force.span), diagnostics) {
            spread(graph, &mut forces[i], Number::ONE, component);
            work(graph, Number::ONE, i, component);
        }
    }
    powers.extend(gain(graph, (kinetic, potential), (&by_kinetic, &by_potential), &rates, &mass));
    let force = forces.iter().map(|terms| graph.sum(terms)).collect();

    let mut kinetic_energy = vec![(Number::ONE, kinetic)];
    for matrix in &model.mass {
        add_matrix(model, graph, probe, matrix, &mut mass, diagnostics);
        kinetic_energy.push((Number::ONE, quadratic_form(graph, &matrix.entries, n)));
        // ½ q̇ᵀṀq̇, which no force accounts for where a mass matrix was given outright.
        let rates = rate_at_rest(graph, &matrix.entries);
        powers.push((Number::ONE, quadratic_form(graph, &rates, n)));
    }
    let (kinetic_energy, power) = (graph.sum(&kinetic_energy), graph.sum(&powers));
    Unconstrained { mass, force, kinetic_energy, potential_energy: potential, power }
}

/// What T + V gains in unit time under the forces of Lagrange's equation alone, by term.
///
/// Nothing where T is a quadratic form with coefficients of q alone, and V depends on q alone. In general
/// Ė = ∂E/∂t + (∂E/∂q)q̇ + (∂E/∂q̇)q̈ with M q̈ = ∂T/∂q − ∂V/∂q − ṗ|₀ put in as far as it goes.
fn gain(
    graph: &mut Graph,
    (kinetic, potential): (Id, Id),
    (by_kinetic, by_potential): (&[Id], &[Id]),
    rates: &[Id],
    mass: &Mass,
) -> Vec<(Number, Id)> {
    let n = rates.len();
    let at_rest =
        |graph: &mut Graph, ids: &[Id]| graph.substitute(ids, |s| matches!(s, Symbol::Velocity(_)).then_some(Id::ZERO));
    let changing =
        graph.depends(kinetic).on(Depends::TIME) || graph.depends(potential).on(Depends::TIME | Depends::VELOCITY);
    let is_form = at_rest(graph, &[kinetic])[0] == Id::ZERO
        && at_rest(graph, &by_kinetic[..n]).iter().all(|&momentum| momentum == Id::ZERO);
    if is_form && !changing {
        return Vec::new();
    }
    let mut terms = Vec::new();
    for energy in [kinetic, potential] {
        let slope = graph.gradient(energy, &[Symbol::Time])[0];
        terms.push((Number::ONE, slope));
    }
    for i in 0..n {
        let (v, a) = (graph.symbol(Symbol::Velocity(i as u32)), graph.symbol(Symbol::Acceleration(i as u32)));
        // (2 ∂T/∂q − ṗ|₀) q̇
        let twice = graph.multiply(by_kinetic[n + i], v);
        let rate = graph.multiply(rates[i], v);
        terms.extend([(Number::ONE, twice), (Number::ONE, twice), (Number::MINUS_ONE, rate)]);
        // (∂T/∂q̇ + ∂V/∂q̇ − M q̇) q̈
        let mut open = vec![(Number::ONE, by_kinetic[i]), (Number::ONE, by_potential[i])];
        for &(j, entry) in mass.row(i) {
            let other = graph.symbol(Symbol::Velocity(j as u32));
            open.push((Number::MINUS_ONE, graph.multiply(entry, other)));
        }
        let open = graph.sum(&open);
        terms.push((Number::ONE, graph.multiply(open, a)));
    }
    terms
}

/// T and V of everything that has energy, mass matrices apart. Of a Lagrangian, what is left at rest is −V.
fn energies(model: &Model, graph: &mut Graph) -> (Id, Id) {
    let mut kinetic: Vec<(Number, Id)> = model.kinetic.iter().map(|term| (Number::ONE, term.value)).collect();
    let mut potential: Vec<(Number, Id)> = model.potential.iter().map(|term| (Number::ONE, term.value)).collect();
    for term in &model.lagrangian {
        let at_rest = graph.substitute(&[term.value], |s| matches!(s, Symbol::Velocity(_)).then_some(Id::ZERO))[0];
        if graph.depends(term.value).on(Depends::VELOCITY) {
            kinetic.push((Number::ONE, term.value));
            kinetic.push((Number::MINUS_ONE, at_rest));
        }
        potential.push((Number::MINUS_ONE, at_rest));
    }
    let half = Number::ratio(1, 2).unwrap_or(Number::ONE);
    let points: Vec<Id> = model.particles.iter().flat_map(|particle| particle.position.iter().copied()).collect();
    let mut rates = graph.rate(&points).into_iter();
    for particle in &model.particles {
        let squares: Vec<(Number, Id)> = rates
            .by_ref()
            .take(particle.position.len())
            .map(|rate| (Number::ONE, graph.integer_power(rate, 2)))
            .collect();
        for (_, square) in squares {
            kinetic.push((Number::ONE, graph.product(half, &[(particle.mass, 1), (square, 1)])));
        }
        for (&acceleration, &component) in model.gravity.iter().flatten().zip(&particle.position) {
            let weight = graph.product(Number::MINUS_ONE, &[(particle.mass, 1), (acceleration, 1), (component, 1)]);
            potential.push((Number::ONE, weight));
        }
    }
    (graph.sum(&kinetic), graph.sum(&potential))
}

/// Energies depend on time, positions and velocities, and on nothing else.
fn check_energies(model: &Model, graph: &Graph, diagnostics: &mut Vec<Diagnostic>) {
    let lists: [(&str, &[Term]); 4] = [
        ("kinetic energy", &model.kinetic),
        ("potential", &model.potential),
        ("Lagrangian", &model.lagrangian),
        ("dissipation", &model.dissipation),
    ];
    for (what, terms) in lists {
        for term in terms {
            if graph.depends(term.value).on(Depends::ACCELERATION) {
                diagnostics.push(
                    Diagnostic::error("acceleration-in-energy", format!("the {what} depends on accelerations"))
                        .at(term.span, "an acceleration occurs in this")
                        .note("Lagrange's equation takes energies of positions, velocities and time")
                        .help("use velocities, written with one prime: `x'`"),
                );
            }
        }
    }
    for particle in &model.particles {
        if particle.position.iter().any(|&c| graph.depends(c).on(Depends::VELOCITY | Depends::ACCELERATION)) {
            diagnostics.push(point_moves(particle.span, &format!("particle `{}`", particle.name)));
        }
    }
}

fn point_moves(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error("velocity-in-point", format!("the place of {what} depends on velocities"))
        .at(span, "a velocity occurs in this point")
        .note("a point is a function of coordinates and time: its velocity follows from it")
        .help("write the point with coordinates alone, without primes")
}

/// The velocities that occur in each of `roots`, in order; one pass through the graph.
fn velocities_in(graph: &Graph, roots: &[Id], n: usize) -> Vec<Vec<u32>> {
    use std::rc::Rc;
    let mut sets: FastMap<Id, Rc<Vec<u32>>> = FastMap::default();
    for id in graph.reachable(roots) {
        if !graph.depends(id).on(Depends::VELOCITY) {
            continue;
        }
        let mut union: Option<Rc<Vec<u32>>> = match graph.node(id) {
            Node::Symbol(Symbol::Velocity(i)) => Some(Rc::new(vec![*i])),
            _ => None,
        };
        graph.node(id).operands(|operand| {
            let Some(set) = sets.get(&operand) else { return };
            union = Some(match union.take() {
                None => Rc::clone(set),
                Some(old) if Rc::ptr_eq(&old, set) || old.len() == n => old,
                Some(old) => Rc::new(merged(&old, set)),
            });
        });
        if let Some(union) = union {
            sets.insert(id, union);
        }
    }
    roots.iter().map(|root| sets.get(root).map_or_else(Vec::new, |set| set.to_vec())).collect()
}

fn merged(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut all: Vec<u32> = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// How expressions of (q, q̇, t) change in time when all accelerations are zero.
pub(super) fn rate_at_rest(graph: &mut Graph, expressions: &[Id]) -> Vec<Id> {
    graph.derivatives(expressions, |symbol, graph| match symbol {
        Symbol::Time => Some(Id::ONE),
        Symbol::Position(i) => Some(graph.symbol(Symbol::Velocity(i))),
        _ => None,
    })
}

/// Adds an expression to a list of terms: a sum one by one, so that equal terms of different sums meet.
pub(super) fn spread(graph: &mut Graph, terms: &mut Vec<(Number, Id)>, sign: Number, expression: Id) {
    match graph.node(expression) {
        Node::Sum { constant, terms: inner } => {
            let (constant, inner) = (*constant, inner.clone());
            let signed = inner.iter().map(|&(c, term)| c.times(sign).map(|c| (c, term))).collect::<Option<Vec<_>>>();
            let Some(signed) = signed else {
                terms.push((sign, expression));
                return;
            };
            terms.extend(signed);
            if !constant.is_zero() {
                terms.push((sign, graph.number(constant)));
            }
        }
        _ if expression == Id::ZERO => {}
        _ => terms.push((sign, expression)),
    }
}

/// M must not depend on velocities; where it only seems to, it is written without them.
fn settle_mass(model: &Model, graph: &mut Graph, probe: &Probe, mass: &mut Mass, diagnostics: &mut Vec<Diagnostic>) {
    let n = model.coordinates.len();
    let mut culprits = None;
    let moving = |&(i, j, entry): &(usize, usize, Id)| i <= j && graph.depends(entry).on(Depends::VELOCITY);
    for (i, j, entry) in mass.iter().filter(moving).collect::<Vec<_>>() {
        match without(graph, probe, entry, Depends::VELOCITY) {
            Some(plain) => mass.set(i, j, plain),
            None => culprits = culprits.or(Some((i, j))),
        }
    }
    let Some((i, j)) = culprits else { return };
    let names = (&model.coordinates[i].name, &model.coordinates[j].name);
    let is_lagrangian = !model.lagrangian.is_empty();
    let what = if is_lagrangian { "Lagrangian" } else { "kinetic energy" };
    let mut error =
        Diagnostic::error("kinetic-not-quadratic", format!("the {what} is not quadratic in the velocities"));
    let energies: Vec<Term> = model.kinetic.iter().chain(&model.lagrangian).chain(&model.potential).copied().collect();
    for term in energies {
        if !is_quadratic(graph, probe, n, term.value) {
            error = error.at(term.span, "more than squares and products of velocities");
        }
    }
    diagnostics.push(
        error
            .note(format!(
                "the mass ∂²T/∂{}'∂{}' would depend on velocities, and `M q̈ = Q` would not be linear in q̈ with M(q, t)",
                names.0, names.1
            ))
            .help("write a sum of terms such as `m*x'^2/2`, with factors of coordinates and time only")
            .help("what depends on velocities in another way is a force: use `force` or `dissipation`"),
    );
}

fn is_quadratic(graph: &mut Graph, probe: &Probe, n: usize, term: Id) -> bool {
    let velocities: Vec<Symbol> = (0..n as u32).map(Symbol::Velocity).collect();
    if !graph.depends(term).on(Depends::VELOCITY) {
        return true;
    }
    for momentum in graph.gradient(term, &velocities) {
        for mass in graph.gradient(momentum, &velocities) {
            if without(graph, probe, mass, Depends::VELOCITY).is_none() {
                return false;
            }
        }
    }
    true
}

/// The generalised force of a force: (coordinate, component), zeros left out. At a point it is JᵀF.
pub(super) fn generalised(
    graph: &mut Graph,
    n: usize,
    (on, components, span): (&ForceOn, &[Id], Span),
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(usize, Id)> {
    match on {
        ForceOn::Coordinate(i) => components.first().map(|&c| (*i, c)).into_iter().collect(),
        ForceOn::System => components.iter().copied().enumerate().filter(|&(i, c)| i < n && c != Id::ZERO).collect(),
        ForceOn::Rate(rates) => {
            let mut result = Vec::new();
            for (&component, &rate) in components.iter().zip(rates).filter(|(component, _)| **component != Id::ZERO) {
                for (i, slope) in jacobian_row(graph, rate, Symbol::Velocity) {
                    let part = graph.multiply(slope, component);
                    if part != Id::ZERO {
                        result.push((i, part));
                    }
                }
            }
            result
        }
        ForceOn::Point(point) => {
            if point.iter().any(|&c| graph.depends(c).on(Depends::VELOCITY | Depends::ACCELERATION)) {
                diagnostics.push(point_moves(span, "the point where this force acts"));
                return Vec::new();
            }
            let mut result = Vec::new();
            for (&component, &place) in components.iter().zip(point) {
                for (i, slope) in jacobian_row(graph, place, Symbol::Position) {
                    let part = graph.multiply(slope, component);
                    if part != Id::ZERO {
                        result.push((i, part));
                    }
                }
            }
            result
        }
    }
}

/// The derivatives of an expression by the symbols of one kind that occur in it, zeros left out, in order.
pub(super) fn jacobian_row(graph: &mut Graph, expression: Id, kind: fn(u32) -> Symbol) -> Vec<(usize, Id)> {
    let index = |symbol: Symbol| match symbol {
        Symbol::Position(i) | Symbol::Velocity(i) | Symbol::Acceleration(i) if kind(i) == symbol => Some(i as usize),
        _ => None,
    };
    let indices: Vec<usize> = graph.symbols(&[expression]).into_iter().filter_map(index).collect();
    let symbols: Vec<Symbol> = indices.iter().map(|&i| kind(i as u32)).collect();
    let slopes = graph.gradient(expression, &symbols);
    indices.into_iter().zip(slopes).filter(|&(_, slope)| slope != Id::ZERO).collect()
}

/// Adds an explicit mass matrix.
fn add_matrix(
    model: &Model,
    graph: &mut Graph,
    probe: &Probe,
    matrix: &MassMatrix,
    mass: &mut Mass,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let n = model.coordinates.len();
    for i in 0..n {
        for j in i..n {
            let (above, below) = (matrix.entries[i * n + j], matrix.entries[j * n + i]);
            let difference = graph.subtract(above, below);
            if !probe.is_zero(graph, difference) {
                let names = (&model.coordinates[i].name, &model.coordinates[j].name);
                diagnostics.push(
                    Diagnostic::error("not-symmetric", "a mass matrix must be symmetric")
                        .at(matrix.span, format!("the entries of `{}` with `{}` and back differ", names.0, names.1))
                        .note("T = q̇ᵀMq̇/2 depends on the symmetric part only")
                        .help(format!(
                            "give row {}, column {} and row {}, column {} the same entry",
                            i + 1,
                            j + 1,
                            j + 1,
                            i + 1
                        )),
                );
                return;
            }
            let sum = graph.add(mass.get(i, j), above);
            mass.set(i, j, sum);
        }
    }
}

/// q̇ᵀMq̇/2
fn quadratic_form(graph: &mut Graph, entries: &[Id], n: usize) -> Id {
    let half = Number::ratio(1, 2).unwrap_or(Number::ONE);
    let velocities: Vec<Id> = (0..n as u32).map(|i| graph.symbol(Symbol::Velocity(i))).collect();
    let mut terms = Vec::new();
    for i in 0..n {
        for j in 0..n {
            if entries[i * n + j] != Id::ZERO {
                let term = graph.product(half, &[(entries[i * n + j], 1), (velocities[i], 1), (velocities[j], 1)]);
                terms.push((Number::ONE, term));
            }
        }
    }
    graph.sum(&terms)
}
