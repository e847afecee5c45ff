//! The page as a whole.

use crate::html::{escaped, number};
use crate::picture::Stage;
use crate::run::ReportedRun;
use crate::series::Series;
use crate::{data, equations, evidence, plots, system, verdict};
use serde_json::json;

/// What the viewer looks like.
const STYLE: &str = include_str!("../assets/report.css");
/// What it does, in the order in which its parts need each other.
const SCRIPTS: [&str; 12] = [
    include_str!("../assets/data.js"),
    include_str!("../assets/theme.js"),
    include_str!("../assets/clock.js"),
    include_str!("../assets/trace.js"),
    include_str!("../assets/gestures.js"),
    include_str!("../assets/plot.js"),
    include_str!("../assets/camera.js"),
    include_str!("../assets/shapes.js"),
    include_str!("../assets/overlay.js"),
    include_str!("../assets/scene.js"),
    include_str!("../assets/animation.js"),
    include_str!("../assets/main.js"),
];

/// The whole report.
pub fn html(run: &ReportedRun) -> String {
    let title = run.title();
    let mut series = Series::new(run.system, run.rows);
    let plots = plots::plots(run.system, &series);
    let stage = Stage::new(run, &mut series);
    let events = verdict::events(run.summary);
    let events =
        events.iter().map(|(time, name, what)| json!({ "t": time, "name": name, "text": format!("{name}: {what}") }));
    let description =
        data::description(&title, &series.tracks, run.rows.recorded(), &plots, events.collect(), stage.as_ref());
    let columns = data::packed(series.tracks.iter().map(|track| &track.values[..]));
    let equations = equations::section(run.formulas, run.summary);
    let script = format!("(() => {{\n\"use strict\";\n{}}})();\n", SCRIPTS.join("\n"));
    let copy = if equations.latex.is_empty() {
        String::new()
    } else {
        "<button id=\"copy-latex\" type=\"button\">Copy as LaTeX</button>\n".to_string()
    };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"Holonom {version}\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'; img-src data:; font-src data:\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{title}</title>\n<style>\n{STYLE}{formulas}</style>\n</head>\n<body>\n\
         <header>\n<h1>{title}</h1>\n<p class=\"subtitle\">{subtitle}</p>\n</header>\n\
         <nav aria-label=\"Sections\">\n<a href=\"#motion\">Motion</a>\n<a href=\"#equations\">Equations</a>\n\
         <a href=\"#verdict\">Verdict</a>\n<a href=\"#system\">System</a>\n<a href=\"#evidence\">Evidence</a>\n\
         <button id=\"theme\" type=\"button\">Theme</button>\n</nav>\n<main>\n\
         <section id=\"motion\" aria-labelledby=\"motion-title\">\n<h2 id=\"motion-title\">Motion</h2>\n\
         <div id=\"animation\"></div>\n<div id=\"plots\"></div>\n\
         <noscript><p class=\"note\">The animation and the plots need JavaScript; everything else is below.</p></noscript>\n</section>\n\
         <section id=\"equations\" aria-labelledby=\"equations-title\">\n<h2 id=\"equations-title\">Equations of motion</h2>\n\
         {copy}{equations}</section>\n\
         <section id=\"verdict\" aria-labelledby=\"verdict-title\">\n<h2 id=\"verdict-title\">Verdict</h2>\n{verdict}{principles}</section>\n\
         <section id=\"system\" aria-labelledby=\"system-title\">\n<h2 id=\"system-title\">System</h2>\n{system}</section>\n\
         <section id=\"evidence\" aria-labelledby=\"evidence-title\">\n<h2 id=\"evidence-title\">Evidence</h2>\n{evidence}</section>\n\
         </main>\n<footer>\n<p>Made by Holonom {version}. This page works without a network.</p>\n</footer>\n\
         <script type=\"text/plain\" id=\"holonom-latex\">{latex}</script>\n\
         <script type=\"application/json\" id=\"holonom-data\">{description}</script>\n\
         <script type=\"text/plain\" id=\"holonom-columns\">{columns}</script>\n\
         <script>\n{script}</script>\n</body>\n</html>\n",
        version = escaped(run.summary["holonom"].as_str().unwrap_or_default()),
        title = escaped(&title),
        formulas = holonom::symbols::page::style(),
        subtitle = subtitle(run),
        equations = equations.html,
        latex = equations.latex.replace("</", "<\\/"),
        verdict = verdict::section(run),
        principles = verdict::principles(run),
        system = system::section(run),
        evidence = evidence::section(run),
    )
}

/// One line that says what this is.
fn subtitle(run: &ReportedRun) -> String {
    let report = run.report;
    let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let mut parts = vec![count(report.coordinates.len(), "coordinate", "coordinates")];
    let rows = report.rows.iter().filter(|row| !row.off).count();
    parts.push(if rows == 0 { "no constraints".to_string() } else { count(rows, "constraint", "constraints") });
    if let Some(verdict) = &report.verdict {
        parts.push(count(verdict.degrees_of_freedom, "degree of freedom", "degrees of freedom"));
    }
    let time = run.summary["time"].as_f64().map_or(String::new(), |time| number(time, 6));
    let partial = run.summary["partial"].as_bool().unwrap_or(false);
    let unit = data::unit_html(run.rows.columns.first().and_then(|column| column.unit.as_deref()));
    parts.push(format!("t up to {time}{unit}"));
    if partial {
        let end = escaped(run.summary["end"].as_str().unwrap_or_default());
        parts.push(format!("<strong><a href=\"#verdict\">{end}</a></strong> before its end"));
    }
    let (kept, recorded) = (run.rows.len(), run.rows.recorded());
    if (kept as u64) < recorded {
        parts.push(format!("{kept} of {recorded} rows shown; the table has all"));
    }
    parts.join(" · ")
}
