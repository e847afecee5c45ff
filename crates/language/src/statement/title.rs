//! `title Block on a rough incline`: the name of a model.

use super::notation::{Found, Notation};
use crate::builder::ModelBuilder;
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::reader::Reader;
use crate::json::value::{Value, quote};
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser};
use crate::syntax::Expr;

#[cfg(test)]
use crate::random::Author;

pub(super) struct Title;

impl Notation for Title {
    type Content = String;

    fn read(&self, p: &mut Parser) -> Parsed<Found<String>> {
        let mut words = vec![];
        while let Some(token) = p.eat(TokenKind::Words) {
            words.push(p.slice(token.span));
        }
        if words.is_empty() {
            let error =
                Diagnostic::error("missing-item", "this title has no words").at(p.gap(), "write some after `title`");
            return Err(p.report(error));
        }
        Ok(Found::One(words.join(" ")))
    }

    fn print(&self, title: &String, pen: &mut Pen) {
        pen.pad_keyword();
        pen.text(title);
    }

    fn to_json(&self, title: &String) -> String {
        quote(title)
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        reader.give(Role::Title, value);
    }

    fn values<'c>(&self, _title: &'c String) -> Vec<&'c Expr> {
        vec![]
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> String {
        author.one_of(&["A: b, \"c\"", "x = 1", "Ünï 'q' (2005, eq. 26)"]).to_string()
    }
}

impl ModelBuilder {
    /// `title …`: a line of words.
    pub fn title(self, title: &str) -> Self {
        self.begin("title").give(Role::Title, title)
    }
}
