//! The equation of motion in closed form, as MathML, and as LaTeX for whoever copies it.

use crate::Run;
use crate::evidence::word;
use crate::html::escaped;
use holonom::explain::{Request, explain};
use holonom::page::Block;
use serde_json::Value;

/// Beyond this many bytes formulas are not put into the page: they would take longer to lay out than anybody would read in them.
const LONGEST: usize = 250_000;
/// More coordinates or rows than this are not tried.
const LARGEST: usize = 60;

/// What the section says, and what its button copies.
pub(crate) struct Written {
    pub(crate) html: String,
    pub(crate) latex: String,
}

pub(crate) fn section(run: &Run) -> Written {
    let equations = run.system.equations();
    let n = equations.force.len().max(equations.rows.len());
    let without = |why: &str| Written {
        html: format!("<p>{why} {} shows what there is.</p>\n", commands(run.summary)),
        latex: String::new(),
    };
    if n > LARGEST {
        return without("There are too many coordinates for formulas that anybody would read.");
    }
    let mut request = Request::default();
    // As they were for this run.
    for (name, value) in run.summary["set"].as_object().into_iter().flatten() {
        let place = equations.model.parameters.iter().position(|parameter| parameter.name == *name);
        request.solve.set.extend(place.zip(value.as_f64()));
    }
    let Ok(explained) = explain(equations, &request, run.budget) else {
        return without("They are not shown here.");
    };
    let parts = explained.page.parts(2);
    let named = |name: &str| {
        parts.iter().find(|part| match part.blocks.first() {
            Some(Block::Heading(_, text)) => text.plain() == name,
            _ => false,
        })
    };
    let (mut html, mut latex, mut left_out) = (String::new(), String::new(), Vec::new());
    let mut add = |name: &'static str, html: &mut String| {
        let Some(part) = named(name) else { return };
        latex += &part.latex_body();
        let body = part.html_body(1);
        if body.len() <= LONGEST { *html += &body } else { left_out.push(name) }
    };
    add("Equation of motion", &mut html);
    add("Forces", &mut html);
    let mut how = String::new();
    add("Given", &mut how);
    add("Derived", &mut how);
    if !how.is_empty() {
        let summary = "How they come about: what is given, M, Q, A and b";
        html += &format!("<details><summary>{summary}</summary>\n{how}</details>\n");
    }
    if !left_out.is_empty() {
        html = format!(
            "<p class=\"note\">Too long to be read here: {}. The button copies all of it; {} prints it.</p>\n{html}",
            left_out.join(", "),
            commands(run.summary)
        );
    }
    Written { html, latex: latex.trim().to_string() + "\n" }
}

/// What to type for all there is to say about the equations. `explain` wants a file, which a model of the gallery is not before it is copied.
fn commands(summary: &Value) -> String {
    let gallery = summary["command"].as_str().and_then(|command| command.strip_prefix("holonom gallery run "));
    match gallery {
        Some(name) => {
            let stem = name.rsplit('/').next().unwrap_or(name);
            let (name, stem) = (escaped(name), escaped(stem));
            format!("<code>holonom gallery copy {name}</code>, then <code>holonom explain {stem}.holo</code>")
        }
        None => {
            let file = summary["file"].as_str().unwrap_or("MODEL");
            format!("<code>holonom explain {}</code>", escaped(&word(file)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn commands_can_be_typed() {
        let said = |command: &str, file: &str| commands(&json!({"command": command, "file": file}));
        assert_eq!(said("holonom run a.holo", "my a.holo"), "<code>holonom explain &#39;my a.holo&#39;</code>");
        assert_eq!(
            said("holonom gallery run block/smooth", "block/smooth"),
            "<code>holonom gallery copy block/smooth</code>, then <code>holonom explain smooth.holo</code>"
        );
    }
}
