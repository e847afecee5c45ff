//! Words in a line, with names and formulas among them.

use crate::expr::{Formula, Notation};

/// What a judgement means for its reader. A terminal shows it as a colour, print does not show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As it should be: `unique`, `holds`.
    Good,
    /// To be looked at: `redundant`, `interrupted`.
    Doubtful,
    /// Wrong: `not unique`, `failed`.
    Bad,
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Words.
    Words(String),
    /// Words that matter.
    Strong(String),
    /// Words that judge.
    Judged(Tone, String),
    /// A name or a piece of a model, as it is typed.
    Code(String),
    /// A formula.
    Formula(Formula),
}

/// A line of words, code and formulas.
///
/// ```
/// use holonom_symbols::expr::Formula;
/// use holonom_symbols::page::{Inline, Rich};
///
/// let text = Rich::from("the mass of `block` is **not** known: ").formula(Formula::name("m1"));
/// assert_eq!(text.plain(), "the mass of block is not known: m₁");
/// assert_eq!(text.parts.len(), 6);
/// assert_eq!(text.parts[1], Inline::Code("block".to_string()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rich {
    /// Its parts, with the blanks between them in the words.
    pub parts: Vec<Inline>,
}

impl Rich {
    /// Followed by words as they are.
    #[must_use]
    pub fn words(mut self, words: &str) -> Self {
        self.parts.push(Inline::Words(words.to_string()));
        self
    }

    /// Followed by words that judge.
    #[must_use]
    pub fn judged(mut self, tone: Tone, words: &str) -> Self {
        self.parts.push(Inline::Judged(tone, words.to_string()));
        self
    }

    /// Followed by a formula.
    #[must_use]
    pub fn formula(mut self, formula: Formula) -> Self {
        self.parts.push(Inline::Formula(formula));
        self
    }

    /// Followed by code.
    #[must_use]
    pub fn code(mut self, code: &str) -> Self {
        self.parts.push(Inline::Code(code.to_string()));
        self
    }

    /// The text alone, formulas on one line.
    pub fn plain(&self) -> String {
        self.parts
            .iter()
            .map(|part| match part {
                Inline::Words(text) | Inline::Strong(text) | Inline::Judged(_, text) | Inline::Code(text) => {
                    text.clone()
                }
                Inline::Formula(formula) => formula.print(Notation::Unicode),
            })
            .collect()
    }
}

impl From<&str> for Rich {
    /// Words, with code in backticks and what matters between double stars.
    fn from(text: &str) -> Self {
        let mut parts = Vec::new();
        for (index, outer) in text.split('`').enumerate() {
            // An odd number of backticks leaves the last one without a partner: it stays words.
            if index % 2 == 1 {
                parts.push(Inline::Code(outer.to_string()));
                continue;
            }
            for (index, inner) in outer.split("**").enumerate() {
                if inner.is_empty() {
                    continue;
                }
                let inner = inner.to_string();
                parts.push(if index % 2 == 1 { Inline::Strong(inner) } else { Inline::Words(inner) });
            }
        }
        Self { parts }
    }
}

impl From<String> for Rich {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<Formula> for Rich {
    fn from(formula: Formula) -> Self {
        Self { parts: vec![Inline::Formula(formula)] }
    }
}
