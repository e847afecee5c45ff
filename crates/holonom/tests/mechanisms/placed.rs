//! Parts that are placed as a whole: the same as everything in them written out where it lies.

use super::known::{by_bodies, by_joints, system};
use holonom::{Run, System};

const TRUNK: &str = "\
param      g = 9.81, l = 0.5
body       trunk: box(0.6, 0.4, 0.2) of 5, at (0, 0, 1)
gravity    (0, 0, -g)
";

/// What hangs on the trunk; `{P: …}` is a point and `{V: …}` a direction in the frame of the leg, `{n}` what its names end in.
const LEG: &str = "\
body thigh{n}: rod(l) of 1, from {P: 0, 0, 0} to {P: 0.3, 0, -0.4}, up {V: 0, 1, 0.3}
body shank{n}: box(l, 0.1, 0.05) of 0.5, at {P: 0.3, 0.1, -0.65}, axes {V: 0, 0, -1} {V: 0, 1, 0.2}
frame end{n} on thigh{n}: at {P: 0.3, 0, -0.4}, axes {V: 1, 0, 0} {V: 0, 1, 0.2}
joint hip{n}: hinge(trunk, thigh{n}), at {P: 0, 0, 0}, axis {V: 0, 1, 0}
joint knee{n}: universal(thigh{n}, shank{n}), at {P: 0.3, 0, -0.4}, axis {V: 0, 1, 0.2} {V: 1, 0, 0}
joint bar{n}: rod({P: 0.3, 0.1, 0.1} on trunk, {P: 0.35, 0.1, -0.6} on shank{n})
spring a{n}: distance({P: 0.1, 0, 0.05} on trunk, shank{n}(0.1, 0, 0)), stiffness = 30, rest = 0.3
spring b{n}: distance({P: 0.2, 0.1, -2}, shank{n}), stiffness = 20, rest = 0.3
damper c{n}: distance(ground({P, 0.2, 0.1, -2}), shank{n}), rate = 2
force shank{n}(0.2, 0, 0): {V: 1, 2, 3}
torque thigh{n}: {V: 0.1, 0.2, 0.3}
force knee{n}.1: -0.4
particle foot{n}: 0.05 at shank{n}(0.25, 0, 0)
force foot{n}: 0.2*{V: 1, 0, 1}
kinetic 0.01*norm((foot{n} + {V: 0, 0, 1})')^2
";

/// The leg in its own frame.
fn in_its_frame() -> String {
    let leg = LEG.replace("{n}", "").replace("{P, ", "").replace(", -2})", ", -2)");
    leg.replace("{P: ", "(").replace("{V: ", "(").replace('}', ")").replace("\n", "\n  ")
}

type Matrix = [[f64; 3]; 3];

fn turned(matrix: Matrix, v: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| (0..3).map(|j| matrix[j][i] * v[j]).sum())
}

/// The columns of Rz(a) Ry(b).
fn rotation(a: f64, b: f64) -> Matrix {
    let ((sa, ca), (sb, cb)) = (a.sin_cos(), b.sin_cos());
    [[ca * cb, sa * cb, -sb], [-sa, ca, 0.0], [ca * sb, sa * sb, cb]]
}

/// The leg with everything moved to where it lies.
fn written_out(n: &str, origin: [f64; 3], axes: Matrix) -> String {
    let mut text = String::new();
    let source = LEG.replace("{n}", n);
    let mut rest = source.as_str();
    while let Some(start) = rest.find('{') {
        let end = start + rest[start..].find('}').unwrap();
        let (mark, numbers) = rest[start + 1..end].split_at(2);
        let v: Vec<f64> = numbers.split(',').map(|one| one.trim().parse().unwrap()).collect();
        let mut moved = turned(axes, [v[0], v[1], v[2]]);
        if mark.starts_with('P') {
            (0..3).for_each(|i| moved[i] += origin[i]);
        }
        let list = moved.map(|one| format!("{one:?}")).join(", ");
        text += &rest[..start];
        text += &if mark == "P," { list } else { format!("({list})") };
        rest = &rest[end + 1..];
    }
    text + rest
}

/// Accelerations at the start, and places after a while, of outputs with these names.
fn same(first: &System, second: &System, names: &[String], tolerance: f64) {
    let ends = [first, second].map(|one| one.run(Run::until(0.2)).unwrap_or_else(|error| panic!("{error}")));
    for name in names {
        let found = ends.each_ref().map(|one| (one.column(name).unwrap()[0], one.last(name).unwrap()));
        for (a, b, tolerance) in [(found[0].0, found[1].0, 1e-9), (found[0].1, found[1].1, tolerance)] {
            assert!((a - b).abs() <= tolerance * a.abs().max(1.0), "`{name}`: {a} and {b}");
        }
    }
}

fn components(names: &[&str], count: usize) -> Vec<String> {
    names.iter().flat_map(|name| (1..=count).map(move |axis| format!("{name}.{axis}"))).collect()
}

/// A leg placed four times is four legs written out, in both formulations.
#[test]
fn four_legs_are_those_written_out() {
    let places = (1..=4).map(|i| {
        let i = f64::from(i);
        ([0.3 * (1.6 * i).cos(), 0.2 * (1.6 * i).sin(), 1.0], 1.6 * i, 0.1 * i - 0.2)
    });
    let mut out = TRUNK.to_string();
    let mut outputs = String::new();
    let mut names = vec![];
    for (place, (origin, a, b)) in places.enumerate() {
        let n = (place + 1).to_string();
        out += &written_out(&n, origin, rotation(a, b));
        out += &format!("start hip{n}' = 1, knee{n}.1' = -0.5\n");
        outputs += &format!(
            "output p{n}: shank@{n}(0.2, 0, 0), v{n}: shank@{n}'', F{n}: reaction(hip@{n}), M{n}: moment(hip@{n}), f{n}: foot@{n}, w{n}: thigh@{n}.spin\n"
        );
        names.extend(["p", "v", "F", "M", "f", "w"].map(|name| format!("{name}{n}")));
    }
    let placed = format!(
        "{TRUNK}part leg[i in 1..4], at (0.3*cos(1.6*i), 0.2*sin(1.6*i), 1), turned z by 1.6*i, then y by 0.1*i - 0.2\n  {}\nstart leg[i in 1..4].hip' = 1, leg[i in 1..4].knee.1' = -0.5\n",
        in_its_frame().trim_end()
    );
    let columns = components(&names.iter().map(String::as_str).collect::<Vec<_>>(), 3);
    let mut seen = outputs.clone();
    for n in 1..=4 {
        for name in ["shank", "hip", "foot", "thigh"] {
            seen = seen.replace(&format!("{name}@{n}"), &format!("leg[{n}].{name}"));
        }
    }
    let out = out + &outputs.replace('@', "");
    let placed = placed + &seen;
    for form in [by_joints, by_bodies] {
        same(&form(&out), &form(&placed), &columns, 1e-6);
    }
}

/// Parts in parts: the inner one is placed in the frame of the outer one.
#[test]
fn a_part_in_a_part_is_placed_twice() {
    let nested = "\
gravity (1, 2, -9)
part outer, at (1, 2, 3), turned x by 0.4
  body base: box(1, 0.2, 0.3) of 2, at (0.5, 0, 0)
  joint root: hinge(ground, base), at (0, 0, 0), axis y
  part inner, at (1, 0, 0.2), turned z by 0.7
    body arm: box(0.5, 0.1, 0.2) of 1, at (0, 0.25, 0)
    joint pin: ball(base, arm), at (0, 0, 0)
    start arm.spin = (0, 1, 0)
    let own = arm(0.1, 0, 0) - base
output p: outer.inner.arm(0.1, 0, 0), b: outer.base, d: outer.inner.own, w: outer.inner.arm.spin, F: reaction(outer.inner.pin)
";
    let turned = |v: &str| format!("pt({v})");
    let flat = format!(
        "\
gravity (1, 2, -9)
let pt(x, y, z) = (1 + x, 2 + y*cos(0.4) - z*sin(0.4), 3 + y*sin(0.4) + z*cos(0.4))
body base: box(1, 0.2, 0.3) of 2, at {base}, turned x by 0.4
joint root: hinge(ground, base), at {root}, axis (0, cos(0.4), sin(0.4))
body arm: box(0.5, 0.1, 0.2) of 1, at {arm}, turned x by 0.4, then z by 0.7
joint pin: ball(base, arm), at {pin}
start arm.spin = (-sin(0.7), cos(0.7)*cos(0.4), cos(0.7)*sin(0.4))
output p: arm(0.1, 0, 0), b: base, d: arm(0.1, 0, 0) - base, w: arm.spin, F: reaction(pin)
",
        base = turned("0.5, 0, 0"),
        root = turned("0, 0, 0"),
        arm = turned("1 - 0.25*sin(0.7), 0.25*cos(0.7), 0.2"),
        pin = turned("1, 0, 0.2"),
    );
    for form in [by_joints, by_bodies] {
        same(&form(nested), &form(&flat), &components(&["p", "b", "d", "w", "F"], 3), 1e-6);
    }
}

/// A part that is turned in a gravity moves in its frame as one that is not turned, in the gravity turned back. That holds for what
/// is made of plain coordinates, too.
#[test]
fn a_turned_part_is_a_turned_gravity() {
    let inside = "\
body arm: rod(1) of 1, from (0, 0, 0) to (0, 1, 0)
joint pin: universal(ground, arm), at (0, 0, 0), axis x z
particle bob: 0.3 in space
coord s
particle bead: 0.2 at (s, s^2, 0.1*s)
constraint rod: norm(bob - arm(0.5, 0, 0)) = 1
constraint line: bob.x = 0.3*bob.z - 0.15
force bead: (0.1, 0.2, -0.3)
force arm: (0.3, 0.2, -0.3)
start bob.x ~ 0, bob.y ~ 0, bob.z ~ 0.5, s = 0.2
potential 0.4*arm(0.5, 0, 0).z
output p: arm(0.5, 0, 0), q: bob, r: bead, w: arm.spin, F: reaction(pin), f: ideal(rod, bob)
";
    let placed = format!(
        "gravity (0, 0, -9.81)\npart all, at (3, 4, 5), turned x by 90 deg\n  {}\n",
        inside.trim_end().replace('\n', "\n  ")
    );
    let turned = format!("gravity (0, -9.81, 0)\n{inside}");
    let columns = components(&["p", "q", "r", "w", "F", "f"], 3);
    for form in [by_joints, by_bodies] {
        let ends = [form(&turned), form(&placed)].map(|one| one.run(Run::until(0.3)).unwrap());
        for name in &columns {
            let inner = format!("all.{name}");
            for (a, b, tolerance) in [
                (ends[0].column(name).unwrap()[0], ends[1].column(&inner).unwrap()[0], 1e-9),
                (ends[0].last(name).unwrap(), ends[1].last(&inner).unwrap(), 1e-6),
            ] {
                assert!((a - b).abs() <= tolerance * a.abs().max(1.0), "`{name}`: {a} and {b}");
            }
        }
    }
}

/// In the plane a part is placed by a point and an angle.
#[test]
fn a_part_in_the_plane_is_placed() {
    let placed = "\
gravity (0, -9.81)
body base: box(1, 0.2) of 2, at (0, 0)
joint rail: slider(ground, base), at (0, 0), axis x
part leg[i in 1..2], at (2*i, 1), turned z by 0.3*i
  body arm: rod(1) of 1, from (0, 0) to (0.6, -0.8)
  joint pin: hinge(base, arm), at (0, 0)
  joint bar: rod((0.6, -1.3), (0.6, -0.8) on arm)
  force arm: (1, 2)
  output turn: arm.angle, e: arm.e1
output p[i in 1..2]: leg[i].arm(0.5, 0), F[i in 1..2]: reaction(leg[i].pin), a[i in 1..2]: leg[i].arm.angle
";
    let mut flat = "\
gravity (0, -9.81)
let px(i, x, y) = 2*i + x*cos(0.3*i) - y*sin(0.3*i), py(i, x, y) = 1 + x*sin(0.3*i) + y*cos(0.3*i)
let P(i, x, y) = (px(i, x, y), py(i, x, y))
body base: box(1, 0.2) of 2, at (0, 0)
joint rail: slider(ground, base), at (0, 0), axis x
"
    .to_string();
    for i in 1..=2 {
        flat += &format!(
            "\
body arm{i}: rod(1) of 1, from P({i}, 0, 0) to P({i}, 0.6, -0.8)
joint pin{i}: hinge(base, arm{i}), at P({i}, 0, 0)
joint bar{i}: rod(P({i}, 0.6, -1.3), P({i}, 0.6, -0.8) on arm{i})
force arm{i}: (cos(0.3*{i}) - 2*sin(0.3*{i}), sin(0.3*{i}) + 2*cos(0.3*{i}))
"
        );
    }
    flat += "output p[1]: arm1(0.5, 0), p[2]: arm2(0.5, 0), F[1]: reaction(pin1), F[2]: reaction(pin2), a[1]: arm1.angle, a[2]: arm2.angle\n";
    let mut columns = components(&["p[1]", "p[2]", "F[1]", "F[2]"], 2);
    columns.extend(["a[1]".to_string(), "a[2]".to_string()]);
    for form in [by_joints, by_bodies] {
        let both = [form(&flat), form(placed)];
        same(&both[0], &both[1], &columns, 1e-6);
        // Inside the part angles count from its own first axis.
        let motion = both[1].run(Run::until(0.2)).unwrap();
        let (inside, outside) = (motion.last("leg[2].turn").unwrap(), motion.last("a[2]").unwrap());
        assert!((outside - inside - 0.6).abs() < 1e-12, "{inside} {outside}");
        assert!((motion.last("leg[2].e.1").unwrap() - inside.cos()).abs() < 1e-12);
    }
}

/// A part may be placed at a point of a body: where the body lies in the picture.
#[test]
fn a_part_is_placed_at_a_point_of_a_body() {
    let placed = "\
gravity (0, 0, -9.81)
body disc: disc(1) of 1, at (0, 0, 1), turned x by 90 deg
joint axle: hinge(ground, disc), at (0, 0, 1), axis y
part rod, at disc(0.5, 0.5, 0)
  body bar: rod(1) of 1, from (0, 0, 0) to (0, 0, -1)
  joint pin: hinge(disc, bar), at (0, 0, 0), axis y
output p: rod.bar
";
    let motion = system(placed).run(Run::until(0.1)).unwrap();
    let found = [1, 2, 3].map(|axis| motion.column(&format!("p.{axis}")).unwrap()[0]);
    for (found, expected) in found.into_iter().zip([0.5, 0.0, 1.0]) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}
