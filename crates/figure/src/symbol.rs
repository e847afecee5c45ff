//! The signs of mechanics, in pixels: springs, supports, hatched ground, arrows.

use crate::thin::Point;
use holonom_elementary as elementary;

/// Distance of the strokes of a hatching, and their length.
const HATCH: f64 = 7.0;
/// Strokes of one hatching: beyond, they are farther apart.
const MOST_STROKES: f64 = 400.0;
/// How high the triangle of a support is.
const SUPPORT: f64 = 11.0;

/// A zigzag with straight ends; its width does not depend on its length, so that stretching is seen.
pub(crate) fn spring(a: Point, b: Point, coils: u32) -> Vec<Point> {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let length = elementary::hypot(dx, dy);
    if length < 1.0 {
        return vec![a, b];
    }
    let (ux, uy) = (dx / length, dy / length);
    let lead = (0.12 * length).min(10.0);
    let at = |along: f64, side: f64| [a[0] + ux * along - uy * side, a[1] + uy * along + ux * side];
    let mut points = vec![a, at(lead, 0.0)];
    let turns = 2 * coils;
    for k in 0..turns {
        let along = lead + (length - 2.0 * lead) * (f64::from(k) + 0.5) / f64::from(turns);
        points.push(at(along, if k % 2 == 0 { 6.0 } else { -6.0 }));
    }
    points.extend([at(length - lead, 0.0), b]);
    points
}

/// A support where a piece is one point, with its ground in the direction `into`; else a line with a hatching on its right.
pub(crate) fn ground(pieces: &[Vec<Point>], into: Point) -> Vec<Vec<Point>> {
    let mut lines = Vec::new();
    for piece in pieces {
        match piece[..] {
            [at] => lines.extend(support(at, into)),
            _ => {
                lines.push(piece.clone());
                lines.extend(hatching(piece));
            }
        }
    }
    lines
}

/// A triangle with its tip at a point, on hatched ground; `into` is a unit vector, (0, 1) for ground below.
fn support([x, y]: Point, [dx, dy]: Point) -> Vec<Vec<Point>> {
    let at = |across: f64, along: f64| [x + across * dy + along * dx, y - across * dx + along * dy];
    let (wide, foot) = (0.62 * SUPPORT, SUPPORT);
    let mut lines = vec![vec![at(0.0, 0.0), at(-wide, foot), at(wide, foot), at(0.0, 0.0)]];
    for k in 0..4 {
        let across = -1.5 * wide + (f64::from(k) + 0.7) * 0.75 * wide;
        lines.push(vec![at(across, foot), at(across - 3.5, foot + 4.5)]);
    }
    lines.push(vec![at(-1.5 * wide, foot), at(1.5 * wide, foot)]);
    lines
}

/// Strokes at equal distances along a line, which lean back.
fn hatching(line: &[Point]) -> Vec<Vec<Point>> {
    let whole: f64 =
        line.windows(2).map(|pair| elementary::hypot(pair[1][0] - pair[0][0], pair[1][1] - pair[0][1])).sum();
    let step = HATCH.max(whole / MOST_STROKES);
    let (mut strokes, mut next) = (Vec::new(), step / 2.0);
    for pair in line.windows(2) {
        let (dx, dy) = (pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
        let length = elementary::hypot(dx, dy);
        while next <= length {
            let (ux, uy) = (dx / length, dy / length);
            let at = [pair[0][0] + next * ux, pair[0][1] + next * uy];
            // Pixels count downwards: the right is (−uy, ux).
            let lean = [0.7 * (-uy - ux), 0.7 * (ux - uy)];
            strokes.push(vec![at, [at[0] + HATCH * lean[0], at[1] + HATCH * lean[1]]]);
            next += step;
        }
        next -= length;
    }
    strokes
}

/// A line with a head at its end; nothing where it is too short to be seen.
pub(crate) fn arrow(a: Point, b: Point) -> Vec<Vec<Point>> {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let length = elementary::hypot(dx, dy);
    if length < 1.5 {
        return vec![];
    }
    let (ux, uy) = (dx / length, dy / length);
    let head = 7.0f64.min(0.5 * length);
    let side = |s: f64| [b[0] - head * (ux + 0.5 * s * uy), b[1] - head * (uy - 0.5 * s * ux)];
    vec![vec![a, b], vec![side(1.0), b, side(-1.0)]]
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOWN: Point = [0.0, 1.0];

    /// The forbidden side is the right one: below a floor that goes to the right, as y points down on a page.
    #[test]
    fn strokes_are_on_the_right() {
        for (from, to) in [([0.0, 0.0], [100.0, 0.0]), ([5.0, 80.0], [0.0, -30.0]), ([0.0, 0.0], [-50.0, 60.0])] {
            let lines = ground(&[vec![from, to]], DOWN);
            assert_eq!(lines[0], [from, to]);
            assert!(lines.len() > 8);
            for stroke in &lines[1..] {
                let (d, s) =
                    ([to[0] - from[0], to[1] - from[1]], [stroke[1][0] - stroke[0][0], stroke[1][1] - stroke[0][1]]);
                assert!(d[0] * s[1] - d[1] * s[0] > 0.0, "{stroke:?}");
            }
        }
    }

    #[test]
    fn a_support_has_its_ground_where_it_is_said_to_be() {
        for [dx, dy] in [DOWN, [0.0, -1.0], [1.0, 0.0], [-1.0, 0.0]] {
            let lines = ground(&[vec![[10.0, 20.0]]], [dx, dy]);
            assert_eq!(lines[0][0], [10.0, 20.0]);
            assert!(lines.iter().flatten().all(|p| (p[0] - 10.0) * dx + (p[1] - 20.0) * dy >= 0.0), "{lines:?}");
        }
    }

    #[test]
    fn long_lines_have_few_strokes() {
        assert!(ground(&[vec![[0.0, 0.0], [1e6, 0.0]]], DOWN).len() < 410);
        assert!(ground(&[vec![[0.0, 0.0], [0.0, 0.0]]], DOWN).len() < 3);
    }

    #[test]
    fn arrows_end_where_they_point() {
        let lines = arrow([0.0, 0.0], [30.0, 40.0]);
        assert_eq!((lines[0][1], lines[1][1]), ([30.0, 40.0], [30.0, 40.0]));
        assert!(arrow([1.0, 1.0], [1.0, 1.0]).is_empty());
    }
}
