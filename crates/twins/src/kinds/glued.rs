//! Planar loops of bars, each with its middle and its angle: in one piece, as parts, as parts in files.

use super::loops::{Loop, minus};
use crate::choose::named;
use crate::draft::Draft;
use crate::space::{dot, length};
use crate::units::Units;
use holonom_random::Random;

/// A bar with its middle and its angle, as statements of a part or of the model.
fn bar_statements(mass: &str, l: &str, weight: &str, prefix: &str) -> [String; 3] {
    let (x, y, a) = (format!("{prefix}x"), format!("{prefix}y"), format!("{prefix}a"));
    let way = format!("{l}/2*(cos({a}), sin({a}))");
    let lets = format!("{prefix}near = ({x}, {y}) - {way}, {prefix}far = ({x}, {y}) + {way}");
    let kinetic = format!("{mass}/2*({x}'^2 + {y}'^2) + {mass}*{l}^2/24*{a}'^2");
    [lets, kinetic, format!("{weight}*{y}")]
}

/// Bars in one piece.
pub fn bars(one: &Loop, units: &Units, _: &mut Random) -> Draft {
    let mut draft = named("bars", units);
    glue(one, &mut draft, units, "", false);
    draft
}

/// Bars as parts in the same file; most start values are inferred.
pub fn parts(one: &Loop, units: &Units, random: &mut Random) -> Draft {
    let mut draft = named("parts", units);
    let inferred = random.chance(1, 2);
    glue(one, &mut draft, units, "part", inferred);
    draft
}

/// Bars as parts in files of their own; most start values are inferred.
pub fn files(one: &Loop, units: &Units, random: &mut Random) -> Draft {
    let mut draft = named("parts in files", units);
    let inferred = random.chance(1, 2);
    glue(one, &mut draft, units, "file", inferred);
    draft
}

fn glue(one: &Loop, draft: &mut Draft, units: &Units, how: &str, inferred: bool) {
    let speed = units.factor(0, 1, -1);
    let dot_or_not = if how.is_empty() { "_" } else { "." };
    for (i, (from, to, u, v)) in one.ends().into_iter().enumerate() {
        let (name, l) = (format!("bar{}", i + 1), units.length(length(minus(to, from))));
        let weight = units.write(-one.masses[i] * one.gravity[1], 1, 1, -2);
        let prefix = if how.is_empty() { format!("{name}_") } else { String::new() };
        let [lets, kinetic, potential] = bar_statements(&units.mass(one.masses[i]), &l, &weight, &prefix);
        let coordinates = ["x", "y", "a"].map(|c| format!("{prefix}{c}"));
        if how.is_empty() {
            draft.coordinates.extend(coordinates);
            draft.lets.push(lets);
            draft.kinetic.push(kinetic);
            draft.potential.push(potential);
        } else {
            let nudge = if how == "file" { "1" } else { "(1 + nudge)" };
            let text = format!(
                "coord      x, y, a\nlet        {lets}\nkinetic    {kinetic}\npotential  {nudge}*{potential}\n"
            );
            if how == "file" {
                draft.statements.push(format!("part {name} = \"{name}.holo\""));
                draft.files.insert(format!("{name}.holo"), text);
            } else {
                draft.statements.push(format!("part {name}\n  {}", text.trim_end().replace('\n', "\n  ")));
            }
        }
        let (angle, rate) = one.angle(i);
        let own = |c: &str| format!("{name}{dot_or_not}{c}");
        if inferred && i > 0 {
            draft.guesses.push((own("a"), angle + 0.02));
        } else {
            draft.starts(&own("a"), angle, rate / units.time);
        }
        for (k, c) in ["x", "y"].iter().enumerate() {
            let (x, w) = ((from[k] + to[k]) / 2.0 * units.length, (u[k] + v[k]) / 2.0 * speed);
            match inferred {
                false => draft.starts(&own(c), x, w),
                true if i > 0 => draft.guesses.push((own(c), x + 0.02 * units.length)),
                true => {}
            }
        }
    }
    if inferred {
        draft.name += ", start inferred";
    }
    let own = |bar: usize, c: &str| format!("bar{bar}{dot_or_not}{c}");
    let pin = |draft: &mut Draft, name: &str, left: String, right: String| match how {
        "" => draft.rows_of(name, 2, &left, &right),
        _ => draft.statements.push(format!("connect {name}: {left} = {right}")),
    };
    pin(draft, "pinO", own(1, "near"), one.point(one.o, units));
    pin(draft, "pinA", own(1, "far"), own(2, "near"));
    if let Some(way) = one.slider {
        draft.coordinate("s", 0.0, dot(one.vb, way) * speed);
        if inferred {
            draft.positions.pop();
            draft.velocities.pop();
            draft.guesses.push(("s".to_string(), 0.01 * units.length));
        }
        pin(draft, "pinB", own(2, "far"), format!("{} + s*{}", one.point(one.b, units), one.direction(way)));
        draft.kinetic.push(format!("{}/2*s'^2", units.mass(one.masses[2])));
        one.weigh(draft, units, one.masses[2], &own(2, "far"));
    } else {
        pin(draft, "pinB", own(2, "far"), own(3, "far"));
        pin(draft, "pinC", own(3, "near"), one.point(one.c, units));
    }
    one.observe(draft, units, &own(2, "near"), &own(2, "far"), &|v| one.direction(v), 2);
}
