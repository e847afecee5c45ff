//! The fields of an answer.

use serde_json::{Value, json};

use crate::{answer, assert_close, solve};

const WHEEL: &str =
    r#"{"id": {"run": [1, 2.50]}, "M": [[0.75, 0], [0, 0]], "Q": [0, 19.62], "A": [[-0.25, 1]], "b": [0]}"#;

fn keys(answer: &Value) -> Vec<&str> {
    // serde_json sorts them; their order is tested on the text.
    answer.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn a_motion_has_all_fields_in_order() {
    let run = solve(&["--audit"], WHEEL);
    let order = [
        "id",
        "qdd",
        "Qi",
        "Qni",
        "lambda",
        "lambda_ideal",
        "rank_A",
        "rank_Mhat",
        "unique",
        "nullspace_dim",
        "nullspace",
        "undetermined",
        "consistent",
        "residual",
        "dyn_consistent",
        "unbalanced",
        "gap_A",
        "gap_Mhat",
        "dropped_A",
        "dropped_Mhat",
        "gauss",
        "gauss_form",
        "rank_M",
        "refinements",
        "audit",
        "redundant",
        "conflicts",
        "determinate",
        "determinate_reactions",
    ];
    let places: Vec<_> = order.iter().map(|key| run.out.find(&format!("\"{key}\":")).expect(key)).collect();
    assert!(places.is_sorted(), "{}", run.out);
    let answer = &run.lines()[0];
    assert_eq!(keys(answer).len(), 25);
    assert!(run.out.starts_with(r#"{"id":{"run": [1, 2.50]},"#), "an id is given back as it was written");
    assert_close(&answer["qdd"], &[6.54, 1.635]);
    assert_close(&answer["Qi"], &[4.905, -19.62]);
    assert_close(&answer["Qni"], &[0.0, 0.0]);
    assert_close(&answer["lambda"], &[-19.62]);
    assert_close(&answer["lambda_ideal"], &[-19.62]);
    assert_close(&answer["unbalanced"], &[0.0, 0.0]);
    assert_close(&json!([answer["gauss"]]), &[0.5 * 0.75 * 6.54 * 6.54 - 19.62 * 1.635]);
    for (key, expected) in [
        ("rank_A", json!(1)),
        ("rank_Mhat", json!(2)),
        ("rank_M", json!(1)),
        ("unique", json!(true)),
        ("nullspace_dim", json!(0)),
        ("nullspace", json!([])),
        ("undetermined", json!([])),
        ("consistent", json!(true)),
        ("dyn_consistent", json!(true)),
        ("gauss_form", json!("general")),
        ("audit", json!({"redundant": [], "conflicts": [], "determinate": [true], "determinate_reactions": [true]})),
    ] {
        assert_eq!(answer[key], expected, "{key}");
    }
}

#[test]
fn without_audit_there_is_none_and_without_id_none_is_made_up() {
    let answer = answer(&[], r#"{"M": [[4]], "Q": [6]}"#);
    assert!(answer.get("audit").is_none() && answer.get("id").is_none() && answer.get("undetermined_names").is_none());
    assert_eq!((&answer["qdd"], &answer["gauss_form"]), (&json!([1.5]), &json!("deviation")));
}

/// Absent, empty and null constraints are all the same; so are an absent C and a null one.
#[test]
fn what_is_not_given_may_be_left_out() {
    let expected = solve(&[], r#"{"M": [[4]], "Q": [6]}"#).out;
    for line in [
        r#"{"M": [[4]], "Q": [6], "A": [], "b": []}"#,
        r#"{"M": [[4]], "Q": [6], "A": []}"#,
        r#"{"M": [[4]], "Q": [6], "b": []}"#,
        r#"{"M": [[4]], "Q": [6], "A": null, "b": null, "C": null, "qdd": null, "names": null}"#,
        r#"{"names": {}, "Q": [6], "M": [[4]]}"#,
        "\u{feff}{\"M\": [[4]], \"Q\": [6]}\r",
    ] {
        assert_eq!(solve(&[], line).out, expected, "{line}");
    }
}

#[test]
fn names_stand_beside_indices() {
    let answer = answer(
        &["--audit"],
        r#"{"M": [[1,0,0],[0,1,0],[0,0,0]], "Q": [0,0,0], "A": [[1,1,0],[2,2,0],[4,4,0]], "b": [1,2,5],
            "names": {"coordinates": ["x", "y", "free"], "constraints": ["rod", "twice", "fourfold"]}}"#
            .replace('\n', " ")
            .as_str(),
    );
    assert_eq!(answer["undetermined"], json!([2]));
    assert_eq!(answer["undetermined_names"], json!(["free"]));
    assert_eq!(
        answer["audit"]["redundant"],
        json!([
            {"row": 1, "name": "twice", "repeats": [0], "names": ["rod"], "coefficients": [2.0]},
            {"row": 2, "name": "fourfold", "repeats": [0], "names": ["rod"], "coefficients": [4.0]},
        ])
    );
    assert_eq!(
        answer["audit"]["conflicts"],
        json!([{"rows": [0, 2], "names": ["rod", "fourfold"], "coefficients": [-4.0, 1.0], "gap": 1.0}])
    );
    assert_eq!(answer["consistent"], json!(false));
}

/// A free direction that carries a force: no acceleration exists, and the answer says so.
#[test]
fn an_unbalanced_force_is_flagged() {
    let answer = answer(&[], r#"{"M": [[1,0],[0,0]], "Q": [2,3]}"#);
    assert_eq!(answer["dyn_consistent"], json!(false));
    assert_eq!(answer["unbalanced"], json!([0.0, 3.0]));
    assert_eq!((&answer["nullspace"], &answer["nullspace_dim"]), (&json!([[0.0, 1.0]]), &json!(1)));
    assert_eq!((&answer["unique"], &answer["undetermined"]), (&json!(false), &json!([1])));
}

/// Udwadia, Kalaba & Fan 2005: what C explains this motion?
#[test]
fn an_observed_acceleration_is_explained() {
    let line = r#"{"id": 1, "M": [[1,0],[0,1]], "Q": [0,-9.81], "A": [[0,1]], "b": [0], "qdd": [-3,0]}"#;
    let run = solve(&["--audit"], line);
    let order = [
        "id",
        "qdd",
        "Qc",
        "Qi",
        "Qni",
        "C",
        "lambda",
        "lambda_ideal",
        "consistent",
        "residual",
        "ideal",
        "rank_A",
        "rank_Mhat",
        "unique",
        "nullspace_dim",
        "nullspace",
        "undetermined",
        "gap_A",
        "gap_Mhat",
        "dropped_A",
        "dropped_Mhat",
        "rank_M",
        "audit",
    ];
    let places: Vec<_> = order.iter().map(|key| run.out.find(&format!("\"{key}\":")).expect(key)).collect();
    assert!(places.is_sorted(), "{}", run.out);
    let found = &run.lines()[0];
    assert_eq!(keys(found).len(), order.len());
    assert_close(&found["qdd"], &[-3.0, 0.0]);
    assert_close(&found["Qc"], &[-3.0, 9.81]);
    assert_close(&found["Qi"], &[0.0, 9.81]);
    assert_close(&found["Qni"], &[-3.0, 0.0]);
    assert_close(&found["C"], &[-3.0, 0.0]);
    assert_close(&found["lambda"], &[9.81]);
    assert_eq!((&found["consistent"], &found["ideal"]), (&json!(true), &json!(false)));

    let ideal = answer(&[], &line.replace("[-3,0]", "[0,0]"));
    assert_eq!((&ideal["consistent"], &ideal["ideal"]), (&json!(true), &json!(true)));
    let impossible = answer(&[], &line.replace("[-3,0]", "[0,1]"));
    assert_eq!((&impossible["consistent"], &impossible["residual"]), (&json!(false), &json!([1.0])));
}

/// Numbers are read to the last bit and written so that they read back the same.
#[test]
fn numbers_keep_every_bit() {
    // Each of these is read wrongly by one unit in the last place if digits are taken as they come.
    for x in [0.1 + 0.2, 2.638344616030823e-256, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, 9007199254740993e0] {
        let line = format!(r#"{{"M": [[1]], "Q": [0], "A": [[1]], "b": [0], "qdd": [{x:e}]}}"#);
        let run = solve(&[], &line.replace(r#""A": [[1]], "b": [0], "#, ""));
        let text = run.out.split("\"qdd\":[").nth(1).and_then(|rest| rest.split(']').next()).expect("qdd");
        assert_eq!(text.parse::<f64>().expect("a number").to_bits(), f64::to_bits(x), "{text}");
    }
}
