//! Drives headless Chromium, so that tests can open a report as a reader does: press, drag, look, and see what was asked of the network.
//!
//! Chromium is spoken to over its debugging pipe: JSON messages that end in a zero byte, read from file descriptor 3 and written to
//! file descriptor 4. No port is opened and no driver is needed. The standard library passes only the first three descriptors on,
//! so a shell opens two named pipes as 3 and 4 and then becomes the browser.
//!
//! Every wait ends after a time. A [`Browser`] has its own empty profile in a temporary folder; both are gone when it is dropped.
//!
//! ```no_run
//! # fn main() -> Result<(), holonom_browser::Error> {
//! let mut browser = holonom_browser::Browser::start()?;
//! let mut page = browser.page("report.html".as_ref())?;
//! page.evaluate("holonom.ready")?;
//! page.click("button.play")?;
//! assert_eq!(page.evaluate("holonom.playing()")?, true);
//! assert!(page.console()?.is_empty());
//! # Ok(())
//! # }
//! ```

mod browser;
mod error;
mod layout;
mod page;
mod pipe;

pub use browser::Browser;
pub use error::Error;
pub use page::{Look, Page};
