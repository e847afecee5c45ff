//! From the model's space to the page: the plane as it is, or space seen along a fixed direction.

use crate::rect::Rect;
use crate::thin::Point;
use holonom_elementary as elementary;

/// What is farther away has no place: sums and differences of coordinates must stay finite, and the bar must tell the truth.
pub(crate) const FARTHEST: f64 = 1e270;

/// Azimuth −60° and elevation 25°: the eye is in front of the mechanism, a little to the right and above.
const AZIMUTH: f64 = -60.0;
const ELEVATION: f64 = 25.0;

/// The directions of the page: right, up, and towards the eye.
pub(crate) struct Directions {
    right: [f64; 3],
    up: [f64; 3],
    eye: [f64; 3],
}

impl Directions {
    pub fn new(spatial: bool) -> Directions {
        if !spatial {
            return Directions { right: [1.0, 0.0, 0.0], up: [0.0, 1.0, 0.0], eye: [0.0, 0.0, 1.0] };
        }
        let ((sa, ca), (se, ce)) =
            (elementary::sin_cos(AZIMUTH.to_radians()), elementary::sin_cos(ELEVATION.to_radians()));
        Directions { right: [-sa, ca, 0.0], up: [-se * ca, -se * sa, ce], eye: [ce * ca, ce * sa, se] }
    }

    /// Right and up of a point in the model's units; `None` if it has no place.
    pub fn flat(&self, p: [f64; 3]) -> Option<Point> {
        let p = near(p)?;
        Some([dot(self.right, p), dot(self.up, p)])
    }

    /// How near the eye.
    pub fn nearness(&self, p: [f64; 3]) -> f64 {
        near(p).map_or(0.0, |p| dot(self.eye, p))
    }
}

fn near(p: [f64; 3]) -> Option<[f64; 3]> {
    p.iter().all(|v| v.abs() <= FARTHEST).then_some(p)
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Two directions across `axis`, turned by `angle` about it. For the z axis and no turn they are x and y.
pub(crate) fn across(axis: [f64; 3], angle: f64) -> [[f64; 3]; 2] {
    let unit = |v: [f64; 3]| {
        let largest = v.iter().fold(0.0_f64, |m, c| m.max(c.abs()));
        let v = v.map(|c| c / largest);
        let length = dot(v, v).sqrt();
        (length.is_finite() && length > 0.0).then(|| v.map(|c| c / length))
    };
    let n = unit(axis).unwrap_or([0.0, 0.0, 1.0]);
    let level = cross([0.0, 0.0, 1.0], n);
    let e = if dot(level, level) < 1e-18 { [1.0, 0.0, 0.0] } else { unit(level).unwrap_or([1.0, 0.0, 0.0]) };
    let f = cross(n, e);
    let (s, c) = if angle.is_finite() { elementary::sin_cos(angle) } else { (0.0, 1.0) };
    [[0, 1, 2].map(|k| c * e[k] + s * f[k]), [0, 1, 2].map(|k| c * f[k] - s * e[k])]
}

/// The smallest box around what was added to it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Extent(Option<[f64; 4]>);

impl Extent {
    /// Adds a point with `reach` around it.
    pub fn add(&mut self, p: Point, reach: f64) {
        let [l, r, b, t] = self.0.unwrap_or([f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY]);
        self.0 = Some([l.min(p[0] - reach), r.max(p[0] + reach), b.min(p[1] - reach), t.max(p[1] + reach)]);
    }
}

/// Equal scales in both directions, the extent in the middle of the area.
#[derive(Clone, Copy)]
pub(crate) struct Scale {
    middle: Point,
    centre: Point,
    /// Pixels per unit of length.
    pub pixels: f64,
}

impl Scale {
    pub fn new(extent: Extent, area: Rect) -> Scale {
        let [l, r, b, t] = extent.0.unwrap_or([-1.0, 1.0, -1.0, 1.0]);
        // Sizes below the resolution of the numbers are nothing; one point alone is drawn at any scale.
        let least = 1e-12 * l.abs().max(r.abs()).max(b.abs()).max(t.abs());
        let (w, h) = (r - l, t - b);
        let pixels = if w.max(h) <= least.max(1e-250) {
            area.w.min(area.h) / 2.0
        } else {
            (area.w / w.max(1e-250)).min(area.h / h.max(1e-250))
        };
        Scale {
            middle: [l / 2.0 + r / 2.0, b / 2.0 + t / 2.0],
            centre: [area.x + area.w / 2.0, area.y + area.h / 2.0],
            pixels,
        }
    }

    pub fn place(&self, p: Point) -> Point {
        [self.centre[0] + self.length(p[0] - self.middle[0]), self.centre[1] - self.length(p[1] - self.middle[1])]
    }

    /// A length in pixels; where the extent was nothing, a bound keeps differences of huge numbers on the page.
    pub fn length(&self, v: f64) -> f64 {
        (self.pixels * v).clamp(-1e4, 1e4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_is_a_rotation() {
        let d = Directions::new(true);
        for (a, b, want) in [(d.right, d.right, 1.0), (d.up, d.up, 1.0), (d.right, d.up, 0.0), (d.eye, d.up, 0.0)] {
            assert!((dot(a, b) - want).abs() < 1e-15);
        }
        assert!(dot(cross(d.right, d.up), d.eye) > 0.999);
        assert!(d.flat([0.0, 0.0, 1.0]).is_some_and(|p| p[0] == 0.0 && p[1] > 0.9), "z is upwards");
    }

    #[test]
    fn across_the_z_axis_are_x_and_y() {
        assert_eq!(across([0.0, 0.0, 2.0], 0.0), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        for axis in [[0.0; 3], [f64::NAN, 0.0, 1.0], [1e300, 1e300, 0.0], [1e-300, 0.0, 0.0]] {
            let [e, f] = across(axis, 0.3);
            assert!((dot(e, e) - 1.0).abs() < 1e-12 && dot(e, f).abs() < 1e-12, "{axis:?}");
        }
    }
}
