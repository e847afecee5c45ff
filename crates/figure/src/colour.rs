//! Colours: of the page, of lines by their number, of shapes by name.

use crate::model::Theme;

/// Red, green and blue.
pub(crate) type Colour = [u8; 3];

/// What a page is made of.
#[derive(Clone, Copy)]
pub(crate) struct Palette {
    pub paper: Colour,
    pub ink: Colour,
    /// Numbers at the axes, notes.
    pub muted: Colour,
    pub axis: Colour,
    pub grid: Colour,
    lines: &'static [u32; 12],
    names: &'static [u32; 12],
}

const NAMES: [&str; 12] =
    ["black", "gray", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink", "brown", "white"];

// Lines of the same dash pattern (six each) differ in lightness as well as in hue, so that they can be told apart
// with a missing kind of cone; `colours_differ_without_a_kind_of_cone` measures it.
const LIGHT_LINES: [u32; 12] = [
    0x1558b4, 0xb93a00, 0x0aae78, 0x834276, 0xd29004, 0x14120f, 0x22a6ef, 0x72200c, 0x3c3cb9, 0x8fa80f, 0xe27a78,
    0x70506e,
];
const DARK_LINES: [u32; 12] = [
    0x3a8fde, 0xf0713a, 0x52e0a4, 0xba669a, 0xfad636, 0xd8ecff, 0xacdffb, 0xa06e38, 0xa878f5, 0xc6de46, 0xf88a88,
    0x708ea5,
];
const LIGHT_NAMES: [u32; 12] = [
    0x1f2328, 0x7c8590, 0xc9323f, 0xd9730d, 0xc79a00, 0x2a8f4f, 0x0f8b8d, 0x0b66b0, 0x6a45b5, 0xc7508f, 0x8a4b1f,
    0xffffff,
];
const DARK_NAMES: [u32; 12] = [
    0xe8eaed, 0x98a1ad, 0xf0646f, 0xff9a4d, 0xf4cf4a, 0x55c47a, 0x3cc7c9, 0x4ea3e8, 0xa58af5, 0xf08fc0, 0xc99a6b,
    0x15181d,
];

const fn rgb(hex: u32) -> Colour {
    [(hex >> 16) as u8, (hex >> 8) as u8, hex as u8]
}

impl Palette {
    pub fn of(theme: Theme) -> Palette {
        match theme {
            Theme::Light => Palette {
                paper: rgb(0xffffff),
                ink: rgb(0x1f2328),
                muted: rgb(0x4b535d),
                axis: rgb(0x6b7480),
                grid: rgb(0xe4e7eb),
                lines: &LIGHT_LINES,
                names: &LIGHT_NAMES,
            },
            Theme::Dark => Palette {
                paper: rgb(0x15181d),
                ink: rgb(0xe8eaed),
                muted: rgb(0xb1b8c2),
                axis: rgb(0x8c96a3),
                grid: rgb(0x2b3038),
                lines: &DARK_LINES,
                names: &DARK_NAMES,
            },
        }
    }

    /// The colour of line number `i`; after twelve they begin again.
    pub fn line(&self, i: usize) -> Colour {
        rgb(self.lines[i % 12])
    }

    /// A colour by name or as `#rrggbb`.
    pub fn named(&self, name: &str) -> Option<Colour> {
        if let Some(i) = NAMES.iter().position(|n| *n == name) {
            return Some(rgb(self.names[i]));
        }
        let hex = name.strip_prefix('#').filter(|h| h.len() == 6 && h.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u32::from_str_radix(hex, 16).ok().map(rgb)
    }

    /// A mixture with the paper: 1 is `colour` itself, 0 the paper.
    pub fn faint(&self, colour: Colour, share: f64) -> Colour {
        let mix = |c: u8, p: u8| (f64::from(p) + share.clamp(0.0, 1.0) * (f64::from(c) - f64::from(p))).round() as u8;
        [0, 1, 2].map(|i| mix(colour[i], self.paper[i]))
    }
}

/// The dash pattern of line number `i` in pixels: the first six are solid.
pub(crate) fn dash(i: usize) -> &'static [f64] {
    const DASHES: [&[f64]; 4] = [&[], &[6.0, 3.0], &[1.5, 2.5], &[8.0, 2.5, 1.5, 2.5]];
    DASHES[i / 6 % 4]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Linear light of an sRGB colour.
    fn linear(c: Colour) -> [f64; 3] {
        c.map(|v| {
            let v = f64::from(v) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// CIE L*a*b* for daylight.
    fn lab([r, g, b]: [f64; 3]) -> [f64; 3] {
        let f = |v: f64| if v > 0.008856 { v.cbrt() } else { 7.787 * v + 16.0 / 116.0 };
        let x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
        let y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
        let z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// What remains without the long (0), middle (1) or short (2) cones: the fully deficient matrices of Machado,
    /// Oliveira and Fernandes 2009, in linear light.
    fn without(kind: usize, [r, g, b]: [f64; 3]) -> [f64; 3] {
        let m = [
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
            [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
        ][kind];
        m.map(|row| (row[0] * r + row[1] * g + row[2] * b).clamp(0.0, 1.0))
    }

    #[test]
    fn colours_differ_without_a_kind_of_cone() {
        for theme in [Theme::Light, Theme::Dark] {
            let palette = Palette::of(theme);
            for i in 0..12 {
                for j in 0..i {
                    if dash(i) != dash(j) {
                        continue;
                    }
                    let (a, b) = (linear(palette.line(i)), linear(palette.line(j)));
                    for kind in 0..4 {
                        let [a, b] = [a, b].map(|c| lab(if kind == 3 { c } else { without(kind, c) }));
                        let distance = (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
                        assert!(distance > 20.0, "{theme:?}: lines {j} and {i}, cones {kind}: {distance:.1}");
                    }
                }
            }
        }
    }

    #[test]
    fn names_and_hexadecimal() {
        let palette = Palette::of(Theme::Light);
        assert_eq!(palette.named("white"), Some([255, 255, 255]));
        assert_eq!(palette.named("#0a0B0c"), Some([10, 11, 12]));
        for wrong in ["#12345", "#+12345", "mauve", "", "#ééé"] {
            assert_eq!(palette.named(wrong), None, "{wrong}");
        }
    }
}
