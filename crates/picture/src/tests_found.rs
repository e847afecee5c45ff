//! Springs, supports, floors, named points and arrows of models that say nothing about their picture.

use super::tests::{drawn, equations, gallery, rods};
use super::*;
use holonom_language::DrawnShape;

/// How many shapes of each kind: lines, springs, dots, hollow dots, supports.
fn counts(equations: &Equations) -> [usize; 5] {
    let picture = picture(equations).expect("a picture");
    let count = |kind: DrawnShape, hollow: bool| {
        picture.shapes.iter().filter(|shape| shape.kind == kind && (shape.fill == Some(false)) == hollow).count()
    };
    [
        count(DrawnShape::Line, false),
        count(DrawnShape::Spring, false),
        count(DrawnShape::Point, false),
        count(DrawnShape::Point, true),
        count(DrawnShape::Ground, false),
    ]
}

/// The lengths of the springs at a state.
fn springs(equations: &Equations, q: &[f64]) -> Vec<f64> {
    let springs = drawn(equations, q).into_iter().filter(|(kind, _)| *kind == "spring");
    springs.map(|(_, p)| (0..3).map(|i| (p[0][i] - p[1][i]).powi(2)).sum::<f64>().sqrt()).collect()
}

/// A spring is as long as its potential says, at every state: V = k (length − l0)²/2.
#[test]
fn springs_have_the_length_of_their_potential() {
    let plane = "param k = 3, l0 = 0.5, c = 2\nparticle p: 1 in plane, q: 1 in plane\ngravity (0, -1)\n";
    let polar = "param k = 3, l0 = 0.5, c = 2\ncoord r, a\nparticle p: 1 at r*(sin(a), -cos(a))\n";
    let line = "param k = 3, l0 = 0.5, c = 2\ncoord x, y\nparticle p: 1 at (x, 1), q: 1 at (y, 1)\n";
    for (model, potential, l0) in [
        (plane, "k*(norm(p - q) - l0)^2/2", 0.5),
        (plane, "(sqrt((p.x - q.x)^2 + (p.y - q.y)^2) - l0)^2*k/2", 0.5),
        (plane, "k*dot(p - q, p - q)/2", 0.0),
        (plane, "k*(norm(p - (c, 1)) - l0)^2/2", 0.5),
        (plane, "k*(p.x^2 + p.y^2)/2", 0.0),
        (polar, "k*(r - l0)^2/2", 0.5),
        (polar, "k*(norm(p - (c, 1)) - l0)^2/2", 0.5),
        (line, "k*(x - y - l0)^2/2", 0.5),
        (line, "k*(y - l0)^2/2", 0.5),
        (line, "k*y^2/2", 0.0),
    ] {
        let equations = equations(&format!("{model}potential {potential}\n"));
        for state in 0..4 {
            let n = equations.model.coordinates.len() as u32;
            let q: Vec<f64> = (0..n).map(|i| probe::value(state, holonom_symbols::expr::Symbol::Position(i))).collect();
            let parameters = probe::parameters(&equations);
            let value = equations.model.potential[0].value;
            let energy = equations.graph.evaluate(&[value], |symbol| probe::value_with(state, symbol, &parameters))[0];
            let found = springs(&equations, &q);
            assert_eq!(found.len(), 1, "{potential}");
            // A coordinate may be negative, a length is not.
            let due = |length: f64| 1.5 * (length - l0).powi(2);
            let fits = [found[0], -found[0]].iter().any(|&length| (due(length) - energy).abs() < 1e-9 * (1.0 + energy));
            assert!(fits, "{potential}: {found:?} {energy}");
        }
    }
}

#[test]
fn springs_are_not_invented() {
    let model = "param k = 3, l = 1\nparticle p: 1 in plane, q: 1 in plane\ncoord s, a\nkinetic s'^2/2 + a'^2/2\n";
    for potential in [
        "k*p.y",
        "k*a^2/2",
        "k*s^2/2",
        "k*p.x^2/2",
        "-k*dot(p - q, p - q)/2",
        "k*norm(p - q)",
        "k*norm(p - q)^3",
        "k*(norm(p - 2*q) - l)^2/2",
        "k*(norm(p - q) - s)^2/2",
        "k*(p.x*q.x)^2",
        "-k/norm(p - q)",
    ] {
        let equations = equations(&format!("{model}potential {potential}\n"));
        assert_eq!(counts(&equations), [0, 0, 2, 0, 0], "{potential}");
    }
}

/// Unrelated particles are dots and nothing else, whatever vectors have names.
#[test]
fn nothing_is_invented() {
    let text = "\
param L = 2
particle p: 1 in plane, q: 1 in plane
coord a, b
kinetic a'^2/2 + b'^2/2
let e = (cos(a), sin(a)), way = q - p, arm = L*(cos(b), sin(b)), sum = p + q, fixed = (1, 2), speed = p'
let twice = 2*p, turned = (-p.y, p.x)
gravity (0, -1)
";
    assert_eq!(counts(&equations(text)), [0, 0, 2, 0, 0]);
    let picture = picture(&equations(text)).unwrap();
    assert!(picture.rails.is_empty() && picture.slides.is_empty());
    // Nor beside a pendulum with the same pivot: a direction, an arm and a difference are no points.
    let text = "\
param L = 2
coord a, b
let e = (sin(a), -cos(a)), elbow = L*e, arm = 3*(sin(b), -cos(b)), tip = elbow + arm, way = elbow - tip
particle one: 1 at elbow, two: 1 at tip
gravity (0, -1)
";
    assert_eq!(counts(&equations(text)), [2, 0, 2, 0, 1]);
}

/// The same mechanism with other names in another order looks the same.
#[test]
fn names_and_order_change_nothing() {
    let one = "\
param L = 1, k = 5
coord x, y, theta
particle middle: 1 at (x, y), bob: 2 in plane
kinetic theta'^2/24
let foot = (x + L/2*cos(theta), y - L/2*sin(theta)), top = (x - L/2*cos(theta), y + L/2*sin(theta))
potential k*(norm(bob - top) - 1)^2/2
constraint floor: foot.y = 0
constraint wall: top.x >= 0
constraint rope: norm(bob - (3, 4)) = 2
";
    let other = "\
constraint a: norm(z - (3, 4)) = 2
constraint b: v.x >= 0
constraint c: u.y = 0
potential k*(norm(z - v) - 1)^2/2
let v = (X - L/2*cos(s), Y + L/2*sin(s)), u = (X + L/2*cos(s), Y - L/2*sin(s))
kinetic s'^2/24
coord s, Y, X
particle z: 2 in plane, w: 1 at (X, Y)
param k = 5, L = 1
";
    let shapes = |text: &str, q: &[f64]| {
        let mut all: Vec<String> = Vec::new();
        for (kind, points) in drawn(&equations(text), q) {
            let mut ends: Vec<String> =
                points.iter().map(|p| format!("{:?}", p.map(|x| (x * 1e9).round() + 0.0))).collect();
            ends.sort();
            all.extend((kind != "trace").then(|| format!("{kind} {ends:?}")));
        }
        all.sort();
        all
    };
    let (x, y, theta, p, q) = (0.4, 0.3, 0.9, 1.5, 2.5);
    let first = shapes(one, &[x, y, theta, p, q]);
    assert_eq!(first, shapes(other, &[theta, y, x, p, q]));
    assert_eq!(counts(&equations(one)), [3, 1, 2, 2, 1]);
    assert_eq!(picture(&equations(one)).unwrap().rails.len(), 2);
    assert_eq!(first.len(), 9);
}

/// Points without mass: ends of a ladder, arms that are parts, a point on a rod, a knee between massless links.
#[test]
fn named_points_belong_to_the_mechanism() {
    assert_eq!(counts(&gallery("ladder/ladder.holo")), [2, 0, 1, 2, 0]);
    let arms = gallery("two-arms/two-arms.holo");
    let found = rods(&arms, &[0.0, 0.0, 0.5, 2.0 * 0.5f64.sin(), -2.0 * 0.5f64.cos(), 1.0]);
    let length = |rod: &[[f64; 3]; 2]| (rod[0][0] - rod[1][0]).hypot(rod[0][1] - rod[1][1]);
    assert!(found.iter().any(|rod| (length(rod) - 2.0).abs() < 1e-8), "{found:?}");
    assert!(found.iter().any(|rod| (length(rod) - 1.0).abs() < 1e-8), "{found:?}");
    // The third hanger goes from the middle of the seat, a let, to the middle of the ceiling, another.
    let q = [0.1, -2.0, 3.1, -2.0];
    let third = [[1.5, 0.0, 0.0], [1.6, -2.0, 0.0]];
    assert!(rods(&gallery("parallelogram/parallelogram.holo"), &q).contains(&third));
    assert_eq!(counts(&gallery("watt/watt.holo")), [3, 0, 2, 1, 2]);
    let knee = "\
particle foot: 1 in plane
coord a, b
let hip = (0, 2), knee = hip + (sin(a), -cos(a)), heel = knee + (sin(b), -cos(b))
gravity (0, -1)
constraint shank: foot = heel
";
    // The knee, and the heel beside the foot, with which it coincides.
    assert_eq!(counts(&equations(knee)), [2, 0, 1, 2, 1]);
}

#[test]
fn springs_of_the_gallery() {
    for (path, due) in [
        ("elastic-pendulum/elastic-pendulum.holo", 1),
        ("andrews/andrews.holo", 1),
        ("belt/belt.holo", 1),
        ("watt/watt.holo", 0),
        ("peaucellier/peaucellier.holo", 0),
        ("pendulum/pendulum.holo", 0),
    ] {
        assert_eq!(counts(&gallery(path))[1], due, "{path}");
    }
}

/// Ground is on the right of its points, where the gap is negative.
#[test]
fn floors_are_hatched_where_nothing_may_be() {
    let free = "particle p: 1 in plane\ngravity (0, -1)\nstart p = (0, 1)\n";
    let guided = "coord y\nparticle p: 1 at (0, y)\ngravity (0, -1)\nstart y = 1\n";
    let stick = "coord x, y, a\nparticle m: 1 at (x, y)\nkinetic a'^2/2\nlet p = (x + 2*cos(a), y + 2*sin(a))\ngravity (0, -1)\n";
    for (model, row, allowed) in [
        (free, "p.y >= 0", [0.0, 1.0]),
        (free, "p.y <= 3", [0.0, -1.0]),
        (free, "p.y >= p.x", [-1.0, 1.0]),
        (free, "p.x <= 2 + p.y", [-1.0, 1.0]),
        (guided, "y >= 0", [0.0, 1.0]),
        (guided, "y <= 4", [0.0, -1.0]),
        (stick, "p.y >= 0", [0.0, 1.0]),
        (stick, "p.x + p.y <= 1", [-1.0, -1.0]),
    ] {
        let equations = equations(&format!("{model}constraint side: {row}\n"));
        let mut picture = picture(&equations).unwrap();
        let parameters = probe::parameters(&equations);
        picture.lay_rails(&parameters, |rail| {
            let mut frames = Vec::new();
            // Places on the line are as good as any: those nearest to some points.
            for k in 0..5 {
                let value = |id| picture_value(&equations, rail, id, [f64::from(k), 0.3]);
                let (phi, [gx, gy]) = (value(0), [value(1), value(2)]);
                let share = phi / (gx * gx + gy * gy);
                frames.push([f64::from(k) - share * gx, 0.3 - share * gy]);
            }
            frames
        });
        let ground = picture.shapes.iter().find(|shape| shape.kind == DrawnShape::Ground).expect(row);
        let frames = Frames::new(&picture, &parameters);
        let [a, b] = [0, 1].map(|k| frames.place(ground.points[k], &vec![0.0; frames.width()]));
        let right = [b[1] - a[1], a[0] - b[0]];
        let dot = right[0] * allowed[0] + right[1] * allowed[1];
        let sizes = right[0].hypot(right[1]) * f64::hypot(allowed[0], allowed[1]);
        assert!((dot + sizes).abs() < 1e-9 * sizes, "{row}: {right:?}");
    }
}

/// φ or a component of its gradient at a place.
fn picture_value(equations: &Equations, rail: &Rail, which: usize, place: [f64; 2]) -> f64 {
    let picture = picture(equations).unwrap();
    let id = [rail.curve, rail.gradient[0], rail.gradient[1]][which];
    picture.graph.evaluate(&[id], |symbol| match symbol {
        holonom_symbols::expr::Symbol::Position(j) if j as usize == rail.coordinates[0] => place[0],
        holonom_symbols::expr::Symbol::Position(j) if j as usize == rail.coordinates[1] => place[1],
        other => probe::value_with(0, other, &probe::parameters(equations)),
    })[0]
}

/// A floor that the motion touches only later is drawn, too.
#[test]
fn floors_are_seen_from_above() {
    let text = "particle p: 1 in plane\ngravity (0, -1)\nstart p = (0, 1)\nconstraint floor: p.y >= 0\n";
    let mut picture = picture(&equations(text)).unwrap();
    picture.lay_rails(&[], |_| vec![[0.0, 1.0], [1.0, 0.2], [2.0, 0.7]]);
    let frames = Frames::new(&picture, &[]);
    let ground = &picture.shapes[0];
    assert_eq!((ground.kind, ground.points.len()), (DrawnShape::Ground, 2));
    let [a, b] = [0, 1].map(|k| frames.place(ground.points[k], &[0.0; 2]));
    assert!(a[0] < 0.0 && b[0] > 2.0 && a[1] == 0.0 && b[1] == 0.0, "{a:?} {b:?}");
}

/// Sixty particles above one floor see one floor, from the first to the last.
#[test]
fn many_particles_share_a_floor() {
    let text = "particle p[i in 1..60]: 1 in plane\ngravity (0, -1)\nconstraint floor[i in 1..60]: p[i].y >= 0\n";
    let mut picture = picture(&equations(text)).unwrap();
    picture.lay_rails(&[], |rail| vec![[rail.coordinates[0] as f64, 1.0]]);
    let frames = Frames::new(&picture, &[]);
    let floors: Vec<&Shape> = picture.shapes.iter().filter(|shape| shape.kind == DrawnShape::Ground).collect();
    assert_eq!(floors.len(), 1);
    let [a, b] = [0, 1].map(|k| frames.place(floors[0].points[k], &[0.0; 120]));
    assert!(a[0] < 0.0 && b[0] > 118.0 && a[1] == 0.0 && b[1] == 0.0, "{a:?} {b:?}");
}

/// A pendulum hangs from its support, a post stands on it, and what turns all around says nothing.
#[test]
fn ground_is_on_the_side_away_from_the_mechanism() {
    let text = "particle p: 1 in plane\ngravity (0, -1)\nconstraint rod: norm(p) = 1\n";
    let axis = |places: &[[f64; 2]]| {
        let mut picture = picture(&equations(text)).unwrap();
        picture.turn_supports(&[], places.iter().map(|place| (0.0, place.to_vec(), vec![0.0; 2])));
        let support = picture.shapes.iter().find(|shape| shape.kind == DrawnShape::Ground).unwrap();
        support.axis.map(|axis| Frames::new(&picture, &[]).place(axis, &[0.0; 2]))
    };
    assert_eq!(axis(&[[0.8, -0.6], [0.0, -1.0], [-0.8, -0.6]]), Some([0.0, 1.0, 0.0]));
    assert_eq!(axis(&[[0.1, 1.0], [-0.1, 1.0]]), None);
    assert_eq!(axis(&[[1.0, 0.1], [1.0, -0.1]]), Some([-1.0, 0.0, 0.0]));
    assert_eq!(axis(&[[-1.0, 0.1], [-1.0, -0.1]]), Some([1.0, 0.0, 0.0]));
    assert_eq!(axis(&[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]), None);
}

#[test]
fn one_coordinate_leads_along_a_curve() {
    let beads = picture(&gallery("tautochrone/tautochrone.holo")).unwrap();
    assert_eq!(beads.slides.len(), 3);
    assert_eq!(picture(&gallery("cart-pole/cart-pole.holo")).unwrap().slides.len(), 1);
    // A circle has a rod; what falls alone is not guided.
    let pendulum = "coord a\nparticle p: 1 at (sin(a), -cos(a))\ngravity (0, -1)\n";
    assert!(picture(&equations(pendulum)).unwrap().slides.is_empty());
    let falls = "coord y\nparticle p: 1 at (0, y)\ngravity (0, -1)\n";
    assert!(picture(&equations(falls)).unwrap().slides.is_empty());
}

/// The arrow of a velocity is the derivative of the place; forces are those of coordinates that move one particle alone.
#[test]
fn arrows_are_velocities_and_forces() {
    let pendulum = gallery("double-pendulum/double-pendulum.holo");
    let mut picture = picture(&pendulum).unwrap();
    let arrows = picture.arrows(&pendulum);
    assert_eq!((arrows.velocities.len(), arrows.reactions.len()), (2, 0));
    let mut frames = Frames::new(&picture, &probe::parameters(&pendulum));
    let (q, v, h) = ([0.4, -0.7], [1.3, 0.2], 1e-6);
    let mut at = |step: f64, point: usize| {
        let mut values = Vec::new();
        frames.at(step, &[q[0] + step * v[0], q[1] + step * v[1]], &v, &mut values);
        frames.place(point, &values)
    };
    for &[point, rate] in &arrows.velocities {
        let (before, after, found) = (at(-h, point), at(h, point), at(0.0, rate));
        for i in 0..3 {
            assert!(((after[i] - before[i]) / (2.0 * h) - found[i]).abs() < 1e-8);
        }
    }
    let forces = |text: &str| {
        let equations = equations(text);
        let mut picture = super::picture(&equations).unwrap();
        picture.arrows(&equations).reactions.into_iter().map(|(_, of)| of).collect::<Vec<_>>()
    };
    let rod = "particle p: 1 in plane\ngravity (0, -1)\nconstraint rod: norm(p) = 1\n";
    assert_eq!(forces(rod), [[Some(0), Some(1), None]]);
    // Coordinates that move two masses, or a particle along a guide, do not say what acts on one of them.
    let cart = "coord x, a\nparticle p: 1 at (x, 0), q: 1 at (x + sin(a), cos(a))\ngravity (0, -1)\n";
    assert!(forces(cart).is_empty());
    let shared = "coord x, y\nparticle p: 1 at (x, y)\nkinetic x'^2\nconstraint rod: x^2 + y^2 = 1\n";
    assert!(forces(shared).is_empty());
}
