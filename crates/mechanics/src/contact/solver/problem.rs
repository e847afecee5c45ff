//! The question and its answers, as plain data.

use std::ops::Range;

/// Forces x at contacts and what they do: motion y = y0 + G x, loads l = l0 + L x.
///
/// Each unknown has one y, its own conjugate acceleration, or velocity where x are impulses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    pub(crate) unknowns: usize,
    /// y0.
    pub(crate) motion: Vec<f64>,
    /// G, row-major, symmetric and positive semi-definite among unknowns that are neither `Open` nor `Follows`. Columns of `Open` ones are zero.
    pub(crate) response: Vec<f64>,
    /// What |y| is measured by: the sum of the magnitudes of its terms.
    pub(crate) motion_size: Vec<f64>,
    /// l0.
    pub(crate) load: Vec<f64>,
    /// L, one row per load, row-major.
    pub(crate) load_response: Vec<f64>,
    /// What |l| is measured by.
    pub(crate) load_size: Vec<f64>,
    pub(crate) members: Vec<Member>,
}

/// What one or several unknowns have to obey.
#[derive(Clone, Debug)]
pub(crate) enum Member {
    /// x[at] = l[row]: a force that follows linearly from loads.
    Follows { at: usize, row: usize },
    /// An unknown that moves nothing and is free: how redundant rows share their load.
    Open { at: usize },
    /// A row that only pushes: x[at] ≥ 0, y[at] ≥ 0, one of them zero.
    OneSided { at: usize },
    /// Forces x[at..at + components] against slip.
    Friction(Friction),
}

/// Dry friction at one contact.
#[derive(Clone, Debug)]
pub(crate) struct Friction {
    pub(crate) at: usize,
    /// 1 to 3.
    pub(crate) components: usize,
    pub(crate) load: Load,
    /// The unit vector of slip where it slides; nothing where it is at rest.
    pub(crate) sliding: Option<[f64; 3]>,
    /// Magnitude of the force while sliding or beginning to slide: constant + coefficient·N.
    pub(crate) constant: f64,
    pub(crate) coefficient: f64,
    /// Largest magnitude at rest: limit_constant + limit·N.
    pub(crate) limit_constant: f64,
    pub(crate) limit: f64,
}

/// Where the load N of a contact comes from.
#[derive(Clone, Debug)]
pub(crate) enum Load {
    /// N = x[at] of a `OneSided` member.
    Own(usize),
    /// N = |l[row]|, or the Euclidean norm of several rows.
    Magnitude(Range<usize>),
    /// N = max(l[row], 0).
    Positive(usize),
}

/// What a member does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mode {
    Sticks,
    /// The unit vector along which it slides or begins to slide.
    Slides([f64; 3]),
    Pushes,
    Open,
    Follows,
}

/// Forces that obey all conditions.
#[derive(Clone, Debug)]
pub struct Answer {
    pub(crate) forces: Vec<f64>,
    /// Per member.
    pub(crate) modes: Vec<Mode>,
    /// N per member; 0 where there is none.
    pub(crate) normals: Vec<f64>,
    /// Whether other forces give the same motion.
    pub(crate) is_shared: bool,
}

/// What came of a problem.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    One(Answer),
    /// Different motions; at most [`Verdict::LISTED`] of them.
    Several(Vec<Answer>),
    /// Proved: there is none.
    None,
    /// Neither found and proved unique nor proved to be none; with what was found.
    Undecided(Option<Answer>),
}

impl Verdict {
    /// How many answers are listed: enough to see what differs.
    pub(crate) const LISTED: usize = 8;
}

impl Problem {
    /// A row of G.
    pub(super) fn response_row(&self, at: usize) -> &[f64] {
        &self.response[at * self.unknowns..][..self.unknowns]
    }

    /// A row of L.
    pub(super) fn load_row(&self, row: usize) -> &[f64] {
        &self.load_response[row * self.unknowns..][..self.unknowns]
    }

    /// Whether lengths and places fit and all entries are numbers.
    pub(super) fn is_well_formed(&self) -> bool {
        let (n, rows) = (self.unknowns, self.load.len());
        let lengths = self.motion.len() == n
            && self.motion_size.len() == n
            && self.response.len() == n * n
            && self.load_size.len() == rows
            && self.load_response.len() == n * rows;
        let arrays =
            [&self.motion, &self.response, &self.motion_size, &self.load, &self.load_response, &self.load_size];
        let mut owners = vec![0; n];
        lengths
            && arrays.iter().all(|a| a.iter().all(|v| v.is_finite()))
            && self.members.iter().all(|m| {
                let places = m.unknowns();
                places.end <= n && {
                    places.for_each(|at| owners[at] += 1);
                    m.is_well_formed(rows, n)
                }
            })
            && owners.iter().all(|&count| count == 1)
    }
}

impl Member {
    /// The unknowns that belong to it.
    pub(super) fn unknowns(&self) -> Range<usize> {
        match self {
            Member::Follows { at, .. } | Member::Open { at } | Member::OneSided { at } => *at..at + 1,
            Member::Friction(f) => f.at..f.at + f.components,
        }
    }

    /// The loads it depends on.
    pub(super) fn rows(&self) -> Range<usize> {
        match self {
            Member::Follows { row, .. } => *row..row + 1,
            Member::Friction(Friction { load: Load::Magnitude(rows), .. }) => rows.clone(),
            Member::Friction(Friction { load: Load::Positive(row), .. }) => *row..row + 1,
            _ => 0..0,
        }
    }

    fn is_well_formed(&self, rows: usize, unknowns: usize) -> bool {
        let numbers = match self {
            Member::Friction(f) => {
                (1..=3).contains(&f.components)
                    && [f.constant, f.coefficient, f.limit_constant, f.limit].iter().all(|v| v.is_finite())
                    && f.sliding.iter().flatten().all(|v| v.is_finite())
                    && !matches!(f.load, Load::Own(at) if at >= unknowns)
            }
            _ => true,
        };
        numbers && self.rows().end <= rows
    }
}
