//! Twelve coupled contacts with an answer that was chosen first: too many to try everything in fractions.

use super::super::certify::Effect;
use super::super::{Answer, Friction, Load, Member, Mode, Problem, Verdict, solve};
use super::random::{Dice, thoroughness};

const CONTACTS: usize = 12;

/// Draws what every contact does, its force and its motion, and then the y0 and l0 for which this is an answer.
fn plant(dice: &mut Dice, coupling: f64, extra: f64) -> (Problem, Vec<f64>, Vec<bool>) {
    let n = CONTACTS;
    let freedom = [8, 14, 20][dice.below(3)];
    let rows: Vec<Vec<f64>> = (0..n).map(|_| (0..freedom).map(|_| dice.whole(20) as f64 / 10.0).collect()).collect();
    let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut problem = Problem { unknowns: n, ..Problem::default() };
    problem.response = rows.iter().flat_map(|a| rows.iter().map(|b| inner(a, b)).collect::<Vec<_>>()).collect();
    problem.load_response = (0..n * n).map(|_| dice.whole(100) as f64 / 100.0 * coupling).collect();
    let (mut forces, mut motion, mut sticks, mut normals) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for at in 0..n {
        let coefficient = 0.1 + dice.below(10) as f64 / 10.0;
        let normal = 1.0 + dice.below(10) as f64;
        let friction = Friction {
            at,
            components: 1,
            load: Load::Magnitude(at..at + 1),
            sliding: None,
            constant: 0.0,
            coefficient,
            limit_constant: 0.0,
            limit: coefficient + extra,
        };
        let sign = if dice.chance(50) { 1.0 } else { -1.0 };
        let does_stick = dice.chance(50);
        let share = if does_stick { dice.below(10) as f64 / 10.0 } else { 1.0 };
        forces.push(-sign * share * coefficient * normal);
        motion.push(if does_stick { 0.0 } else { sign * (1.0 + dice.below(9) as f64) });
        sticks.push(does_stick);
        normals.push(if dice.chance(50) { normal } else { -normal });
        problem.members.push(Member::Friction(friction));
    }
    for i in 0..n {
        problem.motion.push(motion[i] - inner(&problem.response[i * n..][..n], &forces));
        problem.load.push(normals[i] - inner(&problem.load_response[i * n..][..n], &forces));
    }
    problem.motion_size = problem.motion.iter().map(|v| v.abs()).collect();
    problem.load_size = problem.load.iter().map(|v| v.abs()).collect();
    (problem, motion, sticks)
}

fn moves_like(problem: &Problem, answer: &Answer, motion: &[f64]) -> bool {
    let effect = Effect::of(problem, &answer.forces);
    effect.motion.iter().zip(motion).all(|(a, b)| (a - b).abs() <= 1e-8)
}

/// Loads that friction does not change: the planted motion is the only one.
#[test]
fn planted_motions_with_given_loads() {
    let mut dice = Dice(21);
    for _ in 0..60 * thoroughness() {
        let (problem, motion, _) = plant(&mut dice, 0.0, 0.0);
        let verdict = solve(&problem);
        let Verdict::One(answer) = &verdict else { panic!("{verdict:?} of {problem:?}") };
        assert!(moves_like(&problem, answer, &motion), "{answer:?} is not {motion:?}");
    }
}

/// Coupled loads and higher limits: the planted motion is found, or one that sticks in more contacts.
#[test]
fn planted_motions_with_coupled_loads() {
    let mut dice = Dice(22);
    for _ in 0..6 * thoroughness() {
        let (coupling, extra) = ([0.05, 0.2][dice.below(2)], [0.0, 0.3][dice.below(2)]);
        let (problem, motion, sticks) = plant(&mut dice, coupling, extra);
        let verdict = solve(&problem);
        let answers = match &verdict {
            Verdict::One(answer) => std::slice::from_ref(answer),
            Verdict::Several(answers) => answers,
            _ => panic!("{verdict:?} of {problem:?}"),
        };
        let is_listed = answers.iter().any(|a| moves_like(&problem, a, &motion));
        let is_inferior = answers.iter().any(|a| sticks.iter().zip(&a.modes).all(|(s, m)| !s || *m == Mode::Sticks));
        assert!(is_listed || is_inferior || answers.len() == Verdict::LISTED, "{verdict:?} of {problem:?}");
    }
}
