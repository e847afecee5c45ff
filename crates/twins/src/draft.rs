//! A formulation while it is written: statements apart from each other, so that they can be rewritten before they become text.

use crate::units::{Units, number};
use holonom_random::Random;
use std::collections::HashMap;
use std::fmt::Write;

/// A constraint.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Left of the equality sign; a scalar.
    pub left: String,
    /// Right of it.
    pub right: String,
    /// Whether velocities occur in it.
    pub of_velocities: bool,
}

/// A formulation while it is written.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// What distinguishes it from its twins.
    pub name: String,
    /// Names of coordinates.
    pub coordinates: Vec<String>,
    /// `name = expression`, as they stand after `let`.
    pub lets: Vec<String>,
    /// Terms of the kinetic energy.
    pub kinetic: Vec<String>,
    /// Terms of the potential energy.
    pub potential: Vec<String>,
    /// Whole statements: particles, forces, dissipation, parts.
    pub statements: Vec<String>,
    /// Constraints.
    pub rows: Vec<Row>,
    /// Start values of positions.
    pub positions: Vec<(String, f64)>,
    /// Start values of velocities; the primes are added to the names.
    pub velocities: Vec<(String, f64)>,
    /// Guesses of positions, which select a branch.
    pub guesses: Vec<(String, f64)>,
    /// Expressions to compare, each a scalar in the scenario's units.
    pub outputs: Vec<String>,
    /// Whether velocities must not be scaled in a nudged start, since constraints prescribe some.
    pub driven: bool,
    /// Units of time in one unit of the scenario.
    pub time: f64,
    /// Whether it is in the scenario's units, in which lengths and masses are of order one.
    pub plain: bool,
    /// Parts in files of their own.
    pub files: HashMap<String, String>,
}

impl Draft {
    /// An empty one.
    pub fn new(name: &str) -> Draft {
        Draft { name: name.to_string(), time: 1.0, plain: true, ..Draft::default() }
    }

    /// Adds a coordinate with its start.
    pub fn coordinate(&mut self, name: &str, position: f64, velocity: f64) {
        self.coordinates.push(name.to_string());
        self.starts(name, position, velocity);
    }

    /// Adds the start of a coordinate that a part declares.
    pub fn starts(&mut self, name: &str, position: f64, velocity: f64) {
        self.positions.push((name.to_string(), position));
        self.velocities.push((name.to_string(), velocity));
    }

    /// Adds a constraint on positions.
    pub fn row(&mut self, name: &str, left: impl Into<String>, right: impl Into<String>) {
        let (left, right) = (left.into(), right.into());
        self.rows.push(Row { name: name.to_string(), left, right, of_velocities: false });
    }

    /// Adds a constraint on velocities.
    pub fn velocity_row(&mut self, name: &str, left: impl Into<String>, right: impl Into<String>) {
        self.row(name, left, right);
        if let Some(row) = self.rows.last_mut() {
            row.of_velocities = true;
        }
    }

    /// Adds one row per component of `left = right`, both vectors of this size.
    pub fn rows_of(&mut self, name: &str, size: usize, left: &str, right: &str) {
        for component in &["x", "y", "z"][..size] {
            self.row(&format!("{name}_{component}"), format!("({left}).{component}"), format!("({right}).{component}"));
        }
    }

    /// Adds components of a vector to what is compared.
    pub fn observe(&mut self, size: usize, vector: &str, back: impl Fn(&str) -> String) {
        for component in &["x", "y", "z"][..size] {
            self.outputs.push(back(&format!("({vector}).{component}")));
        }
    }

    /// Adds the energy to what is compared, and the kinetic one, which it is measured by: that of a pendulum that starts from the level of its
    /// pivot is zero.
    pub fn observe_energies(&mut self, units: &Units) {
        self.outputs.extend(["energy()", "kinetic()"].map(|energy| units.back_from(energy, 1, 2, -2)));
    }

    /// The model as text. `nudge` is a parameter that changes forces and start velocities by that part, to see how the motion
    /// answers; it is zero unless a run sets it.
    pub fn text(&self) -> String {
        let mut text = format!("# {}\nparam      nudge = 0\n", self.name);
        let mut line = |keyword: &str, rest: &str| {
            let _ = writeln!(text, "{keyword:<10} {rest}");
        };
        self.coordinates.chunks(12).for_each(|some| line("coord", &some.join(", ")));
        self.lets.iter().for_each(|one| line("let", one));
        self.statements.iter().for_each(|one| {
            let (keyword, rest) = one.split_once(' ').unwrap_or((one, ""));
            line(keyword, rest.trim_start());
        });
        self.kinetic.iter().for_each(|one| line("kinetic", one));
        self.potential.iter().for_each(|one| line("potential", &format!("(1 + nudge)*({one})")));
        for Row { name, left, right, .. } in &self.rows {
            line("constraint", &format!("{name}: {left} = {right}"));
        }
        self.positions.iter().for_each(|(name, value)| line("start", &format!("{name} = {}", number(*value))));
        self.guesses.iter().for_each(|(name, value)| line("start", &format!("{name} ~ {}", number(*value))));
        for (name, value) in &self.velocities {
            let scale = if self.driven || *value == 0.0 { "" } else { "*(1 + nudge)" };
            line("start", &format!("{name}' = {}{scale}", number(*value)));
        }
        self.outputs.iter().enumerate().for_each(|(i, one)| line("output", &format!("o{}: {one}", i + 1)));
        text
    }

    // Rewriting that must not change the motion.

    /// Coordinates and rows in another order.
    pub fn shuffled(mut self, random: &mut Random) -> Draft {
        let order = random.order(self.coordinates.len());
        self.coordinates = order.into_iter().map(|i| self.coordinates[i].clone()).collect();
        let order = random.order(self.rows.len());
        self.rows = order.into_iter().map(|i| self.rows[i].clone()).collect();
        self.name += ", other order";
        self
    }

    /// Rows repeated, combined and in other units.
    pub fn repeated(mut self, random: &mut Random) -> Draft {
        let given = self.rows.clone();
        if given.is_empty() {
            return self;
        }
        for row in &mut self.rows {
            if random.chance(1, 3) {
                let factor = number(random.pick(&[-1.0, 1e3, 1e-3, 7.0, 1e6]));
                row.left = format!("{factor}*({})", row.left);
                row.right = format!("{factor}*({})", row.right);
            }
        }
        for extra in 0..random.between(1, 3) {
            let (one, two) = (&given[random.index(given.len())], &given[random.index(given.len())]);
            let (name, a, b) = (format!("again{extra}"), number(random.pick(&[1.0, 2.0, -3.0])), number(random.real()));
            if one.of_velocities != two.of_velocities {
                continue;
            }
            let side = |x: &str, y: &str| format!("{a}*({x}) + {b}*({y})");
            let (left, right) = (side(&one.left, &two.left), side(&one.right, &two.right));
            self.rows.push(Row { name, left, right, of_velocities: one.of_velocities });
        }
        self.name += ", rows repeated";
        self
    }

    /// Kinetic energy with squares of what the constraints keep at zero: it changes M and no motion.
    ///
    /// Only in plain units: a weight far above the masses would drown their digits in M, and then the formulation is at fault.
    ///
    /// For h = 0 along the motion, d/dt(∂/∂q′ h²/2) − ∂/∂q h²/2 = h′ ∂h/∂q′ + h (…) = 0.
    pub fn augmented(mut self, random: &mut Random, size: f64) -> Draft {
        if !self.plain {
            return self;
        }
        for row in self.rows.clone() {
            if random.chance(1, 2) {
                let weight = number(size * 10f64.powf(random.real()));
                let prime = if row.of_velocities { "" } else { "'" };
                self.kinetic.push(format!("{weight}/2*(({}) - ({})){prime}^2", row.left, row.right));
            }
        }
        self.name += ", mass added to rows";
        self
    }

    /// Zeros of the start that are zero up to rounding only, as after a computation elsewhere: beside the other values, in whatever units.
    pub fn dusty(mut self, random: &mut Random) -> Draft {
        for list in [&mut self.positions, &mut self.velocities] {
            let size = list.iter().fold(0.0, |most: f64, (_, value)| most.max(value.abs()));
            for (_, value) in list.iter_mut().filter(|(_, value)| *value == 0.0) {
                if random.chance(1, 2) {
                    *value = random.pick(&[1.2e-17, -6.1e-17, 4.0e-33, -2.0e-167]) * size;
                }
            }
        }
        self.name += ", dust";
        self
    }
}
