//! Random mechanisms with contacts, compared with a separate integration: fixed steps, changes located by bisection, and modes of
//! contacts decided by trying all of them.
//!
//! A [`Scenario`] is written twice by hand: as a [`System`] for the [`Reference`], and as the text of a model for the library.

mod blow;
mod jet;
mod modes;
mod reference;
mod report;
mod scenario;
mod sliding;
mod system;
mod touching;

pub use jet::Jet;
pub use modes::{Mode, Unclear};
pub use reference::Reference;
pub use report::compare_contacts;
pub use scenario::{History, Scenario};
pub use system::{Contact, Scalar, State, System};

use crate::run::{RECORDS, Refusal, Runner};
use crate::units::number;
use holonom::{language::from_text, mechanics::derive};
use holonom_random::Random;
use scenario::STEP;

/// A relative change of start velocities, to see how the motion answers.
const NUDGE: f64 = 1e-6;
/// A motion that magnifies changes by more is compared over half the time.
const CHAOTIC: f64 = 1000.0;
/// A reference that changes by more with half the step has missed something, such as a contact that is grazed.
const POOR: f64 = 1e-7;
/// The tolerance of the library's run.
const RTOL: f64 = 1e-10;
/// What the library's run may be off by for each unit of growth.
const ALLOWED: f64 = 2e-9;
/// Draws until a reference is clear.
const DRAWS: usize = 200;
/// A horizon is halved so many times at most.
const HALVINGS: usize = 8;

/// A kind of mechanism.
pub struct ContactKind {
    /// Its name.
    pub name: &'static str,
    /// Whether it has contacts that may open.
    pub one_sided: bool,
    draw: fn(&mut Random) -> Scenario,
}

/// All of them.
pub const CONTACT_KINDS: &[ContactKind] = &[
    ContactKind { name: "incline", one_sided: false, draw: sliding::incline },
    ContactKind { name: "wire", one_sided: false, draw: sliding::wire },
    ContactKind { name: "blocks", one_sided: false, draw: sliding::blocks },
    ContactKind { name: "cart", one_sided: false, draw: sliding::cart },
    ContactKind { name: "rod", one_sided: false, draw: sliding::rod },
    ContactKind { name: "bounce", one_sided: true, draw: touching::bounce },
    ContactKind { name: "hill", one_sided: true, draw: touching::hill },
    ContactKind { name: "rope", one_sided: true, draw: touching::rope },
    ContactKind { name: "elbow", one_sided: true, draw: touching::elbow },
    ContactKind { name: "buffers", one_sided: true, draw: touching::buffers },
    ContactKind { name: "feet", one_sided: true, draw: touching::feet },
];

/// Whether the library reads one-sided constraints.
pub fn one_sided_is_read() -> bool {
    let text =
        "coord y\nkinetic y'^2/2\nconstraint floor: y >= 0, restitution = 0.5\nstop end: y in 0..2\nstart y = 1\n";
    from_text("probe.holo", text).model.is_some_and(|model| derive::derive(model).is_ok())
}

/// A scenario with what the reference says of it.
pub struct Compared {
    /// The kind it was drawn from.
    pub kind: &'static str,
    /// The scenario.
    pub scenario: Scenario,
    /// Until when it is compared.
    pub horizon: f64,
    /// How much the motion magnifies changes of its start.
    pub growth: f64,
    /// What the reference changes by with half the step.
    pub spread: f64,
    /// What contacts did.
    pub history: History,
    rows: Vec<Vec<f64>>,
}

fn apart(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    a.iter().flatten().zip(b.iter().flatten()).fold(0.0, |most, (x, y)| most.max((x - y).abs()))
}

/// The kind of a seed: each has its turn, so that a seed stays the same whatever the library reads.
pub fn contact_kind(seed: u64) -> &'static ContactKind {
    &CONTACT_KINDS[(seed % CONTACT_KINDS.len() as u64) as usize]
}

/// The scenario of a seed.
///
/// # Errors
/// No draw gave a clear motion.
pub fn draw_contact(seed: u64) -> Result<Compared, String> {
    let (kind, mut random) = (contact_kind(seed), Random::new(seed));
    for _ in 0..DRAWS {
        let scenario = (kind.draw)(&mut random);
        if let Some(found) = refer(kind.name, scenario) {
            return Ok(found);
        }
    }
    Err(format!("no clear motion of kind `{}` in {DRAWS} draws", kind.name))
}

fn refer(kind: &'static str, scenario: Scenario) -> Option<Compared> {
    let mut horizon = scenario.horizon;
    for _ in 0..HALVINGS {
        let (coarse, _) = scenario.track(horizon, STEP, 0.0).ok()?;
        let (rows, history) = scenario.track(horizon, STEP / 2.0, 0.0).ok()?;
        let spread = apart(&coarse, &rows);
        let growth = apart(&scenario.track(horizon, STEP, NUDGE).ok()?.0, &coarse) / NUDGE;
        if growth <= CHAOTIC && spread <= POOR && scenario.is_steady(horizon, &history) {
            return Some(Compared { kind, scenario, horizon, growth, spread, history, rows });
        }
        horizon /= 2.0;
    }
    None
}

impl Compared {
    /// The library's run over what is allowed, with the worst place in words.
    ///
    /// # Errors
    /// The library refuses it, or its run fails.
    pub fn examine(&self) -> Result<(f64, String), Refusal> {
        let track = Runner::new(&self.scenario.draft)?.run(self.horizon, RTOL, 0.0)?;
        let allowed = ALLOWED * (1.0 + self.growth) + 10.0 * self.spread;
        let mut worst = (0.0, String::new());
        for (record, (ours, theirs)) in self.rows.iter().zip(&track.rows).enumerate() {
            for ((x, y), name) in ours.iter().zip(theirs).zip(&self.scenario.draft.outputs) {
                let ratio = (x - y).abs() / allowed;
                if ratio > worst.0 {
                    let t = self.horizon * record as f64 / RECORDS as f64;
                    worst = (ratio, format!("{name} at t = {t:.4} is {x:.12}, the library has {y:.12}"));
                }
            }
        }
        Ok(worst)
    }

    /// The model with its run.
    pub fn text(&self) -> String {
        let every = self.horizon / RECORDS as f64;
        let (horizon, every) = (number(self.horizon), number(every));
        format!("{}run        until {horizon}, every {every}, rtol = {RTOL:e}\n", self.scenario.draft.text())
    }
}
