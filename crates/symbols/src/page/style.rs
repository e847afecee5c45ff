//! What formulas look like in a browser, wherever they stand: the font that comes with them, and their layout.

/// Letters and signs of formulas, from STIX Two Math; `font/subset.py` says how it was made, `font/OFL.txt` on what terms.
const FONT: &[u8] = include_bytes!("font/holonom-math.woff2");
const FORMULAS: &str = include_str!("formulas.css");

/// Ems between two widths at which formulas change from one line to several.
const STEP: usize = 5;
/// The widest that is told apart, in ems.
const WIDEST: usize = 60;

/// The class of what needs so many columns of a terminal to stand as it is. A column takes half an em.
pub(super) fn class(columns: usize) -> String {
    format!("w{}", (columns.div_ceil(2).div_ceil(STEP) * STEP).min(WIDEST))
}

/// The rules for formulas in a page: the font itself, so that they look the same on every machine, and where their lines end.
///
/// ```
/// assert!(holonom_symbols::page::style().contains("src: url(data:font/woff2;base64,"));
/// ```
pub fn style() -> String {
    let mut rules = format!(
        "@font-face {{ font-family: \"Holonom Math\"; src: url(data:font/woff2;base64,{}) format(\"woff2\"); }}\n{FORMULAS}",
        base64(FONT)
    );
    for ems in (STEP..=WIDEST).step_by(STEP) {
        rules += &format!(
            "@container formulas (min-width: {ems}em) {{ .w{ems}.whole {{ display: inline; }} .w{ems}.broken {{ display: none; }} \
             tbody.w{ems}.whole {{ display: table-row-group; }} }}\n"
        );
    }
    rules
}

/// Three bytes as four letters.
///
/// ```
/// assert_eq!(holonom_symbols::page::base64(b"fo"), "Zm8=");
/// ```
pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let all = group.iter().enumerate().fold(0u32, |all, (i, byte)| all | u32::from(*byte) << (16 - 8 * i));
        for place in 0..4 {
            let letter = LETTERS[(all >> (18 - 6 * place) & 63) as usize] as char;
            out.push(if place <= group.len() { letter } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_bytes() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    /// The font is a WOFF2 file, and small enough to be in every page.
    #[test]
    fn the_font_is_small() {
        assert_eq!(&FONT[..4], b"wOF2");
        assert!(FONT.len() < 60_000, "{} bytes", FONT.len());
    }
}
