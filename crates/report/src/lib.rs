//! A run → `report.html`: animation, equations, verdict, plots and evidence in one file.
//!
//! The page makes no requests: it contains its styles, scripts and numbers. Equations, verdict and evidence are plain HTML, written
//! here; the viewer in `assets/` draws animation and plots from the numbers that `data` packs. The crate contains no mechanics: it lays
//! out what the library has computed.

mod data;
mod earlier;
mod equations;
mod evidence;
mod figures;
mod film;
mod highlight;
mod html;
mod overlay;
mod page;
mod picture;
mod plots;
mod reel;
mod rows;
mod series;
mod system;
mod verdict;

pub use earlier::{Earlier, Unreadable};
pub use equations::ReportFormulas;
pub use figures::{Wanted, figure};
pub use film::Film;
pub use overlay::Overlay;
pub use page::html;
pub use plots::PlotSpec;
pub use rows::KeptRows;
pub use series::{Series, Track, unit};

use holonom::language::Sources;
use holonom::mechanics::compile::CompiledSystem;
use holonom::simulate::analysis;

/// The name of the report in the folder of a run.
pub const REPORT: &str = "report.html";

/// A run, as far as a report tells of it.
pub struct ReportedRun<'a> {
    /// The system, with the parameters of the run.
    pub system: &'a CompiledSystem,
    /// What is known of its start.
    pub report: &'a analysis::Report,
    /// The table that was recorded, perhaps thinned.
    pub rows: &'a KeptRows,
    /// `summary.json`.
    pub summary: &'a serde_json::Value,
    /// The text of the model.
    pub sources: &'a Sources,
    /// The equation of motion.
    pub formulas: &'a ReportFormulas,
}

/// How many numbers a page stores beside those of each row: forces, energy, what moves in the picture.
pub fn columns_beside(system: &CompiledSystem) -> usize {
    Series::more(system) + picture::width(system).map_or(0, |width| 2 * width)
}

impl ReportedRun<'_> {
    /// The title of the model, or its file.
    fn title(&self) -> String {
        let text = |key: &str| self.summary[key].as_str().filter(|text| !text.is_empty());
        let file = text("file").map(|file| file.rsplit(['/', '\\']).next().unwrap_or(file));
        text("title").or(file).unwrap_or("A run").to_string()
    }
}
