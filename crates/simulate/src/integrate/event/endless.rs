//! What is said of events and seams that are passed without end.

use super::source::sources;
use crate::integrate::mechanics::Mechanics;
use holonom_language::{Diagnostic, EventAction};
use holonom_symbols::expr::{Id, Notation, Style};

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
    .at(event.span, "it happens at ever shorter intervals, like the bounces of a ball that comes to rest")
    .help("write a floor or a stop as a one-sided constraint, which comes to rest: `constraint NAME: GAP >= 0, restitution = …`, without this event")
    .help(help)
    .help("or end the run there: `-> stop`")
}

/// The function of a seam as it is written, where it is short enough.
fn seam_text(mechanics: &Mechanics, i: usize) -> Option<String> {
    let (_, mut graph, functions) = sources(&mechanics.system);
    let model = &mechanics.system.equations().model;
    let name = |symbol| model.symbol_name(symbol);
    let function = *functions.get(i)?;
    // Either sign is zero there: x' reads better than -x'.
    let both = [function, graph.negate(function)].map(|id| graph.print(id, &Style::new(Notation::Text, &name)));
    let length = |text: &String| text.chars().count();
    both.into_iter().min_by_key(length).filter(|text| length(text) <= LONGEST)
}

/// A seam of the equations at which the motion is held, or to which it comes back without end.
pub(super) fn chatters(mechanics: &Mechanics, t: f64, i: usize) -> Diagnostic {
    let what = match seam_text(mechanics, i) {
        Some(text) => format!("`{text}`"),
        None => "the argument of an `if`, `abs`, `sign`, `min` or `max`".to_string(),
    };
    Diagnostic::error("switch-chatters", format!("at t = {t} a force that jumps holds {what} at zero"))
        .note("from either side it leads back to the seam, and the equations do not say how the motion goes on there")
        .help(
            "a force that holds something at rest by its sign is friction: write `friction NAME: coulomb(mu)`; or let it \
             change over a small range, with `tanh(x/width)` or `clamp(x/width, -1, 1)` in place of `sign(x)`",
        )
}

/// A seam along which the motion begins to slide: what is zero there, and what to say.
pub(super) fn slides(mechanics: &Mechanics, t: f64, i: usize, seam: usize) -> (String, Diagnostic) {
    let zero = seam_text(mechanics, i).map_or("a seam of the forces".to_string(), |text| format!("{text} = 0"));
    let mut note = Diagnostic::note_on(
        "switch-slides",
        format!("from t = {t} on the motion slides along {zero}, where a force jumps"),
    );
    let equations = mechanics.system.equations();
    let deciding = mechanics.seams.as_ref().map_or(&[][..], |seams| seams.deciding(seam));
    let jumps = |ids: &[Id]| equations.graph.reachable(ids).iter().any(|id| deciding.iter().any(|one| one.0 == *id));
    if let Some(force) = equations.model.forces.iter().find(|force| jumps(&force.components)) {
        note = note.at(force.span, "this force leads back to it from both sides");
    }
    let note = note.note("the force between its two values is what keeps the motion there (Filippov); it lets go where that is not enough");
    (zero, note)
}
