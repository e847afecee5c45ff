//! What a reader does who follows a page: files are written and commands entered, one after the other, in one folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, process};

/// What a command said, in lines, and whether it ended well.
pub struct Said {
    pub lines: Vec<String>,
    pub success: bool,
}

/// Commands that are shown and not entered: they build or fetch, and need what a test must not need.
const NOT_ENTERED: [&str; 8] =
    ["git clone ", "cd ", "cargo build ", "cargo install ", "cargo test ", "cargo bench ", "cargo doc ", "mdbook "];

/// A folder of a page's own, with the gallery in it, gone when the page is over.
pub struct Session {
    folder: PathBuf,
}

impl Session {
    pub fn new(name: &str, gallery: &Path) -> Self {
        let folder = env::temp_dir().join(format!("holonom-guide-{}-{name}", process::id()));
        let _ = fs::remove_dir_all(&folder);
        copy(gallery, &folder.join("gallery"));
        Self { folder }
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// Enters a command; nothing where it is one of those that are only shown.
    ///
    /// # Errors
    /// Where it is no command that the tests know.
    pub fn enter(&self, command: &str) -> Result<Option<Said>, String> {
        if NOT_ENTERED.iter().any(|begin| format!("{command} ").starts_with(begin)) {
            return Ok(None);
        }
        let words = words(command)?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["holonom", arguments @ ..] | ["cargo", "run", "--release", "--", arguments @ ..] => {
                Ok(Some(self.holonom(arguments)))
            }
            ["ls", folder] => self.names(folder).map(Some),
            ["head", lines, file] if lines.starts_with('-') => self.head(lines, file).map(Some),
            ["cut", "-d,", fields, file] if fields.starts_with("-f") => self.cut(&fields[2..], file).map(Some),
            _ => Err("no command that is entered here".into()),
        }
    }

    pub fn holonom(&self, arguments: &[&str]) -> Said {
        let output = Command::new(binary())
            .args(arguments)
            .current_dir(&self.folder)
            .env("NO_COLOR", "1")
            .env("LC_ALL", "C.UTF-8")
            .env_remove("COLUMNS")
            .stdin(Stdio::null())
            .output()
            .expect("the command starts");
        let text = [output.stderr, output.stdout].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        let here = self.folder.to_string_lossy();
        let lines = text.lines().map(|line| line.replace(&*here, "").trim_end().to_string()).collect();
        Said { lines, success: output.status.success() }
    }

    fn names(&self, folder: &str) -> Result<Said, String> {
        let entries = fs::read_dir(self.folder.join(folder)).map_err(|error| error.to_string())?;
        let mut lines: Vec<_> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        lines.sort();
        Ok(Said { lines, success: true })
    }

    fn head(&self, lines: &str, file: &str) -> Result<Said, String> {
        let count = lines[1..].parse().map_err(|_| "a number of lines is expected")?;
        let text = fs::read_to_string(self.folder.join(file)).map_err(|error| error.to_string())?;
        Ok(Said { lines: text.lines().take(count).map(str::to_string).collect(), success: true })
    }

    fn cut(&self, fields: &str, file: &str) -> Result<Said, String> {
        let wanted: Vec<&str> = fields.split(',').collect();
        let text = fs::read_to_string(self.folder.join(file)).map_err(|error| error.to_string())?;
        let kept = |line: &str| {
            let numbered = line.split(',').enumerate();
            let kept = numbered.filter(|(number, _)| wanted.contains(&(number + 1).to_string().as_str()));
            kept.map(|(_, field)| field).collect::<Vec<_>>().join(",")
        };
        Ok(Said { lines: text.lines().map(kept).collect(), success: true })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The command under test; `HOLONOM_BINARY` names another one, which saves the build while a page is written.
fn binary() -> PathBuf {
    env::var_os("HOLONOM_BINARY").map_or_else(|| env!("CARGO_BIN_EXE_holonom").into(), PathBuf::from)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder for a page");
    for entry in fs::read_dir(from).expect("a folder to copy") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a file is copied");
        }
    }
}

/// The words of a command, as a shell would see them; only blanks and quotes mean anything here.
fn words(command: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote): (Vec<String>, Option<String>, Option<char>) = (vec![], None, None);
    for c in command.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c == ' ' => words.extend(word.take()),
            None if c == '#' && word.is_none() => break,
            None if "|<>&;$\\`*".contains(c) => return Err(format!("`{c}` is for a shell, and there is none here")),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if quote.is_some() { Err("a quote is not closed".into()) } else { Ok(words) }
}

#[test]
fn commands_fall_into_words() {
    let split = |command| words(command).unwrap();
    assert_eq!(
        split("holonom run a.holo --set \"L=2 m\" --at 'x = 1'  # again"),
        ["holonom", "run", "a.holo", "--set", "L=2 m", "--at", "x = 1"]
    );
    assert!(words("holonom papers | less").is_err());
    assert!(words("holonom explain \"x").is_err());
}
