//! Formulas of this crate, written in LaTeX once and shown on one line of Unicode.
//!
//! Only the LaTeX that the lists use is understood. Fractions become quotients, matrices rows between
//! brackets, and dots and bars marks over their letters.

/// A formula on one line.
pub(crate) fn unicode(latex: &str) -> String {
    let mut reader = Reader { rest: latex };
    let text = reader.until(&[]);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Names of commands and what they look like.
const SYMBOLS: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("mu", "µ"),
    ("varphi", "φ"),
    ("psi", "ψ"),
    ("Delta", "Δ"),
    ("partial", "∂"),
    ("det", "det "),
    ("min", "min"),
    ("sin", "sin "),
    ("cos", "cos "),
    ("tan", "tan "),
    ("to", " → "),
    ("neq", " ≠ "),
    ("Rightarrow", " ⇒ "),
    ("Leftrightarrow", " ⇔ "),
    ("dots", "…"),
    ("cdots", "…"),
    ("quad", "   "),
    (",", ""),
    (";", " "),
    ("left", ""),
    ("right", ""),
    ("{", "{"),
    ("}", "}"),
    ("|", "‖"),
];

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    /// Everything up to one of the ends, or up to the end of the text; the end itself is taken too.
    fn until(&mut self, ends: &[&str]) -> String {
        let mut text = String::new();
        while !self.rest.is_empty() {
            if let Some(end) = ends.iter().find(|end| self.rest.starts_with(**end)) {
                self.rest = &self.rest[end.len()..];
                return text;
            }
            let piece = self.piece(&text);
            text += &piece;
        }
        text
    }

    /// One command, group or character.
    fn piece(&mut self, before: &str) -> String {
        let Some(first) = self.rest.chars().next() else { return String::new() };
        self.rest = &self.rest[first.len_utf8()..];
        match first {
            '\\' => self.command(before),
            '{' => self.until(&["}"]),
            '^' => raised(&self.argument()),
            '_' => lowered(&self.argument()),
            '&' => "  ".into(),
            '-' => "−".into(),
            '\'' => "′".into(),
            _ => first.to_string(),
        }
    }

    /// A group, or a single character or command.
    fn argument(&mut self) -> String {
        self.rest = self.rest.trim_start();
        self.piece("")
    }

    fn command(&mut self, before: &str) -> String {
        let letters = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        let length = if letters > 0 { letters } else { self.rest.chars().next().map_or(0, char::len_utf8) };
        let (name, rest) = self.rest.split_at(length);
        self.rest = rest;
        match name {
            "frac" | "tfrac" => {
                let (above, below) = (self.argument(), self.argument());
                let whole = format!("{}/{}", grouped(above.trim()), grouped(below.trim()));
                // A quotient before something else is a factor of it.
                if self.rest.trim_start().starts_with(['\\', '{', '(']) || !self.rest.trim().is_empty() {
                    format!("{whole} ")
                } else {
                    whole
                }
            }
            "dot" => marked(&self.argument(), '\u{307}'),
            "ddot" => marked(&self.argument(), '\u{308}'),
            "bar" => marked(&self.argument(), '\u{304}'),
            "hat" => marked(&self.argument(), '\u{302}'),
            "sqrt" => format!("√{}", grouped(&self.argument())),
            "operatorname" | "text" => {
                let words = self.argument();
                let gap = if before.ends_with([' ', '(']) || before.is_empty() { "" } else { " " };
                format!("{gap}{} ", words.trim())
            }
            "mathcal" => self.argument(),
            "begin" => {
                let kind = self.argument();
                let mut rows = Vec::new();
                let end = format!("\\end{{{kind}}}");
                let mut body = match self.rest.find(&end) {
                    Some(place) => {
                        let body = &self.rest[..place];
                        self.rest = &self.rest[place + end.len()..];
                        Reader { rest: body }
                    }
                    None => Reader { rest: std::mem::take(&mut self.rest) },
                };
                while !body.rest.is_empty() {
                    let row = body.until(&["\\\\"]);
                    rows.push(row.split_whitespace_by_columns());
                }
                format!("[{}]", rows.join("; "))
            }
            _ => SYMBOLS
                .iter()
                .find(|(symbol, _)| *symbol == name)
                .map_or_else(|| name.to_string(), |(_, sign)| self.spaced(sign)),
        }
    }

    /// A function's name keeps its blank only where a letter follows.
    fn spaced(&self, sign: &str) -> String {
        match sign.strip_suffix(' ') {
            Some(bare) if self.rest.starts_with(['^', '(']) => bare.to_string(),
            _ => sign.to_string(),
        }
    }
}

/// Entries of a row, two blanks apart.
trait Columns {
    fn split_whitespace_by_columns(&self) -> String;
}

impl Columns for String {
    fn split_whitespace_by_columns(&self) -> String {
        let clean = |entry: &str| entry.split_whitespace().collect::<Vec<_>>().join(" ");
        self.split("  ").map(clean).filter(|entry| !entry.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

/// In parentheses where it is more than one thing.
fn grouped(text: &str) -> String {
    match text.contains([' ', '/', '−', '+']) {
        true => format!("({text})"),
        false => text.to_string(),
    }
}

/// A mark over the first letter; other marks on it stay.
fn marked(text: &str, mark: char) -> String {
    let place =
        text.char_indices().skip(1).find(|(_, c)| !('\u{300}'..='\u{36f}').contains(c)).map_or(text.len(), |(i, _)| i);
    // Letters that exist with two dots are written as one.
    let (first, rest) = text.split_at(place);
    match (first, mark) {
        ("x", '\u{308}') => format!("ẍ{rest}"),
        ("y", '\u{308}') => format!("ÿ{rest}"),
        ("x", '\u{307}') => format!("ẋ{rest}"),
        ("y", '\u{307}') => format!("ẏ{rest}"),
        ("z", '\u{307}') => format!("ż{rest}"),
        ("g", '\u{307}') => format!("ġ{rest}"),
        _ => format!("{first}{mark}{rest}"),
    }
}

/// As a superscript, where all of it can be one.
fn raised(text: &str) -> String {
    small(text, "0123456789+−()nT", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿᵀ").unwrap_or_else(|| match text {
        "c" => "ᶜ".into(),
        _ => format!("^{}", braces(text)),
    })
}

/// As a subscript, where all of it can be one.
fn lowered(text: &str) -> String {
    small(text, "0123456789+−insxM", "₀₁₂₃₄₅₆₇₈₉₊₋ᵢₙₛₓ\u{0}").unwrap_or_else(|| format!("_{}", braces(text)))
}

fn braces(text: &str) -> String {
    if text.chars().count() > 1 { format!("{{{text}}}") } else { text.to_string() }
}

fn small(text: &str, from: &str, to: &str) -> Option<String> {
    let one =
        |c: char| from.chars().position(|known| known == c).and_then(|at| to.chars().nth(at)).filter(|c| *c != '\0');
    text.chars().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::unicode;

    #[test]
    fn formulas_on_one_line() {
        for (latex, line) in [
            (r"M\,\ddot{q} = Q + Q^c", "Mq̈ = Q + Qᶜ"),
            (r"K_1 = M^{-1/2} (A M^{-1/2})^+", "K₁ = M^{−1/2} (A M^{−1/2})⁺"),
            (
                r"\ddot{x}_2 = -\frac{1}{m_2} \frac{k_1 k_2}{k_1 + k_2} (\bar{x}_1 + \bar{q}_2)",
                "ẍ₂ = −1/m₂ (k₁ k₂)/(k₁ + k₂) (x̄₁ + q̄₂)",
            ),
            (r"A = \begin{bmatrix} -R\sin\alpha & 1 \end{bmatrix}", "A = [−Rsin α, 1]"),
            (r"\cos^2\theta", "cos²θ"),
            (r"Q_{ni} \neq C", "Qₙᵢ ≠ C"),
        ] {
            assert_eq!(unicode(latex), line, "{latex}");
        }
    }
}
