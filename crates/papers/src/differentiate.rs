//! Constraints, differentiated: random φ(q, t) and ψ(q, q̇, t), by the program and by power series in time.

use crate::case::Ledger;
use crate::entry::Outcome;
use crate::numbers::{Random, column};
use crate::text;
use holonom::analysis;
use holonom::derive::{Kind, derive};
use holonom::expr::{Id, Symbol};
use holonom::model::from_text;

/// What is claimed about constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// φ(q, t) = 0 is read as holonomic, and is what was written.
    Position,
    /// ψ(q, q̇, t) = 0 is read as a velocity row; φ comes with its φ̇.
    Velocity,
    /// A q̈ − b is φ̈ or ψ̇, whatever q̈ is.
    Acceleration,
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
        matches!(self, Self::Position | Self::Velocity | Self::Start)
    }
}

const MODELS: u64 = 32;

/// A polynomial: coefficients and, for each, the factors as places in (t, q₁ …, q̇₁ …).
struct Polynomial(Vec<(f64, Vec<usize>)>);

impl Polynomial {
    fn draw(random: &mut Random, places: &[usize]) -> Self {
        let term = |random: &mut Random| {
            let degree = 1 + random.below(3);
            (random.eighth() + 1.25, (0..degree).map(|_| places[random.below(places.len())]).collect())
        };
        Self((0..3 + random.below(3)).map(|_| term(random)).collect())
    }

    fn text(&self, names: &[String]) -> String {
        let term = |(c, factors): &(f64, Vec<usize>)| {
            factors.iter().fold(format!("{c}"), |text, &place| format!("{text}*{}", names[place]))
        };
        self.0.iter().map(term).collect::<Vec<_>>().join(" + ")
    }

    /// As a power series in time, up to the second power.
    fn series(&self, places: &[[f64; 3]]) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for (c, factors) in &self.0 {
            let term = factors.iter().fold([*c, 0.0, 0.0], |x, &place| {
                let y = places[place];
                [x[0] * y[0], x[0] * y[1] + x[1] * y[0], x[0] * y[2] + x[1] * y[1] + x[2] * y[0]]
            });
            (0..3).for_each(|i| sum[i] += term[i]);
        }
        sum
    }
}

/// A model with one φ and one ψ, and one state of it.
struct Trial {
    phi: Polynomial,
    psi: Polynomial,
    n: usize,
    /// t, q, q̇ and q̈ as numbers.
    time: f64,
    positions: Vec<f64>,
    velocities: Vec<f64>,
    accelerations: Vec<f64>,
}

impl Trial {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(500 + seed);
        let n = 2 + random.below(3);
        let (still, moving): (Vec<usize>, Vec<usize>) = ((0..=n).collect(), (0..=2 * n).collect());
        let phi = Polynomial::draw(&mut random, &still);
        let mut psi = Polynomial::draw(&mut random, &moving);
        // At least one velocity, and one coordinate in φ, or the row would be of another kind.
        psi.0.push((1.5, vec![n + 1 + random.below(n), random.below(n + 1)]));
        let mut phi = phi;
        phi.0.push((0.75, vec![1 + random.below(n), 1 + random.below(n)]));
        let mut vector = |n: usize| (0..n).map(|_| random.between(-1.0, 1.0)).collect::<Vec<f64>>();
        let (positions, velocities, accelerations) = (vector(n), vector(n), vector(n));
        Self { phi, psi, n, time: 0.3, positions, velocities, accelerations }
    }

    /// The places of the polynomials as power series along q + q̇ t + q̈ t²/2.
    fn places(&self) -> Vec<[f64; 3]> {
        let (q, v, a) = (&self.positions, &self.velocities, &self.accelerations);
        let mut places = vec![[self.time, 1.0, 0.0]];
        places.extend((0..self.n).map(|i| [q[i], v[i], a[i] / 2.0]));
        places.extend((0..self.n).map(|i| [v[i], a[i], 0.0]));
        places
    }

    fn text(&self) -> String {
        let coordinates: Vec<String> = (1..=self.n).map(|i| format!("q{i}")).collect();
        let names: Vec<String> = std::iter::once("t".to_string())
            .chain(coordinates.iter().cloned())
            .chain(coordinates.iter().map(|name| format!("{name}'")))
            .collect();
        let energy: Vec<String> = coordinates.iter().map(|name| format!("{name}'^2/2")).collect();
        format!(
            "coord {}\nkinetic {}\nconstraint phi: {} = 0\nconstraint psi: {} = 0\n",
            coordinates.join(", "),
            energy.join(" + "),
            self.phi.text(&names),
            self.psi.text(&names),
        )
    }

    fn check(&self, level: Level, ledger: &mut Ledger) {
        let model = from_text("random.holo", &self.text()).model;
        let Some(equations) = model.and_then(|model| derive(model).equations) else {
            ledger.holds(false);
            return;
        };
        let (phi, psi) = (self.phi.series(&self.places()), self.psi.series(&self.places()));
        let value = |id: Id| {
            let at = |values: &[f64], i: u32| values[i as usize];
            equations.graph.evaluate(&[id], |symbol| match symbol {
                Symbol::Time => self.time,
                Symbol::Position(i) => at(&self.positions, i),
                Symbol::Velocity(i) => at(&self.velocities, i),
                Symbol::Acceleration(i) => at(&self.accelerations, i),
                _ => f64::NAN,
            })[0]
        };
        let mut same = |ours: Option<Id>, theirs: f64| {
            let ours = ours.map_or(f64::NAN, value);
            ledger.beside(&column(&[ours]), &column(&[theirs]), 1.0);
        };
        let [first, second] = [&equations.rows[0], &equations.rows[1]];
        let kinds = first.kind == Kind::Holonomic && second.kind == Kind::Velocity;
        match level {
            Level::Position => same(first.position, phi[0]),
            Level::Velocity => {
                same(first.velocity, phi[1]);
                same(second.velocity, psi[0]);
            }
            Level::Acceleration => {
                for (row, rate) in [(first, 2.0 * phi[2]), (second, psi[1])] {
                    let reached: f64 = row.a.iter().map(|&(i, id)| value(id) * self.accelerations[i]).sum();
                    ledger.beside(&column(&[reached - value(row.b)]), &column(&[rate]), 1.0);
                }
            }
            Level::Equivalence | Level::EquivalenceWithoutPsi | Level::Start => {}
        }
        ledger.holds(kinds);
    }

    /// Along A q̈ = b the second derivative of φ and the first of ψ are zero: what starts wrong stays wrong.
    fn along(&self, ledger: &mut Ledger, psi_starts_at_zero: bool) {
        // One Newton step of least norm on the q̈ of this trial makes the rates vanish: they are affine in q̈.
        let rates = |accelerations: &[f64]| {
            let trial = Self { accelerations: accelerations.to_vec(), ..self.shape() };
            let (phi, psi) = (self.phi.series(&trial.places()), self.psi.series(&trial.places()));
            [2.0 * phi[2], psi[1]]
        };
        let zero = rates(&vec![0.0; self.n]);
        let unit = |j: usize| (0..self.n).map(|i| f64::from(i == j)).collect::<Vec<f64>>();
        let columns: Vec<[f64; 2]> =
            (0..self.n).map(|j| rates(&unit(j))).map(|r| [r[0] - zero[0], r[1] - zero[1]]).collect();
        let A: Vec<f64> = (0..2).flat_map(|i| columns.iter().map(move |c| c[i])).collect();
        let b = [-zero[0], -zero[1]];
        let mass: Vec<f64> = (0..self.n * self.n).map(|i| f64::from(i % (self.n + 1) == 0)).collect();
        let force = vec![0.0; self.n];
        let motion = holonom::solve(&holonom::Snapshot::new(&mass, &force).constrained(&A, &b));
        let Ok(motion) = motion else { return ledger.holds(false) };
        let trial = Self { accelerations: motion.acceleration, ..self.shape() };
        let psi = self.psi.series(&trial.places());
        let [phi_rate, psi_rate] = rates(&trial.accelerations);
        ledger.beside(&column(&[phi_rate, psi_rate]), &column(&[0.0, 0.0]), 1.0);
        // ψ after a short time h: where it starts at zero it is zero, where not it is what it was.
        let started = if psi_starts_at_zero { psi[0] } else { 0.0 };
        let later = psi[0] + 0.125 * psi[1];
        ledger.beside(&column(&[later - started]), &column(&[0.0]), 1.0);
    }

    /// The same model and state, for another q̈.
    fn shape(&self) -> Self {
        Self {
            phi: Polynomial(self.phi.0.clone()),
            psi: Polynomial(self.psi.0.clone()),
            positions: self.positions.clone(),
            velocities: self.velocities.clone(),
            accelerations: self.accelerations.clone(),
            ..*self
        }
    }
}

/// Start values of a wheel: what is given is kept, and y follows.
fn start(seed: u64, ledger: &mut Ledger) {
    let mut random = Random::new(900 + seed);
    let [angle, speed, slope] = [(); 3].map(|()| random.between(0.1, 1.0));
    let text = format!(
        "param s = {slope}\ncoord theta, y\nkinetic theta'^2\npotential -y\nconstraint no_slip: y = s*theta\n\
         start theta = {angle}, theta' = {speed}\n"
    );
    let equations = from_text("start.holo", &text).model.and_then(|model| derive(model).equations);
    let Some(equations) = equations else { return ledger.holds(false) };
    let (report, _) = analysis::check(&equations, &analysis::Options { states: 0, ..analysis::Options::default() });
    let found: Vec<f64> = report.coordinates.iter().flat_map(|c| [c.position, c.velocity]).collect();
    ledger.equal(&column(&found), &column(&[angle, speed, slope * angle, slope * speed]));
}

/// Holds a claim about constraints against random ones.
pub(crate) fn check(level: Level) -> Outcome {
    let mut ledger = Ledger::default();
    for seed in 0..MODELS {
        match level {
            Level::Start => start(seed, &mut ledger),
            Level::Equivalence => Trial::new(seed).along(&mut ledger, true),
            Level::EquivalenceWithoutPsi => Trial::new(seed).along(&mut ledger, false),
            _ => Trial::new(seed).check(level, &mut ledger),
        }
    }
    let what = match level {
        Level::Start => "start values of random wheels, kept and completed",
        Level::Equivalence | Level::EquivalenceWithoutPsi => {
            "random φ(q, t) and ψ(q, q̇, t) along A q̈ = b, as power series"
        }
        Level::Position => "random φ(q, t), read and evaluated",
        Level::Velocity => "random φ(q, t) and ψ(q, q̇, t), read and differentiated, beside power series",
        Level::Acceleration => "A q̈ − b of random φ(q, t) and ψ(q, q̇, t) beside power series",
    };
    Outcome {
        holds: ledger.worst <= 1e-11,
        evidence: format!("{} in {MODELS} models: {what}", text::apart(ledger.worst)),
        as_printed: None,
        worst: ledger.worst,
        identical: None,
        ours: Vec::new(),
    }
}
