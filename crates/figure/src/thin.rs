//! Fewer points, same picture: long lines are thinned to what a pixel can show.

use holonom_elementary as elementary;
use std::collections::HashSet;

/// A place in the figure, in pixels.
pub(crate) type Point = [f64; 2];

/// No line of a figure has more points than this.
const MOST: usize = 60_000;

/// Lines of at most this many points are only straightened.
const FEW: usize = 3_000;

/// How far a thinned line may be from the full one, in pixels.
const TOLERANCE: f64 = 0.06;

/// Thins one unbroken line.
pub(crate) fn thin(points: &[Point]) -> Vec<Point> {
    if points.len() < 3 {
        return points.to_vec();
    }
    let columns = if points.len() > FEW { by_column(points) } else { points.to_vec() };
    let few = if columns.len() > MOST { once_per_way(&columns) } else { columns };
    straighten(&few)
}

/// Of consecutive points in the same pixel column, the first and the last, and the extremes in both directions.
///
/// A line that runs from left to right keeps at most four points per column: its first and last are its extremes
/// sideways. A line that turns back inside a column keeps the place where it turns.
pub(crate) fn by_column(points: &[Point]) -> Vec<Point> {
    let mut kept = Vec::new();
    let mut start = 0;
    while start < points.len() {
        let column = points[start][0].floor();
        let run = points[start..].iter().take_while(|p| p[0].floor() == column).count();
        let end = start + run;
        let extreme = |k: usize, better: fn(&f64, &f64) -> bool| {
            (start..end).fold(start, |best, i| if better(&points[i][k], &points[best][k]) { i } else { best })
        };
        let sideways = [extreme(0, f64::lt), extreme(0, f64::gt)];
        let mut keep = [start, sideways[0], sideways[1], extreme(1, f64::lt), extreme(1, f64::gt), end - 1];
        keep.sort_unstable();
        for (k, i) in keep.iter().enumerate() {
            if k == 0 || keep[k - 1] != *i {
                kept.push(points[*i]);
            }
        }
        start = end;
    }
    kept
}

/// For lines that cross the columns again and again, as a phase plot does: a way between two pixels is drawn once.
/// What is left out was drawn already; what remains is cut off at a bound by taking every so many points.
fn once_per_way(points: &[Point]) -> Vec<Point> {
    let cell = |p: &Point| (p[0].round() as i32, p[1].round() as i32);
    let mut seen = HashSet::new();
    let mut kept = vec![points[0]];
    let mut skipped = false;
    for pair in points.windows(2) {
        if seen.insert((cell(&pair[0]), cell(&pair[1]))) {
            if skipped {
                kept.push(pair[0]);
            }
            kept.push(pair[1]);
            skipped = false;
        } else {
            skipped = true;
        }
    }
    kept.extend(points.last());
    let stride = kept.len().div_ceil(MOST);
    let last = kept.len() - 1;
    kept.iter().enumerate().filter(|(i, _)| i % stride == 0 || *i == last).map(|(_, p)| *p).collect()
}

/// Leaves out points that lie on the straight line between those kept, to within the tolerance.
///
/// From the last point kept, each later point allows a cone of directions; a point is kept when the next one falls
/// outside the common cone, or turns back.
fn straighten(points: &[Point]) -> Vec<Point> {
    let mut kept = vec![points[0]];
    let mut anchor = points[0];
    let mut reached = 0.0;
    // The cone as the middle direction and the allowed deviation to each side.
    let mut cone: Option<(f64, f64, f64)> = None;
    for i in 1..points.len() {
        let (dx, dy) = (points[i][0] - anchor[0], points[i][1] - anchor[1]);
        let distance = elementary::hypot(dx, dy);
        let inside = match cone {
            None => true,
            Some((middle, low, high)) => {
                let off = turn(elementary::atan2(dy, dx) - middle);
                distance >= reached && (low..=high).contains(&off)
            }
        };
        if !inside {
            anchor = points[i - 1];
            kept.push(anchor);
            cone = None;
            reached = 0.0;
        }
        let (dx, dy) = (points[i][0] - anchor[0], points[i][1] - anchor[1]);
        let distance = elementary::hypot(dx, dy);
        if distance <= TOLERANCE {
            continue;
        }
        reached = distance;
        let (direction, half) = (elementary::atan2(dy, dx), elementary::asin(TOLERANCE / distance));
        cone = Some(match cone {
            None => (direction, -half, half),
            Some((middle, low, high)) => {
                let off = turn(direction - middle);
                (middle, low.max(off - half), high.min(off + half))
            }
        });
    }
    kept.push(points[points.len() - 1]);
    kept
}

/// An angle brought to −π..π.
fn turn(angle: f64) -> f64 {
    use std::f64::consts::{PI, TAU};
    (angle + PI).rem_euclid(TAU) - PI
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 53) as f64
    }

    #[test]
    fn extremes_survive() {
        let mut seed = 1;
        let n = 300_000;
        let mut points: Vec<Point> = (0..n).map(|i| [600.0 * i as f64 / n as f64, 100.0 * noise(&mut seed)]).collect();
        points[123_456][1] = -50.0;
        points[222_222][1] = 250.0;
        let thinned = thin(&points);
        assert!(thinned.len() <= 4 * 600, "{}", thinned.len());
        let extremes = |list: &[Point]| {
            let mut columns = vec![(f64::MAX, f64::MIN); 600];
            for p in list {
                let column = &mut columns[p[0] as usize];
                *column = (column.0.min(p[1]), column.1.max(p[1]));
            }
            columns
        };
        assert_eq!(extremes(&points), extremes(&by_column(&points)));
        let low = thinned.iter().map(|p| p[1]).fold(f64::MAX, f64::min);
        assert!((low + 50.0).abs() <= TOLERANCE);
        assert_eq!((thinned[0], thinned[thinned.len() - 1]), (points[0], points[n - 1]));
    }

    #[test]
    fn a_smooth_line_needs_few_points_and_stays_in_place() {
        let full: Vec<Point> = (0..5000).map(|i| [0.12 * f64::from(i), 100.0 * (f64::from(i) / 500.0).sin()]).collect();
        let few = thin(&full);
        assert!(few.len() < 400, "{}", few.len());
        for p in &full {
            let near = few.windows(2).map(|w| {
                let (d, e) = ([w[1][0] - w[0][0], w[1][1] - w[0][1]], [p[0] - w[0][0], p[1] - w[0][1]]);
                let s = ((d[0] * e[0] + d[1] * e[1]) / (d[0] * d[0] + d[1] * d[1])).clamp(0.0, 1.0);
                (e[0] - s * d[0]).hypot(e[1] - s * d[1])
            });
            assert!(near.fold(f64::MAX, f64::min) < 0.1);
        }
    }

    #[test]
    fn a_cloud_is_bounded() {
        let mut seed = 7;
        let cloud: Vec<Point> = (0..400_000).map(|_| [700.0 * noise(&mut seed), 400.0 * noise(&mut seed)]).collect();
        assert!(thin(&cloud).len() <= MOST + 2);
        let round: Vec<Point> = (0..400_000)
            .map(|i| {
                let a = std::f64::consts::TAU * f64::from(i % 100) / 100.0;
                [300.0 + 200.0 * a.cos(), 300.0 + 200.0 * a.sin()]
            })
            .collect();
        assert!(thin(&round).len() < 300);
    }
}
