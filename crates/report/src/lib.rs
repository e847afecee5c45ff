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
mod run;
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
pub use run::ReportedRun;
pub use series::{Series, Track, unit};

use holonom::mechanics::compile::CompiledSystem;

/// The name of the report in the folder of a run.
pub const REPORT: &str = "report.html";

/// How many numbers a page stores beside those of each row: forces, energy, what moves in the picture.
pub fn columns_beside(system: &CompiledSystem) -> usize {
    Series::more(system) + picture::width(system).map_or(0, |width| 2 * width)
}
