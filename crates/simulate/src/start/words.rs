//! Names and numbers as they stand in messages.

use holonom_language::Model;

/// Messages of one kind at most: a chain in the wrong place would fill pages.
pub(crate) const MESSAGES: usize = 100;

/// A name, marked as one.
pub(crate) fn name(name: &str) -> String {
    format!("`{name}`")
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn and(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Lists longer than `LONG` are cut short after `SHORT` items.
const LONG: usize = 100;
const SHORT: usize = 24;

/// A list that fits a message: the beginning of a long one, and how many more there are.
pub(crate) fn few(mut items: Vec<String>) -> Vec<String> {
    if items.len() > LONG {
        let more = items.len() - SHORT;
        items.truncate(SHORT);
        items.push(format!("{more} more"));
    }
    items
}

/// The form of a word that goes with a number of things.
pub(crate) fn several<'a>(count: usize, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

/// A number of things.
pub fn count(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", several(count, one, many))
}

/// A sum of names: "2*`a` - `b`".
pub(crate) fn combination(of: &[(f64, String)]) -> String {
    if of.is_empty() {
        return "0".to_string();
    }
    let mut text = String::new();
    for (i, (c, row)) in of.iter().enumerate() {
        text.push_str(match (i, *c < 0.0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        });
        let size = number(c.abs());
        if size != "1" {
            text.push_str(&size);
            text.push('*');
        }
        text.push_str(&name(row));
    }
    text
}

/// A number to seven digits, without what says nothing.
pub fn number(x: f64) -> String {
    digits(x, 7)
}

/// A value of a coordinate as one types it: with its unit, in a model with units.
pub(crate) fn position(model: &Model, coordinate: usize, value: f64) -> String {
    match model.coordinates.get(coordinate).filter(|one| model.has_units && !one.dimension.is_number()) {
        Some(one) => format!("{} {}", number(value), one.dimension),
        None => number(value),
    }
}

/// Two numbers with as many digits as it takes to tell them apart.
pub(crate) fn both(a: f64, b: f64) -> (String, String) {
    (7..=17).map(|d| (digits(a, d), digits(b, d))).find(|(x, y)| x != y).unwrap_or((number(a), number(b)))
}

/// A number with so many digits, without zeros at its end.
pub(crate) fn digits(x: f64, digits: usize) -> String {
    if x == 0.0 {
        return "0".to_string();
    }
    if !x.is_finite() {
        return x.to_string();
    }
    let scientific = format!("{x:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..digits as i32).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        trimmed(&format!("{x:.decimals$}")).to_string()
    } else {
        format!("{}e{exponent}", trimmed(mantissa))
    }
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_carry_what_they_need() {
        for (x, text) in [
            (0.0, "0"),
            (6.54, "6.54"),
            (-1.635, "-1.635"),
            (1e-9, "1e-9"),
            (9.81e6, "9810000"),
            (1.0 / 3.0, "0.3333333"),
            (1.25e12, "1.25e12"),
        ] {
            assert_eq!(number(x), text);
        }
        assert_eq!(both(1.0, 1.0 + 1e-9), ("1".to_string(), "1.000000001".to_string()));
        assert_eq!(and(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }
}
