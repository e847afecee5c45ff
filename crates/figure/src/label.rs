//! Names of shapes: each beside its shape, on the side where it covers the least.

use crate::font;
use crate::rect::Rect;
use crate::thin::Point;
use holonom_elementary as elementary;

pub(crate) const SIZE: f64 = 12.0;
/// Samples of what should not be covered: their distance in pixels, and how many there are at most.
const STEP: f64 = 4.0;
const MOST: usize = 20_000;
/// No name is longer.
const WIDEST: f64 = 160.0;

/// Keeps names and lines apart.
pub(crate) struct Labels {
    area: Rect,
    taken: Vec<Point>,
}

impl Labels {
    pub fn new(area: Rect) -> Labels {
        Labels { area, taken: Vec::new() }
    }

    /// Names shall not cover this line.
    pub fn avoid(&mut self, line: &[Point]) {
        self.taken.extend(line.first());
        for w in line.windows(2) {
            let (dx, dy) = (w[1][0] - w[0][0], w[1][1] - w[0][1]);
            let steps = (elementary::hypot(dx, dy) / STEP).ceil().max(1.0) as usize;
            if self.taken.len() + steps > MOST {
                return;
            }
            for k in 1..=steps {
                let s = k as f64 / steps as f64;
                self.taken.push([w[0][0] + s * dx, w[0][1] + s * dy]);
            }
        }
    }

    /// The text as it fits and the start of its baseline, for a shape that reaches `away` around `at`.
    pub fn place(&mut self, text: &str, at: Point, away: f64) -> (String, Point) {
        let text = font::fitted(text, SIZE, WIDEST);
        let (w, h) = (font::width(&text, SIZE), 0.8 * SIZE);
        let (near, far) = (0.7 * away + 4.0, away + 5.0);
        // The left and the upper edge, in the order of preference.
        let candidates = [
            [near, -near - h],
            [-near - w, -near - h],
            [near, near],
            [-near - w, near],
            [far, -h / 2.0],
            [-far - w, -h / 2.0],
            [-w / 2.0, -far - h],
            [-w / 2.0, far],
        ];
        let boxes = candidates.map(|c| Rect { x: at[0] + c[0], y: at[1] + c[1], w, h });
        let best = boxes.iter().min_by_key(|b| self.cost(b)).unwrap_or(&boxes[0]);
        let (top, bottom) = (best.y, best.bottom());
        self.avoid(&[
            [best.x, top],
            [best.right(), top],
            [best.right(), bottom],
            [best.x, bottom],
            [best.right(), top],
        ]);
        (text, [best.x, bottom])
    }

    fn cost(&self, b: &Rect) -> usize {
        let covers =
            |p: &&Point| p[0] > b.x - 2.0 && p[0] < b.right() + 2.0 && p[1] > b.y - 2.0 && p[1] < b.bottom() + 2.0;
        let a = self.area;
        let inside =
            b.x >= a.x - 8.0 && b.right() <= a.right() + 8.0 && b.y >= a.y - 8.0 && b.bottom() <= a.bottom() + 8.0;
        self.taken.iter().filter(covers).count() + if inside { 0 } else { 40 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_avoid_lines_and_each_other() {
        let area = Rect { x: 0.0, y: 0.0, w: 200.0, h: 200.0 };
        let mut labels = Labels::new(area);
        let (_, free) = labels.place("A", [100.0, 100.0], 3.0);
        assert!(free[0] > 100.0 && free[1] < 100.0, "right and above where nothing is");
        let (_, second) = labels.place("B", [100.0, 100.0], 3.0);
        assert_ne!(free, second);

        let mut labels = Labels::new(area);
        labels.avoid(&[[100.0, 100.0], [140.0, 60.0]]);
        let (_, beside) = labels.place("A", [100.0, 100.0], 3.0);
        assert!(beside[0] < 100.0, "the rod goes to the right");
        let (_, corner) = Labels::new(area).place("corner", [199.0, 1.0], 3.0);
        assert!(corner[0] < 199.0 && corner[1] > 0.0);
    }
}
