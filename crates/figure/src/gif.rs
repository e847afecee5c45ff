//! Films as GIF files, as much of the format as figures need: one palette for all frames, each frame whole.
//!
//! Sections are those of the GIF89a specification. A crate would quantise colours anew in every frame, and still areas would
//! flicker; figures have few colours, and the most frequent ones of some frames serve all.

use std::collections::HashMap;

use crate::Figure;

/// Bits of each colour that tell colours apart: what lies between differs by less than is seen.
const BITS: u32 = 5;
/// Colours of a palette.
const COLOURS: usize = 256;
/// Bits of a colour in the palette, and the first two codes that are none.
const CODE: u32 = 8;
const CLEAR: u16 = 1 << CODE;
const END: u16 = CLEAR + 1;
/// Codes have no more bits than this.
const LONGEST: u32 = 12;

/// A film on its way into a GIF file: frames are added one by one, none is kept.
pub struct Gif {
    file: Vec<u8>,
    width: u32,
    height: u32,
    scale: f64,
    palette: Vec<[u8; 3]>,
    /// The place in the palette of every colour met so far.
    places: HashMap<u32, u8>,
}

impl Gif {
    /// A film with the size of `samples`, in colours that they have: some frames from all over the film.
    pub fn new(samples: &[Figure], scale: f64) -> Self {
        let mut counts: HashMap<u32, (u64, [u64; 3])> = HashMap::new();
        let (mut width, mut height) = (1, 1);
        for sample in samples {
            let (w, h, pixels) = sample.pixels(scale);
            (width, height) = (w, h);
            for pixel in pixels.chunks_exact(3) {
                let (count, sum) = counts.entry(key(pixel)).or_default();
                *count += 1;
                sum.iter_mut().zip(pixel).for_each(|(sum, &byte)| *sum += u64::from(byte));
            }
        }
        let mut all: Vec<(u64, [u8; 3])> =
            counts.into_values().map(|(count, sum)| (count, sum.map(|sum| (sum / count) as u8))).collect();
        // Equal counts in the order of their colours: the same film is the same file.
        all.sort_unstable_by(|a, b| b.cmp(a));
        let mut palette: Vec<[u8; 3]> = all.into_iter().take(COLOURS).map(|(_, colour)| colour).collect();
        palette.resize(COLOURS, [0; 3]);
        let (width, height) = (width.min(65_535), height.min(65_535));
        let mut file = b"GIF89a".to_vec();
        file.extend((width as u16).to_le_bytes());
        file.extend((height as u16).to_le_bytes());
        // A palette of 256 colours for all frames (18), and that the film begins again for ever (application NETSCAPE2.0).
        file.extend([0b1111_0111, 0, 0]);
        file.extend(palette.iter().flatten());
        file.extend(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00");
        Self { file, width, height, scale, palette, places: HashMap::new() }
    }

    /// The next frame, seen for so many hundredths of a second.
    pub fn frame(&mut self, figure: &Figure, hundredths: u16) {
        let (width, height, pixels) = figure.pixels(self.scale);
        if (width, height) != (self.width, self.height) {
            return;
        }
        let indices: Vec<u8> = pixels.chunks_exact(3).map(|pixel| self.place(pixel)).collect();
        // Graphic control (23), image descriptor (20).
        self.file.extend([0x21, 0xf9, 4, 0b100]);
        self.file.extend(hundredths.to_le_bytes());
        self.file.extend([0, 0, 0x2c, 0, 0, 0, 0]);
        self.file.extend((self.width as u16).to_le_bytes());
        self.file.extend((self.height as u16).to_le_bytes());
        self.file.extend([0, CODE as u8]);
        for block in compressed(&indices).chunks(255) {
            self.file.push(block.len() as u8);
            self.file.extend(block);
        }
        self.file.push(0);
    }

    /// The bytes of the file.
    pub fn finish(mut self) -> Vec<u8> {
        self.file.push(0x3b);
        self.file
    }

    /// The nearest colour of the palette.
    fn place(&mut self, pixel: &[u8]) -> u8 {
        let palette = &self.palette;
        *self.places.entry(key(pixel)).or_insert_with(|| {
            let apart = |colour: &[u8; 3]| -> i32 {
                colour.iter().zip(pixel).map(|(a, b)| (i32::from(*a) - i32::from(*b)).pow(2)).sum()
            };
            (0..COLOURS).min_by_key(|&at| apart(&palette[at])).unwrap_or(0) as u8
        })
    }
}

/// Colours that are hardly told apart have the same.
fn key(pixel: &[u8]) -> u32 {
    pixel.iter().fold(0, |key, byte| key << BITS | u32::from(*byte >> (8 - BITS)))
}

/// Codes of growing length, the lowest bits first (appendix F).
fn compressed(indices: &[u8]) -> Vec<u8> {
    let (mut out, mut held, mut bits) = (Vec::new(), 0u32, 0u32);
    let mut put = |code: u16, length: u32| {
        held |= u32::from(code) << bits;
        bits += length;
        while bits >= 8 {
            out.push(held as u8);
            held >>= 8;
            bits -= 8;
        }
    };
    let mut table: HashMap<(u16, u8), u16> = HashMap::new();
    let (mut next, mut length) = (END + 1, CODE + 1);
    put(CLEAR, length);
    let mut rest = indices.iter();
    let Some(mut word) = rest.next().map(|&first| u16::from(first)) else {
        put(END, length);
        put(0, 7);
        return out;
    };
    for &index in rest {
        if let Some(&longer) = table.get(&(word, index)) {
            word = longer;
            continue;
        }
        put(word, length);
        if next < 1 << LONGEST {
            table.insert((word, index), next);
            // Readers are one word behind: they need the longer code one word later.
            if next == 1 << length && length < LONGEST {
                length += 1;
            }
            next += 1;
        } else {
            put(CLEAR, length);
            table.clear();
            (next, length) = (END + 1, CODE + 1);
        }
        word = u16::from(index);
    }
    put(word, length);
    // The reader adds a word for this one, too.
    if next == 1 << length && length < LONGEST {
        length += 1;
    }
    put(END, length);
    put(0, 7);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a reader does (appendix F), written apart from the writer.
    fn read(bytes: &[u8]) -> Vec<u8> {
        let mut at = 0;
        let mut take = |length: u32| -> usize {
            let code = (0..length).fold(0, |code, k| {
                let bit = bytes.get((at + k as usize) / 8).map_or(0, |byte| byte >> ((at + k as usize) % 8) & 1);
                code | usize::from(bit) << k
            });
            at += length as usize;
            code
        };
        let fresh = || (0..=257u16).map(|k| if k < 256 { vec![k as u8] } else { Vec::new() }).collect::<Vec<_>>();
        let (mut words, mut length, mut before) = (fresh(), 9, None::<usize>);
        let mut out = Vec::new();
        loop {
            match take(length) {
                256 => (words, length, before) = (fresh(), 9, None),
                257 => return out,
                code => {
                    if let Some(last) = before {
                        let mut word: Vec<u8> = words[last].clone();
                        let first = if code < words.len() { words[code][0] } else { word[0] };
                        word.push(first);
                        if words.len() < 4096 {
                            words.push(word);
                        }
                    }
                    out.extend(&words[code]);
                    before = Some(code);
                    if words.len() == 1 << length && length < 12 {
                        length += 1;
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let mut random = 1u32;
        let mut next = move || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 24) as u8
        };
        let noise: Vec<u8> = (0..100_000).map(|_| next()).collect();
        let few: Vec<u8> = (0..100_000).map(|_| next() & 1).collect();
        for indices in [vec![], vec![7], vec![3; 5], vec![0; 300_000], noise, few, (0..=255).collect()] {
            assert!(read(&compressed(&indices)) == indices, "{} indices", indices.len());
        }
    }
}
