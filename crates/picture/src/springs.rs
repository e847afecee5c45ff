//! Springs: terms of the potential that are the square of how far two points are from a natural distance.
//!
//! A term is k u²/2 with k > 0 and u = w − l₀. Two points are the ends of the spring where their distance is a fixed multiple of
//! |w| at every state, however w is written: `norm(p - q)`, `sqrt(x^2 + y^2)`, `r`, `x2 - x1`. Where no two points are, one
//! point and a fixed place may be.

use super::catalogue::{Catalogue, Samples, fixed_point};
use super::probe;
use super::sketch::{Point, Sketch};
use holonom_elementary as elementary;
use holonom_mechanics::derive::Equations;
use holonom_symbols::expr::{Graph, Id, Node, Number, Symbol};

/// Terms of the potential that are looked at.
const MOST_TERMS: usize = 20_000;
/// Springs that a picture may have.
const MOST_SPRINGS: usize = 2_000;

/// What may be a spring.
#[derive(Clone, Copy)]
enum Term {
    /// The square of this.
    Square(Id),
    /// This sum of squares.
    Squares(Id),
}

/// The springs of a model, by their ends. `held` says which coordinates constraints keep at one value.
pub(super) fn springs(
    sketch: &mut Sketch,
    equations: &Equations,
    catalogue: &Catalogue,
    parameters: &[f64],
    held: &dyn Fn(Symbol) -> bool,
) -> Vec<[Point; 2]> {
    let mut found: Vec<[Point; 2]> = Vec::new();
    let mut terms: Vec<Term> = terms(equations, parameters);
    terms.reverse();
    while let Some(term) = terms.pop() {
        let parts = match term {
            Term::Square(id) => moving_part(&equations.graph, id),
            Term::Squares(id) => vec![(Number::ONE, id)],
        };
        let parts: Vec<_> = parts.into_iter().map(|(number, part)| (number, sketch.copy(part))).collect();
        let stretch = sketch.graph.sum(&parts);
        let Some(mut square) = catalogue.samples(&sketch.graph, stretch) else { continue };
        if let Term::Square(_) = term {
            square.values.iter_mut().for_each(|x| *x *= *x);
        }
        let ends = match (ends(sketch, catalogue, &square), term) {
            (None, Term::Square(_)) => along_coordinate(sketch, catalogue, stretch, &square, held),
            // No spring of its own: each of its squares may be one.
            (None, Term::Squares(id)) => {
                terms.extend(squares(&equations.graph, id).into_iter().rev().map(Term::Square));
                None
            }
            (found, _) => found,
        };
        if let Some([from, to]) = ends
            && !found.iter().any(|spring| [spring[0].at, spring[1].at] == [from.at, to.at])
        {
            found.push([from, to]);
        }
        if found.len() == MOST_SPRINGS {
            break;
        }
    }
    found
}

/// Two points at this distance, squared; the fixed one first.
fn ends(sketch: &mut Sketch, catalogue: &Catalogue, square: &Samples) -> Option<[Point; 2]> {
    if let Some([from, to]) = catalogue.pair(square, false, false) {
        let [from, to] = [from, to].map(|one| catalogue.entries[one].point);
        return Some([to, from]);
    }
    let (from, place) = catalogue.centre(square, false)?;
    let point = catalogue.entries[from].point;
    Some([fixed_point(sketch, place, point.components), point])
}

/// A point and where it would be if one coordinate were 0, where all its other coordinates are held or it is a point that is known.
fn along_coordinate(
    sketch: &mut Sketch,
    catalogue: &Catalogue,
    stretch: Id,
    square: &Samples,
    held: &dyn Fn(Symbol) -> bool,
) -> Option<[Point; 2]> {
    let Node::Symbol(along) = *sketch.graph.node(stretch) else { return None };
    for entry in catalogue.near(&square.symbols) {
        let entry = &catalogue.entries[entry];
        let zero = sketch.graph.substitute(&entry.point.at, |symbol| (symbol == along).then_some(Id::ZERO));
        let begin = Point { at: [zero[0], zero[1], zero[2]], components: entry.point.components };
        if !entry.symbols.iter().all(|&symbol| symbol == along || held(symbol)) {
            continue;
        }
        let parts = [0, 1, 2].map(|i| sketch.graph.subtract(entry.point.at[i], begin.at[i]));
        let squares = parts.map(|part| (Number::ONE, sketch.graph.integer_power(part, 2)));
        let distance = sketch.graph.sum(&squares);
        let distance = catalogue.samples(&sketch.graph, distance)?;
        let same = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
        if distance.values.iter().zip(&square.values).all(same) {
            return Some([begin, entry.point]);
        }
    }
    None
}

/// A sum without what is the same at every state.
fn moving_part(graph: &Graph, id: Id) -> Vec<(Number, Id)> {
    match graph.node(id) {
        Node::Sum { terms, .. } => terms.iter().copied().filter(|&(_, term)| !graph.depends(term).is_fixed()).collect(),
        _ => vec![(Number::ONE, id)],
    }
}

/// The squares among the terms of the potential whose factor is positive.
fn terms(equations: &Equations, parameters: &[f64]) -> Vec<Term> {
    let (model, graph) = (&equations.model, &equations.graph);
    let mut stack: Vec<(Id, f64)> = model.potential.iter().rev().map(|term| (term.value, 1.0)).collect();
    stack.extend(model.lagrangian.iter().rev().map(|term| (term.value, -1.0)));
    let (mut found, mut seen) = (Vec::new(), 0);
    while let Some((id, factor)) = stack.pop() {
        seen += 1;
        if seen > MOST_TERMS {
            break;
        }
        match graph.node(id) {
            Node::Sum { terms, .. } => {
                stack.extend(terms.iter().rev().map(|(number, term)| (*term, factor * number.to_f64())));
            }
            Node::Product { coefficient, factors } => {
                let (fixed, moving): (Vec<_>, Vec<_>) =
                    factors.iter().copied().partition(|&(factor, _)| graph.depends(factor).is_fixed());
                let ids: Vec<Id> = fixed.iter().map(|&(factor, _)| factor).collect();
                let values = graph.evaluate(&ids, |symbol| probe::value_with(0, symbol, parameters));
                let fixed = values.iter().zip(&fixed).map(|(&value, &(_, exponent))| elementary::powi(value, exponent));
                let factor = factor * coefficient.to_f64() * fixed.product::<f64>();
                match moving[..] {
                    [(inner, 2)] if factor > 0.0 => found.push(Term::Square(inner)),
                    [(inner, 1)] if factor > 0.0 && !squares(graph, inner).is_empty() => {
                        found.push(Term::Squares(inner))
                    }
                    [(inner, 1)] => stack.push((inner, factor)),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    found
}

/// What the terms of a sum are the squares of, as those of `dot(p - q, p - q)`; nothing where one term is no square.
fn squares(graph: &Graph, id: Id) -> Vec<Id> {
    let Node::Sum { terms, .. } = graph.node(id) else { return vec![] };
    let mut all = Vec::new();
    for &(number, term) in terms.iter() {
        match graph.node(term) {
            Node::Product { factors, .. } if !number.is_negative() => match factors[..] {
                [(inner, 2)] => all.push(inner),
                _ => return vec![],
            },
            _ if graph.depends(term).is_fixed() => {}
            _ => return vec![],
        }
    }
    all
}
