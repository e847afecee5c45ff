//! Frictions in motion: which contacts slide and which hold, with numbers at a state.
//!
//! What a contact does is decided at states where it changes, and held in between: a contact that slides goes on sliding
//! the way it did at the start of the step, so that the motion is smooth until the moment is found at which it stops; one
//! that holds adds rows, slip = 0, whose multipliers are the forces that hold it.

use crate::analysis::ContactMode;
use crate::compile::{Group, Inputs, Part, System, Values};
use crate::derive::NormalForce;
use crate::model::FrictionLaw;

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Nothing: its constraint is not in force, or its law exerts nothing at rest.
    Loose,
    /// It slides.
    Slides,
    /// It holds.
    Sticks,
}

/// A contact, and its numbers at the state that was evaluated last.
#[derive(Clone, Debug)]
pub(super) struct Contact {
    /// Its friction of the model.
    friction: usize,
    pub(super) mode: Mode,
    law: FrictionLaw,
    components: usize,
    /// Where its numbers are among those of all contacts.
    slip_at: usize,
    normal_at: usize,
    slope_at: usize,
    /// For each component of its normal force, the rows that it hangs on; none where it is given.
    normal_rows: Vec<Vec<usize>>,
    /// For a normal force that is given, the rows that it hangs on.
    given_rows: Option<Vec<usize>>,
    /// Which way the normal force is taken: as it is, the other way round, or not at all.
    branch: f64,
    /// The direction of slip at the start of the step.
    along_at_start: [f64; 3],
    /// The velocity of slip, its magnitude, and its direction.
    slip: [f64; 3],
    pub(super) speed: f64,
    along: [f64; 3],
    /// Orthonormal directions in which it can slip at all, and their number.
    basis: [[f64; 3]; 3],
    rank: usize,
    /// The normal force, as it comes out of the reactions and as it is taken.
    raw_normal: f64,
    pub(super) normal: f64,
}

/// All contacts of a system.
#[derive(Clone)]
pub(super) struct Contacts {
    pub(super) list: Vec<Contact>,
    values: Values,
    law: Values,
    n: usize,
    speeds: Vec<f64>,
    normals: Vec<f64>,
}

impl Contacts {
    /// The contacts of a system, none of them doing anything yet.
    pub(super) fn new(system: &System) -> Option<Self> {
        let equations = system.equations();
        if !equations.hangs_on_reactions() {
            return None;
        }
        let (mut slip_at, mut normal_at, mut slope_at) = (0, 0, 0);
        let mut list = Vec::new();
        for contact in &equations.frictions {
            let friction = &equations.model.frictions[contact.friction];
            let normal_rows: Vec<Vec<usize>> = match &contact.normal {
                NormalForce::Magnitude(components) => {
                    components.iter().map(|component| component.iter().map(|entry| entry.0).collect()).collect()
                }
                NormalForce::Given(_) => Vec::new(),
            };
            let given = matches!(contact.normal, NormalForce::Given(_));
            let entries: usize = normal_rows.iter().map(Vec::len).sum();
            list.push(Contact {
                friction: contact.friction,
                mode: Mode::Loose,
                law: friction.law.clone(),
                components: contact.slip.len().min(3),
                slip_at,
                normal_at,
                slope_at,
                normal_rows,
                given_rows: given.then(|| contact.normal_by_reaction.iter().map(|entry| entry.0).collect()),
                branch: 1.0,
                along_at_start: [0.0; 3],
                slip: [0.0; 3],
                speed: 0.0,
                along: [0.0; 3],
                basis: [[0.0; 3]; 3],
                rank: 0,
                raw_normal: 0.0,
                normal: 0.0,
            });
            slip_at += contact.slip.len();
            normal_at += entries;
            slope_at += contact.normal_by_reaction.len();
        }
        for group in [Group::Contact, Group::Law] {
            system.compile(group);
        }
        let frictions = equations.model.frictions.len();
        Some(Self {
            list,
            values: system.values(Group::Contact),
            law: system.values(Group::Law),
            n: system.coordinates(),
            speeds: vec![0.0; frictions],
            normals: vec![0.0; frictions],
        })
    }

    /// Sets what contacts do, as it was decided at a state that has been evaluated.
    pub(super) fn set_modes(&mut self, modes: &[(usize, ContactMode)], reactions: &[f64]) {
        self.list.iter_mut().for_each(|contact| contact.mode = Mode::Loose);
        for (which, mode) in modes {
            let contact = &mut self.list[*which];
            match mode {
                ContactMode::Loose => {}
                ContactMode::Sticks => contact.mode = Mode::Sticks,
                ContactMode::Slides(along) => {
                    contact.mode = Mode::Slides;
                    contact.along_at_start[..along.len()].copy_from_slice(along);
                    contact.along = contact.along_at_start;
                }
            }
        }
        for which in 0..self.list.len() {
            let raw = self.list[which].raw_of(&self.values, &self.law, reactions, which);
            let contact = &mut self.list[which];
            contact.branch = match (&contact.given_rows, contact.normal_rows.len()) {
                (Some(_), _) => f64::from(raw > 0.0),
                (None, 1) if raw < 0.0 => -1.0,
                _ => 1.0,
            };
        }
    }

    /// A step begins at the state that was evaluated last: contacts slide as they do there.
    pub(super) fn begin_step(&mut self) {
        for contact in self.list.iter_mut().filter(|contact| contact.mode == Mode::Slides) {
            contact.along_at_start = contact.along;
        }
    }

    /// The numbers of all contacts at a state.
    pub(super) fn evaluate(&mut self, system: &System, t: f64, q: &[f64], v: &[f64]) {
        system.at(t, q, v, &mut self.values);
        let (slips, directions) = (self.values.part(Part::Slip), self.values.part(Part::Direction));
        let n = self.n;
        for contact in &mut self.list {
            let d = contact.components;
            contact.slip[..d].copy_from_slice(&slips[contact.slip_at..contact.slip_at + d]);
            contact.speed = contact.slip.iter().map(|s| s * s).sum::<f64>().sqrt();
            let forward: f64 = contact.slip.iter().zip(&contact.along_at_start).map(|(s, a)| s * a).sum();
            if forward > 0.5 * contact.speed {
                contact.along = contact.slip.map(|s| s / contact.speed);
            } else {
                // Beyond the moment at which it stops: as if it went on, until that moment is found.
                contact.along = contact.along_at_start;
                contact.speed = forward.abs();
            }
            if contact.mode == Mode::Sticks {
                contact.find_basis(&directions[contact.slip_at * n..(contact.slip_at + d) * n], n);
            }
            self.speeds[contact.friction] = contact.speed;
        }
    }

    /// The number of rows that hold what sticks, at the state that was evaluated.
    pub(super) fn stick_rows(&self) -> usize {
        self.sticking().map(|contact| contact.rank).sum()
    }

    fn sticking(&self) -> impl Iterator<Item = &Contact> {
        self.list.iter().filter(|contact| contact.mode == Mode::Sticks)
    }

    /// The contacts that stick, by number.
    pub(super) fn sticking_ones(&self) -> Vec<usize> {
        (0..self.list.len()).filter(|&which| self.list[which].mode == Mode::Sticks).collect()
    }

    /// The rows that hold what sticks, and their right sides; as many as fit.
    pub(super) fn write_sticks(&self, a: &mut [f64], b: &mut [f64]) {
        let n = self.n;
        let (directions, hold) = (self.values.part(Part::Direction), self.values.part(Part::Hold));
        let mut rows = a.chunks_exact_mut(n.max(1)).zip(b);
        for contact in self.sticking() {
            let at = contact.slip_at;
            for u in &contact.basis[..contact.rank] {
                let Some((row, right)) = rows.next() else { return };
                row.fill(0.0);
                *right = 0.0;
                for (c, u) in u[..contact.components].iter().enumerate() {
                    let direction = &directions[(at + c) * n..(at + c + 1) * n];
                    row.iter_mut().zip(direction).for_each(|(x, d)| *x += u * d);
                    *right += u * hold[at + c];
                }
            }
        }
    }

    /// The slip that is left where contacts stick, in the order of their rows.
    pub(super) fn write_slips(&self, out: &mut [f64]) {
        let mut out = out.iter_mut();
        for contact in self.sticking() {
            for u in &contact.basis[..contact.rank] {
                if let Some(out) = out.next() {
                    *out = u.iter().zip(&contact.slip).map(|(u, s)| u * s).sum();
                }
            }
        }
    }

    /// The direction in which friction acts while a contact slides: −Jᵀ along.
    pub(super) fn write_direction(&self, which: usize, out: &mut [f64]) {
        let (contact, n) = (&self.list[which], self.n);
        let directions = self.values.part(Part::Direction);
        out.fill(0.0);
        for c in 0..contact.components {
            let direction = &directions[(contact.slip_at + c) * n..(contact.slip_at + c + 1) * n];
            out.iter_mut().zip(direction).for_each(|(x, d)| *x -= contact.along[c] * d);
        }
    }

    /// Evaluates what laws are made of, for reactions and multipliers over all rows of the equations.
    pub(super) fn evaluate_laws(&mut self, system: &System, inputs: &Inputs) {
        let with = |normals: &[f64], speeds: &[f64], law: &mut Values| {
            system.evaluate(&Inputs { slip: speeds, normal: normals, ..*inputs }, law);
        };
        with(&self.normals, &self.speeds, &mut self.law);
        let mut again = false;
        for which in 0..self.list.len() {
            let raw = self.list[which].raw_of(&self.values, &self.law, inputs.reaction, which);
            let contact = &mut self.list[which];
            contact.raw_normal = raw;
            contact.normal = contact.branch * raw;
            again |= matches!(contact.law, FrictionLaw::Law(_));
            self.normals[contact.friction] = contact.normal;
        }
        if again {
            with(&self.normals, &self.speeds, &mut self.law);
        }
    }

    /// The magnitude of the friction of a contact that slides, and its derivative by the normal force.
    pub(super) fn force(&self, system: &System, which: usize) -> (f64, f64) {
        let contact = &self.list[which];
        let (speed, normal) = (contact.speed, contact.normal);
        let [first, second, third] = self.law.part(Part::Law)[3 * which..3 * which + 3] else { return (0.0, 0.0) };
        let coefficient = match contact.law {
            FrictionLaw::Coulomb { .. } => first,
            FrictionLaw::Viscous(_) => return (first * speed, 0.0),
            FrictionLaw::Quadratic(_) => return (first * speed * speed, 0.0),
            FrictionLaw::Stribeck { .. } => {
                let ratio = if speed == 0.0 { 0.0 } else { speed / third };
                first + (second - first) * (-ratio * ratio).exp()
            }
            FrictionLaw::Law(_) => return (first, self.law.part(Part::LawSlope)[which]),
            FrictionLaw::Table(table) => {
                system.equations().graph.tables().get(table as usize).map_or(0.0, |table| table.value(speed, 0))
            }
        };
        (coefficient * normal, coefficient)
    }

    /// The largest friction with which a contact can hold.
    pub(super) fn limit(&self, system: &System, which: usize) -> f64 {
        let contact = &self.list[which];
        let resting = match contact.law {
            FrictionLaw::Coulomb { .. } | FrictionLaw::Stribeck { .. } => self.law.part(Part::Law)[3 * which + 1],
            FrictionLaw::Table(table) => {
                system.equations().graph.tables().get(table as usize).map_or(0.0, |table| table.value(0.0, 0))
            }
            FrictionLaw::Law(_) => return self.law.part(Part::Law)[3 * which],
            FrictionLaw::Viscous(_) | FrictionLaw::Quadratic(_) => return 0.0,
        };
        resting * contact.normal.abs()
    }

    /// The derivatives of the normal force of a contact, as it is taken, by reactions: (row of the equations, derivative).
    pub(super) fn normal_slopes(&self, which: usize, reactions: &[f64], mut each: impl FnMut(usize, f64)) {
        let contact = &self.list[which];
        if contact.branch == 0.0 {
            return;
        }
        if let Some(rows) = &contact.given_rows {
            let slopes = &self.law.part(Part::NormalSlope)[contact.slope_at..];
            rows.iter().zip(slopes).for_each(|(&row, slope)| each(row, *slope));
            return;
        }
        let mut coefficients = self.values.part(Part::Normal)[contact.normal_at..].iter();
        let single = contact.normal_rows.len() == 1;
        for rows in &contact.normal_rows {
            let part = coefficients.as_slice();
            let value: f64 = rows.iter().zip(part).map(|(&row, x)| x * reactions[row]).sum();
            let weight = if single {
                contact.branch
            } else if contact.raw_normal > 0.0 {
                value / contact.raw_normal
            } else {
                0.0
            };
            for &row in rows {
                let Some(x) = coefficients.next() else { return };
                each(row, weight * x);
            }
        }
    }

    /// What of C is not linear in the reactions, and the derivatives of it, in order.
    pub(super) fn nonlinear(&self) -> (&[f64], &[f64]) {
        (self.law.part(Part::Nonlinear), self.law.part(Part::NonlinearSlope))
    }

    /// How far each contact is from doing something else: its slip along the way it slid, or what is left of its limit, beside
    /// the sign of its normal force. `holding` are the multipliers of the rows that hold what sticks.
    pub(super) fn triggers(&self, system: &System, holding: &[f64], out: &mut Vec<f64>) {
        let mut holding = holding.iter();
        for (which, contact) in self.list.iter().enumerate() {
            match contact.mode {
                Mode::Loose => out.push(1.0),
                Mode::Slides => {
                    let forward: f64 = contact.slip.iter().zip(&contact.along_at_start).map(|(s, a)| s * a).sum();
                    out.push(forward);
                }
                Mode::Sticks => {
                    let squared: f64 = holding.by_ref().take(contact.rank).map(|h| h * h).sum();
                    // Rounding at the limit is no reason to give way.
                    out.push((1.0 + 1e-9) * self.limit(system, which) - squared.sqrt());
                }
            }
            // The side on which it bears.
            let side = match contact.mode {
                Mode::Loose => 1.0,
                _ if contact.given_rows.is_some() && contact.branch == 0.0 => -contact.raw_normal,
                _ if contact.given_rows.is_some() || contact.normal_rows.len() == 1 => {
                    contact.branch * contact.raw_normal
                }
                _ => 1.0,
            };
            out.push(side);
        }
    }

    /// The velocity sizes that make up the scale of each row that holds.
    pub(super) fn write_scales(&self, sizes: &[f64], a: &[f64], out: &mut [f64]) {
        for (row, out) in a.chunks_exact(self.n.max(1)).zip(out) {
            let size: f64 = row.iter().zip(sizes).map(|(a, s)| a.abs() * s).sum();
            *out = if size > 0.0 { size } else { 1.0 };
        }
    }
}

impl Contact {
    /// What it does, in a word.
    pub(super) fn word(&self) -> &'static str {
        match self.mode {
            Mode::Loose => "is loose",
            Mode::Slides => "slides",
            Mode::Sticks => "sticks",
        }
    }

    /// Whether it sticks.
    pub(super) fn sticks(&self) -> bool {
        self.mode == Mode::Sticks
    }

    /// Whether it does not slip, given its trigger: one that slid is at rest when it would go back.
    pub(super) fn is_at_rest(&self, trigger: f64) -> bool {
        match self.mode {
            Mode::Loose => self.speed == 0.0,
            Mode::Slides => trigger <= 0.0,
            Mode::Sticks => true,
        }
    }

    /// The normal force as it comes out of reactions: signed where it has one component, the magnitude otherwise.
    fn raw_of(&self, values: &Values, law: &Values, reactions: &[f64], which: usize) -> f64 {
        if self.given_rows.is_some() {
            return law.part(Part::Normal)[which];
        }
        let mut coefficients = values.part(Part::Normal)[self.normal_at..].iter();
        let mut squared = 0.0;
        let mut single = 0.0;
        for rows in &self.normal_rows {
            let value: f64 = rows.iter().zip(&mut coefficients).map(|(&row, x)| x * reactions[row]).sum();
            squared += value * value;
            single = value;
        }
        if self.normal_rows.len() == 1 { single } else { squared.sqrt() }
    }

    /// Orthonormal directions that its slip can have: the columns of ∂slip/∂q̇, longest first, made orthonormal.
    fn find_basis(&mut self, directions: &[f64], n: usize) {
        let d = self.components;
        let column =
            |j: usize| -> [f64; 3] { std::array::from_fn(|c| if c < d { directions[c * n + j] } else { 0.0 }) };
        let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (mut rank, mut first) = (0, 0.0);
        while rank < d {
            let mut best = ([0.0; 3], 0.0);
            for j in 0..n {
                let mut x = column(j);
                for u in &self.basis[..rank] {
                    let along = dot(u, &x);
                    x.iter_mut().zip(u).for_each(|(x, u)| *x -= along * u);
                }
                let length = dot(&x, &x).sqrt();
                if length > best.1 {
                    best = (x, length);
                }
            }
            if rank == 0 {
                first = best.1;
            }
            if best.1 <= 1e-9 * first || best.1 == 0.0 {
                break;
            }
            self.basis[rank] = best.0.map(|x| x / best.1);
            rank += 1;
        }
        self.rank = rank;
    }
}
