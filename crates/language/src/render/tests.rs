use super::*;

fn wheel() -> (Sources, FileId) {
    let mut sources = Sources::new();
    let file = sources.add("wheel.holo", "# A wheel.\nparam g = 9.81\ncoord theta: rad, y: m, x: m\n");
    (sources, file)
}

fn span_of(sources: &Sources, file: FileId, piece: &str) -> Span {
    let at = sources.file(file).text.find(piece).expect("the piece is there");
    Span::new(file, at, at + piece.len())
}

#[test]
fn a_message_looks_as_the_style_page_shows_it() {
    let (sources, file) = wheel();
    let mut span = span_of(&sources, file, "x: m\n");
    span.end = span.start + 1;
    let message = Diagnostic::error("not-unique", "the acceleration of `x` is not determined")
        .at(span, "no mass and no constraint reaches `x`")
        .note("[M; A] has rank 2 and needs 3 (Udwadia & Phohomsiri 2006, result 3)")
        .help("give `x` mass in `kinetic`, or add a constraint that contains it");
    let expected = "\
error[not-unique]: the acceleration of `x` is not determined
   --> wheel.holo:3:25
    |
  3 | coord theta: rad, y: m, x: m
    |                         ^ no mass and no constraint reaches `x`
    = note: [M; A] has rank 2 and needs 3 (Udwadia & Phohomsiri 2006, result 3)
    = help: give `x` mass in `kinetic`, or add a constraint that contains it
";
    assert_eq!(render(&message, &sources, false), expected);
}

/// On a narrow terminal no line is too long, no word is lost, and marks stand under what they mark.
#[test]
fn messages_fit_into_narrow_terminals() {
    let (sources, file) = wheel();
    let message = Diagnostic::error("not-unique", "the acceleration of `x` is not determined by this model")
        .at(span_of(&sources, file, "x: m\n"), "no mass and no constraint reaches `x`")
        .at(span_of(&sources, file, "param"), "and this is of no help, whatever its value may be")
        .note("[M; A] has rank 2 and needs 3 (Udwadia & Phohomsiri 2006, result 3)")
        .help("give `x` mass in `kinetic`, or add a constraint that contains it");
    let words = |text: &str| {
        let all = text.split_whitespace().filter(|word| *word != "|").map(str::to_string);
        all.collect::<Vec<_>>()
    };
    let wide = render_all(std::slice::from_ref(&message), &sources, false);
    for width in [36, 40, 60] {
        let narrow = render_within(std::slice::from_ref(&message), &sources, width, false);
        let long = narrow.lines().find(|line| line.chars().count() > width || line.trim_end() != *line);
        assert_eq!(long, None, "{width} columns:\n{narrow}");
        assert_eq!(words(&narrow), words(&wide), "{narrow}");
    }
    assert_eq!(render_within(&[message], &sources, 200, false), wide);
}

#[test]
fn labels_in_several_lines_and_several_in_one_and_the_corrected_line() {
    let (sources, file) = wheel();
    let message = Diagnostic::error("unknown-name", "there is no `tehta`")
        .at(span_of(&sources, file, "y: m"), "here")
        .at(span_of(&sources, file, "theta"), "perhaps this")
        .at(span_of(&sources, file, "# A"), "")
        .suggest(span_of(&sources, file, "rad"), "deg");
    let expected = "\
error[unknown-name]: there is no `tehta`
   --> wheel.holo:3:19
    |
  1 | # A wheel.
    | ---
  ...
  3 | coord theta: rad, y: m, x: m
    |       ----- perhaps this
    |                   ^^^^ here
    = help: write it like this
    |
  3 | coord theta: deg, y: m, x: m
    |              ~~~
";
    assert_eq!(render(&message, &sources, false), expected);
}

#[test]
fn labels_over_several_lines_are_shortened() {
    let (sources, file) = wheel();
    let span = span_of(&sources, file, "param").to(span_of(&sources, file, "theta"));
    let text = render(&Diagnostic::warning("stiff", "m").at(span, "all this"), &sources, false);
    assert!(text.contains("  2 | param g = 9.81\n    | ^^^^^^^^^^^^^^… all this (to line 3)\n"), "{text}");
}

#[test]
fn marks_stand_right_under_tabs_and_wide_letters_and_commands_are_disarmed() {
    let mut sources = Sources::new();
    let file = sources.add("a\x1b[31m.holo", "\tx 漢字 e\u{301} \x1b[2J y");
    let text =
        render(&Diagnostic::error("stiff", "bad \x07 bell").at(span_of(&sources, file, "y"), "z"), &sources, false);
    assert!(text.contains("  1 |     x 漢字 e\u{301} ␛[2J y\n    |                   ^ z\n"), "{text}");
    assert!(!text.contains('\x1b') && !text.contains('\x07'), "{text}");
}

#[test]
fn long_lines_are_cut_around_each_label() {
    let mut sources = Sources::new();
    let file = sources.add("long", format!("{}HERE{}THERE{}", "a".repeat(900), "b".repeat(900), "c".repeat(900)));
    let message = Diagnostic::error("stiff", "m")
        .at(span_of(&sources, file, "HERE"), "one")
        .at(span_of(&sources, file, "THERE"), "two");
    let text = render(&message, &sources, false);
    assert!(text.lines().all(|line| line.chars().count() < 120), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    for (at, piece, sign) in [(3, "HERE", "^^^^"), (5, "THERE", "-----")] {
        let column = lines[at].chars().collect::<String>();
        let column = column[..column.find(piece).expect("shown")].chars().count();
        let below = &lines[at + 1];
        assert_eq!(below[..below.find(sign).expect("marked")].chars().count(), column, "{text}");
    }
}

#[test]
fn spans_from_nowhere_do_no_harm() {
    let mut sources = Sources::new();
    let file = sources.add("short", "äx");
    for span in [Span::new(file, 1, 1), Span::new(file, 1, 99), Span::new(file, 7, 3), Span::new(FileId(9), 0, 1)] {
        let message = Diagnostic::error("stiff", "m").at(span, "t").suggest(span, "r\n");
        assert!(render(&message, &sources, true).contains("stiff"));
        assert!(diagnostic_to_json(&message, &sources).contains("\"code\": \"stiff\""));
    }
    assert_eq!(render(&Diagnostic::error("stiff", "m"), &sources, false), "error[stiff]: m\n");
}

#[test]
fn all_messages_are_in_the_order_of_their_places_and_counted() {
    let (sources, file) = wheel();
    let messages = [
        Diagnostic::error("run-lost", "m").at(span_of(&sources, file, "theta"), ""),
        Diagnostic::warning("stiff", "m").at(span_of(&sources, file, "g ="), ""),
        Diagnostic::error("run-until", "m"),
    ];
    let text = render_all(&messages, &sources, false);
    let place = |code: &str| text.find(code).expect("rendered");
    assert!(place("stiff") < place("run-lost") && place("run-lost") < place("run-until"));
    assert!(text.ends_with("\n\n2 errors, 1 warning\n"), "{text}");
    assert_eq!(render_all(&[], &sources, false), "");
}

#[test]
fn colours_add_nothing_but_colours() {
    let (sources, file) = wheel();
    let message = Diagnostic::error("stiff", "m").at(span_of(&sources, file, "theta"), "t").note("n").help("h");
    let mut plain = String::new();
    let mut inside = false;
    for letter in render(&message, &sources, true).chars() {
        match letter {
            '\x1b' => inside = true,
            'm' if inside => inside = false,
            _ if !inside => plain.push(letter),
            _ => {}
        }
    }
    assert_eq!(plain, render(&message, &sources, false));
}

#[test]
fn json_of_a_message() {
    let mut sources = Sources::new();
    let file = sources.add("a.holo", "ä \"x\"\n");
    let message = Diagnostic::error("stiff", "a \"quote\"").at(span_of(&sources, file, "\"x\""), "t\n").note("n");
    assert_eq!(
        diagnostic_to_json(&message, &sources),
        "{\"code\": \"stiff\", \"severity\": \"error\", \"message\": \"a \\\"quote\\\"\", \"time\": null, \"file\": \"a.holo\", \
         \"line\": 1, \"column\": 3, \"end_line\": 1, \"end_column\": 6, \"labels\": [{\"file\": \"a.holo\", \
         \"line\": 1, \"column\": 3, \"end_line\": 1, \"end_column\": 6, \"text\": \"t\\n\"}], \"notes\": [\"n\"], \
         \"help\": [], \"suggestion\": null}"
    );
}
