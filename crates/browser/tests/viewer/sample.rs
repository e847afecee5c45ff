//! A small report made by hand: the viewer's own files around a run that is known in closed form.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

/// The viewer's scripts, in the order in which a report holds them.
const SCRIPTS: [&str; 12] = [
    include_str!("../../../report/assets/data.js"),
    include_str!("../../../report/assets/theme.js"),
    include_str!("../../../report/assets/clock.js"),
    include_str!("../../../report/assets/trace.js"),
    include_str!("../../../report/assets/gestures.js"),
    include_str!("../../../report/assets/plot.js"),
    include_str!("../../../report/assets/camera.js"),
    include_str!("../../../report/assets/shapes.js"),
    include_str!("../../../report/assets/overlay.js"),
    include_str!("../../../report/assets/scene.js"),
    include_str!("../../../report/assets/animation.js"),
    include_str!("../../../report/assets/main.js"),
];
const STYLE: &str = include_str!("../../../report/assets/report.css");

/// LaTeX with characters that a careless copy would change.
pub const LATEX: &str = r"\begin{align}\ddot{\theta} &= -\tfrac{g}{L}\,\sin\theta \% & 1 > 0\end{align}";

/// What a report is made of. Tests change what they look at.
pub struct Sample {
    /// The description, as in `#holonom-data`.
    pub about: Value,
    /// The columns, each of as many rows.
    pub columns: Vec<Vec<f32>>,
    /// Replaces the packed columns.
    pub damaged: Option<&'static str>,
}

impl Sample {
    /// `theta = cos t` and the end of a rod of length 1, from 0 s to 10 s in `rows` rows, with one event at 5 s.
    pub fn pendulum(rows: usize) -> Self {
        let t: Vec<f32> = (0..rows).map(|k| 10.0 * k as f32 / (rows.max(2) - 1) as f32).collect();
        let map = |f: fn(f32) -> f32| t.iter().map(|&t| f(t)).collect::<Vec<f32>>();
        let theta = map(|t| t.cos());
        let gaps = map(|t| if (4.0..6.0).contains(&t) { f32::NAN } else { t.sin() });
        let columns = vec![t.clone(), theta, map(|t| -t.sin()), gaps, map(|t| t.cos().sin()), map(|t| -t.cos().cos())];
        let about = json!({
            "form": 1, "title": "A <pendulum> & more", "rows": rows, "recorded": rows,
            "encoding": "f32-delta-planes-zlib-base64",
            "columns": [
                { "name": "t", "label": "t", "unit": "s" },
                { "name": "theta", "label": "θ", "unit": "rad" },
                { "name": "theta'", "label": "θ̇", "unit": "rad/s" },
                { "name": "gaps", "label": "gaps", "unit": null },
                { "name": "picture.1.x", "label": "", "unit": "m" },
                { "name": "picture.1.y", "label": "", "unit": "m" },
            ],
            "plots": [
                { "id": "coordinates", "title": "Coordinates", "kind": "time", "x": 0, "y": [1, 2], "log": false, "unit": null, "open": true },
                { "id": "drift", "title": "Drift", "kind": "time", "x": 0, "y": [3], "log": true, "unit": null, "note": "sizes", "open": true },
                { "id": "phase", "title": "Phase", "kind": "phase", "x": 1, "y": [2], "log": false, "unit": "rad/s", "open": true },
                { "id": "folded", "title": "Folded", "kind": "time", "x": 0, "y": [3], "log": false, "unit": null, "open": false },
            ],
            "events": [{ "t": 5.0, "name": "half", "text": "half: record" }],
            "picture": {
                "dimension": 2,
                "points": [{ "fixed": [0, 0, 0] }, { "columns": [4, 5, null] }],
                "scalars": [{ "column": 1 }],
                "shapes": [
                    shape("line", &[0, 1], json!({})),
                    shape("trace", &[1], json!({ "color": "blue", "length": 2 })),
                    shape("point", &[0], json!({ "color": "gray" })),
                    shape("body", &[1], json!({ "radius": 0.1, "angle": 0, "label": "bob", "color": "#3366aa" })),
                ],
            },
        });
        Self { about, columns, damaged: None }
    }

    /// The same with every shape of the language, in space.
    pub fn space() -> Self {
        let mut sample = Self::pendulum(201);
        let picture = &mut sample.about["picture"];
        picture["dimension"] = json!(3);
        picture["points"] =
            json!([{ "fixed": [0, 0, 1] }, { "columns": [4, 5, 1] }, { "fixed": [1, 0, 0] }, { "fixed": [0, 1, 0] }]);
        picture["shapes"] = json!([
            shape("path", &[2, 3, 0], json!({ "label": "rail" })),
            shape("line", &[0, 1], json!({ "line": "thick" })),
            shape("ground", &[0], json!({})),
            shape("ground", &[2, 3], json!({})),
            shape("spring", &[2, 1], json!({ "coils": 6 })),
            shape("polygon", &[0, 2, 3], json!({ "color": "green", "fill": true })),
            shape("body", &[1], json!({ "radius": 0.2 })),
            shape("body", &[2], json!({ "radius": 0.2, "axis": 3, "angle": 0 })),
            shape("body", &[3], json!({ "width": 0.3, "height": 0.1, "angle": 0 })),
            shape("point", &[1], json!({ "label": "A" })),
            shape("trace", &[1], json!({})),
        ]);
        sample
    }

    /// Writes the page and says where.
    pub fn write(&self) -> Written {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("holonom-viewer-{}-{}.html", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, self.html()).expect("the temporary folder can be written");
        Written(path)
    }

    fn html(&self) -> String {
        let packed = match self.damaged {
            Some(text) => text.to_owned(),
            None => base64(&zlib_stored(&planes(&self.columns))),
        };
        let data = self.about.to_string().replace('<', "\\u003c");
        let title = self.about["title"].as_str().unwrap_or("").replace('&', "&amp;").replace('<', "&lt;");
        let scripts = SCRIPTS.concat();
        format!(
            r##"<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<style>{STYLE}</style></head><body>
<header><h1>{title}</h1><p class="subtitle">1 coordinate</p></header>
<nav aria-label="Sections"><a href="#motion">Motion</a> <a href="#equations">Equations</a> <button id="theme" type="button">Theme</button></nav>
<main>
<section id="motion"><h2>Motion</h2><div id="animation"></div><div id="plots"></div></section>
<section id="equations"><h2>Equations of motion</h2><button id="copy-latex" type="button">Copy as LaTeX</button>
<div class="formula"><math><mi>θ</mi></math></div></section>
</main><footer><p>Holonom</p></footer>
<script type="text/plain" id="holonom-latex">
{LATEX}
</script>
<script type="application/json" id="holonom-data">{data}</script>
<script type="text/plain" id="holonom-columns">{packed}</script>
<script>(() => {{
"use strict";
{scripts}}})();</script></body></html>"##
        )
    }
}

/// A shape with everything the data form names, most of it null.
fn shape(kind: &str, points: &[usize], given: Value) -> Value {
    let mut shape = json!({
        "kind": kind, "points": points, "color": null, "label": null, "radius": null, "width": null, "height": null,
        "angle": null, "axis": null, "coils": null, "line": null, "fill": null, "length": null,
    });
    for (name, value) in given.as_object().into_iter().flatten() {
        shape[name] = value.clone();
    }
    shape
}

/// A page in the temporary folder; removed when dropped.
pub struct Written(PathBuf);

impl AsRef<Path> for Written {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        // Left behind it does no harm.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Differences of bit patterns, as four planes of bytes per column, the most significant first.
fn planes(columns: &[Vec<f32>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for column in columns {
        let bits: Vec<u32> = column.iter().map(|v| v.to_bits()).collect();
        let before = std::iter::once(0).chain(bits.iter().copied());
        let differences: Vec<u32> = bits.iter().zip(before).map(|(now, before)| now.wrapping_sub(before)).collect();
        for plane in 0..4 {
            bytes.extend(differences.iter().map(|d| d.to_be_bytes()[plane]));
        }
    }
    bytes
}

/// A zlib stream of blocks that are stored as they are.
fn zlib_stored(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let mut chunks = bytes.chunks(0xffff).peekable();
    if chunks.peek().is_none() {
        out.extend([1, 0, 0, 0xff, 0xff]);
    }
    while let Some(chunk) = chunks.next() {
        let size = chunk.len() as u16;
        out.push(u8::from(chunks.peek().is_none()));
        out.extend(size.to_le_bytes());
        out.extend((!size).to_le_bytes());
        out.extend(chunk);
    }
    // Adler-32.
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in bytes {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    out.extend((b << 16 | a).to_be_bytes());
    out
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let held = three.iter().fold(0_u32, |held, byte| held << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for k in 0..4 {
            let six = (held >> (18 - 6 * k) & 63) as usize;
            text.push(if k <= three.len() { char::from(LETTERS[six]) } else { '=' });
        }
    }
    text
}
