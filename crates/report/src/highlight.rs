//! The text of a model with its words marked, by the tokens of the language itself.

use crate::html::escaped;
use holonom::language::{FileId, TokenKind, tokens};

/// HTML of the text: keywords, numbers, units, functions, texts and comments in spans of their own.
pub(crate) fn highlighted(text: &str) -> String {
    let (tokens, comments, _) = tokens(FileId(0), text);
    let mut marks: Vec<(usize, usize, &str)> = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        let after = |kind: TokenKind| i > 0 && tokens[i - 1].kind == kind;
        let before = |kind: TokenKind| tokens.get(i + 1).is_some_and(|next| next.kind == kind && !next.blank_before);
        let class = match token.kind {
            // A statement begins in the first column; in a part, at its margin.
            TokenKind::Name if token.indent == Some(0) => "k",
            TokenKind::Name if before(TokenKind::OpenParen) => "f",
            TokenKind::Name if after(TokenKind::Number) && token.blank_before => "u",
            TokenKind::Number => "n",
            TokenKind::Text | TokenKind::Words => "s",
            _ => continue,
        };
        marks.push((start, end, class));
    }
    marks.extend(comments.iter().map(|comment| (comment.span.start as usize, comment.span.end as usize, "c")));
    marks.sort_unstable();
    let mut out = String::new();
    let mut at = 0;
    for (start, end, class) in marks {
        // Whatever the tokens of a broken text are, all of it is shown once.
        if let (true, Some(plain), Some(word)) = (start >= at, text.get(at..start), text.get(start..end)) {
            out += &escaped(plain);
            out += &format!("<span class=\"{class}\">{}</span>", escaped(word));
            at = end;
        }
    }
    lines(&(out + &escaped(text.get(at..).unwrap_or_default())))
}

/// Each line by itself, so that one that is too long goes on further in than it begins.
fn lines(html: &str) -> String {
    html.trim_end().split('\n').map(|line| format!("<span class=\"line\">{line}\n</span>")).collect()
}

#[cfg(test)]
mod tests {
    use super::highlighted;

    #[test]
    fn words_are_marked_and_nothing_is_lost() {
        let text = "param m = 2 kg # <mass>\nkinetic m*sin(x)^2\n";
        let html = highlighted(text);
        for part in [
            "<span class=\"k\">param</span>",
            "<span class=\"n\">2</span> <span class=\"u\">kg</span>",
            "<span class=\"c\"># &lt;mass&gt;</span>",
            "<span class=\"f\">sin</span>(x)",
        ] {
            assert!(html.contains(part), "no {part} in {html}");
        }
        assert_eq!(html.matches("class=\"line\"").count(), 2);
    }
}
