//! JSON to be written: values in the order in which they were put there, laid out to be read.

use std::fmt;

use holonom_language::quote;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A count.
    Count(u64),
    /// A number in the fewest digits that give it back; what is not finite is written as `null`.
    Number(f64),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// An object: members in order.
    Object(Vec<(String, Value)>),
    /// JSON already, on one line.
    Raw(String),
}

/// Up to here a list or an object stays on one line.
const LINE: usize = 110;

impl Value {
    /// An object with these members.
    pub fn object<const N: usize>(members: [(&str, Value); N]) -> Self {
        Self::Object(members.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
    }

    fn inline(&self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Bool(value) => value.to_string(),
            Self::Count(value) => value.to_string(),
            Self::Number(value) if value.is_finite() => format!("{value:?}"),
            Self::Number(_) => "null".into(),
            Self::Text(text) => quote(text),
            Self::Raw(text) => text.clone(),
            Self::List(items) => format!("[{}]", items.iter().map(Self::inline).collect::<Vec<_>>().join(", ")),
            Self::Object(members) if members.is_empty() => "{}".into(),
            Self::Object(members) => {
                let members: Vec<_> =
                    members.iter().map(|(key, value)| format!("{}: {}", quote(key), value.inline())).collect();
                format!("{{{}}}", members.join(", "))
            }
        }
    }

    fn spread(&self, f: &mut fmt::Formatter<'_>, indent: usize) -> fmt::Result {
        let line = self.inline();
        let (open, close) = match self {
            Self::List(items) if !items.is_empty() && (indent == 0 || line.len() > LINE) => ('[', ']'),
            Self::Object(members) if !members.is_empty() && (indent == 0 || line.len() > LINE) => ('{', '}'),
            _ => return f.write_str(&line),
        };
        let inner = indent + 2;
        let separate = |f: &mut fmt::Formatter<'_>, which: usize| {
            write!(f, "{}\n{:inner$}", if which == 0 { "" } else { "," }, "")
        };
        write!(f, "{open}")?;
        match self {
            Self::List(items) => {
                for (which, item) in items.iter().enumerate() {
                    separate(f, which)?;
                    item.spread(f, inner)?;
                }
            }
            Self::Object(members) => {
                for (which, (key, value)) in members.iter().enumerate() {
                    separate(f, which)?;
                    write!(f, "{}: ", quote(key))?;
                    value.spread(f, inner)?;
                }
            }
            _ => {}
        }
        write!(f, "\n{:indent$}{close}", "")
    }
}

impl fmt::Display for Value {
    /// A member per line, with indentation; `{:#}` puts all on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { f.write_str(&self.inline()) } else { self.spread(f, 0) }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_string())
    }
}

impl From<Option<f64>> for Value {
    fn from(value: Option<f64>) -> Self {
        value.map_or(Self::Null, Self::Number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_values_share_a_line_and_long_ones_do_not() {
        let short = Value::object([("a", Value::Number(0.1)), ("b", Value::List(vec![Value::Count(1), Value::Null]))]);
        let long = Value::List(vec!["x".repeat(60).as_str().into(), "y".repeat(60).as_str().into()]);
        let all = Value::object([("short", short), ("long", long), ("none", Value::Object(vec![]))]);
        let (x, y) = ("x".repeat(60), "y".repeat(60));
        assert_eq!(
            all.to_string(),
            format!(
                "{{\n  \"short\": {{\"a\": 0.1, \"b\": [1, null]}},\n  \"long\": [\n    \"{x}\",\n    \"{y}\"\n  ],\n  \
                 \"none\": {{}}\n}}"
            )
        );
        assert_eq!(format!("{:#}", Value::Number(f64::NAN)), "null");
    }
}
