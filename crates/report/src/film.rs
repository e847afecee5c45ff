//! The motion as a film: frames for a GIF file, or pictures of their own for slides.

use crate::reel::Reel;
use crate::{Overlay, ReportedRun};
use holonom_elementary as elementary;
use holonom_figure::{Figure, Frame, FrameShape, Gif, Panel, Theme};

/// Frames in a second of the film.
const RATE: f64 = 25.0;
/// How long a film is where nothing is said, in seconds: shorter ones are slowed down, longer ones sped up.
const SHORTEST: f64 = 4.0;
const LONGEST: f64 = 20.0;
/// More frames than this are not drawn.
const MOST: f64 = 5_000.0;
/// Frames from which the colours of a film are chosen.
const SAMPLES: usize = 12;

/// A film of a run.
pub struct Film<'a> {
    reel: Reel<'a>,
    title: Option<String>,
    times: Vec<f64>,
    seen: Vec<[f64; 3]>,
    /// How fast it is: 0.1 is ten times slower than the motion.
    pub speed: f64,
}

impl<'a> Film<'a> {
    /// A film of a run: `speed` times as fast as the motion, or, where that is not said, so that it lasts a few seconds. It shows
    /// what `overlay` asks for.
    ///
    /// # Errors
    /// Where the model has no picture, or the film would have too many frames.
    pub fn new(run: &'a ReportedRun<'a>, speed: Option<f64>, overlay: Overlay) -> Result<Self, String> {
        let mut reel = Reel::new(run, overlay)?;
        let (begin, end) = reel.times();
        let speed = speed.unwrap_or_else(|| usual(end - begin));
        let count = ((end - begin) / speed * RATE).ceil().max(1.0);
        if count.is_nan() || count > MOST {
            return Err(format!("at this speed the film has {count:.0} frames, and {MOST:.0} are drawn at most"));
        }
        let times: Vec<f64> = (0..=count as usize).map(|k| (begin + k as f64 * speed / RATE).min(end)).collect();
        let mut seen = Vec::new();
        for &time in &times {
            bounds(&reel.frame(time, time), &mut seen);
        }
        Ok(Self { reel, title: run.summary["title"].as_str().map(String::from), times, seen, speed })
    }

    /// How many frames it has.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether it has none, which does not happen.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// One frame, with the traces up to then; all have the same view.
    pub fn frame(&mut self, which: usize) -> Figure {
        let time = self.times.get(which).or(self.times.last()).copied().unwrap_or(0.0);
        let frame = self.reel.frame(time, time);
        let mut picture = self.reel.picture(vec![frame]);
        picture.seen = self.seen.clone();
        let panels = vec![Panel::Picture(picture)];
        Figure { title: self.title.clone(), width: 720, height: 420, theme: Theme::Light, columns: None, panels }
    }

    /// The film as a GIF file that begins again when it ends; the last frame stays for a second.
    pub fn gif(&mut self, scale: f64) -> Vec<u8> {
        let step = self.len().div_ceil(SAMPLES).max(1);
        let samples: Vec<Figure> = (0..self.len()).rev().step_by(step).map(|which| self.frame(which)).collect();
        let mut gif = Gif::new(&samples, scale);
        for which in 0..self.len() {
            let figure = self.frame(which);
            gif.frame(&figure, if which + 1 == self.len() { 100 } else { (100.0 / RATE) as u16 });
        }
        gif.finish()
    }
}

/// 1, or the first of 0.5, 0.2, 0.1, … and 2, 5, 10, … that makes the film neither too short nor too long.
fn usual(length: f64) -> f64 {
    let mut speed = 1.0;
    for round in 0..60 {
        let factor = if round % 3 == 1 { 2.5 } else { 2.0 };
        if length / speed > LONGEST {
            speed *= factor;
        } else if length / speed < SHORTEST && length > 0.0 && speed <= 1.0 {
            speed /= factor;
        } else {
            break;
        }
    }
    speed
}

/// Widens the box of all that is seen by what a frame shows.
fn bounds(frame: &Frame, seen: &mut Vec<[f64; 3]>) {
    for shape in &frame.shapes {
        let reach = reach(shape);
        for point in shape.points.iter().filter(|point| point.iter().all(|x| x.is_finite())) {
            if seen.is_empty() {
                *seen = vec![*point, *point];
            }
            for k in 0..3 {
                seen[0][k] = seen[0][k].min(point[k] - reach);
                seen[1][k] = seen[1][k].max(point[k] + reach);
            }
        }
    }
}

fn reach(shape: &FrameShape) -> f64 {
    let half = |v: Option<f64>| v.filter(|v| v.is_finite() && *v > 0.0).unwrap_or(0.0) / 2.0;
    shape
        .radius
        .filter(|r| r.is_finite() && *r > 0.0)
        .unwrap_or_else(|| elementary::hypot(half(shape.width), half(shape.height)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn films_last_a_few_seconds() {
        assert_eq!(usual(10.0), 1.0);
        for length in [0.03, 0.5, 3.9, 4.0, 19.0, 21.0, 100.0, 1e6, 1e-9] {
            let lasts = length / usual(length);
            assert!((SHORTEST..=LONGEST).contains(&lasts), "{length}: {lasts}");
        }
        assert!(usual(0.0) > 0.0);
    }
}
