//! Every answer of a problem with one component per contact, in fractions, by trying everything.
//!
//! For each combination of modes and signs of loads the equations are eliminated exactly, and what is left over is decided by Fourier and Motzkin's
//! elimination. None of it is shared with the solver.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Q(i128, i128);

pub(super) const ZERO: Q = Q(0, 1);
pub(super) const ONE: Q = Q(1, 1);

pub(super) fn q(n: i128, d: i128) -> Q {
    let (mut a, mut b) = (n.unsigned_abs(), d.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let g = (a.max(1)) as i128 * d.signum();
    Q(n / g, d / g)
}

impl Q {
    pub(super) fn value(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }
    pub(super) fn is_zero(self) -> bool {
        self.0 == 0
    }
    fn sign(self) -> i128 {
        self.0.signum()
    }
}

fn product(a: i128, b: i128) -> i128 {
    a.checked_mul(b).expect("data are small enough for 128 bits")
}

impl Add for Q {
    type Output = Q;
    fn add(self, o: Q) -> Q {
        let g = q(self.1, o.1);
        q(product(self.0, g.1).checked_add(product(o.0, g.0)).expect("small"), product(self.1, g.1))
    }
}
impl Neg for Q {
    type Output = Q;
    fn neg(self) -> Q {
        Q(-self.0, self.1)
    }
}
impl Sub for Q {
    type Output = Q;
    fn sub(self, o: Q) -> Q {
        self + -o
    }
}
impl Mul for Q {
    type Output = Q;
    fn mul(self, o: Q) -> Q {
        let (a, b) = (q(self.0, o.1), q(o.0, self.1));
        Q(product(a.0, b.0), product(a.1, b.1))
    }
}
impl Div for Q {
    type Output = Q;
    fn div(self, o: Q) -> Q {
        let (a, b) = (q(self.0, o.0), q(o.1, self.1));
        Q(product(a.0, b.0), product(a.1, b.1))
    }
}
impl PartialOrd for Q {
    fn partial_cmp(&self, o: &Q) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}
impl Ord for Q {
    fn cmp(&self, o: &Q) -> Ordering {
        (*self - *o).sign().cmp(&0)
    }
}

/// An affine function: coefficients, then the constant.
type Row = Vec<Q>;

/// Equations, conditions ≥ 0, and whether it sticks.
type Case = (Vec<Row>, Vec<Row>, bool);

fn plus(a: &[Q], factor: Q, b: &[Q]) -> Row {
    a.iter().zip(b).map(|(a, b)| *a + factor * *b).collect()
}

/// The problem in fractions; one component everywhere.
#[derive(Clone, Debug)]
pub(super) struct Exact {
    pub(super) n: usize,
    pub(super) y: Vec<Row>,
    pub(super) l: Vec<Row>,
    pub(super) members: Vec<Piece>,
}

#[derive(Clone, Debug)]
pub(super) enum Piece {
    Follows(usize, usize),
    Open(usize),
    OneSided(usize),
    Friction { at: usize, load: Pull, sliding: Option<Q>, constant: Q, coefficient: Q, limit_constant: Q, limit: Q },
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Pull {
    Own(usize),
    Magnitude(usize),
    Positive(usize),
}

/// What there is.
#[derive(Clone, Debug)]
pub(super) enum Truth {
    None,
    Motions(Vec<Vec<Q>>),
    Continuum,
}

/// Motions of one combination.
enum Piecewise {
    Point(Vec<Q>),
    Range(Vec<bool>),
}

impl Exact {
    fn x(&self, at: usize) -> Row {
        (0..=self.n).map(|j| if j == at { ONE } else { ZERO }).collect()
    }

    fn constant(&self, value: Q) -> Row {
        (0..=self.n).map(|j| if j == self.n { value } else { ZERO }).collect()
    }

    /// All answers, first with loads that `Open` unknowns share as they are given.
    pub(super) fn truth(&self) -> Truth {
        let usual = self.answers(true);
        let has_open = self.members.iter().any(|m| matches!(m, Piece::Open(_)));
        match usual {
            Truth::None if has_open => self.answers(false),
            truth => truth,
        }
    }

    fn answers(&self, usual: bool) -> Truth {
        let mut found: Vec<(Vec<bool>, Piecewise)> = Vec::new();
        let mut cases: Vec<Vec<Case>> = Vec::new();
        for member in &self.members {
            cases.push(self.cases(member, usual));
        }
        let mut choice = vec![0; cases.len()];
        'all: loop {
            let mut equations = Vec::new();
            let mut conditions = Vec::new();
            let mut sticks = Vec::new();
            for (case, &k) in cases.iter().zip(&choice) {
                equations.extend(case[k].0.iter().cloned());
                conditions.extend(case[k].1.iter().cloned());
                sticks.push(case[k].2);
            }
            if let Some(motions) = self.motions(equations, &conditions) {
                found.push(match motions {
                    Piecewise::Point(y) => (self.resting(&y, &sticks), Piecewise::Point(y)),
                    Piecewise::Range(still) => {
                        let also = |(m, s): (&Piece, &bool)| {
                            *s || matches!(m, Piece::Friction { at, sliding: None, .. } if still[*at])
                        };
                        (self.members.iter().zip(&sticks).map(also).collect(), Piecewise::Range(still))
                    }
                });
            }
            for k in 0..=choice.len() {
                if k == choice.len() {
                    break 'all;
                }
                choice[k] += 1;
                if choice[k] < cases[k].len() {
                    break;
                }
                choice[k] = 0;
            }
        }
        let sets: Vec<Vec<bool>> = found.iter().map(|f| f.0.clone()).collect();
        let is_less = |a: &[bool], b: &[bool]| a != b && a.iter().zip(b).all(|(a, b)| !a || *b);
        let mut motions: Vec<Vec<Q>> = Vec::new();
        let mut is_range = false;
        for (sticks, motion) in found {
            if sets.iter().any(|other| is_less(&sticks, other)) {
                continue;
            }
            match motion {
                Piecewise::Point(y) if !motions.contains(&y) => motions.push(y),
                Piecewise::Point(_) => {}
                Piecewise::Range(_) => is_range = true,
            }
        }
        match (is_range, motions.is_empty()) {
            (true, _) => Truth::Continuum,
            (false, true) => Truth::None,
            _ => Truth::Motions(motions),
        }
    }

    /// A contact whose slip is zero sticks, whatever case it was found in: limits are not below the forces of sliding.
    fn resting(&self, y: &[Q], sticks: &[bool]) -> Vec<bool> {
        let rests = |(m, s): (&Piece, &bool)| match m {
            Piece::Friction { at, sliding: None, .. } => *s || y[*at].is_zero(),
            _ => false,
        };
        self.members.iter().zip(sticks).map(rests).collect()
    }

    /// Equations, conditions ≥ 0 and whether it sticks, for everything a member can do.
    fn cases(&self, member: &Piece, usual: bool) -> Vec<Case> {
        let minus = |row: &[Q]| plus(&self.constant(ZERO), -ONE, row);
        match member {
            Piece::Follows(at, row) => vec![(vec![plus(&self.x(*at), -ONE, &self.l[*row])], vec![], false)],
            Piece::Open(_) => vec![(vec![], vec![], false)],
            Piece::OneSided(at) => vec![
                (vec![self.y[*at].clone()], vec![self.x(*at)], false),
                (vec![self.x(*at)], vec![self.y[*at].clone()], false),
            ],
            Piece::Friction { at, load, sliding, constant, coefficient, limit_constant, limit } => {
                let loads: Vec<(Row, Vec<Row>)> = match load {
                    Pull::Own(at) => vec![(self.x(*at), vec![])],
                    Pull::Magnitude(r) => {
                        vec![
                            (self.l[*r].clone(), vec![self.l[*r].clone()]),
                            (minus(&self.l[*r]), vec![minus(&self.l[*r])]),
                        ]
                    }
                    Pull::Positive(r) => {
                        vec![
                            (self.l[*r].clone(), vec![self.l[*r].clone()]),
                            (self.constant(ZERO), vec![minus(&self.l[*r])]),
                        ]
                    }
                };
                let opens =
                    |row: usize| self.members.iter().any(|m| matches!(m, Piece::Open(o) if !self.l[row][*o].is_zero()));
                let mut cases = Vec::new();
                for (k, (normal, sign)) in loads.into_iter().enumerate() {
                    if let Pull::Magnitude(r) | Pull::Positive(r) = load
                        && usual
                        && opens(*r)
                        && self.l[*r][self.n].sign() * (1 - 2 * k as i128) < 0
                    {
                        continue;
                    }
                    let radius = |c: Q, m: Q| plus(&self.constant(c), m, &normal);
                    let slide = |d: Q| plus(&self.x(*at), d, &radius(*constant, *coefficient));
                    if let Some(s) = sliding {
                        cases.push((vec![slide(*s)], sign, false));
                        continue;
                    }
                    let limit = radius(*limit_constant, *limit);
                    let mut within = sign.clone();
                    within.extend([plus(&limit, -ONE, &self.x(*at)), plus(&limit, ONE, &self.x(*at))]);
                    cases.push((vec![self.y[*at].clone()], within, true));
                    for d in [ONE, -ONE] {
                        let mut conditions = sign.clone();
                        conditions.push(plus(&self.constant(ZERO), d, &self.y[*at]));
                        cases.push((vec![slide(d)], conditions, false));
                    }
                }
                cases
            }
        }
    }

    fn motions(&self, mut equations: Vec<Row>, conditions: &[Row]) -> Option<Piecewise> {
        let n = self.n;
        let mut pivots: Vec<(usize, Row)> = Vec::new();
        while let Some(row) = equations.pop() {
            let row = reduce(&row, &pivots);
            let Some(p) = (0..n).find(|&j| !row[j].is_zero()) else {
                if row[n].is_zero() {
                    continue;
                }
                return None;
            };
            let row: Row = row.iter().map(|v| *v / row[p]).collect();
            pivots.iter_mut().for_each(|(_, other)| *other = plus(other, -other[p], &row));
            pivots.push((p, row));
        }
        let conditions: Vec<Row> = conditions.iter().map(|c| reduce(c, &pivots)).collect();
        let y: Vec<Row> = self.y.iter().map(|y| reduce(y, &pivots)).collect();
        range(&conditions, &self.constant(ZERO))?;
        if y.iter().all(|y| y[..n].iter().all(|v| v.is_zero())) {
            return Some(Piecewise::Point(y.iter().map(|y| y[n]).collect()));
        }
        let ranges: Vec<(Option<Q>, Option<Q>)> = y.iter().map(|y| range(&conditions, y)).collect::<Option<_>>()?;
        if ranges.iter().all(|(low, high)| low.is_some() && low == high) {
            return Some(Piecewise::Point(ranges.iter().filter_map(|r| r.0).collect()));
        }
        Some(Piecewise::Range(ranges.iter().map(|r| *r == (Some(ZERO), Some(ZERO))).collect()))
    }
}

/// A row without the unknowns that equations determine.
fn reduce(row: &[Q], pivots: &[(usize, Row)]) -> Row {
    pivots.iter().fold(row.to_vec(), |row, (p, pivot)| plus(&row, -row[*p], pivot))
}

/// Least and greatest value of a function where all conditions are ≥ 0; nothing where they contradict each other.
fn range(conditions: &[Row], function: &[Q]) -> Option<(Option<Q>, Option<Q>)> {
    let n = function.len() - 1;
    // A further unknown z, before the constant, equal to the function.
    let widen = |row: &[Q], z: Q| -> Row { row[..n].iter().copied().chain([z, row[n]]).collect() };
    let mut rows: Vec<Row> = conditions.iter().map(|c| widen(c, ZERO)).collect();
    rows.push(widen(function, -ONE));
    rows.push(widen(&function.iter().map(|v| -*v).collect::<Row>(), ONE));
    for j in 0..n {
        let (with, mut without): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|r| !r[j].is_zero());
        for up in with.iter().filter(|r| r[j] > ZERO) {
            for down in with.iter().filter(|r| r[j] < ZERO) {
                let row = plus(&up.iter().map(|v| *v / up[j]).collect::<Row>(), -ONE / down[j], down);
                let size = row.iter().filter(|v| !v.is_zero()).map(|v| q(v.0.abs(), v.1)).max();
                let row: Row = size.map_or(row.clone(), |s| row.iter().map(|v| *v / s).collect());
                if !without.contains(&row) {
                    without.push(row);
                }
            }
        }
        rows = without;
    }
    let (mut low, mut high): (Option<Q>, Option<Q>) = (None, None);
    for row in rows {
        match row[n].sign() {
            0 if row[n + 1] < ZERO => return None,
            0 => {}
            1 => low = low.max(Some(-row[n + 1] / row[n])),
            _ => {
                let bound = -row[n + 1] / row[n];
                high = Some(high.map_or(bound, |h| h.min(bound)));
            }
        }
    }
    match (low, high) {
        (Some(l), Some(h)) if l > h => None,
        range => Some(range),
    }
}
