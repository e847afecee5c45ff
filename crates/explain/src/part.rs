//! The parts of a page, by the names that `--only` has for them.

/// A part of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What is given: coordinates, energies, forces, constraints.
    Given,
    /// T.
    KineticEnergy,
    /// V.
    PotentialEnergy,
    /// M.
    Mass,
    /// Q.
    Force,
    /// A.
    Constraints,
    /// b.
    RightSides,
    /// C.
    Nonideal,
    /// How A and b come from the constraints, step by step.
    Derivation,
    /// Ranks, uniqueness, what repeats what.
    Verdict,
    /// Constraints that follow from the balance of forces in directions without mass.
    Hidden,
    /// q̈.
    Acceleration,
    /// Q, Qᵢ and Qₙᵢ, with multipliers and reactions.
    Forces,
    /// Qᵢ.
    IdealForce,
    /// Qₙᵢ.
    NonidealForce,
    /// λᵢ.
    Multipliers,
    /// λ.
    Reactions,
    /// A quantity on the papers' way.
    Step(Step),
    /// All of the papers' way.
    Steps,
}

/// A quantity on the papers' way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A basis of the virtual displacements, A v = 0.
    Displacements,
    /// a = M⁻¹Q.
    FreeAcceleration,
    /// e = b − A a.
    Deviation,
    /// A⁺.
    ConstraintInverse,
    /// A⁺A.
    ConstrainedPart,
    /// I − A⁺A.
    VirtualPart,
    /// M̄ = [(I − A⁺A)M; A].
    Mbar,
    /// M̄⁺.
    MbarInverse,
    /// M̂ = [M; A].
    Mhat,
    /// B = A M^(−1/2).
    B,
    /// B⁺.
    BInverse,
    /// B Bᵀ = A M⁻¹Aᵀ.
    BSquare,
    /// K₁.
    K1,
    /// K = M K₁.
    K,
    /// N, the accelerations that unit forces cause.
    Response,
    /// Δa = K₁ e.
    Correction,
    /// I − M̄⁺M̄.
    FreePart,
}

impl Step {
    /// All of them, in the order in which the papers take them.
    pub(super) const ALL: [Self; 17] = [
        Self::Displacements,
        Self::FreeAcceleration,
        Self::Deviation,
        Self::ConstraintInverse,
        Self::ConstrainedPart,
        Self::VirtualPart,
        Self::Mbar,
        Self::MbarInverse,
        Self::Mhat,
        Self::B,
        Self::BInverse,
        Self::BSquare,
        Self::K1,
        Self::K,
        Self::Response,
        Self::Correction,
        Self::FreePart,
    ];

    /// What it is called, here and among the tables of [`crate::explicit::Steps`].
    pub(super) fn name(self) -> &'static str {
        Part::Step(self).name()
    }

    /// What the function is called that computes it, as the field of [`holonom_kernel::ExplicitForm`]; but K₁e is Δa only
    /// where constraints are ideal.
    pub(super) fn code_name(self) -> &'static str {
        match self {
            Self::Displacements => "displacements",
            Self::FreeAcceleration => "free_acceleration",
            Self::Deviation => "constraint_error",
            Self::ConstraintInverse => "pseudo_inverse",
            Self::ConstrainedPart => "constrained_part",
            Self::VirtualPart => "virtual_part",
            Self::Mbar => "stacked",
            Self::MbarInverse => "stacked_inverse",
            Self::Mhat => "system",
            Self::B => "weighted",
            Self::BInverse => "weighted_inverse",
            Self::BSquare => "weighted_square",
            Self::K1 => "acceleration_gain",
            Self::K => "force_gain",
            Self::Response => "response",
            Self::Correction => "ideal_deviation",
            Self::FreePart => "free_part",
        }
    }

    /// Whether it is a column, not a matrix.
    pub(super) fn is_vector(self) -> bool {
        matches!(self, Self::FreeAcceleration | Self::Deviation | Self::Correction)
    }

    /// Whether it needs M⁻¹.
    pub(super) fn needs_regular_mass(self) -> bool {
        matches!(
            self,
            Self::FreeAcceleration | Self::Deviation | Self::Correction | Self::B | Self::BInverse | Self::BSquare
        )
    }
}

/// Every name, what it stands for and what that is.
const NAMES: &[(&str, Part, &str)] = &[
    ("given", Part::Given, "what is given: energies, forces, constraints"),
    ("T", Part::KineticEnergy, "the kinetic energy"),
    ("V", Part::PotentialEnergy, "the potential energy"),
    ("M", Part::Mass, "the mass matrix"),
    ("Q", Part::Force, "impressed forces"),
    ("A", Part::Constraints, "the rows of A q'' = b"),
    ("b", Part::RightSides, "their right sides"),
    ("C", Part::Nonideal, "what constraints do that are not ideal"),
    ("derivation", Part::Derivation, "constraints differentiated step by step"),
    ("verdict", Part::Verdict, "ranks, uniqueness, what repeats what"),
    ("hidden", Part::Hidden, "constraints hidden in directions without mass"),
    ("acceleration", Part::Acceleration, "the equation of motion"),
    ("forces", Part::Forces, "the forces of the constraints, ideal and not"),
    ("Qi", Part::IdealForce, "the ideal constraint force"),
    ("Qni", Part::NonidealForce, "the non-ideal constraint force"),
    ("multipliers", Part::Multipliers, "ideal multipliers, Qi = A^T lambda"),
    ("reactions", Part::Reactions, "total reactions, Qi + Qni = C + A^T lambda"),
    ("steps", Part::Steps, "all that follows"),
    ("v", Part::Step(Step::Displacements), "virtual displacements, A v = 0"),
    ("a", Part::Step(Step::FreeAcceleration), "M^-1 Q"),
    ("e", Part::Step(Step::Deviation), "b - A a"),
    ("A+", Part::Step(Step::ConstraintInverse), "the pseudo-inverse of A"),
    ("A+A", Part::Step(Step::ConstrainedPart), "the part that the constraints reach"),
    ("I-A+A", Part::Step(Step::VirtualPart), "the part of virtual displacements"),
    ("Mbar", Part::Step(Step::Mbar), "[(I - A+ A) M; A]"),
    ("Mbar+", Part::Step(Step::MbarInverse), "its pseudo-inverse"),
    ("Mhat", Part::Step(Step::Mhat), "[M; A]"),
    ("B", Part::Step(Step::B), "A M^(-1/2), for diagonal M"),
    ("B+", Part::Step(Step::BInverse), "its pseudo-inverse"),
    ("BBT", Part::Step(Step::BSquare), "A M^-1 A^T"),
    ("K1", Part::Step(Step::K1), "the last columns of Mbar+"),
    ("K", Part::Step(Step::K), "M K1"),
    ("N", Part::Step(Step::Response), "the first columns of Mbar+"),
    ("da", Part::Step(Step::Correction), "K1 e, the deviation if the constraints are ideal"),
    ("I-Mbar+Mbar", Part::Step(Step::FreePart), "the part that nothing determines"),
];

impl Part {
    /// The part of a name, as `--only` takes them.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = match name {
            "q''" | "qdd" | "motion" => "acceleration",
            "Aplus" => "A+",
            "Mbarplus" => "Mbar+",
            other => other,
        };
        NAMES.iter().find(|known| known.0 == name).map(|known| known.1)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|known| known.1 == self).map_or("", |known| known.0)
    }

    /// Whether the equations have to be solved for it.
    pub(super) fn needs_solution(&self) -> bool {
        !matches!(
            self,
            Self::Given
                | Self::KineticEnergy
                | Self::PotentialEnergy
                | Self::Mass
                | Self::Force
                | Self::Constraints
                | Self::RightSides
                | Self::Derivation
                | Self::Hidden
        )
    }

    /// All names, with what they stand for.
    pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
        NAMES.iter().map(|known| (known.0, known.2))
    }
}
