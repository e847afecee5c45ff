//! M and Q: symmetry, energy, Lagrange's equation by differences, and the size of a long chain.

use super::sketch::{Sketch, State, assert_close, expression};
use holonom_kernel::{Snapshot, solve};
use holonom_language::{Force, ForceOn, MassMatrix, Particle, Span, Term};
use holonom_random::Random;
use holonom_symbols::expr::{Function, Id, Number, Symbol};

/// Random points of random coordinates with masses, in a random potential.
fn random_system(seed: u64, moving: bool) -> Sketch {
    let mut random = Random::new(seed);
    let n = 1 + random.index(3);
    let mut s = Sketch::new(n);
    let k = s.parameter("k", "1.5");
    let mut leaves: Vec<Id> = (0..n).map(|i| s.q(i)).collect();
    leaves.push(k);
    let still = leaves.clone();
    if moving {
        let t = s.g().symbol(Symbol::Time);
        leaves.push(t);
    }
    for _ in 0..n + 1 {
        let point: Vec<Id> = (0..2).map(|_| expression(&mut random, s.g(), &leaves, 3)).collect();
        let mass = random.index(3) as i64 + 1;
        let mass = s.g().integer(mass);
        s.model.particles.push(Particle { name: "p".into(), mass, position: point, span: Span::default() });
    }
    for i in 0..n {
        // So that M is regular.
        let v = s.v(i);
        let more = s.times(1, 2, &[(v, 2)]);
        s.kinetic(more);
    }
    if moving {
        // Linear terms: a charge in a magnetic field, written into T.
        let (q, v) = (s.q(0), s.v(n - 1));
        let sine = s.g().call(Function::Sin, q);
        let linear = s.g().multiply(sine, v);
        s.kinetic(linear);
    }
    let potential = expression(&mut random, s.g(), &still, 3);
    s.potential(potential);
    s
}

#[test]
fn twice_the_kinetic_energy_is_the_mass_form() {
    for seed in 0..40 {
        let e = random_system(seed, false).equations();
        let n = e.model.coordinates.len();
        let state = State::random(n, 1, &mut Random::new(seed + 1000));
        let mass = state.of(&e.graph, &e.mass.dense());
        let mut energy = 0.0;
        for i in 0..n {
            for j in 0..n {
                assert_eq!(e.mass.get(i, j), e.mass.get(j, i));
                energy += mass[i * n + j] * state.v[i] * state.v[j] / 2.0;
            }
        }
        assert_close(energy, state.of(&e.graph, &[e.kinetic_energy])[0], 1e-12, "T");
    }
}

#[test]
fn energy_changes_only_by_dissipation() {
    for seed in 0..40 {
        let mut s = random_system(seed, false);
        let n = s.model.coordinates.len();
        let k = s.g().symbol(Symbol::Parameter(0));
        let mut drag = Vec::new();
        for i in 0..n {
            let v = s.v(i);
            drag.push((Number::ONE, s.times(1, 2, &[(v, 2), (k, 1)])));
        }
        let dissipation = s.g().sum(&drag);
        s.model.dissipation.push(Term { value: dissipation, span: Span::default() });
        let mut e = s.equations();
        let mut state = State::random(n, 1, &mut Random::new(seed + 2000));
        let (mass, force) = (state.of(&e.graph, &e.mass.dense()), state.of(&e.graph, &e.force));
        state.a = solve(&Snapshot::new(&mass, &force)).unwrap().acceleration;
        let energy = e.graph.add(e.kinetic_energy, e.potential_energy);
        let rate = e.graph.rate(&[energy])[0];
        let lost: f64 = state.v.iter().map(|v| state.parameters[0] * v * v).sum();
        assert_close(state.of(&e.graph, &[rate])[0], -lost, 1e-10, "dE/dt");
    }
}

/// d/dt ∂L/∂q̇ − ∂L/∂q = M q̈ − Q along a path, all derivatives by differences; with explicit time and linear terms.
#[test]
fn lagrange_by_differences() {
    for seed in 0..40 {
        let e = random_system(seed, true).equations();
        let n = e.model.coordinates.len();
        let mut random = Random::new(seed + 3000);
        let waves: Vec<[f64; 3]> = (0..n).map(|_| [random.real(), 1.0 + random.real(), random.real()]).collect();
        let at = |t: f64| State {
            t,
            q: waves.iter().map(|w| w[0] * (w[1] * t + w[2]).sin()).collect(),
            v: waves.iter().map(|w| w[0] * w[1] * (w[1] * t + w[2]).cos()).collect(),
            a: waves.iter().map(|w| -w[0] * w[1] * w[1] * (w[1] * t + w[2]).sin()).collect(),
            parameters: vec![1.5],
        };
        let lagrangian = |state: &State| {
            let values = state.of(&e.graph, &[e.kinetic_energy, e.potential_energy]);
            values[0] - values[1]
        };
        let slope = |f: &dyn Fn(f64) -> f64| {
            let h = 2e-3;
            let d = |k: f64| f(k * h) - f(-k * h);
            (45.0 * d(1.0) - 9.0 * d(2.0) + d(3.0)) / (60.0 * h)
        };
        let state = at(0.4);
        let (mass, force) = (state.of(&e.graph, &e.mass.dense()), state.of(&e.graph, &e.force));
        for i in 0..n {
            let momentum = |t: f64| {
                slope(&|d| {
                    let mut state = at(t);
                    state.v[i] += d;
                    lagrangian(&state)
                })
            };
            let by_position = slope(&|d| {
                let mut state = state.clone();
                state.q[i] += d;
                lagrangian(&state)
            });
            let left = slope(&|d| momentum(0.4 + d)) - by_position;
            let right: f64 = (0..n).map(|j| mass[i * n + j] * state.a[j]).sum::<f64>() - force[i];
            assert_close(left, right, 1e-6, &format!("seed {seed}, coordinate {i}"));
        }
    }
}

/// A chain of n links, with the positions as partial sums: nothing of it may grow faster than the n² entries of M.
#[test]
fn a_hundred_links_stay_small() {
    let n = 100;
    let mut s = Sketch::new(n);
    let g = s.parameter("g", "9.81");
    s.model.gravity = Some(vec![Id::ZERO, g]);
    let (mut x, mut y) = (Id::ZERO, Id::ZERO);
    for i in 0..n {
        let (m, l) = (s.parameter(&format!("m[{i}]"), "1"), s.parameter(&format!("l[{i}]"), "0.5"));
        let q = s.q(i);
        let (sine, cosine) = (s.g().call(Function::Sin, q), s.g().call(Function::Cos, q));
        let (dx, dy) = (s.g().multiply(l, sine), s.g().multiply(l, cosine));
        (x, y) = (s.g().add(x, dx), s.g().add(y, dy));
        s.model.particles.push(Particle { name: "p".into(), mass: m, position: vec![x, y], span: Span::default() });
    }
    let e = s.equations();
    let all: Vec<Id> = e.mass.ids().chain(e.force.iter().copied()).collect();
    let states = e.graph.reachable(&all);
    let varying = states.iter().filter(|&&id| !e.graph.depends(id).is_fixed()).count();
    assert!(e.graph.len() < 12 * n * n, "{} nodes made", e.graph.len());
    assert!(varying < 4 * n * n, "{varying} nodes to evaluate at every state, {} in all", states.len());
    let force = e.graph.reachable(&e.force).iter().filter(|&&id| !e.graph.depends(id).is_fixed()).count();
    assert!(force < 30 * n, "{force} nodes in Q");
}

#[test]
fn a_relativistic_particle_is_refused() {
    let mut s = Sketch::new(1);
    let v = s.v(0);
    let square = s.g().integer_power(v, 2);
    let rest = s.g().subtract(Id::ONE, square);
    let root = s.g().call(Function::Sqrt, rest);
    let energy = s.g().negate(root);
    s.kinetic(energy);
    assert_eq!(s.error(), "kinetic-not-quadratic");

    let mut s = Sketch::new(1);
    let a = s.a(0);
    s.kinetic(a);
    assert_eq!(s.error(), "acceleration-in-energy");
}

/// (v³ + v²w)/(v + w) is v²: quadratic, though it does not look it.
#[test]
fn what_is_quadratic_in_disguise_passes() {
    let mut s = Sketch::new(2);
    let (v, w) = (s.v(0), s.v(1));
    let (cube, mixed) = (s.times(1, 1, &[(v, 3)]), s.times(1, 1, &[(v, 2), (w, 1)]));
    let (above, below) = (s.g().add(cube, mixed), s.g().add(v, w));
    let energy = s.g().divide(above, below);
    s.kinetic(energy);
    let e = s.equations();
    let mass = e.graph.evaluate(&e.mass.dense(), |_| 0.0);
    assert_close(mass[0], 2.0, 1e-14, "M");
    assert!(mass[1..].iter().all(|entry| entry.abs() < 1e-14));
}

#[test]
fn forces_masses_and_lagrangians_add_up() {
    // L = m x'²/2 − k x²/2, a force at the point (sin x, 0), and one more kilogram outright.
    let mut s = Sketch::new(1);
    let (m, k) = (s.parameter("m", "2"), s.parameter("k", "3"));
    let (x, v) = (s.q(0), s.v(0));
    let (t, u) = (s.times(1, 2, &[(m, 1), (v, 2)]), s.times(1, 2, &[(k, 1), (x, 2)]));
    let value = s.g().subtract(t, u);
    s.model.lagrangian.push(Term { value, span: Span::default() });
    let sine = s.g().call(Function::Sin, x);
    let five = s.g().integer(5);
    let on = ForceOn::Point(vec![sine, Id::ZERO]);
    s.model.forces.push(Force { on, components: vec![five, five], span: Span::default() });
    s.model.mass.push(MassMatrix { entries: vec![Id::ONE], span: Span::default() });
    let e = s.equations();
    let state = State { q: vec![0.3], v: vec![0.5], parameters: vec![2.0, 3.0], ..State::default() };
    assert_eq!(state.of(&e.graph, &e.mass.dense()), [3.0]);
    assert_close(state.of(&e.graph, &e.force)[0], 5.0 * 0.3f64.cos() - 0.9, 1e-15, "Q");
    let energies = state.of(&e.graph, &[e.kinetic_energy, e.potential_energy]);
    assert_close(energies[0], 3.0 * 0.125, 1e-15, "T");
    assert_close(energies[1], 0.135, 1e-15, "V");
}
