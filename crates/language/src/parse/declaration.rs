//! Statements that give names: title, param, coord, let, table, function, particle.

use super::cursor::{Parsed, Parser, Reported, shorten};
use super::target::Form;
use crate::diagnostic::Diagnostic;
use crate::lex::TokenKind;
use crate::source::Span;
use crate::syntax::{
    CoordItem, Definition, Expr, FunctionItem, Ident, ParticleItem, ParticlePlace, Setting, StatementKind, TableItem,
    Text,
};

type Kinds = Vec<(StatementKind, Span)>;

impl Parser<'_> {
    pub(crate) fn title(&mut self, out: &mut Kinds) -> Parsed<()> {
        let mut words = vec![];
        while let Some(token) = self.eat(TokenKind::Words) {
            words.push(self.slice(token.span));
        }
        if words.is_empty() {
            let error =
                Diagnostic::error("missing-item", "this title has no words").at(self.gap(), "write some after `title`");
            return Err(self.report(error));
        }
        out.push((StatementKind::Title(words.join(" ")), self.gap()));
        Ok(())
    }

    pub(crate) fn param(&mut self, out: &mut Kinds) -> Parsed<()> {
        let all = self.some_items("a parameter", |p| p.definition("a parameter", Form::Declared))?;
        out.push((StatementKind::Param(all), self.gap()));
        Ok(())
    }

    pub(crate) fn definition_of_let(&mut self, out: &mut Kinds) -> Parsed<()> {
        let all = self.some_items("a definition", |p| p.definition("a let", Form::Declared))?;
        out.push((StatementKind::Let(all), self.gap()));
        Ok(())
    }

    /// `target = value`, for a let also `target(a, b) = value`.
    pub(crate) fn definition(&mut self, what: &str, form: Form) -> Parsed<Definition> {
        let start = self.here();
        let target = self.target(form, what)?;
        let mut arguments = vec![];
        if let Some(open) = self.eat(TokenKind::OpenParen) {
            if what != "a let" {
                let error = Diagnostic::error("unexpected-arguments", format!("{what} takes no arguments"))
                    .at(open.span, "")
                    .help("define a function with `let f(a) = …`");
                return Err(self.report(error));
            }
            loop {
                arguments.push(self.name("an argument")?);
                if self.eat(TokenKind::Comma).is_none() {
                    break;
                }
            }
            self.close(open, TokenKind::CloseParen)?;
        }
        let name = self.slice(target.span);
        self.equals(name, what)?;
        let value = self.expression()?;
        self.no_second_equation(what)?;
        Ok(Definition { target, arguments, value, span: self.since(start) })
    }

    /// The sign between a name and its value.
    fn equals(&mut self, name: &str, what: &str) -> Parsed<()> {
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

    pub(crate) fn coord(&mut self, out: &mut Kinds) -> Parsed<()> {
        let all = self.some_items("a coordinate", |p| {
            let start = p.here();
            if p.unit_in_brackets() {
                return Err(p.unit_without_colon());
            }
            let target = p.target(Form::Declared, "a coordinate")?;
            if p.kind() == Some(TokenKind::OpenParen) {
                return Err(p.arguments_of_coordinate());
            }
            if p.kind() == Some(TokenKind::Equal) {
                let error = Diagnostic::error("coordinate-value", "a coordinate has no value of its own")
                    .at(p.here(), "")
                    .help(format!("its value at the beginning is given by `start {} = …`", p.slice(target.span)));
                return Err(p.report(error));
            }
            if let Some(word) = p.word(0) {
                let error = Diagnostic::error("missing-colon", format!("a sign is missing before `{word}`"))
                    .at(p.here(), "a unit follows a colon, another coordinate a comma")
                    .help(format!("write `{}: {word}` or `{0}, {word}`", p.slice(target.span)));
                return Err(p.report(error));
            }
            let unit = match p.eat(TokenKind::Colon) {
                Some(_) => Some(p.unit()?),
                None => None,
            };
            Ok(CoordItem { target, unit, span: p.since(start) })
        })?;
        out.push((StatementKind::Coord(all), self.gap()));
        Ok(())
    }

    /// `x(t)`: reading goes on after the parenthesis.
    fn arguments_of_coordinate(&mut self) -> Reported {
        let open = self.here();
        let close = (0..self.end - self.at).find(|&count| self.kind_ahead(count) == Some(TokenKind::CloseParen));
        let span = close.and_then(|count| self.ahead(count)).map_or(open, |token| open.to(token.span));
        let error = Diagnostic::error("unexpected-arguments", "a coordinate takes no arguments")
            .at(span, "every coordinate is a function of the time anyway")
            .suggest(span, "");
        self.report(error)
    }

    /// Whether `x [m]` or `x[m]` stands here, with a unit that is not meant as an index.
    fn unit_in_brackets(&self) -> bool {
        let brackets = [1, 3].map(|count| self.kind_ahead(count));
        let unit = self.word(2).filter(|name| crate::units::lookup(name).is_some());
        let apart = self.ahead(1).is_some_and(|open| open.blank_before);
        brackets == [Some(TokenKind::OpenBracket), Some(TokenKind::CloseBracket)]
            && self.kind_ahead(4) != Some(TokenKind::Colon)
            && unit.is_some_and(|name| apart || !self.seems_declared(name))
    }

    fn unit_without_colon(&mut self) -> Reported {
        let (name, unit) = (shorten(self.slice(self.here())), self.word(2).unwrap_or("m"));
        let span = [1, 3].map(|count| self.ahead(count).map_or(self.here(), |token| token.span));
        let gap = Span { start: self.here().end, ..span[0].to(span[1]) };
        let error = Diagnostic::error("missing-colon", "the unit of a coordinate follows a colon")
            .at(span[0].to(span[1]), format!("write `{name}: {unit}`"))
            .suggest(gap, format!(": {unit}"));
        self.report(error)
    }

    pub(crate) fn table(&mut self, out: &mut Kinds) -> Parsed<()> {
        let mut all: Vec<TableItem> = vec![];
        self.items("a table", |p| {
            let start = p.here();
            let option = p.kind_ahead(1) == Some(TokenKind::Equal) && p.kind_ahead(2) != Some(TokenKind::Text);
            if let (true, Some(last)) = (option, all.last_mut()) {
                let setting = p.setting()?;
                last.span = last.span.to(setting.span);
                last.options.push(setting);
                return Ok(());
            }
            let target = p.target(Form::Declared, "a table")?;
            p.equals("f", "a table")?;
            let path = p.path()?;
            all.push(TableItem { target, path, options: vec![], span: p.since(start) });
            Ok(())
        });
        if all.is_empty() {
            return Err(Reported);
        }
        out.push((StatementKind::Table(all), self.gap()));
        Ok(())
    }

    pub(crate) fn function(&mut self, out: &mut Kinds) -> Parsed<()> {
        let all = self.some_items("a function", |p| {
            let start = p.here();
            let target = p.target(Form::Declared, "a function")?;
            let name = p.slice(target.span);
            let arguments = p.arguments_of_function(name)?;
            if p.kind() == Some(TokenKind::Equal) {
                let head = shorten(p.slice(p.since(start)));
                let error = Diagnostic::error("unexpected-equals", "a `function` has no value: it stays a symbol")
                    .at(p.here(), "a value follows")
                    .help(format!("a function with a value is written `let {head} = …`"));
                return Err(p.report(error));
            }
            let unit = match p.eat(TokenKind::Colon) {
                Some(_) => Some(p.unit()?),
                None => None,
            };
            Ok(FunctionItem { target, arguments, unit, span: p.since(start) })
        })?;
        out.push((StatementKind::Function(all), self.gap()));
        Ok(())
    }

    /// `(x, t)`, at least one.
    fn arguments_of_function(&mut self, name: &str) -> Parsed<Vec<Expr>> {
        let open = self.eat(TokenKind::OpenParen);
        let (Some(open), true) = (open, self.kind() != Some(TokenKind::CloseParen)) else {
            let error = Diagnostic::error("arguments", format!("the function `{}` has no arguments", shorten(name)))
                .at(self.here(), "of what is it a function?")
                .help(format!(
                    "write `function {0}(t)` or `function {0}(x, t)`; what never changes is a `param`",
                    shorten(name)
                ));
            return Err(self.report(error));
        };
        let mut arguments = vec![];
        loop {
            arguments.push(self.expression()?);
            if self.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.close(open, TokenKind::CloseParen)?;
        Ok(arguments)
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

    pub(crate) fn particle(&mut self, out: &mut Kinds) -> Parsed<()> {
        let all = self.some_items("a particle", |p| {
            let start = p.here();
            let target = p.target(Form::Declared, "a particle")?;
            let name = p.slice(target.span);
            if p.eat(TokenKind::Colon).is_none() {
                let error = Diagnostic::error("missing-colon", format!("expected `:` and a mass, found {}", p.found()))
                    .at(p.here(), "the mass is missing here")
                    .help(format!("write `particle {name}: m at (x, y)`; the mass may be 0"));
                return Err(p.report(error));
            }
            if p.is_word(0, "in") || p.is_word(0, "at") {
                let place = shorten(p.slice(p.here()));
                let error = Diagnostic::error(
                    "expected-expression",
                    format!("the mass of the particle `{name}` is missing"),
                )
                .at(p.here(), format!("write a mass before `{place}`"))
                .help(format!(
                    "write `particle {name}: m {place} …`, with a parameter or a number as the mass; it may be 0"
                ));
                return Err(p.report(error));
            }
            let mass = p.expression()?;
            let place = p.place(name)?;
            Ok(ParticleItem { target, mass, place, span: p.since(start) })
        })?;
        out.push((StatementKind::Particle(all), self.gap()));
        Ok(())
    }

    /// `at POINT`, `in plane`, `in space`.
    fn place(&mut self, name: &str) -> Parsed<ParticlePlace> {
        if self.eat_word("at").is_some() {
            return Ok(ParticlePlace::At(self.expression()?));
        }
        if self.eat_word("in").is_some() {
            if let Some(token) = self.eat_word("plane") {
                return Ok(ParticlePlace::Plane(token.span));
            }
            if let Some(token) = self.eat_word("space") {
                return Ok(ParticlePlace::Space(token.span));
            }
        } else if self.peek().is_some_and(|token| token.kind != TokenKind::Comma) {
            return Err(self.unexpected());
        }
        let error = Diagnostic::error("missing-place", format!("where is the particle `{name}`?"))
            .at(self.here(), "expected `at`, `in plane` or `in space`")
            .help("say where it is, `at (x, y)`, or give it coordinates of its own, `in plane` or `in space`");
        Err(self.report(error))
    }
}
