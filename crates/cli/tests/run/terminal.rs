//! What a person sees: charts, colours, lines that fit and links, on a terminal and never in a pipe.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::{Folder, Run, end, holonom};

const FALL: &str = "title Two balls that fall\nparam g = 9.81 m/s^2, m = 1 kg\ncoord x: m, y: m\n\
    kinetic m*(x'^2 + y'^2)/2\npotential m*g*y\nstart x = 0 m, y = 10 m, x' = 1 m/s\n\
    event floor: y < 0 m -> set y' = -y'\noutput height: y\noutput speed: y'\noutput weight: m*g\nrun until 5 s\n";

/// Variables that change what a terminal is taken for.
const VARIABLES: [&str; 14] = [
    "NO_COLOR",
    "CLICOLOR_FORCE",
    "FORCE_HYPERLINK",
    "COLUMNS",
    "LC_ALL",
    "LC_CTYPE",
    "LANG",
    "TERM",
    "TERM_PROGRAM",
    "VTE_VERSION",
    "KONSOLE_VERSION",
    "WT_SESSION",
    "DOMTERM",
    "BROWSER",
];

fn set(command: &mut Command, variables: &[(&str, &str)]) {
    VARIABLES.iter().for_each(|name| {
        command.env_remove(name);
    });
    command.env("LANG", "C.UTF-8").env("TERM", "xterm").envs(variables.iter().copied());
}

fn piped(arguments: &[&str], variables: &[(&str, &str)]) -> Run {
    let mut command = holonom();
    set(command.args(arguments), variables);
    end(&mut command)
}

/// What a terminal of so many columns shows of a command; nothing where there is no `script` to make one.
fn shown(columns: usize, arguments: &[&str], variables: &[(&str, &str)]) -> Option<String> {
    let quoted: Vec<String> = arguments.iter().map(|word| format!("'{word}'")).collect();
    let line = format!("stty cols {columns} rows 40; '{}' {}", env!("CARGO_BIN_EXE_holonom"), quoted.join(" "));
    let mut command = Command::new("script");
    command.args(["-q", "-e", "-c", &line, "/dev/null"]).stdin(Stdio::null());
    set(&mut command, variables);
    match command.output() {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stdout).replace('\r', "");
            assert!(output.status.success(), "{arguments:?}: {text}");
            Some(text)
        }
        Err(_) => {
            eprintln!("`script` of util-linux is not there: nothing was tried on a terminal");
            None
        }
    }
}

/// Text without colours and links.
fn bare(text: &str) -> String {
    let mut bare = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\x1b' {
            bare.push(letter);
        } else if letters.next() == Some(']') {
            while letters.next().is_some_and(|letter| letter != '\x1b') {}
            letters.next();
        } else {
            while letters.next().is_some_and(|letter| !letter.is_ascii_alphabetic()) {}
        }
    }
    bare
}

fn is_braille(letter: char) -> bool {
    ('\u{2801}'..='\u{28ff}').contains(&letter)
}

/// The lines that show how long it took differ from run to run.
fn timeless(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("  computing")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn in_a_pipe_there_is_text_alone() {
    let folder = Folder::new("pipe");
    let (model, out) = (folder.model("fall.holo", FALL), folder.path("a"));
    for arguments in [vec!["run", &model, "--out", &out], vec!["check", &model], vec!["explain", &model]] {
        let done = piped(&arguments, &[("FORCE_HYPERLINK", "1"), ("COLUMNS", "40")]);
        assert_eq!(done.status, Some(0), "{}", done.err);
        assert!(!done.out.contains('\x1b') && !done.out.contains(is_braille), "{}", done.out);
        assert!(!done.out.contains("\nopen "), "{}", done.out);
    }
}

#[test]
fn charts_can_be_asked_for_and_fit() {
    let folder = Folder::new("charts");
    let (model, out) = (folder.model("fall.holo", FALL), folder.path("a"));
    let plain = timeless(&piped(&["run", &model, "--out", &out], &[]).out);
    for (columns, locale) in [("40", "C.UTF-8"), ("80", "de_DE.utf8"), ("120", "C"), ("40", "")] {
        let asked = ["run", &model, "--out", &out, "--charts", "always"];
        let done = piped(&asked, &[("COLUMNS", columns), ("LC_ALL", locale), ("LANG", "C")]);
        let charts = timeless(&done.out);
        let charts = charts.strip_prefix(&plain).unwrap_or_else(|| panic!("the summary comes first: {}", done.out));
        for name in ["height [m]", "speed [m/s]", "weight [N], constant", "t = 0 s", "5 s", "10 ", "9.81 "] {
            assert!(charts.contains(name), "no {name} in {charts}");
        }
        let width: usize = columns.parse().unwrap();
        assert!(charts.lines().all(|line| line.chars().count() <= width), "{charts}");
        assert_eq!(charts.contains(is_braille), locale.to_lowercase().contains("utf"), "{charts}");
        assert_eq!(charts.is_ascii(), !charts.contains(is_braille), "{charts}");
    }
    let quiet = piped(&["run", &model, "--out", &out, "--charts", "always", "--quiet"], &[]);
    assert_eq!((quiet.status, quiet.out.as_str()), (Some(0), ""));
    let json = piped(&["run", &model, "--out", &out, "--charts", "always", "--json"], &[]);
    assert!(serde_json::from_str::<Value>(&json.out).is_ok(), "{}", json.out);
}

/// A model without outputs shows its first coordinates, and says that there are more.
#[test]
fn without_outputs_there_are_coordinates() {
    let folder = Folder::new("coordinates");
    let model = "coord a, b, c, d, e\nkinetic (a'^2 + b'^2 + c'^2 + d'^2 + e'^2)/2\n\
        start a = 1, b = 2, c = 3, d = 4, e = 5, a' = 1\nrun until 1\n";
    let (model, out) = (folder.model("five.holo", model), folder.path("a"));
    let done = piped(&["run", &model, "--out", &out, "--charts", "always"], &[]);
    let lines: Vec<&str> = done.out.lines().collect();
    for (line, count) in [
        ("  a", 1),
        ("  b, constant", 1),
        ("  d, constant", 1),
        ("  e, constant", 0),
        ("  1 more coordinate: see report.html", 1),
    ] {
        assert_eq!(lines.iter().filter(|found| **found == line).count(), count, "{line} in {}", done.out);
    }
}

#[test]
fn verdicts_have_colours_where_they_are_wanted() {
    let folder = Folder::new("colours");
    let pendulum = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nconstraint rod: x^2 + y^2 = 1\n";
    let good =
        folder.model("good.holo", &format!("{pendulum}start x = 1, y = 0\nexpect constant energy()\nrun until 1\n"));
    let again = format!("{pendulum}constraint again: 2*x^2 + 2*y^2 = 2\nstart x = 1, y = 0\n");
    let again = folder.model("again.holo", &again);
    let against = format!("{pendulum}constraint other: x^2 + y^2 = 4\nstart x = 1, y = 0\n");
    let against = folder.model("against.holo", &against);
    let out = folder.path("a");
    let (green, yellow, red) = ("\x1b[1;32m", "\x1b[1;33m", "\x1b[1;31m");
    for (arguments, marked) in [
        (vec!["check", &good], format!("{green}unique\x1b[0m: [M; A]")),
        (vec!["check", &good], format!("line 6: {green}holds\x1b[0m")),
        (vec!["check", &again], format!("  {yellow}redundant\x1b[0m")),
        (vec!["check", &against], format!("  {red}conflict\x1b[0m")),
        (vec!["explain", &good, "--only", "verdict"], format!("{green}unique\x1b[0m")),
        (vec!["explain", &again, "--only", "verdict"], format!("{yellow}follows\x1b[0m")),
        (vec!["run", &good, "--out", &out], format!("{green}finished\x1b[0m at t = 1")),
    ] {
        let plain = piped(&arguments, &[]);
        let with = |option: &str| piped(&[&arguments[..], &["--color", option]].concat(), &[]);
        let forced = piped(&arguments, &[("CLICOLOR_FORCE", "1")]);
        for coloured in [&forced, &with("always")] {
            assert!(coloured.out.contains(&marked), "{arguments:?}: {:?}", coloured.out);
            // The page of `explain` has code in colour in place of backticks.
            let (bare, plain) = (timeless(&bare(&coloured.out)), timeless(&plain.out.replace('`', "")));
            assert!(arguments[0] == "explain" || bare == plain, "{arguments:?}");
        }
        for none in [
            with("never"),
            piped(&arguments, &[("CLICOLOR_FORCE", "0")]),
            piped(&arguments, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]),
        ] {
            assert_eq!(timeless(&none.out), timeless(&plain.out), "{arguments:?}");
            assert!(!none.out.contains('\x1b') && !none.err.contains('\x1b'), "{arguments:?}");
        }
    }
}

#[test]
fn a_terminal_shows_charts_colours_and_where_the_report_is() {
    let folder = Folder::new("shown");
    let (model, out) = (folder.model("fall.holo", FALL), folder.path("a"));
    let run = ["run", &model, "--out", &out];
    let Some(text) = shown(80, &run, &[]) else { return };
    assert!(text.contains("\x1b[1;32mfinished\x1b[0m") && text.contains(is_braille), "{text}");
    assert!(text.contains(&format!("\nopen {out}/report.html\n")), "{text}");
    let linked = shown(80, &run, &[("FORCE_HYPERLINK", "1")]).expect("a terminal");
    let link = format!("open \x1b]8;;file://{out}/report.html\x1b\\{out}/report.html\x1b]8;;\x1b\\");
    assert!(linked.contains(&link), "{linked:?}");
    for (variables, arguments) in [
        (vec![("NO_COLOR", "1")], run.to_vec()),
        (vec![("TERM", "dumb")], run.to_vec()),
        (vec![("CLICOLOR_FORCE", "1")], [&run[..], &["--color", "never"]].concat()),
    ] {
        let text = shown(80, &arguments, &variables).expect("a terminal");
        assert!(!text.contains("\x1b[1;32m") && !text.contains("\x1b[36m"), "{variables:?}: {text:?}");
        assert!(text.contains(is_braille), "charts need no colours: {text}");
    }
    let none = shown(80, &[&run[..], &["--charts", "never"]].concat(), &[]).expect("a terminal");
    assert!(!none.contains(is_braille), "{none}");
}

/// Whatever is shown fits, also in 40 columns. Paths are one word, and here too long to fit.
#[test]
fn lines_fit_into_a_terminal() {
    let folder = Folder::new("fits");
    let (model, out) = (folder.model("fall.holo", FALL), folder.path("a"));
    for columns in [40, 80, 120] {
        for arguments in
            [vec!["run", &model, "--out", &out], vec!["check", &model], vec!["run", "--help"], vec!["--help"]]
        {
            let Some(text) = shown(columns, &arguments, &[]) else { return };
            let text = bare(&text);
            let long = text.lines().find(|line| line.chars().count() > columns && !line.contains('/'));
            assert_eq!(long, None, "{columns} columns, {arguments:?}:\n{text}");
        }
    }
}
