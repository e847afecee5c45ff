//! Where everything in a picture is, at a time and a state.

use super::shapes::Picture;
use holonom_mechanics::compile::{Fixed, Inputs, Memory, Program};
use holonom_symbols::expr::{FastMap, Id, Symbol};

/// Where a point of a picture is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// Always here.
    Fixed([f64; 3]),
    /// Where these values of a frame say; nothing stands for 0.
    Moving([Option<usize>; 3]),
}

/// How much a scalar of a picture is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// Always this.
    Fixed(f64),
    /// What this value of a frame says.
    Moving(usize),
}

/// Where everything in a picture is, for one set of parameters.
///
/// What depends on parameters alone is known once and for all. The rest is evaluated frame by frame, each component once, also
/// where several shapes share it.
#[derive(Debug)]
pub struct Frames {
    points: Vec<Place>,
    scalars: Vec<Amount>,
    width: usize,
    program: Program,
    fixed: Fixed,
    memory: Memory,
}

impl Frames {
    /// The frames of a picture, for these values of the parameters in the order of the model.
    ///
    /// # Panics
    /// If there are fewer parameters than the picture mentions.
    pub fn new(picture: &Picture, parameters: &[f64]) -> Self {
        let graph = &picture.graph;
        let all: Vec<Id> = picture.points.iter().flatten().chain(&picture.scalars).copied().collect();
        let still: Vec<Id> = all.iter().copied().filter(|&id| graph.depends(id).is_fixed()).collect();
        let values = graph.evaluate(&still, |symbol| match symbol {
            Symbol::Parameter(which) => parameters[which as usize],
            _ => 0.0,
        });
        let known: FastMap<Id, f64> = still.into_iter().zip(values).collect();
        let (mut roots, mut columns) = (Vec::new(), FastMap::<Id, usize>::default());
        let mut column = |id: Id| {
            let next = roots.len();
            let number = *columns.entry(id).or_insert(next);
            if number == next {
                roots.push(id);
            }
            number
        };
        let mut points = Vec::with_capacity(picture.points.len());
        for point in &picture.points {
            let values = point.map(|id| known.get(&id).copied());
            points.push(match values {
                [Some(x), Some(y), Some(z)] => Place::Fixed([x, y, z]),
                _ => Place::Moving(point.map(|id| (id != Id::ZERO).then(|| column(id)))),
            });
        }
        let mut scalars = Vec::with_capacity(picture.scalars.len());
        for &id in &picture.scalars {
            scalars.push(match known.get(&id) {
                Some(&value) => Amount::Fixed(value),
                None => Amount::Moving(column(id)),
            });
        }
        let program = Program::new(graph, &roots);
        let (fixed, memory) = (program.fixed(parameters), program.memory());
        Self { points, scalars, width: roots.len(), program, fixed, memory }
    }

    /// The points, in the order of [`Picture::points`].
    pub fn points(&self) -> &[Place] {
        &self.points
    }

    /// The scalars, in the order of [`Picture::scalars`].
    pub fn scalars(&self) -> &[Amount] {
        &self.scalars
    }

    /// How many values a frame has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The values of the frame at a time and a state. Allocates nothing once `values` has room for them.
    ///
    /// # Panics
    /// If there are fewer positions or velocities than the picture mentions.
    pub fn at(&mut self, t: f64, q: &[f64], v: &[f64], values: &mut Vec<f64>) {
        let inputs = Inputs { t, q, v, ..Inputs::default() };
        values.clear();
        values.extend_from_slice(self.program.evaluate(&self.fixed, &inputs, &mut self.memory));
    }

    /// Where a point is in a frame.
    pub fn place(&self, point: usize, values: &[f64]) -> [f64; 3] {
        match self.points[point] {
            Place::Fixed(place) => place,
            Place::Moving(columns) => columns.map(|column| column.map_or(0.0, |column| values[column])),
        }
    }

    /// How much a scalar is in a frame.
    pub fn amount(&self, scalar: usize, values: &[f64]) -> f64 {
        match self.scalars[scalar] {
            Amount::Fixed(value) => value,
            Amount::Moving(column) => values[column],
        }
    }
}
