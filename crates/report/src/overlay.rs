//! What is drawn on a mechanism when somebody asks for it: traces of all points, velocities, and forces of constraints.

use holonom::language::{Color, DrawnShape};
use holonom::mechanics::compile::CompiledSystem;
use holonom::picture::{Arrows, Frames, Picture, Shape as Drawn};
use holonom::simulate::integrate::{Recorded, TableLayout};
use holonom_figure::{FrameShape, ShapeKind};

/// How long the longest arrow is, in parts of the size of the picture.
const LONGEST: f64 = 0.2;
/// The words, in the order of [`Overlay`].
const WORDS: [&str; 3] = ["velocities", "reactions", "traces"];

/// What is drawn on a mechanism on request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlay {
    /// An arrow at each point that moves, in the direction of its velocity.
    pub velocities: bool,
    /// An arrow at each particle on which constraints act, where the coordinates say with what force.
    pub reactions: bool,
    /// The path of each point that is drawn.
    pub traces: bool,
}

impl Overlay {
    /// Takes one of the words `velocities`, `reactions` and `traces`; whether it is one.
    pub fn take(&mut self, word: &str) -> bool {
        match word.trim() {
            "velocities" => self.velocities = true,
            "reactions" => self.reactions = true,
            "traces" => self.traces = true,
            _ => return false,
        }
        true
    }

    /// Reads words.
    ///
    /// # Errors
    /// Which word is none, and which there are.
    pub fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Self, String> {
        let mut overlay = Self::default();
        match words.find(|word| !overlay.take(word)) {
            None => Ok(overlay),
            Some(word) => Err(format!(
                "a picture has no `{}`\n  help: it may have {}, with commas between them",
                word.trim(),
                WORDS.map(|word| format!("`{word}`")).join(", "),
            )),
        }
    }
}

/// Adds the trace of each dot that has none.
pub(crate) fn trace_all(picture: &mut Picture) {
    let traced: Vec<usize> =
        picture.shapes.iter().filter(|shape| shape.kind == DrawnShape::Trace).map(|shape| shape.points[0]).collect();
    let dots = picture.shapes.iter().filter(|shape| {
        let is_dot = matches!(shape.kind, DrawnShape::Point | DrawnShape::Body);
        let moves = shape
            .points
            .iter()
            .flat_map(|&point| picture.points[point])
            .any(|id| !picture.graph.depends(id).is_fixed());
        is_dot && moves && !traced.contains(&shape.points[0])
    });
    let color = |shape: &Drawn| shape.color.or(Some(Color::Named("gray")));
    let new: Vec<Drawn> =
        dots.map(|dot| Drawn { color: color(dot), ..Drawn::new(DrawnShape::Trace, vec![dot.points[0]]) }).collect();
    picture.shapes.splice(0..0, new);
}

/// The arrows of a picture, scaled for one run.
pub(crate) struct Pointers {
    arrows: Arrows,
    layout: TableLayout,
    /// Lengths of the picture for a unit of velocity and a unit of force.
    scales: [f64; 2],
}

impl Pointers {
    /// Those of a picture, which gains points for velocities.
    pub(crate) fn new(overlay: Overlay, picture: &mut Picture, system: &CompiledSystem) -> Self {
        let mut arrows = Arrows::default();
        if overlay.velocities || overlay.reactions {
            arrows = picture.arrows(system.equations());
        }
        if !overlay.velocities {
            arrows.velocities.clear();
        }
        if !overlay.reactions {
            arrows.reactions.clear();
        }
        Self { arrows, layout: TableLayout::of(system), scales: [0.0; 2] }
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.arrows.velocities.is_empty() && self.arrows.reactions.is_empty()
    }

    /// Chooses the scales, so that the longest arrow of each kind is a fixed part of `size`: `frames` are values of frames and rows.
    pub(crate) fn measure<'a>(
        &mut self,
        size: f64,
        frames: &Frames,
        all: impl Iterator<Item = (&'a [f64], &'a [f64])>,
    ) {
        let mut most = [0.0f64; 2];
        for (values, row) in all {
            for (_, vector, kind) in self.vectors(frames, values, row) {
                let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
                if length.is_finite() {
                    most[kind] = most[kind].max(length);
                }
            }
        }
        self.scales = most.map(|most| if most > 0.0 { LONGEST * size / most } else { 0.0 });
    }

    /// The arrows of a frame.
    pub(crate) fn shapes(&self, frames: &Frames, values: &[f64], row: &[f64]) -> Vec<FrameShape> {
        let arrow = |(at, vector, kind): ([f64; 3], [f64; 3], usize)| FrameShape {
            kind: ShapeKind::Arrow,
            points: vec![at, [0, 1, 2].map(|i| at[i] + self.scales[kind] * vector[i])],
            color: Some(["green", "red"][kind].to_string()),
            ..FrameShape::default()
        };
        self.vectors(frames, values, row).into_iter().map(arrow).collect()
    }

    /// Where arrows begin, their vectors, and 0 for velocities, 1 for forces.
    fn vectors(&self, frames: &Frames, values: &[f64], row: &[f64]) -> Vec<([f64; 3], [f64; 3], usize)> {
        let force_on = |j: usize| {
            [Recorded::IdealForce(j), Recorded::NonidealForce(j)].map(|what| row.get(self.layout.place(what)))
        };
        let velocities = self
            .arrows
            .velocities
            .iter()
            .map(|&[point, rate]| (frames.place(point, values), frames.place(rate, values), 0));
        let force = |which: Option<usize>| {
            which.map_or(0.0, |j| match force_on(j) {
                [Some(ideal), Some(other)] => ideal + other,
                _ => 0.0,
            })
        };
        let reactions =
            self.arrows.reactions.iter().map(|&(point, of)| (frames.place(point, values), of.map(force), 1));
        velocities.chain(reactions).collect()
    }
}
