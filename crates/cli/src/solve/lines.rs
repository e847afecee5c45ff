//! Bytes → batches of whole lines.
//!
//! A batch is what one `read` brought, up to its last line end. A file or a full pipe fills it; someone
//! who writes one line and waits gets a batch of one line, at once. So there is no timer and no setting.

use std::io::{self, Read};
use std::mem;

/// A line may be this long: room for a dense system of some two thousand coordinates.
pub const LONGEST: usize = 64 << 20;

/// What is asked for in one `read`.
const CHUNK: usize = 64 << 10;

/// What is kept of a line that is too long, to find its `id`.
const BEGINNING: usize = 4 << 10;

/// Whole lines, one after the other.
#[derive(Debug, PartialEq)]
pub struct Batch {
    /// The number of the first line, from 1.
    pub first: u64,
    pub bytes: Vec<u8>,
    /// This is the beginning of one line that was too long to keep.
    pub cut: bool,
}

/// Cuts its input into batches.
pub struct Lines<R> {
    input: R,
    longest: usize,
    chunk: Vec<u8>,
    /// What has been read and not been given out: in the end, the beginning of a line.
    pending: Vec<u8>,
    /// So much of it holds no line end.
    searched: usize,
    /// The pending line is too long; all but its beginning is dropped.
    cut: bool,
    /// The number of the pending line.
    line: u64,
    ended: bool,
}

impl<R: Read> Lines<R> {
    pub fn new(input: R) -> Self {
        Self {
            input,
            longest: LONGEST,
            chunk: vec![0; CHUNK],
            pending: Vec::new(),
            searched: 0,
            cut: false,
            line: 1,
            ended: false,
        }
    }

    /// The next lines; none at the end.
    pub fn next(&mut self) -> io::Result<Option<Batch>> {
        loop {
            if !self.cut {
                if let Some(end) = self.pending[self.searched..].iter().rposition(|byte| *byte == b'\n') {
                    let rest = self.pending.split_off(self.searched + end + 1);
                    return Ok(Some(self.give_out(rest)));
                }
                self.searched = self.pending.len();
                if self.pending.len() > self.longest {
                    self.cut = true;
                    self.pending.truncate(BEGINNING);
                    self.pending.shrink_to_fit();
                }
            }
            if self.ended {
                return Ok(if self.pending.is_empty() { None } else { Some(self.give_out(Vec::new())) });
            }
            let count = match self.input.read(&mut self.chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            self.ended = count == 0;
            let new = &self.chunk[..count];
            if !self.cut {
                self.pending.extend_from_slice(new);
            } else if let Some(end) = new.iter().position(|byte| *byte == b'\n') {
                let rest = new[end + 1..].to_vec();
                return Ok(Some(self.give_out(rest)));
            }
        }
    }

    /// What is pending as a batch; the rest is pending from now on.
    fn give_out(&mut self, rest: Vec<u8>) -> Batch {
        let bytes = mem::replace(&mut self.pending, rest);
        let cut = mem::take(&mut self.cut);
        let ends = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        let batch = Batch { first: self.line, bytes, cut };
        self.line += if cut { 1 } else { ends };
        self.searched = 0;
        batch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time, as a pipe may.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            let (now, later) = self.0.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    fn lines(text: &str, step: usize, longest: usize) -> Vec<(u64, String, bool)> {
        let mut lines = Lines::new(Slow(text.as_bytes(), step));
        lines.longest = longest;
        let mut found = Vec::new();
        while let Some(batch) = lines.next().unwrap() {
            let text = String::from_utf8(batch.bytes).unwrap();
            for (at, line) in text.lines().enumerate() {
                found.push((batch.first + at as u64, line.to_string(), batch.cut));
            }
        }
        found
    }

    #[test]
    fn every_line_comes_once_with_its_number() {
        let text = "a\n\nbcd\nefgh\r\n\n\ni";
        let expected: Vec<_> =
            text.lines().enumerate().map(|(at, line)| (at as u64 + 1, line.to_string(), false)).collect();
        for step in 1..20 {
            assert_eq!(lines(text, step, 100), expected, "{step} bytes at a time");
        }
    }

    #[test]
    fn a_line_comes_as_soon_as_it_is_whole() {
        let mut lines = Lines::new(Slow(b"one\ntwo\nthree\n", 5));
        assert_eq!(lines.next().unwrap().unwrap().bytes, b"one\n");
        assert_eq!(lines.next().unwrap().unwrap().bytes, b"two\n");
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_and_counted() {
        let text = format!("a\n{}\nb\nc\n{}", "x".repeat(50_000), "y".repeat(50_000));
        for step in [1, 7, 1000, 1 << 20] {
            let found = lines(&text, step, 10_000);
            let numbers: Vec<u64> = found.iter().map(|line| line.0).collect();
            assert_eq!(numbers, [1, 2, 3, 4, 5], "{step} bytes at a time");
            // What comes in one read is kept whole: the reader of a line sees that it is too long.
            assert!(found[1].2 && found[1].1.len() == BEGINNING || found[1].1.len() == 50_000);
            assert!(!found[2].2 && found[2].1 == "b");
        }
    }
}
