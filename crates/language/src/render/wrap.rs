//! Text in lines of a given width.

use super::excerpt::breadth;

/// Text as lines of at most `room` columns, the first with `taken` columns less. Line breaks stay. What stands between backticks is
/// broken only where it does not fit on a line, and a word never is.
pub(super) fn wrapped(text: &str, taken: usize, room: usize) -> Vec<String> {
    if room == usize::MAX {
        return text.split('\n').map(str::to_string).collect();
    }
    let (mut lines, mut used) = (Vec::new(), taken);
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for piece in pieces(paragraph, room) {
            let blank = usize::from(!line.is_empty());
            // Where the line is empty, a break gains nothing.
            if used > 0 && used + blank + columns(piece) > room {
                lines.push(std::mem::take(&mut line));
                used = 0;
            } else if blank > 0 {
                line.push(' ');
                used += 1;
            }
            line.push_str(piece);
            used += columns(piece);
        }
        lines.push(line);
        used = 0;
    }
    lines
}

/// How many columns a text takes.
pub(super) fn columns(text: &str) -> usize {
    text.chars().map(|letter| breadth(letter, 0)).sum()
}

/// Words, and what stands between backticks as one where it fits on a line.
fn pieces(text: &str, room: usize) -> Vec<&str> {
    let mut all = Vec::new();
    let (mut start, mut code) = (0, false);
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        code ^= letter == '`';
        if at < text.len() && (letter != ' ' || code) {
            continue;
        }
        let piece = &text[start..at];
        if columns(piece) > room {
            all.extend(piece.split(' '));
        } else {
            all.push(piece);
        }
        start = (at + 1).min(text.len());
    }
    all.retain(|piece| !piece.is_empty());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_code_stays_whole_where_it_can() {
        let text = "write `a b c`, or\nsomething else: `one two three four`";
        assert_eq!(wrapped(text, 4, usize::MAX), ["write `a b c`, or", "something else: `one two three four`"]);
        assert_eq!(wrapped(text, 0, 12), ["write", "`a b c`, or", "something", "else: `one", "two three", "four`"]);
        assert_eq!(wrapped("abc def", 9, 12), ["abc", "def"]);
        assert_eq!(wrapped("abc", 11, 12), ["", "abc"]);
        assert_eq!(wrapped("longer than six", 0, 6), ["longer", "than", "six"]);
        assert_eq!(wrapped("漢字 漢字", 0, 8), ["漢字", "漢字"]);
    }
}
