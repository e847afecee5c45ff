//! Frames as ends of joints: an axis that is written is the axis; else it is the frame's. Bodies stay as they were placed.

use super::known::{by_bodies, by_joints, close};
use holonom::Run;

const UPPER: &str = "\
param   g = 9.81
body    upper: box(0.6, 0.08, 0.06) of 3, at (0.3, 0, 0.4)
gravity (1, 2, -g)
output  e1: upper.e1, e2: upper.e2, w: upper.spin
";

/// The orientation in the picture is kept, coordinates are zero there, and rates turn about `axis`.
fn keeps(joint: &str, rates: &[(&str, [f64; 3])]) {
    for build in [by_joints, by_bodies] {
        for (rate, spin) in rates {
            let text = format!("{UPPER}{joint}start {rate}' = 1\n");
            let motion = build(&text).run(Run::until(0.2)).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let at = |name: &str| motion.value_at(0.0, name).unwrap();
            for (name, due) in [("e1.1", 1.0), ("e2.2", 1.0), (*rate, 0.0)] {
                assert!((at(name) - due).abs() < 1e-12, "{name}: {} instead of {due}\n{text}", at(name));
            }
            for (axis, due) in spin.iter().enumerate() {
                close(at(&format!("w.{}", axis + 1)), *due, 1e-12);
            }
        }
        let ends = [by_joints, by_bodies].map(|build| build(&format!("{UPPER}{joint}")).run(Run::until(0.2)).unwrap());
        for name in ["e1.1", "e1.2", "e1.3", "e2.1", "e2.2", "e2.3"] {
            close(ends[0].last(name).unwrap(), ends[1].last(name).unwrap(), 1e-6);
        }
    }
}

#[test]
fn an_axis_that_is_written_is_the_axis() {
    let point = "upper(-0.3, 0, 0)";
    for (turned, axis, spin) in [
        ("", "(0, 0, -1)", [0.0, 0.0, -1.0]),
        ("", "y", [0.0, 1.0, 0.0]),
        (", turned x by 90 deg", "y", [0.0, 1.0, 0.0]),
        (", turned x by 0.3", "(3, 0, 4)", [0.6, 0.0, 0.8]),
    ] {
        let frame = format!("frame shoulder on ground: at (0, 0, 0.4){turned}\nframe root on upper: at (0, 0, 0.4)\n");
        for ends in [format!("shoulder, {point}"), "shoulder, root".into(), "ground(0, 0, 0.4), root".into()] {
            keeps(&format!("{frame}joint sh: hinge({ends}), axis {axis}\n"), &[("sh", spin)]);
        }
    }
}

#[test]
fn without_an_axis_it_is_that_of_the_frame() {
    let frame = "frame shoulder on ground: at (0, 0, 0.4), turned x by -90 deg\n";
    for root in ["turned x by -90 deg", "turned x by 90 deg", "turned x by -90 deg, then z by 1"] {
        let joint = format!("{frame}frame root on upper: at (0, 0, 0.4), {root}\njoint sh: hinge(shoulder, root)\n");
        keeps(&joint, &[("sh", [0.0, 1.0, 0.0])]);
    }
    keeps(&format!("{frame}joint sh: hinge(shoulder, upper(-0.3, 0, 0))\n"), &[("sh", [0.0, 1.0, 0.0])]);
    keeps(&format!("{frame}joint sh: cylindrical(shoulder, upper(-0.3, 0, 0))\n"), &[("sh.angle", [0.0, 1.0, 0.0])]);
}

#[test]
fn a_universal_joint_has_its_axes_where_they_are_written() {
    let frame = "frame shoulder on ground: at (0, 0, 0.4)\nframe root on upper: at (0, 0, 0.4), turned z by 90 deg\n";
    let point = "upper(-0.3, 0, 0)";
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    for ends in [format!("shoulder, {point}"), "shoulder, root".into()] {
        keeps(&format!("{frame}joint u: universal({ends}), axis x y\n"), &[("u.1", x), ("u.2", y)]);
    }
    keeps(&format!("{frame}joint u: universal(shoulder, root)\n"), &[("u.1", z), ("u.2", y)]);
    keeps(&format!("{frame}joint u: universal(shoulder, {point})\n"), &[("u.1", z), ("u.2", x)]);
}

/// In the plane a slider runs along the axis that is written, or along the first axis of its frame.
#[test]
fn a_slider_in_the_plane_keeps_its_body_upright() {
    for (joint, along) in [
        ("slider(f, a(-0.5, 0)), axis x", [1.0, 0.0]),
        ("slider(f, a(-0.5, 0)), axis y", [0.0, 1.0]),
        ("slider(f, a(-0.5, 0))", [0.0, 1.0]),
        ("slider(f, h)", [0.0, 1.0]),
        ("slider(ground(0, 0), h)", [0.0, -1.0]),
    ] {
        let text = format!(
            "body a: box(1, 0.1) of 1, from (0, 0) to (1, 0)\nframe f on ground: at (0, 0), turned z by 90 deg\n\
             frame h on a: at (0, 0), turned z by -90 deg\njoint s: {joint}\nstart s' = 1\noutput e: a.e1, v: a'\n"
        );
        for build in [by_joints, by_bodies] {
            let motion = build(&text).run(Run::until(0.1)).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let at = |name: &str| motion.value_at(0.1, name).unwrap();
            for (name, due) in [("e.1", 1.0), ("s", 0.1), ("v.1", along[0]), ("v.2", along[1])] {
                assert!((at(name) - due).abs() < 1e-9, "{name}: {} instead of {due}\n{text}", at(name));
            }
        }
    }
}

/// In the plane a cylinder between two points lies in the plane: m(3r² + h²)/12 about the normal; a cone 3m(4r² + h²)/80. At a point it stands on it.
#[test]
fn cylinders_in_the_plane_have_the_inertia_of_how_they_lie() {
    for (body, inertia) in [
        ("cylinder(0.1, 2) of 3, from (0, 0) to (2, 0)", 3.0 * (3.0 * 0.01 + 4.0) / 12.0),
        ("cylinder(0.1, 2) of 3, at (1, 0)", 3.0 * 0.01 / 2.0),
        ("cone(0.1, 4) of 3, from (0, 0) to (4, 0)", 3.0 * 3.0 * (4.0 * 0.01 + 16.0) / 80.0),
        ("disc(0.1) of 3, from (0, 0) to (2, 0)", 3.0 * 0.01 / 4.0),
    ] {
        let text =
            format!("body b: {body}\njoint pin: hinge(ground, b), at (1, 0)\nstart pin' = 1\noutput T: kinetic()\n");
        for build in [by_joints, by_bodies] {
            let motion = build(&text).run(Run::until(0.1)).unwrap();
            close(motion.value_at(0.0, "T").unwrap(), inertia / 2.0, 1e-12);
        }
    }
}
