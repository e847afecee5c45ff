//! What a statement has to say about itself.

use crate::format::pen::Pen;
use crate::json::reader::Reader;
use crate::json::value::Value;
use crate::parse::cursor::{Parsed, Parser};
use crate::source::Span;
use crate::syntax::{Expr, Target, Unit};
use crate::visit::Visit;

#[cfg(test)]
use crate::random::Author;

/// How a statement is written: in text and in JSON, there and back, and what stands in it.
///
/// Beside it a file has the methods of `ModelBuilder`. What the statement means is the business of `elaborate`.
pub(crate) trait Notation {
    /// What a document keeps of it.
    type Content: Visit;

    /// Text → content: reads what follows the keyword.
    fn read(&self, p: &mut Parser) -> Parsed<Found<Self::Content>>;

    /// Content → text: what follows the keyword, the blanks before it included.
    fn print(&self, content: &Self::Content, pen: &mut Pen);

    /// Content → JSON: the value of the keyword.
    fn to_json(&self, content: &Self::Content) -> String;

    /// JSON → the text that follows the keyword.
    fn read_json(&self, value: &Value, reader: &mut Reader);

    /// Its expressions, in order, as far as their units say that a model has units.
    fn values<'c>(&self, content: &'c Self::Content) -> Vec<&'c Expr>;

    /// The units in it that belong to no expression.
    fn units<'c>(&self, _content: &'c Self::Content) -> Vec<&'c Unit> {
        vec![]
    }

    /// What it declares in the common name space, each with what it is.
    fn declares<'c>(&self, _content: &'c Self::Content) -> Vec<(&'c Target, &'static str)> {
        vec![]
    }

    /// The families that are unrolled for it, member by member.
    fn families<'c>(&self, _content: &'c Self::Content) -> Vec<&'c Target> {
        vec![]
    }

    /// Any content that can be written, for the laws of printing and reading.
    #[cfg(test)]
    fn random(&self, author: &mut Author) -> Self::Content;
}

/// What the line of a statement holds.
pub(crate) enum Found<T> {
    /// A single statement.
    One(T),
    /// Several statements of a kind that takes one item, each with its place.
    Each(Vec<(Span, T)>),
}

impl<T> Found<T> {
    /// The statements, where there are several with their places.
    pub(super) fn map<S>(self, statement: impl Fn(T) -> S) -> Vec<(Option<Span>, S)> {
        match self {
            Self::One(one) => vec![(None, statement(one))],
            Self::Each(all) => all.into_iter().map(|(span, one)| (Some(span), statement(one))).collect(),
        }
    }
}
