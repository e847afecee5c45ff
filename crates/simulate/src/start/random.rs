//! The same numbers in every run, for states around the start.

use holonom_random::Random;

/// The numbers of a seed, apart from those that tests draw with the same seed.
pub(crate) fn seeded(seed: u64) -> Random {
    Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
}
