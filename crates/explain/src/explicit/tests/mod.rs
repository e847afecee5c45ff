//! Formulas of the papers, of the gallery, and of models made up to be difficult.

mod constraints;
mod difficult;
mod gallery;
mod papers;
mod singular;
mod slips;

use super::{Form, Solution, SolveOptions, solve};
use holonom_mechanics::derive::{Equations, derive};
use holonom_symbols::algebra::{Budget, FunctionField};
use holonom_symbols::expr::{Graph, Id, Notation, Style};

fn path(name: &str) -> std::path::PathBuf {
    holonom_testing::gallery().join(name)
}

/// The equations of a model of the gallery.
fn gallery(name: &str) -> Equations {
    let read = holonom_language::load(&path(name));
    derive(read.model.expect("the gallery is right")).expect("and so is its mechanics").value
}

/// The equations of a model of the gallery, with formulas of the papers as outputs.
fn with_formulas(name: &str, formulas: &[&str]) -> Equations {
    let mut all = std::fs::read_to_string(path(name)).expect("the gallery is there");
    for (which, formula) in formulas.iter().enumerate() {
        all += &format!("\noutput paper{which}: {formula}");
    }
    text(&all)
}

/// The equations of a model written down here.
fn text(text: &str) -> Equations {
    let read = holonom_language::from_text("test.holo", text.trim_start());
    let errors: Vec<String> = read.errors().map(|error| error.message.clone()).collect();
    derive(read.model.unwrap_or_else(|| panic!("{errors:?}"))).expect("the mechanics is right").value
}

fn solved(equations: &Equations) -> Solution {
    solve(equations, &SolveOptions::default(), &Budget::new(300_000_000))
}

/// A solution that has a formula for every component.
fn closed(equations: &Equations) -> Solution {
    let solution = solved(equations);
    assert!(matches!(solution.form, Form::Closed), "{:?}", solution.form);
    assert!(solution.checked.states >= 16, "{:?}", solution.checked);
    solution
}

/// Whether two expressions are equal in the symbols.
fn equal(graph: &Graph, a: Id, b: Id) -> bool {
    let (mut field, budget) = (FunctionField::new(), Budget::new(50_000_000));
    let both = field.read_all(graph, &[a, b], &budget).expect("small enough");
    field.equal(&both[0], &both[1], &budget).expect("small enough")
}

fn printed(equations: &Equations, solution: &Solution, ids: &[Id]) -> Vec<String> {
    let name = |symbol| solution.symbol_name(&equations.model, symbol);
    let style = Style::new(Notation::Text, &name);
    ids.iter().map(|&id| solution.graph.print(id, &style)).collect()
}
