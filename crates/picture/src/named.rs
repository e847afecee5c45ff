//! Points that have a name: which vectors of `let` belong to the mechanism, and what constraints say of them.
//!
//! A vector may be a place (`tip = elbow + L*(sin(b), -cos(b))`), a direction (`e = (cos(a), sin(a))`) or a way (`d = q - p`), and
//! the three look alike. It is taken for a place only where something says so: a mass that moves with it, a rod from a point that is
//! known, a place on a rod, a constraint that keeps its distance from another point.

use super::catalogue::{Catalogue, Entry, Samples, fixed_point};
use super::links::Skeleton;
use super::sketch::{Point, Sketch};
use holonom_mechanics::derive::Equations;
use holonom_symbols::expr::{Depends, FastMap, Function, Id, Node, Number, Symbol};

/// Named vectors that are looked at.
const MOST_NAMED: usize = 5_000;

/// The named vectors of a model: those that move, and those that do not.
pub(super) fn named(sketch: &mut Sketch, equations: &Equations) -> (Vec<Point>, Vec<Point>) {
    let graph = &equations.graph;
    let of = |kinds: Depends, components: &[Id]| components.iter().any(|&id| graph.depends(id).on(kinds));
    let (mut moving, mut still) = (Vec::new(), Vec::new());
    for one in equations.model.named.iter().take(MOST_NAMED) {
        let others = Depends::VELOCITY | Depends::ACCELERATION | Depends::FORCE | Depends::CONTACT;
        if of(others, &one.components) {
            continue;
        }
        let point = sketch.vector(&one.components);
        if of(Depends::POSITION, &one.components) {
            moving.push(point);
        } else if !of(Depends::TIME, &one.components) {
            still.push(point);
        }
    }
    (moving, still)
}

/// Those points whose velocity is squared in the kinetic energy, all its components: masses are there.
pub(super) fn masses(sketch: &mut Sketch, equations: &Equations, points: &[Point]) -> Vec<bool> {
    let (model, graph) = (&equations.model, &equations.graph);
    if points.is_empty() {
        return vec![];
    }
    let mut squares: FastMap<Id, ()> = FastMap::default();
    let mut stack: Vec<Id> = model.kinetic.iter().chain(&model.lagrangian).map(|term| term.value).collect();
    let mut seen: FastMap<Id, ()> = FastMap::default();
    while let Some(id) = stack.pop() {
        if seen.insert(id, ()).is_some() {
            continue;
        }
        match graph.node(id) {
            Node::Sum { terms, .. } => stack.extend(terms.iter().map(|(_, term)| *term)),
            Node::Product { factors, .. } => {
                let moving: Vec<_> = factors.iter().filter(|(factor, _)| !graph.depends(*factor).is_fixed()).collect();
                match moving[..] {
                    [&(inner, 2)] => {
                        let own = sketch.copy(inner);
                        squares.insert(own, ());
                    }
                    [&(inner, 1)] => stack.push(inner),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    let all: Vec<Id> = points.iter().flat_map(|point| point.at).collect();
    let rates = sketch.graph.rate(&all);
    let mut is_squared =
        |rate: Id| rate == Id::ZERO || squares.contains_key(&rate) || squares.contains_key(&sketch.graph.negate(rate));
    rates.chunks(3).map(|rate| rate.iter().all(|&one| is_squared(one))).collect()
}

/// Finds out which entries of the catalogue, from `first` on, belong to the mechanism, and the rods that lead to them.
pub(super) fn join(
    skeleton: &mut Skeleton,
    catalogue: &mut Catalogue,
    first: usize,
    is_mass: &dyn Fn(&Entry) -> bool,
    has_units: bool,
) {
    // A let may be reached through another that is found only then.
    for _ in 0..2 {
        for entry in first..catalogue.entries.len() {
            let point = catalogue.entries[entry].point;
            if catalogue.entries[entry].belongs {
                continue;
            }
            let belongs = if skeleton.knows(point) {
                true
            } else if is_mass(&catalogue.entries[entry]) {
                skeleton.reach(point);
                skeleton.know(&[point]);
                true
            } else {
                !catalogue.is_difference(entry)
                    && (skeleton.reach_from_known(point) || lies_on_rod(skeleton, catalogue, entry, has_units))
            };
            catalogue.entries[entry].belongs = belongs;
        }
    }
}

/// Whether a rod has an entry between its ends. Numbers alone cannot tell a direction from a place on a rod from the origin.
fn lies_on_rod(skeleton: &Skeleton, catalogue: &Catalogue, entry: usize, has_units: bool) -> bool {
    let mut near = catalogue.near(&catalogue.entries[entry].symbols);
    near.extend(catalogue.still_members(has_units));
    let entries = &catalogue.entries;
    near.iter().enumerate().any(|(place, &a)| {
        near[..place].iter().any(|&b| {
            skeleton.joined(entries[a].places[0], entries[b].places[0])
                && catalogue.lies_between(entry, &entries[a], &entries[b])
        })
    })
}

/// Draws a rod where a row keeps the distance of two points, or of one from a fixed place; whether it does.
pub(super) fn distance_row(skeleton: &mut Skeleton, catalogue: &mut Catalogue, (row, one_sided): (Id, bool)) -> bool {
    let own = skeleton.sketch.copy(row);
    let (square, offset) = square_of(skeleton.sketch, own);
    let (Some(values), Some(square)) =
        (catalogue.samples(&skeleton.sketch.graph, own), catalogue.samples(&skeleton.sketch.graph, square))
    else {
        return false;
    };
    let (from, to, place) = if let Some([from, to]) = catalogue.pair(&square, offset, true) {
        catalogue.entries[from].belongs = true;
        catalogue.entries[to].belongs = true;
        (from, catalogue.entries[to].point, catalogue.entries[to].places.clone())
    } else if let Some((from, place)) = catalogue.centre(&square, offset) {
        let components = catalogue.entries[from].point.components;
        (from, fixed_point(skeleton.sketch, place, components), vec![place; square.values.len()])
    } else {
        return false;
    };
    // What may not come closer is an obstacle and no rope.
    if one_sided && opens(&values, &catalogue.entries[from].places, &place) {
        return false;
    }
    let (point, at) = (catalogue.entries[from].point, catalogue.entries[from].places[0]);
    skeleton.know(&[to, point]);
    skeleton.rod((to, place[0]), (point, at));
    true
}

/// Whether a row grows with the distance of two points.
fn opens(row: &Samples, a: &[[f64; 3]], b: &[[f64; 3]]) -> bool {
    let distance = |(a, b): (&[f64; 3], &[f64; 3])| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>();
    let far: Vec<f64> = a.iter().zip(b).map(distance).collect();
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    let (x, y) = (mean(&far), mean(&row.values));
    far.iter().zip(&row.values).map(|(far, value)| (far - x) * (value - y)).sum::<f64>() > 0.0
}

/// What is under the root where a row is a fixed multiple of one and a constant; else the row itself, to which a constant is added.
fn square_of(sketch: &Sketch, row: Id) -> (Id, bool) {
    let graph = &sketch.graph;
    let mut id = row;
    if let Node::Sum { terms, .. } = graph.node(id) {
        let moving: Vec<Id> =
            terms.iter().map(|(_, term)| *term).filter(|&term| !graph.depends(term).is_fixed()).collect();
        if let [one] = moving[..] {
            id = one;
        }
    }
    match graph.node(id) {
        Node::Call(Function::Sqrt, inner, _) => (*inner, false),
        _ => (row, true),
    }
}

/// The line on which a row keeps a point of the catalogue, as an expression of positions 0 and 1 in place of x and y.
pub(super) fn line_row(sketch: &mut Sketch, catalogue: &Catalogue, row: Id) -> Option<(Point, Id, [Id; 2])> {
    let own = sketch.copy(row);
    let values = catalogue.samples(&sketch.graph, own)?;
    for entry in catalogue.near(&values.symbols) {
        let Some((normal, offset)) = catalogue.line(entry, &values) else { continue };
        let point = catalogue.entries[entry].point;
        let graph = &mut sketch.graph;
        let gradient = normal.map(|x| graph.number(Number::rounded((x * 1e12).round() / 1e12).unwrap_or(Number::ZERO)));
        // The constant as an expression of parameters, where that is what is left.
        let along = [0, 1].map(|i| graph.multiply(gradient[i], point.at[i]));
        let sum = graph.add(along[0], along[1]);
        let rest = graph.subtract(sum, own);
        let constant = match graph.depends(rest).is_fixed() {
            true => rest,
            false => graph.number(Number::rounded(offset).unwrap_or(Number::ZERO)),
        };
        let [x, y] = [0, 1].map(|i| {
            let symbol = graph.symbol(Symbol::Position(i as u32));
            graph.multiply(gradient[i], symbol)
        });
        let sum = graph.add(x, y);
        return Some((point, graph.subtract(sum, constant), gradient));
    }
    None
}
