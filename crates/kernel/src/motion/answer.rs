//! What the kernel answers: the motion, the forces behind it, and how sure it is of them.

/// A rank, and by how much it was clear.
///
/// Sizes are pivots of the matrix with rows and columns scaled to comparable size, relative to the
/// largest; where pivots leave doubt, singular values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rank {
    /// The rank.
    pub rank: usize,
    /// The smallest size that was counted, 1 if there was nothing to count. Near 10⁻¹² it was a close call.
    pub gap: f64,
    /// The largest size that was taken for rounding, 0 if nothing was left over.
    pub dropped: f64,
}

/// Directions in the space of coordinates, each by the coordinates that it moves, ascending, and its components there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Directions {
    entries: Vec<(usize, f64)>,
    /// Where each direction ends among them.
    ends: Vec<usize>,
}

impl Directions {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = &[(usize, f64)]> + Clone {
        let from = std::iter::once(0).chain(self.ends.iter().copied());
        from.zip(&self.ends).map(|(from, to)| &self.entries[from..*to])
    }

    /// Keeps the first of them.
    pub fn truncate(&mut self, count: usize) {
        self.ends.truncate(count);
        self.entries.truncate(self.ends.last().copied().unwrap_or(0));
    }

    pub(crate) fn clear(&mut self) {
        self.truncate(0);
    }

    /// Room for so many, with so many components each.
    pub(crate) fn reserve(&mut self, count: usize, each: usize) {
        self.entries.reserve(count * each);
        self.ends.reserve(count);
    }

    /// Adds one, from coordinates that ascend; components that are zero are left out.
    pub fn push(&mut self, components: impl Iterator<Item = (usize, f64)>) {
        self.entries.extend(components.filter(|(_, x)| *x != 0.0));
        self.ends.push(self.entries.len());
    }
}

/// Gauss's function at the acceleration found: the least value that any possible acceleration has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gauss {
    /// `‖q̈ − a − c‖²` in the norm of M (Udwadia 2005, eqs 16, 17, 19); for positive definite M only.
    pub deviation: Option<f64>,
    /// `q̈ᵀMq̈/2 − (Q + C)ᵀq̈`, which is least for any M.
    pub general: f64,
}

impl Gauss {
    /// The paper's function where it exists, else the general one.
    pub fn value(&self) -> f64 {
        self.deviation.unwrap_or(self.general)
    }
}

/// The motion of a constrained system at one instant.
///
/// `M q̈ = Q + Qᵢ + Qₙᵢ` and `A q̈ = b`, unless a verdict says otherwise: look at
/// [`is_unique`](Motion::is_unique), [`consistent`](Motion::consistent) and
/// [`balanced`](Motion::balanced) before you trust a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// q̈ (Udwadia & Phohomsiri 2006, eq. 2.14 with η = 0). Where it is not unique, the one of least norm.
    pub acceleration: Vec<f64>,
    /// Qᵢ, the force the constraints would exert if all were ideal (Udwadia & Kalaba 1992, eq. 5b).
    /// It does no work on any virtual displacement.
    pub ideal_force: Vec<f64>,
    /// Qₙᵢ, the force that is there because the constraints are not ideal (Udwadia 2005, eq. 26).
    pub nonideal_force: Vec<f64>,
    /// λᵢ with Qᵢ = Aᵀλᵢ, one for each row of A; of least norm where rows repeat.
    pub ideal_multipliers: Vec<f64>,
    /// λ with Qᵢ + Qₙᵢ = C + Aᵀλ, the total reactions: what a friction law is fed by.
    pub reactions: Vec<f64>,
    /// The rank of A.
    pub constraint_rank: Rank,
    /// The rank of `[M; A]`: the motion is unique exactly when it is n (2006, result 3).
    pub system_rank: Rank,
    /// The rank of M.
    pub mass_rank: usize,
    /// A basis of N(M) ∩ N(A), of unit vectors; orthonormal where M and A were given with all their entries. In a large system, where
    /// these would take more room than the system, one that moves all that any of them moves.
    pub free_directions: Directions,
    /// `A q̈ − b`, row by row.
    pub residuals: Vec<f64>,
    /// Whether the constraints can all be met. If not, the acceleration is their least-squares answer.
    pub consistent: bool,
    /// Whether every force on a massless, unconstrained direction vanishes. If not, no acceleration
    /// satisfies Newton's equation, and the one given leaves `unbalanced_force` aside.
    pub balanced: bool,
    /// The part of Q + C along the free directions. Zero when `balanced`.
    pub unbalanced_force: Vec<f64>,
    /// Gauss's function, least at this acceleration.
    pub gauss: Gauss,
    /// Steps of iterative refinement that were taken: 0 for well-conditioned systems.
    pub refinements: usize,
}

impl Motion {
    /// A motion of no coordinates, to be filled.
    pub fn empty() -> Self {
        let none = Rank { rank: 0, gap: 1.0, dropped: 0.0 };
        Self {
            acceleration: Vec::new(),
            ideal_force: Vec::new(),
            nonideal_force: Vec::new(),
            ideal_multipliers: Vec::new(),
            reactions: Vec::new(),
            constraint_rank: none,
            system_rank: none,
            mass_rank: 0,
            free_directions: Directions::default(),
            residuals: Vec::new(),
            consistent: true,
            balanced: true,
            unbalanced_force: Vec::new(),
            gauss: Gauss { deviation: None, general: 0.0 },
            refinements: 0,
        }
    }

    /// Room for n coordinates and m rows.
    pub fn resize(&mut self, n: usize, m: usize) {
        for over_coordinates in
            [&mut self.acceleration, &mut self.ideal_force, &mut self.nonideal_force, &mut self.unbalanced_force]
        {
            over_coordinates.clear();
            over_coordinates.resize(n, 0.0);
        }
        for over_rows in [&mut self.ideal_multipliers, &mut self.reactions, &mut self.residuals] {
            over_rows.clear();
            over_rows.resize(m, 0.0);
        }
    }

    /// Whether the acceleration is uniquely determined.
    pub fn is_unique(&self) -> bool {
        self.system_rank.rank == self.acceleration.len()
    }

    /// Q^c = Qᵢ + Qₙᵢ, all that the constraints exert on coordinate j.
    pub fn constraint_force(&self, j: usize) -> f64 {
        self.ideal_force[j] + self.nonideal_force[j]
    }

    /// The directions in which any acceleration may be added, as unit vectors with all their components.
    pub fn free_directions(&self) -> impl Iterator<Item = Vec<f64>> {
        self.free_directions.iter().map(|w| {
            let mut all = vec![0.0; self.acceleration.len()];
            w.iter().for_each(|&(j, x)| all[j] = x);
            all
        })
    }

    /// The coordinates whose acceleration is not determined.
    pub fn undetermined(&self) -> impl Iterator<Item = usize> + use<> {
        // Components that are rounding were set to zero when the directions were made.
        let mut moved: Vec<usize> = self.free_directions.iter().flatten().map(|(j, _)| *j).collect();
        moved.sort_unstable();
        moved.dedup();
        moved.into_iter()
    }
}
