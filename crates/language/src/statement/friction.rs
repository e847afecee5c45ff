//! `friction plane: coulomb(mu), slip = x', normal = reaction(plane)`: friction in a constraint.

use super::notation::{Found, Notation};
use crate::builder::ModelBuilder;
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::object::{expr, object, options, target};
use crate::json::reader::Reader;
use crate::json::value::Value;
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser, Reported, shorten};
use crate::parse::target::Form;
use crate::source::Span;
use crate::syntax::{Expr, Setting, Target};
use crate::visit::visit_fields;

#[cfg(test)]
use crate::random::Author;

/// `plane: coulomb(mu), slip = x', normal = reaction(plane)`.
#[derive(Clone, Debug)]
pub struct FrictionItem {
    /// Which constraint.
    pub target: Target,
    /// The law: a call such as `coulomb(mu)`, or the name of a table.
    pub law: Expr,
    /// `slip = …`, `normal = …`
    pub options: Vec<Setting>,
    /// All of it.
    pub span: Span,
}

visit_fields! {
    FrictionItem { target, law, options, span }
}

pub(super) struct Friction;

impl Notation for Friction {
    type Content = FrictionItem;

    fn read(&self, p: &mut Parser) -> Parsed<Found<FrictionItem>> {
        let mut all: Vec<FrictionItem> = vec![];
        p.items("a friction law", |p| {
            let start = p.here();
            if let (Some(TokenKind::Equal), Some(last)) = (p.separator(), all.last_mut()) {
                let setting = p.setting()?;
                last.span = last.span.to(setting.span);
                last.options.push(setting);
                return Ok(());
            }
            let target = p.target(Form::Named, "a constraint")?;
            let missing = p.kind() != Some(TokenKind::Colon);
            let plane = if missing { p.some_constraint().unwrap_or("plane") } else { "" };
            let help = format!("write the constraint, a colon and the law: `friction {plane}: coulomb(mu)`");
            p.expect(TokenKind::Colon, "missing-colon", ":", &help)?;
            if p.word(0).is_some() && p.kind_ahead(1) == Some(TokenKind::Equal) {
                return Err(p.coefficient_alone(target.span));
            }
            let law = p.expression()?;
            all.push(FrictionItem { target, law, options: vec![], span: p.since(start) });
            Ok(())
        });
        Ok(Found::Each(all.into_iter().map(|item| (item.span, item)).collect()))
    }

    fn print(&self, item: &FrictionItem, pen: &mut Pen) {
        pen.pad_keyword();
        pen.target(&item.target);
        pen.colon();
        pen.expression(&item.law);
        pen.settings(&item.options);
    }

    fn to_json(&self, item: &FrictionItem) -> String {
        let of = object().with("constraint", target(&item.target)).with("law", expr(&item.law));
        of.with("options", options(&item.options)).end()
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        let may = ["constraint", "law", "options"];
        let Some(fields) = reader.fields(value, &may, &["constraint", "law"]) else { return };
        reader.given(&fields, "constraint", Role::Name);
        reader.composer.put(": ");
        reader.given(&fields, "law", Role::Expression);
        reader.options(fields.get("options"));
    }

    fn values<'c>(&self, item: &'c FrictionItem) -> Vec<&'c Expr> {
        std::iter::once(&item.law).chain(item.options.iter().map(|setting| &setting.value)).collect()
    }

    fn families<'c>(&self, item: &'c FrictionItem) -> Vec<&'c Target> {
        vec![&item.target]
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> FrictionItem {
        let (target, law) = (author.named(), author.value(2));
        FrictionItem { target, law, options: author.settings(), span: Span::default() }
    }
}

impl Parser<'_> {
    /// `friction floor: mu = 0.3`.
    fn coefficient_alone(&mut self, target: Span) -> Reported {
        let Ok(setting) = self.setting() else { return Reported };
        let (name, value) = (shorten(self.slice(target)), shorten(self.slice(setting.value.span)));
        let error = Diagnostic::error("unknown-law", format!("`{}` is not a law of friction", setting.name.text))
            .at(setting.span, "a law and its coefficients stand here")
            .help(format!("for dry friction write `friction {name}: coulomb({value})`"))
            .suggest(setting.span, format!("coulomb({value})"));
        self.report(error)
    }

    /// The first constraint that has a name, for messages.
    fn some_constraint(&self) -> Option<&str> {
        let mut pairs = self.tokens.windows(2);
        let named = pairs.find(|two| self.slice(two[0].span) == "constraint" && two[1].kind == TokenKind::Name)?;
        Some(self.slice(named[1].span))
    }
}

impl ModelBuilder {
    /// `friction constraint: law`
    pub fn friction(self, constraint: &str, law: &str) -> Self {
        self.friction_with(constraint, law, &[])
    }

    /// `friction constraint: law, slip = …, normal = …`
    pub fn friction_with(self, constraint: &str, law: &str, settings: &[(&str, &str)]) -> Self {
        let law = self.begin("friction").give(Role::Name, constraint).put(": ").give(Role::Expression, law);
        law.settings(settings)
    }
}
