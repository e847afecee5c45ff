//! The model as it was written, and its parameters.

use crate::data::unit_html;
use crate::highlight::highlighted;
use crate::html::{escaped, number};
use crate::run::ReportedRun;

/// Text beyond this length is cut: it is in the files.
const LONGEST: usize = 60_000;
/// Parameters beyond this many are counted.
const LISTED: usize = 200;

pub(crate) fn section(run: &ReportedRun) -> String {
    let mut out = String::new();
    for (which, file) in run.sources.files().iter().enumerate().take(20) {
        if which > 0 {
            out += &format!("<h3><code>{}</code></h3>\n", escaped(&file.name));
        }
        let mut end = file.text.len().min(LONGEST);
        while !file.text.is_char_boundary(end) {
            end -= 1;
        }
        out += &format!("<pre class=\"model\"><code>{}</code></pre>\n", highlighted(&file.text[..end]));
        if end < file.text.len() {
            out += &format!("<p class=\"note\">{} more bytes follow.</p>\n", file.text.len() - end);
        }
    }
    out + &parameters(run)
}

fn parameters(run: &ReportedRun) -> String {
    let model = &run.system.equations().model;
    let values = run.system.parameters();
    let mut items = String::new();
    for (parameter, &value) in model.parameters.iter().zip(values).take(LISTED) {
        let si = || model.has_units.then(|| parameter.dimension.to_string());
        let typed = parameter.unit.as_ref().map(|unit| (Some(unit.text.clone()), unit.scale));
        let (unit, scale) = typed.unwrap_or_else(|| (si(), 1.0));
        let value = format!("{}{}", number(value / scale, 7), unit_html(unit.as_deref()));
        let set = run.summary["set"].get(&parameter.name).is_some();
        let set = if set { " <span class=\"note\">set for this run</span>" } else { "" };
        items += &format!("<div><dt><code>{}</code></dt><dd>{value}{set}</dd></div>\n", escaped(&parameter.name));
    }
    if items.is_empty() {
        return String::new();
    }
    let more = model.parameters.len().saturating_sub(LISTED);
    let more = if more > 0 { format!("<p class=\"note\">{more} more.</p>\n") } else { String::new() };
    format!("<h3>Parameters</h3>\n<dl class=\"values\">\n{items}</dl>\n{more}")
}
