//! What papers say about quantities of their examples.

use crate::scene::Scene;

/// What a formula is about. Letters are those of the papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// M
    Mass,
    /// Q
    Force,
    /// a
    Free,
    /// A
    Rows,
    /// b
    RightSide,
    /// C
    Work,
    /// −C: example 2 of 2005 writes its C with the other sign
    MinusWork,
    /// (I − A⁺A)Q^c, the force of constraint as virtual displacements feel it
    ForceAlong,
    /// A⁺
    RowsPlus,
    /// A⁺A
    Across,
    /// I − A⁺A
    Along,
    /// (I − A⁺A)M
    AlongMass,
    /// (A M^{-1/2})⁺
    BPlus,
    /// M̄
    Stacked,
    /// M̄⁺
    StackedPlus,
    /// M̂
    Full,
    /// The rank of M̂.
    FullRank,
    /// q̈, of least norm where it is not unique
    Acceleration,
    /// M q̈
    MassTimesAcceleration,
    /// Qᵢ
    Ideal,
    /// Qₙᵢ
    Nonideal,
    /// An orthonormal basis of the directions in which q̈ is not determined, as columns.
    FreeDirections,
    /// φ
    PositionRows,
    /// φ̇ or ψ
    VelocityRows,
    /// A q̈ − b for any q̈
    AccelerationRows,
    /// A row that the program found, [∂φ/∂q, φ], whatever its factor.
    HiddenRow,
    /// One row of M q̈ − Q for any q̈
    FreeEquation(usize),
    /// T
    Kinetic,
    /// V
    Potential,
    /// An expression of the model with the q̈ of the motion.
    Expression(&'static str),
}

impl Quantity {
    /// What stands on the left side.
    pub(crate) fn latex(self) -> &'static str {
        match self {
            Self::Mass => "M",
            Self::Force => "Q",
            Self::Free => "a",
            Self::Rows => "A",
            Self::RightSide => "b",
            Self::Work => "C",
            Self::MinusWork => "-C",
            Self::ForceAlong => r"(I - A^+ A)\,Q^c",
            Self::RowsPlus => "A^+",
            Self::Across => "A^+ A",
            Self::Along => "I - A^+ A",
            Self::AlongMass => r"(I - A^+ A)\,M",
            Self::BPlus => "B^+",
            Self::Stacked => r"\bar{M}",
            Self::StackedPlus => r"\bar{M}^+",
            Self::Full => r"\hat{M}",
            Self::FullRank => r"\operatorname{rank}\hat{M}",
            Self::Acceleration => r"\ddot{q}",
            Self::MassTimesAcceleration => r"M\,\ddot{q}",
            Self::Ideal => "Q_i",
            Self::Nonideal => "Q_{ni}",
            Self::FreeDirections => r"\text{free}",
            Self::PositionRows => r"\varphi",
            Self::VelocityRows => r"\psi",
            Self::AccelerationRows => r"A\,\ddot{q} - b",
            Self::HiddenRow => r"[\partial\varphi, \; \varphi]",
            Self::FreeEquation(_) => r"M\,\ddot{q} - Q",
            Self::Kinetic => "T",
            Self::Potential => "V",
            Self::Expression(_) => "",
        }
    }

    /// Whether it is a statement for any q̈, not for that of the motion.
    pub(crate) fn takes_any_acceleration(self) -> bool {
        matches!(self, Self::AccelerationRows | Self::FreeEquation(_))
    }
}

/// What a paper says about a quantity in one of its examples.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) scene: Scene,
    pub(crate) quantity: Quantity,
    /// The paper's right side, row by row.
    pub(crate) says: Vec<Vec<String>>,
    /// It holds on the constraints only.
    pub(crate) admissible: bool,
    /// It must not hold.
    pub(crate) negated: bool,
}

/// A claim: rows separated by semicolons, entries by commas.
pub(crate) fn claim(scene: Scene, quantity: Quantity, says: &str) -> Claim {
    let row = |row: &str| row.split(',').map(|entry| entry.trim().to_string()).collect();
    Claim { scene, quantity, says: says.split(';').map(row).collect(), admissible: false, negated: false }
}

impl Claim {
    /// With a common factor in front.
    pub(crate) fn times(mut self, factor: &str) -> Claim {
        for entry in self.says.iter_mut().flatten().filter(|entry| *entry != "0") {
            *entry = format!("{factor}*({entry})");
        }
        self
    }

    /// It holds on the constraints only.
    pub(crate) fn admissible(mut self) -> Claim {
        self.admissible = true;
        self
    }

    /// It does not hold, and the paper says so.
    pub(crate) fn denied(mut self) -> Claim {
        self.negated = true;
        self
    }
}
