//! Parts of the page in pixels, and the room around them.

/// A part of the page in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

impl Rect {
    pub fn right(&self) -> f64 {
        self.x + self.w
    }

    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    /// What is left inside the margins, its edges on the middle of pixels; never empty, however small the page.
    pub fn inside(&self, m: Margins) -> Rect {
        Rect {
            x: crisp(self.x + m.left),
            y: crisp(self.y + m.top),
            w: (self.w - m.left - m.right).max(8.0).floor(),
            h: (self.h - m.top - m.bottom).max(8.0).floor(),
        }
    }
}

/// The middle of the pixel at `v`, where a line of one pixel is sharp.
pub(crate) fn crisp(v: f64) -> f64 {
    v.floor() + 0.5
}

/// Room around the area of a plot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Margins {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}
