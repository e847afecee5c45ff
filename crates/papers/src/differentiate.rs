//! Constraints, differentiated: random ones of every kind, by the program and by power series in time.
//!
//! Some rows of every model say nothing new: a constraint twice over, a sum of two, and the φ̇ = 0 of a φ = 0 written
//! out. So A has fewer independent rows than rows.

use crate::along;
use crate::ledger::Ledger;
use crate::numbers::{column, matrix, seeded, unit};
use crate::outcome::{EntryOutcome, apart};
use crate::polynomial::{Polynomial, State, evaluate};
use holonom::language::from_text;
use holonom::mechanics::compile::CompiledSystem;
use holonom::mechanics::derive::{ConstraintKind, Equations, derive};
use holonom::symbols::expr::Id;
use holonom::{Snapshot, simulate::analysis};
use holonom_random::Random;
use holonom_reference::{Cut, singular_values};

/// What is claimed about constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// φ(q, t) = 0 is read as holonomic, and is what was written.
    Position,
    /// ψ(q, q̇, t) = 0 is read as nonholonomic, and is what was written.
    Velocity,
    /// m constraints of both kinds, of which k are independent.
    Constraints,
    /// A q̈ − b is φ̈ or ψ̇, whatever q̈ is; A has rank k, and its rows are consistent.
    Acceleration,
    /// The same, with constraints among them that contain accelerations from the beginning.
    EveryKind,
    /// Along A q̈ = b, φ, φ̇ and ψ that start at zero stay there.
    Equivalence,
    /// The same without asking ψ to start at zero.
    EquivalenceWithoutPsi,
    /// Start values are kept, and what follows from the constraints follows.
    Start,
}

impl Level {
    /// Whether it says what is given, not what follows.
    pub(crate) fn is_given(self) -> bool {
        matches!(self, Self::Position | Self::Velocity | Self::Constraints | Self::Start)
    }
}

const MODELS: u64 = 32;

/// The varieties of constraints that the papers name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variety {
    /// Holonomic, without t.
    Scleronomic,
    /// Holonomic, with t.
    Rheonomic,
    /// Linear in the velocities, without a term that has none.
    Catastatic,
    /// Linear in the velocities, with such a term.
    Acatastatic,
    /// Any function of t, q and q̇.
    Nonlinear,
    /// Linear in the accelerations.
    Accelerated,
}

impl Variety {
    /// Those that are differentiated.
    const DIFFERENTIATED: [Variety; 5] =
        [Self::Scleronomic, Self::Rheonomic, Self::Catastatic, Self::Acatastatic, Self::Nonlinear];

    fn kind(self) -> ConstraintKind {
        match self {
            Self::Scleronomic | Self::Rheonomic => ConstraintKind::Holonomic,
            Self::Catastatic | Self::Acatastatic | Self::Nonlinear => ConstraintKind::Velocity,
            Self::Accelerated => ConstraintKind::Acceleration,
        }
    }

    fn draw(self, random: &mut Random, n: usize) -> Polynomial {
        let places = |from: usize, to: usize| (from..to).collect::<Vec<usize>>();
        let (q, v, a) = (places(1, n + 1), places(n + 1, 2 * n + 1), places(2 * n + 1, 3 * n + 1));
        let (still, moving) = (places(0, n + 1), places(0, 2 * n + 1));
        match self {
            Self::Scleronomic => Polynomial::linear(random, &q, &q),
            Self::Rheonomic => Polynomial::linear(random, &q, &still).plus(&Polynomial(vec![(0.75, vec![0, 1])])),
            Self::Catastatic => Polynomial::linear(random, &v, &still),
            Self::Acatastatic => Polynomial::linear(random, &v, &still).plus(&Polynomial::draw(random, &still)),
            Self::Nonlinear => Polynomial::linear(random, &v, &moving).plus(&Polynomial::draw(random, &moving)),
            Self::Accelerated => Polynomial::linear(random, &a, &still).plus(&Polynomial::draw(random, &moving)),
        }
    }
}

/// A model with constraints, and one state of it.
struct Trial {
    n: usize,
    constraints: Vec<(ConstraintKind, Polynomial)>,
    /// How many of them are independent.
    independent: usize,
    state: State,
    /// What is added to all that the program finds: not zero where a check must notice it.
    off: f64,
}

impl Trial {
    fn new(level: Level, seed: u64, off: f64) -> Self {
        let mut random = seeded(500 + seed);
        loop {
            let trial = Self::draw(level, seed, off, &mut random);
            if trial.is_tame() {
                return trial;
            }
        }
    }

    fn draw(level: Level, seed: u64, off: f64, random: &mut Random) -> Self {
        let n = 3 + random.index(3);
        let mut varieties: Vec<Variety> =
            (0..2).map(|i| Variety::DIFFERENTIATED[(seed as usize + 2 * i) % 5]).collect();
        if level == Level::EveryKind {
            varieties.push(Variety::Accelerated);
        }
        let mut constraints: Vec<(ConstraintKind, Polynomial)> =
            varieties.iter().map(|variety| (variety.kind(), variety.draw(random, n))).collect();
        let independent = constraints.len();
        let (first, second) = (constraints[0].clone(), constraints[1].clone());
        constraints.push((first.0, first.1.scaled(2.0)));
        // What is differentiated equally often may be added.
        let velocity = |(kind, all): &(ConstraintKind, Polynomial)| match kind {
            ConstraintKind::Holonomic => all.rate(n),
            _ => all.clone(),
        };
        constraints.push((ConstraintKind::Velocity, velocity(&first).plus(&velocity(&second).scaled(0.5))));
        Self { n, constraints, independent, state: State::draw(random, n), off }
    }

    /// φ, φ̇ and φ̈, or ψ and ψ̇, or the constraint itself, by power series; what is differentiated most often last.
    fn series(&self, (kind, all): &(ConstraintKind, Polynomial)) -> (Vec<f64>, f64) {
        let [value, rate, half] = all.series(&self.state.places());
        match kind {
            ConstraintKind::Holonomic => (vec![value, rate], 2.0 * half),
            ConstraintKind::Velocity => (vec![value], rate),
            ConstraintKind::Acceleration => (Vec::new(), value),
        }
    }

    /// The independent rows are far from dependent: their slopes along each q̈, by power series.
    fn is_tame(&self) -> bool {
        let rates = |accelerations: Vec<f64>| {
            let state = State { accelerations, ..self.state.clone() };
            let trial = Self { state, constraints: self.constraints.clone(), ..*self };
            trial.constraints[..self.independent].iter().map(|row| trial.series(row).1).collect::<Vec<f64>>()
        };
        let rest = rates(vec![0.0; self.n]);
        let slopes: Vec<f64> = (0..self.n)
            .flat_map(|j| rates((0..self.n).map(|i| f64::from(i == j)).collect()).into_iter().zip(rest.clone()))
            .map(|(there, here)| there - here)
            .collect();
        let values = singular_values(&matrix(self.n, self.independent, &slopes).to_f64());
        values.last().is_some_and(|least| *least > 0.1 * values[0])
    }

    fn text(&self) -> String {
        let coordinates: Vec<String> = (1..=self.n).map(|i| format!("q{i}")).collect();
        let energy: Vec<String> = coordinates.iter().map(|name| format!("{name}'^2/2")).collect();
        let mut text = format!("coord {}\nkinetic {}\n", coordinates.join(", "), energy.join(" + "));
        for (index, (_, all)) in self.constraints.iter().enumerate() {
            text += &format!("constraint c{index}: {} = 0\n", all.text(self.n));
        }
        text
    }

    fn check(&self, level: Level, ledger: &mut Ledger) {
        let model = from_text("random.holo", &self.text()).model;
        let Some(equations) = model.and_then(|model| derive(model).ok()).map(|derived| derived.value) else {
            return ledger.holds(false);
        };
        let value = |id: Id| evaluate(&equations, &self.state, id) + self.off;
        ledger.holds(equations.rows.len() == self.constraints.len());
        for (row, constraint) in equations.rows.iter().zip(&self.constraints) {
            let (kind, all) = constraint;
            ledger.holds(row.kind == *kind && row.rheonomic == all.contains_time());
            let (below, rate) = self.series(constraint);
            let mut same = |ours: Option<f64>, theirs: f64| {
                ledger.beside(&column(&[ours.unwrap_or(f64::NAN)]), &column(&[theirs]), 1.0);
            };
            match (level, kind) {
                (Level::Position | Level::Constraints, ConstraintKind::Holonomic) => {
                    same(row.position.map(value), below[0])
                }
                (Level::Velocity | Level::Constraints, ConstraintKind::Velocity) => {
                    same(row.velocity.map(value), below[0])
                }
                (Level::Acceleration | Level::EveryKind | Level::Equivalence, _) => {
                    // Below (5), φ̇ is what the program has for it, too.
                    if *kind == ConstraintKind::Holonomic {
                        same(row.velocity.map(value), below[1]);
                    }
                    let reached: f64 = row.a.iter().map(|&(i, id)| value(id) * self.state.accelerations[i]).sum();
                    same(Some(reached - value(row.b)), rate);
                }
                _ => {}
            }
        }
        if !matches!(level, Level::Position | Level::Velocity) {
            self.ranks(&equations, ledger);
        }
    }

    /// A has as many independent rows as there are independent constraints, and all of them are consistent.
    fn ranks(&self, equations: &Equations, ledger: &mut Ledger) {
        let (n, m) = (self.n, self.constraints.len());
        let value = |id: Id| evaluate(equations, &self.state, id) + self.off;
        let mut rows = vec![0.0; m * n];
        for (index, row) in equations.rows.iter().enumerate() {
            row.a.iter().for_each(|&(i, id)| rows[index * n + i] = value(id));
        }
        let right: Vec<f64> = equations.rows.iter().map(|row| value(row.b)).collect();
        let rank = Cut::Relative(1e-9).rank(&singular_values(&matrix(m, n, &rows)));
        ledger.holds(rank == self.independent && m > rank);
        let (mass, force) = (unit(n), vec![0.0; n]);
        let motion = holonom::solve(&Snapshot::new(&mass, &force).constrained(&rows, &right));
        ledger.holds(motion.is_ok_and(|found| found.consistent && found.constraint_rank.rank == self.independent));
    }
}

/// Start values of a wheel: what is given is kept, and y follows.
fn start(seed: u64, off: f64, ledger: &mut Ledger) {
    let mut random = seeded(900 + seed);
    let [angle, speed, slope] = [(); 3].map(|()| random.uniform(0.1, 1.0));
    let text = format!(
        "param s = {slope}\ncoord theta, y\nkinetic theta'^2\npotential -y\nconstraint no_slip: y = s*theta\n\
         start theta = {angle}, theta' = {speed}\n"
    );
    let equations =
        from_text("start.holo", &text).model.and_then(|model| derive(model).ok()).map(|derived| derived.value);
    let Some(equations) = equations else { return ledger.holds(false) };
    let look = analysis::CheckOptions { states: 0, ..analysis::CheckOptions::default() };
    let report = analysis::check(&CompiledSystem::new(equations.clone()), &look).value;
    let found: Vec<f64> = report.coordinates.iter().flat_map(|c| [c.position + off, c.velocity + off]).collect();
    ledger.equal(&column(&found), &column(&[angle, speed, slope * angle, slope * speed]));
}

/// Holds a claim about constraints against random ones.
pub(crate) fn check(level: Level) -> EntryOutcome {
    check_off(level, 0.0)
}

/// The same with something added to all that the program finds.
pub(crate) fn check_off(level: Level, off: f64) -> EntryOutcome {
    let mut ledger = Ledger::default();
    let mut stays = Ledger::default();
    for seed in 0..MODELS {
        match level {
            Level::Start => start(seed, off, &mut ledger),
            Level::EquivalenceWithoutPsi => along::stays(seed, false, off, &mut stays),
            Level::Equivalence => {
                along::stays(seed, true, off, &mut stays);
                Trial::new(level, seed, off).check(level, &mut ledger);
            }
            _ => Trial::new(level, seed, off).check(level, &mut ledger),
        }
    }
    let what = match level {
        Level::Start => "start values of random wheels, kept and completed",
        Level::Position => "random φ(q, t), with and without t, read and evaluated",
        Level::Velocity => "random ψ(q, q̇, t), linear in q̇ and not, read and evaluated",
        Level::Constraints => "random φ(q, t) and ψ(q, q̇, t), two of four independent, read and evaluated",
        Level::Acceleration => "A q̈ − b of random φ(q, t) and ψ(q, q̇, t), two of four independent, beside power series",
        Level::EveryKind => {
            "A q̈ − b of random constraints on positions, velocities and accelerations, three of five independent, beside \
             power series"
        }
        Level::Equivalence | Level::EquivalenceWithoutPsi => {
            "A q̈ − b beside power series; random φ(q, t) and ψ(q, q̇, t) along integrated motions with A q̈ = b"
        }
    };
    let worst = ledger.worst.max(stays.worst);
    EntryOutcome {
        holds: ledger.worst <= 1e-11 && stays.worst <= along::TOLERANCE,
        evidence: format!("{} in {MODELS} models: {what}", apart(worst)),
        as_printed: None,
        worst,
        identical: None,
        ours: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every variety is met, in a first and in a second constraint.
    #[test]
    fn all_varieties_occur() {
        for place in 0..2 {
            let met: Vec<Variety> =
                (0..MODELS as usize).map(|seed| Variety::DIFFERENTIATED[(seed + 2 * place) % 5]).collect();
            assert!(Variety::DIFFERENTIATED.iter().all(|variety| met.contains(variety)));
        }
    }
}
