//! Constraints that keep a distance: between two points, or from a point to a fixed centre.
//!
//! How such a constraint is written does not matter, `dot(d, d) = L^2`, `norm(d) = L` or by components: where it keeps the
//! distance of two points, its gradient is parallel to that of the distance at every state; where it keeps the distance to a
//! centre, the gradient at every place points to that centre. Both are asked at a few unrelated states.
//!
//! Only points whose components are coordinates or fixed are looked at, so that a row knows its points by its own coordinates,
//! and the work grows with the number of rows.

use super::probe::{self, STATES};
use super::sketch::{Point, Sketch};
use holonom_language::{Constraint, EventAction, units::Dimension};
use holonom_mechanics::compile::{Inputs, Program};
use holonom_mechanics::derive::{Equations, Row};
use holonom_symbols::expr::{FastMap, Id, Node, Symbol};

/// Points beside which a row is not looked at more closely: many points that share coordinates are no mechanism of rods.
const MOST_POINTS: usize = 8;
/// The square of the sine between parallel vectors that rounding may leave.
const PARALLEL: f64 = 1e-13;
/// How far beside a centre rounding may lead, relative to distances.
const NEAR: f64 = 1e-9;

/// What keeps its length.
pub(super) struct Rod {
    /// One end, by its number among the points.
    pub(super) from: usize,
    /// The other.
    pub(super) to: End,
}

/// Where a rod ends.
pub(super) enum End {
    /// At a point.
    Point(usize),
    /// At a fixed centre, which was found by this row.
    Centre(Centre),
}

/// A fixed centre.
pub(super) struct Centre {
    /// Where it is, by numbers.
    pub(super) place: [f64; 3],
    /// The gradient of the row by component of the point, expressions of the equations; nothing where the point does not move.
    pub(super) gradient: [Option<Id>; 3],
}

/// Rods, and the points that they join.
pub(super) struct Rods {
    /// The particles of the model, then points that only constraints speak of.
    pub(super) points: Vec<Point>,
    /// What keeps its length, in the order of the constraints.
    pub(super) rods: Vec<Rod>,
    /// What keeps a particle of the plane on a curve that is no circle.
    pub(super) rails: Vec<Kept>,
    /// Rows of one component that are neither: φ, and whether they are one-sided.
    pub(super) others: Vec<(Id, bool)>,
}

/// A particle of the plane that a row keeps on a curve.
pub(super) struct Kept {
    /// The particle, by its number among the points.
    pub(super) point: usize,
    /// The coordinates that are its x and y.
    pub(super) coordinates: [usize; 2],
    /// φ, an expression of the equations.
    pub(super) curve: Id,
    /// ∂φ/∂x and ∂φ/∂y, expressions of the equations.
    pub(super) gradient: [Id; 2],
    /// Whether only one side of it is forbidden, that where φ < 0.
    pub(super) one_sided: bool,
}

/// The rods among the constraints of a model.
pub(super) fn rods<'a>(sketch: &mut Sketch<'a>, equations: &'a Equations, parameters: &[f64]) -> Rods {
    let mut search = Search::new(sketch, equations);
    let rows: Vec<&Row> = standing_rows(equations).collect();
    let values = search.evaluate(&rows, parameters);
    let (mut rods, mut rails, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for (which, row) in rows.iter().enumerate() {
        // The rows of a vector equation stand together; the first one speaks for all.
        let together = rows[which..].iter().take_while(|other| belongs(row, other)).count();
        let found = match row.constraint {
            Some((_, 0)) if together > 1 => search.fixed_difference(&rows[which..which + together], &values[which..]),
            _ => None,
        };
        match found.or_else(|| search.rod(row, &values[which])) {
            // What may not come closer is an obstacle: a rope is a line, a ball that others roll on is a curve.
            Some(rod) if row.one_sided && search.opens_outwards(&rod, row, &values[which]) => {
                rails.extend(search.rail(row));
            }
            Some(rod) => rods.push(rod),
            None => match search.rail(row) {
                Some(rail) => rails.push(rail),
                None if together == 1 && matches!(row.constraint, Some((_, 0))) => {
                    others.extend(row.position.map(|curve| (curve, row.one_sided)));
                }
                None => {}
            },
        }
    }
    Rods { points: search.points, rods, rails, others }
}

/// Holonomic rows that are in force from the start to the end, or are one-sided, and know no time.
fn standing_rows(equations: &Equations) -> impl Iterator<Item = &Row> {
    let model = &equations.model;
    let acts = |one: &Constraint| !one.off || one.side.is_some_and(|side| !side.disabled);
    let mut stands: Vec<bool> = model.constraints.iter().map(acts).collect();
    for action in model.events.iter().flat_map(|event| &event.actions) {
        if let EventAction::Drop(which) = action {
            stands[*which] = false;
        }
    }
    equations.rows.iter().filter(move |row| {
        let of_model = row.constraint.is_some_and(|(constraint, _)| stands[constraint]);
        of_model && row.position.is_some() && !row.rheonomic && (1..=6).contains(&row.a.len())
    })
}

fn belongs(first: &Row, other: &Row) -> bool {
    first.constraint.zip(other.constraint).is_some_and(|(first, other)| first.0 == other.0)
}

/// The values of a row at the states: its gradient, in the order of `Row::a`.
type Gradients = Vec<Vec<f64>>;

struct Search<'s, 'a> {
    sketch: &'s mut Sketch<'a>,
    equations: &'a Equations,
    points: Vec<Point>,
    /// For each point the coordinate of each component; nothing for one that is fixed. Empty for points of another kind.
    coordinates: Vec<Vec<Option<usize>>>,
    by_coordinate: Vec<Vec<usize>>,
    /// Points by their coordinates.
    joints: FastMap<Vec<usize>, usize>,
    /// The values of components that are fixed.
    fixed: FastMap<Id, f64>,
}

impl<'s, 'a> Search<'s, 'a> {
    fn new(sketch: &'s mut Sketch<'a>, equations: &'a Equations) -> Self {
        let mut search = Self {
            sketch,
            equations,
            points: vec![],
            coordinates: vec![],
            by_coordinate: vec![vec![]; equations.model.coordinates.len()],
            joints: FastMap::default(),
            fixed: FastMap::default(),
        };
        equations.model.particles.iter().for_each(|particle| search.add(&particle.position));
        search
    }

    fn add(&mut self, position: &[Id]) {
        let point = self.sketch.vector(position);
        let graph = &self.sketch.graph;
        let component = |&id: &Id| match graph.node(id) {
            Node::Symbol(Symbol::Position(which)) => Some(Some(*which as usize)),
            _ => graph.depends(id).is_fixed().then_some(None),
        };
        let coordinates: Option<Vec<Option<usize>>> = point.at[..point.components].iter().map(component).collect();
        let coordinates = coordinates.unwrap_or_default();
        for &coordinate in coordinates.iter().flatten() {
            self.by_coordinate[coordinate].push(self.points.len());
        }
        if let Some(all) = coordinates.iter().copied().collect::<Option<Vec<usize>>>() {
            self.joints.entry(all).or_insert(self.points.len());
        }
        self.points.push(point);
        self.coordinates.push(coordinates);
    }

    fn evaluate(&mut self, rows: &[&Row], parameters: &[f64]) -> Vec<Gradients> {
        let graph = &self.equations.graph;
        let roots: Vec<Id> = rows.iter().flat_map(|row| row.a.iter().map(|&(_, entry)| entry)).collect();
        let program = Program::new(graph, &roots);
        let (fixed, mut memory) = (program.fixed(parameters), program.memory());
        let n = self.by_coordinate.len() as u32;
        let mut all: Vec<Gradients> = rows.iter().map(|_| Vec::with_capacity(STATES as usize)).collect();
        for state in 0..STATES {
            let q: Vec<f64> = (0..n).map(|which| probe::value(state, Symbol::Position(which))).collect();
            let t = probe::value(state, Symbol::Time);
            let mut rest = program.evaluate(&fixed, &Inputs { t, q: &q, ..Inputs::default() }, &mut memory);
            for (row, gradients) in rows.iter().zip(&mut all) {
                let (own, others) = rest.split_at(row.a.len());
                gradients.push(own.to_vec());
                rest = others;
            }
        }
        let own = &self.sketch.graph;
        let is_fixed = |id: &Id| own.depends(*id).is_fixed();
        let still: Vec<Id> = self.points.iter().flat_map(|point| point.at).filter(is_fixed).collect();
        let values = own.evaluate(&still, |symbol| probe::value_with(0, symbol, parameters));
        self.fixed = still.into_iter().zip(values).collect();
        all
    }

    /// Where a point is at a state.
    fn place(&self, point: usize, state: usize) -> [f64; 3] {
        let mut place = [0.0; 3];
        for (component, &coordinate) in self.coordinates[point].iter().enumerate() {
            place[component] = match coordinate {
                Some(which) => probe::value(state as u64, Symbol::Position(which as u32)),
                None => self.fixed.get(&self.points[point].at[component]).copied().unwrap_or(f64::NAN),
            };
        }
        place
    }

    /// The points that move with the coordinates of a row and with no others.
    fn points_of(&self, row: &Row) -> Vec<usize> {
        let mut points: Vec<usize> =
            row.a.iter().flat_map(|&(which, _)| &self.by_coordinate[which]).copied().take(64).collect();
        points.sort_unstable();
        points.dedup();
        let own = |which: &usize| row.a.iter().any(|(coordinate, _)| coordinate == which);
        points.retain(|&point| self.coordinates[point].iter().flatten().all(own));
        points
    }

    fn rod(&mut self, row: &Row, gradients: &Gradients) -> Option<Rod> {
        let points = self.points_of(row);
        // With one coordinate everything is parallel.
        if row.a.len() < 2 || points.len() > MOST_POINTS {
            return None;
        }
        self.among(&points, row, gradients).or_else(|| self.between_joints(row, gradients))
    }

    fn among(&self, points: &[usize], row: &Row, gradients: &Gradients) -> Option<Rod> {
        for (place, &from) in points.iter().enumerate() {
            for &to in &points[..place] {
                if self.covers(&[from, to], row) && self.keeps_distance(from, to, row, gradients) {
                    return Some(Rod { from, to: End::Point(to) });
                }
            }
        }
        let alone = points.iter().copied().find(|&point| self.covers(&[point], row))?;
        let centre = self.centre(alone, row, gradients)?;
        Some(Rod { from: alone, to: End::Centre(centre) })
    }

    /// Whether these points have all coordinates of a row.
    fn covers(&self, points: &[usize], row: &Row) -> bool {
        let has = |which: usize| points.iter().any(|&point| self.coordinates[point].contains(&Some(which)));
        row.a.iter().all(|&(which, _)| has(which))
    }

    /// Whether the gradient is parallel to that of |d|², which is 2d by the coordinates of one end and −2d by those of the other.
    fn keeps_distance(&self, from: usize, to: usize, row: &Row, gradients: &Gradients) -> bool {
        let mut asked = 0;
        for (state, gradient) in gradients.iter().enumerate() {
            let (a, b) = (self.place(from, state), self.place(to, state));
            let (mut gg, mut gh, mut hh) = (0.0, 0.0, 0.0);
            for (&(which, _), &g) in row.a.iter().zip(gradient) {
                let mut h = 0.0;
                for component in 0..3 {
                    let moves = |point: usize| self.coordinates[point].get(component) == Some(&Some(which));
                    let d = a[component] - b[component];
                    h += if moves(from) { d } else { 0.0 } - if moves(to) { d } else { 0.0 };
                }
                (gg, gh, hh) = (gg + g * g, gh + g * h, hh + h * h);
            }
            if !(gg * hh).is_finite() || gg * hh == 0.0 {
                continue;
            }
            if gg * hh - gh * gh > PARALLEL * gg * hh {
                return false;
            }
            asked += 1;
        }
        asked >= 3
    }

    /// Whether a row grows as the ends of a rod move apart.
    fn opens_outwards(&self, rod: &Rod, row: &Row, gradients: &Gradients) -> bool {
        let slopes = gradients.iter().enumerate().map(|(state, gradient)| {
            let from = self.place(rod.from, state);
            let to = match &rod.to {
                End::Point(to) => self.place(*to, state),
                End::Centre(centre) => centre.place,
            };
            let along = |(component, which): (usize, &Option<usize>)| {
                let entry = row.a.iter().position(|&(own, _)| Some(own) == *which);
                entry.map_or(0.0, |entry| gradient[entry] * (from[component] - to[component]))
            };
            self.coordinates[rod.from].iter().enumerate().map(along).sum::<f64>()
        });
        slopes.into_iter().find(|slope| slope.is_finite() && *slope != 0.0).is_some_and(|slope| slope > 0.0)
    }

    /// The place that all gradients point to: the point nearest to all those lines, if it lies on them.
    fn centre(&self, point: usize, row: &Row, gradients: &Gradients) -> Option<Centre> {
        let mut entry = [None; 3];
        for (place, coordinate) in self.coordinates[point].iter().enumerate() {
            entry[place] = coordinate.and_then(|which| row.a.iter().position(|&(other, _)| other == which));
        }
        // Σ(I − ĝĝᵀ) c = Σ(I − ĝĝᵀ) p over the states; a component that does not move is known.
        let (mut matrix, mut right, mut lines) = ([[0.0; 3]; 3], [0.0; 3], Vec::new());
        for (state, gradient) in gradients.iter().enumerate() {
            let p = self.place(point, state);
            let g = entry.map(|place| place.map_or(0.0, |place| gradient[place]));
            let length = g.iter().map(|x| x * x).sum::<f64>().sqrt();
            if !length.is_finite() || length == 0.0 || p.iter().any(|x| !x.is_finite()) {
                continue;
            }
            let g = g.map(|x| x / length);
            for i in 0..3 {
                for j in 0..3 {
                    let across = f64::from(u8::from(i == j)) - g[i] * g[j];
                    matrix[i][j] += across;
                    right[i] += across * p[j];
                }
            }
            lines.push((p, g));
        }
        if lines.len() < 4 {
            return None;
        }
        let place = solve(matrix, right)?;
        let scale = lines.iter().flat_map(|(p, _)| p).chain(&place).fold(1.0, |most: f64, x| most.max(x.abs()));
        for (p, g) in &lines {
            let d = [0, 1, 2].map(|i| p[i] - place[i]);
            let along: f64 = (0..3).map(|i| d[i] * g[i]).sum();
            if (0..3).any(|i| (d[i] - along * g[i]).abs() > NEAR * scale) {
                return None;
            }
        }
        Some(Centre { place, gradient: entry.map(|place| place.map(|place| row.a[place].1)) })
    }

    /// The particle that a row keeps on a curve in the plane of its two coordinates.
    fn rail(&self, row: &Row) -> Option<Kept> {
        let (curve, (constraint, _)) = (row.position?, row.constraint?);
        if self.equations.model.constraints[constraint].rows.len() > 1 {
            return None;
        }
        let &(which, _) = row.a.first()?;
        for &point in self.by_coordinate[which].iter().take(MOST_POINTS) {
            if let [Some(x), Some(y)] = self.coordinates[point][..]
                && row.a.iter().all(|&(which, _)| which == x || which == y)
            {
                let slope =
                    |which: usize| row.a.iter().find(|entry| entry.0 == which).map_or(Id::ZERO, |entry| entry.1);
                return Some(Kept {
                    point,
                    coordinates: [x, y],
                    curve,
                    gradient: [slope(x), slope(y)],
                    one_sided: row.one_sided,
                });
            }
        }
        None
    }

    /// Rows of a vector equation that say p − q = constant.
    fn fixed_difference(&self, rows: &[&Row], gradients: &[Gradients]) -> Option<Rod> {
        let opposite = |gradient: &Vec<f64>| gradient.len() == 2 && gradient[0] == -gradient[1] && gradient[0] != 0.0;
        if !gradients[..rows.len()].iter().all(|gradients| gradients.iter().all(opposite)) {
            return None;
        }
        let candidates: Vec<usize> =
            rows[0].a.iter().flat_map(|&(which, _)| &self.by_coordinate[which]).copied().take(MOST_POINTS).collect();
        let joins = |from: usize, to: usize| {
            rows.iter().enumerate().all(|(component, row)| {
                let at = |point: usize| self.coordinates[point].get(component).copied().flatten();
                let ends = [row.a[0].0, row.a[1].0].map(Some);
                ends == [at(from), at(to)] || ends == [at(to), at(from)]
            })
        };
        for (place, &to) in candidates.iter().enumerate() {
            if let Some(&from) = candidates[..place].iter().find(|&&from| joins(from, to)) {
                return Some(Rod { from, to: End::Point(to) });
            }
        }
        None
    }

    /// Where no particles are, coordinates may be those of points that only constraints speak of: x and y side by side, or all x
    /// before all y.
    fn between_joints(&mut self, row: &Row, gradients: &Gradients) -> Option<Rod> {
        let own: Vec<usize> = row.a.iter().map(|&(which, _)| which).collect();
        let splits: Vec<Vec<Vec<usize>>> = match own[..] {
            [a, b] => vec![vec![vec![a, b]]],
            [a, b, c] => vec![vec![vec![a, b, c]]],
            [a, b, c, d] => vec![vec![vec![a, b], vec![c, d]], vec![vec![a, c], vec![b, d]]],
            [a, b, c, d, e, f] => vec![vec![vec![a, b, c], vec![d, e, f]], vec![vec![a, c, e], vec![b, d, f]]],
            _ => return None,
        };
        let model = &self.equations.model;
        let due = if model.has_units { Dimension::LENGTH } else { Dimension::NUMBER };
        if own.iter().any(|&which| model.coordinates[which].dimension != due) {
            return None;
        }
        for split in splits {
            let before = self.points.len();
            let points: Vec<usize> = split.iter().map(|coordinates| self.joint(coordinates)).collect();
            if let Some(rod) = self.among(&points, row, gradients) {
                return Some(rod);
            }
            self.forget(before);
        }
        None
    }

    fn joint(&mut self, coordinates: &[usize]) -> usize {
        if let Some(&known) = self.joints.get(coordinates) {
            return known;
        }
        let number = self.points.len();
        let mut at = [Id::ZERO; 3];
        for (at, &which) in at.iter_mut().zip(coordinates) {
            *at = self.sketch.graph.symbol(Symbol::Position(which as u32));
        }
        self.points.push(Point { at, components: coordinates.len() });
        self.coordinates.push(coordinates.iter().copied().map(Some).collect());
        self.joints.insert(coordinates.to_vec(), number);
        number
    }

    /// Takes back points that joined nothing.
    fn forget(&mut self, first: usize) {
        self.points.truncate(first);
        for coordinates in self.coordinates.drain(first..) {
            self.joints.remove(&coordinates.into_iter().flatten().collect::<Vec<_>>());
        }
    }
}

/// The solution of three equations with a symmetric matrix, by Cramer's rule; nothing if they are as good as dependent.
fn solve(matrix: [[f64; 3]; 3], right: [f64; 3]) -> Option<[f64; 3]> {
    let cross =
        |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
    let normals = [0, 1, 2].map(|i| cross(matrix[(i + 1) % 3], matrix[(i + 2) % 3]));
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let determinant = dot(matrix[0], normals[0]);
    // The matrix is a sum of a few projections: its entries are of order 1.
    (determinant > 1e-6).then(|| normals.map(|normal| dot(right, normal) / determinant))
}
