//! Ranks, uniqueness, redundancy and contradictions, by name.

use std::collections::HashSet;

use super::instant::Instant;
use super::mechanism::{all_closing, by_joint};
use super::report::{Combination, ConflictReport, RankVerdict, SHOWN};
use crate::start::adjust;
use crate::start::entries::Rows;
use crate::start::kernel::Kernel;
use crate::start::least::Which;
use crate::start::numbers::{Evaluator, Level, State};
use crate::start::random::seeded;
use crate::start::words::{and, combination, count, few, name, number, several};
use holonom_kernel::linalg::tolerance::DUST;
use holonom_language::{Diagnostic, Label, Span};
use holonom_mechanics::derive::Equations;
use holonom_mechanics::derive::messages::{forgotten_prime, thin_rod};
use holonom_symbols::expr::Depends;

/// A rank around the start that is clearer than this says that the start is singular.
const CLEAR: f64 = 1e-8;

/// A rank at the start that is less clear than this, where it is clear around, is about to be lost.
const NEARLY: f64 = 1e-6;

/// The part of what it is beside, where the row does not hold, below which a slope is next to none.
const SLIGHT: f64 = 1e-2;

/// States that differ in the last digits, to see what these make of right sides.
const SHAKES: usize = 4;
/// By how many roundings they differ.
const ROUNDINGS: f64 = 8.0;

/// What was found out, apart from the numbers of the motion.
pub(super) struct Findings {
    pub(super) verdict: RankVerdict,
    pub(super) redundant: Vec<Combination>,
    pub(super) conflicts: Vec<ConflictReport>,
    pub(super) notes: Vec<String>,
    /// Whether a force on a massless direction depends on the state, so that a hidden constraint is missing.
    pub(super) hidden: bool,
}

/// Judges the motion at the start beside that around it.
pub(super) fn judge(
    evaluator: &Evaluator,
    start: &Instant,
    around: &[Instant],
    parted: &[usize],
    diagnostics: &mut Vec<Diagnostic>,
) -> Findings {
    let n = evaluator.coordinates();
    let names = |list: &[usize]| few(list.iter().map(|&j| name(evaluator.name(j))).collect());
    let row_name = |at: usize| evaluator.equations.rows[evaluator.rows[at]].name.clone();
    let mut notes = Vec::new();

    // Ranks of the constraints alone: what sticks is no constraint of the model.
    let rank_of = |instant: &Instant| evaluator.rows.len() - instant.audit.redundant.len();
    let rank = rank_of(start);
    // A hair off the constraints rows that repeat others may look independent, but never by a clear margin.
    let clear = || around.iter().filter(|other| other.motion.constraint_rank.gap > CLEAR);
    let rank_around = clear().map(&rank_of).max();
    let somewhere = clear().max_by_key(|other| rank_of(other));

    // Where the rank is the same, the dependency is, too: which of its rows is called redundant may change from state to state.
    let elsewhere = somewhere.filter(|other| rank_of(other) > rank);
    let there: Option<HashSet<usize>> = elsewhere.map(|other| other.audit.redundant.iter().map(|r| r.row).collect());
    let redundant: Vec<Combination> = start
        .audit
        .redundant
        .iter()
        .map(|r| Combination {
            row: row_name(r.row),
            of: r.coefficients.iter().copied().zip(r.repeats.iter().map(|&at| row_name(at))).collect(),
            everywhere: !parted.contains(&r.row) && there.as_ref().is_none_or(|there| there.contains(&r.row)),
        })
        .collect();
    if let Some(generic) = rank_around.filter(|&generic| generic > rank) {
        let only_here: Vec<&Combination> = redundant.iter().filter(|r| !r.everywhere).collect();
        notes.push(format!(
            "the start is a singular configuration: {} here, {} around it",
            count(n - rank, "degree of freedom", "degrees of freedom"),
            n - generic
        ));
        let mut message = Diagnostic::warning(
            "singular-start",
            format!(
                "the start is a singular configuration: the constraints have rank {rank} here and {generic} around it"
            ),
        );
        for combination in only_here.iter().take(SHOWN) {
            if let Some(span) = span_of(evaluator, &combination.row) {
                message = message.at(span, format!("here this follows from {}", combination.text()));
            }
        }
        diagnostics.push(
            message
                .note(format!(
                    "there {} {} more at this very state than next to it, and the motion may go on in more than one way",
                    several(generic - rank, "is", "are"),
                    count(generic - rank, "degree of freedom", "degrees of freedom"),
                ))
                .help("start a little away from it, where the motion is unique"),
        );
    }
    if !start.is_certain {
        diagnostics.push(
            Diagnostic::warning("friction-undecided", "a motion fits the friction, and others may fit as well")
                .note("the contacts act on each other, and not all combinations of sticking and sliding were tried")
                .help("smaller coefficients of friction, or fewer contacts that press on each other, make it certain"),
        );
    }
    let flat = flat_rows(evaluator, start, around);
    if parted.iter().any(|row| !flat.contains(row)) {
        diagnostics.push(touching_rows(evaluator, redundant.iter().filter(|r| !r.everywhere)));
    }
    let sizes = evaluator.positions(&start.state).felt;
    let around_most = |at: usize| around.iter().map(|other| steepest(&other.entries.a, at, &sizes)).fold(0.0, f64::max);
    // A row that other rows repeat in any case may vanish.
    let is_redundant = |at: usize| start.audit.redundant.iter().any(|redundant| redundant.row == at);
    let vanishes = |at: usize| !is_redundant(at) && steepest(&start.entries.a, at, &sizes) < NEARLY * around_most(at);
    let is_narrow = |instant: &Instant| {
        let vanishes = std::ptr::eq(instant, start) && (0..evaluator.rows.len()).any(vanishes);
        instant.motion.constraint_rank.gap < NEARLY || vanishes
    };
    if flat.is_empty() && rank_around == Some(rank) && is_narrow(start) && !around.iter().any(is_narrow) {
        diagnostics.push(
            Diagnostic::warning("singular-start", "the start is next to a singular configuration".to_string())
                .note("the constraints nearly depend on each other there: values that follow from them are known to few digits")
                .help("start further away from it, where the motion is unique"),
        );
    }
    flat.iter().take(SHOWN).for_each(|&at| diagnostics.push(flat_row(evaluator, &row_name(at))));
    let restated =
        redundant.iter().zip(&start.audit.redundant).filter(|(r, of)| r.everywhere && !flat.contains(&of.row));
    let (of_joints, others) = by_joint(evaluator, restated.map(|(combination, _)| combination));
    diagnostics.extend(all_closing(evaluator, &of_joints));
    for combination in others.into_iter().take(SHOWN) {
        diagnostics.push(redundancy(evaluator, combination));
    }
    let open: Vec<String> = (0..evaluator.rows.len())
        .filter(|&at| !start.audit.determinate_multipliers[at])
        .map(|at| name(&row_name(at)))
        .collect();
    if !open.is_empty() && open.len() <= SHOWN {
        notes.push(format!("the multipliers of {} are not unique: only the force of all together is", and(&open)));
    }

    let noise = if start.audit.conflicts.is_empty() { Vec::new() } else { noise_of_rows(evaluator, &start.state) };
    let is_real = |c: &&holonom_kernel::Conflict| {
        c.gap.abs() > c.rows.iter().zip(&c.coefficients).map(|(&at, c)| c.abs() * noise[at]).sum::<f64>()
    };
    let conflicts: Vec<ConflictReport> = start
        .audit
        .conflicts
        .iter()
        .filter(is_real)
        .map(|c| ConflictReport {
            rows: c.coefficients.iter().copied().zip(c.rows.iter().map(|&at| row_name(at))).collect(),
            gap: c.gap,
            level: "accelerations",
        })
        .collect();
    for conflict in conflicts.iter().take(SHOWN) {
        diagnostics.push(contradiction(evaluator, conflict, &start.state));
    }

    let moved = start.moved(&start.free);
    let undetermined: Vec<usize> = (0..n).filter(|&j| moved[j]).collect();
    let forces: Vec<(String, f64)> = (0..n)
        .filter(|&j| start.motion.unbalanced_force[j] != 0.0)
        .map(|j| (evaluator.name(j).to_string(), start.motion.unbalanced_force[j]))
        .collect();
    let size = |instant: &Instant| instant.motion.unbalanced_force.iter().map(|x| x * x).sum::<f64>().sqrt();
    let unbalanced_somewhere = around.iter().any(|other| !other.motion.balanced);
    let unbalanced = !start.motion.balanced || unbalanced_somewhere;
    let varies = around.iter().any(|other| (size(other) - size(start)).abs() > 1e-6 * size(other).max(size(start)));
    let model = &evaluator.equations.model;
    if unbalanced && !varies {
        let list: Vec<String> = forces.iter().map(|(j, f)| format!("`{j}` ({})", number(*f))).collect();
        let first = (0..n).find(|&j| start.motion.unbalanced_force[j] != 0.0).unwrap_or(0);
        let thin = thin_rod(model, (0..n).filter(|&j| start.motion.unbalanced_force[j] != 0.0));
        let mut message = Diagnostic::error(
            "unbalanced",
            format!("a force acts on {}, where there is no mass and no constraint", and(&few(list))),
        )
        .at(model.coordinates[first].span, "nothing can balance the force along this coordinate")
        .note("a massless, unconstrained direction cannot carry a force: no acceleration satisfies Newton's equation")
        .help("give it mass in `kinetic`, add a constraint that contains it, or remove the force");
        message.help.extend(thin);
        diagnostics.push(message);
    } else if !undetermined.is_empty() && !unbalanced && model.free_zero.is_none() {
        let mass_around = around.iter().map(|other| other.motion.mass_rank).max().unwrap_or(0);
        let message = not_unique(evaluator, start, &undetermined, &names(&undetermined));
        let pole = start.motion.mass_rank < mass_around && around.iter().any(|other| other.free.is_empty());
        diagnostics.push(if pole { singular_coordinates(message, start, mass_around) } else { message });
    }
    let covered = start.free.is_empty() || (model.free_zero.is_some() && !unbalanced);
    let open_before = start.moved(&start.open);
    for direction in &model.free {
        if !open_before[direction.coordinate] {
            let what = evaluator.name(direction.coordinate);
            diagnostics.push(
                Diagnostic::warning("free-determined", format!("the acceleration of `{what}` is determined already"))
                    .at(direction.span, "this changes nothing")
                    .help("leave it out"),
            );
        }
    }
    let verdict = RankVerdict {
        constraint_rank: holonom_kernel::Rank { rank, ..start.motion.constraint_rank },
        system_rank: start.motion.system_rank,
        mass_rank: start.motion.mass_rank,
        rank_around,
        degrees_of_freedom: n - rank.min(n),
        unique: covered && !unbalanced,
        certain: start.is_certain,
        undetermined: undetermined.iter().map(|&j| evaluator.name(j).to_string()).collect(),
        consistent: start.audit.conflicts.is_empty(),
        balanced: start.motion.balanced,
        unbalanced: forces,
    };
    Findings { verdict, redundant, conflicts, notes, hidden: unbalanced && varies }
}

fn not_unique(evaluator: &Evaluator, start: &Instant, undetermined: &[usize], names: &[String]) -> Diagnostic {
    let n = evaluator.coordinates();
    let coordinates = &evaluator.equations.model.coordinates;
    let many = undetermined.len() > 1;
    let mut message = Diagnostic::error(
        "not-unique",
        format!(
            "the {} of {} {} not determined",
            several(names.len(), "acceleration", "accelerations"),
            and(names),
            if many { "are" } else { "is" }
        ),
    );
    for &j in undetermined.iter().take(SHOWN) {
        let what = evaluator.name(j);
        let alone = evaluator.equations.mass.get(j, j) == holonom_symbols::expr::Id::ZERO
            && evaluator.touching(j).next().is_none();
        let text = if alone {
            format!("no mass and no constraint reaches `{what}`")
        } else {
            "mass and constraints leave a direction open that moves this".to_string()
        };
        message = message.at(coordinates[j].span, text);
    }
    let last = undetermined.last().map(|&j| name(evaluator.name(j))).unwrap_or_default();
    let bare = last.trim_matches('`').to_string();
    let Evaluator { equations, .. } = evaluator;
    let prime = forgotten_prime(&equations.model, &equations.graph, undetermined.iter().copied());
    message.help.extend(prime);
    message.help.extend(thin_rod(&equations.model, undetermined.iter().copied()));
    message
        .note(format!(
            "[M; A] has rank {} and needs {n} (Udwadia & Phohomsiri 2006, result 3)",
            start.motion.system_rank.rank
        ))
        .help(format!("give {last} mass in `kinetic`, or add a constraint that contains it"))
        .help(format!("or set its acceleration: `free {bare}'' = 0`"))
}

/// The same where the mass is missing at this very state alone: a pole of Euler angles, the origin of polar coordinates.
fn singular_coordinates(message: Diagnostic, start: &Instant, around: usize) -> Diagnostic {
    let here = start.motion.mass_rank;
    let labels =
        message.labels.into_iter().map(|label| Label { text: "moves nothing by itself here".to_string(), ..label });
    Diagnostic { labels: labels.collect(), notes: vec![], help: vec![], ..message }
        .note(format!("the coordinates are singular at this state: M has rank {here} here and {around} around it"))
        .note("so it is with Euler angles at their poles and with polar coordinates at the origin")
        .help("start elsewhere, away from this state, or choose other coordinates: Cartesian ones for a point, a unit quaternion for a body")
}

/// What rounding of a state makes of the right sides of rows. All terms of b may be dust, as near the turn of a pendulum: what they are
/// beside each other says nothing then.
fn noise_of_rows(evaluator: &Evaluator, state: &State) -> Vec<f64> {
    let (positions, velocities) = (evaluator.position_sizes(state), evaluator.velocity_sizes(state));
    let b = evaluator.entries(state).b;
    let mut noise = vec![0.0_f64; b.len()];
    let mut random = seeded(6);
    for _ in 0..SHAKES {
        let mut other = state.clone();
        let values = other.positions.iter_mut().chain(&mut other.velocities);
        for (value, size) in values.zip(positions.iter().chain(&velocities)) {
            *value += ROUNDINGS * f64::EPSILON * size * random.uniform(-1.0, 1.0).signum();
        }
        for (noise, (there, b)) in noise.iter_mut().zip(evaluator.entries(&other).b.iter().zip(&b)) {
            *noise = noise.max((there - b).abs());
        }
    }
    noise
}

/// Rows of positions that have no slope where they hold: squares, and what turns back. To either side of the start they are off by the same.
fn flat_rows(evaluator: &Evaluator, start: &Instant, around: &[Instant]) -> Vec<usize> {
    let here = evaluator.positions(&start.state);
    let beside = |part: f64, seed: u64| {
        let mut random = seeded(seed);
        let mut state = start.state.clone();
        // A coordinate that is zero has no size of its own to be moved by.
        state.positions.iter_mut().for_each(|q| *q += part * *q * random.uniform(0.5, 1.0));
        evaluator.positions(&state)
    };
    let sides: Vec<[Level; 2]> =
        [(1e-4, 7), (1e-3, 8)].map(|(part, seed)| [beside(part, seed), beside(-part, seed)]).into();
    let is_even = |at: usize| {
        sides.iter().all(|[one, other]| {
            let (up, down) = (one.residual[at] - here.residual[at], other.residual[at] - here.residual[at]);
            (up + down).abs() > 30.0 * (up - down).abs() && (up + down).abs() > DUST * here.rounding[at]
        })
    };
    let far = evaluator.positions(&start.state).felt;
    let slope = |instant: &Instant, at: usize| steepest(&instant.entries.a, at, &far);
    let most = |at: usize| sides.iter().map(|[one, _]| steepest(&one.jacobian, at, &far)).fold(0.0, f64::max);
    // A row of a joint is none: where it has no slope, the mechanism is at a singular configuration.
    let of_joint = |row: usize| {
        let Equations { rows, model, .. } = &evaluator.equations;
        rows[row].constraint.is_some_and(|(which, _)| model.constraints[which].is_made)
    };
    let is_flat = |(at, &row): (usize, &usize)| {
        let place = evaluator.place[row].filter(|_| !of_joint(row))?;
        let is_small = |instant: &Instant| slope(instant, place) <= SLIGHT * most(at);
        let around_flat = around.iter().all(|instant| slope(instant, place) <= most(at)) && is_small(start);
        // Where all coordinates of a row are zero, only a slope that is zero tells.
        let is_zero = here.jacobian.row(at).all(|(j, a)| a == 0.0 && start.state.positions[j] == 0.0);
        ((is_even(at) && around_flat) || (is_zero && around.iter().all(|instant| slope(instant, place) == 0.0)))
            .then_some(place)
    };
    here.rows.iter().enumerate().filter_map(is_flat).collect()
}

/// What a row makes of the sizes of its coordinates: the most.
fn steepest(rows: &Rows, at: usize, sizes: &[f64]) -> f64 {
    rows.row(at).map(|(j, a)| (a * sizes[j]).abs()).fold(0.0, f64::max)
}

/// A constraint such as (…)² = 0: it holds only where it has no slope.
fn flat_row(evaluator: &Evaluator, row: &str) -> Diagnostic {
    let mut message = Diagnostic::error("constraint-without-slope", format!("`{row}` has no slope where it holds"));
    if let Some(span) = span_of(evaluator, row) {
        message = message.at(span, "all derivatives of this equation are zero wherever it is satisfied");
    }
    message
        .note("a constraint acts through its derivative: equations such as `(…)^2 = 0` and `sin(x) = 1` have none where they hold")
        .help("write what is meant without the square: `x^2 + y^2 = 1` for `(x^2 + y^2 - 1)^2 = 0`, `a = b` for `dot(a - b, a - b) = 0`")
}

/// Rows that repeat others here, where no state around satisfies all of them.
fn touching_rows<'a>(evaluator: &Evaluator, rows: impl Iterator<Item = &'a Combination>) -> Diagnostic {
    let text = "the start is a singular configuration: no other state was found near it that satisfies all constraints";
    let mut message = Diagnostic::warning("singular-start", text.to_string());
    for combination in rows.take(SHOWN) {
        if let Some(span) = span_of(evaluator, &combination.row) {
            message = message.at(span, format!("here this follows from {}, elsewhere it does not", combination.text()));
        }
    }
    message
        .note("a motion that leaves this state breaks one of them")
        .help("change the lengths so that the mechanism can move, or remove a constraint")
}

fn redundancy(evaluator: &Evaluator, redundant: &Combination) -> Diagnostic {
    let message = match redundant.of.as_slice() {
        [] => format!("`{}` restricts nothing", redundant.row),
        [(_, other)] => format!("`{}` repeats `{other}`", redundant.row),
        _ => format!(
            "`{}` follows from {}",
            redundant.row,
            and(&few(redundant.of.iter().map(|(_, r)| name(r)).collect()))
        ),
    };
    let mut diagnostic = Diagnostic::note_on("redundant", message);
    if let Some(span) = span_of(evaluator, &redundant.row) {
        let text = match redundant.of.as_slice() {
            [(c, _)] if number(*c) == "1" => "the same once more".to_string(),
            _ => format!("`{}` = {}", redundant.row, redundant.text()),
        };
        diagnostic = diagnostic.at(span, text);
    }
    for (_, other) in redundant.of.iter().take(SHOWN) {
        if let Some(span) = span_of(evaluator, other) {
            diagnostic = diagnostic.at(span, "");
        }
    }
    diagnostic.note("this does not change the motion, but how these rows share their force is not unique")
}

/// Rows that cannot hold together, with what each of them asks for.
fn contradiction(evaluator: &Evaluator, conflict: &ConflictReport, state: &State) -> Diagnostic {
    let names: Vec<String> = conflict.rows.iter().map(|(_, row)| name(row)).collect();
    let message = match names.as_slice() {
        [one] => format!("{one} cannot hold"),
        _ => format!("{} contradict each other", and(&names)),
    };
    let mut diagnostic = Diagnostic::error("contradiction", message);
    for (_, row) in conflict.rows.iter().take(SHOWN) {
        let Some(row) = evaluator.equations.rows.iter().find(|r| r.name == *row) else { continue };
        let Some(span) = row.span else { continue };
        let sides = row.constraint.filter(|_| conflict.level != "accelerations").and_then(|(constraint, component)| {
            let constraint = &evaluator.equations.model.constraints[constraint];
            let sides = [*constraint.left.get(component)?, *constraint.right.get(component)?];
            let moving = |id| evaluator.graph.depends(id).on(Depends::ACCELERATION);
            (!sides.iter().any(|&id| moving(id))).then(|| evaluator.values(&sides, &state.point()))
        });
        let text = match sides {
            Some(sides) => format!("left is {}, right is {} at the closest state", number(sides[0]), number(sides[1])),
            None => String::new(),
        };
        diagnostic = diagnostic.at(span, text);
    }
    if conflict.rows.len() > 1 {
        diagnostic = diagnostic.note(format!(
            "for the {}, {} reads 0 = {}",
            conflict.level,
            combination(&conflict.rows),
            number(conflict.gap)
        ));
    } else {
        let gap = number(conflict.gap.abs());
        diagnostic = diagnostic.note(format!("for the {}, its sides differ by {gap} at least", conflict.level));
    }
    diagnostic.help(match names.as_slice() {
        [_] => "no state was found that satisfies it; change it".to_string(),
        [.., last] => format!("remove one of them, such as {last}, or change a number so that they agree"),
        [] => String::new(),
    })
}

/// Constraints for which no state could be found: which of them, from the nearest state there is.
pub(super) fn unsatisfiable(
    evaluator: &Evaluator,
    kernel: &mut Kernel,
    state: &State,
    left: &Level,
    which: Which,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<ConflictReport> {
    let (n, m) = (evaluator.coordinates(), left.rows.len());
    let rows = left.jacobian.picked(|row, j, a| Some((j, a / left.scale[row])));
    let right: Vec<f64> = left.residual.iter().zip(&left.scale).map(|(r, s)| -r / s).collect();
    let row_name = |at: usize| evaluator.equations.rows[left.rows[at]].name.clone();
    let level = if which == Which::Positions { "positions" } else { "velocities" };
    let one = |c: &holonom_kernel::Conflict| {
        // From rows of comparable size to the rows as they were written, the last of them with factor 1 or −1.
        let coefficients: Vec<f64> = c.coefficients.iter().zip(&c.rows).map(|(c, &at)| c / left.scale[at]).collect();
        let unit = coefficients.last().map_or(1.0, |last| last.abs()).max(f64::MIN_POSITIVE);
        let rows = coefficients.iter().map(|c| c / unit).zip(c.rows.iter().map(|&at| row_name(at))).collect();
        ConflictReport { rows, gap: c.gap / unit, level }
    };
    let mut conflicts: Vec<ConflictReport> = kernel.conflicts(n, &rows, &right).iter().map(one).collect();
    if conflicts.is_empty() {
        // No linear combination shows it: name what is left over.
        let worst = left.worst();
        let off: Vec<usize> = (0..m).filter(|&at| left.residual[at].abs() > 0.05 * worst * left.scale[at]).collect();
        let gap = off.iter().map(|&at| left.residual[at].abs()).fold(0.0, f64::max);
        conflicts.push(ConflictReport { rows: off.iter().map(|&at| (1.0, row_name(at))).collect(), gap, level });
        diagnostics.push(unsolved(evaluator, state, left, which, &off));
        return conflicts;
    }
    for conflict in conflicts.iter().take(SHOWN) {
        diagnostics.push(contradiction(evaluator, conflict, state));
    }
    conflicts
}

/// Rows that the nearest state leaves open: joints by how far their ends stay apart, and what would let them close.
fn unsolved(evaluator: &Evaluator, state: &State, left: &Level, which: Which, off: &[usize]) -> Diagnostic {
    let row = |at: usize| &evaluator.equations.rows[left.rows[at]];
    let level = if which == Which::Positions { "positions" } else { "velocities" };
    let joints = super::mechanism::open_joints(evaluator, off.iter().map(|&at| (row(at), left.residual[at])));
    let others = off.iter().filter(|&&at| !joints.iter().any(|joint| joint.rows.contains(&row(at).name)));
    let others: Vec<usize> = others.copied().collect();
    let mut names: Vec<String> = joints.iter().map(|joint| name(&joint.name)).collect();
    names.extend(others.iter().map(|&at| name(&row(at).name)));
    let names = and(&few(names));
    let mut message = Diagnostic::error(
        "start-unsolved",
        match others.is_empty() && which == Which::Positions {
            true => format!("no poses of the bodies were found that close {names}"),
            false => format!("no {level} were found that satisfy {names}"),
        },
    );
    for joint in joints.iter().take(SHOWN) {
        message = message.at(joint.span, joint.gap.clone());
    }
    for &at in others.iter().take(SHOWN) {
        if let Some(span) = row(at).span {
            message = message.at(span, format!("still off by {}", number(left.residual[at])));
        }
    }
    if which == Which::Positions {
        message = adjust::advice(evaluator, state, left).into_iter().fold(message, Diagnostic::help);
    }
    message.help(match others.is_empty() {
        true => "place the bodies nearer to a pose in which the joints close; or no pose closes them all",
        false => "give guesses near a solution: `start x ~ …`; or the constraints cannot hold together",
    })
}

/// Where the constraint of a row stands.
fn span_of(evaluator: &Evaluator, row: &str) -> Option<Span> {
    evaluator.equations.rows.iter().find(|r| r.name == row)?.span
}
