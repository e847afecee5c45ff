//! The PNG file format, as much of it as a figure needs: opaque colours of eight bits.
//!
//! Sections of the specification are those of the third edition of PNG, W3C, 2025. The crate `png` would read files too, and
//! brings four more crates with it, which is ten seconds of building.

use miniz_oxide::deflate::compress_to_vec_zlib;

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// How hard to compress, out of ten: more takes longer and gives the same.
const LEVEL: u8 = 6;

/// A file from rows of red, green and blue, from top to bottom; `rows` has 3 × `width` × `height` bytes.
pub fn encode(width: u32, height: u32, rows: &[u8]) -> Vec<u8> {
    let mut header = Vec::with_capacity(13);
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // Eight bits, red green blue; the one compression, the one set of filters, rows in order (11.2.1).
    header.extend([8, 2, 0, 0, 0]);

    let mut file = SIGNATURE.to_vec();
    chunk(&mut file, b"IHDR", &header);
    chunk(&mut file, b"IDAT", &compress_to_vec_zlib(&filtered(width, rows), LEVEL));
    chunk(&mut file, b"IEND", &[]);
    file
}

/// Every row as what it adds to the row above (filter 2, section 9.2): in a figure, most rows repeat.
fn filtered(width: u32, rows: &[u8]) -> Vec<u8> {
    let length = (3 * width as usize).max(1);
    let mut out = Vec::with_capacity(rows.len() + rows.len() / length);
    let first = vec![0; length];
    let above = std::iter::once(first.as_slice()).chain(rows.chunks_exact(length));
    for (row, above) in rows.chunks_exact(length).zip(above) {
        out.push(2);
        out.extend(row.iter().zip(above).map(|(byte, above)| byte.wrapping_sub(*above)));
    }
    out
}

/// Length, name, data, checksum of name and data (5.3).
fn chunk(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(data);
    let sum = checksum(&file[start..]);
    file.extend(sum.to_be_bytes());
}

/// The cyclic redundancy code of ISO 3309 (5.5 and annex D).
fn checksum(data: &[u8]) -> u32 {
    !data.iter().fold(!0, |sum, byte| TABLE[(sum as u8 ^ byte) as usize] ^ (sum >> 8))
}

/// What each byte does to the checksum.
const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = if sum & 1 == 1 { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 };
            bit += 1;
        }
        table[byte] = sum;
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_known_one() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
        assert_eq!(checksum(b"IEND"), 0xae42_6082);
    }

    #[test]
    fn pixels_are_read_back_as_written() {
        for (width, height) in [(1, 1), (7, 3), (64, 129)] {
            let rows: Vec<u8> = (0..3 * width * height).map(|i| (i * i / 7) as u8).collect();
            let image = tiny_skia::Pixmap::decode_png(&encode(width, height, &rows)).expect("a PNG");
            assert_eq!((image.width(), image.height()), (width, height));
            let read: Vec<u8> = image.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect();
            assert_eq!(read, rows);
            assert!(image.pixels().iter().all(|p| p.alpha() == 255));
        }
    }
}
