//! Impacts: velocities that jump where one-sided rows close, several at once, with friction.
//!
//! M(v⁺ − v⁻) = Aᵀp with p ≥ 0 at rows that close, γ⁺ + e γ⁻ ≥ 0, and p = 0 where that is more than zero (Newton's law with
//! Signorini's conditions, as Moreau puts it). Friction has impulses in the cone of the normal one, against the slip that is left.
//! Rows that rest take part at once where their restitution is 0, as the far foot of a rod does; the others are struck by what the
//! first round leaves, which is how a row of touching balls passes a blow on. Energy never grows: a restitution that would add some is
//! taken less.

use super::response::Response;
use super::solver::{Friction, Load, Member, Problem, Verdict, solve};
use super::stage::{Stage, Undone};
use super::touch::{AT_REST, Bears};
use crate::compile::{Group, Inputs};
use holonom_elementary as elementary;

/// What is left of rates that large impulses cancel, as a part of what these make of them.
const ROUNDED: f64 = 64.0 * f64::EPSILON;
/// Sweeps over rows that turn, and what may be off of each, as a part of its terms.
const SWEEPS: usize = 200;
const TURNS: f64 = 1e-15;
/// Rounds in which restitution counts; what is still closing after them ends without.
const ROUNDS: usize = 2000;
/// Energy that an impact adds below this part of what passes through its contacts is rounding.
const ADDED: f64 = 1e-12;
/// Halvings of the interval in which the restitution lies that adds no energy.
const HALVINGS: usize = 40;

/// What an impact did.
#[derive(Clone, Debug, Default)]
pub struct Struck {
    /// The impulses of the rows that were struck, but those that move nothing, in the order of the equations: (row, impulse).
    pub impulses: Vec<(usize, f64)>,
    /// For each row that was asked about, what rounding of its impulses may leave of its rate: between heavy bodies a light one is struck
    /// from both sides with far more than it keeps.
    pub rounding: Vec<f64>,
}

/// What a row that touches has taken of an impact so far.
#[derive(Clone, Debug, Default)]
struct Taken {
    impulse: f64,
    /// Whether that moves it by more than rounding.
    is_felt: bool,
    /// What rounding of impulses may leave of its rate.
    rounding: f64,
}

/// A unit impulse at a contact: what it belongs to, and the velocity along it.
struct Along {
    kind: Kind,
    velocity: f64,
    /// What the velocity is measured by.
    size: f64,
}

#[derive(Clone, Copy)]
enum Kind {
    /// A one-sided row, by place among those that touch.
    Row(usize),
    /// A component of the slip of a contact.
    Slip(usize),
}

impl Stage {
    /// How fast one-sided rows close or part at a state: for each (velocity of the gap, what it is measured by).
    pub fn gap_rates(&mut self, t: f64, q: &[f64], v: &[f64], rows: &[usize]) -> Vec<(f64, f64)> {
        let mut drift = self.system.values(Group::VelocityDrift);
        self.system.at(t, q, v, &mut self.dynamics);
        self.system.at(t, q, v, &mut drift);
        let rate = |&row: &usize| {
            let moved: f64 = self.row(row).map(|(j, a)| a * v[j]).sum();
            let size: f64 = self.row(row).map(|(j, a)| (a * v[j].abs().max(self.speeds[j])).abs()).sum();
            let rate = drift.residual()[row];
            (rate, size + (rate - moved).abs())
        };
        rows.iter().map(rate).collect()
    }

    /// By how much coordinates of these sizes change the gaps of one-sided rows at a state, the largest of them for each row.
    pub fn gap_sizes(&mut self, t: f64, q: &[f64], v: &[f64], rows: &[usize], sizes: &[f64]) -> Vec<f64> {
        self.system.at(t, q, v, &mut self.dynamics);
        let largest = |&row: &usize| self.row(row).fold(0.0, |most: f64, (j, a)| most.max((a * sizes[j]).abs()));
        rows.iter().map(largest).collect()
    }

    /// How fast the velocities of gaps change at the state whose rates were found last: for each (second derivative of the gap, what it is
    /// measured by).
    pub fn gap_accelerations(&self, acceleration: &[f64], rows: &[usize]) -> Vec<(f64, f64)> {
        let bend = |&row: &usize| {
            let terms = self.row(row).map(|(j, a)| a * acceleration[j]);
            let b = self.dynamics.b()[row];
            (terms.clone().sum::<f64>() - b, terms.map(f64::abs).sum::<f64>() + b.abs())
        };
        rows.iter().map(bend).collect()
    }

    /// The acceleration that velocities need to stay along rows that turn, these and those in force, at the state whose rates were found last:
    /// A a = b, by sweeps from row to row.
    pub fn turning(&self, rows: &[usize]) -> Vec<f64> {
        let mut acceleration = vec![0.0; self.system.coordinates()];
        let all = || self.rows.iter().chain(rows).copied();
        for _ in 0..SWEEPS {
            let mut changes = false;
            for row in all() {
                let (off, size) = self.gap_accelerations(&acceleration, &[row])[0];
                let squared: f64 = self.row(row).map(|(_, a)| a * a).sum();
                if off.abs() > TURNS * size && squared > 0.0 {
                    self.row(row).for_each(|(j, a)| acceleration[j] -= off / squared * a);
                    changes = true;
                }
            }
            if !changes {
                break;
            }
        }
        acceleration
    }

    /// Makes velocities jump at a state where one-sided rows touch, (row, restitution) each, until none of them closes any more.
    pub fn strike(
        &mut self,
        (t, q): (f64, &[f64]),
        v: &mut [f64],
        touching: &[(usize, f64)],
    ) -> Result<Struck, Undone> {
        let rows: Vec<usize> = touching.iter().map(|one| one.0).collect();
        let mut taken = vec![Taken::default(); rows.len()];
        for round in 0..=2 * ROUNDS {
            let rates = self.gap_rates(t, q, v, &rows);
            let closes = |place: usize| rates[place].0 < -(AT_REST * rates[place].1).max(taken[place].rounding);
            if !(0..rows.len()).any(closes) {
                break;
            }
            let restitution = |place: usize| if round < ROUNDS { touching[place].1 } else { 0.0 };
            let part: Vec<(usize, f64)> = (0..rows.len())
                .filter(|&place| closes(place) || restitution(place) == 0.0)
                .map(|place| (place, if closes(place) { restitution(place) } else { 0.0 }))
                .collect();
            self.round((t, q), v, &rows, &part, &mut taken)?;
        }
        let struck = rows.into_iter().zip(&taken).filter(|(_, taken)| taken.is_felt);
        let impulses = struck.map(|(row, taken)| (row, taken.impulse)).collect();
        Ok(Struck { impulses, rounding: taken.iter().map(|taken| taken.rounding).collect() })
    }

    /// One round: some of the rows that touch, (place, restitution), and all frictions in force.
    fn round(
        &mut self,
        (t, q): (f64, &[f64]),
        v: &mut [f64],
        rows: &[usize],
        part: &[(usize, f64)],
        taken: &mut [Taken],
    ) -> Result<(), Undone> {
        let (mut response, along) = self.answers((t, q), v, rows, part)?;
        response.acceleration.copy_from_slice(v);
        let before: Vec<f64> = along.iter().map(|one| one.velocity).collect();
        // ½ Σ p (γ⁺ + γ⁻), by Carnot's theorem.
        let gain = |x: &[f64]| {
            let after: Vec<f64> = (0..x.len())
                .map(|l| before[l] + (0..x.len()).map(|k| response.between(l, k) * x[k]).sum::<f64>())
                .collect();
            let terms = x.iter().zip(before.iter().zip(&after)).map(|(x, (b, a))| 0.5 * x * (a + b));
            let size: f64 = x.iter().zip(&before).map(|(x, b)| (x * b).abs()).sum();
            (terms.sum::<f64>(), size)
        };
        let adds = |x: &[f64]| {
            let (gain, size) = gain(x);
            gain > ADDED * size
        };
        let with = |share: f64| self.impulses(&response, &along, part, share);
        let mut found = with(1.0)?;
        if adds(&found) {
            let (mut low, mut high) = (0.0, 1.0);
            found = with(0.0)?;
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                let other = with(middle)?;
                if adds(&other) {
                    high = middle;
                } else {
                    (low, found) = (middle, other);
                }
            }
        }
        v.copy_from_slice(&response.acceleration_under(&found));
        for (l, (one, impulse)) in along.iter().zip(&found).enumerate() {
            if let Kind::Row(place) = one.kind {
                let moved: f64 = found.iter().enumerate().map(|(k, x)| (response.between(l, k) * x).abs()).sum();
                taken[place].impulse += impulse;
                taken[place].is_felt |= (response.between(l, l) * impulse).abs() > AT_REST * one.size;
                taken[place].rounding += ROUNDED * moved;
            }
        }
        Ok(())
    }

    /// How velocities answer to unit impulses, with the rows in force held.
    fn answers(
        &mut self,
        (t, q): (f64, &[f64]),
        v: &[f64],
        rows: &[usize],
        part: &[(usize, f64)],
    ) -> Result<(Response, Vec<Along>), Undone> {
        let (n, all) = (v.len(), self.system.rows());
        let places: Vec<usize> = part.iter().map(|one| rows[one.0]).collect();
        let rates = self.gap_rates(t, q, v, &places);
        self.touches.evaluate(&self.system, t, q, v);
        let contacts = self.contacts(&places);
        let split = self.still(&places, contacts.iter().copied())?;
        let mut response = Response::new(&split.parts, vec![0.0; n], vec![0.0; all]);
        let mut along = Vec::new();
        for ((&(place, _), &row), (velocity, size)) in part.iter().zip(&places).zip(rates) {
            let direction = self.row(row).collect();
            response.push(split.answer(&mut self.memory, direction).on_rows(&self.rows, Some(row)));
            along.push(Along { kind: Kind::Row(place), velocity, size });
        }
        let none = vec![0.0; all];
        self.touches
            .evaluate_laws(&self.system, &Inputs { t, q, v, reaction: &none, multiplier: &none, ..Inputs::default() });
        for which in contacts {
            for (component, velocity) in self.touches.clean_slip(which, v, &self.speeds).into_iter().enumerate() {
                let direction: Vec<(usize, f64)> = self.touches.direction(which, component).collect();
                let size: f64 = direction.iter().map(|&(j, d)| (d * v[j].abs().max(self.speeds[j])).abs()).sum();
                response.push(split.answer(&mut self.memory, direction).on_rows(&self.rows, None));
                along.push(Along { kind: Kind::Slip(which), velocity, size: size + velocity.abs() });
            }
        }
        Ok((response, along))
    }

    /// The impulses with a share of each restitution.
    fn impulses(
        &self,
        response: &Response,
        along: &[Along],
        part: &[(usize, f64)],
        share: f64,
    ) -> Result<Vec<f64>, Undone> {
        let count = along.len();
        // Impulses are in proportion to velocities, which may be too small for their squares.
        let fastest = along.iter().fold(0.0, |most: f64, one| most.max(one.velocity.abs()));
        let unit = if fastest > 0.0 && fastest.is_finite() { elementary::power_of_two_below(fastest) } else { 1.0 };
        let mut problem = Problem { unknowns: count, ..Problem::default() };
        let mut restitutions = part.iter().map(|one| share * one.1);
        for (l, one) in along.iter().enumerate() {
            let factor = match one.kind {
                Kind::Row(_) => 1.0 + restitutions.next().unwrap_or(0.0),
                Kind::Slip(_) => 1.0,
            };
            problem.motion.push(factor * (one.velocity / unit));
            problem.motion_size.push(factor * (one.size / unit));
            problem.response.extend((0..count).map(|k| response.between(l, k)));
        }
        let mut at = 0;
        while at < count {
            match along[at].kind {
                Kind::Row(_) => {
                    problem.members.push(Member::OneSided { at });
                    at += 1;
                }
                Kind::Slip(which) => {
                    let components = self.touches.components(which);
                    let load = self.impulsive_load(response, which, &mut problem);
                    // A law that falls with the load has come to zero under that of a blow.
                    let coefficient = self.touches.starting(which).coefficient.max(0.0);
                    let limit = self.touches.limit(which).coefficient.max(0.0);
                    problem.members.push(Member::Friction(Friction {
                        at,
                        components,
                        load,
                        sliding: None,
                        constant: 0.0,
                        coefficient,
                        limit_constant: 0.0,
                        limit,
                    }));
                    at += components;
                }
            }
        }
        match solve(&problem) {
            Verdict::One(answer) | Verdict::Undecided(Some(answer)) => {
                Ok(answer.forces.iter().map(|impulse| impulse * unit).collect())
            }
            // Impulses that differ and leave the same velocities were one answer; these do not.
            Verdict::Several(answers) => Err(Undone::Several(answers.iter().map(|_| Vec::new()).collect())),
            Verdict::None => Err(Undone::None),
            Verdict::Undecided(None) => Err(Undone::Undecided),
        }
    }

    /// The load of a contact by impulses: what its reactions are made of, without what forces alone would press.
    fn impulsive_load(&self, response: &Response, which: usize, problem: &mut Problem) -> Load {
        let mut add = |slopes: &[(usize, f64)]| {
            problem.load.push(0.0);
            problem.load_size.push(0.0);
            let change = |k: usize| slopes.iter().map(|&(row, x)| x * response.change(k, row)).sum::<f64>();
            problem.load_response.extend((0..problem.unknowns).map(change));
            problem.load.len() - 1
        };
        match self.touches.bears(which) {
            Bears::Magnitude(components) => {
                let rows: Vec<usize> = components.iter().map(|slopes| add(slopes)).collect();
                let first = rows.first().copied().unwrap_or(0);
                Load::Magnitude(first..first + rows.len())
            }
            Bears::Given(_, rows, slopes) => {
                let slopes: Vec<(usize, f64)> = rows.iter().copied().zip(slopes.iter().copied()).collect();
                Load::Positive(add(&slopes))
            }
        }
    }
}
