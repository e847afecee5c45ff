//! What is wrong with the strings of a model, each taken by itself: a string that reaches beyond its place is an error.

use super::{Composer, Fragment, Role};
use crate::diagnostic::Diagnostic;
use crate::lex::tokens;
use crate::parse::{parse, parse_expression, parse_target, parse_unit};
use crate::source::{FileId, Span};
use crate::syntax::{Action, Document, Statement, StatementKind};

impl Composer {
    /// What is wrong with the strings, each taken by itself.
    pub fn check(&self, file: FileId) -> Vec<Diagnostic> {
        self.fragments.iter().flat_map(|fragment| check(file, &self.text, fragment)).collect()
    }

    /// The text, where its strings came from, the document that it is, and all that is wrong with it. Spans lie in
    /// the text. The document is empty if one of the strings is wrong.
    pub fn finish(mut self, file: FileId) -> (String, Vec<Fragment>, Document, Vec<Diagnostic>) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let errors = self.check(file);
        let (document, errors) =
            if errors.is_empty() { parse(file, &self.text) } else { (Document::default(), errors) };
        (self.text, self.fragments, document, errors)
    }
}

/// What is wrong with a string, taken by itself.
fn check(file: FileId, text: &str, fragment: &Fragment) -> Vec<Diagnostic> {
    let (Some(role), Some(given)) = (fragment.role, text.get(fragment.range.clone())) else { return vec![] };
    let whole = Span::new(file, fragment.range.start, fragment.range.end);
    if let Some(at) = given.find(['\n', '\r']) {
        let span = Span::new(file, fragment.range.start + at, fragment.range.start + at + 1);
        return vec![
            Diagnostic::error("not-one-item", format!("a line break inside {}", describe(role)))
                .at(span, "here")
                .help("give it on one line; further statements are given by themselves"),
        ];
    }
    let reaches = |what: &str| {
        vec![
            Diagnostic::error("not-one-item", format!("{what} where {} is expected", describe(role)))
                .at(whole, format!("not {} and nothing else", describe(role)))
                .help("give each item separately"),
        ]
    };
    // A `#` inside quotes begins no comment.
    let has_comment = match role {
        Role::Path => false,
        Role::Title => given.contains('#'),
        _ => !tokens(file, given).1.is_empty(),
    };
    if has_comment {
        return reaches("a comment");
    }
    if given.trim().is_empty() {
        return reaches("nothing");
    }
    if !matches!(role, Role::Action | Role::Family | Role::Path | Role::Title) && has_comma(given) {
        return reaches("a comma");
    }
    let (before, after) = match role {
        Role::Path if given.contains('"') => return reaches("a quotation mark"),
        Role::Word if !given.chars().all(|letter| letter.is_alphanumeric() || letter == '_') => {
            return reaches("something");
        }
        Role::Path | Role::Word | Role::Title => return vec![],
        Role::Expression => return parse_expression(file, given, fragment.range.start).1,
        Role::Name => return parse_target(file, given, fragment.range.start).1,
        Role::Unit => return parse_unit(file, given, fragment.range.start).1,
        Role::Bound => ("stop s: ", " in 0 .. 1"),
        Role::Head => ("let ", " = 0"),
        Role::Function => ("function ", ""),
        Role::Force => ("force ", ": 0"),
        Role::Equation => ("constraint c: ", ""),
        Role::Condition => ("event e: ", " -> stop"),
        Role::Action => ("event e: t > 0 -> ", ""),
        Role::Claim => ("expect ", ""),
        Role::Family => ("draw[", "] point (0, 0)"),
    };
    let (document, errors) = parse(file, &format!("{before}{given}{after}"));
    if errors.iter().any(Diagnostic::is_error) {
        let base = fragment.range.start as i64 - before.len() as i64;
        return errors.into_iter().map(|error| moved(error, base, whole)).collect();
    }
    match document.statements.as_slice() {
        [Statement { kind, .. }] if fits(role, kind) => vec![],
        _ => reaches("more than one item, or another one,"),
    }
}

/// A message about a small statement, moved to where its string stands and kept within it.
fn moved(mut error: Diagnostic, base: i64, whole: Span) -> Diagnostic {
    let shift = |span: Span| {
        let place = |byte: u32| (i64::from(byte) + base).clamp(i64::from(whole.start), i64::from(whole.end)) as u32;
        Span { file: whole.file, start: place(span.start), end: place(span.end) }
    };
    error.labels.iter_mut().for_each(|label| label.span = shift(label.span));
    if let Some(suggestion) = &mut error.suggestion {
        suggestion.span = shift(suggestion.span);
    }
    error
}

/// Whether there is a comma outside all brackets.
fn has_comma(text: &str) -> bool {
    let (mut depth, mut quoted) = (0_i32, false);
    for letter in text.chars() {
        match letter {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth <= 0 => return true,
            _ => {}
        }
    }
    false
}

/// Whether the small statement around a string has become what it should.
fn fits(role: Role, kind: &StatementKind) -> bool {
    match (role, kind) {
        (Role::Head, StatementKind::Let(items)) => items.len() == 1,
        (Role::Function, StatementKind::Function(items)) => matches!(items.as_slice(), [item] if item.unit.is_none()),
        (Role::Force, StatementKind::Force(items)) => matches!(items.as_slice(), [item] if item.on.is_some()),
        (Role::Bound, StatementKind::Stop(_)) => true,
        (Role::Equation, StatementKind::Constraint(item)) => !item.off && item.restitution.is_none(),
        (Role::Condition, StatementKind::Event(item)) => matches!(item.actions.as_slice(), [Action::Stop(_)]),
        (Role::Action, StatementKind::Event(item)) => item.actions.len() == 1,
        (Role::Claim, StatementKind::Expect(items)) => match items.as_slice() {
            [item] => item.target.is_none() && !item.at_start && item.within.is_none(),
            _ => false,
        },
        (Role::Family, StatementKind::Draw(item)) => !item.binders.is_empty(),
        _ => false,
    }
}

/// A role, for messages.
fn describe(role: Role) -> &'static str {
    match role {
        Role::Expression | Role::Bound => "one expression",
        Role::Name | Role::Head => "one name",
        Role::Function => "one function with its arguments",
        Role::Force => "one coordinate, particle or point",
        Role::Unit => "one unit",
        Role::Equation => "one equation",
        Role::Condition => "one condition",
        Role::Action => "one action",
        Role::Claim => "one claim",
        Role::Family => "the indices of a family",
        Role::Word => "one word",
        Role::Path => "a path",
        Role::Title => "a title",
    }
}
