//! The PNG output: pixels by `tiny-skia`, text by the outlines of the embedded font.

use tiny_skia as skia;

use crate::canvas::{Anchor, Canvas, Paint, Stroke, TextStyle};
use crate::colour::Colour;
use crate::font;
use crate::png;
use crate::thin::Point;

pub(crate) struct Raster {
    pixels: skia::Pixmap,
    scale: f32,
}

impl Raster {
    /// A blank page, or `None` if there is no memory for it.
    pub fn new(width: f64, height: f64, scale: f64, paper: Colour) -> Option<Raster> {
        let size = |v: f64| (v * scale).round().max(1.0) as u32;
        let mut pixels = skia::Pixmap::new(size(width), size(height))?;
        let [r, g, b] = paper;
        pixels.fill(skia::Color::from_rgba8(r, g, b, 255));
        Some(Raster { pixels, scale: scale as f32 })
    }

    pub fn png(&self) -> Vec<u8> {
        let (width, height, rows) = self.pixels();
        png::encode(width, height, &rows)
    }

    /// Width, height, and red, green and blue of every pixel: the paper is opaque, and so is everything drawn on it.
    pub fn pixels(&self) -> (u32, u32, Vec<u8>) {
        let rows = self.pixels.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect();
        (self.pixels.width(), self.pixels.height(), rows)
    }

    fn transform(&self) -> skia::Transform {
        skia::Transform::from_scale(self.scale, self.scale)
    }

    fn draw(&mut self, path: &skia::Path, paint: Paint, at: skia::Transform) {
        if let Some(fill) = paint.fill {
            self.pixels.fill_path(path, &solid(fill), skia::FillRule::Winding, at, None);
        }
        if let Some(Stroke { colour, width, dash }) = paint.stroke {
            let line_cap = if dash.is_empty() { skia::LineCap::Round } else { skia::LineCap::Butt };
            let dash = skia::StrokeDash::new(dash.iter().map(|d| *d as f32).collect(), 0.0);
            let stroke = skia::Stroke {
                width: width as f32,
                dash,
                line_cap,
                line_join: skia::LineJoin::Round,
                ..Default::default()
            };
            self.pixels.stroke_path(path, &solid(colour), &stroke, at, None);
        }
    }
}

fn solid([r, g, b]: Colour) -> skia::Paint<'static> {
    let mut paint = skia::Paint { anti_alias: true, ..Default::default() };
    paint.set_color_rgba8(r, g, b, 255);
    paint
}

impl Canvas for Raster {
    fn lines(&mut self, lines: &[Vec<Point>], closed: bool, paint: Paint) {
        let mut builder = skia::PathBuilder::new();
        for line in lines.iter().filter(|l| l.len() > 1) {
            builder.move_to(line[0][0] as f32, line[0][1] as f32);
            for p in &line[1..] {
                builder.line_to(p[0] as f32, p[1] as f32);
            }
            if closed {
                builder.close();
            }
        }
        if let Some(path) = builder.finish() {
            self.draw(&path, paint, self.transform());
        }
    }

    fn circle(&mut self, centre: Point, radius: f64, paint: Paint) {
        if let Some(path) = skia::PathBuilder::from_circle(centre[0] as f32, centre[1] as f32, radius as f32) {
            self.draw(&path, paint, self.transform());
        }
    }

    fn text(&mut self, text: &str, at: Point, style: TextStyle) {
        let mut pen = Outlines(skia::PathBuilder::new());
        font::outline(text, style.size, &mut pen);
        let Some(path) = pen.0.finish() else { return };
        let back = match style.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => font::width(text, style.size) / 2.0,
            Anchor::End => font::width(text, style.size),
        };
        let turned = if style.upright { skia::Transform::from_rotate(-90.0) } else { skia::Transform::identity() };
        let placed = turned
            .pre_translate(-back as f32, 0.0)
            .post_translate(at[0] as f32, at[1] as f32)
            .post_scale(self.scale, self.scale);
        if let Some(halo) = style.halo {
            self.draw(&path, Paint::line(halo, 3.0), placed);
        }
        self.draw(&path, Paint::fill(style.colour), placed);
    }
}

struct Outlines(skia::PathBuilder);

impl font::Pen for Outlines {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }
    fn cubic_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.0.close();
    }
}
