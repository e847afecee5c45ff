//! The points that a mechanism may have, and where each is at a few unrelated states.
//!
//! Whether a spring joins two points, or a floor carries one, is a question about numbers at those states: a distance that is a
//! fixed multiple of what the potential says at all of them is that of the spring. Points are asked by the coordinates that they
//! share with a question, so the work grows with the number of questions.

use super::probe;
use super::sketch::{Point, Sketch};
use holonom_elementary as elementary;
use holonom_symbols::expr::{FastMap, Graph, Id, Number, Symbol};

/// States to ask at: a circle in space has five unknown numbers.
pub(super) const STATES: u64 = 9;
/// Points beside one question that are looked at.
const MOST: usize = 16;
/// What rounding may leave, relative to the largest of the numbers.
const ROUNDING: f64 = 1e-9;

/// Where something is at the states.
type Places = Vec<[f64; 3]>;

/// A point of the catalogue.
pub(super) struct Entry {
    pub(super) point: Point,
    pub(super) places: Places,
    /// What it moves with, in order.
    pub(super) symbols: Vec<Symbol>,
    /// Whether it is known to belong to the mechanism; another has only a name.
    pub(super) belongs: bool,
}

/// All points that something may be fastened to.
pub(super) struct Catalogue<'a> {
    parameters: &'a [f64],
    pub(super) entries: Vec<Entry>,
    with: FastMap<Symbol, Vec<usize>>,
    still: Vec<usize>,
}

/// A number at every state, and what it moves with.
pub(super) struct Samples {
    pub(super) values: Vec<f64>,
    pub(super) symbols: Vec<Symbol>,
}

impl<'a> Catalogue<'a> {
    pub(super) fn new(parameters: &'a [f64]) -> Self {
        Self { parameters, entries: vec![], with: FastMap::default(), still: vec![] }
    }

    /// Adds points. Those that depend on velocities are none.
    pub(super) fn add(&mut self, graph: &Graph, points: &[Point], belongs: bool) {
        let ids: Vec<Id> = points.iter().flat_map(|point| point.at).collect();
        let mut places = vec![Places::with_capacity(STATES as usize); points.len()];
        for state in 0..STATES {
            let values = graph.evaluate(&ids, |symbol| probe::value_with(state, symbol, self.parameters));
            for (own, place) in places.iter_mut().zip(values.chunks(3)) {
                own.push([place[0], place[1], place[2]]);
            }
        }
        for (&point, places) in points.iter().zip(places) {
            let symbols = moving_symbols(graph, &point.at);
            let placed = |symbol: &Symbol| matches!(symbol, Symbol::Time | Symbol::Position(_));
            if !symbols.iter().all(placed) || places.iter().flatten().any(|x| !x.is_finite()) {
                continue;
            }
            let number = self.entries.len();
            symbols.iter().for_each(|&symbol| self.with.entry(symbol).or_default().push(number));
            if symbols.is_empty() {
                self.still.push(number);
            }
            self.entries.push(Entry { point, places, symbols, belongs });
        }
    }

    /// An expression at the states; nothing where it is not a number.
    pub(super) fn samples(&self, graph: &Graph, id: Id) -> Option<Samples> {
        let at = |state| graph.evaluate(&[id], |symbol| probe::value_with(state, symbol, self.parameters))[0];
        let values: Vec<f64> = (0..STATES).map(at).collect();
        let symbols = moving_symbols(graph, &[id]);
        values.iter().all(|x| x.is_finite()).then_some(Samples { values, symbols })
    }

    /// The entries that move with one of these symbols: those of the mechanism, in order.
    pub(super) fn near(&self, symbols: &[Symbol]) -> Vec<usize> {
        self.some_near(symbols, |entry| entry.belongs)
    }

    /// As [`Catalogue::near`], then those that have only a name.
    fn all_near(&self, symbols: &[Symbol]) -> Vec<usize> {
        let mut all = self.near(symbols);
        all.extend(self.some_near(symbols, |entry| !entry.belongs));
        all
    }

    /// Fixed entries of the mechanism; the origin only if asked for.
    pub(super) fn still_members(&self, origin: bool) -> impl Iterator<Item = usize> + '_ {
        let elsewhere = |entry: &Entry| entry.places[0].iter().any(|x| *x != 0.0);
        let wanted = move |&one: &usize| self.entries[one].belongs && (origin || elsewhere(&self.entries[one]));
        self.still.iter().copied().filter(wanted).take(MOST)
    }

    fn some_near(&self, symbols: &[Symbol], wanted: impl Fn(&Entry) -> bool) -> Vec<usize> {
        let mut all = Vec::new();
        for symbol in symbols {
            let here = self.with.get(symbol).into_iter().flatten().copied();
            all.extend(here.filter(|&one| wanted(&self.entries[one])).take(MOST));
        }
        all.sort_unstable();
        all.dedup();
        all.truncate(MOST);
        all
    }

    /// Two entries whose distance, squared, is a fixed multiple of this at every state. With `offset` a constant may be added.
    pub(super) fn pair(&self, square: &Samples, offset: bool, named: bool) -> Option<[usize; 2]> {
        let near = |symbols: &[Symbol]| if named { self.all_near(symbols) } else { self.near(symbols) };
        let asked = near(&square.symbols);
        for &from in &asked {
            // The other end may move with coordinates that the distance does not depend on: a cart that carries both.
            let partners = asked.iter().copied().chain(near(&self.entries[from].symbols));
            // A vector that only has a name may be the way from one point to another: what is at the origin is none of its ends.
            let still =
                self.still.iter().copied().filter(|&still| {
                    self.entries[from].belongs || self.entries[still].places[0].iter().any(|x| *x != 0.0)
                });
            for to in partners.chain(still.take(MOST)) {
                if to != from && proportional(&square.values, &self.distances(from, to), offset) {
                    return Some([from, to]);
                }
            }
        }
        None
    }

    fn distances(&self, from: usize, to: usize) -> Vec<f64> {
        let (a, b) = (&self.entries[from].places, &self.entries[to].places);
        let square = |(a, b): (&[f64; 3], &[f64; 3])| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum();
        a.iter().zip(b).map(square).collect()
    }

    /// An entry and the fixed place whose distance, squared, is a fixed multiple of this at every state.
    pub(super) fn centre(&self, square: &Samples, offset: bool) -> Option<(usize, [f64; 3])> {
        self.near(&square.symbols).into_iter().find_map(|from| {
            let place = self.centre_of(from, square, offset)?;
            Some((from, place))
        })
    }

    /// `|p − c|² = |p|² − 2 p·c + |c|²` is affine in |p|² and p: the centre c is what a fit of `square` says.
    fn centre_of(&self, from: usize, square: &Samples, offset: bool) -> Option<[f64; 3]> {
        let places = &self.entries[from].places;
        let moves: Vec<usize> = (0..3).filter(|&i| places.iter().any(|place| place[i] != places[0][i])).collect();
        let row = |place: &[f64; 3]| {
            let length: f64 = moves.iter().map(|&i| place[i] * place[i]).sum();
            let mut row = vec![length, 1.0];
            row.extend(moves.iter().map(|&i| place[i]));
            row
        };
        let rows: Vec<Vec<f64>> = places.iter().map(row).collect();
        let fit = fitted(&rows, &square.values)?;
        let (scale, constant) = (fit[0], fit[1]);
        if scale == 0.0 || !scale.is_finite() {
            return None;
        }
        let mut centre = places[0];
        moves.iter().zip(&fit[2..]).for_each(|(&i, &slope)| centre[i] = -slope / (2.0 * scale));
        let rest: f64 = moves.iter().map(|&i| centre[i] * centre[i]).sum();
        let largest = square.values.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        // Without an offset, what is left over would be the distance from the line of the motion, to either side.
        let exact = offset || (constant - scale * rest).abs() <= ROUNDING * largest && scale > 0.0;
        exact.then_some(centre)
    }

    /// The line `n·p = c` of the plane on which an entry is where this is zero; the gradient of `values` is n.
    pub(super) fn line(&self, entry: usize, values: &Samples) -> Option<([f64; 2], f64)> {
        let Entry { point, places, symbols, .. } = &self.entries[entry];
        if point.components != 2 || values.symbols.iter().any(|symbol| !symbols.contains(symbol)) {
            return None;
        }
        let moves: Vec<usize> = (0..2).filter(|&i| places.iter().any(|place| place[i] != places[0][i])).collect();
        let row = |place: &[f64; 3]| {
            let mut row = vec![1.0];
            row.extend(moves.iter().map(|&i| place[i]));
            row
        };
        let rows: Vec<Vec<f64>> = places.iter().map(row).collect();
        let fit = fitted(&rows, &values.values)?;
        let mut normal = [0.0; 2];
        moves.iter().zip(&fit[1..]).for_each(|(&i, &slope)| normal[i] = slope);
        (elementary::hypot(normal[0], normal[1]) > 0.0).then_some((normal, -fit[0]))
    }

    /// Whether a named vector is the way from one point of the mechanism to another point, and no place.
    pub(super) fn is_difference(&self, entry: usize) -> bool {
        let near = self.near(&self.entries[entry].symbols);
        let own = &self.entries[entry].places;
        near.iter().any(|&from| {
            let ends: Places =
                own.iter().zip(&self.entries[from].places).map(|(d, p)| [0, 1, 2].map(|i| d[i] + p[i])).collect();
            near.iter().any(|&to| to != entry && from != entry && same(&ends, &self.entries[to].places))
        })
    }

    /// Whether an entry divides the way between two others in a fixed ratio.
    pub(super) fn lies_between(&self, entry: usize, a: &Entry, b: &Entry) -> bool {
        let own = &self.entries[entry].places;
        let mut share = None;
        for ((p, a), b) in own.iter().zip(&a.places).zip(&b.places) {
            let (mut up, mut down) = (0.0, 0.0);
            (0..3).for_each(|i| (up, down) = (up + (p[i] - a[i]) * (b[i] - a[i]), down + (b[i] - a[i]).powi(2)));
            let here = *share.get_or_insert(up / down);
            let size = [p, a, b].iter().flat_map(|place| place.iter()).fold(0.0, |most: f64, x| most.max(x.abs()));
            if (0..3).any(|i| (a[i] + here * (b[i] - a[i]) - p[i]).abs() > ROUNDING * size) {
                return false;
            }
        }
        share.is_some_and(|share| share > 1e-6 && share < 1.0 - 1e-6)
    }
}

/// What an expression moves with, in order.
pub(super) fn moving_symbols(graph: &Graph, ids: &[Id]) -> Vec<Symbol> {
    let moves = |symbol: &Symbol| !matches!(symbol, Symbol::Parameter(_));
    let mut symbols: Vec<Symbol> = graph.symbols(ids).into_iter().filter(moves).collect();
    symbols.sort_unstable();
    symbols
}

/// A fixed place as a point.
pub(super) fn fixed_point(sketch: &mut Sketch, place: [f64; 3], components: usize) -> Point {
    // What rounding leaves of a round number is taken off.
    let number = |x: f64| Number::rounded((x * 1e9).round() / 1e9).unwrap_or(Number::ZERO);
    Point { at: place.map(|x| sketch.graph.number(number(x))), components }
}

fn same(a: &[[f64; 3]], b: &[[f64; 3]]) -> bool {
    let size = a.iter().chain(b).flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() <= ROUNDING * size)
}

/// Whether y = a x at all states, or y = a x + b with `offset`, where both change and a is not 0.
fn proportional(x: &[f64], y: &[f64], offset: bool) -> bool {
    let n = x.len() as f64;
    let (mx, my) = if offset { (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n) } else { (0.0, 0.0) };
    let (mut xx, mut xy) = (0.0, 0.0);
    x.iter().zip(y).for_each(|(x, y)| (xx, xy) = (xx + (x - mx).powi(2), xy + (x - mx) * (y - my)));
    let largest = |all: &[f64]| all.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let varies = |all: &[f64]| all.iter().any(|x| (x - all[0]).abs() > 1e-6 * largest(all));
    if !varies(x) || !varies(y) || xy == 0.0 || (!offset && xy < 0.0) {
        return false;
    }
    let a = xy / xx;
    let size = largest(y).max(a.abs() * largest(x));
    x.iter().zip(y).all(|(x, y)| (a * (x - mx) + my - y).abs() <= ROUNDING * size)
}

/// The only solution of `rows · solution = right`, if there is one.
fn fitted(rows: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let n = rows.first()?.len();
    if rows.len() < n {
        return None;
    }
    // Columns of length 1, made orthogonal one after the other: one that is nearly in the space of the others says nothing.
    let (mut basis, mut mixture): (Vec<Vec<f64>>, Vec<Vec<f64>>) = (vec![], vec![]);
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    for column in 0..n {
        let mut own: Vec<f64> = rows.iter().map(|row| row[column]).collect();
        let mut mix = vec![0.0; n];
        mix[column] = 1.0;
        let before = dot(&own, &own).sqrt();
        // Twice is enough.
        for _ in 0..2 {
            for (other, made) in basis.iter().zip(&mixture) {
                let part = dot(&own, other);
                own.iter_mut().zip(other).for_each(|(x, y)| *x -= part * y);
                mix.iter_mut().zip(made).for_each(|(x, y)| *x -= part * y);
            }
        }
        let size = dot(&own, &own).sqrt();
        if !size.is_finite() || size <= 1e-7 * before {
            return None;
        }
        basis.push(own.iter().map(|x| x / size).collect());
        mixture.push(mix.iter().map(|x| x / size).collect());
    }
    let mut solution = vec![0.0; n];
    for (own, mix) in basis.iter().zip(&mixture) {
        let part = dot(own, right);
        solution.iter_mut().zip(mix).for_each(|(x, y)| *x += part * y);
    }
    // A number that rounding made of nothing is nothing.
    let sizes = |column: usize| rows.iter().fold(0.0, |most: f64, row| most.max(row[column].abs()));
    let largest = right.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    for (column, x) in solution.iter_mut().enumerate() {
        if (*x * sizes(column)).abs() <= ROUNDING * largest {
            *x = 0.0;
        }
    }
    let fits = |(row, right): (&Vec<f64>, &f64)| (dot(row, &solution) - right).abs() <= ROUNDING * largest;
    rows.iter().zip(right).all(fits).then_some(solution)
}
