//! A value from outside, written as in a model: `3`, `30 deg`, `2*pi`.

use holonom_language::units::Dimension;
use holonom_language::{Diagnostic, Model, from_text};

/// A number in SI units; where it was written with a unit or as an expression, with its dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// The number, in SI units.
    pub value: f64,
    /// Its dimension; nothing for a plain number, which fits any parameter.
    pub dimension: Option<Dimension>,
}

impl Quantity {
    /// Reads a number, or what a model can say in its place.
    ///
    /// ```
    /// # use holonom::Quantity;
    /// assert_eq!(Quantity::read("-2.5 mm")?.value, -0.0025);
    /// assert_eq!(Quantity::read("10s")?.value, 10.0);
    /// assert!(Quantity::read("3 kgg").is_err());
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// Why it is no finite number.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let quantity = match text.parse() {
            Ok(value) => Self { value, dimension: None },
            Err(_) => written(text)?,
        };
        if quantity.value.is_finite() { Ok(quantity) } else { Err("the value must be finite".to_string()) }
    }

    /// Why a parameter cannot have this value: it is of another dimension, or a plain number could be degrees or radians.
    ///
    /// # Errors
    /// The message, without a place.
    pub fn fits(&self, model: &Model, name: &str) -> Result<(), Box<Diagnostic>> {
        let Some(parameter) = model.parameters.iter().find(|parameter| parameter.name == name) else { return Ok(()) };
        let error = |message: String| Diagnostic::error("setting-unit", message);
        let in_degrees = parameter.unit.as_ref().is_some_and(|unit| unit.text == "deg");
        match self.dimension {
            None if in_degrees => {
                Err(error(format!("`{name}` is set to a plain number, and the model gives `{name}` in degrees"))
                    .help("write the unit with each number, `30 deg` or `0.5 rad`")
                    .into())
            }
            Some(given) if given != parameter.dimension => {
                let has = parameter.dimension;
                Err(error(format!("`{name}` is set to a value in `{given}`, and the parameter is in `{has}`"))
                    .help(format!("give it in `{has}`, or as a plain number, which counts in SI units"))
                    .into())
            }
            _ => Ok(()),
        }
    }
}

/// A value as it stands in a model: with the same bits, and with the same words where it is wrong.
fn written(text: &str) -> Result<Quantity, String> {
    let unclear = || format!("`{text}` is not a number, alone or with a unit as in \"3 kg\"");
    if text.is_empty() || text.contains(['\n', '\r', '#', ',', '=']) {
        return Err(unclear());
    }
    let text = spaced(text);
    let around = format!("param value = {text}\ncoord x: m\nkinetic 1 kg * x'^2 / 2\n");
    let loaded = from_text("value", &around);
    let Some(model) = &loaded.model else {
        let Some(error) = loaded.errors().next() else { return Err(unclear()) };
        return Err(format!("{}; write a number, alone or with a unit as in \"3 kg\"", error.message));
    };
    let parameter = model.parameters.first().ok_or_else(unclear)?;
    let value = model.graph.evaluate(&[parameter.value], |_| f64::NAN);
    Ok(Quantity { value: value.first().copied().unwrap_or(f64::NAN), dimension: Some(parameter.dimension) })
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
            assert_eq!(Quantity::read(text), Ok(Quantity { value, dimension }), "{text}");
        }
        for text in ["", "heavy", "3 kgg", "1e999", "inf", "nan", "1, b = 2", "1\ncoord y", "1/0"] {
            assert!(Quantity::read(text).is_err(), "{text}");
        }
    }
}
