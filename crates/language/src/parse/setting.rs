//! Options, `name = value`, and files in quotes.

use super::cursor::{Parsed, Parser, shorten};
use crate::diagnostic::Diagnostic;
use crate::lex::TokenKind;
use crate::syntax::{Ident, Setting, Text};

impl Parser<'_> {
    /// The sign between a name and its value.
    pub(crate) fn equals(&mut self, name: &str, what: &str) -> Parsed<()> {
        if self.eat(TokenKind::Equal).is_some() {
            return Ok(());
        }
        let token = self.peek();
        let error = Diagnostic::error(
            "missing-equals",
            format!("expected `=` after the name of {what}, found {}", self.found()),
        );
        let error = match token.map(|token| token.kind) {
            Some(TokenKind::Colon | TokenKind::EqualEqual | TokenKind::Tilde) => error
                .at(self.here(), "write `=`")
                .suggest(self.here(), if token.is_some_and(|t| t.blank_before) { "=" } else { " =" }),
            _ => error.at(self.here(), format!("write `{} = …`", shorten(name))),
        };
        Err(self.report(error))
    }

    /// `a = b = c` is no definition.
    pub(crate) fn no_second_equation(&mut self, what: &str) -> Parsed<()> {
        if self.kind() != Some(TokenKind::Equal) {
            return Ok(());
        }
        let error = Diagnostic::error("chained-equation", format!("{what} has one `=`"))
            .at(self.here(), "a second one")
            .help("write two items, separated by `,`");
        Err(self.report(error))
    }

    /// A file in quotes.
    pub(crate) fn path(&mut self) -> Parsed<Text> {
        if let Some(token) = self.eat(TokenKind::Text) {
            let text = self.slice(token.span).trim_matches('"').to_string();
            if !text.trim().is_empty() {
                return Ok(Text { text, span: token.span });
            }
            let error = Diagnostic::error("missing-path", "the quotes are empty")
                .at(token.span, "which file?")
                .help("files are found from the folder of this model: `\"data/f.csv\"`");
            return Err(self.report(error));
        }
        let error = Diagnostic::error("missing-path", format!("expected a file in quotes, found {}", self.found()))
            .at(self.here(), "write its name in `\"`")
            .help("files are found from the folder of this model: `\"data/f.csv\"`");
        Err(self.report(error))
    }

    /// `name = value`.
    pub(crate) fn setting(&mut self) -> Parsed<Setting> {
        let start = self.here();
        let name: Ident = self.name("an option")?;
        self.equals(&name.text, "an option")?;
        let value = self.expression()?;
        self.no_second_equation("an option")?;
        Ok(Setting { name, value, span: self.since(start) })
    }
}
