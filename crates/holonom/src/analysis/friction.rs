//! Which contacts slide, which hold, and which begin to slide.
//!
//! A contact that slips slides. One at rest holds while some reaction that the constraints allow lies in its cone of
//! friction, decided for all contacts together; else it begins to slide the way that its own acceleration then goes.

use super::contact::{Nonideals, Touch};
use super::entries::Numbers;
use super::instant::null_combinations;
use super::nonideal::{Balance, Found, Mode, Scene};
use super::numbers::{Evaluator, State};
use crate::{MotionError, Snapshot, Workspace};

/// Above this many contacts at rest, only all of them holding and none of them holding are tried.
const TRIED: usize = 5;

/// What a contact does, for the report.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactReport {
    /// The constraint that the friction belongs to.
    pub name: String,
    /// What it does.
    pub state: ContactState,
    /// The velocity of slip, by component.
    pub slip: Vec<f64>,
    /// The normal force.
    pub normal: f64,
    /// The magnitude of the friction.
    pub force: f64,
    /// The largest friction that it can hold with; nothing where it slides.
    pub limit: Option<f64>,
    /// Whether friction and normal force are unique.
    pub determinate: bool,
}

/// Whether a contact slides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactState {
    /// It slips.
    Sliding,
    /// It holds.
    Sticking,
    /// It is at rest and begins to slip.
    Starting,
    /// It is at rest, and its law exerts nothing there.
    Resting,
}

impl ContactState {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sliding => "slides",
            Self::Sticking => "sticks",
            Self::Starting => "begins to slide",
            Self::Resting => "rests",
        }
    }
}

/// What every contact does, the motion with it, and whether its reactions are the only ones.
type Answer = (Vec<Mode>, Box<Balance>, bool);

/// The motion at a state, contacts decided.
pub(super) struct Decided {
    pub(super) found: Found,
    pub(super) contacts: Vec<ContactReport>,
    /// What each contact does.
    pub(super) modes: Vec<Mode>,
}

/// Decides what every contact does, and the motion with it. Contacts for which `rests` holds do not slip, whatever rounding
/// says.
pub(super) fn decide(
    evaluator: &Evaluator,
    nonideals: &Nonideals,
    workspace: &mut Workspace,
    state: &State,
    numbers: &Numbers,
    rests: impl Fn(usize) -> bool,
) -> Decided {
    let mut touches: Vec<Touch> = nonideals.contacts.iter().map(|contact| contact.touch(evaluator, state)).collect();
    for (touch, contact) in touches.iter_mut().zip(&nonideals.contacts) {
        if rests(contact.which) {
            touch.slip.fill(0.0);
            touch.speed = 0.0;
        }
    }
    let scene = Scene { evaluator, nonideals, state, numbers, touches: &touches };
    let mut modes: Vec<Mode> = touches
        .iter()
        .map(|touch| match touch.speed {
            0.0 => Mode::Loose,
            speed => Mode::Slides(touch.slip.iter().map(|s| s / speed).collect(), speed),
        })
        .collect();
    let resting: Vec<usize> = (0..touches.len())
        .filter(|&i| modes[i] == Mode::Loose && nonideals.contacts[i].hangs_on_normal(evaluator))
        .collect();
    if resting.is_empty() {
        let found = scene.solve(workspace, &modes);
        let contacts = scene.report(&modes, &found, &[]);
        return Decided { found, contacts, modes };
    }
    let mut refused: Option<Found> = None;
    for sticking in (0..=resting.len()).rev() {
        if resting.len() > TRIED && sticking != 0 && sticking != resting.len() {
            continue;
        }
        let mut answers: Vec<Answer> = Vec::new();
        for choice in choices(resting.len(), sticking) {
            for (&i, sticks) in resting.iter().zip(&choice) {
                modes[i] = if *sticks { Mode::Sticks } else { Mode::Loose };
            }
            let sliding: Vec<usize> = resting.iter().zip(&choice).filter(|(_, s)| !**s).map(|(&i, _)| i).collect();
            match scene.begin(workspace, modes.clone(), &sliding) {
                Ok(found) => answers.extend(found),
                Err(other) => refused = Some(other),
            }
        }
        match answers.len() {
            0 => {}
            1 => {
                let Some((modes, balance, determinate)) = answers.pop() else { break };
                let open = if determinate { Vec::new() } else { resting.clone() };
                let found = Found::One(balance);
                let contacts = scene.report(&modes, &found, &open);
                return Decided { found, contacts, modes };
            }
            many => return Decided { found: Found::Many(many), contacts: Vec::new(), modes: Vec::new() },
        }
    }
    Decided { found: refused.unwrap_or(Found::None), contacts: Vec::new(), modes: Vec::new() }
}

/// All ways to choose `count` of `of`.
fn choices(of: usize, count: usize) -> Vec<Vec<bool>> {
    if count == 0 || count == of {
        return vec![vec![count == of; of]];
    }
    (0..1u32 << of)
        .filter(|bits| bits.count_ones() as usize == count)
        .map(|bits| (0..of).map(|i| bits >> i & 1 == 1).collect())
        .collect()
}

impl Scene<'_> {
    /// The motions in which what sticks can stick, and what is to slide begins to.
    fn begin(&self, workspace: &mut Workspace, modes: Vec<Mode>, sliding: &[usize]) -> Result<Vec<Answer>, Found> {
        let mut answers: Vec<Answer> = Vec::new();
        let scalar = sliding.iter().all(|&i| self.touches[i].slip.len() == 1) && sliding.len() <= TRIED;
        let attempts = if scalar { 1usize << sliding.len() } else { 1 };
        let mut refused = None;
        for attempt in 0..attempts {
            let mut modes = modes.clone();
            if scalar {
                for (bit, &i) in sliding.iter().enumerate() {
                    modes[i] = Mode::Slides(vec![if attempt >> bit & 1 == 0 { 1.0 } else { -1.0 }], 0.0);
                }
            } else if !self.turn(workspace, &mut modes, sliding) {
                continue;
            }
            match self.solve(workspace, &modes) {
                Found::One(mut balance) => {
                    if !sliding.iter().all(|&i| self.goes_along(i, &modes[i], &balance)) {
                        continue;
                    }
                    if let Some(determinate) = self.holds(workspace, &modes, &mut balance) {
                        if modes.contains(&Mode::Sticks) {
                            self.split(workspace, &mut balance).map_err(Found::Wrong)?;
                        }
                        answers.push((modes, balance, determinate));
                    }
                }
                Found::None => {}
                other => refused = Some(other),
            }
        }
        match (answers.is_empty(), refused) {
            (true, Some(other)) => Err(other),
            _ => Ok(answers),
        }
    }

    /// Turns the directions of contacts that begin to slide until each accelerates along its own.
    fn turn(&self, workspace: &mut Workspace, modes: &mut [Mode], sliding: &[usize]) -> bool {
        for _ in 0..100 {
            let Found::One(balance) = self.solve(workspace, modes) else { return false };
            let mut turned = 0.0_f64;
            for &i in sliding {
                let (along, size) = self.tangential(i, &balance);
                if size == 0.0 {
                    return false;
                }
                let along: Vec<f64> = along.iter().map(|x| x / size).collect();
                turned = match &modes[i] {
                    Mode::Slides(before, _) => {
                        turned.max(before.iter().zip(&along).fold(0.0, |d: f64, (x, y)| d.max((x - y).abs())))
                    }
                    _ => 1.0,
                };
                modes[i] = Mode::Slides(along, 0.0);
            }
            if turned < 1e-13 {
                return true;
            }
        }
        true
    }

    /// The acceleration of slip of a contact, and its magnitude; 0 where it is rounding.
    fn tangential(&self, i: usize, balance: &Balance) -> (Vec<f64>, f64) {
        let touch = &self.touches[i];
        let n = self.evaluator.coordinates();
        let (mut along, mut scale) = (Vec::new(), 0.0);
        for (row, hold) in touch.directions.chunks_exact(n.max(1)).zip(&touch.hold) {
            let terms = row.iter().zip(&balance.motion.acceleration).map(|(d, x)| d * x);
            along.push(terms.clone().sum::<f64>() - hold);
            scale += terms.map(f64::abs).sum::<f64>() + hold.abs();
        }
        let size = along.iter().map(|x| x * x).sum::<f64>().sqrt();
        // Beside what moves at all: a contact that others hold does not begin to slide.
        let largest = balance.motion.acceleration.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        (along, if size <= 1e-9 * scale || size <= 1e-12 * largest { 0.0 } else { size })
    }

    fn goes_along(&self, i: usize, mode: &Mode, balance: &Balance) -> bool {
        let Mode::Slides(direction, _) = mode else { return true };
        let (along, size) = self.tangential(i, balance);
        let forward: f64 = along.iter().zip(direction).map(|(x, y)| x * y).sum();
        size > 0.0 && forward > (1.0 - 1e-6) * size
    }

    /// Whether some reaction lies in all cones; if so it is put into the balance. Then, whether it is the only one.
    fn holds(&self, workspace: &mut Workspace, modes: &[Mode], balance: &mut Balance) -> Option<bool> {
        let sticking: Vec<usize> = (0..modes.len()).filter(|&i| modes[i] == Mode::Sticks).collect();
        if sticking.is_empty() {
            return Some(true);
        }
        let (a, b) = self.rows(modes);
        let snapshot = Snapshot::new(&self.numbers.mass, &self.numbers.force).constrained(&a, &b);
        let audit = workspace.audit(&snapshot).ok()?;
        if !audit.conflicts.is_empty() {
            return None;
        }
        let free = null_combinations(&audit, b.len());
        let first = balance.motion.reactions.clone();
        let mut weights = vec![0.0; free.len()];
        let reactions_at = |weights: &[f64]| {
            let mut reactions = first.clone();
            for (w, z) in weights.iter().zip(&free) {
                reactions.iter_mut().zip(z).for_each(|(r, z)| *r += w * z);
            }
            reactions
        };
        // How far outside its cone each contact is, as a part of its load.
        let excess = |reactions: &[f64]| -> Vec<f64> {
            let (holding, all) = (self.holding(modes, reactions), self.spread(reactions));
            let point = self.point(&balance.multipliers, &all);
            let outside = |i: usize| {
                let contact = &self.nonideals.contacts[i];
                let needed = holding[i].iter().map(|x| x * x).sum::<f64>().sqrt();
                let limit =
                    contact.limit(self.evaluator, contact.load(self.evaluator, &self.touches[i], &point), &point);
                needed - limit
            };
            sticking.iter().map(|&i| outside(i)).collect()
        };
        let size = first.iter().chain(&self.numbers.force).fold(0.0, |m: f64, x| m.max(x.abs()));
        let inside = |excess: &[f64]| excess.iter().all(|x| *x <= 1e-10 * size);
        // Least squares of what is outside, over the reactions that the constraints leave open.
        let cost = |weights: &[f64]| -> f64 { excess(&reactions_at(weights)).iter().map(|x| x.max(0.0).powi(2)).sum() };
        let mut starts = vec![weights.clone()];
        for k in 0..free.len() {
            for side in [size, -size] {
                starts.push((0..free.len()).map(|i| if i == k { side } else { 0.0 }).collect());
            }
        }
        for from in starts {
            weights = from;
            let mut best = cost(&weights);
            let mut damping = 1e-3;
            for _ in 0..100 {
                let now = excess(&reactions_at(&weights));
                if free.is_empty() || inside(&now) || damping > 1e9 {
                    break;
                }
                let step = 1e-6 * size.max(f64::MIN_POSITIVE);
                let slopes: Vec<Vec<f64>> = (0..free.len())
                    .map(|k| {
                        let mut moved = weights.clone();
                        moved[k] += step;
                        excess(&reactions_at(&moved)).iter().zip(&now).map(|(x, y)| (x - y) / step).collect()
                    })
                    .collect();
                let Some(change) = damped(&slopes, &now, damping) else { break };
                let moved: Vec<f64> = weights.iter().zip(&change).map(|(w, d)| w + d).collect();
                let there = cost(&moved);
                if there < best {
                    (weights, best, damping) = (moved, there, damping * 0.2);
                } else {
                    damping *= 5.0;
                }
            }
            if inside(&excess(&reactions_at(&weights))) {
                break;
            }
        }
        let reactions = reactions_at(&weights);
        if !inside(&excess(&reactions)) {
            return None;
        }
        balance.holding = self.holding(modes, &reactions);
        balance.reactions = self.spread(&reactions);
        let rows = self.evaluator.rows.len();
        let felt = |z: &Vec<f64>| z[rows..].iter().any(|x| *x != 0.0);
        balance.shared = free.iter().filter(|z| felt(z)).map(|z| self.spread(z)).collect();
        Some(balance.shared.is_empty())
    }

    fn report(&self, modes: &[Mode], found: &Found, open: &[usize]) -> Vec<ContactReport> {
        let Found::One(balance) = found else { return Vec::new() };
        let point = self.point(&balance.multipliers, &balance.reactions);
        let contacts = self.nonideals.contacts.iter().enumerate();
        contacts
            .map(|(i, contact)| {
                let touch = &self.touches[i];
                let normal = contact.load(self.evaluator, touch, &point);
                let (state, force, limit) = match &modes[i] {
                    Mode::Loose => (ContactState::Resting, 0.0, None),
                    Mode::Slides(_, speed) => {
                        let state = if *speed > 0.0 { ContactState::Sliding } else { ContactState::Starting };
                        (state, contact.force(self.evaluator, *speed, normal, &point).0, None)
                    }
                    Mode::Sticks => {
                        let force = balance.holding[i].iter().map(|x| x * x).sum::<f64>().sqrt();
                        (ContactState::Sticking, force, Some(contact.limit(self.evaluator, normal, &point)))
                    }
                };
                let determinate = !open.contains(&i);
                ContactReport {
                    name: contact.name.clone(),
                    state,
                    slip: touch.slip.clone(),
                    normal,
                    force,
                    limit,
                    determinate,
                }
            })
            .collect()
    }
}

/// A damped step of Gauss and Newton on what is outside: (JᵀJ + d·diag) x = −Jᵀr, by the kernel.
fn damped(slopes: &[Vec<f64>], residual: &[f64], damping: f64) -> Option<Vec<f64>> {
    let k = slopes.len();
    let outside: Vec<f64> = residual.iter().map(|r| r.max(0.0)).collect();
    let active = |i: usize| if residual[i] > 0.0 { 1.0 } else { 0.0 };
    let (mut normal, mut force) = (vec![0.0; k * k], vec![0.0; k]);
    for p in 0..k {
        for q in 0..k {
            normal[p * k + q] = (0..residual.len()).map(|i| active(i) * slopes[p][i] * slopes[q][i]).sum();
        }
        force[p] = -(0..residual.len()).map(|i| slopes[p][i] * outside[i]).sum::<f64>();
    }
    let size = (0..k).map(|p| normal[p * k + p]).fold(0.0, f64::max);
    (0..k).for_each(|p| normal[p * k + p] += damping * size + f64::MIN_POSITIVE);
    let solved: Result<_, MotionError> = crate::solve(&Snapshot::new(&normal, &force));
    solved.ok().map(|motion| motion.acceleration)
}
