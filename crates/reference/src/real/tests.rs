use super::*;
use holonom_random::Random;

fn two(x: f64) -> Twofold {
    Twofold::from(x)
}

fn assert_near(x: Twofold, y: Twofold, relative: f64) {
    let error = (x - y).abs().to_f64();
    assert!(error <= relative * y.abs().to_f64(), "{x:?} and {y:?} differ by {error:e}");
}

/// A full 32-digit number of size about `scale`.
fn any(random: &mut Random, scale: f64) -> Twofold {
    two(random.real() * scale) + two(random.real() * scale * 2f64.powi(-53))
}

#[test]
fn exact_sum_and_product_lose_nothing() {
    assert_eq!(Twofold::sum(1.0, 1e-30), Twofold { hi: 1.0, lo: 1e-30 });
    let x = 1.0 + f64::EPSILON; // x² = 1 + 2ε + ε², and ε² does not fit into one f64
    let square = Twofold::product(x, x);
    assert_eq!((square.hi(), square.lo()), (1.0 + 2.0 * f64::EPSILON, f64::EPSILON * f64::EPSILON));
}

#[test]
fn what_is_added_can_be_taken_away() {
    let mut random = Random::new(1);
    for _ in 0..2000 {
        let (a, b) = (any(&mut random, 1e3), any(&mut random, 1.0));
        assert!(((a + b) - a - b).abs().to_f64() <= 1e-28);
    }
}

/// The cheap sum fails here: the high parts cancel and the low parts carry the answer.
#[test]
fn cancelling_sums_keep_their_digits() {
    let mut random = Random::new(2);
    for _ in 0..2000 {
        let hi = 1.0 + random.real().abs();
        let half = |random: &mut Random| random.real() * f64::EPSILON / 4.0;
        let a = Twofold { hi, lo: half(&mut random) };
        let b = Twofold { hi: hi + f64::EPSILON, lo: half(&mut random) };
        let exact = two(f64::EPSILON) + Twofold::sum(b.lo, -a.lo);
        assert_near(b - a, exact, 1e-31);
    }
    let big = two(1e20);
    assert_eq!(((big + two(1.0)) - big).to_f64(), 1.0);
    let mut sum = Twofold::zero();
    for k in 1..=1000 {
        sum += two(1.0) / two(f64::from(k));
    }
    for k in 1..=1000 {
        sum -= two(1.0) / two(f64::from(k));
    }
    assert!(sum.abs().to_f64() < 1e-28);
}

#[test]
fn roots_square_back() {
    assert_near(two(2.0).sqrt() * two(2.0).sqrt(), two(2.0), 1e-31);
    // √2 to 32 digits, split into its two halves by computer algebra.
    let root = Twofold { hi: std::f64::consts::SQRT_2, lo: -9.667293313452913e-17 };
    assert_near(two(2.0).sqrt(), root, 1e-31);
    let mut random = Random::new(3);
    for _ in 0..2000 {
        let x = any(&mut random, 1e9).abs();
        assert_near(x.sqrt() * x.sqrt(), x, 2e-31);
    }
    assert_eq!(Twofold::zero().sqrt(), Twofold::zero());
    assert!(two(-1.0).sqrt().to_f64().is_nan());
}

#[test]
fn quotients_multiply_back() {
    assert_near(two(1.0) / two(3.0) * two(3.0), two(1.0), 1e-31);
    let mut random = Random::new(4);
    for _ in 0..2000 {
        let (a, b) = (any(&mut random, 1e9), any(&mut random, 1e-9));
        assert_near(a / b * b, a, 2e-31);
    }
}

#[test]
fn products_distribute() {
    let mut random = Random::new(5);
    for _ in 0..2000 {
        let (a, b, c) = (any(&mut random, 1.0), any(&mut random, 1.0), any(&mut random, 1.0));
        let error = (a * (b + c) - (a * b + a * c)).abs().to_f64();
        assert!(error <= 1e-30, "{error:e}");
    }
}

#[test]
fn order_looks_at_both_halves() {
    let above = Twofold { hi: 1.0, lo: 1e-20 };
    assert!(above > two(1.0) && two(1.0) > Twofold { hi: 1.0, lo: -1e-20 });
    assert_eq!((-above).abs(), above);
    assert!(two(f64::NAN).partial_cmp(&two(1.0)).is_none());
}
