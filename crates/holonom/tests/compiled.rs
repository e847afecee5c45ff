//! A system made of text: parameters, groups, patterns, and no allocation once it runs.

use holonom::language::from_text;
use holonom::mechanics::compile::{CompiledSystem, Group, GroupPart, Inputs};
use holonom::mechanics::derive::derive;
use holonom::{Snapshot, solve};
use holonom_testing::allocations;

fn system(text: &str) -> CompiledSystem {
    let loaded = from_text("model.holo", text);
    let derived = derive(loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics)));
    CompiledSystem::new(derived.unwrap_or_else(|errors| panic!("{errors:?}")).value)
}

const PENDULUM: &str = "param m = 2, L = 0.5, g = 9.81, half = L/2, tilt = 30 deg
coord x, y
particle bob: m at (x, y)
gravity (0, -g)
constraint rod: x^2 + y^2 = L^2
start x = L
output height: y + half*sin(tilt)
";

#[test]
fn a_pendulum_falls() {
    let system = system(PENDULUM);
    let mut values = system.values(Group::Dynamics);
    system.at(0.0, &[0.5, 0.0], &[0.0, 1.0], &mut values);
    assert_eq!(values.mass(), [2.0, 0.0, 0.0, 2.0]);
    assert_eq!(values.force(), [0.0, -2.0 * 9.81]);
    let snapshot = Snapshot::new(values.mass(), values.force()).constrained(values.a(), values.b());
    let motion = solve(&snapshot).expect("a system");
    assert!((motion.acceleration[0] + 2.0).abs() < 1e-14); // −v²/L
    assert!((motion.acceleration[1] + 9.81).abs() < 1e-14);

    let mut position = system.values(Group::Position);
    system.at(0.0, &[0.4, 0.3], &[0.0, 0.0], &mut position);
    assert!(position.residual()[0].abs() < 1e-16);
    assert_eq!(position.row(0), [0.8, 0.6]);
    let mut velocity = system.values(Group::Velocity);
    system.at(0.0, &[0.4, 0.3], &[3.0, -4.0], &mut velocity);
    assert!(velocity.residual()[0].abs() < 1e-15);
    assert_eq!(velocity.part(GroupPart::ByPosition), [6.0, -8.0]);
    let mut energy = system.values(Group::Energy);
    system.at(0.0, &[0.4, 0.3], &[3.0, -4.0], &mut energy);
    assert_eq!(energy.kinetic_energy(), 25.0);
    assert!((energy.potential_energy() - 2.0 * 9.81 * 0.3).abs() < 1e-14);
}

#[test]
fn parameters_follow_those_they_are_made_of() {
    let first = system(PENDULUM);
    let tilt = std::f64::consts::FRAC_PI_6;
    assert_eq!(first.parameter("half"), Some(0.25));
    assert_eq!(first.parameter("tilt"), Some(tilt));
    let second = first.with_parameter("L", 3.0).expect("a parameter");
    assert_eq!(second.parameter("half"), Some(1.5));
    let third = second.with_parameter("half", 7.0).and_then(|s| s.with_parameter("L", 4.0)).expect("a parameter");
    assert_eq!((third.parameter("half"), third.parameter("L")), (Some(7.0), Some(4.0)));
    let unknown = first.with_parameter("l", 1.0).expect_err("no such parameter");
    assert_eq!(unknown.to_string(), "the model has no parameter `l`");

    // One memory, several systems: each finds its own parameters.
    let mut values = first.values(Group::Output);
    for (system, half) in [(&first, 0.25), (&second, 1.5), (&first, 0.25), (&third, 7.0)] {
        system.at(0.0, &[0.0, 1.0], &[0.0, 0.0], &mut values);
        assert_eq!(values.all(), [1.0 + half * tilt.sin()]);
    }
}

#[test]
fn systems_are_shared_between_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    let system = system(PENDULUM);
    shared(&system);
    let found = std::thread::scope(|scope| {
        scope.spawn(|| system.compile(Group::Energy));
        let mut values = system.values(Group::Energy);
        (0..1000).for_each(|_| system.at(0.0, &[0.4, 0.3], &[3.0, -4.0], &mut values));
        values.kinetic_energy()
    });
    assert_eq!(found, 25.0);
}

#[test]
fn patterns_are_known_before_numbers() {
    let system = system(PENDULUM);
    assert_eq!(system.mass_pattern(), [[0], [1]]);
    assert_eq!(system.row_pattern(), [[0, 1]]);
    assert_eq!((system.coordinates(), system.rows()), (2, 1));
}

#[test]
fn evaluation_allocates_nothing() {
    let chain = "param n = 6, g = 9.81
coord theta[1..n]
let x[0] = 0, x[i in 1..n] = x[i-1] + sin(theta[i]), y[0] = 0, y[i in 1..n] = y[i-1] - cos(theta[i])
kinetic sum(i in 1..n, (x[i]'^2 + y[i]'^2)/2)
potential sum(i in 1..n, g*y[i])
start theta[i in 1..n] = 1
";
    let system = system(chain);
    let (q, v) = ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [1.0; 6]);
    let mut values = system.values(Group::Dynamics);
    system.at(0.0, &q, &v, &mut values);
    let interpreted = values.all().to_vec();
    let run = |values: &mut _| {
        for step in 0..10 {
            system.at(0.1 * f64::from(step), &q, &v, values);
        }
    };
    assert_eq!(allocations(|| run(&mut values)), 0);
    system.compile(Group::Dynamics);
    assert_eq!(allocations(|| run(&mut values)), 0);
    assert_eq!(values.all(), interpreted);
    let inputs = Inputs { q: &q, v: &v, ..Inputs::default() };
    assert_eq!(allocations(|| system.evaluate(&inputs, &mut values)), 0);
}
