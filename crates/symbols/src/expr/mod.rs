//! Expressions: one shared graph, its derivatives, its simplification, and how it prints.

mod derivative;
mod evaluate;
mod function;
mod graph;
mod number;
mod pattern;
mod print;
mod product;
mod simplify;
mod substitute;
mod sum;
mod table;
mod unspecified;

pub use function::{Function, Relation};
pub use graph::FastMap;
pub use graph::{Depends, Graph, Id, Node, Symbol};
pub use number::Number;
pub use pattern::{ExpressionPattern, Recipe, Renaming};
pub use print::{
    CodeCondition, CodeCoordinate, CodeOutput, CodeParameter, CodeProgram, CodeShape, Formula, FormulaList, Language,
    Limit, MatrixFormula, Names, Notation, Printed, Style, Test, expression as code_expression,
    function as code_function,
};
pub(crate) use print::{formula, latex, mathml, unicode};
pub use simplify::Zero;
pub use table::{Table, TableError};
pub use unspecified::Level;
pub use unspecified::Unspecified;
