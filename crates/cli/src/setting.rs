//! Values on the command line: `NAME=VALUE`, and times. They are written as in a model.

use std::str::FromStr;

use holonom::model::units::Dimension;
use holonom::model::{self, Model};

/// A parameter and its value in SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    pub name: String,
    pub value: f64,
    /// What was said with a unit must fit the parameter.
    dimension: Option<Dimension>,
}

impl Setting {
    /// Whether the parameter is of the kind that was set.
    pub fn fits(&self, model: &Model) -> Result<(), String> {
        fits(model, "--set", &self.name, self.dimension)
    }
}

/// Whether a parameter is of the dimension in which an option gives it.
pub fn fits(model: &Model, option: &str, name: &str, dimension: Option<Dimension>) -> Result<(), String> {
    let parameter = model.parameters.iter().find(|parameter| parameter.name == name);
    // A plain number could be degrees or radians.
    let unit = parameter.and_then(|parameter| parameter.unit.as_ref());
    if dimension.is_none() && unit.is_some_and(|unit| unit.text == "deg") {
        return Err(format!(
            "`{option} {name}=…` gives a plain number, and the model gives `{name}` in degrees\n  \
             help: write the unit with each number, `30 deg` or `0.5 rad`: `{option} \"{name}={}\"`",
            if option == "--vary" { "10 deg:40 deg:4" } else { "30 deg" }
        ));
    }
    match (parameter.map(|parameter| parameter.dimension), dimension) {
        (Some(has), Some(given)) if has != given => Err(format!(
            "`{option} {name}=…` gives a value in `{given}`, and the parameter is in `{has}`\n  \
             help: give it in `{has}`, or as a plain number, which counts in SI units"
        )),
        _ => Ok(()),
    }
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, such as m=3 or \"m=3 kg\"")?;
        let (value, dimension) = quantity(value)?;
        Ok(Self { name: name.trim().to_string(), value, dimension })
    }
}

/// A time in seconds, longer than nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time(pub f64);

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match quantity(text)? {
            (_, Some(other)) if other != Dimension::TIME => {
                Err(format!("this is in `{other}` and not a time, such as \"10 s\""))
            }
            (value, _) if value <= 0.0 => Err("a time must be positive".to_string()),
            (value, _) => Ok(Self(value)),
        }
    }
}

/// A tolerance: a positive number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance(pub f64);

impl FromStr for Tolerance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim().parse() {
            Ok(value) if value > 0.0 && value < 1.0 => Ok(Self(value)),
            _ => Err("a tolerance is a number between 0 and 1, such as 1e-9".to_string()),
        }
    }
}

/// A number, or what a model can say in its place: `30 deg`, `2*pi`. Its dimension is known where it is no plain number.
pub fn quantity(text: &str) -> Result<(f64, Option<Dimension>), String> {
    let text = text.trim();
    let (value, dimension) = match text.parse() {
        Ok(value) => (value, None),
        Err(_) => written(text)?,
    };
    if value.is_finite() { Ok((value, dimension)) } else { Err("the value must be finite".to_string()) }
}

/// A value as it stands in a model: with the same bits, and with the same words where it is wrong.
fn written(text: &str) -> Result<(f64, Option<Dimension>), String> {
    let unclear = || format!("`{text}` is not a number, alone or with a unit as in \"3 kg\"");
    if text.is_empty() || text.contains(['\n', '\r', '#', ',', '=']) {
        return Err(unclear());
    }
    let text = spaced(text);
    let around = format!("param value = {text}\ncoord x: m\nkinetic 1 kg * x'^2 / 2\n");
    let loaded = model::from_text("value", &around);
    let Some(model) = &loaded.model else {
        let Some(error) = loaded.errors().next() else { return Err(unclear()) };
        return Err(format!("{}; write a number, alone or with a unit as in \"3 kg\"", error.message));
    };
    let parameter = model.parameters.first().ok_or_else(unclear)?;
    let value = model.graph.evaluate(&[parameter.value], |_| f64::NAN);
    Ok((value.first().copied().unwrap_or(f64::NAN), Some(parameter.dimension)))
}

/// `10s` as `10 s`: on a command line a blank needs quotes.
fn spaced(text: &str) -> String {
    let digits = text.find(|c: char| c.is_ascii_alphabetic() && c != 'e' && c != 'E').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    match number.parse::<f64>() {
        Ok(_) if !unit.is_empty() => format!("{number} {unit}"),
        _ => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_may_have_units() {
        for (text, value, dimension) in [
            ("3", 3.0, None),
            ("3 kg", 3.0, Some(Dimension::MASS)),
            ("10s", 10.0, Some(Dimension::TIME)),
            ("-1e-3m", -1e-3, Some(Dimension::LENGTH)),
            ("30 deg", 30.0_f64.to_radians(), Some(Dimension::NUMBER)),
            ("-2.5 mm", -0.0025, Some(Dimension::LENGTH)),
            ("2*pi", 2.0 * std::f64::consts::PI, Some(Dimension::NUMBER)),
        ] {
            assert_eq!(quantity(text), Ok((value, dimension)), "{text}");
        }
        for text in ["", "heavy", "3 kgg", "1e999", "inf", "nan", "1, b = 2", "1\ncoord y", "1/0"] {
            assert!(quantity(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_and_tolerances_are_positive() {
        assert_eq!("10 ms".parse(), Ok(Time(0.01)));
        assert_eq!("2".parse(), Ok(Time(2.0)));
        for text in ["0", "-1 s", "3 kg", "soon"] {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
        assert_eq!("1e-9".parse(), Ok(Tolerance(1e-9)));
        for text in ["0", "-1e-9", "1", "nan", "tight"] {
            assert!(text.parse::<Tolerance>().is_err(), "{text}");
        }
    }
}
