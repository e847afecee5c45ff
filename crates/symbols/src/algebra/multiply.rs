//! Products of polynomials, and the packed exponents that make them quick.
//!
//! All exponents of a term are packed into one number, the greatest variable in the highest bits, as wide as the
//! degrees of the result require: a product of terms is then a sum of numbers, and their order is the order of the
//! terms. Where 512 bits are not enough the exponents stay as they are.

use super::budget::{Budget, Exhausted};
use super::integer::{Integer, Sum};
use super::polynomial::{Polynomial, union};

/// The exponents of a term, packed.
pub(super) trait Key: Clone + Ord {
    fn pack(layout: &Layout, exponents: &[u32]) -> Self;
    fn unpack(&self, layout: &Layout, exponents: &mut Vec<u32>);
    fn times(&self, other: &Self) -> Self;
    /// The quotient, if no exponent is greater in `other`. `guard` is [`Layout::guard`].
    fn over(&self, other: &Self, guard: &Self) -> Option<Self>;
    fn mix(&self) -> u64;
}

/// Where each exponent is found.
pub(super) struct Layout {
    /// Number of the word from the top, shift in it, and width with the guard bit.
    fields: Vec<(usize, u32, u32)>,
    words: usize,
}

/// How wide a packed term is.
pub(super) enum Width {
    One,
    Two,
    Eight,
    Any,
}

impl Layout {
    /// For exponents up to these degrees, with one more bit each, which shows whether a difference is negative.
    pub(super) fn new(degrees: &[u32]) -> Self {
        let widths: Vec<u32> = degrees.iter().map(|d| 33 - d.leading_zeros()).collect();
        let mut fields = Vec::with_capacity(widths.len());
        let (mut word, mut used) = (0, 0);
        for width in widths {
            if used + width > 64 {
                (word, used) = (word + 1, 0);
            }
            used += width;
            fields.push((word, 64 - used, width));
        }
        // An exponent that has no room for its guard bit is not packed.
        let words = if degrees.iter().any(|&degree| degree > i32::MAX as u32) { usize::MAX } else { word + 1 };
        Self { fields, words }
    }

    pub(super) fn width(&self) -> Width {
        match self.words {
            1 => Width::One,
            2 => Width::Two,
            3..=8 => Width::Eight,
            _ => Width::Any,
        }
    }

    /// The guard bits of all exponents.
    pub(super) fn guard<K: Key>(&self) -> K {
        let guard: Vec<u32> =
            self.fields.iter().map(|&(_, _, width)| 1u32.checked_shl(width - 1).unwrap_or(0)).collect();
        K::pack(self, &guard)
    }

    pub(super) fn pack_all<K: Key>(&self, rows: &[u32]) -> Vec<K> {
        rows.chunks_exact(self.fields.len()).map(|row| K::pack(self, row)).collect()
    }

    pub(super) fn unpack_all<'a, K: Key + 'a>(&self, keys: impl ExactSizeIterator<Item = &'a K>) -> Vec<u32> {
        let mut rows = Vec::with_capacity(keys.len() * self.fields.len());
        for key in keys {
            key.unpack(self, &mut rows);
        }
        rows
    }
}

/// Spreads packed exponents, which fill the high bits first, over all bits.
fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash.rotate_left(29) ^ word) * 0x9e37_79b9_7f4a_7c15;
    (product >> 64) as u64 ^ product as u64
}

macro_rules! words {
    ($count:literal) => {
        impl Key for [u64; $count] {
            fn pack(layout: &Layout, exponents: &[u32]) -> Self {
                let mut key = [0; $count];
                for (&(word, shift, _), &exponent) in layout.fields.iter().zip(exponents) {
                    key[word] |= u64::from(exponent) << shift;
                }
                key
            }
            fn unpack(&self, layout: &Layout, exponents: &mut Vec<u32>) {
                let field = |&(word, shift, width): &(usize, u32, u32)| self[word] >> shift & ((1 << width) - 1);
                exponents.extend(layout.fields.iter().map(|f| field(f) as u32));
            }
            fn times(&self, other: &Self) -> Self {
                std::array::from_fn(|i| self[i] + other[i])
            }
            fn over(&self, other: &Self, guard: &Self) -> Option<Self> {
                let mut quotient = [0; $count];
                for i in 0..$count {
                    let difference = (self[i] | guard[i]) - other[i];
                    if difference & guard[i] != guard[i] {
                        return None;
                    }
                    quotient[i] = difference ^ guard[i];
                }
                Some(quotient)
            }
            fn mix(&self) -> u64 {
                self.iter().fold(0, |hash, &word| mix(hash, word))
            }
        }
    };
}
words!(1);
words!(2);
words!(8);

impl Key for Box<[u32]> {
    fn pack(_: &Layout, exponents: &[u32]) -> Self {
        exponents.into()
    }
    fn unpack(&self, _: &Layout, exponents: &mut Vec<u32>) {
        exponents.extend_from_slice(self);
    }
    fn times(&self, other: &Self) -> Self {
        self.iter().zip(other).map(|(a, b)| a + b).collect()
    }
    fn over(&self, other: &Self, _: &Self) -> Option<Self> {
        self.iter().zip(other).map(|(a, b)| a.checked_sub(*b)).collect()
    }
    fn mix(&self) -> u64 {
        self.iter().fold(0, |hash, &word| mix(hash, u64::from(word)))
    }
}

/// Calls a function that is generic in the packed terms with the narrowest that do.
macro_rules! with_width {
    ($layout:expr, $function:ident, $($argument:expr),*) => {
        match $layout.width() {
            $crate::algebra::multiply::Width::One => $function::<[u64; 1]>($($argument),*),
            $crate::algebra::multiply::Width::Two => $function::<[u64; 2]>($($argument),*),
            $crate::algebra::multiply::Width::Eight => $function::<[u64; 8]>($($argument),*),
            $crate::algebra::multiply::Width::Any => $function::<Box<[u32]>>($($argument),*),
        }
    };
}
pub(super) use with_width;

impl Polynomial {
    /// The product.
    pub fn multiply(&self, other: &Self, budget: &Budget) -> Result<Self, Exhausted> {
        if self.is_zero() || other.is_zero() {
            return Ok(Self::zero());
        }
        let (few, many) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        let words = few.words() * many.words();
        if few.is_constant() {
            budget.spend(many.len() as u64 * words)?;
            return Ok(many.scale(&few.coefficients()[0]));
        }
        let variables = union(few.variables(), many.variables());
        let degrees: Option<Vec<u32>> = variables.iter().map(|&v| few.degree(v).checked_add(many.degree(v))).collect();
        let degrees = degrees.ok_or(Exhausted::TOO_LARGE)?;
        if few.len() == 1 {
            budget.spend(many.len() as u64 * words)?;
            budget.room(many.len(), variables.len())?;
            let by = few.rows_in(&variables);
            let mut rows = many.rows_in(&variables).into_owned();
            for row in rows.chunks_exact_mut(variables.len()) {
                row.iter_mut().zip(by.iter()).for_each(|(exponent, by)| *exponent += by);
            }
            let coefficients = many.coefficients().iter().map(|c| c * &few.coefficients()[0]).collect();
            return Ok(Self::from_sorted(variables, rows, coefficients));
        }
        let layout = Layout::new(&degrees);
        with_width!(layout, product, few, many, variables, &layout, budget)
    }

    /// The power. Powers of a sum go by repeated multiplication with it, which is best where it is sparse.
    pub fn power(&self, exponent: u32, budget: &Budget) -> Result<Self, Exhausted> {
        match (exponent, self.len()) {
            (0, _) => Ok(Self::one()),
            (1, _) => Ok(self.clone()),
            (_, 0) => Ok(Self::zero()),
            (_, 1) => {
                let coefficient = &self.coefficients()[0];
                if coefficient.bits() > 1 {
                    let bits = coefficient.bits() as u64 * u64::from(exponent);
                    budget.room((bits / 64) as usize, 0)?;
                    budget.spend(bits.saturating_mul(bits) / 4096)?;
                }
                let rows: Option<Vec<u32>> = self.row(0).iter().map(|e| e.checked_mul(exponent)).collect();
                let rows = rows.ok_or(Exhausted::TOO_LARGE)?;
                Ok(Self::from_sorted(self.variables().to_vec(), rows, vec![coefficient.power(exponent)]))
            }
            _ => {
                let mut power = self.clone();
                for _ in 1..exponent {
                    power = power.multiply(self, budget)?;
                }
                Ok(power)
            }
        }
    }
}

fn product<K: Key>(
    few: &Polynomial,
    many: &Polynomial,
    variables: Vec<u32>,
    layout: &Layout,
    budget: &Budget,
) -> Result<Polynomial, Exhausted> {
    let left = layout.pack_all::<K>(&few.rows_in(&variables));
    let right = layout.pack_all::<K>(&many.rows_in(&variables));
    let (words, wide) = (few.words() * many.words(), (few.words() + many.words()) as usize);
    let mut table = Table::new(many.len() * 2);
    for (key, a) in left.iter().zip(few.coefficients()) {
        budget.spend(many.len() as u64 * words)?;
        budget.room(table.entries.len() * 2, variables.len() + 2 * wide)?;
        for (other, b) in right.iter().zip(many.coefficients()) {
            table.entry(key.times(other)).add_product(a, b);
        }
    }
    let mut entries = table.entries;
    entries.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
    let (mut keys, mut coefficients) = (Vec::with_capacity(entries.len()), Vec::with_capacity(entries.len()));
    for (key, sum) in entries {
        let coefficient = sum.finish();
        if coefficient != Integer::ZERO {
            keys.push(key);
            coefficients.push(coefficient);
        }
    }
    Ok(Polynomial::from_sorted(variables, layout.unpack_all(keys.iter()), coefficients))
}

/// Sums by packed term: open addressing over a list of entries.
struct Table<K> {
    slots: Vec<u32>,
    entries: Vec<(K, Sum)>,
}

const EMPTY: u32 = u32::MAX;

impl<K: Key> Table<K> {
    fn new(expected: usize) -> Self {
        Self { slots: vec![EMPTY; (expected * 2).next_power_of_two()], entries: Vec::with_capacity(expected) }
    }

    fn entry(&mut self, key: K) -> &mut Sum {
        if self.entries.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = key.mix() as usize & mask;
        loop {
            match self.slots[slot] {
                EMPTY => {
                    self.slots[slot] = self.entries.len() as u32;
                    self.entries.push((key, Sum::default()));
                    let last = self.entries.len() - 1;
                    return &mut self.entries[last].1;
                }
                found if self.entries[found as usize].0 == key => return &mut self.entries[found as usize].1,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        self.slots = vec![EMPTY; size];
        for (i, (key, _)) in self.entries.iter().enumerate() {
            let mut slot = key.mix() as usize & (size - 1);
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = i as u32;
        }
    }
}
