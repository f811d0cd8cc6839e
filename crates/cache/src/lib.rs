//! Lowered texts on disk, by the content of the text: what makes a start warm.
//!
//! A record is what lowering made of a text; its key is a hash of the language and the text, so worktrees,
//! branches and projects share records, and there is nothing to invalidate. A record that was cut, damaged
//! or written by another build is not read: the text is lowered again.
//!
//! ```text
//! $XDG_CACHE_HOME/codeweft/v1/                  0700, ours
//!   seg-PID-RANDOM.cw                           records, then the table of their keys; never changed
//!   .tmp-PID-RANDOM                             a segment that a process is writing
//!   gc.lock                                     held by the one that removes and merges segments
//! ```
//!
//! Reading blocks on nothing but the disk. Writing happens on a thread of its own, behind a bounded queue;
//! what does not fit is not kept. An error of the disk ends writing for this process.

mod folder;
mod gc;
mod segment;
#[cfg(test)]
mod tests;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, RwLock};
use std::time::Duration;

use codeweft_secrets::may_have_secret;
use codeweft_syntax::record::{self, DECLARATIONS, SECTIONS};
use codeweft_syntax::{FileIr, Header, Items, Lang, Names, Report};
use rustc_hash::FxHashMap;

pub use folder::default_folder;
use segment::{Key, Location, SegmentFile};
use writer::Writer;

/// The size in bytes that a cache is kept below, unless the settings say otherwise.
pub const DEFAULT_MAX_SIZE: u64 = 2 << 30;

/// The records of a folder, and what this process adds to them.
pub struct LoweringCache {
    folder: PathBuf,
    records: Arc<Records>,
    writer: OnceLock<Option<Writer>>,
    max_size: u64,
}

/// The records that can be read.
#[derive(Default)]
struct Records {
    by_key: RwLock<FxHashMap<Key, Location>>,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    found: AtomicU64,
    missing: AtomicU64,
    rejected: AtomicU64,
    written: AtomicU64,
}

/// What a cache did in this process, in records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CacheCounts {
    /// Records that were read.
    pub found: u64,
    /// Texts without a record.
    pub missing: u64,
    /// Records and segments that were damaged or foreign.
    pub rejected: u64,
    /// Records that were written and can be read by others.
    pub written: u64,
}

/// The reason why there is no cache.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The folder cannot be made or listed.
    #[error("its folder cannot be used: {0}")]
    Folder(std::io::Error),
    /// The folder belongs to another user, or others may write to it.
    #[error("its folder belongs to another user, or others may write to it")]
    NotOurs,
}

impl LoweringCache {
    /// Opens the cache below a folder (absolute) and makes what is missing of it. `max_size` in bytes.
    ///
    /// # Errors
    /// See [`CacheError`].
    pub fn open(folder: &Path, max_size: u64) -> Result<LoweringCache, CacheError> {
        let folder = folder::prepare(folder)?;
        let cache = LoweringCache {
            folder,
            records: Arc::default(),
            writer: OnceLock::new(),
            max_size,
        };
        cache.read_tables()?;
        Ok(cache)
    }

    fn read_tables(&self) -> Result<(), CacheError> {
        let found = folder::segments(&self.folder).map_err(CacheError::Folder)?;
        for path in found {
            match SegmentFile::open(&path) {
                Ok(Some((segment, table))) => self.records.add(&Arc::new(segment), table),
                Ok(None) => {
                    self.records.counts.rejected.fetch_add(1, Ordering::Relaxed);
                }
                // Another process has removed it.
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// Returns the folder with the segments.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the lowered form of a text if it is kept.
    pub fn lowered(&self, text: &str, lang: Lang, names: &Names) -> Option<FileIr> {
        self.read(&[Key::of(text, lang)], |location, key| {
            let bytes = location.read(key, SECTIONS)?;
            let sections = location.sections(&bytes);
            record::decode(sections, lang, names).ok()
        })
    }

    /// Returns the header and the items of a text if they are kept.
    pub fn declarations(
        &self,
        text: &str,
        lang: Lang,
        names: &Names,
    ) -> Option<(Arc<Header>, Arc<Items>)> {
        let key = Key::of(text, lang);
        self.read(&[key, key.of_declarations()], |location, key| {
            let bytes = location.read(key, DECLARATIONS)?;
            record::decode_declarations(location.sections(&bytes), lang, names).ok()
        })
    }

    /// Returns the report of the lowering of a text if it is kept. Reads nothing for a text that could be
    /// lowered whole.
    pub fn report(&self, text: &str, lang: Lang) -> Option<Report> {
        self.read(&[Key::of(text, lang)], |location, key| {
            if location.are_empty(1) {
                return Some(Report::default());
            }
            let bytes = location.read(key, 1)?;
            record::decode_report(location.sections(&bytes)[0]).ok()
        })
    }

    /// Reads the record of the first of some keys that has one.
    fn read<T>(&self, keys: &[Key], decode: impl FnOnce(&Location, Key) -> Option<T>) -> Option<T> {
        let counts = &self.records.counts;
        let mut records = keys
            .iter()
            .filter_map(|&key| Some((key, self.records.location(key)?)));
        let Some((key, location)) = records.next() else {
            counts.missing.fetch_add(1, Ordering::Relaxed);
            return None;
        };
        let read = decode(&location, key);
        match read {
            Some(_) => {
                location.segment.note_use();
                counts.found.fetch_add(1, Ordering::Relaxed);
            }
            None => {
                counts.rejected.fetch_add(1, Ordering::Relaxed);
                self.records.forget(key);
            }
        }
        read
    }

    /// Keeps the lowered form of a text, unless it is kept already or too much waits to be written.
    pub fn keep(&self, text: &str, lang: Lang, names: &Names, ir: &FileIr) {
        self.write(Key::of(text, lang), lang, text, || {
            record::encode(ir, lang, names)
        });
    }

    /// Keeps the header and the items of a text of which nothing else is lowered, as
    /// [`LoweringCache::keep`].
    pub fn keep_declarations(
        &self,
        text: &str,
        lang: Lang,
        names: &Names,
        (header, items): (&Header, &Items),
    ) {
        let key = Key::of(text, lang);
        if self.records.location(key).is_none() {
            let encode = || record::encode_declarations(header, items, lang, names);
            self.write(key.of_declarations(), lang, text, encode);
        }
    }

    /// Writes a record, unless the text has a secret: records have texts of literals. What the user allows is not known here,
    /// nor the path; without them the rules find more, and what is not kept is only lowered again.
    fn write(
        &self,
        key: Key,
        lang: Lang,
        text: &str,
        encode: impl FnOnce() -> Option<[Vec<u8>; SECTIONS]>,
    ) {
        if self.max_size == 0 || lang.parts_codec.is_none() {
            return;
        }
        let writer = self.writer.get_or_init(|| {
            Writer::start(self.folder.clone(), self.records.clone(), self.max_size)
        });
        let Some(writer) = writer.as_ref().filter(|writer| writer.is_open()) else {
            return;
        };
        if self.records.location(key).is_some() || may_have_secret(text) {
            return;
        }
        if let Some(sections) = encode() {
            writer.write(key, sections);
        }
    }

    /// Waits until what was kept is on disk, at most for `longest`.
    pub fn flush(&self, longest: Duration) {
        if let Some(writer) = self.writer.get().and_then(Option::as_ref) {
            writer.flush(longest);
        }
    }

    /// Returns what the cache did so far.
    pub fn counts(&self) -> CacheCounts {
        let counts = &self.records.counts;
        CacheCounts {
            found: counts.found.load(Ordering::Relaxed),
            missing: counts.missing.load(Ordering::Relaxed),
            rejected: counts.rejected.load(Ordering::Relaxed),
            written: counts.written.load(Ordering::Relaxed),
        }
    }

    /// Returns the size of all segments in bytes.
    pub fn size(&self) -> u64 {
        let segments = folder::segments(&self.folder).unwrap_or_default();
        let sizes = segments.iter().filter_map(|path| path.metadata().ok());
        sizes.map(|metadata| metadata.len()).sum()
    }

    /// Returns which part of the texts looked for had a record that could be read; `None` if none was looked
    /// for.
    pub fn hit_rate(&self) -> Option<f64> {
        let counts = self.counts();
        let all = counts.found + counts.missing + counts.rejected;
        (all > 0).then(|| counts.found as f64 / all as f64)
    }

    /// Returns why writing has ended, if it has.
    pub fn write_error(&self) -> Option<String> {
        self.writer.get()?.as_ref()?.error()
    }
}

impl Records {
    fn location(&self, key: Key) -> Option<Location> {
        let by_key = self
            .by_key
            .read()
            .unwrap_or_else(|broken| broken.into_inner());
        by_key.get(&key).cloned()
    }

    fn forget(&self, key: Key) {
        let mut by_key = self
            .by_key
            .write()
            .unwrap_or_else(|broken| broken.into_inner());
        by_key.remove(&key);
    }

    fn add(&self, segment: &Arc<SegmentFile>, table: Vec<segment::TableRow>) {
        let mut by_key = self
            .by_key
            .write()
            .unwrap_or_else(|broken| broken.into_inner());
        by_key.extend(
            table
                .into_iter()
                .map(|row| (row.key, row.location(segment))),
        );
    }
}
