//! A number with its first two derivatives in time: what a function of the coordinates and its rates are, without differentiating by hand.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// Value, rate and second derivative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet(pub f64, pub f64, pub f64);

impl Jet {
    /// A number that does not change.
    pub const fn constant(value: f64) -> Jet {
        Jet(value, 0.0, 0.0)
    }

    /// The rate as a number of its own. Its second derivative is not known here and stays zero: nothing reads it.
    pub fn rate(self) -> Jet {
        Jet(self.1, self.2, 0.0)
    }

    /// A function with its two derivatives there.
    fn through(self, [f, f1, f2]: [f64; 3]) -> Jet {
        Jet(f, f1 * self.1, f2 * self.1 * self.1 + f1 * self.2)
    }

    /// The sine.
    pub fn sin(self) -> Jet {
        let (s, c) = self.0.sin_cos();
        self.through([s, c, -s])
    }

    /// The cosine.
    pub fn cos(self) -> Jet {
        let (s, c) = self.0.sin_cos();
        self.through([c, -s, -c])
    }

    /// The square root.
    pub fn sqrt(self) -> Jet {
        let r = self.0.sqrt();
        self.through([r, 0.5 / r, -0.25 / (r * r * r)])
    }
}

impl Add for Jet {
    type Output = Jet;
    fn add(self, o: Jet) -> Jet {
        Jet(self.0 + o.0, self.1 + o.1, self.2 + o.2)
    }
}

impl Sub for Jet {
    type Output = Jet;
    fn sub(self, o: Jet) -> Jet {
        Jet(self.0 - o.0, self.1 - o.1, self.2 - o.2)
    }
}

impl Mul for Jet {
    type Output = Jet;
    fn mul(self, o: Jet) -> Jet {
        Jet(self.0 * o.0, self.1 * o.0 + self.0 * o.1, self.2 * o.0 + 2.0 * self.1 * o.1 + self.0 * o.2)
    }
}

impl Div for Jet {
    type Output = Jet;
    fn div(self, o: Jet) -> Jet {
        self * o.through([1.0 / o.0, -1.0 / (o.0 * o.0), 2.0 / (o.0 * o.0 * o.0)])
    }
}

impl Neg for Jet {
    type Output = Jet;
    fn neg(self) -> Jet {
        Jet(-self.0, -self.1, -self.2)
    }
}

impl Mul<Jet> for f64 {
    type Output = Jet;
    fn mul(self, o: Jet) -> Jet {
        Jet(self * o.0, self * o.1, self * o.2)
    }
}

impl Add<f64> for Jet {
    type Output = Jet;
    fn add(self, o: f64) -> Jet {
        Jet(self.0 + o, self.1, self.2)
    }
}

impl Sub<f64> for Jet {
    type Output = Jet;
    fn sub(self, o: f64) -> Jet {
        Jet(self.0 - o, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::Jet;

    /// Along x = t² at t = 1: sin(x)/√(1 + x²), against differences.
    #[test]
    fn jets_are_derivatives() {
        let f = |x: Jet| x.sin() * x.cos() / (x * x + 1.0).sqrt();
        let at = |t: f64| f(Jet::constant(t * t)).0;
        let found = f(Jet(1.0, 2.0, 2.0));
        let h = 1e-4;
        assert!((found.1 - (at(1.0 + h) - at(1.0 - h)) / (2.0 * h)).abs() < 1e-6);
        assert!((found.2 - (at(1.0 + h) - 2.0 * at(1.0) + at(1.0 - h)) / (h * h)).abs() < 1e-5);
        assert_eq!(found.rate().0, found.1);
    }
}
