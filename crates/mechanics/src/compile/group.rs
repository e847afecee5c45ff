//! Groups: which expressions are evaluated together, and where each of them is found.

use crate::derive::{Equations, NormalForce, Stiffness};
use holonom_language::{EventAction, Expected, When};
use holonom_symbols::expr::Id;
use std::ops::Range;

/// Expressions that are needed at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// M, Q, A, b, C: what an acceleration takes.
    Dynamics,
    /// The same, where M and A have few entries: the lower triangle of M row by row, and A row by row, both without their zeros.
    Sparse,
    /// φ and ∂φ/∂q of holonomic rows.
    Position,
    /// φ̇ or ψ, ∂/∂q̇ and ∂/∂q of it.
    Velocity,
    /// φ alone: how far positions are off.
    PositionDrift,
    /// φ̇ or ψ alone: how far velocities are off.
    VelocityDrift,
    /// What T + V gains in unit time from impressed forces; it may depend on accelerations.
    Power,
    /// Frictions: slip, its directions, what holds it, and how the normal force follows from reactions.
    Contact,
    /// Friction laws with their slopes by the load, and what of C is not linear in the reactions; they may depend on slip, normal force,
    /// multipliers and reactions.
    Law,
    /// T and V.
    Energy,
    /// The components of `output`, one after the other. They may depend on accelerations, multipliers and reactions.
    Output,
    /// What decides about events, one value each; then the values that their actions set or need, in order.
    Event,
    /// The sides of `expect`, in order: left and then right of an equation, or what is constant or true; then its tolerance.
    Expect,
    /// The values of `start`, in order.
    Start,
    /// The magnitudes that make up the scale of each row.
    Scale,
    /// What `free` says of accelerations, in order. They may depend on accelerations.
    Free,
    /// The derivatives of the equations by q and q̇ for stiff methods: see [`CompiledSystem::stiffness`](super::CompiledSystem::stiffness).
    Stiffness,
}

impl Group {
    /// All of them.
    pub const ALL: [Self; 17] = [
        Self::Dynamics,
        Self::Sparse,
        Self::Position,
        Self::Velocity,
        Self::PositionDrift,
        Self::VelocityDrift,
        Self::Power,
        Self::Contact,
        Self::Law,
        Self::Energy,
        Self::Output,
        Self::Event,
        Self::Expect,
        Self::Start,
        Self::Scale,
        Self::Free,
        Self::Stiffness,
    ];

    /// Its expressions, where its parts are among them, and for each of them the item that it belongs to: those of one item are likely to have much
    /// in common, such as a row of A and its right side.
    ///
    /// They are expressions of the graph of the equations, but derivatives for stiff methods have one of their own: `stiffness` is
    /// looked at for them alone.
    pub(super) fn expressions(
        self,
        equations: &Equations,
        stiffness: Option<&Stiffness>,
    ) -> (Vec<Id>, Layout, Vec<u32>) {
        let (mut list, mut layout, mut items) = (Vec::new(), Layout::default(), Vec::new());
        let mut calls = [0u32; PARTS];
        // Items up to the number of rows are rows.
        let mut next = equations.rows.len() as u32;
        self.visit(equations, stiffness, |part, ids| {
            let start = list.len();
            list.extend_from_slice(ids);
            let end = list.len();
            let range = &mut layout.parts[part as usize];
            if range.start == range.end {
                *range = start..end;
            } else {
                range.end = end;
            }
            let call = calls[part as usize];
            calls[part as usize] += 1;
            match part {
                GroupPart::Rows | GroupPart::RightSide | GroupPart::Residual if call < equations.rows.len() as u32 => {
                    items.extend(ids.iter().map(|_| call));
                }
                // All coordinates at once: each for itself.
                GroupPart::Mass | GroupPart::Force | GroupPart::Nonideal | GroupPart::Direction => {
                    items.extend((next..).take(ids.len()));
                    next += ids.len() as u32;
                }
                _ => {
                    items.extend(ids.iter().map(|_| next));
                    next += 1;
                }
            }
        });
        (list, layout, items)
    }

    fn visit(self, equations: &Equations, stiffness: Option<&Stiffness>, mut add: impl FnMut(GroupPart, &[Id])) {
        let (model, n) = (&equations.model, equations.force.len());
        let dense = |entries: &[(usize, Id)]| {
            let mut row = vec![Id::ZERO; n];
            for &(column, id) in entries {
                row[column] = id;
            }
            row
        };
        match self {
            Self::Dynamics | Self::Sparse => {
                let entries = |row: &[(usize, Id)]| row.iter().map(|entry| entry.1).collect::<Vec<Id>>();
                let is_sparse = self == Self::Sparse;
                for i in (0..n).filter(|_| is_sparse) {
                    let row = equations.mass.row(i);
                    add(GroupPart::Mass, &entries(&row[..row.partition_point(|entry| entry.0 <= i)]));
                }
                if !is_sparse {
                    add(GroupPart::Mass, &equations.mass.dense());
                }
                add(GroupPart::Force, &equations.force);
                for row in &equations.rows {
                    add(GroupPart::Rows, &if is_sparse { entries(&row.a) } else { dense(&row.a) });
                }
                equations.rows.iter().for_each(|row| add(GroupPart::RightSide, &[row.b]));
                equations.nonideal.iter().for_each(|part| add(GroupPart::Nonideal, &part.force));
                for part in &equations.nonideal {
                    part.by_multiplier.iter().for_each(|entry| add(GroupPart::ByMultiplier, &[entry.2]));
                }
                for part in &equations.nonideal {
                    part.by_reaction.iter().for_each(|entry| add(GroupPart::ByReaction, &[entry.2]));
                }
            }
            Self::Position => {
                equations.rows.iter().for_each(|row| add(GroupPart::Residual, &[row.position.unwrap_or(Id::ZERO)]));
                for row in &equations.rows {
                    let entries: &[_] = if row.position.is_some() { &row.a } else { &[] };
                    add(GroupPart::Rows, &dense(entries));
                }
            }
            Self::Velocity => {
                equations.rows.iter().for_each(|row| add(GroupPart::Residual, &[row.velocity.unwrap_or(Id::ZERO)]));
                for row in &equations.rows {
                    let entries: &[_] = if row.velocity.is_some() { &row.a } else { &[] };
                    add(GroupPart::Rows, &dense(entries));
                }
                equations.rows.iter().for_each(|row| add(GroupPart::ByPosition, &dense(&row.velocity_by_position)));
            }
            Self::PositionDrift => {
                equations.rows.iter().for_each(|row| add(GroupPart::Residual, &[row.position.unwrap_or(Id::ZERO)]));
            }
            Self::VelocityDrift => {
                equations.rows.iter().for_each(|row| add(GroupPart::Residual, &[row.velocity.unwrap_or(Id::ZERO)]));
            }
            Self::Power => add(GroupPart::Values, &[equations.power]),
            Self::Contact => {
                equations.frictions.iter().for_each(|contact| add(GroupPart::Slip, &contact.slip));
                for contact in &equations.frictions {
                    let is_there = |id: &&Id| **id != Id::ZERO;
                    add(
                        GroupPart::Direction,
                        &contact.directions.iter().filter(is_there).copied().collect::<Vec<Id>>(),
                    );
                }
                equations.frictions.iter().for_each(|contact| add(GroupPart::Hold, &contact.hold));
                for contact in &equations.frictions {
                    if let NormalForce::Magnitude(components) = &contact.normal {
                        components
                            .iter()
                            .flatten()
                            .for_each(|&(_, coefficient)| add(GroupPart::Normal, &[coefficient]));
                    }
                }
            }
            Self::Law => {
                for contact in &equations.frictions {
                    let given = match contact.normal {
                        NormalForce::Given(id) => id,
                        NormalForce::Magnitude(_) => Id::ZERO,
                    };
                    add(GroupPart::Normal, &[given]);
                }
                for contact in &equations.frictions {
                    add(GroupPart::Law, &contact.laws().map(|law| law.map_or(Id::ZERO, |law| law.value)));
                }
                for contact in &equations.frictions {
                    add(GroupPart::LawSlope, &contact.laws().map(|law| law.map_or(Id::ZERO, |law| law.slope)));
                }
                for contact in &equations.frictions {
                    contact.normal_by_reaction.iter().for_each(|entry| add(GroupPart::NormalSlope, &[entry.1]));
                }
                for force in equations.nonideal.iter().flat_map(|part| &part.nonlinear) {
                    add(GroupPart::Nonlinear, &[force.value]);
                }
                for force in equations.nonideal.iter().flat_map(|part| &part.nonlinear) {
                    force.slopes.iter().for_each(|slope| add(GroupPart::NonlinearSlope, &[slope.1]));
                }
            }
            Self::Energy => add(GroupPart::Values, &[equations.kinetic_energy, equations.potential_energy]),
            Self::Output => model.outputs.iter().for_each(|output| add(GroupPart::Values, &output.components)),
            Self::Event => {
                for event in &model.events {
                    let id = match event.when {
                        When::Becomes(id) | When::Passes(id, _) => id,
                        // Contact is no expression of the state.
                        When::Catches(_) | When::LetsGo(_) => Id::ZERO,
                    };
                    add(GroupPart::Values, &[id]);
                }
                for action in model.events.iter().flat_map(|event| &event.actions) {
                    if let EventAction::Set(_, id) | EventAction::Impact(_, id) = action {
                        add(GroupPart::Actions, &[*id]);
                    }
                }
            }
            Self::Expect => {
                for expectation in &model.expects {
                    match &expectation.claim {
                        Expected::Equal(left, right) | Expected::AtMost(left, right) => {
                            add(GroupPart::Values, left);
                            add(GroupPart::Values, right);
                        }
                        Expected::Constant(ids) => add(GroupPart::Values, ids),
                        Expected::True(id) => add(GroupPart::Values, &[*id]),
                    }
                    expectation.within.iter().for_each(|&id| add(GroupPart::Values, &[id]));
                }
            }
            Self::Start => model.start.iter().for_each(|start| add(GroupPart::Values, &[start.value])),
            Self::Free => model.free.iter().for_each(|free| add(GroupPart::Values, &[free.value])),
            Self::Scale => equations.rows.iter().for_each(|row| add(GroupPart::Values, &row.scale_terms)),
            Self::Stiffness => {
                for slopes in stiffness.into_iter().flat_map(Stiffness::slopes) {
                    slopes.by_position.iter().for_each(|entry| add(GroupPart::ByPosition, &[entry.2]));
                }
                for slopes in stiffness.into_iter().flat_map(Stiffness::slopes) {
                    slopes.by_velocity.iter().for_each(|entry| add(GroupPart::ByVelocity, &[entry.2]));
                }
            }
        }
    }
}

/// What a group holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupPart {
    /// M, row-major n × n; in [`Group::Sparse`] the entries of [`Mass`](crate::derive::Mass) on and above the diagonal, row by row.
    Mass,
    /// Q.
    Force,
    /// A, row-major m × n; in [`Group::Sparse`] the entries that are not identically zero, row by row. Rows that have no residual of the group's level are zero outside [`Group::Dynamics`].
    Rows,
    /// b.
    RightSide,
    /// C of each non-ideal part at zero multipliers and reactions, parts × n.
    Nonideal,
    /// The entries of `by_multiplier` of all non-ideal parts, in order.
    ByMultiplier,
    /// The entries of `by_reaction` of all non-ideal parts, in order.
    ByReaction,
    /// φ, or φ̇ and ψ; 0 for rows that have none.
    Residual,
    /// The derivatives of the velocity residuals by q, row-major m × n; in [`Group::Stiffness`] the entries of derivatives by q that are not zero.
    ByPosition,
    /// The entries of derivatives by q̇ that are not zero.
    ByVelocity,
    /// The velocities of slip of all contacts, in order.
    Slip,
    /// ∂slip/∂q̇ of all contacts, component by component, without what is identically zero.
    Direction,
    /// What `directions·q̈` must be for slip to stay zero.
    Hold,
    /// How normal forces follow from reactions: coefficients in order, or, in [`Group::Law`], one value per contact where it is given.
    Normal,
    /// Three numbers for each contact: its friction of sliding, that of beginning to slide, and the largest at rest, each as in
    /// [`OfLoad`](crate::derive::OfLoad).
    Law,
    /// The derivatives of these by the load.
    LawSlope,
    /// The derivatives of normal forces that are given, by reactions, in order.
    NormalSlope,
    /// What of C is not linear in the reactions, in order.
    Nonlinear,
    /// Its derivatives, in order.
    NonlinearSlope,
    /// The values of a group that holds nothing else.
    Values,
    /// What actions of events set or need.
    Actions,
}

/// Where the parts of a group are among its values.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    parts: [Range<usize>; PARTS],
}

/// How many parts there are.
const PARTS: usize = GroupPart::Actions as usize + 1;

impl Layout {
    #[inline]
    pub fn of(&self, part: GroupPart) -> Range<usize> {
        self.parts[part as usize].clone()
    }
}
