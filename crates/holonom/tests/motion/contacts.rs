//! Many contacts at once, against closed forms: blocks side by side, in stacks, on belts; a table on four legs; loads that have one solution.

use super::running::{Run, run};
use holonom::integrate::Options;

const G: f64 = 9.81;
/// What a closed form and a run at the default tolerance may differ by.
const CLOSE: f64 = 1e-9;

/// A block on a level table.
#[derive(Clone, Copy)]
pub struct Block {
    pub mass: f64,
    pub mu: f64,
    pub pull: f64,
    pub speed: f64,
    /// The speed of what it lies on.
    pub belt: f64,
}

impl Block {
    /// Position and velocity. With u the slip: u̇ = f/m − µ g sgn u while it slides, where at rest sgn u is that of the pull;
    /// at u = 0 it stays if |f| ≤ µ m g.
    pub fn exact(&self, t: f64) -> [f64; 2] {
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
pub fn side_by_side(blocks: &[Block]) -> Run {
    let list = |f: &dyn Fn(usize, &Block) -> String| {
        blocks.iter().enumerate().map(|(i, block)| f(i + 1, block)).collect::<String>()
    };
    let text = format!(
        "coord x[1..{n}], y[1..{n}]\ngravity (0, -{G})\nconstraint floor[i in 1..{n}]: y[i] = 0\n{}run until 1, every 0.05\n",
        list(&|i, Block { mass, mu, pull, speed, belt }| format!(
            "particle block[{i}]: {mass} at (x[{i}], y[{i}])
friction floor[{i}]: coulomb({mu}), slip = x[{i}]' - ({belt:?}), normal = reaction(floor[{i}])
force x[{i}]: {pull:?}
start x[{i}] = 0, x[{i}]' = {speed:?}
"
        )),
        n = blocks.len(),
    );
    run(&text, &Options::default(), &[])
}

fn follow_the_closed_form(blocks: &[Block], what: &str) {
    let run = side_by_side(blocks);
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
    let run = run(&text, &Options::default(), &[]);
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

/// A table of mass m on four legs in a plane: 3 coordinates, 4 rows of rank 2. How the legs share their load is open, its sum is not, so with
/// one µ the friction is µ m g: a = F/m − µ g beyond the limit, rest below it.
pub fn table(pull: f64) -> Run {
    let text = "param F = 0, mu = 0.3, h = 0.25, m = 2
coord x, y, theta
particle top: m at (x, y)
kinetic 0.2*theta'^2
gravity (0, -9.81)
let a[1] = -1, a[2] = -0.5, a[3] = 0.5, a[4] = 1
let foot[i in 1..4] = (x + a[i]*cos(theta) + h*sin(theta), y + a[i]*sin(theta) - h*cos(theta))
force x: F
constraint leg[i in 1..4]: foot[i].y = 0
friction leg[i in 1..4]: coulomb(mu), slip = foot[i].x', normal = reaction(leg[i])
start x = 0, y = h, theta = 0
run until 1, every 0.1
";
    run(text, &Options::default(), &[("F", pull)])
}

#[test]
fn a_table_on_four_legs_rests_below_its_limit() {
    for part in [0.0, 0.5, -0.99] {
        let run = table(part * 0.3 * 2.0 * G);
        assert!(run.columns(["x", "x'", "theta"]).as_flattened().iter().all(|x| *x == 0.0), "{part}");
        // Four loads that carry the weight, none of which pulls.
        for loads in run.columns(["reaction.leg[1]", "reaction.leg[2]", "reaction.leg[3]", "reaction.leg[4]"]) {
            assert!((loads.iter().sum::<f64>() - 2.0 * G).abs() < CLOSE, "{loads:?}");
        }
    }
}
