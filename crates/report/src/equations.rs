//! The equation of motion in closed form, as MathML, and as LaTeX for whoever copies it.

use crate::Run;
use crate::html::escaped;
use holonom::explain::{Request, explain};
use holonom::page::Page;

/// Beyond this many bytes formulas are not put into the page: they would take longer to lay out than anybody would read in them.
const LONGEST: usize = 350_000;
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
    let file = run.summary["file"].as_str().unwrap_or("MODEL");
    let without = |why: &str| Written {
        html: format!("<p>{why} <code>holonom explain {}</code> shows what there is.</p>\n", escaped(file)),
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
    let mut parts = explained.page.parts(2);
    let begins = |page: &Page, name: &str| match page.blocks.first() {
        Some(holonom::page::Block::Heading(_, text)) => text.plain() == name,
        _ => false,
    };
    parts.retain(|part| {
        begins(part, "Given") || begins(part, "Derived") || begins(part, "Equation of motion") || begins(part, "Forces")
    });
    let (how, what): (Vec<Page>, Vec<Page>) =
        parts.into_iter().partition(|part| begins(part, "Given") || begins(part, "Derived"));
    let join = |pages: &[Page]| Page { blocks: pages.iter().flat_map(|page| page.blocks.clone()).collect() };
    let (how, what) = (join(&how), join(&what));
    let (how_html, what_html) = (how.html_body(1), what.html_body(1));
    if what_html.len() > LONGEST {
        return without("They are too long to be read here.");
    }
    let mut html = what_html;
    if how_html.len() <= LONGEST {
        html += &format!(
            "<details><summary>How they come about: what is given, M, Q, A and b</summary>\n{how_html}</details>\n"
        );
    }
    let latex = what.latex_body() + "\n" + &how.latex_body();
    Written { html, latex: latex.trim().to_string() + "\n" }
}
