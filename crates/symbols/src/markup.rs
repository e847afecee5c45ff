//! Text inside XML and HTML.

/// Text that may stand between tags and in quoted attributes: markup is escaped, and characters that no page may hold are replaced by `\u{fffd}`.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[test]
fn nothing_is_taken_for_markup() {
    assert_eq!(escaped("a<b> & \"c\"\n"), "a&lt;b&gt; &amp; &quot;c&quot;\n");
    assert_eq!(escaped("x' \u{0}\u{1b}\u{ffff}\r"), "x' \u{fffd}\u{fffd}\u{fffd}\u{fffd}");
}
