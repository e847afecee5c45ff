//! `NAME=VALUE` on the command line.

use std::str::FromStr;

/// A parameter and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    pub name: String,
    pub value: f64,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, such as m=3")?;
        let value: f64 = value.trim().parse().map_err(|_| format!("`{}` is not a number", value.trim()))?;
        if !value.is_finite() {
            return Err("the value must be finite".to_string());
        }
        Ok(Self { name: name.trim().to_string(), value })
    }
}
