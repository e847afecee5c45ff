//! A polynomial with other exponents: products of powers divided out, powers as variables, powers turned around.

use super::polynomial::Polynomial;

impl Polynomial {
    /// The greatest product of powers that divides every term, with the least exponents of all variables.
    pub(super) fn least_exponents(&self) -> Vec<u32> {
        let mut least = vec![u32::MAX; self.width()];
        for row in self.exponents.chunks_exact(self.width().max(1)) {
            for (least, &exponent) in least.iter_mut().zip(row) {
                *least = (*least).min(exponent);
            }
        }
        least
    }

    /// Divided by a product of powers of its variables that divides every term.
    pub(super) fn lower(&self, by: &[u32]) -> Self {
        let mut exponents = self.exponents.clone();
        for row in exponents.chunks_exact_mut(self.width().max(1)) {
            for (exponent, by) in row.iter_mut().zip(by) {
                *exponent -= by;
            }
        }
        Self::from_sorted(self.variables.clone(), exponents, self.coefficients.clone())
    }

    /// With the powers of a variable turned around: the highest becomes the lowest.
    pub(super) fn reverse(&self, variable: u32) -> Self {
        let Some(column) = self.column(variable) else { return self.clone() };
        let degree = self.degree(variable);
        let mut exponents = self.exponents.clone();
        exponents.iter_mut().skip(column).step_by(self.width()).for_each(|exponent| *exponent = degree - *exponent);
        Self::from_rows(self.variables.clone(), exponents, self.coefficients.clone())
    }

    /// The greatest common divisor of a number and all exponents of a variable.
    pub(super) fn step(&self, variable: u32, start: u32) -> u32 {
        let Some(column) = self.column(variable) else { return start };
        let mut step = start;
        for &exponent in self.exponents.iter().skip(column).step_by(self.width()) {
            let (mut a, mut b) = (step, exponent);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            step = a;
            if step == 1 {
                break;
            }
        }
        step
    }

    /// With the exponents of some variables divided by numbers that divide them all.
    pub(super) fn deflate(&self, steps: &[(u32, u32)]) -> Self {
        self.map_exponents(steps, |exponent, step| exponent / step)
    }

    /// With the exponents of some variables multiplied: undoes [`Polynomial::deflate`].
    pub(super) fn inflate(&self, steps: &[(u32, u32)]) -> Self {
        self.map_exponents(steps, |exponent, step| exponent * step)
    }

    fn map_exponents(&self, steps: &[(u32, u32)], map: fn(u32, u32) -> u32) -> Self {
        let mut result = self.clone();
        for &(variable, step) in steps {
            if let Some(column) = self.column(variable) {
                let exponents = result.exponents.iter_mut().skip(column).step_by(self.width());
                exponents.for_each(|exponent| *exponent = map(*exponent, step));
            }
        }
        result
    }
}
