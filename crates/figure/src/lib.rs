//! Figures for papers, READMEs and terminals: plots and stroboscopic pictures of mechanisms, as SVG text and PNG
//! bytes.
//!
//! A [`Figure`] has one or more panels. A [`Plot`] shows lines over an axis, with round ticks, a legend that never
//! hides data, and marks for events; a [`PictureFigure`] shows a mechanism at a few instants. The same layout makes both
//! outputs: the SVG keeps text as text and refers to nothing outside, the PNG draws text with an embedded font.
//!
//! Outputs are well formed whatever the numbers are: non-finite values break a line, constant lines and single points
//! are drawn, and long lines are thinned to what pixels can show, with their extremes kept.
//!
//! # Examples
//!
//! A damped oscillation, and the pendulum that makes it:
//!
//! ```
//! use holonom_figure::{Figure, Frame, ShapeKind, Line, Panel, PictureFigure, Plot, FrameShape};
//!
//! let t: Vec<f64> = (0..500).map(|i| 0.02 * i as f64).collect();
//! let theta: Vec<f64> = t.iter().map(|t| (-0.2 * t).exp() * (3.0 * t).cos()).collect();
//! let frame = |i: usize| {
//!     let bob = [theta[i].sin(), -theta[i].cos(), 0.0];
//!     let rod = FrameShape { kind: ShapeKind::Line, points: vec![[0.0; 3], bob], ..FrameShape::default() };
//!     let dot = FrameShape { kind: ShapeKind::Point, points: vec![bob], label: Some("A".into()), ..FrameShape::default() };
//!     Frame { time: t[i], shapes: vec![rod, dot] }
//! };
//! let frames = (0..50).step_by(10).map(frame).collect();
//!
//! let figure = Figure {
//!     title: Some("A damped pendulum".into()),
//!     panels: vec![
//!         Panel::Picture(PictureFigure { frames, unit: Some("m".into()), ..PictureFigure::default() }),
//!         Panel::Plot(Plot {
//!             x_label: "t [s]".into(),
//!             y_label: "θ [rad]".into(),
//!             lines: vec![Line { label: "θ".into(), x: t, y: theta }],
//!             ..Plot::default()
//!         }),
//!     ],
//!     ..Figure::default()
//! };
//! assert!(figure.svg().contains("θ [rad]"));
//! assert!(figure.png(2.0).starts_with(b"\x89PNG"));
//! ```
//!
//! # Size
//!
//! The font, DejaVu Sans, adds 757 kB to a program that makes PNGs or measures text here.

mod canvas;
mod colour;
mod font;
mod gif;
mod label;
mod layout;
mod legend;
mod mark;
mod model;
mod picture;
mod plot;
mod png;
mod raster;
mod rect;
mod svg;
mod symbol;
mod thin;
mod tick;
mod view;

pub use gif::Gif;
pub use model::{Figure, Frame, FrameShape, Line, Mark, Panel, PictureFigure, Plot, ShapeKind, Theme, Weight};

use colour::Palette;

/// A PNG has no more pixels than this; a larger scale is reduced.
const MOST_PIXELS: f64 = 36e6;

impl Figure {
    /// The figure as SVG text.
    ///
    /// It is one XML document with a view box, a title and a description, without scripts, style sheets or
    /// references, so that it can stand in a file or inside an HTML page.
    pub fn svg(&self) -> String {
        let (width, height) = layout::size(self);
        let description = self.description();
        let title = self.title.as_deref().unwrap_or("Figure");
        let mut out = svg::Svg::new(width, height, Palette::of(self.theme).paper, title, &description);
        layout::draw(self, &mut out);
        out.finish()
    }

    /// The figure as the bytes of a PNG file with `scale` pixels per unit of width and height.
    ///
    /// The scale is brought into 0.1 to 16, and reduced where the picture would have more than 36 million pixels.
    pub fn png(&self, scale: f64) -> Vec<u8> {
        self.raster(scale).map_or(Vec::new(), |out| out.png())
    }

    /// Width, height, and red, green and blue of every pixel.
    fn pixels(&self, scale: f64) -> (u32, u32, Vec<u8>) {
        self.raster(scale).map_or((0, 0, Vec::new()), |out| out.pixels())
    }

    fn raster(&self, scale: f64) -> Option<raster::Raster> {
        let (width, height) = layout::size(self);
        let scale = if scale.is_finite() { scale.clamp(0.1, 16.0) } else { 1.0 };
        let scale = scale.min((MOST_PIXELS / (width * height)).sqrt());
        let mut out = raster::Raster::new(width, height, scale, Palette::of(self.theme).paper)?;
        layout::draw(self, &mut out);
        Some(out)
    }

    /// What the figure shows, for those who do not see it.
    fn description(&self) -> String {
        let describe = |panel: &Panel| match panel {
            Panel::Plot(plot) => plot::Prepared::describe(plot),
            Panel::Picture(picture) => {
                let times = picture::times(picture);
                let at = if times.is_empty() { String::new() } else { format!(" at {times}") };
                format!("PictureFigure of a mechanism{at}.")
            }
        };
        self.panels.iter().map(describe).collect::<Vec<_>>().join(" ")
    }
}
