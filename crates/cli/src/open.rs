//! `--open`: a page in the user's browser.

use std::env;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::terminal::url;

/// What cannot open a page says so within this time. What still runs after it is a browser, and is left alone.
const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(10);

/// Opens a page: by `$BROWSER`, or else by what the platform has for it. Never waits for the browser to end.
///
/// # Errors
/// What was tried, why it did not work, and what to do.
pub fn open(page: &Path) -> Result<(), String> {
    let page = std::path::absolute(page).map_err(|error| format!("cannot open `{}`: {error}", page.display()))?;
    let mut reasons = Vec::new();
    for (name, mut command) in openers(&page) {
        match start(&mut command) {
            Ok(()) => return Ok(()),
            Err(why) => reasons.push(format!("\n  note: `{name}` {why}")),
        }
    }
    Err(format!(
        "cannot open `{}` in a browser{}\n  help: open this file by hand, or set BROWSER to the command of a browser",
        page.display(),
        reasons.concat()
    ))
}

/// What may open a page, the first choice first, by name.
fn openers(page: &Path) -> Vec<(String, Command)> {
    let mut list = Vec::new();
    let told = env::var("BROWSER").unwrap_or_default();
    // A list of commands, in which %s is the address.
    let separator = if cfg!(windows) { ';' } else { ':' };
    for command in told.split(separator) {
        let mut words = command.split_whitespace();
        let Some(program) = words.next() else { continue };
        let mut command = Command::new(program);
        let address = url(page);
        let mut placed = false;
        for word in words {
            placed |= word.contains("%s");
            command.arg(word.replace("%s", &address));
        }
        if !placed {
            command.arg(address);
        }
        list.push((program.to_string(), command));
    }
    let platform: &[&[&str]] = if cfg!(windows) {
        &[&["cmd", "/C", "start", ""]]
    } else if cfg!(target_os = "macos") {
        &[&["open"]]
    } else {
        &[&["xdg-open"], &["gio", "open"], &["wslview"]]
    };
    for words in platform {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(page);
        list.push((words.join(" ").trim_end().to_string(), command));
    }
    list
}

/// Starts a command beside this one.
fn start(command: &mut Command) -> Result<(), String> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C in this terminal is not meant for the browser.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.spawn().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "is not installed".to_string(),
        _ => format!("cannot be started: {error}"),
    })?;
    watched(&mut child, Instant::now() + PATIENCE)
}

fn watched(child: &mut Child, until: Instant) -> Result<(), String> {
    while Instant::now() < until {
        match child.try_wait() {
            Ok(None) => sleep(PAUSE),
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("failed ({status})")),
            Err(error) => return Err(format!("is lost: {error}")),
        }
    }
    Ok(())
}
