//! Pieces of HTML.

pub(crate) use holonom_symbols::markup::escaped;

/// Text with `names` in backticks as code.
pub(crate) fn rich(text: &str) -> String {
    let mut out = String::new();
    for (i, part) in text.split('`').enumerate() {
        let part = escaped(part);
        out += &if i % 2 == 1 { format!("<code>{part}</code>") } else { part };
    }
    out
}

/// A list of facts: names and what is to be said about them, as HTML. Those about which nothing is to be said are left out.
pub(crate) fn facts(list: &[(&str, String)]) -> String {
    let rows: String = list
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("<dt>{}</dt><dd>{value}</dd>\n", escaped(name)))
        .collect();
    if rows.is_empty() { rows } else { format!("<dl class=\"facts\">\n{rows}</dl>\n") }
}

/// A table of cells that are HTML already.
pub(crate) fn table(class: &str, head: &[&str], rows: &[Vec<String>]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let head: String = head.iter().map(|name| format!("<th scope=\"col\">{}</th>", escaped(name))).collect();
    let body: String = rows
        .iter()
        .map(|row| format!("<tr>{}</tr>\n", row.iter().map(|cell| format!("<td>{cell}</td>")).collect::<String>()))
        .collect();
    format!(
        "<div class=\"scroll\"><table class=\"{class}\"><thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table></div>\n"
    )
}

/// A number to some digits, without what says nothing, with a proper minus sign.
pub(crate) fn number(x: f64, digits: usize) -> String {
    if x == 0.0 {
        return "0".to_string();
    }
    if !x.is_finite() {
        return "no number".to_string();
    }
    let scientific = format!("{x:.*e}", digits.max(1) - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text.to_string(),
    };
    let text = if (-3..6.max(digits as i32)).contains(&exponent) {
        trimmed(&format!("{x:.*}", (digits as i32 - 1 - exponent).max(0) as usize))
    } else {
        match trimmed(mantissa).as_str() {
            "1" => format!("10<sup>{exponent}</sup>"),
            mantissa => format!("{mantissa}·10<sup>{exponent}</sup>"),
        }
    };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(-0.25, 4), "−0.25");
        assert_eq!(number(1.2345e-13, 2), "1.2·10<sup>−13</sup>");
        assert_eq!(number(100_000.0, 3), "100000");
        assert_eq!(number(f64::NAN, 3), "no number");
    }

    #[test]
    fn nothing_gets_out_of_its_element() {
        assert_eq!(rich("a <b> `c & d`"), "a &lt;b&gt; <code>c &amp; d</code>");
    }
}
