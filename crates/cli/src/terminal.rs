//! What a terminal is told: text, colours and links where they are wanted, and how it ended.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;

use holonom::symbols::page::{Layout, Rich, Sheet};

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set; everywhere if CLICOLOR_FORCE is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Colour {
    /// Whether to colour what goes to standard error.
    pub fn on_errors(self) -> bool {
        self.wanted(io::stderr().is_terminal())
    }

    /// Whether to colour what goes to standard output.
    pub fn on_output(self) -> bool {
        self.wanted(io::stdout().is_terminal())
    }

    /// How verdicts and summaries are laid out on standard output: in lines that fit if it is a terminal.
    pub fn layout(self) -> Layout {
        let layout = if io::stdout().is_terminal() { Layout::terminal(columns()) } else { Layout::PLAIN };
        layout.with_colour(self.on_output())
    }

    fn wanted(self, terminal: bool) -> bool {
        match self {
            Self::Auto if is_set("NO_COLOR") => false,
            Self::Auto => (terminal && !is_dumb()) || is_on("CLICOLOR_FORCE"),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Whether a variable is set to anything but 0.
fn is_on(name: &str) -> bool {
    is_set(name) && env::var_os(name).is_some_and(|value| value != "0")
}

/// A terminal that shows letters and nothing else.
fn is_dumb() -> bool {
    env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// How many columns the terminal has, if there is one.
pub fn width() -> Option<usize> {
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)).filter(|width| *width > 0)
}

/// How wide a page may be: as COLUMNS says, or the terminal, or 80.
pub fn columns() -> usize {
    let told = env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    told.or_else(width).unwrap_or(80).clamp(20, 1000)
}

/// Whether the terminal can be expected to show Braille patterns: its locale is UTF-8, and it is not the console of Linux, whose
/// fonts do not have them.
pub fn has_braille() -> bool {
    if cfg!(windows) {
        return true;
    }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(|name| is_set(name));
    let locale = locale.and_then(|name| env::var(name).ok()).unwrap_or_default().to_ascii_lowercase();
    (locale.contains("utf-8") || locale.contains("utf8")) && env::var_os("TERM").is_none_or(|term| term != "linux")
}

/// Text that opens a file when it is clicked, on terminals that are known to have such links; elsewhere the text alone.
pub fn link(text: &str, path: &Path) -> String {
    match std::path::absolute(path) {
        Ok(path) if io::stdout().is_terminal() && has_links() => {
            format!("\x1b]8;;{}\x1b\\{text}\x1b]8;;\x1b\\", url(&path))
        }
        _ => text.to_string(),
    }
}

/// Whether the terminal has links (OSC 8). There is no way to ask it, so those that do are listed. `FORCE_HYPERLINK` overrides.
fn has_links() -> bool {
    if is_set("FORCE_HYPERLINK") {
        return is_on("FORCE_HYPERLINK");
    }
    let text = |name: &str| env::var(name).unwrap_or_default();
    let number = |name: &str| text(name).parse::<u32>().unwrap_or(0);
    let programs = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby"];
    let terms = ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "foot-extra", "wezterm", "contour"];
    !is_dumb()
        && (number("VTE_VERSION") >= 5000
            || number("KONSOLE_VERSION") >= 201_200
            || is_set("WT_SESSION")
            || is_set("DOMTERM")
            || programs.contains(&text("TERM_PROGRAM").as_str())
            || terms.contains(&text("TERM").as_str()))
}

/// The address of a file, by its absolute path.
pub fn url(path: &Path) -> String {
    let mut url = "file://".to_string();
    let path = path.to_string_lossy();
    let path = if cfg!(windows) { format!("/{}", path.replace('\\', "/")) } else { path.into_owned() };
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' | b':' => url.push(byte.into()),
            _ => url += &format!("%{byte:02X}"),
        }
    }
    url
}

/// The model is wrong, or a claim about it is.
pub const WRONG: u8 = 1;
/// The command could not do its work: a file that cannot be read, an option that means nothing.
pub const UNABLE: u8 = 2;

/// Why standard output could not be written, where it could not.
static UNWRITTEN: OnceLock<String> = OnceLock::new();

/// Writes to standard output. A reader who has gone away is no reason to complain; any other failure is reported by [`ended`].
pub fn say(text: &str) {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            UNWRITTEN.get_or_init(|| error.to_string());
        }
        _ => {}
    }
}

/// How a command ends: with its own code, or with [`UNABLE`] and a message where its output could not be written.
pub fn ended(code: ExitCode) -> ExitCode {
    match UNWRITTEN.get() {
        Some(why) => fail(&format!("cannot write to standard output: {why}")),
        None => code,
    }
}

/// How wide messages may be: nothing where standard error is no terminal.
pub fn columns_of_errors() -> Option<usize> {
    io::stderr().is_terminal().then(columns)
}

/// Lines that fit into `columns` columns; further lines of one are indented.
fn fitted(text: &str, columns: usize) -> String {
    let mut sheet = Sheet::new(Layout::terminal(columns));
    text.lines().for_each(|line| sheet.head(&Rich::default().words(line)));
    sheet.to_string()
}

/// Writes to standard error.
pub fn complain(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes());
}

/// Says why the command could not do its work.
pub fn fail(why: &str) -> ExitCode {
    let word = if Colour::Auto.on_errors() { "\x1b[1;31merror\x1b[0m" } else { "error" };
    let why = match columns_of_errors() {
        Some(columns) => fitted(&format!("error: {why}"), columns).replacen("error", word, 1),
        None => format!("{word}: {why}\n"),
    };
    complain(&why);
    ExitCode::from(UNABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn addresses_have_no_letter_that_means_something_else() {
        assert_eq!(url(Path::new("/a b/50%#?.run/ü.html")), "file:///a%20b/50%25%23%3F.run/%C3%BC.html");
    }
}
