//! Many contacts at once, against closed forms: blocks side by side, in stacks, on belts; a table on four legs; loads that have one solution.

use super::running::{Ran, run};
use holonom::simulate::integrate::Run;

const G: f64 = 9.81;
/// What a closed form and a run at the default tolerance may differ by.
const CLOSE: f64 = 1e-9;

/// A block on a level table.
#[derive(Clone, Copy)]
struct Block {
    mass: f64,
    mu: f64,
    pull: f64,
    speed: f64,
    /// The speed of what it lies on.
    belt: f64,
}

impl Block {
    /// Position and velocity. With u the slip: u̇ = f/m − µ g sgn u while it slides, where at rest sgn u is that of the pull;
    /// at u = 0 it stays if |f| ≤ µ m g.
    fn exact(&self, t: f64) -> [f64; 2] {
        let (push, hold) = (self.pull / self.mass, self.mu * G);
        let from_rest = if push.abs() <= hold { 0.0 } else { push - hold * push.signum() };
        let slip = self.speed - self.belt;
        let slows = if slip == 0.0 { from_rest } else { push - hold * slip.signum() };
        let stop = if slip * slows < 0.0 { -slip / slows } else { f64::INFINITY };
        let (first, after) = (t.min(stop), (t - stop).max(0.0));
        [
            self.belt * t + slip * first + slows * first * first / 2.0 + from_rest * after * after / 2.0,
            self.belt + slip + slows * first + from_rest * after,
        ]
    }
}

/// Blocks that do not touch each other, each with coordinates, a table and friction of its own.
fn side_by_side(blocks: &[Block], relation: &str) -> Ran {
    let list = |f: &dyn Fn(usize, &Block) -> String| {
        blocks.iter().enumerate().map(|(i, block)| f(i + 1, block)).collect::<String>()
    };
    let text = format!(
        "coord x[1..{n}], y[1..{n}]\ngravity (0, -{G})\nconstraint floor[i in 1..{n}]: y[i] {relation} 0\n{}run until 1, every 0.05\n",
        list(&|i, Block { mass, mu, pull, speed, belt }| format!(
            "particle block[{i}]: {mass} at (x[{i}], y[{i}])
friction floor[{i}]: coulomb({mu}), slip = x[{i}]' - ({belt:?}), normal = reaction(floor[{i}])
force x[{i}]: {pull:?}
start x[{i}] = 0, y[{i}] = 0, x[{i}]' = {speed:?}
"
        )),
        n = blocks.len(),
    );
    run(&text, &Run::default(), &[])
}

fn follow_the_closed_form(blocks: &[Block], what: &str) {
    follow(&side_by_side(blocks, "="), blocks, what);
}

fn follow(run: &Ran, blocks: &[Block], what: &str) {
    for (i, block) in blocks.iter().enumerate() {
        let names = [format!("x[{}]", i + 1), format!("x[{}]'", i + 1)];
        let worst = run.deviation([&names[0], &names[1]], |t| block.exact(t));
        assert!(worst < CLOSE, "{what}, block {} of {}: {worst:e}", i + 1, blocks.len());
        // What rests does so to the last digit.
        if block.speed == block.belt && block.pull.abs() < block.mu * block.mass * G && block.belt == 0.0 {
            assert!(run.column(&names[0]).iter().all(|x| *x == 0.0), "{what}: block {} creeps", i + 1);
        }
    }
    let imbalance = run.outcome.evidence.energy_imbalance;
    assert!(imbalance < CLOSE, "{what}: {imbalance:e}");
}

fn at_rest(i: usize) -> Block {
    let mass = 0.5 + 0.25 * (i % 7) as f64;
    let part = [0.9, -0.5, 0.0, -0.99, 0.2][i % 5];
    Block { mass, mu: 0.3, pull: part * 0.3 * mass * G, speed: 0.0, belt: 0.0 }
}

fn sliding(i: usize) -> Block {
    Block { pull: 0.0, speed: if i.is_multiple_of(2) { 4.0 } else { -5.0 } + 0.01 * i as f64, ..at_rest(i) }
}

/// One rests, one stops and stays, one turns, one is pulled away from rest.
fn mixed(i: usize) -> Block {
    let rest = at_rest(i);
    let limit = rest.mu * rest.mass * G;
    match i % 4 {
        0 => rest,
        1 => Block { speed: 0.5 + 0.01 * i as f64, pull: 0.3 * limit, ..rest },
        2 => Block { speed: -0.7 - 0.01 * i as f64, pull: 1.8 * limit, ..rest },
        _ => Block { pull: -1.4 * limit, ..rest },
    }
}

fn many(count: usize, kind: fn(usize) -> Block) -> Vec<Block> {
    (1..=count).map(kind).collect()
}

#[test]
fn blocks_side_by_side_rest() {
    for count in [1, 3, 6, 12, 40] {
        follow_the_closed_form(&many(count, at_rest), "at rest");
    }
}

#[test]
fn blocks_side_by_side_slide() {
    for count in [1, 3, 6, 12, 40] {
        follow_the_closed_form(&many(count, sliding), "sliding");
    }
}

/// A block that is put on a belt is dragged along at µ g until it rides, at t = v/(µ g).
fn dragged(i: usize) -> Block {
    let belt = (0.4 + 0.02 * i as f64) * if i.is_multiple_of(3) { -1.0 } else { 1.0 };
    Block { pull: 0.0, belt, ..at_rest(i) }
}

#[test]
fn blocks_on_belts_are_dragged_until_they_ride() {
    for count in [1, 3, 5] {
        follow_the_closed_form(&many(count, dragged), "on belts");
    }
}

/// N blocks of one mass on each other, block i with i times the speed c of the lowest. With loads Wᵢ = (N − i + 1) m g and the same µ, what
/// slides below and above gives m aᵢ = −µ Wᵢ + µ Wᵢ₊₁ = −µ m g. A block that has stopped is held: it is pushed by µ Wᵢ₊₁ < µ Wᵢ. So each
/// one moves as if it were alone: xᵢ = i c t − µ g t²/2 until t = i c/(µ g).
fn stack(count: usize, reaction: &str) {
    let (mu, c) = (0.3, 2.5 / count as f64);
    let text = format!(
        "param N = {count}, mu = {mu}, c = {c:?}
coord x[1..N], y[1..N]
let x[0] = 0, y[0] = 0
particle block[i in 1..N]: 2 at (x[i], y[i])
gravity (0, -{G})
constraint on[i in 1..N]: y[i] - y[i-1] = 0.125
friction on[i in 1..N]: coulomb(mu), slip = x[i]' - x[i-1]', normal = {reaction}
start x[i in 1..N] = 0, x[i in 1..N]' = i*c
run until 1, every 0.1
"
    );
    let run = run(&text, &Run::default(), &[]);
    for i in 1..=count {
        let names = [format!("x[{i}]"), format!("x[{i}]'")];
        let block = Block { mass: 2.0, mu, pull: 0.0, speed: i as f64 * c, belt: 0.0 };
        let worst = run.deviation([&names[0], &names[1]], |t| block.exact(t));
        assert!(worst < CLOSE, "block {i} of {count}: {worst:e}");
    }
    assert_eq!(run.outcome.events.iter().filter(|event| event.action == "sticks").count(), count);
}

#[test]
fn stacked_blocks_stop_one_after_the_other() {
    for count in [1, 3, 5] {
        stack(count, "reaction(on[i])");
        stack(count, "abs(reaction(on[i]))");
    }
}

/// A stack of blocks of one mass, block i from the floor with a start speed and a pull.
struct Stack<'a> {
    count: usize,
    relation: &'a str,
    /// Friction on the floor, and between blocks.
    mu: [f64; 2],
    belt: f64,
    speed: fn(usize) -> f64,
    /// A part of what friction below it could hold of its own weight.
    pull: fn(usize) -> f64,
}

const STACKED: f64 = 2.0;

impl Stack<'_> {
    fn pull(&self, i: usize) -> f64 {
        (self.pull)(i) * self.mu[0] * STACKED * G
    }

    fn run(&self) -> Ran {
        let Self { count, relation, mu, belt, .. } = *self;
        let mut text = format!(
            "coord x[1..{count}], y[1..{count}]
let y[0] = 0
particle block[i in 1..{count}]: {STACKED} at (x[i], y[i])
gravity (0, -{G})
constraint on[i in 1..{count}]: y[i] - y[i-1] {relation} 0.125
run until 1, every 0.1
"
        );
        for i in 1..=count {
            let (mu, below) = if i == 1 { (mu[0], format!("({belt:?})")) } else { (mu[1], format!("x[{}]'", i - 1)) };
            text += &format!(
                "friction on[{i}]: coulomb({mu:?}), slip = x[{i}]' - {below}, normal = reaction(on[{i}])
force x[{i}]: {:?}
start x[{i}] = 0, y[{i}] = {:?}, x[{i}]' = {:?}
",
                self.pull(i),
                0.125 * i as f64,
                (self.speed)(i),
            );
        }
        run(&text, &Run::default(), &[])
    }

    /// Each block moves as one that is alone.
    fn follows(&self, alone: impl Fn(usize) -> Block) {
        let run = self.run();
        for i in 1..=self.count {
            let (names, block) = ([format!("x[{i}]"), format!("x[{i}]'")], alone(i));
            let worst = run.deviation([&names[0], &names[1]], |t| block.exact(t));
            assert!(worst < CLOSE, "block {i} of {} {}: {worst:e}", self.count, self.relation);
            // Loads are weights: Wᵢ = (N − i + 1) m g.
            let weight = (self.count - i + 1) as f64 * STACKED * G;
            let load = run.deviation([&format!("reaction.on[{i}]")], |_| [weight]);
            assert!(load < CLOSE * weight, "load {i} of {} {}: {load:e}", self.count, self.relation);
        }
        assert!(run.outcome.diagnostics.is_empty(), "{:?}", run.outcome.diagnostics);
    }
}

/// Pulls that add up to less than friction can hold, below every block.
fn stack_rests(count: usize, relation: &str) {
    let pull = |i: usize| [0.9, -0.5, 0.0, -0.9, 0.6][i % 5];
    let stack = Stack { count, relation, mu: [0.3, 0.3], belt: 0.0, speed: |_| 0.0, pull };
    stack.follows(|_| Block { mass: STACKED, mu: 0.3, pull: 0.0, speed: 0.0, belt: 0.0 });
}

/// Each block is faster than the one below it all the time: m aᵢ = −µ Wᵢ + µ Wᵢ₊₁ + fᵢ = −µ m g + fᵢ.
fn stack_slides(count: usize, relation: &str) {
    let (speed, pull) = (|i: usize| 4.0 + 2.0 * i as f64, |i: usize| [0.2, -0.1, 0.0][i % 3]);
    let stack = Stack { count, relation, mu: [0.3, 0.3], belt: 0.0, speed, pull };
    stack.follows(|i| Block { mass: STACKED, mu: 0.3, pull: stack.pull(i), speed: speed(i), belt: 0.0 });
}

/// A stack that is put on a belt goes with µ g, as one block does, since more than that holds it together; then it rides.
fn stack_rides(count: usize, relation: &str) {
    let stack = Stack { count, relation, mu: [0.3, 0.5], belt: -1.3, speed: |_| 0.0, pull: |_| 0.0 };
    stack.follows(|_| Block { mass: STACKED, mu: 0.3, pull: 0.0, speed: 0.0, belt: -1.3 });
}

#[test]
fn stacks_rest_slide_and_ride_on_belts() {
    for count in [3, 12, 40] {
        for relation in ["=", ">="] {
            stack_rests(count, relation);
            stack_slides(count, relation);
            stack_rides(count, relation);
        }
    }
}

#[test]
fn two_hundred_blocks_in_a_stack_rest() {
    stack_rests(200, "=");
}

#[test]
fn two_hundred_blocks_in_a_stack_slide() {
    stack_slides(200, "=");
}

#[test]
fn two_hundred_blocks_in_a_stack_ride_on_a_belt() {
    stack_rides(200, "=");
}

/// A block A on a floor carries a slope of k along x, on which the height of a block B depends: y = k x. Friction on A, which slides, changes the
/// load of B, whose friction changes nothing. With N = m g below A: m a = −k L − µ m g, and L = m (g + k a), so a = −g (k + µ)/(1 + k²);
/// across, B has −µ L/m.
#[test]
fn friction_under_a_load_that_other_friction_changes() {
    for (k, mu) in [(0.4, [0.3, 0.2]), (-0.2, [0.5, 0.7]), (0.0, [0.1, 0.3])] {
        let text = format!(
            "coord x[1..2], y[1..2]
particle A: 3 at (x[1], y[1]), B: 3 at (x[2], y[2])
gravity (0, -{G})
constraint floor: y[1] = 0, slope: y[2] - ({k:?})*x[1] = 0
friction floor: coulomb({:?}), slip = x[1]', normal = reaction(floor)
friction slope: coulomb({:?}), slip = x[2]', normal = reaction(slope)
start x[i in 1..2] = 0, y[i in 1..2] = 0, x[1]' = 20, x[2]' = -30
run until 1, every 0.1
",
            mu[0], mu[1],
        );
        let run = run(&text, &Run::default(), &[]);
        let a = -G * (k + mu[0]) / (1.0 + k * k);
        let across = mu[1] * (G + k * a);
        let exact = |t: f64| [20.0 * t + a * t * t / 2.0, -30.0 * t + across * t * t / 2.0];
        let worst = run.deviation(["x[1]", "x[2]"], exact);
        assert!(worst < CLOSE, "{k}: {worst:e}");
        let load = run.deviation(["reaction.slope"], |_| [3.0 * (G + k * a)]);
        assert!(load < CLOSE, "{k}: {load:e}");
    }
}

/// A table of mass m on four legs in a plane: 3 coordinates, 4 rows of rank 2. How the legs share their load is open, its sum is not, so with
/// one µ the friction is µ m g: a = F/m − µ g beyond the limit, rest below it.
fn table(pull: f64, relation: &str) -> Ran {
    let text = "param F = 0, mu = 0.3, h = 0.25, m = 2
coord x, y, theta
particle top: m at (x, y)
kinetic 0.2*theta'^2
gravity (0, -9.81)
let a[1] = -1, a[2] = -0.5, a[3] = 0.5, a[4] = 1
let foot[i in 1..4] = (x + a[i]*cos(theta) + h*sin(theta), y + a[i]*sin(theta) - h*cos(theta))
force x: F
constraint leg[i in 1..4]: foot[i].y RELATION 0
friction leg[i in 1..4]: coulomb(mu), slip = foot[i].x', normal = reaction(leg[i])
start x = 0, y = h, theta = 0
run until 1, every 0.1
";
    run(&text.replace("RELATION", relation), &Run::default(), &[("F", pull)])
}

#[test]
fn a_table_on_four_legs_rests_below_its_limit() {
    for part in [0.0, 0.5, -0.99] {
        let run = table(part * 0.3 * 2.0 * G, "=");
        assert!(run.columns(["x", "x'", "theta"]).as_flattened().iter().all(|x| *x == 0.0), "{part}");
        // Four loads that carry the weight, none of which pulls.
        for loads in run.columns(["reaction.leg[1]", "reaction.leg[2]", "reaction.leg[3]", "reaction.leg[4]"]) {
            assert!((loads.iter().sum::<f64>() - 2.0 * G).abs() < CLOSE, "{loads:?}");
        }
    }
}

#[test]
fn blocks_side_by_side_rest_slide_and_turn() {
    for count in [3, 6, 12, 20] {
        follow_the_closed_form(&many(count, mixed), "mixed");
        follow_the_closed_form(&many(count, dragged), "on belts");
    }
}

#[test]
fn high_stacks_stop_one_after_the_other() {
    for count in [12, 20, 40] {
        stack(count, "reaction(on[i])");
    }
}

/// Time is linear in contacts that do not act on each other.
#[test]
fn two_hundred_blocks_side_by_side() {
    for (kind, what) in [(at_rest as fn(usize) -> Block, "at rest"), (sliding, "sliding")] {
        for relation in ["=", ">="] {
            let blocks = many(200, kind);
            follow(&side_by_side(&blocks, relation), &blocks, what);
        }
    }
}

#[test]
fn two_hundred_blocks_on_belts() {
    follow_the_closed_form(&many(200, dragged), "on belts");
}

#[test]
fn two_hundred_blocks_rest_slide_and_turn() {
    follow_the_closed_form(&many(200, mixed), "mixed");
}

#[test]
fn a_table_on_four_legs_that_is_pulled_slides() {
    for pull in [8.0, -8.0, 6.0] {
        slides(&table(pull, "="), pull);
    }
}

fn slides(run: &Ran, pull: f64) {
    let a = pull / 2.0 - 0.3 * G * pull.signum();
    let worst = run.deviation(["x", "x'", "theta"], |t| [a * t * t / 2.0, a * t, 0.0]);
    assert!(worst < CLOSE, "{pull}: {worst:e}");
}

/// Floors and legs that may let go and do not move as those that cannot.
#[test]
fn one_sided_floors_carry_what_rests_and_slides_on_them() {
    for count in [1, 6, 12] {
        for (kind, what) in [(at_rest as fn(usize) -> Block, "at rest"), (mixed, "mixed"), (dragged, "on belts")] {
            let blocks = many(count, kind);
            follow(&side_by_side(&blocks, ">="), &blocks, what);
        }
    }
    slides(&table(8.0, ">="), 8.0);
    assert!(table(5.0, ">=").columns(["x", "x'", "y'", "theta'"]).as_flattened().iter().all(|x| *x == 0.0));
}

/// Three contacts that hold both ways, coupled by their masses. Of eight combinations of signs one fits; loads and accelerations by exact
/// elimination in fractions.
#[test]
fn three_coupled_loads_with_one_solution_are_found() {
    let model = |mass: &str, force: &str, mu: [f64; 3], v: [f64; 3]| {
        let mut text =
            format!("coord z[1..3]\ncoord s[1..3]\nmass {mass}\nforce {force}\nrun until 0.01, every 0.01\n");
        for i in 1..=3 {
            text += &format!("constraint c[{i}]: z[{i}] = 0\nstart s[{i}] = 0, s[{i}]' = {:?}\n", v[i - 1]);
            let mu = mu[i - 1];
            text += &format!("friction c[{i}]: coulomb({mu:?}), slip = s[{i}]', normal = abs(reaction(c[{i}]))\n");
        }
        run(&text, &Run::default(), &[])
    };
    let names = ["reaction.c[1]", "reaction.c[2]", "reaction.c[3]", "s[1]''", "s[2]''", "s[3]''"];
    let first = model(
        "[[13, 4, 4, -2, -6, 4], [4, 13, 4, 5, 0, 10], [4, 4, 7, -2, -1, 4], [-2, 5, -2, 8, -1, 3], [-6, 0, -1, -1, 15, 2], [4, 10, 4, 3, 2, 10]]",
        "[4, -9, -8, -1, 5, 5]",
        [2.0, 1.0, 0.5],
        [-1.0, 1.0, -1.0],
    );
    let exact =
        [5021.0 / 753.0, 37009.0 / 1506.0, 2949.0 / 251.0, 0.9661354581673307, -1.3837981407702524, 1.0743691899070384];
    let second = model(
        "[[19, 0, 7, -9, -2, -7], [0, 25, 0, 0, -2, -2], [7, 0, 7, -4, -4, -1], [-9, 0, -4, 19, 8, 1], [-2, -2, -4, 8, 18, 2], [-7, -2, -1, 1, 2, 10]]",
        "[5, -5, -1, 3, -3, 1]",
        [3.0, 1.0, 2.0],
        [-1.0, -1.0, 1.0],
    );
    let other = [-83.1, 1032.0 / 35.0, -2477.0 / 70.0, 15.628571428571428, -4.628571428571429, -7.614285714285714];
    for (run, exact) in [(first, exact), (second, other)] {
        let found = run.columns(names);
        assert!(found.iter().flatten().zip(exact.iter().cycle()).all(|(x, y)| (x - y).abs() < CLOSE), "{found:?}");
    }
}

/// A stack of N blocks that is pulled at block j, with limits of rest above the friction of sliding. Those from j on go together with
/// a = F/((N − j + 1) m) − µₖ g once F exceeds µₛ (N − j + 1) m g, and the others rest. The last case asks more of the contacts above than sliding would give.
#[test]
fn high_stacks_are_pulled_from_rest() {
    let (mu_k, mu_s, mass) = (0.3, 0.5, 2.0);
    for (count, j, part) in [(14, 14, 1.15), (40, 40, 1.1), (40, 1, 1.5), (40, 30, 0.99)] {
        for relation in ["=", ">="] {
            let above = (count - j + 1) as f64 * mass;
            let pull = part * mu_s * above * G;
            let text = format!(
                "param N = {count}
coord x[1..N], y[1..N]
let x[0] = 0, y[0] = 0
particle block[i in 1..N]: {mass} at (x[i], y[i])
gravity (0, -{G})
force x[{j}]: {pull:?}
constraint on[i in 1..N]: y[i] - y[i-1] {relation} 0.125
friction on[i in 1..N]: coulomb({mu_k}, {mu_s}), slip = x[i]' - x[i-1]', normal = reaction(on[i])
start x[i in 1..N] = 0, y[i in 1..N] = 0.125*i
run until 0.2, every 0.1
"
            );
            let run = run(&text, &Run::default(), &[]);
            let a = if part > 1.0 { pull / above - mu_k * G } else { 0.0 };
            for i in 1..=count {
                let moves = if i < j { 0.0 } else { a };
                let worst = run.deviation([&format!("x[{i}]")], |t| [moves * t * t / 2.0]);
                assert!(worst < CLOSE, "{count} blocks {relation}, block {i}, pulled at {j}: {worst:e}");
            }
            assert!(run.outcome.diagnostics.is_empty(), "{:?}", run.outcome.diagnostics);
        }
    }
}

/// A block that is pushed into a corner, with friction on floor and wall: if it left the wall, the friction of the floor would have to push it off, along its slip; if it rose, that of
/// the wall would have to lift it. So it rests, however its constraints are written and however loads are shared.
#[test]
fn a_block_that_is_pushed_into_a_corner_rests() {
    let (floor, wall) = ("constraint floor: p.y >= 0\n", "constraint wall: p.x <= 0.7\n");
    for (mu_floor, mu_wall, push) in [(1.0, 1.0, 12.0), (1.0, 1.5, 20.0), (0.4, 2.0, 15.0), (1.5, 0.8, 30.0)] {
        for constraints in [format!("{floor}{wall}"), format!("{wall}{floor}")] {
            let text = format!(
                "particle p: 1 in plane
gravity (0, -10)
force p: ({push}, 0)
{constraints}friction floor: coulomb({mu_floor:?})
friction wall: coulomb({mu_wall:?})
start p = (0, 0), p' = (1, 0)
run until 2, every 0.05
"
            );
            let run = run(&text, &Run::default(), &[]);
            let rows = run.columns(["t", "p.x", "p.x'", "p.y", "p.y'"]);
            let rest: Vec<_> =
                rows.into_iter().filter(|row| row[0] > 1.0).map(|row| [row[1], row[2], row[3], row[4]]).collect();
            assert!(rest.len() > 5 && rest.iter().all(|row| *row == [0.7, 0.0, 0.0, 0.0]), "{constraints}{rest:?}");
        }
    }
}
