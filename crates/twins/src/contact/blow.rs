//! Blows: velocities that jump where contacts close, with impulses of friction. As for forces, all combinations of modes are tried.

use super::modes::{Mode, Motion, Rows, Unclear, ZERO, answer, combinations, the_only_one};
use super::system::{State, System, solve};

/// Energy that a blow adds below this part of what passes through its contacts is rounding.
const ADDED: f64 = 1e-12;
/// Halvings of the interval in which the restitution lies that adds no energy.
const HALVINGS: usize = 60;

/// A moment at which contacts are struck.
struct Moment<'a> {
    system: &'a System,
    state: &'a State,
    rows: Rows,
    mass: Vec<Vec<f64>>,
    momentum: Vec<f64>,
    closed: Vec<bool>,
}

/// Velocities after a blow at everything that is closed. Impulses p ≥ 0 on what may open leave its rate at or above −e times what it was, at it
/// where p > 0; guides keep their rate at zero. Impulses of friction are within the cone of p: the slip after the blow is zero, or they are at
/// the limit of sliding, against it. Where restitution and friction together would add energy, restitution is less, for all alike.
pub fn blow(system: &System, state: &State) -> Result<Vec<f64>, Unclear> {
    let moment = Moment::at(system, state)?;
    let whole = moment.with(1.0)?;
    if !moment.adds_energy(&whole) {
        return Ok(whole.acceleration);
    }
    let (mut low, mut high, mut found) = (0.0, 1.0, moment.with(0.0)?);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        let other = moment.with(middle)?;
        if moment.adds_energy(&other) { high = middle } else { (low, found) = (middle, other) }
    }
    Ok(found.acceleration)
}

/// Velocities after all blows that are left of a series, at the state that a fall without them leads to. One blow without restitution has their
/// impulses together, v(1 + e)/(1 − e), and friction that holds or slides at each of them does so at it.
pub fn blow_of_the_rest(system: &System, state: &State) -> Result<Vec<f64>, Unclear> {
    Ok(Moment::at(system, state)?.with(0.0)?.acceleration)
}

impl<'a> Moment<'a> {
    fn at(system: &'a System, state: &'a State) -> Result<Moment<'a>, Unclear> {
        let (mass, _) = system.equations(state);
        let rows = Rows::at(system, state);
        let closed: Vec<bool> =
            system.contacts.iter().zip(&rows.gaps).map(|(c, gap)| !c.one_sided || gap.value <= ZERO).collect();
        let momentum = mass.iter().map(|row| row.iter().zip(&state.v).map(|(m, v)| m * v).sum()).collect();
        let moment = Moment { system, state, rows, mass, momentum, closed };
        if moment.is_a_choice() { Err(Unclear::Blow) } else { Ok(moment) }
    }

    /// The rate at which a gap is left that is struck, with a share of its restitution.
    fn target(&self, i: usize, share: f64) -> f64 {
        -share * self.system.contacts[i].restitution * self.rows.gaps[i].rate.min(0.0)
    }

    /// The rate of a gap with other velocities.
    fn rate(&self, i: usize, velocity: &[f64]) -> f64 {
        self.rows.gaps[i].gradient.iter().zip(velocity).map(|(g, v)| g * v).sum()
    }

    /// The slip with other velocities; zero where there is no friction.
    fn slip(&self, i: usize, velocity: &[f64]) -> f64 {
        let Some(slip) = &self.rows.slips[i] else { return 0.0 };
        let changes = velocity.iter().zip(&self.state.v).zip(&slip.gradient);
        slip.value + changes.map(|((after, before), g)| g * (after - before)).sum::<f64>()
    }

    /// Velocities and impulses with a share of each restitution. What can stick does: a limit of rest above the friction of sliding would
    /// allow both.
    fn with(&self, share: f64) -> Result<Motion, Unclear> {
        let still = |i: usize| {
            let moved: f64 = self.rows.slips[i]
                .as_ref()
                .map_or(0.0, |slip| slip.gradient.iter().zip(&self.state.v).map(|(g, v)| g * v).sum());
            moved - self.slip(i, &self.state.v)
        };
        let each = (0..self.closed.len()).map(|i| self.choices(i));
        let found: Vec<(Vec<Mode>, Motion)> = combinations(each)
            .into_iter()
            .filter_map(|modes| {
                let wanted = |i: usize| (self.target(i, share), still(i));
                let after = answer(self.system, &self.rows, (&self.mass, &self.momentum), &modes, wanted)?;
                self.fits(share, &modes, &after).then_some((modes, after))
            })
            .collect();
        the_only_one(found).map(|(_, motion)| motion)
    }

    fn choices(&self, i: usize) -> Vec<Mode> {
        let contact = &self.system.contacts[i];
        if !self.closed[i] {
            return vec![Mode::Open];
        }
        let signs: &[f64] = if contact.one_sided { &[1.0] } else { &[1.0, -1.0] };
        let mut found = match contact.friction {
            None => vec![Mode::Smooth],
            Some(_) => {
                let slides = signs.iter().flat_map(|sign| [1.0, -1.0].map(|direction| Mode::Slides(direction, *sign)));
                [Mode::Sticks].into_iter().chain(slides).collect()
            }
        };
        if contact.one_sided {
            found.push(Mode::Open);
        }
        found
    }

    fn fits(&self, share: f64, modes: &[Mode], after: &Motion) -> bool {
        modes.iter().enumerate().all(|(i, mode)| {
            let (contact, load) = (&self.system.contacts[i], after.loads[i]);
            let pushes = !contact.one_sided || load >= -ZERO;
            match (mode, &contact.friction) {
                (Mode::Open, _) => !self.closed[i] || self.rate(i, &after.acceleration) >= self.target(i, share) - ZERO,
                (Mode::Sticks, Some(friction)) => {
                    pushes && after.frictions[i].abs() <= friction.held * load.abs() + ZERO
                }
                (Mode::Slides(direction, sign), _) => {
                    pushes && sign * load >= -ZERO && direction * self.slip(i, &after.acceleration) >= -ZERO
                }
                _ => pushes,
            }
        })
    }

    /// Whether contacts give energy: by Carnot's theorem it is ½ Σ p (u⁺ + u⁻) over normal and tangential impulses.
    fn adds_energy(&self, after: &Motion) -> bool {
        let (mut gain, mut passed) = (0.0, 0.0);
        for i in 0..self.closed.len() {
            let normal = (after.loads[i], self.rows.gaps[i].rate, self.rate(i, &after.acceleration));
            let tangential = (after.frictions[i], self.slip(i, &self.state.v), self.slip(i, &after.acceleration));
            for (impulse, before, after) in [normal, tangential] {
                gain += 0.5 * impulse * (before + after);
                passed += (impulse * before).abs();
            }
        }
        gain > ADDED * passed
    }

    /// Whether a blow reaches another contact that is closed, and one of them has restitution: one blow at both, or one after the other, are
    /// different laws then.
    fn is_a_choice(&self) -> bool {
        let contacts = &self.system.contacts;
        let struck: Vec<usize> = (0..contacts.len()).filter(|i| contacts[*i].one_sided && self.closed[*i]).collect();
        let rows = |i: usize| [Some(&self.rows.gaps[i]), self.rows.slips[i].as_ref()].into_iter().flatten();
        let reaches = |i: usize, j: usize| {
            rows(i).any(|from| match solve(self.mass.clone(), from.gradient.clone()) {
                None => true,
                Some(moved) => {
                    rows(j).any(|to| to.gradient.iter().zip(&moved).map(|(g, x)| g * x).sum::<f64>().abs() > ZERO)
                }
            })
        };
        struck.iter().enumerate().any(|(k, i)| {
            struck[k + 1..]
                .iter()
                .any(|j| contacts[*i].restitution.max(contacts[*j].restitution) > 0.0 && reaches(*i, *j))
        })
    }
}
