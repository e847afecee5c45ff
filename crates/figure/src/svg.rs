//! The SVG output: short numbers, text as text, nothing from outside.

use std::fmt::Write;

use crate::canvas::{Anchor, Canvas, Paint, TextStyle};
use crate::colour::Colour;
use crate::thin::Point;
use holonom_symbols::markup::escaped;

const FONTS: &str = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif";

pub(crate) struct Svg {
    body: String,
}

impl Svg {
    /// Begins a drawing; `title` and `desc` are what a screen reader says.
    pub fn new(width: f64, height: f64, paper: Colour, title: &str, desc: &str) -> Svg {
        let body = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" font-family=\"{FONTS}\" fill=\"none\" stroke-linejoin=\"round\">\n\
             <title>{}</title>\n<desc>{}</desc>\n<path fill=\"{}\" d=\"M0 0H{width}V{height}H0z\"/>\n",
            line(title),
            line(desc),
            hex(paper)
        );
        Svg { body }
    }

    pub fn finish(mut self) -> String {
        self.body.push_str("</svg>\n");
        self.body
    }

    fn paint(&mut self, paint: Paint, round: bool) {
        if let Some(fill) = paint.fill {
            let _ = write!(self.body, " fill=\"{}\"", hex(fill));
        }
        if let Some(stroke) = paint.stroke {
            let width = number(hundredths(stroke.width));
            let _ = write!(self.body, " stroke=\"{}\" stroke-width=\"{width}\"", hex(stroke.colour));
            if !stroke.dash.is_empty() {
                let dash: Vec<String> = stroke.dash.iter().map(|d| number(hundredths(*d))).collect();
                let _ = write!(self.body, " stroke-dasharray=\"{}\"", dash.join(" "));
            } else if round {
                self.body.push_str(" stroke-linecap=\"round\"");
            }
        }
        self.body.push_str("/>\n");
    }
}

impl Canvas for Svg {
    fn lines(&mut self, lines: &[Vec<Point>], closed: bool, paint: Paint) {
        if lines.iter().all(|l| l.len() < 2) {
            return;
        }
        self.body.push_str("<path d=\"");
        for line in lines.iter().filter(|l| l.len() > 1) {
            // Differences of rounded places: they are short, and their errors do not add up.
            let mut at = [0, 0];
            for (i, p) in line.iter().enumerate() {
                let next = p.map(hundredths);
                let step = [number(next[0] - at[0]), number(next[1] - at[1])];
                self.body.push_str(match i {
                    0 => "M",
                    1 => "l",
                    _ if step[0].starts_with('-') => "",
                    _ => " ",
                });
                let gap = if step[1].starts_with('-') { "" } else { " " };
                if i == 0 {
                    let _ = write!(self.body, "{}{gap}{}", number(next[0]), number(next[1]));
                } else {
                    let _ = write!(self.body, "{}{gap}{}", step[0], step[1]);
                }
                at = next;
            }
            if closed {
                self.body.push('z');
            }
        }
        self.body.push('"');
        self.paint(paint, !closed && lines.iter().any(|l| l.len() > 2));
    }

    fn circle(&mut self, centre: Point, radius: f64, paint: Paint) {
        let [x, y, r] = [centre[0], centre[1], radius].map(|v| number(hundredths(v)));
        let _ = write!(self.body, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"");
        self.paint(paint, false);
    }

    fn text(&mut self, text: &str, at: Point, style: TextStyle) {
        let [x, y] = at.map(|v| number(hundredths(v)));
        if style.upright {
            let _ = write!(self.body, "<text transform=\"translate({x} {y})rotate(-90)\"");
        } else {
            let _ = write!(self.body, "<text x=\"{x}\" y=\"{y}\"");
        }
        let _ = write!(self.body, " font-size=\"{}\" fill=\"{}\"", number(hundredths(style.size)), hex(style.colour));
        match style.anchor {
            Anchor::Start => {}
            Anchor::Middle => self.body.push_str(" text-anchor=\"middle\""),
            Anchor::End => self.body.push_str(" text-anchor=\"end\""),
        }
        if let Some(halo) = style.halo {
            let _ = write!(self.body, " stroke=\"{}\" stroke-width=\"3\" paint-order=\"stroke\"", hex(halo));
        }
        let _ = writeln!(self.body, ">{}</text>", line(text));
    }
}

/// A length in hundredths of a pixel; what is not finite or far outside is brought to a bound.
fn hundredths(v: f64) -> i64 {
    (100.0 * v).clamp(-1e9, 1e9).round() as i64
}

/// Hundredths as a decimal without superfluous zeros.
fn number(v: i64) -> String {
    let sign = if v < 0 { "-" } else { "" };
    let (whole, part) = (v.unsigned_abs() / 100, v.unsigned_abs() % 100);
    let whole = if whole == 0 && part != 0 { String::new() } else { whole.to_string() };
    match part {
        0 => format!("{sign}{whole}"),
        p if p % 10 == 0 => format!("{sign}{whole}.{}", p / 10),
        p => format!("{sign}{whole}.{p:02}"),
    }
}

fn hex([r, g, b]: Colour) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Text on one line; characters that XML forbids are left out.
fn line(text: &str) -> String {
    let allowed = |c: &char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    escaped(&text.replace(['\n', '\t'], " ").chars().filter(allowed).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_finite() {
        for (v, want) in
            [(0.0, "0"), (-0.5, "-.5"), (12.345, "12.35"), (3.10, "3.1"), (0.07, ".07"), (1e99, "10000000")]
        {
            assert_eq!(number(hundredths(v)), want);
        }
        assert_eq!(number(hundredths(f64::NAN)), "0");
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(line("a<b> & \"c\"\u{0}\u{ffff}\n"), "a&lt;b&gt; &amp; &quot;c&quot; ");
    }
}
