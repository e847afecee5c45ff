//! The equation of motion in closed form, as MathML, and as LaTeX for whoever copies it.

use crate::html::escaped;
use holonom::explain::explicit::Form;
use holonom::explain::{Refusal, Request, explain};
use holonom::mechanics::compile::CompiledSystem;
use holonom::symbols::algebra::Budget;
use holonom::symbols::expr::Formula;
use holonom::symbols::page::{Block, Equation, Page};
use serde_json::Value;

/// Beyond this many bytes formulas are not put into the page: they would take longer to lay out than anybody would read in them.
const LONGEST: usize = 250_000;
/// More coordinates or rows than this are not tried.
const LARGEST: usize = 60;
/// Beyond this many names for parts of the closed form, M, Q, A and b say more than it does.
const NAMES: usize = 12;

/// The equation of motion in closed form, or what there is of it: for [`crate::ReportedRun`].
///
/// It needs nothing of the run itself, so it can be made beside it.
#[derive(Clone, Debug, Default)]
pub struct ReportFormulas {
    /// Why nothing is shown, where that is so.
    without: Option<&'static str>,
    html: String,
    latex: String,
    /// Parts that are too long for a page.
    left_out: Vec<&'static str>,
    /// Whether time was over before closed forms were found.
    late: bool,
}

impl ReportFormulas {
    /// Of a system, with the parameters that were set for the run.
    pub fn new(system: &CompiledSystem, set: &[(String, f64)], budget: &Budget) -> Self {
        let equations = system.equations();
        if equations.force.len().max(equations.rows.len()) > LARGEST {
            let why = "The model has too many coordinates for readable formulas.";
            return Self { without: Some(why), ..Self::default() };
        }
        let mut request = Request::default();
        // As they were for this run.
        for (name, value) in set {
            let place = equations.model.parameters.iter().position(|parameter| parameter.name == *name);
            request.solve.set.extend(place.map(|place| (place, *value)));
        }
        let explained = match explain(equations, &request, budget) {
            Ok(explained) => explained,
            Err(refusal) => {
                let why = match refusal {
                    Refusal::Mismatch(_) => "They disagree with the numerical solution, so they are not shown.",
                    _ => "They are not shown: the work on them was interrupted.",
                };
                return Self { without: Some(why), ..Self::default() };
            }
        };
        let mut made = Self { late: budget.is_out_of_time() && !explained.solution.is_explicit(), ..Self::default() };
        let parts = explained.page.parts(2);
        let named = match &explained.solution.form {
            Form::Named { definitions } => definitions.len(),
            _ => 0,
        };
        let closed = if named > NAMES {
            // The button copies it all the same.
            made.latex += &["Names", "Equation of motion", "Forces"].map(|name| latex(&parts, name)).concat();
            String::new()
        } else {
            ["Names", "Equation of motion", "Forces"].map(|name| made.part(&parts, name)).concat()
        };
        let (given, derived) = (made.part(&parts, "Given"), made.part(&parts, "Derived"));
        if named > NAMES {
            made.html += &implicit(named, !equations.rows.is_empty());
            made.html += &derived;
            made.html += &folded("What is given", &given);
        } else if explained.solution.is_explicit() {
            made.html += &closed;
            made.html += &folded("Derivation: what is given, M, Q, A and b", &(given + &derived));
        } else {
            made.html += &closed;
            made.html += &derived;
            made.html += &folded("What is given", &given);
        }
        made
    }

    /// Where not even M, Q, A and b were written down in the time that was allowed.
    pub fn late() -> Self {
        Self { without: Some("Deriving them takes longer than this run did."), ..Self::default() }
    }

    /// A part of the page, where it is short enough; all of it is copied by the button.
    fn part(&mut self, parts: &[Page], name: &'static str) -> String {
        let Some(part) = find(parts, name) else { return String::new() };
        self.latex += &part.latex_body();
        let body = part.html_body(1);
        if body.len() <= LONGEST {
            return body;
        }
        self.left_out.push(name);
        String::new()
    }
}

fn find<'a>(parts: &'a [Page], name: &str) -> Option<&'a Page> {
    parts.iter().find(|part| matches!(part.blocks.first(), Some(Block::Heading(_, text)) if text.plain() == name))
}

fn latex(parts: &[Page], name: &str) -> String {
    find(parts, name).map_or(String::new(), Page::latex_body)
}

/// What instead of a closed form with many names in it is read by a person.
fn implicit(names: usize, constrained: bool) -> String {
    let name = Formula::name;
    let mut right = vec![name("Q"), name("C")];
    if constrained {
        right.push(Formula::product([name("A").transposed(), name("lambda")]));
    }
    let mut lines = vec![Equation::new(Formula::product([name("M"), name("q''")]), Formula::sum(right))];
    if constrained {
        lines.push(Equation::new(Formula::product([name("A"), name("q''")]), name("b")));
    }
    let mut page = Page::new();
    page.text(format!("The closed form needs {names} abbreviations, too many to read; the button copies it. The same equations in implicit form:"));
    page.equations(lines);
    page.html_body(1)
}

/// Something that is read by whoever opens it.
fn folded(summary: &str, inside: &str) -> String {
    if inside.is_empty() {
        return String::new();
    }
    format!("<details><summary>{summary}</summary>\n{inside}</details>\n")
}

/// What the section says, and what its button copies.
pub(crate) struct Written {
    pub(crate) html: String,
    pub(crate) latex: String,
}

pub(crate) fn section(formulas: &ReportFormulas, summary: &Value) -> Written {
    let ReportFormulas { without, html, latex, left_out, late } = formulas;
    let commands = commands(summary);
    if let Some(why) = without {
        return Written { html: format!("<p>{why} {commands} shows what there is.</p>\n"), latex: String::new() };
    }
    let mut notes = String::new();
    if *late {
        notes += &format!(
            "<p class=\"note\">The closed form takes longer to find than this run took, so it is not here. {commands} finds it.</p>\n"
        );
    }
    if !left_out.is_empty() {
        let parts = left_out.join(", ");
        notes += &format!(
            "<p class=\"note\">Too long to read, and left out: {parts}. The button copies all of it; {commands} prints it.</p>\n"
        );
    }
    Written { html: notes + html, latex: latex.trim().to_string() + "\n" }
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

/// A word of a command line, in quotes where it needs them.
pub(crate) fn word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=+,:".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_string()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holonom::language::from_text;
    use holonom::mechanics::derive::derive;
    use serde_json::json;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    /// Where time is over before it began, M, Q, A and b are there all the same, and closed forms are not.
    #[test]
    fn what_comes_too_late_is_left_out() {
        let text = "param m = 1, L = 1, g = 9.81\ncoord x, y\nkinetic m*(x'^2 + y'^2)/2\npotential m*g*y\n\
                    constraint rod: x^2 + y^2 = L^2\nstart x = L, y = 0\n";
        let model = from_text("pendulum.holo", text).model.expect("nothing is wrong with it");
        let system = CompiledSystem::new(derive(model).expect("nor with its mechanics").value);
        let budget = || Budget::new(100_000_000);
        let whole = ReportFormulas::new(&system, &[], &budget());
        assert!(!whole.late && whole.html.contains("Forces"), "{}", whole.html);
        let late = ReportFormulas::new(&system, &[], &budget().until(Arc::new(AtomicBool::new(true))));
        assert!(
            late.late
                && late.html.contains("What is given")
                && late.html.contains("Derived")
                && !late.html.contains("Forces")
        );
    }

    #[test]
    fn commands_can_be_typed() {
        let said = |command: &str, file: &str| commands(&json!({"command": command, "file": file}));
        assert_eq!(said("holonom run a.holo", "my a.holo"), "<code>holonom explain 'my a.holo'</code>");
        assert_eq!(
            said("holonom gallery run block/smooth", "block/smooth"),
            "<code>holonom gallery copy block/smooth</code>, then <code>holonom explain smooth.holo</code>"
        );
    }

    #[test]
    fn words_of_a_command_line() {
        assert_eq!(word("a/b.holo"), "a/b.holo");
        assert_eq!(word("it's here"), "'it'\\''s here'");
    }
}
