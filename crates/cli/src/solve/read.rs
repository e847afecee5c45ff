//! A line → a [`System`], in one pass, straight into its arrays.
//!
//! The arrays are checked while they are read, so that a message can name the entry it is about.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::fault::Fault;
use super::place::{FIELDS, NAMES, Names, Place, nearest};
use super::system::{Matrix, System};

/// Reads a line into the system, and gives back its `id` as it was written.
pub fn read<'de>(line: &'de str, system: &mut System) -> Result<Option<&'de RawValue>, Fault> {
    system.clear();
    let (mut id, mut at) = (None, Progress::default());
    let mut json = serde_json::Deserializer::from_str(line);
    let value = Value { slot: Slot::Line(system, &mut id), at: &mut at };
    match value.deserialize(&mut json).and_then(|_| json.end()) {
        Ok(()) => system.check().map(|()| id),
        Err(error) => Err(at.fault.unwrap_or_else(|| malformed(line, at.place, &error))),
    }
}

/// The system inside what `show system --json` prints; any other line as it is.
pub fn unwrapped(line: &str) -> Cow<'_, str> {
    if !line.contains("\"system\":") {
        return Cow::Borrowed(line);
    }
    let Ok(Json::Object(mut outer)) = serde_json::from_str(line) else { return Cow::Borrowed(line) };
    let Some(Json::Object(mut system)) = outer.remove("system") else { return Cow::Borrowed(line) };
    system.retain(|field, _| FIELDS.contains(&field.as_str()));
    if let Some(id) = outer.remove("id").or_else(|| outer.remove("file")) {
        system.insert("id".to_string(), id);
    }
    Cow::Owned(Json::Object(system).to_string())
}

/// The `id` and the names of a line that cannot be read, as far as they stand before what is wrong.
pub fn read_around(line: &str) -> (Option<&RawValue>, Names) {
    let (mut id, mut names) = (None, None);
    let around = Around { id: &mut id, names: &mut names };
    // A failure is why we are here; what was found before it is kept.
    let _ = serde_json::Deserializer::from_str(line).deserialize_map(around);
    let mut found = Names::default();
    if let Some(text) = names {
        let value = Value { slot: Slot::Names(&mut found), at: &mut Progress::default() };
        let _ = value.deserialize(text);
    }
    (id, found)
}

/// What is being read, and what was found wrong with it.
#[derive(Default)]
struct Progress {
    place: Place,
    fault: Option<Fault>,
}

/// Where a value is to be put.
enum Slot<'s, 'de> {
    Line(&'s mut System, &'s mut Option<&'de RawValue>),
    Rows(&'s mut Matrix),
    Numbers(&'s mut Vec<f64>),
    Number(&'s mut Vec<f64>),
    Names(&'s mut Names),
    Texts(&'s mut Vec<String>),
    Text(&'s mut Vec<String>),
}

/// A value about to be read. Reads as `false` if it is null.
struct Value<'s, 'de> {
    slot: Slot<'s, 'de>,
    at: &'s mut Progress,
}

impl Value<'_, '_> {
    fn wrong<E: serde::de::Error>(self, found: &'static str) -> Result<bool, E> {
        let wanted = match self.slot {
            Slot::Line(..) | Slot::Names(_) => "an object",
            Slot::Rows(_) => "a list of rows",
            Slot::Numbers(_) | Slot::Texts(_) => "a list",
            Slot::Number(_) => "a number",
            Slot::Text(_) => "a string",
        };
        let place = self.at.place;
        fail(self.at, Fault::Type { place, found, wanted })
    }
}

/// Stops reading. The fault is kept aside, as serde's errors carry only text.
fn fail<T, E: serde::de::Error>(at: &mut Progress, fault: Fault) -> Result<T, E> {
    at.fault = Some(fault);
    Err(E::custom(""))
}

impl<'de> DeserializeSeed<'de> for Value<'_, 'de> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<bool, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_, 'de> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("part of a system")
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<bool, E> {
        let Slot::Number(numbers) = self.slot else { return self.wrong("a number") };
        numbers.push(number);
        Ok(true)
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<bool, E> {
        self.visit_f64(number as f64)
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<bool, E> {
        self.visit_f64(number as f64)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<bool, E> {
        let Slot::Text(texts) = self.slot else { return self.wrong("a string") };
        texts.push(text.into());
        Ok(true)
    }

    fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<bool, E> {
        self.wrong("a boolean")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<bool, E> {
        match self.slot {
            Slot::Rows(_) | Slot::Numbers(_) | Slot::Names(_) | Slot::Texts(_) if self.at.place.row.is_none() => {
                Ok(false)
            }
            _ => self.wrong("null"),
        }
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<bool, S::Error> {
        let Self { slot, at } = self;
        match slot {
            Slot::Rows(matrix) => loop {
                (at.place.row, at.place.column) = (Some(matrix.rows), None);
                let before = matrix.entries.len();
                if list.next_element_seed(Value { slot: Slot::Numbers(&mut matrix.entries), at: &mut *at })?.is_none() {
                    return Ok(true);
                }
                let entries = matrix.entries.len() - before;
                if matrix.rows == 0 {
                    matrix.columns = entries;
                } else if entries != matrix.columns {
                    let (field, row, first) = (at.place.field, matrix.rows, matrix.columns);
                    return fail(at, Fault::Ragged { field, row, entries, first });
                }
                matrix.rows += 1;
            },
            Slot::Numbers(numbers) => {
                let (outer, before) = (at.place, numbers.len());
                loop {
                    let index = Some(numbers.len() - before);
                    // A list inside a matrix is a row of it.
                    match outer.row {
                        Some(_) => at.place.column = index,
                        None => at.place.row = index,
                    }
                    let number = Value { slot: Slot::Number(&mut *numbers), at: &mut *at };
                    if list.next_element_seed(number)?.is_none() {
                        return Ok(true);
                    }
                }
            }
            Slot::Texts(texts) => loop {
                at.place.row = Some(texts.len());
                if list.next_element_seed(Value { slot: Slot::Text(&mut *texts), at: &mut *at })?.is_none() {
                    return Ok(true);
                }
            },
            slot => Value { slot, at }.wrong("a list"),
        }
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<bool, M::Error> {
        let Self { slot, at } = self;
        match slot {
            Slot::Line(system, id) => {
                let mut seen = [false; FIELDS.len()];
                while let Some(field) = next_field(&mut map, &FIELDS, &mut seen, at)? {
                    let slot = match FIELDS[field] {
                        "M" => Slot::Rows(&mut system.M),
                        "Q" => Slot::Numbers(&mut system.Q),
                        "A" => Slot::Rows(&mut system.A),
                        "b" => Slot::Numbers(&mut system.b),
                        "C" => Slot::Numbers(&mut system.C),
                        "qdd" => Slot::Numbers(&mut system.qdd),
                        "names" => Slot::Names(&mut system.names),
                        _ => {
                            *id = Some(map.next_value()?);
                            continue;
                        }
                    };
                    system.given[field] = map.next_value_seed(Value { slot, at: &mut *at })?;
                    at.place = Place::default();
                }
            }
            Slot::Names(names) => {
                let mut seen = [false; NAMES.len()];
                while let Some(field) = next_field(&mut map, &NAMES, &mut seen, at)? {
                    let (list, called) = match NAMES[field] {
                        "coordinates" => (&mut names.coordinates, "names.coordinates"),
                        _ => (&mut names.constraints, "names.constraints"),
                    };
                    at.place = Place::field(called);
                    map.next_value_seed(Value { slot: Slot::Texts(list), at: &mut *at })?;
                    at.place = Place::field("names");
                }
            }
            slot => return Value { slot, at }.wrong("an object"),
        }
        Ok(true)
    }
}

/// The next of the known fields, which must not come twice.
fn next_field<'de, M: MapAccess<'de>, const N: usize>(
    map: &mut M,
    known: &[&'static str; N],
    seen: &mut [bool; N],
    at: &mut Progress,
) -> Result<Option<usize>, M::Error> {
    let within = at.place.field;
    let Some(key) = map.next_key_seed(Key(known))? else { return Ok(None) };
    let field = match key {
        Ok(field) => field,
        Err(field) => {
            let near = nearest(&field, known);
            return fail(at, Fault::Unknown { field, within, near });
        }
    };
    if seen[field] {
        let field = if within.is_empty() { known[field].into() } else { format!("{within}.{}", known[field]) };
        return fail(at, Fault::Twice { field });
    }
    seen[field] = true;
    at.place = Place::field(known[field]);
    Ok(Some(field))
}

/// The key of a field: its number among the known ones, or else its text.
struct Key<'k>(&'k [&'static str]);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Result<usize, String>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Result<usize, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|known| *known == key).ok_or_else(|| key.into()))
    }
}

/// Looks for `id` and `names` only.
struct Around<'s, 'de> {
    id: &'s mut Option<&'de RawValue>,
    names: &'s mut Option<&'de RawValue>,
}

impl<'de> Visitor<'de> for Around<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(key) = map.next_key_seed(Key(&FIELDS))? {
            let value = map.next_value::<&'de RawValue>()?;
            match key.map(|field| FIELDS[field]) {
                Ok("id") => *self.id = Some(value),
                Ok("names") => *self.names = Some(value),
                _ => {}
            }
        }
        Ok(())
    }
}

/// The words for text that is not JSON.
fn malformed(line: &str, place: Place, error: &serde_json::Error) -> Fault {
    let detail = error.to_string();
    let detail = detail.split(" at line ").next().unwrap_or_default();
    let column = error.column();
    if error.is_eof() {
        return Fault::Unfinished;
    }
    // The word around the column: a number, or one of the things that JSON has no word for.
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let bytes = line.as_bytes();
    let middle = column.saturating_sub(1).min(bytes.len());
    let start = middle - bytes[..middle].iter().rev().take_while(|byte| part(byte)).count();
    let end = middle + bytes[middle..].iter().take_while(|byte| part(byte)).count();
    let literal = match &line[start..end] {
        long if long.len() > 24 => format!("{}…", &long[..20]),
        short => short.to_string(),
    };
    if detail == "number out of range" {
        return Fault::TooLarge { place, literal };
    }
    let word = literal.trim_start_matches(['+', '-']).to_ascii_lowercase();
    if ["nan", "inf", "infinity"].contains(&word.as_str()) {
        return Fault::NotFinite { place, literal };
    }
    let detail = match detail {
        "trailing characters" => "text after the end of the object".into(),
        "trailing comma" => "a comma with nothing behind it".into(),
        "expected value" | "expected ident" if literal.is_empty() => "a value is missing".into(),
        "expected value" | "expected ident" => format!("`{literal}` is not a value"),
        other => other.to_string(),
    };
    Fault::Syntax { place: Place::field(place.field), column, detail }
}
