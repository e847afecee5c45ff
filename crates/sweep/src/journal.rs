//! The journal of a sweep: what came of every run so far, in a file that outlives its writer.
//!
//! A file of records, each with its length and a checksum before it. The first says what sweep this is; the others are rows of a
//! trajectory or the end of a run, in the order in which workers were done. Whoever kills the program, or the power, can
//! damage the tail alone: reading ends at the first record that is not whole, and writing goes on from there. In memory is kept where
//! the end of each run stands, eight bytes per point; rows lead back from there, each block to the one before.

use std::collections::HashMap;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::record::{Reader, Record};

/// Its name in the folder of the sweep.
pub const JOURNAL: &str = "journal";

const MAGIC: &[u8; 16] = b"holonom sweep 1\n";
/// No record is longer. Rows come in blocks that are far shorter.
const LONGEST: u32 = 1 << 28;
/// What is collected before it is written.
const CHUNK: usize = 1 << 20;

/// What a record is.
const HEADER: u8 = 0;
const ROWS: u8 = 1;
const END: u8 = 2;

/// What sweep it is: the model, the points, the settings. Each part has a name, so that a difference can be named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity(pub Vec<(String, String)>);

impl Identity {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![HEADER];
        for text in self.0.iter().flat_map(|(name, text)| [name, text]) {
            bytes.extend((text.len() as u64).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes.strip_prefix(&[HEADER])?);
        let mut texts = Vec::new();
        while !reader.0.is_empty() {
            let length = usize::try_from(u64::from_le_bytes(reader.take()?)).ok()?;
            let (text, rest) = reader.0.split_at_checked(length)?;
            texts.push(String::from_utf8(text.to_vec()).ok()?);
            reader.0 = rest;
        }
        let mut texts = texts.into_iter();
        let mut parts = Vec::new();
        while let (Some(name), Some(text)) = (texts.next(), texts.next()) {
            parts.push((name, text));
        }
        Some(Self(parts))
    }

    /// The names of the parts in which two differ.
    fn differences(&self, other: &Self) -> Vec<String> {
        let lacks = |of: &Self, part: &(String, String)| !of.0.contains(part);
        let mut names: Vec<String> =
            self.0.iter().filter(|part| lacks(other, part)).map(|part| part.0.clone()).collect();
        for part in other.0.iter().filter(|part| lacks(self, part)) {
            if !names.contains(&part.0) {
                names.push(part.0.clone());
            }
        }
        names
    }
}

/// Why a journal cannot be used.
#[derive(Debug)]
pub enum JournalError {
    /// It is the journal of another sweep; these are the parts in which it differs.
    Another(Vec<String>),
    /// Another program is writing it.
    Busy,
    /// A file of that name is there and is no journal.
    Foreign,
    /// The system says no.
    System(io::Error),
}

impl From<io::Error> for JournalError {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Another(parts) => write!(f, "another sweep is in this folder: it differs in {}", parts.join(" and ")),
            Self::Busy => f.write_str("another sweep is at work in this folder"),
            Self::Foreign => write!(f, "`{JOURNAL}` in this folder is not the journal of a sweep"),
            Self::System(error) => f.write_str(&holonom_output::reason(error)),
        }
    }
}

impl std::error::Error for JournalError {}

/// The journal of a sweep, open for writing and reading. The file is locked.
#[derive(Debug)]
pub struct Journal {
    file: File,
    /// Where the next record will stand; what is in the buffer included.
    end: u64,
    buffer: Vec<u8>,
    /// Where the end of each run stands; 0 where there is none.
    index: Vec<u64>,
    done: u64,
    /// The last block of rows of each run that is under way.
    blocks: HashMap<u64, u64>,
}

impl Journal {
    /// Opens the journal of this sweep, or begins it. `fresh` throws away what is there.
    ///
    /// # Errors
    /// Where another sweep is in the folder, or at work in it, and where the system says no.
    pub fn open(folder: &Path, identity: &Identity, points: u64, fresh: bool) -> Result<Self, JournalError> {
        fs::create_dir_all(folder)?;
        let path = folder.join(JOURNAL);
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(JournalError::Busy),
            // Not every file system has locks.
            Err(fs::TryLockError::Error(_)) => {}
        }
        let points = usize::try_from(points).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        let mut journal = Self {
            end: 0,
            buffer: Vec::new(),
            index: vec![0; points],
            done: 0,
            blocks: HashMap::new(),
            file: file.try_clone()?,
        };
        let length = file.metadata()?.len();
        let mut reader = BufReader::with_capacity(CHUNK, &mut file);
        let mut magic = [0; MAGIC.len()];
        let begins = length >= MAGIC.len() as u64 && reader.read_exact(&mut magic).is_ok();
        if (begins && magic != *MAGIC) || (!begins && !is_prefix(&mut reader, length)?) {
            return Err(JournalError::Foreign);
        }
        let mut at = MAGIC.len() as u64;
        let mut payload = Vec::new();
        let first = (begins && !fresh).then(|| next(&mut reader, length - at, &mut payload)).transpose()?.flatten();
        match first {
            Some(size) => {
                let found = Identity::from_bytes(&payload).unwrap_or_default();
                if found != *identity {
                    return Err(JournalError::Another(found.differences(identity)));
                }
                at += size;
                while let Some(size) = next(&mut reader, length - at, &mut payload)? {
                    if !journal.learn(&payload, at) {
                        break;
                    }
                    at += size;
                }
                journal.end = at;
                journal.file.set_len(at)?;
            }
            // Nothing was done yet, or before the first record was whole, or it does not count.
            None => {
                journal.file.set_len(0)?;
                journal.buffer.extend(MAGIC);
                journal.end = MAGIC.len() as u64;
                journal.append(&identity.to_bytes());
                journal.sync()?;
            }
        }
        Ok(journal)
    }

    /// Notes what a record says; whether it makes sense.
    fn learn(&mut self, payload: &[u8], at: u64) -> bool {
        let mut reader = Reader(payload);
        let (Some([kind]), Some(point)) = (reader.take(), reader.take().map(u64::from_le_bytes)) else { return false };
        let Some(place) = usize::try_from(point).ok().and_then(|point| self.index.get_mut(point)) else { return false };
        match kind {
            ROWS => true,
            END => {
                if *place == 0 {
                    *place = at;
                    self.done += 1;
                }
                true
            }
            _ => false,
        }
    }

    /// How many runs have ended.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Whether the run of a point has ended.
    pub fn has(&self, point: u64) -> bool {
        self.index.get(point as usize).is_some_and(|at| *at > 0)
    }

    /// Adds a block of rows of a run that is under way.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn rows(&mut self, point: u64, rows: &[f64]) -> io::Result<()> {
        let mut payload = self.begin(ROWS, point);
        payload.extend(rows.iter().flat_map(|value| value.to_le_bytes()));
        let at = self.append(&payload);
        self.blocks.insert(point, at);
        self.write_if_long()
    }

    /// Adds the end of a run.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn end(&mut self, point: u64, record: &Record) -> io::Result<()> {
        let mut payload = self.begin(END, point);
        record.to_bytes(&mut payload);
        self.blocks.remove(&point);
        let at = self.append(&payload);
        if let Some(place) = self.index.get_mut(point as usize).filter(|place| **place == 0) {
            *place = at;
            self.done += 1;
        }
        self.write_if_long()
    }

    /// The kind, the point, and where the block of rows before this record stands.
    fn begin(&self, kind: u8, point: u64) -> Vec<u8> {
        let mut payload = vec![kind];
        payload.extend(point.to_le_bytes());
        payload.extend(self.blocks.get(&point).copied().unwrap_or(0).to_le_bytes());
        payload
    }

    fn append(&mut self, payload: &[u8]) -> u64 {
        let at = self.end;
        self.buffer.extend((payload.len() as u32).to_le_bytes());
        self.buffer.extend(crc32(payload).to_le_bytes());
        self.buffer.extend(payload);
        self.end += 8 + payload.len() as u64;
        at
    }

    fn write_if_long(&mut self) -> io::Result<()> {
        if self.buffer.len() >= CHUNK { self.write() } else { Ok(()) }
    }

    /// Hands what was added to the system: it outlives this program now.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() { Ok(()) } else { self.pour() }
    }

    /// The file, for a thread that makes sure now and then that it is on the disk: that may take long, and nobody should wait for it.
    pub(super) fn file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Makes sure that all of it is on the disk.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn sync(&mut self) -> io::Result<()> {
        self.pour()?;
        self.file.sync_data()
    }

    /// Writes what is in the buffer to where it belongs: reading may have been elsewhere.
    fn pour(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end - self.buffer.len() as u64))?;
        self.file.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// What came of a point; nothing where it has not been run. Everything must have been written before.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn record(&self, point: u64) -> io::Result<Option<Record>> {
        let at = self.index.get(point as usize).copied().unwrap_or(0);
        if at == 0 {
            return Ok(None);
        }
        let payload = self.payload(at)?;
        let record = payload.get(HEAD..).and_then(Record::from_bytes);
        record.map(Some).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    /// Calls `visit` with the blocks of rows of a point, in order.
    ///
    /// # Errors
    /// Where they cannot be read, and what `visit` says.
    pub fn each_rows(&self, point: u64, mut visit: impl FnMut(&[f64]) -> io::Result<()>) -> io::Result<()> {
        let bad = || io::Error::from(io::ErrorKind::InvalidData);
        let mut places = Vec::new();
        let mut at = self.index.get(point as usize).copied().unwrap_or(0);
        while at > 0 {
            let payload = self.payload(at)?;
            let before =
                payload.get(9..).and_then(|rest| Reader(rest).take()).map(u64::from_le_bytes).ok_or_else(bad)?;
            // Blocks lead back, so that a damaged one cannot lead in circles.
            if before >= at {
                return Err(bad());
            }
            at = before;
            places.extend((at > 0).then_some(at));
        }
        for at in places.into_iter().rev() {
            let payload = self.payload(at)?;
            let rows = payload.get(HEAD..).and_then(|rest| Reader(rest).numbers(rest.len() / 8)).ok_or_else(bad)?;
            visit(&rows)?;
        }
        Ok(())
    }

    fn payload(&self, at: u64) -> io::Result<Vec<u8>> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(at))?;
        let mut payload = Vec::new();
        match next(&mut file, self.end - at, &mut payload)? {
            Some(_) => Ok(payload),
            None => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

/// The bytes before what a record is about: its kind, the point, the block before.
const HEAD: usize = 17;

/// Whether a file that is shorter than the magic begins like it.
fn is_prefix(reader: &mut impl Read, length: u64) -> io::Result<bool> {
    let mut found = Vec::new();
    reader.take(length).read_to_end(&mut found)?;
    Ok(MAGIC.starts_with(&found))
}

/// The next record, if it is whole: how many bytes it takes.
fn next(reader: &mut impl Read, left: u64, payload: &mut Vec<u8>) -> io::Result<Option<u64>> {
    let mut head = [0; 8];
    if left < head.len() as u64 {
        return Ok(None);
    }
    reader.read_exact(&mut head)?;
    let [length, check] = [0, 4].map(|at| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
    let size = 8 + u64::from(length);
    // Zeros are what a disk without power leaves; they are no record.
    if length == 0 || length > LONGEST || size > left {
        return Ok(None);
    }
    payload.resize(length as usize, 0);
    reader.read_exact(payload)?;
    Ok((crc32(payload) == check).then_some(size))
}

/// The checksum of Ethernet, zip and PNG: CRC-32.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut value = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                value = if value & 1 == 1 { 0xedb8_8320 ^ (value >> 1) } else { value >> 1 };
                bit += 1;
            }
            table[byte] = value;
            byte += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |crc: u32, byte| TABLE[usize::from(crc as u8 ^ byte)] ^ (crc >> 8))
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::sample;
    use super::*;
    use holonom_testing::Scratch;

    fn identity() -> Identity {
        Identity(vec![("the model".into(), "coord x\n".into()), ("the settings".into(), String::new())])
    }

    fn rows(journal: &Journal, point: u64) -> Vec<f64> {
        let mut all = Vec::new();
        let mut take = |rows: &[f64]| {
            all.extend_from_slice(rows);
            Ok(())
        };
        journal.each_rows(point, &mut take).unwrap();
        all
    }

    #[test]
    fn the_checksum_is_the_known_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    /// Cut off anywhere, and with any byte turned: what is whole is kept, what is not is gone, nothing is made up.
    #[test]
    fn a_damaged_tail_costs_what_stands_in_it() {
        let scratch = Scratch::new("journal");
        let folder = scratch.path("s.sweep");
        let mut journal = Journal::open(&folder, &identity(), 4, false).unwrap();
        let mut ends = Vec::new();
        for point in [2, 0, 3] {
            journal.rows(point, &[1.0, point as f64]).unwrap();
            journal.rows(point, &[2.0]).unwrap();
            journal.end(point, &sample("run-stuck: here")).unwrap();
            journal.write().unwrap();
            ends.push(journal.end);
        }
        assert_eq!((journal.done(), rows(&journal, 3)), (3, vec![1.0, 3.0, 2.0]));
        drop(journal);
        let whole = fs::read(folder.join(JOURNAL)).unwrap();
        for length in 0..=whole.len() {
            fs::write(folder.join(JOURNAL), &whole[..length]).unwrap();
            let journal = Journal::open(&folder, &identity(), 4, false).unwrap();
            let kept = ends.iter().filter(|end| **end <= length as u64).count();
            assert_eq!(journal.done(), kept as u64, "cut at {length}");
        }
        for at in (MAGIC.len()..whole.len()).step_by(7) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x40;
            fs::write(folder.join(JOURNAL), &bytes).unwrap();
            let journal = Journal::open(&folder, &identity(), 4, false).unwrap();
            for point in [0, 2, 3].into_iter().filter(|point| journal.has(*point)) {
                assert_eq!(journal.record(point).unwrap(), Some(sample("run-stuck: here")));
                assert_eq!(rows(&journal, point), [1.0, point as f64, 2.0]);
            }
        }
        // What follows a cut is written over it.
        fs::write(folder.join(JOURNAL), [&whole[..whole.len() - 3], &[0; 64]].concat()).unwrap();
        let mut journal = Journal::open(&folder, &identity(), 4, false).unwrap();
        assert_eq!(journal.done(), 2);
        journal.end(3, &sample("again")).unwrap();
        journal.sync().unwrap();
        drop(journal);
        let journal = Journal::open(&folder, &identity(), 4, false).unwrap();
        assert_eq!(journal.record(3).unwrap(), Some(sample("again")));
        assert_eq!((journal.record(1).unwrap(), rows(&journal, 3)), (None, vec![]));
    }

    #[test]
    fn another_sweep_is_not_continued() {
        let scratch = Scratch::new("another");
        let folder = scratch.path("s.sweep");
        let open = |identity: &Identity, fresh| Journal::open(&folder, identity, 1, fresh);
        let busy = open(&identity(), false).unwrap();
        assert!(matches!(open(&identity(), false), Err(JournalError::Busy)));
        drop(busy);
        let mut other = identity();
        other.0[0].1 = "coord y\n".into();
        let refused = open(&other, false).unwrap_err();
        assert_eq!(refused.to_string(), "another sweep is in this folder: it differs in the model");
        assert!(open(&other, true).is_ok());
        assert!(open(&identity(), false).is_err());
        fs::write(folder.join(JOURNAL), "my diary: today I swept").unwrap();
        assert!(matches!(open(&other, false), Err(JournalError::Foreign)));
        assert_eq!(fs::read_to_string(folder.join(JOURNAL)).unwrap(), "my diary: today I swept");
    }
}
