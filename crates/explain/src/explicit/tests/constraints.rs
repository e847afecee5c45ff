//! Formulas on the constraints: as a textbook prints them, and with a value at rest and wherever links are in line.

use super::{equal, gallery, printed, solved, text};
use crate::explicit::Form;
use holonom_mechanics::derive::Equations;
use holonom_symbols::algebra::measure;
use holonom_symbols::expr::{Function, Node, Symbol};

/// Values of q̈ at a state, with the parameters of the model.
fn accelerations(equations: &Equations, positions: &[f64], velocities: &[f64]) -> Vec<f64> {
    let mut solution = solved(equations);
    assert!(solution.is_explicit(), "{:?}", solution.form);
    let all = solution.acceleration.clone();
    let all = solution.expanded(&all);
    let parameters = &equations.model.parameters;
    let value = |i: u32| equations.graph.evaluate(&[parameters[i as usize].value], |_| f64::NAN)[0];
    solution.graph.evaluate(&all, |symbol| match symbol {
        Symbol::Position(i) => positions[i as usize],
        Symbol::Velocity(i) => velocities[i as usize],
        Symbol::Parameter(i) => value(i),
        _ => f64::NAN,
    })
}

fn pendulum(links: usize) -> Equations {
    let mut model = "param m = 1, M = 2, L = 1, l = 0.7, g = 9.81\n".to_string();
    let names = [("x1", "y1", "m", "L"), ("x2", "y2", "M", "l"), ("x3", "y3", "m", "l")];
    let coordinates: Vec<String> = names[..links].iter().map(|(x, y, ..)| format!("{x}, {y}")).collect();
    model += &format!("coord {}\n", coordinates.join(", "));
    let mut before = ("0", "0");
    let (mut kinetic, mut potential) = (Vec::new(), Vec::new());
    for (x, y, m, l) in &names[..links] {
        kinetic.push(format!("{m}*({x}'^2 + {y}'^2)/2"));
        potential.push(format!("{m}*g*{y}"));
        let (x0, y0) = before;
        model += &format!("constraint rod_{x}: ({x} - {x0})^2 + ({y} - {y0})^2 = {l}^2\n");
        before = (x, y);
    }
    model += &format!("kinetic {}\npotential {}\n", kinetic.join(" + "), potential.join(" + "));
    model += "start x1 = 0.6, y1 = -0.8";
    for (x, y, ..) in &names[1..links] {
        model += &format!(", {x} ~ 1.2, {y} ~ -1");
    }
    text(&(model + "\n"))
}

/// ẍ = x(g y − v²)/L²: what was (x² + y²)² is a power of the length.
#[test]
fn a_pendulum_has_its_length_below_the_line() {
    // The distance to the pivot is a root, and as good as its square.
    let distance = text(
        "param m = 1, L = 1, g = 9.81\nparticle bob: m in plane\ngravity (0, -g)\nconstraint rod: norm(bob) = L\n\
         start bob.x = L, bob.y ~ 0\n",
    );
    for equations in [gallery("pendulum/pendulum.holo"), pendulum(1), distance] {
        let mut solution = solved(&equations);
        let names = ["x", "y", "x'", "y'", "L", "g"];
        let symbols = [Symbol::Position(0), Symbol::Position(1), Symbol::Velocity(0), Symbol::Velocity(1)];
        let place = |name: &str| equations.model.parameters.iter().position(|p| p.name == name).map(|i| i as u32);
        let symbols: Vec<Symbol> = symbols
            .into_iter()
            .chain(["L", "g"].iter().filter_map(|name| place(name).map(Symbol::Parameter)))
            .collect();
        assert_eq!(symbols.len(), names.len());
        let graph = &mut solution.graph;
        let ids: Vec<_> = symbols.into_iter().map(|symbol| graph.symbol(symbol)).collect();
        let [x, y, u, v, length, g] = ids[..] else { panic!("six symbols") };
        let squares: Vec<_> = [u, v, length].iter().map(|&id| graph.multiply(id, id)).collect();
        let (speed, weight) = (graph.add(squares[0], squares[1]), graph.multiply(g, y));
        let load = graph.subtract(weight, speed);
        let above = graph.multiply(x, load);
        let expected = graph.divide(above, squares[2]);
        let found = solution.acceleration[0];
        assert!(equal(&solution.graph, found, expected), "{:?}", printed(&equations, &solution, &[found]));
    }
}

/// Hanging at rest nothing moves, and nothing is divided by zero; the same upright and with links folded back.
#[test]
fn pendulums_at_rest_and_in_line() {
    for links in 1..=3 {
        let equations = pendulum(links);
        for signs in [[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0]] {
            let (mut positions, mut height) = (Vec::new(), 0.0);
            for (length, sign) in [1.0, 0.7, 0.7].iter().zip(signs).take(links) {
                height += sign * length;
                positions.extend([0.0, height]);
            }
            let rest = vec![0.0; 2 * links];
            let found = accelerations(&equations, &positions, &rest);
            assert!(found.iter().all(|a| a.abs() < 1e-9), "{links} {signs:?}: {found:?}");
        }
        // Level and at rest, the first bob begins to fall; so do those behind it.
        let positions: Vec<f64> = [1.0, 0.0, 1.7, 0.0, 2.4, 0.0].into_iter().take(2 * links).collect();
        let found = accelerations(&equations, &positions, &vec![0.0; 2 * links]);
        for bob in found.chunks(2) {
            assert!(bob[0].abs() < 1e-9 && (bob[1] + 9.81).abs() < 1e-9, "{links}: {found:?}");
        }
    }
}

/// Signs of slips have names, and the rest is what one derives on paper: with both ends sliding down,
/// θ̈ = −3 (g (cos θ (1 − μ²) − 2 μ sin θ) + …)/(L (2 − μ²)).
#[test]
fn a_ladder_with_friction_fits_on_a_line() {
    let solution = solved(&gallery("ladder/ladder.holo"));
    let Form::Named { definitions } = &solution.form else { panic!("{:?}", solution.form) };
    let is_sign = |id| matches!(solution.graph.node(id), Node::Call(Function::Sign, ..));
    assert!(definitions.len() == 2 && definitions.iter().all(|definition| is_sign(definition.value)));
    for &id in &solution.acceleration {
        assert!(measure(&solution.graph, id) < 100, "{}", measure(&solution.graph, id));
    }
}

/// What is divided by is looked for on the constraints: sin θ of a disc that lies down vanishes, what a pendulum divides by does not, nor
/// does a sum of squares.
#[test]
fn formulas_say_where_they_hold() {
    let conditions = |equations: &Equations| {
        let solution = solved(equations);
        solution.conditions.iter().map(|&id| solution.graph.depends(id)).collect::<Vec<_>>()
    };
    assert!(!conditions(&gallery("rolling-disc/rolling-disc.holo")).is_empty());
    for model in ["pendulum/pendulum.holo", "slider-crank/slider-crank.holo", "four-bar/four-bar.holo"] {
        assert!(conditions(&gallery(model)).is_empty(), "{model}");
    }
    // At x = 0 both terms vanish, though no sample will ever be there; one unit beside it, neither does.
    let on = |curve: &str| {
        text(&format!(
            "param m = 1, g = 9.81\ncoord x, y\nkinetic m*x^2*x'^2/2 + m*y'^2/2\npotential m*g*y\nconstraint curve: {curve}\n\
             start x = 1, y ~ 1\n"
        ))
    };
    assert!(!conditions(&on("y = x^2")).is_empty());
    assert!(conditions(&on("y = x^3/3 + x")).is_empty());
}
