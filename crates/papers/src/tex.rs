//! Formulas of this crate, written in LaTeX once and shown everywhere as trees of the library.
//!
//! Only the LaTeX that the lists use is understood: sums of products with powers, subscripts, accents, fractions,
//! roots, functions of one name, matrices, and signs between them. What is not understood becomes words.

use holonom::symbols::expr::{Formula, Function, Graph, Names, Notation, Number, Symbol};

/// A formula of the lists.
pub(crate) fn formula(latex: &str) -> Formula {
    Reader { rest: latex, depth: 0 }.row()
}

/// A formula on one line.
pub(crate) fn unicode(latex: &str) -> String {
    let line = formula(latex).print(Notation::Unicode).replace('·', " ");
    line.replace("^-1/2", "^(−1/2)").replace("^1/2", "^(1/2)")
}

/// The two sides of an equation, where there is one; the last sign of equality parts them.
pub(crate) fn sides(latex: &str) -> Option<(Formula, Formula)> {
    let mut depth = 0_i32;
    let mut first = None;
    for (place, letter) in latex.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            '=' if depth == 0 && first.is_none() => first = Some(place),
            ',' if depth == 0 && first.is_none() => return None,
            _ => {}
        }
    }
    let (left, right) = latex.split_at(first?);
    // Where an environment is open the sign belongs to it.
    let open = left.matches(r"\begin").count() != left.matches(r"\end").count();
    (!open).then(|| (formula(left), formula(&right[1..])))
}

/// Letters of other alphabets and signs that are names.
const LETTERS: &[&str] =
    &["alpha", "beta", "gamma", "delta", "eta", "theta", "mu", "varphi", "psi", "Delta", "partial"];
/// Signs between formulas.
const SIGNS: &[(&str, &str)] =
    &[("to", "→"), ("neq", "≠"), ("Rightarrow", "⇒"), ("Leftrightarrow", "⇔"), ("quad", " ")];
/// Functions of the language.
const FUNCTIONS: &[(&str, Function)] = &[("sin", Function::Sin), ("cos", Function::Cos), ("tan", Function::Tan)];

/// Deeper than any formula here.
const DEEPEST: usize = 40;

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

/// The next piece of text.
enum Token<'a> {
    Command(&'a str),
    Letter(char),
    End,
}

impl<'a> Reader<'a> {
    fn token(&self) -> (Token<'a>, &'a str) {
        let rest = self.rest.trim_start();
        let Some(first) = rest.chars().next() else { return (Token::End, rest) };
        if first != '\\' {
            return (Token::Letter(first), &rest[first.len_utf8()..]);
        }
        let body = &rest[1..];
        let letters = body.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(body.len());
        let length = if letters > 0 { letters } else { body.chars().next().map_or(0, char::len_utf8) };
        (Token::Command(&body[..length]), &body[length..])
    }

    /// Takes a letter if it comes next.
    fn takes(&mut self, letter: char) -> bool {
        match self.token() {
            (Token::Letter(next), rest) if next == letter => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Sums with signs between them, up to a closing bracket or the end.
    fn row(&mut self) -> Formula {
        let mut parts = Vec::new();
        loop {
            let (token, rest) = self.token();
            match token {
                Token::End | Token::Letter('}' | ')' | ']' | '&') | Token::Command("}" | "\\" | "end") => break,
                Token::Letter(sign @ ('=' | ',' | ';' | '>' | '<')) => {
                    self.rest = rest;
                    parts.push(Formula::sign(&sign.to_string()));
                }
                Token::Command(name) if SIGNS.iter().any(|(known, _)| *known == name) => {
                    self.rest = rest;
                    let sign = SIGNS.iter().find(|(known, _)| *known == name).map_or("", |(_, sign)| sign);
                    if !sign.trim().is_empty() {
                        parts.push(Formula::sign(sign));
                    }
                }
                _ => match self.sum() {
                    Some(sum) => parts.push(sum),
                    None => self.rest = rest, // no formula begins so
                },
            }
        }
        if parts.len() == 1 { parts.remove(0) } else { Formula::row(parts) }
    }

    fn sum(&mut self) -> Option<Formula> {
        let mut terms = Vec::new();
        loop {
            let minus = self.takes('-');
            if !minus && !terms.is_empty() && !self.takes('+') {
                break;
            }
            let Some(term) = self.product() else { break };
            terms.push(if minus { term.minus() } else { term });
        }
        (!terms.is_empty()).then(|| Formula::sum(terms))
    }

    fn product(&mut self) -> Option<Formula> {
        let mut factors: Vec<Formula> = Vec::new();
        loop {
            if self.takes('/') {
                let above = whole(std::mem::take(&mut factors))?;
                factors.push(above.over(self.factor()?));
            } else if let Some(factor) = self.factor() {
                factors.push(factor);
            } else {
                return whole(factors);
            }
        }
    }

    /// An atom with what is raised and lowered beside it.
    fn factor(&mut self) -> Option<Formula> {
        let mut base = self.atom()?;
        loop {
            if self.takes('^') {
                base = match self.argument_text() {
                    "T" => base.transposed(),
                    "+" => base.pseudo_inverse(),
                    // A fraction up there is written with a slash, not with a bar.
                    text if text.contains('/') => base.power(Formula::sign(text)),
                    text if text.chars().all(char::is_alphabetic) => base.power(Formula::words(text)),
                    text => base.power(formula_at(text, self.depth)),
                };
            } else if self.takes('_') {
                base = match self.argument_text() {
                    text if text.chars().all(char::is_alphanumeric) => base.subscript(Formula::words(text)),
                    text => base.subscript(formula_at(text, self.depth)),
                };
            } else {
                return Some(base);
            }
        }
    }

    /// The text of a group, or of a single letter or command.
    fn argument_text(&mut self) -> &'a str {
        let rest = self.rest.trim_start();
        if let Some(inside) = rest.strip_prefix('{') {
            let mut depth = 1;
            for (place, letter) in inside.char_indices() {
                depth += match letter {
                    '{' => 1,
                    '}' => -1,
                    _ => 0,
                };
                if depth == 0 {
                    self.rest = &inside[place + 1..];
                    return &inside[..place];
                }
            }
        }
        let (_, after) = self.token();
        self.rest = after;
        &rest[..rest.len() - after.len()]
    }

    fn argument(&mut self) -> Formula {
        let text = self.argument_text();
        formula_at(text, self.depth)
    }

    fn atom(&mut self) -> Option<Formula> {
        let (token, rest) = self.token();
        match token {
            Token::Letter(digit) if digit.is_ascii_digit() => {
                let text = self.rest.trim_start();
                let length = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
                self.rest = &text[length..];
                text[..length].parse().ok().map(Formula::integer)
            }
            Token::Letter(letter) if letter.is_alphabetic() => {
                self.rest = rest;
                Some(Formula::name(&letter.to_string()))
            }
            Token::Letter('(' | '[' | '{') | Token::Command("{") => {
                self.rest = rest;
                let inside = self.nested(Self::row);
                let (_, rest) = self.token();
                self.rest = rest; // what closes it
                Some(inside)
            }
            Token::Letter('|') => {
                self.rest = rest;
                let inside = self.atom();
                self.takes('|');
                inside.map(|inside| called(Function::Abs, &inside, 1))
            }
            Token::Command(name) => {
                let before = self.rest;
                self.rest = rest;
                let found = self.command(name);
                if found.is_none() {
                    self.rest = before;
                }
                found
            }
            _ => None,
        }
    }

    fn command(&mut self, name: &'a str) -> Option<Formula> {
        if let Some((_, function)) = FUNCTIONS.iter().find(|(known, _)| *known == name) {
            let power = if self.takes('^') { self.argument_text().parse().unwrap_or(1) } else { 1 };
            let of = self.atom()?;
            return Some(called(*function, &of, power));
        }
        Some(match name {
            "frac" | "tfrac" => {
                let above = self.argument();
                above.over(self.argument())
            }
            "dot" => self.argument().dot(),
            "ddot" => self.argument().dots(),
            "bar" => self.argument().bar(),
            "hat" => self.argument().hat(),
            "sqrt" => self.argument().root(),
            "text" | "operatorname" => Formula::words(self.argument_text().trim()),
            "mathcal" => self.argument(),
            "min" | "det" => Formula::words(name),
            "dots" => Formula::words("…"),
            "left" | "right" | "," | ";" => return self.atom(),
            "begin" => self.matrix(),
            _ if LETTERS.contains(&name) => match name {
                "varphi" => Formula::name("phi"),
                "partial" => Formula::words("∂"),
                _ => Formula::name(name),
            },
            _ => return None,
        })
    }

    fn matrix(&mut self) -> Formula {
        self.argument_text();
        let (mut entries, mut columns) = (Vec::new(), 0);
        loop {
            entries.push(self.nested(Self::row));
            let (token, rest) = self.token();
            match token {
                Token::Letter('&') => self.rest = rest,
                Token::Command("\\") => {
                    self.rest = rest;
                    if columns == 0 {
                        columns = entries.len();
                    }
                }
                _ => {
                    self.rest = rest;
                    self.argument_text();
                    let columns = if columns == 0 { entries.len() } else { columns };
                    return Formula::matrix(columns, entries);
                }
            }
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Formula) -> Formula {
        if self.depth >= DEEPEST {
            let words = Formula::words(self.rest);
            self.rest = "";
            return words;
        }
        self.depth += 1;
        let inside = read(self);
        self.depth -= 1;
        inside
    }
}

/// A text inside another one.
fn formula_at(text: &str, depth: usize) -> Formula {
    Reader { rest: text, depth: depth + 1 }.nested(Reader::row)
}

/// A product, or its only factor.
fn whole(mut factors: Vec<Formula>) -> Option<Formula> {
    match factors.len() {
        0 => None,
        1 => factors.pop(),
        _ => Some(Formula::product(factors)),
    }
}

/// A function of a name, perhaps raised to a power, as the library writes it.
fn called(function: Function, of: &Formula, power: i32) -> Formula {
    let mut graph = Graph::new();
    let argument = graph.symbol(Symbol::Time);
    let call = graph.call(function, argument);
    let raised = graph.product(Number::ONE, &[(call, power)]);
    // The name as models have it comes back from the formula on one line.
    let name = of.print(Notation::Text);
    let formulas = graph.formulas(&[raised], &Names::new(&|_| name.clone()), usize::MAX);
    formulas.expressions.into_iter().next().unwrap_or_else(|| of.clone())
}

#[cfg(test)]
mod tests {
    use super::unicode;

    #[test]
    fn formulas_on_one_line() {
        for (latex, line) in [
            (r"M\,\ddot{q} = Q + Q^c", "M q̈ = Q + Q^c"),
            (r"K_1 = M^{-1/2} (A M^{-1/2})^+", "K₁ = M^(−1/2) (A M^(−1/2))⁺"),
            (r"v^T (M\,\ddot{q} - Q - C) = 0", "vᵀ (M q̈ − Q − C) = 0"),
            (
                r"\ddot{x}_2 = -\frac{1}{m_2} \frac{k_1 k_2}{k_1 + k_2} (\bar{x}_1 + \bar{q}_2)",
                "ẍ₂ = −(1/m₂) (k₁ k₂/(k₁ + k₂)) (x̄₁ + q̄₂)",
            ),
            (r"A = \begin{bmatrix} -R\sin\alpha & 1 \end{bmatrix}", "A = [−R sin(α), 1]"),
            (r"\cos^2\theta", "cos²(θ)"),
            (r"Q_{ni} \neq C", "Qₙᵢ ≠ C"),
            (r"\operatorname{rank}\bar{M} = n", "rank M̄ = n"),
            (r"\frac{a_0}{|u|} y", "(a₀/|u|) y"),
        ] {
            assert_eq!(unicode(latex), line, "{latex}");
        }
    }

    #[test]
    fn nothing_is_lost_and_nothing_hangs() {
        for text in ["", "{", "}", "((((", r"\frac", r"\begin{bmatrix} 1", "^", "a^", r"\unknown x", "& & \\\\"] {
            let _ = unicode(text);
        }
        let deep = "(".repeat(1000);
        let _ = unicode(&deep);
    }
}
