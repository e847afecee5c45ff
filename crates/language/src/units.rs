//! Units and dimensions: what may be added to what.

use super::diagnostic::Diagnostic;
use super::syntax::Unit;
use holonom_elementary as elementary;
use std::fmt;

mod table;

pub(crate) use table::{foreign, near};
pub use table::{lookup, suggest};

/// The highest power of a unit that can be written.
pub const LARGEST_POWER: i32 = 60;

/// What a unit is: its dimension, and how many SI units of that dimension it makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitInfo {
    /// Its dimension.
    pub dimension: Dimension,
    /// Its value in SI units.
    pub scale: Scale,
}

impl UnitInfo {
    /// The pure number 1.
    pub const ONE: Self = Self { dimension: Dimension::NUMBER, scale: Scale::ONE };

    /// Whether a model that uses this unit is checked. Pure numbers such as `rad`, `deg` and `%` do not ask for it.
    pub fn switches_checking_on(&self) -> bool {
        !self.dimension.is_number()
    }
}

/// An exact factor: a fraction times a power of π, so that `30 deg` is rounded once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The numerator.
    pub num: i128,
    /// The denominator.
    pub den: i128,
    /// The power of π.
    pub pi: i32,
}

impl Scale {
    /// 1.
    pub const ONE: Self = Self { num: 1, den: 1, pi: 0 };

    /// `num/den · π^pi` in lowest terms; both must be positive.
    pub fn new(num: i128, den: i128, pi: i32) -> Option<Self> {
        if num <= 0 || den <= 0 {
            return None;
        }
        let common = common_divisor(num, den);
        Some(Self { num: num / common, den: den / common, pi })
    }

    /// The product, unless it is beyond what can be kept exactly.
    pub fn times(self, other: Self) -> Option<Self> {
        let (a, b) = (common_divisor(self.num, other.den), common_divisor(other.num, self.den));
        let num = (self.num / a).checked_mul(other.num / b)?;
        let den = (self.den / b).checked_mul(other.den / a)?;
        Self::new(num, den, self.pi.checked_add(other.pi)?)
    }

    /// An integer power, unless it is beyond what can be kept exactly.
    pub fn power(self, power: i32) -> Option<Self> {
        let Self { num, den, pi } = self;
        let (num, den) = if power < 0 { (den, num) } else { (num, den) };
        let count = power.unsigned_abs();
        Some(Self { num: num.checked_pow(count)?, den: den.checked_pow(count)?, pi: pi.checked_mul(power)? })
    }

    /// The nearest number, where numerator and denominator are below 2⁵³ and there is no π; a rounding or two away
    /// otherwise.
    pub fn to_f64(self) -> f64 {
        self.num as f64 / self.den as f64 * elementary::powi(std::f64::consts::PI, self.pi)
    }
}

fn common_divisor(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// Why a unit means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitError {
    /// The factor at this place is no unit.
    Unknown(usize),
    /// The power of this factor is beyond [`LARGEST_POWER`].
    Power(usize),
    /// The factors together are beyond what can be kept exactly.
    TooLarge,
}

/// Puts the factors of a unit together.
///
/// # Errors
///
/// Where a name is no unit, or powers are beyond what anybody means.
pub fn resolve(unit: &Unit) -> Result<UnitInfo, UnitError> {
    let mut all = UnitInfo::ONE;
    for (which, factor) in unit.factors.iter().enumerate() {
        let one = lookup(&factor.name.text).ok_or(UnitError::Unknown(which))?;
        if factor.power.unsigned_abs() > LARGEST_POWER.unsigned_abs() {
            return Err(UnitError::Power(which));
        }
        let more = (one.dimension.power(factor.power, 1), one.scale.power(factor.power));
        let (Some(dimension), Some(scale)) = more else { return Err(UnitError::TooLarge) };
        let together = (all.dimension.times(dimension), all.scale.times(scale));
        let (Some(dimension), Some(scale)) = together else { return Err(UnitError::TooLarge) };
        all = UnitInfo { dimension, scale };
    }
    Ok(all)
}

impl UnitError {
    /// The message about `unit`.
    pub fn diagnostic(&self, unit: &Unit) -> Diagnostic {
        match self {
            Self::Unknown(which) => match unit.factors.get(*which) {
                Some(factor) => unknown(&factor.name.text, factor.name.span),
                None => Diagnostic::error("unknown-unit", "this is not a unit").at(unit.span, ""),
            },
            Self::Power(which) => {
                let span = unit.factors.get(*which).map_or(unit.span, |factor| factor.name.span);
                Diagnostic::error("unit-power", "the power of a unit is too high")
                    .at(span, format!("raised beyond {LARGEST_POWER}"))
                    .help(format!("powers from -{LARGEST_POWER} to {LARGEST_POWER} can be written"))
            }
            Self::TooLarge => Diagnostic::error("unit-power", "this unit is too large or too small")
                .at(unit.span, "not a number that can be kept")
                .help("write the power of ten in the number: `1e-12 m` instead of `1 pm`"),
        }
    }
}

/// The message about a name that is no unit.
pub(crate) fn unknown(name: &str, span: super::source::Span) -> Diagnostic {
    let error = Diagnostic::error("unknown-unit", format!("`{name}` is not a unit"));
    if let Some(value) = foreign(name) {
        return error.at(span, "not an SI unit").help(format!("give it in SI units: 1 {name} is {value}"));
    }
    match suggest(name).or_else(|| near(name).map(str::to_string)) {
        Some(right) => error.at(span, format!("did you mean `{right}`?")).suggest(span, right),
        None if matches!(name, "degC" | "celsius" | "Celsius" | "degF") => error
            .at(span, "not a multiple of a unit")
            .help("give temperatures in kelvin: `293.15 K`"),
        None => error
            .at(span, "not known")
            .help("units are SI with prefixes: `m`, `kg`, `s`, `mm`, `N`, `J`, `W`, `Hz`, `Pa`, and `rad`, `deg`, `min`, `h`, `%`"),
    }
}

/// The warning about a quantity in `rpm`, which many people write for an angular velocity.
pub(crate) fn counts_turns(number: &str, unit: &Unit) -> Diagnostic {
    Diagnostic::warning("rpm-counts-turns", "`rpm` counts turns, not radians")
        .at(unit.span, "60 rpm is 1 Hz, which is 1/s")
        .help(format!("for an angular velocity write `{number} rev/min`, for turns per minute `{number} 1/min`"))
}

/// Powers of the seven base quantities, in sixtieths, so that roots stay exact.
///
/// The order is m, kg, s, A, K, mol, cd.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dimension {
    powers: [i16; 7],
}

impl Dimension {
    /// A pure number.
    pub const NUMBER: Self = Self { powers: [0; 7] };
    /// Metre.
    pub const LENGTH: Self = Self::base(0);
    /// Kilogram.
    pub const MASS: Self = Self::base(1);
    /// Second.
    pub const TIME: Self = Self::base(2);

    const fn base(which: usize) -> Self {
        let mut powers = [0; 7];
        powers[which] = 60;
        Self { powers }
    }

    /// The base quantity `which` of m, kg, s, A, K, mol, cd.
    pub const fn of_base(which: usize) -> Self {
        Self::base(which)
    }

    /// Whether this is a pure number.
    pub fn is_number(self) -> bool {
        self == Self::NUMBER
    }

    /// The dimension of a product. Powers beyond what anybody means are an error.
    pub fn times(self, other: Self) -> Option<Self> {
        let mut powers = self.powers;
        for (power, more) in powers.iter_mut().zip(other.powers) {
            *power = power.checked_add(more)?;
        }
        Some(Self { powers })
    }

    /// The dimension of a quotient.
    pub fn over(self, other: Self) -> Option<Self> {
        self.times(other.power(-1, 1)?)
    }

    /// The dimension of a power `num/den`, where that is one.
    pub fn power(self, num: i32, den: i32) -> Option<Self> {
        let mut powers = [0; 7];
        for (to, from) in powers.iter_mut().zip(self.powers) {
            let product = i32::from(from).checked_mul(num)?;
            if den == 0 || product % den != 0 {
                return None;
            }
            *to = i16::try_from(product / den).ok()?;
        }
        Some(Self { powers })
    }

    /// Energy: kg m²/s².
    pub fn energy() -> Self {
        Self { powers: [120, 60, -120, 0, 0, 0, 0] }
    }
}

impl fmt::Display for Dimension {
    /// In base units, as one writes them: `kg*m/s^2`, `1/s`, `1` for a pure number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [(usize, &str); 7] = [(1, "kg"), (0, "m"), (2, "s"), (3, "A"), (4, "K"), (5, "mol"), (6, "cd")];
        let side = |sign: i16| {
            let mut parts = Vec::new();
            for (which, name) in NAMES {
                let power = self.powers[which] * sign;
                if power == 60 {
                    parts.push(name.to_string());
                } else if power > 0 && power % 60 == 0 {
                    parts.push(format!("{name}^{}", power / 60));
                } else if power > 0 {
                    let divisor = (1..=60).rev().find(|d| power % d == 0 && 60 % d == 0).unwrap_or(1);
                    parts.push(format!("{name}^({}/{})", power / divisor, 60 / divisor));
                }
            }
            parts
        };
        let (above, below) = (side(1), side(-1));
        match (above.is_empty(), below.is_empty()) {
            (true, true) => write!(f, "1"),
            (false, true) => write!(f, "{}", above.join("*")),
            (empty, false) => {
                let above = if empty { "1".to_string() } else { above.join("*") };
                write!(f, "{above}/{}", below.join("/"))
            }
        }
    }
}

/// A unit as a person writes it; nothing for pure numbers. Those of mechanics that have a name get it.
///
/// ```
/// use holonom_language::units::readable;
///
/// assert_eq!(readable("kg*m^2/s^4"), "kg·m²/s⁴");
/// assert_eq!(readable("kg*m^2/s^3"), "W");
/// assert_eq!(readable("kg/s^2"), "N/m");
/// assert_eq!(readable("1/s^2"), "1/s²");
/// assert_eq!(readable("1"), "");
/// ```
pub fn readable(unit: &str) -> String {
    let mut out = String::new();
    let mut raised = false;
    for c in unit.chars() {
        match c {
            '^' => raised = true,
            '*' => {
                raised = false;
                out.push('·');
            }
            '0'..='9' if raised => {
                out.push(['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][c as usize - '0' as usize])
            }
            '-' if raised => out.push('⁻'),
            c => {
                raised = false;
                out.push(c);
            }
        }
    }
    match out.as_str() {
        "1" => String::new(),
        // These have names that everybody knows.
        "kg·m/s²" => "N".to_string(),
        "kg·m²/s²" => "J".to_string(),
        "kg·m²/s³" => "W".to_string(),
        "kg/s²" => "N/m".to_string(),
        "kg/s" => "N·s/m".to_string(),
        _ => out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;
    use crate::syntax::{Ident, UnitFactor};

    fn unit(factors: &[(&str, i32)]) -> Unit {
        let factor = |&(name, power): &(&str, i32)| UnitFactor {
            name: Ident { text: name.into(), span: Span::default() },
            power,
        };
        Unit { factors: factors.iter().map(factor).collect(), span: Span::default() }
    }

    #[test]
    fn derived_units_are_products_of_base_units() {
        let same = [
            (vec![("N", 1)], vec![("kg", 1), ("m", 1), ("s", -2)]),
            (vec![("J", 1)], vec![("N", 1), ("m", 1)]),
            (vec![("W", 1)], vec![("J", 1), ("s", -1)]),
            (vec![("Pa", 1)], vec![("N", 1), ("m", -2)]),
            (vec![("Hz", 1)], vec![("s", -1)]),
            (vec![("C", 1)], vec![("A", 1), ("s", 1)]),
            (vec![("V", 1)], vec![("W", 1), ("A", -1)]),
            (vec![("ohm", 1)], vec![("V", 1), ("A", -1)]),
            (vec![("S", 1)], vec![("ohm", -1)]),
            (vec![("F", 1)], vec![("C", 1), ("V", -1)]),
            (vec![("Wb", 1)], vec![("V", 1), ("s", 1)]),
            (vec![("T", 1)], vec![("Wb", 1), ("m", -2)]),
            (vec![("H", 1)], vec![("Wb", 1), ("A", -1)]),
            (vec![("L", 1)], vec![("dm", 3)]),
            (vec![("l", 1)], vec![("L", 1)]),
            (vec![("tonne", 1)], vec![("kg", 1), ("L", -1), ("m", 3)]),
            (vec![("bar", 1)], vec![("hPa", 1), ("km", 1), ("m", -1)]),
            (vec![("rpm", 1)], vec![("min", -1)]),
            (vec![("Mm", 1)], vec![("Gm", 1), ("mm", 1), ("m", -1)]),
            (vec![("um", 1)], vec![("µm", 1)]),
        ];
        for (left, right) in same {
            let [a, b] = [&left, &right].map(|side| resolve(&unit(side)).unwrap());
            assert_eq!(a, b, "{left:?}");
        }
    }

    /// Both count cycles; `rev` is an angle.
    #[test]
    fn sixty_rpm_are_one_hertz() {
        let one = |name: &str| lookup(name).unwrap();
        let sixty = Scale::new(60, 1, 0).unwrap();
        assert_eq!(one("rpm").scale.times(sixty), Some(one("Hz").scale));
        assert_eq!(one("rpm").dimension, one("Hz").dimension);
        let turn = resolve(&unit(&[("rev", 1), ("min", -1)])).unwrap();
        assert_eq!(Some(turn.scale), one("rpm").scale.times(Scale::new(2, 1, 1).unwrap()));
    }

    #[test]
    fn scales_are_exact() {
        let deg = lookup("deg").unwrap().scale;
        assert_eq!((deg.num, deg.den, deg.pi), (1, 180, 1));
        let ev = lookup("eV").unwrap().scale;
        assert_eq!((ev.num, ev.den), (801_088_317, 5 * 10_i128.pow(27)));
        assert_eq!(lookup("kg").unwrap().scale, Scale::ONE);
        assert_eq!(lookup("bar").unwrap().scale.to_f64(), 1e5);
        assert_eq!(lookup("day").unwrap().scale.to_f64(), 86400.0);
    }

    #[test]
    fn pure_numbers_do_not_ask_for_checking() {
        for name in ["rad", "deg", "%", "rev", "mrad"] {
            assert!(!lookup(name).unwrap().switches_checking_on(), "{name}");
        }
        for name in ["m", "rpm", "Hz", "s"] {
            assert!(lookup(name).unwrap().switches_checking_on(), "{name}");
        }
    }

    #[test]
    fn misspelt_units_are_recognised() {
        for (typed, meant) in [
            ("Kg", "kg"),
            ("KG", "kg"),
            ("sec", "s"),
            ("seconds", "s"),
            ("meter", "m"),
            ("metres", "m"),
            ("degrees", "deg"),
            ("mtr", "m"),
            ("Newton", "N"),
            ("khz", "kHz"),
            ("Rad", "rad"),
            ("Nm", "N*m"),
            ("mins", "min"),
            ("percent", "%"),
        ] {
            assert_eq!(lookup(typed), None, "{typed}");
            assert_eq!(suggest(typed).as_deref(), Some(meant), "{typed}");
        }
        for free in ["R", "x", "t", "d", "theta", "M", "Ic", "alpha", "degC"] {
            assert_eq!((lookup(free), suggest(free)), (None, None), "{free}");
        }
    }

    #[test]
    fn powers_are_bounded() {
        assert_eq!(resolve(&unit(&[("m", 61)])), Err(UnitError::Power(0)));
        assert_eq!(resolve(&unit(&[("km", 60)])), Err(UnitError::TooLarge));
        assert_eq!(resolve(&unit(&[("m", i32::MIN)])), Err(UnitError::Power(0)));
        assert_eq!(resolve(&unit(&[("s", 1), ("x", 1)])), Err(UnitError::Unknown(1)));
        assert_eq!(resolve(&unit(&[])), Ok(UnitInfo::ONE));
        assert_eq!(resolve(&unit(&[("m", 60), ("m", 60), ("m", 60)])).map(|one| one.scale), Ok(Scale::ONE));
        let far = vec![("m", 60); 20];
        assert_eq!(resolve(&unit(&far)), Err(UnitError::TooLarge));
    }
}
