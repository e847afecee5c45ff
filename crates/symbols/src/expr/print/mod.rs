//! How expressions are written: as the language itself, with Greek letters, for print, for the web, and as code.
//!
//! One engine makes a [`Formula`] of every expression, in the order of evaluation; a notation decides how formulas look.
//! An expression beyond a size limit gets a name of its own and is written once, so that neither sharing in the graph nor depth
//! makes the text disproportionately long.

mod code;
mod engine;
pub(crate) mod formula;
pub(crate) mod latex;
pub(crate) mod mathml;
mod matrix;
mod name;
mod order;
mod text;
pub(crate) mod unicode;

pub use code::{
    CodeCondition, CodeCoordinate, CodeOutput, CodeParameter, CodeProgram, CodeShape, Language, Limit, Test,
    expression, function,
};
pub use engine::{FormulaList, Names};
pub use formula::Formula;
pub use matrix::MatrixFormula;

use super::graph::{Graph, Id, Symbol};
use std::fmt;

/// How an expression is to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// The language of models: what is printed can be read back.
    Text,
    /// One line with Greek letters, dots and superscripts.
    Unicode,
    /// LaTeX with amsmath, without the dollar signs.
    Latex,
    /// Presentation MathML, without the enclosing `math` element.
    MathMl,
}

/// A notation and the names that things have in it.
#[derive(Clone, Copy)]
pub struct Style<'a> {
    /// How it looks.
    pub notation: Notation,
    /// What a symbol is called in the model: `x`, `theta[3]`, `p.x'`, `multiplier(rod)`.
    pub name: &'a dyn Fn(Symbol) -> String,
    /// What a table is called in the model.
    pub table: &'a dyn Fn(u32) -> String,
}

impl<'a> Style<'a> {
    /// A style in which tables are called `table1`, `table2`, ….
    pub fn new(notation: Notation, name: &'a dyn Fn(Symbol) -> String) -> Self {
        Self { notation, name, table: &|table| format!("table{}", u64::from(table) + 1) }
    }
}

/// Expressions in print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// Parts with a name of their own, each after those it uses.
    pub definitions: Vec<(String, String)>,
    /// The expressions asked for.
    pub expressions: Vec<String>,
}

/// Beyond this many characters [`Graph::print`] gives parts a name.
const LIMIT: usize = 2000;

impl Graph {
    /// An expression in a style; where it is long, followed by `where x1 = …, x2 = …`.
    ///
    /// ```
    /// use holonom_symbols::expr::{Function, Graph, Notation, Style, Symbol};
    ///
    /// let mut graph = Graph::new();
    /// let (m, g) = (graph.symbol(Symbol::Parameter(0)), graph.symbol(Symbol::Parameter(1)));
    /// let angle = graph.symbol(Symbol::Position(0));
    /// let sine = graph.call(Function::Sin, angle);
    /// let weight = graph.multiply(m, g);
    /// let force = graph.multiply(sine, weight);
    /// let name = |symbol| match symbol {
    ///     Symbol::Parameter(0) => "m".to_string(),
    ///     Symbol::Parameter(_) => "g".to_string(),
    ///     _ => "theta".to_string(),
    /// };
    /// assert_eq!(graph.print(force, &Style::new(Notation::Text, &name)), "m*g*sin(theta)");
    /// assert_eq!(graph.print(force, &Style::new(Notation::Unicode, &name)), "m·g·sin(θ)");
    /// ```
    pub fn print(&self, id: Id, style: &Style) -> String {
        let Printed { definitions, expressions } = self.print_with_names(&[id], style, LIMIT);
        let mut all = expressions.concat();
        for (index, (name, text)) in definitions.iter().enumerate() {
            all += match (style.notation, index) {
                (Notation::Latex, _) => ",\\quad ",
                (Notation::MathMl, _) => "<mo>,</mo><mspace width=\"1em\"/>",
                (_, 0) => " where ",
                _ => ", ",
            };
            all += &equation(style.notation, name, text);
        }
        all
    }

    /// Expressions in a style, with a name for every part that would be longer than `limit` characters.
    ///
    /// The length of all is at most that of the nodes times a multiple of the limit, however much they share.
    pub fn print_with_names(&self, roots: &[Id], style: &Style, limit: usize) -> Printed {
        let names = Names { symbol: style.name, table: style.table };
        let FormulaList { definitions, expressions } = self.formulas(roots, &names, limit);
        let write = |formula: &Formula| formula.print(style.notation);
        Printed {
            definitions: definitions.iter().map(|(name, part)| (write(name), write(part))).collect(),
            expressions: expressions.iter().map(write).collect(),
        }
    }
}

impl Formula {
    /// The formula on one line.
    pub fn print(&self, notation: Notation) -> String {
        match notation {
            Notation::Text => text::write(self),
            Notation::Unicode => unicode::write(self),
            Notation::Latex => latex::write(self),
            Notation::MathMl => mathml::write(self),
        }
    }
}

/// In the language of models.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.print(Notation::Text))
    }
}

/// `name = text`
fn equation(notation: Notation, name: &str, text: &str) -> String {
    match notation {
        Notation::MathMl => format!("{name}<mo>=</mo>{text}"),
        _ => format!("{name} = {text}"),
    }
}

#[cfg(test)]
mod tests;
