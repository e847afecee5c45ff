//! What is said of events and seams that are passed without end.

use super::source::sources;
use crate::expr::{Notation, Style};
use crate::integrate::mechanics::Mechanics;
use crate::model::{Diagnostic, EventAction};

/// Longer expressions are not written into messages.
const LONGEST: usize = 60;

/// An event of the model that happens again and again.
pub(super) fn without_end(mechanics: &Mechanics, t: f64, number: usize) -> Diagnostic {
    let model = &mechanics.system.equations().model;
    let event = &model.events[number];
    let struck = event.actions.iter().find_map(|action| match action {
        EventAction::Impact(which, _) => Some(&model.constraints[*which].name),
        _ => None,
    });
    let help = match struck {
        Some(name) => format!(
            "let `{0}` strike only while it is fast, and hold it once it is slow, with two conditions in place of one: \
             `event {0}: GAP < 0 and SPEED < -0.01 -> impact {name} …` and `event rest: GAP < 0 and SPEED > -0.01 -> add {name}`",
            event.name
        ),
        None => format!(
            "declare what holds it at the end, `constraint NAME: GAP = 0, off`, and add it once it is slow: \
             `event rest: GAP < 0 and SPEED > -0.01 -> add NAME`; let `{}` happen while it is fast, `GAP < 0 and SPEED < -0.01`",
            event.name
        ),
    };
    Diagnostic::error(
        "event-zeno",
        format!("at t = {t} the event `{}` happens again and again, without time to pass", event.name),
    )
    .at(event.span, "its occurrences come ever closer, as those of a ball that comes to rest")
    .help("a floor or a stop comes to rest by itself as a one-sided constraint: `constraint NAME: GAP >= 0, restitution = …`, without this event")
    .help(help)
    .help("or end the run there: `-> stop`")
}

/// A seam of the equations at which the motion is held, or to which it comes back without end.
pub(super) fn chatters(mechanics: &Mechanics, t: f64, i: usize) -> Diagnostic {
    let (_, graph, functions) = sources(&mechanics.system);
    let model = &mechanics.system.equations().model;
    let name = |symbol| model.symbol_name(symbol);
    let seam = functions.get(i).map(|&id| graph.print(id, &Style::new(Notation::Text, &name)));
    let what = match seam.filter(|text| text.chars().count() <= LONGEST) {
        Some(text) => format!("`{text}`"),
        None => "the argument of an `if`, `abs`, `sign`, `min` or `max`".to_string(),
    };
    Diagnostic::error("switch-chatters", format!("at t = {t} a force that jumps holds {what} at zero"))
        .note("from either side it leads back to the seam, so that the equations have no motion beyond this time")
        .help(
            "a force that holds something at rest by its sign is friction: write `friction NAME: coulomb(mu)`; or let it \
             change over a small range, with `tanh(x/width)` or `clamp(x/width, -1, 1)` in place of `sign(x)`",
        )
}
