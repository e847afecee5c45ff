//! What to write for the springs of other tools.

use super::cursor::Parser;
use crate::lex::{Token, TokenKind};
use crate::source::Span;

/// What people call the length of a spring at rest.
const LENGTHS: [&str; 8] = ["L", "L0", "l0", "l", "length", "rest", "rest_length", "natural"];

impl Parser<'_> {
    /// What to write for `spring p q, k = 3`: the energy of a spring between two points, or between two coordinates.
    pub(super) fn spring_between(&self) -> Option<String> {
        let tokens = self.tokens.get(self.at + 1..self.end)?;
        let mut items = tokens.split(|token| token.kind == TokenKind::Comma);
        let ends = self.side_by_side(items.next()?);
        let [from, to] = &ends[..] else { return None };
        let stiffness = items.find_map(|item| match item {
            [name, equal, first, .., last] | [name, equal, first @ last]
                if equal.kind == TokenKind::Equal && !LENGTHS.contains(&self.slice(name.span)) =>
            {
                Some(self.slice(first.span.to(last.span)).to_string())
            }
            [only] => Some(self.slice(only.span).to_string()),
            _ => None,
        })?;
        let coordinates = [from, to].iter().all(|end| self.is_coordinate(end));
        Some(if coordinates {
            format!(
                "a spring is an energy: `potential {stiffness}*({from} - {to})^2/2`, with its length at rest taken off"
            )
        } else {
            format!(
                "a spring is an energy: `potential {stiffness}*norm({from} - {to})^2/2`; with a length L at rest, `(norm({from} - {to}) - L)^2`"
            )
        })
    }

    /// Names with blanks between them, each with its indices and components.
    fn side_by_side(&self, tokens: &[Token]) -> Vec<String> {
        let mut names: Vec<Span> = vec![];
        let mut depth = 0;
        for token in tokens {
            match token.kind {
                TokenKind::OpenBracket | TokenKind::OpenParen => depth += 1,
                TokenKind::CloseBracket | TokenKind::CloseParen => depth -= 1,
                TokenKind::Name | TokenKind::Dot | TokenKind::Number => {}
                _ if depth == 0 => return vec![],
                _ => {}
            }
            match names.last_mut().filter(|_| depth > 0 || !token.blank_before) {
                Some(last) => *last = last.to(token.span),
                None => names.push(token.span),
            }
        }
        names.into_iter().map(|span| self.slice(span).to_string()).collect()
    }

    /// Whether `coord` declares what a text begins with: for messages, where it need not be certain.
    fn is_coordinate(&self, text: &str) -> bool {
        let name = text.split(['[', '.']).next().unwrap_or(text);
        let mut declares = false;
        self.tokens.iter().any(|token| {
            if token.indent == Some(0) {
                declares = self.slice(token.span) == "coord";
            }
            declares && self.slice(token.span) == name
        })
    }
}
