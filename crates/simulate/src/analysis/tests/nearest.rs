//! Of several solutions, the one nearest to the guesses.

use super::checked;
use crate::start::random::seeded;
use holonom_random::Random;

/// A mechanism at a random configuration: its text, what is given, and what is to be found.
struct Case {
    text: String,
    given: Vec<(String, f64)>,
    wanted: Vec<(String, f64)>,
}

fn named(names: &[&str], values: &[f64]) -> Vec<(String, f64)> {
    names.iter().map(|name| name.to_string()).zip(values.iter().copied()).collect()
}

/// A four-bar linkage on either branch.
fn four_bar(random: &mut Random) -> Case {
    let a = random.uniform(0.0, std::f64::consts::TAU);
    let (dx, dy) = (3.0 - a.cos(), -a.sin());
    let d = dx.hypot(dy);
    let half = ((2.5f64.powi(2) + d * d - 4.0) / (5.0 * d)).acos();
    let b = dy.atan2(dx) + half * random.uniform(-1.0, 1.0).signum();
    let c = (a.sin() + 2.5 * b.sin()).atan2(a.cos() + 2.5 * b.cos() - 3.0);
    let text = "coord a, b, c\nkinetic (a'^2 + b'^2 + c'^2)/2\n\
        constraint loop: (cos(a) + 2.5*cos(b) - 3 - 2*cos(c), sin(a) + 2.5*sin(b) - 2*sin(c)) = (0, 0)\n";
    Case { text: text.to_string(), given: named(&["a"], &[a]), wanted: named(&["b", "c"], &[b, c]) }
}

fn slider_crank(random: &mut Random) -> Case {
    let a = random.uniform(0.0, std::f64::consts::TAU);
    let small = (-0.1 * a.sin() / 0.3).asin();
    let b = if random.uniform(-1.0, 1.0) > 0.0 { small } else { std::f64::consts::PI - small };
    let text = "coord a, b, s\nkinetic (a'^2 + b'^2 + s'^2)/2\n\
        constraint loop: (0.1*cos(a) + 0.3*cos(b) - s, 0.1*sin(a) + 0.3*sin(b)) = (0, 0)\n";
    let s = 0.1 * a.cos() + 0.3 * b.cos();
    Case { text: text.to_string(), given: named(&["a"], &[a]), wanted: named(&["b", "s"], &[b, s]) }
}

/// A Delta robot whose platform is given: each arm has two positions.
fn delta(random: &mut Random) -> Case {
    let text = "param R = 0.2, r = 0.05, L = 0.25, l = 0.6\ncoord th[1..3], x, y, z\n\
        let u[i in 1..3] = (cos(2*pi*(i - 1)/3), sin(2*pi*(i - 1)/3), 0)\n\
        let rod[i in 1..3] = (R - r + L*cos(th[i]))*u[i] - (x, y, z + L*sin(th[i]))\n\
        kinetic (x'^2 + y'^2 + z'^2)/2 + sum(i in 1..3, th[i]'^2)/20\n\
        constraint arm[i in 1..3]: dot(rod[i], rod[i]) = l^2\n";
    let place = [random.uniform(-0.15, 0.15), random.uniform(-0.15, 0.15), random.uniform(-0.65, -0.5)];
    let arm = |i: usize| {
        let turn = std::f64::consts::TAU * i as f64 / 3.0;
        // |(R − r + L cos θ − across, side, z + L sin θ)| = l: E cos θ + F sin θ = G, on the outer branch.
        let (across, side) =
            (place[0] * turn.cos() + place[1] * turn.sin() - 0.15, place[1] * turn.cos() - place[0] * turn.sin());
        let rest = (0.36 - 0.0625 - across * across - side * side - place[2] * place[2]) / 0.5;
        let (e, f) = (-across, place[2]);
        f.atan2(e) + (rest / e.hypot(f)).acos()
    };
    let wanted = named(&["th[1]", "th[2]", "th[3]"], &[arm(0), arm(1), arm(2)]);
    Case { text: text.to_string(), given: named(&["x", "y", "z"], &place), wanted }
}

/// The pose of a Stewart platform with legs of given lengths: up to 40 solutions.
fn stewart(random: &mut Random) -> Case {
    let mut text = "coord x, y, z, a, b, c, l[1..6]\n\
        kinetic (x'^2 + y'^2 + z'^2 + a'^2 + b'^2 + c'^2)/2 + sum(i in 1..6, l[i]'^2)/2\n\
        let ex = (cos(a)*cos(b), sin(a)*cos(b), -sin(b))\n\
        let ey = (cos(a)*sin(b)*sin(c) - sin(a)*cos(c), sin(a)*sin(b)*sin(c) + cos(a)*cos(c), cos(b)*sin(c))\n"
        .to_string();
    let mut between = |size: f64| random.uniform(-size, size);
    let pose = [between(0.1), between(0.1), 0.8 + between(0.1), between(0.3), between(0.3), between(0.3)];
    let [(sa, ca), (sb, cb), (sc, cc)] = [3, 4, 5].map(|i: usize| pose[i].sin_cos());
    let ex = [ca * cb, sa * cb, -sb];
    let ey = [ca * sb * sc - sa * cc, sa * sb * sc + ca * cc, cb * sc];
    let mut given = Vec::new();
    let angles = [(10.0f64, 50.0f64), (110.0, 70.0), (130.0, 170.0), (230.0, 190.0), (250.0, 290.0), (350.0, 310.0)];
    for (i, (base, top)) in angles.into_iter().enumerate() {
        let (base, top) = (base.to_radians().sin_cos(), top.to_radians().sin_cos());
        let (base, top) = ([0.5 * base.1, 0.5 * base.0, 0.0], [0.3 * top.1, 0.3 * top.0]);
        let leg = |k: usize| pose[k] + top[0] * ex[k] + top[1] * ey[k] - base[k];
        given.push((format!("l[{}]", i + 1), (0..3).map(|k| leg(k).powi(2)).sum::<f64>().sqrt()));
        let i = i + 1;
        text += &format!(
            "let d{i} = (x, y, z) + ({:?})*ex + ({:?})*ey - ({:?}, {:?}, 0)\nconstraint leg{i}: dot(d{i}, d{i}) = l[{i}]^2\n",
            top[0], top[1], base[0], base[1]
        );
    }
    Case { text, given, wanted: named(&["x", "y", "z", "a", "b", "c"], &pose) }
}

/// Finds the start with guesses for some of what is wanted, `away` from it; the distance from the guesses, and from the solution.
fn distances(case: &Case, guessed: usize, away: f64, random: &mut Random) -> (f64, f64) {
    let directions: Vec<f64> = (0..guessed).map(|_| random.uniform(-1.0, 1.0)).collect();
    let length = directions.iter().map(|x| x * x).sum::<f64>().sqrt();
    let guesses: Vec<f64> = case.wanted.iter().zip(&directions).map(|((_, x), d)| x + away * d / length).collect();
    let given = case.given.iter().map(|(name, x)| format!("{name} = {x:?}"));
    let guessed = case.wanted.iter().zip(&guesses).map(|((name, _), x)| format!("{name} ~ {x:?}"));
    let start: Vec<String> = given.chain(guessed).collect();
    let (report, _) = checked(&format!("{}start {}\n", case.text, start.join(", ")));
    let found = |name: &str| report.coordinates.iter().find(|c| c.name == name).map_or(f64::NAN, |c| c.position);
    let off = |targets: &[f64]| {
        let each = case.wanted.iter().zip(targets).map(|((name, _), target)| (found(name) - target).powi(2));
        each.sum::<f64>().sqrt()
    };
    let wanted: Vec<f64> = case.wanted.iter().map(|(_, x)| *x).collect();
    (off(&guesses), off(&wanted))
}

#[test]
fn the_solution_beside_the_guesses_is_found() {
    for mechanism in [four_bar, slider_crank, delta, stewart] {
        let mut random = seeded(11);
        for away in [1e-3, 1e-2, 0.1] {
            for _ in 0..5 {
                let case = mechanism(&mut random);
                let (_, off) = distances(&case, case.wanted.len(), away, &mut random);
                assert!(off < 1e-9, "{}: {away} away, {off} off", case.text);
            }
        }
    }
}

/// What nobody knows does not lead guesses astray.
#[test]
fn a_guess_for_some_chooses_for_all() {
    for mechanism in [four_bar, slider_crank, delta, stewart] {
        let mut random = seeded(12);
        for away in [1e-3, 1e-2] {
            for _ in 0..5 {
                let case = mechanism(&mut random);
                let (off, _) = distances(&case, 1, away, &mut random);
                assert!(off <= away * 1.001, "{}: {off} from a guess that is {away} away", case.text);
            }
        }
    }
}

/// Guesses that are far from every solution: the nearest is taken, which is never turns away.
#[test]
fn of_far_solutions_the_nearest_is_taken() {
    let text = "coord a, b, x\nkinetic (a'^2 + b'^2 + x'^2)/2\nconstraint on: x = cos(a) + cos(b)\nconstraint c: sin(a) = sin(2*b)\n";
    for guess in [[0.05, 3.0], [1.57, 1.57], [-2.0, 0.3], [0.4, -2.5]] {
        let (report, _) = checked(&format!("{text}start x = 0.2, a ~ {}, b ~ {}\n", guess[0], guess[1]));
        // a = 2b or a = π − 2b, up to turns: cos b is a root of 2c² + c = 1.2 or of 2c² − c = 0.8.
        let (pi, turn) = (std::f64::consts::PI, std::f64::consts::TAU);
        let mut nearest = f64::INFINITY;
        let roots = [
            ((10.6f64.sqrt() - 1.0) / 4.0, false),
            ((1.0 + 7.4f64.sqrt()) / 4.0, true),
            ((1.0 - 7.4f64.sqrt()) / 4.0, true),
        ];
        for (c, other) in roots {
            for b in [c.acos(), -c.acos()] {
                let a = if other { pi - 2.0 * b } else { 2.0 * b };
                let apart = |x: f64, guess: f64| x - guess - turn * ((x - guess) / turn).round();
                nearest = nearest.min(apart(a, guess[0]).hypot(apart(b, guess[1])));
            }
        }
        let found = (report.start.positions[0] - guess[0]).hypot(report.start.positions[1] - guess[1]);
        assert!(found <= 1.15 * nearest, "{guess:?}: {:?} is {found} away, not {nearest}", report.start);
    }
}

/// A guess half way between two solutions chooses none: that is said, with the other one.
#[test]
fn a_guess_as_near_to_two_solutions_is_a_warning() {
    let circle = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x^2 + y^2 = 1\n";
    let (_, diagnostics) = checked(&format!("{circle}start x = 0.6, y ~ 0\n"));
    assert_eq!(diagnostics.iter().map(|message| message.code).collect::<Vec<_>>(), ["start-branch"]);
    assert!(diagnostics[0].notes[0].contains("0.8"), "{diagnostics:#?}");
    for guess in [-0.1, 0.1, 0.7] {
        let (report, diagnostics) = checked(&format!("{circle}start x = 0.6, y ~ {guess}\n"));
        assert!(diagnostics.is_empty() && (report.start.positions[1] - 0.8 * f64::signum(guess)).abs() < 1e-12);
    }
}
