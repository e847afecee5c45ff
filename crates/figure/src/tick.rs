//! Axes: the range of the data, and marks at round numbers with labels that do not run into each other.

use crate::font;
use holonom_elementary as elementary;

/// Size of the numbers at an axis, in pixels.
pub(crate) const NUMBER_SIZE: f64 = 11.0;

/// Beyond these, values are treated as zero or as the bound: no arithmetic of an axis can then overflow.
const TINY: f64 = 1e-280;
const HUGE: f64 = 1e280;

/// A range whose span is below this share of its values is drawn as constant: it shows rounding errors only.
const CONSTANT: f64 = 1e-12;

/// A finite number an axis can place, or `None`.
pub(crate) fn tame(v: f64) -> Option<f64> {
    match v {
        v if !v.is_finite() => None,
        v if v.abs() < TINY => Some(0.0),
        v => Some(v.clamp(-HUGE, HUGE)),
    }
}

/// The like for decades: positive numbers only.
pub(crate) fn tame_positive(v: f64) -> Option<f64> {
    tame(v).filter(|v| *v > 0.0)
}

/// A labelled place on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub at: f64,
    pub label: String,
}

/// A range with its ticks.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub lo: f64,
    pub hi: f64,
    pub log: bool,
    pub ticks: Vec<Tick>,
    /// Places without a label.
    pub minor: Vec<f64>,
    /// What all labels have in common, such as `×10³`; empty if nothing.
    pub note: String,
}

/// Which way an axis runs: it decides what makes two labels collide.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Along {
    Horizontal,
    Vertical,
}

impl Axis {
    /// An axis over `lo..=hi` that is `length` pixels long, widened by `margin` (a share of the span) on both sides.
    pub fn linear(range: Option<(f64, f64)>, margin: f64, length: f64, along: Along) -> Axis {
        let (lo, hi) = widen(range.unwrap_or((0.0, 1.0)), margin);
        // A round number just outside becomes the end, as 20 does for samples from 0 to 19.99.
        let slack = 0.004 * (hi - lo);
        let mut count = ((length / 26.0) as i64).clamp(3, 10);
        let mut denser: Option<Axis> = None;
        loop {
            let (ticks, note) = decimal_ticks(lo - slack, hi + slack, count);
            let (first, last) = (ticks.first().map_or(lo, |t| t.at), ticks.last().map_or(hi, |t| t.at));
            let axis = Axis { lo: lo.min(first), hi: hi.max(last), log: false, ticks, minor: Vec::new(), note };
            // On a very short axis wider steps may miss the range: one number is better than none.
            if let Some(mut denser) = denser.take_if(|_| axis.ticks.is_empty()) {
                denser.ticks.truncate(1);
                return denser;
            }
            if count == 1 || axis.has_room(length, along) {
                return axis;
            }
            denser = Some(axis);
            count -= 1;
        }
    }

    /// An axis of whole decades over positive `lo..=hi`.
    pub fn decades(range: Option<(f64, f64)>, length: f64, along: Along) -> Axis {
        let (lo, hi) = range.unwrap_or((0.1, 1.0));
        // Powers of ten as `log10` gives them may be off by a rounding error.
        let first = (elementary::log10(lo) + 1e-9).floor() as i32;
        let last = ((elementary::log10(hi) - 1e-9).ceil() as i32).max(first + 1);
        let decades = last - first;
        let most = ((length / 26.0) as i32).clamp(1, 12);
        let stride = [1, 2, 3, 5, 10, 20, 50, 100, 200].into_iter().find(|s| decades / s <= most).unwrap_or(500);
        let mut axis = Axis {
            lo: f64::from(first),
            hi: f64::from(last),
            log: true,
            ticks: Vec::new(),
            minor: Vec::new(),
            note: String::new(),
        };
        for k in (first..=last).filter(|k| k.rem_euclid(stride) == 0) {
            axis.ticks.push(Tick { at: f64::from(k), label: power_of_ten(k) });
        }
        if stride == 1 && length / f64::from(decades) > 30.0 {
            let parts = |k| (2..10).map(move |m| f64::from(k) + elementary::log10(f64::from(m)));
            axis.minor = (first..last).flat_map(parts).collect();
        }
        // A single decade has two labels at most; the quarters between them help to read it.
        if decades == 1 && length > 90.0 && along == Along::Vertical {
            for m in [2, 5] {
                let label = match first {
                    -1..=1 => decimal(m, i64::from(first)),
                    _ => format!("{m}×{}", power_of_ten(first)),
                };
                axis.ticks.push(Tick { at: f64::from(first) + elementary::log10(f64::from(m as i32)), label });
            }
            axis.ticks.sort_by(|a, b| a.at.total_cmp(&b.at));
        }
        axis
    }

    /// Where `v` lies, 0 at the low end and 1 at the high end. `v` must be tame.
    pub fn share(&self, v: f64) -> f64 {
        let v = if self.log { elementary::log10(v) } else { v };
        self.share_of_tick(v)
    }

    /// The like for what [`Tick::at`] and [`Axis::minor`] hold: exponents on an axis of decades.
    pub fn share_of_tick(&self, at: f64) -> f64 {
        (at - self.lo) / (self.hi - self.lo)
    }

    /// The width of the widest label.
    pub fn label_width(&self) -> f64 {
        self.ticks.iter().map(|t| font::width(&t.label, NUMBER_SIZE)).fold(0.0, f64::max)
    }

    fn has_room(&self, length: f64, along: Along) -> bool {
        self.ticks.windows(2).all(|w| {
            let distance = length * (self.share_of_tick(w[1].at) - self.share_of_tick(w[0].at));
            let need = match along {
                Along::Horizontal => {
                    (w.iter().map(|t| font::width(&t.label, NUMBER_SIZE)).sum::<f64>() / 2.0 + NUMBER_SIZE).max(40.0)
                }
                Along::Vertical => 2.2 * NUMBER_SIZE,
            };
            distance >= need
        })
    }
}

/// A range that is not empty, with room around the data.
fn widen((lo, hi): (f64, f64), margin: f64) -> (f64, f64) {
    let largest = lo.abs().max(hi.abs());
    let span = hi - lo;
    if span <= CONSTANT * largest || span == 0.0 {
        let half =
            if largest == 0.0 { 1.0 } else { 0.5 * elementary::powi(10.0, elementary::log10(largest).floor() as i32) };
        let middle = lo / 2.0 + hi / 2.0;
        return (middle - half, middle + half);
    }
    (lo - margin * span, hi + margin * span)
}

/// Ticks at multiples of 1, 2 or 5 times a power of ten, about `count` of them, and what their labels share.
///
/// A tick is an integer `n` times `10^e`, so that labels are exact decimals and never show rounding errors.
fn decimal_ticks(lo: f64, hi: f64, count: i64) -> (Vec<Tick>, String) {
    let rough = (hi - lo) / count as f64;
    let mut e = elementary::log10(rough).floor() as i64;
    let leading = rough / elementary::powi(10.0, e as i32);
    // The next of 1, 2, 5, 10, with some tolerance for what rounding does to 1.0.
    let m = match leading {
        l if l <= 1.0 + 1e-9 => 1,
        l if l <= 2.0 + 1e-9 => 2,
        l if l <= 5.0 + 1e-9 => 5,
        _ => 10,
    };
    let (m, step) = if m == 10 {
        (1, elementary::powi(10.0, e as i32 + 1))
    } else {
        (m, m as f64 * elementary::powi(10.0, e as i32))
    };
    if step >= elementary::powi(10.0, e as i32 + 1) {
        e += 1;
    }
    let first = (lo / step - 1e-6).ceil() as i64;
    let last = (hi / step + 1e-6).floor() as i64;
    let numbers: Vec<i64> = (first..=last.min(first + 40)).map(|i| i * m).collect();
    let largest = numbers.iter().map(|n| n.unsigned_abs()).max().unwrap_or(0);
    let digits = if largest == 0 { 1 } else { i64::from(largest.ilog10()) + 1 };
    // Labels of more than six digits are replaced by their distance from the roundest number near them.
    let base = if digits > 6 { roundest(numbers[0], numbers[numbers.len() - 1]) } else { 0 };
    let shown = |n: i64| n - base;
    let largest = numbers.iter().map(|n| shown(*n).unsigned_abs()).max().unwrap_or(0);
    let magnitude = if largest == 0 { 0 } else { i64::from(largest.ilog10()) + e };
    let common = if (-3..5).contains(&magnitude) && e >= -5 { 0 } else { 3 * magnitude.div_euclid(3) };
    let mut note = if common == 0 { String::new() } else { format!("×{}", power_of_ten(common as i32)) };
    if base != 0 {
        let sign = if base < 0 { '−' } else { '+' };
        note = format!("{note} {sign} {}", scientific(base.unsigned_abs(), e)).trim_start().to_string();
    }
    let ticks = numbers.iter().map(|n| {
        let at = if e < 0 {
            *n as f64 / elementary::powi(10.0, -e as i32)
        } else {
            *n as f64 * elementary::powi(10.0, e as i32)
        };
        Tick { at: at.clamp(lo, hi), label: decimal(shown(*n), e - common) }
    });
    (ticks.collect(), note)
}

/// The number with the most zeros at its end that is at most the distance of `first` and `last` away from them.
fn roundest(first: i64, last: i64) -> i64 {
    let spread = (last - first).max(1);
    let (low, high) = (first - spread, last + spread);
    let zeros = (0..18).rev().map(|z| 10i64.pow(z));
    let multiple = |round: i64| high.div_euclid(round) * round;
    zeros.map(multiple).find(|n| *n >= low).unwrap_or(first)
}

/// `n` times `10^e` written out, with a proper minus sign.
fn decimal(n: i64, e: i64) -> String {
    let sign = if n < 0 { "−" } else { "" };
    let digits = n.unsigned_abs().to_string();
    if n == 0 {
        return "0".to_string();
    }
    if e >= 0 {
        return format!("{sign}{digits}{}", "0".repeat(e as usize));
    }
    let places = -e as usize;
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, part) = digits.split_at(digits.len() - places);
    format!("{sign}{whole}.{part}")
}

/// `n` times `10^e`, without superfluous zeros and with a power of ten if it is far from 1.
fn scientific(n: u64, e: i64) -> String {
    let digits = n.to_string();
    let magnitude = digits.len() as i64 - 1 + e;
    let digits = digits.trim_end_matches('0');
    let kept = digits.len() as i64;
    let number: i64 = digits.parse().unwrap_or(0);
    if (-4..15).contains(&magnitude) {
        return decimal(number, magnitude - (kept - 1));
    }
    format!("{}×{}", decimal(number, 1 - kept), power_of_ten(magnitude as i32))
}

/// A power of ten as it is printed: 0.1, 1, 10 or with a raised exponent.
pub(crate) fn power_of_ten(k: i32) -> String {
    match k {
        0 => "1".to_string(),
        1 => "10".to_string(),
        -1 => "0.1".to_string(),
        _ => {
            let raised = |c: char| match c {
                '-' => '⁻',
                '1' => '¹',
                '2' => '²',
                '3' => '³',
                c => char::from_u32(0x2070 + c.to_digit(10).unwrap_or(0)).unwrap_or('⁰'),
            };
            format!("10{}", k.to_string().chars().map(raised).collect::<String>())
        }
    }
}

/// A short form of any number for text, such as a range in a description: at most four digits.
pub(crate) fn short(v: f64) -> String {
    let Some(v) = tame(v) else { return "–".to_string() };
    if v == 0.0 {
        return "0".to_string();
    }
    let e = elementary::log10(v.abs()).floor() as i32 - 3;
    let n = if e < 0 { v.abs() * elementary::powi(10.0, -e) } else { v.abs() / elementary::powi(10.0, e) }.round();
    format!("{}{}", if v < 0.0 { "−" } else { "" }, scientific(n as u64, i64::from(e)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> String {
        let list: Vec<&str> = axis.ticks.iter().map(|t| t.label.as_str()).collect();
        format!("{} | {}", list.join(" "), axis.note)
    }

    #[test]
    fn ticks_of_nasty_ranges() {
        for (lo, hi, length, want) in [
            (0.0, 10.0, 400.0, "0 2 4 6 8 10 | "),
            (0.0, 1.0, 400.0, "0 0.2 0.4 0.6 0.8 1.0 | "),
            (-1.0, 1.0, 400.0, "−1.0 −0.5 0 0.5 1.0 | "),
            (-0.3, 0.1, 300.0, "−0.3 −0.2 −0.1 0 0.1 | "),
            (0.0, 3e6, 300.0, "0 0.5 1.0 1.5 2.0 2.5 3.0 | ×10⁶"),
            (0.0, 45000.0, 300.0, "0 10000 20000 30000 40000 | "),
            (0.0, 2e-5, 300.0, "0 5 10 15 20 | ×10⁻⁶"),
            (-4e-300, 4e-300, 300.0, "−1.0 −0.5 0 0.5 1.0 | "),
            (-1e280, 1e280, 300.0, "−10 −5 0 5 10 | ×10²⁷⁹"),
            (5.0, 5.0, 400.0, "4.6 4.8 5.0 5.2 5.4 | "),
            (0.0, 0.0, 300.0, "−1.0 −0.5 0 0.5 1.0 | "),
            (9.81, 9.81 + 4e-7, 400.0, "0 50 100 150 200 250 300 350 400 | ×10⁻⁹ + 9.81"),
            (1e9, 1e9 + 4.0, 300.0, "0 1 2 3 4 | + 1000000000"),
            (1.0, 1.0 + 1e-15, 300.0, "0.6 0.8 1.0 1.2 1.4 | "),
        ] {
            let [lo_, hi_] = [lo, hi].map(|v| tame(v).expect("finite"));
            let axis = Axis::linear(Some((lo_, hi_)), 0.0, length, Along::Horizontal);
            assert_eq!(labels(&axis), want, "{lo:e} to {hi:e}");
        }
    }

    #[test]
    fn decades_of_nasty_ranges() {
        for (lo, hi, want) in [
            (1e-12, 1e-4, "10⁻¹² 10⁻¹¹ 10⁻¹⁰ 10⁻⁹ 10⁻⁸ 10⁻⁷ 10⁻⁶ 10⁻⁵ 10⁻⁴ | "),
            (1e-16, 3e-3, "10⁻¹⁶ 10⁻¹⁴ 10⁻¹² 10⁻¹⁰ 10⁻⁸ 10⁻⁶ 10⁻⁴ 10⁻² | "),
            (3.0, 4.0, "1 2 5 10 | "),
            (2e-7, 2e-7, "10⁻⁷ 2×10⁻⁷ 5×10⁻⁷ 10⁻⁶ | "),
            (1e-280, 1e280, "10⁻²⁵⁰ 10⁻²⁰⁰ 10⁻¹⁵⁰ 10⁻¹⁰⁰ 10⁻⁵⁰ 1 10⁵⁰ 10¹⁰⁰ 10¹⁵⁰ 10²⁰⁰ 10²⁵⁰ | "),
        ] {
            assert_eq!(labels(&Axis::decades(Some((lo, hi)), 300.0, Along::Vertical)), want, "{lo} to {hi}");
        }
    }

    /// Labels keep their distance and lie within the axis, for spans of all sizes at offsets of all sizes.
    #[test]
    fn labels_never_collide() {
        for offset in [0.0, 1.0, -7.3, 1234.5, 1e-9, -3e17, 6e279] {
            for exponent in -285..280 {
                for length in [10.0, 90.0, 333.0, 5000.0] {
                    let range = [offset, offset + 3.7 * 10f64.powi(exponent)].map(|v| tame(v).expect("finite"));
                    let axis = Axis::linear(Some((range[0], range[1])), 0.04, length, Along::Horizontal);
                    assert!(axis.ticks.len() < 4 || axis.has_room(length, Along::Horizontal));
                    assert!(axis.lo < axis.hi && (1..30).contains(&axis.ticks.len()), "{range:?}");
                    for t in &axis.ticks {
                        let s = axis.share_of_tick(t.at);
                        assert!((-1e-6..=1.0 + 1e-6).contains(&s), "{range:?}: {t:?} at {s}");
                        assert!(t.label.chars().count() < 11, "{range:?}: {t:?}");
                    }
                    assert!(axis.ticks.windows(2).all(|w| w[0].label != w[1].label), "{range:?} {:?}", axis.ticks);
                }
            }
        }
    }

    #[test]
    fn short_numbers() {
        for (v, want) in [
            (0.0, "0"),
            (-0.25, "−0.25"),
            (1.0 / 3.0, "0.3333"),
            (9.99999, "10"),
            (1e-7, "1×10⁻⁷"),
            (123456.0, "123500"),
            (f64::NAN, "–"),
        ] {
            assert_eq!(short(v), want);
        }
    }
}
