use super::*;

fn paper(width: usize) -> Paper {
    Paper { width, braille: true, colour: false }
}

fn column(name: &str, unit: Option<&str>) -> Column {
    Column { name: name.to_string(), unit: unit.map(String::from) }
}

/// Charts of quantities, each a function of time, over 0 to 10 s.
fn charts(quantities: &[(&str, &dyn Fn(f64) -> f64)], rows: u32) -> Charts {
    let columns = quantities.iter().enumerate().map(|(i, (name, _))| (i + 1, column(name, Some("m/s^2")))).collect();
    let mut charts = Charts::of(column("t", Some("s")), columns, 10.0, "output");
    for row in 0..rows {
        let t = 10.0 * f64::from(row) / f64::from(rows - 1).max(1.0);
        let values: Vec<f64> = std::iter::once(t).chain(quantities.iter().map(|(_, of)| of(t))).collect();
        charts.push(&values);
    }
    charts
}

fn drawn(of: &dyn Fn(f64) -> f64, rows: u32, width: usize) -> String {
    charts(&[("x", of)], rows).text(&paper(width), "report.html")
}

#[test]
fn a_chart_has_a_name_a_range_and_a_time() {
    let text = drawn(&|t| 3.0 * t, 100, 40);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 7, "{text}");
    assert_eq!(lines[1], "  x [m/s²]");
    assert!(lines[2].starts_with("  30 ┤") && lines[2].ends_with('⠉'), "{text}");
    assert!(lines[5].starts_with("   0 ┤⣀"), "{text}");
    assert_eq!(lines[6], format!("     t = 0 s{}10 s", " ".repeat(23)));
}

/// No line is longer than the terminal, whatever there is to show.
#[test]
fn lines_fit() {
    let huge = |t: f64| 1e308 * (t - 5.0);
    let tiny = |t: f64| 1e-320 * t;
    let beside = |t: f64| 123_456.0 + 1e-3 * t;
    let jump = |t: f64| if t < 5.0 { -1e-7 } else { 1e7 };
    let all: [(&str, &dyn Fn(f64) -> f64); 5] = [
        ("a_name_that_is_much_longer_than_any_chart_is_wide", &huge),
        ("tiny", &tiny),
        ("beside", &beside),
        ("jump", &jump),
        ("left_out", &jump),
    ];
    for width in [40, 60, 80, 99, 100, 120, 500] {
        for braille in [true, false] {
            let text = charts(&all, 1000).text(&Paper { width, braille, colour: false }, "report.html");
            assert!(text.lines().all(|line| line.chars().count() <= width), "{width}:\n{text}");
            assert!(braille || text.is_ascii(), "{text}");
            assert!(text.ends_with("  1 more output: see report.html\n"), "{text}");
            assert_eq!(text.lines().count(), if width < 100 { 1 + 4 * 4 + 2 } else { 1 + 2 * 4 + 2 }, "{text}");
        }
    }
}

#[test]
fn constants_are_flat_and_say_so() {
    let text = drawn(&|_| 9.81, 50, 40);
    assert!(text.contains("x [m/s²], constant\n") && text.contains("  9.81 ┤⠤⠤"), "{text}");
    assert_eq!(text.lines().count(), 4, "a name, a line, a time: {text}");
    let text = drawn(&|t| 9.81 + 1e-12 * t.sin(), 50, 40);
    assert!(text.contains("constant to 2e-12") && text.contains("  9.81 ┤"), "{text}");
    let text = drawn(&|_| 0.0, 50, 40);
    assert!(text.contains("constant\n") && text.contains("  0 ┤"), "{text}");
    // What is small is not constant.
    let text = drawn(&|t| 1e-300 * t, 50, 40);
    assert!(!text.contains("constant") && text.contains("1e-299 ┤"), "{text}");
}

#[test]
fn numbers_at_the_axis_tell_its_ends_apart() {
    assert_eq!(numbers(0.0, 29.43), ("0".into(), "29.4".into()));
    assert_eq!(numbers(1000.0, 1000.5), ("1000".into(), "1000.5".into()));
    assert_eq!(numbers(-1e308, 1e308), ("-1e308".into(), "1e308".into()));
    assert_eq!(numbers(-6.83e-15, 1.0), ("0".into(), "1".into()));
    assert_eq!(numbers(-6.83e-15, 0.0), ("-6.83e-15".into(), "0".into()));
    assert_eq!(numbers(9.81, 9.81), ("9.81".into(), "9.81".into()));
    let (low, high) = numbers(7.0, 7.0 + 1e-7);
    assert!(low != high && high.len() <= 12, "{low} {high}");
}

/// Both sides of a jump and a spike of a single row are there, in a run of a million rows.
#[test]
fn jumps_and_spikes_are_seen() {
    let mut charts = Charts::of(column("t", None), vec![(1, column("x", None))], 1.0, "output");
    for i in 0..1_000_000_u32 {
        let t = f64::from(i) / 1e6;
        charts.push(&[t, if i == 654_321 { 50.0 } else { 0.0 }]);
    }
    let text = charts.text(&paper(50), "report.html");
    let heights: Vec<usize> =
        text.lines().filter_map(|line| line.split_once(['┤', '│'])?.1.find(|c| c != ' ' && c != '⣀')).collect();
    assert_eq!(heights.len(), 4, "the spike goes through all rows:\n{text}");
    assert!(text.contains("  50 ┤") && text.contains("   0 ┤"), "{text}");
}

#[test]
fn a_single_row_is_a_dot_and_no_row_is_nothing() {
    let text = drawn(&|_| 2.0, 1, 40);
    assert!(text.contains("x [m/s²], one time only\n  2 ┤⠄\n    t = 0 s\n"), "{text}");
    let none = Charts::of(column("t", None), vec![(1, column("x", None))], 1.0, "output");
    assert_eq!(none.text(&paper(40), "report.html"), "");
    let mut nan = Charts::of(column("t", None), vec![(1, column("x", None))], 1.0, "output");
    nan.push(&[0.0, f64::NAN]);
    assert_eq!(nan.text(&paper(40), "report.html"), "");
}
