//! How the numbers were made, how far to trust them, and how to make them again.

use crate::equations::word;
use crate::html::{escaped, facts, number, table};
use crate::run::ReportedRun;
use serde_json::Value;

pub(crate) fn section(run: &ReportedRun) -> String {
    let summary = run.summary;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let at = |key: &str| summary[key].as_f64().map_or(String::new(), |x| number(x, 7));
    let end = match (text(&summary["end"]).as_str(), summary["event"].as_str()) {
        ("stopped", Some(event)) => format!("stopped by <code>{}</code> at t = {}", escaped(event), at("time")),
        ("finished", _) => format!("finished at t = {}", at("time")),
        (end, _) => format!("{} at t = {} of {}: the results are partial", escaped(end), at("time"), at("until")),
    };
    let settings = &summary["settings"];
    let method = match settings["method"].as_str() {
        Some("explicit") => "explicit Runge–Kutta of order 8, with error estimates of order 5 and 3".to_string(),
        Some("stiff") => "Radau IIA, implicit Runge–Kutta of order 5".to_string(),
        _ => String::new(),
    };
    let drift = match settings["drift"].as_str() {
        Some("projection") => "each step is projected onto the constraints",
        Some("baumgarte") => "Baumgarte's terms",
        Some("none") => "not corrected",
        _ => "",
    };
    let tolerance = |key: &str| settings[key].as_f64().map_or(String::new(), |x| number(x, 2));
    let mut out = facts(&[
        ("End", end),
        ("Method", method),
        (
            "Tolerances",
            format!("{} relative, {} of the scale of each coordinate", tolerance("rtol"), tolerance("atol")),
        ),
        ("Drift", drift.to_string()),
    ]);
    let evidence = &summary["evidence"];
    let figure = |key: &str| evidence[key].as_f64().map_or("unknown".to_string(), |x| number(x, 2));
    out += "<h3>How accurate the numbers are</h3>\n";
    let mut rows: Vec<Vec<String>> = Vec::new();
    if run.system.rows() > 0 {
        let size = "Residual of the constraints, positions, relative to their size";
        rows.push(vec![size.to_string(), figure("position_residual")]);
        rows.push(vec!["Residual of the constraints, velocities".to_string(), figure("velocity_residual")]);
        let clearance = "Margin of the constraints: 1 if they are orthogonal, 0 at singular configurations";
        rows.push(vec![clearance.to_string(), figure("clearance")]);
    }
    let energy = format!("Error of the energy balance, relative to energies of {}", figure("energy_scale"));
    rows.push(vec![energy, figure("energy_imbalance")]);
    if evidence["energy_of_events"].is_number() {
        rows.push(vec![
            "Change of energy by impacts and events (not an error)".to_string(),
            figure("energy_of_events"),
        ]);
    }
    for (key, words) in [
        ("virtual_work", "D'Alembert's principle: virtual work other than that of C, relative to its terms"),
        (
            "gauss_slope",
            "Gauss's principle: slope of Gauss's function along virtual displacements, relative to its terms",
        ),
        ("proportional", "The fundamental principle: Δa beside K₁e with what C adds, relative to the accelerations"),
    ] {
        if evidence[key].is_number() {
            rows.push(vec![words.to_string(), figure(key)]);
        }
    }
    out += &table("evidence", &["quantity", "worst"], &rows);
    out += "<h3>Work</h3>\n";
    let names = [
        ("steps", "steps"),
        ("rejected", "steps rejected and repeated with a smaller size"),
        ("evaluations", "evaluations of the acceleration"),
        ("factorisations", "factorisations of M and A"),
        ("corrections", "corrections towards the constraints"),
        ("jacobians", "Jacobians"),
    ];
    let work: Vec<Vec<String>> = names
        .iter()
        .filter_map(|(key, words)| Some((summary["statistics"][key].as_u64().filter(|count| *count > 0)?, words)))
        .map(|(count, words)| vec![count.to_string(), (*words).to_string()])
        .collect();
    out += &table("work", &["count", "of"], &work);
    out += &expectations(summary);
    out += &reproduce(run);
    out
}

fn expectations(summary: &Value) -> String {
    let rows: Vec<Vec<String>> = summary["expectations"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|claim| {
            let holds = claim["holds"].as_bool().unwrap_or(false);
            let mark = if holds {
                "<span class=\"good\">✓ holds</span>"
            } else {
                "<span class=\"bad\">✗ does not hold</span>"
            };
            let figure = |key: &str, digits| claim[key].as_f64().map_or(String::new(), |x| number(x, digits));
            vec![format!("line {}", claim["line"]), mark.to_string(), figure("worst", 2), figure("time", 6)]
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    format!("<h3>What was expected</h3>\n{}", table("expected", &["where", "outcome", "off by at most", "at t"], &rows))
}

/// The command that makes it again.
fn reproduce(run: &ReportedRun) -> String {
    let summary = run.summary;
    let mut command = summary["command"].as_str().unwrap_or("holonom run").to_string();
    for (name, value) in summary["set"].as_object().into_iter().flatten() {
        command += &format!(" --set {}", word(&format!("{name}={value}")));
    }
    let settings = &summary["settings"];
    let numbers = [
        ("--until", &summary["until"]),
        ("--every", &settings["every"]),
        ("--rtol", &settings["rtol"]),
        ("--atol", &settings["atol"]),
    ];
    for (option, value) in numbers {
        if let Some(value) = value.as_f64() {
            command += &format!(" {option} {value:?}");
        }
    }
    for option in ["method", "drift"] {
        if let Some(value) = settings[option].as_str() {
            command += &format!(" --{option} {value}");
        }
    }
    let version = summary["holonom"].as_str().unwrap_or_default();
    format!(
        "<h3>To reproduce this run</h3>\n<pre><code>{}</code></pre>\n<p>Holonom {}. The same model and the same version give the same numbers, to the last bit, on the same kind of machine.</p>\n",
        escaped(&command),
        escaped(version)
    )
}
