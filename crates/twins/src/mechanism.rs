//! Mechanisms of bodies and joints: in coordinates of joints, and with every body in coordinates of its own.

use holonom::{Run, System};
use holonom_random::Random;

/// How far accelerations at the start may be apart, and everything at the end.
const AT_START: f64 = 1e-10;
const AT_END: f64 = 1e-7;
/// The end of a run.
const UNTIL: f64 = 0.3;

/// A random mechanism.
pub struct Mechanism {
    /// The model, without a formulation.
    pub text: String,
    planar: bool,
    random: Random,
    bodies: usize,
    joints: usize,
    /// The axis of the last hinge.
    hinged: String,
    rates: Vec<String>,
}

/// What became of a mechanism that means one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    /// It moved alike.
    Moved,
    /// Both formulations were rejected.
    Rejected,
}

impl Mechanism {
    /// Bodies in random places, joined at random: a tree, and joints that close loops. All joints fit where everything was placed.
    pub fn draw(seed: u64, planar: bool) -> Self {
        let mut random = Random::new(seed);
        let bodies = 1 + random.index(5);
        let (joints, hinged) = (0, if planar { "(0.3, 0.8)" } else { "(0.3, 0.8, -0.4)" }.to_string());
        let mut drawn = Self { text: String::new(), planar, random, bodies, joints, hinged, rates: Vec::new() };
        (1..=bodies).for_each(|body| drawn.place(body));
        drawn.text += if planar { "gravity (0, -9.81)\n" } else { "gravity (0, 0, -9.81)\n" };
        let loops = drawn.random.index(3);
        for body in 1..=bodies {
            let other = drawn.random.index(body);
            drawn.hang(body, other);
        }
        if bodies > 1 && loops > 0 {
            (0..loops).for_each(|_| drawn.close());
            drawn.rates.clear();
        }
        drawn.finish();
        drawn
    }

    fn place(&mut self, body: usize) {
        let place = self.point();
        let [a, b, c] = [0; 3].map(|_| self.random.uniform(0.3, 1.5));
        let turn = self.random.uniform(-3.0, 3.0);
        let turned = match (self.planar, self.random.index(3)) {
            (_, 0) => String::new(),
            (true, _) => format!(", turned z by ({turn:.3})"),
            (false, 1) => format!(", turned y by ({turn:.3})"),
            (false, _) => format!(", turned x by ({turn:.3}), then z by 0.7"),
        };
        let shape = if self.planar { format!("box({a:.3}, {b:.3})") } else { format!("box({a:.3}, {b:.3}, {c:.3})") };
        self.text += &format!("body b{body}: {shape} of {:.3}, at {place}{turned}\n", self.random.uniform(0.5, 3.0));
    }

    fn point(&mut self) -> String {
        let [x, y, z] = [0; 3].map(|_| self.random.uniform(-1.0, 1.0));
        if self.planar { format!("({x:.3}, {y:.3})") } else { format!("({x:.3}, {y:.3}, {z:.3})") }
    }

    fn kind(&mut self) -> &'static str {
        let kinds: &[&str] = match self.planar {
            true => &["hinge", "hinge", "slider"],
            false => &["hinge", "hinge", "slider", "ball", "universal", "cylindrical"],
        };
        kinds[self.random.index(kinds.len())]
    }

    /// A joint of a kind between two bodies; about the axis of the last hinge, or about one of its own.
    fn join(&mut self, a: usize, b: usize, kind: &str, is_parallel: bool) -> usize {
        self.joints += 1;
        let (place, axis) = (self.point(), self.point());
        let axis = if is_parallel { self.hinged.clone() } else { axis };
        if kind == "hinge" {
            self.hinged.clone_from(&axis);
        }
        let axis = match kind {
            "hinge" if self.planar => String::new(),
            "ball" => String::new(),
            "universal" => ", axis x (0, 0.6, 0.8)".to_string(),
            _ => format!(", axis {axis}"),
        };
        let (a, b) = if self.random.index(2) == 0 { (a, b) } else { (b, a) };
        self.text += &format!("joint j{}: {kind}({}, {}), at {place}{axis}\n", self.joints, name(a), name(b));
        self.joints
    }

    /// Hangs a body on another one; hinges are often parallel, so that loops of them can move.
    fn hang(&mut self, body: usize, other: usize) {
        let kind = self.kind();
        let is_parallel = self.random.index(2) == 0;
        let which = self.join(other, body, kind, is_parallel);
        let rate = self.random.uniform(-2.0, 2.0);
        self.rates.push(match kind {
            "cylindrical" => format!("j{which}.angle' = {rate:.3}, j{which}.travel' = 0.3"),
            "universal" => format!("j{which}.1' = {rate:.3}, j{which}.2' = -0.4"),
            "ball" => format!("b{body}.spin = ({rate:.3}, 1, -0.5)"),
            _ => format!("j{which}' = {rate:.3}"),
        });
    }

    /// Closes a loop, which may lock: both formulations must find it.
    fn close(&mut self) {
        let (a, b) = (self.random.index(self.bodies + 1), self.random.index(self.bodies + 1));
        if a == b {
            return;
        }
        match self.random.index(4) {
            0 if a * b != 0 => {
                self.joints += 1;
                self.text += &format!("joint r{}: rod({}, {})\n", self.joints, name(a), name(b));
            }
            1 => {
                let kind = self.kind();
                self.join(a, b, kind, false);
            }
            2 => {
                let last = self.text.lines().rev().find(|line| line.starts_with("joint j")).map(str::to_string);
                self.joints += 1;
                if let Some((_, rest)) = last.as_deref().and_then(|line| line.split_once(':')) {
                    self.text += &format!("joint again{}:{rest}\n", self.joints);
                }
            }
            _ => {
                self.join(a, b, "hinge", true);
            }
        }
    }

    fn finish(&mut self) {
        if !self.rates.is_empty() {
            self.text += &format!("start {}\n", self.rates.join(", "));
        }
        let point = if self.planar { "0.3, -0.2" } else { "0.3, -0.2, 0.5" };
        for body in 1..=self.bodies {
            self.text += &format!("output p{body}: b{body}({point})\n");
            self.text += &format!("output a{body}: (b{body}({point}))''\n");
            self.text += &format!("output s{body}: b{body}.spin\n");
        }
    }

    /// Whether both formulations mean the same: freedom, places, accelerations, angular velocities and energies.
    ///
    /// # Errors
    /// With what differs.
    pub fn means_one_thing(&self) -> Result<Meaning, String> {
        let both = ["joints", "bodies"].map(|word| format!("{}formulation {word}\n", self.text));
        let mut systems = Vec::new();
        for text in &both {
            systems.push(System::parse("mechanism.holo", text).map_err(|error| format!("not read: {error}"))?);
        }
        let verdicts: Vec<_> = systems.iter().map(System::check).collect();
        let [Ok(one), Ok(other)] = &verdicts[..] else {
            return match verdicts.iter().filter_map(|verdict| verdict.as_ref().err()).next() {
                Some(error) => Err(format!("no verdict: {error}")),
                None => Err("no verdict".to_string()),
            };
        };
        if one.degrees_of_freedom() != other.degrees_of_freedom() {
            return Err(format!("freedom: {:?} and {:?}", one.degrees_of_freedom(), other.degrees_of_freedom()));
        }
        if one.is_accepted() != other.is_accepted() {
            return Err(format!("accepted: {} and {}", one.is_accepted(), other.is_accepted()));
        }
        if !one.is_accepted() {
            return Ok(Meaning::Rejected);
        }
        let mut runs = Vec::new();
        for (system, word) in systems.iter().zip(["joints", "bodies"]) {
            runs.push(system.run(Run::until(UNTIL)).map_err(|error| format!("{word} ended: {error}"))?);
        }
        let [one, other] = &runs[..] else { return Err("no runs".to_string()) };
        let is_compared =
            |name: &str| ["p", "a", "s", "kinetic", "potential"].iter().any(|begin| name.starts_with(begin));
        let names: Vec<String> =
            one.columns().iter().map(|column| column.name.clone()).filter(|name| is_compared(name)).collect();
        let last = |run: &holonom::Trajectory, name: &str| run.last(name).unwrap_or(f64::NAN);
        let first = |run: &holonom::Trajectory, name: &str| run.column(name).map_or(f64::NAN, |all| all[0]);
        for name in &names {
            let of = names.iter().filter(|other| other[..1] == name[..1]);
            let scale = of.map(|name| last(one, name).abs().max(first(one, name).abs())).fold(1.0, f64::max);
            let ends = [
                ("at the start", AT_START, first(one, name), first(other, name)),
                ("at the end", AT_END, last(one, name), last(other, name)),
            ];
            for (when, tolerance, found, expected) in ends {
                let apart = (found - expected).abs();
                if apart.is_nan() || apart > tolerance * scale {
                    return Err(format!("`{name}` {when}: {found} and {expected}"));
                }
            }
        }
        Ok(Meaning::Moved)
    }
}

fn name(body: usize) -> String {
    if body == 0 { "ground".to_string() } else { format!("b{body}") }
}

/// Compares both formulations of mechanisms, half of them planar, and prints what differs; whether nothing does.
pub fn compare_mechanisms(count: u64, seed: u64, show: bool) -> bool {
    let (mut moved, mut rejected, mut differ) = (0, 0, 0);
    for seed in seed..seed.saturating_add(count) {
        let mechanism = Mechanism::draw(seed, seed % 2 == 1);
        if show {
            println!("# seed {seed}\n{}", mechanism.text);
        }
        match mechanism.means_one_thing() {
            Ok(Meaning::Moved) => moved += 1,
            Ok(Meaning::Rejected) => rejected += 1,
            Err(what) => {
                differ += 1;
                println!("seed {seed}: {what}");
            }
        }
    }
    println!("{count} mechanisms: {moved} moved alike, {rejected} were rejected in both formulations, {differ} differ");
    differ == 0
}
