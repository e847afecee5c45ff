//! Families: large groups evaluated as a few small programs over many instances give what one program gives.

use holonom::language::from_text;
use holonom::mechanics::compile::{CompiledSystem, Group, Inputs};
use holonom::mechanics::derive::{Unsettled, derive};
use holonom::symbols::expr::Id;

fn system(text: &str) -> CompiledSystem {
    let read = from_text("family.holo", text);
    let model = read.model.unwrap_or_else(|| panic!("{:?}", read.diagnostics));
    let equations = derive(model).unwrap_or_else(|errors| panic!("{errors:?}")).value;
    assert_eq!(equations.hidden.unsettled, None);
    CompiledSystem::new(equations)
}

fn chain(n: usize) -> CompiledSystem {
    system(&format!(
        "param N = {n}
coord x[1..N], y[1..N]
let x[0] = 0
let y[0] = 0
particle p[i in 1..N]: 1 at (x[i], y[i])
gravity (0, -9.81)
constraint rod[i in 1..N]: (x[i]-x[i-1])^2 + (y[i]-y[i-1])^2 = 1/N^2
"
    ))
}

fn four_bars(n: usize) -> CompiledSystem {
    system(&format!(
        "param N = {n}, m = 1, g = 9.81
coord x[0..N], y[0..N]
let B[i in 0..N] = (x[i], y[i])
kinetic m/6*sum(i in 0..N, dot(B[i]', B[i]'))
kinetic m/6*sum(i in 1..N, dot(B[i-1]', B[i-1]') + dot(B[i-1]', B[i]') + dot(B[i]', B[i]'))
potential m*g*sum(i in 0..N, y[i]/2) + m*g*sum(i in 1..N, (y[i-1] + y[i])/2)
constraint crank[i in 0..N]: (x[i] - i)^2 + y[i]^2 = 1
constraint coupler[i in 1..N]: (x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 = 1
"
    ))
}

/// Masses and lengths by link, angles, functions, friction that depends on time.
fn angles(n: usize) -> CompiledSystem {
    system(&format!(
        "param N = {n}, k = 3, m[i in 1..N] = 1 + i/N, L[i in 1..N] = sqrt(1 + i)/N
coord x[1..N], y[1..N], a[1..N]
let x[0] = 0
let y[0] = 0
particle p[i in 1..N]: m[i] at (x[i], y[i])
kinetic sum(i in 1..N, m[i]*L[i]^2*a[i]'^2/24)
gravity (0, -9.81)
potential sum(i in 2..N, k*(1 - cos(a[i] - a[i-1])))
force a[i in 1..N]: -i/7*a[i]'*exp(-t)
constraint across[i in 1..N]: x[i] - x[i-1] = L[i]*cos(a[i])
constraint along[i in 1..N]: y[i] - y[i-1] = L[i]*sin(a[i])
"
    ))
}

/// A state of no symmetry.
fn state(system: &CompiledSystem) -> (Vec<f64>, Vec<f64>) {
    let wave = |rate: f64| (0..system.coordinates()).map(|i| (1.0 + rate * i as f64).sin()).collect();
    (wave(0.7), wave(1.3))
}

const GROUPS: [Group; 7] = [
    Group::Sparse,
    Group::PositionDrift,
    Group::VelocityDrift,
    Group::Velocity,
    Group::Energy,
    Group::Scale,
    Group::Power,
];

/// What families give beside what the whole program gives, relative to the size of the values of the group.
fn compare(system: &CompiledSystem, group: Group, tolerance: f64) {
    let (q, v) = state(system);
    let inputs = Inputs { t: 0.3, q: &q, v: &v, acceleration: &v, ..Inputs::default() };
    let mut values = system.values(group);
    system.evaluate(&inputs, &mut values);
    let program = system.program(group);
    let mut memory = program.memory();
    let expected = program.interpret(&program.fixed(system.parameters()), &inputs, &mut memory);
    assert_eq!(values.all().len(), expected.len());
    for (place, (found, expected)) in values.all().iter().zip(expected).enumerate() {
        let near = (found - expected).abs() <= tolerance * (1.0 + expected.abs());
        assert!(near, "{group:?}, value {place}: {found} instead of {expected}");
    }
}

#[test]
fn families_give_what_one_program_gives() {
    for (name, system) in [("chain", chain(200)), ("four-bars", four_bars(120)), ("angles", angles(400))] {
        let many = GROUPS.iter().filter(|&&group| system.families(group).is_some()).count();
        assert!(many >= 3, "{name}: {many} groups are families");
        for group in GROUPS {
            compare(&system, group, 1e-13 * system.coordinates() as f64);
        }
    }
}

/// Sums, differences, products: the bits of the program of one row, whatever lane it is in.
#[test]
fn every_lane_gives_the_same_bits() {
    let n = 203;
    let system = chain(n);
    assert!(system.families(Group::Sparse).is_some());
    // Rods that all look alike.
    let q: Vec<f64> = (0..2 * n).map(|i| if i % 4 < 2 { 0.25 } else { 0.75 }).collect();
    let v: Vec<f64> = (0..2 * n).map(|i| if i % 4 < 2 { 0.1 } else { 0.7 }).collect();
    let mut values = system.values(Group::Sparse);
    system.at(0.0, &q, &v, &mut values);
    let b = values.b();
    assert!(b[1..].iter().all(|b| b.to_bits() == (-2.0 * (0.6f64 * 0.6 + 0.6 * 0.6)).to_bits()), "{:?}", &b[..4]);
    let again = values.all().to_vec();
    system.at(0.0, &v, &q, &mut values);
    system.at(0.0, &q, &v, &mut values);
    assert_eq!(values.all(), again);
}

/// The number of families and the length of their programs do not depend on how many links there are.
#[test]
fn programs_do_not_grow_with_the_model() {
    for make in [chain, four_bars, angles] {
        let (small, large) = (make(400), make(800));
        for group in GROUPS {
            if let (Some(small), Some(large)) = (small.families(group), large.families(group)) {
                assert_eq!(small, large, "{group:?}");
            }
        }
        let (families, operations) = large.families(Group::Sparse).expect("is large");
        assert!(families <= 12 && operations <= 150, "{families} families of {operations} operations");
    }
}

#[test]
fn energies_add_up() {
    let n = 1000;
    let system = chain(n);
    let (q, v) = state(&system);
    let mut values = system.values(Group::Energy);
    assert!(system.families(Group::Energy).is_some());
    system.at(0.0, &q, &v, &mut values);
    let kinetic: f64 = v.iter().map(|v| v * v / 2.0).sum();
    let potential: f64 = q.iter().skip(1).step_by(2).map(|y| 9.81 * y).sum();
    assert!((values.kinetic_energy() - kinetic).abs() < 1e-13 * kinetic);
    assert!((values.potential_energy() - potential).abs() < 1e-12 * n as f64);
}

/// Parameters that are set from outside reach every instance.
#[test]
fn parameters_reach_every_instance() {
    let system = angles(400).with_parameters(&[("k", 5.0), ("m[7]", 0.125), ("L[9]", 2.0)]).expect("has these");
    for group in GROUPS {
        compare(&system, group, 1e-10);
    }
}

/// Rows that are renamed are those that are derived one by one.
#[test]
fn renamed_rows_are_derived_rows() {
    let text =
        |links: &str| format!("param N = 3\ncoord x[0..N], y[0..N]\nparticle p[i in 0..N]: 1 at (x[i], y[i])\n{links}");
    let family = system(&text("constraint rod[i in 1..N]: (x[i]-x[i-1])^2 + (y[i]-y[i-1])^2 = 1 + t*x[i]"));
    let (q, v) = state(&family);
    for i in 1..=3 {
        let alone = system(&text(&format!("constraint rod: (x[{i}]-x[{i}-1])^2 + (y[{i}]-y[{i}-1])^2 = 1 + t*x[{i}]")));
        for group in [Group::Dynamics, Group::Position, Group::Velocity] {
            let (mut all, mut one) = (family.values(group), alone.values(group));
            family.at(0.4, &q, &v, &mut all);
            alone.at(0.4, &q, &v, &mut one);
            assert_eq!(all.row(i - 1), one.row(0));
            assert_eq!(all.b().get(i - 1), one.b().first());
            assert_eq!(all.residual().get(i - 1), one.residual().first());
        }
        assert_eq!(family.equations().rows[i - 1].kind, alone.equations().rows[0].kind);
        assert!(family.equations().rows[i - 1].rheonomic);
    }
}

/// A search for what is hidden looks at what has to do with it, not at the whole model.
#[test]
fn what_is_hidden_is_found_in_large_models() {
    let text = |coupling: &str| {
        format!(
            "param N = 400, k = 3
coord x[1..N], u
kinetic sum(i in 1..N, x[i]'^2/2)
potential {coupling}
constraint pair[i in 1..N/2]: x[2*i] = 2*x[2*i-1]
"
        )
    };
    let hidden = |text: String| {
        let model = from_text("hidden.holo", &text).model.expect("a good model");
        derive(model).expect("a good model").value.hidden
    };
    let found = hidden(text("k*(u - x[3])^2"));
    assert_eq!((found.unsettled, found.found.len(), found.free.len()), (None, 1, 0));
    let direction = &found.found[0].direction;
    assert!(direction.len() == 401 && direction.iter().filter(|&&w| w != Id::ZERO).count() == 1);
    assert_ne!(direction[400], Id::ZERO);
    // Everything has to do with it.
    let found = hidden(text("sum(i in 1..N, k*(u - x[i])^2)"));
    assert_eq!(found.unsettled, Some(Unsettled::TooManyCoordinates));
}
