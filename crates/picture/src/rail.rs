//! Rails: the curves on which constraints keep particles of the plane.
//!
//! A curve φ(x, y) = 0 may have no end, so how much of it is worth drawing is known only when the motion is. It is followed from a
//! place on it, a short step along the tangent and Newton's steps back onto the curve, until it leaves the region of the motion or
//! comes back.

use super::shapes::{Picture, Rail, Shape, Slide};
use holonom_elementary as elementary;
use holonom_language::DrawnShape;
use holonom_mechanics::compile::{Fixed, Inputs, Memory, Program};
use holonom_symbols::expr::{FastMap, Id, Number, Symbol};

/// Steps that the longer side of the region is worth, and the most that are taken each way.
const STEPS: f64 = 80.0;
const MOST_STEPS: usize = 400;
/// Curves that a picture may have: more are no scenery.
const MOST_CURVES: usize = 32;
/// How far beyond the motion a rail goes, in parts of the longer side of its region.
const BEYOND: f64 = 0.25;

impl Picture {
    /// Adds the rails to an assumed picture, behind everything else: as far as `places` reach, and a little farther. A floor is
    /// ground, hatched on the side that is forbidden; a rail is a path.
    ///
    /// `places` are those of the point of each rail during the motion; a few of them are enough. Points that move keep their
    /// numbers, and what is added is fixed.
    ///
    /// # Panics
    /// If there are fewer parameters than the picture mentions.
    pub fn lay_rails(&mut self, parameters: &[f64], mut places: impl FnMut(&Rail) -> Vec<[f64; 2]>) {
        let rails = std::mem::take(&mut self.rails);
        let mut paths = Vec::new();
        // Particles on one floor see one floor.
        let mut curves: Vec<(&Rail, Vec<[f64; 2]>)> = Vec::new();
        let mut known: FastMap<(Id, bool), usize> = FastMap::default();
        for rail in &rails {
            let places = places(rail);
            let curve = *known.entry((self.in_the_plane(rail), rail.one_sided)).or_insert(curves.len());
            match curves.get_mut(curve) {
                Some((_, all)) => all.extend(places),
                None => curves.push((rail, places)),
            }
        }
        for (rail, places) in curves.into_iter().take(MOST_CURVES) {
            let mut curve = Curve::new(self, rail, parameters);
            let mut along = curve.follow(&places);
            if let [a, b, ..] = along[..] {
                let kind = if rail.one_sided { DrawnShape::Ground } else { DrawnShape::Path };
                // Ground is on the right: where φ falls.
                let (_, [gx, gy]) = curve.at(a);
                if rail.one_sided && (b[1] - a[1]) * gx - (b[0] - a[0]) * gy > 0.0 {
                    along.reverse();
                }
                let points = corners(along).into_iter().map(|place| self.fixed_point(place)).collect();
                paths.push(Shape::new(kind, points));
            }
        }
        self.shapes.splice(0..0, paths);
        self.rails = rails;
    }

    /// Adds the curves of [`Picture::slides`] to an assumed picture, behind everything else: as far as their coordinates go, which
    /// `range` says, and a little farther.
    ///
    /// # Panics
    /// If there are fewer parameters than the picture mentions.
    pub fn lay_slides(&mut self, parameters: &[f64], mut range: impl FnMut(&Slide) -> Option<(f64, f64)>) {
        let mut paths = Vec::new();
        for slide in self.slides.clone() {
            let Some((low, high)) = range(&slide).filter(|(low, high)| high > low) else { continue };
            let (low, high) = (low - BEYOND * (high - low), high + BEYOND * (high - low));
            let place = |value: f64| {
                let values = self.graph.evaluate(&self.points[slide.point], |symbol| match symbol {
                    Symbol::Parameter(which) => parameters[which as usize],
                    _ => value,
                });
                [values[0], values[1]]
            };
            let places: Vec<[f64; 2]> =
                (0..=STEPS as usize).map(|k| place(low + (high - low) * k as f64 / STEPS)).collect();
            if places.iter().flatten().all(|x| x.is_finite()) {
                let points = corners(places).into_iter().map(|place| self.fixed_point(place)).collect();
                paths.push(Shape::new(DrawnShape::Path, points));
            }
        }
        self.shapes.splice(0..0, paths);
    }

    /// φ of a rail over the first two positions, whichever are those of its point.
    fn in_the_plane(&mut self, rail: &Rail) -> Id {
        let axes = [0, 1].map(|axis| self.graph.symbol(Symbol::Position(axis)));
        let axis = |symbol: Symbol| {
            let place = rail.coordinates.iter().position(|&one| symbol == Symbol::Position(one as u32))?;
            Some(axes[place])
        };
        self.graph.substitute(&[rail.curve], axis)[0]
    }

    fn fixed_point(&mut self, place: [f64; 2]) -> usize {
        let [x, y] = place.map(|value| self.graph.number(Number::rounded(value).unwrap_or(Number::ZERO)));
        self.points.push([x, y, Id::ZERO]);
        self.points.len() - 1
    }
}

/// The ends of a straight line; any other curve as it is.
fn corners(along: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let (Some(&a), Some(&b)) = (along.first(), along.last()) else { return along };
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let off = |p: &[f64; 2]| ((p[0] - a[0]) * dy - (p[1] - a[1]) * dx).abs();
    let straight = (dx, dy) != (0.0, 0.0) && along.iter().all(|p| off(p) <= 1e-9 * (dx * dx + dy * dy));
    if straight { vec![a, b] } else { along }
}

/// A rail that can be evaluated.
struct Curve {
    program: Program,
    fixed: Fixed,
    memory: Memory,
    coordinates: [usize; 2],
    q: Vec<f64>,
}

impl Curve {
    fn new(picture: &Picture, rail: &Rail, parameters: &[f64]) -> Self {
        let program = Program::new(&picture.graph, &[rail.curve, rail.gradient[0], rail.gradient[1]]);
        let (fixed, memory) = (program.fixed(parameters), program.memory());
        let q = vec![0.0; rail.coordinates[0].max(rail.coordinates[1]) + 1];
        Self { program, fixed, memory, coordinates: rail.coordinates, q }
    }

    /// φ and its gradient.
    fn at(&mut self, place: [f64; 2]) -> (f64, [f64; 2]) {
        for (&coordinate, value) in self.coordinates.iter().zip(place) {
            self.q[coordinate] = value;
        }
        let inputs = Inputs { q: &self.q, ..Inputs::default() };
        let values = self.program.evaluate(&self.fixed, &inputs, &mut self.memory);
        (values[0], [values[1], values[2]])
    }

    /// The nearest place on the curve that Newton's steps find within `reach`.
    fn onto(&mut self, begin: [f64; 2], reach: f64) -> Option<[f64; 2]> {
        let mut place = begin;
        for _ in 0..8 {
            let (value, [gx, gy]) = self.at(place);
            let square = gx * gx + gy * gy;
            let step = [value * gx / square, value * gy / square];
            place = [place[0] - step[0], place[1] - step[1]];
            let off = elementary::hypot(place[0] - begin[0], place[1] - begin[1]);
            if !off.is_finite() || off > reach {
                return None;
            }
            if elementary::hypot(step[0], step[1]) <= 1e-9 * reach {
                return Some(place);
            }
        }
        None
    }

    /// The curve through the region of some places on it.
    fn follow(&mut self, places: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let finite = |place: &&[f64; 2]| place[0].is_finite() && place[1].is_finite();
        let places: Vec<[f64; 2]> = places.iter().filter(finite).copied().collect();
        let Some(&first) = places.first() else { return vec![] };
        let (mut low, mut high) = (first, first);
        for place in &places {
            for i in 0..2 {
                (low[i], high[i]) = (low[i].min(place[i]), high[i].max(place[i]));
            }
        }
        let side = (high[0] - low[0]).max(high[1] - low[1]);
        // Something at rest has no region: its distance from the origin must do for a length.
        let side = if side > 0.0 { side } else { 1.0f64.min(elementary::hypot(first[0], first[1])).max(1e-3) };
        let (low, high) = (low.map(|x| x - BEYOND * side), high.map(|x| x + BEYOND * side));
        let step = side / STEPS;
        // What rests on a floor or falls towards it comes close to it somewhere.
        let mut nearest = (f64::INFINITY, first);
        for &place in &places {
            let (value, [gx, gy]) = self.at(place);
            let distance = value.abs() / elementary::hypot(gx, gy);
            if distance < nearest.0 {
                nearest = (distance, place);
            }
        }
        let Some(begin) = self.onto(nearest.1, side) else { return vec![] };
        let (low, high) = ([0, 1].map(|i| low[i].min(begin[i])), [0, 1].map(|i| high[i].max(begin[i])));
        let inside = |place: [f64; 2]| (0..2).all(|i| low[i] <= place[i] && place[i] <= high[i]);
        let (ahead, closed) = self.march(begin, step, &inside);
        if closed {
            return ahead;
        }
        let (behind, _) = self.march(begin, -step, &inside);
        behind.into_iter().skip(1).rev().chain(ahead).collect()
    }

    /// Steps along the curve from `begin`, which is the first of them; and whether they came back to it.
    fn march(&mut self, begin: [f64; 2], step: f64, inside: &dyn Fn([f64; 2]) -> bool) -> (Vec<[f64; 2]>, bool) {
        let mut all = vec![begin];
        let (mut place, mut before) = (begin, None::<[f64; 2]>);
        while all.len() <= MOST_STEPS {
            let (_, [gx, gy]) = self.at(place);
            let length = elementary::hypot(gx, gy);
            let mut tangent = [-gy * step / length, gx * step / length];
            // Beyond a place without slope the gradient may have turned round: the way goes on.
            if before.is_some_and(|before| before[0] * tangent[0] + before[1] * tangent[1] < 0.0) {
                tangent = tangent.map(|x| -x);
            }
            let Some(next) = self.onto([place[0] + tangent[0], place[1] + tangent[1]], step.abs()) else { break };
            all.push(next);
            if !inside(next) {
                break;
            }
            if all.len() > 4 && elementary::hypot(next[0] - begin[0], next[1] - begin[1]) < 0.75 * step.abs() {
                all.push(begin);
                return (all, true);
            }
            before = Some([next[0] - place[0], next[1] - place[1]]);
            place = next;
        }
        (all, false)
    }
}
