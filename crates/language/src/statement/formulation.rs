//! `formulation bodies`: which coordinates bodies have.

use super::notation::{Found, Notation};
use crate::builder::ModelBuilder;
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::reader::Reader;
use crate::json::value::{Value, quote};
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser};
use crate::source::Span;
use crate::syntax::{Expr, Ident};

#[cfg(test)]
use crate::random::Author;

pub(super) struct Formulation;

impl Notation for Formulation {
    type Content = Ident;

    fn read(&self, p: &mut Parser) -> Parsed<Found<Ident>> {
        const HELP: &str = "write `formulation joints` or `formulation bodies`";
        if let Some(sign) = p.peek().filter(|sign| matches!(sign.kind, TokenKind::Equal | TokenKind::Colon)) {
            let gap = Span { end: p.ahead(1).map_or(sign.span.end, |next| next.span.start), ..sign.span };
            let error = Diagnostic::error("unexpected-sign", format!("unexpected `{}`", p.slice(sign.span)))
                .at(sign.span, "the word follows the keyword")
                .help(HELP)
                .suggest(gap, "");
            return Err(p.report(error));
        }
        let Some(token) = p.eat(TokenKind::Name) else {
            let error = Diagnostic::error("missing-item", format!("expected a word, found {}", p.found()))
                .at(p.here(), "`joints` or `bodies` stands here")
                .help(HELP);
            return Err(p.report(error));
        };
        if p.peek().is_some() {
            let error = Diagnostic::error("unexpected-word", "a formulation is one word")
                .at(p.here(), "something follows it")
                .help(HELP);
            return Err(p.report(error));
        }
        Ok(Found::One(p.ident(token)))
    }

    fn print(&self, word: &Ident, pen: &mut Pen) {
        pen.pad_keyword();
        pen.at(word.span);
        pen.text(&word.text);
    }

    fn to_json(&self, word: &Ident) -> String {
        quote(&word.text)
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        reader.give(Role::Word, value);
    }

    fn values<'c>(&self, _word: &'c Ident) -> Vec<&'c Expr> {
        vec![]
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> Ident {
        author.name()
    }
}

impl ModelBuilder {
    /// `formulation word`: `joints` or `bodies`.
    pub fn formulation(self, word: &str) -> Self {
        self.begin("formulation").give(Role::Word, word)
    }
}
