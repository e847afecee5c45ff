//! Bad lines: each is answered by what is wrong with it, and why.

use serde_json::{Value, json};

use crate::{holonom, run, solve};

/// A line, the code, the words for what is wrong, and some of the words for why.
const BAD: &[(&str, &str, &str, &str)] = &[
    // Not JSON, or not an object.
    (r#"hello"#, "syntax", "malformed JSON at column 1: `hello` is not a value", "one JSON object"),
    (r#"{"M": [[1]], "Q": [0"#, "syntax", "the line ends before its JSON object does", "jq -c ."),
    (r#"{"M": [[1]], "Q": [0]} {}"#, "syntax", "malformed JSON at column 24: text after the end of the object", ""),
    (r#"{"M": [[1] "Q": [0]}"#, "syntax", "malformed JSON in `M` at column 12: expected `,` or `]`", ""),
    (r#"{"M": [[1]], "Q": [0,]}"#, "syntax", "malformed JSON in `Q` at column 22: a comma with nothing behind it", ""),
    (r#"{"M": [[1]], "Q": [,0]}"#, "syntax", "malformed JSON in `Q` at column 20: a value is missing", ""),
    (r#"{'M': [[1]]}"#, "syntax", "malformed JSON at column 2: key must be a string", ""),
    (r#"[{"M": [[1]], "Q": [0]}]"#, "wrong-type", "the line is a list, not an object", "jq -c .[]"),
    (r#""M": [[1]],"#, "wrong-type", "the line is a string, not an object", "several lines"),
    (r#"null"#, "wrong-type", "the line is null, not an object", ""),
    // Fields.
    (r#"{"M": [[1]], "Q": [0], "Amat": [[1]]}"#, "unknown-field", "unknown field `Amat`", "did you mean `A`?"),
    (r#"{"M": [[1]], "Q": [0], "c": [1]}"#, "unknown-field", "unknown field `c`", "did you mean `C`?"),
    (
        r#"{"M": [[1]], "Q": [0], "friction": 1}"#,
        "unknown-field",
        "unknown field `friction`",
        "the fields are id, M, Q",
    ),
    (
        r#"{"M": [[1]], "Q": [0], "names": {"coords": ["x"]}}"#,
        "unknown-field",
        "unknown field `coords` in `names`",
        "did you mean `coordinates`?",
    ),
    (r#"{"M": [[1]], "Q": [0], "M": [[1]]}"#, "repeated-field", "`M` is given twice", "leave out the other"),
    (
        r#"{"M": [[1]], "Q": [0], "names": {"coordinates": ["x"], "coordinates": ["x"]}}"#,
        "repeated-field",
        "`names.coordinates` is given twice",
        "",
    ),
    (r#"{"Q": [0]}"#, "missing-field", "`M` is missing", "needs M and Q"),
    (r#"{"M": [[1]]}"#, "missing-field", "`Q` is missing", "needs M and Q"),
    (r#"{"M": [[1]], "Q": [0], "A": [[1]]}"#, "missing-field", "`b` is missing, and `A` has 1 row", "give both"),
    (r#"{"M": [[1]], "Q": [0], "b": [1, 2]}"#, "missing-field", "`A` is missing, and `b` has 2 entries", "give both"),
    (
        r#"{"M": [[1]], "Q": [0], "C": [0], "qdd": [0]}"#,
        "both-c-and-qdd",
        "both `C` and `qdd` are given",
        "give one of them",
    ),
    // Types.
    (r#"{"M": [[1, "0"], [0, 1]], "Q": [0, 0]}"#, "wrong-type", "entry (0, 1) of `M` is a string, not a number", ""),
    (r#"{"M": [[1, 0], [null, 1]], "Q": [0, 0]}"#, "wrong-type", "entry (1, 0) of `M` is null, not a number", ""),
    (r#"{"M": [[[1]]], "Q": [0]}"#, "wrong-type", "entry (0, 0) of `M` is a list, not a number", ""),
    (r#"{"M": [[1]], "Q": [true]}"#, "wrong-type", "entry 0 of `Q` is a boolean, not a number", ""),
    (r#"{"M": [[1]], "Q": 0}"#, "wrong-type", "`Q` is a number, not a list", "also when it has one entry"),
    (r#"{"M": 1, "Q": [0]}"#, "wrong-type", "`M` is a number, not a list of rows", "a list of rows"),
    (
        r#"{"M": [[1]], "Q": [0], "A": [1], "b": [0]}"#,
        "wrong-type",
        "row 0 of `A` is a number, not a list",
        "also when there is only one row",
    ),
    (r#"{"M": [[1]], "Q": [0], "A": [[1]], "b": {"0": 1}}"#, "wrong-type", "`b` is an object, not a list", ""),
    (r#"{"M": [[1]], "Q": [0], "names": ["x"]}"#, "wrong-type", "`names` is a list, not an object", "coordinates"),
    (
        r#"{"M": [[1]], "Q": [0], "names": {"coordinates": [1]}}"#,
        "wrong-type",
        "entry 0 of `names.coordinates` is a number, not a string",
        "",
    ),
    // Numbers.
    (
        r#"{"M": [[1]], "Q": [1e999]}"#,
        "not-finite",
        "entry 0 of `Q` is 1e999, too large for double precision",
        "1.8e308",
    ),
    (
        r#"{"M": [[1, 0], [0, -2E400]], "Q": [0, 0]}"#,
        "not-finite",
        "entry (1, 1) of `M` is -2E400, too large for double precision",
        "",
    ),
    (r#"{"M": [[NaN]], "Q": [0]}"#, "not-finite", "entry (0, 0) of `M` is NaN", "finite number"),
    (r#"{"M": [[1]], "Q": [-Infinity]}"#, "not-finite", "entry 0 of `Q` is -Infinity", "finite number"),
    (r#"{"M": [[1]], "Q": [0], "A": [[1]], "b": [nan]}"#, "not-finite", "entry 0 of `b` is nan", ""),
    // Sizes.
    (
        r#"{"M": [[1]], "Q": [0], "A": [[1, 2, 3], [1, 2]], "b": [0, 0]}"#,
        "ragged",
        "row 1 of `A` has 2 entries and row 0 has 3",
        "one length",
    ),
    (r#"{"M": [[1, 0], [0]], "Q": [0, 0]}"#, "ragged", "row 1 of `M` has 1 entry and row 0 has 2", ""),
    (r#"{"M": [[1, 0]], "Q": [0, 0]}"#, "shape", "`M` is 1 × 2, not square", "one row and one column"),
    (r#"{"M": [[1]], "Q": [0, 0]}"#, "shape", "`Q` has 2 entries and `M` is 1 × 1", "n × n"),
    (r#"{"M": [[1]], "Q": [0], "A": [[1, 2]], "b": [0]}"#, "shape", "`A` has 2 columns and there are 1 coordinate", ""),
    (r#"{"M": [[1]], "Q": [0], "A": [[1]], "b": [0, 1]}"#, "shape", "`b` has 2 entries and `A` has 1 row", ""),
    (r#"{"M": [[1]], "Q": [0], "A": [[]], "b": [0]}"#, "shape", "`A` has 0 columns and there are 1 coordinate", ""),
    (r#"{"M": [[1]], "Q": [0], "C": [0, 1]}"#, "shape", "`C` has 2 entries and there are 1 coordinate", ""),
    (r#"{"M": [[1]], "Q": [0], "qdd": []}"#, "shape", "`qdd` has 0 entries and there are 1 coordinate", ""),
    (
        r#"{"M": [[1]], "Q": [0], "names": {"coordinates": ["x", "y"]}}"#,
        "shape",
        "`names.coordinates` has 2 entries and there are 1 coordinate",
        "one name for each",
    ),
    (
        r#"{"M": [[1]], "Q": [0], "names": {"constraints": ["rod"]}}"#,
        "shape",
        "`names.constraints` has 1 entry and there are 0 constraints",
        "one name for each",
    ),
    // Mechanics.
    (r#"{"M": [], "Q": []}"#, "no-coordinates", "there are no coordinates", "at least one"),
    (
        r#"{"M": [[1, 2], [0, 1]], "Q": [0, 0]}"#,
        "not-symmetric",
        "`M` is not symmetric: entry (0, 1) is 2 and entry (1, 0) is 0",
        "(M + Mᵀ)/2",
    ),
    (
        r#"{"M": [[-1]], "Q": [0]}"#,
        "indefinite-mass",
        "`M` is not positive semi-definite: entry (0, 0) is too small for its row",
        "kinetic energy",
    ),
    (
        r#"{"M": [[1e300]], "Q": [0], "qdd": [1e300]}"#,
        "out-of-range",
        "the answer overflows or is lost in rounding",
        "change units",
    ),
    // The same with names.
    (
        r#"{"M": [[1, 2], [0, 1]], "Q": [0, 0], "names": {"coordinates": ["x", "y"]}}"#,
        "not-symmetric",
        "`M` is not symmetric: entry (0, 1) is 2 and entry (1, 0) is 0 (`x` and `y`)",
        "",
    ),
    (
        r#"{"M": [[1]], "Q": ["?"], "names": {"coordinates": ["x"]}}"#,
        "wrong-type",
        "entry 0 of `Q` is a string, not a number (`x`)",
        "",
    ),
    (
        r#"{"M": [[1]], "Q": [0], "A": [["?"]], "b": [0], "names": {"coordinates": ["x"], "constraints": ["rod"]}}"#,
        "wrong-type",
        "entry (0, 0) of `A` is a string, not a number (row `rod`, column `x`)",
        "",
    ),
];

#[test]
fn each_bad_line_is_told_what_is_wrong_and_why() {
    let input: Vec<&str> = BAD.iter().map(|(line, ..)| *line).collect();
    let run = solve(&[], &input.join("\n"));
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    let answers = run.lines();
    assert_eq!(answers.len(), BAD.len());
    for (at, (answer, (line, code, what, why))) in answers.iter().zip(BAD).enumerate() {
        let error = &answer["error"];
        assert_eq!((&error["code"], &error["what"]), (&json!(code), &json!(what)), "{line}");
        let reason = error["why"].as_str().expect("a reason");
        assert!(reason.contains(why) && !reason.is_empty(), "{line}: {reason}");
        assert_eq!(error["line"], json!(at + 1));
        assert_eq!(answer.as_object().map(|object| object.len()), Some(1), "nothing but the error");
    }
}

#[test]
fn the_other_lines_are_answered_and_blank_lines_counted() {
    let good = r#"{"id": "good", "M": [[4]], "Q": [6]}"#;
    let run = solve(&[], &format!("\n{good}\n  \t\n{{\"id\": \"bad\"}}\n\r\n{good}"));
    assert_eq!(run.status, 1);
    let answers = run.lines();
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, ["good", "bad", "good"]);
    assert_eq!(answers[1]["error"]["line"], json!(4));
    assert_eq!(answers[2]["qdd"], json!([1.5]));
}

/// Wherever it stands, as long as it can be read.
#[test]
fn a_bad_line_keeps_its_id() {
    for line in [
        r#"{"id": 7, "M": [[1]]}"#,
        r#"{"M": [["x"]], "id": 7, "Q": [0]}"#,
        r#"{"M": [[1e999]], "Q": [0], "id": 7}"#,
        r#"{"id": 7, "M": [[NaN]], "Q": [0]}"#,
        r#"{"id": 7, "M": [["#,
        r#"{"M": [[1]], "M": [[1]], "id": 7}"#,
    ] {
        assert_eq!(solve(&[], line).lines()[0]["id"], json!(7), "{line}");
    }
    assert!(solve(&[], r#"{"M": [[NaN]], "id": 7}"#).lines()[0].get("id").is_none());
}

#[test]
fn text_in_another_encoding_is_refused() {
    let found = run(holonom().arg("solve"), b"{\"id\": 1, \"M\": [[1]], \"Q\": [0], \"x\xff\": 0}\n");
    assert_eq!(found.status, 1);
    let error = &found.lines()[0]["error"];
    assert_eq!((&error["code"], &error["what"]), (&json!("not-utf8"), &json!("byte 35 of the line is not UTF-8")));
    assert_eq!(found.lines()[0]["id"], json!(1));
}

#[test]
fn brackets_without_end_are_no_danger() {
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    let run =
        solve(&[], &format!("{{\"M\": {deep}}}\n{{\"zz\": {deep}}}\n{{\"id\": {deep}}}\n{{\"M\": [[1]], \"Q\": [0]}}"));
    assert_eq!((run.status, run.out.lines().count(), run.err.as_str()), (1, 4, ""));
}

#[test]
fn a_note_says_it_in_the_same_words() {
    let run = solve(&["--pretty"], "\n{\"id\": \"cart\", \"M\": [[1]], \"Q\": [\"0\"]}");
    assert_eq!(run.status, 1);
    let expected = "\
cart
  error[wrong-type]: entry 0 of `Q` is a string, not a number
    --> standard input:2
     = help: expected a number

";
    assert_eq!(run.out, expected);
}
