//! Drives headless Chromium, so that tests can use a report as a reader does: click, drag, read the page, and list its network requests.
//!
//! Tests talk to Chromium over its debugging pipe: JSON messages that end in a zero byte, read from file descriptor 3 and written to
//! file descriptor 4. No port is opened and no driver is needed. The standard library passes on only the first three descriptors,
//! so a shell opens two named pipes as 3 and 4 and then becomes the browser.
//!
//! Every wait has a timeout. A [`Browser`] has its own empty profile in a temporary folder; dropping it ends the one and removes the other.
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
