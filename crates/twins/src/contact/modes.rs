//! What contacts may do, and the accelerations that go with it. All combinations are tried: the reference is to be obvious, not quick.

use super::system::{Row, State, System, row, slip_row, solve};

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// It is open.
    Open,
    /// It is closed, and smooth.
    Smooth,
    /// It is closed and does not slip.
    Sticks,
    /// It slips in this direction under a load of this sign.
    Slides(f64, f64),
}

/// Accelerations with what each contact carries.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Accelerations.
    pub acceleration: Vec<f64>,
    /// Loads, by contact.
    pub loads: Vec<f64>,
    /// Friction, by contact.
    pub frictions: Vec<f64>,
}

/// Why the reference has no motion to offer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unclear {
    /// No combination of modes is consistent.
    None,
    /// Several are, with different accelerations.
    Several,
    /// A blow beside a contact that is closed, with restitution: what the two do together is a choice.
    Blow,
    /// Events without end.
    Endless,
}

/// Velocities and gaps below this are zero: far above the rounding of states of order one, far below what is compared.
pub const ZERO: f64 = 1e-10;
/// Loads and accelerations that may be short of what a mode asks, for rounding at the moment of a change.
const SLACK: f64 = 1e-8;
/// Accelerations, or velocities after a blow, that differ by less are the same motion.
const SAME: f64 = 1e-6;

/// Rows of all contacts at a state: gap, and slip where it is rough.
pub struct Rows {
    /// Gaps.
    pub gaps: Vec<Row>,
    /// Slips.
    pub slips: Vec<Option<Row>>,
}

impl Rows {
    /// The rows there.
    pub fn at(system: &System, state: &State) -> Rows {
        Rows {
            gaps: system.contacts.iter().map(|c| row(&c.gap, state)).collect(),
            slips: system
                .contacts
                .iter()
                .map(|c| c.friction.as_ref().map(|friction| slip_row(&friction.slip, state)))
                .collect(),
        }
    }
}

/// The motion in given modes: M q̈ = Q + Σ (n λ + s F), with rows of what is closed and of what sticks. None if it is not unique.
pub fn motion(system: &System, state: &State, modes: &[Mode]) -> Option<Motion> {
    let (mass, force) = system.equations(state);
    let rows = Rows::at(system, state);
    let bends = |i: usize| (-rows.gaps[i].bend, rows.slips[i].as_ref().map_or(0.0, |slip| -slip.bend));
    answer(system, &rows, (&mass, &force), modes, bends)
}

/// M x = b + Σ (n λ + s F), where x along the row of what is closed, and along the slip of what sticks, is as `wanted` says of a contact.
/// Forces with accelerations and impulses with velocities obey the same.
pub(super) fn answer(
    system: &System,
    rows: &Rows,
    (mass, given): (&[Vec<f64>], &[f64]),
    modes: &[Mode],
    wanted: impl Fn(usize) -> (f64, f64),
) -> Option<Motion> {
    let n = given.len();
    // Each unknown force has a column, each row of what is closed or sticks an equation.
    let (mut columns, mut equations, mut owners) = (Vec::new(), Vec::new(), Vec::new());
    for (i, mode) in modes.iter().enumerate() {
        if *mode == Mode::Open {
            continue;
        }
        let mut column = rows.gaps[i].gradient.clone();
        if let (Mode::Slides(direction, sign), Some(slip), Some(friction)) =
            (mode, &rows.slips[i], &system.contacts[i].friction)
        {
            for (c, s) in column.iter_mut().zip(&slip.gradient) {
                *c -= friction.kinetic * direction * sign * s;
            }
        }
        columns.push(column);
        equations.push((&rows.gaps[i], wanted(i).0));
        owners.push((i, false));
        if let (Mode::Sticks, Some(slip)) = (mode, &rows.slips[i]) {
            columns.push(slip.gradient.clone());
            equations.push((slip, wanted(i).1));
            owners.push((i, true));
        }
    }
    let size = n + columns.len();
    let (mut a, mut b) = (vec![vec![0.0; size]; size], vec![0.0; size]);
    for i in 0..n {
        a[i][..n].copy_from_slice(&mass[i]);
        for (j, column) in columns.iter().enumerate() {
            a[i][n + j] = -column[i];
        }
        b[i] = given[i];
    }
    for (j, (row, value)) in equations.iter().enumerate() {
        a[n + j][..n].copy_from_slice(&row.gradient);
        b[n + j] = *value;
    }
    let solution = solve(a, b)?;
    let (mut loads, mut frictions) = (vec![0.0; modes.len()], vec![0.0; modes.len()]);
    for ((i, tangential), value) in owners.iter().zip(&solution[n..]) {
        if *tangential { frictions[*i] = *value } else { loads[*i] = *value }
    }
    for (i, mode) in modes.iter().enumerate() {
        if let (Mode::Slides(direction, sign), Some(friction)) = (mode, &system.contacts[i].friction) {
            frictions[i] = -direction * sign * friction.kinetic * loads[i];
        }
    }
    Some(Motion { acceleration: solution[..n].to_vec(), loads, frictions })
}

fn along(row: &Row, acceleration: &[f64]) -> f64 {
    row.gradient.iter().zip(acceleration).map(|(g, a)| g * a).sum::<f64>() + row.bend
}

/// What a contact may do at a state. `barred` is what it has just stopped doing.
fn choices(system: &System, rows: &Rows, i: usize, barred: Option<(usize, Mode)>) -> Vec<Mode> {
    let contact = &system.contacts[i];
    let gap = &rows.gaps[i];
    if contact.one_sided && (gap.value > ZERO || gap.rate > ZERO) {
        return vec![Mode::Open];
    }
    let mut found = match &rows.slips[i] {
        None => vec![Mode::Smooth],
        Some(slip) => {
            let signs: &[f64] = if contact.one_sided { &[1.0] } else { &[1.0, -1.0] };
            let directions = if slip.value.abs() > ZERO { vec![slip.value.signum()] } else { vec![1.0, -1.0] };
            let slides = directions.iter().flat_map(|d| signs.iter().map(|s| Mode::Slides(*d, *s)));
            let sticks = (slip.value.abs() <= ZERO).then_some(Mode::Sticks);
            sticks.into_iter().chain(slides).collect()
        }
    };
    if contact.one_sided {
        found.push(Mode::Open);
    }
    found.retain(|mode| barred != Some((i, *mode)));
    found
}

fn consistent(system: &System, rows: &Rows, modes: &[Mode], motion: &Motion) -> bool {
    modes.iter().enumerate().all(|(i, mode)| {
        let (contact, load) = (&system.contacts[i], motion.loads[i]);
        let pushes = !contact.one_sided || load >= -SLACK;
        match (mode, &rows.slips[i], &contact.friction) {
            (Mode::Open, ..) => {
                let gap = &rows.gaps[i];
                gap.value > ZERO || gap.rate > ZERO || along(gap, &motion.acceleration) >= -SLACK
            }
            (Mode::Sticks, _, Some(friction)) => {
                pushes && motion.frictions[i].abs() <= friction.held * load.abs() + SLACK
            }
            (Mode::Slides(direction, sign), Some(slip), _) => {
                let starts = slip.value.abs() > ZERO || direction * along(slip, &motion.acceleration) >= -SLACK;
                pushes && sign * load >= -SLACK && starts
            }
            _ => pushes,
        }
    })
}

/// All ways to choose one mode for each contact.
pub(super) fn combinations(choices: impl Iterator<Item = Vec<Mode>>) -> Vec<Vec<Mode>> {
    choices.fold(vec![Vec::new()], |begun, choices| {
        let longer = |begun: &Vec<Mode>| -> Vec<Vec<Mode>> {
            choices.iter().map(|mode| begun.iter().copied().chain([*mode]).collect()).collect()
        };
        begun.iter().flat_map(longer).collect()
    })
}

/// The one of those that fit in which most sticks: a limit of rest above the friction of sliding allows both, and what can stick does.
pub(super) fn the_only_one(found: Vec<(Vec<Mode>, Motion)>) -> Result<(Vec<Mode>, Motion), Unclear> {
    let sticks_more = |more: &[Mode], less: &[Mode]| {
        let both = || more.iter().zip(less).map(|(m, l)| (*m == Mode::Sticks, *l == Mode::Sticks));
        both().all(|(m, l)| m || !l) && both().any(|(m, l)| m && !l)
    };
    let mut best = found.iter().filter(|one| !found.iter().any(|other| sticks_more(&other.0, &one.0)));
    let first = best.next().ok_or(Unclear::None)?;
    let alike =
        |other: &Motion| first.1.acceleration.iter().zip(&other.acceleration).all(|(x, y)| (x - y).abs() <= SAME);
    if best.all(|(_, other)| alike(other)) { Ok(first.clone()) } else { Err(Unclear::Several) }
}

/// The modes that fit a state, if they are the only ones.
///
/// # Errors
/// None fit, or several with different motions.
pub fn decide(system: &System, state: &State, barred: Option<(usize, Mode)>) -> Result<Vec<Mode>, Unclear> {
    let rows = Rows::at(system, state);
    let each = (0..system.contacts.len()).map(|i| choices(system, &rows, i, barred));
    let fits = |modes: Vec<Mode>| {
        let motion = motion(system, state, &modes)?;
        consistent(system, &rows, &modes, &motion).then_some((modes, motion))
    };
    let found: Vec<(Vec<Mode>, Motion)> = combinations(each).into_iter().filter_map(fits).collect();
    the_only_one(found).map(|(modes, _)| modes)
}
