//! Models that have no motion, or not one: every formulation must be refused, and for that reason.

use crate::choose::{named, rewritten, size, tolerance, units};
use crate::compare::Twins;
use crate::draft::Draft;
use crate::units::Units;
use holonom_random::Random;

/// Draws a pendulum with a mistake.
pub fn draw(random: &mut Random) -> Twins {
    let (l, m) = (size(random, 0.3, 2.0), size(random, 0.3, 3.0));
    let mistake = random.index(4);
    let cartesian = |units: &Units| {
        let mut draft = named("Cartesian", units);
        draft.coordinate("x", 0.0, units.factor(0, 1, -1) * l);
        draft.coordinate("y", -l * units.length, 0.0);
        draft.row("rod", "x^2 + y^2", format!("{}^2", units.length(l)));
        draft.kinetic.push(format!("{}/2*(x'^2 + y'^2)", units.mass(m)));
        draft.potential.push(format!("{}*y", units.write(9.81 * m, 1, 1, -2)));
        draft.lets.push("p = (x, y)".to_string());
        draft
    };
    let angle = |units: &Units| {
        let mut draft = named("angle", units);
        draft.coordinate("a", 0.0, 1.0 / units.time);
        draft.lets.push(format!("p = {}*(sin(a), -cos(a))", units.length(l)));
        draft.kinetic.push(format!("{}/2*dot(p', p')", units.mass(m)));
        draft.potential.push(format!("{}*p.y", units.write(9.81 * m, 1, 1, -2)));
        draft
    };
    let spoil = |mut draft: Draft, units: &Units| {
        let speed = units.factor(0, 1, -1);
        match mistake {
            // The bob is not at the end of a second rod.
            0 => draft.row("other", "norm(p)", units.length(l * 1.01)),
            // It must move at two speeds.
            1 => draft.velocity_row("other", "p'.x", format!("{:?}", 2.0 * l * speed)),
            // Something without mass, held by nothing.
            2 => draft.coordinate("z", 0.0, 0.0),
            // Something without mass, held by nothing, and pushed.
            _ => {
                draft.coordinate("z", 0.0, 0.0);
                draft.potential.push(format!("{}*z", units.write(1.0, 1, 1, -2)));
            }
        }
        draft.outputs.push("p.x".to_string());
        draft
    };
    let (one, two) = (units(random), units(random));
    let drafts = vec![spoil(angle(&one), &one), rewritten(spoil(cartesian(&two), &two), random, 1.0)];
    let refused_as: &[&str] = match mistake {
        // With an angle, the second rod has a length that no angle gives it.
        0 => &["start-inconsistent", "contradiction", "impossible-constraint"],
        1 => &["start-inconsistent", "contradiction"],
        2 => &["not-unique"],
        _ => &["unbalanced"],
    };
    Twins { kind: "wrong", drafts, horizon: 1.0, rtol: tolerance(random), groups: vec![0], refused_as }
}
