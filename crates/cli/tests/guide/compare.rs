//! Output beside what a page shows of it.

/// Whether output is what a page shows. A line `...` stands for any lines, and `…` inside a line for anything.
pub fn agrees(shown: &[String], output: &[String]) -> bool {
    match shown.split_first() {
        None => output.is_empty(),
        Some((first, rest)) if elides(first) => (0..=output.len()).any(|from| agrees(rest, &output[from..])),
        Some((first, rest)) => {
            output.split_first().is_some_and(|(line, others)| same(first, line) && agrees(rest, others))
        }
    }
}

/// What a page should show instead: the lines of the output that begin with the same words as before, or else all of it, with as many lines
/// before and after `...` as there were.
pub fn mended(shown: &[String], output: &[String]) -> Vec<String> {
    if let Some(lines) = renewed(shown, output) {
        return lines;
    }
    let Some(head) = shown.iter().position(|line| elides(line)) else { return output.to_vec() };
    let tail = shown.iter().rev().position(|line| elides(line)).unwrap_or_default();
    if head + tail >= output.len() {
        return output.to_vec();
    }
    [&output[..head], &shown[head..=head], &output[output.len() - tail..]].concat()
}

/// Each line that is shown as it is now, found by its first word.
fn renewed(shown: &[String], output: &[String]) -> Option<Vec<String>> {
    let word = |line: &String| line.split_whitespace().next().map(str::to_string);
    let (mut at, mut skips, mut lines) = (0, false, vec![]);
    for line in shown {
        if elides(line) {
            skips = true;
            lines.push(line.clone());
            continue;
        }
        let ahead = output.get(at..)?.iter().position(|other| word(other) == word(line))?;
        if ahead > 0 && !skips {
            return None;
        }
        lines.push(output[at + ahead].clone());
        (skips, at) = (false, at + ahead + 1);
    }
    (skips || at == output.len()).then_some(lines)
}

fn elides(line: &str) -> bool {
    matches!(line.trim(), "..." | "…")
}

fn same(shown: &str, line: &str) -> bool {
    let (shown, line) = (usual(shown), usual(line));
    let mut pieces = shown.split('…');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let pieces: Vec<_> = pieces.collect();
    let Some((last, middle)) = pieces.split_last() else { return rest.is_empty() };
    for piece in middle {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// A line without what differs from one machine, build or hour to another: the time that computing took, sizes of files, the
/// version, and the digits of numbers that are nothing but rounding.
fn usual(line: &str) -> String {
    let line = line.trim_end();
    if line.trim_start().starts_with("computing ") {
        return "computing".into();
    }
    let mut words: Vec<String> = vec![];
    for word in line.split(' ') {
        let (number, end) = match word.find([',', ';', ')']) {
            Some(at) if at + 1 == word.len() => word.split_at(at),
            _ => (word, ""),
        };
        let rounding = if line.contains("Largest difference: ") { 1.0 } else { 1e-12 };
        let tiny = number.contains("e-") && number.parse::<f64>().is_ok_and(|value| value.abs() < rounding);
        words.push(if tiny { format!("tiny{end}") } else { word.into() });
    }
    for i in 1..words.len() {
        let of_size = matches!(words[i].trim_end_matches([',', ';', ')']), "B" | "kB" | "KB" | "MB");
        if of_size && words[i - 1].trim_start_matches('(').parse::<f64>().is_ok() {
            words[i - 1] = "some".into();
            words[i] = "size".into();
        }
    }
    words.join(" ").replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

#[test]
fn what_may_differ_does_not_count() {
    let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
    let agree = |shown: &str, output: &str| agrees(&lines(shown), &lines(output));
    assert!(agree("a\n...\nd", "a\nb\nc\nd"));
    assert!(agree("a\n  …", "a"));
    assert!(!agree("a\n...\nd", "a\nb\nc"));
    assert!(!agree("a", "a\nb"));
    assert!(agree("  computing    0.01 s", "  computing    2.3 s"));
    assert!(agree("positions 1.9e-14, of", "positions 2.2e-16, of"));
    assert!(!agree("energy 1.9e-10,", "energy 2.9e-10,"));
    assert!(agree("Largest difference: 9e-8 of the", "Largest difference: 2e-7 of the"));
    assert!(!agree("x = 0.25", "x = 0.26"));
    assert!(agree("report.html (1.2 MB)", "report.html (713 kB)"));
    assert!(agree("{\"a\": 1, …}", "{\"a\": 1, \"b\": 2}"));
    assert!(!agree("{\"a\": 1, …}", "{\"a\": 2, \"b\": 2}"));
    assert_eq!(mended(&lines("a\n...\nd"), &lines("x\nb\nc\ny")), lines("x\n...\ny"));
    assert_eq!(mended(&lines("a 1\n...\nc 2\n..."), &lines("a 3\nb 4\nc 5\nd 6")), lines("a 3\n...\nc 5\n..."));
}
