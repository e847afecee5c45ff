//! The embedded font: widths for the layout of both outputs, outlines for the PNG.
//!
//! DejaVu Sans has the letters mechanics needs (Greek, primes, subscripts, dots above), and it is wider than the
//! fonts an SVG viewer is likely to use, so that text measured here has room there.

use std::sync::LazyLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

static FACE: LazyLock<Option<Face<'static>>> = LazyLock::new(|| Face::parse(dejavu::sans::regular(), 0).ok());

/// A glyph and where its origin lies, in pixels from the start of the baseline, y downwards.
struct Placed {
    glyph: GlyphId,
    x: f64,
    y: f64,
}

/// Marks that are set above or below the letter before them and take no room.
fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{20d0}'..='\u{20ff}')
}

/// Places the glyphs of `text`.
fn place(face: &Face<'_>, text: &str, size: f64) -> Vec<Placed> {
    let scale = size / f64::from(face.units_per_em());
    let mut placed = Vec::new();
    let mut pen = 0.0;
    // The middle and the top of the letter that marks are set on, in pixels.
    let mut base: Option<(f64, f64)> = None;
    for c in text.chars().filter(|c| !c.is_control()) {
        let glyph = face.glyph_index(c).unwrap_or_default();
        let bounds = face.glyph_bounding_box(glyph);
        if is_combining(c) {
            // Fonts centre marks with tables of anchors; the middle of the letter's bounds is close enough.
            let (Some((middle, top)), Some(b)) = (base, bounds) else { continue };
            let x = middle - scale * f64::from(i32::from(b.x_min) + i32::from(b.x_max)) / 2.0;
            let low = scale * f64::from(b.y_min);
            let gap = 0.09 * size;
            let lift = if low > 0.0 { top + gap - low } else { 0.0 };
            placed.push(Placed { glyph, x, y: -lift });
            base = Some((middle, top + gap + scale * f64::from(b.y_max - b.y_min)));
            continue;
        }
        placed.push(Placed { glyph, x: pen, y: 0.0 });
        base = bounds.map(|b| {
            let middle = scale * f64::from(i32::from(b.x_min) + i32::from(b.x_max)) / 2.0;
            (pen + middle, scale * f64::from(b.y_max))
        });
        pen += advance(face, c, size);
    }
    placed
}

/// How far a character moves the pen.
fn advance(face: &Face<'_>, c: char, size: f64) -> f64 {
    if c.is_control() || is_combining(c) {
        return 0.0;
    }
    let glyph = face.glyph_index(c).unwrap_or_default();
    size / f64::from(face.units_per_em()) * f64::from(face.glyph_hor_advance(glyph).unwrap_or(0))
}

/// The width of `text` in pixels.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    FACE.as_ref().map_or(0.0, |face| text.chars().map(|c| advance(face, c, size)).sum())
}

/// `text` without what cannot be printed, shortened with an ellipsis to at most `room` pixels.
pub(crate) fn fitted(text: &str, size: f64, room: f64) -> String {
    let Some(face) = FACE.as_ref() else { return String::new() };
    let ellipsis = advance(face, '…', size);
    let (mut all, mut pen) = (String::new(), 0.0);
    // How much of it can stand before an ellipsis.
    let mut kept = 0;
    for c in text.chars().filter(|c| !c.is_control()) {
        pen += advance(face, c, size);
        all.push(c);
        if pen + ellipsis <= room {
            kept = all.len();
        }
        if pen > room {
            all.truncate(kept);
            return if all.is_empty() { all } else { format!("{}…", all.trim_end()) };
        }
    }
    all
}

/// Receives outlines in pixels, y downwards.
pub(crate) trait Pen {
    fn move_to(&mut self, x: f32, y: f32);
    fn line_to(&mut self, x: f32, y: f32);
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32);
    fn cubic_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32);
    fn close(&mut self);
}

/// Moves and turns outlines over from the font's units to pixels.
struct Scaled<'a> {
    pen: &'a mut dyn Pen,
    scale: f32,
    x: f32,
    y: f32,
}

impl Scaled<'_> {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + self.scale * x, self.y - self.scale * y)
    }
}

impl OutlineBuilder for Scaled<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.pen.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.pen.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.pen.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.pen.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.pen.close();
    }
}

/// Draws `text` with the start of its baseline at the origin.
pub(crate) fn outline(text: &str, size: f64, pen: &mut dyn Pen) {
    let Some(face) = FACE.as_ref() else { return };
    let scale = (size / f64::from(face.units_per_em())) as f32;
    for Placed { glyph, x, y } in place(face, text, size) {
        face.outline_glyph(glyph, &mut Scaled { pen, scale, x: x as f32, y: y as f32 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_of_mechanics_are_there() {
        let face = FACE.as_ref().expect("the font is read");
        for c in "θφψωαβγδλμνρστΩΔΣ−′″₀₁₂₉ₙ⁰¹⁻ẋẏẍ\u{307}\u{308}·×°".chars()
        {
            assert!(face.glyph_index(c).is_some(), "{c:?}");
        }
    }

    #[test]
    fn marks_take_no_room_and_stand_above() {
        assert_eq!(width("θ\u{307}", 12.0), width("θ", 12.0));
        let face = FACE.as_ref().expect("the font is read");
        let placed = place(face, "θ\u{307}", 12.0);
        assert!(placed[1].y < 0.0, "a dot is lifted over a tall letter");
    }

    #[test]
    fn long_text_is_shortened() {
        assert_eq!(fitted("short", 12.0, 100.0), "short");
        let cut = fitted(&"word ".repeat(100), 12.0, 80.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0) <= 80.0);
        assert_eq!(fitted("wide", 12.0, 2.0), "");
    }
}
