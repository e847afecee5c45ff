//! Values on the command line: `NAME=VALUE`, and times. They are written as in a model.

use std::str::FromStr;

use holonom::Quantity;
use holonom::language::Model;
use holonom::language::units::Dimension;

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
    Quantity { value: 0.0, dimension }.fits(model, name).map_err(|error| {
        let help: String = error.help.iter().map(|help| format!("\n  help: {help}")).collect();
        format!("`{option} {name}=…`: {}{help}", error.message)
    })
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, such as m=3 or \"m=3 kg\"")?;
        let Quantity { value, dimension } = Quantity::read(value)?;
        Ok(Self { name: name.trim().to_string(), value, dimension })
    }
}

/// A time in seconds, longer than nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time(pub f64);

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match Quantity::read(text)? {
            Quantity { dimension: Some(other), .. } if other != Dimension::TIME => {
                Err(format!("this is in `{other}` and not a time, such as \"10 s\""))
            }
            Quantity { value, .. } if value <= 0.0 => Err("a time must be positive".to_string()),
            Quantity { value, .. } => Ok(Self(value)),
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

#[cfg(test)]
mod tests {
    use super::*;

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
