//! Notes to read. Those of the gallery are compared with its pages; here are the rarer findings.

use crate::solve;

#[track_caller]
fn assert_note(line: &str, expected: &str) {
    let run = solve(&["--pretty"], &line.replace('\n', " "));
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert_eq!(run.out.trim_end(), expected.trim_end());
    let widest = run.out.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "{widest:?} columns");
}

#[test]
fn without_names_there_are_numbers() {
    assert_note(
        r#"{"M": [[1,0,0],[0,1,0],[0,0,1]], "Q": [0,0,0], "A": [[1,0,0],[0,1,0],[1,2,0],[0,0,0]], "b": [1,2,5,0]}"#,
        "\
line 1
  3 coordinates, 4 constraints
  [M; A] has rank 3 of 3: the motion is unique  (gap 1)
  A has rank 2 of 4: 2 constraints are redundant  (gap 1)
    row 2 = row 0 + 2·row 1
    row 3 is a row of zeros, without effect
  how row 0, row 1 and row 2 share their load is not determined;
    of all reactions that fit, those of least norm are shown

              acceleration  impressed Q     ideal Qi  non-ideal Qni
  q0                     1            0            1              0
  q1                     2            0            2              0
  q2                     0            0            0              0

                 reaction     residual
  row 0          0.166667            0  not unique
  row 1          0.333333            0  not unique
  row 2          0.833333            0  not unique
  row 3                 0            0  not unique
",
    );
}

#[test]
fn a_row_of_zeros_may_ask_for_the_impossible() {
    assert_note(
        r#"{"id": 3, "M": [[1]], "Q": [2], "A": [[0]], "b": [5], "names": {"coordinates": ["x"], "constraints": ["wall"]}}"#,
        "\
3
  1 coordinate, 1 constraint
  [M; A] has rank 1 of 1: no direction is free  (gap 1)
  A has rank 0 of 1: the constraints contradict each other  (gap 1)
    wall is a row of zeros, but its right side is 5
  no motion satisfies the constraints; below is the least-squares answer

              acceleration  impressed Q     ideal Qi  non-ideal Qni
  x                      2            2            0              0

                 reaction     residual
  wall                  0           -5  not unique
",
    );
}

#[test]
fn an_observed_motion_that_breaks_a_constraint() {
    assert_note(
        r#"{"id": "seen", "M": [[1,0],[0,1]], "Q": [0,-9.81], "A": [[0,1]], "b": [0], "qdd": [0,1],
            "names": {"coordinates": ["x", "y"], "constraints": ["floor"]}}"#,
        "\
seen
  2 coordinates, 1 constraint
  [M; A] has rank 2 of 2: the motion is unique  (gap 1)
  A has rank 1 of 1: no constraint is redundant  (gap 1)
  the observed acceleration breaks the constraints: no C explains it

                 observed  impressed Q     ideal Qi  non-ideal Qni            C
  x                     0            0            0              0            0
  y                     1        -9.81         9.81              1            0

                 reaction     residual     if ideal
  floor             10.81            1         9.81
",
    );
}

#[test]
fn a_close_call_is_called_one() {
    let run = solve(&["--pretty"], r#"{"M": [[1,0],[0,1]], "Q": [0,0], "A": [[1,1],[1,1.00000000001]], "b": [0,0]}"#);
    let line = run.out.lines().find(|line| line.contains("A has rank 2 of 2")).expect("the rank of A");
    assert!(line.contains("e-12: a close call)"), "{line}");
}

/// A name is no way to command a terminal, and a pipe gets no colours.
#[test]
fn control_characters_do_not_come_through() {
    let run =
        solve(&["--pretty"], r#"{"id": "\u001b[2J", "M": [[1]], "Q": [0], "names": {"coordinates": ["a\u001bb\n"]}}"#);
    assert!(!run.out.contains('\u{1b}') && run.out.contains("a\u{fffd}b\u{fffd}"), "{}", run.out);
}
