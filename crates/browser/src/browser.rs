//! A browser of one's own: found, started, and gone when dropped.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::pipe::Pipe;
use crate::{Error, Page};

/// Names under which Chromium is installed, in the order they are tried.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A headless browser with an empty profile.
pub struct Browser {
    child: Child,
    /// `None` only while the browser is taken down.
    pipe: Option<Pipe>,
    _folder: Folder,
}

impl Browser {
    /// Finds Chromium and starts it.
    ///
    /// The environment variable `HOLONOM_CHROMIUM` names a program to use instead of the usual ones.
    ///
    /// # Errors
    ///
    /// [`Error::Absent`] if there is none, [`Error::Ended`] or [`Error::Timeout`] if it does not come up.
    pub fn start() -> Result<Self, Error> {
        let program = find().ok_or(Error::Absent)?;
        let folder = Folder::fresh()?;
        let (commands, answers) = (folder.0.join("commands"), folder.0.join("answers"));
        let made = Command::new("mkfifo").arg("-m").arg("600").arg(&commands).arg(&answers).status();
        match made {
            Ok(status) if status.success() => {}
            Ok(_) => return Err(Error::Io("make named pipes", std::io::Error::other("`mkfifo` failed"))),
            Err(error) => return Err(Error::Io("run `mkfifo`", error)),
        }
        let pipe = Pipe::open(&commands, &answers)?;
        let child = Command::new("sh")
            .arg("-c")
            .arg(r#"in=$1 out=$2; shift 2; exec "$@" 3<"$in" 4>"$out""#)
            .arg("sh")
            .args([&commands, &answers, &program])
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"])
            // What a browser does on its own: none of it belongs into a test.
            .args(["--no-first-run", "--no-default-browser-check", "--disable-extensions", "--disable-sync"])
            .args(["--disable-background-networking", "--disable-component-update", "--mute-audio"])
            .arg(format!("--user-data-dir={}", folder.0.join("profile").display()))
            .args(["--remote-debugging-pipe", "about:blank"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| Error::Io("start the browser", e))?;
        let mut browser = Self { child, pipe: Some(pipe), _folder: folder };
        browser.pipe()?.call(None, "Browser.getVersion", json!({}))?;
        Ok(browser)
    }

    /// A browser for a test: `None`, with a message, where there is no Chromium.
    ///
    /// # Panics
    ///
    /// If it does not start, or is absent although the environment variable `HOLONOM_REQUIRE_TOOLS` is set.
    #[must_use]
    pub fn for_test() -> Option<Self> {
        match Self::start() {
            Ok(browser) => Some(browser),
            Err(Error::Absent) if std::env::var_os("HOLONOM_REQUIRE_TOOLS").is_none() => {
                eprintln!("skipped: {}", Error::Absent);
                None
            }
            Err(error) => panic!("{error}; .ci/setup installs Chromium"),
        }
    }

    /// Opens a file in a new tab, 1280 by 900 pixels and light, and waits until it is loaded.
    ///
    /// # Errors
    ///
    /// If the file does not load.
    pub fn page(&mut self, path: &Path) -> Result<Page<'_>, Error> {
        Page::open(self.pipe()?, path)
    }

    fn pipe(&mut self) -> Result<&mut Pipe, Error> {
        self.pipe.as_mut().ok_or(Error::Ended)
    }

    /// Whether the browser ends by itself within a moment.
    fn ends(&mut self) -> bool {
        let until = Instant::now() + Duration::from_secs(3);
        while Instant::now() < until {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        false
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Asked to close it also ends its helpers; killed, it leaves them to notice.
        let asked = self.pipe.as_mut().is_some_and(|pipe| pipe.call(None, "Browser.close", json!({})).is_ok());
        if !(asked && self.ends()) {
            // Already gone is fine.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        self.pipe = None;
    }
}

/// A temporary folder for the pipes and the profile; removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn fresh() -> Result<Self, Error> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("holonom-browser-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        // A process with the same number may have been killed before it could tidy up.
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(|e| Error::Io("clear a temporary folder", e))?;
        }
        std::fs::create_dir(&folder).map_err(|e| Error::Io("make a temporary folder", e))?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The browser's helpers may still write for a moment.
        for _ in 0..20 {
            if std::fs::remove_dir_all(&self.0).is_ok() || !self.0.exists() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// The program to start: what `HOLONOM_CHROMIUM` names, or the first of the usual names on the search path.
fn find() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("HOLONOM_CHROMIUM") {
        return Some(named.into()).filter(|path: &PathBuf| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    let folders: Vec<_> = std::env::split_paths(&path).collect();
    NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
}
