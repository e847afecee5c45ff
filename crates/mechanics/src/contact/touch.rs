//! Frictional contacts at a state: slip, its directions, and how loads follow from reactions.

use crate::compile::{CompiledSystem, Group, GroupPart, Inputs, Values};
use crate::derive::{Equations, NormalForce, OfLoad};
use holonom_symbols::expr::{Depends, Id};

/// A slip below this part of its terms is rounding: the contact is at rest.
pub const AT_REST: f64 = 1e-10;

/// Velocities that were larger by more than the inverse of this are known to few digits: they may be what others left.
const ROUNDS_TO: f64 = 1e-3;

/// Where the numbers of a contact are among those of all.
#[derive(Clone, Debug)]
struct Place {
    /// Its friction of the model, and the constraint that it belongs to.
    friction: usize,
    constraint: usize,
    /// Its friction of sliding, that of beginning to slide, and the largest at rest.
    laws: [Option<OfLoad>; 3],
    /// Whether these are straight lines over the load, whatever the reactions are.
    has_straight_law: bool,
    components: usize,
    slip_at: usize,
    normal_at: usize,
    slope_at: usize,
    /// For each component of its normal force, the rows that it depends on; none where it is given.
    normal_rows: Vec<Vec<usize>>,
    /// The only row among them: then the load is a number times the magnitude of one reaction.
    only_row: Option<usize>,
    /// For a normal force that is given, the rows that it depends on.
    given_rows: Option<Vec<usize>>,
    /// The coordinates that its slip depends on; ascending.
    coordinates: Vec<u32>,
    /// Whether the load is linear in the reactions, but for its sign or magnitude.
    is_linear: bool,
    /// Whether the directions of its slip are the same at every state.
    slips_straight: bool,
}

/// The frictional contacts of a system, with their numbers at the state that was evaluated last.
#[derive(Clone)]
pub struct Touches {
    places: Vec<Place>,
    values: Values,
    laws: Values,
    /// The coordinates of the directions of slip, one row for each component of all contacts, and where each row begins.
    columns: Vec<u32>,
    starts: Vec<usize>,
    /// By friction of the model, as laws see them.
    speeds: Vec<f64>,
    normals: Vec<f64>,
}

fn depends_on_forces(equations: &Equations, id: Id) -> bool {
    equations.graph.depends(id).on(Depends::FORCE)
}

/// How the load of a contact follows from reactions.
pub(crate) enum Bears<'a> {
    /// The magnitude of a vector, by component: (row of the equations, coefficient).
    Magnitude(Vec<Vec<(usize, f64)>>),
    /// A value, and its derivatives by reactions; below zero there is no load.
    Given(f64, &'a [usize], &'a [f64]),
}

#[allow(clippy::len_without_is_empty)] // nothing asks for it
impl Touches {
    /// The contacts of a system.
    pub fn new(system: &CompiledSystem) -> Self {
        let equations = system.equations();
        let n = system.coordinates();
        let (mut slip_at, mut normal_at, mut slope_at) = (0, 0, 0);
        let (mut places, mut columns) = (Vec::new(), Vec::<Vec<u32>>::new());
        for contact in &equations.frictions {
            let friction = &equations.model.frictions[contact.friction];
            let normal_rows: Vec<Vec<usize>> = match &contact.normal {
                NormalForce::Magnitude(components) => {
                    components.iter().map(|component| component.iter().map(|entry| entry.0).collect()).collect()
                }
                NormalForce::Given(_) => Vec::new(),
            };
            let given = matches!(contact.normal, NormalForce::Given(_));
            let mut all = normal_rows.iter().flatten();
            let only_row = all.next().copied().filter(|first| all.all(|row| row == first));
            let entries: usize = normal_rows.iter().map(Vec::len).sum();
            let moves = |row: &[Id]| (0..n as u32).filter(|&j| row[j as usize] != Id::ZERO).collect::<Vec<u32>>();
            columns.extend(contact.directions.chunks_exact(n.max(1)).map(moves));
            let mut coordinates: Vec<u32> = columns[slip_at..].iter().flatten().copied().collect();
            coordinates.sort_unstable();
            coordinates.dedup();
            let slips_straight = contact.directions.iter().all(|&d| equations.graph.depends(d).is_fixed());
            places.push(Place {
                slips_straight,
                friction: contact.friction,
                constraint: friction.constraint,
                laws: contact.laws(),
                has_straight_law: contact.laws().iter().flatten().all(|law| {
                    law.is_straight
                        && !depends_on_forces(equations, law.value)
                        && !depends_on_forces(equations, law.slope)
                }),
                components: contact.slip.len().min(3),
                slip_at,
                normal_at,
                slope_at,
                normal_rows,
                only_row,
                is_linear: contact.normal_by_reaction.iter().all(|&(_, slope)| !depends_on_forces(equations, slope)),
                given_rows: given.then(|| contact.normal_by_reaction.iter().map(|entry| entry.0).collect()),
                coordinates,
            });
            slip_at += contact.slip.len();
            normal_at += entries;
            slope_at += contact.normal_by_reaction.len();
        }
        for group in [Group::Contact, Group::Law] {
            system.compile(group);
        }
        let frictions = equations.model.frictions.len();
        let mut starts = vec![0];
        columns.iter().for_each(|row| starts.push(starts[starts.len() - 1] + row.len()));
        Self {
            places,
            values: system.values(Group::Contact),
            laws: system.values(Group::Law),
            starts,
            columns: columns.concat(),
            speeds: vec![0.0; frictions],
            normals: vec![0.0; frictions],
        }
    }

    /// How many components of slip there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// The constraint that a contact belongs to.
    pub(crate) fn constraint(&self, which: usize) -> usize {
        self.places[which].constraint
    }

    /// How many components its slip has.
    #[inline]
    pub fn components(&self, which: usize) -> usize {
        self.places[which].components
    }

    #[inline]
    pub(super) fn laws_of(&self, which: usize) -> &[Option<OfLoad>; 3] {
        &self.places[which].laws
    }

    /// The numbers of all laws, as they were evaluated last.
    pub(super) fn law_values(&self) -> &Values {
        &self.laws
    }

    /// Whether the directions in which a contact slips are the same at every state.
    #[inline]
    pub fn slips_straight(&self, which: usize) -> bool {
        self.places[which].slips_straight
    }

    /// Whether the friction of a contact is a straight line over its load at any load.
    pub fn has_straight_law(&self, which: usize) -> bool {
        self.places[which].has_straight_law
    }

    /// Evaluates slip, directions and how loads follow from reactions.
    pub fn evaluate(&mut self, system: &CompiledSystem, t: f64, q: &[f64], v: &[f64]) {
        system.at(t, q, v, &mut self.values);
    }

    /// The velocity of slip, by component.
    #[inline]
    pub fn slip(&self, which: usize) -> &[f64] {
        let place = &self.places[which];
        &self.values.part(GroupPart::Slip)[place.slip_at..place.slip_at + place.components]
    }

    /// The same, without what is rounding of its terms, or of the speeds that are usual.
    pub(crate) fn clean_slip(&self, which: usize, v: &[f64], usual: &[f64]) -> Vec<f64> {
        let mut slip = self.slip(which).to_vec();
        for (component, slip) in slip.iter_mut().enumerate() {
            let row = self.direction(which, component);
            let moved: f64 = row.clone().map(|(j, d)| d * v[j]).sum();
            let size: f64 = row.map(|(j, d)| (d * v[j].abs().max(ROUNDS_TO * usual[j])).abs()).sum();
            if slip.abs() <= AT_REST * (size + (*slip - moved).abs()) {
                *slip = 0.0;
            }
        }
        slip
    }

    /// ∂slip/∂q̇ of a component: coordinates and entries.
    #[inline]
    pub fn direction(&self, which: usize, component: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
        let row = self.places[which].slip_at + component;
        let range = self.starts[row]..self.starts[row + 1];
        let entries = &self.values.part(GroupPart::Direction)[range.clone()];
        self.columns[range].iter().zip(entries).map(|(&j, d)| (j as usize, *d))
    }

    /// ∂slip/∂q̇ of a coordinate, by component.
    pub fn column(&self, which: usize, coordinate: usize) -> [f64; 3] {
        std::array::from_fn(|c| match c < self.places[which].components {
            true => self.direction(which, c).find(|entry| entry.0 == coordinate).map_or(0.0, |entry| entry.1),
            false => 0.0,
        })
    }

    /// The coordinates that the slip of a contact depends on; ascending.
    #[inline]
    pub fn coordinates(&self, which: usize) -> &[u32] {
        &self.places[which].coordinates
    }

    /// The rows of the equations that the load of a contact depends on.
    pub fn load_rows(&self, which: usize) -> impl Iterator<Item = usize> {
        let place = &self.places[which];
        place.normal_rows.iter().flatten().chain(place.given_rows.iter().flatten()).copied()
    }

    /// What `directions·q̈` is while slip stays zero.
    #[inline]
    pub fn hold(&self, which: usize) -> &[f64] {
        let place = &self.places[which];
        &self.values.part(GroupPart::Hold)[place.slip_at..place.slip_at + place.components]
    }

    /// The speed with which the law of a contact is to be evaluated.
    #[inline]
    pub fn set_speed(&mut self, which: usize, speed: f64) {
        self.speeds[self.places[which].friction] = speed;
    }

    /// The load with which the law of a contact is to be evaluated; one that is a straight line over it needs none.
    #[inline]
    pub fn set_normal(&mut self, which: usize, normal: f64) {
        self.normals[self.places[which].friction] = normal;
    }

    /// The speed with which the law of a contact was evaluated.
    pub(super) fn speed(&self, which: usize) -> f64 {
        self.speeds[self.places[which].friction]
    }

    /// The load with which the law of a contact was evaluated.
    pub(crate) fn normal(&self, which: usize) -> f64 {
        self.normals[self.places[which].friction]
    }

    /// Evaluates laws, for reactions and multipliers over all rows of the equations.
    pub fn evaluate_laws(&mut self, system: &CompiledSystem, inputs: &Inputs) {
        let inputs = Inputs { slip: &self.speeds, normal: &self.normals, ..*inputs };
        system.evaluate(&inputs, &mut self.laws);
    }

    /// Whether force and load of a contact are straight lines in the reactions, wherever these are.
    pub(crate) fn is_straight(&self, which: usize) -> bool {
        self.places[which].has_straight_law && self.places[which].is_linear
    }

    /// Whether the load is an expression of the author's own.
    pub fn is_given(&self, which: usize) -> bool {
        self.places[which].given_rows.is_some()
    }

    /// Whether the load is the magnitude of a number that may be taken with either sign.
    pub fn has_sign(&self, which: usize) -> bool {
        let place = &self.places[which];
        place.only_row.is_some() || place.normal_rows.len() == 1
    }

    /// The coefficients of the reactions in a load that follows from the constraint.
    fn coefficients(&self, place: &Place) -> &[f64] {
        let count: usize = place.normal_rows.iter().map(Vec::len).sum();
        &self.values.part(GroupPart::Normal)[place.normal_at..place.normal_at + count]
    }

    /// The number by which the only reaction of a load is multiplied.
    fn only_coefficient(&self, place: &Place) -> f64 {
        match self.coefficients(place) {
            [one] => *one,
            several => several.iter().map(|x| x * x).sum::<f64>().sqrt(),
        }
    }

    /// How the load follows from reactions; one that is given is that of the last evaluation of laws.
    pub(crate) fn bears(&self, which: usize) -> Bears<'_> {
        let place = &self.places[which];
        match &place.given_rows {
            Some(rows) => {
                let slopes = &self.laws.part(GroupPart::NormalSlope)[place.slope_at..place.slope_at + rows.len()];
                Bears::Given(self.laws.part(GroupPart::Normal)[which], rows, slopes)
            }
            None => {
                if let Some(row) = place.only_row {
                    return Bears::Magnitude(vec![vec![(row, self.only_coefficient(place))]]);
                }
                let mut coefficients = self.coefficients(place).iter().copied();
                let component = |rows: &Vec<usize>| rows.iter().copied().zip(&mut coefficients).collect();
                Bears::Magnitude(place.normal_rows.iter().map(component).collect())
            }
        }
    }

    /// The load under reactions over all rows of the equations: signed where it has a sign or is given.
    #[inline]
    pub fn raw_normal(&self, which: usize, reactions: &[f64]) -> f64 {
        let place = &self.places[which];
        if place.given_rows.is_some() {
            return self.laws.part(GroupPart::Normal)[which];
        }
        if let Some(row) = place.only_row {
            return self.only_coefficient(place) * reactions[row];
        }
        let mut coefficients = self.coefficients(place).iter();
        let (mut squared, mut single) = (0.0, 0.0);
        for rows in &place.normal_rows {
            let value: f64 = rows.iter().zip(&mut coefficients).map(|(&row, x)| x * reactions[row]).sum();
            squared += value * value;
            single = value;
        }
        if place.normal_rows.len() == 1 { single } else { squared.sqrt() }
    }

    /// The load itself, never negative.
    pub(crate) fn load(&self, which: usize, reactions: &[f64]) -> f64 {
        match self.raw_normal(which, reactions) {
            raw if self.places[which].given_rows.is_some() => raw.max(0.0),
            raw => raw.abs(),
        }
    }

    /// The derivatives of the load by reactions, for a load taken with a sign: (row of the equations, derivative).
    pub fn load_slopes(&self, which: usize, sign: f64, reactions: &[f64], mut each: impl FnMut(usize, f64)) {
        let place = &self.places[which];
        if let Some(rows) = &place.given_rows {
            let slopes = &self.laws.part(GroupPart::NormalSlope)[place.slope_at..];
            rows.iter().zip(slopes).for_each(|(&row, slope)| each(row, sign * slope));
            return;
        }
        if let Some(row) = place.only_row {
            each(row, sign * self.only_coefficient(place));
            return;
        }
        let size = self.raw_normal(which, reactions);
        let single = place.normal_rows.len() == 1;
        let mut coefficients = self.coefficients(place).iter();
        for rows in &place.normal_rows {
            let part = coefficients.as_slice();
            let value: f64 = rows.iter().zip(part).map(|(&row, x)| x * reactions[row]).sum();
            let weight = match size {
                _ if single => sign,
                size if size > 0.0 => value / size,
                _ => 0.0,
            };
            for &row in rows {
                let Some(x) = coefficients.next() else { return };
                each(row, weight * x);
            }
        }
    }

    /// What of C is not linear in the reactions, and the derivatives of it, in order.
    pub fn nonlinear(&self) -> (&[f64], &[f64]) {
        (self.laws.part(GroupPart::Nonlinear), self.laws.part(GroupPart::NonlinearSlope))
    }
}
