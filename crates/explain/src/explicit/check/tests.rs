//! Every check can fail: each quantity is spoiled in turn.

use super::{check_order, check_steps, structure::check_structure};
use crate::explicit::sample::Ground;
use crate::explicit::{Solution, SolveOptions, solve, steps, system};
use holonom_language::from_text;
use holonom_mechanics::derive::{Equations, derive};
use holonom_symbols::algebra::Budget;
use holonom_symbols::expr::Id;

/// A pendulum whose rod is given twice.
const TWICE: &str = "\
param      m = 2, g = 9.81, L = 1.5
coord      x, y
kinetic    m*(x'^2 + y'^2)/2
potential  m*g*y
constraint rod: x^2 + y^2 = L^2
constraint again: 3*x^2 + 3*y^2 = 3*L^2
start      x = 0.9, y = -1.2
";

fn solved() -> (Equations, Solution) {
    let equations = derive(from_text("twice.holo", TWICE).model.unwrap()).unwrap().value;
    let solution = solve(&equations, &SolveOptions::default(), &Budget::new(100_000_000));
    (equations, solution)
}

fn spoiled(graph: &mut holonom_symbols::expr::Graph, id: Id) -> Id {
    let factor = graph.number(holonom_symbols::expr::Number::ratio(1_000_001, 1_000_000).unwrap());
    let product = graph.multiply(factor, id);
    if id == Id::ZERO { factor } else { product }
}

#[test]
fn a_step_that_differs_in_the_sixth_digit_is_found() {
    let (equations, solution) = solved();
    let options = &solution.options;
    let ground = Ground::new(&equations, options, &Budget::unlimited()).unwrap().unwrap();
    let found = steps(&equations, &solution, &Budget::new(100_000_000)).unwrap().unwrap();
    assert!(found.checked >= 16);
    let names: Vec<&str> = found.tables.iter().map(|table| table.name).collect();
    for name in ["v", "a", "e", "A+", "I-A+A", "Mbar", "Mbar+", "Mhat", "K1", "K", "N", "da", "B", "B+", "BBT"] {
        assert!(names.contains(&name), "{names:?}");
    }
    for which in 0..names.len() {
        let mut wrong = found.clone();
        let mut graph = std::mem::take(&mut wrong.graph);
        let table = &mut wrong.tables[which];
        table.entries[0] = spoiled(&mut graph, table.entries[0]);
        let name = table.name;
        wrong.graph = graph;
        assert_eq!(check_steps(&wrong, &ground).expect_err(name).quantity, name);
    }
}

#[test]
fn an_expression_that_changes_when_put_in_order_is_found() {
    let (equations, mut solution) = solved();
    let given = equations.rows[0].b;
    let wrong = spoiled(&mut solution.graph, given);
    assert!(check_order(&solution.graph, &[(given, given)], &solution.places).is_ok());
    assert!(check_order(&solution.graph, &[(given, wrong)], &solution.places).is_err());
}

#[test]
fn a_row_that_does_not_repeat_what_is_said_is_found() {
    let (equations, mut solution) = solved();
    let options = solution.options.clone();
    let ground = Ground::new(&equations, &options, &Budget::unlimited()).unwrap().unwrap();
    let mut graph = solution.graph.clone();
    let system = system::system(&equations, &ground, &mut graph, &options.set);
    assert_eq!(solution.dependent.len(), 1);
    assert!(check_structure(&mut solution, &system, &ground).is_ok());
    let coefficient = solution.dependent[0].combination[0].1;
    solution.dependent[0].combination[0].1 = spoiled(&mut solution.graph, coefficient);
    assert!(check_structure(&mut solution, &system, &ground).is_err());
}
