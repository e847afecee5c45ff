//! The units that can be written, and what people write instead of them.

use super::{Dimension, Scale, UnitInfo};

/// Which prefixes a unit takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefixes {
    /// None: `min`, `deg`.
    None,
    /// All of [`PREFIXES`].
    All,
}
use Prefixes::{All, None as Bare};

/// Prefixes with their powers of ten.
const PREFIXES: [(&str, i32); 15] = [
    ("k", 3),
    ("m", -3),
    ("c", -2),
    ("M", 6),
    ("G", 9),
    ("T", 12),
    ("u", -6),
    ("µ", -6),
    ("μ", -6),
    ("n", -9),
    ("p", -12),
    ("f", -15),
    ("d", -1),
    ("h", 2),
    ("da", 1),
];

/// The tonne is `tonne` and not `t`, which is the time: in `sin(2 t)` nobody means a mass.
///
/// `Hz` and `rpm` count cycles, as the SI does: 60 rpm = 1 Hz = 1/s. Angles are counted by `rad`, `deg` and `rev`, so an
/// angular velocity is in `rad/s` or `rev/min`. A quantity in `rpm` gets a warning that names both, since many people
/// write it for an angular velocity.
///
/// Name; powers of m, kg, s, A, K, mol, cd; numerator, power of ten, denominator and power of π of its value in SI.
type Row = (&'static str, [i32; 7], i128, i32, i128, i32, Prefixes);

#[rustfmt::skip]
const UNITS: [Row; 41] = [
    ("m",      [1, 0, 0, 0, 0, 0, 0],    1, 0, 1, 0, All),
    ("g",      [0, 1, 0, 0, 0, 0, 0],    1, -3, 1, 0, All),
    ("s",      [0, 0, 1, 0, 0, 0, 0],    1, 0, 1, 0, All),
    ("A",      [0, 0, 0, 1, 0, 0, 0],    1, 0, 1, 0, All),
    ("K",      [0, 0, 0, 0, 1, 0, 0],    1, 0, 1, 0, All),
    ("mol",    [0, 0, 0, 0, 0, 1, 0],    1, 0, 1, 0, All),
    ("cd",     [0, 0, 0, 0, 0, 0, 1],    1, 0, 1, 0, All),
    ("N",      [1, 1, -2, 0, 0, 0, 0],   1, 0, 1, 0, All),
    ("J",      [2, 1, -2, 0, 0, 0, 0],   1, 0, 1, 0, All),
    ("W",      [2, 1, -3, 0, 0, 0, 0],   1, 0, 1, 0, All),
    ("Pa",     [-1, 1, -2, 0, 0, 0, 0],  1, 0, 1, 0, All),
    ("Hz",     [0, 0, -1, 0, 0, 0, 0],   1, 0, 1, 0, All),
    ("C",      [0, 0, 1, 1, 0, 0, 0],    1, 0, 1, 0, All),
    ("V",      [2, 1, -3, -1, 0, 0, 0],  1, 0, 1, 0, All),
    ("ohm",    [2, 1, -3, -2, 0, 0, 0],  1, 0, 1, 0, All),
    ("Ω",      [2, 1, -3, -2, 0, 0, 0],  1, 0, 1, 0, All),
    ("S",      [-2, -1, 3, 2, 0, 0, 0],  1, 0, 1, 0, All),
    ("F",      [-2, -1, 4, 2, 0, 0, 0],  1, 0, 1, 0, All),
    ("H",      [2, 1, -2, -2, 0, 0, 0],  1, 0, 1, 0, All),
    ("T",      [0, 1, -2, -1, 0, 0, 0],  1, 0, 1, 0, All),
    ("Wb",     [2, 1, -2, -1, 0, 0, 0],  1, 0, 1, 0, All),
    ("min",    [0, 0, 1, 0, 0, 0, 0],    60, 0, 1, 0, Bare),
    ("h",      [0, 0, 1, 0, 0, 0, 0],    3600, 0, 1, 0, Bare),
    ("day",    [0, 0, 1, 0, 0, 0, 0],    86400, 0, 1, 0, Bare),
    ("bar",    [-1, 1, -2, 0, 0, 0, 0],  1, 5, 1, 0, All),
    ("atm",    [-1, 1, -2, 0, 0, 0, 0],  101_325, 0, 1, 0, Bare),
    ("L",      [3, 0, 0, 0, 0, 0, 0],    1, -3, 1, 0, All),
    ("l",      [3, 0, 0, 0, 0, 0, 0],    1, -3, 1, 0, All),
    ("tonne",  [0, 1, 0, 0, 0, 0, 0],    1, 3, 1, 0, Bare),
    ("eV",     [2, 1, -2, 0, 0, 0, 0],   1_602_176_634, -28, 1, 0, All),
    ("rad",    [0; 7],                   1, 0, 1, 0, All),
    ("sr",     [0; 7],                   1, 0, 1, 0, Bare),
    ("deg",    [0; 7],                   1, 0, 180, 1, Bare),
    ("arcmin", [0; 7],                   1, 0, 10_800, 1, Bare),
    ("arcsec", [0; 7],                   1, 0, 648_000, 1, Bare),
    ("rev",    [0; 7],                   2, 0, 1, 1, Bare),
    ("rpm",    [0, 0, -1, 0, 0, 0, 0],   1, 0, 60, 0, Bare),
    ("%",      [0; 7],                   1, -2, 1, 0, Bare),
    ("ppm",    [0; 7],                   1, -6, 1, 0, Bare),
    ("kgf",    [1, 1, -2, 0, 0, 0, 0],   980_665, -5, 1, 0, Bare),
    ("kp",     [1, 1, -2, 0, 0, 0, 0],   980_665, -5, 1, 0, Bare),
];

/// What people write, and what to write here.
#[rustfmt::skip]
const SAID: &[(&str, &str)] = &[
    ("meter", "m"), ("metre", "m"), ("mtr", "m"), ("mt", "m"), ("centimeter", "cm"), ("centimetre", "cm"),
    ("millimeter", "mm"), ("millimetre", "mm"), ("kilometer", "km"), ("kilometre", "km"), ("micron", "um"),
    ("kilogram", "kg"), ("kilogramme", "kg"), ("kilo", "kg"), ("kgs", "kg"), ("gram", "g"), ("gramme", "g"), ("gr", "g"),
    ("ton", "tonne"), ("sec", "s"), ("second", "s"), ("msec", "ms"), ("millisecond", "ms"), ("usec", "us"), ("nsec", "ns"),
    ("minute", "min"), ("hour", "h"), ("hr", "h"),
    ("newton", "N"), ("joule", "J"), ("watt", "W"), ("pascal", "Pa"), ("hertz", "Hz"), ("volt", "V"), ("amp", "A"),
    ("ampere", "A"), ("kelvin", "K"), ("coulomb", "C"), ("farad", "F"), ("henry", "H"), ("tesla", "T"), ("weber", "Wb"),
    ("siemens", "S"), ("liter", "L"), ("litre", "L"), ("electronvolt", "eV"), ("candela", "cd"),
    ("radian", "rad"), ("degree", "deg"), ("turn", "rev"), ("rot", "rev"), ("rotation", "rev"), ("revolution", "rev"),
    ("percent", "%"), ("rps", "rev/s"), ("mps", "m/s"), ("kmh", "km/h"), ("kph", "km/h"), ("Nm", "N*m"), ("kNm", "kN*m"),
    ("Nmm", "N*mm"), ("Ns", "N*s"), ("Nms", "N*m*s"), ("Js", "J*s"), ("Ws", "W*s"), ("Wh", "W*h"), ("kWh", "kW*h"),
];

/// Units that are not SI and are not read, with their values.
const FOREIGN: [(&str, &str); 14] = [
    ("ft", "0.3048 m"),
    ("foot", "0.3048 m"),
    ("feet", "0.3048 m"),
    ("inch", "25.4 mm"),
    ("yd", "0.9144 m"),
    ("mi", "1609.344 m"),
    ("mile", "1609.344 m"),
    ("mph", "0.44704 m/s"),
    ("lb", "0.45359237 kg"),
    ("lbs", "0.45359237 kg"),
    ("lbf", "4.4482216152605 N"),
    ("psi", "6894.757 Pa"),
    ("hp", "745.69987 W"),
    ("cal", "4.184 J"),
];

/// Units that are written often, for those that differ from them by a letter.
const COMMON: [&str; 16] =
    ["kg", "mm", "cm", "Hz", "Pa", "kN", "ms", "km", "kJ", "kW", "MPa", "GPa", "rad", "deg", "min", "rpm"];

/// What one of a unit that is not SI is worth.
pub(crate) fn foreign(name: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(foreign, _)| *foreign == name).map(|(_, value)| *value)
}

/// A common unit that differs by one letter and not by the first.
pub(crate) fn near(name: &str) -> Option<&'static str> {
    let one_off = |unit: &&&str| {
        name.len() == unit.len()
            && name.chars().next() == unit.chars().next()
            && name.chars().zip(unit.chars()).filter(|(a, b)| a != b).count() == 1
    };
    COMMON.iter().find(one_off).copied()
}

/// The unit of this name, prefix included: `kg`, `mm`, `deg`.
pub fn lookup(name: &str) -> Option<UnitInfo> {
    if name.len() > 16 {
        return None;
    }
    if let Some(row) = UNITS.iter().find(|row| row.0 == name) {
        return info(row, 0);
    }
    PREFIXES.iter().find_map(|(prefix, ten)| {
        let rest = name.strip_prefix(prefix)?;
        info(UNITS.iter().find(|row| row.0 == rest && row.6 == All)?, *ten)
    })
}

fn info(&(_, powers, num, ten, den, pi, _): &Row, prefix: i32) -> Option<UnitInfo> {
    let mut dimension = Dimension::NUMBER;
    for (which, power) in powers.into_iter().enumerate() {
        dimension = dimension.times(Dimension::of_base(which).power(power, 1)?)?;
    }
    let tens = Scale::new(10, 1, 0)?.power(ten + prefix)?;
    Some(UnitInfo { dimension, scale: Scale::new(num, den, pi)?.times(tens)? })
}

/// What to write instead of `name`, which is no unit: `kg` for `Kg`, `s` for `sec`, `m` for `meters`.
pub fn suggest(name: &str) -> Option<String> {
    if name.len() < 2 || name.len() > 16 {
        return None;
    }
    let said = |text: &str| SAID.iter().find(|(wrong, _)| *wrong == text).map(|(_, right)| (*right).to_string());
    let lower = name.to_lowercase();
    said(name)
        .or_else(|| said(&lower))
        .or_else(|| said(lower.strip_suffix('s')?))
        .or_else(|| other_case(&lower))
        .or_else(|| Some(name.strip_suffix('s')?.to_string()).filter(|one| one.len() > 1 && lookup(one).is_some()))
}

/// A unit that differs from `lower` by case alone.
fn other_case(lower: &str) -> Option<String> {
    let bare = UNITS.iter().find(|row| row.0.to_lowercase() == lower).map(|row| row.0.to_string());
    bare.or_else(|| {
        PREFIXES.iter().find_map(|(prefix, _)| {
            let rest = lower.strip_prefix(&prefix.to_lowercase())?;
            let row = UNITS.iter().find(|row| row.6 == All && row.0.to_lowercase() == rest)?;
            Some(format!("{prefix}{}", row.0))
        })
    })
}
