//! Rods that no constraint mentions because the coordinates keep them: `elbow + L*(sin(b), -cos(b))` is at the end of one.
//!
//! A point is a sum. Its terms are put together by the coordinates in them, component by component, and each such step that has
//! the same length at every state is a rod: a double pendulum in its angles, a crank, an arm of a robot. Steps of other lengths
//! (a cart on its rail) are taken first and joined by nothing.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::probe::{self, STATES};
use super::sketch::{Point, Sketch};
use holonom_symbols::expr::{FastMap, Id, Node, Number, Symbol};

/// Terms that all points may have together: beyond, no more rods are looked for.
const MOST_TERMS: usize = 50_000;

/// Points and rods by where they are at one state, so that the same one is found however it was written.
pub(super) struct Skeleton<'s, 'a> {
    pub(super) sketch: &'s mut Sketch<'a>,
    parameters: &'s [f64],
    /// How large the mechanism is.
    scale: f64,
    known: HashMap<[i64; 3], Point>,
    rods: Vec<(Point, Point)>,
    seen: HashSet<[[i64; 3]; 2]>,
    /// Steps that were looked at: where they lead at the first state, and whether their length stays.
    steps: FastMap<[Id; 3], Option<([f64; 3], bool)>>,
    /// What terms move with.
    symbols: FastMap<Id, Vec<Symbol>>,
    terms: usize,
}

/// A step of a point: terms that move together.
struct Step {
    /// What they move with.
    symbols: Vec<Symbol>,
    /// The terms of each component.
    terms: [Vec<(Number, Id)>; 3],
    at: [Id; 3],
}

impl<'s, 'a> Skeleton<'s, 'a> {
    /// With `points` to measure it by.
    pub(super) fn new(sketch: &'s mut Sketch<'a>, parameters: &'s [f64], points: &[Point]) -> Self {
        let mut skeleton = Self {
            sketch,
            parameters,
            scale: 1.0,
            known: HashMap::new(),
            rods: vec![],
            seen: HashSet::new(),
            steps: FastMap::default(),
            symbols: FastMap::default(),
            terms: 0,
        };
        let places = skeleton.places(points);
        let far = places.iter().flatten().filter(|x| x.is_finite()).fold(0.0, |far: f64, x| far.max(x.abs()));
        skeleton.scale = if far > 0.0 { far } else { 1.0 };
        skeleton
    }

    /// The rods that were found, in order.
    pub(super) fn rods(&self) -> &[(Point, Point)] {
        &self.rods
    }

    /// Whether a point was found before, however it was written.
    pub(super) fn knows(&self, point: Point) -> bool {
        self.key(self.places(&[point])[0]).is_some_and(|key| self.known.contains_key(&key))
    }

    /// Where points are at the first state.
    fn places(&self, points: &[Point]) -> Vec<[f64; 3]> {
        let ids: Vec<Id> = points.iter().flat_map(|point| point.at).collect();
        let values = self.sketch.graph.evaluate(&ids, |symbol| probe::value_with(0, symbol, self.parameters));
        values.chunks(3).map(|place| [place[0], place[1], place[2]]).collect()
    }

    /// Makes points known, and says where they are at the first state.
    pub(super) fn know(&mut self, points: &[Point]) -> Vec<[f64; 3]> {
        let places = self.places(points);
        for (&point, &place) in points.iter().zip(&places) {
            if let Some(key) = self.key(place) {
                self.known.entry(key).or_insert(point);
            }
        }
        places
    }

    /// Places that agree to eight digits are one.
    fn key(&self, place: [f64; 3]) -> Option<[i64; 3]> {
        let place = place.map(|x| x / self.scale);
        place.iter().all(|x| x.abs() < 1e9).then(|| place.map(|x| (x * 1e8).round() as i64))
    }

    /// These points without those that are at the place of an earlier one.
    pub(super) fn distinct(&self, points: &[Point]) -> Vec<Point> {
        let mut seen = HashSet::new();
        let places = self.places(points);
        let new = |place: &[f64; 3]| self.key(*place).is_some_and(|key| seen.insert(key));
        let is_new: Vec<bool> = places.iter().map(new).collect();
        points.iter().zip(is_new).filter(|(_, new)| *new).map(|(point, _)| *point).collect()
    }

    /// Whether a rod joins two places of the first state.
    pub(super) fn joined(&self, a: [f64; 3], b: [f64; 3]) -> bool {
        let keys = self.key(a).zip(self.key(b));
        keys.is_some_and(|(a, b)| self.seen.contains(&[a.min(b), a.max(b)]))
    }

    /// A rod between two points, unless it is there already or has no length.
    pub(super) fn rod(&mut self, (from, a): (Point, [f64; 3]), (to, b): (Point, [f64; 3])) {
        if let (Some(a), Some(b)) = (self.key(a), self.key(b))
            && a != b
            && self.seen.insert([a.min(b), a.max(b)])
        {
            self.rods.push((from, to));
        }
    }

    /// The rods that lead to a point.
    pub(super) fn reach(&mut self, point: Point) {
        if let Some((from, steps)) = self.chain(point) {
            self.walk(from, steps);
        }
    }

    /// The rods that lead to a point from one of the mechanism; whether there is one. A vector that begins at the origin may be a
    /// direction or a way: it is a point only where its first step leads to a point that is known.
    pub(super) fn reach_from_known(&mut self, point: Point) -> bool {
        let Some((from, steps)) = self.chain(point) else { return false };
        let place = self.places(&[from])[0];
        let is_origin = place == [0.0; 3] && from.at.iter().all(|&id| self.sketch.graph.depends(id).is_fixed());
        let through_known = steps.len() > 1 && {
            let ahead: Vec<[f64; 3]> = steps.iter().map(|step| self.ahead(place, step.at)).collect();
            ahead.into_iter().any(|at| self.key(at).is_some_and(|key| self.known.contains_key(&key)))
        };
        let reached = self.knows(from) && (!is_origin || through_known);
        if reached {
            self.walk(from, steps);
        }
        reached
    }

    /// Where a point begins, and the steps of fixed lengths that lead from there to it; nothing where there is none.
    fn chain(&mut self, point: Point) -> Option<(Point, Vec<Step>)> {
        let (base, steps) = self.steps_to(point)?;
        let (mut loose, mut stiff): (Vec<Step>, Vec<Step>) = (vec![], vec![]);
        for step in steps {
            if self.is_stiff(step.at) { stiff.push(step) } else { loose.push(step) }
        }
        // Two steps that share coordinates may keep their length together: L*(sin(a)*cos(b), sin(a)*sin(b), cos(a)).
        let mut rest: Vec<Step> = vec![];
        for step in loose {
            match rest.iter().position(|other| other.symbols.iter().any(|symbol| step.symbols.contains(symbol))) {
                Some(other) => self.join(&mut rest[other], step),
                None => rest.push(step),
            }
        }
        let mut at = base;
        for step in rest {
            if self.is_stiff(step.at) {
                stiff.push(step);
            } else {
                (0..3).for_each(|i| at[i] = self.sketch.graph.add(at[i], step.at[i]));
            }
        }
        stiff.sort_by(|a, b| (a.symbols.len(), &a.symbols).cmp(&(b.symbols.len(), &b.symbols)));
        (!stiff.is_empty()).then_some((Point { at, components: point.components }, stiff))
    }

    fn walk(&mut self, mut from: Point, mut stiff: Vec<Step>) {
        let mut place = self.know(&[from])[0];
        while !stiff.is_empty() {
            // A step to a point that is known comes first: the elbow, and not the fourth corner of the parallelogram.
            let ahead: Vec<[f64; 3]> = stiff.iter().map(|step| self.ahead(place, step.at)).collect();
            let next =
                ahead.iter().position(|&at| self.key(at).is_some_and(|key| self.known.contains_key(&key))).unwrap_or(0);
            let step = stiff.remove(next);
            let Some(key) = self.key(ahead[next]) else { return };
            let to = match self.known.get(&key) {
                Some(&to) => to,
                None => {
                    let graph = &mut self.sketch.graph;
                    let at = [0, 1, 2].map(|i| graph.add(from.at[i], step.at[i]));
                    Point { at, components: from.components }
                }
            };
            self.known.insert(key, to);
            self.rod((from, place), (to, ahead[next]));
            (from, place) = (to, ahead[next]);
        }
    }

    fn ahead(&mut self, place: [f64; 3], step: [Id; 3]) -> [f64; 3] {
        let moved = self.step(step).map_or([f64::NAN; 3], |(moved, _)| moved);
        [0, 1, 2].map(|i| place[i] + moved[i])
    }

    fn is_stiff(&mut self, step: [Id; 3]) -> bool {
        self.step(step).is_some_and(|(_, stiff)| stiff)
    }

    /// Where a step leads at the first state, and whether it has the same length, which is not 0, at all of them.
    fn step(&mut self, step: [Id; 3]) -> Option<([f64; 3], bool)> {
        if let Some(&known) = self.steps.get(&step) {
            return known;
        }
        let at = |state: u64| {
            let values = self.sketch.graph.evaluate(&step, |symbol| probe::value_with(state, symbol, self.parameters));
            [values[0], values[1], values[2]]
        };
        let first = at(0);
        let length = |step: [f64; 3]| step.iter().map(|x| x * x).sum::<f64>().sqrt();
        let due = length(first);
        let stiff = due > 0.0 && (1..STATES).all(|state| (length(at(state)) - due).abs() <= 1e-9 * due);
        let found = due.is_finite().then_some((first, stiff));
        self.steps.insert(step, found);
        found
    }

    /// A point as a fixed place and steps from it; nothing where that takes too long or nothing moves.
    fn steps_to(&mut self, point: Point) -> Option<([Id; 3], Vec<Step>)> {
        let mut groups: BTreeMap<Vec<Symbol>, [Vec<(Number, Id)>; 3]> = BTreeMap::new();
        let mut base = [Id::ZERO; 3];
        for (component, &id) in point.at.iter().enumerate() {
            let mut terms = vec![];
            self.list(id, Number::ONE, 0, &mut terms);
            self.terms += terms.len();
            if self.terms > MOST_TERMS {
                return None;
            }
            let (still, moving): (Vec<_>, Vec<_>) =
                terms.into_iter().partition(|&(_, term)| self.sketch.graph.depends(term).is_fixed());
            base[component] = self.sketch.graph.sum(&still);
            for (coefficient, term) in moving {
                let symbols = self.moving_symbols(term);
                groups.entry(symbols).or_default()[component].push((coefficient, term));
            }
        }
        let mut steps = Vec::with_capacity(groups.len());
        for (symbols, terms) in groups {
            let at = [0, 1, 2].map(|i: usize| self.sketch.graph.sum(&terms[i]));
            steps.push(Step { symbols, terms, at });
        }
        (!steps.is_empty()).then_some((base, steps))
    }

    fn join(&mut self, step: &mut Step, other: Step) {
        step.symbols.extend(other.symbols);
        step.symbols.sort_unstable();
        step.symbols.dedup();
        for (own, more) in step.terms.iter_mut().zip(other.terms) {
            own.extend(more);
        }
        step.at = [0, 1, 2].map(|i: usize| self.sketch.graph.sum(&step.terms[i]));
    }

    fn moving_symbols(&mut self, term: Id) -> Vec<Symbol> {
        let graph = &self.sketch.graph;
        let all = self.symbols.entry(term).or_insert_with(|| {
            let moves = |symbol: &Symbol| !matches!(symbol, Symbol::Parameter(_));
            graph.symbols(&[term]).into_iter().filter(moves).collect()
        });
        all.clone()
    }

    /// The terms of a sum, those of fixed multiples of sums in it included.
    fn list(&mut self, id: Id, coefficient: Number, depth: usize, out: &mut Vec<(Number, Id)>) {
        let times = |other: Number| coefficient.times(other);
        match self.sketch.graph.node(id).clone() {
            Node::Sum { constant, terms } if depth < 8 => {
                if let Some(constant) = times(constant) {
                    out.push((constant, Id::ONE));
                }
                for &(own, term) in terms.iter() {
                    match times(own) {
                        Some(product) => self.list(term, product, depth + 1, out),
                        None => out.push((coefficient, id)),
                    }
                }
            }
            Node::Product { coefficient: own, factors } if depth < 8 => {
                let graph = &self.sketch.graph;
                let sum = |&&(factor, exponent): &&(Id, i32)| {
                    exponent == 1 && matches!(graph.node(factor), Node::Sum { .. }) && !graph.depends(factor).is_fixed()
                };
                let Some((&(inner, _), product)) = factors.iter().find(sum).zip(times(own)) else {
                    return out.push((coefficient, id));
                };
                let others: Vec<(Id, i32)> = factors.iter().copied().filter(|&(factor, _)| factor != inner).collect();
                if others.iter().any(|&(factor, _)| !graph.depends(factor).is_fixed()) {
                    return out.push((coefficient, id));
                }
                let mut inside = vec![];
                self.list(inner, product, depth + 1, &mut inside);
                for (number, term) in inside {
                    let mut factors = others.clone();
                    factors.push((term, 1));
                    let term = self.sketch.graph.product(Number::ONE, &factors);
                    out.push((number, term));
                }
            }
            _ => out.push((coefficient, id)),
        }
    }
}
