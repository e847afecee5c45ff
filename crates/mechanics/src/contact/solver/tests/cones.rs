//! Friction in two and three components: conditions held against formulas of their own, and single contacts against a scan of all directions.

use std::f64::consts::TAU;

use super::super::{Answer, Friction, Load, Member, Mode, Problem, Verdict, solve};
use super::random::{Dice, thoroughness};

fn number(dice: &mut Dice, most: f64) -> f64 {
    dice.whole(1000) as f64 * most / 1000.0
}

/// Contacts on a body with some degrees of freedom; loads that depend on forces by `coupling`.
fn draw(dice: &mut Dice, contacts: usize, components: usize, freedom: usize, coupling: f64, extra: f64) -> Problem {
    let n = contacts * components;
    let rows: Vec<Vec<f64>> = (0..n).map(|_| (0..freedom).map(|_| number(dice, 2.0)).collect()).collect();
    let pull: Vec<f64> = (0..freedom).map(|_| number(dice, 8.0)).collect();
    let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let motion: Vec<f64> = rows.iter().map(|r| inner(r, &pull)).collect();
    let response = rows.iter().flat_map(|a| rows.iter().map(|b| inner(a, b)).collect::<Vec<_>>()).collect();
    let load: Vec<f64> = (0..contacts).map(|_| number(dice, 5.0)).collect();
    let members = (0..contacts).map(|k| {
        let mu = 0.2 + dice.below(10) as f64 / 10.0;
        Member::Friction(Friction {
            at: k * components,
            components,
            load: if dice.chance(50) { Load::Positive(k) } else { Load::Magnitude(k..k + 1) },
            sliding: None,
            constant: 0.0,
            coefficient: mu,
            limit_constant: 0.0,
            limit: mu + extra,
        })
    });
    let members = members.collect();
    Problem {
        unknowns: n,
        motion_size: motion.iter().map(|v| v.abs()).collect(),
        motion,
        response,
        load_size: load.iter().map(|v| v.abs()).collect(),
        load,
        load_response: (0..contacts * n).map(|_| number(dice, coupling)).collect(),
        members,
    }
}

/// Largest violation of the laws by an answer, written down once more.
fn violation(problem: &Problem, answer: &Answer) -> f64 {
    let n = problem.unknowns;
    let x = &answer.forces;
    let mut most = 0.0_f64;
    for (member, mode) in problem.members.iter().zip(&answer.modes) {
        let Member::Friction(f) = member else { continue };
        let value = |row: &[f64], start: f64| start + row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
        let load = |r: usize| value(&problem.load_response[r * n..][..n], problem.load[r]);
        let normal = match &f.load {
            Load::Positive(r) => load(*r).max(0.0),
            Load::Magnitude(r) => r.clone().map(|r| load(r).powi(2)).sum::<f64>().sqrt(),
            Load::Own(at) => x[*at],
        };
        let y: Vec<f64> =
            (f.at..f.at + f.components).map(|i| value(&problem.response[i * n..][..n], problem.motion[i])).collect();
        let force = &x[f.at..f.at + f.components];
        let length = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
        most = most.max(match mode {
            Mode::Sticks => length(&y).max(length(force) - f.limit_constant - f.limit * normal),
            _ => {
                let magnitude = f.constant + f.coefficient * normal;
                let share = magnitude / length(&y);
                let misses: Vec<f64> = force.iter().zip(&y).map(|(x, y)| x + share * y).collect();
                // Of a slow slip the direction is known only to the rounding of the slip.
                length(&misses) - magnitude * 1e-10 / length(&y)
            }
        });
    }
    most
}

fn answers(verdict: &Verdict) -> Vec<&Answer> {
    match verdict {
        Verdict::One(answer) | Verdict::Undecided(Some(answer)) => vec![answer],
        Verdict::Several(answers) => answers.iter().collect(),
        _ => vec![],
    }
}

/// Loads that friction does not change and equal limits: there is exactly one motion, also where G is singular.
#[test]
fn given_loads_have_one_motion() {
    let mut dice = Dice(5);
    for _ in 0..200 * thoroughness() {
        let (contacts, components) = (1 + dice.below(4), 2 + dice.below(2));
        let freedom = 1 + dice.below(8);
        let problem = draw(&mut dice, contacts, components, freedom, 0.0, 0.0);
        let verdict = solve(&problem);
        let Verdict::One(answer) = &verdict else { panic!("{verdict:?} of {problem:?}") };
        let most = violation(&problem, answer);
        assert!(most < 1e-9, "{most} in {answer:?} of {problem:?}");
    }
}

/// Loads that friction changes a little, and limits above the force of sliding: an answer, certified, and nearly always proved.
#[test]
fn coupled_loads_and_higher_limits() {
    let mut dice = Dice(6);
    let (mut undecided, count) = (0, 100 * thoroughness());
    for _ in 0..count {
        let (contacts, extra) = (1 + dice.below(3), [0.0, 0.3][dice.below(2)]);
        let problem = draw(&mut dice, contacts, 2, 2 * contacts + 1, 0.1, extra);
        let verdict = solve(&problem);
        assert!(!answers(&verdict).is_empty(), "{verdict:?} of {problem:?}");
        let most = answers(&verdict).iter().map(|a| violation(&problem, a)).fold(0.0, f64::max);
        assert!(most < 1e-9, "{most} in {verdict:?} of {problem:?}");
        undecided += usize::from(matches!(verdict, Verdict::Undecided(_)));
    }
    println!("{undecided} of {count} undecided");
    assert!(undecided * 20 <= count, "{undecided} of {count} undecided");
}

/// The slides of one contact with two components, by the sign of slip across the direction, over all directions.
fn slides(problem: &Problem) -> usize {
    let Member::Friction(f) = &problem.members[0] else { return 0 };
    let g = &problem.response;
    let steps = 20_000;
    // For a direction d and a sign of the load, F = −m d with m = µ N, N = σ(l0 − m L·d), and the slip that follows.
    let slip = |angle: f64, sigma: f64| -> Option<(f64, f64)> {
        let d = [angle.cos(), angle.sin()];
        let l = problem.load_response[0] * d[0] + problem.load_response[1] * d[1];
        let normal = sigma * problem.load[0] / (1.0 + sigma * f.coefficient * l);
        if sigma != 0.0 && normal < 0.0 || sigma == 0.0 && problem.load[0] > 0.0 {
            return None;
        }
        let m = f.coefficient * normal;
        let y = [0, 1].map(|i| problem.motion[i] - m * (g[2 * i] * d[0] + g[2 * i + 1] * d[1]));
        Some((d[0] * y[1] - d[1] * y[0], d[0] * y[0] + d[1] * y[1]))
    };
    let signs: &[f64] = if matches!(f.load, Load::Positive(_)) { &[1.0, 0.0] } else { &[1.0, -1.0] };
    let mut count = 0;
    for &sigma in signs {
        for k in 0..steps {
            let angle = |k: usize| TAU * (k as f64 + 0.5) / steps as f64;
            let (mut low, mut high) = (angle(k), angle(k + 1));
            let (Some((a, _)), Some((b, _))) = (slip(low, sigma), slip(high, sigma)) else { continue };
            if a * b >= 0.0 {
                continue;
            }
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                match slip(middle, sigma) {
                    Some((c, _)) if c * a > 0.0 => low = middle,
                    _ => high = middle,
                }
            }
            // A jump through infinity, where the load does, is no zero.
            let is_zero = |(across, along): (f64, f64)| across.abs() <= 1e-6 * (1.0 + along) && along > 0.0;
            count += usize::from(slip(low, sigma).is_some_and(is_zero));
        }
    }
    count
}

/// One contact whose load depends on its friction as it likes: no answer is missed, none is invented.
#[test]
fn one_contact_against_all_directions() {
    let mut dice = Dice(8);
    let (mut undecided, count) = (0, 150 * thoroughness());
    for _ in 0..count {
        let problem = draw(&mut dice, 1, 2, 3, 2.0, 0.0);
        let verdict = solve(&problem);
        let found = answers(&verdict);
        let most = found.iter().map(|a| violation(&problem, a)).fold(0.0, f64::max);
        assert!(most < 1e-9, "{most} in {verdict:?} of {problem:?}");
        // Without a load both of its signs are the same answer.
        if found.iter().any(|a| a.modes[0] == Mode::Sticks) || problem.load[0] == 0.0 {
            continue;
        }
        let all = slides(&problem);
        match &verdict {
            Verdict::One(_) | Verdict::None | Verdict::Several(_) => {
                assert_eq!(found.len(), all, "{verdict:?} of {problem:?}")
            }
            Verdict::Undecided(_) => {
                undecided += 1;
                assert!(found.len() <= all, "{verdict:?} of {problem:?}");
            }
        }
    }
    println!("{undecided} of {count} undecided");
    assert!(undecided * 10 <= count, "{undecided} of {count} undecided");
}

/// The load of a bead on a curve in space is the norm of two reactions: F = −µ|l| with l = l0 + L F.
#[test]
fn a_load_of_two_rows() {
    for (along, expected) in [(0.1, false), (0.9, true)] {
        let mut contact = Friction {
            at: 0,
            components: 1,
            load: Load::Magnitude(0..2),
            sliding: None,
            constant: 0.0,
            coefficient: 0.2,
            limit_constant: 0.0,
            limit: 0.2,
        };
        let mut problem = Problem {
            unknowns: 1,
            motion: vec![along],
            motion_size: vec![along],
            response: vec![1.0],
            load: vec![3.0, 0.0],
            load_size: vec![3.0, 1.0],
            load_response: vec![0.0, 0.5],
            members: vec![Member::Friction(contact.clone())],
        };
        let verdict = solve(&problem);
        let Verdict::One(answer) = &verdict else { panic!("{verdict:?}") };
        // m² = µ² (9 + m²/4).
        let m = (0.04 * 9.0 / (1.0 - 0.01_f64)).sqrt();
        assert_eq!(matches!(answer.modes[0], Mode::Slides(_)), expected);
        assert!((answer.forces[0] + if expected { m } else { along }).abs() < 1e-12, "{answer:?}");
        contact.sliding = Some([-1.0, 0.0, 0.0]);
        problem.members = vec![Member::Friction(contact)];
        let verdict = solve(&problem);
        let Verdict::One(answer) = &verdict else { panic!("{verdict:?}") };
        assert!((answer.forces[0] - m).abs() < 1e-12, "{answer:?}");
    }
}
