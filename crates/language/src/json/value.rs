//! JSON as such: values that know where they stand, read with bounds on depth.

use super::super::diagnostic::Diagnostic;
use super::super::source::{FileId, Span};

/// Brackets within brackets beyond this are refused.
const DEPTH: usize = 256;

/// A JSON value, where it stands.
#[derive(Debug)]
pub(crate) struct Value {
    pub kind: Kind,
    pub span: Span,
}

/// What a JSON value is.
#[derive(Debug)]
pub(crate) enum Kind {
    Null,
    Bool(bool),
    /// A number, as it was written.
    Number(String),
    /// A string; whether it stands there letter by letter, without escapes.
    Text(String, bool),
    List(Vec<Value>),
    Object(Vec<(Key, Value)>),
}

/// The name of a member of an object.
#[derive(Debug)]
pub(crate) struct Key {
    pub text: String,
    pub span: Span,
}

impl Value {
    /// What kind of value it is, for messages.
    pub fn describe(&self) -> &'static str {
        match self.kind {
            Kind::Null => "`null`",
            Kind::Bool(_) => "`true` or `false`",
            Kind::Number(_) => "a number",
            Kind::Text(..) => "a string",
            Kind::List(_) => "a list",
            Kind::Object(_) => "an object",
        }
    }
}

/// A string as JSON, in quotes. Control characters and those that only look like line breaks are escaped.
pub fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{2028}' | '\u{2029}' => {
                quoted.push_str(&format!("\\u{:04x}", letter as u32));
            }
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

/// Something that was read, or the first place at which the text is not JSON.
type Read<T> = Result<T, Box<Diagnostic>>;

/// Reads one JSON value that fills the text.
///
/// # Errors
///
/// `bad-json`: the first place at which the text is not JSON.
pub(super) fn read(file: FileId, text: &str) -> Read<Value> {
    let mut reader = Reader { file, text, at: 0 };
    let value = reader.value(0)?;
    reader.blanks();
    if reader.at < text.len() { Err(reader.wrong("something follows the end of the model")) } else { Ok(value) }
}

struct Reader<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn wrong(&self, message: impl Into<String>) -> Box<Diagnostic> {
        let length = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        self.wrong_at(self.at, self.at + length, message)
    }

    fn wrong_at(&self, start: usize, end: usize, message: impl Into<String>) -> Box<Diagnostic> {
        let error = Diagnostic::error("bad-json", message);
        Box::new(error.at(Span::new(self.file, start, end), "this is not JSON"))
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn expect(&mut self, sign: u8, what: &str) -> Read<()> {
        self.blanks();
        if self.peek() != Some(sign) {
            return Err(self.wrong(format!("expected {what}")));
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Read<Value> {
        self.blanks();
        if depth > DEPTH {
            return Err(self.wrong(format!("more than {DEPTH} brackets within brackets")));
        }
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => {
                let (text, plain) = self.string()?;
                Kind::Text(text, plain)
            }
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'a'..=b'z' | b'A'..=b'Z') => self.word()?,
            None => return Err(self.wrong("the text ends where a value should stand")),
            Some(_) => return Err(self.wrong("expected a value: a string, a number, `[`, `{`, `true` or `false`")),
        };
        Ok(Value { kind, span: Span::new(self.file, start, self.at) })
    }

    fn object(&mut self, depth: usize) -> Read<Kind> {
        self.at += 1;
        let mut members = Vec::new();
        self.blanks();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Kind::Object(members));
        }
        loop {
            self.blanks();
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.wrong("expected a key in quotes"));
            }
            let (text, _) = self.string()?;
            let key = Key { text, span: Span::new(self.file, start, self.at) };
            self.expect(b':', "`:` after the key")?;
            let value = self.value(depth + 1)?;
            members.push((key, value));
            self.blanks();
            if self.peek() == Some(b'}') {
                self.at += 1;
                return Ok(Kind::Object(members));
            }
            self.expect(b',', "`,` or `}`")?;
        }
    }

    fn list(&mut self, depth: usize) -> Read<Kind> {
        self.at += 1;
        let mut values = Vec::new();
        self.blanks();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Kind::List(values));
        }
        loop {
            values.push(self.value(depth + 1)?);
            self.blanks();
            if self.peek() == Some(b']') {
                self.at += 1;
                return Ok(Kind::List(values));
            }
            self.expect(b',', "`,` or `]`")?;
        }
    }

    fn word(&mut self) -> Read<Kind> {
        let start = self.at;
        while matches!(self.peek(), Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_')) {
            self.at += 1;
        }
        match &self.text[start..self.at] {
            "null" => Ok(Kind::Null),
            "true" => Ok(Kind::Bool(true)),
            "false" => Ok(Kind::Bool(false)),
            _ => Err(Box::new(
                self.wrong_at(start, self.at, "a word without quotes")
                    .help("strings are in quotes: `\"…\"`; the only words are `true`, `false` and `null`"),
            )),
        }
    }

    /// A number by the grammar of JSON, which knows no `.5`, no `5.` and no `+5`.
    fn number(&mut self) -> Read<Kind> {
        let start = self.at;
        let digits = |reader: &mut Self| {
            let from = reader.at;
            while matches!(reader.peek(), Some(b'0'..=b'9')) {
                reader.at += 1;
            }
            reader.at - from
        };
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let zero = self.peek() == Some(b'0');
        let whole = digits(self);
        let mut fine = whole == 1 || (whole > 1 && !zero);
        if self.peek() == Some(b'.') {
            self.at += 1;
            fine &= digits(self) > 0;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            fine &= digits(self) > 0;
        }
        if !fine {
            return Err(self.wrong_at(start, self.at, "not a number as JSON writes them"));
        }
        Ok(Kind::Number(self.text[start..self.at].to_string()))
    }

    fn string(&mut self) -> Read<(String, bool)> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        let mut plain = true;
        loop {
            let from = self.at;
            while !matches!(self.peek(), None | Some(b'"' | b'\\' | 0..=0x1f)) {
                self.at += 1;
            }
            text.push_str(&self.text[from..self.at]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok((text, plain));
                }
                Some(b'\\') => {
                    plain = false;
                    text.push(self.escape()?);
                }
                None => return Err(self.wrong_at(start, self.at, "a string that does not end")),
                Some(_) => return Err(self.wrong("a control character inside a string")),
            }
        }
    }

    fn escape(&mut self) -> Read<char> {
        let start = self.at;
        self.at += 1;
        let sign = self.peek();
        self.at += usize::from(sign.is_some_and(|sign| sign.is_ascii()));
        let letter = match sign {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\x08',
            Some(b'f') => '\x0c',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let high = self.hex(start)?;
                let code = if (0xd800..0xdc00).contains(&high) && self.text[self.at..].starts_with("\\u") {
                    self.at += 2;
                    let low = self.hex(start)?;
                    if (0xdc00..0xe000).contains(&low) {
                        0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)
                    } else {
                        high
                    }
                } else {
                    high
                };
                let wrong = || self.wrong_at(start, self.at, "half of a pair of surrogates is not a character");
                char::from_u32(code).ok_or_else(wrong)?
            }
            _ => return Err(self.wrong_at(start, self.at, "no such escape in a string")),
        };
        Ok(letter)
    }

    fn hex(&mut self, start: usize) -> Read<u32> {
        let digits = self.text.get(self.at..self.at + 4).filter(|digits| digits.bytes().all(|d| d.is_ascii_hexdigit()));
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.at += if code.is_some() { 4 } else { 0 };
        code.ok_or_else(|| self.wrong_at(start, self.at, "`\\u` is followed by four hexadecimal digits"))
    }
}
