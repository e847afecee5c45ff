//! The numbers of a page: a description in JSON, and columns packed into text.

use crate::html::escaped;
use crate::picture::Stage;
use crate::plots::PlotSpec;
use crate::series::Track;
use holonom::language::units::readable;
use holonom::symbols::page::base64;
use serde_json::{Value, json};

/// How hard columns are compressed: 6 makes a page of a megabyte 2 % smaller, and takes 50 ms more.
const LEVEL: u8 = 3;

/// How columns are packed; the viewer knows this one.
const ENCODING: &str = "f32-delta-planes-zlib-base64";

/// What the viewer reads first.
pub(crate) fn description(
    title: &str,
    tracks: &[Track],
    recorded: u64,
    plots: &[PlotSpec],
    events: Vec<Value>,
    stage: Option<&Stage>,
) -> String {
    let columns: Vec<Value> = tracks
        .iter()
        .map(|track| json!({ "name": track.name, "label": track.label, "unit": track.unit.as_deref().map(readable) }))
        .collect();
    let plots: Vec<Value> = plots
        .iter()
        .map(|plot| {
            json!({
                "id": plot.id, "title": plot.title, "kind": if plot.x == 0 { "time" } else { "phase" }, "x": plot.x, "y": plot.y,
                "log": plot.log, "unit": plot.unit.as_deref().map(readable), "note": plot.note, "open": plot.open,
            })
        })
        .collect();
    let rows = tracks.first().map_or(0, |track| track.values.len());
    let all = json!({
        "form": 1, "title": title, "rows": rows, "recorded": recorded, "columns": columns, "encoding": ENCODING,
        "plots": plots, "events": events, "picture": stage.map(|stage| stage.description.clone()),
    });
    // Nothing in it may end the script that it stands in.
    all.to_string().replace('<', "\\u003c")
}

/// A unit with a blank before it, as HTML; nothing for pure numbers.
pub(crate) fn unit_html(unit: Option<&str>) -> String {
    match unit.map(readable) {
        Some(unit) if !unit.is_empty() => format!(" {}", escaped(&unit)),
        _ => String::new(),
    }
}

/// All columns: as single precision, differences of their bits, byte by byte, compressed, as text.
pub(crate) fn packed<'a>(columns: impl Iterator<Item = &'a [f64]>) -> String {
    let mut bytes = Vec::new();
    let mut differences: Vec<u32> = Vec::new();
    for column in columns {
        differences.clear();
        let mut before = 0u32;
        for (i, &x) in column.iter().enumerate() {
            // Beyond single precision there is nothing to be seen.
            let bits = if x.is_finite() {
                (x.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32).to_bits()
            } else {
                f32::NAN.to_bits()
            };
            differences.push(if i == 0 { bits } else { bits.wrapping_sub(before) });
            before = bits;
        }
        for shift in [24, 16, 8, 0] {
            bytes.extend(differences.iter().map(|bits| (bits >> shift) as u8));
        }
    }
    base64(&miniz_oxide::deflate::compress_to_vec_zlib(&bytes, LEVEL))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the viewer does, done here.
    #[test]
    fn columns_can_be_unpacked() {
        let columns = [vec![0.0, 0.5, -1e30, 1e300], vec![f64::NAN, 3.0, 3.0, 3.000_000_1]];
        let text = packed(columns.iter().map(|column| &column[..]));
        let letters = |c: u8| match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        let mut bytes = Vec::new();
        for group in text.as_bytes().chunks(4) {
            let all = group.iter().fold(0u32, |all, &c| all << 6 | if c == b'=' { 0 } else { u32::from(letters(c)) });
            let padding = group.iter().filter(|&&c| c == b'=').count();
            bytes.extend(&all.to_be_bytes()[1..4 - padding]);
        }
        let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(&bytes).unwrap();
        assert_eq!(bytes.len(), 2 * 4 * 4);
        for (column, planes) in columns.iter().zip(bytes.chunks(16)) {
            let mut bits = 0u32;
            for (i, x) in column.iter().enumerate() {
                let difference = u32::from_be_bytes([planes[i], planes[4 + i], planes[8 + i], planes[12 + i]]);
                bits = if i == 0 { difference } else { bits.wrapping_add(difference) };
                let value = f64::from(f32::from_bits(bits));
                let expected = x.clamp(f64::from(f32::MIN), f64::from(f32::MAX));
                assert!(
                    value.is_nan() && x.is_nan() || (value - expected).abs() <= 1e-7 * expected.abs(),
                    "{value} {x}"
                );
            }
        }
    }
}
