//! Why there is no motion at a state, by the statements of the model.

use super::friction::{ContactState, name_of};
use super::report::SHOWN;
use crate::start::failure::Failure;
use crate::start::finite;
use crate::start::kernel::{Refused, WITH_REACTIONS};
use crate::start::numbers::{Evaluator, State};
use crate::start::words::{and, name, number, several};
use holonom_kernel::linalg::tolerance::DUST;
use holonom_kernel::sparse::TooLarge;
use holonom_kernel::{Array, MotionError};
use holonom_language::{Diagnostic, Span};
use holonom_mechanics::contact::Does;
use holonom_symbols::expr::Depends;

/// Where a state is, for a sentence that needs to name it.
fn here(evaluator: &Evaluator) -> &'static str {
    if evaluator.there.is_empty() { " here" } else { evaluator.there }
}

/// Why there is no motion at the start.
pub(super) fn failure(evaluator: &Evaluator, failure: &Failure, state: &State) -> Diagnostic {
    let model = &evaluator.equations.model;
    let friction = |code: &'static str, text: String| {
        let mut message = Diagnostic::error(code, text);
        for friction in model.frictions.iter().take(SHOWN) {
            message = message.at(friction.span, "");
        }
        message
    };
    let contacts = || {
        let of = |c: &holonom_mechanics::derive::Contact| {
            model.frictions.get(c.friction).map(|f| name(&model.constraints[f.constraint].name))
        };
        let mut names: Vec<String> = evaluator.equations.frictions.iter().filter_map(of).collect();
        if names.is_empty() {
            let rows = evaluator.equations.one_sided_rows().map(|row| name(&evaluator.equations.rows[row].name));
            names.extend(rows.take(SHOWN));
        }
        names.dedup();
        and(&names)
    };
    match failure {
        Failure::NoFriction if model.frictions.is_empty() => {
            let touching: Vec<_> = evaluator.equations.one_sided_rows().map(|row| &evaluator.equations.rows[row]).collect();
            let names: Vec<String> = touching.iter().take(SHOWN).map(|row| name(&row.name)).collect();
            let text = format!("the one-sided constraints and the others cannot all be kept: {}", and(&names));
            let mut message = Diagnostic::error("contradiction", text);
            for span in touching.iter().take(SHOWN).filter_map(|row| row.span) {
                message = message.at(span, "no forces keep this one and the others");
            }
            message
                .note("no forces that push keep them all: what moves is caught between them")
                .help("remove one of them, or let something give way: a spring in place of a constraint")
        }
        Failure::NoFriction => friction(
            "friction-no-solution",
            format!("no load of {} fits the friction that it would cause (Painlevé's paradox)", contacts()),
        )
        .note(format!("with rigid bodies and this coefficient the motion stops existing{}", here(evaluator)))
        .help("a smaller coefficient of friction, or something that gives way, such as a stiff spring, has an answer"),
        Failure::ManyFrictions(_) if !repeated_sides(evaluator, state).is_empty() => {
            shared_load(evaluator, &repeated_sides(evaluator, state), friction)
        }
        Failure::ManyFrictions(answers) => {
            let many = answers.len();
            let text =
                format!("{many} loads of {} fit the friction that they would cause (Painlevé's paradox)", contacts());
            answers
                .iter()
                .fold(friction("friction-many-solutions", text), |message, answer| {
                    message.note(format!("one motion: {}", in_words(evaluator, answer)))
                })
        }
        .note("rigid bodies with Coulomb friction may have more than one motion")
        .help("a smaller coefficient of friction, or a small velocity at the start, may decide between them"),
        Failure::Undecided if model.frictions.is_empty() => {
            let text = format!("no forces were found with which {} push, and none were excluded", contacts());
            let rows = evaluator.equations.one_sided_rows().filter_map(|row| evaluator.equations.rows[row].span);
            rows.take(SHOWN)
                .fold(Diagnostic::error("friction-undecided", text), |message, span| message.at(span, ""))
                .note("one-sided constraints act on each other, with numbers that differ by too many powers of ten")
                .help("leave bodies and constraints out that are nothing beside the others, or choose other units")
        }
        Failure::Undecided => friction(
            "friction-undecided",
            format!("no motion was found that fits the friction of {}, and none was excluded", contacts()),
        )
        .note("the contacts act on each other, and not all combinations of sticking and sliding can be tried")
        .help("smaller coefficients of friction, or fewer contacts that press on each other, have an answer that is found"),
        Failure::NegativeFriction(which, force) => {
            let of = &evaluator.equations.frictions[*which];
            let text = format!("the friction of {} is negative: {}", name(&name_of(evaluator.equations, *which)), number(*force));
            Diagnostic::error("negative", text)
                .at(model.frictions[of.friction].span, "its law is the magnitude of the friction")
                .note("friction opposes the slip by itself; one that is negative would drive it")
                .help("write the law without the sign; what drives is a force")
        }
        Failure::NotUnique(rows) => shared_load(evaluator, rows, friction),
        Failure::TooLarge(block) => too_large(evaluator, block),
        Failure::TooFree(count) => {
            let said = model.free.first().map(|direction| direction.span).or(model.free_zero);
            let text = format!("`free` would have to decide {count} coupled directions");
            let mut message = Diagnostic::error("block-too-large", text);
            if let Some(span) = said {
                message = message.at(span, "decided here");
            }
            message
                .note("mass and constraints leave these directions open, and they take more room than the model itself")
                .help("give the coordinates mass in `kinetic`, or add constraints that hold them")
        }
        Failure::Wrong(error) => wrong(evaluator, error, state),
    }
}

/// Sliding friction on reactions that are not unique.
fn shared_load(
    evaluator: &Evaluator,
    rows: &[usize],
    friction: impl Fn(&'static str, String) -> Diagnostic,
) -> Diagnostic {
    let names: Vec<String> = rows.iter().map(|&row| name(&evaluator.equations.rows[row].name)).collect();
    let text = format!(
        "sliding friction depends on the {} of {}, which {} not unique",
        several(names.len(), "reaction", "reactions"),
        and(&names),
        several(names.len(), "is", "are")
    );
    let mut message = friction("friction-not-unique", text);
    for &row in rows.iter().take(SHOWN) {
        if let Some(span) = evaluator.equations.rows[row].span {
            message = message.at(span, "others carry part of this load");
        }
    }
    message
        .note("constraints that repeat each other share their load in no unique way")
        .help("remove the constraint that repeats, or write `normal = …` with the load that the law should use")
}

/// One-sided rows that forbid the same direction as another one at this state: floors that were written twice.
fn repeated_sides(evaluator: &Evaluator, state: &State) -> Vec<usize> {
    let rows: Vec<usize> = evaluator.equations.one_sided_rows().collect();
    let slopes: Vec<Vec<(usize, f64)>> = rows
        .iter()
        .map(|&row| {
            let row = &evaluator.equations.rows[row];
            let ids: Vec<_> = row.a.iter().map(|&(_, id)| id).collect();
            let values = evaluator.values(&ids, &state.point());
            row.a.iter().map(|&(j, _)| j).zip(values).filter(|(_, slope)| *slope != 0.0).collect()
        })
        .collect();
    let parallel = |a: &[(usize, f64)], b: &[(usize, f64)]| {
        let ratio = b.first().zip(a.first()).map_or(f64::NAN, |(b, a)| b.1 / a.1);
        let same = |(a, b): (&(usize, f64), &(usize, f64))| a.0 == b.0 && (b.1 - ratio * a.1).abs() <= DUST * b.1.abs();
        a.len() == b.len() && ratio > 0.0 && a.iter().zip(b).all(same)
    };
    let repeats = |at: usize| (0..rows.len()).any(|other| other != at && parallel(&slopes[at], &slopes[other]));
    (0..rows.len()).filter(|&at| repeats(at)).map(|at| rows[at]).collect()
}

/// What contacts do in one of several motions, with their loads.
fn in_words(evaluator: &Evaluator, answer: &[(usize, Does, f64)]) -> String {
    let one = |(which, does, normal): &(usize, Does, f64)| {
        let name = name(&name_of(evaluator.equations, *which));
        format!("{name} {} under a load of {}", ContactState::of(does).word(), number(*normal))
    };
    and(&answer.iter().take(SHOWN).map(one).collect::<Vec<_>>())
}

/// Why no kernel takes the model.
pub(super) fn refused(evaluator: &Evaluator, refused: &Refused) -> Diagnostic {
    let n = evaluator.coordinates();
    match refused {
        Refused::Block(block) => too_large(evaluator, block),
        Refused::Reactions => {
            let model = &evaluator.equations.model;
            let text = format!("forces that depend on reactions are not found in a model of {n} coordinates");
            let mut message = Diagnostic::error("reactions-too-large", text);
            let hanging = evaluator.equations.nonideal.iter();
            let hanging = hanging.filter(|part| !part.by_reaction.is_empty() || !part.nonlinear.is_empty());
            let places = model.frictions.iter().map(|f| f.span).chain(hanging.map(|part| part.span));
            for span in places.take(SHOWN) {
                message = message.at(span, "");
            }
            message
                .note(format!("a force that its own reaction changes takes full matrices, and up to {WITH_REACTIONS} coordinates fit"))
                .help("split the model, write the friction as a force of velocities alone, or leave it out")
        }
    }
}

/// Coordinates that meet at once and are too many.
pub(super) fn too_large(evaluator: &Evaluator, block: &TooLarge) -> Diagnostic {
    let model = &evaluator.equations.model;
    let names: Vec<String> =
        block.coordinates.iter().filter_map(|&j| model.coordinates.get(j)).map(|c| name(&c.name)).collect();
    let mut message = Diagnostic::error(
        "block-too-large",
        format!("{} coordinates are coupled so closely that they must be solved at once", block.size),
    );
    let rows: Vec<_> =
        block.rows.iter().filter_map(|&at| evaluator.rows.get(at)).map(|&row| &evaluator.equations.rows[row]).collect();
    for row in rows.iter().take(SHOWN) {
        if let Some(span) = row.span {
            message = message.at(span, format!("`{}` brings some of them together", row.name));
        }
    }
    if !names.is_empty() {
        message = message.note(format!("{} are among them", and(&names)));
    }
    message
        .note(format!("a large model is solved piece by piece, and a piece has {} coordinates at most", block.limit))
        .help("divide constraints and masses that span very many coordinates into some that span few, with coordinates between them")
}

/// The kernel's complaint, by name.
fn wrong(evaluator: &Evaluator, error: &MotionError, state: &State) -> Diagnostic {
    let model = &evaluator.equations.model;
    let coordinate = |j: usize| (evaluator.name(j).to_string(), model.coordinates[j].span);
    match error {
        MotionError::NoCoordinates => {
            Diagnostic::error("no-coordinates", "the model has no coordinates").help("declare one: `coord x`")
        }
        MotionError::Indefinite { row, column } => {
            let entry = evaluator.value(evaluator.equations.mass.get(*row, *row), &state.point());
            let (what, span) = coordinate(*row);
            let by_parameter = evaluator.graph.depends(evaluator.equations.mass.get(*row, *row)) != Depends::NOTHING;
            if row == column && entry < 0.0 {
                let code = if by_parameter { "negative-mass" } else { "indefinite-mass" };
                Diagnostic::error(code, format!("the mass of `{what}` is negative: {}", number(entry)))
                    .at(span, format!("its kinetic energy is {}*{what}'^2", number(entry / 2.0)))
                    .note("kinetic energy is never negative")
                    .help(if by_parameter {
                        "look at the values of the parameters in `kinetic`, `particle` and `mass`"
                    } else {
                        "look for a lost sign in `kinetic`, `lagrangian` or `mass`"
                    })
            } else {
                let (other, other_span) = coordinate(*column);
                let text = if row == column {
                    format!("some motion with `{what}` has a negative kinetic energy")
                } else {
                    format!("some motion of `{what}` and `{other}` has a negative kinetic energy")
                };
                let mut message = Diagnostic::error("indefinite-mass", text).at(span, "");
                if other_span != span {
                    message = message.at(other_span, "");
                }
                message
                    .note("a mass matrix is positive semi-definite: no entry may exceed the root of the product of its diagonal ones")
                    .help("look for a lost sign or factor in `kinetic`, `lagrangian` or `mass`")
            }
        }
        MotionError::NotSymmetric { row, column, upper, lower } => {
            let ((a, span), (b, other)) = (coordinate(*row), coordinate(*column));
            let place: Option<Span> = model.mass.first().map(|mass| mass.span);
            Diagnostic::error("mass-not-symmetric", format!("the mass matrix is not symmetric in `{a}` and `{b}`"))
                .at(place.unwrap_or(span), format!("{} above the diagonal, {} below", number(*upper), number(*lower)))
                .at(place.unwrap_or(other), "")
                .help("write (M + M transposed)/2: kinetic energy is the same")
        }
        MotionError::NotFinite { array, row, column, value } => {
            let (what, span) = match array {
                Array::M => {
                    let (name, span) = coordinate(*row);
                    (format!("the mass of `{name}` and `{}`", evaluator.name(*column)), Some(span))
                }
                Array::A | Array::B => {
                    let row = evaluator.rows.get(*row).map(|&row| &evaluator.equations.rows[row]);
                    (format!("the constraint `{}`", row.map_or("", |r| r.name.as_str())), row.and_then(|r| r.span))
                }
                _ => {
                    let (name, span) = coordinate(*row);
                    (format!("the force on `{name}`"), Some(span))
                }
            };
            let mut message =
                Diagnostic::error("not-finite", format!("{what} is not a finite number{}", evaluator.there));
            if let Some(span) = span {
                message = message.at(span, format!("{value}{}", evaluator.there));
            }
            message.help(finite::HELP)
        }
        other => {
            Diagnostic::error("no-motion", format!("there is no motion{}: {other}", evaluator.there)).note(other.why())
        }
    }
}
