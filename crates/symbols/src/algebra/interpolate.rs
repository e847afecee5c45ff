//! Interpolation modulo a prime: dense in one variable, sparse where the terms are known.

use super::modular::{Line, Modulus};

/// Solves `Σ cᵢ vᵢˢ = wₛ` for s = 1, 2, …, for several w, through the polynomial with the roots v; `None` if two of
/// these are equal.
pub(super) fn powers_of_nodes(modulus: &Modulus, nodes: &[u64], sums: &[Vec<u64>]) -> Option<Vec<Vec<u64>>> {
    let mut master: Line = vec![modulus.one];
    for &node in nodes {
        master.push(0);
        for i in (0..master.len()).rev() {
            let below = if i > 0 { master[i - 1] } else { 0 };
            master[i] = modulus.minus(below, modulus.times(node, master[i]));
        }
    }
    let mut solutions = vec![Vec::with_capacity(nodes.len()); sums.len()];
    let mut divisors = Vec::with_capacity(nodes.len());
    let mut partial = vec![0; nodes.len()];
    for &node in nodes {
        // The polynomial without this root, its value there, and its combinations of the sums.
        let (mut carry, mut at_node) = (0, 0);
        for i in (0..nodes.len()).rev() {
            carry = modulus.plus(master[i + 1], modulus.times(carry, node));
            partial[i] = carry;
            at_node = modulus.plus(modulus.times(at_node, node), carry);
        }
        divisors.push(modulus.times(at_node, node));
        for (solution, sums) in solutions.iter_mut().zip(sums) {
            let products = partial.iter().zip(sums).map(|(&c, &sum)| modulus.times(c, sum));
            solution.push(products.fold(0, |a, b| modulus.plus(a, b)));
        }
    }
    if divisors.contains(&0) {
        return None;
    }
    let inverses = modulus.invert_all(&divisors);
    for solution in &mut solutions {
        solution.iter_mut().zip(&inverses).for_each(|(value, &inverse)| *value = modulus.times(*value, inverse));
    }
    Some(solutions)
}

/// Newton's interpolation of many values at the same places.
pub(super) struct Curve {
    places: Vec<u64>,
    /// Divided differences: for each place one for every value.
    differences: Vec<Vec<u64>>,
}

pub(super) enum Added {
    Changed,
    /// The curve through the places before went through this one already.
    Nothing,
    Repeated,
}

impl Curve {
    pub(super) fn new(place: u64, values: Vec<u64>) -> Self {
        Self { places: vec![place], differences: vec![values] }
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn add(&mut self, modulus: &Modulus, place: u64, mut values: Vec<u64>) -> Added {
        for (&other, differences) in self.places.iter().zip(&self.differences) {
            let distance = modulus.minus(place, other);
            if distance == 0 {
                return Added::Repeated;
            }
            let inverse = modulus.invert(distance);
            for (value, &difference) in values.iter_mut().zip(differences) {
                *value = modulus.times(modulus.minus(*value, difference), inverse);
            }
        }
        if values.iter().all(|&value| value == 0) {
            return Added::Nothing;
        }
        self.places.push(place);
        self.differences.push(values);
        Added::Changed
    }

    /// The coefficients of the polynomials.
    pub(super) fn finish(&self, modulus: &Modulus) -> Vec<Line> {
        let count = self.differences[0].len();
        let one = |i: usize| {
            let mut line: Line = Vec::with_capacity(self.len());
            for (&place, differences) in self.places.iter().zip(&self.differences).rev() {
                // line (x − place) + difference
                line.push(0);
                for k in (0..line.len()).rev() {
                    let below = if k > 0 { line[k - 1] } else { differences[i] };
                    line[k] = modulus.minus(below, modulus.times(place, line[k]));
                }
            }
            line
        };
        (0..count).map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holonom_random::Random;

    /// Horner's scheme.
    fn value(m: &Modulus, line: &[u64], x: u64) -> u64 {
        line.iter().rev().fold(0, |sum, &c| m.plus(m.times(sum, x), c))
    }

    #[test]
    fn a_curve_goes_through_its_points() {
        let m = Modulus::first();
        let mut random = Random::new(4);
        let line: Line = (0..6).map(|_| m.random(&mut random)).collect();
        let mut curve = Curve::new(m.one, vec![value(&m, &line, m.one)]);
        loop {
            let place = m.random(&mut random);
            match curve.add(&m, place, vec![value(&m, &line, place)]) {
                Added::Changed => assert!(curve.len() <= 6),
                Added::Nothing => break,
                Added::Repeated => panic!("two places in 2⁶² are equal"),
            }
        }
        assert_eq!(curve.finish(&m), [line]);
    }

    #[test]
    fn coefficients_follow_from_powers() {
        let m = Modulus::first();
        let mut random = Random::new(5);
        let mut draw = || (0..7).map(|_| m.random(&mut random)).collect::<Vec<u64>>();
        let (nodes, coefficients) = (draw(), draw());
        let sum = |s: u64| {
            let terms = nodes.iter().zip(&coefficients).map(|(&v, &c)| m.times(c, m.power(v, s)));
            terms.fold(0, |a, b| m.plus(a, b))
        };
        let sums: Vec<u64> = (1..=7).map(sum).collect();
        let sums = [sums];
        assert_eq!(powers_of_nodes(&m, &nodes, &sums), Some(vec![coefficients]));
        assert_eq!(powers_of_nodes(&m, &[m.one, m.one], &sums), None);
    }
}
