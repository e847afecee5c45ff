//! Velocity rows that can be integrated, and those that cannot.

use super::sketch::Sketch;
use holonom_random::Random;
use holonom_symbols::expr::{Function, Id, Number, Symbol};

#[test]
fn rolling_on_a_line_is_integrable() {
    let mut s = Sketch::named(&["x", "theta"]);
    let r = s.parameter("R", "0.5");
    let (x, theta, vx, vtheta) = (s.q(0), s.q(1), s.v(0), s.v(1));
    let (rolled, turned) = (s.g().multiply(r, vtheta), s.g().multiply(r, theta));
    s.constrain("rolling", &[vx], &[rolled]);
    let e = s.equations();
    let found = e.integrable[0];
    assert_eq!((found.row, found.left, found.right), (0, x, turned));
}

#[test]
fn a_skate_is_not() {
    let mut s = Sketch::named(&["x", "y", "theta"]);
    let (theta, vx, vy) = (s.q(2), s.v(0), s.v(1));
    let (sine, cosine) = (s.g().call(Function::Sin, theta), s.g().call(Function::Cos, theta));
    let (left, right) = (s.g().multiply(vx, sine), s.g().multiply(vy, cosine));
    s.constrain("skate", &[left], &[right]);
    assert!(s.equations().integrable.is_empty());
}

/// The rate of a polynomial in positions, sines and time is recognised as such.
#[test]
fn rates_of_simple_functions_are_found() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let n = 1 + random.index(3);
        let mut s = Sketch::new(n);
        let mut leaves: Vec<Id> = (0..n).map(|i| s.q(i)).collect();
        leaves.push(s.g().symbol(Symbol::Time));
        let mut terms = Vec::new();
        for _ in 0..3 {
            // Distinct symbols, so that no power meets a sine of the same one.
            let mut factors = Vec::new();
            for &leaf in &leaves {
                match random.index(4) {
                    0 => factors.push((leaf, 1 + random.index(3) as i32)),
                    1 => {
                        let twice = s.times(2, 1, &[(leaf, 1)]);
                        factors.push((s.g().call(Function::Sin, twice), 1));
                    }
                    _ => {}
                }
            }
            let term = s.times(1 + random.index(5) as i128, 3, &factors);
            terms.push((Number::ONE, term));
        }
        let whole = s.g().sum(&terms);
        let rate = s.g().rate(&[whole])[0];
        s.constrain("c", &[rate], &[Id::ZERO]);
        let derived = s.derive();
        let Ok(given) = derived else { continue };
        let e = given.value;
        if e.rows[0].a.is_empty() || e.rows[0].velocity.is_none() {
            continue;
        }
        assert_eq!(e.integrable.len(), 1, "seed {seed}");
    }
}
