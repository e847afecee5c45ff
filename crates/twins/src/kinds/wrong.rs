use crate::compare::Twins;
use holonom_laws::Random;
pub fn draw(random: &mut Random) -> Twins { super::chain::draw(random, false, 2) }
pub fn draw_spatial(random: &mut Random) -> Twins { super::chain::draw(random, false, 2) }
