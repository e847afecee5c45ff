//! All answers, by deciding one member after the other.
//!
//! A node of the tree has some members decided; the others contribute conditions that hold in any case. Where these
//! describe an empty polyhedron nothing below the node can be an answer, and that is a proof. At a leaf everything is decided, or
//! everything but directions in several components, which Newton's method finds and sectors enclose. Answers that stick in more contacts are
//! preferred, so that nodes which can at best stick in fewer contacts than an answer that is known are left out.

use holonom_elementary as elementary;
use std::f64::consts::{FRAC_PI_4, PI};
use std::rc::Rc;

use super::certify::{Effect, certify_solved};
use super::modes::{Decision, Kind, Normal, System};
use super::newton;
use super::polyhedron::{Flat, Form, Found, Work, dot, norm};
use super::problem::{Answer, Friction, Member, Mode, Verdict};
use super::unique::{NO_MOTION, is_unique};

/// Motions that differ by less than this share of their terms are one.
const SAME_MOTION: f64 = 1e-8;

/// Tangents added to a friction circle, one at a time, until a point lies inside or none is left.
const CUTS: usize = 24;

/// A point inside by this share is looked for where cuts approach the circle without end.
const INSIDE: f64 = 1e-6;

/// Sectors of sliding directions are halved down to this angle.
const NARROW: f64 = PI / 100.0;

/// Angles of an answer are known to this; sectors that touch overlap by it.
const ANGLE_ROUNDING: f64 = 1e-9;

/// Directions from which Newton's method starts where directions of sliding may not be unique.
const STARTS: usize = 12;

/// Answers kept while searching; beyond this it is certain that there are several.
const KEPT: usize = 64;

/// What a search found.
pub(super) struct Harvest {
    /// Preferred answers with different motions.
    pub(super) answers: Vec<Answer>,
    /// Whether these are certainly all.
    pub(super) is_complete: bool,
}

/// Looks at everything that agrees with `decisions`.
pub(super) fn search(system: &System, decisions: &[Decision], strict: bool, work: &mut Work) -> Harvest {
    let conditions = vec![Vec::new(); decisions.len()];
    let mut search = Search { system, conditions, work, strict, found: Vec::new(), is_complete: true };
    let mut flat = Flat::space(system.n);
    let is_consistent = (0..decisions.len()).all(|m| system.equations(m, decisions[m], &mut flat));
    if is_consistent {
        search.explore(&Node { flat, decisions: decisions.to_vec() });
    }
    let (found, is_complete) = (search.found, search.is_complete);
    let sticks: Vec<Vec<bool>> = found.iter().map(sticks).collect();
    let is_preferred = |k: &usize| !sticks.iter().any(|other| is_less(&sticks[*k], other));
    let answers = (0..found.len()).filter(is_preferred).map(|k| found[k].clone()).take(Verdict::LISTED).collect();
    Harvest { answers, is_complete }
}

struct Node {
    flat: Flat,
    decisions: Vec<Decision>,
}

struct Search<'a> {
    system: &'a System<'a>,
    /// Inequalities of every decision that was met, per member.
    conditions: Vec<Vec<(Decision, Vec<Rc<Form>>)>>,
    work: &'a mut Work,
    strict: bool,
    found: Vec<Answer>,
    is_complete: bool,
}

/// Whether an answer agrees with decisions. A contact that sticks within what sliding can do is the limit of one that slides.
fn belongs(system: &System, decisions: &[Decision], answer: &Answer) -> bool {
    decisions.iter().enumerate().all(|(member, decision)| {
        let x = &answer.forces;
        let has_sign = match (&system.normals[member], decision.sign) {
            (Normal::Magnitude(l) | Normal::Positive(l), Some(sign)) => {
                let value = if sign > 0.0 { l.at(x) } else { -l.at(x) };
                value >= -l.rounding(x)
            }
            _ => true,
        };
        let does_this = match (decision.kind, &answer.modes[member]) {
            (Kind::Undecided, _) => true,
            (Kind::Sticks, mode) => *mode == Mode::Sticks,
            (Kind::Slides(sign), Mode::Slides(d)) => sign * d[0] > 0.0,
            (Kind::Turns { middle, within }, Mode::Slides(d)) => {
                let off = (elementary::atan2(d[1], d[0]) - middle + PI).rem_euclid(2.0 * PI) - PI;
                within >= PI || off.abs() <= within + ANGLE_ROUNDING
            }
            (Kind::Slides(_) | Kind::Turns { .. }, _) => match &system.problem.members[member] {
                Member::Friction(f) => f.limit == f.coefficient && f.limit_constant == f.constant,
                _ => false,
            },
            (Kind::Pushes, mode) => *mode == Mode::Pushes,
            (Kind::Lifts, mode) => *mode == Mode::Open,
        };
        has_sign && does_this
    })
}

/// Which members stick.
fn sticks(answer: &Answer) -> Vec<bool> {
    answer.modes.iter().map(|m| *m == Mode::Sticks).collect()
}

/// Whether one set is contained in the other and smaller.
fn is_less(less: &[bool], more: &[bool]) -> bool {
    less != more && less.iter().zip(more).all(|(l, m)| !l || *m)
}

impl Search<'_> {
    fn explore(&mut self, node: &Node) {
        if self.work.is_gone() || self.found.len() >= KEPT {
            self.is_complete = false;
            return;
        }
        if self.is_inferior(node) {
            return;
        }
        let mut conditions = Vec::new();
        for (member, decision) in node.decisions.iter().enumerate() {
            conditions.extend_from_slice(self.conditions_of(member, *decision));
        }
        let point = match node.flat.nearest(None, &conditions, self.work) {
            Found::Empty => return,
            Found::Point(x) => Some(x),
            Found::Unclear => None,
        };
        let x = point.clone().unwrap_or_else(|| node.flat.point());
        if let Some(member) = self.most_undecided(node, &x) {
            for decision in self.choices(member, node.decisions[member], &x) {
                self.descend(node, member, decision);
            }
        } else if point.is_some() {
            self.leaf(node, &conditions, &x);
        } else {
            self.is_complete = false;
        }
    }

    fn conditions_of(&mut self, member: usize, decision: Decision) -> &[Rc<Form>] {
        let met = &mut self.conditions[member];
        let k = met.iter().position(|(other, _)| *other == decision).unwrap_or_else(|| {
            let mut forms = Vec::new();
            self.system.inequalities(member, decision, self.strict, &mut forms);
            met.push((decision, forms.into_iter().map(Rc::new).collect()));
            met.len() - 1
        });
        &met[k].1
    }

    fn descend(&mut self, node: &Node, member: usize, decision: Decision) {
        let mut child = Node { flat: node.flat.clone(), decisions: node.decisions.clone() };
        child.decisions[member] = decision;
        if self.system.equations(member, decision, &mut child.flat) {
            self.explore(&child);
        }
    }

    /// Whether an answer is known that sticks wherever this node can, and in one more contact.
    fn is_inferior(&self, node: &Node) -> bool {
        let can: Vec<bool> = node
            .decisions
            .iter()
            .zip(&self.system.problem.members)
            .map(|(decision, member)| {
                let rests = matches!(member, Member::Friction(Friction { sliding: None, .. }));
                rests && matches!(decision.kind, Kind::Sticks | Kind::Undecided)
            })
            .collect();
        self.found.iter().any(|answer| is_less(&can, &sticks(answer)))
    }

    /// The member that obeys its law least at x, of those that are not decided.
    fn most_undecided(&self, node: &Node, x: &[f64]) -> Option<usize> {
        let mut most: Option<(usize, f64)> = None;
        for (member, decision) in node.decisions.iter().enumerate() {
            let misses = match &self.system.problem.members[member] {
                Member::OneSided { at } if decision.kind == Kind::Undecided => {
                    x[*at].abs().min(self.system.motion[*at].at(x).abs())
                }
                Member::Friction(f) => {
                    let is_signed = decision.sign.is_some() || self.system.signs(member).is_empty();
                    let is_decided = f.sliding.is_some() || decision.kind != Kind::Undecided;
                    if is_signed && is_decided {
                        continue;
                    }
                    let load = match &self.system.normals[member] {
                        Normal::Known(l) | Normal::Positive(l) => l.at(x).max(0.0),
                        Normal::Magnitude(l) => l.at(x).abs(),
                        Normal::Norm(l) => norm(&l.iter().map(|l| l.at(x)).collect::<Vec<_>>()),
                    };
                    let places = f.at..f.at + f.components;
                    let slip = norm(&self.system.motion[places.clone()].iter().map(|y| y.at(x)).collect::<Vec<_>>());
                    let short = (f.constant + f.coefficient * load - norm(&x[places])).abs();
                    if f.sliding.is_some() { short } else { slip.min(short) }
                }
                _ => continue,
            };
            if most.is_none_or(|(_, value)| misses > value) {
                most = Some((member, misses));
            }
        }
        most.map(|(member, _)| member)
    }

    /// The next decisions about a member: first the sign of its load, as it is at x and the other way, then what it does.
    fn choices(&self, member: usize, decision: Decision, x: &[f64]) -> Vec<Decision> {
        let signs = self.system.signs(member);
        if decision.sign.is_none() && !signs.is_empty() {
            let mut signs: Vec<f64> = signs.to_vec();
            if let Normal::Magnitude(l) | Normal::Positive(l) = &self.system.normals[member]
                && l.at(x) < 0.0
            {
                signs.reverse();
            }
            return signs.into_iter().map(|sign| Decision { sign: Some(sign), ..decision }).collect();
        }
        let kinds: Vec<Kind> = match &self.system.problem.members[member] {
            Member::Friction(f) if f.components == 1 => vec![Kind::Sticks, Kind::Slides(1.0), Kind::Slides(-1.0)],
            Member::Friction(_) => vec![Kind::Sticks, Kind::Turns { middle: 0.0, within: PI }],
            _ => vec![Kind::Pushes, Kind::Lifts],
        };
        kinds.into_iter().map(|kind| Decision { kind, ..decision }).collect()
    }

    /// Everything is decided but directions.
    fn leaf(&mut self, node: &Node, conditions: &[Rc<Form>], x: &[f64]) {
        let turning = |m: &usize| matches!(node.decisions[*m].kind, Kind::Turns { .. });
        let turns: Vec<usize> = (0..node.decisions.len()).filter(turning).collect();
        let has_norms = self.system.normals.iter().any(|n| matches!(n, Normal::Norm(_)));
        if !turns.is_empty() || has_norms {
            return self.curved_leaf(node, &turns, has_norms, x);
        }
        let mut conditions = conditions.to_vec();
        let candidate = match self.inside_circles(node, &mut conditions, x) {
            Found::Empty => return,
            Found::Point(x) => certify_solved(self.system.problem, &x),
            Found::Unclear => None,
        };
        let Some(answer) = candidate else {
            self.is_complete = false;
            return;
        };
        let forces = answer.forces.clone();
        self.keep(answer);
        if !is_unique(self.system, &node.decisions, self.work) {
            self.probe(node, &conditions, &forces);
        }
    }

    /// A leaf with directions of sliding, or loads that are norms, to be found by Newton's method.
    fn curved_leaf(&mut self, node: &Node, turns: &[usize], has_norms: bool, x: &[f64]) {
        let is_unique_here = is_unique(self.system, &node.decisions, self.work);
        if is_unique_here && self.is_covered(node, turns) {
            return;
        }
        let is_sector =
            turns.iter().any(|&m| matches!(node.decisions[m].kind, Kind::Turns { within, .. } if within < PI));
        let candidate = newton::from_start(self.system, &node.decisions, x, self.work).or_else(|| match is_sector {
            true => None,
            false => newton::candidate(self.system, &node.decisions, self.work),
        });
        if let Some(answer) = candidate {
            let forces = answer.forces.clone();
            let is_inside = belongs(self.system, &node.decisions, &answer);
            self.keep(answer);
            if is_unique_here && is_inside {
                return;
            }
            if !is_sector && !turns.is_empty() {
                self.look_around(node, turns, &forces);
            }
        }
        self.halve(node, turns, has_norms);
    }

    /// Whether a known answer lies in these sectors, or so near that it is the only one of wider ones.
    fn is_covered(&mut self, node: &Node, turns: &[usize]) -> bool {
        let Self { system, found, work, .. } = self;
        found.iter().any(|answer| {
            let mut wider = node.decisions.clone();
            for &member in turns {
                if let (Kind::Turns { middle, within }, Mode::Slides(d)) = (wider[member].kind, &answer.modes[member]) {
                    let off = (elementary::atan2(d[1], d[0]) - middle + PI).rem_euclid(2.0 * PI) - PI;
                    let beyond = (off.abs() - within).max(0.0);
                    let middle = middle + 0.5 * beyond * off.signum();
                    wider[member].kind = Kind::Turns { middle, within: within + 0.5 * beyond };
                }
            }
            belongs(system, &wider, answer) && (wider == node.decisions || is_unique(system, &wider, work))
        })
    }

    /// Newton's method from other directions of sliding: what is found need not be all, but several are more than one.
    fn look_around(&mut self, node: &Node, turns: &[usize], forces: &[f64]) {
        for k in 1..STARTS {
            let (sin, cos) = elementary::sin_cos(2.0 * PI * k as f64 / STARTS as f64);
            let mut start = forces.to_vec();
            for &member in turns {
                if let Member::Friction(f) = &self.system.problem.members[member] {
                    let (a, b) = (forces[f.at], forces[f.at + 1]);
                    (start[f.at], start[f.at + 1]) = (cos * a - sin * b, sin * a + cos * b);
                }
            }
            if let Some(answer) = newton::from_start(self.system, &node.decisions, &start, self.work) {
                self.keep(answer);
            }
        }
    }

    /// A point where friction that sticks in several components lies in its circle, too.
    fn inside_circles(&mut self, node: &Node, conditions: &mut Vec<Rc<Form>>, x: &[f64]) -> Found {
        let mut x = x.to_vec();
        let exact = conditions.len();
        for round in 0..2 * CUTS {
            // First with the circle itself, which may prove that there is no point; then with a smaller one, which is reached in a few cuts.
            let radius_factor = if round < CUTS { 1.0 } else { 1.0 - INSIDE };
            let cuts: Vec<Form> =
                (0..node.decisions.len()).filter_map(|m| self.cut(m, node.decisions[m], &x, radius_factor)).collect();
            if cuts.is_empty() {
                conditions.truncate(exact);
                return Found::Point(x);
            }
            conditions.extend(cuts.into_iter().map(Rc::new));
            match node.flat.nearest(None, conditions, self.work) {
                Found::Point(next) => x = next,
                Found::Empty if round < CUTS => return Found::Empty,
                _ => return Found::Unclear,
            }
        }
        Found::Unclear
    }

    /// The tangent that separates a force from the circle it should lie in.
    fn cut(&self, member: usize, decision: Decision, x: &[f64], radius_factor: f64) -> Option<Form> {
        let Member::Friction(f) = &self.system.problem.members[member] else { return None };
        if f.components == 1 || decision.kind != Kind::Sticks || f.sliding.is_some() {
            return None;
        }
        let normal = self.system.normal(member, decision)?;
        let radius = self.system.affine(f.limit_constant, f.limit, &normal);
        let force = &x[f.at..f.at + f.components];
        let length = norm(force);
        let direction: Vec<f64> = force.iter().map(|v| v / length).collect();
        let tangent = self.system.cut(f, &direction, &radius);
        if tangent.at(x) >= -tangent.rounding(x) {
            return None;
        }
        Some(self.system.cut(f, &direction, &radius.times(radius_factor)))
    }

    /// No answer was found, nor excluded: smaller sectors of directions.
    fn halve(&mut self, node: &Node, turns: &[usize], has_norms: bool) {
        let sector = |m: &usize| match (&self.system.problem.members[*m], node.decisions[*m].kind) {
            (Member::Friction(Friction { components: 2, .. }), Kind::Turns { middle, within }) => {
                Some((*m, middle, within))
            }
            _ => None,
        };
        let widest = turns.iter().filter_map(sector).max_by(|a, b| a.2.total_cmp(&b.2));
        match widest {
            Some((member, middle, within)) if within > NARROW && !has_norms => {
                let parts: Vec<(f64, f64)> = if within > FRAC_PI_4 {
                    (0..4).map(|k| (FRAC_PI_4 * (2 * k + 1) as f64, FRAC_PI_4)).collect()
                } else {
                    vec![(middle - within / 2.0, within / 2.0), (middle + within / 2.0, within / 2.0)]
                };
                for (middle, within) in parts {
                    let kind = Kind::Turns { middle, within };
                    self.descend(node, member, Decision { kind, ..node.decisions[member] });
                }
            }
            _ => self.is_complete = false,
        }
    }

    /// Whether a polyhedron of answers has others with another motion: the nearest points to some that move differently.
    fn probe(&mut self, node: &Node, conditions: &[Rc<Form>], x: &[f64]) {
        for direction in node.flat.directions() {
            let moves = self.system.motion.iter().any(|y| dot(&y.a, &direction).abs() > NO_MOTION);
            if !moves {
                continue;
            }
            for sign in [1.0, -1.0] {
                let aim: Vec<f64> = x.iter().zip(&direction).map(|(x, d)| x + sign * d).collect();
                match node.flat.nearest(Some(&aim), conditions, self.work) {
                    Found::Point(other) => match certify_solved(self.system.problem, &other) {
                        Some(answer) => self.keep(answer),
                        None => self.is_complete = false,
                    },
                    _ => self.is_complete = false,
                }
            }
        }
    }

    /// Keeps an answer, or notes that it is a known motion with other forces.
    fn keep(&mut self, answer: Answer) {
        let problem = self.system.problem;
        let effect = Effect::of(problem, &answer.forces);
        let is_same = |other: &&mut Answer| {
            let theirs = Effect::of(problem, &other.forces);
            let close = |i: usize| {
                let size = effect.motion_size[i] + theirs.motion_size[i];
                (effect.motion[i] - theirs.motion[i]).abs() <= SAME_MOTION * size
            };
            (0..problem.unknowns).all(close)
        };
        match self.found.iter_mut().find(is_same) {
            Some(known) => {
                let difference = norm(&known.forces.iter().zip(&answer.forces).map(|(a, b)| a - b).collect::<Vec<_>>());
                known.is_shared |= difference > SAME_MOTION * norm(&answer.forces);
                if is_less(&sticks(known), &sticks(&answer)) {
                    *known = Answer { is_shared: known.is_shared, ..answer };
                }
            }
            None => self.found.push(answer),
        }
    }
}
