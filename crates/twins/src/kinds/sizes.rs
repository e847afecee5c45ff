//! Independent oscillations of very different sizes in one model, without units: each must be as accurate as if it were alone.

use crate::choose::{rewritten, signed, size, tolerance};
use crate::compare::Twins;
use crate::draft::Draft;
use crate::units::number;
use holonom_random::Random;

struct Oscillation {
    amplitude: f64,
    frequency: f64,
    /// Hardening, and the start as parts of the amplitude.
    hard: f64,
    start: [f64; 2],
}

/// Draws two to five oscillations.
pub fn draw(random: &mut Random) -> Twins {
    let n = random.between(2, 5);
    let least = -(random.between(0, 6) as i32);
    let most = random.between(0, 6) as i32;
    // A large motion that is slow does not set the steps: nothing but the error control looks after the small ones.
    let slow = random.chance(1, 2);
    let all: Vec<Oscillation> = (0..n)
        .map(|i| {
            let exponent = if i == 0 {
                least
            } else if i == 1 {
                most
            } else {
                least + random.index((most - least + 1) as usize) as i32
            };
            Oscillation {
                amplitude: 10f64.powi(exponent),
                frequency: size(random, 0.5, 5.0) * if slow && i == 1 { 0.02 } else { 1.0 },
                hard: random.pick(&[0.0, 1.0]),
                start: [signed(random, 0.3, 1.0), random.real()],
            }
        })
        .collect();
    // Mass that is added to rows must not drown the least of the masses.
    let least = all.iter().map(|one| 1.0 / one.amplitude.powi(2)).fold(f64::INFINITY, f64::min);
    let mut drafts = vec![write(&all, "rescaled", true, false, false), write(&all, "as they are", false, false, false)];
    drafts.push(rewritten(write(&all, "sums in a row", false, true, false), random, least));
    if random.chance(1, 2) {
        drafts.push(rewritten(write(&all, "on circles", false, false, true), random, least));
    }
    let groups = (0..n).collect();
    Twins { kind: "sizes", drafts, horizon: size(random, 2.0, 15.0), rtol: tolerance(random), groups, refused_as: &[] }
}

/// A pendulum along its arc where it is not hardening, so that it can be written on a circle as well.
fn write(all: &[Oscillation], name: &str, rescaled: bool, sums: bool, circles: bool) -> Draft {
    let mut draft = Draft::new(name);
    let mut sum = Vec::new();
    for (i, one) in all.iter().enumerate() {
        let (a, name) = (one.amplitude, format!("u{i}"));
        let (start, rate) = (one.start[0], one.start[1] * one.frequency);
        // Energies of order one whatever the size, so that nothing but coordinates is large or small.
        let m = number(1.0 / (a * a));
        let square = number(one.frequency.powi(2));
        if circles && one.hard == 0.0 {
            let (s, c) = start.sin_cos();
            draft.coordinate(&name, a * s, a * c * rate);
            draft.coordinate(&format!("w{i}"), a * c, -a * s * rate);
            draft.row(&format!("circle{i}"), format!("{name}^2 + w{i}^2"), format!("{}^2", number(a)));
            draft.lets.push(format!("x{i} = {name}"));
            draft.kinetic.push(format!("{m}/2*({name}'^2 + w{i}'^2)"));
            draft.potential.push(format!("-{square}*w{i}/{}", number(a)));
        } else {
            let (unit, factor) = if rescaled { (1.0, number(a)) } else { (a, "1".to_string()) };
            draft.coordinate(&name, start * unit, rate * unit);
            draft.lets.push(format!("s{i} = {factor}*{name}"));
            draft.kinetic.push(format!("{m}/2*s{i}'^2"));
            let part = format!("(s{i}/{})", number(a));
            if one.hard == 0.0 {
                draft.potential.push(format!("-{square}*cos{part}"));
                draft.lets.push(format!("x{i} = {}*sin{part}", number(a)));
            } else {
                draft.potential.push(format!("{square}/2*{part}^2*(1 + {part}^2/2)"));
                draft.lets.push(format!("x{i} = s{i}"));
            }
        }
        sum.push(format!("x{i}"));
        draft.outputs.push(format!("x{i}"));
    }
    if sums {
        draft.coordinates.push("total".to_string());
        draft.row("total_row", "total", sum.join(" + "));
    }
    draft
}
