use super::numeric::Values;
use super::pattern::Pattern;
#[derive(Clone, Debug)]
pub(super) struct BandPlan;
impl BandPlan {
    pub(super) fn new(_: &Pattern) -> Option<Self> {
        None
    }
    pub(super) fn half_width(&self) -> usize {
        0
    }
}
#[derive(Clone, Debug, Default)]
pub(super) struct Band;
impl Band {
    pub(super) fn factor(&mut self, _: &BandPlan, _: &Pattern, _: Values) -> Option<f64> {
        None
    }
    #[allow(clippy::too_many_arguments)]
    pub(super) fn solve(
        &mut self,
        _: &BandPlan,
        _: &Pattern,
        _: Values,
        _: &[f64],
        _: &[f64],
        _: &mut [f64],
        _: &mut [f64],
    ) -> Option<f64> {
        None
    }
}
