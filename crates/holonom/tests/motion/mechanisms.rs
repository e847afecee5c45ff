//! Mechanisms with loops: Andrews' squeezer, and four-bars that pass through singular configurations.

use super::running::{Ran, gallery_text, run, run_gallery, with};
use holonom::language::Drift;
use std::f64::consts::{FRAC_PI_2, PI};

/// P3: end values that several programs agree on.
#[test]
fn andrews_squeezing_mechanism() {
    let run = run_gallery("andrews/andrews", &with(|_| ()), &[]);
    let found = run.last(["beta", "Theta", "gamma"]);
    for (found, exact) in found.into_iter().zip([15.8107711951, -15.7563710584, 0.0408222401197]) {
        assert!((found - exact).abs() < 1e-8, "{found} {exact}");
    }
    assert!(run.worst_residual() < 1e-12, "{:e}", run.worst_residual());
    assert!(run.imbalance() < 1e-9, "{:e}", run.imbalance());
    assert!(run.outcome.ranks.is_empty(), "{:?}", run.outcome.ranks);
}

/// The parallelogram branch of N four-bars in a row, by its energy: θ̇² = 1 + 2k(1 − cos θ).
struct Parallelogram {
    k: f64,
}

impl Parallelogram {
    fn new(n: usize) -> Self {
        let n = n as f64;
        Self { k: 9.81 * ((n + 1.0) / 2.0 + n) / ((n + 1.0) / 3.0 + n) }
    }

    fn speed(&self, angle: f64) -> f64 {
        (1.0 + 2.0 * self.k * (1.0 - angle.cos())).sqrt()
    }

    /// When the cranks are at an angle: Simpson's rule over dθ/θ̇.
    fn time(&self, angle: f64) -> f64 {
        let panels = 2 * (2000.0 * (1.0 + angle)) as usize;
        let h = angle / panels as f64;
        let mut sum = 1.0 / self.speed(0.0) + 1.0 / self.speed(angle);
        for i in 1..panels {
            sum += if i % 2 == 1 { 4.0 } else { 2.0 } / self.speed(i as f64 * h);
        }
        sum * h / 3.0
    }

    /// The angle at a time.
    fn angle(&self, time: f64) -> f64 {
        let (mut low, mut high) = (0.0, time * self.speed(PI));
        while high - low > 1e-13 * high {
            let middle = 0.5 * (low + high);
            *(if self.time(middle) < time { &mut low } else { &mut high }) = middle;
        }
        low
    }

    /// When the cranks are horizontal, up to a time.
    fn passages(&self, until: f64) -> Vec<f64> {
        (0..).map(|i| self.time(FRAC_PI_2 + i as f64 * PI)).take_while(|t| *t < until).collect()
    }
}

/// Ten seconds of a row of N four-bars: the right branch to 1e-8, every passage named and timed.
fn passes(run: &Ran, n: usize, rows_there: usize) {
    let exact = Parallelogram::new(n);
    let (s, c) = exact.angle(10.0).sin_cos();
    let [x, y] = run.last(["x[0]", "y[0]"]);
    assert!((x - s).hypot(y - c) < 1e-8, "B₀ off by {:e}", (x - s).hypot(y - c));
    for i in 1..=n {
        let [xi, yi] = run.last([&format!("x[{i}]"), &format!("y[{i}]")]);
        assert!((xi - x - i as f64).hypot(yi - y) < 1e-8, "not a parallelogram");
    }
    assert!(run.worst_residual() < 1e-12, "{:e}", run.worst_residual());
    assert!(run.energy_drift() < 1e-7, "{:e}", run.energy_drift());
    let passages = exact.passages(10.0);
    assert_eq!(passages.len(), 10);
    let found: Vec<f64> = run.outcome.ranks.iter().map(|change| change.time).collect();
    assert_eq!(found.len(), 10, "{found:?} {passages:?}");
    for (change, exact) in run.outcome.ranks.iter().zip(passages) {
        assert!((change.time - exact).abs() < 1e-7, "{} {exact}", change.time);
        assert_eq!((change.rank, change.rank_there), (2 * n + 1, n + 1), "{change:?}");
        assert_eq!(change.rows.len(), rows_there, "{change:?}");
    }
}

#[test]
fn one_four_bar_passes_its_singular_configurations() {
    passes(&run_gallery("n-four-bar/n-four-bar", &with(|_| ()), &[("N", 1.0)]), 1, 3);
}

#[test]
fn two_four_bars_pass_their_singular_configurations() {
    let run = run_gallery("n-four-bar/n-four-bar", &with(|_| ()), &[("N", 2.0)]);
    passes(&run, 2, 5);
    let [x, y] = run.last(["x[0]", "y[0]"]);
    assert!((x - 0.32845811154).hypot(y - 0.94451853818) < 1e-8);
}

#[test]
fn ten_four_bars_pass_their_singular_configurations() {
    passes(&run_gallery("n-four-bar/n-four-bar", &with(|_| ()), &[("N", 10.0)]), 10, 21);
}

/// The row y₁ = y₀ is redundant on the manifold and nowhere else; and with it the cranks may lie flat without loss of rank.
#[test]
fn a_row_that_is_redundant_only_on_the_manifold() {
    let text = gallery_text("n-four-bar/n-four-bar").replace("N = 10", "N = 1") + "constraint level: y[1] = y[0]\n";
    let run = run(&text, &with(|_| ()), &[]);
    let (s, c) = Parallelogram::new(1).angle(10.0).sin_cos();
    let [x, y] = run.last(["x[0]", "y[0]"]);
    assert!((x - s).hypot(y - c) < 1e-8, "off by {:e}", (x - s).hypot(y - c));
    assert!(run.worst_residual() < 1e-12, "{:e}", run.worst_residual());
    assert!(run.outcome.ranks.is_empty(), "{:?}", run.outcome.ranks);
}

/// A four-bar that cannot lie flat has no singular configuration to report.
#[test]
fn a_crank_rocker_loses_no_rank() {
    let run = run_gallery("four-bar/four-bar", &with(|_| ()), &[]);
    assert!(run.outcome.ranks.is_empty(), "{:?}", run.outcome.ranks);
    assert!(run.worst_residual() < 1e-12, "{:e}", run.worst_residual());
    assert!(run.energy_drift() < 1e-8, "{:e}", run.energy_drift());
}

/// Without projection residuals grow, as everybody's do; with it they do not.
#[test]
fn what_projection_is_for() {
    let drifting = |drift| {
        let options = with(|options| {
            options.drift = Some(drift);
            options.rtol = Some(1e-6);
            options.until = Some(100.0);
        });
        run_gallery("four-bar/four-bar", &options, &[]).worst_residual()
    };
    let (without, with) = (drifting(Drift::None), drifting(Drift::Projection));
    assert!(without > 1e-9 && with < 1e-12, "{without:e} {with:e}");
}
