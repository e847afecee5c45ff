//! Random numbers that are the same on every machine: one generator for the library and for all tests.
//!
//! ```
//! use holonom_random::Random;
//!
//! let mut random = Random::new(7);
//! let (index, x) = (random.index(10), random.uniform(2.0, 3.0));
//! assert!(index < 10 && (2.0..3.0).contains(&x));
//! assert_eq!(Random::new(7).index(10), index, "a seed gives its numbers again");
//! ```

/// Steele, Lea and Flood's SplitMix64. A seed stands for its stream wherever it is used: lists of seeds keep their meaning.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream that belongs to a seed. Neighbouring seeds give unrelated streams.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// An index from 0 to `count − 1`.
    pub fn index(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// A count from `least` to `most`, both included.
    pub fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.index(most - least + 1)
    }

    /// True in `part` of `whole` cases.
    pub fn chance(&mut self, part: usize, whole: usize) -> bool {
        self.index(whole) < part
    }

    /// One of the things.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.index(from.len())]
    }

    /// An integer from −`most` to `most`.
    pub fn integer(&mut self, most: usize) -> f64 {
        self.index(2 * most + 1) as f64 - most as f64
    }

    /// Integers from −`most` to `most`.
    pub fn integers(&mut self, count: usize, most: usize) -> Vec<f64> {
        (0..count).map(|_| self.integer(most)).collect()
    }

    /// A power of two with an exponent from −`most` to `most`.
    pub fn power(&mut self, most: usize) -> f64 {
        2f64.powi(self.integer(most) as i32)
    }

    /// Uniform in [−1, 1), with all its digits.
    pub fn real(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2f64.powi(-52) - 1.0
    }

    /// Uniform between two numbers, the first included.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// A multiple of 1/8 in [−1, 1]: sums and products of a few of these are exact.
    pub fn eighth(&mut self) -> f64 {
        self.index(17) as f64 / 8.0 - 1.0
    }

    /// Uniform reals.
    pub fn reals(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.real()).collect()
    }

    /// The numbers from 0 to `count − 1` in random order.
    pub fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for i in (1..count).rev() {
            order.swap(i, self.index(i + 1));
        }
        order
    }
}

#[test]
fn the_published_numbers_come_out() {
    let mut random = Random::new(1234567);
    assert_eq!(random.bits(), 6457827717110365317);
    assert_eq!(random.bits(), 3203168211198807973);
}
