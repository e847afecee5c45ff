//! What can be said of a mechanism in terms of its bodies and joints: how it is described, how many degrees of freedom one counts, and which
//! joints hold what others hold already.

use super::report::{Combination, JointReport, MechanismReport, SHOWN};
use crate::start::numbers::Evaluator;
use crate::start::words::{and, count, few, name, number};
use holonom_language::{Diagnostic, Model, Span};
use holonom_mechanics::derive::Row;
use std::collections::{BTreeMap, HashMap};

/// The joint that each row of the equations belongs to, by the name of the row.
fn joints_of<'a>(evaluator: &Evaluator<'a>) -> HashMap<&'a str, usize> {
    let equations = evaluator.equations;
    let joints = equations.model.joints.iter().enumerate();
    let of: HashMap<usize, usize> = joints
        .flat_map(|(which, joint)| joint.constraints.iter().map(move |&constraint| (constraint, which)))
        .collect();
    let row = |row: &'_ holonom_mechanics::derive::Row| of.get(&row.constraint?.0).copied();
    equations.rows.iter().filter_map(|one| Some((one.name.as_str(), row(one)?))).collect()
}

/// Rows that follow from others, by joint; and those that belong to none.
pub(super) fn by_joint<'a>(
    evaluator: &Evaluator,
    redundant: impl Iterator<Item = &'a Combination>,
) -> (BTreeMap<usize, Vec<&'a Combination>>, Vec<&'a Combination>) {
    let joint_of = joints_of(evaluator);
    let (mut joints, mut others) = (BTreeMap::<usize, Vec<&Combination>>::new(), Vec::new());
    for combination in redundant {
        match joint_of.get(combination.row.as_str()) {
            Some(&joint) => joints.entry(joint).or_default().push(combination),
            None => others.push(combination),
        }
    }
    (joints, others)
}

/// Says which joints hold what others hold already, once for each joint.
pub(super) fn all_closing(evaluator: &Evaluator, redundant: &BTreeMap<usize, Vec<&Combination>>) -> Vec<Diagnostic> {
    let model = &evaluator.equations.model;
    let joints = (0..model.joints.len()).filter(|joint| redundant.contains_key(joint) || idle_rows(model, *joint) > 0);
    let rows = |joint: usize| redundant.get(&joint).map_or(&[][..], Vec::as_slice);
    joints.take(SHOWN).map(|joint| closes_already(evaluator, joint, rows(joint))).collect()
}

/// Says of a joint that it holds what others hold already.
fn closes_already(evaluator: &Evaluator, joint: usize, rows: &[&Combination]) -> Diagnostic {
    let model = &evaluator.equations.model;
    let one = &model.joints[joint];
    let follow = rows.len() + idle_rows(model, joint);
    let partners: Vec<usize> = {
        let joint_of = joints_of(evaluator);
        let of = rows.iter().flat_map(|row| &row.of).filter_map(|(_, row)| joint_of.get(row.as_str()).copied());
        let mut found: Vec<usize> =
            of.filter(|&other| other != joint).chain(coordinates_between(model, joint)).collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    let names: Vec<String> = partners.iter().map(|&other| name(&model.joints[other].name)).collect();
    let directions = count(follow, "direction", "directions");
    let message = match (follow == one.held, &partners[..]) {
        (true, [_]) => format!("`{}` repeats {}", one.name, names[0]),
        (true, _) => format!("`{}` holds nothing that other joints do not hold already", one.name),
        _ => format!("`{}` closes a loop that other joints close already in {directions}", one.name),
    };
    let mut diagnostic = Diagnostic::note_on("redundant", message)
        .at(one.span, format!("{follow} of the {} directions that it holds", one.held));
    for &other in partners.iter().take(SHOWN) {
        diagnostic = diagnostic.at(model.joints[other].span, "");
    }
    if !names.is_empty() && names.len() <= SHOWN {
        diagnostic = diagnostic.note(format!("it shares these directions with {}", and(&few(names))));
    }
    diagnostic.note("this does not change the motion, but how these joints share their load is not unique")
}

/// The joints that are coordinates and lead from one body of a joint to the other: they hold without rows.
fn coordinates_between(model: &Model, joint: usize) -> Vec<usize> {
    let [from, to] = model.joints[joint].bodies;
    let mut ways = vec![(from, Vec::new())];
    let mut next = 0;
    while let Some((body, way)) = ways.get(next).cloned() {
        if body == to {
            return way;
        }
        for (which, other) in model.joints.iter().enumerate().filter(|(which, one)| one.is_in_tree && *which != joint) {
            let reached = match other.bodies {
                [one, beyond] if one == body => beyond,
                [beyond, one] if one == body => beyond,
                _ => continue,
            };
            if !way.contains(&which) && ways.iter().all(|(known, _)| *known != reached) {
                ways.push((reached, [&way[..], &[which]].concat()));
            }
        }
        next += 1;
    }
    Vec::new()
}

/// Rows of a joint that hold identically, since the coordinates of other joints hold them already.
fn idle_rows(model: &Model, joint: usize) -> usize {
    let one = &model.joints[joint];
    let rows: usize = one.constraints.iter().map(|&which| model.constraints[which].rows.len()).sum();
    if one.is_in_tree { 0 } else { one.held.saturating_sub(rows) }
}

/// A joint whose ends do not meet.
pub(super) struct OpenJoint {
    pub(super) name: String,
    pub(super) span: Span,
    /// Its rows among those that are off.
    pub(super) rows: Vec<String>,
    /// By how much, in words.
    pub(super) gap: String,
}

/// Joints among whose rows are some that are off, in the order of the model.
pub(super) fn open_joints<'a>(evaluator: &Evaluator, off: impl Iterator<Item = (&'a Row, f64)>) -> Vec<OpenJoint> {
    let (model, joint_of) = (&evaluator.equations.model, joints_of(evaluator));
    let mut found: BTreeMap<usize, (Vec<String>, f64, f64)> = BTreeMap::new();
    for (row, residual) in off {
        let (Some(&joint), Some((constraint, _))) = (joint_of.get(row.name.as_str()), row.constraint) else { continue };
        // Points and lines are held by lengths, axes by products of unit vectors.
        let is_length = !model.constraints[constraint].name.ends_with(".axis");
        let (rows, length, turn) = found.entry(joint).or_default();
        rows.push(row.name.clone());
        let sum = if is_length { length } else { turn };
        *sum += residual * residual;
    }
    let open = |(joint, (rows, length, turn)): (usize, (Vec<String>, f64, f64))| {
        let one = &model.joints[joint];
        let unit = if model.has_units { " m" } else { "" };
        let mut gap = Vec::new();
        if length > 0.0 {
            gap.push(format!("open by {}{unit}", number(length.sqrt())));
        }
        if turn > 0.0 {
            gap.push(format!("turned by about {} rad", number(turn.sqrt())));
        }
        OpenJoint { name: one.name.clone(), span: one.span, rows, gap: format!("still {}", gap.join(" and ")) }
    };
    found.into_iter().map(open).collect()
}

/// The names of the active rows of a joint.
fn rows_of(evaluator: &Evaluator, joint: usize) -> Vec<String> {
    let equations = evaluator.equations;
    let constraints = &equations.model.joints[joint].constraints;
    let of = equations.rows.iter().filter(|row| row.constraint.is_some_and(|(which, _)| constraints.contains(&which)));
    of.filter(|row| !row.off).map(|row| row.name.clone()).collect()
}

impl MechanismReport {
    /// What there is to say before anything is solved; nothing for a model without bodies.
    pub(super) fn new(evaluator: &Evaluator) -> Option<Self> {
        let model = &evaluator.equations.model;
        let formulation = model.formulation?;
        if model.bodies.is_empty() {
            return None;
        }
        let joints: Vec<JointReport> = (0..model.joints.len())
            .map(|which| {
                let joint = &model.joints[which];
                JointReport {
                    name: joint.name.clone(),
                    kind: joint.kind,
                    coordinates: joint.coordinates.iter().map(|&j| model.coordinates[j].name.clone()).collect(),
                    rows: rows_of(evaluator, which),
                }
            })
            .collect();
        let idle: Vec<usize> = (0..model.joints.len()).map(|which| idle_rows(model, which)).collect();
        // Rows that hold spins which nothing feels are none of the mechanism's.
        let made = model.constraints.iter().filter(|one| one.is_made);
        let spins: Vec<String> = made.filter_map(|one| one.name.strip_suffix(".idle").map(str::to_string)).collect();
        let because = match (formulation.is_chosen, formulation.by_bodies) {
            (true, _) => "as the model says".to_string(),
            _ if model.joints.is_empty() => "there are no joints".to_string(),
            (false, true) => format!("since chains of joints are up to {} long", formulation.depth),
            (false, false) => "the default".to_string(),
        };
        Some(Self {
            formulation: if formulation.by_bodies { "bodies" } else { "joints" },
            because,
            bodies: model.bodies.len(),
            joints,
            counted: model.coordinates.len() as i64 - evaluator.rows.len() as i64 - idle.iter().sum::<usize>() as i64
                + spins.len() as i64,
            spins,
            formula: formula(model),
            closing: Vec::new(),
        })
    }

    /// Adds the joints whose rows follow from others.
    pub(super) fn add_closing(&mut self, evaluator: &Evaluator, redundant: &[Combination]) {
        let (joints, _) = by_joint(evaluator, redundant.iter());
        let model = &evaluator.equations.model;
        let follow = |joint: usize| joints.get(&joint).map_or(0, Vec::len) + idle_rows(model, joint);
        let all = (0..model.joints.len())
            .map(|joint| (model.joints[joint].name.clone(), follow(joint), model.joints[joint].held));
        self.closing = all.filter(|(_, follow, _)| *follow > 0).collect();
    }

    /// `2 bodies, 1 hinge, 1 slider`
    pub(super) fn parts(&self) -> Vec<String> {
        let mut parts = vec![count(self.bodies, "body", "bodies")];
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for joint in &self.joints {
            match kinds.iter_mut().find(|(kind, _)| *kind == joint.kind) {
                Some((_, count)) => *count += 1,
                None => kinds.push((joint.kind, 1)),
            }
        }
        parts.extend(kinds.into_iter().map(|(kind, many)| match kind {
            "fixed" | "universal" | "planar" | "cylindrical" => {
                count(many, &format!("{kind} joint"), &format!("{kind} joints"))
            }
            _ => count(many, kind, &format!("{kind}s")),
        }));
        parts
    }

    /// How it is described.
    pub(super) fn described(&self) -> Vec<String> {
        let text = match self.formulation {
            "bodies" => "every body has coordinates of its own".to_string(),
            _ if self.joints.is_empty() => "every body has coordinates of its own".to_string(),
            _ => {
                let rows: Vec<String> =
                    self.joints.iter().filter(|joint| !joint.rows.is_empty()).map(|joint| joint.name.clone()).collect();
                match rows.is_empty() {
                    true => "the joints are the coordinates".to_string(),
                    false => format!("joints are coordinates, except {}", few(rows).join(", ")),
                }
            }
        };
        vec![format!("{text} ({})", self.because)]
    }

    /// The degrees of freedom by rank beside those by counting, where they differ.
    pub(super) fn difference(&self, by_rank: usize) -> Option<String> {
        if by_rank as i64 == self.counted {
            return None;
        }
        let formula = self.formula.as_ref().map_or(String::new(), |formula| format!(" {formula}"));
        let joints: Vec<String> = self
            .closing
            .iter()
            .map(|(joint, rows, of)| match rows == of {
                true => format!("{joint} holds nothing new"),
                false => {
                    format!("{joint} closes what others close already in {}", count(*rows, "direction", "directions"))
                }
            })
            .collect();
        let spins = self.spins.iter().map(|body| format!("{body} may turn about itself, which nothing feels"));
        let joints: Vec<String> = joints.into_iter().chain(spins).collect();
        let why = if joints.is_empty() { String::new() } else { format!(": {}", few(joints).join(", ")) };
        Some(format!("{by_rank} by rank, {} by Grübler's count{formula}{why}", self.counted))
    }
}

/// Grübler's count in its own terms: six for each body, less what each joint holds.
fn formula(model: &Model) -> Option<String> {
    let planar = model.bodies.first()?.origin.len() == 2;
    let each = if planar { 3 } else { 6 };
    // Coordinates and constraints of another kind are not in the formula.
    let of_mechanism: usize = model.bodies.iter().map(|body| body.coordinates.len()).sum::<usize>()
        + model.joints.iter().map(|joint| joint.coordinates.len()).sum::<usize>();
    if of_mechanism != model.coordinates.len() || model.constraints.iter().any(|one| !one.is_made) {
        return None;
    }
    let mut numbers: Vec<(usize, usize)> = Vec::new();
    for joint in &model.joints {
        match numbers.iter_mut().find(|(known, _)| *known == joint.held) {
            Some((_, many)) => *many += 1,
            None => numbers.push((joint.held, 1)),
        }
    }
    numbers.sort_by(|a, b| b.cmp(a));
    let less: Vec<String> = numbers.iter().map(|(held, many)| format!(" - {held}·{many}")).collect();
    Some(format!("{each}·{}{}", model.bodies.len(), less.concat()))
}
