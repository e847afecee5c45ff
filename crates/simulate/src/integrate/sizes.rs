//! What coordinates and velocities are measured by along a motion: error control, projection, rounding, contacts and events ask here.
//!
//! A coordinate is as large as it has been of late, each by itself: a libration of 1e-3 beside a position of 1e6 keeps its digits.
//! Where it has not moved yet, it is as large as coordinates of its dimension are. So is, once many steps have failed, what may be
//! rounding beside them: a force that cancels moves a body by 1e-17, and jumps with its digits.

use holonom_kernel::linalg::tolerance::DUST;

/// The part of its largest size below which a coordinate is not followed into ever smaller ones: it has come to rest.
const REMEMBERED: f64 = 1e-9;

/// The part of the largest of its dimension below which a size says nothing: a wave that runs down a chain reaches its end at once,
/// with 1e-163.
const NOTHING: f64 = 1e-40;

/// A coordinate that never left zero by more than this part of its kind did not move: beside a singular configuration rounding is magnified.
const STILL: f64 = 1e-9;

/// The sizes of q and q̇.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    n: usize,
    /// For each coordinate, the first of its dimension.
    alike: Vec<usize>,
    /// What each coordinate is measured by before anything moves; zero where nothing says that.
    natural: Vec<f64>,
    measures: Vec<f64>,
    /// The largest of late and ever, each its own; zero where it never moved.
    own: Vec<f64>,
    peak: Vec<f64>,
    /// The largest of its dimension, of late and ever.
    kind: Vec<f64>,
    largest: Vec<f64>,
    /// The greatest speed of each coordinate that was seen; `own` and `peak` also know what a force will make of it.
    speed: Vec<f64>,
    /// Whether what is zero but for rounding counts as zero.
    forgets_dust: bool,
}

impl Sizes {
    /// Nothing has been seen yet; `alike` names, for each coordinate, the first of its dimension, and `natural` what it is measured by.
    pub(super) fn new(alike: Vec<usize>, natural: Vec<f64>) -> Self {
        let n = alike.len();
        let zeros = || vec![0.0; 2 * n];
        Self {
            n,
            alike,
            natural,
            measures: Vec::with_capacity(n),
            own: zeros(),
            peak: zeros(),
            kind: zeros(),
            largest: zeros(),
            speed: vec![0.0; n],
            forgets_dust: false,
        }
    }

    /// Sees a state.
    pub(super) fn see(&mut self, y: &[f64]) {
        for ((own, peak), y) in self.own.iter_mut().zip(&mut self.peak).zip(y) {
            *own = own.max(y.abs());
            *peak = peak.max(*own);
        }
        self.speed.iter_mut().zip(&y[self.n..]).for_each(|(speed, v)| *speed = speed.max(v.abs()));
    }

    /// Sees a state and its rate, and forgets by and by what was large once and is so no longer.
    pub(super) fn look(&mut self, y: &[f64], rate: &[f64]) {
        let n = self.n;
        self.kind.iter_mut().chain(&mut self.own).for_each(|size| *size *= 0.5);
        self.own.iter_mut().zip(&self.peak).for_each(|(own, peak)| *own = own.max(REMEMBERED * peak));
        self.see(y);
        for level in [0, n] {
            for j in 0..n {
                // What falls from rest moves like this soon.
                let soon = if level == n { (rate[n + j] * self.kind[j]).abs().sqrt() } else { 0.0 };
                let now = y[level + j].abs().max(soon);
                if level == n {
                    let own_soon = (rate[n + j] * self.own[j]).abs().sqrt();
                    self.own[n + j] = self.own[n + j].max(own_soon);
                }
                for sizes in [&mut self.kind, &mut self.largest] {
                    sizes[level + j] = sizes[level + j].max(now);
                }
            }
            for sizes in [&mut self.kind, &mut self.largest] {
                level_out(&self.alike, &mut sizes[level..level + n]);
            }
        }
        for (i, (size, largest)) in self.kind.iter_mut().zip(&self.largest).enumerate() {
            *size = size.max(REMEMBERED * largest);
            // A start that was solved for leaves dust where angles of joints begin at zero.
            let natural = self.natural.get(i).copied().unwrap_or(0.0);
            if *size <= STILL * natural {
                *size = natural;
            }
            *size = if *size > 0.0 { *size } else { 1.0 };
        }
    }

    /// The size of q or q̇ number i: its own, or that of its kind where it has none.
    pub(super) fn of(&self, i: usize) -> f64 {
        let (own, kind) = (self.own[i], self.kind[i]);
        if own == 0.0 || (self.forgets_dust && own <= DUST * kind) { kind } else { own.max(NOTHING * kind) }
    }

    /// From now on, what is zero but for rounding counts as zero.
    pub(super) fn forget_dust(&mut self) {
        self.forgets_dust = true;
    }

    /// The largest that q or q̇ number i ever was.
    pub(super) fn peak(&self, i: usize) -> f64 {
        self.peak[i]
    }

    /// How far q or q̇ number i reaches, by itself: a large coordinate of the same dimension may have nothing to do with it. One that never
    /// moved but for rounding reaches as far as others of its kind.
    pub(super) fn extent(&self, i: usize) -> f64 {
        let kind = self.kind[i].max(self.natural(i));
        if self.peak[i] > STILL * kind { self.peak[i] } else { kind }
    }

    /// The size of q or q̇ number i by itself; zero where it never moved.
    pub(super) fn own(&self, i: usize) -> f64 {
        self.own[i]
    }

    /// For each coordinate, the first of its dimension.
    pub(super) fn alike(&self, j: usize) -> usize {
        self.alike[j]
    }

    /// The time in which coordinate j or its kind moved by their own size where they were fastest; zero where nothing moved yet.
    pub(super) fn time(&self, j: usize) -> f64 {
        let ratio = |sizes: &[f64]| if sizes[self.n + j] > 0.0 { sizes[j] / sizes[self.n + j] } else { f64::INFINITY };
        let least = ratio(&self.largest).min(if self.peak[j] > 0.0 { ratio(&self.peak) } else { f64::INFINITY });
        if least.is_finite() { least } else { 0.0 }
    }

    /// The least time in which a coordinate moves by its own size at its greatest speed, but for those that are nothing beside their
    /// kind; infinite where nothing moved yet.
    pub(super) fn pace(&self) -> f64 {
        let moves = |j: &usize| self.speed[*j] > 0.0 && self.peak[*j] > REMEMBERED * self.largest[*j];
        (0..self.n).filter(moves).map(|j| self.peak[j] / self.speed[j]).fold(f64::INFINITY, f64::min)
    }

    /// The largest of its dimension, for every q and q̇; never zero.
    pub(super) fn kind(&self) -> &[f64] {
        &self.kind
    }

    /// What q or q̇ number i is measured by before it moves, or zero: the cosine of an angle is rounded however small the angle is.
    pub(super) fn natural(&self, i: usize) -> f64 {
        self.natural.get(i).copied().unwrap_or(0.0)
    }

    /// What each coordinate is measured by at a state of the motion: by the largest of its dimension so far, and by what it is measured by
    /// before it moves.
    pub(super) fn measures(&mut self, y: &[f64]) -> &[f64] {
        let n = self.n;
        self.measures.clear();
        self.measures.extend(self.largest[..n].iter().zip(y).map(|(largest, y)| largest.max(y.abs())));
        level_out(&self.alike, &mut self.measures);
        self.measures.iter_mut().zip(&self.natural).for_each(|(measure, natural)| *measure = measure.max(*natural));
        &self.measures
    }

    /// The largest of its dimension over the whole motion.
    pub(super) fn largest(&self) -> &[f64] {
        &self.largest
    }
}

/// Gives coordinates of one dimension the largest of their numbers.
fn level_out(alike: &[usize], sizes: &mut [f64]) {
    for (j, &first) in alike.iter().enumerate() {
        sizes[first] = sizes[first].max(sizes[j]);
    }
    for (j, &first) in alike.iter().enumerate() {
        sizes[j] = sizes[first];
    }
}
