//! Derivatives of the equations, from the graph: against differences, and in the hands of the stiff method.

#![allow(non_snake_case)]

use std::path::Path;

use holonom::language::{from_text, load};
use holonom::mechanics::compile::{CompiledSystem, Group, Inputs, Tangent, Values};
use holonom::mechanics::derive::derive;
use holonom::simulate::integrate::{Attempt, Field, Radau, StiffField};
use holonom::symbols::expr::Symbol;
use holonom::{MotionError, Snapshot, Workspace};
use holonom_random::Random;
use holonom_testing::allocated;

fn system(text: &str) -> CompiledSystem {
    let loaded = from_text("model.holo", text);
    let derived = derive(loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics)));
    CompiledSystem::new(derived.unwrap_or_else(|errors| panic!("{errors:?}")).value)
}

fn gallery(name: &str) -> CompiledSystem {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery").join(name);
    let loaded = load(&path);
    let derived = derive(loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics)));
    CompiledSystem::new(derived.expect("a good model").value)
}

const DRAGGED_PENDULUM: &str = "param m = 2, L = 0.5, g = 9.81, c = 0.3
coord x, y
particle bob: m at (x, y)
gravity (0, -g)
force bob: -c*norm((x', y'))*(x', y')
constraint rod: x^2 + y^2 = L^2
start x = L
";

/// A bead on a parabola that swings, with a drag that depends on the place and on the reaction.
const ROUGH_BEAD: &str = "param m = 2, g = 9.81, mu = 0.2, k = 3
coord x, y
particle bead: m at (x, y)
gravity (0, -g)
constraint wire: y = x^2/2 + 0.1*sin(3*t)*x
nonideal wire on bead: -mu*abs(reaction(wire))*(x', y') - k*x^2*(x', y') + 0.1*multiplier(wire)*(y, x')
start x = 1
";

/// ∂values/∂x by central differences, row-major, and what rounding leaves open in it.
fn differences(x: &[f64], mut values: impl FnMut(&[f64]) -> Vec<f64>) -> (Vec<f64>, f64) {
    let (n, mut columns) = (x.len(), Vec::new());
    let mut size = 0.0f64;
    for j in 0..n {
        let mut at = |step: f64| {
            let mut x = x.to_vec();
            x[j] += step;
            values(&x)
        };
        let h = 1e-4;
        let (a, b, c, d) = (at(-2.0 * h), at(-h), at(h), at(2.0 * h));
        size = a.iter().fold(size, |size, a| size.max(a.abs()));
        let column = (0..a.len()).map(|i| (8.0 * (c[i] - b[i]) - (d[i] - a[i])) / (12.0 * h));
        columns.push(column.collect::<Vec<f64>>());
    }
    let rows = columns.first().map_or(0, Vec::len);
    let all = (0..rows).flat_map(|i| columns.iter().map(move |column| column[i]).collect::<Vec<_>>()).collect();
    (all, 1e-10 * size)
}

fn assert_close(name: &str, found: &[f64], expected: &[f64], open: f64) {
    assert_eq!(found.len(), expected.len(), "{name}");
    let size = expected.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() < 1e-8 * size + open, "{name}:\n{found:?}\n{expected:?}");
    }
}

/// r₁ = Q + C + Aᵀλ − M q̈ and r₂ = b − A q̈, one after the other.
fn residual(system: &CompiledSystem, inputs: &Inputs) -> Vec<f64> {
    let mut values = system.values(Group::Dynamics);
    system.evaluate(inputs, &mut values);
    let n = system.coordinates();
    let mut C = vec![0.0; n];
    system.nonideal(&values, |_| true, inputs.multiplier, inputs.reaction, &mut C);
    let equations = system.equations();
    for force in equations.nonideal.iter().flat_map(|part| &part.nonlinear) {
        C[force.coordinate] += equations.graph.evaluate(&[force.value], |symbol| match symbol {
            Symbol::Time => inputs.t,
            Symbol::Position(i) => inputs.q[i as usize],
            Symbol::Velocity(i) => inputs.v[i as usize],
            Symbol::Multiplier(i) => inputs.multiplier[i as usize],
            Symbol::Reaction(i) => inputs.reaction[i as usize],
            Symbol::Parameter(i) => system.parameters()[i as usize],
            _ => panic!("{symbol:?} in C"),
        })[0];
    }
    for (i, C) in C.iter_mut().enumerate() {
        let inertia: f64 = (0..n).map(|j| values.mass()[i * n + j] * inputs.acceleration[j]).sum();
        let reactions: f64 = (0..system.rows()).map(|row| values.row(row)[i] * inputs.reaction[row]).sum();
        *C += values.force()[i] + reactions - inertia;
    }
    for (row, b) in values.b().iter().enumerate() {
        C.push(b - values.row(row).iter().zip(inputs.acceleration).map(|(a, x)| a * x).sum::<f64>());
    }
    C
}

#[test]
fn derivatives_of_the_equations_are_those_of_differences() {
    let models = [
        ("pendulum", system(DRAGGED_PENDULUM)),
        ("rough bead", system(ROUGH_BEAD)),
        ("andrews", gallery("andrews/andrews.holo")),
        ("appell", gallery("appell/appell.holo")),
        ("motor", gallery("hoop/held.holo")),
        ("rolling disc", gallery("rolling-disc/rolling-disc.holo")),
    ];
    for (name, system) in &models {
        let (n, m) = (system.coordinates(), system.rows());
        let mut values = system.values(Group::Stiffness);
        let mut tangent = Tangent::default();
        let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
        for t in [0.0, 0.7] {
            let [q, v, acceleration] = [(); 3].map(|()| random.reals(n));
            let [multiplier, reaction] = [(); 2].map(|()| random.reals(m));
            let (acceleration, multiplier, reaction) = (&acceleration[..], &multiplier[..], &reaction[..]);
            let inputs = Inputs { t, q: &q, v: &v, acceleration, multiplier, reaction, ..Inputs::default() };
            system.evaluate(&inputs, &mut values);
            system.stiffness(&values, |_| true, &mut tangent);
            let (by_q, open_q) = differences(&q, |q| residual(system, &Inputs { q, ..inputs }));
            let (by_v, open_v) = differences(&v, |v| residual(system, &Inputs { v, ..inputs }));
            assert_close(name, &tangent.force_by_position, &by_q[..n * n], open_q);
            assert_close(name, &tangent.rows_by_position, &by_q[n * n..], open_q);
            assert_close(name, &tangent.force_by_velocity, &by_v[..n * n], open_v);
            assert_close(name, &tangent.rows_by_velocity, &by_v[n * n..], open_v);
        }
    }
}

/// Parts of C whose constraint is not in force do not count.
#[test]
fn what_is_not_in_force_does_not_count() {
    let system = system(ROUGH_BEAD);
    let mut values = system.values(Group::Stiffness);
    let (q, v, a, forces) = ([1.0, 0.5], [2.0, 1.0], [0.0, 0.0], [0.0]);
    let inputs = Inputs { q: &q, v: &v, acceleration: &a, multiplier: &forces, reaction: &forces, ..Inputs::default() };
    system.evaluate(&inputs, &mut values);
    let mut tangent = Tangent::default();
    system.stiffness(&values, |_| true, &mut tangent);
    assert_eq!(tangent.force_by_velocity, [-3.0, 0.0, 0.0, -3.0]); // −k x²
    system.stiffness(&values, |_| false, &mut tangent);
    assert_eq!(tangent.force_by_velocity, [0.0; 4]);
}

/// A model whose rows are all in force and whose C does not depend on reactions, as a field.
struct Moving<'a> {
    system: &'a CompiledSystem,
    workspace: Workspace,
    dynamics: Values,
    stiffness: Values,
    tangent: Tangent,
    C: Vec<f64>,
}

impl<'a> Moving<'a> {
    fn new(system: &'a CompiledSystem) -> Self {
        Self {
            system,
            workspace: Workspace::new(),
            dynamics: system.values(Group::Dynamics),
            stiffness: system.values(Group::Stiffness),
            tangent: Tangent::default(),
            C: vec![0.0; system.coordinates()],
        }
    }

    fn solve(&mut self, t: f64, y: &[f64]) -> Result<(), MotionError> {
        let (q, v) = y.split_at(self.system.coordinates());
        self.system.at(t, q, v, &mut self.dynamics);
        self.system.nonideal(&self.dynamics, |_| true, &[], &[], &mut self.C);
        let snapshot = Snapshot::new(self.dynamics.mass(), self.dynamics.force());
        let snapshot = snapshot.constrained(self.dynamics.a(), self.dynamics.b()).nonideal(&self.C);
        self.workspace.solve(&snapshot).map(|_| ())
    }
}

impl Field for Moving<'_> {
    type Failure = MotionError;

    fn coordinates(&self) -> usize {
        self.system.coordinates()
    }

    fn quadratures(&self) -> usize {
        0
    }

    fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), MotionError> {
        self.solve(t, y)?;
        let n = self.coordinates();
        rate[..n].copy_from_slice(&y[n..]);
        rate[n..].copy_from_slice(&self.workspace.motion().acceleration);
        Ok(())
    }
}

impl StiffField for Moving<'_> {
    fn jacobian(&mut self, t: f64, y: &[f64], by_q: &mut [f64], by_v: &mut [f64]) -> Result<(), MotionError> {
        self.solve(t, y)?;
        let n = self.coordinates();
        let motion = self.workspace.motion();
        let (acceleration, reaction) = (&motion.acceleration[..], &motion.reactions[..]);
        let inputs = Inputs { t, q: &y[..n], v: &y[n..], acceleration, reaction, ..Inputs::default() };
        self.system.evaluate(&inputs, &mut self.stiffness);
        self.system.stiffness(&self.stiffness, |_| true, &mut self.tangent);
        self.workspace.respond(n, &self.tangent.force_by_position, &self.tangent.rows_by_position, by_q);
        self.workspace.respond(n, &self.tangent.force_by_velocity, &self.tangent.rows_by_velocity, by_v);
        Ok(())
    }
}

#[test]
fn derivatives_of_the_acceleration_are_those_of_differences() {
    let models = [
        ("pendulum", system(DRAGGED_PENDULUM)),
        ("andrews", gallery("andrews/andrews.holo")),
        ("appell", gallery("appell/appell.holo")),
        ("motor", gallery("hoop/held.holo")),
    ];
    for (name, system) in &models {
        let n = system.coordinates();
        let mut field = Moving::new(system);
        let mut random = Random::new(0x1234_5678_9abc_def1);
        for t in [0.0, 0.7] {
            let y = random.reals(2 * n);
            let (mut by_q, mut by_v) = (vec![0.0; n * n], vec![0.0; n * n]);
            field.jacobian(t, &y, &mut by_q, &mut by_v).expect("a motion");
            let (rows, open) = differences(&y, |y| {
                let mut rate = vec![0.0; 2 * n];
                field.rate(t, y, &mut rate).expect("a motion");
                rate.split_off(n)
            });
            let halves = |from: usize| rows.chunks(2 * n).flat_map(|row| row[from..from + n].to_vec()).collect();
            let (q, v): (Vec<f64>, Vec<f64>) = (halves(0), halves(n));
            assert_close(name, &by_q, &q, open);
            assert_close(name, &by_v, &v, open);
        }
    }
}

/// Runs with error control to the end; the method, the steps tried, and how often something was allocated after the first.
fn run(field: &mut Moving, y: &mut Vec<f64>, end: f64, tolerance: f64) -> (Radau, usize, usize) {
    let n = field.coordinates();
    let mut method = Radau::new(n, 0).relaxed(tolerance);
    let (mut next, mut rate, mut scale) = (y.clone(), y.clone(), y.clone());
    let (mut t, mut h) = (0.0, 1e-4 * end);
    let (mut steps, mut before) = (0, 0);
    while t < end {
        assert!(steps < 100_000 && h > 1e-14 * end, "at {t}");
        scale.iter_mut().zip(&*y).for_each(|(s, y)| *s = tolerance * (1.0 + y.abs()));
        field.rate(t, y, &mut rate).expect("a motion");
        match method.attempt(field, t, h, y, &rate, &scale, &mut next).expect("a Jacobian") {
            Attempt::Done { error } => {
                let wish = h * (0.9 * error.powf(-0.25)).clamp(0.2, 5.0);
                if error <= 1.0 {
                    t += h;
                    method.accepted();
                    y.copy_from_slice(&next);
                }
                h = if t + wish >= end { end - t } else { method.favour(wish) };
            }
            Attempt::NotConverged { .. } => h *= 0.5,
        }
        steps += 1;
        if steps == 1 {
            before = allocated();
        }
    }
    (method, steps, allocated() - before)
}

/// A pendulum driven through a shaft of 10⁹ N m/rad swings as if it were rigid, in steps of the swing.
#[test]
fn a_stiff_shaft_turns_like_a_rigid_one() {
    let shaft = system(
        "param J = 0.5, m = 1, L = 1, g = 9.81, k = 1e9, c = 1e4
coord a, b
kinetic J*a'^2/2 + m*L^2*b'^2/2
potential -m*g*L*cos(b) + k*(a - b)^2/2
force a: -c*(a' - b'), b: -c*(b' - a')
start a = 1, b = 1
",
    );
    let rigid = system("param I = 1.5\ncoord b\nkinetic I*b'^2/2\npotential -9.81*cos(b)\nstart b = 1\n");
    let (mut y, mut expected) = (vec![1.0, 1.0, 0.0, 0.0], vec![1.0, 0.0]);
    let (_, slow, _) = run(&mut Moving::new(&rigid), &mut expected, 10.0, 1e-8);
    let (method, steps, allocated) = run(&mut Moving::new(&shaft), &mut y, 10.0, 1e-8);
    assert!(steps < 2 * slow, "{steps} steps instead of {slow}, {:?}", method.counts);
    assert!((y[1] - expected[0]).abs() < 1e-7 && (y[3] - expected[1]).abs() < 1e-7, "{y:?} {expected:?}");
    assert_eq!(allocated, 0, "steps allocate nothing");
}

/// A spring whose direction turns is harder: its Jacobian changes along a step, and steps are short enough for Newton's method.
#[test]
fn a_stiff_spring_that_turns_takes_shorter_steps() {
    let text = "param m = 1, L = 1, g = 9.81, k = 1e6, c = 2e3
coord x, y
particle bob: m at (x, y)
gravity (0, -g)
let r = sqrt(x^2 + y^2)
potential k*(r - L)^2/2
force bob: -c*(x*x' + y*y')/r^2*(x, y)
start x = L
";
    let system = system(text);
    let mut y = vec![1.0, 0.0, 0.0, 0.0];
    let (method, steps, allocated) = run(&mut Moving::new(&system), &mut y, 10.0, 1e-6);
    assert!(steps < 1500, "{steps} steps, {:?}", method.counts);
    assert!((y[0].hypot(y[1]) - 1.0).abs() < 1e-4);
    assert_eq!(allocated, 0, "steps allocate nothing");
}

/// Andrews' squeezing mechanism, whose end values are known (Schiehlen 1990; Hairer & Wanner II, section VII.7).
#[test]
fn andrews_mechanism_by_the_stiff_method() {
    let system = gallery("andrews/andrews.holo");
    let mut field = Moving::new(&system);
    let mut y = vec![
        -0.061_713_890_014_276_45,
        0.0,
        0.455_279_819_163_070_37,
        0.222_668_390_165_885_88,
        0.487_364_979_543_842_56,
        -0.222_668_390_165_885_88,
        1.230_547_444_549_821_2,
    ];
    y.resize(14, 0.0);
    let (method, steps, allocated) = run(&mut field, &mut y, 0.03, 1e-9);
    assert!(steps < 700 && method.counts.evaluations < 6000, "{steps} steps, {:?}", method.counts);
    let expected = [15.810_771_195_1, -15.756_371_058_4, 0.040_822_240_119_7];
    assert!(y.iter().zip(expected).all(|(y, e)| (y - e).abs() < 1e-8), "{y:?}");
    assert_eq!(allocated, 0, "steps allocate nothing");
}
