//! Random mechanisms in both formulations: coordinates of joints, and coordinates of bodies.

use super::known::{by_bodies, by_joints};
use holonom::Run;
use holonom_random::Random;

/// A mechanism of bodies in random places, joined at random: a tree, and some joints that close loops. All joints fit where everything
/// was placed.
fn mechanism(seed: u64, planar: bool) -> String {
    let mut random = Random::new(seed);
    let count = 1 + random.index(5);
    let point = |random: &mut Random| -> String {
        let [x, y, z] = [0; 3].map(|_| random.uniform(-1.0, 1.0));
        if planar { format!("({x:.3}, {y:.3})") } else { format!("({x:.3}, {y:.3}, {z:.3})") }
    };
    let mut text = String::new();
    for body in 1..=count {
        let place = point(&mut random);
        let [a, b, c] = [0; 3].map(|_| random.uniform(0.3, 1.5));
        let turn = random.uniform(-3.0, 3.0);
        let turned = match (planar, random.index(3)) {
            (_, 0) => String::new(),
            (true, _) => format!(", turned z by ({turn:.3})"),
            (false, 1) => format!(", turned y by ({turn:.3})"),
            (false, _) => format!(", turned x by ({turn:.3}), then z by 0.7"),
        };
        let shape = if planar { format!("box({a:.3}, {b:.3})") } else { format!("box({a:.3}, {b:.3}, {c:.3})") };
        text += &format!("body b{body}: {shape} of {:.3}, at {place}{turned}\n", random.uniform(0.5, 3.0));
    }
    text += if planar { "gravity (0, -9.81)\n" } else { "gravity (0, 0, -9.81)\n" };
    let kinds: &[&str] = if planar {
        &["hinge", "hinge", "slider"]
    } else {
        &["hinge", "hinge", "slider", "ball", "universal", "cylindrical"]
    };
    let name = |body: usize| if body == 0 { "ground".to_string() } else { format!("b{body}") };
    let mut rates = Vec::new();
    let mut joints = 0;
    let mut join = |random: &mut Random, text: &mut String, a: usize, b: usize, kind: &str| -> usize {
        joints += 1;
        let place = point(random);
        let axis = point(random);
        let axis = match kind {
            "hinge" | "ball" if planar => String::new(),
            "ball" | "rod" => String::new(),
            "universal" => ", axis x (0, 0.6, 0.8)".to_string(),
            _ => format!(", axis {axis}"),
        };
        let (a, b) = if random.index(2) == 0 { (a, b) } else { (b, a) };
        *text += &format!("joint j{joints}: {kind}({}, {}), at {place}{axis}\n", name(a), name(b));
        joints
    };
    let loops = random.index(3);
    for body in 1..=count {
        let other = random.index(body);
        let kind = kinds[random.index(kinds.len())];
        let which = join(&mut random, &mut text, other, body, kind);
        let rate = random.uniform(-2.0, 2.0);
        match kind {
            "hinge" | "slider" => rates.push(format!("j{which}' = {rate:.3}")),
            "cylindrical" => rates.push(format!("j{which}.angle' = {rate:.3}, j{which}.travel' = 0.3")),
            "universal" => rates.push(format!("j{which}.1' = {rate:.3}, j{which}.2' = -0.4")),
            "ball" => rates.push(format!("b{body}.spin = ({rate:.3}, 1, -0.5)")),
            _ => {}
        }
    }
    if count > 1 && loops > 0 {
        // Loops of hinges about parallel axes and of rods can move; others may lock, which both must find.
        for _ in 0..loops {
            let (a, b) = (random.index(count + 1), random.index(count + 1));
            if a != b && a * b != 0 {
                text += &format!("joint r{a}{b}{}: rod({}, {})\n", random.index(1000), name(a), name(b));
            }
        }
        rates.clear();
    }
    if !rates.is_empty() {
        text += &format!("start {}\n", rates.join(", "));
    }
    for body in 1..=count {
        text += &format!("output p{body}: b{body}({})\n", if planar { "0.3, -0.2" } else { "0.3, -0.2, 0.5" });
        text += &format!("output a{body}: (b{body}({}))''\n", if planar { "0.3, -0.2" } else { "0.3, -0.2, 0.5" });
        text += &format!("output s{body}: b{body}.spin\n");
    }
    text
}

/// One meaning: places, accelerations, angular velocities and energies agree.
fn agree(seed: u64, planar: bool) {
    let text = mechanism(seed, planar);
    let both = [by_joints(&text), by_bodies(&text)];
    let verdicts =
        both.each_ref().map(|one| one.check().unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}")));
    let freedom = verdicts.each_ref().map(|one| one.degrees_of_freedom());
    assert_eq!(freedom[0], freedom[1], "seed {seed}\n{text}");
    if !verdicts.iter().all(|one| one.is_accepted()) {
        assert_eq!(verdicts[0].is_accepted(), verdicts[1].is_accepted(), "seed {seed}\n{text}");
        return;
    }
    let ends = both.map(|one| one.run(Run::until(0.3)).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}")));
    let columns = |name: &str| ["p", "a", "s", "kinetic", "potential"].iter().any(|begin| name.starts_with(begin));
    let names: Vec<String> =
        ends[0].columns().iter().map(|column| column.name.clone()).filter(|name| columns(name)).collect();
    assert!(names.len() > 4, "{names:?}");
    let size = |begin: &str| {
        let of = names.iter().filter(|name| name.starts_with(begin));
        of.map(|name| ends[0].last(name).unwrap().abs()).fold(1.0, f64::max)
    };
    for name in &names {
        let scale = size(&name[..1]);
        for (time, tolerance) in [(0.0, 1e-10), (0.3, 1e-7)] {
            let found = ends.each_ref().map(|one| match time == 0.0 {
                true => one.column(name).unwrap()[0],
                false => one.last(name).unwrap(),
            });
            let apart = (found[0] - found[1]).abs();
            assert!(apart <= tolerance * scale, "seed {seed}, `{name}` at {time}: {found:?}\n{text}");
        }
    }
}

#[test]
fn random_mechanisms_in_space_mean_one_thing() {
    (0..40).for_each(|seed| agree(seed, false));
}

#[test]
fn random_mechanisms_in_the_plane_mean_one_thing() {
    (1000..1040).for_each(|seed| agree(seed, true));
}

/// Loops in space whose rows cancel but for rounding, in coordinates of joints: rounding is no constraint.
#[test]
fn rounding_of_a_loop_is_no_constraint() {
    let two = "\
body a: box(1, 0.3, 0.2) of 1, at (0.5, 0.2, 0.1)
body b: box(0.4, 0.3, 0.7) of 2, at (-0.5, 0.3, 0.4), turned x by 0.4
gravity (0, 0, -9.81)
";
    for (joints, freedom) in [
        (
            "joint h: hinge(ground, a), at (1.1, -0.5, -0.3), axis (0.8, 0.9, 0.8)
joint s: slider(a, b), axis (-0.9, -0.7, -0.4)
joint l: ball(b, a), at (0.7, -1.2, -0.9)
",
            1,
        ),
        (
            "joint h: hinge(a, b), at (-0.7, -0.7, -0.4), axis (0.172, 0.509, 0.668)
joint l: hinge(b, a), at (-0.5, -0.4, -0.8), axis (0.172, 0.509, 0.668)
",
            6,
        ),
        (
            "joint h: hinge(a, b), at (-0.3, 0.3, -0.2), axis (0.008, -0.967, -0.013)
joint l: ball(b, a), at (0.6, 0.3, -0.3)
",
            6,
        ),
        // Here the start is singular: what the planar joint holds has no slope in some directions.
        (
            "joint u: universal(a, ground), at (0, 0, 1), axis (1, 0, 1) (1, 0, -1)
joint p: planar(a, ground), axis z
joint f: fixed(a, b)
",
            1,
        ),
    ] {
        let text = format!("{two}{joints}");
        for one in [by_joints(&text), by_bodies(&text)] {
            let verdict = one.check().unwrap();
            assert!(verdict.is_accepted() && verdict.degrees_of_freedom() == Some(freedom), "{verdict}");
        }
    }
}

/// A spin is that of the body in the world, whatever carries it and wherever the start puts it.
#[test]
fn spins_are_those_of_bodies_in_the_world() {
    let carried = "\
body b1: box(0.6, 0.7, 0.4) of 0.7, at (-0.9, -0.6, 0.5)
body b2: box(1, 0.6, 0.3) of 0.6, at (0.4, 0.6, 0), turned x by 0.5
joint j0: ball(ground, b1), at (-0.6, 0.2, -0.4)
joint j1: ball(b1, b2), at (-0.4, -0.8, -0.7)
start b1.spin = (1, 2, 3), b2.spin = (3, -1, 2)
output w: b2.spin
output e: (3, -1, 2)
";
    let turned = "\
body b1: box(1, 0.5, 0.2) of 1.5, at (0.3, 0.1, 0.2)
body b2: box(1, 0.5, 0.2) of 2, at (1, 0, 0), turned x by 0.5
joint j1: hinge(ground, b1), at (0, 0, 0), axis (0.6, 0.8, 0)
joint j2: ball(b1, b2), at (0.5, 0, 0)
start j1 = 0.3, j1' = 0.5, b2.spin = 3*b2.e2 - b1.e1
output w: b2.spin
output e: 3*b2.e2 - b1.e1
";
    for text in [carried, turned] {
        for one in [by_joints(text), by_bodies(text)] {
            let run = one.run(Run::until(0.1)).unwrap();
            for axis in 1..=3 {
                let [found, given] = ["w", "e"].map(|name| run.column(&format!("{name}.{axis}")).unwrap()[0]);
                assert!((found - given).abs() < 1e-12, "{found} instead of {given}\n{text}");
            }
        }
    }
}
