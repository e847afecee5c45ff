//! The gallery: its pages show what the command prints, and its numbers are those of the papers.

#![allow(non_snake_case)]

use std::fs;

use serde_json::{Value, json};

use crate::{assert_close, gallery, holonom, run};

/// Runs each command of a page in its folder, and compares what follows it.
fn assert_page(name: &str) {
    let page = fs::read_to_string(gallery(name).join("README.md")).unwrap();
    let blocks: Vec<&str> = page.split("```console\n$ holonom ").skip(1).collect();
    assert!(!blocks.is_empty(), "{name} shows no command");
    for block in blocks {
        let (command, rest) = block.split_once('\n').unwrap();
        let shown = rest.split("```").next().unwrap();
        let found = run(holonom().args(command.split(' ')).current_dir(gallery(name)), b"");
        assert_eq!((found.status, found.err.as_str()), (0, ""), "{name}: {command}");
        // A page may show the beginning of what is printed.
        let (shown, whole) = shown.split_once("[…]").map_or((shown, true), |(shown, _)| (shown, false));
        let (shown, found) = (shown.trim_end(), found.out.trim_end());
        assert!(if whole { found == shown } else { found.starts_with(shown) }, "{name}: {command}\n{found}");
    }
}

#[test]
fn pages_show_what_is_printed() {
    for name in ["wheel", "papers", "redundant"] {
        assert_page(name);
    }
}

fn answers(path: &str) -> Vec<Value> {
    let found = run(holonom().args(["solve", "--audit"]).arg(gallery(path)), b"");
    assert_eq!((found.status, found.err.as_str()), (0, ""));
    found.lines()
}

/// The answer whose id begins so.
fn find<'a>(answers: &'a [Value], id: &str) -> &'a Value {
    let found: Vec<&Value> = answers.iter().filter(|a| a["id"].as_str().unwrap().starts_with(id)).collect();
    let [found] = found[..] else { panic!("{} lines begin with {id}", found.len()) };
    found
}

fn assert_verdict(answer: &Value, rank_mhat: usize, free: &[usize], balanced: bool) {
    let n = answer["qdd"].as_array().unwrap().len();
    assert_eq!(answer["rank_Mhat"], json!(rank_mhat), "{}", answer["id"]);
    assert_eq!(answer["unique"], json!(rank_mhat == n));
    assert_eq!(answer["nullspace_dim"], json!(n - rank_mhat));
    assert_eq!(answer["undetermined"], json!(free));
    assert_eq!((&answer["dyn_consistent"], &answer["consistent"]), (&json!(balanced), &json!(true)));
}

/// Udwadia & Phohomsiri 2006, (5.17) and (5.23).
#[test]
fn wheel() {
    let (m, R, Ic, g, sin) = (2.0, 0.5, 0.25, 9.81, 0.5);
    let (theta, y) = (m * g * R * sin / (m * R * R + Ic), m * g * R * R * sin * sin / (m * R * R + Ic));
    let papers = answers("papers/examples.jsonl");
    for answer in [&answers("wheel/wheel.json")[0], find(&papers, "2006 example 1")] {
        assert_close(&answer["qdd"], &[theta, y]);
        assert_close(&answer["Qi"], &[m * g * R * sin, -m * g]);
        assert_verdict(answer, 2, &[], true);
    }
    let with_particle = find(&papers, "2006 example 2");
    assert_close(&with_particle["qdd"], &[theta, y, 0.0]);
    assert_verdict(with_particle, 2, &[2], true);
    assert_eq!(with_particle["undetermined_names"], json!(["x"]));
}

/// Udwadia & Phohomsiri 2006, (5.39), (5.47) and (5.56).
#[test]
fn two_masses() {
    let papers = answers("papers/examples.jsonl");
    let (k1, k2, x1) = (30.0, 20.0, 0.1);
    let (m1, m2, q2) = (2.0, 1.0, 0.08);
    let answer = find(&papers, "2006 case 5.1");
    let first = (-k1 * x1 + k2 * q2) / m1;
    assert_close(&answer["qdd"], &[first, first, -first - k2 * q2 / m2]);
    assert_verdict(answer, 3, &[], true);

    let q2 = 0.15;
    let answer = find(&papers, "2006 case 5.2: m1 = 0, with (5.40)");
    let factor = -(x1 + q2) / (m2 * (k1 + k2) * (k1 + k2));
    let expected = [factor * k1 * k2 * k2, factor * k1 * k2 * k2, factor * k1 * k1 * k2];
    assert_close(&answer["qdd"], &expected);
    assert_close(&json!([expected[1] + expected[2]]), &[-k1 * k2 / (k1 + k2) * (x1 + q2) / m2]); // (5.48), with its minus
    assert_close(&json!([answer["lambda"][1]]), &[0.0]); // a hidden constraint exerts no force
    assert_verdict(answer, 3, &[], true);
    assert_verdict(find(&papers, "2006 case 5.2: m1 = 0, without"), 2, &[0, 1, 2], true);
    let answer = find(&papers, "2006 case 5.2: m1 = 0, at a state");
    let part = (-k1 * x1 + k2 * 0.08) / 3.0; // along (1, 1, −1)/√3
    assert_close(&answer["unbalanced"], &[part, part, -part]);
    assert_verdict(answer, 2, &[0, 1, 2], false);

    let answer = find(&papers, "2006 case 5.3: m2 = 0, with (5.49)");
    assert_close(&answer["qdd"], &[-k1 * x1 / m1, -k1 * x1 / m1, 0.0]);
    assert_verdict(answer, 3, &[], true);
    assert_verdict(find(&papers, "2006 case 5.3: m2 = 0, without"), 2, &[2], true);
    let answer = find(&papers, "2006 case 5.3: m2 = 0, at a state");
    assert_close(&answer["unbalanced"], &[0.0, 0.0, -k2 * 0.08]);
    assert_verdict(answer, 2, &[2], false);
}

/// Udwadia, Kalaba & Fan 2005, (32), there and back.
#[test]
fn bead() {
    let papers = answers("papers/examples.jsonl");
    let (k, g) = (0.5, 9.81);
    let x1 = (1.0 + 2.0 * k - g * k) / (k * k + 1.0);
    let (ideal, nonideal) = (g / (k * k + 1.0), (1.0 + 2.0 * k) / (k * k + 1.0));
    let answer = find(&papers, "2005 science: bead on");
    assert_close(&answer["qdd"], &[x1, k * x1]);
    assert_close(&answer["Qi"], &[-ideal * k, ideal]);
    assert_close(&answer["Qni"], &[nonideal, nonideal * k]);
    let answer = find(&papers, "2005 science: bead, explained");
    assert_close(&answer["Qni"], &[nonideal, nonideal * k]);
    assert_close(&answer["C"], &[nonideal, nonideal * k]);
    assert_eq!((&answer["consistent"], &answer["ideal"]), (&json!(true), &json!(false)));
}

/// Udwadia 2005, (30), with dots where the errata put them.
#[test]
fn appell() {
    let papers = answers("papers/examples.jsonl");
    for (id, [x, y, z], b, a0) in [
        ("2005 principle example 1: Appell, alpha = 0", [3.0, 4.0, 5.0], 0.0, 0.05 * 2f64.sqrt()),
        ("2005 principle example 1: Appell, alpha = 1", [2.0, 3.0, 6.0], 2.0, 0.1),
    ] {
        let F = [1.0, 0.0, -9.81];
        let u2: f64 = x * x + y * y + z * z;
        let ideal = (b - x * F[0] - y * F[1] + z * F[2]) / u2;
        let Qi = [ideal * x, ideal * y, -ideal * z];
        let drag = -a0 / u2.sqrt();
        let Qni = [drag * 2.0 * x * z * z, drag * 2.0 * y * z * z, drag * 2.0 * z * (x * x + y * y)];
        let answer = find(&papers, id);
        assert_close(&answer["Qi"], &Qi);
        assert_close(&answer["Qni"], &Qni);
        assert_close(&answer["qdd"], &[0, 1, 2].map(|j| F[j] + Qi[j] + Qni[j]));
    }
}

/// Udwadia 2005, (35) and (39).
#[test]
fn block() {
    let papers = answers("papers/examples.jsonl");
    let (m, g, mu, sin, cos) = (2.0, 9.81, 0.2, 0.5, 0.75f64.sqrt());
    for (id, mu) in
        [("2005 principle example 2: block on a smooth", 0.0), ("2005 principle example 2: block on a rough", mu)]
    {
        let answer = find(&papers, id);
        let x = -g * cos * (sin + mu * cos);
        assert_close(&answer["qdd"], &[x, x * sin / cos]);
        assert_close(&answer["Qi"], &[-m * g * sin * cos, m * g * cos * cos]);
        assert_close(&answer["Qni"], &[-mu * m * g * cos * cos, -mu * m * g * cos * sin]);
    }
}

#[test]
fn a_rod_given_three_times_moves_as_one() {
    let found = answers("redundant/pendulum.jsonl");
    let (once, thrice) = (&found[0], &found[1]);
    let expected = [-0.6 * 11.848, -9.81 + 0.8 * 11.848];
    for answer in [once, thrice] {
        assert_close(&answer["qdd"], &expected);
        assert_eq!((&answer["rank_A"], &answer["consistent"]), (&json!(1), &json!(true)));
    }
    assert_close(&thrice["Qi"], &[expected[0], expected[1] + 9.81]);
    let audit = &thrice["audit"];
    assert_eq!(audit["redundant"][0]["name"], json!("rod_again"));
    assert_eq!(audit["redundant"][1]["coefficients"], json!([1e6]));
    assert_eq!(audit["determinate"], json!([false, false, false]));

    let contradiction = &answers("redundant/contradiction.jsonl")[0];
    assert_eq!(contradiction["consistent"], json!(false));
    assert_eq!(contradiction["audit"]["conflicts"][0]["names"], json!(["rod", "rod_doubled"]));
}
