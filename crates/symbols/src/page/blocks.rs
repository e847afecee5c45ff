//! What is on a page: headings, text, equations, tables, from top to bottom.

use super::inline::Rich;
use crate::expr::Formula;

/// A page, from top to bottom.
///
/// ```
/// use holonom_symbols::expr::Formula;
/// use holonom_symbols::page::{Equation, Page};
///
/// let mut page = Page::new();
/// page.heading(1, "A pendulum");
/// let ratio = Formula::name("g").over(Formula::name("l"));
/// let sine = Formula::row([Formula::words("sin"), Formula::name("theta")]);
/// page.equation(Equation::new(Formula::name("theta''"), Formula::product([ratio, sine]).minus()).numbered("5.39"));
/// let text = page.unicode(60, false);
/// assert!(text.contains("g"));
/// assert!(text.contains("θ̈ = − ─ (sin θ)"));
/// assert!(text.contains("(5.39)"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// What is on it.
    pub blocks: Vec<Block>,
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading; level 1 is the title.
    Heading(u8, Rich),
    /// A paragraph.
    Text(Rich),
    /// Equations below each other, aligned at their signs.
    Equations(Vec<Equation>),
    /// Items.
    List(Vec<Rich>),
    /// A table with a line of headings.
    Table {
        /// The headings of its columns.
        head: Vec<Rich>,
        /// Its rows.
        rows: Vec<Vec<Rich>>,
    },
    /// Text as it is.
    Code {
        /// What language it is in: `rust`, `holo`; or nothing.
        language: String,
        /// The text.
        text: String,
    },
    /// A remark, less prominent than a paragraph.
    Note(Rich),
}

/// An equation: `left = right`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation {
    /// What stands left of the sign; nothing continues the equation above.
    pub left: Option<Formula>,
    /// The sign, `=` for most.
    pub sign: String,
    /// What stands right of it.
    pub right: Formula,
    /// The number that a paper has for it, without parentheses.
    pub number: Option<String>,
}

impl Equation {
    /// `left = right`
    pub fn new(left: Formula, right: Formula) -> Self {
        Self { left: Some(left), sign: "=".to_string(), right, number: None }
    }

    /// `= right`, below another equation with the same left side.
    pub fn next(right: Formula) -> Self {
        Self { left: None, sign: "=".to_string(), right, number: None }
    }

    /// A formula without an equals sign.
    pub fn alone(formula: Formula) -> Self {
        Self { left: None, sign: String::new(), right: formula, number: None }
    }

    /// With another sign: `≠`, `≈`, `:=`.
    #[must_use]
    pub fn with_sign(mut self, sign: &str) -> Self {
        self.sign = sign.to_string();
        self
    }

    /// With a number at the margin.
    #[must_use]
    pub fn numbered(mut self, number: &str) -> Self {
        self.number = Some(number.to_string());
        self
    }

    /// The equations of the entries of a matrix that is too wide to be written as one: `M₁₂ = …`, zeros left out.
    pub(super) fn entries(&self) -> Option<Vec<Self>> {
        use crate::expr::formula::Shape;
        let (Some(left), Shape::Matrix { columns, entries }) = (&self.left, self.right.shape()) else { return None };
        // `a = M⁻¹Q` is known by its name, the first side.
        let name = match left.shape() {
            Shape::Row(parts) if parts.get(1).is_some_and(|sign| *sign == Formula::sign("=")) => &parts[0],
            _ => left,
        };
        let zero = Formula::integer(0);
        let mut list = Vec::new();
        for (index, entry) in entries.iter().enumerate().filter(|&(_, entry)| *entry != zero) {
            let (row, column) = (index / columns + 1, index % columns + 1);
            // Where no index has two digits, nothing is gained by a comma between them.
            let small = *columns < 10 && entries.len() < 10 * columns;
            let place = match columns {
                1 => row.to_string(),
                _ if small => format!("{row}{column}"),
                _ => format!("{row},{column}"),
            };
            let number = if list.is_empty() { self.number.clone() } else { None };
            let left = Some(name.clone().subscript(Formula::words(&place)));
            list.push(Self { left, sign: self.sign.clone(), right: entry.clone(), number });
        }
        (!list.is_empty()).then_some(list)
    }
}

impl Page {
    /// An empty page.
    pub fn new() -> Self {
        Self::default()
    }

    /// A heading; level 1 is the title.
    pub fn heading(&mut self, level: u8, text: impl Into<Rich>) -> &mut Self {
        self.push(Block::Heading(level.clamp(1, 4), text.into()))
    }

    /// A paragraph. In plain text, `` `names` `` in backticks become code.
    pub fn text(&mut self, text: impl Into<Rich>) -> &mut Self {
        self.push(Block::Text(text.into()))
    }

    /// One equation.
    pub fn equation(&mut self, equation: Equation) -> &mut Self {
        self.push(Block::Equations(vec![equation]))
    }

    /// Equations below each other, aligned at their signs.
    pub fn equations(&mut self, equations: impl IntoIterator<Item = Equation>) -> &mut Self {
        self.push(Block::Equations(equations.into_iter().collect()))
    }

    /// Items.
    pub fn list(&mut self, items: impl IntoIterator<Item = Rich>) -> &mut Self {
        self.push(Block::List(items.into_iter().collect()))
    }

    /// A table with a line of headings.
    pub fn table(&mut self, head: Vec<Rich>, rows: Vec<Vec<Rich>>) -> &mut Self {
        self.push(Block::Table { head, rows })
    }

    /// Text as it is, in a language such as `rust`.
    pub fn code(&mut self, language: &str, text: &str) -> &mut Self {
        self.push(Block::Code { language: language.to_string(), text: text.to_string() })
    }

    /// A remark.
    pub fn note(&mut self, text: impl Into<Rich>) -> &mut Self {
        self.push(Block::Note(text.into()))
    }

    fn push(&mut self, block: Block) -> &mut Self {
        self.blocks.push(block);
        self
    }

    /// The page cut at its headings of one level: what stands before the first, then each with its heading.
    pub fn parts(&self, level: u8) -> Vec<Self> {
        let mut parts = vec![Self::new()];
        for block in &self.blocks {
            if matches!(block, Block::Heading(of, _) if *of == level) {
                parts.push(Self::new());
            }
            parts.last_mut().unwrap_or(&mut Self::new()).blocks.push(block.clone());
        }
        parts
    }

    /// The text of the first heading.
    pub(super) fn title(&self) -> String {
        let heading = self.blocks.iter().find_map(|block| match block {
            Block::Heading(_, text) => Some(text.plain()),
            _ => None,
        });
        heading.unwrap_or_default()
    }
}
