//! A segment: records, the table of their keys, and a footer that a cut file lacks.
//!
//! ```text
//! record   checksum u64 of key and section ×4, sections ×4        at TableRow::offset
//! ...
//! table    TableRow ×count: key [u8; 16], offset u64, lengths u32 ×4
//! footer   fingerprint u64, offset of the table u64, count u64, checksum of table and footer u64, magic
//! ```
//!
//! All numbers are little-endian. Nothing is trusted before its checksum: a length that was read from a
//! table whose checksum holds is one that was written.

use std::fs::{File, OpenOptions};
use std::hash::Hasher as _;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use codeweft_syntax::Lang;
use codeweft_syntax::record::SECTIONS;
use twox_hash::XxHash3_64;

/// The last bytes of a segment.
const MAGIC: [u8; 8] = *b"codeweft";

const FOOTER: usize = 5 * 8;
const ROW: usize = 16 + 8 + 4 * SECTIONS;

/// The bytes of the checksums before a record's sections.
const SUMS: usize = 8 * SECTIONS;

/// The longest table that is read, in rows.
const MAX_ROWS: u64 = 1 << 22;

/// The time for which the use of a segment is not noted again.
const USED: Duration = Duration::from_secs(3600);

/// The fingerprint of the lowering of this build (`build.rs`).
fn fingerprint() -> u64 {
    u64::from_str_radix(env!("CODEWEFT_LOWERING"), 16).unwrap_or_default()
}

/// The key of a text: a hash of its language and its bytes for which no second text can be found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Key([u8; 16]);

impl Key {
    pub(crate) fn of(text: &str, lang: Lang) -> Key {
        let mut hasher = blake3::Hasher::new();
        hasher.update(lang.wire_name().as_bytes());
        hasher.update(&[0]);
        hasher.update(text.as_bytes());
        let mut key = [0; 16];
        hasher.finalize_xof().fill(&mut key);
        Key(key)
    }

    /// Returns the key of the declarations of the text alone.
    pub(crate) fn of_declarations(mut self) -> Key {
        self.0[0] ^= 1;
        self
    }

    fn checksum(self, number: usize, section: &[u8]) -> u64 {
        let mut hasher = XxHash3_64::new();
        hasher.write(&self.0);
        hasher.write(&[number as u8]);
        hasher.write(section);
        hasher.finish()
    }
}

/// A row of the table of a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableRow {
    pub(crate) key: Key,
    /// The offset of the record in the file.
    offset: u64,
    /// The lengths of the sections in bytes.
    lengths: [u32; SECTIONS],
}

impl TableRow {
    pub(crate) fn location(&self, segment: &Arc<SegmentFile>) -> Location {
        Location {
            segment: segment.clone(),
            offset: self.offset,
            lengths: self.lengths,
        }
    }

    fn encode(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.key.0);
        to.extend_from_slice(&self.offset.to_le_bytes());
        for length in self.lengths {
            to.extend_from_slice(&length.to_le_bytes());
        }
    }

    fn decode(row: &[u8]) -> Option<TableRow> {
        let (key, rest) = row.split_first_chunk()?;
        let (offset, mut rest) = rest.split_first_chunk()?;
        let mut lengths = [0; SECTIONS];
        for length in &mut lengths {
            let (bytes, behind) = rest.split_first_chunk()?;
            *length = u32::from_le_bytes(*bytes);
            rest = behind;
        }
        Some(TableRow {
            key: Key(*key),
            offset: u64::from_le_bytes(*offset),
            lengths,
        })
    }
}

/// A segment that is open for reading.
pub(crate) struct SegmentFile {
    file: File,
    use_is_noted: AtomicBool,
}

impl SegmentFile {
    /// Opens a segment and reads its table; `None` if it is cut, damaged or of another build.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn open(path: &Path) -> std::io::Result<Option<(SegmentFile, Vec<TableRow>)>> {
        let no_link = rustix::fs::OFlags::NOFOLLOW.bits();
        let mut options = OpenOptions::new();
        let file = options.read(true).custom_flags(no_link as i32).open(path)?;
        let table = table(&file)?;
        let segment = SegmentFile {
            file,
            use_is_noted: AtomicBool::new(false),
        };
        Ok(table.map(|table| (segment, table)))
    }

    /// Notes that the segment is used, so that it is not the first to be removed.
    pub(crate) fn note_use(&self) {
        if self.use_is_noted.swap(true, Ordering::Relaxed) {
            return;
        }
        let now = SystemTime::now();
        let modified = self
            .file
            .metadata()
            .and_then(|metadata| metadata.modified());
        let is_old =
            modified.is_ok_and(|then| now.duration_since(then).is_ok_and(|age| age > USED));
        if is_old {
            // A file system that is only read keeps its times.
            let _ = self.file.set_modified(now);
        }
    }
}

/// Reads the table of a segment; `None` if it is cut, damaged or of another build.
fn table(file: &File) -> std::io::Result<Option<Vec<TableRow>>> {
    let size = file.metadata()?.len();
    let Some(footer_at) = size.checked_sub(FOOTER as u64) else {
        return Ok(None);
    };
    let mut footer = [0; FOOTER];
    file.read_exact_at(&mut footer, footer_at)?;
    let number = |at: usize| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&footer[at * 8..(at + 1) * 8]);
        u64::from_le_bytes(bytes)
    };
    let (offset, count, sum) = (number(1), number(2), number(3));
    let is_whole = count <= MAX_ROWS
        && offset.checked_add(count * ROW as u64) == Some(footer_at)
        && footer[4 * 8..] == MAGIC
        && number(0) == fingerprint();
    if !is_whole {
        return Ok(None);
    }
    let mut rows = vec![0; count as usize * ROW];
    file.read_exact_at(&mut rows, offset)?;
    if sum != table_checksum(&rows, &footer[..3 * 8]) {
        return Ok(None);
    }
    Ok(rows.chunks_exact(ROW).map(TableRow::decode).collect())
}

fn table_checksum(rows: &[u8], footer: &[u8]) -> u64 {
    let mut hasher = XxHash3_64::new();
    hasher.write(rows);
    hasher.write(footer);
    hasher.finish()
}

/// Where a record is.
#[derive(Clone)]
pub(crate) struct Location {
    pub(crate) segment: Arc<SegmentFile>,
    offset: u64,
    lengths: [u32; SECTIONS],
}

impl Location {
    /// Reads the first `count` sections of the record; `None` if it cannot be read or a checksum is wrong.
    pub(crate) fn read(&self, key: Key, count: usize) -> Option<Vec<u8>> {
        let lengths = &self.lengths[..count];
        let size = SUMS + lengths.iter().map(|&length| length as usize).sum::<usize>();
        let mut bytes = vec![0; size];
        self.segment
            .file
            .read_exact_at(&mut bytes, self.offset)
            .ok()?;
        let sections = self.sections(&bytes);
        let is_right = |number: usize| {
            let sum = key.checksum(number, sections[number]);
            bytes[number * 8..(number + 1) * 8] == sum.to_le_bytes()
        };
        (0..count).all(is_right).then_some(bytes)
    }

    /// Returns whether the first `count` sections of the record are empty.
    pub(crate) fn are_empty(&self, count: usize) -> bool {
        self.lengths[..count].iter().all(|&length| length == 0)
    }

    /// Returns the sections in what [`Location::read`] gave; those that were not read are empty.
    pub(crate) fn sections<'b>(&self, bytes: &'b [u8]) -> [&'b [u8]; SECTIONS] {
        let mut rest = bytes.get(SUMS..).unwrap_or_default();
        self.lengths.map(|length| {
            let (section, behind) = rest.split_at_checked(length as usize).unwrap_or((&[], &[]));
            rest = behind;
            section
        })
    }
}

/// The bytes of a segment under construction.
#[derive(Default)]
pub(crate) struct SegmentBytes {
    rows: Vec<TableRow>,
    /// How many bytes were taken out to be written.
    written: u64,
    pending: Vec<u8>,
}

impl SegmentBytes {
    /// Appends a record.
    pub(crate) fn add(&mut self, key: Key, sections: &[Vec<u8>; SECTIONS]) {
        let offset = self.size();
        for (number, section) in sections.iter().enumerate() {
            let sum = key.checksum(number, section);
            self.pending.extend_from_slice(&sum.to_le_bytes());
        }
        let mut lengths = [0; SECTIONS];
        for (length, section) in lengths.iter_mut().zip(sections) {
            // A text has at most a gigabyte, and its sections little more.
            *length = u32::try_from(section.len()).unwrap_or_default();
            self.pending.extend_from_slice(section);
        }
        self.rows.push(TableRow {
            key,
            offset,
            lengths,
        });
    }

    /// Appends a record as it is in another segment; `false` if it is damaged there.
    pub(crate) fn copy(&mut self, row: &TableRow, segment: &Arc<SegmentFile>) -> bool {
        let location = row.location(segment);
        let Some(bytes) = location.read(row.key, SECTIONS) else {
            return false;
        };
        let offset = self.size();
        self.pending.extend_from_slice(&bytes);
        self.rows.push(TableRow { offset, ..*row });
        true
    }

    /// Returns the size of the records in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.written + self.pending.len() as u64
    }

    /// Returns the bytes that were not taken yet.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        self.written = self.size();
        std::mem::take(&mut self.pending)
    }

    /// Returns the last bytes of the segment, and the number of its records.
    pub(crate) fn end(mut self) -> (Vec<u8>, usize) {
        let offset = self.size();
        let mut rows = Vec::with_capacity(self.rows.len() * ROW);
        for row in &self.rows {
            row.encode(&mut rows);
        }
        let mut footer = Vec::with_capacity(FOOTER);
        for number in [fingerprint(), offset, self.rows.len() as u64] {
            footer.extend_from_slice(&number.to_le_bytes());
        }
        let sum = table_checksum(&rows, &footer);
        footer.extend_from_slice(&sum.to_le_bytes());
        footer.extend_from_slice(&MAGIC);
        let mut bytes = self.take();
        bytes.extend_from_slice(&rows);
        bytes.extend_from_slice(&footer);
        (bytes, self.rows.len())
    }
}
