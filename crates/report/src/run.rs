//! A run, as a report is told of it.

use crate::equations::ReportFormulas;
use crate::rows::KeptRows;
use holonom::language::Sources;
use holonom::mechanics::compile::CompiledSystem;
use holonom::simulate::analysis;

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

impl ReportedRun<'_> {
    /// The title of the model, or its file.
    pub(crate) fn title(&self) -> String {
        let text = |key: &str| self.summary[key].as_str().filter(|text| !text.is_empty());
        let file = text("file").map(|file| file.rsplit(['/', '\\']).next().unwrap_or(file));
        text("title").or(file).unwrap_or("A run").to_string()
    }
}
