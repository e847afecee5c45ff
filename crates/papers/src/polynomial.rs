//! Polynomials in t, q, q̇ and q̈: random constraints, as text of the model language and as power series in time.

use holonom::mechanics::derive::Equations;
use holonom::symbols::expr::{Id, Symbol};
use holonom_random::Random;

/// Coefficients and, for each, the factors as places in (t, q₁ …, q̇₁ …, q̈₁ …). No coefficient is negative, so that
/// no term cancels another.
#[derive(Clone, Debug)]
pub(crate) struct Polynomial(pub(crate) Vec<(f64, Vec<usize>)>);

impl Polynomial {
    /// Three to five terms with up to three factors from these places.
    pub(crate) fn draw(random: &mut Random, places: &[usize]) -> Self {
        let term = |random: &mut Random| {
            let degree = 1 + random.index(3);
            (coefficient(random), (0..degree).map(|_| places[random.index(places.len())]).collect())
        };
        Self((0..3 + random.index(3)).map(|_| term(random)).collect())
    }

    /// Terms with one factor from the first places, and none or one from the others.
    pub(crate) fn linear(random: &mut Random, first: &[usize], others: &[usize]) -> Self {
        let term = |&place: &usize| {
            let mut factors = vec![place];
            factors.extend((random.index(3) > 0).then(|| others[random.index(others.len())]));
            (coefficient(random), factors)
        };
        Self(first.iter().map(term).collect())
    }

    pub(crate) fn scaled(&self, factor: f64) -> Self {
        Self(self.0.iter().map(|(c, factors)| (factor * c, factors.clone())).collect())
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self([self.0.clone(), other.0.clone()].concat())
    }

    /// Its derivative with respect to time, for n coordinates.
    pub(crate) fn rate(&self, n: usize) -> Self {
        let mut terms = Vec::new();
        for (c, factors) in &self.0 {
            for which in 0..factors.len() {
                let mut factors = factors.clone();
                match factors[which] {
                    0 => drop(factors.remove(which)),
                    place => factors[which] = place + n,
                }
                terms.push((*c, factors));
            }
        }
        Self(terms)
    }

    pub(crate) fn contains_time(&self) -> bool {
        self.0.iter().any(|(_, factors)| factors.contains(&0))
    }

    /// In the language of models.
    pub(crate) fn text(&self, n: usize) -> String {
        let name = |place: usize| match place.checked_sub(1) {
            None => "t".to_string(),
            Some(place) => format!("q{}{}", place % n + 1, ["", "'", "''"][place / n]),
        };
        let term = |(c, factors): &(f64, Vec<usize>)| {
            factors.iter().fold(format!("{c}"), |text, &place| format!("{text}*{}", name(place)))
        };
        self.0.iter().map(term).collect::<Vec<_>>().join(" + ")
    }

    /// As a power series in time, up to the second power, for places that are such series.
    pub(crate) fn series(&self, places: &[[f64; 3]]) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for (c, factors) in &self.0 {
            let term = factors.iter().fold([*c, 0.0, 0.0], |x, &place| {
                let y = places[place];
                [x[0] * y[0], x[0] * y[1] + x[1] * y[0], x[0] * y[2] + x[1] * y[1] + x[2] * y[0]]
            });
            (0..3).for_each(|i| sum[i] += term[i]);
        }
        sum
    }
}

fn coefficient(random: &mut Random) -> f64 {
    random.eighth() + 1.25
}

/// A state at one time: t, q, q̇ and q̈ as numbers.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) time: f64,
    pub(crate) positions: Vec<f64>,
    pub(crate) velocities: Vec<f64>,
    pub(crate) accelerations: Vec<f64>,
}

impl State {
    pub(crate) fn draw(random: &mut Random, n: usize) -> Self {
        let mut vector = || (0..n).map(|_| random.uniform(-1.0, 1.0)).collect::<Vec<f64>>();
        Self { time: 0.3, positions: vector(), velocities: vector(), accelerations: vector() }
    }

    /// The places of polynomials as power series along q + q̇ t + q̈ t²/2.
    pub(crate) fn places(&self) -> Vec<[f64; 3]> {
        let (q, v, a) = (&self.positions, &self.velocities, &self.accelerations);
        let n = q.len();
        let mut places = vec![[self.time, 1.0, 0.0]];
        places.extend((0..n).map(|i| [q[i], v[i], a[i] / 2.0]));
        places.extend((0..n).map(|i| [v[i], a[i], 0.0]));
        places.extend((0..n).map(|i| [a[i], 0.0, 0.0]));
        places
    }
}

/// The value of an expression at a state.
pub(crate) fn evaluate(equations: &Equations, state: &State, id: Id) -> f64 {
    let at = |values: &[f64], i: u32| values[i as usize];
    equations.graph.evaluate(&[id], |symbol| match symbol {
        Symbol::Time => state.time,
        Symbol::Position(i) => at(&state.positions, i),
        Symbol::Velocity(i) => at(&state.velocities, i),
        Symbol::Acceleration(i) => at(&state.accelerations, i),
        _ => f64::NAN,
    })[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::seeded;

    /// The written derivative is the second coefficient of the series.
    #[test]
    fn rates_are_those_of_the_series() {
        let mut random = seeded(3);
        for n in 1..5 {
            let all = Polynomial::draw(&mut random, &(0..=n).collect::<Vec<_>>());
            let state = State::draw(&mut random, n);
            let [_, rate, _] = all.series(&state.places());
            let [written, ..] = all.rate(n).series(&state.places());
            assert!((rate - written).abs() < 1e-13, "{all:?}");
        }
    }

    #[test]
    fn text_of_the_language() {
        let all = Polynomial(vec![(0.5, vec![0, 1]), (2.0, vec![4, 6])]);
        assert_eq!(all.text(2), "0.5*t*q1 + 2*q2'*q2''");
    }
}
