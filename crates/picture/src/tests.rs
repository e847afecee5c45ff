//! Pictures that models say, and pictures that are guessed.

use super::*;
use holonom_language::{DrawnShape, Stroke, from_text, load};
use holonom_mechanics::derive::derive;
use holonom_symbols::expr::Symbol;
use std::path::Path;

pub(super) fn equations(text: &str) -> Equations {
    let loaded = from_text("model.holo", text);
    derive(loaded.model.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.diagnostics))).unwrap().value
}

/// A model of the gallery as if it said nothing about its picture.
pub(super) fn gallery(path: &str) -> Equations {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery").join(path);
    let mut model = load(&file).model.unwrap();
    model.drawings.clear();
    derive(model).unwrap().value
}

/// What is drawn at a state: kinds with the places of their points.
pub(super) fn drawn(equations: &Equations, q: &[f64]) -> Vec<(&'static str, Vec<[f64; 3]>)> {
    let picture = picture(equations).expect("a picture");
    let mut frames = Frames::new(&picture, &probe::parameters(equations));
    let mut values = Vec::new();
    frames.at(0.0, q, &vec![0.0; q.len()], &mut values);
    assert_eq!(values.len(), frames.width());
    let places = |shape: &Shape| shape.points.iter().map(|&point| frames.place(point, &values)).collect();
    picture.shapes.iter().map(|shape| (shape.kind.name(), places(shape))).collect()
}

/// The rods at a state, each with its lower end first by x and then y.
pub(super) fn rods(equations: &Equations, q: &[f64]) -> Vec<[[f64; 3]; 2]> {
    let round = |place: [f64; 3]| place.map(|x| (x * 1e9).round() / 1e9 + 0.0);
    let mut all = Vec::new();
    for (kind, points) in drawn(equations, q) {
        if kind == "line" {
            let (a, b) = (round(points[0]), round(points[1]));
            all.push(if a <= b { [a, b] } else { [b, a] });
        }
    }
    all
}

fn with(rest: &str) -> String {
    format!("param R = 0.5, w = 2\ncoord x, y, theta\nkinetic (x'^2 + y'^2 + theta'^2)/2\n{rest}\n")
}

#[test]
fn what_is_drawn_is_where_it_says() {
    let text = with(
        "\
draw path (0, 0) (10, 0), width = thick, color = gray
draw[i in 0..4] path (cos(pi*i/2), sin(pi*i/2)), color = \"#0080ff\"
draw body (x, y), radius = R, angle = -theta, fill = yes, label = \"wheel\"
draw body (x, y), width = 2*R, height = R/2
draw spring (0, 0) (x, y), coils = 5
draw trace (x, y), length = 3
draw[i in 1..2] line (x, y) (x + i, y + R*t)
draw polygon (0, 0) (x, 0) (x, y)",
    );
    let equations = equations(&text);
    let picture = picture(&equations).unwrap();
    assert!(!picture.assumed);
    assert_eq!(picture.dimension, 2);
    let kinds: Vec<_> = picture.shapes.iter().map(|shape| shape.kind.name()).collect();
    assert_eq!(kinds, ["path", "path", "body", "body", "spring", "trace", "line", "line", "polygon"]);
    let mut frames = Frames::new(&picture, &[0.25, 2.0]);
    let mut values = Vec::new();
    frames.at(4.0, &[3.0, 5.0, 0.75], &[0.0; 3], &mut values);
    // x, y, −theta, x + 1, y + R t, x + 2: each once.
    assert_eq!(frames.width(), 6);
    let place = |shape: usize, point: usize| frames.place(picture.shapes[shape].points[point], &values);
    assert_eq!(place(0, 1), [10.0, 0.0, 0.0]);
    assert_eq!(picture.shapes[1].points.len(), 5);
    assert!((place(1, 1)[0]).abs() < 1e-15 && place(1, 1)[1] == 1.0);
    assert_eq!(place(4, 1), [3.0, 5.0, 0.0]);
    assert_eq!(place(7, 1), [5.0, 6.0, 0.0]);
    assert_eq!(place(8, 1), [3.0, 0.0, 0.0]);
    let amount = |scalar: Option<usize>| frames.amount(scalar.unwrap(), &values);
    let (wheel, block) = (&picture.shapes[2], &picture.shapes[3]);
    assert_eq!(amount(wheel.radius), 0.25);
    assert_eq!(amount(wheel.angle), -0.75);
    assert_eq!((wheel.fill, wheel.label.as_deref()), (Some(true), Some("wheel")));
    assert_eq!((amount(block.width), amount(block.height)), (0.5, 0.125));
    assert_eq!(frames.scalars()[wheel.radius.unwrap()], Amount::Fixed(0.25));
    assert_eq!(picture.shapes[0].stroke, Some(Stroke::Thick));
    assert_eq!(picture.shapes[1].color.unwrap().to_string(), "#0080ff");
    assert_eq!(picture.shapes[4].coils, Some(5));
    assert_eq!(amount(picture.shapes[5].length), 3.0);
    // The same point is listed once.
    assert_eq!(wheel.points, picture.shapes[5].points);
}

#[test]
fn one_point_in_space_makes_a_picture_in_space() {
    let flat = equations(&with("draw point (x, y), radius = R"));
    assert_eq!(picture(&flat).unwrap().dimension, 2);
    let deep = equations(&with("draw point (x, y)\ndraw point (x, y, theta)"));
    assert_eq!(picture(&deep).unwrap().dimension, 3);
    let disc = picture(&equations(&with("draw body (x, y), radius = R, axis = (sin(theta), 0, cos(theta))"))).unwrap();
    assert_eq!(disc.dimension, 3);
    let axis = disc.points[disc.shapes[0].axis.unwrap()];
    assert_eq!(disc.graph.evaluate(&axis, |symbol| probe::value(0, symbol))[1], 0.0);
}

/// Every kind of expression comes over into the graph of a picture.
#[test]
fn expressions_are_copied() {
    let text = with("\
let a = if(x < y and not (x > 1 or y > 5), x^theta, atan2(x, y)), b = sqrt(abs(x*y)) + max(x, exp(-y))/pi - 2*x^3/(1 + y)
draw line (a, b) (x + 0.1*x', y + w*t)");
    let equations = equations(&text);
    let picture = picture(&equations).unwrap();
    let drawn = &equations.model.drawings[0].points;
    let parameters = probe::parameters(&equations);
    for state in 0..10 {
        let at = |symbol| probe::value_with(state, symbol, &parameters);
        for (point, &number) in drawn.iter().zip(&picture.shapes[0].points) {
            let (due, found) =
                (equations.graph.evaluate(point, at), picture.graph.evaluate(&picture.points[number][..2], at));
            // Not a number here means not a number there.
            assert!(
                due.iter().zip(&found).all(|(a, b)| a.total_cmp(b).is_eq() || (a - b).abs() < 1e-12),
                "{due:?} {found:?}"
            );
        }
    }
}

#[test]
fn double_pendulum_in_its_angles() {
    let (a, b) = (0.4f64, -0.7f64);
    let equations = gallery("double-pendulum/double-pendulum.holo");
    let elbow = [a.sin(), -a.cos(), 0.0];
    let tip = [elbow[0] + 0.7 * b.sin(), elbow[1] - 0.7 * b.cos(), 0.0];
    let shapes = drawn(&equations, &[a, b]);
    let kinds: Vec<_> = shapes.iter().map(|shape| shape.0).collect();
    assert_eq!(kinds, ["trace", "line", "line", "point", "point", "ground"]);
    for (found, due) in shapes.iter().zip([vec![tip], vec![[0.0; 3], elbow], vec![elbow, tip], vec![elbow], vec![tip]])
    {
        for (found, due) in found.1.iter().flatten().zip(due.iter().flatten()) {
            assert!((found - due).abs() < 1e-14, "{shapes:?}");
        }
    }
}

#[test]
fn the_elbow_is_found_in_any_order_of_coordinates() {
    let text = "coord b, a\nlet p = (sin(a), -cos(a))\nparticle one: 1 at p, two: 1 at p + 2*(sin(b), -cos(b))\ngravity (0, -9.81)\n";
    let (b, a) = (0.3f64, 1.1f64);
    let rods = rods(&equations(text), &[b, a]);
    assert_eq!(rods.len(), 2);
    assert!((rods[0][1][0] - a.sin()).abs() < 1e-8 && (rods[1][0][0] - a.sin()).abs() < 1e-8);
}

/// Written as a square, as a norm, scaled, by components, with the centre elsewhere.
#[test]
fn rods_however_they_are_written() {
    let model = |rest: &str| {
        equations(&format!("param L = 2, c = 3\nparticle p: 1 in plane, q: 1 in plane\ngravity (0, -1)\n{rest}\n"))
    };
    let q = [1.0, 2.0, 4.0, 6.0];
    let between = [[1.0, 2.0, 0.0], [4.0, 6.0, 0.0]];
    for text in ["dot(p - q, p - q) = L^2", "norm(p - q) = L", "-3*norm(q - p)^3 = -L", "p - q = (1, L)"] {
        assert_eq!(rods(&model(&format!("constraint rod: {text}")), &q), [between], "{text}");
    }
    let centre = |x: f64, y: f64| [[x, y, 0.0], [4.0, 6.0, 0.0]];
    for (text, place) in [
        ("norm(q) = L", centre(0.0, 0.0)),
        ("(q.x - c)^2 + (q.y + 1)^2 = L^2", centre(3.0, -1.0)),
        ("norm(q - (c, -1)) = L", centre(3.0, -1.0)),
        ("atan(dot(q - (c, 1), q - (c, 1))/9) = 1", centre(3.0, 1.0)),
    ] {
        assert_eq!(rods(&model(&format!("constraint rod: {text}")), &q), [place], "{text}");
    }
}

#[test]
fn centres_follow_the_parameters() {
    let text =
        "param c = 3\nparticle p: 1 in plane\ngravity (0, -1)\nconstraint rod: dot(p - (c, 0), p - (c, 0)) = 4\n";
    let picture = picture(&equations(text)).unwrap();
    let frames = Frames::new(&picture, &[7.0]);
    assert_eq!(frames.points()[picture.shapes[1].points[0]], Place::Fixed([7.0, 0.0, 0.0]));
}

#[test]
fn rods_are_not_invented() {
    let model = |rest: &str| {
        equations(&format!("param L = 2\nparticle p: 1 in plane, q: 1 in plane\ngravity (0, -1)\n{rest}\n"))
    };
    for text in [
        "",
        "constraint line: p.y = p.x*tan(0.3)",
        "constraint curve: p.y = p.x^2",
        "constraint ellipse: p.x^2 + 2*p.y^2 = L",
        "constraint rope: norm(p) + norm(q) = L",
        "constraint mirror: p.x + q.x = 0",
        "constraint blade: p.x'*p.y = p.y'*p.x",
        "constraint winch: norm(p - q) = L + t",
        "constraint strange: norm(p - 2*q) = L",
        "constraint later: norm(p - q) = L, off\nevent e: p.y < 0 -> add later",
        "constraint string: norm(p - q) = L\nevent e: p.y < 0 -> drop string",
    ] {
        assert!(rods(&model(text), &[1.0, 2.0, 4.0, 6.0]).is_empty(), "{text}");
    }
    assert!(picture(&gallery("skate/skate.holo")).is_none());
    assert!(picture(&gallery("wheel/wheel.holo")).is_none());
    assert!(rods(&gallery("elastic-pendulum/elastic-pendulum.holo"), &[1.0, 2.0]).is_empty());
}

#[test]
fn a_slider_has_a_rod() {
    let text = "coord s, x, y\nparticle slider: 1 at (s, 0), bob: 1 at (x, y)\ngravity (0, -1)\nconstraint rod: norm(slider - bob) = 1\n";
    assert_eq!(rods(&equations(text), &[3.0, 1.0, 2.0]), [[[1.0, 2.0, 0.0], [3.0, 0.0, 0.0]]]);
    let text = "coord s, a\nparticle cart: 1 at (s, 0), bob: 1 at (s + 2*sin(a), -2*cos(a))\ngravity (0, -1)\n";
    assert_eq!(rods(&equations(text), &[3.0, 0.0]), [[[3.0, -2.0, 0.0], [3.0, 0.0, 0.0]]]);
}

#[test]
fn the_mechanisms_of_the_gallery() {
    let point = |x: f64, y: f64| [x, y, 0.0];
    let chain = gallery("chain/chain.holo");
    let q: Vec<f64> = (1..=10).flat_map(|i| [f64::from(i), 0.5]).collect();
    let due: Vec<_> = (1..=10)
        .map(|i| [if i == 1 { [0.0; 3] } else { point(f64::from(i) - 1.0, 0.5) }, point(f64::from(i), 0.5)])
        .collect();
    assert_eq!(rods(&chain, &q), due);

    // Crank (its middle and its end), coupler (its middle and its end), rocker (its middle and its end).
    let half = std::f64::consts::FRAC_PI_2;
    let found = rods(&gallery("four-bar/four-bar.holo"), &[half, 0.0, half]);
    for rod in [
        [point(0.0, 0.0), point(0.0, 0.3)],
        [point(0.0, 0.3), point(0.4, 0.3)],
        [point(0.0, 0.3), point(0.8, 0.3)],
        [point(0.9, 0.0), point(0.9, 0.3)],
        [point(0.9, 0.0), point(0.9, 0.6)],
    ] {
        assert!(found.contains(&rod), "{rod:?} {found:?}");
    }
    let bars = gallery("n-four-bar/n-four-bar.holo");
    let q: Vec<f64> = (0..=10).flat_map(|i| [f64::from(i), 1.0]).collect();
    let found = rods(&bars, &q);
    assert_eq!(found.len(), 21);
    assert_eq!(found[3], [point(3.0, 0.0), point(3.0, 1.0)]);
    assert_eq!(found[20], [point(9.0, 1.0), point(10.0, 1.0)]);

    let spherical = gallery("spherical-pendulum/spherical-pendulum.holo");
    assert_eq!(picture(&spherical).unwrap().dimension, 3);
    let (theta, phi) = (0.5f64, 1.0f64);
    let bob = [theta.sin() * phi.cos(), theta.sin() * phi.sin(), -theta.cos()].map(|x| 2.0 * x);
    let shapes = drawn(&spherical, &[theta, phi]);
    assert_eq!(shapes[1].0, "line");
    assert_eq!(shapes[1].1[0], [0.0; 3]);
    for (found, due) in shapes[1].1[1].iter().zip(bob) {
        assert!((found - due).abs() < 1e-14);
    }
}

/// What is drawn must not depend on the unit of length.
#[test]
fn small_mechanisms_have_rods_too() {
    for size in ["1e-9", "1e9"] {
        let text = format!(
            "param l = {size}\ncoord a, b\nlet p = l*(sin(a), -cos(a))\nparticle one: 1 at p, two: 1 at p + l*(sin(b), -cos(b))\ngravity (0, -1)\n"
        );
        let picture = picture(&equations(&text)).unwrap();
        assert_eq!(picture.shapes.iter().filter(|shape| shape.kind.name() == "line").count(), 2, "{size}");
    }
}

/// All rods of Andrews' mechanism keep their lengths, and all seven masses are at the end of one.
#[test]
fn andrews_mechanism() {
    let equations = gallery("andrews/andrews.holo");
    let lengths = |q: &[f64]| -> Vec<f64> {
        let length = |rod: &[[f64; 3]; 2]| (rod[0][0] - rod[1][0]).hypot(rod[0][1] - rod[1][1]);
        rods(&equations, q).iter().map(length).collect()
    };
    let (one, two) = (lengths(&[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]), lengths(&[1.1, -0.2, 2.3, 1.4, 0.1, 3.6, -0.7]));
    assert_eq!(one.len(), two.len());
    let mut same = one.clone();
    same.sort_by(f64::total_cmp);
    let mut other = two;
    other.sort_by(f64::total_cmp);
    assert!(same.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-8), "{same:?} {other:?}");
    assert!((12..=20).contains(&one.len()), "{}", one.len());
}

/// A chain of so many links.
fn links(count: usize) -> Equations {
    equations(&format!(
        "param N = {count}, l = 1/N
particle p[1..N]: 1 in plane
let p[0] = (0, 0)
gravity (0, -9.81)
constraint rod[i in 1..N]: dot(p[i] - p[i-1], p[i] - p[i-1]) = l^2
"
    ))
}

/// The picture of a long chain is built in proportion to its length.
#[test]
fn a_thousand_links() {
    let built = |equations: &Equations| {
        holonom_testing::bytes(|| {
            let picture = picture(equations).unwrap();
            let frames = Frames::new(&picture, &probe::parameters(equations));
            (picture, frames)
        })
    };
    let (_, half) = built(&links(500));
    let ((picture, mut frames), whole) = built(&links(1000));
    assert!(2 * whole <= 5 * half, "{half} bytes for 500 links, {whole} for 1000");
    // A trace, a thousand rods and dots, a support.
    assert_eq!(picture.shapes.len(), 2002);
    assert_eq!(frames.width(), 2000);
    let q: Vec<f64> = (0..2000).map(|i| probe::value(0, Symbol::Position(i))).collect();
    let mut values = Vec::new();
    frames.at(0.0, &q, &q, &mut values);
    let room = values.capacity();
    frames.at(1.0, &q, &q, &mut values);
    assert_eq!(room, values.capacity());
    let mut sorted = values.clone();
    sorted.sort_by(f64::total_cmp);
    let mut due = q.clone();
    due.sort_by(f64::total_cmp);
    assert_eq!(sorted, due);
}

/// The rails of a model, laid for a motion through these places.
fn rails(text: &str, parameters: &[f64], places: &[[f64; 2]]) -> Vec<Vec<[f64; 3]>> {
    let mut picture = picture(&equations(text)).unwrap();
    let before = Frames::new(&picture, parameters).points().to_vec();
    picture.lay_rails(parameters, |_| places.to_vec());
    let frames = Frames::new(&picture, parameters);
    assert_eq!(frames.points()[..before.len()], before);
    let rails = picture.shapes.iter().take_while(|shape| shape.kind == DrawnShape::Path);
    rails.map(|rail| rail.points.iter().map(|&point| frames.place(point, &[])).collect()).collect()
}

#[test]
fn rails_reach_a_little_farther_than_the_motion() {
    let text =
        |curve: &str| format!("param k = 0.5\nparticle p: 1 in plane\ngravity (0, -1)\nconstraint rail: {curve}\n");
    let line = rails(&text("p.y = k*p.x"), &[0.5], &[[1.0, 0.5], [0.0, 0.0], [2.0, 1.0]]);
    assert_eq!(line.len(), 1);
    assert!(line[0].iter().all(|&[x, y, _]| (y - 0.5 * x).abs() < 1e-12));
    let (first, last) = (line[0][0][0], line[0][line[0].len() - 1][0]);
    assert!(first.min(last) < -0.45 && first.min(last) > -0.6, "{first} {last}");
    assert!(first.max(last) > 2.45 && first.max(last) < 2.6, "{first} {last}");
    assert!(line[0].windows(2).all(|pair| (pair[0][0] - pair[1][0]) * (first - last) > 0.0));

    let level = rails(&text("p.y = k"), &[0.5], &[[0.0, 0.5], [2.0, 0.5]]);
    assert!(level[0].iter().all(|&[_, y, _]| y == 0.5));

    // A closed one ends where it began.
    let ellipse = rails(&text("p.x^2 + 4*p.y^2 = k"), &[4.0], &[[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0]]);
    assert_eq!(ellipse[0][0], ellipse[0][ellipse[0].len() - 1]);
    assert!(ellipse[0].len() < 250);
    assert!(ellipse[0].iter().all(|&[x, y, _]| (x * x + 4.0 * y * y - 4.0).abs() < 1e-6));
    // A circle is a rod, a pin is nothing, and neither is a curve that time moves.
    for curve in ["norm(p) = k", "p = (k, 1)", "p.y = k*t"] {
        assert!(rails(&text(curve), &[0.5], &[[0.3, 0.4]]).is_empty(), "{curve}");
    }
    // Places that are none, and curves without slope.
    assert!(rails(&text("p.y = k"), &[0.5], &[]).is_empty());
    assert!(rails(&text("p.y = k"), &[0.5], &[[f64::NAN, 1.0]]).is_empty());
    assert!(rails(&text("sqrt(p.y - p.x^2) = k"), &[0.5], &[[3.0, 1.0]]).is_empty());
}

/// A rope is a line, a floor a rail; what keeps things apart is no rod, and what is turned off is not there.
#[test]
fn one_sided_constraints_are_lines_and_rails() {
    let ball = "particle p: 1 in plane\ngravity (0, -9.81)\nstart p = (0, 1)\n";
    for (text, lines, rails) in [
        ("constraint rope: norm(p - (0, 2)) <= 3", 1, 0),
        ("constraint rope: dot(p, p) <= 9", 1, 0),
        ("constraint floor: p.y >= 0", 0, 1),
        ("constraint hill: p.y >= -p.x^2", 0, 1),
        ("constraint ball: norm(p) >= 1", 0, 1),
        ("stop walls: p.x in -1..1", 0, 2),
        ("constraint rope: norm(p) <= 3, off", 0, 0),
        ("particle q: 1 in plane\nstart q = (0, 2)\nconstraint rope: norm(p - q) <= 3", 1, 0),
        ("particle q: 1 in plane\nstart q = (0, 2)\nconstraint apart: norm(p - q) >= 0.5", 0, 0),
    ] {
        let picture = picture(&equations(&format!("{ball}{text}\n"))).expect("it has particles");
        let found = picture.shapes.iter().filter(|shape| shape.kind.name() == "line").count();
        assert_eq!((found, picture.rails.len()), (lines, rails), "{text}");
    }
}

/// `sqrt` of a coordinate has no value at half of the states looked at: the particle is not drawn, and nothing is counted below zero.
#[test]
fn a_particle_that_is_nowhere_is_not_drawn() {
    let model = "coord x, y\nparticle p: 1 at (x, sqrt(x))\nlet tip = (x - cos(y), y)\nconstraint floor: tip.y = 0\nstart x = 0\n";
    let shapes = picture(&equations(model)).map_or(Vec::new(), |picture| picture.shapes);
    assert!(shapes.iter().all(|shape| !shape.points.is_empty()));
}
