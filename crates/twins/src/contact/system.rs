//! A mechanism with contacts as the reference sees it: masses, forces and contacts as functions of a few coordinates.

use super::jet::Jet;

/// A scalar function of the coordinates; of a slip, also of their velocities.
pub type Scalar = Box<dyn Fn(&[Jet]) -> Jet>;
/// A force as a function of time, of the scalar that it acts on, and of its rate.
pub type Law = Box<dyn Fn(f64, f64, f64) -> f64>;

/// Dry friction at a contact.
pub struct Friction {
    /// The velocity that slips.
    pub slip: Scalar,
    /// The coefficient while it slides.
    pub kinetic: f64,
    /// The coefficient while it sticks.
    pub held: f64,
}

/// A contact: a gap that is never negative, or, of a guide that holds both ways, always zero.
pub struct Contact {
    /// The gap.
    pub gap: Scalar,
    /// Whether it may open.
    pub one_sided: bool,
    /// The part of the velocity that comes back.
    pub restitution: f64,
    /// Friction, if it is rough.
    pub friction: Option<Friction>,
}

impl Contact {
    /// A smooth guide that holds both ways.
    pub fn guide(gap: impl Fn(&[Jet]) -> Jet + 'static) -> Contact {
        Contact { gap: Box::new(gap), one_sided: false, restitution: 0.0, friction: None }
    }

    /// A smooth contact that may open.
    pub fn touch(gap: impl Fn(&[Jet]) -> Jet + 'static, restitution: f64) -> Contact {
        Contact { one_sided: true, restitution, ..Contact::guide(gap) }
    }

    /// The same, rough.
    pub fn rough(mut self, slip: impl Fn(&[Jet]) -> Jet + 'static, kinetic: f64, held: f64) -> Contact {
        self.friction = Some(Friction { slip: Box::new(slip), kinetic, held });
        self
    }
}

/// Positions and velocities.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The time.
    pub t: f64,
    /// Positions.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
}

/// A mechanism.
#[derive(Default)]
pub struct System {
    /// Scalars p with their weights w: the kinetic energy is Σ w ṗ²/2.
    pub inertias: Vec<(f64, Scalar)>,
    /// Scalars and the forces along them.
    pub forces: Vec<(Scalar, Law)>,
    /// Contacts.
    pub contacts: Vec<Contact>,
}

/// A row of the equations: gradient · q̈ + bend is the second derivative of a scalar, or the first of a slip.
#[derive(Clone, Debug)]
pub struct Row {
    /// The scalar itself, or the slip.
    pub value: f64,
    /// Its rate.
    pub rate: f64,
    /// Its gradient: over coordinates, or over velocities for a slip.
    pub gradient: Vec<f64>,
    /// What is left of its derivative without accelerations.
    pub bend: f64,
}

impl System {
    /// Adds a mass that moves along some scalars.
    pub fn mass(&mut self, weight: f64, scalar: impl Fn(&[Jet]) -> Jet + 'static) {
        self.inertias.push((weight, Box::new(scalar)));
    }

    /// Adds a force along a scalar.
    pub fn force(&mut self, scalar: impl Fn(&[Jet]) -> Jet + 'static, law: impl Fn(f64, f64, f64) -> f64 + 'static) {
        self.forces.push((Box::new(scalar), Box::new(law)));
    }

    /// Mass matrix and force, with what turning frames add.
    pub fn equations(&self, state: &State) -> (Vec<Vec<f64>>, Vec<f64>) {
        let n = state.q.len();
        let (mut mass, mut force) = (vec![vec![0.0; n]; n], vec![0.0; n]);
        for (weight, scalar) in &self.inertias {
            let row = row(scalar, state);
            for (i, slope) in row.gradient.iter().enumerate() {
                force[i] -= weight * slope * row.bend;
                for (entry, other) in mass[i].iter_mut().zip(&row.gradient) {
                    *entry += weight * slope * other;
                }
            }
        }
        for (scalar, law) in &self.forces {
            let row = row(scalar, state);
            let strength = law(state.t, row.value, row.rate);
            for (sum, slope) in force.iter_mut().zip(&row.gradient) {
                *sum += strength * slope;
            }
        }
        (mass, force)
    }
}

/// Coordinates that move with constant velocities.
fn moving(state: &State) -> Vec<Jet> {
    state.q.iter().zip(&state.v).map(|(q, v)| Jet(*q, *v, 0.0)).collect()
}

/// What a function is when one coordinate alone moves, with velocity one, for each of them; last when none moves.
fn one_by_one(scalar: &Scalar, mut jets: Vec<Jet>) -> (Vec<Jet>, Jet) {
    jets.iter_mut().for_each(|jet| jet.1 = 0.0);
    let each = (0..jets.len()).map(|i| {
        jets[i].1 = 1.0;
        let found = scalar(&jets);
        jets[i].1 = 0.0;
        found
    });
    let each = each.collect();
    (each, scalar(&jets))
}

/// The row of a function of the coordinates.
pub fn row(scalar: &Scalar, state: &State) -> Row {
    let jets = moving(state);
    let along = scalar(&jets);
    let gradient = one_by_one(scalar, jets).0.iter().map(|jet| jet.1).collect();
    Row { value: along.0, rate: along.1, gradient, bend: along.2 }
}

/// The row of a slip, which is linear in the velocities but for the speed of what it slips on.
pub fn slip_row(scalar: &Scalar, state: &State) -> Row {
    let jets = moving(state);
    let along = scalar(&jets);
    let (each, still) = one_by_one(scalar, jets);
    let gradient = each.iter().map(|jet| jet.0 - still.0).collect();
    Row { value: along.0, rate: along.1, gradient, bend: along.1 }
}

/// Solves a small full system by elimination; none if it is singular.
pub fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    /// A pivot below this part of the largest entry is rounding.
    const SINGULAR: f64 = 1e-12;
    let n = b.len();
    let largest = a.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs()))?;
        if a[pivot][k].abs() <= SINGULAR * largest {
            return None;
        }
        a.swap(k, pivot);
        b.swap(k, pivot);
        let row = a[k].clone();
        for i in k + 1..n {
            let factor = a[i][k] / row[k];
            for (entry, above) in a[i].iter_mut().zip(&row) {
                *entry -= factor * above;
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        b[k] = (b[k] - (k + 1..n).map(|j| a[k][j] * b[j]).sum::<f64>()) / a[k][k];
    }
    Some(b)
}
