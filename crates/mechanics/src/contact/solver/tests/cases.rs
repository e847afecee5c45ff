//! Mechanisms whose answers can be worked out by hand.

use super::super::{Friction, Load, Member, Mode, Problem, Verdict, solve};
use super::random::Dice;

/// Coulomb friction with equal limits.
fn coulomb(at: usize, components: usize, load: Load, mu: f64) -> Friction {
    Friction { at, components, load, sliding: None, constant: 0.0, coefficient: mu, limit_constant: 0.0, limit: mu }
}

/// Sizes from the data, for problems written by hand.
fn sized(mut problem: Problem) -> Problem {
    problem.motion_size = problem.motion.iter().map(|v| v.abs()).collect();
    problem.load_size = problem.load.iter().map(|v| v.abs()).collect();
    problem
}

fn one(verdict: Verdict) -> super::super::Answer {
    match verdict {
        Verdict::One(answer) => answer,
        other => panic!("{other:?}"),
    }
}

fn close(a: &[f64], b: &[f64]) {
    let size = b.iter().fold(1.0, |m: f64, v| m.max(v.abs()));
    assert!(a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-11 * size), "{a:?} is not {b:?}");
}

/// Blocks of mass 1 on a table with friction µ N, N constant, pulled by some forces.
fn blocks(pulls: &[f64], mu: f64, weight: f64) -> Problem {
    let n = pulls.len();
    let mut response = vec![0.0; n * n];
    (0..n).for_each(|k| response[k * n + k] = 1.0);
    sized(Problem {
        unknowns: n,
        motion: pulls.to_vec(),
        response,
        load: vec![weight; n],
        load_response: vec![0.0; n * n],
        members: (0..n).map(|k| Member::Friction(coulomb(k, 1, Load::Magnitude(k..k + 1), mu))).collect(),
        ..Problem::default()
    })
}

/// 6, 40 and 200 blocks side by side: each sticks up to its limit and slides beyond.
#[test]
fn independent_blocks() {
    for count in [1, 6, 40, 200] {
        let pulls: Vec<f64> = (0..count).map(|k| [0.0, 2.0, -7.0, 4.0, -4.0, 9.0][k % 6]).collect();
        let answer = one(solve(&blocks(&pulls, 0.4, 10.0)));
        close(&answer.forces, &pulls.iter().map(|p| -p.clamp(-4.0, 4.0)).collect::<Vec<_>>());
        for (pull, mode) in pulls.iter().zip(&answer.modes) {
            // Exactly at the limit: it sticks.
            let expected = if pull.abs() <= 4.0 { Mode::Sticks } else { Mode::Slides([pull.signum(), 0.0, 0.0]) };
            assert_eq!(*mode, expected);
        }
        assert!(!answer.is_shared);
    }
}

/// A limit above the force of sliding: at rest up to the limit, even where sliding would be possible, too.
#[test]
fn rest_is_kept_up_to_the_limit() {
    let mut problem = blocks(&[4.5, 5.0, 5.1], 0.4, 10.0);
    for member in &mut problem.members {
        if let Member::Friction(f) = member {
            f.limit = 0.5;
        }
    }
    let answer = one(solve(&problem));
    close(&answer.forces, &[-4.5, -5.0, -4.0]);
}

/// Blocks in a stack, relative slip between neighbours: y_k = a_k − a_(k+1), G tridiagonal, loads the weight above.
///
/// The bottom one is pulled by `pull`: all move together below the limits. Only the lowest interface has to carry the most.
fn stack(count: usize, pull: f64, mu: f64) -> Problem {
    let n = count;
    // Block k has mass 1; interface k is between block k and k + 1, the last between the lowest block and the table.
    let mut response = vec![0.0; n * n];
    for k in 0..n {
        response[k * n + k] = if k + 1 < n { 2.0 } else { 1.0 };
        if k + 1 < n {
            response[k * n + k + 1] = -1.0;
            response[(k + 1) * n + k] = -1.0;
        }
    }
    let mut motion = vec![0.0; n];
    motion[0] = pull;
    sized(Problem {
        unknowns: n,
        motion,
        response,
        load: (0..n).map(|k| 10.0 * (k + 1) as f64).collect(),
        load_response: vec![0.0; n * n],
        members: (0..n).map(|k| Member::Friction(coulomb(k, 1, Load::Positive(k), mu))).collect(),
        ..Problem::default()
    })
}

/// The top block of forty is pulled: with 3 < µ·10 nothing moves and every interface carries the pull; with 7 the top one slides.
#[test]
fn forty_stacked_blocks() {
    let answer = one(solve(&stack(40, 3.0, 0.5)));
    close(&answer.forces, &[-3.0; 40]);
    let answer = one(solve(&stack(40, 7.0, 0.5)));
    close(&answer.forces, &[-5.0; 40]);
    assert_eq!(answer.modes[0], Mode::Slides([1.0, 0.0, 0.0]));
    assert!(answer.modes[1..].iter().all(|m| *m == Mode::Sticks));
}

/// Painlevé's rod: the load is N = l0 + p F, F = ∓µ|N| while it slides. For |µ p| > 1 there are two answers or none; below one.
#[test]
fn painleve() {
    let rod = |l0: f64, p: f64, mu: f64, load: fn(usize) -> Load| {
        let mut contact = coulomb(0, 1, load(0), mu);
        contact.sliding = Some([1.0, 0.0, 0.0]);
        sized(Problem {
            unknowns: 1,
            motion: vec![0.0],
            response: vec![1.0],
            load: vec![l0],
            load_response: vec![p],
            members: vec![Member::Friction(contact)],
            ..Problem::default()
        })
    };
    let magnitude = |row: usize| Load::Magnitude(row..row + 1);
    // N = |1 − p µ N|: 1/(1 + p µ), and 1/(p µ − 1) where that is positive.
    close(&one(solve(&rod(1.0, 0.5, 1.0, magnitude))).normals, &[1.0 / 1.5]);
    let Verdict::Several(answers) = solve(&rod(1.0, 2.0, 1.0, magnitude)) else { panic!("two answers") };
    let mut loads: Vec<f64> = answers.iter().map(|a| a.normals[0]).collect();
    loads.sort_by(f64::total_cmp);
    close(&loads, &[1.0 / 3.0, 1.0]);
    // N = max(1 + 2 N, 0) has no solution; N = max(−1 + 2 N, 0) has 0 and 1.
    assert!(matches!(solve(&rod(1.0, -2.0, 1.0, Load::Positive)), Verdict::None));
    let Verdict::Several(answers) = solve(&rod(-1.0, -2.0, 1.0, Load::Positive)) else { panic!("two answers") };
    assert_eq!(answers.len(), 2);
    // N = |1 + 2 N| has none either: N = −1 and N = −1/3.
    assert!(matches!(solve(&rod(1.0, -2.0, 1.0, magnitude)), Verdict::None));
}

/// A table on four legs with friction in two components, pulled along (3, 4)/5 by `pull`. The legs share the weight 40 in one unknown way.
fn table(pull: f64, mu: f64, components: usize, direction: [f64; 3], one_sided: bool) -> Problem {
    let friction = 4 * components;
    let n = friction + if one_sided { 4 } else { 1 };
    let mut problem = Problem { unknowns: n, motion: vec![0.0; n], response: vec![0.0; n * n], ..Problem::default() };
    for leg in 0..4 {
        for (k, part) in direction.iter().enumerate().take(components) {
            let at = leg * components + k;
            problem.motion[at] = pull * part;
            (0..4).for_each(|other| problem.response[at * n + other * components + k] = 1.0);
        }
        let load = if one_sided { Load::Own(friction + leg) } else { Load::Magnitude(leg..leg + 1) };
        problem.members.push(Member::Friction(coulomb(leg * components, components, load, mu)));
    }
    if one_sided {
        // Normal directions of a body with unit inertia: up, and tilting along the two sides.
        let rows = [[1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, -1.0], [1.0, -1.0, 1.0]];
        for (i, a) in rows.iter().enumerate() {
            problem.motion[friction + i] = -40.0;
            for (j, b) in rows.iter().enumerate() {
                problem.response[(friction + i) * n + friction + j] = a.iter().zip(b).map(|(a, b)| a * b).sum();
            }
            problem.members.push(Member::OneSided { at: friction + i });
        }
    } else {
        problem.load = vec![10.0; 4];
        problem.load_response = vec![0.0; 4 * n];
        (0..4).for_each(|leg| problem.load_response[leg * n + n - 1] = if leg % 2 == 0 { 1.0 } else { -1.0 });
        problem.members.push(Member::Open { at: n - 1 });
    }
    sized(problem)
}

/// Below µ·40 it rests, beyond it all legs slide along the pull, and the motion is unique though the forces are not.
#[test]
fn four_legged_table() {
    for one_sided in [false, true] {
        for (components, direction) in [(1, [1.0, 0.0, 0.0]), (2, [0.6, 0.8, 0.0])] {
            let total = |pull: f64| {
                let answer = one(solve(&table(pull, 0.5, components, direction, one_sided)));
                let sum: Vec<f64> =
                    (0..components).map(|k| (0..4).map(|leg| answer.forces[leg * components + k]).sum()).collect();
                assert!(answer.is_shared, "pull {pull}");
                (sum, answer)
            };
            let (sum, answer) = total(15.0);
            close(&sum, &(0..components).map(|k| -15.0 * direction[k]).collect::<Vec<_>>());
            assert!(answer.modes[..4].iter().all(|m| *m == Mode::Sticks));
            let (sum, answer) = total(25.0);
            close(&sum, &(0..components).map(|k| -20.0 * direction[k]).collect::<Vec<_>>());
            assert!(answer.modes[..4].iter().all(|m| matches!(m, Mode::Slides(_))));
        }
    }
}

/// One contact with a slip of two components: F = −µ N y/|y| where G is not a multiple of the identity.
#[test]
fn a_cone_in_two_and_three_components() {
    for components in [2, 3] {
        let n = components;
        let mut response = vec![0.0; n * n];
        response[0] = 1.0;
        response[n + 1] = 4.0;
        response[1] = 0.5;
        response[n] = 0.5;
        let mut motion = vec![0.0; n];
        motion[0] = 3.0;
        motion[1] = -2.0;
        let contact = coulomb(0, components, Load::Magnitude(0..1), 0.1);
        let problem = sized(Problem {
            unknowns: n,
            motion: motion.clone(),
            response: response.clone(),
            load: vec![10.0],
            load_response: vec![0.0; n],
            members: vec![Member::Friction(contact)],
            ..Problem::default()
        });
        let answer = one(solve(&problem));
        let x = &answer.forces;
        let y: Vec<f64> = (0..n).map(|i| motion[i] + (0..n).map(|j| response[i * n + j] * x[j]).sum::<f64>()).collect();
        let speed = y.iter().map(|v| v * v).sum::<f64>().sqrt();
        close(x, &y.iter().map(|v| -v / speed).collect::<Vec<_>>());
        // With ten times the load it sticks: G F = −y0, and no force in the direction that cannot slip.
        let answer = one(solve(&Problem { load: vec![100.0], load_size: vec![100.0], ..problem }));
        let determinant = 4.0 - 0.25;
        close(&answer.forces[..2], &[-(3.0 * 4.0 + 2.0 * 0.5) / determinant, (3.0 * 0.5 + 2.0) / determinant]);
        assert!(answer.forces[2..].iter().all(|v| *v == 0.0));
    }
}

/// The same contact twice: the forces share the limit, and the motion is that of one with both.
#[test]
fn a_repeated_contact() {
    let mut problem = blocks(&[6.0, 6.0], 0.4, 10.0);
    problem.response = vec![1.0; 4];
    let answer = one(solve(&problem));
    assert!((answer.forces.iter().sum::<f64>() + 6.0).abs() < 1e-12 && answer.is_shared);
    let answer = one(solve(&Problem { motion: vec![9.0; 2], motion_size: vec![9.0; 2], ..problem }));
    close(&answer.forces, &[-4.0, -4.0]);
    assert!(!answer.is_shared);
}

/// A block on a floor that only pushes: it rests, slides or lifts.
#[test]
fn a_block_on_a_floor_that_only_pushes() {
    let block = |up: f64, along: f64| {
        sized(Problem {
            unknowns: 2,
            motion: vec![up, along],
            response: vec![1.0, 0.0, 0.0, 1.0],
            members: vec![Member::OneSided { at: 0 }, Member::Friction(coulomb(1, 1, Load::Own(0), 0.5))],
            ..Problem::default()
        })
    };
    let answer = one(solve(&block(-10.0, 4.0)));
    close(&answer.forces, &[10.0, -4.0]);
    assert_eq!(answer.modes, [Mode::Pushes, Mode::Sticks]);
    close(&one(solve(&block(-10.0, -6.0))).forces, &[10.0, 5.0]);
    let answer = one(solve(&block(2.0, 4.0)));
    assert_eq!(answer.modes, [Mode::Open, Mode::Slides([1.0, 0.0, 0.0])]);
    close(&answer.forces, &[0.0, 0.0]);
}

/// Twelve contacts, every one coupled to every other: one motion, found and proved, whatever the directions of pulls.
#[test]
fn twelve_coupled_contacts() {
    let mut dice = Dice(12);
    for _ in 0..20 {
        let n = 12;
        let rows: Vec<Vec<f64>> = (0..n).map(|_| (0..n).map(|_| dice.whole(3) as f64).collect()).collect();
        let mut problem = blocks(&(0..n).map(|_| dice.whole(40) as f64).collect::<Vec<_>>(), 0.3, 5.0);
        for i in 0..n {
            for j in 0..n {
                problem.response[i * n + j] = rows[i].iter().zip(&rows[j]).map(|(a, b)| a * b).sum();
            }
        }
        one(solve(&problem));
    }
}

/// Data that make no sense are no answer, and no panic.
#[test]
fn nonsense_is_undecided() {
    let mut problem = blocks(&[1.0], 0.1, 1.0);
    problem.motion[0] = f64::NAN;
    assert!(matches!(solve(&problem), Verdict::Undecided(None)));
    assert!(matches!(solve(&Problem { unknowns: 1, ..Problem::default() }), Verdict::Undecided(None)));
    assert!(matches!(solve(&Problem::default()), Verdict::One(_)));
}

/// Blocks of mass 1 and weight 10 on each other, one of them pulled, with limits of rest above the force of sliding: with a pull of p µₛ times the weight
/// from block j on, p > 1, these go together with p µₛ g − µₖ g, and it is proved that nothing
/// else is possible, however many there are. Where what is pulled could slide below the next block as well, there would be two motions.
#[test]
fn high_stacks_with_limits_above_sliding() {
    let (mu_k, mu_s) = (0.3, 0.5);
    for (count, j, part) in [(3, 2, 1.1), (14, 13, 1.15), (40, 39, 1.1), (40, 0, 1.5), (60, 30, 0.9)] {
        let weight = |k: usize| 10.0 * (count - k) as f64;
        let pull = part * mu_s * weight(j);
        let mut problem = Problem { unknowns: count, ..Problem::default() };
        for k in 0..count {
            let below = |i: usize| if i == k { 1.0 } else { 0.0 } - if i + 1 == k { 1.0 } else { 0.0 };
            problem.motion.push(pull * below(j));
            // F of a contact pushes the block above it, and the one below back.
            problem.response.extend((0..count).map(|i| below(i) - if i > 0 { below(i - 1) } else { 0.0 }));
            problem.load.push(weight(k));
            problem
                .members
                .push(Member::Friction(Friction { limit: mu_s, ..coulomb(k, 1, Load::Magnitude(k..k + 1), mu_k) }));
        }
        problem.load_response = vec![0.0; count * count];
        let answer = one(solve(&sized(problem)));
        let a = if part > 1.0 { (part * mu_s - mu_k) * 10.0 } else { 0.0 };
        // Block k goes with a if it is not below j: its contact carries what is above it.
        let exact: Vec<f64> =
            (0..count).map(|k| (count - k.max(j)) as f64 * a - if k <= j { pull } else { 0.0 }).collect();
        close(&answer.forces, &exact);
        let slides = |k: usize| matches!(answer.modes[k], Mode::Slides(_));
        assert!((0..count).all(|k| slides(k) == (part > 1.0 && k == j)), "{:?}", answer.modes);
    }
}
