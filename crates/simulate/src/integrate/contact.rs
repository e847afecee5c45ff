//! Frictions in motion: which contacts slide and which hold, with numbers at a state.
//!
//! What a contact does is decided at states where it changes, and held in between: a contact that slides goes on sliding
//! the way it did at the start of the step, so that the motion is smooth until the moment is found at which it stops; one
//! that holds adds rows, slip = 0, whose multipliers are the forces that hold it.

use super::reading::Reading;
use holonom_mechanics::compile::{CompiledSystem, Inputs, RowLayout};
use holonom_mechanics::contact::{Does, LoadLine, Settled, Touches, norm};

/// A contact gives way once it needs this part of its limit more than it has: less may be rounding of reactions. The moment
/// that is found is that of the limit itself.
const AT_LIMIT: f64 = 1e-10;
/// A contact that begins to slide may go back by this part of what its acceleration is made of: that is rounding.
const BACKWARDS: f64 = 1e-9;
/// Slip is rounding below this part of the speeds that it is made of.
const SLOW: f64 = 1e-12;

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
    pub(super) mode: Mode,
    /// Whether it can hold at rest. Friction that cannot vanishes with the speed: its contact slides even at rest, where nothing changes.
    can_hold: bool,
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
    /// Whether these were found in this step.
    has_basis: bool,
    /// The normal force, as it comes out of the reactions and as it is taken.
    raw_normal: f64,
    normal: f64,
    /// The magnitude of the friction while it slides, and its derivative by the normal force.
    pub(super) friction: (f64, f64),
}

/// All contacts of a system.
#[derive(Clone)]
pub(super) struct Contacts {
    pub(super) list: Vec<Contact>,
    pub(super) touches: Touches,
    /// The direction in which friction acts while a contact slides, −Jᵀ along, over the coordinates of its slip; and where each begins.
    pub(super) pushes: Vec<f64>,
    pub(super) push_at: Vec<usize>,
    /// Whether all laws are straight lines over the load.
    are_straight: bool,
}

impl Contacts {
    /// The contacts of a system, none of them doing anything yet.
    pub(super) fn new(system: &CompiledSystem) -> Option<Self> {
        if !system.equations().hangs_on_reactions() {
            return None;
        }
        let touches = Touches::new(system);
        let loose = Contact {
            mode: Mode::Loose,
            can_hold: true,
            branch: 1.0,
            along_at_start: [0.0; 3],
            slip: [0.0; 3],
            speed: 0.0,
            along: [0.0; 3],
            basis: [[0.0; 3]; 3],
            rank: 0,
            has_basis: false,
            raw_normal: 0.0,
            normal: 0.0,
            friction: (0.0, 0.0),
        };
        let mut push_at = vec![0];
        for which in 0..touches.len() {
            push_at.push(push_at[which] + touches.coordinates(which).len());
        }
        let pushes = vec![0.0; push_at[touches.len()]];
        let contact = |which: usize| Contact { can_hold: touches.can_hold(which), ..loose.clone() };
        let are_straight = (0..touches.len()).all(|which| touches.has_straight_law(which));
        Some(Self { list: (0..touches.len()).map(contact).collect(), touches, pushes, push_at, are_straight })
    }

    /// Sets what contacts do, as it was decided at a state that has been evaluated.
    pub(super) fn set_modes(&mut self, decided: &[Settled], reactions: &[f64]) {
        self.list.iter_mut().for_each(|contact| (contact.mode, contact.has_basis) = (Mode::Loose, false));
        for settled in decided {
            let contact = &mut self.list[settled.which];
            match &settled.does {
                Does::Rests => {}
                Does::Sticks(_) if !contact.can_hold => contact.mode = Mode::Slides,
                Does::Sticks(_) => contact.mode = Mode::Sticks,
                Does::Slides(along, _) => {
                    contact.mode = Mode::Slides;
                    contact.along_at_start = [0.0; 3];
                    contact.along_at_start[..along.len()].copy_from_slice(along);
                    contact.along = contact.along_at_start;
                }
            }
        }
        for (which, contact) in self.list.iter_mut().enumerate() {
            let raw = self.touches.raw_normal(which, reactions);
            contact.branch = match self.touches.is_given(which) {
                true => f64::from(raw > 0.0),
                false if self.touches.has_sign(which) && raw < 0.0 => -1.0,
                false => 1.0,
            };
        }
    }

    /// A step begins at the state that was evaluated last: contacts slide as they do there.
    pub(super) fn begin_step(&mut self) {
        for contact in &mut self.list {
            match contact.mode {
                Mode::Loose => {}
                Mode::Slides => contact.along_at_start = contact.along,
                Mode::Sticks => contact.has_basis = false,
            }
        }
    }

    /// The numbers of all contacts at a state.
    pub(super) fn evaluate(&mut self, system: &CompiledSystem, t: f64, q: &[f64], v: &[f64]) {
        self.touches.evaluate(system, t, q, v);
        for (which, contact) in self.list.iter_mut().enumerate() {
            contact.take_slip(self.touches.slip(which));
            self.touches.set_speed(which, contact.speed);
            match contact.mode {
                Mode::Loose => {}
                Mode::Sticks if contact.has_basis && self.touches.slips_straight(which) => {}
                Mode::Sticks => {
                    contact.find_basis(&self.touches, which);
                    contact.has_basis = true;
                }
                Mode::Slides => {
                    let own = &mut self.pushes[self.push_at[which]..self.push_at[which + 1]];
                    contact.write_push(&self.touches, which, own);
                }
            }
        }
    }

    /// The number of rows that hold what sticks, at the state that was evaluated.
    pub(super) fn stick_rows(&self) -> usize {
        self.sticking().map(|(_, contact)| contact.rank).sum()
    }

    fn sticking(&self) -> impl Iterator<Item = (usize, &Contact)> {
        self.list.iter().enumerate().filter(|(_, contact)| contact.mode == Mode::Sticks)
    }

    /// The contacts that stick, by number.
    pub(super) fn sticking_ones(&self) -> Vec<usize> {
        self.sticking().map(|(which, _)| which).collect()
    }

    /// The coordinates of each row that holds what sticks, ascending.
    pub(super) fn stick_columns(&self) -> impl Iterator<Item = &[u32]> {
        let rows =
            |(which, contact): (usize, &Contact)| std::iter::repeat_n(self.touches.coordinates(which), contact.rank);
        self.sticking().flat_map(rows)
    }

    /// The rows that hold what sticks, and their right sides, after the first rows of a shape; as many as fit.
    pub(super) fn write_sticks(&self, shape: &RowLayout, first: usize, a: &mut [f64], b: &mut [f64]) {
        let mut rights = b[first..].iter_mut().zip(first..);
        for (which, contact) in self.sticking() {
            for u in &contact.basis[..contact.rank] {
                let Some((right, row)) = rights.next() else { return };
                if let ([hold], true) = (self.touches.hold(which), shape.is_sparse()) {
                    // Its entries are those of the row, in order.
                    let entries = self.touches.direction(which, 0);
                    a[shape.range(row)].iter_mut().zip(entries).for_each(|(a, (_, d))| *a = u[0] * d);
                    *right = u[0] * hold;
                    continue;
                }
                a[shape.range(row)].fill(0.0);
                *right = 0.0;
                for (component, (u, hold)) in u.iter().zip(self.touches.hold(which)).enumerate() {
                    for (j, d) in self.touches.direction(which, component) {
                        if let Some(place) = shape.place(row, j) {
                            a[place] += u * d;
                        }
                    }
                    *right += u * hold;
                }
            }
        }
    }

    /// The slip that is left where contacts stick, in the order of their rows.
    pub(super) fn write_slips(&self, out: &mut [f64]) {
        let mut out = out.iter_mut();
        for (_, contact) in self.sticking() {
            for u in &contact.basis[..contact.rank] {
                if let Some(out) = out.next() {
                    *out = u.iter().zip(&contact.slip).map(|(u, s)| u * s).sum();
                }
            }
        }
    }

    /// Evaluates what laws are made of, for reactions and multipliers over all rows of the equations.
    pub(super) fn evaluate_laws(&mut self, system: &CompiledSystem, inputs: &Inputs) {
        self.touches.evaluate_laws(system, inputs);
        for (which, contact) in self.list.iter_mut().enumerate() {
            contact.raw_normal = self.touches.raw_normal(which, inputs.reaction);
            contact.normal = contact.branch * contact.raw_normal;
            self.touches.set_normal(which, contact.normal);
        }
        if !self.are_straight {
            self.touches.evaluate_laws(system, inputs);
        }
        for (which, contact) in self.list.iter_mut().enumerate().filter(|(_, contact)| contact.mode == Mode::Slides) {
            let line = self.touches.sliding(which);
            contact.friction = (line.at(contact.normal), line.coefficient);
        }
    }

    /// The largest friction with which a contact can hold.
    pub(super) fn limit(&self, which: usize) -> f64 {
        self.touches.limit(which).at(self.list[which].normal.abs())
    }

    /// The derivatives of the normal force of a contact, as it is taken, by reactions: (row of the equations, derivative).
    pub(super) fn normal_slopes(&self, which: usize, reactions: &[f64], each: impl FnMut(usize, f64)) {
        let contact = &self.list[which];
        if contact.branch != 0.0 {
            self.touches.load_slopes(which, contact.branch, reactions, each);
        }
    }

    /// What of C is not linear in the reactions, and the derivatives of it, in order.
    pub(super) fn nonlinear(&self) -> (&[f64], &[f64]) {
        self.touches.nonlinear()
    }

    /// How far each contact is from doing something else: its slip along the way it slid, or what is left of its limit; then
    /// the sign of its normal force. `holding` are the multipliers of the rows that hold what sticks. Rates are found where accelerations are given.
    #[inline]
    pub(super) fn triggers(&self, acceleration: Option<&[f64]>, holding: &[f64], mut each: impl FnMut(Reading)) {
        let mut holding = holding.iter();
        for (which, contact) in self.list.iter().enumerate() {
            each(match contact.mode {
                Mode::Loose => Reading::fixed(1.0),
                Mode::Slides if !contact.can_hold => Reading::fixed(1.0),
                Mode::Slides => self.forward_slip(which, acceleration),
                Mode::Sticks => {
                    let held = match contact.rank {
                        1 => holding.next().map_or(0.0, |h| h.abs()),
                        rank => holding.by_ref().take(rank).map(|h| h * h).sum::<f64>().sqrt(),
                    };
                    let limit = self.limit(which);
                    Reading { value: limit - held, rate: f64::NAN, noise: AT_LIMIT * limit }
                }
            });
            // The side on which it bears.
            let side = match contact.mode {
                Mode::Loose => 1.0,
                _ if self.touches.is_given(which) && contact.branch == 0.0 => -contact.raw_normal,
                _ if self.touches.is_given(which) || self.touches.has_sign(which) => {
                    contact.branch * contact.raw_normal
                }
                _ => 1.0,
            };
            each(Reading::fixed(side));
        }
    }

    /// What each does, and along which way.
    pub(super) fn doing(&self) -> Vec<(Mode, [f64; 3])> {
        let along = |one: &Contact| if one.slides() { one.along_at_start } else { [0.0; 3] };
        self.list.iter().map(|one| (one.mode, along(one))).collect()
    }

    /// The contacts that hold, and those whose slip is rounding of the speeds that it is made of.
    pub(super) fn at_rest(&self, speeds: &[f64]) -> Vec<usize> {
        let is_at_rest = |which: &usize| {
            let directions = (0..self.touches.components(*which)).flat_map(|c| self.touches.direction(*which, c));
            let size: f64 = directions.map(|(j, d)| (d * speeds[j]).abs()).sum();
            self.list[*which].sticks() || self.list[*which].speed <= SLOW * size
        };
        (0..self.list.len()).filter(is_at_rest).collect()
    }

    /// Whether contacts that slide from rest go the way they were decided to go, or not at all.
    pub(super) fn begin_to_slide(&self, acceleration: &[f64]) -> bool {
        self.list.iter().enumerate().filter(|(_, one)| one.slides() && one.can_hold && one.speed == 0.0).all(
            |(which, _)| {
                let size: f64 = (0..self.touches.components(which))
                    .flat_map(|c| self.touches.direction(which, c))
                    .map(|(j, d)| (d * acceleration[j]).abs())
                    .chain(self.touches.hold(which).iter().map(|hold| hold.abs()))
                    .sum();
                self.forward_slip(which, Some(acceleration)).rate >= -BACKWARDS * size
            },
        )
    }

    /// The slip of a contact along the way it slid at the start of the step, and its rate: D q̈ less what holds it.
    #[inline]
    fn forward_slip(&self, which: usize, acceleration: Option<&[f64]>) -> Reading {
        let contact = &self.list[which];
        let components = self.touches.components(which);
        let along = contact.along_at_start[..components].iter().zip(&contact.slip);
        let value = along.map(|(along, slip)| along * slip).sum();
        let Some(acceleration) = acceleration else { return Reading { value, rate: f64::NAN, noise: 0.0 } };
        let mut rate = 0.0;
        for (c, hold) in self.touches.hold(which).iter().enumerate() {
            let moved: f64 = self.touches.direction(which, c).map(|(j, d)| d * acceleration[j]).sum();
            rate += contact.along_at_start[c] * (moved - hold);
        }
        Reading { value, rate, noise: 0.0 }
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

    /// Whether it slides.
    pub(super) fn slides(&self) -> bool {
        self.mode == Mode::Slides
    }

    /// Whether it slides with a friction that its law makes negative.
    pub(super) fn drives(&self) -> bool {
        self.slides() && LoadLine::is_negative(self.friction.0, self.normal)
    }

    /// Whether it does not slip, given its trigger: one that slid is at rest when it would go back.
    pub(super) fn is_at_rest(&self, trigger: f64) -> bool {
        match self.mode {
            Mode::Loose => self.speed == 0.0,
            Mode::Slides => trigger <= 0.0,
            Mode::Sticks => true,
        }
    }

    /// Takes a velocity of slip: it slides that way, or the way it did at the start of the step.
    #[inline]
    fn take_slip(&mut self, slip: &[f64]) {
        if let [slip] = *slip {
            (self.slip[0], self.speed) = (slip, slip.abs());
            let forward = slip * self.along_at_start[0];
            if self.goes_on(forward) {
                self.along[0] = slip.signum();
            } else {
                self.go_back(forward);
            }
            return;
        }
        self.slip[..slip.len()].copy_from_slice(slip);
        self.speed = norm(&self.slip);
        let forward = self.slip.iter().zip(&self.along_at_start).map(|(s, a)| s * a).sum();
        if self.goes_on(forward) {
            self.along = self.slip.map(|s| s / self.speed);
        } else {
            self.go_back(forward);
        }
    }

    /// Whether it slides by and large the way it did at the start of the step.
    #[inline]
    fn goes_on(&self, forward: f64) -> bool {
        forward > 0.5 * self.speed || (!self.can_hold && self.speed > 0.0)
    }

    /// Beyond the moment at which it stops: as if it went on, until that moment is found.
    #[inline]
    fn go_back(&mut self, forward: f64) {
        self.along = self.along_at_start;
        self.speed = forward.abs();
    }

    /// −Jᵀ along, over the coordinates of its slip.
    #[inline]
    fn write_push(&self, touches: &Touches, which: usize, out: &mut [f64]) {
        if touches.components(which) == 1 {
            // The coordinates are those of the only component.
            out.iter_mut().zip(touches.direction(which, 0)).for_each(|(out, (_, d))| *out = -self.along[0] * d);
            return;
        }
        out.fill(0.0);
        let coordinates = touches.coordinates(which);
        for component in 0..touches.components(which) {
            for (j, d) in touches.direction(which, component) {
                if let Ok(place) = coordinates.binary_search(&(j as u32)) {
                    out[place] -= self.along[component] * d;
                }
            }
        }
    }

    /// Orthonormal directions that its slip can have: the columns of ∂slip/∂q̇, longest first, made orthonormal.
    fn find_basis(&mut self, touches: &Touches, which: usize) {
        let d = touches.components(which);
        if d == 1 {
            // The sign of the largest entry.
            let largest =
                touches.direction(which, 0).fold(0.0, |most: f64, (_, d)| if d.abs() > most.abs() { d } else { most });
            self.basis[0] = [if largest < 0.0 { -1.0 } else { 1.0 }, 0.0, 0.0];
            self.rank = usize::from(largest != 0.0);
            return;
        }
        let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (mut rank, mut first) = (0, 0.0);
        while rank < d {
            let mut best = ([0.0; 3], 0.0);
            for &j in touches.coordinates(which) {
                let mut x = touches.column(which, j as usize);
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
