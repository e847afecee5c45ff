//! The first moment of a step at which one of several quantities becomes negative.

/// How finely the moment is found, as a part of the step.
const RESOLUTION: f64 = 1e-15;

/// The first θ in (0, 1] at which one of some quantities is negative that are not so at 0; `end` are their values at 1, one of
/// which is negative. `at` gives their values, and says whether to go on.
///
/// Secants, with a bisection now and then: values may jump, and need not be zero anywhere.
pub(super) fn first_root(end: &[f64], mut at: impl FnMut(f64, &mut Vec<f64>) -> bool) -> f64 {
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    let (mut at_low, mut at_high) = (Vec::new(), end.to_vec());
    let mut middle = Vec::new();
    if !at(0.0, &mut at_low) {
        return 1.0;
    }
    for round in 0..200 {
        let resolution = RESOLUTION * high.max(1e-6);
        if high - low <= resolution {
            break;
        }
        // The earliest that a secant promises, moved a little so that the root is enclosed from both sides.
        let mut guess = high;
        if round % 3 != 2 {
            for (&from, &to) in at_low.iter().zip(&at_high) {
                if to < 0.0 && from > 0.0 {
                    let part = from / (from - to);
                    let nudge = (1e-3 * part * (1.0 - part)).max(0.7 * resolution / (high - low));
                    let nudged = if round % 3 == 0 { part + nudge } else { part - nudge };
                    guess = guess.min(low + nudged * (high - low));
                }
            }
        }
        if guess <= low || guess >= high {
            guess = 0.5 * (low + high);
        }
        middle.clear();
        if !at(guess, &mut middle) {
            return high;
        }
        if middle.iter().any(|value| *value < 0.0) {
            (high, at_high) = (guess, middle.clone());
        } else {
            (low, at_low) = (guess, middle.clone());
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::first_root;

    #[test]
    fn the_first_of_several() {
        let of = |t: f64| vec![0.9 - t, 0.3 - t * t, 1.0];
        let mut calls = 0;
        let root = first_root(&of(1.0), |t, out| {
            calls += 1;
            *out = of(t);
            true
        });
        assert!((root - 0.3f64.sqrt()).abs() < 1e-14, "{root}");
        assert!(calls < 40, "{calls}");
    }

    #[test]
    fn a_jump() {
        let of = |t: f64| vec![if t < 0.123 { 1.0 } else { -1.0 }];
        let root = first_root(&of(1.0), |t, out| {
            *out = of(t);
            true
        });
        assert!((root - 0.123).abs() < 1e-14);
    }
}
