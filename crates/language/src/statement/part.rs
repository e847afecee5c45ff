//! `part arm = "arm.holo" with L = 2 m`, or `part arm` with indented statements.

use super::Statement;
use super::definition::{Definition, definition_to_json};
use super::notation::{Found, Notation};
use crate::builder::{ModelBuilder, Placement};
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::object::{list, object, placed, target};
use crate::json::placement::PLACES as KEYS;
use crate::json::reader::Reader;
use crate::json::value::{Value, quote};
use crate::lex::{Token, TokenKind};
use crate::parse::cursor::{Parsed, Parser, Reported, ends_operand, ends_quantity};
use crate::parse::placement::{PLACES, Wording};
use crate::parse::target::Form;
use crate::source::Span;
use crate::syntax::{Expr, PlaceClause, Target, Text};
use crate::visit::{visit_fields, visit_variants};

#[cfg(test)]
use crate::random::Author;

/// `arm = "arm.holo" with L = 2 m`.
#[derive(Clone, Debug)]
pub struct PartItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// Where its statements are.
    pub source: PartSource,
    /// `with L = 2 m, m = 1 kg`
    pub with: Vec<Definition>,
    /// `at P, turned z by a`: the part is placed as a whole.
    pub placement: Vec<PlaceClause>,
    /// All of it.
    pub span: Span,
}

/// Where the statements of a part are.
#[derive(Clone, Debug)]
pub enum PartSource {
    /// In another file.
    File(Text),
    /// In the indented lines that follow.
    Inline(Vec<Statement>),
}

visit_fields! {
    PartItem { target, source, with, placement, span }
}

visit_variants! {
    PartSource { File(path) Inline(statements) }
}

const PART: Wording = Wording {
    keyword: "part",
    what: "a part",
    name: "p1",
    form: "part leg = \"leg.holo\" with L = 2 m, at P, turned z by a",
    clauses: PLACES,
    flags: &[],
    settings: &[],
};

pub(super) struct Part;

impl Notation for Part {
    type Content = PartItem;

    fn read(&self, p: &mut Parser) -> Parsed<Found<PartItem>> {
        let keyword = p.tokens[p.at - 1];
        p.nested(|p| p.part_item(keyword)).map(Found::One)
    }

    fn print(&self, item: &PartItem, pen: &mut Pen) {
        pen.pad_keyword();
        pen.target(&item.target);
        if let PartSource::File(path) = &item.source {
            pen.text(" = ");
            pen.path(path);
        }
        if let Some(first) = item.with.first() {
            pen.word("with", first.span);
            pen.commas(&item.with, &mut Pen::definition);
        }
        pen.placement(&item.placement, true);
    }

    fn to_json(&self, item: &PartItem) -> String {
        let named = object().with("name", target(&item.target));
        let with = Some(&item.with).filter(|with| !with.is_empty()).map(|with| list(with, definition_to_json));
        match &item.source {
            PartSource::File(path) => placed(named.with("path", quote(&path.text)).with("with", with), &item.placement),
            PartSource::Inline(inner) => {
                let statements = Statement::list_to_json(inner).replace('\n', "\n    ");
                placed(named.with("with", with), &item.placement).with("statements", statements)
            }
        }
        .end()
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        let may = [&["name", "path", "with", "statements"][..], &KEYS].concat();
        let Some(fields) = reader.fields(value, &may, &["name"]) else { return };
        reader.given(&fields, "name", Role::Name);
        match (fields.get("path"), fields.get("statements")) {
            (Some(path), None) => reader.give_path(path),
            (None, Some(_)) => {}
            _ => reader.either(value, "path", "statements"),
        }
        if let Some(with) = fields.get("with") {
            reader.composer.put(" with ");
            reader.each(with, |reader, item| reader.definition(item, &["name", "value"]));
        }
        reader.placement(value, &fields, true);
        if let Some(statements) = fields.get("statements") {
            let outer = std::mem::take(&mut reader.composer);
            reader.statements(statements);
            let inner = std::mem::replace(&mut reader.composer, outer);
            reader.composer.indented(&inner);
        }
    }

    fn values<'c>(&self, item: &'c PartItem) -> Vec<&'c Expr> {
        let with = item.with.iter().map(|with| &with.value);
        with.chain(item.placement.iter().flat_map(PlaceClause::expressions)).collect()
    }

    fn declares<'c>(&self, item: &'c PartItem) -> Vec<(&'c Target, &'static str)> {
        vec![(&item.target, "part")]
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> PartItem {
        let target = author.declared();
        let placement = author.placement(0);
        let (source, with) = match author.below(2) {
            0 => (PartSource::File(author.text()), author.some(0, 2, |author| author.definition(false))),
            _ => (PartSource::Inline(author.inner_statements()), vec![]),
        };
        PartItem { target, source, with, placement, span: Span::default() }
    }
}

impl Parser<'_> {
    fn part_item(&mut self, keyword: Token) -> Parsed<PartItem> {
        let start = self.here();
        let target = self.target(Form::Declared, "a part")?;
        let (mut with, mut placement) = (vec![], vec![]);
        let source = if self.eat(TokenKind::Equal).is_some() {
            let path = self.path()?;
            self.part_clauses(true, &mut with, &mut placement);
            if self.peek().is_some() {
                return Err(self.unexpected());
            }
            PartSource::File(path)
        } else {
            let (end, head) = (self.end, self.end_of_head());
            self.end = head;
            if self.kind() == Some(TokenKind::Comma) || self.clause_begins(PLACES) {
                self.part_clauses(false, &mut with, &mut placement);
                if self.peek().is_some() {
                    self.unexpected();
                }
                self.at = self.end;
            }
            self.end = end;
            let Some(margin) = self.peek().and_then(|token| token.indent) else {
                return Err(self.empty_part(&target, keyword));
            };
            self.same_blanks()?;
            let mut statements = vec![];
            self.block(margin, &mut statements);
            PartSource::Inline(statements)
        };
        Ok(PartItem { target, source, with, placement, span: self.since(start) })
    }

    /// Where the head of an inline part ends: its clauses may go on in indented lines, after a comma or a sign.
    fn end_of_head(&self) -> usize {
        let mut depth = 0usize;
        for at in self.at..self.end {
            let token = self.tokens[at];
            match token.kind {
                TokenKind::OpenParen | TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseParen | TokenKind::CloseBracket => depth = depth.saturating_sub(1),
                _ => {}
            }
            let begins = token.kind == TokenKind::Name && !ends_quantity(self.slice(token.span));
            let open = at > self.at && !(begins && ends_operand(self.tokens[at - 1].kind));
            if token.indent.is_some() && depth == 0 && !open {
                return at;
            }
        }
        self.end
    }

    /// `with L = 2 m, at P, turned z by a`, the place and the parameters in any order. Only a `file` has parameters.
    fn part_clauses(&mut self, file: bool, with: &mut Vec<Definition>, placement: &mut Vec<PlaceClause>) {
        let parameters = file && self.is_word(0, "with");
        if self.clause_begins(PLACES) {
            self.missing_comma();
        } else if !parameters && self.eat(TokenKind::Comma).is_none() {
            return;
        }
        let mut given = false;
        self.items(if parameters { "a parameter" } else { "a place" }, |p| {
            loop {
                given |= file && p.eat_word("with").is_some();
                if p.clause_begins(PLACES) {
                    p.placed(placement)?;
                } else if given {
                    with.push(p.definition("a parameter", Form::Named)?);
                    if p.clause_begins(PLACES) {
                        return Err(p.missing_comma());
                    }
                } else {
                    p.without_equals(PLACES)?;
                    return Err(p.no_clause_of_part(file));
                }
                if !(file && p.is_word(0, "with")) {
                    return Ok(());
                }
            }
        });
    }

    fn no_clause_of_part(&mut self, file: bool) -> Reported {
        let (here, comma) = (self.here(), self.last().map_or(self.here(), |last| last.span));
        if !file && self.is_word(0, "with") {
            let error = Diagnostic::error("unexpected-word", "a part in the same file has no `with`")
                .at(here, "its parameters stand among its statements")
                .help("write `param …` in the indented lines, or take the part from a file: `part arm = \"arm.holo\" with L = 2 m`");
            return self.report(error);
        }
        if file && self.word(0).is_some() && self.kind_ahead(1) == Some(TokenKind::Equal) {
            let error = Diagnostic::error("unknown-option", "the parameters of a part follow `with`")
                .at(here, "a parameter")
                .suggest(comma, " with");
            return self.report(error);
        }
        self.no_clause(PART)
    }

    fn empty_part(&mut self, target: &Target, keyword: Token) -> Reported {
        let name = self.slice(target.span);
        let error = Diagnostic::error("empty-part", format!("the part `{name}` is empty"))
            .at(keyword.span.to(self.here()), "")
            .help(format!("write `part {name} = \"{name}.holo\"`, or its statements in indented lines below"));
        self.report(error)
    }

    /// Within a part, columns decide, so lines must not be indented by tabulators here and by blanks there.
    fn same_blanks(&mut self) -> Parsed<()> {
        let mut first: Option<bool> = None;
        for at in self.at..self.end {
            let token = self.tokens[at];
            if token.indent.is_none_or(|indent| indent == 0) {
                continue;
            }
            let blanks = self.indentation(token);
            let tabs = self.slice(blanks).contains('\t');
            if *first.get_or_insert(tabs) != tabs {
                let error = Diagnostic::error("mixed-indentation", "this part is indented by tabulators and by blanks")
                    .at(blanks, if tabs { "a tabulator" } else { "blanks, where a line above has a tabulator" })
                    .note("the column of a statement decides whether it belongs to the part")
                    .help("use blanks only");
                return Err(self.report(error));
            }
        }
        Ok(())
    }
}

impl ModelBuilder {
    /// `part name = "path" with name = value, …`
    pub fn part_file(self, name: &str, path: &str, with: &[(&str, &str)]) -> Self {
        self.part_file_placed(name, path, with, &Placement::new())
    }

    /// `part name = "path" with name = value, …, at …`: placed as a whole.
    pub fn part_file_placed(mut self, name: &str, path: &str, with: &[(&str, &str)], place: &Placement) -> Self {
        self = self.begin("part").give(Role::Name, name).put(" = \"").give(Role::Path, path).put("\"");
        for (which, (name, value)) in with.iter().enumerate() {
            self = self.put(if which == 0 { " with " } else { ", " });
            self = self.give(Role::Name, *name).put(" = ").give(Role::Expression, *value);
        }
        self.place(place, true)
    }

    /// `part name` and, indented, the statements of another builder.
    pub fn part(self, name: &str, statements: &Self) -> Self {
        self.part_placed(name, &Placement::new(), statements)
    }

    /// `part name, at …` and, indented, the statements of another builder.
    pub fn part_placed(mut self, name: &str, place: &Placement, statements: &Self) -> Self {
        self = self.begin("part").give(Role::Name, name).place(place, true);
        self.composer.indented(&statements.composer);
        self
    }
}
