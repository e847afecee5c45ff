//! As much of Thrift's compact protocol as a Parquet file's descriptions of itself need.
//!
//! A struct is a list of fields, each with a byte that says how far its number is from the one before and what it is;
//! integers are zigzag varints.

/// What a field is.
const I16: u8 = 4;
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A struct that is being written.
#[derive(Default)]
pub(super) struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

impl Struct {
    fn field(&mut self, number: u8, kind: u8) {
        // Fields come in ascending order and never more than 15 apart, so that the short form is enough.
        debug_assert!(number > self.last && number - self.last <= 15);
        self.bytes.push((number - self.last) << 4 | kind);
        self.last = number;
    }

    pub fn i16(mut self, number: u8, value: i16) -> Self {
        self.field(number, I16);
        zigzag(&mut self.bytes, value.into());
        self
    }

    pub fn i32(mut self, number: u8, value: i32) -> Self {
        self.field(number, I32);
        zigzag(&mut self.bytes, value.into());
        self
    }

    pub fn i64(mut self, number: u8, value: i64) -> Self {
        self.field(number, I64);
        zigzag(&mut self.bytes, value);
        self
    }

    pub fn binary(mut self, number: u8, value: &[u8]) -> Self {
        self.field(number, BINARY);
        binary(&mut self.bytes, value);
        self
    }

    pub fn nested(mut self, number: u8, value: Struct) -> Self {
        self.field(number, STRUCT);
        self.bytes.extend(value.end());
        self
    }

    pub fn i32s(mut self, number: u8, values: &[i32]) -> Self {
        self.field(number, LIST);
        list(&mut self.bytes, values.len(), I32);
        values.iter().for_each(|&value| zigzag(&mut self.bytes, value.into()));
        self
    }

    pub fn binaries(mut self, number: u8, values: &[&[u8]]) -> Self {
        self.field(number, LIST);
        list(&mut self.bytes, values.len(), BINARY);
        values.iter().for_each(|value| binary(&mut self.bytes, value));
        self
    }

    pub fn structs(mut self, number: u8, values: impl ExactSizeIterator<Item = Struct>) -> Self {
        self.field(number, LIST);
        list(&mut self.bytes, values.len(), STRUCT);
        values.for_each(|value| self.bytes.extend(value.end()));
        self
    }

    /// The struct as bytes.
    pub fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn list(bytes: &mut Vec<u8>, length: usize, kind: u8) {
    if length < 15 {
        bytes.push((length as u8) << 4 | kind);
    } else {
        bytes.push(0xf0 | kind);
        varint(bytes, length as u64);
    }
}

fn binary(bytes: &mut Vec<u8>, value: &[u8]) {
    varint(bytes, value.len() as u64);
    bytes.extend_from_slice(value);
}

fn zigzag(bytes: &mut Vec<u8>, value: i64) {
    varint(bytes, ((value << 1) ^ (value >> 63)).cast_unsigned());
}

pub(super) fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
