//! Motions along A q̈ = b: what φ, φ̇ and ψ were at the start, they stay.

use crate::ledger::Ledger;
use crate::numbers::{column, seeded, unit};
use crate::polynomial::{Polynomial, State, evaluate};
use holonom::Snapshot;
use holonom::language::from_text;
use holonom::mechanics::derive::{Equations, derive};

/// What the integration may add up to.
pub(crate) const TOLERANCE: f64 = 1e-8;
/// How long a motion lasts, and in how many steps.
const TIME: f64 = 0.125;
const STEPS: usize = 64;
/// Coordinates.
const N: usize = 3;

/// Follows a motion with A q̈ = b of the program, from a state with φ = 0, φ̇ = 0, and ψ = 0 if asked, and holds that
/// φ, φ̇ and ψ are zero at its end.
pub(crate) fn stays(seed: u64, psi_starts_at_zero: bool, off: f64, ledger: &mut Ledger) {
    let mut random = seeded(700 + seed);
    let places = |from: usize, to: usize| (from..to).collect::<Vec<usize>>();
    let (still, moving) = (places(0, N + 1), places(0, 2 * N + 1));
    loop {
        // q₁ and q₂ stand alone in them, so that the rows are far from dependent.
        let phi = Polynomial::draw(&mut random, &still).scaled(0.25).plus(&Polynomial(vec![(3.0, vec![1])]));
        let psi = Polynomial::draw(&mut random, &moving).scaled(0.25).plus(&Polynomial(vec![(3.0, vec![N + 2])]));
        let mut state = State::draw(&mut random, N);
        let [phi_0, rate_0, _] = phi.series(&state.places());
        let [psi_0, ..] = psi.series(&state.places());
        // Less what they are at the start: φ − φ₀ − φ̇₀(t − t₀), and ψ − ψ₀.
        let at = |x: f64| if x < 0.0 { format!("({x:e})") } else { format!("{x:e}") };
        let phi_text = format!("{} - {} - {}*(t - {})", phi.text(N), at(phi_0), at(rate_0), at(state.time));
        let psi_zero = if psi_starts_at_zero { psi_0 } else { 0.0 };
        if psi_0.abs() < 0.1 {
            continue; // nothing would be wrong with it
        }
        let text = format!(
            "coord q1, q2, q3\nkinetic (q1'^2 + q2'^2 + q3'^2)/2\nconstraint phi: {phi_text} = 0\n\
             constraint psi: {} - {} = 0\n",
            psi.text(N),
            at(psi_zero)
        );
        let Some(equations) =
            from_text("along.holo", &text).model.and_then(|model| derive(model).ok()).map(|derived| derived.value)
        else {
            return ledger.holds(false);
        };
        let began = state.time;
        if !integrate(&equations, &mut state, off) {
            return ledger.holds(false);
        }
        let [phi, rate, _] = phi.series(&state.places());
        let [psi, ..] = psi.series(&state.places());
        let left = [phi - phi_0 - rate_0 * (state.time - began), rate - rate_0, psi - psi_zero];
        ledger.beside(&column(&left), &column(&[0.0; 3]), 1.0);
        return;
    }
}

/// Runge and Kutta's method, with the program's A and b, a unit mass in every coordinate, and a force.
fn integrate(equations: &Equations, state: &mut State, off: f64) -> bool {
    let (mass, force) = (unit(N), [0.5, -0.25, 1.0]);
    let acceleration = |state: &State| {
        let mut rows = vec![0.0; 2 * N];
        for (index, row) in equations.rows.iter().enumerate() {
            row.a.iter().for_each(|&(i, id)| rows[index * N + i] = evaluate(equations, state, id));
        }
        let right: Vec<f64> = equations.rows.iter().map(|row| evaluate(equations, state, row.b) + off).collect();
        holonom::solve(&Snapshot::new(&mass, &force).constrained(&rows, &right)).map(|found| found.acceleration)
    };
    let add = |x: &[f64], h: f64, y: &[f64]| x.iter().zip(y).map(|(x, y)| x + h * y).collect::<Vec<f64>>();
    let h = TIME / STEPS as f64;
    for _ in 0..STEPS {
        let (mut slopes, mut stage) = (Vec::<(Vec<f64>, Vec<f64>)>::new(), state.clone());
        for step in [0.0, h / 2.0, h / 2.0, h] {
            if let Some((velocity, rate)) = slopes.last() {
                stage.time = state.time + step;
                stage.positions = add(&state.positions, step, velocity);
                stage.velocities = add(&state.velocities, step, rate);
            }
            let Ok(rate) = acceleration(&stage) else { return false };
            slopes.push((stage.velocities.clone(), rate));
        }
        for ((velocity, rate), weight) in slopes.iter().zip([1.0, 2.0, 2.0, 1.0]) {
            state.positions = add(&state.positions, weight * h / 6.0, velocity);
            state.velocities = add(&state.velocities, weight * h / 6.0, rate);
        }
        state.time += h;
    }
    true
}
