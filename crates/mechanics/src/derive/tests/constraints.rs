//! A and b: against differences along paths, for random equations of every kind.

use super::sketch::{Sketch, State, assert_close, expression};
use crate::derive::ConstraintKind;
use holonom_random::Random;
use holonom_symbols::expr::{Function, Id, Number, Symbol};

/// A smooth path through n coordinates.
struct Path(Vec<[f64; 4]>);

impl Path {
    fn random(n: usize, random: &mut Random) -> Self {
        Self((0..n).map(|_| [random.real(), 1.0 + 0.5 * random.real(), random.real(), random.real()]).collect())
    }
    fn at(&self, t: f64) -> State {
        State {
            t,
            q: self.0.iter().map(|w| w[0] * (w[1] * t + w[2]).sin() + w[3]).collect(),
            v: self.0.iter().map(|w| w[0] * w[1] * (w[1] * t + w[2]).cos()).collect(),
            a: self.0.iter().map(|w| -w[0] * w[1] * w[1] * (w[1] * t + w[2]).sin()).collect(),
            parameters: vec![1.5],
        }
    }
}

/// The second derivative, to order 8.
fn second(f: impl Fn(f64) -> f64, t: f64, h: f64) -> f64 {
    let weights = [-205.0 / 72.0, 8.0 / 5.0, -1.0 / 5.0, 8.0 / 315.0, -1.0 / 560.0];
    let sides: f64 = (1..5).map(|k| weights[k] * (f(t + k as f64 * h) + f(t - k as f64 * h))).sum();
    (weights[0] * f(t) + sides) / (h * h)
}

/// The first derivative, to order 8.
fn first(f: impl Fn(f64) -> f64, t: f64, h: f64) -> f64 {
    let weights = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
    (1..5).map(|k| weights[k - 1] * (f(t + k as f64 * h) - f(t - k as f64 * h))).sum::<f64>() / h
}

#[test]
fn rows_agree_with_differences_along_paths() {
    let mut kinds = [0; 3];
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let n = 1 + random.index(4);
        let mut s = Sketch::new(n);
        let k = s.parameter("k", "1.5");
        let level = random.index(3);
        let mut leaves: Vec<Id> = (0..n).map(|i| s.q(i)).collect();
        leaves.push(k);
        if random.index(2) == 0 {
            leaves.push(s.g().symbol(Symbol::Time));
        }
        if level > 0 {
            leaves.extend((0..n).map(|i| s.v(i)).collect::<Vec<_>>());
        }
        let mut equation = expression(&mut random, s.g(), &leaves, 4);
        if level == 2 {
            for i in 0..n {
                let (factor, a) = (expression(&mut random, s.g(), &leaves, 2), s.a(i));
                let term = s.g().multiply(factor, a);
                equation = s.g().add(equation, term);
            }
        }
        s.constrain("c", &[equation], &[Id::ZERO]);
        let derived = s.derive();
        // Some random equations contain no coordinate at all.
        let (e, messages) = match derived {
            Ok(given) => (Some(given.value), given.messages),
            Err(errors) => (None, errors),
        };
        let Some(e) = e.filter(|e| !e.rows[0].a.is_empty()) else {
            assert!(messages.iter().all(|d| d.code.ends_with("-constraint")));
            continue;
        };
        let row = &e.rows[0];
        kinds[row.kind as usize] += 1;
        let path = Path::random(n, &mut random);
        let (t, h) = (0.4, 0.02);
        let state = path.at(t);
        let along_path = |t: f64| path.at(t).of(&e.graph, &[equation])[0];
        let a: f64 = row.a.iter().map(|&(i, id)| state.of(&e.graph, &[id])[0] * state.a[i]).sum();
        let left = a - state.of(&e.graph, &[row.b])[0];
        let expected = match row.kind {
            ConstraintKind::Holonomic => {
                let rate = first(along_path, t, h);
                assert_close(state.of(&e.graph, &[row.velocity.unwrap()])[0], rate, 1e-8, "rate");
                second(along_path, t, h)
            }
            ConstraintKind::Velocity => first(along_path, t, h),
            ConstraintKind::Acceleration => along_path(t),
        };
        assert_close(left, expected, 1e-6, &format!("seed {seed}, {:?}", row.kind));
        for i in 0..n {
            let Some(velocity) = row.velocity else { continue };
            let slope = row.velocity_by_position.iter().find(|&&(j, _)| j == i).map_or(Id::ZERO, |&(_, id)| id);
            let along = |d: f64| {
                let mut state = state.clone();
                state.q[i] += d;
                state.of(&e.graph, &[velocity])[0]
            };
            assert_close(state.of(&e.graph, &[slope])[0], first(along, 0.0, h), 1e-7, "∂/∂q");
        }
    }
    assert!(kinds.iter().all(|&count| count > 30), "{kinds:?}");
}

/// The kind is what an equation contains, not what it seems to contain.
#[test]
fn kinds_are_read_off_the_equation() {
    let mut s = Sketch::new(2);
    let (x, y, vx) = (s.q(0), s.q(1), s.v(0));
    // sin²x' + cos²x' contains no velocity.
    let (sine, cosine) = (s.g().call(Function::Sin, vx), s.g().call(Function::Cos, vx));
    let (sine, cosine) = (s.g().integer_power(sine, 2), s.g().integer_power(cosine, 2));
    let one = s.g().add(sine, cosine);
    let left = s.g().multiply(one, x);
    s.constrain("disguised", &[left], &[y]);
    let t = s.g().symbol(Symbol::Time);
    s.constrain("moving", &[x], &[t]);
    s.constrain("rolling", &[vx], &[y]);
    let e = s.equations();
    let kinds: Vec<_> = e.rows.iter().map(|row| (row.kind, row.rheonomic)).collect();
    assert_eq!(
        kinds,
        [(ConstraintKind::Holonomic, false), (ConstraintKind::Holonomic, true), (ConstraintKind::Velocity, false)]
    );
    assert_eq!(e.rows[2].scale_terms, [vx, y]);
}

#[test]
fn what_cannot_be_a_row_is_refused() {
    let mut s = Sketch::new(2);
    let (a, b) = (s.a(0), s.a(1));
    let product = s.g().multiply(a, b);
    s.constrain("c", &[product], &[Id::ONE]);
    assert_eq!(s.error(), "not-linear-in-accelerations");

    let mut s = Sketch::new(1);
    let x = s.q(0);
    let sign = s.g().call(Function::Sign, x);
    s.constrain("c", &[sign], &[Id::ONE]);
    assert_eq!(s.error(), "constraint-without-slope");

    // (x + 1)² − x² − 2x is 1: never 3, always 1.
    for (right, code) in [(3, "impossible-constraint"), (1, "idle-constraint")] {
        let mut s = Sketch::new(1);
        let x = s.q(0);
        let more = s.g().add(x, Id::ONE);
        let (big, small) = (s.times(1, 1, &[(more, 2)]), s.times(1, 1, &[(x, 2)]));
        let left = s.g().sum(&[(Number::ONE, big), (Number::MINUS_ONE, small), (Number::integer(-2), x)]);
        let right = s.g().integer(right);
        s.constrain("c", &[left], &[right]);
        let derived = s.derive();
        let is_rejected = derived.is_err();
        let messages = derived.map_or_else(|errors| errors, |given| given.messages);
        assert_eq!(messages[0].code, code);
        assert_eq!(is_rejected, messages[0].is_error());
    }
}
