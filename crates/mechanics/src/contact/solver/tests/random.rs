//! Random problems with small fractions against all answers in exact arithmetic.

use super::super::certify::Effect;
use super::super::{Friction, Load, Member, Problem, Verdict, solve};
use super::exact::{Exact, ONE, Piece, Pull, Q, Truth, ZERO, q};

/// Pseudo-random numbers: the same on every machine.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33
    }
    pub(super) fn below(&mut self, n: u64) -> usize {
        (self.next() % n) as usize
    }
    pub(super) fn whole(&mut self, most: i128) -> i128 {
        self.below(2 * most as u64 + 1) as i128 - most
    }
    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
}

/// A problem with some contacts. Rows of the contacts act on few degrees of freedom now and then, so that G is singular.
pub(super) fn draw(dice: &mut Dice, contacts: usize) -> Exact {
    let has_own = dice.chance(40);
    let mut members = Vec::new();
    let mut rows = 0;
    let mut n = 0;
    let strength = [0, 1, 2, 8][dice.below(4)];
    for _ in 0..contacts {
        let coefficient = q(strength * dice.below(4) as i128, 4);
        let extra = if dice.chance(30) { q(1 + dice.below(3) as i128, 2) } else { ZERO };
        let constant = if dice.chance(30) { q(dice.below(3) as i128, 2) } else { ZERO };
        let sliding = dice.chance(35).then(|| if dice.chance(50) { ONE } else { -ONE });
        let own = has_own && dice.chance(70);
        let load = if own {
            members.push(Piece::OneSided(n));
            n += 1;
            Pull::Own(n - 1)
        } else if dice.chance(60) {
            Pull::Magnitude(rows)
        } else {
            Pull::Positive(rows)
        };
        if !own {
            rows += 1;
        }
        if !(own && dice.chance(20)) {
            members.push(Piece::Friction {
                at: n,
                load,
                sliding,
                constant,
                coefficient,
                limit_constant: constant,
                limit: coefficient + extra,
            });
            n += 1;
        }
    }
    let moving = n;
    if dice.chance(25) && rows > 1 {
        members.push(Piece::Open(n));
        n += 1;
    }
    if dice.chance(15) {
        rows += 1;
        members.push(Piece::Follows(n, rows - 1));
        n += 1;
    }
    // G = B Bᵀ and y0 = B a: what forces and accelerations do through rows B on unit masses.
    let freedom = if dice.chance(40) { 1 + dice.below(moving as u64) } else { moving + 1 };
    let sparse = dice.chance(40);
    let mut b: Vec<Vec<i128>> = (0..n)
        .map(|_| (0..freedom).map(|_| if sparse && dice.chance(60) { 0 } else { dice.whole(2) }).collect())
        .collect();
    if moving > 1 && dice.chance(20) {
        b[1] = b[0].clone();
    }
    let a: Vec<i128> = (0..freedom).map(|_| dice.whole(4)).collect();
    let consistent = dice.chance(90);
    let opens: Vec<usize> =
        members.iter().filter_map(|m| if let Piece::Open(at) = m { Some(*at) } else { None }).collect();
    let inner = |u: &[i128], v: &[i128]| u.iter().zip(v).map(|(u, v)| u * v).sum::<i128>();
    let y = (0..n)
        .map(|i| {
            let moves = |j: usize| !opens.contains(&i) && !opens.contains(&j);
            let y0 = if opens.contains(&i) {
                0
            } else if consistent {
                inner(&b[i], &a)
            } else {
                dice.whole(4)
            };
            (0..n).map(|j| q(if moves(j) { inner(&b[i], &b[j]) } else { 0 }, 1)).chain([q(y0, 1)]).collect()
        })
        .collect();
    let density = [0, 30, 100][dice.below(3)];
    let l = (0..rows)
        .map(|_| {
            let start = q(dice.whole(4), 1);
            let entry = |dice: &mut Dice, j: usize| {
                let chance = if opens.contains(&j) { 70 } else { density };
                if dice.chance(chance) { q(dice.whole(3), 2) } else { ZERO }
            };
            (0..n).map(|j| entry(dice, j)).collect::<Vec<Q>>().into_iter().chain([start]).collect()
        })
        .collect();
    Exact { n, y, l, members }
}

/// The same in doubles, with unknowns and loads in other units.
pub(super) fn rounded(exact: &Exact, units: &[f64], load_units: &[f64]) -> Problem {
    let n = exact.n;
    let mut problem = Problem { unknowns: n, ..Problem::default() };
    for (i, row) in exact.y.iter().enumerate() {
        problem.response.extend((0..n).map(|j| row[j].value() * units[i] * units[j]));
        problem.motion.push(row[n].value() * units[i]);
        problem.motion_size.push(row[n].value().abs() * units[i]);
    }
    for (r, row) in exact.l.iter().enumerate() {
        problem.load_response.extend((0..n).map(|j| row[j].value() * units[j] * load_units[r]));
        problem.load.push(row[n].value() * load_units[r]);
        problem.load_size.push(row[n].value().abs() * load_units[r]);
    }
    for member in &exact.members {
        problem.members.push(match member {
            Piece::Follows(at, row) => Member::Follows { at: *at, row: *row },
            Piece::Open(at) => Member::Open { at: *at },
            Piece::OneSided(at) => Member::OneSided { at: *at },
            Piece::Friction { at, load, sliding, constant, coefficient, limit_constant, limit } => {
                let (load, unit) = match load {
                    Pull::Own(at) => (Load::Own(*at), units[*at]),
                    Pull::Magnitude(r) => (Load::Magnitude(*r..*r + 1), 1.0 / load_units[*r]),
                    Pull::Positive(r) => (Load::Positive(*r), 1.0 / load_units[*r]),
                };
                let slope = |v: &Q| v.value() * unit / units[*at];
                Member::Friction(Friction {
                    at: *at,
                    components: 1,
                    load,
                    sliding: sliding.map(|s| [s.value(), 0.0, 0.0]),
                    constant: constant.value() / units[*at],
                    coefficient: slope(coefficient),
                    limit_constant: limit_constant.value() / units[*at],
                    limit: slope(limit),
                })
            }
        });
    }
    problem
}

/// What differs between the verdict and the truth.
pub(super) fn compare(problem: &Problem, verdict: &Verdict, truth: &Truth, units: &[f64]) -> Result<(), String> {
    let motion =
        |forces: &[f64]| Effect::of(problem, forces).motion.iter().zip(units).map(|(y, u)| y / u).collect::<Vec<f64>>();
    let same = |y: &[f64], exact: &[Q]| {
        let size = exact.iter().map(|v| v.value().abs()).fold(1.0, f64::max);
        y.iter().zip(exact).all(|(y, e)| (y - e.value()).abs() <= 1e-9 * size)
    };
    match (verdict, truth) {
        (Verdict::None, Truth::None) => Ok(()),
        (Verdict::One(answer), Truth::Motions(all)) if all.len() == 1 && same(&motion(&answer.forces), &all[0]) => {
            Ok(())
        }
        (Verdict::Several(answers), Truth::Motions(all)) if all.len() > 1 => {
            let found = all.iter().filter(|y| answers.iter().any(|a| same(&motion(&a.forces), y))).count();
            let are_right = answers.iter().all(|a| all.iter().any(|y| same(&motion(&a.forces), y)));
            if are_right && found == all.len().min(Verdict::LISTED) && answers.len() == found {
                return Ok(());
            }
            Err(format!("{} of {} motions, {} answers", found, all.len(), answers.len()))
        }
        (Verdict::Several(_), Truth::Continuum) => Ok(()),
        _ => Err(format!("{verdict:?} but {truth:?}")),
    }
}

/// Draws problems and compares; gives what went wrong.
fn sweep(seed: u64, count: usize, contacts: impl Fn(&mut Dice) -> usize, wild: bool) -> Vec<String> {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut wrong = Vec::new();
    let mut tally = [0; 4];
    for trial in 0..count {
        let contacts = contacts(&mut dice);
        let exact = draw(&mut dice, contacts);
        let truth = exact.truth();
        let mut unit = |most: i128| if wild { 10.0_f64.powi(dice.whole(most) as i32) } else { 1.0 };
        let mut units: Vec<f64> = (0..exact.n).map(|_| unit(8)).collect();
        let load_units: Vec<f64> = (0..exact.l.len()).map(|_| unit(8)).collect();
        for member in &exact.members {
            if let Piece::Follows(at, row) = member {
                units[*at] = 1.0 / load_units[*row];
            }
        }
        let problem = rounded(&exact, &units, &load_units);
        let verdict = solve(&problem);
        tally[match &truth {
            Truth::None => 0,
            Truth::Motions(all) if all.len() == 1 => 1,
            Truth::Motions(_) => 2,
            Truth::Continuum => 3,
        }] += 1;
        if let Err(why) = compare(&problem, &verdict, &truth, &units) {
            wrong.push(format!("seed {seed}, trial {trial}: {why}\n{exact:?}"));
        }
    }
    println!(
        "{count} problems: {} without an answer, {} with one motion, {} with several, {} with a continuum",
        tally[0], tally[1], tally[2], tally[3]
    );
    wrong
}

/// How many times as many problems to try as in the suite.
pub(super) fn thoroughness() -> usize {
    std::env::var("HOLONOM_CONTACTS").ok().and_then(|v| v.parse().ok()).unwrap_or(1)
}

fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} wrong, the first: {}", wrong.len(), wrong[0]);
}

/// One to three contacts, everything that a member can be: verdict and motions are those of trying everything.
#[test]
fn few_contacts_against_all_combinations() {
    assert_none(&sweep(1, 1000 * thoroughness(), |dice| 1 + dice.below(3), false));
}

/// The same with units that differ by up to sixteen orders of magnitude.
#[test]
fn wild_units_change_no_verdict() {
    assert_none(&sweep(2, 300 * thoroughness(), |dice| 1 + dice.below(3), true));
}

#[test]
fn four_and_five_contacts_against_all_combinations() {
    assert_none(&sweep(3, 30 * thoroughness(), |dice| 4 + usize::from(dice.chance(30)), false));
}
