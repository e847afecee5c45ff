//! What it means, in equations and inequalities, that members do this or that, or have not been decided yet.
//!
//! Everything is linear once it is known what sticks, in which of two directions a scalar slip goes, and which sign a load has. For what is
//! not known there are conditions that hold in every case, so that an empty polyhedron excludes all of them together.

use super::ROUNDING;
use super::polyhedron::{Flat, Form, norm};
use super::problem::{Friction, Load, Member, Problem};
use holonom_elementary as elementary;

/// What has been decided about a member.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Decision {
    pub(super) kind: Kind,
    /// N = sign·l, where N depends on l.
    pub(super) sign: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Undecided,
    Sticks,
    /// Slides in this direction of its one component.
    Slides(f64),
    /// Slides, in several components, within an angle of the direction with this angle; π is every direction.
    Turns {
        middle: f64,
        within: f64,
    },
    Pushes,
    Lifts,
}

pub(super) const UNDECIDED: Decision = Decision { kind: Kind::Undecided, sign: None };

/// The load of a contact as a function of the forces.
#[derive(Clone, Debug)]
pub(super) enum Normal {
    /// There is none, or it does not depend on forces.
    Known(Form),
    /// |l|.
    Magnitude(Form),
    /// max(l, 0).
    Positive(Form),
    /// The norm of several.
    Norm(Vec<Form>),
}

/// A group with its motions and loads as functions of the forces.
pub(super) struct System<'a> {
    pub(super) problem: &'a Problem,
    pub(super) n: usize,
    pub(super) motion: Vec<Form>,
    pub(super) load: Vec<Form>,
    /// Per member.
    pub(super) normals: Vec<Normal>,
    /// Unknowns that are free.
    open: Vec<usize>,
}

/// Strictly positive is more than this many roundings: what is less belongs to the case of zero.
const STRICT: f64 = 4.0;

/// Sides of the polygon around the friction circle, before cuts are added where they are needed.
const SIDES: usize = 8;

impl<'a> System<'a> {
    pub(super) fn of(problem: &'a Problem) -> System<'a> {
        let n = problem.unknowns;
        let form =
            |row: &[f64], constant: f64, size: f64| Form { a: row.to_vec(), constant, size: size.max(constant.abs()) };
        let motion: Vec<Form> =
            (0..n).map(|i| form(problem.response_row(i), problem.motion[i], problem.motion_size[i])).collect();
        let load: Vec<Form> =
            (0..problem.load.len()).map(|r| form(problem.load_row(r), problem.load[r], problem.load_size[r])).collect();
        let normals = problem
            .members
            .iter()
            .map(|member| match member {
                Member::Friction(f) => Normal::of(f, n, &load),
                _ => Normal::Known(Form::zero(n)),
            })
            .collect();
        let is_open = |member: &Member| if let Member::Open { at } = member { Some(*at) } else { None };
        let open = problem.members.iter().filter_map(is_open).collect();
        System { problem, n, motion, load, normals, open }
    }

    /// N of a member, where it is linear under a decision.
    pub(super) fn normal(&self, member: usize, decision: Decision) -> Option<Form> {
        match (&self.normals[member], decision.sign) {
            (Normal::Known(form), _) => Some(form.clone()),
            (Normal::Magnitude(l) | Normal::Positive(l), Some(sign)) => Some(l.clone().times(sign)),
            _ => None,
        }
    }

    /// The signs that a load may have, where that is a question.
    pub(super) fn signs(&self, member: usize) -> &'static [f64] {
        match self.normals[member] {
            Normal::Magnitude(_) => &[1.0, -1.0],
            Normal::Positive(_) => &[1.0, 0.0],
            _ => &[],
        }
    }

    /// Whether a load depends on how redundant rows share it.
    pub(super) fn is_open(&self, load: &Form) -> bool {
        self.open.iter().any(|&at| load.a[at] != 0.0)
    }

    /// constant + coefficient·N.
    pub(super) fn affine(&self, constant: f64, coefficient: f64, normal: &Form) -> Form {
        Form::constant(self.n, constant).plus(coefficient, normal)
    }

    fn force(&self, at: usize) -> Form {
        Form::unknown(self.n, at)
    }

    /// Adds what a decision says as equations; false where they contradict each other.
    #[must_use]
    pub(super) fn equations(&self, member: usize, decision: Decision, flat: &mut Flat) -> bool {
        match &self.problem.members[member] {
            Member::Open { .. } => true,
            Member::Follows { at, row } => flat.add(&self.force(*at).plus(-1.0, &self.load[*row])),
            Member::OneSided { at } => match decision.kind {
                Kind::Pushes => flat.add(&self.motion[*at]),
                Kind::Lifts => flat.add(&self.force(*at)),
                _ => true,
            },
            Member::Friction(f) => {
                let normal = self.normal(member, decision);
                let magnitude = normal.as_ref().map(|n| self.affine(f.constant, f.coefficient, n));
                let mut along = |s: &[f64]| {
                    (0..f.components).all(|k| match &magnitude {
                        Some(m) => flat.add(&self.force(f.at + k).plus(s[k], m)),
                        // The magnitude is not known yet, but there is no force across the slip.
                        None => {
                            let across = (0..f.components)
                                .fold(self.force(f.at + k), |form, j| form.plus(-s[k] * s[j], &self.force(f.at + j)));
                            norm(&across.a) <= ROUNDING || flat.add(&across)
                        }
                    })
                };
                match (f.sliding, decision.kind) {
                    (Some(s), _) => along(&s),
                    (None, Kind::Slides(sign)) => along(&[sign]),
                    (None, Kind::Sticks) => (f.at..f.at + f.components).all(|at| flat.add(&self.motion[at])),
                    _ => true,
                }
            }
        }
    }

    /// Adds what must be ≥ 0. Without `strict` the borders of cases belong to all of them.
    pub(super) fn inequalities(&self, member: usize, decision: Decision, strict: bool, out: &mut Vec<Form>) {
        // In units of a group forces are of the order of 1.
        let beyond = |form: Form| {
            let reach = if strict { STRICT } else { 0.0 };
            let margin = reach * ROUNDING * (form.size + norm(&form.a));
            form.less(margin)
        };
        match &self.problem.members[member] {
            Member::Open { .. } | Member::Follows { .. } => {}
            Member::OneSided { at } => {
                if decision.kind != Kind::Lifts {
                    out.push(self.force(*at));
                }
                match decision.kind {
                    Kind::Undecided => out.push(self.motion[*at].clone()),
                    Kind::Lifts => out.push(beyond(self.motion[*at].clone())),
                    _ => {}
                }
            }
            Member::Friction(f) => {
                match (&self.normals[member], decision.sign) {
                    (Normal::Magnitude(l) | Normal::Positive(l), Some(1.0)) => out.push(l.clone()),
                    // Of a shared load the other sign may not be looked at: its border belongs to this one.
                    (Normal::Magnitude(l) | Normal::Positive(l), Some(_)) if self.is_open(l) => {
                        out.push(l.clone().times(-1.0))
                    }
                    (Normal::Magnitude(l) | Normal::Positive(l), Some(_)) => out.push(beyond(l.clone().times(-1.0))),
                    _ => {}
                }
                let normal = self.normal(member, decision);
                match (f.sliding, decision.kind, normal) {
                    (Some(_), _, Some(_)) => {}
                    (Some(s), _, None) => self.magnitude_at_least(member, f, &s, out),
                    (None, Kind::Slides(sign), normal) => {
                        out.push(beyond(self.motion[f.at].clone().times(sign)));
                        if normal.is_none() {
                            self.magnitude_at_least(member, f, &[sign, 0.0, 0.0], out);
                        }
                    }
                    (None, Kind::Sticks, Some(n)) => {
                        self.within(f, &self.affine(f.limit_constant, f.limit, &n), out);
                    }
                    (None, Kind::Turns { middle, within }, normal) => {
                        let magnitude = normal.map(|n| self.affine(f.constant, f.coefficient, &n));
                        if within < std::f64::consts::FRAC_PI_2 {
                            self.within_angle(f, middle, within, magnitude.as_ref(), out);
                        } else if let Some(magnitude) = magnitude {
                            self.within(f, &magnitude, out);
                        }
                    }
                    (None, Kind::Undecided, Some(n)) => {
                        let (constant, slope) = (f.constant.max(f.limit_constant), f.coefficient.max(f.limit));
                        self.within(f, &self.affine(constant, slope, &n), out);
                    }
                    _ => {}
                }
            }
        }
    }

    /// |F| against the slip is convex in l: at least each of its tangents.
    fn magnitude_at_least(&self, member: usize, f: &Friction, s: &[f64; 3], out: &mut Vec<Form>) {
        if f.coefficient < 0.0 {
            return;
        }
        let force = (0..f.components).fold(Form::zero(self.n), |form, k| form.plus(-s[k], &self.force(f.at + k)));
        let over = force.plus(-1.0, &Form::constant(self.n, f.constant));
        let mut tangent = |l: &Form, slope: f64| out.push(over.clone().plus(-slope * f.coefficient, l));
        match &self.normals[member] {
            Normal::Known(_) => {}
            Normal::Magnitude(l) => [1.0, -1.0].into_iter().for_each(|slope| tangent(l, slope)),
            Normal::Positive(l) => [1.0, 0.0].into_iter().for_each(|slope| tangent(l, slope)),
            Normal::Norm(l) => {
                l.iter().for_each(|l| [1.0, -1.0].into_iter().for_each(|slope| tangent(l, slope)));
            }
        }
    }

    /// |F| ≤ radius, in one component exactly, in several by a polygon or polyhedron around it.
    fn within(&self, f: &Friction, radius: &Form, out: &mut Vec<Form>) {
        let mut cut = |direction: &[f64]| out.push(self.cut(f, direction, radius));
        match f.components {
            1 => [1.0, -1.0].into_iter().for_each(|d| cut(&[d])),
            2 => (0..SIDES).for_each(|k| {
                let (sin, cos) = elementary::sin_cos(std::f64::consts::TAU * k as f64 / SIDES as f64);
                cut(&[cos, sin]);
            }),
            _ => {
                let corner = 1.0 / 3.0_f64.sqrt();
                for sign in [1.0, -1.0] {
                    (0..3).for_each(|k| cut(&std::array::from_fn::<f64, 3, _>(|j| if j == k { sign } else { 0.0 })));
                    for (b, c) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                        cut(&[sign * corner, b * corner, c * corner]);
                    }
                }
            }
        }
    }

    /// direction·F ≤ radius.
    pub(super) fn cut(&self, f: &Friction, direction: &[f64], radius: &Form) -> Form {
        direction.iter().enumerate().fold(radius.clone(), |form, (k, d)| form.plus(-d, &self.force(f.at + k)))
    }

    /// y and −F in a sector of two components, and −F between the chord of its arc and the tangent at its middle.
    fn within_angle(&self, f: &Friction, middle: f64, within: f64, magnitude: Option<&Form>, out: &mut Vec<Form>) {
        let combine = |a: &Form, b: &Form, angle: f64, sign: f64| {
            let (sin, cos) = elementary::sin_cos(angle);
            Form::zero(self.n).plus(sign * cos, a).plus(sign * sin, b)
        };
        let (x, y) = (self.force(f.at), self.force(f.at + 1));
        let (u, v) = (&self.motion[f.at], &self.motion[f.at + 1]);
        for normal in [middle - within + std::f64::consts::FRAC_PI_2, middle + within - std::f64::consts::FRAC_PI_2] {
            out.push(combine(&x, &y, normal, -1.0));
            out.push(combine(u, v, normal, 1.0));
        }
        out.push(combine(u, v, middle, 1.0));
        if let Some(magnitude) = magnitude {
            let along = combine(&x, &y, middle, -1.0);
            out.push(along.clone().plus(-elementary::cos(within), magnitude));
            out.push(magnitude.clone().plus(-1.0, &along));
            for edge in [middle - within, middle + within] {
                out.push(magnitude.clone().plus(-1.0, &combine(&x, &y, edge, -1.0)));
            }
        }
    }
}

impl Normal {
    fn of(f: &Friction, n: usize, load: &[Form]) -> Normal {
        match &f.load {
            Load::Own(at) => Normal::Known(Form::unknown(n, *at)),
            Load::Positive(row) if load[*row].is_constant() => {
                Normal::Known(Form { constant: load[*row].constant.max(0.0), ..load[*row].clone() })
            }
            Load::Positive(row) => Normal::Positive(load[*row].clone()),
            Load::Magnitude(rows) => {
                let rows = &load[rows.clone()];
                if rows.iter().all(Form::is_constant) {
                    let value = norm(&rows.iter().map(|l| l.constant).collect::<Vec<_>>());
                    let size = norm(&rows.iter().map(|l| l.size).collect::<Vec<_>>());
                    return Normal::Known(Form { a: vec![0.0; n], constant: value, size });
                }
                match rows {
                    [one] => Normal::Magnitude(one.clone()),
                    _ => Normal::Norm(rows.to_vec()),
                }
            }
        }
    }
}
