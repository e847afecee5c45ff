//! Arithmetic with expressions whose values at a few admissible states are carried along.
//!
//! The same elimination serves exact rational functions ([`super::exact`]) and expressions of the graph with names for
//! what grows ([`super::plain`]). Whether an entry may be divided by is a question about admissible states, not about
//! symbols: `y1 - y0` is no zero, but where a constraint says `y1 = y0` it must not become a pivot. So every
//! entry knows its value at some of those states, with a bound on rounding and on what the states miss the constraints by.

use holonom_elementary as elementary;
use holonom_symbols::algebra::Exhausted;
use holonom_symbols::expr::{Function, Graph, Id};

/// Expressions that can be added, multiplied and divided.
pub(super) trait Arithmetic {
    /// An expression.
    type Value: Clone;
    /// Whether what vanishes at all states is taken as zero, since there is no better way to tell.
    const TRUSTS_NUMBERS: bool;

    fn read(&mut self, id: Id) -> Result<Self::Value, Exhausted>;
    /// Expressions that are read together, so that they look alike.
    fn write(&mut self, values: &[Self::Value]) -> Result<Vec<Id>, Exhausted>;
    fn graph(&mut self) -> &mut Graph;
    fn zero(&self) -> Self::Value;
    fn one(&self) -> Self::Value;
    fn negate(&mut self, a: &Self::Value) -> Result<Self::Value, Exhausted>;
    fn multiply(&mut self, a: &Self::Value, b: &Self::Value) -> Result<Self::Value, Exhausted>;
    fn divide(&mut self, a: &Self::Value, b: &Self::Value) -> Result<Self::Value, Exhausted>;
    /// Σ aᵢbᵢ.
    fn dot(&mut self, terms: &[(&Self::Value, &Self::Value)]) -> Result<Self::Value, Exhausted>;
    /// Whether it is zero for certain.
    fn is_zero(&self, a: &Self::Value) -> bool;
    /// Whether it has a value other than zero at all states, for certain.
    fn never_vanishes(&self, a: &Self::Value) -> bool;
    /// How long it is.
    fn size(&self, a: &Self::Value) -> usize;
    /// Values of expressions of the graph at the states of the shadow.
    fn values(&self, ids: &[Id]) -> Vec<Vec<f64>>;
    /// What those values may be off by.
    fn noise(&self, ids: &[Id]) -> Vec<Vec<f64>>;
    /// A form that has the same values wherever the constraints are met, perhaps shorter; `thorough` where it is to be read.
    fn on_constraints(&mut self, a: Self::Value, thorough: bool) -> Result<Self::Value, Exhausted> {
        let _ = thorough;
        Ok(a)
    }
    /// The direction of a slip of one component: its sign, or a name for it.
    fn direction(&mut self, slip: Id) -> Id {
        self.graph().call(Function::Sign, slip)
    }
    /// Factors that contain parameters alone, where factors can be found.
    fn fixed_factors(&mut self, a: &Self::Value) -> Result<Vec<Id>, Exhausted> {
        let _ = a;
        Ok(Vec::new())
    }
}

/// A number and what rounding may have left of a zero in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shadow {
    pub(super) value: f64,
    pub(super) noise: f64,
}

/// No more than this part of the largest term of a sum is taken for noise, however long the way to it was.
const NOISE: f64 = 1e-10;

impl Shadow {
    /// Whether it cannot be told from zero.
    fn is_zero(self) -> bool {
        self.value.abs() <= 64.0 * self.noise
    }

    fn times(self, other: Self) -> Self {
        let noise = elementary::hypot(self.value * other.noise, other.value * self.noise);
        Self { value: self.value * other.value, noise }
    }

    fn over(self, other: Self) -> Self {
        let value = self.value / other.value;
        Self { value, noise: elementary::hypot(self.noise, value * other.noise) / other.value.abs() }
    }

    /// The sum of some.
    fn sum(terms: impl Iterator<Item = Self>) -> Self {
        let (mut value, mut squares, mut largest, mut zero) = (0.0, 0.0, 0.0_f64, true);
        for term in terms {
            value += term.value;
            squares += term.noise * term.noise;
            largest = largest.max(term.value.abs());
            zero &= term.is_zero();
        }
        let noise = f64::sqrt(squares).max(f64::EPSILON * largest);
        // A sum of zeros is zero, whatever their noise.
        Self { value, noise: if zero { noise } else { noise.min(NOISE * largest) } }
    }
}

/// An expression with its values.
#[derive(Clone, Debug)]
pub(super) struct Entry<V> {
    pub(super) value: V,
    pub(super) at: Vec<Shadow>,
}

impl<V> Entry<V> {
    /// Whether it vanishes at all states, as far as numbers tell.
    pub(super) fn vanishes(&self) -> bool {
        self.at.iter().all(|shadow| shadow.is_zero())
    }

    /// Its largest magnitude.
    fn magnitude(&self, state: usize) -> f64 {
        self.at[state].value.abs()
    }
}

/// Arithmetic on entries.
pub(super) struct Calculator<A: Arithmetic> {
    pub(super) inner: A,
    /// How many states there are, and how many of them, the last ones, are far from the start.
    states: usize,
    far: usize,
}

/// Two factors of a product.
pub(super) type Pair<'a, V> = (&'a Entry<V>, &'a Entry<V>);

/// A matrix, by rows.
pub(super) type Rows<V> = Vec<Vec<Entry<V>>>;

impl<A: Arithmetic> Calculator<A> {
    pub(super) fn new(inner: A, states: usize) -> Self {
        Self { inner, states, far: 0 }
    }

    /// The same where the last states say only what is zero.
    pub(super) fn with_far(inner: A, states: usize, far: usize) -> Self {
        Self { inner, states, far }
    }

    /// Reads expressions that are measured by the largest of them, such as a row of A.
    pub(super) fn read(&mut self, ids: &[Id]) -> Result<Vec<Entry<A::Value>>, Exhausted> {
        let values = self.inner.values(ids);
        let noises = self.inner.noise(ids);
        let scale: Vec<f64> = values
            .iter()
            .map(|values| values.iter().filter(|x| x.is_finite()).fold(0.0, |m: f64, x| m.max(x.abs())))
            .collect();
        let entries = ids.iter().enumerate().map(|(i, &id)| {
            let at = (0..self.states).map(|s| {
                let value = values[s][i];
                // States meet the constraints to 1e-12, and expressions are rounded a few times.
                let noise = 1e-14 * value.abs() + 1e-13 * scale[s] + noises[s][i];
                let noise = if id == Id::ZERO { 0.0 } else { noise };
                Shadow { value, noise }
            });
            Ok(Entry { value: self.inner.read(id)?, at: at.collect() })
        });
        entries.collect()
    }

    /// Writes entries down.
    pub(super) fn write(&mut self, entries: &[Entry<A::Value>]) -> Result<Vec<Id>, Exhausted> {
        let values: Vec<A::Value> = entries.iter().map(|entry| entry.value.clone()).collect();
        self.inner.write(&values)
    }

    pub(super) fn zero(&self) -> Entry<A::Value> {
        self.constant(self.inner.zero(), 0.0)
    }

    pub(super) fn one(&self) -> Entry<A::Value> {
        self.constant(self.inner.one(), 1.0)
    }

    fn constant(&self, value: A::Value, number: f64) -> Entry<A::Value> {
        Entry { value, at: vec![Shadow { value: number, noise: 0.0 }; self.states] }
    }

    /// Whether an entry is zero for certain.
    pub(super) fn is_zero(&self, a: &Entry<A::Value>) -> bool {
        self.inner.is_zero(&a.value)
    }

    fn settle(&self, value: A::Value, at: Vec<Shadow>, cancels: bool) -> Entry<A::Value> {
        let gone = cancels && A::TRUSTS_NUMBERS && at.iter().all(|shadow| shadow.is_zero());
        if gone || self.inner.is_zero(&value) { self.zero() } else { Entry { value, at } }
    }

    pub(super) fn negate(&mut self, a: &Entry<A::Value>) -> Result<Entry<A::Value>, Exhausted> {
        let at = a.at.iter().map(|x| Shadow { value: -x.value, noise: x.noise }).collect();
        Ok(Entry { value: self.inner.negate(&a.value)?, at })
    }

    pub(super) fn multiply(&mut self, a: &Entry<A::Value>, b: &Entry<A::Value>) -> Result<Entry<A::Value>, Exhausted> {
        if self.is_zero(a) || self.is_zero(b) {
            return Ok(self.zero());
        }
        let at = a.at.iter().zip(&b.at).map(|(x, y)| x.times(*y)).collect();
        Ok(Entry { value: self.inner.multiply(&a.value, &b.value)?, at })
    }

    pub(super) fn divide(&mut self, a: &Entry<A::Value>, b: &Entry<A::Value>) -> Result<Entry<A::Value>, Exhausted> {
        if self.is_zero(a) {
            return Ok(self.zero());
        }
        let at = a.at.iter().zip(&b.at).map(|(x, y)| x.over(*y)).collect();
        Ok(Entry { value: self.inner.divide(&a.value, &b.value)?, at })
    }

    /// Σ aᵢbᵢ.
    pub(super) fn dot(&mut self, terms: &[Pair<'_, A::Value>]) -> Result<Entry<A::Value>, Exhausted> {
        let terms: Vec<_> = terms.iter().filter(|(a, b)| !self.is_zero(a) && !self.is_zero(b)).collect();
        if terms.is_empty() {
            return Ok(self.zero());
        }
        let at = (0..self.states).map(|s| Shadow::sum(terms.iter().map(|(a, b)| a.at[s].times(b.at[s])))).collect();
        let plain: Vec<_> = terms.iter().map(|(a, b)| (&a.value, &b.value)).collect();
        let value = self.inner.dot(&plain)?;
        Ok(self.settle(value, at, terms.len() > 1))
    }

    pub(super) fn add(&mut self, a: &Entry<A::Value>, b: &Entry<A::Value>) -> Result<Entry<A::Value>, Exhausted> {
        let one = self.one();
        self.dot(&[(a, &one), (b, &one)])
    }

    pub(super) fn subtract(&mut self, a: &Entry<A::Value>, b: &Entry<A::Value>) -> Result<Entry<A::Value>, Exhausted> {
        if self.is_zero(b) {
            return Ok(a.clone());
        }
        let one = self.one();
        let minus = self.negate(&one)?;
        self.dot(&[(a, &one), (b, &minus)])
    }

    /// With what is known of admissible states put in.
    pub(super) fn on_constraints(&mut self, a: Entry<A::Value>) -> Result<Entry<A::Value>, Exhausted> {
        let value = self.inner.on_constraints(a.value, false)?;
        Ok(self.settle(value, a.at, false))
    }

    /// The shortest forms on the constraints.
    pub(super) fn shortest(&mut self, list: Vec<Entry<A::Value>>) -> Result<Vec<Entry<A::Value>>, Exhausted> {
        let short = |entry: Entry<A::Value>| {
            let value = self.inner.on_constraints(entry.value, true)?;
            Ok(self.settle(value, entry.at, false))
        };
        list.into_iter().map(short).collect()
    }

    /// The scalar product of two lists.
    pub(super) fn product(
        &mut self,
        a: &[Entry<A::Value>],
        b: &[Entry<A::Value>],
    ) -> Result<Entry<A::Value>, Exhausted> {
        let terms: Vec<_> = a.iter().zip(b).collect();
        self.dot(&terms)
    }

    /// A matrix times a vector.
    pub(super) fn apply(
        &mut self,
        rows: &[Vec<Entry<A::Value>>],
        x: &[Entry<A::Value>],
    ) -> Result<Vec<Entry<A::Value>>, Exhausted> {
        rows.iter().map(|row| self.product(row, x)).collect()
    }

    /// A transposed matrix times a vector.
    pub(super) fn apply_transposed(
        &mut self,
        rows: &[Vec<Entry<A::Value>>],
        x: &[Entry<A::Value>],
        columns: usize,
    ) -> Result<Vec<Entry<A::Value>>, Exhausted> {
        (0..columns)
            .map(|c| {
                let terms: Vec<_> = rows.iter().zip(x).map(|(row, x)| (&row[c], x)).collect();
                self.dot(&terms)
            })
            .collect()
    }

    /// How far from zero an entry stays, beside the largest of its row, and at how many states it vanishes; nothing where
    /// it vanishes at all.
    pub(super) fn strength(&self, entry: &Entry<A::Value>, row: &[Entry<A::Value>]) -> Option<(usize, f64)> {
        if self.is_zero(entry) {
            return None;
        }
        let (mut zeros, mut least) = (0, f64::INFINITY);
        let near = self.states - self.far;
        for s in 0..near {
            let shadow = entry.at[s];
            if shadow.is_zero() || !shadow.value.is_finite() {
                zeros += 1;
                continue;
            }
            let largest = row.iter().fold(0.0, |m: f64, other| m.max(other.magnitude(s)));
            least = least.min(shadow.value.abs() / largest);
        }
        (2 * zeros < near).then_some((zeros, least))
    }
}
