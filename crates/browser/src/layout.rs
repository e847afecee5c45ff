//! Whether everything on a page has its place: nothing beyond the screen, nothing cut off, no text on another.

use crate::{Error, Page};

/// Looks at a page as it is seen now.
const FAULTS: &str = include_str!("layout.js");
/// Keeps the labels of plots, which are in no element.
pub(crate) const RECORDER: &str = include_str!("recorder.js");

impl Page<'_> {
    /// What is wrong with the layout as the page is seen now, in sentences; nothing where all is well.
    ///
    /// Text must not reach beyond the screen, must not be cut off at the side by the box it stands in, and must not lie on other
    /// text. The labels of plots count as text. Plots draw when they come near the window, so emulate a tall one.
    ///
    /// # Errors
    ///
    /// If the browser does not answer.
    pub fn layout_faults(&mut self) -> Result<Vec<String>, Error> {
        let found = self.evaluate(FAULTS)?;
        let list = found.as_array().ok_or_else(|| Error::Answer("a list of faults".to_owned()))?;
        Ok(list.iter().map(|fault| fault.as_str().unwrap_or("?").to_owned()).collect())
    }
}
